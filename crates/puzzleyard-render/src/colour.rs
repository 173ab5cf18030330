//! Arithmetic on colours.

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

pub(crate) const BLACK: Rgb = [0; 3];
pub(crate) const WHITE: Rgb = [255; 3];

/// `share` parts of `to` and `256 - share` parts of `from`, rounded. `share` is at most 256.
pub(crate) fn mix(from: Rgb, to: Rgb, share: u32) -> Rgb {
    let blend =
        |a: u8, b: u8| ((u32::from(a) * (256 - share) + u32::from(b) * share + 128) / 256) as u8;
    [
        blend(from[0], to[0]),
        blend(from[1], to[1]),
        blend(from[2], to[2]),
    ]
}

/// `colour` with `by` added to each part, within 0 to 255.
pub(crate) fn shift(colour: Rgb, by: i16) -> Rgb {
    colour.map(|part| (i16::from(part) + by).clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::{BLACK, WHITE, mix, shift};

    #[test]
    fn mixing_reaches_both_ends_and_shifting_stays_inside() {
        assert_eq!(mix(BLACK, WHITE, 0), BLACK);
        assert_eq!(mix(BLACK, WHITE, 256), WHITE);
        assert_eq!(mix([10, 20, 30], [10, 20, 30], 77), [10, 20, 30]);
        assert_eq!(shift([1, 128, 250], 10), [11, 138, 255]);
        assert_eq!(shift([1, 128, 250], -10), [0, 118, 240]);
    }
}
