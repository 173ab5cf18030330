//! What the tests need beside Rust: found, or installed with a word about it.
//!
//! Debian packages come by `apt-get` when this runs as root or `sudo -n` works; Python packages
//! and caches go below `target/`. Nothing else of the machine is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What was found or made.
pub(crate) struct Setup {
    /// A Python interpreter with the packages of [`PYTHON`], if one could be had.
    pub(crate) python: Option<PathBuf>,
    /// The virtual environment with [`TOOLS`], if one could be had.
    pub(crate) tools: Option<PathBuf>,
    /// One virtual environment for each of [`VERIFIERS`] that could be had.
    pub(crate) verifiers: Vec<Verifiers>,
    /// Whether `Xvfb` and `openbox` are there.
    pub(crate) display: bool,
    /// What is missing and how to get it.
    pub(crate) missing: Vec<String>,
}

/// Program to the Debian package that brings it.
const DEBIAN: [(&str, &str); 2] = [("Xvfb", "xvfb"), ("openbox", "openbox")];

/// Python packages: the foreign game's, and those of the first contract's grader.
const PYTHON: [&str; 3] = ["pygame>=2.5,<3", "pillow>=10,<13", "numpy>=1.26,<3"];

/// What builds and checks the Python package.
const TOOLS: [&str; 3] = ["uv>=0.13,<1", "maturin>=1.16,<2", "ruff==0.17.5"];

/// What every environment of a `verifiers` version has besides.
const CHECKERS: [&str; 3] = ["pytest==9.2.0", "mypy==2.4.1", "hatchling>=1.27,<2"];

/// Versions of `verifiers`: both ends of the range of the older interface, then the newer one;
/// with the folder of tests and the packages below `environments/`.
const VERIFIERS: [(&str, &str, [&str; 2]); 3] = [
    ("0.1.14", "environments", ["sudoku", "sokoban"]),
    ("0.3.1", "environments", ["sudoku", "sokoban"]),
    ("0.4.0", "tasksets", ["sudoku_v1", "sokoban_v1"]),
];

/// A virtual environment with a version of `verifiers`.
pub(crate) struct Verifiers {
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// The version.
    pub(crate) version: &'static str,
    /// The folder below `python/tests` with the tests for it.
    pub(crate) tests: &'static str,
    /// The packages below `environments/` that it takes.
    pub(crate) packages: [&'static str; 2],
}

/// Looks, installs what is missing, and says what it did.
pub(crate) fn prepare(root: &Path) -> Setup {
    let mut missing = Vec::new();
    let absent: Vec<&str> = DEBIAN
        .iter()
        .filter(|(program, _)| !on_path(program))
        .map(|&(_, package)| package)
        .collect();
    if !absent.is_empty() {
        println!("setup: installing Debian packages: {}", absent.join(" "));
        if !install(&absent) {
            missing.push(format!(
                "{} (get them: apt-get install {})",
                absent.join(", "),
                absent.join(" ")
            ));
        }
    }
    let python = environment(root);
    if python.is_none() {
        missing.push(format!(
            "Python packages {} (get them: python3 -m venv, then pip install)",
            PYTHON.join(", ")
        ));
    }
    let tools = tools(root);
    let verifiers: Vec<Verifiers> = VERIFIERS
        .into_iter()
        .filter_map(|(version, tests, packages)| {
            let folder = verifiers(root, tools.as_deref()?, version);
            if folder.is_none() {
                missing.push(format!("verifiers {version} for Python 3.11 or later"));
            }
            Some(Verifiers {
                folder: folder?,
                version,
                tests,
                packages,
            })
        })
        .collect();
    if tools.is_none() {
        missing.push(format!("Python tools {}", TOOLS.join(", ")));
    }
    Setup {
        python,
        tools,
        verifiers,
        display: DEBIAN.iter().all(|(program, _)| on_path(program)),
        missing,
    }
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn install(packages: &[&str]) -> bool {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    let apt = |arguments: &[&str]| {
        let mut command = if root {
            Command::new("apt-get")
        } else {
            let mut command = Command::new("sudo");
            command.args(["-n", "apt-get"]);
            command
        };
        succeeds(
            command
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .stdout(Stdio::null()),
        )
    };
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments) || (apt(&["update", "-qq"]) && apt(&arguments))
}

/// `uv` of the tools' environment, with its cache below `target/`.
pub(crate) fn uv(root: &Path, tools: &Path) -> Command {
    let mut uv = Command::new(tools.join("bin/uv"));
    uv.env("UV_CACHE_DIR", cache(root));
    uv
}

/// The cache of `uv`.
pub(crate) fn cache(root: &Path) -> PathBuf {
    root.join("target/python/uv-cache")
}

/// The environment with [`TOOLS`], made if it is not there or lacks one.
fn tools(root: &Path) -> Option<PathBuf> {
    let folder = root.join("target/python/tools");
    let works = || {
        ["uv", "maturin", "ruff"].iter().all(|tool| {
            succeeds(
                Command::new(folder.join("bin").join(tool))
                    .arg("--version")
                    .stdout(Stdio::null())
                    .stderr(Stdio::null()),
            )
        })
    };
    if works() {
        return Some(folder);
    }
    println!(
        "setup: making target/python/tools with {}",
        TOOLS.join(", ")
    );
    let made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && succeeds(
            Command::new(folder.join("bin/python"))
                .args(["-m", "pip", "install", "--quiet"])
                .arg("--disable-pip-version-check")
                .args(TOOLS),
        );
    (made && works()).then_some(folder)
}

/// The environment with a version of `verifiers`, made if it is not there or lacks a package.
fn verifiers(root: &Path, tools: &Path, version: &str) -> Option<PathBuf> {
    let folder = root.join("target/python").join(version);
    let works = || {
        let check = format!(
            "from importlib.metadata import version\n\
             import pytest, mypy, hatchling\n\
             assert version('verifiers') == '{version}'"
        );
        succeeds(
            Command::new(folder.join("bin/python"))
                .args(["-c", &check])
                .stderr(Stdio::null()),
        )
    };
    if works() {
        return Some(folder);
    }
    println!("setup: making target/python/{version} with verifiers {version}");
    let mut venv = uv(root, tools);
    venv.args(["venv", "--quiet", "--clear", "--python", "python3"])
        .arg(&folder);
    let mut install = uv(root, tools);
    install
        .args(["pip", "install", "--quiet", "--compile-bytecode"])
        .arg("--python")
        .arg(folder.join("bin/python"))
        .arg(format!("verifiers=={version}"))
        .args(CHECKERS);
    let made = succeeds(&mut venv) && succeeds(&mut install);
    (made && works()).then_some(folder)
}

/// The interpreter of the virtual environment, made if it is not there or lacks a package.
fn environment(root: &Path) -> Option<PathBuf> {
    let folder = root.join("target/test-python");
    let python = folder.join("bin/python");
    let works = || {
        succeeds(
            Command::new(&python)
                .args(["-c", "import pygame, PIL, numpy"])
                .env("PYGAME_HIDE_SUPPORT_PROMPT", "1")
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        )
    };
    if works() {
        return Some(python);
    }
    println!(
        "setup: making a Python environment in target/test-python with {}",
        PYTHON.join(", ")
    );
    let made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && succeeds(
            Command::new(&python)
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(PYTHON),
        );
    (made && works()).then_some(python)
}
