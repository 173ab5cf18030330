//! Integration tests, one binary.
#![expect(
    clippy::float_cmp,
    reason = "points are exact: the same quotient on both sides"
)]

mod agreement;
mod bound;
mod claims;
mod contract;
mod datasets;
mod decisions;
mod digits;
mod sokoban;
mod table;
mod world;
