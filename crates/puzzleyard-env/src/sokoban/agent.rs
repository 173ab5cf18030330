//! Scripted players, as baselines: they answer as a model would.

use std::fmt;
use std::str::FromStr;

use puzzleyard_core::{Direction, Limits, Stop, Stream, Verdict};
use puzzleyard_sokoban::model::Step;
use puzzleyard_sokoban::rules::{Level, Waivers};
use puzzleyard_sokoban::solve::{self, Objective};
use serde::{Deserialize, Serialize};

use super::Episode;

/// The most nodes and bytes of a search for a plan.
const LIMITS: Limits = Limits {
    nodes: Some(2_000_000),
    memory: Some(1 << 30),
};

/// A kind of scripted player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    /// Plays an answer with the fewest pushes.
    Optimal,
    /// Plays the first answer that the solver finds.
    Greedy,
    /// Makes random steps that are possible.
    Random,
}

/// A word that is no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("agent {found:?}, wanted optimal, greedy or random")]
pub struct AgentError {
    /// The word.
    pub found: String,
}

impl FromStr for Agent {
    type Err = AgentError;

    fn from_str(word: &str) -> Result<Self, AgentError> {
        match word {
            "optimal" => Ok(Self::Optimal),
            "greedy" => Ok(Self::Greedy),
            "random" => Ok(Self::Random),
            _ => Err(AgentError {
                found: word.chars().take(40).collect(),
            }),
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Optimal => "optimal",
            Self::Greedy => "greedy",
            Self::Random => "random",
        })
    }
}

/// A scripted player of one episode, with its plan.
#[derive(Clone, Debug)]
pub struct Player {
    agent: Agent,
    stream: Stream,
    counter: u64,
    /// The board that the plan starts from, and its steps.
    plan: Option<(String, Vec<Step>)>,
}

impl Player {
    /// A player of this kind. The seed matters to the random one.
    pub fn new(agent: Agent, seed: u64) -> Self {
        Self {
            agent,
            stream: Stream::new(seed, "puzzleyard-env sokoban agent"),
            counter: 0,
            plan: None,
        }
    }

    /// The next message in `episode`. A player whose search for a plan comes to no answer
    /// within 2,000,000 nodes makes random steps.
    pub fn answer(&mut self, episode: &Episode) -> String {
        let most = episode.settings().steps_per_turn as usize;
        let steps = match self.agent {
            Agent::Random => None,
            Agent::Optimal => self.planned(episode, Objective::Pushes, most),
            Agent::Greedy => self.planned(episode, Objective::Any, most),
        };
        let steps = steps.unwrap_or_else(|| self.random(episode, most));
        let letters: String = steps.iter().map(|step| letter(*step)).collect();
        let think = if episode.settings().use_think {
            "<think>Following the plan.</think>\n\n"
        } else {
            ""
        };
        format!("{think}<move>{letters}</move>")
    }

    /// The next steps of the plan, which is made anew if the board is not where it starts.
    fn planned(
        &mut self,
        episode: &Episode,
        objective: Objective,
        most: usize,
    ) -> Option<Vec<Step>> {
        let board = episode.board();
        if self.plan.as_ref().is_none_or(|(start, _)| *start != board) {
            let setup = episode.level().setup(episode.position());
            let level = Level::from_setup(&setup, &Waivers::playing()).ok()?;
            let report = solve::solve(&level, objective, &LIMITS, &Stop::new(), &mut |_| {});
            let Verdict::Solved(answer) = report.verdict else {
                return None;
            };
            self.plan = Some((board, answer.steps().to_vec()));
        }
        let (start, steps) = self.plan.as_mut()?;
        let rest = steps.split_off(most.min(steps.len()));
        let now = std::mem::replace(steps, rest);
        let mut state = episode.position().clone();
        for step in &now {
            episode.level().step(&mut state, step.way).ok()?;
        }
        *start = episode.level().setup(&state).board();
        (!now.is_empty()).then_some(now)
    }

    fn random(&mut self, episode: &Episode, most: usize) -> Vec<Step> {
        let level = episode.level();
        let mut state = episode.position().clone();
        let mut steps = Vec::new();
        while steps.len() < most && !level.is_solved(&state) {
            let possible: Vec<Direction> = Direction::ALL
                .into_iter()
                .filter(|&way| level.step(&mut state.clone(), way).is_ok())
                .collect();
            let at = self.stream.below(self.counter, possible.len() as u64);
            self.counter += 1;
            let step = possible.get(at as usize);
            match step.and_then(|&way| level.step(&mut state, way).ok()) {
                Some(step) => steps.push(step),
                // A player walled in by boxes can only run into them.
                None => break,
            }
        }
        if steps.is_empty() {
            let way = Direction::Up;
            steps.push(Step { way, push: false });
        }
        steps
    }
}

fn letter(step: Step) -> char {
    if step.push {
        step.way.letter()
    } else {
        step.way.letter().to_ascii_lowercase()
    }
}
