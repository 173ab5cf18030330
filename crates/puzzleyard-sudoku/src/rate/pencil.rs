//! A grid with its candidates.

use super::geometry::{ALL, PEERS, PLACE, bits, ones, units_of};
use super::step::Step;
use crate::model::Grid;
use crate::rules::is_legal;
use crate::solve;

/// A 9x9 grid and the candidates of its empty cells.
///
/// Candidates are masks: bit `d` stands for digit `d`, bits 1 to 9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pencil {
    grid: Grid,
    /// Candidates of each cell; 0 for a filled one.
    pub(super) cells: [u16; 81],
    /// Cells that hold the digit as a candidate; index 0 is unused.
    pub(super) places: [u128; 10],
    /// The same by unit: the places in the unit (bits 0 to 8) of each digit.
    pub(super) spots: [[u16; 10]; 27],
    unique: bool,
}

impl Pencil {
    /// The grid with every candidate that no filled cell rules out. Whether the grid has one
    /// solution is worked out here, for the techniques that rest on it.
    pub fn new(grid: &Grid) -> Self {
        Self::with_unique(grid, is_legal(grid) && solve::is_unique(grid))
    }

    /// As [`Pencil::new`] when it is known whether the grid has one solution.
    pub(super) fn with_unique(grid: &Grid, unique: bool) -> Self {
        let mut pencil = Self {
            grid: *grid,
            cells: [0; 81],
            places: [0; 10],
            spots: [[0; 10]; 27],
            unique,
        };
        let mut used = [0; 27];
        for (cell, &digit) in grid.digits().iter().enumerate() {
            for unit in units_of(cell) {
                used[unit] |= 1 << digit;
            }
        }
        for cell in 0..81 {
            let [row, col, region] = units_of(cell).map(|unit| used[unit]);
            pencil.set_candidates(cell, ALL & !(row | col | region));
        }
        pencil
    }

    /// The digits placed so far.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether the grid was proven to have one solution.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// The candidates of a cell, bit `d` for digit `d`; 0 if it is filled or does not exist.
    pub fn candidates(&self, cell: usize) -> u16 {
        self.cells.get(cell).copied().unwrap_or(0)
    }

    /// Whether the digit is a candidate of the cell.
    pub fn has(&self, cell: usize, digit: u8) -> bool {
        (1..=9).contains(&digit) && self.candidates(cell) >> digit & 1 == 1
    }

    /// Sets the candidates of an empty cell, as a player writes them. Bits other than 1 to 9
    /// are dropped; a filled cell, or one that does not exist, is left alone.
    pub fn set_candidates(&mut self, cell: usize, mask: u16) {
        if cell < 81 && self.grid.digit(cell) == 0 {
            let mask = mask & ALL;
            ones(self.cells[cell] & !mask).for_each(|digit| self.strike(cell, digit as u8));
            for digit in ones(mask) {
                self.places[digit] |= 1 << cell;
                for (unit, place) in units_of(cell).into_iter().zip(PLACE[cell]) {
                    self.spots[unit][digit] |= 1 << place;
                }
            }
            self.cells[cell] = mask;
        }
    }

    /// Strikes one candidate.
    pub fn strike(&mut self, cell: usize, digit: u8) {
        if cell < 81 && (1..=9).contains(&digit) {
            let digit = usize::from(digit);
            self.cells[cell] &= !(1 << digit);
            self.places[digit] &= !(1 << cell);
            for (unit, place) in units_of(cell).into_iter().zip(PLACE[cell]) {
                self.spots[unit][digit] &= !(1 << place);
            }
        }
    }

    /// Places a digit in an empty cell and strikes it from the cells that this cell sees.
    pub fn place(&mut self, cell: usize, digit: u8) {
        if cell < 81 && (1..=9).contains(&digit) && self.grid.digit(cell) == 0 {
            self.set_candidates(cell, 0);
            self.grid = self.grid.with(cell, digit);
            let gone = PEERS[cell] & self.places[usize::from(digit)];
            bits(gone).for_each(|peer| self.strike(peer, digit));
        }
    }

    /// Does what the step says.
    pub fn apply(&mut self, step: &Step) {
        for &(cell, digit) in &step.remove {
            self.strike(cell, digit);
        }
        if let Some((cell, digit)) = step.place {
            self.place(cell, digit);
        }
    }

    /// The cells that hold any candidate.
    pub(super) fn open(&self) -> u128 {
        self.places.iter().fold(0, |all, set| all | set)
    }

    /// The candidates among `digits` in `cells`, by cell.
    pub(super) fn within(&self, cells: u128, digits: u16) -> Vec<(usize, u8)> {
        bits(cells)
            .flat_map(|cell| ones(self.cells[cell] & digits).map(move |digit| (cell, digit as u8)))
            .collect()
    }

    /// Whether one of `cells` holds a candidate among `digits`.
    pub(super) fn holds(&self, cells: u128, digits: u16) -> bool {
        ones(digits).any(|digit| self.places[digit] & cells != 0)
    }
}
