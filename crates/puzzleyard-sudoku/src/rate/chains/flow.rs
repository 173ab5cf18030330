//! Dynamic chains: candidates are struck as the chain goes, so cells and units may come to
//! have one candidate left that had several.

use super::{Closure, Link, NODES, Set, Why, Workshop, exclusion, nested, node, parts};
use crate::rate::geometry::{CELLS, UNITS, bits, ones, units_of};
use crate::rate::pencil::Pencil;
use crate::rate::step::Step;

/// Words of a set of nodes of one flow. A flow stops at its first contradiction, so it holds
/// at most one node for each of the 729 candidates, and one more.
const WORDS: usize = 12;

/// How a node came about. Codes below 27 are units.
const CELL: u8 = 27;
/// The start.
const START: u8 = 28;
/// A pattern.
const PATTERN: u8 = 29;

/// One node made.
struct Made {
    node: u16,
    /// Where its antecedents begin in the list of all, and how many there are.
    first: u32,
    count: u16,
    rule: u8,
    /// The pattern behind it, an index, if the rule is [`PATTERN`].
    pattern: u32,
}

/// A pattern used in a flow.
struct Used {
    /// Nodes of its own chains; 0 for other patterns.
    size: u32,
    /// Told only when the flow is traced.
    step: Option<Box<Step>>,
}

/// Everything that follows from one start, candidates struck on the way.
pub(super) struct Flow<'a> {
    base: &'a Pencil,
    /// The grid with the off nodes struck.
    pub(super) work: Pencil,
    made: Vec<Made>,
    from: Vec<u16>,
    /// The index of each node in `made`.
    index: [u16; NODES],
    /// The nodes each node rests on, itself included.
    rests: Vec<[u64; WORDS]>,
    used: Vec<Used>,
    closure: &'a mut Closure,
    head_on: usize,
    ons: Vec<u16>,
    head_off: usize,
    offs: Vec<u16>,
    /// Whether other digits of a cell take part.
    cells: bool,
    /// Whether patterns are told.
    tell: bool,
    contradiction: Option<usize>,
}

impl<'a> Flow<'a> {
    /// Runs from `start`. `level` is `None` for chains on one digit.
    pub(super) fn run(
        base: &'a Pencil,
        start: usize,
        level: Option<u32>,
        tell: bool,
        closure: &'a mut Closure,
        shop: &mut Workshop,
    ) -> Self {
        closure.clear();
        let mut flow = Self {
            base,
            work: base.clone(),
            made: Vec::with_capacity(256),
            from: Vec::with_capacity(512),
            index: [0; NODES],
            rests: Vec::with_capacity(256),
            used: Vec::new(),
            closure,
            head_on: 0,
            ons: Vec::new(),
            head_off: 0,
            offs: Vec::new(),
            cells: level.is_some(),
            tell,
            contradiction: None,
        };
        flow.make(start, START, None);
        while flow.contradiction.is_none() && flow.advance(level, shop) {}
        shop.effort = shop.effort.saturating_sub(flow.made.len() as u64);
        flow
    }

    /// The candidate (its on node) that is both on and off, if the start contradicts itself.
    pub(super) fn contradiction(&self) -> Option<usize> {
        self.contradiction
    }

    /// Handles one node; `false` once there is none left.
    fn advance(&mut self, level: Option<u32>, shop: &mut Workshop) -> bool {
        if let Some(&on) = self.ons.get(self.head_on) {
            self.head_on += 1;
            self.take_on(usize::from(on));
            true
        } else if let Some(&off) = self.offs.get(self.head_off) {
            self.head_off += 1;
            self.take_off(usize::from(off));
            true
        } else {
            level.is_some_and(|level| level > 0 && nested::extend(self, level, shop))
        }
    }

    fn take_on(&mut self, on: usize) {
        let (cell, digit, _) = parts(on);
        if self.cells {
            for other in ones(self.base.cells[cell] & !(1 << digit)) {
                if self.closure.off[other] >> cell & 1 == 0 {
                    self.from.push(self.index[on]);
                    self.make(node(cell, other, false), CELL, None);
                }
            }
        }
        for unit in [units_of(cell)[2], units_of(cell)[0], units_of(cell)[1]] {
            let rest = UNITS[unit] & self.base.places[digit] & !(1 << cell);
            for other in bits(rest & !self.closure.off[digit]) {
                self.from.push(self.index[on]);
                self.make(node(other, digit, false), unit as u8, None);
            }
        }
    }

