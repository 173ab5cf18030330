//! The state of a game in the terminal, apart from keys and drawing.

use std::time::Duration;

use puzzleyard_sudoku::rate::{Pencil, Step, hint};
use puzzleyard_sudoku::{Grid, cell_name, rules, solve};
use serde::{Deserialize, Serialize};

/// How many steps can be taken back.
const HISTORY: usize = 10_000;
/// The marks that there are: bits 1 to 9.
const MARKS: u16 = 0x3FE;

/// What the player has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    /// Clues and digits.
    pub(super) grid: Grid,
    /// Pencil marks, bit `d` for digit `d`.
    pub(super) marks: [u16; 81],
}

/// A game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    puzzle: Grid,
    solution: Grid,
    pub(super) sheet: Sheet,
    undo: Vec<Sheet>,
    redo: Vec<Sheet>,
    pub(super) cursor: usize,
    pub(super) marking: bool,
    pub(super) show_errors: bool,
    pub(super) played: Duration,
    pub(super) message: String,
    pub(super) hint: Option<Step>,
}

/// A game as it is kept in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    format: u32,
    puzzle: String,
    grid: String,
    marks: Vec<u16>,
    cursor: usize,
    seconds: u64,
}

impl Game {
    /// A new game.
    ///
    /// # Errors
    /// If the puzzle has less or more than one solution.
    pub(super) fn new(puzzle: Grid) -> Result<Self, String> {
        let solution = match solve::count_solutions(&puzzle, 2).solutions {
            0 => None,
            1 => solve::solve(&puzzle),
            _ => return Err("the puzzle has several solutions, expected one".into()),
        };
        Ok(Self {
            puzzle,
            solution: solution.ok_or("the puzzle has no solution, expected one")?,
            sheet: Sheet {
                grid: puzzle,
                marks: [0; 81],
            },
            undo: Vec::new(),
            redo: Vec::new(),
            cursor: (0..81).find(|&cell| puzzle.digit(cell) == 0).unwrap_or(0),
            marking: false,
            show_errors: false,
            played: Duration::ZERO,
            message: String::new(),
            hint: None,
        })
    }

    /// The game as it is kept.
    pub(super) fn saved(&self) -> Saved {
        Saved {
            format: 1,
            puzzle: self.puzzle.to_string(),
            grid: self.sheet.grid.to_string(),
            marks: self.sheet.marks.to_vec(),
            cursor: self.cursor,
            seconds: self.played.as_secs(),
        }
    }

