//! Animated GIF (version 89a), frame by frame.
//!
//! A frame after the first holds only the rectangle that changed, and in it only the pixels
//! that changed; the others are transparent. Frames are compressed as they arrive. Their
//! colours go to one palette of 255 for the whole animation, in the order of arrival; a frame
//! whose colours no longer fit there brings its own palette.

mod palette;

use std::collections::{BTreeMap, BTreeSet};

use self::palette::Palette;
use crate::Picture;
use crate::colour::Rgb;

/// A picture that cannot be a frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GifError {
    /// The frame's size is not that of the animation.
    #[error("frame of {width} x {height} pixels, expected {expected_width} x {expected_height}")]
    Size {
        /// Columns of the frame.
        width: u32,
        /// Rows of the frame.
        height: u32,
        /// Columns of the animation.
        expected_width: u32,
        /// Rows of the animation.
        expected_height: u32,
    },
    /// GIF counts rows and columns in 16 bits, and from 1.
    #[error("animation of {width} x {height} pixels, expected 1 to 65535 of each")]
    Unsupported {
        /// Columns of the animation.
        width: u32,
        /// Rows of the animation.
        height: u32,
    },
}

/// An animated picture that loops for ever.
///
/// ```
/// use puzzleyard_render::{Picture, gif::Animation};
///
/// let mut animation = Animation::new(20, 10);
/// animation.push(&Picture::filled(20, 10, [200, 0, 0]), 50)?;
/// animation.push(&Picture::filled(20, 10, [0, 0, 200]), 50)?;
/// assert!(animation.finish().starts_with(b"GIF89a"));
/// # Ok::<(), puzzleyard_render::gif::GifError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Animation {
    width: u32,
    height: u32,
    /// The last picture pushed.
    shown: Option<Picture>,
    /// Colours of the common palette and their places. Place 0 is the transparent one.
    common: BTreeMap<Rgb, u8>,
    /// Compressed frames.
    frames: Vec<::gif::Frame<'static>>,
}

