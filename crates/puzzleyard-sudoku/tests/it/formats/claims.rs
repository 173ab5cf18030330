//! What must hold for any input. The tests here and the fuzz targets assert the same claims.

use puzzleyard_core::{Limits, Stop, Verdict};
use puzzleyard_sudoku::format::{self, Blocks, Entry, Fault, Kind, Reader};
use puzzleyard_sudoku::solve::general;
use puzzleyard_sudoku::{Board, Shape, rules};

/// The line of an entry is its place in a file and not part of what a kind carries.
fn without_lines(entries: impl IntoIterator<Item = Entry>) -> Vec<Entry> {
    let plain = |entry| Entry { line: 0, ..entry };
    entries.into_iter().map(plain).collect()
}

/// All entries and faults of a text.
pub(crate) fn read(kind: Option<Kind>, bytes: &[u8]) -> (Vec<Entry>, Vec<Fault>) {
    let items: Vec<Result<Entry, Fault>> = match kind {
        None => Reader::new(bytes).collect(),
        Some(kind) => Reader::with_kind(kind, bytes).collect(),
    };
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Ok(entry) => entries.push(entry),
            Err(fault) => faults.push(fault),
        }
    }
    (entries, faults)
}

/// What `kind` has no place for.
fn carried(kind: Kind, mut entry: Entry) -> Entry {
    match kind {
        Kind::Line | Kind::Csv => entry.state = None,
        Kind::Grid | Kind::Sdk => entry.solution = None,
        Kind::Sdm | Kind::Ss => (entry.solution, entry.title) = (None, None),
        Kind::Json => {}
    }
    if matches!(kind, Kind::Grid | Kind::Sdm | Kind::Ss) {
        entry.state = None;
    }
    entry
}

/// Writing and reading as `kind` gives the same entries, and writing them again the same text.
pub(crate) fn survives(kind: Kind, entries: &[Entry]) {
    let carried: Vec<Entry> = entries.iter().map(|e| carried(kind, e.clone())).collect();
    let mut text = Vec::new();
    match format::write(kind, &carried, &mut text) {
        Ok(()) => {}
        Err(format::WriteError::Shape { .. }) => return,
        Err(error) => panic!("{kind}: {error}"),
    }
    let shown = String::from_utf8_lossy(&text).into_owned();
    let (again, faults) = read(Some(kind), &text);
    assert!(
        faults.is_empty() || entries.is_empty(),
        "{kind}: {faults:?}\n{shown}"
    );
    assert_eq!(
        without_lines(carried),
        without_lines(again.clone()),
        "{kind}:\n{shown}"
    );
    let mut twice = Vec::new();
    format::write(kind, &again, &mut twice).unwrap();
    assert_eq!(text, twice, "{kind}: the canonical form is canonical");
}

/// Claims of the readers: the first byte chooses the kind, the rest is the file.
pub(crate) fn reader(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    let kind = Kind::ALL.get(usize::from(first % 8)).copied();
    let (entries, faults) = read(kind, bytes);
    let lines = bytes.iter().filter(|&&b| b == b'\n' || b == b'\r').count() as u64 + 2;
    for fault in &faults {
        assert!(
            (1..=lines).contains(&fault.line) && fault.column >= 1,
            "{fault}"
        );
        assert!(!fault.found.is_empty() && !fault.wanted.is_empty());
        assert!(fault.found.chars().count() < 200, "{fault}");
    }
    assert!(entries.len() + faults.len() <= bytes.len() + 2);
    let kind = kind.unwrap_or_else(|| Reader::new(bytes).kind());
    survives(kind, &entries);
    survives(Kind::Json, &entries);
}

/// The fast reader of lines and the other one agree.
pub(crate) fn lines(bytes: &[u8]) {
    let (entries, faults) = read(Some(Kind::Line), bytes);
    let (mut grids, mut at, mut refused) = (Vec::new(), Vec::new(), 0);
    for block in Blocks::new(bytes, 7) {
        assert!(block.grids.len() + block.faults.len() <= 7);
        grids.extend(block.grids);
        at.extend(block.lines);
        refused += block.faults.len();
    }
    let classic = entries
        .iter()
        .filter_map(|entry| Some((entry.board.classic()?, entry.line)));
    let (wanted, lines): (Vec<_>, Vec<_>) = classic.unzip();
    assert_eq!((&grids, &at), (&wanted, &lines));
    let empty = entries.is_empty() && faults.len() == 1 && refused == 0;
    assert!(empty || refused == faults.len() + entries.len() - grids.len());
}

/// A small board from bytes: the first chooses the shape, the others fill cells.
fn small_board(bytes: &[u8]) -> Board {
    let shapes = [(2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 4)];
    let pick = usize::from(bytes.first().copied().unwrap_or(0)) % shapes.len();
    let shape = Shape::new(shapes[pick].0, shapes[pick].1).unwrap();
    let mut digits = vec![0; shape.cells()];
    for pair in bytes.get(1..).unwrap_or_default().chunks_exact(2) {
        digits[usize::from(pair[0]) % shape.cells()] = pair[1] % (shape.size() as u8 + 1);
    }
    Board::from_digits(shape, digits).unwrap()
}

/// What the solver of any size says is so by the rules.
pub(crate) fn solving(bytes: &[u8]) {
    let board = small_board(bytes);
    let limits = Limits {
        nodes: Some(2000),
        memory: None,
    };
    let solved = |answer: &Board| {
        assert_eq!(answer.clues(), board.shape().cells());
        assert!(rules::conflicts(answer).is_empty());
        let kept = board.digits().iter().zip(answer.digits());
        assert!(
            kept.into_iter()
                .all(|(&clue, &digit)| clue == 0 || clue == digit)
        );
    };
    let count = general::count(&board, 2, &limits, &Stop::new());
    count.first.iter().chain(&count.second).for_each(solved);
    assert!(count.first != count.second || count.first.is_none());
    match general::solve(&board, &limits, &Stop::new()) {
        Verdict::Solved(answer) => solved(&answer),
        Verdict::Unsolvable => assert_eq!((count.solutions, count.stopped), (0, None)),
        Verdict::GaveUp(_) => assert!(count.stopped.is_some()),
    }
    if let Some(grid) = board.classic()
        && count.stopped.is_none()
        && (grid.clues() >= 17 || count.solutions > 0)
    {
        let fast = puzzleyard_sudoku::solve::count_solutions(&grid, 2);
        assert_eq!(fast.solutions, count.solutions);
    }
    if !rules::conflicts(&board).is_empty() {
        assert_eq!(count.solutions, 0);
    }
}
