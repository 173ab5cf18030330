//! Errors of Rust as exceptions of `puzzleyard.errors`, which are all `ValueError`s.

use std::fmt::Display;

use puzzleyard_env::judge::Refusal;
use pyo3::PyErr;

/// The classes, found when the first is raised.
mod classes {
    pyo3::import_exception!(puzzleyard.errors, FormatError);
    pyo3::import_exception!(puzzleyard.errors, PuzzleError);
    pyo3::import_exception!(puzzleyard.errors, Refused);
    pyo3::import_exception!(puzzleyard.errors, SettingError);
}

/// Text that cannot be read.
pub(crate) fn format(error: impl Display) -> PyErr {
    classes::FormatError::new_err(error.to_string())
}

/// A puzzle that cannot be played, rated or made.
pub(crate) fn puzzle(error: impl Display) -> PyErr {
    classes::PuzzleError::new_err(error.to_string())
}

/// An argument out of range.
pub(crate) fn setting(error: impl Display) -> PyErr {
    classes::SettingError::new_err(error.to_string())
}

/// A transcript that the judge refuses, with the turn.
pub(crate) fn refused(refusal: &Refusal) -> PyErr {
    classes::Refused::new_err((refusal.to_string(), refusal.turn()))
}

/// An answer that the judge refuses.
pub(crate) fn wrong(refusal: impl Display) -> PyErr {
    classes::Refused::new_err((refusal.to_string(), None::<u32>))
}
