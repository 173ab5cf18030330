//! Boards as text, for messages and results.

use puzzleyard_sudoku::format::{Entry, Kind, Writer};
use puzzleyard_sudoku::rate::{Pencil, Step};
use puzzleyard_sudoku::rules::Conflict;
use puzzleyard_sudoku::{Board, Shape, cell_name};

/// A board on a line: 81 characters for the usual size, the line form of `yard sudoku convert`
/// for the others, and numbers with spaces where that has none.
pub(super) fn line(board: &Board) -> String {
    if let Some(grid) = board.classic() {
        return grid.to_string();
    }
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Kind::Line, &mut bytes);
    let written = writer.write(&Entry::new(board.clone())).is_ok() && writer.finish().is_ok();
    if written {
        return String::from_utf8_lossy(&bytes).trim().to_owned();
    }
    let numbers: Vec<String> = board.digits().iter().map(ToString::to_string).collect();
    numbers.join(" ")
}

/// The name of a cell: `A1` for the usual size, `r10c3` for the others.
pub(super) fn name(shape: Shape, cell: usize) -> String {
    if shape == Shape::CLASSIC {
        return cell_name(cell);
    }
    format!("r{}c{}", cell / shape.size() + 1, cell % shape.size() + 1)
}

/// The names of cells.
pub(super) fn names(shape: Shape, cells: &[usize]) -> Vec<String> {
    cells.iter().map(|&cell| name(shape, cell)).collect()
}

/// A conflict in words: `digit 5 twice in row A: A1, A7`.
pub(super) fn conflict(shape: Shape, conflict: &Conflict) -> String {
    let times = match conflict.cells.len() {
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let cells = names(shape, &conflict.cells).join(", ");
    format!(
        "digit {} {times} in {}: {cells}",
        conflict.digit, conflict.unit
    )
}

/// The board of a pencil with what a step does: `[5]` a digit placed, `(.)` cells of the
/// pattern, `{.}` cells that lose candidates.
pub(super) fn marked(pencil: &Pencil, step: &Step) -> String {
    let mut text = String::from("    1  2  3   4  5  6   7  8  9\n");
    for row in 0..9 {
        if row == 3 || row == 6 {
            text.push_str("   ---------+---------+---------\n");
        }
        text.push(char::from(b'A' + row as u8));
        text.push_str("  ");
        for col in 0..9 {
            let cell = row * 9 + col;
            if col == 3 || col == 6 {
                text.push('|');
            }
            let digit = match (step.place, pencil.grid().digit(cell)) {
                (Some((place, digit)), _) if place == cell => char::from(b'0' + digit),
                (_, 0) => '.',
                (_, digit) => char::from(b'0' + digit),
            };
            let (open, close) = if step.place.is_some_and(|(place, _)| place == cell) {
                ('[', ']')
            } else if step.remove.iter().any(|&(other, _)| other == cell) {
                ('{', '}')
            } else if step.marks.cells.contains(&cell) {
                ('(', ')')
            } else {
                (' ', ' ')
            };
            text.extend([open, digit, close]);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use puzzleyard_sudoku::{Board, Shape};

    #[test]
    fn boards_of_every_shape_have_a_line() {
        for (rows, cols, length) in [(3, 3, 81), (2, 2, 16), (4, 4, 256), (5, 5, 625)] {
            let board = Board::new(Shape::new(rows, cols).unwrap());
            assert_eq!(super::line(&board).len(), length);
        }
        let strip = Board::new(Shape::new(1, 5).unwrap());
        assert_eq!(super::line(&strip), ["0"; 25].join(" "));
        assert_eq!(super::name(strip.shape(), 7), "r2c3");
    }
}
