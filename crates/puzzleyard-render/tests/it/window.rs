//! The window: its size, its bar, its banner, and the figures that graders compute from it.

use proptest::prelude::*;
use puzzleyard_core::Area;
use puzzleyard_render::{
    Painter, Picture, Status, Theme, board_origin, cell_fitting, draw_board, draw_window, png,
    window_size,
};
use puzzleyard_sokoban::rules::Level;

use crate::boards::{CORRIDOR, SAMPLER, any_level, level, played, room, status};

/// Standard deviation of all bytes, as `numpy.std` has it.
fn deviation(picture: &Picture) -> f64 {
    let bytes = picture.rgb();
    let mean = bytes.iter().map(|&byte| f64::from(byte)).sum::<f64>() / bytes.len() as f64;
    let squares: f64 = bytes
        .iter()
        .map(|&byte| (f64::from(byte) - mean).powi(2))
        .sum();
    (squares / bytes.len() as f64).sqrt()
}

/// Mean absolute difference of all bytes.
fn difference(one: &Picture, other: &Picture) -> f64 {
    let sum: u64 = one
        .rgb()
        .iter()
        .zip(other.rgb())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / one.rgb().len() as f64
}

/// What the first contract's grader asks of pictures: at least 5 KiB, a standard deviation
/// above 25, a difference above 5 between start and end, at least 320 x 240 pixels.
#[test]
fn pictures_satisfy_the_contract() {
    let levels: [(Level, &[u32]); 7] = [
        (level(CORRIDOR), &[4, 8, 16, 32, 64]),
        (level(SAMPLER), &[8, 40]),
        (room(3, 6), &[8, 24, 64]),
        (room(35, 57), &[8]),
        (room(7, 200), &[8]),
        (room(17, 20), &[8, 40]),
        (room(255, 255), &[8]),
    ];
    for (level, cells) in levels {
        for &cell in cells {
            let theme = Theme::classic();
            let start = draw_window(
                &level,
                level.start(),
                &status(&level, level.start()),
                cell,
                &theme,
            );
            let state = played(&level, "r");
            let end = Status {
                solved: true,
                ..status(&level, &state)
            };
            let end = draw_window(&level, &state, &end, cell, &theme);
            let what = format!("{:?} at {cell} px", level.area());
            assert!(start.width() >= 480 && start.height() >= 360, "{what}");
            assert!(
                difference(&start, &end) > 5.0,
                "{what}: {}",
                difference(&start, &end)
            );
            for picture in [&start, &end] {
                assert!(deviation(picture) > 25.0, "{what}: {}", deviation(picture));
                let bytes = png::encode(picture, png::Effort::Small).len();
                assert!(bytes >= 5 * 1024, "{what}: {bytes} bytes");
            }
        }
    }
}

#[test]
fn the_largest_cell_that_fits_is_found() {
    let fits = |area, cell, (width, height): (u32, u32)| {
        let size = window_size(area, cell);
        size.0 <= width && size.1 <= height
    };
    for area in [(3, 5), (17, 20), (9, 40), (60, 60), (255, 255)] {
        let area = Area::new(area.0, area.1);
        for screen in [
            (480, 360),
            (800, 600),
            (1024, 768),
            (1920, 1080),
            (100, 100),
        ] {
            let found = cell_fitting(area, screen.0, screen.1);
            let tried = (8..=64).filter(|cell| cell % 2 == 0 && fits(area, *cell, screen));
            assert_eq!(found, tried.max().unwrap_or(8), "{area:?} on {screen:?}");
        }
    }
}

/// The top row of the status bar: the first row that is the same in windows of two boards and
/// has one colour from side to side is its upper rim.
fn bar_top(picture: &Picture) -> u32 {
    let one_colour =
        |y: &u32| (0..picture.width()).all(|x| picture.pixel(x, *y) == picture.pixel(0, *y));
    (0..picture.height()).find(one_colour).expect("a rim")
}

