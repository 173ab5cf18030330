//! The driver against scripted games in virtual time: each row is a kind of game and what must
//! come of it.
//!
//! Length: two tables of games, one row a game.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use puzzleyard_core::{Direction, Limit, Stop};
use puzzleyard_render::Picture;
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::{Level, State, Waivers};

use super::play::kept::kept_steps;
use super::{DriveOptions, DriveReport, Outcome, PictureKind, drive};
use crate::event::{Event, What};
use crate::surface::{Identity, Key, Surface, SurfaceFault, SurfaceKind};
use crate::witness::Witness;

const BOARD: &str = "########\n#      #\n#@$    #\n#      #\n#      #\n#    . #\n########\n";
const ANSWER: &str = "UDUDRRRURDDD";
const STEPS: usize = ANSWER.len();

fn level() -> (Level, Answer) {
    let setup = format::read(BOARD.as_bytes()).unwrap().setups.remove(0);
    let level = Level::from_setup(&setup, &Waivers::none()).unwrap();
    let (state, answer) = level
        .replay(ANSWER.chars().filter_map(Direction::from_letter))
        .unwrap();
    assert!(level.is_solved(&state));
    (level, answer)
}

#[derive(Clone, Copy, PartialEq)]
enum Log {
    Live,
    /// Rows reach the file eight at a time.
    Buffered,
    /// A row is written when the next comes.
    OneLate,
    AtExit,
    None,
}

#[derive(Clone, Copy, PartialEq)]
enum Noise {
    None,
    /// A few pixels on and off each 400 ms.
    Blink,
    /// Other pixels each second.
    Clock,
    /// The player's square flickers all the time.
    Sprite,
}

/// What a start screen waits for.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Key(Key),
    Click,
    /// Any key, which is then used up.
    Any,
}

/// A scripted game.
#[derive(Clone)]
struct Script {
    /// Milliseconds from key to row.
    lag: u64,
    /// Milliseconds from row to picture.
    draw: u64,
    /// Milliseconds of animation after a step, during which keys are dropped.
    busy: u64,
    /// Keys before this time are dropped.
    deaf_until: u64,
    /// Nothing is shown before this time.
    blank_until: u64,
    /// Keys held shorter than this are not seen.
    least_hold: u64,
    /// From this step on nothing happens at all.
    hangs_at: Option<usize>,
    /// The window vanishes when this many steps are done.
    gone_at: Option<usize>,
    /// This press, from 1, is dropped (if a multiple: all of them).
    loses_each: Option<usize>,
    /// This press takes so many milliseconds more.
    late: Option<(usize, u64)>,
    /// This press counts twice.
    doubles: Option<usize>,
    /// This step goes left whatever the key.
    errs_at: Option<usize>,
    /// `press` fails from this press on.
    faults: Option<(usize, SurfaceFault)>,
    asks: bool,
    /// All of the picture changes with each step.
    scrolls: bool,
    /// A start screen hides the board at first.
    start: Option<Start>,
    log: Log,
    noise: Noise,
}

const PLAIN: Script = Script {
    lag: 10,
    draw: 5,
    busy: 0,
    deaf_until: 0,
    blank_until: 0,
    least_hold: 0,
    hangs_at: None,
    gone_at: None,
    loses_each: None,
    late: None,
    doubles: None,
    errs_at: None,
    faults: None,
    asks: true,
    scrolls: false,
    start: None,
    log: Log::Live,
    noise: Noise::None,
};

struct Game {
    script: Script,
    level: Level,
    state: State,
    shown: State,
    now: u64,
    presses: usize,
    down: Option<(u64, Key)>,
    queue: VecDeque<(u64, Direction, usize)>,
    drawings: VecDeque<(u64, State)>,
    busy_until: u64,
    path: PathBuf,
    rows: Vec<String>,
    balance: i32,
    started: bool,
}

impl Game {
    fn steps(&self) -> usize {
        self.rows.len()
    }

