//! Sudoku puzzles, ready to be played.

use puzzleyard_core::ContentId;
use puzzleyard_sudoku::Grid;
use puzzleyard_sudoku::generate::{self, GenerateError, Spec};
use puzzleyard_sudoku::solve;

/// Puzzles with one solution each.
///
/// A puzzle's id is the hash of its 81 characters with `.` for an empty cell; the set's id is
/// the hash of the 32-byte ids one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSet {
    puzzles: Vec<Grid>,
    solutions: Vec<Grid>,
    ids: Vec<ContentId>,
    id: ContentId,
}

/// Why there is no such set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleSetError {
    /// There is no puzzle.
    #[error("no puzzle to play, wanted at least one")]
    Empty,
    /// A puzzle without a solution, or with several.
    #[error("puzzle {number} has {found}, wanted one")]
    Solutions {
        /// Which, from 1.
        number: usize,
        /// `no solution` or `several solutions`.
        found: &'static str,
    },
    /// A puzzle with nothing to fill in.
    #[error("puzzle {number} is full, wanted an empty cell")]
    Full {
        /// Which, from 1.
        number: usize,
    },
    /// The generator refuses.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

impl PuzzleSet {
    /// These puzzles. Each is proved to have one solution.
    ///
    /// # Errors
    /// If there are none, or the first that has not.
    pub fn new(puzzles: &[Grid]) -> Result<Self, PuzzleSetError> {
        let mut solutions = Vec::with_capacity(puzzles.len());
        for (puzzle, number) in puzzles.iter().zip(1..) {
            if puzzle.is_full() {
                return Err(PuzzleSetError::Full { number });
            }
            let wrong = |found| PuzzleSetError::Solutions { number, found };
            let solution = solve::solve(puzzle).ok_or(wrong("no solution"))?;
            if !solve::is_unique(puzzle) {
                return Err(wrong("several solutions"));
            }
            solutions.push(solution);
        }
        Self::proven(puzzles.to_vec(), solutions)
    }

    /// Puzzles of the generator: the first `count` of a seed.
    ///
    /// # Errors
    /// If there are none, or the generator finds one of them not.
    pub fn generated(spec: &Spec, seed: u64, count: u64) -> Result<Self, PuzzleSetError> {
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        for puzzle in generate::generate_many(spec, seed, 0..count)? {
            let puzzle = puzzle?;
            puzzles.push(puzzle.grid);
            solutions.push(puzzle.solution);
        }
        Self::proven(puzzles, solutions)
    }

    fn proven(puzzles: Vec<Grid>, solutions: Vec<Grid>) -> Result<Self, PuzzleSetError> {
        if puzzles.is_empty() {
            return Err(PuzzleSetError::Empty);
        }
        let ids: Vec<ContentId> = puzzles
            .iter()
            .map(|puzzle| ContentId::of(&puzzle.to_line()))
            .collect();
        let all: Vec<u8> = ids.iter().flat_map(|id| *id.bytes()).collect();
        Ok(Self {
            puzzles,
            solutions,
            ids,
            id: ContentId::of(&all),
        })
    }

    /// How many there are, at least one.
    pub fn count(&self) -> u64 {
        self.puzzles.len() as u64
    }

    /// The set's id.
    pub fn id(&self) -> ContentId {
        self.id
    }

    /// A puzzle and its solution, from 0; `None` if there is no such puzzle.
    pub fn puzzle(&self, number: u64) -> Option<(&Grid, &Grid)> {
        let at = usize::try_from(number).ok()?;
        Some((self.puzzles.get(at)?, self.solutions.get(at)?))
    }

    /// The id of a puzzle; `None` if there is no such puzzle.
    pub fn puzzle_id(&self, number: u64) -> Option<ContentId> {
        self.ids.get(usize::try_from(number).ok()?).copied()
    }
}
