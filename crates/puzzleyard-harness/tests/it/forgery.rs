//! Forged bundles: each is made from a good one by one fraud, its manifest recomputed, and must
//! fail at the check that is meant for it.

use std::fs;
use std::path::Path;

use puzzleyard_core::ContentId;
use puzzleyard_harness::grade::{CAP_DOUBTFUL, CAP_FORGED, GradeOptions, Score, grade};
use puzzleyard_render::png::{self, Effort};
use serde_json::{Value, json};

use crate::game::{Style, bundle, names};

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let text = read(folder, name);
    assert!(text.contains(from), "{name} lacks {from:?}: {text}");
    fs::write(folder.join(name), text.replacen(from, to, 1)).unwrap();
}

fn copy(folder: &Path, from: &str, to: &str) {
    fs::copy(folder.join(from), folder.join(to)).unwrap();
}

fn swap(folder: &Path, one: &str, two: &str) {
    let bytes = fs::read(folder.join(one)).unwrap();
    copy(folder, two, one);
    fs::write(folder.join(two), bytes).unwrap();
}

fn edit_json(folder: &Path, name: &str, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_str(&read(folder, name)).unwrap();
    change(&mut value);
    fs::write(folder.join(name), value.to_string()).unwrap();
}

/// Lists all files with their hashes as they are now.
fn reseal(folder: &Path) {
    let files: serde_json::Map<String, Value> = names(folder)
        .into_iter()
        .filter(|name| name != "manifest.json" && folder.join(name).is_file())
        .map(|name| {
            let bytes = fs::read(folder.join(&name)).unwrap();
            let entry = json!({"sha256": ContentId::of(&bytes).to_string(), "bytes": bytes.len()});
            (name, entry)
        })
        .collect();
    edit_json(folder, "manifest.json", |manifest| {
        manifest["files"] = files.into();
    });
}

