//! A module a command.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod drive;
pub(crate) mod eval;
pub(crate) mod grade;
pub(crate) mod host;
pub(crate) mod judge;
pub(crate) mod prove;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod sudoku;
pub(crate) mod window;
