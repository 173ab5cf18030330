//! Counting solutions of many grids at once: seats, stacks and guesses around the rounds of
//! [`lanes`](super::lanes).
//!
//! A puzzle sits in one lane from its first round to its last and is searched there depth
//! first. So its outcome does not depend on what sits beside it, on the order of the batch or
//! on the number of lanes.
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a kernel is compiled without its instructions"
)]

use crate::model::Grid;

use super::lanes::{Lanes, Node, Nodes, Plain, Row};

/// Which instructions an [`Engine`] uses. All give the same outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Plain 64-bit arithmetic, 8 lanes.
    Portable,
    /// AVX2, 16 lanes.
    Avx2,
    /// AVX-512 F and BW, 32 lanes.
    Avx512,
}

impl Kernel {
    /// All kernels, the plainest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this processor has what the kernel needs.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

/// What a count found in one grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Solutions found, at most the limit.
    pub solutions: u64,
    /// Branches tried.
    pub guesses: u64,
    /// The first solution in the order of the search.
    pub first: Option<Grid>,
    /// The second.
    pub second: Option<Grid>,
    /// Whether the guesses ran out: then `solutions` is only a lower bound.
    pub gave_up: bool,
}

/// Counts the solutions of many grids.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    kernel: Kernel,
    guesses: u64,
}

impl Engine {
    /// The fastest kernel of this processor.
    pub fn detect() -> Self {
        let kernel = Kernel::ALL.into_iter().rev().find(|k| k.is_available());
        Self {
            kernel: kernel.unwrap_or(Kernel::Portable),
            guesses: u64::MAX,
        }
    }

    /// This kernel, or `None` if the processor lacks it.
    pub fn with(kernel: Kernel) -> Option<Self> {
        kernel.is_available().then_some(Self {
            kernel,
            guesses: u64::MAX,
        })
    }

    /// The same engine, which gives a grid up after so many guesses.
    #[must_use]
    pub fn with_guess_limit(self, guesses: u64) -> Self {
        Self { guesses, ..self }
    }

    /// The kernel in use.
    pub fn kernel(self) -> Kernel {
        self.kernel
    }

    /// Counts the solutions of each grid up to `limit` and appends an outcome for each, in
    /// order. A grid that breaks a rule has none.
    pub fn count_all(&self, grids: &[Grid], limit: u64, out: &mut Vec<Outcome>) {
        let start = out.len();
        out.resize(start + grids.len(), Outcome::default());
        if limit == 0 {
            return;
        }
        let work = Work {
            grids,
            limit,
            guesses: self.guesses,
            out: &mut out[start..],
        };
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 | Kernel::Avx512 => super::kernel::run(self.kernel, work),
            _ => work.run::<Plain>(),
        }
    }
}

/// A batch.
pub(super) struct Work<'a> {
    grids: &'a [Grid],
    limit: u64,
    guesses: u64,
    out: &'a mut [Outcome],
}

/// What sits in a lane.
struct Seat {
    puzzle: usize,
    /// Nodes to come; only the first `depth` count.
    pending: Vec<Node>,
    depth: usize,
}

impl Seat {
    /// Room for one more node.
    #[inline(always)]
    fn push(&mut self) -> &mut Node {
        if self.depth == self.pending.len() {
            self.pending.push(Node::BLANK);
        }
        self.depth += 1;
        &mut self.pending[self.depth - 1]
    }
}

impl Work<'_> {
    /// Searches all grids.
    #[inline(always)]
    pub(super) fn run<L: Lanes>(mut self) {
        let mut nodes = Nodes::<L>::new();
        let mut seats: Vec<Seat> = (0..L::COUNT)
            .map(|_| Seat {
                puzzle: 0,
                pending: Vec::new(),
                depth: 0,
            })
            .collect();
        let mut next = 0;
        let mut active = 0u32;
        for (lane, seat) in seats.iter_mut().enumerate() {
            active |= u32::from(self.seat(&mut next, lane, seat, &mut nodes)) << lane;
        }
        while active != 0 {
            let found = nodes.round();
            let stalled = found.stalled & active;
            // All copies first: reading a register back from sixteen-bit writes has to wait for
            // them.
            let mut guessing = 0;
            for lane in bits(stalled) {
                let seat = &mut seats[lane];
                let outcome = &mut self.out[seat.puzzle];
                if outcome.guesses < self.guesses {
                    outcome.guesses += 1;
                    nodes.get(lane, seat.push());
                    guessing |= 1 << lane;
                } else {
                    outcome.gave_up = true;
                    seat.depth = 0;
                }
            }
            let ended = (found.dead | found.solved | (stalled & !guessing)) & active;
            for lane in bits(ended) {
                let seat = &mut seats[lane];
                if found.solved >> lane & 1 != 0 {
                    self.credit(seat, &nodes, lane);
                }
                if seat.depth > 0 {
                    seat.depth -= 1;
                    nodes.put(lane, &seat.pending[seat.depth]);
                } else if !self.seat(&mut next, lane, seat, &mut nodes) {
                    active &= !(1 << lane);
                }
            }
            for lane in bits(guessing) {
                let seat = &mut seats[lane];
                let node = &mut seat.pending[seat.depth - 1];
                let (cell, digit) = branch::<L>(node);
                nodes.cells[cell].lanes_mut()[lane] = digit;
                node.0[cell] &= !digit;
            }
        }
    }

    /// Credits the solution in a lane to its puzzle.
    #[inline(always)]
    fn credit<L: Lanes>(&mut self, seat: &mut Seat, nodes: &Nodes<L>, lane: usize) {
        let outcome = &mut self.out[seat.puzzle];
        outcome.solutions += 1;
        if outcome.solutions <= 2 {
            let mut node = Node::BLANK;
            nodes.get(lane, &mut node);
            let grid = Some(grid_of(&node));
            if outcome.solutions == 1 {
                outcome.first = grid;
            } else {
                outcome.second = grid;
            }
        }
        if outcome.solutions >= self.limit {
            seat.depth = 0;
        }
    }

    /// Puts the next grid into a lane; false if there is none left.
    #[inline(always)]
    fn seat<L: Lanes>(
        &self,
        next: &mut usize,
        lane: usize,
        seat: &mut Seat,
        nodes: &mut Nodes<L>,
    ) -> bool {
        let Some(grid) = self.grids.get(*next) else {
            return false;
        };
        seat.puzzle = *next;
        *next += 1;
        nodes.seat(lane, grid);
        true
    }
}

