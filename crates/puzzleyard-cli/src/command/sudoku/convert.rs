//! `yard sudoku convert`: puzzles in another format, or another of their equivalent forms.

use std::io::Write as _;

use puzzleyard_core::Stream;
use puzzleyard_sudoku::format::{Entry, Kind, WriteError, Writer};
use puzzleyard_sudoku::solve::solve;
use puzzleyard_sudoku::symmetry::{Transform, canonical};
use puzzleyard_sudoku::{Board, Grid};

use super::source::entries;
use crate::args::{BoardKind, ConvertSudoku};
use crate::exit::{self, Exit};
use crate::stream;

/// Runs the command.
pub(super) fn run(args: &ConvertSudoku) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = std::io::BufWriter::new(stream::out());
    let mut writer = Writer::new(kind(args.to), &mut out);
    let mut index = 0;
    let mut fail = |message: String| {
        stream::say(format_args!("yard: {message}"));
        exit = Exit::BadInput;
    };
    for file in &args.files {
        let reader = match entries(file) {
            Ok(reader) => reader,
            Err(error) => {
                fail(exit::words(&error));
                continue;
            }
        };
        for entry in reader {
            let entry = match entry {
                Ok(entry) => entry,
                Err(fault) => {
                    fail(format!("{file}: {fault}"));
                    continue;
                }
            };
            let line = entry.line;
            let turned = turned(entry, args, index);
            index += 1;
            match turned.map(|entry| writer.write(&entry)) {
                Ok(Ok(())) => {}
                Ok(Err(error @ WriteError::Io(_))) => {
                    return Err(error.into());
                }
                Ok(Err(error)) => fail(format!("{file}: line {line}: {error}")),
                Err(why) => fail(format!("{file}: line {line}: {why}")),
            }
        }
    }
    writer.finish()?;
    out.flush()?;
    Ok(exit)
}

/// The library's name for a format.
pub(super) fn kind(kind: BoardKind) -> Kind {
    match kind {
        BoardKind::Line => Kind::Line,
        BoardKind::Grid => Kind::Grid,
        BoardKind::Sdk => Kind::Sdk,
        BoardKind::Sdm => Kind::Sdm,
        BoardKind::Ss => Kind::Ss,
        BoardKind::Csv => Kind::Csv,
        BoardKind::Json => Kind::Json,
    }
}

/// The entry in the form asked for, with what stands beside the puzzle.
fn turned(mut entry: Entry, args: &ConvertSudoku, index: u64) -> Result<Entry, String> {
    let asked = args.canonical
        || args.relabel
        || args.transpose
        || args.rotate.is_some_and(|turns| turns > 0)
        || args.shuffle.is_some();
    if !asked {
        return Ok(entry);
    }
    let shape = entry.board.shape();
    let grid = entry.board.classic();
    let grid = grid.ok_or_else(|| format!("found {shape}, expected 9x9 for a symmetry"))?;
    if args.canonical {
        let smallest = canonical(&grid);
        entry.board = smallest.into();
        entry.state = None;
        let solution = entry.solution.and_then(|_| solve(&smallest));
        entry.solution = solution.map(Board::from);
        return Ok(entry);
    }
    let mut way = Transform::IDENTITY;
    if let Some(seed) = args.shuffle {
        way = Transform::random(&Stream::new(seed, "yard sudoku convert"), index);
    }
    if args.transpose {
        way = way.then(&Transform::TRANSPOSE);
    }
    for _ in 0..args.rotate.unwrap_or(0) {
        way = way.then(&Transform::QUARTER_TURN);
    }
    if args.relabel {
        let names = names(&way.apply(&grid));
        way = way.then(&Transform::relabel(names).unwrap_or(Transform::IDENTITY));
    }
    let apply = |board: &Board| board.classic().map(|grid| Board::from(way.apply(&grid)));
    entry.board = way.apply(&grid).into();
    entry.solution = entry.solution.as_ref().and_then(apply);
    entry.state = entry.state.as_ref().and_then(apply);
    Ok(entry)
}

/// New names for the digits, in the order in which they first appear; the absent ones last.
fn names(grid: &Grid) -> [u8; 9] {
    let mut order: Vec<u8> = Vec::new();
    for digit in grid
        .digits()
        .iter()
        .copied()
        .filter(|&it| it != 0)
        .chain(1..=9)
    {
        if !order.contains(&digit) {
            order.push(digit);
        }
    }
    let mut names = [0; 9];
    for (&digit, name) in order.iter().zip(1..) {
        names[usize::from(digit) - 1] = name;
    }
    names
}
