//! What is drawn, against the slow renderer and against itself.

use proptest::prelude::*;
use puzzleyard_core::Stream;
use puzzleyard_render::tiles::{
    DrawError, Geometry, GeometryError, MAX_SIDE, MAX_TILE, PixelFormat, Stores, Theme, TileSet,
};

use super::oracle::{self, Canvas};
use super::{Board, boards};

fn canvas(tiles: &TileSet, board: &Board) -> Vec<u8> {
    let mut out = vec![0x55; tiles.bytes()];
    tiles.draw(&board.cells, board.stride, &mut out).unwrap();
    out
}

/// A board of random codes.
fn random(rows: usize, cols: usize, seed: u64) -> Board {
    let stream = Stream::new(seed, "test boards");
    let cells = (0..rows * cols)
        .map(|at| stream.below(at as u64, 7) as u8)
        .collect();
    Board {
        cells,
        rows,
        cols,
        stride: cols,
    }
}

#[test]
fn the_latent_canvas_is_that_of_the_description_at_every_size() {
    for side in 1..=64usize {
        for (rows, cols) in [(side, side), (side, side.div_ceil(2)), (side / 3 + 1, side)] {
            let theme = Theme::jittered(7, side as u64);
            let board = random(rows, cols, side as u64);
            let tiles = TileSet::new(&theme, Geometry::latent(rows, cols).unwrap());
            let expected = oracle::latent(&board.cells, rows, cols, board.stride, &theme);
            assert!(canvas(&tiles, &board) == expected, "{rows} x {cols}");
        }
    }
}

proptest! {
    #[test]
    fn random_boards_are_those_of_the_description(board in boards(12), episode: u64) {
        let theme = Theme::jittered(1, episode);
        let tiles = TileSet::new(&theme, Geometry::latent(board.rows, board.cols).unwrap());
        let expected = oracle::latent(&board.cells, board.rows, board.cols, board.stride, &theme);
        prop_assert!(canvas(&tiles, &board) == expected);
    }

    #[test]
    fn changed_squares_drawn_again_are_the_board_drawn_anew(
        board in boards(9),
        px in 1usize..=20,
        grey: bool,
        latent: bool,
        changes in prop::collection::vec((0usize..81, 0u8..=6), 0..5),
    ) {
        let geometry = if latent {
            Geometry::latent(board.rows, board.cols)
        } else {
            Geometry::tiles(board.rows, board.cols, px)
        };
        let format = if grey { PixelFormat::Grey } else { PixelFormat::Rgb };
        let tiles = TileSet::with_format(&Theme::latent(), geometry.unwrap(), format);
        let mut out = canvas(&tiles, &board);
        let mut after = board.clone();
        let mut squares = Vec::new();
        for (at, code) in changes {
            let at = at % (board.rows * board.cols);
            let square = at / board.cols * board.stride + at % board.cols;
            after.cells[square] = code;
            squares.push(square as u16);
        }
        tiles.redraw(&after.cells, after.stride, &squares, &mut out).unwrap();
        prop_assert!(out == canvas(&tiles, &after));
    }

    #[test]
    fn many_boards_are_each_board(
        rows in 1usize..9,
        cols in 1usize..9,
        px in 1usize..=20,
        grey: bool,
        count in 0usize..6,
        gap in 0usize..5,
        start in 0usize..70,
        seed: u64,
    ) {
        let format = if grey { PixelFormat::Grey } else { PixelFormat::Rgb };
        let geometry = Geometry::tiles(rows, cols, px).unwrap();
        let tiles = TileSet::with_format(&Theme::house(), geometry, format);
        let board = rows * cols + gap;
        let stream = Stream::new(seed, "test boards");
        let cells: Vec<u8> = (0..count * board).map(|at| stream.below(at as u64, 7) as u8).collect();
        let expected: Vec<u8> = (0..count)
            .flat_map(|at| {
                let cells = cells[at * board..].to_vec();
                canvas(&tiles, &Board { cells, rows, cols, stride: cols })
            })
            .collect();
        for stores in [Stores::BySize, Stores::Cached, Stores::Streaming] {
            // Any start in memory, and bytes around that must stay.
            let mut out = vec![0x55; start + expected.len() + 9];
            let end = start + expected.len();
            tiles.draw_many(&cells, board, cols, &mut out[start..end], stores).unwrap();
            prop_assert!(out[start..end] == expected[..]);
            prop_assert!(out[..start].iter().chain(&out[end..]).all(|&byte| byte == 0x55));
        }
    }
}

/// From 7 pixels on, other than 8, and for all codes but 5, the two geometries agree.
#[test]
fn tiles_look_like_the_description_but_for_the_dot() {
    let theme = Theme::latent();
    for px in 3..=MAX_TILE {
        let tiles = TileSet::new(&theme, Geometry::tiles(1, 2, px).unwrap());
        for code in 0..=6 {
            let mut out = vec![0; tiles.bytes()];
            tiles.draw(&[6, code], 2, &mut out).unwrap();
            let mut expected = Canvas {
                side: 2 * px,
                rgb: vec![0; 2 * px * px * 3],
            };
            oracle::square(&mut expected, (0, 0), px, 6, false, &theme);
            oracle::square(&mut expected, (0, px), px, code, true, &theme);
            let dot = (px / 4).max(1);
            let differing = out
                .chunks_exact(3)
                .zip(expected.rgb.chunks_exact(3))
                .filter(|(found, wanted)| found != wanted)
                .inspect(|(found, _)| assert_eq!(**found, theme.goal))
                .count();
            assert_eq!(
                differing,
                if code == 5 { dot * dot } else { 0 },
                "{code} {px}"
            );
        }
    }
}

