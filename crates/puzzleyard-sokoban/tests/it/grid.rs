//! Boards of codes against the rules on sets of cells.

use proptest::prelude::*;
use puzzleyard_core::{Area, Direction};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Level, Waivers, grid};

/// A walled board of these inner glyphs, if it is a level once its faults but those of the
/// player are waived.
fn level(height: usize, width: usize, inner: &[u8], player: usize) -> Option<Level> {
    let mut rows = vec![vec![Square::WALL; width + 2]; height + 2];
    for at in 0..height * width {
        let glyph = [' ', ' ', ' ', '$', '.', '*', '#'][usize::from(inner[at % inner.len()] % 7)];
        rows[at / width + 1][at % width + 1] = Square::from_glyph(glyph)?;
    }
    let place = player % (height * width);
    let square = &mut rows[place / width + 1][place % width + 1];
    *square = Square {
        player: true,
        goal: square.goal,
        ..Square::FLOOR
    };
    Level::from_setup(
        &Setup::from_rows(&rows),
        &Waivers::of(puzzleyard_sokoban::rules::FaultKind::ALL),
    )
    .ok()
}

proptest! {
    /// A walk on codes and the same walk by `Level::step` agree in every step, and the codes
    /// give the state back.
    #[test]
    fn a_walk_on_codes_is_a_walk_by_the_rules(
        height in 1usize..7, width in 1usize..7,
        inner in prop::collection::vec(any::<u8>(), 1..37),
        player in any::<usize>(), walk in prop::collection::vec(0usize..4, 0..80),
        margin in 0u16..3,
    ) {
        let Some(level) = level(height, width, &inner, player) else { return Ok(()) };
        let own = level.area();
        let area = Area::new(own.height() + margin, own.width() + margin);
        let mut state = level.start().clone();
        let (mut cells, mut place) = grid::encode(&level, &state, area).unwrap();
        let stride = usize::from(area.width());
        for way in walk {
            let way = Direction::ALL[way];
            let before = level.boxes_on_goals(&state) as i8;
            let free = grid::can_step(&cells, stride, place, way);
            let effect = grid::step(&mut cells, stride, &mut place, way);
            match level.step(&mut state, way) {
                Ok(step) => {
                    prop_assert!(effect.moved && free);
                    prop_assert_eq!(effect.pushed, step.push);
                }
                Err(_) => prop_assert!(!free && effect == grid::Effect::default()),
            }
            prop_assert_eq!(effect.gain, level.boxes_on_goals(&state) as i8 - before);
            prop_assert_eq!(grid::cell(usize::from(place), stride), state.player);
            prop_assert_eq!(&grid::encode(&level, &state, area).unwrap().0, &cells);
            let again = grid::decode(&level, &cells, area);
            prop_assert_eq!(again.as_ref(), Some(&state));
        }
    }

    /// No bytes make a step panic.
    #[test]
    fn junk_is_stepped_on_without_a_panic(
        mut cells in prop::collection::vec(any::<u8>(), 0..40), stride in 0usize..9,
        mut player in any::<u16>(), way in 0usize..4,
    ) {
        let way = Direction::ALL[way];
        grid::can_step(&cells, stride, player, way);
        grid::step(&mut cells, stride, &mut player, way);
    }
}

#[test]
fn a_board_of_another_level_is_refused() {
    let inner = [0, 3, 4, 0, 0, 0];
    let level = level(2, 3, &inner, 0).unwrap();
    let area = level.area();
    let (cells, player) = grid::encode(&level, level.start(), area).unwrap();
    assert_eq!(usize::from(player), 6);
    let damage: [&[(usize, u8)]; 6] = [
        &[(6, grid::FLOOR)],
        &[(11, grid::PLAYER)],
        &[(11, grid::GOAL)],
        &[(11, grid::WALL)],
        &[(11, grid::BOX)],
        &[(0, grid::FLOOR)],
    ];
    for changes in damage {
        let mut cells = cells.clone();
        for &(at, code) in changes {
            cells[at] = code;
        }
        assert_eq!(grid::decode(&level, &cells, area), None, "{changes:?}");
    }
    assert_eq!(grid::decode(&level, &cells[1..], area), None);
    assert_eq!(grid::encode(&level, level.start(), Area::new(3, 5)), None);
}
