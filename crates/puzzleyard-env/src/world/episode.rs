//! One episode.

use std::sync::Arc;

use super::{Outcome, Saved, SavedError, StartError, World};

/// One episode of a world, with the manners of an environment: it is begun, stepped until it is
/// over, and begun again.
#[derive(Debug)]
pub struct Episode<W: World> {
    world: Arc<W>,
    lane: W::Lanes,
    seed: u64,
    /// The number of the next episode under this seed.
    next: u64,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No episode has begun.
    Unborn,
    Running,
    Over,
}

impl<W: World> Clone for Episode<W> {
    fn clone(&self) -> Self {
        Self {
            world: Arc::clone(&self.world),
            lane: self.lane.clone(),
            ..*self
        }
    }
}

/// Why a step cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// No episode has begun.
    #[error("no episode has begun, reset first")]
    Unborn,
    /// The episode is over.
    #[error("the episode is over, reset first")]
    Over,
    /// There is no such action.
    #[error("action {found}, wanted 0 to {}", .count - 1)]
    Action {
        /// The action.
        found: u64,
        /// How many there are.
        count: u32,
    },
}

impl<W: World> Episode<W> {
    /// An episode that has not begun.
    pub fn new(world: Arc<W>) -> Self {
        Self {
            lane: world.lanes(1),
            world,
            seed: 0,
            next: 0,
            phase: Phase::Unborn,
        }
    }

    /// The world.
    pub fn world(&self) -> &Arc<W> {
        &self.world
    }

    /// The one lane of this episode.
    pub fn lane(&self) -> &W::Lanes {
        &self.lane
    }

    /// Begins the first episode of `seed` or, without a seed, the next one of the last seed. The
    /// seed is 0 until one is given.
    ///
    /// # Errors
    /// If the source of levels has none for it; the episode is then what it was.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<(), StartError> {
        let (seed, episode) = seed.map_or((self.seed, self.next), |seed| (seed, 0));
        self.world.start(&mut self.lane, 0, seed, episode, 1)?;
        self.begun(seed, episode);
        Ok(())
    }

    /// As [`Episode::reset`], on a level of the caller's choice.
    ///
    /// # Errors
    /// If there is no such level; the episode is then what it was.
    pub fn reset_on(&mut self, seed: Option<u64>, level: u64) -> Result<(), StartError> {
        let (seed, episode) = seed.map_or((self.seed, self.next), |seed| (seed, 0));
        self.world
            .start_on(&mut self.lane, 0, seed, episode, level)?;
        self.begun(seed, episode);
        Ok(())
    }

    fn begun(&mut self, seed: u64, episode: u64) {
        self.seed = seed;
        self.next = episode.wrapping_add(1);
        self.phase = Phase::Running;
    }

    /// Takes a step.
    ///
    /// # Errors
    /// If none can be taken; nothing has changed then.
    #[inline]
    pub fn step(&mut self, action: u64) -> Result<Outcome, StepError> {
        match self.phase {
            Phase::Running => {}
            Phase::Unborn => return Err(StepError::Unborn),
            Phase::Over => return Err(StepError::Over),
        }
        let count = self.world.actions();
        if action >= u64::from(count) {
            return Err(StepError::Action {
                found: action,
                count,
            });
        }
        let outcome = self.world.act(&mut self.lane, 0, action as u32);
        if outcome.is_over() {
            self.phase = Phase::Over;
        }
        Ok(outcome)
    }

    /// Whether an episode runs: it has begun and is not over.
    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Writes the observation. `out` has as many bytes as [`World::shape`] says. Before the
    /// first episode it is that of an empty board.
    pub fn observe(&self, out: &mut [u8]) {
        self.world.observe(&self.lane, 0, out);
    }

    /// Writes 1 for every action that would change the state, 0 for the others.
    pub fn mask(&self, out: &mut [i8]) {
        self.world.mask(&self.lane, 0, out);
    }

    /// The state, to be taken up again.
    pub fn save(&self) -> Saved {
        self.world.save(&self.lane, 0)
    }

    /// Takes a saved state up: what follows is what would have followed there.
    ///
    /// # Errors
    /// If it is none of this world's; the episode is then what it was.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), SavedError> {
        self.world.restore(&mut self.lane, 0, saved)?;
        let (seed, episode, _) = self.world.place(&self.lane, 0);
        self.begun(seed, episode);
        if self.world.is_over(&self.lane, 0) {
            self.phase = Phase::Over;
        }
        Ok(())
    }
}
