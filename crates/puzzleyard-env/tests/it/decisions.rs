//! Each decision of `docs/sudoku-episode.md` with its test.

use puzzleyard_env::sudoku::{End, Episode, InvalidReason, Settings, Unplayable};
use puzzleyard_env::{MAX_MESSAGE, MAX_TEXT, Turns};
use puzzleyard_sudoku::{Grid, rules::Unit};

use crate::table::{PUZZLE, SOLUTION, direct, episode, grid, millionths, play, solution_moves};

/// The reason of the last of these messages, read without thinking.
fn reason(messages: &[&str]) -> Option<InvalidReason> {
    play(&mut episode(direct(50)), messages.iter().copied()).invalid_reason
}

/// The same for a message read with thinking.
fn thought(message: &str) -> Option<InvalidReason> {
    episode(Settings::default()).turn(message).invalid_reason
}

#[test]
fn anything_but_a_move_in_a_tag_is_malformed() {
    let malformed = Some(InvalidReason::Malformed);
    for content in [
        "",
        " ",
        "A3=4 ",
        " A3=4",
        "A3 =4",
        "a3=4",
        "A3=10",
        "A3=",
        "A3",
        "=4",
        "3A=4",
        "A3:4",
        "A3==4",
        "A33=4",
        "A0=4",
        "J3=4",
        "A3=-4",
        "A3=4.0",
        "Ａ3=4",
        "A３=4",
        "A3＝4",
        "A3=４",
        "A3=٤",
        "A3=4\0",
        "A3=4\n",
        "\u{feff}A3=4",
        "A3=4\u{301}",
        "A3=4\u{202e}",
        "А3=4",
        "<![CDATA[A3=4]]>",
        "&#65;3=4",
        "<b>A3=4</b>",
        "<move>A3=4",
        "A3=4, A4=6",
        "A3=4;",
        "r1c3=4",
        "(A,3)=4",
        "\u{1f600}",
    ] {
        let message = format!("<move>{content}</move>");
        assert_eq!(reason(&[&message]), malformed, "{content:?}");
    }
}

#[test]
fn tags_are_spelled_in_one_way() {
    for message in [
        "<MOVE>A3=4</MOVE>",
        "<move >A3=4</move>",
        "< move>A3=4</move>",
        "&lt;move&gt;A3=4&lt;/move&gt;",
        "＜move＞A3=4＜/move＞",
        "move A3=4",
        "</move>A3=4<move/>",
        "\\<move\\>A3=4\\</move\\>",
    ] {
        assert_eq!(reason(&[message]), Some(InvalidReason::NoMove), "{message}");
    }
    assert_eq!(reason(&["<![CDATA[<move>A3=4</move>]]>"]), None);
    assert_eq!(reason(&["\0<move>A3=4</move>\0"]), None);
    assert_eq!(reason(&["</move></move><move>A3=4</move></move>"]), None);
}

#[test]
fn an_open_tag_is_malformed() {
    let malformed = Some(InvalidReason::Malformed);
    assert_eq!(reason(&["<move>A3=4"]), malformed);
    assert_eq!(reason(&["<move>A3=4</move> and <move>"]), malformed);
    assert_eq!(reason(&["<move>A3=4</move"]), malformed);
}

#[test]
fn a_malformed_tag_spoils_a_good_one() {
    let malformed = Some(InvalidReason::Malformed);
    assert_eq!(reason(&["<move>A3=4</move><move>A4 = 6</move>"]), malformed);
    assert_eq!(
        reason(&["<move>A3=4</move><move>A4=6</move><move>x</move>"]),
        malformed
    );
}

#[test]
fn different_moves_are_refused_and_repeats_count_once() {
    let several = Some(InvalidReason::SeveralMoves);
    assert_eq!(reason(&["<move>A3=4</move><move>A4=6</move>"]), several);
    assert_eq!(reason(&["<move>A3=4</move><move>A3=1</move>"]), several);
    let mut episode = episode(direct(50));
    let reply = episode.turn("<move>A3=4</move> I repeat: <move>A3=4</move><move>A3=4</move>");
    assert_eq!((reply.reward, reply.invalid_reason), (0.1, None));
}

#[test]
fn a_message_without_a_tag_is_no_move() {
    for message in ["", "A3=4", "I give up.", "\u{0}\u{1}\u{2}", "🙂"] {
        assert_eq!(
            reason(&[message]),
            Some(InvalidReason::NoMove),
            "{message:?}"
        );
    }
}

