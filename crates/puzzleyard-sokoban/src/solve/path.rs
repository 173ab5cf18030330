//! From a trail of states back to steps.

use puzzleyard_core::{Area, Cell, Direction};

use super::board::{Board, Sq};
use crate::model::Answer;
use crate::rules::{Level, State};

/// The steps that lead along `trail`, a push between each two, walking the shortest way in
/// between. `None` if the trail cannot be walked, which would be a fault of the search.
pub(super) fn steps(level: &Level, board: &Board, trail: &[Vec<Sq>]) -> Option<Answer> {
    let mut state = level.start().clone();
    let mut steps = Vec::new();
    for pair in trail.windows(2) {
        let from = *pair[0].iter().find(|sq| !pair[1].contains(sq))?;
        let to = *pair[1].iter().find(|sq| !pair[0].contains(sq))?;
        let (from, to) = (board.cell(from), board.cell(to));
        let way = Direction::ALL
            .into_iter()
            .find(|&way| level.area().neighbour(from, way) == Some(to))?;
        let stand = level.area().neighbour(from, way.opposite())?;
        for step in walk(level, &state, stand)? {
            steps.push(level.step(&mut state, step).ok()?);
        }
        steps.push(level.step(&mut state, way).ok()?);
    }
    Some(Answer::new(steps))
}

/// The shortest walk of the player to `goal`, of several the first by direction.
fn walk(level: &Level, state: &State, goal: Cell) -> Option<Vec<Direction>> {
    let area: Area = level.area();
    let free = |cell: &Cell| level.inside().contains(*cell) && !state.boxes.contains(*cell);
    let mut came = vec![None; area.len()];
    let mut queue = vec![state.player];
    let mut at = 0;
    while at < queue.len() && queue[at] != goal {
        for way in Direction::ALL {
            let Some(next) = area.neighbour(queue[at], way).filter(free) else {
                continue;
            };
            if next != state.player && came[area.index(next)].is_none() {
                came[area.index(next)] = Some(way);
                queue.push(next);
            }
        }
        at += 1;
    }
    let mut steps = Vec::new();
    let mut cell = goal;
    while cell != state.player {
        let way = came[area.index(cell)]?;
        steps.push(way);
        cell = area.neighbour(cell, way.opposite())?;
    }
    steps.reverse();
    Some(steps)
}
