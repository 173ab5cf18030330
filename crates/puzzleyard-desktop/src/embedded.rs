//! The game without any display server: the same [`Game`], the same drawing, its own clock.
//!
//! Time passes only in [`Surface::wait`], so that a play is the same bytes every time. Whatever
//! is proved this way says so: the surface's kind is `embedded`.

use std::time::Duration;

use puzzleyard_harness::surface::{
    GameHost, Identity, Key, Launch, Surface, SurfaceFault, SurfaceKind,
};
use puzzleyard_render::{Picture, Theme, cell_fitting};

use crate::game::{Effect, Files, Game, GameKey, read_level};

/// The most columns and rows of pixels of a picture, unless the smallest cell needs more.
const LARGEST: (u32, u32) = (1024, 768);

/// Starts embedded games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbeddedHost {
    /// Pixels of a square, or as many as fit 1024 x 768.
    pub cell: Option<u32>,
}

impl GameHost for EmbeddedHost {
    fn kind(&self) -> SurfaceKind {
        SurfaceKind::Embedded
    }

    fn describe(&self) -> String {
        "the game loop of puzzleyard in the same process, without a display server".into()
    }

    fn is_own_game(&self) -> bool {
        true
    }

    fn start(&mut self, launch: &Launch) -> Result<Box<dyn Surface>, SurfaceFault> {
        let gone =
            |why: &dyn std::fmt::Display| SurfaceFault::Gone(format!("did not start: {why}"));
        let (level, name) = read_level(&launch.level).map_err(|error| gone(&error))?;
        let files = Files {
            log: Some(launch.log.clone()),
            result: Some(launch.result.clone()),
        };
        let cell = self
            .cell
            .unwrap_or_else(|| cell_fitting(level.area(), LARGEST.0, LARGEST.1));
        let game = Game::new(level, &name, &files).map_err(|error| gone(&error))?;
        Ok(Box::new(EmbeddedGame::new(game, &launch.title, cell)))
    }
}

/// A game that runs inside the caller's process.
#[derive(Debug)]
pub struct EmbeddedGame {
    game: Game,
    title: String,
    cell: u32,
    theme: Theme,
    now: Duration,
    /// Why it ended, once it has.
    over: Option<String>,
}

impl EmbeddedGame {
    /// Runs `game` under `title`, `cell` pixels a square.
    pub fn new(game: Game, title: &str, cell: u32) -> Self {
        Self {
            game,
            title: title.to_owned(),
            cell,
            theme: Theme::classic(),
            now: Duration::ZERO,
            over: None,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    fn running(&self) -> Result<(), SurfaceFault> {
        match &self.over {
            Some(why) => Err(SurfaceFault::Gone(why.clone())),
            None => Ok(()),
        }
    }
}

impl Surface for EmbeddedGame {
    fn identity(&mut self) -> Result<Identity, SurfaceFault> {
        self.running()?;
        let (width, height) = puzzleyard_render::window_size(self.game.level().area(), self.cell);
        let pid = std::process::id();
        Ok(Identity {
            kind: SurfaceKind::Embedded,
            id: format!("embedded-{pid}"),
            title: self.title.clone(),
            class: None,
            pid: Some(pid),
            geometry: (0, 0, width, height),
            display: "none".into(),
        })
    }

    fn press(&mut self, key: Key) -> Result<(), SurfaceFault> {
        self.running()?;
        let key = match key {
            Key::Arrow(way) => GameKey::Step(way),
            Key::Escape => GameKey::Quit,
            Key::Return | Key::Space => return Ok(()),
        };
        match self.game.key(key, self.now) {
            Ok(Effect::Quit) => {
                self.over = Some("it was quit".into());
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => {
                self.over = Some(error.to_string());
                self.running()
            }
        }
    }

    fn release(&mut self, _key: Key) -> Result<(), SurfaceFault> {
        Ok(())
    }

    fn picture(&mut self) -> Result<Picture, SurfaceFault> {
        self.running()?;
        Ok(self.game.picture(self.cell, &self.theme))
    }

    fn has_caught_up(&mut self, _patience: Duration) -> Result<Option<bool>, SurfaceFault> {
        self.running()?;
        Ok(Some(true))
    }

    fn wait(&mut self, time: Duration) -> Result<(), SurfaceFault> {
        self.running()?;
        self.now += time;
        Ok(())
    }

    fn close(&mut self, _patience: Duration) -> Result<bool, SurfaceFault> {
        if self.over.is_none() {
            self.over = Some("it was closed".into());
        }
        Ok(true)
    }
}
