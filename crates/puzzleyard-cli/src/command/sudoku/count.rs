//! `yard sudoku count`: the number of solutions, a line a puzzle.

use puzzleyard_core::Stop;
use puzzleyard_sudoku::solve::{self, general};
use serde_json::json;

use super::pipeline::{self, Chunk, Pace, Written, invalid};
use super::solve::{counted, within};
use super::source::Found;
use crate::args::CountArgs;
use crate::exit::Exit;

/// Runs the command.
pub(super) fn run(args: &CountArgs) -> anyhow::Result<Exit> {
    let pace = Pace {
        threads: args.input.threads,
        chunk: if args.limit > 1000 { 1 } else { 256 },
    };
    pipeline::run(&args.input.files, pace, |chunk, stop| {
        written(chunk, args, stop)
    })
}

fn written(chunk: &Chunk<'_>, args: &CountArgs, stop: &Stop) -> anyhow::Result<Written> {
    pipeline::rows(chunk, args.input.format, |row| {
        let (solutions, stopped) = match &row.found {
            Err(fault) => return ("invalid".to_owned(), invalid(fault), false),
            Ok(Found::Grid(grid)) => (solve::count_solutions(grid, args.limit).solutions, None),
            Ok(Found::Board(board)) => {
                let count = within(args.budget, stop, |limits, stop| {
                    general::count(board, args.limit, limits, stop)
                });
                (count.solutions, count.stopped)
            }
        };
        if let Some(limit) = stopped {
            let reason = limit.to_string();
            let fields = json!({ "status": "gave_up", "solutions": solutions, "reason": reason });
            return (format!("gave_up {solutions}"), fields, false);
        }
        let complete = solutions < args.limit;
        let more = if complete { "" } else { "+" };
        let text = format!("{solutions}{more}");
        (text, counted(solutions, complete), false)
    })
}
