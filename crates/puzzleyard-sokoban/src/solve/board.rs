//! A level as a graph: floor squares numbered from 0, and for each square the parts that the
//! floor falls into when a box stands there.
//!
//! Length: `find_sides` is one depth-first walk; its two halves share the stack and the clock.

use puzzleyard_core::{Cell, Direction, Limit};

use super::budget::Budget;
use crate::rules::Level;

/// The number of a floor square. [`Board::wall`] stands for every wall.
pub(super) type Sq = u32;

/// The directions by number; `way ^ 1` is the way back.
pub(super) const WAYS: [usize; 4] = [0, 1, 2, 3];

/// The part of the floor below one square in the depth-first tree.
#[derive(Clone, Copy)]
struct Branch {
    first: u32,
    last: u32,
    part: u8,
}

/// Floor squares, row by row, with neighbours and sides.
///
/// A *side* is a square together with the part of the floor that the player is in while a
/// box stands there. A lone box's future depends on its side and on nothing else.
pub(super) struct Board {
    cells: Vec<Cell>,
    next: Vec<[Sq; 4]>,
    goal: Vec<bool>,
    goals: Vec<Sq>,
    /// The first side of each square, and one past the last side at the end.
    first_side: Vec<u32>,
    /// The part that each neighbour is in, by direction; 0 for walls.
    part: Vec<[u8; 4]>,
    order: Vec<u32>,
    branches: Vec<[Branch; 4]>,
    boxes: Vec<Sq>,
    player: Sq,
    needed: usize,
}

impl Board {
    pub(super) fn new(level: &Level, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let area = level.area();
        let count = level.inside().len();
        let per_square = size_of::<Cell>() + 16 + 1 + 4 + 4 + 4 + size_of::<[Branch; 4]>();
        budget.take((count + 1) * per_square + area.len() * 4)?;
        let wall = count as Sq;
        let mut number = vec![wall; area.len()];
        let cells: Vec<Cell> = level.inside().iter().collect();
        for (sq, &cell) in cells.iter().enumerate() {
            number[area.index(cell)] = sq as Sq;
        }
        let mut next = vec![[wall; 4]; count + 1];
        for (sq, &cell) in cells.iter().enumerate() {
            for way in Direction::ALL {
                if let Some(cell) = area.neighbour(cell, way) {
                    next[sq][way as usize] = number[area.index(cell)];
                }
            }
        }
        let at = |cell: Cell| number[area.index(cell)];
        let goals: Vec<Sq> = level.goals().iter().map(at).collect();
        let boxes: Vec<Sq> = level.start().boxes.iter().map(at).collect();
        let player = at(level.start().player);
        let mut goal = vec![false; count + 1];
        for &sq in &goals {
            goal[sq as usize] = true;
        }
        budget.give(area.len() * 4);
        let mut board = Self {
            cells,
            next,
            goal,
            goals,
            first_side: Vec::new(),
            part: Vec::new(),
            order: Vec::new(),
            branches: Vec::new(),
            boxes,
            player,
            needed: level.boxes_needed(),
        };
        board.find_sides(budget)?;
        Ok(board)
    }

    /// Number of floor squares; also the number that stands for a wall.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cell of a square.
    pub(super) fn cell(&self, sq: Sq) -> Cell {
        self.cells[sq as usize]
    }

    /// The number that stands for a wall.
    pub(super) fn wall(&self) -> Sq {
        self.cells.len() as Sq
    }

    #[inline]
    pub(super) fn next(&self, sq: Sq, way: usize) -> Sq {
        self.next[sq as usize][way]
    }

    #[inline]
    pub(super) fn neighbours(&self, sq: Sq) -> &[Sq; 4] {
        &self.next[sq as usize]
    }

    #[inline]
    pub(super) fn is_goal(&self, sq: Sq) -> bool {
        self.goal[sq as usize]
    }

    pub(super) fn goals(&self) -> &[Sq] {
        &self.goals
    }

    /// The boxes at the start.
    pub(super) fn boxes(&self) -> &[Sq] {
        &self.boxes
    }

    /// The player's square at the start.
    pub(super) fn player(&self) -> Sq {
        self.player
    }

    /// How many boxes must stand on goals.
    pub(super) fn needed(&self) -> usize {
        self.needed
    }

    /// Whether some boxes may be left over. Then no box is dead by itself.
    pub(super) fn has_spare_boxes(&self) -> bool {
        self.boxes.len() > self.needed
    }

    /// Whether every goal must be filled.
    pub(super) fn fills_all_goals(&self) -> bool {
        self.goals.len() == self.needed
    }

    /// Number of sides of all squares.
    pub(super) fn sides(&self) -> usize {
        self.first_side[self.len()] as usize
    }

    /// The sides of `sq`.
    pub(super) fn sides_of(&self, sq: Sq) -> std::ops::Range<usize> {
        self.first_side[sq as usize] as usize..self.first_side[sq as usize + 1] as usize
    }

    /// The side of a box on `sq` for a player on the neighbour that way.
    #[inline]
    pub(super) fn side_towards(&self, sq: Sq, way: usize) -> u32 {
        self.first_side[sq as usize] + u32::from(self.part[sq as usize][way])
    }

