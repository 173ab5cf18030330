//! The words around the boards of a text file: whose they are and what they mean.
//!
//! Words come in *paragraphs*, parted by blank lines. Those between two boards belong to the
//! board that they touch without a blank line. Otherwise:
//!
//! * answers belong to the board above, `Level: name | LURD` to the board below;
//! * `Key: value` headers belong to the board above if any follow the last board of the file
//!   (headers come after boards there), else to the board below;
//! * remarks (`; text`, `:: text`) and plain lines belong to the board below;
//! * before the first board the last paragraph belongs to that board if it touches it, or if
//!   the second board too has a paragraph of its own that touches nothing; the rest is the
//!   collection's. `Collection:` and `Set:` are always the collection's.
//!
//! A level's title is its `Title:` or `Level:` header, else the last remark or plain line
//! before its board. Any other bare number before the board is dropped: it only counts. All other remarks and plain lines are the comment; lines of punctuation only
//! are rules and dropped. Unknown headers are properties, and so are later duplicates of
//! `Author:` and, as `Alias`, of `Title:`.

use super::board::{self, Board};
use super::glyph;
use super::source::Lines;
use super::{Collection, FormatError};
use crate::model::Setup;

/// One thing that the words say.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    /// `key: value`.
    Header(String, String),
    /// `Level: name | LURD`.
    Level(String, Option<String>),
    /// A remark or a plain line.
    Prose(String),
    /// `Comment:` to `Comment-End:`.
    Comment(String),
    /// An answer.
    Answer(String),
}

impl Entry {
    fn is_header(&self) -> bool {
        matches!(self, Self::Header(..) | Self::Comment(_))
    }

    fn has_key(&self, keys: &[&str]) -> bool {
        matches!(self, Self::Header(key, _) if keys.iter().any(|k| key.eq_ignore_ascii_case(k)))
    }
}

/// Lines without a blank line between them, from `start` to before `end`.
struct Paragraph {
    start: usize,
    end: usize,
    entries: Vec<Entry>,
}

/// Where a file keeps the headers of a level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Above its board.
    Before,
    /// Below its board.
    After,
}

/// Reads a text file of levels in any mixture of the text forms.
pub(super) fn read(text: &str) -> Result<Collection, FormatError> {
    let lines = Lines::new(text)?;
    let asides = comment_blocks(&lines);
    let set = glyph::detect(&lines, &asides)?;
    let mut boards = board::find(&lines, set, &asides)?;
    let first = boards.first().map_or(lines.len(), |board| board.start);
    refuse_variant(&lines, first)?;
    if boards.is_empty() {
        refuse_dump(&lines)?;
        let found = if text.trim().is_empty() {
            "an empty file"
        } else {
            "no board"
        };
        return Err(FormatError::at_start(
            found,
            "rows of # @ + $ * . with floor as space, `-` or `_`",
        ));
    }
    let mut reader = Reader {
        lines: &lines,
        asides: &asides,
    };
    Ok(reader.collect(&mut boards))
}

struct Reader<'a> {
    lines: &'a Lines<'a>,
    asides: &'a [(usize, usize)],
}

