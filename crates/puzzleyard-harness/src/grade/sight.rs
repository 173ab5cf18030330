//! Whether pictures show the states that they are said to show.
//!
//! Pictures of this project's own game are drawn again from the replayed states and must be
//! equal, but for [`MOST_UNEQUAL`] of the pixels of any one square and of those around the
//! board: a small change of the drawing between two versions must not void old bundles.
//!
//! Of a foreign game only this is assumed: each square of the board is a square of pixels, all
//! of one size, and what is shown in it depends on what stands on it. So there must be a grid
//! (square size and top left corner) such that between each picture and the next
//!
//! * squares whose content differs have changed, and
//! * the others have not, but for the player's (it may turn) and for squares that are restless
//!   throughout (a score drawn over the board): at most [`MOST_RESTLESS`] of them;
//! * in the final picture a rectangle may be covered by a banner, and all may be dimmed.
//!
//! In the first picture walls, floor and boxes must moreover be told apart by their mean
//! colours. Swapped or reused pictures, and pictures of another level, have no such grid.

use puzzleyard_core::Cell;
use puzzleyard_render::{Picture, Status, Theme, board_origin, draw_window, window_size};
use puzzleyard_sokoban::rules::{Level, State};

/// A sample that differs by no more than this counts as equal.
const TOLERANCE: u8 = 16;
/// Of a square whose content differs, at least this share of pixels must have changed.
const LEAST_CHANGED: f64 = 0.02;
/// Of a square whose content is the same, at most this share may have.
const MOST_CHANGED: f64 = 0.01;
/// The share of squares that may change all the time.
const MOST_RESTLESS: f64 = 0.15;
/// The board fills at least this share of the picture's width or height.
const LEAST_BOARD: f64 = 0.2;
/// In a banner's rectangle at least this share of the squares is covered.
const BANNER_FILL: f64 = 0.85;
/// A banner leaves at least this share of the board as it was.
const LEAST_UNCOVERED: f64 = 0.4;
/// Walls, floor and boxes are told apart at least this well.
const LEAST_APART: f64 = 0.8;

/// Of a square of a redrawn picture, and of all that is not the board, at most this share of
/// pixels may be unequal. A box or player that stands elsewhere changes far more.
const MOST_UNEQUAL: f64 = 0.04;

/// A picture and the state that it should show.
pub(super) struct Shot<'a> {
    pub(super) name: &'a str,
    pub(super) picture: &'a Picture,
    pub(super) state: &'a State,
    pub(super) moves: usize,
    pub(super) pushes: usize,
}

/// Compares with our own drawing. `None` if no square size gives pictures of this size.
pub(super) fn own(
    level: &Level,
    title: &str,
    shots: &[Shot<'_>],
) -> Option<Result<String, String>> {
    let first = shots.first()?;
    let size = (first.picture.width(), first.picture.height());
    let cells: Vec<u32> = (4..=128)
        .filter(|&cell| window_size(level.area(), cell) == size)
        .collect();
    let redraw = |shot: &Shot<'_>, cell: u32| {
        let status = Status {
            title,
            moves: shot.moves,
            pushes: shot.pushes,
            on_goal: level.boxes_on_goals(shot.state),
            goals: level.boxes_needed(),
            solved: level.is_solved(shot.state),
            note: "",
        };
        draw_window(level, shot.state, &status, cell, &Theme::classic())
    };
    // The right size is the one that disagrees least with the first picture.
    let cell = cells
        .into_iter()
        .min_by_key(|&cell| unequal(&redraw(first, cell), first.picture))?;
    let mut most = 0;
    for shot in shots {
        let drawn = redraw(shot, cell);
        most = most.max(unequal(&drawn, shot.picture));
        if let Some(place) = differs_at(level, cell, &drawn, shot.picture) {
            return Some(Err(format!(
                "{} is not what the game shows after {} steps: {place} differs",
                shot.name, shot.moves
            )));
        }
    }
    Some(Ok(format!(
        "all {} pictures are those drawn again from the replay, {cell} pixels a square; at most \
         {most} pixels differ",
        shots.len()
    )))
}

