//! The driver against games with bad habits.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use puzzleyard_core::Direction;
use puzzleyard_desktop::x11::{Target, X11Surface};
use puzzleyard_harness::surface::{Key, Surface as _, SurfaceFault};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, InputFocus,
    MapState, PropMode, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use crate::stage::{LONG, ROOM, Stage, Stranger, display, runs, strange_game, tap, until};

const RIGHT: u32 = 0xff53;
const CONTROL: u32 = 0xffe3;

/// However the window comes about, it is found, takes keys and can be closed.
#[test]
fn windows_are_found_however_they_come() {
    let rows: [&[&str]; 8] = [
        &[],
        &["--late", "400"],
        &["--wrapper", "--no-title"],
        &["--wrapper-gone"],
        &["--no-title", "--no-pid"],
        &["--splash", "400"],
        &["--take-focus"],
        &["--no-delete"],
    ];
    for managed in [false, true] {
        let Some(display) = display("finding windows", managed) else {
            continue;
        };
        for flags in rows {
            let stage = Stage::new(&display, ROOM);
            let mut game = stage
                .start("odd_game", flags)
                .unwrap_or_else(|fault| panic!("{flags:?}, managed: {managed}: {fault}"));
            assert!(until(|| stage.launch.log.exists()), "{flags:?}");
            let before = game.picture().unwrap();
            stage.walk(&mut game, "UR");
            assert!(until(|| game.picture().unwrap() != before), "{flags:?}");
            assert_eq!(game.close(LONG), Ok(true), "{flags:?}, managed: {managed}");
        }
    }
}

/// What start screens wait for reaches the game.
#[test]
fn start_screens_are_left() {
    for managed in [false, true] {
        let Some(display) = display("start screens", managed) else {
            continue;
        };
        for start in ["return", "space", "click"] {
            let stage = Stage::new(&display, ROOM);
            let mut game = stage.start("odd_game", &["--start", start]).unwrap();
            tap(&mut game, 'U');
            assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
            assert_eq!(stage.logged(), "", "{start}");
            let key = match start {
                "return" => Some(Key::Return),
                "space" => Some(Key::Space),
                _ => None,
            };
            if let Some(key) = key {
                game.press(key).unwrap();
                game.release(key).unwrap();
            } else {
                assert_eq!(game.click(), Ok(true));
            }
            stage.walk(&mut game, "UR");
        }
    }
}

