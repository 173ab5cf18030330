//! One round of inference on many search nodes at once.
//!
//! Every 16-bit lane of a register belongs to another node, and a row holds one cell of all of
//! them, as the mask of its candidates (bit 0 is digit 1):
//!
//! ```text
//!              lane 0   lane 1   lane 2  …
//! cell A1     [  mask |  mask  |  mask  | … ]   one row
//! cell A2     [  mask |  mask  |  mask  | … ]
//!   …  81 rows
//! ```
//!
//! The three cells that a box shares with a row or a column are a triad. A round counts each
//! triad (digits seen once, digits seen twice), sums triads to units, and from that alone takes
//! pointing, claiming, hidden singles, then naked singles. There is no branch in it, so it costs
//! the same whatever the nodes are.
#![expect(
    clippy::needless_range_loop,
    reason = "numbers of bands, stacks and triads index several arrays at once"
)]
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a kernel is compiled without its instructions"
)]

use crate::model::Grid;

/// Rows of the board in a register's width.
pub(super) trait Lanes: Copy {
    /// Lanes in a register.
    const COUNT: usize;
    /// A register in memory.
    type Row: Row;
    /// Reads a row.
    fn load(row: &Self::Row) -> Self;
    /// Writes a row.
    fn store(self, row: &mut Self::Row);
    /// The same value in all lanes.
    fn splat(value: u16) -> Self;
    /// Bits of both.
    fn and(self, other: Self) -> Self;
    /// Bits of either.
    fn or(self, other: Self) -> Self;
    /// Bits of `self` that `other` lacks.
    fn without(self, other: Self) -> Self;
    /// In each lane `self`, or `other` where `self` is 0.
    fn or_else(self, other: Self) -> Self;
    /// In each lane `self` if it has at most one bit, else 0.
    fn single(self) -> Self;
    /// `self` without its lowest bit, in each lane.
    fn rest(self) -> Self;
    /// In each lane something that is 0 if and only if one of the two masks is.
    fn both(self, other: Self) -> Self;
    /// The lanes that are 0, a bit each.
    fn zeros(self) -> u32;
}

/// A row in memory, seen lane by lane.
pub(super) trait Row: Copy {
    /// The lanes.
    fn lanes(&self) -> &[u16];
    /// The lanes, to write.
    fn lanes_mut(&mut self) -> &mut [u16];
    /// All 0.
    fn blank() -> Self;
    /// A row of these lanes.
    fn of(lanes: &[u16]) -> Self;
}

/// Candidates of an empty cell.
pub(super) const ALL: u16 = 0x1FF;

/// A node apart from its lane: candidates by cell, then zeros up to a multiple of every row.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node(pub(super) [u16; 96]);

impl Node {
    /// No candidates.
    pub(super) const BLANK: Self = Self([0; 96]);
}

/// The nodes in hand, and what a round notes on the way.
pub(super) struct Nodes<L: Lanes> {
    /// Candidates by cell.
    pub(super) cells: [L::Row; 81],
    /// Horizontal triads, `[row][stack]`.
    across: [L::Row; 27],
    /// Vertical triads, `[band][column]`.
    down: [L::Row; 27],
    /// Digits with one place left in the row or in the box, `[row][stack]`.
    hidden_across: [L::Row; 27],
    /// Digits with one place left in the column.
    hidden_down: [L::Row; 9],
    /// Digits that pointing and claiming take from a horizontal triad.
    barred_across: [L::Row; 27],
    /// Digits that pointing and claiming take from a vertical triad.
    barred_down: [L::Row; 27],
}

/// What a round found, a bit a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The node has no solution.
    pub(super) dead: u32,
    /// Every cell has one candidate and no digit stands twice.
    pub(super) solved: u32,
    /// The round changed nothing.
    pub(super) stalled: u32,
}

#[inline(always)]
fn or3<L: Lanes>(a: L, b: L, c: L) -> L {
    a.or(b).or(c)
}

/// Bits of at least two of three.
#[inline(always)]
fn majority<L: Lanes>(a: L, b: L, c: L) -> L {
    a.and(b).or(c.and(a.or(b)))
}

