//! An X11 display: the one that the caller names, or a virtual one that is started for it.
//!
//! A started server lives as long as [`Display`]. Should this process die without a farewell,
//! the server still ends by itself once its last client is gone, because it is started with
//! `-terminate` and this process holds one connection to it. A game that was left running is
//! such a client.

use std::io::Read as _;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::Connection as _;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::xproto::{
    ConnectionExt as _, CreateWindowAux, EventMask, MapState, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::process::{Output, Process};
use crate::x11::desktop;

/// How long a server or window manager may take to be there.
const PATIENCE: Duration = Duration::from_secs(20);
const TICK: Duration = Duration::from_millis(20);
/// The smallest screen that is started: columns and rows of pixels.
const SMALLEST: (u16, u16) = (1024, 768);
/// Room beside a window for a window manager's frame.
const SPARE: u32 = 128;

/// Which display to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayOptions {
    /// The display to use, as in `:0`, if it can be reached. Callers pass what the environment
    /// says, or nothing to have one started.
    pub given: Option<String>,
    /// Columns and rows of pixels of the largest window to come. A started screen has room for
    /// it, and at least 1024 x 768.
    pub window: (u32, u32),
    /// A window manager to start on a started display: program and arguments.
    pub window_manager: Option<Vec<String>>,
    /// The program that serves a display without a screen.
    pub server: String,
}

impl Default for DisplayOptions {
    fn default() -> Self {
        Self {
            given: None,
            window: (0, 0),
            window_manager: None,
            server: "Xvfb".into(),
        }
    }
}

/// Why there is no display.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DisplayError {
    /// The server's program is not installed.
    #[error(
        "no display, and {program} is not installed: install it (Debian, Ubuntu: apt-get install xvfb) or set DISPLAY"
    )]
    NotInstalled {
        /// The program.
        program: String,
    },
    /// A program could not be started, or ended at once.
    #[error("{program} did not start: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What it said.
        reason: String,
    },
    /// A display cannot be reached.
    #[error("display {display}: {reason}")]
    Unreachable {
        /// The display.
        display: String,
        /// What went wrong.
        reason: String,
    },
}

/// A display to show windows on.
#[derive(Debug)]
pub struct Display {
    // Fields are dropped in this order: the server goes last.
    manager: Option<Process>,
    conn: RustConnection,
    server: Option<Process>,
    name: String,
    screen: usize,
    note: Option<String>,
}

impl Display {
    /// The given display if it can be reached, else a virtual one that is started.
    ///
    /// # Errors
    /// There is none and none can be started; the message says how to get one.
    pub fn open_or_start(options: &DisplayOptions) -> Result<Self, DisplayError> {
        let mut note = None;
        if let Some(name) = options.given.as_deref().filter(|name| !name.is_empty()) {
            match Self::open(name) {
                Ok(display) => return Ok(display),
                Err(error) => note = Some(format!("{error}; a virtual one was started instead")),
            }
        }
        Ok(Self {
            note,
            ..Self::start(options)?
        })
    }

    /// The display `name`, which must exist.
    ///
    /// # Errors
    /// It cannot be reached.
    pub fn open(name: &str) -> Result<Self, DisplayError> {
        let (conn, screen) = connect(name)?;
        Ok(Self {
            manager: None,
            conn,
            server: None,
            name: name.to_owned(),
            screen,
            note: None,
        })
    }

    /// Starts a virtual display on a free number, whatever display is given.
    ///
    /// # Errors
    /// The server or the window manager is not installed or does not start.
    pub fn start(options: &DisplayOptions) -> Result<Self, DisplayError> {
        let side = |window: u32, least: u16| {
            u32::from(least)
                .max(window.saturating_add(SPARE))
                .min(32_767)
        };
        let (width, height) = (
            side(options.window.0, SMALLEST.0),
            side(options.window.1, SMALLEST.1),
        );
        let (name, server) = start_server(&options.server, width, height)?;
        let (conn, screen) = connect(&name)?;
        let mut display = Self {
            manager: None,
            conn,
            server: Some(server),
            name,
            screen,
            note: None,
        };
        if let Some(command) = &options.window_manager {
            display.start_manager(command)?;
        }
        Ok(display)
    }

    /// The name that clients connect to, as in `:99`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it was started for us.
    pub fn is_started(&self) -> bool {
        self.server.is_some()
    }

    /// Why it is not the given one, if it is not.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Columns and rows of pixels of the screen.
    pub fn size(&self) -> (u16, u16) {
        let root = &self.conn.setup().roots[self.screen];
        (root.width_in_pixels, root.height_in_pixels)
    }

