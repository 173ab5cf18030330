//! The folder of a run: what was asked for, and a line for each finished rollout.
//!
//! A line is appended by one write and one `fsync`, by one process at a time: the file is
//! locked. A last line that a kill has torn is cut off before anything is appended.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::Usage;
use crate::exit::BadInput;

/// The file that says what the run is.
pub(super) const RUN: &str = "run.json";
/// The file of finished rollouts.
pub(super) const TRANSCRIPTS: &str = "transcripts.jsonl";
/// The file of rollouts that the endpoint has spoiled.
pub(super) const FAILURES: &str = "failures.jsonl";
/// The file of the result.
pub(super) const SUMMARY: &str = "summary.json";
/// The longest line that is read.
const MOST: u64 = 256 << 20;

/// A finished rollout.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// The example's id.
    pub(super) id: String,
    /// The example's number, from 0.
    pub(super) example: u64,
    /// The rollout's number, from 0.
    pub(super) rollout: u32,
    /// The total of the score, as claimed.
    pub(super) reward: f64,
    /// Whether it is solved, as claimed.
    pub(super) solved: bool,
    /// What it cost.
    pub(super) usage: Usage,
    /// The record of the episode.
    pub(super) transcript: Value,
}

/// A rollout that the endpoint has spoiled; a rerun plays it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Spoiled {
    /// The example's number, from 0.
    pub(super) example: u64,
    /// The rollout's number, from 0.
    pub(super) rollout: u32,
    /// Why.
    pub(super) reason: String,
    /// What it cost all the same.
    pub(super) usage: Usage,
}

/// A file of JSON lines that is appended to.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    /// Bytes of a torn last line that were cut off.
    pub(super) mended: u64,
}

impl Journal {
    /// Opens a file for appending, makes it if need be, locks it and mends its end.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.with_context(named)?;
        file.try_lock()
            .map_err(|_| BadInput(format!("{}: another run is writing to it", path.display())))?;
        let mended = mend(&mut file).with_context(named)?;
        Ok(Self { file, mended })
    }

    /// Appends a line and waits until it is on the disk.
    pub(super) fn append(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        Ok(self.file.sync_data()?)
    }
}

/// Cuts off what follows the last line end, and says how much.
fn mend(file: &mut File) -> std::io::Result<u64> {
    let length = file.metadata()?.len();
    let mut end = length;
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length {
        file.set_len(end)?;
        file.sync_data()?;
    }
    Ok(length - end)
}

/// Calls `take` with the number and the row of every whole line. A torn last line is left out.
/// A file that does not exist has none.
pub(super) fn rows<T: serde::de::DeserializeOwned>(
    path: &Path,
    mut take: impl FnMut(u64, T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        file => file.with_context(|| path.display().to_string())?,
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.by_ref().take(MOST).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            if line.len() as u64 == MOST {
                return Err(bad(path, number, "a line of 256 MiB or more"));
            }
            return Ok(());
        }
        let row =
            serde_json::from_slice(&line).map_err(|error| bad(path, number, &error.to_string()))?;
        take(number, row)?;
    }
    Ok(())
}

fn bad(path: &Path, number: u64, why: &str) -> anyhow::Error {
    BadInput(format!("{}: line {number}: {why}", path.display())).into()
}

/// Writes a JSON file whole or not at all.
pub(super) fn write_whole(path: &Path, value: &Value) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&mut file, value)?;
    file.write_all(b"\n")?;
    file.as_file().sync_data()?;
    file.persist(path)?;
    Ok(())
}

/// The description of a run in a folder; `None` if there is none.
pub(super) fn described(folder: &Path) -> anyhow::Result<Option<BTreeMap<String, Value>>> {
    let path = folder.join(RUN);
    let text = match fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| path.display().to_string())?,
    };
    let read = serde_json::from_slice(&text);
    Ok(Some(read.map_err(|error| {
        BadInput(format!("{}: {error}", path.display()))
    })?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Journal, rows};

    #[test]
    fn a_torn_last_line_is_cut_off_at_any_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let whole = format!("{}\n{}\n", "1".repeat(5000), "[2]");
        for length in 0..=whole.len() {
            if length > 60 && length < 4940 && length % 97 != 0 {
                continue;
            }
            fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            let kept = whole[..length].rfind('\n').map_or(0, |at| at + 1);
            assert_eq!(journal.mended, (length - kept) as u64);
            journal.append(&[3]).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(text, format!("{}[3]\n", &whole[..kept]));
        }
    }

    #[test]
    fn one_process_writes_and_faults_name_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let first = Journal::open(&path).unwrap();
        assert!(Journal::open(&path).is_err());
        drop(first);
        fs::write(&path, "[1]\n{\n[2]\n").unwrap();
        let error = rows(&path, |_, _: Vec<u8>| Ok(())).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
