//! What every command owes its caller: exit statuses, quiet ends, folders left alone, and
//! nothing but results on standard output.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fixture::{binary, root, yard};

const EASY: &str = "#####\n#@$.#\n#####\n";

/// Wide, empty, twelve boxes, as few moves as can be: nobody waits for the end of this.
fn endless() -> String {
    let (wall, floor) = ("#".repeat(30), " ".repeat(28));
    let floor = format!("#{floor}#");
    let boxes = format!("#{}    #", " $".repeat(12));
    let goals = format!("#{}    #", ". ".repeat(12));
    let start = format!("#@{}#", " ".repeat(27));
    let rows = [
        &wall, &start, &boxes, &floor, &floor, &floor, &floor, &goals, &floor, &wall,
    ];
    rows.map(|row| format!("{row}\n")).concat()
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn statuses_are_those_of_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    let easy = &file(folder.path(), "easy.xsb", EASY);
    let several = &file(folder.path(), "several.xsb", &format!("{EASY}\n{EASY}"));
    let solved = &file(folder.path(), "solved.xsb", "#####\n#@* #\n#####\n");
    let illegal = &file(folder.path(), "illegal.xsb", "#####\n#@@.#\n#####\n");
    let empty = &file(folder.path(), "empty.xsb", "");
    let binary = &file(folder.path(), "binary.xsb", "\0\u{1}\u{2}");
    let full = folder.path().join("absent");
    let full = full.to_str().unwrap();
    let here = folder.path().to_str().unwrap();
    let hopeless = &file(
        folder.path(),
        "hopeless.xsb",
        "######\n#@ $.#\n#$ . #\n######\n",
    );
    let (first, none) = (&format!("{several}#1"), &format!("{several}#0"));
    let beyond = &format!("{several}#3");
    let rows: &[(&[&str], i32)] = &[
        (&["sokoban", "solve", easy], 0),
        (&["sokoban", "solve", solved], 0),
        (&["sokoban", "solve", hopeless], 0),
        (&["sokoban", "solve", easy, "--nodes", "0"], 0),
        (&["sokoban", "check", easy], 0),
        (&["sokoban", "show", illegal], 0),
        (&["sokoban", "judge", first, "r"], 0),
        (&["sokoban", "check", illegal], 1),
        (&["sokoban", "judge", easy, "l"], 1),
        (
            &["prove", hopeless, "--surface", "embedded", "--out", full],
            1,
        ),
        (&["window", "--level", easy], 1),
        (&["sokoban", "solve", illegal], 2),
        (&["sokoban", "solve", empty], 2),
        (&["sokoban", "solve", binary], 2),
        (&["sokoban", "solve", here], 2),
        (&["sokoban", "solve", easy, "--level", "0"], 2),
        (&["sokoban", "solve", none], 2),
        (&["sokoban", "solve", beyond], 2),
        (&["sokoban", "judge", several, "r"], 2),
        (&["sokoban", "convert", easy, "--to", "slc"], 2),
        (&["drive", easy, "r"], 2),
        (&["prove", solved, "--out", full], 2),
        (&["prove", easy, "--surface", "embedded", "--out", here], 2),
        (&["prove", easy, "--surface", "embedded", "--out", empty], 2),
        (&["grade", easy], 2),
    ];
    for (arguments, status) in rows {
        yard().args(*arguments).assert().code(*status);
    }
}

/// What was solved is kept, the level in hand is given up, and the status says interrupted.
#[test]
fn an_interrupt_keeps_the_results_and_ends_with_status_130() {
    let folder = tempfile::tempdir().unwrap();
    let levels = file(
        folder.path(),
        "levels.xsb",
        &format!("{EASY}\n{}", endless()),
    );
    let mut child = Command::new(binary())
        .args(["sokoban", "solve", "--objective", "moves", "--format"])
        .args(["json", &levels])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The first row is out as soon as it is known; by then the handler is in place.
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["solution"], "R");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let rest: Vec<Value> = lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["status"], "gave_up");
    assert_eq!(rest[0]["reason"], "interrupted");
}

/// `| head -1` is no failure of either side.
#[test]
fn a_reader_that_leaves_ends_the_command_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let many = file(folder.path(), "many.xsb", &format!("{EASY}\n").repeat(9000));
    for command in [
        &["solve"][..],
        &["show"],
        &["convert", "--to", "rle"],
        &["solve", "--format", "json", "--threads", "2"],
    ] {
        let mut child = Command::new(binary())
            .arg("sokoban")
            .args(command)
            .arg(&many)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut byte = [0];
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut byte).unwrap();
        drop(pipe);
        let mut said = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{command:?}: {said}");
        assert_eq!(said, "", "{command:?}");
    }
}

