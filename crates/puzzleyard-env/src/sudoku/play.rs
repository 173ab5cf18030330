//! What a move does to a board, and what it is called.

use puzzleyard_sudoku::{Grid, rules};

use super::{InvalidReason, Move};
use crate::message::{self, MAX_MESSAGE, MAX_TEXT, Tags};

/// What a message asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish<'a> {
    /// One move.
    Move(Move),
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
}

/// What came of a wish. All but `TooLong` leave enough for the words of the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome<'a> {
    /// A digit without conflict.
    Valid,
    /// An own digit cleared.
    Cleared(Move),
    /// A digit placed beside others that it conflicts with.
    Conflict(Move, Vec<usize>),
    /// A move that the board does not take.
    Refused(Move, InvalidReason),
    /// A message without a single move.
    Unread(Wish<'a>),
}

impl Outcome<'_> {
    /// Why it is invalid, if it is.
    pub(super) fn invalid(&self) -> Option<InvalidReason> {
        Some(match self {
            Self::Valid | Self::Cleared(_) => return None,
            Self::Conflict(..) => InvalidReason::Conflict,
            Self::Refused(_, reason) => *reason,
            Self::Unread(wish) => match wish {
                Wish::None | Wish::Move(_) => InvalidReason::NoMove,
                Wish::Malformed(_) | Wish::Unclosed => InvalidReason::Malformed,
                Wish::Several(..) => InvalidReason::SeveralMoves,
                Wish::TooLong => InvalidReason::TooLong,
            },
        })
    }
}

/// Reads a message, after `read` bytes of earlier ones.
pub(super) fn wish(message: &str, use_think: bool, read: usize) -> Wish<'_> {
    if message.len() > MAX_MESSAGE || message.len() > MAX_TEXT.saturating_sub(read) {
        return Wish::TooLong;
    }
    let spoken = message::spoken(message, use_think);
    match message::tags(spoken, |content| content.parse::<Move>().is_ok()) {
        Err(content) => Wish::Malformed(content),
        Ok(Tags::Unclosed) => Wish::Unclosed,
        Ok(Tags::None) => Wish::None,
        Ok(Tags::Several(first, second)) => Wish::Several(first, second),
        Ok(Tags::One(content)) => content.parse().map_or(Wish::Malformed(content), Wish::Move),
    }
}

/// Plays a wish on `board`.
pub(super) fn play<'a>(puzzle: &Grid, board: &mut Grid, wish: Wish<'a>) -> Outcome<'a> {
    let Wish::Move(step) = wish else {
        return Outcome::Unread(wish);
    };
    let Move { cell, digit } = step;
    let held = board.digit(cell);
    if puzzle.digit(cell) != 0 {
        return Outcome::Refused(step, InvalidReason::ClueCell);
    }
    if digit == 0 && held == 0 {
        return Outcome::Refused(step, InvalidReason::CellEmpty);
    }
    if digit == held {
        return Outcome::Refused(step, InvalidReason::SameDigit);
    }
    *board = board.with(cell, digit);
    if digit == 0 {
        return Outcome::Cleared(step);
    }
    let against: Vec<usize> = rules::obstacles(board, cell, digit).collect();
    if against.is_empty() {
        Outcome::Valid
    } else {
        Outcome::Conflict(step, against)
    }
}
