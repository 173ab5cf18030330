//! The embedded loop gives the same bytes every time.

use std::time::Duration;

use puzzleyard_desktop::embedded::EmbeddedHost;
use puzzleyard_harness::surface::{GameHost as _, Key, Launch, SurfaceFault, SurfaceKind};

use crate::stage::{ANSWER, ROOM};

fn play() -> (Vec<u8>, Vec<u8>, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch {
        level: folder.path().join("room.sok"),
        log: folder.path().join("moves.csv"),
        result: folder.path().join("result.json"),
        title: "Embedded".into(),
    };
    std::fs::write(&launch.level, ROOM).unwrap();
    let mut game = EmbeddedHost::default().start(&launch).unwrap();
    let identity = game.identity().unwrap();
    assert_eq!(
        (identity.kind, identity.display.as_str()),
        (SurfaceKind::Embedded, "none")
    );
    let mut pictures = vec![game.picture().unwrap().rgb().to_vec()];
    for letter in ANSWER.chars() {
        let key = Key::Arrow(puzzleyard_core::Direction::from_letter(letter).unwrap());
        game.press(key).unwrap();
        game.wait(Duration::from_millis(20)).unwrap();
        game.release(key).unwrap();
        assert_eq!(game.has_caught_up(Duration::ZERO), Ok(Some(true)));
        pictures.push(game.picture().unwrap().rgb().to_vec());
    }
    assert_eq!(game.close(Duration::ZERO), Ok(true));
    assert!(matches!(game.picture(), Err(SurfaceFault::Gone(_))));
    (
        std::fs::read(&launch.log).unwrap(),
        std::fs::read(&launch.result).unwrap(),
        pictures,
    )
}

#[test]
fn two_plays_are_the_same_bytes() {
    let (first, second) = (play(), play());
    assert!(first == second);
    assert!(first.2.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(
        String::from_utf8(first.0)
            .unwrap()
            .ends_with("3,move,Right,R,3,6,1,1,3,2,40\n")
    );
}

#[test]
fn a_level_that_cannot_be_played_is_said_to_be_gone() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch {
        level: folder.path().join("absent.sok"),
        log: folder.path().join("moves.csv"),
        result: folder.path().join("result.json"),
        title: "Absent".into(),
    };
    let Err(SurfaceFault::Gone(why)) = EmbeddedHost::default().start(&launch) else {
        panic!("there is no level");
    };
    assert!(why.contains("absent.sok"), "{why}");
}
