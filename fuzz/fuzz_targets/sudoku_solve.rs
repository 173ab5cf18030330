//! What the solver of any size says of small boards is so by the rules.
#![no_main]

#[expect(dead_code, reason = "each target asserts one of the claims")]
#[path = "../../crates/puzzleyard-sudoku/tests/it/formats/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| claims::solving(bytes));
