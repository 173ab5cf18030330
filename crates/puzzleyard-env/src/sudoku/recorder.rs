//! An episode with its transcript.

use puzzleyard_sudoku::Grid;

use super::{Episode, Reply, Score, Settings, Unplayable};
use crate::transcript::{self, FORMAT, Log};

/// The record of an episode; the puzzle has 81 characters, `.` for empty.
pub type Transcript = transcript::Transcript<String, Settings, Reply, Score>;

/// An episode that keeps what was said.
#[derive(Clone, Debug)]
pub struct Recorder {
    episode: Episode,
    log: Log,
    replies: Vec<Reply>,
}

impl Recorder {
    /// A new episode.
    ///
    /// # Errors
    /// As [`Episode::new`].
    pub fn new(puzzle: Grid, settings: Settings) -> Result<Self, Unplayable> {
        Ok(Self {
            episode: Episode::new(puzzle, settings)?,
            log: Log::default(),
            replies: Vec::new(),
        })
    }

    /// As [`Episode::turn`]. What is said after the end is not kept.
    pub fn turn(&mut self, message: &str) -> Reply {
        if self.episode.is_done() {
            return self.episode.turn(message);
        }
        let reply = self.episode.turn(message);
        self.log.keep(message);
        self.replies.push(reply.clone());
        reply
    }

    /// The episode.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The record so far.
    pub fn transcript(&self) -> Transcript {
        let (messages, cut) = self.log.kept();
        Transcript {
            format: FORMAT,
            game: "sudoku".to_owned(),
            puzzle: self.episode.puzzle().to_string(),
            settings: *self.episode.settings(),
            prompt: self.episode.prompt(),
            messages,
            cut,
            replies: self.replies.clone(),
            score: self.episode.score(),
        }
    }
}
