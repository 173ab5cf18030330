//! An order in which to fill the goals, found by emptying them.
//!
//! From the board with a box on every goal, boxes are pulled out one after another, each to
//! a square where a box stands at the start, the other boxes on goals standing as walls. The
//! box with the shortest way out goes first, so the order read backwards fills the far end of
//! a room before its door (the packing order of JSoko and Rolling Stone's goal macros have
//! the same root: Junghanns and Schaeffer 2001, section 4.6). Only a preference rests on it,
//! never a pruning.

use puzzleyard_core::Limit;

use super::board::{Board, Sq, WAYS};
use super::budget::Budget;

/// Above this many squares times goals squared the order costs more than it gives.
const WORK_MOST: usize = 4_000_000;

/// The goals, first to fill first; empty if the board is too large for it.
pub(super) fn order(board: &Board, budget: &mut Budget<'_>) -> Result<Vec<Sq>, Limit> {
    let goals = board.goals().len();
    if board.len().saturating_mul(goals * goals) > WORK_MOST || !board.fills_all_goals() {
        return Ok(Vec::new());
    }
    let scratch = board.len() * 30;
    budget.take(scratch + goals * 4)?;
    let mut room = Room::new(board);
    let mut left: Vec<Sq> = board.goals().to_vec();
    let mut emptied = Vec::with_capacity(goals);
    while !left.is_empty() {
        budget.poll()?;
        let ways_out = left.iter().map(|&goal| room.way_out(board, goal));
        let found = ways_out
            .enumerate()
            .filter_map(|(at, length)| Some((length?, at)))
            .min();
        // What cannot be emptied is filled first.
        let Some((_, at)) = found else {
            emptied.append(&mut left);
            break;
        };
        let goal = left.remove(at);
        room.taken[goal as usize] = false;
        emptied.push(goal);
    }
    budget.give(scratch);
    emptied.reverse();
    Ok(emptied)
}

/// The board while it is being emptied.
struct Room {
    /// Walls, and goals that still hold a box.
    taken: Vec<bool>,
    is_home: Vec<bool>,
    /// Bit `way` of a square: a box there was seen with the player beside it that way.
    seen: Vec<u8>,
    reached: Vec<bool>,
    walk: Vec<Sq>,
    open: Vec<(Sq, Sq, u32)>,
}

impl Room {
    fn new(board: &Board) -> Self {
        let mut taken = vec![false; board.len() + 1];
        taken[board.len()] = true;
        for &goal in board.goals() {
            taken[goal as usize] = true;
        }
        let mut is_home = vec![false; board.len() + 1];
        for &sq in board.boxes() {
            is_home[sq as usize] = true;
        }
        Self {
            taken,
            is_home,
            seen: vec![0; board.len()],
            reached: vec![false; board.len() + 1],
            walk: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The least number of pulls that bring the box on `goal` to where a box starts.
    fn way_out(&mut self, board: &Board, goal: Sq) -> Option<u32> {
        if self.is_home[goal as usize] {
            return Some(0);
        }
        self.taken[goal as usize] = false;
        self.seen.fill(0);
        self.open.clear();
        // At the end of play the player may be anywhere.
        for way in WAYS {
            let beside = board.next(goal, way);
            if !self.taken[beside as usize] {
                self.open.push((goal, beside, 0));
            }
        }
        let mut at = 0;
        let mut found = None;
        while at < self.open.len() && found.is_none() {
            let (sq, player, pulls) = self.open[at];
            at += 1;
            found = self.pull(board, sq, player, pulls);
        }
        self.taken[goal as usize] = true;
        found
    }

    /// Adds the states one pull away. Returns the number of pulls if one of them is home.
    fn pull(&mut self, board: &Board, sq: Sq, player: Sq, pulls: u32) -> Option<u32> {
        self.flood(board, sq, player);
        for way in WAYS {
            let stand = board.next(sq, way);
            if !self.reached[stand as usize] || self.seen[sq as usize] >> way & 1 == 1 {
                continue;
            }
            self.seen[sq as usize] |= 1 << way;
            let back = board.next(stand, way);
            if self.taken[back as usize] {
                continue;
            }
            if self.is_home[stand as usize] {
                return Some(pulls + 1);
            }
            self.open.push((stand, back, pulls + 1));
        }
        None
    }

    fn flood(&mut self, board: &Board, sq: Sq, player: Sq) {
        self.reached.fill(false);
        self.walk.clear();
        self.walk.push(player);
        self.reached[player as usize] = true;
        while let Some(at) = self.walk.pop() {
            for &to in board.neighbours(at) {
                if !self.reached[to as usize] && !self.taken[to as usize] && to != sq {
                    self.reached[to as usize] = true;
                    self.walk.push(to);
                }
            }
        }
    }
}
