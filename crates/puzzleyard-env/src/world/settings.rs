//! How Sokoban is shown and paid.

use serde::{Deserialize, Serialize};

use super::reward::{Rewards, RewardsError};
use super::schedule::{Order, ScheduleError, Stage};

/// What an observation is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// One code a square, `(rows, cols)`, 0 to 6: see [`puzzleyard_sokoban::rules::grid`].
    #[default]
    Cells,
    /// Walls, goals, boxes, player, in this order: `(4, rows, cols)`, 0 or 1.
    Planes,
    /// A picture, `(rows · tile, cols · tile, 3)`, 0 to 255.
    Rgb,
    /// A picture in shades of grey, `(rows · tile, cols · tile)`, 0 to 255.
    Grey,
    /// The picture of Latent Sokoban, `(64, 64, 3)`, 0 to 255.
    Latent,
}

/// The colours of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Those of Latent Sokoban.
    #[default]
    Latent,
    /// Our own.
    House,
    /// Drawn anew for every episode, around those of Latent Sokoban.
    Jittered,
}

/// How Sokoban is shown and paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What an observation is made of.
    pub observation: Observation,
    /// The side of a square in pixels, for [`Observation::Rgb`] and [`Observation::Grey`]:
    /// 1 to 64.
    pub tile: u8,
    /// The colours of pictures.
    pub look: Look,
    /// The standard deviation of the noise on colour pictures, in levels of 255: 0 to 64.
    pub noise: f32,
    /// What is paid for what.
    pub rewards: Rewards,
    /// How many steps an episode has at most: 1 to a million.
    pub max_steps: u32,
    /// In which order levels are met.
    pub order: Order,
    /// How often each part of the levels is met; none for alike.
    pub stages: Vec<Stage>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            observation: Observation::Cells,
            tile: 8,
            look: Look::Latent,
            noise: 0.0,
            rewards: Rewards::SPARSE,
            max_steps: 120,
            order: Order::Random,
            stages: Vec::new(),
        }
    }
}

/// Why these settings cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A tile of no size, or a huge one.
    #[error("tiles of {found} pixels, wanted 1 to 64")]
    Tile {
        /// The size.
        found: u8,
    },
    /// A cell of a Sudoku that is too small for its digit, or huge.
    #[error("cells of {found} pixels, wanted 8 to 64")]
    Cell {
        /// The size.
        found: u8,
    },
    /// A limit of no steps, or a huge one.
    #[error("a limit of {found} steps, wanted 1 to {MAX_STEPS}")]
    Steps {
        /// The limit.
        found: u32,
    },
    /// Noise out of range.
    #[error("noise of {found}, wanted 0 to 64")]
    Noise {
        /// The standard deviation.
        found: f32,
    },
    /// A board that does not fit into the picture.
    #[error(
        "levels of {rows} rows and {cols} columns in a picture of 64 pixels, wanted at most 64"
    )]
    Canvas {
        /// Rows.
        rows: u16,
        /// Columns.
        cols: u16,
    },
    /// Observations of more than 16 MiB.
    #[error("observations of {found} bytes, wanted at most 16777216")]
    Bytes {
        /// Bytes of one.
        found: usize,
    },
    /// Rewards that cannot be paid.
    #[error(transparent)]
    Rewards(#[from] RewardsError),
    /// No schedule of the levels.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

/// The most steps of an episode.
pub(super) const MAX_STEPS: u32 = 1_000_000;

impl Settings {
    /// Checks what can be checked without levels.
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(1..=64).contains(&self.tile) {
            return Err(SettingsError::Tile { found: self.tile });
        }
        if !(1..=MAX_STEPS).contains(&self.max_steps) {
            return Err(SettingsError::Steps {
                found: self.max_steps,
            });
        }
        if !(0.0..=64.0).contains(&self.noise) {
            return Err(SettingsError::Noise { found: self.noise });
        }
        Ok(self.rewards.check()?)
    }
}
