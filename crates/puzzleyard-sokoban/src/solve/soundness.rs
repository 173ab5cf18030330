//! Tests of every bound and pruning against whole state spaces of small levels.
//!
//! All states that pushes can reach are listed without any pruning, and the exact number of
//! pushes left is found backwards from the solved ones.

use std::collections::HashMap;

use puzzleyard_core::{Limits, Stop, Stream};

use super::board::{Board, Sq, WAYS};
use super::bound::Bound;
use super::budget::Budget;
use super::deadlock::{Corrals, Finding, Freeze, Frozen, Scene};
use super::distance::Distances;
use super::position::{Position, Reach};
use super::sample;
use super::store::{Codec, Zobrist};
use super::tables::{BARE, Tables};

type Key = (Vec<Sq>, Sq);

/// A push: the box's square, the way, and the number of the state that it leads to.
type Edge = (Sq, usize, usize);

/// Every state that pushes reach, the pushes between them, and the pushes left.
struct Space {
    states: Vec<Key>,
    edges: Vec<Vec<Edge>>,
    left: Vec<Option<u32>>,
}

fn region(board: &Board, boxes: &[Sq], player: Sq) -> Vec<Sq> {
    let mut seen = vec![player];
    let mut at = 0;
    while at < seen.len() {
        for &to in board.neighbours(seen[at]) {
            if to != board.wall() && !boxes.contains(&to) && !seen.contains(&to) {
                seen.push(to);
            }
        }
        at += 1;
    }
    seen.sort_unstable();
    seen
}

