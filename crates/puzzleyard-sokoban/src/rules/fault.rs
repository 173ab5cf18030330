//! What can be wrong with a setup, all of it at once.

use std::fmt;

use puzzleyard_core::{Cell, CellSet, Direction};

use crate::model::Setup;

/// The kinds of faults. Each can be waived; [`FaultKind::waiver`] says what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// There is no player.
    NoPlayer,
    /// There is more than one player.
    SeveralPlayers,
    /// The numbers of boxes and goals differ, counting those that the player can reach.
    CountsDiffer,
    /// The player can walk off the board.
    OpenBoundary,
    /// A box, not on a goal, that no walk can reach even with every box lifted off the board.
    BoxUnreachable,
    /// A goal without a box that no walk can reach even with every box lifted off the board.
    GoalUnreachable,
    /// No box has to be moved: there is none, or the level starts solved.
    NothingToDo,
    /// More than 255 rows or columns.
    TooLarge,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::NoPlayer,
        Self::SeveralPlayers,
        Self::CountsDiffer,
        Self::OpenBoundary,
        Self::BoxUnreachable,
        Self::GoalUnreachable,
        Self::NothingToDo,
        Self::TooLarge,
    ];

    /// The name on the command line (`--allow open-boundary`).
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoPlayer => "no-player",
            Self::SeveralPlayers => "several-players",
            Self::CountsDiffer => "counts-differ",
            Self::OpenBoundary => "open-boundary",
            Self::BoxUnreachable => "box-unreachable",
            Self::GoalUnreachable => "goal-unreachable",
            Self::NothingToDo => "nothing-to-do",
            Self::TooLarge => "too-large",
        }
    }

    /// The kind of a name, or `None`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What a level means when this fault is waived.
    pub const fn waiver(self) -> &'static str {
        match self {
            Self::NoPlayer => "the player stands on the first floor square enclosed by walls",
            Self::SeveralPlayers => "the first player in reading order counts",
            Self::CountsDiffer => "solved when as many boxes stand on goals as can",
            Self::OpenBoundary => "the edge of the board counts as wall",
            Self::BoxUnreachable => "the box counts as wall and need not be moved",
            Self::GoalUnreachable => "the goal does not count",
            Self::NothingToDo => "the empty answer solves it",
            Self::TooLarge => "the size is taken as it is",
        }
    }
}

/// One fault of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where, for the kinds that have a place.
    pub at: Option<Cell>,
    /// What was found and what would be right.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(cell) = self.at {
            write!(f, "{cell}: ")?;
        }
        write!(f, "{}: {}", self.kind.name(), self.detail)
    }
}

/// All faults of a setup, in the order of [`FaultKind::ALL`], then by cell. Never empty when
/// returned as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Which kinds of faults are accepted on purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waivers(Vec<FaultKind>);

impl Waivers {
    /// None.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// These kinds.
    pub fn of(kinds: impl IntoIterator<Item = FaultKind>) -> Self {
        Self(kinds.into_iter().collect())
    }

    /// Whether `kind` is waived.
    pub fn covers(&self, kind: FaultKind) -> bool {
        self.0.contains(&kind)
    }
}

/// The squares that the player could walk to if every box were lifted off the board, and
/// where that walk leaves the board.
pub(super) struct Reach {
    pub(super) inside: CellSet,
    pub(super) exits: Vec<Cell>,
}

pub(super) fn reach(setup: &Setup, from: &[Cell]) -> Reach {
    let area = setup.area();
    let mut inside = CellSet::new(area);
    let mut exits = Vec::new();
    let mut stack = from.to_vec();
    while let Some(cell) = stack.pop() {
        if setup.square(cell).wall || !inside.insert(cell) {
            continue;
        }
        for way in Direction::ALL {
            match area.neighbour(cell, way) {
                Some(next) => stack.push(next),
                None if exits.last() != Some(&cell) => exits.push(cell),
                None => {}
            }
        }
    }
    exits.sort_unstable();
    Reach { inside, exits }
}

