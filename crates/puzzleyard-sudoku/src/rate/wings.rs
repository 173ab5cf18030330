//! XY-wing and XYZ-wing.

use super::geometry::{PEERS, bits};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// A pivot `xy` that sees `xz` and `yz`: one of the two is `z`.
pub(super) fn xy(pencil: &Pencil) -> Option<Step> {
    find(pencil, 2)
}

/// A pivot `xyz` that sees `xz` and `yz`: one of the three is `z`.
pub(super) fn xyz(pencil: &Pencil) -> Option<Step> {
    find(pencil, 3)
}

fn find(pencil: &Pencil, size: u32) -> Option<Step> {
    let pairs = with_count(pencil, 2);
    bits(with_count(pencil, size)).find_map(|pivot| {
        let hub = pencil.cells[pivot];
        bits(pairs & PEERS[pivot]).find_map(|first| {
            let one = pencil.cells[first];
            let shared = one & hub;
            if (size == 2 && !shared.is_power_of_two()) || (size == 3 && shared != one) {
                return None;
            }
            bits(pairs & PEERS[pivot] & !((2 << first) - 1)).find_map(|second| {
                let two = pencil.cells[second];
                let common = one & two;
                if !common.is_power_of_two()
                    || (one | two | hub).count_ones() != 3
                    || (size == 2 && common & hub != 0)
                {
                    return None;
                }
                let mut seen = PEERS[first] & PEERS[second];
                if size == 3 {
                    seen &= PEERS[pivot];
                }
                pencil.holds(seen, common).then(|| {
                    let digit = common.trailing_zeros() as usize;
                    let (technique, score) = if size == 2 {
                        (Technique::XyWing, 42)
                    } else {
                        (Technique::XyzWing, 44)
                    };
                    let cause = Cause::Wing {
                        pivot,
                        wings: [first, second],
                        digit,
                    };
                    let cells = 1 << pivot | 1 << first | 1 << second;
                    Step::striking(technique, score, pencil.within(seen, common), cause).marking(
                        pencil,
                        cells,
                        hub | one | two,
                    )
                })
            })
        })
    })
}

/// The cells with this many candidates.
fn with_count(pencil: &Pencil, count: u32) -> u128 {
    let cells = pencil.cells.iter().enumerate();
    cells.fold(0, |set, (cell, mask)| {
        set | u128::from(mask.count_ones() == count) << cell
    })
}
