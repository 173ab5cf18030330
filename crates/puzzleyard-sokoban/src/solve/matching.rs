//! The cheapest way to give every box its own goal: a lower bound on pushes.
//!
//! Shortest augmenting paths with dual prices (Jonker and Volgenant, "A shortest augmenting
//! path algorithm for dense and sparse linear assignment problems", 1987; as a bound for
//! Sokoban: Junghanns and Schaeffer 2001, section 4.1). A push changes the costs of one box
//! only, so a child's bound takes one augmentation from its parent's prices, and a new node
//! as many as boxes have moved since the last.

use puzzleyard_core::Limit;

use super::budget::Budget;
use super::distance::{Distances, NEVER};

const NONE: u32 = u32::MAX;
const FAR: i64 = i64::MAX / 4;

/// A square assignment problem: boxes by goals, the smaller side filled up with stand-ins
/// that cost nothing.
pub(super) struct Matching {
    boxes: usize,
    size: usize,
    /// The side of the box of a row; `NONE` for stand-ins.
    side: Vec<u32>,
    /// Prices of rows and columns. A row's cost never undercuts the sum of the two prices.
    row_price: Vec<i64>,
    col_price: Vec<i64>,
    col_of: Vec<u32>,
    row_of: Vec<u32>,
    /// The total that [`Matching::solve`] found last.
    total: i64,
    /// Working space of one augmentation.
    shortest: Vec<i64>,
    from: Vec<u32>,
    done: Vec<bool>,
    scanned: Vec<u32>,
}

/// The costs of one row.
enum Costs<'a> {
    Box(&'a [u16]),
    StandIn,
}

impl Costs<'_> {
    #[inline]
    fn at(&self, col: usize) -> Option<i64> {
        match self {
            // Columns past the last goal are stand-ins.
            Self::Box(row) => match row.get(col) {
                None => Some(0),
                Some(&NEVER) => None,
                Some(&cost) => Some(i64::from(cost)),
            },
            Self::StandIn => Some(0),
        }
    }
}

impl Matching {
    pub(super) fn new(boxes: usize, goals: usize, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        let size = boxes.max(goals);
        let mut matching = Self {
            boxes,
            size,
            side: budget.filled(NONE, boxes)?,
            row_price: budget.filled(0, size)?,
            col_price: budget.filled(0, size)?,
            col_of: budget.filled(NONE, size)?,
            row_of: budget.filled(NONE, size)?,
            total: 0,
            shortest: budget.filled(FAR, size)?,
            from: budget.filled(NONE, size)?,
            done: budget.filled(false, size)?,
            scanned: budget.filled(0, size)?,
        };
        matching.scanned.clear();
        Ok(matching)
    }

    /// Forgets every price and pair: the distances are others from now on.
    pub(super) fn reset(&mut self) {
        self.side.fill(NONE);
        self.row_price.fill(0);
        self.col_price.fill(0);
        self.col_of.fill(NONE);
        self.row_of.fill(NONE);
    }

