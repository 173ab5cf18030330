//! One square of the board, painted pixel by pixel.
//!
//! The looks are those of Latent Sokoban's renderer, restated as a rule for each pixel. Lengths
//! are in pixels from the nearest edge of the square.

use super::Theme;
use super::geometry::Style;

/// The number of stamps: seven codes on two shades.
pub(super) const STAMPS: usize = 14;

const GOAL: u8 = 1;
const BOX: u8 = 2;
const PLAYER: u8 = 4;
const WALL: u8 = 6;

/// The colour of the pixel at row `y` and column `x` of a square of `px` x `px` pixels that
/// holds `code`; `odd` if row plus column of the square is odd.
pub(super) fn pixel(
    theme: &Theme,
    style: Style,
    code: u8,
    odd: bool,
    px: usize,
    (y, x): (usize, usize),
) -> [u8; 3] {
    let floor = if odd && theme.checker {
        theme.floor_alt
    } else {
        theme.floor
    };
    if style == Style::Legible && px < 3 {
        return flat(theme, code, floor);
    }
    let edge = y.min(x).min(px - 1 - y).min(px - 1 - x);
    if code == WALL {
        return if edge == 0 {
            theme.wall_edge
        } else {
            theme.wall
        };
    }
    let on_goal = code & GOAL != 0;
    if code & PLAYER != 0 && on_disc(px, y, x) {
        let dot = on_dot(px, y) && on_dot(px, x);
        let marked = style == Style::Legible && on_goal && dot;
        return if marked { theme.goal } else { theme.player };
    }
    let inset = (px / 8).max(1);
    if code & BOX != 0 && edge >= inset {
        // A box whose border would leave no inside has none.
        let bordered = px > 2 * (inset + 1);
        return match (bordered && edge == inset, on_goal) {
            (true, _) => theme.box_edge,
            (false, true) => theme.box_on_goal,
            (false, false) => theme.crate_box,
        };
    }
    let ring = (px / 4).max(1);
    let hole = ring + (px / 6).max(1);
    // A ring whose hole would be empty is a full square.
    let hollow = px > 2 * hole && edge >= hole;
    if on_goal && edge >= ring && !hollow {
        return theme.goal;
    }
    floor
}

/// A square too small for shapes.
fn flat(theme: &Theme, code: u8, floor: [u8; 3]) -> [u8; 3] {
    match code {
        0 => floor,
        1 => theme.goal,
        2 => theme.crate_box,
        3 => theme.box_on_goal,
        4 => theme.player,
        5 => [0, 1, 2].map(|at| theme.player[at].midpoint(theme.goal[at])),
        _ => theme.wall,
    }
}

/// Whether a pixel's centre lies in the disc of radius `0.38 px` around the square's centre.
/// Both sides of the inequality are multiplied by 40,000; they are never equal for `px` below
/// 100, so that rounding cannot matter in the original either.
fn on_disc(px: usize, y: usize, x: usize) -> bool {
    let off = |at: usize| (2 * at).abs_diff(px - 1);
    10_000 * (off(y) * off(y) + off(x) * off(x)) <= 5_776 * px * px
}

/// Whether a row or column belongs to the dot in the middle.
fn on_dot(px: usize, at: usize) -> bool {
    let side = (px / 4).max(1);
    let start = (px - side) / 2;
    (start..start + side).contains(&at)
}
