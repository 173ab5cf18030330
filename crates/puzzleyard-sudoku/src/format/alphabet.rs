//! Which character stands for which digit.
//!
//! Canonical: `1`-`9`, then `A` = 10 to `Z` = 35, then `@` = 36; `.` is an empty cell. Lower
//! case counts as upper case, and `. 0 * _ ?` are all empty. On boards over 9x9 two more
//! alphabets are told apart by the characters of the whole puzzle, solution included:
//!
//! * zero-based (`0`-`9A`-`F` on 16x16): `0` beside another empty glyph, or in the solution
//!   only, while the canonical character of the highest digit is absent. `0` is then the highest
//!   digit; the others keep their value, so it is the same puzzle with a digit renamed.
//! * letters (`A`-`P` on 16x16): no digit at all, and a letter beyond the canonical alphabet
//!   of the size. `A` is then 1.

use crate::model::{Board, Shape};

/// The canonical character of a digit; `.` for 0.
pub(super) fn symbol(digit: u8) -> char {
    match digit {
        0 => '.',
        1..=9 => char::from(b'0' + digit),
        10..=35 => char::from(b'A' + digit - 10),
        _ => '@',
    }
}

/// Whether the character can only be an empty cell.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, '.' | '*' | '_' | '?')
}

/// The canonical value of a character, 0 for all empty glyphs.
pub(super) fn value(c: char) -> Option<u8> {
    Some(match c {
        '0' | '.' | '*' | '_' | '?' => 0,
        '1'..='9' => c as u8 - b'0',
        'A'..='Z' => c as u8 - b'A' + 10,
        'a'..='z' => c as u8 - b'a' + 10,
        '@' => 36,
        _ => return None,
    })
}

/// The size of the board that so many cells make, if that is a size that is read.
pub(super) fn size_of_cells(cells: usize) -> Option<usize> {
    let size = (4..=36).find(|size| size * size >= cells)?;
    (size * size == cells && Shape::of_size(size).is_some()).then_some(size)
}

/// What is right in a cell of a board of this size.
pub(super) fn wanted(size: usize) -> String {
    let top = symbol(size as u8);
    let digits = match size {
        0..=9 => format!("a digit 1-{top}"),
        10 => "1-9 or A".to_owned(),
        11..=35 => format!("1-9 or A-{top}"),
        _ => "1-9, A-Z or @".to_owned(),
    };
    format!("{digits}, or one of . 0 * _ ? for an empty cell")
}

/// Which alphabet a puzzle is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Canonical,
    ZeroBased,
    Letters,
}

/// A cell that cannot be read: its index, and what is wrong.
#[derive(Debug)]
pub(super) struct BadCell {
    /// Among the cells of the text in which it stands, from 0.
    pub(super) index: usize,
    /// Whether the text is the solution.
    pub(super) in_solution: bool,
    /// What stood there.
    pub(super) found: String,
    /// What would be right.
    pub(super) wanted: String,
}

/// The digits of a puzzle and its solution; the alphabet is settled over both.
pub(super) fn read(
    size: usize,
    puzzle: &[char],
    solution: Option<&[char]>,
) -> Result<(Vec<u8>, Option<Vec<u8>>), BadCell> {
    let alphabet = alphabet_of(size, puzzle, solution.unwrap_or_default())?;
    let digits = digits(size, alphabet, puzzle, false)?;
    let solution = match solution {
        None => None,
        Some(chars) => {
            let full = self::digits(size, alphabet, chars, true)?;
            if let Some(index) = full.iter().position(|&digit| digit == 0) {
                return Err(BadCell {
                    index,
                    in_solution: true,
                    found: format!("the empty cell `{}` in a solution", chars[index]),
                    wanted: "a digit in every cell".to_owned(),
                });
            }
            Some(full)
        }
    };
    Ok((digits, solution))
}

