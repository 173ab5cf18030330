//! What the tests share: the binary, the folder of public collections, Python, a display.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary, with no display of anybody's.
pub(crate) fn yard() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(binary());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
}

/// Where the binary is.
pub(crate) fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("yard").to_path_buf()
}

/// The top of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of public collections, contracts and the foreign game; `None`, said aloud, if it
/// is not there.
pub(crate) fn data(what: &str) -> Option<PathBuf> {
    let named = std::env::var_os("PUZZLEYARD_DATA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| root().join("../shared"));
    if folder.join("levels").is_dir() {
        return Some(folder);
    }
    not_run("DATA", what, "no level collections (set PUZZLEYARD_DATA)");
    None
}

/// A Python interpreter with pygame, Pillow and NumPy; `None`, said aloud, if there is none.
pub(crate) fn python(what: &str) -> Option<PathBuf> {
    let named = std::env::var_os("PUZZLEYARD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let works = Command::new(&python)
        .args(["-c", "import pygame, PIL, numpy"])
        .output()
        .is_ok_and(|output| output.status.success());
    if works {
        return Some(python);
    }
    not_run(
        "PYTHON",
        what,
        "no Python with pygame, Pillow and NumPy (set PUZZLEYARD_PYTHON)",
    );
    None
}

/// Whether `program` can be started; if not, it is said aloud.
pub(crate) fn has_program(program: &str, what: &str) -> bool {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()));
    if !found {
        not_run("DISPLAY", what, &format!("{program} is not installed"));
    }
    found
}

fn not_run(kind: &str, what: &str, why: &str) {
    assert!(
        std::env::var_os(format!("PUZZLEYARD_REQUIRE_{kind}")).is_none(),
        "{what} could not be run: {why}"
    );
    eprintln!("NOT RUN: {what}: {why}");
}
