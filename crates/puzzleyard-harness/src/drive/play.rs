//! The state machine of one play.
//!
//! Its parts: [`ready`] before the first key, [`sign`] for what the game shows and writes,
//! [`rouse`] for games that show a start screen, [`kept`] for the pictures that are kept,
//! [`pace`] for a play that does not look.

pub(super) mod kept;
mod pace;
mod ready;
mod rouse;
mod sign;

use std::time::{Duration, Instant};

use puzzleyard_core::{Direction, Stop};
use puzzleyard_render::Picture;
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::Level;

use self::kept::kept_steps;
use self::sign::{Loss, Verdict};
use super::noise::Mask;
use super::{DriveOptions, DriveReport, Outcome, PictureKind, PictureSink};
use crate::event::{Confirmation, Event, VERSION, What};
use crate::surface::{Key, Surface, SurfaceFault};
use crate::witness::Witness;

/// A picture counts as still when two of them this far apart are equal; further apart in a
/// game that draws late.
const SETTLE: Duration = Duration::from_millis(50);

impl From<SurfaceFault> for Outcome {
    fn from(fault: SurfaceFault) -> Self {
        match fault {
            SurfaceFault::Gone(why) => Self::Gone(why),
            SurfaceFault::Covered(why) => Self::Covered(why),
            SurfaceFault::NoFocus(why) => Self::NoFocus(why),
            SurfaceFault::Display(why) => Self::Display(why),
        }
    }
}

/// Who takes part in a play besides the answer.
pub(super) struct Partners<'a, 'b> {
    pub(super) surface: &'a mut dyn Surface,
    pub(super) witness: &'a mut Witness,
    pub(super) watch: &'a mut dyn FnMut(&Event),
    pub(super) pictures: &'a mut PictureSink<'b>,
}

/// A picture at rest, and the pixels of it that do not count.
#[derive(Clone)]
struct Still {
    picture: Picture,
    mask: Mask,
}

pub(super) struct Play<'a, 'b> {
    with: Partners<'a, 'b>,
    board_id: String,
    /// Columns and rows of the board.
    squares: (u32, u32),
    ways: Vec<Direction>,
    options: &'a DriveOptions,
    stop: &'a Stop,
    kept_steps: Vec<usize>,
    has_own_time: bool,
    begun: Instant,
    waited: Duration,
    /// How far apart two equal pictures must be: twice the time that the first step took from
    /// the log to the picture.
    settle: Duration,
    /// Pixels that change without input.
    noise: Mask,
    /// The picture at rest after the last confirmed step, if it was looked at.
    still: Option<Still>,
    /// The last picture seen at all.
    last_seen: Option<Picture>,
    /// Whether rows of the log come in time for the step just sent.
    log_alive: bool,
    /// The fewest pixels that a step was seen to change, if any was seen.
    step_change: Option<usize>,
    /// Steps and rows in the log when the current key went down.
    log_at_press: (usize, usize),
    /// Whether the first key has opened the board instead of playing a step.
    opened: bool,
    /// Steps that were played by keys which had been taken for lost.
    owed: usize,
    done: usize,
    by_log: usize,
    by_picture: usize,
    resends: usize,
    doubled: usize,
    hold: Duration,
    gap: Duration,
    latencies: Vec<Duration>,
    first_key: Option<Duration>,
    /// When the latest key went down.
    pressed: Duration,
    last_sign: Duration,
    keeping: Duration,
    end: End,
}

/// How far the end of the play is witnessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// There is no final picture yet.
    Open,
    /// The final picture has been kept.
    Shown,
    /// The game ended itself with the last step.
    Vanished,
}

