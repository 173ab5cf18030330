//! Generated puzzles keep what their spec says, and the symmetry group keeps what makes a grid.
//!
//! Uniqueness is counted here by a plain backtracking search of its own. `PUZZLEYARD_PUZZLES`
//! sets how many puzzles of each kind it counts.

use std::collections::{BTreeMap, BTreeSet};

use puzzleyard_core::{ContentId, Stream};
use puzzleyard_sudoku::generate::{
    GenerateError, Level, MAX_ATTEMPTS, MAX_RATINGS, Puzzle, Spec, Symmetry, full_grid, generate,
    generate_many,
};
use puzzleyard_sudoku::symmetry::{Transform, automorphisms, canonical};
use puzzleyard_sudoku::{Grid, box_of, col_of, rate, row_of, solve};

/// Solutions of a grid, at most two: digit by digit into the cell with the fewest choices.
fn count(grid: &Grid) -> (u32, Option<Grid>) {
    fn free(used: &[[u16; 9]; 3], cell: usize) -> u16 {
        0x3FE & !(used[0][row_of(cell)] | used[1][col_of(cell)] | used[2][box_of(cell)])
    }
    fn mark(used: &mut [[u16; 9]; 3], cell: usize, digit: u8) {
        used[0][row_of(cell)] ^= 1 << digit;
        used[1][col_of(cell)] ^= 1 << digit;
        used[2][box_of(cell)] ^= 1 << digit;
    }
    fn deepen(digits: &mut [u8; 81], used: &mut [[u16; 9]; 3], found: &mut (u32, Option<Grid>)) {
        let empty = (0..81).filter(|&cell| digits[cell] == 0);
        let Some(cell) = empty.min_by_key(|&cell| free(used, cell).count_ones()) else {
            *found = (found.0 + 1, Grid::from_digits(*digits).ok());
            return;
        };
        let choices = free(used, cell);
        for digit in (1..=9).filter(|digit| choices >> digit & 1 == 1) {
            if found.0 > 1 {
                break;
            }
            digits[cell] = digit;
            mark(used, cell, digit);
            deepen(digits, used, found);
            mark(used, cell, digit);
            digits[cell] = 0;
        }
    }
    let mut digits = *grid.digits();
    let mut used = [[0; 9]; 3];
    for (cell, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        if free(&used, cell) >> digit & 1 == 0 {
            return (0, None);
        }
        mark(&mut used, cell, digit);
    }
    let mut found = (0, None);
    deepen(&mut digits, &mut used, &mut found);
    found
}

/// Fails unless the puzzle has its solution and no other, by [`count`].
fn assert_unique(puzzle: &Puzzle) {
    assert_eq!(
        count(&puzzle.grid),
        (1, Some(puzzle.solution)),
        "{}",
        puzzle.grid
    );
}

fn filled(grid: &Grid) -> Vec<usize> {
    (0..81).filter(|&cell| grid.digit(cell) != 0).collect()
}

fn assert_minimal(grid: &Grid) {
    for cell in filled(grid) {
        assert_eq!(count(&grid.with(cell, 0)).0, 2, "{grid}: {cell} is spare");
    }
}

/// All puzzles of a run.
fn run(spec: &Spec, seed: u64, count: u64) -> Vec<Puzzle> {
    let many = generate_many(spec, seed, 0..count).unwrap();
    many.collect::<Result<_, _>>().unwrap()
}

#[test]
fn the_plain_search_counts_known_grids() {
    assert_eq!(count(&Grid::EMPTY).0, 2);
    assert_eq!(count(&Grid::EMPTY.with(0, 1).with(1, 1)).0, 0);
    let puzzle: Grid =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    assert_eq!(count(&puzzle).0, 1);
}

