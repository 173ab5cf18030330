//! JSON: our own form, which carries a collection exactly.
//!
//! ```json
//! {
//!   "puzzleyard": "sokoban",
//!   "version": 1,
//!   "title": "Two levels",
//!   "levels": [
//!     { "title": "First", "board": ["#####", "#@$.#", "#####"] },
//!     { "board": ["#####", "#.$@#", "#####"], "answers": ["L"] }
//!   ]
//! }
//! ```
//!
//! Accepts: one object with `puzzleyard` (`"sokoban"`), `version` (1) and `levels`; the fields
//! `title`, `author`, `comment` (of a level), `properties` (pairs of strings) and `answers` may
//! be absent. Unknown fields are refused: a misspelt one would be lost in silence. Rows are in
//! the glyphs of standard XSB.
//!
//! Writes: the fields in the order `puzzleyard`, `version`, `title`, `author`, `properties`,
//! `levels`, and in a level `title`, `author`, `comment`, `properties`, `board`, `answers`,
//! empty ones left out; two spaces of indentation, so that rows stand below each other; rows
//! at full width in `# @ + $ * .` and space; a line feed at the end.
//!
//! The line of a board's first row is not kept.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Collection, FormatError, MAX_BYTES, MAX_LEVELS, MAX_SIDE, board};
use crate::model::{Setup, Square};

/// Parts what was found from what was expected in a message of our own.
const MARK: char = '\u{1}';
const KIND: &str = "sokoban";
const VERSION: u32 = 1;
const MOST_WORDS: usize = 100_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    puzzleyard: String,
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "most::<_, _, MOST_WORDS>"
    )]
    properties: Vec<(String, String)>,
    #[serde(deserialize_with = "most::<_, _, MAX_LEVELS>")]
    levels: Vec<Level>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "most::<_, _, MOST_WORDS>"
    )]
    properties: Vec<(String, String)>,
    #[serde(deserialize_with = "most::<_, _, MAX_SIDE>")]
    board: Vec<Row>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "most::<_, _, MOST_WORDS>"
    )]
    answers: Vec<String>,
}

/// A row of a board; a string in the file.
struct Row(Vec<Square>);

impl Serialize for Row {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().map(|square| square.glyph()).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RowVisitor;
        impl Visitor<'_> for RowVisitor {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row of a board as a string")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Row, E> {
                let length = text.chars().count();
                if length > MAX_SIDE {
                    return Err(E::custom(format!(
                        "a row of {length} columns{MARK}at most {MAX_SIDE} columns"
                    )));
                }
                board::squares(text, (1, 1)).map(Row).map_err(|error| {
                    E::custom(format!(
                        "{}, at place {} of the row{MARK}{}",
                        error.found, error.column, error.expected
                    ))
                })
            }
        }
        deserializer.deserialize_str(RowVisitor)
    }
}

/// A list of at most `MOST` items.
fn most<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Bounded<T, const MOST: usize>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Bounded<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST} items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(item) = seq.next_element()? {
                if items.len() == MOST {
                    return Err(A::Error::custom(format!(
                        "item {} of a list{MARK}at most {MOST} items",
                        MOST + 1
                    )));
                }
                items.push(item);
            }
            Ok(items)
        }
    }
    deserializer.deserialize_seq(Bounded::<T, MOST>(PhantomData))
}

/// Reads a collection.
///
/// # Errors
/// The first place that is not JSON, or not this form.
pub fn read(text: &str) -> Result<Collection, FormatError> {
    if text.len() > MAX_BYTES {
        return Err(FormatError::at_start(
            format!("{} bytes", text.len()),
            format!("at most {MAX_BYTES} bytes"),
        ));
    }
    let file: File = serde_json::from_str(text).map_err(|error| refusal(text, &error))?;
    if file.puzzleyard != KIND {
        return Err(FormatError::at_start(
            format!("a file for {:?}", file.puzzleyard),
            format!("`\"puzzleyard\": \"{KIND}\"`"),
        ));
    }
    if file.version != VERSION {
        return Err(FormatError::at_start(
            format!("version {}", file.version),
            format!("version {VERSION}"),
        ));
    }
    let setups = file.levels.into_iter().map(|level| {
        let rows: Vec<Vec<Square>> = level.board.into_iter().map(|row| row.0).collect();
        let mut setup = Setup::from_rows(&rows);
        setup.title = level.title;
        setup.author = level.author;
        setup.comment = level.comment;
        setup.properties = level.properties;
        setup.answers = level.answers;
        setup
    });
    Ok(Collection {
        title: file.title,
        author: file.author,
        properties: file.properties,
        setups: setups.collect(),
    })
}

/// The error of the parser in our words.
fn refusal(text: &str, error: &serde_json::Error) -> FormatError {
    let line = error.line().max(1);
    let bytes = text.lines().nth(line - 1).unwrap_or_default().as_bytes();
    let before = &bytes[..error.column().saturating_sub(1).min(bytes.len())];
    let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(head, _)| head);
    let (found, expected) = message
        .split_once(MARK)
        .unwrap_or((message, "a collection in Puzzleyard's JSON form"));
    FormatError {
        line: line as u32,
        column: column as u32,
        found: found.into(),
        expected: expected.into(),
    }
}

/// The canonical JSON of `collection`.
pub fn write(collection: &Collection) -> String {
    let levels = collection.setups.iter().map(|setup| {
        let area = setup.area();
        let squares: Vec<Square> = area.cells().map(|cell| setup.square(cell)).collect();
        let mut board: Vec<Row> = squares
            .chunks(usize::from(area.width()).max(1))
            .map(|row| Row(row.to_vec()))
            .collect();
        board.resize_with(usize::from(area.height()), || Row(Vec::new()));
        Level {
            title: setup.title.clone(),
            author: setup.author.clone(),
            comment: setup.comment.clone(),
            properties: setup.properties.clone(),
            board,
            answers: setup.answers.clone(),
        }
    });
    let file = File {
        puzzleyard: KIND.into(),
        version: VERSION,
        title: collection.title.clone(),
        author: collection.author.clone(),
        properties: collection.properties.clone(),
        levels: levels.collect(),
    };
    // Strings, numbers and lists always have a JSON form, so the default is never taken.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}
