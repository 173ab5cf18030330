//! Games for tests: an own one and foreign ones, in virtual time, and the levels that they play.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use puzzleyard_core::Stop;
use puzzleyard_harness::agent::GivenAnswer;
use puzzleyard_harness::prove::{ProveJob, ProveOptions, ProveReport, prove};
use puzzleyard_harness::surface::{
    GameHost, Identity, Key, Launch, Surface, SurfaceFault, SurfaceKind,
};
use puzzleyard_render::{Picture, Status, Theme, draw_window};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::rules::{Level, State, Waivers};
use serde_json::json;
use tempfile::TempDir;

/// Boards with an answer each. The first two are of one size.
pub(crate) const LEVELS: [(&str, &str); 3] = [
    (
        "########\n#      #\n#@$    #\n#   #  #\n#      #\n#    . #\n########\n",
        "UDUDRRRURDDD",
    ),
    (
        "########\n#      #\n#  $   #\n# @    #\n# ##   #\n#     .#\n########\n",
        "URRRURDDD",
    ),
    (
        "#######\n#@$ . #\n#     #\n# $ . #\n#     #\n#######\n",
        "RRLLDDRR",
    ),
];

pub(crate) fn level(board: &str) -> Level {
    let setup = format::read(board.as_bytes()).unwrap().setups.remove(0);
    Level::from_setup(&setup, &Waivers::none()).unwrap()
}

/// How a game looks and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// This project's own window, the contract's files.
    Own,
    /// Flat squares, a banner at the end, files as the contract has them.
    Flat,
    /// Round things, a dimmed picture at the end, a headerless log with words and a nested
    /// result, both written at the end of the process only.
    Odd,
    /// Like [`Style::Flat`], but it counts one box less than there is.
    Liar,
}

/// Starts games of a style.
pub(crate) struct Host(pub(crate) Style);

impl GameHost for Host {
    fn kind(&self) -> SurfaceKind {
        SurfaceKind::Embedded
    }

    fn describe(&self) -> String {
        format!("a game of the tests, {:?}", self.0)
    }

    fn is_own_game(&self) -> bool {
        self.0 == Style::Own
    }

    fn start(&mut self, launch: &Launch) -> Result<Box<dyn Surface>, SurfaceFault> {
        let board = fs::read_to_string(&launch.level).unwrap();
        let level = level(&board);
        if self.0 != Style::Odd {
            fs::write(&launch.log, HEADER).unwrap();
        }
        Ok(Box::new(Game {
            style: self.0,
            title: launch
                .level
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned(),
            state: level.start().clone(),
            level,
            launch: launch.clone(),
            log: String::new(),
            history: String::new(),
            pushes: 0,
        }))
    }
}

const HEADER: &str = "step,key,dir,player_x,player_y,pushed,boxes_on_goal\n";

struct Game {
    style: Style,
    title: String,
    level: Level,
    state: State,
    launch: Launch,
    log: String,
    history: String,
    pushes: usize,
}

impl Game {
    fn write_log(&self) {
        let header = if self.style == Style::Odd { "" } else { HEADER };
        fs::write(&self.launch.log, format!("{header}{}", self.log)).unwrap();
    }

    fn write_result(&self) {
        let on_goal =
            self.level.boxes_on_goals(&self.state) - usize::from(self.style == Style::Liar);
        let result = if self.style == Style::Odd {
            let words: Vec<&str> = self
                .history
                .chars()
                .map(|letter| match letter {
                    'L' => "left",
                    'R' => "right",
                    'U' => "up",
                    _ => "down",
                })
                .collect();
            json!({"game": {"status": "solved", "path": words, "placed": on_goal}})
        } else {
            json!({
                "solved": true,
                "boxes_on_goal": on_goal,
                "total_goals": self.level.goals().len(),
                "moves": self.history.len(),
                "pushes": self.pushes,
                "history": self.history,
            })
        };
        fs::write(&self.launch.result, result.to_string()).unwrap();
    }

    fn foreign_picture(&self) -> Picture {
        let is_odd = self.style == Style::Odd;
        let (cell, left, top) = if is_odd { (37, 21, 55) } else { (44, 64, 10) };
        let area = self.level.area();
        let mut picture = Picture::filled(480, 400, [30, 34, 60]);
        for place in area.cells() {
            let square = self.level.square(&self.state, place);
            let (x, y) = (
                left + u32::from(place.col) * cell,
                top + u32::from(place.row) * cell,
            );
            let floor = if (place.row + place.col) % 2 == 0 {
                200
            } else {
                190
            };
            if square.wall {
                picture.fill(x, y, cell, cell, [90, 90, 96]);
                picture.fill(x + 3, y + 3, cell - 9, cell - 12, [120, 118, 124]);
                continue;
            }
            picture.fill(x, y, cell, cell, [floor, floor, 160]);
            if square.goal {
                disc(&mut picture, (x + cell / 2, y + cell / 2), 7, [220, 40, 40]);
            }
            if square.crate_box {
                let colour = if square.goal {
                    [60, 150, 70]
                } else {
                    [150, 100, 50]
                };
                if is_odd {
                    disc(
                        &mut picture,
                        (x + cell / 2, y + cell / 2),
                        cell / 2 - 3,
                        colour,
                    );
                } else {
                    picture.fill(x + 4, y + 4, cell - 8, cell - 8, colour);
                }
            }
            if square.player {
                disc(
                    &mut picture,
                    (x + cell / 2, y + cell / 2),
                    cell / 3,
                    [50, 80, 200],
                );
            }
        }
        let bar = (self.history.len() as u32 * 13) % 400;
        picture.fill(10, 385, bar, 8, [255, 255, 255]);
        if self.level.is_solved(&self.state) {
            if is_odd {
                let dim = picture.rgb().iter().map(|value| value / 2 + 20).collect();
                picture = Picture::from_rgb(480, 400, dim).unwrap();
            }
            picture.fill(160, 150, 160, 60, [20, 120, 50]);
        }
        picture
    }
}

