//! What a game writes: a row for each change, and the result.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use puzzleyard_core::Cell;
use puzzleyard_sokoban::model::Step;

use super::GameKey;

/// A log or result that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The log.
    #[error("log {}: {reason}", path.display())]
    Log {
        /// Its file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The result.
    #[error("result {}: {reason}", path.display())]
    Result {
        /// Its file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// One change of the play. The numbers are those after it.
pub(super) struct Row {
    pub(super) key: GameKey,
    pub(super) step: Option<Step>,
    pub(super) player: Cell,
    pub(super) boxes_on_goal: usize,
    pub(super) moves: usize,
    pub(super) pushes: usize,
    pub(super) at: Duration,
}

const HEADER: &str =
    "step,event,key,dir,player_row,player_col,pushed,boxes_on_goal,moves,pushes,ms";

/// A CSV file with a row for each change, in the file system before the next change.
///
/// `step` numbers the rows from 1. `event` is `move`, `undo` or `restart`. `dir` is the step's
/// letter, for an undo that of the step taken back, for a restart nothing. Rows and columns of
/// the player count from 0. `pushed` is 1 if the step pushed a box. `ms` is the time since the
/// start. No field needs quotes.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    rows: usize,
}

impl Log {
    pub(super) fn create(path: &Path) -> Result<Self, RecordError> {
        let fail = |error: io::Error| RecordError::Log {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let mut file = File::create(path).map_err(fail)?;
        writeln!(file, "{HEADER}").map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            rows: 0,
        })
    }

    /// Appends a row, in one write, so that a reader never sees half of it.
    pub(super) fn write(&mut self, row: &Row) -> Result<(), RecordError> {
        let event = match row.key {
            GameKey::Undo => "undo",
            GameKey::Restart => "restart",
            GameKey::Step(_) | GameKey::Quit => "move",
        };
        let line = format!(
            "{},{event},{},{},{},{},{},{},{},{},{}\n",
            self.rows + 1,
            row.key.name(),
            row.step
                .map_or(String::new(), |step| step.way.letter().to_string()),
            row.player.row,
            row.player.col,
            u8::from(event == "move" && row.step.is_some_and(|step| step.push)),
            row.boxes_on_goal,
            row.moves,
            row.pushes,
            row.at.as_millis(),
        );
        self.append(&line).map_err(|error| RecordError::Log {
            path: self.path.clone(),
            reason: error.to_string(),
        })?;
        self.rows += 1;
        Ok(())
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        // A file without a name still takes bytes, but nobody will ever read them.
        if self.file.metadata()?.nlink() == 0 {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the file was removed during the play",
            ));
        }
        self.file.write_all(line.as_bytes())
    }
}

/// Writes the result beside its place and renames it, so that a reader sees all of it or none.
pub(super) fn write_result(path: &Path, result: &serde_json::Value) -> Result<(), RecordError> {
    let write = || -> io::Result<()> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut file = tempfile::Builder::new()
            .prefix(".result-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        serde_json::to_writer_pretty(&mut file, result)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| RecordError::Result {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
