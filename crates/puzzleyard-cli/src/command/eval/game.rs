//! What both games have in common, for those who play and judge them here.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A game with an endless sequence of examples.
pub(super) trait Game: Send + Sync {
    /// `sudoku` or `sokoban`.
    fn name(&self) -> &'static str;

    /// What the examples and the episodes depend on. [`revive`] reads it.
    fn setting(&self) -> Value;

    /// The scripted player, if one plays.
    fn agent(&self) -> Option<String>;

    /// The id of example `index`.
    ///
    /// # Errors
    /// If there is no such example.
    fn id(&self, index: u64) -> Result<String, String>;

    /// A new episode of example `index`.
    ///
    /// # Errors
    /// If there is no such example or it cannot be played.
    fn session(&self, index: u64, seed: u64) -> Result<Box<dyn Session>, String>;

    /// Recomputes a transcript of example `index`.
    ///
    /// # Errors
    /// Where the transcript differs from what it should be.
    fn ruling(&self, index: u64, transcript: &Value) -> Result<Ruling, String>;
}

/// An episode that is being played.
pub(super) trait Session {
    /// The message of the system.
    fn system_prompt(&self) -> String;
    /// The first message of the user.
    fn prompt(&self) -> String;
    /// The answer to a message, and whether the episode is over.
    fn turn(&mut self, message: &str) -> (String, bool);
    /// The scripted player's next message; `None` if a model plays.
    fn scripted(&mut self) -> Option<String>;
    /// The record so far.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    fn transcript(&self) -> serde_json::Result<Value>;
}

/// What an accepted transcript is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ruling {
    /// The total.
    pub(super) reward: f64,
    /// Whether the puzzle is solved.
    pub(super) solved: bool,
    /// Turns played.
    pub(super) turns: usize,
    /// The parts of the total by name.
    pub(super) parts: Vec<(&'static str, f64)>,
    /// How often a move was invalid, by reason.
    pub(super) invalid: BTreeMap<String, u64>,
}

/// Reads a transcript.
pub(super) fn read<T: DeserializeOwned>(transcript: &Value) -> Result<T, String> {
    serde_json::from_value(transcript.clone()).map_err(|error| error.to_string())
}

/// Counts the reasons of a transcript's replies.
pub(super) fn reasons<R: serde::Serialize>(
    reasons: impl Iterator<Item = R>,
) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for reason in reasons {
        if let Value::String(name) = json!(reason) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

/// The game that [`Game::setting`] describes, to judge a run that was played earlier.
///
/// # Errors
/// If the description is no game's.
pub(super) fn revive(name: &str, setting: &Value) -> Result<Box<dyn Game>, String> {
    match name {
        "sudoku" => super::sudoku::revive(setting),
        "sokoban" => super::sokoban::revive(setting),
        _ => Err(format!("game {name:?}, expected sudoku or sokoban")),
    }
}
