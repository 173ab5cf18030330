//! Writes collections as text: headers, boards and the words around them. The three text
//! forms differ in where titles stand and how a board is drawn.

use super::Collection;
use super::words::{self, Place};
use crate::model::Setup;

/// The rows of `setup` with `floor` as floor, without the floor on the right, above and below.
/// A row of floor inside the board is one `-`, since a blank line would end it.
pub(super) fn rows(setup: &Setup, floor: char) -> Vec<String> {
    let width = usize::from(setup.area().width()).max(1);
    let cells: Vec<char> = setup
        .area()
        .cells()
        .map(|cell| setup.square(cell).glyph())
        .collect();
    let mut rows: Vec<String> = cells
        .chunks(width)
        .map(|row| {
            let text: String = row.iter().collect();
            text.trim_end().replace(' ', floor.encode_utf8(&mut [0; 4]))
        })
        .collect();
    let last = rows.iter().rposition(|row| !row.is_empty());
    rows.truncate(last.map_or(0, |at| at + 1));
    let first = rows.iter().position(|row| !row.is_empty()).unwrap_or(0);
    rows.drain(..first);
    for row in &mut rows {
        if row.is_empty() {
            row.push('-');
        }
    }
    rows
}

/// `text` on one line: line breaks are spaces, and there is no white space at the ends.
pub(super) fn one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r'], " ")
}

/// Writes a collection as text: headers, a blank line, then the levels, each followed by a
/// blank line. `place` says where titles stand; `draw` writes a board.
pub(super) fn write(
    collection: &Collection,
    place: Place,
    draw: &dyn Fn(&Setup, &mut String),
) -> String {
    let mut out = String::new();
    let title_key = match place {
        Place::Before => "Collection",
        Place::After => "Title",
    };
    put_header(&mut out, title_key, collection.title.as_deref());
    put_header(&mut out, "Author", collection.author.as_deref());
    for (key, value) in &collection.properties {
        if key == words::COMMENT {
            put_comment(&mut out, value);
        } else {
            put_header(&mut out, key, Some(value));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    for setup in &collection.setups {
        let title = one_line(setup.title.as_deref().unwrap_or_default());
        // A line of punctuation before a board would be taken for a rule.
        let above = place == Place::Before && words::says_something(&title);
        if above {
            out.push_str("; ");
            out.push_str(&title);
            out.push('\n');
        }
        draw(setup, &mut out);
        if !above {
            put_header(&mut out, "Title", Some(&title));
        }
        put_header(&mut out, "Author", setup.author.as_deref());
        for (key, value) in &setup.properties {
            put_header(&mut out, key, Some(value));
        }
        put_comment(&mut out, setup.comment.as_deref().unwrap_or_default());
        for answer in &setup.answers {
            let answer = one_line(answer);
            if place == Place::After && words::is_answer(&answer) {
                out.push_str("Solution\n");
                out.push_str(&answer);
                out.push('\n');
            } else {
                put_header(&mut out, "Solution", Some(&answer));
            }
        }
        out.push('\n');
    }
    out
}

fn put_header(out: &mut String, key: &str, value: Option<&str>) {
    let value = one_line(value.unwrap_or_default());
    if !value.is_empty() {
        out.push_str(&one_line(key));
        out.push_str(": ");
        out.push_str(&value);
        out.push('\n');
    }
}

/// A comment block. A line that would open or close a block gets one more space before it.
fn put_comment(out: &mut String, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    out.push_str("Comment:\n");
    for line in text.trim_end().split(['\n', '\r']) {
        if words::comment_mark(line.trim_start_matches(' ')).is_some() {
            out.push(' ');
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str("Comment-End:\n");
}
