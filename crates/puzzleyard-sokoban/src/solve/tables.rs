//! Distances among boxes that can never move again.
//!
//! A box stuck on its goal is a wall to the others and keeps its goal to itself. The
//! distances with such walls are longer, and sometimes show that a goal has been shut off.
//! They are worked out once for each set of stuck boxes and kept.

use puzzleyard_core::Limit;

use super::board::{Board, Sq};
use super::budget::Budget;
use super::distance::Distances;
use super::store::{Codec, Facts, NO_NODE, Store, Zobrist, spread};

/// The most sets that are kept. Beyond, the distances of the bare board serve.
const MOST: usize = 4096;

/// The largest table that is worked out for one set, in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The share of the memory limit that they may take.
const SHARE: u64 = 8;

/// The number of the distances of the bare board.
pub(super) const BARE: usize = 0;

/// Distances by set of stuck boxes.
pub(super) struct Tables<'a> {
    bare: &'a Distances,
    list: Vec<Distances>,
    known: Store,
    key: Vec<u8>,
    order: Vec<Sq>,
    booked: usize,
}

impl<'a> Tables<'a> {
    /// `width` is the length of keys.
    pub(super) fn new(
        bare: &'a Distances,
        board: &Board,
        width: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Limit> {
        budget.take(width + board.boxes().len() * 4)?;
        Ok(Self {
            bare,
            list: Vec::new(),
            known: Store::new(width, budget)?,
            key: vec![0; width],
            order: Vec::with_capacity(board.boxes().len()),
            booked: 0,
        })
    }

    /// The distances of a number that [`Tables::pick`] gave.
    #[inline]
    pub(super) fn at(&self, number: usize) -> &Distances {
        if number == BARE {
            self.bare
        } else {
            &self.list[number - 1]
        }
    }

    /// The number of the distances among `stuck` boxes, all on goals.
    pub(super) fn pick(
        &mut self,
        board: &Board,
        codec: &Codec,
        zobrist: &Zobrist,
        stuck: &[Sq],
        budget: &mut Budget<'_>,
    ) -> Result<usize, Limit> {
        if stuck.is_empty() {
            return Ok(BARE);
        }
        codec.write(stuck, 0, &mut self.key, &mut self.order);
        let hash = spread(zobrist.boxes(stuck));
        if let Some(node) = self.known.find(&self.key, hash) {
            return Ok(self.known.facts(node).bound as usize);
        }
        let bytes = Distances::bytes(board);
        let share = budget.memory() / SHARE;
        if bytes > TABLE_BYTES || self.list.len() >= MOST || (self.booked + bytes) as u64 > share {
            return Ok(BARE);
        }
        let distances = Distances::new(board, stuck, budget)?;
        self.booked += bytes;
        self.list.push(distances);
        let facts = Facts::new(NO_NODE, 0, self.list.len() as u32);
        self.known.insert(&self.key, hash, facts, budget)?;
        Ok(self.list.len())
    }

    /// Bytes booked, to be given back when this is dropped.
    pub(super) fn booked(&self) -> usize {
        self.known.booked() + self.booked
    }
}
