//! `yard sokoban …`: the forms and fields that scripts rely on.

use serde_json::Value;

use crate::fixture::{data, root, yard};

fn rows(output: &[u8]) -> Vec<Value> {
    String::from_utf8_lossy(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn solve_prints_one_object_a_level_with_the_promised_fields() {
    let levels = root().join("levels/first-steps.xsb");
    let folder = tempfile::tempdir().unwrap();
    let hopeless = folder.path().join("hopeless.xsb");
    std::fs::write(
        &hopeless,
        "######\n#@ $.#\n#$ . #\n######\n\n####\n# @#\n####\n",
    )
    .unwrap();
    let run = |threads: &str| {
        yard()
            .args([
                "sokoban",
                "solve",
                "--objective",
                "pushes",
                "--format",
                "json",
            ])
            .args(["--time", "60s", "--memory", "1GiB", "--threads", threads])
            .arg(&levels)
            .arg(&hopeless)
            .assert()
            .code(0)
            .get_output()
            .stdout
            .clone()
    };
    let found = rows(&run("1"));
    for row in &found {
        for field in [
            "file",
            "index",
            "title",
            "status",
            "reason",
            "solution",
            "moves",
            "pushes",
            "optimal",
            "lower_bound",
            "nodes_expanded",
            "nodes_generated",
            "cpu_s",
            "wall_s",
            "peak_mib",
        ] {
            assert!(row.get(field).is_some(), "{field} in {row}");
        }
    }
    let (last, rest) = found.split_last().unwrap();
    let (hopeless, solved) = rest.split_last().unwrap();
    assert_eq!(last["status"], "solved", "no box to move: the empty answer");
    assert_eq!(last["solution"], "");
    assert_eq!(hopeless["status"], "unsolvable");
    assert!(solved.len() >= 3);
    for row in solved {
        assert_eq!(row["status"], "solved");
        assert_eq!(row["optimal"], true);
        assert_eq!(row["lower_bound"], row["pushes"]);
        yard()
            .args(["sokoban", "judge", "--strict-case"])
            .arg(&levels)
            .args(["--level", &row["index"].to_string()])
            .arg(row["solution"].as_str().unwrap())
            .assert()
            .success()
            .stdout(format!(
                "solved moves={} pushes={}\n",
                row["moves"], row["pushes"]
            ));
    }
    // The order and the answers do not depend on the number of threads.
    let several = rows(&run("3"));
    let essence = |row: &Value| {
        (
            row["file"].clone(),
            row["index"].clone(),
            row["solution"].clone(),
        )
    };
    assert_eq!(
        found.iter().map(essence).collect::<Vec<_>>(),
        several.iter().map(essence).collect::<Vec<_>>()
    );
}

#[test]
fn solve_reports_a_give_up_as_a_result() {
    let Some(data) = data("giving up on a large level") else {
        return;
    };
    let output = yard()
        .args([
            "sokoban",
            "solve",
            "--objective",
            "pushes",
            "--nodes",
            "50",
            "--format",
            "json",
        ])
        .args(["--level", "3"])
        .arg(data.join("levels/suite/XSokoban_90.xsb"))
        .assert()
        .success();
    let row = &rows(&output.get_output().stdout)[0];
    assert_eq!(row["status"], "gave_up");
    assert_eq!(row["reason"], "node limit");
    assert_eq!(row["nodes_expanded"], 50);
    assert_eq!(row["solution"], Value::Null);
    assert!(row["lower_bound"].as_u64() >= row["root_bound"].as_u64());
}

#[test]
fn one_bad_file_and_one_bad_level_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.xsb");
    std::fs::write(&file, "#####\n#@@.#\n#####\n\n#####\n#@$.#\n#####\n").unwrap();
    let output = yard()
        .args(["sokoban", "solve", "--format", "json", "absent.xsb"])
        .arg(&file)
        .assert()
        .code(2);
    let found = rows(&output.get_output().stdout);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["status"], "invalid");
    assert!(
        found[0]["reason"]
            .as_str()
            .unwrap()
            .contains("several-players")
    );
    assert_eq!(found[1]["solution"], "R");
}

#[test]
fn check_lists_every_fault_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.xsb");
    std::fs::write(&file, "; first\n\n######\n#@ @.#\n#  $$ \n######\n").unwrap();
    let output = yard()
        .args(["sokoban", "check"])
        .arg(&file)
        .assert()
        .code(1);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(
        lines[0].contains(":4: ") && lines[0].contains("row 2, column 4: several-players"),
        "{text}"
    );
    assert!(lines[1].contains("counts-differ"), "{text}");
    assert!(
        lines[2].contains(":5: ") && lines[2].contains("row 3, column 6: open-boundary"),
        "{text}"
    );
    let output = yard()
        .args([
            "sokoban",
            "check",
            "--format",
            "json",
            "--allow",
            "counts-differ",
        ])
        .arg(&file)
        .assert()
        .code(1);
    let found = rows(&output.get_output().stdout);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (
            &found[1]["fault"],
            &found[1]["row"],
            &found[1]["column"],
            &found[1]["line"]
        ),
        (&"open-boundary".into(), &3.into(), &6.into(), &5.into())
    );
}

#[test]
fn judge_names_the_step_and_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.xsb");
    std::fs::write(&file, "#######\n#@ $ .#\n#######\n").unwrap();
    for (answer, status, printed) in [
        ("rRR", 0, "solved moves=3 pushes=2"),
        ("3r", 0, "solved moves=3 pushes=2"),
        ("rr", 1, "not solved"),
        ("rll", 1, "failed at step 3"),
        ("rRRR", 1, "failed at step 4"),
        ("xyz", 2, ""),
    ] {
        let output = yard()
            .args(["sokoban", "judge"])
            .arg(&file)
            .arg(answer)
            .assert()
            .code(status);
        let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert!(text.starts_with(printed), "{answer}: {text}");
    }
    let refused = |answer: &std::path::Path| {
        let assert = yard()
            .args(["sokoban", "judge"])
            .arg(&file)
            .arg(answer)
            .assert();
        String::from_utf8_lossy(&assert.code(2).get_output().stderr).into_owned()
    };
    let said = refused("absent.txt".as_ref());
    assert!(said.contains("nor is there a file"), "{said}");
    let answer = folder.path().join("answer.txt");
    std::fs::write(&answer, "# found by hand\nr\nRx\n").unwrap();
    let said = refused(&answer);
    assert!(said.contains("line 3, column 2"), "{said}");
}

/// What is written in one format reads back as the same levels.
#[test]
fn convert_keeps_boards() {
    let levels = root().join("levels/first-steps.xsb");
    let plain = yard()
        .args(["sokoban", "convert", "--to", "xsb"])
        .arg(&levels)
        .assert()
        .success();
    for format in ["sok", "rle", "json"] {
        let there = yard()
            .args(["sokoban", "convert", "--to", format])
            .arg(&levels)
            .assert()
            .success();
        let solve = |bytes: &[u8]| {
            let output = yard()
                .args(["sokoban", "solve", "--format", "json", "-"])
                .write_stdin(bytes)
                .assert()
                .success();
            let rows = rows(&output.get_output().stdout);
            rows.iter()
                .map(|row| row["solution"].clone())
                .collect::<Vec<_>>()
        };
        let there = solve(&there.get_output().stdout);
        assert_eq!(there, solve(&plain.get_output().stdout), "{format}");
        assert!(there.len() >= 3);
    }
}
