//! Each sentence of the third contract that speaks of the game, with its test.

use puzzleyard_env::Turns;
use puzzleyard_env::sudoku::{Difficulty, End, Episode, Settings};
use puzzleyard_sudoku::judge;

use crate::table::{PUZZLE, SOLUTION, direct, episode, grid, millionths, play, solution_moves};

/// The contract's first message, byte for byte, the two spaces after the line on columns
/// included.
const PROMPT: &str = "Sudoku Puzzle:

  1 2 3 | 4 5 6 | 7 8 9
A 5 3 . | . 7 . | . . .
B 6 . . | 1 9 5 | . . .
C . 9 8 | . . . | . 6 .
  ------+-------+------
D 8 . . | . 6 . | . . 3
E 4 . . | 8 . 3 | . . 1
F 7 . . | . 2 . | . . 6
  ------+-------+------
G . 6 . | . . . | 2 8 .
H . . . | 4 1 9 | . . 5
I . . . | . 8 . | . 7 9

Rules:
- Fill each empty cell (.) with a number from 1-9
- Each row must contain all numbers 1-9 exactly once
- Each column must contain all numbers 1-9 exactly once\x20\x20
- Each 3x3 box must contain all numbers 1-9 exactly once

Make one move at a time using the format: <move>A1=5</move>";

/// The contract's response to A3=4. It counts 34 filled cells where its own drawing has 31:
/// 30 clues and one move. The numbers here are those of the drawing.
const RESPONSE: &str = "✅ Valid move! 50 cells remaining.

Current Board:
  1 2 3 | 4 5 6 | 7 8 9
A 5 3 4 | . 7 . | . . .
B 6 . . | 1 9 5 | . . .
C . 9 8 | . . . | . 6 .
  ------+-------+------
D 8 . . | . 6 . | . . 3
E 4 . . | 8 . 3 | . . 1
F 7 . . | . 2 . | . . 6
  ------+-------+------
G . 6 . | . . . | 2 8 .
H . . . | 4 1 9 | . . 5
I . . . | . 8 . | . 7 9

Progress: 31/81 cells filled (38.3%)
Turn: 1/50

What's your next move?";

/// The contract's expected answer.
const ANSWER: &str = "<think>
Looking at row A, column 3 (A3). 
Row A already has: 5, 3, 7
Row A is missing: 1, 2, 4, 6, 8, 9

Column 3 already has: 8
Column 3 is missing: 1, 2, 3, 4, 5, 6, 7, 9

Box 1 (top-left) already has: 5, 3, 6, 9, 8
Box 1 is missing: 1, 2, 4, 7

For A3, the possible values are the intersection: 1, 2, 4
Need to check other constraints to narrow it down...
Looking at other cells, A3 can only be 4.
</think>

<move>A3=4</move>";

/// "Initial Puzzle" of the example interaction.
#[test]
fn the_initial_puzzle_is_shown_byte_for_byte() {
    assert_eq!(episode(Settings::default()).prompt(), PROMPT);
}

/// "Expected Response Format" and "Environment Response" of the example interaction, with the
/// counts of the board that it draws.
#[test]
fn the_environment_response_is_given_byte_for_byte() {
    let reply = episode(Settings::default()).turn(ANSWER);
    assert_eq!(reply.text, RESPONSE);
    assert_eq!((reply.done, reply.reward), (false, 0.1));
}

/// "✅ Valid move! 47 cells remaining." and "Progress: 34/81 cells filled (42.0%)": the two
/// lines agree with each other, and so do ours when 34 cells are filled.
#[test]
fn forty_seven_remain_when_thirty_four_are_filled() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut episode = episode(direct(50));
    let reply = play(&mut episode, moves[..4].iter().map(String::as_str));
    assert!(
        reply
            .text
            .starts_with("✅ Valid move! 47 cells remaining.\n\nCurrent Board:\n")
    );
    assert!(
        reply
            .text
            .contains("\n\nProgress: 34/81 cells filled (42.0%)\nTurn: 4/50\n\n")
    );
}

/// "Constraints: Each row, column, and 3x3 box must contain digits 1-9 exactly once" and
/// "Constraint Validation: Real-time checking of Sudoku rules".
#[test]
fn rows_columns_and_boxes_are_each_checked() {
    for (step, told) in [
        (
            "A4=5",
            "❌ Invalid move! 5 in A4 conflicts with A1 (row A), B6 (box 2). It stays",
        ),
        (
            "G1=8",
            "❌ Invalid move! 8 in G1 conflicts with D1 (column 1), G8 (row G). It stays",
        ),
        (
            "B2=8",
            "❌ Invalid move! 8 in B2 conflicts with C3 (box 1). It stays",
        ),
        ("A2=1", "❌ Invalid move! A2 is a clue"),
    ] {
        let reply = episode(direct(50)).turn(&format!("<move>{step}</move>"));
        assert!(reply.text.starts_with(told), "{}", reply.text);
        assert_eq!(reply.reward, -0.2);
    }
}

