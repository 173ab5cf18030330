//! Ratings and steps: against the program the scale comes from, against solutions found by
//! search, and against a slow second reading of what each step claims.

#[path = "rating/proof.rs"]
mod proof;

use puzzleyard_core::Stream;
use puzzleyard_sudoku::rate::{Pencil, RateError, Step, Technique, hint, rate, rate_score};
use puzzleyard_sudoku::{Grid, cell_named, solve};

const EXPLAINER: &str = include_str!("../data/rating/explainer.txt");
const FAMOUS: &str = include_str!("../data/rating/famous.txt");
const EXAMPLES: &str = include_str!("../data/rating/examples.txt");

/// The fields of the lines of a data file: puzzle, then the rest.
fn rows(text: &'static str) -> impl Iterator<Item = (Grid, &'static str)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (puzzle, rest) = line.split_at(81);
            (puzzle.parse().unwrap(), rest.trim())
        })
}

#[test]
fn ratings_are_those_of_sudoku_explainer() {
    let mut seen = 0;
    for (grid, rest) in rows(EXPLAINER) {
        if seen % 6 == 0 {
            assert!(
                rest.starts_with(&rate_score(&grid).unwrap().to_string()),
                "{grid}"
            );
        }
        let rating = rate(&grid).unwrap();
        let ours = format!("{} {} {}", rating.score, rating.pearl, rating.diamond);
        assert_eq!(ours, rest, "{grid}");
        seen += 1;
    }
    assert!(seen > 200);
}

/// Nested chains are counted by rules that are not published in full; a tenth is the largest
/// difference seen.
#[test]
fn famous_puzzles_are_within_a_tenth() {
    for (grid, rest) in rows(FAMOUS) {
        let (published, name) = rest.split_once(' ').unwrap();
        let score = rate_score(&grid).unwrap();
        let published: u16 = published.parse().unwrap();
        assert!(score.abs_diff(published) <= 1, "{name}: {score}");
    }
}

#[test]
fn each_technique_has_an_example_that_search_confirms() {
    let mut names = std::collections::BTreeSet::new();
    for (grid, name) in rows(EXAMPLES) {
        let solution = solve::solve(&grid).unwrap();
        let path = rate(&grid).unwrap().path;
        let mut pencil = Pencil::new(&grid);
        let mut found = 0;
        for step in &path {
            if step.technique.name() == name {
                for &(cell, digit) in &step.remove {
                    let tried = pencil.grid().with(cell, digit);
                    assert_eq!(solve::solve(&tried), None, "{name} {grid}");
                }
                if let Some((cell, digit)) = step.place {
                    assert_eq!(solution.digit(cell), digit, "{name} {grid}");
                }
                found += 1;
            }
            pencil.apply(step);
        }
        assert!(found > 0, "{name} is not in the path of {grid}");
        assert_eq!(*pencil.grid(), solution);
        names.insert(name);
    }
    assert_eq!(names.len(), 35);
}

/// Every step of many paths: it keeps the solution, does something, scores as the rating says,
/// and is explained by a structure that holds when read again slowly.
#[test]
fn every_step_is_sound_and_explained_right() {
    let examples = rows(EXAMPLES).map(|row| row.0);
    let explainer = rows(EXPLAINER).map(|row| row.0);
    for grid in examples.chain(explainer.step_by(3)) {
        let solution = solve::solve(&grid).unwrap();
        let rating = rate(&grid).unwrap();
        let mut pencil = Pencil::new(&grid);
        for step in &rating.path {
            check(&pencil, step, Some(&solution), &grid);
            pencil.apply(step);
        }
        let highest = rating.path.iter().map(|step| step.score).max();
        assert_eq!(highest, Some(rating.score));
        assert_eq!(*pencil.grid(), solution);
    }
}

/// The same for the chains inside chains of one of the hardest puzzles.
#[test]
fn nested_chains_are_explained_right() {
    let (grid, _) = rows(FAMOUS).nth(2).unwrap();
    let solution = solve::solve(&grid).unwrap();
    let mut pencil = Pencil::new(&grid);
    for step in rate(&grid).unwrap().path {
        check(&pencil, &step, Some(&solution), &grid);
        pencil.apply(&step);
    }
}

fn check(pencil: &Pencil, step: &Step, solution: Option<&Grid>, grid: &Grid) {
    let told = format!("{} in {grid}: {}", step.technique, step.reason());
    assert!(step.place.is_some() || !step.remove.is_empty(), "{told}");
    for &(cell, digit) in &step.remove {
        assert!(pencil.has(cell, digit), "{told}");
        if let Some(solution) = solution {
            assert_ne!(solution.digit(cell), digit, "{told}");
        }
    }
    if let (Some((cell, digit)), Some(solution)) = (step.place, solution) {
        assert_eq!(solution.digit(cell), digit, "{told}");
    }
    if let Err(fault) = proof::verify(pencil, step) {
        panic!("{fault}: {told}");
    }
}

