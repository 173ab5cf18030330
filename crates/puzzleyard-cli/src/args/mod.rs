//! What may be typed. Resolved into what is needed by the commands.

mod eval;
mod sudoku;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use puzzleyard_sokoban::rules::FaultKind;

use crate::levels::fault_kind;
use crate::unit::{duration, size};

pub(crate) use eval::{EndpointArgs, Eval, EvalJudge, EvalSokoban, EvalSudoku, RunArgs};
pub(crate) use sudoku::{
    BenchArgs, BoardKind, Budget, CheckSudoku, ConvertSudoku, CountArgs, DifficultyArg,
    GenerateArgs, HintArgs, PlayArgs, RateArgs, SolveSudoku, Sudoku,
};

/// Puzzle worlds in which an agent's result can be trusted.
#[derive(Debug, Parser)]
#[command(name = "yard", version, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 done, 1 something asked for failed, 2 bad arguments or \
                        unreadable input, 130 interrupted."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve, check, judge and convert Sokoban levels.
    #[command(subcommand)]
    Sokoban(Sokoban),
    /// Solve, count, check, generate, rate, explain, convert and play Sudoku puzzles.
    #[command(subcommand)]
    Sudoku(Sudoku),
    /// Play text episodes with a model or a script, and judge them.
    #[command(subcommand)]
    Eval(Eval),
    /// Play a level in a window.
    Window(WindowArgs),
    /// Play an answer through a running game window.
    Drive(DriveArgs),
    /// Solve levels, play them in a window, and leave the evidence in a folder.
    Prove(ProveArgs),
    /// Grade a folder of evidence.
    Grade(GradeArgs),
    /// Prove three bundled levels and show a report: the main job in one command.
    Demo(DemoArgs),
    /// Say what is missing for which feature and how to get it.
    Doctor(DoctorArgs),
}

/// Commands on Sokoban levels.
#[derive(Debug, Subcommand)]
pub(crate) enum Sokoban {
    /// Solve levels; one line (or JSON object) a level, in file order.
    Solve(SolveArgs),
    /// List every fault with row and column.
    Check(CheckArgs),
    /// Replay an answer by the independent judge.
    Judge(JudgeArgs),
    /// Write levels in another format.
    Convert(ConvertArgs),
    /// Print boards in the terminal, or draw them as SVG or PNG.
    Show(ShowArgs),
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// What an answer must be best at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    /// Any answer, as fast as can be.
    #[default]
    Any,
    /// Fewest pushes, with proof.
    Pushes,
    /// Fewest moves, with proof.
    Moves,
}

/// `yard sokoban solve`.
#[derive(Debug, Parser)]
pub(crate) struct SolveArgs {
    /// Level files in any format, `FILE#N` for one level, `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Only this level of each file, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<usize>,
    /// What the answer must be best at.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) objective: ObjectiveArg,
    /// Time for each level.
    #[arg(long, value_parser = duration, default_value = "10min", value_name = "DURATION")]
    pub(crate) time: Duration,
    /// Memory for each level.
    #[arg(long, value_parser = size, default_value = "4GiB", value_name = "SIZE")]
    pub(crate) memory: u64,
    /// Nodes expanded for each level. Results under a node limit do not depend on the machine.
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// Levels solved at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
    /// Accept this kind of fault (repeatable); `nothing-to-do` is accepted anyway.
    #[arg(long, value_parser = fault_kind, value_name = "FAULT")]
    pub(crate) allow: Vec<FaultKind>,
}

/// `yard sokoban check`.
#[derive(Debug, Parser)]
pub(crate) struct CheckArgs {
    /// Level files in any format, `FILE#N` for one level, `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
    /// Do not list this kind of fault (repeatable).
    #[arg(long, value_parser = fault_kind, value_name = "FAULT")]
    pub(crate) allow: Vec<FaultKind>,
}

/// `yard sokoban judge`.
#[derive(Debug, Parser)]
pub(crate) struct JudgeArgs {
    /// Level file in any format.
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// The answer in LURD (run-length and repeats too), a file that holds it, or `-`.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: String,
    /// Which level of the file, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<usize>,
    /// Capital letters must push and small ones must not.
    #[arg(long)]
    pub(crate) strict_case: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelFormat {
    /// XSB text.
    Xsb,
    /// `.sok` text with headers.
    Sok,
    /// Run-length text, a level a line.
    Rle,
    /// JSON.
    Json,
}

/// `yard sokoban convert`.
#[derive(Debug, Parser)]
pub(crate) struct ConvertArgs {
    /// Level file in any format, `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// The format to write to standard output.
    #[arg(long, value_enum)]
    pub(crate) to: LevelFormat,
    /// Only this level, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<usize>,
}

/// How to show a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Look {
    /// Terminal text, in colour on a terminal.
    #[default]
    Terminal,
    /// An SVG picture of one level on standard output.
    Svg,
    /// A PNG picture of one level on standard output.
    Png,
}

/// `yard sokoban show`.
#[derive(Debug, Parser)]
pub(crate) struct ShowArgs {
    /// Level file in any format, `FILE#N` for one level, `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Only this level, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<usize>,
    /// How to show it.
    #[arg(long = "as", value_enum, default_value_t)]
    pub(crate) look: Look,
    /// Pixels a square, 8 to 64.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(8..=64))]
    pub(crate) cell: u32,
}

