//! `yard sudoku solve`: one solution a line, in order.

use puzzleyard_core::{Limits, Stop};
use puzzleyard_harness::agent::with_watchdog;
use puzzleyard_sudoku::solve::{Engine, Outcome, general};
use puzzleyard_sudoku::{Board, Grid};
use serde_json::{Value, json};

use super::board::line;
use super::pipeline::{self, Chunk, Pace, Written, invalid};
use super::source::Found;
use crate::args::{Budget, Output, SolveSudoku};
use crate::exit::Exit;

/// Puzzles handed to the engine at a time.
const CHUNK: usize = 4096;

/// Runs the command.
pub(super) fn run(args: &SolveSudoku) -> anyhow::Result<Exit> {
    let engine = Engine::detect();
    let pace = Pace {
        threads: args.input.threads,
        chunk: CHUNK,
    };
    pipeline::run(&args.input.files, pace, |chunk, stop| {
        solved(chunk, &engine, args, stop)
    })
}

fn solved(
    chunk: &Chunk<'_>,
    engine: &Engine,
    args: &SolveSudoku,
    stop: &Stop,
) -> anyhow::Result<Written> {
    let grids: Vec<Grid> = chunk
        .rows
        .iter()
        .filter_map(|row| match row.found {
            Ok(Found::Grid(grid)) => Some(grid),
            _ => None,
        })
        .collect();
    let mut outcomes = Vec::with_capacity(grids.len());
    engine.count_all(&grids, 2, &mut outcomes);
    if args.input.format == Output::Text && grids.len() == chunk.rows.len() {
        return Ok(plain(&outcomes));
    }
    let mut outcomes = outcomes.iter();
    pipeline::rows(chunk, args.input.format, |row| {
        let (status, first, second, reason) = match &row.found {
            Err(fault) => return ("invalid".to_owned(), invalid(fault), false),
            Ok(Found::Grid(_)) => {
                let outcome = outcomes.next().copied().unwrap_or_default();
                let first = outcome.first.map(Board::from);
                let second = outcome.second.map(Board::from);
                (word(&outcome), first, second, None)
            }
            Ok(Found::Board(board)) => {
                let count = within(args.budget, stop, |limits, stop| {
                    general::count(board, 2, limits, stop)
                });
                match count.stopped {
                    Some(limit) if count.solutions < 2 => {
                        ("gave_up", None, None, Some(limit.to_string()))
                    }
                    _ => {
                        let outcome = Outcome {
                            solutions: count.solutions,
                            ..Outcome::default()
                        };
                        (word(&outcome), count.first, count.second, None)
                    }
                }
            }
        };
        let text = match (status, &first) {
            ("solved", Some(board)) => line(board),
            _ => status.to_owned(),
        };
        let fields = json!({
            "status": status,
            "solution": first.as_ref().map(line),
            "second": second.as_ref().map(line),
            "reason": reason,
        });
        (text, fields, false)
    })
}

/// The lines of 9x9 puzzles alone.
fn plain(outcomes: &[Outcome]) -> Written {
    let mut out = Vec::with_capacity(outcomes.len() * 82);
    for outcome in outcomes {
        match outcome.first {
            Some(grid) if word(outcome) == "solved" => out.extend_from_slice(&grid.to_line()),
            _ => out.extend_from_slice(word(outcome).as_bytes()),
        }
        out.push(b'\n');
    }
    Written { out, failed: false }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome.solutions {
        2.. => "several",
        _ if outcome.gave_up => "gave_up",
        0 => "none",
        1 => "solved",
    }
}

/// Searches a board within the limits asked for.
pub(super) fn within<T>(
    budget: Budget,
    stop: &Stop,
    search: impl FnOnce(&Limits, &Stop) -> T,
) -> T {
    let limits = Limits {
        nodes: Some(budget.nodes),
        memory: None,
    };
    with_watchdog(budget.time, stop, |signal| search(&limits, signal))
}

/// What a JSON row says of counts.
pub(super) fn counted(solutions: u64, complete: bool) -> Value {
    json!({ "status": if complete { "counted" } else { "at_least" }, "solutions": solutions })
}
