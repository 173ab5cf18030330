//! Scripted players, as baselines: they answer as a model would.

use std::fmt;
use std::str::FromStr;

use puzzleyard_core::Stream;
use puzzleyard_sudoku::{Grid, box_of, cell_name, col_of, row_of, rules, solve};
use serde::{Deserialize, Serialize};

use super::{Episode, Move};

/// A scripted player. Its answer depends on the episode and the seed only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    /// Knows the solution: corrects its wrong digits, then fills cell by cell.
    Optimal,
    /// Plays naked and hidden singles. Without one it guesses a candidate of a cell that has
    /// the fewest.
    Singles,
    /// Puts a random candidate into a random empty cell that has one. If none has, any digit.
    Random,
}

/// A word that is no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("agent {found:?}, wanted optimal, singles or random")]
pub struct AgentError {
    /// The word.
    pub found: String,
}

impl FromStr for Agent {
    type Err = AgentError;

    fn from_str(word: &str) -> Result<Self, AgentError> {
        match word {
            "optimal" => Ok(Self::Optimal),
            "singles" => Ok(Self::Singles),
            "random" => Ok(Self::Random),
            _ => Err(AgentError {
                found: word.chars().take(40).collect(),
            }),
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Optimal => "optimal",
            Self::Singles => "singles",
            Self::Random => "random",
        })
    }
}

impl Agent {
    /// The next message in `episode`.
    pub fn answer(self, episode: &Episode, seed: u64) -> String {
        let mut dice = Dice {
            stream: Stream::new(seed, "puzzleyard-env sudoku agent"),
            counter: u64::from(episode.turns_used()) * 4,
        };
        let board = episode.board();
        let (step, why) = match self {
            Self::Optimal => optimal(episode.puzzle(), board),
            Self::Singles => single(board).unwrap_or_else(|| guess(board, &mut dice)),
            Self::Random => any(board, &mut dice),
        };
        if episode.settings().use_think {
            format!("<think>{why}</think>\n\n<move>{step}</move>")
        } else {
            format!("{why}\n\n<move>{step}</move>")
        }
    }
}

struct Dice {
    stream: Stream,
    counter: u64,
}

impl Dice {
    /// One of `all`, or `None` if there is none.
    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let at = self.stream.below(self.counter, all.len() as u64);
        self.counter += 1;
        all.get(at as usize).copied()
    }
}

fn empty(board: &Grid) -> impl Iterator<Item = usize> {
    (0..81).filter(|&cell| board.digit(cell) == 0)
}

fn candidates(board: &Grid, cell: usize) -> Vec<u8> {
    (1..=9)
        .filter(|&digit| rules::obstacles(board, cell, digit).next().is_none())
        .collect()
}

fn optimal(puzzle: &Grid, board: &Grid) -> (Move, String) {
    let solution = solve::solve(puzzle).unwrap_or(Grid::EMPTY);
    let wrong =
        (0..81).find(|&cell| board.digit(cell) != 0 && board.digit(cell) != solution.digit(cell));
    let cell = wrong.or_else(|| empty(board).next()).unwrap_or(0);
    let digit = solution.digit(cell);
    let why = format!("The solution has {digit} in {}.", cell_name(cell));
    (Move { cell, digit }, why)
}

type UnitOf = fn(usize) -> usize;

/// The first naked single, else the first hidden single.
fn single(board: &Grid) -> Option<(Move, String)> {
    let open: Vec<(usize, Vec<u8>)> = empty(board)
        .map(|cell| (cell, candidates(board, cell)))
        .collect();
    for (cell, digits) in &open {
        if let [digit] = digits[..] {
            let why = format!("{digit} is the only candidate of {}.", cell_name(*cell));
            return Some((Move { cell: *cell, digit }, why));
        }
    }
    let units: [(&str, UnitOf); 3] = [("row", row_of), ("column", col_of), ("box", box_of)];
    for (cell, digits) in &open {
        for (name, unit_of) in units {
            let rivals = || {
                let others = open.iter().filter(|(other, _)| other != cell);
                others.filter(|(other, _)| unit_of(*other) == unit_of(*cell))
            };
            let only = digits
                .iter()
                .find(|digit| rivals().all(|(_, theirs)| !theirs.contains(digit)));
            if let Some(&digit) = only {
                let why = format!(
                    "{digit} has no other place in the {name} of {}.",
                    cell_name(*cell)
                );
                return Some((Move { cell: *cell, digit }, why));
            }
        }
    }
    None
}

/// A candidate of a cell with the fewest, at least one.
fn guess(board: &Grid, dice: &mut Dice) -> (Move, String) {
    let open = empty(board).map(|cell| (cell, candidates(board, cell)));
    let fewest = open
        .filter(|(_, digits)| !digits.is_empty())
        .min_by_key(|(_, digits)| digits.len());
    match fewest.and_then(|(cell, digits)| Some((cell, dice.pick(&digits)?))) {
        Some((cell, digit)) => {
            let why = format!("No single: guessing {digit} in {}.", cell_name(cell));
            (Move { cell, digit }, why)
        }
        None => any(board, dice),
    }
}

fn any(board: &Grid, dice: &mut Dice) -> (Move, String) {
    let open: Vec<usize> = empty(board).collect();
    let legal: Vec<usize> = open
        .iter()
        .copied()
        .filter(|&cell| !candidates(board, cell).is_empty())
        .collect();
    let cell = dice
        .pick(if legal.is_empty() { &open } else { &legal })
        .unwrap_or(0);
    let mut digits = candidates(board, cell);
    if digits.is_empty() {
        digits = (1..=9).collect();
    }
    let digit = dice.pick(&digits).unwrap_or(1);
    (Move { cell, digit }, "A random digit.".to_owned())
}
