//! Legal levels, their states, and what a step does.

use puzzleyard_core::{Area, Cell, CellSet, ContentId, Direction};

use super::fault::{self, FaultKind, Faults, Waivers};
use crate::model::{Answer, Setup, Square, Step};

/// A legal level: walls, goals and a start state.
///
/// Two levels are equal if their boards are; titles and comments stay with the [`Setup`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    walls: CellSet,
    goals: CellSet,
    inside: CellSet,
    start: State,
    needed: usize,
}

/// Where the player and the boxes stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The player's cell.
    pub player: Cell,
    /// The cells of all boxes.
    pub boxes: CellSet,
}

/// Why a step is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// A wall, or the edge of the board, is in the way.
    #[error("a wall is in the way")]
    Wall,
    /// A box is in the way and a wall, or the edge, is behind it.
    #[error("the box in the way has a wall behind it")]
    BoxAgainstWall,
    /// A box is in the way and another is behind it.
    #[error("the box in the way has another box behind it")]
    BoxAgainstBox,
}

impl Level {
    /// The legal level of `setup`.
    ///
    /// Squares that the player can never reach are decoration: a box standing on its goal out
    /// there counts as wall, and so does any other box if that fault is waived.
    ///
    /// # Errors
    /// All faults that `waivers` does not cover. A setup without any floor for a player has no
    /// level, whatever is waived.
    pub fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, Faults> {
        let mut faults = fault::faults(setup);
        let Some(player) = fault::player(setup) else {
            return Err(faults);
        };
        faults.0.retain(|fault| !waivers.covers(fault.kind));
        if !faults.0.is_empty() {
            return Err(faults);
        }
        let area = setup.area();
        let inside = fault::reach(setup, &[player]).inside;
        let mut level = Self {
            walls: CellSet::new(area),
            goals: CellSet::new(area),
            start: State {
                player,
                boxes: CellSet::new(area),
            },
            inside,
            needed: 0,
        };
        for cell in area.cells() {
            let square = setup.square(cell);
            let reached = level.inside.contains(cell);
            if square.wall || (square.crate_box && !reached) {
                level.walls.insert(cell);
            }
            if square.goal && reached {
                level.goals.insert(cell);
            }
            if square.crate_box && reached {
                level.start.boxes.insert(cell);
            }
        }
        level.needed = level.start.boxes.len().min(level.goals.len());
        Ok(level)
    }

    /// Every fault of `setup`, also those that a caller would waive.
    pub fn faults(setup: &Setup) -> Faults {
        fault::faults(setup)
    }

    /// The size of the board.
    pub fn area(&self) -> Area {
        self.walls.area()
    }

    /// The walls, with decorative boxes among them.
    pub fn walls(&self) -> &CellSet {
        &self.walls
    }

    /// The goals within the player's reach.
    pub fn goals(&self) -> &CellSet {
        &self.goals
    }

    /// The squares that the player could walk to if every box were lifted off the board.
    pub fn inside(&self) -> &CellSet {
        &self.inside
    }

    /// The state that play begins with.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// How many boxes stand on goals in `state`.
    pub fn boxes_on_goals(&self, state: &State) -> usize {
        state.boxes.count_common(&self.goals)
    }

    /// How many boxes must stand on goals: the smaller of the two counts, which are equal
    /// unless [`FaultKind::CountsDiffer`] was waived.
    pub fn boxes_needed(&self) -> usize {
        self.needed
    }

    /// Whether `state` is solved.
    pub fn is_solved(&self, state: &State) -> bool {
        self.boxes_on_goals(state) >= self.needed
    }

    /// Moves the player one step. Says whether a box was pushed.
    ///
    /// # Errors
    /// The reason why the step is impossible; `state` is then unchanged.
    pub fn step(&self, state: &mut State, way: Direction) -> Result<Step, Blocked> {
        let next = self.free(state.player, way).ok_or(Blocked::Wall)?;
        let push = state.boxes.contains(next);
        if push {
            let beyond = self.free(next, way).ok_or(Blocked::BoxAgainstWall)?;
            if state.boxes.contains(beyond) {
                return Err(Blocked::BoxAgainstBox);
            }
            state.boxes.remove(next);
            state.boxes.insert(beyond);
        }
        state.player = next;
        Ok(Step { way, push })
    }

    /// Plays `ways` from the start.
    ///
    /// # Errors
    /// The number of the impossible step, from 0, and the reason.
    pub fn replay(
        &self,
        ways: impl IntoIterator<Item = Direction>,
    ) -> Result<(State, Answer), (usize, Blocked)> {
        let mut state = self.start.clone();
        let mut steps = Vec::new();
        for (at, way) in ways.into_iter().enumerate() {
            steps.push(
                self.step(&mut state, way)
                    .map_err(|blocked| (at, blocked))?,
            );
        }
        Ok((state, Answer::new(steps)))
    }

    /// What is seen on `cell` in `state`.
    pub fn square(&self, state: &State, cell: Cell) -> Square {
        Square {
            wall: self.walls.contains(cell),
            goal: self.goals.contains(cell),
            crate_box: state.boxes.contains(cell),
            player: state.player == cell,
        }
    }

    /// The board of `state` as a setup again, without words around it.
    pub fn setup(&self, state: &State) -> Setup {
        let area = self.area();
        let rows: Vec<Vec<Square>> = (0..area.height())
            .map(|row| {
                (0..area.width())
                    .map(|col| self.square(state, Cell::new(row, col)))
                    .collect()
            })
            .collect();
        Setup::from_rows(&rows)
    }

    /// The name of this level's board: the hash of its canonical XSB.
    pub fn id(&self) -> ContentId {
        ContentId::of(self.setup(&self.start).board().as_bytes())
    }

    /// The next cell that way unless a wall or the edge is there.
    fn free(&self, cell: Cell, way: Direction) -> Option<Cell> {
        self.area()
            .neighbour(cell, way)
            .filter(|&next| !self.walls.contains(next))
    }
}

impl Waivers {
    /// What commands that solve or play waive unless told otherwise: a level that starts
    /// solved has an answer, the empty one, and boxes and goals that no walk can reach are
    /// scenery. Those within reach must still be equal in number.
    pub fn playing() -> Self {
        Self::of([
            FaultKind::BoxUnreachable,
            FaultKind::GoalUnreachable,
            FaultKind::NothingToDo,
        ])
    }
}
