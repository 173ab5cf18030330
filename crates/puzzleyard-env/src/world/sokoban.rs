//! Sokoban, a step at a time.

use puzzleyard_core::{Area, Direction};
use puzzleyard_sokoban::rules::grid;

use super::level_set::Entry;
use super::levels::Levels;
use super::picture::{Looks, Pictures};
use super::potential::{distances, potential, weight};
use super::saved::{Board, Saved, SavedError};
use super::schedule::Schedule;
use super::settings::{Observation, Settings, SettingsError};
use super::{Outcome, Shape, StartError, World};

/// Sokoban with these levels, shown and paid in this way.
///
/// Actions: 0 up, 1 down, 2 left, 3 right. A step that is blocked changes nothing and counts.
#[derive(Debug)]
pub struct Sokoban {
    levels: Levels,
    schedule: Schedule,
    settings: Settings,
    area: Area,
    /// The plain reward, by change of boxes on goals plus one, and 4 if the level is solved.
    pay: [f64; 8],
    /// Whether shaping or deadlocks matter.
    deep: bool,
    pictures: Option<Pictures>,
}

/// Episodes of [`Sokoban`], one array a quantity.
#[derive(Clone, Debug, Default)]
pub struct SokobanLanes {
    cells: Vec<u8>,
    hot: Vec<Hot>,
    level: Vec<u64>,
    seed: Vec<u64>,
    episode: Vec<u64>,
    /// The level's own size.
    own: Vec<Area>,
    depths: Vec<Depth>,
    looks: Looks,
}

/// The numbers that every step reads and writes.
#[derive(Clone, Copy, Debug, Default)]
struct Hot {
    steps: u32,
    player: u16,
    /// Boxes that stand on no goal.
    off: u16,
    /// The player's square before the last step; `FRESH` right after the start.
    before: u16,
}

/// What shaping and the test for deadlocks know of a lane.
#[derive(Clone, Debug, Default)]
struct Depth {
    distances: Vec<u16>,
    potential: i64,
    /// Whether the state is known to be dead.
    dead: bool,
}

/// No step has been taken.
const FRESH: u16 = u16::MAX;

impl Sokoban {
    /// A world of these levels.
    ///
    /// # Errors
    /// If the settings cannot be played with them.
    pub fn new(levels: impl Into<Levels>, settings: Settings) -> Result<Self, SettingsError> {
        let levels = levels.into();
        settings.check()?;
        let schedule = Schedule::new(settings.order, levels.parts(), &settings.stages)?;
        let area = levels.area();
        let pictures = Pictures::new(&settings, area, &levels.areas())?;
        let rewards = &settings.rewards;
        let mut pay = [0.0; 8];
        for (at, pay) in pay.iter_mut().enumerate() {
            *pay = rewards.step;
            *pay += [rewards.off_goal, 0.0, rewards.on_goal, 0.0][at % 4];
            *pay += if at >= 4 { rewards.solved } else { 0.0 };
        }
        let deep = rewards.shaping.is_some() || rewards.minds_deadlocks();
        let world = Self {
            levels,
            schedule,
            settings,
            area,
            pay,
            deep,
            pictures,
        };
        let found = world.shape().bytes();
        if found > 16 << 20 {
            return Err(SettingsError::Bytes { found });
        }
        Ok(world)
    }

    /// Where the levels come from.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// How they are drawn.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The size that every board is padded to.
    pub fn area(&self) -> Area {
        self.area
    }

