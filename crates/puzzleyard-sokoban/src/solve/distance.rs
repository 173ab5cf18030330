//! How many pushes a lone box needs to each goal, from each side.

use puzzleyard_core::Limit;

use super::board::{Board, Sq, WAYS};
use super::budget::Budget;

/// No goal can be reached.
pub(super) const NEVER: u16 = u16::MAX;

/// The longest distance that is told apart; longer ones count as this one, which keeps every
/// sum of distances a lower bound.
const FARTHEST: u16 = u16::MAX - 1;

/// Above this many bytes only distances to the nearest goal are kept.
const TABLE_BYTES: usize = 256 << 20;

/// Push distances of a lone box, by side and goal.
///
/// Found by pulling a box from each goal over the sides of the board, so that a turn which
/// the box itself makes impossible for the player is not counted as possible.
pub(super) struct Distances {
    goals: usize,
    /// `[side][goal]`; empty if the table would be too large.
    table: Vec<u16>,
    nearest: Vec<u16>,
    /// Bit `way` of a square: a box on it can be pushed that way with some goal left to it,
    /// as far as walls go.
    open: Vec<u8>,
}

impl Distances {
    /// Bytes of the distances on `board` when they are full.
    pub(super) fn bytes(board: &Board) -> usize {
        board.sides() * 2 * (board.goals().len() + 1) + board.len() + 1
    }

    /// Distances on `board` among `stuck` boxes, each a wall to the others and with no goal
    /// but the one it stands on. Sides stay those of the bare board, so that the distances
    /// may be shorter than with the player's detours counted in full, never longer.
    pub(super) fn new(board: &Board, stuck: &[Sq], budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let goals = board.goals().len();
        let sides = board.sides();
        let bytes = sides.saturating_mul(goals).saturating_mul(2);
        let cap = TABLE_BYTES.min((budget.memory() / 4).try_into().unwrap_or(usize::MAX));
        let mut table = if bytes <= cap {
            budget.filled(NEVER, sides * goals)?
        } else {
            Vec::new()
        };
        let mut nearest = budget.filled(NEVER, sides)?;
        let scratch = sides * 10 + board.len() + 1;
        budget.take(scratch)?;
        let mut wall = vec![false; board.len() + 1];
        wall[board.len()] = true;
        for &sq in stuck {
            wall[sq as usize] = true;
        }
        let square: Vec<Sq> = (0..board.len() as Sq)
            .flat_map(|sq| board.sides_of(sq).map(move |_| sq))
            .collect();
        if !table.is_empty() {
            let mut lone = vec![NEVER; sides];
            for (goal, &sq) in board.goals().iter().enumerate() {
                pull(board, &square, &wall, &[sq], &mut lone, budget)?;
                for (side, distance) in lone.iter_mut().enumerate() {
                    table[side * goals + goal] = *distance;
                    *distance = NEVER;
                }
            }
        }
        pull(board, &square, &wall, board.goals(), &mut nearest, budget)?;
        let mut open = budget.filled(0u8, board.len() + 1)?;
        for sq in 0..board.len() as Sq {
            for way in WAYS {
                let to = board.next(sq, way);
                let stand = board.next(sq, way ^ 1);
                if !wall[sq as usize]
                    && !wall[to as usize]
                    && !wall[stand as usize]
                    && (board.has_spare_boxes()
                        || nearest[board.side_towards(to, way ^ 1) as usize] != NEVER)
                {
                    open[sq as usize] |= 1 << way;
                }
            }
        }
        budget.give(scratch);
        Ok(Self {
            goals,
            table,
            nearest,
            open,
        })
    }

