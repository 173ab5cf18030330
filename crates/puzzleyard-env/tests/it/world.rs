//! Steps for programs that learn, against the rules on sets of cells.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use puzzleyard_core::{Cell, Direction, Stream};
use puzzleyard_env::world::{
    Episode, LevelSet, LevelSetError, Observation, Order, Rewards, Saved, SavedError, Schedule,
    ScheduleError, Settings, SettingsError, Sokoban, Stage, StepError, World,
};
use puzzleyard_sokoban::rules::{Level, State, Waivers};

/// Two small levels and a wide one with a goal under the player, scenery and a corner.
const LEVELS: &str = "\
#######
#@ $ .#
#  $ .#
#     #
#######

######
#.  ##
#$ + #
# $  #
######

###########
#  #  .*  #
#@$  $ .  ###
#  #      #*#
###########
";

fn levels() -> Vec<Level> {
    let setups = puzzleyard_sokoban::format::xsb::read(LEVELS)
        .unwrap()
        .setups;
    let level = |setup| Level::from_setup(setup, &Waivers::none()).unwrap();
    setups.iter().map(level).collect()
}

fn world(settings: Settings) -> Arc<Sokoban> {
    Arc::new(Sokoban::new(LevelSet::new(&levels()).unwrap(), settings).unwrap())
}

/// The fewest pushes of a lone box from each square to its nearest goal, found forwards, box by
/// box, square by square.
fn pushes(level: &Level) -> HashMap<Cell, i64> {
    let area = level.area();
    let free = |cell: Option<Cell>| cell.filter(|&cell| !level.walls().contains(cell));
    let mut found = HashMap::new();
    for start in area.cells().filter(|&cell| free(Some(cell)).is_some()) {
        let (mut ring, mut seen, mut far) = (vec![start], HashSet::from([start]), 0);
        while !ring.is_empty() {
            if ring.iter().any(|&cell| level.goals().contains(cell)) {
                found.insert(start, far);
                break;
            }
            let mut next = Vec::new();
            for cell in ring {
                for way in Direction::ALL {
                    let to = free(area.neighbour(cell, way));
                    let player = free(area.neighbour(cell, way.opposite()));
                    if let (Some(to), Some(_)) = (to, player)
                        && seen.insert(to)
                    {
                        next.push(to);
                    }
                }
            }
            ring = next;
            far += 1;
        }
    }
    found
}

fn potential(level: &Level, padded: usize, pushes: &HashMap<Cell, i64>, state: &State) -> f64 {
    let far = |cell: Cell| pushes.get(&cell).copied().unwrap_or(padded as i64);
    assert!(level.boxes_needed() > 0);
    -(state.boxes.iter().map(far).sum::<i64>() as f64)
}

/// Plays random episodes beside the rules and hands every step to `check`.
fn walk(
    world: &Arc<Sokoban>,
    mut check: impl FnMut(&Level, &State, &State, &Episode<Sokoban>, f64, (bool, bool)),
) {
    let (levels, dice) = (levels(), Stream::new(5, "test walk"));
    let mut rolled = 0;
    for seed in 0..40 {
        let mut episode = Episode::new(Arc::clone(world));
        episode.reset(Some(seed)).unwrap();
        let level = &levels[world.level(episode.lane(), 0) as usize];
        let mut state = level.start().clone();
        while episode.is_running() {
            let action = dice.below(rolled, 4);
            rolled += 1;
            let before = state.clone();
            let _ = level.step(&mut state, Direction::ALL[action as usize]);
            let outcome = episode.step(action).unwrap();
            let ends = (outcome.terminated, outcome.truncated);
            check(level, &before, &state, &episode, outcome.reward, ends);
        }
        assert_eq!(episode.step(0), Err(StepError::Over));
    }
}

