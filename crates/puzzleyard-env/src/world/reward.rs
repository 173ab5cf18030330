//! What a step of Sokoban earns.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What is paid for what. A step's reward is the sum of the parts that it meets.
///
/// `shaping` adds `γ·Φ(s') − Φ(s)` to every step, where `Φ` is minus the sum over all boxes of
/// the fewest pushes that would take the box, alone on the board, to its nearest goal. By
/// Theorem 1 of Ng, Harada and Russell ("Policy invariance under reward transformations", ICML
/// 1999) such a term changes no optimal policy, provided that the learner discounts by the same
/// `γ` and `Φ` is zero where an episode terminates. It is: in a solved state every box stands on
/// a goal, and a dead state that ends the episode counts as zero. A truncated episode has not
/// terminated, its last state keeps its potential, and the learner has to bootstrap there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rewards {
    /// Every step, also one that is blocked.
    pub step: f64,
    /// A push that raises the number of boxes on goals.
    pub on_goal: f64,
    /// A push that lowers it.
    pub off_goal: f64,
    /// The step that solves the level.
    pub solved: f64,
    /// The discount of the shaping term; `None` for no such term.
    pub shaping: Option<f64>,
    /// The first step into a state that is provably dead: a box that can never reach a goal.
    pub dead: f64,
    /// Whether such a step ends the episode.
    pub dead_ends: bool,
}

impl Default for Rewards {
    fn default() -> Self {
        Self::SPARSE
    }
}

impl Rewards {
    /// 1 for solving, nothing else.
    pub const SPARSE: Self = Self {
        step: 0.0,
        on_goal: 0.0,
        off_goal: 0.0,
        solved: 1.0,
        shaping: None,
        dead: 0.0,
        dead_ends: false,
    };

    /// The rewards of most of the literature (Racanière et al.: "Imagination-augmented agents
    /// for deep reinforcement learning", 2017, appendix): -0.1 a step, 1 for a box on a goal,
    /// -1 for a box off one, 10 for solving.
    pub const CLASSIC: Self = Self {
        step: -0.1,
        on_goal: 1.0,
        off_goal: -1.0,
        solved: 10.0,
        ..Self::SPARSE
    };

    /// 10 for solving, and the shaping term with `γ` = 0.99.
    pub const SHAPED: Self = Self {
        solved: 10.0,
        shaping: Some(0.99),
        ..Self::SPARSE
    };

    /// The names of the schemes, in the order of their mention here.
    pub const NAMES: [&str; 3] = ["sparse", "classic", "shaped"];

    /// Checks that every number is finite and the discount lies in 0..=1.
    ///
    /// # Errors
    /// The first field that is not.
    pub fn check(&self) -> Result<(), RewardsError> {
        let fields = [
            ("step", self.step),
            ("on_goal", self.on_goal),
            ("off_goal", self.off_goal),
            ("solved", self.solved),
            ("dead", self.dead),
        ];
        for (field, found) in fields {
            if !found.is_finite() {
                return Err(RewardsError::NotFinite { field, found });
            }
        }
        match self.shaping {
            Some(found) if !(0.0..=1.0).contains(&found) => Err(RewardsError::Discount { found }),
            _ => Ok(()),
        }
    }

    /// Whether deadlocks matter.
    pub(super) fn minds_deadlocks(&self) -> bool {
        self.dead_ends || self.dead != 0.0
    }
}

impl FromStr for Rewards {
    type Err = RewardsError;

    fn from_str(name: &str) -> Result<Self, RewardsError> {
        match name {
            "sparse" => Ok(Self::SPARSE),
            "classic" => Ok(Self::CLASSIC),
            "shaped" => Ok(Self::SHAPED),
            _ => Err(RewardsError::Scheme {
                found: name.chars().take(40).collect(),
                wanted: "sparse, classic or shaped",
            }),
        }
    }
}

/// Why rewards cannot be paid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RewardsError {
    /// A word that is no scheme.
    #[error("reward {found:?}, wanted {wanted}")]
    Scheme {
        /// The word.
        found: String,
        /// The words that are.
        wanted: &'static str,
    },
    /// A number that is infinite or none.
    #[error("reward {field} is {found}, wanted a finite number")]
    NotFinite {
        /// Which.
        field: &'static str,
        /// The number.
        found: f64,
    },
    /// A discount out of range.
    #[error("a shaping discount of {found}, wanted 0 to 1")]
    Discount {
        /// The number.
        found: f64,
    },
}