    /// The board of a lane: codes of all of [`Sokoban::area`].
    pub fn board<'a>(&self, lanes: &'a SokobanLanes, at: usize) -> &'a [u8] {
        &lanes.cells[at * self.area.len()..][..self.area.len()]
    }

    /// The size of the level that a lane plays.
    pub fn own_area(&self, lanes: &SokobanLanes, at: usize) -> Area {
        lanes.own[at]
    }

    /// The boxes of a lane that stand on no goal.
    pub fn boxes_off(&self, lanes: &SokobanLanes, at: usize) -> u32 {
        u32::from(lanes.hot[at].off)
    }

    /// The picture of the goal: every goal under a box, and no player, in the form of this
    /// world's observations. Nothing is written if they are no pictures.
    pub fn observe_goal(&self, lanes: &SokobanLanes, at: usize, out: &mut [u8]) {
        if let Some(pictures) = &self.pictures {
            pictures.goal(&lanes.looks, at, self.board(lanes, at), lanes.own[at], out);
        }
    }

    fn put(&self, lanes: &mut SokobanLanes, at: usize, board: &[u8], entry: Entry) {
        let squares = self.area.len();
        let cells = &mut lanes.cells[at * squares..][..squares];
        cells.copy_from_slice(board);
        lanes.hot[at] = Hot {
            steps: 0,
            player: entry.player,
            off: entry.off,
            before: FRESH,
        };
        lanes.own[at] = entry.area;
        if self.deep {
            let depth = &mut lanes.depths[at];
            depth.distances.resize(squares, 0);
            distances(cells, usize::from(self.area.width()), &mut depth.distances);
            depth.potential = potential(cells, &depth.distances);
            depth.dead = false;
        }
    }

    /// What shaping and deadlocks add to the reward of a step, and whether it ends the episode.
    fn deepen(
        &self,
        lanes: &mut SokobanLanes,
        at: usize,
        pushed: Option<(usize, usize)>,
    ) -> (f64, bool) {
        let rewards = &self.settings.rewards;
        let squares = self.area.len();
        let cells = &lanes.cells[at * squares..][..squares];
        let depth = &mut lanes.depths[at];
        let before = depth.potential;
        let (mut reward, mut over) = (0.0, false);
        if let Some((from, to)) = pushed {
            let far = |at: usize| weight(depth.distances[at], squares);
            depth.potential += far(from) - far(to);
            if rewards.minds_deadlocks() && !depth.dead {
                let stride = usize::from(self.area.width());
                depth.dead = super::deadlock::is_dead(cells, stride, &depth.distances, to);
                if depth.dead {
                    reward += rewards.dead;
                    over = rewards.dead_ends;
                }
            }
        }
        if let Some(discount) = rewards.shaping {
            let after = if over { 0 } else { depth.potential };
            reward += discount * after as f64 - before as f64;
        }
        (reward, over)
    }
}

impl World for Sokoban {
    type Lanes = SokobanLanes;

    fn actions(&self) -> u32 {
        4
    }

    fn shape(&self) -> Shape {
        let (rows, cols) = (
            usize::from(self.area.height()),
            usize::from(self.area.width()),
        );
        let tile = usize::from(self.settings.tile);
        let (axes, most) = match self.settings.observation {
            Observation::Cells => (vec![rows, cols], grid::CODES - 1),
            Observation::Planes => (vec![4, rows, cols], 1),
            Observation::Rgb => (vec![rows * tile, cols * tile, 3], 255),
            Observation::Grey => (vec![rows * tile, cols * tile], 255),
            Observation::Latent => (vec![64, 64, 3], 255),
        };
        Shape { axes, most }
    }

    fn max_steps(&self) -> u32 {
        self.settings.max_steps
    }

    fn lanes(&self, count: usize) -> SokobanLanes {
        SokobanLanes {
            cells: vec![grid::WALL; count * self.area.len()],
            hot: vec![Hot::default(); count],
            level: vec![0; count],
            seed: vec![0; count],
            episode: vec![0; count],
            own: vec![self.area; count],
            depths: vec![Depth::default(); if self.deep { count } else { 0 }],
            looks: Looks::new(&self.settings, count),
        }
    }

    fn start(
        &self,
        lanes: &mut SokobanLanes,
        at: usize,
        seed: u64,
        episode: u64,
        stride: u64,
    ) -> Result<(), StartError> {
        let level = self.levels.pick(&self.schedule, seed, episode, stride);
        self.start_on(lanes, at, seed, episode, level)
    }

    fn start_on(
        &self,
        lanes: &mut SokobanLanes,
        at: usize,
        seed: u64,
        episode: u64,
        level: u64,
    ) -> Result<(), StartError> {
        self.levels.with(seed, level, |board, entry| {
            self.put(lanes, at, board, entry);
        })?;
        lanes.level[at] = level;
        lanes.seed[at] = seed;
        lanes.episode[at] = episode;
        if let Some(pictures) = &self.pictures {
            pictures.start(&mut lanes.looks, at, seed, episode, lanes.own[at]);
        }
        Ok(())
    }

