//! Bytes of a log to a table of text, with column names if it has any.

use serde_json::Value;

/// A table of text. Rows may be ragged.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Column names in lower case; empty strings without a header.
    pub(super) names: Vec<String>,
    /// The rows.
    pub(super) rows: Vec<Vec<String>>,
    /// The form in words.
    pub(super) form: String,
}

impl Table {
    /// The cells of column `col`; a missing cell is empty.
    pub(super) fn column(&self, col: usize) -> Vec<&str> {
        self.rows
            .iter()
            .map(|row| row.get(col).map_or("", String::as_str))
            .collect()
    }

    /// The first column of one of these names.
    pub(super) fn named(&self, names: &[&str]) -> Option<usize> {
        names
            .iter()
            .find_map(|name| self.names.iter().position(|own| own == name))
    }
}

/// The most rows and columns that are looked at.
const MOST_ROWS: usize = 200_000;
const MOST_COLUMNS: usize = 64;

/// The table of `bytes`. The last line counts only if it is ended, or `closed`.
pub(super) fn table(bytes: &[u8], closed: bool) -> Table {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let complete = if closed {
        text
    } else {
        &text[..text.rfind('\n').map_or(0, |end| end + 1)]
    };
    match text.trim_start().chars().next() {
        Some('{') => json_lines(complete),
        // An array is complete when it can be read, whatever ends its last line.
        Some('[') => json_array(text).unwrap_or_else(|| separated(complete)),
        _ => separated(complete),
    }
}

fn json_lines(text: &str) -> Table {
    let objects = text
        .lines()
        .filter_map(|line| serde_json::from_str(line.trim()).ok())
        .take(MOST_ROWS)
        .collect();
    from_objects(objects, "JSON lines")
}

fn json_array(text: &str) -> Option<Table> {
    let Ok(Value::Array(mut items)) = serde_json::from_str(text) else {
        return None;
    };
    items.truncate(MOST_ROWS);
    Some(from_objects(items, "a JSON array"))
}

fn from_objects(items: Vec<Value>, form: &str) -> Table {
    let mut table = Table {
        form: form.into(),
        ..Table::default()
    };
    for item in items {
        let mut fields = Vec::new();
        flatten("", &item, 0, &mut fields);
        let mut row = vec![String::new(); table.names.len()];
        for (name, cell) in fields {
            let at = table.names.iter().position(|own| *own == name);
            let at = at.unwrap_or_else(|| {
                table.names.push(name);
                table.names.len() - 1
            });
            if at < MOST_COLUMNS {
                row.resize(row.len().max(at + 1), String::new());
                row[at] = cell;
            } else {
                table.names.truncate(MOST_COLUMNS);
            }
        }
        table.rows.push(row);
    }
    table
}

/// The leaves of `value` with their dotted names; a list of plain values is one cell.
fn flatten(name: &str, value: &Value, depth: usize, into: &mut Vec<(String, String)>) {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match value {
        Value::Object(fields) if depth < 4 => {
            for (key, value) in fields {
                let key = key.to_lowercase();
                let name = if name.is_empty() {
                    key
                } else {
                    format!("{name}.{key}")
                };
                flatten(&name, value, depth + 1, into);
            }
        }
        Value::Array(items) => {
            let cells: Vec<String> = items.iter().take(8).map(plain).collect();
            into.push((name.into(), cells.join(", ")));
        }
        Value::Null => into.push((name.into(), String::new())),
        other => into.push((name.into(), plain(other))),
    }
}

fn separated(text: &str) -> Table {
    let separator = separator(text);
    let mut rows: Vec<Vec<String>> = if separator == ' ' {
        text.lines()
            .map(|line| line.split_whitespace().map(Into::into).collect())
            .collect()
    } else {
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator as u8)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes())
            .records()
            .filter_map(Result::ok)
            .take(MOST_ROWS)
            .map(|record| record.iter().take(MOST_COLUMNS).map(Into::into).collect())
            .collect()
    };
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    rows.retain(|row| !row.first().is_some_and(|cell| cell.starts_with('#')));
    let name = match separator {
        ',' => "commas",
        ';' => "semicolons",
        '\t' => "tabs",
        '|' => "bars",
        _ => "blanks",
    };
    let has_header = has_header(&rows);
    let names = if has_header {
        rows.remove(0)
            .iter()
            .map(|cell| cell.to_lowercase().replace([' ', '-'], "_"))
            .collect()
    } else {
        vec![String::new(); rows.iter().map(Vec::len).max().unwrap_or(0)]
    };
    let with = if has_header { "with" } else { "without" };
    Table {
        names,
        rows,
        form: format!("separated by {name}, {with} a header"),
    }
}

/// The separator that cuts the first lines into the most columns, the same number in most of
/// them. A comma if nothing separates.
fn separator(text: &str) -> char {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .take(50)
        .collect();
    let mut best = (0, ',');
    for candidate in [',', ';', '\t', '|', ' '] {
        let counts: Vec<usize> = lines
            .iter()
            .map(|line| match candidate {
                ' ' => line.split_whitespace().count() - 1,
                _ => line.matches(candidate).count(),
            })
            .collect();
        let Some(&most) = counts.iter().max() else {
            continue;
        };
        let same = counts.iter().filter(|&&count| count == most).count();
        // Blanks separate only where nothing else does: cells hold blanks too.
        let score = if most == 0 || (candidate == ' ' && best.0 > 0) {
            0
        } else {
            same * 1000 / lines.len() * 100 + most.min(99)
        };
        if score > best.0 {
            best = (score, candidate);
        }
    }
    best.1
}

/// Names that headers of such logs are known to hold.
const KNOWN: [&str; 28] = [
    "step",
    "steps",
    "n",
    "no",
    "idx",
    "index",
    "i",
    "t",
    "time",
    "timestamp",
    "ts",
    "key",
    "dir",
    "direction",
    "move",
    "action",
    "event",
    "x",
    "y",
    "row",
    "col",
    "px",
    "py",
    "player_x",
    "player_y",
    "pushed",
    "pushes",
    "boxes_on_goal",
];

/// Whether the first row is a header: no number in it, and no direction unless a known name
/// stands beside it.
fn has_header(rows: &[Vec<String>]) -> bool {
    let Some(first) = rows.first() else {
        return false;
    };
    let is_number = |cell: &String| cell.parse::<f64>().is_ok();
    let is_known =
        |cell: &String| KNOWN.contains(&cell.to_lowercase().replace([' ', '-'], "_").as_str());
    let is_word = |cell: &String| super::word::word(cell).is_some();
    // A sentence such as `[0.2] move left`.
    let is_sentence = |cell: &String| {
        cell.contains(|letter: char| letter.is_ascii_digit()) && super::word::said(cell).is_some()
    };
    if first.iter().any(is_number) || is_sentence(&first.join(" ")) {
        return false;
    }
    first.iter().any(is_known) || !first.iter().any(is_word)
}
