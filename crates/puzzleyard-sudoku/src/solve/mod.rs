//! Solving and counting.
//!
//! For the 9x9 grid: [`solve`], [`count_solutions`], [`is_unique`] and [`solutions()`] for one
//! grid, [`Engine`] for many at once, which is much faster. A grid that breaks a rule has no
//! solution. For boards of other sizes see [`general`], for what is wrong with a puzzle
//! [`diagnosis`].
//!
//! A sparse grid has more solutions than can be counted, and a sparse grid without a solution
//! may take longer than anybody waits. Input from strangers is counted by an [`Engine`] with a
//! guess limit.

pub mod diagnosis;
mod engine;
pub mod general;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod lanes;
mod solutions;

pub use engine::{Engine, Kernel, Outcome};
pub use solutions::{Solutions, solutions};

use crate::model::Grid;

/// What a count found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Solutions found, at most the limit.
    pub solutions: u64,
    /// Branches tried: how often the search had to guess.
    pub guesses: u64,
}

/// A solution, or `None` if there is none.
pub fn solve(grid: &Grid) -> Option<Grid> {
    solutions(grid).next()
}

/// Counts solutions up to `limit`.
pub fn count_solutions(grid: &Grid, limit: u64) -> Count {
    let mut search = solutions(grid);
    let mut count = 0;
    while count < limit && search.next().is_some() {
        count += 1;
    }
    Count {
        solutions: count,
        guesses: search.guesses(),
    }
}

/// Whether there is exactly one solution.
pub fn is_unique(grid: &Grid) -> bool {
    count_solutions(grid, 2).solutions == 1
}
