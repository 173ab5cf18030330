//! A slow second reading of steps. It uses marks, branches and candidates only, and shares no
//! code with the search.
//!
//! Length: `verify` and `chains` are lists of claims, one for each technique or ending.

use puzzleyard_sudoku::rate::{Link, Pencil, Step, Technique, Why};
use puzzleyard_sudoku::rules::sees;
use puzzleyard_sudoku::{box_of, col_of, row_of};

type Proof = Result<(), String>;

/// Row or column of a cell.
type Line = fn(usize) -> usize;

/// Whether the pattern that the step names is there and strikes what it says.
pub(super) fn verify(pencil: &Pencil, step: &Step) -> Proof {
    let cells = &step.marks.cells;
    match step.technique {
        Technique::LastCell | Technique::HiddenSingleBox | Technique::HiddenSingleLine => {
            let (cell, digit) = step.place.ok_or("no place")?;
            let alone = |unit: &Vec<usize>| {
                unit.iter()
                    .all(|&other| other == cell || !pencil.has(other, digit))
            };
            holds(
                units()
                    .iter()
                    .filter(|unit| unit.contains(&cell))
                    .any(alone),
                "digit fits elsewhere",
            )
        }
        Technique::NakedSingle => {
            let (cell, digit) = step.place.ok_or("no place")?;
            holds(
                pencil.candidates(cell) == 1 << digit,
                "cell has other candidates",
            )
        }
        Technique::NakedPair | Technique::NakedTriplet | Technique::NakedQuad => {
            let digits = cells
                .iter()
                .fold(0, |all, &cell| all | pencil.candidates(cell));
            holds(
                digits.count_ones() as usize == cells.len(),
                "set is not closed",
            )?;
            holds(
                step.remove
                    .iter()
                    .all(|&(cell, digit)| digits >> digit & 1 == 1 && !cells.contains(&cell)),
                "wrong strike",
            )?;
            let all: Vec<usize> = cells
                .iter()
                .copied()
                .chain(step.remove.iter().map(|r| r.0))
                .collect();
            holds(
                units()
                    .iter()
                    .any(|unit| all.iter().all(|cell| unit.contains(cell))),
                "no shared unit",
            )
        }
        Technique::HiddenPair
        | Technique::HiddenTriplet
        | Technique::HiddenQuad
        | Technique::DirectHiddenPair
        | Technique::DirectHiddenTriplet => hidden(pencil, step),
        Technique::Pointing | Technique::Claiming | Technique::DirectPointing => {
            let digit = step.remove.first().ok_or("nothing struck")?.1;
            let confined = units().into_iter().any(|unit| {
                let places: Vec<usize> = unit
                    .iter()
                    .copied()
                    .filter(|&cell| pencil.has(cell, digit))
                    .collect();
                !places.is_empty()
                    && step
                        .remove
                        .iter()
                        .all(|&(cell, _)| places.iter().all(|&place| sees(cell, place)))
            });
            holds(confined, "no unit confines the digit")?;
            if step.technique == Technique::DirectPointing {
                left_alone(pencil, step)
            } else {
                Ok(())
            }
        }
        Technique::XWing | Technique::Swordfish | Technique::Jellyfish => fish(pencil, step),
        Technique::XyWing | Technique::XyzWing => {
            // Each way to fill the pattern puts the digit where the struck cells see it.
            let digit = step.remove.first().ok_or("nothing struck")?.1;
            exhaust(pencil, cells, &mut |filled| {
                step.remove.iter().all(|&(cell, _)| {
                    filled
                        .iter()
                        .zip(cells)
                        .any(|(&d, &c)| d == digit && sees(c, cell))
                })
            })
        }
        Technique::AlignedPairExclusion | Technique::AlignedTripletExclusion => {
            let bases: Vec<usize> = step.remove.iter().map(|r| r.0).collect();
            holds(
                bases.iter().all(|cell| cells.contains(cell)),
                "struck cell is no base",
            )?;
            exhaust(pencil, cells, &mut |filled| {
                step.remove.iter().all(|&(cell, digit)| {
                    cells
                        .iter()
                        .zip(filled)
                        .all(|(&c, &d)| c != cell || d != digit)
                })
            })
        }
        Technique::UniqueRectangle | Technique::UniqueLoop => {
            // Two digits are in every cell of the ring, and each unit holds two cells of it or none.
            holds(
                step.assumes_unique() && pencil.is_unique(),
                "uniqueness not proven",
            )?;
            let shared = cells
                .iter()
                .fold(!0, |all, &cell| all & pencil.candidates(cell));
            holds(shared.count_ones() >= 2, "no shared pair")?;
            let even = units().iter().all(|unit| {
                matches!(
                    unit.iter().filter(|cell| cells.contains(cell)).count(),
                    0 | 2
                )
            });
            holds(even, "a unit holds an odd part of the ring")
        }
        Technique::Bug => {
            let surplus = |cell: usize| !cells.contains(&cell);
            let pairs = (0..81).filter(|&cell| pencil.candidates(cell) != 0 && surplus(cell));
            holds(
                pencil.is_unique()
                    && pairs
                        .clone()
                        .all(|cell| pencil.candidates(cell).count_ones() == 2),
                "no grave",
            )
        }
        Technique::Trial => Ok(()),
        _ => chains(pencil, step),
    }
}

