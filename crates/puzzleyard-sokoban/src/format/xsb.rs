//! XSB: boards drawn with `# @ + $ * .`, and words around them.
//!
//! Accepts: the glyphs of the module `glyph`; boards as the module `board` finds them; titles,
//! authors, remarks, comments, headers and answers before or after a board as
//! the module `words` says; run-length boards ([`super::rle`]) among the others; LF, CRLF and
//! lone CR. Tabs in a board are refused: their width is a matter of taste.
//!
//! Writes: the collection's headers (`Collection:`, `Author:`, others; `Comment:` to
//! `Comment-End:` around text of several lines) and a blank line; then each level as `; title`,
//! its board in canonical glyphs (`# @ + $ * .` and space, no space at the end of a row), its
//! headers (`Author:`, others, `Comment:` block), one `Solution:` line an answer, and a blank
//! line. LF ends every line.
//!
//! The form carries every legal level. It cannot carry: floor around the drawing, a board
//! without walls, line breaks in titles and headers, and headers whose keys are not short
//! words.

use super::{Collection, FormatError, layout, words};

/// Reads a text file of levels.
///
/// # Errors
/// The first place that cannot be explained; a file without any board.
pub fn read(text: &str) -> Result<Collection, FormatError> {
    words::read(text)
}

/// The canonical XSB text of `collection`.
pub fn write(collection: &Collection) -> String {
    layout::write(collection, words::Place::Before, &|setup, out| {
        for row in layout::rows(setup, ' ') {
            out.push_str(&row);
            out.push('\n');
        }
    })
}
