//! Sudoku episodes take any messages, and the judge agrees with them.
#![no_main]

#[expect(dead_code, reason = "each target asserts one of the claims")]
#[path = "../../crates/puzzleyard-env/tests/it/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::sudoku_message(bytes));
