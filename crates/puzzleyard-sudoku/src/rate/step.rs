//! One step: what it does, what to highlight, and the structure its reason is told from.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::chains::{Chains, Link};
use super::pencil::Pencil;
use super::technique::Technique;
use crate::model::cell_name;

/// A step of a solution path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// Its score in tenths: 12 is 1.2.
    pub score: u16,
    /// The digit it places, if it places one: cell `0..81`, digit `1..=9`.
    pub place: Option<(usize, u8)>,
    /// The candidates it strikes. Those that a placed digit strikes are not named.
    pub remove: Vec<(usize, u8)>,
    /// What to highlight.
    pub marks: Marks,
    pub(super) cause: Cause,
}

/// What to highlight to show a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// The cells that make the pattern.
    pub cells: Vec<usize>,
    /// The candidates that make the pattern, the struck ones not included.
    pub candidates: Vec<(usize, u8)>,
}

/// The structure a reason is told from. Units are indices, cells are sets of 81 bits, digits
/// are masks of bits 1 to 9 where they are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The digit fits only here in the unit.
    Hidden { unit: usize },
    /// Only this digit is left in the cell.
    Naked,
    /// The places of the digit in `home` lie in `other`; then a single in `single`.
    Locked {
        digit: usize,
        home: usize,
        other: usize,
        single: Option<usize>,
    },
    /// The cells have these digits only.
    NakedSet {
        unit: usize,
        cells: u128,
        digits: u16,
    },
    /// The digits have these cells only; then a single in the same unit.
    HiddenSet {
        unit: usize,
        cells: u128,
        digits: u16,
        single: bool,
    },
    /// The digit's places in the bases lie in the covers, both sets of units.
    Fish {
        digit: usize,
        bases: u32,
        covers: u32,
    },
    /// Whichever way the pivot falls, one of the wings (or the pivot) is the digit.
    Wing {
        pivot: usize,
        wings: [usize; 2],
        digit: usize,
    },
    /// A ring that must not hold the pair alone.
    Loop {
        ring: u128,
        pair: u16,
        escape: Escape,
    },
    /// A grave that must be avoided.
    Grave {
        rich: u128,
        extra: u16,
        escape: Escape,
    },
    /// Combinations of the base cells checked against cells that see them all.
    Aligned { base: u128, seen: u128 },
    /// Implications.
    Chains(Box<Chains>),
    /// The search refutes everything else.
    Trial,
}

/// How a pattern with two solutions is kept out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// One cell is left to break it.
    Single { cell: usize },
    /// One of the cells holds the digit.
    Digit { digit: usize, cells: u128 },
    /// One of two cells holds the digit, since the unit has no other place for it.
    Confined {
        unit: usize,
        digit: usize,
        cells: u128,
    },
    /// The surplus digits of the cells make a naked set with other cells.
    Set {
        unit: usize,
        digits: u16,
        set: u128,
        cells: u128,
    },
}

impl Step {
    /// A step that places a digit.
    pub(super) fn placing(
        technique: Technique,
        score: u16,
        place: (usize, u8),
        cause: Cause,
    ) -> Self {
        Self {
            technique,
            score,
            place: Some(place),
            remove: Vec::new(),
            marks: Marks {
                cells: vec![place.0],
                candidates: Vec::new(),
            },
            cause,
        }
    }

    /// A step that strikes candidates.
    pub(super) fn striking(
        technique: Technique,
        score: u16,
        remove: Vec<(usize, u8)>,
        cause: Cause,
    ) -> Self {
        Self {
            technique,
            score,
            place: None,
            remove,
            marks: Marks::default(),
            cause,
        }
    }

    /// The same step with these cells marked, and the candidates among `digits` in them.
    pub(super) fn marking(mut self, pencil: &Pencil, cells: u128, digits: u16) -> Self {
        self.marks.cells = super::geometry::bits(cells).collect();
        self.marks.candidates = pencil.within(cells, digits);
        self.marks
            .candidates
            .retain(|candidate| !self.remove.contains(candidate));
        self
    }

    /// The branches of implications of a chain, each ending in what they all lead to; empty
    /// for other techniques.
    pub fn branches(&self) -> &[Vec<Link>] {
        match &self.cause {
            Cause::Chains(chains) => &chains.branches,
            _ => &[],
        }
    }

    /// Whether the step rests on the puzzle having one solution only.
    pub fn assumes_unique(&self) -> bool {
        self.technique.assumes_unique()
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = |list: &[(usize, u8)], sign: &str| -> Vec<String> {
            list.iter()
                .map(|&(cell, digit)| format!("{}{sign}{digit}", cell_name(cell)))
                .collect()
        };
        let cells: Vec<String> = self.marks.cells.iter().copied().map(cell_name).collect();
        let place = self.place.map(|place| pairs(&[place], "=").concat());
        let mut map = serializer.serialize_struct("Step", 8)?;
        map.serialize_field("technique", &self.technique)?;
        map.serialize_field("score", &(f64::from(self.score) / 10.0))?;
        map.serialize_field("assumes_unique", &self.assumes_unique())?;
        map.serialize_field("place", &place)?;
        map.serialize_field("remove", &pairs(&self.remove, "!="))?;
        map.serialize_field("cells", &cells)?;
        map.serialize_field("candidates", &pairs(&self.marks.candidates, "="))?;
        map.serialize_field("reason", &self.reason())?;
        map.end()
    }
}
