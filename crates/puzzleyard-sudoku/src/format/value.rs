//! What a JSON value says about a puzzle.

use serde_json::{Map, Value};

use super::{Entry, alphabet, grid, line, many, quoted, tidy_title};
use crate::model::{Board, Shape};

/// Why a value is no puzzle: what was found, what would be right.
pub(super) type Misfit = (String, String);

const PUZZLE: [&str; 8] = [
    "puzzle", "board", "grid", "quiz", "question", "sudoku", "problem", "quizzes",
];
const SOLUTION: [&str; 4] = ["solution", "answer", "solved", "solutions"];
const TITLE: [&str; 3] = ["title", "name", "id"];

fn misfit(found: impl Into<String>, wanted: impl Into<String>) -> Misfit {
    (found.into(), wanted.into())
}

/// Whether an object with these keys is a puzzle.
pub(super) fn is_puzzle(object: &Map<String, Value>) -> bool {
    get(object, &PUZZLE).is_some()
}

fn get<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    keys.iter()
        .find_map(|key| {
            object
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
        })
        .map(|(_, value)| value)
        .filter(|value| !value.is_null())
}

/// The puzzle of an element: a string, an array of rows or of cells, or an object.
pub(super) fn entry(value: &Value) -> Result<Entry, Misfit> {
    match value {
        Value::Object(object) => of_object(object),
        Value::String(_) | Value::Array(_) => Ok(Entry::new(board(value, None)?)),
        other => Err(misfit(
            name_of(other),
            "a string of cells, an array of rows, or an object with \"puzzle\"",
        )),
    }
}

/// The puzzle of an object.
pub(super) fn of_object(object: &Map<String, Value>) -> Result<Entry, Misfit> {
    let Some(puzzle) = get(object, &PUZZLE) else {
        let keys: Vec<&str> = object.keys().take(4).map(String::as_str).collect();
        return Err(misfit(
            format!("an object with the keys {}", quoted(&keys.join(", "))),
            "one with \"puzzle\"",
        ));
    };
    let shape = get(object, &["boxes"]).map(boxes).transpose()?;
    let solution = get(object, &SOLUTION);
    let mut entry = match (puzzle, solution) {
        // As two strings the alphabet is settled over both.
        (Value::String(puzzle), Some(Value::String(solution)))
            if !puzzle.contains('\n') && !solution.contains('\n') =>
        {
            strings(puzzle.trim(), Some(solution.trim()), shape)?
        }
        _ => {
            let mut entry = Entry::new(board(puzzle, shape)?);
            if let Some(solution) = solution {
                let solution = board(solution, shape)
                    .map_err(|(found, wanted)| (format!("{found} in the solution"), wanted))?;
                entry.solution = Some(full(solution)?);
            }
            entry
        }
    };
    if let Some(state) = get(object, &["state"]) {
        entry.state = Some(board(state, shape)?);
    }
    let shape = entry.board.shape();
    for beside in [&entry.solution, &entry.state].into_iter().flatten() {
        if beside.shape() != shape {
            return Err(misfit(
                format!("a solution or state of {}", beside.shape()),
                format!("{shape}, as the puzzle"),
            ));
        }
    }
    entry.title = match get(object, &TITLE) {
        Some(Value::String(title)) => tidy_title(title),
        Some(Value::Number(number)) => tidy_title(&number.to_string()),
        _ => None,
    };
    Ok(entry)
}

fn full(board: Board) -> Result<Board, Misfit> {
    match board.digits().iter().position(|&digit| digit == 0) {
        None => Ok(board),
        Some(cell) => Err(misfit(
            format!(
                "an empty cell {} in the solution",
                place(cell, board.shape())
            ),
            "a digit in every cell",
        )),
    }
}

fn place(cell: usize, shape: Shape) -> String {
    let size = shape.size();
    format!("(row {}, column {})", cell / size + 1, cell % size + 1)
}

/// `[rows, columns]` of a box.
fn boxes(value: &Value) -> Result<Shape, Misfit> {
    let wanted = "[rows, columns] of a box, two numbers";
    let numbers: Option<Vec<usize>> = value.as_array().and_then(|numbers| {
        let number = |value: &Value| value.as_u64().map(|n| n.min(1000) as usize);
        numbers.iter().map(number).collect()
    });
    match numbers.as_deref() {
        Some(&[rows, cols]) => {
            Shape::new(rows, cols).map_err(|error| misfit(error.to_string(), wanted))
        }
        _ => Err(misfit(format!("{} as \"boxes\"", name_of(value)), wanted)),
    }
}

fn shaped(shape: Option<Shape>, size: usize, digits: Vec<u8>) -> Result<Board, Misfit> {
    let Some(shape) = shape.or_else(|| Shape::of_size(size)) else {
        return Err(misfit(
            format!("{size} rows"),
            "a size that has boxes, or \"boxes\"",
        ));
    };
    if shape.size() != size {
        return Err(misfit(
            format!("{size} rows beside boxes for {}", shape.size()),
            "boxes that hold as many cells as a row",
        ));
    }
    Board::from_digits(shape, digits).map_err(|error| misfit(error.to_string(), "a board"))
}

