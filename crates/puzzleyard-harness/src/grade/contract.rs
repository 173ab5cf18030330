//! The contract's own grader, sub-score by sub-score, with its names, formulae and caps.
//!
//! Three of its lines depend on what is not fixed: `ast.parse` (see [`super::python`]), the
//! order of a directory (here the worst final picture counts, not the first), and the smoothing
//! with which pictures of different sizes are compared (here the nearest pixel).
//!
//! Length: the functions follow the contract's numbered sections one to one, and `caps` is its
//! table of caps; cut up, they could not be laid beside it.

use std::collections::{BTreeMap, BTreeSet};

use puzzleyard_core::ContentId;
use puzzleyard_render::Picture;
use serde_json::Value;

use super::folder::Folder;
use super::python;
use super::{Cap, Check, Part, Score, VisionJudge};
use crate::bundle::{self, LEAST_PNG_BYTES};

const CORE: [&str; 10] = [
    "solver_exists",
    "solver_parses",
    "no_solver_imports",
    "solution_files",
    "levels_attempted",
    "levels_solved",
    "levels_actually_solved",
    "moves_csv_present",
    "moves_csv_consistent",
    "verify_files",
];
const GUI: [&str; 9] = [
    "step_screenshots",
    "initial_screenshots",
    "final_screenshots",
    "final_nontrivial",
    "initial_final_pixel_diff",
    "screenshot_diversity",
    "vlm_board_visible",
    "vlm_boxes_present",
    "vlm_solved_indicator",
];
const AUX: [&str; 3] = ["solver_lines", "window_ids_log", "summary_complete"];
const RUBRIC: [(&str, &str); 3] = [
    (
        "vlm_board_visible",
        "截图中能看到一个由墙(灰色矩形)围成的网格棋盘",
    ),
    ("vlm_boxes_present", "棋盘中有方块状的箱子(棕色或绿色矩形)"),
    (
        "vlm_solved_indicator",
        "大多数箱子位置和目标点(红色圆点)重合,或显示 SOLVED 字样",
    ),
];

/// The contract's part of a grade.
pub(super) struct Outcome {
    pub(super) checks: Vec<Check>,
    pub(super) caps: Vec<Cap>,
    pub(super) score: f64,
}

