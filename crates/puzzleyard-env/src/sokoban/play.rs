//! What a message asks for and what comes of it.

use puzzleyard_core::Direction;
use puzzleyard_sokoban::rules::{Level, State};

use super::{InvalidReason, Settings, steps};
use crate::message::{self, MAX_MESSAGE, MAX_TEXT, Tags};

/// What a message asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish<'a> {
    /// Steps, as written and as read.
    Steps(&'a str, Vec<(Direction, bool)>),
    /// No `<move>` tag.
    None,
    /// A tag with something else in it.
    Malformed(&'a str),
    /// A tag that is never closed.
    Unclosed,
    /// Two different moves.
    Several(&'a str, &'a str),
    /// More text than is read.
    TooLong,
    /// More steps than a turn has: so many.
    TooMany(usize),
}

/// What came of the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    /// The steps made, capital letters for pushes.
    pub(super) made: String,
    /// The step that could not be made, from 1, its letter, and why.
    pub(super) stopped: Option<(u32, char, InvalidReason)>,
}

/// Reads a message, after `read` bytes of earlier ones.
pub(super) fn wish<'a>(message: &'a str, settings: &Settings, read: usize) -> Wish<'a> {
    if message.len() > MAX_MESSAGE || message.len() > MAX_TEXT.saturating_sub(read) {
        return Wish::TooLong;
    }
    let letters = |content: &str| {
        !content.is_empty() && content.chars().all(|c| Direction::from_letter(c).is_some())
    };
    let spoken = message::spoken(message, settings.use_think);
    match message::tags(spoken, letters) {
        Err(content) => Wish::Malformed(content),
        Ok(Tags::Unclosed) => Wish::Unclosed,
        Ok(Tags::None) => Wish::None,
        Ok(Tags::Several(first, second)) => Wish::Several(first, second),
        Ok(Tags::One(content)) if content.len() > settings.steps_per_turn as usize => {
            Wish::TooMany(content.len())
        }
        Ok(Tags::One(content)) => match steps(content) {
            Some(steps) => Wish::Steps(content, steps),
            None => Wish::Malformed(content),
        },
    }
}

/// Makes steps until one is impossible, or the level is solved.
pub(super) fn walk(
    level: &Level,
    state: &mut State,
    steps: &[(Direction, bool)],
    case_matters: bool,
) -> Walk {
    let mut walk = Walk::default();
    for (at, &(way, capital)) in steps.iter().enumerate() {
        let mut next = state.clone();
        let letter = |push: bool| {
            if push {
                way.letter()
            } else {
                way.letter().to_ascii_lowercase()
            }
        };
        let why = match level.step(&mut next, way) {
            Err(blocked) => blocked.into(),
            Ok(step) if case_matters && step.push != capital => InvalidReason::WrongCase,
            Ok(step) => {
                *state = next;
                walk.made.push(letter(step.push));
                if step.push && level.is_solved(state) {
                    return walk;
                }
                continue;
            }
        };
        walk.stopped = Some((at as u32 + 1, letter(capital), why));
        return walk;
    }
    walk
}
