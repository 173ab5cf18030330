//! The judge and the rules, written apart, say the same of every answer.

use proptest::prelude::*;
use puzzleyard_core::Direction;
use puzzleyard_sokoban::judge::{Ruling, Strictness, judge};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{Blocked, FaultKind, Level, Waivers};

use crate::state_counts;

/// The rows as text with the floor at their ends, which [`Setup::board`] cuts.
fn whole_text(setup: &Setup) -> String {
    let (area, mut text) = (setup.area(), String::new());
    for cell in area.cells() {
        text.push(setup.square(cell).glyph());
        if cell.col + 1 == area.width() {
            text.push('\n');
        }
    }
    text
}

/// Moves, pushes and whether it is solved; or the step that fails, from 1, and the reason.
type Outcome = Result<(usize, usize, bool), (usize, &'static str)>;

/// What the rules say of `letters`, in the judge's words. `None` where the level has no
/// meaning that both share: the judge wants exactly one player.
fn expected(setup: &Setup, letters: &str) -> Option<Outcome> {
    let faults = Level::faults(setup).0;
    let foreign = [FaultKind::NoPlayer, FaultKind::SeveralPlayers];
    if faults.iter().any(|fault| foreign.contains(&fault.kind)) {
        return None;
    }
    let level = Level::from_setup(setup, &Waivers::of(FaultKind::ALL)).ok()?;
    let ways = letters.chars().filter_map(Direction::from_letter);
    Some(match level.replay(ways) {
        Ok((state, answer)) => {
            assert_eq!(answer.to_string().to_lowercase(), letters.to_lowercase());
            Ok((answer.moves(), answer.pushes(), level.is_solved(&state)))
        }
        Err((at, Blocked::Wall)) => Err((at + 1, "walk into a wall")),
        Err((at, Blocked::BoxAgainstWall)) => Err((at + 1, "push a box into a wall")),
        Err((at, Blocked::BoxAgainstBox)) => Err((at + 1, "push a box into another box")),
    })
}

/// Compares the two on one answer. Says whether they could be compared.
fn compare(setup: &Setup, letters: &str) -> bool {
    let Some(expected) = expected(setup, letters) else {
        return false;
    };
    let ruling = judge(&whole_text(setup), letters, Strictness::Plain);
    let agree = match (&ruling, &expected) {
        (Ruling::Solved { moves, pushes }, &Ok(want)) => (*moves, *pushes, true) == want,
        (Ruling::Unfinished { moves, pushes, .. }, &Ok(want)) => (*moves, *pushes, false) == want,
        (Ruling::Impossible { step, why }, &Err((at, reason))) => {
            *step == at && why.contains(reason)
        }
        _ => false,
    };
    assert!(
        agree,
        "{}{letters}: {ruling:?}, expected {expected:?}",
        whole_text(setup)
    );
    true
}

/// Letters of `dice`, the impossible ones left out until `mistake`, when one is put in as is.
fn walk(setup: &Setup, dice: &[usize], mistake: usize) -> String {
    let Ok(level) = Level::from_setup(setup, &Waivers::of(FaultKind::ALL)) else {
        return String::new();
    };
    let (mut state, mut letters) = (level.start().clone(), String::new());
    for (at, &die) in dice.iter().enumerate() {
        let way = Direction::ALL[die];
        if level.step(&mut state, way).is_ok() || at == mistake {
            letters.push(way.letter());
        }
    }
    letters
}

fn boards() -> impl Strategy<Value = Setup> {
    let glyph =
        prop_oneof![6 => Just(' '), 2 => Just('#'), 2 => Just('$'), 2 => Just('.'), 1 => Just('*')];
    (1usize..7, 1usize..8, any::<bool>()).prop_flat_map(move |(height, width, closed)| {
        let cells = prop::collection::vec(glyph.clone(), height * width);
        (cells, 0..height * width, any::<bool>()).prop_map(move |(mut cells, player, on_goal)| {
            cells[player] = if on_goal { '+' } else { '@' };
            let edge = usize::from(closed);
            let mut rows = vec![vec![Square::WALL; width + 2 * edge]; height + 2 * edge];
            for (at, glyph) in cells.into_iter().enumerate() {
                let square = Square::from_glyph(glyph).expect("a glyph");
                rows[at / width + edge][at % width + edge] = square;
            }
            Setup::from_rows(&rows)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn agree_on_walks_in_small_levels(
        which in any::<prop::sample::Index>(),
        dice in prop::collection::vec(0usize..4, 0..200),
        mistake in 0usize..400,
    ) {
        let rows = state_counts::rows();
        let setup = which.get(&rows).setup();
        compare(&setup, &walk(&setup, &dice, mistake));
    }

    #[test]
    fn agree_on_random_boards(
        setup in boards(),
        dice in prop::collection::vec(0usize..4, 0..60),
        mistake in 0usize..80,
        letters in "[lurdLURD]{0,6}",
    ) {
        compare(&setup, &walk(&setup, &dice, mistake));
        compare(&setup, &letters);
    }

    /// With case, the rules' own spelling passes and any other spelling of one letter fails
    /// at that letter.
    #[test]
    fn agree_on_which_steps_push(
        which in any::<prop::sample::Index>(),
        dice in prop::collection::vec(0usize..4, 1..80),
        flip in any::<prop::sample::Index>(),
    ) {
        let rows = state_counts::rows();
        let row = which.get(&rows);
        let (level, text) = (row.level(), whole_text(&row.setup()));
        let letters = walk(&row.setup(), &dice, usize::MAX);
        let ways = letters.chars().filter_map(Direction::from_letter);
        let spelled = level.replay(ways).expect("walked before").1.to_string();
        let strict = judge(&text, &spelled, Strictness::CaseMatters);
        prop_assert_eq!(&strict, &judge(&text, &letters, Strictness::Plain));
        if !spelled.is_empty() {
            let at = flip.index(spelled.len());
            let mut wrong = spelled.into_bytes();
            wrong[at] ^= 0x20;
            let wrong = String::from_utf8(wrong).expect("letters");
            let ruling = judge(&text, &wrong, Strictness::CaseMatters);
            let fails_there = matches!(ruling, Ruling::Impossible { step, .. } if step == at + 1);
            prop_assert!(fails_there, "{} with {}", text, wrong);
        }
    }

    /// Any text at all gets a ruling.
    #[test]
    fn judges_any_text(board in "[#@+$*. _x\\t\\n-]{0,60}", answer in "[lurdLURDx \\n]{0,20}", strict in any::<bool>()) {
        let strictness = if strict { Strictness::CaseMatters } else { Strictness::Plain };
        let ruling = judge(&board, &answer, strictness);
        prop_assert!(!ruling.to_string().is_empty());
    }
}

#[test]
fn rulings_name_step_and_reason() {
    let board = "#######\r\n#@-$_.#\r\n#######\r\n";
    let rows = [
        ("rRR", "solved moves=3 pushes=2"),
        ("r R\nR", "solved moves=3 pushes=2"),
        (
            "rrr",
            "failed at step 2: r says a walk but the player pushes",
        ),
        ("R", "failed at step 1: R says a push but the player walks"),
        (
            "rR",
            "not solved: after the last of 2 moves (1 pushes) 0 of 1 boxes stand on goals",
        ),
        (
            "",
            "not solved: after the last of 0 moves (0 pushes) 0 of 1 boxes stand on goals",
        ),
        ("rRRR", "failed at step 4: R would push a box into a wall"),
        ("u", "failed at step 1: u would walk into a wall"),
        (
            "rx",
            "failed at step 2: found 'x', expected one of l, u, r, d",
        ),
        ("rRRllll", "failed at step 7: l would walk into a wall"),
        // What counts is the last step, not the first position that is solved.
        ("rRRl", "solved moves=4 pushes=2"),
    ];
    for (answer, ruling) in rows {
        assert_eq!(
            judge(board, answer, Strictness::CaseMatters).to_string(),
            ruling,
            "{answer}"
        );
    }
    let past = judge("######\n#@$. #\n######", "RR", Strictness::Plain);
    let on_goal = "not solved: after the last of 2 moves (2 pushes) 0 of 1 boxes stand on goals";
    assert_eq!(past.to_string(), on_goal);
    let bad = [
        ("", "level cannot be played: no player"),
        ("#####\n# $.#\n#####", "level cannot be played: no player"),
        (
            "#####\n#@$+#\n#####",
            "level cannot be played: row 2, column 4: another player",
        ),
        (
            "####\n#@x#",
            "level cannot be played: row 2, column 3: found 'x', expected one of # @ + $ * . - _ or space",
        ),
    ];
    for (board, ruling) in bad {
        assert_eq!(judge(board, "", Strictness::Plain).to_string(), ruling);
    }
}

/// Every setup of three cells in a row that has one player, by all answers up to three letters.
#[test]
fn agree_on_all_tiny_boards() {
    let glyphs = [' ', '#', '$', '.', '*', '@', '+'];
    let mut compared = 0;
    for code in 0..7usize.pow(5) {
        let row: Vec<Square> = (0..5)
            .map(|at| Square::from_glyph(glyphs[code / 7usize.pow(at) % 7]).expect("a glyph"))
            .collect();
        let setup = Setup::from_rows(&[row]);
        if Level::faults(&setup)
            .0
            .iter()
            .any(|fault| fault.kind == FaultKind::SeveralPlayers)
        {
            continue;
        }
        for answer in [
            "", "l", "r", "rr", "rl", "ll", "lr", "rrr", "rrl", "llr", "u",
        ] {
            compared += usize::from(compare(&setup, answer));
        }
    }
    assert!(compared > 10_000, "{compared}");
}
