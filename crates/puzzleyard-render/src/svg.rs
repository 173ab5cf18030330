//! Boards as SVG 1.1: sharp at any size, for documents.

use std::fmt::Write as _;

use puzzleyard_core::Cell;
use puzzleyard_sokoban::rules::{Level, State};

use crate::Theme;
use crate::colour::{BLACK, Rgb, WHITE, mix};

/// The board of `state` as an SVG document that shows `cell` pixels a square; a square is a
/// hundred user units wide. Nothing is drawn outside of the walls.
pub fn board(level: &Level, state: &State, cell: u32, theme: &Theme) -> String {
    let area = level.area();
    let (columns, rows) = (u64::from(area.width()), u64::from(area.height()));
    let cell = u64::from(cell);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         version=\"1.1\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n",
        columns * cell,
        rows * cell,
        columns * 100,
        rows * 100,
    );
    text.push_str(&definitions(theme));
    let walls = |place| level.walls().contains(place);
    let floor = |place| level.inside().contains(place) && !walls(place);
    strips(&mut text, level, "floor", floor);
    strips(&mut text, level, "wall", walls);
    for place in level.goals().iter() {
        let under_player = state.player == place;
        mark(&mut text, if under_player { "ring" } else { "goal" }, place);
    }
    mark(&mut text, "player", state.player);
    for place in state.boxes.iter() {
        let on_goal = level.goals().contains(place);
        mark(
            &mut text,
            if on_goal { "box-on-goal" } else { "box" },
            place,
        );
    }
    text.push_str("</svg>\n");
    text
}

/// One rectangle for each run of neighbouring cells of a row that belong to `members`.
fn strips(text: &mut String, level: &Level, name: &str, members: impl Fn(Cell) -> bool) {
    let area = level.area();
    let _ = write!(text, "<path class=\"{name}\" fill=\"url(#{name})\" d=\"");
    for row in 0..area.height() {
        let mut col = 0;
        while col < area.width() {
            let end = (col..area.width())
                .find(|&at| !members(Cell::new(row, at)))
                .unwrap_or(area.width());
            if end > col {
                let (x, y) = (u32::from(col) * 100, u32::from(row) * 100);
                let width = u32::from(end - col) * 100;
                let _ = write!(text, "M{x} {y}h{width}v100h-{width}z");
            }
            col = end + 1;
        }
    }
    text.push_str("\"/>\n");
}

fn mark(text: &mut String, name: &str, place: Cell) {
    let (x, y) = (u32::from(place.col) * 100, u32::from(place.row) * 100);
    let _ = writeln!(text, "<use xlink:href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>");
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The shapes and patterns that the board refers to by name.
fn definitions(theme: &Theme) -> String {
    let grounds = grounds(theme);
    let figures = figures(theme);
    let loose = crate_box("box", theme.crate_box, "");
    let stud = format!(
        "<circle cx=\"50\" cy=\"50\" r=\"11\" fill=\"{}\" stroke=\"none\"/>",
        hex(theme.goal)
    );
    let placed = crate_box("box-on-goal", theme.box_on_goal, &stud);
    format!("<defs>\n{grounds}{figures}{loose}{placed}</defs>\n")
}

/// The patterns of floor and wall.
fn grounds(theme: &Theme) -> String {
    let pattern = |name: &str, ground: Rgb, line: Rgb, width: u32, path: &str| {
        format!(
            "<pattern id=\"{name}\" width=\"100\" height=\"100\" \
             patternUnits=\"userSpaceOnUse\"><path fill=\"{}\" d=\"M0 0h100v100h-100z\"/>\
             <path fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" d=\"{path}\"/></pattern>\n",
            hex(ground),
            hex(line),
        )
    };
    let tile = "M0 100h100v-100";
    let bricks = "M0 1h100M0 26h100M0 51h100M0 76h100\
                  M1 0v25M51 0v25M26 25v25M76 25v25M1 50v25M51 50v25M26 75v25M76 75v25";
    let floor = pattern("floor", theme.floor, mix(theme.floor, BLACK, 40), 1, tile);
    floor + &pattern("wall", theme.wall, theme.joint, 3, bricks)
}

/// A goal, what is seen of one around the player, and the player.
fn figures(theme: &Theme) -> String {
    let goal = format!(
        "<g id=\"goal\"><circle cx=\"50\" cy=\"50\" r=\"31\" fill=\"{}\"/>\
         <circle cx=\"50\" cy=\"50\" r=\"26\" fill=\"{}\"/></g>\n",
        hex(mix(theme.goal, BLACK, 80)),
        hex(theme.goal),
    );
    let ring = format!(
        "<circle id=\"ring\" cx=\"50\" cy=\"50\" r=\"42\" fill=\"none\" stroke=\"{}\" \
         stroke-width=\"8\"/>\n",
        hex(theme.goal),
    );
    let player = format!(
        "<g id=\"player\" stroke=\"{}\" stroke-width=\"4\">\
         <path fill=\"{}\" d=\"M19 88c0 -45 62 -45 62 0z\"/>\
         <circle cx=\"50\" cy=\"35\" r=\"20\" fill=\"{}\"/>\
         <path fill=\"{}\" d=\"M30 32a20 20 0 0 1 40 0z\"/></g>\n",
        hex(mix(theme.player, BLACK, 120)),
        hex(theme.player),
        hex(theme.skin),
        hex(theme.player),
    );
    goal + &ring + &player
}

/// A crate, with `mark` on it.
fn crate_box(name: &str, colour: Rgb, mark: &str) -> String {
    let plank = hex(mix(colour, WHITE, 40));
    format!(
        "<g id=\"{name}\" stroke=\"{}\" stroke-width=\"3\">\
         <path fill=\"{plank}\" d=\"M7 7h86v86h-86z\"/>\
         <path fill=\"{}\" d=\"M20 20h60v60h-60z\"/>\
         <path fill=\"{plank}\" d=\"M20 70L70 20H80V30L30 80H20z\"/>{mark}</g>\n",
        hex(mix(colour, BLACK, 140)),
        hex(colour),
    )
}
