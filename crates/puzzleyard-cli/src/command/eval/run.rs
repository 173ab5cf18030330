//! A run: rollouts played at the same time, kept one by one, and summed up.
//!
//! Threads play; this one alone writes, judges and counts. On an interrupt it leaves at once:
//! what is finished is on the disk, and a rollout in play leaves nothing behind.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use puzzleyard_core::Stop;
use serde_json::{Map, Value, json};

use super::endpoint::{Endpoint, Failure};
use super::game::Game;
use super::journal::{self, FAILURES, Journal, RUN, Record, SUMMARY, Spoiled, TRANSCRIPTS};
use super::rollout::{self, Outcome, Task};
use super::summary::{Tally, table};
use crate::args::{EndpointArgs, Output, RunArgs};
use crate::exit::{BadInput, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::{progress, stream};

/// So many spoiled rollouts one after the other end the run.
const ENOUGH: u32 = 10;

/// The folder of the run, if it has one.
struct Kept {
    transcripts: Journal,
    failures: Journal,
}

/// Runs the command.
pub(super) fn run(
    game: Box<dyn Game>,
    args: &RunArgs,
    endpoint: &EndpointArgs,
) -> anyhow::Result<Exit> {
    let stop = stop_on_interrupt()?;
    let prices = (endpoint.price_in, endpoint.price_out);
    let endpoint = match game.agent() {
        Some(_) => None,
        None => Some(Arc::new(Endpoint::new(endpoint)?)),
    };
    // A setting that cannot be played is said before anything is asked or written.
    game.session(0, 0).map_err(BadInput)?;
    let game: Arc<dyn Game> = Arc::from(game);
    let mut tally = Tally::default();
    let mut kept = match &args.out {
        Some(folder) => {
            describe(folder, game.as_ref(), endpoint.as_deref(), args)?;
            Some(resume(folder, game.as_ref(), args, &mut tally)?)
        }
        None => None,
    };
    let finished = tally.len();
    let total = args.examples * u64::from(args.rollouts);
    if finished > 0 {
        stream::say(format_args!(
            "{finished} of {total} rollouts are finished already"
        ));
    }
    let open = open_tasks(args, &tally);
    let bar = progress::bar(total);
    bar.set_position(finished as u64);
    let outcomes = start(open, &game, endpoint.as_ref(), args);
    let ending = collect(&outcomes, game.as_ref(), &mut kept, &mut tally, &bar, &stop);
    bar.finish_and_clear();
    let complete = ending?;
    let summary = tally.summary(&head(game.as_ref(), endpoint.as_deref(), args), prices);
    if let Some(folder) = &args.out {
        journal::write_whole(&folder.join(SUMMARY), &summary)?;
    }
    let mut out = stream::out();
    match args.format {
        Output::Json => std::io::Write::write_all(&mut out, format!("{summary}\n").as_bytes())?,
        Output::Text => {
            std::io::Write::write_all(&mut out, format!("{}\n", table(&summary)).as_bytes())?;
        }
    }
    if stop.raised().is_some() {
        return Ok(Exit::Interrupted);
    }
    let whole = complete && tally.len() as u64 >= total && tally.refused == 0;
    Ok(if whole { Exit::Done } else { Exit::Failed })
}

/// What was played, for the summary.
fn head(game: &dyn Game, endpoint: Option<&Endpoint>, args: &RunArgs) -> Map<String, Value> {
    let mut head = Map::new();
    head.insert("game".into(), game.name().into());
    match endpoint {
        Some(endpoint) => {
            head.insert("model".into(), endpoint.model.clone().into());
            head.insert("url".into(), endpoint.place().into());
        }
        None => {
            head.insert("agent".into(), game.agent().into());
        }
    }
    let setting = game.setting();
    if !setting["difficulty"].is_null() {
        head.insert("difficulty".into(), setting["difficulty"].clone());
    }
    head.insert("seed".into(), args.seed.into());
    head.insert("examples".into(), args.examples.into());
    head.insert("rollouts".into(), args.rollouts.into());
    head
}

/// Writes what the run is, or compares it with what the folder says. The numbers of examples
/// and rollouts may grow, and the endpoint may have moved.
fn describe(
    folder: &Path,
    game: &dyn Game,
    endpoint: Option<&Endpoint>,
    args: &RunArgs,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| BadInput(format!("{}: {error}", folder.display())))?;
    let wanted = json!({
        "program": "yard",
        "version": env!("CARGO_PKG_VERSION"),
        "game": game.name(),
        "setting": game.setting(),
        "model": endpoint.map(|it| it.model.clone()),
        "sampling": endpoint.map(Endpoint::sampling),
    });
    let found = journal::described(folder)?;
    if let Some(found) = &found {
        for (name, value) in wanted.as_object().into_iter().flatten() {
            let old = found.get(name).unwrap_or(&Value::Null);
            if name != "version" && old != value {
                return Err(BadInput(format!(
                    "{}: a run with another {name}: found {}, expected {}",
                    folder.display(),
                    short(old),
                    short(value)
                ))
                .into());
            }
        }
    } else if folder.join(TRANSCRIPTS).exists() {
        let name = folder.display();
        return Err(BadInput(format!("{name}: has {TRANSCRIPTS} and no {RUN}")).into());
    }
    let mut all = wanted;
    all["url"] = json!(endpoint.map(Endpoint::place));
    let found = found.unwrap_or_default();
    for (name, now) in [
        ("examples", args.examples),
        ("rollouts", args.rollouts.into()),
    ] {
        let old = found.get(name).and_then(Value::as_u64).unwrap_or(0);
        all[name] = old.max(now).into();
    }
    journal::write_whole(&folder.join(RUN), &all)
}

