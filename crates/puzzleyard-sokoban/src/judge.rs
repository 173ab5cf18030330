//! The judge: replays an answer on the text of a level and says what came of it.
//!
//! A second, plain implementation of the game on rows of characters. It uses no other module
//! of this crate, so that a fault in the rules or in the search cannot hide in it too.
//!
//! ```
//! use puzzleyard_sokoban::judge::{judge, Ruling, Strictness};
//! let level = "#####\n#@$.#\n#####";
//! assert!(matches!(judge(level, "R", Strictness::Plain), Ruling::Solved { moves: 1, pushes: 1 }));
//! assert!(matches!(judge(level, "L", Strictness::Plain), Ruling::Impossible { step: 1, .. }));
//! ```

use std::fmt;

/// How the letters of an answer are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Letters of both cases mean the same.
    #[default]
    Plain,
    /// Capital letters must push and small ones must not.
    CaseMatters,
}

/// What the judge found. Steps are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ruling {
    /// The last step leaves every box on a goal.
    Solved {
        /// Steps, pushes among them.
        moves: usize,
        /// Pushes.
        pushes: usize,
    },
    /// Every step is possible, but boxes are left off their goals.
    Unfinished {
        /// Steps, pushes among them.
        moves: usize,
        /// Pushes.
        pushes: usize,
        /// Boxes on goals after the last step.
        on_goal: usize,
        /// Boxes in all.
        boxes: usize,
    },
    /// A step is impossible.
    Impossible {
        /// Which.
        step: usize,
        /// Why.
        why: String,
    },
    /// The board cannot be played at all.
    BadLevel {
        /// Why.
        why: String,
    },
}

impl Ruling {
    /// Whether the answer solves the level.
    pub fn is_solved(&self) -> bool {
        matches!(self, Self::Solved { .. })
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved { moves, pushes } => write!(f, "solved moves={moves} pushes={pushes}"),
            Self::Unfinished {
                moves,
                pushes,
                on_goal,
                boxes,
            } => write!(
                f,
                "not solved: after the last of {moves} moves ({pushes} pushes) {on_goal} of {boxes} boxes stand on goals"
            ),
            Self::Impossible { step, why } => write!(f, "failed at step {step}: {why}"),
            Self::BadLevel { why } => write!(f, "level cannot be played: {why}"),
        }
    }
}

/// The most cells of a board that is judged, with short rows filled up.
const MOST_CELLS: usize = 1 << 24;

/// The board as the judge sees it: one character a cell, short rows filled up with floor.
struct Board {
    rows: Vec<Vec<char>>,
}

impl Board {
    /// Floor at the end of a line is no part of the board unless a longer line needs it.
    fn read(text: &str) -> Result<Self, String> {
        let lines = || {
            text.lines()
                .map(|line| line.trim_end_matches([' ', '-', '_']))
        };
        let width = lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if width.saturating_mul(lines().count()) > MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} cells"));
        }
        let padded = |line: &str| {
            let row = line.chars().chain(std::iter::repeat(' '));
            row.take(width).collect()
        };
        Ok(Self {
            rows: lines().map(padded).collect(),
        })
    }

    fn at(&self, row: i64, col: i64) -> char {
        let (Ok(row), Ok(col)) = (usize::try_from(row), usize::try_from(col)) else {
            return '#';
        };
        // Beyond the board nothing can be walked on.
        *self
            .rows
            .get(row)
            .and_then(|line| line.get(col))
            .unwrap_or(&'#')
    }

    fn set(&mut self, row: i64, col: i64, glyph: char) {
        self.rows[row as usize][col as usize] = glyph;
    }

    /// Walls in place of everything that no walk from (`row`, `col`) can reach even with every
    /// box lifted off the board: what stands out there is scenery.
    fn clear_scenery(&mut self, row: i64, col: i64) {
        let mut reached: Vec<Vec<bool>> =
            self.rows.iter().map(|row| vec![false; row.len()]).collect();
        let mut stack = vec![(row, col)];
        while let Some((row, col)) = stack.pop() {
            if self.at(row, col) == '#' || reached[row as usize][col as usize] {
                continue;
            }
            reached[row as usize][col as usize] = true;
            stack.extend([
                (row - 1, col),
                (row + 1, col),
                (row, col - 1),
                (row, col + 1),
            ]);
        }
        for (row, reached) in self.rows.iter_mut().zip(reached) {
            for (glyph, reached) in row.iter_mut().zip(reached) {
                if !reached {
                    *glyph = '#';
                }
            }
        }
    }

    fn count(&self, glyphs: &str) -> usize {
        self.rows
            .iter()
            .flatten()
            .filter(|&&glyph| glyphs.contains(glyph))
            .count()
    }
}