/// Grids with several solutions: no step loses one of them.
#[test]
fn steps_keep_every_solution_of_an_ambiguous_grid() {
    let stream = Stream::new(7, "rating: ambiguous grids");
    let mut checked = 0;
    for (index, (puzzle, _)) in rows(EXPLAINER).step_by(8).enumerate() {
        let solution = solve::solve(&puzzle).unwrap();
        // Clues of the puzzle less two, with a few digits of the solution.
        let clues: Vec<usize> = (0..81).filter(|&cell| puzzle.digit(cell) != 0).collect();
        let mut grid = puzzle;
        for draw in 0..2 {
            let at = stream.below(index as u64 * 10 + draw, clues.len() as u64) as usize;
            grid = grid.with(clues[at], 0);
        }
        for draw in 2..6 {
            let cell = stream.below(index as u64 * 10 + draw, 81) as usize;
            grid = grid.with(cell, solution.digit(cell));
        }
        let all: Vec<Grid> = solve::solutions(&grid).take(500).collect();
        if all.len() < 2 || all.len() == 500 {
            continue;
        }
        let mut pencil = Pencil::new(&grid);
        for _ in 0..30 {
            let Some(step) = hint(&pencil) else { break };
            assert!(!step.assumes_unique());
            check(&pencil, &step, None, &grid);
            for solution in &all {
                let kept = step
                    .remove
                    .iter()
                    .all(|&(cell, digit)| solution.digit(cell) != digit);
                assert!(kept, "{} in {grid}", step.reason());
                if let Some((cell, digit)) = step.place {
                    assert_eq!(solution.digit(cell), digit, "{} in {grid}", step.reason());
                }
            }
            pencil.apply(&step);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

/// Grids and marks that make no sense get a step or none, and each step changes something.
#[test]
fn nonsense_is_borne() {
    let stream = Stream::new(11, "rating: nonsense");
    for index in 0..300u64 {
        let draw = |counter: u64, bound: u64| stream.below(index * 1000 + counter, bound);
        let mut grid = Grid::EMPTY;
        for clue in 0..draw(0, 40) {
            grid = grid.with(
                draw(1 + clue * 2, 81) as usize,
                draw(2 + clue * 2, 10) as u8,
            );
        }
        let mut pencil = Pencil::new(&grid);
        let density = draw(100, 4) + 1;
        for cell in 0..81 {
            let mut mask = draw(200 + cell, 1 << 16) as u16;
            for round in 1..density {
                mask &= draw(200 + round * 100 + cell, 1 << 16) as u16;
            }
            pencil.set_candidates(cell as usize, mask);
        }
        for _ in 0..4 {
            let Some(step) = hint(&pencil) else { break };
            assert!(!step.reason().is_empty());
            let before = pencil.clone();
            pencil.apply(&step);
            assert_ne!(before, pencil, "{}", step.reason());
        }
    }
}

#[test]
fn what_has_no_rating_says_why() {
    assert_eq!(rate(&Grid::EMPTY), Err(RateError::Several));
    let twice = Grid::EMPTY.with(0, 5).with(8, 5);
    let error = rate(&twice).unwrap_err();
    assert!(matches!(error, RateError::Conflict(_)));
    assert_eq!(error.to_string(), "digit 5 stands 2 times in row A");
    assert_eq!(rate_score(&twice), Err(error));
    let none = (0..8).fold(Grid::EMPTY, |grid, cell| grid.with(cell, cell as u8 + 1));
    assert_eq!(rate(&none.with(17, 9)), Err(RateError::NoSolution));
}

#[test]
fn a_full_grid_rates_nothing() {
    let (puzzle, _) = rows(FAMOUS).next().unwrap();
    let rating = rate(&solve::solve(&puzzle).unwrap()).unwrap();
    assert_eq!((rating.score, rating.hardest), (0, None));
    assert_eq!(hint(&Pencil::new(&solve::solve(&puzzle).unwrap())), None);
}

/// The first step for an empty grid whose marks are struck as given.
fn first(strike: impl Fn(&mut Pencil)) -> Step {
    let mut pencil = Pencil::new(&Grid::EMPTY);
    strike(&mut pencil);
    let step = hint(&pencil).unwrap();
    check(&pencil, &step, None, &Grid::EMPTY);
    step
}

/// Leaves the digit only these places in the row.
fn confine(pencil: &mut Pencil, row: char, digit: u8, cols: &[usize]) {
    for col in (1..10).filter(|col| !cols.contains(col)) {
        pencil.strike(cell_named(&format!("{row}{col}")).unwrap(), digit);
    }
}

/// Techniques that no path of the data needs, in positions drawn by hand.
#[test]
fn rare_techniques_by_hand() {
    let step = first(|pencil| {
        confine(pencil, 'A', 1, &[1, 4]);
        confine(pencil, 'C', 1, &[1, 7]);
        confine(pencil, 'E', 1, &[2, 4]);
        confine(pencil, 'G', 1, &[2, 7]);
    });
    assert_eq!((step.technique, step.score), (Technique::Jellyfish, 52));
    assert_eq!(step.remove.len(), 4 * 5);
    let step = first(|pencil| {
        for digit in 1..=4 {
            confine(pencil, 'A', digit, &[1, 4, 7, 9]);
        }
    });
    assert_eq!((step.technique, step.score), (Technique::HiddenQuad, 54));
    assert_eq!(step.remove.len(), 4 * 5);
}

#[test]
fn steps_are_written_as_json() {
    let (grid, _) = rows(FAMOUS).next().unwrap();
    let step = hint(&Pencil::new(&grid)).unwrap();
    let json = serde_json::to_value(&step).unwrap();
    assert_eq!(json["technique"], "hidden single in box");
    assert_eq!(json["score"], 1.2);
    assert_eq!(json["reason"], step.reason());
    let (cell, digit) = step.place.unwrap();
    let name = puzzleyard_sudoku::cell_name(cell);
    assert_eq!(json["place"], format!("{name}={digit}"));
}
