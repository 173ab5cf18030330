//! The game window around the board: its layout, the status bar, the banner.

use puzzleyard_core::Area;
use puzzleyard_sokoban::rules::{Level, State};

use crate::colour::{BLACK, Rgb, WHITE, mix};
use crate::painter::Painter;
use crate::{Picture, Theme, lettering};

/// What the status bar says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status<'a> {
    /// The level's name. What does not fit ends in an ellipsis; characters beyond ASCII show
    /// as boxes.
    pub title: &'a str,
    /// Steps so far, pushes among them.
    pub moves: usize,
    /// Pushes so far.
    pub pushes: usize,
    /// Boxes on goals.
    pub on_goal: usize,
    /// Boxes that must stand on goals.
    pub goals: usize,
    /// Whether the level is solved: the banner is shown and the bar changes colour.
    pub solved: bool,
    /// A word to the player; may be empty.
    pub note: &'a str,
}

/// Backdrop left free around the board, in pixels.
const MARGIN: u32 = 12;
/// Smallest window, in pixels.
const LEAST: (u32, u32) = (480, 360);
/// Windows from this width on have larger letters.
const WIDE: u32 = 900;

/// `cell` held within 4 to 128 pixels.
pub(crate) fn held(cell: u32) -> u32 {
    cell.clamp(4, 128)
}

/// Where things are in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Columns and rows of pixels.
    pub(crate) size: (u32, u32),
    /// Column and row of the board's top left pixel.
    pub(crate) board: (u32, u32),
    /// Pixels a square.
    cell: u32,
    /// Pixels a dot of the letters on the bar.
    scale: u32,
}

impl Layout {
    pub(crate) fn of(area: Area, cell: u32) -> Self {
        let cell = held(cell);
        let board = (
            u32::from(area.width()) * cell,
            u32::from(area.height()) * cell,
        );
        let width = (board.0 + 2 * MARGIN).max(LEAST.0);
        let scale = if width < WIDE { 2 } else { 3 };
        let bar = bar_height(scale);
        let height = (board.1 + 2 * MARGIN + bar).max(LEAST.1);
        Self {
            size: (width, height),
            board: ((width - board.0) / 2, (height - bar - board.1) / 2),
            cell,
            scale,
        }
    }

    /// The first row of the status bar.
    pub(crate) fn bar_top(&self) -> u32 {
        self.size.1 - bar_height(self.scale)
    }
}

/// Two lines of letters, a gap of five dots, four dots and a half above and below.
fn bar_height(scale: u32) -> u32 {
    28 * scale
}

/// The largest even cell size from 8 to 64 whose window is at most `max_width` x `max_height`
/// pixels; 8 if none is.
pub fn cell_fitting(area: Area, max_width: u32, max_height: u32) -> u32 {
    (4..=32)
        .rev()
        .map(|half| half * 2)
        .find(|&cell| {
            let (width, height) = window_size(area, cell);
            width <= max_width && height <= max_height
        })
        .unwrap_or(8)
}

/// Columns and rows of pixels of the window of a board; at least 480 x 360.
pub fn window_size(area: Area, cell: u32) -> (u32, u32) {
    Layout::of(area, cell).size
}

/// Column and row, in the window's picture, of the board's top left pixel.
pub fn board_origin(area: Area, cell: u32) -> (u32, u32) {
    Layout::of(area, cell).board
}

/// The board alone, `cell` pixels a square. Cell sizes are held within 4 to 128, here and
/// wherever a window is measured or drawn.
pub fn draw_board(level: &Level, state: &State, cell: u32, theme: &Theme) -> Picture {
    Painter::new(cell, theme).board(level, state)
}

/// What the game window shows: [`window_size`] pixels, the board at [`board_origin`], the
/// status bar below. Whoever draws often keeps a [`Painter`].
pub fn draw_window(
    level: &Level,
    state: &State,
    status: &Status<'_>,
    cell: u32,
    theme: &Theme,
) -> Picture {
    Painter::new(cell, theme).window(level, state, status)
}

