//! Numbers of positions by depth, compared with `tools/oracle/state_counts.py`.
//!
//! The table says how it was made. The oracle counts with sets of coordinates and shares no
//! code with this crate; here nothing but [`Level::step`] is asked.

use std::collections::HashSet;

use puzzleyard_core::{CellSet, Direction};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{FaultKind, Level, State, Waivers};

const TABLE: &str = include_str!("../data/state_counts.txt");

/// One level of the table.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) board: Vec<Vec<Square>>,
    moves: Vec<usize>,
    pushes: Vec<usize>,
}

impl Row {
    pub(crate) fn setup(&self) -> Setup {
        Setup::from_rows(&self.board)
    }

    pub(crate) fn level(&self) -> Level {
        Level::from_setup(&self.setup(), &Waivers::of(FaultKind::ALL))
            .unwrap_or_else(|faults| panic!("{}: {faults}", self.name))
    }
}

/// The levels of the table.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in TABLE.lines() {
        if let Some(name) = line.strip_prefix("level ") {
            rows.push(Row {
                name: name.into(),
                ..Row::default()
            });
        }
        let Some(row) = rows.last_mut() else { continue };
        // A count that was cut short ends in `...`, which is no number.
        let numbers = |text: &str| text.split(' ').flat_map(str::parse).collect();
        if let Some(board) = line.strip_prefix('|') {
            let glyphs = board.trim_end_matches('|').chars();
            row.board.push(
                glyphs
                    .map(|glyph| Square::from_glyph(glyph).expect("a glyph"))
                    .collect(),
            );
        } else if let Some(counts) = line.strip_prefix("moves ") {
            row.moves = numbers(counts);
        } else if let Some(counts) = line.strip_prefix("pushes ") {
            row.pushes = numbers(counts);
        }
    }
    rows
}

/// Sizes of the first `depths` layers, or of all if the search ends before.
fn layers<S, F, I>(start: S, depths: usize, following: F) -> Vec<usize>
where
    S: Clone + Eq + std::hash::Hash,
    F: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    let mut seen = HashSet::from([start.clone()]);
    let mut layer = vec![start];
    let mut sizes = Vec::new();
    while !layer.is_empty() && sizes.len() < depths {
        sizes.push(layer.len());
        let next = layer.iter().flat_map(&following);
        layer = next.filter(|state| seen.insert(state.clone())).collect();
    }
    sizes
}

fn steps(level: &Level, state: &State) -> Vec<(State, bool)> {
    let mut after = Vec::new();
    for way in Direction::ALL {
        let mut next = state.clone();
        if let Ok(step) = level.step(&mut next, way) {
            after.push((next, step.push));
        }
    }
    after
}

/// The player's squares without a push, found by taking steps.
fn walk(level: &Level, from: &State) -> CellSet {
    let mut seen = CellSet::new(level.area());
    let mut stack = vec![from.clone()];
    while let Some(state) = stack.pop() {
        if seen.insert(state.player) {
            let next = steps(level, &state).into_iter();
            stack.extend(next.filter(|(_, push)| !push).map(|(state, _)| state));
        }
    }
    seen
}

fn after_a_push(level: &Level, walked: &CellSet, boxes: &CellSet) -> Vec<(CellSet, CellSet)> {
    let mut after = Vec::new();
    for player in walked.iter() {
        let state = State {
            player,
            boxes: boxes.clone(),
        };
        for (next, _) in steps(level, &state).into_iter().filter(|(_, push)| *push) {
            after.push((walk(level, &next), next.boxes));
        }
    }
    after
}

#[test]
fn positions_by_moves_and_by_pushes_agree_with_the_oracle() {
    let rows = rows();
    assert!(rows.len() >= 24, "{} levels", rows.len());
    for row in &rows {
        let level = row.level();
        // One depth more than counted, unless the oracle stopped at its limit.
        let whole = |name: &str| {
            let start = TABLE
                .find(&format!("level {}\n", row.name))
                .expect("listed");
            let line = TABLE[start..].lines().find(|line| line.starts_with(name));
            usize::from(!line.expect("counted").ends_with("..."))
        };
        let by_moves = layers(
            level.start().clone(),
            row.moves.len() + whole("moves "),
            |state| steps(&level, state).into_iter().map(|(state, _)| state),
        );
        assert_eq!(by_moves, row.moves, "{}, by moves", row.name);
        let start = (walk(&level, level.start()), level.start().boxes.clone());
        let by_pushes = layers(
            start,
            row.pushes.len() + whole("pushes "),
            |(walked, boxes)| after_a_push(&level, walked, boxes),
        );
        assert_eq!(by_pushes, row.pushes, "{}, by pushes", row.name);
    }
}
