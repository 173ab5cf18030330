//! Puzzles from files, some at a time, with what could not be read in its place.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};

use puzzleyard_sudoku::format::{Block, Blocks, Fault, Kind, Reader};
use puzzleyard_sudoku::{Board, Grid};

use crate::exit::BadInput;

/// Whether standard input has been read: there is only one of it.
static STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

/// A puzzle of a file, or why there is none.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The line it begins at, from 1.
    pub(super) line: u64,
    /// What stands there.
    pub(super) found: Result<Found, Fault>,
    /// Its title.
    pub(super) title: Option<String>,
}

/// A puzzle, the usual size apart.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// 9x9.
    Grid(Grid),
    /// Any other shape.
    Board(Board),
}

impl Found {
    /// The puzzle as a board of any shape.
    pub(super) fn board(&self) -> Board {
        match self {
            Self::Grid(grid) => Board::from(*grid),
            Self::Board(board) => board.clone(),
        }
    }
}

/// A file that is read bit by bit.
pub(super) struct Source {
    form: Form,
    most: usize,
}

enum Form {
    /// 81 characters a line: the fast way.
    Blocks(Blocks<Box<dyn BufRead + Send>>, Block),
    Any(Box<Reader<Box<dyn BufRead + Send>>>),
}

impl Source {
    /// Opens a file, or standard input for `-`, to hand out `most` puzzles at a time. The ending of the name tells the kind, or else
    /// the first lines.
    pub(super) fn open(file: &str, most: usize) -> anyhow::Result<Self> {
        let mut reader = open(file)?;
        let form = match Kind::of_name(file) {
            Some(kind) => Form::Any(Box::new(Reader::with_kind(kind, reader))),
            None if begins_with_a_line(&mut reader) => {
                Form::Blocks(Blocks::new(reader, most), Block::default())
            }
            None => Form::Any(Box::new(Reader::new(reader))),
        };
        Ok(Self { form, most })
    }

    /// The next puzzles; none at the end.
    pub(super) fn read(&mut self) -> Vec<Row> {
        match &mut self.form {
            Form::Any(reader) => reader
                .take(self.most)
                .map(|entry| match entry {
                    Ok(entry) => Row {
                        line: entry.line,
                        found: Ok(found(entry.board)),
                        title: entry.title,
                    },
                    Err(fault) => Row {
                        line: fault.line,
                        found: Err(fault),
                        title: None,
                    },
                })
                .collect(),
            Form::Blocks(blocks, block) => {
                if !blocks.read_into(block) {
                    return Vec::new();
                }
                merged(block)
            }
        }
    }
}

/// The grids and the faults of a block, by line.
fn merged(block: &mut Block) -> Vec<Row> {
    let mut rows = Vec::with_capacity(block.grids.len() + block.faults.len());
    let mut faults = block.faults.drain(..).peekable();
    let failed = |fault: Fault| Row {
        line: fault.line,
        found: Err(fault),
        title: None,
    };
    for (&grid, &line) in block.grids.iter().zip(&block.lines) {
        while let Some(fault) = faults.next_if(|fault| fault.line < line) {
            rows.push(failed(fault));
        }
        rows.push(Row {
            line,
            found: Ok(Found::Grid(grid)),
            title: None,
        });
    }
    rows.extend(faults.map(failed));
    rows
}

fn found(board: Board) -> Found {
    match board.classic() {
        Some(grid) => Found::Grid(grid),
        None => Found::Board(board),
    }
}

/// All entries of a file with what stands beside each puzzle.
pub(super) fn entries(file: &str) -> anyhow::Result<Reader<Box<dyn BufRead + Send>>> {
    let reader = open(file)?;
    Ok(match Kind::of_name(file) {
        Some(kind) => Reader::with_kind(kind, reader),
        None => Reader::new(reader),
    })
}

/// A file for reading, standard input for `-`.
fn open(file: &str) -> anyhow::Result<Box<dyn BufRead + Send>> {
    let bad = |why: String| anyhow::Error::from(BadInput(format!("{file}: {why}")));
    if file == "-" {
        if STDIN_TAKEN.swap(true, Ordering::Relaxed) {
            return Err(bad("standard input has been read already".into()));
        }
        return Ok(Box::new(BufReader::with_capacity(
            1 << 18,
            std::io::stdin(),
        )));
    }
    let opened = File::open(file).map_err(|error| bad(error.to_string()))?;
    // A folder can be opened; only reading it fails.
    if opened.metadata().is_ok_and(|it| it.is_dir()) {
        return Err(bad("is a folder".into()));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 18, opened)))
}

/// Whether the first line that is no remark is 81 cells and nothing else.
fn begins_with_a_line(reader: &mut impl BufRead) -> bool {
    let Ok(head) = reader.fill_buf() else {
        return false;
    };
    let line = head
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && line[0] != b'#');
    line.is_some_and(|line| {
        line.len() == 81 && line.iter().all(|byte| b".0123456789".contains(byte))
    })
}
