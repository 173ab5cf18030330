//! Each kind as found in the wild, by hand.

use puzzleyard_sudoku::format::{Kind, Reader};
use puzzleyard_sudoku::{Board, Grid, Shape};

use super::claims::read;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const FULL: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn board(line: &str) -> Board {
    Board::from(line.parse::<Grid>().unwrap())
}

/// Reads a text without being told the kind.
fn only(text: &str, kind: Kind) -> puzzleyard_sudoku::format::Entry {
    assert_eq!(Reader::new(text.as_bytes()).kind(), kind, "{text}");
    let (mut entries, faults) = read(None, text.as_bytes());
    assert_eq!(faults, [], "{text}");
    assert_eq!(entries.len(), 1, "{text}");
    entries.remove(0)
}

#[test]
fn lines_with_all_their_trimmings() {
    let solved = |tail: &str| only(&format!("{LINE}{tail}"), Kind::Line);
    for (tail, title) in [
        ("", None),
        ("\r\n", None),
        (" ; a remark", Some("a remark")),
        ("\t7.2", Some("7.2")),
        (",12,x", Some("12,x")),
        (" # 3 # 4", Some("3 # 4")),
    ] {
        let entry = solved(tail);
        assert_eq!((entry.board, entry.solution), (board(LINE), None), "{tail}");
        assert_eq!(entry.title.as_deref(), title, "{tail}");
    }
    for tail in [
        format!(",{FULL}"),
        format!("\t{FULL}\n"),
        format!(" {FULL} ; easy"),
        format!(";{FULL};easy"),
    ] {
        let entry = solved(&tail);
        assert_eq!(entry.solution, Some(board(FULL)), "{tail}");
        assert_eq!(entry.title.is_some(), tail.contains("easy"), "{tail}");
    }
    for blank in ["0", "*", "_", "?"] {
        let text = format!("\u{feff}# head\n\n{}\n", LINE.replace('.', blank));
        let entry = only(&text, Kind::Line);
        assert_eq!((entry.board, entry.line), (board(LINE), 3));
    }
}

#[test]
fn a_digit_twice_is_read() {
    let line = "55".to_owned() + &".".repeat(79);
    assert_eq!(only(&line, Kind::Line).board, board(&line));
}

/// The rows of the puzzle, each through a function.
fn rows(line: &str, row: impl Fn(&str) -> String) -> String {
    (0..9)
        .map(|k| row(&line[k * 9..k * 9 + 9]) + "\n")
        .collect()
}

fn spaced(row: &str) -> String {
    row.chars().flat_map(|c| [c, ' ']).collect()
}

fn walled(row: &str) -> String {
    let part = |k: usize| spaced(&row[k * 3..k * 3 + 3]);
    format!("| {}| {}| {}|", part(0), part(1), part(2))
}

#[test]
fn grids_with_all_their_borders() {
    let compact = rows(LINE, str::to_owned);
    let bands: Vec<&str> = compact.split_inclusive('\n').collect();
    let paragraphs = [&bands[..3], &bands[3..6], &bands[6..]].map(<[&str]>::concat);
    let lined = |line: &str, border: &str| {
        let all = rows(line, walled);
        let parts: Vec<&str> = all.split_inclusive('\n').collect();
        [&parts[..3], &parts[3..6], &parts[6..]]
            .map(|band| format!("{border}\n{}", band.concat()))
            .concat()
            + border
            + "\n"
    };
    let boxes = lined(LINE, "+-------+-------+-------+");
    let labelled = "  1 2 3 | 4 5 6 | 7 8 9\n".to_owned()
        + &(0..9)
            .map(|k| {
                let letter = char::from(b'A' + k as u8);
                let rule = if k % 3 == 2 && k < 8 {
                    "  ------+-------+------\n"
                } else {
                    ""
                };
                let row = &LINE[k * 9..k * 9 + 9];
                let parts = [0, 3, 6].map(|at| spaced(&row[at..at + 3]));
                format!("{letter} {}| {}| {}\n{rule}", parts[0], parts[1], parts[2])
            })
            .collect::<Vec<String>>()
            .concat();
    for text in [
        compact.clone(),
        rows(LINE, spaced),
        rows(&LINE.replace('.', "0"), |row| {
            row.replace("", ",").trim_matches(',').to_owned()
        }),
        paragraphs.join("\n"),
        boxes.clone(),
        boxes
            .replace('|', "\u{2502}")
            .replace('-', "\u{2500}")
            .replace('+', "\u{253C}"),
        boxes.replace("+--", ".--").replace("--+", "--."),
        rows(LINE, walled).replace(' ', ""),
        labelled,
        spaced(LINE),
    ] {
        assert_eq!(only(&text, Kind::Grid).board, board(LINE), "{text}");
    }
    let ss = "*-----------*\n|53.|.7.|...|\n|6..|195|...|\n|.98|...|.6.|\n|---+---+---|\n\
        |8..|.6.|..3|\n|4..|8.3|..1|\n|7..|.2.|..6|\n|---+---+---|\n|.6.|...|28.|\n\
        |...|419|..5|\n|...|.8.|.79|\n*-----------*\n";
    assert_eq!(only(ss, Kind::Grid).board, board(LINE));
    // Several grids: stacked, titled, parted by blank lines.
    let text = format!("Grid 01\n{compact}Grid 02\n{compact}{compact}\n{compact}");
    let (entries, faults) = read(None, text.as_bytes());
    assert_eq!((entries.len(), faults.len()), (4, 0));
    assert_eq!(entries[1].title.as_deref(), Some("Grid 02"));
    assert_eq!(entries[3].line, 31);
}

