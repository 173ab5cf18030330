//! The game window: a level played in a real X11 window, for people and drivers.
//!
//! Why not a window library: the usual one loads `libxkbcommon-x11` and its friends when it
//! starts and fails on a machine without them. This window needs an X server and nothing else,
//! and draws in software.
//!
//! One turn of the loop takes every event that has arrived, in order, then draws once. So keys
//! that were queued are all played; the log's row of each is written before the picture. Pings
//! of the window manager or a driver are answered after the drawing: who has the answer may
//! take the picture.
//!
//! Keys: arrows (also of the keypad), `h j k l`, `w a s d`; `u` or backspace undoes, `r`
//! restarts, `q` or escape leaves. With control, alt or super held, keys belong to others.

mod frame;
mod slide;

use std::time::{Duration, Instant};

use puzzleyard_core::{Direction, Limit, Stop};
use puzzleyard_render::{Theme, cell_fitting, window_size};
use puzzleyard_sokoban::rules::Level;
use x11rb::connection::Connection as _;
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::ClientMessageEvent;
use x11rb::rust_connection::RustConnection;

use crate::game::{Effect, Files, Game, GameKey, RecordError};
use crate::keyboard::{self, Keymap};
use crate::x11::desktop::wait_for_input;
use frame::Frame;
use slide::Slide;

/// How long the loop sleeps at most without looking at the stop signal.
const NAP: Duration = Duration::from_millis(50);
/// Time between two pictures of a slide.
const TICK: Duration = Duration::from_millis(16);
/// Room left for the window manager's frame and panels: columns, rows.
const SPARE: (u32, u32) = (32, 96);
/// The protocol's coordinates are signed 16-bit numbers.
const LARGEST_SIDE: u32 = 32_767;

/// What a window shows and where it writes.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// The X11 display, as in `:0`.
    pub display: String,
    /// The level.
    pub level: Level,
    /// The name of the level's file.
    pub name: String,
    /// Where log and result go.
    pub files: Files,
    /// The window's title.
    pub title: String,
    /// Pixels of a square, 1 to 255, or as many as fit the screen.
    pub cell: Option<u32>,
    /// Whether player and box slide from square to square.
    pub animate: bool,
    /// Closes the window this long after the level was solved.
    pub exit_after: Option<Duration>,
}

/// How a window was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Closed after the level had been solved.
    ClosedSolved,
    /// Closed before that.
    ClosedUnsolved,
    /// The stop signal was raised.
    Interrupted(Limit),
}

