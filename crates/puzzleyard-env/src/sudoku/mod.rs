//! Sudoku, one move a turn.

mod agent;
mod board;
mod episode;
mod example;
mod play;
mod recorder;
mod score;
mod wording;

use std::fmt;
use std::str::FromStr;

use puzzleyard_sudoku::rules::Unit;
use puzzleyard_sudoku::{Grid, cell_name, cell_named};
use serde::{Deserialize, Serialize};

pub use agent::{Agent, AgentError};
pub use board::draw;
pub use episode::{Episode, Past, Reply, State};
pub use example::{Example, ExampleError, MAX_EXAMPLES, example, examples};
pub use recorder::{Recorder, Transcript};
pub use score::Score;

use crate::turns::{MAX_TURNS, Turns};

/// The fewest clues of a puzzle that is played. No puzzle with fewer has a single solution
/// (G. `McGuire`, Tugemann, Civario: "There is no 16-clue sudoku", Experimental Mathematics 23,
/// 2014), and the bound on unsolved totals needs it.
pub const MIN_CLUES: usize = 17;

/// How an episode is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether only what follows the last `</think>` is read. By default it is.
    pub use_think: bool,
    /// How many turns there are, 50 by default. `auto` is two for each empty cell.
    pub max_turns: Turns,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            use_think: true,
            max_turns: Turns::Fixed(50),
        }
    }
}

impl Settings {
    /// The number of turns for a puzzle with `empty_cells`, `None` if the setting is 0 or over
    /// [`MAX_TURNS`].
    pub fn turns_for(&self, empty_cells: usize) -> Option<u32> {
        self.max_turns.count(empty_cells as u32 * 2)
    }
}

/// Why no episode can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unplayable {
    /// Two clues break a rule.
    #[error("digit {digit} stands twice in {unit}, wanted a puzzle that breaks no rule")]
    Conflict {
        /// The digit.
        digit: u8,
        /// Where.
        unit: Unit,
    },
    /// Too few clues for a single solution.
    #[error("{clues} clues, wanted at least {MIN_CLUES}")]
    TooFewClues {
        /// Clues found.
        clues: usize,
    },
    /// There is nothing to fill.
    #[error("no empty cell, wanted at least one")]
    Full,
    /// There is no solution.
    #[error("no solution, wanted exactly one")]
    NoSolution,
    /// There are several solutions.
    #[error("several solutions, wanted exactly one")]
    Several,
    /// The number of turns is not possible.
    #[error("a limit of {found} turns, wanted 1 to {MAX_TURNS}")]
    Turns {
        /// What was asked for.
        found: u32,
    },
}

/// A move: a digit for a cell, 0 to clear it. Written `A1=5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The cell, `0..81` row by row.
    pub cell: usize,
    /// The digit, `0..=9`.
    pub digit: u8,
}

/// Text that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wanted row A-I, column 1-9, an equals sign and a digit 0-9, as in A1=5, without spaces")]
pub struct MoveError;

impl FromStr for Move {
    type Err = MoveError;

    /// Reads exactly what [`fmt::Display`] writes.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        match (text.get(..2).and_then(cell_named), text.as_bytes()) {
            (Some(cell), &[_, _, b'=', digit @ b'0'..=b'9']) => Ok(Self {
                cell,
                digit: digit - b'0',
            }),
            _ => Err(MoveError),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", cell_name(self.cell), self.digit)
    }
}

/// Why a turn cost an invalid move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum InvalidReason {
    /// The message holds no `<move>` tag where moves are read.
    NoMove,
    /// A `<move>` tag holds something else than a move, or is not closed.
    Malformed,
    /// The message holds different moves.
    SeveralMoves,
    /// The message, or all messages together, are longer than is read.
    TooLong,
    /// The cell holds a clue.
    ClueCell,
    /// The cell to clear is empty.
    CellEmpty,
    /// The cell holds that digit already.
    SameDigit,
    /// The digit stands already in a row, column or box of the cell. It was placed.
    Conflict,
}

impl InvalidReason {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMove => "no_move",
            Self::Malformed => "malformed",
            Self::SeveralMoves => "several_moves",
            Self::TooLong => "too_long",
            Self::ClueCell => "clue_cell",
            Self::CellEmpty => "cell_empty",
            Self::SameDigit => "same_digit",
            Self::Conflict => "conflict",
        }
    }
}

impl fmt::Display for InvalidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum End {
    /// Every cell is filled and every rule holds.
    Solved,
    /// Every cell is filled and a rule is broken.
    CompleteButWrong,
    /// The turns are used up.
    OutOfTurns,
}

impl End {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::CompleteButWrong => "complete_but_wrong",
            Self::OutOfTurns => "out_of_turns",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Clue counts to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// 36 to 46 clues.
    #[default]
    Easy,
    /// 28 to 35 clues.
    Medium,
    /// 22 to 27 clues.
    Hard,
}

/// A word that is no difficulty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("difficulty {found:?}, wanted easy, medium or hard")]
pub struct DifficultyError {
    /// The word.
    pub found: String,
}

impl FromStr for Difficulty {
    type Err = DifficultyError;

    fn from_str(word: &str) -> Result<Self, DifficultyError> {
        match word {
            "easy" => Ok(Self::Easy),
            "medium" => Ok(Self::Medium),
            "hard" => Ok(Self::Hard),
            _ => Err(DifficultyError {
                found: word.chars().take(40).collect(),
            }),
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        })
    }
}

/// Checks that a puzzle can be played under `settings`, and how many turns there are.
fn admit(puzzle: &Grid, settings: &Settings) -> Result<u32, Unplayable> {
    use puzzleyard_sudoku::{Board, rules, solve};

    let clues = puzzle.clues();
    if let Some(conflict) = rules::conflicts(&Board::from(*puzzle)).first() {
        return Err(Unplayable::Conflict {
            digit: conflict.digit,
            unit: conflict.unit,
        });
    }
    if clues < MIN_CLUES {
        return Err(Unplayable::TooFewClues { clues });
    }
    if puzzle.is_full() {
        return Err(Unplayable::Full);
    }
    let turns = settings.turns_for(81 - clues);
    let turns = turns.ok_or(match settings.max_turns {
        Turns::Fixed(found) => Unplayable::Turns { found },
        Turns::Auto => Unplayable::Full,
    })?;
    match solve::count_solutions(puzzle, 2).solutions {
        0 => Err(Unplayable::NoSolution),
        1 => Ok(turns),
        _ => Err(Unplayable::Several),
    }
}

#[cfg(test)]
mod tests {
    use super::Move;

    #[test]
    fn moves_are_read_as_written_and_no_other_way() {
        for cell in 0..81 {
            for digit in 0..=9 {
                let step = Move { cell, digit };
                assert_eq!(step.to_string().parse(), Ok(step));
            }
        }
        for wrong in [
            "", "A1", "A1=", "A1 = 5", "A10=5", "J1=5", "a1=5", "A1=10", "A1=5 ", " A1=5", "A0=5",
            "Ａ1=5", "A1＝5", "A1=５", "A1=5\0", "1A=5", "A1=-1", "A1=٥", "é1=5",
        ] {
            assert!(wrong.parse::<Move>().is_err(), "{wrong:?}");
        }
    }
}
