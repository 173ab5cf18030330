//! What must hold for any input of each reader. The tests here and the fuzz targets assert
//! the same claims.

use puzzleyard_core::Direction;
use puzzleyard_sokoban::format::{
    self, Collection, Form, FormatError, json, lurd, rle, slc, sok, xsb,
};
use puzzleyard_sokoban::judge::{Ruling, Strictness, judge};
use puzzleyard_sokoban::rules::{Level, Waivers};

/// The line of a board in its file is not part of what a form carries.
fn without_lines(mut collection: Collection) -> Collection {
    for setup in &mut collection.setups {
        setup.first_line = 0;
    }
    collection
}

/// An error names a place in the text.
fn names_a_place(text: &str, error: &FormatError) {
    let lines = text.split(['\n', '\r']).count() as u32;
    assert!(error.line >= 1 && error.line <= lines, "{error}");
    assert!(error.column >= 1, "{error}");
    assert!(!error.found.is_empty() && !error.expected.is_empty());
}

/// What was read from text survives every form that is written.
fn survives_writing(collection: Collection, forms: &[Form]) {
    let collection = without_lines(collection);
    for &form in forms {
        let text = format::write(&collection, form);
        let again = format::read(text.as_bytes())
            .unwrap_or_else(|error| panic!("{} is not read back: {error}\n{text}", form.name()));
        assert_eq!(collection, without_lines(again), "{}:\n{text}", form.name());
        let twice = format::write(&collection, form);
        assert_eq!(text, twice, "the canonical form is canonical");
    }
}

fn text_reader(text: &str, read: fn(&str) -> Result<Collection, FormatError>) {
    match read(text) {
        Ok(collection) => survives_writing(collection, &Form::ALL),
        Err(error) => names_a_place(text, &error),
    }
}

/// Claims of [`xsb`].
pub(crate) fn xsb(bytes: &[u8]) {
    text_reader(&String::from_utf8_lossy(bytes), xsb::read);
}

/// Claims of [`sok`].
pub(crate) fn sok(bytes: &[u8]) {
    text_reader(&String::from_utf8_lossy(bytes), sok::read);
}

/// Claims of [`rle`].
pub(crate) fn rle(bytes: &[u8]) {
    text_reader(&String::from_utf8_lossy(bytes), rle::read);
}

/// Claims of [`slc`].
pub(crate) fn slc(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match slc::read(&text) {
        Ok(collection) => survives_writing(collection, &[Form::Json]),
        Err(error) => assert!(error.line >= 1 && error.column >= 1, "{error}"),
    }
}

/// Claims of [`json`].
pub(crate) fn json(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match json::read(&text) {
        Ok(collection) => survives_writing(collection, &[Form::Json]),
        Err(error) => assert!(error.line >= 1 && error.column >= 1, "{error}"),
    }
}

/// Claims of [`lurd`].
pub(crate) fn lurd(bytes: &[u8]) {
    const LONGEST: usize = 100_000;
    let text = String::from_utf8_lossy(bytes);
    match lurd::read(&text) {
        Ok(answer) if answer.moves() <= LONGEST => {
            assert_eq!(lurd::read(&lurd::write(&answer)).as_ref(), Ok(&answer));
            assert_eq!(lurd::read(&lurd::write_runs(&answer)).as_ref(), Ok(&answer));
        }
        Ok(answer) => assert!(answer.moves() <= lurd::MAX_STEPS),
        Err(error) => names_a_place(&text, &error),
    }
    if let Ok(parts) = lurd::stretches(&text) {
        let steps: usize = parts.iter().map(|part| part.ways.len()).sum();
        assert!(steps <= lurd::MAX_STEPS);
    }
}

/// Claims of [`format::read`], whatever the bytes.
pub(crate) fn read_any(bytes: &[u8]) {
    if let Ok(collection) = format::read(bytes) {
        survives_writing(collection, &[Form::Json]);
    }
}

/// The rules and the judge agree on every answer of every legal level: `bytes` are a level
/// file, a zero byte and one byte a step.
pub(crate) fn judge_agrees(bytes: &[u8]) {
    let cut = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    let ways: Vec<Direction> = bytes[cut..]
        .iter()
        .skip(1)
        .map(|byte| Direction::ALL[usize::from(byte % 4)])
        .collect();
    let letters: String = ways.iter().map(|way| way.letter()).collect();
    let Ok(collection) = format::read(&bytes[..cut]) else {
        return;
    };
    for setup in &collection.setups {
        let Ok(level) = Level::from_setup(setup, &Waivers::playing()) else {
            continue;
        };
        let ruling = judge(&setup.board(), &letters, Strictness::Plain);
        match (level.replay(ways.iter().copied()), ruling) {
            (Ok((state, answer)), Ruling::Solved { moves, pushes }) => {
                assert!(level.is_solved(&state));
                assert_eq!((moves, pushes), (answer.moves(), answer.pushes()));
                let strict = judge(&setup.board(), &answer.to_string(), Strictness::CaseMatters);
                assert!(strict.is_solved());
            }
            (Ok((state, answer)), Ruling::Unfinished { moves, pushes, .. }) => {
                assert!(!level.is_solved(&state));
                assert_eq!((moves, pushes), (answer.moves(), answer.pushes()));
            }
            (Err((at, _)), Ruling::Impossible { step, .. }) => assert_eq!(at + 1, step),
            (played, ruling) => panic!("rules: {played:?}, judge: {ruling}"),
        }
    }
}
