//! Games that do not listen yet: a start screen that waits for a key or a click.

use std::time::Duration;

use super::super::noise::Mask;
use super::super::{Outcome, PictureKind};
use super::{Play, Still, key_name, way_name};
use crate::event::What;
use crate::surface::Key;

/// What gets a game's attention without being a step.
#[derive(Clone, Copy)]
pub(super) enum Nudge {
    Key(Key),
    Click,
}

/// In the order in which they are tried, the least harmful first.
pub(super) const NUDGES: [Nudge; 3] = [
    Nudge::Key(Key::Return),
    Nudge::Key(Key::Space),
    Nudge::Click,
];

/// The first key is sent so often before anything else is tried: a game may only be slow.
const PLAIN_ATTEMPTS: u32 = 2;
/// A change of at least so many hundredths of the picture is another screen: a step changes
/// three squares and a counter.
const SCREEN: usize = 40;
/// How long the log may take to claim a change of the whole picture for a step.
const LOG_CLAIM: Duration = Duration::from_millis(600);

impl Play<'_, '_> {
    /// How often the key of the current step is sent at most.
    pub(super) fn most_attempts(&self) -> u32 {
        let plain = self.options.resends + 1;
        if self.done == 0 && self.options.rouse {
            plain.max(PLAIN_ATTEMPTS + NUDGES.len() as u32)
        } else {
            plain
        }
    }

    /// Before the given attempt at the first step: nudges the game if its turn has come, and
    /// takes the first picture anew. True if something was sent.
    pub(super) fn rouse(&mut self, attempt: u32) -> Result<bool, Outcome> {
        // A key that changed the whole picture may have been a step after all.
        let has_effect = self.done > 0 || self.opened;
        if has_effect || !self.options.rouse || attempt <= PLAIN_ATTEMPTS {
            return Ok(false);
        }
        let Some(&nudge) = NUDGES.get((attempt - PLAIN_ATTEMPTS - 1) as usize) else {
            return Ok(false);
        };
        match nudge {
            Nudge::Key(key) => self.wake(key)?,
            Nudge::Click => {
                if !self.with.surface.click()? {
                    return Ok(false);
                }
                self.tell(What::KeySent {
                    step: 0,
                    key: "click".into(),
                    attempt: 1,
                });
                self.wait(self.options.hold)?;
                self.noise = Mask::default();
                self.await_ready()?;
            }
        }
        self.keep(PictureKind::Initial, None)?;
        Ok(true)
    }

    /// Whether a change at the first step is that of a screen which the key has opened. The
    /// log may claim the change for a step; the next change of this size is one in any case.
    pub(super) fn is_another_screen(
        &mut self,
        before: &Still,
        after: &Still,
        changed: usize,
    ) -> Result<bool, Outcome> {
        let pixels = after.picture.rgb().len() / 3;
        if self.done > 0 || !self.options.rouse || changed * 100 < pixels * SCREEN {
            return Ok(false);
        }
        if self.opened {
            // The board itself moves: both keys were steps.
            if self.ways.first() == self.ways.get(1) {
                self.owed = 1;
                return Ok(false);
            }
            return Err(self.diverged(
                "the whole picture changes with every key and there is no live log, so it \
                 cannot be told which were steps",
            ));
        }
        let same_size = (before.picture.width(), before.picture.height())
            == (after.picture.width(), after.picture.height());
        let until = self.now() + LOG_CLAIM;
        while self.now() < until {
            if self.look_at_log(true)? {
                return Ok(false);
            }
            self.wait(self.options.tick)?;
        }
        Ok(same_size)
    }

    /// After the first key has opened the board: the game begins only now.
    pub(super) fn reopen(&mut self) -> Result<(), Outcome> {
        let why = format!(
            "the key ({}, {}) changed the whole picture, as a start screen does",
            key_name(Key::Arrow(self.ways[0])),
            way_name(self.ways[0])
        );
        self.opened = true;
        self.lose(&why);
        self.noise = Mask::default();
        self.still = None;
        self.await_ready()?;
        self.keep(PictureKind::Initial, None)
    }
}
