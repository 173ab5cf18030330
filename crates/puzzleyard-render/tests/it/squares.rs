//! What single squares look like, and what their look depends on.

use std::collections::BTreeSet;

use proptest::prelude::*;
use puzzleyard_core::{Area, Cell};
use puzzleyard_render::{Picture, Theme, board_origin, draw_board, draw_window};
use puzzleyard_sokoban::rules::{Level, State};

use crate::boards::{CORRIDOR, SAMPLER, any_level, level, played, status};

/// The pixels of one square, row by row, of a board at `origin`.
fn square(picture: &Picture, origin: (u32, u32), cell: u32, place: Cell) -> Vec<[u8; 3]> {
    let (left, top) = (
        origin.0 + u32::from(place.col) * cell,
        origin.1 + u32::from(place.row) * cell,
    );
    (0..cell * cell)
        .map(|at| picture.pixel(left + at % cell, top + at / cell).unwrap())
        .collect()
}

fn centre(pixels: &[[u8; 3]], cell: u32) -> [u8; 3] {
    pixels[(cell / 2 * cell + cell / 2) as usize]
}

fn mean(pixels: &[[u8; 3]]) -> [i32; 3] {
    [0, 1, 2].map(|part| {
        let sum: i32 = pixels.iter().map(|pixel| i32::from(pixel[part])).sum();
        sum / pixels.len() as i32
    })
}

fn is_red([red, green, blue]: [u8; 3]) -> bool {
    red > 120 && u32::from(red) > 2 * u32::from(green.max(blue))
}

fn is_blue([red, green, blue]: [u8; 3]) -> bool {
    i32::from(blue) > i32::from(red) + 60 && i32::from(blue) > i32::from(green) + 40
}

/// The colours that a viewer is told to look for.
#[test]
fn squares_have_the_colours_that_people_expect() {
    let sampler = level(SAMPLER);
    for cell in (8..=64).step_by(2) {
        let state = sampler.start();
        let picture = draw_board(&sampler, state, cell, &Theme::classic());
        for place in sampler.area().cells() {
            let pixels = square(&picture, (0, 0), cell, place);
            let [red, green, blue] = mean(&pixels);
            let glyph = sampler.square(state, place).glyph();
            let right = match glyph {
                '#' => (red - green).abs() < 12 && (green - blue).abs() < 12 && red > 80,
                '.' => is_red(centre(&pixels, cell)),
                '$' => red > green + 25 && green > blue + 25,
                '*' => green > red + 25 && green > blue + 25,
                '@' => pixels.iter().filter(|&&pixel| is_blue(pixel)).count() * 12 >= pixels.len(),
                _ if sampler.inside().contains(place) => red.min(green).min(blue) > 150,
                _ => red.max(green).max(blue) < 70,
            };
            assert!(right, "{glyph:?} at {cell} px: {red} {green} {blue}");
        }
        // A goal shows around the player.
        let below = played(&level("####\n#@.#\n####"), "r");
        let picture = draw_board(&level("####\n#@.#\n####"), &below, cell, &Theme::classic());
        let pixels = square(&picture, (0, 0), cell, Cell::new(1, 2));
        let red = pixels.iter().filter(|&&pixel| is_red(pixel)).count();
        assert!(red * 20 >= pixels.len(), "{red} red pixels at {cell} px");
    }
}

/// What decides a square's look, taken from the documentation of `Painter`.
fn look(level: &Level, state: &State, place: Cell) -> (char, bool, Vec<bool>) {
    let area = level.area();
    let around = (-1..=1)
        .flat_map(|down| (-1..=1).map(move |right| (down, right)))
        .map(|(down, right)| {
            let row = u16::try_from(i32::from(place.row) + down);
            let col = u16::try_from(i32::from(place.col) + right);
            row.is_ok_and(|row| {
                col.is_ok_and(|col| {
                    let next = Cell::new(row, col);
                    area.contains(next) && level.walls().contains(next)
                })
            })
        })
        .collect();
    let glyph = level.square(state, place).glyph();
    (glyph, level.inside().contains(place), around)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Two boards agree on a square's pixels wherever they agree on what decides its look.
    #[test]
    fn a_square_depends_on_itself_and_the_walls_around_it(
        one in any_level(5, 7),
        other in any_level(5, 7),
        cell in 4u32..41,
    ) {
        let theme = Theme::classic();
        let pictures = [&one, &other].map(|level| draw_board(level, level.start(), cell, &theme));
        for place in one.area().cells() {
            if look(&one, one.start(), place) == look(&other, other.start(), place) {
                let [a, b] = [0, 1].map(|at| square(&pictures[at], (0, 0), cell, place));
                prop_assert_eq!(a, b, "{}", place);
            }
        }
    }

    /// The window holds the board, pixel for pixel, where it says that it does.
    #[test]
    fn the_window_holds_the_board(level in any_level(4, 9), cell in 4u32..41) {
        let theme = Theme::classic();
        let state = level.start();
        let mut status = status(&level, state);
        status.solved = false;
        let window = draw_window(&level, state, &status, cell, &theme);
        let board = draw_board(&level, state, cell, &theme);
        let origin = board_origin(level.area(), cell);
        for place in level.area().cells() {
            if level.inside().contains(place) || level.walls().contains(place) {
                let inside = square(&window, origin, cell, place);
                prop_assert_eq!(inside, square(&board, (0, 0), cell, place));
            }
        }
    }
}

#[test]
fn a_step_changes_the_squares_it_touches_and_no_others() {
    let corridor = level("######\n#@$. #\n#  . #\n######\n");
    for cell in [8, 16, 40] {
        let theme = Theme::classic();
        let before = draw_board(&corridor, corridor.start(), cell, &theme);
        let after = draw_board(&corridor, &played(&corridor, "r"), cell, &theme);
        let changed: BTreeSet<Cell> = corridor
            .area()
            .cells()
            .filter(|&place| {
                square(&before, (0, 0), cell, place) != square(&after, (0, 0), cell, place)
            })
            .collect();
        let expected = [1, 2, 3].map(|col| Cell::new(1, col));
        assert_eq!(changed, expected.into(), "{cell} px");
    }
}

/// Cell sizes out of range are held within it, and measured as they are drawn.
#[test]
fn odd_sizes_are_drawn_too() {
    let corridor = level(CORRIDOR);
    let theme = Theme::classic();
    for (asked, drawn) in [(0, 4), (3, 4), (5, 5), (128, 128), (u32::MAX, 128)] {
        let board = draw_board(&corridor, corridor.start(), asked, &theme);
        assert_eq!((board.width(), board.height()), (5 * drawn, 3 * drawn));
        assert_eq!(
            board_origin(Area::new(3, 5), asked),
            board_origin(Area::new(3, 5), drawn)
        );
    }
}