    /// A game that was kept.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn load(saved: &Saved) -> Result<Self, String> {
        if saved.format != 1 {
            return Err(format!("format {}, expected 1", saved.format));
        }
        let read = |text: &str| text.parse::<Grid>().map_err(|error| error.to_string());
        let mut game = Self::new(read(&saved.puzzle)?)?;
        let grid = read(&saved.grid)?;
        if (0..81).any(|cell| game.is_clue(cell) && grid.digit(cell) != game.puzzle.digit(cell)) {
            return Err("the grid does not hold the clues of the puzzle".into());
        }
        let marks: [u16; 81] = saved
            .marks
            .as_slice()
            .try_into()
            .map_err(|_| format!("{} cells of marks, expected 81", saved.marks.len()))?;
        if saved.cursor >= 81 || marks.iter().any(|mask| mask & !MARKS != 0) {
            return Err("a cursor or marks out of range".into());
        }
        game.sheet = Sheet { grid, marks };
        game.cursor = saved.cursor;
        game.played = Duration::from_secs(saved.seconds);
        Ok(game)
    }

    /// Whether the cell holds a clue.
    pub(super) fn is_clue(&self, cell: usize) -> bool {
        self.puzzle.digit(cell) != 0
    }

    /// Whether everything is filled and right.
    pub(super) fn is_solved(&self) -> bool {
        self.sheet.grid == self.solution
    }

    /// How many clues the puzzle has.
    pub(super) fn clues(&self) -> usize {
        self.puzzle.clues()
    }

    /// Whether the cell's digit is to be shown as wrong.
    pub(super) fn is_error(&self, cell: usize) -> bool {
        self.show_errors && self.is_wrong(cell)
    }

    fn is_wrong(&self, cell: usize) -> bool {
        let digit = self.sheet.grid.digit(cell);
        digit != 0 && digit != self.solution.digit(cell)
    }

    /// Moves the cursor, around the edges.
    pub(super) fn go(&mut self, down: usize, right: usize) {
        let (row, col) = (self.cursor / 9, self.cursor % 9);
        self.cursor = (row + down) % 9 * 9 + (col + right) % 9;
    }

    /// Writes a digit or toggles a mark at the cursor.
    pub(super) fn digit(&mut self, digit: u8) {
        let cell = self.cursor;
        if self.is_clue(cell) {
            self.message = format!("{} is a clue", cell_name(cell));
            return;
        }
        let mut sheet = self.sheet;
        if self.marking {
            if sheet.grid.digit(cell) != 0 {
                self.message = format!("{} is filled: clear it first", cell_name(cell));
                return;
            }
            sheet.marks[cell] ^= 1 << digit;
        } else if sheet.grid.digit(cell) == digit {
            sheet.grid = sheet.grid.with(cell, 0);
        } else {
            write(&mut sheet, cell, digit);
        }
        self.change(sheet);
    }

    /// Clears digit or marks at the cursor.
    pub(super) fn clear(&mut self) {
        let cell = self.cursor;
        if self.is_clue(cell) {
            self.message = format!("{} is a clue", cell_name(cell));
            return;
        }
        let mut sheet = self.sheet;
        if sheet.grid.digit(cell) == 0 {
            sheet.marks[cell] = 0;
        }
        sheet.grid = sheet.grid.with(cell, 0);
        self.change(sheet);
    }

    /// Marks in every empty cell what the digits leave.
    pub(super) fn auto_marks(&mut self) {
        let mut sheet = self.sheet;
        let pencil = Pencil::new(&sheet.grid);
        for (cell, marks) in sheet.marks.iter_mut().enumerate() {
            *marks = pencil.candidates(cell);
        }
        self.change(sheet);
    }

    /// Takes the last step back.
    pub(super) fn undo(&mut self) {
        if let Some(sheet) = self.undo.pop() {
            self.redo.push(self.sheet);
            self.show(sheet);
        } else {
            self.message = "nothing to undo".into();
        }
    }

    /// Takes the last step back again.
    pub(super) fn redo(&mut self) {
        if let Some(sheet) = self.redo.pop() {
            self.undo.push(self.sheet);
            self.show(sheet);
        } else {
            self.message = "nothing to redo".into();
        }
    }

    /// Finds and explains the next step. Marks count if none of them rules out the solution.
    pub(super) fn explain(&mut self) {
        if let Some(cell) = (0..81).find(|&cell| self.is_wrong(cell)) {
            self.cursor = cell;
            let (name, digit) = (cell_name(cell), self.sheet.grid.digit(cell));
            self.message = format!("{name}={digit} is wrong: take it back first");
            return;
        }
        let mut pencil = Pencil::new(&self.sheet.grid);
        for cell in 0..81 {
            let marks = self.sheet.marks[cell] & pencil.candidates(cell);
            if marks >> self.solution.digit(cell) & 1 == 1 {
                pencil.set_candidates(cell, marks);
            }
        }
        match hint(&pencil) {
            Some(step) => {
                let score = f64::from(step.score) / 10.0;
                let (technique, reason) = (step.technique, step.reason());
                self.message = format!("{technique} ({score:.1}): {reason} Enter does it.");
                if let Some((cell, _)) = step.place {
                    self.cursor = cell;
                }
                self.hint = Some(step);
            }
            None => self.message = "no step leads on".into(),
        }
    }

    /// Does what the hint says. A step that strikes candidates writes all marks first where
    /// there are none.
    pub(super) fn apply(&mut self) {
        let Some(step) = self.hint.take() else {
            return;
        };
        let mut sheet = self.sheet;
        if !step.remove.is_empty() {
            let pencil = Pencil::new(&sheet.grid);
            for cell in 0..81 {
                if sheet.marks[cell] == 0 {
                    sheet.marks[cell] = pencil.candidates(cell);
                }
            }
        }
        for (cell, digit) in step.remove {
            sheet.marks[cell] &= !(1 << digit);
        }
        if let Some((cell, digit)) = step.place {
            write(&mut sheet, cell, digit);
        }
        self.change(sheet);
    }

    fn change(&mut self, sheet: Sheet) {
        if sheet == self.sheet {
            return;
        }
        if self.undo.len() == HISTORY {
            self.undo.remove(0);
        }
        self.undo.push(self.sheet);
        self.redo.clear();
        self.show(sheet);
    }

    fn show(&mut self, sheet: Sheet) {
        self.sheet = sheet;
        self.hint = None;
        self.message.clear();
        if self.is_solved() {
            self.message = "Solved. n begins a new puzzle, q leaves.".into();
        } else if sheet.grid.is_full() {
            self.message = "Every cell is filled, and something is wrong (e shows it).".into();
        }
    }
}