fn holds(condition: bool, fault: &str) -> Proof {
    condition.then_some(()).ok_or_else(|| fault.to_owned())
}

/// Rows, columns, boxes as lists of cells.
fn units() -> Vec<Vec<usize>> {
    let of: [fn(usize) -> usize; 3] = [row_of, col_of, box_of];
    let unit =
        |kind: usize, index: usize| (0..81).filter(|&cell| of[kind](cell) == index).collect();
    (0..27).map(|index| unit(index / 9, index % 9)).collect()
}

/// The placed digit has one place in a unit once the strikes are made.
fn left_alone(pencil: &Pencil, step: &Step) -> Proof {
    let (cell, digit) = step.place.ok_or("no place")?;
    let gone = |other: usize| {
        other == cell || !pencil.has(other, digit) || step.remove.contains(&(other, digit))
    };
    let mut mine = units().into_iter().filter(|unit| unit.contains(&cell));
    holds(
        mine.any(|unit| unit.into_iter().all(gone)),
        "no single is left",
    )
}

fn hidden(pencil: &Pencil, step: &Step) -> Proof {
    let cells = &step.marks.cells;
    let digits = step
        .marks
        .candidates
        .iter()
        .fold(0u16, |all, candidate| all | 1 << candidate.1);
    holds(
        digits.count_ones() as usize == cells.len(),
        "not as many digits as cells",
    )?;
    let outside = |cell: usize| !cells.contains(&cell) && pencil.candidates(cell) & digits != 0;
    let closed = units()
        .into_iter()
        .any(|unit| cells.iter().all(|cell| unit.contains(cell)) && !unit.into_iter().any(outside));
    holds(closed, "digits fit elsewhere")?;
    holds(
        step.remove
            .iter()
            .all(|&(cell, digit)| cells.contains(&cell) && digits >> digit & 1 == 0),
        "wrong strike",
    )?;
    if step.place.is_some() {
        left_alone(pencil, step)
    } else {
        Ok(())
    }
}

