//! What a dynamic chain may use once plain implications have run dry: pointing, claiming,
//! pairs and X-wings of the grid as struck so far (level 1), then chains inside the chain.

use super::flow::Flow;
use super::{Hit, Kind, Link, Stage, Why, Workshop, branches, effect, told};
use crate::rate::geometry::{ALL, CELLS, ORDER, UNITS, cells_at, ones};
use crate::rate::locked::{Lock, locks};
use crate::rate::pencil::Pencil;
use crate::rate::step::{Cause, Step};
use crate::rate::technique::Technique;

/// No node is left out.
const NONE: usize = usize::MAX;

/// Makes the off nodes that the first fruitful kind of pattern gives; `false` if there are
/// none.
pub(super) fn extend(flow: &mut Flow<'_>, level: u32, shop: &mut Workshop) -> bool {
    lock(flow)
        || hidden_pairs(flow)
        || naked_pairs(flow)
        || wings(flow)
        || (level >= 2 && chains(flow, Stage::Single, shop))
        || (level >= 3 && chains(flow, Stage::Multiple, shop))
        || (level >= 4 && chains(flow, Stage::Dynamic(level - 4), shop))
}

/// Makes the new ones among the candidates `digits` in `cells`, resting on what was gathered.
fn strike(
    flow: &mut Flow<'_>,
    technique: Technique,
    score: u16,
    cause: Cause,
    (cells, digits): (u128, u16),
) -> bool {
    let mut struck = flow.work.within(cells, digits);
    struck.retain(|&(cell, digit)| !flow.is_off(cell, usize::from(digit)));
    if struck.is_empty() {
        flow.forget();
        return false;
    }
    let from = flow.gathered();
    let step = flow.telling().then(|| {
        let (cells, digits) = pattern_of(&flow.work, &cause);
        Step::striking(technique, score, struck.clone(), cause).marking(&flow.work, cells, digits)
    });
    let pattern = flow.pattern(0, || step);
    for (cell, digit) in struck {
        flow.make_by(pattern, &from, cell, usize::from(digit));
    }
    true
}

/// The cells and digits that make a pattern.
fn pattern_of(pencil: &Pencil, cause: &Cause) -> (u128, u16) {
    match *cause {
        Cause::Locked { digit, home, .. } => (pencil.places[digit] & UNITS[home], 1 << digit),
        Cause::HiddenSet { cells, digits, .. } | Cause::NakedSet { cells, digits, .. } => {
            (cells, digits)
        }
        Cause::Fish { digit, bases, .. } => {
            let inside = ones(bases).fold(0, |set, unit| set | UNITS[unit]);
            (pencil.places[digit] & inside, 1 << digit)
        }
        _ => (0, 0),
    }
}

fn lock(flow: &mut Flow<'_>) -> bool {
    let found: Vec<Lock> = locks(&flow.work.spots, &flow.work.places).collect();
    let mut any = false;
    for lock in found {
        flow.missing_in_unit(lock.home, lock.digit, UNITS[lock.other], NONE);
        let (technique, score) = if lock.home >= 18 {
            (Technique::Pointing, 26)
        } else {
            (Technique::Claiming, 28)
        };
        let cause = Cause::Locked {
            digit: lock.digit,
            home: lock.home,
            other: lock.other,
            single: None,
        };
        let struck = (UNITS[lock.other] & !UNITS[lock.home], 1 << lock.digit);
        any |= strike(flow, technique, score, cause, struck);
    }
    any
}

fn hidden_pairs(flow: &mut Flow<'_>) -> bool {
    let mut any = false;
    for unit in ORDER {
        for (a, b) in twins(|digit| flow.work.spots[unit][digit], 1..10) {
            let cells = cells_at(unit, flow.work.spots[unit][a]);
            let digits = 1 << a | 1 << b;
            if !flow.work.holds(cells, ALL & !digits) {
                continue;
            }
            flow.missing_in_unit(unit, a, cells, NONE);
            flow.missing_in_unit(unit, b, cells, NONE);
            let cause = Cause::HiddenSet {
                unit,
                cells,
                digits,
                single: false,
            };
            any |= strike(
                flow,
                Technique::HiddenPair,
                34,
                cause,
                (cells, ALL & !digits),
            );
        }
    }
    any
}

