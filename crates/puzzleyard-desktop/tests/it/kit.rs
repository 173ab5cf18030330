//! The foreign pygame program that comes with the level collections.
//!
//! `PUZZLEYARD_PYTHON` names an interpreter that has pygame; `PUZZLEYARD_DATA` the folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzleyard_desktop::x11::X11Host;
use puzzleyard_harness::surface::Surface as _;

use crate::stage::{LONG, ROOM, Stage, display, not_run, until};

#[test]
fn a_pygame_program_is_found_keyed_pictured_and_closed() {
    let Some(python) = std::env::var_os("PUZZLEYARD_PYTHON") else {
        let why = "no interpreter with pygame (set PUZZLEYARD_PYTHON)";
        not_run("foreign pygame window", why, "PUZZLEYARD_REQUIRE_PYTHON");
        return;
    };
    let data = std::env::var_os("PUZZLEYARD_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let program = data.join("kit/sokoban_game.py");
    if !program.exists() {
        let why = "no level collections (set PUZZLEYARD_DATA)";
        not_run("foreign pygame window", why, "PUZZLEYARD_REQUIRE_DATA");
        return;
    }
    for managed in [false, true] {
        let Some(display) = display("foreign pygame window", managed) else {
            continue;
        };
        let stage = Stage::new(&display, ROOM);
        let words = [python.to_str().unwrap(), program.to_str().unwrap()];
        let command = words.map(str::to_owned).to_vec();
        let mut game = X11Host::new(Arc::clone(&display), command)
            .launch(&stage.launch)
            .unwrap();
        assert_eq!(game.identity().unwrap().title, stage.launch.title);
        let grey = |game: &mut puzzleyard_desktop::x11::X11Surface| {
            game.picture()
                .unwrap()
                .rgb()
                .as_chunks::<3>()
                .0
                .contains(&[110, 110, 114])
        };
        assert!(until(|| grey(&mut game)), "its walls are grey");
        let before = game.picture().unwrap();
        // The log is there before the program takes keys.
        assert!(until(|| stage.launch.log.exists()));
        stage.walk(&mut game, "UDRRR");
        assert!(until(|| stage.launch.result.exists()));
        assert!(until(|| game.picture().unwrap() != before));
        assert_eq!(game.has_caught_up(LONG), Ok(Some(true)));
        assert_eq!(game.close(LONG), Ok(true));
        assert_eq!(game.exit().as_deref(), Some("ended with status 0"));
    }
}
