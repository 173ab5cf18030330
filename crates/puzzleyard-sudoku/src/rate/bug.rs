//! The bivalue universal grave: every cell has two candidates, every digit two places in each
//! unit. Such a grid has no solution or at least two, so a puzzle with one solution holds a
//! digit that keeps it from the grave.

use super::geometry::{ALL, UNITS, bits, common_peers, common_units, ones, units_of};
use super::pencil::Pencil;
use super::step::{Cause, Escape, Step};
use super::technique::Technique;
use super::unique::naked_with;

/// The easiest step against the grave.
pub(super) fn find(pencil: &Pencil) -> Option<Step> {
    let (rich, extras) = grave(pencil)?;
    let extra = extras.iter().fold(0, |all, mask| all | mask);
    let step = |score, (cells, digits): (u128, u16), escape| {
        pencil.holds(cells, digits).then(|| {
            let cause = Cause::Grave {
                rich,
                extra,
                escape,
            };
            let remove = pencil.within(cells, digits);
            Step::striking(Technique::Bug, score, remove, cause).marking(pencil, rich, ALL)
        })
    };
    if rich.is_power_of_two() {
        let cell = rich.trailing_zeros() as usize;
        return step(56, (rich, ALL & !extra), Escape::Single { cell });
    }
    if extra.is_power_of_two() {
        let digit = extra.trailing_zeros() as usize;
        let found = step(
            57,
            (common_peers(rich), extra),
            Escape::Digit { digit, cells: rich },
        );
        if found.is_some() {
            return found;
        }
    }
    let mut best: Option<Step> = None;
    for unit in common_units(rich) {
        if rich.count_ones() == 2 {
            let base = bits(rich).fold(ALL, |all, cell| all & pencil.cells[cell]) & !extra;
            for digit in ones(base) {
                if pencil.places[digit] & UNITS[unit] & !rich == 0 {
                    let struck =
                        bits(rich).fold(ALL, |all, cell| all & !extras[cell]) & !(1 << digit);
                    let escape = Escape::Confined {
                        unit,
                        digit,
                        cells: rich,
                    };
                    keep(&mut best, step(57, (rich, struck), escape));
                }
            }
        }
        if let Some((set, digits)) = naked_with(pencil, extra, unit, rich) {
            let score = 56 + digits.count_ones() as u16;
            let struck = (UNITS[unit] & !rich & !set, digits);
            let escape = Escape::Set {
                unit,
                digits,
                set,
                cells: rich,
            };
            keep(&mut best, step(score, struck, escape));
        }
    }
    best
}

fn keep(best: &mut Option<Step>, step: Option<Step>) {
    if let Some(step) = step
        && best.as_ref().is_none_or(|best| step.score < best.score)
    {
        *best = Some(step);
    }
}

/// The cells with more than two candidates and the surplus digits of each, if the grid without
/// them is a grave.
fn grave(pencil: &Pencil) -> Option<(u128, [u16; 81])> {
    let mut rich = 0u128;
    let mut extras = [0u16; 81];
    for (cell, &mask) in pencil.cells.iter().enumerate() {
        match mask.count_ones() {
            0 if pencil.grid().digit(cell) != 0 => {}
            0 | 1 => return None,
            2 => {}
            count => {
                rich |= 1 << cell;
                extras[cell] = ones(mask)
                    .filter(|&digit| {
                        let crowded = |unit: &usize| pencil.spots[*unit][digit].count_ones() > 2;
                        units_of(cell).iter().all(crowded)
                    })
                    .fold(0, |set, digit| set | 1 << digit);
                if extras[cell].count_ones() + 2 != count {
                    return None;
                }
            }
        }
    }
    let sound = (1..=9).all(|digit| {
        let surplus = bits(rich).filter(|&cell| extras[cell] >> digit & 1 == 1);
        let left = pencil.places[digit] & !surplus.fold(0, |set, cell| set | 1 << cell);
        UNITS
            .iter()
            .all(|unit| matches!((unit & left).count_ones(), 0 | 2))
    });
    (rich != 0 && sound).then_some((rich, extras))
}
