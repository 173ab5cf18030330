//! The smallest grid that a grid can be transformed into.

use super::{ORDERS, lines};
use crate::model::{Grid, box_of, col_of, row_of};

/// All orders of nine lines that keep bands together.
const LINES: [[u8; 9]; 1296] = {
    let mut all = [[0; 9]; 1296];
    let mut k = 0;
    while k < 1296 {
        all[k] = lines(k / 216, [k / 36 % 6, k / 6 % 6, k % 6]);
        k += 1;
    }
    all
};

/// The smallest of all grids that the group makes of this one, in the order of [`Grid`]: row
/// by row, an empty cell before 1. So digits are named in the order in which they appear. Two
/// grids have the same canonical form if and only if a [`Transform`](super::Transform) takes
/// one to the other.
///
/// Full legal grids are fast, tens of microseconds. Puzzles take about a millisecond. The worst
/// are grids with few digits and much symmetry: at most `2 * 6^8` arrangements are looked at.
pub fn canonical(grid: &Grid) -> Grid {
    let mut search = Search::new(grid);
    search.run(is_complete(grid));
    search.result()
}

/// How many elements of the group leave a full legal grid as it is, at least 1. `None` for any
/// other grid.
pub fn automorphisms(grid: &Grid) -> Option<u64> {
    is_complete(grid).then(|| {
        let mut search = Search::new(grid);
        search.run(true);
        search.leaves
    })
}

/// Whether each unit holds each digit.
fn is_complete(grid: &Grid) -> bool {
    let mut held = [[0u16; 9]; 3];
    for (cell, &digit) in grid.digits().iter().enumerate() {
        held[0][row_of(cell)] |= 1 << digit;
        held[1][col_of(cell)] |= 1 << digit;
        held[2][box_of(cell)] |= 1 << digit;
    }
    held.as_flattened().iter().all(|&digits| digits == 0x3FE)
}

/// Names of digits in the order of their appearance; 0 for one that has not appeared.
#[derive(Clone, Copy, Debug)]
struct Names {
    of: [u8; 10],
    count: u8,
}

impl Names {
    const NONE: Self = Self {
        of: [0; 10],
        count: 0,
    };

    /// The row with its columns in this order and its digits renamed, four bits a cell, the
    /// first cell on top. New digits get the next names.
    fn read(&mut self, row: &[u8; 9], cols: &[u8; 9]) -> u64 {
        cols.iter().fold(0, |text, &col| {
            let digit = usize::from(row[usize::from(col)]);
            if digit != 0 && self.of[digit] == 0 {
                self.count += 1;
                self.of[digit] = self.count;
            }
            text << 4 | u64::from(self.of[digit])
        })
    }
}

/// A search for the smallest grid, row by row. Among the rows that may come next only those
/// with the smallest text are followed; what is over the best so far is dropped.
#[derive(Debug)]
struct Search {
    /// The rows of the grid and of its transpose.
    sides: [[[u8; 9]; 9]; 2],
    /// The rows of the best grid so far, as [`Names::read`] gives them.
    best: [u64; 9],
    /// How often the best grid was reached.
    leaves: u64,
}

/// Where a search stands: columns are ordered, some rows are taken.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    side: usize,
    cols: &'a [u8; 9],
    names: Names,
    /// Bit `r` is set if row `r` is taken.
    taken: u16,
    /// The row taken last.
    last: usize,
}

impl Search {
    fn new(grid: &Grid) -> Self {
        let row = |side: usize, row: usize| {
            std::array::from_fn(|col| {
                grid.digit(if side == 0 {
                    row * 9 + col
                } else {
                    col * 9 + row
                })
            })
        };
        Self {
            sides: [0, 1].map(|side| std::array::from_fn(|k| row(side, k))),
            best: [u64::MAX; 9],
            leaves: 0,
        }
    }

    fn result(&self) -> Grid {
        (0..81).fold(Grid::EMPTY, |grid, cell| {
            grid.with(
                cell,
                (self.best[cell / 9] >> (32 - cell % 9 * 4) & 15) as u8,
            )
        })
    }

    fn run(&mut self, complete: bool) {
        for side in 0..2 {
            for first in 0..9 {
                if complete {
                    for second in first / 3 * 3..first / 3 * 3 + 3 {
                        if second != first {
                            self.start_complete(side, first, second);
                        }
                    }
                } else {
                    self.start(side, first);
                }
            }
        }
    }

