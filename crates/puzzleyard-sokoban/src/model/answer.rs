//! Answers: sequences of steps, written in LURD.

use std::fmt;

use puzzleyard_core::Direction;

/// One step of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where to.
    pub way: Direction,
    /// Whether a box is pushed.
    pub push: bool,
}

/// A sequence of steps. Prints as LURD: `l u r d` for walking, `L U R D` for pushing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Answer {
    steps: Vec<Step>,
}

impl Answer {
    /// An answer of these steps.
    pub fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }

    /// The steps, first to last.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Number of steps, pushes among them.
    pub fn moves(&self) -> usize {
        self.steps.len()
    }

    /// Number of pushes.
    pub fn pushes(&self) -> usize {
        self.steps.iter().filter(|step| step.push).count()
    }

    /// The steps as capital letters only, as the first contract wants them.
    pub fn keys(&self) -> String {
        self.steps.iter().map(|step| step.way.letter()).collect()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        self.steps.iter().try_for_each(|step| {
            let letter = step.way.letter();
            f.write_char(if step.push {
                letter
            } else {
                letter.to_ascii_lowercase()
            })
        })
    }
}
