//! An episode: one puzzle, played turn by turn.

use puzzleyard_sudoku::Grid;
use serde::{Deserialize, Serialize};

use super::play::{Outcome, Wish, play, wish};
use super::score::{self, BACKTRACK, INVALID, Score, Tally, VALID};
use super::wording::{self, Scene};
use super::{End, InvalidReason, Settings, Unplayable, admit};
use crate::points::Points;

/// One puzzle, played turn by turn.
#[derive(Clone, Debug)]
pub struct Episode {
    puzzle: Grid,
    board: Grid,
    settings: Settings,
    max_turns: u32,
    /// Bit per cell: whether its first valid digit is paid.
    credited: u128,
    tally: Tally,
    read: usize,
    end: Option<End>,
    history: Vec<Past>,
}

/// What a turn came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The next message of the user.
    pub text: String,
    /// Whether the episode is over.
    pub done: bool,
    /// What the move itself earned.
    pub reward: f64,
    /// Why the move is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
}

/// A turn of the past.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Past {
    /// Its number, from 1.
    pub turn: u32,
    /// The move, as `A1=5`, if the message held one.
    #[serde(rename = "move")]
    pub step: Option<String>,
    /// What it earned.
    pub reward: f64,
    /// Why it is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
}

/// Where an episode stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The puzzle, 81 characters, `.` for empty.
    pub puzzle: String,
    /// The board now, in the same form.
    pub board: String,
    /// Turns played.
    pub turn: u32,
    /// How many there are.
    pub max_turns: u32,
    /// Filled cells, clues among them.
    pub filled: usize,
    /// Cells that were empty at the start.
    pub empty_cells: usize,
    /// Whether the episode is over.
    pub done: bool,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// Why the last move is invalid, if it is.
    pub invalid_reason: Option<InvalidReason>,
    /// What the episode would be worth if it ended now.
    pub score: Score,
    /// All turns, first to last.
    pub history: Vec<Past>,
}

impl Episode {
    /// An episode at its start.
    ///
    /// # Errors
    /// If the puzzle has less or more than one solution, fewer than 17 clues or no empty cell,
    /// or the limit of turns is 0 or too large.
    pub fn new(puzzle: Grid, settings: Settings) -> Result<Self, Unplayable> {
        Ok(Self {
            puzzle,
            board: puzzle,
            settings,
            max_turns: admit(&puzzle, &settings)?,
            credited: 0,
            tally: Tally::default(),
            read: 0,
            end: None,
            history: Vec::new(),
        })
    }

    /// The message of the system.
    pub fn system_prompt(&self) -> String {
        wording::system_prompt(&self.settings, self.max_turns)
    }

    /// The first message of the user: puzzle and rules, as the contract has them.
    pub fn prompt(&self) -> String {
        wording::prompt(&self.puzzle)
    }

    /// Plays the move of an assistant's message. Any text is a turn. When the episode is over,
    /// nothing changes and the reply says so.
    pub fn turn(&mut self, message: &str) -> Reply {
        if self.end.is_some() {
            return Reply {
                text: "The game is over.".to_owned(),
                done: true,
                reward: 0.0,
                invalid_reason: None,
            };
        }
        let wish = wish(message, self.settings.use_think, self.read);
        let step = match wish {
            Wish::Move(step) => Some(step),
            _ => None,
        };
        if wish != Wish::TooLong {
            self.read += message.len();
        }
        let outcome = play(&self.puzzle, &mut self.board, wish);
        self.tally.turns += 1;
        let reward = self.pay(&outcome, step.map_or(0, |step| step.cell)).value();
        self.end = self.ended();
        let turn = self.tally.turns as u32;
        let invalid_reason = outcome.invalid();
        self.history.push(Past {
            turn,
            step: step.map(|step| step.to_string()),
            reward,
            invalid_reason,
        });
        let scene = Scene {
            board: &self.board,
            turn,
            max_turns: self.max_turns,
            end: self.end,
        };
        Reply {
            text: wording::reply(&outcome, self.settings.use_think, &scene),
            done: self.end.is_some(),
            reward,
            invalid_reason,
        }
    }

    /// Where the episode stands, with its history.
    pub fn state(&self) -> State {
        State {
            puzzle: self.puzzle.to_string(),
            board: self.board.to_string(),
            turn: self.turns_used(),
            max_turns: self.max_turns,
            filled: self.board.clues(),
            empty_cells: self.empty_cells(),
            done: self.is_done(),
            end: self.end,
            invalid_reason: self.history.last().and_then(|past| past.invalid_reason),
            score: self.score(),
            history: self.history.clone(),
        }
    }

    /// What the episode is worth, as if it ended now.
    pub fn score(&self) -> Score {
        let empty = self.empty_cells() as u64;
        score::score(&self.board, empty, u64::from(self.max_turns), &self.tally)
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// The board now.
    pub fn board(&self) -> &Grid {
        &self.board
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many turns there are.
    pub fn max_turns(&self) -> u32 {
        self.max_turns
    }

    /// Turns played.
    pub fn turns_used(&self) -> u32 {
        self.tally.turns as u32
    }

    /// Cells that were empty at the start.
    pub fn empty_cells(&self) -> usize {
        81 - self.puzzle.clues()
    }

    /// Whether the episode is over.
    pub fn is_done(&self) -> bool {
        self.end.is_some()
    }

    /// How it ended, if it did.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// All turns, first to last.
    pub fn history(&self) -> &[Past] {
        &self.history
    }

    /// Books an outcome and says what it earns. `cell` matters for a digit without conflict.
    fn pay(&mut self, outcome: &Outcome<'_>, cell: usize) -> Points {
        match outcome {
            Outcome::Valid if self.credited & 1 << cell == 0 => {
                self.credited |= 1 << cell;
                self.tally.credited += 1;
                VALID
            }
            Outcome::Valid => Points::default(),
            Outcome::Cleared(_) => {
                self.tally.cleared += 1;
                BACKTRACK
            }
            Outcome::Conflict(..) | Outcome::Refused(..) | Outcome::Unread(_) => {
                self.tally.invalid += 1;
                INVALID
            }
        }
    }

    fn ended(&self) -> Option<End> {
        if self.board.is_full() {
            let solved = puzzleyard_sudoku::rules::is_legal(&self.board);
            Some(if solved {
                End::Solved
            } else {
                End::CompleteButWrong
            })
        } else {
            (self.tally.turns >= u64::from(self.max_turns)).then_some(End::OutOfTurns)
        }
    }
}
