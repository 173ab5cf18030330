//! `cargo xtask fuzz`: runs every fuzz target for some seconds.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Runs the targets one after another; fails at the first that finds something.
pub(crate) fn run(root: &Path, seconds: u32, only: Option<&str>) -> anyhow::Result<()> {
    let mut targets: Vec<String> = std::fs::read_dir(root.join("fuzz/fuzz_targets"))?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some(path.file_stem()?.to_string_lossy().into_owned())
        })
        .filter(|name| only.is_none_or(|only| only == name))
        .collect();
    targets.sort();
    if targets.is_empty() {
        bail!("no such fuzz target");
    }
    for target in targets {
        println!("== {target}, {seconds} s");
        // Without a sanitizer the targets build on the stable toolchain. The coverage
        // instrumentation needs the bootstrap switch.
        let status = Command::new("cargo")
            .args(["fuzz", "run", "--sanitizer", "none", &target, "--"])
            .arg(format!("-max_total_time={seconds}"))
            .current_dir(root)
            .env("RUSTC_BOOTSTRAP", "1")
            .status()
            .context("cannot run cargo-fuzz (get it: cargo install cargo-fuzz)")?;
        if !status.success() {
            bail!("fuzz target {target} found something");
        }
    }
    Ok(())
}
