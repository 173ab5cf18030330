//! Sokoban episodes take any messages, and the judges agree with them.
#![no_main]

#[expect(dead_code, reason = "each target asserts one of the claims")]
#[path = "../../crates/puzzleyard-env/tests/it/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::sokoban_message(bytes));