    fn is_hung(&self) -> bool {
        self.script.hangs_at.is_some_and(|at| self.steps() >= at)
    }

    fn is_gone(&self) -> bool {
        self.script.gone_at.is_some_and(|at| self.steps() >= at)
    }

    fn write(&self, rows: usize) {
        let text: String = self.rows[..rows.min(self.rows.len())].concat();
        std::fs::write(&self.path, format!("step;key\n{text}")).unwrap();
    }

    fn run_to(&mut self, time: u64) {
        while self.now < time {
            self.now += 1;
            while self.queue.front().is_some_and(|(due, ..)| *due <= self.now) {
                let (_, way, times) = self.queue.pop_front().unwrap();
                if self.is_hung() || self.now < self.busy_until {
                    continue;
                }
                for _ in 0..times {
                    self.play(way);
                }
            }
            while self
                .drawings
                .front()
                .is_some_and(|(due, _)| *due <= self.now)
            {
                self.shown = self.drawings.pop_front().unwrap().1;
            }
        }
    }

    fn play(&mut self, way: Direction) {
        let errs = self.script.errs_at == Some(self.steps() + 1);
        let way = if errs { Direction::Down } else { way };
        if self.level.step(&mut self.state, way).is_err() {
            return;
        }
        self.rows.push(format!(
            "{};K_{}\n",
            self.steps() + 1,
            format!("{way:?}").to_uppercase()
        ));
        match self.script.log {
            Log::Live => self.write(usize::MAX),
            Log::Buffered => self.write(self.steps() / 8 * 8),
            Log::OneLate => self.write(self.steps() - 1),
            Log::AtExit | Log::None => {}
        }
        if self.is_gone() {
            self.write(usize::MAX);
        }
        self.busy_until = self.now + self.script.busy;
        let due = self.now + self.script.draw + self.script.busy;
        self.drawings.push_back((due, self.state.clone()));
    }

    fn add_noise(&self, picture: &mut Picture, height: u32) {
        match self.script.noise {
            Noise::Blink if self.now / 400 % 2 == 1 => {
                for x in 0..10 {
                    picture.set(x, height, [255, 255, 255]);
                }
            }
            Noise::Clock => {
                let second = (self.now / 1000) as u32;
                for x in 0..12 {
                    picture.set((second % 2) * 14 + x, height + 1, [9, 255, second as u8]);
                }
            }
            _ => {}
        }
    }

    fn alive(&self) -> Result<(), SurfaceFault> {
        if self.is_gone() {
            Err(SurfaceFault::Gone("the process ended".into()))
        } else {
            Ok(())
        }
    }
}

const SQUARE: u32 = 6;

impl Surface for Game {
    fn identity(&mut self) -> Result<Identity, SurfaceFault> {
        Ok(Identity {
            kind: SurfaceKind::Embedded,
            id: "embedded-1".into(),
            title: "scripted".into(),
            class: None,
            pid: None,
            geometry: (0, 0, 1, 1),
            display: "none".into(),
        })
    }

    fn press(&mut self, key: Key) -> Result<(), SurfaceFault> {
        self.alive()?;
        self.presses += 1;
        if let Some((at, fault)) = &self.script.faults
            && self.presses >= *at
        {
            return Err(fault.clone());
        }
        assert!(self.down.is_none(), "two keys down at once");
        self.balance += 1;
        self.down = Some((self.now, key));
        if self.script.least_hold == 0 {
            self.accept(key);
        }
        Ok(())
    }

    fn release(&mut self, key: Key) -> Result<(), SurfaceFault> {
        self.balance -= 1;
        if let Some((since, _)) = self.down.take()
            && self.script.least_hold > 0
            && self.now - since >= self.script.least_hold
        {
            self.accept(key);
        }
        Ok(())
    }