#[test]
fn thinking_is_what_think_parser_takes_for_it() {
    let none = Some(InvalidReason::NoMove);
    // Without a closing tag nothing is read at all.
    assert_eq!(thought("<move>A3=4</move>"), none);
    assert_eq!(thought("<think>hm<move>A3=4</move>"), none);
    assert_eq!(thought("<move>A3=4</move></think>"), none);
    // What follows the last closing tag is read; an opening tag is not needed.
    assert_eq!(thought("</think><move>A3=4</move>"), None);
    assert_eq!(
        thought("<think><move>A3=1</move></think><move>A3=4</move>"),
        None
    );
    assert_eq!(
        thought("<think>a</think><move>A3=1</move></think><move>A3=4</move>"),
        None
    );
    assert_eq!(thought("<think><move>A3=</think>4</move>"), none);
    assert_eq!(thought("</think><think><move>A3=4</move>"), None);
    assert_eq!(thought("</THINK><move>A3=4</move>"), none);
    // Without thinking, tags of thinking mean nothing.
    assert_eq!(reason(&["<think><move>A3=4</move></think>"]), None);
}

#[test]
fn a_conflicting_digit_is_placed_and_told() {
    let mut episode = episode(direct(50));
    let reply = episode.turn("<move>A3=5</move>");
    assert_eq!(reply.invalid_reason, Some(InvalidReason::Conflict));
    assert_eq!(episode.board().digit(2), 5);
    assert_eq!(
        reply.text.lines().next().unwrap(),
        "❌ Invalid move! 5 in A3 conflicts with A1 (row A, box 1). It stays on the board: \
         clear it with <move>A3=0</move> or write another digit over it."
    );
    assert!(reply.text.contains("Progress: 31/81"));
}

#[test]
fn validity_is_never_compared_with_the_solution() {
    // 1 is not A3's digit in the solution, and conflicts with nothing.
    assert_eq!(&SOLUTION[2..3], "4");
    let mut right = episode(direct(50));
    let mut wrong = episode(direct(50));
    let told = right.turn("<move>A3=4</move>");
    let untold = wrong.turn("<move>A3=1</move>");
    assert_eq!(untold.text, told.text.replace("A 5 3 4", "A 5 3 1"));
    assert_eq!(
        (untold.reward, untold.invalid_reason),
        (told.reward, told.invalid_reason)
    );
    assert_eq!(right.score(), wrong.score());
}

#[test]
fn a_cell_is_paid_once() {
    let mut episode = episode(direct(50));
    let mut reward = |step: &str| episode.turn(&format!("<move>{step}</move>")).reward;
    assert_eq!(reward("A3=4"), 0.1);
    assert_eq!(reward("A3=0"), -0.1);
    assert_eq!(reward("A3=4"), 0.0);
    assert_eq!(reward("A3=1"), 0.0);
    assert_eq!(reward("A3=5"), -0.2);
    assert_eq!(reward("A3=4"), 0.0);
    // A cell whose first digit conflicted is still to be paid.
    assert_eq!(reward("A4=5"), -0.2);
    assert_eq!(reward("A4=6"), 0.1);
    assert_eq!(reward("A4=6"), -0.2);
}

#[test]
fn an_own_digit_may_be_overwritten() {
    let mut episode = episode(direct(50));
    episode.turn("<move>A3=1</move>");
    let reply = episode.turn("<move>A3=4</move>");
    assert!(reply.text.starts_with("✅ Valid move! 50 cells remaining."));
    assert_eq!((reply.reward, episode.board().digit(2)), (0.0, 4));
}

#[test]
fn refused_moves_leave_the_board() {
    for (messages, wanted) in [
        (vec!["<move>A1=5</move>"], InvalidReason::ClueCell),
        (vec!["<move>A1=4</move>"], InvalidReason::ClueCell),
        (vec!["<move>A1=0</move>"], InvalidReason::ClueCell),
        (vec!["<move>A3=0</move>"], InvalidReason::CellEmpty),
        (
            vec!["<move>A3=4</move>", "<move>A3=4</move>"],
            InvalidReason::SameDigit,
        ),
        (
            vec!["<move>A3=5</move>", "<move>A3=5</move>"],
            InvalidReason::SameDigit,
        ),
    ] {
        let mut episode = episode(direct(50));
        let (last, before) = messages.split_last().unwrap();
        for step in before {
            episode.turn(step);
        }
        let board = *episode.board();
        let reply = episode.turn(last);
        assert_eq!(
            (reply.invalid_reason, reply.reward),
            (Some(wanted), -0.2),
            "{messages:?}"
        );
        assert_eq!(*episode.board(), board);
        assert_eq!(episode.state().invalid_reason, Some(wanted));
    }
}

