//! Sudoku episodes, their transcripts and data sets.

use std::sync::{Mutex, MutexGuard, PoisonError};

use puzzleyard_env::judge;
use puzzleyard_env::sudoku::{Recorder, Settings, Transcript, examples};
use pyo3::prelude::*;

use super::puzzle::Puzzle;
use crate::error;
use crate::exchange::{self, Message, Quantity, Turns, Whole, object, value};

fn settings(use_think: bool, max_turns: Turns) -> PyResult<Settings> {
    exchange::settings(&[("use_think", use_think.into()), ("max_turns", max_turns.0)])
}

fn fifty() -> Turns {
    Turns(50.into())
}

/// One puzzle, played turn by turn.
#[pyclass(frozen, module = "puzzleyard._puzzleyard")]
pub(crate) struct SudokuEpisode(Mutex<Recorder>);

impl SudokuEpisode {
    /// A panic in a turn cannot be: what a poisoned lock holds is a recorder like any other.
    fn open(&self) -> MutexGuard<'_, Recorder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SudokuEpisode {
    #[new]
    #[pyo3(
        signature = (puzzle, *, use_think = true, max_turns = fifty()),
        text_signature = "(puzzle, *, use_think=True, max_turns=50)"
    )]
    fn new(py: Python<'_>, puzzle: Puzzle, use_think: bool, max_turns: Turns) -> PyResult<Self> {
        let settings = settings(use_think, max_turns)?;
        py.detach(|| Recorder::new(puzzle.0, settings))
            .map(|recorder| Self(Mutex::new(recorder)))
            .map_err(error::puzzle)
    }

    /// The message of the system.
    #[getter]
    fn system_prompt(&self) -> String {
        self.open().episode().system_prompt()
    }

    /// The first message of the user.
    #[getter]
    fn prompt(&self) -> String {
        self.open().episode().prompt()
    }

    /// Plays the move of an assistant's message.
    fn turn<'py>(&self, py: Python<'py>, message: Message) -> PyResult<Bound<'py, PyAny>> {
        let Message(text) = message;
        let reply = py.detach(|| self.open().turn(&text));
        object(py, &reply)
    }

    /// Where the episode stands, with its history.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = py.detach(|| self.open().episode().state());
        object(py, &state)
    }

    /// What the episode is worth, as if it ended now.
    fn score<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let score = self.open().episode().score();
        object(py, &score)
    }

    /// The record so far, for the judge.
    fn transcript<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let transcript = py.detach(|| self.open().transcript());
        object(py, &transcript)
    }

    /// The board now, 81 characters, `.` for empty.
    #[getter]
    fn board(&self) -> String {
        self.open().episode().board().to_string()
    }

    /// How many turns there are.
    #[getter]
    fn max_turns(&self) -> u32 {
        self.open().episode().max_turns()
    }

    /// Turns played.
    #[getter]
    fn turns_used(&self) -> u32 {
        self.open().episode().turns_used()
    }

    /// Whether the episode is over.
    #[getter]
    fn done(&self) -> bool {
        self.open().episode().is_done()
    }
}

/// Judges a transcript, a dict or JSON, and returns the score.
#[pyfunction]
pub(crate) fn sudoku_judge_transcript<'py>(
    py: Python<'py>,
    transcript: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let transcript: Transcript = value(transcript)?;
    let score = py.detach(|| judge::sudoku(&transcript));
    object(py, &score.map_err(|refusal| error::refused(&refusal))?)
}

/// Plays the assistant's messages from the start, has the judge recompute the result, and
/// returns the score. Messages after the end are ignored.
#[pyfunction]
#[pyo3(
    signature = (puzzle, messages, *, use_think = true, max_turns = fifty()),
    text_signature = "(puzzle, messages, *, use_think=True, max_turns=50)"
)]
pub(crate) fn sudoku_score(
    py: Python<'_>,
    puzzle: Puzzle,
    messages: Vec<Message>,
    use_think: bool,
    max_turns: Turns,
) -> PyResult<Bound<'_, PyAny>> {
    let settings = settings(use_think, max_turns)?;
    let score = py.detach(|| {
        let mut recorder = Recorder::new(puzzle.0, settings).map_err(error::puzzle)?;
        for Message(text) in messages {
            recorder.turn(&text);
        }
        judge::sudoku(&recorder.transcript()).map_err(|refusal| error::refused(&refusal))
    })?;
    object(py, &score)
}

/// Puzzles to play, with what the player sees first.
#[pyfunction]
#[pyo3(
    signature = (difficulty = "easy", count = Whole(100), seed = Whole(42), *, use_think = true, max_turns = fifty()),
    text_signature = "(difficulty='easy', count=100, seed=42, *, use_think=True, max_turns=50)"
)]
pub(crate) fn sudoku_examples<'py>(
    py: Python<'py>,
    difficulty: &str,
    count: Quantity,
    seed: Whole,
    use_think: bool,
    max_turns: Turns,
) -> PyResult<Bound<'py, PyAny>> {
    let difficulty = difficulty.parse().map_err(error::setting)?;
    let settings = settings(use_think, max_turns)?;
    let examples = py.detach(|| examples(difficulty, count.0, seed.0, &settings));
    object(py, &examples.map_err(error::setting)?)
}