/// Whether one of the pictures is our own drawing.
pub(super) fn any_is_own(level: &Level, title: &str, shots: &[Shot<'_>]) -> bool {
    shots
        .iter()
        .any(|shot| matches!(own(level, title, std::slice::from_ref(shot)), Some(Ok(_))))
}

/// Where a picture is not the one drawn again.
fn differs_at(level: &Level, cell: u32, drawn: &Picture, seen: &Picture) -> Option<String> {
    if (drawn.width(), drawn.height()) != (seen.width(), seen.height()) {
        return Some("the size".into());
    }
    let area = level.area();
    let (left, top) = board_origin(area, cell);
    let mut counts = vec![0u32; area.len()];
    let mut around = 0u32;
    for y in 0..seen.height() {
        for x in 0..seen.width() {
            if drawn.pixel(x, y) == seen.pixel(x, y) {
                continue;
            }
            let place = x
                .checked_sub(left)
                .zip(y.checked_sub(top))
                .map(|(x, y)| Cell::new((y / cell) as u16, (x / cell) as u16));
            match place {
                Some(place) if area.contains(place) => counts[area.index(place)] += 1,
                _ => around += 1,
            }
        }
    }
    let board = area.len() as u32 * cell * cell;
    let outside = (seen.width() * seen.height()).saturating_sub(board);
    if f64::from(around) > MOST_UNEQUAL * f64::from(outside) {
        return Some("what is around the board".into());
    }
    let most = MOST_UNEQUAL * f64::from(cell * cell);
    area.cells()
        .find(|&place| f64::from(counts[area.index(place)]) > most)
        .map(|place| place.to_string())
}

fn unequal(one: &Picture, two: &Picture) -> usize {
    if (one.width(), one.height()) != (two.width(), two.height()) {
        return usize::MAX;
    }
    one.rgb()
        .chunks_exact(3)
        .zip(two.rgb().chunks_exact(3))
        .filter(|(a, b)| a != b)
        .count()
}

/// Looks for the grid of a foreign game. Pictures must be of one size.
pub(super) fn foreign(level: &Level, shots: &[Shot<'_>]) -> Result<String, String> {
    let thin = thinning(shots[0].picture);
    let pictures: Vec<Picture> = shots
        .iter()
        .map(|shot| thinned(shot.picture, thin))
        .collect();
    let last = shots.len() - 1;
    let pairs: Vec<Pair> = (1..shots.len())
        .map(|at| {
            let is_final = at == last && level.is_solved(shots[at].state);
            Pair::new(level, shots, &pictures, at, is_final)
        })
        .collect();
    let search = Search {
        level,
        pairs: &pairs,
        first: &pictures[0],
        start: shots[0].state,
        edges: Edges::of(&pictures[0]),
    };
    let best = search.best().ok_or(
        "the pictures do not change where the replay changes, on no grid of squares that fits",
    )?;
    let grid = best.grid;
    let mut faults = best.faults;
    if let Some(pair) = pairs.last()
        && pair.is_final
        && !pair.is_banner(&pair.intruders(grid), level.area().len())
    {
        faults.push(last - 1);
    }
    if let Some(&at) = faults.first() {
        return Err(format!(
            "from {} to {} the pictures do not change where the replay changes, on the best grid \
             of {} pixels a square at column {}, row {}",
            shots[at].name,
            shots[at + 1].name,
            grid.cell * thin,
            grid.left * thin,
            grid.top * thin
        ));
    }
    let apart = separation(level, shots[0].state, &pictures[0], grid);
    if apart < LEAST_APART {
        return Err(format!(
            "{} does not show this board: walls, floor and boxes look alike ({:.0}% told apart)",
            shots[0].name,
            apart * 100.0
        ));
    }
    Ok(format!(
        "{} pictures change where the replay changes, on a grid of {} pixels a square at column \
         {}, row {}; walls, floor and boxes are told apart ({:.0}%)",
        shots.len(),
        grid.cell * thin,
        grid.left * thin,
        grid.top * thin,
        apart * 100.0
    ))
}

/// A grid of squares on a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    cell: u32,
    left: u32,
    top: u32,
}

impl Grid {
    /// The inner part of a square: left, top, right, bottom. What is drawn a little over the
    /// edges does not matter then, nor does a grid that is slightly off.
    fn inner(self, cell: Cell) -> (u32, u32, u32, u32) {
        let margin = self.cell * 3 / 20;
        let left = self.left + u32::from(cell.col) * self.cell;
        let top = self.top + u32::from(cell.row) * self.cell;
        (
            left + margin,
            top + margin,
            left + self.cell - margin,
            top + self.cell - margin,
        )
    }
}

/// Large pictures are looked at by every second, third … pixel.
fn thinning(picture: &Picture) -> u32 {
    const MOST: u64 = 600_000;
    let pixels = u64::from(picture.width()) * u64::from(picture.height());
    (1..=64).find(|by| pixels / (by * by) <= MOST).unwrap_or(64) as u32
}

fn thinned(picture: &Picture, by: u32) -> Picture {
    if by == 1 {
        return picture.clone();
    }
    let (width, height) = (picture.width() / by, picture.height() / by);
    let mut thin = Picture::filled(width, height, [0; 3]);
    for y in 0..height {
        for x in 0..width {
            thin.set(x, y, picture.pixel(x * by, y * by).unwrap_or_default());
        }
    }
    thin
}

/// Two pictures that follow each other.
struct Pair {
    /// Sums of changed pixels above and to the left, `(width + 1) * (height + 1)` of them.
    sums: Vec<u32>,
    stride: usize,
    /// Squares whose content differs.
    differing: Vec<Cell>,
    /// Squares whose content is the same, without the player's.
    same: Vec<Cell>,
    is_final: bool,
}

impl Pair {
    fn new(
        level: &Level,
        shots: &[Shot<'_>],
        pictures: &[Picture],
        at: usize,
        is_final: bool,
    ) -> Self {
        let (before, after) = (shots[at - 1].state, shots[at].state);
        let mut differing = Vec::new();
        let mut same = Vec::new();
        for cell in level.area().cells() {
            if level.square(before, cell) != level.square(after, cell) {
                differing.push(cell);
            } else if before.player != cell {
                same.push(cell);
            }
        }
        let earlier = if is_final {
            dimmed_like(&pictures[at - 1], &pictures[at])
        } else {
            pictures[at - 1].clone()
        };
        let (width, height) = (earlier.width() as usize, earlier.height() as usize);
        let stride = width + 1;
        let mut sums = vec![0u32; stride * (height + 1)];
        let changed = earlier
            .rgb()
            .chunks_exact(3)
            .zip(pictures[at].rgb().chunks_exact(3))
            .map(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE));
        for (nth, is_changed) in changed.enumerate() {
            let (x, y) = (nth % width + 1, nth / width + 1);
            sums[y * stride + x] =
                u32::from(is_changed) + sums[y * stride + x - 1] + sums[(y - 1) * stride + x]
                    - sums[(y - 1) * stride + x - 1];
        }
        Self {
            sums,
            stride,
            differing,
            same,
            is_final,
        }
    }

    /// The share of pixels in the inner part of a square that have changed.
    fn share(&self, grid: Grid, cell: Cell) -> f64 {
        let (left, top, right, bottom) = grid.inner(cell);
        let count = self.changed(left, top, right, bottom);
        count as f64 / f64::from((right - left) * (bottom - top)).max(1.0)
    }

    /// How many pixels of a rectangle have changed.
    fn changed(&self, left: u32, top: u32, right: u32, bottom: u32) -> i64 {
        let sum = |x: u32, y: u32| i64::from(self.sums[y as usize * self.stride + x as usize]);
        sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)
    }

    fn has_changed_where_it_must(&self, grid: Grid) -> bool {
        self.differing
            .iter()
            .all(|&cell| self.share(grid, cell) >= LEAST_CHANGED)
    }

    fn intruders(&self, grid: Grid) -> Vec<Cell> {
        self.same
            .iter()
            .copied()
            .filter(|&cell| self.share(grid, cell) > MOST_CHANGED)
            .collect()
    }

    /// Whether changes of squares that should not change are those of a banner.
    fn is_banner(&self, intruders: &[Cell], cells: usize) -> bool {
        let rows = intruders.iter().map(|cell| cell.row);
        let cols = intruders.iter().map(|cell| cell.col);
        let (Some(top), Some(bottom)) = (rows.clone().min(), rows.max()) else {
            return true;
        };
        let (Some(left), Some(right)) = (cols.clone().min(), cols.max()) else {
            return true;
        };
        let is_within =
            |cell: &&Cell| (top..=bottom).contains(&cell.row) && (left..=right).contains(&cell.col);
        let alike = self.same.len() - intruders.len();
        let alike_within = self.same.iter().filter(is_within).count() - intruders.len();
        let all_within = usize::from(bottom - top + 1) * usize::from(right - left + 1);
        alike as f64 >= LEAST_UNCOVERED * cells as f64
            && alike_within as f64 <= (1.0 - BANNER_FILL) * all_within as f64
    }
}

