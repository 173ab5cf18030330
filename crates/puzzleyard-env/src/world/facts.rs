//! What a solver knows of a state, when asked.

/// Whether a state can be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// A solution is at hand.
    Alive,
    /// There is none, proved.
    Dead,
    /// Nobody knows within the budget.
    Unknown,
}

/// What a solver knows of a state of Sokoban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The fewest moves that solve it, proved; `None` if that is not known, or nothing does.
    pub optimal: Option<u32>,
    /// A proved lower bound of the moves that solve it.
    pub lower_bound: u32,
    /// Whether it can be solved.
    pub life: Life,
}
