//! What a legal level is, what is wrong with others, and what a step does.

use std::collections::HashMap;

use proptest::prelude::*;
use puzzleyard_core::{Cell, ContentId, Direction};
use puzzleyard_sokoban::model::{Answer, Setup, Square, Step};
use puzzleyard_sokoban::rules::{Blocked, Fault, FaultKind, Faults, Level, State, Waivers};

use crate::state_counts;

/// The setup of rows of canonical glyphs, one string a row.
pub(crate) fn setup(rows: &[&str]) -> Setup {
    let rows: Vec<Vec<Square>> = rows
        .iter()
        .map(|row| {
            row.chars()
                .map(|glyph| Square::from_glyph(glyph).expect("a glyph"))
                .collect()
        })
        .collect();
    Setup::from_rows(&rows)
}

fn level(rows: &[&str], waived: &[FaultKind]) -> Level {
    Level::from_setup(&setup(rows), &Waivers::of(waived.iter().copied()))
        .unwrap_or_else(|faults| panic!("{rows:?}: {faults}"))
}

/// Plays letters that must all be possible.
fn play(level: &Level, letters: &str) -> State {
    let ways = letters.chars().filter_map(Direction::from_letter);
    level.replay(ways).expect("every step is possible").0
}

fn places(faults: &Faults) -> Vec<String> {
    let place = |fault: &Fault| match fault.at {
        Some(cell) => format!("{} {},{}", fault.kind.name(), cell.row, cell.col),
        None => fault.kind.name().to_owned(),
    };
    faults.0.iter().map(place).collect()
}

#[test]
fn all_faults_are_found_at_once_with_their_cells() {
    let rows: &[(&[&str], &[&str])] = &[
        (&["#####", "#@$.#", "#####"], &[]),
        // Decoration outside the walls is normal: goals with boxes, floor, more walls.
        (&["##### *", "#@$.# #", "#####  "], &[]),
        // The player on the only goal, and a box on a goal beside a loose one.
        (&["######", "#+$  #", "######"], &[]),
        (&["#######", "#@$.* #", "#######"], &[]),
        (&["#####", "# $.#", "#####"], &["no-player"]),
        (&[], &["no-player", "nothing-to-do"]),
        (&["####", "####"], &["no-player", "nothing-to-do"]),
        (
            &["######", "#@$.@#", "#+$  #", "######"],
            &["several-players 1,4", "several-players 2,1"],
        ),
        (&["######", "#@$$.#", "######"], &["counts-differ"]),
        (&["######", "#@$..#", "######"], &["counts-differ"]),
        (&["#####", "#@$.#", "## ##"], &["open-boundary 2,2"]),
        (
            &["#####", "#@$. ", "### #", " $ . "],
            &[
                "open-boundary 1,4",
                "open-boundary 3,0",
                "open-boundary 3,1",
                "open-boundary 3,2",
                "open-boundary 3,3",
                "open-boundary 3,4",
            ],
        ),
        // A corner lets the player out twice and is named once.
        (
            &["@$.", "###"],
            &[
                "open-boundary 0,0",
                "open-boundary 0,1",
                "open-boundary 0,2",
            ],
        ),
        (
            &["#########", "#@$.#$ .#", "#########"],
            &["box-unreachable 1,5", "goal-unreachable 1,7"],
        ),
        (
            &["#########", "#@$ # * .", "#########"],
            &["counts-differ", "goal-unreachable 1,8", "nothing-to-do"],
        ),
        (&["####", "#@ #", "####"], &["nothing-to-do"]),
        (&["#####", "#@* #", "#####"], &["nothing-to-do"]),
        (
            &["#####", "#@$ #", "#####"],
            &["counts-differ", "nothing-to-do"],
        ),
        (
            &["#####", "#@ .#", "#####"],
            &["counts-differ", "nothing-to-do"],
        ),
        // Every goal has its box already; the box to spare cannot matter.
        (
            &["######", "#@*$ #", "######"],
            &["counts-differ", "nothing-to-do"],
        ),
        // Only the first player counts, so the second room is beyond reach.
        (
            &["##########", "#@$.##@$.#", "##########"],
            &[
                "several-players 1,6",
                "box-unreachable 1,7",
                "goal-unreachable 1,8",
            ],
        ),
        (
            &["@$ #", "@ .#", "## #", "#$#."],
            &[
                "several-players 1,0",
                "open-boundary 0,0",
                "open-boundary 0,1",
                "open-boundary 0,2",
                "open-boundary 1,0",
                "box-unreachable 3,1",
                "goal-unreachable 3,3",
            ],
        ),
    ];
    for (board, expected) in rows {
        assert_eq!(
            places(&Level::faults(&setup(board))),
            *expected,
            "{board:#?}"
        );
    }
}

