//! `yard`, the command line of Puzzleyard.
//!
//! This crate parses arguments, wires the parts together and prints. It holds no logic of
//! puzzles, games or grades. Results go to standard output, everything else to standard error.
//!
//! Exit status: 0 done, 1 something asked for failed, 2 bad arguments or unreadable input,
//! 130 interrupted.
#![forbid(unsafe_code)]

mod args;
mod command;
mod exit;
mod interrupt;
mod levels;
mod progress;
mod stream;
mod unit;
mod vision;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Args, Command, Sokoban};
use exit::Exit;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(args.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            stream::say(format_args!("yard: {}", exit::words(&error)));
            exit::of_error(&error).into()
        }
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Sokoban(Sokoban::Solve(args)) => command::solve::run(&args),
        Command::Sokoban(Sokoban::Check(args)) => command::check::run(&args),
        Command::Sokoban(Sokoban::Judge(args)) => command::judge::run(&args),
        Command::Sokoban(Sokoban::Convert(args)) => command::convert::run(&args),
        Command::Sokoban(Sokoban::Show(args)) => command::show::run(&args),
        Command::Sudoku(sudoku) => command::sudoku::run(&sudoku),
        Command::Eval(eval) => command::eval::run(&eval),
        Command::Window(args) => command::window::run(&args),
        Command::Drive(args) => command::drive::run(&args),
        Command::Prove(args) => command::prove::run(&args),
        Command::Grade(args) => command::grade::run(&args),
        Command::Demo(args) => command::demo::run(&args),
        Command::Doctor(args) => command::doctor::run(&args),
    }
}
