//! `yard sokoban solve`: levels in, one row a level out, in file order.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use puzzleyard_core::{Limit, Limits, Stop, Verdict};
use puzzleyard_harness::agent::with_watchdog;
use puzzleyard_sokoban::rules::Level;
use puzzleyard_sokoban::solve::{self, Objective, SolveReport};
use serde::Serialize;

use crate::args::{ObjectiveArg, Output, SolveArgs};
use crate::exit::{self, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::levels::{self, Entry};
use crate::progress;
use crate::stream;

/// One line of the result. Field names are a promise: `docs/commands.md`.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    index: usize,
    title: Option<String>,
    /// `solved`, `unsolvable`, `gave_up` or `invalid`.
    status: &'static str,
    reason: Option<String>,
    /// Kinds of faults that were taken as they are.
    waived: Vec<&'static str>,
    solution: Option<String>,
    moves: Option<usize>,
    pushes: Option<usize>,
    optimal: bool,
    lower_bound: u32,
    root_bound: u32,
    nodes_expanded: u64,
    nodes_generated: u64,
    deadlocks: BTreeMap<&'static str, u64>,
    cpu_s: f64,
    wall_s: f64,
    peak_mib: f64,
}

/// Runs the command.
pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let stop = stop_on_interrupt()?;
    let mut exit = Exit::Done;
    let mut entries = Vec::new();
    for file in &args.files {
        let read = levels::read(file).and_then(|found| match args.level {
            Some(number) => levels::choose(found, number),
            None => Ok(found),
        });
        match read {
            Ok(found) => entries.extend(found),
            // One bad file stops nothing.
            Err(error) => {
                stream::say(format_args!("yard: {}", exit::words(&error)));
                exit = Exit::BadInput;
            }
        }
    }
    let bar = progress::bar(entries.len() as u64);
    let mut out = stream::out();
    let mut tally = Tally::default();
    let outcome = in_order(&entries, args, &stop, &bar, &mut |row| {
        tally.count(&row);
        bar.suspend(|| {
            match args.format {
                Output::Json => writeln!(out, "{}", serde_json::to_string(&row)?)?,
                Output::Text => writeln!(out, "{}", text(&row))?,
            }
            out.flush()?;
            Ok(!out.reader_left())
        })
    });
    bar.finish_and_clear();
    let wanted = outcome?;
    if !wanted {
        return Ok(exit);
    }
    if entries.len() > 1 {
        stream::say(format_args!("{tally}"));
    }
    if stop.raised().is_some() {
        return Ok(Exit::Interrupted);
    }
    Ok(if tally.invalid > 0 {
        Exit::BadInput
    } else {
        exit
    })
}

/// Solves on `args.threads` threads and hands the rows out in the order of `entries`, until
/// `emit` says that no more are wanted. Returns whether they were to the end.
fn in_order(
    entries: &[Entry],
    args: &SolveArgs,
    stop: &Stop,
    bar: &ProgressBar,
    emit: &mut dyn FnMut(Row) -> std::io::Result<bool>,
) -> std::io::Result<bool> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entry) = entries.get(at) else { return };
                    if stop.raised().is_some() {
                        return;
                    }
                    bar.set_message(entry.source());
                    if sender.send((at, solved(entry, args, stop))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (at, row) in receiver {
            bar.inc(1);
            waiting.insert(at, row);
            while let Some(row) = waiting.remove(&due) {
                let wanted = emit(row);
                if !matches!(wanted, Ok(true)) {
                    stop.raise(Limit::Interrupt);
                    return wanted;
                }
                due += 1;
            }
        }
        Ok(true)
    })
}