/// What must leave each triad of a 3x3 block of triads, whose rows are lines of one direction
/// and whose columns are boxes: a digit of a line that only one box has leaves that box's other
/// lines (claiming); a digit of a box that only one line has leaves that line's other boxes
/// (pointing).
#[inline(always)]
fn barred<L: Lanes>(t: [[L; 3]; 3]) -> [[L; 3]; 3] {
    let mut claim = t;
    let mut point = t;
    for i in 0..3 {
        for k in 0..3 {
            claim[i][k] = t[i][k].without(t[i][(k + 1) % 3].or(t[i][(k + 2) % 3]));
            point[i][k] = t[i][k].without(t[(i + 1) % 3][k].or(t[(i + 2) % 3][k]));
        }
    }
    let mut out = t;
    for i in 0..3 {
        for k in 0..3 {
            let claimed = claim[(i + 1) % 3][k].or(claim[(i + 2) % 3][k]);
            let pointed = point[i][(k + 1) % 3].or(point[i][(k + 2) % 3]);
            out[i][k] = claimed.or(pointed);
        }
    }
    out
}

impl<L: Lanes> Nodes<L> {
    /// Lanes without candidates: dead.
    pub(super) fn new() -> Self {
        let blank = L::Row::blank();
        Self {
            cells: [blank; 81],
            across: [blank; 27],
            down: [blank; 27],
            hidden_across: [blank; 27],
            hidden_down: [blank; 9],
            barred_across: [blank; 27],
            barred_down: [blank; 27],
        }
    }

