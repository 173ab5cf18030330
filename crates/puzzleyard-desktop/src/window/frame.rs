//! The X11 side of the window: what it tells the window manager, and pictures onto it.
//!
//! Sources: Inter-Client Communication Conventions Manual 2.0, section 4; Extended Window
//! Manager Hints 1.5.

use puzzleyard_render::Picture;
use x11rb::COPY_DEPTH_FROM_PARENT;
use x11rb::connection::Connection as _;
use x11rb::errors::ConnectionError;
use x11rb::image::PixelLayout;
use x11rb::properties::{WmHints, WmHintsState, WmSizeHints};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask,
    Gcontext, InputFocus, PropMode, Rectangle, Screen, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::WindowError;
use crate::pixels;

x11rb::atom_manager! {
    /// Names that the window uses.
    Atoms: AtomsCookie {
        UTF8_STRING,
        WM_CLIENT_MACHINE,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
    }
}

/// A mapped window of a fixed size.
pub(super) struct Frame<'a> {
    conn: &'a RustConnection,
    root: Window,
    window: Window,
    gc: Gcontext,
    atoms: Atoms,
    depth: u8,
    layout: PixelLayout,
    /// Columns and rows of pixels now: a window manager may insist on its own.
    size: (u16, u16),
    /// Whether there is a window manager to hand out the keyboard.
    managed: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn open(
        conn: &'a RustConnection,
        screen: usize,
        title: &str,
        size: (u16, u16),
        backdrop: [u8; 3],
    ) -> Result<Self, WindowError> {
        let screen: &Screen = &conn.setup().roots[screen];
        let layout =
            pixels::layout(conn.setup(), screen.root_visual).ok_or(WindowError::NoTrueColour)?;
        let channels = backdrop.map(|level| u16::from(level) * 257);
        let frame = Self {
            conn,
            root: screen.root,
            window: conn.generate_id()?,
            gc: conn.generate_id()?,
            atoms: Atoms::new(conn)?.reply()?,
            depth: screen.root_depth,
            layout,
            size,
            managed: conn
                .get_window_attributes(screen.root)?
                .reply()?
                .all_event_masks
                .contains(EventMask::SUBSTRUCTURE_REDIRECT),
        };
        let events = EventMask::KEY_PRESS | EventMask::EXPOSURE | EventMask::STRUCTURE_NOTIFY;
        let colour = layout.encode((channels[0], channels[1], channels[2]));
        let look = CreateWindowAux::new()
            .event_mask(events)
            .background_pixel(colour);
        conn.create_window(
            COPY_DEPTH_FROM_PARENT,
            frame.window,
            screen.root,
            0,
            0,
            size.0,
            size.1,
            0,
            WindowClass::INPUT_OUTPUT,
            screen.root_visual,
            &look,
        )?
        .check()?;
        let gc = CreateGCAux::new().foreground(colour).graphics_exposures(0);
        conn.create_gc(frame.gc, frame.window, &gc)?.check()?;
        frame.introduce(title)?;
        conn.map_window(frame.window)?.check()?;
        Ok(frame)
    }

    /// Sets the properties by which others know the window.
    fn introduce(&self, title: &str) -> Result<(), ConnectionError> {
        let (conn, window, atoms) = (self.conn, self.window, &self.atoms);
        let text = |property, kind, bytes: &[u8]| {
            conn.change_property8(PropMode::REPLACE, window, property, kind, bytes)
                .map(drop)
        };
        let string = u32::from(AtomEnum::STRING);
        // The old property is Latin-1 unless it says otherwise.
        let latin: Option<Vec<u8>> = title
            .chars()
            .map(|letter| u8::try_from(u32::from(letter)).ok())
            .collect();
        match latin {
            Some(bytes) => text(AtomEnum::WM_NAME.into(), string, &bytes)?,
            None => text(
                AtomEnum::WM_NAME.into(),
                atoms.UTF8_STRING,
                title.as_bytes(),
            )?,
        }
        text(atoms._NET_WM_NAME, atoms.UTF8_STRING, title.as_bytes())?;
        text(
            AtomEnum::WM_CLASS.into(),
            string,
            b"puzzleyard\0Puzzleyard\0",
        )?;
        // A process id means nothing without the machine's name.
        let machine = rustix::system::uname().nodename().to_bytes().to_vec();
        text(atoms.WM_CLIENT_MACHINE, string, &machine)?;
        let numbers = |property, kind: AtomEnum, values: &[u32]| {
            conn.change_property32(PropMode::REPLACE, window, property, kind, values)
                .map(drop)
        };
        numbers(atoms._NET_WM_PID, AtomEnum::CARDINAL, &[std::process::id()])?;
        let protocols = [atoms.WM_DELETE_WINDOW, atoms._NET_WM_PING];
        numbers(atoms.WM_PROTOCOLS, AtomEnum::ATOM, &protocols)?;
        let mut hints = WmHints::new();
        hints.input = Some(true);
        hints.initial_state = Some(WmHintsState::Normal);
        hints.set(conn, window)?;
        let size = (i32::from(self.size.0), i32::from(self.size.1));
        let mut bounds = WmSizeHints::new();
        bounds.min_size = Some(size);
        bounds.max_size = Some(size);
        bounds.set_normal_hints(conn, window)?;
        Ok(())
    }

    /// Without a window manager nobody hands out the keyboard, so the window takes it.
    pub(super) fn take_focus_if_unmanaged(&self) -> Result<(), ConnectionError> {
        if !self.managed {
            // Refused if the window went from sight again in the meantime.
            let (keep, now) = (InputFocus::POINTER_ROOT, x11rb::CURRENT_TIME);
            let asked = self.conn.set_input_focus(keep, self.window, now)?;
            asked.ignore_error();
        }
        Ok(())
    }

    /// Notes the window's size. True if it changed.
    pub(super) fn resize(&mut self, width: u16, height: u16) -> bool {
        std::mem::replace(&mut self.size, (width, height)) != (width, height)
    }

    pub(super) fn is_close_request(&self, message: &ClientMessageEvent) -> bool {
        message.format == 32
            && message.type_ == self.atoms.WM_PROTOCOLS
            && message.data.as_data32()[0] == self.atoms.WM_DELETE_WINDOW
    }

    pub(super) fn is_ping(&self, message: &ClientMessageEvent) -> bool {
        message.format == 32
            && message.type_ == self.atoms.WM_PROTOCOLS
            && message.data.as_data32()[0] == self.atoms._NET_WM_PING
    }

    /// Sends a ping back to the root window, which is the answer.
    pub(super) fn answer_ping(&self, ping: &ClientMessageEvent) -> Result<(), ConnectionError> {
        let answer = ClientMessageEvent {
            window: self.root,
            ..*ping
        };
        let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
        self.conn.send_event(false, self.root, mask, answer)?;
        Ok(())
    }

    /// Shows `picture` in the middle of the window, backdrop around it.
    pub(super) fn show(&self, picture: &Picture) -> Result<(), ConnectionError> {
        let (width, height) = (i32::from(self.size.0), i32::from(self.size.1));
        let (columns, rows) = (picture.width() as i32, picture.height() as i32);
        let (x, y) = ((width - columns) / 2, (height - rows) / 2);
        if (width, height) != (columns, rows) {
            let bands = [
                (0, 0, width, y),
                (0, y + rows, width, height - y - rows),
                (0, y, x, rows),
                (x + columns, y, width - x - columns, rows),
            ];
            let bands: Vec<Rectangle> = bands
                .into_iter()
                .filter(|&(_, _, width, height)| width > 0 && height > 0)
                .map(|(x, y, width, height)| Rectangle {
                    x: x as i16,
                    y: y as i16,
                    width: width as u16,
                    height: height as u16,
                })
                .collect();
            self.conn
                .poly_fill_rectangle(self.window, self.gc, &bands)?;
        }
        let image = pixels::encode(self.conn.setup(), self.depth, self.layout, picture)?;
        pixels::put(
            self.conn,
            self.window,
            self.gc,
            (x as i16, y as i16),
            &image,
        )
    }
}