    /// Distances given as they are, `[side][goal]`.
    #[cfg(test)]
    pub(super) fn of_table(goals: usize, table: Vec<u16>) -> Self {
        Self {
            goals,
            table,
            nearest: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Whether distances to each goal are known, not only to the nearest.
    pub(super) fn is_full(&self) -> bool {
        !self.table.is_empty() || self.goals == 0
    }

    /// The distances from `side` to each goal. Only if [`Distances::is_full`].
    #[inline]
    pub(super) fn row(&self, side: u32) -> &[u16] {
        &self.table[side as usize * self.goals..(side as usize + 1) * self.goals]
    }

    /// The distance from `side` to the nearest goal.
    #[inline]
    pub(super) fn nearest(&self, side: u32) -> u16 {
        self.nearest[side as usize]
    }

    /// The ways a box on `sq` can be pushed without being lost, as far as walls go: one bit
    /// a way.
    #[inline]
    pub(super) fn open(&self, sq: Sq) -> u8 {
        self.open[sq as usize]
    }
}

/// Breadth-first pulls from `goals` over sides.
fn pull(
    board: &Board,
    square: &[Sq],
    wall: &[bool],
    goals: &[Sq],
    distance: &mut [u16],
    budget: &Budget<'_>,
) -> Result<(), Limit> {
    let mut queue: Vec<u32> = Vec::new();
    for &goal in goals {
        for side in board.sides_of(goal) {
            distance[side] = 0;
            queue.push(side as u32);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        if at % 1024 == 0 {
            budget.poll()?;
        }
        let side = queue[at];
        at += 1;
        let sq = square[side as usize];
        let farther = (distance[side as usize] + 1).min(FARTHEST);
        for way in WAYS {
            // The box came from `from`, where the player stands after the push.
            let from = board.next(sq, way ^ 1);
            if wall[sq as usize]
                || wall[from as usize]
                || wall[board.next(from, way ^ 1) as usize]
                || board.side_towards(sq, way ^ 1) != side
            {
                continue;
            }
            let before = board.side_towards(from, way ^ 1);
            if distance[before as usize] == NEVER {
                distance[before as usize] = farther;
                queue.push(before);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use puzzleyard_core::{Limits, Stop, Stream};

    use super::{Distances, NEVER};
    use crate::solve::board::{Board, Sq};
    use crate::solve::budget::Budget;
    use crate::solve::sample;

    /// Single steps of a player with one box, counted in pushes.
    fn slow(board: &Board, from: Sq, player: Sq) -> BTreeMap<Sq, u16> {
        let mut best = BTreeMap::from([((from, player), 0u16)]);
        let mut queue = VecDeque::from([(from, player)]);
        while let Some((crate_box, player)) = queue.pop_front() {
            let cost = best[&(crate_box, player)];
            for way in 0..4 {
                let to = board.next(player, way);
                if to == board.wall() {
                    continue;
                }
                let (moved, price) = if to == crate_box {
                    (board.next(to, way), 1)
                } else {
                    (crate_box, 0)
                };
                if moved == board.wall() {
                    continue;
                }
                let known = best.entry((moved, to)).or_insert(NEVER);
                if cost + price < *known {
                    *known = cost + price;
                    queue.push_back((moved, to));
                }
            }
        }
        let mut pushes = BTreeMap::new();
        for (&(crate_box, _), &cost) in &best {
            let known = pushes.entry(crate_box).or_insert(cost);
            *known = cost.min(*known);
        }
        pushes
    }

    #[test]
    fn distances_agree_with_single_steps() {
        for seed in 0..60 {
            let level = sample::level(&Stream::new(seed, "distance"), 7, 7, 2, 35);
            let stop = Stop::new();
            let mut budget = Budget::new(&Limits::default(), &stop);
            let board = Board::new(&level, &mut budget).expect("no limits");
            let distances = Distances::new(&board, &[], &mut budget).expect("no limits");
            for sq in 0..board.len() as Sq {
                for player in (0..board.len() as Sq).filter(|&player| player != sq) {
                    let expected = slow(&board, sq, player);
                    let side = board.side(sq, player);
                    let mut nearest = NEVER;
                    for (goal, at) in board.goals().iter().enumerate() {
                        let distance = expected.get(at).copied().unwrap_or(NEVER);
                        assert_eq!(distances.row(side)[goal], distance);
                        nearest = nearest.min(distance);
                    }
                    assert_eq!(distances.nearest(side), nearest);
                }
            }
        }
    }
}
