//! Sokoban, some steps a turn.

mod agent;
mod deadlock;
mod episode;
mod example;
mod play;
mod recorder;
mod score;
mod wording;

use std::fmt;

use puzzleyard_core::{Cell, Direction};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::rules::{Blocked, Faults, Level, Waivers};
use serde::{Deserialize, Serialize};

pub use agent::{Agent, AgentError, Player};
pub use episode::{Episode, Past, Reply, State};
pub use example::{Difficulty, DifficultyError, Example, ExampleError, bundled, examples};
pub use recorder::{Recorder, Transcript};
pub use score::Score;

use crate::turns::{MAX_TURNS, Turns};

/// The most rows, and the most columns, of a board that is played.
pub const MAX_SIDE: u16 = 50;
/// The longest text of a level that is read, in bytes.
pub const MAX_LEVEL: usize = 64 << 10;
/// The most steps that a turn may have.
pub const MAX_STEPS: u32 = 1000;

/// How an episode is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether only what follows the last `</think>` is read. By default it is.
    pub use_think: bool,
    /// How many turns there are, 50 by default. `auto` is ten and those that twice the known
    /// answer takes or, if none is known, a step for each box and square.
    pub max_turns: Turns,
    /// The most steps in a turn, `1..=`[`MAX_STEPS`], 20 by default.
    pub steps_per_turn: u32,
    /// How the board is shown.
    pub view: View,
    /// Whether a box that can provably never reach a goal is told.
    pub tell_deadlock: bool,
    /// Whether capital letters must push and small ones must not.
    pub case_matters: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            use_think: true,
            max_turns: Turns::Fixed(50),
            steps_per_turn: 20,
            view: View::Xsb,
            tell_deadlock: false,
            case_matters: false,
        }
    }
}

/// How a board is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// Rows of characters.
    #[default]
    Xsb,
    /// Lists of squares `(row,column)`, from 1.
    Coordinates,
}

/// A level to play, and what is known of its best answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The level's board in XSB, rows ended by `\n`.
    pub level: String,
    /// An answer with the proven fewest pushes, if one is known.
    #[serde(default)]
    pub optimum: Option<Optimum>,
}

/// An answer with the proven fewest pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimum {
    /// Its pushes: no answer has fewer.
    pub pushes: u32,
    /// Its steps, pushes among them. Another answer may have fewer.
    pub moves: u32,
}

/// Why no episode can be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unplayable {
    /// The text is too long.
    #[error("a level of {found} bytes, wanted at most {MAX_LEVEL}")]
    TooLong {
        /// Bytes found.
        found: usize,
    },
    /// The text is no level.
    #[error(transparent)]
    Format(#[from] format::FormatError),
    /// The text holds more than one level.
    #[error("{found} levels, wanted one")]
    Levels {
        /// Levels found.
        found: usize,
    },
    /// The level is not legal.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The board is too large.
    #[error("a board of {rows} rows and {cols} columns, wanted at most {MAX_SIDE} of each")]
    TooLarge {
        /// Rows.
        rows: u16,
        /// Columns.
        cols: u16,
    },
    /// The number of turns is not possible.
    #[error("a limit of {found} turns, wanted 1 to {MAX_TURNS}")]
    Turns {
        /// What was asked for.
        found: u32,
    },
    /// The number of steps in a turn is not possible.
    #[error("{found} steps a turn, wanted 1 to {MAX_STEPS}")]
    Steps {
        /// What was asked for.
        found: u32,
    },
    /// What is said of the optimum cannot be.
    #[error(
        "an optimum of {pushes} pushes in {moves} steps, wanted 1 push or more and as many steps"
    )]
    Optimum {
        /// Pushes.
        pushes: u32,
        /// Steps.
        moves: u32,
    },
}

/// Why a turn is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum InvalidReason {
    /// The message holds no `<move>` tag where moves are read.
    NoMove,
    /// A `<move>` tag holds something else than steps, or is not closed.
    Malformed,
    /// The message holds different moves.
    SeveralMoves,
    /// The message, or all messages together, are longer than is read.
    TooLong,
    /// There are more steps than a turn may have. None is made.
    TooManySteps,
    /// A step runs into a wall.
    Wall,
    /// A step pushes a box against a wall.
    BoxAgainstWall,
    /// A step pushes a box against another.
    BoxAgainstBox,
    /// A capital letter does not push, or a small one does.
    WrongCase,
}

impl InvalidReason {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMove => "no_move",
            Self::Malformed => "malformed",
            Self::SeveralMoves => "several_moves",
            Self::TooLong => "too_long",
            Self::TooManySteps => "too_many_steps",
            Self::Wall => "wall",
            Self::BoxAgainstWall => "box_against_wall",
            Self::BoxAgainstBox => "box_against_box",
            Self::WrongCase => "wrong_case",
        }
    }
}

impl fmt::Display for InvalidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Blocked> for InvalidReason {
    fn from(blocked: Blocked) -> Self {
        match blocked {
            Blocked::Wall => Self::Wall,
            Blocked::BoxAgainstWall => Self::BoxAgainstWall,
            Blocked::BoxAgainstBox => Self::BoxAgainstBox,
        }
    }
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum End {
    /// Every box stands on a goal.
    Solved,
    /// The turns are used up.
    OutOfTurns,
}

impl End {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::OutOfTurns => "out_of_turns",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A step as written: a direction and whether the letter is a capital.
fn steps(content: &str) -> Option<Vec<(Direction, bool)>> {
    let all: Option<Vec<_>> = content
        .chars()
        .map(|letter| Some((Direction::from_letter(letter)?, letter.is_ascii_uppercase())))
        .collect();
    all.filter(|steps| !steps.is_empty())
}

/// `(row,column)` from 1.
fn place(cell: Cell) -> String {
    format!("({},{})", cell.row + 1, cell.col + 1)
}

/// Checks that a task can be played under `settings`: its level, and how many turns there are.
fn admit(task: &Task, settings: &Settings) -> Result<(Level, u32), Unplayable> {
    let found = task.level.len();
    if found > MAX_LEVEL {
        return Err(Unplayable::TooLong { found });
    }
    let collection = format::xsb::read(&task.level)?;
    let [setup] = &collection.setups[..] else {
        let found = collection.setups.len();
        return Err(Unplayable::Levels { found });
    };
    let (rows, cols) = (setup.area().height(), setup.area().width());
    if rows > MAX_SIDE || cols > MAX_SIDE {
        return Err(Unplayable::TooLarge { rows, cols });
    }
    let level = Level::from_setup(setup, &Waivers::none())?;
    let per_turn = settings.steps_per_turn;
    if !(1..=MAX_STEPS).contains(&per_turn) {
        return Err(Unplayable::Steps { found: per_turn });
    }
    if let Some(Optimum { pushes, moves }) = task.optimum
        && (pushes == 0 || moves < pushes)
    {
        return Err(Unplayable::Optimum { pushes, moves });
    }
    let steps = match task.optimum {
        Some(optimum) => u64::from(optimum.moves) * 2,
        None => (level.inside().len() * level.boxes_needed()) as u64,
    };
    let enough = 10 + steps.div_ceil(u64::from(per_turn));
    let turns = settings
        .max_turns
        .count(enough.min(u64::from(MAX_TURNS)) as u32);
    let turns = turns.ok_or(Unplayable::Turns {
        found: match settings.max_turns {
            Turns::Fixed(found) => found,
            Turns::Auto => 0,
        },
    })?;
    Ok((level, turns))
}