impl Reader<'_> {
    fn collect(&mut self, boards: &mut [Board]) -> Collection {
        let count = boards.len();
        let last = self.paragraphs(boards[count - 1].end, self.lines.len());
        let headed = |paragraph: &Paragraph| paragraph.entries.iter().any(Entry::is_header);
        let place = if last.iter().any(headed) {
            Place::After
        } else {
            Place::Before
        };
        let mut next_gap = if count > 1 {
            self.paragraphs(boards[0].end, boards[1].start)
        } else {
            Vec::new()
        };
        let titled_apart = count > 1
            && next_gap.last().is_some_and(|paragraph| {
                paragraph.start > boards[0].end && paragraph.end < boards[1].start
            });
        let head = self.paragraphs(0, boards[0].start);
        let (head, mut before) = split_head(head, boards[0].start, place, titled_apart, count > 1);
        let mut collection = collection_of(head);
        collection.setups.reserve_exact(count);
        for at in 0..count {
            let (after, below) = if at + 1 < count {
                let gap = std::mem::take(&mut next_gap);
                if at + 2 < count {
                    next_gap = self.paragraphs(boards[at + 1].end, boards[at + 2].start);
                }
                split_gap(gap, boards[at].end, boards[at + 1].start, place)
            } else {
                let entries = self.paragraphs(boards[at].end, self.lines.len());
                (
                    entries.into_iter().flat_map(|p| p.entries).collect(),
                    Vec::new(),
                )
            };
            let mut setup = std::mem::take(&mut boards[at].setup);
            describe(&mut setup, std::mem::replace(&mut before, below), after);
            collection.setups.push(setup);
        }
        collection
    }

    /// The paragraphs from line `start` to before `end`.
    fn paragraphs(&mut self, start: usize, end: usize) -> Vec<Paragraph> {
        let mut paragraphs: Vec<Paragraph> = Vec::new();
        let mut at = start;
        let mut open = false;
        while at < end {
            let line = self.lines.get(at);
            if line.trim().is_empty() {
                open = false;
                at += 1;
                continue;
            }
            if !open {
                paragraphs.push(Paragraph {
                    start: at,
                    end: at,
                    entries: Vec::new(),
                });
                open = true;
            }
            let (entry, next) = self.entry(at, end);
            if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.entries.extend(entry);
                paragraph.end = next;
            }
            at = next;
        }
        paragraphs
    }

    /// What line `at` says, and the first line after it.
    fn entry(&self, at: usize, end: usize) -> (Option<Entry>, usize) {
        let line = self.lines.get(at);
        if let Ok(aside) = self.asides.binary_search_by_key(&at, |aside| aside.0) {
            let stop = self.asides[aside].1;
            let opening = line.split_once(':').map_or("", |(_, rest)| rest.trim());
            let rows = (at + 1..stop.saturating_sub(1)).map(|row| unguarded(self.lines.get(row)));
            let text: Vec<&str> = std::iter::once(opening).chain(rows).collect();
            let text = text.join("\n");
            let text = text.trim_end().trim_start_matches('\n');
            return (
                (!text.is_empty()).then(|| Entry::Comment(text.into())),
                stop,
            );
        }
        let line = line.trim();
        if comment_mark(line) == Some(false) {
            return (None, at + 1);
        }
        if let Some(remark) = line.strip_prefix("::").or_else(|| line.strip_prefix(';')) {
            return (prose(remark), at + 1);
        }
        if is_solution(line)
            && let Some(found) = self.answer(at, end)
        {
            return found;
        }
        let Some((key, value)) = header(line) else {
            return (prose(line), at + 1);
        };
        let entry = if key.eq_ignore_ascii_case("level") {
            let (name, answer) = value.split_once('|').unwrap_or((value, ""));
            let answer = answer.trim();
            let answer = is_answer(answer).then(|| answer.into());
            Some(Entry::Level(name.trim().into(), answer))
        } else if key.eq_ignore_ascii_case("comment") {
            (!value.is_empty()).then(|| Entry::Comment(value.into()))
        } else {
            (!value.is_empty()).then(|| Entry::Header(key.into(), value.into()))
        };
        (entry, at + 1)
    }

    /// The answer that the solution line `at` opens, and the first line after it.
    fn answer(&self, at: usize, end: usize) -> Option<(Option<Entry>, usize)> {
        let line = self.lines.get(at).trim();
        let tail = line.rsplit_once(':').map(|(_, tail)| tail.trim());
        let mut text = String::new();
        match tail {
            Some(tail) if is_answer(tail) => text.push_str(tail),
            _ => {}
        }
        let mut next = at + 1;
        while next < end && is_answer(self.lines.get(next).trim()) {
            text.push_str(self.lines.get(next).trim());
            next += 1;
        }
        let none =
            tail.is_some_and(|tail| tail.is_empty() || tail.eq_ignore_ascii_case("undefined"));
        if text.is_empty() {
            return none.then_some((None, next));
        }
        Some((Some(Entry::Answer(text)), next))
    }
}

/// Remark or plain line, unless it is punctuation only.
fn prose(text: &str) -> Option<Entry> {
    let text = text.trim();
    says_something(text).then(|| Entry::Prose(text.into()))
}

/// Whether `text` has more than punctuation in it.
pub(super) fn says_something(text: &str) -> bool {
    !text
        .chars()
        .all(|letter| letter.is_ascii_punctuation() || letter == ' ')
}

/// Whether `line` opens an answer: the word `Solution`, then anything but a letter.
fn is_solution(line: &str) -> bool {
    const WORD: &str = "solution";
    line.get(..WORD.len())
        .is_some_and(|word| word.eq_ignore_ascii_case(WORD))
        && !line[WORD.len()..].starts_with(char::is_alphabetic)
}

/// Whether `text` is made of the characters of answers, with one step at least.
pub(super) fn is_answer(text: &str) -> bool {
    const STEPS: &str = "lurdLURD";
    text.chars().any(|letter| STEPS.contains(letter))
        && text.chars().all(|letter| {
            STEPS.contains(letter) || letter.is_ascii_digit() || "()[]-, ".contains(letter)
        })
}

