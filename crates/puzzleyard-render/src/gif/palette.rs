//! Palettes: from colours to places among at most 256.
//!
//! Too many colours are grouped by median cut (Heckbert: "Color image quantization for frame
//! buffer display", SIGGRAPH 1982, section 4.2), in integers.

use std::collections::{BTreeMap, BTreeSet};

use crate::colour::Rgb;

/// The palette of one frame.
pub(super) struct Palette {
    /// Its colours, or `None` for the palette of the whole animation.
    pub(super) colours: Option<Vec<u8>>,
    /// The place of pixels that stay as they are, or `None` if all are drawn.
    pub(super) transparent: Option<u8>,
    places: BTreeMap<Rgb, u8>,
}

impl Palette {
    /// The palette of the whole animation.
    pub(super) fn common(places: &BTreeMap<Rgb, u8>) -> Self {
        Self {
            colours: None,
            transparent: Some(0),
            places: places.clone(),
        }
    }

    /// A palette for one frame: for the `changed` colours beside a transparent place, or for
    /// all colours `after`, exact if either is possible.
    pub(super) fn own(changed: &BTreeSet<Rgb>, dots: &[Option<Rgb>], after: &[Rgb]) -> Self {
        if changed.len() > 255 {
            let all: BTreeSet<Rgb> = after.iter().copied().collect();
            if all.len() <= 256 {
                return Self::exact(&all, None);
            }
            return Self::grouped(dots);
        }
        Self::exact(changed, Some(0))
    }

    fn exact(colours: &BTreeSet<Rgb>, transparent: Option<u8>) -> Self {
        let first = usize::from(transparent.is_some());
        let mut table = vec![0; first * 3];
        table.extend(colours.iter().flatten());
        let places = (first..)
            .zip(colours)
            .map(|(place, &colour)| (colour, place as u8));
        Self {
            colours: Some(table),
            transparent,
            places: places.collect(),
        }
    }

    /// 255 groups of like colours, each shown as its mean.
    fn grouped(dots: &[Option<Rgb>]) -> Self {
        let mut counts: BTreeMap<Rgb, u64> = BTreeMap::new();
        for &colour in dots.iter().flatten() {
            *counts.entry(colour).or_insert(0) += 1;
        }
        let mut groups = vec![counts.into_iter().collect::<Vec<_>>()];
        while groups.len() < 255 {
            // The group whose cut promises most: widest, and often used.
            let Some((at, axis)) = (0..groups.len())
                .filter(|&at| groups[at].len() > 1)
                .map(|at| (at, widest(&groups[at])))
                .max_by_key(|&(at, (_, width))| {
                    let uses: u64 = groups[at].iter().map(|&(_, count)| count).sum();
                    (u64::from(width) * uses, usize::MAX - at)
                })
                .map(|(at, (axis, _))| (at, axis))
            else {
                break;
            };
            let far = halve(&mut groups[at], axis);
            groups.push(far);
        }
        let mut table = vec![0; 3];
        let mut places = BTreeMap::new();
        for (place, group) in (1..=255).zip(&groups) {
            table.extend(mean(group));
            places.extend(group.iter().map(|&(colour, _)| (colour, place)));
        }
        Self {
            colours: Some(table),
            transparent: Some(0),
            places,
        }
    }

    /// The place of each dot; of the pixel `after` where nothing is transparent.
    pub(super) fn indices(&self, dots: &[Option<Rgb>], after: &[Rgb]) -> Vec<u8> {
        let place = |colour: &Rgb| self.places.get(colour).copied().unwrap_or(0);
        match self.transparent {
            Some(clear) => dots
                .iter()
                .map(|dot| dot.as_ref().map_or(clear, place))
                .collect(),
            None => after.iter().map(place).collect(),
        }
    }
}

/// The axis along which the colours spread most, and how far they do.
fn widest(group: &[(Rgb, u64)]) -> (usize, u8) {
    let spread = |axis: usize| {
        let parts = || group.iter().map(move |(colour, _)| colour[axis]);
        parts().max().unwrap_or(0) - parts().min().unwrap_or(0)
    };
    let mut best = (0, spread(0));
    for axis in 1..3 {
        if spread(axis) > best.1 {
            best = (axis, spread(axis));
        }
    }
    best
}

/// Cuts `group` along `axis` where half of its uses lie on either side; gives the far half.
/// A group of two or more leaves none empty.
fn halve(group: &mut Vec<(Rgb, u64)>, axis: usize) -> Vec<(Rgb, u64)> {
    group.sort_by_key(|&(colour, _)| (colour[axis], colour));
    let uses: u64 = group.iter().map(|&(_, count)| count).sum();
    let mut passed = 0;
    let cut = group
        .iter()
        .position(|&(_, count)| {
            passed += count;
            passed * 2 >= uses
        })
        .map_or(1, |at| (at + 1).min(group.len() - 1));
    group.split_off(cut)
}

fn mean(group: &[(Rgb, u64)]) -> Rgb {
    let uses: u64 = group.iter().map(|&(_, count)| count).sum();
    [0, 1, 2].map(|axis| {
        let sum: u64 = group
            .iter()
            .map(|&(colour, count)| u64::from(colour[axis]) * count)
            .sum();
        ((sum + uses / 2) / uses.max(1)) as u8
    })
}
