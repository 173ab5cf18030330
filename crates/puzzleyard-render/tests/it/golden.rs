//! The same bytes on all platforms: hashes of pictures and files, written down once.
//!
//! A change of looks changes them on purpose: look at the pictures, then write the new ones.

use puzzleyard_core::{ContentId, Direction};
use puzzleyard_render::{
    Painter, Status, Theme, ansi, draw_board, draw_window, gif::Animation, png, svg,
};

use crate::boards::{CORRIDOR, LOADING_BAY, SAMPLER, level, played, status};

#[test]
fn the_same_bytes_on_all_platforms() {
    let theme = Theme::classic();
    let sampler = level(SAMPLER);
    let corridor = level(CORRIDOR);
    let board = |cell| {
        draw_board(&sampler, sampler.start(), cell, &theme)
            .rgb()
            .to_vec()
    };
    let start = draw_window(
        &sampler,
        sampler.start(),
        &status(&sampler, sampler.start()),
        32,
        &theme,
    );
    let end = played(&corridor, "r");
    let solved = draw_window(&corridor, &end, &status(&corridor, &end), 64, &theme);
    let mut animation = Animation::new(480, 360);
    let mut painter = Painter::new(48, &theme);
    for (state, moves) in [(corridor.start(), 0), (&end, 1)] {
        let status = Status {
            moves,
            ..status(&corridor, state)
        };
        animation
            .push(&painter.window(&corridor, state, &status), 50)
            .unwrap();
    }
    let rows: [(&str, Vec<u8>, &str); 8] = [
        ("board at 8 px", board(8), "d06451d9dadef315"),
        ("board at 48 px", board(48), "513ce8ff93fb36a3"),
        (
            "window at the start",
            start.rgb().to_vec(),
            "9c2f495bd1d9aad1",
        ),
        ("window, solved", solved.rgb().to_vec(), "9fd068f92273e1a2"),
        (
            "window as PNG",
            png::encode(&start, png::Effort::Small),
            "ece9f1bc76599e6f",
        ),
        ("play as GIF", animation.finish(), "e87e398ba36dce11"),
        (
            "board as SVG",
            svg::board(&sampler, sampler.start(), 40, &theme).into(),
            "e2e2a37f5f2592da",
        ),
        (
            "board as text",
            ansi::board(&sampler, sampler.start(), ansi::Colour::Ansi256).into(),
            "ffc30d608e80b253",
        ),
    ];
    let mut wrong = Vec::new();
    for (what, bytes, expected) in rows {
        let found = ContentId::of(&bytes).to_string();
        if found[..16] != *expected {
            wrong.push(format!(
                "{what}: found {}, expected {expected}",
                &found[..16]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The picture in the README: a level of our own, 34 steps into an answer of 55.
///
/// With `PUZZLEYARD_BLESS=1` in the environment the file is written instead of compared.
#[test]
fn the_picture_in_the_readme_is_what_is_drawn() {
    let bay = level(LOADING_BAY);
    let ways = "ddrUruUdLLLdlUUUluuRRRRurrdLulDlld".chars();
    let (state, answer) = bay
        .replay(ways.filter_map(Direction::from_letter))
        .expect("every step is possible");
    let status = Status {
        title: "Loading bay",
        moves: answer.moves(),
        pushes: answer.pushes(),
        ..status(&bay, &state)
    };
    let picture = draw_window(&bay, &state, &status, 40, &Theme::classic());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/window.png");
    if std::env::var_os("PUZZLEYARD_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, png::encode(&picture, png::Effort::Small)).expect("docs/ is there");
    }
    let bytes = std::fs::read(path).expect("docs/window.png is there");
    assert!(bytes.len() < 60 * 1024, "{} bytes", bytes.len());
    assert!(
        png::decode(&bytes).expect("a PNG") == picture,
        "docs/window.png is out of date"
    );
}