/// `earlier` dimmed as `later` is: each channel scaled and shifted in the way that explains the
/// most pixels. Unchanged unless that explains more of `later`.
fn dimmed_like(earlier: &Picture, later: &Picture) -> Picture {
    const GAIN: f64 = 0.1;
    let count = earlier.rgb().len().max(1) as f64;
    let explained = |samples: &[u8]| {
        let equal = samples
            .iter()
            .zip(later.rgb())
            .filter(|(a, b)| a.abs_diff(**b) <= TOLERANCE)
            .count();
        equal as f64 / count
    };
    let mut dimmed = earlier.rgb().to_vec();
    for channel in 0..3 {
        let samples = |picture: &Picture| -> Vec<u8> {
            picture
                .rgb()
                .iter()
                .copied()
                .skip(channel)
                .step_by(3)
                .collect()
        };
        let (slope, shift) = dimming(&samples(earlier), &samples(later));
        for value in dimmed.iter_mut().skip(channel).step_by(3) {
            *value = (f64::from(*value) * slope + shift)
                .round()
                .clamp(0.0, 255.0) as u8;
        }
    }
    if explained(&dimmed) < explained(earlier.rgb()) + GAIN {
        return earlier.clone();
    }
    Picture::from_rgb(earlier.width(), earlier.height(), dimmed).unwrap_or_else(|| earlier.clone())
}

