//! The port between whoever plays and whatever is played: a game that takes keys and shows
//! pictures.
//!
//! Implementations live elsewhere: a real X11 window, or the embedded game loop. A surface
//! knows nothing of levels, answers or scores.

use std::path::PathBuf;
use std::time::Duration;

use puzzleyard_core::Direction;
use puzzleyard_render::Picture;

/// A key of the game, by meaning; the surface knows which physical key that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// An arrow key.
    Arrow(Direction),
    /// Escape, which most games take as "quit".
    Escape,
    /// The return key, which some games want before they begin.
    Return,
    /// The space bar, which other games want.
    Space,
}

/// What kind of surface it is. Written into the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceKind {
    /// A window of an X11 display, driven by input events of the XTEST extension.
    X11,
    /// The game loop of this project without any display server.
    Embedded,
}

impl SurfaceKind {
    /// `x11` or `embedded`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X11 => "x11",
            Self::Embedded => "embedded",
        }
    }
}

/// What identifies a running instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The surface's kind.
    pub kind: SurfaceKind,
    /// The window id as X11 prints it (`0x400003`), or `embedded-<pid>` without a window.
    pub id: String,
    /// The title as the window shows it now.
    pub title: String,
    /// The window's class, if it names one.
    pub class: Option<String>,
    /// The process that owns the window, if it can be told.
    pub pid: Option<u32>,
    /// Place and size in pixels: x, y, width, height.
    pub geometry: (i32, i32, u32, u32),
    /// The display (`:99`), or `none`.
    pub display: String,
}

/// Why a surface cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceFault {
    /// The window or its process is gone.
    #[error("the game is gone: {0}")]
    Gone(String),
    /// Another window covers the game's.
    #[error("the game's window is covered: {0}")]
    Covered(String),
    /// The window did not get or keep the keyboard.
    #[error("the game's window does not have the keyboard: {0}")]
    NoFocus(String),
    /// The display refused something.
    #[error("display: {0}")]
    Display(String),
}

/// A running game that takes keys and shows pictures.
pub trait Surface {
    /// What identifies the running instance, as of now.
    ///
    /// # Errors
    /// The game is gone, or the display refuses.
    fn identity(&mut self) -> Result<Identity, SurfaceFault>;

    /// Presses `key` down, after making sure that the game has the keyboard.
    ///
    /// # Errors
    /// The game is gone, covered or without the keyboard; then nothing was pressed.
    fn press(&mut self, key: Key) -> Result<(), SurfaceFault>;

    /// Lets `key` go. Must be called after each [`Surface::press`], also when that is followed
    /// by a fault.
    ///
    /// # Errors
    /// The display refuses.
    fn release(&mut self, key: Key) -> Result<(), SurfaceFault>;

    /// Clicks once into the middle of the game with the first button, as a person does who
    /// wants its attention. False if there is no pointer to click with.
    ///
    /// # Errors
    /// The game is gone or covered; then nothing was clicked.
    fn click(&mut self) -> Result<bool, SurfaceFault> {
        Ok(false)
    }

    /// The picture of the window's contents, without frame, as shown now.
    ///
    /// # Errors
    /// The game is gone or covered.
    fn picture(&mut self) -> Result<Picture, SurfaceFault>;

    /// Asks whether the game has taken every key sent so far out of its queue. Waits at most
    /// `patience`.
    ///
    /// `Some(true)`: it answered after the last key. `Some(false)`: it did not answer in time.
    /// `None`: this game cannot be asked.
    ///
    /// # Errors
    /// The game is gone.
    fn has_caught_up(&mut self, patience: Duration) -> Result<Option<bool>, SurfaceFault>;

    /// Lets time pass: sleeps, or for a surface without a clock of its own, runs the game loop
    /// for that long.
    ///
    /// # Errors
    /// The game is gone.
    fn wait(&mut self, time: Duration) -> Result<(), SurfaceFault>;

    /// Asks the game to close, as a person would by the window's close button, and waits for
    /// it at most `patience`. True if it closed.
    ///
    /// # Errors
    /// The display refuses.
    fn close(&mut self, patience: Duration) -> Result<bool, SurfaceFault>;
}

/// What a game is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// A file with exactly one level, canonical XSB, nothing around it.
    pub level: PathBuf,
    /// Where the game writes a row for each accepted step.
    pub log: PathBuf,
    /// Where the game writes its result when the level is solved.
    pub result: PathBuf,
    /// The title that the window must bear.
    pub title: String,
}

/// Whoever can start games: our own window, a foreign program, or the embedded loop.
pub trait GameHost {
    /// The kind of surface that [`GameHost::start`] gives.
    fn kind(&self) -> SurfaceKind;

    /// The command line that is run, or a sentence if there is none. Written into the evidence.
    fn describe(&self) -> String;

    /// Whether the game is this project's own, so that its pictures can be redrawn and compared.
    fn is_own_game(&self) -> bool;

    /// Starts a game and waits until its window is there.
    ///
    /// # Errors
    /// The program does not start, ends at once, or shows no window in time.
    fn start(&mut self, launch: &Launch) -> Result<Box<dyn Surface>, SurfaceFault>;
}
