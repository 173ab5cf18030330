//! A slow second renderer: fills rectangles in the order in which the description of Latent
//! Sokoban's renderer names them, with the same slices and in floating point.

use puzzleyard_render::tiles::Theme;

/// A canvas of pixels.
pub(crate) struct Canvas {
    pub(crate) side: usize,
    pub(crate) rgb: Vec<u8>,
}

impl Canvas {
    /// Fills the slice `[top..bottom, left..right]` of the square at (`y`, `x`). Bounds are
    /// those of a slice with ends counted from the end: an empty range fills nothing.
    fn fill(&mut self, (y, x): (usize, usize), rows: [i64; 2], cols: [i64; 2], colour: [u8; 3]) {
        for row in rows[0]..rows[1] {
            for col in cols[0]..cols[1] {
                let at = ((y as i64 + row) as usize * self.side + (x as i64 + col) as usize) * 3;
                self.rgb[at..at + 3].copy_from_slice(&colour);
            }
        }
    }

    fn inner(&mut self, at: (usize, usize), cell: i64, margin: i64, colour: [u8; 3]) {
        self.fill(at, [margin, cell - margin], [margin, cell - margin], colour);
    }
}

/// The 64 x 64 picture of a board of codes.
pub(crate) fn latent(
    cells: &[u8],
    rows: usize,
    cols: usize,
    stride: usize,
    theme: &Theme,
) -> Vec<u8> {
    let mut canvas = Canvas {
        side: 64,
        rgb: theme.floor.repeat(64 * 64),
    };
    let size = 64 / rows.max(cols);
    let (top, left) = ((64 - rows * size) / 2, (64 - cols * size) / 2);
    for row in 0..rows {
        for col in 0..cols {
            let place = (top + row * size, left + col * size);
            let code = cells[row * stride + col];
            square(&mut canvas, place, size, code, (row + col) % 2 == 1, theme);
        }
    }
    canvas.rgb
}

/// One square.
pub(crate) fn square(
    canvas: &mut Canvas,
    at: (usize, usize),
    size: usize,
    code: u8,
    odd: bool,
    theme: &Theme,
) {
    let cell = size as i64;
    let floor = if theme.checker && odd {
        theme.floor_alt
    } else {
        theme.floor
    };
    canvas.inner(at, cell, 0, floor);
    if code == 6 {
        canvas.inner(at, cell, 0, theme.wall);
        canvas.fill(at, [0, 1], [0, cell], theme.wall_edge);
        canvas.fill(at, [cell - 1, cell], [0, cell], theme.wall_edge);
        canvas.fill(at, [0, cell], [0, 1], theme.wall_edge);
        canvas.fill(at, [0, cell], [cell - 1, cell], theme.wall_edge);
        return;
    }
    let goal = matches!(code, 1 | 3 | 5);
    if goal {
        let m = 1.max(cell / 4);
        canvas.inner(at, cell, m, theme.goal);
        let m2 = m + 1.max(cell / 6);
        canvas.inner(at, cell, m2, floor);
    }
    if matches!(code, 2 | 3) {
        let colour = if goal {
            theme.box_on_goal
        } else {
            theme.crate_box
        };
        let e = 1.max(cell / 8);
        canvas.inner(at, cell, e, colour);
        if cell - 2 * (e + 1) > 0 {
            canvas.fill(at, [e, e + 1], [e, cell - e], theme.box_edge);
            canvas.fill(at, [cell - e - 1, cell - e], [e, cell - e], theme.box_edge);
            canvas.fill(at, [e, cell - e], [e, e + 1], theme.box_edge);
            canvas.fill(at, [e, cell - e], [cell - e - 1, cell - e], theme.box_edge);
        }
    }
    if matches!(code, 4 | 5) {
        let centre = (cell as f64 - 1.0) / 2.0;
        let radius = 0.38 * cell as f64;
        for y in 0..cell {
            for x in 0..cell {
                let (dy, dx) = (y as f64 - centre, x as f64 - centre);
                if dy * dy + dx * dx <= radius * radius {
                    canvas.fill(at, [y, y + 1], [x, x + 1], theme.player);
                }
            }
        }
    }
}
