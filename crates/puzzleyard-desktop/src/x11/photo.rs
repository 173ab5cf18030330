//! The picture of a window's contents.

use std::thread::sleep;
use std::time::Duration;

use puzzleyard_harness::surface::SurfaceFault;
use puzzleyard_render::Picture;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::image::Image;
use x11rb::protocol::composite::{self, ConnectionExt as _, Redirect};
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt as _, Drawable, Window};

use super::Trouble;
use super::desktop::{Desktop, Place};
use crate::pixels;

/// How long a window may take to be moved or to draw itself anew.
const PATIENCE: Duration = Duration::from_millis(300);

/// Takes pictures of one window.
#[derive(Debug, Default)]
pub(super) struct Camera {
    /// The window that the server keeps whole for us, also off the screen.
    redirected: Option<Window>,
}

impl Camera {
    /// The contents of `window` as shown now. A window that hangs over the screen's edge is
    /// moved onto it first; one larger than the screen is kept whole by the server from its
    /// first picture on.
    pub(super) fn take(&mut self, desktop: &Desktop, window: Window) -> Result<Picture, Trouble> {
        let mut place = desktop.place(window)?;
        if self.redirected != Some(window) && !place.is_within(desktop.screen) {
            if place.width > desktop.screen.width || place.height > desktop.screen.height {
                self.redirect(desktop, window)?;
            } else {
                place = move_onto_screen(desktop, window, place)?;
            }
        }
        if self.redirected == Some(window) {
            let pixmap = desktop.conn.generate_id().map_err(Trouble::from)?;
            desktop
                .conn
                .composite_name_window_pixmap(window, pixmap)?
                .check()?;
            let picture = read(desktop, window, pixmap, place);
            desktop.conn.free_pixmap(pixmap)?;
            return picture;
        }
        read(desktop, window, window, place)
    }

    /// Has the server keep `window` whole from now on, whatever covers it.
    pub(super) fn keep_whole(&mut self, desktop: &Desktop, window: Window) -> Result<(), Trouble> {
        if self.redirected == Some(window) {
            return Ok(());
        }
        self.redirect(desktop, window)
    }

    fn redirect(&mut self, desktop: &Desktop, window: Window) -> Result<(), Trouble> {
        let conn = &desktop.conn;
        if conn
            .extension_information(composite::X11_EXTENSION_NAME)?
            .is_none()
        {
            return Err(SurfaceFault::Display(
                "the window is covered or larger than the screen and the server lacks the \
                 Composite extension, so no picture of all of it can be taken"
                    .into(),
            )
            .into());
        }
        conn.composite_query_version(0, 4)?.reply()?;
        conn.composite_redirect_window(window, Redirect::AUTOMATIC)?
            .check()?;
        self.redirected = Some(window);
        // What was off the screen was never drawn.
        conn.clear_area(true, window, 0, 0, 0, 0)?;
        conn.flush()?;
        sleep(PATIENCE);
        Ok(())
    }
}

/// Moves a window so that all of it can be seen. Says where it is then.
fn move_onto_screen(desktop: &Desktop, window: Window, from: Place) -> Result<Place, Trouble> {
    let line = desktop.line(window)?;
    let top = line[line.len() - 1];
    let (conn, frame) = (&desktop.conn, desktop.conn.get_geometry(top)?.reply()?);
    // The least shift of the contents along an axis that brings them onto the screen.
    let shift =
        |at: i32, size: u32, screen: u32| at.clamp(0, (screen as i32 - size as i32).max(0)) - at;
    let to = ConfigureWindowAux::new()
        .x(i32::from(frame.x) + shift(from.x, from.width, desktop.screen.width))
        .y(i32::from(frame.y) + shift(from.y, from.height, desktop.screen.height));
    // A request for the client is the window manager's to grant; the frame can be moved by
    // anybody.
    for target in [window, top] {
        conn.configure_window(target, &to)?.ignore_error();
        conn.flush()?;
        for _ in 0..10 {
            let place = desktop.place(window)?;
            if place.is_within(desktop.screen) {
                return Ok(place);
            }
            sleep(PATIENCE / 10);
        }
    }
    Err(SurfaceFault::Display(format!(
        "the window hangs over the edge of the screen at {}x{}+{}+{} and cannot be moved",
        from.width, from.height, from.x, from.y
    ))
    .into())
}

/// Reads the contents of `window` from itself or from the pixmap that holds it, in which its
/// border comes first.
fn read(
    desktop: &Desktop,
    window: Window,
    source: Drawable,
    place: Place,
) -> Result<Picture, Trouble> {
    let (width, height) = (place.width as u16, place.height as u16);
    let conn = &desktop.conn;
    let corner = if source == window {
        0
    } else {
        conn.get_geometry(window)?.reply()?.border_width as i16
    };
    let (image, _) = Image::get(conn, source, corner, corner, width, height)?;
    let visual = conn.get_window_attributes(window)?.reply()?.visual;
    let layout = pixels::layout(conn.setup(), visual).ok_or_else(|| {
        SurfaceFault::Display(format!(
            "the window has a palette at depth {}, expected true colours",
            image.depth()
        ))
    })?;
    Ok(pixels::decode(&image, layout))
}
