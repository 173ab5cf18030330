//! Finds the boards among the lines of a text file.
//!
//! A *row* is a line made of glyphs only, at least one of them visible. A *run* is the rows
//! that follow each other without another line between. A run is a board if it has a wall and
//! either three rows or a player or a box.
//!
//! * A line without a visible glyph ends a board: blank lines are never rows. A row of floor
//!   inside a board is written `-`.
//! * Rows at the top or the bottom of a run that show floor only, or one repeated mark
//!   without any wall (`-----`, `*****`), are rules drawn around the board, not part of it;
//!   so are words in the letters of the glyphs (`b`). Between two boards without a blank line
//!   they join them: write a blank line, or words.
//!   Floor to the right of the last other glyph is cut.
//! * A line that is nearly a row (two walls or more, at most a third of it foreign, no word in
//!   it) is a fault of the board that it stands in. It counts as words after all if a player
//!   stands both above and below it in the run, or if it is at the end of a run and its
//!   foreign characters are letters or digits (`## 7 ##`).
//! * A run-length line is a board of its own; see [`super::rle`].

use super::glyph::{GlyphSet, STANDARD, is_row};
use super::source::Lines;
use super::{FormatError, MAX_LEVELS, MAX_SIDE, rle};
use crate::model::{Setup, Square};

/// A board and the lines that it takes, from 0, the last excluded.
pub(super) struct Board {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) setup: Setup,
}

/// All boards outside `asides`, which are ranges of lines in order.
pub(super) fn find(
    lines: &Lines,
    set: &GlyphSet,
    asides: &[(usize, usize)],
) -> Result<Vec<Board>, FormatError> {
    let mut finder = Finder {
        lines,
        set,
        rows: Vec::new(),
        boards: Vec::new(),
    };
    let mut asides = asides.iter().peekable();
    let mut start = 0;
    while start < lines.len() {
        while asides.next_if(|aside| aside.1 <= start).is_some() {}
        let (from, to) = asides
            .peek()
            .map_or((lines.len(), lines.len()), |&&aside| aside);
        start = if from <= start {
            to
        } else {
            match kind(set, lines.get(start)) {
                Kind::Row | Kind::Near => finder.read_run(start, from)?,
                Kind::Packed => finder.read_packed(start, from)?,
                Kind::Words => start + 1,
            }
        };
        if finder.boards.len() > MAX_LEVELS {
            return Err(FormatError {
                line: start as u32,
                column: 1,
                found: "another board".into(),
                expected: format!("at most {MAX_LEVELS} levels"),
            });
        }
    }
    Ok(finder.boards)
}

/// What a line can be.
enum Kind {
    /// Glyphs only.
    Row,
    /// Glyphs and a few other characters.
    Near,
    /// A run-length board.
    Packed,
    /// Anything else, blank lines among them.
    Words,
}

fn kind(set: &GlyphSet, line: &str) -> Kind {
    if is_row(set, line) {
        Kind::Row
    } else if rle::is_board(line) {
        Kind::Packed
    } else if is_near(set, line) {
        Kind::Near
    } else {
        Kind::Words
    }
}

struct Finder<'a> {
    lines: &'a Lines<'a>,
    set: &'a GlyphSet,
    /// The rows of the run being read. They keep their memory from run to run.
    rows: Vec<Vec<Square>>,
    boards: Vec<Board>,
}

