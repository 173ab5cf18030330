//! `yard eval judge`: every score of a run recomputed from its transcripts.

use std::io::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::game::{self, Game, Ruling};
use super::journal::{self, FAILURES, Record, SUMMARY, Spoiled, TRANSCRIPTS};
use super::rollout::Task;
use super::summary::{Tally, table};
use crate::args::{EvalJudge, Output};
use crate::exit::{BadInput, Exit};
use crate::stream;

/// The fields of a summary that the transcripts decide.
const DECIDED: [&str; 13] = [
    "finished",
    "mean_reward",
    "reward_deviation",
    "solved",
    "examples_solved",
    "mean_turns",
    "parts",
    "invalid",
    "requests",
    "retries",
    "cut_off",
    "prompt_tokens",
    "completion_tokens",
];

/// Runs the command. Fails if anything differs.
pub(super) fn run(args: &EvalJudge) -> anyhow::Result<Exit> {
    let folder = &args.dir;
    let (game, total) = opened(folder)?;
    let mut out = stream::out();
    let mut tally = Tally::default();
    let mut differences = 0;
    let path = folder.join(TRANSCRIPTS);
    journal::rows(&path, |number, record: Record| {
        let task = Task {
            example: record.example,
            rollout: record.rollout,
        };
        let ruling = game.ruling(task.example, &record.transcript);
        let wrong = faults(&*game, &record, &ruling, tally.has(task));
        differences += wrong.len();
        told(&mut out, args.format, number, &record, &ruling, &wrong)?;
        if let (Ok(ruling), false) = (ruling, tally.has(task)) {
            tally.add(task, ruling, &record.usage);
        }
        Ok(())
    })?;
    journal::rows(&folder.join(FAILURES), |_, spoiled: Spoiled| {
        tally.pay(&spoiled.usage);
        Ok(())
    })?;
    let summary = tally.summary(&Map::new(), (0.0, 0.0));
    let whole = tally.len() as u64 == total;
    if whole {
        let wrong = compare(folder, &summary)?;
        differences += wrong.len();
        for why in wrong {
            match args.format {
                Output::Json => {
                    writeln!(out, "{}", json!({ "file": SUMMARY, "differences": [why] }))?;
                }
                Output::Text => writeln!(out, "{SUMMARY}: {why}")?,
            }
        }
    }
    if args.format == Output::Text {
        let mut shown = summary;
        for absent in ["spoiled", "refused", "cost"] {
            shown.as_object_mut().map(|fields| fields.remove(absent));
        }
        writeln!(out, "{}", table(&shown))?;
    }
    stream::say(format_args!(
        "{} rollouts accepted, {differences} differences",
        tally.len()
    ));
    Ok(if differences == 0 {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// The game of a run, and how many rollouts it has when it is whole.
fn opened(folder: &Path) -> anyhow::Result<(Box<dyn Game>, u64)> {
    let Some(mut described) = journal::described(folder)? else {
        return Err(BadInput(format!(
            "{}: no run (no {})",
            folder.display(),
            journal::RUN
        ))
        .into());
    };
    let mut field = |name: &str| described.remove(name).unwrap_or_default();
    let (name, mut setting) = (field("game"), field("setting"));
    let (examples, rollouts) = (field("examples"), field("rollouts"));
    let name = name.as_str().unwrap_or_default();
    if name == "sokoban" {
        setting["examples"] = examples.clone();
    }
    let game = game::revive(name, &setting)
        .map_err(|why| BadInput(format!("{}: {why}", folder.join(journal::RUN).display())))?;
    let number = |field: Value| field.as_u64().unwrap_or(0);
    Ok((game, number(examples).saturating_mul(number(rollouts))))
}

/// What is wrong with a rollout's row.
fn faults(
    game: &dyn Game,
    record: &Record,
    ruling: &Result<Ruling, String>,
    seen: bool,
) -> Vec<String> {
    let mut wrong = Vec::new();
    if seen {
        wrong.push("the rollout stands there for the second time".to_owned());
    }
    if game.id(record.example).as_ref() != Ok(&record.id) {
        wrong.push(format!(
            "id {:?} is not that of example {}",
            record.id, record.example
        ));
    }
    match ruling {
        Err(why) => wrong.push(why.clone()),
        Ok(ruling) => {
            if ruling.reward.to_bits() != record.reward.to_bits() {
                wrong.push(format!(
                    "reward {}, wanted {}",
                    record.reward, ruling.reward
                ));
            }
            if ruling.solved != record.solved {
                wrong.push(format!(
                    "solved {}, wanted {}",
                    record.solved, ruling.solved
                ));
            }
        }
    }
    wrong
}

/// Prints what was found about a rollout's row.
fn told(
    out: &mut stream::Out,
    format: Output,
    number: u64,
    record: &Record,
    ruling: &Result<Ruling, String>,
    wrong: &[String],
) -> anyhow::Result<()> {
    match format {
        Output::Json => {
            let row = json!({
                "line": number,
                "id": record.id,
                "rollout": record.rollout,
                "reward": ruling.as_ref().ok().map(|it| it.reward),
                "solved": ruling.as_ref().ok().map(|it| it.solved),
                "differences": wrong,
            });
            writeln!(out, "{row}")?;
        }
        Output::Text => {
            for why in wrong {
                writeln!(
                    out,
                    "{TRANSCRIPTS}:{number}: {} rollout {}: {why}",
                    record.id, record.rollout
                )?;
            }
        }
    }
    Ok(())
}

/// Compares the summary of a whole run with what the transcripts come to.
fn compare(folder: &Path, wanted: &Value) -> anyhow::Result<Vec<String>> {
    let path = folder.join(SUMMARY);
    let Ok(text) = std::fs::read(&path) else {
        return Ok(Vec::new());
    };
    let found: Value = serde_json::from_slice(&text)
        .map_err(|error| BadInput(format!("{}: {error}", path.display())))?;
    let differing = DECIDED
        .into_iter()
        .filter(|name| found[name] != wanted[name]);
    Ok(differing
        .map(|name| format!("{name} {}, wanted {}", found[name], wanted[name]))
        .collect())
}
