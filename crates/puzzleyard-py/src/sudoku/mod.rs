//! Sudoku: puzzles in `puzzle`, new ones in `making`, episodes in `episode`.

mod episode;
mod making;
mod puzzle;

pub(crate) use episode::{SudokuEpisode, sudoku_examples, sudoku_judge_transcript, sudoku_score};
pub(crate) use making::{sudoku_canonical, sudoku_generate, sudoku_generate_many};
pub(crate) use puzzle::{
    sudoku_count, sudoku_diagnose, sudoku_hint, sudoku_is_unique, sudoku_judge, sudoku_rate,
    sudoku_read, sudoku_solutions, sudoku_solve,
};
