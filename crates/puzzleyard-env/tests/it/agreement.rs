//! The judge and the episode agree on any messages, and a forged transcript is refused.

use proptest::collection::vec;
use proptest::prelude::*;
use puzzleyard_env::judge::{self, Refusal};
use puzzleyard_env::sudoku::{Agent, Recorder, Settings, Transcript};
use puzzleyard_env::{MAX_MESSAGE, MAX_TEXT, Turns};

use crate::claims;
use crate::table::{PUZZLE, SOLUTION, direct, grid, solution_moves};

/// Messages that mean something, and such as only seem to.
fn message() -> impl Strategy<Value = String> {
    let cell = "[A-I][1-9]=[0-9]";
    prop_oneof![
        6 => cell.prop_map(|step| format!("@{step}~")),
        2 => (cell, cell).prop_map(|(one, two)| format!("@{one}~ @{two}~")),
        1 => (cell, cell).prop_map(|(one, two)| format!("@{one}~^@{two}~")),
        1 => cell.prop_map(|step| format!("^@{step}~@{step}~")),
        2 => "[@~^A-J0-9= \u{0}\u{7f}\u{301}<>/a-z]{0,20}",
        1 => "\\PC{0,30}",
        1 => any::<String>(),
    ]
}

fn record(settings: Settings, messages: &[String]) -> Transcript {
    let mut recorder = Recorder::new(grid(PUZZLE), settings).unwrap();
    for said in messages {
        recorder.turn(said);
    }
    recorder.transcript()
}

proptest! {
    #[test]
    fn on_sloppy_messages(first in 0u8..120, said in vec(message(), 0..80)) {
        let bytes = said.join("\u{1e}").into_bytes();
        claims::sudoku_message(&[&[first], &bytes[..]].concat());
    }

    #[test]
    fn on_any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        claims::sudoku_message(&bytes);
    }

    /// Near the end of a game: most cells are right, some are swapped, spoiled or repeated.
    #[test]
    fn on_games_that_come_to_an_end(
        think in any::<bool>(),
        turns in prop_oneof![Just(Turns::Auto), (40u32..120).prop_map(Turns::Fixed)],
        spoils in vec((0usize..51, "[A-I][1-9]=[0-9]"), 0..6),
    ) {
        let mut said = solution_moves(PUZZLE, SOLUTION);
        for (at, step) in spoils {
            said.insert(at, format!("<move>{step}</move>"));
        }
        for one in &mut said {
 one.insert_str(0, "</think>");
 }
        let record = record(Settings { use_think: think, max_turns: turns }, &said);
        prop_assert_eq!(judge::sudoku(&record), Ok(record.score));
        let text = serde_json::to_string(&record).unwrap();
        let read: Transcript = serde_json::from_str(&text).unwrap();
        prop_assert!(judge::sudoku(&read).is_ok());
    }

    /// A change of any reply, message, score or puzzle is refused, at the turn that it is in.
    #[test]
    fn not_on_forgeries(said in vec(message(), 1..40), at in any::<prop::sample::Index>(), how in 0..8) {
        let said: Vec<String> = said.iter().map(|one| one.replace('@', "<move>").replace('~', "</move>")).collect();
        let honest = record(direct(50), &said);
        let mut forged = honest.clone();
        let nth = at.index(forged.replies.len());
        let turn = nth as u32 + 1;
        match how {
            0 => forged.replies[nth].text.push(' '),
            1 => forged.replies[nth].reward += 0.1,
            2 => forged.replies[nth].done ^= true,
            3 => forged.replies[nth].text = forged.replies[nth].text.replace("Turn: ", "Turn: 0"),
            4 => forged.score.total += 0.1,
            5 => forged.score.solved = f64::NAN,
            6 => forged.puzzle = forged.puzzle.replacen('.', "1", 1),
            _ => drop(forged.messages.pop()),
        }
        let refusal = judge::sudoku(&forged).unwrap_err();
        let wanted = match how { 0..=3 => Some(turn), 4 | 5 => None, _ => Some(0) };
        prop_assert_eq!(refusal.turn(), wanted);
        prop_assert!(judge::sudoku(&honest).is_ok());
    }
}

