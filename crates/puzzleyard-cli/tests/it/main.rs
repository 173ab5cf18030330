//! The real binary, end to end: what the documents promise, on real windows where they say so.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "figures, and what could not be run, belong into the test's output"
)]

mod fixture;

mod contract;
mod documents;
mod driving;
mod endpoint;
mod eval;
mod manners;
mod sokoban;
mod sudoku;
mod vision;