    fn take_off(&mut self, off: usize) {
        let (cell, digit, _) = parts(off);
        self.work.strike(cell, digit as u8);
        if self.cells && self.work.cells[cell].is_power_of_two() {
            let left = self.work.cells[cell].trailing_zeros() as usize;
            if self.closure.on[left] >> cell & 1 == 0 {
                self.from.push(self.index[off]);
                self.missing_in_cell(cell, off);
                self.make(node(cell, left, true), CELL, None);
            }
        }
        for unit in [units_of(cell)[2], units_of(cell)[0], units_of(cell)[1]] {
            let spots = self.work.spots[unit][digit];
            if spots.is_power_of_two() {
                let other = CELLS[unit][spots.trailing_zeros() as usize];
                if self.closure.on[digit] >> other & 1 == 0 {
                    self.from.push(self.index[off]);
                    self.missing_in_unit(unit, digit, 0, off);
                    self.make(node(other, digit, true), unit as u8, None);
                }
            }
        }
    }

    /// Adds the off nodes struck in a cell, but `but`, to the antecedents of the next node.
    pub(super) fn missing_in_cell(&mut self, cell: usize, but: usize) {
        for digit in ones(self.base.cells[cell] & !self.work.cells[cell]) {
            self.rest_on(node(cell, digit, false), but);
        }
    }

    /// Adds the off nodes of a digit struck in a unit, but `but` and those in the cells
    /// `except`, to the antecedents of the next node.
    pub(super) fn missing_in_unit(&mut self, unit: usize, digit: usize, except: u128, but: usize) {
        let gone = self.base.places[digit] & !self.work.places[digit] & UNITS[unit] & !except;
        for cell in bits(gone) {
            self.rest_on(node(cell, digit, false), but);
        }
    }

    fn rest_on(&mut self, off: usize, but: usize) {
        if off != but {
            self.from.push(self.index[off]);
        }
    }

    /// Whether the candidate is off already, struck or still to be struck.
    pub(super) fn is_off(&self, cell: usize, digit: usize) -> bool {
        self.closure.off[digit] >> cell & 1 == 1
    }

    /// The antecedents gathered since the last node.
    fn begun(&self) -> usize {
        self.made
            .last()
            .map_or(0, |made| made.first as usize + usize::from(made.count))
    }

    /// Forgets the antecedents gathered since the last node.
    pub(super) fn forget(&mut self) {
        self.from.truncate(self.begun());
    }

    /// The antecedents gathered since the last node, for nodes that share them.
    pub(super) fn gathered(&self) -> Vec<u16> {
        self.from[self.begun()..].to_vec()
    }

    /// Notes a pattern; `size` counts the nodes of its own chains.
    pub(super) fn pattern(&mut self, size: u32, step: impl FnOnce() -> Option<Step>) -> u32 {
        let step = if self.tell {
            step().map(Box::new)
        } else {
            None
        };
        self.used.push(Used { size, step });
        self.used.len() as u32 - 1
    }

    /// Makes an off node that a pattern gives, resting on `from`.
    pub(super) fn make_by(&mut self, pattern: u32, from: &[u16], cell: usize, digit: usize) {
        self.forget();
        self.from.extend_from_slice(from);
        self.make(node(cell, digit, false), PATTERN, Some(pattern));
    }

    /// Whether patterns are told.
    pub(super) fn telling(&self) -> bool {
        self.tell
    }