#[test]
fn steps_observations_and_masks_are_those_of_the_rules() {
    for observation in [Observation::Cells, Observation::Planes] {
        let world = world(Settings {
            observation,
            max_steps: 60,
            ..Settings::default()
        });
        let area = world.area();
        walk(&world, |level, _, state, episode, _, _| {
            let mut seen = vec![9; world.shape().bytes()];
            episode.observe(&mut seen);
            for (at, cell) in area.cells().enumerate() {
                let square = level.square(state, cell);
                let inside = level.area().contains(cell) && !square.wall;
                let flags = [
                    !inside,
                    inside && square.goal,
                    inside && square.crate_box,
                    inside && square.player,
                ];
                match observation {
                    Observation::Cells => {
                        let code = match flags {
                            [true, ..] => 6,
                            [_, goal, true, _] => 2 + u8::from(goal),
                            [_, goal, _, true] => 4 + u8::from(goal),
                            [_, goal, ..] => u8::from(goal),
                        };
                        assert_eq!(seen[at], code, "{cell}");
                    }
                    _ => {
                        for (plane, flag) in flags.into_iter().enumerate() {
                            assert_eq!(seen[plane * area.len() + at], u8::from(flag), "{cell}");
                        }
                    }
                }
            }
            let mut mask = [9; 4];
            episode.mask(&mut mask);
            for (way, open) in Direction::ALL.into_iter().zip(mask) {
                assert_eq!(level.step(&mut state.clone(), way).is_ok(), open == 1);
            }
        });
    }
}

#[test]
fn episodes_end_when_solved_or_when_the_steps_are_used_up() {
    let world = world(Settings {
        max_steps: 30,
        ..Settings::default()
    });
    let (mut solved, mut cut) = (0, 0);
    walk(&world, |level, _, state, episode, reward, ends| {
        let (_, _, steps) = world.place(episode.lane(), 0);
        let done = level.is_solved(state);
        assert_eq!(ends, (done, !done && steps == 30));
        assert_eq!(reward, f64::from(u8::from(done)));
        solved += u32::from(ends.0);
        cut += u32::from(ends.1);
    });
    assert!(cut > 20, "{solved} {cut}");
    // A solution of the second level ends the episode in its last step, not before.
    let mut episode = Episode::new(world);
    episode.reset_on(Some(1), 0).unwrap();
    let answer = [3, 3, 3, 2, 2, 2, 1, 3, 3, 3];
    for (at, action) in answer.into_iter().enumerate() {
        let outcome = episode.step(action).unwrap();
        assert_eq!(outcome.terminated, at + 1 == answer.len(), "step {at}");
    }
}

#[test]
fn classic_and_shaped_rewards_are_those_of_their_definitions() {
    let classic = world(Settings {
        rewards: Rewards::CLASSIC,
        ..Settings::default()
    });
    walk(&classic, |level, before, state, _, reward, _| {
        let gain = level.boxes_on_goals(state) as f64 - level.boxes_on_goals(before) as f64;
        let solved = if level.is_solved(state) { 10.0 } else { 0.0 };
        assert!((reward - (-0.1 + gain + solved)).abs() < 1e-12);
    });
    let shaped = world(Settings {
        rewards: Rewards {
            shaping: Some(0.9),
            ..Rewards::SHAPED
        },
        ..Settings::default()
    });
    let padded = shaped.area().len();
    let tables: Vec<_> = levels().iter().map(pushes).collect();
    walk(&shaped, |level, before, state, _, reward, _| {
        let at = levels().iter().position(|other| other == level).unwrap();
        let worth = |state| potential(level, padded, &tables[at], state);
        let solved = if level.is_solved(state) { 10.0 } else { 0.0 };
        let wanted = 0.9 * worth(state) - worth(before) + solved;
        assert!((reward - wanted).abs() < 1e-9, "{reward} {wanted}");
    });
}

/// The states from which a level can be solved, found backwards over all states.
fn alive(level: &Level) -> HashSet<State> {
    let (mut all, mut open) = (HashSet::new(), vec![level.start().clone()]);
    let mut before: HashMap<State, Vec<State>> = HashMap::new();
    while let Some(state) = open.pop() {
        if !all.insert(state.clone()) {
            continue;
        }
        for way in Direction::ALL {
            let mut next = state.clone();
            if level.step(&mut next, way).is_ok() {
                before.entry(next.clone()).or_default().push(state.clone());
                open.push(next);
            }
        }
    }
    let mut open: Vec<State> = all
        .into_iter()
        .filter(|state| level.is_solved(state))
        .collect();
    let mut alive = HashSet::new();
    while let Some(state) = open.pop() {
        if alive.insert(state.clone()) {
            open.extend(before.get(&state).into_iter().flatten().cloned());
        }
    }
    alive
}

