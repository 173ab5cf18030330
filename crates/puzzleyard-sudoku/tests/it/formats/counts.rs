//! Counts of solutions against a table made by a slow second implementation.

use puzzleyard_core::{Limit, Limits, Stop, Verdict};
use puzzleyard_sudoku::solve::diagnosis::is_solution_of;
use puzzleyard_sudoku::solve::{self, general};
use puzzleyard_sudoku::{Board, Shape};

/// Boxes, limit, count and board of each row of the table of `tools/oracle/sudoku.py`.
pub(crate) fn table() -> Vec<(Board, u64, u64)> {
    let value = |c: char| match c {
        '.' => 0,
        '@' => 36,
        _ => c.to_digit(36).unwrap() as u8,
    };
    include_str!("../../data/formats/counts.txt")
        .lines()
        .filter(|line| !line.starts_with(';'))
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let (rows, cols) = fields[0].split_once('x').unwrap();
            let shape = Shape::new(rows.parse().unwrap(), cols.parse().unwrap()).unwrap();
            let digits = fields[3].chars().map(value).collect();
            let board = Board::from_digits(shape, digits).unwrap();
            (
                board,
                fields[1].parse().unwrap(),
                fields[2].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn counts_agree_with_the_oracle() {
    let rows = table();
    assert!(rows.len() > 60);
    for (board, limit, wanted) in rows {
        let count = general::count(&board, limit, &Limits::default(), &Stop::new());
        assert_eq!(
            (count.solutions, count.stopped),
            (wanted, None),
            "{board:?}"
        );
        assert_eq!(
            (count.first.is_some(), count.second.is_some()),
            (wanted > 0, wanted > 1)
        );
        for found in count.first.iter().chain(&count.second) {
            assert!(is_solution_of(found, &board), "{board:?}");
        }
        assert!(count.first != count.second || wanted == 0);
        if let Some(grid) = board.classic() {
            assert_eq!(solve::count_solutions(&grid, limit).solutions, wanted);
        }
    }
}

#[test]
fn empty_boards_of_all_shapes() {
    for size in (4..=16).chain([20, 25, 36]) {
        let usual = Shape::of_size(size).map_or(1, Shape::box_rows);
        let fits = |&rows: &usize| size % rows == 0 && (size <= 16 || rows == usual);
        for rows in (1..=size).filter(fits) {
            let board = Board::new(Shape::new(rows, size / rows).unwrap());
            let limits = Limits {
                nodes: Some(2_000),
                memory: Some(1 << 28),
            };
            match general::solve(&board, &limits, &Stop::new()) {
                Verdict::Solved(answer) => assert!(is_solution_of(&answer, &board)),
                Verdict::GaveUp(Limit::Nodes) => assert!(size > 16, "{}", board.shape()),
                other => panic!("{}: {other:?}", board.shape()),
            }
        }
    }
}

#[test]
fn limits_are_kept() {
    let board = Board::new(Shape::new(5, 5).unwrap());
    let with = |nodes, memory| {
        let limits = Limits { nodes, memory };
        let count = general::count(&board, u64::MAX, &limits, &Stop::new());
        assert!(count.nodes <= nodes.unwrap_or(u64::MAX));
        count.stopped
    };
    assert_eq!(with(Some(0), None), Some(Limit::Nodes));
    assert_eq!(with(Some(100), None), Some(Limit::Nodes));
    assert_eq!(with(Some(100), Some(1000)), Some(Limit::Memory));
    assert_eq!(with(Some(10_000), Some(1 << 18)), Some(Limit::Memory));
    let stop = Stop::new();
    stop.raise(Limit::Time);
    let verdict = general::solve(&board, &Limits::default(), &stop);
    assert_eq!(verdict, Verdict::GaveUp(Limit::Time));
    // The same board and limits: the same answer.
    let limits = Limits {
        nodes: Some(5000),
        memory: None,
    };
    let twice = [0, 1].map(|_| general::count(&board, 50, &limits, &Stop::new()));
    assert_eq!(twice[0], twice[1]);
}
