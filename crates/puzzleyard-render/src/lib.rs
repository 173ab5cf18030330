//! Draws boards: pictures in memory, PNG, animated GIF, SVG and terminal text.
//!
//! ```
//! use puzzleyard_render::{Status, Theme, ansi, cell_fitting, draw_window, png, window_size};
//! use puzzleyard_sokoban::{format, rules::{Level, Waivers}};
//!
//! let text = "#######\n#@ $ .#\n#######\n";
//! let setup = format::read(text.as_bytes())?.setups.remove(0);
//! let level = Level::from_setup(&setup, &Waivers::none())?;
//! let state = level.start();
//!
//! let cell = cell_fitting(level.area(), 1024, 768); // pixels a square
//! let status = Status { title: "A corridor", goals: level.boxes_needed(), ..Status::default() };
//! let picture = draw_window(&level, state, &status, cell, &Theme::classic());
//! assert_eq!((picture.width(), picture.height()), window_size(level.area(), cell));
//!
//! let bytes = png::encode(&picture, png::Effort::Small);
//! assert_eq!(png::decode(&bytes)?, picture);
//! assert_eq!(ansi::board(&level, state, ansi::Colour::None).lines().nth(1), Some("##@@  $$  ..##"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What stands where is asked of [`puzzleyard_sokoban::rules`]; nothing here decides what is
//! legal. Drawing uses integers only and letters of its own, so the same state gives the same
//! bytes on every platform. This crate does no I/O and reads no clock.
#![forbid(unsafe_code)]

pub mod ansi;
mod colour;
pub mod gif;
mod grain;
mod lettering;
mod painter;
mod picture;
pub mod png;
pub mod svg;
mod theme;
mod tile;
pub mod tiles;
mod window;

pub use painter::Painter;
pub use picture::Picture;
pub use theme::Theme;
pub use window::{Status, board_origin, cell_fitting, draw_board, draw_window, window_size};
