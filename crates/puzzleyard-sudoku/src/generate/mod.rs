//! Generating puzzles: by clues, pattern, minimality and score; reproducible.
//!
//! A random full grid is filled by search; its clues are taken away in random order while the
//! solution stays the only one. See `docs/sudoku-generator.md` for the distributions, their
//! biases and what is promised of the bytes.
//!
//! ```
//! use puzzleyard_sudoku::generate::{Level, generate};
//! use puzzleyard_sudoku::solve;
//!
//! let puzzle = generate(&Level::Hard.spec(), 7, 1000)?;
//! assert!(Level::Hard.clues().contains(&(puzzle.grid.clues() as u8)));
//! assert_eq!(solve::solve(&puzzle.grid), Some(puzzle.solution));
//! # Ok::<(), puzzleyard_sudoku::generate::GenerateError>(())
//! ```

mod carve;
mod cells;
mod dice;
mod pattern;
mod plan;
mod search;
mod spec;

use std::ops::Range;

use puzzleyard_core::Stream;

pub use pattern::{Symmetry, SymmetryError};
pub use plan::{MAX_ATTEMPTS, MAX_RATINGS};
pub use spec::{FEWEST_CLUES, Level, LevelError, Spec};

use crate::model::Grid;
use crate::solve::{self, Engine, Outcome};
use cells::ALL;
use dice::Dice;
use plan::Plan;
use search::Solution;

/// Puzzles that [`generate_many`] makes at once.
const BATCH: u64 = 256;

/// A puzzle and its one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Puzzle {
    /// The clues.
    pub grid: Grid,
    /// The full grid.
    pub solution: Grid,
}

/// Why there is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The range of clues is empty.
    #[error("{from} to {to} clues: the first number must not be over the second")]
    NoClues {
        /// The start of the range.
        from: u8,
        /// The end of the range.
        to: u8,
    },
    /// A number of clues that no puzzle has.
    #[error("{found} clues: wanted 17 to 81 (fewer than 17 never have one solution)")]
    Clues {
        /// The number.
        found: u8,
    },
    /// The range of scores is empty.
    #[error("score {from} to {to}: the first number must not be over the second")]
    NoScore {
        /// The start of the range, in tenths.
        from: u16,
        /// The end of the range, in tenths.
        to: u16,
    },
    /// No pattern of this symmetry has so many cells.
    #[error("no pattern of symmetry {symmetry} has {from} to {to} clues")]
    Pattern {
        /// The symmetry.
        symmetry: Symmetry,
        /// The start of the range.
        from: u8,
        /// The end of the range.
        to: u8,
    },
    /// No puzzle was found: such puzzles are rare, or there are none.
    #[error("no such puzzle found on {attempts} full grids, with {ratings} ratings")]
    GaveUp {
        /// Full grids tried.
        attempts: u32,
        /// Puzzles rated.
        ratings: u32,
    },
    /// The solver did not find the one solution that the generator's search had proved. This
    /// is a fault in one of them.
    #[error("the solver does not confirm the puzzle {puzzle}")]
    Unconfirmed {
        /// The puzzle.
        puzzle: Grid,
    },
}

/// Puzzle `index` of the sequence of this spec and seed. It depends on nothing else.
///
/// # Errors
/// If the spec contradicts itself, or no puzzle was found on [`MAX_ATTEMPTS`] full grids or
/// with [`MAX_RATINGS`] ratings.
pub fn generate(spec: &Spec, seed: u64, index: u64) -> Result<Puzzle, GenerateError> {
    let puzzle = Plan::new(spec, seed)?.make(index)?;
    let mut solutions = solve::solutions(&puzzle.grid);
    let found = [solutions.next(), solutions.next()];
    confirm(puzzle, found == [Some(puzzle.solution), None])
}

/// The puzzles `indices` of the sequence of this spec and seed, in order: those that
/// [`generate`] gives one by one. They are made in batches of 256, when they are asked for.
///
/// # Errors
/// If the spec contradicts itself.
pub fn generate_many(spec: &Spec, seed: u64, indices: Range<u64>) -> Result<Many, GenerateError> {
    Ok(Many {
        plan: Plan::new(spec, seed)?,
        engine: Engine::detect(),
        indices,
        ready: Vec::new().into_iter(),
    })
}

/// A run of puzzles; see [`generate_many`].
#[derive(Debug)]
pub struct Many {
    plan: Plan,
    engine: Engine,
    indices: Range<u64>,
    ready: std::vec::IntoIter<Result<Puzzle, GenerateError>>,
}

impl Many {
    fn batch(&mut self) -> Vec<Result<Puzzle, GenerateError>> {
        let from = self.indices.start;
        let to = self.indices.end.min(from.saturating_add(BATCH));
        if from >= to {
            return Vec::new();
        }
        self.indices.start = to;
        let made: Vec<_> = (from..to).map(|index| self.plan.make(index)).collect();
        let grids: Vec<Grid> = made.iter().flatten().map(|puzzle| puzzle.grid).collect();
        let mut outcomes = Vec::with_capacity(grids.len());
        self.engine.count_all(&grids, 2, &mut outcomes);
        let mut outcomes = outcomes.into_iter();
        made.into_iter()
            .map(|made| {
                let puzzle = made?;
                let is_confirmed = outcomes.next().is_some_and(|outcome: Outcome| {
                    outcome.solutions == 1 && outcome.first == Some(puzzle.solution)
                });
                confirm(puzzle, is_confirmed)
            })
            .collect()
    }
}

impl Iterator for Many {
    type Item = Result<Puzzle, GenerateError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.len() == 0 {
            self.ready = self.batch().into_iter();
        }
        self.ready.next()
    }
}

fn confirm(puzzle: Puzzle, is_confirmed: bool) -> Result<Puzzle, GenerateError> {
    if is_confirmed {
        return Ok(puzzle);
    }
    Err(GenerateError::Unconfirmed {
        puzzle: puzzle.grid,
    })
}

/// A random full grid, number `index` of this seed. Nearly uniform; see
/// `docs/sudoku-generator.md`.
pub fn full_grid(seed: u64, index: u64) -> Grid {
    let stream = Stream::new(seed, "puzzleyard sudoku 1 full grid");
    Solution::random(&mut Dice::new(&stream, index)).grid(ALL)
}
