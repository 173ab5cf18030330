//! Boards of any shape, under limits.
//!
//! Constraint propagation over candidate sets (one `u64` a cell) with naked singles, hidden
//! singles, pointing and claiming, then a branch on a cell or on the places of a digit in a
//! unit. The branch has the fewest choices for the weight of its units, and a unit gains weight
//! whenever it fails (Boussemart et al. 2004, dom/wdeg). While no solution is known the search
//! starts again after a number of nodes that grows each time, and keeps the weights (Gomes et
//! al. 1998).
//!
//! The search keeps its own stack, so its depth costs no call stack. Every state that is
//! worked through is a node.

use puzzleyard_core::{Limit, Limits, Stop, Verdict};

use crate::model::{Board, Shape};

/// What a count found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Solutions found, at most the limit asked for.
    pub solutions: u64,
    /// The first, in the order of the search.
    pub first: Option<Board>,
    /// The second.
    pub second: Option<Board>,
    /// Nodes of the search.
    pub nodes: u64,
    /// The limit that ended the count; `None` if it is complete or reached the number asked for.
    pub stopped: Option<Limit>,
}

/// A solution of a board of any shape, the proof that there is none, or the limit reached
/// first. The same board and limits give the same answer.
pub fn solve(board: &Board, limits: &Limits, stop: &Stop) -> Verdict<Board> {
    let count = count(board, 1, limits, stop);
    match (count.first, count.stopped) {
        (Some(first), _) => Verdict::Solved(first),
        (None, Some(limit)) => Verdict::GaveUp(limit),
        (None, None) => Verdict::Unsolvable,
    }
}

/// Counts solutions up to `most` and keeps the first two.
pub fn count(board: &Board, most: u64, limits: &Limits, stop: &Stop) -> Count {
    let mut count = Count::default();
    if most == 0 {
        return count;
    }
    let geometry = Geometry::new(board.shape());
    let node = geometry.node_bytes();
    let memory = limits.memory.unwrap_or(u64::MAX);
    if geometry.bytes() + 2 * node > memory {
        count.stopped = Some(Limit::Memory);
        return count;
    }
    let deepest = (memory - geometry.bytes()) / node;
    let Some(start) = State::of(board, &geometry) else {
        return count;
    };
    let mut weights = vec![1u32; geometry.units.len()];
    let mut cutoff = FIRST_RUN;
    loop {
        let last = count.nodes.saturating_add(cutoff);
        let mut run = Run {
            geometry: &geometry,
            weights: &mut weights,
            deepest,
            last,
        };
        if run.search(start.clone(), board.shape(), most, limits, stop, &mut count) {
            return count;
        }
        cutoff += cutoff / 2;
    }
}

/// Nodes of the first run.
const FIRST_RUN: u64 = 500;

/// One run of the search.
struct Run<'a> {
    geometry: &'a Geometry,
    /// How often each unit failed, plus 1.
    weights: &'a mut [u32],
    /// States that may be held.
    deepest: u64,
    /// The node at which a run without a solution ends.
    last: u64,
}

impl Run<'_> {
    /// False if the run ended without an answer and the search has to start again.
    fn search(
        &mut self,
        start: State,
        shape: Shape,
        most: u64,
        limits: &Limits,
        stop: &Stop,
        count: &mut Count,
    ) -> bool {
        let mut stack = vec![start];
        while let Some(mut state) = stack.pop() {
            if count.nodes >= limits.nodes.unwrap_or(u64::MAX) {
                count.stopped = Some(Limit::Nodes);
                return true;
            }
            if let Some(limit) = stop.raised() {
                count.stopped = Some(limit);
                return true;
            }
            if count.solutions == 0 && count.nodes >= self.last {
                return false;
            }
            count.nodes += 1;
            if !state.propagate(self.geometry) {
                let weight = &mut self.weights[usize::from(state.failed)];
                *weight = weight.saturating_add(1);
                continue;
            }
            if state.left == 0 {
                keep(count, state.board(shape));
                if count.solutions >= most {
                    return true;
                }
                continue;
            }
            let choices = state.choices(self.geometry, self.weights);
            if (stack.len() + choices.len() + 1) as u64 > self.deepest {
                count.stopped = Some(Limit::Memory);
                return true;
            }
            // Pushed in reverse, so that the first choice is searched first.
            for &(cell, bit) in choices.iter().rev() {
                let mut child = state.clone();
                child.place(cell, bit);
                stack.push(child);
            }
        }
        true
    }
}

fn keep(count: &mut Count, board: Board) {
    count.solutions += 1;
    match count.solutions {
        1 => count.first = Some(board),
        2 => count.second = Some(board),
        _ => {}
    }
}

/// The units of a shape.
struct Geometry {
    size: usize,
    /// Rows, then columns, then boxes.
    units: Vec<Vec<u16>>,
    /// The row, the column and the box of each cell, as indices of `units`.
    units_of: Vec<[u16; 3]>,
    crossings: Vec<Crossing>,
}

