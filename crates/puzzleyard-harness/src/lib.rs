//! Runs agents on surfaces, keeps the evidence, grades it.
//!
//! ```
//! use puzzleyard_core::Stop;
//! use puzzleyard_harness::agent::{Agent as _, GivenAnswer};
//! use puzzleyard_harness::witness;
//! use puzzleyard_sokoban::{format, rules::{Level, Waivers}};
//!
//! let setup = format::read(b"#####\n#@$.#\n#####\n")?.setups.remove(0);
//! let level = Level::from_setup(&setup, &Waivers::none())?;
//! let claim = GivenAnswer::new(vec!["R".into()]).answer(&level, &Stop::new())?;
//! assert_eq!(claim.answer.pushes(), 1);
//!
//! // The log of some game, in whatever dialect it writes.
//! let log = witness::read_log(b"n;key\r\n1;K_RIGHT\r\n2;K_LE", false, &claim.answer);
//! assert_eq!(log.ways(), [puzzleyard_core::Direction::Right]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`surface`]: the port to a running game. Implementations live elsewhere.
//! * [`agent`]: who finds answers.
//! * [`witness`]: what the game itself wrote about the play.
//! * [`drive`]: plays an answer through a surface, one confirmed step at a time.
//! * [`event`]: the log of a play.
//! * [`bundle`], [`report`]: the folder of evidence.
//! * [`prove`]: all of it, level after level.
//! * [`grade`]: judges a folder of evidence without trusting it.
#![forbid(unsafe_code)]

pub mod agent;
pub mod bundle;
pub mod drive;
pub mod event;
pub mod grade;
pub mod prove;
pub mod report;
pub mod surface;
pub mod witness;
