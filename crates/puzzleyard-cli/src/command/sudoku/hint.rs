//! `yard sudoku hint`: the next step of each puzzle, explained.

use puzzleyard_sudoku::rate::{Pencil, hint};
use puzzleyard_sudoku::rules::conflicts;
use serde_json::{Value, json};

use super::board::{conflict, marked};
use super::pipeline::{self, Pace, invalid};
use super::source::{Found, Row};
use crate::args::HintArgs;
use crate::exit::Exit;

/// Runs the command. Fails if there is no step.
pub(super) fn run(args: &HintArgs) -> anyhow::Result<Exit> {
    let pace = Pace {
        threads: args.input.threads,
        chunk: 8,
    };
    pipeline::run(&args.input.files, pace, |chunk, _| {
        pipeline::rows(chunk, args.input.format, |row| hinted(row, args.brief))
    })
}

fn hinted(row: &Row, brief: bool) -> (String, Value, bool) {
    let failed = |status: &str, reason: String| {
        let fields = json!({ "status": status, "reason": reason });
        (format!("{status}: {reason}"), fields, true)
    };
    let found = match &row.found {
        Err(fault) => return ("invalid".to_owned(), invalid(fault), true),
        Ok(found) => found,
    };
    let Found::Grid(grid) = found else {
        let shape = found.board().shape();
        return failed("unsupported", format!("found {shape}, expected 9x9"));
    };
    let board = found.board();
    if let Some(first) = conflicts(&board).first() {
        return failed("conflict", conflict(board.shape(), first));
    }
    if grid.is_full() {
        return ("full".to_owned(), json!({ "status": "full" }), false);
    }
    let pencil = Pencil::new(grid);
    let Some(step) = hint(&pencil) else {
        return failed("none", "no step leads on".into());
    };
    let reason = step.reason();
    let mut text = format!(
        "{:.1} {}: {reason}",
        f64::from(step.score) / 10.0,
        step.technique
    );
    if !brief {
        text.push('\n');
        text.push_str(&marked(&pencil, &step));
    }
    let mut fields = json!({ "status": "step" });
    if let (Value::Object(fields), Ok(Value::Object(step))) =
        (&mut fields, serde_json::to_value(&step))
    {
        fields.extend(step);
    }
    (text, fields, false)
}
