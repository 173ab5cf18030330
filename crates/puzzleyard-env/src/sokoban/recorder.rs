//! An episode with its transcript.

use super::{Episode, Reply, Score, Settings, Task, Unplayable};
use crate::transcript::{self, FORMAT, Log};

/// The record of an episode; the puzzle is the task, its level in canonical XSB.
pub type Transcript = transcript::Transcript<Task, Settings, Reply, Score>;

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
    pub fn new(task: &Task, settings: Settings) -> Result<Self, Unplayable> {
        Ok(Self {
            episode: Episode::new(task, settings)?,
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
            game: "sokoban".to_owned(),
            puzzle: self.episode.task(),
            settings: *self.episode.settings(),
            prompt: self.episode.prompt(),
            messages,
            cut,
            replies: self.replies.clone(),
            score: self.episode.score(),
        }
    }
}
