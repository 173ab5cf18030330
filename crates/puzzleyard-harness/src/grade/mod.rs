//! Judges a folder of evidence without trusting it.
//!
//! First the contract's own checks with its names, formulae and caps. Then strict ones, which
//! hold everything in the bundle against a replay of the answer on the level. A strict check
//! that fails caps the overall number: at [`CAP_FORGED`] if answer, log, history or comparison
//! are not true, at [`CAP_DOUBTFUL`] otherwise. `docs/evidence.md` says what this can prove
//! and what it cannot.

mod contract;
mod folder;
mod python;
mod rows;
mod sight;
mod story;
mod strict;
mod whole;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use puzzleyard_sokoban::rules::Level;

use self::folder::Folder;
use crate::bundle::{self, Manifest};

/// The most that a bundle is worth whose answer, log, history or comparison is not true.
pub const CAP_FORGED: f64 = 0.30;
/// The most that a bundle is worth in which anything else is not as it should be.
pub const CAP_DOUBTFUL: f64 = 0.45;

/// Which part of the score a check belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The contract's core delivery, 60 per cent.
    Core,
    /// The contract's evidence of the window, 30 per cent.
    Gui,
    /// The contract's rest, 10 per cent.
    Aux,
    /// Ours, beside the contract.
    Strict,
}

impl Part {
    /// `core`, `gui`, `aux` or `strict`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Gui => "gui",
            Self::Aux => "aux",
            Self::Strict => "strict",
        }
    }
}

/// How a check went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// 0 to 1.
    Of(f64),
    /// It could not be made. Never counts as passed.
    NotChecked,
}

/// One check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its name; the contract's own for the contract's checks, with `level_K.` before it for
    /// strict ones of one level.
    pub name: String,
    /// Which part it belongs to.
    pub part: Part,
    /// How it went.
    pub score: Score,
    /// Its share of the overall number before caps; 0 for strict checks.
    pub weight: f64,
    /// What was found, in a sentence.
    pub reason: String,
}

/// An upper bound on the overall number that holds here.
#[derive(Clone, Debug, PartialEq)]
pub struct Cap {
    /// The bound.
    pub at: f64,
    /// Why.
    pub reason: String,
    /// Whether the contract has it; otherwise it is ours.
    pub contract: bool,
}

/// A graded bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeReport {
    /// All checks, the contract's first.
    pub checks: Vec<Check>,
    /// All caps that hold.
    pub caps: Vec<Cap>,
    /// The contract's number, 0 to 1, four decimals.
    pub contract_score: f64,
    /// The contract's number under our caps too.
    pub score: f64,
    /// Whether the bundle is taken as a proof: every strict check that could be made passed,
    /// at least two levels were replayed, and the contract's gates are open.
    pub accepted: bool,
    /// Why it is not accepted; empty if it is.
    pub reasons: Vec<String>,
}

/// Why a folder cannot be graded at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// It is not a folder that can be read.
    #[error("{path}: {cause}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
}

/// Scores pictures by looking at them.
pub trait VisionJudge {
    /// Scores of `picture_png`, 0 to 1, one for each (name, question) of `rubric`, in order.
    ///
    /// # Errors
    /// The judge cannot be reached or does not make sense.
    fn score(&mut self, picture_png: &[u8], rubric: &[(&str, &str)]) -> Result<Vec<f64>, String>;
}

/// What a grader may use besides the bundle.
#[derive(Default)]
pub struct GradeOptions<'a> {
    /// Files of the levels 1, 2, … that the bundle should be about; of a file with several
    /// levels all count, in order. Then its own level files
    /// must agree with them. Without, and without level files in the bundle, the checks that
    /// need a level are not made.
    pub levels: Vec<PathBuf>,
    /// A judge by vision model.
    pub vision: Option<&'a mut dyn VisionJudge>,
}

impl std::fmt::Debug for GradeOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GradeOptions")
            .field("levels", &self.levels)
            .field("vision", &self.vision.is_some())
            .finish()
    }
}

/// Grades the bundle in `dir`.
///
/// # Errors
/// `dir` cannot be read as a folder. A bad bundle is no error.
pub fn grade(dir: &Path, options: &mut GradeOptions<'_>) -> Result<GradeReport, GradeError> {
    let folder = Folder::open(dir).map_err(|cause| GradeError::Folder {
        path: dir.to_path_buf(),
        cause,
    })?;
    let vision = options
        .vision
        .as_mut()
        .map(|vision| &mut **vision as &mut dyn VisionJudge);
    let contract = contract::grade(&folder, vision);
    let manifest = strict::read_manifest(&folder);
    let mut checks = contract.checks;
    let mut caps = contract.caps;
    let (strict, proved) = strict_checks(&folder, &manifest, &options.levels);
    caps.extend(strict_caps(&strict));
    let contract_gates: Vec<String> = caps
        .iter()
        .filter(|cap| cap.contract && cap.at < 0.6)
        .map(|cap| cap.reason.clone())
        .collect();
    let mut reasons: Vec<String> = strict
        .iter()
        .filter(|check| check.score == Score::Of(0.0))
        .map(|check| format!("{}: {}", check.name, check.reason))
        .collect();
    reasons.extend(contract_gates);
    reasons.extend(undelivered(&checks));
    if proved < 2 {
        reasons.push(format!(
            "{proved} different levels were replayed with answer, log, history and pictures in \
             agreement, 2 wanted"
        ));
    }
    checks.extend(strict);
    let score = caps
        .iter()
        .fold(contract.score, |score, cap| score.min(cap.at));
    Ok(GradeReport {
        checks,
        caps,
        contract_score: contract.score,
        score,
        accepted: reasons.is_empty(),
        reasons,
    })
}

