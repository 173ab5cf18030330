//! The plain words: squares, setups as typed, answers.

mod answer;
mod setup;

pub use answer::{Answer, Step};
pub use setup::{Setup, Square};
