//! `yard drive`: an answer of 500 steps through real windows, with and without a window
//! manager, and not one key lost or doubled.

use std::path::Path;

use puzzleyard_core::{Direction, Limits, Stop, Stream, Verdict};
use puzzleyard_desktop::display::{Display, DisplayOptions};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{self, Objective};
use serde_json::Value;

use crate::fixture::{binary, data, has_program, python, yard};

const STEPS: usize = 500;
const ROOM: &str = "\
############
# @  #     #
#  $ #  $  #
#      #   #
## #      .#
#  .  #    #
############
";

/// A walk without pushes, then the shortest way to push every box home: 500 steps in all.
/// (Each step changes the colour of the player's square, so start and end decide whether an
/// even number is possible.)
fn long_answer() -> String {
    let setup = format::read(ROOM.as_bytes()).unwrap().setups.remove(0);
    let level = Level::from_setup(&setup, &Waivers::none()).unwrap();
    for seed in 0..100 {
        let stream = Stream::new(seed, "a long walk");
        let mut state = level.start().clone();
        let mut walk = Vec::new();
        for counter in 0.. {
            let way = Direction::ALL[stream.below(counter, 4) as usize];
            let mut next = state.clone();
            if level.step(&mut next, way).is_ok_and(|step| !step.push) {
                state = next;
                walk.push(way);
            }
            if walk.len() == STEPS - 120 {
                break;
            }
        }
        // From where the walk ends, how far is it home? Cut the walk so that all is 500 steps.
        let rest = Level::from_setup(&level.setup(&state), &Waivers::none()).unwrap();
        let limits = Limits::default();
        let report = solve::solve(&rest, Objective::Pushes, &limits, &Stop::new(), &mut |_| {});
        let Verdict::Solved(answer) = report.verdict else {
            panic!("the room has an answer");
        };
        if walk.len() + answer.moves() <= STEPS
            && (STEPS - walk.len() - answer.moves()).is_multiple_of(2)
        {
            // Steps to and fro fill the gap.
            let fill = (STEPS - walk.len() - answer.moves()) / 2;
            let first = walk[0];
            let to_and_fro = [first, first.opposite()].repeat(fill);
            let letters = to_and_fro.iter().chain(&walk).map(|way| way.letter());
            return letters.chain(answer.keys().chars()).collect();
        }
    }
    panic!("no walk of a hundred fits");
}

/// Plays the long answer `runs` times through `game` and checks what the game says.
fn plays(display: &Display, game: &str, runs: usize, label: &str) {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("room.xsb");
    std::fs::write(&level, ROOM).unwrap();
    let answer = long_answer();
    assert_eq!(answer.len(), STEPS);
    let mut speeds = Vec::new();
    for run in 0..runs {
        let (log, result) = (
            folder.path().join("log.csv"),
            folder.path().join("result.json"),
        );
        let output = yard()
            .env("DISPLAY", display.name())
            .arg("drive")
            .arg(&level)
            .arg(&answer)
            .args(["--game", game, "--format", "json"])
            .arg("--log")
            .arg(&log)
            .arg("--result")
            .arg(&result)
            .assert()
            .success();
        let row: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert_eq!(row["outcome"], "finished", "{label} run {run}: {row}");
        assert_eq!(row["steps"], STEPS);
        assert_eq!(row["doubled"], 0, "{label} run {run}");
        assert_eq!(rows(&log), STEPS, "{label} run {run}");
        let said: Value = serde_json::from_slice(&std::fs::read(&result).unwrap()).unwrap();
        assert_eq!(said["history"], answer.as_str(), "{label} run {run}");
        speeds.push(row["steps_per_second"].as_f64().unwrap());
        std::fs::remove_file(&log).unwrap();
        std::fs::remove_file(&result).unwrap();
    }
    speeds.sort_by(f64::total_cmp);
    println!(
        "{label}: {runs} runs of {STEPS} steps, median {:.0} steps/s closed loop",
        speeds[speeds.len() / 2]
    );
}

fn rows(log: &Path) -> usize {
    std::fs::read_to_string(log).unwrap().lines().count() - 1
}

/// A run takes some seconds, so a few by default; `PUZZLEYARD_RUNS=20` for more.
fn runs(few: usize) -> usize {
    std::env::var("PUZZLEYARD_RUNS").map_or(few, |runs| runs.parse().unwrap())
}

fn displays(what: &str) -> Option<[(Display, &'static str); 2]> {
    if !has_program("Xvfb", what) || !has_program("openbox", what) {
        return None;
    }
    let bare = DisplayOptions::default();
    let managed = DisplayOptions {
        window_manager: Some(vec!["openbox".into()]),
        ..DisplayOptions::default()
    };
    Some([
        (Display::start(&bare).unwrap(), "without a window manager"),
        (Display::start(&managed).unwrap(), "with openbox"),
    ])
}

#[test]
fn five_hundred_steps_through_our_window() {
    let Some(displays) = displays("driving our window") else {
        return;
    };
    let game = format!("'{}' window", binary().display());
    for (display, label) in &displays {
        plays(display, &game, runs(4), &format!("our window, {label}"));
    }
}

#[test]
fn five_hundred_steps_through_a_foreign_game() {
    let what = "driving the foreign game";
    let (Some(data), Some(python)) = (data(what), python(what)) else {
        return;
    };
    let Some(displays) = displays(what) else {
        return;
    };
    let script = data.join("kit/sokoban_game.py");
    let game = format!("'{}' '{}'", python.display(), script.display());
    for (display, label) in &displays {
        plays(display, &game, runs(2), &format!("foreign game, {label}"));
    }
}
