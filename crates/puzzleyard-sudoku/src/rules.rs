//! The only definition of what is legal: each row, column and box holds a digit at most once.

use std::fmt;

use crate::model::{Board, Grid, box_of, col_of, row_of};

/// A row, a column or a box, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
    /// A box, row by row.
    Box(usize),
}

impl fmt::Display for Unit {
    /// `row A`, `column 4`, `box 9`. Boxes are counted from 1, row by row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Row(row) if row < 26 => write!(f, "row {}", char::from(b'A' + row as u8)),
            Self::Row(row) => write!(f, "row {}", row + 1),
            Self::Column(col) => write!(f, "column {}", col + 1),
            Self::Box(number) => write!(f, "box {}", number + 1),
        }
    }
}

/// A digit more than once in a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Where.
    pub unit: Unit,
    /// Which digit.
    pub digit: u8,
    /// The cells that hold it, at least two, in ascending order.
    pub cells: Vec<usize>,
}

/// Every digit that stands more than once in a unit: rows first, then columns, then boxes.
/// A board is legal if and only if this is empty.
pub fn conflicts(board: &Board) -> Vec<Conflict> {
    let shape = board.shape();
    let size = shape.size();
    let mut found = Vec::new();
    let unit_of: [&dyn Fn(usize) -> usize; 3] =
        [&|cell| cell / size, &|cell| cell % size, &|cell| {
            shape.box_of(cell)
        }];
    let named: [fn(usize) -> Unit; 3] = [Unit::Row, Unit::Column, Unit::Box];
    for (unit_of, named) in unit_of.iter().zip(named) {
        let mut holders = vec![Vec::new(); size * (size + 1)];
        for (cell, &digit) in board.digits().iter().enumerate() {
            if digit != 0 {
                holders[unit_of(cell) * (size + 1) + usize::from(digit)].push(cell);
            }
        }
        for (index, cells) in holders.into_iter().enumerate() {
            if cells.len() > 1 {
                found.push(Conflict {
                    unit: named(index / (size + 1)),
                    digit: (index % (size + 1)) as u8,
                    cells,
                });
            }
        }
    }
    found
}

/// The filled cells that see `cell` and hold `digit`, in ascending order. `digit` may be put
/// into `cell` if and only if there is none. What `cell` itself holds does not matter.
pub fn obstacles(grid: &Grid, cell: usize, digit: u8) -> impl Iterator<Item = usize> {
    let grid = *grid;
    (0..81).filter(move |&other| digit != 0 && grid.digit(other) == digit && sees(cell, other))
}

/// Whether two different cells share a row, a column or a box.
pub const fn sees(cell: usize, other: usize) -> bool {
    cell != other
        && (row_of(cell) == row_of(other)
            || col_of(cell) == col_of(other)
            || box_of(cell) == box_of(other))
}

/// Whether no digit stands twice in a unit.
pub fn is_legal(grid: &Grid) -> bool {
    let mut seen = [[0u16; 9]; 3];
    for (cell, &digit) in grid.digits().iter().enumerate() {
        let bit = (1 << digit) & !1;
        let units = [row_of(cell), col_of(cell), box_of(cell)];
        for (kind, unit) in units.into_iter().enumerate() {
            if seen[kind][unit] & bit != 0 {
                return false;
            }
            seen[kind][unit] |= bit;
        }
    }
    true
}

/// Whether the grid is full and legal.
pub fn is_solved(grid: &Grid) -> bool {
    grid.is_full() && is_legal(grid)
}

#[cfg(test)]
mod tests {
    use super::{Unit, conflicts, is_legal, is_solved, obstacles, sees};
    use crate::model::{Board, Grid};

    #[test]
    fn conflicts_name_unit_digit_and_cells() {
        let grid = Grid::EMPTY.with(0, 5).with(8, 5).with(10, 5);
        let found = conflicts(&Board::from(grid));
        let rows: Vec<_> = found
            .iter()
            .map(|c| (c.unit, c.digit, c.cells.clone()))
            .collect();
        assert_eq!(
            rows,
            [
                (Unit::Row(0), 5, vec![0, 8]),
                (Unit::Box(0), 5, vec![0, 10])
            ]
        );
        assert!(!is_legal(&grid));
        assert_eq!(obstacles(&grid, 1, 5).collect::<Vec<_>>(), [0, 8, 10]);
    }

    #[test]
    fn every_cell_sees_twenty_others() {
        for cell in 0..81 {
            assert_eq!((0..81).filter(|&other| sees(cell, other)).count(), 20);
        }
        assert!(!is_solved(&Grid::EMPTY));
    }
}
