//! Sudoku puzzles: solving, counting, rating, reading.

use puzzleyard_core::{Limits, Stop};
use puzzleyard_sudoku::format::{Entry, Kind, Reader};
use puzzleyard_sudoku::rate::{self, Pencil};
use puzzleyard_sudoku::solve::{
    self,
    diagnosis::{Diagnosis, diagnose},
};
use puzzleyard_sudoku::{Board, Grid, cell_name, judge};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error;
use crate::exchange::{Quantity, Whole, object};

/// A 9x9 puzzle of 81 characters.
#[derive(Clone, Copy)]
pub(crate) struct Puzzle(pub(super) Grid);

impl<'py> FromPyObject<'_, 'py> for Puzzle {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text: &str = any.extract()?;
        text.parse().map(Self).map_err(error::format)
    }
}

/// A solution, or `None`.
#[pyfunction]
pub(crate) fn sudoku_solve(py: Python<'_>, puzzle: Puzzle) -> Option<String> {
    py.detach(|| solve::solve(&puzzle.0))
        .map(|solution| solution.to_string())
}

/// How many solutions there are, counted up to `limit`.
#[pyfunction]
#[pyo3(signature = (puzzle, limit = Whole(2)), text_signature = "(puzzle, limit=2)")]
pub(crate) fn sudoku_count(py: Python<'_>, puzzle: Puzzle, limit: Quantity) -> u64 {
    py.detach(|| solve::count_solutions(&puzzle.0, limit.0))
        .solutions
}

/// Whether there is exactly one solution.
#[pyfunction]
pub(crate) fn sudoku_is_unique(py: Python<'_>, puzzle: Puzzle) -> bool {
    py.detach(|| solve::is_unique(&puzzle.0))
}

/// The first solutions, at most `limit`.
#[pyfunction]
#[pyo3(signature = (puzzle, limit = Whole(100)), text_signature = "(puzzle, limit=100)")]
pub(crate) fn sudoku_solutions(py: Python<'_>, puzzle: Puzzle, limit: Quantity) -> Vec<String> {
    py.detach(|| {
        let solutions = solve::solutions(&puzzle.0).take(limit.0 as usize);
        solutions.map(|solution| solution.to_string()).collect()
    })
}

/// How hard a puzzle is for people, and the path that shows it.
#[pyfunction]
pub(crate) fn sudoku_rate(py: Python<'_>, puzzle: Puzzle) -> PyResult<Bound<'_, PyAny>> {
    let rating = py.detach(|| rate::rate(&puzzle.0));
    object(py, &rating.map_err(error::puzzle)?)
}

/// The next easiest step, or `None`.
#[pyfunction]
pub(crate) fn sudoku_hint(py: Python<'_>, puzzle: Puzzle) -> PyResult<Bound<'_, PyAny>> {
    let step = py.detach(|| rate::hint(&Pencil::new(&puzzle.0)));
    object(py, &step)
}

/// Accepts `answer` as a solution of `puzzle`, or raises `Refused`.
#[pyfunction]
pub(crate) fn sudoku_judge(puzzle: &str, answer: &str) -> PyResult<()> {
    judge::judge(puzzle, answer).map_err(error::wrong)
}

/// What is wrong with a puzzle, if anything.
#[pyfunction]
#[pyo3(signature = (puzzle, nodes = Whole(1_000_000)), text_signature = "(puzzle, nodes=1000000)")]
pub(crate) fn sudoku_diagnose(
    py: Python<'_>,
    puzzle: Puzzle,
    nodes: Whole,
) -> PyResult<Bound<'_, PyAny>> {
    let limits = Limits {
        nodes: Some(nodes.0),
        memory: None,
    };
    let board = Board::from(puzzle.0);
    let diagnosis = py.detach(|| diagnose(&board, &limits, &Stop::new()));
    object(py, &told(&diagnosis))
}

fn told(diagnosis: &Diagnosis) -> Value {
    let names = |cells: &[usize]| cells.iter().copied().map(cell_name).collect::<Vec<_>>();
    match diagnosis {
        Diagnosis::Conflicts(conflicts) => json!({
            "kind": "conflicts",
            "conflicts": conflicts.iter().map(|one| json!({
                "unit": one.unit.to_string(),
                "digit": one.digit,
                "cells": names(&one.cells),
            })).collect::<Vec<_>>(),
        }),
        Diagnosis::NoSolution { clues, minimal } => json!({
            "kind": "no_solution",
            "clues": names(clues),
            "minimal": minimal,
        }),
        Diagnosis::Unique(solution) => json!({
            "kind": "unique",
            "solution": line(solution),
        }),
        Diagnosis::Several {
            first,
            second,
            differ,
        } => json!({
            "kind": "several",
            "first": line(first),
            "second": line(second),
            "differ": names(differ),
        }),
        Diagnosis::GaveUp(limit) => json!({
            "kind": "gave_up",
            "limit": limit.to_string(),
        }),
    }
}

/// 81 characters for a 9x9 board, `None` for another.
fn line(board: &Board) -> Option<String> {
    board.classic().map(|grid| grid.to_string())
}

/// The puzzles of a file's text, of any size; `kind` is found out if it is not given.
#[pyfunction]
#[pyo3(signature = (text, kind = None))]
pub(crate) fn sudoku_read<'py>(
    py: Python<'py>,
    text: &str,
    kind: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let kind: Option<Kind> = kind.map(str::parse).transpose().map_err(error::setting)?;
    let entries: Result<Vec<Value>, _> = py.detach(|| {
        let bytes = text.as_bytes();
        let reader = match kind {
            Some(kind) => Reader::with_kind(kind, bytes),
            None => Reader::new(bytes),
        };
        reader
            .map(|entry| entry.map(|entry| plain(&entry)))
            .collect()
    });
    object(py, &entries.map_err(error::format)?)
}

fn plain(entry: &Entry) -> Value {
    json!({
        "size": entry.board.shape().size(),
        "digits": entry.board.digits(),
        "puzzle": line(&entry.board),
        "solution": entry.solution.as_ref().and_then(line),
        "title": entry.title,
        "line": entry.line,
    })
}
