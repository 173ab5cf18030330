//! LURD: answers as letters.
//!
//! Accepts: `l u r d` for walking and `L U R D` for pushing; white space and line ends
//! anywhere; a count before a letter (`3r2U`) or before a bracketed part (`2(rU)`, `3[2(lu)r]`);
//! brackets without a count. Bounds: 10,000,000 steps after expansion, 64 brackets deep.
//! Expansion is bounded before it happens, so that nested counts cost nothing.
//!
//! Writes: [`write()`] one letter a step; [`write_runs`] a count before every letter that
//! repeats, without brackets.
//!
//! Also reads the macro notation of some collections, `d2r1,7-8d5`: parts between commas,
//! each a square to walk to (`7-8` is column 7, row 8, both from 0; absent: stay) and then
//! literal steps with counts after the letters. The walk's path depends on the level, so
//! [`stretches`] gives the parts and leaves the walking to someone who knows the rules.
//!
//! ```
//! use puzzleyard_sokoban::format::lurd;
//! let answer = lurd::read("2(rU) 3l")?;
//! assert_eq!(answer.to_string(), "rUrUlll");
//! assert_eq!(lurd::write_runs(&answer), "rUrU3l");
//! # Ok::<(), puzzleyard_sokoban::format::FormatError>(())
//! ```

use puzzleyard_core::{Cell, Direction};

use super::FormatError;
use crate::model::{Answer, Step};

/// The most steps that an answer may expand to.
pub const MAX_STEPS: usize = 10_000_000;
/// The most brackets that may be open at once.
pub const MAX_DEPTH: usize = 64;

const EXPECTED: &str = "one of l u r d L U R D, a count or a bracket";

/// Reads an answer. Pushes are where the letters say, which nobody has checked: a text in
/// capitals only claims that every step pushes. `rules` knows better.
///
/// # Errors
/// The first character that has no place; a bracket left open or closed twice; more steps or
/// brackets than the bounds.
pub fn read(text: &str) -> Result<Answer, FormatError> {
    let mut reader = Reader::default();
    let (mut line, mut column) = (1, 0);
    let mut last = ' ';
    for letter in text.chars() {
        if letter == '\n' && last == '\r' {
            last = letter;
            continue;
        }
        last = letter;
        column += 1;
        if letter == '\n' || letter == '\r' {
            (line, column) = (line + 1, 0);
            continue;
        }
        reader
            .take(letter)
            .map_err(|(found, expected)| FormatError {
                line,
                column,
                found,
                expected: expected.into(),
            })?;
    }
    reader.finish().map_err(|(found, expected)| FormatError {
        line,
        column: column + 1,
        found,
        expected: expected.into(),
    })
}

