//! A puzzle a line: cells row by row, then perhaps the solution, then perhaps a remark.

use std::io::BufRead;

use super::block::plain;
use super::source::Lines;
use super::{Entry, Fault, alphabet, bare_title, many, quoted};

/// Reads `.sdm` too.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    lines: Lines<R>,
    text: String,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            lines: Lines::new(inner),
            text: String::new(),
        }
    }

    pub(super) fn step(&mut self) -> Option<Result<Entry, Fault>> {
        // Most files hold nothing but plain lines.
        let mut found = None;
        let plain = self.lines.plain::<81>(|bytes, number| {
            if found.is_none() {
                found = plain(bytes).map(|grid| (grid, number));
                return found.is_some();
            }
            false
        });
        match (plain, found) {
            (Err(fault), _) => return Some(Err(fault)),
            (Ok(()), Some((grid, line))) => {
                let entry = Entry::new(grid.into());
                return Some(Ok(Entry { line, ..entry }));
            }
            (Ok(()), None) => {}
        }
        loop {
            if let Err(fault) = self.lines.next(&mut self.text)? {
                return Some(Err(fault));
            }
            if let Some(item) = parse(&self.text, self.lines.number()) {
                return Some(item);
            }
        }
    }
}

/// Whether a line holds nothing to read: blank, or a comment.
pub(super) fn is_idle(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
    text.is_empty() || text.starts_with('#')
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '|' | '#' | '"' | '\'' | ':')
}

/// The puzzle of a line; `None` for a blank line or a comment.
pub(super) fn parse(text: &str, line: u64) -> Option<Result<Entry, Fault>> {
    if is_idle(text) {
        return None;
    }
    // Quotation marks around fields are no part of them.
    let start = text
        .find(|c: char| !c.is_whitespace() && c != '"' && c != '\'')
        .unwrap_or(0);
    let (before, body) = text.split_at(start);
    let end = body.find(is_separator).unwrap_or(body.len());
    let (field, rest) = body.split_at(end);
    Some(puzzle(field, rest, before.chars().count(), line))
}

/// `skipped`: characters before the field.
fn puzzle(field: &str, rest: &str, skipped: usize, line: u64) -> Result<Entry, Fault> {
    let cells: Vec<char> = field.chars().collect();
    let Some(size) = alphabet::size_of_cells(cells.len()) else {
        return Err(bad_length(&cells, skipped, line));
    };
    let (solution, tail, gap) = split_solution(rest, cells.len(), line, skipped)?;
    let solution_chars: Option<Vec<char>> = solution.map(|text| text.chars().collect());
    let (digits, full) =
        alphabet::read(size, &cells, solution_chars.as_deref()).map_err(|bad| {
            let at = if bad.in_solution {
                cells.len() + gap
            } else {
                0
            };
            Fault::new(line, skipped + at + bad.index + 1, bad.found, bad.wanted)
        })?;
    let board = alphabet::board(size, digits).ok_or_else(|| bad_length(&cells, skipped, line))?;
    Ok(Entry {
        solution: full.and_then(|digits| alphabet::board(size, digits)),
        title: bare_title(tail),
        line,
        ..Entry::new(board)
    })
}

/// The solution field of what follows the puzzle, the text after it, and the characters
/// between the puzzle and the solution.
fn split_solution(
    rest: &str,
    cells: usize,
    line: u64,
    skipped: usize,
) -> Result<(Option<&str>, &str, usize), Fault> {
    let start = rest
        .find(|c: char| !is_separator(c) || c == '#')
        .unwrap_or(rest.len());
    let (between, tail) = rest.split_at(start);
    let end = tail.find(is_separator).unwrap_or(tail.len());
    let field = &tail[..end];
    let length = field.chars().count();
    let gap = between.chars().count();
    let symbols = field.chars().all(|c| alphabet::value(c).is_some());
    if symbols && length == cells {
        return Ok((Some(field), &tail[end..], gap));
    }
    // Digits only and more than half as long: nothing but a solution that lost or won cells.
    if length > cells / 2 && length > 8 && field.chars().all(|c| c.is_ascii_digit()) {
        return Err(Fault::new(
            line,
            skipped + cells + gap + 1,
            format!("a solution of {length} cells"),
            format!("{cells}, as many as the puzzle has"),
        ));
    }
    Ok((None, rest, 0))
}

fn bad_length(cells: &[char], skipped: usize, line: u64) -> Fault {
    let foreign = cells.iter().position(|&c| alphabet::value(c).is_none());
    if let Some(index) = foreign {
        // An early foreign character means that this is no line of cells at all.
        let wanted = if index < cells.len() / 2 || cells.len() < 16 {
            "a line of 81 cells: digits, and . 0 * _ ? for empty".to_owned()
        } else {
            alphabet::wanted(9)
        };
        let word: String = cells.iter().skip(index).collect();
        return Fault::new(line, skipped + index + 1, quoted(&word), wanted);
    }
    let words = cells.iter().all(|c| c.is_alphabetic());
    if words {
        let word: String = cells.iter().collect();
        let wanted = "a line of 81 cells: digits, and . 0 * _ ? for empty";
        return Fault::new(line, skipped + 1, quoted(&word), wanted);
    }
    // A short run is more likely a broken 9x9 than a 4x4.
    let nearest = (4..=36)
        .filter(|&size| cells.len() >= 12 && alphabet::size_of_cells(size * size).is_some())
        .min_by_key(|&size| (size * size).abs_diff(cells.len()))
        .unwrap_or(9);
    let at = cells.len().min(nearest * nearest) + 1;
    Fault::new(
        line,
        skipped + at,
        many(cells.len(), "cell"),
        format!(
            "{} for {nearest}x{nearest} (a square of 4, 6, 8, 9, 10, 12, ... 36)",
            nearest * nearest
        ),
    )
}
