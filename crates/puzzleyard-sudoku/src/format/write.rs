//! The canonical form of each kind.

use std::io::Write;

use serde_json::{Map, Value};

use super::{Entry, Kind, alphabet, bare_title, tidy_title};
use crate::model::{Board, Shape};

/// Why an entry is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The kind has no way to say how the boxes lie.
    #[error(
        "a board of {shape} cannot be written as {kind}: wanted the usual boxes of its size, or json"
    )]
    Shape {
        /// The shape.
        shape: Shape,
        /// The kind asked for.
        kind: Kind,
    },
    /// The solution or the state has another shape, or the solution has an empty cell.
    #[error(
        "the {what} does not fit the puzzle: wanted {shape}, without an empty cell in a solution"
    )]
    Beside {
        /// `solution` or `state`.
        what: &'static str,
        /// The shape of the puzzle.
        shape: Shape,
    },
    /// The output failed.
    #[error("cannot write: {0}")]
    Io(#[from] std::io::Error),
}

/// Writes entries one by one. [`Writer::finish`] must be called at the end.
///
/// What a kind has no place for is left out: `sdm` and `ss` carry boards only, `line` and
/// `csv` no state, `grid` and `sdk` no solution. `json` carries everything.
#[derive(Debug)]
pub struct Writer<W> {
    kind: Kind,
    out: W,
    written: u64,
}

/// Writes all entries in the canonical form of `kind`.
///
/// # Errors
/// If the kind cannot carry the shape of a board, or the output fails.
pub fn write<'a>(
    kind: Kind,
    entries: impl IntoIterator<Item = &'a Entry>,
    out: impl Write,
) -> Result<(), WriteError> {
    let mut writer = Writer::new(kind, out);
    for entry in entries {
        writer.write(entry)?;
    }
    writer.finish()?;
    Ok(())
}

/// Whether a kind can say how the boxes of a shape lie.
fn carries(kind: Kind, shape: Shape) -> bool {
    let usual = shape.size() >= 4 && Shape::of_size(shape.size()) == Some(shape);
    let boxed = shape.box_rows() > 1 && shape.box_cols() > 1;
    match kind {
        Kind::Json => true,
        Kind::Grid | Kind::Ss => usual || boxed,
        Kind::Line | Kind::Sdk | Kind::Sdm | Kind::Csv => usual,
    }
}

impl<W: Write> Writer<W> {
    /// A writer of this kind.
    pub fn new(kind: Kind, out: W) -> Self {
        Self {
            kind,
            out,
            written: 0,
        }
    }