    fn picture(&mut self) -> Result<Picture, SurfaceFault> {
        self.alive()?;
        let area = self.level.area();
        let (width, height) = (
            u32::from(area.width()) * SQUARE,
            u32::from(area.height()) * SQUARE,
        );
        let mut picture = Picture::filled(width, height + SQUARE, [40, 40, 40]);
        if self.now < self.script.blank_until {
            return Ok(picture);
        }
        if !self.started {
            for x in 0..width {
                picture.set(x, x % height, [250, 250, 0]);
            }
            self.add_noise(&mut picture, height);
            return Ok(picture);
        }
        for cell in area.cells() {
            let glyph = self.level.square(&self.shown, cell).glyph();
            let shade = glyph as u8;
            let (left, top) = (u32::from(cell.col) * SQUARE, u32::from(cell.row) * SQUARE);
            for (x, y) in (0..SQUARE * SQUARE).map(|at| (at % SQUARE, at / SQUARE)) {
                picture.set(left + x, top + y, [shade, shade / 2, 200]);
            }
            let flickers = self.script.noise == Noise::Sprite && self.shown.player == cell;
            if flickers && self.now / 70 % 2 == 1 {
                picture.set(left + 1, top + 1, [255, 0, 0]);
                picture.set(left + 2, top + 1, [255, 0, 0]);
            }
            let moves = self.now < self.busy_until && self.shown.player == cell;
            if moves {
                for x in 0..SQUARE {
                    picture.set(left + x, top, [self.now as u8, 0, 0]);
                }
            }
        }
        if self.script.scrolls {
            let shade = (self.shown.player.row * 40 + self.shown.player.col * 9) as u8;
            let mut tinted = Picture::filled(width, height + SQUARE, [shade, 9, 9]);
            for (x, y) in (0..SQUARE * SQUARE).map(|at| (at % SQUARE, at / SQUARE)) {
                tinted.set(x, y, [255, 255, 255]);
            }
            picture = tinted;
        }
        self.add_noise(&mut picture, height);
        Ok(picture)
    }

    fn click(&mut self) -> Result<bool, SurfaceFault> {
        self.alive()?;
        self.started |= self.script.start == Some(Start::Click);
        Ok(true)
    }

    fn has_caught_up(&mut self, _patience: Duration) -> Result<Option<bool>, SurfaceFault> {
        self.alive()?;
        if !self.script.asks {
            return Ok(None);
        }
        Ok(Some(!self.is_hung() && self.queue.is_empty()))
    }

    fn wait(&mut self, time: Duration) -> Result<(), SurfaceFault> {
        let to = self.now + time.as_millis().max(1) as u64;
        self.run_to(to);
        self.alive()
    }

    fn close(&mut self, _patience: Duration) -> Result<bool, SurfaceFault> {
        Ok(true)
    }
}

impl Game {
    fn accept(&mut self, key: Key) {
        if !self.started {
            self.started = match self.script.start {
                Some(Start::Key(wanted)) => key == wanted,
                Some(Start::Click) => false,
                Some(Start::Any) | None => true,
            };
            return;
        }
        let Key::Arrow(way) = key else {
            assert_eq!(self.steps(), 0, "{key:?} amid a play");
            return;
        };
        let nth = self.presses;
        let is_lost = self
            .script
            .loses_each
            .is_some_and(|each| nth.is_multiple_of(each));
        if is_lost || self.now < self.script.deaf_until {
            return;
        }
        let late = match self.script.late {
            Some((at, more)) if at == nth => more,
            _ => 0,
        };
        let times = if self.script.doubles == Some(nth) {
            2
        } else {
            1
        };
        self.queue
            .push_back((self.now + self.script.lag + late, way, times));
    }
}

struct Played {
    report: DriveReport,
    events: Vec<Event>,
    pictures: Vec<(PictureKind, Picture)>,
    /// Steps that the game itself played.
    steps: usize,
    solved: bool,
    virtual_ms: u64,
}

