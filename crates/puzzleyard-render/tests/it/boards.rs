//! Levels to draw: small ones of our own, and random ones.

use proptest::prelude::*;
use puzzleyard_core::Direction;
use puzzleyard_render::Status;
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{FaultKind, Level, State, Waivers};

/// Every kind of square, and backdrop around it.
pub(crate) const SAMPLER: &str = "  #######
###  .  ###
#  $ #   *#
# .  @  $ #
###  *  ###
  #######
";

/// The smallest board that has something to do.
pub(crate) const CORRIDOR: &str = "#####\n#@$.#\n#####\n";

/// A level of our own that takes some thought.
pub(crate) const LOADING_BAY: &str = "    #########
    #   #   #
##### $   . ###
#   #   #.#   #
# $   . # .   #
#   ## ###$ ###
###  #  @  #
  #  #   $ #
  #    #   #
  ##########
";

/// The legal level of canonical XSB rows, whatever its faults.
pub(crate) fn level(text: &str) -> Level {
    let rows: Vec<Vec<Square>> = text
        .lines()
        .map(|line| {
            line.chars()
                .map(|glyph| Square::from_glyph(glyph).expect("an XSB character"))
                .collect()
        })
        .collect();
    Level::from_setup(&Setup::from_rows(&rows), &Waivers::of(FaultKind::ALL))
        .expect("a board with a player")
}

/// An empty room of this many rows and columns, walls counted, with one box to push right.
pub(crate) fn room(rows: usize, cols: usize) -> Level {
    let mut lines = vec![format!("#{}#", " ".repeat(cols - 2)); rows];
    lines[0] = "#".repeat(cols);
    lines[rows - 1] = "#".repeat(cols);
    lines[rows / 2].replace_range(1..4, "@$.");
    level(&lines.join("\n"))
}

/// The state after these steps; impossible ones are left out.
pub(crate) fn played(level: &Level, ways: &str) -> State {
    let mut state = level.start().clone();
    for way in ways.chars().filter_map(Direction::from_letter) {
        let _ = level.step(&mut state, way);
    }
    state
}

/// What the window would say of `state`.
pub(crate) fn status(level: &Level, state: &State) -> Status<'static> {
    Status {
        title: "A level",
        moves: 12,
        pushes: 3,
        on_goal: level.boxes_on_goals(state),
        goals: level.boxes_needed(),
        solved: level.is_solved(state),
        note: "",
    }
}

/// Random boards: any squares within a wall all round, one player.
pub(crate) fn any_level(rows: usize, cols: usize) -> impl Strategy<Value = Level> {
    let glyphs = prop::collection::vec(
        prop::sample::select(" #.$*  ".chars().collect::<Vec<_>>()),
        rows * cols,
    );
    (glyphs, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        move |(mut glyphs, player, on_goal)| {
            glyphs[player.index(rows * cols)] = if on_goal { '+' } else { '@' };
            let edge = "#".repeat(cols + 2);
            let rows = glyphs
                .chunks(cols)
                .map(|row| format!("#{}#", row.iter().collect::<String>()));
            let lines: Vec<String> = [edge.clone()]
                .into_iter()
                .chain(rows)
                .chain([edge])
                .collect();
            level(&lines.join("\n"))
        },
    )
}
