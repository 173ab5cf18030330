//! The game's window: plain X11 requests, drawn by the server.

use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::properties::{WmHints, WmSizeHints};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeGCAux, ClientMessageEvent, ConnectionExt as _, CreateGCAux, CreateWindowAux,
    EventMask, Gcontext, InputFocus, PropMode, Rectangle, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::Failure;
use crate::board::{Board, Way};
use crate::habits::{Habits, Start};

x11rb::atom_manager! {
    /// Names that the window uses.
    Atoms: AtomsCookie {
        UTF8_STRING,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_TAKE_FOCUS,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
    }
}

const CELL: u16 = 40;
const ARROWS: [(u32, Way); 4] = [
    (0xff51, Way::Left),
    (0xff52, Way::Up),
    (0xff53, Way::Right),
    (0xff54, Way::Down),
];
const ESCAPE: u32 = 0xff1b;
const RETURN: u32 = 0xff0d;
const SPACE: u32 = 0x20;

/// What happened to the window.
pub(crate) enum News {
    Key(Way),
    /// What the game may wait for at its start.
    Start(Start),
    Draw,
    Close,
}

/// A window.
pub(crate) struct Screen {
    conn: RustConnection,
    root: Window,
    visual: u32,
    window: Window,
    gc: Gcontext,
    atoms: Atoms,
    arrows: [u8; 4],
    escape: u8,
    starts: [(u8, Start); 2],
    /// Which arrows were down at the last look, for games that poll.
    down: [bool; 4],
    looked: Instant,
}

impl Screen {
    pub(crate) fn open(habits: &Habits, board: &Board) -> Result<Self, Failure> {
        let (conn, number) = RustConnection::connect(None)?;
        let setup = conn.setup();
        let (root, visual) = (setup.roots[number].root, setup.roots[number].root_visual);
        let first = setup.min_keycode;
        let map = conn
            .get_keyboard_mapping(first, setup.max_keycode - first + 1)?
            .reply()?;
        let code = |symbol: u32| {
            let rows = map.keysyms.chunks(map.keysyms_per_keycode.into());
            let at = rows.into_iter().position(|row| row.contains(&symbol));
            at.map_or(0, |at| first + at as u8)
        };
        let (atoms, gc) = (Atoms::new(&conn)?.reply()?, conn.generate_id()?);
        let mut screen = Self {
            arrows: ARROWS.map(|(symbol, _)| code(symbol)),
            escape: code(ESCAPE),
            starts: [(code(RETURN), Start::Return), (code(SPACE), Start::Space)],
            atoms,
            gc,
            conn,
            root,
            visual,
            window: x11rb::NONE,
            down: [false; 4],
            looked: Instant::now(),
        };
        screen
            .conn
            .create_gc(screen.gc, root, &CreateGCAux::new())?;
        if !habits.splash.is_zero() {
            let splash = screen.make((200, 100), (50, 50), false)?;
            screen.name(splash, "Loading", habits)?;
            screen.conn.map_window(splash)?;
            screen.conn.flush()?;
            sleep(habits.splash);
            screen.conn.destroy_window(splash)?;
        }
        screen.show(habits, board)?;
        Ok(screen)
    }

    fn show(&mut self, habits: &Habits, board: &Board) -> Result<(), Failure> {
        let mut size = (board.width as u16 * CELL, board.rows.len() as u16 * CELL);
        if habits.large {
            size = (size.0.max(1400), size.1.max(1000));
        }
        let corner = if habits.off_screen {
            (-60, 700)
        } else {
            (30, 40)
        };
        let title = if habits.no_title {
            "Something else"
        } else {
            &habits.title
        };
        self.window = self.make(size, corner, false)?;
        self.name(self.window, title, habits)?;
        let mut bounds = WmSizeHints::new();
        bounds.min_size = Some((size.0.into(), size.1.into()));
        bounds.max_size = bounds.min_size;
        bounds.set_normal_hints(&self.conn, self.window)?;
        self.conn.map_window(self.window)?;
        self.conn.flush()?;
        Ok(())
    }

    fn make(
        &self,
        size: (u16, u16),
        corner: (i16, i16),
        unmanaged: bool,
    ) -> Result<Window, Failure> {
        let window = self.conn.generate_id()?;
        let events = EventMask::KEY_PRESS
            | EventMask::BUTTON_PRESS
            | EventMask::EXPOSURE
            | EventMask::STRUCTURE_NOTIFY;
        let look = CreateWindowAux::new()
            .event_mask(events)
            .override_redirect(u32::from(unmanaged))
            .background_pixel(0x00e0_d8c0);
        let class = WindowClass::INPUT_OUTPUT;
        self.conn.create_window(
            0,
            window,
            self.root,
            corner.0,
            corner.1,
            size.0,
            size.1,
            0,
            class,
            self.visual,
            &look,
        )?;
        Ok(window)
    }

