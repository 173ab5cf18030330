//! The search behind the generator: is there another solution, and which?
//!
//! For each digit one set of cells, 81 bits. After every step each band and each stack keeps
//! only what some arrangement of the digit in its three rows (columns) and boxes allows: a table
//! of 512 entries gives locked candidates and hidden singles in one look. Naked singles come
//! from counting over the nine digits. The search then branches on the cell with the fewest
//! digits. It shares no code with `solve`, by which the results are proved again.

use super::cells::{ALL, Cells, bit, cells};
use super::dice::Dice;
use crate::model::Grid;

/// One bit in each row of a band.
const COLUMN: u32 = 1 | 1 << 9 | 1 << 18;
/// The first cell of each row, the last, and all but the last.
const FIRST: Cells = COLUMN as Cells * (1 | 1 << 32 | 1 << 64);
const LAST: Cells = FIRST << 8;
const LOW: Cells = LAST - FIRST;

/// Presence of a digit in the nine (row, box) pairs of a band, three bits a row, to the pairs
/// that some arrangement uses: one pair for each row and each box. 0 if there is none.
const ARRANGED: [u16; 512] = arranged();
/// Nine bits of a row to the boxes that they touch.
const TOUCHED: [u8; 512] = touched();
/// Nine pairs, as above, to the 27 cells of a band.
const SPREAD: [u32; 512] = spread();
/// The cells that may still hold a digit that stands in this cell: itself, and all it does not
/// see.
const KEPT: [Cells; 128] = kept();

const fn arranged() -> [u16; 512] {
    const ORDERS: [[u16; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut table = [0; 512];
    let mut presence = 0;
    while presence < 512 {
        let mut k = 0;
        while k < 6 {
            let [a, b, c] = ORDERS[k];
            let pairs = 1 << a | 1 << (3 + b) | 1 << (6 + c);
            if presence as u16 & pairs == pairs {
                table[presence] |= pairs;
            }
            k += 1;
        }
        presence += 1;
    }
    table
}

const fn touched() -> [u8; 512] {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        let mut boxes = 0;
        while boxes < 3 {
            if row >> (boxes * 3) & 7 != 0 {
                table[row] |= 1 << boxes;
            }
            boxes += 1;
        }
        row += 1;
    }
    table
}

const fn spread() -> [u32; 512] {
    let mut table = [0; 512];
    let mut pairs = 0;
    while pairs < 512 {
        let mut pair = 0;
        while pair < 9 {
            if pairs >> pair & 1 == 1 {
                table[pairs] |= 7 << (pair * 3);
            }
            pair += 1;
        }
        pairs += 1;
    }
    table
}

const fn kept() -> [Cells; 128] {
    let mut table = [0; 128];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            if other == cell || !crate::rules::sees(cell, other) {
                table[(cell / 27) * 32 + cell % 27] |= bit(other);
            }
            other += 1;
        }
        cell += 1;
    }
    table
}

/// Where each digit (from 0) may still stand.
#[derive(Clone, Copy, Debug)]
struct State {
    at: [Cells; 9],
    /// Cells of each digit whose consequences are drawn.
    placed: [Cells; 9],
    /// Digits whose set has changed.
    changed: u16,
}

impl State {
    /// All that the clues leave: `clues` are cells, their digits those of `solution`.
    fn of_clues(solution: &Solution, clues: Cells) -> Self {
        let mut at = [0; 9];
        for (digit, at) in at.iter_mut().enumerate() {
            let own = solution.of_digit[digit] & clues;
            *at = ALL & !(clues & !own);
            let mut left = own;
            while left != 0 {
                *at &= KEPT[left.trailing_zeros() as usize & 127];
                left &= left - 1;
            }
        }
        Self {
            at,
            placed: [0; 9],
            changed: 0x1FF,
        }
    }

    /// Puts a digit into the cell of this bit.
    fn place(&mut self, digit: usize, place: Cells) {
        for (other, at) in self.at.iter_mut().enumerate() {
            if other == digit {
                *at &= KEPT[place.trailing_zeros() as usize & 127];
            } else if *at & place != 0 {
                *at &= !place;
                self.changed |= 1 << other;
            }
        }
        self.changed |= 1 << digit;
    }