    /// The server's vendor and release, as in `The X.Org Foundation 12101007`.
    pub fn vendor(&self) -> String {
        let setup = self.conn.setup();
        let vendor = String::from_utf8_lossy(&setup.vendor).into_owned();
        format!("{vendor} {}", setup.release_number)
    }

    /// The name of the window manager that runs now, or `None` without one.
    pub fn window_manager(&self) -> Option<String> {
        let root = self.conn.setup().roots[self.screen].root;
        desktop::manager_name(&self.conn, root).ok().flatten()
    }

    fn start_manager(&mut self, command: &[String]) -> Result<(), DisplayError> {
        let Some((program, arguments)) = command.split_first() else {
            return Ok(());
        };
        let mut command = Command::new(program);
        command.args(arguments).env("DISPLAY", &self.name);
        let manager = start(&mut command, program, Output::Tail)?;
        let deadline = Instant::now() + PATIENCE;
        while !self.is_managed() {
            if manager.exit().is_some() || Instant::now() > deadline {
                return Err(not_started(program, &manager));
            }
            sleep(TICK);
        }
        self.manager = Some(manager);
        while !self.manages_windows().unwrap_or(false) {
            if Instant::now() > deadline {
                let program = program.clone();
                let reason = "it manages no window".into();
                return Err(DisplayError::NotStarted { program, reason });
            }
        }
        Ok(())
    }

    /// Whether somebody manages windows, by the extended hints or not.
    fn is_managed(&self) -> bool {
        let root = self.conn.setup().roots[self.screen].root;
        let asked = self.conn.get_window_attributes(root);
        let found = asked.ok().and_then(|cookie| cookie.reply().ok());
        let redirect = EventMask::SUBSTRUCTURE_REDIRECT;
        found.is_some_and(|found| found.all_event_masks.contains(redirect))
    }

    /// Whether a window that is mapped now is shown soon. A manager announces itself before it
    /// listens, and some lose what is asked of them in between.
    fn manages_windows(&self) -> Result<bool, ReplyOrIdError> {
        let root = &self.conn.setup().roots[self.screen];
        let (root, visual) = (root.root, root.root_visual);
        let (window, look) = (self.conn.generate_id()?, CreateWindowAux::new());
        let kind = WindowClass::INPUT_OUTPUT;
        self.conn
            .create_window(0, window, root, 0, 0, 64, 64, 0, kind, visual, &look)?;
        self.conn.map_window(window)?;
        let mut shown = false;
        for _ in 0..15 {
            let state = self.conn.get_window_attributes(window)?.reply()?.map_state;
            shown = state == MapState::VIEWABLE;
            if shown {
                break;
            }
            sleep(TICK);
        }
        self.conn.destroy_window(window)?;
        self.conn.sync()?;
        Ok(shown)
    }
}

fn connect(name: &str) -> Result<(RustConnection, usize), DisplayError> {
    RustConnection::connect(Some(name)).map_err(|error| DisplayError::Unreachable {
        display: name.to_owned(),
        reason: error.to_string(),
    })
}

fn start(command: &mut Command, program: &str, output: Output) -> Result<Process, DisplayError> {
    Process::start(command, output).map_err(|error| {
        let program = program.to_owned();
        if error.kind() == std::io::ErrorKind::NotFound {
            DisplayError::NotInstalled { program }
        } else {
            let reason = error.to_string();
            DisplayError::NotStarted { program, reason }
        }
    })
}

fn not_started(program: &str, process: &Process) -> DisplayError {
    let how = process
        .exit()
        .unwrap_or_else(|| "no sign of it in time".into());
    let words = process.last_words();
    DisplayError::NotStarted {
        program: program.to_owned(),
        reason: if words.is_empty() {
            how
        } else {
            format!("{how}: {words}")
        },
    }
}

/// Starts a server, which writes the number that it chose to its standard output.
fn start_server(program: &str, width: u32, height: u32) -> Result<(String, Process), DisplayError> {
    let mut command = Command::new(program);
    command.args(["-displayfd", "1", "-screen", "0"]);
    command.arg(format!("{width}x{height}x24"));
    command.args(["-nolisten", "tcp", "-terminate"]);
    let mut server = start(&mut command, program, Output::Pipe)?;
    let Some(mut output) = server.take_output() else {
        return Err(not_started(program, &server));
    };
    let mut number = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    let nap = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    while !number.ends_with(b"\n") {
        let ready = poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&nap));
        let mut byte = [0];
        match ready {
            Ok(1..) if matches!(output.read(&mut byte), Ok(1)) => number.push(byte[0]),
            _ if server.exit().is_some() || Instant::now() > deadline => {
                return Err(not_started(program, &server));
            }
            _ => sleep(TICK),
        }
    }
    let number = String::from_utf8_lossy(&number);
    Ok((format!(":{}", number.trim()), server))
}
