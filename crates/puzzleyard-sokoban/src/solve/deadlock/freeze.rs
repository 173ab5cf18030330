//! Boxes that can never move again.
//!
//! A box is blocked along an axis if a wall stands on either side, if both ways along it lead
//! to squares without a goal in reach, or if a box that is itself stuck stands on either side
//! (Junghanns and Schaeffer 2001, section 4.2; the wiki of sokobano.de, "How to detect
//! deadlocks"). The usual recursion takes exponential time in large blocks of boxes. Here the
//! largest set of boxes that block one another is found by striking out, one after another,
//! those that are not blocked by the rest.

use puzzleyard_core::Limit;

use crate::solve::board::{Board, Sq, WAYS};
use crate::solve::budget::Budget;
use crate::solve::distance::Distances;
use crate::solve::position::Position;

/// Bits of the two ways along each axis: up and down, left and right.
const AXES: [(u8, usize); 2] = [(0b0011, 0), (0b1100, 2)];

/// What became of a pushed box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Frozen {
    /// It can move, as far as this test sees.
    No,
    /// It is stuck, and so may be others, all on goals.
    OnGoals,
    /// A two by two block of walls and boxes with a box off its goal.
    TwoByTwo,
    /// Some stuck box is off its goal.
    OffGoal,
}

/// Working space of the test.
pub(in crate::solve) struct Freeze {
    /// Whether the box on a square is, so far, believed to be stuck.
    stuck: Vec<bool>,
    cluster: Vec<Sq>,
    work: Vec<Sq>,
}

impl Freeze {
    pub(in crate::solve) fn new(board: &Board, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let boxes = board.boxes().len();
        budget.take(boxes * 4 * 6)?;
        Ok(Self {
            stuck: budget.filled(false, board.len() + 1)?,
            cluster: Vec::with_capacity(boxes),
            work: Vec::with_capacity(boxes * 5),
        })
    }

    /// What the push that brought a box to `sq` has led to.
    pub(in crate::solve) fn test(
        &mut self,
        board: &Board,
        distances: &Distances,
        position: &Position,
        sq: Sq,
    ) -> Frozen {
        if two_by_two(board, position, sq) {
            return Frozen::TwoByTwo;
        }
        self.gather(board, position, sq);
        if !self.strike(board, distances, sq) {
            self.clear();
            return Frozen::No;
        }
        let lost = |&sq: &Sq| self.stuck[sq as usize] && !board.is_goal(sq);
        let verdict = if self.cluster.iter().any(lost) {
            Frozen::OffGoal
        } else {
            Frozen::OnGoals
        };
        self.clear();
        verdict
    }

    /// All boxes that are stuck on goals, in the order of `position`.
    pub(in crate::solve) fn all_stuck(
        &mut self,
        board: &Board,
        distances: &Distances,
        position: &Position,
        found: &mut Vec<Sq>,
    ) {
        found.clear();
        self.cluster.clear();
        self.cluster.extend_from_slice(&position.boxes);
        for &sq in &self.cluster {
            self.stuck[sq as usize] = true;
        }
        self.strike(board, distances, board.wall());
        found.extend(
            self.cluster
                .iter()
                .filter(|&&sq| self.stuck[sq as usize] && board.is_goal(sq)),
        );
        self.clear();
    }

    /// The boxes that touch the one on `sq`, directly or through others.
    fn gather(&mut self, board: &Board, position: &Position, sq: Sq) {
        self.cluster.clear();
        self.cluster.push(sq);
        self.stuck[sq as usize] = true;
        let mut at = 0;
        while at < self.cluster.len() {
            for &to in board.neighbours(self.cluster[at]) {
                if !self.stuck[to as usize] && position.box_on(to).is_some() {
                    self.stuck[to as usize] = true;
                    self.cluster.push(to);
                }
            }
            at += 1;
        }
    }

    /// Strikes out boxes that the rest does not hold. False as soon as the box on `sq` goes.
    fn strike(&mut self, board: &Board, distances: &Distances, sq: Sq) -> bool {
        self.work.clear();
        // The pushed box is looked at first: mostly it is free, and nothing else matters.
        self.work.extend(self.cluster.iter().rev());
        while let Some(at) = self.work.pop() {
            if !self.stuck[at as usize] || self.is_held(board, distances, at) {
                continue;
            }
            if at == sq {
                return false;
            }
            self.stuck[at as usize] = false;
            for way in WAYS {
                let to = board.next(at, way);
                if self.stuck[to as usize] {
                    self.work.push(to);
                }
            }
        }
        true
    }

    fn is_held(&self, board: &Board, distances: &Distances, sq: Sq) -> bool {
        AXES.iter().all(|&(bits, way)| {
            distances.open(sq) & bits == 0
                || self.stuck[board.next(sq, way) as usize]
                || self.stuck[board.next(sq, way + 1) as usize]
        })
    }

    fn clear(&mut self) {
        for &sq in &self.cluster {
            self.stuck[sq as usize] = false;
        }
    }
}

/// Whether `sq` is part of a two by two block of walls and boxes, some box of it off a goal.
fn two_by_two(board: &Board, position: &Position, sq: Sq) -> bool {
    [0, 1].into_iter().any(|vertical| {
        [2, 3].into_iter().any(|level| {
            let (up, side) = (board.next(sq, vertical), board.next(sq, level));
            if position.is_free(up) || position.is_free(side) {
                return false;
            }
            // A wall has no neighbours; the corner is found from either square that is floor.
            let corner = match (up == board.wall(), side == board.wall()) {
                (false, _) => board.next(up, level),
                (true, false) => board.next(side, vertical),
                (true, true) => board.wall(),
            };
            if !position.is_free(corner) {
                let lost = |sq: Sq| sq != board.wall() && !board.is_goal(sq);
                return [sq, up, side, corner].into_iter().any(lost);
            }
            false
        })
    })
}
