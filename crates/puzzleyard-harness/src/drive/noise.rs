//! Pictures compared without the pixels that change by themselves.

use puzzleyard_render::Picture;

/// Fewer changed pixels than this are no sign of a step: a board square is far larger.
pub(super) const LEAST_CHANGE: usize = 6;

/// Which pixels of a picture are ignored. Empty for none.
#[derive(Clone, Debug, Default)]
pub(super) struct Mask {
    restless: Vec<bool>,
}

impl Mask {
    /// Ignores from now on the pixels that differ between `a` and `b`. True if there are new
    /// ones among them.
    pub(super) fn learn(&mut self, a: &Picture, b: &Picture) -> bool {
        if !same_size(a, b) {
            return false;
        }
        self.restless.resize(a.rgb().len() / 3, false);
        let mut grew = false;
        for ((one, other), ignored) in a
            .rgb()
            .chunks_exact(3)
            .zip(b.rgb().chunks_exact(3))
            .zip(&mut self.restless)
        {
            if one != other && !*ignored {
                *ignored = true;
                grew = true;
            }
        }
        grew
    }

    /// Ignores what `other` ignores too.
    pub(super) fn join(&mut self, other: &Self) {
        if self.restless.len() < other.restless.len() {
            self.restless.resize(other.restless.len(), false);
        }
        for (own, &theirs) in self.restless.iter_mut().zip(&other.restless) {
            *own |= theirs;
        }
    }

    /// How many pixels are ignored.
    pub(super) fn len(&self) -> usize {
        self.restless.iter().filter(|&&ignored| ignored).count()
    }

    /// How many pixels differ that are not ignored; all if the sizes differ.
    pub(super) fn differing(&self, a: &Picture, b: &Picture) -> usize {
        if !same_size(a, b) {
            return a.rgb().len().max(b.rgb().len()) / 3;
        }
        if a == b {
            return 0;
        }
        a.rgb()
            .chunks_exact(3)
            .zip(b.rgb().chunks_exact(3))
            .enumerate()
            .filter(|(at, (one, other))| {
                one != other && !self.restless.get(*at).copied().unwrap_or(false)
            })
            .count()
    }
}

fn same_size(a: &Picture, b: &Picture) -> bool {
    (a.width(), a.height()) == (b.width(), b.height())
}

/// Whether a picture shows nothing: no pixels, or a single colour.
pub(super) fn is_blank(picture: &Picture) -> bool {
    let mut pixels = picture.rgb().chunks_exact(3);
    match pixels.next() {
        Some(first) => pixels.all(|pixel| pixel == first),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_render::Picture;

    use super::{Mask, is_blank};

    #[test]
    fn ignored_pixels_do_not_count() {
        let plain = Picture::filled(4, 3, [9, 9, 9]);
        let mut blink = plain.clone();
        blink.set(1, 1, [0, 0, 0]);
        let mut moved = blink.clone();
        moved.set(2, 2, [1, 1, 1]);
        let mut mask = Mask::default();
        assert_eq!(mask.differing(&plain, &moved), 2);
        assert!(mask.learn(&plain, &blink));
        assert!(!mask.learn(&plain, &blink));
        assert_eq!((mask.len(), mask.differing(&plain, &moved)), (1, 1));
        assert_eq!(mask.differing(&plain, &blink), 0);
        assert_eq!(mask.differing(&plain, &Picture::filled(2, 2, [0; 3])), 12);
        assert!(is_blank(&plain) && !is_blank(&blink));
        assert!(is_blank(&Picture::filled(0, 0, [0; 3])));
    }
}
