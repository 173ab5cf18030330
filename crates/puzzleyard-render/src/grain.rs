//! The roughness of surfaces: a fixed texture of small steps up and down.
//!
//! A flat colour looks like a diagram, and a large flat picture compresses to nearly nothing,
//! which makes a true picture of a small board look like a placeholder to whoever weighs
//! files. The texture is computed at compile time from a counter, so it is the same on every
//! platform.

/// Side of the texture. It repeats in both directions.
pub(crate) const SIDE: usize = 64;

static TEXTURE: [[i8; SIDE]; SIDE] = texture();

/// The step at row `y` and column `x`: -1, 0 or 1. Three of four are 0.
pub(crate) fn at(x: usize, y: usize) -> i16 {
    i16::from(TEXTURE[y % SIDE][x % SIDE])
}

const fn texture() -> [[i8; SIDE]; SIDE] {
    let mut cells = [[0; SIDE]; SIDE];
    let mut index = 0;
    while index < SIDE * SIDE {
        cells[index / SIDE][index % SIDE] = match scramble(index as u64) % 8 {
            0 => -1,
            1 => 1,
            _ => 0,
        };
        index += 1;
    }
    cells
}

/// A number that looks unrelated to `counter`: the output function of `SplitMix64` (Steele,
/// Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17).
pub(crate) const fn scramble(counter: u64) -> u64 {
    let mut mixed = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{SIDE, at, scramble};

    /// The first outputs of `SplitMix64` from seed 0, as in the reference implementation's
    /// widely used test vector.
    #[test]
    fn scrambles_as_published() {
        assert_eq!(scramble(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(scramble(1), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(scramble(2), 0x06c4_5d18_8009_454f);
    }

    #[test]
    fn rises_and_falls_alike() {
        let steps: Vec<i16> = (0..SIDE * SIDE).map(|n| at(n % SIDE, n / SIDE)).collect();
        let ups = steps.iter().filter(|&&step| step == 1).count();
        let downs = steps.iter().filter(|&&step| step == -1).count();
        assert!(
            (400..624).contains(&ups) && (400..624).contains(&downs),
            "{ups} {downs}"
        );
    }
}