/// `Key: value`, the key short and made of words.
fn header(line: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 40;
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    let fits = key.len() <= LONGEST
        && key.starts_with(char::is_alphabetic)
        && key
            .chars()
            .all(|letter| letter.is_alphanumeric() || " -_'".contains(letter))
        && !value.starts_with("//");
    fits.then(|| (key, value.trim()))
}

/// The lines from each `Comment:` to its `Comment-End:`, both included. A `Comment:` that the
/// next one precedes is no block.
fn comment_blocks(lines: &Lines) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    let mut open = None;
    for at in 0..lines.len() {
        match comment_mark(lines.get(at)) {
            Some(true) => open = Some(at),
            Some(false) => blocks.extend(open.take().map(|start| (start, at + 1))),
            None => {}
        }
    }
    blocks
}

/// `Some(true)` if `line` opens a comment, `Some(false)` if it closes one.
pub(super) fn comment_mark(line: &str) -> Option<bool> {
    const OPEN: &str = "comment";
    if !line.get(..OPEN.len())?.eq_ignore_ascii_case(OPEN) {
        return None;
    }
    let rest = &line[OPEN.len()..];
    let closes = rest
        .get(1..4)
        .is_some_and(|end| end.eq_ignore_ascii_case("end"))
        && rest.starts_with(['-', '_', ' '])
        && matches!(rest[4..].trim(), "" | ":");
    if closes {
        Some(false)
    } else {
        rest.trim_start().starts_with(':').then_some(true)
    }
}

/// Parts the words between two boards: those of the board above, those of the board below.
fn split_gap(
    gap: Vec<Paragraph>,
    above: usize,
    below: usize,
    place: Place,
) -> (Vec<Entry>, Vec<Entry>) {
    let (mut after, mut before) = (Vec::new(), Vec::new());
    for paragraph in gap {
        let touches = (paragraph.start == above, paragraph.end == below);
        let headed = paragraph.entries.iter().any(Entry::is_header);
        for entry in paragraph.entries {
            let goes_up = match (&entry, touches) {
                (Entry::Answer(_), _) => true,
                (Entry::Level(..), _) | (_, (false, true)) | (Entry::Prose(_), (true, true)) => {
                    false
                }
                (_, (true, false)) => true,
                (Entry::Prose(_), (false, false)) => headed && place == Place::After,
                _ => place == Place::After,
            };
            if goes_up {
                after.push(entry);
            } else {
                before.push(entry);
            }
        }
    }
    (after, before)
}

/// Parts the words before the first board: the collection's and those of the first level.
fn split_head(
    head: Vec<Paragraph>,
    below: usize,
    place: Place,
    titled_apart: bool,
    several: bool,
) -> (Vec<Entry>, Vec<Entry>) {
    let (mut collection, mut level) = (Vec::new(), Vec::new());
    let count = head.len();
    for (at, paragraph) in head.into_iter().enumerate() {
        let touches = paragraph.end == below;
        let own = at + 1 == count && (touches || (titled_apart && place == Place::Before));
        let last_prose = paragraph
            .entries
            .iter()
            .rposition(|entry| matches!(entry, Entry::Prose(_)));
        for (nth, entry) in paragraph.entries.into_iter().enumerate() {
            let to_level = match &entry {
                Entry::Level(..) | Entry::Answer(_) => true,
                entry if entry.has_key(&["collection", "set"]) => false,
                // Of remarks that touch the first board of several, the last is its title and
                // the others introduce the file.
                Entry::Prose(_) => own && (!several || Some(nth) == last_prose),
                _ => own && place == Place::Before,
            };
            if to_level {
                level.push(entry);
            } else {
                collection.push(entry);
            }
        }
    }
    (collection, level)
}

/// A collection without levels, described by `entries`.
fn collection_of(entries: Vec<Entry>) -> Collection {
    const TITLES: [&str; 3] = ["title", "collection", "set"];
    let mut collection = Collection::default();
    let mut loose = Vec::new();
    let titled = entries.iter().any(|entry| entry.has_key(&TITLES));
    for (at, entry) in entries.into_iter().enumerate() {
        let titles = entry.has_key(&TITLES);
        match entry {
            Entry::Header(_, value) if titles && collection.title.is_none() => {
                collection.title = Some(value);
            }
            Entry::Header(key, value)
                if key.eq_ignore_ascii_case("author") && collection.author.is_none() =>
            {
                collection.author = Some(value);
            }
            Entry::Header(key, value) => collection.properties.push((key, value)),
            Entry::Comment(text) => collection.properties.push((COMMENT.into(), text)),
            Entry::Prose(text) if at == 0 && !titled && header(&text).is_none() => {
                collection.title = Some(text);
            }
            Entry::Prose(text) => loose.push(text),
            Entry::Level(..) | Entry::Answer(_) => {}
        }
    }
    if !loose.is_empty() {
        collection
            .properties
            .push((COMMENT.into(), loose.join("\n")));
    }
    collection
}

