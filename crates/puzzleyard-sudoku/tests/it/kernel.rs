//! All kernels against each other, against a plain backtracker, and against the judge.

use std::path::PathBuf;

use proptest::prelude::*;
use puzzleyard_core::Stream;
use puzzleyard_sudoku::solve::{
    Engine, Kernel, Outcome, count_solutions, is_unique, solutions, solve,
};
use puzzleyard_sudoku::{Grid, box_of, col_of, judge, row_of};

/// Counts by trying digits in the cell with the fewest, from the rules alone.
fn oracle(grid: &Grid, limit: u64) -> u64 {
    fn fits(digits: &[u8; 81], cell: usize, digit: u8) -> bool {
        (0..81).all(|other| {
            other == cell
                || digits[other] != digit
                || (row_of(other) != row_of(cell)
                    && col_of(other) != col_of(cell)
                    && box_of(other) != box_of(cell))
        })
    }
    fn deepen(digits: &mut [u8; 81], limit: u64) -> u64 {
        let choices = |cell: usize| -> Vec<u8> {
            (1..=9).filter(|&digit| fits(digits, cell, digit)).collect()
        };
        let empty = (0..81).filter(|&cell| digits[cell] == 0);
        let Some((cell, tried)) = empty
            .map(|cell| (cell, choices(cell)))
            .min_by_key(|(_, tried)| tried.len())
        else {
            return 1;
        };
        let mut count = 0;
        for digit in tried {
            if count >= limit {
                break;
            }
            digits[cell] = digit;
            count += deepen(digits, limit - count);
            digits[cell] = 0;
        }
        count
    }
    let mut digits = *grid.digits();
    if (0..81).any(|cell| digits[cell] != 0 && !fits(&digits, cell, digits[cell])) {
        return 0;
    }
    deepen(&mut digits, limit)
}

fn kernels() -> impl Iterator<Item = Engine> {
    Kernel::ALL.into_iter().filter_map(Engine::with)
}

fn outcomes(engine: Engine, grids: &[Grid], limit: u64) -> Vec<Outcome> {
    let mut out = Vec::new();
    engine.count_all(grids, limit, &mut out);
    out
}

/// Grids from a solved one: cells emptied, and sometimes a digit changed.
fn sample(count: u64, clues: u64) -> Vec<Grid> {
    let random = Stream::new(7, "kernel-test");
    let base = Grid::EMPTY.with(0, 1);
    (0..count)
        .map(|k| {
            let mut at = k * 1000;
            let mut draw = |bound| {
                at += 1;
                random.below(at, bound)
            };
            let mut grid = base;
            for _ in 0..4 {
                let tried = grid.with(draw(81) as usize, draw(9) as u8 + 1);
                if solve(&tried).is_some() {
                    grid = tried;
                }
            }
            let full = solve(&grid).expect("kept only if solvable");
            let mut puzzle = Grid::EMPTY;
            while (puzzle.clues() as u64) < clues + k % 8 {
                let cell = draw(81) as usize;
                puzzle = puzzle.with(cell, full.digit(cell));
            }
            if k % 3 == 0 {
                puzzle = puzzle.with(draw(81) as usize, draw(9) as u8 + 1);
            }
            puzzle
        })
        .collect()
}

#[test]
fn counts_are_those_of_the_plain_backtracker() {
    let grids = sample(600, 24);
    let wanted: Vec<u64> = grids.iter().map(|grid| oracle(grid, 50)).collect();
    assert!(wanted.contains(&0) && wanted.contains(&1) && wanted.contains(&50));
    assert!(wanted.iter().any(|&count| count > 1 && count < 50));
    for engine in kernels() {
        let found: Vec<u64> = outcomes(engine, &grids, 50)
            .iter()
            .map(|outcome| outcome.solutions)
            .collect();
        assert_eq!(found, wanted, "{}", engine.kernel());
    }
    for (grid, &wanted) in grids.iter().zip(&wanted) {
        assert_eq!(count_solutions(grid, 50).solutions, wanted);
        let all: Vec<Grid> = solutions(grid).take(50).collect();
        let distinct: std::collections::BTreeSet<&Grid> = all.iter().collect();
        assert_eq!(distinct.len() as u64, wanted);
        for solution in &all {
            judge::judge(&grid.to_string(), &solution.to_string()).unwrap();
        }
    }
}

