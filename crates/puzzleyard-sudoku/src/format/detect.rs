//! Tells the kinds apart by the first lines of a file.

use std::io::BufRead;

use super::grid::{Row, parse};
use super::source::{decode, fill, foreign, io_fault};
use super::{Fault, Kind, MAX_LINE, alphabet, csv, line};

/// The kind, and the bytes that were read to find it out; or why there is none.
pub(super) fn detect<R: BufRead>(inner: &mut R) -> Result<(Kind, Vec<u8>), (Fault, Vec<u8>)> {
    let mut head = Vec::new();
    loop {
        let part = match fill(inner) {
            Ok(part) => part,
            Err(error) => return Err((io_fault(1, &error), head)),
        };
        // Whatever the reader has at hand, no more than a line's worth is looked at.
        let size = part.len().min((MAX_LINE + 1).saturating_sub(head.len()));
        head.extend_from_slice(&part[..size]);
        inner.consume(size);
        let whole = size == 0 || head.len() > MAX_LINE;
        if head.len() >= 8 || whole {
            if let Some(fault) = foreign(&head) {
                return Err((fault, head));
            }
            if let Some(kind) = kind_of(&head, whole) {
                return Ok((kind, head));
            }
        }
        if whole {
            return Ok((Kind::Line, head));
        }
    }
}

/// The kind of a file that begins like this; `None` if more of it is needed. `whole`: there
/// is no more to be had.
fn kind_of(head: &[u8], whole: bool) -> Option<Kind> {
    let mut text = String::new();
    decode(head, &mut text);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines: Vec<&str> = text.split(['\n', '\r']).collect();
    if !whole {
        // The last line may not be complete.
        lines.pop();
    }
    // JSON may be one long line; its first character is enough.
    if let Some(first) = text.trim_start().chars().next()
        && (first == '{' || (first == '[' && !is_section(text.trim_start())))
    {
        return Some(Kind::Json);
    }
    let start = lines.iter().position(|text| !line::is_idle(text))?;
    let (first, rest) = (lines[start], &lines[start + 1..]);
    let trimmed = first.trim_start();
    if is_section(trimmed) {
        return Some(Kind::Sdk);
    }
    if trimmed.starts_with(['{', '[']) {
        return Some(Kind::Json);
    }
    if csv::is_header(first) {
        return Some(Kind::Csv);
    }
    if trimmed.starts_with('"') {
        let json = first.matches('"').count() == 2 && trimmed.trim_end().ends_with('"');
        return Some(if json { Kind::Json } else { Kind::Csv });
    }
    of_rows(first, rest, whole)
}

fn is_section(text: &str) -> bool {
    let text = text.trim_start_matches('[').trim_start();
    ["puzzle]", "state]"].iter().any(|name| {
        text.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    })
}

/// Lines or grids.
fn of_rows(first: &str, rest: &[&str], whole: bool) -> Option<Kind> {
    let (mut first, mut rest) = (first, rest);
    let cells = loop {
        match parse(first, 0) {
            Row::Border => return Some(Kind::Grid),
            Row::Cells(cells) => break cells,
            // A title above rows; or a line of something else.
            Row::Words | Row::Idle | Row::Remark => match rest.split_first() {
                Some((next, after)) => (first, rest) = (next, after),
                None => return whole.then_some(Kind::Line),
            },
            Row::Faulty { .. } => return Some(line_or_grid(first)),
        }
    };
    let count = cells.chars.len();
    let run = first.trim().chars().count();
    if run > count || !matches!(count, 16 | 36) {
        // With walls or spaces between cells it is a row. So is a short run.
        let alone = first
            .split_whitespace()
            .next()
            .is_some_and(|cell| cell.len() == 1);
        let spaced = run > count && (count <= 36 || alone);
        return Some(
            if spaced || count < 16 || (count <= 36 && alphabet::size_of_cells(count).is_none()) {
                Kind::Grid
            } else {
                Kind::Line
            },
        );
    }
    // A line of a 4x4 puzzle or a row of a 16x16 puzzle? Digits over 4 decide.
    let top = if count == 16 { 4 } else { 6 };
    let (mut rows, mut ended) = (1, false);
    let mut over = is_over(first, top);
    for &text in rest {
        if line::is_idle(text) || text.trim().chars().count() != count {
            ended = true;
            break;
        }
        over |= is_over(text, top);
        rows += 1;
    }
    match (over, ended || whole || rows >= count) {
        (true, _) => Some(Kind::Grid),
        (false, true) => Some(Kind::Line),
        (false, false) => None,
    }
}

fn is_over(text: &str, top: u8) -> bool {
    text.chars()
        .any(|c| alphabet::value(c).is_some_and(|value| value > top))
}

/// A faulty first line: long runs are lines.
fn line_or_grid(first: &str) -> Kind {
    let run = first.split_whitespace().map(|word| word.chars().count());
    if run.max().unwrap_or(0) > 12 && !first.contains('|') {
        Kind::Line
    } else {
        Kind::Grid
    }
}