/// A window that is made anew in the midst of the play is found again.
#[test]
fn a_window_that_is_made_anew_is_found_again() {
    for managed in [false, true] {
        let Some(display) = display("window made anew", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let mut game = stage.start("odd_game", &["--recreate-at", "2"]).unwrap();
        let first = game.window();
        stage.walk(&mut game, "UR");
        assert!(until(
            || game.identity().unwrap().id != format!("{first:#x}")
        ));
        stage.walk(&mut game, "DD");
        assert_ne!(game.window(), first);
        assert!(game.picture().is_ok());
    }
}

/// A splash that stays long is taken for the window until the real one comes.
#[test]
fn a_long_splash_is_left_for_the_window_after_it() {
    let Some(display) = display("long splash", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("odd_game", &["--splash", "3500"]).unwrap();
    let is_real = |game: &mut X11Surface| {
        let identity = game.identity();
        identity.is_ok_and(|identity| identity.title == stage.launch.title)
    };
    assert!(!is_real(&mut game));
    assert!(until(|| is_real(&mut game)));
    assert!(until(|| stage.launch.log.exists()));
    stage.walk(&mut game, "UR");
}

/// A window that its owner made an icon is brought back.
#[test]
fn an_iconified_window_is_brought_back() {
    let Some(display) = display("iconified window", true) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("odd_game", &[]).unwrap();
    stage.walk(&mut game, "U");
    let (other, window) = (Stranger::new(&display), game.window());
    let iconify = || {
        let name = other.conn.intern_atom(false, b"WM_CHANGE_STATE").unwrap();
        let name = name.reply().unwrap().atom;
        let message = ClientMessageEvent::new(32, window, name, [3, 0, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
        other
            .conn
            .send_event(false, other.root, mask, message)
            .unwrap();
        let hidden = || {
            let found = other.conn.get_window_attributes(window).unwrap();
            found.reply().unwrap().map_state != MapState::VIEWABLE
        };
        assert!(until(hidden));
    };
    iconify();
    let target = Target::Title(stage.launch.title.clone());
    let mut again = X11Surface::attach(Arc::clone(&display), target, LONG).unwrap();
    assert_eq!(again.window(), window);
    assert!(again.picture().is_ok());
    stage.walk(&mut again, "R");
    drop(again);
    iconify();
    stage.walk(&mut game, "D");
}

#[test]
fn pings_tell_whether_a_game_keeps_up() {
    let Some(display) = display("pings", false) else {
        return;
    };
    let rows: [(&[&str], Duration, Option<bool>); 4] = [
        (&[], LONG, Some(true)),
        (&["--lag", "60"], LONG, Some(true)),
        (&["--mute-ping"], Duration::from_millis(200), Some(false)),
        (&["--no-ping"], LONG, None),
    ];
    for (flags, patience, expected) in rows {
        let stage = Stage::new(&display, ROOM);
        let mut game = stage.start("odd_game", flags).unwrap();
        for letter in "ULDR".chars() {
            tap(&mut game, letter);
        }
        assert_eq!(game.has_caught_up(patience), Ok(expected), "{flags:?}");
        if expected == Some(true) {
            assert_eq!(stage.logged(), "ULDR", "{flags:?}");
        }
    }
}

#[test]
fn a_game_that_hangs_does_not_keep_up_and_does_not_close() {
    let Some(display) = display("hanging game", true) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("odd_game", &["--hang-at", "1"]).unwrap();
    stage.walk(&mut game, "U");
    let short = Duration::from_millis(200);
    assert_eq!(game.has_caught_up(short), Ok(Some(false)));
    assert_eq!(game.close(short), Ok(false));
    let pid = game.identity().unwrap().pid.unwrap();
    drop(game);
    assert!(until(|| !runs(pid)));
}

#[test]
fn a_game_that_dies_is_quoted() {
    for (managed, wrapper) in [(false, &[][..]), (true, &["--wrapper"][..])] {
        let Some(display) = display("dying game", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let flags = [&["--die-at", "2"], wrapper].concat();
        let mut game = stage.start("odd_game", &flags).unwrap();
        stage.walk(&mut game, "UR");
        assert!(until(|| game.exit().is_some()));
        // Somebody else's window is not taken for the game's.
        let other = Stranger::new(&display);
        show(&other, (500, 500, 200, 200), false);
        for fault in [
            game.press(Key::Arrow(Direction::Up)).unwrap_err(),
            game.picture().unwrap_err(),
            game.wait(Duration::ZERO).unwrap_err(),
        ] {
            let SurfaceFault::Gone(why) = &fault else {
                panic!("{fault}");
            };
            assert_eq!(
                why,
                "it ended with status 9, saying: odd game: out of luck at step 2"
            );
        }
        assert_eq!(game.close(LONG), Ok(true));
    }
}

#[test]
fn a_program_that_shows_no_window_is_quoted() {
    let Some(display) = display("no window", false) else {
        return;
    };
    let stage = Stage::new(&display, "no level at all\n");
    let fault = stage.start("odd_game", &[]).unwrap_err();
    let expected = "it ended with status 2, saying: odd game: the level has no player";
    assert_eq!(fault, SurfaceFault::Gone(expected.into()));

    let mut host = stage.host(std::path::Path::new("sleep"), &["1000"]);
    host.command = vec!["sh".into(), "-c".into(), "sleep 1000".into()];
    host.patience = Duration::from_millis(300);
    let fault = host.launch(&stage.launch).unwrap_err().to_string();
    assert!(fault.contains("no window with the title"), "{fault}");

    host.command = vec!["no-such-program-anywhere".into()];
    let fault = host.launch(&stage.launch).unwrap_err().to_string();
    assert!(
        fault.contains("no-such-program-anywhere did not start"),
        "{fault}"
    );
}

/// Other windows over the game's stop the play; beside it or below it they do not.
#[test]
fn a_covered_window_is_noticed() {
    for managed in [false, true] {
        let Some(display) = display("covered window", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let mut game = stage.start("odd_game", &["--cover-at", "2"]).unwrap();
        let other = Stranger::new(&display);
        // Far away, far below, and a speck.
        let place = game.identity().unwrap().geometry;
        for (x, y, side, raised) in [(900, 700, 60, true), (place.0, place.1, 2, true)] {
            show(&other, (x as i16, y as i16, side, side), raised);
        }
        stage.walk(&mut game, "UR");
        let is_shown = |title: &[u8]| {
            let windows = other.conn.query_tree(other.root).unwrap().reply().unwrap();
            windows.children.into_iter().any(|window| {
                let (kind, name) = (AtomEnum::STRING, AtomEnum::WM_NAME);
                let found = other.conn.get_property(false, window, name, kind, 0, 99);
                let shown = other.conn.get_window_attributes(window).unwrap().reply();
                shown.is_ok_and(|shown| shown.map_state == MapState::VIEWABLE)
                    && found
                        .unwrap()
                        .reply()
                        .is_ok_and(|found| found.value == title)
            })
        };
        assert!(until(|| is_shown(b"An advertisement")));
        let fault = game.press(Key::Arrow(Direction::Down)).unwrap_err();
        let SurfaceFault::Covered(what) = &fault else {
            panic!("{fault}");
        };
        assert!(what.contains("\"An advertisement\""), "{what}");
        // The game's own window hides the wall in the corner from people, not from the picture.
        assert!(until(|| {
            let picture = game.picture().unwrap();
            let at = (30 * picture.width() as usize + 30) * 3;
            picture.rgb()[at..at + 3] == [0x6e, 0x6e, 0x72]
        }));
        // A stranger's window ends the play.
        show(&other, (place.0 as i16 + 100, place.1 as i16, 60, 60), true);
        assert!(until(|| matches!(
            game.picture(),
            Err(SurfaceFault::Covered(_))
        )));
        assert_eq!(stage.logged(), "UR", "nothing was pressed");
    }
}

/// Shows a window that no manager cares about.
fn show(other: &Stranger, (x, y, width, height): (i16, i16, u16, u16), unmanaged: bool) -> u32 {
    use x11rb::connection::Connection as _;
    let window = other.conn.generate_id().unwrap();
    let look = CreateWindowAux::new()
        .override_redirect(u32::from(unmanaged))
        .background_pixel(0x00ff_ffff);
    let class = WindowClass::INPUT_OUTPUT;
    let conn = &other.conn;
    conn.create_window(
        0, window, other.root, x, y, width, height, 0, class, 0, &look,
    )
    .unwrap();
    let (kind, title) = (AtomEnum::STRING, b"A stranger");
    conn.change_property8(PropMode::REPLACE, window, AtomEnum::WM_NAME, kind, title)
        .unwrap();
    conn.map_window(window).unwrap();
    conn.sync().unwrap();
    window
}

/// Whoever takes the keyboard away loses it again before the next key.
#[test]
fn a_lost_keyboard_is_taken_back() {
    for managed in [false, true] {
        let Some(display) = display("lost keyboard", managed) else {
            continue;
        };
        for flags in [&[][..], &["--take-focus"][..]] {
            let stage = Stage::new(&display, ROOM);
            let mut game = stage.start("odd_game", flags).unwrap();
            stage.walk(&mut game, "U");
            let other = Stranger::new(&display);
            let thief = show(&other, (940, 700, 50, 50), true);
            let time = x11rb::CURRENT_TIME;
            let taken = other
                .conn
                .set_input_focus(InputFocus::POINTER_ROOT, thief, time);
            taken.unwrap().check().unwrap();
            stage.walk(&mut game, "RD");
        }
    }
}

/// A key that is held long is one key, and one that is forgotten is let go.
#[test]
fn held_keys_do_not_repeat_and_do_not_stay() {
    let Some(display) = display("held keys", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let other = Stranger::new(&display);
    let repeats = || {
        other
            .conn
            .get_keyboard_control()
            .unwrap()
            .reply()
            .unwrap()
            .auto_repeats
    };
    let before = repeats();
    let mut game = stage.start("odd_game", &[]).unwrap();
    assert_ne!(repeats(), before);
    let up = Key::Arrow(Direction::Up);
    game.press(up).unwrap();
    sleep(Duration::from_millis(1200));
    game.release(up).unwrap();
    assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
    assert_eq!(stage.logged(), "U");
    game.press(Key::Arrow(Direction::Right)).unwrap();
    assert!(other.is_down(RIGHT));
    drop(game);
    assert!(!other.is_down(RIGHT));
    assert_eq!(repeats(), before);
}

/// What another program left pressed does not change our keys.
#[test]
fn keys_left_pressed_by_others_are_let_go() {
    let Some(display) = display("left keys", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &[]).unwrap();
    let other = Stranger::new(&display);
    other.press(CONTROL, true);
    stage.walk(&mut game, "U");
    assert!(!other.is_down(CONTROL));
    other.press(RIGHT, true);
    assert!(until(|| stage.logged().starts_with("UR")));
    tap(&mut game, 'R');
    assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
    assert!(stage.logged().starts_with("URR"), "{}", stage.logged());
}

/// Windows off the screen's edge, and larger than the screen, are pictured whole.
#[test]
fn pictures_are_whole() {
    for managed in [false, true] {
        let Some(display) = display("whole pictures", managed) else {
            continue;
        };
        for (flag, size) in [("--off-screen", (400, 280)), ("--large", (1400, 1000))] {
            let stage = Stage::new(&display, ROOM);
            let mut game = stage.start("odd_game", &[flag]).unwrap();
            let is_whole = |game: &mut X11Surface| {
                let picture = game.picture().unwrap();
                // Walls in all four corners of the board.
                (picture.width(), picture.height()) == size
                    && [(20, 20), (380, 20), (20, 260), (380, 260)]
                        .iter()
                        .all(|&(x, y)| picture.pixel(x, y) == Some([0x6e, 0x6e, 0x72]))
            };
            assert!(until(|| is_whole(&mut game)), "{flag}, managed: {managed}");
            stage.walk(&mut game, "U");
        }
    }
}

/// A window that we did not start is driven by title, number or process, and left alone.
#[test]
fn foreign_windows_are_attached_to_and_never_ended() {
    for managed in [false, true] {
        let Some(display) = display("foreign windows", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let mut child = strange_game(&stage, &[]);
        let attach = |target| X11Surface::attach(Arc::clone(&display), target, LONG).unwrap();
        let mut game = attach(Target::Title(stage.launch.title.clone()));
        assert!(until(|| stage.launch.log.exists()));
        stage.walk(&mut game, "U");
        let window = game.window();
        drop(game);
        for target in [
            Target::Title("1 of a tést".into()),
            Target::Window(window),
            Target::Process(child.id()),
        ] {
            let mut game = attach(target.clone());
            assert_eq!(game.window(), window, "{target:?}");
            stage.walk(&mut game, "R");
        }
        assert!(child.try_wait().unwrap().is_none());
        let mut game = attach(Target::Window(window));
        assert_eq!(game.close(LONG), Ok(true));
        drop(game);
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let absent = Target::Title("nobody's title".into());
        let none = X11Surface::attach(Arc::clone(&display), absent, Duration::from_millis(50));
        assert!(matches!(none, Err(SurfaceFault::Gone(_))));
    }
}
