//! The game's own rules.

use crate::Failure;

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Left,
    Up,
    Right,
    Down,
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [Self::Left, Self::Up, Self::Right, Self::Down];

    pub(crate) fn letter(self) -> char {
        self.word()[..1].to_ascii_uppercase().remove(0)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
        }
    }
}

/// A board of characters, as in the level's file.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) rows: Vec<Vec<char>>,
    pub(crate) width: usize,
    pub(crate) player: (usize, usize),
    pub(crate) history: Vec<Way>,
    pub(crate) pushes: usize,
}

impl Board {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut board = Self {
            rows,
            width,
            player: (0, 0),
            history: Vec::new(),
            pushes: 0,
        };
        for (y, row) in board.rows.iter_mut().enumerate() {
            row.resize(width, ' ');
            for (x, square) in row.iter_mut().enumerate() {
                if matches!(square, '@' | '+') {
                    board.player = (x, y);
                    *square = if *square == '+' { '.' } else { ' ' };
                }
            }
        }
        if board.player == (0, 0) {
            return Err("the level has no player".into());
        }
        Ok(board)
    }

    pub(crate) fn is_solved(&self) -> bool {
        !self.rows.iter().flatten().any(|&square| square == '$')
    }

    /// Boxes on goals and goals.
    pub(crate) fn score(&self) -> (usize, usize) {
        let squares = || self.rows.iter().flatten();
        (
            squares().filter(|&&square| square == '*').count(),
            squares()
                .filter(|&&square| matches!(square, '*' | '.'))
                .count(),
        )
    }

    fn toward(&self, (x, y): (usize, usize), way: Way) -> Option<(usize, usize)> {
        let (x, y) = match way {
            Way::Left => (x.checked_sub(1)?, y),
            Way::Up => (x, y.checked_sub(1)?),
            Way::Right => (x + 1, y),
            Way::Down => (x, y + 1),
        };
        (self.rows.get(y)?.get(x)? != &'#').then_some((x, y))
    }

    fn is_box(&self, (x, y): (usize, usize)) -> bool {
        matches!(self.rows[y][x], '$' | '*')
    }

    pub(crate) fn can_step(&self, way: Way) -> bool {
        let Some(next) = self.toward(self.player, way) else {
            return false;
        };
        let beyond = self.toward(next, way);
        !self.is_box(next) || beyond.is_some_and(|beyond| !self.is_box(beyond))
    }

    /// Takes a step. Says whether it pushed a box, or nothing if it is impossible.
    pub(crate) fn step(&mut self, way: Way) -> Option<bool> {
        if !self.can_step(way) {
            return None;
        }
        let next = self.toward(self.player, way)?;
        let pushed = self.is_box(next);
        if pushed {
            let beyond = self.toward(next, way)?;
            let here = &mut self.rows[next.1][next.0];
            *here = if *here == '*' { '.' } else { ' ' };
            let there = &mut self.rows[beyond.1][beyond.0];
            *there = if *there == '.' { '*' } else { '$' };
            self.pushes += 1;
        }
        self.player = next;
        self.history.push(way);
        Some(pushed)
    }
}