/// A full device is a failure, and no panic, on either stream.
#[test]
fn a_full_device_is_said_once() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(device) = full() else {
        eprintln!("NOT RUN: writing to a full device: no /dev/full");
        return;
    };
    let easy = root().join("levels/first-steps.xsb");
    let solve = |out: Stdio, err: Stdio| {
        Command::new(binary())
            .args(["sokoban", "solve"])
            .arg(&easy)
            .arg("absent.xsb")
            .stdout(out)
            .stderr(err)
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap()
    };
    let output = solve(device.into(), Stdio::piped());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("os error 28").count(), 1, "{said}");
    let output = solve(Stdio::piped(), full().unwrap().into());
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stdout.is_empty());
}

#[test]
fn standard_input_is_read_once() {
    for arguments in [&["solve", "-", "-"][..], &["judge", "-", "-"]] {
        let assert = yard()
            .arg("sokoban")
            .args(arguments)
            .write_stdin(EASY)
            .assert();
        let said = stderr(&assert.code(2));
        assert!(said.contains("read already"), "{said}");
    }
}

/// Files of somebody else's are never replaced by a demonstration.
#[test]
fn the_demo_leaves_a_strangers_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mine = file(folder.path(), "summary.md", "mine");
    let assert = yard()
        .args(["demo", "--surface", "embedded", "--out"])
        .arg(folder.path())
        .assert();
    let said = stderr(&assert.code(2));
    assert!(said.contains("not empty"), "{said}");
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
}

/// One object a line and nothing else, on every command that offers JSON.
#[test]
fn json_is_one_object_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let illegal = &file(folder.path(), "illegal.xsb", "#####\n#@@.#\n#####\n");
    let easy = &file(folder.path(), "easy.xsb", EASY);
    let here = folder.path().to_str().unwrap();
    for (arguments, lines) in [
        (&["sokoban", "solve", easy, illegal, "absent"][..], 2),
        (&["sokoban", "check", illegal, "absent"], 3),
        (&["sokoban", "judge", easy, "r"], 1),
        (&["grade", here], 1),
        (&["doctor"], 5),
    ] {
        let output = yard().args(arguments).args(["--format", "json"]).output();
        let output = String::from_utf8(output.unwrap().stdout).unwrap();
        let rows: Vec<Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(rows.len(), lines, "{arguments:?}: {output}");
        assert!(rows.iter().all(Value::is_object));
    }
}

/// No colour and no progress where nobody looks.
#[test]
fn pipes_get_no_escapes() {
    let levels = root().join("levels/first-steps.xsb");
    for command in ["solve", "show", "check"] {
        let output = yard().args(["sokoban", command]).arg(&levels).output();
        let output = output.unwrap();
        let all = [output.stdout, output.stderr].concat();
        assert!(!all.contains(&0x1b), "{command}");
    }
}

/// Boxes and goals that no walk can reach are scenery, and the row says so, but not for a player
/// who is locked away from everything.
#[test]
fn scenery_is_waived_beside_something_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let levels = &file(
        folder.path(),
        "levels.xsb",
        "; scenery\n#####  $\n#@$.# .\n#####\n\n; locked away\n####\n#@ #\n#####\n#$.#\n####\n\n\
         ; another room\n######\n#@$ .###\n######$.#\n     ####\n\n; two for one\n#######\n#@$.$ #\n###### \n     .\n",
    );
    let output = yard()
        .args(["sokoban", "solve", "--format", "json", levels])
        .assert()
        .code(2);
    let output = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let rows: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds = serde_json::json!(["box-unreachable", "goal-unreachable"]);
    assert_eq!(
        (&rows[0]["status"], &rows[0]["solution"]),
        (&"solved".into(), &"R".into())
    );
    assert_eq!(rows[0]["waived"], kinds);
    assert_eq!(rows[1]["status"], "invalid", "{}", rows[1]);
    assert_eq!(rows[2]["solution"], "RR");
    assert_eq!(rows[3]["status"], "invalid", "{}", rows[3]);
    let out = folder.path().join("out");
    let assert = yard()
        .args(["prove", &format!("{levels}#1"), "--surface", "embedded"])
        .arg("--out")
        .arg(&out)
        .assert()
        .success();
    let said = stderr(&assert);
    assert!(
        said.contains("waived: box-unreachable, goal-unreachable"),
        "{said}"
    );
}

/// Under a node limit the rows do not depend on threads or on the day, clocks apart.
#[test]
fn a_node_limit_gives_the_same_rows_for_any_number_of_threads() {
    let levels = root().join("levels/round-the-yard.xsb");
    let run = |threads: &str| -> Vec<Value> {
        let output = yard()
            .args(["sokoban", "solve", "--format", "json", "--nodes", "300"])
            .args(["--threads", threads])
            .arg(&levels)
            .assert()
            .success();
        let output = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        let mut rows: Vec<Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for row in &mut rows {
            for clock in ["cpu_s", "wall_s"] {
                row.as_object_mut().unwrap().remove(clock).unwrap();
            }
        }
        rows
    };
    let once = run("1");
    assert!(once.len() >= 20);
    for threads in ["1", "2", "4"] {
        assert_eq!(run(threads), once, "{threads} threads");
    }
}
