//! The open loop: keys at a fixed pace, unseen. For comparison only.

use std::time::Duration;

use super::super::{Outcome, PictureKind};
use super::{Play, key_name};
use crate::event::{Confirmation, What};
use crate::surface::Key;

impl Play<'_, '_> {
    /// Sends a key each `pace` without looking, then compares with the log if there is one.
    pub(super) fn play_at(&mut self, pace: Duration) -> Result<(), Outcome> {
        for at in 0..self.ways.len() {
            let key = Key::Arrow(self.ways[at]);
            self.tell(What::KeySent {
                step: at + 1,
                key: key_name(key).into(),
                attempt: 1,
            });
            self.with.surface.press(key)?;
            let hold = self.options.hold.min(pace / 2);
            let held = self.wait(hold);
            self.with.surface.release(key)?;
            held?;
            self.wait(pace.saturating_sub(hold))?;
            self.confirm(1, Confirmation::Pace);
            if self.kept_steps.contains(&(at + 1)) {
                let picture = self.picture()?;
                self.hand_over(PictureKind::Step(at + 1), &picture)?;
            }
        }
        self.keep(PictureKind::Final, None)?;
        let ways = self.with.witness.log(false).ways();
        if !ways.is_empty() && ways != self.ways {
            let at = ways
                .iter()
                .zip(&self.ways)
                .take_while(|(a, b)| a == b)
                .count();
            self.done = at;
            return Err(self.diverged("at this pace the game's log goes another way"));
        }
        Ok(())
    }
}
