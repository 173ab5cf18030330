//! Observations in pixels: boards of codes drawn from ready-made stamps, many a microsecond.
//!
//! ```
//! use puzzleyard_render::tiles::{Geometry, Theme, TileSet};
//!
//! // 0 floor, 1 goal, 2 box, 3 box on goal, 4 player, 5 player on goal, 6 wall
//! #[rustfmt::skip]
//! let cells = [
//!     6, 6, 6, 6, 6,
//!     6, 4, 2, 1, 6,
//!     6, 6, 6, 6, 6,
//! ];
//! let tiles = TileSet::new(&Theme::latent(), Geometry::tiles(3, 5, 8)?);
//! assert_eq!((tiles.height(), tiles.width(), tiles.bytes()), (24, 40, 24 * 40 * 3));
//!
//! let mut canvas = vec![0; tiles.bytes()];
//! tiles.draw(&cells, 5, &mut canvas)?;
//!
//! // A step to the right changes three squares; only those are drawn again.
//! let after = [6, 6, 6, 6, 6, 6, 0, 4, 3, 6, 6, 6, 6, 6, 6];
//! tiles.redraw(&after, 5, &[6, 7, 8], &mut canvas)?;
//! let mut whole = vec![0; tiles.bytes()];
//! tiles.draw(&after, 5, &mut whole)?;
//! assert_eq!(canvas, whole);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A square of the board is one of seven codes on one of two shades of floor, so fourteen
//! stamps hold all pictures of a theme. [`TileSet`] paints them once; drawing only copies. No
//! drawing call allocates. `docs/pixels.md` has the figures and the exact looks.

mod geometry;
mod stamp;
mod strip;
mod theme;

pub use geometry::{Geometry, GeometryError, MAX_SIDE, MAX_TILE, PixelFormat};
pub use strip::{DrawError, Stores};
pub use theme::{MAX_NOISE, Theme, ThemeError};

use self::strip::Plan;

/// The stamps of one theme, at one size, in one pixel format.
///
/// All drawing calls take boards in the codes of the module's example, row by row, the rows
/// `stride` bytes apart; and a canvas of [`bytes`](TileSet::bytes) bytes (`u8`, 0 to 255), row
/// by row from the top, the channels of a pixel side by side.
#[derive(Clone, Debug)]
pub struct TileSet {
    geometry: Geometry,
    format: PixelFormat,
    plan: Plan,
}

/// Stamps for an observation.
const AS_IT_IS: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 6];

/// Stamps for the picture of the goal: a box on every goal, nothing else but walls and floor.
const SOLVED: [u8; 8] = [0, 3, 0, 3, 0, 3, 6, 6];

impl TileSet {
    /// The stamps of `theme` in RGB.
    pub fn new(theme: &Theme, geometry: Geometry) -> Self {
        Self::with_format(theme, geometry, PixelFormat::Rgb)
    }

    /// The stamps of `theme` in `format`.
    pub fn with_format(theme: &Theme, geometry: Geometry, format: PixelFormat) -> Self {
        Self {
            geometry,
            format,
            plan: Plan::new(theme, geometry, format),
        }
    }

    /// Where things lie on the canvas.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// What a pixel is.
    pub fn format(&self) -> PixelFormat {
        self.format
    }

    /// Rows of pixels.
    pub fn height(&self) -> usize {
        self.geometry.height()
    }

    /// Columns of pixels.
    pub fn width(&self) -> usize {
        self.geometry.width()
    }

    /// Bytes of a canvas: height times width times channels.
    pub fn bytes(&self) -> usize {
        self.geometry.bytes(self.format)
    }

    /// Draws a board.
    ///
    /// # Errors
    /// A slice of the wrong length, a stride below the number of columns, a code above 6. The
    /// canvas is untouched then.
    pub fn draw(&self, cells: &[u8], stride: usize, out: &mut [u8]) -> Result<(), DrawError> {
        self.plan
            .lay(cells, 0, stride, AS_IT_IS, out, 1, Stores::Cached)
    }

    /// Draws the goal of a board: a box on every goal, no other box, no player.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_goal(&self, cells: &[u8], stride: usize, out: &mut [u8]) -> Result<(), DrawError> {
        self.plan
            .lay(cells, 0, stride, SOLVED, out, 1, Stores::Cached)
    }

    /// Draws as many boards as `out` has canvases, side by side. Board `i` starts at
    /// `cells[i * board]`.
    ///
    /// # Errors
    /// As [`draw`](Self::draw); `out` must be a whole number of canvases.
    pub fn draw_many(
        &self,
        cells: &[u8],
        board: usize,
        stride: usize,
        out: &mut [u8],
        stores: Stores,
    ) -> Result<(), DrawError> {
        let count = out.len() / self.bytes();
        self.plan
            .lay(cells, board, stride, AS_IT_IS, out, count, stores)
    }

    /// Draws some squares again on a canvas that holds the board as it was. A square is
    /// `row * stride + col`.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and a square outside the board. Squares before the faulty one
    /// have been drawn then.
    pub fn redraw(
        &self,
        cells: &[u8],
        stride: usize,
        squares: &[u16],
        out: &mut [u8],
    ) -> Result<(), DrawError> {
        self.plan.patch(cells, stride, squares, out)
    }
}
