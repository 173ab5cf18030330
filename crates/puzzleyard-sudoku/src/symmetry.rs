//! What changes a grid without changing what it is: digits renamed, rows, columns, bands and
//! stacks permuted, transposed. The group has `2 * 6^8 * 9!` elements.
//!
//! ```
//! use puzzleyard_sudoku::symmetry::{Transform, canonical};
//! use puzzleyard_sudoku::Grid;
//!
//! let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!     .parse()?;
//! let turned = Transform::QUARTER_TURN.apply(&grid);
//! assert_ne!(turned, grid);
//! assert_eq!(canonical(&turned), canonical(&grid));
//! # Ok::<(), puzzleyard_sudoku::GridError>(())
//! ```

mod minimum;
mod transform;

pub use minimum::{automorphisms, canonical};
pub use transform::Transform;

/// The orders of three, in lexicographic order.
const ORDERS: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The lines of one direction in an order that keeps bands (stacks) together: `bands` and the
/// order inside each band, as indices into [`ORDERS`].
const fn lines(bands: usize, inside: [usize; 3]) -> [u8; 9] {
    let mut lines = [0; 9];
    let mut k = 0;
    while k < 9 {
        let band = ORDERS[bands][k / 3];
        lines[k] = band * 3 + ORDERS[inside[k / 3]][k % 3];
        k += 1;
    }
    lines
}