#[test]
fn each_puzzle_has_one_solution() {
    let each = std::env::var("PUZZLEYARD_PUZZLES").map_or(500, |text| text.parse().unwrap());
    let kinds = Level::ALL
        .map(Level::spec)
        .into_iter()
        .chain([Spec::minimal()]);
    for spec in kinds {
        for puzzle in generate_many(&spec, 11, 0..each).unwrap() {
            let puzzle = puzzle.unwrap();
            assert_unique(&puzzle);
            assert!(spec.clues.contains(&(puzzle.grid.clues() as u8)));
        }
    }
}

/// Easy and medium ranges are used evenly: with 1,200 puzzles each count is within six standard
/// deviations. Of the hard range every count occurs.
#[test]
fn clues_are_spread_evenly_over_the_range() {
    for level in Level::ALL {
        let mut seen = BTreeMap::new();
        for puzzle in run(&level.spec(), 5, 1200) {
            *seen.entry(puzzle.grid.clues() as u8).or_insert(0u32) += 1;
        }
        assert_eq!(
            seen.keys().copied().collect::<Vec<_>>(),
            level.clues().collect::<Vec<_>>()
        );
        if level == Level::Hard {
            continue;
        }
        let expected = 1200.0 / level.clues().count() as f64;
        for (clues, times) in seen {
            let off = (f64::from(times) - expected).abs();
            assert!(
                off < 6.0 * expected.sqrt(),
                "{level}: {clues} clues {times} times"
            );
        }
    }
}

/// Berthier, "Classification results" (2009): minimal puzzles made by taking clues from a random
/// full grid one by one in random order have 24.38 clues, deviation 1.12 (a million, by a
/// generator of another author). 2,000 puzzles, within five deviations of their mean.
#[test]
fn minimal_puzzles_have_the_published_mean_of_clues() {
    let clues = run(&Spec::minimal(), 6, 2000);
    let sum: usize = clues.iter().map(|puzzle| puzzle.grid.clues()).sum();
    let mean = sum as f64 / 2000.0;
    assert!(
        (mean - 24.38).abs() < 5.0 * 1.12 / 2000.0_f64.sqrt(),
        "{mean}"
    );
}

#[test]
fn every_exact_number_of_clues_is_met() {
    for clues in (21..=81).rev() {
        let puzzle = generate(&Spec::of_clues(clues..=clues), 1, 0).unwrap();
        assert_eq!(puzzle.grid.clues(), usize::from(clues));
        assert_unique(&puzzle);
    }
}

#[test]
fn no_clue_of_a_minimal_puzzle_is_spare() {
    for puzzle in run(&Spec::minimal(), 3, 60) {
        assert_minimal(&puzzle.grid);
    }
    let narrow = Spec {
        clues: 21..=22,
        ..Spec::minimal()
    };
    for puzzle in run(&narrow, 3, 5) {
        assert!((21..=22).contains(&puzzle.grid.clues()));
        assert_minimal(&puzzle.grid);
    }
    let turned = Spec {
        symmetry: Symmetry::Rotation180,
        ..Spec::minimal()
    };
    for puzzle in run(&turned, 3, 5) {
        assert_minimal(&puzzle.grid);
        let pattern = filled(&puzzle.grid);
        assert!(pattern.iter().all(|cell| pattern.contains(&(80 - cell))));
    }
}

/// The maps of each symmetry, written out as rows and columns.
fn is_symmetric(symmetry: Symmetry, grid: &Grid) -> bool {
    let same = |image: fn(usize, usize) -> (usize, usize)| {
        (0..81).all(|cell| {
            let (row, col) = image(cell / 9, cell % 9);
            (grid.digit(cell) == 0) == (grid.digit(row * 9 + col) == 0)
        })
    };
    let half = same(|r, c| (8 - r, 8 - c));
    let quarter = same(|r, c| (c, 8 - r));
    let horizontal = same(|r, c| (8 - r, c));
    let vertical = same(|r, c| (r, 8 - c));
    let diagonal = same(|r, c| (c, r));
    let anti = same(|r, c| (8 - c, 8 - r));
    match symmetry {
        Symmetry::None => true,
        Symmetry::Rotation180 => half,
        Symmetry::Rotation90 => quarter,
        Symmetry::Horizontal => horizontal,
        Symmetry::Vertical => vertical,
        Symmetry::Diagonal => diagonal,
        Symmetry::AntiDiagonal => anti,
        Symmetry::BothLines => horizontal && vertical && half,
        Symmetry::BothDiagonals => diagonal && anti && half,
        Symmetry::Full => quarter && horizontal && vertical && diagonal && anti,
    }
}