/// Why there is no window, or no longer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// The display cannot be reached.
    #[error("display {display}: {reason}")]
    NoDisplay {
        /// The display's name.
        display: String,
        /// What went wrong.
        reason: String,
    },
    /// The display refused something or went away.
    #[error("display: {0}")]
    Display(#[from] ReplyOrIdError),
    /// The screen has a palette instead of red, green and blue.
    #[error("the screen has no true colours, expected a depth of 16, 24 or 32 bits")]
    NoTrueColour,
    /// The board does not fit any window.
    #[error("a window of {width} x {height} pixels, expected at most 32767 each way")]
    TooLarge {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// The log or the result cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Waiting for the display failed.
    #[error("waiting for the display: {0}")]
    Wait(std::io::Error),
}

impl From<ConnectionError> for WindowError {
    fn from(error: ConnectionError) -> Self {
        Self::Display(error.into())
    }
}

impl From<ReplyError> for WindowError {
    fn from(error: ReplyError) -> Self {
        Self::Display(error.into())
    }
}

/// Shows the window and plays until it is closed, or until `stop` is raised.
///
/// # Errors
/// No such display, no true colours, a board too large; later the display going away, or a log
/// or result that cannot be written.
pub fn run_window(options: &WindowOptions, stop: &Stop) -> Result<Outcome, WindowError> {
    let (conn, screen) = RustConnection::connect(Some(&options.display)).map_err(|error| {
        WindowError::NoDisplay {
            display: options.display.clone(),
            reason: error.to_string(),
        }
    })?;
    let area = options.level.area();
    let root = &conn.setup().roots[screen];
    let fitting = || {
        let (width, height) = (root.width_in_pixels.into(), root.height_in_pixels.into());
        cell_fitting(
            area,
            u32::saturating_sub(width, SPARE.0),
            u32::saturating_sub(height, SPARE.1),
        )
    };
    let cell = options.cell.unwrap_or_else(fitting).clamp(1, 255);
    let (width, height) = window_size(area, cell);
    if width.max(height) > LARGEST_SIDE {
        return Err(WindowError::TooLarge { width, height });
    }
    let game = Game::new(options.level.clone(), &options.name, &options.files)?;
    let theme = Theme::classic();
    let size = (width as u16, height as u16);
    let frame = Frame::open(&conn, screen, &options.title, size, theme.backdrop)?;
    let now = Instant::now();
    let mut play = Play {
        keymap: Keymap::read(&conn)?,
        exit_at: None,
        conn: &conn,
        options,
        frame,
        game,
        theme,
        cell,
        started: now,
        dirty: true,
        closing: false,
        slide: None,
        pings: Vec::new(),
    };
    play.note_solved(now);
    play.run(stop)
}

/// What a key means here, by its symbol.
fn meaning(symbol: keyboard::Keysym) -> Option<GameKey> {
    if let Some(way) = Direction::ALL
        .into_iter()
        .find(|&way| keyboard::arrow(way) == symbol)
    {
        return Some(GameKey::Step(way));
    }
    let letter = char::from_u32(symbol).map(|letter| letter.to_ascii_lowercase());
    Some(match (symbol, letter) {
        // The keypad's arrows, without and with num lock.
        (0xff97 | 0xffb8, _) | (_, Some('k' | 'w')) => GameKey::Step(Direction::Up),
        (0xff99 | 0xffb2, _) | (_, Some('j' | 's')) => GameKey::Step(Direction::Down),
        (0xff96 | 0xffb4, _) | (_, Some('h' | 'a')) => GameKey::Step(Direction::Left),
        (0xff98 | 0xffb6, _) | (_, Some('l' | 'd')) => GameKey::Step(Direction::Right),
        (keyboard::BACKSPACE, _) | (_, Some('u')) => GameKey::Undo,
        (_, Some('r')) => GameKey::Restart,
        (keyboard::ESCAPE, _) | (_, Some('q')) => GameKey::Quit,
        _ => return None,
    })
}

/// A window in play.
struct Play<'a> {
    conn: &'a RustConnection,
    options: &'a WindowOptions,
    frame: Frame<'a>,
    game: Game,
    theme: Theme,
    cell: u32,
    keymap: Keymap,
    started: Instant,
    exit_at: Option<Instant>,
    /// The picture on the screen is not the game's.
    dirty: bool,
    closing: bool,
    slide: Option<Slide>,
    /// Pings that wait for the drawing.
    pings: Vec<ClientMessageEvent>,
}

