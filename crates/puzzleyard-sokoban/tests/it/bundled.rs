//! The levels that come with the project: free of faults, and solved in as few pushes as the
//! reference solver (`tools/oracle/solver.py`) needs.

use std::fs;
use std::path::PathBuf;

use puzzleyard_core::{Limits, Stop, Verdict};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::judge::{Ruling, Strictness, judge};
use puzzleyard_sokoban::model::Setup;
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{Objective, solve};

/// A level's title, its number of boxes and the fewest pushes, as `solver.py` counts them.
type Entry = (&'static str, usize, usize);

const FIRST_STEPS: &[Entry] = &[("Anvil", 3, 25), ("Cat", 5, 22), ("Owl", 8, 15)];

const ROUND_THE_YARD: &[Entry] = &[
    ("Bridge", 3, 17),
    ("Saddle", 3, 14),
    ("Hook", 3, 16),
    ("Three Stalls", 3, 21),
    ("Workshop", 4, 20),
    ("Wineglass", 4, 25),
    ("Balcony", 4, 16),
    ("Ledge", 5, 29),
    ("Plough", 5, 22),
    ("Trident", 5, 22),
    ("Stile", 5, 22),
    ("Basket", 6, 25),
    ("Chimney", 6, 23),
    ("Four Corners", 6, 18),
    ("Plaza", 7, 34),
    ("Castle", 7, 24),
    ("Beehive", 8, 16),
    ("Pier", 8, 24),
    ("Lattice", 8, 13),
    ("Market Day", 10, 30),
];

/// The bundled files with what is known of their levels.
pub(crate) const FILES: [(&str, &[Entry]); 2] = [
    ("first-steps.xsb", FIRST_STEPS),
    ("round-the-yard.xsb", ROUND_THE_YARD),
];

/// Where a bundled file lies.
pub(crate) fn path(file: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../levels")).join(file)
}

/// The levels of a bundled file.
pub(crate) fn setups(file: &str) -> Vec<Setup> {
    let bytes = fs::read(path(file)).expect("a file of the project");
    format::read(&bytes).expect("readable").setups
}

#[test]
fn bundled_levels_are_sound_and_solved_in_the_fewest_pushes() {
    for (file, entries) in FILES {
        let setups = setups(file);
        assert_eq!(setups.len(), entries.len(), "{file}");
        for (setup, &(title, boxes, pushes)) in setups.iter().zip(entries) {
            assert_eq!(setup.title.as_deref(), Some(title), "{file}");
            let level = Level::from_setup(setup, &Waivers::none())
                .unwrap_or_else(|faults| panic!("{title}: {faults}"));
            assert_eq!(level.start().boxes.len(), boxes, "{title}");
            let limits = Limits::default();
            let report = solve(
                &level,
                Objective::Pushes,
                &limits,
                &Stop::new(),
                &mut |_| {},
            );
            let Verdict::Solved(answer) = report.verdict else {
                panic!("{title}: {:?}", report.verdict);
            };
            assert!(report.optimal, "{title}");
            assert_eq!(answer.pushes(), pushes, "{title}");
            // Long enough to be worth watching, short enough to be watched to the end.
            assert!(
                (20..=150).contains(&answer.moves()),
                "{title}: {} moves",
                answer.moves()
            );
            let ruling = judge(&setup.board(), &answer.to_string(), Strictness::CaseMatters);
            let moves = answer.moves();
            assert_eq!(ruling, Ruling::Solved { moves, pushes }, "{title}");
        }
    }
}

/// The demonstration plays these: one level each of three, five and eight or more boxes.
#[test]
fn first_steps_are_three_levels_of_rising_size() {
    let boxes: Vec<usize> = FIRST_STEPS.iter().map(|entry| entry.1).collect();
    assert!(matches!(boxes[..], [3, 5, most] if most >= 8), "{boxes:?}");
}

#[test]
fn bundled_files_are_written_in_the_canonical_form() {
    for (file, _) in FILES {
        let text = fs::read_to_string(path(file)).expect("a file of the project");
        let collection = format::read(text.as_bytes()).expect("readable");
        assert_eq!(collection.author.as_deref(), Some("Puzzleyard"), "{file}");
        assert_eq!(
            format::write(&collection, format::Form::Xsb),
            text,
            "{file}"
        );
    }
}