impl<'a, 'b> Play<'a, 'b> {
    pub(super) fn new(
        with: Partners<'a, 'b>,
        level: &Level,
        answer: &'a Answer,
        options: &'a DriveOptions,
        stop: &'a Stop,
    ) -> Self {
        Self {
            with,
            board_id: level.id().to_string(),
            squares: (level.area().width().into(), level.area().height().into()),
            ways: answer.steps().iter().map(|step| step.way).collect(),
            options,
            stop,
            kept_steps: kept_steps(answer, options.step_pictures),
            has_own_time: false,
            begun: Instant::now(),
            waited: Duration::ZERO,
            settle: SETTLE,
            noise: Mask::default(),
            still: None,
            last_seen: None,
            log_alive: false,
            step_change: None,
            log_at_press: (0, 0),
            opened: false,
            owed: 0,
            done: 0,
            by_log: 0,
            by_picture: 0,
            resends: 0,
            doubled: 0,
            hold: options.hold,
            gap: Duration::ZERO,
            latencies: Vec::new(),
            first_key: None,
            pressed: Duration::ZERO,
            last_sign: Duration::ZERO,
            keeping: Duration::ZERO,
            end: End::Open,
        }
    }

    pub(super) fn run(mut self) -> DriveReport {
        let outcome = match self.play() {
            Ok(()) => Outcome::Finished,
            Err(outcome) => outcome,
        };
        let last = if outcome == Outcome::Finished {
            What::Finished {
                steps: self.done,
                resends: self.resends,
            }
        } else {
            What::Stopped {
                reason: outcome.name().into(),
                detail: outcome.to_string(),
            }
        };
        self.tell(last);
        self.report(outcome)
    }

    fn report(mut self, outcome: Outcome) -> DriveReport {
        let span = self.first_key.map_or(Duration::ZERO, |first| {
            self.last_sign
                .saturating_sub(first)
                .saturating_sub(self.keeping)
        });
        let seconds = span.as_secs_f64();
        self.latencies.sort_unstable();
        let at = |share: f64| {
            let last = self.latencies.len().saturating_sub(1);
            let at = (last as f64 * share).round() as usize;
            self.latencies
                .get(at)
                .map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
        };
        DriveReport {
            outcome,
            steps: self.done,
            of: self.ways.len(),
            by_log: self.by_log,
            by_picture: self.by_picture,
            resends: self.resends,
            doubled: self.doubled,
            seconds,
            steps_per_second: if seconds > 0.0 {
                self.done as f64 / seconds
            } else {
                0.0
            },
            latency_ms: (at(0.5), at(0.95), at(1.0)),
        }
    }

    fn play(&mut self) -> Result<(), Outcome> {
        self.begin()?;
        self.await_ready()?;
        if let Some(key) = self.options.wake {
            self.wake(key)?;
        }
        self.keep(PictureKind::Initial, None)?;
        self.first_key = Some(self.now());
        self.keeping = Duration::ZERO;
        if let Some(pace) = self.options.pace {
            self.play_at(pace)?;
        } else {
            while self.done < self.ways.len() {
                self.step()?;
            }
        }
        if self.end == End::Open {
            // The last step was played by the key before it, or there is none at all.
            self.keep(PictureKind::Final, None)?;
        }
        if self.end == End::Vanished {
            // The last picture seen may show the last step or the one before; it is kept for
            // what it is, and the grader tells.
            if let Some(picture) = self.last_seen.take() {
                self.hand_over(PictureKind::Final, &picture)?;
            }
        }
        Ok(())
    }

    // --- time, events, stops -------------------------------------------------------------

    fn now(&self) -> Duration {
        if self.has_own_time {
            self.waited
        } else {
            self.begun.elapsed()
        }
    }

    fn wait(&mut self, time: Duration) -> Result<(), Outcome> {
        if time > Duration::ZERO {
            self.with.surface.wait(time)?;
            self.waited += time;
        }
        self.heed_stop()
    }

    fn heed_stop(&self) -> Result<(), Outcome> {
        self.stop
            .raised()
            .map_or(Ok(()), |limit| Err(Outcome::Interrupted(limit)))
    }

    fn tell(&mut self, what: What) {
        let event = Event {
            v: VERSION,
            at_ms: (self.now().as_secs_f64() * 1e6).round() / 1e3,
            what,
        };
        (self.with.watch)(&event);
    }

    fn picture(&mut self) -> Result<Picture, Outcome> {
        let picture = self.with.surface.picture()?;
        self.last_seen = Some(picture.clone());
        Ok(picture)
    }

