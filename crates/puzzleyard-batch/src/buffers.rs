//! Where results go.

/// Memory of the caller for the results of a reset or a step. Every slice has an entry a lane,
/// lane 0 first.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Observations, each of as many bytes as the world's shape. An empty slice: none wanted.
    pub observations: &'a mut [u8],
    /// The reward of the step; 0 after a reset.
    pub rewards: &'a mut [f64],
    /// Whether the puzzle is over.
    pub terminated: &'a mut [bool],
    /// Whether the limit of steps is reached.
    pub truncated: &'a mut [bool],
    /// The number of the level that the observation shows.
    pub levels: &'a mut [i64],
    /// For every action of every lane, whether it would change the state that is shown.
    pub masks: Option<&'a mut [i8]>,
    /// Whether `observations` holds what the last reset or step of this batch wrote there, so
    /// that only what changed since needs to be written.
    pub patch: bool,
}

impl Buffers<'_> {
    /// The same memory, for a while.
    pub(crate) fn lend(&mut self) -> Buffers<'_> {
        Buffers {
            observations: self.observations,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            levels: self.levels,
            masks: self.masks.as_deref_mut(),
            patch: self.patch,
        }
    }

    /// The first `lanes` lanes and the others, for observations of `bytes` bytes and masks of
    /// `actions` entries.
    pub(crate) fn split(self, lanes: usize, bytes: usize, actions: usize) -> (Self, Self) {
        let shown = if self.observations.is_empty() {
            0
        } else {
            lanes * bytes
        };
        let (observations, more_observations) = self.observations.split_at_mut(shown);
        let (rewards, more_rewards) = self.rewards.split_at_mut(lanes);
        let (terminated, more_terminated) = self.terminated.split_at_mut(lanes);
        let (truncated, more_truncated) = self.truncated.split_at_mut(lanes);
        let (levels, more_levels) = self.levels.split_at_mut(lanes);
        let masks = self.masks.map(|masks| masks.split_at_mut(lanes * actions));
        let (masks, more_masks) = masks.unzip();
        let first = Buffers {
            observations,
            rewards,
            terminated,
            truncated,
            levels,
            masks,
            patch: self.patch,
        };
        let others = Buffers {
            observations: more_observations,
            rewards: more_rewards,
            terminated: more_terminated,
            truncated: more_truncated,
            levels: more_levels,
            masks: more_masks,
            patch: self.patch,
        };
        (first, others)
    }
}
