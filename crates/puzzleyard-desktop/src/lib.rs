//! The game window, the embedded game loop and the X11 driver.
//!
//! ```
//! use puzzleyard_core::Direction;
//! use puzzleyard_desktop::embedded::EmbeddedHost;
//! use puzzleyard_harness::surface::{GameHost, Key, Launch, Surface};
//!
//! let folder = tempfile::tempdir()?;
//! let launch = Launch {
//!     level: folder.path().join("level.sok"),
//!     log: folder.path().join("moves.csv"),
//!     result: folder.path().join("result.json"),
//!     title: "One push".into(),
//! };
//! std::fs::write(&launch.level, "#####\n#@$.#\n#####\n")?;
//! let mut game = EmbeddedHost::default().start(&launch)?;
//! let before = game.picture()?;
//! game.press(Key::Arrow(Direction::Right))?;
//! game.release(Key::Arrow(Direction::Right))?;
//! assert_ne!(game.picture()?, before);
//! assert!(std::fs::read_to_string(&launch.result)?.contains("\"solved\": true"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`game`]: the play of one level, without any window.
//! * [`window`]: that play in a real X11 window, for people and drivers.
//! * [`embedded`]: that play without a display server.
//! * [`display`]: finds an X11 display or starts one.
//! * [`x11`]: drives any program's window by real key events and takes its picture.
//!
//! The window and the driver speak the X11 protocol through `x11rb`, which is Rust all the way
//! down and needs no system library. This crate runs on Unix; whose process owns a window is
//! read from `/proc`, and without that only from the window itself.
//!
//! It contains no rules and no scores, and reads no environment variable: the caller hands in
//! the display's name.
#![forbid(unsafe_code)]

pub mod display;
pub mod embedded;
pub mod game;
mod keyboard;
mod pixels;
mod process;
pub mod window;
pub mod x11;