#[test]
fn what_the_bar_says_changes_the_bar_only() {
    let level = level(SAMPLER);
    let theme = Theme::classic();
    let plain = status(&level, level.start());
    let draw = |status: &Status<'_>| draw_window(&level, level.start(), status, 24, &theme);
    let before = draw(&plain);
    let top = bar_top(&before);
    let others = [
        Status { moves: 13, ..plain },
        Status { pushes: 4, ..plain },
        Status {
            on_goal: 3,
            ..plain
        },
        Status { goals: 5, ..plain },
        Status {
            note: "no way",
            ..plain
        },
        Status {
            title: "Another level",
            ..plain
        },
        Status {
            title: "A title that is far too long for this window, whatever we do",
            ..plain
        },
        Status {
            title: "\u{6a19}\u{984c}\n",
            ..plain
        },
        Status {
            moves: usize::MAX,
            pushes: usize::MAX,
            goals: usize::MAX,
            ..plain
        },
    ];
    for other in others {
        let after = draw(&other);
        assert_ne!(before, after, "{other:?}");
        for y in 0..top {
            for x in 0..before.width() {
                assert_eq!(before.pixel(x, y), after.pixel(x, y), "{other:?}");
            }
        }
    }
}

/// Where a free place for it exists, the banner leaves every box in sight: dimmed by 44 parts
/// of 256, nothing else.
#[test]
fn the_banner_spares_the_boxes_if_it_can() {
    let walls = "#".repeat(20);
    let floor = format!("#{}#\n", " ".repeat(18));
    let text = format!(
        "{walls}\n#@$.  *{}#\n{}#{}#\n{walls}\n",
        " ".repeat(12),
        floor.repeat(8),
        " * ".repeat(6)
    );
    for text in [text.as_str(), SAMPLER, CORRIDOR] {
        let level = level(text);
        for cell in [16, 24, 40] {
            let theme = Theme::classic();
            let state = played(&level, "r");
            let status = Status {
                solved: true,
                ..status(&level, &state)
            };
            let window = draw_window(&level, &state, &status, cell, &theme);
            let board = draw_board(&level, &state, cell, &theme);
            let (left, top) = board_origin(level.area(), cell);
            let dimmed =
                |pixel: [u8; 3]| pixel.map(|part| ((u32::from(part) * 212 + 128) / 256) as u8);
            let seen = state.boxes.iter().filter(|place| {
                (0..cell * cell).all(|at| {
                    let x = u32::from(place.col) * cell + at % cell;
                    let y = u32::from(place.row) * cell + at / cell;
                    window.pixel(left + x, top + y) == board.pixel(x, y).map(dimmed)
                })
            });
            // The boxes of the sampler stand so close that at large sizes some are hidden.
            let free = text != SAMPLER || cell == 16;
            let seen = seen.count();
            assert!(!free || seen == state.boxes.len(), "{cell} px: {seen} seen");
            assert!(seen * 2 >= state.boxes.len(), "{cell} px: {seen} seen");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A painter that has drawn other things draws the same as a fresh one.
    #[test]
    fn a_painter_remembers_nothing_but_tiles(
        levels in prop::collection::vec(any_level(4, 6), 3),
        larger in any_level(12, 3),
        cell in 4u32..65,
        solved: bool,
    ) {
        let theme = Theme::classic();
        let mut painter = Painter::new(cell, &theme);
        let mut picture = Picture::filled(3, 3, [1, 2, 3]);
        for level in levels.iter().chain([&larger]).chain(&levels) {
            let state = level.start();
            let status = Status { solved, ..status(level, state) };
            painter.redraw(level, state, &status, &mut picture);
            prop_assert_eq!(&picture, &draw_window(level, state, &status, cell, &theme));
            prop_assert_eq!((picture.width(), picture.height()), window_size(level.area(), cell));
        }
    }
}
