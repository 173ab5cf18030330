//! `yard eval …`: text episodes played by a model or a script, kept, and judged.

mod endpoint;
mod game;
mod journal;
mod judge;
mod pace;
mod rollout;
mod run;
mod sokoban;
mod sudoku;
mod summary;

use crate::args::Eval;
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(eval: &Eval) -> anyhow::Result<Exit> {
    match eval {
        Eval::Sudoku(args) => {
            let game = sudoku::game(args);
            run::run(game, &args.run, &args.endpoint)
        }
        Eval::Sokoban(args) => {
            let game = sokoban::game(args)?;
            run::run(game, &args.run, &args.endpoint)
        }
        Eval::Judge(args) => judge::run(args),
    }
}
