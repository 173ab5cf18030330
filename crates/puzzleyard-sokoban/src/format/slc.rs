//! `.slc`: XML collections (`SokobanLevels` with `LevelCollection`, `Level` and `L` for a row).
//!
//! Accepts: `Title`, `Description`, `Email`, `Url` and other leaf elements below the root as
//! headers (`Description` as the property `Comment`); `LevelCollection` with `Copyright` as
//! the author; `Level` with `Id` as title and `Copyright` as author, other attributes except
//! `Width` and `Height` as properties; one `L` element a row, in standard glyphs. Several
//! `LevelCollection`s are read one after the other.
//!
//! Bounds against hostile files: 16 MiB, 2,000,000 nodes, no document type declaration (hence
//! no entities but the five of XML), at most 256 `=` between two `<` and 64 `xmlns` in all:
//! the XML parser compares attributes and copies namespaces pairwise.
//!
//! It is read only; nothing here writes it.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Collection, FormatError, MAX_LEVELS, MAX_SIDE, board, layout, words};
use crate::model::Setup;

/// The longest XML that is read, in bytes.
pub const MAX_XML_BYTES: usize = 16 << 20;
const MAX_NODES: u32 = 2_000_000;
const MAX_EQUALS: usize = 256;
const MAX_NAMESPACES: usize = 64;

/// Reads an XML collection.
///
/// # Errors
/// The first place that is not XML, not this form, or no glyph; a file beyond the bounds.
pub fn read(text: &str) -> Result<Collection, FormatError> {
    refuse_hostile(text)?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        FormatError {
            line: place.row,
            column: place.col,
            found: error.to_string(),
            expected: "an XML collection of levels (.slc)".into(),
        }
    })?;
    let root = document.root_element();
    if !named(root, "SokobanLevels") {
        return Err(FormatError::at_start(
            format!("the element `{}`", root.tag_name().name()),
            "`SokobanLevels`",
        ));
    }
    let mut places = Places {
        text,
        offset: 0,
        line: 1,
        column: 1,
    };
    let mut collection = Collection::default();
    for child in root.children().filter(Node::is_element) {
        if !named(child, "LevelCollection") {
            describe(&mut collection, child);
            continue;
        }
        if let (None, Some(author)) = (&collection.author, attribute(child, "Copyright")) {
            collection.author = Some(author);
        }
        for level in child.descendants().filter(|node| named(*node, "Level")) {
            if collection.setups.len() == MAX_LEVELS {
                let found = "another level".into();
                return Err(places.error(level, 0, found, format!("at most {MAX_LEVELS} levels")));
            }
            collection.setups.push(setup(level, &mut places)?);
        }
    }
    if collection.setups.is_empty() {
        return Err(FormatError::at_start("no `Level`", "at least one level"));
    }
    Ok(collection)
}

fn named(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name().eq_ignore_ascii_case(name)
}

/// An attribute by name in any case, unless it is blank.
fn attribute(node: Node<'_, '_>, name: &str) -> Option<String> {
    let found = node
        .attributes()
        .find(|attribute| attribute.name().eq_ignore_ascii_case(name))?;
    let value = layout::one_line(found.value());
    (!value.is_empty()).then_some(value)
}

/// Puts a leaf element below the root where it belongs.
fn describe(collection: &mut Collection, node: Node<'_, '_>) {
    let lines: Vec<&str> = node
        .text()
        .unwrap_or_default()
        .trim()
        .lines()
        .map(str::trim_end)
        .collect();
    let text = lines.join("\n");
    let name = node.tag_name().name();
    if text.is_empty() {
        return;
    }
    if name.eq_ignore_ascii_case("title") && collection.title.is_none() {
        collection.title = Some(layout::one_line(&text));
    } else if name.eq_ignore_ascii_case("description") {
        collection.properties.push((words::COMMENT.into(), text));
    } else {
        collection
            .properties
            .push((name.into(), layout::one_line(&text)));
    }
}

fn setup(level: Node<'_, '_>, places: &mut Places<'_>) -> Result<Setup, FormatError> {
    let mut rows = Vec::new();
    let mut first_line = 0;
    for row in level.children().filter(|node| named(*node, "L")) {
        let (line, column) = places.of(row);
        if rows.is_empty() {
            first_line = line;
        }
        // `<L>` stands before the first glyph; attributes, which no program writes, would
        // shift the column.
        let text = row.text().unwrap_or_default();
        let text = text.trim_end_matches(['\r', '\n']);
        let squares = board::squares(text, (line, column + "<L>".len() as u32))?;
        if squares.len() > MAX_SIDE {
            let found = format!("a row of {} columns", squares.len());
            return Err(places.error(row, 0, found, format!("at most {MAX_SIDE} columns")));
        }
        rows.push(squares);
        if rows.len() > MAX_SIDE {
            let found = format!("row {} of a board", rows.len());
            return Err(places.error(row, 0, found, format!("at most {MAX_SIDE} rows")));
        }
    }
    let Some(mut setup) = board::setup_of(&rows, 0) else {
        let found = "a level without a board".into();
        return Err(places.error(level, 0, found, "`L` elements with rows of glyphs".into()));
    };
    setup.first_line = first_line;
    setup.title = attribute(level, "Id");
    setup.author = attribute(level, "Copyright");
    for other in level.attributes() {
        let known = ["Id", "Copyright", "Width", "Height"];
        if !known
            .iter()
            .any(|name| other.name().eq_ignore_ascii_case(name))
        {
            setup.properties.extend(
                attribute(level, other.name()).map(|value| (other.name().to_owned(), value)),
            );
        }
    }
    Ok(setup)
}

/// Lines and columns of nodes, asked for in the order of the document, so that the text is
/// walked through once.
struct Places<'a> {
    text: &'a str,
    offset: usize,
    line: u32,
    column: u32,
}

impl Places<'_> {
    /// Line and column, from 1, of the first character of `node`.
    fn of(&mut self, node: Node<'_, '_>) -> (u32, u32) {
        let start = node.range().start;
        if start < self.offset {
            (self.offset, self.line, self.column) = (0, 1, 1);
        }
        for letter in self.text[self.offset..start].chars() {
            self.column += 1;
            if letter == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            }
        }
        self.offset = start;
        (self.line, self.column)
    }

    fn error(
        &mut self,
        node: Node<'_, '_>,
        shift: u32,
        found: String,
        expected: String,
    ) -> FormatError {
        let (line, column) = self.of(node);
        FormatError {
            line,
            column: column + shift,
            found,
            expected,
        }
    }
}

/// Refuses what would make the XML parser slow or large.
fn refuse_hostile(text: &str) -> Result<(), FormatError> {
    if text.len() > MAX_XML_BYTES {
        return Err(FormatError::at_start(
            format!("{} bytes of XML", text.len()),
            format!("at most {MAX_XML_BYTES} bytes"),
        ));
    }
    if text.matches("xmlns").nth(MAX_NAMESPACES).is_some() {
        return Err(FormatError::at_start(
            format!("more than {MAX_NAMESPACES} namespaces"),
            "an XML collection of levels (.slc)",
        ));
    }
    let mut equals = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => equals = 0,
            b'=' => equals += 1,
            _ => {}
        }
        if equals > MAX_EQUALS {
            return Err(FormatError {
                line: text[..at].matches('\n').count() as u32 + 1,
                column: 1,
                found: format!("more than {MAX_EQUALS} attributes in one tag"),
                expected: "an XML collection of levels (.slc)".into(),
            });
        }
    }
    Ok(())
}
