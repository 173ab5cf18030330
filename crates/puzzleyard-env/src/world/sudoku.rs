//! Sudoku, a digit at a time.

use std::str::FromStr;

use puzzleyard_sudoku::rules;
use serde::{Deserialize, Serialize};

use super::puzzle_set::PuzzleSet;
use super::reward::RewardsError;
use super::saved::{Board, Saved, SavedError};
use super::schedule::{Order, Schedule};
use super::settings::{MAX_STEPS, SettingsError};
use super::{Outcome, Shape, StartError, World};

const CELLS: usize = 81;
const ACTIONS: usize = 729;

/// What an observation of a Sudoku is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SudokuObservation {
    /// One digit a cell, 0 for empty: `(9, 9)`, 0 to 9.
    #[default]
    Cells,
    /// One plane a digit: `(9, 9, 9)`, digit first, 0 or 1.
    Planes,
    /// A picture, `(9 · tile, 9 · tile, 3)`, 0 to 255.
    Rgb,
}

/// What is paid for what.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SudokuRewards {
    /// Every step.
    pub step: f64,
    /// All cells that are filled, in equal shares: filling one of `n` empty cells earns `1/n`
    /// of it.
    pub filled: f64,
    /// A step that is refused.
    pub refused: f64,
    /// The step that solves the puzzle.
    pub solved: f64,
    /// The first digit that the one solution does not have.
    pub dead: f64,
    /// Whether such a digit ends the episode.
    pub dead_ends: bool,
}

impl SudokuRewards {
    /// 1 for solving, nothing else.
    pub const SPARSE: Self = Self {
        step: 0.0,
        filled: 0.0,
        refused: 0.0,
        solved: 1.0,
        dead: 0.0,
        dead_ends: false,
    };

    /// 1 for filling the cells, in shares, and 1 for solving. Digits cannot be taken back, so an
    /// unsolved episode earns less than 1 and a solved one 2.
    pub const DENSE: Self = Self {
        filled: 1.0,
        ..Self::SPARSE
    };

    /// The names of the schemes, in this order.
    pub const NAMES: [&str; 2] = ["sparse", "dense"];
}

impl Default for SudokuRewards {
    fn default() -> Self {
        Self::SPARSE
    }
}

impl FromStr for SudokuRewards {
    type Err = RewardsError;

    fn from_str(name: &str) -> Result<Self, RewardsError> {
        match name {
            "sparse" => Ok(Self::SPARSE),
            "dense" => Ok(Self::DENSE),
            _ => Err(RewardsError::Scheme {
                found: name.chars().take(40).collect(),
                wanted: "sparse or dense",
            }),
        }
    }
}

/// How Sudoku is shown and paid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SudokuSettings {
    /// What an observation is made of.
    pub observation: SudokuObservation,
    /// The side of a cell in pixels, for [`SudokuObservation::Rgb`]: 8 to 64.
    pub tile: u8,
    /// What is paid for what.
    pub rewards: SudokuRewards,
    /// How many steps an episode has at most: 1 to a million.
    pub max_steps: u32,
    /// In which order puzzles are met.
    pub order: Order,
}

impl Default for SudokuSettings {
    fn default() -> Self {
        Self {
            observation: SudokuObservation::Cells,
            tile: 16,
            rewards: SudokuRewards::SPARSE,
            max_steps: 200,
            order: Order::Random,
        }
    }
}

/// Sudoku with these puzzles, shown and paid in this way.
///
/// Action `9 · cell + digit − 1` writes a digit, 1 to 9, into a cell, 0 to 80 row by row. It is
/// refused, changes nothing and counts if the cell is not empty or the digit stands in its row,
/// column or box. Digits are not taken back. The episode terminates when the grid is full, and
/// also when no digit can be written anywhere.
#[derive(Clone, Debug)]
pub struct Sudoku {
    puzzles: PuzzleSet,
    schedule: Schedule,
    settings: SudokuSettings,
}

