//! `yard prove`: solve, play, and leave the evidence.

use indicatif::ProgressBar;
use puzzleyard_core::{Limits, Stop};
use puzzleyard_harness::agent::{Agent, GivenAnswer, SolverAgent};
use puzzleyard_harness::bundle::BundleError;
use puzzleyard_harness::drive::DriveOptions;
use puzzleyard_harness::event::What;
use puzzleyard_harness::prove::{self, Progress, ProveError, ProveJob, ProveOptions, ProveReport};
use puzzleyard_harness::surface::{GameHost, Key, SurfaceKind};

use super::host;
use crate::args::{ProveArgs, Wake};
use crate::exit::{BadInput, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::levels;
use crate::progress;
use crate::stream;

/// The reference solver that goes into every bundle.
pub(crate) const SOLVER_PY: &[u8] = include_bytes!("../../../../tools/oracle/solver.py");

/// Runs the command. Fails unless every level is proved.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    let mut jobs = Vec::new();
    for name in &args.levels {
        for entry in levels::read(name)? {
            jobs.push(job(&entry)?);
        }
    }
    let mut agent: Box<dyn Agent> = if args.answer.is_empty() {
        Box::new(SolverAgent {
            limits: Limits {
                nodes: args.nodes,
                memory: Some(args.memory),
            },
            time: Some(args.time),
            ..SolverAgent::default()
        })
    } else {
        let answers = args.answer.iter().map(|typed| levels::read_answer(typed));
        Box::new(GivenAnswer::new(answers.collect::<anyhow::Result<_>>()?))
    };
    let mut host = host::start(args.surface, args.game.as_deref(), &jobs)?;
    let options = ProveOptions {
        drive: DriveOptions {
            step_pictures: args.pictures,
            wake: args.wake.map(key),
            ..DriveOptions::default()
        },
        ..options(args.force)
    };
    let stop = stop_on_interrupt()?;
    let report = with_progress(
        &jobs,
        host.as_mut(),
        agent.as_mut(),
        &args.out,
        &options,
        &stop,
    )?;
    print(&report, host.kind())?;
    Ok(if stop.raised().is_some() {
        Exit::Interrupted
    } else if report.complete && report.proved() == jobs.len() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// The job of a level.
pub(crate) fn job(entry: &levels::Entry) -> anyhow::Result<ProveJob> {
    Ok(ProveJob {
        name: entry.title(),
        source: entry.source(),
        level: entry.provable()?,
    })
}

/// The key that a game is woken with.
pub(crate) fn key(wake: Wake) -> Key {
    match wake {
        Wake::Return => Key::Return,
    }
}

/// Options that all proofs of this program share.
pub(crate) fn options(force: bool) -> ProveOptions {
    ProveOptions {
        solver_py: SOLVER_PY.to_vec(),
        program: concat!("yard ", env!("CARGO_PKG_VERSION")).into(),
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        force,
        ..ProveOptions::default()
    }
}

/// Proves with a progress line on standard error.
pub(crate) fn with_progress(
    jobs: &[ProveJob],
    host: &mut dyn GameHost,
    agent: &mut dyn Agent,
    out: &std::path::Path,
    options: &ProveOptions,
    stop: &Stop,
) -> anyhow::Result<ProveReport> {
    if out.exists() && !out.is_dir() {
        let message = format!("{}: found a file, expected a folder", out.display());
        return Err(BadInput(message).into());
    }
    let bar = progress::line();
    let count = jobs.len();
    let report = prove::prove(
        jobs,
        host,
        agent,
        out,
        options,
        &mut |progress| show(&bar, count, progress),
        stop,
    );
    bar.finish_and_clear();
    report.map_err(|error| match error {
        ProveError::Bundle(BundleError::NotEmpty(path)) => BadInput(format!(
            "{}: found a folder that is not empty, expected an empty or absent one \
             (`yard prove --force` replaces the files of an older proof)",
            path.display()
        ))
        .into(),
        error => error.into(),
    })
}

fn show(bar: &ProgressBar, count: usize, progress: &Progress<'_>) {
    match progress {
        Progress::Solving { level, name } => {
            bar.set_message(format!("level {level}/{count} {name}: solving"));
        }
        Progress::Solved { level, claim } => bar.set_message(format!(
            "level {level}/{count}: {} moves, {} pushes; starting the game",
            claim.answer.moves(),
            claim.answer.pushes()
        )),
        Progress::Started { level, identity } => {
            bar.set_message(format!("level {level}/{count}: window {}", identity.id));
        }
        Progress::Played { level, of, event } => {
            if let What::Confirmed { step, .. } = event.what {
                bar.set_message(format!("level {level}/{count}: playing, step {step}/{of}"));
            }
        }
        Progress::Done { level, record } => {
            let word = if record.proved {
                "proved"
            } else {
                "NOT proved"
            };
            let why = if record.reason.is_empty() {
                String::new()
            } else {
                format!(": {}", record.reason)
            };
            bar.suspend(|| {
                stream::say(format_args!(
                    "level {level}/{count} {}: {word}{why}",
                    record.name
                ));
            });
        }
        _ => {}
    }
}

/// Steps a second; the embedded loop plays outside of time.
fn speed(steps_per_second: f64) -> String {
    if steps_per_second > 0.0 {
        format!("{steps_per_second:.0}")
    } else {
        "-".into()
    }
}

/// The table of a proof, and where to look.
pub(crate) fn print(report: &ProveReport, kind: SurfaceKind) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut table = comfy_table::Table::new();
    table.set_header([
        "level", "name", "moves", "pushes", "nodes", "steps/s", "resent", "proved",
    ]);
    for record in &report.levels {
        let answer = record.claim.as_ref().map(|claim| &claim.answer);
        let number = |value: Option<usize>| value.map_or_else(|| "-".into(), |it| it.to_string());
        let nodes = record.claim.as_ref().map(|claim| claim.nodes as usize);
        let play = record.play.as_ref();
        table.add_row([
            record.level.to_string(),
            record.name.clone(),
            number(answer.map(puzzleyard_sokoban::model::Answer::moves)),
            number(answer.map(puzzleyard_sokoban::model::Answer::pushes)),
            number(nodes),
            play.map_or_else(|| "-".into(), |play| speed(play.steps_per_second)),
            number(play.map(|play| play.resends)),
            if record.proved { "yes" } else { "no" }.into(),
        ]);
    }
    let mut out = stream::out();
    writeln!(out, "{table}")?;
    writeln!(
        out,
        "{} of {} levels proved in {:.1} s",
        report.proved(),
        report.levels.len(),
        report.seconds
    )?;
    let surface = match kind {
        SurfaceKind::X11 => "x11, a real window",
        SurfaceKind::Embedded => "embedded, without a display server: no window was driven",
    };
    writeln!(out, "surface  {surface}")?;
    writeln!(out, "evidence {}", report.out.display())?;
    writeln!(out, "report   {}", report.html().display())
}
