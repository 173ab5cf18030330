//! Reading and writing puzzle files.
//!
//! [`Reader`] yields one [`Entry`] or one [`Fault`] a puzzle and never holds more of the file
//! than one puzzle. It tells the kinds apart by content; [`Reader::with_kind`] takes a
//! [`Kind`] instead. [`Blocks`] is the fast way into plain lines of 81 characters. [`Writer`]
//! emits the canonical form of each kind. `docs/sudoku-formats.md` says what is tolerated.
//!
//! A board is read as typed: digits that stand twice in a unit are no fault here.
//!
//! ```
//! use puzzleyard_sudoku::format::{Entry, Kind, Reader, write};
//!
//! let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 # a\n";
//! let entries: Vec<Entry> = Reader::new(text.as_bytes()).collect::<Result<_, _>>()?;
//! assert_eq!(entries[0].title.as_deref(), Some("a"));
//! let mut out = Vec::new();
//! write(Kind::Line, &entries, &mut out)?;
//! assert_eq!(out, text.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabet;
mod block;
mod csv;
mod detect;
mod grid;
mod json;
mod line;
mod sdk;
mod source;
mod value;
mod write;

use std::fmt;
use std::io::{BufRead, Chain, Cursor, Read};
use std::str::FromStr;

use crate::model::Board;

pub use block::{Block, Blocks};
pub use write::{WriteError, Writer, write};

/// The longest line that is read, in bytes. A longer one is a fault; its rest is skipped.
pub const MAX_LINE: usize = 1 << 16;
/// The longest quoted CSV record or JSON element that is read, in bytes.
pub const MAX_ELEMENT: usize = 1 << 18;
/// The deepest nesting of JSON brackets.
pub const MAX_DEPTH: usize = 16;
/// The longest title that is kept, in characters.
pub const MAX_TITLE: usize = 1000;

/// A kind of puzzle file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A puzzle a line, row by row, perhaps with its solution and a remark.
    Line,
    /// A row a line, with or without borders and spaces.
    Grid,
    /// `SadMan`'s `.sdk`: `#` headers, `[Puzzle]` and `[State]`.
    Sdk,
    /// `.sdm`: a puzzle a line, `0` for an empty cell.
    Sdm,
    /// Simple Sudoku's `.ss`: a row a line between borders.
    Ss,
    /// Columns with or without a header: puzzle, solution, title.
    Csv,
    /// An array, an object, or a value a line.
    Json,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Line,
        Self::Grid,
        Self::Sdk,
        Self::Sdm,
        Self::Ss,
        Self::Csv,
        Self::Json,
    ];

    /// The kind that the ending of a file name promises; `None` for an ending (such as `.txt`)
    /// that promises nothing.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "sdk" => Self::Sdk,
            "sdm" => Self::Sdm,
            "ss" => Self::Ss,
            "csv" | "tsv" => Self::Csv,
            "json" | "jsonl" | "ndjson" => Self::Json,
            _ => return None,
        })
    }

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Grid => "grid",
            Self::Sdk => "sdk",
            Self::Sdm => "sdm",
            Self::Ss => "ss",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, wanted one of line, grid, sdk, sdm, ss, csv, json")]
pub struct KindError(pub String);

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| KindError(text.chars().take(40).collect()))
    }
}

/// One puzzle of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The puzzle as typed.
    pub board: Board,
    /// The solution that the file gives: full, of the same shape, otherwise unchecked.
    pub solution: Option<Board>,
    /// The board in play, where a file has one (`[State]` of `.sdk`).
    pub state: Option<Board>,
    /// A title, remark, rating or id: one line without white space at its ends, not empty.
    pub title: Option<String>,
    /// The line at which the puzzle begins, from 1; 0 if it comes from no file.
    pub line: u64,
}

impl Entry {
    /// A puzzle without anything beside it.
    pub fn new(board: Board) -> Self {
        Self {
            board,
            solution: None,
            state: None,
            title: None,
            line: 0,
        }
    }
}

/// Why a puzzle cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}, wanted {wanted}")]
#[non_exhaustive]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// What stood there.
    pub found: String,
    /// What would be right.
    pub wanted: String,
    /// Whether nothing can be read after it.
    pub fatal: bool,
}

