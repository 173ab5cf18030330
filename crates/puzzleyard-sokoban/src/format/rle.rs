//! Run-length boards: `4#|#@$.#|4#`.
//!
//! Accepts: everything that [`super::xsb`] accepts around boards, and as a board a line of
//! glyphs with at least one `|` and one wall. A number before a glyph repeats it. `|` ends a
//! row; a number before it stands for that many row ends. A line that ends with `|` goes on in
//! the next line if that is a run-length line too. Rows and columns are at most 1,000, so
//! that `999999999#` costs nothing. Floor is `-` or `_`: a line with spaces inside is prose.
//!
//! Writes: as [`super::xsb`] does, but the board as one such line, floor as `-`, a count
//! before every glyph that repeats, no floor at the end of a row, and a `|` after the row of
//! a board that has only one.

use super::glyph::STANDARD;
use super::{Collection, FormatError, MAX_SIDE, layout, words};
use crate::model::{Setup, Square};

/// Reads a text file of levels.
///
/// # Errors
/// The first place that cannot be explained; a file without any board.
pub fn read(text: &str) -> Result<Collection, FormatError> {
    words::read(text)
}

/// The canonical run-length text of `collection`.
pub fn write(collection: &Collection) -> String {
    layout::write(collection, words::Place::Before, &|setup, out| {
        out.push_str(&line(setup));
        out.push('\n');
    })
}

/// The board of `setup` as one run-length line, without a line ending.
pub fn line(setup: &Setup) -> String {
    let mut text = String::new();
    let rows = layout::rows(setup, '-');
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push('|');
        }
        for run in row.as_bytes().chunk_by(|a, b| a == b) {
            if run.len() > 1 {
                text.push_str(&run.len().to_string());
            }
            text.push(char::from(run[0]));
        }
    }
    if rows.len() == 1 {
        text.push('|');
    }
    text
}

/// Whether `line` is a run-length board, or is meant to be one: no spaces inside, and at most
/// one character in eight that has no place.
pub(super) fn is_board(line: &str) -> bool {
    if !line.contains('|') {
        return false;
    }
    let (mut shown, mut foreign, mut walls, mut movers, mut ends) = (0, 0, 0, 0, 0);
    for glyph in line.trim().chars() {
        if glyph == ' ' || glyph == ':' || glyph == ';' {
            return false;
        }
        let known = u8::try_from(glyph).is_ok_and(|byte| STANDARD.knows(byte));
        shown += 1;
        foreign += usize::from(!known && glyph != '|' && !glyph.is_ascii_digit());
        walls += usize::from(glyph == '#');
        movers += usize::from("@+$*".contains(glyph));
        ends += usize::from(glyph == '|');
    }
    walls > 0 && (movers > 0 || ends >= 2) && foreign * 8 <= shown
}

/// Whether the board of `line` goes on in the next line.
pub(super) fn continues(line: &str) -> bool {
    line.trim_end().ends_with('|')
}

/// The rows that `lines` spell out; the first is line `first`, from 1.
pub(super) fn rows<'a>(
    first: u32,
    lines: impl Iterator<Item = &'a str>,
) -> Result<Vec<Vec<Square>>, FormatError> {
    let mut rows = vec![Vec::new()];
    for (number, line) in (first..).zip(lines) {
        let mut reader = Reader {
            line: number,
            rows: &mut rows,
            count: None,
        };
        for (column, glyph) in (1..).zip(line.trim_end().chars()) {
            reader.take(column, glyph)?;
        }
        if reader.count.is_some() {
            let column = line.trim_end().chars().count() as u32 + 1;
            return Err(reader.error(column, "the end of the line", "a glyph after a count"));
        }
        if reader.rows.len() > MAX_SIDE && reader.rows.last().is_some_and(|row| !row.is_empty()) {
            let found = format!("row {} of a board", MAX_SIDE + 1);
            return Err(reader.error(1, found, format!("at most {MAX_SIDE} rows")));
        }
    }
    Ok(rows)
}

struct Reader<'a> {
    line: u32,
    rows: &'a mut Vec<Vec<Square>>,
    count: Option<usize>,
}

impl Reader<'_> {
    fn error(
        &self,
        column: u32,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> FormatError {
        FormatError {
            line: self.line,
            column,
            found: found.into(),
            expected: expected.into(),
        }
    }

    fn take(&mut self, column: u32, glyph: char) -> Result<(), FormatError> {
        if let Some(digit) = glyph.to_digit(10) {
            let count = self.count.unwrap_or(0) * 10 + digit as usize;
            if count == 0 {
                return Err(self.error(column, "a count of 0", "a count of at least 1"));
            }
            if count > MAX_SIDE {
                let found = format!("a count beyond {MAX_SIDE}");
                return Err(self.error(column, found, format!("at most {MAX_SIDE} of a glyph")));
            }
            self.count = Some(count);
            return Ok(());
        }
        let count = self.count.take().unwrap_or(1);
        if glyph == '|' {
            if self.rows.len() + count > MAX_SIDE + 1 {
                let found = format!("row {} of a board", MAX_SIDE + 1);
                return Err(self.error(column, found, format!("at most {MAX_SIDE} rows")));
            }
            self.rows.resize_with(self.rows.len() + count, Vec::new);
            return Ok(());
        }
        let square = u8::try_from(glyph)
            .ok()
            .and_then(|byte| STANDARD.square(byte));
        let Some(square) = square else {
            let found = format!("`{}` in a run-length board", glyph.escape_debug());
            return Err(self.error(column, found, "a number, `|`, or one of # @ + $ * . - _"));
        };
        let row = self.rows.last_mut().map_or(0, |row| {
            row.resize(row.len() + count, square);
            row.len()
        });
        if row > MAX_SIDE {
            let found = format!("a row of {row} columns");
            return Err(self.error(column, found, format!("at most {MAX_SIDE} columns")));
        }
        Ok(())
    }
}
