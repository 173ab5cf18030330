//! Signs of a step, in the log and in the picture, and the certainty that there is none.

use std::time::Duration;

use super::super::Outcome;
use super::super::noise::LEAST_CHANGE;
use super::{Play, Still, way_name};
use crate::event::Confirmation;
use crate::witness::Act;

/// A picture that is not still by then has moving parts, which are then learned and ignored.
const RESTLESS: Duration = Duration::from_millis(600);
/// How far apart two equal pictures must be in a game that was seen to move, as long as there
/// is only the picture to go by.
const MOVING_SETTLE: Duration = Duration::from_millis(150);
/// For how long moving parts are learned.
const LEARN: Duration = Duration::from_millis(400);
/// How long the log may lag behind the picture in the first steps and still be called alive.
const LOG_LAG: Duration = Duration::from_millis(100);
/// How long a game that owes an answer is left alone before it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(50);

/// What one look found.
pub(super) enum Seen {
    Nothing,
    /// The log tells of the step.
    Log,
    /// The picture is not what it was; whether for good is open.
    Stir,
}

/// What a look comes to.
pub(super) enum Verdict {
    /// Nothing is sure yet.
    Open,
    /// The step was played.
    Step(Confirmation),
    /// The key opened the board instead of playing a step.
    Opened,
}

/// What came of a key without confirmation.
pub(super) enum Loss {
    /// It was confirmed after all.
    Late(Confirmation),
    /// It opened the board instead.
    Opened,
    /// It is lost; whether the game answered when asked.
    Lost(Option<bool>),
}

impl Play<'_, '_> {
    pub(super) fn note_log(&mut self) {
        let log = self.with.witness.log(false);
        self.log_at_press = (log.ways().len(), log.rows.len());
    }

    pub(super) fn look_until(
        &mut self,
        deadline: Duration,
        before: Option<&Still>,
    ) -> Result<Seen, Outcome> {
        loop {
            match self.look(before)? {
                Seen::Nothing => {}
                seen => return Ok(seen),
            }
            let now = self.now();
            if now >= deadline {
                return Ok(Seen::Nothing);
            }
            self.wait(self.options.tick.min(deadline.saturating_sub(now)))?;
        }
    }

    pub(super) fn look(&mut self, before: Option<&Still>) -> Result<Seen, Outcome> {
        if self.look_at_log(before.is_some())? {
            return Ok(Seen::Log);
        }
        let is_last = self.done + 1 == self.ways.len();
        if let Some(before) = before
            && (!self.log_alive || is_last)
        {
            let picture = self.picture()?;
            if !self.log_alive
                && before.mask.differing(&before.picture, &picture) >= self.least_change()
            {
                return Ok(Seen::Stir);
            }
        }
        Ok(Seen::Nothing)
    }

    /// Whether the log tells of the current step.
    pub(super) fn look_at_log(&mut self, has_picture: bool) -> Result<bool, Outcome> {
        let log = self.with.witness.log(false);
        let ways = log.ways();
        let rows = log.rows.len();
        let is_taken_back = log
            .rows
            .get(self.log_at_press.1..)
            .unwrap_or_default()
            .iter()
            .any(|row| matches!(row.act, Act::Undo | Act::Restart));
        if is_taken_back && ways.len() < self.log_at_press.0 {
            return Err(self.diverged("the game's log says that steps were taken back"));
        }
        let wrong = ways
            .iter()
            .zip(&self.ways)
            .position(|(own, our)| own != our);
        if let Some(at) = wrong {
            return Err(Outcome::Diverged {
                step: at + 1,
                expected: way_name(self.ways[at]).into(),
                found: format!("the game's log says {}", way_name(ways[at])),
            });
        }
        if ways.len() > self.ways.len() {
            let found = format!("the game's log has {} steps", ways.len());
            return Err(self.diverged(&found));
        }
        if ways.len() > self.done {
            if self.log_at_press.0 == self.done {
                self.log_alive = true;
            }
            return Ok(true);
        }
        if self.log_alive && ways.len() < self.log_at_press.0 && rows > self.log_at_press.1 {
            // Its directions are no longer understood. A row has come all the same.
            self.log_alive = false;
            return Ok(!has_picture);
        }
        Ok(false)
    }

    /// What a look comes to. A stir counts once the picture rests and is still another.
    pub(super) fn judge_look(
        &mut self,
        seen: &Seen,
        before: Option<&Still>,
    ) -> Result<Verdict, Outcome> {
        match (seen, before) {
            (Seen::Log, _) => Ok(Verdict::Step(Confirmation::Log)),
            (Seen::Stir, Some(before)) => {
                let still = self.rest()?;
                let mut mask = before.mask.clone();
                mask.join(&still.mask);
                let changed = mask.differing(&before.picture, &still.picture);
                if changed < self.least_change() {
                    return Ok(Verdict::Open);
                }
                if self.is_another_screen(before, &still, changed)? {
                    self.still = Some(still);
                    return Ok(Verdict::Opened);
                }
                self.step_change = Some(self.step_change.map_or(changed, |seen| seen.min(changed)));
                let until = self.now() + LOG_LAG;
                // In the first steps the log gets a chance to prove alive.
                while self.done < 3 && self.log_at_press.0 == self.done && self.now() < until {
                    if self.look_at_log(true)? {
                        self.still = Some(still);
                        return Ok(Verdict::Step(Confirmation::Log));
                    }
                    self.wait(self.options.tick)?;
                }
                self.still = Some(still);
                Ok(Verdict::Step(Confirmation::Picture))
            }
            _ => Ok(Verdict::Open),
        }
    }

