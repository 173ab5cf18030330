//! Everything true about Sudoku: formats, rules, an independent judge, solvers, human rating
//! and generators.
//!
//! ```
//! use puzzleyard_sudoku::{Grid, solve};
//!
//! let puzzle: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!     .parse()?;
//! let solution = solve::solve(&puzzle).expect("it has a solution");
//! assert!(solve::is_unique(&puzzle));
//! assert_eq!(&solution.to_string()[..9], "534678912");
//! # Ok::<(), puzzleyard_sudoku::GridError>(())
//! ```
//!
//! Cells are numbered `0..81` row by row in [`Grid`]; people name them `A1` to `I9`, row letter
//! first ([`cell_name`]). Digits are `1..=9`, 0 is an empty cell.
//!
//! The crate does no I/O, reads no clock and keeps no global state.
#![deny(unsafe_code)]

pub mod format;
pub mod generate;
pub mod judge;
mod model;
pub mod rate;
pub mod rules;
pub mod solve;
pub mod symmetry;

pub use model::{
    Board, Grid, GridError, Shape, ShapeError, box_of, cell_name, cell_named, col_of, row_of,
};
