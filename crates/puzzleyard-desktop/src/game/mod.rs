//! The play of one level, without any window.
//!
//! The window and the embedded loop share this, so that what is proved on one holds for the
//! other. Every step is asked of the rules; nothing here knows what a legal step is.
//!
//! A step counts only once its row is in the log: if the log cannot be written, the step is
//! taken back and the error returned.

mod level;
mod record;

use std::path::PathBuf;
use std::time::Duration;

use puzzleyard_core::Direction;
use puzzleyard_render::{Picture, Status, Theme, draw_window};
use puzzleyard_sokoban::model::{Answer, Step};
use puzzleyard_sokoban::rules::{Blocked, Level, State};

pub use level::{LevelFileError, read_level};
pub use record::RecordError;
use record::{Log, Row};

/// A key of the game, by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKey {
    /// A step.
    Step(Direction),
    /// Takes the last step back.
    Undo,
    /// Begins anew.
    Restart,
    /// Leaves the game.
    Quit,
}

impl GameKey {
    /// The name in the log: `Up`, `Down`, `Left`, `Right`, `Undo`, `Restart` or `Quit`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step(Direction::Up) => "Up",
            Self::Step(Direction::Down) => "Down",
            Self::Step(Direction::Left) => "Left",
            Self::Step(Direction::Right) => "Right",
            Self::Undo => "Undo",
            Self::Restart => "Restart",
            Self::Quit => "Quit",
        }
    }
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The player took this step.
    Moved(Step),
    /// The step is impossible.
    Blocked(Blocked),
    /// The level is solved, so steps are not taken any more.
    Over,
    /// This step was taken back.
    Undone(Step),
    /// The level began anew.
    Restarted,
    /// There was nothing to take back.
    Nothing,
    /// The player wants to leave.
    Quit,
}

/// Where a game writes. Without a path, it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The log, a CSV file. Replaced if it exists.
    pub log: Option<PathBuf>,
    /// The result, a JSON file. Replaced when the level is solved.
    pub result: Option<PathBuf>,
}

/// The play of one level.
#[derive(Debug)]
pub struct Game {
    level: Level,
    name: String,
    state: State,
    steps: Vec<Step>,
    /// Every accepted step in capitals, `-` for an undo, `!` for a restart.
    full_history: String,
    undos: usize,
    restarts: usize,
    was_solved: bool,
    log: Option<Log>,
    result: Option<PathBuf>,
}

impl Game {
    /// Begins to play `level`, whose file is called `name`. A level that starts solved gets its
    /// result at once.
    ///
    /// # Errors
    /// The log or the result cannot be written.
    pub fn new(level: Level, name: &str, files: &Files) -> Result<Self, RecordError> {
        let mut game = Self {
            state: level.start().clone(),
            level,
            name: name.to_owned(),
            steps: Vec::new(),
            full_history: String::new(),
            undos: 0,
            restarts: 0,
            was_solved: false,
            log: files.log.as_deref().map(Log::create).transpose()?,
            result: files.result.clone(),
        };
        game.note_solution(Duration::ZERO)?;
        Ok(game)
    }

    /// Does what `key` says, `at` that time after the start. Changes that count are in the log
    /// when this returns.
    ///
    /// # Errors
    /// The log or the result cannot be written. Without a row in the log, nothing changed.
    pub fn key(&mut self, key: GameKey, at: Duration) -> Result<Effect, RecordError> {
        match key {
            GameKey::Step(way) => self.step(way, at),
            GameKey::Undo => self.undo(at),
            GameKey::Restart => self.restart(at),
            GameKey::Quit => Ok(Effect::Quit),
        }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Where the player and the boxes stand now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The steps that stand: undone ones are gone, a restart clears all.
    pub fn history(&self) -> Answer {
        Answer::new(self.steps.clone())
    }

    /// Whether the level is solved now.
    pub fn is_solved(&self) -> bool {
        self.level.is_solved(&self.state)
    }

    /// Whether the level has been solved at least once.
    pub fn was_solved(&self) -> bool {
        self.was_solved
    }

    /// What the status bar says: the level's file name as title, and never a note, so that
    /// level, history and cell size determine the picture.
    pub fn status(&self) -> Status<'_> {
        Status {
            title: &self.name,
            moves: self.steps.len(),
            pushes: self.pushes(),
            on_goal: self.level.boxes_on_goals(&self.state),
            goals: self.level.boxes_needed(),
            solved: self.is_solved(),
            note: "",
        }
    }

