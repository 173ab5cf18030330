//! Sudoku a digit at a time, against the rules.

use std::sync::Arc;

use puzzleyard_core::Stream;
use puzzleyard_env::world::{
    Episode, Outcome, PuzzleSet, PuzzleSetError, Saved, Sudoku, SudokuObservation, SudokuRewards,
    SudokuSettings,
};
use puzzleyard_sudoku::generate::Level;
use puzzleyard_sudoku::{Grid, rules, solve};

fn world(settings: SudokuSettings) -> Arc<Sudoku> {
    let puzzles = PuzzleSet::generated(&Level::Easy.spec(), 3, 20).unwrap();
    Arc::new(Sudoku::new(puzzles, settings).unwrap())
}

fn grid(episode: &Episode<Sudoku>) -> Grid {
    let digits = *episode.world().grid(episode.lane(), 0);
    Grid::from_digits(digits).unwrap()
}

#[test]
fn the_mask_is_what_the_rules_allow_and_refused_digits_change_nothing() {
    let world = world(SudokuSettings {
        rewards: SudokuRewards {
            step: -0.25,
            refused: -1.0,
            ..SudokuRewards::DENSE
        },
        ..SudokuSettings::default()
    });
    let dice = Stream::new(2, "test digits");
    let (mut stuck, mut rolled) = (0, 0);
    for seed in 0..30 {
        let mut episode = Episode::new(Arc::clone(&world));
        episode.reset(Some(seed)).unwrap();
        let clues = grid(&episode).clues();
        let mut last = Outcome::default();
        while episode.is_running() {
            let before = grid(&episode);
            let mut mask = [7; 729];
            episode.mask(&mut mask);
            for (action, open) in mask.into_iter().enumerate() {
                let (cell, digit) = (action / 9, (action % 9) as u8 + 1);
                let allowed = before.digit(cell) == 0
                    && rules::obstacles(&before, cell, digit).next().is_none();
                assert_eq!(open, i8::from(allowed), "{before} {cell} {digit}");
            }
            // Mostly an action that is open, now and then any.
            let open: Vec<u64> = (0..729).filter(|&at| mask[at as usize] == 1).collect();
            rolled += 1;
            let action = if dice.below(rolled, 5) == 0 {
                dice.below(rolled << 20, 729)
            } else {
                open[dice.below(rolled << 20, open.len() as u64) as usize]
            };
            last = episode.step(action).unwrap();
            let after = grid(&episode);
            let share = 1.0 / (81 - clues) as f64;
            if mask[action as usize] == 1 {
                assert_eq!(
                    after,
                    before.with(action as usize / 9, (action % 9) as u8 + 1)
                );
                let solved = if after.is_full() { 1.0 } else { 0.0 };
                assert!((last.reward - (share - 0.25 + solved)).abs() < 1e-12);
            } else {
                assert_eq!((after, last.reward), (before, -1.25));
            }
            assert!(rules::is_legal(&after));
        }
        let after = grid(&episode);
        let open = (0..729).any(|action| {
            after.digit(action / 9) == 0
                && rules::obstacles(&after, action / 9, (action % 9) as u8 + 1)
                    .next()
                    .is_none()
        });
        assert_eq!((last.terminated, last.truncated), (!open, open));
        stuck += u32::from(!open && !after.is_full());
    }
    assert!(stuck > 5, "{stuck}");
}

#[test]
fn the_solution_solves_and_another_digit_is_dead() {
    let world = world(SudokuSettings {
        observation: SudokuObservation::Planes,
        rewards: SudokuRewards {
            dead: -2.0,
            dead_ends: true,
            ..SudokuRewards::DENSE
        },
        ..SudokuSettings::default()
    });
    let mut episode = Episode::new(Arc::clone(&world));
    episode.reset(Some(1)).unwrap();
    let puzzle = grid(&episode);
    let solution = solve::solve(&puzzle).unwrap();
    let empty: Vec<usize> = (0..81).filter(|&cell| puzzle.digit(cell) == 0).collect();
    let wrong = empty.iter().find_map(|&cell| {
        let digits = (1..=9).filter(|&digit| digit != solution.digit(cell));
        let mut open =
            digits.filter(|&digit| rules::obstacles(&puzzle, cell, digit).next().is_none());
        Some((cell, open.next()?))
    });
    let (cell, digit) = wrong.unwrap();
    let mut other = episode.clone();
    let outcome = other
        .step((cell * 9) as u64 + u64::from(digit) - 1)
        .unwrap();
    assert!(outcome.terminated && world.is_dead(other.lane(), 0));
    assert!(outcome.reward < -1.9);

    let mut total = 0.0;
    for (at, &cell) in empty.iter().enumerate() {
        let action = (cell * 9) as u64 + u64::from(solution.digit(cell)) - 1;
        let saved = Saved::from_bytes(&episode.save().to_bytes()).unwrap();
        episode.restore(&saved).unwrap();
        let outcome = episode.step(action).unwrap();
        total += outcome.reward;
        assert_eq!(outcome.terminated, at + 1 == empty.len());
    }
    assert!((total - 2.0).abs() < 1e-9, "{total}");
    let mut seen = vec![0; 729];
    episode.observe(&mut seen);
    for (at, bit) in seen.into_iter().enumerate() {
        assert_eq!(
            bit == 1,
            usize::from(solution.digit(at % 81)) == at / 81 + 1
        );
    }
}

#[test]
fn puzzles_without_one_solution_are_refused_by_number() {
    let one: Grid =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    let refused = |grids: &[Grid]| PuzzleSet::new(grids).unwrap_err().to_string();
    assert_eq!(refused(&[]), PuzzleSetError::Empty.to_string());
    assert_eq!(
        refused(&[one, Grid::EMPTY]),
        "puzzle 2 has several solutions, wanted one"
    );
    let none = one.with(2, 1).with(3, 2);
    assert_eq!(refused(&[none]), "puzzle 1 has no solution, wanted one");
    let full = solve::solve(&one).unwrap();
    assert_eq!(refused(&[full]), "puzzle 1 is full, wanted an empty cell");
    let forged = {
        let world = world(SudokuSettings::default());
        let mut episode = Episode::new(world);
        episode.reset(Some(1)).unwrap();
        let good = episode.save().to_bytes();
        let board = good.len() - 81;
        let clue = good[board..].iter().position(|&digit| digit != 0).unwrap();
        let mut bytes = good.clone();
        bytes[board + clue] = bytes[board + clue] % 9 + 1;
        episode
            .restore(&Saved::from_bytes(&bytes).unwrap())
            .is_err()
            && episode.save().to_bytes() == good
    };
    assert!(forged);
}