fn alphabet_of(size: usize, puzzle: &[char], solution: &[char]) -> Result<Alphabet, BadCell> {
    if size <= 9 {
        return Ok(Alphabet::Canonical);
    }
    let all = || puzzle.iter().chain(solution).copied();
    let zero_in_puzzle = puzzle.iter().position(|&c| c == '0');
    let zero = all().any(|c| c == '0');
    let blank = puzzle.iter().any(|&c| is_blank(c));
    let top = all().any(|c| value(c) == Some(size as u8));
    if zero && (blank || zero_in_puzzle.is_none()) {
        return match zero_in_puzzle {
            Some(index) if top => Err(BadCell {
                index,
                in_solution: false,
                found: "`0` beside other empty cells and the highest digit".to_owned(),
                wanted: format!(
                    "one glyph for empty cells, or 0 as a digit in the place of {}",
                    symbol(size as u8)
                ),
            }),
            None if top => Ok(Alphabet::Canonical),
            _ => Ok(Alphabet::ZeroBased),
        };
    }
    let beyond = all().any(|c| value(c).is_some_and(|v| usize::from(v) > size && v < 36));
    let digit = all().any(|c| c.is_ascii_digit() && (c != '0' || !solution.is_empty()));
    if beyond && !digit {
        return Ok(Alphabet::Letters);
    }
    Ok(Alphabet::Canonical)
}

fn digits(
    size: usize,
    alphabet: Alphabet,
    chars: &[char],
    in_solution: bool,
) -> Result<Vec<u8>, BadCell> {
    let mut digits = Vec::with_capacity(chars.len());
    for (index, &c) in chars.iter().enumerate() {
        let digit = match (alphabet, value(c)) {
            (Alphabet::ZeroBased, Some(0)) if c == '0' => Some(size as u8),
            (Alphabet::Letters, Some(v @ 10..=35)) => Some(v - 9),
            (_, value) => value,
        };
        match digit {
            Some(digit) if usize::from(digit) <= size => digits.push(digit),
            _ => {
                return Err(BadCell {
                    index,
                    in_solution,
                    found: format!("`{}`", c.escape_debug()),
                    wanted: wanted(size),
                });
            }
        }
    }
    Ok(digits)
}

/// A board of the usual shape of `size`, of digits that [`read`] has given.
pub(super) fn board(size: usize, digits: Vec<u8>) -> Option<Board> {
    Board::from_digits(Shape::of_size(size)?, digits).ok()
}

#[cfg(test)]
mod tests {
    use super::{read, size_of_cells, symbol, value};

    #[test]
    fn symbols_are_read_back() {
        for digit in 0..=36 {
            assert_eq!(value(symbol(digit)), Some(digit));
        }
        assert_eq!(value('g'), Some(16));
    }

    #[test]
    fn sizes_are_squares_with_boxes() {
        let sizes: Vec<usize> = (0..1400).filter_map(size_of_cells).collect();
        assert_eq!(sizes[..6], [4, 6, 8, 9, 10, 12]);
        assert_eq!(sizes.last(), Some(&36));
    }

    fn first_row(text: &str) -> Result<Vec<u8>, String> {
        let chars: Vec<char> = text.chars().collect();
        read(16, &chars, None)
            .map(|(digits, _)| digits)
            .map_err(|bad| bad.found)
    }

    #[test]
    fn alphabets_are_told_apart() {
        assert_eq!(first_row("0F0").unwrap(), [0, 15, 0]);
        assert_eq!(first_row("0F.").unwrap(), [16, 15, 0]);
        assert_eq!(first_row("GF.").unwrap(), [16, 15, 0]);
        assert_eq!(first_row("AP.").unwrap(), [1, 16, 0]);
        assert_eq!(first_row("a1.").unwrap(), [10, 1, 0]);
        assert!(first_row("0G.").is_err());
        assert!(first_row("1P.").is_err());
        assert!(first_row("Q..").is_err());
    }
}
