//! An episode: one level, played turn by turn.

use puzzleyard_core::CellSet;
use puzzleyard_sokoban::rules::{self, Level};
use serde::{Deserialize, Serialize};

use super::play::{Walk, Wish, walk, wish};
use super::score::{self, INVALID, Score, Tally};
use super::wording::{self, Scene};
use super::{End, InvalidReason, Optimum, Settings, Task, Unplayable, admit, deadlock};
use crate::points::Points;

/// One level, played turn by turn.
#[derive(Clone, Debug)]
pub struct Episode {
    level: Level,
    optimum: Option<Optimum>,
    state: rules::State,
    settings: Settings,
    /// The live squares, if deadlocks are told.
    live: Option<CellSet>,
    tally: Tally,
    read: usize,
    answer: String,
    history: Vec<Past>,
}

/// What a turn came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The next message of the user.
    pub text: String,
    /// Whether the episode is over.
    pub done: bool,
    /// What the turn itself earned: 0, or what an invalid one costs.
    pub reward: f64,
    /// Steps made.
    pub steps: u32,
    /// Why the turn is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
    /// The step that could not be made, from 1, if one could not.
    pub invalid_step: Option<u32>,
}

/// A turn of the past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Past {
    /// Its number, from 1.
    pub turn: u32,
    /// The steps asked for, if the message held any that were tried.
    #[serde(rename = "move")]
    pub asked: Option<String>,
    /// The steps made, capital letters for pushes.
    pub made: String,
    /// What the turn earned.
    pub reward: f64,
    /// Why it is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
    /// The step that could not be made, from 1, if one could not.
    pub invalid_step: Option<u32>,
}

/// Where an episode stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The level at its start, in XSB.
    pub level: String,
    /// The board now, in XSB.
    pub board: String,
    /// Turns played.
    pub turn: u32,
    /// How many there are.
    pub max_turns: u32,
    /// Steps made, pushes among them.
    pub moves: u64,
    /// Pushes made.
    pub pushes: u64,
    /// Boxes in all.
    pub boxes: u64,
    /// Boxes on goals.
    pub on_goals: u64,
    /// Whether the episode is over.
    pub done: bool,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// Why the last turn is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
    /// The step of the last turn that could not be made, from 1.
    pub invalid_step: Option<u32>,
    /// What the episode would be worth if it ended now.
    pub score: Score,
    /// All turns, first to last.
    pub history: Vec<Past>,
}

impl Episode {
    /// An episode at its start.
    ///
    /// # Errors
    /// If the text is not exactly one legal level of at most 50 rows and columns, or a setting
    /// is out of its range.
    pub fn new(task: &Task, settings: Settings) -> Result<Self, Unplayable> {
        let (level, max_turns) = admit(task, &settings)?;
        let at_start = level.boxes_on_goals(level.start()) as u64;
        Ok(Self {
            optimum: task.optimum,
            state: level.start().clone(),
            settings,
            live: settings
                .tell_deadlock
                .then(|| deadlock::live_squares(&level)),
            tally: Tally {
                max_turns: u64::from(max_turns),
                at_start,
                on_goals: at_start,
                boxes: level.boxes_needed() as u64,
                ..Tally::default()
            },
            read: 0,
            answer: String::new(),
            history: Vec::new(),
            level,
        })
    }

    /// The message of the system.
    pub fn system_prompt(&self) -> String {
        wording::system_prompt(&self.settings, self.max_turns(), self.optimum.is_some())
    }

    /// The first message of the user: board, legend and rules.
    pub fn prompt(&self) -> String {
        wording::prompt(&self.level, &self.settings)
    }

