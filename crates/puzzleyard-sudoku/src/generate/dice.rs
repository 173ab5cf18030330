//! The random numbers of one puzzle, in order.

use puzzleyard_core::Stream;

/// Draws one after the other from a stream of its own.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    stream: Stream,
    counter: u64,
}

impl Dice {
    /// The dice of puzzle `index`. `of_spec` is the stream of seed and spec.
    pub(super) fn new(of_spec: &Stream, index: u64) -> Self {
        Self {
            stream: Stream::new(of_spec.number(index), "puzzleyard sudoku puzzle"),
            counter: 0,
        }
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.counter += 1;
        self.stream.below(self.counter, bound as u64) as usize
    }

    /// Puts a slice into random order, every order equally likely (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
