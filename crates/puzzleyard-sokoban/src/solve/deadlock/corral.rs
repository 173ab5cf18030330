//! Regions that the player cannot walk to, and the boxes that close them off.
//!
//! **PI-corrals** (M. Meger and B. Damgaard; the wiki of sokobano.de, "Sokoban solver
//! scribbles by Brian Damgaard about the YASS solver"). Let *X* be a set of boxes and *Z* a
//! set of closed-off regions such that every box beside *Z* is in *X*. Look at each push of a
//! box of *X* that walls, dead squares and the other boxes of *X* allow. If each is either
//! possible right now and ends in *Z*, or starts with the player in *Z*, then whichever push
//! of an *X* box comes first in a solution can as well come first of all: no other box and no
//! player can get into *Z* before it, and the floor that the player can walk on only grows by
//! it. So, if *X* has to be touched at all, no other push needs to be considered; and if no
//! such push is left, the state is dead. The number of pushes stays the same, the number of
//! moves does not.
//!
//! **Corral deadlocks.** The boxes beside one region, all others lifted, are searched until
//! one leaves the region or all stand on goals. If neither ever happens these boxes cannot be
//! brought to goals, with or without the others.

use puzzleyard_core::Limit;

use crate::solve::board::{Board, Sq, WAYS};
use crate::solve::budget::Budget;
use crate::solve::distance::Distances;
use crate::solve::position::{Position, Reach};
use crate::solve::store::{Codec, Facts, NO_NODE, Store, Zobrist, spread};

use super::{Freeze, Frozen};

/// States that one search of a corral may visit, on boards of usual size.
const SEARCH_STATES: usize = 400;

/// Squares that one search of a corral may flood, which bounds it on large boards.
const SEARCH_SQUARES: usize = 100_000;

/// Verdicts on corrals that are remembered.
const KNOWN_MOST: usize = 1 << 20;

/// What a look at the corrals has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Finding {
    /// Nothing that matters.
    Nothing,
    /// The state has no solution.
    Dead,
    /// Only pushes of the chosen boxes need to be considered.
    Only,
}

/// What is looked at.
pub(in crate::solve) struct Scene<'a> {
    pub(in crate::solve) board: &'a Board,
    /// The distances among the boxes that are stuck.
    pub(in crate::solve) distances: &'a Distances,
    /// The distances on the bare board, which verdicts that are kept must rest on.
    pub(in crate::solve) bare: &'a Distances,
    pub(in crate::solve) codec: &'a Codec,
    pub(in crate::solve) zobrist: &'a Zobrist,
    pub(in crate::solve) position: &'a Position,
    /// Where the player can walk.
    pub(in crate::solve) reach: &'a Reach,
}

/// Working space, and the verdicts so far.
pub(in crate::solve) struct Corrals {
    /// The region of each square: its number plus `base`; less than `base` if none.
    region: Vec<u32>,
    base: u32,
    /// The squares of all regions, one region after another, and where each begins.
    squares: Vec<Sq>,
    begins: Vec<usize>,
    /// Marks of the boxes of *X*, by square, and of the regions of *Z*.
    marked: Vec<u32>,
    mark: u32,
    in_zone: Vec<bool>,
    zone: Vec<usize>,
    boxes: Vec<Sq>,
    chosen: Vec<Sq>,
    is_chosen: Vec<bool>,
    /// Verdicts by boxes and player; the bound is 1 for dead.
    known: Store,
    seen: Store,
    lone: Position,
    reach: Reach,
    name_reach: Reach,
    open: Vec<u32>,
    key: Vec<u8>,
    start: Vec<u8>,
    named: Vec<u8>,
    order: Vec<Sq>,
    decoded: Vec<Sq>,
}

