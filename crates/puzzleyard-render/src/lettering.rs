//! Letters of our own, five by seven dots, so that no system font is needed.

use crate::Picture;
use crate::colour::Rgb;

/// Columns of dots of a letter; one empty column follows.
pub(crate) const WIDTH: u32 = 5;
/// Rows of dots of a letter.
pub(crate) const HEIGHT: u32 = 7;
/// Columns from the start of one letter to the start of the next.
pub(crate) const ADVANCE: u32 = WIDTH + 1;

/// ASCII 32 to 126, sixteen letters a strip, seven rows a strip. The last place holds the box
/// that stands for every other character.
const STRIPS: [&str; 42] = [
    "..... ..#.. .#.#. .#.#. ..#.. ##..# .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... ....#",
    "..... ..#.. .#.#. .#.#. .#### ##.#. #..#. ..#.. ..#.. ..#.. #.#.# ..#.. ..... ..... ..... ....#",
    "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. .#... .#... ...#. .###. ..#.. ..... ..... ..... ...#.",
    "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. ##### ##### ..... ##### ..... ..#..",
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. .###. ..#.. .##.. ..... ..... .#...",
    "..... ..... ..... .#.#. ####. .#.## #..#. ..... ..#.. ..#.. #.#.# ..#.. ..#.. ..... .##.. #....",
    "..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... ...#. .#... ..... ..... .#... ..... .##.. #....",
    ".###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###. ..... ..... ...#. ..... .#... .###.",
    "#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...# .##.. .##.. ..#.. ..... ..#.. #...#",
    "#..## #.#.. ....# ....# .#.#. ####. #.... ...#. #...# #...# .##.. .##.. .#... ##### ...#. ....#",
    "#.#.# ..#.. ..##. ..##. #..#. ....# ####. ...#. .###. .#### ..... ..... #.... ..... ....# ...#.",
    "##..# ..#.. .#... ....# ##### ....# #...# ..#.. #...# ....# .##.. .##.. .#... ##### ...#. ..#..",
    "#...# ..#.. #.... #...# ...#. #...# #...# ..#.. #...# ...#. .##.. ..#.. ..#.. ..... ..#.. .....",
    ".###. ##### ##### .###. ...#. .###. .###. ..#.. .###. .##.. ..... .#... ...#. ..... .#... ..#..",
    ".###. ..#.. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###.",
    "#...# .#.#. #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## ##..# #...#",
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...#",
    "#.#.# #...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...#",
    "#.### ##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...#",
    "#.... #...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #..## #...#",
    ".#### #...# ####. .###. ####. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###.",
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. .....",
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. .....",
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# .....",
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... .....",
    "#.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... .....",
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... .#... ....# ...#. ..... .....",
    "#.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .###. ....# .###. ..... #####",
    ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... .....",
    "..#.. ..... #.... ..... ....# ..... .#... .#### #.... ..... ..... #.... ..#.. ..... ..... .....",
    "...#. .###. ####. .###. .#### .###. ####. #...# ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###.",
    "..... ....# #...# #.... #...# #...# .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#",
    "..... .#### #...# #.... #...# ##### .#... .#### #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...#",
    "..... #...# #...# #.... #...# #.... .#... ....# #...# ..#.. #..#. #.#.. ..#.. #.#.# #...# #...#",
    "..... .#### ####. .###. .#### .###. .#... .###. #...# .###. .##.. #..#. .###. #...# #...# .###.",
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..##. ..#.. .##.. ..... #####",
    "####. .#### ..... ..... .#... ..... ..... ..... ..... #...# ..... .#... ..#.. ...#. ..... #...#",
    "#...# #...# #.##. .#### ####. #...# #...# #...# #...# #...# ##### .#... ..#.. ...#. .#... #...#",
    "#...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. #.... ..#.. ....# #.#.# #...#",
    "####. .#### #.... .###. .#... #...# #...# #.#.# ..#.. .#### ..#.. .#... ..#.. ...#. ...#. #...#",
    "#.... ....# #.... ....# .#... #...# .#.#. #.#.# .#.#. ....# .#... .#... ..#.. ...#. ..... #...#",
    "#.... ....# #.... ####. ..##. .#### ..#.. .#.#. #...# .###. ##### ..##. ..#.. .##.. ..... #####",
];

