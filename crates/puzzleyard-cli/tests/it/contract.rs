//! The first contract: bundles of `yard prove`, graded by the contract's own grader, which is
//! taken from its text unchanged.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fixture::{data, has_program, python, root, yard};

/// Every check of the contract that needs no vision model.
const CHECKS: [&str; 19] = [
    "solver_exists",
    "solver_lines",
    "solver_parses",
    "no_solver_imports",
    "solution_files",
    "levels_attempted",
    "levels_solved",
    "levels_actually_solved",
    "moves_csv_present",
    "moves_csv_consistent",
    "window_ids_log",
    "step_screenshots",
    "initial_screenshots",
    "final_screenshots",
    "final_nontrivial",
    "screenshot_diversity",
    "summary_complete",
    "verify_files",
    "initial_final_pixel_diff",
];

/// What the contract's grader says of the bundle in `workspace/results`.
fn contract_grade(python: &Path, data: &Path, workspace: &Path) -> Value {
    let text = std::fs::read_to_string(data.join("contracts/1-sokoban-task.md")).unwrap();
    let checks = text.split("## Automated Checks").nth(1).unwrap();
    let code = checks.split("```python\n").nth(1).unwrap();
    let code = code.split("```").next().unwrap();
    let script = workspace.join("contract_grader.txt");
    let call = "\nprint(json.dumps(grade(__import__('sys').argv[1])))\n";
    std::fs::write(&script, format!("{code}{call}")).unwrap();
    let output = Command::new(python)
        .arg(&script)
        .arg(workspace)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Proves `levels` and holds the bundle against both graders.
fn proves(what: &str, levels: &[PathBuf], arguments: &[&str], surface: &str) {
    let (Some(data), Some(python)) = (data(what), python(what)) else {
        return;
    };
    let workspace = tempfile::tempdir().unwrap();
    let out = workspace.path().join("results");
    yard()
        .arg("prove")
        .args(levels)
        .arg("--out")
        .arg(&out)
        .args(arguments)
        .assert()
        .success();
    let grade = contract_grade(&python, &data, workspace.path());
    for check in CHECKS {
        assert_eq!(grade[check], 1.0, "{check} in {grade}");
    }
    assert_eq!(grade["overall_score"], 0.6, "the vision cap, and no less");

    let ours = yard()
        .arg("grade")
        .arg(&out)
        .args(["--format", "json"])
        .assert()
        .success();
    let ours: Value = serde_json::from_slice(&ours.get_output().stdout).unwrap();
    assert_eq!(ours["accepted"], true, "{ours}");
    assert_eq!(ours["overall_score"], 0.6);
    // The two graders agree, check by check.
    for check in CHECKS {
        let found = ours["checks"].as_array().unwrap().iter();
        let found = found.filter(|row| row["name"] == check).collect::<Vec<_>>();
        assert_eq!(found.len(), 1, "{check}");
        assert_eq!(found[0]["score"], grade[check], "{check}");
    }
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["surface"]["kind"], surface);
}

fn bundled() -> Vec<PathBuf> {
    vec![root().join("levels/first-steps.xsb")]
}

#[test]
fn our_window_scores_full_but_for_vision() {
    let what = "proving in our window";
    if has_program("Xvfb", what) {
        proves(what, &bundled(), &[], "x11");
    }
}

#[test]
fn the_embedded_loop_scores_full_but_for_vision_and_says_what_it_is() {
    let arguments = ["--surface", "embedded"];
    proves("proving embedded", &bundled(), &arguments, "embedded");
}

#[test]
fn a_foreign_game_scores_full_but_for_vision() {
    let what = "proving through the foreign game";
    let (Some(data), Some(python)) = (data(what), python(what)) else {
        return;
    };
    if !has_program("Xvfb", what) {
        return;
    }
    let kit = data.join("kit");
    let levels: Vec<PathBuf> = (1..=3)
        .map(|number| kit.join(format!("levels/level_{number}.sok")))
        .collect();
    let game = format!(
        "'{}' '{}'",
        python.display(),
        kit.join("sokoban_game.py").display()
    );
    proves(what, &levels, &["--game", &game], "x11");
}
