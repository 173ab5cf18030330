//! A spec and a seed, ready to make puzzles.

use puzzleyard_core::Stream;

use super::carve::Carver;
use super::cells::{ALL, Cells, bit};
use super::dice::Dice;
use super::search::Solution;
use super::{GenerateError, Puzzle, Spec};
use crate::rate;

/// Full grids that a puzzle is tried on before the generator gives up.
pub const MAX_ATTEMPTS: u32 = 4000;
/// Ratings that a puzzle is worth before the generator gives up.
pub const MAX_RATINGS: u32 = 1000;

#[derive(Debug)]
pub(super) struct Plan {
    spec: Spec,
    /// The numbers of clues to draw from.
    counts: Vec<u8>,
    /// The orbits of the pattern.
    groups: Vec<Cells>,
    stream: Stream,
}

impl Plan {
    pub(super) fn new(spec: &Spec, seed: u64) -> Result<Self, GenerateError> {
        let orbits = spec.symmetry.orbits();
        Ok(Self {
            counts: spec.counts()?,
            groups: orbits
                .iter()
                .map(|orbit| orbit.iter().fold(0, |group, &cell| group | bit(cell)))
                .collect(),
            stream: Stream::new(seed, &spec.purpose()),
            spec: spec.clone(),
        })
    }

    /// Puzzle `index`. Proved by the search only.
    pub(super) fn make(&self, index: u64) -> Result<Puzzle, GenerateError> {
        let mut dice = Dice::new(&self.stream, index);
        let count = u32::from(self.counts[dice.below(self.counts.len())]);
        let mut groups = self.groups.clone();
        let (mut attempts, mut ratings) = (0, 0);
        while attempts < MAX_ATTEMPTS && ratings < MAX_RATINGS {
            attempts += 1;
            let solution = Solution::random(&mut dice);
            dice.shuffle(&mut groups);
            let Some(clues) = self.carve(&solution, &mut groups, count, &mut dice) else {
                continue;
            };
            let grid = solution.grid(clues);
            if let Some(score) = &self.spec.score {
                ratings += 1;
                if !rate::rate_score(&grid).is_ok_and(|found| score.contains(&found)) {
                    continue;
                }
            }
            return Ok(Puzzle {
                grid,
                solution: solution.grid(ALL),
            });
        }
        Err(GenerateError::GaveUp { attempts, ratings })
    }

    /// The clues of a puzzle on this full grid: `count` of them if they can be had without
    /// exchanges, else more, but within the range; or a minimal set within the range.
    fn carve(
        &self,
        solution: &Solution,
        groups: &mut [Cells],
        count: u32,
        dice: &mut Dice,
    ) -> Option<Cells> {
        let mut carver = Carver::new(solution);
        if !self.spec.minimal {
            let mut clues = carver.thin_out(groups, count);
            let most = u32::from(*self.spec.clues.end());
            if clues.count_ones() > most {
                clues = carver.exchange(clues, groups, most, dice);
            }
            return (clues.count_ones() <= most).then_some(clues);
        }
        let mut clues = carver.thin_out(groups, 0);
        let most = u32::from(*self.spec.clues.end());
        if clues.count_ones() > most {
            clues = carver.exchange(clues, groups, most, dice);
            clues = carver.greedy(clues, &*groups, 0);
        }
        let fits = self.spec.clues.contains(&(clues.count_ones() as u8));
        (fits && carver.is_minimal(clues)).then_some(clues)
    }
}
