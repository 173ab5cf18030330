//! A folder that nobody vouches for: bounded, without links that lead out of it.

use std::cell::Cell as Counter;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use puzzleyard_render::{Picture, png};

/// The most bytes of one file by the end of its name, of others, and of all reads of one
/// grading together. A JSON value takes some fifteen times its text in memory.
const MOST_BYTES_OF: [(&str, u64); 4] = [
    (".json", 8 << 20),
    (".png", 64 << 20),
    (".gif", 64 << 20),
    (".html", 64 << 20),
];
const MOST_BYTES: u64 = 16 << 20;
const MOST_IN_ALL: u64 = 1 << 30;
/// The most entries of a folder and of all folders below it.
const MOST_ENTRIES: usize = 20_000;
/// The most pixels of one picture, and of all that are decoded in one grading. No screen has
/// more than the first; the second is some thirty seconds' work.
const MOST_PIXELS: u64 = 36_000_000;
const MOST_PIXELS_IN_ALL: u64 = 3_000_000_000;

/// A folder of evidence.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Names of regular files at the top, sorted.
    names: Vec<String>,
    /// What else is there, in words.
    pub(super) oddities: Vec<String>,
    left: Counter<u64>,
    pixels_left: Counter<u64>,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let mut names = Vec::new();
        let mut oddities = Vec::new();
        for (nth, entry) in fs::read_dir(&path)?.enumerate() {
            let entry = entry?;
            if nth == MOST_ENTRIES {
                oddities.push(format!("there are more than {MOST_ENTRIES} files"));
                break;
            }
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
            pixels_left: Counter::new(MOST_PIXELS_IN_ALL),
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

    /// The width and height that a PNG at the top claims.
    pub(super) fn picture_size(&self, name: &str) -> Result<(u32, u32), String> {
        claimed_size(&self.read(name)?).ok_or_else(|| format!("{name}: not a readable PNG"))
    }

    /// The picture of a PNG at the top. What it claims to hold is bounded before it is decoded.
    pub(super) fn picture(&self, name: &str) -> Result<Picture, String> {
        let bytes = self.read(name)?;
        let (width, height) =
            claimed_size(&bytes).ok_or_else(|| format!("{name}: not a readable PNG"))?;
        let pixels = u64::from(width) * u64::from(height);
        if pixels > MOST_PIXELS {
            return Err(format!(
                "{name}: {width} x {height} pixels, expected at most {MOST_PIXELS} pixels"
            ));
        }
        let left = self.pixels_left.get().checked_sub(pixels);
        let left = left.ok_or_else(|| format!("{name}: the pictures have too many pixels"))?;
        self.pixels_left.set(left);
        png::decode(&bytes).map_err(|fault| format!("{name}: {fault}"))
    }

    fn read_path(&self, path: &Path) -> Result<Vec<u8>, String> {
        let file = File::open(path).map_err(|fault| fault.to_string())?;
        let size = file.metadata().map_err(|fault| fault.to_string())?.len();
        let name = path.to_string_lossy();
        let most = MOST_BYTES_OF
            .iter()
            .find(|(end, _)| name.ends_with(end))
            .map_or(MOST_BYTES, |(_, most)| *most);
        if size > most || size > self.left.get() {
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

/// Width and height of a PNG's first chunk (ISO/IEC 15948, 11.2.2).
fn claimed_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| -> Option<u32> {
        let digits = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes(digits.try_into().ok()?))
    };
    bytes
        .starts_with(b"\x89PNG\r\n\x1a\n")
        .then(|| number(16).zip(number(20)))?
}
