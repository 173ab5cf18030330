//! Reasons in words.
//!
//! Length: `reason` is one match, a short arm for each structure; splitting it would part what
//! belongs together.

use super::chains::{Chains, Kind, Link, Why};
use super::geometry::{bits, ones, unit};
use super::step::{Cause, Escape, Step};
use crate::model::cell_name;

impl Step {
    /// Why the step holds, in words that name cells (`A1` to `I9`: row letter, column digit)
    /// and units.
    ///
    /// ```
    /// use puzzleyard_sudoku::{Grid, rate};
    ///
    /// let puzzle: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ///     .parse()?;
    /// let step = rate::hint(&rate::Pencil::new(&puzzle)).expect("there is a step");
    /// assert_eq!(step.reason(), "8 fits only in A6 in box 2");
    /// # Ok::<(), puzzleyard_sudoku::GridError>(())
    /// ```
    pub fn reason(&self) -> String {
        let placed = self.place.map_or_else(String::new, |(cell, digit)| {
            format!("{digit} fits only in {}", cell_name(cell))
        });
        match &self.cause {
            Cause::Hidden { unit: index } => format!("{placed} in {}", unit(*index)),
            Cause::Naked => {
                let (cell, digit) = self.place.unwrap_or_default();
                format!("{} can only be {digit}", cell_name(cell))
            }
            Cause::Locked {
                digit,
                home,
                other,
                single,
            } => {
                let (home, other) = (unit(*home), unit(*other));
                let told = format!(
                    "all places of {digit} in {home} lie in {other}, so {other} has no {digit} outside {home}"
                );
                match single {
                    Some(index) => format!("{told}; then {placed} in {}", unit(*index)),
                    None => format!("{told}: {}", self.struck()),
                }
            }
            Cause::NakedSet {
                unit: index,
                cells,
                digits,
            } => format!(
                "{} in {} hold only {}, so no other cell of the unit can: {}",
                names(*cells),
                unit(*index),
                listed(*digits),
                self.struck()
            ),
            Cause::HiddenSet {
                unit: index,
                cells,
                digits,
                single,
            } => {
                let told = format!(
                    "{} fit only in {} in {}, so nothing else is there: {}",
                    listed(*digits),
                    names(*cells),
                    unit(*index),
                    self.struck()
                );
                if *single {
                    format!("{told}; then {placed} in {}", unit(*index))
                } else {
                    told
                }
            }
            Cause::Fish {
                digit,
                bases,
                covers,
            } => format!(
                "the places of {digit} in {} all lie in {}, so these have no other {digit}: {}",
                units(*bases),
                units(*covers),
                self.struck()
            ),
            Cause::Wing {
                pivot,
                wings,
                digit,
            } => format!(
                "whatever {} is, {digit} is in {} or {}{}, so no cell that sees them all can be {digit}: {}",
                cell_name(*pivot),
                cell_name(wings[0]),
                cell_name(wings[1]),
                if self.score == 44 { " or itself" } else { "" },
                self.struck()
            ),
            Cause::Loop { ring, pair, escape } => format!(
                "if {} held only {}, these could be exchanged and the puzzle would have two solutions; {}: {}",
                names(*ring),
                listed(*pair),
                escaped(escape),
                self.struck()
            ),
            Cause::Grave {
                rich,
                extra,
                escape,
            } => format!(
                "without {} in {} every cell would have two candidates and every digit two places in each unit, so the puzzle would not have one solution; {}: {}",
                listed(*extra),
                names(*rich),
                escaped(escape),
                self.struck()
            ),
            Cause::Aligned { base, seen } => format!(
                "every combination for {} with one of these breaks a rule or leaves one of {} without a digit: {}",
                names(*base),
                names(*seen),
                self.struck()
            ),
            Cause::Chains(chains) => self.chained(chains),
            Cause::Trial => {
                let (cell, digit) = self.place.unwrap_or_default();
                format!(
                    "every other digit in {} is refuted by trying it to the end, so it is {digit}",
                    cell_name(cell)
                )
            }
        }
    }

    /// The struck candidates, by digit: `A1, A2 are not 5; B1 is not 6`.
    fn struck(&self) -> String {
        let said = (1..=9u8).filter_map(|digit| {
            let struck = self.remove.iter().filter(|candidate| candidate.1 == digit);
            let cells: Vec<String> = struck.map(|candidate| cell_name(candidate.0)).collect();
            match cells.len() {
                0 => None,
                1 => Some(format!("{} is not {digit}", cells[0])),
                _ => Some(format!("{} are not {digit}", cells.join(", "))),
            }
        });
        said.collect::<Vec<_>>().join("; ")
    }

