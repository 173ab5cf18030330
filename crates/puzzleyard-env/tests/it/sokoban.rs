//! Sokoban episodes: each decision of `docs/sokoban-episode.md`, and the judge.

use proptest::collection::vec;
use proptest::prelude::*;
use puzzleyard_env::sokoban::{
    Agent, Difficulty, End, Episode, ExampleError, InvalidReason, Optimum, Player, Recorder,
    Settings, Task, Transcript, Unplayable, View, bundled, examples,
};
use puzzleyard_env::{Turns, judge};
use puzzleyard_sokoban::judge as replay;
use puzzleyard_sokoban::rules::{Level, Waivers};

use crate::claims;
use crate::table::millionths;

type Change = fn(&mut Transcript);

/// Two boxes, each three pushes to the right of it a goal.
const LEVEL: &str = "#########\n#       #\n#@$  .  #\n# $  .  #\n#       #\n#########\n";
/// An answer to it: 6 pushes in 10 moves.
const ANSWER: &str = "RRRllldRRR";

fn task(level: &str) -> Task {
    Task {
        level: level.to_owned(),
        optimum: None,
    }
}

fn direct() -> Settings {
    Settings {
        use_think: false,
        ..Settings::default()
    }
}

fn episode(settings: Settings) -> Episode {
    Episode::new(&task(LEVEL), settings).unwrap()
}

fn said(steps: &str) -> String {
    format!("<move>{steps}</move>")
}

#[test]
fn the_prompt_shows_board_legend_and_rules() {
    let wanted = "Sokoban Puzzle:

#########
#       #
#@$  .  #
# $  .  #
#       #
#########

Legend: # wall, @ player, + player on a goal, $ box, * box on a goal, . goal, space floor

Rules:
- Push every box onto a goal
- The player steps up (u), down (d), left (l) or right (r), not into walls
- A step into a box pushes it one square; behind it must be neither wall nor box
- Boxes cannot be pulled
- Make 1 to 20 steps a turn; they stop at the first that is impossible
- Capital and small letters mean the same

Make your move using the format: <move>urrd</move>";
    assert_eq!(episode(direct()).prompt(), wanted);
}

#[test]
fn a_reply_shows_the_board_and_the_counts() {
    let mut episode = episode(direct());
    let reply = episode.turn(&said("rrr"));
    let wanted = "✅ Valid move! Steps made: 3.

Current Board:
#########
#       #
#   @*  #
# $  .  #
#       #
#########

Boxes on goals: 1/2
Moves: 3, pushes: 3
Turn: 1/50

What's your next move?";
    assert_eq!(reply.text, wanted);
    assert_eq!((reply.steps, reply.reward, reply.done), (3, 0.0, false));
}

#[test]
fn coordinates_are_rows_and_columns_from_one() {
    let settings = Settings {
        view: View::Coordinates,
        steps_per_turn: 1,
        case_matters: true,
        ..direct()
    };
    let mut episode = Episode::new(&task("####\n#@.#\n#$ #\n#  #\n####"), settings).unwrap();
    let prompt = episode.prompt();
    assert!(
        prompt.starts_with(
            "Sokoban Puzzle:\n\nSize: 5 rows, 4 columns\n\
             Walls: (1,1) (1,2) (1,3) (1,4) (2,1) (2,4) (3,1) (3,4) (4,1) (4,4) (5,1) (5,2) \
             (5,3) (5,4)\nGoals: (2,3)\nBoxes: (3,2)\nPlayer: (2,2)\n\nLegend: squares are \
             (row,column), counted from 1 at the top left; what is not listed is floor\n"
        ),
        "{prompt}"
    );
    assert!(prompt.contains("- Make one step a turn; they stop"));
    assert!(prompt.contains("- Write a capital letter for a step that pushes"));
    assert!(prompt.ends_with("<move>u</move>"));
    let reply = episode.turn(&said("D"));
    let board = "\nCurrent Board:\nGoals: (2,3)\nBoxes: (4,2)\nPlayer: (3,2)\n\n";
    assert!(reply.text.contains(board), "{}", reply.text);
}

