//! Dynamic forcing chains and nishio: contradictions, and ends that several starts share.

use super::fixed::candidates;
use super::flow::Flow;
use super::{Closure, Hit, Kind, Workshop, XY, common, extra, node};
use crate::rate::geometry::{UNITS, bits, ones, units_of};
use crate::rate::pencil::Pencil;
use crate::rate::technique::Technique;

/// All hits. `level` is `None` for chains on one digit. If the effort runs out in between,
/// there are none.
pub(super) fn hits(pencil: &Pencil, shop: &mut Workshop, level: Option<u32>) -> Vec<Hit> {
    let base = level.map_or(75, |level| 85 + 5 * level as u16);
    let mut on = std::mem::take(&mut shop.on);
    let mut off = std::mem::take(&mut shop.off);
    on.resize(729, Closure::EMPTY);
    off.resize(729, Closure::EMPTY);
    let mut refuted = Vec::new();
    for (cell, digit) in candidates(pencil) {
        let index = node(cell, digit, false) / 2;
        for (on_start, closure) in [(true, &mut on[index]), (false, &mut off[index])] {
            if shop.effort == 0 {
                continue;
            }
            let start = node(cell, digit, on_start);
            let flow = Flow::run(pencil, start, level, false, closure, shop);
            if let Some(end) = flow.contradiction() {
                let technique = match level {
                    Some(_) => Technique::DynamicContradiction,
                    None => Technique::Nishio,
                };
                let size = flow.size_of_both(end);
                refuted.push(hit(base, technique, Kind::Contradiction, start, end, size));
            }
        }
    }
    let hits = match level {
        _ if shop.effort == 0 => Vec::new(),
        None => refuted,
        Some(_) => gather(pencil, base, &on, &off, refuted),
    };
    shop.on = on;
    shop.off = off;
    hits
}

/// The contradictions, and what both ways, all places or all candidates of a cell share, in
/// the order of the candidates.
fn gather(
    pencil: &Pencil,
    base: u16,
    on: &[Closure],
    off: &[Closure],
    refuted: Vec<Hit>,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut refuted = refuted.into_iter().peekable();
    for (cell, digit) in candidates(pencil) {
        let start = node(cell, digit, true);
        let mut contradictory = false;
        while let Some(found) = refuted.next_if(|hit| hit.start / 2 == start / 2) {
            hits.push(found);
            contradictory = true;
        }
        let mut take = |closures: &[&Closure], technique, kind| {
            for (end, size) in common(closures) {
                hits.push(hit(base, technique, kind, start, end, size));
            }
        };
        if !contradictory {
            let pair = [&on[start / 2], &off[start / 2]];
            take(&pair, Technique::DynamicDouble, Kind::Double);
        }
        let closure = |cell, digit| &on[node(cell, digit, true) / 2];
        for unit in [units_of(cell)[2], units_of(cell)[0], units_of(cell)[1]] {
            let places = pencil.places[digit] & UNITS[unit];
            if places.count_ones() > 1 && places.trailing_zeros() as usize == cell {
                let closures: Vec<&Closure> =
                    bits(places).map(|cell| closure(cell, digit)).collect();
                take(
                    &closures,
                    Technique::DynamicRegion,
                    Kind::Region(unit, digit),
                );
            }
        }
        let mask = pencil.cells[cell];
        if mask.count_ones() > 1 && mask.leading_zeros() as usize == 15 - digit {
            let closures: Vec<&Closure> = ones(mask).map(|digit| closure(cell, digit)).collect();
            take(&closures, Technique::DynamicCell, Kind::Cell(cell));
        }
    }
    hits
}

fn hit(base: u16, technique: Technique, kind: Kind, start: usize, end: usize, size: u32) -> Hit {
    Hit {
        score: base + extra(size),
        size,
        technique,
        kind,
        start,
        end,
        rules: XY,
        struck: [0; 10],
    }
}
