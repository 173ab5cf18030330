//! The judge of Sudoku episodes: rows of characters, whole millionths of points.

use super::Refusal;
use super::reading::{Messages, Said, is_points, points, same, same_score, same_text, start_of};
use crate::Turns;
use crate::sudoku::{InvalidReason, Score, Transcript};

const ROWS: [char; 9] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];
const FORM: &str =
    "Write exactly one <move>A1=5</move>: row A-I, column 1-9, digit 1-9 (0 clears), no spaces.";

type Cells = [[char; 9]; 9];

/// Accepts a transcript and returns its score, or says what differs first.
///
/// # Errors
/// The first difference: the frame, the prompt, each turn, the score.
pub fn judge(record: &Transcript) -> Result<Score, Refusal> {
    let use_think = record.settings.use_think;
    let mut messages = Messages::of(record, "sudoku", use_think)?;
    let mut game = Game::new(&record.puzzle, record.settings.max_turns)?;
    if record.prompt != game.prompt() {
        return Err(Refusal::start("the prompt is not that of the puzzle"));
    }
    for reply in &record.replies {
        let turn = game.turn as u32 + 1;
        if game.over() {
            return Err(Refusal::AfterEnd { turn });
        }
        let Some(said) = messages.next(|content| spelled(content).is_some()) else {
            break;
        };
        let (reward, why, words) = game.hear(&said?, use_think);
        same(turn, "invalid_reason", &reply.invalid_reason, &why)?;
        if !is_points(reply.reward, reward) {
            same(turn, "reward", &reply.reward, &points(reward))?;
        }
        same(turn, "done", &reply.done, &game.over())?;
        same_text(turn, &reply.text, &game.reply(&words))?;
    }
    messages.finish()?;
    game.score(&record.score)
}

/// A move as row, column and digit, `None` if it is spelled in another way.
fn spelled(content: &str) -> Option<(usize, usize, char)> {
    let letters: Vec<char> = content.chars().collect();
    let [row, col, '=', digit] = letters[..] else {
        return None;
    };
    let row = ROWS.iter().position(|&name| name == row)?;
    let col = "123456789".find(col)?;
    "0123456789".contains(digit).then_some((row, col, digit))
}

struct Game {
    clues: Cells,
    cells: Cells,
    paid: [[bool; 9]; 9],
    limit: i64,
    turn: i64,
    earned: i64,
    cleared: i64,
    invalid: i64,
}

impl Game {
    fn new(puzzle: &str, limit: Turns) -> Result<Self, Refusal> {
        let letters: Vec<char> = puzzle.chars().take(82).collect();
        let alphabet = ".123456789";
        if letters.len() != 81 || letters.iter().any(|c| !alphabet.contains(*c)) {
            return Err(Refusal::start("the puzzle is not 81 digits and dots"));
        }
        let mut clues = [['.'; 9]; 9];
        for (at, letter) in letters.into_iter().enumerate() {
            clues[at / 9][at % 9] = letter;
        }
        let mut game = Self {
            clues,
            cells: clues,
            paid: [[false; 9]; 9],
            limit: 0,
            turn: 0,
            earned: 0,
            cleared: 0,
            invalid: 0,
        };
        let empty = 81 - game.filled();
        if !(1..=64).contains(&empty) || game.repeated() > 0 {
            return Err(Refusal::start(
                "the puzzle has fewer than 17 clues, none to fill, or clues that break a rule",
            ));
        }
        game.limit = match limit {
            Turns::Fixed(turns) => i64::from(turns),
            Turns::Auto => 2 * empty,
        };
        if !(1..=10_000).contains(&game.limit) {
            return Err(Refusal::start("the limit of turns is not 1 to 10000"));
        }
        Ok(game)
    }

    fn filled(&self) -> i64 {
        self.cells.iter().flatten().filter(|&&c| c != '.').count() as i64
    }

    /// The nine cells of each of the 27 units.
    fn units(&self) -> Vec<String> {
        let mut units = Vec::with_capacity(27);
        for number in 0..9 {
            units.push(self.cells[number].iter().collect());
            units.push((0..9).map(|row| self.cells[row][number]).collect());
            let (top, left) = (number / 3 * 3, number % 3 * 3);
            let places = (0..9).map(|k| self.cells[top + k / 3][left + k % 3]);
            units.push(places.collect());
        }
        units
    }

