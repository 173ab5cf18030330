//! What the tests share: a display, a game on it, a hand that types.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use puzzleyard_core::Direction;
use puzzleyard_desktop::display::{Display, DisplayOptions};
use puzzleyard_desktop::x11::{X11Host, X11Surface};
use puzzleyard_harness::surface::{Key, Launch, Surface, SurfaceFault};
use x11rb::protocol::xproto::{ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// How long anything may take before a test gives up. Nothing is asserted about time.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// An open room with one box to push twice to the right.
pub(crate) const ROOM: &str =
    "##########\n#        #\n#        #\n#  @ $ . #\n#        #\n#        #\n##########\n";

/// The answer of [`ROOM`].
pub(crate) const ANSWER: &str = "RRR";

/// Says that a test was not run, unless it must be.
pub(crate) fn not_run(what: &str, why: &str, must: &str) {
    assert!(std::env::var(must).as_deref() != Ok("1"), "{what}: {why}");
    #[expect(clippy::print_stderr, reason = "a test that is left out has to say so")]
    {
        eprintln!("NOT RUN: {what}: {why}");
    }
}

fn is_installed(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    })
}

/// A virtual display of the test's own, or nothing on a machine that cannot have one.
/// `PUZZLEYARD_WM` names another window manager than openbox to test with.
pub(crate) fn display(what: &str, managed: bool) -> Option<Arc<Display>> {
    let manager = std::env::var("PUZZLEYARD_WM").unwrap_or("openbox --sm-disable".into());
    let manager: Vec<String> = manager.split(' ').map(str::to_owned).collect();
    let needed = [Some("Xvfb"), managed.then_some(manager[0].as_str())];
    for program in needed.into_iter().flatten() {
        if !is_installed(program) {
            let why = format!("{program} is not installed");
            not_run(what, &why, "PUZZLEYARD_REQUIRE_DISPLAY");
            return None;
        }
    }
    let options = DisplayOptions {
        window_manager: managed.then_some(manager),
        ..DisplayOptions::default()
    };
    Some(Arc::new(Display::start(&options).unwrap()))
}

/// The same with so many bits a pixel, by a script in the server's place.
pub(crate) fn display_of_depth(what: &str, depth: u8) -> Option<Arc<Display>> {
    use std::os::unix::fs::PermissionsExt as _;
    display(what, false)?;
    let folder = tempfile::tempdir().unwrap();
    let server = folder.path().join("server");
    let flags = "-displayfd 1 -nolisten tcp -terminate";
    let script = format!("#!/bin/sh\nexec Xvfb -screen 0 1024x768x{depth} {flags}\n");
    std::fs::write(&server, script).unwrap();
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
    let options = DisplayOptions {
        server: server.to_str().unwrap().to_owned(),
        ..DisplayOptions::default()
    };
    Some(Arc::new(Display::start(&options).unwrap()))
}

/// The path of an example program of this crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(
        path.exists(),
        "{} is missing: cargo build -p puzzleyard-desktop --examples",
        path.display()
    );
    path
}

/// A game in a folder of its own.
pub(crate) struct Stage {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) display: Arc<Display>,
    pub(crate) launch: Launch,
}

impl Stage {
    pub(crate) fn new(display: &Arc<Display>, level: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let launch = Launch {
            level: folder.path().join("room.sok"),
            log: folder.path().join("moves.csv"),
            result: folder.path().join("result.json"),
            title: "Level 1 of a tést ☃".into(),
        };
        std::fs::write(&launch.level, level).unwrap();
        Self {
            folder,
            display: Arc::clone(display),
            launch,
        }
    }

    pub(crate) fn host(&self, program: &Path, flags: &[&str]) -> X11Host {
        let mut command = vec![program.to_str().unwrap().to_owned()];
        command.extend(flags.iter().map(|&flag| flag.to_owned()));
        X11Host::new(Arc::clone(&self.display), command)
    }

    pub(crate) fn start(&self, name: &str, flags: &[&str]) -> Result<X11Surface, SurfaceFault> {
        self.host(&example(name), flags).launch(&self.launch)
    }

    /// The column `dir` of the log, as one word; empty before there is a log.
    pub(crate) fn logged(&self) -> String {
        let text = std::fs::read_to_string(&self.launch.log).unwrap_or_default();
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let Some(column) = header.split(',').position(|name| name == "dir") else {
            return String::new();
        };
        lines
            .filter_map(|line| line.split(',').nth(column))
            .collect()
    }

    /// Presses and lets go, a step after the other, each once the log shows the one before.
    pub(crate) fn walk(&self, game: &mut dyn Surface, steps: &str) {
        let mut expected = self.logged();
        for letter in steps.chars() {
            tap(game, letter);
            expected.push(letter);
            assert!(
                until(|| self.logged() == expected),
                "{} for {expected}",
                self.logged()
            );
        }
    }
}

/// Presses an arrow and lets it go.
pub(crate) fn tap(game: &mut dyn Surface, letter: char) {
    let key = Key::Arrow(Direction::from_letter(letter).unwrap());
    game.press(key).unwrap();
    sleep(Duration::from_millis(30));
    game.release(key).unwrap();
}

/// Waits until `done`; false if it takes too long.
pub(crate) fn until(mut done: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + LONG;
    while Instant::now() < deadline {
        if done() {
            return true;
        }
        sleep(Duration::from_millis(10));
    }
    false
}

/// Another program's connection to a display.
pub(crate) struct Stranger {
    pub(crate) conn: RustConnection,
    pub(crate) root: u32,
}

impl Stranger {
    pub(crate) fn new(display: &Display) -> Self {
        use x11rb::connection::Connection as _;
        let (conn, screen) = RustConnection::connect(Some(display.name())).unwrap();
        let root = conn.setup().roots[screen].root;
        Self { conn, root }
    }

    pub(crate) fn keycode(&self, symbol: u32) -> u8 {
        use x11rb::connection::Connection as _;
        let (first, last) = (self.conn.setup().min_keycode, self.conn.setup().max_keycode);
        let map = self
            .conn
            .get_keyboard_mapping(first, last - first + 1)
            .unwrap();
        let map = map.reply().unwrap();
        let rows = map.keysyms.chunks(map.keysyms_per_keycode.into());
        let at = rows.into_iter().position(|row| row[0] == symbol).unwrap();
        first + at as u8
    }

    pub(crate) fn press(&self, symbol: u32, down: bool) {
        let kind = if down {
            KEY_PRESS_EVENT
        } else {
            KEY_RELEASE_EVENT
        };
        let code = self.keycode(symbol);
        let event = self
            .conn
            .xtest_fake_input(kind, code, 0, 0, 0, 0, 0)
            .unwrap();
        event.check().unwrap();
    }

    pub(crate) fn tap(&self, symbol: u32) {
        self.press(symbol, true);
        self.press(symbol, false);
    }

    pub(crate) fn is_down(&self, symbol: u32) -> bool {
        let code = self.keycode(symbol);
        let keys = self.conn.query_keymap().unwrap().reply().unwrap().keys;
        keys[usize::from(code / 8)] >> (code % 8) & 1 == 1
    }
}

/// Whether a process runs and is no zombie.
pub(crate) fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// The odd game, started by hand as somebody else would.
pub(crate) fn strange_game(stage: &Stage, flags: &[&str]) -> std::process::Child {
    Command::new(example("odd_game"))
        .args(flags)
        .arg("--level")
        .arg(&stage.launch.level)
        .arg("--log")
        .arg(&stage.launch.log)
        .arg("--title")
        .arg(&stage.launch.title)
        .env("DISPLAY", stage.display.name())
        .spawn()
        .unwrap()
}