#[test]
fn steps_stop_at_the_first_impossible_one() {
    for (level, steps, made, wanted) in [
        (LEVEL, "rl", 2, None),
        (LEVEL, "ul", 1, Some((2, InvalidReason::Wall))),
        (LEVEL, "rrrrrr", 5, Some((6, InvalidReason::BoxAgainstWall))),
        (
            "#######\n#@$$..#\n#######",
            "rrr",
            0,
            Some((1, InvalidReason::BoxAgainstBox)),
        ),
    ] {
        let mut episode = Episode::new(&task(level), direct()).unwrap();
        let reply = episode.turn(&said(steps));
        let found = reply.invalid_step.zip(reply.invalid_reason);
        assert_eq!((reply.steps, found), (made, wanted), "{steps}");
        assert_eq!(episode.answer().len(), made as usize);
        assert_eq!(reply.reward, if wanted.is_some() { -0.1 } else { 0.0 });
    }
    let reply = episode(direct()).turn(&said("uul"));
    assert!(reply.text.starts_with(
        "❌ Invalid move! Step 2 (u) is impossible: a wall is in the way. Steps made before it: 1."
    ));
}

#[test]
fn letters_of_both_cases_mean_the_same_unless_case_matters() {
    assert_eq!(episode(direct()).turn(&said("rR")).invalid_reason, None);
    let strict = Settings {
        case_matters: true,
        ..direct()
    };
    let reply = episode(strict).turn(&said("Rr"));
    assert_eq!(reply.invalid_reason, Some(InvalidReason::WrongCase));
    assert_eq!((reply.steps, reply.invalid_step), (1, Some(2)));
    assert_eq!(episode(strict).turn(&said("RRlu")).invalid_reason, None);
    assert_eq!(
        episode(strict).turn(&said("U")).invalid_reason,
        Some(InvalidReason::WrongCase)
    );
}

#[test]
fn more_steps_than_a_turn_has_make_none() {
    let three = Settings {
        steps_per_turn: 3,
        ..direct()
    };
    let reply = episode(three).turn(&said("rrr"));
    assert_eq!((reply.steps, reply.invalid_reason), (3, None));
    let reply = episode(three).turn(&said("rrrl"));
    assert_eq!(
        (reply.steps, reply.invalid_reason),
        (0, Some(InvalidReason::TooManySteps))
    );
}

#[test]
fn messages_are_read_as_in_sudoku() {
    let reason = |message: &str| episode(direct()).turn(message).invalid_reason;
    assert_eq!(reason("r"), Some(InvalidReason::NoMove));
    assert_eq!(reason("<move></move>"), Some(InvalidReason::Malformed));
    for content in ["r r", "x", "r\n", "ｒ", "R1", "right", "r,r", "r\0"] {
        assert_eq!(
            reason(&said(content)),
            Some(InvalidReason::Malformed),
            "{content:?}"
        );
    }
    assert_eq!(
        reason("<move>r</move><move>l</move>"),
        Some(InvalidReason::SeveralMoves)
    );
    assert_eq!(reason("<move>r</move><move>r</move>"), None);
    assert_eq!(reason("<move>r"), Some(InvalidReason::Malformed));
    assert_eq!(reason(&"r".repeat(1 << 21)), Some(InvalidReason::TooLong));
    let thought = |message: &str| episode(Settings::default()).turn(message).invalid_reason;
    assert_eq!(thought("<move>r</move>"), Some(InvalidReason::NoMove));
    assert_eq!(thought("<think><move>u</move></think><move>r</move>"), None);
}

#[test]
fn solving_ends_the_episode_and_drops_the_rest() {
    let mut episode = episode(direct());
    let reply = episode.turn(&said(&format!("{ANSWER}uuuuu")));
    assert!(
        reply.done && reply.invalid_reason.is_none(),
        "{}",
        reply.text
    );
    assert_eq!(episode.end(), Some(End::Solved));
    assert_eq!(reply.steps as usize, ANSWER.len());
    let pushes = episode.state().pushes;
    let told = format!(
        "🎉 Puzzle solved in 1 turns, {} moves and {pushes} pushes!",
        ANSWER.len()
    );
    assert!(reply.text.ends_with(&told), "{}", reply.text);
    let ruling = replay::judge(LEVEL, episode.answer(), replay::Strictness::CaseMatters);
    assert!(ruling.is_solved());
    let state = episode.state();
    assert_eq!(episode.turn("x").text, "The game is over.");
    assert_eq!(episode.state(), state);
}