fn strings(puzzle: &str, solution: Option<&str>, shape: Option<Shape>) -> Result<Entry, Misfit> {
    let chars: Vec<char> = puzzle.chars().collect();
    let given = shape
        .map(Shape::size)
        .filter(|size| size * size == chars.len());
    let Some(size) = given.or_else(|| alphabet::size_of_cells(chars.len())) else {
        return Err(match line::parse(puzzle, 1) {
            Some(Err(fault)) => misfit(
                format!("{} at character {}", fault.found, fault.column),
                fault.wanted,
            ),
            _ => misfit(quoted(puzzle), "81 cells"),
        });
    };
    let full: Option<Vec<char>> = solution.map(|text| text.chars().collect());
    if let Some(full) = &full
        && full.len() != chars.len()
    {
        return Err(misfit(
            format!("a solution of {} cells", full.len()),
            format!("{}, as many as the puzzle has", chars.len()),
        ));
    }
    let (digits, full) = alphabet::read(size, &chars, full.as_deref()).map_err(|bad| {
        let text = if bad.in_solution {
            "solution"
        } else {
            "puzzle"
        };
        misfit(
            format!("{} at character {} of the {text}", bad.found, bad.index + 1),
            bad.wanted,
        )
    })?;
    let solution = full.map(|digits| shaped(shape, size, digits)).transpose()?;
    Ok(Entry {
        solution,
        ..Entry::new(shaped(shape, size, digits)?)
    })
}

/// A board as a string, as an array of rows, or as an array of cells.
fn board(value: &Value, shape: Option<Shape>) -> Result<Board, Misfit> {
    match value {
        Value::String(text) if text.trim().contains('\n') => grid::single(text)
            .map(|entry| entry.board)
            .map_err(|fault| {
                misfit(
                    format!("{} in row {}", fault.found, fault.line),
                    fault.wanted,
                )
            }),
        Value::String(text) => Ok(strings(text.trim(), None, shape)?.board),
        Value::Array(items) => of_array(items, shape),
        other => Err(misfit(
            name_of(other),
            "a string of cells or an array of rows",
        )),
    }
}

fn of_array(items: &[Value], shape: Option<Shape>) -> Result<Board, Misfit> {
    let nested = items.iter().any(Value::is_array);
    let rows: Vec<&[Value]> = if nested {
        items
            .iter()
            .map(|row| {
                row.as_array()
                    .map(Vec::as_slice)
                    .ok_or_else(|| misfit(name_of(row), "an array as every row"))
            })
            .collect::<Result<_, _>>()?
    } else if items
        .iter()
        .any(|item| item.as_str().is_some_and(|text| text.chars().count() > 2))
    {
        // Rows as strings.
        let text: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
        return board(&Value::String(text.join("\n")), shape);
    } else {
        let size = (1..=36)
            .find(|size| size * size >= items.len())
            .unwrap_or(36);
        if items.is_empty() || size * size != items.len() {
            return Err(misfit(
                format!("an array of {} cells", items.len()),
                "an array of rows, or of 16, 36, 64, 81, ... cells",
            ));
        }
        items.chunks(size).collect()
    };
    of_rows(&rows, shape)
}

fn of_rows(rows: &[&[Value]], shape: Option<Shape>) -> Result<Board, Misfit> {
    let size = rows.len();
    if size > 36 {
        return Err(misfit(format!("{size} rows"), "at most 36"));
    }
    let mut digits = Vec::with_capacity(size * size);
    for (row, cells) in rows.iter().enumerate() {
        if cells.len() != size && row == 0 {
            return Err(misfit(
                format!(
                    "{} and {} in the first",
                    many(size, "row"),
                    many(cells.len(), "cell")
                ),
                "as many rows as cells in a row",
            ));
        }
        if cells.len() != size {
            return Err(misfit(
                format!("{} cells in row {}", cells.len(), row + 1),
                format!("{size}, as many as rows"),
            ));
        }
        for (col, value) in cells.iter().enumerate() {
            digits.push(cell(value, size).ok_or_else(|| {
                misfit(
                    format!("{} in row {}, column {}", name_of(value), row + 1, col + 1),
                    format!("a number 1-{size}, or 0, null or \"\" for an empty cell"),
                )
            })?);
        }
    }
    shaped(shape, size, digits)
}

fn cell(value: &Value, size: usize) -> Option<u8> {
    let digit = match value {
        Value::Null => 0,
        Value::Number(number) => number.as_u64().filter(|&n| n <= 36)? as u8,
        Value::String(text) => {
            let mut chars = text.trim().chars();
            match (chars.next(), chars.next()) {
                (None, _) => 0,
                (Some(c), None) => alphabet::value(c)?,
                _ => text.trim().parse::<u8>().ok()?,
            }
        }
        _ => return None,
    };
    (usize::from(digit) <= size).then_some(digit)
}

/// A value as a fault names it.
fn name_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => quoted(&number.to_string()),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
