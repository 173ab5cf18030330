//! Levels named on the command line: `FILE`, or `FILE#N` for one of several.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::model::Setup;
use puzzleyard_sokoban::rules::{FaultKind, Level, Waivers};

use crate::exit::BadInput;

/// The most bytes read of a file; the readers refuse more anyway.
const MOST: u64 = 64 << 20;

/// A level of a file, as typed.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The file as named.
    pub(crate) file: String,
    /// Which level of it, from 1.
    pub(crate) index: usize,
    /// The level.
    pub(crate) setup: Setup,
}

impl Entry {
    /// The level's title, or its number.
    pub(crate) fn title(&self) -> String {
        self.setup
            .title
            .clone()
            .unwrap_or_else(|| format!("level {}", self.index))
    }

    /// The file's name and the number, for people.
    pub(crate) fn source(&self) -> String {
        let name = Path::new(&self.file).file_name();
        let name = name.map_or_else(|| self.file.clone(), |it| it.to_string_lossy().into_owned());
        format!("{name}#{}", self.index)
    }

    /// The legal level.
    pub(crate) fn level(&self, waivers: &Waivers) -> anyhow::Result<Level> {
        Level::from_setup(&self.setup, waivers).map_err(|faults| {
            let lines: Vec<String> = faults.0.iter().map(|fault| format!("  {fault}")).collect();
            let message = format!(
                "{}, level {} (line {}) is not legal:\n{}",
                self.file,
                self.index,
                self.setup.first_line,
                lines.join("\n")
            );
            BadInput(message).into()
        })
    }
}

/// Reads a file, or standard input for `-`, whole.
pub(crate) fn read_bytes(file: &str) -> anyhow::Result<Vec<u8>> {
    let bad = |why: String| anyhow::Error::from(BadInput(format!("{file}: {why}")));
    let mut bytes = Vec::new();
    let source: Box<dyn std::io::Read> = if file == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(file).map_err(|error| bad(error.to_string()))?)
    };
    source
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| bad(error.to_string()))?;
    if bytes.len() as u64 > MOST {
        return Err(bad("larger than 64 MiB".into()));
    }
    Ok(bytes)
}

/// All levels of `name`, which is `FILE` or `FILE#N`.
pub(crate) fn read(name: &str) -> anyhow::Result<Vec<Entry>> {
    let (file, number) = match name.rsplit_once('#') {
        Some((file, number)) if !Path::new(name).exists() => match number.parse() {
            Ok(number) => (file, Some(number)),
            Err(_) => (name, None),
        },
        _ => (name, None),
    };
    let bytes = read_bytes(file)?;
    let collection = format::read(&bytes).map_err(|error| BadInput(format!("{file}: {error}")))?;
    let mut entries: Vec<Entry> = collection
        .setups
        .into_iter()
        .enumerate()
        .map(|(at, setup)| Entry {
            file: file.to_owned(),
            index: at + 1,
            setup,
        })
        .collect();
    if let Some(number) = number {
        entries = choose(entries, number)?;
    }
    Ok(entries)
}

/// The level `number` of `entries`, from 1.
pub(crate) fn choose(entries: Vec<Entry>, number: usize) -> anyhow::Result<Vec<Entry>> {
    let (file, count) = (
        entries.first().map(|entry| entry.file.clone()),
        entries.len(),
    );
    let chosen: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| entry.index == number)
        .collect();
    if chosen.is_empty() {
        let file = file.unwrap_or_default();
        return Err(BadInput(format!(
            "{file}: found {count} levels, expected number {number}"
        ))
        .into());
    }
    Ok(chosen)
}

/// The only level of `name`, or number `number` of it.
pub(crate) fn read_one(name: &str, number: Option<usize>) -> anyhow::Result<Entry> {
    let mut entries = read(name)?;
    if let Some(number) = number {
        entries = choose(entries, number)?;
    }
    if entries.len() != 1 {
        return Err(BadInput(format!(
            "{name}: found {} levels, expected one: choose with --level N or {name}#N",
            entries.len()
        ))
        .into());
    }
    entries.pop().context("one entry")
}

/// The waivers of `--allow`, on top of `base`.
pub(crate) fn waivers(base: &Waivers, allowed: &[FaultKind]) -> Waivers {
    let kinds = FaultKind::ALL.into_iter();
    Waivers::of(kinds.filter(|kind| base.covers(*kind) || allowed.contains(kind)))
}

/// Reads a kind of fault by name.
pub(crate) fn fault_kind(name: &str) -> Result<FaultKind, String> {
    FaultKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("found {name:?}, expected one of {}", names.join(", "))
    })
}

/// An answer on the command line: LURD text, a file that holds it, or `-`.
pub(crate) fn read_answer(text: &str) -> anyhow::Result<String> {
    let is_file = text == "-" || PathBuf::from(text).is_file();
    if !is_file {
        return Ok(text.to_owned());
    }
    let bytes = read_bytes(text)?;
    let text = String::from_utf8_lossy(&bytes);
    // Lines that begin with `#` are comments, as in `level_K_solution.txt`.
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
