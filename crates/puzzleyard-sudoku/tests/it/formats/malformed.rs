//! Malformed input, each with its own message: `tests/data/formats/malformed.txt`.

use std::collections::BTreeSet;

use super::claims::read;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const FULL: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The input of a row: `\n`, `\t`, `\xNN` as usual; `{L}` a puzzle, `{F}` its solution, `{G}`
/// its rows, `{8}` the first eight of them, `<A*N>` the letter N times.
fn input(text: &str) -> Vec<u8> {
    let rows: Vec<&str> = (0..9).map(|k| &LINE[k * 9..k * 9 + 9]).collect();
    let mut text = text
        .replace("{L}", LINE)
        .replace("{F}", FULL)
        .replace("{G}", &rows.join("\n"))
        .replace("{8}", &rows[..8].join("\n"))
        .replace("\\n", "\n")
        .replace("\\t", "\t");
    while let Some((at, end)) = text.find('<').zip(text.find('>'))
        && let Some((what, times)) = text[at + 1..end].split_once('*')
    {
        let repeated = what.repeat(times.parse().unwrap());
        text.replace_range(at..=end, &repeated);
    }
    let mut bytes = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    bytes
}

#[test]
fn each_malformed_input_has_its_message() {
    let table = include_str!("../../data/formats/malformed.txt");
    let (mut messages, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in table.lines().filter(|row| !row.starts_with(';')) {
        let mut fields = row.splitn(3, " => ");
        let (kind, text) = fields.next().unwrap().split_once(' ').unwrap();
        let count: usize = fields.next().unwrap().parse().unwrap();
        let wanted = fields.next().unwrap();
        let (entries, faults) = read(kind.parse().ok(), &input(text));
        let found = faults
            .first()
            .map_or("no fault".to_owned(), ToString::to_string);
        if found != wanted || entries.len() != count {
            wrong.push(format!("{kind} {text} => {} => {found}", entries.len()));
        }
        messages.insert(wanted);
    }
    assert!(
        wrong.is_empty(),
        "these are different now:\n{}",
        wrong.join("\n")
    );
    assert!(messages.len() >= 40, "{} messages", messages.len());
}