    /// Takes a first row, with every order of columns that makes it smallest.
    fn start(&mut self, side: usize, first: usize) {
        let row = self.sides[side][first];
        let read = |cols| {
            let mut names = Names::NONE;
            (names.read(&row, cols), names)
        };
        let Some(least) = LINES.iter().map(|cols| read(cols).0).min() else {
            return;
        };
        if !self.meets(0, least) {
            return;
        }
        for cols in &LINES {
            let (text, names) = read(cols);
            if text == least {
                self.deepen(
                    1,
                    &Place {
                        side,
                        cols,
                        names,
                        taken: 1 << first,
                        last: first,
                    },
                );
            }
        }
    }

    /// Takes the first two rows of a full legal grid, with the orders of columns that can make
    /// the second row smallest. The first is 123456789 with any order.
    ///
    /// Say that a column leads to the one whose digit in the first row it has in the second.
    /// The second row begins with 4 if and only if column 1 leads to column 4. Then 5 and 6
    /// follow if the columns of the first stack lead to the second, and 7 and 8 stand for those
    /// that lead to the third.
    fn start_complete(&mut self, side: usize, first: usize, second: usize) {
        let rows = [self.sides[side][first], self.sides[side][second]];
        let mut at = [0u8; 10];
        for col in 0..9 {
            at[usize::from(rows[0][col])] = col as u8;
        }
        let leads: [u8; 9] = rows[1].map(|digit| at[usize::from(digit)]);
        for own in 0..9u8 {
            let target = leads[usize::from(own)];
            let stacks = [own / 3, target / 3, 3 - own / 3 - target / 3];
            for order in ORDERS {
                let [one, two, three] = order.map(|k| stacks[0] * 3 + k);
                if one != own {
                    continue;
                }
                let [two_to, three_to] = [two, three].map(|col| leads[usize::from(col)]);
                if two_to / 3 != stacks[1] && three_to / 3 == stacks[1] {
                    continue;
                }
                self.rest_of_columns(
                    [side, first, second],
                    stacks,
                    [one, two, three],
                    [target, two_to, three_to],
                );
            }
        }
    }

    /// Orders the second and third stack so that what the first leads to comes in order.
    fn rest_of_columns(
        &mut self,
        [side, first, second]: [usize; 3],
        stacks: [u8; 3],
        [one, two, three]: [u8; 3],
        targets: [u8; 3],
    ) {
        let fits = |stack: u8, order: &[u8; 3]| {
            let wanted = targets.iter().filter(|&&target| target / 3 == stack);
            wanted
                .zip(order)
                .all(|(target, k)| *target == stack * 3 + k)
        };
        for [a, b, c] in ORDERS.iter().filter(|order| fits(stacks[1], order)) {
            for [d, e, f] in ORDERS.iter().filter(|order| fits(stacks[2], order)) {
                let (from, to) = (stacks[1] * 3, stacks[2] * 3);
                let cols = [
                    one,
                    two,
                    three,
                    from + a,
                    from + b,
                    from + c,
                    to + d,
                    to + e,
                    to + f,
                ];
                let mut names = Names::NONE;
                let text = names.read(&self.sides[side][first], &cols);
                if !self.meets(0, text) {
                    continue;
                }
                let text = names.read(&self.sides[side][second], &cols);
                if self.meets(1, text) {
                    self.deepen(
                        2,
                        &Place {
                            side,
                            cols: &cols,
                            names,
                            taken: 1 << first | 1 << second,
                            last: second,
                        },
                    );
                }
            }
        }
    }

    /// Whether row `depth` may have this text: it is not over the best. If it is under, what
    /// was best is forgotten from there on.
    fn meets(&mut self, depth: usize, text: u64) -> bool {
        if text < self.best[depth] {
            self.best[depth] = text;
            self.best[depth + 1..].fill(u64::MAX);
            self.leaves = 0;
        }
        text == self.best[depth]
    }

    fn deepen(&mut self, depth: usize, place: &Place) {
        if depth == 9 {
            self.leaves += 1;
            return;
        }
        let band = if depth.is_multiple_of(3) {
            0..9
        } else {
            place.last / 3 * 3..place.last / 3 * 3 + 3
        };
        let mut texts = [u64::MAX; 9];
        let mut all_names = [Names::NONE; 9];
        let mut least = u64::MAX;
        for row in band {
            if place.taken >> row & 1 == 0 {
                all_names[row] = place.names;
                texts[row] = all_names[row].read(&self.sides[place.side][row], place.cols);
                least = least.min(texts[row]);
            }
        }
        if !self.meets(depth, least) {
            return;
        }
        for row in 0..9 {
            // Of the empty rows of a band any may come first: what follows is the same.
            let is_repeat = least == 0 && row % 3 != 0 && texts[row / 3 * 3..row].contains(&0);
            if texts[row] == least && !is_repeat {
                self.deepen(
                    depth + 1,
                    &Place {
                        names: all_names[row],
                        taken: place.taken | 1 << row,
                        last: row,
                        ..*place
                    },
                );
            }
        }
    }
}