    /// Digits of a unit beyond their first.
    fn repeated(&self) -> i64 {
        let mut count = 0;
        for unit in self.units() {
            for digit in "123456789".chars() {
                count += (unit.matches(digit).count() as i64 - 1).max(0);
            }
        }
        count
    }

    fn solved(&self) -> bool {
        self.units()
            .iter()
            .all(|unit| "123456789".chars().all(|digit| unit.contains(digit)))
    }

    fn over(&self) -> bool {
        self.filled() == 81 || self.turn >= self.limit
    }

    /// Takes a message: reward, reason, first line of the reply.
    fn hear(&mut self, said: &Said<'_>, use_think: bool) -> (i64, Option<InvalidReason>, String) {
        self.turn += 1;
        let (why, words) = match *said {
            Said::Same(content) => match spelled(content) {
                Some((row, col, digit)) => match self.put(row, col, digit) {
                    Ok((reward, words)) => return (reward, None, words),
                    Err(refused) => refused,
                },
                None => (InvalidReason::Malformed, String::new()),
            },
            Said::Nothing => {
                let place = if use_think { " after </think>" } else { "" };
                let words = format!("No move found{place}. {FORM}");
                (InvalidReason::NoMove, words)
            }
            Said::Wrong(content) => {
                let words = format!("Cannot read {:?}. {FORM}", start_of(content));
                (InvalidReason::Malformed, words)
            }
            Said::Open => {
                let words = format!("A <move> tag is not closed. {FORM}");
                (InvalidReason::Malformed, words)
            }
            Said::Different(one, two) => {
                let words =
                    format!("Several different moves in one message: {one} and {two}. {FORM}");
                (InvalidReason::SeveralMoves, words)
            }
            Said::TooLong => {
                let words = format!("The message is too long. {FORM}");
                (InvalidReason::TooLong, words)
            }
        };
        self.invalid += 1;
        (-200_000, Some(why), format!("❌ Invalid move! {words}"))
    }

    fn put(
        &mut self,
        row: usize,
        col: usize,
        digit: char,
    ) -> Result<(i64, String), (InvalidReason, String)> {
        let name = format!("{}{}", ROWS[row], col + 1);
        let held = self.cells[row][col];
        if self.clues[row][col] != '.' {
            let words = format!("{name} is a clue and cannot be changed.");
            return Err((InvalidReason::ClueCell, words));
        }
        if digit == '0' {
            if held == '.' {
                let words = format!("{name} is empty: there is nothing to clear.");
                return Err((InvalidReason::CellEmpty, words));
            }
            self.cells[row][col] = '.';
            self.cleared += 1;
            let left = 81 - self.filled();
            let words = format!("↩️ Backtrack: {name} cleared. {left} cells remaining.");
            return Ok((-100_000, words));
        }
        if held == digit {
            let words = format!("{name} already holds {digit}.");
            return Err((InvalidReason::SameDigit, words));
        }
        let rivals = self.rivals(row, col, digit);
        self.cells[row][col] = digit;
        if !rivals.is_empty() {
            let words = format!(
                "{digit} in {name} conflicts with {}. It stays on the board: clear it with \
                 <move>{name}=0</move> or write another digit over it.",
                rivals.join(", ")
            );
            return Err((InvalidReason::Conflict, words));
        }
        let reward = if self.paid[row][col] { 0 } else { 100_000 };
        self.paid[row][col] = true;
        self.earned += reward;
        let left = 81 - self.filled();
        Ok((reward, format!("✅ Valid move! {left} cells remaining.")))
    }

    /// Cells that hold `digit` in a unit of the cell, each with the units they share.
    fn rivals(&self, row: usize, col: usize, digit: char) -> Vec<String> {
        let mut rivals = Vec::new();
        for (r, cells) in self.cells.iter().enumerate() {
            for (c, &cell) in cells.iter().enumerate() {
                if cell != digit || (r, c) == (row, col) {
                    continue;
                }
                let mut shared = Vec::new();
                if r == row {
                    shared.push(format!("row {}", ROWS[r]));
                }
                if c == col {
                    shared.push(format!("column {}", c + 1));
                }
                if (r / 3, c / 3) == (row / 3, col / 3) {
                    shared.push(format!("box {}", r / 3 * 3 + c / 3 + 1));
                }
                if !shared.is_empty() {
                    rivals.push(format!("{}{} ({})", ROWS[r], c + 1, shared.join(", ")));
                }
            }
        }
        rivals
    }

