//! Levels named on the command line: `FILE`, or `FILE#N` for one of several.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use puzzleyard_sokoban::format::{self, lurd};
use puzzleyard_sokoban::model::Setup;
use puzzleyard_sokoban::rules::{FaultKind, Level, Waivers};

use crate::exit::BadInput;
use crate::stream;

/// Faults out of the player's reach, which do not spoil the rest.
const SCENERY: [FaultKind; 2] = [FaultKind::BoxUnreachable, FaultKind::GoalUnreachable];

/// The most bytes read of a file; the readers refuse more anyway.
const MOST: u64 = 64 << 20;

/// Whether standard input has been read: there is only one of it.
static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

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
    /// The level's title, or its file's name and its number.
    pub(crate) fn title(&self) -> String {
        self.setup.title.clone().unwrap_or_else(|| self.source())
    }

    /// The file's name and the number, for people.
    pub(crate) fn source(&self) -> String {
        let name = Path::new(&self.file).file_name();
        let name = name.map_or_else(|| self.file.clone(), |it| it.to_string_lossy().into_owned());
        format!("{name}#{}", self.index)
    }

    /// The level as it is played: see [`waivers`].
    pub(crate) fn playable(&self) -> anyhow::Result<Level> {
        self.level(&waivers(&self.setup, &[]))
    }

    /// The level as it is proved: as it is played, and there must be something to do. Says
    /// which scenery is passed over.
    pub(crate) fn provable(&self) -> anyhow::Result<Level> {
        let waivers = Waivers::of(SCENERY);
        let level = self.level(&waivers)?;
        let waived = waived(&self.setup, &waivers);
        if !waived.is_empty() {
            let (source, kinds) = (self.source(), waived.join(", "));
            stream::say(format_args!("{source}: waived: {kinds}"));
        }
        Ok(level)
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
        if STDIN_TAKEN.swap(true, Ordering::Relaxed) {
            return Err(bad("standard input has been read already".into()));
        }
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
        return Err(no_level(&file, number, count));
    }
    Ok(chosen)
}

/// There is no level `number` among the `count` of `file`.
pub(crate) fn no_level(file: &str, number: usize, count: usize) -> anyhow::Error {
    let has = match count {
        1 => "one level, number 1".to_owned(),
        _ => format!("{count} levels, numbers 1 to {count}"),
    };
    BadInput(format!("{file}: found {has}, expected number {number}")).into()
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

/// What is waived when `setup` is solved or played: what `allowed` names, a level that starts
/// solved, and boxes and goals that the player can never reach. The last are scenery only
/// beside something to do: a player locked away from all boxes has not solved anything.
pub(crate) fn waivers(setup: &Setup, allowed: &[FaultKind]) -> Waivers {
    let is_idle = Level::faults(setup)
        .0
        .iter()
        .any(|fault| fault.kind == FaultKind::NothingToDo);
    let base = Waivers::playing();
    Waivers::of(FaultKind::ALL.into_iter().filter(|kind| {
        let by_itself = base.covers(*kind) && !(is_idle && SCENERY.contains(kind));
        by_itself || allowed.contains(kind)
    }))
}

/// The kinds of faults that `setup` has and `waivers` cover.
pub(crate) fn waived(setup: &Setup, waivers: &Waivers) -> Vec<&'static str> {
    let faults = Level::faults(setup).0;
    FaultKind::ALL
        .into_iter()
        .filter(|&kind| waivers.covers(kind) && faults.iter().any(|fault| fault.kind == kind))
        .map(FaultKind::name)
        .collect()
}

/// Reads a kind of fault by name.
pub(crate) fn fault_kind(name: &str) -> Result<FaultKind, String> {
    FaultKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("found {name:?}, expected one of {}", names.join(", "))
    })
}

/// An answer on the command line, in plain letters: LURD text, a file that holds it, or `-`.
pub(crate) fn read_answer(text: &str) -> anyhow::Result<String> {
    let letters = |typed: &str, otherwise: &str| {
        lurd::read(typed)
            .map(|answer| answer.to_string())
            .map_err(|error| BadInput(format!("answer: {error}{otherwise}")).into())
    };
    if text != "-" && !Path::new(text).exists() {
        return letters(text, "; nor is there a file of this name");
    }
    let bytes = read_bytes(text)?;
    // Remarks become empty lines, so that an error counts the lines of the file.
    let lines: Vec<String> = String::from_utf8_lossy(&bytes)
        .lines()
        .map(|line| if line.starts_with('#') { "" } else { line }.to_owned())
        .collect();
    letters(&lines.join("\n"), "")
}
