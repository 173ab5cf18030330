//! Lanes, shared out to threads.

use std::sync::{Arc, Mutex};

use puzzleyard_env::world::{Saved, SavedError, StartError, World};

use crate::buffers::Buffers;
use crate::pool::Pool;
use crate::shard::{Autoreset, Phase, Shard, Turn};

/// The most lanes of a batch.
pub const MAX_LANES: usize = 1 << 20;
/// The most threads of a batch.
pub const MAX_THREADS: usize = 256;

/// Many episodes of one world.
#[derive(Debug)]
pub struct Batch<W: World> {
    world: Arc<W>,
    shards: Vec<Shard<W>>,
    count: usize,
    mode: Autoreset,
    pool: Pool,
    /// Bytes of an observation.
    bytes: usize,
}

/// The end of an episode that another followed in the same step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Final<'a> {
    /// The lane.
    pub lane: usize,
    /// The number of the level that was played.
    pub level: u64,
    /// The last observation.
    pub observation: &'a [u8],
}

/// Why a batch cannot be made, reset or stepped. Nothing has changed then, but for
/// [`BatchError::Start`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// No lanes, or too many.
    #[error("{found} environments, wanted 1 to {MAX_LANES}")]
    Lanes {
        /// How many.
        found: usize,
    },
    /// No threads, or too many.
    #[error("{found} threads, wanted 1 to {MAX_THREADS}")]
    Threads {
        /// How many.
        found: usize,
    },
    /// The system gives no threads.
    #[error("no threads for the batch: {0}")]
    Spawn(#[from] std::io::Error),
    /// A slice of the wrong length.
    #[error("{what}: {found} entries, wanted {wanted}")]
    Length {
        /// Of what.
        what: &'static str,
        /// Entries found.
        found: usize,
        /// Entries wanted.
        wanted: usize,
    },
    /// No such action.
    #[error("action {found} of environment {lane}, wanted 0 to {}", .count - 1)]
    Action {
        /// The lane.
        lane: usize,
        /// The action.
        found: i64,
        /// How many there are.
        count: u32,
    },
    /// A lane has not begun an episode.
    #[error("environment {lane} has no episode, reset first")]
    Unborn {
        /// The lane.
        lane: usize,
    },
    /// An episode is over and nothing begins the next.
    #[error("the episode of environment {lane} is over, reset it first")]
    Over {
        /// The lane.
        lane: usize,
    },
    /// An episode cannot begin. Other lanes have been reset or stepped.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A saved state cannot be taken up.
    #[error(transparent)]
    Saved(#[from] SavedError),
}

impl<W: World> Batch<W> {
    /// `count` lanes on `threads` threads, the caller's among them.
    ///
    /// # Errors
    /// If there are none, too many, or the system gives no threads.
    pub fn new(
        world: Arc<W>,
        count: usize,
        threads: usize,
        mode: Autoreset,
    ) -> Result<Self, BatchError> {
        if !(1..=MAX_LANES).contains(&count) {
            return Err(BatchError::Lanes { found: count });
        }
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(BatchError::Threads { found: threads });
        }
        let threads = threads.min(count);
        let shards = (0..threads).map(|number| {
            let (first, end) = (count * number / threads, count * (number + 1) / threads);
            Shard::new(&*world, first, end - first)
        });
        Ok(Self {
            shards: shards.collect(),
            count,
            mode,
            pool: Pool::new(threads)?,
            bytes: world.shape().bytes(),
            world,
        })
    }

    /// The world.
    pub fn world(&self) -> &Arc<W> {
        &self.world
    }

    /// How many lanes there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What becomes of a lane whose episode is over.
    pub fn mode(&self) -> Autoreset {
        self.mode
    }

    /// Begins episodes: of the lanes in `mask`, or of all; on `levels`, or on those whose turn
    /// it is. A seed starts its sequence of episodes; a lane without one goes on with its next
    /// episode. The observations of all lanes are written.
    ///
    /// # Errors
    /// If a length is wrong, a level does not exist, or a lane outside the mask has not begun.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        mask: Option<&[bool]>,
        levels: Option<&[u64]>,
        out: &mut Buffers<'_>,
    ) -> Result<(), BatchError> {
        self.check(out)?;
        self.length("seeds", seeds.len())?;
        self.length("reset_mask", mask.map_or(self.count, <[bool]>::len))?;
        self.length("levels", levels.map_or(self.count, <[u64]>::len))?;
        if let Some(mask) = mask {
            self.begun(mask)?;
        }
        let stride = self.count as u64;
        for shard in &mut self.shards {
            for at in 0..shard.count() {
                let lane = shard.first + at;
                if mask.is_none_or(|mask| mask[lane]) {
                    if let Some(seed) = seeds[lane] {
                        shard.turns[at] = Turn { seed, next: 0 };
                    }
                    let level = levels.map(|levels| levels[lane]);
                    shard.begin(&self.world, at, level, stride);
                }
            }
            shard.finals.clear();
            shard.last.clear();
        }
        out.rewards.fill(0.0);
        out.terminated.fill(false);
        out.truncated.fill(false);
        self.spread(out, |shard, world, out, _| shard.show(world, out))?;
        self.faults()
    }

    /// Takes a step in every lane. Actions are numbered from 0.
    ///
    /// # Errors
    /// If a length or an action is wrong, a lane has not begun or, without autoreset, is over.
    pub fn step(&mut self, actions: &[i64], out: &mut Buffers<'_>) -> Result<(), BatchError> {
        self.check(out)?;
        self.length("actions", actions.len())?;
        self.actions(actions)?;
        self.phases()?;
        let (mode, stride) = (self.mode, self.count as u64);
        self.spread(out, |shard, world, out, first| {
            shard.step(world, mode, stride, &actions[first..], out);
        })?;
        self.faults()
    }

    /// The episodes that ended in the last step and that another followed in it, by lane. There
    /// are some only in [`Autoreset::SameStep`].
    pub fn finals(&self) -> impl Iterator<Item = Final<'_>> {
        let bytes = self.bytes.max(1);
        self.shards.iter().flat_map(move |shard| {
            let last = shard.last.chunks_exact(bytes);
            shard
                .finals
                .iter()
                .zip(last)
                .map(|(&(lane, level), observation)| Final {
                    lane,
                    level,
                    observation,
                })
        })
    }

    /// The lanes of the shard that has this lane, and its place there.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn lane(&self, lane: usize) -> Result<(&W::Lanes, usize), BatchError> {
        let shard = self.shard(lane)?;
        Ok((&self.shards[shard].lanes, lane - self.shards[shard].first))
    }

    /// The state of a lane.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn save(&self, lane: usize) -> Result<Saved, BatchError> {
        let (lanes, at) = self.lane(lane)?;
        Ok(self.world.save(lanes, at))
    }

    /// Takes up a saved state in a lane. What is shown of it is written with the next step; the
    /// caller's observations still show the old one.
    ///
    /// # Errors
    /// If there is no such lane, or the state is none of this world's.
    pub fn restore(&mut self, lane: usize, saved: &Saved) -> Result<(), BatchError> {
        let shard = self.shard(lane)?;
        let shard = &mut self.shards[shard];
        let at = lane - shard.first;
        self.world.restore(&mut shard.lanes, at, saved)?;
        let (seed, episode, _) = self.world.place(&shard.lanes, at);
        shard.turns[at] = Turn {
            seed,
            next: episode.wrapping_add(1),
        };
        let over = self.world.is_over(&shard.lanes, at);
        shard.enter(at, if over { Phase::Over } else { Phase::Running });
        Ok(())
    }

    /// Writes the observations of all lanes as they are.
    ///
    /// # Errors
    /// If a length is wrong.
    pub fn show(&mut self, out: &mut Buffers<'_>) -> Result<(), BatchError> {
        self.check(out)?;
        self.spread(out, |shard, world, out, _| shard.show(world, out))
    }

    fn shard(&self, lane: usize) -> Result<usize, BatchError> {
        let found = self
            .shards
            .iter()
            .position(|shard| (shard.first..shard.first + shard.count()).contains(&lane));
        found.ok_or(BatchError::Length {
            what: "environments",
            found: lane + 1,
            wanted: self.count,
        })
    }

    /// Calls `act` with every shard and its part of the buffers, and the number of its first
    /// lane.
    fn spread(
        &mut self,
        out: &mut Buffers<'_>,
        act: impl Fn(&mut Shard<W>, &W, &mut Buffers<'_>, usize) + Sync,
    ) -> Result<(), BatchError> {
        let world = &*self.world;
        if let [shard] = &mut self.shards[..] {
            act(shard, world, out, 0);
            return Ok(());
        }
        if !self.pool.is_whole() {
            self.pool = Pool::new(self.shards.len())?;
        }
        let actions = world.actions() as usize;
        let mut parts = Vec::with_capacity(self.shards.len());
        let mut rest = out.lend();
        for shard in &mut self.shards {
            let (part, more) = rest.split(shard.count(), self.bytes, actions);
            parts.push(Mutex::new((shard, part)));
            rest = more;
        }
        self.pool.run(&|number| {
            // Each thread takes its own part, so that no lock is ever waited for.
            if let Ok(mut part) = parts[number].lock() {
                let (shard, out) = &mut *part;
                let first = shard.first;
                act(shard, world, out, first);
            }
        });
        Ok(())
    }

    fn faults(&mut self) -> Result<(), BatchError> {
        let fault = self.shards.iter_mut().find_map(|shard| shard.fault.take());
        fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Whether every action is one.
    fn actions(&self, actions: &[i64]) -> Result<(), BatchError> {
        let count = self.world.actions();
        // No action is above all of them together, bit by bit.
        let together = actions.iter().fold(0, |all, &action| all | action);
        if (0..i64::from(count)).contains(&together) {
            return Ok(());
        }
        let wrong = |action: &i64| !(0..i64::from(count)).contains(action);
        match actions.iter().position(wrong) {
            Some(lane) => Err(BatchError::Action {
                lane,
                found: actions[lane],
                count,
            }),
            None => Ok(()),
        }
    }

    /// Whether every lane can take a step.
    fn phases(&self) -> Result<(), BatchError> {
        for shard in &self.shards {
            let find = |phase| shard.phases.iter().position(|&found| found == phase);
            if shard.unborn > 0 {
                let lane = shard.first + find(Phase::Unborn).unwrap_or(0);
                return Err(BatchError::Unborn { lane });
            }
            if shard.over > 0 && self.mode == Autoreset::Disabled {
                let lane = shard.first + find(Phase::Over).unwrap_or(0);
                return Err(BatchError::Over { lane });
            }
        }
        Ok(())
    }

    /// Whether every lane outside `mask` has begun.
    fn begun(&self, mask: &[bool]) -> Result<(), BatchError> {
        for shard in &self.shards {
            let mut pairs = shard.phases.iter().zip(&mask[shard.first..]);
            if let Some(at) = pairs.position(|(&phase, &reset)| phase == Phase::Unborn && !reset) {
                return Err(BatchError::Unborn {
                    lane: shard.first + at,
                });
            }
        }
        Ok(())
    }

    fn length(&self, what: &'static str, found: usize) -> Result<(), BatchError> {
        let wanted = self.count;
        if found == wanted {
            Ok(())
        } else {
            Err(BatchError::Length {
                what,
                found,
                wanted,
            })
        }
    }

    fn check(&self, out: &Buffers<'_>) -> Result<(), BatchError> {
        let wanted = self.count * self.bytes;
        if !out.observations.is_empty() && out.observations.len() != wanted {
            return Err(BatchError::Length {
                what: "observations",
                found: out.observations.len(),
                wanted,
            });
        }
        self.length("rewards", out.rewards.len())?;
        self.length("terminated", out.terminated.len())?;
        self.length("truncated", out.truncated.len())?;
        self.length("levels", out.levels.len())?;
        let wanted = self.count * self.world.actions() as usize;
        match &out.masks {
            Some(masks) if masks.len() != wanted => Err(BatchError::Length {
                what: "masks",
                found: masks.len(),
                wanted,
            }),
            _ => Ok(()),
        }
    }
}
