//! What a display says about its windows: names, owners, frames, stacking, window managers.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use puzzleyard_harness::surface::SurfaceFault;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::shape::{self, ConnectionExt as _, SK};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, GetPropertyReply, MapState,
    PropMode, Rectangle, Timestamp, Window, WindowClass,
};
use x11rb::protocol::xtest;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::process::Process;

x11rb::atom_manager! {
    /// Names that the driver reads or sends.
    pub(super) Atoms: AtomsCookie {
        UTF8_STRING,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_STATE,
        WM_TAKE_FOCUS,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DIALOG,
        _NET_WM_WINDOW_TYPE_NORMAL,
    }
}

/// A window manager's word for a window that is an icon (ICCCM 4.1.3.1).
pub(super) const ICONIC: u32 = 3;
/// The longest property that is read, in words of four bytes.
const LONGEST: u32 = 4096;
/// Windows that cover no more than this many pixels cover nothing.
const SPECK: i64 = 16;
/// How deep below a frame the client window is looked for.
const DEPTH: usize = 3;

/// A rectangle on the screen, or of a screen's size: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Place {
    /// Pixels that both have.
    pub(super) fn overlap(self, other: Self) -> i64 {
        let span = |a: i32, a_size: u32, b: i32, b_size: u32| {
            let end = (i64::from(a) + i64::from(a_size)).min(i64::from(b) + i64::from(b_size));
            (end - i64::from(a.max(b))).max(0)
        };
        span(self.x, self.width, other.x, other.width)
            * span(self.y, self.height, other.y, other.height)
    }

    /// The pixel in its middle.
    pub(super) fn middle(self) -> (i16, i16) {
        let middle = |at: i32, size: u32| (i64::from(at) + i64::from(size / 2)) as i16;
        (middle(self.x, self.width), middle(self.y, self.height))
    }

    /// The part of it that lies in `other`.
    fn within(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let end = |a: i32, a_size: u32, b: i32, b_size: u32| {
            (i64::from(a) + i64::from(a_size)).min(i64::from(b) + i64::from(b_size))
        };
        let right = end(self.x, self.width, other.x, other.width);
        let bottom = end(self.y, self.height, other.y, other.height);
        Self {
            x,
            y,
            width: (right - i64::from(x)).max(0) as u32,
            height: (bottom - i64::from(y)).max(0) as u32,
        }
    }

    /// Whether all of it lies in `other`.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.overlap(other) == i64::from(self.width) * i64::from(self.height)
    }
}

/// A connection to a display, and what of it never changes.
#[derive(Debug)]
pub(super) struct Desktop {
    pub(super) conn: RustConnection,
    pub(super) atoms: Atoms,
    pub(super) root: Window,
    pub(super) screen: Place,
    /// The display's name.
    pub(super) name: String,
    has_res: bool,
    has_shape: bool,
    /// A window of our own, never shown, for asking the time.
    scratch: Window,
    /// Events that came while others were waited for.
    inbox: RefCell<VecDeque<Event>>,
}

