//! Any bytes through the `sok` reader; what it reads survives writing.
#![no_main]

#[expect(dead_code, reason = "each target asserts one of the claims")]
#[path = "../../crates/puzzleyard-sokoban/tests/it/format_claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::sok(bytes));
