//! The puzzle of the contract, and how the tests play it.

use puzzleyard_env::Turns;
use puzzleyard_env::sudoku::{Episode, Reply, Settings};
use puzzleyard_sudoku::Grid;

/// The contract's puzzle.
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Its published solution.
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

pub(crate) fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

/// Settings that read the whole message.
pub(crate) fn direct(turns: u32) -> Settings {
    Settings {
        use_think: false,
        max_turns: Turns::Fixed(turns),
    }
}

pub(crate) fn episode(settings: Settings) -> Episode {
    Episode::new(grid(PUZZLE), settings).unwrap()
}

/// The correct moves, in order of cells.
pub(crate) fn solution_moves(puzzle: &str, solution: &str) -> Vec<String> {
    puzzle
        .chars()
        .zip(solution.chars())
        .enumerate()
        .filter(|(_, (clue, _))| *clue == '.')
        .map(|(cell, (_, digit))| {
            let row = char::from(b'A' + (cell / 9) as u8);
            format!("<move>{row}{}={digit}</move>", cell % 9 + 1)
        })
        .collect()
}

/// Plays all of `messages` and returns the last reply.
pub(crate) fn play<'a>(
    episode: &mut Episode,
    messages: impl IntoIterator<Item = &'a str>,
) -> Reply {
    let replies = messages.into_iter().map(|message| episode.turn(message));
    replies.last().unwrap()
}

/// The millionths of a point that a number is.
pub(crate) fn millionths(points: f64) -> i64 {
    (points * 1e6).round() as i64
}
