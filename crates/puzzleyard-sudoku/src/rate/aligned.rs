//! Aligned pair and triplet exclusion: every combination of candidates for two or three cells
//! is checked against the cells that see all of them.

use super::geometry::{ALL, PEERS, bits, ones};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// Two cells.
pub(super) fn pair(pencil: &Pencil) -> Option<Step> {
    let open = pencil.open();
    let small = small(pencil, 2);
    bits(open).find_map(|first| {
        bits(open & !((2 << first) - 1)).find_map(|second| {
            let seen = small & PEERS[first] & PEERS[second];
            exclude(pencil, [first, second, second], seen)
        })
    })
}

/// Three cells.
pub(super) fn triplet(pencil: &Pencil) -> Option<Step> {
    let open = pencil.open();
    let small = small(pencil, 3);
    bits(open).find_map(|first| {
        bits(open & !((2 << first) - 1)).find_map(|second| {
            let both = small & PEERS[first] & PEERS[second];
            if both == 0 {
                return None;
            }
            bits(open & !((2 << second) - 1))
                .find_map(|third| exclude(pencil, [first, second, third], both & PEERS[third]))
        })
    })
}

/// The cells with at most `size` candidates.
fn small(pencil: &Pencil, size: u32) -> u128 {
    bits(pencil.open())
        .filter(|&cell| pencil.cells[cell].count_ones() <= size)
        .fold(0, |set, cell| set | 1 << cell)
}

/// Strikes the candidates of `cells` that are in no combination left over by the cells `seen`.
/// A pair names its second cell twice.
fn exclude(pencil: &Pencil, cells: [usize; 3], seen: u128) -> Option<Step> {
    let triple = cells[1] != cells[2];
    let masks = cells.map(|cell| pencil.cells[cell]);
    let within = masks[0] | masks[1] | masks[2];
    let (mut limits, mut count) = ([0u16; 20], 0);
    // A cell with a digit outside the union always keeps that digit.
    for mask in bits(seen).map(|cell| pencil.cells[cell]) {
        if mask & !within == 0 {
            limits[count] = mask;
            count += 1;
        }
    }
    if count == 0 {
        return None;
    }
    let sees = |i: usize, j: usize| PEERS[cells[i]] >> cells[j] & 1 == 1;
    let (near, far) = (sees(0, 1), triple.then(|| (sees(0, 2), sees(1, 2))));
    let mut kept = [0u16; 3];
    for a in ones(masks[0]) {
        for b in ones(masks[1]) {
            if kept[0] >> a & 1 == 1 && kept[1] == masks[1] && (!triple || kept[2] == masks[2]) {
                break;
            }
            if near && a == b {
                continue;
            }
            let used = 1 << a | 1 << b;
            // What is left for the third cell; a pair has a stand-in that nothing excludes.
            let mut third = far.map_or(1, |(one, two)| {
                masks[2] & !(u16::from(one) << a) & !(u16::from(two) << b)
            });
            for limit in &limits[..count] {
                match limit & !used {
                    0 => third = 0,
                    left if triple && left.is_power_of_two() => third &= !left,
                    _ => {}
                }
            }
            if third != 0 {
                kept[0] |= 1 << a;
                kept[1] |= 1 << b;
                kept[2] |= third;
            }
        }
    }
    let size = if triple { 3 } else { 2 };
    if kept[..size] == masks[..size] {
        return None;
    }
    let struck = (0..size).flat_map(|index| {
        ones(masks[index] & !kept[index]).map(move |digit| (cells[index], digit as u8))
    });
    let seen = bits(seen).filter(|&cell| pencil.cells[cell] & !within == 0);
    let seen = seen.fold(0, |set, cell| set | 1 << cell);
    Some(step(pencil, cells, seen, struck.collect()))
}

fn step(pencil: &Pencil, cells: [usize; 3], seen: u128, remove: Vec<(usize, u8)>) -> Step {
    let (technique, score) = if cells[1] == cells[2] {
        (Technique::AlignedPairExclusion, 62)
    } else {
        (Technique::AlignedTripletExclusion, 75)
    };
    let base = cells.iter().fold(0, |set, &cell| set | 1 << cell);
    let cause = Cause::Aligned { base, seen };
    Step::striking(technique, score, remove, cause).marking(pencil, base | seen, ALL)
}