impl Finder<'_> {
    /// Reads the run that begins at line `start`, which is a row or nearly one. Returns the
    /// first line after it, which is at most `stop`.
    fn read_run(&mut self, start: usize, stop: usize) -> Result<usize, FormatError> {
        let mut near = Vec::new();
        let mut end = start;
        while end < stop {
            match kind(self.set, self.lines.get(end)) {
                Kind::Row => {}
                Kind::Near => near.push(end),
                Kind::Packed | Kind::Words => break,
            }
            end += 1;
        }
        let mut from = start;
        if !near.is_empty() {
            refuse_faulty_rows(self.lines, self.set, start, end, &near)?;
            for at in near {
                self.read_rows(from, at)?;
                from = at + 1;
            }
        }
        self.read_rows(from, end)?;
        Ok(end)
    }

    /// Reads the run-length board that begins at line `start`. Returns the first line after it.
    fn read_packed(&mut self, start: usize, stop: usize) -> Result<usize, FormatError> {
        let goes_on = |at: &usize| {
            let next = at + 1;
            rle::continues(self.lines.get(*at))
                && next < stop
                && rle::is_board(self.lines.get(next))
        };
        let end = (start..stop)
            .find(|at| !goes_on(at))
            .map_or(stop, |at| at + 1);
        let rows = rle::rows(start as u32 + 1, (start..end).map(|at| self.lines.get(at)))?;
        if let Some((first, last)) = extent(&rows) {
            let mut setup = drawn(&rows[first..last]);
            setup.first_line = start as u32 + 1;
            self.boards.push(Board { start, end, setup });
        }
        Ok(end)
    }

    /// Reads the rows from line `start` to before `end` as one board, if they are one.
    fn read_rows(&mut self, start: usize, end: usize) -> Result<(), FormatError> {
        let (lines, set) = (self.lines, self.set);
        let spelt = |at: &usize| !is_word(set, lines.get(*at));
        let Some(start) = (start..end).find(spelt) else {
            return Ok(());
        };
        let end = (start..end).rev().find(spelt).map_or(start, |at| at + 1);
        // One row more than a board may have is enough to refuse it.
        let count = (end - start).min(MAX_SIDE + 1);
        if self.rows.len() < count {
            self.rows.resize_with(count, Vec::new);
        }
        for (row, at) in self.rows.iter_mut().zip(start..start + count) {
            draw(set, lines.get(at), row);
        }
        let rows = &self.rows[..count];
        let Some((first, last)) = extent(rows) else {
            return Ok(());
        };
        refuse_large(rows, start)?;
        let mut setup = drawn(&rows[first..last]);
        setup.first_line = (start + first) as u32 + 1;
        self.boards.push(Board {
            start: start + first,
            end: start + last,
            setup,
        });
        Ok(())
    }
}

/// The setup of `rows` without the floor around it, or `None` if there is nothing else.
/// `start` is the line of the first row, from 0.
pub(super) fn setup_of(rows: &[Vec<Square>], start: usize) -> Option<Setup> {
    let shows = |row: &Vec<Square>| row.iter().any(|&square| square != Square::FLOOR);
    let first = rows.iter().position(shows)?;
    let last = rows.iter().rposition(shows)?;
    let mut setup = drawn(&rows[first..=last]);
    setup.first_line = (start + first) as u32 + 1;
    Some(setup)
}

/// Whether `line` looks like a row with a few characters that do not belong there.
fn is_near(set: &GlyphSet, line: &str) -> bool {
    const LEAST_WALLS: usize = 2;
    if line.bytes().filter(|&byte| set.is_wall(byte)).count() < LEAST_WALLS
        || line.trim_start().starts_with(';')
        || line.contains(':')
    {
        return false;
    }
    let (mut shown, mut foreign, mut word) = (0, 0, 0);
    for glyph in line.chars().filter(|&glyph| glyph != ' ') {
        shown += 1;
        let known = glyph.is_ascii() && set.knows(glyph as u8);
        foreign += usize::from(!known);
        word = if known || !glyph.is_alphabetic() {
            0
        } else {
            word + 1
        };
        if word == 3 {
            return false;
        }
    }
    foreign > 0 && foreign * 3 <= shown
}

/// Where the first foreign character of a near row is, in characters from 0, and what it is.
fn foreign(set: &GlyphSet, line: &str) -> (usize, char) {
    line.chars()
        .enumerate()
        .find(|(_, glyph)| !glyph.is_ascii() || !set.knows(*glyph as u8))
        .unwrap_or((0, ' '))
}

fn refusal(set: &GlyphSet, lines: &Lines, at: usize) -> FormatError {
    let (column, glyph) = foreign(set, lines.get(at));
    let found = match glyph {
        '\t' => "a tab".into(),
        glyph if glyph.is_control() => format!("{glyph:?} in a board"),
        glyph => format!("`{glyph}` in a board"),
    };
    let expected = match glyph {
        '\t' => "spaces, `-` or `_` for floor".into(),
        _ => set.listed.into(),
    };
    FormatError {
        line: at as u32 + 1,
        column: column as u32 + 1,
        found,
        expected,
    }
}

/// Refuses the first near row of a run that cannot be taken for words.
fn refuse_faulty_rows(
    lines: &Lines,
    set: &GlyphSet,
    start: usize,
    end: usize,
    near: &[usize],
) -> Result<(), FormatError> {
    const LEAST: usize = 3;
    let rows = end - start - near.len();
    let tabbed = |&at: &usize| foreign(set, lines.get(at)).1 == '\t';
    if rows < 2 && !(end - start >= LEAST && near.iter().all(tabbed)) {
        return Ok(());
    }
    let has_player = |at: &usize| {
        let line = lines.get(*at);
        line.bytes().any(|byte| set.is_player(byte))
    };
    let pure = |at: &usize| near.binary_search(at).is_err();
    let first_player = (start..end).filter(pure).find(has_player);
    let last_player = (start..end).rev().filter(pure).find(has_player);
    let (first_row, last_row) = (
        (start..end).find(pure).unwrap_or(end),
        (start..end).rev().find(pure).unwrap_or(start),
    );
    for &at in near {
        let parts_two_boards = first_player.is_some_and(|first| first < at)
            && last_player.is_some_and(|last| last > at);
        let at_an_end = at < first_row || at > last_row;
        let worded = foreign(set, lines.get(at)).1.is_alphanumeric();
        let words = parts_two_boards || (at_an_end && worded);
        if !words {
            return Err(refusal(set, lines, at));
        }
    }
    Ok(())
}

