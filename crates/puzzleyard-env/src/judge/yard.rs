//! The judge's Sokoban board: rows of characters and what a step does to them.

use crate::sokoban::InvalidReason;

/// Rows of `# @ + $ * .` and space, all of one width.
pub(super) struct Yard {
    rows: Vec<Vec<char>>,
    player: (usize, usize),
}

impl Yard {
    /// Reads a board.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        if text.len() > 65_536 {
            return Err("the level is longer than 65536 bytes");
        }
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.trim_end_matches(' '))
            .collect();
        let width = lines.iter().map(|line| line.len()).max().unwrap_or(0);
        if lines.len() > 50 || width > 50 {
            return Err("the board has more than 50 rows or columns");
        }
        if !text.chars().all(|c| "#@+$*. \n".contains(c)) {
            return Err("the level holds something else than # @ + $ * . and space");
        }
        let rows: Vec<Vec<char>> = lines
            .iter()
            .map(|line| format!("{line:width$}").chars().collect())
            .collect();
        let mut yard = Self {
            rows,
            player: (0, 0),
        };
        let players = yard.squares("@+");
        let [player] = players[..] else {
            return Err("the board has not one player");
        };
        yard.player = player;
        if yard.squares("$*").len() != yard.squares(".+*").len() {
            return Err("boxes and goals differ in number");
        }
        if yard.squares("$").is_empty() {
            return Err("there is nothing to do");
        }
        Ok(yard)
    }

    /// The squares that show one of `glyphs`, in reading order.
    pub(super) fn squares(&self, glyphs: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (row, line) in self.rows.iter().enumerate() {
            let here = line
                .iter()
                .enumerate()
                .filter(|(_, c)| glyphs.contains(**c));
            found.extend(here.map(|(col, _)| (row, col)));
        }
        found
    }

    /// The board as text, without line end.
    pub(super) fn text(&self) -> String {
        let lines: Vec<String> = self
            .rows
            .iter()
            .map(|row| row.iter().collect::<String>().trim_end().to_owned())
            .collect();
        lines.join("\n").trim_end_matches('\n').to_owned()
    }

    /// The board as lists of squares.
    pub(super) fn lists(&self, with_walls: bool) -> String {
        let list = |glyphs: &str| {
            let squares = self.squares(glyphs).into_iter();
            let places: Vec<String> = squares.map(place).collect();
            places.join(" ")
        };
        let mut text = String::new();
        if with_walls {
            let cols = self.rows.first().map_or(0, Vec::len);
            text = format!(
                "Size: {} rows, {cols} columns\nWalls: {}\n",
                self.rows.len(),
                list("#")
            );
        }
        text + &format!(
            "Goals: {}\nBoxes: {}\nPlayer: {}",
            list(".+*"),
            list("$*"),
            list("@+")
        )
    }

    fn at(&self, (row, col): (usize, usize)) -> char {
        let line = self.rows.get(row);
        line.and_then(|line| line.get(col)).copied().unwrap_or('#')
    }

    fn put(&mut self, (row, col): (usize, usize), plain: char, on_goal: char) {
        let goal = ".+*".contains(self.at((row, col)));
        if let Some(square) = self.rows.get_mut(row).and_then(|line| line.get_mut(col)) {
            *square = if goal { on_goal } else { plain };
        }
    }

    /// Makes a step; says whether it pushed. With `case_matters`, capitals must push.
    pub(super) fn step(&mut self, letter: char, case_matters: bool) -> Result<bool, InvalidReason> {
        let from = self.player;
        let to = beside(from, letter);
        let pushes = "$*".contains(self.at(to));
        if self.at(to) == '#' {
            return Err(InvalidReason::Wall);
        }
        let behind = beside(to, letter);
        if pushes && self.at(behind) == '#' {
            return Err(InvalidReason::BoxAgainstWall);
        }
        if pushes && "$*".contains(self.at(behind)) {
            return Err(InvalidReason::BoxAgainstBox);
        }
        if case_matters && pushes != "UDLR".contains(letter) {
            return Err(InvalidReason::WrongCase);
        }
        if pushes {
            self.put(behind, '$', '*');
        }
        self.put(to, '@', '+');
        self.put(from, ' ', '.');
        self.player = to;
        Ok(pushes)
    }

    /// How many squares the player could walk to without boxes.
    pub(super) fn room(&self) -> usize {
        self.walk(self.player, |_, to| self.at(to) != '#').len()
    }

    /// The first box that can never reach a goal: pushed alone it meets none, or it stands off
    /// a goal in a full block of four.
    pub(super) fn dead(&self) -> Option<(usize, usize)> {
        self.squares("$*").into_iter().find(|&cell| {
            let reached = self.walk(cell, |letter, to| {
                let (row, col) = to;
                // The player stood where the box would come from, one square further back.
                let back = match letter {
                    'u' => (row + 2, col),
                    'd' => (row.wrapping_sub(2), col),
                    'l' => (row, col + 2),
                    _ => (row, col.wrapping_sub(2)),
                };
                self.at(to) != '#' && self.at(back) != '#'
            });
            if !reached
                .iter()
                .any(|&square| ".+*".contains(self.at(square)))
            {
                return true;
            }
            let (row, col) = cell;
            self.at(cell) == '$'
                && [(0, 0), (0, 1), (1, 0), (1, 1)].iter().any(|(up, left)| {
                    let (top, first) = (row.wrapping_sub(*up), col.wrapping_sub(*left));
                    let block = [(0, 0), (0, 1), (1, 0), (1, 1)];
                    block.iter().all(|(down, right)| {
                        let square = (top.wrapping_add(*down), first.wrapping_add(*right));
                        "#$*".contains(self.at(square))
                    })
                })
        })
    }

    /// All squares reached from `start` by steps that `may` allows, told the letter and the
    /// square it leads to.
    fn walk(
        &self,
        start: (usize, usize),
        may: impl Fn(char, (usize, usize)) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut seen: Vec<Vec<bool>> = self.rows.iter().map(|row| vec![false; row.len()]).collect();
        let mut reached = vec![start];
        seen[start.0][start.1] = true;
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            for letter in ['u', 'd', 'l', 'r'] {
                let to = beside(from, letter);
                if may(letter, to)
                    && let Some(seen) = seen.get_mut(to.0).and_then(|row| row.get_mut(to.1))
                    && !*seen
                {
                    *seen = true;
                    reached.push(to);
                }
            }
        }
        reached
    }
}

/// The square beside another. What lies before the first row or column is far off the board.
fn beside((row, col): (usize, usize), letter: char) -> (usize, usize) {
    match letter {
        'u' | 'U' => (row.wrapping_sub(1), col),
        'd' | 'D' => (row.wrapping_add(1), col),
        'l' | 'L' => (row, col.wrapping_sub(1)),
        _ => (row, col.wrapping_add(1)),
    }
}

/// `(row,column)` from 1.
pub(super) fn place((row, col): (usize, usize)) -> String {
    format!("({},{})", row + 1, col + 1)
}