impl Desktop {
    /// Connects to the display `name`.
    pub(super) fn open(name: &str) -> Result<Self, SurfaceFault> {
        let refuse = |why: &dyn std::fmt::Display| SurfaceFault::Display(format!("{name}: {why}"));
        let (conn, screen) = RustConnection::connect(Some(name)).map_err(|error| refuse(&error))?;
        let has = |extension: &'static str| {
            conn.extension_information(extension)
                .map(|found| found.is_some())
                .map_err(|error| refuse(&error))
        };
        if !has(xtest::X11_EXTENSION_NAME)? {
            return Err(refuse(
                &"the server lacks the XTEST extension, so no key can be sent",
            ));
        }
        let (has_res, has_shape) = (
            has(res::X11_EXTENSION_NAME)?,
            has(shape::X11_EXTENSION_NAME)?,
        );
        let atoms = Atoms::new(&conn).map_err(|error| refuse(&error))?;
        let atoms = atoms.reply().map_err(|error| refuse(&error))?;
        let root = &conn.setup().roots[screen];
        let screen = Place {
            x: 0,
            y: 0,
            width: root.width_in_pixels.into(),
            height: root.height_in_pixels.into(),
        };
        let root = root.root;
        let scratch = make_scratch(&conn, root).map_err(|error| refuse(&error))?;
        Ok(Self {
            conn,
            atoms,
            root,
            screen,
            name: name.to_owned(),
            has_res,
            has_shape,
            scratch,
            inbox: RefCell::default(),
        })
    }

    /// The oldest event that has arrived and was not waited for.
    pub(super) fn next_event(&self) -> Result<Option<Event>, ConnectionError> {
        match self.inbox.borrow_mut().pop_front() {
            Some(event) => Ok(Some(event)),
            None => self.conn.poll_for_event(),
        }
    }

    /// Waits for an event, at most `patience`. Others are kept for [`Desktop::next_event`].
    pub(super) fn wait_for(
        &self,
        patience: Duration,
        is_wanted: impl Fn(&Event) -> bool,
    ) -> Result<Option<Event>, ConnectionError> {
        let deadline = Instant::now() + patience;
        self.conn.flush()?;
        loop {
            while let Some(event) = self.conn.poll_for_event()? {
                if is_wanted(&event) {
                    return Ok(Some(event));
                }
                self.inbox.borrow_mut().push_back(event);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            wait_for_input(&self.conn, left)?;
        }
    }

    /// The server's time now, in milliseconds, by the way of the ICCCM (2.1): the notice of a
    /// change of nothing to a property bears it.
    pub(super) fn time(&self) -> Result<Timestamp, ConnectionError> {
        let (kind, nothing) = (AtomEnum::STRING, b"");
        self.conn.change_property8(
            PropMode::APPEND,
            self.scratch,
            AtomEnum::WM_NAME,
            kind,
            nothing,
        )?;
        let notice = self.wait_for(
            Duration::from_secs(1),
            |event| matches!(event, Event::PropertyNotify(notice) if notice.window == self.scratch),
        )?;
        Ok(match notice {
            Some(Event::PropertyNotify(notice)) => notice.time,
            _ => x11rb::CURRENT_TIME,
        })
    }

    fn property(&self, window: Window, property: Atom) -> Result<GetPropertyReply, ReplyError> {
        let any = AtomEnum::ANY;
        self.conn
            .get_property(false, window, property, any, 0, LONGEST)?
            .reply()
    }

    fn numbers(&self, window: Window, property: Atom) -> Result<Vec<u32>, ReplyError> {
        let found = self.property(window, property)?;
        Ok(found.value32().map(Iterator::collect).unwrap_or_default())
    }

    /// The title as the window bears it now; empty without one.
    pub(super) fn title(&self, window: Window) -> Result<String, ReplyError> {
        let modern = self.property(window, self.atoms._NET_WM_NAME)?;
        if !modern.value.is_empty() {
            return Ok(String::from_utf8_lossy(&modern.value).into_owned());
        }
        let old = self.property(window, AtomEnum::WM_NAME.into())?;
        Ok(if old.type_ == self.atoms.UTF8_STRING {
            String::from_utf8_lossy(&old.value).into_owned()
        } else {
            old.value.iter().map(|&byte| char::from(byte)).collect()
        })
    }

    /// The second of the two strings of the window's class.
    pub(super) fn class(&self, window: Window) -> Result<Option<String>, ReplyError> {
        let found = self.property(window, AtomEnum::WM_CLASS.into())?;
        let class = found.value.split(|&byte| byte == 0).nth(1);
        Ok(class
            .filter(|class| !class.is_empty())
            .map(|class| String::from_utf8_lossy(class).into_owned()))
    }

    /// The processes that may own the window: what the server knows, then what it claims.
    pub(super) fn owners(&self, window: Window) -> Result<Vec<u32>, ReplyError> {
        let mut owners = Vec::new();
        if self.has_res {
            let mask = ClientIdMask::LOCAL_CLIENT_PID;
            let spec = ClientIdSpec {
                client: window,
                mask,
            };
            // Servers older than version 1.2 of the extension refuse this; then the claim counts.
            if let Ok(reply) = self.conn.res_query_client_ids(&[spec])?.reply() {
                owners.extend(reply.ids.iter().flat_map(|id| &id.value));
            }
        }
        owners.extend(self.numbers(window, self.atoms._NET_WM_PID)?);
        owners.dedup();
        Ok(owners)
    }

    /// What the window manager says of the window's state, if it manages it.
    pub(super) fn state(&self, window: Window) -> Result<Option<u32>, ReplyError> {
        let found = self.numbers(window, self.atoms.WM_STATE)?;
        Ok(found.first().copied())
    }

    /// Whether the window takes part in a protocol of the window manager.
    pub(super) fn speaks(&self, window: Window, protocol: Atom) -> Result<bool, ReplyError> {
        Ok(self
            .numbers(window, self.atoms.WM_PROTOCOLS)?
            .contains(&protocol))
    }

    /// Whether the window says that it is something else than a program's main window.
    pub(super) fn is_minor(&self, window: Window) -> Result<bool, ReplyError> {
        let kinds = self.numbers(window, self.atoms._NET_WM_WINDOW_TYPE)?;
        let main = [
            self.atoms._NET_WM_WINDOW_TYPE_NORMAL,
            self.atoms._NET_WM_WINDOW_TYPE_DIALOG,
        ];
        Ok(!kinds.is_empty() && !kinds.iter().any(|kind| main.contains(kind)))
    }

    /// Whether the window manager takes requests by the extended hints.
    pub(super) fn has_modern_manager(&self) -> Result<bool, ReplyError> {
        Ok(manager_name(&self.conn, self.root)?.is_some())
    }

    pub(super) fn is_viewable(&self, window: Window) -> Result<bool, ReplyError> {
        let found = self.conn.get_window_attributes(window)?.reply()?;
        Ok(found.map_state == MapState::VIEWABLE)
    }

    /// Where the window's contents are on the screen.
    pub(super) fn place(&self, window: Window) -> Result<Place, ReplyError> {
        let size = self.conn.get_geometry(window)?;
        let corner = self
            .conn
            .translate_coordinates(window, self.root, 0, 0)?
            .reply()?;
        let size = size.reply()?;
        Ok(Place {
            x: corner.dst_x.into(),
            y: corner.dst_y.into(),
            width: size.width.into(),
            height: size.height.into(),
        })
    }

    /// The window and its ancestors, up to the child of the root.
    pub(super) fn line(&self, window: Window) -> Result<Vec<Window>, ReplyError> {
        let mut line = vec![window];
        loop {
            let at = line[line.len() - 1];
            let parent = self.conn.query_tree(at)?.reply()?.parent;
            if parent == self.root || parent == x11rb::NONE {
                return Ok(line);
            }
            line.push(parent);
        }
    }

    /// Whether both windows were made by one connection to the server.
    pub(super) fn same_client(&self, one: Window, other: Window) -> bool {
        let mask = !self.conn.setup().resource_id_mask;
        one & mask == other & mask
    }

    /// The windows that programs show, from the bottom of the stack to the top: below each
    /// child of the root the one that the window manager knows, or the child itself.
    pub(super) fn clients(&self) -> Result<Vec<Window>, ReplyError> {
        let mut clients = Vec::new();
        for child in self.conn.query_tree(self.root)?.reply()?.children {
            // A window may go while the list is read.
            if let Ok(found) = self.managed_below(child, DEPTH) {
                clients.push(found.unwrap_or(child));
            }
        }
        for listed in self.numbers(self.root, self.atoms._NET_CLIENT_LIST)? {
            if !clients.contains(&listed) {
                clients.push(listed);
            }
        }
        Ok(clients)
    }

    fn managed_below(&self, window: Window, depth: usize) -> Result<Option<Window>, ReplyError> {
        if self.state(window)?.is_some() {
            return Ok(Some(window));
        }
        if depth > 0 {
            for child in self.conn.query_tree(window)?.reply()?.children {
                if let Some(found) = self.managed_below(child, depth - 1)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The window that hides part of `window`, in words, or `None`.
    ///
    /// What counts: windows that are shown, above it in the stack and overlap it. At the level
    /// of the screen those are everybody's; below a frame only the program's own, as the rest
    /// is the window manager's decoration.
    pub(super) fn coverer(&self, window: Window) -> Result<Option<String>, ReplyError> {
        let coverers = self.coverers(window)?;
        Ok(coverers.first().map(|&other| self.describe(other)))
    }

    /// Whether all windows that hide part of `window` belong to its own program.
    pub(super) fn covers_itself(
        &self,
        window: Window,
        process: Option<&Process>,
    ) -> Result<bool, ReplyError> {
        let is_own = |other: Window| {
            let inner = self.managed_below(other, DEPTH).ok().flatten();
            let other = inner.unwrap_or(other);
            let owners = self.owners(other).unwrap_or_default();
            self.same_client(other, window)
                || process.is_some_and(|game| owners.iter().any(|&pid| game.is_kin(pid)))
        };
        Ok(self.coverers(window)?.into_iter().all(is_own))
    }

    fn coverers(&self, window: Window) -> Result<Vec<Window>, ReplyError> {
        // What is off the screen cannot be hidden.
        let place = self.place(window)?.within(self.screen);
        let line = self.line(window)?;
        let mut found = Vec::new();
        for (at, &member) in line.iter().enumerate() {
            let parent = line.get(at + 1).copied().unwrap_or(self.root);
            let siblings = self.conn.query_tree(parent)?.reply()?.children;
            let above = siblings
                .iter()
                .skip_while(|&&sibling| sibling != member)
                .skip(1);
            for &other in above {
                let counts = parent == self.root || self.same_client(other, window);
                // A window that has just gone covers nothing.
                if counts && self.hides(other, place).unwrap_or(false) {
                    found.push(other);
                }
            }
        }
        Ok(found)
    }

    fn hides(&self, other: Window, place: Place) -> Result<bool, ReplyError> {
        let attributes = self.conn.get_window_attributes(other)?;
        let geometry = self.conn.get_geometry(other)?;
        let corner = self.conn.translate_coordinates(other, self.root, 0, 0)?;
        let (attributes, geometry, corner) =
            (attributes.reply()?, geometry.reply()?, corner.reply()?);
        if attributes.map_state != MapState::VIEWABLE
            || attributes.class != WindowClass::INPUT_OUTPUT
        {
            return Ok(false);
        }
        let border = i32::from(geometry.border_width);
        let (x, y) = (i32::from(corner.dst_x), i32::from(corner.dst_y));
        let whole = Place {
            x: x - border,
            y: y - border,
            width: u32::from(geometry.width) + 2 * border as u32,
            height: u32::from(geometry.height) + 2 * border as u32,
        };
        if whole.overlap(place) <= SPECK {
            return Ok(false);
        }
        if !self.has_shape {
            return Ok(true);
        }
        // A compositor's own sheet of glass: all over the screen, and clicks go through it.
        let input = self.conn.shape_get_rectangles(other, SK::INPUT)?.reply()?;
        if input.rectangles.is_empty() && self.screen.is_within(whole) {
            return Ok(false);
        }
        let shape = self
            .conn
            .shape_get_rectangles(other, SK::BOUNDING)?
            .reply()?;
        let part = |part: &Rectangle| Place {
            x: x + i32::from(part.x),
            y: y + i32::from(part.y),
            width: part.width.into(),
            height: part.height.into(),
        };
        let hidden: i64 = shape
            .rectangles
            .iter()
            .map(|rectangle| part(rectangle).overlap(place))
            .sum();
        Ok(hidden > SPECK)
    }

    /// The window in words, for messages.
    fn describe(&self, top: Window) -> String {
        let window = self.managed_below(top, DEPTH).ok().flatten().unwrap_or(top);
        let mut words = format!("window {window:#x}");
        if let Ok(title) = self.title(window)
            && !title.is_empty()
        {
            words = format!("{words} \"{title}\"");
        }
        if let Some(pid) = self.owners(window).unwrap_or_default().first() {
            words = format!("{words} of process {pid}");
        }
        if let Ok(place) = self.place(window) {
            let Place {
                x,
                y,
                width,
                height,
            } = place;
            words = format!("{words} at {width}x{height}+{x}+{y}");
        }
        words
    }
}

fn make_scratch(conn: &RustConnection, root: Window) -> Result<Window, ReplyOrIdError> {
    let window = conn.generate_id()?;
    let look = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    let kind = WindowClass::INPUT_ONLY;
    conn.create_window(0, window, root, -10, -10, 1, 1, 0, kind, 0, &look)?
        .check()?;
    Ok(window)
}

/// Waits until the server has sent something, at most `time`. Signals end the wait early.
pub(crate) fn wait_for_input(conn: &RustConnection, time: Duration) -> io::Result<()> {
    let stream = conn.stream().as_fd();
    let time = Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(&mut [PollFd::new(&stream, PollFlags::IN)], Some(&time)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The name of the window manager that follows the extended hints, or `None`.
///
/// # Errors
/// The connection broke.
pub(crate) fn manager_name(
    conn: &RustConnection,
    root: Window,
) -> Result<Option<String>, ReplyError> {
    let atoms = Atoms::new(conn)?.reply()?;
    let read = |window, property| {
        conn.get_property(false, window, property, AtomEnum::ANY, 0, LONGEST)?
            .reply()
    };
    let check = |window| -> Result<Option<Window>, ReplyError> {
        let found = read(window, atoms._NET_SUPPORTING_WM_CHECK)?;
        Ok(found.value32().and_then(|mut values| values.next()))
    };
    let Some(window) = check(root)? else {
        return Ok(None);
    };
    // The property outlives its manager; the window that it names does not.
    if check(window).ok().flatten() != Some(window) {
        return Ok(None);
    }
    let name = read(window, atoms._NET_WM_NAME)?.value;
    Ok(Some(String::from_utf8_lossy(&name).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn overlaps_count_common_pixels() {
        let place = |x, y, width, height| Place {
            x,
            y,
            width,
            height,
        };
        let board = place(10, 20, 100, 50);
        for (other, pixels) in [
            (board, 5000),
            (place(0, 0, 10, 100), 0),
            (place(-5, -5, 16, 26), 1),
            (place(50, 30, 10, 10), 100),
            (place(110, 20, 5, 5), 0),
        ] {
            assert_eq!(board.overlap(other), pixels, "{other:?}");
            assert_eq!(other.overlap(board), pixels, "{other:?}");
            let common = board.within(other);
            let area = i64::from(common.width) * i64::from(common.height);
            assert_eq!(area, pixels, "{other:?}");
        }
        assert!(board.is_within(place(0, 0, 110, 70)));
        assert!(!board.is_within(place(0, 0, 109, 70)));
    }
}
