//! Glyph sets: which character means which square, and which set a file uses.
//!
//! | set | wall | player | player on goal | box | box on goal | goal |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | standard | `#` | `@ p` | `+ P` | `$ b` | `* B` | `.` |
//! | standard with `X` walls | `# X` | `@ p` | `+ P` | `$ b` | `* B` | `.` |
//! | DOS dump | `X` | `@` | `+` | `*` | `&` | `.` |
//! | `B & X` | `#` | `&` | `%` | `B` | `X` | `.` |
//!
//! Floor is space, `-` or `_` in all of them. One file has one set. Text without `X`, `&` and
//! `%` in its boards is standard. Else a set stands when its characters are enough for every
//! board; if several stand, those that give every board one player and as many boxes as goals;
//! if still several stand, the file is refused and they are named.

use super::FormatError;
use super::source::Lines;
use crate::model::Square;

const FOREIGN: u8 = 0;
const KNOWN: u8 = 0x80;
const WALL: u8 = 1;
const GOAL: u8 = 2;
const BOX: u8 = 4;
const PLAYER: u8 = 8;

/// A meaning for each ASCII character.
pub(super) struct GlyphSet {
    name: &'static str,
    /// The characters, as an error message lists them.
    pub(super) listed: &'static str,
    table: [u8; 256],
}

const fn table(pairs: &[(&[u8], u8)]) -> [u8; 256] {
    let mut table = [FOREIGN; 256];
    let mut at = 0;
    while at < pairs.len() {
        let (glyphs, bits) = pairs[at];
        let mut of = 0;
        while of < glyphs.len() {
            table[glyphs[of] as usize] = KNOWN | bits;
            of += 1;
        }
        at += 1;
    }
    table
}

/// `# @ + $ * .` with the letters for player and box.
pub(super) static STANDARD: GlyphSet = GlyphSet {
    name: "standard",
    listed: "one of # @ + $ * . - _ or space",
    table: table(&[
        (b" -_", 0),
        (b"#", WALL),
        (b".", GOAL),
        (b"$b", BOX),
        (b"*B", BOX | GOAL),
        (b"@p", PLAYER),
        (b"+P", PLAYER | GOAL),
    ]),
};

static CROSS_WALLS: GlyphSet = GlyphSet {
    name: "standard with `X` walls",
    listed: "one of # X @ + $ * . - _ or space",
    table: table(&[
        (b" -_", 0),
        (b"#X", WALL),
        (b".", GOAL),
        (b"$b", BOX),
        (b"*B", BOX | GOAL),
        (b"@p", PLAYER),
        (b"+P", PLAYER | GOAL),
    ]),
};

static DOS: GlyphSet = GlyphSet {
    name: "DOS dump (`X` walls, `*` boxes)",
    listed: "one of X @ + * & . - _ or space",
    table: table(&[
        (b" -_", 0),
        (b"X", WALL),
        (b".", GOAL),
        (b"*", BOX),
        (b"&", BOX | GOAL),
        (b"@", PLAYER),
        (b"+", PLAYER | GOAL),
    ]),
};

static AMPERSAND: GlyphSet = GlyphSet {
    name: "`B & X` (`&` player, `B` boxes)",
    listed: "one of # & % B X . - _ or space",
    table: table(&[
        (b" -_", 0),
        (b"#", WALL),
        (b".", GOAL),
        (b"B", BOX),
        (b"X", BOX | GOAL),
        (b"&", PLAYER),
        (b"%", PLAYER | GOAL),
    ]),
};

/// Every character of every set; walls alone are marked.
static UNION: GlyphSet = GlyphSet {
    name: "any",
    listed: "",
    table: table(&[(b" -_.$b*B@p+P&%", 0), (b"#X", WALL)]),
};

impl GlyphSet {
    /// Whether `byte` means anything.
    pub(super) fn knows(&self, byte: u8) -> bool {
        self.table[usize::from(byte)] != FOREIGN
    }

    /// Whether `byte` is a wall.
    pub(super) fn is_wall(&self, byte: u8) -> bool {
        self.table[usize::from(byte)] & WALL != 0
    }

    /// Whether `byte` is a player, on a goal or not.
    pub(super) fn is_player(&self, byte: u8) -> bool {
        self.table[usize::from(byte)] & PLAYER != 0
    }

    /// Whether `byte` is empty floor.
    pub(super) fn is_floor(&self, byte: u8) -> bool {
        self.table[usize::from(byte)] == KNOWN
    }

    /// The square of `byte`, or `None`.
    pub(super) fn square(&self, byte: u8) -> Option<Square> {
        let bits = self.table[usize::from(byte)];
        (bits != FOREIGN).then_some(Square {
            wall: bits & WALL != 0,
            goal: bits & GOAL != 0,
            crate_box: bits & BOX != 0,
            player: bits & PLAYER != 0,
        })
    }

