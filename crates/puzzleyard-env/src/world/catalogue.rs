//! The environments that have names.

/// Which game an environment plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// [`Sokoban`](super::Sokoban).
    Sokoban,
    /// [`Sudoku`](super::Sudoku).
    Sudoku,
}

/// An environment with a name that never changes its meaning: another meaning gets another
/// version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The name, `puzzleyard/…-v0`.
    pub id: &'static str,
    /// What is played.
    pub game: Game,
    /// What it is, in a sentence.
    pub words: &'static str,
}

/// All of them.
pub const ENVIRONMENTS: [Environment; 4] = [
    Environment {
        id: "puzzleyard/Sokoban-v0",
        game: Game::Sokoban,
        words: "Sokoban on levels of your choice, or generated rooms of 7x7 with 2 boxes",
    },
    Environment {
        id: "puzzleyard/Boxoban-v0",
        game: Game::Sokoban,
        words: "Sokoban on Boxoban's levels, which have to be named",
    },
    Environment {
        id: "puzzleyard/LatentSokoban-v0",
        game: Game::Sokoban,
        words: "Sokoban in the 64x64 pictures of Latent Sokoban",
    },
    Environment {
        id: "puzzleyard/Sudoku-v0",
        game: Game::Sudoku,
        words: "Sudoku, a digit a step, with a mask of the legal digits",
    },
];