    fn drawing(&self) -> String {
        let mut lines = vec!["  1 2 3 | 4 5 6 | 7 8 9".to_owned()];
        for (row, cells) in self.cells.iter().enumerate() {
            let [a, b, c, d, e, f, g, h, i] = cells;
            let name = ROWS[row];
            lines.push(format!("{name} {a} {b} {c} | {d} {e} {f} | {g} {h} {i}"));
            if row == 2 || row == 5 {
                lines.push("  ------+-------+------".to_owned());
            }
        }
        lines.join("\n")
    }

    fn prompt(&self) -> String {
        let rules = [
            "- Fill each empty cell (.) with a number from 1-9",
            "- Each row must contain all numbers 1-9 exactly once",
            "- Each column must contain all numbers 1-9 exactly once  ",
            "- Each 3x3 box must contain all numbers 1-9 exactly once",
        ];
        [
            "Sudoku Puzzle:",
            &self.drawing(),
            &format!("Rules:\n{}", rules.join("\n")),
            "Make one move at a time using the format: <move>A1=5</move>",
        ]
        .join("\n\n")
    }

    fn reply(&self, words: &str) -> String {
        let filled = self.filled();
        // Per mille of 81 cells, to the nearest: half a cell's share is never met.
        let share = (filled * 2000 / 81 + 1) / 2;
        let last = if self.solved() {
            format!("🎉 Puzzle solved in {} turns!", self.turn)
        } else if filled == 81 {
            format!(
                "🏁 The board is full but breaks the rules: {} constraint violations. The game is over.",
                self.repeated()
            )
        } else if self.turn == self.limit {
            format!("⏰ All {} turns are used up. The game is over.", self.limit)
        } else {
            "What's your next move?".to_owned()
        };
        format!(
            "{words}\n\nCurrent Board:\n{}\n\nProgress: {filled}/81 cells filled ({}.{}%)\nTurn: {}/{}\n\n{last}",
            self.drawing(),
            share / 10,
            share % 10,
            self.turn,
            self.limit
        )
    }

    fn score(&self, claim: &Score) -> Result<Score, Refusal> {
        let empty = self.clues.iter().flatten().filter(|&&c| c == '.').count() as i64;
        let own = empty - (81 - self.filled());
        let full = self.filled() == 81;
        let solved = self.solved();
        let mut rows = [
            ("valid_moves", claim.valid_moves, self.earned),
            ("backtracks", claim.backtracks, -100_000 * self.cleared),
            (
                "invalid_moves",
                claim.invalid_moves,
                -200_000 * self.invalid,
            ),
            ("solved", claim.solved, if solved { 5_000_000 } else { 0 }),
            (
                "efficiency",
                claim.efficiency,
                if solved {
                    (self.limit - self.turn) * 1_000_000 / self.limit
                } else {
                    0
                },
            ),
            ("complete", claim.complete, if full { 1_000_000 } else { 0 }),
            ("partial", claim.partial, 2_000_000 * own / empty),
            ("violations", claim.violations, -100_000 * self.repeated()),
            ("solved_floor", claim.solved_floor, 0),
            ("total", claim.total, 0),
        ];
        let sum: i64 = rows.iter().map(|row| row.2).sum();
        rows[8].2 = if solved { (9_200_000 - sum).max(0) } else { 0 };
        rows[9].2 = sum + rows[8].2;
        same_score(&rows)?;
        let [
            valid_moves,
            backtracks,
            invalid_moves,
            solved,
            efficiency,
            complete,
            partial,
            violations,
            solved_floor,
            total,
        ] = rows.map(|row| points(row.2));
        Ok(Score {
            valid_moves,
            backtracks,
            invalid_moves,
            solved,
            efficiency,
            complete,
            partial,
            violations,
            solved_floor,
            total,
        })
    }
}
