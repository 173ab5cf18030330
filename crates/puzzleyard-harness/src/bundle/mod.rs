//! The folder of evidence: names, forms, and how it is written.
//!
//! `docs/evidence.md` describes every file. Files are written whole or not at all: first under
//! another name, then renamed. [`Manifest`] names every other file with its hash.

mod account;
mod manifest;
mod summary;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use puzzleyard_core::ContentId;
use puzzleyard_render::{Picture, png};

pub use self::account::{
    dict_rows, moves_csv, needs_no_change, normalised_moves, normalised_result, solution, verify,
};
pub use self::manifest::{FileEntry, GameEntry, LevelEntry, Manifest, PlayEntry, SurfaceEntry};
pub use self::summary::summary;
use crate::drive::PictureKind;

/// The version of the bundle's form, `format` in `manifest.json`.
pub const FORMAT: u32 = 1;

/// The contract counts a smaller picture as a placeholder.
pub const LEAST_PNG_BYTES: usize = 5 * 1024;

/// Why a bundle cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// The folder holds something already.
    #[error("{0} is not empty; choose another folder or allow overwriting")]
    NotEmpty(PathBuf),
    /// The file system refused.
    #[error("{path}: {cause}")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
}

impl BundleError {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        |cause| Self::Io {
            path: path.to_path_buf(),
            cause,
        }
    }
}

/// The name of a picture of level `level`.
pub fn picture_name(level: usize, kind: PictureKind) -> String {
    match kind {
        PictureKind::Initial => format!("level_{level}_initial.png"),
        PictureKind::Step(step) => format!("level_{level}_step_{step}.png"),
        PictureKind::Final => format!("level_{level}_final.png"),
    }
}

/// The level and the rest of a name `level_K<rest>`, such as `_final.png`.
pub fn parse_name(name: &str) -> Option<(usize, &str)> {
    let rest = name.strip_prefix("level_")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let level = rest[..digits].parse().ok()?;
    Some((level, &rest[digits..]))
}

/// Whether a bundle may hold a file of this name.
pub fn is_bundle_name(name: &str) -> bool {
    const WHOLE: [&str; 5] = [
        "manifest.json",
        "report.html",
        "solver.py",
        "summary.md",
        "window_ids.log",
    ];
    const ENDS: [&str; 11] = [
        ".xsb",
        "_events.jsonl",
        "_final.png",
        "_game_log.txt",
        "_game_result.json",
        "_initial.png",
        "_moves.csv",
        "_play.gif",
        "_result.json",
        "_solution.txt",
        "_verify.json",
    ];
    if WHOLE.contains(&name) {
        return true;
    }
    parse_name(name).is_some_and(|(_, rest)| ENDS.contains(&rest) || step_of(rest).is_some())
}

/// The number in `_step_N.png`.
pub(crate) fn step_of(rest: &str) -> Option<usize> {
    rest.strip_prefix("_step_")?
        .strip_suffix(".png")?
        .parse()
        .ok()
}

/// The PNG of `picture`, compressed if that leaves [`LEAST_PNG_BYTES`], never padded. A tiny
/// picture stays below even without compression. Pictures are taken during the play, so the
/// quick way of compressing is taken.
pub fn encode(picture: &Picture) -> Vec<u8> {
    let bytes = png::encode(picture, png::Effort::Fast);
    if bytes.len() >= LEAST_PNG_BYTES {
        return bytes;
    }
    png::encode(picture, png::Effort::Stored)
}

/// Writes a bundle's files and remembers their hashes.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    files: BTreeMap<String, FileEntry>,
}

impl Writer {
    /// A writer to `folder`, which is made if it is absent. With `force` it may hold files:
    /// those with names of a bundle are removed, others stay.
    ///
    /// # Errors
    /// The folder is not empty, or the file system refuses.
    pub fn create(folder: &Path, force: bool) -> Result<Self, BundleError> {
        fs::create_dir_all(folder).map_err(BundleError::io(folder))?;
        for entry in fs::read_dir(folder).map_err(BundleError::io(folder))? {
            let entry = entry.map_err(BundleError::io(folder))?;
            if !force {
                return Err(BundleError::NotEmpty(folder.to_path_buf()));
            }
            let name = entry.file_name();
            if name.to_str().is_some_and(is_bundle_name) {
                let path = entry.path();
                fs::remove_file(&path).map_err(BundleError::io(&path))?;
            }
        }
        Ok(Self {
            folder: folder.to_path_buf(),
            files: BTreeMap::new(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files written so far by name, without the manifest.
    pub fn files(&self) -> &BTreeMap<String, FileEntry> {
        &self.files
    }

    /// Writes a file, in place of an older one of that name.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), BundleError> {
        let path = self.folder.join(name);
        let draft = self.folder.join(format!(".{name}.part"));
        let write = || -> std::io::Result<()> {
            let mut file = fs::File::create(&draft)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        };
        write().map_err(BundleError::io(&path))?;
        if name != "manifest.json" {
            let entry = FileEntry {
                sha256: ContentId::of(bytes).to_string(),
                bytes: bytes.len() as u64,
            };
            self.files.insert(name.to_owned(), entry);
        }
        Ok(())
    }

    /// Writes the manifest with the hashes of all files so far.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn seal(&mut self, manifest: &Manifest) -> Result<(), BundleError> {
        let mut manifest = manifest.clone();
        manifest.files.clone_from(&self.files);
        self.put("manifest.json", manifest.text().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_render::{Picture, png};

    use super::{BundleError, LEAST_PNG_BYTES, Writer, encode, is_bundle_name, parse_name};

    #[test]
    fn names() {
        let rows = [
            ("level_1_final.png", true),
            ("level_12_step_204.png", true),
            ("level_1.xsb", true),
            ("manifest.json", true),
            ("level_1_step_x.png", false),
            ("level__final.png", false),
            ("notes.txt", false),
            (".play", false),
        ];
        for (name, is_one) in rows {
            assert_eq!(is_bundle_name(name), is_one, "{name}");
        }
        assert_eq!(parse_name("level_12_moves.csv"), Some((12, "_moves.csv")));
    }

    #[test]
    fn pictures_are_large_enough_without_padding() {
        let plain = Picture::filled(480, 360, [200, 100, 50]);
        let bytes = encode(&plain);
        assert!(bytes.len() >= LEAST_PNG_BYTES);
        assert_eq!(png::decode(&bytes).unwrap(), plain);
        assert!(encode(&Picture::filled(8, 8, [0; 3])).len() < LEAST_PNG_BYTES);
    }

    #[test]
    fn a_folder_with_files_is_left_alone_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::create(folder.path(), false).unwrap();
        writer.put("level_1.xsb", b"#").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let refused = Writer::create(folder.path(), false);
        assert!(matches!(refused, Err(BundleError::NotEmpty(_))));
        Writer::create(folder.path(), true).unwrap();
        assert!(!folder.path().join("level_1.xsb").exists());
        assert!(folder.path().join("notes.txt").exists());
    }
}
