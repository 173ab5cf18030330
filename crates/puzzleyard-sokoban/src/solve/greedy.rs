//! Any answer, as fast as can be: greedy searches with differing tastes that take turns.
//!
//! Turns are counted in nodes, so the outcome does not depend on the machine. Each search
//! keeps every state that can matter, so any one of them may prove that there is no answer.

use puzzleyard_core::Limit;

use super::board::Board;
use super::budget::Budget;
use super::distance::Distances;
use super::packing;
use super::search::{End, Order, Search, Taste};
use super::{SolveReport, settle};
use crate::rules::Level;

/// Nodes of a search's first turn. Turns grow by a quarter each round.
const FIRST_TURN: u64 = 500;

/// The last is A*: small levels with much room may need proof more than haste.
const ORDERS: [Order; 5] = [
    greedy(2, 0, 0, 0, 0),
    greedy(1, 16, 2000, 16, 0),
    greedy(0, 60, 2000, 16, 120),
    greedy(0, 40, 0, 0, 0),
    Order::Pushes,
];

const fn greedy(cost: u32, region: u32, unpacked: u32, next: u32, early: u32) -> Order {
    Order::Greedy(Taste {
        cost,
        region,
        unpacked,
        next,
        early,
    })
}

/// Fills `report`.
pub(super) fn run(
    level: &Level,
    board: &Board,
    distances: &Distances,
    budget: &mut Budget<'_>,
    tell: &mut dyn FnMut(&Budget<'_>, u32),
    report: &mut SolveReport,
) -> Result<(), Limit> {
    let packing = if distances.is_full() {
        packing::order(board, budget)?
    } else {
        Vec::new()
    };
    let mut searches: Vec<Option<Search<'_>>> = ORDERS.iter().map(|_| None).collect();
    let mut used = [false; ORDERS.len()];
    let mut turn = FIRST_TURN;
    let mut ended = Err(Limit::Memory);
    loop {
        for at in 0..ORDERS.len() {
            let order = ORDERS[at];
            if matches!(order, Order::Greedy(taste) if taste.unpacked > 0) && packing.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut used[at], true) {
                searches[at] = match Search::new(board, distances, order, &packing, budget) {
                    Err(limit) if limit != Limit::Memory => return Err(limit),
                    made => made.ok(),
                };
            }
            let Some(search) = &mut searches[at] else {
                continue;
            };
            let before = std::mem::take(&mut search.deadlocks);
            let outcome = search.advance(turn, budget, tell);
            report.root_bound = search.root_bound.unwrap_or(0);
            report.lower_bound = report.lower_bound.max(search.lower_bound);
            for (kind, count) in before
                .into_iter()
                .chain(std::mem::take(&mut search.deadlocks))
            {
                *report.deadlocks.entry(kind).or_default() += count;
            }
            match outcome {
                Ok(None) => {}
                Ok(Some(End::Solved(node))) => {
                    settle(level, board, &search.trail(node), report);
                    report.optimal = order == Order::Pushes && report.refused.is_none();
                    return Ok(());
                }
                Ok(Some(End::Exhausted)) => return Ok(()),
                // The others go on with what this one leaves.
                Err(Limit::Memory) => {
                    if let Some(search) = searches[at].take() {
                        search.release(budget);
                    }
                    ended = Err(Limit::Memory);
                }
                Err(limit) => return Err(limit),
            }
        }
        if searches.iter().all(Option::is_none) {
            return ended;
        }
        turn += turn / 4;
    }
}
