//! Checks of a bundle as a whole: its manifest, its windows, its solver, and whether one game
//! wrote all its files.

use std::collections::BTreeSet;

use puzzleyard_core::ContentId;
use serde_json::Value;

use super::folder::Folder;
use super::python;
use super::strict::Finding::{self, Failed, NotChecked, Passed};
use super::strict::events;
use crate::bundle::{self, Manifest};
use crate::event::What;

/// The most faults of a manifest that are told one by one.
const MOST_FAULTS: usize = 20;

/// Whether the files are those that the manifest names, and no others.
pub(super) fn manifest_check(folder: &Folder, manifest: &Result<Manifest, String>) -> Finding {
    let manifest = match manifest {
        Ok(manifest) => manifest,
        Err(why) if folder.has("manifest.json") => return Failed(why.clone()),
        // Taking the manifest away must not turn one of our bundles into a stranger's.
        Err(why) if has_our_files(folder) => {
            return Failed(format!(
                "{why}, but other files are of a bundle that has one"
            ));
        }
        Err(why) => return NotChecked(why.clone()),
    };
    let mut faults = folder.oddities.clone();
    if manifest.format != bundle::FORMAT {
        faults.push(format!(
            "format {}, expected {}",
            manifest.format,
            bundle::FORMAT
        ));
    }
    if !manifest.complete {
        faults.push("it says itself that it is not complete".into());
    }
    let mut seen = BTreeSet::new();
    for entry in &manifest.levels {
        if !seen.insert(entry.level) {
            faults.push(format!("level {} is listed twice", entry.level));
        }
    }
    faults.extend(file_faults(folder, manifest));
    if faults.is_empty() {
        Passed(format!(
            "all {} files have the listed hashes",
            manifest.files.len()
        ))
    } else {
        let more = faults.len().saturating_sub(MOST_FAULTS);
        faults.truncate(MOST_FAULTS);
        if more > 0 {
            faults.push(format!("and {more} more"));
        }
        Failed(faults.join("; "))
    }
}

/// Whether each level has at least two lines of window ids, and the event logs name those ids.
pub(super) fn window_ids(folder: &Folder, manifest: &Result<Manifest, String>) -> Finding {
    let Ok(manifest) = manifest else {
        return NotChecked("there is no manifest, and the contract leaves the form open".into());
    };
    let text = match folder.text("window_ids.log") {
        Ok(text) => text,
        Err(why) => return Failed(why),
    };
    for entry in manifest.levels.iter().filter(|entry| entry.proved) {
        let mark = format!("level={} ", entry.level);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with(&mark))
            .collect();
        if lines.len() < 2 {
            return Failed(format!(
                "level {} has {} lines, expected 2",
                entry.level,
                lines.len()
            ));
        }
        let kind = format!(" kind={} ", manifest.surface.kind);
        if !lines.iter().all(|line| line.contains(&kind)) {
            return Failed(format!(
                "level {}: the surface is not the manifest's",
                entry.level
            ));
        }
        if let Err(why) = window_fits(folder, entry.level, &manifest.surface.kind, &lines) {
            return Failed(format!("level {}: {why}", entry.level));
        }
        let started = events(folder, entry.level).ok().and_then(|events| {
            events.into_iter().find_map(|event| match event.what {
                What::Started { id, surface, .. } => Some((id, surface)),
                _ => None,
            })
        });
        if let Some((id, surface)) = started {
            let id = format!(" id={id} ");
            if surface != manifest.surface.kind || !lines.iter().any(|line| line.contains(&id)) {
                return Failed(format!(
                    "level {}: its event log names another window",
                    entry.level
                ));
            }
        }
    }
    Passed("each proved level names its window at start and end".into())
}

