//! What is wrong with a puzzle, if anything.

use puzzleyard_core::{Limit, Limits, Stop};

use super::{Engine, general};
use crate::model::Board;
use crate::rules::{self, Conflict};

/// Guesses of the fast try, beside the limits: a few milliseconds. The hardest puzzles known
/// take about a thousand.
const FEW_GUESSES: u64 = 4000;

/// What is to be said of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// A digit stands twice in a unit.
    Conflicts(Vec<Conflict>),
    /// No rule is broken yet, and there is no solution.
    NoSolution {
        /// The cells, ascending, of clues that contradict one another by themselves.
        clues: Vec<usize>,
        /// Whether it is proved that without any one of them there is a solution. False if a
        /// limit was reached on the way.
        minimal: bool,
    },
    /// One solution, and no other.
    Unique(Board),
    /// More than one.
    Several {
        /// A solution.
        first: Board,
        /// Another.
        second: Board,
        /// The cells, ascending, in which the two differ.
        differ: Vec<usize>,
    },
    /// A limit was reached before anything was known.
    GaveUp(Limit),
}

/// Says what is wrong with a puzzle. The node limit is that of the whole diagnosis.
///
/// The contradictory clues of a puzzle without solution are found with a deletion filter
/// (Chinneck, Dravnieks 1991): each clue in turn is left out for good if the others still
/// contradict one another. The same board and limits give the same answer.
pub fn diagnose(board: &Board, limits: &Limits, stop: &Stop) -> Diagnosis {
    let conflicts = rules::conflicts(board);
    if !conflicts.is_empty() {
        return Diagnosis::Conflicts(conflicts);
    }
    if let Some(unique) = unique_classic(board, stop) {
        return Diagnosis::Unique(unique);
    }
    let count = general::count(board, 2, limits, stop);
    match (count.first, count.second, count.stopped) {
        (Some(first), Some(second), _) => {
            let pairs = first.digits().iter().zip(second.digits());
            let differ = pairs.enumerate().filter(|(_, (one, other))| one != other);
            let differ = differ.map(|(cell, _)| cell).collect();
            Diagnosis::Several {
                first,
                second,
                differ,
            }
        }
        (_, _, Some(limit)) => Diagnosis::GaveUp(limit),
        (Some(first), None, None) => Diagnosis::Unique(first),
        (None, _, None) => {
            let left = limits.nodes.map(|nodes| nodes.saturating_sub(count.nodes));
            contradiction(
                board,
                Limits {
                    nodes: left,
                    ..*limits
                },
                stop,
            )
        }
    }
}

/// The usual case fast: a 9x9 puzzle with one solution that needs few guesses.
fn unique_classic(board: &Board, stop: &Stop) -> Option<Board> {
    let grid = board.classic()?;
    if stop.raised().is_some() {
        return None;
    }
    let mut outcomes = Vec::new();
    Engine::detect()
        .with_guess_limit(FEW_GUESSES)
        .count_all(&[grid], 2, &mut outcomes);
    let outcome = outcomes.first()?;
    let unique = outcome.solutions == 1 && !outcome.gave_up;
    unique.then_some(Board::from(outcome.first?))
}

/// The deletion filter on a board that has no solution.
fn contradiction(board: &Board, limits: Limits, stop: &Stop) -> Diagnosis {
    let mut digits = board.digits().to_vec();
    let filled: Vec<usize> = (0..digits.len())
        .filter(|&cell| digits[cell] != 0)
        .collect();
    let (mut left, mut minimal) = (limits.nodes, true);
    for (done, &cell) in filled.iter().enumerate() {
        // What is left is shared out, so that one hard trial does not take it all.
        let trials = (filled.len() - done) as u64;
        let share = left.map(|nodes| nodes.min(1000.max(nodes / trials)));
        let kept = std::mem::take(&mut digits[cell]);
        let Ok(trial) = Board::from_digits(board.shape(), digits.clone()) else {
            break;
        };
        let share = Limits {
            nodes: share,
            ..limits
        };
        let count = general::count(&trial, 1, &share, stop);
        left = left.map(|nodes| nodes.saturating_sub(count.nodes));
        if count.solutions > 0 {
            digits[cell] = kept;
        } else if count.stopped.is_some() {
            digits[cell] = kept;
            minimal = false;
        }
    }
    let clues = filled.into_iter().filter(|&cell| digits[cell] != 0);
    Diagnosis::NoSolution {
        clues: clues.collect(),
        minimal,
    }
}

/// The solution of a puzzle that has exactly one; for callers that want nothing else.
///
/// # Errors
/// The diagnosis of any other puzzle.
pub fn only_solution(board: &Board, limits: &Limits, stop: &Stop) -> Result<Board, Diagnosis> {
    match diagnose(board, limits, stop) {
        Diagnosis::Unique(solution) => Ok(solution),
        other => Err(other),
    }
}

/// Whether a board is a solution of a puzzle of the same shape: full, legal, clues kept.
pub fn is_solution_of(answer: &Board, puzzle: &Board) -> bool {
    let kept = |(&clue, &digit): (&u8, &u8)| clue == 0 || clue == digit;
    answer.shape() == puzzle.shape()
        && answer.clues() == answer.shape().cells()
        && puzzle.digits().iter().zip(answer.digits()).all(kept)
        && rules::conflicts(answer).is_empty()
}
