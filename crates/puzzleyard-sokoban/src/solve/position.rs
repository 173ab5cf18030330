//! The state at hand: boxes on squares, the player, and where the player can walk.

use puzzleyard_core::Limit;

use super::board::{Board, Sq};
use super::budget::Budget;

/// No box.
pub(super) const NO_BOX: u32 = u32::MAX;
/// Stands on the number of walls, so that walls block like boxes.
const WALL_BOX: u32 = u32::MAX - 1;

/// Boxes and player. Boxes are numbered in the order of [`Position::place`].
pub(super) struct Position {
    pub(super) boxes: Vec<Sq>,
    pub(super) player: Sq,
    /// The box on each square.
    on: Vec<u32>,
}

impl Position {
    pub(super) fn new(board: &Board, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        budget.take(board.boxes().len() * 4)?;
        let mut on = budget.filled(NO_BOX, board.len() + 1)?;
        on[board.len()] = WALL_BOX;
        Ok(Self {
            boxes: Vec::with_capacity(board.boxes().len()),
            player: board.player(),
            on,
        })
    }

    /// Lifts all boxes and puts down those of `boxes`.
    pub(super) fn place(&mut self, boxes: &[Sq], player: Sq) {
        for &sq in &self.boxes {
            self.on[sq as usize] = NO_BOX;
        }
        self.boxes.clear();
        self.boxes.extend_from_slice(boxes);
        for (number, &sq) in boxes.iter().enumerate() {
            self.on[sq as usize] = number as u32;
        }
        self.player = player;
    }

    /// Neither a wall nor a box stands there.
    #[inline]
    pub(super) fn is_free(&self, sq: Sq) -> bool {
        self.on[sq as usize] == NO_BOX
    }

    /// The number of the box there, if any.
    #[inline]
    pub(super) fn box_on(&self, sq: Sq) -> Option<usize> {
        let number = self.on[sq as usize];
        (number < WALL_BOX).then_some(number as usize)
    }

    /// Whether the free squares beside `sq` might be cut off from one another by a box there:
    /// false only if those round it join them.
    pub(super) fn cuts(&self, board: &Board, sq: Sq) -> bool {
        // The ring of eight squares round `sq`, from the top clockwise.
        const RING: [usize; 4] = [0, 3, 1, 2];
        let mut groups = 0;
        for (at, &way) in RING.iter().enumerate() {
            let turn = RING[(at + 1) % 4];
            let (near, far) = (board.next(sq, way), board.next(sq, turn));
            // A group ends where the next square beside, or the corner before it, is taken.
            let joined = self.is_free(far) && self.is_free(board.next(near, turn));
            groups += usize::from(self.is_free(near) && !joined);
        }
        groups > 1
    }

    /// Moves one box, leaving the player alone.
    #[inline]
    pub(super) fn shift(&mut self, number: usize, to: Sq) {
        let from = std::mem::replace(&mut self.boxes[number], to);
        self.on[from as usize] = NO_BOX;
        self.on[to as usize] = number as u32;
    }
}

/// Where the player can walk, found by a flood. Marks are stamps, so a new flood clears
/// nothing.
pub(super) struct Reach {
    stamp: Vec<u32>,
    now: u32,
    /// The squares reached, nearest first.
    pub(super) squares: Vec<Sq>,
    /// Steps to each square reached; kept only by [`Reach::walk`].
    steps: Vec<u32>,
}

impl Reach {
    pub(super) fn new(board: &Board, budget: &mut Budget<'_>) -> Result<Self, Limit> {
        budget.take(board.len() * 4)?;
        Ok(Self {
            stamp: budget.filled(0, board.len() + 1)?,
            now: 0,
            squares: Vec::with_capacity(board.len()),
            steps: budget.filled(0, board.len() + 1)?,
        })
    }

    fn start(&mut self, from: Sq) {
        if self.now == u32::MAX {
            self.stamp.fill(0);
            self.now = 0;
        }
        self.now += 1;
        self.squares.clear();
        self.squares.push(from);
        self.stamp[from as usize] = self.now;
    }

    /// Floods from `from` through squares that `free` accepts. Returns the least square
    /// reached, which names the region.
    #[inline]
    pub(super) fn flood(&mut self, board: &Board, from: Sq, free: impl Fn(Sq) -> bool) -> Sq {
        self.start(from);
        let mut least = from;
        let mut at = 0;
        while at < self.squares.len() {
            let sq = self.squares[at];
            at += 1;
            for &to in board.neighbours(sq) {
                if self.stamp[to as usize] != self.now && free(to) {
                    self.stamp[to as usize] = self.now;
                    least = least.min(to);
                    self.squares.push(to);
                }
            }
        }
        least
    }

    /// As [`Reach::flood`], and counts steps.
    pub(super) fn walk(&mut self, board: &Board, from: Sq, free: impl Fn(Sq) -> bool) {
        self.start(from);
        self.steps[from as usize] = 0;
        let mut at = 0;
        while at < self.squares.len() {
            let sq = self.squares[at];
            at += 1;
            for &to in board.neighbours(sq) {
                if self.stamp[to as usize] != self.now && free(to) {
                    self.stamp[to as usize] = self.now;
                    self.steps[to as usize] = self.steps[sq as usize] + 1;
                    self.squares.push(to);
                }
            }
        }
    }

    #[inline]
    pub(super) fn contains(&self, sq: Sq) -> bool {
        self.stamp[sq as usize] == self.now
    }

    /// Steps to a square that the last [`Reach::walk`] reached.
    pub(super) fn steps(&self, sq: Sq) -> u32 {
        self.steps[sq as usize]
    }
}