    /// Takes a digit from the cell of this bit.
    fn strike(&mut self, digit: usize, place: Cells) {
        self.at[digit] &= !place;
        self.changed |= 1 << digit;
    }

    /// Draws all consequences. `false` if they contradict each other.
    fn settle(&mut self) -> bool {
        let mut turn = 0;
        loop {
            while self.changed != 0 {
                // In turn, so that each digit meets what all the others have changed.
                let later = self.changed >> turn << turn;
                let changed = if later == 0 { self.changed } else { later };
                let digit = changed.trailing_zeros() as usize % 9;
                self.changed &= !(1 << digit);
                turn = digit + 1;
                let Some(at) = arrange(self.at[digit]) else {
                    return false;
                };
                self.at[digit] = at;
                let new = singles(at) & !self.placed[digit];
                if new == 0 {
                    continue;
                }
                self.placed[digit] |= new;
                for (other, at) in self.at.iter_mut().enumerate() {
                    if other != digit && *at & new != 0 {
                        *at &= !new;
                        self.changed |= 1 << other;
                    }
                }
            }
            let (mut once, mut twice) = (0, 0);
            for at in self.at {
                twice |= once & at;
                once |= at;
            }
            if once != ALL {
                return false;
            }
            let naked = once & !twice;
            for digit in 0..9 {
                let mut new = self.at[digit] & naked & !self.placed[digit];
                while new != 0 {
                    self.at[digit] &= KEPT[new.trailing_zeros() as usize & 127];
                    self.changed |= 1 << digit;
                    new &= new - 1;
                }
            }
            if self.changed == 0 {
                return true;
            }
        }
    }

    /// The cells with more than one digit left, those with the fewest: a set of cells with two
    /// digits if there are any, else three, else more. 0 if all cells have one.
    fn open(&self) -> Cells {
        let (mut once, mut twice, mut thrice, mut more) = (0, 0, 0, 0);
        for at in self.at {
            more |= thrice & at;
            thrice |= twice & at;
            twice |= once & at;
            once |= at;
        }
        let pairs = twice & !thrice;
        let triples = thrice & !more;
        if pairs != 0 {
            pairs
        } else if triples != 0 {
            triples
        } else {
            more
        }
    }
}

/// The cells that some arrangement of one digit uses, as far as bands and stacks tell. `None` if
/// there is no arrangement.
#[inline]
fn arrange(at: Cells) -> Option<Cells> {
    let mut bands = [at as u32, (at >> 32) as u32, (at >> 64) as u32];
    loop {
        for band in &mut bands {
            let touched = |row: u32| usize::from(TOUCHED[row as usize & 511]);
            let presence = touched(*band) | touched(*band >> 9) << 3 | touched(*band >> 18) << 6;
            *band &= SPREAD[usize::from(ARRANGED[presence & 511])];
        }
        let [first, second, third] = bands.map(|band| (band | band >> 9 | band >> 18) & 511);
        let mut allowed = [0u32; 3];
        let mut is_arranged = true;
        for shift in [0, 3, 6] {
            let presence =
                first >> shift & 7 | (second >> shift & 7) << 3 | (third >> shift & 7) << 6;
            let arranged = u32::from(ARRANGED[presence as usize & 511]);
            is_arranged &= arranged != 0;
            allowed[0] |= (arranged & 7) << shift;
            allowed[1] |= (arranged >> 3 & 7) << shift;
            allowed[2] |= (arranged >> 6) << shift;
        }
        if !is_arranged {
            return None;
        }
        // Bands are arranged by now; only a change by the stacks can undo that.
        if allowed == [first, second, third] {
            return Some(join(bands));
        }
        for (band, allowed) in bands.iter_mut().zip(allowed) {
            *band &= allowed * COLUMN;
        }
    }
}

fn join(bands: [u32; 3]) -> Cells {
    Cells::from(u64::from(bands[0]) | u64::from(bands[1]) << 32) | Cells::from(bands[2]) << 64
}