#[test]
fn faulty_grids_do_not_lose_the_others() {
    let good = rows(LINE, str::to_owned);
    let bad = good.replacen('7', "x", 1);
    let short = good.replacen("...", "..", 1);
    for text in [
        format!("{bad}{good}"),
        format!("{bad}\n{good}"),
        format!("{short}\n{good}"),
        format!("{}\n{good}", &good[..60]),
        format!("{good}\n{}", &good[..60]),
    ] {
        let (entries, faults) = read(None, text.as_bytes());
        assert_eq!((entries.len(), faults.len()), (1, 1), "{text}\n{faults:?}");
        assert_eq!(entries[0].board, board(LINE));
    }
}

#[test]
fn sadman_files() {
    let grid = rows(LINE, str::to_owned);
    let state = rows(FULL, str::to_owned);
    let text =
        format!("#AJane\n#DThe first\n[Puzzle]\n{grid}[State]\n{state}#DSecond\n[Puzzle]\n{grid}");
    assert_eq!(Reader::new(text.as_bytes()).kind(), Kind::Sdk);
    let (entries, faults) = read(None, text.as_bytes());
    assert_eq!(faults, []);
    assert_eq!(entries[0].title.as_deref(), Some("The first"));
    assert_eq!(entries[0].state, Some(board(FULL)));
    assert_eq!(
        (entries[1].title.as_deref(), &entries[1].state),
        (Some("Second"), &None)
    );
    assert_eq!(
        only(&format!("[puzzle]\n{grid}"), Kind::Sdk).board,
        board(LINE)
    );
}

#[test]
fn tables() {
    let rest = format!("{LINE},{FULL}");
    for text in [
        format!("puzzle,solution\n{rest}\n"),
        format!("quizzes,solutions\n{rest}\n").replace('.', "0"),
        format!("id,puzzle,solution,clues,difficulty\n1,{rest},30,2.2\n"),
        format!("\"Puzzle\";\"Solution\"\n\"{LINE}\";\"{FULL}\"\n"),
        format!("source\tquestion\tanswer\trating\nx\t{LINE}\t{FULL}\t0\n"),
        format!("\"{LINE}\",\"{FULL}\",\"a \"\"b\"\"\nc\"\n"),
    ] {
        let entry = only(&text, Kind::Csv);
        assert_eq!(
            (entry.board, entry.solution),
            (board(LINE), Some(board(FULL))),
            "{text}"
        );
    }
}

