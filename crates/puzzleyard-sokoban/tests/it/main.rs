//! Integration tests of the Sokoban crate.

mod bundled;
mod format_claims;
mod format_corpus;
mod format_malformed;
mod format_round;
mod grid;
mod judge;
mod oracle;
mod rules;
mod solve;
mod state_counts;
