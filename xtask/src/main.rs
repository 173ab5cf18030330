//! The one front door for chores: `cargo xtask test`, `tidy`, `fuzz`, `bench`.

#![expect(
    clippy::print_stdout,
    reason = "a chore talks to the person who called it"
)]
#![forbid(unsafe_code)]

mod bench;
mod fuzz;
mod setup;
mod suite;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the Puzzleyard checkout.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what the tests need, saying what, then run every check and test.
    Test,
    /// Check the rules of the house: arrows between crates and modules, docs, sizes, names.
    Tidy,
    /// Fuzz every parser for some seconds each (needs cargo-fuzz).
    Fuzz {
        /// Seconds for each target.
        #[arg(long, default_value_t = 600)]
        seconds: u32,
        /// Only this target.
        #[arg(long)]
        target: Option<String>,
    },
    /// Run the measured suites and print figures for bench-runs/.
    Bench,
}

fn main() -> ExitCode {
    let root = root();
    let outcome = match Args::parse().chore {
        Chore::Test => suite::run(&root),
        Chore::Tidy => tidy::run(&root),
        Chore::Fuzz { seconds, target } => fuzz::run(&root, seconds, target.as_deref()),
        Chore::Bench => bench::run(&root),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The top of the checkout: the folder above this crate's.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
