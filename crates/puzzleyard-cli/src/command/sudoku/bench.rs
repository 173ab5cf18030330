//! `yard sudoku bench`: solving, generating and rating on this machine, in puzzles a second of
//! processor time. The kernels must agree on every puzzle.

use std::io::Write as _;
use std::time::Duration;

use puzzleyard_sudoku::Grid;
use puzzleyard_sudoku::generate::{Level, generate_many};
use puzzleyard_sudoku::rate::rate_score;
use puzzleyard_sudoku::solve::{Engine, Kernel, Outcome};
use serde_json::{Value, json};

use super::source::{Found, Source};
use crate::args::{BenchArgs, Output};
use crate::exit::{BadInput, Exit};
use crate::stream;

/// Puzzles that are rated, at most.
const RATED: usize = 1000;

/// Runs the command. Fails if the kernels do not agree.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let mut out = stream::out();
    let mut row = |row: Value| -> anyhow::Result<()> {
        match args.format {
            Output::Json => writeln!(out, "{row}")?,
            Output::Text => writeln!(out, "{}", words(&row))?,
        }
        Ok(out.flush()?)
    };
    for file in &args.files {
        let grids = grids(file)?;
        let mut plain: Option<(Vec<Outcome>, f64)> = None;
        for kernel in Kernel::ALL {
            let Some(engine) = Engine::with(kernel) else {
                row(
                    json!({ "what": "solve", "file": file, "by": kernel.to_string(), "skipped": "this processor has it not" }),
                )?;
                continue;
            };
            let mut outcomes = Vec::with_capacity(grids.len());
            let (rounds, time) = measured(args.time, || {
                outcomes.clear();
                engine.count_all(&grids, 2, &mut outcomes);
            });
            let rate = rate_of(rounds * grids.len() as u64, time);
            let (first, slowest) = plain.get_or_insert_with(|| (outcomes.clone(), rate));
            anyhow::ensure!(
                *first == outcomes,
                "{file}: {kernel} does not agree with {}",
                Kernel::Portable
            );
            let unique = outcomes.iter().filter(|it| it.solutions == 1).count();
            let guesses: u64 = outcomes.iter().map(|it| it.guesses).sum();
            row(json!({
                "what": "solve",
                "file": file,
                "by": kernel.to_string(),
                "puzzles": grids.len(),
                "unique": unique,
                "guesses": guesses,
                "puzzles_per_cpu_s": rate.round(),
                "ratio": (rate / *slowest * 100.0).round() / 100.0,
            }))?;
        }
        rating(file, &grids, args.time, &mut row)?;
    }
    generating(args.time, &mut row)?;
    Ok(Exit::Done)
}

fn generating(
    time: Duration,
    row: &mut impl FnMut(Value) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for level in Level::ALL {
        let mut made = Vec::new();
        let mut next = 0;
        let (rounds, spent) = measured(time, || {
            if let Ok(many) = generate_many(&level.spec(), 42, next..next + 64) {
                made.extend(many.flatten().map(|puzzle| puzzle.grid));
            }
            next += 64;
        });
        let mut outcomes = Vec::new();
        Engine::detect().count_all(&made, 2, &mut outcomes);
        let proved =
            made.len() as u64 == rounds * 64 && outcomes.iter().all(|it| it.solutions == 1);
        anyhow::ensure!(proved, "{level}: a generated puzzle has not one solution");
        row(json!({
            "what": "generate",
            "by": level.to_string(),
            "puzzles": made.len(),
            "puzzles_per_cpu_s": rate_of(made.len() as u64, spent).round(),
        }))?;
    }
    Ok(())
}

fn rating(
    file: &str,
    grids: &[Grid],
    time: Duration,
    row: &mut impl FnMut(Value) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let some = &grids[..grids.len().min(RATED)];
    let (mut at, mut sum, mut rated) = (0, 0, 0);
    let (rounds, spent) = measured(time, || {
        if let Ok(score) = rate_score(&some[at % some.len()]) {
            sum += u64::from(score);
            rated += 1;
        }
        at += 1;
    });
    let mean = sum as f64 / f64::from(rated.max(1)) / 10.0;
    row(json!({
        "what": "rate",
        "file": file,
        "puzzles": rounds,
        "mean_score": (mean * 100.0).round() / 100.0,
        "puzzles_per_cpu_s": rate_of(rounds, spent).round(),
    }))
}

/// Works in rounds until so much processor time has passed. How many, and how much.
fn measured(least: Duration, mut work: impl FnMut()) -> (u64, Duration) {
    let start = thread_time();
    let mut rounds = 0;
    loop {
        work();
        rounds += 1;
        let spent = thread_time().saturating_sub(start);
        if spent >= least {
            return (rounds, spent);
        }
    }
}

fn rate_of(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

/// Processor time of this thread.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

fn grids(file: &str) -> anyhow::Result<Vec<Grid>> {
    let mut source = Source::open(file, 4096)?;
    let mut grids = Vec::new();
    loop {
        let rows = source.read();
        if rows.is_empty() {
            break;
        }
        for row in rows {
            match row.found {
                Ok(Found::Grid(grid)) => grids.push(grid),
                Ok(Found::Board(_)) => {}
                Err(fault) => return Err(BadInput(format!("{file}: {fault}")).into()),
            }
        }
    }
    if grids.is_empty() {
        return Err(BadInput(format!("{file}: no 9x9 puzzle")).into());
    }
    Ok(grids)
}

fn words(row: &Value) -> String {
    let fields = row.as_object().into_iter().flatten();
    let words: Vec<String> = fields
        .map(|(name, value)| match value {
            Value::String(text) => text.clone(),
            _ => format!("{name}={value}"),
        })
        .collect();
    words.join(" ")
}