    #[inline]
    fn act(&self, lanes: &mut SokobanLanes, at: usize, action: u32) -> Outcome {
        let squares = self.area.len();
        let stride = usize::from(self.area.width());
        let way = Direction::ALL[action as usize & 3];
        let cells = &mut lanes.cells[at * squares..][..squares];
        let hot = &mut lanes.hot[at];
        hot.before = hot.player;
        let effect = grid::step(cells, stride, &mut hot.player, way);
        hot.off = hot.off.wrapping_sub(effect.gain as u16);
        hot.steps += 1;
        let (steps, solved) = (hot.steps, hot.off == 0);
        let mut outcome = Outcome {
            reward: self.pay[(effect.gain + 1) as usize & 3 | usize::from(solved) << 2],
            terminated: solved,
            truncated: false,
        };
        if self.deep {
            let to = usize::from(hot.player);
            let pushed = effect
                .pushed
                .then(|| (to, to.wrapping_add_signed(grid::offset(stride, way))));
            let (reward, over) = self.deepen(lanes, at, pushed);
            outcome.reward += reward;
            outcome.terminated |= over;
        }
        outcome.truncated = steps >= self.settings.max_steps && !outcome.terminated;
        outcome
    }

    fn observe(&self, lanes: &SokobanLanes, at: usize, out: &mut [u8]) {
        let board = self.board(lanes, at);
        match (self.settings.observation, &self.pictures) {
            (Observation::Cells, _) => out.copy_from_slice(board),
            (Observation::Planes, _) => planes(board, out),
            (_, Some(pictures)) => {
                pictures.draw(&lanes.looks, at, board, lanes.own[at], out);
            }
            (_, None) => {}
        }
    }

    fn observe_all(&self, lanes: &SokobanLanes, count: usize, out: &mut [u8]) {
        let cells = &lanes.cells[..count * self.area.len()];
        match (self.settings.observation, &self.pictures) {
            (Observation::Cells, _) => out.copy_from_slice(cells),
            (_, Some(pictures)) if pictures.draw_all(cells, out) => {}
            _ => {
                let bytes = self.shape().bytes();
                for (at, one) in out.chunks_exact_mut(bytes).take(count).enumerate() {
                    self.observe(lanes, at, one);
                }
            }
        }
    }

    fn patch(&self, lanes: &SokobanLanes, at: usize, out: &mut [u8]) {
        let Hot { before, player, .. } = lanes.hot[at];
        match &self.pictures {
            Some(pictures) if before != FRESH && pictures.can_patch() => {
                if before != player {
                    let beyond = (2 * i32::from(player) - i32::from(before)) as u16;
                    let squares = [before, player, beyond];
                    let board = self.board(lanes, at);
                    pictures.redraw(&lanes.looks, at, board, lanes.own[at], &squares, out);
                }
            }
            _ => self.observe(lanes, at, out),
        }
    }

    fn mask(&self, lanes: &SokobanLanes, at: usize, out: &mut [i8]) {
        let board = self.board(lanes, at);
        let stride = usize::from(self.area.width());
        for (way, out) in Direction::ALL.into_iter().zip(out) {
            *out = i8::from(grid::can_step(board, stride, lanes.hot[at].player, way));
        }
    }

    fn level(&self, lanes: &SokobanLanes, at: usize) -> u64 {
        lanes.level[at]
    }

    fn levels(&self, lanes: &SokobanLanes, out: &mut [i64]) {
        for (out, &level) in out.iter_mut().zip(&lanes.level) {
            *out = level as i64;
        }
    }

    fn place(&self, lanes: &SokobanLanes, at: usize) -> (u64, u64, u32) {
        (lanes.seed[at], lanes.episode[at], lanes.hot[at].steps)
    }