/// Sub-scores by name, with what was found.
#[derive(Default)]
struct Sheet(BTreeMap<&'static str, (f64, String)>);

impl Sheet {
    fn set(&mut self, name: &'static str, score: f64, reason: impl Into<String>) {
        self.0.insert(name, (score, reason.into()));
    }

    fn get(&self, name: &str) -> f64 {
        self.0.get(name).map_or(0.0, |(score, _)| *score)
    }

    fn average(&self, names: &[&str]) -> f64 {
        let present: Vec<f64> = names
            .iter()
            .filter_map(|name| self.0.get(name).map(|(score, _)| *score))
            .collect();
        if present.is_empty() {
            0.0
        } else {
            present.iter().sum::<f64>() / present.len() as f64
        }
    }
}

pub(super) fn grade(folder: &Folder, vision: Option<&mut (dyn VisionJudge + '_)>) -> Outcome {
    let mut sheet = Sheet::default();
    solver(folder, &mut sheet);
    accounts(folder, &mut sheet);
    logs(folder, &mut sheet);
    pictures(folder, &mut sheet);
    let has_vision = look(folder, vision, &mut sheet);
    let caps = caps(&sheet, has_vision.as_ref().err());
    let base = 0.6 * sheet.average(&CORE) + 0.3 * sheet.average(&GUI) + 0.1 * sheet.average(&AUX);
    let score = caps.iter().fold(base, |score, cap| score.min(cap.at));
    Outcome {
        checks: checks(&sheet),
        caps,
        score: (score * 1e4).round() / 1e4,
    }
}

fn checks(sheet: &Sheet) -> Vec<Check> {
    let mut checks = Vec::new();
    for (part, share, names) in [
        (Part::Core, 0.6, &CORE[..]),
        (Part::Gui, 0.3, &GUI[..]),
        (Part::Aux, 0.1, &AUX[..]),
    ] {
        let present = names
            .iter()
            .filter(|name| sheet.0.contains_key(*name))
            .count();
        for name in names {
            let (score, weight, reason) = match sheet.0.get(name) {
                Some((score, reason)) => (
                    Score::Of(*score),
                    share / present.max(1) as f64,
                    reason.clone(),
                ),
                None => (
                    Score::NotChecked,
                    0.0,
                    "no judge by vision model was given".into(),
                ),
            };
            checks.push(Check {
                name: (*name).into(),
                part,
                score,
                weight,
                reason,
            });
        }
    }
    checks
}

fn solver(folder: &Folder, sheet: &mut Sheet) {
    let text = folder.text("solver.py");
    match &text {
        Ok(text) => {
            sheet.set("solver_exists", 1.0, "solver.py is there");
            let lines = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .count();
            sheet.set(
                "solver_lines",
                (lines as f64 / 30.0).min(1.0),
                format!("{lines} lines of code, 30 wanted"),
            );
            match python::lexical_fault(text) {
                None => sheet.set(
                    "solver_parses",
                    1.0,
                    "strings, brackets and indentation are those of a Python program",
                ),
                Some(why) => sheet.set("solver_parses", 0.0, why),
            }
        }
        Err(why) => {
            for name in ["solver_exists", "solver_lines", "solver_parses"] {
                sheet.set(name, 0.0, why.clone());
            }
        }
    }
    let culprit = folder.python_texts().into_iter().find_map(|(name, text)| {
        let module = python::FORBIDDEN
            .iter()
            .find(|module| python::imports(&text, module))?;
        Some(format!("{name} imports {module}"))
    });
    match culprit {
        Some(why) => sheet.set("no_solver_imports", 0.0, why),
        None => sheet.set(
            "no_solver_imports",
            1.0,
            "no forbidden import in any *.py of the folder",
        ),
    }
}

/// The first line as Python's `splitlines` cuts it, without blanks around it. `None` if there
/// is no line.
fn first_line(text: &str) -> Option<&str> {
    const ENDS: [char; 10] = [
        '\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}',
    ];
    (!text.is_empty()).then(|| text.split(ENDS).next().unwrap_or("").trim())
}

fn accounts(folder: &Folder, sheet: &mut Sheet) {
    let solutions = folder.level_files("_solution.txt");
    let valid = solutions
        .iter()
        .filter(|name| {
            let text = folder.text(name).unwrap_or_default();
            first_line(&text).is_some_and(|line| {
                !line.is_empty() && line.chars().all(|letter| "LURDlurd".contains(letter))
            })
        })
        .count();
    sheet.set(
        "solution_files",
        half(valid),
        format!("{valid} solutions of LURD, 2 wanted"),
    );
    let results = folder.level_files("_result.json");
    let solved = results
        .iter()
        .filter(|name| folder.text(name).is_ok_and(|text| says_solved(&text)))
        .count();
    let attempted = results.len();
    sheet.set(
        "levels_attempted",
        half(attempted),
        format!("{attempted} results, 2 wanted"),
    );
    for name in ["levels_solved", "levels_actually_solved"] {
        sheet.set(
            name,
            half(solved),
            format!("{solved} results say solved, 2 wanted"),
        );
    }
    let verified = folder.level_files("_verify.json").len();
    sheet.set(
        "verify_files",
        half(verified),
        format!("{verified} comparisons, 2 wanted"),
    );
}

fn half(count: usize) -> f64 {
    (count as f64 / 2.0).min(1.0)
}

/// `solved is True and boxes_on_goal == total_goals`; two absent fields are equal in Python.
fn says_solved(text: &str) -> bool {
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
        return false;
    };
    let value = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Value::Null,
        Some(Value::Bool(flag)) => Value::from(f64::from(u8::from(*flag))),
        Some(Value::Number(number)) => Value::from(number.as_f64()),
        Some(other) => other.clone(),
    };
    fields.get("solved") == Some(&Value::Bool(true))
        && value("boxes_on_goal") == value("total_goals")
}

