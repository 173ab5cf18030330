//! The rules of the house, checked. What is allowed stands in `ARCHITECTURE.md`; this reads it
//! there, so that the map and the check cannot drift apart.

mod arrow;
mod map;
mod source;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use walkdir::WalkDir;

use map::Map;

/// One breach: where, and what is wrong.
pub(crate) struct Breach {
    pub(crate) place: String,
    pub(crate) what: String,
}

/// A Rust source file of a workspace crate.
pub(crate) struct Source {
    /// The crate's name.
    pub(crate) package: String,
    /// The path below the checkout.
    pub(crate) path: PathBuf,
    /// The path below the crate's folder (`src/rules/level.rs`).
    pub(crate) inner: PathBuf,
    /// The text.
    pub(crate) text: String,
}

impl Source {
    /// Whether the file holds the crate itself, not tests, benches or examples.
    pub(crate) fn is_product(&self) -> bool {
        self.inner.starts_with("src") && !self.inner.ends_with("tests.rs")
    }
}

/// Checks everything and lists all breaches.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md"))
        .context("cannot read ARCHITECTURE.md")?;
    let map = Map::parse(&text)?;
    let sources = sources(root)?;
    let mut breaches = arrow::crates(root, &map)?;
    breaches.extend(arrow::modules(&sources, &map)?);
    breaches.extend(source::check(&sources, &map)?);
    breaches.extend(source::links(root)?);
    for breach in &breaches {
        println!("{}: {}", breach.place, breach.what);
    }
    if !breaches.is_empty() {
        bail!("tidy: {} breaches", breaches.len());
    }
    println!(
        "tidy: {} files of {} crates are in order",
        sources.len(),
        map.crates.len()
    );
    Ok(())
}

fn sources(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("xtask")];
    for entry in std::fs::read_dir(root.join("crates"))? {
        folders.push(entry?.path());
    }
    folders.sort();
    for folder in folders {
        let package = folder
            .file_name()
            .context("crate folder without a name")?
            .to_string_lossy()
            .into_owned();
        for entry in WalkDir::new(&folder).sort_by_file_name() {
            let entry = entry?;
            if entry.path().extension().is_some_and(|end| end == "rs") {
                found.push(Source {
                    package: package.clone(),
                    path: entry.path().strip_prefix(root)?.to_path_buf(),
                    inner: entry.path().strip_prefix(&folder)?.to_path_buf(),
                    text: std::fs::read_to_string(entry.path())?,
                });
            }
        }
    }
    Ok(found)
}
