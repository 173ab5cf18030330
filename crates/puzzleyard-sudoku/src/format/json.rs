//! JSON: an array of puzzles, one puzzle, an object that holds an array of puzzles, or a
//! value a line.
//!
//! The file is cut into elements by its brackets and quotation marks; only one element at a
//! time is held and parsed.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::source::{fill, foreign, io_fault};
use super::{Entry, Fault, MAX_DEPTH, MAX_ELEMENT, quoted, value};

/// What encloses the reader's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Values follow one another.
    Top,
    /// The outer array, or the array of puzzles of the outer object.
    Array,
    /// The outer object.
    Object,
}

/// What one advance in the file gave.
#[derive(Debug)]
enum Move {
    Nothing,
    End,
    Given(Box<Entry>),
}

impl Move {
    fn of(entry: Option<Entry>) -> Self {
        entry.map_or(Self::Nothing, |entry| Self::Given(Box::new(entry)))
    }
}

#[derive(Debug)]
pub(super) struct JsonReader<R> {
    bytes: Bytes<R>,
    inside: Inside,
    /// Whether an array in hand is a member of the outer object.
    in_object: bool,
    /// Members of the outer object that were read, without its arrays of puzzles.
    members: Map<String, Value>,
    /// Bytes of those members.
    held: usize,
    /// Elements given since the outer object began.
    given: bool,
    /// Rows of a board whose rows are the elements of the outer array.
    rows: Vec<Value>,
    rows_at: (u64, usize),
}

/// Bytes with their place.
#[derive(Debug)]
struct Bytes<R> {
    inner: R,
    line: u64,
    column: usize,
    first: bool,
}

impl<R: BufRead> Bytes<R> {
    fn peek(&mut self) -> Result<Option<u8>, Fault> {
        let (line, first) = (self.line, self.first);
        let buffer = fill(&mut self.inner).map_err(|error| io_fault(line, &error))?;
        if first {
            if let Some(fault) = foreign(buffer) {
                return Err(fault);
            }
            self.first = false;
            if buffer.starts_with(b"\xEF\xBB\xBF") {
                self.inner.consume(3);
                return self.peek();
            }
        }
        let buffer = fill(&mut self.inner).map_err(|error| io_fault(line, &error))?;
        Ok(buffer.first().copied())
    }

    fn take(&mut self, byte: u8) {
        self.inner.consume(1);
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else if byte & 0xC0 != 0x80 {
            self.column += 1;
        }
    }

    fn fault(&self, found: impl Into<String>, wanted: impl Into<String>) -> Fault {
        Fault::new(self.line, self.column, found, wanted)
    }

    fn astray(&self, byte: u8, wanted: &str) -> Fault {
        self.fault(format!("`{}`", char::from(byte).escape_debug()), wanted)
    }

