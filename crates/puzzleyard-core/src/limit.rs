//! What a search may use, who may stop it, and how it may end.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Which limit ended a search before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The number of nodes expanded.
    Nodes,
    /// The bytes held by the search.
    Memory,
    /// The time, counted by whoever raised the stop signal.
    Time,
    /// A person or a program asked for the end.
    Interrupt,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "node limit",
            Self::Memory => "memory limit",
            Self::Time => "time limit",
            Self::Interrupt => "interrupted",
        })
    }
}

/// Limits that a search counts by itself. `None` means unlimited.
///
/// Time is absent: libraries read no clock. Whoever has one raises a [`Stop`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes expanded, at most.
    pub nodes: Option<u64>,
    /// Bytes held by tables and nodes, at most.
    pub memory: Option<u64>,
}

/// A signal that ends a search from outside. Clones share one state; the first reason
/// raised is the one that counts.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// A signal that nobody has raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end, because of `limit`. Later reasons are ignored.
    pub fn raise(&self, limit: Limit) {
        let code = match limit {
            Limit::Nodes => 1,
            Limit::Memory => 2,
            Limit::Time => 3,
            Limit::Interrupt => 4,
        };
        let _ = self
            .0
            .compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why the search must end, or `None` while it may go on.
    pub fn raised(&self) -> Option<Limit> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Limit::Nodes),
            2 => Some(Limit::Memory),
            3 => Some(Limit::Time),
            _ => Some(Limit::Interrupt),
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T> {
    /// There is an answer, and this is one.
    Solved(T),
    /// There is none: proved by exhausting the space.
    Unsolvable,
    /// A limit was reached first; nothing is known.
    GaveUp(Limit),
}

#[cfg(test)]
mod tests {
    use super::{Limit, Stop};

    #[test]
    fn the_first_reason_counts_for_all_clones() {
        let stop = Stop::new();
        let other = stop.clone();
        assert_eq!(other.raised(), None);
        stop.raise(Limit::Time);
        other.raise(Limit::Interrupt);
        assert_eq!(stop.raised(), Some(Limit::Time));
        assert_eq!(other.raised(), Some(Limit::Time));
    }
}
