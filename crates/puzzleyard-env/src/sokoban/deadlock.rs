//! Boxes that can provably never reach a goal: those on dead squares, and frozen blocks of
//! four.

use puzzleyard_core::{Cell, CellSet, Direction};
use puzzleyard_sokoban::rules::{Level, State};

/// Squares from which a box alone on the board can be pushed to a goal, found by pulling from
/// the goals (Junghanns, Schaeffer: "Sokoban: enhancing general single-agent search methods
/// using domain knowledge", Artificial Intelligence 129, 2001, section 4.1).
pub(super) fn live_squares(level: &Level) -> CellSet {
    let area = level.area();
    let free = |cell: Option<Cell>| cell.filter(|&cell| !level.walls().contains(cell));
    let mut live = level.goals().clone();
    let mut open: Vec<Cell> = live.iter().collect();
    while let Some(to) = open.pop() {
        for way in Direction::ALL {
            let back = way.opposite();
            let Some(from) = free(area.neighbour(to, back)) else {
                continue;
            };
            let player = free(area.neighbour(from, back));
            if player.is_some() && live.insert(from) {
                open.push(from);
            }
        }
    }
    live
}

/// The first box, in reading order, that can never reach a goal: off the live squares, or off
/// a goal in a block of two by two that is all walls and boxes.
pub(super) fn dead_box(level: &Level, state: &State, live: &CellSet) -> Option<Cell> {
    let area = level.area();
    let solid = |cell: Option<Cell>| {
        cell.is_none_or(|cell| level.walls().contains(cell) || state.boxes.contains(cell))
    };
    state.boxes.iter().find(|&cell| {
        if !live.contains(cell) {
            return true;
        }
        if level.goals().contains(cell) {
            return false;
        }
        let corner = |down, right| {
            let below = area.neighbour(cell, down);
            solid(below)
                && solid(area.neighbour(cell, right))
                && solid(below.and_then(|below| area.neighbour(below, right)))
        };
        [Direction::Up, Direction::Down]
            .into_iter()
            .any(|down| corner(down, Direction::Left) || corner(down, Direction::Right))
    })
}