/// A line and a box that share more than one cell.
struct Crossing {
    line: u16,
    square: u16,
    both: Vec<u16>,
    line_rest: Vec<u16>,
    box_rest: Vec<u16>,
}

impl Geometry {
    fn new(shape: Shape) -> Self {
        let size = shape.size();
        let mut units = vec![Vec::with_capacity(size); 3 * size];
        let mut units_of = Vec::with_capacity(shape.cells());
        for cell in 0..shape.cells() {
            let of = [
                cell / size,
                size + cell % size,
                2 * size + shape.box_of(cell),
            ];
            for unit in of {
                units[unit].push(cell as u16);
            }
            units_of.push(of.map(|unit| unit as u16));
        }
        let mut crossings = Vec::new();
        for line in 0..2 * size {
            for square in 2 * size..3 * size {
                let within = |cells: &[u16], other: &[u16], inside: bool| -> Vec<u16> {
                    let cells = cells.iter().copied();
                    cells
                        .filter(|cell| other.contains(cell) == inside)
                        .collect()
                };
                let both = within(&units[line], &units[square], true);
                if both.len() > 1 && both.len() < size {
                    crossings.push(Crossing {
                        line: line as u16,
                        square: square as u16,
                        both,
                        line_rest: within(&units[line], &units[square], false),
                        box_rest: within(&units[square], &units[line], false),
                    });
                }
            }
        }
        Self {
            size,
            units,
            units_of,
            crossings,
        }
    }

    /// Bytes of one state of the search.
    fn node_bytes(&self) -> u64 {
        (self.size * self.size * 8 + 6 * self.size * 8 + 128) as u64
    }

    /// Bytes of the tables, rounded up.
    fn bytes(&self) -> u64 {
        let cells = (self.size * self.size) as u64;
        cells * (self.size as u64 * 8 + 64)
    }
}

/// Candidates of every cell and what is still to be worked through.
#[derive(Clone)]
struct State {
    /// Bit `d - 1` for digit `d`. A cell with one bit is solved once it has been worked through.
    candidates: Vec<u64>,
    /// Cells whose single candidate has been taken from their peers.
    solved: Vec<bool>,
    /// Cells with one candidate that are not yet worked through.
    queue: Vec<u16>,
    /// Units in which a candidate went since hidden singles were sought.
    touched: Vec<bool>,
    /// Cells not solved.
    left: usize,
    /// The unit at which a contradiction was found.
    failed: u16,
}

impl State {
    /// `None` if a clue leaves some cell without a candidate, which includes a clue that
    /// stands twice.
    fn of(board: &Board, geometry: &Geometry) -> Option<Self> {
        let cells = board.shape().cells();
        let all = u64::MAX >> (64 - geometry.size);
        let mut state = Self {
            candidates: vec![all; cells],
            solved: vec![false; cells],
            queue: Vec::new(),
            touched: vec![true; geometry.units.len()],
            left: cells,
            failed: 0,
        };
        for (cell, &digit) in board.digits().iter().enumerate() {
            if digit != 0 {
                state.place(cell as u16, 1 << (digit - 1));
            }
        }
        state.naked(geometry).then_some(state)
    }

    fn place(&mut self, cell: u16, bit: u64) {
        self.candidates[usize::from(cell)] = bit;
        self.queue.push(cell);
    }

    fn board(&self, shape: Shape) -> Board {
        let digits = self.candidates.iter();
        let digits = digits.map(|bits| bits.trailing_zeros() as u8 + 1).collect();
        Board::from_digits(shape, digits).unwrap_or_else(|_| Board::new(shape))
    }

