//! Boards as text for a terminal.
//!
//! Each square is its XSB character, twice, because a terminal's cell is about half as wide as
//! high. Colours only add to that: without the escape sequences the text is the plain one.

use puzzleyard_core::Cell;
use puzzleyard_sokoban::rules::{Level, State};

use crate::Theme;
use crate::colour::{BLACK, Rgb, WHITE, mix};

/// Which colours the terminal knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// None: no escape sequences at all.
    #[default]
    None,
    /// The 256 colours of xterm.
    Ansi256,
    /// 24-bit colours.
    TrueColor,
}

/// Ends all colours.
const PLAIN: &str = "\x1b[0m";

/// The board of `state`, one line a row, each ended by `\n`, two columns a square. Colours are
/// those of [`Theme::classic`]; every line ends uncoloured.
pub fn board(level: &Level, state: &State, colour: Colour) -> String {
    let theme = Theme::classic();
    let area = level.area();
    let mut text = String::new();
    for row in 0..area.height() {
        let mut current = None;
        for place in (0..area.width()).map(|col| Cell::new(row, col)) {
            let glyph = level.square(state, place).glyph();
            let paint = (glyph != ' ' || level.inside().contains(place))
                .then(|| paint(glyph, &theme))
                .filter(|_| colour != Colour::None);
            if paint != current {
                match paint {
                    Some(colours) => text.push_str(&escape(colours, colour)),
                    None => text.push_str(PLAIN),
                }
                current = paint;
            }
            text.push(glyph);
            text.push(glyph);
        }
        if current.is_some() {
            text.push_str(PLAIN);
        }
        text.push('\n');
    }
    text
}

/// The colours of a character and of the ground behind it.
fn paint(glyph: char, theme: &Theme) -> (Rgb, Rgb) {
    match glyph {
        '#' => (theme.joint, theme.wall),
        '$' => (mix(theme.crate_box, BLACK, 150), theme.crate_box),
        '*' => (mix(theme.box_on_goal, WHITE, 200), theme.box_on_goal),
        '.' => (theme.goal, theme.floor),
        '@' => (theme.player, theme.floor),
        '+' => (theme.player, mix(theme.floor, theme.goal, 100)),
        _ => (theme.floor, theme.floor),
    }
}

/// The escape sequence for these colours of characters and ground.
fn escape((front, back): (Rgb, Rgb), kind: Colour) -> String {
    let name = |[red, green, blue]: Rgb| match kind {
        Colour::Ansi256 => format!("5;{}", nearest([red, green, blue])),
        _ => format!("2;{red};{green};{blue}"),
    };
    format!("\x1b[38;{};48;{}m", name(front), name(back))
}

/// The red, green and blue of xterm's colour `number`, 16 to 255: a cube of six steps each,
/// then 24 greys. The first sixteen are left to the user's taste by most terminals.
fn xterm(number: u8) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    if number >= 232 {
        return [(number - 232) * 10 + 8; 3];
    }
    let number = usize::from(number - 16);
    [STEPS[number / 36], STEPS[number / 6 % 6], STEPS[number % 6]]
}

/// The number of xterm's colour nearest to `colour`; of several the first.
fn nearest(colour: Rgb) -> u8 {
    let distance = |number: u8| -> u32 {
        xterm(number)
            .iter()
            .zip(colour)
            .map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    (16..=255)
        .min_by_key(|&number| distance(number))
        .unwrap_or(16)
}

#[cfg(test)]
mod tests {
    use super::{nearest, xterm};

    /// Corners of the cube and ends of the grey ramp, from xterm's own `256colres.h`.
    #[test]
    fn xterm_colours_are_where_xterm_has_them() {
        let rows = [
            (16, [0x00, 0x00, 0x00]),
            (21, [0x00, 0x00, 0xff]),
            (46, [0x00, 0xff, 0x00]),
            (67, [0x5f, 0x87, 0xaf]),
            (196, [0xff, 0x00, 0x00]),
            (231, [0xff, 0xff, 0xff]),
            (232, [0x08, 0x08, 0x08]),
            (255, [0xee, 0xee, 0xee]),
        ];
        for (number, colour) in rows {
            assert_eq!(xterm(number), colour);
            assert_eq!(nearest(colour), number);
        }
    }
}