impl Play<'_> {
    fn run(&mut self, stop: &Stop) -> Result<Outcome, WindowError> {
        loop {
            while !self.closing
                && let Some(event) = self.conn.poll_for_event()?
            {
                self.take(event)?;
            }
            let now = Instant::now();
            if self.closing || self.exit_at.is_some_and(|at| now >= at) {
                return Ok(if self.game.was_solved() {
                    Outcome::ClosedSolved
                } else {
                    Outcome::ClosedUnsolved
                });
            }
            if let Some(limit) = stop.raised() {
                return Ok(Outcome::Interrupted(limit));
            }
            self.draw(now)?;
            self.conn.flush()?;
            // Flushing may have read events into the connection's own queue, where waiting on
            // the socket does not see them.
            if let Some(event) = self.conn.poll_for_event()? {
                self.take(event)?;
                continue;
            }
            let nap = if self.slide.is_some() { TICK } else { NAP };
            wait_for_input(self.conn, nap).map_err(WindowError::Wait)?;
        }
    }

    fn take(&mut self, event: Event) -> Result<(), WindowError> {
        match event {
            Event::KeyPress(press) if !self.keymap.is_command(press.state.into()) => {
                let (code, state) = (press.detail, press.state.into());
                let key = self.keymap.candidates(code, state).find_map(meaning);
                if let Some(key) = key {
                    self.play(key)?;
                }
            }
            Event::MappingNotify(_) => self.keymap = Keymap::read(self.conn)?,
            Event::Expose(_) => self.dirty = true,
            Event::MapNotify(_) => self.frame.take_focus_if_unmanaged()?,
            Event::ConfigureNotify(change) => {
                self.dirty |= self.frame.resize(change.width, change.height);
            }
            Event::ClientMessage(message) => {
                if self.frame.is_close_request(&message) {
                    self.closing = true;
                } else if self.frame.is_ping(&message) {
                    self.pings.push(message);
                }
            }
            Event::DestroyNotify(_) => self.closing = true,
            Event::Error(error) => {
                return Err(WindowError::Display(ReplyOrIdError::X11Error(error)));
            }
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, key: GameKey) -> Result<(), WindowError> {
        let now = Instant::now();
        let before = self.game.state().clone();
        match self.game.key(key, now - self.started)? {
            Effect::Moved(step) => {
                self.dirty = true;
                self.slide = self
                    .options
                    .animate
                    .then(|| Slide::new(&self.game, &before, step, self.cell, &self.theme, now));
                self.note_solved(now);
            }
            Effect::Undone(_) | Effect::Restarted => {
                self.dirty = true;
                self.slide = None;
                self.exit_at = None;
            }
            Effect::Quit => self.closing = true,
            Effect::Blocked(_) | Effect::Over | Effect::Nothing => {}
        }
        Ok(())
    }

    fn note_solved(&mut self, now: Instant) {
        if self.game.is_solved() {
            self.exit_at = self.options.exit_after.map(|time| now + time);
        }
    }

    fn draw(&mut self, now: Instant) -> Result<(), WindowError> {
        if let Some(slide) = &self.slide {
            if let Some(picture) = slide.picture(now) {
                return Ok(self.frame.show(&picture)?);
            }
            self.slide = None;
            self.dirty = true;
        }
        if std::mem::take(&mut self.dirty) {
            self.frame
                .show(&self.game.picture(self.cell, &self.theme))?;
        }
        for ping in self.pings.drain(..) {
            self.frame.answer_ping(&ping)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_core::Direction;

    use super::meaning;
    use crate::game::GameKey;

    #[test]
    fn keys_mean_what_the_manual_says() {
        let step = |way| Some(GameKey::Step(way));
        let rows: [(&str, Option<GameKey>); 4] = [
            ("kKwW", step(Direction::Up)),
            ("jJsS", step(Direction::Down)),
            ("hHaA", step(Direction::Left)),
            ("lLdD", step(Direction::Right)),
        ];
        for (letters, key) in rows {
            for letter in letters.chars() {
                assert_eq!(meaning(u32::from(letter)), key, "{letter}");
            }
        }
        for (symbol, key) in [
            (0xff52, step(Direction::Up)),
            (0xff98, step(Direction::Right)),
            (0xffb4, step(Direction::Left)),
            (0xff08, Some(GameKey::Undo)),
            (0x55, Some(GameKey::Undo)),
            (0x72, Some(GameKey::Restart)),
            (0xff1b, Some(GameKey::Quit)),
            (0x51, Some(GameKey::Quit)),
            (0x20, None),
            (0x6d2, None),
        ] {
            assert_eq!(meaning(symbol), key, "{symbol:#x}");
        }
    }
}
