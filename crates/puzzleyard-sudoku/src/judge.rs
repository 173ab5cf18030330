//! The independent judge: a second, plain reading of the rules, on text alone.
//!
//! It shares no code with the rules, the solvers or the formats, so that a fault in them
//! cannot hide in it too.

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The puzzle or the answer is not 81 characters of the right alphabet.
    #[error("{what} is not 81 characters of digits{}", if *.what == "puzzle" { " and dots" } else { "" })]
    Malformed {
        /// `puzzle` or `answer`.
        what: &'static str,
    },
    /// The answer changes a clue.
    #[error("row {row}, column {col}: the puzzle has {clue}, the answer {found}")]
    ClueChanged {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        col: usize,
        /// The clue.
        clue: char,
        /// What the answer has.
        found: char,
    },
    /// A unit lacks a digit.
    #[error("{unit} {number} lacks the digit {digit}")]
    Lacks {
        /// `row`, `column` or `box`.
        unit: &'static str,
        /// Which, from 1; boxes row by row.
        number: usize,
        /// The digit.
        digit: char,
    },
}

/// Accepts `answer` (81 digits) as a solution of `puzzle` (81 characters, `.` or `0` for
/// empty), or says why not.
///
/// # Errors
/// The first reason found: form, then clues, then rows, columns and boxes.
pub fn judge(puzzle: &str, answer: &str) -> Result<(), Refusal> {
    let puzzle: Vec<char> = puzzle.chars().collect();
    let answer: Vec<char> = answer.chars().collect();
    if puzzle.len() != 81 || !puzzle.iter().all(|c| ".0123456789".contains(*c)) {
        return Err(Refusal::Malformed { what: "puzzle" });
    }
    if answer.len() != 81 || !answer.iter().all(|c| "123456789".contains(*c)) {
        return Err(Refusal::Malformed { what: "answer" });
    }
    for row in 0..9 {
        for col in 0..9 {
            let (clue, found) = (puzzle[row * 9 + col], answer[row * 9 + col]);
            if clue != '.' && clue != '0' && clue != found {
                return Err(Refusal::ClueChanged {
                    row: row + 1,
                    col: col + 1,
                    clue,
                    found,
                });
            }
        }
    }
    for digit in "123456789".chars() {
        for number in 0..9 {
            let row: Vec<char> = (0..9).map(|col| answer[number * 9 + col]).collect();
            let column: Vec<char> = (0..9).map(|row| answer[row * 9 + number]).collect();
            let (top, left) = (number / 3 * 3, number % 3 * 3);
            let square: Vec<char> = (0..9)
                .map(|k| answer[(top + k / 3) * 9 + left + k % 3])
                .collect();
            for (unit, cells) in [("row", row), ("column", column), ("box", square)] {
                if !cells.contains(&digit) {
                    return Err(Refusal::Lacks {
                        unit,
                        number: number + 1,
                        digit,
                    });
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Refusal, judge};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const ANSWER: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn accepts_the_answer_and_nothing_near_it() {
        assert_eq!(judge(PUZZLE, ANSWER), Ok(()));
        for cell in 0..81 {
            let mut wrong: Vec<u8> = ANSWER.bytes().collect();
            wrong[cell] = if wrong[cell] == b'9' {
                b'1'
            } else {
                wrong[cell] + 1
            };
            let wrong = String::from_utf8(wrong).unwrap();
            assert!(judge(PUZZLE, &wrong).is_err(), "cell {cell}");
        }
        assert_eq!(
            judge(PUZZLE, &ANSWER.replace('5', "6")),
            Err(Refusal::ClueChanged {
                row: 1,
                col: 1,
                clue: '5',
                found: '6'
            })
        );
        assert_eq!(
            judge(PUZZLE, "12"),
            Err(Refusal::Malformed { what: "answer" })
        );
    }
}
