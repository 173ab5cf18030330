//! Plays an answer through a surface, one confirmed step at a time.
//!
//! The loop is closed: a key is pressed, held until its step is confirmed but not longer than
//! [`DriveOptions::hold`], let go, and the next key waits for the confirmation of this one.
//!
//! A step is confirmed by a new complete row of the game's own log that agrees with the
//! answer. Until the log has proved alive (a row came for the step just sent), a lasting
//! change of the picture confirms too; pixels seen to change without input do not count.
//!
//! A key without confirmation may be lost or late. It counts as lost only after the game, if
//! it can be asked, has answered that its queue is empty, and then for several times the
//! largest latency seen neither log nor picture stirred. Only then is it sent again, at most
//! [`DriveOptions::resends`] times. If both keys count after all and the second step is what
//! the answer wants next, it is taken as played; otherwise the play ends as diverged.
//!
//! A game that takes no notice of the first key may show a start screen. Return, space and a
//! click are tried in turn: none of them is a step, and before the first step none of them
//! can undo one. A first key that changes most of the picture without a row in the log has
//! opened such a screen; it is sent again, and only if the next one changes as much, as the
//! board scrolls, both count.
//!
//! After losses keys are held longer and follow each other more slowly: some games ignore
//! keys during an animation, or ask for the state of keys once a frame.
//!
//! Time is the wall clock's for a window. An embedded loop has no other time than
//! [`Surface::wait`], so there the sum of waits is the time, and a play is deterministic.

mod noise;
mod play;
#[cfg(test)]
mod tests;

use std::time::Duration;

use puzzleyard_core::{Limit, Stop};
use puzzleyard_render::Picture;
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::Level;

use self::play::{Partners, Play};
use crate::event::Event;
use crate::surface::{Key, Surface};
use crate::witness::Witness;

/// How to drive. The defaults suit games that draw within a fifth of a second.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveOptions {
    /// How long a key is held down at most while its step is not confirmed. Starts here, well
    /// under the delay of autorepeat (500 ms and more on X11).
    pub hold: Duration,
    /// The most that a key is held after it was lost.
    pub longest_hold: Duration,
    /// How often one key may be sent again.
    pub resends: u32,
    /// How long to wait for the first stable picture.
    pub ready: Duration,
    /// How long to wait for the first key to be confirmed before it counts as lost.
    pub first_key: Duration,
    /// Floor of the time without any sign after which a key may count as lost; between floor
    /// and ceiling it is four times the largest latency seen.
    pub least_patience: Duration,
    /// Ceiling of that time.
    pub most_patience: Duration,
    /// How long a game may owe an answer, or its picture stay restless, before it hangs.
    pub hang: Duration,
    /// Time between two looks at log and picture.
    pub tick: Duration,
    /// A key to wake the game with before the first step. None is sent unless asked for.
    pub wake: Option<Key>,
    /// Whether a game that takes no notice of the first arrow key twice is roused: by return,
    /// by space, then by a click into its middle, each followed by the arrow key. Once a step
    /// is played nothing but arrows is sent.
    pub rouse: bool,
    /// Pictures taken between the first and the last, at most.
    pub step_pictures: usize,
    /// Instead of waiting for confirmations, send a key each time this has passed.
    pub pace: Option<Duration>,
}

impl Default for DriveOptions {
    fn default() -> Self {
        Self {
            hold: Duration::from_millis(120),
            longest_hold: Duration::from_millis(400),
            resends: 3,
            ready: Duration::from_secs(20),
            first_key: Duration::from_secs(3),
            least_patience: Duration::from_millis(400),
            most_patience: Duration::from_secs(4),
            hang: Duration::from_secs(10),
            tick: Duration::from_millis(4),
            wake: None,
            rouse: true,
            step_pictures: 8,
            pace: None,
        }
    }
}

/// Which picture of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// Before the first step.
    Initial,
    /// After this many steps, not the last.
    Step(usize),
    /// After the last step.
    Final,
}

/// How a play ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Every step was played.
    Finished,
    /// The game does not show what the answer says.
    Diverged {
        /// The step, from 1.
        step: usize,
        /// What the answer says.
        expected: String,
        /// What the game shows.
        found: String,
    },
    /// The game does not answer.
    Hung(String),
    /// The window or its process is gone.
    Gone(String),
    /// Another window covers the game's.
    Covered(String),
    /// The window did not get or keep the keyboard.
    NoFocus(String),
    /// The display refused something.
    Display(String),
    /// Somebody asked for the end.
    Interrupted(Limit),
    /// A picture could not be kept.
    PictureNotKept(String),
}

impl Outcome {
    /// A word: `finished`, `diverged`, `hung`, `gone`, `covered`, `no_focus`, `display`,
    /// `interrupted` or `picture_not_kept`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Diverged { .. } => "diverged",
            Self::Hung(_) => "hung",
            Self::Gone(_) => "gone",
            Self::Covered(_) => "covered",
            Self::NoFocus(_) => "no_focus",
            Self::Display(_) => "display",
            Self::Interrupted(_) => "interrupted",
            Self::PictureNotKept(_) => "picture_not_kept",
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Finished => f.write_str("every step was played"),
            Self::Diverged {
                step,
                expected,
                found,
            } => write!(f, "diverged at step {step}: expected {expected}, {found}"),
            Self::Hung(why) => write!(f, "the game does not answer: {why}"),
            Self::Gone(why) => write!(f, "the game is gone: {why}"),
            Self::Covered(why) => write!(f, "the window is covered: {why}"),
            Self::NoFocus(why) => write!(f, "the window does not have the keyboard: {why}"),
            Self::Display(why) => write!(f, "display: {why}"),
            Self::Interrupted(limit) => write!(f, "stopped: {limit}"),
            Self::PictureNotKept(why) => write!(f, "a picture could not be kept: {why}"),
        }
    }
}

/// What a play took. Seconds are the wall clock's for a window, and the game's own for an
/// embedded loop.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Steps played: confirmed, or with a pace sent.
    pub steps: usize,
    /// Steps of the answer.
    pub of: usize,
    /// Steps confirmed by the game's log.
    pub by_log: usize,
    /// Steps confirmed by the picture.
    pub by_picture: usize,
    /// Keys that were sent again.
    pub resends: usize,
    /// Steps that a resent key played too, all of them the answer's.
    pub doubled: usize,
    /// From the first key to the last confirmation, without the time spent on keeping
    /// pictures.
    pub seconds: f64,
    /// Steps a second in that time; 0 without any.
    pub steps_per_second: f64,
    /// Latency from key to confirmation in milliseconds: median, 95th percentile, largest.
    pub latency_ms: (f64, f64, f64),
}

/// Keeps a picture; an error ends the play.
pub type PictureSink<'a> = dyn FnMut(PictureKind, &Picture) -> Result<(), String> + 'a;

/// Plays `answer`, which must solve `level`, through `surface`.
///
/// Never fails: how it ended is in [`DriveReport::outcome`]. Every key that went down has been
/// let go when this returns.
#[expect(
    clippy::too_many_arguments,
    reason = "eight independent partners of a play"
)]
pub fn drive(
    surface: &mut dyn Surface,
    level: &Level,
    answer: &Answer,
    witness: &mut Witness,
    options: &DriveOptions,
    watch: &mut dyn FnMut(&Event),
    pictures: &mut PictureSink<'_>,
    stop: &Stop,
) -> DriveReport {
    Play::new(
        Partners {
            surface,
            witness,
            watch,
            pictures,
        },
        level,
        answer,
        options,
        stop,
    )
    .run()
}
