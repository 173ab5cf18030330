//! `yard sudoku`: what the documents promise, with answers found another way.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use puzzleyard_sudoku::judge::judge;
use serde_json::Value;

use crate::fixture::{binary, data, has_program, yard};

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Its solution, as published with it.
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Status, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = yard().arg("sudoku").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().unwrap();
    (status, text(&output.stdout), text(&output.stderr))
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// One of each: solved, none, several, unreadable.
fn mixed() -> String {
    let none = format!("5{}", &EASY[1..].replacen('3', "5", 1));
    let several = EASY.replace(['5', '7'], ".");
    format!("# remark\n{EASY}\n{none}\n{several}\n12x\n{SOLUTION}\n")
}

#[test]
fn answers_stand_in_order_whatever_the_lines_are() {
    let folder = tempfile::tempdir().unwrap();
    let mixed = &file(folder.path(), "mixed.txt", &mixed());
    let (status, out, said) = run(&["solve", mixed]);
    assert_eq!(status, 2);
    assert_eq!(
        out,
        format!("{SOLUTION}\nnone\nseveral\ninvalid\n{SOLUTION}\n")
    );
    assert!(said.contains("line 5, column"), "{said}");
    let (status, json, _) = run(&[
        "solve",
        "--format",
        "json",
        "--threads",
        "3",
        mixed,
        "absent",
    ]);
    assert_eq!(status, 2);
    let all = rows(&json);
    let statuses: Vec<&str> = all
        .iter()
        .map(|row| row["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["solved", "none", "several", "invalid", "solved"]);
    assert_eq!(
        (&all[0]["solution"], &all[0]["line"]),
        (&SOLUTION.into(), &2.into())
    );
    for name in ["solution", "second"] {
        let puzzle = EASY.replace(['5', '7'], ".");
        let answer = all[2][name].as_str().unwrap();
        assert!(judge(&puzzle, answer).is_ok(), "{answer}");
    }
    assert_ne!(all[2]["solution"], all[2]["second"]);
    let (_, out, _) = run(&["count", mixed, "--limit", "5"]);
    let counts: Vec<&str> = out.lines().collect();
    assert_eq!(
        (counts[0], counts[1], counts[3], counts[4]),
        ("1", "0", "invalid", "1")
    );
    assert!(
        counts[2] == "5+"
            || counts[2]
                .parse::<u64>()
                .is_ok_and(|count| (2..5).contains(&count))
    );
}

#[test]
fn other_forms_and_sizes_are_solved_too() {
    let folder = tempfile::tempdir().unwrap();
    let grid: Vec<String> = EASY
        .as_bytes()
        .chunks(9)
        .map(|row| String::from_utf8_lossy(row).into_owned())
        .collect();
    let grid = &file(folder.path(), "grid.txt", &grid.join("\n"));
    assert_eq!(run(&["solve", grid]).1, format!("{SOLUTION}\n"));
    let four = &file(folder.path(), "four.txt", "13..\n....\n..4.\n2..1\n");
    assert_eq!(
        run(&["solve", four]).1,
        "1324\n4213\n3142\n2431\n".replace('\n', "") + "\n"
    );
    let sixteen = &file(
        folder.path(),
        "sixteen.txt",
        &format!("{}\n", ".".repeat(256)),
    );
    assert_eq!(run(&["solve", sixteen, "--nodes", "1"]).1, "gave_up\n");
}

#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let many = &file(folder.path(), "many.txt", &mixed().repeat(3000));
    let few = &file(folder.path(), "few.txt", &mixed().repeat(30));
    for (command, file) in [
        ("solve", many),
        ("count", few),
        ("check", few),
        ("rate", few),
        ("hint", few),
    ] {
        let limit: &[&str] = if command == "count" {
            &["--limit", "9"]
        } else {
            &[]
        };
        let once = run(&[&[command, file], limit].concat());
        for threads in ["2", "5"] {
            let again = run(&[&[command, file, "--threads", threads], limit].concat());
            assert_eq!(again.0, once.0);
            assert!(again.1 == once.1, "{command} on {threads} threads");
        }
    }
}

#[test]
fn check_tells_what_is_wrong_apart() {
    let folder = tempfile::tempdir().unwrap();
    let twice = format!("55{}", &EASY[2..]);
    // No rule is broken, but 9 has no place in row A: six cells hold other digits, and the rest
    // see the 9 of C9. A7 and A8 have no part in it.
    let stuck = "12345678.".to_owned() + &".".repeat(17) + "9" + &".".repeat(54);
    let several = ".".repeat(81);
    let text = format!("{EASY}\n{twice}\n{stuck}\n{several}\n");
    let puzzles = &file(folder.path(), "puzzles.txt", &text);
    let (status, out, _) = run(&["check", puzzles]);
    assert_eq!(status, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains(":1: unique, 30 clues, "), "{}", lines[0]);
    assert!(
        lines[1].contains("digit 5 twice in row A: A1, A2"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].contains("no solution: ") && lines[2].contains("C9=9"),
        "{}",
        lines[2]
    );
    assert!(lines[3].contains("several solutions: "), "{}", lines[3]);
    let (_, json, _) = run(&["check", "--format", "json", puzzles]);
    let all = rows(&json);
    assert_eq!(all[0]["solution"], SOLUTION);
    assert_eq!(
        all[1]["conflicts"][0]["cells"],
        serde_json::json!(["A1", "A2"])
    );
    assert_eq!(all[2]["contradiction"].as_array().unwrap().len(), 7);
    let first = file(folder.path(), "proper.txt", EASY);
    assert_eq!(run(&["check", &first]).0, 0);
}

#[test]
fn generated_puzzles_have_the_clues_asked_for_and_one_solution() {
    for (difficulty, clues) in [("easy", 36..=46), ("medium", 28..=35), ("hard", 22..=27)] {
        let arguments = [
            "generate",
            "--difficulty",
            difficulty,
            "--count",
            "20",
            "--seed",
            "7",
        ];
        let (status, out, said) = run(&arguments);
        assert_eq!((status, said.as_str()), (0, ""));
        assert_eq!(out.lines().count(), 20);
        for line in out.lines() {
            assert_eq!(line.len(), 81);
            let count = line.bytes().filter(u8::is_ascii_digit).count();
            assert!(clues.contains(&count), "{difficulty}: {count}");
        }
        let folder = tempfile::tempdir().unwrap();
        let made = &file(folder.path(), "made.txt", &out);
        let counts = run(&["count", "--limit", "2", made]).1;
        assert_eq!(counts, "1\n".repeat(20));
        let more = [&arguments[..], &["--threads", "3"]].concat();
        assert_eq!(run(&more).1, out);
    }
    let (_, out, _) = run(&[
        "generate",
        "--clues",
        "30",
        "--symmetry",
        "rotation-180",
        "--with-solution",
    ]);
    let (puzzle, solution) = out
        .trim()
        .split_once(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap();
    let solution: String = solution.chars().filter(char::is_ascii_digit).collect();
    assert!(judge(puzzle, &solution).is_ok(), "{out}");
    let filled: Vec<bool> = puzzle.bytes().map(|byte| byte != b'.').collect();
    assert!((0..81).all(|cell| filled[cell] == filled[80 - cell]));
    let folder = tempfile::tempdir().unwrap();
    let (_, out, _) = run(&["generate", "--minimal", "--count", "3"]);
    let minimal = &file(folder.path(), "minimal.txt", &out);
    assert_eq!(run(&["check", minimal]).1.matches(", minimal").count(), 3);
    let (_, out, _) = run(&["generate", "--score", "1.2..1.5", "--count", "3"]);
    let scored = &file(folder.path(), "scored.txt", &out);
    for row in rows(&run(&["rate", "--format", "json", scored]).1) {
        assert!(
            (1.2..=1.5).contains(&row["score"].as_f64().unwrap()),
            "{row}"
        );
    }
}

#[test]
fn rating_and_hint_explain() {
    let folder = tempfile::tempdir().unwrap();
    let easy = &file(folder.path(), "easy.txt", EASY);
    let (status, out, _) = run(&["rate", "--path", easy]);
    assert_eq!(status, 0);
    // 51 empty cells, and this puzzle needs singles only.
    assert_eq!(out.lines().count(), 52);
    let (_, out, _) = run(&["hint", easy]);
    assert!(out.contains("single") && out.contains('['), "{out}");
    let row = &rows(&run(&["hint", "--format", "json", easy]).1)[0];
    let place = row["place"].as_str().unwrap();
    let cell = puzzleyard_sudoku::cell_named(&place[..2]).unwrap();
    assert_eq!(&SOLUTION[cell..=cell], &place[3..], "{place}");
    let none = &file(folder.path(), "several.txt", &".".repeat(81));
    assert_eq!(run(&["rate", none]).0, 1);
}

#[test]
fn converting_keeps_the_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let easy = &file(folder.path(), "easy.txt", EASY);
    for kind in ["line", "grid", "sdk", "sdm", "ss", "csv", "json"] {
        let (status, out, said) = run(&["convert", "--to", kind, easy]);
        assert_eq!((status, said.as_str()), (0, ""), "{kind}");
        let ending = if kind == "line" || kind == "grid" {
            "txt"
        } else {
            kind
        };
        let other = &file(folder.path(), &format!("{kind}.{ending}"), &out);
        assert_eq!(run(&["convert", other]).1.trim(), EASY, "{kind}");
    }
    let canonical = run(&["convert", "--canonical", easy]).1;
    for way in [
        &["--rotate", "1"][..],
        &["--transpose"],
        &["--relabel"],
        &["--shuffle", "5"],
    ] {
        let turned = run(&[&["convert", easy], way].concat()).1;
        assert_ne!(turned.trim(), EASY);
        let turned = &file(folder.path(), "turned.txt", &turned);
        assert_eq!(run(&["convert", "--canonical", turned]).1, canonical);
    }
    let turned = run(&["convert", "--rotate", "1", easy]).1;
    // A quarter turn clockwise: the first row is the first column from below.
    let first: String = (0..9).rev().map(|row| &EASY[row * 9..=row * 9]).collect();
    assert_eq!(turned[..9], first);
}

#[test]
fn bad_input_ends_with_status_two_and_a_reader_may_leave() {
    let folder = tempfile::tempdir().unwrap();
    let empty = &file(folder.path(), "empty.txt", "");
    let binary_file = &file(folder.path(), "binary.txt", "\0\u{1}\u{2}");
    let here = folder.path().to_str().unwrap();
    for command in [
        "solve", "count", "check", "rate", "hint", "convert", "bench",
    ] {
        for input in [empty.as_str(), binary_file, here, "absent"] {
            let (status, out, said) = run(&[command, input]);
            assert_eq!(status, 2, "{command} {input}: {out} {said}");
            assert!(!said.is_empty() && !said.contains("panicked"), "{said}");
        }
    }
    let many = &file(
        folder.path(),
        "many.txt",
        &format!("{EASY}\n").repeat(100_000),
    );
    for arguments in [
        &["solve", many][..],
        &["generate", "--count", "100000000"],
        &["generate", "--count", "100000000", "--kind", "json"],
    ] {
        let mut child = Command::new(binary())
            .arg("sudoku")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut byte = [0];
        let mut pipe = child.stdout.take().unwrap();
        std::io::Read::read_exact(&mut pipe, &mut byte).unwrap();
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn the_kernels_agree_on_hard_puzzles() {
    let Some(data) = data("the kernels on the 17-clue set") else {
        return;
    };
    let set = data.join("sudoku/17_clue.txt");
    let text = fs::read_to_string(set).unwrap();
    let some: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take(300)
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let some = &file(folder.path(), "some.txt", &some.join("\n"));
    let (status, out, _) = run(&["bench", "--time", "10ms", "--format", "json", some]);
    assert_eq!(status, 0);
    let all = rows(&out);
    let solved: Vec<&Value> = all
        .iter()
        .filter(|row| row["what"] == "solve" && row["skipped"].is_null())
        .collect();
    assert!(!solved.is_empty());
    assert!(solved.iter().all(|row| row["unique"] == 300), "{out}");
    assert_eq!(
        all.iter().filter(|row| row["what"] == "generate").count(),
        3
    );
}

/// The real thing in a real terminal: `script` gives one, and keys come through a pipe.
#[test]
fn a_game_is_played_in_a_terminal_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let easy = &file(folder.path(), "easy.txt", EASY);
    let output = yard().args(["sudoku", "play", easy]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("terminal"));
    if !has_program("script", "a game in a pseudo-terminal") {
        return;
    }
    let saved = folder.path().join("game.json");
    let play = |keys: &str, arguments: &str| {
        let command = format!(
            "stty rows 24 cols 80; {} sudoku play {arguments} --save {}",
            binary().display(),
            saved.display()
        );
        let mut child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for key in keys.bytes() {
            std::thread::sleep(std::time::Duration::from_millis(20));
            // It may have left already.
            let _ = std::io::Write::write_all(&mut stdin, &[key]);
        }
        let output = child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    // A3 is 4; A4 gets 9 and loses it again.
    let (status, screen) = play("4l9uq", easy);
    assert_eq!(status, Some(0), "{screen}");
    // The words of the title; between them the cursor is moved.
    assert!(screen.contains("Puzzleyard"), "{screen}");
    assert!(screen.contains("Sudoku"), "{screen}");
    let game: Value = serde_json::from_slice(&fs::read(&saved).unwrap()).unwrap();
    assert_eq!(game["grid"], EASY.replacen('.', "4", 1));
    // Taken up again: A4 is 6.
    assert_eq!(play("6q", "").0, Some(0));
    let game: Value = serde_json::from_slice(&fs::read(&saved).unwrap()).unwrap();
    assert_eq!(
        game["grid"],
        EASY.replacen('.', "4", 1).replacen('.', "6", 1)
    );
}
