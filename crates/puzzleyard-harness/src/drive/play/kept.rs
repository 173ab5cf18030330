//! The pictures that are kept, and at which steps.

use std::time::Duration;

use puzzleyard_render::Picture;
use puzzleyard_sokoban::model::Answer;

use super::super::{Outcome, PictureKind};
use super::{End, Play, SETTLE, Still};
use crate::event::What;

/// How long a picture that is to be kept may fail to show the last step.
const DRAW: Duration = Duration::from_millis(1500);
/// For how long the picture is looked at all the time after the last step.
const LAST_LOOKS: Duration = Duration::from_millis(120);
const LONGEST_SETTLE: Duration = Duration::from_millis(500);

impl Play<'_, '_> {
    /// Keeps a picture at rest, if possible one that differs from the one before the step.
    pub(super) fn keep(
        &mut self,
        kind: PictureKind,
        before: Option<&Still>,
    ) -> Result<(), Outcome> {
        let begun = self.now();
        let still = loop {
            let still = match self.still.take() {
                Some(still) => still,
                None => self.rest()?,
            };
            let Some(before) = before else { break still };
            let mut mask = before.mask.clone();
            mask.join(&still.mask);
            let is_drawn = mask.differing(&before.picture, &still.picture) >= self.least_change();
            if is_drawn || self.now() >= begun + DRAW {
                break still;
            }
        };
        let still = if kind == PictureKind::Final {
            // What the game shows on success may come a moment after the last step.
            self.wait(SETTLE * 4)?;
            self.rest()?
        } else {
            still
        };
        self.hand_over(kind, &still.picture)?;
        self.still = Some(still);
        if kind != PictureKind::Final {
            // The time that counts ends with the last confirmation, before the final picture.
            self.keeping += self.now().saturating_sub(begun);
        }
        Ok(())
    }

    /// Some games end with the last step. What they show before that is seen only by looking
    /// all the time. A game that is gone by now is found gone by the next look.
    pub(super) fn watch_the_end(&mut self) -> Result<(), Outcome> {
        let until = self.now() + LAST_LOOKS;
        while self.now() < until {
            match self.picture() {
                Err(Outcome::Gone(_)) => return Ok(()),
                other => other?,
            };
            match self.wait(Duration::from_millis(1)) {
                Err(Outcome::Gone(_)) => return Ok(()),
                other => other?,
            }
        }
        Ok(())
    }

    pub(super) fn hand_over(
        &mut self,
        kind: PictureKind,
        picture: &Picture,
    ) -> Result<(), Outcome> {
        (self.with.pictures)(kind, picture).map_err(Outcome::PictureNotKept)?;
        if kind == PictureKind::Final {
            self.end = End::Shown;
        }
        let (name, step) = match kind {
            PictureKind::Initial => ("initial", 0),
            PictureKind::Step(step) => ("step", step),
            PictureKind::Final => ("final", self.ways.len()),
        };
        self.tell(What::PictureTaken {
            kind: name.into(),
            step,
        });
        Ok(())
    }

    /// How long the picture takes to follow the log.
    pub(super) fn learn_delay(&mut self, before: &Still) -> Result<(), Outcome> {
        let begun = self.now();
        while self.still.is_none() && self.now() < begun + DRAW {
            if self.has_stirred(Some(before))? {
                let delay = self.now().saturating_sub(begun);
                self.settle = (delay * 2).clamp(SETTLE, LONGEST_SETTLE);
                break;
            }
            self.wait(self.options.tick)?;
        }
        self.keeping += self.now().saturating_sub(begun);
        Ok(())
    }
}

/// The steps, from 1, after which pictures are kept: at most `most`, never the last step,
/// spread evenly over the pushes, and over all steps if there are too few pushes.
pub(crate) fn kept_steps(answer: &Answer, most: usize) -> Vec<usize> {
    const LEAST: usize = 4;
    let last = answer.moves();
    let spread = |places: &[usize]| -> Vec<usize> {
        let count = most.min(places.len());
        (0..count)
            .map(|nth| places[(nth * 2 + 1) * places.len() / (count * 2)])
            .collect()
    };
    let pushes: Vec<usize> = answer
        .steps()
        .iter()
        .enumerate()
        .filter(|(at, step)| step.push && at + 1 < last)
        .map(|(at, _)| at + 1)
        .collect();
    if pushes.len() >= LEAST {
        return spread(&pushes);
    }
    let all: Vec<usize> = (1..last).collect();
    spread(&all)
}