/// Replays `answer` (letters `l u r d` of either case, white space ignored) on `board`, which
/// is rows of `# @ + $ * .` with space, `-` or `_` as floor.
///
/// The level counts as solved when no box is left off a goal, or no goal without a box. Boxes
/// and goals that the player could not reach even with every box lifted off the board are
/// scenery and do not count. A level without boxes is solved by the empty answer.
pub fn judge(board: &str, answer: &str, strictness: Strictness) -> Ruling {
    let read = Board::read(board).and_then(|board| find_player(&board).map(|at| (board, at)));
    let (mut board, mut player) = match read {
        Ok(read) => read,
        Err(why) => return Ruling::BadLevel { why },
    };
    board.clear_scenery(player.0, player.1);
    let (mut moves, mut pushes) = (0, 0);
    for letter in answer.chars().filter(|letter| !letter.is_whitespace()) {
        moves += 1;
        match step(&mut board, &mut player, letter, strictness) {
            Ok(pushed) => pushes += usize::from(pushed),
            Err(why) => return Ruling::Impossible { step: moves, why },
        }
    }
    let (loose, placed, open) = (board.count("$"), board.count("*"), board.count(".+"));
    if loose == 0 || open == 0 {
        return Ruling::Solved { moves, pushes };
    }
    Ruling::Unfinished {
        moves,
        pushes,
        on_goal: placed,
        boxes: loose + placed,
    }
}

/// Moves the player by one letter. Says whether a box was pushed, or why it cannot be.
fn step(
    board: &mut Board,
    player: &mut (i64, i64),
    letter: char,
    strictness: Strictness,
) -> Result<bool, String> {
    let (row, col) = *player;
    let (down, right) = match letter.to_ascii_lowercase() {
        'u' => (-1, 0),
        'd' => (1, 0),
        'l' => (0, -1),
        'r' => (0, 1),
        _ => return Err(format!("found {letter:?}, expected one of l, u, r, d")),
    };
    let target = board.at(row + down, col + right);
    let pushing = "$*".contains(target);
    if pushing {
        let beyond = board.at(row + 2 * down, col + 2 * right);
        if !" -_.".contains(beyond) {
            let what = if beyond == '#' {
                "a wall"
            } else {
                "another box"
            };
            return Err(format!("{letter} would push a box into {what}"));
        }
        let landed = if beyond == '.' { '*' } else { '$' };
        board.set(row + 2 * down, col + 2 * right, landed);
    } else if !" -_.".contains(target) {
        return Err(format!("{letter} would walk into a wall"));
    }
    if strictness == Strictness::CaseMatters && letter.is_ascii_uppercase() != pushing {
        let (says, does) = if pushing {
            ("a walk", "pushes")
        } else {
            ("a push", "walks")
        };
        return Err(format!("{letter} says {says} but the player {does}"));
    }
    let left = if board.at(row, col) == '+' { '.' } else { ' ' };
    board.set(row, col, left);
    let entered = if ".*".contains(target) { '+' } else { '@' };
    *player = (row + down, col + right);
    board.set(row + down, col + right, entered);
    Ok(pushing)
}

fn find_player(board: &Board) -> Result<(i64, i64), String> {
    let mut found = None;
    for (row, line) in board.rows.iter().enumerate() {
        for (col, &glyph) in line.iter().enumerate() {
            let place = format!("row {}, column {}", row + 1, col + 1);
            if !"#@+$*. -_".contains(glyph) {
                return Err(format!(
                    "{place}: found {glyph:?}, expected one of # @ + $ * . - _ or space"
                ));
            }
            if "@+".contains(glyph) && found.replace((row as i64, col as i64)).is_some() {
                return Err(format!("{place}: another player"));
            }
        }
    }
    found.ok_or_else(|| "no player".into())
}
