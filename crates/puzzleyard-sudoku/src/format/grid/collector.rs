//! Gathers rows into boards.

use std::collections::VecDeque;

use super::super::{Entry, Fault, alphabet, bare_title, many};
use super::row::{Cells, Row, is_size, parse};
use crate::model::{Board, Shape};

type Ready = VecDeque<Result<Entry, Fault>>;

/// One row of the board being read.
#[derive(Debug)]
struct Taken {
    line: u64,
    cells: Cells,
}

/// The board being read.
///
/// A board ends with its last row. A blank line ends it too, unless each paragraph so far is
/// one band of boxes.
#[derive(Debug, Default)]
pub(in super::super) struct Collector {
    /// Cells of a row; 0 while no board is begun.
    size: usize,
    rows: Vec<Taken>,
    /// Rows before the present paragraph.
    banded: usize,
    /// Row counts at which a drawn line stood.
    borders: Vec<usize>,
    title: Option<String>,
    /// The title came from a remark, which belongs to the board directly below only.
    remark: bool,
    fault: Option<Fault>,
}

impl Collector {
    /// Whether a board is begun.
    pub(in super::super) fn is_open(&self) -> bool {
        self.size > 0
    }

    /// Takes a line; finished boards and faults go to `ready`.
    pub(in super::super) fn feed(&mut self, text: &str, line: u64, ready: &mut Ready) {
        match parse(text, self.size) {
            Row::Idle => {
                self.pause(line, ready);
                if self.remark {
                    self.title = None;
                }
            }
            Row::Remark => {
                if !self.is_open() {
                    self.title = bare_title(text);
                    self.remark = true;
                }
            }
            Row::Border => self.border(),
            Row::Words => {
                if self.is_open() {
                    self.close(line, ready);
                }
                self.title = bare_title(text);
                self.remark = false;
            }
            Row::Faulty { column, found } => self.faulty(line, column, found, ready),
            Row::Cells(cells) => self.cells(cells, line, ready),
        }
    }

    /// Ends the file.
    pub(in super::super) fn end(&mut self, line: u64, ready: &mut Ready) {
        self.close(line, ready);
        self.title = None;
    }

    fn border(&mut self) {
        if self.is_open() && self.borders.last() != Some(&self.rows.len()) {
            self.borders.push(self.rows.len());
        }
    }

    /// A blank line.
    fn pause(&mut self, line: u64, ready: &mut Ready) {
        if !self.is_open() {
            return;
        }
        let band = Shape::of_size(self.size).map_or(0, Shape::box_rows);
        let paragraph = self.rows.len() - self.banded;
        if self.fault.is_none()
            && self.rows.len() < self.size
            && (paragraph == band || paragraph == 0)
        {
            self.banded = self.rows.len();
        } else {
            self.close(line, ready);
        }
    }

    fn faulty(&mut self, line: u64, column: usize, found: String, ready: &mut Ready) {
        if !self.is_open() {
            // Without a size the rows cannot be counted: the board ends at a blank line.
            self.size = usize::MAX;
        }
        let wanted = alphabet::wanted(if self.size == usize::MAX {
            9
        } else {
            self.size
        });
        self.note(Fault::new(line, column, found, wanted));
        self.push(Cells::default(), line, ready);
    }