    /// The next byte that is neither white space nor a comma.
    fn significant(&mut self) -> Result<Option<u8>, Fault> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() && byte != b',' && byte != 0x1E {
                return Ok(Some(byte));
            }
            self.take(byte);
        }
        Ok(None)
    }

    /// Drops the rest of the line.
    fn skip_line(&mut self) -> Result<(), Fault> {
        while let Some(byte) = self.peek()? {
            self.take(byte);
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }

    /// The text of one value. Only its brackets and quotation marks are understood.
    fn value(&mut self) -> Result<String, Fault> {
        let start = (self.line, self.column);
        let (mut text, mut open, mut quote, mut escape) = (Vec::new(), Vec::new(), false, false);
        let mut long = false;
        while let Some(byte) = self.peek()? {
            if !quote && open.is_empty() && !text.is_empty() {
                let ends = byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}' | b':');
                let closed = matches!(text.last(), Some(b'"' | b']' | b'}'));
                if ends || closed {
                    break;
                }
            }
            self.take(byte);
            long |= text.len() >= MAX_ELEMENT;
            if !long {
                text.push(byte);
            }
            if quote {
                quote = escape || byte != b'"';
                escape = !escape && byte == b'\\';
            } else {
                match byte {
                    b'"' => quote = true,
                    b'[' | b'{' if open.len() >= MAX_DEPTH => {
                        let wanted = format!("at most {MAX_DEPTH} brackets in one another");
                        return Err(self.fault("a deeper bracket", wanted).fatal());
                    }
                    b'[' => open.push(b']'),
                    b'{' => open.push(b'}'),
                    b']' | b'}' if open.pop() != Some(byte) => {
                        let found = format!("`{}`", char::from(byte));
                        return Err(self
                            .fault(found, "the bracket that was opened last")
                            .fatal());
                    }
                    _ => {}
                }
            }
            if long && open.is_empty() && !quote && byte.is_ascii_whitespace() {
                break;
            }
        }
        let at = |found: &str, wanted: String| Fault::new(start.0, start.1, found, wanted);
        if quote {
            return Err(at("a string without end", "a closing `\"`".to_owned()).fatal());
        }
        if let Some(close) = open.last() {
            let wanted = format!("a closing `{}`", char::from(*close));
            return Err(at("a value without end", wanted).fatal());
        }
        if long {
            return Err(at(
                "a value that is too long",
                format!("at most {MAX_ELEMENT} bytes"),
            ));
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl<R: BufRead> JsonReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            bytes: Bytes {
                inner,
                line: 1,
                column: 1,
                first: true,
            },
            inside: Inside::Top,
            in_object: false,
            members: Map::new(),
            held: 0,
            given: false,
            rows: Vec::new(),
            rows_at: (1, 1),
        }
    }

    pub(super) fn step(&mut self) -> Option<Result<Entry, Fault>> {
        loop {
            match self.advance() {
                Ok(Move::Nothing) => {}
                Ok(Move::End) => return None,
                Ok(Move::Given(entry)) => {
                    self.given = true;
                    return Some(Ok(*entry));
                }
                Err(fault) => {
                    self.given = true;
                    return Some(Err(fault));
                }
            }
        }
    }

    fn advance(&mut self) -> Result<Move, Fault> {
        let byte = self.bytes.significant()?;
        let place = (self.bytes.line, self.bytes.column);
        match (self.inside, byte) {
            (Inside::Top, None) => Ok(Move::End),
            (Inside::Array | Inside::Object, None) => {
                let close = if self.inside == Inside::Array {
                    ']'
                } else {
                    '}'
                };
                let fault = self
                    .bytes
                    .fault("the end of the file", format!("a closing `{close}`"));
                Err(fault.fatal())
            }
            (Inside::Top, Some(open @ (b'[' | b'{'))) => {
                self.bytes.take(open);
                self.open(open);
                Ok(Move::Nothing)
            }
            (Inside::Top, Some(b'"')) => {
                let text = self.bytes.value()?;
                self.element(&text, place).map(Move::of)
            }
            (Inside::Top, Some(byte)) => {
                let fault = self.bytes.astray(byte, "`[`, `{` or `\"`");
                self.bytes.skip_line()?;
                Err(fault)
            }
            (Inside::Array, Some(b']')) => {
                self.bytes.take(b']');
                self.inside = if self.in_object {
                    Inside::Object
                } else {
                    Inside::Top
                };
                self.in_object = false;
                self.rows_left().map(Move::of)
            }
            (Inside::Array, Some(b'}' | b':')) => {
                let fault = self.bytes.fault("a bracket or colon astray", "`,` or `]`");
                Err(fault.fatal())
            }
            (Inside::Array, Some(_)) => {
                let text = self.bytes.value()?;
                self.element(&text, place).map(Move::of)
            }
            (Inside::Object, Some(b'}')) => {
                self.bytes.take(b'}');
                self.inside = Inside::Top;
                self.close_object().map(Move::of)
            }
            (Inside::Object, Some(b'"')) => self.member().map(|()| Move::Nothing),
            (Inside::Object, Some(byte)) => {
                Err(self.bytes.astray(byte, "a key in `\"`, or `}`").fatal())
            }
        }
    }

    fn open(&mut self, byte: u8) {
        self.given = false;
        self.rows_at = (self.bytes.line, self.bytes.column.saturating_sub(1));
        if byte == b'[' {
            self.inside = Inside::Array;
        } else {
            self.inside = Inside::Object;
            self.members.clear();
            self.held = 0;
        }
    }

    /// A key and its value, or the opening of its array of puzzles.
    fn member(&mut self) -> Result<(), Fault> {
        let (line, column) = (self.bytes.line, self.bytes.column);
        let key = self.bytes.value()?;
        let key: String = serde_json::from_str(&key)
            .map_err(|error| Fault::new(line, column, error.to_string(), "a key").fatal())?;
        if self.bytes.significant()? != Some(b':') {
            return Err(self.bytes.fault("no colon after a key", "`:`").fatal());
        }
        self.bytes.take(b':');
        let next = self.bytes.significant()?;
        let container = ["puzzles", "data", "entries", "levels", "items"];
        if next == Some(b'[') && container.contains(&key.to_ascii_lowercase().as_str()) {
            self.bytes.take(b'[');
            (self.inside, self.in_object, self.given) = (Inside::Array, true, true);
            return Ok(());
        }
        let place = (self.bytes.line, self.bytes.column);
        let text = self.bytes.value()?;
        self.held = self.held.saturating_add(text.len() + key.len());
        if self.held > MAX_ELEMENT {
            let wanted = format!("at most {MAX_ELEMENT} bytes");
            return Err(self
                .bytes
                .fault("an object that is too long", wanted)
                .fatal());
        }
        let value = parse(&text, place).map_err(Fault::fatal)?;
        self.members.insert(key, value);
        Ok(())
    }

    fn close_object(&mut self) -> Result<Option<Entry>, Fault> {
        let members = std::mem::take(&mut self.members);
        if self.given && !value::is_puzzle(&members) {
            return Ok(None);
        }
        let (line, column) = self.rows_at;
        value::of_object(&members)
            .map(|entry| Some(Entry { line, ..entry }))
            .map_err(|(found, wanted)| Fault::new(line, column, found, wanted))
    }

    /// One element of an array, or one value at the top.
    fn element(&mut self, text: &str, place: (u64, usize)) -> Result<Option<Entry>, Fault> {
        let value = parse(text, place)?;
        if self.inside == Inside::Array && is_row(&value) {
            if self.rows.is_empty() {
                self.rows_at = place;
            }
            self.rows.push(value);
            return self.rows_full();
        }
        if !self.rows.is_empty() {
            self.rows.clear();
            let (line, column) = place;
            return Err(Fault::new(
                line,
                column,
                quoted(text),
                "another row of the board",
            ));
        }
        value::entry(&value)
            .map(|entry| {
                Some(Entry {
                    line: place.0,
                    ..entry
                })
            })
            .map_err(|(found, wanted)| Fault::new(place.0, place.1, found, wanted))
    }

    /// The board of rows that were elements of the outer array, once it is complete.
    fn rows_full(&mut self) -> Result<Option<Entry>, Fault> {
        let wanted = match &self.rows[0] {
            Value::Array(cells) => cells.len(),
            // A flat array of cells: its length is a square, 1296 at most.
            _ if self.rows.len() > 1296 => 0,
            _ => return Ok(None),
        };
        if self.rows.len() < wanted {
            return Ok(None);
        }
        self.board_of_rows().map(Some)
    }

    /// At the end of an array: whatever rows are left must be a board.
    fn rows_left(&mut self) -> Result<Option<Entry>, Fault> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        self.board_of_rows().map(Some)
    }

    fn board_of_rows(&mut self) -> Result<Entry, Fault> {
        let rows = Value::Array(std::mem::take(&mut self.rows));
        let (line, column) = self.rows_at;
        value::entry(&rows)
            .map(|entry| Entry { line, ..entry })
            .map_err(|(found, wanted)| Fault::new(line, column, found, wanted))
    }
}

/// Whether an element of an array is a row or a cell of a board rather than a board.
fn is_row(value: &Value) -> bool {
    match value {
        Value::Number(_) | Value::Null => true,
        Value::Array(cells) => {
            cells.len() <= 36
                && cells.iter().all(|cell| {
                    !cell.is_array()
                        && !cell.is_object()
                        && cell.as_str().is_none_or(|text| text.chars().count() <= 2)
                })
        }
        _ => false,
    }
}

fn parse(text: &str, (line, column): (u64, usize)) -> Result<Value, Fault> {
    serde_json::from_str(text).map_err(|error| {
        let (down, right) = (error.line().saturating_sub(1), error.column().max(1));
        let column = if down == 0 { column + right - 1 } else { right };
        Fault::new(
            line + down as u64,
            column,
            format!(
                "{} with the error: {}",
                quoted(text),
                reason(&error.to_string())
            ),
            "a JSON value",
        )
    })
}

/// The message of the parser without its place, which is that of the element.
fn reason(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or(message)
}