/// The step pictures of a level in the order of their steps.
fn steps(folder: &Path, level: usize) -> Vec<String> {
    let prefix = format!("level_{level}_step_");
    let mut found: Vec<(usize, String)> = names(folder)
        .into_iter()
        .filter_map(|name| {
            let step = name
                .strip_prefix(&prefix)?
                .strip_suffix(".png")?
                .parse()
                .ok()?;
            Some((step, name))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// All that says which answer was played, from one level to another.
fn transplant(folder: &Path, from: usize, to: usize) {
    for end in ["solution.txt", "moves.csv", "result.json", "verify.json"] {
        copy(
            folder,
            &format!("level_{from}_{end}"),
            &format!("level_{to}_{end}"),
        );
    }
}

type Fraud = fn(&Path);

/// Frauds that hold for every style of game, with the check that must fail.
const FRAUDS: [(&str, &str, f64, Fraud); 33] = [
    ("a direction in the log", "level_1.log", CAP_FORGED, |at| {
        edit(at, "level_1_moves.csv", "5,Right,R", "5,Left,L");
    }),
    (
        "a row too few in the log",
        "level_1.log",
        CAP_FORGED,
        |at| {
            let text = read(at, "level_1_moves.csv");
            let cut = text.trim_end().rfind('\n').unwrap() + 1;
            fs::write(at.join("level_1_moves.csv"), &text[..cut]).unwrap();
        },
    ),
    (
        "a row too many in the log",
        "level_1.log",
        CAP_FORGED,
        |at| {
            let text = read(at, "level_1_moves.csv");
            fs::write(at.join("level_1_moves.csv"), text + "13,Up,U,5,3,0,1\n").unwrap();
        },
    ),
    (
        "the player's place in the log",
        "level_1.log",
        CAP_FORGED,
        |at| {
            edit(at, "level_1_moves.csv", "5,Right,R,2,2", "5,Right,R,3,2");
        },
    ),
    ("a push in the log", "level_1.log", CAP_FORGED, |at| {
        edit(
            at,
            "level_1_moves.csv",
            "5,Right,R,2,2,1",
            "5,Right,R,2,2,0",
        );
    }),
    (
        "boxes on goals in the log",
        "level_1.log",
        CAP_FORGED,
        |at| {
            edit(
                at,
                "level_1_moves.csv",
                "5,Right,R,2,2,1,0",
                "5,Right,R,2,2,1,1",
            );
        },
    ),
    ("another history", "level_1.history", CAP_FORGED, |at| {
        edit_json(at, "level_1_result.json", |it| {
            it["history"] = json!("UDUDRRRURDDL");
        });
    }),
    ("a result by hand", "level_1.history", CAP_FORGED, |at| {
        let text = r#"{"solved": true, "boxes_on_goal": 3, "total_goals": 3}"#;
        fs::write(at.join("level_1_result.json"), text).unwrap();
    }),
    (
        "other moves in the result",
        "level_2.history",
        CAP_FORGED,
        |at| {
            edit_json(at, "level_2_result.json", |it| it["moves"] = json!(8));
        },
    ),
    (
        "other pushes in the result",
        "level_2.history",
        CAP_FORGED,
        |at| {
            edit_json(at, "level_2_result.json", |it| it["pushes"] = json!(7));
        },
    ),
    (
        "the answer of another level",
        "level_1.answer",
        CAP_FORGED,
        |at| transplant(at, 2, 1),
    ),
    (
        "an answer that ends early",
        "level_1.answer",
        CAP_FORGED,
        |at| {
            edit(at, "level_1_solution.txt", "UDUDRRRURDDD", "UDUDRRRURDD");
        },
    ),
    (
        "a comparison that lies",
        "level_1.verify",
        CAP_FORGED,
        |at| {
            edit_json(at, "level_1_verify.json", |it| {
                it["game_history"] = json!("UDUD");
            });
        },
    ),
    (
        "one picture for two steps",
        "level_1.pictures",
        CAP_DOUBTFUL,
        |at| {
            let steps = steps(at, 1);
            copy(at, &steps[0], &steps[2]);
        },
    ),
    (
        "the final picture as a step",
        "level_1.pictures",
        CAP_DOUBTFUL,
        |at| {
            copy(at, "level_1_final.png", &steps(at, 1)[1]);
        },
    ),
    (
        "two step pictures swapped",
        "level_1.sight",
        CAP_DOUBTFUL,
        |at| {
            let steps = steps(at, 1);
            swap(at, &steps[1], &steps[2]);
        },
    ),
    (
        "initial and final swapped",
        "level_2.sight",
        CAP_DOUBTFUL,
        |at| {
            swap(at, "level_2_initial.png", "level_2_final.png");
        },
    ),
    (
        "the final picture of another level",
        "level_1.sight",
        CAP_DOUBTFUL,
        |at| {
            copy(at, "level_2_final.png", "level_1_final.png");
        },
    ),
    (
        "all pictures of another level",
        "level_1.sight",
        CAP_DOUBTFUL,
        |at| {
            copy(at, "level_2_initial.png", "level_1_initial.png");
            copy(at, "level_2_final.png", "level_1_final.png");
            for (to, from) in steps(at, 1).iter().zip(steps(at, 2)) {
                copy(at, &from, to);
            }
        },
    ),
    ("an event too few", "level_1.events", CAP_DOUBTFUL, |at| {
        let text = read(at, "level_1_events.jsonl");
        let cut: Vec<&str> = text
            .lines()
            .filter(|line| !line.contains("\"event\":\"confirmed\",\"step\":4,"))
            .collect();
        fs::write(at.join("level_1_events.jsonl"), cut.join("\n")).unwrap();
    }),
    (
        "the events of another level",
        "level_1.events",
        CAP_DOUBTFUL,
        |at| {
            copy(at, "level_2_events.jsonl", "level_1_events.jsonl");
        },
    ),
    ("another level", "level_1.answer", CAP_FORGED, |at| {
        copy(at, "level_3.xsb", "level_1.xsb");
    }),
    (
        "a step's number in the log",
        "level_1.log",
        CAP_FORGED,
        |at| {
            edit(at, "level_1_moves.csv", "\n5,Right", "\n55,Right");
        },
    ),
    ("a log of bare letters", "level_1.log", CAP_FORGED, |at| {
        let rows = "U\nD\nU\nD\nR\nR\nR\nU\nR\nD\nD\nD\n";
        fs::write(at.join("level_1_moves.csv"), format!("dir\n{rows}")).unwrap();
    }),
    (
        "a result by hand that fits",
        "level_1.history",
        CAP_FORGED,
        |at| {
            let text = r#"{"solved": true, "boxes_on_goal": 1, "total_goals": 1}"#;
            fs::write(at.join("level_1_result.json"), text).unwrap();
        },
    ),
    (
        "a result of another form",
        "bundle.game",
        CAP_DOUBTFUL,
        |at| {
            edit_json(at, "level_1_result.json", |it| it["by"] = json!("hand"));
        },
    ),
    (
        "a window of another size",
        "bundle.window_ids",
        CAP_DOUBTFUL,
        |at| {
            let text = read(at, "window_ids.log").replace("geometry=", "geometry=9");
            fs::write(at.join("window_ids.log"), text).unwrap();
        },
    ),
    (
        "a display that was not there",
        "bundle.window_ids",
        CAP_DOUBTFUL,
        |at| {
            edit(at, "manifest.json", "\"embedded\"", "\"x11\"");
            let text = read(at, "window_ids.log").replace("kind=embedded", "kind=x11");
            fs::write(at.join("window_ids.log"), text).unwrap();
        },
    ),
    (
        "a listed file too many",
        "bundle.manifest",
        CAP_DOUBTFUL,
        |at| {
            fs::write(at.join("level_1_step_abc.png"), "x").unwrap();
        },
    ),
    (
        "a forbidden import by text",
        "bundle.solver",
        CAP_DOUBTFUL,
        |at| {
            let text = read(at, "solver.py") + "x = __import__('pyso' + 'koban')\n";
            fs::write(at.join("solver.py"), text).unwrap();
        },
    ),
    (
        "a solver in another place",
        "bundle.solver",
        CAP_DOUBTFUL,
        |at| {
            let text = read(at, "solver.py") + "import os, numpy\n";
            fs::write(at.join("solver.py"), text).unwrap();
        },
    ),
    (
        "a reused picture with one pixel changed",
        "level_1.sight",
        CAP_DOUBTFUL,
        |at| {
            let steps = steps(at, 1);
            let mut picture = png::decode(&fs::read(at.join(&steps[0])).unwrap()).unwrap();
            picture.set(1, 1, [1, 2, 3]);
            fs::write(at.join(&steps[2]), png::encode(&picture, Effort::Stored)).unwrap();
        },
    ),
    (
        "a banner on the initial board",
        "level_1.sight",
        CAP_DOUBTFUL,
        |at| {
            let initial = fs::read(at.join("level_1_initial.png")).unwrap();
            let mut picture = png::decode(&initial).unwrap();
            picture.fill(60, 80, 200, 60, [20, 120, 50]);
            let forged = png::encode(&picture, Effort::Stored);
            fs::write(at.join("level_1_final.png"), forged).unwrap();
        },
    ),
];

#[test]
fn every_fraud_is_found_out_where_it_lies() {
    for style in [Style::Own, Style::Flat] {
        let good = tempfile::tempdir().unwrap();
        bundle(style, good.path());
        // What is read from files does not depend on the game's looks.
        let frauds = FRAUDS.iter().filter(|(_, check, ..)| {
            style == Style::Own || check.ends_with("sight") || check.ends_with("pictures")
        });
        for &(name, check, cap, fraud) in frauds {
            let forged = tempfile::tempdir().unwrap();
            for file in names(good.path()) {
                fs::copy(good.path().join(&file), forged.path().join(&file)).unwrap();
            }
            fraud(forged.path());
            reseal(forged.path());
            let graded = grade(forged.path(), &mut GradeOptions::default()).unwrap();
            let found = graded.checks.iter().find(|it| it.name == check).unwrap();
            assert_eq!(found.score, Score::Of(0.0), "{style:?}, {name}: {found:?}");
            assert!(!graded.accepted, "{style:?}, {name}");
            assert!(graded.score <= cap, "{style:?}, {name}: {}", graded.score);
            let has_reason = graded
                .reasons
                .iter()
                .any(|reason| reason.starts_with(check));
            assert!(has_reason, "{style:?}, {name}: {:?}", graded.reasons);
        }
    }
}

/// Frauds that a manifest shows when it is not recomputed, and what no manifest may hide.
#[test]
fn the_manifest_must_be_true() {
    let rows: [(&str, &str, Fraud); 8] = [
        ("a changed file", "summary.md is not the file", |at| {
            edit(at, "summary.md", "level", "Level ");
        }),
        ("a missing file", "report.html is missing", |at| {
            fs::remove_file(at.join("report.html")).unwrap();
        }),
        ("a file too many", "notes.txt is not listed", |at| {
            fs::write(at.join("notes.txt"), "hello").unwrap();
        }),
        ("a folder", "more is a folder", |at| {
            fs::create_dir(at.join("more")).unwrap();
        }),
        ("a link that leads out", "leads out of the folder", |at| {
            fs::remove_file(at.join("report.html")).unwrap();
            std::os::unix::fs::symlink("/etc/hostname", at.join("report.html")).unwrap();
        }),
        (
            "taken away",
            "other files are of a bundle that has one",
            |at| {
                fs::remove_file(at.join("manifest.json")).unwrap();
            },
        ),
        ("no JSON", "manifest.json", |at| {
            fs::write(at.join("manifest.json"), "{").unwrap();
        }),
        ("its own admission", "not complete", |at| {
            edit(
                at,
                "manifest.json",
                "\"complete\": true",
                "\"complete\": false",
            );
        }),
    ];
    let good = tempfile::tempdir().unwrap();
    bundle(Style::Own, good.path());
    for (name, reason, fraud) in rows {
        let forged = tempfile::tempdir().unwrap();
        for file in names(good.path()) {
            fs::copy(good.path().join(&file), forged.path().join(&file)).unwrap();
        }
        fraud(forged.path());
        let graded = grade(forged.path(), &mut GradeOptions::default()).unwrap();
        let found = graded
            .checks
            .iter()
            .find(|it| it.name == "bundle.manifest")
            .unwrap();
        assert_eq!(found.score, Score::Of(0.0), "{name}");
        assert!(found.reason.contains(reason), "{name}: {}", found.reason);
        assert!(!graded.accepted && graded.score <= CAP_DOUBTFUL, "{name}");
    }
}

/// A manifest cannot talk the grader out of looking: whichever game it names, the pictures are
/// held against the replay, by redrawing where sizes fit and by the grid otherwise.
#[test]
fn the_kind_of_game_does_not_decide_whether_pictures_are_looked_at() {
    for (style, own) in [(Style::Flat, true), (Style::Own, false)] {
        let folder = tempfile::tempdir().unwrap();
        bundle(style, folder.path());
        edit_json(folder.path(), "manifest.json", |it| {
            it["game"]["own"] = json!(own);
        });
        let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
        assert!(graded.accepted, "{style:?}: {:?}", graded.reasons);
        copy(folder.path(), "level_2_final.png", "level_1_final.png");
        reseal(folder.path());
        let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
        let reason = &graded.reasons[0];
        assert!(reason.starts_with("level_1.sight"), "{style:?}: {reason}");
    }
}

/// What the contract lists must be there, even where its number does not suffer.
#[test]
fn a_summary_without_words_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Own, folder.path());
    fs::write(folder.path().join("summary.md"), "done\n").unwrap();
    reseal(folder.path());
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert_eq!(graded.reasons, ["summary_complete: keywords are missing"]);
}

/// Our own pictures are drawn again even if the manifest calls the game a foreign one.
#[test]
fn a_game_that_is_disowned_is_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Own, folder.path());
    edit_json(folder.path(), "manifest.json", |it| {
        it["game"]["own"] = json!(false);
    });
    // Around the board, where a foreign game may show what it likes.
    let path = folder.path().join("level_1_final.png");
    let mut picture = png::decode(&fs::read(&path).unwrap()).unwrap();
    let (width, height) = (picture.width(), picture.height());
    picture.fill(0, height - 20, width, 20, [255, 0, 255]);
    fs::write(&path, png::encode(&picture, Effort::Stored)).unwrap();
    reseal(folder.path());
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert!(
        graded.reasons[0].starts_with("level_1.sight"),
        "{:?}",
        graded.reasons
    );
}

