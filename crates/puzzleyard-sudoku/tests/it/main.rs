//! Tests of the crate through its public face, in one binary.

mod formats;
mod generation;
mod kernel;
mod rating;