    /// Keeps the first fault of a board.
    fn note(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    fn cells(&mut self, cells: Cells, line: u64, ready: &mut Ready) {
        let count = cells.chars.len();
        if !self.is_open() {
            if count > 36
                && let Some(size) = alphabet::size_of_cells(count)
            {
                self.whole(size, &cells, line, ready);
                return;
            }
            if is_size(count) {
                self.size = count;
            } else {
                self.size = usize::MAX;
                self.note(Fault::new(
                    line,
                    cells.columns.last().copied().unwrap_or(1),
                    format!("a row of {}", many(count, "cell")),
                    "4, 6, 8, 9, 10, 12, ... 36 cells a row",
                ));
            }
        }
        self.heading(&cells);
        if count != self.size && self.size != usize::MAX {
            if self.rows.len() == 1 && is_size(count) && self.fault.is_none() {
                let first = self.rows[0].line;
                self.note(Fault::new(
                    first,
                    self.size + 1,
                    format!("a row of {}", many(self.size, "cell")),
                    format!("{count}, as in the row below"),
                ));
                self.size = count;
            } else {
                self.note(Fault::new(
                    line,
                    cells.columns.last().copied().unwrap_or(1),
                    format!("a row of {}", many(count, "cell")),
                    format!("{}, as in the rows above", self.size),
                ));
            }
        }
        self.push(cells, line, ready);
    }

    /// Drops a heading `1 2 3 ...` above the first lettered row.
    fn heading(&mut self, cells: &Cells) {
        let [first] = self.rows.as_slice() else {
            return;
        };
        let counted = |(index, &c): (usize, &char)| c == alphabet::symbol(index as u8 + 1);
        if cells.label == Some('A')
            && first.cells.label.is_none()
            && first.cells.chars.iter().enumerate().all(counted)
        {
            self.rows.clear();
            self.borders.clear();
        }
    }

    fn push(&mut self, cells: Cells, line: u64, ready: &mut Ready) {
        if self.size == usize::MAX {
            // Nothing more than its fault will be said of this board.
            return;
        }
        let band = Shape::of_size(self.size).map_or(0, Shape::box_rows);
        if self.banded > 0 && self.rows.len() - self.banded == band {
            // This paragraph is more than a band: it begins a board of its own.
            let fresh = self.rows.split_off(self.banded);
            let size = self.size;
            self.rows.truncate(self.banded);
            self.close(line, ready);
            self.size = size;
            self.rows = fresh;
        }
        self.rows.push(Taken { line, cells });
        if self.rows.len() == self.size && self.banded == 0 {
            self.close(line, ready);
        }
    }

    /// A whole board in one line.
    fn whole(&mut self, size: usize, cells: &Cells, line: u64, ready: &mut Ready) {
        let item = alphabet::read(size, &cells.chars, None)
            .map_err(|bad| Fault::new(line, cells.columns[bad.index], bad.found, bad.wanted))
            .map(|(digits, _)| alphabet::board(size, digits));
        match item {
            Ok(Some(board)) => ready.push_back(Ok(Entry {
                title: self.title.take(),
                line,
                ..Entry::new(board)
            })),
            Ok(None) => {}
            Err(fault) => ready.push_back(Err(fault)),
        }
    }

    /// Ends the board being read, if there is one.
    fn close(&mut self, line: u64, ready: &mut Ready) {
        if !self.is_open() {
            return;
        }
        let item = match self.fault.take() {
            Some(fault) => Err(fault),
            None if self.rows.len() != self.size => Err(Fault::new(
                line,
                1,
                format!("a grid of {}", many(self.rows.len(), "row")),
                format!("{}, as many as cells in a row", self.size),
            )),
            None => self.board().map(|board| Entry {
                title: self.title.take(),
                line: self.rows.first().map_or(line, |row| row.line),
                ..Entry::new(board)
            }),
        };
        ready.push_back(item);
        *self = Self::default();
    }

    fn board(&self) -> Result<Board, Fault> {
        let chars: Vec<char> = self
            .rows
            .iter()
            .flat_map(|row| row.cells.chars.iter().copied())
            .collect();
        let (digits, _) = alphabet::read(self.size, &chars, None).map_err(|bad| {
            let row = &self.rows[bad.index / self.size];
            let column = row.cells.columns[bad.index % self.size];
            Fault::new(row.line, column, bad.found, bad.wanted)
        })?;
        let first = self.rows.first().map_or(1, |row| row.line);
        let shape = self.shape(first)?;
        Board::from_digits(shape, digits)
            .map_err(|error| Fault::new(first, 1, error.to_string(), "a board"))
    }

    /// The shape that the borders draw, or the usual one.
    fn shape(&self, line: u64) -> Result<Shape, Fault> {
        let size = self.size;
        let splits = &self.rows[0].cells.splits;
        let even = self.rows.iter().all(|row| row.cells.splits == *splits);
        let inner: Vec<usize> = self
            .borders
            .iter()
            .copied()
            .filter(|&at| at > 0 && at < size)
            .collect();
        let cols = if even { regular(splits, size) } else { None };
        let (rows, cols) = match (regular(&inner, size), cols) {
            (Some(rows), Some(cols)) if rows * cols != size => {
                return Err(Fault::new(
                    line,
                    1,
                    format!("borders around boxes of {rows} rows and {cols} columns"),
                    format!("boxes of {size} cells"),
                ));
            }
            (Some(rows), _) => (rows, size / rows),
            (None, Some(cols)) => (size / cols, cols),
            (None, None) => {
                return Shape::of_size(size).ok_or_else(|| {
                    Fault::new(line, 1, format!("{size} rows"), "a size that has boxes")
                });
            }
        };
        Shape::new(rows, cols)
            .map_err(|error| Fault::new(line, 1, error.to_string(), "boxes of the board's size"))
    }
}

/// The distance of borders that stand at equal distances, if they part the board into boxes
/// and not into rows, columns or single cells.
fn regular(splits: &[usize], size: usize) -> Option<usize> {
    let step = *splits.first()?;
    let expected = (1..).map(|k| k * step).take_while(|&at| at < size);
    (step > 1 && size.is_multiple_of(step) && expected.eq(splits.iter().copied())).then_some(step)
}
