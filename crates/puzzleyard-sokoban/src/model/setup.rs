//! What somebody typed: a board that may break any rule, and the words around it.

use puzzleyard_core::{Area, Cell};

/// What stands on one cell of a setup.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts about a cell, not a state machine"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square {
    /// A wall. Nothing else stands on it.
    pub wall: bool,
    /// A goal square.
    pub goal: bool,
    /// A box.
    pub crate_box: bool,
    /// The player, also called pusher.
    pub player: bool,
}

impl Square {
    /// Empty floor.
    pub const FLOOR: Self = Self {
        wall: false,
        goal: false,
        crate_box: false,
        player: false,
    };
    /// A wall.
    pub const WALL: Self = Self {
        wall: true,
        ..Self::FLOOR
    };

    /// The square's character in canonical XSB: one of `#`, `@`, `+`, `$`, `*`, `.` or space.
    /// A player and a box on one cell (no format can say it) print as the box.
    pub const fn glyph(self) -> char {
        match (self.wall, self.crate_box, self.player, self.goal) {
            (true, ..) => '#',
            (_, true, _, true) => '*',
            (_, true, _, false) => '$',
            (_, _, true, true) => '+',
            (_, _, true, false) => '@',
            (_, _, _, true) => '.',
            _ => ' ',
        }
    }

    /// The square of a canonical XSB character, or `None`.
    pub const fn from_glyph(glyph: char) -> Option<Self> {
        let floor = Self::FLOOR;
        Some(match glyph {
            '#' => Self::WALL,
            ' ' => floor,
            '.' => Self {
                goal: true,
                ..floor
            },
            '$' => Self {
                crate_box: true,
                ..floor
            },
            '*' => Self {
                crate_box: true,
                goal: true,
                ..floor
            },
            '@' => Self {
                player: true,
                ..floor
            },
            '+' => Self {
                player: true,
                goal: true,
                ..floor
            },
            _ => return None,
        })
    }
}

/// A board as somebody typed it, with the words around it. Not known to be legal:
/// [`crate::rules::Level`] is.
///
/// Floor at the right end of a row cannot be seen and is no part of it: the board is as wide
/// as its longest row without such floor, and shorter rows are padded with floor. So boards
/// that look alike are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    area: Area,
    squares: Vec<Square>,
    /// The line of the source that holds the first row, from 1; 0 if there is no source.
    pub first_line: u32,
    /// The level's name, if any.
    pub title: Option<String>,
    /// Who made it, if known.
    pub author: Option<String>,
    /// Free text that belongs to this level, lines joined by `\n`.
    pub comment: Option<String>,
    /// Other `key: value` headers, in the order of the source.
    pub properties: Vec<(String, String)>,
    /// Answers that came with the level, as written in the source.
    pub answers: Vec<String>,
}

impl Setup {
    /// A setup of these rows. Rows of differing lengths are padded with floor; columns of floor
    /// at the right are cut.
    ///
    /// Boards beyond 65,535 rows or columns are cut there; readers refuse them long before.
    pub fn from_rows(rows: &[Vec<Square>]) -> Self {
        let height = rows.len().min(usize::from(u16::MAX));
        let width = rows
            .iter()
            .filter_map(|row| row.iter().rposition(|&square| square != Square::FLOOR))
            .map(|last| last + 1)
            .max()
            .unwrap_or(0)
            .min(usize::from(u16::MAX));
        let mut squares = Vec::with_capacity(height * width);
        for row in &rows[..height] {
            squares.extend((0..width).map(|col| row.get(col).copied().unwrap_or_default()));
        }
        Self {
            area: Area::new(height as u16, width as u16),
            squares,
            ..Self::default()
        }
    }

    /// The size of the board.
    pub fn area(&self) -> Area {
        self.area
    }

    /// What stands on `cell`; floor if it is off the board.
    pub fn square(&self, cell: Cell) -> Square {
        if self.area.contains(cell) {
            self.squares[self.area.index(cell)]
        } else {
            Square::FLOOR
        }
    }

    /// The board in canonical XSB: one line a row, trailing floor cut, each ended by `\n`.
    pub fn board(&self) -> String {
        let mut text = String::with_capacity(self.squares.len() + usize::from(self.area.height()));
        for row in self.squares.chunks(usize::from(self.area.width()).max(1)) {
            let line: String = row.iter().map(|square| square.glyph()).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