#[test]
fn more_than_255_rows_or_columns_are_too_large() {
    let wide = |width: usize| {
        let wall = "#".repeat(width);
        let middle = format!("#@$.{}#", " ".repeat(width - 5));
        places(&Level::faults(&setup(&[&wall, &middle, &wall])))
    };
    assert_eq!(wide(255), [] as [&str; 0]);
    assert_eq!(wide(256), ["too-large"]);
    let high = |height: usize| {
        let mut rows = vec!["# #"; height];
        (rows[0], rows[1], rows[2], rows[3]) = ("###", "#@#", "#$#", "#.#");
        rows[height - 1] = "###";
        places(&Level::faults(&setup(&rows)))
    };
    assert_eq!(high(255), [] as [&str; 0]);
    assert_eq!(high(256), ["too-large"]);
}

/// The faults of `setup` that `waivers` leaves, none for a level.
fn left(setup: &Setup, waivers: &Waivers) -> Vec<FaultKind> {
    match Level::from_setup(setup, waivers) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.0.iter().map(|fault| fault.kind).collect(),
    }
}

#[test]
fn each_waiver_does_what_it_says() {
    use FaultKind as Kind;
    let wide = [
        "#".repeat(300),
        format!("#@$.{}#", " ".repeat(295)),
        "#".repeat(300),
    ];
    let wide = wide.each_ref().map(String::as_str);
    // The one fault waived; the board; an answer that must solve it.
    let rows: &[(Kind, &[&str], &str)] = &[
        // The squares left of the walls are not enclosed, so not the player's.
        (Kind::NoPlayer, &["  #####", "  # $.#", "  #####"], "R"),
        (Kind::NoPlayer, &["#####", "#$ .#", "#   #", "#####"], ""),
        (Kind::SeveralPlayers, &["######", "#@$.@#", "######"], "R"),
        (
            Kind::CountsDiffer,
            &["########", "#@$.$  #", "########"],
            "R",
        ),
        (Kind::CountsDiffer, &["#######", "#@$. .#", "#######"], "R"),
        (Kind::OpenBoundary, &["####", "#@$.", "####"], "R"),
        (
            Kind::BoxUnreachable,
            &["########", "#@$.#$ #", "########"],
            "R",
        ),
        (
            Kind::GoalUnreachable,
            &["########", "#@$.#. #", "########"],
            "R",
        ),
        (Kind::NothingToDo, &["#####", "#@* #", "#####"], ""),
        (Kind::NothingToDo, &["####", "#@ #", "####"], ""),
        (Kind::TooLarge, &wide, "R"),
    ];
    for kind in Kind::ALL {
        assert!(rows.iter().any(|row| row.0 == kind), "{kind:?} has no row");
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
        assert!(!kind.waiver().is_empty());
    }
    assert_eq!(Kind::from_name("no-such-kind"), None);
    for &(kind, board, answer) in rows {
        let setup = setup(board);
        let others = Waivers::of(Kind::ALL.into_iter().filter(|&other| other != kind));
        assert_eq!(left(&setup, &Waivers::none()), [kind], "{board:?}");
        assert_eq!(left(&setup, &others), [kind], "{board:?}");
        let level = level(board, &[kind]);
        let needs_player = kind == Kind::NoPlayer && answer.is_empty();
        assert_eq!(
            level.is_solved(&play(&level, answer)),
            !needs_player,
            "{board:?}"
        );
        assert_eq!(
            level.is_solved(level.start()),
            answer.is_empty() && !needs_player
        );
    }
}