    // --- one step ------------------------------------------------------------------------

    fn step(&mut self) -> Result<(), Outcome> {
        let is_last = self.done + 1 == self.ways.len();
        let is_kept = is_last || self.kept_steps.contains(&(self.done + 1));
        let before = if self.log_alive && !is_kept {
            None
        } else {
            let begun = self.now();
            let still = match self.still.take() {
                Some(still) => still,
                None => self.rest()?,
            };
            if self.log_alive {
                self.keeping += self.now().saturating_sub(begun);
            }
            Some(still)
        };
        let step = self.done + 1;
        match self.send_until_confirmed(before.as_ref()) {
            Err(Outcome::Gone(why)) if is_last && !self.ends_as_expected() => {
                return Err(Outcome::Gone(why));
            }
            Err(Outcome::Gone(_)) if is_last => {
                self.end = End::Vanished;
                self.confirm(1, Confirmation::Log);
                return Ok(());
            }
            other => other?,
        }
        if is_last {
            self.watch_the_end()?;
        }
        if let (1, Some(before)) = (step, &before)
            && !is_last
        {
            self.learn_delay(before)?;
        }
        if is_kept && self.done == step {
            let kind = if is_last {
                PictureKind::Final
            } else {
                PictureKind::Step(step)
            };
            match self.keep(kind, before.as_ref()) {
                Err(Outcome::Gone(_)) if is_last => self.end = End::Vanished,
                other => other?,
            }
        }
        Ok(())
    }

    /// Whether the files of a game that is gone tell of the whole answer.
    fn ends_as_expected(&mut self) -> bool {
        let by_log = self.with.witness.log(true).ways() == self.ways;
        by_log
            || self
                .with
                .witness
                .result()
                .is_some_and(|result| result.history.as_ref() == Some(&self.ways))
    }

    fn send_until_confirmed(&mut self, before: Option<&Still>) -> Result<(), Outcome> {
        let mut answers = None;
        let mut silence = "";
        let mut reference = before.cloned();
        let most = self.most_attempts();
        for attempt in 1..=most {
            self.wait(self.gap)?;
            if attempt > 1 {
                // The loss was found with the picture at rest: that is the new reference.
                let still = self.rest()?;
                if self.is_late_after_all(reference.as_ref(), &still)? {
                    return Ok(());
                }
                reference = Some(if self.rouse(attempt)? {
                    self.rest()?
                } else {
                    still
                });
            }
            match self.send(attempt, reference.as_ref())? {
                Sent::Confirmed => return Ok(()),
                Sent::Opened => {
                    self.reopen()?;
                    reference = Some(self.rest()?);
                    continue;
                }
                Sent::Lost(asked) => answers = asked,
            }
            if attempt > 1 && self.log_alive && self.has_stirred(reference.as_ref())? {
                return Err(self.diverged("the picture changes but the log has fallen silent"));
            }
            silence = if answers == Some(true) {
                "the game answers, but neither its log nor its picture changed"
            } else {
                "neither log nor picture changed"
            };
            if attempt < most {
                self.lose(silence);
            }
        }
        if answers == Some(true) {
            let found = format!("{silence} after {most} keys");
            return Err(self.diverged(&found));
        }
        Err(Outcome::Hung(format!(
            "step {} ({}) was sent {} times, {silence}",
            self.done + 1,
            way_name(self.ways[self.done]),
            most
        )))
    }

    /// The last look before a key is sent again: a sign that came in this very moment counts.
    fn is_late_after_all(&mut self, before: Option<&Still>, now: &Still) -> Result<bool, Outcome> {
        let pressed = self.pressed;
        if self.look_at_log(before.is_some())? {
            self.confirmed_after(pressed, Confirmation::Log);
            return Ok(true);
        }
        let Some(before) = before.filter(|_| !self.log_alive) else {
            return Ok(false);
        };
        let mut mask = before.mask.clone();
        mask.join(&now.mask);
        if mask.differing(&before.picture, &now.picture) < self.least_change() {
            return Ok(false);
        }
        self.still = Some(now.clone());
        self.confirmed_after(pressed, Confirmation::Picture);
        Ok(true)
    }

