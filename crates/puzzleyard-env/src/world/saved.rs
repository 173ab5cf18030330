//! A saved episode.

/// Boards up to this many squares are kept without a heap allocation.
const INLINE: usize = 200;

/// The state of an episode: at most 256 bytes for boards of up to 200 squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The first bytes of the id of the levels.
    pub(super) source: u64,
    pub(super) seed: u64,
    pub(super) episode: u64,
    pub(super) level: u64,
    pub(super) steps: u32,
    pub(super) dead: bool,
    pub(super) board: Board,
}

/// A board, one byte a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Board {
    Small(u8, [u8; INLINE]),
    Large(Box<[u8]>),
}

impl Board {
    pub(super) fn new(cells: &[u8]) -> Self {
        if cells.len() > INLINE {
            return Self::Large(cells.into());
        }
        let mut bytes = [0; INLINE];
        bytes[..cells.len()].copy_from_slice(cells);
        Self::Small(cells.len() as u8, bytes)
    }

    pub(super) fn cells(&self) -> &[u8] {
        match self {
            Self::Small(len, bytes) => &bytes[..usize::from(*len)],
            Self::Large(bytes) => bytes,
        }
    }
}

/// Why a saved state cannot be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// Bytes that are no saved state.
    #[error("{found} bytes are no saved state of version 1")]
    Bytes {
        /// How many.
        found: usize,
    },
    /// A state of other levels.
    #[error("the saved state belongs to other levels than these")]
    Source,
    /// No state of its level can look like that.
    #[error("the saved board is none of level {level}")]
    Board {
        /// The level.
        level: u64,
    },
    /// More steps than an episode has.
    #[error("the saved state has {found} steps, wanted at most {most}")]
    Steps {
        /// Steps found.
        found: u32,
        /// The limit.
        most: u32,
    },
}

/// The first byte of a saved state.
const VERSION: u8 = 1;
/// Bytes before the board.
const HEAD: usize = 38;

impl Saved {
    /// The number of the level.
    pub fn level(&self) -> u64 {
        self.level
    }

    /// The steps taken.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The state as bytes, the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let mut bytes = Vec::with_capacity(HEAD + cells.len());
        bytes.extend([VERSION, u8::from(self.dead)]);
        for number in [self.source, self.seed, self.episode, self.level] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend(cells);
        bytes
    }

    /// The state of [`Saved::to_bytes`]. Whether it is a state of some world is found out when
    /// it is restored.
    ///
    /// # Errors
    /// If the bytes are too few, too many, or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedError> {
        let wrong = SavedError::Bytes { found: bytes.len() };
        if bytes.len() < HEAD || bytes.len() > HEAD + 65_535 {
            return Err(wrong);
        }
        let (head, cells) = bytes.split_at(HEAD);
        let number = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&head[2 + at * 8..10 + at * 8]);
            u64::from_le_bytes(word)
        };
        if head[0] != VERSION || head[1] > 1 {
            return Err(wrong);
        }
        Ok(Self {
            source: number(0),
            seed: number(1),
            episode: number(2),
            level: number(3),
            steps: u32::from_le_bytes([head[34], head[35], head[36], head[37]]),
            dead: head[1] == 1,
            board: Board::new(cells),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Saved;

    #[test]
    fn a_saved_state_is_small() {
        assert!(size_of::<Saved>() <= 256, "{}", size_of::<Saved>());
    }
}
