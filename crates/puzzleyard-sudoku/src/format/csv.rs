//! Tables: a record a puzzle, with or without a header.

use std::io::BufRead;

use super::source::Lines;
use super::{Entry, Fault, MAX_ELEMENT, alphabet, line, many, quoted, tidy_title};

const PUZZLE: [&str; 9] = [
    "puzzle", "puzzles", "quiz", "quizzes", "question", "board", "grid", "sudoku", "problem",
];
const SOLUTION: [&str; 6] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "solved",
    "result",
];
const TITLE: [&str; 4] = ["title", "name", "id", "comment"];

/// Where the columns stand.
#[derive(Clone, Copy, Debug)]
struct Columns {
    delimiter: u8,
    puzzle: usize,
    solution: Option<usize>,
    title: Option<usize>,
}

#[derive(Debug)]
pub(super) struct CsvReader<R> {
    lines: Lines<R>,
    text: String,
    columns: Option<Columns>,
}

/// The delimiter of a line: the first of the usual ones in it.
fn delimiter(text: &str) -> u8 {
    text.bytes()
        .find(|byte| matches!(byte, b',' | b';' | b'\t'))
        .unwrap_or(b',')
}

/// The fields of a record; `None` if it is not one record.
fn fields(text: &str, delimiter: u8) -> Option<Vec<String>> {
    if !text.contains('"') {
        let fields = text.split(char::from(delimiter));
        return Some(fields.map(str::to_owned).collect());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .buffer_capacity(text.len().clamp(64, 1 << 13))
        .from_reader(text.as_bytes());
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(str::to_owned).collect())
}

/// The columns that a header names; `None` if the line is no header.
fn header(text: &str) -> Option<Columns> {
    let delimiter = delimiter(text);
    let names: Vec<String> = fields(text, delimiter)?
        .iter()
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    let find = |known: &[&str]| {
        known
            .iter()
            .find_map(|word| names.iter().position(|name| name == word))
    };
    Some(Columns {
        delimiter,
        puzzle: find(&PUZZLE)?,
        solution: find(&SOLUTION),
        title: find(&TITLE),
    })
}

/// Whether a line is a header that names a puzzle column.
pub(super) fn is_header(text: &str) -> bool {
    header(text).is_some()
}

impl<R: BufRead> CsvReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            lines: Lines::new(inner),
            text: String::new(),
            columns: None,
        }
    }

    pub(super) fn step(&mut self) -> Option<Result<Entry, Fault>> {
        loop {
            let (record, number) = match self.record()? {
                Ok(record) => record,
                Err(fault) => return Some(Err(fault)),
            };
            if record.trim_matches(['\u{1a}', ' ', '\t']).is_empty() {
                continue;
            }
            let columns = match self.columns {
                Some(columns) => columns,
                None if record.trim_start().starts_with('#') => continue,
                None => {
                    let named = header(&record);
                    let columns = named.unwrap_or(Columns {
                        delimiter: delimiter(&record),
                        puzzle: 0,
                        solution: Some(1),
                        title: Some(2),
                    });
                    self.columns = Some(columns);
                    if named.is_some() {
                        continue;
                    }
                    if let Some(fault) = strange_header(&record, columns, number) {
                        return Some(Err(fault));
                    }
                    columns
                }
            };
            return Some(entry(&record, columns, number));
        }
    }

    /// The next record and its first line. Quoted line breaks join lines.
    fn record(&mut self) -> Option<Result<(String, u64), Fault>> {
        if let Err(fault) = self.lines.next(&mut self.text)? {
            return Some(Err(fault));
        }
        let number = self.lines.number();
        let mut record = std::mem::take(&mut self.text);
        let mut open = has_odd_quotes(&record);
        while open {
            match self.lines.next(&mut self.text) {
                Some(Ok(())) if record.len() + self.text.len() < MAX_ELEMENT => {
                    record.push('\n');
                    record.push_str(&self.text);
                    open ^= has_odd_quotes(&self.text);
                }
                Some(Err(fault)) => return Some(Err(fault)),
                end => {
                    let column = record
                        .lines()
                        .next()
                        .and_then(|first| first.find('"').map(|at| first[..at].chars().count()));
                    let fault = Fault::new(
                        number,
                        column.unwrap_or(0) + 1,
                        "a quotation mark that is not closed",
                        format!("its pair within {MAX_ELEMENT} bytes"),
                    );
                    return Some(Err(if end.is_none() { fault.fatal() } else { fault }));
                }
            }
        }
        Some(Ok((record, number)))
    }
}