    /// Makes a node that rests on the antecedents gathered since the last one.
    fn make(&mut self, at: usize, rule: u8, pattern: Option<u32>) {
        if self.contradiction.is_some() || self.made.len() >= WORDS * 64 {
            self.forget();
            return;
        }
        let first = self.begun();
        let here = self.made.len();
        let mut rests = [0; WORDS];
        rests[here / 64] |= 1 << (here % 64);
        for &from in &self.from[first..] {
            for (mine, theirs) in rests.iter_mut().zip(&self.rests[usize::from(from)]) {
                *mine |= theirs;
            }
        }
        self.made.push(Made {
            node: at as u16,
            first: first as u32,
            count: (self.from.len() - first) as u16,
            rule,
            pattern: pattern.unwrap_or_default(),
        });
        self.index[at] = here as u16;
        self.rests.push(rests);
        let size = self.size(here);
        let (cell, digit, on) = parts(at);
        self.closure.size[at] = size.min(u32::from(u16::MAX)) as u16;
        let (own, other): (&mut Set, &Set) = if on {
            self.ons.push(at as u16);
            (&mut self.closure.on, &self.closure.off)
        } else {
            self.offs.push(at as u16);
            (&mut self.closure.off, &self.closure.on)
        };
        own[digit] |= 1 << cell;
        if other[digit] >> cell & 1 == 1 {
            self.contradiction = Some(at | 1);
        }
    }

    /// The nodes that a node rests on, those of nested chains included.
    fn size(&self, here: usize) -> u32 {
        self.flat(here) + self.nested(&self.rests[here])
    }

    fn flat(&self, here: usize) -> u32 {
        self.rests[here].iter().map(|word| word.count_ones()).sum()
    }

    /// The nodes of the nested chains that a set of nodes uses, each chain counted once.
    fn nested(&self, rests: &[u64; WORDS]) -> u32 {
        if self.used.iter().all(|used| used.size == 0) {
            return 0;
        }
        let mut counted = vec![false; self.used.len()];
        let mut nested = 0;
        for (index, made) in self.made.iter().enumerate() {
            if made.rule == PATTERN && rests[index / 64] >> (index % 64) & 1 == 1 {
                let pattern = made.pattern as usize;
                if !std::mem::replace(&mut counted[pattern], true) {
                    nested += self.used[pattern].size;
                }
            }
        }
        nested
    }

    /// The nodes of both branches to a candidate that is on and off; a nested chain that both
    /// use counts once.
    pub(super) fn size_of_both(&self, end: usize) -> u32 {
        let on = usize::from(self.index[end | 1]);
        let off = usize::from(self.index[end & !1]);
        let both = std::array::from_fn(|word| self.rests[on][word] | self.rests[off][word]);
        self.flat(on) + self.flat(off) + self.nested(&both)
    }

    /// The links that lead to a node, in the order they were made.
    fn links(&self, end: usize) -> Vec<Link> {
        let reached = if end & 1 == 1 {
            &self.closure.on
        } else {
            &self.closure.off
        };
        let (cell, digit, _) = parts(end);
        if reached[digit] >> cell & 1 == 0 {
            return Vec::new();
        }
        let rests = &self.rests[usize::from(self.index[end])];
        let mut at = vec![0; self.made.len()];
        let mut links: Vec<Link> = Vec::new();
        for (index, made) in self.made.iter().enumerate() {
            if rests[index / 64] >> (index % 64) & 1 == 0 {
                continue;
            }
            at[index] = links.len();
            let (cell, digit, on) = parts(usize::from(made.node));
            let antecedents = &self.from[made.first as usize..][..usize::from(made.count)];
            let mut from: Vec<usize> = antecedents
                .iter()
                .map(|&from| at[usize::from(from)])
                .collect();
            from.sort_unstable();
            from.dedup();
            let why = match made.rule {
                START => Why::Assumed,
                PATTERN => match &self.used[made.pattern as usize].step {
                    Some(step) => Why::Pattern(step.clone()),
                    None => Why::Assumed,
                },
                CELL if on => Why::LastInCell,
                unit if on => Why::LastInUnit(usize::from(unit)),
                _ => {
                    let source = from.first().and_then(|&from| links.get(from));
                    source.map_or(Why::SameCell, |source| exclusion(source.cell, cell))
                }
            };
            links.push(Link {
                cell,
                digit: digit as u8,
                on,
                from,
                why,
            });
        }
        links
    }
}

/// The links from `start` to `end`.
pub(super) fn trace(
    pencil: &Pencil,
    start: usize,
    end: usize,
    level: Option<u32>,
    shop: &mut Workshop,
) -> Vec<Link> {
    let mut closure = Closure::EMPTY;
    let flow = Flow::run(pencil, start, level, true, &mut closure, shop);
    flow.links(end)
}