    fn name(&self, window: Window, title: &str, habits: &Habits) -> Result<(), Failure> {
        let (conn, atoms) = (&self.conn, &self.atoms);
        let (kind, text) = (AtomEnum::STRING, title.as_bytes());
        conn.change_property8(PropMode::REPLACE, window, AtomEnum::WM_NAME, kind, text)?;
        conn.change_property8(
            PropMode::REPLACE,
            window,
            atoms._NET_WM_NAME,
            atoms.UTF8_STRING,
            text,
        )?;
        if !habits.no_pid {
            let pid = [std::process::id()];
            let kind = AtomEnum::CARDINAL;
            conn.change_property32(PropMode::REPLACE, window, atoms._NET_WM_PID, kind, &pid)?;
        }
        let mut protocols = Vec::new();
        if !habits.no_delete {
            protocols.push(atoms.WM_DELETE_WINDOW);
        }
        if !habits.no_ping {
            protocols.push(atoms._NET_WM_PING);
        }
        if habits.take_focus {
            protocols.push(atoms.WM_TAKE_FOCUS);
        }
        let kind = AtomEnum::ATOM;
        conn.change_property32(
            PropMode::REPLACE,
            window,
            atoms.WM_PROTOCOLS,
            kind,
            &protocols,
        )?;
        let mut hints = WmHints::new();
        hints.input = Some(!habits.take_focus);
        hints.set(conn, window)?;
        Ok(())
    }

    /// Makes the window anew, as some libraries do when they change their mode.
    pub(crate) fn recreate(&mut self, habits: &Habits, board: &Board) -> Result<(), Failure> {
        self.conn.destroy_window(self.window)?;
        self.conn.flush()?;
        sleep(Duration::from_millis(150));
        self.show(habits, board)
    }

    /// Opens another window over this one.
    pub(crate) fn cover(&self) -> Result<(), Failure> {
        let place = self
            .conn
            .translate_coordinates(self.window, self.root, 20, 20)?;
        let place = place.reply()?;
        let other = self.make((60, 60), (place.dst_x, place.dst_y), true)?;
        let (kind, text) = (AtomEnum::STRING, b"An advertisement");
        let property = AtomEnum::WM_NAME;
        self.conn
            .change_property8(PropMode::REPLACE, other, property, kind, text)?;
        self.conn.map_window(other)?;
        self.conn.flush()?;
        Ok(())
    }

    /// The next thing that happened, after a short wait if nothing did.
    pub(crate) fn next(&mut self, habits: &Habits) -> Result<Option<News>, Failure> {
        if let Some(period) = habits.poll
            && self.looked.elapsed() >= period
        {
            self.looked = Instant::now();
            if let Some(way) = self.look()? {
                return Ok(Some(News::Key(way)));
            }
        }
        let Some(event) = self.conn.poll_for_event()? else {
            sleep(Duration::from_millis(2));
            return Ok(None);
        };
        sleep(habits.lag);
        Ok(match event {
            Event::KeyPress(press) if press.detail == self.escape => {
                (!habits.stubborn).then_some(News::Close)
            }
            Event::KeyPress(press) if self.starts.iter().any(|start| start.0 == press.detail) => {
                let start = self.starts.iter().find(|start| start.0 == press.detail);
                start.map(|start| News::Start(start.1))
            }
            Event::ButtonPress(_) => Some(News::Start(Start::Click)),
            Event::KeyPress(press) if habits.poll.is_none() => {
                let at = self.arrows.iter().position(|&code| code == press.detail);
                at.map(|at| News::Key(ARROWS[at].1))
            }
            Event::Expose(expose) if expose.window == self.window => Some(News::Draw),
            Event::ClientMessage(message) => self.hear(&message, habits)?,
            _ => None,
        })
    }

    /// Which arrow went down since the last look.
    fn look(&mut self) -> Result<Option<Way>, Failure> {
        let keys = self.conn.query_keymap()?.reply()?.keys;
        let is_down = |code: u8| keys[usize::from(code / 8)] >> (code % 8) & 1 == 1;
        let now = self.arrows.map(is_down);
        let pressed = (0..4).find(|&at| now[at] && !self.down[at]);
        self.down = now;
        Ok(pressed.map(|at| ARROWS[at].1))
    }

    fn hear(&self, message: &ClientMessageEvent, habits: &Habits) -> Result<Option<News>, Failure> {
        let [what, time, ..] = message.data.as_data32();
        if message.type_ != self.atoms.WM_PROTOCOLS {
            return Ok(None);
        }
        if what == self.atoms.WM_DELETE_WINDOW && !habits.stubborn {
            return Ok(Some(News::Close));
        }
        if what == self.atoms._NET_WM_PING && !habits.mute_ping {
            let answer = ClientMessageEvent {
                window: self.root,
                ..*message
            };
            let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
            self.conn.send_event(false, self.root, mask, answer)?;
            self.conn.flush()?;
        }
        if what == self.atoms.WM_TAKE_FOCUS {
            self.conn
                .set_input_focus(InputFocus::PARENT, self.window, time)?;
            self.conn.flush()?;
        }
        Ok(None)
    }

    /// Draws the board; a step on its way darkens the player.
    pub(crate) fn draw(&self, board: &Board, on_its_way: bool) -> Result<(), Failure> {
        for (y, row) in board.rows.iter().enumerate() {
            for (x, &square) in row.iter().enumerate() {
                let colour = match square {
                    _ if board.player == (x, y) && on_its_way => 0x0010_2040,
                    _ if board.player == (x, y) => 0x0028_54be,
                    '#' => 0x006e_6e72,
                    '$' => 0x0096_602c,
                    '*' => 0x002e_9646,
                    '.' => 0x00d6_2828,
                    _ => 0x00f0_eadc,
                };
                self.conn
                    .change_gc(self.gc, &ChangeGCAux::new().foreground(colour))?;
                let place = Rectangle {
                    x: x as i16 * CELL as i16 + 1,
                    y: y as i16 * CELL as i16 + 1,
                    width: CELL - 2,
                    height: CELL - 2,
                };
                self.conn
                    .poly_fill_rectangle(self.window, self.gc, &[place])?;
            }
        }
        self.conn.flush()?;
        Ok(())
    }
}