#[test]
fn json_of_many_forms() {
    let cells = |line: &str, blank: &str| -> String {
        let cell = |c: char| {
            if c == '.' {
                blank.to_owned()
            } else {
                c.to_string()
            }
        };
        let row = |k: usize| {
            line[k * 9..k * 9 + 9]
                .chars()
                .map(cell)
                .collect::<Vec<_>>()
                .join(",")
        };
        format!("[[{}]]", (0..9).map(row).collect::<Vec<_>>().join("],["))
    };
    for text in [
        format!("\"{LINE}\""),
        format!("[\"{LINE}\"]"),
        format!("[{{\"puzzle\":\"{LINE}\"}}]"),
        format!("{{\"title\":1,\"puzzle\":\"{LINE}\"}}\n"),
        format!("{{\"puzzles\":[{{\"board\":{}}}]}}", cells(LINE, "null")),
        format!("{{\"puzzle\":{}}}", cells(LINE, "\"\"")),
        cells(LINE, "0"),
        cells(LINE, "\".\""),
        format!("[{}]", cells(LINE, "0")),
        cells(LINE, "0")
            .replace("],[", ",")
            .replace("[[", "[")
            .replace("]]", "]"),
        format!("[\"{}\"]", rows(LINE, str::to_owned).replace('\n', "\\n")),
        format!(
            "{{\"puzzle\":[\"{}\"]}}",
            rows(LINE, str::to_owned).trim().replace('\n', "\",\"")
        ),
    ] {
        assert_eq!(only(&text, Kind::Json).board, board(LINE), "{text}");
    }
    let text = format!(
        "{{\"puzzle\":\"{LINE}\",\"solution\":{}}}\n\"{LINE}\"\n",
        cells(FULL, "0")
    );
    let (entries, faults) = read(None, text.as_bytes());
    assert_eq!((entries.len(), faults.len()), (2, 0), "{faults:?}");
    assert_eq!(entries[0].solution, Some(board(FULL)));
    assert_eq!(read(None, b"[]"), (Vec::new(), Vec::new()));
}

#[test]
fn other_sizes() {
    assert_eq!(
        only("1234341221434321\n", Kind::Line).board.shape().size(),
        4
    );
    let six = only("123456456123231564564231312645645312", Kind::Line).board;
    assert_eq!((six.shape().box_rows(), six.shape().box_cols()), (2, 3));
    let rows: Vec<String> = (0..16)
        .map(|row| {
            (0..16)
                .map(|col| ((row + col) % 16 + 1).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let numbers = only(&rows.join("\n"), Kind::Grid).board;
    let hex: String = numbers
        .digits()
        .iter()
        .map(|&d| char::from(b"0123456789ABCDEF"[usize::from(d % 16)]))
        .collect();
    assert_eq!(numbers.shape(), Shape::new(4, 4).unwrap());
    // In hexadecimal 0 stands for 16 as soon as another glyph is the empty one.
    let mut dotted = hex.clone().into_bytes();
    dotted[0] = b'.';
    let board = only(&String::from_utf8(dotted).unwrap(), Kind::Line).board;
    assert_eq!(board.digits()[1..], numbers.digits()[1..]);
    // Rows of 16 with letters are one board, not sixteen of 4x4.
    let letters: Vec<String> = numbers
        .digits()
        .chunks(16)
        .map(|row| row.iter().map(|&d| char::from(b'A' + d - 1)).collect())
        .collect();
    assert_eq!(only(&letters.join("\n"), Kind::Grid).board, numbers);
    assert_eq!(only(&letters.concat(), Kind::Line).board, numbers);
    let twelve = only(&"123456789abc\n".repeat(12), Kind::Grid).board;
    assert_eq!(
        (twelve.shape().box_rows(), twelve.shape().box_cols()),
        (3, 4)
    );
    // Borders say where the boxes are.
    let tall = only(&"12|34|56\n".repeat(6), Kind::Grid).board;
    assert_eq!((tall.shape().box_rows(), tall.shape().box_cols()), (3, 2));
}

#[test]
fn names_promise_kinds() {
    for (name, kind) in [
        ("a.sdk", Some(Kind::Sdk)),
        ("b/c.SDM", Some(Kind::Sdm)),
        ("x.ss", Some(Kind::Ss)),
        ("x.tsv", Some(Kind::Csv)),
        ("x.jsonl", Some(Kind::Json)),
        ("x.txt", None),
        ("csv", None),
    ] {
        assert_eq!(Kind::of_name(name), kind, "{name}");
    }
    assert!(
        Kind::ALL
            .iter()
            .all(|kind| kind.name().parse() == Ok(*kind))
    );
    assert!("xml".parse::<Kind>().is_err());
}