impl Fault {
    fn new(line: u64, column: usize, found: impl Into<String>, wanted: impl Into<String>) -> Self {
        Self {
            line: line.max(1),
            column: column.max(1) as u64,
            found: found.into(),
            wanted: wanted.into(),
            fatal: false,
        }
    }

    fn fatal(mut self) -> Self {
        self.fatal = true;
        self
    }
}

/// A count and its noun.
fn many(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The start of a text as a fault repeats it: at most some 24 characters, control characters
/// escaped.
fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == 24 || shown.len() > 60 {
            shown.push_str("...");
            break;
        }
        if c.is_control() {
            shown.extend(c.escape_debug());
        } else {
            shown.push(c);
        }
    }
    shown + "`"
}

/// A title as entries keep it: control characters become spaces, the ends are trimmed.
fn tidy_title(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .take(MAX_TITLE)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let plain = plain.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    (!plain.is_empty()).then(|| plain.to_owned())
}

/// A title as text kinds keep it: without the marks that begin a remark.
fn bare_title(text: &str) -> Option<String> {
    tidy_title(text.trim_start_matches(|c: char| {
        c.is_whitespace() || c.is_control() || "#;,|/:\u{feff}".contains(c)
    }))
}

type Head<R> = Chain<Cursor<Vec<u8>>, R>;

/// Yields the puzzles of a file one by one.
///
/// A fault in one puzzle does not lose the others, except a [fatal](Fault::fatal) one.
#[derive(Debug)]
pub struct Reader<R> {
    kind: Kind,
    form: Form<Head<R>>,
    /// A fault met before the first puzzle.
    early: Option<Fault>,
    done: bool,
    empty: bool,
}

#[derive(Debug)]
enum Form<R> {
    Line(line::LineReader<R>),
    Grid(grid::GridReader<R>),
    Sdk(sdk::SdkReader<R>),
    Csv(csv::CsvReader<R>),
    Json(json::JsonReader<R>),
}

impl<R: BufRead> Reader<R> {
    /// A reader that finds out the kind from the first lines of the file.
    pub fn new(inner: R) -> Self {
        let mut inner = inner;
        match detect::detect(&mut inner) {
            Ok((kind, head)) => Self::build(kind, head, inner, None),
            Err((fault, head)) => Self::build(Kind::Line, head, inner, Some(fault)),
        }
    }

    /// A reader of this kind, whatever the file looks like.
    pub fn with_kind(kind: Kind, inner: R) -> Self {
        Self::build(kind, Vec::new(), inner, None)
    }

    fn build(kind: Kind, head: Vec<u8>, inner: R, early: Option<Fault>) -> Self {
        let inner = Cursor::new(head).chain(inner);
        let form = match kind {
            Kind::Line | Kind::Sdm => Form::Line(line::LineReader::new(inner)),
            Kind::Grid | Kind::Ss => Form::Grid(grid::GridReader::new(inner)),
            Kind::Sdk => Form::Sdk(sdk::SdkReader::new(inner)),
            Kind::Csv => Form::Csv(csv::CsvReader::new(inner)),
            Kind::Json => Form::Json(json::JsonReader::new(inner)),
        };
        Self {
            kind,
            form,
            early,
            done: false,
            empty: true,
        }
    }

    /// The kind that is read.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    fn step(&mut self) -> Option<Result<Entry, Fault>> {
        match &mut self.form {
            Form::Line(reader) => reader.step(),
            Form::Grid(reader) => reader.step(),
            Form::Sdk(reader) => reader.step(),
            Form::Csv(reader) => reader.step(),
            Form::Json(reader) => reader.step(),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let item = match self.early.take() {
            Some(fault) => Some(Err(fault)),
            None => self.step(),
        };
        match &item {
            None => {
                self.done = true;
                // An empty array or a table without rows says that it is empty; text does not.
                if self.empty && !matches!(self.kind, Kind::Csv | Kind::Json) {
                    return Some(Err(Fault::new(
                        1,
                        1,
                        "no puzzle in the file",
                        "at least one, as a line of cells or a row a line",
                    )));
                }
            }
            Some(Err(fault)) if fault.fatal => self.done = true,
            Some(_) => self.empty = false,
        }
        item
    }
}