#[test]
fn a_state_called_dead_is_dead_and_told_once() {
    let world = world(Settings {
        rewards: Rewards {
            dead: -1.0,
            ..Rewards::SPARSE
        },
        ..Settings::default()
    });
    let tables: Vec<_> = levels().iter().map(alive).collect();
    let (mut told, mut last) = (0, 0);
    walk(&world, |level, _, state, episode, reward, _| {
        let at = levels().iter().position(|other| other == level).unwrap();
        let (seed, _, steps) = world.place(episode.lane(), 0);
        if reward < 0.0 {
            assert!(!tables[at].contains(state));
            assert!(told == 0 || last != seed, "told twice in an episode");
            (told, last) = (told + 1, seed);
            assert!(steps > 0);
        }
    });
    assert!(told > 10, "{told}");
    let ending = Settings {
        rewards: Rewards {
            dead: -1.0,
            dead_ends: true,
            shaping: Some(1.0),
            ..Rewards::SPARSE
        },
        ..Settings::default()
    };
    let world = self::world(ending);
    let mut episode = Episode::new(world);
    episode.reset_on(Some(3), 0).unwrap();
    // The lower box goes to the left wall, which has no goal. Before that the boxes were 2 and 3
    // pushes from theirs; the dead end counts as zero.
    for action in [1, 1, 3, 3, 3, 0, 2] {
        assert!(!episode.step(action).unwrap().terminated);
    }
    let outcome = episode.step(2).unwrap();
    assert!(outcome.terminated && !outcome.truncated);
    assert_eq!(outcome.reward, -1.0 + 5.0);
}

#[test]
fn parts_are_drawn_by_weight_stage_by_stage() {
    let stage = |until, weights: [f64; 3]| Stage {
        until,
        weights: weights.to_vec(),
    };
    let stages = [
        stage(Some(1000), [1.0, 0.0, 3.0]),
        stage(Some(2000), [0.0, 5.0, 0.0]),
        stage(None, [1.0, 1.0, 1.0]),
    ];
    let schedule = Schedule::new(Order::Random, &[2, 10, 1], &stages).unwrap();
    let mut counts = [[0u32; 3]; 3];
    for episode in 0..3000 {
        let level = schedule.level(7, episode, 1);
        assert_eq!(level, schedule.level(7, episode, 64), "lanes do not matter");
        counts[episode as usize / 1000][schedule.part(level)] += 1;
    }
    let near = |found: u32, wanted: u32| found.abs_diff(wanted) < 60;
    assert!(near(counts[0][0], 250) && near(counts[0][2], 750) && counts[0][1] == 0);
    assert_eq!(counts[1], [0, 1000, 0]);
    assert!(
        counts[2].iter().all(|&count| near(count, 333)),
        "{counts:?}"
    );
    // Without stages every level is as likely as another.
    let plain = Schedule::new(Order::Random, &[2, 10, 1], &[]).unwrap();
    let mut met = [0u32; 13];
    for episode in 0..13_000 {
        met[plain.level(1, episode, 1) as usize] += 1;
    }
    assert!(
        met.iter().all(|&count| count.abs_diff(1000) < 150),
        "{met:?}"
    );

    let refused = |order, parts: &[u64], stages: &[Stage]| {
        Schedule::new(order, parts, stages).expect_err("no schedule")
    };
    assert_eq!(refused(Order::Random, &[], &[]), ScheduleError::NoLevels);
    assert_eq!(
        refused(Order::Random, &[1, 0], &[]),
        ScheduleError::NoLevels
    );
    let three = [1, 1, 1];
    assert_eq!(
        refused(Order::Sequential, &three, &stages),
        ScheduleError::Sequential
    );
    assert_eq!(
        refused(Order::Random, &three, &stages[..2]),
        ScheduleError::Until { stage: 2 }
    );
    assert!(matches!(
        refused(Order::Random, &three, &[stage(None, [0.0; 3])]),
        ScheduleError::Weight { stage: 1, .. }
    ));
    assert!(matches!(
        refused(Order::Random, &[1, 1], &stages),
        ScheduleError::Weights { found: 3, .. }
    ));
}

