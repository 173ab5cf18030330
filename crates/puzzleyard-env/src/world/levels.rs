//! Where levels come from.

use puzzleyard_core::{Area, ContentId};

use super::StartError;
use super::level_set::{Entry, LevelSet};
use super::schedule::Schedule;

/// A source of levels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Levels {
    /// A set. What a schedule draws are its levels.
    Set(LevelSet),
}

impl From<LevelSet> for Levels {
    fn from(set: LevelSet) -> Self {
        Self::Set(set)
    }
}

impl Levels {
    /// The size that every board is padded to.
    pub fn area(&self) -> Area {
        match self {
            Self::Set(set) => set.area(),
        }
    }

    /// The sizes that levels have before they are padded, each once.
    pub(super) fn areas(&self) -> Vec<Area> {
        match self {
            Self::Set(set) => set.areas(),
        }
    }

    /// How many levels each part has. A stream is one part without an end.
    pub fn parts(&self) -> &[u64] {
        match self {
            Self::Set(set) => set.parts(),
        }
    }

    /// The id of the source.
    pub fn id(&self) -> ContentId {
        match self {
            Self::Set(set) => set.id(),
        }
    }

    /// The first eight bytes of the id.
    pub(super) fn mark(&self) -> u64 {
        let id = self.id();
        id.bytes()[..8]
            .iter()
            .fold(0, |mark, &byte| mark << 8 | u64::from(byte))
    }

    /// The level of an episode.
    pub(super) fn pick(&self, schedule: &Schedule, seed: u64, episode: u64, stride: u64) -> u64 {
        match self {
            Self::Set(_) => schedule.level(seed, episode, stride),
        }
    }

    /// Hands the board of a level to `take`.
    pub(super) fn with<T>(
        &self,
        _seed: u64,
        level: u64,
        take: impl FnOnce(&[u8], Entry) -> T,
    ) -> Result<T, StartError> {
        match self {
            Self::Set(set) => match (set.board(level), set.entry(level)) {
                (Some(board), Some(entry)) => Ok(take(board, entry)),
                _ => Err(StartError::NoSuchLevel {
                    found: level,
                    count: set.count(),
                }),
            },
        }
    }

    /// The id of a level under a seed.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn level_id(&self, _seed: u64, level: u64) -> Result<ContentId, StartError> {
        match self {
            Self::Set(set) => set.level_id(level).ok_or(StartError::NoSuchLevel {
                found: level,
                count: set.count(),
            }),
        }
    }
}