    /// Puts a node into a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, node: &Node) {
        for (row, &mask) in self.cells.iter_mut().zip(&node.0) {
            row.lanes_mut()[lane] = mask;
        }
    }

    /// Puts a grid into a lane. One that breaks a rule dies in the first round: two cells of a
    /// unit whose only candidate is the same digit keep it or lose it.
    #[inline(always)]
    pub(super) fn seat(&mut self, lane: usize, grid: &Grid) {
        /// Candidates of a cell by its digit.
        const MASKS: [u16; 16] = {
            let mut masks = [ALL; 16];
            let mut digit = 1;
            while digit <= 9 {
                masks[digit] = 1 << (digit - 1);
                digit += 1;
            }
            masks
        };
        for (row, &digit) in self.cells.iter_mut().zip(grid.digits()) {
            row.lanes_mut()[lane] = MASKS[usize::from(digit & 15)];
        }
    }

    /// Reads a node out of a lane.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize, node: &mut Node) {
        for (row, mask) in self.cells.iter().zip(&mut node.0) {
            *mask = row.lanes()[lane];
        }
    }

    /// One round for all lanes.
    #[inline(always)]
    pub(super) fn round(&mut self) -> Found {
        let alive = self.count();
        self.lock();
        let (twice, sum) = self.hide();
        self.strip(alive, twice, sum)
    }

    /// Counts triads and units. Returns the digits that every unit still has.
    #[inline(always)]
    fn count(&mut self) -> L {
        let mut alive = L::splat(ALL);
        let mut twice_across = [L::splat(0); 27];
        let mut twice_down = [L::splat(0); 27];
        let mut hidden_box = [L::splat(0); 9];
        for number in 0..9 {
            let (band, stack) = (number / 3, number % 3);
            let mut c = [[L::splat(0); 3]; 3];
            for i in 0..3 {
                for k in 0..3 {
                    c[i][k] = L::load(&self.cells[(band * 3 + i) * 9 + stack * 3 + k]);
                }
            }
            let mut once = [L::splat(0); 3];
            let mut twice = L::splat(0);
            for i in 0..3 {
                let at = (band * 3 + i) * 3 + stack;
                once[i] = or3(c[i][0], c[i][1], c[i][2]);
                once[i].store(&mut self.across[at]);
                twice_across[at] = majority(c[i][0], c[i][1], c[i][2]);
                twice = twice.or(twice_across[at]);
                let at = band * 9 + stack * 3 + i;
                or3(c[0][i], c[1][i], c[2][i]).store(&mut self.down[at]);
                twice_down[at] = majority(c[0][i], c[1][i], c[2][i]);
            }
            let seen = or3(once[0], once[1], once[2]);
            alive = alive.and(seen);
            hidden_box[number] = seen.without(twice.or(majority(once[0], once[1], once[2])));
        }
        for line in 0..9 {
            let t: [L; 3] = std::array::from_fn(|k| L::load(&self.across[line * 3 + k]));
            let twice = or3(
                twice_across[line * 3],
                twice_across[line * 3 + 1],
                twice_across[line * 3 + 2],
            );
            let seen = or3(t[0], t[1], t[2]);
            alive = alive.and(seen);
            let hidden = seen.without(twice.or(majority(t[0], t[1], t[2])));
            for stack in 0..3 {
                let both = hidden.or(hidden_box[line / 3 * 3 + stack]);
                both.store(&mut self.hidden_across[line * 3 + stack]);
            }
            let t: [L; 3] = std::array::from_fn(|k| L::load(&self.down[k * 9 + line]));
            let twice = or3(
                twice_down[line],
                twice_down[9 + line],
                twice_down[18 + line],
            );
            let seen = or3(t[0], t[1], t[2]);
            alive = alive.and(seen);
            let hidden = seen.without(twice.or(majority(t[0], t[1], t[2])));
            hidden.store(&mut self.hidden_down[line]);
        }
        alive
    }

    /// Pointing and claiming, in both directions.
    #[inline(always)]
    fn lock(&mut self) {
        for block in 0..3 {
            let t = std::array::from_fn(|i| {
                std::array::from_fn(|k| L::load(&self.across[(block * 3 + i) * 3 + k]))
            });
            let out = barred(t);
            for i in 0..3 {
                for k in 0..3 {
                    out[i][k].store(&mut self.barred_across[(block * 3 + i) * 3 + k]);
                }
            }
            let t = std::array::from_fn(|i| {
                std::array::from_fn(|k| L::load(&self.down[k * 9 + block * 3 + i]))
            });
            let out = barred(t);
            for i in 0..3 {
                for k in 0..3 {
                    out[i][k].store(&mut self.barred_down[k * 9 + block * 3 + i]);
                }
            }
        }
    }

    /// Applies what `count` and `lock` found, and gathers cells with one candidate. Returns the
    /// digits that are the single candidate of two cells of a unit, and the changes.
    #[inline(always)]
    fn hide(&mut self) -> (L, L) {
        let mut twice = L::splat(0);
        let mut changed = L::splat(0);
        for number in 0..9 {
            let (band, stack) = (number / 3, number % 3);
            let mut s = [[L::splat(0); 3]; 3];
            for i in 0..3 {
                let at = (band * 3 + i) * 3 + stack;
                let hidden = L::load(&self.hidden_across[at]);
                let barred = L::load(&self.barred_across[at]);
                for k in 0..3 {
                    let col = stack * 3 + k;
                    let cell = (band * 3 + i) * 9 + col;
                    let old = L::load(&self.cells[cell]);
                    let left = old.without(barred.or(L::load(&self.barred_down[band * 9 + col])));
                    let only = left.and(hidden.or(L::load(&self.hidden_down[col])));
                    let new = only.or_else(left);
                    changed = changed.or(old.without(new));
                    new.store(&mut self.cells[cell]);
                    s[i][k] = new.single();
                }
            }
            let mut once = [L::splat(0); 3];
            for i in 0..3 {
                once[i] = or3(s[i][0], s[i][1], s[i][2]);
                twice = twice.or(majority(s[i][0], s[i][1], s[i][2]));
                once[i].store(&mut self.across[(band * 3 + i) * 3 + stack]);
                or3(s[0][i], s[1][i], s[2][i]).store(&mut self.down[band * 9 + stack * 3 + i]);
            }
            twice = twice.or(majority(once[0], once[1], once[2]));
        }
        (twice, changed)
    }

    /// Takes the digits of single cells from the cells that see them.
    #[inline(always)]
    fn strip(&mut self, alive: L, mut twice: L, mut changed: L) -> Found {
        let mut columns = [L::splat(0); 9];
        let mut rows = [L::splat(0); 9];
        for line in 0..9 {
            let t: [L; 3] = std::array::from_fn(|k| L::load(&self.across[line * 3 + k]));
            rows[line] = or3(t[0], t[1], t[2]);
            twice = twice.or(majority(t[0], t[1], t[2]));
            let t: [L; 3] = std::array::from_fn(|k| L::load(&self.down[k * 9 + line]));
            columns[line] = or3(t[0], t[1], t[2]);
            twice = twice.or(majority(t[0], t[1], t[2]));
        }
        let mut open = L::splat(0);
        let mut least = L::splat(ALL);
        for number in 0..9 {
            let (band, stack) = (number / 3, number % 3);
            let t: [L; 3] =
                std::array::from_fn(|i| L::load(&self.across[(band * 3 + i) * 3 + stack]));
            let whole = or3(t[0], t[1], t[2]);
            for i in 0..3 {
                let line = whole.or(rows[band * 3 + i]);
                for k in 0..3 {
                    let col = stack * 3 + k;
                    let cell = (band * 3 + i) * 9 + col;
                    let old = L::load(&self.cells[cell]);
                    let single = old.single();
                    let new = old.without(line.or(columns[col])).or(single);
                    changed = changed.or(old.without(new));
                    open = open.or(new.without(single));
                    least = least.both(new);
                    new.store(&mut self.cells[cell]);
                }
            }
        }
        let lanes = all::<L>();
        let lost = L::splat(ALL).without(alive).or(twice);
        let dead = (!lost.zeros() | least.zeros()) & lanes;
        let solved = open.zeros() & !dead;
        Found {
            dead,
            solved,
            stalled: changed.zeros() & !dead & !solved & lanes,
        }
    }
}

