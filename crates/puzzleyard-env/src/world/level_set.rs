//! Levels, ready to be played.

use puzzleyard_core::{Area, Cell, ContentId};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Faults, Level, Waivers, grid};

/// Levels as boards of codes, all padded with walls to one size.
///
/// A level's id is the hash of its canonical XSB ([`Level::id`]); the set's id is the hash of
/// the 32-byte ids one after the other. Titles are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSet {
    area: Area,
    cells: Vec<u8>,
    entries: Vec<Entry>,
    ids: Vec<ContentId>,
    id: ContentId,
    parts: Vec<u64>,
}

/// What is known of a level beside its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The player's square.
    pub(super) player: u16,
    /// Boxes that stand on no goal.
    pub(super) off: u16,
    /// The level's own size.
    pub(super) area: Area,
}

/// Why there is no such set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelSetError {
    /// There is no level.
    #[error("no level to play, wanted at least one")]
    Empty,
    /// The text is no level file.
    #[error(transparent)]
    Format(#[from] format::FormatError),
    /// A level is not legal.
    #[error("level {number}: {faults}")]
    Faults {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        faults: Faults,
    },
    /// A level does not fit.
    #[error(
        "level {number} has {rows} rows and {cols} columns, wanted at most {most_rows} and {most_cols}"
    )]
    TooLarge {
        /// Which, from 1.
        number: usize,
        /// Its rows.
        rows: u16,
        /// Its columns.
        cols: u16,
        /// Rows there are.
        most_rows: u16,
        /// Columns there are.
        most_cols: u16,
    },
    /// A level on which nothing, or something else than every box, has to be brought to a goal.
    #[error(
        "level {number} has {boxes} boxes and {goals} goals, wanted as many, and one off its goal"
    )]
    NotPlayable {
        /// Which, from 1.
        number: usize,
        /// Boxes.
        boxes: usize,
        /// Goals.
        goals: usize,
    },
    /// Boards of codes that are none.
    #[error("board {number}: {why}")]
    Board {
        /// Which, from 1.
        number: usize,
        /// What was found.
        why: &'static str,
    },
}

impl LevelSet {
    /// These levels, padded to the rows of the highest and the columns of the widest.
    ///
    /// # Errors
    /// If there are none, or one cannot be played.
    pub fn new(levels: &[Level]) -> Result<Self, LevelSetError> {
        let most = |side: fn(Area) -> u16| levels.iter().map(|level| side(level.area())).max();
        let area = Area::new(
            most(Area::height).unwrap_or(0),
            most(Area::width).unwrap_or(0),
        );
        Self::padded(levels, area)
    }

    /// These levels, padded to `area`.
    ///
    /// # Errors
    /// If there are none, one cannot be played, or one does not fit.
    pub fn padded(levels: &[Level], area: Area) -> Result<Self, LevelSetError> {
        let mut cells = Vec::with_capacity(levels.len() * area.len());
        let mut entries = Vec::with_capacity(levels.len());
        let mut ids = Vec::with_capacity(levels.len());
        for (level, number) in levels.iter().zip(1..) {
            let own = level.area();
            let (boxes, goals) = (level.start().boxes.len(), level.goals().len());
            let off = boxes - level.boxes_on_goals(level.start());
            if boxes != goals || off == 0 {
                return Err(LevelSetError::NotPlayable {
                    number,
                    boxes,
                    goals,
                });
            }
            let (board, player) =
                grid::encode(level, level.start(), area).ok_or(LevelSetError::TooLarge {
                    number,
                    rows: own.height(),
                    cols: own.width(),
                    most_rows: area.height(),
                    most_cols: area.width(),
                })?;
            cells.extend(board);
            entries.push(Entry {
                player,
                off: off as u16,
                area: own,
            });
            ids.push(level.id());
        }
        Self::of_parts(area, cells, entries, ids)
    }

    /// The levels of a text in XSB, which must all be legal. Boxes on goals, and walls, that no
    /// walk reaches are scenery.
    ///
    /// # Errors
    /// If the text is none, or a level cannot be played.
    pub fn from_xsb(text: &str) -> Result<Self, LevelSetError> {
        Self::from_setups(&format::xsb::read(text)?.setups)
    }

    /// The levels of these setups, which must all be legal.
    ///
    /// # Errors
    /// If there are none, or one cannot be played.
    pub fn from_setups(setups: &[Setup]) -> Result<Self, LevelSetError> {
        let levels: Result<Vec<Level>, LevelSetError> = setups
            .iter()
            .zip(1..)
            .map(|(setup, number)| {
                Level::from_setup(setup, &Waivers::none())
                    .map_err(|faults| LevelSetError::Faults { number, faults })
            })
            .collect();
        Self::new(&levels?)
    }

    /// Boards of codes, one after the other, each of all of `area`, with the ids of their levels.
    /// For readers of large sets: legality is checked as far as play stays inside the board. The
    /// edge of every board must be wall, one player and as many boxes as goals stand on it, and
    /// a box is off its goal.
    ///
    /// # Errors
    /// The first board that is not so, or that there are none.
    pub fn from_boards(
        area: Area,
        cells: Vec<u8>,
        ids: Vec<ContentId>,
    ) -> Result<Self, LevelSetError> {
        if area.is_empty() || area.len() > 65_535 || cells.len() != ids.len() * area.len() {
            let why = "the boards and ids do not come to the same number";
            return Err(LevelSetError::Board { number: 1, why });
        }
        let stride = usize::from(area.width());
        let mut entries = Vec::with_capacity(ids.len());
        for (board, number) in cells.chunks_exact(area.len()).zip(1..) {
            let entry =
                survey(board, stride).map_err(|why| LevelSetError::Board { number, why })?;
            entries.push(Entry { area, ..entry });
        }
        Self::of_parts(area, cells, entries, ids)
    }

