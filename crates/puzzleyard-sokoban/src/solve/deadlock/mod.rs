//! Proofs that a state has no solution.
//!
//! Each is sound for every objective: it only ever condemns states from which no sequence of
//! steps leads to a solved one. They hold only when every box has to end on a goal; with
//! boxes to spare the search relies on the matching alone.

mod corral;
mod freeze;

pub(super) use corral::{Corrals, Finding, Scene};
pub(super) use freeze::{Freeze, Frozen};
