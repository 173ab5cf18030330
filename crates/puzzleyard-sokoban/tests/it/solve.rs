//! The solver against a slow search that knows nothing but single steps.

use std::collections::VecDeque;

use puzzleyard_core::{Cell, Direction, Limit, Limits, Stop, Stream, Verdict};
use puzzleyard_sokoban::judge::{Strictness, judge};
use puzzleyard_sokoban::model::{Setup, Square};
use puzzleyard_sokoban::rules::{FaultKind, Level, State, Waivers};
use puzzleyard_sokoban::solve::{Objective, SolveReport, solve};
use rustc_hash::FxHashMap;

const OBJECTIVES: [Objective; 3] = [Objective::Pushes, Objective::Moves, Objective::Any];

/// A level of these rows; any fault is waived.
pub(crate) fn level(rows: &[&str]) -> Level {
    let rows: Vec<Vec<Square>> = rows
        .iter()
        .map(|row| row.chars().filter_map(Square::from_glyph).collect())
        .collect();
    Level::from_setup(&Setup::from_rows(&rows), &Waivers::of(FaultKind::ALL)).expect("a player")
}

/// A random board with walls all round. Boxes and goals are drawn apart, so their counts
/// may differ by `uneven`.
pub(crate) fn random(stream: &Stream, shape: (usize, usize), boxes: usize, goals: usize) -> Level {
    let (height, width) = shape;
    let mut counter = 0;
    loop {
        let mut draw = |bound: usize| {
            counter += 1;
            stream.below(counter, bound as u64) as usize
        };
        let density = draw(30);
        let mut rows = vec![vec![b'#'; width]; height];
        for row in &mut rows[1..height - 1] {
            for glyph in &mut row[1..width - 1] {
                if draw(100) >= density {
                    *glyph = b' ';
                }
            }
        }
        for (glyph, count) in [(b'$', boxes), (b'.', goals), (b'@', 1)] {
            for _ in 0..count {
                let square = &mut rows[1 + draw(height - 2)][1 + draw(width - 2)];
                *square = match (*square, glyph) {
                    (b' ', _) => glyph,
                    (b'$', b'.') => b'*',
                    (b'.', b'@') => b'+',
                    (other, _) => other,
                };
            }
        }
        let text: Vec<String> = rows
            .into_iter()
            .map(|row| String::from_utf8(row).expect("ASCII"))
            .collect();
        if !text.concat().contains(['@', '+']) {
            continue;
        }
        let level = level(&text.iter().map(String::as_str).collect::<Vec<_>>());
        // Boxes without any goal are solved to the rules and not to the judge.
        if level.boxes_needed() > 0 || level.start().boxes.is_empty() {
            return level;
        }
    }
}

/// The least moves and the least pushes of any answer, or `None` if there is none.
fn slow(level: &Level) -> Option<(usize, usize)> {
    Some((cheapest(level, |_| 1)?, cheapest(level, usize::from)?))
}

