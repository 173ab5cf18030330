//! The data set of the third contract: sentences that speak of it, and what else must hold.

use puzzleyard_env::Turns;
use puzzleyard_env::sudoku::{Difficulty, Episode, Settings, example, examples};
use puzzleyard_sudoku::solve;

use crate::table::grid;

/// "9x9 Grid: Standard Sudoku board with algorithmically generated clues", "Dynamic puzzle
/// generation with unique solution validation", "Difficulty Levels: Easy (36-46 clues), Medium
/// (28-35 clues), Hard (22-27 clues)".
#[test]
fn puzzles_are_generated_unique_and_within_their_clues() {
    let levels = [
        (Difficulty::Easy, 36..=46),
        (Difficulty::Medium, 28..=35),
        (Difficulty::Hard, 22..=27),
    ];
    for (difficulty, clues) in levels {
        for example in examples(difficulty, 40, 7, &Settings::default()).unwrap() {
            let filled = example.puzzle.bytes().filter(|&c| c != b'.').count();
            assert!(clues.contains(&filled), "{difficulty}: {filled}");
            assert_eq!((example.clues, example.empty_cells), (filled, 81 - filled));
            assert_eq!(
                solve::count_solutions(&grid(&example.puzzle), 2).solutions,
                1
            );
        }
    }
}

/// "`max_examples`: Number of Sudoku puzzles to include in dataset", "Scalable Dataset:
/// Generate unlimited unique puzzles for training".
#[test]
fn as_many_different_puzzles_as_asked_for() {
    let all = examples(Difficulty::Easy, 300, 42, &Settings::default()).unwrap();
    let puzzles: std::collections::BTreeSet<_> = all.iter().map(|one| &one.puzzle).collect();
    assert_eq!(puzzles.len(), 300);
    assert!(
        examples(Difficulty::Easy, 0, 42, &Settings::default())
            .unwrap()
            .is_empty()
    );
}

/// "`seed`: Random seed for reproducible puzzle selection".
#[test]
fn the_seed_decides_the_puzzles() {
    let puzzles = |seed, count| -> Vec<String> {
        let all = examples(Difficulty::Medium, count, seed, &Settings::default()).unwrap();
        all.into_iter().map(|one| one.puzzle).collect()
    };
    assert_eq!(puzzles(42, 8), puzzles(42, 8));
    assert_eq!(puzzles(42, 8)[..3], puzzles(42, 3));
    assert_ne!(puzzles(42, 8), puzzles(123, 8));
}

/// "`difficulty`: hard, `max_turns`: 75" needs knowing: 50 turns finish no hard puzzle, and the
/// example says so.
#[test]
fn an_example_says_whether_its_turns_suffice() {
    for (difficulty, max_turns, wanted) in [
        (Difficulty::Easy, Turns::Fixed(50), true),
        (Difficulty::Hard, Turns::Fixed(50), false),
        (Difficulty::Hard, Turns::Auto, true),
    ] {
        let settings = Settings {
            max_turns,
            ..Settings::default()
        };
        for one in examples(difficulty, 10, 5, &settings).unwrap() {
            assert_eq!(one.solvable_within_turns, wanted, "{}", one.id);
            let turns = if max_turns == Turns::Auto {
                one.empty_cells as u32 * 2
            } else {
                50
            };
            assert_eq!(one.max_turns, turns);
        }
    }
}

#[test]
fn an_example_shows_what_its_episode_shows_and_no_more() {
    let settings = Settings::default();
    let one = example(Difficulty::Medium, 17, 9, &settings).unwrap();
    assert_eq!(
        one,
        examples(Difficulty::Medium, 18, 9, &settings).unwrap()[17]
    );
    let episode = Episode::new(grid(&one.puzzle), settings).unwrap();
    assert_eq!(
        (&one.prompt, &one.system_prompt),
        (&episode.prompt(), &episode.system_prompt())
    );
    assert_eq!(one.id, "medium/9/17");
    let solution = solve::solve(&grid(&one.puzzle)).unwrap().to_string();
    let text = serde_json::to_string(&one).unwrap();
    assert!(!text.contains(&solution));
    assert_eq!(
        serde_json::from_str::<puzzleyard_env::sudoku::Example>(&text).unwrap(),
        one
    );
}

#[test]
fn too_many_examples_and_impossible_turns_are_refused() {
    let settings = Settings {
        max_turns: Turns::Fixed(0),
        ..Settings::default()
    };
    assert!(examples(Difficulty::Easy, u64::MAX, 1, &Settings::default()).is_err());
    assert!(examples(Difficulty::Easy, 1, 1, &settings).is_err());
}