/// The property of a collection that may have several lines.
pub(super) const COMMENT: &str = "Comment";

/// The property that keeps a second title of a level. Written back as `Title:` it would win
/// over the `; title` line.
const ALIAS: &str = "Alias";

/// Gives `setup` the words of its level.
fn describe(setup: &mut Setup, mut before: Vec<Entry>, after: Vec<Entry>) {
    let titled = |entry: &Entry| matches!(entry, Entry::Level(..)) || entry.has_key(&["title"]);
    let is_prose = |entry: &Entry| matches!(entry, Entry::Prose(_));
    let titled = before.iter().chain(&after).any(titled);
    if !titled
        && let Some(at) = before.iter().rposition(is_prose)
        && let Entry::Prose(text) = before.remove(at)
    {
        setup.title = Some(text);
    }
    let counts = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    before.retain(|entry| !matches!(entry, Entry::Prose(text) if counts(text)));
    let mut comment = Vec::new();
    for entry in before.into_iter().chain(after) {
        match entry {
            Entry::Header(key, value)
                if key.eq_ignore_ascii_case("title") && setup.title.is_none() =>
            {
                setup.title = Some(value);
            }
            Entry::Header(key, value) if key.eq_ignore_ascii_case("title") => {
                setup.properties.push((ALIAS.into(), value));
            }
            Entry::Header(key, value)
                if key.eq_ignore_ascii_case("author") && setup.author.is_none() =>
            {
                setup.author = Some(value);
            }
            Entry::Header(key, value) => setup.properties.push((key, value)),
            Entry::Level(name, answer) => {
                if setup.title.is_none() && !name.is_empty() {
                    setup.title = Some(name);
                } else if !name.is_empty() {
                    setup.properties.push((ALIAS.into(), name));
                }
                setup.answers.extend(answer);
            }
            Entry::Prose(text) | Entry::Comment(text) => comment.push(text),
            Entry::Answer(text) => setup.answers.push(text),
        }
    }
    if !comment.is_empty() {
        setup.comment = Some(comment.join("\n"));
    }
}

