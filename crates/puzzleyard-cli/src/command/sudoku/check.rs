//! `yard sudoku check`: what is wrong with each puzzle, if anything is.

use puzzleyard_core::{Limits, Stop};
use puzzleyard_sudoku::Board;
use puzzleyard_sudoku::solve::diagnosis::{Diagnosis, diagnose};
use puzzleyard_sudoku::solve::is_unique;
use serde_json::{Value, json};

use super::board::{conflict, line, name, names};
use super::pipeline::{self, Pace, invalid};
use crate::args::CheckSudoku;
use crate::exit::Exit;

/// Runs the command. Fails unless every puzzle has one solution.
pub(super) fn run(args: &CheckSudoku) -> anyhow::Result<Exit> {
    let pace = Pace {
        threads: args.input.threads,
        chunk: 64,
    };
    pipeline::run(&args.input.files, pace, |chunk, stop| {
        pipeline::rows(chunk, args.input.format, |row| {
            let place = format!("{}:{}", chunk.file, row.line);
            match &row.found {
                Err(fault) => (format!("{place}: invalid"), invalid(fault), true),
                Ok(found) => {
                    let (words, fields, proper) = checked(&found.board(), args.nodes, stop);
                    (format!("{place}: {words}"), fields, !proper)
                }
            }
        })
    })
}

/// Words and fields of a puzzle, and whether it has one solution.
fn checked(board: &Board, nodes: u64, stop: &Stop) -> (String, Value, bool) {
    let limits = Limits {
        nodes: Some(nodes),
        memory: None,
    };
    let shape = board.shape();
    match diagnose(board, &limits, stop) {
        Diagnosis::Conflicts(conflicts) => {
            let words: Vec<String> = conflicts.iter().map(|it| conflict(shape, it)).collect();
            let list: Vec<Value> = conflicts
                .iter()
                .map(|it| {
                    let cells = names(shape, &it.cells);
                    json!({ "unit": it.unit.to_string(), "digit": it.digit, "cells": cells })
                })
                .collect();
            let fields = json!({ "status": "conflict", "clues": board.clues(), "conflicts": list });
            (words.join("; "), fields, false)
        }
        Diagnosis::NoSolution { clues, minimal } => {
            let named: Vec<String> = clues
                .iter()
                .map(|&cell| format!("{}={}", name(shape, cell), board.digit(cell)))
                .collect();
            let proved = if minimal { "" } else { " (perhaps fewer)" };
            let words = format!(
                "no solution: {} contradict one another{proved}",
                named.join(", ")
            );
            let fields = json!({
                "status": "none",
                "clues": board.clues(),
                "contradiction": named,
                "contradiction_minimal": minimal,
            });
            (words, fields, false)
        }
        Diagnosis::Several {
            first,
            second,
            differ,
        } => several(board, [&first, &second], &differ),
        Diagnosis::Unique(solution) => unique(board, &solution),
        Diagnosis::GaveUp(limit) => {
            let reason = limit.to_string();
            let words = format!("gave_up: {reason}");
            let fields = json!({ "status": "gave_up", "clues": board.clues(), "reason": reason });
            (words, fields, false)
        }
    }
}

fn several(board: &Board, solutions: [&Board; 2], differ: &[usize]) -> (String, Value, bool) {
    let [first, second] = solutions.map(line);
    let cells = names(board.shape(), differ);
    let words = format!(
        "several solutions: {first} and {second} differ in {}",
        cells.join(", ")
    );
    let fields = json!({
        "status": "several",
        "clues": board.clues(),
        "first": first,
        "second": second,
        "differ": cells,
    });
    (words, fields, false)
}

fn unique(board: &Board, solution: &Board) -> (String, Value, bool) {
    let clues = board.clues();
    let shape = board.shape();
    // Clues that could be left out, each by itself.
    let spare = board.classic().map(|grid| {
        let spare = |cell: &usize| grid.digit(*cell) != 0 && is_unique(&grid.with(*cell, 0));
        (0..81).filter(spare).collect::<Vec<_>>()
    });
    let minimal = match &spare {
        None => String::new(),
        Some(spare) if spare.is_empty() => ", minimal".into(),
        Some(spare) => format!(", not minimal ({} clues could go)", spare.len()),
    };
    let fields = json!({
        "status": "unique",
        "clues": clues,
        "solution": line(solution),
        "minimal": spare.as_ref().map(Vec::is_empty),
        "spare": spare.map(|spare| names(shape, &spare)),
    });
    (format!("unique, {clues} clues{minimal}"), fields, true)
}
