//! `yard eval …`: what may be typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use puzzleyard_env::{Turns, sokoban, sudoku};

use super::Output;
use crate::unit::duration;

/// Text episodes played by a model or a script.
#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
    /// Play Sudoku episodes with a model behind an OpenAI-compatible endpoint, or a script.
    Sudoku(EvalSudoku),
    /// Play Sokoban episodes with a model behind an OpenAI-compatible endpoint, or a script.
    Sokoban(EvalSokoban),
    /// Recompute every score of a run from its transcripts.
    #[command(visible_alias = "verify")]
    Judge(EvalJudge),
}

/// `yard eval sudoku`.
#[derive(Debug, Parser)]
pub(crate) struct EvalSudoku {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) endpoint: EndpointArgs,
    /// A scripted player instead of a model: optimal, singles or random.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub(crate) agent: Option<sudoku::Agent>,
    /// easy (36-46 clues), medium (28-35) or hard (22-27).
    #[arg(long, value_name = "LEVEL", default_value_t)]
    pub(crate) difficulty: sudoku::Difficulty,
    /// Turns of an episode, or `auto`: two for each empty cell.
    #[arg(long, value_name = "N", value_parser = turns, default_value = "50")]
    pub(crate) max_turns: Turns,
}

/// `yard eval sokoban`.
#[derive(Debug, Parser)]
pub(crate) struct EvalSokoban {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) endpoint: EndpointArgs,
    /// A scripted player instead of a model: optimal, greedy or random.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub(crate) agent: Option<sokoban::Agent>,
    /// Only bundled levels of this difficulty: easy (up to 4 boxes), medium (5 or 6), hard.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) difficulty: Option<sokoban::Difficulty>,
    /// Level files to play instead of the bundled levels, `FILE#N` for one level.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "difficulty")]
    pub(crate) levels: Vec<String>,
    /// Turns of an episode, or `auto`: enough for twice the best answer.
    #[arg(long, value_name = "N", value_parser = turns, default_value = "50")]
    pub(crate) max_turns: Turns,
    /// Steps of a turn, at most.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) steps_per_turn: u32,
    /// How the board is shown: xsb or coordinates.
    #[arg(long, value_name = "VIEW", value_parser = view, default_value = "xsb")]
    pub(crate) view: sokoban::View,
    /// Tell the player when a box can never reach a goal.
    #[arg(long)]
    pub(crate) tell_deadlock: bool,
    /// Capital letters must push and small ones must not.
    #[arg(long)]
    pub(crate) strict_case: bool,
    /// Nodes of the search for the best answer of a level; 0 seeks none.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) nodes: u64,
}

/// How many episodes, and where they are kept.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Examples.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) examples: u64,
    /// Rollouts of each example.
    #[arg(short = 'r', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rollouts: u32,
    /// The seed of the examples, of scripted players and of waiting times.
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub(crate) seed: u64,
    /// Read moves anywhere in a message, not only after `</think>`.
    #[arg(long)]
    pub(crate) no_think: bool,
    /// The folder of the run. A run that is there already is continued.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Episodes played at the same time.
    #[arg(short = 'c', long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: u16,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

/// Which model, and how it is asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct EndpointArgs {
    /// The model's name, with --url; or the URL itself, with the name in --name or, if the
    /// endpoint serves one model only, without.
    #[arg(
        short = 'm',
        long,
        value_name = "NAME|URL",
        required_unless_present = "agent"
    )]
    pub(crate) model: Option<String>,
    /// The endpoint, with or without `/chat/completions`: `http://host/v1`.
    #[arg(
        short = 'b',
        long,
        alias = "base-url",
        value_name = "URL",
        requires = "model"
    )]
    pub(crate) url: Option<String>,
    /// The model's name when --model is a URL.
    #[arg(long, value_name = "NAME", requires = "model")]
    pub(crate) name: Option<String>,
    /// The environment variable that holds the key. `PUZZLEYARD_API_KEY` is tried without.
    #[arg(short = 'k', long, value_name = "NAME")]
    pub(crate) key_var: Option<String>,
    /// Sampling temperature, 0 to 2; the endpoint's own if absent.
    #[arg(short = 'T', long, value_name = "X", value_parser = temperature)]
    pub(crate) temperature: Option<f64>,
    /// Tokens of a message, at most; the endpoint's own limit if absent.
    #[arg(short = 't', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: Option<u32>,
    /// Ask for sampling with this seed plus the number of the rollout.
    #[arg(long, value_name = "N")]
    pub(crate) sampling_seed: Option<u32>,
    /// Time for a request.
    #[arg(long, value_parser = duration, value_name = "D", default_value = "5min")]
    pub(crate) timeout: Duration,
    /// How often a request that failed is sent again.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) retries: u32,
    /// The first waiting time before a request is sent again; it doubles each time.
    #[arg(long, value_parser = duration, value_name = "D", default_value = "1s")]
    pub(crate) backoff: Duration,
    /// The longest time waited before a request is sent again, whatever the endpoint asks for.
    #[arg(long, value_parser = duration, value_name = "D", default_value = "2min")]
    pub(crate) max_wait: Duration,
    /// Requests a minute, at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) requests_per_minute: Option<u32>,
    /// The price of a million tokens read by the model.
    #[arg(long, value_name = "X", value_parser = price, default_value = "0")]
    pub(crate) price_in: f64,
    /// The price of a million tokens written by the model.
    #[arg(long, value_name = "X", value_parser = price, default_value = "0")]
    pub(crate) price_out: f64,
}

/// `yard eval judge`.
#[derive(Debug, Parser)]
pub(crate) struct EvalJudge {
    /// The folder of the run.
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Output,
}

fn turns(text: &str) -> Result<Turns, String> {
    if text == "auto" {
        return Ok(Turns::Auto);
    }
    match text.parse() {
        Ok(count) if (1..=puzzleyard_env::MAX_TURNS).contains(&count) => Ok(Turns::Fixed(count)),
        _ => Err(format!(
            "found {text:?}, expected a number from 1 to {} or auto",
            puzzleyard_env::MAX_TURNS
        )),
    }
}

fn view(text: &str) -> Result<sokoban::View, String> {
    match text {
        "xsb" => Ok(sokoban::View::Xsb),
        "coordinates" => Ok(sokoban::View::Coordinates),
        _ => Err(format!("found {text:?}, expected xsb or coordinates")),
    }
}

fn temperature(text: &str) -> Result<f64, String> {
    bounded(text, 2.0)
}

fn price(text: &str) -> Result<f64, String> {
    bounded(text, 1e9)
}

fn bounded(text: &str, most: f64) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number| (0.0..=most).contains(number))
        .ok_or_else(|| format!("found {text:?}, expected a number from 0 to {most}"))
}
