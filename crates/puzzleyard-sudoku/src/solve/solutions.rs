//! The solutions of one grid, one after another, without a batch.
//!
//! Eight lanes work on nodes of the same grid and share one stack, so that a hard grid fills
//! them. The order is fixed: the same on every machine.
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a kernel is compiled without its instructions"
)]

use crate::model::Grid;

use super::engine::{bits, branch, grid_of};
#[cfg(any(test, not(target_arch = "x86_64")))]
use super::lanes::Plain;
use super::lanes::{Lanes, Node, Nodes, Row as _};

/// What the search of one grid is doing.
pub(super) struct Search<L: Lanes> {
    nodes: Nodes<L>,
    busy: u32,
    pending: Vec<Node>,
    ready: Vec<Grid>,
    guesses: u64,
}

impl<L: Lanes> Search<L> {
    fn new(grid: &Grid) -> Self {
        let mut nodes = Nodes::new();
        nodes.seat(0, grid);
        Self {
            nodes,
            busy: 1,
            pending: Vec::new(),
            ready: Vec::new(),
            guesses: 0,
        }
    }

    /// Works until there is a solution or nothing is left.
    #[inline(always)]
    pub(super) fn step(&mut self) {
        while self.ready.is_empty() && (self.busy != 0 || !self.pending.is_empty()) {
            let mut free = !self.busy & super::lanes::all::<L>();
            while free != 0 {
                let Some(node) = self.pending.pop() else {
                    break;
                };
                let lane = free.trailing_zeros();
                free &= free - 1;
                self.nodes.put(lane as usize, &node);
                self.busy |= 1 << lane;
            }
            self.round();
        }
    }

    #[inline(always)]
    fn round(&mut self) {
        let found = self.nodes.round();
        for lane in bits((found.dead | found.solved | found.stalled) & self.busy) {
            let bit = 1 << lane;
            if found.stalled & bit != 0 {
                let mut node = Node::BLANK;
                self.guesses += 1;
                self.nodes.get(lane, &mut node);
                let (cell, digit) = branch::<L>(&node);
                self.nodes.cells[cell].lanes_mut()[lane] = digit;
                node.0[cell] &= !digit;
                self.pending.push(node);
                continue;
            }
            if found.solved & bit != 0 {
                let mut node = Node::BLANK;
                self.nodes.get(lane, &mut node);
                self.ready.push(grid_of(&node));
            }
            self.busy &= !bit;
        }
    }
}

enum Width {
    #[cfg(any(test, not(target_arch = "x86_64")))]
    Plain(Box<Search<Plain>>),
    #[cfg(target_arch = "x86_64")]
    Slim(Box<Search<super::kernel::Slim>>),
}

/// The solutions of a grid, each once. See [`solutions`].
pub struct Solutions {
    search: Width,
}

impl std::fmt::Debug for Solutions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solutions")
            .field("guesses", &self.guesses())
            .finish_non_exhaustive()
    }
}

impl Solutions {
    /// Branches tried so far.
    pub fn guesses(&self) -> u64 {
        match &self.search {
            #[cfg(any(test, not(target_arch = "x86_64")))]
            Width::Plain(search) => search.guesses,
            #[cfg(target_arch = "x86_64")]
            Width::Slim(search) => search.guesses,
        }
    }

    /// The same search in plain arithmetic, to compare with.
    #[cfg(test)]
    pub(super) fn plain(grid: &Grid) -> Self {
        Self {
            search: Width::Plain(Box::new(Search::new(grid))),
        }
    }
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        match &mut self.search {
            #[cfg(any(test, not(target_arch = "x86_64")))]
            Width::Plain(search) => {
                search.step();
                search.ready.pop()
            }
            #[cfg(target_arch = "x86_64")]
            Width::Slim(search) => {
                super::kernel::step(search);
                search.ready.pop()
            }
        }
    }
}

impl std::iter::FusedIterator for Solutions {}

/// The solutions of `grid`, found as they are asked for, in a fixed order that means nothing.
/// A grid that breaks a rule has none; an empty one has 6,670,903,752,021,072,936,960.
///
/// ```
/// use puzzleyard_sudoku::{Grid, solve::solutions};
///
/// assert_eq!(solutions(&Grid::EMPTY).take(1000).count(), 1000);
/// ```
pub fn solutions(grid: &Grid) -> Solutions {
    Solutions {
        #[cfg(target_arch = "x86_64")]
        search: Width::Slim(Box::new(Search::new(grid))),
        #[cfg(not(target_arch = "x86_64"))]
        search: Width::Plain(Box::new(Search::new(grid))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Solutions, solutions};
    use crate::model::Grid;

    #[test]
    fn the_plain_twin_finds_the_same_in_the_same_order() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7."
                .parse()
                .unwrap();
        let puzzle = puzzle
            .with(0, 0)
            .with(1, 0)
            .with(4, 0)
            .with(9, 0)
            .with(13, 0);
        let (mut one, mut two) = (solutions(&puzzle), Solutions::plain(&puzzle));
        let found: Vec<Grid> = one.by_ref().take(5000).collect();
        assert_eq!(found, two.by_ref().take(5000).collect::<Vec<_>>());
        assert_eq!(one.guesses(), two.guesses());
        assert!(found.len() > 1);
    }
}