type Refusal = (String, &'static str);

/// An open bracket: the count before it, its closing half, and the steps before it.
struct Bracket {
    count: usize,
    closing: char,
    start: usize,
}

#[derive(Default)]
struct Reader {
    steps: Vec<Step>,
    open: Vec<Bracket>,
    count: Option<usize>,
}

impl Reader {
    fn take(&mut self, letter: char) -> Result<(), Refusal> {
        match letter {
            _ if letter.is_whitespace() => Ok(()),
            '0'..='9' => {
                let digit = letter as usize - '0' as usize;
                let count = self.count.unwrap_or(0) * 10 + digit;
                if count == 0 {
                    return Err(("a count of 0".into(), "a count of at least 1"));
                }
                self.count = Some(count.min(MAX_STEPS + 1));
                Ok(())
            }
            '(' | '[' => {
                if self.open.len() == MAX_DEPTH {
                    return Err((
                        format!("bracket {} deep", MAX_DEPTH + 1),
                        "at most 64 open brackets",
                    ));
                }
                self.open.push(Bracket {
                    count: self.count.take().unwrap_or(1),
                    closing: if letter == '(' { ')' } else { ']' },
                    start: self.steps.len(),
                });
                Ok(())
            }
            ')' | ']' => {
                if self.count.is_some() {
                    return Err((
                        format!("`{letter}` after a count"),
                        "a letter or a bracket to repeat",
                    ));
                }
                match self.open.pop() {
                    Some(bracket) if bracket.closing == letter => {
                        self.repeat(bracket.start, bracket.count)
                    }
                    Some(bracket) if bracket.closing == ')' => {
                        Err((format!("`{letter}`"), "`)` first"))
                    }
                    Some(_) => Err((format!("`{letter}`"), "`]` first")),
                    None => Err((format!("`{letter}`"), "an opening bracket before it")),
                }
            }
            _ => {
                let Some(way) = Direction::from_letter(letter) else {
                    return Err((format!("`{}`", letter.escape_debug()), EXPECTED));
                };
                let push = letter.is_ascii_uppercase();
                let start = self.steps.len();
                self.steps.push(Step { way, push });
                let count = self.count.take().unwrap_or(1);
                self.repeat(start, count)
            }
        }
    }

    /// Makes `count` copies of the steps from `start` on out of one.
    fn repeat(&mut self, start: usize, count: usize) -> Result<(), Refusal> {
        let length = self.steps.len() - start;
        // Both factors are at most MAX_STEPS + 1, so the product fits 64 bits.
        let total = start as u64 + length as u64 * count as u64;
        if total > MAX_STEPS as u64 {
            return Err((
                format!("an answer of {total} steps or more"),
                "at most 10,000,000 steps",
            ));
        }
        if length > 0 {
            for _ in 1..count {
                self.steps.extend_from_within(start..start + length);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Answer, Refusal> {
        if self.count.is_some() {
            return Err((
                "the end after a count".into(),
                "a letter or a bracket to repeat",
            ));
        }
        match self.open.last() {
            Some(bracket) if bracket.closing == ')' => Err(("the end".into(), "`)`")),
            Some(_) => Err(("the end".into(), "`]`")),
            None => Ok(Answer::new(self.steps)),
        }
    }
}

/// The answer, one letter a step.
pub fn write(answer: &Answer) -> String {
    answer.to_string()
}

/// The answer with counts: `rrUU` as `2r2U`.
pub fn write_runs(answer: &Answer) -> String {
    let mut text = String::new();
    for run in answer.steps().chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            text.push_str(&run.len().to_string());
        }
        text.push_str(&Answer::new(vec![run[0]]).to_string());
    }
    text
}

/// A part of an answer in macro notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The square to walk to first, without pushing; `None` to stay.
    pub from: Option<Cell>,
    /// The steps from there.
    pub ways: Vec<Direction>,
}

/// Reads an answer in macro notation.
///
/// # Errors
/// The first character that has no place; more than [`MAX_STEPS`] steps.
pub fn stretches(text: &str) -> Result<Vec<Stretch>, FormatError> {
    let mut parts = Vec::new();
    let (mut start, mut total) = (0, 0);
    for part in text.split(',') {
        let stretch = stretch(part, &mut total).map_err(|(at, found, expected)| FormatError {
            line: 1,
            column: (start + at) as u32 + 1,
            found,
            expected: expected.into(),
        })?;
        parts.push(stretch);
        start += part.chars().count() + 1;
    }
    Ok(parts)
}

/// One part; an error is the place in it, what was found and what was expected.
fn stretch(part: &str, total: &mut usize) -> Result<Stretch, (usize, String, &'static str)> {
    let letters: Vec<char> = part.chars().collect();
    let mut at = 0;
    let number = |at: &mut usize| {
        let start = *at;
        let mut value = 0usize;
        while let Some(digit) = letters.get(*at).and_then(|letter| letter.to_digit(10)) {
            value = (value * 10 + digit as usize).min(MAX_STEPS + 1);
            *at += 1;
        }
        (*at > start).then_some(value)
    };
    let found = |at: usize| {
        letters
            .get(at)
            .map_or("the end".into(), |l| format!("`{}`", l.escape_debug()))
    };
    let mut from = None;
    if let Some(col) = number(&mut at) {
        if letters.get(at) != Some(&'-') {
            return Err((at, found(at), "`-` between column and row"));
        }
        at += 1;
        let row = number(&mut at).ok_or_else(|| (at, found(at), "a row"))?;
        let cell = u16::try_from(row).ok().zip(u16::try_from(col).ok());
        let (row, col) = cell.ok_or((0, "a square far off any board".into(), "column-row"))?;
        from = Some(Cell::new(row, col));
    }
    let mut ways = Vec::new();
    while at < letters.len() {
        let way =
            Direction::from_letter(letters[at]).ok_or_else(|| (at, found(at), "one of l u r d"))?;
        at += 1;
        let count = number(&mut at).unwrap_or(1);
        *total += count;
        if *total > MAX_STEPS {
            return Err((
                at,
                format!("an answer of {total} steps or more"),
                "at most 10,000,000 steps",
            ));
        }
        ways.resize(ways.len() + count, way);
    }
    Ok(Stretch { from, ways })
}

#[cfg(test)]
mod tests {
    use super::{read, stretches, write_runs};

    #[test]
    fn counts_and_brackets_expand() {
        let rows = [
            ("", ""),
            ("lurdLURD", "lurdLURD"),
            ("3r2U", "rrrUU"),
            ("2(rU)", "rUrU"),
            ("2(r2[uD]) \r\n l", "ruDuDruDuDl"),
            ("1 2\nl", "llllllllllll"),
            ("9999999(9999999())", ""),
        ];
        for (text, letters) in rows {
            assert_eq!(read(text).expect(text).to_string(), letters);
        }
    }

    #[test]
    fn faults_name_their_place() {
        let deep = "(".repeat(65);
        let rows = [
            (
                "rrx",
                "line 1, column 3: found `x`, expected one of l u r d L U R D, a count or a bracket",
            ),
            (
                "r\r\n0r",
                "line 2, column 1: found a count of 0, expected a count of at least 1",
            ),
            ("2(r", "line 1, column 4: found the end, expected `)`"),
            ("[r)", "line 1, column 3: found `)`, expected `]` first"),
            (
                "r)",
                "line 1, column 2: found `)`, expected an opening bracket before it",
            ),
            (
                "(2)",
                "line 1, column 3: found `)` after a count, expected a letter or a bracket to repeat",
            ),
            (
                "r3",
                "line 1, column 3: found the end after a count, expected a letter or a bracket to repeat",
            ),
            (
                "9999(9999(9999r))",
                "line 1, column 16: found an answer of 99980001 steps or more, expected at most 10,000,000 steps",
            ),
            (
                &deep,
                "line 1, column 65: found bracket 65 deep, expected at most 64 open brackets",
            ),
        ];
        for (text, message) in rows {
            assert_eq!(read(text).expect_err(text).to_string(), message);
        }
    }

    #[test]
    fn runs_are_counted() {
        assert_eq!(write_runs(&read("rrrUlLL").expect("letters")), "3rUl2L");
    }

    #[test]
    fn macro_notation_names_squares() {
        let parts = stretches("d2r1,7-8l").expect("two parts");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].ways.len(), 3);
        let from = parts[1].from.expect("a square");
        assert_eq!((from.row, from.col), (8, 7));
        assert_eq!(stretches("7d").expect_err("no row").column, 2);
    }
}
