//! Directions and other acts in words.

use puzzleyard_core::Direction;

/// What one cell of text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A direction spelled out: `Left`, `K_LEFT`, `arrow-left`, `←`.
    Spelled(Direction),
    /// A direction as one letter. Beside spelled ones a letter is some other key.
    Letter(Direction),
    /// A step is taken back.
    Undo,
    /// The level begins anew.
    Restart,
    /// A step was refused, or the row is not about a step.
    NoStep,
    /// The level is solved.
    Solved,
}

/// Words around a direction that add nothing.
const NOISE: [&str; 22] = [
    "k",
    "key",
    "keys",
    "arrow",
    "arrowkey",
    "cursor",
    "pygame",
    "xk",
    "vk",
    "kp",
    "dir",
    "direction",
    "move",
    "moved",
    "push",
    "pushed",
    "step",
    "walk",
    "keydown",
    "keypress",
    "pressed",
    "go",
];
const UNDO: [&str; 7] = [
    "undo",
    "undone",
    "backspace",
    "takeback",
    "unmove",
    "revert",
    "撤销",
];
const RESTART: [&str; 5] = ["restart", "restarted", "reset", "retry", "重来"];
const NO_STEP: [&str; 26] = [
    "blocked", "block", "wall", "bump", "bumped", "illegal", "invalid", "rejected", "refused",
    "ignored", "noop", "nomove", "fail", "failed", "start", "started", "init", "load", "loaded",
    "quit", "exit", "info", "keyup", "released", "ready", "denied",
];
const SOLVED: [&str; 9] = [
    "solved",
    "solve",
    "won",
    "win",
    "complete",
    "completed",
    "victory",
    "finished",
    "success",
];

/// What `text` says, or `None` if it is none of the words known here.
pub(super) fn word(text: &str) -> Option<Word> {
    if text.len() > 64 {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|letter| *letter != '\u{fe0f}' && *letter != '\u{fe0e}')
        .flat_map(char::to_lowercase)
        .collect();
    if let Some(way) =
        glyph(plain.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\''))
    {
        return Some(Word::Spelled(way));
    }
    let mut found = None;
    for part in plain
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty() && !NOISE.contains(part))
    {
        let one = part_word(part)?;
        if found.is_some_and(|before| before != one) {
            return None;
        }
        found = Some(one);
    }
    found
}

/// The direction that `text` names by itself.
pub(super) fn direction(text: &str) -> Option<Direction> {
    match word(text)? {
        Word::Spelled(way) | Word::Letter(way) => Some(way),
        _ => None,
    }
}

/// The only direction that a sentence spells out; `None` if it says that there was no step.
pub(super) fn said(text: &str) -> Option<Direction> {
    let mut found = None;
    for part in text
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
    {
        let way = match part_word(part) {
            Some(Word::Spelled(way)) => way,
            Some(Word::NoStep) if part != "info" => return None,
            _ => continue,
        };
        if found.is_some_and(|before| before != way) {
            return None;
        }
        found = Some(way);
    }
    found
}

fn part_word(part: &str) -> Option<Word> {
    let mut letters = part.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Direction::from_letter(letter).map(Word::Letter);
    }
    for (name, way) in [
        ("left", Direction::Left),
        ("right", Direction::Right),
        ("up", Direction::Up),
        ("down", Direction::Down),
        ("west", Direction::Left),
        ("east", Direction::Right),
        ("north", Direction::Up),
        ("south", Direction::Down),
    ] {
        let rest = part.strip_suffix(name).or_else(|| part.strip_prefix(name));
        if rest.is_some_and(|rest| rest.is_empty() || NOISE.contains(&rest)) {
            // `keyup` is the end of a key press far more often than the key `up`.
            return Some(if part == "keyup" {
                Word::NoStep
            } else {
                Word::Spelled(way)
            });
        }
    }
    [
        (&UNDO[..], Word::Undo),
        (&RESTART[..], Word::Restart),
        (&NO_STEP[..], Word::NoStep),
        (&SOLVED[..], Word::Solved),
    ]
    .into_iter()
    .find_map(|(words, word)| words.contains(&part).then_some(word))
}

