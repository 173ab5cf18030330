//! How a game looks: 80 columns and 24 rows.

use puzzleyard_sudoku::{col_of, row_of};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Text;
use ratatui::widgets::{Paragraph, Widget as _, Wrap};

use super::game::Game;

/// The least columns and rows.
pub(super) const SIZE: (u16, u16) = (80, 24);
/// Columns of a cell: five marks.
const WIDTH: u16 = 5;

const KEYS: [&str; 11] = [
    "arrows hjkl  move",
    "1-9   digit",
    "0     clear",
    "m     marks on/off",
    "a     all marks",
    "t     hint",
    "enter do the hint",
    "u r   undo, redo",
    "e     show errors",
    "n     new puzzle",
    "q     leave",
];

/// Draws the game.
pub(super) fn draw(game: &Game, area: Rect, buffer: &mut Buffer) {
    if area.width < SIZE.0 || area.height < SIZE.1 {
        let (width, height) = SIZE;
        let text = format!(
            "The board needs {width} x {height} characters; here are {} x {}. Enlarge the terminal, or q leaves.",
            area.width, area.height
        );
        let words = Paragraph::new(text).wrap(Wrap { trim: true });
        words.render(area, buffer);
        return;
    }
    for index in 0..9 {
        let (x, y) = place(index * 10);
        let (letter, number) = (b'A' + index as u8, index + 1);
        buffer.set_string(x + WIDTH / 2, 0, number.to_string(), Style::default());
        buffer.set_string(0, y, char::from(letter).to_string(), Style::default());
    }
    rulers(buffer);
    (0..81).for_each(|cell| draw_cell(game, cell, buffer));
    panel(game, buffer);
    let words = Paragraph::new(Text::raw(game.message.as_str())).wrap(Wrap { trim: true });
    words.render(Rect::new(0, 21, area.width, area.height - 21), buffer);
}

/// Where a cell begins.
fn place(cell: usize) -> (u16, u16) {
    let (row, col) = (row_of(cell) as u16, col_of(cell) as u16);
    (2 + col * (WIDTH + 1) + col / 3, 1 + row * 2 + row / 3)
}

fn rulers(buffer: &mut Buffer) {
    let dim = Style::default().add_modifier(Modifier::DIM);
    for y in 1..21 {
        for cell in [3, 6] {
            buffer.set_string(place(cell).0 - 1, y, "│", dim);
        }
    }
    for cell in [27, 54] {
        let y = place(cell).1 - 1;
        let (start, end) = (place(0).0, place(8).0 + WIDTH);
        for x in start..end {
            let crossing = [3, 6].iter().any(|&it| place(it).0 - 1 == x);
            buffer.set_string(x, y, if crossing { "┼" } else { "─" }, dim);
        }
    }
}

fn draw_cell(game: &Game, cell: usize, buffer: &mut Buffer) {
    let (x, y) = place(cell);
    let mut style = Style::default();
    let hint = game.hint.as_ref();
    if hint.is_some_and(|step| step.marks.cells.contains(&cell)) {
        style = style.bg(Color::Blue);
    }
    if hint.is_some_and(|step| step.remove.iter().any(|&(other, _)| other == cell)) {
        style = style.bg(Color::Magenta);
    }
    if game.is_error(cell) {
        style = style.fg(Color::Red).add_modifier(Modifier::UNDERLINED);
    } else if game.is_clue(cell) {
        style = style.add_modifier(Modifier::BOLD);
    } else if game.sheet.grid.digit(cell) != 0 {
        style = style.fg(Color::Cyan);
    }
    if cell == game.cursor {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let rows = match game.sheet.grid.digit(cell) {
        0 => {
            let marks = game.sheet.marks[cell];
            let mark = |digit: u8| match marks >> digit & 1 {
                1 => char::from(b'0' + digit),
                _ => ' ',
            };
            let first: String = (1..=5).map(mark).collect();
            let second: String = (6..=9).map(mark).collect();
            let first = if marks == 0 { "  .  ".into() } else { first };
            [first, format!("{second} ")]
        }
        digit => [format!("  {digit}  "), "     ".into()],
    };
    for (row, y) in rows.iter().zip(y..) {
        buffer.set_string(x, y, row, style);
    }
}

fn panel(game: &Game, buffer: &mut Buffer) {
    let x = 61;
    let seconds = game.played.as_secs();
    let on_off = |on: bool| if on { "on" } else { "off" };
    let lines = [
        "Puzzleyard Sudoku".to_owned(),
        format!("{} clues", game.clues()),
        format!("{}/81 filled", game.sheet.grid.clues()),
        format!("time {}:{:02}", seconds / 60, seconds % 60),
        format!("marks {}", on_off(game.marking)),
        format!("errors {}", on_off(game.show_errors)),
        String::new(),
    ];
    let all = lines.iter().map(String::as_str).chain(KEYS);
    for (line, y) in all.zip(1..) {
        buffer.set_string(x, y, line, Style::default());
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::game::Game;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn drawn(game: &Game, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let draw = |frame: &mut ratatui::Frame<'_>| {
            super::draw(game, frame.area(), frame.buffer_mut());
        };
        terminal.draw(draw).unwrap();
        let buffer = terminal.backend().buffer().clone();
        (0..height)
            .map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect())
            .collect()
    }

    #[test]
    fn everything_fits_on_80_by_24() {
        let mut game = Game::new(EASY.parse().unwrap()).unwrap();
        game.auto_marks();
        game.explain();
        let rows = drawn(&game, 80, 24);
        assert!(rows[1].starts_with("A   5 "), "{:?}", rows[1]);
        // A3 has the candidates 1, 2 and 4, in its first row.
        assert!(rows[1].contains("12 4 "), "{:?}", rows[1]);
        assert!(rows[19].starts_with('I'), "{:?}", rows[19]);
        assert!(rows[18].contains("leave"), "{:?}", rows[18]);
        assert!(rows[21].contains("single"), "{:?}", rows[21]);
    }

    #[test]
    fn a_small_terminal_says_so_and_no_size_breaks() {
        let game = Game::new(EASY.parse().unwrap()).unwrap();
        assert!(drawn(&game, 79, 24)[0].contains("needs 80 x 24"));
        for (width, height) in [(1, 1), (80, 23), (3, 50), (200, 60)] {
            drawn(&game, width, height);
        }
    }
}