/// Whether a row draws a rule: floor only, or one mark three times or more and no wall.
fn is_rule(row: &[Square]) -> bool {
    const LEAST: usize = 3;
    let shows = |square: &Square| *square != Square::FLOOR;
    let Some(first) = row.iter().position(shows) else {
        return true;
    };
    let last = row.iter().rposition(shows).unwrap_or(first);
    let marks = &row[first..=last];
    marks.len() >= LEAST && !marks[0].wall && marks.iter().all(|mark| *mark == marks[0])
}

/// Whether a row is made of letters that are no walls: more likely a word.
fn is_word(set: &GlyphSet, line: &str) -> bool {
    line.bytes()
        .all(|byte| byte == b' ' || (byte.is_ascii_alphabetic() && !set.is_wall(byte)))
}

/// The range of `rows` that is a board, or `None`.
fn extent(rows: &[Vec<Square>]) -> Option<(usize, usize)> {
    const LEAST: usize = 3;
    let first = rows.iter().position(|row| !is_rule(row))?;
    let last = rows.iter().rposition(|row| !is_rule(row))?;
    let has = |test: fn(&Square) -> bool| rows[first..=last].iter().flatten().any(test);
    let enough = last - first + 1 >= LEAST || has(|square| square.player || square.crate_box);
    (enough && has(|square| square.wall)).then_some((first, last + 1))
}

/// The setup of `rows` without the floor on their right.
fn drawn(rows: &[Vec<Square>]) -> Setup {
    let shows = |square: &Square| *square != Square::FLOOR;
    let width = |row: &Vec<Square>| row.iter().rposition(shows).map_or(0, |at| at + 1);
    let most = rows.iter().map(width).max().unwrap_or(0);
    if rows.iter().all(|row| row.len() <= most) {
        return Setup::from_rows(rows);
    }
    let cut: Vec<Vec<Square>> = rows.iter().map(|row| row[..width(row)].to_vec()).collect();
    Setup::from_rows(&cut)
}

/// Makes `row` the squares of a line without the floor on its right, one more than allowed at
/// most.
fn draw(set: &GlyphSet, line: &str, row: &mut Vec<Square>) {
    let floor = |byte: &&u8| set.is_floor(**byte);
    let width = line.len() - line.as_bytes().iter().rev().take_while(floor).count();
    row.clear();
    row.extend(
        line.bytes()
            .take(width.min(MAX_SIDE + 1))
            .filter_map(|byte| set.square(byte)),
    );
}

/// Refuses a board beyond the limits, whose first row is line `start`, from 0.
fn refuse_large(rows: &[Vec<Square>], start: usize) -> Result<(), FormatError> {
    if rows.len() > MAX_SIDE {
        return Err(FormatError {
            line: (start + MAX_SIDE) as u32 + 1,
            column: 1,
            found: format!("row {} of a board", MAX_SIDE + 1),
            expected: format!("at most {MAX_SIDE} rows"),
        });
    }
    match rows.iter().position(|row| row.len() > MAX_SIDE) {
        Some(at) => Err(FormatError {
            line: (start + at) as u32 + 1,
            column: MAX_SIDE as u32 + 1,
            found: format!("column {} of a board", MAX_SIDE + 1),
            expected: format!("at most {MAX_SIDE} columns"),
        }),
        None => Ok(()),
    }
}

/// The squares of a standard row whose first character stands at `found_at`, line and column
/// from 1. For readers that are told which texts are rows.
pub(super) fn squares(row: &str, found_at: (u32, u32)) -> Result<Vec<Square>, FormatError> {
    row.chars()
        .enumerate()
        .map(|(column, glyph)| {
            let square = u8::try_from(glyph)
                .ok()
                .and_then(|byte| STANDARD.square(byte));
            square.ok_or_else(|| FormatError {
                line: found_at.0,
                column: found_at.1 + column as u32,
                found: match glyph {
                    '\t' => "a tab".into(),
                    glyph => format!("`{}` in a board", glyph.escape_debug()),
                },
                expected: STANDARD.listed.into(),
            })
        })
        .collect()
}
