//! The plain words: shapes, boards of any shape, and the 9x9 grid.
//!
//! Nothing here knows a rule. A [`Grid`] may hold a digit twice in a row: it is what somebody
//! typed.

use std::fmt;
use std::str::FromStr;

/// The box shape of a board: boxes of `box_rows` rows and `box_cols` columns, `size` of each
/// unit. Size is 1 to 36.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    box_rows: u8,
    box_cols: u8,
}

/// Why two numbers are no box shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "boxes of {box_rows} rows and {box_cols} columns: both must be at least 1 and their product at most 36"
)]
pub struct ShapeError {
    /// Rows of a box, as asked for.
    pub box_rows: usize,
    /// Columns of a box, as asked for.
    pub box_cols: usize,
}

impl Shape {
    /// Nine rows, nine columns, boxes of 3x3.
    pub const CLASSIC: Self = Self {
        box_rows: 3,
        box_cols: 3,
    };

    /// A shape of boxes with `box_rows` rows and `box_cols` columns.
    ///
    /// # Errors
    /// If one of them is 0 or their product is over 36.
    pub fn new(box_rows: usize, box_cols: usize) -> Result<Self, ShapeError> {
        let size = box_rows.saturating_mul(box_cols);
        if size == 0 || size > 36 {
            return Err(ShapeError { box_rows, box_cols });
        }
        Ok(Self {
            box_rows: box_rows as u8,
            box_cols: box_cols as u8,
        })
    }

    /// The usual shape for a board of `size` rows: boxes as square as can be, wider than high
    /// (6 has boxes of two rows and three columns). `None` if there is none but strips.
    pub fn of_size(size: usize) -> Option<Self> {
        if size == 0 || size > 36 {
            return None;
        }
        let rows = (1..=size).take_while(|rows| rows * rows <= size);
        let rows = rows.filter(|rows| size.is_multiple_of(*rows)).last()?;
        if rows == 1 && size > 1 {
            return None;
        }
        Self::new(rows, size / rows).ok()
    }

    /// Rows of a box.
    pub fn box_rows(self) -> usize {
        usize::from(self.box_rows)
    }

    /// Columns of a box.
    pub fn box_cols(self) -> usize {
        usize::from(self.box_cols)
    }

    /// Rows of the board, which is also its columns, its boxes and its digits.
    pub fn size(self) -> usize {
        self.box_rows() * self.box_cols()
    }

    /// Cells of the board.
    pub fn cells(self) -> usize {
        self.size() * self.size()
    }

    /// The box of a cell, boxes numbered row by row.
    pub fn box_of(self, cell: usize) -> usize {
        let (row, col) = (cell / self.size(), cell % self.size());
        // A band of boxes holds as many boxes as a box has rows.
        row / self.box_rows() * self.box_rows() + col / self.box_cols()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        write!(
            f,
            "{size}x{size} with boxes of {}x{}",
            self.box_rows, self.box_cols
        )
    }
}

/// A board of any shape, as typed. 0 is an empty cell; digits go up to the size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    digits: Vec<u8>,
}

impl Board {
    /// An empty board.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            digits: vec![0; shape.cells()],
        }
    }

    /// A board of these digits, row by row.
    ///
    /// # Errors
    /// If there are too many or too few, or one is over the size.
    pub fn from_digits(shape: Shape, digits: Vec<u8>) -> Result<Self, GridError> {
        if digits.len() != shape.cells() {
            return Err(GridError::Length {
                found: digits.len(),
                wanted: shape.cells(),
            });
        }
        if let Some(cell) = digits.iter().position(|&d| usize::from(d) > shape.size()) {
            return Err(GridError::Digit {
                cell,
                found: digits[cell],
                size: shape.size(),
            });
        }
        Ok(Self { shape, digits })
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All digits, row by row.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The digit in `cell`, 0 if it is empty or there is no such cell.
    pub fn digit(&self, cell: usize) -> u8 {
        self.digits.get(cell).copied().unwrap_or(0)
    }

    /// How many cells are filled.
    pub fn clues(&self) -> usize {
        self.digits.iter().filter(|&&digit| digit != 0).count()
    }

    /// The same board as a [`Grid`], if its shape is the classic one.
    pub fn classic(&self) -> Option<Grid> {
        if self.shape != Shape::CLASSIC {
            return None;
        }
        Grid::from_digits(self.digits.as_slice().try_into().ok()?).ok()
    }
}

impl From<Grid> for Board {
    fn from(grid: Grid) -> Self {
        Self {
            shape: Shape::CLASSIC,
            digits: grid.digits().to_vec(),
        }
    }
}

/// A 9x9 grid, as typed: digits `1..=9`, 0 for an empty cell.
///
/// The order is that of the digits row by row, empty before 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid([u8; 81]);

/// Why a text or an array is no grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// Too many or too few cells.
    #[error("{found} cells, wanted {wanted}")]
    Length {
        /// Cells found.
        found: usize,
        /// Cells wanted.
        wanted: usize,
    },
    /// A character that is neither digit nor blank.
    #[error(
        "character {found:?} at position {position}: wanted a digit 1-9, or one of . 0 * _ ? for an empty cell"
    )]
    Character {
        /// Position among the characters, from 1.
        position: usize,
        /// What stood there.
        found: char,
    },
    /// A number over the size of the board.
    #[error("digit {found} in cell {cell} (counted from 0): wanted 0 to {size}")]
    Digit {
        /// The cell, from 0.
        cell: usize,
        /// What stood there.
        found: u8,
        /// The largest digit.
        size: usize,
    },
}

