//! The judge of Sokoban episodes.

use super::Refusal;
use super::reading::{Messages, Said, is_points, points, same, same_score, same_text, start_of};
use super::yard::{Yard, place};
use crate::Turns;
use crate::sokoban::{InvalidReason, Optimum, Score, Settings, Transcript, View};

const FORM: &str = "Write exactly one <move>...</move> with letters u, d, l, r, no spaces.";

/// Accepts a transcript and returns its score, or says what differs first.
///
/// # Errors
/// The first difference: the frame, the prompt, each turn, the score.
pub fn judge(record: &Transcript) -> Result<Score, Refusal> {
    let settings = record.settings;
    let mut messages = Messages::of(record, "sokoban", settings.use_think)?;
    let mut game = Game::new(&record.puzzle.level, record.puzzle.optimum, settings)?;
    if record.prompt != game.prompt() {
        return Err(Refusal::start("the prompt is not that of the level"));
    }
    for reply in &record.replies {
        let turn = game.turn as u32 + 1;
        if game.over() {
            return Err(Refusal::AfterEnd { turn });
        }
        let letters =
            |content: &str| !content.is_empty() && content.chars().all(|c| "udlrUDLR".contains(c));
        let Some(said) = messages.next(letters) else {
            break;
        };
        let heard = game.hear(&said?);
        same(turn, "invalid_reason", &reply.invalid_reason, &heard.why)?;
        same(turn, "invalid_step", &reply.invalid_step, &heard.stopped)?;
        same(turn, "steps", &reply.steps, &heard.made)?;
        let reward = if heard.why.is_some() { -100_000 } else { 0 };
        if !is_points(reply.reward, reward) {
            same(turn, "reward", &reply.reward, &points(reward))?;
        }
        same(turn, "done", &reply.done, &game.over())?;
        same_text(turn, &reply.text, &game.reply(&heard.words))?;
    }
    messages.finish()?;
    game.score(&record.score)
}

/// What came of a message.
struct Heard {
    why: Option<InvalidReason>,
    stopped: Option<u32>,
    made: u32,
    words: String,
}

struct Game {
    yard: Yard,
    settings: Settings,
    optimum: Option<Optimum>,
    limit: i64,
    turn: i64,
    invalid: i64,
    moves: i64,
    pushes: i64,
    missing: i64,
}

impl Game {
    fn new(level: &str, optimum: Option<Optimum>, settings: Settings) -> Result<Self, Refusal> {
        let yard = Yard::read(level).map_err(Refusal::start)?;
        let missing = yard.squares("$").len() as i64;
        let per_turn = i64::from(settings.steps_per_turn);
        if !(1..=1000).contains(&per_turn) {
            return Err(Refusal::start("the steps of a turn are not 1 to 1000"));
        }
        if optimum.is_some_and(|known| known.pushes == 0 || known.moves < known.pushes) {
            return Err(Refusal::start(
                "the optimum has no push or fewer steps than pushes",
            ));
        }
        let steps = match optimum {
            Some(known) => 2 * i64::from(known.moves),
            None => (yard.room() * yard.squares("$*").len()) as i64,
        };
        let limit = match settings.max_turns {
            Turns::Fixed(turns) => i64::from(turns),
            Turns::Auto => (10 + (steps + per_turn - 1) / per_turn).min(10_000),
        };
        if !(1..=10_000).contains(&limit) {
            return Err(Refusal::start("the limit of turns is not 1 to 10000"));
        }
        Ok(Self {
            yard,
            settings,
            optimum,
            limit,
            turn: 0,
            invalid: 0,
            moves: 0,
            pushes: 0,
            missing,
        })
    }

    fn solved(&self) -> bool {
        self.yard.squares("$").is_empty()
    }

    fn over(&self) -> bool {
        self.solved() || self.turn >= self.limit
    }

    fn hear(&mut self, said: &Said<'_>) -> Heard {
        self.turn += 1;
        let most = self.settings.steps_per_turn as usize;
        let (why, words) = match *said {
            Said::Same(content) if content.len() <= most => {
                let heard = self.walk(content);
                self.invalid += i64::from(heard.why.is_some());
                return heard;
            }
            Said::Same(content) => (
                InvalidReason::TooManySteps,
                format!(
                    "{} steps in one turn, at most {most} are allowed. None was made.",
                    content.len()
                ),
            ),
            Said::Nothing => {
                let after = if self.settings.use_think {
                    " after </think>"
                } else {
                    ""
                };
                let words = format!("No move found{after}. {FORM}");
                (InvalidReason::NoMove, words)
            }
            Said::Wrong(content) => {
                let words = format!("Cannot read {:?}. {FORM}", start_of(content));
                (InvalidReason::Malformed, words)
            }
            Said::Open => {
                let words = format!("A <move> tag is not closed. {FORM}");
                (InvalidReason::Malformed, words)
            }
            Said::Different(one, two) => {
                let (one, two) = (start_of(one), start_of(two));
                let words =
                    format!("Several different moves in one message: {one} and {two}. {FORM}");
                (InvalidReason::SeveralMoves, words)
            }
            Said::TooLong => {
                let words = format!("The message is too long. {FORM}");
                (InvalidReason::TooLong, words)
            }
        };
        self.invalid += 1;
        Heard {
            why: Some(why),
            stopped: None,
            made: 0,
            words: format!("❌ Invalid move! {words}"),
        }
    }

