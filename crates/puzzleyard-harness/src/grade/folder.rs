//! A folder that nobody vouches for: bounded, without links that lead out of it.

use std::cell::Cell as Counter;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The most bytes of one file, and of all reads of one grading together.
const MOST_BYTES: u64 = 64 << 20;
const MOST_IN_ALL: u64 = 1 << 30;
/// The most entries of a folder and of all folders below it.
const MOST_ENTRIES: usize = 20_000;

/// A folder of evidence.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Names of regular files at the top, sorted.
    names: Vec<String>,
    /// What else is there, in words.
    pub(super) oddities: Vec<String>,
    left: Counter<u64>,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let mut names = Vec::new();
        let mut oddities = Vec::new();
        for entry in fs::read_dir(&path)?.take(MOST_ENTRIES) {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                oddities.push("a file name that is not UTF-8".into());
                continue;
            };
            let kind = entry.file_type()?;
            if kind.is_file() {
                names.push(name);
            } else if kind.is_symlink() {
                // A link within the folder is a file like another; one that leads out is none.
                match entry.path().canonicalize() {
                    Ok(target) if target.starts_with(&path) && target.is_file() => names.push(name),
                    _ => oddities.push(format!("{name} is a link that leads out of the folder")),
                }
            } else if kind.is_dir() {
                oddities.push(format!("{name} is a folder"));
            } else {
                oddities.push(format!("{name} is no regular file"));
            }
        }
        names.sort();
        oddities.sort();
        Ok(Self {
            path,
            names,
            oddities,
            left: Counter::new(MOST_IN_ALL),
        })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names
            .binary_search_by(|own| own.as_str().cmp(name))
            .is_ok()
    }

    /// The bytes of a file at the top, or why not.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        if !self.has(name) {
            return Err(format!("{name} is missing"));
        }
        self.read_path(&self.path.join(name))
            .map_err(|why| format!("{name}: {why}"))
    }

    /// The text of a file at the top; bytes that are not UTF-8 are left out, as the contract's
    /// grader does.
    pub(super) fn text(&self, name: &str) -> Result<String, String> {
        self.read(name).map(|bytes| text_of(&bytes))
    }

    fn read_path(&self, path: &Path) -> Result<Vec<u8>, String> {
        let file = File::open(path).map_err(|fault| fault.to_string())?;
        let size = file.metadata().map_err(|fault| fault.to_string())?.len();
        if size > MOST_BYTES || size > self.left.get() {
            return Err(format!("{size} bytes are too many"));
        }
        let mut bytes = Vec::new();
        file.take(size + 1)
            .read_to_end(&mut bytes)
            .map_err(|fault| fault.to_string())?;
        self.left
            .set(self.left.get().saturating_sub(bytes.len() as u64));
        Ok(bytes)
    }

    /// The names that match `level_*<end>`, as the shell's pattern does.
    pub(super) fn level_files(&self, end: &str) -> Vec<&str> {
        self.names
            .iter()
            .map(String::as_str)
            .filter(|name| {
                name.strip_prefix("level_")
                    .is_some_and(|rest| rest.ends_with(end))
            })
            .collect()
    }

    /// The texts of all `*.py` in the folder and below it.
    pub(super) fn python_texts(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.path.clone()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                seen += 1;
                if seen > MOST_ENTRIES {
                    return found;
                }
                let path = entry.path();
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file()
                    && path.extension().is_some_and(|end| end == "py")
                    && let Ok(bytes) = self.read_path(&path)
                {
                    let name = path.strip_prefix(&self.path).unwrap_or(&path);
                    found.push((name.display().to_string(), text_of(&bytes)));
                }
            }
        }
        found.sort();
        found
    }
}

/// `bytes` as UTF-8 without those that are not.
pub(super) fn text_of(bytes: &[u8]) -> String {
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}
