//! A step shown as a slide from square to square.
//!
//! The sprites are cut from drawings of whole boards, so that the renderer stays the only
//! place that knows how things look: what differs from the empty square is the sprite.

use std::time::{Duration, Instant};

use puzzleyard_core::{Cell, Direction};
use puzzleyard_render::{Picture, Theme, board_origin, draw_window};
use puzzleyard_sokoban::model::Step;
use puzzleyard_sokoban::rules::State;

use crate::game::Game;

/// How long a slide takes.
const LENGTH: Duration = Duration::from_millis(96);

/// Pixels of something that moves, with their places in the picture at the start.
type Sprite = Vec<(u32, u32, [u8; 3])>;

/// One step on its way.
pub(super) struct Slide {
    started: Instant,
    way: Direction,
    cell: u32,
    background: Picture,
    sprites: Sprite,
}

impl Slide {
    /// The slide of the `step` that led from `before` to the game's state.
    pub(super) fn new(
        game: &Game,
        before: &State,
        step: Step,
        cell: u32,
        theme: &Theme,
        started: Instant,
    ) -> Self {
        let (level, after) = (game.level(), game.state());
        let draw = |state: &State| draw_window(level, state, &game.status(), cell, theme);
        // The player still here, the box already there: the square between them is empty.
        let parted = State {
            player: before.player,
            boxes: after.boxes.clone(),
        };
        let (first, between, last) = (draw(before), draw(&parted), draw(after));
        let origin = board_origin(level.area(), cell);
        let corner = |place: Cell| {
            (
                origin.0 + u32::from(place.col) * cell,
                origin.1 + u32::from(place.row) * cell,
            )
        };
        let (from, to) = (before.player, after.player);
        let mut background = between.clone();
        let mut sprites = cut(&first, &last, corner(from), cell);
        paste(&mut background, &last, corner(from), cell);
        if step.push {
            sprites.extend(cut(&first, &between, corner(to), cell));
            if let Some(beyond) = level.area().neighbour(to, step.way) {
                paste(&mut background, &first, corner(beyond), cell);
            }
        }
        Self {
            started,
            way: step.way,
            cell,
            background,
            sprites,
        }
    }

    /// The picture at `now`, or `None` once the slide is over.
    pub(super) fn picture(&self, now: Instant) -> Option<Picture> {
        let passed = now.saturating_duration_since(self.started);
        if passed >= LENGTH {
            return None;
        }
        let shift = (u128::from(self.cell) * passed.as_millis() / LENGTH.as_millis()) as i32;
        let (down, right) = self.way.offset();
        let mut picture = self.background.clone();
        for &(x, y, colour) in &self.sprites {
            picture.set(
                x.wrapping_add_signed(right * shift),
                y.wrapping_add_signed(down * shift),
                colour,
            );
        }
        Some(picture)
    }
}

fn square((left, top): (u32, u32), cell: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..cell).flat_map(move |y| (0..cell).map(move |x| (left + x, top + y)))
}

/// The pixels of a square of `with` that differ from those of `without`.
fn cut(with: &Picture, without: &Picture, corner: (u32, u32), cell: u32) -> Sprite {
    square(corner, cell)
        .filter(|&(x, y)| with.pixel(x, y) != without.pixel(x, y))
        .filter_map(|(x, y)| Some((x, y, with.pixel(x, y)?)))
        .collect()
}

fn paste(onto: &mut Picture, from: &Picture, corner: (u32, u32), cell: u32) {
    for (x, y) in square(corner, cell) {
        if let Some(colour) = from.pixel(x, y) {
            onto.set(x, y, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use puzzleyard_core::Direction::Right;
    use puzzleyard_render::Theme;
    use puzzleyard_sokoban::format;
    use puzzleyard_sokoban::rules::{Level, Waivers};

    use super::{LENGTH, Slide};
    use crate::game::{Effect, Files, Game, GameKey};

    /// A slide begins as the board before the step, with the counters after it.
    #[test]
    fn a_slide_begins_where_the_step_began() {
        let board = "########\n#@$ $ ..#\n########\n";
        let setup = format::read(board.as_bytes()).unwrap().setups.remove(0);
        let level = Level::from_setup(&setup, &Waivers::playing()).unwrap();
        let mut game = Game::new(level, "slide", &Files::default()).unwrap();
        let theme = Theme::classic();
        let before = game.state().clone();
        let Effect::Moved(step) = game.key(GameKey::Step(Right), Duration::ZERO).unwrap() else {
            panic!("the step is free");
        };
        let now = Instant::now();
        let slide = Slide::new(&game, &before, step, 16, &theme, now);
        let start =
            puzzleyard_render::draw_window(game.level(), &before, &game.status(), 16, &theme);
        assert!(slide.picture(now) == Some(start));
        assert!(slide.picture(now + LENGTH / 2).is_some());
        assert!(slide.picture(now + LENGTH).is_none());
    }
}