    /// Plays the move of an assistant's message. Any text is a turn. When the episode is over,
    /// nothing changes and the reply says so.
    pub fn turn(&mut self, message: &str) -> Reply {
        if self.is_done() {
            return Reply {
                text: "The game is over.".to_owned(),
                done: true,
                reward: 0.0,
                steps: 0,
                invalid_reason: None,
                invalid_step: None,
            };
        }
        let wish = wish(message, &self.settings, self.read);
        if wish != Wish::TooLong {
            self.read += message.len();
        }
        let (asked, walk) = match &wish {
            Wish::Steps(content, steps) => {
                let case_matters = self.settings.case_matters;
                let walk = walk(&self.level, &mut self.state, steps, case_matters);
                (Some((*content).to_owned()), walk)
            }
            _ => (None, Walk::default()),
        };
        let reason = unread(&wish).or(walk.stopped.map(|(_, _, reason)| reason));
        self.book(&walk, reason.is_some());
        let reward = if reason.is_some() {
            INVALID
        } else {
            Points::default()
        }
        .value();
        let invalid_step = walk.stopped.map(|(step, ..)| step);
        let text = wording::reply(&wish, &walk, &self.settings, &self.scene());
        self.history.push(Past {
            turn: self.turns_used(),
            asked,
            made: walk.made.clone(),
            reward,
            invalid_reason: reason,
            invalid_step,
        });
        Reply {
            text,
            done: self.is_done(),
            reward,
            steps: walk.made.len() as u32,
            invalid_reason: reason,
            invalid_step,
        }
    }

    /// Where the episode stands, with its history.
    pub fn state(&self) -> State {
        let last = self.history.last();
        State {
            level: self.level.setup(self.level.start()).board(),
            board: self.board(),
            turn: self.turns_used(),
            max_turns: self.max_turns(),
            moves: self.answer.len() as u64,
            pushes: self.tally.pushes,
            boxes: self.tally.boxes,
            on_goals: self.tally.on_goals,
            done: self.is_done(),
            end: self.end(),
            invalid_reason: last.and_then(|past| past.invalid_reason),
            invalid_step: last.and_then(|past| past.invalid_step),
            score: self.score(),
            history: self.history.clone(),
        }
    }

    /// What the episode is worth, as if it ended now.
    pub fn score(&self) -> Score {
        score::score(&self.tally, self.optimum)
    }

    /// The task, its level in canonical XSB.
    pub fn task(&self) -> Task {
        Task {
            level: self.level.setup(self.level.start()).board(),
            optimum: self.optimum,
        }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The board now, in XSB.
    pub fn board(&self) -> String {
        self.level.setup(&self.state).board()
    }

    /// Where player and boxes stand now.
    pub fn position(&self) -> &rules::State {
        &self.state
    }

    /// All steps so far, in LURD.
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many turns there are.
    pub fn max_turns(&self) -> u32 {
        self.tally.max_turns as u32
    }

    /// Turns played.
    pub fn turns_used(&self) -> u32 {
        self.tally.turns as u32
    }

    /// Whether the episode is over.
    pub fn is_done(&self) -> bool {
        self.end().is_some()
    }

    /// How it ended, if it did.
    pub fn end(&self) -> Option<End> {
        if self.level.is_solved(&self.state) {
            return Some(End::Solved);
        }
        (self.tally.turns >= self.tally.max_turns).then_some(End::OutOfTurns)
    }

    /// All turns, first to last.
    pub fn history(&self) -> &[Past] {
        &self.history
    }

    fn book(&mut self, walk: &Walk, invalid: bool) {
        self.tally.turns += 1;
        self.tally.invalid += u64::from(invalid);
        let pushes = walk.made.bytes().filter(u8::is_ascii_uppercase).count();
        self.tally.pushes += pushes as u64;
        self.tally.on_goals = self.level.boxes_on_goals(&self.state) as u64;
        self.answer.push_str(&walk.made);
    }

    fn scene(&self) -> Scene<'_> {
        let live = self.live.as_ref();
        Scene {
            level: &self.level,
            state: &self.state,
            moves: self.answer.len() as u64,
            pushes: self.tally.pushes,
            turn: self.turns_used(),
            max_turns: self.max_turns(),
            dead: live.and_then(|live| deadlock::dead_box(&self.level, &self.state, live)),
            end: self.end(),
        }
    }
}

/// Why nothing of a message was tried, if so.
fn unread(wish: &Wish<'_>) -> Option<InvalidReason> {
    Some(match wish {
        Wish::Steps(..) => return None,
        Wish::None => InvalidReason::NoMove,
        Wish::Malformed(_) | Wish::Unclosed => InvalidReason::Malformed,
        Wish::Several(..) => InvalidReason::SeveralMoves,
        Wish::TooLong => InvalidReason::TooLong,
        Wish::TooMany(_) => InvalidReason::TooManySteps,
    })
}
