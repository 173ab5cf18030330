//! A game's result file.

use std::collections::VecDeque;

use puzzleyard_core::Direction;
use puzzleyard_sokoban::model::Answer;
use serde_json::Value;

use super::word::{self, Word};
use super::{GameResult, MOST_BYTES};

/// What games call the boxes on goals, the goals, the steps and the pushes, best name first.
const ON_GOAL_NAMES: [&str; 6] = [
    "boxes_on_goal",
    "boxes_on_goals",
    "on_goal",
    "on_goals",
    "boxes_placed",
    "placed",
];
const GOALS_NAMES: [&str; 8] = [
    "total_goals",
    "goals_total",
    "goal_count",
    "num_goals",
    "goals",
    "total_boxes",
    "boxes",
    "total",
];
const MOVES_NAMES: [&str; 6] = [
    "moves",
    "move_count",
    "num_moves",
    "total_moves",
    "steps",
    "step_count",
];
const PUSHES_NAMES: [&str; 4] = ["pushes", "push_count", "num_pushes", "total_pushes"];

/// Reads a game's result. `expected` is what was played: it settles what tokens of unknown
/// meaning in a history stand for.
///
/// # Errors
/// It is not one JSON object (or a list that ends with one), or too large.
pub fn read_result(bytes: &[u8], expected: &Answer) -> Result<GameResult, String> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!(
            "{} bytes, expected at most {MOST_BYTES}",
            bytes.len()
        ));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut value: Value = serde_json::from_slice(bytes).map_err(|fault| fault.to_string())?;
    if let Value::Array(items) = &mut value {
        value = items.pop().unwrap_or(Value::Null);
    }
    if !value.is_object() {
        return Err("not a JSON object".into());
    }
    let fields = fields(&value);
    let ways: Vec<Direction> = expected.steps().iter().map(|step| step.way).collect();
    Ok(GameResult {
        solved: solved(&fields),
        boxes_on_goal: count(&fields, &ON_GOAL_NAMES),
        total_goals: count(&fields, &GOALS_NAMES),
        moves: count_of_number(&fields, &MOVES_NAMES),
        pushes: count_of_number(&fields, &PUSHES_NAMES),
        history: history(&fields, &ways),
    })
}

/// All fields of all objects inside, outer ones first, names in lower case with `_`.
fn fields(value: &Value) -> Vec<(String, &Value)> {
    const MOST: usize = 10_000;
    let mut found = Vec::new();
    let mut queue = VecDeque::from([value]);
    while let Some(Value::Object(object)) = queue.pop_front() {
        for (key, value) in object {
            if found.len() >= MOST {
                return found;
            }
            found.push((plain_name(key), value));
            if value.is_object() {
                queue.push_back(value);
            }
        }
    }
    found
}

/// `boxesOnGoal`, `Boxes On Goal` and `boxes-on-goal` are `boxes_on_goal`.
fn plain_name(key: &str) -> String {
    let mut name = String::new();
    let mut after_small = false;
    for letter in key.chars() {
        if letter.is_uppercase() && after_small {
            name.push('_');
        }
        after_small = letter.is_lowercase();
        if matches!(letter, ' ' | '-') {
            name.push('_');
        } else {
            name.extend(letter.to_lowercase());
        }
    }
    name
}

fn solved(fields: &[(String, &Value)]) -> Option<bool> {
    const FLAGS: [&str; 10] = [
        "solved",
        "is_solved",
        "won",
        "win",
        "complete",
        "completed",
        "success",
        "finished",
        "done",
        "victory",
    ];
    const WORDS: [&str; 4] = ["status", "state", "result", "outcome"];
    for name in FLAGS {
        for (_, value) in fields.iter().filter(|(own, _)| own == name) {
            match value {
                Value::Bool(flag) => return Some(*flag),
                Value::Number(number) => return Some(number.as_f64() != Some(0.0)),
                Value::String(text) => {
                    if let Some(flag) = word::yes_or_no(text) {
                        return Some(flag);
                    }
                }
                _ => {}
            }
        }
    }
    for name in WORDS {
        for (_, value) in fields.iter().filter(|(own, _)| own == name) {
            if let Value::String(text) = value {
                return Some(word::word(text) == Some(Word::Solved));
            }
        }
    }
    None
}

/// The first of `names` that holds a number, or a list, which is counted.
fn count(fields: &[(String, &Value)], names: &[&str]) -> Option<u64> {
    find(fields, names, |value| match value {
        Value::Array(items) => Some(items.len() as u64),
        other => whole_number(other),
    })
}

fn count_of_number(fields: &[(String, &Value)], names: &[&str]) -> Option<u64> {
    find(fields, names, whole_number)
}

fn whole_number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn find<T>(
    fields: &[(String, &Value)],
    names: &[&str],
    read: impl Fn(&Value) -> Option<T>,
) -> Option<T> {
    names.iter().find_map(|name| {
        fields
            .iter()
            .filter(|(own, _)| own == name)
            .find_map(|(_, value)| read(value))
    })
}