#[test]
fn outcomes_do_not_depend_on_kernel_batch_or_order() {
    let grids = sample(300, 20);
    for limit in [1, 2, 7] {
        let alone: Vec<Outcome> = grids
            .iter()
            .flat_map(|grid| outcomes(Engine::detect(), &[*grid], limit))
            .collect();
        let mut backwards = grids.clone();
        backwards.reverse();
        for engine in kernels() {
            assert_eq!(outcomes(engine, &grids, limit), alone);
            let mut found = outcomes(engine, &backwards, limit);
            found.reverse();
            assert_eq!(found, alone);
        }
    }
}

#[test]
fn both_solutions_are_shown_and_differ() {
    let grids = sample(300, 22);
    for (grid, outcome) in grids.iter().zip(outcomes(Engine::detect(), &grids, 2)) {
        assert_eq!(outcome.first.is_some(), outcome.solutions >= 1);
        assert_eq!(outcome.second.is_some(), outcome.solutions >= 2);
        assert!(outcome.second.is_none() || outcome.first != outcome.second);
        for solution in [outcome.first, outcome.second].into_iter().flatten() {
            judge::judge(&grid.to_string(), &solution.to_string()).unwrap();
        }
        assert_eq!(is_unique(grid), outcome.solutions == 1);
    }
}

#[test]
fn a_guess_limit_bounds_what_has_no_end() {
    // P. Norvig, "Solving Every Sudoku Puzzle": impossible, and 24 minutes for his program.
    let hostile: Grid =
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
            .parse()
            .unwrap();
    for engine in kernels() {
        let found = outcomes(
            engine.with_guess_limit(100),
            &[hostile, Grid::EMPTY],
            1 << 40,
        );
        assert!(
            found
                .iter()
                .all(|outcome| outcome.gave_up && outcome.guesses == 100)
        );
        let whole = outcomes(engine.with_guess_limit(5_000_000), &[hostile], 2);
        assert_eq!((whole[0].solutions, whole[0].gave_up), (0, false));
    }
}

#[test]
fn a_grid_that_breaks_a_rule_has_no_solution() {
    let full = solve(&Grid::EMPTY).unwrap();
    let mut grids = vec![full];
    for cell in 0..81 {
        grids.push(full.with(cell, full.digit(cell) % 9 + 1));
        grids.push(Grid::EMPTY.with(cell, 5).with((cell + 1) % 81, 5));
    }
    for engine in kernels() {
        for (grid, outcome) in grids.iter().zip(outcomes(engine, &grids, 1)) {
            let legal = puzzleyard_sudoku::rules::is_legal(grid);
            assert_eq!(outcome.solutions, u64::from(legal), "{grid}");
        }
        assert!(outcomes(engine, &[], 2).is_empty());
        assert_eq!(
            outcomes(engine, &grids, 0),
            vec![Outcome::default(); grids.len()]
        );
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a check that could not run says so")]
fn every_puzzle_of_the_collections_is_unique() {
    let data = std::env::var_os("PUZZLEYARD_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = data.join("sudoku");
    let Ok(files) = std::fs::read_dir(&folder) else {
        assert!(
            std::env::var_os("PUZZLEYARD_REQUIRE_DATA").is_none(),
            "no collections in {}",
            folder.display()
        );
        eprintln!("NOT RUN: no collections in {}", folder.display());
        return;
    };
    let mut grids = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        grids.extend(lines.filter_map(|line| line.get(..81)?.parse::<Grid>().ok()));
    }
    assert!(grids.len() > 1000);
    let wanted = outcomes(Engine::with(Kernel::Portable).unwrap(), &grids, 2);
    for engine in kernels() {
        assert_eq!(outcomes(engine, &grids, 2), wanted, "{}", engine.kernel());
    }
    for (grid, outcome) in grids.iter().zip(&wanted) {
        assert_eq!(outcome.solutions, 1, "{grid}");
        let solution = outcome.first.unwrap();
        judge::judge(&grid.to_string(), &solution.to_string()).unwrap();
    }
    for grid in grids.iter().step_by(10) {
        assert!(is_unique(grid));
    }
}

proptest! {
    #[test]
    fn any_digits_give_the_same_everywhere(
        digits in proptest::collection::vec(prop_oneof![6 => Just(0u8), 1 => 1u8..=9], 81)
    ) {
        let grid = Grid::from_digits(digits.try_into().unwrap()).unwrap();
        let wanted = oracle(&grid, 3);
        for engine in kernels() {
            prop_assert_eq!(outcomes(engine, &[grid], 3)[0].solutions, wanted);
        }
        prop_assert_eq!(count_solutions(&grid, 3).solutions, wanted);
    }
}