fn space(board: &Board) -> Space {
    let start = region(board, board.boxes(), board.player())[0];
    let mut states: Vec<Key> = vec![(board.boxes().to_vec(), start)];
    let mut number: HashMap<Key, usize> = HashMap::from([(states[0].clone(), 0)]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < states.len() {
        let (boxes, player) = states[edges.len()].clone();
        let reach = region(board, &boxes, player);
        let mut out = Vec::new();
        for &sq in &boxes {
            for way in WAYS {
                let to = board.next(sq, way);
                if to == board.wall()
                    || boxes.contains(&to)
                    || !reach.contains(&board.next(sq, way ^ 1))
                {
                    continue;
                }
                let mut after: Vec<Sq> = boxes
                    .iter()
                    .map(|&b| if b == sq { to } else { b })
                    .collect();
                after.sort_unstable();
                let least = region(board, &after, sq)[0];
                let key = (after, least);
                let next = *number.entry(key.clone()).or_insert_with(|| {
                    states.push(key);
                    states.len() - 1
                });
                out.push((sq, way, next));
            }
        }
        edges.push(out);
    }
    let solved =
        |(boxes, _): &Key| boxes.iter().filter(|&&sq| board.is_goal(sq)).count() >= board.needed();
    let mut left: Vec<Option<u32>> = states.iter().map(|key| solved(key).then_some(0)).collect();
    for depth in 0.. {
        let mut changed = false;
        for at in 0..states.len() {
            if left[at].is_none()
                && edges[at]
                    .iter()
                    .any(|&(_, _, next)| left[next] == Some(depth))
            {
                left[at] = Some(depth + 1);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Space {
        states,
        edges,
        left,
    }
}

/// What the parts of the search say of one state.
struct Parts<'a> {
    board: &'a Board,
    bare: &'a Distances,
    codec: Codec,
    zobrist: Zobrist,
    tables: Tables<'a>,
    bound: Bound,
    freeze: Freeze,
    corrals: Corrals,
    position: Position,
    reach: Reach,
}

/// Counts of what was seen, so that a test that sees nothing fails.
#[derive(Debug, Default)]
struct Tally {
    condemned: u32,
    chosen: u32,
    tighter: u32,
}

impl Parts<'_> {
    fn check(&mut self, space: &Space, at: usize, budget: &mut Budget<'_>, tally: &mut Tally) {
        let (boxes, player) = &space.states[at];
        let left = space.left[at];
        let text = format!("{boxes:?} {player} {left:?}");
        self.position.place(boxes, *player);
        let position = &self.position;
        self.reach
            .flood(self.board, *player, |sq| position.is_free(sq));
        let bare = (BARE, self.bare);
        let mut first = 0;
        for table in [true, false] {
            let mut stuck = Vec::new();
            if table && !self.board.has_spare_boxes() {
                self.freeze
                    .all_stuck(self.board, self.bare, &self.position, &mut stuck);
            }
            let number = self
                .tables
                .pick(self.board, &self.codec, &self.zobrist, &stuck, budget)
                .expect("no limits");
            let distances = if table {
                (number, self.tables.at(number))
            } else {
                bare
            };
            let bound = self
                .bound
                .whole(self.board, distances, &self.position, budget)
                .expect("no limits");
            match (bound, left) {
                (Some(bound), Some(left)) => assert!(bound <= left, "{text}: bound {bound}"),
                (None, Some(_)) => panic!("{text}: no pairing"),
                (_, None) => tally.condemned += u32::from(bound.is_none()),
            }
            let bound = bound.unwrap_or(u32::MAX);
            if table {
                first = bound;
            } else {
                assert!(bound <= first, "{text}");
                tally.tighter += u32::from(bound < first && left.is_some());
            }
            if self.board.has_spare_boxes() {
                return;
            }
            self.check_freeze(boxes, number, left, &text, tally);
            self.check_corrals(space, at, number, budget, tally);
        }
    }

    fn check_freeze(
        &mut self,
        boxes: &[Sq],
        table: usize,
        left: Option<u32>,
        text: &str,
        tally: &mut Tally,
    ) {
        for &sq in boxes {
            let distances = self.tables.at(table);
            let frozen = self.freeze.test(self.board, distances, &self.position, sq);
            if matches!(frozen, Frozen::OffGoal | Frozen::TwoByTwo) {
                assert_eq!(left, None, "{text}: {frozen:?} at {sq}");
                tally.condemned += 1;
            }
        }
    }

    fn check_corrals(
        &mut self,
        space: &Space,
        at: usize,
        table: usize,
        budget: &mut Budget<'_>,
        tally: &mut Tally,
    ) {
        let scene = Scene {
            board: self.board,
            distances: self.tables.at(table),
            bare: self.bare,
            codec: &self.codec,
            zobrist: &self.zobrist,
            position: &self.position,
            reach: &self.reach,
        };
        let finding = self
            .corrals
            .look(&scene, &mut self.freeze, true, budget)
            .expect("no limits");
        match finding {
            Finding::Nothing => {}
            Finding::Dead => {
                assert_eq!(space.left[at], None, "{:?}", space.states[at]);
                tally.condemned += 1;
            }
            Finding::Only => {
                let chosen = |&&(sq, _, _): &&Edge| self.corrals.is_chosen(sq);
                let best = space.edges[at]
                    .iter()
                    .filter(chosen)
                    .filter_map(|&(_, _, next)| space.left[next])
                    .min();
                let expected = space.left[at].map(|left| left.saturating_sub(1));
                assert_eq!(best, expected, "{:?}", space.states[at]);
                tally.chosen += 1;
            }
        }
    }
}

#[test]
fn no_solution_is_ever_pruned() {
    let mut tally = Tally::default();
    // height, width, boxes, walls in per cent, levels
    let rows = [
        (6, 7, 5, 15, 300),
        (7, 8, 5, 30, 250),
        (5, 8, 6, 10, 250),
        (7, 7, 7, 25, 200),
    ];
    for (height, width, boxes, walls, levels) in rows {
        for seed in 0..levels {
            let stream = Stream::new(seed, "soundness");
            let level = sample::level(&stream, height, width, boxes, walls);
            let stop = Stop::new();
            let mut budget = Budget::new(&Limits::default(), &stop);
            let budget = &mut budget;
            let board = Board::new(&level, budget).expect("no limits");
            let bare = Distances::new(&board, &[], budget).expect("no limits");
            let codec =
                Codec::new(board.len(), board.boxes().len(), |_| true, budget).expect("no limits");
            let mut parts = Parts {
                board: &board,
                bare: &bare,
                zobrist: Zobrist::new(&board, budget).expect("no limits"),
                tables: Tables::new(&bare, &board, codec.len(), budget).expect("no limits"),
                bound: Bound::new(&board, &bare, budget).expect("no limits"),
                freeze: Freeze::new(&board, budget).expect("no limits"),
                corrals: Corrals::new(&board, codec.len(), budget).expect("no limits"),
                position: Position::new(&board, budget).expect("no limits"),
                reach: Reach::new(&board, budget).expect("no limits"),
                codec,
            };
            let space = space(&board);
            for at in 0..space.states.len() {
                parts.check(&space, at, budget, &mut tally);
            }
        }
    }
    assert!(
        tally.condemned > 10_000 && tally.chosen > 500 && tally.tighter > 5,
        "{tally:?}"
    );
}
