//! The look of one square: its bitmap, drawn once for each cell size and kept.
//!
//! Light comes from the top left. Measures are hundredths of a cell, rounded to pixels; round
//! shapes are sampled four by four a pixel, in integers, and their edges keep three shades
//! between the two sides, so that a window stays below 256 colours.

use crate::Theme;
use crate::colour::{BLACK, Rgb, WHITE, mix, shift};
use crate::grain;

/// What lies on the floor of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Nothing,
    Goal,
    Player,
    PlayerOnGoal,
    Box,
    BoxOnGoal,
}

/// What decides the look of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tile {
    /// A wall; which of its four sides (up, down, left, right) border on something else.
    Wall([bool; 4]),
    /// Floor; whether walls stand above it, left of it, and above left.
    Floor(Content, [bool; 3]),
}

/// How many slightly different grains a tile comes in.
pub(crate) const GRAINS: usize = 4;
/// How many different tiles there are, grains counted.
pub(crate) const TILES: usize = (16 + 6 * 8) * GRAINS;

fn bits(flags: &[bool]) -> usize {
    flags
        .iter()
        .fold(0, |number, &flag| number * 2 + usize::from(flag))
}

impl Tile {
    /// A number below [`TILES`], different for different tiles and grains.
    pub(crate) fn index(self, grain: usize) -> usize {
        let look = match self {
            Self::Wall(open) => bits(&open),
            Self::Floor(content, shade) => 16 + content as usize * 8 + bits(&shade),
        };
        look * GRAINS + grain % GRAINS
    }

    /// The tile's bytes: `cell` rows of `cell` pixels.
    pub(crate) fn bitmap(self, cell: u32, theme: &Theme, grain: usize) -> Box<[u8]> {
        let mut canvas = Canvas::new(cell);
        match self {
            Self::Wall(open) => wall(&mut canvas, theme, open),
            Self::Floor(content, shade) => {
                floor(&mut canvas, theme, shade);
                match content {
                    Content::Nothing => {}
                    Content::Goal => goal(&mut canvas, theme),
                    Content::Player => player(&mut canvas, theme),
                    Content::PlayerOnGoal => {
                        ring(&mut canvas, theme);
                        player(&mut canvas, theme);
                    }
                    Content::Box => crate_box(&mut canvas, theme.crate_box),
                    Content::BoxOnGoal => {
                        crate_box(&mut canvas, theme.box_on_goal);
                        stud(&mut canvas, theme);
                    }
                }
            }
        }
        canvas.finish(grain)
    }
}

/// How rough a painted surface is.
#[derive(Clone, Copy)]
enum Surface {
    Smooth,
    /// Steps this large, dot by dot.
    Rough(i16),
    /// Steps this large, in streaks along the rows.
    Wood(i16),
}

/// A square being drawn.
struct Canvas {
    cell: i32,
    dots: Vec<(Rgb, Surface)>,
}

impl Canvas {
    fn new(cell: u32) -> Self {
        Self {
            cell: cell as i32,
            dots: vec![(BLACK, Surface::Smooth); (cell * cell) as usize],
        }
    }

    /// Hundredths of the cell in pixels, rounded, at least one.
    fn part(&self, hundredths: i32) -> i32 {
        ((self.cell * hundredths + 50) / 100).max(1)
    }

    fn rectangle(&mut self, [left, top, right, bottom]: [i32; 4], colour: Rgb, surface: Surface) {
        for y in top.max(0)..bottom.min(self.cell) {
            for x in left.max(0)..right.min(self.cell) {
                self.dots[(y * self.cell + x) as usize] = (colour, surface);
            }
        }
    }