    /// Presses the key of the current step and waits until its fate is known.
    fn send(&mut self, attempt: u32, before: Option<&Still>) -> Result<Sent, Outcome> {
        let key = Key::Arrow(self.ways[self.done]);
        self.note_log();
        self.tell(What::KeySent {
            step: self.done + 1,
            key: key_name(key).into(),
            attempt,
        });
        self.with.surface.press(key)?;
        let pressed = self.now();
        self.pressed = pressed;
        self.still = None;
        let held = self.look_until(pressed + self.hold, before);
        self.with.surface.release(key)?;
        let patience = if self.done == 0 {
            self.options.first_key
        } else {
            self.patience()
        };
        let mut seen = held?;
        loop {
            match self.judge_look(&seen, before)? {
                Verdict::Step(by) => {
                    self.confirmed_after(pressed, by);
                    return Ok(Sent::Confirmed);
                }
                Verdict::Opened => return Ok(Sent::Opened),
                Verdict::Open => {}
            }
            if self.now() >= pressed + patience {
                break;
            }
            seen = self.look_until(pressed + patience, before)?;
        }
        match self.confirm_loss(pressed, before)? {
            Loss::Late(by) => {
                self.confirmed_after(pressed, by);
                Ok(Sent::Confirmed)
            }
            Loss::Opened => Ok(Sent::Opened),
            Loss::Lost(asked) => Ok(Sent::Lost(asked)),
        }
    }

    fn lose(&mut self, why: &str) {
        self.resends += 1;
        self.hold = (self.hold * 3 / 2).min(self.options.longest_hold);
        if self.done > 0 {
            self.gap = (self.gap * 2).clamp(Duration::from_millis(25), self.options.longest_hold);
        }
        self.tell(What::Lost {
            step: self.done + 1,
            reason: why.into(),
        });
    }

    // --- confirmed -----------------------------------------------------------------------

    fn confirmed_after(&mut self, pressed: Duration, by: Confirmation) {
        let latency = self.now().saturating_sub(pressed);
        self.latencies.push(latency);
        let steps = if by == Confirmation::Log {
            self.with
                .witness
                .log(false)
                .ways()
                .len()
                .saturating_sub(self.done)
                .max(1)
        } else {
            1 + self.owed
        };
        self.owed = 0;
        self.confirm(steps, by);
    }

    /// Counts `steps` as played; all but the first were played by a key that counted twice.
    fn confirm(&mut self, steps: usize, by: Confirmation) {
        let latency_ms = self
            .latencies
            .last()
            .map_or(0.0, |latency| (latency.as_secs_f64() * 1e6).round() / 1e3);
        self.last_sign = self.now();
        for nth in 0..steps {
            self.done += 1;
            match by {
                Confirmation::Log => self.by_log += 1,
                Confirmation::Picture => self.by_picture += 1,
                Confirmation::Pace => {}
            }
            if nth > 0 {
                self.doubled += 1;
                self.tell(What::Doubled { step: self.done });
            }
            self.tell(What::Confirmed {
                step: self.done,
                by,
                latency_ms,
            });
        }
    }

    fn diverged(&self, found: &str) -> Outcome {
        let at = self.done.min(self.ways.len().saturating_sub(1));
        Outcome::Diverged {
            step: at + 1,
            expected: self
                .ways
                .get(at)
                .map_or("nothing", |way| way_name(*way))
                .into(),
            found: found.into(),
        }
    }
}

/// What came of a key.
enum Sent {
    Confirmed,
    /// It opened the board instead of playing a step.
    Opened,
    /// It is lost; whether the game answered when asked.
    Lost(Option<bool>),
}

const fn way_name(way: Direction) -> &'static str {
    match way {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

const fn key_name(key: Key) -> &'static str {
    match key {
        Key::Arrow(Direction::Up) => "U",
        Key::Arrow(Direction::Down) => "D",
        Key::Arrow(Direction::Left) => "L",
        Key::Arrow(Direction::Right) => "R",
        Key::Escape => "escape",
        Key::Return => "return",
        Key::Space => "space",
    }
}
