//! What must hold for any messages. The tests here and the fuzz targets assert the same
//! claims.

use puzzleyard_env::sudoku::{End, Episode, Recorder, Settings};
use puzzleyard_env::{Turns, judge, sokoban};
use puzzleyard_sokoban::judge as replay;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Messages of a byte string: a first byte of settings, then texts divided by `\x1e`. `@` and
/// `~` stand for the opening and the closing tag, `^` for the end of thinking, so that short
/// inputs say much.
pub(crate) fn messages(bytes: &[u8]) -> (u8, Vec<String>) {
    let (first, rest) = bytes
        .split_first()
        .map_or((0, bytes), |(first, rest)| (*first, rest));
    let texts = rest.split(|&byte| byte == 0x1e).map(|text| {
        let text = String::from_utf8_lossy(text);
        text.replace('@', "<move>")
            .replace('~', "</move>")
            .replace('^', "</think>")
    });
    (first, texts.collect())
}

/// Plays a byte string as Sudoku messages: nothing panics, clues stay, the parts add up, the
/// judge agrees, an unsolved episode is below the floor and a solved one is not.
pub(crate) fn sudoku_message(bytes: &[u8]) {
    let (first, said) = messages(bytes);
    let settings = Settings {
        use_think: first & 1 == 1,
        max_turns: if first < 4 {
            Turns::Auto
        } else {
            Turns::Fixed(u32::from(first))
        },
    };
    let mut recorder = Recorder::new(PUZZLE.parse().unwrap(), settings).unwrap();
    for text in &said {
        let before = recorder.episode().score();
        let reply = recorder.turn(text);
        assert!(reply.text.len() < 2000, "{}", reply.text);
        assert!(reply.reward <= 0.1 && reply.reward >= -0.2);
        sudoku_state(recorder.episode());
        let after = recorder.episode().score();
        let moved = |score: &puzzleyard_env::sudoku::Score| {
            score.valid_moves + score.backtracks + score.invalid_moves
        };
        assert!((moved(&after) - moved(&before) - reply.reward).abs() < 1e-9);
    }
    let record = recorder.transcript();
    assert_eq!(judge::sudoku(&record), Ok(recorder.episode().score()));
}

fn sudoku_state(episode: &Episode) {
    let board = episode.board().to_string();
    for (clue, found) in PUZZLE.bytes().zip(board.bytes()) {
        assert!(clue == b'.' || clue == found, "{board}");
    }
    let score = episode.score();
    let sum: f64 = score.parts().iter().sum();
    assert!((sum - score.total).abs() < 1e-9, "{score:?}");
    let solved = puzzleyard_sudoku::judge::judge(PUZZLE, &board).is_ok();
    assert_eq!(episode.end() == Some(End::Solved), solved);
    assert_eq!(score.total >= 9.2, solved, "{score:?}");
    assert!(episode.turns_used() <= episode.max_turns());
}

/// A level in which boxes get stuck easily, one of them on its goal at the start.
const LEVEL: &str = "########\n#  .   #\n# $@$. #\n# .*$  #\n#   #  #\n########\n";

/// Plays a byte string as Sokoban messages: nothing panics, both judges agree, an unsolved
/// episode is below the floor and a solved one is not.
pub(crate) fn sokoban_message(bytes: &[u8]) {
    let (first, said) = messages(bytes);
    let settings = sokoban::Settings {
        use_think: first & 1 == 1,
        max_turns: if first & 2 == 0 {
            Turns::Auto
        } else {
            Turns::Fixed(1 + u32::from(first))
        },
        steps_per_turn: [1, 4, 20, 1000][usize::from(first >> 6)],
        view: if first & 4 == 0 {
            sokoban::View::Xsb
        } else {
            sokoban::View::Coordinates
        },
        tell_deadlock: first & 8 == 0,
        case_matters: first & 16 != 0,
    };
    let optimum = (first & 32 == 0).then_some(sokoban::Optimum {
        pushes: 1,
        moves: 40,
    });
    let task = sokoban::Task {
        level: LEVEL.to_owned(),
        optimum,
    };
    let mut recorder = sokoban::Recorder::new(&task, settings).unwrap();
    for text in &said {
        let before = recorder.episode().answer().len();
        let reply = recorder.turn(text);
        assert!(reply.text.len() < 2000, "{}", reply.text);
        assert_eq!(
            recorder.episode().answer().len() - before,
            reply.steps as usize
        );
        assert_eq!(reply.reward < 0.0, reply.invalid_reason.is_some());
    }
    let episode = recorder.episode();
    let answer = episode.answer();
    let ruling = replay::judge(LEVEL, answer, replay::Strictness::CaseMatters);
    let solved = episode.end() == Some(sokoban::End::Solved);
    let state = episode.state();
    let wanted = if solved {
        replay::Ruling::Solved {
            moves: answer.len(),
            pushes: state.pushes as usize,
        }
    } else {
        replay::Ruling::Unfinished {
            moves: answer.len(),
            pushes: state.pushes as usize,
            on_goal: state.on_goals as usize,
            boxes: 4,
        }
    };
    assert_eq!(ruling, wanted);
    assert_eq!(state.score.total >= 3.0, solved);
    assert!(solved || state.score.total < 2.0);
    assert_eq!(judge::sokoban(&recorder.transcript()), Ok(state.score));
}