/// Whether a text opens or closes a quotation that it does not contain whole.
fn has_odd_quotes(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'"').count() % 2 == 1
}

/// A fault if the first line has words where its puzzle should be.
fn strange_header(record: &str, columns: Columns, number: u64) -> Option<Fault> {
    let fields = fields(record, columns.delimiter)?;
    let first = fields.first()?.trim();
    let is_name = first.chars().count() < 40
        && first.chars().next().is_some_and(char::is_alphabetic)
        && !first.chars().any(|c| c.is_ascii_digit());
    is_name.then(|| {
        Fault::new(
            number,
            1,
            format!("a header without a puzzle column, {}", quoted(record)),
            "a column named puzzle, quizzes, question, board, grid or sudoku",
        )
    })
}

fn entry(record: &str, columns: Columns, number: u64) -> Result<Entry, Fault> {
    let Some(fields) = fields(record, columns.delimiter) else {
        return Err(Fault::new(number, 1, quoted(record), "one record"));
    };
    let Some(puzzle) = fields.get(columns.puzzle).map(|field| field.trim()) else {
        return Err(Fault::new(
            number,
            record.chars().count() + 1,
            many(fields.len(), "column"),
            format!("the puzzle in column {}", columns.puzzle + 1),
        ));
    };
    let solution = columns
        .solution
        .and_then(|column| fields.get(column))
        .map(|field| field.trim())
        .filter(|field| !field.is_empty());
    let mut entry = cells(puzzle, solution, |in_solution| {
        let column = if in_solution {
            columns.solution.unwrap_or(0)
        } else {
            columns.puzzle
        };
        start_of(record, columns.delimiter, column)
    })
    .map_err(|(column, found, wanted)| Fault::new(number, column, found, wanted))?;
    entry.title = columns
        .title
        .and_then(|column| fields.get(column))
        .and_then(|field| tidy_title(field));
    entry.line = number;
    Ok(entry)
}

/// The column, from 1, at which the text of a field begins; exact for records of one line.
fn start_of(record: &str, delimiter: u8, field: usize) -> usize {
    let (mut quoted, mut index, mut column) = (false, 0, 1);
    for c in record.chars() {
        if index == field && !c.is_whitespace() && c != '"' {
            break;
        }
        if c == '"' {
            quoted = !quoted;
        } else if c == char::from(delimiter) && !quoted {
            if index == field {
                break;
            }
            index += 1;
        }
        column += 1;
    }
    column
}

/// A puzzle and its solution as two fields; a fault as column, found and wanted.
fn cells(
    puzzle: &str,
    solution: Option<&str>,
    start: impl Fn(bool) -> usize,
) -> Result<Entry, (usize, String, String)> {
    if puzzle.is_empty() {
        return Err((
            start(false),
            "an empty puzzle field".to_owned(),
            "a puzzle of 81 cells".to_owned(),
        ));
    }
    let chars: Vec<char> = puzzle.chars().collect();
    let Some(size) = alphabet::size_of_cells(chars.len()) else {
        // The line reader knows how to say what is wrong with a run of cells.
        let (column, found, wanted) = match line::parse(puzzle, 1) {
            Some(Err(fault)) => (fault.column as usize, fault.found, fault.wanted),
            _ => (1, quoted(puzzle), "a puzzle of 81 cells".to_owned()),
        };
        return Err((start(false) + column - 1, found, wanted));
    };
    let full: Option<Vec<char>> = solution.map(|text| text.chars().collect());
    if let Some(full) = &full
        && full.len() != chars.len()
    {
        return Err((
            start(true),
            format!("a solution of {} cells", full.len()),
            format!("{}, as many as the puzzle has", chars.len()),
        ));
    }
    let (digits, full) = alphabet::read(size, &chars, full.as_deref())
        .map_err(|bad| (start(bad.in_solution) + bad.index, bad.found, bad.wanted))?;
    let board = alphabet::board(size, digits).ok_or_else(|| {
        let wanted = "a size with boxes".to_owned();
        (start(false), quoted(puzzle), wanted)
    })?;
    Ok(Entry {
        solution: full.and_then(|digits| alphabet::board(size, digits)),
        ..Entry::new(board)
    })
}
