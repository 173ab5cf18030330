//! What a puzzle shall be like: level, number of clues, pattern, minimality, score.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::GenerateError;
use super::pattern::Symmetry;

/// The fewest clues that a puzzle with one solution can have.
///
/// `McGuire`, Tugemann, Civario: "There is no 16-clue Sudoku", Experimental Mathematics 23 (2014).
pub const FEWEST_CLUES: u8 = 17;

/// A level, by the number of clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// 36 to 46 clues.
    Easy,
    /// 28 to 35 clues.
    Medium,
    /// 22 to 27 clues.
    Hard,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The clues of a puzzle of this level.
    pub fn clues(self) -> RangeInclusive<u8> {
        match self {
            Self::Easy => 36..=46,
            Self::Medium => 28..=35,
            Self::Hard => 22..=27,
        }
    }

    /// The level of a puzzle with this many clues, if it has one.
    pub fn of(clues: usize) -> Option<Self> {
        let clues = u8::try_from(clues).ok()?;
        Self::ALL
            .into_iter()
            .find(|level| level.clues().contains(&clues))
    }

    /// Puzzles of this level, of any pattern.
    pub fn spec(self) -> Spec {
        Spec::of_clues(self.clues())
    }
}

impl fmt::Display for Level {
    /// `easy`, `medium`, `hard`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        })
    }
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {found:?}: wanted easy, medium or hard")]
pub struct LevelError {
    /// The text.
    pub found: String,
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.to_string() == text)
            .ok_or_else(|| LevelError {
                found: text.chars().take(40).collect(),
            })
    }
}

/// What a puzzle shall be like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// How many clues, within 17 to 81. Without `minimal` the number is drawn from the range,
    /// each equally likely (of those that the pattern can have); where no more clues can leave
    /// before it is reached, a larger number within the range is taken. So numbers below 25 are
    /// rarer than the others; ask for one number to have it. With `minimal` the number falls as
    /// it falls.
    pub clues: RangeInclusive<u8>,
    /// Whether every clue shall be needed: without any one of them there is another solution.
    pub minimal: bool,
    /// The symmetry of the pattern of clues.
    pub symmetry: Symmetry,
    /// The score, in tenths, as [`rate`](crate::rate::rate) gives it. `None` for any; then
    /// nothing is rated.
    pub score: Option<RangeInclusive<u16>>,
}

impl Spec {
    /// Puzzles with this many clues, of any pattern, minimal or not, of any score.
    pub fn of_clues(clues: RangeInclusive<u8>) -> Self {
        Self {
            clues,
            minimal: false,
            symmetry: Symmetry::None,
            score: None,
        }
    }

    /// Minimal puzzles with any number of clues and any pattern.
    pub fn minimal() -> Self {
        Self {
            minimal: true,
            ..Self::of_clues(FEWEST_CLUES..=81)
        }
    }

    /// The numbers of clues that are in the range and that the pattern can have.
    ///
    /// # Errors
    /// If a range is empty or out of bounds, or the pattern can have none of the numbers.
    pub(super) fn counts(&self) -> Result<Vec<u8>, GenerateError> {
        let (from, to) = (*self.clues.start(), *self.clues.end());
        if from > to {
            return Err(GenerateError::NoClues { from, to });
        }
        if from < FEWEST_CLUES || to > 81 {
            let found = if from < FEWEST_CLUES { from } else { to };
            return Err(GenerateError::Clues { found });
        }
        if let Some(score) = &self.score
            && score.is_empty()
        {
            return Err(GenerateError::NoScore {
                from: *score.start(),
                to: *score.end(),
            });
        }
        let sizes = self.symmetry.sizes();
        let counts: Vec<u8> = (from..=to).filter(|&n| sizes >> n & 1 == 1).collect();
        if counts.is_empty() {
            let symmetry = self.symmetry;
            return Err(GenerateError::Pattern { symmetry, from, to });
        }
        Ok(counts)
    }

    /// The spec as text: the purpose of its random numbers.
    pub(super) fn purpose(&self) -> String {
        let (from, to) = self.clues.clone().into_inner();
        let symmetry = self.symmetry;
        let minimal = if self.minimal { " minimal" } else { "" };
        let score = self.score.as_ref().map_or_else(String::new, |score| {
            format!(" score {}-{}", score.start(), score.end())
        });
        format!("puzzleyard sudoku 1 clues {from}-{to} {symmetry}{minimal}{score}")
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_read_back() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert!(
                (17..=81)
                    .all(|n| level.clues().contains(&n) == (Level::of(n.into()) == Some(level)))
            );
        }
        for wrong in ["", "Easy", "easy ", "expert"] {
            assert!(wrong.parse::<Level>().is_err());
        }
    }
}
