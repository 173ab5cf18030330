//! What the rollouts of a run came to.

use std::collections::BTreeMap;

use comfy_table::Table;
use serde_json::{Map, Value, json};

use super::endpoint::Usage;
use super::game::Ruling;
use super::rollout::Task;

/// The sums over all accepted rollouts, in an order that does not depend on who was first.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// What each rollout came to.
    rulings: BTreeMap<Task, Ruling>,
    /// What all of them cost.
    usage: Usage,
    /// Rollouts that the endpoint has spoiled in this run.
    pub(super) spoiled: u64,
    /// Rollouts whose transcript the judge refuses.
    pub(super) refused: u64,
}

impl Tally {
    /// Books a rollout.
    pub(super) fn add(&mut self, task: Task, ruling: Ruling, usage: &Usage) {
        self.rulings.insert(task, ruling);
        self.usage.add(usage);
    }

    /// Books what a spoiled rollout cost.
    pub(super) fn pay(&mut self, usage: &Usage) {
        self.usage.add(usage);
    }

    /// Whether the rollout is booked.
    pub(super) fn has(&self, task: Task) -> bool {
        self.rulings.contains_key(&task)
    }

    /// How many rollouts are booked.
    pub(super) fn len(&self) -> usize {
        self.rulings.len()
    }

    /// The result. `head` says what was played; the prices are for a million tokens.
    pub(super) fn summary(&self, head: &Map<String, Value>, prices: (f64, f64)) -> Value {
        let count = self.rulings.len();
        let mean = |of: &dyn Fn(&Ruling) -> f64| {
            let sum: f64 = self.rulings.values().map(of).sum();
            (count > 0).then(|| rounded(sum / count as f64))
        };
        let mut parts = Map::new();
        if let Some(first) = self.rulings.values().next() {
            for (at, (name, _)) in first.parts.iter().enumerate() {
                let value = mean(&|ruling| ruling.parts.get(at).map_or(0.0, |part| part.1));
                parts.insert((*name).to_owned(), json!(value));
            }
        }
        let mut invalid: BTreeMap<&str, u64> = BTreeMap::new();
        for (reason, times) in self.rulings.values().flat_map(|ruling| &ruling.invalid) {
            *invalid.entry(reason).or_default() += times;
        }
        let solved: std::collections::BTreeSet<u64> = self
            .rulings
            .iter()
            .filter(|(_, ruling)| ruling.solved)
            .map(|(task, _)| task.example)
            .collect();
        let deviation = mean(&|ruling| ruling.reward).map(|centre| {
            let square = mean(&|ruling| (ruling.reward - centre).powi(2));
            rounded(square.unwrap_or(0.0).sqrt())
        });
        let usage = &self.usage;
        let cost = (usage.prompt_tokens as f64 * prices.0
            + usage.completion_tokens as f64 * prices.1)
            / 1e6;
        let mut summary = head.clone();
        let rest = json!({
            "finished": count,
            "spoiled": self.spoiled,
            "refused": self.refused,
            "mean_reward": mean(&|ruling| ruling.reward),
            "reward_deviation": deviation,
            "solved": mean(&|ruling| f64::from(u8::from(ruling.solved))),
            "examples_solved": solved.len(),
            "mean_turns": mean(&|ruling| ruling.turns as f64),
            "parts": parts,
            "invalid": invalid,
            "requests": usage.requests,
            "retries": usage.retries,
            "cut_off": usage.cut_off,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "cost": rounded(cost),
        });
        if let Value::Object(rest) = rest {
            summary.extend(rest);
        }
        Value::Object(summary)
    }
}

/// To the millionth.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// The result for people.
pub(super) fn table(summary: &Value) -> String {
    let mut table = Table::new();
    for (name, value) in summary.as_object().into_iter().flatten() {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    table.add_row([format!("{name}: {field}"), shown(value)]);
                }
            }
            Value::Null => {}
            _ if name == "solved" => {
                let share = value.as_f64().unwrap_or(0.0) * 100.0;
                table.add_row([name.clone(), format!("{share:.1} %")]);
            }
            _ => {
                table.add_row([name.clone(), shown(value)]);
            }
        }
    }
    table.to_string()
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            format!("{:.4}", number.as_f64().unwrap_or(0.0))
        }
        _ => value.to_string(),
    }
}