/// The row of one level.
fn solved(entry: &Entry, args: &SolveArgs, stop: &Stop) -> Row {
    let mut row = Row {
        file: entry.file.clone(),
        index: entry.index,
        title: entry.setup.title.clone(),
        status: "invalid",
        reason: None,
        waived: Vec::new(),
        solution: None,
        moves: None,
        pushes: None,
        optimal: false,
        lower_bound: 0,
        root_bound: 0,
        nodes_expanded: 0,
        nodes_generated: 0,
        deadlocks: BTreeMap::new(),
        cpu_s: 0.0,
        wall_s: 0.0,
        peak_mib: 0.0,
    };
    let waivers = levels::waivers(&entry.setup, &args.allow);
    let level = match Level::from_setup(&entry.setup, &waivers) {
        Ok(level) => level,
        Err(faults) => {
            row.reason = Some(faults.to_string());
            return row;
        }
    };
    row.waived = levels::waived(&entry.setup, &waivers);
    let objective = match args.objective {
        ObjectiveArg::Any => Objective::Any,
        ObjectiveArg::Pushes => Objective::Pushes,
        ObjectiveArg::Moves => Objective::Moves,
    };
    let limits = Limits {
        nodes: args.nodes,
        memory: Some(args.memory),
    };
    let (wall, cpu) = (Instant::now(), thread_time());
    let report = with_watchdog(Some(args.time), stop, |signal| {
        solve::solve(&level, objective, &limits, signal, &mut |_| {})
    });
    row.wall_s = rounded(wall.elapsed());
    row.cpu_s = rounded(thread_time().saturating_sub(cpu));
    fill(&mut row, report);
    row
}

fn fill(row: &mut Row, report: SolveReport) {
    match report.verdict {
        Verdict::GaveUp(_) if report.refused.is_some() => {
            row.status = "gave_up";
            row.reason = Some("the judge refused the answer that the search found".into());
        }
        Verdict::Solved(answer) => {
            row.status = "solved";
            row.moves = Some(answer.moves());
            row.pushes = Some(answer.pushes());
            row.solution = Some(answer.to_string());
        }
        Verdict::Unsolvable => {
            row.status = "unsolvable";
            row.reason = Some("every reachable state was tried".into());
        }
        Verdict::GaveUp(limit) => {
            row.status = "gave_up";
            row.reason = Some(limit.to_string());
        }
    }
    row.optimal = report.optimal;
    row.lower_bound = report.lower_bound;
    row.root_bound = report.root_bound;
    row.nodes_expanded = report.expanded;
    row.nodes_generated = report.generated;
    row.deadlocks = report.deadlocks;
    row.peak_mib = (report.peak_memory as f64 / f64::from(1 << 20) * 10.0).round() / 10.0;
}

/// Processor time of this thread.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Seconds to the millisecond.
fn rounded(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// A line a level for people, the answer on a line of its own.
fn text(row: &Row) -> String {
    let title = row.title.as_deref().unwrap_or("-");
    let Row {
        file,
        index,
        status,
        nodes_expanded,
        cpu_s,
        ..
    } = row;
    let waived = if row.waived.is_empty() {
        String::new()
    } else {
        format!(" (waived: {})", row.waived.join(", "))
    };
    let head = format!("{file}#{index} {title}: {status}{waived}");
    let effort = format!("nodes={nodes_expanded} cpu={cpu_s:.3}s");
    if let (Some(solution), Some(moves), Some(pushes)) = (&row.solution, row.moves, row.pushes) {
        let best = if row.optimal { " (proved best)" } else { "" };
        return format!("{head} moves={moves} pushes={pushes}{best} {effort}\n{solution}");
    }
    let reason = row.reason.as_deref().unwrap_or("no reason");
    if *status == "invalid" {
        format!("{head} ({reason})")
    } else {
        format!("{head} ({reason}) lower_bound={} {effort}", row.lower_bound)
    }
}

/// Counts of the statuses.
#[derive(Debug, Default)]
struct Tally {
    solved: usize,
    optimal: usize,
    unsolvable: usize,
    gave_up: usize,
    invalid: usize,
    cpu: f64,
}

impl Tally {
    fn count(&mut self, row: &Row) {
        match row.status {
            "solved" => self.solved += 1,
            "unsolvable" => self.unsolvable += 1,
            "gave_up" => self.gave_up += 1,
            _ => self.invalid += 1,
        }
        self.optimal += usize::from(row.optimal);
        self.cpu += row.cpu_s;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} solved ({} proved best), {} unsolvable, {} given up, {} invalid; {:.1} s of processor time",
            self.solved, self.optimal, self.unsolvable, self.gave_up, self.invalid, self.cpu
        )
    }
}
