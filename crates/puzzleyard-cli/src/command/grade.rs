//! `yard grade`: a folder of evidence, check by check.

use std::io::Write as _;

use puzzleyard_harness::grade::{self, GradeOptions, GradeReport, Score, VisionJudge};

use crate::args::{GradeArgs, Output};
use crate::exit::{BadInput, Exit};
use crate::stream;
use crate::vision::VisionModel;

/// Runs the command. Fails unless the evidence is accepted.
pub(crate) fn run(args: &GradeArgs) -> anyhow::Result<Exit> {
    let mut model = args
        .vision
        .as_deref()
        .map(|url| VisionModel::new(url, &args.vision_model));
    let mut options = GradeOptions {
        levels: args.levels.clone(),
        vision: model.as_mut().map(|model| model as &mut dyn VisionJudge),
    };
    let report =
        grade::grade(&args.dir, &mut options).map_err(|error| BadInput(error.to_string()))?;
    let mut out = stream::out();
    match args.format {
        Output::Json => writeln!(out, "{}", json(&report))?,
        Output::Text => text(&report, &mut out)?,
    }
    Ok(if report.accepted {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn json(report: &GradeReport) -> serde_json::Value {
    let score = |score: Score| match score {
        Score::Of(value) => serde_json::json!(value),
        Score::NotChecked => serde_json::Value::Null,
    };
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| {
            serde_json::json!({
                "name": check.name,
                "part": check.part.name(),
                "score": score(check.score),
                "checked": check.score != Score::NotChecked,
                "weight": check.weight,
                "reason": check.reason,
            })
        })
        .collect();
    let caps: Vec<_> = report
        .caps
        .iter()
        .map(|cap| {
            serde_json::json!({ "at": cap.at, "reason": cap.reason, "contract": cap.contract })
        })
        .collect();
    serde_json::json!({
        "checks": checks,
        "caps": caps,
        "accepted": report.accepted,
        "reasons": report.reasons,
        "contract_score": report.contract_score,
        "overall_score": report.score,
    })
}

fn text(report: &GradeReport, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    for check in &report.checks {
        let score = match check.score {
            Score::Of(value) => format!("{value:.2}"),
            Score::NotChecked => "not checked".into(),
        };
        let part = check.part.name();
        writeln!(
            out,
            "{part:6} {:34} {score:>11}  {}",
            check.name, check.reason
        )?;
    }
    for cap in &report.caps {
        let whose = if cap.contract { "contract" } else { "ours" };
        writeln!(
            out,
            "cap    at most {:.2} ({whose}): {}",
            cap.at, cap.reason
        )?;
    }
    for reason in &report.reasons {
        writeln!(out, "reason {reason}")?;
    }
    let verdict = if report.accepted {
        "accepted"
    } else {
        "not accepted"
    };
    writeln!(out, "verdict {verdict}")?;
    writeln!(out, "contract_score {:.4}", report.contract_score)?;
    writeln!(out, "overall_score {:.4}", report.score)
}
