//! What an episode is worth, part by part.

use serde::{Deserialize, Serialize};

use super::Optimum;
use crate::points::Points;

/// For an invalid turn.
pub(super) const INVALID: Points = Points::tenths(-1);
const SOLVED: Points = Points::tenths(50);
const BOXES: i64 = 2;
const EFFICIENCY: i64 = 1;
const LENGTH: i64 = 1;
/// No solved episode is worth less; no unsolved one reaches 2.
const FLOOR: Points = Points::tenths(30);

/// What an episode is worth: named parts, and their exact sum. Each is a whole number of
/// millionths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// -0.1 for each invalid turn.
    pub invalid_moves: f64,
    /// 2 times the boxes on goals now beyond those at the start, as a share of what was missing
    /// then. Never below 0.
    pub boxes: f64,
    /// +5 if solved.
    pub solved: f64,
    /// If solved, the share of turns not used.
    pub efficiency: f64,
    /// If solved and the optimum is known, the fewest pushes as a share of those made.
    pub length: f64,
    /// If solved, what lifts the total to 3.
    pub solved_floor: f64,
    /// The sum of all parts, which is the reward.
    pub total: f64,
}

impl Score {
    /// The names of the parts, in the order of the fields, without the total.
    pub const PARTS: [&'static str; 6] = [
        "invalid_moves",
        "boxes",
        "solved",
        "efficiency",
        "length",
        "solved_floor",
    ];

    /// The values of the parts, in the order of [`Self::PARTS`].
    pub fn parts(&self) -> [f64; 6] {
        [
            self.invalid_moves,
            self.boxes,
            self.solved,
            self.efficiency,
            self.length,
            self.solved_floor,
        ]
    }
}

/// What an episode came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Turns used.
    pub(super) turns: u64,
    /// How many there are.
    pub(super) max_turns: u64,
    /// Invalid turns.
    pub(super) invalid: u64,
    /// Pushes.
    pub(super) pushes: u64,
    /// Boxes on goals at the start.
    pub(super) at_start: u64,
    /// Boxes on goals now.
    pub(super) on_goals: u64,
    /// Boxes in all.
    pub(super) boxes: u64,
}

/// The score after `tally`.
pub(super) fn score(tally: &Tally, optimum: Option<Optimum>) -> Score {
    let solved = tally.on_goals >= tally.boxes;
    let if_so = |so: bool, points: Points| if so { points } else { Points::default() };
    let gained = tally.on_goals.saturating_sub(tally.at_start);
    let left = tally.max_turns.saturating_sub(tally.turns);
    let fewest = optimum.map_or(0, |optimum| u64::from(optimum.pushes).min(tally.pushes));
    let parts = [
        INVALID * tally.invalid,
        Points::share(BOXES, gained, tally.boxes.saturating_sub(tally.at_start)),
        if_so(solved, SOLVED),
        if_so(solved, Points::share(EFFICIENCY, left, tally.max_turns)),
        if_so(solved, Points::share(LENGTH, fewest, tally.pushes)),
    ];
    let sum: Points = parts.into_iter().sum();
    let lift = if_so(solved, sum.missing_to(FLOOR));
    let [invalid_moves, boxes, solved, efficiency, length] = parts.map(Points::value);
    Score {
        invalid_moves,
        boxes,
        solved,
        efficiency,
        length,
        solved_floor: lift.value(),
        total: (sum + lift).value(),
    }
}
