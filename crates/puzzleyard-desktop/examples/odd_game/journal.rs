//! The game's log and result, in the dialect asked for.

use std::fs::File;
use std::io::Write as _;

use crate::Failure;
use crate::board::{Board, Way};
use crate::habits::{Dialect, Habits, History};

/// What is written of a play.
#[derive(Debug)]
pub(crate) struct Journal {
    text: String,
    file: Option<File>,
}

impl Journal {
    pub(crate) fn open(habits: &Habits) -> Result<Self, Failure> {
        let mut journal = Self {
            text: String::new(),
            file: None,
        };
        if !habits.log_at_exit {
            journal.file = habits.log.as_ref().map(File::create).transpose()?;
        }
        if habits.dialect != Dialect::NoHeader {
            journal.line(
                habits,
                &[
                    "step".into(),
                    "key".into(),
                    "dir".into(),
                    "player_x".into(),
                    "player_y".into(),
                    "pushed".into(),
                    "boxes_on_goal".into(),
                ],
            )?;
        }
        Ok(journal)
    }

    pub(crate) fn note(
        &mut self,
        habits: &Habits,
        board: &Board,
        way: Way,
        pushed: bool,
    ) -> Result<(), Failure> {
        let words = habits.dialect == Dialect::Words;
        let letter = way.letter().to_string();
        let from = usize::from(words);
        self.line(
            habits,
            &[
                board.history.len().to_string(),
                format!("K_{}", way.word().to_uppercase()),
                if words { way.word().into() } else { letter },
                (board.player.0 + from).to_string(),
                (board.player.1 + from).to_string(),
                if words {
                    pushed.to_string()
                } else {
                    u8::from(pushed).to_string()
                },
                board.score().0.to_string(),
            ],
        )
    }

    fn line(&mut self, habits: &Habits, fields: &[String]) -> Result<(), Failure> {
        let between = match habits.dialect {
            Dialect::Semicolon => ";",
            Dialect::Tab => "\t",
            _ => ",",
        };
        let line = fields.join(between) + "\n";
        match &mut self.file {
            Some(file) => file.write_all(line.as_bytes())?,
            None => self.text += &line,
        }
        Ok(())
    }

    pub(crate) fn result(habits: &Habits, board: &Board) -> Result<(), Failure> {
        let Some(path) = &habits.result else {
            return Ok(());
        };
        let quoted = |words: Vec<String>| format!("[\"{}\"]", words.join("\", \""));
        let letters = || board.history.iter().map(|way| way.letter().to_string());
        let history = match habits.history {
            History::Letters => format!("\"history\": \"{}\"", letters().collect::<String>()),
            History::Lower => format!(
                "\"history\": \"{}\"",
                letters().collect::<String>().to_lowercase()
            ),
            History::List => format!("\"history\": {}", quoted(letters().collect())),
            History::Words => {
                let words = board.history.iter().map(|way| way.word().to_owned());
                format!("\"history\": {}", quoted(words.collect()))
            }
            History::Moves => format!("\"moves\": {}", quoted(letters().collect())),
        };
        let count = if habits.history == History::Moves {
            "move_count"
        } else {
            "moves"
        };
        let (on_goal, goals) = board.score();
        let text = format!(
            "{{\"solved\": {}, \"boxes_on_goal\": {on_goal}, \"total_goals\": {goals}, \
             \"{count}\": {}, \"pushes\": {}, {history}}}\n",
            board.is_solved(),
            board.history.len(),
            board.pushes,
        );
        Ok(std::fs::write(path, text)?)
    }

    /// Writes what was put off until now.
    pub(crate) fn close(&mut self, habits: &Habits, board: &Board) -> Result<(), Failure> {
        if habits.log_at_exit
            && let Some(path) = &habits.log
        {
            std::fs::write(path, &self.text)?;
        }
        if habits.result_at_exit && board.is_solved() {
            Self::result(habits, board)?;
        }
        Ok(())
    }
}
