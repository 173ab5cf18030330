//! Points in whole millionths, so that sums are exact and the same everywhere.

use std::iter::Sum;
use std::ops::{Add, Mul, Neg};

/// A number of points, counted in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Points(i64);

impl Points {
    /// `tenths / 10` points.
    pub(crate) const fn tenths(tenths: i64) -> Self {
        Self(tenths * 100_000)
    }

    /// `whole * part / of` points, rounded down to a millionth; none if `of` is 0.
    pub(crate) const fn share(whole: i64, part: u64, of: u64) -> Self {
        match (whole * 1_000_000 * part as i64).checked_div(of as i64) {
            Some(millionths) => Self(millionths),
            None => Self(0),
        }
    }

    /// The nearest `f64`: one division of two exact integers.
    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }

    /// What is missing to `floor`, 0 if nothing is.
    pub(crate) fn missing_to(self, floor: Self) -> Self {
        Self((floor.0 - self.0).max(0))
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<u64> for Points {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0 * times as i64)
    }
}

impl Neg for Points {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "points are exact: the same quotient on both sides"
)]
mod tests {
    use super::Points;

    #[test]
    fn sums_are_exact_where_floats_are_not() {
        let tenth = Points::tenths(1);
        assert_eq!((tenth * 3).value(), 0.3);
        assert_eq!((0..3).map(|_| tenth).sum::<Points>(), Points::tenths(3));
        assert_ne!(0.1 + 0.1 + 0.1, 0.3);
        assert_eq!(Points::share(2, 1, 3).value(), 0.666_666);
        assert_eq!(Points::share(2, 1, 0), Points::default());
        assert_eq!(Points::tenths(-5).missing_to(tenth), Points::tenths(6));
        assert_eq!(tenth.missing_to(Points::tenths(-5)), Points::default());
    }
}
