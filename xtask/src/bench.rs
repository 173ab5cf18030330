//! `cargo xtask bench`: the measured suites, printed in the form that `bench-runs/` keeps.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Collections of the solver's suite, below the data folder, with the objective measured.
const SUITES: [(&str, &str); 2] = [
    ("levels/suite/Microban_155.xsb", "pushes"),
    ("levels/suite/Microban_155.xsb", "moves"),
];

/// Solves each suite with 10 s and 4 GiB a level on one thread and prints the rows.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let data = std::env::var_os("PUZZLEYARD_DATA")
        .map_or_else(|| root.parent().unwrap_or(root).join("shared"), Into::into);
    for (suite, objective) in SUITES {
        let file = data.join(suite);
        if !file.is_file() {
            bail!("{} is not there: set PUZZLEYARD_DATA", file.display());
        }
        println!("== {suite}, objective {objective}, 10 s and 4 GiB a level");
        let status = Command::new("cargo")
            .args([
                "run",
                "--release",
                "--quiet",
                "-p",
                "puzzleyard-sokoban",
                "--example",
                "suite",
                "--",
            ])
            .arg(&file)
            .args(["--objective", objective, "--time", "10", "--memory", "4GiB"])
            .current_dir(root)
            .status()
            .context("cannot run the suite")?;
        if !status.success() {
            bail!("the suite failed");
        }
    }
    Ok(())
}
