//! `.sok`: headers first, then boards with their headers below them, floor as `-`.
//!
//! Accepts: what [`super::xsb`] accepts; the two differ only in habits, and files mix them.
//! In particular headers after each board (`ID:`, `Title:`, `Author:`), `Solution` on a line of
//! its own with the steps on the lines that follow, and `::` remarks.
//!
//! Writes: the collection's headers (`Title:`, `Author:`, others) and a blank line; then each
//! level as its board with `-` for floor, none at the end of a row, its headers (`Title:`,
//! `Author:`, others, `Comment:` block), each answer as the line `Solution` and a line of
//! steps, and a blank line. LF ends every line. It carries what XSB carries.

use super::{Collection, FormatError, layout, words};

/// Reads a text file of levels.
///
/// # Errors
/// The first place that cannot be explained; a file without any board.
pub fn read(text: &str) -> Result<Collection, FormatError> {
    words::read(text)
}

/// The canonical `.sok` text of `collection`.
pub fn write(collection: &Collection) -> String {
    layout::write(collection, words::Place::After, &|setup, out| {
        for row in layout::rows(setup, '-') {
            out.push_str(&row);
            out.push('\n');
        }
    })
}
