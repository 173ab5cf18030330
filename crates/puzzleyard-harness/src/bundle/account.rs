//! The texts that say what was played: answer, log, result and their comparison.

use std::fmt::Write as _;

use puzzleyard_core::Direction;
use puzzleyard_sokoban::model::Answer;
use serde_json::{Map, Value, json};

use crate::witness::{Act, GameLog, GameResult};

/// `level_K_solution.txt`: capital LURD, then `# moves=N`, then our own notes as comments.
pub fn solution(answer: &Answer) -> String {
    format!(
        "{}\n# moves={}\n# pushes={}\n# lurd={answer}\n",
        answer.keys(),
        answer.moves(),
        answer.pushes()
    )
}

/// How many rows Python's `csv.DictReader` counts in `bytes`: those after the first, blank
/// ones left out. `None` if it could not read them as UTF-8.
pub fn dict_rows(bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let records = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
        .records()
        .flatten()
        .count();
    // A blank first line is a header without names, which the other reader skips.
    let is_blank_first = text.starts_with('\n') || text.starts_with("\r\n");
    Some(if is_blank_first {
        records
    } else {
        records.saturating_sub(1)
    })
}

/// `level_K_moves.csv`: the game's own bytes if their rows, as Python counts them, reach the
/// answer's length, else rewritten from what the game wrote. The second value says whether
/// they are the game's own.
pub fn moves_csv(own: &[u8], log: &GameLog, answer: &Answer) -> (Vec<u8>, bool) {
    if dict_rows(own).is_some_and(|rows| rows >= answer.moves()) {
        (own.to_vec(), true)
    } else {
        (normalised_moves(log).into_bytes(), false)
    }
}

/// The game's log in one form: `step,dir,event,player_row,player_col,pushed,boxes_on_goal`.
/// What the game did not say stays empty.
pub fn normalised_moves(log: &GameLog) -> String {
    let mut text = String::from("step,dir,event,player_row,player_col,pushed,boxes_on_goal\n");
    for (at, row) in log.rows.iter().enumerate() {
        let (dir, event) = match row.act {
            Act::Step(way) => (way.letter().to_string(), "move"),
            Act::Undo => (String::new(), "undo"),
            Act::Restart => (String::new(), "restart"),
            Act::Other => continue,
        };
        let place = row
            .player
            .map_or_else(|| ",".into(), |cell| format!("{},{}", cell.row, cell.col));
        let pushed = row
            .pushed
            .map_or("", |pushed| if pushed { "1" } else { "0" });
        let on_goal = row
            .boxes_on_goal
            .map_or_else(String::new, |n| n.to_string());
        let _ = writeln!(text, "{},{dir},{event},{place},{pushed},{on_goal}", at + 1);
    }
    text
}

/// Whether a game's result is of the contract's form as it stands: at the top level
/// `"solved": true` and `boxes_on_goal` equal to `total_goals`.
pub fn needs_no_change(own: &[u8]) -> bool {
    let Ok(Value::Object(fields)) = serde_json::from_slice(own) else {
        return false;
    };
    let number = |name: &str| fields.get(name).and_then(Value::as_u64);
    fields.get("solved") == Some(&Value::Bool(true))
        && number("boxes_on_goal").is_some()
        && number("boxes_on_goal") == number("total_goals")
}

/// What the game's result says, in the contract's words. A field that the game did not fill is
/// absent, but for the two counts that the contract demands: if the game calls the level solved
/// and does not say both, they come from `replayed` (boxes on goals, goals), and the file says
/// so.
pub fn normalised_result(
    result: &GameResult,
    kept_as: &str,
    replayed: Option<(usize, usize)>,
) -> String {
    let mut fields = Map::new();
    if let Some(solved) = result.solved {
        fields.insert("solved".into(), solved.into());
    }
    let mut filled = Vec::new();
    for (name, value, by_replay) in [
        (
            "boxes_on_goal",
            result.boxes_on_goal,
            replayed.map(|it| it.0),
        ),
        ("total_goals", result.total_goals, replayed.map(|it| it.1)),
        ("moves", result.moves, None),
        ("pushes", result.pushes, None),
    ] {
        if let Some(value) = value {
            fields.insert(name.into(), value.into());
        } else if let (Some(true), Some(value)) = (result.solved, by_replay) {
            fields.insert(name.into(), value.into());
            filled.push(name);
        }
    }
    if let Some(history) = &result.history {
        fields.insert("history".into(), letters(history).into());
    }
    fields.insert("normalised_from".into(), kept_as.into());
    if !filled.is_empty() {
        fields.insert("filled_from_replay".into(), filled.into());
    }
    pretty(&Value::Object(fields))
}

/// `level_K_verify.json`: the answer beside what the game says. The history is the result's,
/// or the log's if the result has none.
pub fn verify(
    answer: &Answer,
    log: Option<&GameLog>,
    result: Option<&GameResult>,
    ruling: &str,
) -> String {
    let ours: Vec<Direction> = answer.steps().iter().map(|step| step.way).collect();
    let logged = log.map(GameLog::ways);
    let told = result.and_then(|result| result.history.clone());
    let source = match (&told, &logged) {
        (Some(_), _) => "result",
        (None, Some(_)) => "log",
        (None, None) => "none",
    };
    let history = told.or_else(|| logged.clone()).unwrap_or_default();
    pretty(&json!({
        "solver_solution": letters(&ours),
        "game_history": letters(&history),
        "match": history == ours,
        "extra_moves": history.len() as i64 - ours.len() as i64,
        "game_history_source": source,
        "log_history": logged.as_deref().map(letters),
        "log_match": logged.as_ref().map(|logged| *logged == ours),
        "game_solved": result.and_then(|result| result.solved),
        "replay": ruling,
    }))
}

fn letters(ways: &[Direction]) -> String {
    ways.iter().map(|way| way.letter()).collect()
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{dict_rows, needs_no_change};

    /// Counts by `sum(1 for _ in csv.DictReader(open(path)))` of Python 3.
    #[test]
    fn rows_are_counted_as_python_does() {
        let rows: [(&[u8], Option<usize>); 7] = [
            (b"step,dir\n1,L\n2,R\n", Some(2)),
            (b"step,dir\r\n1,L\r\n\r\n2,R", Some(2)),
            (b"L\nR\n", Some(1)),
            (b"", Some(0)),
            (b"\nL\nR\n", Some(2)),
            (b"a,b\n\"1\n2\",3\n", Some(1)),
            (b"\xff\n", None),
        ];
        for (bytes, count) in rows {
            assert_eq!(dict_rows(bytes), count, "{bytes:?}");
        }
    }

    #[test]
    fn only_the_contracts_own_form_needs_no_change() {
        let rows = [
            (r#"{"solved":true,"boxes_on_goal":3,"total_goals":3}"#, true),
            (
                r#"{"solved":true,"boxes_on_goal":2,"total_goals":3}"#,
                false,
            ),
            (r#"{"solved":true}"#, false),
            (r#"{"solved":1,"boxes_on_goal":3,"total_goals":3}"#, false),
            (
                r#"{"game":{"solved":true,"boxes_on_goal":3,"total_goals":3}}"#,
                false,
            ),
        ];
        for (text, is_fine) in rows {
            assert_eq!(needs_no_change(text.as_bytes()), is_fine, "{text}");
        }
    }
}
