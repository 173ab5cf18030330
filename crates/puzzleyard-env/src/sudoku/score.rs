//! What an episode is worth, part by part.

use puzzleyard_sudoku::{Board, Grid, rules};
use serde::{Deserialize, Serialize};

use crate::points::Points;

/// For the first valid placement in a cell.
pub(super) const VALID: Points = Points::tenths(1);
/// For clearing an own digit.
pub(super) const BACKTRACK: Points = Points::tenths(-1);
/// For an invalid move.
pub(super) const INVALID: Points = Points::tenths(-2);
const SOLVED: Points = Points::tenths(50);
const COMPLETE: Points = Points::tenths(10);
const VIOLATION: Points = Points::tenths(-1);
const EFFICIENCY: i64 = 1;
const PARTIAL: i64 = 2;
/// No solved episode is worth less; no unsolved one reaches it (`docs/sudoku-episode.md`).
const FLOOR: Points = Points::tenths(92);

/// What an episode is worth: named parts, and their exact sum. Each is a whole number of
/// millionths of a point.
///
/// The first three add up turn by turn; the others are those of the present board, as if the
/// episode ended now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// +0.1 for each cell that once got a digit without conflict.
    pub valid_moves: f64,
    /// -0.1 for each own digit cleared.
    pub backtracks: f64,
    /// -0.2 for each invalid move.
    pub invalid_moves: f64,
    /// +5 if solved.
    pub solved: f64,
    /// If solved, the share of turns not used.
    pub efficiency: f64,
    /// +1 if every cell is filled.
    pub complete: f64,
    /// 2 times the share of the empty cells that are filled now.
    pub partial: f64,
    /// -0.1 for each digit of a unit beyond its first.
    pub violations: f64,
    /// If solved, what lifts the total to 9.2.
    pub solved_floor: f64,
    /// The sum of all parts, which is the reward.
    pub total: f64,
}

impl Score {
    /// The names of the parts, in the order of the fields, without the total.
    pub const PARTS: [&'static str; 9] = [
        "valid_moves",
        "backtracks",
        "invalid_moves",
        "solved",
        "efficiency",
        "complete",
        "partial",
        "violations",
        "solved_floor",
    ];

    /// The values of the parts, in the order of [`Self::PARTS`].
    pub fn parts(&self) -> [f64; 9] {
        [
            self.valid_moves,
            self.backtracks,
            self.invalid_moves,
            self.solved,
            self.efficiency,
            self.complete,
            self.partial,
            self.violations,
            self.solved_floor,
        ]
    }
}

/// What the moves of an episode came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Cells credited.
    pub(super) credited: u64,
    /// Digits cleared.
    pub(super) cleared: u64,
    /// Invalid moves.
    pub(super) invalid: u64,
    /// Turns used.
    pub(super) turns: u64,
}

/// How often a digit stands in a unit beyond the first time, over all 27 units.
pub(super) fn violations(board: &Grid) -> u64 {
    let found = rules::conflicts(&Board::from(*board));
    found.iter().map(|one| one.cells.len() as u64 - 1).sum()
}

/// The score of `board` after `tally`, of `empty` cells at the start and `max_turns`.
pub(super) fn score(board: &Grid, empty: u64, max_turns: u64, tally: &Tally) -> Score {
    let filled = empty - (81 - board.clues() as u64).min(empty);
    let broken = violations(board);
    let full = board.is_full();
    let solved = full && broken == 0;
    let if_so = |so: bool, points: Points| if so { points } else { Points::default() };
    let left = max_turns.saturating_sub(tally.turns);
    let parts = [
        VALID * tally.credited,
        BACKTRACK * tally.cleared,
        INVALID * tally.invalid,
        if_so(solved, SOLVED),
        if_so(solved, Points::share(EFFICIENCY, left, max_turns)),
        if_so(full, COMPLETE),
        Points::share(PARTIAL, filled, empty),
        VIOLATION * broken,
    ];
    let sum: Points = parts.into_iter().sum();
    let lift = if_so(solved, sum.missing_to(FLOOR));
    let [
        valid_moves,
        backtracks,
        invalid_moves,
        solved,
        efficiency,
        complete,
        partial,
        violations,
    ] = parts.map(Points::value);
    Score {
        valid_moves,
        backtracks,
        invalid_moves,
        solved,
        efficiency,
        complete,
        partial,
        violations,
        solved_floor: lift.value(),
        total: (sum + lift).value(),
    }
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "points are exact: the same quotient on both sides"
)]
mod tests {
    use super::{Tally, score, violations};
    use puzzleyard_sudoku::Grid;

    #[test]
    fn violations_count_occurrences_beyond_the_first() {
        // Three in a row, of which two in a box; one of them and a fourth in a column.
        let grid = Grid::EMPTY.with(0, 5).with(1, 5).with(8, 5).with(80, 5);
        assert_eq!(violations(&grid), 2 + 1 + 1);
    }

    #[test]
    fn an_empty_episode_is_worth_nothing() {
        let nothing = score(&Grid::EMPTY, 81, 50, &Tally::default());
        assert_eq!(nothing.total, 0.0);
        assert_eq!(nothing.parts(), [0.0; 9]);
    }
}
