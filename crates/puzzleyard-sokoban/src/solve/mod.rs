//! The solver.
//!
//! ```
//! use puzzleyard_core::{Limits, Stop, Verdict};
//! use puzzleyard_sokoban::model::{Setup, Square};
//! use puzzleyard_sokoban::rules::{Level, Waivers};
//! use puzzleyard_sokoban::solve::{Objective, solve};
//!
//! let rows: Vec<Vec<Square>> = ["######", "#@$ .#", "######"]
//!     .iter()
//!     .map(|row| row.chars().filter_map(Square::from_glyph).collect())
//!     .collect();
//! let level = Level::from_setup(&Setup::from_rows(&rows), &Waivers::none())?;
//! let report = solve(&level, Objective::Moves, &Limits::default(), &Stop::new(), &mut |_| {});
//! assert!(matches!(report.verdict, Verdict::Solved(answer) if answer.to_string() == "RR"));
//! assert!(report.optimal);
//! # Ok::<(), puzzleyard_sokoban::rules::Faults>(())
//! ```
//!
//! [`board`] makes a graph of the level, [`distance`] the lone-box distances on it,
//! [`matching`] and [`bound`] the lower bound, [`deadlock`] proofs of hopelessness; [`store`]
//! and [`queue`] hold the nodes of [`search`]. [`path`] turns the result into steps and
//! [`crate::judge`] has the last word. `docs/solver.md` says why each pruning is safe.

mod board;
mod bound;
mod budget;
mod deadlock;
mod distance;
mod greedy;
mod matching;
mod packing;
mod path;
mod position;
mod queue;
#[cfg(test)]
mod sample;
mod search;
#[cfg(test)]
mod soundness;
mod store;
mod tables;

use std::collections::BTreeMap;

use puzzleyard_core::{Limit, Limits, Stop, Verdict};

use self::board::Board;
use self::budget::Budget;
use self::distance::Distances;
use self::search::{End, Order, Search};
use crate::judge::{self, Ruling, Strictness};
use crate::model::Answer;
use crate::rules::Level;

/// What the answer must be best at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Nothing: any answer, as fast as can be.
    Any,
    /// Fewest pushes, with proof.
    Pushes,
    /// Fewest moves, with proof.
    Moves,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes expanded so far.
    pub expanded: u64,
    /// Nodes generated so far.
    pub generated: u64,
    /// The proven lower bound so far, in the objective's unit.
    pub lower_bound: u32,
    /// Bytes held now.
    pub memory: u64,
}

/// What a search found and what it took.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The outcome. An answer has passed the judge.
    pub verdict: Verdict<Answer>,
    /// Whether the answer is proved best for the objective.
    pub optimal: bool,
    /// Proven lower bound in the objective's unit: pushes for `Any` and `Pushes`. Says nothing
    /// of an unsolvable level.
    pub lower_bound: u32,
    /// The bound at the root. 0 if the start itself is dead.
    pub root_bound: u32,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// States cut, by kind of deadlock.
    pub deadlocks: BTreeMap<&'static str, u64>,
    /// The most bytes held at any time by nodes and tables.
    pub peak_memory: u64,
    /// An answer that the judge refused: a fault of the solver, not of the level. The verdict
    /// is then `GaveUp(Limit::Interrupt)` and says nothing; nobody has to act on it, but it
    /// should be reported.
    pub refused: Option<Refusal>,
}

/// What the judge said of an answer that the search took for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The answer; `None` if not even steps could be made of the search's result.
    pub answer: Option<Answer>,
    /// The ruling, if there was something to rule on.
    pub ruling: Option<Ruling>,
}

/// Solves `level`.
///
/// The same level, objective and limits give the same report, unless `stop` is raised.
/// `progress` is told now and then. A node is an expansion: `limits.nodes` is kept exactly.
/// `limits.memory` covers every table and node, booked before it is allocated.
///
/// If fewer boxes than goals are there, or more, the level is solved when as many boxes
/// stand on goals as can.
pub fn solve(
    level: &Level,
    objective: Objective,
    limits: &Limits,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> SolveReport {
    let mut budget = Budget::new(limits, stop);
    let mut report = SolveReport {
        verdict: Verdict::Unsolvable,
        optimal: false,
        lower_bound: 0,
        root_bound: 0,
        expanded: 0,
        generated: 0,
        deadlocks: BTreeMap::new(),
        peak_memory: 0,
        refused: None,
    };
    if let Err(limit) = run(level, objective, &mut budget, progress, &mut report) {
        report.verdict = Verdict::GaveUp(limit);
    }
    report.expanded = budget.expanded;
    report.generated = budget.generated;
    report.peak_memory = budget.peak();
    report
}

/// Fills `report`; an error is the limit that ended the search.
fn run(
    level: &Level,
    objective: Objective,
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Progress),
    report: &mut SolveReport,
) -> Result<(), Limit> {
    let mut tell = |budget: &Budget<'_>, lower_bound: u32| {
        progress(&Progress {
            expanded: budget.expanded,
            generated: budget.generated,
            lower_bound,
            memory: budget.held(),
        });
    };
    let board = Board::new(level, budget)?;
    let distances = Distances::new(&board, &[], budget)?;
    let order = match objective {
        Objective::Any => return greedy::run(level, &board, &distances, budget, &mut tell, report),
        Objective::Pushes => Order::Pushes,
        Objective::Moves => Order::Moves,
    };
    let mut search = Search::new(&board, &distances, order, &[], budget)?;
    let end = search.advance(u64::MAX, budget, &mut tell);
    report.root_bound = search.root_bound.unwrap_or(0);
    report.lower_bound = search.lower_bound;
    report.deadlocks.clone_from(&search.deadlocks);
    if let Some(End::Solved(node)) = end? {
        settle(level, &board, &search.trail(node), report);
        if let Verdict::Solved(_) = report.verdict {
            report.optimal = true;
        }
    }
    Ok(())
}

/// Makes an answer of `trail`, and a verdict of it if the judge agrees.
fn settle(level: &Level, board: &Board, trail: &[Vec<board::Sq>], report: &mut SolveReport) {
    let answer = path::steps(level, board, trail);
    let ruling = answer.as_ref().map(|answer| {
        let text = level.setup(level.start()).board();
        judge::judge(&text, &answer.to_string(), Strictness::CaseMatters)
    });
    match (answer, ruling) {
        (Some(answer), Some(ruling)) if ruling.is_solved() => {
            report.verdict = Verdict::Solved(answer);
        }
        (answer, ruling) => {
            report.verdict = Verdict::GaveUp(Limit::Interrupt);
            report.refused = Some(Refusal { answer, ruling });
        }
    }
}