/// Whether the dot at `row` and `col` of `letter` is set.
fn dot(letter: char, row: u32, col: u32) -> bool {
    let place = match letter {
        ' '..='~' => letter as usize - ' ' as usize,
        _ => 95,
    };
    let strip = STRIPS[place / 16 * HEIGHT as usize + row as usize];
    strip.as_bytes()[place % 16 * ADVANCE as usize + col as usize] == b'#'
}

/// Rows of dots that `letter` is lowered by: its tail hangs below the line.
fn drop(letter: char) -> u32 {
    u32::from(matches!(letter, 'g' | 'p' | 'q' | 'y'))
}

/// Columns of pixels that `text` takes at `scale` pixels a dot, without the gap at its end.
pub(crate) fn width(text: &str, scale: u32) -> u32 {
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    letters
        .saturating_mul(ADVANCE)
        .saturating_sub(1)
        .saturating_mul(scale)
}

/// `text` if it fits into `room` pixels at `scale`, else as much of it as fits before an
/// ellipsis of three dots. Empty if not even those fit.
pub(crate) fn fitting(text: &str, room: u32, scale: u32) -> String {
    if width(text, scale) <= room {
        return text.to_owned();
    }
    let letters = ((room / scale.max(1)).saturating_add(1) / ADVANCE) as usize;
    if letters < 3 {
        return String::new();
    }
    let mut kept: String = text.chars().take(letters - 3).collect();
    kept.truncate(kept.trim_end().len());
    kept + "..."
}

/// Writes `text` with its top left dot at row `y` and column `x`, `scale` pixels a dot. Tails
/// reach one dot below the seventh.
pub(crate) fn write(picture: &mut Picture, x: u32, y: u32, text: &str, scale: u32, colour: Rgb) {
    let mut left = x;
    for letter in text.chars() {
        if left >= picture.width() {
            return;
        }
        let top = y + drop(letter) * scale;
        for row in 0..HEIGHT {
            for col in (0..WIDTH).filter(|&col| dot(letter, row, col)) {
                picture.fill(left + col * scale, top + row * scale, scale, scale, colour);
            }
        }
        left += ADVANCE * scale;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ADVANCE, HEIGHT, STRIPS, WIDTH, dot, fitting, width, write};
    use crate::Picture;

    fn dots(letter: char) -> Vec<bool> {
        (0..HEIGHT)
            .flat_map(|row| (0..WIDTH).map(move |col| dot(letter, row, col)))
            .collect()
    }

    #[test]
    fn every_letter_looks_different_and_only_space_is_blank() {
        let shapes: BTreeSet<Vec<bool>> = (' '..='~').chain(['\u{e9}']).map(dots).collect();
        assert_eq!(shapes.len(), 96);
        assert!(('!'..='~').all(|letter| dots(letter).contains(&true)));
        assert!(!dots(' ').contains(&true));
        for other in ['\n', '\u{7f}', '\u{4e2d}', '\u{1f600}'] {
            assert_eq!(dots(other), dots('\u{e9}'), "{other:?}");
        }
    }

    #[test]
    fn strips_are_dots_and_gaps() {
        for strip in STRIPS {
            assert_eq!(strip.len() as u32, 16 * ADVANCE - 1);
            for (at, dot) in strip.bytes().enumerate() {
                let gap = at as u32 % ADVANCE == WIDTH;
                assert!(if gap {
                    dot == b' '
                } else {
                    b".#".contains(&dot)
                });
            }
        }
    }

    #[test]
    fn long_text_ends_in_three_dots_and_fits() {
        let text = "A level with a very long name indeed";
        for room in 0..500 {
            let cut = fitting(text, room, 2);
            assert!(width(&cut, 2) <= room);
            assert!(
                cut == text || cut.is_empty() || cut.ends_with("..."),
                "{cut}"
            );
        }
        assert_eq!(fitting("abcdefgh", 6 * 6 - 1, 1), "abc...");
        assert_eq!(fitting("ab cdefg", 6 * 6 - 1, 1), "ab...");
    }

    #[test]
    fn a_written_letter_is_its_dots_scaled() {
        let mut picture = Picture::filled(20, 20, [0; 3]);
        write(&mut picture, 2, 3, "R", 2, [9, 8, 7]);
        for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x, y))) {
            let inside = (2..12).contains(&x) && (3..17).contains(&y);
            let set = inside && dot('R', (y - 3) / 2, (x - 2) / 2);
            let expected = if set { [9, 8, 7] } else { [0; 3] };
            assert_eq!(picture.pixel(x, y), Some(expected));
        }
    }
}
