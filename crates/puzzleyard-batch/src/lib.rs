//! Many episodes at once.
//!
//! ```
//! use std::sync::Arc;
//! use puzzleyard_batch::{Autoreset, Batch, Buffers};
//! use puzzleyard_env::world::{LevelSet, Settings, Sokoban};
//!
//! let levels = LevelSet::from_xsb("######\n#@ $.#\n######\n")?;
//! let world = Arc::new(Sokoban::new(levels, Settings::default())?);
//! let mut batch = Batch::new(world, 3, 1, Autoreset::NextStep)?;
//!
//! let mut observations = vec![0; 3 * 18];
//! let (mut rewards, mut levels) = ([0.0; 3], [0; 3]);
//! let (mut terminated, mut truncated) = ([false; 3], [false; 3]);
//! let mut buffers = Buffers {
//!     observations: &mut observations,
//!     rewards: &mut rewards,
//!     terminated: &mut terminated,
//!     truncated: &mut truncated,
//!     levels: &mut levels,
//!     masks: None,
//!     patch: false,
//! };
//! batch.reset(&[Some(1), Some(2), Some(3)], None, None, &mut buffers)?;
//! batch.step(&[3, 3, 0], &mut buffers)?;
//! batch.step(&[3, 0, 0], &mut buffers)?;
//! assert_eq!(terminated, [true, false, false]);
//! assert_eq!(rewards, [1.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Batch`] holds the lanes of a [`World`](puzzleyard_env::world::World), shared out to threads
//! in runs of neighbours. What lane `i` does depends on its seed and its actions only, never on
//! the number of threads. Observations go straight into memory of the caller.
#![deny(unsafe_op_in_unsafe_fn)]

mod batch;
mod buffers;
mod pool;
mod shard;

pub use batch::{Batch, BatchError, Final, MAX_LANES, MAX_THREADS};
pub use buffers::Buffers;
pub use shard::Autoreset;