    fn walk(&mut self, letters: &str) -> Heard {
        let mut made = 0;
        for letter in letters.chars() {
            match self.yard.step(letter, self.settings.case_matters) {
                Ok(pushed) => {
                    made += 1;
                    self.moves += 1;
                    self.pushes += i64::from(pushed);
                }
                Err(why) => {
                    let reason = match why {
                        InvalidReason::Wall => "a wall is in the way",
                        InvalidReason::BoxAgainstWall => "the box in the way has a wall behind it",
                        InvalidReason::BoxAgainstBox => {
                            "the box in the way has another box behind it"
                        }
                        _ => "a capital letter must push a box and a small one must not",
                    };
                    let words = format!(
                        "❌ Invalid move! Step {} ({letter}) is impossible: {reason}. Steps made before it: {made}.",
                        made + 1
                    );
                    return Heard {
                        why: Some(why),
                        stopped: Some(made + 1),
                        made,
                        words,
                    };
                }
            }
            if self.solved() {
                break;
            }
        }
        Heard {
            why: None,
            stopped: None,
            made,
            words: format!("✅ Valid move! Steps made: {made}."),
        }
    }

    fn prompt(&self) -> String {
        let (board, legend) = match self.settings.view {
            View::Xsb => (
                self.yard.text(),
                "Legend: # wall, @ player, + player on a goal, $ box, * box on a goal, . goal, space floor",
            ),
            View::Coordinates => (
                self.yard.lists(true),
                "Legend: squares are (row,column), counted from 1 at the top left; what is not listed is floor",
            ),
        };
        let (steps, sample) = match self.settings.steps_per_turn {
            1 => ("Make one step a turn".to_owned(), "u"),
            most => (format!("Make 1 to {most} steps a turn"), "urrd"),
        };
        let case = if self.settings.case_matters {
            "Write a capital letter for a step that pushes a box and a small one for any other"
        } else {
            "Capital and small letters mean the same"
        };
        let rules = [
            "Push every box onto a goal",
            "The player steps up (u), down (d), left (l) or right (r), not into walls",
            "A step into a box pushes it one square; behind it must be neither wall nor box",
            "Boxes cannot be pulled",
            &format!("{steps}; they stop at the first that is impossible"),
            case,
        ]
        .join("\n- ");
        format!(
            "Sokoban Puzzle:\n\n{board}\n\n{legend}\n\nRules:\n- {rules}\n\nMake your move using the format: <move>{sample}</move>"
        )
    }

    fn reply(&self, words: &str) -> String {
        let board = match self.settings.view {
            View::Xsb => self.yard.text(),
            View::Coordinates => self.yard.lists(false),
        };
        let placed = self.yard.squares("*").len();
        let all = self.yard.squares("$*").len();
        let dead = if self.settings.tell_deadlock {
            self.yard.dead()
        } else {
            None
        };
        let dead = dead.map_or(String::new(), |square| {
            let square = place(square);
            format!("☠️ Deadlock: the box at {square} can never reach a goal.\n\n")
        });
        let last = if self.solved() {
            format!(
                "🎉 Puzzle solved in {} turns, {} moves and {} pushes!",
                self.turn, self.moves, self.pushes
            )
        } else if self.turn == self.limit {
            format!("⏰ All {} turns are used up. The game is over.", self.limit)
        } else {
            "What's your next move?".to_owned()
        };
        format!(
            "{words}\n\nCurrent Board:\n{board}\n\nBoxes on goals: {placed}/{all}\nMoves: {}, pushes: {}\nTurn: {}/{}\n\n{dead}{last}",
            self.moves, self.pushes, self.turn, self.limit
        )
    }

    fn score(&self, claim: &Score) -> Result<Score, Refusal> {
        let solved = self.solved();
        let fewest = self.optimum.map_or(0, |known| i64::from(known.pushes));
        if solved && fewest > self.pushes {
            return Err(Refusal::start(format!(
                "an optimum of {fewest} pushes is claimed, and {} solve it",
                self.pushes
            )));
        }
        let still = self.yard.squares("$").len() as i64;
        let gained = (self.missing - still).max(0);
        let mut rows = [
            (
                "invalid_moves",
                claim.invalid_moves,
                -100_000 * self.invalid,
            ),
            ("boxes", claim.boxes, 2_000_000 * gained / self.missing),
            ("solved", claim.solved, 0),
            ("efficiency", claim.efficiency, 0),
            ("length", claim.length, 0),
            ("solved_floor", claim.solved_floor, 0),
            ("total", claim.total, 0),
        ];
        if solved {
            rows[2].2 = 5_000_000;
            rows[3].2 = (self.limit - self.turn) * 1_000_000 / self.limit;
            rows[4].2 = 1_000_000 * fewest / self.pushes.max(1);
        }
        let sum: i64 = rows.iter().map(|row| row.2).sum();
        rows[5].2 = if solved { (3_000_000 - sum).max(0) } else { 0 };
        rows[6].2 = sum + rows[5].2;
        same_score(&rows)?;
        let [
            invalid_moves,
            boxes,
            solved,
            efficiency,
            length,
            solved_floor,
            total,
        ] = rows.map(|row| points(row.2));
        Ok(Score {
            invalid_moves,
            boxes,
            solved,
            efficiency,
            length,
            solved_floor,
            total,
        })
    }
}
