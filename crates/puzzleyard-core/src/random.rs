//! Counter-based random numbers: the same on every platform, in any order, for ever.
//!
//! The generator is Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: "Parallel random
//! numbers: as easy as 1, 2, 3", SC 2011, section 3.3). A number is a pure function of key
//! and counter, so that threads need not share a state.

use crate::ContentId;

const MULTIPLIERS: (u32, u32) = (0xD251_1F53, 0xCD9E_8D57);
const WEYL: (u32, u32) = (0x9E37_79B9, 0xBB67_AE85);
const ROUNDS: usize = 10;

/// A stream of random numbers, named by a seed and a purpose.
///
/// Streams of different purposes are unrelated, so a new use of randomness never shifts the
/// numbers that an old one sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
    lane: u64,
}

impl Stream {
    /// The stream of `seed` for `purpose`.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let hash = ContentId::of(purpose.as_bytes());
        let mut lane = [0; 8];
        lane.copy_from_slice(&hash.bytes()[..8]);
        Self {
            key: [seed as u32, (seed >> 32) as u32],
            lane: u64::from_le_bytes(lane),
        }
    }

    /// The stream of another seed for the same purpose.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> Self {
        Self {
            key: [seed as u32, (seed >> 32) as u32],
            lane: self.lane,
        }
    }

    /// The `counter`-th number, uniform over all 64-bit values.
    pub fn number(&self, counter: u64) -> u64 {
        let block = philox(
            [
                counter as u32,
                (counter >> 32) as u32,
                self.lane as u32,
                (self.lane >> 32) as u32,
            ],
            self.key,
        );
        u64::from(block[0]) | u64::from(block[1]) << 32
    }

    /// The `counter`-th number below `bound`, by multiply and shift. The bias is below
    /// `bound / 2^64`. A bound of 0 gives 0.
    pub fn below(&self, counter: u64, bound: u64) -> u64 {
        ((u128::from(self.number(counter)) * u128::from(bound)) >> 64) as u64
    }
}

fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let first = u64::from(MULTIPLIERS.0) * u64::from(counter[0]);
        let second = u64::from(MULTIPLIERS.1) * u64::from(counter[2]);
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(WEYL.0), key[1].wrapping_add(WEYL.1)];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::{Stream, philox};

    /// The known-answer vectors of the authors' Random123 distribution for philox4x32-10.
    #[test]
    fn agrees_with_published_vectors() {
        assert_eq!(
            philox([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn another_seed_for_the_same_purpose_is_that_stream() {
        let stream = Stream::new(3, "test").with_seed(u64::MAX - 5);
        assert_eq!(stream, Stream::new(u64::MAX - 5, "test"));
    }

    #[test]
    fn below_stays_below_and_reaches_every_value() {
        let stream = Stream::new(3, "test");
        let mut seen = [0u32; 6];
        for counter in 0..600 {
            seen[stream.below(counter, 6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        assert_eq!(stream.below(1, 0), 0);
    }
}