#[test]
fn no_two_codes_look_the_same_at_any_size() {
    for theme in [Theme::latent(), Theme::house()] {
        for px in 1..=MAX_TILE {
            for format in [PixelFormat::Rgb, PixelFormat::Grey] {
                let geometry = Geometry::tiles(1, 1, px).unwrap();
                let tiles = TileSet::with_format(&theme, geometry, format);
                let mut seen = std::collections::BTreeSet::new();
                for code in 0..=6 {
                    let mut out = vec![0; tiles.bytes()];
                    tiles.draw(&[code], 1, &mut out).unwrap();
                    assert!(seen.insert(out), "code {code} at {px} pixels");
                }
            }
        }
    }
}

/// The weights of ITU-R BT.601, in exact thousandths: never more than one step away, and
/// half a step where rounding differs.
#[test]
fn grey_is_luma() {
    let stream = Stream::new(5, "test colours");
    for at in 0..5_000 {
        let number = stream.number(at).to_le_bytes();
        let theme = Theme {
            floor: [number[0], number[1], number[2]],
            ..Theme::latent()
        };
        let geometry = Geometry::tiles(1, 1, 1).unwrap();
        let tiles = TileSet::with_format(&theme, geometry, PixelFormat::Grey);
        let mut out = [0];
        tiles.draw(&[0], 1, &mut out).unwrap();
        let [red, green, blue] = theme.floor.map(f64::from);
        let exact = 0.299 * red + 0.587 * green + 0.114 * blue;
        assert!(
            (f64::from(out[0]) - exact).abs() < 0.51,
            "{:?}",
            theme.floor
        );
    }
}

#[test]
fn one_pixel_a_square_is_one_colour_a_code() {
    let theme = Theme::latent();
    let tiles = TileSet::new(&theme, Geometry::tiles(1, 7, 1).unwrap());
    let mut out = vec![0; 21];
    tiles.draw(&[0, 1, 2, 3, 4, 5, 6], 7, &mut out).unwrap();
    let mean = [122, 84, 124];
    let expected = [
        theme.floor,
        theme.goal,
        theme.crate_box,
        theme.box_on_goal,
        theme.player,
        mean,
        theme.wall,
    ];
    assert_eq!(out, expected.concat());
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let say = |error: GeometryError| error.to_string();
    assert_eq!(
        say(Geometry::latent(65, 3).unwrap_err()),
        "board of 65 x 3 squares, expected 1 to 64 of each"
    );
    assert_eq!(
        say(Geometry::tiles(3, MAX_SIDE + 1, 8).unwrap_err()),
        "board of 3 x 256 squares, expected 1 to 255 of each"
    );
    assert_eq!(
        say(Geometry::tiles(3, 3, 0).unwrap_err()),
        "squares of 0 pixels, expected 1 to 64"
    );
    let tiles = TileSet::new(&Theme::latent(), Geometry::tiles(2, 3, 1).unwrap());
    let draw = |cells: &[u8], stride, bytes| {
        let mut out = vec![7; bytes];
        let error = tiles.draw(cells, stride, &mut out).unwrap_err();
        assert!(out.iter().all(|&byte| byte == 7));
        error
    };
    assert_eq!(
        draw(&[0; 6], 3, 17),
        DrawError::Canvas {
            found: 17,
            wanted: 18
        }
    );
    assert_eq!(
        draw(&[0; 6], 3, 0),
        DrawError::Canvas {
            found: 0,
            wanted: 18
        }
    );
    assert_eq!(
        draw(&[0; 6], 2, 18),
        DrawError::Stride {
            found: 2,
            wanted: 3
        }
    );
    assert_eq!(
        draw(&[0; 6], 4, 18),
        DrawError::Cells {
            found: 6,
            wanted: 7
        }
    );
    assert_eq!(
        draw(&[0; 7], usize::MAX, 18),
        DrawError::Cells {
            found: 7,
            wanted: usize::MAX
        }
    );
    assert_eq!(
        draw(&[0, 0, 0, 0, 9, 0], 3, 18),
        DrawError::Code { code: 9, at: 4 }
    );

    let mut out = vec![0; 36];
    let many = |cells: &[u8], out: &mut [u8]| tiles.draw_many(cells, 6, 3, out, Stores::Cached);
    assert_eq!(many(&[0; 12], &mut out), Ok(()));
    assert_eq!(many(&[], &mut []), Ok(()));
    assert_eq!(
        many(&[0; 11], &mut out),
        Err(DrawError::Cells {
            found: 11,
            wanted: 12
        })
    );
    assert_eq!(
        many(&[0; 12], &mut out[..35]),
        Err(DrawError::Canvas {
            found: 35,
            wanted: 18
        })
    );

    let patch = |squares: &[u16]| tiles.redraw(&[0, 1, 2, 9, 3, 4, 5], 4, squares, &mut [0; 18]);
    assert_eq!(patch(&[0, 2, 6]), Ok(()));
    assert_eq!(
        patch(&[3]).unwrap_err().to_string(),
        "square 3 is row 0, column 3 of a board of 2 x 3"
    );
    assert!(matches!(
        patch(&[8]),
        Err(DrawError::Square { row: 2, col: 0, .. })
    ));
}
