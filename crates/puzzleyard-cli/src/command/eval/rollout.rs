//! One rollout: an example played to its end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use puzzleyard_core::Stream;
use serde_json::{Value, json};

use super::endpoint::{Endpoint, Failure, Usage};
use super::game::Game;

/// Which rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Task {
    /// The example, from 0.
    pub(super) example: u64,
    /// The rollout, from 0.
    pub(super) rollout: u32,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Which rollout.
    pub(super) task: Task,
    /// The record of the episode, or why there is none.
    pub(super) transcript: Result<Value, Failure>,
    /// What it cost.
    pub(super) usage: Usage,
}

/// Plays a rollout. Its random numbers depend on seed, example and rollout.
pub(super) fn play(game: &dyn Game, endpoint: Option<&Endpoint>, task: Task, seed: u64) -> Outcome {
    let mut usage = Usage::default();
    // A fault in one episode must not take the finished ones with it.
    let played = catch_unwind(AssertUnwindSafe(|| {
        episode(game, endpoint, task, seed, &mut usage)
    }));
    let transcript = played.unwrap_or_else(|_| {
        let why = "the episode broke down, which is a fault of this program";
        Err(Failure::Request(why.into()))
    });
    Outcome {
        task,
        transcript,
        usage,
    }
}

fn episode(
    game: &dyn Game,
    endpoint: Option<&Endpoint>,
    task: Task,
    seed: u64,
    usage: &mut Usage,
) -> Result<Value, Failure> {
    let purpose = format!("yard eval rollout {} {}", task.example, task.rollout);
    let stream = Stream::new(seed, &purpose);
    let started = game.session(task.example, stream.number(0));
    let mut session = started.map_err(Failure::Request)?;
    let message = |role: &str, content: &str| json!({ "role": role, "content": content });
    let mut messages = vec![
        message("system", &session.system_prompt()),
        message("user", &session.prompt()),
    ];
    for turn in 0.. {
        let said = match (session.scripted(), endpoint) {
            (Some(said), _) => said,
            (None, Some(endpoint)) => {
                let dice = Stream::new(stream.number(turn + 1), "yard eval backoff");
                endpoint.ask(&messages, task.rollout, &dice, usage)?
            }
            (None, None) => return Err(Failure::Endpoint("nobody plays".into())),
        };
        let (reply, done) = session.turn(&said);
        if done {
            break;
        }
        if endpoint.is_some() {
            // What is too long to be read need not travel again.
            let kept = if said.len() > puzzleyard_env::MAX_MESSAGE {
                ""
            } else {
                &said
            };
            messages.push(message("assistant", kept));
            messages.push(message("user", &reply));
        }
    }
    let transcript = session.transcript();
    transcript.map_err(|error| Failure::Request(error.to_string()))
}
