//! `yard sokoban check`: every fault with row and column, one a line.

use std::io::Write as _;

use puzzleyard_sokoban::rules::Level;

use crate::args::{CheckArgs, Output};
use crate::exit::{self, Exit};
use crate::levels;
use crate::stream;

/// Runs the command. Fails if there is a fault.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut out = stream::out();
    let (mut levels, mut found, mut exit) = (0, 0, Exit::Done);
    for file in &args.files {
        let entries = match levels::read(file) {
            Ok(entries) => entries,
            Err(error) => {
                stream::say(format_args!("yard: {}", exit::words(&error)));
                exit = Exit::BadInput;
                continue;
            }
        };
        levels += entries.len();
        for entry in entries {
            let faults = Level::faults(&entry.setup).0.into_iter();
            for fault in faults.filter(|fault| !args.allow.contains(&fault.kind)) {
                found += 1;
                let line = fault
                    .at
                    .map(|cell| entry.setup.first_line + u32::from(cell.row));
                match args.format {
                    Output::Json => {
                        let row = serde_json::json!({
                            "file": entry.file,
                            "index": entry.index,
                            "title": entry.setup.title,
                            "fault": fault.kind.name(),
                            "row": fault.at.map(|cell| cell.row + 1),
                            "column": fault.at.map(|cell| cell.col + 1),
                            "line": line,
                            "detail": fault.detail,
                        });
                        writeln!(out, "{row}")?;
                    }
                    Output::Text => {
                        let line = line.unwrap_or(entry.setup.first_line);
                        writeln!(out, "{}:{line}: {}: {fault}", entry.file, entry.title())?;
                    }
                }
            }
        }
    }
    stream::say(format_args!("{levels} levels, {found} faults"));
    if exit == Exit::Done && found > 0 {
        exit = Exit::Failed;
    }
    Ok(exit)
}