#[test]
fn the_move_in_the_last_turn_counts_and_the_end_is_told() {
    let one = Settings {
        max_turns: Turns::Fixed(1),
        ..direct()
    };
    let mut solver = episode(one);
    solver.turn(&said(ANSWER));
    assert_eq!(solver.end(), Some(End::Solved));
    assert_eq!(solver.score().efficiency, 0.0);
    let mut idler = episode(one);
    let reply = idler.turn(&said("u"));
    assert!(
        reply
            .text
            .ends_with("⏰ All 1 turns are used up. The game is over.")
    );
    assert_eq!(idler.end(), Some(End::OutOfTurns));
}

#[test]
fn rewards_are_those_of_the_table() {
    let optimum = Some(Optimum {
        pushes: 3,
        moves: 11,
    });
    let task = Task {
        optimum,
        ..task(LEVEL)
    };
    let mut episode = Episode::new(&task, direct()).unwrap();
    episode.turn("hm");
    assert_eq!(episode.score().parts(), [-0.1, 0.0, 0.0, 0.0, 0.0, 0.0]);
    episode.turn(&said("rrr"));
    assert_eq!(episode.score().parts(), [-0.1, 1.0, 0.0, 0.0, 0.0, 0.0]);
    episode.turn(&said(&ANSWER[3..]));
    // 6 pushes where 3 are said to do, 3 of 50 turns.
    assert_eq!(episode.score().parts(), [-0.1, 2.0, 5.0, 0.94, 0.5, 0.0]);
    assert_eq!(episode.score().total, 8.34);
}

#[test]
fn boxes_count_as_they_stand_at_the_end() {
    let mut episode = episode(direct());
    for _ in 0..3 {
        episode.turn(&said("rrr"));
        assert!(episode.score().boxes <= 1.0);
        // Past the goal: the box is off it again.
        episode.turn(&said("r"));
        assert_eq!(episode.score().boxes, 0.0);
    }
    // A box that stood on its goal earns nothing there, and costs nothing away from it.
    let level = "#######\n#     #\n#@*   #\n#  $ .#\n#     #\n#######";
    let mut other = Episode::new(&task(level), direct()).unwrap();
    assert_eq!(other.score().total, 0.0);
    other.turn(&said("r"));
    assert_eq!((other.state().on_goals, other.score().total), (0, 0.0));
}

#[test]
fn a_solved_total_is_lifted_to_the_floor() {
    let settings = Settings {
        max_turns: Turns::Fixed(10_000),
        ..direct()
    };
    let mut episode = episode(settings);
    for _ in 0..9_999 {
        episode.turn("");
    }
    episode.turn(&said(ANSWER));
    let score = episode.score();
    assert_eq!((score.invalid_moves, score.total), (-999.9, 3.0));
    assert_eq!(
        millionths(score.solved_floor),
        3_000_000 - (7_000_000 - 999_900_000)
    );
}

#[test]
fn a_deadlock_is_told_only_if_set() {
    let level = "######\n#    #\n#@$  #\n#  . #\n######";
    for (tell, steps, wanted) in [
        (true, "rr", Some("(3,5)")),
        (true, "r", None),
        (false, "rr", None),
        (true, "dr", None),
        (true, "dru", Some("(2,3)")),
    ] {
        let settings = Settings {
            tell_deadlock: tell,
            ..direct()
        };
        let mut episode = Episode::new(&task(level), settings).unwrap();
        let text = episode.turn(&said(steps)).text;
        let told = wanted
            .map(|at| format!("\n\n☠️ Deadlock: the box at {at} can never reach a goal.\n\n"));
        assert_eq!(
            told.is_some_and(|told| text.contains(&told)),
            wanted.is_some(),
            "{text}"
        );
        assert_eq!(text.contains("Deadlock"), wanted.is_some(), "{text}");
    }
}

#[test]
fn a_frozen_block_is_a_deadlock() {
    let level = "########\n#      #\n#      #\n# $$   #\n#  @   #\n# $$ ..#\n#    ..#\n########";
    let settings = Settings {
        tell_deadlock: true,
        ..direct()
    };
    let mut episode = Episode::new(&task(level), settings).unwrap();
    // The third box comes to stand below one of the upper pair, the fourth stays away.
    let reply = episode.turn(&said("rddllU"));
    assert_eq!(reply.invalid_reason, None, "{}", reply.text);
    assert!(!reply.text.contains("Deadlock"), "{}", reply.text);
    let reply = episode.turn(&said("drU"));
    assert!(
        reply.text.contains("Deadlock: the box at (4,3)"),
        "{}",
        reply.text
    );
}

