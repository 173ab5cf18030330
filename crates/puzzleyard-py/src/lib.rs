//! The Python module `puzzleyard._puzzleyard`.
//!
//! ```python
//! from puzzleyard import sudoku
//!
//! puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//! assert sudoku.is_unique(puzzle)
//! assert sudoku.solve(puzzle).startswith("534678912")
//! ```
//!
//! It translates types and decides nothing: no branch here is about puzzles. Every function
//! that works releases the interpreter's lock meanwhile. `python/puzzleyard` gives the
//! functions their public names; `_puzzleyard.pyi` says their types and is compared with the
//! built module by the tests.
#![forbid(unsafe_code)]

mod error;
mod exchange;
mod sokoban;
mod sudoku;

/// Puzzles, their judges and their episodes.
#[pyo3::pymodule]
mod _puzzleyard {
    /// The parts of a Sudoku score, in their order.
    #[pymodule_export]
    const SUDOKU_PARTS: [&str; 9] = puzzleyard_env::sudoku::Score::PARTS;
    /// The parts of a Sokoban score, in their order.
    #[pymodule_export]
    const SOKOBAN_PARTS: [&str; 6] = puzzleyard_env::sokoban::Score::PARTS;

    #[pymodule_export]
    use crate::sokoban::{
        SokobanEpisode, sokoban_examples, sokoban_judge, sokoban_judge_transcript, sokoban_score,
        sokoban_solve,
    };
    #[pymodule_export]
    use crate::sudoku::{
        SudokuEpisode, sudoku_canonical, sudoku_count, sudoku_diagnose, sudoku_examples,
        sudoku_generate, sudoku_generate_many, sudoku_hint, sudoku_is_unique, sudoku_judge,
        sudoku_judge_transcript, sudoku_rate, sudoku_read, sudoku_score, sudoku_solutions,
        sudoku_solve,
    };
}