/// The start of a value, for messages.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Books what the folder holds and opens it for more.
fn resume(
    folder: &Path,
    game: &dyn Game,
    args: &RunArgs,
    tally: &mut Tally,
) -> anyhow::Result<Kept> {
    let path = folder.join(TRANSCRIPTS);
    let transcripts = Journal::open(&path)?;
    if transcripts.mended > 0 {
        let (name, bytes) = (path.display(), transcripts.mended);
        stream::say(format_args!(
            "{name}: cut off a torn last line of {bytes} bytes"
        ));
    }
    let failures = Journal::open(&folder.join(FAILURES))?;
    journal::rows(&path, |number, record: Record| {
        let task = Task {
            example: record.example,
            rollout: record.rollout,
        };
        if task.example >= args.examples || task.rollout >= args.rollouts {
            return Ok(());
        }
        if tally.has(task) {
            let name = path.display();
            return Err(BadInput(format!(
                "{name}: line {number}: a rollout for the second time"
            ))
            .into());
        }
        match game.ruling(task.example, &record.transcript) {
            Ok(ruling) => tally.add(task, ruling, &record.usage),
            Err(why) => {
                let name = path.display();
                return Err(BadInput(format!("{name}: line {number}: {why}")).into());
            }
        }
        Ok(())
    })?;
    journal::rows(&folder.join(FAILURES), |_, spoiled: Spoiled| {
        tally.pay(&spoiled.usage);
        Ok(())
    })?;
    Ok(Kept {
        transcripts,
        failures,
    })
}

/// The rollouts that are left, in order.
fn open_tasks(args: &RunArgs, tally: &Tally) -> Vec<Task> {
    (0..args.examples)
        .flat_map(|example| (0..args.rollouts).map(move |rollout| Task { example, rollout }))
        .filter(|task| !tally.has(*task))
        .collect()
}

/// Starts the threads. They end when the tasks do, or when nobody wants the outcomes.
fn start(
    open: Vec<Task>,
    game: &Arc<dyn Game>,
    endpoint: Option<&Arc<Endpoint>>,
    args: &RunArgs,
) -> mpsc::Receiver<Outcome> {
    let (sender, receiver) = mpsc::sync_channel(64);
    let threads = usize::from(args.concurrency).min(open.len());
    let queue = Arc::new(Mutex::new(open.into_iter()));
    let over = Arc::new(AtomicBool::new(false));
    for _ in 0..threads {
        let (sender, queue, over) = (sender.clone(), Arc::clone(&queue), Arc::clone(&over));
        let (game, endpoint, seed) = (Arc::clone(game), endpoint.cloned(), args.seed);
        // Not joined: a thread may wait for a dead endpoint when everybody else leaves.
        std::thread::spawn(move || {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(task) = next.filter(|_| !over.load(Ordering::Relaxed)) else {
                    return;
                };
                let outcome = rollout::play(game.as_ref(), endpoint.as_deref(), task, seed);
                if matches!(outcome.transcript, Err(Failure::Endpoint(_))) {
                    over.store(true, Ordering::Relaxed);
                }
                if sender.send(outcome).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// Keeps and books what the threads bring. Whether they brought everything there is.
fn collect(
    outcomes: &mpsc::Receiver<Outcome>,
    game: &dyn Game,
    kept: &mut Option<Kept>,
    tally: &mut Tally,
    bar: &ProgressBar,
    stop: &Stop,
) -> anyhow::Result<bool> {
    let mut in_a_row = 0;
    loop {
        if stop.raised().is_some() {
            return Ok(false);
        }
        let outcome = match outcomes.recv_timeout(Duration::from_millis(50)) {
            Ok(outcome) => outcome,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(tally.spoiled == 0),
        };
        let Task { example, rollout } = outcome.task;
        let (why, hopeless) = match outcome.transcript {
            Ok(transcript) => {
                in_a_row = 0;
                bar.inc(1);
                let ruling = match game.ruling(example, &transcript) {
                    Ok(ruling) => ruling,
                    Err(why) => {
                        tally.refused += 1;
                        told(bar, outcome.task, &format!("the judge refuses: {why}"));
                        continue;
                    }
                };
                if let Some(kept) = kept {
                    kept.transcripts.append(&Record {
                        id: game.id(example).map_err(anyhow::Error::msg)?,
                        example,
                        rollout,
                        reward: ruling.reward,
                        solved: ruling.solved,
                        usage: outcome.usage,
                        transcript,
                    })?;
                }
                tally.add(outcome.task, ruling, &outcome.usage);
                continue;
            }
            Err(Failure::Request(why)) => (why, false),
            Err(Failure::Endpoint(why)) => (why, true),
        };
        in_a_row += 1;
        tally.spoiled += 1;
        tally.pay(&outcome.usage);
        told(bar, outcome.task, &why);
        if let Some(kept) = kept {
            let usage = outcome.usage;
            kept.failures.append(&Spoiled {
                example,
                rollout,
                reason: why,
                usage,
            })?;
        }
        if hopeless || in_a_row >= ENOUGH {
            bar.suspend(|| stream::say("the endpoint does not work; the rest is left out"));
            return Ok(false);
        }
    }
}

/// Says what became of a rollout.
fn told(bar: &ProgressBar, task: Task, why: &str) {
    let Task { example, rollout } = task;
    bar.suspend(|| stream::say(format_args!("example {example}, rollout {rollout}: {why}")));
}
