//! What the game itself wrote about the play, in whatever dialect.
//!
//! Games agree on nothing but that there is a log with a row a step and a result in JSON. The
//! reader therefore looks at values before names: a column is the one of directions because
//! its cells are directions. It accepts
//!
//! * logs separated by commas, semicolons, tabs, bars or blanks, with or without header, any
//!   names and order of columns, quotes, byte order mark, either end of line; JSON lines; a
//!   JSON array;
//! * directions as letters, words, key names, arrows; and any other four tokens, such as the
//!   numbers 0 to 3, whose meaning the known answer settles;
//! * failing those, the one direction that a row spells out in a sentence, or the places of
//!   the player from row to row;
//! * results flat or nested, with the usual synonyms, and a history as text or list.
//!
//! Nothing here fails or panics, whatever the bytes: a hostile file is a log without steps.

mod log;
mod result;
mod table;
mod word;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use puzzleyard_core::{Cell, Direction};
use puzzleyard_sokoban::model::Answer;

pub use self::log::read_log;
pub use self::result::read_result;

/// The most bytes of a game's file that are read.
pub const MOST_BYTES: u64 = 16 << 20;

/// What a row of a game's log says happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A step.
    Step(Direction),
    /// The last step was taken back.
    Undo,
    /// The level began anew.
    Restart,
    /// Something else, or something that cannot be understood.
    Other,
}

/// One complete row of a game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What happened.
    pub act: Act,
    /// Where the player stands, as written: `row` is the number called `y` or row, `col` the
    /// one called `x` or column. Where the game begins to count is not known here.
    pub player: Option<Cell>,
    /// Boxes on goals, if a column says so.
    pub boxes_on_goal: Option<u64>,
    /// Whether a box was pushed, if a column says so.
    pub pushed: Option<bool>,
}

/// A game's log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLog {
    /// The complete rows, without the header.
    pub rows: Vec<Row>,
    /// The dialect in words, for people.
    pub dialect: String,
}

impl GameLog {
    /// The steps that stand at the end: undone ones are gone, a restart clears all.
    pub fn ways(&self) -> Vec<Direction> {
        let mut ways = Vec::new();
        for row in &self.rows {
            match row.act {
                Act::Step(way) => ways.push(way),
                Act::Undo => {
                    ways.pop();
                }
                Act::Restart => ways.clear(),
                Act::Other => {}
            }
        }
        ways
    }
}

/// A game's result file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Whether the game says that the level is solved.
    pub solved: Option<bool>,
    /// Boxes on goals.
    pub boxes_on_goal: Option<u64>,
    /// Goals.
    pub total_goals: Option<u64>,
    /// Steps.
    pub moves: Option<u64>,
    /// Pushes.
    pub pushes: Option<u64>,
    /// The steps.
    pub history: Option<Vec<Direction>>,
}

/// Follows the files that a game writes while it runs. They may appear late, be rewritten,
/// or come only at the end.
#[derive(Clone, Debug)]
pub struct Witness {
    log: Option<PathBuf>,
    result: Option<PathBuf>,
    expected: Answer,
    seen: Option<(u64, Option<SystemTime>, bool)>,
    latest: GameLog,
}

impl Witness {
    /// Follows these files, which need not exist yet, of a play of `expected`.
    pub fn new(log: Option<PathBuf>, result: Option<PathBuf>, expected: &Answer) -> Self {
        Self {
            log,
            result,
            expected: expected.clone(),
            seen: None,
            latest: GameLog::default(),
        }
    }

    /// The log as it is now. An absent file is an empty log. `closed` says that the game has
    /// ended, so that a last line without end counts.
    pub fn log(&mut self, closed: bool) -> &GameLog {
        let state = self.log.as_deref().and_then(|path| {
            let meta = std::fs::metadata(path).ok()?;
            Some((meta.len(), meta.modified().ok(), closed))
        });
        if state != self.seen {
            self.seen = state;
            self.latest = match self.log_bytes() {
                Some(bytes) => read_log(&bytes, closed, &self.expected),
                None => GameLog::default(),
            };
        }
        &self.latest
    }

    /// The log's bytes as they are now, or `None` if there is no log.
    pub fn log_bytes(&self) -> Option<Vec<u8>> {
        read_some(self.log.as_deref()?)
    }

    /// The result's bytes as they are now, or `None` if there is none.
    pub fn result_bytes(&self) -> Option<Vec<u8>> {
        read_some(self.result.as_deref()?)
    }

    /// The result as it is now, or `None` while there is none that can be read.
    pub fn result(&self) -> Option<GameResult> {
        read_result(&self.result_bytes()?, &self.expected).ok()
    }

    /// What was played.
    pub fn expected(&self) -> &Answer {
        &self.expected
    }
}

/// At most [`MOST_BYTES`] of a regular file; a longer file counts as absent.
fn read_some(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use puzzleyard_core::Direction::{Left, Right};
    use puzzleyard_sokoban::model::{Answer, Step};

    use super::Witness;

    #[test]
    fn files_may_come_late_grow_be_rewritten_and_vanish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.csv");
        let step = |way| Step { way, push: false };
        let expected = Answer::new(vec![step(Left), step(Right)]);
        let mut witness = Witness::new(Some(path.clone()), None, &expected);
        assert!(witness.log(false).rows.is_empty());
        let rows: [(&str, bool, &[_]); 5] = [
            ("step,dir\n1,L", false, &[]),
            ("step,dir\n1,L\n", false, &[Left]),
            ("step,dir\n1,L\n2,R", false, &[Left]),
            ("step,dir\n1,L\n2,R", true, &[Left, Right]),
            ("", false, &[]),
        ];
        for (text, closed, ways) in rows {
            fs::write(&path, text).unwrap();
            assert_eq!(witness.log(closed).ways(), ways, "{text:?}");
        }
        fs::remove_file(&path).unwrap();
        assert!(witness.log(true).rows.is_empty());
        assert_eq!(witness.result(), None);
    }
}