/// "Single Move: Make one move per turn in format `<move>A1=5</move>`".
#[test]
fn one_move_a_turn() {
    let mut episode = episode(direct(50));
    let reply = episode.turn("<move>A3=4</move> <move>A4=6</move>");
    assert_eq!(reply.reward, -0.2);
    assert_eq!(episode.board(), episode.puzzle());
    assert_eq!(episode.turns_used(), 1);
}

/// "Feedback: Receive validation and board state after each move".
#[test]
fn every_reply_has_validation_board_progress_and_turn() {
    let mut episode = episode(direct(50));
    for message in [
        "<move>A3=4</move>",
        "<move>A3=0</move>",
        "<move>A1=1</move>",
        "hm",
        "<move>",
    ] {
        let text = episode.turn(message).text;
        let (head, rest) = text.split_once("\n\n").unwrap();
        assert!(
            ["✅ ", "↩️ ", "❌ "]
                .iter()
                .any(|mark| head.starts_with(mark)),
            "{head}"
        );
        let drawn = puzzleyard_env::sudoku::draw(episode.board());
        assert!(
            rest.starts_with(&format!("Current Board:\n{drawn}\n\nProgress: ")),
            "{rest}"
        );
        assert!(
            rest.contains(&format!("\nTurn: {}/50\n", episode.turns_used())),
            "{rest}"
        );
    }
}

/// "Goal: Complete the puzzle with all constraints satisfied" and "Continue until solved".
#[test]
fn solving_ends_the_episode() {
    let mut episode = episode(direct(60));
    let moves = solution_moves(PUZZLE, SOLUTION);
    for (nth, step) in moves.iter().enumerate() {
        assert_eq!(episode.turn(step).done, nth + 1 == moves.len());
    }
    assert_eq!(episode.end(), Some(End::Solved));
    assert_eq!(judge::judge(PUZZLE, &episode.board().to_string()), Ok(()));
}

/// "`max_turns`: 50, Maximum number of moves allowed per puzzle" and "max turns reached".
#[test]
fn the_turns_are_limited_to_fifty_unless_set() {
    let mut episode = episode(Settings::default());
    assert_eq!(episode.max_turns(), 50);
    for turn in 1..=50 {
        assert_eq!(episode.turn("").done, turn == 50);
    }
    assert_eq!(episode.end(), Some(End::OutOfTurns));
}

/// "`use_think`: True, Use thinking mode with `<think>` tags (`ThinkParser`) or direct
/// reasoning (`Parser`)".
#[test]
fn thinking_is_used_unless_set() {
    assert!(Settings::default().use_think);
    let message = "<think><move>A3=1</move></think><move>A3=4</move>";
    assert_eq!(episode(Settings::default()).turn(message).reward, 0.1);
    assert_eq!(episode(direct(50)).turn(message).reward, -0.2);
    assert_eq!(episode(direct(50)).turn("<move>A3=4</move>").reward, 0.1);
}

