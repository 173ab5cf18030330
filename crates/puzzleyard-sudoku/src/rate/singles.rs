//! Hidden and naked singles.

use super::geometry::{BOX, CELLS, ORDER, UNITS, bits};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// The only empty cell of a unit; else the only cell of a box for a digit; else the only cell
/// of a row or column for a digit.
pub(super) fn hidden(pencil: &Pencil) -> Option<Step> {
    last(pencil).or_else(|| {
        ORDER.into_iter().find_map(|unit| {
            let digit = (1..=9).find(|&digit| pencil.spots[unit][digit].is_power_of_two())?;
            let cell = CELLS[unit][pencil.spots[unit][digit].trailing_zeros() as usize];
            let (technique, score) = if unit >= BOX {
                (Technique::HiddenSingleBox, 12)
            } else {
                (Technique::HiddenSingleLine, 15)
            };
            let cause = Cause::Hidden { unit };
            Some(Step::placing(technique, score, (cell, digit as u8), cause))
        })
    })
}

fn last(pencil: &Pencil) -> Option<Step> {
    let empty = empty(pencil);
    ORDER.into_iter().find_map(|unit| {
        let left = UNITS[unit] & empty;
        if !left.is_power_of_two() {
            return None;
        }
        let cell = left.trailing_zeros() as usize;
        let mask = pencil.cells[cell];
        mask.is_power_of_two().then(|| {
            let place = (cell, mask.trailing_zeros() as u8);
            Step::placing(Technique::LastCell, 10, place, Cause::Hidden { unit })
        })
    })
}

/// A cell with one candidate.
pub(super) fn naked(pencil: &Pencil) -> Option<Step> {
    let cell = pencil
        .cells
        .iter()
        .position(|mask| mask.is_power_of_two())?;
    let digit = pencil.cells[cell].trailing_zeros() as u8;
    Some(Step::placing(
        Technique::NakedSingle,
        23,
        (cell, digit),
        Cause::Naked,
    ))
}

/// The empty cells, with candidates or without.
fn empty(pencil: &Pencil) -> u128 {
    let open = pencil.open();
    bits(!open & ((1 << 81) - 1)).fold(open, |set, cell| {
        set | u128::from(pencil.grid().digit(cell) == 0) << cell
    })
}