impl Corrals {
    /// `width` is the length of keys.
    pub(in crate::solve) fn new(
        board: &Board,
        width: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Limit> {
        let boxes = board.boxes().len();
        budget.take(board.len() * 17 + boxes * 16 + width * 3 + SEARCH_STATES * 8)?;
        Ok(Self {
            region: budget.filled(0, board.len() + 1)?,
            base: 1,
            squares: Vec::with_capacity(board.len()),
            begins: Vec::new(),
            marked: budget.filled(0, board.len() + 1)?,
            mark: 0,
            in_zone: Vec::new(),
            zone: Vec::new(),
            boxes: Vec::with_capacity(boxes),
            chosen: Vec::with_capacity(boxes),
            is_chosen: budget.filled(false, board.len() + 1)?,
            known: Store::new(width, budget)?,
            seen: Store::new(width, budget)?,
            lone: Position::new(board, budget)?,
            reach: Reach::new(board, budget)?,
            name_reach: Reach::new(board, budget)?,
            open: Vec::new(),
            key: vec![0; width],
            start: Vec::with_capacity(width),
            named: Vec::with_capacity(width),
            order: Vec::with_capacity(boxes),
            decoded: Vec::with_capacity(boxes),
        })
    }

    /// Whether the box on `sq` is one of those that [`Finding::Only`] is about.
    pub(in crate::solve) fn is_chosen(&self, sq: Sq) -> bool {
        self.is_chosen[sq as usize]
    }

    /// The number of regions at the last look.
    pub(in crate::solve) fn regions(&self) -> u32 {
        self.begins.len() as u32
    }

    /// Bytes of the stores, to be given back when this is dropped.
    pub(in crate::solve) fn booked(&self) -> usize {
        self.known.booked() + self.seen.booked()
    }

    /// Looks at every region that the player cannot walk to. `prune` asks for a choice of
    /// boxes too, which keeps the number of pushes but not of moves.
    pub(in crate::solve) fn look(
        &mut self,
        scene: &Scene<'_>,
        freeze: &mut Freeze,
        prune: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Finding, Limit> {
        for &sq in &self.chosen {
            self.is_chosen[sq as usize] = false;
        }
        self.chosen.clear();
        self.find_regions(scene);
        let mut least = usize::MAX;
        for region in 0..self.begins.len() {
            if self.is_dead(scene, region, freeze, budget)? {
                return Ok(Finding::Dead);
            }
            if !prune {
                continue;
            }
            let Some(pushes) = self.close(scene, region) else {
                continue;
            };
            if pushes == 0 {
                return Ok(Finding::Dead);
            }
            if pushes < least {
                least = pushes;
                self.chosen.clone_from(&self.boxes);
            }
        }
        if least == usize::MAX {
            return Ok(Finding::Nothing);
        }
        for &sq in &self.chosen {
            self.is_chosen[sq as usize] = true;
        }
        Ok(Finding::Only)
    }

    fn find_regions(&mut self, scene: &Scene<'_>) {
        // Numbers never come back, so old ones need not be wiped out.
        self.base = self.base.saturating_add(self.begins.len() as u32);
        if self.base > u32::MAX / 2 {
            self.region.fill(0);
            self.base = 1;
        }
        self.squares.clear();
        self.begins.clear();
        for &sq in &scene.position.boxes {
            for &seed in scene.board.neighbours(sq) {
                if !scene.position.is_free(seed)
                    || scene.reach.contains(seed)
                    || self.region[seed as usize] >= self.base
                {
                    continue;
                }
                let number = self.base + self.begins.len() as u32;
                let mut at = self.squares.len();
                self.begins.push(at);
                self.region[seed as usize] = number;
                self.squares.push(seed);
                while at < self.squares.len() {
                    for &to in scene.board.neighbours(self.squares[at]) {
                        if scene.position.is_free(to) && self.region[to as usize] != number {
                            self.region[to as usize] = number;
                            self.squares.push(to);
                        }
                    }
                    at += 1;
                }
            }
        }
    }

    fn squares_of(&self, region: usize) -> std::ops::Range<usize> {
        let end = self.begins.get(region + 1).copied();
        self.begins[region]..end.unwrap_or(self.squares.len())
    }

    fn add_box(&mut self, sq: Sq) {
        if self.marked[sq as usize] != self.mark {
            self.marked[sq as usize] = self.mark;
            self.boxes.push(sq);
        }
    }

    /// Adds a region to *Z* and the boxes beside it to *X*.
    fn add_region(&mut self, scene: &Scene<'_>, region: usize) {
        if std::mem::replace(&mut self.in_zone[region], true) {
            return;
        }
        self.zone.push(region);
        for at in self.squares_of(region) {
            for &to in scene.board.neighbours(self.squares[at]) {
                if scene.position.box_on(to).is_some() {
                    self.add_box(to);
                }
            }
        }
    }

    fn begin(&mut self, scene: &Scene<'_>, region: usize) {
        if self.mark == u32::MAX {
            self.marked.fill(0);
            self.mark = 0;
        }
        self.mark += 1;
        self.boxes.clear();
        self.zone.clear();
        self.in_zone.clear();
        self.in_zone.resize(self.begins.len(), false);
        self.add_region(scene, region);
    }

    /// Grows *X* and *Z* from one region until the condition of the module's text holds.
    /// Returns the number of pushes to consider, or `None` if the condition fails or nothing
    /// says that *X* has to be touched.
    fn close(&mut self, scene: &Scene<'_>, region: usize) -> Option<usize> {
        self.begin(scene, region);
        let (board, position) = (scene.board, scene.position);
        let mut at = 0;
        while at < self.boxes.len() {
            let sq = self.boxes[at];
            at += 1;
            let open = scene.distances.open(sq);
            for way in WAYS.into_iter().filter(|way| open >> way & 1 == 1) {
                let (stand, to) = (board.next(sq, way ^ 1), board.next(sq, way));
                // Boxes in the way are taken into X: then no first push is possible here.
                if position.box_on(stand).is_some() {
                    self.add_box(stand);
                } else if position.box_on(to).is_some() {
                    self.add_box(to);
                } else if !scene.reach.contains(stand) {
                    self.add_region(scene, self.region_of(stand)?);
                } else if scene.reach.contains(to) {
                    return None;
                } else {
                    self.add_region(scene, self.region_of(to)?);
                }
            }
        }
        if self.boxes.len() == position.boxes.len() || !self.is_unfinished(scene) {
            return None;
        }
        Some(self.count_pushes(scene))
    }

    fn region_of(&self, sq: Sq) -> Option<usize> {
        let number = self.region[sq as usize];
        (number >= self.base).then(|| (number - self.base) as usize)
    }

    /// Whether every solution moves some box of *X*.
    fn is_unfinished(&self, scene: &Scene<'_>) -> bool {
        let board = scene.board;
        let empty_goal = |&region: &usize| {
            self.squares[self.squares_of(region)]
                .iter()
                .any(|&sq| board.is_goal(sq))
        };
        self.boxes.iter().any(|&sq| !board.is_goal(sq))
            || (board.fills_all_goals() && self.zone.iter().any(empty_goal))
    }

    fn count_pushes(&self, scene: &Scene<'_>) -> usize {
        let can = |sq: Sq, way: usize| {
            scene.distances.open(sq) >> way & 1 == 1
                && scene.reach.contains(scene.board.next(sq, way ^ 1))
                && scene.position.is_free(scene.board.next(sq, way))
        };
        self.boxes
            .iter()
            .map(|&sq| WAYS.into_iter().filter(|&way| can(sq, way)).count())
            .sum()
    }

    /// Whether the boxes beside `region` are lost by themselves.
    fn is_dead(
        &mut self,
        scene: &Scene<'_>,
        region: usize,
        freeze: &mut Freeze,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Limit> {
        self.begin(scene, region);
        if self.boxes.iter().all(|&sq| scene.board.is_goal(sq)) {
            return Ok(false);
        }
        // Asked first with the player as it stands, which takes no flood, then with the player
        // named by the region that it has once the other boxes are lifted.
        let quick = self.write(scene, scene.position.player);
        if let Some(node) = self.known.find(&self.key, quick) {
            return Ok(self.known.facts(node).bound == 1);
        }
        self.start.clone_from(&self.key);
        self.lone.place(&self.boxes, scene.position.player);
        let hash = self.name(scene);
        if let Some(node) = self.known.find(&self.key, hash) {
            let facts = self.known.facts(node);
            if self.known.len() < KNOWN_MOST {
                self.known.insert(&self.start, quick, facts, budget)?;
            }
            return Ok(facts.bound == 1);
        }
        let same = self.start == self.key;
        self.named.clone_from(&self.key);
        let dead = self.search(scene, region, freeze, budget)?;
        if self.known.len() < KNOWN_MOST {
            let facts = Facts::new(NO_NODE, 0, u32::from(dead));
            self.known.insert(&self.named, hash, facts, budget)?;
            if !same {
                self.known.insert(&self.start, quick, facts, budget)?;
            }
        }
        Ok(dead)
    }

    /// Writes the key of the boxes of *X* and `player`, and returns its hash.
    fn write(&mut self, scene: &Scene<'_>, player: Sq) -> u64 {
        scene
            .codec
            .write(&self.boxes, player, &mut self.key, &mut self.order);
        spread(scene.zobrist.boxes(&self.boxes) ^ scene.zobrist.player(player))
    }

    /// Writes the key of the lone boxes and returns its hash.
    fn name(&mut self, scene: &Scene<'_>) -> u64 {
        let lone = &self.lone;
        let player = self
            .name_reach
            .flood(scene.board, lone.player, |sq| lone.is_free(sq));
        scene
            .codec
            .write(&lone.boxes, player, &mut self.key, &mut self.order);
        spread(scene.zobrist.boxes(&lone.boxes) ^ scene.zobrist.player(player))
    }

    /// Searches the lone boxes; true if they cannot leave and cannot be brought to goals.
    fn search(
        &mut self,
        scene: &Scene<'_>,
        region: usize,
        freeze: &mut Freeze,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Limit> {
        let inside = self.base + region as u32;
        self.seen.clear();
        let hash = self.name(scene);
        let facts = Facts::new(NO_NODE, 0, 0);
        self.open.clear();
        self.open
            .push(self.seen.insert(&self.key, hash, facts, budget)?);
        while let Some(node) = self.open.pop() {
            let player = scene.codec.read(self.seen.key(node), &mut self.decoded);
            self.lone.place(&self.decoded, player);
            let lone = &self.lone;
            self.reach.flood(scene.board, player, |sq| lone.is_free(sq));
            for index in 0..self.decoded.len() {
                let from = self.decoded[index];
                for way in WAYS {
                    let to = scene.board.next(from, way);
                    if scene.bare.open(from) >> way & 1 == 0
                        || !self.reach.contains(scene.board.next(from, way ^ 1))
                        || !self.lone.is_free(to)
                    {
                        continue;
                    }
                    if self.region[to as usize] != inside && self.marked[to as usize] != self.mark {
                        return Ok(false);
                    }
                    self.lone.shift(index, to);
                    self.lone.player = from;
                    let escapes = self.visit(scene, to, freeze, budget)?;
                    self.lone.shift(index, from);
                    if escapes {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Takes up the state of the lone boxes after a push to `to`. True if that ends the
    /// search: all stand on goals, or too many states were visited.
    fn visit(
        &mut self,
        scene: &Scene<'_>,
        to: Sq,
        freeze: &mut Freeze,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Limit> {
        let frozen = freeze.test(scene.board, scene.bare, &self.lone, to);
        if matches!(frozen, Frozen::OffGoal | Frozen::TwoByTwo) {
            return Ok(false);
        }
        if self.lone.boxes.iter().all(|&sq| scene.board.is_goal(sq)) {
            return Ok(true);
        }
        let hash = self.name(scene);
        if self.seen.find(&self.key, hash).is_none() {
            let most = SEARCH_STATES.min(SEARCH_SQUARES / scene.board.len());
            if self.seen.len() >= most {
                return Ok(true);
            }
            let facts = Facts::new(NO_NODE, 0, 0);
            self.open
                .push(self.seen.insert(&self.key, hash, facts, budget)?);
        }
        Ok(false)
    }
}
