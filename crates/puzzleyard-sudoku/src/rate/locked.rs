//! Pointing and claiming: the places of a digit in one unit lie in another.

use super::geometry::{BOX, UNITS, cells_at};
use super::pencil::Pencil;
use super::step::{Cause, Step};
use super::technique::Technique;

/// One crossing where the places of `digit` in `home` all lie in `other`.
#[derive(Clone, Copy)]
pub(super) struct Lock {
    pub(super) digit: usize,
    pub(super) home: usize,
    pub(super) other: usize,
}

impl Lock {
    /// The candidates of the digit that fall.
    pub(super) fn struck(self, places: &[u128; 10]) -> u128 {
        places[self.digit] & UNITS[self.other] & !UNITS[self.home]
    }
}

/// Every crossing with something to strike: pointing in columns, pointing in rows, claiming by
/// columns, claiming by rows. `spots` and `places` are those of a [`Pencil`].
pub(super) fn locks<'a>(
    spots: &'a [[u16; 10]; 27],
    places: &'a [u128; 10],
) -> impl Iterator<Item = Lock> + 'a {
    let pairs = [(BOX, 9), (BOX, 0), (9, BOX), (0, BOX)];
    pairs.into_iter().flat_map(move |(home, other)| {
        (home..home + 9).flat_map(move |home| {
            (1..=9).filter_map(move |digit| {
                let mask = spots[home][digit];
                if mask.count_ones() < 2 || mask.count_ones() > 3 {
                    return None;
                }
                let cells = cells_at(home, mask);
                let other = (other..other + 9).find(|&other| cells & !UNITS[other] == 0)?;
                let lock = Lock { digit, home, other };
                (lock.struck(places) != 0).then_some(lock)
            })
        })
    })
}

/// Pointing or claiming that leaves a digit one place in a unit of the same kind.
pub(super) fn direct(pencil: &Pencil) -> Option<Step> {
    locks(&pencil.spots, &pencil.places).find_map(|lock| {
        let kind = lock.home / 9 * 9;
        let unit = (kind..kind + 9).find(|&unit| {
            let places = pencil.places[lock.digit] & UNITS[unit];
            unit != lock.home
                && places & UNITS[lock.other] != 0
                && (places & !UNITS[lock.other]).is_power_of_two()
        })?;
        let left = pencil.places[lock.digit] & UNITS[unit] & !UNITS[lock.other];
        let mut step = step(pencil, lock, Some(unit));
        step.place = Some((left.trailing_zeros() as usize, lock.digit as u8));
        Some(step)
    })
}

/// Pointing, else claiming.
pub(super) fn find(pencil: &Pencil) -> Option<Step> {
    let lock = locks(&pencil.spots, &pencil.places).next()?;
    Some(step(pencil, lock, None))
}

fn step(pencil: &Pencil, lock: Lock, single: Option<usize>) -> Step {
    let (technique, score) = match (lock.home >= BOX, single) {
        (true, Some(_)) => (Technique::DirectPointing, 17),
        (true, None) => (Technique::Pointing, 26),
        (false, Some(_)) => (Technique::DirectClaiming, 19),
        (false, None) => (Technique::Claiming, 28),
    };
    let remove = pencil.within(lock.struck(&pencil.places), 1 << lock.digit);
    let cells = cells_at(lock.home, pencil.spots[lock.home][lock.digit]);
    let cause = Cause::Locked {
        digit: lock.digit,
        home: lock.home,
        other: lock.other,
        single,
    };
    Step::striking(technique, score, remove, cause).marking(pencil, cells, 1 << lock.digit)
}
