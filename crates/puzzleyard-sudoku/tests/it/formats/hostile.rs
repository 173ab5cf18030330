//! Memory of the readers does not grow with the file.

use std::io::{BufReader, Read};

use puzzleyard_sudoku::format::{Blocks, Kind, MAX_LINE, Reader};

/// A pattern without end, cut after some bytes.
fn endless(start: &'static str, pattern: &'static str, bytes: u64) -> impl std::io::BufRead {
    let pattern = std::iter::repeat(pattern.as_bytes()).flatten().copied();
    let body = Pattern(pattern);
    BufReader::new(start.as_bytes().chain(body).take(bytes))
}

struct Pattern<I>(I);

impl<I: Iterator<Item = u8>> Read for Pattern<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *buffer {
            *byte = self.0.next().unwrap_or(0);
        }
        Ok(buffer.len())
    }
}

#[test]
fn endless_input_ends_in_faults() {
    const LONG: u64 = 1 << 19;
    for (kind, start, pattern) in [
        (Kind::Line, "", "1"),
        (Kind::Line, "", "\u{0}"),
        (Kind::Grid, "", "x1\n"),
        (Kind::Grid, "", "1 2 3\n"),
        (Kind::Grid, "", "+-\n"),
        (Kind::Grid, "53..7....\n", "---\n"),
        (Kind::Sdk, "[Puzzle]\n", "[x]\n"),
        (Kind::Sdk, "[Puzzle]\n", "#D\n"),
        (Kind::Csv, "puzzle\n\"", "1\n"),
        (Kind::Csv, "", "\"\n"),
        (Kind::Json, "", "["),
        (Kind::Json, "[", "1,"),
        (Kind::Json, "[\"", "a"),
        (Kind::Json, "{", "\"a\":1,"),
        (Kind::Json, "[", "[],"),
    ] {
        let (mut faults, mut longest) = (0u64, 0);
        for item in Reader::with_kind(kind, endless(start, pattern, LONG)) {
            if let Err(fault) = item {
                faults += 1;
                longest = longest.max(fault.to_string().len());
            }
        }
        let quiet = pattern == "---\n" && faults == 0;
        assert!(faults > 0 || quiet, "{kind} {start:?} {pattern:?}");
        assert!(longest < 400, "{kind} {start:?} {pattern:?}");
    }
    let blocks = Blocks::new(endless("", "1", LONG), 100);
    assert_eq!(blocks.map(|block| block.faults.len()).sum::<usize>(), 1);
    assert!(MAX_LINE < LONG as usize);
}

/// A source that breaks.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("torn"))
    }
}

#[test]
fn a_broken_source_is_one_fatal_fault() {
    for kind in Kind::ALL {
        let source = BufReader::new("5\n".as_bytes().chain(Broken));
        let items: Vec<_> = Reader::with_kind(kind, source).collect();
        let last = items.last().and_then(|item| item.as_ref().err());
        assert!(last.is_some_and(|fault| fault.fatal), "{kind}: {items:?}");
    }
    let items: Vec<_> = Reader::new(BufReader::new(Broken)).collect();
    assert_eq!(items.len(), 1);
}