#[test]
fn patterns_have_the_symmetry_asked_for() {
    for symmetry in Symmetry::ALL {
        let mut plain = 0;
        for level in Level::ALL {
            let mut spec = level.spec();
            spec.symmetry = symmetry;
            if symmetry == Symmetry::Full {
                spec.clues = 28..=46;
            }
            for puzzle in run(&spec, 9, 4) {
                assert_unique(&puzzle);
                assert!(spec.clues.contains(&(puzzle.grid.clues() as u8)));
                assert!(
                    is_symmetric(symmetry, &puzzle.grid),
                    "{symmetry}: {}",
                    puzzle.grid
                );
                plain += usize::from(is_symmetric(Symmetry::Full, &puzzle.grid));
            }
        }
        // A pattern is not more symmetric than was asked for, as a rule.
        assert!(symmetry == Symmetry::Full || plain < 12, "{symmetry}");
    }
}

#[test]
fn scores_are_in_the_range_asked_for() {
    for (clues, score) in [(28..=35, 12..=15), (24..=27, 26..=45)] {
        let spec = Spec {
            score: Some(score.clone()),
            ..Spec::of_clues(clues)
        };
        for puzzle in run(&spec, 2, 3) {
            let rating = rate::rate(&puzzle.grid).unwrap();
            assert!(score.contains(&rating.score), "{}", rating.score);
            assert_unique(&puzzle);
        }
    }
}