fn fish(pencil: &Pencil, step: &Step) -> Proof {
    let digit = step.remove.first().ok_or("nothing struck")?.1;
    let size = match step.technique {
        Technique::XWing => 2,
        Technique::Swordfish => 3,
        _ => 4,
    };
    let distinct = |of: fn(usize) -> usize| {
        let mut lines: Vec<usize> = step.marks.cells.iter().map(|&cell| of(cell)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let kinds: [(Line, Line); 2] = [(row_of, col_of), (col_of, row_of)];
    let sound = kinds.into_iter().any(|(base, cover)| {
        let (bases, covers) = (distinct(base), distinct(cover));
        let inside = |cell: usize| !bases.contains(&base(cell)) || covers.contains(&cover(cell));
        bases.len() == size
            && covers.len() == size
            && (0..81).filter(|&cell| pencil.has(cell, digit)).all(inside)
            && step
                .remove
                .iter()
                .all(|&(cell, _)| !bases.contains(&base(cell)) && covers.contains(&cover(cell)))
    });
    holds(sound, "base and cover do not fit")
}

/// Every way to fill the cells by the rules satisfies `test`, and there is one.
fn exhaust(pencil: &Pencil, cells: &[usize], test: &mut dyn FnMut(&[u8]) -> bool) -> Proof {
    fn fill(
        pencil: &Pencil,
        cells: &[usize],
        filled: &mut Vec<u8>,
        test: &mut dyn FnMut(&[u8]) -> bool,
    ) -> bool {
        let Some(&cell) = cells.get(filled.len()) else {
            return test(filled);
        };
        (1..=9)
            .filter(|&digit| pencil.has(cell, digit))
            .all(|digit| {
                let clash = filled
                    .iter()
                    .zip(cells)
                    .any(|(&d, &c)| d == digit && sees(c, cell));
                if clash {
                    return true;
                }
                filled.push(digit);
                let fine = fill(pencil, cells, filled, test);
                filled.pop();
                fine
            })
    }
    holds(
        fill(pencil, cells, &mut Vec::new(), test),
        "a filling escapes",
    )
}

/// Every link follows from those it names, the starts leave no way out, and the ends say what
/// the step does.
fn chains(pencil: &Pencil, step: &Step) -> Proof {
    let branches = step.branches();
    holds(!branches.is_empty(), "no branches")?;
    for links in branches {
        for (index, link) in links.iter().enumerate() {
            follows(pencil, links, index).map_err(|fault| format!("{fault} at {link:?}"))?;
        }
    }
    let starts: Vec<&Link> = branches.iter().filter_map(|links| links.first()).collect();
    let ends: Vec<&Link> = branches.iter().filter_map(|links| links.last()).collect();
    let same = |a: &Link, b: &Link| (a.cell, a.digit) == (b.cell, b.digit);
    let (start, end) = (starts[0], ends[0]);
    let cycle = matches!(
        step.technique,
        Technique::XCycle | Technique::YCycle | Technique::XyCycle
    );
    if cycle {
        return ring(step, &branches[0]);
    }
    // What is concluded, as a candidate and whether it holds.
    let said = if branches.len() == 1 {
        holds(same(start, end) && start.on != end.on, "no contradiction")?;
        (end.cell, end.digit, end.on)
    } else if matches!(
        step.technique,
        Technique::Nishio | Technique::DynamicContradiction
    ) {
        holds(
            same(end, ends[1]) && end.on != ends[1].on,
            "no contradiction",
        )?;
        holds(
            same(start, starts[1]) && start.on == starts[1].on,
            "two starts",
        )?;
        (start.cell, start.digit, !start.on)
    } else {
        holds(
            ends.iter()
                .all(|other| same(end, other) && end.on == other.on),
            "ends differ",
        )?;
        let opposite = starts.len() == 2 && same(start, starts[1]) && start.on != starts[1].on;
        let in_cell = (1..=9).all(|digit| {
            !pencil.has(start.cell, digit)
                || starts
                    .iter()
                    .any(|s| s.on && s.cell == start.cell && s.digit == digit)
        });
        let in_unit = units().iter().any(|unit| {
            unit.iter().all(|&cell| {
                !pencil.has(cell, start.digit)
                    || starts
                        .iter()
                        .any(|s| s.on && s.cell == cell && s.digit == start.digit)
            })
        });
        holds(opposite || in_cell || in_unit, "a way out is left")?;
        (end.cell, end.digit, end.on)
    };
    let (cell, digit, on) = said;
    if on {
        holds(
            step.place.is_none_or(|place| place == (cell, digit)),
            "another digit is placed",
        )
    } else {
        holds(
            step.remove.iter().all(|&struck| struck == (cell, digit)),
            "another candidate falls",
        )
    }
}

/// Whether the link follows from those it rests on.
fn follows(pencil: &Pencil, links: &[Link], index: usize) -> Proof {
    let link = &links[index];
    let from: Vec<&Link> = link.from.iter().map(|&from| &links[from]).collect();
    holds(
        link.from.iter().all(|&from| from < index),
        "rests on a later link",
    )?;
    let off = |cell: usize, digit: u8| {
        from.iter()
            .any(|l| !l.on && (l.cell, l.digit) == (cell, digit))
    };
    match &link.why {
        Why::Assumed => holds(index == 0 && from.is_empty(), "assumed in between"),
        Why::SameCell => holds(
            !link.on
                && from.len() == 1
                && from[0].on
                && from[0].cell == link.cell
                && from[0].digit != link.digit,
            "not the same cell",
        ),
        Why::SameUnit(unit) => holds(
            !link.on
                && from.len() == 1
                && from[0].on
                && from[0].digit == link.digit
                && from[0].cell != link.cell
                && units()[*unit].contains(&from[0].cell)
                && units()[*unit].contains(&link.cell),
            "not the same unit",
        ),
        Why::LastInCell => holds(
            link.on
                && (1..=9).all(|digit| {
                    digit == link.digit || !pencil.has(link.cell, digit) || off(link.cell, digit)
                }),
            "not the last in the cell",
        ),
        Why::LastInUnit(unit) => holds(
            link.on
                && units()[*unit].contains(&link.cell)
                && units()[*unit].iter().all(|&cell| {
                    cell == link.cell || !pencil.has(cell, link.digit) || off(cell, link.digit)
                }),
            "not the last in the unit",
        ),
        Why::Pattern(step) => {
            let mut struck = pencil.clone();
            for l in &from {
                struck.strike(l.cell, l.digit);
            }
            holds(
                !link.on && from.iter().all(|l| !l.on),
                "pattern on a placed digit",
            )?;
            // The nested step may say more than this link uses.
            verify(&struck, step).map_err(|fault| format!("{}: {fault}", step.technique))?;
            let candidate = (link.cell, link.digit);
            let beside = step
                .place
                .is_some_and(|(cell, digit)| cell == link.cell && digit != link.digit);
            holds(
                step.remove.contains(&candidate) || beside,
                "pattern strikes something else",
            )
        }
        _ => Err("unknown rule".to_owned()),
    }
}

/// The ring alternates, closes, and each struck candidate sees one candidate of either kind.
fn ring(step: &Step, links: &[Link]) -> Proof {
    holds(
        links.len() >= 4 && links.len().is_multiple_of(2),
        "odd ring",
    )?;
    let alternates = links
        .iter()
        .enumerate()
        .all(|(index, link)| link.on == (index % 2 == 0));
    holds(alternates, "ring does not alternate")?;
    let falls = |&(cell, digit): &(usize, u8)| {
        [true, false].into_iter().all(|on| {
            links
                .iter()
                .any(|link| link.on == on && link.digit == digit && sees(link.cell, cell))
        })
    };
    holds(
        step.remove.iter().all(falls),
        "struck candidate is not seen from both sides",
    )
}
