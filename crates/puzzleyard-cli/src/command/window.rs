//! `yard window`: the game, for people and for drivers.

use std::path::Path;

use puzzleyard_desktop::game::Files;
use puzzleyard_desktop::window::{Outcome, WindowOptions, run_window};

use super::host;
use crate::args::WindowArgs;
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::levels;

/// Runs the command. Fails if the window is closed before the level is solved.
pub(crate) fn run(args: &WindowArgs) -> anyhow::Result<Exit> {
    let entry = levels::read_one(&args.level, None)?;
    let level = entry.playable()?;
    let display = host::named_display()?;
    let name = Path::new(&entry.file).file_name();
    let name = name.map_or_else(|| entry.title(), |it| it.to_string_lossy().into_owned());
    let options = WindowOptions {
        display,
        level,
        name,
        files: Files {
            log: args.log.clone(),
            result: args.result.clone(),
        },
        title: args.title.clone(),
        cell: args.cell,
        animate: args.animate,
        exit_after: args.exit_after,
    };
    Ok(match run_window(&options, &stop_on_interrupt()?)? {
        Outcome::ClosedSolved => Exit::Done,
        Outcome::ClosedUnsolved => Exit::Failed,
        Outcome::Interrupted(_) => Exit::Interrupted,
    })
}
