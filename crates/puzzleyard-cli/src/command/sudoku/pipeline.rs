//! Files in, rows out in the same order, for any number of threads.

use std::io::Write as _;

use puzzleyard_core::Stop;
use puzzleyard_sudoku::format::Fault;
use serde::Serialize;
use serde_json::Value;

use super::source::{Row, Source};
use crate::args::Output;
use crate::exit::{self, Exit};
use crate::interrupt::stop_on_interrupt;
use crate::{progress, stream};

/// What is written for some rows, and how they went.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The bytes for standard output.
    pub(super) out: Vec<u8>,
    /// Whether something that was asked for failed.
    pub(super) failed: bool,
}

/// Rows that stand together in a file.
#[derive(Debug)]
pub(super) struct Chunk<'a> {
    /// The file as named.
    pub(super) file: &'a str,
    /// The number of the first row in its file, from 1.
    pub(super) first: u64,
    /// The rows.
    pub(super) rows: Vec<Row>,
}

/// How files are worked through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Threads.
    pub(super) threads: u16,
    /// Rows for a thread at a time.
    pub(super) chunk: usize,
}

/// Reads the files and writes what `work` makes of their rows, in order. Faults are said on
/// standard error; what stands in their place is for `work`.
pub(super) fn run(
    files: &[String],
    pace: Pace,
    work: impl Fn(&Chunk<'_>, &Stop) -> anyhow::Result<Written> + Sync,
) -> anyhow::Result<Exit> {
    let stop = stop_on_interrupt()?;
    let bar = progress::line();
    let mut exit = Exit::Done;
    let mut out = stream::out();
    let mut done = 0;
    'files: for file in files {
        let mut source = match Source::open(file, pace.chunk) {
            Ok(source) => source,
            // One bad file stops nothing.
            Err(error) => {
                stream::say(format_args!("yard: {}", exit::words(&error)));
                exit = Exit::BadInput;
                continue;
            }
        };
        let mut first = 1;
        loop {
            let chunks = chunks(file, &mut source, &mut first, pace.threads);
            if chunks.is_empty() {
                break;
            }
            for written in together(&chunks, &stop, &work) {
                let written = written?;
                out.write_all(&written.out)?;
                if written.failed && exit == Exit::Done {
                    exit = Exit::Failed;
                }
            }
            for chunk in &chunks {
                done += chunk.rows.len();
                for fault in chunk.rows.iter().filter_map(|row| row.found.as_ref().err()) {
                    bar.suspend(|| stream::say(format_args!("{file}: {fault}")));
                    exit = Exit::BadInput;
                }
            }
            bar.set_message(format!("{done} puzzles"));
            if stop.raised().is_some() {
                break 'files;
            }
            if out.reader_left() {
                bar.finish_and_clear();
                return Ok(exit);
            }
        }
    }
    bar.finish_and_clear();
    out.flush()?;
    Ok(if stop.raised().is_some() {
        Exit::Interrupted
    } else {
        exit
    })
}

/// The next chunks of a file, one for each thread; `first` counts on.
fn chunks<'a>(file: &'a str, source: &mut Source, first: &mut u64, threads: u16) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    while chunks.len() < usize::from(threads) {
        let rows = source.read();
        if rows.is_empty() {
            break;
        }
        let count = rows.len() as u64;
        chunks.push(Chunk {
            file,
            first: *first,
            rows,
        });
        *first += count;
    }
    chunks
}

fn together<'a>(
    chunks: &[Chunk<'a>],
    stop: &Stop,
    work: &(impl Fn(&Chunk<'a>, &Stop) -> anyhow::Result<Written> + Sync),
) -> Vec<anyhow::Result<Written>> {
    if let [only] = chunks {
        return vec![work(only, stop)];
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = chunks
            .iter()
            .map(|chunk| scope.spawn(move || work(chunk, stop)))
            .collect();
        let broken = |_| Err(anyhow::anyhow!("a thread broke down"));
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(broken))
            .collect()
    })
}

/// Writes a row for each row of a chunk: its words, or an object that begins with where it
/// stands. `each` gives both, and whether it failed.
pub(super) fn rows<T: Serialize>(
    chunk: &Chunk<'_>,
    format: Output,
    mut each: impl FnMut(&Row) -> (String, T, bool),
) -> anyhow::Result<Written> {
    let mut written = Written::default();
    for (at, row) in chunk.rows.iter().enumerate() {
        let (text, fields, failed) = each(row);
        written.failed |= failed;
        match format {
            Output::Text => writeln!(written.out, "{text}")?,
            Output::Json => {
                let mut object = serde_json::Map::new();
                object.insert("file".into(), chunk.file.into());
                object.insert("index".into(), (chunk.first + at as u64).into());
                object.insert("line".into(), row.line.into());
                object.insert("title".into(), row.title.clone().into());
                if let Value::Object(fields) = serde_json::to_value(fields)? {
                    object.extend(fields);
                }
                writeln!(written.out, "{}", Value::Object(object))?;
            }
        }
    }
    Ok(written)
}

/// The fields of a row that could not be read.
pub(super) fn invalid(fault: &Fault) -> Value {
    serde_json::json!({ "status": "invalid", "reason": fault.to_string() })
}
