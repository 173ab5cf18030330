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
    name: String,
    seconds: f64,
    outcome: Outcome,
}

/// Runs everything. Fails if a step fails, or if something could not be run while the
/// environment variable `CI` is set.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let setup = setup::prepare(root);
    let data = data(root);
    let mut steps = Vec::new();
    for (name, command) in commands(&setup, data.as_deref()) {
        perform(&mut steps, root, name, command);
    }
    python(&mut steps, root, &setup);
    for what in setup.missing {
        steps.push(not_run("tests that need tools", what));
    }
    if data.is_none() {
        let hint = "set PUZZLEYARD_DATA to a folder with levels/, contracts/ and kit/".into();
        steps.push(not_run("tests on public level collections", hint));
    }
    report(&steps)
}

/// Runs a step in the checkout, if it names no other folder, and notes how it ended.
fn perform(steps: &mut Vec<Step>, root: &Path, name: impl Into<String>, mut command: Command) {
    let name = name.into();
    println!("\n== {name}");
    let start = Instant::now();
    if command.get_current_dir().is_none() {
        command.current_dir(root);
    }
    let passed = command.status().is_ok_and(|status| status.success());
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

/// The Python package and the packages for `verifiers`: looks, types, tests.
fn python(steps: &mut Vec<Step>, root: &Path, setup: &Setup) {
    let Some(tools) = &setup.tools else {
        return;
    };
    for (name, action) in [
        ("python format", &["format", "--check"][..]),
        ("python lints", &["check"]),
    ] {
        let mut ruff = Command::new(tools.join("bin/ruff"));
        ruff.args(action)
            .args(["--quiet", "--no-cache", "--config"]);
        ruff.args(["python/pyproject.toml", "python", "environments"]);
        perform(steps, root, name, ruff);
    }
    let wheels = root.join("target/python/wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut build = Command::new(tools.join("bin/maturin"));
    build.current_dir(root.join("python"));
    build.args(["build", "--quiet", "--profile", "checked", "--out"]);
    build.arg(&wheels);
    perform(steps, root, "python wheel", build);
    let Some(wheel) = only_file(&wheels) else {
        return;
    };
    for one in &setup.verifiers {
        let mut install = setup::uv(root, tools);
        install.args(["pip", "install", "--quiet", "--no-deps", "--no-sources"]);
        install.args(["--no-build-isolation", "--reinstall", "--python"]);
        install.arg(one.folder.join("bin/python")).arg(&wheel);
        install.args(one.packages.map(|name| format!("./environments/{name}")));
        perform(
            steps,
            root,
            format!("python packages for verifiers {}", one.version),
            install,
        );
    }
    types(steps, root, setup);
    for one in &setup.verifiers {
        let mut tests = Command::new(one.folder.join("bin/python"));
        tests.args(["-m", "pytest", "-p", "no:cacheprovider", "-q"]);
        tests.args(["--config-file", "python/pyproject.toml"]);
        tests.arg("python/tests/binding");
        tests.arg(format!("python/tests/{}", one.tests));
        tests.env("PUZZLEYARD_UV", tools.join("bin/uv"));
        tests.env("UV_CACHE_DIR", setup::cache(root));
        tests.env("PYTHONDONTWRITEBYTECODE", "1");
        perform(
            steps,
            root,
            format!("python tests with verifiers {}", one.version),
            tests,
        );
    }
}

/// Types of the package and of each interface's packages. The stub is compared with the built
/// module by the package's own tests.
fn types(steps: &mut Vec<Step>, root: &Path, setup: &Setup) {
    for one in &setup.verifiers {
        let mut mypy = Command::new(one.folder.join("bin/python"));
        mypy.args(["-m", "mypy", "--config-file", "python/pyproject.toml"]);
        mypy.args(["--cache-dir", "target/python/mypy"]);
        mypy.arg("python/puzzleyard");
        for name in one.packages {
            mypy.arg(format!("environments/{name}/{name}.py"));
        }
        perform(
            steps,
            root,
            format!("python types with verifiers {}", one.version),
            mypy,
        );
    }
}

/// The path of the one file in a folder.
fn only_file(folder: &Path) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let first = files.next()?.path();
    files.next().is_none().then_some(first)
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

fn not_run(name: &str, why: String) -> Step {
    Step {
        name: name.to_owned(),
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
