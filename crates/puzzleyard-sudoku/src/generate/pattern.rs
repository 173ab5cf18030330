//! Symmetries of the pattern of clues, and the orbits of cells under them.

use std::fmt;
use std::str::FromStr;

/// Under which turns and reflections the pattern of clues (not their digits) stays the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symmetry {
    /// None asked for.
    #[default]
    None,
    /// Half a turn.
    Rotation180,
    /// A quarter of a turn.
    Rotation90,
    /// The top half reflects the bottom half: row A goes to row I.
    Horizontal,
    /// The left half reflects the right half: column 1 goes to column 9.
    Vertical,
    /// Reflection in the diagonal from A1 to I9.
    Diagonal,
    /// Reflection in the diagonal from A9 to I1.
    AntiDiagonal,
    /// Horizontal and vertical.
    BothLines,
    /// Diagonal and anti-diagonal.
    BothDiagonals,
    /// All eight turns and reflections of the square.
    Full,
}

/// A text that names no symmetry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "symmetry {found:?}: wanted none, rotation-180, rotation-90, horizontal, vertical, diagonal, anti-diagonal, both-lines, both-diagonals or full"
)]
pub struct SymmetryError {
    /// The text.
    pub found: String,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Rotation180,
        Self::Rotation90,
        Self::Horizontal,
        Self::Vertical,
        Self::Diagonal,
        Self::AntiDiagonal,
        Self::BothLines,
        Self::BothDiagonals,
        Self::Full,
    ];

    /// Where a cell goes under each map that generates the group.
    fn images(self, cell: usize) -> Vec<usize> {
        let (row, col) = (cell / 9, cell % 9);
        let half = 80 - cell;
        let quarter = col * 9 + 8 - row;
        let horizontal = (8 - row) * 9 + col;
        let vertical = row * 9 + 8 - col;
        let diagonal = col * 9 + row;
        let anti = (8 - col) * 9 + 8 - row;
        match self {
            Self::None => vec![],
            Self::Rotation180 => vec![half],
            Self::Rotation90 => vec![quarter],
            Self::Horizontal => vec![horizontal],
            Self::Vertical => vec![vertical],
            Self::Diagonal => vec![diagonal],
            Self::AntiDiagonal => vec![anti],
            Self::BothLines => vec![horizontal, vertical],
            Self::BothDiagonals => vec![diagonal, anti],
            Self::Full => vec![quarter, horizontal],
        }
    }

    /// The cells in groups that are filled or empty together, each in ascending order, the
    /// groups by their first cell.
    pub fn orbits(self) -> Vec<Vec<usize>> {
        let mut seen = [false; 81];
        let mut orbits = Vec::new();
        for cell in 0..81 {
            if seen[cell] {
                continue;
            }
            let mut orbit = vec![cell];
            seen[cell] = true;
            let mut next = 0;
            while next < orbit.len() {
                for image in self.images(orbit[next]) {
                    if !seen[image] {
                        seen[image] = true;
                        orbit.push(image);
                    }
                }
                next += 1;
            }
            orbit.sort_unstable();
            orbits.push(orbit);
        }
        orbits
    }

    /// Bit `n` is set if a union of orbits has `n` cells.
    pub(super) fn sizes(self) -> u128 {
        self.orbits()
            .iter()
            .fold(1, |sizes, orbit| sizes | sizes << orbit.len())
    }
}

impl fmt::Display for Symmetry {
    /// `none`, `rotation-180`, `rotation-90`, `horizontal`, `vertical`, `diagonal`,
    /// `anti-diagonal`, `both-lines`, `both-diagonals`, `full`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Rotation180 => "rotation-180",
            Self::Rotation90 => "rotation-90",
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
            Self::Diagonal => "diagonal",
            Self::AntiDiagonal => "anti-diagonal",
            Self::BothLines => "both-lines",
            Self::BothDiagonals => "both-diagonals",
            Self::Full => "full",
        })
    }
}

impl FromStr for Symmetry {
    type Err = SymmetryError;

    fn from_str(text: &str) -> Result<Self, SymmetryError> {
        Self::ALL
            .into_iter()
            .find(|symmetry| symmetry.to_string() == text)
            .ok_or_else(|| SymmetryError {
                found: text.chars().take(40).collect(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;

    /// Counted by hand: half a turn fixes the centre only, a line of reflection nine cells.
    #[test]
    fn orbits_are_as_many_as_counted_by_hand() {
        let counts: Vec<usize> = Symmetry::ALL.iter().map(|s| s.orbits().len()).collect();
        assert_eq!(counts, [81, 41, 21, 45, 45, 45, 45, 25, 25, 15]);
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.to_string().parse(), Ok(symmetry));
            assert_eq!(symmetry.orbits().iter().map(Vec::len).sum::<usize>(), 81);
        }
        assert_eq!(Symmetry::Rotation90.sizes() & 0b11_1111, 0b11_0011);
        assert!("".parse::<Symmetry>().is_err());
    }
}
