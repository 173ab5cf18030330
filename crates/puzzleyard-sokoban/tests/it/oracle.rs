//! The solver against `tools/oracle/solver.py`, a solver in another language that shares
//! nothing with this crate.
//!
//! Needs Python 3.9 or later: the program named by `PUZZLEYARD_PYTHON`, else `python3`.
//! Without it the tests say `NOT RUN` and pass.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use puzzleyard_core::{Limits, Stop, Stream, Verdict};
use puzzleyard_sokoban::judge::{Strictness, judge};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{Objective, solve};

use crate::{bundled, state_counts};

const ORACLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/oracle");

/// What the reference solver says: the fewest of the objective's unit, or `None` if it proves
/// that there is no answer.
type Least = Option<usize>;

fn python() -> Option<String> {
    let name = std::env::var("PUZZLEYARD_PYTHON").unwrap_or_else(|_| "python3".into());
    let version = Command::new(&name).arg("--version").output();
    version
        .is_ok_and(|output| output.status.success())
        .then_some(name)
}

#[expect(clippy::print_stderr, reason = "a test that did not run must say so")]
fn python_or_notice(what: &str) -> Option<String> {
    let found = python();
    if found.is_none() {
        eprintln!("NOT RUN: {what}: no Python (set PUZZLEYARD_PYTHON)");
    }
    found
}

fn run(python: &str, script: &str, arguments: &[&str]) -> Output {
    let script = Path::new(ORACLE).join(script);
    let mut command = Command::new(python);
    // `-B`: nothing is written beside the script.
    command.arg("-B").arg(script).args(arguments);
    command.output().expect("python starts")
}

/// Asks the reference solver for the fewest pushes or moves of the `index`-th board of a file,
/// after the judge has passed its answer.
fn least(python: &str, path: &str, index: usize, setup: &Setup, objective: Objective) -> Least {
    let number = index.to_string();
    // Time enough on a busy machine; a search that is not finished then fails the test.
    let mut arguments = vec![path, "--index", &number, "--time", "600"];
    if objective == Objective::Moves {
        arguments.push("--moves");
    }
    let output = run(python, "solver.py", &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(1) {
        return None;
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{path} {index}: {errors}");
    let lines: Vec<&str> = text.lines().collect();
    let [answer, counts, proof] = lines[..] else {
        panic!("{path} {index}: expected three lines, found {text}");
    };
    assert!(proof.ends_with(": proved"), "{path} {index}: {proof}");
    let ruling = judge(&setup.board(), answer, Strictness::Plain);
    assert!(ruling.is_solved(), "{path} {index}: {ruling}");
    // Both count alike: `# moves=N pushes=M nodes=K` and `solved moves=N pushes=M`.
    let counted = ruling.to_string().replace("solved", "#");
    assert!(counts.starts_with(&counted), "{path} {index}: {counts}");
    let unit = if objective == Objective::Moves {
        "moves="
    } else {
        "pushes="
    };
    let count = counts.split(' ').find_map(|word| word.strip_prefix(unit));
    count.map(|count| count.parse().expect("a number"))
}

fn ours(level: &Level, objective: Objective) -> Least {
    let report = solve(
        level,
        objective,
        &Limits::default(),
        &Stop::new(),
        &mut |_| {},
    );
    match report.verdict {
        Verdict::Solved(answer) => {
            assert!(report.optimal);
            Some(match objective {
                Objective::Moves => answer.moves(),
                Objective::Any | Objective::Pushes => answer.pushes(),
            })
        }
        Verdict::Unsolvable => None,
        Verdict::GaveUp(limit) => panic!("gave up without limits: {limit}"),
    }
}

#[test]
fn bundled_levels_take_as_many_pushes_in_python() {
    let Some(python) = python_or_notice("bundled levels against solver.py") else {
        return;
    };
    for (file, entries) in bundled::FILES {
        let path = bundled::path(file);
        let path = path.to_str().expect("a path of letters");
        for (at, (setup, entry)) in bundled::setups(file).iter().zip(entries).enumerate() {
            let theirs = least(&python, path, at + 1, setup, Objective::Pushes);
            assert_eq!(theirs, Some(entry.2), "{}", entry.0);
            let level = Level::from_setup(setup, &Waivers::none()).expect("sound");
            assert_eq!(ours(&level, Objective::Pushes), theirs, "{}", entry.0);
        }
    }
}

/// A room with some pillars and two or three boxes anywhere; often unsolvable.
fn random_setup(seed: u64) -> Setup {
    let (stream, mut counter) = (Stream::new(seed, "oracle test room"), 0);
    let mut below = |bound: usize| {
        counter += 1;
        stream.below(counter, bound as u64) as usize
    };
    let (height, width) = (4 + below(2), 4 + below(3));
    let mut rows = vec![vec![Square::WALL; width + 2]; height + 2];
    let mut cells: Vec<(usize, usize)> = (0..height * width)
        .map(|at| (at / width + 1, at % width + 1))
        .collect();
    for at in (1..cells.len()).rev() {
        cells.swap(at, below(at + 1));
    }
    let boxes = 2 + below(2);
    let things = ['@']
        .into_iter()
        .chain(['$', '.'].repeat(boxes))
        .chain([' '].repeat(cells.len()));
    let pillars = cells.len() / 7;
    for (&(row, col), glyph) in cells[pillars..].iter().zip(things) {
        rows[row][col] = Square::from_glyph(glyph).expect("a glyph");
    }
    Setup::from_rows(&rows)
}

#[test]
fn small_levels_take_as_many_pushes_and_moves_in_python() {
    let Some(python) = python_or_notice("small levels against solver.py") else {
        return;
    };
    // A start of Python takes longer than most of these searches, so not all of both.
    let both = [Objective::Pushes, Objective::Moves];
    let random = (0..24).map(|seed| (random_setup(seed), &both[..]));
    let listed = state_counts::rows();
    let listed = listed.iter().map(|row| (row.setup(), &both[..1]));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (mut solved, mut unsolvable) = (0, 0);
    for (setup, objectives) in random.chain(listed) {
        let Ok(level) = Level::from_setup(&setup, &Waivers::none()) else {
            continue;
        };
        let path = folder.join(format!("oracle-{}.xsb", level.id()));
        fs::write(&path, setup.board()).expect("the folder for tests can be written");
        let path = path.to_str().expect("a path of letters");
        for &objective in objectives {
            let theirs = least(&python, path, 1, &setup, objective);
            let board = setup.board();
            assert_eq!(ours(&level, objective), theirs, "{objective:?}\n{board}");
            solved += usize::from(theirs.is_some());
            unsolvable += usize::from(theirs.is_none());
        }
    }
    assert!(
        solved >= 24 && unsolvable >= 6,
        "{solved} solved, {unsolvable} unsolvable"
    );
}

#[test]
fn the_table_of_state_counts_is_what_the_oracle_prints() {
    let Some(python) = python_or_notice("state counts made anew") else {
        return;
    };
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/state_counts.txt");
    let output = run(&python, "state_counts.py", &["--check", table]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_oracles_own_tests_pass() {
    let Some(python) = python_or_notice("tests of solver.py") else {
        return;
    };
    let mut command = Command::new(python);
    command.args(["-B", "-m", "unittest", "discover", "-s", ORACLE]);
    let output = command.output().expect("python starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
