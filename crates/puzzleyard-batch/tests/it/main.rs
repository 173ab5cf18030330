//! A batch is what so many single episodes are, however many threads step it.

use std::sync::Arc;

use puzzleyard_batch::{Autoreset, Batch, BatchError, Buffers};
use puzzleyard_core::Stream;
use puzzleyard_env::world::{
    Episode, LevelSet, Look, Observation, Order, PuzzleSet, Rewards, Settings, Sokoban, Stage,
    Sudoku, SudokuSettings, World,
};
use puzzleyard_sudoku::generate::Level;

const LEVELS: &str = "\
#######
#@ $ .#
#  $ .#
#     #
#######

########
#.   ###
#$ + # #
# $    #
########

######
#@$ .#
######
";

/// What a batch wrote, in memory of its own.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    observations: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    levels: Vec<i64>,
    masks: Vec<i8>,
}

impl Written {
    fn new<W: World>(world: &W, count: usize) -> Self {
        Self {
            observations: vec![99; count * world.shape().bytes()],
            rewards: vec![9.0; count],
            terminated: vec![true; count],
            truncated: vec![true; count],
            levels: vec![-1; count],
            masks: vec![9; count * world.actions() as usize],
        }
    }

    fn buffers(&mut self, patch: bool) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            levels: &mut self.levels,
            masks: Some(&mut self.masks),
            patch,
        }
    }
}

/// Single episodes, stepped one after the other with the autoreset that their names promise.
struct Singles<W: World> {
    episodes: Vec<Episode<W>>,
    over: Vec<bool>,
    finals: Vec<(usize, Vec<u8>)>,
}

impl<W: World> Singles<W> {
    fn step(&mut self, mode: Autoreset, actions: &[i64], out: &mut Written) {
        self.finals.clear();
        let world = Arc::clone(self.episodes[0].world());
        let (bytes, count) = (world.shape().bytes(), world.actions() as usize);
        for (lane, episode) in self.episodes.iter_mut().enumerate() {
            let mut result = (0.0, false, false);
            if mode == Autoreset::NextStep && self.over[lane] {
                episode.reset(None).unwrap();
                self.over[lane] = false;
            } else {
                let outcome = episode.step(actions[lane] as u64).unwrap();
                result = (outcome.reward, outcome.terminated, outcome.truncated);
                self.over[lane] = outcome.is_over();
                if mode == Autoreset::SameStep && outcome.is_over() {
                    let mut last = vec![0; bytes];
                    episode.observe(&mut last);
                    self.finals.push((lane, last));
                    episode.reset(None).unwrap();
                }
            }
            (out.rewards[lane], out.terminated[lane], out.truncated[lane]) = result;
            episode.observe(&mut out.observations[lane * bytes..][..bytes]);
            episode.mask(&mut out.masks[lane * count..][..count]);
            out.levels[lane] = world.level(episode.lane(), 0) as i64;
        }
    }
}

