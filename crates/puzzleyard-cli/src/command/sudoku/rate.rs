//! `yard sudoku rate`: how hard each puzzle is for people.

use puzzleyard_sudoku::rate::{RateError, Rating, rate};
use serde_json::{Value, json};

use super::pipeline::{self, Pace, invalid};
use super::source::{Found, Row};
use crate::args::RateArgs;
use crate::exit::Exit;

/// Runs the command. Fails if a puzzle has no rating.
pub(super) fn run(args: &RateArgs) -> anyhow::Result<Exit> {
    let pace = Pace {
        threads: args.input.threads,
        chunk: 8,
    };
    pipeline::run(&args.input.files, pace, |chunk, _| {
        pipeline::rows(chunk, args.input.format, |row| rated(row, args.path))
    })
}

fn rated(row: &Row, path: bool) -> (String, Value, bool) {
    let grid = match &row.found {
        Err(fault) => return ("invalid".to_owned(), invalid(fault), true),
        Ok(Found::Board(board)) => {
            let reason = format!("found {}, expected 9x9", board.shape());
            let fields = json!({ "status": "unrated", "reason": reason });
            return (format!("unrated: {reason}"), fields, true);
        }
        Ok(Found::Grid(grid)) => grid,
    };
    match rate(grid) {
        Ok(rating) => (words(&rating, path), fields(&rating, path), false),
        Err(error) => {
            let status = match error {
                RateError::NoSolution => "none",
                RateError::Several => "several",
                _ => "conflict",
            };
            let reason = error.to_string();
            let fields = json!({ "status": status, "reason": reason });
            (format!("{status}: {reason}"), fields, true)
        }
    }
}

fn tenths(score: u16) -> f64 {
    f64::from(score) / 10.0
}

fn words(rating: &Rating, path: bool) -> String {
    let hardest = rating.hardest.map_or("full grid", |it| it.name());
    let mut text = format!("{:.1} {hardest}", tenths(rating.score));
    if path {
        for (at, step) in rating.path.iter().enumerate() {
            let score = tenths(step.score);
            let line = format!(
                "\n  {}. {score:.1} {}: {}",
                at + 1,
                step.technique,
                step.reason()
            );
            text.push_str(&line);
        }
    }
    text
}

fn fields(rating: &Rating, path: bool) -> Value {
    let mut fields = json!({
        "status": "rated",
        "score": tenths(rating.score),
        "pearl": tenths(rating.pearl),
        "diamond": tenths(rating.diamond),
        "hardest": rating.hardest,
        "steps": rating.path.len(),
    });
    if path {
        fields["path"] = json!(rating.path);
    }
    fields
}
