//! A row a line, with or without borders, spaces, row letters and a heading of columns.

mod collector;
mod row;

use std::collections::VecDeque;
use std::io::BufRead;

use super::source::Lines;
use super::{Entry, Fault};

pub(super) use collector::Collector;
pub(super) use row::{Row, parse};

/// Reads `.ss` too.
#[derive(Debug)]
pub(super) struct GridReader<R> {
    lines: Lines<R>,
    text: String,
    collector: Collector,
    ready: VecDeque<Result<Entry, Fault>>,
    ended: bool,
}

impl<R: BufRead> GridReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            lines: Lines::new(inner),
            text: String::new(),
            collector: Collector::default(),
            ready: VecDeque::new(),
            ended: false,
        }
    }

    pub(super) fn step(&mut self) -> Option<Result<Entry, Fault>> {
        while self.ready.is_empty() && !self.ended {
            match self.lines.next(&mut self.text) {
                None => {
                    self.ended = true;
                    self.collector.end(self.lines.number() + 1, &mut self.ready);
                }
                Some(Err(fault)) => {
                    self.collector.end(self.lines.number(), &mut self.ready);
                    self.ready.push_back(Err(fault));
                }
                Some(Ok(())) => {
                    self.collector
                        .feed(&self.text, self.lines.number(), &mut self.ready);
                }
            }
        }
        self.ready.pop_front()
    }
}

/// The only board of a text of several lines.
pub(super) fn single(text: &str) -> Result<Entry, Fault> {
    let mut collector = Collector::default();
    let mut ready = VecDeque::new();
    let mut number = 0;
    for line in text.lines() {
        number += 1;
        collector.feed(line, number, &mut ready);
    }
    collector.end(number + 1, &mut ready);
    let one = ready
        .pop_front()
        .unwrap_or_else(|| Err(Fault::new(1, 1, "no row of cells", "a grid, a row a line")));
    match ready.pop_front() {
        Some(Ok(entry)) => Err(Fault::new(entry.line, 1, "a second grid", "one")),
        Some(Err(fault)) if one.is_ok() => Err(fault),
        _ => one,
    }
}
