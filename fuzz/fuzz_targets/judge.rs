//! The rules and the judge agree on random answers.
#![no_main]

#[expect(dead_code, reason = "each target asserts one of the claims")]
#[path = "../../crates/puzzleyard-sokoban/tests/it/format_claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::judge_agrees(bytes));
