//! Best-first search over states, for every objective.
//!
//! One machine serves all: what differs is the player's part of the key, the cost of a push
//! and the priority ([`Order`]). States are closed when expanded and opened again if a
//! cheaper way to them turns up, so the bounds need not be consistent.

use std::collections::BTreeMap;

use puzzleyard_core::Limit;

use super::board::{Board, Sq, WAYS};
use super::bound::Bound;
use super::budget::Budget;
use super::deadlock::{Corrals, Finding, Freeze, Frozen, Scene};
use super::distance::Distances;
use super::position::{Position, Reach};
use super::queue::Queue;
use super::store::{Codec, Facts, NO_NODE, Node, Store, Zobrist, spread};
use super::tables::{BARE, Tables};

/// What comes first, and what a push costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// A*: cost plus bound, in pushes. The first solved state taken out is best.
    Pushes,
    /// A*: cost plus bound, in moves.
    Moves,
    /// Bound weighed against other things; any solved state ends the search.
    Greedy(Taste),
}

/// The weights of a greedy search, in eighths of the weight of the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taste {
    /// Of each push so far.
    pub(super) cost: u32,
    /// Of each region that the player could not walk to before the push.
    pub(super) region: u32,
    /// Of each goal from the first empty one on, in the order of packing.
    pub(super) unpacked: u32,
    /// Of each push from the nearest box to that goal.
    pub(super) next: u32,
    /// Of each box on a goal that is not due yet.
    pub(super) early: u32,
}

/// How a search ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A solved state; best for the order if the order is one of A*.
    Solved(Node),
    /// Every state that can matter was expanded.
    Exhausted,
}

/// The bound and the priorities of a search that has no answer yet.
pub(super) struct Search<'a> {
    board: &'a Board,
    tables: Tables<'a>,
    /// The number of the distances of the node being expanded.
    table: usize,
    stuck: Vec<Sq>,
    order: Order,
    /// The goals in the order of packing, if the order asks for it.
    packing: &'a [Sq],
    codec: Codec,
    store: Store,
    queue: Queue,
    position: Position,
    bound: Bound,
    /// Reach of the node being expanded, and of its children.
    reach: Reach,
    child_reach: Reach,
    freeze: Freeze,
    corrals: Corrals,
    zobrist: Zobrist,
    key: Vec<u8>,
    sorted: Vec<Sq>,
    decoded: Vec<Sq>,
    /// The bound at the start; `None` if the start is dead.
    pub(super) root_bound: Option<u32>,
    /// The proven bound, in the unit of the order.
    pub(super) lower_bound: u32,
    pub(super) deadlocks: BTreeMap<&'static str, u64>,
    fixed: u64,
}

/// A push under consideration.
#[derive(Clone, Copy)]
struct Push {
    number: usize,
    from: Sq,
    to: Sq,
    way: usize,
}

/// The node being expanded.
#[derive(Clone, Copy)]
struct Parent {
    node: Node,
    cost: u32,
    hash: u32,
    /// The least square that the player can walk to.
    least: Sq,
}

impl<'a> Search<'a> {
    /// A search at its start.
    pub(super) fn new(
        board: &'a Board,
        distances: &'a Distances,
        order: Order,
        packing: &'a [Sq],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Limit> {
        let before = budget.held();
        let live = |sq: Sq| {
            board.has_spare_boxes()
                || board.boxes().binary_search(&sq).is_ok()
                || board
                    .sides_of(sq)
                    .any(|side| distances.nearest(side as u32) != super::distance::NEVER)
        };
        let codec = Codec::new(board.len(), board.boxes().len(), live, budget)?;
        let width = codec.len();
        budget.take(board.boxes().len() * 12 + width)?;
        let mut search = Self {
            board,
            tables: Tables::new(distances, board, width, budget)?,
            table: BARE,
            stuck: Vec::with_capacity(board.boxes().len()),
            order,
            packing,
            store: Store::new(width, budget)?,
            codec,
            queue: Queue::new(),
            position: Position::new(board, budget)?,
            bound: Bound::new(board, distances, budget)?,
            reach: Reach::new(board, budget)?,
            child_reach: Reach::new(board, budget)?,
            freeze: Freeze::new(board, budget)?,
            corrals: Corrals::new(board, width, budget)?,
            zobrist: Zobrist::new(board, budget)?,
            key: vec![0; width],
            sorted: Vec::with_capacity(board.boxes().len()),
            decoded: Vec::with_capacity(board.boxes().len()),
            root_bound: None,
            lower_bound: 0,
            deadlocks: BTreeMap::new(),
            fixed: 0,
        };
        search.fixed =
            budget.held() - before - search.store.booked() as u64 - search.corrals.booked() as u64;
        search.plant(budget)?;
        Ok(search)
    }