#[test]
fn a_message_too_long_is_a_lost_turn() {
    let tail = "<move>A3=4</move>";
    let fits = "x".repeat(MAX_MESSAGE - tail.len()) + tail;
    assert_eq!(reason(&[&fits]), None);
    let long = "x".repeat(MAX_MESSAGE - tail.len() + 1) + tail;
    assert_eq!(reason(&[&long]), Some(InvalidReason::TooLong));
    assert_eq!(
        reason(&[&long, tail]),
        None,
        "a message that is not read takes no room"
    );
}

#[test]
fn all_messages_together_have_a_limit() {
    let mut episode = episode(direct(100));
    let long = "x".repeat(MAX_MESSAGE);
    for _ in 0..MAX_TEXT / MAX_MESSAGE {
        assert_eq!(
            episode.turn(&long).invalid_reason,
            Some(InvalidReason::NoMove)
        );
    }
    assert_eq!(episode.turn("").invalid_reason, Some(InvalidReason::NoMove));
    assert_eq!(
        episode.turn("x").invalid_reason,
        Some(InvalidReason::TooLong)
    );
}

#[test]
fn the_move_in_the_last_turn_counts() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut episode = episode(direct(51));
    let reply = play(&mut episode, moves.iter().map(String::as_str));
    assert_eq!(episode.end(), Some(End::Solved));
    assert_eq!(episode.score().efficiency, 0.0);
    assert!(reply.text.starts_with("✅ Valid move! 0 cells remaining."));
    assert!(
        reply
            .text
            .ends_with("Turn: 51/51\n\n🎉 Puzzle solved in 51 turns!")
    );
}

#[test]
fn the_end_of_the_turns_is_told() {
    let mut episode = episode(direct(1));
    let reply = episode.turn("<move>A3=4</move>");
    assert!(reply.done && reply.reward == 0.1);
    assert!(
        reply
            .text
            .ends_with("Turn: 1/1\n\n⏰ All 1 turns are used up. The game is over.")
    );
}

#[test]
fn a_full_wrong_board_ends_the_episode() {
    let mut moves = solution_moves(PUZZLE, SOLUTION);
    moves[0] = "<move>A3=5</move>".to_owned();
    let mut episode = episode(direct(52));
    assert!(play(&mut episode, moves.iter().map(String::as_str)).done);
    assert_eq!(episode.end(), Some(End::CompleteButWrong));
    // Turns are left, and nothing more can be done with them.
    let state = episode.state();
    let reply = episode.turn("<move>A3=4</move>");
    assert_eq!(
        (reply.text.as_str(), reply.done, reply.reward),
        ("The game is over.", true, 0.0)
    );
    assert_eq!(episode.state(), state);
}

#[test]
fn efficiency_is_the_share_of_turns_left_and_only_if_solved() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    for (turns, wanted) in [(51, 0.0), (52, 0.019_23), (102, 0.5), (10_000, 0.9949)] {
        let mut episode = episode(direct(turns));
        play(&mut episode, moves[..50].iter().map(String::as_str));
        assert_eq!(episode.score().efficiency, 0.0);
        episode.turn(&moves[50]);
        assert_eq!(
            millionths(episode.score().efficiency) / 10,
            millionths(wanted) / 10
        );
    }
}

#[test]
fn clues_earn_no_partial_completion() {
    assert_eq!(episode(direct(50)).score().total, 0.0);
    let mut episode = episode(direct(50));
    episode.turn("<move>A3=4</move>");
    assert_eq!(
        episode.score().partial,
        0.039_215,
        "2 / 51, rounded down to a millionth"
    );
}

