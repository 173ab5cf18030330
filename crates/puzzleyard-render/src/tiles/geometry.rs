//! Where squares lie on a canvas, and what a pixel is.

/// The most rows and columns of a board.
pub const MAX_SIDE: usize = 255;

/// The most pixels along the side of a square.
pub const MAX_TILE: usize = 64;

/// Side of the canvas of Latent Sokoban, in pixels.
const LATENT: usize = 64;

/// The bytes of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    /// Red, green, blue: an array (height, width, 3).
    #[default]
    Rgb,
    /// One byte of luma: an array (height, width). It is
    /// `(19595 R + 38470 G + 7471 B + 32768) >> 16`, the weights 0.299, 0.587 and 0.114 of
    /// ITU-R BT.601 in sixteen bits, rounded.
    Grey,
}

impl PixelFormat {
    /// Bytes a pixel.
    pub const fn channels(self) -> usize {
        match self {
            Self::Rgb => 3,
            Self::Grey => 1,
        }
    }
}

/// The luma of a colour, as [`PixelFormat::Grey`] defines it.
pub(super) fn luma([red, green, blue]: [u8; 3]) -> u8 {
    let sum = 19_595 * u32::from(red) + 38_470 * u32::from(green) + 7_471 * u32::from(blue);
    ((sum + 32_768) >> 16) as u8
}

/// A canvas that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The board is too small or too large.
    #[error("board of {rows} x {cols} squares, expected 1 to {limit} of each")]
    Board {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
        /// The most of each.
        limit: usize,
    },
    /// The squares are too small or too large.
    #[error("squares of {px} pixels, expected 1 to {MAX_TILE}")]
    Tile {
        /// Pixels asked for.
        px: usize,
    },
}

/// Which drawing rules hold where the squares are small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Style {
    /// Those of Latent Sokoban, also where they hide something.
    Latent,
    /// All seven codes can be told apart at every size.
    Legible,
}

/// The size of a board, of its squares and of the canvas, and where the board lies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    rows: usize,
    cols: usize,
    px: usize,
    top: usize,
    left: usize,
    height: usize,
    width: usize,
    pub(super) style: Style,
}

impl Geometry {
    /// The canvas of Latent Sokoban: 64 x 64 pixels, squares of `64 / max(rows, cols)` pixels,
    /// the board in the middle, floor around it.
    ///
    /// The picture is that of the original byte for byte, with what it hides: a goal under the
    /// player cannot be seen where squares have 3 to 6 pixels or 8, boxes and goals cannot be
    /// seen below 3. [`Geometry::tiles`] hides nothing.
    ///
    /// # Errors
    /// A board of no rows or columns, or more than 64.
    pub fn latent(rows: usize, cols: usize) -> Result<Self, GeometryError> {
        check(rows, cols, LATENT)?;
        let px = LATENT / rows.max(cols);
        Ok(Self {
            rows,
            cols,
            px,
            top: (LATENT - rows * px) / 2,
            left: (LATENT - cols * px) / 2,
            height: LATENT,
            width: LATENT,
            style: Style::Latent,
        })
    }

    /// Squares of `px` x `px` pixels and nothing around them.
    ///
    /// The looks are those of Latent Sokoban but for two things, so that no two codes look the
    /// same. A player on a goal has a square of the goal's colour, `max(1, px / 4)` pixels, in
    /// its middle. Below 3 pixels a square is of one colour, a player on a goal the mean of
    /// player and goal.
    ///
    /// # Errors
    /// A board of no rows or columns or more than [`MAX_SIDE`], squares of no pixels or more
    /// than [`MAX_TILE`].
    pub fn tiles(rows: usize, cols: usize, px: usize) -> Result<Self, GeometryError> {
        check(rows, cols, MAX_SIDE)?;
        if !(1..=MAX_TILE).contains(&px) {
            return Err(GeometryError::Tile { px });
        }
        Ok(Self {
            rows,
            cols,
            px,
            top: 0,
            left: 0,
            height: rows * px,
            width: cols * px,
            style: Style::Legible,
        })
    }

    /// Rows of squares.
    pub const fn rows(self) -> usize {
        self.rows
    }

    /// Columns of squares.
    pub const fn cols(self) -> usize {
        self.cols
    }

    /// Pixels along the side of a square.
    pub const fn px(self) -> usize {
        self.px
    }

    /// The row and column of the pixel where the first square begins.
    pub const fn origin(self) -> (usize, usize) {
        (self.top, self.left)
    }

    /// Rows of pixels.
    pub const fn height(self) -> usize {
        self.height
    }

    /// Columns of pixels.
    pub const fn width(self) -> usize {
        self.width
    }

    /// Bytes of a canvas.
    pub const fn bytes(self, format: PixelFormat) -> usize {
        self.height * self.width * format.channels()
    }
}

fn check(rows: usize, cols: usize, limit: usize) -> Result<(), GeometryError> {
    let fits = |side| (1..=limit).contains(&side);
    if fits(rows) && fits(cols) {
        Ok(())
    } else {
        Err(GeometryError::Board { rows, cols, limit })
    }
}