    /// Whether `board` has one player and as many boxes as goals, at least one.
    fn explains(&self, board: &[&str]) -> bool {
        let bytes = || {
            board
                .iter()
                .flat_map(|row| row.bytes())
                .map(|byte| self.table[usize::from(byte)])
        };
        let count = |bit| bytes().filter(|bits| bits & bit != 0).count();
        count(PLAYER) == 1 && count(BOX) == count(GOAL) && count(BOX) > 0
    }
}

/// Whether `line` is made of characters of `set` and shows at least one.
pub(super) fn is_row(set: &GlyphSet, line: &str) -> bool {
    let mut shown = false;
    for byte in line.bytes() {
        if !set.knows(byte) {
            return false;
        }
        shown |= byte != b' ';
    }
    shown
}

/// The glyph set of a file, told by its lines outside `asides`, which are ranges in order.
///
/// # Errors
/// The first telling character, if several sets explain it.
pub(super) fn detect(
    lines: &Lines,
    asides: &[(usize, usize)],
) -> Result<&'static GlyphSet, FormatError> {
    const LEAST: usize = 3;
    if !lines.have_any([b'X', b'&', b'%']) {
        return Ok(&STANDARD);
    }
    let mut boards: Vec<(usize, usize)> = Vec::new();
    let mut telling = None;
    let mut start = 0;
    let mut asides = asides.iter().peekable();
    while start < lines.len() {
        while asides.next_if(|aside| aside.1 <= start).is_some() {}
        let (from, to) = asides
            .peek()
            .map_or((lines.len(), lines.len()), |&&aside| aside);
        if from <= start {
            start = to;
            continue;
        }
        if !is_row(&UNION, lines.get(start)) {
            start += 1;
            continue;
        }
        let end = (start..from)
            .find(|&at| !is_row(&UNION, lines.get(at)))
            .unwrap_or(from);
        let walled = |at: &usize| lines.get(*at).bytes().any(|byte| UNION.is_wall(byte));
        if end - start >= LEAST && (start..end).filter(walled).count() >= LEAST {
            boards.push((start, end));
            telling = telling.or_else(|| {
                (start..end).find_map(|at| Some((at, lines.get(at).find(['X', '&', '%'])?)))
            });
        }
        start = end;
    }
    let Some((line, column)) = telling else {
        return Ok(&STANDARD);
    };
    let standing = standing(lines, &boards);
    let mut explaining = standing.clone();
    if standing.len() > 1 {
        explaining.retain(|set| {
            boards
                .iter()
                .all(|&board| set.explains(&rows(lines, board)))
        });
        if explaining.len() != 1 {
            let names: Vec<&str> = standing.iter().map(|set| set.name).collect();
            return Err(FormatError {
                line: line as u32 + 1,
                column: column as u32 + 1,
                found: format!("`{}`", &lines.get(line)[column..=column]),
                expected: format!(
                    "counts of players, boxes and goals that fit one glyph set; candidates: {}",
                    names.join(", ")
                ),
            });
        }
    }
    Ok(explaining.first().copied().unwrap_or(&STANDARD))
}

fn rows<'a>(lines: &Lines<'a>, (start, end): (usize, usize)) -> Vec<&'a str> {
    (start..end).map(|at| lines.get(at)).collect()
}

/// The sets beside the standard one whose glyphs are enough for all `boards`.
fn standing(lines: &Lines, boards: &[(usize, usize)]) -> Vec<&'static GlyphSet> {
    let knows = |set: &GlyphSet, board| rows(lines, board).iter().all(|row| is_row(set, row));
    [&CROSS_WALLS, &DOS, &AMPERSAND]
        .into_iter()
        .filter(|set| boards.iter().all(|&board| knows(set, board)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Lines, detect};

    #[test]
    fn sets_are_told_apart_by_content() {
        let rows = [
            ("#####\n#@$.#\n#####", Ok("standard")),
            ("XXXXX\nX@*.X\nXXXXX", Ok("DOS dump (`X` walls, `*` boxes)")),
            ("XXXXX\nX@$.X\nXXXXX", Ok("standard with `X` walls")),
            // One box that stands on its goal, not a box without a goal.
            ("XXXXX\nX@* X\nXXXXX", Ok("standard with `X` walls")),
            ("#####\n#&B.#\n#####", Ok("`B & X` (`&` player, `B` boxes)")),
            ("XXXXX\nX@  X\nXXXXX", Err((1, 1))),
            // Prose about X is not a board.
            ("X & X\nX\n#####\n#@$.#\n#####", Ok("standard")),
        ];
        for (text, expected) in rows {
            let found = detect(&Lines::new(text).expect("lines"), &[])
                .map(|set| set.name)
                .map_err(|error| (error.line, error.column));
            assert_eq!(found, expected, "{text}");
        }
    }
}