fn logs(folder: &Folder, sheet: &mut Sheet) {
    let (mut present, mut consistent) = (0, 0);
    let mut short = Vec::new();
    for name in folder.level_files("_solution.txt") {
        let Some((level, "_solution.txt")) = bundle::parse_name(name) else {
            continue;
        };
        let log = format!("level_{level}_moves.csv");
        let Ok(bytes) = folder.read(&log) else {
            continue;
        };
        present += 1;
        let length = folder
            .read(name)
            .ok()
            .and_then(|text| String::from_utf8(text).ok())
            .and_then(|text| first_line(&text).map(|line| line.chars().count()));
        let rows = bundle::dict_rows(&bytes);
        if let (Some(rows), Some(length)) = (rows, length)
            && rows >= length
        {
            consistent += 1;
        } else {
            short.push(format!("{log} has {} rows", rows.unwrap_or(0)));
        }
    }
    sheet.set(
        "moves_csv_present",
        half(present),
        format!("{present} logs, 2 wanted"),
    );
    let reason = if short.is_empty() {
        format!("{consistent} of {present} logs are as long as the solution")
    } else {
        format!("shorter than the solution: {}", short.join(", "))
    };
    sheet.set(
        "moves_csv_consistent",
        f64::from(consistent) / f64::from(present.max(1) as u32),
        reason,
    );
    let ids = folder
        .text("window_ids.log")
        .map(|text| text.lines().filter(|line| !line.trim().is_empty()).count());
    match ids {
        Ok(lines) => sheet.set(
            "window_ids_log",
            half(lines),
            format!("{lines} lines, 2 wanted"),
        ),
        Err(why) => sheet.set("window_ids_log", 0.0, why),
    }
    let summary = folder.text("summary.md").unwrap_or_default().to_lowercase();
    let has_all = |words: &[&str]| words.iter().all(|word| summary.contains(word));
    let has_words = has_all(&["关卡", "求解", "推箱"]) || has_all(&["level", "solve", "sokoban"]);
    sheet.set(
        "summary_complete",
        f64::from(u8::from(has_words)),
        if has_words {
            "the keywords are there"
        } else {
            "keywords are missing"
        },
    );
}

fn pictures(folder: &Folder, sheet: &mut Sheet) {
    let steps = folder
        .names()
        .iter()
        .filter(|name| {
            name.strip_prefix("level_")
                .and_then(|rest| rest.strip_suffix(".png"))
                .is_some_and(|rest| rest.contains("_step_"))
        })
        .count();
    sheet.set(
        "step_screenshots",
        (steps as f64 / 4.0).min(1.0),
        format!("{steps} pictures, 4 wanted"),
    );
    let initial = folder.level_files("_initial.png");
    let last = folder.level_files("_final.png");
    sheet.set(
        "initial_screenshots",
        half(initial.len()),
        format!("{}, 2 wanted", initial.len()),
    );
    sheet.set(
        "final_screenshots",
        half(last.len()),
        format!("{}, 2 wanted", last.len()),
    );
    let worst = last
        .iter()
        .map(|name| (nontrivial(folder, name), *name))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    match worst {
        Some((score, name)) => {
            sheet.set("final_nontrivial", score, format!("the plainest is {name}"));
        }
        None => sheet.set("final_nontrivial", 0.0, "no final picture"),
    }
    diversity(folder, sheet);
    let mut differences = Vec::new();
    let mut fault = None;
    for name in initial {
        let Some((level, "_initial.png")) = bundle::parse_name(name) else {
            continue;
        };
        let other = format!("level_{level}_final.png");
        if !folder.has(&other) {
            continue;
        }
        match (folder.picture(name), folder.picture(&other)) {
            (Ok(one), Ok(two)) => differences.push(mean_difference(&one, &two)),
            (Err(why), _) | (_, Err(why)) => fault = Some(why),
        }
    }
    let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
    match fault {
        Some(why) => sheet.set("initial_final_pixel_diff", 0.0, why),
        None => sheet.set(
            "initial_final_pixel_diff",
            (mean / 5.0).min(1.0),
            format!("mean difference {mean:.2} of 255, more than 5 wanted"),
        ),
    }
}

fn diversity(folder: &Folder, sheet: &mut Sheet) {
    let all = folder.level_files(".png");
    let mut distinct = BTreeSet::new();
    let (mut valid, mut small) = (0usize, 0usize);
    for name in &all {
        match folder.read(name) {
            Ok(bytes) if bytes.len() < LEAST_PNG_BYTES => small += 1,
            Ok(bytes) => {
                valid += 1;
                distinct.insert(ContentId::of(&bytes));
            }
            Err(_) => valid += 1,
        }
    }
    let score = if valid == 0 {
        0.0
    } else {
        distinct.len() as f64 / valid as f64
    };
    let reason = format!(
        "{} different pictures among {valid} of 5 KiB or more; {small} are smaller",
        distinct.len()
    );
    sheet.set("screenshot_diversity", score.min(1.0), reason);
}

fn nontrivial(folder: &Folder, name: &str) -> f64 {
    let Ok(bytes) = folder.read(name) else {
        return 0.0;
    };
    if bytes.len() < LEAST_PNG_BYTES {
        return 0.0;
    }
    let Ok(picture) = folder.picture(name) else {
        return 0.0;
    };
    let score = (deviation(&picture) / 25.0).min(1.0);
    if picture.width() >= 320 && picture.height() >= 240 {
        score
    } else {
        score.min(0.4)
    }
}

