//! Unique rectangles and loops: patterns that would leave two solutions.
//!
//! A loop is an even ring of empty cells that all hold digits `a` and `b`, neighbours in a
//! unit, with each unit holding one cell of either colour or none. If no cell held anything
//! else, exchanging `a` and `b` along it would turn a solution into another one. All these
//! techniques rest on the puzzle having one solution.

use super::geometry::{ALL, UNITS, bits, common_peers, common_units, ones, units_of};
use super::pencil::Pencil;
use super::step::{Cause, Escape, Step};
use super::technique::Technique;

/// Cells in the longest loop looked for.
const LONGEST: usize = 14;
/// Path cells visited for one pair of digits before the search gives up.
const VISITS: u32 = 20_000;

/// The easiest loop that strikes something.
pub(super) fn find(pencil: &Pencil) -> Option<Step> {
    let mut best: Option<Step> = None;
    for a in 1..9 {
        for b in a + 1..10 {
            let cells = pencil.places[a] & pencil.places[b];
            if cells.count_ones() >= 4 {
                let pair = 1 << a | 1 << b;
                let mut walk = Walk {
                    pencil,
                    pair,
                    cells,
                    start: 0,
                    visits: 0,
                    best,
                };
                bits(cells).for_each(|start| walk.from(start));
                best = walk.best;
            }
        }
    }
    best
}

/// The search for loops on one pair of digits.
struct Walk<'a> {
    pencil: &'a Pencil,
    pair: u16,
    cells: u128,
    start: usize,
    visits: u32,
    best: Option<Step>,
}

