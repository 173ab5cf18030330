//! The words of an episode: boards, prompts and replies.

use std::fmt::Write as _;

use puzzleyard_core::{Cell, CellSet};
use puzzleyard_sokoban::rules::{Level, State};

use super::play::{Walk, Wish};
use super::{End, InvalidReason, Settings, View, place};
use crate::message::excerpt;

/// Draws a board. Walls and size are left out of coordinates if `moving` says that only what
/// moves, and the goals, are wanted.
fn draw(level: &Level, state: &State, view: View, moving: bool) -> String {
    let list = |name: &str, set: &CellSet| {
        let places: Vec<String> = set.iter().map(place).collect();
        format!("{name}: {}", places.join(" "))
    };
    match view {
        View::Xsb => level.setup(state).board().trim_end_matches('\n').to_owned(),
        View::Coordinates => {
            let area = level.area();
            let mut lines = Vec::new();
            if !moving {
                let (rows, cols) = (area.height(), area.width());
                lines.push(format!("Size: {rows} rows, {cols} columns"));
                lines.push(list("Walls", level.walls()));
            }
            lines.push(list("Goals", level.goals()));
            lines.push(list("Boxes", &state.boxes));
            lines.push(format!("Player: {}", place(state.player)));
            lines.join("\n")
        }
    }
}

/// The first message of the user.
pub(super) fn prompt(level: &Level, settings: &Settings) -> String {
    let legend = match settings.view {
        View::Xsb => {
            "Legend: # wall, @ player, + player on a goal, $ box, * box on a goal, . goal, \
             space floor"
        }
        View::Coordinates => {
            "Legend: squares are (row,column), counted from 1 at the top left; what is not \
             listed is floor"
        }
    };
    let steps = match settings.steps_per_turn {
        1 => "Make one step a turn".to_owned(),
        most => format!("Make 1 to {most} steps a turn"),
    };
    let case = if settings.case_matters {
        "Write a capital letter for a step that pushes a box and a small one for any other"
    } else {
        "Capital and small letters mean the same"
    };
    format!(
        "Sokoban Puzzle:\n\n{}\n\n{legend}\n\nRules:\n\
         - Push every box onto a goal\n\
         - The player steps up (u), down (d), left (l) or right (r), not into walls\n\
         - A step into a box pushes it one square; behind it must be neither wall nor box\n\
         - Boxes cannot be pulled\n\
         - {steps}; they stop at the first that is impossible\n\
         - {case}\n\n\
         Make your move using the format: <move>{}</move>",
        draw(level, level.start(), settings.view, false),
        if settings.steps_per_turn == 1 {
            "u"
        } else {
            "urrd"
        }
    )
}

/// The message of the system.
pub(super) fn system_prompt(settings: &Settings, max_turns: u32, optimum: bool) -> String {
    let think = if settings.use_think {
        "Think step by step inside <think>...</think> tags, then give your move after them. \
         Only what follows the last </think> is read, and a message without </think> has no \
         move.\n"
    } else {
        ""
    };
    let length = if optimum {
        ", up to +1 for few pushes if solved"
    } else {
        ""
    };
    format!(
        "You solve a Sokoban puzzle in at most {max_turns} turns.\n\
         {think}\
         Write exactly one move a message: letters u, d, l, r in <move>...</move>, without \
         spaces.\n\
         The game ends when every box stands on a goal or the turns are used up.\n\
         Points: -0.1 for a turn with an invalid move; at the end +5 if solved, up to +2 for \
         boxes brought to goals, up to +1 for unused turns if solved{length}."
    )
}

/// What stands below the word of a reply.
pub(super) struct Scene<'a> {
    /// The level.
    pub(super) level: &'a Level,
    /// The state after the turn.
    pub(super) state: &'a State,
    /// All steps and pushes so far.
    pub(super) moves: u64,
    /// Pushes among them.
    pub(super) pushes: u64,
    /// The turn that was played, from 1.
    pub(super) turn: u32,
    /// How many there are.
    pub(super) max_turns: u32,
    /// A box that can never reach a goal, if it is to be told.
    pub(super) dead: Option<Cell>,
    /// How the episode ended, if it did.
    pub(super) end: Option<End>,
}

/// The reply to a turn.
pub(super) fn reply(
    wish: &Wish<'_>,
    walk: &Walk,
    settings: &Settings,
    scene: &Scene<'_>,
) -> String {
    let mut text = String::with_capacity(800);
    headline(&mut text, wish, walk, settings);
    let _ = write!(
        text,
        "\n\nCurrent Board:\n{}\n\nBoxes on goals: {}/{}\nMoves: {}, pushes: {}\nTurn: {}/{}\n\n",
        draw(scene.level, scene.state, settings.view, true),
        scene.level.boxes_on_goals(scene.state),
        scene.level.boxes_needed(),
        scene.moves,
        scene.pushes,
        scene.turn,
        scene.max_turns
    );
    if let Some(cell) = scene.dead {
        let _ = write!(
            text,
            "☠️ Deadlock: the box at {} can never reach a goal.\n\n",
            place(cell)
        );
    }
    match scene.end {
        None => text.push_str("What's your next move?"),
        Some(End::Solved) => {
            let _ = write!(
                text,
                "🎉 Puzzle solved in {} turns, {} moves and {} pushes!",
                scene.turn, scene.moves, scene.pushes
            );
        }
        Some(End::OutOfTurns) => {
            let _ = write!(
                text,
                "⏰ All {} turns are used up. The game is over.",
                scene.max_turns
            );
        }
    }
    text
}

fn headline(text: &mut String, wish: &Wish<'_>, walk: &Walk, settings: &Settings) {
    const FORM: &str = "Write exactly one <move>...</move> with letters u, d, l, r, no spaces.";
    let made = walk.made.len();
    let _ = match (wish, walk.stopped) {
        (Wish::Steps(..), None) => write!(text, "✅ Valid move! Steps made: {made}."),
        (Wish::Steps(..), Some((step, letter, reason))) => write!(
            text,
            "❌ Invalid move! Step {step} ({letter}) is impossible: {}. Steps made before it: \
             {made}.",
            why(reason)
        ),
        (Wish::None, _) => write!(
            text,
            "❌ Invalid move! No move found{}. {FORM}",
            if settings.use_think {
                " after </think>"
            } else {
                ""
            }
        ),
        (Wish::Malformed(content), _) => write!(
            text,
            "❌ Invalid move! Cannot read {:?}. {FORM}",
            excerpt(content, 20)
        ),
        (Wish::Unclosed, _) => write!(text, "❌ Invalid move! A <move> tag is not closed. {FORM}"),
        (Wish::Several(first, second), _) => write!(
            text,
            "❌ Invalid move! Several different moves in one message: {} and {}. {FORM}",
            excerpt(first, 20),
            excerpt(second, 20)
        ),
        (Wish::TooLong, _) => write!(text, "❌ Invalid move! The message is too long. {FORM}"),
        (Wish::TooMany(found), _) => write!(
            text,
            "❌ Invalid move! {found} steps in one turn, at most {} are allowed. None was made.",
            settings.steps_per_turn
        ),
    };
}

fn why(reason: InvalidReason) -> &'static str {
    match reason {
        InvalidReason::BoxAgainstWall => "the box in the way has a wall behind it",
        InvalidReason::BoxAgainstBox => "the box in the way has another box behind it",
        InvalidReason::WrongCase => "a capital letter must push a box and a small one must not",
        _ => "a wall is in the way",
    }
}