/// Episodes of [`Sudoku`], one array a quantity.
#[derive(Clone, Debug, Default)]
pub struct SudokuLanes {
    cells: Vec<[u8; CELLS]>,
    /// 1 for every digit that can be written.
    mask: Vec<[i8; ACTIONS]>,
    /// How many can.
    open: Vec<u16>,
    empty: Vec<u8>,
    dead: Vec<bool>,
    steps: Vec<u32>,
    level: Vec<u64>,
    seed: Vec<u64>,
    episode: Vec<u64>,
}

/// The twenty cells that share a row, a column or a box with each cell.
const PEERS: [[u8; 20]; CELLS] = peers();

const fn peers() -> [[u8; 20]; CELLS] {
    let mut table = [[0; 20]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut other, mut found) = (0, 0);
        while other < CELLS {
            if rules::sees(cell, other) {
                table[cell][found] = other as u8;
                found += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    table
}

/// Takes out of `mask` what `digit` in `cell` rules out. Gives how many digits that were.
#[inline]
fn strike(mask: &mut [i8; ACTIONS], cell: usize, digit: usize) -> u16 {
    let mut struck = 0;
    for entry in &mut mask[cell * 9..][..9] {
        struck += i16::from(*entry);
        *entry = 0;
    }
    for &peer in &PEERS[cell] {
        let entry = &mut mask[usize::from(peer) * 9 + digit - 1];
        struck += i16::from(*entry);
        *entry = 0;
    }
    struck as u16
}

impl Sudoku {
    /// A world of these puzzles.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(puzzles: PuzzleSet, settings: SudokuSettings) -> Result<Self, SettingsError> {
        if !(8..=64).contains(&settings.tile) {
            return Err(SettingsError::Cell {
                found: settings.tile,
            });
        }
        if !(1..=MAX_STEPS).contains(&settings.max_steps) {
            return Err(SettingsError::Steps {
                found: settings.max_steps,
            });
        }
        let rewards = &settings.rewards;
        let numbers = [
            ("step", rewards.step),
            ("filled", rewards.filled),
            ("refused", rewards.refused),
            ("solved", rewards.solved),
            ("dead", rewards.dead),
        ];
        if let Some((field, found)) = numbers.into_iter().find(|(_, found)| !found.is_finite()) {
            return Err(RewardsError::NotFinite { field, found }.into());
        }
        let schedule = Schedule::new(settings.order, &[puzzles.count()], &[])?;
        Ok(Self {
            puzzles,
            schedule,
            settings,
        })
    }

    /// The puzzles.
    pub fn puzzles(&self) -> &PuzzleSet {
        &self.puzzles
    }

    /// The settings.
    pub fn settings(&self) -> &SudokuSettings {
        &self.settings
    }

    /// The grid of a lane, 0 for an empty cell.
    pub fn grid<'a>(&self, lanes: &'a SudokuLanes, at: usize) -> &'a [u8; CELLS] {
        &lanes.cells[at]
    }

    /// Whether a digit of a lane is none of the one solution, so that it cannot be solved.
    pub fn is_dead(&self, lanes: &SudokuLanes, at: usize) -> bool {
        let wrong = |(_, solution): (_, &puzzleyard_sudoku::Grid)| {
            let pairs = lanes.cells[at].iter().zip(solution.digits());
            pairs
                .into_iter()
                .any(|(&digit, &right)| digit != 0 && digit != right)
        };
        self.puzzles.puzzle(lanes.level[at]).is_some_and(wrong)
    }

    /// Fills a lane with a grid.
    fn put(lanes: &mut SudokuLanes, at: usize, digits: &[u8; CELLS]) {
        lanes.cells[at] = *digits;
        let mask = &mut lanes.mask[at];
        mask.fill(1);
        let (mut open, mut empty) = (ACTIONS as u16, 0);
        for (cell, &digit) in digits.iter().enumerate() {
            if digit == 0 {
                empty += 1;
            } else {
                open -= strike(mask, cell, usize::from(digit));
            }
        }
        lanes.open[at] = open;
        lanes.empty[at] = empty;
        lanes.dead[at] = false;
    }

    fn share(&self, level: u64) -> f64 {
        let puzzle = self.puzzles.puzzle(level);
        let empty = puzzle.map_or(1, |(grid, _)| 81 - grid.clues());
        self.settings.rewards.filled / empty as f64
    }
}