/// What the contract lists and the bundle lacks. How much pictures differ is left to the
/// contract's gates: a single push on a large board changes little.
fn undelivered(checks: &[Check]) -> Vec<String> {
    const GATED: [&str; 3] = [
        "final_nontrivial",
        "initial_final_pixel_diff",
        "screenshot_diversity",
    ];
    checks
        .iter()
        .filter(|check| !check.name.starts_with("vlm_") && !GATED.contains(&check.name.as_str()))
        .filter(|check| matches!(check.score, Score::Of(score) if score < 1.0))
        .map(|check| format!("{}: {}", check.name, check.reason))
        .collect()
}

/// The strict checks, and how many different boards passed every check that a proof needs.
fn strict_checks(
    folder: &Folder,
    manifest: &Result<Manifest, String>,
    levels: &[PathBuf],
) -> (Vec<Check>, usize) {
    let given: Vec<Result<Level, String>> =
        levels.iter().flat_map(|path| given_levels(path)).collect();
    let mut boards = Vec::new();
    let mut checks = vec![
        whole::manifest_check(folder, manifest).into_check("bundle.manifest".into()),
        whole::window_ids(folder, manifest).into_check("bundle.window_ids".into()),
        whole::solver(folder).into_check("bundle.solver".into()),
        whole::game(folder, manifest).into_check("bundle.game".into()),
    ];
    let manifest = manifest.as_ref().ok();
    let unknown = Err("no level of this number was given".to_owned());
    for level in levels_of(folder, manifest) {
        let given = match level.checked_sub(1).and_then(|at| given.get(at)) {
            None if !given.is_empty() => Some(&unknown),
            other => other,
        };
        // A level that the bundle itself calls unproved proves nothing and claims nothing.
        let is_renounced = manifest.is_some_and(|manifest| {
            let entry = manifest.levels.iter().find(|entry| entry.level == level);
            entry.is_some_and(|entry| !entry.proved)
        });
        if is_renounced {
            let finding = strict::Finding::NotChecked("the manifest calls it not proved".into());
            checks.push(finding.into_check(format!("level_{level}.entry")));
            continue;
        }
        let case = strict::Case::new(folder, level, manifest, given);
        let board = case.level_id();
        let of_case = case.checks();
        let is_proved = of_case[..strict::NEEDED]
            .iter()
            .all(|check| check.score == Score::Of(1.0));
        if is_proved {
            boards.extend(board);
        }
        checks.extend(of_case);
    }
    (checks, boards.into_iter().collect::<BTreeSet<_>>().len())
}

/// The levels that a bundle is about: those with a file of their own and those of the manifest.
/// At most a thousand.
fn levels_of(folder: &Folder, manifest: Option<&Manifest>) -> Vec<usize> {
    const MOST: usize = 1000;
    let mut levels: BTreeSet<usize> = folder
        .names()
        .iter()
        .filter_map(|name| bundle::parse_name(name))
        .map(|(level, _)| level)
        .collect();
    if let Some(manifest) = manifest {
        levels.extend(manifest.levels.iter().map(|entry| entry.level));
    }
    levels.into_iter().take(MOST).collect()
}

/// The levels of a file, or one fault in place of them.
fn given_levels(path: &Path) -> Vec<Result<Level, String>> {
    const MOST: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(MOST).read_to_end(&mut bytes))
        .map_err(|fault| format!("{}: {fault}", path.display()))
        .and_then(|_| strict::read_levels(&bytes));
    match read {
        Ok(levels) => levels.into_iter().map(Ok).collect(),
        Err(why) => vec![Err(why)],
    }
}

fn strict_caps(checks: &[Check]) -> Vec<Cap> {
    let failed = |ends: &[&str]| -> Vec<&str> {
        checks
            .iter()
            .filter(|check| check.score == Score::Of(0.0))
            .filter(|check| {
                let end = check.name.split('.').next_back().unwrap_or("");
                ends.contains(&end)
            })
            .map(|check| check.name.as_str())
            .collect()
    };
    [
        (CAP_FORGED, &["answer", "log", "history", "verify"][..]),
        (
            CAP_DOUBTFUL,
            &[
                "level",
                "sight",
                "pictures",
                "events",
                "entry",
                "manifest",
                "window_ids",
                "solver",
                "game",
            ][..],
        ),
    ]
    .into_iter()
    .filter_map(|(at, ends)| {
        let names = failed(ends);
        (!names.is_empty()).then(|| Cap {
            at,
            reason: format!("strict checks failed: {}", names.join(", ")),
            contract: false,
        })
    })
    .collect()
}