#[test]
fn waived_levels_are_as_described() {
    use FaultKind as Kind;
    // The first enclosed square in reading order holds a box, the second the player.
    let start = level(&["#####", "#$ .#", "#   #", "#####"], &[Kind::NoPlayer]);
    assert_eq!(start.start().player, Cell::new(1, 2));
    // No enclosed floor, no level, whatever is waived.
    let all = Waivers::of(Kind::ALL);
    for board in [&["###", "#$#", "###"][..], &["   ", " $."], &[]] {
        assert!(Level::from_setup(&setup(board), &all).is_err(), "{board:?}");
    }
    // Goals and boxes beyond reach count for nothing, and such boxes are walls.
    let beyond = level(
        &["#########", "#@$.#$. #", "#########"],
        &[Kind::BoxUnreachable, Kind::GoalUnreachable],
    );
    assert_eq!(beyond.boxes_needed(), 1);
    assert_eq!(beyond.goals().iter().collect::<Vec<_>>(), [Cell::new(1, 3)]);
    assert!(beyond.walls().contains(Cell::new(1, 5)));
    assert_eq!(beyond.inside().len(), 3);
    // The rest of a waived setup is still judged: here the second player's room.
    let rooms = setup(&["##########", "#@$.##@$.#", "##########"]);
    assert_eq!(
        left(&rooms, &Waivers::of([Kind::SeveralPlayers])),
        [Kind::BoxUnreachable, Kind::GoalUnreachable]
    );
    // Two empty rooms: the box is not in the one where the player is put.
    let rooms = setup(&["#########", "#  # $ .#", "#########"]);
    assert_eq!(
        left(&rooms, &Waivers::of([Kind::NoPlayer])),
        [
            Kind::BoxUnreachable,
            Kind::GoalUnreachable,
            Kind::NothingToDo
        ]
    );
}

#[test]
fn faults_print_their_place_name_and_remedy() {
    let faults = Level::faults(&setup(&["#####", "#@$. ", "#####"]));
    assert_eq!(
        faults.to_string(),
        "row 2, column 5: open-boundary: the player can leave the board here, expected walls all round"
    );
    let faults = Level::faults(&setup(&["#####", "#@$@#", "#####"]));
    assert_eq!(
        faults.to_string(),
        "row 2, column 4: several-players: another player, the first stands at row 2, column 2; \
         counts-differ: boxes within reach: 1, goals: 0, expected as many of each; \
         nothing-to-do: no goal to move a box to"
    );
}

#[test]
fn a_blocked_step_says_why_and_changes_nothing() {
    let rows: &[(&[&str], Direction, Blocked)] = &[
        (&["#####", "#@$.#", "#####"], Direction::Up, Blocked::Wall),
        (
            &["#####", "#.$@#", "#   #", "#####"],
            Direction::Right,
            Blocked::Wall,
        ),
        (
            &["#####", "#.@$#", "#####"],
            Direction::Right,
            Blocked::BoxAgainstWall,
        ),
        (
            &["######", "#@$*.#", "#   .#", "######"],
            Direction::Right,
            Blocked::BoxAgainstBox,
        ),
        (&["@$ ", "  ."], Direction::Left, Blocked::Wall),
        (&["$@ ", "  ."], Direction::Left, Blocked::BoxAgainstWall),
    ];
    for &(board, way, reason) in rows {
        let level = level(board, &FaultKind::ALL);
        let mut state = level.start().clone();
        assert_eq!(level.step(&mut state, way), Err(reason), "{board:?}");
        assert_eq!(&state, level.start());
        assert_eq!(level.replay([way]), Err((0, reason)));
    }
}

