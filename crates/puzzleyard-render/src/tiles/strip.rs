//! Copies stamps onto canvases.

use super::geometry::luma;
use super::stamp::{self, STAMPS};
use super::{Geometry, PixelFormat, Theme};

/// Stamp rows start at multiples of this many bytes, and end in as much room.
const STEP: usize = 32;

/// How pictures go to memory. The bytes are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stores {
    /// [`Streaming`](Self::Streaming) where it was measured to be faster: from
    /// [`Stores::MANY`] bytes on.
    #[default]
    BySize,
    /// Through the caches: right for few pictures that are read next.
    Cached,
    /// Past the caches, where the processor can: right for more than the caches hold.
    Streaming,
}

impl Stores {
    /// The bytes from which [`BySize`](Self::BySize) streams.
    pub const MANY: usize = 4 << 20;
}

/// Why nothing was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// Too few cells for the boards.
    #[error("{found} cells, expected at least {wanted}")]
    Cells {
        /// Cells given.
        found: usize,
        /// Cells needed.
        wanted: usize,
    },
    /// Rows would overlap.
    #[error("stride of {found} cells, expected at least the board's {wanted} columns")]
    Stride {
        /// Stride given.
        found: usize,
        /// Columns of the board.
        wanted: usize,
    },
    /// The canvas has the wrong size.
    #[error("canvas of {found} bytes, expected {wanted}")]
    Canvas {
        /// Bytes given.
        found: usize,
        /// Bytes needed.
        wanted: usize,
    },
    /// No such code.
    #[error("code {code} at cell {at}, expected 0 to 6")]
    Code {
        /// The code.
        code: u8,
        /// Its place in the slice of cells.
        at: usize,
    },
    /// No such square.
    #[error("square {square} is row {row}, column {col} of a board of {rows} x {cols}")]
    Square {
        /// The square given.
        square: usize,
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        cols: usize,
    },
}

/// Stamps, and where their bytes go.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    geometry: Geometry,
    /// Bytes of a stamp's row.
    row: usize,
    /// Bytes from one row of a stamp to the next: `row` rounded up to [`STEP`].
    pitch: usize,
    /// Bytes of a canvas's row.
    line: usize,
    /// Bytes of a canvas's row to the left of the board.
    lead: usize,
    /// Stamps of code 0 on the even shade, code 0 on the odd, code 1 on the even and so on.
    stamps: Vec<u8>,
    /// A canvas's row of floor.
    floor: Vec<u8>,
}

impl Plan {
    pub(super) fn new(theme: &Theme, geometry: Geometry, format: PixelFormat) -> Self {
        let (px, channels) = (geometry.px(), format.channels());
        let row = px * channels;
        let pitch = row.next_multiple_of(STEP);
        let mut stamps = vec![0; STAMPS * px * pitch];
        for (at, line) in stamps.chunks_exact_mut(pitch).enumerate() {
            let (place, y) = (at / px, at % px);
            let (code, odd) = ((place / 2) as u8, place % 2 == 1);
            for (x, pixel) in line[..row].chunks_exact_mut(channels).enumerate() {
                let colour = stamp::pixel(theme, geometry.style, code, odd, px, (y, x));
                put(pixel, colour);
            }
        }
        let mut floor = vec![0; geometry.width() * channels];
        for pixel in floor.chunks_exact_mut(channels) {
            put(pixel, theme.floor);
        }
        Self {
            geometry,
            row,
            pitch,
            line: floor.len(),
            lead: geometry.origin().1 * channels,
            stamps,
            floor,
        }
    }

    /// Bytes of a canvas.
    fn canvas(&self) -> usize {
        self.line * self.geometry.height()
    }

