//! Naked and hidden pairs, triplets and quads.

use super::geometry::{ALL, CELLS, ORDER, UNITS, cells_at, ones, tuples};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// `size` cells of a unit with `size` candidates among them: nobody else in the unit has them.
pub(super) fn naked(pencil: &Pencil, size: u32) -> Option<Step> {
    let (technique, score) = match size {
        2 => (Technique::NakedPair, 30),
        3 => (Technique::NakedTriplet, 36),
        _ => (Technique::NakedQuad, 50),
    };
    ORDER.into_iter().find_map(|unit| {
        let (cells, masks) = members(size, |place| pencil.cells[CELLS[unit][place]], 0..9);
        tuples(&masks, size, &mut |chosen, digits| {
            let set = chosen
                .iter()
                .fold(0, |set, &index| set | 1 << CELLS[unit][cells[index]]);
            let rest = UNITS[unit] & !set;
            pencil.holds(rest, digits).then(|| {
                let cause = Cause::NakedSet {
                    unit,
                    cells: set,
                    digits,
                };
                Step::striking(technique, score, pencil.within(rest, digits), cause)
                    .marking(pencil, set, digits)
            })
        })
    })
}

/// `size` digits with `size` places among them in a unit: nothing else is there.
pub(super) fn hidden(pencil: &Pencil, size: u32) -> Option<Step> {
    let (technique, score) = match size {
        2 => (Technique::HiddenPair, 34),
        3 => (Technique::HiddenTriplet, 40),
        _ => (Technique::HiddenQuad, 54),
    };
    each_hidden(pencil, size, &mut |unit, digits, places| {
        let cells = cells_at(unit, places);
        pencil.holds(cells, ALL & !digits).then(|| {
            let remove = pencil.within(cells, ALL & !digits);
            Step::striking(
                technique,
                score,
                remove,
                Cause::HiddenSet {
                    unit,
                    cells,
                    digits,
                    single: false,
                },
            )
            .marking(pencil, cells, digits)
        })
    })
}

/// A hidden pair or triplet that leaves another digit of the unit one place.
pub(super) fn direct(pencil: &Pencil, size: u32) -> Option<Step> {
    let (technique, score) = match size {
        2 => (Technique::DirectHiddenPair, 20),
        _ => (Technique::DirectHiddenTriplet, 25),
    };
    each_hidden(pencil, size, &mut |unit, digits, places| {
        let single = ones(ALL & !digits).find(|&digit| {
            let spots = pencil.spots[unit][digit];
            spots & places != 0 && (spots & !places).is_power_of_two()
        })?;
        let cells = cells_at(unit, places);
        let remove = pencil.within(cells, ALL & !digits);
        let cause = Cause::HiddenSet {
            unit,
            cells,
            digits,
            single: true,
        };
        let mut step =
            Step::striking(technique, score, remove, cause).marking(pencil, cells, digits);
        let place = (pencil.spots[unit][single] & !places).trailing_zeros() as usize;
        step.place = Some((CELLS[unit][place], single as u8));
        Some(step)
    })
}

/// Calls `take` with unit, digits and places of every hidden set of this size.
fn each_hidden(
    pencil: &Pencil,
    size: u32,
    take: &mut dyn FnMut(usize, u16, u16) -> Option<Step>,
) -> Option<Step> {
    ORDER.into_iter().find_map(|unit| {
        let (digits, masks) = members(size, |digit| pencil.spots[unit][digit], 1..10);
        tuples(&masks, size, &mut |chosen, places| {
            let set = chosen
                .iter()
                .fold(0, |set, &index| set | 1 << digits[index]);
            take(unit, set, places)
        })
    })
}

/// The indices whose masks have two to `size` bits, and the masks.
fn members(
    size: u32,
    mask: impl Fn(usize) -> u16,
    range: std::ops::Range<usize>,
) -> (Vec<usize>, Vec<u16>) {
    range
        .map(|index| (index, mask(index)))
        .filter(|(_, mask)| (2..=size).contains(&mask.count_ones()))
        .unzip()
}