#[test]
fn ids_and_equality_follow_the_board() {
    let board = ["#######", "#@ $ .#", "#######"];
    let one = level(&board, &[]);
    let mut named = setup(&board);
    named.title = Some("another name".into());
    let two = Level::from_setup(&named, &Waivers::none()).expect("legal");
    assert_eq!(one, two);
    assert_eq!(one.id(), two.id());
    // The id is the hash of the canonical text, whatever stands to the right of the walls.
    let text = "#######\n#@ $ .#\n#######\n";
    assert_eq!(one.id(), ContentId::of(text.as_bytes()));
    let padded = level(&["#######  ", "#@ $ .# ", "#######"], &[]);
    assert_eq!(padded.id(), one.id());
    let moved = level(&["#######", "# @$ .#", "#######"], &[]);
    assert_ne!(moved, one);
    assert_ne!(moved.id(), one.id());
    // Positions are equal however they were reached, and hash alike.
    let (near, far) = (play(&one, "r"), play(&one, "rlr"));
    assert_eq!(near, far);
    assert_eq!(HashMap::from([(near, 1)]).get(&far), Some(&1));
    assert_eq!(
        one.setup(&play(&one, "rR")).board(),
        "#######\n#  @$.#\n#######\n"
    );
}

#[test]
fn answers_print_pushes_as_capitals_and_count_them() {
    let level = level(&["######", "#@   #", "# $. #", "######"], &[]);
    let ways = "DRRUR".chars().filter_map(Direction::from_letter);
    let (end, answer) = level.replay(ways).expect("possible");
    assert_eq!(answer.to_string(), "dRRur");
    assert_eq!(answer.keys(), "DRRUR");
    assert_eq!((answer.moves(), answer.pushes()), (5, 2));
    assert_eq!(end.player, Cell::new(1, 4));
    let steps = [
        Step {
            way: Direction::Down,
            push: false,
        },
        Step {
            way: Direction::Right,
            push: true,
        },
    ];
    assert_eq!(answer.steps()[..2], steps);
    assert_eq!(Answer::new(steps.into()).to_string(), "dR");
    assert_eq!(
        (Answer::default().to_string(), Answer::default().moves()),
        (String::new(), 0)
    );
}

proptest! {
    /// Boxes are neither made nor lost nor put into walls, a step depends on the position
    /// alone, and putting an old position back undoes what came after it.
    #[test]
    fn old_positions_can_be_put_back(which in any::<prop::sample::Index>(), dice in prop::collection::vec(0usize..4, 0..120)) {
        let rows = state_counts::rows();
        let level = which.get(&rows).level();
        let mut state = level.start().clone();
        let mut trail = vec![(state.clone(), None)];
        for die in dice {
            let way = Direction::ALL[die];
            let before = state.clone();
            if let Ok(step) = level.step(&mut state, way) {
                prop_assert_eq!(step.way, way);
                prop_assert_eq!(step.push, before.boxes != state.boxes);
                prop_assert_eq!(level.area().neighbour(before.player, way), Some(state.player));
                trail.push((state.clone(), Some(step)));
            } else {
                prop_assert_eq!(&state, &before);
            }
            prop_assert_eq!(state.boxes.len(), level.start().boxes.len());
            prop_assert_eq!(state.boxes.count_common(level.walls()), 0);
            prop_assert!(!state.boxes.contains(state.player));
            prop_assert!(level.inside().contains(state.player));
        }
        for pair in trail.windows(2).rev() {
            let (mut again, step) = (pair[0].0.clone(), pair[1].1.expect("a step"));
            prop_assert_eq!(level.step(&mut again, step.way), Ok(step));
            prop_assert_eq!(&again, &pair[1].0);
        }
        let taken: Vec<Step> = trail.iter().filter_map(|(_, step)| *step).collect();
        let (end, answer) = level.replay(taken.iter().map(|step| step.way)).expect("as taken");
        prop_assert_eq!(end, state);
        prop_assert_eq!(answer, Answer::new(taken));
    }
}
