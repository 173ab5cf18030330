//! What is said of puzzles that are not as they should be.

use puzzleyard_core::{Limit, Limits, Stop};
use puzzleyard_sudoku::solve::diagnosis::{Diagnosis, diagnose, is_solution_of};
use puzzleyard_sudoku::{Board, Grid, Shape, solve};

use super::counts::table;

fn diagnosis(board: &Board) -> Diagnosis {
    diagnose(board, &Limits::default(), &Stop::new())
}

fn board(line: &str) -> Board {
    Board::from(line.parse::<Grid>().unwrap())
}

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn a_digit_twice_is_named() {
    let Diagnosis::Conflicts(conflicts) = diagnosis(&board(&LINE.replacen("53.", "535", 1))) else {
        panic!("no conflict");
    };
    assert_eq!(conflicts[0].cells, [0, 2]);
}

/// Without any one of the clues named there is a solution; with all of them there is none.
fn is_irreducible(board: &Board, clues: &[usize]) {
    let with = |left_out: Option<usize>| {
        let mut digits = vec![0; board.digits().len()];
        for &cell in clues.iter().filter(|&&cell| Some(cell) != left_out) {
            digits[cell] = board.digit(cell);
        }
        let reduced = Board::from_digits(board.shape(), digits).unwrap();
        let count = solve::general::count(&reduced, 1, &Limits::default(), &Stop::new());
        if let Some(grid) = reduced.classic() {
            assert_eq!(solve::count_solutions(&grid, 1).solutions, count.solutions);
        }
        count.solutions > 0
    };
    assert!(!with(None), "{board:?} {clues:?}");
    assert!(
        clues.iter().all(|&cell| with(Some(cell))),
        "{board:?} {clues:?}"
    );
}

#[test]
fn every_row_of_the_table_is_diagnosed() {
    let mut seen = [0; 4];
    for (board, limit, count) in table() {
        assert!(limit >= 2);
        match diagnosis(&board) {
            Diagnosis::Conflicts(conflicts) => {
                seen[0] += 1;
                assert!(count == 0 && !conflicts.is_empty());
            }
            Diagnosis::NoSolution { clues, minimal } => {
                seen[1] += 1;
                assert!(count == 0 && minimal);
                is_irreducible(&board, &clues);
            }
            Diagnosis::Unique(solution) => {
                seen[2] += 1;
                assert!(count == 1 && is_solution_of(&solution, &board));
            }
            Diagnosis::Several {
                first,
                second,
                differ,
            } => {
                seen[3] += 1;
                assert!(count >= 2);
                assert!(is_solution_of(&first, &board) && is_solution_of(&second, &board));
                let cells = 0..board.digits().len();
                let really: Vec<usize> = cells
                    .filter(|&cell| first.digit(cell) != second.digit(cell))
                    .collect();
                assert_eq!(really, differ);
            }
            other @ Diagnosis::GaveUp(_) => panic!("{board:?}: {other:?}"),
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn contradictions_are_small() {
    // The top left cell sees every digit.
    let grid = (1..=5).fold(Grid::EMPTY, |grid, digit| {
        grid.with(usize::from(digit), digit)
    });
    let grid = (6..=9).fold(grid, |grid, digit| {
        grid.with(usize::from(digit - 5) * 9, digit)
    });
    // Clues elsewhere have no part in it.
    let grid = grid.with(80, 1).with(70, 2).with(60, 3);
    let Diagnosis::NoSolution { clues, minimal } = diagnosis(&Board::from(grid)) else {
        panic!("solved");
    };
    assert!(minimal);
    is_irreducible(&Board::from(grid), &clues);
    assert!(clues.len() <= 9, "{clues:?}");
}

#[test]
fn limits_end_a_diagnosis() {
    let empty = Board::new(Shape::new(5, 5).unwrap());
    let limits = |nodes| Limits {
        nodes: Some(nodes),
        memory: None,
    };
    let gave_up = diagnose(&empty, &limits(3), &Stop::new());
    assert_eq!(gave_up, Diagnosis::GaveUp(Limit::Nodes));
    let stop = Stop::new();
    stop.raise(Limit::Interrupt);
    let stopped = diagnose(&board(LINE), &Limits::default(), &stop);
    assert_eq!(stopped, Diagnosis::GaveUp(Limit::Interrupt));
    // No solution is proved within few nodes; that the clues are minimal is not.
    let (unsolvable, _, _) = table()
        .into_iter()
        .find(|(board, _, count)| {
            *count == 0
                && board.shape().size() > 9
                && puzzleyard_sudoku::rules::conflicts(board).is_empty()
        })
        .unwrap();
    let nodes = (1..10_000).find(|&nodes| {
        diagnose(&unsolvable, &limits(nodes), &Stop::new()) != Diagnosis::GaveUp(Limit::Nodes)
    });
    let found = diagnose(&unsolvable, &limits(nodes.unwrap()), &Stop::new());
    assert!(
        matches!(found, Diagnosis::NoSolution { minimal: false, .. }),
        "{found:?}"
    );
}
