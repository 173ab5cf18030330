//! Terminal text.

use proptest::prelude::*;
use puzzleyard_render::ansi::{Colour, board};

use crate::boards::{CORRIDOR, any_level, level};

/// `text` without its escape sequences.
fn plain(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('\x1b') {
        kept.push_str(&rest[..start]);
        let end = rest[start..].find('m').expect("the end of a sequence");
        rest = &rest[start + end + 1..];
    }
    kept + rest
}

proptest! {
    #[test]
    fn every_glyph_is_that_of_the_board_twice(level in any_level(5, 7)) {
        let state = level.start();
        let text = board(&level, state, Colour::None);
        let halved: String = text
            .lines()
            .map(|line| {
                let glyphs: Vec<char> = line.chars().collect();
                let (even, odd): (Vec<_>, Vec<_>) = glyphs.chunks(2).map(|two| (two[0], two[1])).unzip();
                assert_eq!(even, odd);
                even.into_iter().chain(['\n']).collect::<String>()
            })
            .collect();
        prop_assert_eq!(halved, level.setup(state).board());
        for colour in [Colour::Ansi256, Colour::TrueColor] {
            prop_assert_eq!(&plain(&board(&level, state, colour)), &text);
        }
    }
}

#[test]
fn lines_end_uncoloured() {
    let level = level(CORRIDOR);
    for line in board(&level, level.start(), Colour::TrueColor).lines() {
        assert!(
            line.starts_with("\x1b[38;2;92;94;99;48;2;138;140;145m##"),
            "{line:?}"
        );
        assert!(line.ends_with("\x1b[0m"), "{line:?}");
    }
}