/// Standard deviation over all samples of all channels.
fn deviation(picture: &Picture) -> f64 {
    let count = picture.rgb().len().max(1) as f64;
    let (sum, squares) = picture
        .rgb()
        .iter()
        .fold((0u64, 0u64), |(sum, squares), &value| {
            (sum + u64::from(value), squares + u64::from(value).pow(2))
        });
    let mean = sum as f64 / count;
    (squares as f64 / count - mean * mean).max(0.0).sqrt()
}

/// Mean absolute difference over all samples; `two` is brought to the size of `one`.
fn mean_difference(one: &Picture, two: &Picture) -> f64 {
    let mut sum = 0u64;
    for y in 0..one.height() {
        let from_y =
            (u64::from(y) * u64::from(two.height()) / u64::from(one.height().max(1))) as u32;
        for x in 0..one.width() {
            let from_x =
                (u64::from(x) * u64::from(two.width()) / u64::from(one.width().max(1))) as u32;
            if let (Some(a), Some(b)) = (one.pixel(x, y), two.pixel(from_x, from_y)) {
                sum += a
                    .iter()
                    .zip(&b)
                    .map(|(a, b)| u64::from(a.abs_diff(*b)))
                    .sum::<u64>();
            }
        }
    }
    sum as f64 / one.rgb().len().max(1) as f64
}

/// Asks the judge by vision model about a final picture. Without a usable answer the cap holds.
fn look(
    folder: &Folder,
    vision: Option<&mut (dyn VisionJudge + '_)>,
    sheet: &mut Sheet,
) -> Result<(), String> {
    let Some(vision) = vision else {
        return Err("no judge by vision model was given".into());
    };
    let Some(name) = folder.level_files("_final.png").first().copied() else {
        return Err("there is no final picture to look at".into());
    };
    let scores = folder
        .read(name)
        .and_then(|bytes| vision.score(&bytes, &RUBRIC))
        .and_then(|scores| {
            let is_sound = scores.len() == RUBRIC.len()
                && scores.iter().all(|score| (0.0..=1.0).contains(score));
            is_sound
                .then_some(scores)
                .ok_or_else(|| "the judge by vision model does not make sense".into())
        });
    match scores {
        Ok(scores) => {
            for ((key, _), score) in RUBRIC.iter().zip(scores) {
                sheet.set(key, score, format!("the vision model about {name}"));
            }
            Ok(())
        }
        Err(why) => {
            for (key, _) in RUBRIC {
                sheet.set(key, 0.0, why.clone());
            }
            Err(why)
        }
    }
}

fn caps(sheet: &Sheet, no_vision: Option<&String>) -> Vec<Cap> {
    let s = |name: &str| sheet.get(name);
    let is_nothing = [
        "solver_exists",
        "solution_files",
        "levels_attempted",
        "step_screenshots",
        "final_screenshots",
    ]
    .iter()
    .all(|name| s(name) == 0.0);
    let has_cli =
        s("solver_exists") >= 1.0 && s("solution_files") >= 1.0 && s("solver_parses") >= 1.0;
    let has_gui = s("step_screenshots") >= 1.0
        && s("final_screenshots") >= 1.0
        && s("initial_screenshots") >= 1.0;
    let rows: [(bool, f64, &str); 13] = [
        (is_nothing, 0.05, "nothing was delivered"),
        (!has_cli, 0.35, "solver.py or two solutions are missing"),
        (
            !has_gui,
            0.35,
            "initial, step or final pictures are missing",
        ),
        (
            s("no_solver_imports") < 1.0,
            0.30,
            "a forbidden library is imported",
        ),
        (
            s("levels_actually_solved") < 0.5,
            0.35,
            "no level is solved",
        ),
        (
            s("levels_actually_solved") < 1.0,
            0.55,
            "fewer than two levels are solved",
        ),
        (
            s("moves_csv_consistent") < 0.5,
            0.45,
            "most logs are shorter than the solution",
        ),
        (s("verify_files") < 0.5, 0.50, "comparisons are missing"),
        (s("solution_files") < 1.0, 0.45, "fewer than two solutions"),
        (
            s("initial_final_pixel_diff") < 0.5,
            0.45,
            "initial and final pictures hardly differ",
        ),
        (
            s("final_nontrivial") < 0.5,
            0.50,
            "a final picture shows next to nothing",
        ),
        (
            s("screenshot_diversity") < 0.6,
            0.55,
            "too many pictures are equal",
        ),
        (
            no_vision.is_some(),
            0.60,
            "no vision model has looked at the final picture",
        ),
    ];
    rows.iter()
        .filter(|(holds, ..)| *holds)
        .map(|(_, at, reason)| Cap {
            at: *at,
            reason: (*reason).into(),
            contract: true,
        })
        .collect()
}
