//! GIF, read back by a decoder that is not ours and laid frame over frame.

use proptest::prelude::*;
use puzzleyard_core::{Direction, Stream};
use puzzleyard_render::gif::{Animation, GifError};
use puzzleyard_render::{Painter, Picture, Theme};

use crate::boards::{SAMPLER, level, status};

/// What a viewer shows after each frame, and for how long.
fn shown(bytes: &[u8]) -> Vec<(Picture, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut canvas = Picture::filled(width, height, [1, 1, 1]);
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
        for (at, pixel) in (0..).zip(frame.buffer.chunks_exact(4)) {
            if pixel[3] == 255 {
                let x = u32::from(frame.left) + at % u32::from(frame.width);
                let y = u32::from(frame.top) + at / u32::from(frame.width);
                canvas.set(x, y, [pixel[0], pixel[1], pixel[2]]);
            }
        }
        all.push((canvas.clone(), frame.delay));
    }
    all
}

fn encoded(frames: &[(Picture, u16)]) -> Vec<u8> {
    let mut animation = Animation::new(frames[0].0.width(), frames[0].0.height());
    for (picture, delay) in frames {
        animation
            .push(picture, *delay)
            .expect("a frame of the right size");
    }
    animation.finish()
}

/// A wandering play of the sampler, blocked steps among it.
fn play(steps: u64, cell: u32) -> Vec<(Picture, u16)> {
    let level = level(SAMPLER);
    let mut painter = Painter::new(cell, &Theme::classic());
    let mut state = level.start().clone();
    let stream = Stream::new(5, "wandering");
    (0..steps)
        .map(|step| {
            let mut status = status(&level, &state);
            status.moves = step as usize;
            status.solved = step + 1 == steps;
            let picture = painter.window(&level, &state, &status);
            let way = Direction::ALL[stream.below(step, 4) as usize];
            let _ = level.step(&mut state, way);
            (picture, 5 + step as u16)
        })
        .collect()
}

#[test]
fn a_play_is_kept_exactly() {
    let frames = play(60, 16);
    assert!(shown(&encoded(&frames)) == frames);
}

/// 500 frames of 480 x 360 pixels: 259 million bytes of colours.
#[test]
fn a_long_play_stays_small() {
    let bytes = encoded(&play(500, 32)).len();
    assert!(bytes < 700_000, "{bytes} bytes");
}

#[test]
fn equal_pictures_lengthen_the_time() {
    let [red, blue] = [[255, 0, 0], [0, 0, 255]].map(|colour| Picture::filled(9, 7, colour));
    let frames = [
        (red.clone(), 10),
        (red.clone(), 20),
        (blue.clone(), 60_000),
        (blue.clone(), 6_000),
        (red.clone(), 1),
    ];
    let expected = [
        (red.clone(), 30),
        (blue.clone(), 60_000),
        (blue, 6_000),
        (red, 1),
    ];
    assert!(shown(&encoded(&frames)) == expected);
}

/// Pictures of few colours each, hundreds in all: the common palette overflows.
#[test]
fn palettes_may_change_from_frame_to_frame() {
    let stream = Stream::new(1, "colours");
    for (colours, seed) in [(2, 1), (40, 2), (200, 3), (255, 4), (256, 5)] {
        let frames: Vec<(Picture, u16)> = (0..8)
            .map(|frame| {
                let rgb = (0..48 * 32u64)
                    .flat_map(|at| {
                        // The left half stays as it is.
                        let frame = if at % 48 < 24 { 0 } else { frame };
                        let number = if at < colours {
                            at
                        } else {
                            stream.below(at + frame * 5000, colours)
                        };
                        let colour = stream.number(seed << 32 | frame << 16 | number);
                        [colour as u8, (colour >> 8) as u8, (colour >> 16) as u8]
                    })
                    .collect();
                (Picture::from_rgb(48, 32, rgb).unwrap(), 3)
            })
            .collect();
        let exact = |picture: &Picture| {
            let mut all: Vec<&[u8]> = picture.rgb().chunks(3).collect();
            all.sort_unstable();
            all.dedup();
            all.len() <= 256
        };
        for (before, after) in frames.iter().zip(shown(&encoded(&frames))) {
            // Both halves together may exceed 256 colours; then the frame cannot be checked.
            assert!(!exact(&before.0) || *before == after, "{colours} colours");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Any changes at all between pictures of up to 256 colours come back.
    #[test]
    fn few_colours_are_kept_exactly(
        first in prop::collection::vec(any::<u8>(), 12 * 10),
        changes in prop::collection::vec(prop::collection::vec((0usize..120, any::<u8>()), 0..9), 1..6),
    ) {
        let mut cells = first;
        let mut frames = Vec::new();
        let mut paint = |cells: &[u8]| {
            let rgb = cells.iter().flat_map(|&cell| [cell, cell / 2, 255 - cell]).collect();
            let picture = Picture::from_rgb(12, 10, rgb).unwrap();
            if frames.last().is_none_or(|(last, _)| *last != picture) {
                frames.push((picture, 7));
            }
        };
        paint(&cells);
        for change in changes {
            for (at, value) in change {
                cells[at] = value;
            }
            paint(&cells);
        }
        prop_assert!(shown(&encoded(&frames)) == frames);
    }
}

/// A smooth field of 16,384 colours in 255: within a few steps of the original on average.
#[test]
fn many_colours_become_near_ones() {
    let rgb = (0..128 * 128u32)
        .flat_map(|at| [(at % 128 * 2) as u8, (at / 128 * 2) as u8, 90])
        .collect();
    let picture = Picture::from_rgb(128, 128, rgb).unwrap();
    let seen = shown(&encoded(&[(picture.clone(), 1)]));
    let apart = |(a, b): (&u8, &u8)| u64::from(a.abs_diff(*b));
    let sum: u64 = picture.rgb().iter().zip(seen[0].0.rgb()).map(apart).sum();
    // An even split into 16 x 16 groups of 8 x 8 colours errs by 4 in two parts of three.
    let mean = sum as f64 / picture.rgb().len() as f64;
    assert!(mean < 3.0, "{mean}");
}

#[test]
fn wrong_sizes_are_refused() {
    let mut animation = Animation::new(4, 3);
    let error = animation
        .push(&Picture::filled(3, 4, [0; 3]), 1)
        .unwrap_err();
    assert_eq!(error.to_string(), "frame of 3 x 4 pixels, expected 4 x 3");
    assert!(animation.finish().is_empty());
    for (width, height) in [(0, 4), (4, 0), (65_536, 1)] {
        let picture = Picture::filled(width, height, [0; 3]);
        let error = Animation::new(width, height).push(&picture, 1).unwrap_err();
        assert_eq!(error, GifError::Unsupported { width, height });
    }
}