fn play_with(script: &Script, options: &DriveOptions, stop: &Stop) -> Played {
    let (level, answer) = level();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let mut game = Game {
        script: script.clone(),
        state: level.start().clone(),
        shown: level.start().clone(),
        level: level.clone(),
        now: 0,
        presses: 0,
        down: None,
        queue: VecDeque::new(),
        drawings: VecDeque::new(),
        busy_until: 0,
        path: path.clone(),
        rows: Vec::new(),
        balance: 0,
        started: script.start.is_none(),
    };
    if script.log != Log::None && script.log != Log::AtExit {
        game.write(0);
    }
    let log = (script.log != Log::None).then_some(path);
    let mut witness = Witness::new(log, None, &answer);
    let (mut events, mut pictures) = (Vec::new(), Vec::new());
    let report = drive(
        &mut game,
        &level,
        &answer,
        &mut witness,
        options,
        &mut |event| events.push(event.clone()),
        &mut |kind, picture| {
            pictures.push((kind, picture.clone()));
            Ok(())
        },
        stop,
    );
    assert_eq!(game.balance, 0, "a key is still down");
    Played {
        report,
        events,
        pictures,
        steps: game.steps(),
        solved: level.is_solved(&game.state),
        virtual_ms: game.now,
    }
}

fn play(script: &Script) -> Played {
    play_with(script, &DriveOptions::default(), &Stop::new())
}

