//! Sudoku puzzles made to order, and their canonical form.

use puzzleyard_sudoku::generate::{self, GenerateError, Level, Puzzle as Made, Spec};
use puzzleyard_sudoku::symmetry;
use pyo3::prelude::*;
use serde_json::{Value, json};

use super::puzzle::Puzzle;
use crate::error;
use crate::exchange::{Quantity, Whole, object};

fn spec(
    difficulty: &str,
    clues: Option<(Whole<81>, Whole<81>)>,
    minimal: bool,
    pattern: &str,
    score: Option<(Whole<9999>, Whole<9999>)>,
) -> PyResult<Spec> {
    let level: Level = difficulty.parse().map_err(error::setting)?;
    let clues = clues.map(|(from, to)| from.0 as u8..=to.0 as u8);
    Ok(Spec {
        clues: clues.unwrap_or_else(|| level.clues()),
        minimal,
        symmetry: pattern.parse().map_err(error::setting)?,
        score: score.map(|(from, to)| from.0 as u16..=to.0 as u16),
    })
}

fn plain(made: Made) -> Value {
    json!({
        "puzzle": made.grid.to_string(),
        "solution": made.solution.to_string(),
    })
}

/// Puzzle `index` of the endless sequence that the other arguments name. `clues` are the fewest
/// and the most, instead of those of the difficulty; `score` likewise, in tenths.
#[pyfunction]
#[pyo3(
    signature = (difficulty = "easy", seed = Whole(42), index = Whole(0), *, clues = None, minimal = false, symmetry = "none", score = None),
    text_signature = "(difficulty='easy', seed=42, index=0, *, clues=None, minimal=False, symmetry='none', score=None)"
)]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn sudoku_generate<'py>(
    py: Python<'py>,
    difficulty: &str,
    seed: Whole,
    index: Whole,
    clues: Option<(Whole<81>, Whole<81>)>,
    minimal: bool,
    symmetry: &str,
    score: Option<(Whole<9999>, Whole<9999>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = spec(difficulty, clues, minimal, symmetry, score)?;
    let made = py.detach(|| generate::generate(&spec, seed.0, index.0));
    object(py, &plain(made.map_err(error::puzzle)?))
}

/// The puzzles from `start` on, `count` of them: those that `sudoku_generate` gives one by one.
#[pyfunction]
#[pyo3(
    signature = (difficulty = "easy", count = Whole(100), seed = Whole(42), start = Whole(0), *, clues = None, minimal = false, symmetry = "none", score = None),
    text_signature = "(difficulty='easy', count=100, seed=42, start=0, *, clues=None, minimal=False, symmetry='none', score=None)"
)]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn sudoku_generate_many<'py>(
    py: Python<'py>,
    difficulty: &str,
    count: Quantity,
    seed: Whole,
    start: Whole,
    clues: Option<(Whole<81>, Whole<81>)>,
    minimal: bool,
    symmetry: &str,
    score: Option<(Whole<9999>, Whole<9999>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = spec(difficulty, clues, minimal, symmetry, score)?;
    let end = start.0.checked_add(count.0);
    let end = end.ok_or_else(|| error::setting(format!("no index is over {}", u64::MAX)))?;
    let made = py.detach(|| {
        generate::generate_many(&spec, seed.0, start.0..end)?
            .map(|made| made.map(plain))
            .collect::<Result<Vec<_>, GenerateError>>()
    });
    object(py, &made.map_err(error::puzzle)?)
}

/// The least of all puzzles that turning, mirroring, swapping lines and renaming digits make of
/// this one: two puzzles are the same in essence if theirs are equal.
#[pyfunction]
pub(crate) fn sudoku_canonical(py: Python<'_>, puzzle: Puzzle) -> String {
    py.detach(|| symmetry::canonical(&puzzle.0)).to_string()
}