    /// The side of a box on `sq` for a player on `player`, another square.
    #[inline]
    pub(super) fn side(&self, sq: Sq, player: Sq) -> u32 {
        let first = self.first_side[sq as usize];
        if self.first_side[sq as usize + 1] - first == 1 {
            return first;
        }
        first + u32::from(self.part_of(sq, player))
    }

    fn part_of(&self, sq: Sq, player: Sq) -> u8 {
        let order = self.order[player as usize];
        self.branches[sq as usize]
            .iter()
            .find(|branch| branch.first <= order && order <= branch.last)
            .map_or(0, |branch| branch.part)
    }

    /// One depth-first walk (Tarjan, "Depth-first search and linear graph algorithms", 1972):
    /// below a square, a branch that reaches nothing above it is cut off by a box there.
    fn find_sides(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        const NEW: u32 = u32::MAX;
        let count = self.len();
        let wall = self.wall();
        let empty = Branch {
            first: 1,
            last: 0,
            part: 0,
        };
        let scratch = count * 24;
        budget.take(scratch)?;
        self.order = vec![NEW; count];
        self.branches = vec![[empty; 4]; count];
        let mut low = vec![NEW; count];
        let mut parent = vec![wall; count];
        let mut walk: Vec<(Sq, usize)> = Vec::with_capacity(count);
        let mut clock = 0;
        let mut parts = vec![1u8; count];
        if count > 0 {
            self.order[self.player as usize] = 0;
            low[self.player as usize] = 0;
            clock = 1;
            walk.push((self.player, 0));
            // No part lies above the root.
            parts[self.player as usize] = 0;
        }
        while let Some(&mut (sq, ref mut way)) = walk.last_mut() {
            let at = sq as usize;
            if *way < 4 {
                let to = self.next[at][*way];
                *way += 1;
                if to == wall {
                    continue;
                }
                if self.order[to as usize] == NEW {
                    self.order[to as usize] = clock;
                    low[to as usize] = clock;
                    clock += 1;
                    parent[to as usize] = sq;
                    walk.push((to, 0));
                } else if to != parent[at] {
                    low[at] = low[at].min(self.order[to as usize]);
                }
                continue;
            }
            walk.pop();
            let up = parent[at];
            if up == wall {
                continue;
            }
            let up = up as usize;
            low[up] = low[up].min(low[at]);
            if low[at] >= self.order[up] {
                let slot = self.branches[up]
                    .iter()
                    .position(|branch| branch.last < branch.first);
                if let Some(slot) = slot {
                    self.branches[up][slot] = Branch {
                        first: self.order[at],
                        last: clock - 1,
                        part: parts[up],
                    };
                    parts[up] += 1;
                }
            }
        }
        self.number_sides(&parts);
        budget.give(scratch);
        Ok(())
    }

    /// Numbers the sides, given how many parts the floor falls into around each square.
    fn number_sides(&mut self, parts: &[u8]) {
        let (count, wall) = (self.len(), self.wall());
        self.first_side = Vec::with_capacity(count + 1);
        let mut sides = 0;
        for &parts in parts {
            self.first_side.push(sides);
            sides += u32::from(parts.max(1));
        }
        self.first_side.push(sides);
        self.part = vec![[0; 4]; count];
        for sq in 0..count {
            for way in WAYS {
                let to = self.next[sq][way];
                if to != wall {
                    self.part[sq][way] = self.part_of(sq as Sq, to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_core::{Limits, Stop, Stream};

    use super::{Board, Sq, WAYS};
    use crate::solve::budget::Budget;
    use crate::solve::sample;

    /// Parts found by one walk are those found by a flood for each square.
    #[test]
    fn sides_agree_with_floods() {
        for seed in 0..300 {
            let level = sample::level(&Stream::new(seed, "sides"), 9, 9, 2, 40);
            let stop = Stop::new();
            let mut budget = Budget::new(&Limits::default(), &stop);
            let board = Board::new(&level, &mut budget).expect("no limits");
            for sq in 0..board.len() as Sq {
                let mut seen = Vec::new();
                for player in (0..board.len() as Sq).filter(|&player| player != sq) {
                    let region = flood(&board, sq, player);
                    let side = board.side(sq, player);
                    match seen.iter().find(|(known, _)| *known == side) {
                        Some((_, known)) => assert_eq!(*known, region),
                        None => seen.push((side, region)),
                    }
                    for way in WAYS
                        .into_iter()
                        .filter(|&way| board.next(sq, way) == player)
                    {
                        assert_eq!(board.side_towards(sq, way), side);
                    }
                }
                assert_eq!(seen.len().max(1), board.sides_of(sq).len());
            }
        }
    }

    fn flood(board: &Board, blocked: Sq, from: Sq) -> Vec<Sq> {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            for &to in board.neighbours(seen[at]) {
                if to != board.wall() && to != blocked && !seen.contains(&to) {
                    seen.push(to);
                }
            }
            at += 1;
        }
        seen.sort_unstable();
        seen
    }
}
