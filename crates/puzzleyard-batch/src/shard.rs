//! The lanes of one thread.

use puzzleyard_env::world::{StartError, World};

use crate::buffers::Buffers;

/// What becomes of a lane whose episode is over. The names are Gymnasium's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Autoreset {
    /// The next step, whose action is ignored, begins the next episode and earns nothing.
    #[default]
    NextStep,
    /// The same step begins it; the last observation of the old one is kept aside.
    SameStep,
    /// Nothing: the caller resets the lane before the next step.
    Disabled,
}

/// Neighbouring lanes.
#[derive(Debug)]
pub(crate) struct Shard<W: World> {
    pub(crate) lanes: W::Lanes,
    /// The number of the first lane in the batch.
    pub(crate) first: usize,
    pub(crate) phases: Vec<Phase>,
    /// Of each lane, the seed and the number of its next episode.
    pub(crate) turns: Vec<Turn>,
    /// How many lanes have not begun.
    pub(crate) unborn: usize,
    /// How many episodes are over.
    pub(crate) over: usize,
    /// Lanes whose episodes ended in the last step, their levels and their last observations.
    pub(crate) finals: Vec<(usize, u64)>,
    pub(crate) last: Vec<u8>,
    /// Why a lane could not begin an episode.
    pub(crate) fault: Option<StartError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Unborn,
    Running,
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) seed: u64,
    pub(crate) next: u64,
}

impl<W: World> Shard<W> {
    pub(crate) fn new(world: &W, first: usize, count: usize) -> Self {
        Self {
            lanes: world.lanes(count),
            first,
            phases: vec![Phase::Unborn; count],
            turns: vec![Turn { seed: 0, next: 0 }; count],
            unborn: count,
            over: 0,
            finals: Vec::new(),
            last: Vec::new(),
            fault: None,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.phases.len()
    }

    /// Notes that a lane is in another phase.
    pub(crate) fn enter(&mut self, at: usize, phase: Phase) {
        match self.phases[at] {
            Phase::Unborn => self.unborn -= 1,
            Phase::Over => self.over -= 1,
            Phase::Running => {}
        }
        self.over += usize::from(phase == Phase::Over);
        self.phases[at] = phase;
    }

    /// Begins an episode on a level, or on the one whose turn it is.
    pub(crate) fn begin(&mut self, world: &W, at: usize, level: Option<u64>, stride: u64) {
        let Turn { seed, next } = self.turns[at];
        let begun = match level {
            Some(level) => world.start_on(&mut self.lanes, at, seed, next, level),
            None => world.start(&mut self.lanes, at, seed, next, stride),
        };
        match begun {
            Ok(()) => {
                self.turns[at].next = next.wrapping_add(1);
                self.enter(at, Phase::Running);
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
            }
        }
    }

    pub(crate) fn step(
        &mut self,
        world: &W,
        mode: Autoreset,
        stride: u64,
        actions: &[i64],
        out: &mut Buffers<'_>,
    ) {
        self.finals.clear();
        self.last.clear();
        let count = self.count();
        let actions = &actions[..count];
        let rewards = &mut out.rewards[..count];
        let terminated = &mut out.terminated[..count];
        let truncated = &mut out.truncated[..count];
        // Only the mode that begins episodes a step late has lanes that are over here.
        let late = mode == Autoreset::NextStep && self.over > 0;
        for at in 0..count {
            if late && self.phases[at] == Phase::Over {
                self.begin(world, at, None, stride);
                (rewards[at], terminated[at], truncated[at]) = (0.0, false, false);
                continue;
            }
            let outcome = world.act(&mut self.lanes, at, actions[at] as u32);
            rewards[at] = outcome.reward;
            terminated[at] = outcome.terminated;
            truncated[at] = outcome.truncated;
            if outcome.is_over() {
                self.enter(at, Phase::Over);
                if mode == Autoreset::SameStep {
                    self.keep(world, at);
                    self.begin(world, at, None, stride);
                }
            }
        }
        self.show(world, out);
    }

    /// Keeps the last observation of an episode aside.
    fn keep(&mut self, world: &W, at: usize) {
        let bytes = world.shape().bytes();
        let from = self.last.len();
        self.last.resize(from + bytes, 0);
        world.observe(&self.lanes, at, &mut self.last[from..]);
        self.finals
            .push((self.first + at, world.level(&self.lanes, at)));
    }

    /// Writes what is seen.
    pub(crate) fn show(&self, world: &W, out: &mut Buffers<'_>) {
        let count = self.count();
        let bytes = world.shape().bytes();
        if out.observations.is_empty() {
            // Nobody looks.
        } else if out.patch {
            for (at, one) in out.observations.chunks_exact_mut(bytes).enumerate() {
                world.patch(&self.lanes, at, one);
            }
        } else {
            world.observe_all(&self.lanes, count, out.observations);
        }
        world.levels(&self.lanes, out.levels);
        if let Some(masks) = &mut out.masks {
            let actions = world.actions() as usize;
            for (at, mask) in masks.chunks_exact_mut(actions).enumerate() {
                world.mask(&self.lanes, at, mask);
            }
        }
    }
}