/// Deadlocks told are deadlocks: the solver finds no answer from there.
#[test]
fn deadlocks_told_are_proved_by_the_solver() {
    use puzzleyard_core::{Limits, Stop, Verdict};
    use puzzleyard_sokoban::solve::{Objective, solve};
    let settings = Settings {
        tell_deadlock: true,
        max_turns: Turns::Fixed(400),
        steps_per_turn: 1,
        ..direct()
    };
    let level = "########\n#  .   #\n# $@$. #\n# .*$  #\n#   #  #\n########";
    let mut told = 0;
    for seed in 0..40 {
        let mut episode = Episode::new(&task(level), settings).unwrap();
        let mut player = Player::new(Agent::Random, seed);
        while !episode.is_done() {
            let message = player.answer(&episode);
            if episode.turn(&message).text.contains("Deadlock") {
                let setup = episode.level().setup(episode.position());
                let level = Level::from_setup(&setup, &Waivers::playing()).unwrap();
                let report = solve(
                    &level,
                    Objective::Any,
                    &Limits::default(),
                    &Stop::new(),
                    &mut |_| {},
                );
                assert_eq!(report.verdict, Verdict::Unsolvable, "{}", episode.board());
                told += 1;
                break;
            }
        }
    }
    assert!(told > 10, "only {told} episodes came to a deadlock");
}

#[test]
fn auto_turns_follow_the_known_answer_or_the_room() {
    let turns = |optimum, steps_per_turn| {
        let settings = Settings {
            max_turns: Turns::Auto,
            steps_per_turn,
            ..direct()
        };
        let task = Task {
            optimum,
            ..task(LEVEL)
        };
        Episode::new(&task, settings).unwrap().max_turns()
    };
    let known = Some(Optimum {
        pushes: 6,
        moves: 11,
    });
    assert_eq!(turns(known, 1), 10 + 22);
    assert_eq!(turns(known, 20), 10 + 2);
    // 28 squares, 2 boxes.
    assert_eq!(turns(None, 1), 10 + 56);
    assert_eq!(turns(None, 20), 10 + 3);
}

#[test]
fn only_one_legal_level_of_moderate_size_is_played() {
    let new = |level: &str| Episode::new(&task(level), direct()).map(drop);
    assert!(matches!(new(""), Err(Unplayable::Format(_))));
    assert!(matches!(new("hello"), Err(Unplayable::Format(_))));
    assert!(
        matches!(new("#####\n#@ .#\n#####"), Err(Unplayable::Faults(_))),
        "no box"
    );
    assert!(
        matches!(new("#####\n# $.#\n#####"), Err(Unplayable::Faults(_))),
        "no player"
    );
    assert!(
        matches!(new("#####\n#@* #\n#####"), Err(Unplayable::Faults(_))),
        "solved"
    );
    assert!(
        matches!(new("#####\n#@$. \n#####"), Err(Unplayable::Faults(_))),
        "open"
    );
    assert_eq!(
        new(&format!("{LEVEL}\n; again\n{LEVEL}")),
        Err(Unplayable::Levels { found: 2 })
    );
    let wide = format!("{0}\n#@$.{1}#\n{0}\n", "#".repeat(60), " ".repeat(55));
    assert_eq!(new(&wide), Err(Unplayable::TooLarge { rows: 3, cols: 60 }));
    assert_eq!(
        new(&"#".repeat(70_000)),
        Err(Unplayable::TooLong { found: 70_000 })
    );
    let with = |settings| Episode::new(&task(LEVEL), settings).map(drop);
    for found in [0, 1001] {
        let settings = Settings {
            steps_per_turn: found,
            ..direct()
        };
        assert_eq!(with(settings), Err(Unplayable::Steps { found }));
    }
    let settings = Settings {
        max_turns: Turns::Fixed(0),
        ..direct()
    };
    assert_eq!(with(settings), Err(Unplayable::Turns { found: 0 }));
    let (pushes, moves) = (9, 8);
    let task = Task {
        optimum: Some(Optimum { pushes, moves }),
        ..task(LEVEL)
    };
    assert_eq!(
        Episode::new(&task, direct()).map(drop),
        Err(Unplayable::Optimum { pushes, moves })
    );
}

