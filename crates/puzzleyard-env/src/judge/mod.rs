//! The judge: recomputes an episode from its transcript alone.
//!
//! A second, plain implementation of both games, of their words and of their rewards. Apart
//! from the plain data of a transcript it names nothing of this crate and no rules of the
//! puzzle crates, so that a fault in them cannot hide in it too. It accepts a transcript or
//! names the first turn that differs.
//!
//! It judges what is written: whether the puzzle is the one that was set is for the caller to
//! compare, and that a Sudoku has a single solution matters to nobody's score and is not
//! checked. Nor is a Sokoban level's claimed optimum, beyond that no answer may have fewer pushes.

mod reading;
mod sokoban;
mod sudoku;
mod yard;

pub use sokoban::judge as sokoban;
pub use sudoku::judge as sudoku;

/// Why a transcript is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Something before the first turn is wrong.
    #[error("before turn 1: {what}")]
    Start {
        /// What is wrong and what would be right.
        what: String,
    },
    /// A turn differs from what its message leads to.
    #[error("turn {turn}: {field} is {found}, wanted {wanted}")]
    Turn {
        /// The turn, from 1.
        turn: u32,
        /// Which part of the reply.
        field: &'static str,
        /// What the transcript has.
        found: String,
        /// What it should have.
        wanted: String,
    },
    /// There are messages after the end.
    #[error("turn {turn}: the episode ended with turn {}", turn - 1)]
    AfterEnd {
        /// The first turn too many.
        turn: u32,
    },
    /// All turns are right and the score is not.
    #[error("score: {part} is {found}, wanted {wanted}")]
    Score {
        /// Which part.
        part: &'static str,
        /// What the transcript claims.
        found: f64,
        /// What it is.
        wanted: f64,
    },
}

impl Refusal {
    /// The first turn that differs, 0 if something before the first does. `None` if all turns
    /// are right and only the score is not.
    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Start { .. } => Some(0),
            Self::Turn { turn, .. } | Self::AfterEnd { turn } => Some(*turn),
            Self::Score { .. } => None,
        }
    }

    fn start(what: impl Into<String>) -> Self {
        Self::Start { what: what.into() }
    }
}
