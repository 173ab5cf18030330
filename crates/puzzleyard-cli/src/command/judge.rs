//! `yard sokoban judge`: an answer replayed on the text of a level.

use std::io::Write as _;

use puzzleyard_sokoban::judge::{Ruling, Strictness, judge};

use crate::args::{JudgeArgs, Output};
use crate::exit::Exit;
use crate::levels;
use crate::stream;

/// Runs the command. Fails unless the answer solves the level.
pub(crate) fn run(args: &JudgeArgs) -> anyhow::Result<Exit> {
    let entry = levels::read_one(&args.file, args.level)?;
    let letters = levels::read_answer(&args.answer)?;
    let strictness = if args.strict_case {
        Strictness::CaseMatters
    } else {
        Strictness::Plain
    };
    let ruling = judge(&entry.setup.board(), &letters, strictness);
    let mut out = stream::out();
    match args.format {
        Output::Text => writeln!(out, "{ruling}")?,
        Output::Json => {
            let mut row = serde_json::json!({
                "file": entry.file,
                "index": entry.index,
                "title": entry.setup.title,
                "solved": ruling.is_solved(),
                "ruling": ruling.to_string(),
            });
            match ruling {
                Ruling::Solved { moves, pushes } | Ruling::Unfinished { moves, pushes, .. } => {
                    row["moves"] = moves.into();
                    row["pushes"] = pushes.into();
                }
                Ruling::Impossible { step, ref why } => {
                    row["failed_at_step"] = step.into();
                    row["why"] = why.clone().into();
                }
                _ => {}
            }
            writeln!(out, "{row}")?;
        }
    }
    Ok(match ruling {
        Ruling::Solved { .. } => Exit::Done,
        Ruling::BadLevel { .. } => Exit::BadInput,
        _ => Exit::Failed,
    })
}