fn naked_pairs(flow: &mut Flow<'_>) -> bool {
    let mut any = false;
    for unit in ORDER {
        for (i, j) in twins(|place| flow.work.cells[CELLS[unit][place]], 0..9) {
            let (first, second) = (CELLS[unit][i], CELLS[unit][j]);
            let cells = 1 << first | 1 << second;
            let digits = flow.work.cells[first];
            if !flow.work.holds(UNITS[unit] & !cells, digits) {
                continue;
            }
            flow.missing_in_cell(first, NONE);
            flow.missing_in_cell(second, NONE);
            let cause = Cause::NakedSet {
                unit,
                cells,
                digits,
            };
            any |= strike(
                flow,
                Technique::NakedPair,
                30,
                cause,
                (UNITS[unit] & !cells, digits),
            );
        }
    }
    any
}

fn wings(flow: &mut Flow<'_>) -> bool {
    let mut any = false;
    for (base, cover) in [(9, 0), (0, 9)] {
        for digit in 1..10 {
            for (i, j) in twins(|line| flow.work.spots[line][digit], base..base + 9) {
                let covers = u32::from(flow.work.spots[i][digit]) << cover;
                let inside = ones(covers).fold(0, |set, unit| set | UNITS[unit]);
                let outside = inside & !UNITS[i] & !UNITS[j];
                if !flow.work.holds(outside, 1 << digit) {
                    continue;
                }
                flow.missing_in_unit(i, digit, inside, NONE);
                flow.missing_in_unit(j, digit, inside, NONE);
                let cause = Cause::Fish {
                    digit,
                    bases: 1 << i | 1 << j,
                    covers,
                };
                any |= strike(flow, Technique::XWing, 32, cause, (outside, 1 << digit));
            }
        }
    }
    any
}

/// The pairs of indices with the same mask of two bits, as the masks stand now.
fn twins(mask: impl Fn(usize) -> u16, range: std::ops::Range<usize>) -> Vec<(usize, usize)> {
    let masks: Vec<(usize, u16)> = range
        .map(|index| (index, mask(index)))
        .filter(|(_, mask)| mask.count_ones() == 2)
        .collect();
    let mut pairs = Vec::new();
    for (position, &(i, mask)) in masks.iter().enumerate() {
        let rest = masks[position + 1..].iter().filter(|other| other.1 == mask);
        pairs.extend(rest.map(|&(j, _)| (i, j)));
    }
    pairs
}

/// Everything a stage of chains finds in the grid as struck so far.
fn chains(flow: &mut Flow<'_>, stage: Stage, shop: &mut Workshop) -> bool {
    let mut inner = shop
        .inner
        .take()
        .unwrap_or_else(|| Box::new(Workshop::new(0)));
    inner.effort = shop.effort;
    let mut hits = inner.hits(&flow.work, stage);
    hits.sort_by_key(|hit| (hit.score, hit.size));
    let mut any = false;
    for hit in hits {
        let (_, mut struck) = effect(&flow.work, &hit);
        struck.retain(|&(cell, digit)| !flow.is_off(cell, usize::from(digit)));
        if struck.is_empty() || inner.effort == 0 {
            continue;
        }
        let links = branches(&flow.work, stage, &hit, &mut inner);
        rest_on_missing(flow, &hit, &links);
        let from = flow.gathered();
        let step = flow
            .telling()
            .then(|| told(&flow.work, stage, &hit, &mut inner));
        let pattern = flow.pattern(hit.size, || step);
        for (cell, digit) in struck {
            flow.make_by(pattern, &from, cell, usize::from(digit));
        }
        any = true;
    }
    shop.effort = inner.effort;
    shop.inner = Some(inner);
    any
}

/// Gathers the off nodes without which the nested chain would not hold.
fn rest_on_missing(flow: &mut Flow<'_>, hit: &Hit, branches: &[Vec<Link>]) {
    match hit.kind {
        Kind::Cell(cell) => flow.missing_in_cell(cell, NONE),
        Kind::Region(unit, digit) => flow.missing_in_unit(unit, digit, 0, NONE),
        _ => {}
    }
    for link in branches.iter().flatten() {
        match link.why {
            Why::LastInCell => flow.missing_in_cell(link.cell, NONE),
            Why::LastInUnit(unit) => flow.missing_in_unit(unit, usize::from(link.digit), 0, NONE),
            _ => {}
        }
    }
    // A cycle closes by a strong link that no link of the branch shows.
    if matches!(hit.kind, Kind::Cycle(_))
        && let (Some(first), Some(last)) = (branches[0].first(), branches[0].last())
    {
        if first.cell == last.cell {
            flow.missing_in_cell(first.cell, NONE);
        } else {
            for (unit, cells) in UNITS.iter().enumerate() {
                if cells >> first.cell & cells >> last.cell & 1 == 1
                    && flow.work.spots[unit][usize::from(first.digit)].count_ones() == 2
                {
                    flow.missing_in_unit(unit, usize::from(first.digit), 0, NONE);
                    break;
                }
            }
        }
    }
}
