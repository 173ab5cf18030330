//! Words that all puzzles share.
//!
//! ```
//! use puzzleyard_core::{Area, Cell, CellSet, ContentId, Direction, Stream};
//!
//! let area = Area::new(3, 4); // three rows, four columns
//! let corner = Cell::new(2, 3);
//! assert_eq!(area.neighbour(corner, Direction::Right), None);
//! assert_eq!(area.neighbour(corner, Direction::Up), Some(Cell::new(1, 3)));
//!
//! let mut seen = CellSet::new(area);
//! seen.insert(corner);
//! assert_eq!(seen.iter().collect::<Vec<_>>(), [corner]);
//!
//! // The n-th number of a stream does not depend on which numbers were asked for before.
//! let stream = Stream::new(7, "doc example");
//! assert_eq!(stream.number(1000), Stream::new(7, "doc example").number(1000));
//!
//! assert_eq!(ContentId::of(b"abc").to_string()[..8], *"ba7816bf");
//! ```
//!
//! Coordinates are `(row, col)` everywhere in this project, row 0 at the top, column 0 at
//! the left. This crate does no I/O, reads no clock and keeps no global state.
#![forbid(unsafe_code)]

mod content;
mod grid;
mod limit;
mod random;

pub use content::ContentId;
pub use grid::{Area, Cell, CellSet, Direction};
pub use limit::{Limit, Limits, Stop, Verdict};
pub use random::Stream;