/// A board that stands there twice is one level.
#[test]
fn the_same_level_twice_is_one_level() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Own, folder.path());
    for name in names(folder.path()) {
        if name.starts_with("level_2") || name.starts_with("level_3") {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    for name in names(folder.path()) {
        if name.starts_with("level_1") {
            copy(folder.path(), &name, &name.replace("level_1", "level_2"));
        }
    }
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    let is_told = |reason: &String| reason.starts_with("1 different levels");
    assert!(graded.reasons.iter().any(is_told), "{:?}", graded.reasons);
}

/// Bytes that are meant to hurt: nothing panics, nothing is accepted.
#[test]
fn hostile_files() {
    let mut huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    huge.extend([
        0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 8, 2, 0, 0, 0,
    ]);
    huge.extend([0; 6000]);
    let deep = "[".repeat(100_000);
    let rows: [(&str, &[u8]); 9] = [
        ("level_1_final.png", &huge),
        ("level_1_final.png", b""),
        ("level_1_result.json", deep.as_bytes()),
        ("level_1_moves.csv", b"\xff\xfe\0\"\"\"\n,,,\n"),
        ("level_1_solution.txt", b"\n"),
        ("level_1.xsb", b"\0\0\0"),
        ("level_1_events.jsonl", b"{}{}{}"),
        ("level_1_verify.json", b"[]"),
        (
            "manifest.json",
            b"{\"levels\":[{\"level\":18446744073709551615}]}",
        ),
    ];
    let good = tempfile::tempdir().unwrap();
    bundle(Style::Own, good.path());
    for (name, bytes) in rows {
        let before = fs::read(good.path().join(name)).unwrap();
        fs::write(good.path().join(name), bytes).unwrap();
        let graded = grade(good.path(), &mut GradeOptions::default()).unwrap();
        assert!(!graded.accepted, "{name}");
        fs::write(good.path().join(name), before).unwrap();
    }
    assert!(
        grade(good.path(), &mut GradeOptions::default())
            .unwrap()
            .accepted
    );
}