/// A rectangle of pixels.
#[derive(Clone, Copy)]
struct Patch {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Animation {
    /// An animation of frames of `width` x `height` pixels, none yet.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            shown: None,
            common: BTreeMap::new(),
            frames: Vec::new(),
        }
    }

    /// Adds a frame, to be shown for `delay_centiseconds` hundredths of a second.
    ///
    /// A picture of up to 256 colours is kept exactly; in others each changed colour becomes
    /// the mean of a group of like ones. A picture equal to the one before lengthens its time
    /// instead of adding a frame.
    ///
    /// # Errors
    /// The picture's size is not the animation's, or is none that GIF can hold.
    pub fn push(&mut self, picture: &Picture, delay_centiseconds: u16) -> Result<(), GifError> {
        let (width, height) = (self.width, self.height);
        let fits = |length: u32| (1..=u32::from(u16::MAX)).contains(&length);
        if !fits(width) || !fits(height) {
            return Err(GifError::Unsupported { width, height });
        }
        if (picture.width(), picture.height()) != (width, height) {
            return Err(GifError::Size {
                width: picture.width(),
                height: picture.height(),
                expected_width: width,
                expected_height: height,
            });
        }
        let patch = match &self.shown {
            None => Patch {
                left: 0,
                top: 0,
                width,
                height,
            },
            Some(before) => changed(before, picture).unwrap_or(Patch {
                left: 0,
                top: 0,
                width: 1,
                height: 1,
            }),
        };
        let unchanged = self.shown.as_ref() == Some(picture);
        if let Some(last) = self.frames.last_mut().filter(|_| unchanged)
            && let Some(longer) = last.delay.checked_add(delay_centiseconds)
        {
            last.delay = longer;
            return Ok(());
        }
        let mut frame = self.frame(picture, patch);
        frame.delay = delay_centiseconds;
        frame.make_lzw_pre_encoded();
        self.frames.push(frame);
        if !unchanged {
            self.shown = Some(picture.clone());
        }
        Ok(())
    }

    /// The GIF's bytes; none if there is no frame.
    pub fn finish(self) -> Vec<u8> {
        if self.frames.is_empty() {
            return Vec::new();
        }
        // Sizes and palettes were checked frame by frame, and memory takes every write.
        self.write().unwrap_or_default()
    }

    fn write(self) -> Result<Vec<u8>, ::gif::EncodingError> {
        let mut colours = vec![[0; 3]; self.common.len() + 1];
        for (colour, place) in self.common {
            colours[usize::from(place)] = colour;
        }
        let (width, height) = (self.width as u16, self.height as u16);
        let mut encoder = ::gif::Encoder::new(Vec::new(), width, height, colours.as_flattened())?;
        encoder.set_repeat(::gif::Repeat::Infinite)?;
        for frame in &self.frames {
            encoder.write_lzw_pre_encoded_frame(frame)?;
        }
        encoder.into_inner()
    }

    /// The frame that turns what is shown into `picture` by drawing `patch`.
    fn frame(&mut self, picture: &Picture, patch: Patch) -> ::gif::Frame<'static> {
        let after = pixels(picture, patch);
        let before = self.shown.as_ref().map(|shown| pixels(shown, patch));
        let dots: Vec<Option<Rgb>> = match &before {
            None => after.iter().copied().map(Some).collect(),
            Some(before) => before
                .iter()
                .zip(&after)
                .map(|(old, new)| (old != new).then_some(*new))
                .collect(),
        };
        let changed: BTreeSet<Rgb> = dots.iter().flatten().copied().collect();
        let palette = if self.adopt(&changed) {
            Palette::common(&self.common)
        } else {
            Palette::own(&changed, &dots, &after)
        };
        ::gif::Frame {
            left: patch.left as u16,
            top: patch.top as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            transparent: palette.transparent,
            buffer: palette.indices(&dots, &after).into(),
            palette: palette.colours,
            ..::gif::Frame::default()
        }
    }

    /// Takes `colours` into the common palette if all fit.
    fn adopt(&mut self, colours: &BTreeSet<Rgb>) -> bool {
        let fresh: Vec<Rgb> = colours
            .iter()
            .filter(|colour| !self.common.contains_key(*colour))
            .copied()
            .collect();
        if self.common.len() + fresh.len() > 255 {
            return false;
        }
        for colour in fresh {
            let place = self.common.len() as u8 + 1;
            self.common.insert(colour, place);
        }
        true
    }
}

/// The smallest rectangle outside of which two pictures of one size agree, or `None` if they
/// are equal.
fn changed(before: &Picture, after: &Picture) -> Option<Patch> {
    let stride = after.width() as usize * 3;
    let (mut left, mut right) = (stride, 0);
    let (mut top, mut bottom) = (None, 0);
    let rows = before
        .rgb()
        .chunks_exact(stride)
        .zip(after.rgb().chunks_exact(stride));
    for (y, (old, new)) in rows.enumerate() {
        if old == new {
            continue;
        }
        top = top.or(Some(y));
        bottom = y + 1;
        let differs = |at: &usize| old[*at] != new[*at];
        left = (0..left).find(differs).unwrap_or(left);
        right = (right..stride).rfind(differs).map_or(right, |at| at + 1);
    }
    let top = top?;
    let (left, right) = (left / 3, right.div_ceil(3));
    Some(Patch {
        left: left as u32,
        top: top as u32,
        width: (right - left) as u32,
        height: (bottom - top) as u32,
    })
}

fn pixels(picture: &Picture, patch: Patch) -> Vec<Rgb> {
    let stride = picture.width() as usize * 3;
    let (left, width) = (patch.left as usize * 3, patch.width as usize * 3);
    picture
        .rgb()
        .chunks_exact(stride)
        .skip(patch.top as usize)
        .take(patch.height as usize)
        .flat_map(|row| row[left..left + width].as_chunks::<3>().0)
        .copied()
        .collect()
}
