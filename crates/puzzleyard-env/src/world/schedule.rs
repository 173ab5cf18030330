//! Which level an episode plays.

use puzzleyard_core::Stream;
use serde::{Deserialize, Serialize};

/// In which order levels are met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Each episode draws a level, with replacement.
    #[default]
    Random,
    /// Episode `e` of seed `s` has level `s + e` times the number of lanes, modulo the number of
    /// levels: lanes that are seeded one after the other meet every level once before any twice.
    Sequential,
}

/// A stage of a curriculum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The first episode that this stage does not hold for; `None` for ever.
    #[serde(default)]
    pub until: Option<u64>,
    /// How often each part of the levels is drawn, in proportion.
    pub weights: Vec<f64>,
}

/// Levels in parts, and how often each part is drawn in the course of training.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    order: Order,
    /// The first level of each part, and the number of all levels.
    bounds: Vec<u64>,
    /// Where each stage ends, and where each of its parts ends on a scale of 2^53.
    stages: Vec<(u64, Vec<u64>)>,
    /// Which level, and which part: streams whose seed is given when they are asked.
    draws: (Stream, Stream),
}

/// Why there is no such schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// There is nothing to draw.
    #[error("no level to play, wanted at least one in every part")]
    NoLevels,
    /// Weights and parts differ in number.
    #[error("stage {stage} has {found} weights, wanted {wanted}, one for each part of the levels")]
    Weights {
        /// Which stage, from 1.
        stage: usize,
        /// Weights found.
        found: usize,
        /// Parts.
        wanted: usize,
    },
    /// A weight that is negative, infinite or none, or only zeros.
    #[error("stage {stage} has the weights {found:?}, wanted numbers from 0 with a sum over 0")]
    Weight {
        /// Which stage, from 1.
        stage: usize,
        /// The weights.
        found: Vec<f64>,
    },
    /// Stages out of order.
    #[error("stage {stage} ends before the one before it, or is the last and ends")]
    Until {
        /// Which stage, from 1.
        stage: usize,
    },
    /// Weights with an order that knows none.
    #[error("weights hold for random order only, found sequential order")]
    Sequential,
}

const SCALE: f64 = (1u64 << 53) as f64;

impl Schedule {
    /// A schedule over parts of these sizes. Without stages, every level is drawn alike.
    ///
    /// # Errors
    /// If a part is empty, there are none, or a stage does not fit.
    pub fn new(order: Order, parts: &[u64], stages: &[Stage]) -> Result<Self, ScheduleError> {
        if parts.is_empty() || parts.contains(&0) {
            return Err(ScheduleError::NoLevels);
        }
        if order == Order::Sequential && !stages.is_empty() {
            return Err(ScheduleError::Sequential);
        }
        let mut bounds = vec![0];
        for &part in parts {
            bounds.push(bounds[bounds.len() - 1] + part);
        }
        let mut schedule = Self {
            order,
            bounds,
            stages: Vec::new(),
            draws: (
                Stream::new(0, "puzzleyard-env level"),
                Stream::new(0, "puzzleyard-env part"),
            ),
        };
        for (at, stage) in stages.iter().enumerate() {
            let number = at + 1;
            let until = stage.until.unwrap_or(u64::MAX);
            let before = schedule.stages.last().map_or(0, |&(until, _)| until);
            if until <= before || (number == stages.len()) != stage.until.is_none() {
                return Err(ScheduleError::Until { stage: number });
            }
            if stage.weights.len() != parts.len() {
                return Err(ScheduleError::Weights {
                    stage: number,
                    found: stage.weights.len(),
                    wanted: parts.len(),
                });
            }
            let sum: f64 = stage.weights.iter().sum();
            let sane = stage.weights.iter().all(|&weight| weight >= 0.0);
            if !(sane && sum > 0.0 && sum.is_finite()) {
                return Err(ScheduleError::Weight {
                    stage: number,
                    found: stage.weights.clone(),
                });
            }
            let mut reached = 0.0;
            let ends = stage.weights.iter().map(|weight| {
                reached += weight;
                (reached / sum * SCALE) as u64
            });
            schedule.stages.push((until, ends.collect()));
        }
        Ok(schedule)
    }

    /// How many levels there are.
    pub fn levels(&self) -> u64 {
        self.bounds[self.bounds.len() - 1]
    }

    /// Which part a level belongs to.
    pub fn part(&self, level: u64) -> usize {
        self.bounds
            .partition_point(|&bound| bound <= level)
            .saturating_sub(1)
    }

    /// The level of episode `episode` of `seed`; `stride` as in
    /// [`World::start`](super::World::start).
    pub fn level(&self, seed: u64, episode: u64, stride: u64) -> u64 {
        let levels = self.levels();
        if self.order == Order::Sequential {
            let far = u128::from(episode) * u128::from(stride) + u128::from(seed);
            return (far % u128::from(levels)) as u64;
        }
        let stream = self.draws.0.with_seed(seed);
        let stage = self.stages.iter().find(|(until, _)| episode < *until);
        let Some((_, ends)) = stage else {
            return stream.below(episode, levels);
        };
        let dart = self.draws.1.with_seed(seed).number(episode) >> 11;
        // A weight of 0 leaves an empty interval, which no dart can hit.
        let part = ends.partition_point(|&end| end <= dart).min(ends.len() - 1);
        let (first, end) = (self.bounds[part], self.bounds[part + 1]);
        first + stream.below(episode, end - first)
    }
}