/// Writes a digit; the cells that see it lose its mark.
fn write(sheet: &mut Sheet, cell: usize, digit: u8) {
    sheet.grid = sheet.grid.with(cell, digit);
    sheet.marks[cell] = 0;
    for (other, marks) in sheet.marks.iter_mut().enumerate() {
        if rules::sees(cell, other) {
            *marks &= !(1 << digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzleyard_sudoku::{Grid, cell_named};

    use super::{Game, Saved};

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn game() -> Game {
        Game::new(EASY.parse().unwrap()).unwrap()
    }

    #[test]
    fn hints_alone_solve_the_game_and_undo_brings_all_of_it_back() {
        let mut game = game();
        let mut steps = 0;
        while !game.is_solved() {
            game.explain();
            assert!(game.hint.is_some(), "{}", game.message);
            game.apply();
            steps += 1;
        }
        assert!(steps >= 51);
        (0..steps).for_each(|_| game.undo());
        assert_eq!(game.sheet.grid.to_string(), EASY);
        game.undo();
        assert_eq!(game.message, "nothing to undo");
        (0..steps).for_each(|_| game.redo());
        assert!(game.is_solved());
    }

    #[test]
    fn clues_stay_and_digits_strike_marks() {
        let mut game = game();
        game.cursor = 0;
        game.digit(9);
        game.clear();
        assert_eq!(game.sheet.grid.to_string(), EASY);
        game.auto_marks();
        let (a3, a4) = (cell_named("A3").unwrap(), cell_named("A4").unwrap());
        assert_eq!(game.sheet.marks[a3], 1 << 1 | 1 << 2 | 1 << 4);
        game.cursor = a4;
        game.digit(2);
        assert_eq!(game.sheet.marks[a3], 1 << 1 | 1 << 4);
        game.marking = true;
        game.digit(3);
        assert!(game.message.contains("filled"));
        game.cursor = a3;
        game.digit(4);
        assert_eq!(game.sheet.marks[a3], 1 << 1);
    }

    #[test]
    fn a_wrong_digit_is_shown_when_asked_and_stops_the_hint() {
        let mut game = game();
        game.cursor = cell_named("A3").unwrap();
        game.digit(1);
        assert!(!game.is_error(game.cursor));
        game.show_errors = true;
        assert!(game.is_error(game.cursor));
        game.explain();
        assert_eq!(game.message, "A3=1 is wrong: take it back first");
        assert!(game.hint.is_none());
    }

    #[test]
    fn what_is_kept_comes_back_and_nonsense_is_refused() {
        let mut game = game();
        game.digit(4);
        game.auto_marks();
        let saved = game.saved();
        let again = Game::load(&saved).unwrap();
        assert_eq!((again.sheet, again.cursor), (game.sheet, game.cursor));
        let bad = |change: &dyn Fn(&mut Saved)| {
            let mut saved = saved.clone();
            change(&mut saved);
            Game::load(&saved).is_err()
        };
        assert!(bad(&|it| it.format = 2));
        assert!(bad(&|it| it.cursor = 81));
        assert!(bad(&|it| it.marks[3] = 1));
        assert!(bad(&|it| it.marks.truncate(80)));
        assert!(bad(&|it| it.grid = Grid::EMPTY.to_string()));
        assert!(bad(&|it| it.puzzle = Grid::EMPTY.to_string()));
    }
}
