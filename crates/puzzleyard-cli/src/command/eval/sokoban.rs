//! Sokoban episodes.

use puzzleyard_env::judge;
use puzzleyard_env::sokoban::{
    self, Agent, Difficulty, Example, Player, Recorder, Score, Settings, Transcript,
};
use puzzleyard_sokoban::format;
use puzzleyard_sokoban::model::Setup;
use puzzleyard_sokoban::rules::Level;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{Game, Ruling, Session, read, reasons};
use crate::args::EvalSokoban;
use crate::exit::BadInput;
use crate::levels;

/// What the examples depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    /// Title and board of each level, in order.
    levels: Vec<(Option<String>, String)>,
    seed: u64,
    nodes: u64,
    settings: Settings,
    agent: Option<Agent>,
}

struct Sokoban {
    setting: Setting,
    /// Example k is `examples[k]`; there are as many as the run has.
    examples: Vec<Example>,
}

/// The game that was asked for.
pub(super) fn game(args: &EvalSokoban) -> anyhow::Result<Box<dyn Game>> {
    let mut setups = Vec::new();
    for name in &args.levels {
        setups.extend(levels::read(name)?.into_iter().map(|entry| entry.setup));
    }
    if args.levels.is_empty() {
        setups = sokoban::bundled();
        setups.retain(|setup| {
            args.difficulty
                .is_none_or(|wanted| level_of(setup) == Some(wanted))
        });
    }
    let setting = Setting {
        levels: setups
            .iter()
            .map(|it| (it.title.clone(), it.board()))
            .collect(),
        seed: args.run.seed,
        nodes: args.nodes,
        settings: Settings {
            use_think: !args.run.no_think,
            max_turns: args.max_turns,
            steps_per_turn: args.steps_per_turn,
            view: args.view,
            tell_deadlock: args.tell_deadlock,
            case_matters: args.strict_case,
        },
        agent: args.agent,
    };
    let game = Sokoban::new(setting, args.run.examples).map_err(BadInput)?;
    Ok(Box::new(game))
}

fn level_of(setup: &Setup) -> Option<Difficulty> {
    let level = Level::from_setup(setup, &puzzleyard_sokoban::rules::Waivers::none()).ok()?;
    Some(Difficulty::of(level.boxes_needed()))
}

/// Reads the setting of an older run; it has a field more, the number of examples.
pub(super) fn revive(setting: &Value) -> Result<Box<dyn Game>, String> {
    let mut setting = setting.clone();
    let count = setting
        .as_object_mut()
        .and_then(|fields| fields.remove("examples"))
        .and_then(|count| count.as_u64())
        .unwrap_or(0);
    Ok(Box::new(Sokoban::new(read(&setting)?, count)?))
}

impl Sokoban {
    fn new(setting: Setting, count: u64) -> Result<Self, String> {
        let mut setups = Vec::new();
        for (title, board) in &setting.levels {
            let read = format::xsb::read(board).map_err(|error| error.to_string())?;
            setups.extend(read.setups.into_iter().map(|mut setup| {
                setup.title.clone_from(title);
                setup
            }));
        }
        let examples = sokoban::examples(
            &setups,
            count,
            setting.seed,
            &setting.settings,
            setting.nodes,
        )
        .map_err(|error| error.to_string())?;
        Ok(Self { setting, examples })
    }

    fn example(&self, index: u64) -> Result<&Example, String> {
        usize::try_from(index)
            .ok()
            .and_then(|at| self.examples.get(at))
            .ok_or_else(|| format!("no example {index}"))
    }
}

impl Game for Sokoban {
    fn name(&self) -> &'static str {
        "sokoban"
    }

    fn setting(&self) -> Value {
        json!(self.setting)
    }

    fn agent(&self) -> Option<String> {
        self.setting.agent.map(|agent| agent.to_string())
    }

    fn id(&self, index: u64) -> Result<String, String> {
        Ok(self.example(index)?.id.clone())
    }

    fn session(&self, index: u64, seed: u64) -> Result<Box<dyn Session>, String> {
        let example = self.example(index)?;
        let recorder = Recorder::new(&example.task, self.setting.settings)
            .map_err(|error| error.to_string())?;
        Ok(Box::new(Playing {
            recorder,
            player: self.setting.agent.map(|agent| Player::new(agent, seed)),
        }))
    }

    fn ruling(&self, index: u64, transcript: &Value) -> Result<Ruling, String> {
        let transcript: Transcript = read(transcript)?;
        let set = self.example(index)?;
        if transcript.puzzle != set.task {
            return Err(format!("the level is not that of {}", set.id));
        }
        if transcript.settings != self.setting.settings {
            return Err("the settings are not those of the run".into());
        }
        let score = judge::sokoban(&transcript).map_err(|refusal| refusal.to_string())?;
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
    player: Option<Player>,
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
        let player = self.player.as_mut()?;
        Some(player.answer(self.recorder.episode()))
    }

    fn transcript(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self.recorder.transcript())
    }
}
