//! The only definition of legality: what a legal level is, and what a step does.

mod fault;
pub mod grid;
mod level;

pub use fault::{Fault, FaultKind, Faults, Waivers};
pub use level::{Blocked, Level, State};