/// The least total price over single steps, where `price` is 0 or 1, told whether a step
/// pushes.
fn cheapest(level: &Level, price: impl Fn(bool) -> usize) -> Option<usize> {
    let start = level.start().clone();
    let mut best: FxHashMap<u128, usize> = FxHashMap::from_iter([(name(level, &start), 0)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((state, cost)) = queue.pop_front() {
        if best[&name(level, &state)] < cost {
            continue;
        }
        if level.is_solved(&state) {
            return Some(cost);
        }
        for way in Direction::ALL {
            let mut next = state.clone();
            let Ok(step) = level.step(&mut next, way) else {
                continue;
            };
            let price = price(step.push);
            let known = best.entry(name(level, &next)).or_insert(usize::MAX);
            if cost + price < *known {
                *known = cost + price;
                if price == 0 {
                    queue.push_front((next, cost));
                } else {
                    queue.push_back((next, cost + price));
                }
            }
        }
    }
    None
}

/// A number for a state of a board of at most 120 cells.
pub(crate) fn name(level: &Level, state: &State) -> u128 {
    let area = level.area();
    let boxes = state.boxes.iter().map(|cell| 1u128 << area.index(cell));
    boxes.fold((area.index(state.player) as u128) << 120, |all, bit| {
        all | bit
    })
}

fn run(level: &Level, objective: Objective, limits: &Limits) -> SolveReport {
    solve(level, objective, limits, &Stop::new(), &mut |_| {})
}

/// Verdict, fewest moves and fewest pushes are those of the slow search.
fn agree(level: &Level, name: &str) -> bool {
    let expected = slow(level);
    let text = level.setup(level.start()).board();
    for objective in OBJECTIVES {
        let report = run(level, objective, &Limits::default());
        assert_eq!(report.refused, None, "{name} {objective:?}\n{text}");
        let best = expected.map(|(moves, pushes)| match objective {
            Objective::Moves => moves,
            Objective::Pushes | Objective::Any => pushes,
        });
        match (&report.verdict, best) {
            (Verdict::Unsolvable, None) => assert!(!report.optimal),
            (Verdict::Solved(answer), Some(best)) => {
                let ruling = judge(&text, &answer.to_string(), Strictness::CaseMatters);
                assert!(ruling.is_solved(), "{name} {objective:?}: {ruling}\n{text}");
                let found = match objective {
                    Objective::Moves => answer.moves(),
                    Objective::Pushes | Objective::Any => answer.pushes(),
                };
                if objective == Objective::Any {
                    assert!(found >= best);
                } else {
                    assert_eq!(found, best, "{name} {objective:?} {answer}\n{text}");
                    assert!(report.optimal);
                    assert_eq!(report.lower_bound as usize, best, "{name}\n{text}");
                }
                assert!(report.lower_bound as usize <= best, "{name}\n{text}");
                assert!(report.root_bound <= report.lower_bound);
            }
            (verdict, best) => panic!("{name} {objective:?}: {verdict:?}, not {best:?}\n{text}"),
        }
    }
    expected.is_some()
}

#[test]
fn random_levels_agree_with_single_steps() {
    // (height, width), boxes, goals, levels
    let rows = [
        ((6, 6), 2, 2, 120),
        ((7, 8), 3, 3, 60),
        ((6, 8), 4, 4, 30),
        ((6, 6), 6, 6, 60),
        ((6, 6), 4, 2, 60),
        ((6, 6), 2, 4, 60),
        ((6, 6), 5, 4, 60),
        ((6, 6), 4, 5, 60),
        ((5, 5), 0, 2, 6),
    ];
    for (shape, boxes, goals, count) in rows {
        let mut solvable = 0u64;
        for seed in 0..count {
            let name = format!("{shape:?} {boxes} boxes {goals} goals seed {seed}");
            let level = random(&Stream::new(seed, "solve"), shape, boxes, goals);
            solvable += u64::from(agree(&level, &name));
        }
        // A sample of one kind would test little.
        assert!(
            solvable > 0 && (count < 10 || solvable < count),
            "{shape:?} {boxes} boxes {goals} goals: {solvable} of {count} solvable"
        );
    }
}

#[test]
fn special_levels_agree_with_single_steps() {
    let rows: [&[&str]; 8] = [
        &["####", "#@ #", "####"],
        &["#####", "#@* #", "#####"],
        &["#######", "#@$ . #", "#######"],
        &["######", "#.$@$.#", "######"],
        &["#####", "#+$ #", "#####"],
        // The player has to leave the corridor before the box closes it.
        &["########", "#      #", "# #### #", "#@$  . #", "########"],
        // A corral that is opened from outside.
        &["########", "#.  #  #", "#.$ $ @#", "#   #  #", "########"],
        // Decoration beyond the walls.
        &["#########", "#@ $ .#*#", "#########"],
    ];
    for (at, rows) in rows.iter().enumerate() {
        agree(&level(rows), &format!("row {at}"));
    }
}

#[test]
fn the_node_limit_is_kept_exactly() {
    let level = random(&Stream::new(3, "limits"), (9, 9), 4, 4);
    for objective in OBJECTIVES {
        let free = run(&level, objective, &Limits::default());
        for nodes in [0, 1, 2, 7, free.expanded.saturating_sub(1)] {
            let limits = Limits {
                nodes: Some(nodes),
                memory: None,
            };
            let report = run(&level, objective, &limits);
            if nodes < free.expanded {
                assert_eq!(report.verdict, Verdict::GaveUp(Limit::Nodes));
                assert_eq!(report.expanded, nodes);
            }
            assert!(report.lower_bound <= free.lower_bound);
        }
        let limits = Limits {
            nodes: Some(free.expanded),
            memory: None,
        };
        assert_eq!(run(&level, objective, &limits).verdict, free.verdict);
    }
}

/// Too hard for any of the limits in these tests.
fn hard() -> Level {
    level(&[
        "####################",
        "#@   #      #      #",
        "# $ $ $ $ $ $ $ $  #",
        "#  #     #     #   #",
        "#  $ $ $ $ $ $ $ $ #",
        "#     #     #      #",
        "# $ $ $ $ $ $ $ $  #",
        "# #        #   #   #",
        "####### # ##########",
        "####    # ##########",
        "#    ##        #####",
        "#........ # ########",
        "#........ # ########",
        "#........   ########",
        "####################",
    ])
}

#[test]
fn the_memory_limit_is_kept() {
    for objective in [Objective::Pushes, Objective::Moves] {
        for memory in [0, 1 << 10, 1 << 16, 1 << 20, 8 << 20] {
            let limits = Limits {
                nodes: None,
                memory: Some(memory),
            };
            let report = run(&hard(), objective, &limits);
            assert_eq!(report.verdict, Verdict::GaveUp(Limit::Memory));
            assert!(report.peak_memory <= memory);
            assert!(memory < 1 << 20 || report.peak_memory * 2 > memory);
        }
    }
}

#[test]
fn a_raised_stop_ends_the_search_with_its_reason() {
    for objective in OBJECTIVES {
        let stop = Stop::new();
        let mut told = 0;
        let mut progress = |seen: &puzzleyard_sokoban::solve::Progress| {
            assert!(seen.expanded > told && seen.memory > 0);
            told = seen.expanded;
            stop.raise(Limit::Interrupt);
        };
        let report = solve(&hard(), objective, &Limits::default(), &stop, &mut progress);
        if objective != Objective::Any {
            assert_eq!(report.verdict, Verdict::GaveUp(Limit::Interrupt));
            assert!(report.expanded <= told + 256);
        }
    }
}

#[test]
fn the_same_question_has_the_same_report() {
    for seed in 0..10 {
        let level = random(&Stream::new(seed, "same"), (8, 8), 4, 4);
        for objective in OBJECTIVES {
            let limits = Limits {
                nodes: Some(500),
                memory: None,
            };
            let first = format!("{:?}", run(&level, objective, &limits));
            assert_eq!(first, format!("{:?}", run(&level, objective, &limits)));
        }
    }
}

/// A board of the largest size with hundreds of boxes, each one push from its goal.
#[test]
fn the_largest_boards_take_little() {
    let side = 255;
    let mut rows = vec![vec![Square::FLOOR; side]; side];
    for (row, line) in rows.iter_mut().enumerate() {
        for (col, square) in line.iter_mut().enumerate() {
            if row == 0 || col == 0 || row == side - 1 || col == side - 1 {
                *square = Square::WALL;
            } else if row % 14 == 7 && col % 14 == 7 {
                square.crate_box = true;
            } else if row % 14 == 7 && col % 14 == 8 {
                square.goal = true;
            }
        }
    }
    rows[1][1].player = true;
    let level = Level::from_setup(&Setup::from_rows(&rows), &Waivers::none()).expect("legal");
    let boxes = level.start().boxes.len();
    assert_eq!(boxes, 18 * 18);
    for objective in [Objective::Any, Objective::Pushes] {
        let limits = Limits {
            nodes: Some(5_000),
            memory: Some(1 << 30),
        };
        let report = run(&level, objective, &limits);
        assert_eq!(report.root_bound as usize, boxes);
        let Verdict::Solved(answer) = &report.verdict else {
            panic!("{objective:?}: {:?}", report.verdict)
        };
        assert_eq!(answer.pushes(), boxes);
        assert!(report.peak_memory < 512 << 20);
    }
    assert!(level.start().boxes.contains(Cell::new(7, 7)));
}