impl World for Sudoku {
    type Lanes = SudokuLanes;

    fn actions(&self) -> u32 {
        ACTIONS as u32
    }

    fn shape(&self) -> Shape {
        let side = 9 * usize::from(self.settings.tile);
        let (axes, most) = match self.settings.observation {
            SudokuObservation::Cells => (vec![9, 9], 9),
            SudokuObservation::Planes => (vec![9, 9, 9], 1),
            SudokuObservation::Rgb => (vec![side, side, 3], 255),
        };
        Shape { axes, most }
    }

    fn max_steps(&self) -> u32 {
        self.settings.max_steps
    }

    fn lanes(&self, count: usize) -> SudokuLanes {
        SudokuLanes {
            cells: vec![[0; CELLS]; count],
            mask: vec![[0; ACTIONS]; count],
            open: vec![0; count],
            empty: vec![0; count],
            dead: vec![false; count],
            steps: vec![0; count],
            level: vec![0; count],
            seed: vec![0; count],
            episode: vec![0; count],
        }
    }

    fn start(
        &self,
        lanes: &mut SudokuLanes,
        at: usize,
        seed: u64,
        episode: u64,
        stride: u64,
    ) -> Result<(), StartError> {
        let level = self.schedule.level(seed, episode, stride);
        self.start_on(lanes, at, seed, episode, level)
    }

    fn start_on(
        &self,
        lanes: &mut SudokuLanes,
        at: usize,
        seed: u64,
        episode: u64,
        level: u64,
    ) -> Result<(), StartError> {
        let (grid, _) = self.puzzles.puzzle(level).ok_or(StartError::NoSuchLevel {
            found: level,
            count: self.puzzles.count(),
        })?;
        Self::put(lanes, at, grid.digits());
        lanes.level[at] = level;
        lanes.seed[at] = seed;
        lanes.episode[at] = episode;
        lanes.steps[at] = 0;
        Ok(())
    }

    #[inline]
    fn act(&self, lanes: &mut SudokuLanes, at: usize, action: u32) -> Outcome {
        let rewards = &self.settings.rewards;
        let action = action as usize % ACTIONS;
        let (cell, digit) = (action / 9, action % 9 + 1);
        let mut outcome = Outcome {
            reward: rewards.step,
            ..Outcome::default()
        };
        lanes.steps[at] += 1;
        if lanes.mask[at][action] == 0 {
            outcome.reward += rewards.refused;
        } else {
            lanes.cells[at][cell] = digit as u8;
            lanes.empty[at] -= 1;
            lanes.open[at] -= strike(&mut lanes.mask[at], cell, digit);
            let level = lanes.level[at];
            if rewards.filled != 0.0 {
                outcome.reward += self.share(level);
            }
            let minded = rewards.dead != 0.0 || rewards.dead_ends;
            if minded && !lanes.dead[at] {
                let right = self.puzzles.puzzle(level).map_or(0, |(_, s)| s.digit(cell));
                if usize::from(right) != digit {
                    lanes.dead[at] = true;
                    outcome.reward += rewards.dead;
                    outcome.terminated = rewards.dead_ends;
                }
            }
            if lanes.empty[at] == 0 {
                outcome.reward += rewards.solved;
            }
            outcome.terminated |= lanes.open[at] == 0;
        }
        outcome.truncated = lanes.steps[at] >= self.settings.max_steps && !outcome.terminated;
        outcome
    }