#[test]
fn on_long_messages_and_their_cuts() {
    let long = "é".repeat(MAX_MESSAGE) + "<move>A3=4</move>";
    let mut said: Vec<String> = vec!["<move>A3=4</move>".to_owned(), long];
    said.extend((0..=MAX_TEXT / MAX_MESSAGE).map(|_| "z".repeat(MAX_MESSAGE)));
    said.push("<move>A4=6</move>".to_owned());
    let honest = record(direct(200), &said);
    assert_eq!(honest.cut.len(), 3);
    assert!(judge::sudoku(&honest).is_ok());
    let mut forged = honest.clone();
    forged.cut[0].bytes = 1025;
    assert_eq!(
        judge::sudoku(&forged).unwrap_err().turn(),
        Some(2),
        "short enough to be read"
    );
    forged = honest.clone();
    forged.cut[0].turn = 3;
    assert_eq!(judge::sudoku(&forged).unwrap_err().turn(), Some(2));
    forged = honest.clone();
    forged.cut[2].turn = 999;
    assert!(judge::sudoku(&forged).is_err());
}

#[test]
fn a_message_swapped_for_a_better_one_is_refused_at_its_turn() {
    let moves = solution_moves(PUZZLE, SOLUTION);
    let mut said = moves.clone();
    said[20] = "<move>A1=1</move>".to_owned();
    let mut forged = record(direct(60), &said);
    forged.messages[20].clone_from(&moves[20]);
    let refusal = judge::sudoku(&forged).unwrap_err();
    assert_eq!(refusal.turn(), Some(21));
    assert!(
        matches!(
            refusal,
            Refusal::Turn {
                field: "invalid_reason",
                ..
            }
        ),
        "{refusal}"
    );
}

#[test]
fn a_refusal_names_the_first_line_that_differs() {
    let mut forged = record(direct(60), &["<move>A3=4</move>".to_owned()]);
    forged.replies[0].text = forged.replies[0].text.replace("31/81", "81/81") + &"x".repeat(9999);
    let refusal = judge::sudoku(&forged).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "turn 1: text is \"Progress: 81/81 cells filled (38.3%)\" in line 17, wanted \
         \"Progress: 31/81 cells filled (38.3%)\""
    );
}

#[test]
fn turns_after_the_end_are_refused() {
    let mut forged = record(direct(60), &solution_moves(PUZZLE, SOLUTION));
    forged.messages.push(String::new());
    forged.replies.push(forged.replies[0].clone());
    assert_eq!(judge::sudoku(&forged), Err(Refusal::AfterEnd { turn: 52 }));
}

#[test]
fn other_formats_games_and_puzzles_are_refused_before_the_first_turn() {
    let honest = record(direct(60), &["<move>A3=4</move>".to_owned()]);
    let changes: [fn(&mut Transcript); 9] = [
        |record| record.format = 2,
        |record| record.game = "sokoban".to_owned(),
        |record| record.puzzle.push('.'),
        |record| record.puzzle = "é".repeat(81),
        |record| record.puzzle = ".".repeat(81),
        |record| record.puzzle = SOLUTION.to_owned(),
        |record| record.puzzle = record.puzzle.replacen('.', "5", 1),
        |record| record.prompt.push('\n'),
        |record| record.settings.max_turns = Turns::Fixed(0),
    ];
    for change in changes {
        let mut forged = honest.clone();
        change(&mut forged);
        assert_eq!(judge::sudoku(&forged).unwrap_err().turn(), Some(0));
    }
}

#[test]
fn on_the_scripted_agents() {
    for agent in [Agent::Optimal, Agent::Singles, Agent::Random] {
        for think in [false, true] {
            let settings = Settings {
                use_think: think,
                ..direct(60)
            };
            let mut recorder = Recorder::new(grid(PUZZLE), settings).unwrap();
            while !recorder.episode().is_done() {
                let said = agent.answer(recorder.episode(), 5);
                recorder.turn(&said);
            }
            let score = recorder.episode().score();
            assert_eq!(judge::sudoku(&recorder.transcript()), Ok(score));
            assert_eq!(score.solved > 0.0, agent != Agent::Random, "{agent}");
        }
    }
}