fn glyph(text: &str) -> Option<Direction> {
    let mut letters = text.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    Some(match letter {
        '←' | '⬅' | '⇐' | '⇦' | '◀' | '◄' | '<' | '左' | '西' => Direction::Left,
        '→' | '➡' | '⇒' | '⇨' | '▶' | '►' | '>' | '右' | '东' => Direction::Right,
        '↑' | '⬆' | '⇑' | '⇧' | '▲' | '^' | '上' | '北' => Direction::Up,
        '↓' | '⬇' | '⇓' | '⇩' | '▼' | '下' | '南' => Direction::Down,
        _ => return None,
    })
}

/// Whether `text` says yes or no.
pub(super) fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "y" | "t" | "是" => Some(true),
        "0" | "false" | "no" | "n" | "f" | "否" => Some(false),
        _ => None,
    }
}

/// Reads tokens of unknown meaning beside the known answer: each new token is taken to mean
/// the step that stands at its place, then keeps that meaning. `None` if two tokens would
/// mean one direction, or there are more than four.
///
/// The tokens may be fewer or more than `expected`. The second value is how many agree with
/// `expected` from the beginning.
pub(super) fn learn(tokens: &[&str], expected: &[Direction]) -> Option<(Vec<Direction>, usize)> {
    let mut meaning: Vec<(&str, Direction)> = Vec::new();
    let mut ways = Vec::with_capacity(tokens.len());
    for (at, &token) in tokens.iter().enumerate() {
        let known = meaning.iter().find(|(known, _)| *known == token);
        let way = match (known, expected.get(at)) {
            (Some(&(_, way)), _) => way,
            (None, Some(&way)) if meaning.iter().all(|&(_, taken)| taken != way) => {
                meaning.push((token, way));
                way
            }
            _ => return None,
        };
        ways.push(way);
    }
    let agreed = ways
        .iter()
        .zip(expected)
        .take_while(|(a, b)| a == b)
        .count();
    Some((ways, agreed))
}

#[cfg(test)]
mod tests {
    use puzzleyard_core::Direction::{self, Down, Left, Right, Up};

    use super::{Word, learn, word};

    #[test]
    fn words_of_many_games() {
        let rows = [
            ("L", Some(Word::Letter(Left))),
            ("u", Some(Word::Letter(Up))),
            ("Left", Some(Word::Spelled(Left))),
            ("LEFT", Some(Word::Spelled(Left))),
            ("K_LEFT", Some(Word::Spelled(Left))),
            ("pygame.K_DOWN", Some(Word::Spelled(Down))),
            ("arrow-left", Some(Word::Spelled(Left))),
            ("ArrowRight", Some(Word::Spelled(Right))),
            ("push right", Some(Word::Spelled(Right))),
            ("Direction.UP", Some(Word::Spelled(Up))),
            ("⬆️", Some(Word::Spelled(Up))),
            ("→", Some(Word::Spelled(Right))),
            ("undo", Some(Word::Undo)),
            ("K_BACKSPACE", Some(Word::Undo)),
            ("Restart", Some(Word::Restart)),
            ("blocked", Some(Word::NoStep)),
            ("SOLVED!", Some(Word::Solved)),
            ("", None),
            ("move", None),
            ("left right", None),
            ("7", None),
            ("lurd", None),
            ("level_1.sok", None),
        ];
        for (text, expected) in rows {
            assert_eq!(word(text), expected, "{text:?}");
        }
    }

    type Row = (&'static [&'static str], Option<(Vec<Direction>, usize)>);

    #[test]
    fn tokens_take_their_meaning_from_the_answer_and_keep_it() {
        let expected = [Right, Right, Down, Left];
        let rows: [Row; 4] = [
            (&["3", "3", "1"], Some((vec![Right, Right, Down], 3))),
            (&["3", "3", "3"], Some((vec![Right, Right, Right], 2))),
            (&["3", "4"], None),
            (&["a", "a", "b", "c", "d"], None),
        ];
        for (tokens, outcome) in rows {
            assert_eq!(learn(tokens, &expected), outcome, "{tokens:?}");
        }
    }
}
