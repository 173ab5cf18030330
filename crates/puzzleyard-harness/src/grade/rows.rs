//! Rows of a game's log against the replay.

use puzzleyard_core::{Cell, Direction};
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::{Level, State};

use crate::witness::{Act, GameLog, Row};

/// Whether `ways` are the answer's steps, or where they are not.
pub(super) fn same_ways(ways: &[Direction], answer: &Answer) -> Result<(), String> {
    let ours: Vec<Direction> = answer.steps().iter().map(|step| step.way).collect();
    let wrong = ways
        .iter()
        .zip(&ours)
        .position(|(theirs, ours)| theirs != ours);
    if let Some(at) = wrong {
        return Err(format!(
            "step {} is {}, in the answer {}",
            at + 1,
            ways[at].letter(),
            ours[at].letter()
        ));
    }
    if ways.len() == ours.len() {
        Ok(())
    } else {
        Err(format!(
            "{} steps, the answer has {}",
            ways.len(),
            ours.len()
        ))
    }
}

/// Whether the column called `step`, if a comma-separated log has one full of numbers, counts
/// its rows: up by one from 0 or 1.
pub(super) fn row_numbers(bytes: &[u8]) -> Result<(), String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let at = match reader.headers() {
        Ok(names) => names.iter().position(|name| name.trim() == "step"),
        Err(_) => None,
    };
    let Some(at) = at else { return Ok(()) };
    let numbers: Option<Vec<u64>> = reader
        .records()
        .flatten()
        .map(|record| record.get(at)?.trim().parse().ok())
        .collect();
    let Some(numbers) = numbers else {
        return Ok(());
    };
    let first = numbers.first().copied().unwrap_or(0);
    let wrong = (first..)
        .zip(&numbers)
        .find(|(right, found)| right != *found);
    match wrong {
        Some((right, found)) => Err(format!("a row is numbered {found}, expected {right}")),
        None if first > 1 => Err(format!(
            "the first row is numbered {first}, expected 0 or 1"
        )),
        None => Ok(()),
    }
}

/// Holds what rows say besides directions against the replay. Games count from 0 or 1, rows
/// before columns or after, and write before the step or after it; but one way for all rows.
pub(super) fn facts(log: &GameLog, level: &Level, states: &[State]) -> Result<String, String> {
    // Undone steps leave rows whose facts are about other states.
    if log
        .rows
        .iter()
        .any(|row| matches!(row.act, Act::Undo | Act::Restart))
    {
        return Ok("directions only: steps were taken back".into());
    }
    let rows: Vec<&Row> = log
        .rows
        .iter()
        .filter(|row| matches!(row.act, Act::Step(_)))
        .collect();
    let mut held = vec!["directions"];
    if rows.iter().any(|row| row.player.is_some()) {
        if !places_fit(&rows, states) {
            return Err("the player's places are not those of the replay".into());
        }
        held.push("the player's places");
    }
    if rows.iter().any(|row| row.boxes_on_goal.is_some()) {
        let fit = |is_after: usize| {
            rows.iter().enumerate().all(|(at, row)| {
                row.boxes_on_goal == Some(level.boxes_on_goals(&states[at + is_after]) as u64)
            })
        };
        if !fit(1) && !fit(0) {
            return Err("the boxes on goals are not those of the replay".into());
        }
        held.push("boxes on goals");
    }
    if rows.iter().any(|row| row.pushed.is_some()) {
        let fit = rows
            .iter()
            .enumerate()
            .all(|(at, row)| row.pushed == Some(states[at].boxes != states[at + 1].boxes));
        if !fit {
            return Err("the pushes are not those of the replay".into());
        }
        held.push("pushes");
    }
    Ok(held.join(", "))
}

/// Whether one way of writing places explains those of all rows.
fn places_fit(rows: &[&Row], states: &[State]) -> bool {
    let explains = |is_after: usize, is_turned: bool, base: (u16, u16)| {
        rows.iter().enumerate().all(|(at, row)| {
            let player = states[at + is_after].player;
            let (row_no, col_no) = if is_turned {
                (player.col, player.row)
            } else {
                (player.row, player.col)
            };
            row.player == Some(Cell::new(row_no + base.0, col_no + base.1))
        })
    };
    [1, 0].into_iter().any(|is_after| {
        [false, true].into_iter().any(|is_turned| {
            [(0, 0), (1, 1), (0, 1), (1, 0)]
                .into_iter()
                .any(|base| explains(is_after, is_turned, base))
        })
    })
}
