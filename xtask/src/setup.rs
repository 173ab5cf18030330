//! What the tests need beside Rust: found, or installed with a word about it.
//!
//! Debian packages come by `apt-get` when this runs as root or `sudo -n` works; Python packages
//! go into a virtual environment below `target/`. Nothing else of the machine is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What was found or made.
pub(crate) struct Setup {
    /// A Python interpreter with the packages of [`PYTHON`], if one could be had.
    pub(crate) python: Option<PathBuf>,
    /// Whether `Xvfb` and `openbox` are there.
    pub(crate) display: bool,
    /// What is missing and how to get it.
    pub(crate) missing: Vec<String>,
}

/// Program to the Debian package that brings it.
const DEBIAN: [(&str, &str); 2] = [("Xvfb", "xvfb"), ("openbox", "openbox")];

/// Python packages: the foreign game's, and those of the first contract's grader.
const PYTHON: [&str; 3] = ["pygame>=2.5,<3", "pillow>=10,<13", "numpy>=1.26,<3"];

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
    Setup {
        python,
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