    fn of_parts(
        area: Area,
        cells: Vec<u8>,
        entries: Vec<Entry>,
        ids: Vec<ContentId>,
    ) -> Result<Self, LevelSetError> {
        if entries.is_empty() {
            return Err(LevelSetError::Empty);
        }
        let all: Vec<u8> = ids.iter().flat_map(|id| *id.bytes()).collect();
        Ok(Self {
            area,
            cells,
            entries,
            id: ContentId::of(&all),
            parts: vec![ids.len() as u64],
            ids,
        })
    }

    /// Sets one after the other, padded to one size. Each stays a part, which a schedule can
    /// give a weight.
    ///
    /// # Errors
    /// If there are none.
    pub fn join(sets: &[Self]) -> Result<Self, LevelSetError> {
        let most = |side: fn(Area) -> u16| sets.iter().map(|set| side(set.area)).max();
        let area = Area::new(
            most(Area::height).unwrap_or(0),
            most(Area::width).unwrap_or(0),
        );
        let (mut cells, mut entries, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        for set in sets {
            for (board, entry) in set.cells.chunks_exact(set.area.len()).zip(&set.entries) {
                let first = cells.len();
                cells.resize(first + area.len(), grid::WALL);
                let padded = &mut cells[first..];
                let (from, to) = (usize::from(set.area.width()), usize::from(area.width()));
                for (row, squares) in board.chunks_exact(from).enumerate() {
                    padded[row * to..row * to + from].copy_from_slice(squares);
                }
                let player = set.area.cell(usize::from(entry.player));
                entries.push(Entry {
                    player: area.index(player) as u16,
                    ..*entry
                });
            }
            ids.extend(&set.ids);
        }
        let mut joined = Self::of_parts(area, cells, entries, ids)?;
        joined.parts = sets.iter().flat_map(|set| &set.parts).copied().collect();
        Ok(joined)
    }

    /// How many levels each part has: one part, unless the set was joined.
    pub fn parts(&self) -> &[u64] {
        &self.parts
    }

    /// How many levels there are, at least one.
    pub fn count(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The size that all are padded to.
    pub fn area(&self) -> Area {
        self.area
    }

    /// The sizes that levels have before they are padded, each once.
    pub(super) fn areas(&self) -> Vec<Area> {
        let mut areas: Vec<Area> = Vec::new();
        for entry in &self.entries {
            if areas.last() != Some(&entry.area) && !areas.contains(&entry.area) {
                areas.push(entry.area);
            }
        }
        areas
    }

    /// The set's id.
    pub fn id(&self) -> ContentId {
        self.id
    }

    /// The id of a level, from 0; `None` if there is no such level.
    pub fn level_id(&self, level: u64) -> Option<ContentId> {
        self.ids.get(usize::try_from(level).ok()?).copied()
    }

    /// The board of a level as a setup, in its own size; `None` if there is no such level.
    pub fn setup(&self, level: u64) -> Option<Setup> {
        let entry = self.entry(level)?;
        Some(setup(self.board(level)?, self.area, entry.area))
    }

    pub(super) fn entry(&self, level: u64) -> Option<Entry> {
        self.entries.get(usize::try_from(level).ok()?).copied()
    }

    /// The codes of a level, all of [`LevelSet::area`].
    pub fn board(&self, level: u64) -> Option<&[u8]> {
        let first = usize::try_from(level).ok()?.checked_mul(self.area.len())?;
        self.cells.get(first..first + self.area.len())
    }
}

/// The setup of the upper left part of a board of codes.
pub(super) fn setup(cells: &[u8], area: Area, own: Area) -> Setup {
    let square = |row: u16, col: u16| {
        let code = cells[area.index(Cell::new(row, col))];
        Square {
            wall: code == grid::WALL,
            goal: code != grid::WALL && code & grid::GOAL != 0,
            crate_box: code != grid::WALL && code & grid::BOX != 0,
            player: code != grid::WALL && code & grid::PLAYER != 0,
        }
    };
    let rows: Vec<Vec<Square>> = (0..own.height())
        .map(|row| (0..own.width()).map(|col| square(row, col)).collect())
        .collect();
    Setup::from_rows(&rows)
}

/// Checks a board of codes, and finds its player and its boxes off goals.
fn survey(board: &[u8], stride: usize) -> Result<Entry, &'static str> {
    let last = board.len() - stride;
    let (mut player, mut players) = (0, 0u32);
    let (mut boxes, mut goals, mut done) = (0u32, 0u32, 0u32);
    for (at, &code) in board.iter().enumerate() {
        if code == grid::WALL {
            continue;
        }
        if code >= grid::CODES {
            return Err("a code over 6");
        }
        if at < stride || at >= last || at % stride == 0 || at % stride == stride - 1 {
            return Err("no wall at the edge");
        }
        let (goal, crate_box) = (code & grid::GOAL != 0, code & grid::BOX != 0);
        goals += u32::from(goal);
        boxes += u32::from(crate_box);
        done += u32::from(goal && crate_box);
        if code & grid::PLAYER != 0 {
            players += 1;
            player = at;
        }
    }
    if players != 1 {
        return Err("no player, or several");
    }
    if boxes != goals || done == boxes {
        return Err("as many boxes as goals, and one off its goal, are wanted");
    }
    Ok(Entry {
        player: player as u16,
        off: (boxes - done) as u16,
        area: Area::new(0, 0),
    })
}
