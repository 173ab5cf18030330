//! One element of the group.

use puzzleyard_core::Stream;

use super::lines;
use crate::model::Grid;

/// A renaming of digits after a permutation of cells. A legal grid stays legal, a puzzle keeps
/// its number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transform {
    /// New name of each digit; 0 stays 0.
    digits: [u8; 10],
    transposed: bool,
    /// The row (of the grid, transposed first if so) that each row of the result comes from.
    rows: [u8; 9],
    /// The same for columns.
    cols: [u8; 9],
}

const SAME: [u8; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const BACKWARD: [u8; 9] = [8, 7, 6, 5, 4, 3, 2, 1, 0];

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self {
        digits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        transposed: false,
        rows: SAME,
        cols: SAME,
    };
    /// Reflects in the diagonal from A1 to I9.
    pub const TRANSPOSE: Self = Self {
        transposed: true,
        ..Self::IDENTITY
    };
    /// Turns clockwise by a quarter: A1 goes to A9.
    pub const QUARTER_TURN: Self = Self {
        transposed: true,
        cols: BACKWARD,
        ..Self::IDENTITY
    };
    /// Turns by half.
    pub const HALF_TURN: Self = Self {
        rows: BACKWARD,
        cols: BACKWARD,
        ..Self::IDENTITY
    };
    /// Puts row A where row I was, and so on.
    pub const FLIP_ROWS: Self = Self {
        rows: BACKWARD,
        ..Self::IDENTITY
    };
    /// Puts column 1 where column 9 was, and so on.
    pub const FLIP_COLUMNS: Self = Self {
        cols: BACKWARD,
        ..Self::IDENTITY
    };

    /// Digit `d` becomes `names[d - 1]`. `None` unless the names are the digits 1 to 9, each
    /// once.
    pub fn relabel(names: [u8; 9]) -> Option<Self> {
        let mut digits = [0; 10];
        digits[1..].copy_from_slice(&names);
        let zero_based = names.map(|name| name.wrapping_sub(1));
        is_permutation(&zero_based).then_some(Self {
            digits,
            ..Self::IDENTITY
        })
    }

    /// Row `k` of the result is row `order[k]`, rows from 0. `None` unless each row comes once
    /// and bands stay together.
    pub fn rows(order: [u8; 9]) -> Option<Self> {
        keeps_bands(&order).then_some(Self {
            rows: order,
            ..Self::IDENTITY
        })
    }

    /// Column `k` of the result is column `order[k]`, columns from 0. `None` unless each column
    /// comes once and stacks stay together.
    pub fn columns(order: [u8; 9]) -> Option<Self> {
        keeps_bands(&order).then_some(Self {
            cols: order,
            ..Self::IDENTITY
        })
    }

    /// Band `k` of the result is band `order[k]`, bands from 0. `None` unless each comes once.
    pub fn bands(order: [u8; 3]) -> Option<Self> {
        Self::rows(threes(order))
    }

    /// Stack `k` of the result is stack `order[k]`, stacks from 0. `None` unless each comes
    /// once.
    pub fn stacks(order: [u8; 3]) -> Option<Self> {
        Self::columns(threes(order))
    }

    /// A random element, each equally likely but for a bias below 2^-60. Different counters
    /// give independent ones.
    pub fn random(stream: &Stream, counter: u64) -> Self {
        let mut next = counter.wrapping_mul(32);
        let mut below = |bound: u64| {
            next = next.wrapping_add(1);
            stream.below(next, bound) as usize
        };
        let mut digits = Self::IDENTITY.digits;
        for last in (2..=9).rev() {
            digits.swap(last, 1 + below(last as u64));
        }
        Self {
            digits,
            transposed: below(2) == 1,
            rows: lines(below(6), [below(6), below(6), below(6)]),
            cols: lines(below(6), [below(6), below(6), below(6)]),
        }
    }

    /// This, and then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let (rows, cols) = if next.transposed {
            (&self.cols, &self.rows)
        } else {
            (&self.rows, &self.cols)
        };
        Self {
            digits: self.digits.map(|digit| next.digits[usize::from(digit)]),
            transposed: self.transposed != next.transposed,
            rows: next.rows.map(|row| rows[usize::from(row)]),
            cols: next.cols.map(|col| cols[usize::from(col)]),
        }
    }

    /// What undoes this.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (mut digits, mut rows, mut cols) = ([0; 10], [0; 9], [0; 9]);
        for k in 0..10 {
            digits[usize::from(self.digits[k])] = k as u8;
        }
        for k in 0..9 {
            rows[usize::from(self.rows[k])] = k as u8;
            cols[usize::from(self.cols[k])] = k as u8;
        }
        if self.transposed {
            (rows, cols) = (cols, rows);
        }
        Self {
            digits,
            transposed: self.transposed,
            rows,
            cols,
        }
    }

    /// The grid, transformed.
    pub fn apply(&self, grid: &Grid) -> Grid {
        let mut result = Grid::EMPTY;
        for cell in 0..81 {
            let (row, col) = (self.rows[cell / 9], self.cols[cell % 9]);
            let (row, col) = if self.transposed {
                (col, row)
            } else {
                (row, col)
            };
            let digit = grid.digit(usize::from(row) * 9 + usize::from(col));
            result = result.with(cell, self.digits[usize::from(digit)]);
        }
        result
    }
}

fn is_permutation(order: &[u8]) -> bool {
    (0..order.len() as u8).all(|k| order.contains(&k))
}

fn keeps_bands(order: &[u8; 9]) -> bool {
    is_permutation(order)
        && order
            .chunks(3)
            .all(|band| band.iter().all(|line| line / 3 == band[0] / 3))
}

fn threes(order: [u8; 3]) -> [u8; 9] {
    std::array::from_fn(|k| order[k / 3].saturating_mul(3).saturating_add(k as u8 % 3))
}