fn history(fields: &[(String, &Value)], expected: &[Direction]) -> Option<Vec<Direction>> {
    const NAMES: [&str; 14] = [
        "history",
        "move_history",
        "moves",
        "solution",
        "path",
        "actions",
        "keys",
        "sequence",
        "lurd",
        "inputs",
        "steps",
        "moves_list",
        "move_list",
        "log",
    ];
    find(fields, &NAMES, |value| match value {
        Value::String(text) => of_text(text),
        Value::Array(items) => of_list(items, expected),
        _ => None,
    })
}

/// `RRdl`, `R, R, D`, `right right down`, `→→↓`.
fn of_text(text: &str) -> Option<Vec<Direction>> {
    let is_between = |letter: char| letter.is_whitespace() || ",;|[]()'\"".contains(letter);
    let letters: Vec<char> = text.chars().filter(|letter| !is_between(*letter)).collect();
    let mut encoded = [0; 4];
    let by_letter: Option<Vec<Direction>> = letters
        .iter()
        .map(|letter| word::direction(letter.encode_utf8(&mut encoded)))
        .collect();
    by_letter.or_else(|| {
        text.split(is_between)
            .filter(|part| !part.is_empty())
            .map(word::direction)
            .collect()
    })
}

fn of_list(items: &[Value], expected: &[Direction]) -> Option<Vec<Direction>> {
    const NAMES: [&str; 8] = [
        "dir",
        "direction",
        "way",
        "move",
        "action",
        "key",
        "d",
        "input",
    ];
    let inner: Vec<&Value> = items
        .iter()
        .map(|item| match item {
            Value::Object(object) => NAMES
                .iter()
                .find_map(|name| object.get(*name))
                .unwrap_or(item),
            other => other,
        })
        .collect();
    let words: Option<Vec<Direction>> = inner
        .iter()
        .map(|item| item.as_str().and_then(word::direction))
        .collect();
    words.or_else(|| {
        let tokens: Vec<String> = inner.iter().map(ToString::to_string).collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        word::learn(&tokens, expected).map(|(ways, _)| ways)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use puzzleyard_core::Direction;
    use puzzleyard_sokoban::model::{Answer, Step};

    use super::read_result;

    fn answer(letters: &str) -> Answer {
        let steps = letters.chars().filter_map(Direction::from_letter);
        Answer::new(steps.map(|way| Step { way, push: false }).collect())
    }

    #[test]
    fn dialects() {
        let some = |letters: &str| Some(letters.to_owned());
        let rows = [
            (
                r#"{"solved":true,"history":"RRD"}"#,
                Some(true),
                some("RRD"),
            ),
            (
                r#"{"won":1,"moves":["right","Right","K_DOWN"]}"#,
                Some(true),
                some("RRD"),
            ),
            (
                r#"{"status":"solved","game":{"path":"r, r, d"}}"#,
                Some(true),
                some("RRD"),
            ),
            (
                r#"{"status":"playing","solution":"→→↓"}"#,
                Some(false),
                some("RRD"),
            ),
            (
                r#"{"success":"yes","actions":[{"dir":"R"},{"dir":"R"},{"dir":"D"}]}"#,
                Some(true),
                some("RRD"),
            ),
            (
                r#"{"isSolved":true,"keys":[3,3,1]}"#,
                Some(true),
                some("RRD"),
            ),
            (
                r#"{"complete":false,"moves":3,"steps":"right right down"}"#,
                Some(false),
                some("RRD"),
            ),
            (
                r#"[{"solved":false},{"solved":true,"history":[]}]"#,
                Some(true),
                some(""),
            ),
            (r#"{"history":[1,2,3,4,5]}"#, None, None),
            ("{}", None, None),
        ];
        for (text, solved, history) in rows {
            let result = read_result(text.as_bytes(), &answer("RRD")).unwrap();
            let found = result
                .history
                .map(|ways| ways.into_iter().map(Direction::letter).collect::<String>());
            assert_eq!((result.solved, found), (solved, history), "{text}");
        }
        for bad in ["", "[]", "3", "{\"a\":", "\"x\""] {
            assert!(
                read_result(bad.as_bytes(), &answer("R")).is_err(),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn numbers_of_the_kit() {
        let text = r#"{"solved":true,"boxes_on_goal":3,"total_goals":3,"moves":20,"pushes":7}"#;
        let result = read_result(text.as_bytes(), &answer("R")).unwrap();
        assert_eq!(
            (result.boxes_on_goal, result.total_goals),
            (Some(3), Some(3))
        );
        assert_eq!((result.moves, result.pushes), (Some(20), Some(7)));
    }

    proptest! {
        #[test]
        fn any_text(text in "[\\[\\]{}:,\"a-z0-9 ]{0,120}") {
            let _ = read_result(text.as_bytes(), &answer("RRD"));
        }
    }
}