/// Steps a batch and single episodes side by side. The batch patches its own buffer; a second
/// one writes everything.
fn compare<W: World>(world: &Arc<W>, threads: usize, mode: Autoreset, steps: u64) {
    let count = 13;
    let mut patched = Batch::new(Arc::clone(world), count, threads, mode).unwrap();
    let mut whole = Batch::new(Arc::clone(world), count, 1, mode).unwrap();
    let mut singles = Singles {
        episodes: vec![Episode::new(Arc::clone(world)); count],
        over: vec![false; count],
        finals: Vec::new(),
    };
    let (mut a, mut b, mut c) = (
        Written::new(&**world, count),
        Written::new(&**world, count),
        Written::new(&**world, count),
    );
    let seeds: Vec<_> = (0..count as u64).map(|lane| Some(lane * 7)).collect();
    patched
        .reset(&seeds, None, None, &mut a.buffers(false))
        .unwrap();
    whole
        .reset(&seeds, None, None, &mut b.buffers(false))
        .unwrap();
    assert_eq!(a, b);
    for (episode, seed) in singles.episodes.iter_mut().zip(&seeds) {
        episode.reset(*seed).unwrap();
    }
    let dice = Stream::new(4, "test batch");
    let mut ended = 0;
    for step in 0..steps {
        let actions: Vec<i64> = (0..count as u64)
            .map(|lane| dice.below(step << 8 | lane, u64::from(world.actions())) as i64)
            .collect();
        if mode == Autoreset::Disabled && singles.over.contains(&true) {
            let lane = singles.over.iter().position(|&over| over).unwrap();
            let refused = patched.step(&actions, &mut a.buffers(true));
            assert!(matches!(refused, Err(BatchError::Over { lane: found }) if found == lane));
            let mask = singles.over.clone();
            let none = vec![None; count];
            patched
                .reset(&none, Some(&mask), None, &mut a.buffers(true))
                .unwrap();
            whole
                .reset(&none, Some(&mask), None, &mut b.buffers(false))
                .unwrap();
            assert_eq!(a, b);
            for (episode, over) in singles.episodes.iter_mut().zip(&mut singles.over) {
                if *over {
                    episode.reset(None).unwrap();
                    *over = false;
                }
            }
        }
        patched.step(&actions, &mut a.buffers(true)).unwrap();
        whole.step(&actions, &mut b.buffers(false)).unwrap();
        singles.step(mode, &actions, &mut c);
        assert_eq!(a, b, "step {step}");
        assert_eq!(a, c, "step {step}");
        let finals: Vec<_> = patched
            .finals()
            .map(|last| (last.lane, last.observation.to_vec()))
            .collect();
        assert_eq!(finals, singles.finals);
        ended += a
            .terminated
            .iter()
            .chain(&a.truncated)
            .filter(|&&end| end)
            .count();
    }
    assert!(ended > 10, "{ended}");
}

const MODES: [Autoreset; 3] = [
    Autoreset::NextStep,
    Autoreset::SameStep,
    Autoreset::Disabled,
];

#[test]
fn a_batch_of_sokoban_is_so_many_episodes_for_any_number_of_threads() {
    let pictures = [
        (Observation::Cells, Look::Latent),
        (Observation::Planes, Look::Latent),
        (Observation::Rgb, Look::House),
        (Observation::Grey, Look::Latent),
        (Observation::Latent, Look::Latent),
        (Observation::Latent, Look::Jittered),
    ];
    for (observation, look) in pictures {
        let settings = Settings {
            observation,
            look,
            tile: 3,
            rewards: Rewards {
                dead: -0.5,
                dead_ends: look == Look::House,
                ..Rewards::CLASSIC
            },
            max_steps: 25,
            stages: vec![Stage {
                until: None,
                weights: vec![1.0],
            }],
            ..Settings::default()
        };
        let set = LevelSet::from_xsb(LEVELS).unwrap();
        let world = Arc::new(Sokoban::new(set, settings).unwrap());
        for mode in MODES {
            for threads in [1, 2, 8] {
                compare(&world, threads, mode, 120);
            }
        }
    }
}

#[test]
fn a_batch_of_sudoku_is_so_many_episodes_for_any_number_of_threads() {
    let puzzles = PuzzleSet::generated(&Level::Easy.spec(), 1, 5).unwrap();
    let settings = SudokuSettings {
        max_steps: 25,
        ..SudokuSettings::default()
    };
    let world = Arc::new(Sudoku::new(puzzles, settings).unwrap());
    for mode in MODES {
        for threads in [1, 2, 8] {
            compare(&world, threads, mode, 120);
        }
    }
}