/// Games that can be played to the end: none loses or doubles a step, whatever they do.
#[test]
fn every_playable_game_is_played_exactly() {
    let rows: Vec<(&str, Script)> = vec![
        ("plain", PLAIN),
        (
            "slow",
            Script {
                lag: 250,
                draw: 90,
                ..PLAIN
            },
        ),
        (
            "very slow, cannot be asked",
            Script {
                lag: 900,
                asks: false,
                ..PLAIN
            },
        ),
        (
            "no log",
            Script {
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "log only at exit",
            Script {
                log: Log::AtExit,
                ..PLAIN
            },
        ),
        (
            "log in blocks",
            Script {
                log: Log::Buffered,
                ..PLAIN
            },
        ),
        (
            "log one row late",
            Script {
                log: Log::OneLate,
                ..PLAIN
            },
        ),
        (
            "lossy",
            Script {
                loses_each: Some(3),
                ..PLAIN
            },
        ),
        (
            "lossy, no log",
            Script {
                loses_each: Some(3),
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "lossy, cannot be asked",
            Script {
                loses_each: Some(4),
                asks: false,
                ..PLAIN
            },
        ),
        (
            "one key very late",
            Script {
                late: Some((4, 3000)),
                ..PLAIN
            },
        ),
        (
            "one key very late, no log",
            Script {
                late: Some((6, 3000)),
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "deaf at start",
            Script {
                deaf_until: 5000,
                ..PLAIN
            },
        ),
        (
            "deaf at start, no log",
            Script {
                deaf_until: 7000,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "blank at start",
            Script {
                blank_until: 4000,
                ..PLAIN
            },
        ),
        ("animates and drops keys", Script { busy: 150, ..PLAIN }),
        (
            "animates, no log",
            Script {
                busy: 300,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "looks at keys once in a while",
            Script {
                least_hold: 150,
                ..PLAIN
            },
        ),
        (
            "blinks, no log",
            Script {
                noise: Noise::Blink,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "has a clock, no log",
            Script {
                noise: Noise::Clock,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "flickers, no log",
            Script {
                noise: Noise::Sprite,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "scrolls",
            Script {
                scrolls: true,
                ..PLAIN
            },
        ),
        (
            "start screen, return",
            Script {
                start: Some(Start::Key(Key::Return)),
                ..PLAIN
            },
        ),
        (
            "start screen, space, no log",
            Script {
                start: Some(Start::Key(Key::Space)),
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "start screen, click, cannot be asked",
            Script {
                start: Some(Start::Click),
                asks: false,
                ..PLAIN
            },
        ),
        (
            "start screen with a clock, no log",
            Script {
                start: Some(Start::Key(Key::Return)),
                noise: Noise::Clock,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "start screen, any key",
            Script {
                start: Some(Start::Any),
                ..PLAIN
            },
        ),
        (
            "start screen, any key, no log",
            Script {
                start: Some(Start::Any),
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "blinks, loses, lags, no log",
            Script {
                noise: Noise::Blink,
                loses_each: Some(5),
                lag: 120,
                log: Log::None,
                ..PLAIN
            },
        ),
    ];
    for (name, script) in rows {
        let played = play(&script);
        assert_eq!(
            played.report.outcome,
            Outcome::Finished,
            "{name}: {:#?}",
            played.report
        );
        assert_eq!((played.steps, played.solved), (STEPS, true), "{name}");
        assert_eq!(played.report.steps, STEPS, "{name}");
        assert_eq!(played.report.doubled, 0, "{name}");
        assert_eq!(
            played.report.by_log + played.report.by_picture,
            STEPS,
            "{name}"
        );
        if script.loses_each.is_none()
            && script.deaf_until == 0
            && script.busy == 0
            && script.least_hold == 0
            && script.start.is_none()
        {
            assert_eq!(played.report.resends, 0, "{name}");
        }
        let by_log = script.log == Log::Live;
        assert_eq!(
            played.report.by_log == STEPS,
            by_log,
            "{name}: {:?}",
            played.report
        );
        pictures_are_in_order(name, &played);
    }
}

fn pictures_are_in_order(name: &str, played: &Played) {
    let kinds: Vec<PictureKind> = played.pictures.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds.first(), Some(&PictureKind::Initial), "{name}");
    assert_eq!(kinds.last(), Some(&PictureKind::Final), "{name}");
    let (_, answer) = level();
    let steps = kept_steps(&answer, DriveOptions::default().step_pictures);
    // A start screen's picture is there too, and replaced by whoever keeps them.
    let first = kinds.iter().filter(|&&kind| kind == PictureKind::Initial);
    assert_eq!(kinds.len(), steps.len() + 1 + first.count(), "{name}");
    let whole = played.pictures.iter().rev();
    let whole: Vec<_> = whole.take(steps.len() + 2).collect();
    for pair in whole.windows(2) {
        assert_ne!(pair[0].1, pair[1].1, "{name}: two equal pictures");
    }
}

/// Games that cannot be played to the end: why the driver stops.
#[test]
fn every_other_game_stops_with_its_reason() {
    let fault = |fault: fn(String) -> SurfaceFault| Some((5, fault("as scripted".into())));
    let rows: Vec<(&str, &str, Script)> = vec![
        (
            "errs",
            "diverged",
            Script {
                errs_at: Some(6),
                ..PLAIN
            },
        ),
        (
            "hangs",
            "hung",
            Script {
                hangs_at: Some(5),
                ..PLAIN
            },
        ),
        (
            "hangs, no log",
            "hung",
            Script {
                hangs_at: Some(5),
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "hangs, cannot be asked",
            "hung",
            Script {
                hangs_at: Some(5),
                asks: false,
                ..PLAIN
            },
        ),
        (
            "deaf for ever",
            "diverged",
            Script {
                deaf_until: u64::MAX,
                ..PLAIN
            },
        ),
        (
            "blank for ever",
            "hung",
            Script {
                blank_until: u64::MAX,
                ..PLAIN
            },
        ),
        (
            "scrolls, no log",
            "diverged",
            Script {
                scrolls: true,
                log: Log::None,
                ..PLAIN
            },
        ),
        (
            "gone",
            "gone",
            Script {
                gone_at: Some(5),
                ..PLAIN
            },
        ),
        (
            "doubles against the answer",
            "diverged",
            Script {
                doubles: Some(9),
                ..PLAIN
            },
        ),
        (
            "covered",
            "covered",
            Script {
                faults: fault(SurfaceFault::Covered),
                ..PLAIN
            },
        ),
        (
            "unfocused",
            "no_focus",
            Script {
                faults: fault(SurfaceFault::NoFocus),
                ..PLAIN
            },
        ),
        (
            "refused",
            "display",
            Script {
                faults: fault(SurfaceFault::Display),
                ..PLAIN
            },
        ),
    ];
    for (name, reason, script) in rows {
        let played = play(&script);
        assert_eq!(
            played.report.outcome.name(),
            reason,
            "{name}: {}",
            played.report.outcome
        );
        let last = &played.events.last().unwrap().what;
        assert!(
            matches!(last, What::Stopped { reason: told, .. } if told == reason),
            "{name}"
        );
        assert!(
            played.virtual_ms < 60_000,
            "{name}: took {} ms",
            played.virtual_ms
        );
    }
}

#[test]
fn a_divergence_names_the_step() {
    let outcome = play(&Script {
        errs_at: Some(6),
        ..PLAIN
    })
    .report
    .outcome;
    let expected = Outcome::Diverged {
        step: 6,
        expected: "right".into(),
        found: "the game's log says down".into(),
    };
    assert_eq!(outcome, expected);
}

#[test]
fn a_doubled_key_that_suits_the_answer_counts_for_two() {
    let played = play(&Script {
        doubles: Some(5),
        ..PLAIN
    });
    assert_eq!(played.report.outcome, Outcome::Finished);
    assert_eq!((played.report.doubled, played.steps), (1, STEPS));
}

/// The last two steps may come of one key; the final picture is taken all the same.
#[test]
fn a_doubled_key_may_play_the_last_step() {
    let played = play(&Script {
        doubles: Some(STEPS - 1),
        ..PLAIN
    });
    assert_eq!(played.report.outcome, Outcome::Finished);
    assert_eq!((played.report.doubled, played.steps), (1, STEPS));
    assert_eq!(played.pictures.last().unwrap().0, PictureKind::Final);
}

/// A game that ends itself on success is finished; its last picture is the last one seen.
#[test]
fn a_game_may_end_with_the_last_step() {
    let played = play(&Script {
        gone_at: Some(STEPS),
        ..PLAIN
    });
    assert_eq!(played.report.outcome, Outcome::Finished);
    assert_eq!(played.pictures.last().unwrap().0, PictureKind::Final);
}

/// Twelve steps of 100 ms each, whatever time the pictures take.
#[test]
fn the_pace_is_that_of_the_steps() {
    let played = play(&Script { lag: 100, ..PLAIN });
    let seconds = played.report.seconds;
    assert!((seconds - 1.2).abs() < 0.12, "{seconds}");
}

#[test]
fn a_raised_stop_ends_the_play() {
    let stop = Stop::new();
    stop.raise(Limit::Interrupt);
    let played = play_with(&PLAIN, &DriveOptions::default(), &stop);
    assert_eq!(
        played.report.outcome,
        Outcome::Interrupted(Limit::Interrupt)
    );
}

#[test]
fn an_open_loop_is_found_out_by_the_log() {
    let options = DriveOptions {
        pace: Some(Duration::from_millis(40)),
        ..DriveOptions::default()
    };
    let played = play_with(&PLAIN, &options, &Stop::new());
    assert_eq!(played.report.outcome, Outcome::Finished);
    assert_eq!(played.steps, STEPS);
    let lossy = Script {
        loses_each: Some(5),
        ..PLAIN
    };
    let played = play_with(&lossy, &options, &Stop::new());
    assert_eq!(played.report.outcome.name(), "diverged");
}

#[test]
fn the_same_script_gives_the_same_events() {
    let script = Script {
        loses_each: Some(3),
        noise: Noise::Blink,
        log: Log::None,
        ..PLAIN
    };
    assert_eq!(play(&script).events, play(&script).events);
}

#[test]
fn kept_steps_lie_on_pushes_when_there_are_enough() {
    let (_, answer) = level();
    let rows: [(usize, &[usize]); 4] = [
        (8, &[5, 6, 7, 10, 11]),
        (3, &[5, 7, 11]),
        (1, &[7]),
        (0, &[]),
    ];
    for (most, steps) in rows {
        assert_eq!(kept_steps(&answer, most), steps, "{most}");
    }
}
