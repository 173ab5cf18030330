//! An event log against the answer that it is said to tell of.

use std::collections::BTreeSet;

use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::Level;

use crate::event::{Confirmation, Event, What};

/// Whether the events tell of a whole play of `answer`: each step sent with its key, then
/// confirmed, once and in order. `told` is what the manifest counts: steps confirmed by log and
/// by picture, and keys sent again.
pub(super) fn story(
    events: &[Event],
    level: &Level,
    answer: &Answer,
    pictures: &BTreeSet<usize>,
    told: Option<(usize, usize, usize)>,
) -> Result<(), String> {
    let mut tale = Tale {
        id: level.id().to_string(),
        answer,
        sent: 0,
        done: 0,
        lost: 0,
        by_log: 0,
        by_picture: 0,
        is_doubled: false,
        is_finished: false,
        taken: BTreeSet::new(),
    };
    let mut at_ms = 0.0;
    for (at, event) in events.iter().enumerate() {
        if event.at_ms < at_ms {
            return Err(format!("event {} is earlier than the one before", at + 1));
        }
        at_ms = event.at_ms;
        tale.hear(&event.what)?;
    }
    if tale.done != answer.moves() || !tale.is_finished {
        return Err(format!(
            "it tells of {} of {} steps",
            tale.done,
            answer.moves()
        ));
    }
    if tale.taken != *pictures {
        return Err("it tells of other pictures than there are".into());
    }
    match told {
        Some(told) if told != (tale.by_log, tale.by_picture, tale.lost) => {
            Err("the manifest counts confirmations otherwise".into())
        }
        _ => Ok(()),
    }
}

/// What the events have told so far.
struct Tale<'a> {
    id: String,
    answer: &'a Answer,
    sent: usize,
    done: usize,
    lost: usize,
    by_log: usize,
    by_picture: usize,
    is_doubled: bool,
    is_finished: bool,
    taken: BTreeSet<usize>,
}

impl Tale<'_> {
    fn hear(&mut self, what: &What) -> Result<(), String> {
        match what {
            What::Started { level, moves, .. } => {
                if *level != self.id || *moves != self.answer.moves() {
                    return Err("it was started for another level or answer".into());
                }
            }
            What::KeySent { step: 0, .. } | What::Ready { .. } => {}
            What::KeySent { step, key, .. } => {
                let right = self.answer.steps().get(step - 1);
                let right = right.map(|step| step.way.letter().to_string());
                if *step != self.done + 1 || right.as_ref() != Some(key) {
                    return Err(format!("key {key} for step {step} is not the answer's"));
                }
                self.sent = *step;
            }
            What::Doubled { step } => self.is_doubled = *step == self.done + 1,
            What::Confirmed { step, by, .. } => {
                if *step != self.done + 1 || (self.sent != *step && !self.is_doubled) {
                    return Err(format!("step {step} is confirmed out of turn"));
                }
                self.is_doubled = false;
                self.done = *step;
                match by {
                    Confirmation::Log => self.by_log += 1,
                    Confirmation::Picture => self.by_picture += 1,
                    Confirmation::Pace => {}
                }
            }
            What::Lost { .. } => self.lost += 1,
            What::PictureTaken { step, .. } => {
                if *step != self.done {
                    return Err(format!(
                        "a picture of step {step} was taken after step {}",
                        self.done
                    ));
                }
                self.taken.insert(*step);
            }
            What::Stopped { detail, .. } => return Err(format!("the play ended early: {detail}")),
            What::Finished { steps, .. } => self.is_finished = *steps == self.answer.moves(),
        }
        Ok(())
    }
}
