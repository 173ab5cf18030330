//! `yard sudoku …`: what may be typed.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use puzzleyard_sudoku::generate::Symmetry;

use super::Output;
use crate::unit::duration;

/// Commands on Sudoku puzzles.
#[derive(Debug, Subcommand)]
pub(crate) enum Sudoku {
    /// One solution a line, in order; `none` or `several` where that is so.
    Solve(SolveSudoku),
    /// The number of solutions, a line a puzzle.
    Count(CountArgs),
    /// Say what is wrong with each puzzle, if anything is.
    Check(CheckSudoku),
    /// Make puzzles with one solution.
    Generate(GenerateArgs),
    /// How hard each puzzle is for people.
    Rate(RateArgs),
    /// The next step of each puzzle, explained.
    Hint(HintArgs),
    /// Write puzzles in another format, or turned, relabelled, shuffled.
    Convert(ConvertSudoku),
    /// Play in the terminal.
    Play(PlayArgs),
    /// Measure solving, generating and rating on this machine.
    Bench(BenchArgs),
}

/// Files of puzzles and how their rows are printed.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Puzzle files in any format, `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
    /// Puzzles worked on at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
}

/// Limits for boards of other sizes than 9x9.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Budget {
    /// Nodes for each board that is not 9x9.
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) nodes: u64,
    /// Time for each board that is not 9x9.
    #[arg(long, value_parser = duration, value_name = "D")]
    pub(crate) time: Option<Duration>,
}

/// `yard sudoku solve`.
#[derive(Debug, Parser)]
pub(crate) struct SolveSudoku {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

/// `yard sudoku count`.
#[derive(Debug, Parser)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Count no further than this.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: u64,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

/// `yard sudoku check`.
#[derive(Debug, Parser)]
pub(crate) struct CheckSudoku {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Nodes for each puzzle.
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) nodes: u64,
}

/// A range of clues by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DifficultyArg {
    /// 36 to 46 clues.
    Easy,
    /// 28 to 35 clues.
    Medium,
    /// 22 to 27 clues.
    Hard,
}

/// A format to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardKind {
    /// 81 characters a line.
    #[default]
    Line,
    /// Grids with rulers.
    Grid,
    /// `SadMan` Sudoku, one puzzle with remarks.
    Sdk,
    /// `SadMan` Sudoku collection.
    Sdm,
    /// Simple Sudoku grids.
    Ss,
    /// Comma-separated values: puzzle, solution, title.
    Csv,
    /// JSON.
    Json,
}

/// `yard sudoku generate`.
#[derive(Debug, Parser)]
pub(crate) struct GenerateArgs {
    /// How many clues; easy without this, --clues, --minimal and --score.
    #[arg(long, value_enum, conflicts_with = "clues")]
    pub(crate) difficulty: Option<DifficultyArg>,
    /// Clues from A to B, each 17 to 80.
    #[arg(long, value_name = "A..B", value_parser = clues)]
    pub(crate) clues: Option<RangeInclusive<u8>>,
    /// How many puzzles.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) count: u64,
    /// The seed. Puzzle K depends on the seed, the wishes and K only.
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub(crate) seed: u64,
    /// No clue can be left out.
    #[arg(long)]
    pub(crate) minimal: bool,
    /// How the clues lie: none, rotation-180, rotation-90, horizontal, vertical, diagonal,
    /// anti-diagonal, both-lines, both-diagonals or full.
    #[arg(long, value_name = "NAME", default_value = "none")]
    pub(crate) symmetry: Symmetry,
    /// A rating from A to B, as `yard sudoku rate` gives it (1.2 to 11.9).
    #[arg(long, value_name = "A..B", value_parser = score)]
    pub(crate) score: Option<RangeInclusive<u16>>,
    /// The solution after each puzzle: on the same line, or as the format has it.
    #[arg(long)]
    pub(crate) with_solution: bool,
    /// The format to write.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: BoardKind,
    /// Puzzles made at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
}

/// `yard sudoku rate`.
#[derive(Debug, Parser)]
pub(crate) struct RateArgs {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Every step to the solution.
    #[arg(long)]
    pub(crate) path: bool,
}

/// `yard sudoku hint`.
#[derive(Debug, Parser)]
pub(crate) struct HintArgs {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the words, without the board.
    #[arg(long)]
    pub(crate) brief: bool,
}

/// `yard sudoku convert`.
#[derive(Debug, Parser)]
pub(crate) struct ConvertSudoku {
    /// Puzzle files in any format, `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The format to write to standard output.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) to: BoardKind,
    /// The smallest of all equivalent grids: two puzzles are the same up to symmetry if this is.
    #[arg(long, conflicts_with_all = ["relabel", "rotate", "transpose", "shuffle"])]
    pub(crate) canonical: bool,
    /// Digits by first appearance: the first digit becomes 1, the next new one 2.
    #[arg(long)]
    pub(crate) relabel: bool,
    /// Quarter turns clockwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub(crate) rotate: Option<u8>,
    /// Rows become columns.
    #[arg(long)]
    pub(crate) transpose: bool,
    /// A random symmetry of this seed, another for each puzzle.
    #[arg(long, value_name = "SEED")]
    pub(crate) shuffle: Option<u64>,
}

/// `yard sudoku play`.
#[derive(Debug, Parser)]
pub(crate) struct PlayArgs {
    /// A puzzle file; the first puzzle is played. A new one is made without.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<String>,
    /// How many clues a new puzzle has.
    #[arg(long, value_enum, default_value = "easy")]
    pub(crate) difficulty: DifficultyArg,
    /// The seed of new puzzles; the clock's if absent.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Where the game is kept when leaving, and taken up again from.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

/// `yard sudoku bench`.
#[derive(Debug, Parser)]
pub(crate) struct BenchArgs {
    /// Puzzle files in any format.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Processor time for each measurement, at least.
    #[arg(long, value_parser = duration, value_name = "D", default_value = "1s")]
    pub(crate) time: Duration,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// Reads `A..B`, or `A` for `A..A`.
fn clues(text: &str) -> Result<RangeInclusive<u8>, String> {
    range(text, |end| end.parse().ok())
        .filter(|range| *range.start() >= 17 && *range.end() <= 80)
        .ok_or_else(|| format!("found {text:?}, expected clues such as 22..27, from 17 to 80"))
}

/// Reads `A..B` in tenths.
fn score(text: &str) -> Result<RangeInclusive<u16>, String> {
    let tenths = |end: &str| -> Option<u16> {
        let value: f64 = end.parse().ok()?;
        (0.0..=20.0)
            .contains(&value)
            .then(|| (value * 10.0).round() as u16)
    };
    range(text, tenths)
        .ok_or_else(|| format!("found {text:?}, expected ratings such as 1.2..2.5, from 0 to 20"))
}

fn range<T: PartialOrd>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<RangeInclusive<T>> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to) = (read(from)?, read(to.strip_prefix('=').unwrap_or(to))?);
    (from <= to).then_some(from..=to)
}

#[cfg(test)]
mod tests {
    use super::{clues, score};

    #[test]
    fn ranges_are_read_and_refused() {
        assert_eq!(clues("22..27"), Ok(22..=27));
        assert_eq!(clues("30"), Ok(30..=30));
        assert_eq!(score("1.2..2.5"), Ok(12..=25));
        for wrong in [
            "", "..", "27..22", "16..20", "20..81", "a..b", "20..", "1.5",
        ] {
            assert!(clues(wrong).is_err(), "{wrong}");
        }
        for wrong in ["-1..2", "1..21", "nan..nan", "1.2.."] {
            assert!(score(wrong).is_err(), "{wrong}");
        }
    }
}
