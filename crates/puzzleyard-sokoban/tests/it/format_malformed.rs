//! Malformed files, each with its own message: those that do not parse by line and column,
//! those that parse with all the faults of their board.

use std::path::PathBuf;

use puzzleyard_sokoban::format;
use puzzleyard_sokoban::rules::Level;

/// What is said of a file: the reader's error, or the faults of its first level.
fn verdict(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/malformed");
    let bytes = std::fs::read(folder.join(name)).expect(name);
    match format::read(&bytes) {
        Ok(collection) => Level::faults(&collection.setups[0]).to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn each_malformed_file_has_its_message() {
    let rows = [
        (
            "ambiguous-glyphs.txt",
            "line 1, column 1: found `X`, expected counts of players, boxes and goals that fit one glyph set; candidates: standard with `X` walls, DOS dump (`X` walls, `*` boxes)",
        ),
        (
            "archive.xsb",
            "line 1, column 1: found a ZIP archive, expected a text file of levels",
        ),
        (
            "box-outside.xsb",
            "row 4, column 2: box-unreachable: the player can never reach this box",
        ),
        (
            "dump.asm",
            "line 1, column 17: found an assembler's dump of packed levels (`db`), expected boards as rows of glyphs",
        ),
        (
            "empty.xsb",
            "line 1, column 1: found an empty file, expected rows of # @ + $ * . with floor as space, `-` or `_`",
        ),
        (
            "everything.xsb",
            "row 2, column 5: several-players: another player, the first stands at row 2, column 2; counts-differ: boxes within reach: 2, goals: 1, expected as many of each; row 3, column 6: open-boundary: the player can leave the board here, expected walls all round; row 5, column 2: box-unreachable: the player can never reach this box",
        ),
        (
            "glyph-digit.xsb",
            "line 3, column 3: found `1` in a board, expected one of # @ + $ * . - _ or space",
        ),
        (
            "glyph-latin1.xsb",
            "line 3, column 4: found `é` in a board, expected one of # @ + $ * . - _ or space",
        ),
        (
            "glyph-wide.xsb",
            "line 3, column 4: found `█` in a board, expected one of # @ + $ * . - _ or space",
        ),
        (
            "glyph.xsb",
            "line 3, column 4: found `?` in a board, expected one of # @ + $ * . - _ or space",
        ),
        (
            "goal-outside.xsb",
            "row 3, column 6: goal-unreachable: the player can never reach this goal",
        ),
        (
            "hexoban.hsb",
            "line 1, column 1: found levels of hexoban, another game, expected levels of Sokoban",
        ),
        (
            "json-cut.json",
            "line 3, column 1: found EOF while parsing a list, expected a collection in Puzzleyard's JSON form",
        ),
        (
            "json-field.json",
            "line 2, column 8: found unknown field `bord`, expected one of `title`, `author`, `comment`, `properties`, `board`, `answers`, expected a collection in Puzzleyard's JSON form",
        ),
        (
            "json-glyph.json",
            "line 2, column 28: found `?` in a board, at place 3 of the row, expected one of # @ + $ * . - _ or space",
        ),
        (
            "json-other.json",
            "line 1, column 1: found a file for \"sudoku\", expected `\"puzzleyard\": \"sokoban\"`",
        ),
        (
            "json-version.json",
            "line 1, column 1: found version 2, expected version 1",
        ),
        (
            "large.xsb",
            "too-large: 3 rows and 258 columns, expected at most 255 of each",
        ),
        (
            "more-boxes.xsb",
            "counts-differ: boxes within reach: 2, goals: 1, expected as many of each",
        ),
        (
            "more-goals.xsb",
            "counts-differ: boxes within reach: 1, goals: 2, expected as many of each",
        ),
        ("no-boxes.xsb", "nothing-to-do: no box to move"),
        (
            "no-player.xsb",
            "no-player: no player found, expected one `@` or `+`",
        ),
        (
            "one-row.xsb",
            "row 1, column 2: open-boundary: the player can leave the board here, expected walls all round; row 1, column 3: open-boundary: the player can leave the board here, expected walls all round; row 1, column 4: open-boundary: the player can leave the board here, expected walls all round",
        ),
        (
            "open.xsb",
            "row 2, column 5: open-boundary: the player can leave the board here, expected walls all round",
        ),
        (
            "rle-dangling.rle",
            "line 1, column 14: found the end of the line, expected a glyph after a count",
        ),
        (
            "rle-glyph.rle",
            "line 1, column 8: found `?` in a run-length board, expected a number, `|`, or one of # @ + $ * . - _",
        ),
        (
            "rle-huge.rle",
            "line 1, column 13: found a count beyond 1000, expected at most 1000 of a glyph",
        ),
        (
            "rle-zero.rle",
            "line 1, column 6: found a count of 0, expected a count of at least 1",
        ),
        (
            "solved.xsb",
            "nothing-to-do: every box stands on a goal at the start",
        ),
        (
            "tab-indented.xsb",
            "line 1, column 1: found a tab, expected spaces, `-` or `_` for floor",
        ),
        (
            "tab.xsb",
            "line 3, column 2: found a tab, expected spaces, `-` or `_` for floor",
        ),
        (
            "tall.xsb",
            "line 1001, column 1: found row 1001 of a board, expected at most 1000 rows",
        ),
        (
            "two-players.xsb",
            "row 2, column 5: several-players: another player, the first stands at row 2, column 2",
        ),
        (
            "utf16.xsb",
            "line 1, column 1: found UTF-16 text, expected a text file of levels",
        ),
        (
            "wide.xsb",
            "line 1, column 1001: found column 1001 of a board, expected at most 1000 columns",
        ),
        (
            "words-only.txt",
            "line 1, column 1: found no board, expected rows of # @ + $ * . with floor as space, `-` or `_`",
        ),
        (
            "xml-entities.slc",
            "line 1, column 1: found XML with DTD detected, expected an XML collection of levels (.slc)",
        ),
        (
            "xml-glyph.slc",
            "line 5, column 7: found `?` in a board, expected one of # @ + $ * . - _ or space",
        ),
        (
            "xml-no-board.slc",
            "line 3, column 3: found a level without a board, expected `L` elements with rows of glyphs",
        ),
        (
            "xml-no-level.slc",
            "line 1, column 1: found no `Level`, expected at least one level",
        ),
        (
            "xml-root.slc",
            "line 1, column 1: found the element `Levels`, expected `SokobanLevels`",
        ),
        (
            "xml-unclosed.slc",
            "line 1, column 1: found the root node was opened but never closed, expected an XML collection of levels (.slc)",
        ),
        (
            "zero-byte.xsb",
            "line 1, column 1: found binary data (a zero byte at offset 18), expected a text file of levels",
        ),
    ];
    for (name, message) in rows {
        assert_eq!(verdict(name), message, "{name}");
    }
}

/// No file without a row, no two files with the same message.
#[test]
fn every_file_is_named_once() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/malformed");
    let entries = std::fs::read_dir(folder).expect("the folder of malformed files");
    let names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let verdicts: std::collections::BTreeSet<String> =
        names.iter().map(|name| verdict(name)).collect();
    assert_eq!(names.len(), 43);
    assert_eq!(verdicts.len(), names.len());
}

/// Files that are wrong by their size alone, made here.
#[test]
fn limits_are_kept() {
    let level = "<Level><L>#@$.#</L></Level>";
    let attributes: Vec<String> = (0..300).map(|at| format!(" a{at}=''")).collect();
    let attributes = attributes.concat();
    let namespaces: Vec<String> = (0..65).map(|at| format!("<a xmlns:n{at}='u'/>")).collect();
    let namespaces = namespaces.concat();
    let rows = [
        (
            " ".repeat(format::MAX_BYTES + 1),
            "found 67108865 bytes, expected at most 67108864 bytes",
        ),
        (
            "\n".repeat(format::MAX_LINES + 1),
            "line 16000001, column 1: found another line",
        ),
        (
            "#@#\n\n".repeat(format::MAX_LEVELS + 1),
            "found another board, expected at most 1000000 levels",
        ),
        ("|#".repeat(2000), "found row 1001 of a board"),
        (
            format!("<SokobanLevels>{}", " ".repeat(16 << 20)),
            "bytes of XML, expected at most 16777216",
        ),
        (
            format!("<SokobanLevels{attributes}/>"),
            "more than 256 attributes in one tag",
        ),
        (
            format!("<SokobanLevels>{namespaces}</SokobanLevels>"),
            "more than 64 namespaces",
        ),
        (
            format!("<?xml version='1.0'?><a>{}", "<b>".repeat(2_000_000)),
            "nodes limit reached",
        ),
        (
            format!(
                "<SokobanLevels><LevelCollection>{}</LevelCollection></SokobanLevels>",
                level.replace("#@", &"#".repeat(1001))
            ),
            "found a row of 1004 columns, expected at most 1000 columns",
        ),
        (
            format!("{{\"levels\":{}", "[".repeat(100_000)),
            "invalid type",
        ),
        (
            format!(
                "{{\"puzzleyard\":\"sokoban\",\"version\":1,\"levels\":[{{\"board\":[{}]}}]}}",
                vec!["\"#\""; 1001].join(",")
            ),
            "found item 1001 of a list, expected at most 1000 items",
        ),
        (
            format!(
                "{{\"puzzleyard\":\"sokoban\",\"version\":1,\"levels\":[{{\"board\":[\"{}\"]}}]}}",
                "#".repeat(1001)
            ),
            "found a row of 1001 columns, expected at most 1000 columns",
        ),
    ];
    for (text, part) in rows {
        let message = format::read(text.as_bytes()).expect_err(part).to_string();
        assert!(message.contains(part), "{message} instead of {part}");
    }
}