/// "`difficulty`: easy" and "`max_turns`: 50" as defaults.
#[test]
fn the_defaults_are_those_of_the_table() {
    assert_eq!(Difficulty::default(), Difficulty::Easy);
    assert_eq!(Settings::default().max_turns, Turns::Fixed(50));
    assert_eq!("hard".parse(), Ok(Difficulty::Hard));
    let read: Settings = serde_json::from_str(r#"{"max_turns": 75}"#).unwrap();
    assert_eq!((read.use_think, read.max_turns), (true, Turns::Fixed(75)));
}

/// "+0.1 points: Each valid move".
#[test]
fn a_valid_move_earns_a_tenth() {
    let mut episode = episode(direct(50));
    assert_eq!(episode.turn("<move>A3=4</move>").reward, 0.1);
    assert_eq!(episode.turn("<move>A4=6</move>").reward, 0.1);
    assert_eq!(episode.score().valid_moves, 0.2);
}

/// "-0.1 points: Backtracking moves (clearing cells with 0)" and "Backtracking Support: Models
/// can clear cells and try different approaches".
#[test]
fn clearing_a_cell_costs_a_tenth() {
    let mut episode = episode(direct(50));
    episode.turn("<move>A3=1</move>");
    let reply = episode.turn("<move>A3=0</move>");
    assert_eq!(reply.reward, -0.1);
    assert!(
        reply
            .text
            .starts_with("↩️ Backtrack: A3 cleared. 51 cells remaining.")
    );
    assert_eq!(episode.board(), episode.puzzle());
    assert!(
        episode
            .turn("<move>A3=4</move>")
            .text
            .starts_with("✅ Valid move!")
    );
    assert_eq!(episode.score().backtracks, -0.1);
}

/// "-0.2 points: Invalid moves (constraint violations)".
#[test]
fn an_invalid_move_costs_two_tenths() {
    let mut episode = episode(direct(50));
    assert_eq!(episode.turn("<move>A3=5</move>").reward, -0.2);
    assert_eq!(episode.score().invalid_moves, -0.2);
}

/// "Progressive Reward System (Cumulative)": "+5.0 points: Successfully solving the puzzle",
/// "+1.0 points: Efficiency bonus based on turns used vs. max turns", "+1.0 points: Completing
/// puzzle (even if invalid)", "+2.0 points: Partial completion based on percentage filled".
#[test]
fn a_solved_puzzle_collects_every_reward() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut episode = episode(direct(60));
    play(&mut episode, moves.iter().map(String::as_str));
    let score = episode.score();
    // 51 cells in 51 of 60 turns.
    assert_eq!(
        score.parts(),
        [5.1, 0.0, 0.0, 5.0, 0.15, 1.0, 2.0, 0.0, 0.0]
    );
    assert_eq!(score.total, 13.25);
}

/// "+1.0 points: Completing puzzle (even if invalid)" and "-0.1 points: Penalty per constraint
/// violation".
#[test]
fn a_full_board_earns_its_point_even_if_wrong() {
    let mut moves = solution_moves(PUZZLE, SOLUTION);
    // I3 is 5 in the solution; 3 stands in E6's box elsewhere, in column 2 and row D.
    let last = moves.len() - 1;
    moves[last] = moves[last].replace("=1<", "=2<");
    let mut episode = episode(direct(60));
    let reply = play(&mut episode, moves.iter().map(String::as_str));
    assert_eq!(episode.end(), Some(End::CompleteButWrong));
    let score = episode.score();
    assert_eq!(
        (score.complete, score.partial, score.solved),
        (1.0, 2.0, 0.0)
    );
    // The last cell, I7: 2 stands again in row I, in column 7 and in box 9.
    assert_eq!(score.violations, -0.3);
    assert_eq!(
        millionths(score.total),
        5_000_000 - 200_000 + 3_000_000 - 300_000
    );
    assert!(reply.text.ends_with(
        "🏁 The board is full but breaks the rules: 3 constraint violations. The game is over."
    ));
}

/// "+2.0 points: Partial completion based on percentage filled".
#[test]
fn a_part_filled_earns_its_share_of_two() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut episode = episode(direct(50));
    play(&mut episode, moves[..17].iter().map(String::as_str));
    // 17 of 51 cells.
    assert_eq!(episode.score().partial, 0.666_666);
}

/// "`sudoku_reward`: Cumulative reward based on moves and completion".
#[test]
fn the_reward_is_the_sum_of_moves_and_completion() {
    let mut episode = episode(direct(50));
    let said = [
        "<move>A3=4</move>",
        "<move>A4=5</move>",
        "<move>A4=0</move>",
        "x",
    ];
    let earned: i64 = said
        .iter()
        .map(|said| millionths(episode.turn(said).reward))
        .sum();
    let score = episode.score();
    assert_eq!(earned, -400_000);
    assert_eq!(millionths(score.total), earned + millionths(score.partial));
}

/// "Row: A-I (A=top row, I=bottom row)", "Column: 1-9 (1=leftmost, 9=rightmost)", "Number: 1-9
/// (digit to place)" and the valid examples: "Place 5 in top-left corner", "Place 7 in center
/// cell", "Place 3 in bottom-right corner", "Clear cell A1 (backtrack)".
#[test]
fn the_valid_examples_go_where_they_say() {
    // The contract's puzzle turned so that its corners and center are empty.
    let puzzle =
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
    let mut episode = Episode::new(grid(puzzle), direct(50)).unwrap();
    for (step, cell, digit) in [
        ("A1=5", 0, 5),
        ("E5=7", 40, 7),
        ("I9=3", 80, 3),
        ("A1=0", 0, 0),
    ] {
        episode.turn(&format!("<move>{step}</move>"));
        assert_eq!(episode.board().digit(cell), digit, "{step}");
    }
}

