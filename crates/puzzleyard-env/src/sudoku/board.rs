//! The drawing of a board for people and models.

use puzzleyard_sudoku::Grid;

const HEAD: &str = "  1 2 3 | 4 5 6 | 7 8 9";
const RULE: &str = "  ------+-------+------";

/// Draws a board: column numbers, row letters, `.` for an empty cell, rules between the boxes.
/// No line end after the last row.
pub fn draw(grid: &Grid) -> String {
    let mut text = String::with_capacity(12 * 24);
    text.push_str(HEAD);
    for (row, digits) in grid.digits().chunks(9).enumerate() {
        if row == 3 || row == 6 {
            text.push('\n');
            text.push_str(RULE);
        }
        text.push('\n');
        text.push(char::from(b'A' + row as u8));
        for (col, &digit) in digits.iter().enumerate() {
            text.push_str(if col == 3 || col == 6 { " | " } else { " " });
            text.push(if digit == 0 {
                '.'
            } else {
                char::from(b'0' + digit)
            });
        }
    }
    text
}
