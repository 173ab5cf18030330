//! `yard sudoku generate`: puzzles with one solution, in order for any number of threads.

use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::rc::Rc;

use puzzleyard_sudoku::Board;
use puzzleyard_sudoku::format::{Entry, Kind, Writer};
use puzzleyard_sudoku::generate::{GenerateError, Level, Puzzle, Spec, generate_many};

use super::convert::kind;
use crate::args::{DifficultyArg, GenerateArgs};
use crate::exit::{BadInput, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::{progress, stream};

/// Puzzles made by a thread at a time; fewer if each must be rated.
const CHUNK: u64 = 256;

/// Runs the command. Fails if a puzzle was not found.
pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<Exit> {
    let spec = spec(args);
    // A wish that nothing fulfils is a bad argument.
    generate_many(&spec, args.seed, 0..0).map_err(|error| BadInput(error.to_string()))?;
    let stop = stop_on_interrupt()?;
    let bar = progress::bar(args.count);
    let mut out = Shared(Rc::new(RefCell::new(stream::out())));
    let plain = kind(args.kind) == Kind::Line && !args.with_solution;
    let mut lines = Vec::new();
    let mut writer = Writer::new(kind(args.kind), BufWriter::new(out.clone()));
    let chunk = if spec.score.is_some() { 4 } else { CHUNK };
    let mut exit = Exit::Done;
    let mut next = 0;
    while next < args.count && stop.raised().is_none() {
        let ranges: Vec<Range<u64>> = (0..u64::from(args.threads))
            .map(|thread| next + thread * chunk)
            .map(|start| start.min(args.count)..(start + chunk).min(args.count))
            .collect();
        let first = next;
        next = ranges.last().map_or(next, |range| range.end);
        for (at, made) in together(&spec, args.seed, &ranges).into_iter().enumerate() {
            match made {
                Err(error) => {
                    let number = first + at as u64;
                    bar.suspend(|| stream::say(format_args!("yard: puzzle {number}: {error}")));
                    exit = Exit::Failed;
                }
                Ok(puzzle) if plain => {
                    lines.extend_from_slice(&puzzle.grid.to_line());
                    lines.push(b'\n');
                }
                Ok(puzzle) => {
                    let mut entry = Entry::new(Board::from(puzzle.grid));
                    entry.solution = args.with_solution.then(|| Board::from(puzzle.solution));
                    writer.write(&entry)?;
                }
            }
        }
        out.write_all(&lines)?;
        lines.clear();
        if out.0.borrow().reader_left() {
            return Ok(exit);
        }
        bar.set_position(next);
    }
    bar.finish_and_clear();
    if !plain {
        writer.finish()?;
    }
    out.flush()?;
    Ok(if stop.raised().is_some() {
        Exit::Interrupted
    } else {
        exit
    })
}

/// The wishes. Without difficulty and clues, a minimal puzzle may have any number of clues, and
/// a rated one any number that comes fast.
fn spec(args: &GenerateArgs) -> Spec {
    let level = match args.difficulty {
        Some(DifficultyArg::Easy) => Some(Level::Easy),
        Some(DifficultyArg::Medium) => Some(Level::Medium),
        Some(DifficultyArg::Hard) => Some(Level::Hard),
        None => None,
    };
    let clues = match (&args.clues, level) {
        (Some(clues), _) => clues.clone(),
        (None, Some(level)) => level.clues(),
        (None, None) if args.minimal => Spec::minimal().clues,
        (None, None) if args.score.is_some() => 22..=35,
        (None, None) => Level::Easy.clues(),
    };
    let mut spec = Spec::of_clues(clues);
    spec.minimal = args.minimal;
    spec.symmetry = args.symmetry;
    spec.score.clone_from(&args.score);
    spec
}

fn together(spec: &Spec, seed: u64, ranges: &[Range<u64>]) -> Vec<Result<Puzzle, GenerateError>> {
    let make = |range: &Range<u64>| match generate_many(spec, seed, range.clone()) {
        Ok(many) => many.collect(),
        Err(error) => vec![Err(error)],
    };
    if let [only] = ranges {
        return make(only);
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = ranges
            .iter()
            .map(|range| scope.spawn(move || make(range)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| match thread.join() {
                Ok(made) => made,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    })
}

/// Standard output for the writer of a format, and for those who ask whether anybody reads.
#[derive(Clone, Debug)]
struct Shared(Rc<RefCell<stream::Out>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