    /// Draws `count` boards, `board` cells apart, with the stamps that `shown` gives for each
    /// code.
    #[expect(
        clippy::too_many_arguments,
        reason = "the one way all drawing calls go"
    )]
    pub(super) fn lay(
        &self,
        cells: &[u8],
        board: usize,
        stride: usize,
        shown: [u8; 8],
        out: &mut [u8],
        count: usize,
        _stores: Stores,
    ) -> Result<(), DrawError> {
        let wanted = count * self.canvas();
        if out.len() != wanted {
            return Err(DrawError::Canvas {
                found: out.len(),
                wanted,
            });
        }
        for at in 0..count {
            self.check(cells, at * board, stride)?;
        }
        for (at, canvas) in out.chunks_exact_mut(self.canvas()).enumerate() {
            self.lay_plainly(&cells[at * board..], stride, shown, canvas);
        }
        Ok(())
    }

    /// Refuses a board that is not all there or holds an unknown code.
    fn check(&self, cells: &[u8], start: usize, stride: usize) -> Result<(), DrawError> {
        let (rows, cols) = (self.geometry.rows(), self.geometry.cols());
        self.check_size(cells, start, stride)?;
        for row in 0..rows {
            let from = start + row * stride;
            let codes = &cells[from..from + cols];
            if codes.iter().fold(0, |most, &code| most.max(code)) > 6 {
                let place = codes.iter().position(|&code| code > 6).unwrap_or_default();
                return Err(DrawError::Code {
                    code: codes[place],
                    at: from + place,
                });
            }
        }
        Ok(())
    }

    fn check_size(&self, cells: &[u8], start: usize, stride: usize) -> Result<(), DrawError> {
        let (rows, cols) = (self.geometry.rows(), self.geometry.cols());
        if stride < cols {
            return Err(DrawError::Stride {
                found: stride,
                wanted: cols,
            });
        }
        let wanted = stride
            .saturating_mul(rows - 1)
            .saturating_add(cols)
            .saturating_add(start);
        if cells.len() < wanted {
            return Err(DrawError::Cells {
                found: cells.len(),
                wanted,
            });
        }
        Ok(())
    }

    /// The rows of the stamp for `code` at a square.
    fn stamp(&self, code: u8, odd: bool) -> &[u8] {
        let size = self.geometry.px() * self.pitch;
        let from = (usize::from(code) * 2 + usize::from(odd)) * size;
        &self.stamps[from..from + size]
    }

    /// One checked board, row of stamp by row of stamp.
    fn lay_plainly(&self, cells: &[u8], stride: usize, shown: [u8; 8], canvas: &mut [u8]) {
        let px = self.geometry.px();
        let (top, _) = self.geometry.origin();
        for line in canvas.chunks_exact_mut(self.line) {
            line.copy_from_slice(&self.floor);
        }
        for row in 0..self.geometry.rows() {
            for col in 0..self.geometry.cols() {
                let code = shown[usize::from(cells[row * stride + col] & 7)];
                let stamp = self.stamp(code, (row + col) % 2 == 1);
                for (y, from) in stamp.chunks_exact(self.pitch).enumerate() {
                    let to = (top + row * px + y) * self.line + self.lead + col * self.row;
                    canvas[to..to + self.row].copy_from_slice(&from[..self.row]);
                }
            }
        }
    }

    /// Draws `squares` again.
    pub(super) fn patch(
        &self,
        cells: &[u8],
        stride: usize,
        squares: &[u16],
        out: &mut [u8],
    ) -> Result<(), DrawError> {
        if out.len() != self.canvas() {
            return Err(DrawError::Canvas {
                found: out.len(),
                wanted: self.canvas(),
            });
        }
        self.check_size(cells, 0, stride)?;
        let (rows, cols) = (self.geometry.rows(), self.geometry.cols());
        for square in squares.iter().map(|&square| usize::from(square)) {
            let (row, col) = (square / stride, square % stride);
            if row >= rows || col >= cols {
                return Err(DrawError::Square {
                    square,
                    row,
                    col,
                    rows,
                    cols,
                });
            }
            let code = cells[square];
            if code > 6 {
                return Err(DrawError::Code { code, at: square });
            }
            let from = (self.geometry.origin().0 + row * self.geometry.px()) * self.line
                + self.lead
                + col * self.row;
            self.press(self.stamp(code, (row + col) % 2 == 1), &mut out[from..]);
        }
        Ok(())
    }

    /// One stamp whose first byte is the first of `out`.
    fn press(&self, stamp: &[u8], out: &mut [u8]) {
        for (y, from) in stamp.chunks_exact(self.pitch).enumerate() {
            let to = y * self.line;
            out[to..to + self.row].copy_from_slice(&from[..self.row]);
        }
    }
}

/// Writes a colour in as many channels as `pixel` has.
fn put(pixel: &mut [u8], colour: [u8; 3]) {
    match pixel {
        [grey] => *grey = luma(colour),
        _ => pixel.copy_from_slice(&colour),
    }
}
