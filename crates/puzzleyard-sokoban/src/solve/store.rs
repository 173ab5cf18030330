//! All states met so far: keys in fixed-size records, and a table that finds them.
//!
//! The table holds 32 bits of hash beside the record's number, only to save look-ups: two
//! states are taken for one only if their whole keys are equal, so no state can be lost to a
//! collision.
//!
//! ```text
//! key   = boxes, then the player's square in 2 or 4 bytes
//! boxes = one bit a live square, or the sorted squares if that is shorter
//! table = open addressing; a slot is hash << 32 | (record + 1), 0 if empty
//! ```

use puzzleyard_core::{Limit, Stream};

use super::board::{Board, Sq};
use super::budget::Budget;

/// Records a chunk, as a power of two. Chunks never move, so growth copies nothing.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// The number of a state in the order of arrival.
pub(super) type Node = u32;

/// No state.
pub(super) const NO_NODE: Node = Node::MAX;

const CLOSED: u32 = 1 << 31;

/// What is known of a state besides its key.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// The state before, `NO_NODE` at the start.
    pub(super) parent: Node,
    /// The cost from the start in the low 31 bits, and whether the state was expanded at it.
    cost: u32,
    /// The lower bound on what is left.
    pub(super) bound: u32,
}

impl Facts {
    pub(super) fn new(parent: Node, cost: u32, bound: u32) -> Self {
        Self {
            parent,
            cost,
            bound,
        }
    }

    pub(super) fn cost(self) -> u32 {
        self.cost & !CLOSED
    }

    pub(super) fn is_closed(self) -> bool {
        self.cost & CLOSED != 0
    }

    pub(super) fn close(&mut self) {
        self.cost |= CLOSED;
    }
}

/// How a set of boxes is written down.
pub(super) struct Codec {
    /// Bit of each square, or `u32::MAX`; empty if squares are listed.
    bit: Vec<u32>,
    square: Vec<Sq>,
    /// Bytes a square in lists and of the player.
    wide: usize,
    boxes_len: usize,
}

impl Codec {
    /// For at most `boxes` boxes that only ever stand on squares that `live` accepts, of `squares`.
    pub(super) fn new(
        squares: usize,
        boxes: usize,
        live: impl Fn(Sq) -> bool,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Limit> {
        let wide = if u16::try_from(squares).is_ok() { 2 } else { 4 };
        let square: Vec<Sq> = (0..squares as Sq).filter(|&sq| live(sq)).collect();
        budget.take(square.len() * 4)?;
        let (bytes, list) = (square.len().div_ceil(8), boxes * wide);
        if list < bytes {
            return Ok(Self {
                bit: Vec::new(),
                square,
                wide,
                boxes_len: list,
            });
        }
        let mut bit = budget.filled(u32::MAX, squares)?;
        for (at, &sq) in square.iter().enumerate() {
            bit[sq as usize] = at as u32;
        }
        Ok(Self {
            bit,
            square,
            wide,
            boxes_len: bytes,
        })
    }

    /// Bytes of a key.
    pub(super) fn len(&self) -> usize {
        self.boxes_len + self.wide
    }

    /// Writes `boxes` and `player` into `key`. `order` is working space.
    pub(super) fn write(&self, boxes: &[Sq], player: Sq, key: &mut [u8], order: &mut Vec<Sq>) {
        let (front, back) = key.split_at_mut(self.boxes_len);
        if self.bit.is_empty() {
            order.clear();
            order.extend_from_slice(boxes);
            order.sort_unstable();
            for (slot, sq) in front.chunks_exact_mut(self.wide).zip(order.iter()) {
                slot.copy_from_slice(&sq.to_le_bytes()[..self.wide]);
            }
            // A part of the boxes leaves room at the end.
            front[boxes.len() * self.wide..].fill(u8::MAX);
        } else {
            front.fill(0);
            for &sq in boxes {
                let bit = self.bit[sq as usize];
                front[bit as usize / 8] |= 1 << (bit % 8);
            }
        }
        back.copy_from_slice(&player.to_le_bytes()[..self.wide]);
    }

    /// Reads `key` into `boxes`, in the order of squares; returns the player.
    pub(super) fn read(&self, key: &[u8], boxes: &mut Vec<Sq>) -> Sq {
        let (front, back) = key.split_at(self.boxes_len);
        let number = |bytes: &[u8]| {
            let mut four = [0; 4];
            four[..bytes.len()].copy_from_slice(bytes);
            u32::from_le_bytes(four)
        };
        boxes.clear();
        if self.bit.is_empty() {
            let room = number(&[u8::MAX; 4][..self.wide]);
            boxes.extend(
                front
                    .chunks_exact(self.wide)
                    .map(number)
                    .take_while(|&sq| sq != room),
            );
        } else {
            for (at, &byte) in front.iter().enumerate() {
                let mut rest = byte;
                while rest != 0 {
                    boxes.push(self.square[at * 8 + rest.trailing_zeros() as usize]);
                    rest &= rest - 1;
                }
            }
        }
        number(back)
    }
}

/// The states, numbered from 0 in the order of arrival.
pub(super) struct Store {
    width: usize,
    keys: Vec<Vec<u8>>,
    facts: Vec<Vec<Facts>>,
    slots: Vec<u64>,
    len: usize,
    booked: usize,
}

impl Store {
    /// For keys of `width` bytes.
    pub(super) fn new(width: usize, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        Ok(Self {
            width,
            keys: Vec::new(),
            facts: Vec::new(),
            slots: budget.filled(0, 1 << 12)?,
            len: 0,
            booked: 8 << 12,
        })
    }

