//! No unsolved episode earns what a solved one does.
//!
//! The exhaustive search walks every state of an abstract episode: what the rewards depend on,
//! with everything that the rules of Sudoku would forbid left open. Whatever an episode can
//! earn, the abstract one can.

use proptest::prelude::*;
use puzzleyard_env::sudoku::{End, Episode};

use crate::table::{PUZZLE, SOLUTION, direct, grid, millionths, solution_moves};

/// 17, 30 and 78 clues. The first is number 1 of Royle's collection of 17-clue puzzles.
const PUZZLES: [&str; 3] = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    PUZZLE,
    "534678912672195348198342567859761423426853791713924856961537284287419635345286...",
];

/// An abstract cell: has it been paid, and what it holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Held {
    Nothing,
    Clean,
    Clashing,
}

/// The most that can be earned by moves, in tenths of a point, for each end of an episode of
/// `cells` empty cells and `turns` turns: unfinished with so many filled, complete but wrong.
///
/// In the abstract episode a move may place a clean or a clashing digit in any cell, over what
/// is there or not, clear a cell, or be invalid. A complete board counts as wrong if a cell
/// holds a clashing digit. That covers real boards: of two equal digits in a unit, the later
/// was placed as clashing, and if nothing was written over it, it still is.
fn best(cells: usize, turns: u32) -> (Vec<Option<i32>>, Option<i32>) {
    use std::collections::BTreeMap;
    type Cells = Vec<(bool, Held)>;
    let mut now: BTreeMap<Cells, i32> = BTreeMap::new();
    now.insert(vec![(false, Held::Nothing); cells], 0);
    let mut unfinished = vec![None; cells];
    let mut wrong = None;
    unfinished[0] = Some(0);
    for _ in 0..turns {
        let mut next: BTreeMap<Cells, i32> = BTreeMap::new();
        let mut reach = |mut state: Cells, earned: i32| {
            state.sort_unstable();
            let filled = state.iter().filter(|cell| cell.1 != Held::Nothing).count();
            if filled == cells {
                if state.iter().any(|cell| cell.1 == Held::Clashing) {
                    wrong = wrong.max(Some(earned));
                }
                return;
            }
            unfinished[filled] = unfinished[filled].max(Some(earned));
            let best = next.entry(state).or_insert(earned);
            *best = (*best).max(earned);
        };
        for (state, earned) in now {
            reach(state.clone(), earned - 2);
            for cell in 0..cells {
                let (paid, held) = state[cell];
                let mut with = |after: (bool, Held), gain: i32| {
                    let mut state = state.clone();
                    state[cell] = after;
                    reach(state, earned + gain);
                };
                with((true, Held::Clean), i32::from(!paid));
                with((paid, Held::Clashing), -2);
                if held != Held::Nothing {
                    with((paid, Held::Nothing), -1);
                }
            }
        }
        now = next;
    }
    (unfinished, wrong)
}

/// The formula of the proof in `docs/sudoku-episode.md`, in millionths: the most that an
/// unsolved episode with `empty` cells can earn.
fn bound(empty: i64) -> i64 {
    let unfinished = 100_000 * empty + 2_000_000 * (empty - 1) / empty;
    let wrong = 100_000 * empty - 200_000 + 1_000_000 + 2_000_000 - 200_000;
    unfinished.max(wrong)
}

#[test]
fn the_exhaustive_search_stays_below_the_formula() {
    for cells in 1..=5usize {
        for turns in [1, 2, 3, 5, 8, 12] {
            let (unfinished, wrong) = best(cells, turns);
            let empty = cells as i64;
            for (filled, earned) in unfinished.into_iter().enumerate() {
                let Some(earned) = earned else { continue };
                assert!(
                    earned <= cells as i32,
                    "moves alone earn no more than a tenth a cell"
                );
                let total = 100_000 * i64::from(earned) + 2_000_000 * filled as i64 / empty;
                assert!(
                    total <= bound(empty),
                    "{cells} cells, {turns} turns, {filled} filled"
                );
            }
            if let Some(earned) = wrong {
                // Two violations at least.
                let total = 100_000 * i64::from(earned) + 3_000_000 - 200_000;
                assert!(
                    total <= bound(empty),
                    "{cells} cells, {turns} turns, complete"
                );
            }
        }
    }
    // The bound on moves is met: the search is not empty.
    assert_eq!(best(3, 4), (vec![Some(0), Some(1), Some(2)], Some(1)));
    assert_eq!(
        best(3, 8).0[2],
        Some(3 - 1),
        "the third cell is paid, then cleared"
    );
}

