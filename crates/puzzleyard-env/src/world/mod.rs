//! Episodes for programs that learn: an action a step, a number for a reward, an array for an
//! observation.
//!
//! ```
//! use std::sync::Arc;
//! use puzzleyard_env::world::{Episode, LevelSet, Levels, Settings, Sokoban};
//!
//! let levels = LevelSet::from_xsb("######\n#@$ .#\n######\n")?;
//! let world = Sokoban::new(Levels::Set(levels), Settings::default())?;
//! let mut episode = Episode::new(Arc::new(world));
//! episode.reset(Some(7))?;
//! let right = 3;
//! assert_eq!(episode.step(right)?.reward, 0.0);
//! let last = episode.step(right)?;
//! assert!(last.terminated && !last.truncated);
//! assert_eq!(last.reward, 1.0);
//! assert!(episode.step(right).is_err()); // the episode is over
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`World`] is what does not change: levels, observation, rewards, the limit of steps. Its
//! lanes hold the changing half of any number of episodes, one array a quantity. [`Episode`] is
//! one lane with the manners of one episode; `puzzleyard-batch` steps many lanes at once.
//! Everything that happens is decided by the world, the seed, the number of the episode under
//! this seed, and the actions.

mod catalogue;
mod deadlock;
mod episode;
mod facts;
mod level_set;
mod levels;
mod picture;
mod potential;
mod puzzle_set;
mod reward;
mod saved;
mod schedule;
mod settings;
mod sokoban;
mod sudoku;

pub use catalogue::{ENVIRONMENTS, Environment, Game};
pub use episode::{Episode, StepError};
pub use facts::{Facts, Life};
pub use level_set::{LevelSet, LevelSetError};
pub use levels::Levels;
pub use puzzle_set::{PuzzleSet, PuzzleSetError};
pub use reward::{Rewards, RewardsError};
pub use saved::{Saved, SavedError};
pub use schedule::{Order, Schedule, ScheduleError, Stage};
pub use settings::{Look, Observation, Settings, SettingsError};
pub use sokoban::{Sokoban, SokobanLanes};
pub use sudoku::{Sudoku, SudokuLanes, SudokuObservation, SudokuRewards, SudokuSettings};

/// Why an episode cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A level that is not there.
    #[error("level {found}, wanted one below {count}")]
    NoSuchLevel {
        /// The number asked for, from 0.
        found: u64,
        /// How many levels there are.
        count: u64,
    },
    /// The generator has no level of this number.
    #[error("generated level {index} of seed {seed}: {why}")]
    Generator {
        /// The seed.
        seed: u64,
        /// The number.
        index: u64,
        /// What the generator says.
        why: String,
    },
}

/// What a step earned and whether the episode is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The reward of this step.
    pub reward: f64,
    /// The puzzle itself is over: solved, or dead where the settings say that this ends it.
    pub terminated: bool,
    /// The limit of steps is reached and the puzzle is not over.
    pub truncated: bool,
}

impl Outcome {
    /// Whether the episode is over, either way.
    pub const fn is_over(self) -> bool {
        self.terminated || self.truncated
    }
}

/// The size and the type of an observation: bytes of this shape, row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The lengths of the axes, outermost first.
    pub axes: Vec<usize>,
    /// The largest value of a byte. The smallest is 0.
    pub most: u8,
}

impl Shape {
    /// Bytes in all.
    pub fn bytes(&self) -> usize {
        self.axes.iter().product()
    }
}

/// What does not change while episodes are played.
///
/// A lane is one episode's changing half. The methods that take `lanes` and `at` mean lane `at`
/// of these lanes, which must be below the count that they were made for.
pub trait World: Send + Sync {
    /// The changing half of any number of episodes.
    type Lanes: Clone + Send + std::fmt::Debug;

    /// How many actions there are: they are numbered from 0.
    fn actions(&self) -> u32;

    /// The form of an observation.
    fn shape(&self) -> Shape;

    /// How many steps an episode has at most.
    fn max_steps(&self) -> u32;

    /// Lanes for `count` episodes. None of them has begun.
    fn lanes(&self, count: usize) -> Self::Lanes;

    /// Begins episode number `episode` of `seed`. `stride` is how far apart the levels of
    /// consecutive episodes stand in [`Order::Sequential`]: the number of lanes that share the
    /// levels.
    ///
    /// # Errors
    /// If the source of levels has none for it.
    fn start(
        &self,
        lanes: &mut Self::Lanes,
        at: usize,
        seed: u64,
        episode: u64,
        stride: u64,
    ) -> Result<(), StartError>;

    /// Begins an episode on a level of the caller's choice.
    ///
    /// # Errors
    /// If there is no such level.
    fn start_on(
        &self,
        lanes: &mut Self::Lanes,
        at: usize,
        seed: u64,
        episode: u64,
        level: u64,
    ) -> Result<(), StartError>;

    /// Takes a step. `action` is below [`World::actions`]; a larger one has the effect of some
    /// action that is. The episode is not over.
    fn act(&self, lanes: &mut Self::Lanes, at: usize, action: u32) -> Outcome;

    /// Writes the observation, all of it. `out` has as many bytes as the shape.
    fn observe(&self, lanes: &Self::Lanes, at: usize, out: &mut [u8]);

    /// Writes the observations of lanes one after the other.
    fn observe_all(&self, lanes: &Self::Lanes, count: usize, out: &mut [u8]) {
        let bytes = self.shape().bytes().max(1);
        for (at, one) in out.chunks_exact_mut(bytes).take(count).enumerate() {
            self.observe(lanes, at, one);
        }
    }

    /// Writes what the last step changed, over an observation of the state before it. Right
    /// after the start of an episode nothing is known of `out`; then, and for observations that
    /// cannot be patched, this is [`World::observe`].
    fn patch(&self, lanes: &Self::Lanes, at: usize, out: &mut [u8]) {
        self.observe(lanes, at, out);
    }

    /// Writes 1 for every action that would change the state, 0 for the others.
    fn mask(&self, lanes: &Self::Lanes, at: usize, out: &mut [i8]);

    /// The number of the level that is played.
    fn level(&self, lanes: &Self::Lanes, at: usize) -> u64;

    /// Writes the numbers of the levels of the first lanes.
    fn levels(&self, lanes: &Self::Lanes, out: &mut [i64]) {
        for (at, level) in out.iter_mut().enumerate() {
            *level = self.level(lanes, at) as i64;
        }
    }

    /// The seed, the episode's number under it, and the steps taken.
    fn place(&self, lanes: &Self::Lanes, at: usize) -> (u64, u64, u32);

    /// The state of an episode, to be taken up again.
    fn save(&self, lanes: &Self::Lanes, at: usize) -> Saved;

    /// Whether the episode is over.
    fn is_over(&self, lanes: &Self::Lanes, at: usize) -> bool;

    /// Takes a saved episode up. It goes on as the saved one would have.
    ///
    /// # Errors
    /// If it is none of this world's. The lane is then as it was.
    fn restore(&self, lanes: &mut Self::Lanes, at: usize, saved: &Saved) -> Result<(), SavedError>;
}