    fn costs<'a>(&self, distances: &'a Distances, row: usize) -> Costs<'a> {
        if row < self.boxes {
            Costs::Box(distances.row(self.side[row]))
        } else {
            Costs::StandIn
        }
    }

    /// Gives row `row` the box on `side`; [`Matching::solve`] pairs it anew.
    pub(super) fn set(&mut self, row: usize, side: u32) {
        if self.side[row] == side {
            return;
        }
        self.side[row] = side;
        let col = std::mem::replace(&mut self.col_of[row], NONE);
        if col != NONE {
            self.row_of[col as usize] = NONE;
        }
    }

    /// The least total cost, or `None` if some box has no goal left.
    pub(super) fn solve(
        &mut self,
        distances: &Distances,
        budget: &Budget<'_>,
    ) -> Result<Option<u32>, Limit> {
        for row in 0..self.size {
            if self.col_of[row] != NONE {
                continue;
            }
            if self.size > 64 {
                budget.poll()?;
            }
            let Some(price) = self.start_price(&self.costs(distances, row)) else {
                return Ok(None);
            };
            self.row_price[row] = price;
            if !self.augment(distances, row, budget)? {
                return Ok(None);
            }
        }
        self.total = self.row_price.iter().chain(&self.col_price).sum();
        Ok(Some(self.total as u32))
    }

    /// The greatest price a row can have beside the prices of the columns.
    fn start_price(&self, costs: &Costs<'_>) -> Option<i64> {
        let slack = |col: usize| costs.at(col).map(|cost| cost - self.col_price[col]);
        (0..self.size).filter_map(slack).min()
    }

    /// The least total cost if the box of `row` stood on `side` instead. Only after
    /// [`Matching::solve`] has found a total.
    pub(super) fn try_side(&mut self, distances: &Distances, row: usize, side: u32) -> Option<u32> {
        let costs = Costs::Box(distances.row(side));
        let price = self.start_price(&costs)?;
        let free = self.col_of[row] as usize;
        let base = self.total - self.row_price[row] + price;
        if costs
            .at(free)
            .is_some_and(|cost| cost == price + self.col_price[free])
        {
            return Some(base as u32);
        }
        let length = self.path(distances, &costs, price, |_, col| col == free)?.1;
        Some((base + length) as u32)
    }

    /// Dijkstra over columns from a row with `costs` and `price` to the first column that
    /// `ends` accepts, given the row that holds it. Leaves `shortest`, `from` and `scanned`.
    fn path(
        &mut self,
        distances: &Distances,
        costs: &Costs<'_>,
        price: i64,
        ends: impl Fn(&[u32], usize) -> bool,
    ) -> Option<(usize, i64)> {
        self.shortest.fill(FAR);
        self.done.fill(false);
        self.scanned.clear();
        let (mut row, mut row_price, mut length) = (NONE, price, 0);
        let mut held;
        let mut current = costs;
        loop {
            let (mut best, mut best_col) = (FAR, usize::MAX);
            for col in 0..self.size {
                if self.done[col] {
                    continue;
                }
                if let Some(cost) = current.at(col) {
                    let reduced = length + cost - row_price - self.col_price[col];
                    if reduced < self.shortest[col] {
                        self.shortest[col] = reduced;
                        self.from[col] = row;
                    }
                }
                if self.shortest[col] < best {
                    best = self.shortest[col];
                    best_col = col;
                }
            }
            if best == FAR {
                return None;
            }
            length = best;
            if ends(&self.row_of, best_col) {
                return Some((best_col, length));
            }
            self.done[best_col] = true;
            self.scanned.push(best_col as u32);
            row = self.row_of[best_col];
            row_price = self.row_price[row as usize];
            held = self.costs(distances, row as usize);
            current = &held;
        }
    }

    fn augment(
        &mut self,
        distances: &Distances,
        row: usize,
        budget: &Budget<'_>,
    ) -> Result<bool, Limit> {
        let costs = self.costs(distances, row);
        let price = self.row_price[row];
        let found = self.path(distances, &costs, price, |row_of, col| row_of[col] == NONE);
        let Some((mut col, length)) = found else {
            budget.poll()?;
            return Ok(false);
        };
        self.row_price[row] += length;
        for &done in &self.scanned {
            let done = done as usize;
            let gain = length - self.shortest[done];
            self.row_price[self.row_of[done] as usize] += gain;
            self.col_price[done] -= gain;
        }
        loop {
            let from = if self.from[col] == NONE {
                row
            } else {
                self.from[col] as usize
            };
            self.row_of[col] = from as u32;
            let before = std::mem::replace(&mut self.col_of[from], col as u32);
            if from == row {
                return Ok(true);
            }
            col = before as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_core::{Limits, Stop, Stream};

    use super::Matching;
    use crate::solve::budget::Budget;
    use crate::solve::distance::{Distances, NEVER};

    /// The least cost of pairing as many as can be, by trying every choice.
    fn slow(rows: &[&[u16]], boxes: usize, goals: usize) -> Option<u32> {
        fn go(rows: &[&[u16]], used: u32, spare: usize) -> Option<u32> {
            let Some((row, rest)) = rows.split_first() else {
                return Some(0);
            };
            let paired = row.iter().enumerate().filter_map(|(col, &cost)| {
                if used >> col & 1 == 1 || cost == NEVER {
                    return None;
                }
                Some(go(rest, used | 1 << col, spare)? + u32::from(cost))
            });
            let left_over = (spare > 0).then(|| go(rest, used, spare - 1)).flatten();
            paired.chain(left_over).min()
        }
        go(rows, 0, boxes.saturating_sub(goals))
    }

    #[test]
    fn totals_agree_with_trying_every_choice() {
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::default(), &stop);
        for (case, (boxes, goals)) in [(4, 4), (5, 5), (3, 6), (6, 3), (1, 1), (5, 4)]
            .into_iter()
            .cycle()
            .take(300)
            .enumerate()
        {
            let stream = Stream::new(case as u64, "matching");
            let sides = boxes + 12;
            let table = (0..(sides * goals) as u64)
                .map(|at| match stream.below(at, 12) {
                    0..3 => NEVER,
                    cost => cost as u16,
                })
                .collect();
            let distances = Distances::of_table(goals, table);
            let mut matching = Matching::new(boxes, goals, &mut budget).expect("no limits");
            let mut sides_now: Vec<u32> = (0..boxes as u32).collect();
            // Boxes move about, several at once; prices stay from one total to the next.
            for step in 0..30 {
                for (row, &side) in sides_now.iter().enumerate() {
                    matching.set(row, side);
                }
                let rows: Vec<&[u16]> = sides_now.iter().map(|&side| distances.row(side)).collect();
                let expected = slow(&rows, boxes, goals);
                assert_eq!(matching.solve(&distances, &budget), Ok(expected));
                let row = stream.below(1000 + step, boxes as u64) as usize;
                let side = stream.below(2000 + step, sides as u64) as u32;
                if expected.is_some() {
                    let mut rows = rows;
                    rows[row] = distances.row(side);
                    let total = matching.try_side(&distances, row, side);
                    assert_eq!(total, slow(&rows, boxes, goals));
                }
                sides_now[row] = side;
                let row = stream.below(3000 + step, boxes as u64) as usize;
                sides_now[row] = stream.below(4000 + step, sides as u64) as u32;
            }
        }
    }
}
