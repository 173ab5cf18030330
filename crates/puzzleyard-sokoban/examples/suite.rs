//! Measures the solver on a file of levels: a row a level, then the totals.
//!
//! ```text
//! suite FILE [--objective any|pushes|moves] [--time SECONDS] [--memory 4GiB] [--nodes N]
//!            [--level N] [--answers]
//! ```
//!
//! Time is the processor time of the solving thread where the system tells it, else wall
//! time. A watchdog raises the stop signal; the library itself reads no clock.
#![expect(clippy::print_stdout, reason = "a measuring program prints its table")]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use puzzleyard_core::{Limit, Limits, Stop, Verdict};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{Objective, SolveReport, solve};

struct Options {
    file: PathBuf,
    objective: Objective,
    time: Duration,
    limits: Limits,
    level: Option<usize>,
    print_answers: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options(std::env::args().skip(1))?;
    let bytes = std::fs::read(&options.file)?;
    let setups = boards(&String::from_utf8_lossy(&bytes));
    println!("index verdict moves pushes bound root expanded generated cpu_s peak_mib");
    let (mut solved, mut unsolvable, mut gave_up) = (0, 0, 0);
    let mut cpu_of_solved = Duration::ZERO;
    for (index, setup) in setups.iter().enumerate() {
        if options.level.is_some_and(|level| level != index + 1) {
            continue;
        }
        let level = match Level::from_setup(setup, &Waivers::playing()) {
            Ok(level) => level,
            Err(faults) => {
                println!("{} faulty {faults}", index + 1);
                continue;
            }
        };
        let (report, cpu) = run(&level, &options);
        let (verdict, moves, pushes) = match &report.verdict {
            Verdict::Solved(answer) => {
                solved += 1;
                cpu_of_solved += cpu;
                let proof = if report.optimal { "best" } else { "solved" };
                (proof.to_owned(), answer.moves(), answer.pushes())
            }
            Verdict::Unsolvable => {
                unsolvable += 1;
                ("unsolvable".into(), 0, 0)
            }
            Verdict::GaveUp(limit) => {
                gave_up += 1;
                (format!("gave-up({limit})").replace(' ', "-"), 0, 0)
            }
        };
        if let Some(refused) = &report.refused {
            println!("{} REFUSED {:?}", index + 1, refused.ruling);
        }
        println!(
            "{} {verdict} {moves} {pushes} {} {} {} {} {:.2} {}",
            index + 1,
            report.lower_bound,
            report.root_bound,
            report.expanded,
            report.generated,
            cpu.as_secs_f64(),
            report.peak_memory >> 20,
        );
        if options.print_answers {
            if let Verdict::Solved(answer) = &report.verdict {
                println!("{answer}");
            }
            println!("{:?}", report.deadlocks);
        }
    }
    println!(
        "solved {solved} unsolvable {unsolvable} gave-up {gave_up} cpu of solved {:.1} s",
        cpu_of_solved.as_secs_f64()
    );
    Ok(())
}

/// Solves one level under the watchdog.
fn run(level: &Level, options: &Options) -> (SolveReport, Duration) {
    let stop = Stop::new();
    let done = Arc::new(AtomicBool::new(false));
    let thread = std::fs::read_link("/proc/thread-self")
        .map(|link| PathBuf::from("/proc").join(link).join("schedstat"))
        .unwrap_or_default();
    let clock = move |begin: Instant| {
        std::fs::read_to_string(&thread)
            .ok()
            .and_then(|text| text.split_whitespace().next()?.parse().ok())
            .map_or_else(|| begin.elapsed(), Duration::from_nanos)
    };
    let begin = Instant::now();
    let before = clock(begin);
    let watchdog = std::thread::spawn({
        let (stop, done, clock) = (stop.clone(), Arc::clone(&done), clock.clone());
        let time = options.time;
        move || {
            while !done.load(Ordering::Relaxed) {
                if clock(begin).saturating_sub(before) >= time {
                    stop.raise(Limit::Time);
                    return;
                }
                std::thread::park_timeout(Duration::from_millis(10));
            }
        }
    });
    let report = solve(
        level,
        options.objective,
        &options.limits,
        &stop,
        &mut |_| {},
    );
    let cpu = clock(begin).saturating_sub(before);
    done.store(true, Ordering::Relaxed);
    watchdog.thread().unpark();
    // The watchdog cannot panic, and there is nothing to do about it if it did.
    let _ = watchdog.join();
    (report, cpu)
}

/// Boards are runs of three or more lines of board characters.
fn boards(text: &str) -> Vec<Setup> {
    let mut setups = Vec::new();
    let mut rows: Vec<Vec<Square>> = Vec::new();
    for line in text.lines().chain([""]) {
        let line = line.trim_end();
        let row: Option<Vec<Square>> = line
            .chars()
            .map(|glyph| Square::from_glyph(if "-_".contains(glyph) { ' ' } else { glyph }))
            .collect();
        if let Some(row) = row.filter(|_| line.contains('#')) {
            rows.push(row);
            continue;
        }
        if rows.len() >= 3 {
            setups.push(Setup::from_rows(&rows));
        }
        rows.clear();
    }
    setups
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        file: PathBuf::from(words.next().ok_or("usage: suite FILE [options]")?),
        objective: Objective::Pushes,
        time: Duration::from_secs(10),
        limits: Limits {
            nodes: None,
            memory: Some(4 << 30),
        },
        level: None,
        print_answers: false,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--objective" => {
                options.objective = match value()?.as_str() {
                    "any" => Objective::Any,
                    "pushes" => Objective::Pushes,
                    "moves" => Objective::Moves,
                    other => return Err(format!("no objective {other}").into()),
                };
            }
            "--time" => {
                options.time = Duration::from_secs_f64(value()?.trim_end_matches('s').parse()?);
            }
            "--memory" => options.limits.memory = Some(bytes(&value()?)?),
            "--nodes" => options.limits.nodes = Some(value()?.parse()?),
            "--level" => options.level = Some(value()?.parse()?),
            "--answers" => options.print_answers = true,
            other => return Err(format!("no option {other}").into()),
        }
    }
    Ok(options)
}

/// A size such as `512MiB` or `4GiB`.
fn bytes(text: &str) -> Result<u64, Box<dyn Error>> {
    for (unit, shift) in [("GiB", 30), ("MiB", 20)] {
        if let Some(number) = text.strip_suffix(unit) {
            return Ok(number.trim().parse::<u64>()? << shift);
        }
    }
    Ok(text.parse()?)
}
