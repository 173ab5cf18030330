//! The record of an episode: what was set, said, answered and claimed. Plain data.
//!
//! Whoever holds a transcript can have it judged by [`judge`](crate::judge) without trusting
//! who wrote it.

use serde::{Deserialize, Serialize};

use crate::message::{MAX_MESSAGE, MAX_TEXT};

/// The version of rules, rewards and words that this crate plays. It changes whenever an old
/// transcript would be judged otherwise.
pub const FORMAT: u32 = 1;

/// How much is kept of a message that is too long to be read, in bytes.
pub const KEPT: usize = 1024;

/// The record of an episode of a game with puzzles `P`, settings `S`, replies `R` and scores
/// `C`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript<P, S, R, C> {
    /// The version, [`FORMAT`].
    pub format: u32,
    /// `sudoku` or `sokoban`.
    pub game: String,
    /// The puzzle.
    pub puzzle: P,
    /// The settings.
    pub settings: S,
    /// The first message of the user.
    pub prompt: String,
    /// The assistant's messages, one a turn.
    pub messages: Vec<String>,
    /// The messages that are not kept in full, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<Cut>,
    /// The reply to each message.
    pub replies: Vec<R>,
    /// The score claimed.
    pub score: C,
}

/// A message too long to be read. Its first [`KEPT`] bytes or a little less are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The turn, from 1.
    pub turn: u32,
    /// How long the message was, in bytes.
    pub bytes: u64,
}

/// The messages of an episode, as a transcript keeps them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    messages: Vec<String>,
    cut: Vec<Cut>,
    read: usize,
}

impl Log {
    /// Keeps a message, cut if it is too long to be read.
    pub(crate) fn keep(&mut self, message: &str) {
        let bytes = message.len();
        let mut kept = message;
        if bytes > MAX_MESSAGE || bytes > MAX_TEXT - self.read {
            let end = (0..=KEPT.min(bytes)).rfind(|&at| message.is_char_boundary(at));
            kept = &message[..end.unwrap_or(0)];
            let turn = self.messages.len() as u32 + 1;
            let bytes = bytes as u64;
            self.cut.push(Cut { turn, bytes });
        } else {
            self.read += bytes;
        }
        self.messages.push(kept.to_owned());
    }

    /// What was kept.
    pub(crate) fn kept(&self) -> (Vec<String>, Vec<Cut>) {
        (self.messages.clone(), self.cut.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Log};
    use crate::message::{MAX_MESSAGE, MAX_TEXT};

    #[test]
    fn long_messages_are_cut_between_characters() {
        let mut log = Log::default();
        log.keep("short");
        log.keep(&"€".repeat(MAX_MESSAGE / 3 + 1));
        let (messages, cut) = log.kept();
        assert_eq!(messages[0], "short");
        assert_eq!(messages[1], "€".repeat(341));
        let bytes = (MAX_MESSAGE / 3 + 1) as u64 * 3;
        assert_eq!(cut, [Cut { turn: 2, bytes }]);
    }

    #[test]
    fn all_messages_together_are_bounded() {
        let mut log = Log::default();
        let long = "a".repeat(MAX_MESSAGE);
        (0..=MAX_TEXT / MAX_MESSAGE).for_each(|_| log.keep(&long));
        let (messages, cut) = log.kept();
        let kept: usize = messages.iter().map(String::len).sum();
        assert_eq!(kept, MAX_TEXT + super::KEPT);
        assert_eq!(cut.len(), 1);
    }
}