/// The invalid examples: "`A1 = 5` Extra spaces", "`A10=5` Column 10 doesn't exist", "`J1=5`
/// Row J doesn't exist".
#[test]
fn the_invalid_examples_are_refused() {
    for step in ["A1 = 5", "A10=5", "J1=5"] {
        let mut episode = episode(direct(50));
        let reply = episode.turn(&format!("<move>{step}</move>"));
        let told = format!("❌ Invalid move! Cannot read {step:?}. Write exactly one <move>");
        assert!(reply.text.starts_with(&told), "{}", reply.text);
        assert_eq!(episode.board(), episode.puzzle());
    }
}

/// "Initialization: Present puzzle with clues and empty cells".
#[test]
fn a_new_episode_shows_clues_and_empty_cells() {
    let state = episode(Settings::default()).state();
    assert_eq!(
        (state.puzzle.as_str(), state.board.as_str()),
        (PUZZLE, PUZZLE)
    );
    assert_eq!((state.turn, state.filled, state.empty_cells), (0, 30, 51));
    assert!(!state.done && state.history.is_empty());
}

/// "Model analyzes board and makes one move. Environment validates move and updates board.
/// Environment provides feedback and updated board state."
#[test]
fn the_board_is_updated_move_by_move() {
    let mut episode = episode(direct(50));
    episode.turn("<move>A3=4</move>");
    episode.turn("<move>I7=1</move>");
    let mut wanted: Vec<u8> = PUZZLE.bytes().collect();
    (wanted[2], wanted[78]) = (b'4', b'1');
    assert_eq!(episode.state().board.as_bytes(), wanted);
}

/// "Completion: Calculate final reward based on success and efficiency" and "Efficiency
/// Scoring: Rewards for solving in fewer moves".
#[test]
fn fewer_moves_earn_more() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let total = |detours: usize| {
        let mut episode = episode(direct(100));
        // Valid digits that are wrong, one over the other: they cost turns only.
        for digit in [1, 2].into_iter().cycle().take(detours) {
            episode.turn(&format!("<move>A3={digit}</move>"));
        }
        play(&mut episode, moves.iter().map(String::as_str));
        assert_eq!(episode.end(), Some(End::Solved));
        episode.score().total
    };
    assert_eq!(millionths(total(0)) - millionths(total(1)), 10_000);
    assert_eq!(millionths(total(0)) - millionths(total(5)), 50_000);
}

/// "Penalty-Based Learning: Backtracking incurs small penalty to encourage efficiency".
#[test]
fn backtracking_never_pays() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let total = |detours: &[&str]| {
        let mut episode = episode(direct(100));
        for step in detours {
            episode.turn(step);
        }
        play(&mut episode, moves.iter().map(String::as_str));
        episode.score().total
    };
    let clean = total(&[]);
    assert!(total(&["<move>A3=4</move>", "<move>A3=0</move>"]) < clean);
    assert!(total(&["<move>A3=1</move>", "<move>A3=0</move>"]) < clean);
}

/// "Progressive Feedback: Detailed messages for valid/invalid moves including backtracks".
#[test]
fn each_kind_of_move_has_its_own_words() {
    let mut episode = episode(direct(50));
    let mut heads: Vec<String> = Vec::new();
    for message in [
        "<move>A3=4</move>",
        "<move>A3=4</move>",
        "<move>A3=0</move>",
        "<move>A3=0</move>",
        "<move>A3=5</move>",
        "<move>A1=5</move>",
        "",
        "<move>A3</move>",
        "<move>A3=4",
        "<move>A3=4</move><move>A4=6</move>",
    ] {
        let text = episode.turn(message).text;
        heads.push(text.lines().next().unwrap().to_owned());
    }
    let different: std::collections::BTreeSet<_> = heads.iter().collect();
    assert_eq!(different.len(), heads.len(), "{heads:#?}");
}

/// "Error Recovery: Continues game after invalid moves with feedback".
#[test]
fn the_game_goes_on_after_an_invalid_move() {
    let mut episode = episode(direct(50));
    for message in [
        "",
        "<move>J1=5</move>",
        "<move>A1=1</move>",
        "<move>A3=5</move>",
    ] {
        let reply = episode.turn(message);
        assert!(!reply.done && reply.text.ends_with("What's your next move?"));
    }
    assert_eq!(episode.turn("<move>A3=4</move>").reward, 0.1);
}
