//! What a line of a grid file is: cells, a border, words, or nothing.

use super::super::{alphabet, line, quoted};
use crate::model::Shape;

/// A line, understood.
#[derive(Debug)]
pub(in super::super) enum Row {
    /// Blank.
    Idle,
    /// A remark after `#`.
    Remark,
    /// A drawn line between bands.
    Border,
    /// Words: a title.
    Words,
    /// Cells of one row, or of a whole board.
    Cells(Cells),
    /// A row with something foreign in it.
    Faulty {
        /// From 1.
        column: usize,
        /// What stood there.
        found: String,
    },
}

/// The cells of a line.
#[derive(Debug, Default)]
pub(in super::super) struct Cells {
    /// One character a cell; numbers over 9 as their canonical character.
    pub(in super::super) chars: Vec<char>,
    /// The column of each cell, from 1.
    pub(in super::super) columns: Vec<usize>,
    /// How many cells stood before each inner border, ascending.
    pub(in super::super) splits: Vec<usize>,
    /// The letter before the first cell, if it cannot be a cell.
    pub(in super::super) label: Option<char>,
}

fn is_wall(c: char) -> bool {
    matches!(c, '|' | '!' | '\u{2502}' | '\u{2503}' | '\u{2551}')
        || ('\u{2506}'..='\u{250B}').contains(&c)
}

fn is_border(text: &str) -> bool {
    let drawn = |c: char| ('\u{2500}'..='\u{257F}').contains(&c);
    text.chars()
        .all(|c| c.is_whitespace() || "-+*.:'|=".contains(c) || drawn(c))
        && (text.contains("--")
            || text.contains('=')
            || text.chars().any(|c| drawn(c) && !is_wall(c)))
}

pub(in super::super) fn is_size(size: usize) -> bool {
    (4..=36).contains(&size) && Shape::of_size(size).is_some()
}

/// A stretch without spaces and walls: its text and the column of its first character.
struct Token<'a> {
    text: &'a str,
    column: usize,
    chars: usize,
    /// Tokens before it are parted by a wall.
    walled: bool,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let (mut open, mut walled) = (false, false);
    for (column, (at, c)) in text.char_indices().enumerate() {
        if c.is_whitespace() || c == ',' || is_wall(c) {
            walled |= is_wall(c);
            open = false;
        } else if let (true, Some(last)) = (open, found.last_mut()) {
            last.chars += 1;
            let start = text.len() - (text.len() - at) - last.text.len();
            last.text = &text[start..at + c.len_utf8()];
        } else {
            found.push(Token {
                text: &text[at..at + c.len_utf8()],
                column: column + 1,
                chars: 1,
                walled,
            });
            (open, walled) = (true, false);
        }
    }
    found
}

/// Understands a line. `size` is the size of the board that it may continue, 0 if none is begun.
pub(in super::super) fn parse(text: &str, size: usize) -> Row {
    if line::is_idle(text) {
        let remark = text.trim_start().starts_with('#');
        return if remark { Row::Remark } else { Row::Idle };
    }
    if is_border(text) {
        return Row::Border;
    }
    let tokens = tokens(text);
    if tokens.is_empty() {
        return Row::Border;
    }
    if is_words(&tokens, size) {
        return Row::Words;
    }
    if let Some(cells) = numbers(&tokens) {
        return Row::Cells(cells);
    }
    compact(&tokens)
}

/// Whether a line is a title and no row. A row of which a cell is mistyped is still a row.
fn is_words(tokens: &[Token<'_>], size: usize) -> bool {
    let all = || tokens.iter().flat_map(|token| token.text.chars());
    let count = all().count();
    let plain = all()
        .filter(|&c| c.is_ascii_digit() || alphabet::is_blank(c))
        .count();
    if plain * 2 > count || !all().any(char::is_alphabetic) {
        return false;
    }
    let top = if size == 0 { count } else { size };
    let cells = is_size(count)
        && count > 9
        && (size == 0 || size == count)
        && all().all(|c| alphabet::value(c).is_some_and(|v| usize::from(v) <= top));
    let shout = tokens.len() == 1
        && is_size(count)
        && count > 9
        && all().all(|c| c.is_ascii_uppercase() || alphabet::is_blank(c));
    !cells && !shout
}

/// A row of numbers parted by spaces, for boards over 9x9.
fn numbers(tokens: &[Token<'_>]) -> Option<Cells> {
    let size = tokens.len();
    if size <= 9 || !is_size(size) || tokens.iter().all(|token| token.chars == 1) {
        return None;
    }
    let mut cells = Cells::default();
    for (index, token) in tokens.iter().enumerate() {
        let c = match (token.chars, token.text.parse::<u8>()) {
            (1, _) => token.text.chars().next()?,
            (2, Ok(number @ 1..=36)) => alphabet::symbol(number),
            _ => return None,
        };
        cells.chars.push(c);
        cells.columns.push(token.column);
        if token.walled && index > 0 {
            cells.splits.push(index);
        }
    }
    Some(cells)
}

/// A row of single characters, with or without spaces between them.
fn compact(tokens: &[Token<'_>]) -> Row {
    let mut cells = Cells::default();
    let mut tokens = tokens;
    let count: usize = tokens.iter().map(|token| token.chars).sum();
    if let [first, rest @ ..] = tokens
        && first.chars == 1
        && let Some(label @ 'A'..='I') = first.text.chars().next()
        && is_size(count - 1)
        && count <= 10
    {
        cells.label = Some(label);
        tokens = rest;
    }
    for token in tokens {
        if token.walled && !cells.chars.is_empty() {
            cells.splits.push(cells.chars.len());
        }
        // A number of several digits alone between spaces is a list of candidates.
        let lone = tokens.len() == 9 && token.chars > 1 && count > 9;
        for (offset, c) in token.text.chars().enumerate() {
            if alphabet::value(c).is_none() || lone {
                let rest: String = token.text.chars().skip(offset).collect();
                return Row::Faulty {
                    column: token.column + offset,
                    found: if lone {
                        format!("{} in one cell", quoted(&rest))
                    } else {
                        quoted(&rest)
                    },
                };
            }
            cells.chars.push(c);
            cells.columns.push(token.column + offset);
        }
    }
    Row::Cells(cells)
}
