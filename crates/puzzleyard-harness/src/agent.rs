//! Who finds an answer to a level.
//!
//! Two residents: [`SolverAgent`] asks the solver of this project, [`GivenAnswer`] was told.
//! Every claim has passed the judge before it leaves here.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use puzzleyard_core::{Direction, Limit, Limits, Stop, Verdict};
use puzzleyard_sokoban::judge::{self, Strictness};
use puzzleyard_sokoban::model::Answer;
use puzzleyard_sokoban::rules::Level;
use puzzleyard_sokoban::solve::{self, Objective};

/// An answer and what is said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The answer. It solves the level: the judge has replayed it.
    pub answer: Answer,
    /// Whether it is proved to need the fewest pushes.
    pub optimal: bool,
    /// Proven lower bound in pushes; 0 if none is known.
    pub lower_bound: u32,
    /// Nodes expanded in all attempts; 0 for a given answer.
    pub nodes: u64,
    /// The algorithm in a few words, fit for a sentence.
    pub algorithm: String,
    /// Seconds that it took.
    pub seconds: f64,
}

/// Why there is no claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentFault {
    /// The level has no answer.
    #[error("the level is proved to have no answer")]
    Unsolvable,
    /// A limit was reached first.
    #[error("gave up: {0}")]
    GaveUp(Limit),
    /// The judge refused the answer.
    #[error("the judge refused the answer: {0}")]
    Refused(String),
}

/// Finds answers to levels.
pub trait Agent {
    /// The agent's name, as written into the evidence.
    fn name(&self) -> String;

    /// An answer to `level`. Returns soon after `stop` is raised.
    ///
    /// # Errors
    /// There is no answer, a limit was reached, or the answer is wrong.
    fn answer(&mut self, level: &Level, stop: &Stop) -> Result<Claim, AgentFault>;
}

/// The solver of this project: first for fewest pushes within a share of the limits, then for
/// any answer within the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverAgent {
    /// Limits of one level. The node limit is shared out as the time is; the memory limit
    /// holds for either attempt.
    pub limits: Limits,
    /// Time of one level, or `None` for no limit.
    pub time: Option<Duration>,
    /// The share of nodes and time, 0 to 1, that the search for fewest pushes may use. With 1
    /// there is no second attempt.
    pub share: f64,
}

impl Default for SolverAgent {
    /// A minute and 2 GiB a level, half of the time for fewest pushes.
    fn default() -> Self {
        Self {
            limits: Limits {
                nodes: None,
                memory: Some(2 << 30),
            },
            time: Some(Duration::from_secs(60)),
            share: 0.5,
        }
    }
}

impl Agent for SolverAgent {
    fn name(&self) -> String {
        "puzzleyard solver".into()
    }

    fn answer(&mut self, level: &Level, stop: &Stop) -> Result<Claim, AgentFault> {
        let begun = Instant::now();
        let share = self.share.clamp(0.0, 1.0);
        let mut nodes = 0;
        let mut lower_bound = 0;
        let mut last = AgentFault::GaveUp(Limit::Time);
        let attempts = [
            (
                Objective::Pushes,
                share,
                "push-optimal A* over box positions and player regions, matching lower bound, \
                 deadlock pruning",
            ),
            (
                Objective::Any,
                1.0,
                "best-first search over pushes, matching lower bound, deadlock pruning",
            ),
        ];
        for (objective, until, algorithm) in attempts {
            let is_first = objective == Objective::Pushes;
            if (is_first && share <= 0.0) || (!is_first && share >= 1.0) {
                continue;
            }
            let limits = Limits {
                nodes: self
                    .limits
                    .nodes
                    .map(|most| ((most as f64 * until) as u64).saturating_sub(nodes).max(1)),
                memory: self.limits.memory,
            };
            let time = self
                .time
                .map(|most| most.mul_f64(until).saturating_sub(begun.elapsed()));
            let report = with_watchdog(time, stop, |signal| {
                solve::solve(level, objective, &limits, signal, &mut |_| {})
            });
            nodes += report.expanded;
            lower_bound = lower_bound.max(report.lower_bound);
            match report.verdict {
                Verdict::Solved(answer) => {
                    judged(level, &answer)?;
                    return Ok(Claim {
                        optimal: report.optimal && is_first,
                        answer,
                        lower_bound,
                        nodes,
                        algorithm: algorithm.into(),
                        seconds: begun.elapsed().as_secs_f64(),
                    });
                }
                Verdict::Unsolvable => return Err(AgentFault::Unsolvable),
                Verdict::GaveUp(limit) => last = AgentFault::GaveUp(limit),
            }
            if let Some(limit) = stop.raised() {
                return Err(AgentFault::GaveUp(limit));
            }
        }
        Err(last)
    }
}

