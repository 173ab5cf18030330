//! The one level of a file.

use std::fs;
use std::path::{Path, PathBuf};

use puzzleyard_sokoban::format::{self, FormatError};
use puzzleyard_sokoban::rules::{Faults, Level, Waivers};

/// A file that holds no level to play.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelFileError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not in any format of levels.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: FormatError,
    },
    /// It does not hold exactly one level.
    #[error("{}: found {found} levels, expected one", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// How many it holds.
        found: usize,
    },
    /// Its level is not legal.
    #[error("{}: {source}", path.display())]
    Illegal {
        /// The file.
        path: PathBuf,
        /// All that is wrong.
        source: Faults,
    },
}

/// Reads the one level of the file at `path`, with the file's name.
///
/// # Errors
/// The file cannot be read, or does not hold exactly one legal level.
pub fn read_level(path: &Path) -> Result<(Level, String), LevelFileError> {
    let path = path.to_owned();
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(LevelFileError::Unreadable { path, source }),
    };
    let collection = match format::read(&bytes) {
        Ok(collection) => collection,
        Err(source) => return Err(LevelFileError::Format { path, source }),
    };
    let [setup] = &collection.setups[..] else {
        let found = collection.setups.len();
        return Err(LevelFileError::Count { path, found });
    };
    match Level::from_setup(setup, &Waivers::playing()) {
        Ok(level) => {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            Ok((level, name))
        }
        Err(source) => Err(LevelFileError::Illegal { path, source }),
    }
}