impl Walk<'_> {
    /// Loops whose least cell is `start`.
    fn from(&mut self, start: usize) {
        self.start = start;
        self.cells &= !((1 << start) - 1);
        let mut path = Vec::with_capacity(LONGEST);
        path.push(start);
        self.deepen(&mut path, usize::MAX);
    }

    /// Extends the path by a cell along a kind of unit other than the last.
    fn deepen(&mut self, path: &mut Vec<usize>, last: usize) {
        self.visits += 1;
        if self.visits > VISITS || !self.hopeful(path) {
            return;
        }
        let cell = path[path.len() - 1];
        for kind in 0..3 {
            if kind == last {
                continue;
            }
            let near = UNITS[units_of(cell)[kind]] & self.cells & !(1 << cell);
            if path.len() >= 4 && path.len().is_multiple_of(2) && near >> self.start & 1 == 1 {
                self.close(path);
            }
            if path.len() < LONGEST {
                let taken = path.iter().fold(0, |set, &cell| set | 1 << cell);
                for next in bits(near & !taken) {
                    path.push(next);
                    self.deepen(path, kind);
                    path.pop();
                }
            }
        }
    }

    /// Whether at most two cells hold more than the pair, or all that do hold the same digit.
    fn hopeful(&self, path: &[usize]) -> bool {
        let extras = path
            .iter()
            .map(|&cell| self.pencil.cells[cell] & !self.pair);
        let union = extras.clone().fold(0, |union: u16, extra| union | extra);
        union.is_power_of_two() || extras.filter(|&extra| extra != 0).count() <= 2
    }

    /// Keeps the loop's step if the loop is sound and the step easier than the best so far.
    fn close(&mut self, path: &[usize]) {
        // Each direction gives the loop once; one is enough.
        if path[1] > path[path.len() - 1] {
            return;
        }
        let (even, odd) =
            path.iter()
                .enumerate()
                .fold((0u128, 0u128), |(even, odd), (i, &cell)| {
                    if i % 2 == 0 {
                        (even | 1 << cell, odd)
                    } else {
                        (even, odd | 1 << cell)
                    }
                });
        let sound = UNITS.iter().all(|unit| {
            let (even, odd) = ((unit & even).count_ones(), (unit & odd).count_ones());
            even == odd && even <= 1
        });
        if !sound {
            return;
        }
        let base = match path.len() {
            4 => 45,
            6 => 46,
            8 => 47,
            _ => 50,
        };
        for step in self.steps(even | odd, base) {
            if self
                .best
                .as_ref()
                .is_none_or(|best| step.score < best.score)
            {
                self.best = Some(step);
            }
        }
    }

    fn steps(&self, ring: u128, base: u16) -> Vec<Step> {
        let rich = bits(ring)
            .filter(|&cell| self.pencil.cells[cell] != self.pair)
            .fold(0u128, |set, cell| set | 1 << cell);
        let extra = bits(rich).fold(0, |set, cell| set | self.pencil.cells[cell] & !self.pair);
        let mut steps = Vec::new();
        if rich.is_power_of_two() {
            let struck = (rich, self.pair);
            steps.extend(self.step(
                ring,
                base,
                struck,
                Escape::Single {
                    cell: rich.trailing_zeros() as usize,
                },
            ));
        } else if rich != 0 {
            if extra.is_power_of_two() {
                let struck = (common_peers(rich), extra);
                let digit = extra.trailing_zeros() as usize;
                steps.extend(self.step(ring, base, struck, Escape::Digit { digit, cells: rich }));
            }
            if rich.count_ones() == 2 {
                for unit in common_units(rich) {
                    steps.extend(self.confined(ring, base, rich, unit));
                    steps.extend(self.with_set(ring, base, (rich, extra), unit));
                }
            }
        }
        steps
    }

    /// One digit of the pair has no other place in the unit: the other digit falls from both.
    fn confined(&self, ring: u128, base: u16, rich: u128, unit: usize) -> Option<Step> {
        ones(self.pair).find_map(|digit| {
            if self.pencil.places[digit] & UNITS[unit] & !rich != 0 {
                return None;
            }
            let other = self.pair & !(1 << digit);
            self.step(
                ring,
                base,
                (rich, other),
                Escape::Confined {
                    unit,
                    digit,
                    cells: rich,
                },
            )
        })
    }

    /// The extra digits of the two cells make a naked set with other cells of the unit.
    fn with_set(
        &self,
        ring: u128,
        base: u16,
        (rich, extra): (u128, u16),
        unit: usize,
    ) -> Option<Step> {
        naked_with(self.pencil, extra, unit, rich).and_then(|(set, digits)| {
            let size = digits.count_ones() as u16;
            let struck = (UNITS[unit] & !rich & !set, digits);
            let escape = Escape::Set {
                unit,
                digits,
                set,
                cells: rich,
            };
            self.step(ring, base + size - 1, struck, escape)
        })
    }

    fn step(
        &self,
        ring: u128,
        score: u16,
        (cells, digits): (u128, u16),
        escape: Escape,
    ) -> Option<Step> {
        self.pencil.holds(cells, digits).then(|| {
            let technique = if ring.count_ones() == 4 {
                Technique::UniqueRectangle
            } else {
                Technique::UniqueLoop
            };
            let cause = Cause::Loop {
                ring,
                pair: self.pair,
                escape,
            };
            let remove = self.pencil.within(cells, digits);
            Step::striking(technique, score, remove, cause).marking(self.pencil, ring, ALL)
        })
    }
}

/// The smallest set of cells of the unit, outside `cells`, that with one cell of digits `extra`
/// makes a naked set with something to strike: its cells and digits.
pub(super) fn naked_with(
    pencil: &Pencil,
    extra: u16,
    unit: usize,
    cells: u128,
) -> Option<(u128, u16)> {
    let free: Vec<usize> = bits(UNITS[unit] & !cells & pencil.open()).collect();
    for size in extra.count_ones().max(2)..=5 {
        for chosen in 0u32..1 << free.len() {
            if chosen.count_ones() != size - 1 {
                continue;
            }
            let set = ones(chosen).fold(0u128, |set, index| set | 1 << free[index]);
            let digits = bits(set).fold(extra, |digits, cell| digits | pencil.cells[cell]);
            if digits.count_ones() == size && pencil.holds(UNITS[unit] & !cells & !set, digits) {
                return Some((set, digits));
            }
        }
    }
    None
}
