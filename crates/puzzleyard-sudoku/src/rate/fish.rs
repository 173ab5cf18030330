//! X-wing, swordfish and jellyfish.

use super::geometry::{UNITS, ones, tuples};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// `size` lines in which a digit has places in the same `size` cross lines only.
pub(super) fn find(pencil: &Pencil, size: u32) -> Option<Step> {
    let (technique, score) = match size {
        2 => (Technique::XWing, 32),
        3 => (Technique::Swordfish, 38),
        _ => (Technique::Jellyfish, 52),
    };
    // Columns as bases first, then rows.
    [(9, 0), (0, 9)].into_iter().find_map(|(base, cover)| {
        (1..=9).find_map(|digit| {
            let (lines, masks): (Vec<usize>, Vec<u16>) = (base..base + 9)
                .map(|line| (line, pencil.spots[line][digit]))
                .filter(|(_, mask)| (2..=size).contains(&mask.count_ones()))
                .unzip();
            tuples(&masks, size, &mut |chosen, union| {
                let bases = chosen
                    .iter()
                    .fold(0u32, |set, &index| set | 1 << lines[index]);
                let covers = u32::from(union) << cover;
                let inside = |units: u32| ones(units).fold(0, |set, unit| set | UNITS[unit]);
                let struck = pencil.places[digit] & inside(covers) & !inside(bases);
                (struck != 0).then(|| {
                    let remove = pencil.within(struck, 1 << digit);
                    let cause = Cause::Fish {
                        digit,
                        bases,
                        covers,
                    };
                    Step::striking(technique, score, remove, cause).marking(
                        pencil,
                        pencil.places[digit] & inside(bases),
                        1 << digit,
                    )
                })
            })
        })
    })
}