fn disc(picture: &mut Picture, (x, y): (u32, u32), radius: u32, colour: [u8; 3]) {
    for dy in 0..=2 * radius {
        for dx in 0..=2 * radius {
            let (a, b) = (
                i64::from(dx) - i64::from(radius),
                i64::from(dy) - i64::from(radius),
            );
            if a * a + b * b <= i64::from(radius * radius) {
                picture.set(x + dx - radius, y + dy - radius, colour);
            }
        }
    }
}

impl Surface for Game {
    fn identity(&mut self) -> Result<Identity, SurfaceFault> {
        let picture = self.picture()?;
        Ok(Identity {
            kind: SurfaceKind::Embedded,
            id: "embedded-7".into(),
            title: self.launch.title.clone(),
            class: None,
            pid: Some(7),
            geometry: (0, 0, picture.width(), picture.height()),
            display: "none".into(),
        })
    }

    fn press(&mut self, key: Key) -> Result<(), SurfaceFault> {
        let Key::Arrow(way) = key else { return Ok(()) };
        let Ok(step) = self.level.step(&mut self.state, way) else {
            return Ok(());
        };
        self.pushes += usize::from(step.push);
        self.history.push(way.letter());
        let (player, n) = (self.state.player, self.history.len());
        let row = if self.style == Style::Odd {
            format!("{n}|{way:?}\n")
        } else {
            format!(
                "{n},{way:?},{},{},{},{},{}\n",
                way.letter(),
                player.col,
                player.row,
                u8::from(step.push),
                self.level.boxes_on_goals(&self.state)
            )
        };
        self.log.push_str(&row);
        if self.style != Style::Odd {
            self.write_log();
            if self.level.is_solved(&self.state) {
                self.write_result();
            }
        }
        Ok(())
    }

    fn release(&mut self, _key: Key) -> Result<(), SurfaceFault> {
        Ok(())
    }

    fn picture(&mut self) -> Result<Picture, SurfaceFault> {
        if self.style != Style::Own {
            return Ok(self.foreign_picture());
        }
        let status = Status {
            title: &self.title,
            moves: self.history.len(),
            pushes: self.pushes,
            on_goal: self.level.boxes_on_goals(&self.state),
            goals: self.level.boxes_needed(),
            solved: self.level.is_solved(&self.state),
            note: "",
        };
        Ok(draw_window(
            &self.level,
            &self.state,
            &status,
            40,
            &Theme::classic(),
        ))
    }

    fn has_caught_up(&mut self, _patience: Duration) -> Result<Option<bool>, SurfaceFault> {
        Ok(Some(true))
    }

    fn wait(&mut self, _time: Duration) -> Result<(), SurfaceFault> {
        Ok(())
    }

    fn close(&mut self, _patience: Duration) -> Result<bool, SurfaceFault> {
        if self.style == Style::Odd {
            self.write_log();
            self.write_result();
        }
        Ok(true)
    }
}

/// A solver in Python for bundles of tests.
pub(crate) fn solver_py() -> Vec<u8> {
    let mut text = String::from("import heapq\n\n\ndef solve(board):\n    found = []\n");
    for line in 0..40 {
        let _ = writeln!(text, "    found.append({line})");
    }
    (text + "    return found\n").into_bytes()
}

pub(crate) fn jobs() -> Vec<ProveJob> {
    LEVELS
        .iter()
        .enumerate()
        .map(|(at, (board, _))| ProveJob {
            name: format!("Test {}", at + 1),
            source: "tests.xsb".into(),
            level: level(board),
        })
        .collect()
}

/// Proves the three levels by a game of `style` and puts the bundle into `out`. Each style is
/// proved once; later calls copy.
pub(crate) fn bundle(style: Style, out: &Path) -> ProveReport {
    static MADE: Mutex<Vec<(Style, TempDir, ProveReport)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap();
    if !made.iter().any(|(own, ..)| *own == style) {
        let folder = tempfile::tempdir().unwrap();
        let report = proved(style, folder.path());
        made.push((style, folder, report));
    }
    let (_, folder, report) = made.iter().find(|(own, ..)| *own == style).unwrap();
    for name in names(folder.path()) {
        fs::copy(folder.path().join(&name), out.join(&name)).unwrap();
    }
    report.clone()
}

fn proved(style: Style, out: &Path) -> ProveReport {
    let mut agent = GivenAnswer::new(LEVELS.iter().map(|(_, answer)| (*answer).into()).collect());
    let options = ProveOptions {
        solver_py: solver_py(),
        ..ProveOptions::default()
    };
    prove(
        &jobs(),
        &mut Host(style),
        &mut agent,
        out,
        &options,
        &mut |_| {},
        &Stop::new(),
    )
    .unwrap()
}

/// The files of a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The path of a file in a bundle.
pub(crate) fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name)
}