/// The slope and shift that take the most samples to near their successors. A banner, or a bar
/// that changes its colour, is outvoted.
fn dimming(earlier: &[u8], later: &[u8]) -> (f64, f64) {
    let mut seen = vec![[0u32; 256]; 256];
    for (a, b) in earlier.iter().zip(later) {
        seen[usize::from(*a)][usize::from(*b)] += 1;
    }
    // Each value with its commonest successor, and how often that follows.
    let points: Vec<(f64, f64, f64)> = seen
        .iter()
        .enumerate()
        .filter_map(|(value, after)| {
            let (common, most) = after.iter().enumerate().max_by_key(|(_, count)| **count)?;
            (*most > 0).then_some((value as f64, common as f64, f64::from(*most)))
        })
        .collect();
    let mut best = (0.0, 1.0, 0.0);
    for slope in (10..=60).map(|nth| f64::from(nth) / 50.0) {
        for &(x, y, _) in &points {
            let shift = y - slope * x;
            let weight: f64 = points
                .iter()
                .filter(|(x, y, _)| (slope * x + shift - y).abs() <= f64::from(TOLERANCE) / 4.0)
                .map(|(.., weight)| weight)
                .sum();
            if weight > best.0 {
                best = (weight, slope, shift);
            }
        }
    }
    (best.1, best.2)
}

/// How strongly the first picture changes from each column, and each row, of pixels to the
/// next, scaled to at most 1. Boards have edges on the lines of their grid.
struct Edges {
    cols: Vec<f64>,
    rows: Vec<f64>,
}

impl Edges {
    fn of(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let mut edges = Self {
            cols: vec![0.0; width as usize + 1],
            rows: vec![0.0; height as usize + 1],
        };
        let differ = |a: Option<[u8; 3]>, b: Option<[u8; 3]>| {
            let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
            a.iter().zip(&b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE)
        };
        for y in 1..height {
            for x in 1..width {
                let here = picture.pixel(x, y);
                edges.cols[x as usize] +=
                    f64::from(u8::from(differ(here, picture.pixel(x - 1, y))));
                edges.rows[y as usize] +=
                    f64::from(u8::from(differ(here, picture.pixel(x, y - 1))));
            }
        }
        for profile in [&mut edges.cols, &mut edges.rows] {
            let most = profile.iter().copied().fold(1.0, f64::max);
            for value in profile.iter_mut() {
                *value /= most;
            }
        }
        edges
    }

    /// The mean over the grid's inner lines, each at most `slack` pixels off.
    fn along(&self, grid: Grid, rows: u32, cols: u32, slack: u32) -> f64 {
        let peak = |profile: &[f64], at: u32| {
            let from = at.saturating_sub(slack) as usize;
            let to = ((at + slack) as usize + 1).min(profile.len());
            profile[from.min(to)..to]
                .iter()
                .copied()
                .fold(0.0, f64::max)
        };
        let sum: f64 = (1..cols)
            .map(|col| peak(&self.cols, grid.left + col * grid.cell))
            .chain((1..rows).map(|row| peak(&self.rows, grid.top + row * grid.cell)))
            .sum();
        sum / f64::from((cols + rows).saturating_sub(2).max(1))
    }
}

