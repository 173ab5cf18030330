//! `cargo xtask test`: every check and test, in the order of their cost, and a summary that
//! says also what was not run and why.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::bail;

use crate::setup::{self, Setup};

/// How one step ended.
enum Outcome {
    Passed,
    Failed,
    NotRun(String),
}

struct Step {
    name: &'static str,
    seconds: f64,
    outcome: Outcome,
}

/// Runs everything. Fails if a step fails, or if something could not be run while the
/// environment variable `CI` is set.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let setup = setup::prepare(root);
    let data = data(root);
    let mut steps = Vec::new();
    for (name, mut command) in commands(&setup, data.as_deref()) {
        println!("\n== {name}");
        let start = Instant::now();
        let passed = command
            .current_dir(root)
            .status()
            .is_ok_and(|status| status.success());
        steps.push(Step {
            name,
            seconds: start.elapsed().as_secs_f64(),
            outcome: if passed {
                Outcome::Passed
            } else {
                Outcome::Failed
            },
        });
    }
    for what in setup.missing {
        steps.push(not_run("tests that need tools", what));
    }
    if data.is_none() {
        let hint = "set PUZZLEYARD_DATA to a folder with levels/, contracts/ and kit/".into();
        steps.push(not_run("tests on public level collections", hint));
    }
    report(&steps)
}

/// The steps in order, the cheap ones first.
fn commands(setup: &Setup, data: Option<&Path>) -> Vec<(&'static str, Command)> {
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.arg("--document-private-items");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    let mut lints = cargo(&["clippy", "--workspace", "--all-targets", "--quiet"]);
    lints.args(["--", "-D", "warnings"]);
    let mut oracle = Command::new("python3");
    oracle.args([
        "-m",
        "unittest",
        "discover",
        "-s",
        "tools/oracle",
        "-p",
        "test_*.py",
    ]);
    let mut fuzz = cargo(&["check", "--quiet", "--manifest-path", "fuzz/Cargo.toml"]);
    fuzz.args(["--target-dir", "target/fuzz-check"]);
    vec![
        ("format", cargo(&["fmt", "--all", "--check"])),
        ("tidy", cargo(&["xtask", "tidy"])),
        ("lints", lints),
        ("docs", docs),
        ("tests", tests(setup, data)),
        ("oracle", oracle),
        ("fuzz targets build", fuzz),
    ]
}

/// All tests, optimised: the driver is tested against real games, the solver on real
/// collections.
fn tests(setup: &Setup, data: Option<&Path>) -> Command {
    let mut tests = cargo(&["test", "--workspace", "--profile", "checked"]);
    if let Some(python) = &setup.python {
        tests.env("PUZZLEYARD_PYTHON", python);
        tests.env("PUZZLEYARD_REQUIRE_PYTHON", "1");
    }
    if setup.display {
        tests.env("PUZZLEYARD_REQUIRE_DISPLAY", "1");
    }
    if let Some(data) = data {
        tests.env("PUZZLEYARD_DATA", data);
        tests.env("PUZZLEYARD_REQUIRE_DATA", "1");
    }
    // A person's display is not the tests' to type on: they start their own.
    tests.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    tests
}

fn not_run(name: &'static str, why: String) -> Step {
    Step {
        name,
        seconds: 0.0,
        outcome: Outcome::NotRun(why),
    }
}

/// The folder of public collections and contracts: `PUZZLEYARD_DATA`, else `shared` beside the
/// checkout.
fn data(root: &Path) -> Option<PathBuf> {
    let named = std::env::var_os("PUZZLEYARD_DATA").map(PathBuf::from);
    let folder = named.or_else(|| Some(root.parent()?.join("shared")))?;
    folder.join("levels").is_dir().then_some(folder)
}

fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments);
    command
}

fn report(steps: &[Step]) -> anyhow::Result<()> {
    println!("\n== summary");
    let (mut passed, mut failed, mut absent) = (0, 0, 0);
    for step in steps {
        let (word, why) = match &step.outcome {
            Outcome::Passed => {
                passed += 1;
                ("passed", "")
            }
            Outcome::Failed => {
                failed += 1;
                ("FAILED", "")
            }
            Outcome::NotRun(why) => {
                absent += 1;
                ("NOT RUN", why.as_str())
            }
        };
        println!("{word:8} {:7.1} s  {} {why}", step.seconds, step.name);
    }
    println!("{passed} passed, {failed} failed, {absent} skipped");
    if failed > 0 {
        bail!("{failed} steps failed");
    }
    if absent > 0 && std::env::var_os("CI").is_some() {
        bail!("{absent} steps were not run, and CI accepts no gaps");
    }
    Ok(())
}
