//! Lines of 81 characters straight to grids, many at a time.

use std::io::BufRead;

use super::source::Lines;
use super::{Fault, line};
use crate::model::Grid;

/// A stretch of a file: its grids and its faults, both in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The grids.
    pub grids: Vec<Grid>,
    /// The line of each grid, from 1.
    pub lines: Vec<u64>,
    /// What could not be read, by line.
    pub faults: Vec<Fault>,
}

impl Block {
    fn is_empty(&self) -> bool {
        self.grids.is_empty() && self.faults.is_empty()
    }

    fn len(&self) -> usize {
        self.grids.len() + self.faults.len()
    }
}

/// Yields a file of 9x9 puzzles, one a line, in [`Block`]s. Reads what [`Kind::Line`] reads,
/// but drops solutions and remarks; a board of another size is a fault.
///
/// [`Kind::Line`]: super::Kind::Line
///
/// ```
/// use puzzleyard_sudoku::format::Blocks;
///
/// let text = format!("{}\n# remark\n{} easy\n12\n", "1".repeat(81), ".".repeat(81));
/// let block = Blocks::new(text.as_bytes(), 1000).next().unwrap();
/// assert_eq!(block.lines, [1, 3]);
/// assert_eq!(block.faults[0].line, 4);
/// ```
#[derive(Debug)]
pub struct Blocks<R> {
    lines: Lines<R>,
    text: String,
    most: usize,
    done: bool,
}

impl<R: BufRead> Blocks<R> {
    /// Blocks of at most `most` grids and faults (at least 1, at most 2^20).
    pub fn new(inner: R, most: usize) -> Self {
        Self {
            lines: Lines::new(inner),
            text: String::new(),
            most: most.clamp(1, 1 << 20),
            done: false,
        }
    }

    /// The next block into `block`, which keeps its allocations. False at the end.
    pub fn read_into(&mut self, block: &mut Block) -> bool {
        block.grids.clear();
        block.lines.clear();
        block.faults.clear();
        while !self.done && block.len() < self.most {
            let most = self.most;
            let plain = self.lines.plain::<81>(|bytes, number| {
                if block.grids.len() + block.faults.len() >= most {
                    return false;
                }
                let Some(grid) = plain(bytes) else {
                    return false;
                };
                block.grids.push(grid);
                block.lines.push(number);
                true
            });
            if let Err(fault) = plain {
                block.faults.push(fault);
                self.done = true;
                break;
            }
            if block.len() >= most {
                break;
            }
            self.slow(block);
        }
        !block.is_empty()
    }

    /// One line of any form.
    fn slow(&mut self, block: &mut Block) {
        let fault = match self.lines.next(&mut self.text) {
            None => {
                self.done = true;
                return;
            }
            Some(Err(fault)) => fault,
            Some(Ok(())) => match line::parse(&self.text, self.lines.number()) {
                None => return,
                Some(Err(fault)) => fault,
                Some(Ok(entry)) => {
                    if let Some(grid) = entry.board.classic() {
                        block.grids.push(grid);
                        block.lines.push(entry.line);
                        return;
                    }
                    Fault::new(
                        entry.line,
                        1,
                        format!("a board of {}", entry.board.shape()),
                        "81 cells for 9x9",
                    )
                }
            },
        };
        self.done = fault.fatal;
        block.faults.push(fault);
    }
}

impl<R: BufRead> Iterator for Blocks<R> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let mut block = Block::default();
        self.read_into(&mut block).then_some(block)
    }
}

/// The grid of 81 bytes that are cells and nothing else.
pub(super) fn plain(bytes: &[u8; 81]) -> Option<Grid> {
    let mut digits = [0u8; 81];
    let mut bad = 0u8;
    // Without branches, so that the compiler turns it into vector instructions.
    for (digit, &byte) in digits.iter_mut().zip(bytes) {
        let value = byte.wrapping_sub(b'0');
        let is_digit = u8::from(value <= 9);
        let is_blank = u8::from(byte == b'.')
            | u8::from(byte == b'*')
            | u8::from(byte == b'_')
            | u8::from(byte == b'?');
        *digit = value & is_digit.wrapping_neg();
        bad |= 1 ^ (is_digit | is_blank);
    }
    if bad != 0 {
        return None;
    }
    Grid::from_digits(digits).ok()
}