/// The positions of the bits that are set, in ascending order.
#[inline(always)]
pub(super) fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            at
        })
    })
}

/// The cells that share a unit with each cell, a bit a cell.
const PEERS: [u128; 81] = {
    let mut peers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            if crate::rules::sees(cell, other) {
                peers[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
};

/// The cells with two candidates, and those with three, a bit a cell.
#[inline(always)]
fn pairs_and_triples<L: Lanes>(node: &Node) -> (u128, u128) {
    let (mut two, mut three) = (0, 0);
    for (k, lanes) in node.0.chunks_exact(L::COUNT).enumerate() {
        let second = L::load(&L::Row::of(lanes)).rest();
        let third = second.rest();
        let fourth = third.rest().zeros();
        let (second, third) = (second.zeros(), third.zeros());
        two |= u128::from(third & !second) << (k * L::COUNT);
        three |= u128::from(fourth & !third) << (k * L::COUNT);
    }
    (two, three)
}

/// The cells among `open` that have each digit; the last of the entries is 0.
#[inline(always)]
fn by_digit<L: Lanes>(node: &Node, open: u128) -> [u128; 16] {
    let mut with = [0; 16];
    if L::COUNT < 32 {
        // With narrow registers the cells are fewer than the tests of all of them.
        let mut rest = open;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            for digit in bits(u32::from(node.0[cell])) {
                with[digit & 15] |= rest & rest.wrapping_neg();
            }
            rest &= rest - 1;
        }
        return with;
    }
    for (k, lanes) in node.0.chunks_exact(L::COUNT).enumerate() {
        let masks = L::load(&L::Row::of(lanes));
        for (digit, with) in with[..9].iter_mut().enumerate() {
            let missing = masks.and(L::splat(1 << digit)).zeros();
            *with |= u128::from(!missing) << (k * L::COUNT);
        }
    }
    with.map(|cells| cells & open)
}

/// The cell and the digit to try first: of the cells with two candidates (else three, else
/// fewest) the one that shares a digit with the most cells of its kind that see it. A wrong
/// guess there runs on the farthest.
#[inline(always)]
pub(super) fn branch<L: Lanes>(node: &Node) -> (usize, u16) {
    let (two, three) = pairs_and_triples::<L>(node);
    let open = if two == 0 { three } else { two };
    if open == 0 {
        let most = |&cell: &usize| match node.0[cell].count_ones() {
            0 | 1 => 10,
            count => count,
        };
        let cell = (0..81).min_by_key(most).unwrap_or(0);
        return (cell, node.0[cell] & node.0[cell].wrapping_neg());
    }
    let with = by_digit::<L>(node, open);
    let mut best = 0;
    for (half, base) in [(open as u64, 0), ((open >> 64) as u64, 64)] {
        let mut rest = half;
        while rest != 0 {
            let cell = base + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let Some(&peers) = PEERS.get(cell) else {
                break;
            };
            let first = u32::from(node.0[cell]);
            let second = first & first.wrapping_sub(1);
            // Of two candidates the third is bit 15, which no cell has.
            let third = (second & second.wrapping_sub(1)) | 1 << 15;
            let digit = |mask: u32| with[mask.trailing_zeros() as usize & 15];
            let near = (digit(first) | digit(second) | digit(third)) & peers;
            // The lowest cell wins among equals.
            best = best.max(near.count_ones() << 8 | (127 - cell as u32));
        }
    }
    let cell = (127 - best as usize % 256).min(80);
    (cell, node.0[cell] & node.0[cell].wrapping_neg())
}

/// The grid of a solved node.
#[inline(always)]
pub(super) fn grid_of(node: &Node) -> Grid {
    let digits = std::array::from_fn(|cell| node.0[cell].trailing_zeros() as u8 + 1);
    Grid::from_digits(digits).unwrap_or(Grid::EMPTY)
}
