//! Our own window, with and without a window manager.

use std::thread::sleep;
use std::time::Duration;

use puzzleyard_desktop::game::{Files, Game, GameKey, read_level};
use puzzleyard_harness::surface::{Surface as _, SurfaceKind};
use puzzleyard_render::{Picture, Theme};
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt as _};
use x11rb::wrapper::ConnectionExt as _;

use crate::stage::{ANSWER, LONG, ROOM, Stage, Stranger, display, display_of_depth, tap, until};

/// What the renderer makes of the stage's level after these steps.
fn drawn(stage: &Stage, steps: &str) -> Picture {
    let (level, name) = read_level(&stage.launch.level).unwrap();
    let mut game = Game::new(level, &name, &Files::default()).unwrap();
    for letter in steps.chars() {
        let way = puzzleyard_core::Direction::from_letter(letter).unwrap();
        game.key(GameKey::Step(way), Duration::ZERO).unwrap();
    }
    game.picture(40, &Theme::classic())
}

#[test]
fn a_level_is_played_pictured_and_closed() {
    for managed in [false, true] {
        let Some(display) = display("own window", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let mut game = stage.start("play", &["--cell", "40"]).unwrap();
        let identity = game.identity().unwrap();
        assert_eq!(identity.kind, SurfaceKind::X11);
        assert_eq!(identity.title, stage.launch.title);
        assert_eq!(identity.class.as_deref(), Some("Puzzleyard"));
        assert_eq!(identity.display, display.name());
        assert_eq!(
            (identity.geometry.2, identity.geometry.3),
            (drawn(&stage, "").width(), drawn(&stage, "").height())
        );
        assert!(crate::stage::runs(identity.pid.unwrap()));
        for played in 0..=ANSWER.len() {
            if played > 0 {
                stage.walk(&mut game, &ANSWER[played - 1..played]);
            }
            assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
            let expected = drawn(&stage, &ANSWER[..played]);
            assert!(
                game.picture().unwrap() == expected,
                "after {played} steps, managed: {managed}"
            );
        }
        let result = std::fs::read(&stage.launch.result).unwrap();
        let result: serde_json::Value = serde_json::from_slice(&result).unwrap();
        assert_eq!(
            (&result["history"], &result["level"]),
            (&ANSWER.into(), &"room.sok".into())
        );
        assert_eq!(game.close(LONG), Ok(true));
        assert_eq!(game.exit().as_deref(), Some("ended with status 0"));
    }
}

/// Keys sent without any waiting are all played, in order.
#[test]
fn two_hundred_queued_keys_arrive_complete_and_in_order() {
    for managed in [false, true] {
        let Some(display) = display("queued keys", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let mut host = stage.host(&crate::stage::example("play"), &[]);
        host.own_game = true;
        let mut game = host.launch(&stage.launch).unwrap();
        // A walk in the empty left part of the room.
        let steps = "UULLDDDDRRUU".repeat(17)[..200].to_owned();
        for letter in steps.chars() {
            let way = puzzleyard_core::Direction::from_letter(letter).unwrap();
            let key = puzzleyard_harness::surface::Key::Arrow(way);
            game.press(key).unwrap();
            game.release(key).unwrap();
        }
        assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
        assert_eq!(stage.logged(), steps);
        assert!(game.picture().unwrap().width() >= 480);
        assert_eq!(game.close(LONG), Ok(true));
        assert_eq!(game.exit().as_deref(), Some("ended with status 3"));
    }
}

#[test]
fn letters_undo_restart_and_quit() {
    let Some(display) = display("letters", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &["--animate"]).unwrap();
    let hand = Stranger::new(&display);
    let (control, backspace) = (0xffe3, 0xff08);
    for letter in "hjklwasd".bytes() {
        hand.tap(letter.into());
    }
    // A command of somebody else, not a step.
    hand.press(control, true);
    hand.tap(u32::from(b'l'));
    hand.press(control, false);
    hand.tap(u32::from(b'u'));
    hand.tap(backspace);
    hand.tap(u32::from(b'r'));
    assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
    assert_eq!(stage.logged(), "LDURULDRRD");
    let log = std::fs::read_to_string(&stage.launch.log).unwrap();
    assert_eq!(
        (
            log.matches(",undo,").count(),
            log.matches(",restart,").count()
        ),
        (2, 1)
    );
    assert!(
        log.lines()
            .last()
            .unwrap()
            .starts_with("11,restart,Restart,,3,3,0,0,0,0,")
    );
    hand.tap(u32::from(b'q'));
    assert!(until(|| game.exit().is_some()));
    assert_eq!(game.exit().as_deref(), Some("ended with status 3"));
    assert!(game.identity().is_err());
}

/// The keys of a keyboard that is changed in the midst of the play are found again.
#[test]
fn a_changed_keyboard_map_is_followed() {
    let Some(display) = display("keyboard map", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &[]).unwrap();
    stage.walk(&mut game, "LR");
    let other = Stranger::new(&display);
    let (left, f12) = (0xff51, 0xffc9);
    let (old, new) = (other.keycode(left), other.keycode(f12));
    for (code, symbol) in [(old, f12), (new, left)] {
        let change = other.conn.change_keyboard_mapping(1, code, 1, &[symbol]);
        change.unwrap().check().unwrap();
    }
    assert_eq!(other.keycode(left), new);
    stage.walk(&mut game, "LR");
}

/// Sixteen bits a pixel are five or six a channel; a palette is refused with the reason.
#[test]
fn screens_of_other_depths() {
    for depth in [16, 8] {
        let Some(display) = display_of_depth("other depths", depth) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        if depth == 8 {
            let fault = stage.start("play", &[]).unwrap_err().to_string();
            assert!(fault.contains("no true colours"), "{fault}");
            continue;
        }
        let mut game = stage.start("play", &["--cell", "40"]).unwrap();
        stage.walk(&mut game, "U");
        assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
        let (seen, expected) = (game.picture().unwrap(), drawn(&stage, "U"));
        assert_eq!(seen.rgb().len(), expected.rgb().len());
        let pairs = seen.rgb().iter().zip(expected.rgb());
        assert!(pairs.map(|(a, b)| a.abs_diff(*b)).all(|off| off <= 8));
    }
}

/// A window manager may insist on another size.
#[test]
fn a_resized_window_shows_the_board_in_its_middle() {
    let Some(display) = display("resizing", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &["--cell", "40"]).unwrap();
    let other = Stranger::new(&display);
    let expected = drawn(&stage, "");
    let (width, height) = (expected.width() + 60, expected.height() + 40);
    let size = ConfigureWindowAux::new().width(width).height(height);
    other.conn.configure_window(game.window(), &size).unwrap();
    other.conn.sync().unwrap();
    let middle = |picture: &Picture| {
        (picture.width(), picture.height()) == (width, height)
            && (0..expected.height()).all(|y| {
                (0..expected.width()).all(|x| picture.pixel(x + 30, y + 20) == expected.pixel(x, y))
            })
            && picture.pixel(0, 0) == Some(Theme::classic().backdrop)
    };
    assert!(until(|| middle(&game.picture().unwrap())));
}

#[test]
fn the_window_closes_by_itself_when_told_to() {
    let Some(display) = display("exit after", true) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &["--exit-after", "300"]).unwrap();
    for letter in ANSWER.chars() {
        tap(&mut game, letter);
    }
    assert!(until(|| game.exit().is_some()));
    assert_eq!(game.exit().as_deref(), Some("ended with status 0"));
    sleep(Duration::from_millis(20));
    assert_eq!(game.close(LONG), Ok(true));
}

/// A log that vanishes ends the play with a reason, and the driver passes it on.
#[test]
fn a_log_that_cannot_be_written_ends_the_play() {
    let Some(display) = display("lost log", false) else {
        return;
    };
    let stage = Stage::new(&display, ROOM);
    let mut game = stage.start("play", &[]).unwrap();
    std::fs::remove_file(&stage.launch.log).unwrap();
    tap(&mut game, 'U');
    assert!(until(|| game.exit().is_some()));
    let error = game.picture().unwrap_err().to_string();
    assert!(error.contains("removed during the play"), "{error}");
    assert!(stage.folder.path().exists());
}
