//! The log of one play: a closed set of events, written as JSON lines.
//!
//! Each line is one object with `v` (the version of this form), `at_ms` (milliseconds since
//! the play began), `event` (which kind) and the kind's own fields. Steps count from 1.

use serde::{Deserialize, Serialize};

/// The version that [`Event::line`] writes.
pub const VERSION: u32 = 1;

/// What told us that a step had been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// A new row of the game's own log.
    Log,
    /// A lasting change of the picture.
    Picture,
    /// Nothing: the key was sent at a fixed pace, unseen.
    Pace,
}

impl Confirmation {
    /// `log`, `picture` or `pace`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Picture => "picture",
            Self::Pace => "pace",
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum What {
    /// The play begins.
    Started {
        /// `x11` or `embedded`.
        surface: String,
        /// The window's id.
        id: String,
        /// The window's title.
        title: String,
        /// The id of the level's board: SHA-256 in hexadecimal.
        level: String,
        /// Steps of the answer.
        moves: usize,
    },
    /// The first picture is there, and stable.
    Ready {
        /// Pixels that change by themselves and are ignored from now on.
        restless_pixels: usize,
    },
    /// A key went down.
    KeySent {
        /// Which step it is for; 0 for a key that wakes the game.
        step: usize,
        /// `U`, `D`, `L`, `R`, `return` or `escape`.
        key: String,
        /// 1, or more when it was lost before.
        attempt: u32,
    },
    /// A step is known to have been played.
    Confirmed {
        /// Which.
        step: usize,
        /// By what.
        by: Confirmation,
        /// Milliseconds since the key went down.
        latency_ms: f64,
    },
    /// A key is taken for lost and will be sent again.
    Lost {
        /// Which step it was for.
        step: usize,
        /// Why it is not just late.
        reason: String,
    },
    /// The game counted a key that was sent twice as two steps, both of them the answer's.
    Doubled {
        /// The second step.
        step: usize,
    },
    /// A picture was taken.
    PictureTaken {
        /// `initial`, `step` or `final`.
        kind: String,
        /// Steps played by then.
        step: usize,
    },
    /// The play ended early.
    Stopped {
        /// [`crate::drive::Outcome::name`].
        reason: String,
        /// In a sentence.
        detail: String,
    },
    /// Every step was played.
    Finished {
        /// Steps.
        steps: usize,
        /// Keys that were sent again.
        resends: usize,
    },
}

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// [`VERSION`].
    pub v: u32,
    /// Milliseconds since the play began.
    pub at_ms: f64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

impl Event {
    /// The event as one line of JSON without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The events of a log.
    ///
    /// # Errors
    /// The first line, from 1, that is no event of this version, and why.
    pub fn read_all(text: &str) -> Result<Vec<Self>, (usize, String)> {
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(at, line)| {
                let event: Self =
                    serde_json::from_str(line).map_err(|fault| (at + 1, fault.to_string()))?;
                if event.v == VERSION {
                    Ok(event)
                } else {
                    Err((at + 1, format!("version {}, expected {VERSION}", event.v)))
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Confirmation, Event, VERSION, What};

    #[test]
    fn lines_are_as_documented_and_read_back() {
        let event = Event {
            v: VERSION,
            at_ms: 12.5,
            what: What::Confirmed {
                step: 3,
                by: Confirmation::Log,
                latency_ms: 8.25,
            },
        };
        let line = event.line();
        assert_eq!(
            line,
            r#"{"v":1,"at_ms":12.5,"event":"confirmed","step":3,"by":"log","latency_ms":8.25}"#
        );
        assert_eq!(Event::read_all(&line), Ok(vec![event]));
        let (at, why) = Event::read_all("\n{\"v\":1}\n").unwrap_err();
        assert_eq!(at, 2, "{why}");
        let other = line.replace("\"v\":1", "\"v\":2");
        assert!(Event::read_all(&other).unwrap_err().1.contains("version 2"));
    }
}