/// Refuses the source of a program that holds packed levels (`db 16h, 0Bh, ...`).
fn refuse_dump(lines: &Lines) -> Result<(), FormatError> {
    const LOOKED_AT: usize = 20;
    for at in 0..lines.len().min(LOOKED_AT) {
        let line = lines.get(at);
        let Some(column) = line.find(" db ") else {
            continue;
        };
        let is_byte = |text: &str| {
            let digits = text.trim().trim_end_matches(['h', 'H']);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        if line[column + 4..].split(',').all(is_byte) {
            return Err(FormatError {
                line: at as u32 + 1,
                column: line[..column].chars().count() as u32 + 2,
                found: "an assembler's dump of packed levels (`db`)".into(),
                expected: "boards as rows of glyphs".into(),
            });
        }
    }
    Ok(())
}

/// Refuses games on other boards that name themselves before the first board, in a header or
/// in a plain line. A remark may be a title, which may say anything.
fn refuse_variant(lines: &Lines, first: usize) -> Result<(), FormatError> {
    const VARIANTS: [&str; 4] = ["hexoban", "trioban", "octoban", "multiban"];
    const KEYS: [&str; 6] = ["variant", "game", "type", "rules", "puzzle", "mode"];
    const MOST_WORDS: usize = 3;
    for at in 0..first {
        let line = lines.get(at).trim();
        let (key, value) = header(line).unwrap_or(("", line));
        if !key.is_empty() && !KEYS.iter().any(|known| key.eq_ignore_ascii_case(known)) {
            continue;
        }
        let mut words = value.split_whitespace();
        let Some(word) = words.next() else { continue };
        let named = VARIANTS.iter().find(|name| word.eq_ignore_ascii_case(name));
        if let (Some(name), true) = (named, words.count() < MOST_WORDS) {
            return Err(FormatError {
                line: at as u32 + 1,
                column: 1,
                found: format!("levels of {name}, another game"),
                expected: "levels of Sokoban".into(),
            });
        }
    }
    Ok(())
}

/// A line of a comment block, which [`super::layout`] wrote.
fn unguarded(line: &str) -> &str {
    let line = line.trim_end();
    match line.strip_prefix(' ') {
        Some(rest) if comment_mark(rest.trim_start_matches(' ')).is_some() => rest,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    /// What each level says: title, author, comment, answers.
    fn said(text: &str) -> Vec<String> {
        let collection = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let setups = collection.setups.iter().map(|setup| {
            let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
            format!(
                "{} / {} / {} / {}",
                or_dash(&setup.title),
                or_dash(&setup.author),
                or_dash(&setup.comment),
                setup.answers.join(" ")
            )
        });
        std::iter::once(collection.title.unwrap_or_else(|| "-".into()))
            .chain(setups)
            .collect()
    }

    const A: &str = "####\n#@ #\n####\n";
    const B: &str = "#####\n#@$.#\n#####\n";

    #[test]
    fn words_find_their_level() {
        let rows: [(String, &[&str]); 10] = [
            // Remarks before the board, touching it or not.
            (
                format!(";1\n{A}\n;2\n{B}"),
                &["-", "1 / - / - / ", "2 / - / - / "],
            ),
            (
                format!("; 1\n\n{A}\n; 2\n\n{B}"),
                &["-", "1 / - / - / ", "2 / - / - / "],
            ),
            (
                format!("Set: S\n\n1\n{A}Title: a\n\n2\n{B}Title: b\n"),
                &["S", "a / - / - / ", "b / - / - / "],
            ),
            // Headers below, and without any blank line.
            (
                format!("Title: S\n\n{A}Title: a\n{B}Title: b\n"),
                &["S", "a / - / - / ", "b / - / - / "],
            ),
            (
                format!("Title: a\n{A}\nTitle: b\nAuthor: x\n{B}"),
                &["-", "a / - / - / ", "b / x / - / "],
            ),
            (
                format!("Level: a | rR\n\n{A}\nLevel: b |\n\n{B}"),
                &["-", "a / - / - / rR", "b / - / - / "],
            ),
            // Answers in many forms, also apart from the board.
            (
                format!(
                    "{A}\nSolution\nrr\nRR\n\nb\n{B}Solution: l\nSolution 2 (moves: 1, pushes: 0):\nr\nSolution: undefined\n"
                ),
                &["-", "- / - / - / rrRR", "b / - / - / l r"],
            ),
            // A comment block with a blank line and a board in it is one comment.
            (
                format!("{A}Comment:\nx\n\n#@$.#\nComment-End:\n\n{B}"),
                &["-", "- / - / x\n\n#@$.# / ", "- / - / - / "],
            ),
            // A comment that is never closed hides no board.
            (
                format!("{A}Comment: x\n\n{B}"),
                &["-", "- / - / x / ", "- / - / - / "],
            ),
            // The last remark names the first level, the others the file.
            (
                format!("; All\n; a\n{A}\n; b\n{B}"),
                &["All", "a / - / - / ", "b / - / - / "],
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(said(&text), expected, "{text}");
            let crlf = text.replace('\n', "\r\n");
            assert_eq!(said(&crlf), expected, "CRLF: {text}");
            let cr = text.replace('\n', "\r");
            assert_eq!(said(&cr), expected, "CR: {text}");
        }
    }

    #[test]
    fn prose_is_never_an_error() {
        let lines = [
            "### Part 1 ###",
            "## 7 ##",
            "#7",
            "# heading",
            "#1 | #2 | #3",
            "| # | name |",
            "|---|---|",
            "-----",
            "*****",
            "...",
            "b",
            "X & X",
            "a\tb",
            "# Bob #",
            "50% @ $3",
            "; ##?##",
            "Note: ##?##",
            "http://example.org/#top",
        ];
        for line in lines {
            for text in [
                format!("{line}\n{B}"),
                format!("{B}{line}\n"),
                format!("{line}\n\n{B}\n{line}\n"),
                format!("{A}{line}\n{B}"),
            ] {
                let boards = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let rows: Vec<String> = boards
                    .setups
                    .iter()
                    .map(crate::model::Setup::board)
                    .collect();
                let expected: &[&str] = if text.starts_with(A) { &[A, B] } else { &[B] };
                // Glyphs alone, without a blank line on either side, join two boards.
                if !(text.starts_with(A) && ["-----", "*****", "...", "b"].contains(&line)) {
                    assert_eq!(rows, expected, "{text}");
                }
            }
        }
    }
}