#[test]
fn the_bound_is_below_the_floor_for_every_puzzle() {
    // 64 empty cells at most: 17 clues at least.
    let most = (1..=64).map(bound).max().unwrap();
    assert_eq!(most, 9_000_000);
    assert!(most < 9_200_000);
}

/// A full board that breaks a rule has two violations at least: the exhaustive case is every
/// board that differs from a solution in one cell or by a swap, which are the nearest ones.
#[test]
fn a_wrong_full_board_has_two_violations_at_least() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut fewest = i64::MAX;
    for (at, step) in moves.iter().enumerate() {
        let digit = step.as_bytes()[9];
        for other in (b'1'..=b'9').filter(|&other| other != digit) {
            let mut said = moves.clone();
            said[at] = step.replace(
                &format!("={}", char::from(digit)),
                &format!("={}", char::from(other)),
            );
            let mut episode = Episode::new(grid(PUZZLE), direct(51)).unwrap();
            for said in &said {
                episode.turn(said);
            }
            assert_eq!(episode.end(), Some(End::CompleteButWrong));
            fewest = fewest.min(-millionths(episode.score().violations) / 100_000);
        }
    }
    assert_eq!(fewest, 3, "a digit too many in row, column and box");
}

/// A board with a single pair of violations exists, so that the proof gives nothing away: two
/// cells of a row swapped within one box and one column band touch two columns.
#[test]
fn exactly_two_violations_are_possible() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut fewest = i64::MAX;
    for one in 0..moves.len() {
        for two in one + 1..moves.len() {
            let mut said = moves.clone();
            let (first, second) = (moves[one].as_bytes()[9], moves[two].as_bytes()[9]);
            said[one] = moves[one].replace(
                &format!("={}", char::from(first)),
                &format!("={}", char::from(second)),
            );
            said[two] = moves[two].replace(
                &format!("={}", char::from(second)),
                &format!("={}", char::from(first)),
            );
            let mut episode = Episode::new(grid(PUZZLE), direct(51)).unwrap();
            for said in &said {
                episode.turn(said);
            }
            if episode.end() == Some(End::CompleteButWrong) {
                fewest = fewest.min(-millionths(episode.score().violations) / 100_000);
            }
        }
    }
    assert_eq!(fewest, 2);
}

proptest! {
    /// Greedy and spiteful players: whatever they do, an unsolved total is
    /// within the bound, and a solved one is at least the floor.
    #[test]
    fn no_player_beats_the_bound(
        which in 0..PUZZLES.len(),
        turns in 1u32..400,
        plan in prop::collection::vec((0u8..8, any::<u16>()), 1..400),
    ) {
        let puzzle = grid(PUZZLES[which]);
        let empty = 81 - puzzle.clues() as i64;
        let solution = puzzleyard_sudoku::solve::solve(&puzzle).unwrap();
        let mut episode = Episode::new(puzzle, direct(turns)).unwrap();
        let mut earned = 0;
        for (kind, number) in plan {
            let open: Vec<usize> = (0..81).filter(|&cell| puzzle.digit(cell) == 0).collect();
            let cell = match kind {
                0..=4 => open.iter().copied().find(|&cell| episode.board().digit(cell) == 0).unwrap_or(0),
                _ => open[usize::from(number) % open.len()],
            };
            let digit = match kind {
                0..=3 => solution.digit(cell),
                4 | 5 => (number % 9 + 1) as u8,
                6 => 0,
                _ => episode.board().digit(cell),
            };
            let step = puzzleyard_env::sudoku::Move { cell, digit };
            let reply = episode.turn(&format!("<move>{step}</move>"));
            earned += millionths(reply.reward);
            let score = episode.score();
            let total = millionths(score.total);
            if episode.end() == Some(End::Solved) {
                prop_assert!(total >= 9_200_000);
            } else {
                prop_assert!(total <= bound(empty));
                prop_assert!(earned <= 100_000 * empty);
            }
        }
    }
}