/// A grid that has been looked at.
struct Candidate {
    grid: Grid,
    /// Pairs, without the final one's banner, that fail on it.
    faults: Vec<usize>,
    score: f64,
}

impl Candidate {
    fn is_better(&self, other: &Self) -> bool {
        (self.faults.len(), -self.score) < (other.faults.len(), -other.score)
    }
}

/// The search for the grid: first in steps of a twelfth of a square, then pixel by pixel around
/// the best.
struct Search<'a> {
    level: &'a Level,
    pairs: &'a [Pair],
    first: &'a Picture,
    start: &'a State,
    edges: Edges,
}

impl Search<'_> {
    fn best(&self) -> Option<Candidate> {
        const KEPT: usize = 24;
        let (rows, cols) = self.size();
        let (width, height) = (self.first.width(), self.first.height());
        let largest = (width / cols.max(1)).min(height / rows.max(1)).min(256);
        let mut kept: Vec<Candidate> = Vec::new();
        for cell in (4..=largest).rev() {
            let fill = (f64::from(cell * cols) / f64::from(width))
                .max(f64::from(cell * rows) / f64::from(height));
            if fill < LEAST_BOARD {
                break;
            }
            let stride = (cell / 12).max(1);
            for top in (0..=height - rows * cell).step_by(stride as usize) {
                for left in (0..=width - cols * cell).step_by(stride as usize) {
                    let grid = Grid { cell, left, top };
                    let worst = kept.get(KEPT - 1);
                    // On the right grid even a bundle with a few forged pictures has more good
                    // pairs than bad ones; looking at worse grids would be idle.
                    let allowed = worst.map_or(self.pairs.len() / 2, |it| it.faults.len());
                    let Some(faults) = self.faults(grid, allowed) else {
                        continue;
                    };
                    let score =
                        self.concentration(grid) + self.edges.along(grid, rows, cols, stride);
                    let candidate = Candidate {
                        grid,
                        faults,
                        score,
                    };
                    if worst.is_none_or(|worst| candidate.is_better(worst)) {
                        let at = kept.partition_point(|other| !candidate.is_better(other));
                        kept.insert(at, candidate);
                        kept.truncate(KEPT);
                    }
                }
            }
        }
        kept.iter()
            .filter_map(|coarse| self.refined(coarse))
            .reduce(|one, two| if two.is_better(&one) { two } else { one })
    }

    fn size(&self) -> (u32, u32) {
        let area = self.level.area();
        (u32::from(area.height()), u32::from(area.width()))
    }

    /// The best grid near a coarse one, judged by the first picture's squares too.
    fn refined(&self, coarse: &Candidate) -> Option<Candidate> {
        let (rows, cols) = self.size();
        let near = (coarse.grid.cell / 12).max(1);
        let around = |value: u32, by: u32| value.saturating_sub(by)..=value + by;
        let mut best: Option<Candidate> = None;
        for cell in around(coarse.grid.cell, 1) {
            for top in around(coarse.grid.top, near) {
                for left in around(coarse.grid.left, near) {
                    let is_outside = left + cols * cell > self.first.width()
                        || top + rows * cell > self.first.height();
                    if is_outside || cell < 4 {
                        continue;
                    }
                    let grid = Grid { cell, left, top };
                    let allowed = best.as_ref().map_or(self.pairs.len(), |it| it.faults.len());
                    let Some(faults) = self.faults(grid, allowed) else {
                        continue;
                    };
                    let score = self.concentration(grid) + self.edges.along(grid, rows, cols, 0);
                    let candidate = Candidate {
                        grid,
                        faults,
                        score,
                    };
                    if best.as_ref().is_none_or(|best| candidate.is_better(best)) {
                        best = Some(candidate);
                    }
                }
            }
        }
        best.map(|mut best| {
            best.score += separation(self.level, self.start, self.first, best.grid);
            best
        })
    }

    /// The pairs that fail on `grid`, or `None` if they are more than `allowed`. What a banner
    /// covers in the final picture is not judged here.
    fn faults(&self, grid: Grid, allowed: usize) -> Option<Vec<usize>> {
        let mut faults = Vec::new();
        for (at, pair) in self.pairs.iter().enumerate() {
            if !pair.has_changed_where_it_must(grid) {
                faults.push(at);
                if faults.len() > allowed {
                    return None;
                }
            }
        }
        let area = self.level.area();
        let mut counts = vec![0usize; area.len()];
        let intruders: Vec<Vec<Cell>> = self
            .pairs
            .iter()
            .map(|pair| {
                if pair.is_final {
                    Vec::new()
                } else {
                    pair.intruders(grid)
                }
            })
            .collect();
        for cell in intruders.iter().flatten() {
            counts[area.index(*cell)] += 1;
        }
        let mut is_restless: Vec<bool> = counts
            .iter()
            .map(|&count| count >= 3 && count * 2 >= self.pairs.len())
            .collect();
        let restless = is_restless.iter().filter(|&&it| it).count();
        if restless as f64 > MOST_RESTLESS * area.len() as f64 {
            is_restless.fill(false);
        }
        for (at, intruders) in intruders.iter().enumerate() {
            let is_loud = intruders.iter().any(|&cell| !is_restless[area.index(cell)]);
            if is_loud && !faults.contains(&at) {
                faults.push(at);
            }
        }
        faults.sort_unstable();
        (faults.len() <= allowed).then_some(faults)
    }

    /// Which share of what changes on the board changes within the squares that must change,
    /// over all pairs but the final one.
    fn concentration(&self, grid: Grid) -> f64 {
        let (rows, cols) = self.size();
        let (mut within, mut all) = (0, 0);
        for pair in self.pairs.iter().filter(|pair| !pair.is_final) {
            for cell in &pair.differing {
                let left = grid.left + u32::from(cell.col) * grid.cell;
                let top = grid.top + u32::from(cell.row) * grid.cell;
                within += pair.changed(left, top, left + grid.cell, top + grid.cell);
            }
            let (right, bottom) = (grid.left + cols * grid.cell, grid.top + rows * grid.cell);
            all += pair.changed(grid.left, grid.top, right, bottom);
        }
        within as f64 / (all as f64).max(1.0)
    }
}

