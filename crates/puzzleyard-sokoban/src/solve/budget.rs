//! What a search may still use: nodes, bytes, and whether somebody asked for the end.

use puzzleyard_core::{Limit, Limits, Stop};

/// Counts nodes and bytes against their limits.
///
/// Every table and arena asks [`Budget::take`] before it allocates, so that the limit is
/// never passed and the peak is what was held.
pub(super) struct Budget<'a> {
    stop: &'a Stop,
    nodes: u64,
    memory: u64,
    held: u64,
    peak: u64,
    /// Nodes expanded.
    pub(super) expanded: u64,
    /// Nodes generated.
    pub(super) generated: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &Limits, stop: &'a Stop) -> Self {
        Self {
            stop,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            memory: limits.memory.unwrap_or(u64::MAX),
            held: 0,
            peak: 0,
            expanded: 0,
            generated: 0,
        }
    }

    /// Books `bytes` that are about to be allocated.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Limit> {
        let held = self.held.saturating_add(bytes as u64);
        if held > self.memory {
            return Err(Limit::Memory);
        }
        self.held = held;
        self.peak = self.peak.max(held);
        Ok(())
    }

    /// Books `bytes` as freed.
    pub(super) fn give(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes as u64);
    }

    /// A vector of `len` copies of `value`, booked first.
    pub(super) fn filled<T: Clone>(&mut self, value: T, len: usize) -> Result<Vec<T>, Limit> {
        self.take(len.saturating_mul(size_of::<T>()))?;
        Ok(vec![value; len])
    }

    /// An error once somebody has asked for the end.
    pub(super) fn poll(&self) -> Result<(), Limit> {
        self.stop.raised().map_or(Ok(()), Err)
    }

    /// Books one expansion, or says why there must be none.
    pub(super) fn expand(&mut self) -> Result<(), Limit> {
        self.poll()?;
        if self.expanded >= self.nodes {
            return Err(Limit::Nodes);
        }
        self.expanded += 1;
        Ok(())
    }

    /// Bytes held now.
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// The most bytes held at any time.
    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    /// The limit on bytes; `u64::MAX` if there is none.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }
}