    /// What a window shows, `cell` pixels a square.
    pub fn picture(&self, cell: u32, theme: &Theme) -> Picture {
        draw_window(&self.level, &self.state, &self.status(), cell, theme)
    }

    fn pushes(&self) -> usize {
        self.steps.iter().filter(|step| step.push).count()
    }

    fn step(&mut self, way: Direction, at: Duration) -> Result<Effect, RecordError> {
        if self.is_solved() {
            return Ok(Effect::Over);
        }
        let before = self.state.clone();
        let step = match self.level.step(&mut self.state, way) {
            Ok(step) => step,
            Err(blocked) => return Ok(Effect::Blocked(blocked)),
        };
        self.steps.push(step);
        if let Err(error) = self.note(GameKey::Step(way), Some(step), at) {
            self.state = before;
            self.steps.pop();
            return Err(error);
        }
        self.full_history.push(way.letter());
        self.note_solution(at)?;
        Ok(Effect::Moved(step))
    }

    fn undo(&mut self, at: Duration) -> Result<Effect, RecordError> {
        let Some(step) = self.steps.pop() else {
            return Ok(Effect::Nothing);
        };
        let before = self.state.clone();
        self.take_back(step);
        if let Err(error) = self.note(GameKey::Undo, Some(step), at) {
            self.state = before;
            self.steps.push(step);
            return Err(error);
        }
        self.undos += 1;
        self.full_history.push('-');
        Ok(Effect::Undone(step))
    }

    /// The inverse of an accepted step: it cannot be blocked, as its squares were just left.
    fn take_back(&mut self, step: Step) {
        let area = self.level.area();
        let here = self.state.player;
        if step.push
            && let Some(beyond) = area.neighbour(here, step.way)
        {
            self.state.boxes.remove(beyond);
            self.state.boxes.insert(here);
        }
        if let Some(back) = area.neighbour(here, step.way.opposite()) {
            self.state.player = back;
        }
    }

    fn restart(&mut self, at: Duration) -> Result<Effect, RecordError> {
        if self.steps.is_empty() {
            return Ok(Effect::Nothing);
        }
        let steps = std::mem::take(&mut self.steps);
        let before = std::mem::replace(&mut self.state, self.level.start().clone());
        if let Err(error) = self.note(GameKey::Restart, None, at) {
            self.state = before;
            self.steps = steps;
            return Err(error);
        }
        self.restarts += 1;
        self.full_history.push('!');
        Ok(Effect::Restarted)
    }

    fn note(&mut self, key: GameKey, step: Option<Step>, at: Duration) -> Result<(), RecordError> {
        let row = Row {
            key,
            step,
            player: self.state.player,
            boxes_on_goal: self.level.boxes_on_goals(&self.state),
            moves: self.steps.len(),
            pushes: self.pushes(),
            at,
        };
        self.log.as_mut().map_or(Ok(()), |log| log.write(&row))
    }