    fn save(&self, lanes: &SokobanLanes, at: usize) -> Saved {
        let dead = lanes.depths.get(at).is_some_and(|depth| depth.dead);
        Saved {
            source: self.levels.mark(),
            seed: lanes.seed[at],
            episode: lanes.episode[at],
            level: lanes.level[at],
            steps: lanes.hot[at].steps,
            dead,
            board: Board::new(self.board(lanes, at)),
        }
    }

    fn is_over(&self, lanes: &SokobanLanes, at: usize) -> bool {
        let dead = self.settings.rewards.dead_ends && lanes.depths.get(at).is_some_and(|d| d.dead);
        lanes.hot[at].off == 0 || lanes.hot[at].steps >= self.settings.max_steps || dead
    }

    fn restore(
        &self,
        lanes: &mut SokobanLanes,
        at: usize,
        saved: &Saved,
    ) -> Result<(), SavedError> {
        if saved.source != self.levels.mark() {
            return Err(SavedError::Source);
        }
        if saved.steps > self.settings.max_steps {
            return Err(SavedError::Steps {
                found: saved.steps,
                most: self.settings.max_steps,
            });
        }
        let wrong = SavedError::Board { level: saved.level };
        let cells = saved.board.cells();
        let (seed, level) = (saved.seed, saved.level);
        let found = self.levels.with(seed, level, |board, entry| {
            let state = compare(board, cells)?;
            self.put(
                lanes,
                at,
                cells,
                Entry {
                    area: entry.area,
                    ..state
                },
            );
            Some(())
        });
        found.ok().flatten().ok_or(wrong)?;
        lanes.level[at] = level;
        lanes.seed[at] = seed;
        lanes.episode[at] = saved.episode;
        lanes.hot[at].steps = saved.steps;
        if let Some(depth) = lanes.depths.get_mut(at) {
            depth.dead = saved.dead;
        }
        if let Some(pictures) = &self.pictures {
            pictures.start(&mut lanes.looks, at, seed, saved.episode, lanes.own[at]);
        }
        Ok(())
    }
}

/// Walls, goals, boxes and the player, a plane each.
fn planes(board: &[u8], out: &mut [u8]) {
    let (walls, rest) = out.split_at_mut(board.len());
    let (goals, rest) = rest.split_at_mut(board.len());
    let (boxes, players) = rest.split_at_mut(board.len());
    for (at, &code) in board.iter().enumerate() {
        let wall = u8::from(code == grid::WALL);
        walls[at] = wall;
        goals[at] = code & 1;
        boxes[at] = (code >> 1 & 1) - wall;
        players[at] = (code >> 2 & 1) - wall;
    }
}

/// How many squares are counted in a byte: simple loops over few bytes become a handful of
/// vector instructions.
const RUN: usize = 128;

/// The player and the boxes off goals of `cells`, if it has the walls, the goals and the number
/// of boxes of `board`, and one player.
fn compare(board: &[u8], cells: &[u8]) -> Option<Entry> {
    if board.len() != cells.len() {
        return None;
    }
    let mut differs = 0;
    let (mut boxes, mut off, mut players) = (0i32, 0u16, 0u32);
    for (start, now) in board.chunks(RUN).zip(cells.chunks(RUN)) {
        differs |= start.iter().zip(now).fold(0, |differs, (&start, &code)| {
            let wall = u8::from(start == grid::WALL) ^ u8::from(code == grid::WALL);
            differs | (start ^ code) & grid::GOAL | wall | u8::from(code >= grid::CODES)
        });
        let count = |squares: &[u8], one: fn(u8) -> bool| -> u8 {
            squares.iter().map(|&code| u8::from(one(code))).sum()
        };
        let a_box: fn(u8) -> bool = |code| code & 6 == grid::BOX;
        boxes += i32::from(count(now, a_box)) - i32::from(count(start, a_box));
        off += u16::from(count(now, |code| code == grid::BOX));
        players += u32::from(count(now, |code| code & 6 == grid::PLAYER));
    }
    if differs != 0 || boxes != 0 || players != 1 {
        return None;
    }
    let player = cells.iter().position(|&code| code & 6 == grid::PLAYER)?;
    Some(Entry {
        player: player as u16,
        off,
        area: Area::new(0, 0),
    })
}