#[test]
fn the_bundled_levels_make_examples_of_every_difficulty() {
    let levels = bundled();
    assert_eq!(levels.len(), 23);
    let all = examples(&levels, 46, 3, &Settings::default(), 0).unwrap();
    for difficulty in [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard] {
        assert!(
            all.iter()
                .filter(|one| one.difficulty == difficulty)
                .count()
                >= 6,
            "{difficulty}"
        );
    }
    // Each level once before any comes again; never the same id.
    let names = |range: std::ops::Range<usize>| -> std::collections::BTreeSet<&str> {
        all[range]
            .iter()
            .filter_map(|one| one.id.split('/').next())
            .collect()
    };
    assert_eq!(names(0..23).len(), 23);
    assert_eq!(names(0..23), names(23..46));
    let ids: std::collections::BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids.len(), 46);
    assert_eq!(
        all[..9],
        examples(&levels, 9, 3, &Settings::default(), 0).unwrap()
    );
    assert_ne!(
        all[..9],
        examples(&levels, 9, 4, &Settings::default(), 0).unwrap()
    );
    let none = examples(&[], 1, 3, &Settings::default(), 0);
    assert_eq!(none, Err(ExampleError::NoLevels));
}

#[test]
fn an_example_knows_its_optimum_and_the_optimal_player_meets_it() {
    let levels = &bundled()[3..6];
    let settings = Settings {
        use_think: false,
        ..Settings::default()
    };
    for example in examples(levels, 6, 1, &settings, 200_000).unwrap() {
        let optimum = example.task.optimum.expect("these levels are easy");
        assert_eq!(example.solvable_within_turns, Some(true));
        for agent in [Agent::Optimal, Agent::Greedy] {
            let mut recorder = Recorder::new(&example.task, settings).unwrap();
            let mut player = Player::new(agent, 0);
            while !recorder.episode().is_done() {
                let message = player.answer(recorder.episode());
                assert_eq!(recorder.turn(&message).invalid_reason, None);
            }
            let score = recorder.episode().score();
            assert_eq!(recorder.episode().end(), Some(End::Solved), "{agent}");
            let pushes = recorder.episode().state().pushes;
            assert!(pushes >= u64::from(optimum.pushes));
            assert_eq!(score.length == 1.0, pushes == u64::from(optimum.pushes));
            assert!(agent != Agent::Optimal || score.length == 1.0);
            assert_eq!(judge::sokoban(&recorder.transcript()), Ok(score));
        }
    }
}

