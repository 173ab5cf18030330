//! Random small levels for the unit tests of this module.

use puzzleyard_core::Stream;

use crate::model::{Setup, Square};
use crate::rules::{FaultKind, Level, Waivers};

/// A board of `height` by `width` with walls all round and about `walls` per cent of them
/// inside, with `boxes` boxes and goals at most. Always playable, often unsolvable.
pub(super) fn level(
    stream: &Stream,
    height: usize,
    width: usize,
    boxes: usize,
    walls: u64,
) -> Level {
    let mut counter = 0;
    loop {
        let mut draw = |bound: usize| {
            counter += 1;
            stream.below(counter, bound as u64) as usize
        };
        let mut rows = vec![vec![Square::WALL; width]; height];
        for row in &mut rows[1..height - 1] {
            for square in &mut row[1..width - 1] {
                if draw(100) as u64 >= walls {
                    *square = Square::FLOOR;
                }
            }
        }
        let mut place = |kind: usize| {
            let (row, col) = (draw(height), draw(width));
            let square = &mut rows[row][col];
            match kind {
                0 if !square.wall => square.goal = true,
                1 if !square.wall => square.crate_box = true,
                2 if !square.wall && !square.crate_box => square.player = true,
                _ => {}
            }
        };
        for _ in 0..boxes {
            place(0);
            place(1);
        }
        place(2);
        let waivers = Waivers::of(FaultKind::ALL);
        let setup = Setup::from_rows(&rows);
        if setup.board().contains(['@', '+'])
            && let Ok(level) = Level::from_setup(&setup, &waivers)
        {
            return level;
        }
    }
}
