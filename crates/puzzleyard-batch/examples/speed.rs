//! Steps a second of one thread and of two, in processor time and by the clock.
//!
//! `cargo run --release -p puzzleyard-batch --example speed [LEVELS.txt [ROUNDS [WORD]]]`
//!
//! Levels are those of a file of 10x10 boards in XSB (Boxoban's for one), or ten rooms made
//! here. With a word, only the lines that begin with it. Actions are random, drawn beforehand. Each line is the best of the rounds.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::sync::Arc;
use std::time::Instant;

use puzzleyard_batch::{Autoreset, Batch, Buffers};
use puzzleyard_core::Stream;
use puzzleyard_env::world::{
    Episode, LevelSet, Observation, PuzzleSet, Rewards, Settings, Sokoban, Sudoku, SudokuSettings,
    World,
};
use puzzleyard_sudoku::generate::Level;

const ROOM: &str = "\
##########
#@    #  #
# $  .   #
#  # $ . #
#        #
# $ ##   #
#  .  $  #
#   #  . #
#        #
##########
";

type Failure = Box<dyn std::error::Error>;

/// Processor seconds of this process.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

struct Frame<W: World> {
    batch: Batch<W>,
    observations: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    levels: Vec<i64>,
    masks: Option<Vec<i8>>,
}

impl<W: World> Frame<W> {
    fn new(world: &Arc<W>, count: usize, threads: usize, masks: bool) -> Result<Self, Failure> {
        let actions = world.actions() as usize;
        let mut frame = Self {
            batch: Batch::new(Arc::clone(world), count, threads, Autoreset::SameStep)?,
            observations: vec![0; count * world.shape().bytes()],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            levels: vec![0; count],
            masks: masks.then(|| vec![0; count * actions]),
        };
        let seeds: Vec<_> = (0..count as u64).map(Some).collect();
        frame.call(false, |batch, out| batch.reset(&seeds, None, None, out))?;
        Ok(frame)
    }

    fn call<T>(
        &mut self,
        patch: bool,
        act: impl FnOnce(&mut Batch<W>, &mut Buffers<'_>) -> T,
    ) -> T {
        let mut out = Buffers {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            levels: &mut self.levels,
            masks: self.masks.as_deref_mut(),
            patch,
        };
        act(&mut self.batch, &mut out)
    }
}

/// Millions of steps a second: by processor time, by the clock.
fn rate<W: World>(
    world: &Arc<W>,
    count: usize,
    threads: usize,
    (masks, patch): (bool, bool),
    rounds: usize,
) -> Result<(f64, f64), Failure> {
    let mut frame = Frame::new(world, count, threads, masks)?;
    let stream = Stream::new(1, "bench actions");
    let actions = u64::from(world.actions());
    let plans: Vec<Vec<i64>> = (0..64)
        .map(|plan| {
            (0..count as u64)
                .map(|lane| stream.below(plan << 32 | lane, actions) as i64)
                .collect()
        })
        .collect();
    let size = world.shape().bytes();
    let steps = (8_000_000 / (count * (size / 64).max(1))).clamp(64, 200_000);
    let mut best = (0.0, 0.0);
    for _ in 0..rounds {
        let (clock, processor) = (Instant::now(), cpu());
        for step in 0..steps {
            frame.call(patch, |batch, out| batch.step(&plans[step % 64], out))?;
        }
        let work = (count * steps) as f64 / 1e6;
        let (clock, processor) = (clock.elapsed().as_secs_f64(), cpu() - processor);
        best = (
            f64::max(best.0, work / processor),
            f64::max(best.1, work / clock),
        );
    }
    Ok(best)
}

/// Nanoseconds of a save and of a restore.
fn saves(world: &Arc<Sokoban>) -> Result<(f64, f64), Failure> {
    let mut episode = Episode::new(Arc::clone(world));
    episode.reset(Some(1))?;
    let rounds = 2_000_000u32;
    let before = cpu();
    for _ in 0..rounds {
        std::hint::black_box(episode.save());
    }
    let save = (cpu() - before) * 1e9 / f64::from(rounds);
    let saved = episode.save();
    let before = cpu();
    for _ in 0..rounds {
        episode.restore(std::hint::black_box(&saved))?;
    }
    Ok((save, (cpu() - before) * 1e9 / f64::from(rounds)))
}

/// Observations of a plain `memset` of the same buffer, in millions a second.
fn memset(bytes: usize, count: usize) -> f64 {
    let mut buffer = vec![0u8; bytes * count];
    let rounds = (4 << 30) / (bytes * count);
    let before = cpu();
    for round in 0..rounds {
        buffer.fill(round as u8);
        std::hint::black_box(&mut buffer);
    }
    (count * rounds) as f64 / (cpu() - before) / 1e6
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let levels = match arguments.next() {
        Some(path) => LevelSet::from_xsb(&std::fs::read_to_string(path)?)?,
        None => LevelSet::from_xsb(ROOM)?,
    };
    let rounds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let word = arguments.next().unwrap_or_default();
    println!(
        "{} levels, best of {rounds}; millions a second",
        levels.count()
    );
    println!(
        "{:34} {:>6} {:>7} {:>9} {:>9}",
        "what", "lanes", "threads", "cpu", "clock"
    );
    let world = |observation, rewards| {
        let settings = Settings {
            observation,
            rewards,
            ..Settings::default()
        };
        Sokoban::new(levels.clone(), settings).map(Arc::new)
    };
    let table = [
        (
            "symbolic plain",
            Observation::Cells,
            Rewards::CLASSIC,
            false,
        ),
        (
            "symbolic, shaped",
            Observation::Cells,
            Rewards::SHAPED,
            false,
        ),
        ("planes", Observation::Planes, Rewards::CLASSIC, false),
        (
            "80x80x3, all tiles",
            Observation::Rgb,
            Rewards::CLASSIC,
            false,
        ),
        (
            "80x80x3, changed tiles",
            Observation::Rgb,
            Rewards::CLASSIC,
            true,
        ),
        (
            "64x64x3, all tiles",
            Observation::Latent,
            Rewards::CLASSIC,
            false,
        ),
        (
            "64x64x3, changed tiles",
            Observation::Latent,
            Rewards::CLASSIC,
            true,
        ),
    ];
    for (name, observation, rewards, patch) in table {
        if !name.starts_with(&word) {
            continue;
        }
        let world = world(observation, rewards)?;
        for count in [1, 64, 1024, 16_384] {
            for threads in [1, 2] {
                if count < 1024 && threads > 1 {
                    continue;
                }
                let (cpu, clock) = rate(&world, count, threads, (false, patch), rounds)?;
                println!("{name:34} {count:6} {threads:7} {cpu:9.2} {clock:9.2}");
            }
        }
    }
    println!(
        "{:34} {:6} {:7} {:9.2}",
        "64x64x3, memset",
        1024,
        1,
        memset(12_288, 1024)
    );
    let puzzles = PuzzleSet::generated(&Level::Easy.spec(), 1, 1000)?;
    let sudoku = Arc::new(Sudoku::new(puzzles, SudokuSettings::default())?);
    for count in [1, 64, 1024] {
        let (cpu, clock) = rate(&sudoku, count, 1, (true, false), rounds)?;
        println!(
            "{:34} {count:6} {:7} {cpu:9.2} {clock:9.2}",
            "Sudoku with its mask", 1
        );
    }
    let (save, restore) = saves(&world(Observation::Cells, Rewards::SPARSE)?)?;
    println!("a save {save:.1} ns, a restore {restore:.1} ns");
    Ok(())
}
