//! The last resort: a digit because the search refutes every other one in its cell.

use super::geometry::bits;
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;
use crate::solve;

/// The score of a trial in tenths, above everything else.
const SCORE: u16 = 200;

/// The digit of the only solution, in the first of the cells with the fewest candidates.
pub(super) fn find(pencil: &Pencil) -> Option<Step> {
    if !pencil.is_unique() {
        return None;
    }
    let solution = solve::solve(pencil.grid())?;
    let cell = bits(pencil.open())
        .filter(|&cell| pencil.has(cell, solution.digit(cell)))
        .min_by_key(|&cell| pencil.cells[cell].count_ones())?;
    let place = (cell, solution.digit(cell));
    Some(Step::placing(Technique::Trial, SCORE, place, Cause::Trial))
}