    /// An ellipse. Middle and half axes are hundredths of the cell; rows from `cut`
    /// hundredths on are left out.
    fn oval(&mut self, middle: [i32; 2], axes: [i32; 2], cut: i32, colour: Rgb) {
        // Lengths are hundredths of an eighth of a pixel: samples lie at odd eighths. In a
        // cell of 128 pixels an axis is below 51,200 of them, so fourth powers fit.
        let scale = self.cell * 8;
        let [across, down] = axes.map(|axis| u64::from((axis * scale).unsigned_abs()));
        let inside = |x: i32, y: i32| {
            let right = u64::from((x * 100 - middle[0] * scale).unsigned_abs());
            let below = u64::from((y * 100 - middle[1] * scale).unsigned_abs());
            (right * down).pow(2) + (below * across).pow(2) <= (across * down).pow(2)
                && y * 100 < cut * scale
        };
        let reach = |axis: usize| {
            let near = (middle[axis] - axes[axis]) * self.cell;
            let far = (middle[axis] + axes[axis]) * self.cell;
            near.div_euclid(100).max(0)..(far / 100 + 1).min(self.cell)
        };
        for (y, x) in reach(1).flat_map(|y| reach(0).map(move |x| (y, x))) {
            let hits = (0..16)
                .filter(|at| inside(x * 8 + at % 4 * 2 + 1, y * 8 + at / 4 * 2 + 1))
                .count() as u32;
            let quarters = (hits + 2) / 4;
            if quarters > 0 {
                let dot = &mut self.dots[(y * self.cell + x) as usize];
                *dot = (mix(dot.0, colour, quarters * 64), Surface::Smooth);
            }
        }
    }

    fn finish(&self, grain: usize) -> Box<[u8]> {
        let cell = self.cell as usize;
        let (right, down) = (grain % 2 * 29, grain / 2 * 31);
        self.dots
            .iter()
            .enumerate()
            .flat_map(|(at, &(colour, surface))| {
                let (x, y) = (at % cell + right, at / cell + down);
                match surface {
                    Surface::Smooth => colour,
                    Surface::Rough(step) => shift(colour, step * grain::at(x, y)),
                    Surface::Wood(step) => shift(colour, step * grain::at(x / 5 + 7 * y, y)),
                }
            })
            .collect()
    }
}

/// Bricks in running bond. Two courses in small cells, four in others; the bond continues
/// from cell to cell.
fn wall(canvas: &mut Canvas, theme: &Theme, open: [bool; 4]) {
    let cell = canvas.cell;
    let (courses, bricks) = if cell < 20 { (2, 1) } else { (4, 2) };
    let joint = (cell / 36).max(1);
    let light = mix(theme.wall, WHITE, 22);
    for y in 0..cell {
        let course = y * courses / cell;
        let top = (course * cell + courses - 1) / courses;
        for x in 0..cell {
            let along = (x + course % 2 * cell / (2 * bricks)) % cell;
            let brick = along * bricks / cell;
            let left = (brick * cell + bricks - 1) / bricks;
            let dot = if y - top < joint || along - left < joint {
                (theme.joint, Surface::Rough(4))
            } else if (course + brick * 2) % 3 == 0 {
                (light, Surface::Rough(5))
            } else {
                (theme.wall, Surface::Rough(5))
            };
            canvas.dots[(y * cell + x) as usize] = dot;
        }
    }
    let edge = canvas.part(6);
    let (bright, dark) = (mix(theme.wall, WHITE, 110), mix(theme.joint, BLACK, 90));
    let sides = [
        ([0, 0, cell, edge], bright),
        ([0, cell - edge, cell, cell], dark),
        ([0, 0, edge, cell], bright),
        ([cell - edge, 0, cell, cell], dark),
    ];
    for ((side, colour), _) in sides.into_iter().zip(open).filter(|&(_, open)| open) {
        canvas.rectangle(side, colour, Surface::Smooth);
    }
}

fn floor(canvas: &mut Canvas, theme: &Theme, [above, left, corner]: [bool; 3]) {
    let cell = canvas.cell;
    canvas.rectangle([0, 0, cell, cell], theme.floor, Surface::Rough(4));
    let line = mix(theme.floor, BLACK, 20);
    canvas.rectangle([0, cell - 1, cell, cell], line, Surface::Smooth);
    canvas.rectangle([cell - 1, 0, cell, cell], line, Surface::Smooth);
    let (shade, depth) = (mix(theme.floor, BLACK, 60), canvas.part(11));
    if above {
        canvas.rectangle([0, 0, cell, depth], shade, Surface::Rough(4));
    }
    if left {
        canvas.rectangle([0, 0, depth, cell], shade, Surface::Rough(4));
    }
    if corner {
        canvas.rectangle([0, 0, depth, depth], shade, Surface::Rough(4));
    }
}

