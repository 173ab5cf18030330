//! Sudoku episodes.

use puzzleyard_env::judge;
use puzzleyard_env::sudoku::{
    Agent, Difficulty, Example, Recorder, Score, Settings, Transcript, example,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{Game, Ruling, Session, read, reasons};
use crate::args::EvalSudoku;

/// What the examples depend on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sudoku {
    difficulty: Difficulty,
    seed: u64,
    settings: Settings,
    agent: Option<Agent>,
}

/// The game that was asked for.
pub(super) fn game(args: &EvalSudoku) -> Box<dyn Game> {
    Box::new(Sudoku {
        difficulty: args.difficulty,
        seed: args.run.seed,
        settings: Settings {
            use_think: !args.run.no_think,
            max_turns: args.max_turns,
        },
        agent: args.agent,
    })
}

pub(super) fn revive(setting: &Value) -> Result<Box<dyn Game>, String> {
    Ok(Box::new(read::<Sudoku>(setting)?))
}

impl Sudoku {
    fn example(&self, index: u64) -> Result<Example, String> {
        example(self.difficulty, index, self.seed, &self.settings)
            .map_err(|error| error.to_string())
    }
}

impl Game for Sudoku {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn setting(&self) -> Value {
        json!(self)
    }

    fn agent(&self) -> Option<String> {
        self.agent.map(|agent| agent.to_string())
    }

    fn id(&self, index: u64) -> Result<String, String> {
        Ok(format!("{}/{}/{index}", self.difficulty, self.seed))
    }

    fn session(&self, index: u64, seed: u64) -> Result<Box<dyn Session>, String> {
        let example = self.example(index)?;
        let puzzle = example.puzzle.parse();
        let puzzle = puzzle.map_err(|error| format!("{}: {error}", example.id))?;
        let recorder = Recorder::new(puzzle, self.settings).map_err(|error| error.to_string())?;
        Ok(Box::new(Playing {
            recorder,
            agent: self.agent,
            seed,
        }))
    }

    fn ruling(&self, index: u64, transcript: &Value) -> Result<Ruling, String> {
        let transcript: Transcript = read(transcript)?;
        let set = self.example(index)?;
        if transcript.puzzle != set.puzzle {
            return Err(format!("the puzzle is not that of {}", set.id));
        }
        if transcript.settings != self.settings {
            return Err("the settings are not those of the run".into());
        }
        let score = judge::sudoku(&transcript).map_err(|refusal| refusal.to_string())?;
        if transcript.replies.last().is_none_or(|reply| !reply.done) {
            return Err("the episode is not over".into());
        }
        Ok(Ruling {
            reward: score.total,
            solved: score.solved > 0.0,
            turns: transcript.replies.len(),
            parts: Score::PARTS.into_iter().zip(score.parts()).collect(),
            invalid: reasons(transcript.replies.iter().filter_map(|it| it.invalid_reason)),
        })
    }
}

struct Playing {
    recorder: Recorder,
    agent: Option<Agent>,
    seed: u64,
}

impl Session for Playing {
    fn system_prompt(&self) -> String {
        self.recorder.episode().system_prompt()
    }

    fn prompt(&self) -> String {
        self.recorder.episode().prompt()
    }

    fn turn(&mut self, message: &str) -> (String, bool) {
        let reply = self.recorder.turn(message);
        (reply.text, reply.done)
    }

    fn scripted(&mut self) -> Option<String> {
        let agent = self.agent?;
        Some(agent.answer(self.recorder.episode(), self.seed))
    }

    fn transcript(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self.recorder.transcript())
    }
}
