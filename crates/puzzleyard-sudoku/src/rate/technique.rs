//! The names of the techniques and their base scores.

use std::fmt;

/// A way to place a digit or to strike candidates, easiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Technique {
    /// The only empty cell of a unit.
    LastCell,
    /// The only cell of a box for a digit.
    HiddenSingleBox,
    /// The only cell of a row or column for a digit.
    HiddenSingleLine,
    /// Pointing that leaves a hidden single at once.
    DirectPointing,
    /// Claiming that leaves a hidden single at once.
    DirectClaiming,
    /// A hidden pair that leaves a hidden single at once.
    DirectHiddenPair,
    /// The only digit of a cell.
    NakedSingle,
    /// A hidden triplet that leaves a hidden single at once.
    DirectHiddenTriplet,
    /// The places of a digit in a box lie in one line.
    Pointing,
    /// The places of a digit in a line lie in one box.
    Claiming,
    /// Two cells of a unit with the same two candidates.
    NakedPair,
    /// Two rows and two columns of one digit.
    XWing,
    /// Two digits with two places in a unit.
    HiddenPair,
    /// Three cells of a unit with three candidates.
    NakedTriplet,
    /// Three rows and three columns of one digit.
    Swordfish,
    /// Three digits with three places in a unit.
    HiddenTriplet,
    /// A cell `xy` between `xz` and `yz`.
    XyWing,
    /// A cell `xyz` between `xz` and `yz`.
    XyzWing,
    /// Four cells that would leave two solutions.
    UniqueRectangle,
    /// A longer loop that would leave two solutions.
    UniqueLoop,
    /// Four cells of a unit with four candidates.
    NakedQuad,
    /// Four rows and four columns of one digit.
    Jellyfish,
    /// Four digits with four places in a unit.
    HiddenQuad,
    /// Every cell but a few has two candidates.
    Bug,
    /// Two cells whose pairs of digits are all but excluded.
    AlignedPairExclusion,
    /// A cycle on one digit, both ways round.
    XCycle,
    /// A chain on one digit.
    XChain,
    /// A cycle through cells of two candidates.
    YCycle,
    /// A cycle through cells and units.
    XyCycle,
    /// A chain through cells and units.
    ForcingChain,
    /// Three cells whose triplets of digits are all but excluded.
    AlignedTripletExclusion,
    /// A candidate that contradicts itself, on one digit.
    Nishio,
    /// All candidates of a cell lead to the same end.
    CellForcingChains,
    /// All places of a digit in a unit lead to the same end.
    RegionForcingChains,
    /// A candidate that contradicts itself, with branching.
    DynamicContradiction,
    /// A candidate and its negation lead to the same end, with branching.
    DynamicDouble,
    /// Cell forcing chains with branching.
    DynamicCell,
    /// Region forcing chains with branching.
    DynamicRegion,
    /// A candidate was tried and refuted by exhaustion.
    Trial,
}

impl Technique {
    /// The name in the words of the field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LastCell => "last empty cell",
            Self::HiddenSingleBox => "hidden single in box",
            Self::HiddenSingleLine => "hidden single",
            Self::DirectPointing => "direct pointing",
            Self::DirectClaiming => "direct claiming",
            Self::DirectHiddenPair => "direct hidden pair",
            Self::NakedSingle => "naked single",
            Self::DirectHiddenTriplet => "direct hidden triplet",
            Self::Pointing => "pointing",
            Self::Claiming => "claiming",
            Self::NakedPair => "naked pair",
            Self::XWing => "X-wing",
            Self::HiddenPair => "hidden pair",
            Self::NakedTriplet => "naked triplet",
            Self::Swordfish => "swordfish",
            Self::HiddenTriplet => "hidden triplet",
            Self::XyWing => "XY-wing",
            Self::XyzWing => "XYZ-wing",
            Self::UniqueRectangle => "unique rectangle",
            Self::UniqueLoop => "unique loop",
            Self::NakedQuad => "naked quad",
            Self::Jellyfish => "jellyfish",
            Self::HiddenQuad => "hidden quad",
            Self::Bug => "bivalue universal grave",
            Self::AlignedPairExclusion => "aligned pair exclusion",
            Self::XCycle => "X-cycle",
            Self::XChain => "forcing X-chain",
            Self::YCycle => "Y-cycle",
            Self::XyCycle => "bidirectional cycle",
            Self::ForcingChain => "forcing chain",
            Self::AlignedTripletExclusion => "aligned triplet exclusion",
            Self::Nishio => "nishio forcing chains",
            Self::CellForcingChains => "cell forcing chains",
            Self::RegionForcingChains => "region forcing chains",
            Self::DynamicContradiction => "dynamic contradiction forcing chains",
            Self::DynamicDouble => "dynamic double forcing chains",
            Self::DynamicCell => "dynamic cell forcing chains",
            Self::DynamicRegion => "dynamic region forcing chains",
            Self::Trial => "trial and error",
        }
    }

    /// Whether the technique rests on the puzzle having one solution only.
    pub const fn assumes_unique(self) -> bool {
        matches!(self, Self::UniqueRectangle | Self::UniqueLoop | Self::Bug)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl serde::Serialize for Technique {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
