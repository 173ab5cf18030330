//! Cells, directions and sets of cells of a rectangular board.

use std::fmt;

/// A cell, `(row, col)`, both from 0, row 0 at the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Rows below the top row.
    pub row: u16,
    /// Columns to the right of the leftmost column.
    pub col: u16,
}

impl Cell {
    /// The cell at `row` and `col`.
    pub const fn new(row: u16, col: u16) -> Self {
        Self { row, col }
    }
}

/// Prints as people count: `row 1, column 1` is the top left cell.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "row {}, column {}",
            u32::from(self.row) + 1,
            u32::from(self.col) + 1
        )
    }
}

/// One of the four ways to go. The order (up, down, left, right) is the numbering 0 to 3 of
/// action ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// To the row above.
    Up = 0,
    /// To the row below.
    Down = 1,
    /// To the column on the left.
    Left = 2,
    /// To the column on the right.
    Right = 3,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The way back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Change of row and of column.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        }
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// The direction of a letter of either case, or `None`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'U' | 'u' => Some(Self::Up),
            'D' | 'd' => Some(Self::Down),
            'L' | 'l' => Some(Self::Left),
            'R' | 'r' => Some(Self::Right),
            _ => None,
        }
    }
}

/// The size of a board. Cells are numbered row by row, `row * width + col`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Area {
    height: u16,
    width: u16,
}

impl Area {
    /// A board of `height` rows and `width` columns.
    pub const fn new(height: u16, width: u16) -> Self {
        Self { height, width }
    }

    /// Number of rows.
    pub const fn height(self) -> u16 {
        self.height
    }

    /// Number of columns.
    pub const fn width(self) -> u16 {
        self.width
    }

    /// Number of cells.
    pub const fn len(self) -> usize {
        self.height as usize * self.width as usize
    }

    /// Whether there is no cell at all.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether `cell` lies on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.height && cell.col < self.width
    }

    /// The number of `cell`. Meaningless for a cell off the board.
    pub const fn index(self, cell: Cell) -> usize {
        cell.row as usize * self.width as usize + cell.col as usize
    }

    /// The cell of a number below [`Area::len`].
    pub const fn cell(self, index: usize) -> Cell {
        Cell::new(
            (index / self.width as usize) as u16,
            (index % self.width as usize) as u16,
        )
    }

    /// The next cell that way, or `None` at the edge.
    pub fn neighbour(self, cell: Cell, way: Direction) -> Option<Cell> {
        let (down, right) = way.offset();
        let row = u16::try_from(i32::from(cell.row) + down).ok()?;
        let col = u16::try_from(i32::from(cell.col) + right).ok()?;
        let next = Cell::new(row, col);
        self.contains(next).then_some(next)
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |col| Cell::new(row, col)))
    }
}

/// A set of cells of one board: one bit a cell, in the order of their numbers.
///
/// Cells off the board are never members; inserting one is a no-op.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CellSet {
    area: Area,
    words: Box<[u64]>,
}

impl CellSet {
    /// The empty set.
    pub fn new(area: Area) -> Self {
        Self {
            area,
            words: vec![0; area.len().div_ceil(64)].into(),
        }
    }

    /// The board whose cells these are.
    pub fn area(&self) -> Area {
        self.area
    }

    /// Whether `cell` is a member.
    pub fn contains(&self, cell: Cell) -> bool {
        if !self.area.contains(cell) {
            return false;
        }
        let index = self.area.index(cell);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Adds `cell`; true if it was absent.
    pub fn insert(&mut self, cell: Cell) -> bool {
        if !self.area.contains(cell) || self.contains(cell) {
            return false;
        }
        let index = self.area.index(cell);
        self.words[index / 64] |= 1 << (index % 64);
        true
    }

    /// Takes `cell` out; true if it was there.
    pub fn remove(&mut self, cell: Cell) -> bool {
        if !self.contains(cell) {
            return false;
        }
        let index = self.area.index(cell);
        self.words[index / 64] &= !(1 << (index % 64));
        true
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many members `other` has too.
    pub fn count_common(&self, other: &Self) -> usize {
        self.words
            .iter()
            .zip(&other.words)
            .map(|(a, b)| (a & b).count_ones() as usize)
            .sum()
    }

    /// The members, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words.iter().enumerate().flat_map(move |(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(self.area.cell(at * 64 + bit))
            })
        })
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|cell| (cell.row, cell.col)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Area, Cell, CellSet, Direction};

    #[test]
    fn a_step_and_its_opposite_cancel_out_inside_the_board() {
        let area = Area::new(3, 5);
        for cell in area.cells() {
            for way in Direction::ALL {
                if let Some(next) = area.neighbour(cell, way) {
                    assert_eq!(area.neighbour(next, way.opposite()), Some(cell));
                }
            }
        }
        assert_eq!(area.neighbour(Cell::new(0, 2), Direction::Up), None);
        assert_eq!(area.neighbour(Cell::new(2, 4), Direction::Down), None);
    }

    proptest! {
        /// A `CellSet` behaves as the ordered set of the standard library.
        #[test]
        fn behaves_as_an_ordered_set(ops in prop::collection::vec((any::<bool>(), 0u16..9, 0u16..20), 0..60)) {
            let area = Area::new(8, 19);
            let mut set = CellSet::new(area);
            let mut model = std::collections::BTreeSet::new();
            for (add, row, col) in ops {
                let cell = Cell::new(row, col);
                if add {
                    prop_assert_eq!(set.insert(cell), area.contains(cell) && model.insert(cell));
                } else {
                    prop_assert_eq!(set.remove(cell), model.remove(&cell));
                }
            }
            prop_assert_eq!(set.len(), model.len());
            prop_assert_eq!(set.is_empty(), model.is_empty());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), model.into_iter().collect::<Vec<_>>());
        }
    }
}