    fn observe(&self, lanes: &SudokuLanes, at: usize, out: &mut [u8]) {
        let cells = &lanes.cells[at];
        match self.settings.observation {
            SudokuObservation::Cells => out.copy_from_slice(cells),
            SudokuObservation::Planes => {
                out.fill(0);
                for (cell, &digit) in cells.iter().enumerate() {
                    if digit != 0 {
                        out[(usize::from(digit) - 1) * CELLS + cell] = 1;
                    }
                }
            }
            SudokuObservation::Rgb => super::picture::sudoku(
                cells,
                self.puzzles
                    .puzzle(lanes.level[at])
                    .map(|(grid, _)| grid.digits()),
                self.settings.tile,
                out,
            ),
        }
    }

    fn observe_all(&self, lanes: &SudokuLanes, count: usize, out: &mut [u8]) {
        if self.settings.observation == SudokuObservation::Cells {
            out.copy_from_slice(lanes.cells[..count].as_flattened());
        } else {
            let bytes = self.shape().bytes();
            for (at, one) in out.chunks_exact_mut(bytes).take(count).enumerate() {
                self.observe(lanes, at, one);
            }
        }
    }

    fn mask(&self, lanes: &SudokuLanes, at: usize, out: &mut [i8]) {
        out.copy_from_slice(&lanes.mask[at]);
    }

    fn level(&self, lanes: &SudokuLanes, at: usize) -> u64 {
        lanes.level[at]
    }

    fn levels(&self, lanes: &SudokuLanes, out: &mut [i64]) {
        for (out, &level) in out.iter_mut().zip(&lanes.level) {
            *out = level as i64;
        }
    }

    fn place(&self, lanes: &SudokuLanes, at: usize) -> (u64, u64, u32) {
        (lanes.seed[at], lanes.episode[at], lanes.steps[at])
    }

    fn save(&self, lanes: &SudokuLanes, at: usize) -> Saved {
        Saved {
            source: mark(&self.puzzles),
            seed: lanes.seed[at],
            episode: lanes.episode[at],
            level: lanes.level[at],
            steps: lanes.steps[at],
            dead: lanes.dead[at],
            board: Board::new(&lanes.cells[at]),
        }
    }

    fn is_over(&self, lanes: &SudokuLanes, at: usize) -> bool {
        let dead = self.settings.rewards.dead_ends && lanes.dead[at];
        lanes.open[at] == 0 || lanes.steps[at] >= self.settings.max_steps || dead
    }

    fn restore(&self, lanes: &mut SudokuLanes, at: usize, saved: &Saved) -> Result<(), SavedError> {
        if saved.source != mark(&self.puzzles) {
            return Err(SavedError::Source);
        }
        if saved.steps > self.settings.max_steps {
            return Err(SavedError::Steps {
                found: saved.steps,
                most: self.settings.max_steps,
            });
        }
        let wrong = SavedError::Board { level: saved.level };
        let digits: &[u8; CELLS] = saved.board.cells().try_into().map_err(|_| wrong)?;
        let (puzzle, _) = self.puzzles.puzzle(saved.level).ok_or(wrong)?;
        let kept = puzzle
            .digits()
            .iter()
            .zip(digits)
            .all(|(&clue, &digit)| clue == 0 || clue == digit);
        let grid = puzzleyard_sudoku::Grid::from_digits(*digits).map_err(|_| wrong)?;
        if !kept || !rules::is_legal(&grid) {
            return Err(wrong);
        }
        Self::put(lanes, at, digits);
        lanes.dead[at] = saved.dead;
        lanes.level[at] = saved.level;
        lanes.seed[at] = saved.seed;
        lanes.episode[at] = saved.episode;
        lanes.steps[at] = saved.steps;
        Ok(())
    }
}

fn mark(puzzles: &PuzzleSet) -> u64 {
    let id = puzzles.id();
    id.bytes()[..8]
        .iter()
        .fold(0, |mark, &byte| mark << 8 | u64::from(byte))
}