    fn chained(&self, chains: &Chains) -> String {
        let end = self.place.map_or_else(
            || self.struck(),
            |(cell, digit)| format!("{} is {digit}", cell_name(cell)),
        );
        let told: Vec<String> = chains.branches.iter().map(|links| branch(links)).collect();
        let first = chains.branches.first().and_then(|links| links.first());
        let source = first.map_or_else(String::new, assumed);
        match chains.kind {
            Kind::Cycle(_) => format!(
                "{}; the ring can be read both ways, so of each two neighbours one is true: {end}",
                told.join("")
            ),
            Kind::Chain => format!("{}, which contradicts the start: {end}", told.join("")),
            Kind::Contradiction => format!(
                "if {source}, two things follow that exclude each other: {end}. First: {}. Second: {}",
                told[0],
                told.get(1).map_or("", String::as_str)
            ),
            Kind::Double => format!(
                "whether {source} or not, the same follows: {end}. {}",
                numbered(&told)
            ),
            Kind::Cell(cell) => format!(
                "whichever candidate is right in {}, the same follows: {end}. {}",
                cell_name(cell),
                numbered(&told)
            ),
            Kind::Region(index, digit) => format!(
                "wherever {digit} is in {}, the same follows: {end}. {}",
                unit(index),
                numbered(&told)
            ),
        }
    }
}

/// `Case 1: …. Case 2: ….`
fn numbered(told: &[String]) -> String {
    let cases = told.iter().enumerate();
    let cases = cases.map(|(index, told)| format!("Case {}: {told}", index + 1));
    cases.collect::<Vec<_>>().join(". ")
}

/// A branch as implications. A plain chain runs on with arrows; where a link rests on several
/// others, they are named.
fn branch(links: &[Link]) -> String {
    let mut told = String::new();
    for (index, link) in links.iter().enumerate() {
        let next = match link.from.as_slice() {
            [] => format!("if {}", assumed(link)),
            &[from] if from + 1 == index => format!(" → {}{}", assumed(link), why(link)),
            several => {
                let names = several.iter().filter_map(|&from| links.get(from));
                let names: Vec<String> = names.map(assumed).collect();
                format!("; {} → {}{}", names.join(" and "), assumed(link), why(link))
            }
        };
        told.push_str(&next);
    }
    told
}

fn assumed(link: &Link) -> String {
    let sign = if link.on { "=" } else { "≠" };
    format!("{}{sign}{}", cell_name(link.cell), link.digit)
}

fn why(link: &Link) -> String {
    match &link.why {
        Why::Assumed => String::new(),
        Why::SameCell => " (same cell)".to_owned(),
        Why::SameUnit(index) => format!(" ({})", unit(*index)),
        Why::LastInCell => " (last in the cell)".to_owned(),
        Why::LastInUnit(index) => format!(" (last place in {})", unit(*index)),
        Why::Pattern(step) => format!(" ({}: {})", step.technique, step.reason()),
    }
}

fn escaped(escape: &Escape) -> String {
    match escape {
        Escape::Single { cell } => format!("only {} can prevent it", cell_name(*cell)),
        Escape::Digit { digit, cells } => {
            format!("so one of {} is {digit}", names(*cells))
        }
        Escape::Confined {
            unit: index,
            digit,
            cells,
        } => format!(
            "{digit} is in one of {}, since {} has no other place for it, so the other is none of the rest of the pattern",
            names(*cells),
            unit(*index)
        ),
        Escape::Set {
            unit: index,
            digits,
            set,
            cells,
        } => format!(
            "so one of {} holds one of the surplus digits and makes with {} a naked set of {} in {}",
            names(*cells),
            names(*set),
            listed(*digits),
            unit(*index)
        ),
    }
}

fn names(cells: u128) -> String {
    joined(bits(cells).map(cell_name).collect())
}

fn listed(digits: u16) -> String {
    joined(ones(digits).map(|digit| digit.to_string()).collect())
}

fn units(set: u32) -> String {
    joined(ones(set).map(|index| unit(index).to_string()).collect())
}

/// `A, B and C`.
fn joined(mut names: Vec<String>) -> String {
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}