/// A bit for every lane.
#[inline(always)]
pub(super) fn all<L: Lanes>() -> u32 {
    u32::MAX >> (32 - L::COUNT)
}

/// Eight lanes in plain arithmetic on two words, for any machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain([u64; 2]);

/// A row of [`Plain`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct PlainRow([u16; 8]);

impl Row for PlainRow {
    #[inline(always)]
    fn lanes(&self) -> &[u16] {
        &self.0
    }
    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }
    #[inline(always)]
    fn blank() -> Self {
        Self([0; 8])
    }
    #[inline(always)]
    fn of(lanes: &[u16]) -> Self {
        let mut row = Self::blank();
        row.0.copy_from_slice(lanes);
        row
    }
}

/// The lowest bit of each lane.
const LOW: u64 = 0x0001_0001_0001_0001;
/// The highest bit of each lane: never part of a mask.
const HIGH: u64 = LOW << 15;

/// All bits of the lanes that are not 0. Sums stay within their lanes: a mask has 9 bits.
#[inline(always)]
fn filled(word: u64) -> u64 {
    (((word + (HIGH - LOW)) & HIGH) >> 15) * 0xFFFF
}

impl Lanes for Plain {
    const COUNT: usize = 8;
    type Row = PlainRow;

    #[inline(always)]
    fn load(row: &PlainRow) -> Self {
        let r = &row.0;
        let word = |k: usize| {
            u64::from(r[k])
                | u64::from(r[k + 1]) << 16
                | u64::from(r[k + 2]) << 32
                | u64::from(r[k + 3]) << 48
        };
        Self([word(0), word(4)])
    }

    #[inline(always)]
    fn store(self, row: &mut PlainRow) {
        for k in 0..8 {
            row.0[k] = (self.0[k / 4] >> (k % 4 * 16)) as u16;
        }
    }

    #[inline(always)]
    fn splat(value: u16) -> Self {
        Self([u64::from(value) * LOW; 2])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| {
            self.0[k] | (other.0[k] & !filled(self.0[k]))
        }))
    }

    #[inline(always)]
    fn single(self) -> Self {
        Self(std::array::from_fn(|k| {
            self.0[k] & !filled(self.0[k] & ((self.0[k] | HIGH) - LOW))
        }))
    }

    #[inline(always)]
    fn rest(self) -> Self {
        Self(self.0.map(|word| word & ((word | HIGH) - LOW)))
    }

    #[inline(always)]
    fn both(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] & filled(other.0[k])))
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        let mut lanes = 0;
        for k in 0..8 {
            let lane = self.0[k / 4] >> (k % 4 * 16) & 0xFFFF;
            lanes |= u32::from(lane == 0) << k;
        }
        lanes
    }
}