/// `yard window`.
#[derive(Debug, Parser)]
pub(crate) struct WindowArgs {
    /// Level file with one level, or `FILE#N`.
    #[arg(long, value_name = "FILE")]
    pub(crate) level: String,
    /// Where a CSV row goes for each accepted step.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Where a JSON file goes when the level is solved.
    #[arg(long, value_name = "FILE")]
    pub(crate) result: Option<PathBuf>,
    /// The window's title.
    #[arg(long, value_name = "TEXT", default_value = "Puzzleyard Sokoban")]
    pub(crate) title: String,
    /// Pixels a square, 8 to 64; fitted to the screen if absent.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(8..=64))]
    pub(crate) cell: Option<u32>,
    /// Slide pieces from square to square.
    #[arg(long)]
    pub(crate) animate: bool,
    /// Close this long after the level is solved.
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub(crate) exit_after: Option<Duration>,
}

/// How to find the window, and how to play.
#[derive(Debug, Parser)]
pub(crate) struct DriveArgs {
    /// Level file with one level, or `FILE#N`.
    #[arg(value_name = "FILE")]
    pub(crate) level: String,
    /// The answer in LURD, a file that holds it, or `-`.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: String,
    /// The window by its title (whole, else a part of it).
    #[arg(long, value_name = "TEXT", group = "target")]
    pub(crate) title: Option<String>,
    /// The window by its id (`0x400003`).
    #[arg(long, value_name = "ID", group = "target", value_parser = window_id)]
    pub(crate) window: Option<u32>,
    /// The window by its process or an ancestor of it.
    #[arg(long, value_name = "PID", group = "target")]
    pub(crate) pid: Option<u32>,
    /// Start this game, with `--level --log --result --title` appended.
    #[arg(long, value_name = "CMD", group = "target")]
    pub(crate) game: Option<String>,
    /// The game's own log, if it writes one that can be read here.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// The game's own result file.
    #[arg(long, value_name = "FILE")]
    pub(crate) result: Option<PathBuf>,
    /// Where pictures and the event log go.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// A key to wake the game before the first step.
    #[arg(long, value_enum)]
    pub(crate) wake: Option<Wake>,
    /// Send a key each time this has passed instead of waiting for confirmations.
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub(crate) pace: Option<Duration>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// A key that some games want before they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wake {
    /// Return.
    Return,
}

/// Where a game runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurfaceArg {
    /// A window of an X11 display; Xvfb is started if there is no display.
    X11,
    /// The game loop in this process, without a display server.
    Embedded,
}

/// `yard prove`.
#[derive(Debug, Parser)]
pub(crate) struct ProveArgs {
    /// Level files in any format (all their levels), `FILE#N` for one level.
    #[arg(required = true, value_name = "LEVEL")]
    pub(crate) levels: Vec<String>,
    /// The folder for the evidence. Must be empty or absent.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Where the game runs.
    #[arg(long, value_enum, default_value = "x11")]
    pub(crate) surface: SurfaceArg,
    /// Drive this game instead of ours; `--level --log --result --title` are appended.
    #[arg(long, value_name = "CMD")]
    pub(crate) game: Option<String>,
    /// An answer to use instead of solving (repeatable; each level takes the first that fits).
    #[arg(long, value_name = "ANSWER")]
    pub(crate) answer: Vec<String>,
    /// Time for solving each level.
    #[arg(long, value_parser = duration, default_value = "2min", value_name = "DURATION")]
    pub(crate) time: Duration,
    /// Memory for solving each level.
    #[arg(long, value_parser = size, default_value = "4GiB", value_name = "SIZE")]
    pub(crate) memory: u64,
    /// Nodes expanded for solving each level.
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u64>,
    /// Pictures between the first and the last of each level, at most.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) pictures: usize,
    /// A key to wake the game before the first step.
    #[arg(long, value_enum)]
    pub(crate) wake: Option<Wake>,
    /// Use a folder that is not empty, replacing the files of an older proof.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `yard grade`.
#[derive(Debug, Parser)]
pub(crate) struct GradeArgs {
    /// The folder of evidence.
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The level files 1, 2, … that the evidence should be about.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) levels: Vec<PathBuf>,
    /// An OpenAI-compatible endpoint (`http://host/v1`) whose model looks at a final picture.
    /// The key is read from `PUZZLEYARD_VISION_KEY`.
    #[arg(long, value_name = "URL")]
    pub(crate) vision: Option<String>,
    /// The model asked.
    #[arg(long, value_name = "NAME", default_value = "gpt-4o-mini")]
    pub(crate) vision_model: String,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// The folder of `yard demo`.
pub(crate) const DEFAULT_DEMO: &str = "puzzleyard-demo";

/// `yard demo`.
#[derive(Debug, Parser)]
pub(crate) struct DemoArgs {
    /// The folder for the evidence; an older demo in it is replaced.
    #[arg(long, value_name = "DIR", default_value = DEFAULT_DEMO)]
    pub(crate) out: PathBuf,
    /// Where the game runs; a window if there is a display or Xvfb, else embedded.
    #[arg(long, value_enum)]
    pub(crate) surface: Option<SurfaceArg>,
}

/// `yard doctor`.
#[derive(Debug, Parser)]
pub(crate) struct DoctorArgs {
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// Reads a window id: hexadecimal after `0x`, else decimal.
fn window_id(text: &str) -> Result<u32, String> {
    let read = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    read.map_err(|_| format!("found {text:?}, expected a window id such as 0x400003"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_are_consistent() {
        super::Args::command().debug_assert();
    }
}
