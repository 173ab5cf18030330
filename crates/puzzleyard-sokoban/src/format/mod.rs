//! Text to setups and back.
//!
//! Each format has a module that says what it accepts and the one canonical form that it
//! writes. [`read`] tells them apart by content. Limits at the door: 64 MiB, 16,000,000
//! lines, 1,000,000 levels, boards of 1,000 x 1,000 (validation refuses more than 255).

use crate::model::Setup;

mod board;
mod glyph;
pub mod json;
mod layout;
pub mod lurd;
pub mod rle;
pub mod slc;
pub mod sok;
mod source;
mod words;
pub mod xsb;

/// The longest input that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// The most lines that are read.
pub const MAX_LINES: usize = 16_000_000;
/// The most levels that a collection may have.
pub const MAX_LEVELS: usize = 1_000_000;
/// The most rows, and the most columns, of a board that is read.
pub const MAX_SIDE: usize = 1000;

/// A file of levels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The collection's name, if any.
    pub title: Option<String>,
    /// Who made it, if known.
    pub author: Option<String>,
    /// Other headers, in order. `Comment` may have several lines.
    pub properties: Vec<(String, String)>,
    /// The levels, in the order of the file.
    pub setups: Vec<Setup>,
}

/// Text that is not in the format it should be in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {found}, expected {expected}")]
pub struct FormatError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What stands there.
    pub found: String,
    /// What would be right.
    pub expected: String,
}

impl FormatError {
    /// An error that concerns the file as a whole.
    fn at_start(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            line: 1,
            column: 1,
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// The forms that collections are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// [`xsb`].
    Xsb,
    /// [`sok`].
    Sok,
    /// [`rle`].
    Rle,
    /// [`json`].
    Json,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Xsb, Self::Sok, Self::Rle, Self::Json];

    /// The name on the command line, which is the usual file extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xsb => "xsb",
            Self::Sok => "sok",
            Self::Rle => "rle",
            Self::Json => "json",
        }
    }
}

/// Reads levels in any of the formats, told apart by their content: JSON begins with `{` and
/// a quotation mark, `.slc` with `<` and names its elements; everything else is text with
/// boards in it.
///
/// # Errors
/// The first place that the format cannot explain; input beyond the limits; input without
/// any level.
pub fn read(bytes: &[u8]) -> Result<Collection, FormatError> {
    let text = source::decode(bytes)?;
    let start = text.trim_start();
    if let Some(rest) = start.strip_prefix('{')
        && (rest.trim_start().is_empty() || rest.trim_start().starts_with(['"', '}']))
    {
        return json::read(&text);
    }
    let marks = ["<?xml", "<!"].iter().any(|mark| start.starts_with(mark));
    let elements = || {
        ["<SokobanLevels", "<Level"]
            .iter()
            .any(|name| start.contains(name))
    };
    if start.starts_with('<') && (marks || elements()) {
        return slc::read(&text);
    }
    xsb::read(&text)
}

/// The canonical text of `collection` in `form`.
pub fn write(collection: &Collection, form: Form) -> String {
    match form {
        Form::Xsb => xsb::write(collection),
        Form::Sok => sok::write(collection),
        Form::Rle => rle::write(collection),
        Form::Json => json::write(collection),
    }
}