#[test]
fn sequential_lanes_share_the_levels() {
    let settings = Settings {
        order: Order::Sequential,
        max_steps: 1,
        ..Settings::default()
    };
    let world = Arc::new(Sokoban::new(LevelSet::from_xsb(LEVELS).unwrap(), settings).unwrap());
    let mut batch = Batch::new(Arc::clone(&world), 2, 2, Autoreset::SameStep).unwrap();
    let mut out = Written::new(&*world, 2);
    batch
        .reset(&[Some(0), Some(1)], None, None, &mut out.buffers(false))
        .unwrap();
    let mut met = out.levels.clone();
    for _ in 0..2 {
        batch.step(&[0, 0], &mut out.buffers(false)).unwrap();
        met.extend(&out.levels);
    }
    assert_eq!(met, [0, 1, 2, 0, 1, 2]);
    let finals: Vec<_> = batch.finals().map(|last| (last.lane, last.level)).collect();
    assert_eq!(finals, [(0, 2), (1, 0)]);
}

#[test]
fn misuse_is_named_and_changes_nothing() {
    let set = LevelSet::from_xsb(LEVELS).unwrap();
    let world = Arc::new(Sokoban::new(set, Settings::default()).unwrap());
    let new = |count, threads| Batch::new(Arc::clone(&world), count, threads, Autoreset::NextStep);
    assert!(matches!(new(0, 1), Err(BatchError::Lanes { found: 0 })));
    assert!(matches!(new(1 << 21, 1), Err(BatchError::Lanes { .. })));
    assert!(matches!(new(4, 0), Err(BatchError::Threads { found: 0 })));
    let mut batch = new(4, 2).unwrap();
    let mut out = Written::new(&*world, 4);
    let unborn = batch.step(&[0; 4], &mut out.buffers(false)).unwrap_err();
    assert_eq!(
        unborn.to_string(),
        "environment 0 has no episode, reset first"
    );
    let mask = [true, true, false, true];
    let half = batch.reset(&[None; 4], Some(&mask), None, &mut out.buffers(false));
    assert!(matches!(half, Err(BatchError::Unborn { lane: 2 })));
    batch
        .reset(
            &[None; 4],
            None,
            Some(&[0, 1, 2, 2]),
            &mut out.buffers(false),
        )
        .unwrap();
    assert_eq!(out.levels, [0, 1, 2, 2]);
    let before = out.clone();
    let no_level = batch.reset(
        &[None; 4],
        None,
        Some(&[0, 1, 2, 3]),
        &mut out.buffers(false),
    );
    assert_eq!(
        no_level.unwrap_err().to_string(),
        "level 3, wanted one below 3"
    );
    out = before.clone();
    for (actions, wanted) in [
        (
            &[0, 1, 4, 0][..],
            "action 4 of environment 2, wanted 0 to 3",
        ),
        (&[0, -1, 0, 0], "action -1 of environment 1, wanted 0 to 3"),
        (&[0, 1], "actions: 2 entries, wanted 4"),
    ] {
        let refused = batch.step(actions, &mut out.buffers(false)).unwrap_err();
        assert_eq!(refused.to_string(), wanted);
        assert_eq!(out, before);
    }
    let mut small = out.clone();
    small.rewards.pop();
    let refused = batch.step(&[0; 4], &mut small.buffers(false)).unwrap_err();
    assert_eq!(refused.to_string(), "rewards: 3 entries, wanted 4");
    small = out.clone();
    small.observations.pop();
    assert!(batch.step(&[0; 4], &mut small.buffers(false)).is_err());
    small = out.clone();
    small.masks.pop();
    assert!(batch.step(&[0; 4], &mut small.buffers(false)).is_err());

    let saved = batch.save(1).unwrap();
    batch.restore(3, &saved).unwrap();
    batch.show(&mut out.buffers(false)).unwrap();
    let bytes = world.shape().bytes();
    assert_eq!(
        out.observations[bytes..2 * bytes],
        out.observations[3 * bytes..]
    );
    assert_eq!(out.levels, [0, 1, 2, 1]);
    assert!(batch.save(4).is_err());
}
