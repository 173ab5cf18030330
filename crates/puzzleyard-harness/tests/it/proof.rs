//! Whole proofs, and what the grader says of them.

use std::fs;

use puzzleyard_core::{Limit, Stop};
use puzzleyard_harness::agent::GivenAnswer;
use puzzleyard_harness::bundle::Manifest;
use puzzleyard_harness::grade::{GradeOptions, Score, VisionJudge, grade};
use puzzleyard_harness::prove::{ProveError, ProveOptions, prove};
use serde_json::Value;

use crate::game::{Host, LEVELS, Style, bundle, file, jobs, names};

#[test]
fn good_bundles_are_accepted() {
    for style in [Style::Own, Style::Flat, Style::Odd] {
        let folder = tempfile::tempdir().unwrap();
        let report = bundle(style, folder.path());
        let reasons: Vec<&String> = report.levels.iter().map(|record| &record.reason).collect();
        assert_eq!(report.proved(), 3, "{style:?}: {reasons:?}");
        assert!(report.complete);
        let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
        assert!(graded.accepted, "{style:?}: {:#?}", graded.reasons);
        assert_eq!(
            (graded.contract_score, graded.score),
            (0.6, 0.6),
            "{style:?}"
        );
        for check in &graded.checks {
            let is_vision = check.name.starts_with("vlm_");
            let expected = if is_vision {
                Score::NotChecked
            } else {
                Score::Of(1.0)
            };
            assert_eq!(check.score, expected, "{style:?}: {check:?}");
        }
        assert_eq!(graded.caps.len(), 1, "only that of the vision model");
    }
}

/// Every file that the contract lists, for every level, and nothing else.
#[test]
fn the_folder_holds_what_the_contract_lists() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Own, folder.path());
    let names = names(folder.path());
    for k in 1..=3 {
        for end in [
            ".xsb",
            "_events.jsonl",
            "_final.png",
            "_initial.png",
            "_moves.csv",
            "_play.gif",
            "_result.json",
            "_solution.txt",
            "_verify.json",
        ] {
            assert!(names.contains(&format!("level_{k}{end}")), "level_{k}{end}");
        }
        let steps = names
            .iter()
            .filter(|name| name.starts_with(&format!("level_{k}_step_")))
            .count();
        assert!(steps >= 4, "level {k} has {steps} step pictures");
    }
    for name in [
        "manifest.json",
        "report.html",
        "solver.py",
        "summary.md",
        "window_ids.log",
    ] {
        assert!(names.iter().any(|own| own == name), "{name}");
    }
    assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
    let text = fs::read_to_string(file(folder.path(), "level_1_solution.txt")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], [LEVELS[0].1, "# moves=12"]);
    let verify: Value =
        serde_json::from_slice(&fs::read(file(folder.path(), "level_1_verify.json")).unwrap())
            .unwrap();
    assert_eq!(verify["match"], true);
    assert_eq!(verify["extra_moves"], 0);
    assert_eq!(verify["game_history"], LEVELS[0].1);
    let page = fs::read_to_string(file(folder.path(), "report.html")).unwrap();
    assert!(page.contains("data:image/png;base64,") && !page.contains("<script"));
}

/// What a game writes in another form is kept beside what the contract wants.
#[test]
fn odd_files_are_rewritten_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Odd, folder.path());
    let read = |name: &str| fs::read_to_string(file(folder.path(), name)).unwrap();
    assert!(read("level_3_game_log.txt").starts_with("1|Right\n2|Right\n3|Left\n"));
    assert!(read("level_3_moves.csv").starts_with("step,dir,event,player_row,player_col"));
    let result: Value = serde_json::from_str(&read("level_3_result.json")).unwrap();
    assert_eq!(result["solved"], true);
    assert_eq!(result["history"], LEVELS[2].1);
    assert_eq!(result["total_goals"], 2);
    let filled = serde_json::json!(["total_goals"]);
    assert_eq!(result["filled_from_replay"], filled, "the game did not say");
    let manifest: Manifest = serde_json::from_str(&read("manifest.json")).unwrap();
    assert_eq!(manifest.levels[2].moves_csv, "normalised");
    assert_eq!(manifest.levels[2].result_json, "normalised");
}

#[test]
fn a_game_that_disagrees_is_not_proved() {
    let folder = tempfile::tempdir().unwrap();
    let report = bundle(Style::Liar, folder.path());
    assert_eq!(report.proved(), 0);
    let reason = &report.levels[2].reason;
    assert!(reason.contains("counts 1 of 2 boxes"), "{reason}");
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert!(!graded.accepted);
}

#[test]
fn a_level_without_answer_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut agent = GivenAnswer::new(vec![LEVELS[1].1.into(), LEVELS[2].1.into()]);
    let report = prove(
        &jobs(),
        &mut Host(Style::Own),
        &mut agent,
        folder.path(),
        &ProveOptions {
            solver_py: crate::game::solver_py(),
            ..ProveOptions::default()
        },
        &mut |_| {},
        &Stop::new(),
    )
    .unwrap();
    let proved: Vec<bool> = report.levels.iter().map(|record| record.proved).collect();
    assert_eq!(proved, [false, true, true]);
    assert!(report.levels[0].reason.starts_with("no answer"));
    // The bundle says so itself, and proves two levels.
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert!(graded.accepted, "{:#?}", graded.reasons);
}

