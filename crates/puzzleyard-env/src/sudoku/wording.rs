//! The words of an episode: prompts and replies.

use std::fmt::Write as _;

use puzzleyard_sudoku::{Grid, box_of, cell_name, col_of, row_of, rules::Unit};

use super::board::draw;
use super::play::{Outcome, Wish};
use super::score::violations;
use super::{End, InvalidReason, Move, Settings};
use crate::message::excerpt;

/// The first message of the user.
pub(super) fn prompt(puzzle: &Grid) -> String {
    // The two spaces after "exactly once" in the line on columns are the contract's.
    format!(
        "Sudoku Puzzle:\n\n{}\n\nRules:\n\
         - Fill each empty cell (.) with a number from 1-9\n\
         - Each row must contain all numbers 1-9 exactly once\n\
         - Each column must contain all numbers 1-9 exactly once  \n\
         - Each 3x3 box must contain all numbers 1-9 exactly once\n\n\
         Make one move at a time using the format: <move>A1=5</move>",
        draw(puzzle)
    )
}

/// The message of the system.
pub(super) fn system_prompt(settings: &Settings, max_turns: u32) -> String {
    let think = if settings.use_think {
        "Think step by step inside <think>...</think> tags, then give your move after them. \
         Only what follows the last </think> is read, and a message without </think> has no \
         move.\n"
    } else {
        ""
    };
    format!(
        "You solve a Sudoku puzzle, one move a turn, in at most {max_turns} turns.\n\
         {think}\
         Write exactly one move a message: <move>A3=4</move> puts 4 into row A, column 3. Rows \
         are A-I, columns 1-9, digits 1-9, without spaces. <move>A3=0</move> clears a cell that \
         you filled. Clues cannot be changed.\n\
         A digit that is already in the row, column or box of its cell is an invalid move. It \
         stays on the board until you clear it or write another digit over it.\n\
         The game ends when the board is full or the turns are used up.\n\
         Points: +0.1 for a cell's first valid digit, -0.1 for clearing a cell, -0.2 for an \
         invalid move; at the end +5 if solved, up to +1 for unused turns if solved, +1 for a \
         full board, up to +2 for filled cells, -0.1 for each digit repeated in a row, column \
         or box."
    )
}

/// What stands below the word of a reply.
pub(super) struct Scene<'a> {
    /// The board after the move.
    pub(super) board: &'a Grid,
    /// The turn that was played, from 1.
    pub(super) turn: u32,
    /// How many there are.
    pub(super) max_turns: u32,
    /// How the episode ended, if it did.
    pub(super) end: Option<End>,
}

/// The reply to a turn.
pub(super) fn reply(outcome: &Outcome<'_>, use_think: bool, scene: &Scene<'_>) -> String {
    let filled = scene.board.clues();
    let mut text = String::with_capacity(640);
    headline(&mut text, outcome, use_think, 81 - filled);
    let tenths = (filled * 1000 * 2 + 81) / 162;
    let _ = write!(
        text,
        "\n\nCurrent Board:\n{}\n\nProgress: {filled}/81 cells filled ({}.{}%)\nTurn: {}/{}\n\n",
        draw(scene.board),
        tenths / 10,
        tenths % 10,
        scene.turn,
        scene.max_turns
    );
    match scene.end {
        None => text.push_str("What's your next move?"),
        Some(End::Solved) => {
            let _ = write!(text, "🎉 Puzzle solved in {} turns!", scene.turn);
        }
        Some(End::CompleteButWrong) => {
            let _ = write!(
                text,
                "🏁 The board is full but breaks the rules: {} constraint violations. The game \
                 is over.",
                violations(scene.board)
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

fn headline(text: &mut String, outcome: &Outcome<'_>, use_think: bool, left: usize) {
    let _ = match outcome {
        Outcome::Valid => write!(text, "✅ Valid move! {left} cells remaining."),
        Outcome::Cleared(step) => write!(
            text,
            "↩️ Backtrack: {} cleared. {left} cells remaining.",
            cell_name(step.cell)
        ),
        Outcome::Conflict(step, against) => {
            conflict(text, *step, against);
            return;
        }
        Outcome::Refused(step, reason) => {
            let cell = cell_name(step.cell);
            match reason {
                InvalidReason::ClueCell => {
                    write!(
                        text,
                        "❌ Invalid move! {cell} is a clue and cannot be changed."
                    )
                }
                InvalidReason::CellEmpty => {
                    write!(
                        text,
                        "❌ Invalid move! {cell} is empty: there is nothing to clear."
                    )
                }
                _ => write!(
                    text,
                    "❌ Invalid move! {cell} already holds {}.",
                    step.digit
                ),
            }
        }
        Outcome::Unread(wish) => unread(text, wish, use_think),
    };
}

fn conflict(text: &mut String, step: Move, against: &[usize]) {
    let Move { cell, digit } = step;
    let name = cell_name(cell);
    let _ = write!(text, "❌ Invalid move! {digit} in {name} conflicts with ");
    for (at, &other) in against.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        let _ = write!(text, "{} (", cell_name(other));
        let shared = [
            (row_of(cell) == row_of(other)).then_some(Unit::Row(row_of(cell))),
            (col_of(cell) == col_of(other)).then_some(Unit::Column(col_of(cell))),
            (box_of(cell) == box_of(other)).then_some(Unit::Box(box_of(cell))),
        ];
        for (nth, unit) in shared.into_iter().flatten().enumerate() {
            text.push_str(if nth == 0 { "" } else { ", " });
            let _ = write!(text, "{unit}");
        }
        text.push(')');
    }
    let _ = write!(
        text,
        ". It stays on the board: clear it with <move>{name}=0</move> or write another digit \
         over it."
    );
}

fn unread(text: &mut String, wish: &Wish<'_>, use_think: bool) -> std::fmt::Result {
    const FORM: &str = "Write exactly one <move>A1=5</move>: row A-I, column 1-9, digit 1-9 \
                        (0 clears), no spaces.";
    match wish {
        Wish::None | Wish::Move(_) => write!(
            text,
            "❌ Invalid move! No move found{}. {FORM}",
            if use_think { " after </think>" } else { "" }
        ),
        Wish::Malformed(content) => write!(
            text,
            "❌ Invalid move! Cannot read {:?}. {FORM}",
            excerpt(content, 20)
        ),
        Wish::Unclosed => write!(text, "❌ Invalid move! A <move> tag is not closed. {FORM}"),
        Wish::Several(first, second) => write!(
            text,
            "❌ Invalid move! Several different moves in one message: {first} and {second}. \
             {FORM}"
        ),
        Wish::TooLong => write!(text, "❌ Invalid move! The message is too long. {FORM}"),
    }
}
