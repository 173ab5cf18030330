//! Integration tests of the drawing crate.

mod ansi;
mod boards;
mod gif;
mod golden;
mod png;
mod squares;
mod svg;
mod tiles;
mod window;