#[test]
fn a_saved_episode_goes_on_as_it_would_have() {
    for rewards in [Rewards::SPARSE, Rewards::SHAPED] {
        let world = world(Settings {
            rewards,
            ..Settings::default()
        });
        let dice = Stream::new(9, "test saves");
        for seed in 0..20 {
            let mut first = Episode::new(Arc::clone(&world));
            first.reset(Some(seed)).unwrap();
            for step in 0..seed {
                if first.is_running() {
                    first.step(dice.below(seed << 8 | step, 4)).unwrap();
                }
            }
            let saved = Saved::from_bytes(&first.save().to_bytes()).unwrap();
            assert_eq!(saved, first.save());
            let mut second = Episode::new(Arc::clone(&world));
            second.restore(&saved).unwrap();
            let mut third = first.clone();
            for step in 0..200 {
                let action = dice.below(seed << 16 | step, 4);
                let wanted = first.step(action);
                assert_eq!(second.step(action), wanted);
                assert_eq!(third.step(action), wanted);
                assert_eq!(first.save(), second.save());
                if wanted.is_err() {
                    for episode in [&mut first, &mut second, &mut third] {
                        episode.reset(None).unwrap();
                    }
                }
            }
        }
    }
}

/// Bytes to change in a saved state, and what is said of it then.
type Forgery = (&'static [(usize, u8)], fn(&SavedError) -> bool);

#[test]
fn forged_states_are_refused_and_change_nothing() {
    let world = world(Settings::default());
    let mut episode = Episode::new(Arc::clone(&world));
    episode.reset_on(Some(1), 0).unwrap();
    let good = episode.save().to_bytes();
    let board = good.len() - world.area().len();
    assert_eq!(board, 38);
    let forged: [Forgery; 8] = [
        (&[(0, 2)], |error| matches!(error, SavedError::Bytes { .. })),
        (&[(1, 7)], |error| matches!(error, SavedError::Bytes { .. })),
        (&[(2, 0xAA), (3, 0xAA)], |error| {
            *error == SavedError::Source
        }),
        (&[(26, 77)], |error| {
            *error == SavedError::Board { level: 77 }
        }),
        (&[(37, 9)], |error| {
            matches!(error, SavedError::Steps { .. })
        }),
        (&[(38, 0)], |error| *error == SavedError::Board { level: 0 }),
        (&[(53, 2)], |error| *error == SavedError::Board { level: 0 }),
        (&[(53, 255)], |error| {
            *error == SavedError::Board { level: 0 }
        }),
    ];
    for (changes, wanted) in forged {
        let mut bytes = good.clone();
        for &(at, byte) in changes {
            assert_ne!(bytes[at], byte, "{at}");
            bytes[at] = byte;
        }
        let refused = Saved::from_bytes(&bytes).and_then(|saved| episode.restore(&saved));
        let error = refused.expect_err("a forged state");
        assert!(wanted(&error), "{changes:?}: {error}");
        assert_eq!(episode.save().to_bytes(), good);
    }
    for cut in [0, 5, board - 1, good.len() - 1] {
        let saved = Saved::from_bytes(&good[..cut]);
        assert!(
            saved.and_then(|saved| episode.restore(&saved)).is_err(),
            "{cut}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_levels_and_the_next_episode_another() {
    let world = world(Settings::default());
    let play = |seed: u64| -> Vec<u64> {
        let mut episode = Episode::new(Arc::clone(&world));
        episode.reset(Some(seed)).unwrap();
        (0..50)
            .map(|_| {
                let level = world.level(episode.lane(), 0);
                episode.reset(None).unwrap();
                level
            })
            .collect()
    };
    assert_eq!(play(4), play(4));
    assert_ne!(play(4), play(5));
    let met: HashSet<u64> = play(4).into_iter().collect();
    assert_eq!(met.len(), 3);
    let mut unborn = Episode::new(world);
    assert_eq!(unborn.step(0), Err(StepError::Unborn));
    unborn.reset(None).unwrap();
    let wrong = StepError::Action { found: 4, count: 4 };
    assert_eq!(unborn.step(4), Err(wrong));
    assert!(unborn.reset_on(None, 3).is_err());
}

#[test]
fn sequential_order_meets_every_level_once_before_any_twice() {
    let world = world(Settings {
        order: Order::Sequential,
        ..Settings::default()
    });
    for lanes in [1u64, 2, 4, 5] {
        let mut set = world.lanes(lanes as usize);
        let mut met = Vec::new();
        for episode in 0..3 {
            for lane in 0..lanes {
                world
                    .start(&mut set, lane as usize, 100 + lane, episode, lanes)
                    .unwrap();
                met.push(world.level(&set, lane as usize));
            }
        }
        for turn in met.chunks_exact(3) {
            let turn: HashSet<_> = turn.iter().collect();
            assert_eq!(turn.len(), 3, "{met:?}");
        }
    }
}

#[test]
fn level_sets_name_their_levels_and_refuse_what_cannot_be_played() {
    let levels = levels();
    let set = LevelSet::new(&levels).unwrap();
    assert_eq!((set.area().height(), set.area().width()), (5, 13));
    for (level, number) in levels.iter().zip(0..) {
        assert_eq!(set.level_id(number), Some(level.id()));
        let again = Level::from_setup(&set.setup(number).unwrap(), &Waivers::none()).unwrap();
        assert_eq!(&again, level);
    }
    assert_eq!(set.level_id(3), None);
    let parts = [
        LevelSet::new(&levels[..1]).unwrap(),
        LevelSet::new(&levels[1..]).unwrap(),
    ];
    let joined = LevelSet::join(&parts).unwrap();
    assert_eq!(joined.parts(), [1, 2]);
    assert_eq!((joined.id(), joined.area()), (set.id(), set.area()));
    assert_eq!(joined.board(0), set.board(0));

    assert_eq!(LevelSet::new(&[]), Err(LevelSetError::Empty));
    let faulty = LevelSet::from_xsb("#####\n#@$.#\n#####\n\n#####\n#@$ #\n#####\n");
    assert!(
        matches!(faulty, Err(LevelSetError::Faults { number: 2, .. })),
        "{faulty:?}"
    );
    let solved = LevelSet::from_xsb("#####\n#@* #\n#####\n");
    assert!(solved.is_err());
    let small = LevelSet::padded(&levels, puzzleyard_core::Area::new(5, 12));
    assert!(
        matches!(small, Err(LevelSetError::TooLarge { number: 3, .. })),
        "{small:?}"
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    let set = || LevelSet::new(&levels()).unwrap();
    let refused = |settings: Settings| Sokoban::new(set(), settings).expect_err("out of range");
    let default = Settings::default;
    let tile = refused(Settings {
        tile: 0,
        ..default()
    });
    assert_eq!(tile, SettingsError::Tile { found: 0 });
    let steps = refused(Settings {
        max_steps: 0,
        ..default()
    });
    assert_eq!(steps, SettingsError::Steps { found: 0 });
    let noise = refused(Settings {
        noise: f32::NAN,
        ..default()
    });
    assert!(matches!(noise, SettingsError::Noise { .. }));
    let rewards = refused(Settings {
        rewards: Rewards {
            shaping: Some(1.5),
            ..Rewards::SPARSE
        },
        ..default()
    });
    assert_eq!(
        rewards.to_string(),
        "a shaping discount of 1.5, wanted 0 to 1"
    );
    let word = "classical".parse::<Rewards>().unwrap_err();
    assert_eq!(
        word.to_string(),
        "reward \"classical\", wanted sparse, classic or shaped"
    );
}