/// How well walls, floor and boxes are told apart by mean colour: the share of squares that lie
/// nearest to the mean of their own kind, averaged over the kinds.
fn separation(level: &Level, state: &State, picture: &Picture, grid: Grid) -> f64 {
    let mut kinds: [Vec<[f64; 3]>; 3] = Default::default();
    for cell in level.area().cells() {
        let square = level.square(state, cell);
        let kind = match square.glyph() {
            '#' => 0,
            ' ' if level.inside().contains(cell) => 1,
            '$' => 2,
            _ => continue,
        };
        kinds[kind].push(mean_colour(picture, grid, cell));
    }
    let centres: Vec<Option<[f64; 3]>> = kinds.iter().map(|colours| centre(colours)).collect();
    let distance =
        |a: &[f64; 3], b: &[f64; 3]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum() };
    let mut shares = Vec::new();
    for (kind, colours) in kinds.iter().enumerate() {
        if colours.is_empty() {
            continue;
        }
        let right = colours
            .iter()
            .filter(|colour| {
                let own = centres[kind].map_or(0.0, |own| distance(colour, &own));
                centres
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != kind)
                    .filter_map(|(_, centre)| *centre)
                    .all(|other| distance(colour, &other) > own)
            })
            .count();
        shares.push(right as f64 / colours.len() as f64);
    }
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

fn centre(colours: &[[f64; 3]]) -> Option<[f64; 3]> {
    if colours.is_empty() {
        return None;
    }
    let mut sum = [0.0; 3];
    for colour in colours {
        for (sum, value) in sum.iter_mut().zip(colour) {
            *sum += value / colours.len() as f64;
        }
    }
    Some(sum)
}

fn mean_colour(picture: &Picture, grid: Grid, cell: Cell) -> [f64; 3] {
    let (left, top, right, bottom) = grid.inner(cell);
    let mut sum = [0.0; 3];
    for y in top..bottom {
        for x in left..right {
            let pixel = picture.pixel(x, y).unwrap_or_default();
            for (sum, value) in sum.iter_mut().zip(pixel) {
                *sum += f64::from(value);
            }
        }
    }
    let count = f64::from((right - left) * (bottom - top)).max(1.0);
    sum.map(|sum| sum / count)
}
