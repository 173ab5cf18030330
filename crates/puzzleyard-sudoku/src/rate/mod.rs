//! Rating puzzles and explaining them step by step, as people solve.
//!
//! The scale is that of Sudoku Explainer, in tenths: 12 is 1.2. At every position the easiest
//! technique that does something is used, once; the rating is the hardest step. See
//! `docs/sudoku-rating.md` for the table, the order and the comparison with published ratings.

mod aligned;
mod bug;
mod chains;
mod fish;
mod geometry;
mod locked;
mod pencil;
mod reason;
mod singles;
mod step;
mod subsets;
mod technique;
mod trial;
mod unique;
mod wings;

pub use chains::{Link, Why};
pub use pencil::Pencil;
pub use step::{Marks, Step};
pub use technique::Technique;

use chains::{Stage, Workshop};

use crate::model::{Board, Grid};
use crate::rules::{Conflict, conflicts};
use crate::solve;

/// Nodes that the chains of one rating, or of one hint, may make.
const EFFORT: u64 = 400_000_000;

/// How hard a puzzle is, and the path that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Rating {
    /// The hardest step, in tenths: 12 is 1.2. 0 for a full grid.
    pub score: u16,
    /// The hardest step up to and including the first placement.
    pub pearl: u16,
    /// The first step.
    pub diamond: u16,
    /// The technique of the hardest step, the first of them; `None` for a full grid.
    pub hardest: Option<Technique>,
    /// All steps from the clues to the solution.
    pub path: Vec<Step>,
}

/// Why a grid has no rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RateError {
    /// A digit stands twice in a unit.
    #[error("digit {} stands {} times in {}", .0.digit, .0.cells.len(), .0.unit)]
    Conflict(Conflict),
    /// There is no solution.
    #[error("the puzzle has no solution")]
    NoSolution,
    /// There is more than one solution.
    #[error("the puzzle has more than one solution")]
    Several,
}

/// Rates a puzzle.
///
/// # Errors
/// If the puzzle breaks a rule, or has no solution or several.
pub fn rate(grid: &Grid) -> Result<Rating, RateError> {
    let mut rating = Rating {
        score: 0,
        pearl: 0,
        diamond: 0,
        hardest: None,
        path: Vec::new(),
    };
    let mut placed = false;
    walk(grid, |step| {
        if rating.hardest.is_none() {
            rating.diamond = step.score;
        }
        if rating.hardest.is_none() || step.score > rating.score {
            rating.score = step.score;
            rating.hardest = Some(step.technique);
        }
        if !placed {
            rating.pearl = rating.score;
            placed = step.place.is_some();
        }
        rating.path.push(step);
    })?;
    Ok(rating)
}

/// The score alone, in tenths. The same as [`rate`] gives, without keeping the path.
///
/// # Errors
/// As [`rate`].
pub fn rate_score(grid: &Grid) -> Result<u16, RateError> {
    let mut score = 0;
    walk(grid, |step| score = score.max(step.score))?;
    Ok(score)
}

/// The next easiest step, or `None` if the grid is full or nothing applies: the candidates
/// contradict each other, or the grid has no solution or several and no technique bites.
///
/// The step is right for every solution that the candidates allow; if a player has struck a
/// right candidate, it may be wrong. Techniques that rest on a single solution are used only
/// if the grid has one ([`Pencil::is_unique`]).
pub fn hint(pencil: &Pencil) -> Option<Step> {
    next(pencil, &mut Workshop::new(EFFORT))
}

/// Calls `take` with every step from the clues to the solution.
fn walk(grid: &Grid, take: impl FnMut(Step)) -> Result<(), RateError> {
    walk_with(grid, &mut Workshop::new(EFFORT), take)
}

fn walk_with(
    grid: &Grid,
    shop: &mut Workshop,
    mut take: impl FnMut(Step),
) -> Result<(), RateError> {
    let mut pencil = admit(grid)?;
    while let Some(step) = next(&pencil, shop) {
        pencil.apply(&step);
        take(step);
    }
    Ok(())
}

fn next(pencil: &Pencil, shop: &mut Workshop) -> Option<Step> {
    plain(pencil).or_else(|| chained(pencil, shop))
}

/// Everything but chains.
fn plain(pencil: &Pencil) -> Option<Step> {
    let unique = pencil.is_unique();
    singles::hidden(pencil)
        .or_else(|| locked::direct(pencil))
        .or_else(|| subsets::direct(pencil, 2))
        .or_else(|| singles::naked(pencil))
        .or_else(|| subsets::direct(pencil, 3))
        .or_else(|| locked::find(pencil))
        .or_else(|| subsets::naked(pencil, 2))
        .or_else(|| fish::find(pencil, 2))
        .or_else(|| subsets::hidden(pencil, 2))
        .or_else(|| subsets::naked(pencil, 3))
        .or_else(|| fish::find(pencil, 3))
        .or_else(|| subsets::hidden(pencil, 3))
        .or_else(|| wings::xy(pencil))
        .or_else(|| wings::xyz(pencil))
        .or_else(|| unique.then(|| unique::find(pencil)).flatten())
        .or_else(|| subsets::naked(pencil, 4))
        .or_else(|| fish::find(pencil, 4))
        .or_else(|| subsets::hidden(pencil, 4))
        .or_else(|| unique.then(|| bug::find(pencil)).flatten())
        .or_else(|| aligned::pair(pencil))
}

/// Chains, and the trial when the effort is used up or nothing else is left.
fn chained(pencil: &Pencil, shop: &mut Workshop) -> Option<Step> {
    if pencil.open() == 0 {
        return None;
    }
    shop.find(pencil, Stage::Single)
        .or_else(|| aligned::triplet(pencil))
        .or_else(|| shop.find(pencil, Stage::Nishio))
        .or_else(|| shop.find(pencil, Stage::Multiple))
        .or_else(|| (0..5).find_map(|level| shop.find(pencil, Stage::Dynamic(level))))
        .or_else(|| trial::find(pencil))
}

/// The pencil of a puzzle with one solution.
fn admit(grid: &Grid) -> Result<Pencil, RateError> {
    if let Some(conflict) = conflicts(&Board::from(*grid)).into_iter().next() {
        return Err(RateError::Conflict(conflict));
    }
    match solve::count_solutions(grid, 2).solutions {
        0 => Err(RateError::NoSolution),
        1 => Ok(Pencil::with_unique(grid, true)),
        _ => Err(RateError::Several),
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Technique, Workshop, walk_with};
    use crate::solve;

    /// With no effort allowed, chains give way to the trial, which still ends in the solution.
    #[test]
    fn a_puzzle_beyond_the_effort_is_rated_by_trial() {
        let grid: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let (mut end, mut trials) = (grid, 0);
        walk_with(&grid, &mut Workshop::new(0), |step| {
            trials += u32::from(step.technique == Technique::Trial && step.score == 200);
            if let Some((cell, digit)) = step.place {
                end = end.with(cell, digit);
            }
        })
        .unwrap();
        assert!(trials > 0);
        assert_eq!(Some(end), solve::solve(&grid));
    }
}