    /// The picture when it has come to rest. Parts that never rest are left out of account.
    pub(super) fn rest(&mut self) -> Result<Still, Outcome> {
        let begun = self.now();
        let mut earlier = self.picture()?;
        while self.now() < begun + RESTLESS {
            self.wait(self.settle)?;
            let picture = self.picture()?;
            if self.noise.differing(&earlier, &picture) == 0 {
                return Ok(Still {
                    picture,
                    mask: self.noise.clone(),
                });
            }
            earlier = picture;
            if !self.log_alive {
                // It moves, and a busy machine may stop it in the midst for a while.
                self.settle = self.settle.max(MOVING_SETTLE);
            }
        }
        let mut mask = self.noise.clone();
        let begun = self.now();
        while self.now() < begun + LEARN {
            self.wait(self.options.tick.max(Duration::from_millis(15)))?;
            let picture = self.picture()?;
            mask.learn(&earlier, &picture);
            earlier = picture;
        }
        Ok(Still {
            picture: earlier,
            mask,
        })
    }

    pub(super) fn has_stirred(&mut self, before: Option<&Still>) -> Result<bool, Outcome> {
        let Some(before) = before else {
            return Ok(false);
        };
        let picture = self.picture()?;
        Ok(before.mask.differing(&before.picture, &picture) >= self.least_change())
    }

    /// Pixels that must change before it is a sign of a step. Once steps have been seen, a
    /// quarter of the least of them: a clock or a counter changes far less than a board. Before
    /// that, in a picture with parts that change by themselves, a part of a square.
    pub(super) fn least_change(&self) -> usize {
        match self.step_change {
            Some(seen) => LEAST_CHANGE.max(seen / 4),
            None if self.noise.len() > 0 => LEAST_CHANGE.max(self.part_of_square()),
            None => LEAST_CHANGE,
        }
    }

    /// A seventh of the largest square that fits: a counter's new digit changes less, a player
    /// who leaves one square for the next changes more.
    fn part_of_square(&self) -> usize {
        let Some(picture) = &self.last_seen else {
            return 0;
        };
        let (columns, rows) = self.squares;
        let side = (picture.width() / columns.max(1)).min(picture.height() / rows.max(1));
        (side as usize * side as usize) / 7
    }

    /// Between floor and ceiling four times the largest latency so far.
    pub(super) fn patience(&self) -> Duration {
        let largest = self.latencies.iter().max().copied().unwrap_or_default();
        (largest * 4).clamp(
            self.options.least_patience,
            self.options.most_patience.max(self.options.least_patience),
        )
    }

    /// Waits until it is sure that the key is lost, or sees that it was only late.
    pub(super) fn confirm_loss(
        &mut self,
        pressed: Duration,
        before: Option<&Still>,
    ) -> Result<Loss, Outcome> {
        loop {
            let asked = self.with.surface.has_caught_up(self.patience())?;
            if asked == Some(false) {
                if self.now() >= pressed + self.options.hang {
                    let why = format!(
                        "at step {} it has not taken its keys for {:.1?}",
                        self.done + 1,
                        self.options.hang
                    );
                    return Err(Outcome::Hung(why));
                }
                // The surface may have waited or not; some time must pass in any case.
                let seen = self.look_until(self.now() + ASK_AGAIN, before)?;
                match self.judge_look(&seen, before)? {
                    Verdict::Step(by) => return Ok(Loss::Late(by)),
                    Verdict::Opened => return Ok(Loss::Opened),
                    Verdict::Open => {}
                }
                continue;
            }
            let quiet = if asked.is_none() {
                self.patience() * 2
            } else {
                self.patience()
            };
            let start = self.picture()?;
            let until = self.now() + quiet;
            loop {
                let seen = self.look_until(until, before)?;
                match self.judge_look(&seen, before)? {
                    Verdict::Step(by) => return Ok(Loss::Late(by)),
                    Verdict::Opened => return Ok(Loss::Opened),
                    Verdict::Open => {}
                }
                if self.now() >= until {
                    break;
                }
                self.wait(self.options.tick)?;
            }
            let end = self.picture()?;
            let mut mask = self.noise.clone();
            if let Some(before) = before {
                mask.join(&before.mask);
            }
            let is_calm = mask.differing(&start, &end) < self.least_change();
            if is_calm || self.now() >= pressed + self.options.hang {
                return Ok(Loss::Lost(asked));
            }
        }
    }
}
