//! Levels as examples of a data set.

use std::fmt;
use std::str::FromStr;

use puzzleyard_core::{Cell, Limits, Stop, Stream, Verdict};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{self, Objective};
use serde::{Deserialize, Serialize};

use super::{Episode, Optimum, Settings, Task, Unplayable};

/// The most bytes of a search for an optimum.
const MEMORY: u64 = 1 << 30;
/// The most examples of one call.
const MAX_EXAMPLES: u64 = 1_000_000;

/// Numbers of boxes to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// Up to 4 boxes.
    #[default]
    Easy,
    /// 5 or 6 boxes.
    Medium,
    /// 7 boxes or more.
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

impl Difficulty {
    /// The difficulty of a level with so many boxes.
    pub const fn of(boxes: usize) -> Self {
        match boxes {
            0..=4 => Self::Easy,
            5 | 6 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

/// One level to play, with what the player sees first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Names level and example.
    pub id: String,
    /// The task.
    pub task: Task,
    /// By the number of boxes.
    pub difficulty: Difficulty,
    /// Boxes.
    pub boxes: usize,
    /// Whether the known best answer fits into the turns; `None` if none is known.
    pub solvable_within_turns: Option<bool>,
    /// How many turns there are.
    pub max_turns: u32,
    /// The message of the system.
    pub system_prompt: String,
    /// The first message of the user.
    pub prompt: String,
}

/// Why there are no examples.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// There is no level to choose from.
    #[error("no level to choose from, wanted at least one")]
    NoLevels,
    /// Too many were asked for.
    #[error("{found} examples, wanted at most {MAX_EXAMPLES}")]
    TooMany {
        /// How many.
        found: u64,
    },
    /// A level cannot be played.
    #[error("level {number}: {source}")]
    Unplayable {
        /// Which of the levels given, from 1.
        number: usize,
        /// Why.
        source: Unplayable,
    },
}

/// The project's own levels: the collections "First Steps" and "Round the Yard".
pub fn bundled() -> Vec<Setup> {
    [
        include_str!("../../../../levels/first-steps.xsb"),
        include_str!("../../../../levels/round-the-yard.xsb"),
    ]
    .into_iter()
    .filter_map(|text| format::xsb::read(text).ok())
    .flat_map(|collection| collection.setups)
    .collect()
}

/// `count` examples of `levels`. They run through the levels in an order that the seed gives,
/// again and again, each time turned or mirrored in one of eight ways. Example `k` depends on
/// levels, seed and `k` only.
///
/// The best answer of a level is sought with at most `nodes` nodes; 0 seeks none.
///
/// # Errors
/// If there are no levels, or one that is met cannot be played.
pub fn examples(
    levels: &[Setup],
    count: u64,
    seed: u64,
    settings: &Settings,
    nodes: u64,
) -> Result<Vec<Example>, ExampleError> {
    if levels.is_empty() {
        return Err(ExampleError::NoLevels);
    }
    if count > MAX_EXAMPLES {
        return Err(ExampleError::TooMany { found: count });
    }
    let order = order(levels.len(), seed);
    let turned = Stream::new(seed, "puzzleyard-env sokoban turns");
    let mut known: Vec<Option<Option<Optimum>>> = vec![None; levels.len()];
    let mut examples = Vec::new();
    for index in 0..count {
        let at = order[(index % levels.len() as u64) as usize];
        let setup = &levels[at];
        let optimum = *known[at].get_or_insert_with(|| optimum(setup, nodes));
        let way = turned.below(index, 8) as u8;
        let task = Task {
            level: turn(setup, way).board(),
            optimum,
        };
        let name = setup
            .title
            .clone()
            .unwrap_or_else(|| format!("level {}", at + 1));
        let id = format!("{name}/{seed}/{index}");
        let example = example(id, &task, settings).map_err(|source| ExampleError::Unplayable {
            number: at + 1,
            source,
        })?;
        examples.push(example);
    }
    Ok(examples)
}

fn example(id: String, task: &Task, settings: &Settings) -> Result<Example, Unplayable> {
    let episode = Episode::new(task, *settings)?;
    let boxes = episode.level().boxes_needed();
    let room = u64::from(episode.max_turns()) * u64::from(settings.steps_per_turn);
    Ok(Example {
        id,
        difficulty: Difficulty::of(boxes),
        boxes,
        solvable_within_turns: task.optimum.map(|known| u64::from(known.moves) <= room),
        max_turns: episode.max_turns(),
        system_prompt: episode.system_prompt(),
        prompt: episode.prompt(),
        task: episode.task(),
    })
}

/// A permutation of `0..count` (Fisher and Yates' shuffle).
fn order(count: usize, seed: u64) -> Vec<usize> {
    let stream = Stream::new(seed, "puzzleyard-env sokoban order");
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, stream.below(last as u64, last as u64 + 1) as usize);
    }
    order
}

fn optimum(setup: &Setup, nodes: u64) -> Option<Optimum> {
    if nodes == 0 {
        return None;
    }
    let level = Level::from_setup(setup, &Waivers::none()).ok()?;
    let limits = Limits {
        nodes: Some(nodes),
        memory: Some(MEMORY),
    };
    let report = solve::solve(
        &level,
        Objective::Pushes,
        &limits,
        &Stop::new(),
        &mut |_| {},
    );
    match report.verdict {
        Verdict::Solved(answer) if report.optimal => Some(Optimum {
            pushes: answer.pushes() as u32,
            moves: answer.moves() as u32,
        }),
        _ => None,
    }
}

/// One of the eight ways to turn or mirror a board: bit 0 mirrors rows, bit 1 columns, bit 2
/// swaps rows and columns.
fn turn(setup: &Setup, way: u8) -> Setup {
    let (height, width) = (setup.area().height(), setup.area().width());
    let swapped = way & 4 != 0;
    let (rows, cols) = if swapped {
        (width, height)
    } else {
        (height, width)
    };
    let square = |row: u16, col: u16| -> Square {
        let (row, col) = if swapped { (col, row) } else { (row, col) };
        let row = if way & 1 != 0 { height - 1 - row } else { row };
        let col = if way & 2 != 0 { width - 1 - col } else { col };
        setup.square(Cell::new(row, col))
    };
    let rows: Vec<Vec<Square>> = (0..rows)
        .map(|row| (0..cols).map(|col| square(row, col)).collect())
        .collect();
    Setup::from_rows(&rows)
}

#[cfg(test)]
mod tests {
    use super::{bundled, order, turn};

    #[test]
    fn the_eight_ways_are_different_and_undone_by_mirroring_again() {
        let setup = &bundled()[0];
        let boards: std::collections::BTreeSet<String> =
            (0..8).map(|way| turn(setup, way).board()).collect();
        assert_eq!(boards.len(), 8);
        for way in 0..4 {
            assert_eq!(turn(&turn(setup, way), way).board(), setup.board());
        }
        assert_eq!(turn(&turn(setup, 4), 4).board(), setup.board());
    }

    #[test]
    fn orders_are_permutations() {
        for seed in 0..20 {
            let mut all = order(23, seed);
            all.sort_unstable();
            assert_eq!(all, (0..23).collect::<Vec<_>>());
        }
        assert_ne!(order(23, 1), order(23, 2));
    }
}
