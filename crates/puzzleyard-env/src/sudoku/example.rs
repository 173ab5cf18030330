//! Generated puzzles as examples of a data set.

use puzzleyard_sudoku::Grid;
use puzzleyard_sudoku::generate::{Level, Spec, generate, generate_many};
use serde::{Deserialize, Serialize};

use super::{Difficulty, Episode, Settings, Unplayable};

/// The most examples of one call.
pub const MAX_EXAMPLES: u64 = 1_000_000;

/// One puzzle to play, with what the player sees first. It carries no solution: nothing that
/// is scored needs one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Names difficulty, seed and index: `easy/42/0`.
    pub id: String,
    /// The puzzle, 81 characters, `.` for empty.
    pub puzzle: String,
    /// The difficulty asked for.
    pub difficulty: Difficulty,
    /// Filled cells.
    pub clues: usize,
    /// Empty cells.
    pub empty_cells: usize,
    /// Whether there are as many turns as empty cells.
    pub solvable_within_turns: bool,
    /// How many turns there are.
    pub max_turns: u32,
    /// The message of the system.
    pub system_prompt: String,
    /// The first message of the user.
    pub prompt: String,
}

/// Why there are no examples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// Too many were asked for.
    #[error("{found} examples, wanted at most {MAX_EXAMPLES}")]
    TooMany {
        /// How many.
        found: u64,
    },
    /// No puzzle was found for an index.
    #[error("no {difficulty} puzzle for index {index}, wanted one")]
    NotFound {
        /// The difficulty asked for.
        difficulty: Difficulty,
        /// The index.
        index: u64,
    },
    /// The settings cannot be played.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
}

/// `count` examples, the first ones of the endless sequence of this difficulty and seed.
///
/// # Errors
/// If `count` is over [`MAX_EXAMPLES`] or the settings cannot be played.
pub fn examples(
    difficulty: Difficulty,
    count: u64,
    seed: u64,
    settings: &Settings,
) -> Result<Vec<Example>, ExampleError> {
    if count > MAX_EXAMPLES {
        return Err(ExampleError::TooMany { found: count });
    }
    let made = generate_many(&spec(difficulty), seed, 0..count);
    let made = made.map_err(|_| ExampleError::NotFound {
        difficulty,
        index: 0,
    })?;
    (0..)
        .zip(made)
        .map(|(index, puzzle)| {
            let puzzle = puzzle.map_err(|_| ExampleError::NotFound { difficulty, index })?;
            told(difficulty, index, seed, settings, puzzle.grid)
        })
        .collect()
}

/// Example `index` of the sequence of this difficulty and seed. It depends on nothing else, but
/// for the turns and the words that the settings give it.
///
/// # Errors
/// If the settings cannot be played.
pub fn example(
    difficulty: Difficulty,
    index: u64,
    seed: u64,
    settings: &Settings,
) -> Result<Example, ExampleError> {
    let puzzle = generate(&spec(difficulty), seed, index)
        .map_err(|_| ExampleError::NotFound { difficulty, index })?;
    told(difficulty, index, seed, settings, puzzle.grid)
}

/// The example of this puzzle.
fn told(
    difficulty: Difficulty,
    index: u64,
    seed: u64,
    settings: &Settings,
    grid: Grid,
) -> Result<Example, ExampleError> {
    let episode = Episode::new(grid, *settings)?;
    let empty_cells = episode.empty_cells();
    Ok(Example {
        id: format!("{difficulty}/{seed}/{index}"),
        puzzle: grid.to_string(),
        difficulty,
        clues: grid.clues(),
        empty_cells,
        solvable_within_turns: empty_cells <= episode.max_turns() as usize,
        max_turns: episode.max_turns(),
        system_prompt: episode.system_prompt(),
        prompt: episode.prompt(),
    })
}

fn spec(difficulty: Difficulty) -> Spec {
    match difficulty {
        Difficulty::Easy => Level::Easy,
        Difficulty::Medium => Level::Medium,
        Difficulty::Hard => Level::Hard,
    }
    .spec()
}
