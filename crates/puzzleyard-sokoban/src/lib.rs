//! Everything true about Sokoban.
//!
//! ```
//! use puzzleyard_core::{Limits, Stop, Verdict};
//! use puzzleyard_sokoban::{format, judge, rules::{Level, Waivers}, solve};
//!
//! let text = "#######\n#@ $ .#\n#######\n";
//! let setup = format::read(text.as_bytes())?.setups.remove(0);
//! let level = Level::from_setup(&setup, &Waivers::none())?;
//! let report = solve::solve(&level, solve::Objective::Pushes, &Limits::default(), &Stop::new(), &mut |_| {});
//! let Verdict::Solved(answer) = report.verdict else { panic!("no answer") };
//! assert_eq!(answer.to_string(), "rRR");
//! assert!(judge::judge(text, &answer.to_string(), judge::Strictness::Plain).is_solved());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules use only those before them: [`model`], [`mod@format`], [`rules`], [`judge`],
//! [`solve`]. The judge is the exception on purpose: it uses none of the others, so that a
//! fault in the rules or in the search cannot hide in it too.
//!
//! This crate does no I/O and reads no clock.
#![forbid(unsafe_code)]

pub mod format;
pub mod judge;
pub mod model;
pub mod rules;
pub mod solve;