/// The squares that belong to no walk from the edge of the board: enclosed by walls.
fn enclosed(setup: &Setup) -> Vec<Cell> {
    let area = setup.area();
    let edge: Vec<Cell> = area
        .cells()
        .filter(|&cell| {
            Direction::ALL
                .iter()
                .any(|&way| area.neighbour(cell, way).is_none())
        })
        .collect();
    let outside = reach(setup, &edge).inside;
    area.cells()
        .filter(|&cell| !setup.square(cell).wall && !outside.contains(cell))
        .collect()
}

/// Where the player is taken to stand: the first typed one, else the first enclosed square
/// without a box.
pub(super) fn player(setup: &Setup) -> Option<Cell> {
    let typed = setup.area().cells().find(|&cell| setup.square(cell).player);
    typed.or_else(|| {
        enclosed(setup)
            .into_iter()
            .find(|&cell| !setup.square(cell).crate_box)
    })
}

/// The most rows and the most columns of a level.
const MOST: u16 = 255;

/// Every fault of `setup`, waived or not.
pub(super) fn faults(setup: &Setup) -> Faults {
    // The one player that a level would have, so that a waiver hides no other fault.
    let start: Vec<Cell> = player(setup).into_iter().collect();
    let walk = reach(setup, &start);
    let mut found = player_faults(setup);
    found.extend(count_faults(setup, &walk.inside));
    found.extend(walk.exits.iter().map(|&exit| Fault {
        kind: FaultKind::OpenBoundary,
        at: Some(exit),
        detail: "the player can leave the board here, expected walls all round".into(),
    }));
    found.extend(reach_faults(setup, &walk.inside));
    let area = setup.area();
    if area.height() > MOST || area.width() > MOST {
        found.push(Fault {
            kind: FaultKind::TooLarge,
            at: None,
            detail: format!(
                "{} rows and {} columns, expected at most {MOST} of each",
                area.height(),
                area.width()
            ),
        });
    }
    found.sort_by_key(|fault| fault.kind);
    Faults(found)
}

/// No player, or several.
fn player_faults(setup: &Setup) -> Vec<Fault> {
    let mut players = setup
        .area()
        .cells()
        .filter(|&cell| setup.square(cell).player);
    let Some(first) = players.next() else {
        return vec![Fault {
            kind: FaultKind::NoPlayer,
            at: None,
            detail: "no player found, expected one `@` or `+`".into(),
        }];
    };
    players
        .map(|extra| Fault {
            kind: FaultKind::SeveralPlayers,
            at: Some(extra),
            detail: format!("another player, the first stands at {first}"),
        })
        .collect()
}

/// Boxes and goals `inside` that do not match, or leave nothing to do.
fn count_faults(setup: &Setup, inside: &CellSet) -> Vec<Fault> {
    let (mut boxes, mut goals, mut done) = (0usize, 0usize, 0usize);
    for cell in inside.iter() {
        let square = setup.square(cell);
        boxes += usize::from(square.crate_box);
        goals += usize::from(square.goal);
        done += usize::from(square.crate_box && square.goal);
    }
    let mut found = Vec::new();
    if boxes != goals {
        found.push(Fault {
            kind: FaultKind::CountsDiffer,
            at: None,
            detail: format!(
                "boxes within reach: {boxes}, goals: {goals}, expected as many of each"
            ),
        });
    }
    if done >= boxes.min(goals) {
        let detail = match (boxes, goals) {
            (0, _) => "no box to move",
            (_, 0) => "no goal to move a box to",
            _ if done == boxes => "every box stands on a goal at the start",
            _ => "every goal holds a box at the start",
        };
        found.push(Fault {
            kind: FaultKind::NothingToDo,
            at: None,
            detail: detail.into(),
        });
    }
    found
}

/// Boxes and goals that are not `inside`. A box on a goal out there is scenery.
fn reach_faults(setup: &Setup, inside: &CellSet) -> Vec<Fault> {
    let outside = setup.area().cells().filter(|&cell| !inside.contains(cell));
    outside
        .filter_map(|cell| {
            let square = setup.square(cell);
            let (kind, what) = match (square.crate_box, square.goal) {
                (true, false) => (FaultKind::BoxUnreachable, "box"),
                (false, true) => (FaultKind::GoalUnreachable, "goal"),
                _ => return None,
            };
            Some(Fault {
                kind,
                at: Some(cell),
                detail: format!("the player can never reach this {what}"),
            })
        })
        .collect()
}