/// Runs `work` with a signal that is raised after `time`, or when `outer` is.
pub fn with_watchdog<T>(time: Option<Duration>, outer: &Stop, work: impl FnOnce(&Stop) -> T) -> T {
    const TICK: Duration = Duration::from_millis(20);
    let signal = Stop::new();
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watched = signal.clone();
        scope.spawn(move || {
            let begun = Instant::now();
            loop {
                if let Some(limit) = outer.raised() {
                    watched.raise(limit);
                    return;
                }
                let left = time.map(|time| time.saturating_sub(begun.elapsed()));
                if left == Some(Duration::ZERO) {
                    watched.raise(Limit::Time);
                    return;
                }
                match ended.recv_timeout(left.unwrap_or(TICK).min(TICK)) {
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        let value = work(&signal);
        drop(done);
        value
    })
}

/// An agent that was told the answers. Each level gets the first that solves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswer {
    answers: Vec<String>,
}

impl GivenAnswer {
    /// These answers, in LURD of either case.
    pub fn new(answers: Vec<String>) -> Self {
        Self { answers }
    }
}

impl Agent for GivenAnswer {
    fn name(&self) -> String {
        "given answer".into()
    }

    fn answer(&mut self, level: &Level, _stop: &Stop) -> Result<Claim, AgentFault> {
        let mut last = AgentFault::Refused("no answer was given".into());
        for letters in &self.answers {
            let ways: Option<Vec<Direction>> = letters
                .chars()
                .filter(|letter| !letter.is_whitespace())
                .map(Direction::from_letter)
                .collect();
            let Some(ways) = ways else {
                last = AgentFault::Refused(format!("{letters:?} is not LURD"));
                continue;
            };
            let outcome = match level.replay(ways) {
                Ok((_, answer)) => judged(level, &answer).map(|()| answer),
                Err((at, why)) => Err(AgentFault::Refused(format!("step {}: {why}", at + 1))),
            };
            match outcome {
                Ok(answer) => {
                    return Ok(Claim {
                        answer,
                        optimal: false,
                        lower_bound: 0,
                        nodes: 0,
                        algorithm: "answer given by the caller".into(),
                        seconds: 0.0,
                    });
                }
                Err(fault) => last = fault,
            }
        }
        Err(last)
    }
}

fn judged(level: &Level, answer: &Answer) -> Result<(), AgentFault> {
    let board = level.setup(level.start()).board();
    let ruling = judge::judge(&board, &answer.to_string(), Strictness::CaseMatters);
    if ruling.is_solved() {
        Ok(())
    } else {
        Err(AgentFault::Refused(ruling.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use puzzleyard_core::{Limit, Stop};
    use puzzleyard_sokoban::format;
    use puzzleyard_sokoban::rules::{Level, Waivers};

    use super::{Agent as _, AgentFault, GivenAnswer, with_watchdog};

    fn level(board: &str) -> Level {
        let setup = format::read(board.as_bytes()).unwrap().setups.remove(0);
        Level::from_setup(&setup, &Waivers::none()).unwrap()
    }

    #[test]
    fn a_given_answer_is_judged() {
        let level = level("######\n#@ $.#\n######\n");
        let stop = Stop::new();
        let rows = [
            (vec!["rR"], Ok("rR")),
            (vec!["l", "rr"], Ok("rR")),
            (vec!["r"], Err("not solved")),
            (vec!["rrr"], Err("step 3")),
            (vec!["x"], Err("LURD")),
            (vec![], Err("no answer")),
        ];
        for (given, expected) in rows {
            let given: Vec<String> = given.into_iter().map(Into::into).collect();
            match (GivenAnswer::new(given).answer(&level, &stop), expected) {
                (Ok(claim), Ok(letters)) => assert_eq!(claim.answer.to_string(), letters),
                (Err(AgentFault::Refused(why)), Err(part)) => {
                    assert!(why.contains(part), "{why:?} lacks {part:?}");
                }
                (found, _) => panic!("{found:?}"),
            }
        }
    }

    #[test]
    fn the_watchdog_raises_for_time_and_passes_on_the_outer_reason() {
        let until_raised = |signal: &Stop| {
            loop {
                if let Some(limit) = signal.raised() {
                    return limit;
                }
                std::thread::yield_now();
            }
        };
        let outer = Stop::new();
        let time = Some(Duration::from_millis(1));
        assert_eq!(with_watchdog(time, &outer, until_raised), Limit::Time);
        outer.raise(Limit::Interrupt);
        assert_eq!(with_watchdog(None, &outer, until_raised), Limit::Interrupt);
    }
}