/// Draws the status bar.
pub(crate) fn bar(picture: &mut Picture, layout: &Layout, status: &Status<'_>, theme: &Theme) {
    let (ground, text) = if status.solved {
        (theme.solved, theme.solved_text)
    } else {
        (theme.bar, theme.bar_text)
    };
    let (width, scale) = (layout.size.0, layout.scale);
    let top = layout.bar_top();
    picture.fill(0, top, width, bar_height(scale), ground);
    picture.fill(0, top, width, scale, mix(ground, BLACK, 70));
    let pale = mix(text, ground, 90);
    let edge = 6 * scale;
    let room = width - 2 * edge;
    let first = top + 5 * scale;
    let second = first + 11 * scale;

    let note = lettering::fitting(status.note, room / 2, scale);
    let note_width = lettering::width(&note, scale);
    lettering::write(picture, edge + room - note_width, first, &note, scale, pale);
    let gap = if note.is_empty() { 0 } else { 12 * scale };
    let title = lettering::fitting(status.title, room - note_width - gap, scale);
    lettering::write(picture, edge, first, &title, scale, text);

    let counts = [
        ("moves ", status.moves.to_string()),
        ("   pushes ", status.pushes.to_string()),
        ("   boxes ", format!("{}/{}", status.on_goal, status.goals)),
    ];
    let whole = counts
        .iter()
        .flat_map(|(word, number)| [*word, number.as_str()])
        .collect::<String>();
    // Counts are never cut short: they shrink.
    let scale = (1..=scale)
        .rev()
        .find(|&scale| lettering::width(&whole, scale) <= room)
        .unwrap_or(1);
    let mut x = edge;
    for (word, number) in &counts {
        for (part, colour) in [(*word, pale), (number.as_str(), text)] {
            lettering::write(picture, x, second, part, scale, colour);
            x += lettering::width(part, scale) + scale;
        }
    }
}

/// Dims the board and lays a band with `SOLVED` across it, where it hides least.
pub(crate) fn banner(
    picture: &mut Picture,
    layout: &Layout,
    level: &Level,
    state: &State,
    theme: &Theme,
) {
    let (width, region) = (layout.size.0, layout.bar_top());
    blend(picture, 0, region, BLACK, 44);
    let scale = (region / 64).min(width / 48).clamp(4, 24);
    let height = 11 * scale;
    let top = band_top(layout, level, state, height);
    blend(picture, top, top + height, theme.solved, 216);
    let line = scale / 2;
    let rim = mix(theme.solved, WHITE, 150);
    picture.fill(0, top, width, line, rim);
    picture.fill(0, top + height - line, width, line, rim);
    let word = "SOLVED";
    let x = (width - lettering::width(word, scale)) / 2;
    let y = top + 2 * scale;
    let drop = (scale / 3).max(1);
    let shadow = mix(theme.solved, BLACK, 130);
    lettering::write(picture, x + drop, y + drop, word, scale, shadow);
    lettering::write(picture, x, y, word, scale, theme.solved_text);
}

/// The row where a band of `height` rows hides the least of boxes and player; of several the
/// one nearest to the middle, the upper one of two.
fn band_top(layout: &Layout, level: &Level, state: &State, height: u32) -> u32 {
    let region = layout.bar_top();
    let mut standing = vec![0u64; usize::from(level.area().height())];
    for place in state.boxes.iter().chain([state.player]) {
        standing[usize::from(place.row)] += 1;
    }
    // hidden[y]: what stands on the rows of pixels above y, each as often as it has rows.
    let mut hidden = vec![0u64; region as usize + 1];
    for y in 0..region {
        let row = y
            .checked_sub(layout.board.1)
            .and_then(|offset| standing.get((offset / layout.cell) as usize));
        hidden[y as usize + 1] = hidden[y as usize] + row.unwrap_or(&0);
    }
    let middle = (region - height) / 2;
    (0..=region - height)
        .min_by_key(|&top| {
            let covered = hidden[(top + height) as usize] - hidden[top as usize];
            (covered, top.abs_diff(middle))
        })
        .unwrap_or(middle)
}

/// Mixes `share` of 256 parts of `colour` into the rows from `top` to before `bottom`.
fn blend(picture: &mut Picture, top: u32, bottom: u32, colour: Rgb, share: u32) {
    let table: [Rgb; 256] = std::array::from_fn(|value| mix([value as u8; 3], colour, share));
    for y in top..bottom {
        for pixel in picture.span(0, y, u32::MAX).chunks_exact_mut(3) {
            for (part, value) in pixel.iter_mut().enumerate() {
                *value = table[usize::from(*value)][part];
            }
        }
    }
}