/// Files that are not as listed, and files that are not listed.
fn file_faults(folder: &Folder, manifest: &Manifest) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, entry) in &manifest.files {
        if !bundle::is_bundle_name(name) {
            faults.push(format!("{name} is no name of a bundle's file"));
        }
        match folder.read(name) {
            Err(why) => faults.push(why),
            Ok(bytes) => {
                let is_same = bytes.len() as u64 == entry.bytes
                    && ContentId::of(&bytes).to_string() == entry.sha256;
                if !is_same {
                    faults.push(format!("{name} is not the file whose hash is listed"));
                }
            }
        }
    }
    for name in folder.names() {
        if name != "manifest.json" && !manifest.files.contains_key(name) {
            faults.push(format!("{name} is not listed"));
        }
    }
    faults
}

/// Whether the folder holds files that only bundles with a manifest have.
fn has_our_files(folder: &Folder) -> bool {
    ["_events.jsonl", "_play.gif"]
        .iter()
        .any(|end| !folder.level_files(end).is_empty())
}

/// Whether a level's lines speak of a window of this kind and of the size of its pictures.
fn window_fits(folder: &Folder, level: usize, kind: &str, lines: &[&str]) -> Result<(), String> {
    let field = |line: &str, name: &str| -> Option<String> {
        let (_, rest) = line.split_once(&format!(" {name}="))?;
        Some(rest.split(' ').next()?.to_owned())
    };
    for line in lines {
        let id = field(line, "id").unwrap_or_default();
        let display = field(line, "display").unwrap_or_default();
        let is_hex = id.strip_prefix("0x").is_some_and(|digits| {
            !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit())
        });
        if (kind == "x11") != (is_hex && display.contains(':')) {
            return Err(format!("{id} on {display} is no window of kind {kind}"));
        }
    }
    let (width, height) = folder.picture_size(&format!("level_{level}_initial.png"))?;
    let size = format!("{width}x{height}+");
    let is_seen = lines
        .iter()
        .filter_map(|line| field(line, "geometry"))
        .any(|geometry| geometry.starts_with(&size));
    if is_seen {
        Ok(())
    } else {
        Err(format!(
            "no line has the size of the pictures, {width} x {height}"
        ))
    }
}

/// Whether `solver.py` can be what found the answers: Python that defines functions, imports
/// the standard library only, and loads nothing in a roundabout way.
pub(super) fn solver(folder: &Folder) -> Finding {
    match folder
        .text("solver.py")
        .and_then(|text| python::audit(&text))
    {
        Ok(()) => Passed("it defines functions and imports the standard library only".into()),
        Err(why) => Failed(format!("solver.py: {why}")),
    }
}

/// Whether logs and results are of one form in all levels that the manifest calls proved, as
/// those of one game are.
pub(super) fn game(folder: &Folder, manifest: &Result<Manifest, String>) -> Finding {
    let Ok(manifest) = manifest else {
        return NotChecked("there is no manifest".into());
    };
    let mut first: Option<(usize, String, BTreeSet<String>)> = None;
    for entry in manifest.levels.iter().filter(|entry| entry.proved) {
        let k = entry.level;
        let log = folder.text(&format!("level_{k}_moves.csv"));
        let result = folder.read(&format!("level_{k}_result.json"));
        let (Ok(log), Ok(result)) = (log, result) else {
            return Failed(format!("level {k}: its log or result cannot be read"));
        };
        let header = log.lines().next().unwrap_or("").trim().to_owned();
        // A log without a header begins with a step, which is no game's form.
        let header = if header.chars().any(|letter| letter.is_ascii_digit()) {
            String::new()
        } else {
            header
        };
        let fields = match serde_json::from_slice(&result) {
            Ok(Value::Object(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
            _ => BTreeSet::new(),
        };
        let Some((other, its_header, its_fields)) = &first else {
            first = Some((k, header, fields));
            continue;
        };
        if header != *its_header {
            return Failed(format!(
                "the logs of levels {other} and {k} are of two forms"
            ));
        }
        if fields != *its_fields {
            return Failed(format!(
                "the results of levels {other} and {k} are of two forms"
            ));
        }
    }
    Passed("logs and results are of one form in all levels".into())
}
