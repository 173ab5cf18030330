//! Integration tests: whole proofs by games that need no display, graded, forged and graded
//! again.

mod forgery;
mod game;
mod proof;