    /// Writes one entry.
    ///
    /// # Errors
    /// As [`write()`].
    pub fn write(&mut self, entry: &Entry) -> Result<(), WriteError> {
        let shape = entry.board.shape();
        if !carries(self.kind, shape) {
            return Err(WriteError::Shape {
                shape,
                kind: self.kind,
            });
        }
        for (what, beside) in [("solution", &entry.solution), ("state", &entry.state)] {
            let fits = |board: &Board| {
                board.shape() == shape && (what == "state" || board.clues() == shape.cells())
            };
            if !beside.as_ref().is_none_or(fits) {
                return Err(WriteError::Beside { what, shape });
            }
        }
        let text = match self.kind {
            Kind::Line => line(entry),
            Kind::Sdm => cells(&entry.board).replace('.', "0") + "\n",
            Kind::Grid => self.apart(&grid(entry)),
            Kind::Ss => self.apart(&ss(&entry.board)),
            Kind::Sdk => self.apart(&sdk(entry)),
            Kind::Csv => self.record(entry)?,
            Kind::Json => {
                let start = if self.written == 0 { "[\n" } else { ",\n" };
                format!("{start}{}", json(entry))
            }
        };
        self.written += 1;
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes what closes the file, flushes, and gives the output back.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(mut self) -> Result<W, std::io::Error> {
        match (self.kind, self.written) {
            (Kind::Json, 0) => self.out.write_all(b"[]\n")?,
            (Kind::Json, _) => self.out.write_all(b"\n]\n")?,
            (Kind::Csv, 0) => self.out.write_all(HEADER.as_bytes())?,
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }

    /// A blank line before every entry but the first.
    fn apart(&self, text: &str) -> String {
        let blank = if self.written == 0 { "" } else { "\n" };
        format!("{blank}{text}")
    }

    fn record(&self, entry: &Entry) -> Result<String, WriteError> {
        let solution = entry.solution.as_ref().map(cells).unwrap_or_default();
        let title = entry.title.as_deref().and_then(tidy_title);
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        writer
            .write_record([cells(&entry.board), solution, title.unwrap_or_default()])
            .map_err(std::io::Error::other)?;
        let bytes = writer
            .into_inner()
            .map_err(|error| std::io::Error::other(error.to_string()))?;
        let header = if self.written == 0 { HEADER } else { "" };
        Ok(format!("{header}{}", String::from_utf8_lossy(&bytes)))
    }
}

const HEADER: &str = "puzzle,solution,title\n";

/// All cells in the canonical alphabet.
fn cells(board: &Board) -> String {
    board
        .digits()
        .iter()
        .map(|&digit| alphabet::symbol(digit))
        .collect()
}

fn title(entry: &Entry) -> Option<String> {
    entry.title.as_deref().and_then(bare_title)
}

fn line(entry: &Entry) -> String {
    let mut text = cells(&entry.board);
    if let Some(solution) = &entry.solution {
        text.push(',');
        text.push_str(&cells(solution));
    }
    if let Some(title) = title(entry) {
        text.push_str(" # ");
        text.push_str(&title);
    }
    text.push('\n');
    text
}

fn grid(entry: &Entry) -> String {
    let shape = entry.board.shape();
    let (size, box_rows, box_cols) = (shape.size(), shape.box_rows(), shape.box_cols());
    let width = if size > 9 { 2 } else { 1 };
    let dashes = "-".repeat((width + 1) * box_cols + 1);
    let border = format!("+{}\n", format!("{dashes}+").repeat(box_rows));
    let mut text = title(entry).map_or(String::new(), |title| format!("# {title}\n"));
    for (row, digits) in entry.board.digits().chunks(size).enumerate() {
        if row % box_rows == 0 {
            text.push_str(&border);
        }
        for (col, &digit) in digits.iter().enumerate() {
            if col % box_cols == 0 {
                text.push_str("| ");
            }
            let cell = if digit == 0 {
                ".".to_owned()
            } else {
                digit.to_string()
            };
            text.extend([format!("{cell:>width$}"), " ".to_owned()]);
        }
        text.push_str("|\n");
    }
    text + &border
}

fn ss(board: &Board) -> String {
    let shape = board.shape();
    let dashes = "-".repeat(shape.box_cols());
    let bands = vec![dashes.as_str(); shape.box_rows()];
    let edge = format!("*{}*\n", "-".repeat(shape.size() + shape.box_rows() - 1));
    let inner = format!("|{}|\n", bands.join("+"));
    let mut text = edge.clone();
    for (row, digits) in board.digits().chunks(shape.size()).enumerate() {
        if row > 0 && row % shape.box_rows() == 0 {
            text.push_str(&inner);
        }
        for band in digits.chunks(shape.box_cols()) {
            text.push('|');
            text.extend(band.iter().map(|&digit| alphabet::symbol(digit)));
        }
        text.push_str("|\n");
    }
    text + &edge
}

fn sdk(entry: &Entry) -> String {
    let mut text = title(entry).map_or(String::new(), |title| format!("#D{title}\n"));
    for (section, board) in [
        ("[Puzzle]", Some(&entry.board)),
        ("[State]", entry.state.as_ref()),
    ] {
        let Some(board) = board else { continue };
        text.push_str(section);
        text.push('\n');
        for row in board.digits().chunks(board.shape().size()) {
            text.extend(row.iter().map(|&digit| alphabet::symbol(digit)));
            text.push('\n');
        }
    }
    text
}

fn json(entry: &Entry) -> String {
    let shape = entry.board.shape();
    let mut object = Map::new();
    object.insert("puzzle".to_owned(), cells(&entry.board).into());
    if let Some(solution) = &entry.solution {
        object.insert("solution".to_owned(), cells(solution).into());
    }
    if let Some(state) = &entry.state {
        object.insert("state".to_owned(), cells(state).into());
    }
    if shape.size() < 4 || Shape::of_size(shape.size()) != Some(shape) {
        let boxes = [shape.box_rows(), shape.box_cols()];
        object.insert("boxes".to_owned(), boxes.to_vec().into());
    }
    if let Some(title) = entry.title.as_deref().and_then(tidy_title) {
        object.insert("title".to_owned(), title.into());
    }
    Value::Object(object).to_string()
}
