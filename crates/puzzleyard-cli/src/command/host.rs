//! Where games run: our window or a foreign program on a display, or the embedded loop.

use std::sync::Arc;

use anyhow::Context as _;
use puzzleyard_desktop::display::{Display, DisplayOptions};
use puzzleyard_desktop::embedded::EmbeddedHost;
use puzzleyard_desktop::x11::X11Host;
use puzzleyard_harness::prove::ProveJob;
use puzzleyard_harness::surface::GameHost;
use puzzleyard_render::window_size;

use super::doctor;
use crate::args::SurfaceArg;
use crate::exit::BadInput;
use crate::stream;

/// Pixels of a square that a display is made large enough for.
const CELL: u32 = 48;

/// The host of `surface`, which runs `game` if one is named, else our own game.
pub(crate) fn start(
    surface: SurfaceArg,
    game: Option<&str>,
    jobs: &[ProveJob],
) -> anyhow::Result<Box<dyn GameHost>> {
    if surface == SurfaceArg::Embedded {
        if game.is_some() {
            let message = "--game needs a window: use --surface x11";
            return Err(BadInput(message.into()).into());
        }
        return Ok(Box::new(EmbeddedHost::default()));
    }
    let sizes = jobs.iter().map(|job| window_size(job.level.area(), CELL));
    let largest = sizes.fold((0, 0), |(width, height), size| {
        (width.max(size.0), height.max(size.1))
    });
    Ok(Box::new(x11(display(largest)?, game)?))
}

/// A host on `display` that runs `game` if one is named, else our own.
pub(crate) fn x11(display: Arc<Display>, game: Option<&str>) -> anyhow::Result<X11Host> {
    Ok(if let Some(game) = game {
        // A shell takes the command apart and appends the arguments, so that quotes, variables
        // and `cd … &&` mean what they mean to whoever typed them.
        let script = format!("{game} \"$@\"");
        let command = ["/bin/sh", "-c", &script, "game"].map(str::to_owned);
        X11Host::new(display, command.into())
    } else {
        let own = std::env::current_exe().context("cannot find this program's own file")?;
        let own = own
            .to_str()
            .context("the path of this program is not UTF-8")?;
        let mut host = X11Host::new(display, vec![own.to_owned(), "window".into()]);
        host.own_game = true;
        host
    })
}

/// The display that the environment names, else a virtual one that is started.
pub(crate) fn display(window: (u32, u32)) -> anyhow::Result<Arc<Display>> {
    let display = Display::open_or_start(&DisplayOptions {
        given: std::env::var("DISPLAY").ok(),
        window,
        ..DisplayOptions::default()
    })?;
    if let Some(note) = display.note() {
        stream::say(note);
    }
    Ok(Arc::new(display))
}

/// The display that the environment names.
pub(crate) fn named_display() -> anyhow::Result<String> {
    std::env::var("DISPLAY")
        .ok()
        .filter(|display| !display.is_empty())
        .context("no display: DISPLAY is not set (start one: Xvfb :9 & export DISPLAY=:9)")
}

/// A window where one can be shown, else the embedded loop.
pub(crate) fn best_surface() -> SurfaceArg {
    let named = std::env::var("DISPLAY").unwrap_or_default();
    let reached = !named.is_empty() && Display::open(&named).is_ok();
    if reached || doctor::program("Xvfb").is_ok() {
        SurfaceArg::X11
    } else {
        SurfaceArg::Embedded
    }
}
