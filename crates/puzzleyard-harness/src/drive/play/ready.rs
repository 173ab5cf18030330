//! Before the first key: a picture that shows something and rests.

use std::time::Duration;

use super::super::Outcome;
use super::super::noise::{self, Mask};
use super::{Play, key_name};
use crate::event::What;
use crate::surface::{Key, SurfaceKind};

/// How long the first picture is watched for pixels that change by themselves: shortly if
/// there is a log to rely on, else long enough to see a clock tick.
const WATCH_WITH_LOG: Duration = Duration::from_millis(300);
const WATCH_WITHOUT_LOG: Duration = Duration::from_millis(1300);

impl Play<'_, '_> {
    pub(super) fn begin(&mut self) -> Result<(), Outcome> {
        let identity = self.with.surface.identity()?;
        self.has_own_time = identity.kind == SurfaceKind::Embedded;
        let level = self.board_id.clone();
        self.tell(What::Started {
            surface: identity.kind.name().into(),
            id: identity.id,
            title: identity.title,
            level,
            moves: self.ways.len(),
        });
        Ok(())
    }

    /// Waits for a picture that shows something and rests, and learns which pixels never do.
    pub(super) fn await_ready(&mut self) -> Result<(), Outcome> {
        let deadline = self.now() + self.options.ready;
        let mut reference = self.picture()?;
        let mut since = self.now();
        loop {
            let watch = if self.with.witness.log_bytes().is_some() {
                WATCH_WITH_LOG
            } else {
                WATCH_WITHOUT_LOG
            };
            if self.now() >= since + watch && !noise::is_blank(&reference) {
                break;
            }
            if self.now() >= deadline {
                if noise::is_blank(&reference) {
                    let why = format!("it shows nothing after {:.1?}", self.options.ready);
                    return Err(Outcome::Hung(why));
                }
                break;
            }
            self.wait(self.options.tick.max(Duration::from_millis(20)))?;
            let next = self.picture()?;
            if noise::is_blank(&reference) || self.noise.differing(&reference, &next) > 0 {
                // Something new: a picture that is still being made, or a pixel that blinks.
                // Blinking pixels are soon all known and the watch then runs out in peace.
                if noise::is_blank(&reference) {
                    self.noise = Mask::default();
                } else {
                    self.noise.learn(&reference, &next);
                }
                if self.noise.len() * 2 > next.rgb().len() / 3 {
                    // More than half has changed: that was the game's appearance, not noise.
                    self.noise = Mask::default();
                }
                since = self.now();
                reference = next;
            }
        }
        self.tell(What::Ready {
            restless_pixels: self.noise.len(),
        });
        Ok(())
    }

    pub(super) fn wake(&mut self, key: Key) -> Result<(), Outcome> {
        self.tell(What::KeySent {
            step: 0,
            key: key_name(key).into(),
            attempt: 1,
        });
        self.with.surface.press(key)?;
        let held = self.wait(self.options.hold);
        self.with.surface.release(key)?;
        held?;
        self.wait(self.options.hold)?;
        self.noise = Mask::default();
        self.await_ready()
    }
}
