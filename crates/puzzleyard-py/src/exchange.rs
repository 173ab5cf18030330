//! Values between Rust and Python: JSON is the bridge, so that both sides see what a file
//! would hold.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error;

/// A value as dicts, lists, strings and numbers.
pub(crate) fn object<'py>(
    py: Python<'py>,
    value: &(impl Serialize + Sync),
) -> PyResult<Bound<'py, PyAny>> {
    let text = py.detach(|| serde_json::to_string(value));
    let text = text.map_err(error::format)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// What a dict, or a string of JSON, holds.
pub(crate) fn value<T: DeserializeOwned + Send>(any: &Bound<'_, PyAny>) -> PyResult<T> {
    let text: String = match any.cast::<PyString>() {
        Ok(text) => text.extract()?,
        Err(_) => any
            .py()
            .import("json")?
            .call_method1("dumps", (any,))?
            .extract()?,
    };
    any.py()
        .detach(|| serde_json::from_str(&text))
        .map_err(error::format)
}

/// A number from 0 to `MOST`.
#[derive(Clone, Copy)]
pub(crate) struct Whole<const MOST: u64 = { u64::MAX }>(pub(crate) u64);

/// How many things a call may return.
pub(crate) type Quantity = Whole<1_000_000>;

impl<'py, const MOST: u64> FromPyObject<'_, 'py> for Whole<MOST> {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wanted = || {
            format!(
                "found {:?}, wanted an integer from 0 to {MOST}",
                any.as_any()
            )
        };
        if any.is_instance_of::<PyBool>() || !any.is_instance_of::<PyInt>() {
            return Err(PyTypeError::new_err(wanted()));
        }
        match any.extract::<u64>() {
            Ok(number) if number <= MOST => Ok(Self(number)),
            _ => Err(error::setting(wanted())),
        }
    }
}

/// A number of turns, or the word `auto`.
#[derive(Clone)]
pub(crate) struct Turns(pub(crate) Value);

impl<'py> FromPyObject<'_, 'py> for Turns {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match any.cast::<PyString>() {
            Ok(word) => Ok(Self(word.extract::<String>()?.into())),
            Err(_) => Whole::<{ u64::MAX }>::extract(any).map(|number| Self(number.0.into())),
        }
    }
}

/// What a player says. Halves of surrogate pairs, which are no characters and which a model's
/// JSON may hold, are read as U+FFFD, three of them for each.
pub(crate) struct Message(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Message {
    type Error = PyErr;

    fn extract(any: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = any.cast::<PyString>()?;
        Ok(Self(text.to_string_lossy().into_owned()))
    }
}

/// Settings of these names and values; the others are the defaults.
pub(crate) fn settings<T: DeserializeOwned>(pairs: &[(&str, Value)]) -> PyResult<T> {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    serde_json::from_value(pairs.collect()).map_err(error::setting)
}