    /// Writes the result if the level is solved.
    fn note_solution(&mut self, at: Duration) -> Result<(), RecordError> {
        if !self.is_solved() {
            return Ok(());
        }
        self.was_solved = true;
        let Some(path) = &self.result else {
            return Ok(());
        };
        let history = self.history();
        let result = serde_json::json!({
            "level": self.name,
            "level_id": self.level.id().to_string(),
            "solved": true,
            "boxes_on_goal": self.level.boxes_on_goals(&self.state),
            "total_goals": self.level.boxes_needed(),
            "moves": history.moves(),
            "pushes": history.pushes(),
            "history": history.keys(),
            "lurd": history.to_string(),
            "full_history": self.full_history,
            "undos": self.undos,
            "restarts": self.restarts,
            "seconds": at.as_millis() as f64 / 1000.0,
            "program": "puzzleyard",
            "version": env!("CARGO_PKG_VERSION"),
        });
        record::write_result(path, &result)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use puzzleyard_core::Direction::{Down, Left, Right, Up};
    use puzzleyard_sokoban::format;
    use puzzleyard_sokoban::rules::{Level, Waivers};

    use super::{Effect, Files, Game, GameKey, RecordError};

    fn level(board: &str) -> Level {
        let setup = format::read(board.as_bytes()).unwrap().setups.remove(0);
        Level::from_setup(&setup, &Waivers::playing()).unwrap()
    }

    fn files(folder: &tempfile::TempDir) -> Files {
        Files {
            log: Some(folder.path().join("moves.csv")),
            result: Some(folder.path().join("result.json")),
        }
    }

    const CORRIDOR: &str = "#######\n#@ $ .#\n#     #\n#######\n";

    #[test]
    fn log_and_result_say_what_was_played() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let mut game = Game::new(level(CORRIDOR), "one.sok", &files).unwrap();
        let keys = [
            GameKey::Undo,
            GameKey::Step(Up),
            GameKey::Step(Down),
            GameKey::Restart,
            GameKey::Step(Right),
            GameKey::Step(Right),
            GameKey::Undo,
            GameKey::Step(Right),
            GameKey::Step(Right),
            GameKey::Step(Left),
        ];
        for (at, key) in keys.into_iter().enumerate() {
            game.key(key, Duration::from_millis(at as u64 * 10))
                .unwrap();
        }
        assert_eq!(
            fs::read_to_string(files.log.unwrap()).unwrap(),
            "step,event,key,dir,player_row,player_col,pushed,boxes_on_goal,moves,pushes,ms\n\
             1,move,Down,D,2,1,0,0,1,0,20\n\
             2,restart,Restart,,1,1,0,0,0,0,30\n\
             3,move,Right,R,1,2,0,0,1,0,40\n\
             4,move,Right,R,1,3,1,0,2,1,50\n\
             5,undo,Undo,R,1,2,0,0,1,0,60\n\
             6,move,Right,R,1,3,1,0,2,1,70\n\
             7,move,Right,R,1,4,1,1,3,2,80\n"
        );
        let result: serde_json::Value =
            serde_json::from_slice(&fs::read(files.result.unwrap()).unwrap()).unwrap();
        for (field, value) in [
            ("level", serde_json::json!("one.sok")),
            ("solved", true.into()),
            ("boxes_on_goal", 1.into()),
            ("total_goals", 1.into()),
            ("moves", 3.into()),
            ("pushes", 2.into()),
            ("history", "RRR".into()),
            ("lurd", "rRR".into()),
            ("full_history", "D!RR-RR".into()),
            ("undos", 1.into()),
            ("restarts", 1.into()),
            ("seconds", 0.08.into()),
        ] {
            assert_eq!(result[field], value, "{field}");
        }
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            2,
            "no temporary file is left"
        );
    }

    /// Undoing everything leads back through the same states.
    #[test]
    fn undo_is_the_inverse_of_a_step() {
        let mut game = Game::new(level(CORRIDOR), "one", &Files::default()).unwrap();
        let mut states = Vec::new();
        for way in [Right, Right, Down, Right, Up, Left, Left, Down] {
            states.push(game.state().clone());
            let effect = game.key(GameKey::Step(way), Duration::ZERO).unwrap();
            if !matches!(effect, Effect::Moved(_)) {
                states.pop();
            }
        }
        assert!(states.len() > 4);
        while let Some(state) = states.pop() {
            game.key(GameKey::Undo, Duration::ZERO).unwrap();
            assert_eq!(game.state(), &state);
        }
        assert_eq!(game.key(GameKey::Undo, Duration::ZERO), Ok(Effect::Nothing));
    }

    #[test]
    fn a_solved_start_is_written_at_once_and_over() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(&folder);
        let mut game = Game::new(level("####\n#@*#\n####\n"), "solved", &files).unwrap();
        assert!(files.result.unwrap().exists());
        assert_eq!(
            game.key(GameKey::Step(Up), Duration::ZERO),
            Ok(Effect::Over)
        );
    }

    #[test]
    fn what_cannot_be_written_is_an_error_and_no_step() {
        let folder = tempfile::tempdir().unwrap();
        let gone = Files {
            log: Some(folder.path().join("absent/moves.csv")),
            result: None,
        };
        assert!(matches!(
            Game::new(level(CORRIDOR), "one", &gone),
            Err(RecordError::Log { .. })
        ));

        let files = files(&folder);
        let mut game = Game::new(level(CORRIDOR), "one", &files).unwrap();
        fs::remove_file(files.log.unwrap()).unwrap();
        let before = game.state().clone();
        assert!(matches!(
            game.key(GameKey::Step(Right), Duration::ZERO),
            Err(RecordError::Log { .. })
        ));
        assert_eq!((game.state(), game.history().moves()), (&before, 0));

        let full = Files {
            log: Some("/dev/full".into()),
            result: None,
        };
        if fs::metadata("/dev/full").is_ok() {
            assert!(Game::new(level(CORRIDOR), "one", &full).is_err());
        }
    }
}
