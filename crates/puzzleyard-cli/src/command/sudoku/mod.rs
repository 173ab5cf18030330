//! `yard sudoku …`.

mod bench;
mod board;
mod check;
mod convert;
mod count;
mod generate;
mod hint;
mod pipeline;
mod play;
mod rate;
mod solve;
mod source;

use crate::args::Sudoku;
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(command: &Sudoku) -> anyhow::Result<Exit> {
    match command {
        Sudoku::Solve(args) => solve::run(args),
        Sudoku::Count(args) => count::run(args),
        Sudoku::Check(args) => check::run(args),
        Sudoku::Generate(args) => generate::run(args),
        Sudoku::Rate(args) => rate::run(args),
        Sudoku::Hint(args) => hint::run(args),
        Sudoku::Convert(args) => convert::run(args),
        Sudoku::Play(args) => play::run(args),
        Sudoku::Bench(args) => bench::run(args),
    }
}
