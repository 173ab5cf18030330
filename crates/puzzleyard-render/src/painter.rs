//! Lays tiles side by side: the board.

use puzzleyard_core::{Cell, Direction};
use puzzleyard_sokoban::rules::{Level, State};

use crate::colour::shift;
use crate::grain;
use crate::tile::{Content, GRAINS, TILES, Tile};
use crate::window::{self, Layout, Status};
use crate::{Picture, Theme};

/// Draws one window again and again, keeping the bitmaps of the squares.
///
/// Within the walls, the picture of a cell depends on its own square, on which of its eight
/// neighbours are walls, and on its row and column, which choose one of four grains.
#[derive(Clone, Debug)]
pub struct Painter {
    cell: u32,
    theme: Theme,
    tiles: Vec<Option<Box<[u8]>>>,
    backdrop: Vec<u8>,
}

impl Painter {
    /// A painter of squares of `cell` x `cell` pixels, held within 4 to 128.
    pub fn new(cell: u32, theme: &Theme) -> Self {
        let backdrop = (0..grain::SIDE * grain::SIDE)
            .flat_map(|at| {
                let step = grain::at(at % grain::SIDE, at / grain::SIDE);
                shift(theme.backdrop, 3 * step)
            })
            .collect();
        Self {
            cell: window::held(cell),
            theme: theme.clone(),
            tiles: vec![None; TILES],
            backdrop,
        }
    }

    /// Pixels a square.
    pub fn cell(&self) -> u32 {
        self.cell
    }

    /// The board alone.
    pub fn board(&mut self, level: &Level, state: &State) -> Picture {
        let area = level.area();
        let (width, height) = (
            u32::from(area.width()) * self.cell,
            u32::from(area.height()) * self.cell,
        );
        let mut picture = Picture::filled(width, height, self.theme.backdrop);
        self.lay_backdrop(&mut picture, height);
        self.lay_board(&mut picture, (0, 0), level, state);
        picture
    }

    /// What the game window shows.
    pub fn window(&mut self, level: &Level, state: &State, status: &Status<'_>) -> Picture {
        let mut picture = Picture::filled(0, 0, self.theme.backdrop);
        self.redraw(level, state, status, &mut picture);
        picture
    }

    /// Draws the window over whatever `picture` holds; one of another size is replaced.
    pub fn redraw(
        &mut self,
        level: &Level,
        state: &State,
        status: &Status<'_>,
        picture: &mut Picture,
    ) {
        let layout = Layout::of(level.area(), self.cell);
        if (picture.width(), picture.height()) != layout.size {
            *picture = Picture::filled(layout.size.0, layout.size.1, self.theme.backdrop);
        }
        self.lay_backdrop(picture, layout.bar_top());
        self.lay_board(picture, layout.board, level, state);
        if status.solved {
            window::banner(picture, &layout, level, state, &self.theme);
        }
        window::bar(picture, &layout, status, &self.theme);
    }

    fn lay_backdrop(&self, picture: &mut Picture, rows: u32) {
        let row = grain::SIDE * 3;
        for y in 0..rows {
            let from = y as usize % grain::SIDE * row;
            let pattern = &self.backdrop[from..from + row];
            for part in picture.span(0, y, u32::MAX).chunks_mut(row) {
                part.copy_from_slice(&pattern[..part.len()]);
            }
        }
    }

    fn lay_board(&mut self, picture: &mut Picture, at: (u32, u32), level: &Level, state: &State) {
        for place in level.area().cells() {
            let Some(tile) = tile(level, state, place) else {
                continue;
            };
            let number = u64::from(place.row) << 16 | u64::from(place.col);
            let grain = grain::scramble(number) as usize % GRAINS;
            let bitmap = self.tiles[tile.index(grain)]
                .get_or_insert_with(|| tile.bitmap(self.cell, &self.theme, grain));
            let (x, y) = (
                at.0 + u32::from(place.col) * self.cell,
                at.1 + u32::from(place.row) * self.cell,
            );
            for (row, source) in (y..).zip(bitmap.chunks_exact(self.cell as usize * 3)) {
                picture.span(x, row, self.cell).copy_from_slice(source);
            }
        }
    }
}

/// What to draw on `place`, or `None` where the backdrop shows.
fn tile(level: &Level, state: &State, place: Cell) -> Option<Tile> {
    let area = level.area();
    let is_wall = |cell: Option<Cell>| cell.is_some_and(|cell| level.walls().contains(cell));
    let beside = |way| area.neighbour(place, way);
    let square = level.square(state, place);
    if square.wall {
        return Some(Tile::Wall(Direction::ALL.map(|way| !is_wall(beside(way)))));
    }
    let content = match (square.crate_box, square.player, square.goal) {
        (true, _, true) => Content::BoxOnGoal,
        (true, _, false) => Content::Box,
        (_, true, true) => Content::PlayerOnGoal,
        (_, true, false) => Content::Player,
        (.., true) => Content::Goal,
        _ if level.inside().contains(place) => Content::Nothing,
        _ => return None,
    };
    let above = beside(Direction::Up);
    let corner = above.and_then(|above| area.neighbour(above, Direction::Left));
    let shade = [above, beside(Direction::Left), corner].map(is_wall);
    Some(Tile::Floor(content, shade))
}
