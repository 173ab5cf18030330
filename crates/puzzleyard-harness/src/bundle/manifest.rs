//! `manifest.json`: what the bundle holds and how it came about.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The whole manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`super::FORMAT`].
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// The time of the start, RFC 3339; may be empty.
    pub started: String,
    /// Whether every level was taken up to its end.
    pub complete: bool,
    /// Where the games ran.
    pub surface: SurfaceEntry,
    /// Which game.
    pub game: GameEntry,
    /// Who found the answers.
    pub agent: String,
    /// Seconds in all, wall clock.
    pub seconds: f64,
    /// The levels, in order.
    pub levels: Vec<LevelEntry>,
    /// Every file but this one, by name.
    pub files: BTreeMap<String, FileEntry>,
}

/// Where the games ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceEntry {
    /// `x11` or `embedded`.
    pub kind: String,
    /// What that means, in a sentence.
    pub note: String,
}

/// Which game was played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its command line, or a sentence if there is none.
    pub command: String,
    /// Whether it is this project's own.
    pub own: bool,
}

/// How a level went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelEntry {
    /// K.
    pub level: usize,
    /// Its name.
    pub name: String,
    /// Where it came from.
    pub source: String,
    /// SHA-256 of its canonical XSB.
    pub id: String,
    /// Whether it is proved.
    pub proved: bool,
    /// Why not; empty if it is.
    pub reason: String,
    /// Steps of the answer, if there is one.
    pub moves: Option<usize>,
    /// Pushes of the answer.
    pub pushes: Option<usize>,
    /// Whether the pushes are proved fewest.
    pub optimal: bool,
    /// Lower bound in pushes.
    pub lower_bound: u32,
    /// Nodes expanded.
    pub nodes: u64,
    /// The algorithm in words.
    pub algorithm: String,
    /// Seconds of search.
    pub solve_seconds: f64,
    /// How the play went, if there was one.
    pub play: Option<PlayEntry>,
    /// `verbatim` if `level_K_moves.csv` is the game's own file, `normalised` if it was
    /// rewritten from it, `absent`.
    pub moves_csv: String,
    /// Likewise for `level_K_result.json`.
    pub result_json: String,
}

/// How a play went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayEntry {
    /// [`crate::drive::Outcome::name`].
    pub outcome: String,
    /// Steps confirmed by the game's log.
    pub by_log: usize,
    /// Steps confirmed by the picture.
    pub by_picture: usize,
    /// Keys sent again.
    pub resends: usize,
    /// Keys that counted twice.
    pub doubled: usize,
    /// Seconds of play.
    pub seconds: f64,
    /// Steps a second.
    pub steps_per_second: f64,
    /// Latency in milliseconds: median, 95th percentile, largest.
    pub latency_ms: (f64, f64, f64),
    /// The form of the game's log, in words.
    pub log_dialect: String,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Their number.
    pub bytes: u64,
}

impl Manifest {
    /// The manifest as JSON, two blanks of indentation, ended by a line end.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