/// One by one, in batches that begin anywhere, backwards, and in threads: the same puzzles.
#[test]
fn a_puzzle_depends_on_spec_seed_and_number_only() {
    for spec in [Level::Hard.spec(), Level::Easy.spec(), Spec::minimal()] {
        let all = run(&spec, 77, 600);
        for index in [0, 1, 255, 256, 257, 599] {
            assert_eq!(generate(&spec, 77, index).unwrap(), all[index as usize]);
        }
        let part = generate_many(&spec, 77, 100..400).unwrap();
        let part: Vec<_> = part.map(Result::unwrap).collect();
        assert_eq!(part, all[100..400]);
        let threads: Vec<Vec<Puzzle>> = std::thread::scope(|scope| {
            let spec = &spec;
            let part = |k: u64| {
                let part = generate_many(spec, 77, k * 200..k * 200 + 200).unwrap();
                part.map(Result::unwrap).collect()
            };
            let threads: Vec<_> = [2, 0, 1].map(|k| scope.spawn(move || part(k))).into();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        let threads = [&threads[1][..], &threads[2], &threads[0]].concat();
        assert_eq!(threads, all);
    }
    let last = generate(&Level::Easy.spec(), u64::MAX, u64::MAX).unwrap();
    let run = generate_many(&Level::Easy.spec(), u64::MAX, u64::MAX - 1..u64::MAX).unwrap();
    assert_eq!(run.count(), 1);
    assert_unique(&last);
}

/// The bytes of version 1. A change here is a new version in `docs/sudoku-generator.md`.
#[test]
fn the_bytes_are_those_of_version_1() {
    let specs = Level::ALL
        .map(Level::spec)
        .into_iter()
        .chain([Spec::minimal()]);
    let found: Vec<String> = specs
        .map(|spec| {
            let lines: Vec<String> = run(&spec, 1, 100)
                .iter()
                .map(|puzzle| format!("{} {}\n", puzzle.grid, puzzle.solution))
                .collect();
            ContentId::of(lines.concat().as_bytes()).to_string()
        })
        .collect();
    let found: Vec<&str> = found.iter().map(|hash| &hash[..16]).collect();
    assert_eq!(
        found,
        [
            "66f4c0a5aceb73c0",
            "4743c895ccd0d5fa",
            "f817ccdd7214aca8",
            "9ed76b09e852edfd"
        ]
    );
}

#[test]
fn puzzles_and_solutions_are_all_different() {
    let grids: BTreeSet<Grid> = (0..3000)
        .map(|index| canonical(&full_grid(4, index)))
        .collect();
    assert_eq!(grids.len(), 3000);
    for level in Level::ALL {
        let puzzles = run(&level.spec(), 4, 150);
        let other = run(&level.spec(), 5, 150);
        let all = puzzles.iter().chain(&other);
        let forms: BTreeSet<Grid> = all.clone().map(|p| canonical(&p.grid)).collect();
        let solutions: BTreeSet<Grid> = all.map(|p| canonical(&p.solution)).collect();
        assert_eq!((forms.len(), solutions.len()), (300, 300), "{level}");
    }
    // Levels do not share their solutions, though seed and number are the same.
    let levels = Level::ALL.map(|level| generate(&level.spec(), 4, 0).unwrap().solution);
    assert_eq!(BTreeSet::from(levels).len(), 3);
}

/// Each digit in each cell a ninth of the time: 6,000 grids, within five standard deviations
/// (729 numbers; of a fair draw about one run in 2,400 has one outside).
#[test]
fn full_grids_favour_no_digit_in_no_cell() {
    let mut times = vec![[0u32; 10]; 81];
    for index in 0..6000 {
        let grid = full_grid(8, index);
        for (cell, times) in times.iter_mut().enumerate() {
            times[usize::from(grid.digit(cell))] += 1;
        }
    }
    let (mean, deviation) = (6000.0 / 9.0, (6000.0_f64 * 8.0 / 81.0).sqrt());
    for (cell, times) in times.iter().enumerate() {
        assert_eq!(times[0], 0);
        for (digit, &times) in times.iter().enumerate().skip(1) {
            let off = (f64::from(times) - mean).abs() / deviation;
            assert!(off < 5.0, "digit {digit} in cell {cell}: {times} times");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refuse = |spec: &Spec| {
        let many = generate_many(spec, 1, 0..1).map(|_| ()).unwrap_err();
        assert_eq!(generate(spec, 1, 0).unwrap_err(), many);
        many
    };
    let clues = |from, to| Spec::of_clues(from..=to);
    assert_eq!(
        refuse(&clues(30, 29)),
        GenerateError::NoClues { from: 30, to: 29 }
    );
    assert_eq!(refuse(&clues(16, 30)), GenerateError::Clues { found: 16 });
    assert_eq!(refuse(&clues(0, 255)), GenerateError::Clues { found: 0 });
    assert_eq!(refuse(&clues(17, 82)), GenerateError::Clues { found: 82 });
    let turned = Spec {
        symmetry: Symmetry::Rotation90,
        ..clues(22, 23)
    };
    let symmetry = Symmetry::Rotation90;
    assert_eq!(
        refuse(&turned),
        GenerateError::Pattern {
            symmetry,
            from: 22,
            to: 23
        }
    );
    let scored = Spec {
        score: Some(RangeOf::new(20, 12)),
        ..clues(30, 30)
    };
    assert_eq!(refuse(&scored), GenerateError::NoScore { from: 20, to: 12 });
    for level in ["", "HARD", &"x".repeat(10_000)] {
        assert!(level.parse::<Level>().unwrap_err().to_string().len() < 200);
        assert!(level.parse::<Symmetry>().unwrap_err().to_string().len() < 300);
    }
    let nothing = Level::Easy.spec();
    assert_eq!(generate_many(&nothing, 1, 5..5).unwrap().count(), 0);
    let backwards = RangeOf::<u64>::new(9, 3);
    let backwards = *backwards.start()..*backwards.end();
    assert_eq!(generate_many(&nothing, 1, backwards).unwrap().count(), 0);
}

/// A range whose ends may be the wrong way round.
type RangeOf<T> = std::ops::RangeInclusive<T>;

#[test]
fn what_is_too_rare_is_given_up() {
    let seventeen = Spec {
        clues: 17..=17,
        symmetry: Symmetry::Full,
        ..Spec::minimal()
    };
    let attempts = MAX_ATTEMPTS;
    let gave_up = GenerateError::GaveUp {
        attempts,
        ratings: 0,
    };
    assert_eq!(generate(&seventeen, 1, 0), Err(gave_up.clone()));
    let large = Spec {
        clues: 50..=81,
        ..Spec::minimal()
    };
    assert_eq!(generate(&large, 1, 0), Err(gave_up));
    // No puzzle with one empty cell is rated over 1.0.
    let hard = Spec {
        score: Some(90..=95),
        ..Spec::of_clues(80..=80)
    };
    assert_eq!(
        generate(&hard, 1, 0),
        Err(GenerateError::GaveUp {
            attempts: MAX_RATINGS,
            ratings: MAX_RATINGS
        })
    );
}

/// "Canonical Form", Sudoku Players' Forum, 28 January 2007: the smallest and the largest
/// of all min-lex grids, the latter with 72 automorphisms; and two grids of which it was asked
/// whether they are the same.
#[test]
fn published_canonical_forms() {
    let grid = |text: &str| text.parse::<Grid>().unwrap();
    let least = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
    let most = "123456789457893612986217354274538196531964827698721435342685971715349268869172543";
    assert_eq!(canonical(&grid(least)), grid(least));
    assert_eq!(canonical(&grid(most)), grid(most));
    assert_eq!(automorphisms(&grid(most)), Some(72));
    // The grid with the most automorphisms, 648: Russell and Jarvis, "Mathematics of Sudoku II".
    let round = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
    assert_eq!(automorphisms(&grid(round)), Some(648));
    let one = "567812349892374156314965287136247598759638412248591673483756921625189734971423865";
    let two = "856197342214853769739264851625781493497532186381649275978326514162475938543918627";
    assert_eq!(canonical(&grid(one)), canonical(&grid(two)));
    assert_eq!(automorphisms(&Grid::EMPTY), None);
    assert_eq!(canonical(&Grid::EMPTY), Grid::EMPTY);
}

/// All `2 * 6^8` arrangements, one by one.
fn smallest(grid: &Grid) -> (Grid, u64) {
    const THREE: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let orders: Vec<[usize; 9]> = (0..1296)
        .map(|n| {
            let inside = [n % 6, n / 6 % 6, n / 36 % 6];
            std::array::from_fn(|k| THREE[n / 216][k / 3] * 3 + THREE[inside[k / 3]][k % 3])
        })
        .collect();
    let (mut best, mut times) = ([9u8; 81], 0);
    for transposed in [false, true] {
        for rows in &orders {
            'next: for cols in &orders {
                let (mut names, mut next) = ([0u8; 10], 0);
                let mut is_less = false;
                for cell in 0..81 {
                    let (row, col) = (rows[cell / 9], cols[cell % 9]);
                    let from = if transposed {
                        col * 9 + row
                    } else {
                        row * 9 + col
                    };
                    let digit = usize::from(grid.digit(from));
                    if digit != 0 && names[digit] == 0 {
                        next += 1;
                        names[digit] = next;
                    }
                    if !is_less && names[digit] > best[cell] {
                        continue 'next;
                    }
                    is_less |= names[digit] < best[cell];
                    best[cell] = names[digit];
                }
                times = if is_less { 1 } else { times + 1 };
            }
        }
    }
    (Grid::from_digits(best).unwrap(), times)
}

#[test]
fn canonical_forms_are_the_smallest_of_all_arrangements() {
    let full = full_grid(1, 0);
    let round: Grid =
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
            .parse()
            .unwrap();
    let stream = Stream::new(1, "arrangements");
    for grid in [full, Transform::random(&stream, 0).apply(&round)] {
        let (least, times) = smallest(&grid);
        assert_eq!(
            (canonical(&grid), automorphisms(&grid)),
            (least, Some(times))
        );
    }
    let hard = generate(&Level::Hard.spec(), 1, 0).unwrap().grid;
    let easy = generate(&Level::Easy.spec(), 1, 0).unwrap().grid;
    // Grids that break rules have a canonical form too.
    let broken = full.with(3, full.digit(4));
    let row = full
        .with(0, full.digit(1))
        .with(2, full.digit(1))
        .with(40, 0);
    let few = Grid::EMPTY
        .with(0, 3)
        .with(13, 3)
        .with(44, 7)
        .with(62, 1)
        .with(80, 7);
    for grid in [hard, easy, broken, row, few] {
        assert_eq!(canonical(&grid), smallest(&grid).0, "{grid}");
    }
}

#[test]
fn canonical_forms_survive_every_transform() {
    let stream = Stream::new(6, "transforms");
    let mut counter = 0;
    for index in 0..200 {
        let puzzle = generate(&Level::Hard.spec(), 21, index).unwrap();
        for (grid, times) in [(puzzle.solution, 15), (puzzle.grid, 2)] {
            let form = canonical(&grid);
            assert_eq!(canonical(&form), form);
            for _ in 0..times {
                counter += 1;
                let transform = Transform::random(&stream, counter);
                assert_eq!(
                    canonical(&transform.apply(&grid)),
                    form,
                    "{grid} {transform:?}"
                );
            }
        }
    }
}

#[test]
fn transforms_form_a_group() {
    let stream = Stream::new(2, "group");
    let grid = full_grid(2, 0).with(7, 0).with(50, 0);
    for counter in 0..300 {
        let [one, two] = [0, 1].map(|k| Transform::random(&stream, counter * 2 + k));
        assert_eq!(one.then(&two).apply(&grid), two.apply(&one.apply(&grid)));
        assert_eq!(one.then(&one.inverse()), Transform::IDENTITY);
        assert_eq!(one.inverse().then(&one), Transform::IDENTITY);
        let solutions = |grid: &Grid| solve::count_solutions(grid, 3).solutions;
        assert_eq!(solutions(&one.apply(&grid)), solutions(&grid));
        assert_eq!(one.apply(&grid).clues(), 79);
    }
    let turn = Transform::QUARTER_TURN;
    assert_eq!(turn.apply(&grid).digit(8), grid.digit(0));
    assert_eq!(turn.then(&turn), Transform::HALF_TURN);
    assert_eq!(turn.then(&Transform::TRANSPOSE), Transform::FLIP_ROWS);
    assert_eq!(
        Transform::FLIP_ROWS.then(&Transform::FLIP_COLUMNS),
        Transform::HALF_TURN
    );
    assert_eq!(Transform::TRANSPOSE.apply(&grid).digit(1), grid.digit(9));
    let bands = Transform::bands([2, 0, 1]).unwrap().apply(&grid);
    assert_eq!(bands.digits()[..27], grid.digits()[54..]);
    let stacks = Transform::stacks([1, 0, 2]).unwrap().apply(&grid);
    assert_eq!(stacks.digit(0), grid.digit(3));
    let renamed = Transform::relabel([2, 1, 3, 4, 5, 6, 7, 8, 9])
        .unwrap()
        .apply(&grid);
    assert!((0..81).all(|cell| grid.digit(cell) != 1 || renamed.digit(cell) == 2));
    for wrong in [[1; 9], [0, 1, 2, 3, 4, 5, 6, 7, 8], [255; 9]] {
        assert_eq!(Transform::relabel(wrong), None);
    }
    for wrong in [[3, 1, 2, 0, 4, 5, 6, 7, 8], [0; 9], [255; 9]] {
        assert_eq!(
            (Transform::rows(wrong), Transform::columns(wrong)),
            (None, None)
        );
    }
    assert_eq!(
        (Transform::bands([0, 0, 1]), Transform::stacks([255; 3])),
        (None, None)
    );
}