/// The cells of a set that are alone in their row. Each row has at least one.
#[inline]
fn singles(at: Cells) -> Cells {
    // Sums stay inside the nine bits of a row.
    let more = at & (at - FIRST);
    let many = (((more & LOW) + LOW) | more) & LAST;
    let few = LAST & !many;
    at & (few | (few - (few >> 8)))
}

/// A full grid, as the search wants it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    of_digit: [Cells; 9],
}

impl Solution {
    /// Of a full grid. Empty cells belong to no digit.
    #[cfg(test)]
    pub(super) fn new(grid: &Grid) -> Self {
        let mut of_digit = [0; 9];
        for (cell, &digit) in grid.digits().iter().enumerate() {
            if let Some(of_digit) = of_digit.get_mut(usize::from(digit).wrapping_sub(1)) {
                *of_digit |= bit(cell);
            }
        }
        Self { of_digit }
    }

    /// A random full grid.
    ///
    /// The first box gets its digits in random order. Then the search fills, in random order
    /// of digits, the first cell with the fewest digits left in a random order of the cells.
    pub(super) fn random(dice: &mut Dice) -> Self {
        let mut digits: [usize; 9] = std::array::from_fn(|k| k);
        dice.shuffle(&mut digits);
        let mut state = State {
            at: [ALL; 9],
            placed: [0; 9],
            changed: 0x1FF,
        };
        for (k, &digit) in digits.iter().enumerate() {
            state.place(digit, bit(k / 3 * 9 + k % 3));
        }
        let of_digit = fill(state, dice).unwrap_or([0; 9]);
        Self { of_digit }
    }

    /// The clues `cells` alone.
    pub(super) fn grid(&self, clues: Cells) -> Grid {
        let mut grid = Grid::EMPTY;
        for (digit, &at) in self.of_digit.iter().enumerate() {
            for cell in cells(at & clues) {
                grid = grid.with(cell, digit as u8 + 1);
            }
        }
        grid
    }

    /// Unavoidable sets that need no search: two digits, or two rows (columns) of a band (stack),
    /// may swap along a cycle. Sets of more than `size` cells are left out.
    pub(super) fn cycles(&self, size: u32) -> Vec<Cells> {
        let mut sets = Vec::with_capacity(128);
        let mut keep = |set: Cells| {
            if set.count_ones() <= size {
                sets.push(set);
            }
        };
        for first in 0..9 {
            for second in first + 1..9 {
                let both = [self.of_digit[first], self.of_digit[second]];
                // Each cell of one digit sees one to three of the other: a cycle is closed under it.
                let mut left = both[0];
                while left != 0 {
                    let mut cycle = left & left.wrapping_neg();
                    let mut new = cycle;
                    let mut side = 1;
                    while new != 0 {
                        let mut seen = 0;
                        while new != 0 {
                            seen |= both[side] & !KEPT[new.trailing_zeros() as usize & 127];
                            new &= new - 1;
                        }
                        new = seen & !cycle;
                        cycle |= seen;
                        side ^= 1;
                    }
                    left &= !cycle;
                    keep(cycle);
                }
            }
        }
        self.swaps(&mut keep);
        sets
    }

    /// The cells that two rows of a band (columns of a stack) may swap, cycle by cycle.
    fn swaps(&self, keep: &mut impl FnMut(Cells)) {
        let mut digits = [0u8; 81];
        for (digit, &at) in self.of_digit.iter().enumerate() {
            cells(at).for_each(|cell| digits[cell] = digit as u8);
        }
        for (along, across) in [(1, 9), (9, 1)] {
            for (first, second) in [
                (0, 1),
                (0, 2),
                (1, 2),
                (3, 4),
                (3, 5),
                (4, 5),
                (6, 7),
                (6, 8),
                (7, 8),
            ] {
                let cell = |line: usize, k: usize| line * across + k * along;
                let mut place = [0; 9];
                for k in 0..9 {
                    place[usize::from(digits[cell(first, k)])] = k;
                }
                let mut seen = 0u16;
                for start in 0..9 {
                    let (mut k, mut cycle) = (start, 0);
                    while seen >> k & 1 == 0 {
                        seen |= 1 << k;
                        cycle |= bit(cell(first, k)) | bit(cell(second, k));
                        k = place[usize::from(digits[cell(second, k)])];
                    }
                    if cycle != 0 {
                        keep(cycle);
                    }
                }
            }
        }
    }

