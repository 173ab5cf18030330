//! Episodes: what an agent sees and earns, turn by turn, and the judge that recomputes it.
//!
//! ```
//! use puzzleyard_env::sudoku::{Episode, Settings};
//!
//! let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let mut episode = Episode::new(puzzle.parse()?, Settings { use_think: false, ..Settings::default() })?;
//! let reply = episode.turn("<move>A3=4</move>");
//! assert!(reply.text.starts_with("✅ Valid move! 50 cells remaining."));
//! assert_eq!(reply.reward, 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`sudoku`] and [`sokoban`] hold the two games; [`transcript`] is the record of an episode
//! and [`judge`] accepts it or names the first turn that differs. `docs/sudoku-episode.md` and
//! `docs/sokoban-episode.md` give the rules with their reasons.
//!
//! The crate does no I/O, reads no clock and keeps no global state.
#![forbid(unsafe_code)]

pub mod judge;
mod message;
mod points;
pub mod sokoban;
pub mod sudoku;
pub mod transcript;
mod turns;
pub mod world;

pub use message::{MAX_MESSAGE, MAX_TEXT};
pub use turns::{MAX_TURNS, Turns};