    /// Puts the start into store and queue, unless it is dead.
    fn plant(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        self.position.place(self.board.boxes(), self.board.player());
        let player = self.key_player();
        let Some(bound) = self.bound.whole(
            self.board,
            (BARE, self.tables.at(BARE)),
            &self.position,
            budget,
        )?
        else {
            *self.deadlocks.entry("matching").or_default() += 1;
            return Ok(());
        };
        self.root_bound = Some(bound);
        self.lower_bound = bound;
        let boxes = self.board.boxes();
        self.codec
            .write(boxes, player, &mut self.key, &mut self.sorted);
        let hash = self.zobrist.boxes(boxes) ^ self.zobrist.player(player);
        let facts = Facts::new(NO_NODE, 0, bound);
        let node = self.store.insert(&self.key, spread(hash), facts, budget)?;
        budget.generated += 1;
        self.queue.push(self.priority(0, bound, 0), node, budget)
    }

    /// The player's square as it stands in keys: exact for moves, else the least square of
    /// its region.
    fn key_player(&mut self) -> Sq {
        let (board, position) = (self.board, &self.position);
        if self.order == Order::Moves {
            position.player
        } else {
            self.child_reach
                .flood(board, position.player, |sq| position.is_free(sq))
        }
    }

    /// The player's square in the key of a child. Mostly a push neither cuts the player's
    /// region nor opens another; then its least square is known without a flood.
    fn child_player(&mut self, parent: Parent, push: Push) -> Sq {
        let (board, position, reach) = (self.board, &self.position, &self.reach);
        if self.order == Order::Moves {
            return position.player;
        }
        let is_old = |sq: Sq| !position.is_free(sq) || reach.contains(sq);
        let opens = !board.neighbours(push.from).iter().all(|&sq| is_old(sq));
        let cuts =
            reach.contains(push.to) && (push.to == parent.least || position.cuts(board, push.to));
        if opens || cuts {
            self.key_player()
        } else {
            parent.least.min(push.from)
        }
    }

    fn priority(&self, cost: u32, bound: u32, regions: u32) -> u64 {
        match self.order {
            Order::Pushes | Order::Moves => u64::from(cost + bound) << 32 | u64::from(bound),
            Order::Greedy(taste) => {
                let mut main = u64::from(bound) * 8
                    + u64::from(cost) * u64::from(taste.cost)
                    + u64::from(regions) * u64::from(taste.region);
                if taste.unpacked > 0 {
                    let (unpacked, next, early) = self.unpacked();
                    main += u64::from(unpacked) * u64::from(taste.unpacked)
                        + u64::from(next) * u64::from(taste.next)
                        + u64::from(early) * u64::from(taste.early);
                }
                main << 32 | u64::from(cost)
            }
        }
    }

    /// How many goals are left from the first empty one on, in the order of packing, and how
    /// many pushes the nearest box is away from that one, and how many boxes stand on later
    /// goals.
    fn unpacked(&self) -> (u32, u32, u32) {
        let empty = |&goal: &Sq| self.position.box_on(goal).is_none();
        let Some(at) = self.packing.iter().position(empty) else {
            return (0, 0, 0);
        };
        let distances = self.tables.at(self.table);
        let Some(column) = self
            .board
            .goals()
            .iter()
            .position(|&sq| sq == self.packing[at])
        else {
            return (0, 0, 0);
        };
        let packed = &self.packing[..at];
        let nearest = self
            .position
            .boxes
            .iter()
            .filter(|sq| !packed.contains(sq))
            .map(|&sq| distances.row(self.board.side(sq, self.position.player))[column])
            .min();
        let left = (self.packing.len() - at) as u32;
        let later = &self.packing[at..];
        let early = later.iter().filter(|goal| !empty(goal)).count() as u32;
        (
            left,
            nearest.map_or(0, |pushes| u32::from(pushes.min(999))),
            early,
        )
    }