    /// Naked singles: a solved cell's digit leaves its peers. False at a contradiction.
    fn naked(&mut self, geometry: &Geometry) -> bool {
        while let Some(cell) = self.queue.pop() {
            let cell = usize::from(cell);
            if self.solved[cell] {
                continue;
            }
            let bit = self.candidates[cell];
            if bit.count_ones() != 1 {
                self.failed = geometry.units_of[cell][0];
                return false;
            }
            self.solved[cell] = true;
            self.left -= 1;
            for unit in geometry.units_of[cell] {
                self.touched[usize::from(unit)] = true;
            }
            for unit in geometry.units_of[cell] {
                for &peer in &geometry.units[usize::from(unit)] {
                    let peer = usize::from(peer);
                    if peer != cell && !self.remove(peer, bit, geometry) {
                        self.failed = unit;
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Takes candidates from a cell. False if none is left.
    fn remove(&mut self, cell: usize, bits: u64, geometry: &Geometry) -> bool {
        let before = self.candidates[cell];
        let after = before & !bits;
        if after == before {
            return true;
        }
        self.candidates[cell] = after;
        for unit in geometry.units_of[cell] {
            self.touched[usize::from(unit)] = true;
        }
        if after.is_power_of_two() {
            self.queue.push(cell as u16);
        }
        after != 0
    }

    /// Works until nothing follows. False at a contradiction.
    fn propagate(&mut self, geometry: &Geometry) -> bool {
        loop {
            if !self.naked(geometry) {
                return false;
            }
            let Some(unit) = self.touched.iter().position(|&touched| touched) else {
                if !self.intersections(geometry) {
                    return false;
                }
                if self.queue.is_empty() && !self.touched.contains(&true) {
                    return true;
                }
                continue;
            };
            self.touched[unit] = false;
            if !self.hidden(&geometry.units[unit]) {
                self.failed = unit as u16;
                return false;
            }
        }
    }

    /// Pointing and claiming: a digit that a box and a line can hold only where they cross
    /// leaves the rest of both. False at a contradiction.
    fn intersections(&mut self, geometry: &Geometry) -> bool {
        for crossing in &geometry.crossings {
            let join = |cells: &[u16]| {
                let bits = cells.iter().map(|&cell| self.candidates[usize::from(cell)]);
                bits.fold(0, |all, bits| all | bits)
            };
            let (both, line, square) = (
                join(&crossing.both),
                join(&crossing.line_rest),
                join(&crossing.box_rest),
            );
            for (here, there, rest, unit) in [
                (both & !square, line, &crossing.line_rest, crossing.line),
                (both & !line, square, &crossing.box_rest, crossing.square),
            ] {
                if here & there == 0 {
                    continue;
                }
                for &cell in rest {
                    if !self.remove(usize::from(cell), here, geometry) {
                        self.failed = unit;
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Hidden singles of a unit. False if a digit has no place.
    fn hidden(&mut self, unit: &[u16]) -> bool {
        let (mut once, mut twice) = (0u64, 0u64);
        for &cell in unit {
            let bits = self.candidates[usize::from(cell)];
            twice |= once & bits;
            once |= bits;
        }
        if once.count_ones() as usize != unit.len() {
            return false;
        }
        let single = once & !twice;
        for &cell in unit {
            let bits = self.candidates[usize::from(cell)];
            let here = bits & single;
            if here != 0 && here != bits {
                if here.count_ones() != 1 {
                    return false;
                }
                self.place(cell, here);
            }
        }
        true
    }

    /// The choices of the best branch: the candidates of a cell, or the places of a digit in
    /// a unit. The fewest for their weight win, cells before units, low numbers first.
    fn choices(&self, geometry: &Geometry, weights: &[u32]) -> Vec<(u16, u64)> {
        let mut best = Branch::default();
        for (cell, bits) in self.candidates.iter().enumerate() {
            let count = bits.count_ones();
            if count > 1 {
                let units = geometry.units_of[cell];
                let weight = units
                    .iter()
                    .map(|&u| u64::from(weights[usize::from(u)]))
                    .sum();
                best.offer(count, weight, cell, 0);
            }
        }
        for (unit, cells) in geometry.units.iter().enumerate() {
            if let Some((count, bit)) = self.fewest_places(cells) {
                best.offer(count, 3 * u64::from(weights[unit]), unit, bit);
            }
        }
        if best.bit != 0 {
            let holds = |&cell: &u16| self.candidates[usize::from(cell)] & best.bit != 0;
            let cells = geometry.units[best.at].iter().copied().filter(holds);
            return cells.map(|cell| (cell, best.bit)).collect();
        }
        let bits = self.candidates[best.at];
        (0..geometry.size)
            .map(|digit| 1 << digit)
            .filter(|bit| bits & bit != 0)
            .map(|bit| (best.at as u16, bit))
            .collect()
    }

    /// The digit of a unit with the fewest places, two to four of them.
    fn fewest_places(&self, unit: &[u16]) -> Option<(u32, u64)> {
        // `more[k]` are the digits with more than `k` places.
        let mut more = [0u64; 5];
        for &cell in unit {
            let bits = self.candidates[usize::from(cell)];
            for k in (1..5).rev() {
                more[k] |= more[k - 1] & bits;
            }
            more[0] |= bits;
        }
        (2..5).find_map(|count| {
            let bits = more[count - 1] & !more[count];
            (bits != 0).then(|| (count as u32, bits & bits.wrapping_neg()))
        })
    }
}

/// The best branch so far.
#[derive(Default)]
struct Branch {
    choices: u64,
    weight: u64,
    /// The cell, or the unit if there is a digit.
    at: usize,
    /// The digit that is placed in a unit, or 0.
    bit: u64,
}

impl Branch {
    fn offer(&mut self, choices: u32, weight: u64, at: usize, bit: u64) {
        let choices = u64::from(choices);
        // choices / weight is smaller.
        if self.choices == 0 || choices * self.weight < self.choices * weight {
            *self = Self {
                choices,
                weight,
                at,
                bit,
            };
        }
    }
}
