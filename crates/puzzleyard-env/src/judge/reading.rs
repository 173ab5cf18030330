//! What both games share in judging: the frame of a transcript, messages, tags, numbers.

use super::Refusal;
use crate::transcript::{Cut, Transcript};

/// Longest message that is read, all messages together, and what is kept of one that is not.
const LONGEST: u64 = 1_048_576;
const TOGETHER: u64 = 67_108_864;
const KEPT: usize = 1024;

/// What a message says after thinking.
pub(super) enum Said<'a> {
    /// It is too long.
    TooLong,
    /// No tag.
    Nothing,
    /// A tag is open to the end.
    Open,
    /// A tag with something wrong in it.
    Wrong(&'a str),
    /// The content of every tag.
    Same(&'a str),
    /// The first content, and the first that differs from it.
    Different(&'a str, &'a str),
}

/// The messages of a transcript, in turn.
pub(super) struct Messages<'a> {
    texts: &'a [String],
    cut: &'a [Cut],
    use_think: bool,
    read: u64,
    next: usize,
}

impl<'a> Messages<'a> {
    /// Checks the frame.
    pub(super) fn of<P, S, R, C>(
        record: &'a Transcript<P, S, R, C>,
        game: &str,
        use_think: bool,
    ) -> Result<Self, Refusal> {
        if record.format != 1 {
            let found = record.format;
            return Err(Refusal::start(format!("format {found}, wanted 1")));
        }
        if record.game != game {
            return Err(Refusal::start(format!("not a record of {game}")));
        }
        let (said, answered) = (record.messages.len(), record.replies.len());
        if said != answered {
            return Err(Refusal::start(format!(
                "{said} messages and {answered} replies, wanted as many of both"
            )));
        }
        Ok(Self {
            texts: &record.messages,
            cut: &record.cut,
            use_think,
            read: 0,
            next: 0,
        })
    }

    /// The next message; `fits` says whether the content of a tag is well formed.
    pub(super) fn next(
        &mut self,
        fits: impl Fn(&str) -> bool,
    ) -> Option<Result<Said<'a>, Refusal>> {
        let text = self.texts.get(self.next)?;
        self.next += 1;
        let turn = self.next as u32;
        let mut length = text.len() as u64;
        if let Some((cut, rest)) = self.cut.split_first()
            && cut.turn == turn
        {
            self.cut = rest;
            let readable = cut.bytes <= LONGEST && self.read + cut.bytes <= TOGETHER;
            if readable || text.len() > KEPT || length > cut.bytes {
                return Some(Err(Refusal::Turn {
                    turn,
                    field: "cut message",
                    found: format!("{length} of {} bytes", cut.bytes),
                    wanted: "the whole message, or the start of one too long to read".to_owned(),
                }));
            }
            length = cut.bytes;
        }
        if length > LONGEST || self.read + length > TOGETHER {
            return Some(Ok(Said::TooLong));
        }
        self.read += length;
        let text = match text.rsplit_once("</think>") {
            Some((_, after)) if self.use_think => after,
            None if self.use_think => "",
            _ => text.as_str(),
        };
        Some(Ok(said(text, fits)))
    }

    /// Whether every cut was at a turn that there is.
    pub(super) fn finish(&self) -> Result<(), Refusal> {
        match self.cut.first() {
            None => Ok(()),
            Some(cut) => Err(Refusal::start(format!(
                "the cut at turn {} is out of order or beyond the last turn",
                cut.turn
            ))),
        }
    }
}

/// Splits at closing tags: what a piece holds after its first opening tag is a content.
fn said(text: &str, fits: impl Fn(&str) -> bool) -> Said<'_> {
    let mut pieces: Vec<&str> = text.split("</move>").collect();
    let tail = pieces.pop().unwrap_or("");
    let contents: Vec<&str> = pieces
        .into_iter()
        .filter_map(|piece| piece.split_once("<move>").map(|(_, content)| content))
        .collect();
    if let Some(wrong) = contents.iter().find(|content| !fits(content)) {
        return Said::Wrong(wrong);
    }
    if tail.contains("<move>") {
        return Said::Open;
    }
    match contents.first() {
        None => Said::Nothing,
        Some(first) => match contents.iter().find(|content| content != &first) {
            None => Said::Same(first),
            Some(other) => Said::Different(first, other),
        },
    }
}

/// The start of a foreign text, without control characters.
pub(super) fn start_of(text: &str) -> String {
    let all: Vec<char> = text.chars().take(21).collect();
    let shown = all
        .iter()
        .take(20)
        .map(|c| if c.is_control() { '?' } else { *c });
    shown.collect::<String>() + if all.len() > 20 { "..." } else { "" }
}

/// Whether a number of points is this many millionths.
pub(super) fn is_points(found: f64, millionths: i64) -> bool {
    (found * 1e6 - millionths as f64).abs() < 0.01
}

/// Millionths as points.
pub(super) fn points(millionths: i64) -> f64 {
    millionths as f64 / 1e6
}

/// Compares a field of a reply.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(
    turn: u32,
    field: &'static str,
    found: &T,
    wanted: &T,
) -> Result<(), Refusal> {
    if found == wanted {
        return Ok(());
    }
    Err(Refusal::Turn {
        turn,
        field,
        found: format!("{found:?}"),
        wanted: format!("{wanted:?}"),
    })
}

/// Compares the text of a reply; a refusal shows the first line that differs.
pub(super) fn same_text(turn: u32, found: &str, wanted: &str) -> Result<(), Refusal> {
    if found == wanted {
        return Ok(());
    }
    let (mut left, mut right) = (found.split('\n'), wanted.split('\n'));
    let shown = |line: Option<&str>| match line {
        Some(line) => format!("{:?}", line.chars().take(200).collect::<String>()),
        None => "nothing".to_owned(),
    };
    let mut number = 0;
    loop {
        number += 1;
        let (here, there) = (left.next(), right.next());
        if here != there {
            return Err(Refusal::Turn {
                turn,
                field: "text",
                found: format!("{} in line {number}", shown(here)),
                wanted: shown(there),
            });
        }
    }
}

/// Compares the score part by part: name, claim, millionths.
pub(super) fn same_score(rows: &[(&'static str, f64, i64)]) -> Result<(), Refusal> {
    match rows
        .iter()
        .find(|(_, found, wanted)| !is_points(*found, *wanted))
    {
        None => Ok(()),
        Some(&(part, found, wanted)) => Err(Refusal::Score {
            part,
            found,
            wanted: points(wanted),
        }),
    }
}