    /// Expands nodes until the search ends by itself, or `quantum` nodes were expanded.
    ///
    /// # Errors
    /// The limit that was reached. The search may not go on then.
    pub(super) fn advance(
        &mut self,
        quantum: u64,
        budget: &mut Budget<'_>,
        tell: &mut dyn FnMut(&Budget<'_>, u32),
    ) -> Result<Option<End>, Limit> {
        let last = budget.expanded.saturating_add(quantum);
        loop {
            let Some((priority, node)) = self.queue.pop(budget) else {
                return Ok(Some(End::Exhausted));
            };
            let facts = self.store.facts(node);
            if facts.is_closed() {
                continue;
            }
            if matches!(self.order, Order::Pushes | Order::Moves) {
                let total = facts.cost() + facts.bound;
                if u64::from(total) != priority >> 32 {
                    continue;
                }
                self.lower_bound = self.lower_bound.max(total);
            }
            if facts.bound == 0 {
                return Ok(Some(End::Solved(node)));
            }
            if !self.load(node, budget)? {
                continue;
            }
            budget.expand()?;
            self.store.facts_mut(node).close();
            if let Some(solved) = self.expand(node, budget)? {
                return Ok(Some(End::Solved(solved)));
            }
            if budget.expanded.is_multiple_of(1024) {
                tell(budget, self.lower_bound);
            }
            if budget.expanded >= last {
                return Ok(None);
            }
        }
    }

    /// Makes `node` the position at hand and finds its bound among the boxes that are stuck
    /// in it. False if that shows it dead, or if it belongs farther back in the queue.
    fn load(&mut self, node: Node, budget: &mut Budget<'_>) -> Result<bool, Limit> {
        let board = self.board;
        let player = self.codec.read(self.store.key(node), &mut self.decoded);
        self.position.place(&self.decoded, player);
        self.table = BARE;
        if self.tables.at(BARE).is_full() && !board.has_spare_boxes() {
            let bare = self.tables.at(BARE);
            self.freeze
                .all_stuck(board, bare, &self.position, &mut self.stuck);
            self.table =
                self.tables
                    .pick(board, &self.codec, &self.zobrist, &self.stuck, budget)?;
        }
        let distances = (self.table, self.tables.at(self.table));
        let known = self.bound.whole(board, distances, &self.position, budget)?;
        let Some(bound) = known else {
            *self.deadlocks.entry("bipartite").or_default() += 1;
            self.store.facts_mut(node).close();
            return Ok(false);
        };
        let facts = self.store.facts(node);
        if bound > facts.bound {
            *self.store.facts_mut(node) = Facts::new(facts.parent, facts.cost(), bound);
            let priority = self.priority(facts.cost(), bound, self.corrals.regions());
            self.queue.push(priority, node, budget)?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Looks at the corrals of the position at hand.
    fn look(&mut self, budget: &mut Budget<'_>) -> Result<Finding, Limit> {
        if self.board.has_spare_boxes() {
            return Ok(Finding::Nothing);
        }
        let scene = Scene {
            board: self.board,
            distances: self.tables.at(self.table),
            bare: self.tables.at(BARE),
            codec: &self.codec,
            zobrist: &self.zobrist,
            position: &self.position,
            reach: &self.reach,
        };
        let prune = self.order != Order::Moves;
        self.corrals.look(&scene, &mut self.freeze, prune, budget)
    }

    /// Generates the children of `node`, which is loaded. A solved child ends a greedy
    /// search.
    fn expand(&mut self, node: Node, budget: &mut Budget<'_>) -> Result<Option<Node>, Limit> {
        let (board, position) = (self.board, &self.position);
        let player = position.player;
        if self.order == Order::Moves {
            self.reach.walk(board, player, |sq| position.is_free(sq));
        } else {
            self.reach.flood(board, player, |sq| position.is_free(sq));
        }
        let finding = self.look(budget)?;
        if finding == Finding::Dead {
            *self.deadlocks.entry("corral").or_default() += 1;
            return Ok(None);
        }
        let parent = Parent {
            node,
            cost: self.store.facts(node).cost(),
            hash: self.zobrist.boxes(&self.decoded),
            least: player,
        };
        for number in 0..self.position.boxes.len() {
            let from = self.position.boxes[number];
            if finding == Finding::Only && !self.corrals.is_chosen(from) {
                continue;
            }
            for way in WAYS {
                let to = board.next(from, way);
                let stand = board.next(from, way ^ 1);
                if !self.reach.contains(stand) || !self.position.is_free(to) {
                    continue;
                }
                if self.tables.at(self.table).open(from) >> way & 1 == 0 {
                    *self.deadlocks.entry("dead square").or_default() += 1;
                    continue;
                }
                let push = Push {
                    number,
                    from,
                    to,
                    way,
                };
                let solved = self.child(parent, push, budget)?;
                if solved.is_some() {
                    return Ok(solved);
                }
            }
        }
        Ok(None)
    }

    /// Considers the state after `push`. The position is as before afterwards.
    fn child(
        &mut self,
        parent: Parent,
        push: Push,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Node>, Limit> {
        budget.poll()?;
        let before = self.position.player;
        self.position.shift(push.number, push.to);
        self.position.player = push.from;
        let outcome = self.consider(parent, push, budget);
        self.position.shift(push.number, push.from);
        self.position.player = before;
        outcome
    }

    fn consider(
        &mut self,
        parent: Parent,
        push: Push,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Node>, Limit> {
        let price = match self.order {
            Order::Moves => self.reach.steps(self.board.next(push.from, push.way ^ 1)) + 1,
            Order::Pushes | Order::Greedy(_) => 1,
        };
        let cost = parent.cost + price;
        let player = self.child_player(parent, push);
        self.codec.write(
            &self.position.boxes,
            player,
            &mut self.key,
            &mut self.sorted,
        );
        let hash = parent.hash
            ^ self.zobrist.of_box(push.from)
            ^ self.zobrist.of_box(push.to)
            ^ self.zobrist.player(player);
        let hash = spread(hash);
        budget.generated += 1;
        if let Some(node) = self.store.find(&self.key, hash) {
            let known = self.store.facts(node);
            let is_greedy = matches!(self.order, Order::Greedy(_));
            if cost < known.cost() && (!is_greedy || !known.is_closed()) {
                *self.store.facts_mut(node) = Facts::new(parent.node, cost, known.bound);
                let priority = self.priority(cost, known.bound, self.corrals.regions());
                self.queue.push(priority, node, budget)?;
            }
            return Ok(None);
        }
        if let Some(kind) = self.dead(push) {
            *self.deadlocks.entry(kind).or_default() += 1;
            return Ok(None);
        }
        let side = self.board.side_towards(push.to, push.way ^ 1);
        let Some(bound) = self
            .bound
            .after(self.tables.at(self.table), push.number, side)
        else {
            *self.deadlocks.entry("matching").or_default() += 1;
            return Ok(None);
        };
        let facts = Facts::new(parent.node, cost, bound);
        let node = self.store.insert(&self.key, hash, facts, budget)?;
        if bound == 0 && matches!(self.order, Order::Greedy(_)) {
            return Ok(Some(node));
        }
        let priority = self.priority(cost, bound, self.corrals.regions());
        self.queue.push(priority, node, budget)?;
        Ok(None)
    }

    /// The kind of deadlock that `push` has made, as far as stuck boxes go.
    fn dead(&mut self, push: Push) -> Option<&'static str> {
        if self.board.has_spare_boxes() {
            return None;
        }
        match self.freeze.test(
            self.board,
            self.tables.at(self.table),
            &self.position,
            push.to,
        ) {
            Frozen::TwoByTwo => Some("two by two"),
            Frozen::OffGoal => Some("freeze"),
            Frozen::No | Frozen::OnGoals => None,
        }
    }

    /// The boxes of the states from the start to `node`.
    pub(super) fn trail(&self, node: Node) -> Vec<Vec<Sq>> {
        let mut trail = Vec::new();
        let mut at = node;
        while at != NO_NODE {
            let mut boxes = Vec::new();
            self.codec.read(self.store.key(at), &mut boxes);
            trail.push(boxes);
            at = self.store.facts(at).parent;
        }
        trail.reverse();
        trail
    }

    /// Gives back what the search held.
    pub(super) fn release(self, budget: &mut Budget<'_>) {
        let grown = self.store.booked()
            + self.queue.booked()
            + self.corrals.booked()
            + self.tables.booked();
        budget.give(grown + self.fixed as usize);
    }
}
