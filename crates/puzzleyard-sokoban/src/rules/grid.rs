//! Boards of one byte a square, and what a step does on them: the quick form of [`Level::step`]
//! for environments that step millions of times a second.
//!
//! ```
//! use puzzleyard_core::Direction;
//! use puzzleyard_sokoban::rules::grid;
//!
//! // ######
//! // #@$.##
//! // ######
//! let mut cells = *b"\x06\x06\x06\x06\x06\x06\x06\x04\x02\x01\x06\x06\x06\x06\x06\x06\x06\x06";
//! let mut player = 7;
//! let effect = grid::step(&mut cells, 6, &mut player, Direction::Right);
//! assert_eq!((effect.moved, effect.pushed, effect.gain), (true, true, 1));
//! assert_eq!(cells[7..10], [grid::FLOOR, grid::PLAYER, grid::BOX_ON_GOAL]);
//! ```
//!
//! Bit 0 of a code is the goal, bit 1 a box, bit 2 the player. A wall, which is none of these,
//! has the code 6 that a box and a player on one square would have. Square `(row, col)` stands
//! at `row * stride + col`; squares right of and below a smaller level are walls.

use puzzleyard_core::{Area, Cell, Direction};

use super::level::{Level, State};

/// Empty floor.
pub const FLOOR: u8 = 0;
/// An empty goal.
pub const GOAL: u8 = 1;
/// A box on floor.
pub const BOX: u8 = 2;
/// A box on a goal.
pub const BOX_ON_GOAL: u8 = 3;
/// The player on floor.
pub const PLAYER: u8 = 4;
/// The player on a goal.
pub const PLAYER_ON_GOAL: u8 = 5;
/// A wall.
pub const WALL: u8 = 6;
/// How many codes there are: each is below this.
pub const CODES: u8 = 7;

/// What stands on a goal or not: the code without its goal bit.
const STANDING: u8 = 6;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Whether the player moved. If not, nothing changed.
    pub moved: bool,
    /// Whether a box was pushed.
    pub pushed: bool,
    /// Change of the number of boxes on goals: -1, 0 or 1.
    pub gain: i8,
}

/// Moves the player one step, if it can move.
///
/// `cells` is a board of [`encode`] after any number of steps, and `player` the player's
/// square on it. What lies off the slice counts as wall, so that no board makes this panic; a
/// board without walls around its player's region wraps at the ends of its rows.
///
/// There is no branch on what stands where: with a player who learns it would be mispredicted
/// every other time.
#[inline]
pub fn step(cells: &mut [u8], stride: usize, player: &mut u16, way: Direction) -> Effect {
    let by = offset(stride, way);
    let from = usize::from(*player);
    let to = from.wrapping_add_signed(by);
    let beyond = to.wrapping_add_signed(by);
    if from >= cells.len() || to >= cells.len() {
        return Effect::default();
    }
    // What lies beyond the edge lies beyond a wall: nothing is pushed there.
    let beyond = if beyond < cells.len() { beyond } else { to };
    let (left, next, behind) = (cells[from], cells[to], cells[beyond]);
    let pushed = next & STANDING == BOX && behind & STANDING == FLOOR;
    let moved = next & STANDING == FLOOR || pushed;
    // `beyond` may be `to`, but only if nothing moves there: so it is written first.
    cells[beyond] = behind | (u8::from(pushed) * BOX);
    cells[to] = if moved { (next & GOAL) | PLAYER } else { next };
    cells[from] = if moved { left & !PLAYER } else { left };
    *player = if moved { to as u16 } else { *player };
    Effect {
        moved,
        pushed,
        gain: ((behind & GOAL) as i8 - (next & GOAL) as i8) * i8::from(pushed),
    }
}

/// Whether the player can move that way: whether [`step`] would change anything.
#[inline]
pub fn can_step(cells: &[u8], stride: usize, player: u16, way: Direction) -> bool {
    let by = offset(stride, way);
    let to = usize::from(player).wrapping_add_signed(by);
    let free = |at: usize| cells.get(at).is_some_and(|&code| code & STANDING == FLOOR);
    let a_box = |at: usize| cells.get(at).is_some_and(|&code| code & STANDING == BOX);
    free(to) || a_box(to) && free(to.wrapping_add_signed(by))
}

// `offset` computes with the numbers of the directions.
const _: () = assert!(
    Direction::Up as usize == 0
        && Direction::Down as usize == 1
        && Direction::Left as usize == 2
        && Direction::Right as usize == 3
);

/// The distance in a board's slice between a square and the next one that way.
#[inline]
pub const fn offset(stride: usize, way: Direction) -> isize {
    // Arithmetic instead of a jump, which random directions would mispredict.
    let number = way as usize;
    let length = if number & 2 == 0 { stride as isize } else { 1 };
    if number & 1 == 0 { -length } else { length }
}

/// The codes of `state` on a board of `area`, and the player's square.
///
/// `None` if the level does not fit into `area`, or `area` has more than 65,535 squares.
pub fn encode(level: &Level, state: &State, area: Area) -> Option<(Vec<u8>, u16)> {
    let own = level.area();
    if own.height() > area.height() || own.width() > area.width() || area.len() > 65_535 {
        return None;
    }
    let mut cells = vec![WALL; area.len()];
    for cell in own.cells() {
        let square = level.square(state, cell);
        cells[area.index(cell)] = if square.wall {
            WALL
        } else {
            u8::from(square.goal) * GOAL
                + u8::from(square.crate_box) * BOX
                + u8::from(square.player) * PLAYER
        };
    }
    Some((cells, area.index(state.player) as u16))
}

/// The state of `level` that a board of `area` shows.
///
/// `None` if the board is not one of this level: another size, other walls or goals, another
/// number of boxes, no player or several, or anything on a square that is out of reach.
pub fn decode(level: &Level, cells: &[u8], area: Area) -> Option<State> {
    let (base, _) = encode(level, level.start(), area)?;
    if cells.len() != base.len() {
        return None;
    }
    let mut boxes = puzzleyard_core::CellSet::new(level.area());
    let mut players = Vec::new();
    for (at, (&code, &start)) in cells.iter().zip(&base).enumerate() {
        let cell = area.cell(at);
        if code == WALL || start == WALL || !level.inside().contains(cell) {
            if code != start {
                return None;
            }
            continue;
        }
        if code >= CODES || (code ^ start) & GOAL != 0 {
            return None;
        }
        match code & STANDING {
            BOX => {
                boxes.insert(cell);
            }
            PLAYER => players.push(cell),
            _ => {}
        }
    }
    match players[..] {
        [player] if boxes.len() == level.start().boxes.len() => Some(State { player, boxes }),
        _ => None,
    }
}

/// The level's square of a place in a board's slice.
pub const fn cell(at: usize, stride: usize) -> Cell {
    Cell::new((at / stride) as u16, (at % stride) as u16)
}
