//! Taking clues away while the solution stays the only one.

use super::cells::{ALL, Cells};
use super::dice::Dice;
use super::search::Solution;

/// How many clues the first test of a bulk leaves.
const BULK: u32 = 40;
/// The cells of the largest unavoidable set that is looked for at the start.
const SIZE: u32 = 12;
/// How many rounds of exchange a grid is worth.
const ROUNDS: u32 = 80;
/// How many groups of cells a round of exchange puts back.
const BACK: usize = 3;

/// A full grid whose clues are being taken away.
#[derive(Debug)]
pub(super) struct Carver<'a> {
    solution: &'a Solution,
    /// Sets of cells in which some other arrangement of the same digits differs (unavoidable
    /// sets): each puzzle needs a clue in every one of them.
    unavoidable: Vec<Cells>,
}

impl<'a> Carver<'a> {
    pub(super) fn new(solution: &'a Solution) -> Self {
        Self {
            solution,
            unavoidable: solution.cycles(SIZE),
        }
    }

    /// Whether these clues have one solution.
    fn is_unique(&mut self, clues: Cells) -> bool {
        if self.unavoidable.iter().any(|set| set & clues == 0) {
            return false;
        }
        let other = self.solution.other(clues);
        self.unavoidable.extend(other);
        other.is_none()
    }

    /// Whether the clues keep their one solution without those of `group`.
    fn spares(&mut self, clues: Cells, group: Cells) -> bool {
        let less = clues & !group;
        if self.unavoidable.iter().any(|set| set & less == 0) {
            return false;
        }
        let other = if group.is_power_of_two() {
            self.solution.other_at(clues, group)
        } else {
            self.solution.other(less)
        };
        self.unavoidable.extend(other);
        other.is_none()
    }

    /// Goes through the groups in order and takes each away if the solution stays the only one
    /// and at least `target` clues stay. Ends at `target` clues.
    pub(super) fn greedy<'b>(
        &mut self,
        clues: Cells,
        groups: impl IntoIterator<Item = &'b Cells>,
        target: u32,
    ) -> Cells {
        let mut clues = clues;
        for group in groups {
            if clues.count_ones() <= target {
                break;
            }
            let less = clues & !group;
            if less != clues && less.count_ones() >= target && self.spares(clues, *group) {
                clues = less;
            }
        }
        clues
    }

    /// [`Self::greedy`] from the full grid, with the same result: the longest run of groups at
    /// the front that may all go is found with few tests.
    pub(super) fn thin_out(&mut self, groups: &[Cells], target: u32) -> Cells {
        let left_by = |count: usize| {
            groups[..count]
                .iter()
                .fold(ALL, |left, group| left & !group)
        };
        let stop = target.max(BULK);
        let mut bad = 0;
        while bad < groups.len() && left_by(bad + 1).count_ones() >= stop {
            bad += 1;
        }
        let (mut good, mut test) = (0, bad);
        bad += 1;
        while good + 1 < bad {
            if self.is_unique(left_by(test)) {
                good = test;
            } else {
                bad = test;
            }
            test = usize::midpoint(good, bad);
        }
        self.greedy(left_by(good), &groups[good..], target)
    }

    /// Puts some groups back and takes others away, again and again, until at most `target`
    /// clues are left or the rounds are used up.
    pub(super) fn exchange(
        &mut self,
        clues: Cells,
        groups: &mut [Cells],
        target: u32,
        dice: &mut Dice,
    ) -> Cells {
        let mut clues = clues;
        for _ in 0..ROUNDS {
            if clues.count_ones() <= target {
                break;
            }
            dice.shuffle(groups);
            let absent = groups.iter().filter(|&group| group & clues == 0);
            let wider = absent.take(BACK).fold(clues, |wider, group| wider | group);
            // What was put back goes last: else the same clues would come out again.
            let next = self.greedy(wider, groups.iter().rev(), target);
            if next.count_ones() <= clues.count_ones() {
                clues = next;
            }
        }
        clues
    }

    /// Whether no single clue can go.
    pub(super) fn is_minimal(&mut self, clues: Cells) -> bool {
        let mut left = clues;
        while left != 0 {
            let place = left & left.wrapping_neg();
            if self.spares(clues, place) {
                return false;
            }
            left &= left - 1;
        }
        true
    }
}