#[test]
fn a_violation_is_a_digit_beyond_the_first_of_its_unit() {
    let mut episode = episode(direct(50));
    episode.turn("<move>A3=5</move>");
    assert_eq!(episode.score().violations, -0.2, "row A and box 1");
    episode.turn("<move>A4=5</move>");
    assert_eq!(
        episode.score().violations,
        -0.4,
        "row A twice, box 1, box 2"
    );
    episode.turn("<move>A3=4</move>");
    episode.turn("<move>A4=6</move>");
    assert_eq!(episode.score().violations, 0.0);
}

#[test]
fn a_solved_total_is_lifted_to_the_floor() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut episode = episode(direct(10_000));
    for _ in 0..9_949 {
        episode.turn("no move");
    }
    play(&mut episode, moves.iter().map(String::as_str));
    let score = episode.score();
    assert_eq!(score.invalid_moves, -1989.8);
    assert_eq!(
        millionths(score.solved_floor),
        9_200_000 - (5_100_000 - 1_989_800_000 + 8_000_000)
    );
    assert_eq!(score.total, 9.2);
}

#[test]
fn turns_may_be_one_to_ten_thousand_or_enough() {
    let turns = |max_turns| {
        let settings = Settings {
            max_turns,
            ..Settings::default()
        };
        Episode::new(grid(PUZZLE), settings).map(|episode| episode.max_turns())
    };
    assert_eq!(turns(Turns::Fixed(1)), Ok(1));
    assert_eq!(turns(Turns::Fixed(10_000)), Ok(10_000));
    assert_eq!(turns(Turns::Auto), Ok(102));
    for found in [0, 10_001, u32::MAX] {
        assert_eq!(turns(Turns::Fixed(found)), Err(Unplayable::Turns { found }));
    }
}

#[test]
fn only_puzzles_with_one_solution_are_played() {
    let new = |puzzle: Grid| Episode::new(puzzle, Settings::default()).map(drop);
    let puzzle = grid(PUZZLE);
    assert_eq!(new(Grid::EMPTY), Err(Unplayable::TooFewClues { clues: 0 }));
    assert_eq!(new(grid(SOLUTION)), Err(Unplayable::Full));
    let unit = Unit::Row(0);
    assert_eq!(
        new(puzzle.with(2, 5)),
        Err(Unplayable::Conflict { digit: 5, unit })
    );
    assert_eq!(new(puzzle.with(2, 1)), Err(Unplayable::NoSolution));
    // Without some of its clues the puzzle has several solutions.
    let open = [0, 1, 4, 9]
        .into_iter()
        .fold(puzzle, |grid, cell| grid.with(cell, 0));
    assert_eq!(new(open), Err(Unplayable::Several));
    assert_eq!(new(puzzle), Ok(()));
}

#[test]
fn the_system_prompt_says_what_is_played() {
    let text = episode(direct(77)).system_prompt();
    assert!(text.contains("in at most 77 turns") && !text.contains("<think>"));
    assert!(
        episode(Settings::default())
            .system_prompt()
            .contains("<think>...</think>")
    );
}

#[test]
fn state_settings_and_score_survive_json() {
    let mut episode = episode(direct(50));
    for said in ["<move>A3=4</move>", "", "<move>A4=5</move>"] {
        episode.turn(said);
    }
    let state = episode.state();
    let text = serde_json::to_string(&state).unwrap();
    assert!(text.contains(r#""invalid_reason":"conflict""#), "{text}");
    assert!(text.contains(r#"{"turn":1,"move":"A3=4","reward":0.1,"invalid_reason":null}"#));
    assert_eq!(
        serde_json::from_str::<puzzleyard_env::sudoku::State>(&text).unwrap(),
        state
    );
    let settings = serde_json::to_string(&direct(9)).unwrap();
    assert_eq!(settings, r#"{"use_think":false,"max_turns":9}"#);
    assert!(
        serde_json::from_str::<Settings>(r#"{"max_turn": 9}"#).is_err(),
        "a misspelled key"
    );
}

#[test]
fn names_are_those_of_json() {
    use InvalidReason::{
        CellEmpty, ClueCell, Conflict, Malformed, NoMove, SameDigit, SeveralMoves, TooLong,
    };
    let reasons = [
        NoMove,
        Malformed,
        SeveralMoves,
        TooLong,
        ClueCell,
        CellEmpty,
        SameDigit,
        Conflict,
    ];
    for reason in reasons {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
    }
    for end in [End::Solved, End::CompleteButWrong, End::OutOfTurns] {
        assert_eq!(serde_json::to_value(end).unwrap(), end.to_string());
    }
}