impl Grid {
    /// The grid without a digit.
    pub const EMPTY: Self = Self([0; 81]);

    /// A grid of these digits, row by row.
    ///
    /// # Errors
    /// If one is over 9.
    pub fn from_digits(digits: [u8; 81]) -> Result<Self, GridError> {
        match digits.iter().position(|&digit| digit > 9) {
            None => Ok(Self(digits)),
            Some(cell) => Err(GridError::Digit {
                cell,
                found: digits[cell],
                size: 9,
            }),
        }
    }

    /// All digits, row by row.
    pub fn digits(&self) -> &[u8; 81] {
        &self.0
    }

    /// The digit in `cell`, 0 if it is empty or there is no such cell.
    pub fn digit(&self, cell: usize) -> u8 {
        self.0.get(cell).copied().unwrap_or(0)
    }

    /// The same grid with `digit` (0 to empty it) in `cell`. A cell or a digit that does not
    /// exist changes nothing.
    #[must_use]
    pub fn with(mut self, cell: usize, digit: u8) -> Self {
        if cell < 81 && digit <= 9 {
            self.0[cell] = digit;
        }
        self
    }

    /// How many cells are filled.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&digit| digit != 0).count()
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        self.clues() == 81
    }

    /// The 81 characters, `.` for empty, without allocation.
    pub fn to_line(&self) -> [u8; 81] {
        self.0
            .map(|digit| if digit == 0 { b'.' } else { b'0' + digit })
    }
}

impl FromStr for Grid {
    type Err = GridError;

    /// Reads 81 characters: digits, and `. 0 * _ ?` for empty cells. White space at both ends
    /// is skipped. For any other form see [`format`](crate::format).
    fn from_str(text: &str) -> Result<Self, GridError> {
        let mut digits = [0; 81];
        let mut count = 0;
        for (position, found) in text.trim().chars().enumerate() {
            let digit = match found {
                '1'..='9' => found as u8 - b'0',
                '.' | '0' | '*' | '_' | '?' => 0,
                _ => {
                    return Err(GridError::Character {
                        position: position + 1,
                        found,
                    });
                }
            };
            if let Some(cell) = digits.get_mut(position) {
                *cell = digit;
            }
            count += 1;
        }
        if count == 81 {
            Ok(Self(digits))
        } else {
            Err(GridError::Length {
                found: count,
                wanted: 81,
            })
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.to_line();
        f.write_str(std::str::from_utf8(&line).unwrap_or_default())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

/// The row of a cell of a 9x9 grid, from 0.
pub const fn row_of(cell: usize) -> usize {
    cell / 9
}

/// The column of a cell of a 9x9 grid, from 0.
pub const fn col_of(cell: usize) -> usize {
    cell % 9
}

/// The box of a cell of a 9x9 grid, from 0, boxes numbered row by row.
pub const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// The name of a cell of a 9x9 grid: row letter `A` to `I`, column `1` to `9`.
///
/// ```
/// assert_eq!(puzzleyard_sudoku::cell_name(40), "E5");
/// assert_eq!(puzzleyard_sudoku::cell_named("E5"), Some(40));
/// ```
pub fn cell_name(cell: usize) -> String {
    format!(
        "{}{}",
        char::from(b'A' + (row_of(cell) % 9) as u8),
        col_of(cell) + 1
    )
}

/// The cell with this name, exactly as [`cell_name`] writes it.
pub fn cell_named(name: &str) -> Option<usize> {
    match name.as_bytes() {
        &[row @ b'A'..=b'I', col @ b'1'..=b'9'] => {
            Some(usize::from(row - b'A') * 9 + usize::from(col - b'1'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Grid, GridError, Shape, box_of, cell_name, cell_named};

    #[test]
    fn boxes_of_oblong_shapes() {
        let six = Shape::of_size(6).unwrap();
        assert_eq!((six.box_rows(), six.box_cols()), (2, 3));
        let boxes: Vec<usize> = (0..36).map(|cell| six.box_of(cell)).collect();
        assert_eq!(
            boxes[..18],
            [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
        );
        assert_eq!(boxes[35], 5);
        assert_eq!(Shape::of_size(7), None);
        assert_eq!(Shape::of_size(25), Shape::new(5, 5).ok());
        assert!((0..81).all(|cell| Shape::CLASSIC.box_of(cell) == box_of(cell)));
    }

    #[test]
    fn names_are_read_back() {
        for cell in 0..81 {
            assert_eq!(cell_named(&cell_name(cell)), Some(cell));
        }
        for wrong in ["", "A", "A0", "A10", "J1", "a1", "1A", "A１"] {
            assert_eq!(cell_named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lines_are_read_and_refused() {
        let line = "1*_?0.".to_owned() + &".".repeat(75);
        let grid: Grid = line.parse().unwrap();
        assert_eq!(grid.clues(), 1);
        assert_eq!(grid.to_string().parse(), Ok(grid));
        assert_eq!(
            "12x".parse::<Grid>(),
            Err(GridError::Character {
                position: 3,
                found: 'x'
            })
        );
        assert_eq!(
            "12".parse::<Grid>(),
            Err(GridError::Length {
                found: 2,
                wanted: 81
            })
        );
        assert_eq!(Board::from(grid).classic(), Some(grid));
    }
}