    pub(super) fn key(&self, node: Node) -> &[u8] {
        let at = (node as usize & (CHUNK - 1)) * self.width;
        &self.keys[node as usize >> CHUNK_BITS][at..at + self.width]
    }

    pub(super) fn facts(&self, node: Node) -> Facts {
        self.facts[node as usize >> CHUNK_BITS][node as usize & (CHUNK - 1)]
    }

    pub(super) fn facts_mut(&mut self, node: Node) -> &mut Facts {
        &mut self.facts[node as usize >> CHUNK_BITS][node as usize & (CHUNK - 1)]
    }

    /// The state of `key`, if it is known.
    pub(super) fn find(&self, key: &[u8], hash: u64) -> Option<Node> {
        let mask = self.slots.len() - 1;
        let tag = hash >> 32;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == tag {
                let node = slot as u32 - 1;
                if self.key(node) == key {
                    return Some(node);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a state that [`Store::find`] did not find.
    pub(super) fn insert(
        &mut self,
        key: &[u8],
        hash: u64,
        facts: Facts,
        budget: &mut Budget<'_>,
    ) -> Result<Node, Limit> {
        if self.len >= NO_NODE as usize - 1 {
            return Err(Limit::Memory);
        }
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow(budget)?;
        }
        // Nothing is above `len` after `clear`, but the chunks are still there.
        if self.len == self.facts.len() * CHUNK {
            let bytes = CHUNK * (self.width + size_of::<Facts>());
            budget.take(bytes)?;
            self.booked += bytes;
            self.keys.push(Vec::with_capacity(CHUNK * self.width));
            self.facts.push(Vec::with_capacity(CHUNK));
        }
        let node = self.len as Node;
        self.len += 1;
        self.keys[node as usize >> CHUNK_BITS].extend_from_slice(key);
        self.facts[node as usize >> CHUNK_BITS].push(facts);
        place(&mut self.slots, hash, node);
        Ok(node)
    }

    /// Doubles the table. The low bits of a hash are not kept, so they are made from the kept
    /// ones: the place of a state is a function of its tag from the start.
    fn grow(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        let bytes = self.slots.len() * 8;
        let mut larger = budget.filled(0u64, self.slots.len() * 2)?;
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let hash = spread((slot >> 32) as u32);
            place(&mut larger, hash, slot as u32 - 1);
        }
        self.slots = larger;
        budget.give(bytes);
        self.booked += bytes;
        Ok(())
    }

    /// Forgets all states and keeps the room.
    pub(super) fn clear(&mut self) {
        self.keys.iter_mut().for_each(Vec::clear);
        self.facts.iter_mut().for_each(Vec::clear);
        self.slots.fill(0);
        self.len = 0;
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes booked, to be given back when the store is dropped.
    pub(super) fn booked(&self) -> usize {
        self.booked
    }
}

/// Random numbers whose sum modulo two over boxes and player is the hash of a state
/// (Zobrist, "A new hashing method with application for game playing", 1970).
pub(super) struct Zobrist {
    of_box: Vec<u32>,
    of_player: Vec<u32>,
}

impl Zobrist {
    pub(super) fn new(board: &Board, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let mut zobrist = Self {
            of_box: budget.filled(0, board.len())?,
            of_player: budget.filled(0, board.len())?,
        };
        let stream = Stream::new(0, "sokoban state hash");
        for sq in 0..board.len() {
            let number = stream.number(sq as u64);
            zobrist.of_box[sq] = number as u32;
            zobrist.of_player[sq] = (number >> 32) as u32;
        }
        Ok(zobrist)
    }

    #[inline]
    pub(super) fn of_box(&self, sq: Sq) -> u32 {
        self.of_box[sq as usize]
    }

    #[inline]
    pub(super) fn player(&self, sq: Sq) -> u32 {
        self.of_player[sq as usize]
    }

    pub(super) fn boxes(&self, boxes: &[Sq]) -> u32 {
        boxes.iter().fold(0, |hash, &sq| hash ^ self.of_box(sq))
    }
}

/// A hash whose low half is a function of its high half, so that the high half is all that
/// has to be kept.
pub(super) fn spread(tag: u32) -> u64 {
    let tag = u64::from(tag);
    tag << 32 | (tag.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32)
}

fn place(slots: &mut [u64], hash: u64, node: Node) {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at] != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = (hash >> 32) << 32 | (u64::from(node) + 1);
}
