//! The lower bound on pushes of a state, and of its children.

use puzzleyard_core::Limit;

use super::board::Board;
use super::budget::Budget;
use super::distance::{Distances, NEVER};
use super::matching::Matching;
use super::position::Position;
use super::tables::BARE;

/// What the sum over boxes is made of.
pub(super) enum Bound {
    /// Cheapest pairing of boxes and goals.
    Matched(Box<Rows>),
    /// The distances to nearest goals, where the whole table would be too large.
    Nearest {
        /// Distance of each box of the position.
        each: Vec<u16>,
        needed: usize,
        sorted: Vec<u16>,
    },
}

/// Which row of the matching stands for which box.
pub(super) struct Rows {
    matching: Matching,
    /// The square of the box of each row, as last seen.
    squares: Vec<u32>,
    /// The row of the box on each square, as last seen.
    row_on: Vec<u32>,
    /// The row of each box of the position.
    row: Vec<u32>,
    /// Rows without a box while rows are being told.
    idle: Vec<u32>,
    /// The number of the distances in use.
    table: usize,
}

const NO_ROW: u32 = u32::MAX;

impl Bound {
    pub(super) fn new(
        board: &Board,
        distances: &Distances,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Limit> {
        let boxes = board.boxes().len();
        if distances.is_full() {
            let squares = budget.filled(NO_ROW, boxes)?;
            budget.take(boxes * 4)?;
            return Ok(Self::Matched(Box::new(Rows {
                matching: Matching::new(boxes, board.goals().len(), budget)?,
                squares,
                row_on: budget.filled(NO_ROW, board.len())?,
                row: budget.filled(NO_ROW, boxes)?,
                table: BARE,
                idle: Vec::with_capacity(boxes),
            })));
        }
        Ok(Self::Nearest {
            each: budget.filled(0, boxes)?,
            needed: board.needed(),
            sorted: budget.filled(0, boxes)?,
        })
    }

    /// The bound of `position` by the distances of that number, or `None` if it is dead.
    /// Readies [`Bound::after`].
    pub(super) fn whole(
        &mut self,
        board: &Board,
        (number, distances): (usize, &Distances),
        position: &Position,
        budget: &Budget<'_>,
    ) -> Result<Option<u32>, Limit> {
        match self {
            Self::Matched(rows) => rows.whole(board, (number, distances), position, budget),
            Self::Nearest {
                each,
                needed,
                sorted,
            } => {
                for (distance, &sq) in each.iter_mut().zip(&position.boxes) {
                    *distance = distances.nearest(board.side(sq, position.player));
                }
                Ok(sum(each, *needed, sorted))
            }
        }
    }

    /// The bound if box `number` of the last position stood on `side` instead.
    pub(super) fn after(&mut self, distances: &Distances, number: usize, side: u32) -> Option<u32> {
        match self {
            Self::Matched(rows) => {
                let row = rows.row[number] as usize;
                rows.matching.try_side(distances, row, side)
            }
            Self::Nearest {
                each,
                needed,
                sorted,
            } => {
                let before = std::mem::replace(&mut each[number], distances.nearest(side));
                let total = sum(each, *needed, sorted);
                each[number] = before;
                total
            }
        }
    }
}

impl Rows {
    /// As [`Bound::whole`].
    fn whole(
        &mut self,
        board: &Board,
        (number, distances): (usize, &Distances),
        position: &Position,
        budget: &Budget<'_>,
    ) -> Result<Option<u32>, Limit> {
        let Self {
            matching,
            squares,
            row_on,
            row,
            idle,
            table,
        } = self;
        if std::mem::replace(table, number) != number {
            matching.reset();
        }
        // Boxes that stand where one stood before keep its row and its pair.
        for (number, &sq) in position.boxes.iter().enumerate() {
            row[number] = std::mem::replace(&mut row_on[sq as usize], NO_ROW);
        }
        idle.clear();
        for (at, sq) in squares.iter_mut().enumerate() {
            if *sq == NO_ROW {
                idle.push(at as u32);
            } else if row_on[*sq as usize] != NO_ROW {
                row_on[*sq as usize] = NO_ROW;
                idle.push(at as u32);
            }
        }
        for (number, &sq) in position.boxes.iter().enumerate() {
            if row[number] == NO_ROW
                && let Some(at) = idle.pop()
            {
                row[number] = at;
            }
            let at = row[number] as usize;
            squares[at] = sq;
            row_on[sq as usize] = at as u32;
            matching.set(at, board.side(sq, position.player));
        }
        matching.solve(distances, budget)
    }
}

/// The sum of the `needed` least distances.
fn sum(each: &[u16], needed: usize, sorted: &mut [u16]) -> Option<u32> {
    sorted.copy_from_slice(each);
    if needed < sorted.len() {
        sorted.sort_unstable();
    }
    sorted[..needed].iter().try_fold(0u32, |total, &distance| {
        (distance != NEVER).then(|| total.saturating_add(u32::from(distance)))
    })
}