#[test]
fn an_interrupted_proof_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Stop::new();
    let mut agent = GivenAnswer::new(LEVELS.iter().map(|(_, answer)| (*answer).into()).collect());
    let report = prove(
        &jobs(),
        &mut Host(Style::Own),
        &mut agent,
        folder.path(),
        &ProveOptions::default(),
        &mut |progress| {
            if let puzzleyard_harness::prove::Progress::Done { level: 1, .. } = progress {
                stop.raise(Limit::Interrupt);
            }
        },
        &stop,
    )
    .unwrap();
    assert!(!report.complete);
    assert_eq!(report.levels.len(), 1);
    let text = fs::read_to_string(file(folder.path(), "manifest.json")).unwrap();
    let manifest: Manifest = serde_json::from_str(&text).unwrap();
    assert!(!manifest.complete && manifest.levels[0].proved);
    assert!(
        !grade(folder.path(), &mut GradeOptions::default())
            .unwrap()
            .accepted
    );
}

#[test]
fn nothing_to_prove_and_full_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let prove_jobs = |jobs: &[_]| {
        prove(
            jobs,
            &mut Host(Style::Own),
            &mut GivenAnswer::default(),
            folder.path(),
            &ProveOptions::default(),
            &mut |_| {},
            &Stop::new(),
        )
    };
    assert!(matches!(prove_jobs(&[]), Err(ProveError::NoLevels)));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert!(matches!(prove_jobs(&jobs()), Err(ProveError::Bundle(_))));
}

struct Fixed(Result<Vec<f64>, String>);

impl VisionJudge for Fixed {
    fn score(&mut self, picture_png: &[u8], rubric: &[(&str, &str)]) -> Result<Vec<f64>, String> {
        assert!(picture_png.starts_with(b"\x89PNG") && rubric.len() == 3);
        self.0.clone()
    }
}

/// By the contract's formula: without failures 0.6 + 0.3 * mean of nine + 0.1.
#[test]
fn a_vision_model_lifts_the_cap() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Own, folder.path());
    let rows = [
        (Ok(vec![1.0, 1.0, 1.0]), 1.0),
        (Ok(vec![1.0, 1.0, 0.4]), 0.98),
        (Ok(vec![1.0]), 0.6),
        (Ok(vec![1.0, 1.0, f64::NAN]), 0.6),
        (Err("no route".into()), 0.6),
    ];
    for (answer, score) in rows {
        let mut judge = Fixed(answer.clone());
        let mut options = GradeOptions {
            vision: Some(&mut judge),
            ..GradeOptions::default()
        };
        let graded = grade(folder.path(), &mut options).unwrap();
        assert!(
            (graded.score - score).abs() < 1e-9,
            "{answer:?}: {}",
            graded.score
        );
    }
}

/// A stranger's bundle has neither manifest nor level files. What cannot be checked is not
/// passed; with the levels given it can be.
#[test]
fn a_strangers_bundle_needs_the_levels() {
    let folder = tempfile::tempdir().unwrap();
    bundle(Style::Flat, folder.path());
    let levels = tempfile::tempdir().unwrap();
    for (at, (board, _)) in LEVELS.iter().enumerate() {
        fs::write(levels.path().join(format!("{at}.sok")), board).unwrap();
    }
    for name in names(folder.path()) {
        let ends = [".xsb", "_events.jsonl", "_play.gif", "manifest.json"];
        let is_ours = ends.iter().any(|end| name.ends_with(end));
        if is_ours {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    // A stranger numbers pictures, not steps.
    for k in 1..=3 {
        let steps: Vec<String> = names(folder.path())
            .into_iter()
            .filter(|name| name.starts_with(&format!("level_{k}_step_")))
            .collect();
        for (at, name) in steps.iter().enumerate() {
            let new = format!("level_{k}_step_{}.png", 900 + at);
            fs::rename(folder.path().join(name), folder.path().join(new)).unwrap();
        }
    }
    let alone = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert!(!alone.accepted);
    assert!((alone.contract_score - 0.6).abs() < 1e-9);
    let state = |name: &str| {
        alone
            .checks
            .iter()
            .find(|check| check.name == name)
            .unwrap()
            .score
    };
    assert_eq!(state("level_1.answer"), Score::NotChecked);
    assert_eq!(state("bundle.manifest"), Score::NotChecked);
    let mut options = GradeOptions {
        levels: (0..3)
            .map(|at| levels.path().join(format!("{at}.sok")))
            .collect(),
        vision: None,
    };
    let told = grade(folder.path(), &mut options).unwrap();
    assert!(told.accepted, "{:#?}", told.reasons);
    options.levels.swap(0, 1);
    assert!(!grade(folder.path(), &mut options).unwrap().accepted);
}

#[test]
fn an_empty_folder_is_worth_next_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let graded = grade(folder.path(), &mut GradeOptions::default()).unwrap();
    assert!(graded.contract_score <= 0.05 && !graded.accepted);
    assert!(grade(&folder.path().join("absent"), &mut GradeOptions::default()).is_err());
}
