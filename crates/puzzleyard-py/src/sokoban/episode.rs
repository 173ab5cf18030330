//! Sokoban episodes, their transcripts and data sets.

use std::sync::{Mutex, MutexGuard, PoisonError};

use puzzleyard_env::judge;
use puzzleyard_env::sokoban::{
    Difficulty, Recorder, Settings, Task, Transcript, bundled, examples,
};
use puzzleyard_sokoban::format::xsb;
use puzzleyard_sokoban::model::Setup;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::error;
use crate::exchange::{Message, Quantity, Whole, object, value};

/// A level: XSB, or a dict with `level` and `optimum`.
pub(crate) struct Given(Task);

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match any.cast::<PyDict>() {
            Ok(dict) => value(dict.as_any()).map(Self),
            Err(_) => Ok(Self(Task {
                level: any.extract()?,
                optimum: None,
            })),
        }
    }
}

/// Keyword arguments that are settings; those not given have their defaults.
fn settings(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let pairs: Value = keywords.map_or_else(|| Ok(json!({})), |pairs| value(pairs.as_any()))?;
    serde_json::from_value(pairs).map_err(error::setting)
}

/// One level, played some steps a turn.
#[pyclass(frozen, module = "puzzleyard._puzzleyard")]
pub(crate) struct SokobanEpisode(Mutex<Recorder>);

impl SokobanEpisode {
    /// A panic in a turn cannot be: what a poisoned lock holds is a recorder like any other.
    fn open(&self) -> MutexGuard<'_, Recorder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SokobanEpisode {
    #[new]
    #[pyo3(signature = (level, **settings))]
    fn new(py: Python<'_>, level: Given, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let (Given(task), settings) = (level, self::settings(settings)?);
        py.detach(|| Recorder::new(&task, settings))
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

    /// Plays the steps of an assistant's message.
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

    /// The board now, in XSB.
    #[getter]
    fn board(&self) -> String {
        self.open().episode().board()
    }

    /// All steps made so far.
    #[getter]
    fn answer(&self) -> String {
        self.open().episode().answer().to_owned()
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
pub(crate) fn sokoban_judge_transcript<'py>(
    py: Python<'py>,
    transcript: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let transcript: Transcript = value(transcript)?;
    let score = py.detach(|| judge::sokoban(&transcript));
    object(py, &score.map_err(|refusal| error::refused(&refusal))?)
}

/// Plays the assistant's messages from the start, has the judge recompute the result, and
/// returns the score. Messages after the end are ignored.
#[pyfunction]
#[pyo3(signature = (level, messages, **settings))]
pub(crate) fn sokoban_score<'py>(
    py: Python<'py>,
    level: Given,
    messages: Vec<Message>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (Given(task), settings) = (level, self::settings(settings)?);
    let score = py.detach(|| {
        let mut recorder = Recorder::new(&task, settings).map_err(error::puzzle)?;
        for Message(text) in messages {
            recorder.turn(&text);
        }
        judge::sokoban(&recorder.transcript()).map_err(|refusal| error::refused(&refusal))
    })?;
    object(py, &score)
}

/// Levels to play, with what the player sees first: those of the text `levels`, or the
/// project's own. `difficulty` keeps those with its number of boxes. `nodes` bounds the search
/// for each best answer; 0 seeks none.
#[pyfunction]
#[pyo3(
    signature = (difficulty = None, count = Whole(100), seed = Whole(42), *, levels = None, nodes = Whole(200_000), **settings),
    text_signature = "(difficulty=None, count=100, seed=42, *, levels=None, nodes=200000, **settings)"
)]
pub(crate) fn sokoban_examples<'py>(
    py: Python<'py>,
    difficulty: Option<&str>,
    count: Quantity,
    seed: Whole,
    levels: Option<&str>,
    nodes: Whole,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = self::settings(settings)?;
    let wanted: Option<Difficulty> = difficulty
        .map(str::parse)
        .transpose()
        .map_err(error::setting)?;
    let examples = py.detach(|| {
        let setups = levels.map_or_else(
            || Ok(bundled()),
            |text| xsb::read(text).map(|collection| collection.setups),
        );
        let setups: Vec<Setup> = setups.map_err(error::format)?;
        let fitting =
            |setup: &Setup| wanted.is_none_or(|wanted| Difficulty::of(boxes(setup)) == wanted);
        let setups: Vec<Setup> = setups.into_iter().filter(fitting).collect();
        examples(&setups, count.0, seed.0, &settings, nodes.0).map_err(error::puzzle)
    })?;
    object(py, &examples)
}

fn boxes(setup: &Setup) -> usize {
    let glyphs = setup.board();
    glyphs
        .chars()
        .filter(|&glyph| glyph == '$' || glyph == '*')
        .count()
}
