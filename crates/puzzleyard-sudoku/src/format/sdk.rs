//! `SadMan`'s `.sdk`: `#` headers, then `[Puzzle]` and perhaps `[State]`, a row a line.

use std::collections::VecDeque;
use std::io::BufRead;

use super::grid::Collector;
use super::source::Lines;
use super::{Entry, Fault, bare_title, quoted};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Puzzle,
    State,
    /// A section that is not read, such as pencil marks.
    Other,
}

#[derive(Debug)]
pub(super) struct SdkReader<R> {
    lines: Lines<R>,
    text: String,
    section: Section,
    collector: Collector,
    /// What the collector has finished.
    boards: VecDeque<Result<Entry, Fault>>,
    /// The description of the puzzle to come.
    title: Option<String>,
    /// A puzzle whose state may still follow.
    pending: Option<Entry>,
    ready: VecDeque<Result<Entry, Fault>>,
    ended: bool,
}

impl<R: BufRead> SdkReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            lines: Lines::new(inner),
            text: String::new(),
            section: Section::Puzzle,
            collector: Collector::default(),
            boards: VecDeque::new(),
            title: None,
            pending: None,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    pub(super) fn step(&mut self) -> Option<Result<Entry, Fault>> {
        while self.ready.is_empty() && !self.ended {
            match self.lines.next(&mut self.text) {
                None => {
                    self.ended = true;
                    self.finish_board(self.lines.number() + 1);
                    self.finish_entry();
                }
                Some(Err(fault)) => {
                    self.finish_board(self.lines.number());
                    self.ready.push_back(Err(fault));
                }
                Some(Ok(())) => self.line(),
            }
        }
        self.ready.pop_front()
    }

    fn line(&mut self) {
        let number = self.lines.number();
        let text = std::mem::take(&mut self.text);
        let plain = text.trim();
        if let Some(header) = plain.strip_prefix('#') {
            self.finish_board(number);
            self.finish_entry();
            self.section = Section::Puzzle;
            if let Some(description) = header.strip_prefix('D') {
                self.title = bare_title(description);
            }
        } else if plain.starts_with('[') {
            self.open_section(plain, number);
        } else if self.section != Section::Other {
            self.collector.feed(&text, number, &mut self.boards);
            self.sort();
        }
        self.text = text;
    }

    fn open_section(&mut self, plain: &str, number: u64) {
        self.finish_board(number);
        let name = plain.trim_start_matches('[').split(']').next();
        self.section = match name.unwrap_or_default().to_ascii_lowercase().as_str() {
            "puzzle" => {
                self.finish_entry();
                Section::Puzzle
            }
            "state" => Section::State,
            "pencilmarks" | "userpencilmarks" | "marks" | "solution" | "colors" | "log" => {
                Section::Other
            }
            _ => {
                self.ready.push_back(Err(Fault::new(
                    number,
                    1,
                    format!("the section {}", quoted(plain)),
                    "[Puzzle] or [State]",
                )));
                Section::Other
            }
        };
    }

    fn finish_board(&mut self, number: u64) {
        self.collector.end(number, &mut self.boards);
        self.sort();
    }

    /// Gives each finished board its place in an entry.
    fn sort(&mut self) {
        while let Some(item) = self.boards.pop_front() {
            match (item, self.section) {
                (Err(fault), _) => {
                    self.finish_entry();
                    self.ready.push_back(Err(fault));
                }
                (Ok(entry), Section::State) => self.state(entry),
                (Ok(mut entry), _) => {
                    self.finish_entry();
                    entry.title = self.title.take();
                    self.pending = Some(entry);
                }
            }
        }
    }

    fn state(&mut self, entry: Entry) {
        match &mut self.pending {
            Some(pending) if pending.state.is_none() => {
                if pending.board.shape() == entry.board.shape() {
                    pending.state = Some(entry.board);
                    return;
                }
                let fault = Fault::new(
                    entry.line,
                    1,
                    format!("a state of {}", entry.board.shape()),
                    format!("{}, as the puzzle", pending.board.shape()),
                );
                self.finish_entry();
                self.ready.push_back(Err(fault));
            }
            _ => self.ready.push_back(Err(Fault::new(
                entry.line,
                1,
                "a state without a puzzle",
                "a [Puzzle] section before its [State]",
            ))),
        }
    }

    fn finish_entry(&mut self) {
        if let Some(entry) = self.pending.take() {
            self.ready.push_back(Ok(entry));
        }
    }
}