#[test]
fn settings_and_state_survive_json() {
    let mut episode = episode(direct());
    episode.turn(&said("ul"));
    let state = episode.state();
    let text = serde_json::to_string(&state).unwrap();
    assert!(
        text.contains(
            r#""move":"ul","made":"u","reward":-0.1,"invalid_reason":"wall","invalid_step":2"#
        ),
        "{text}"
    );
    assert_eq!(
        serde_json::from_str::<puzzleyard_env::sokoban::State>(&text).unwrap(),
        state
    );
    let settings: Settings =
        serde_json::from_str(r#"{"view": "coordinates", "max_turns": "auto"}"#).unwrap();
    assert_eq!(
        (settings.view, settings.max_turns, settings.steps_per_turn),
        (View::Coordinates, Turns::Auto, 20)
    );
}

fn record(messages: &[&str]) -> Transcript {
    let mut recorder = Recorder::new(&task(LEVEL), direct()).unwrap();
    for message in messages {
        recorder.turn(&said(message));
    }
    recorder.transcript()
}

#[test]
fn forgeries_are_refused_at_their_turn() {
    let honest = record(&["rr", "lx", "rl", "urrrrrrr"]);
    assert!(judge::sokoban(&honest).is_ok());
    let text = serde_json::to_string(&honest).unwrap();
    assert!(judge::sokoban(&serde_json::from_str(&text).unwrap()).is_ok());
    let changes: [(Change, Option<u32>); 11] = [
        (|record| record.replies[1].steps = 1, Some(2)),
        (|record| record.replies[3].invalid_step = None, Some(4)),
        (|record| record.replies[2].text.push('.'), Some(3)),
        (|record| record.replies[0].reward = 1.0, Some(1)),
        (|record| record.messages[0] = said("rrr"), Some(1)),
        (|record| record.score.solved = 5.0, None),
        (
            |record| record.puzzle.level = record.puzzle.level.replace(".  #\n# $", " . #\n# $"),
            Some(0),
        ),
        (|record| record.puzzle.level.clear(), Some(0)),
        (|record| record.puzzle.level = "é".repeat(60), Some(0)),
        (|record| record.settings.steps_per_turn = 0, Some(0)),
        (|record| record.game = "sudoku".to_owned(), Some(0)),
    ];
    for (nth, (change, turn)) in changes.into_iter().enumerate() {
        let mut forged = honest.clone();
        change(&mut forged);
        assert_eq!(
            judge::sokoban(&forged).unwrap_err().turn(),
            turn,
            "change {nth}"
        );
    }
}

#[test]
fn an_optimum_that_an_answer_beats_is_refused() {
    let optimum = Some(Optimum {
        pushes: 7,
        moves: 11,
    });
    let task = Task {
        optimum,
        ..task(LEVEL)
    };
    let mut recorder = Recorder::new(&task, direct()).unwrap();
    recorder.turn(&said(ANSWER));
    assert_eq!(recorder.episode().score().length, 1.0);
    let refusal = judge::sokoban(&recorder.transcript()).unwrap_err();
    assert!(
        refusal
            .to_string()
            .contains("an optimum of 7 pushes is claimed, and 6 solve it"),
        "{refusal}"
    );
}

fn message() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[udlrUDLR]{1,6}".prop_map(|steps| format!("^@{steps}~")),
        2 => "[udlrUDLR]{1,30}".prop_map(|steps| format!("@{steps}~")),
        1 => "[@~^udlrUDLR <>/]{0,20}",
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn the_judge_agrees_on_sloppy_messages(first in any::<u8>(), said in vec(message(), 0..80)) {
        let bytes = said.join("\u{1e}").into_bytes();
        claims::sokoban_message(&[&[first], &bytes[..]].concat());
    }

    #[test]
    fn the_judge_agrees_on_any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        claims::sokoban_message(&bytes);
    }

    /// Random walks on the bundled levels, turned and mirrored, in every view.
    #[test]
    fn the_judge_agrees_on_random_players(
        seed in any::<u64>(),
        view in prop_oneof![Just(View::Xsb), Just(View::Coordinates)],
        steps_per_turn in 1u32..40,
    ) {
        let settings = Settings { view, steps_per_turn, tell_deadlock: true, max_turns: Turns::Fixed(15), ..Settings::default() };
        for example in examples(&bundled(), 3, seed, &settings, 0).unwrap() {
            let mut recorder = Recorder::new(&example.task, settings).unwrap();
            let mut player = Player::new(Agent::Random, seed);
            while !recorder.episode().is_done() {
                let message = player.answer(recorder.episode());
                recorder.turn(&message);
            }
            let score = recorder.episode().score();
            prop_assert_eq!(judge::sokoban(&recorder.transcript()), Ok(score));
        }
    }

    /// The judge reads any level text without panic, and any transcript of it.
    #[test]
    fn hostile_levels_are_read(level in "[#@+$*. \n-é]{0,200}", said in vec("[udlr]{1,9}", 0..4)) {
        let mut forged = record(&["rr"]);
        forged.puzzle.level = level.clone();
        forged.messages = said.iter().map(|steps| format!("<move>{steps}</move>")).collect();
        prop_assert!(judge::sokoban(&forged).is_err());
        let _ = Episode::new(&task(&level), direct()).map(|mut episode| episode.turn("<move>r</move>"));
    }
}

#[test]
fn names_are_those_of_json() {
    use InvalidReason::{
        BoxAgainstBox, BoxAgainstWall, Malformed, NoMove, SeveralMoves, TooLong, TooManySteps,
        Wall, WrongCase,
    };
    let reasons = [
        NoMove,
        Malformed,
        SeveralMoves,
        TooLong,
        TooManySteps,
        Wall,
        BoxAgainstWall,
        BoxAgainstBox,
        WrongCase,
    ];
    for reason in reasons {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
    }
    for end in [End::Solved, End::OutOfTurns] {
        assert_eq!(serde_json::to_value(end).unwrap(), end.to_string());
    }
}
