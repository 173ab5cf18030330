//! Open nodes in buckets by priority; within a bucket the last in is the first out.

use std::collections::BTreeMap;

use puzzleyard_core::Limit;

use super::budget::Budget;
use super::store::Node;

const END: u32 = u32::MAX;
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;
/// What a bucket takes in the map of buckets, rounded up.
const BUCKET_BYTES: usize = 48;

/// A priority queue for few distinct priorities. The least comes out first.
///
/// Buckets are linked lists in one pool, so a bucket that runs empty leaves its room to the
/// others.
pub(super) struct Queue {
    heads: BTreeMap<u64, u32>,
    pool: Vec<Vec<(Node, u32)>>,
    len: usize,
    free: u32,
    booked: usize,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            heads: BTreeMap::new(),
            pool: Vec::new(),
            len: 0,
            free: END,
            booked: 0,
        }
    }

    pub(super) fn push(
        &mut self,
        priority: u64,
        node: Node,
        budget: &mut Budget<'_>,
    ) -> Result<(), Limit> {
        let slot = if self.free == END {
            if self.len == self.pool.len() * CHUNK {
                let bytes = CHUNK * size_of::<(Node, u32)>();
                budget.take(bytes)?;
                self.booked += bytes;
                self.pool.push(Vec::with_capacity(CHUNK));
            }
            let slot = self.len as u32;
            self.len += 1;
            self.pool[slot as usize >> CHUNK_BITS].push((node, END));
            slot
        } else {
            let slot = self.free;
            self.free = self.at(slot).1;
            slot
        };
        if !self.heads.contains_key(&priority) {
            budget.take(BUCKET_BYTES)?;
            self.booked += BUCKET_BYTES;
        }
        let head = self.heads.entry(priority).or_insert(END);
        let next = std::mem::replace(head, slot);
        *self.at(slot) = (node, next);
        Ok(())
    }

    fn at(&mut self, slot: u32) -> &mut (Node, u32) {
        &mut self.pool[slot as usize >> CHUNK_BITS][slot as usize & (CHUNK - 1)]
    }

    /// Takes out the newest node of the least priority.
    pub(super) fn pop(&mut self, budget: &mut Budget<'_>) -> Option<(u64, Node)> {
        let (&priority, &slot) = self.heads.first_key_value()?;
        let (node, next) = *self.at(slot);
        if next == END {
            self.heads.pop_first();
            budget.give(BUCKET_BYTES);
            self.booked -= BUCKET_BYTES;
        } else {
            self.heads.insert(priority, next);
        }
        *self.at(slot) = (END, self.free);
        self.free = slot;
        Some((priority, node))
    }

    /// Bytes booked, to be given back when the queue is dropped.
    pub(super) fn booked(&self) -> usize {
        self.booked
    }
}
