//! Sokoban levels: solving and judging.

use puzzleyard_core::{Limit, Limits, Stop, Verdict};
use puzzleyard_sokoban::format::xsb;
use puzzleyard_sokoban::judge::{self, Ruling, Strictness};
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{self, Objective, SolveReport};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error;
use crate::exchange::{Whole, object};

/// What an answer must be best at.
#[derive(Clone, Copy)]
pub(crate) struct Best(Objective);

impl<'py> FromPyObject<'_, 'py> for Best {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match any.extract::<&str>()? {
            "any" => Ok(Self(Objective::Any)),
            "pushes" => Ok(Self(Objective::Pushes)),
            "moves" => Ok(Self(Objective::Moves)),
            other => Err(error::setting(format!(
                "objective {other:?}, wanted any, pushes or moves"
            ))),
        }
    }
}

/// Solves the first level of a text. The verdict is `solved`, `unsolvable` or `gave_up`.
#[pyfunction]
#[pyo3(
    signature = (level, objective = Best(Objective::Pushes), *, nodes = Whole(1_000_000), memory = Whole(1 << 30)),
    text_signature = "(level, objective='pushes', *, nodes=1000000, memory=1073741824)"
)]
pub(crate) fn sokoban_solve<'py>(
    py: Python<'py>,
    level: &str,
    objective: Best,
    nodes: Whole,
    memory: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = Limits {
        nodes: Some(nodes.0),
        memory: Some(memory.0),
    };
    let report = py.detach(|| {
        let collection = xsb::read(level).map_err(error::format)?;
        let setup = collection.setups.first();
        let setup = setup.ok_or_else(|| error::format("found no level, wanted one"))?;
        let level = Level::from_setup(setup, &Waivers::none()).map_err(error::puzzle)?;
        // Ctrl-C ends the search.
        let (stop, mut signal) = (Stop::new(), Ok(()));
        let report = solve::solve(&level, objective.0, &limits, &stop, &mut |_| {
            Python::attach(|py| {
                if let Err(interrupt) = py.check_signals() {
                    signal = Err(interrupt);
                    stop.raise(Limit::Interrupt);
                }
            });
        });
        signal.map(|()| report)
    })?;
    object(py, &plain(&report))
}

fn plain(report: &SolveReport) -> Value {
    let (verdict, answer, limit) = match &report.verdict {
        Verdict::Solved(answer) => ("solved", Some(answer), None),
        Verdict::Unsolvable => ("unsolvable", None, None),
        Verdict::GaveUp(limit) => ("gave_up", None, Some(limit.to_string())),
    };
    json!({
        "verdict": verdict,
        "answer": answer.map(ToString::to_string),
        "moves": answer.map(Answer::moves),
        "pushes": answer.map(Answer::pushes),
        "optimal": report.optimal,
        "lower_bound": report.lower_bound,
        "limit": limit,
        "expanded": report.expanded,
    })
}

/// Replays an answer. `case_matters`: capital letters must push and small ones must not.
#[pyfunction]
#[pyo3(signature = (level, answer, *, case_matters = false))]
pub(crate) fn sokoban_judge<'py>(
    py: Python<'py>,
    level: &str,
    answer: &str,
    case_matters: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let strictness = if case_matters {
        Strictness::CaseMatters
    } else {
        Strictness::Plain
    };
    let ruling = py.detach(|| judge::judge(level, answer, strictness));
    let (moves, pushes) = match &ruling {
        Ruling::Solved { moves, pushes } | Ruling::Unfinished { moves, pushes, .. } => {
            (Some(*moves), Some(*pushes))
        }
        _ => (None, None),
    };
    let ruling = json!({
        "solved": ruling.is_solved(),
        "moves": moves,
        "pushes": pushes,
        "ruling": ruling.to_string(),
    });
    object(py, &ruling)
}
