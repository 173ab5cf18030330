//! Plays the one level of a file in a window, as `yard window` does, for tests of this crate.
//!
//! `play --display :0 --level FILE [--log FILE] [--result FILE] [--title TEXT] [--cell N]
//! [--animate] [--exit-after MS]`. Ends with 0 when closed after the level was solved, with 3
//! when closed before, with 1 or 2 when something failed. Without `--display` it takes the one
//! of the environment.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use puzzleyard_core::Stop;
use puzzleyard_desktop::game::{Files, read_level};
use puzzleyard_desktop::window::{Outcome, WindowOptions, run_window};

fn main() -> ExitCode {
    match play() {
        Ok(Outcome::ClosedSolved) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(3),
        #[expect(clippy::print_stderr, reason = "a program's way to say why it ends")]
        Err(error) => {
            eprintln!("play: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<Outcome, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut display = std::env::var("DISPLAY").unwrap_or_default();
    let (mut level, mut title) = (PathBuf::new(), "Sokoban".to_owned());
    let (mut cell, mut animate, mut exit_after) = (None, false, None);
    let mut files = Files::default();
    while let Some(name) = arguments.next() {
        if name == "--animate" {
            animate = true;
            continue;
        }
        let value = arguments.next().ok_or("a flag lacks its value")?;
        match name.as_str() {
            "--display" => display = value,
            "--level" => level = value.into(),
            "--log" => files.log = Some(value.into()),
            "--result" => files.result = Some(value.into()),
            "--title" => title = value,
            "--cell" => cell = Some(value.parse()?),
            "--exit-after" => exit_after = Some(Duration::from_millis(value.parse()?)),
            other => return Err(format!("unknown flag {other}").into()),
        }
    }
    let (level, name) = read_level(Path::new(&level))?;
    let options = WindowOptions {
        display,
        level,
        name,
        files,
        title,
        cell,
        animate,
        exit_after,
    };
    Ok(run_window(&options, &Stop::new())?)
}