fn goal(canvas: &mut Canvas, theme: &Theme) {
    canvas.oval([50, 50], [31, 31], 100, mix(theme.goal, BLACK, 80));
    canvas.oval([50, 50], [26, 26], 100, theme.goal);
    if canvas.cell >= 24 {
        canvas.oval([41, 41], [6, 6], 100, mix(theme.goal, WHITE, 120));
    }
}

/// What is seen of a goal around the player.
fn ring(canvas: &mut Canvas, theme: &Theme) {
    canvas.oval([50, 50], [46, 46], 100, theme.goal);
    canvas.oval([50, 50], [38, 38], 100, mix(theme.floor, theme.goal, 60));
}

/// A figure seen from the front: cap, face, shoulders.
fn player(canvas: &mut Canvas, theme: &Theme) {
    let dark = mix(theme.player, BLACK, 120);
    canvas.oval([50, 90], [33, 40], 90, dark);
    canvas.oval([50, 90], [28, 35], 86, theme.player);
    canvas.oval([50, 35], [21, 22], 100, dark);
    canvas.oval([50, 35], [17, 18], 100, theme.skin);
    canvas.oval([50, 32], [21, 20], 31, theme.player);
    if canvas.cell >= 24 {
        for x in [43, 57] {
            canvas.oval([x, 39], [3, 4], 100, dark);
        }
    }
}

/// A crate: a frame, planks inside, a brace across.
fn crate_box(canvas: &mut Canvas, colour: Rgb) {
    let cell = canvas.cell;
    let inset = canvas.part(5);
    let (near, far) = (inset, cell - inset);
    // In small cells the outline is a large part of the box: it must not blacken it.
    let outline = mix(colour, BLACK, if cell < 14 { 80 } else { 140 });
    let wood = Surface::Wood(6);
    canvas.rectangle([near, near, far, far], outline, Surface::Smooth);
    let line = (cell / 24).max(1);
    let (near, far) = (near + line, far - line);
    if cell < 14 {
        canvas.rectangle([near, near, far, far], colour, wood);
        return;
    }
    canvas.rectangle([near, near, far, far], mix(colour, WHITE, 40), wood);
    let frame = canvas.part(12);
    let (inner, outer) = (near + frame, far - frame);
    canvas.rectangle([inner, inner, outer, outer], outline, Surface::Smooth);
    let (inner, outer) = (inner + line, outer - line);
    canvas.rectangle([inner, inner, outer, outer], colour, wood);
    if cell < 20 {
        return;
    }
    for seam in 1..3 {
        let y = inner + (outer - inner) * seam / 3;
        canvas.rectangle(
            [inner, y, outer, y + 1],
            mix(colour, BLACK, 70),
            Surface::Smooth,
        );
    }
    let (half, size) = (canvas.part(6), outer - inner);
    for y in 0..size {
        for x in 0..size {
            let off = (x + y + 1 - size).abs();
            if off <= half + line {
                let (colour, surface) = if off <= half {
                    (mix(colour, WHITE, 40), wood)
                } else {
                    (outline, Surface::Smooth)
                };
                canvas.dots[((inner + y) * cell + inner + x) as usize] = (colour, surface);
            }
        }
    }
}

/// A small goal mark on a box that stands on one, where there is room for it.
fn stud(canvas: &mut Canvas, theme: &Theme) {
    if canvas.cell < 12 {
        return;
    }
    canvas.oval([50, 50], [15, 15], 100, mix(theme.goal, BLACK, 110));
    canvas.oval([50, 50], [11, 11], 100, theme.goal);
}
