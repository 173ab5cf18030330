//! Boxes that can provably never reach a goal.

use puzzleyard_sokoban::rules::grid;

use super::potential::DEAD;

/// Whether the box just pushed to `at` makes the state dead: it stands on a dead square, or in
/// a block of two by two squares that are all walls and boxes, one of them a box off a goal.
pub(super) fn is_dead(cells: &[u8], stride: usize, distances: &[u16], at: usize) -> bool {
    if distances[at] == DEAD {
        return true;
    }
    let solid = |at: usize| {
        cells
            .get(at)
            .is_none_or(|&code| code == grid::WALL || code & 6 == grid::BOX)
    };
    let loose = |at: usize| cells.get(at).is_some_and(|&code| code == grid::BOX);
    let step = stride as isize;
    [(-step, -1), (-step, 1), (step, -1), (step, 1)]
        .into_iter()
        .any(|(down, right)| {
            let block = [0, down, right, down + right].map(|by| at.wrapping_add_signed(by));
            block.iter().all(|&at| solid(at)) && block.iter().any(|&at| loose(at))
        })
}
