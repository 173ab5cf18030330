//! How far the boxes of a board are from goals, each as if alone.

use puzzleyard_core::Direction;
use puzzleyard_sokoban::rules::grid;

/// A square from which no goal can be reached.
pub(super) const DEAD: u16 = u16::MAX;

/// For each square the fewest pushes that take a box, alone on the board and with the player
/// wherever it is wanted, to its nearest goal; [`DEAD`] if there is no way. Found by pulling
/// from the goals (Junghanns, Schaeffer: "Sokoban: enhancing general single-agent search methods
/// using domain knowledge", Artificial Intelligence 129, 2001, section 4.1).
pub(super) fn distances(cells: &[u8], stride: usize, into: &mut [u16]) {
    into.fill(DEAD);
    let mut open: Vec<usize> = Vec::with_capacity(cells.len());
    for (at, &code) in cells.iter().enumerate() {
        if code != grid::WALL && code & grid::GOAL != 0 {
            into[at] = 0;
            open.push(at);
        }
    }
    let free = |at: usize| cells.get(at).is_some_and(|&code| code != grid::WALL);
    let mut next = 0;
    while let Some(&to) = open.get(next) {
        next += 1;
        for way in Direction::ALL {
            let back = grid::offset(stride, way.opposite());
            let from = to.wrapping_add_signed(back);
            let player = from.wrapping_add_signed(back);
            if free(from) && free(player) && into[from] == DEAD {
                into[from] = into[to] + 1;
                open.push(from);
            }
        }
    }
}

/// Minus the sum of the distances of all boxes. A box on a dead square counts as many pushes as
/// the board has squares.
pub(super) fn potential(cells: &[u8], distances: &[u16]) -> i64 {
    let boxes = cells.iter().zip(distances);
    let boxes = boxes.filter(|&(&code, _)| code & 6 == grid::BOX);
    -boxes.map(|(_, &far)| weight(far, cells.len())).sum::<i64>()
}

/// What a box at this distance weighs.
pub(super) fn weight(far: u16, squares: usize) -> i64 {
    if far == DEAD {
        squares as i64
    } else {
        i64::from(far)
    }
}