    /// The cells in which another solution of these clues differs, or `None` if there is none.
    pub(super) fn other(&self, clues: Cells) -> Option<Cells> {
        self.differ(State::of_clues(self, clues))
    }

    /// As [`Self::other`], for clues that have one solution together with the clue of the bit
    /// `place`: every other solution differs there.
    pub(super) fn other_at(&self, clues: Cells, place: Cells) -> Option<Cells> {
        let mut state = State::of_clues(self, clues & !place);
        let digit = self.of_digit.iter().position(|at| at & place != 0)?;
        state.strike(digit, place);
        self.differ(state)
    }

    fn differ(&self, mut state: State) -> Option<Cells> {
        if !state.settle() {
            return None;
        }
        let open = state.open();
        if open == 0 {
            let same = (0..9).fold(0, |same, d| same | state.at[d] & self.of_digit[d]);
            return (same != ALL).then_some(ALL & !same);
        }
        let place = open & open.wrapping_neg();
        // The digit of this solution comes last: the others lead to another one at once.
        for known in [false, true] {
            for digit in 0..9 {
                let is_known = self.of_digit[digit] & place != 0;
                if state.at[digit] & place != 0 && is_known == known {
                    let mut next = state;
                    next.place(digit, place);
                    if let Some(cells) = self.differ(next) {
                        return Some(cells);
                    }
                }
            }
        }
        None
    }
}

fn fill(mut state: State, dice: &mut Dice) -> Option<[Cells; 9]> {
    if !state.settle() {
        return None;
    }
    let open = state.open();
    if open == 0 {
        return Some(state.at);
    }
    let from = dice.below(96);
    let later = open >> from << from;
    let open = if later == 0 { open } else { later };
    let place = open & open.wrapping_neg();
    let mut digits: [usize; 9] = [0; 9];
    let mut count = 0;
    for digit in 0..9 {
        if state.at[digit] & place != 0 {
            digits[count] = digit;
            count += 1;
        }
    }
    let digits = digits.get_mut(..count)?;
    dice.shuffle(digits);
    digits.iter().find_map(|&digit| {
        let mut next = state;
        next.place(digit, place);
        fill(next, dice)
    })
}

#[cfg(test)]
mod tests {
    use super::{ALL, Solution, bit};
    use crate::model::Grid;
    use crate::solve;

    /// The published puzzle of the crate's first example, and another solution of it without
    /// some of its clues.
    #[test]
    fn other_solutions_are_found_if_there_are_any() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let full = solve::solve(&puzzle).unwrap();
        let solution = Solution::new(&full);
        assert_eq!(solution.grid(ALL), full);
        let clues = (0..81).filter(|&cell| puzzle.digit(cell) != 0);
        let clues = clues.fold(0, |clues, cell| clues | bit(cell));
        assert_eq!(solution.grid(clues), puzzle);
        assert_eq!(solution.other(clues), None);
        for cell in (0..81).filter(|&cell| puzzle.digit(cell) != 0) {
            let less = puzzle.with(cell, 0);
            let other = solution.other_at(clues, bit(cell));
            assert_eq!(other.is_none(), solve::is_unique(&less), "{less}");
            assert_eq!(
                other.is_none(),
                solution.other(clues & !bit(cell)).is_none()
            );
            if let Some(differ) = other {
                // The other solution has other digits exactly there.
                assert!(differ & bit(cell) != 0 && differ & clues & !bit(cell) == 0);
                assert!(!solve::is_unique(&solution.grid(ALL & !differ)));
            }
        }
        assert!(solution.other(0).is_some());
    }
}
