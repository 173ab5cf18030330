//! Tests of the stamps and of what is drawn with them.

mod draw;
mod golden;
mod oracle;
mod theme;

use proptest::prelude::*;

/// The codes of a board in XSB characters, rows parted by `/`, with rows and columns.
pub(crate) fn codes(board: &str) -> (Vec<u8>, usize, usize) {
    let rows: Vec<&str> = board.split('/').collect();
    let cols = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let code = |glyph| match glyph {
        ' ' => 0,
        '.' => 1,
        '$' => 2,
        '*' => 3,
        '@' => 4,
        '+' => 5,
        _ => 6,
    };
    let cells = rows
        .iter()
        .flat_map(|row| row.chars().map(code))
        .collect::<Vec<u8>>();
    assert_eq!(cells.len(), rows.len() * cols, "rows of one length");
    (cells, rows.len(), cols)
}

/// A board of any codes: cells, rows, columns, stride.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) cells: Vec<u8>,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) stride: usize,
}

/// Boards of up to `most` rows and columns, some with room at the end of each row.
pub(crate) fn boards(most: usize) -> impl Strategy<Value = Board> {
    (1..=most, 1..=most, 0usize..4).prop_flat_map(|(rows, cols, room)| {
        let stride = cols + room;
        prop::collection::vec(0u8..=6, rows * stride).prop_map(move |cells| Board {
            cells,
            rows,
            cols,
            stride,
        })
    })
}
