//! Lines of any file, one at a time, with a cap on their length.

use std::io::{BufRead, ErrorKind};

use super::{Fault, MAX_LINE};

/// Cuts bytes into lines: LF, CRLF and lone CR end one. Bytes that are not UTF-8 are read as
/// Latin-1.
#[derive(Debug)]
pub(super) struct Lines<R> {
    inner: R,
    /// The number of the last line read, from 1.
    number: u64,
    bytes: Vec<u8>,
    /// The last line ended with CR, so that an LF at once belongs to it.
    after_cr: bool,
}

/// A fault of the source itself.
pub(super) fn io_fault(line: u64, error: &std::io::Error) -> Fault {
    Fault::new(
        line,
        1,
        format!("an error of the source: {error}"),
        "readable bytes",
    )
    .fatal()
}

/// The bytes at hand, with interruptions retried. Empty at the end.
pub(super) fn fill<R: BufRead>(inner: &mut R) -> std::io::Result<&[u8]> {
    loop {
        match inner.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    inner.fill_buf()
}

/// The bytes as text.
pub(super) fn decode(bytes: &[u8], out: &mut String) {
    out.clear();
    match std::str::from_utf8(bytes) {
        Ok(text) => out.push_str(text),
        Err(_) => out.extend(bytes.iter().map(|&byte| char::from(byte))),
    }
}

/// A fault if these first bytes of a file are those of something other than text.
pub(super) fn foreign(bytes: &[u8]) -> Option<Fault> {
    let what = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "a UTF-16 file",
        [b'P', b'K', 3, 4, ..] => "a ZIP archive",
        [0x1F, 0x8B, ..] => "a gzip archive",
        [0x89, b'P', b'N', b'G', ..] => "a PNG picture",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document",
        _ => return None,
    };
    Some(Fault::new(1, 1, what, "a text file of puzzles").fatal())
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            number: 0,
            bytes: Vec::new(),
            after_cr: false,
        }
    }

    /// The number of the last line read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end into `out`; `None` after the last one.
    pub(super) fn next(&mut self, out: &mut String) -> Option<Result<(), Fault>> {
        match self.next_bytes() {
            Ok(false) => None,
            Ok(true) => {
                decode(&self.bytes, out);
                Some(Ok(()))
            }
            Err(fault) => Some(Err(fault)),
        }
    }

    /// Whole lines of `N` bytes at the front of the buffer go to `take`, as long as it likes
    /// them. An offered line begins at a line start and is ended by LF or CRLF; `take` is
    /// given its number too. A refused line is read again by [`Lines::next`].
    pub(super) fn plain<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u8; N], u64) -> bool,
    ) -> Result<(), Fault> {
        loop {
            let number = self.number;
            let buffer = fill(&mut self.inner).map_err(|error| io_fault(number + 1, &error))?;
            let mut used = 0;
            if self.after_cr && buffer.first() == Some(&b'\n') {
                used = 1;
            }
            self.after_cr = false;
            let start = used;
            while let Some((line, rest)) = buffer[used..].split_first_chunk::<N>() {
                let end = match rest {
                    [b'\n', ..] => 1,
                    [b'\r', b'\n', ..] => 2,
                    _ => break,
                };
                if !take(line, self.number + 1) {
                    break;
                }
                self.number += 1;
                used += N + end;
            }
            let some = used > start;
            self.inner.consume(used);
            if !some {
                return Ok(());
            }
        }
    }

    fn next_bytes(&mut self) -> Result<bool, Fault> {
        self.bytes.clear();
        let (mut length, mut any) = (0usize, false);
        loop {
            let line = self.number + 1;
            let buffer = fill(&mut self.inner).map_err(|error| io_fault(line, &error))?;
            if buffer.is_empty() {
                if !any {
                    return Ok(false);
                }
                break;
            }
            if self.after_cr {
                self.after_cr = false;
                if buffer[0] == b'\n' {
                    self.inner.consume(1);
                    continue;
                }
            }
            any = true;
            let end = buffer.iter().position(|&b| b == b'\n' || b == b'\r');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE.saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            length = length.saturating_add(part.len());
            let used = part.len() + usize::from(end.is_some());
            self.after_cr = end.is_some_and(|at| buffer[at] == b'\r');
            self.inner.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.number += 1;
        if self.number == 1 {
            if let Some(fault) = foreign(&self.bytes) {
                return Err(fault);
            }
            if self.bytes.starts_with(b"\xEF\xBB\xBF") {
                self.bytes.drain(..3);
            }
        }
        if length > MAX_LINE {
            return Err(Fault::new(
                self.number,
                1,
                format!("a line of {length} bytes"),
                format!("at most {MAX_LINE}"),
            ));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::Lines;

    fn all(bytes: &[u8], capacity: usize) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes));
        let (mut text, mut found) = (String::new(), Vec::new());
        while let Some(result) = lines.next(&mut text) {
            found.push(result.map_or_else(|fault| fault.to_string(), |()| text.clone()));
        }
        found
    }

    #[test]
    fn all_line_ends_and_buffer_sizes() {
        for capacity in 1..9 {
            let text = "\u{feff}a\r\nb\rc\n\nd\u{e9}\r\r\ne".as_bytes();
            assert_eq!(all(text, capacity), ["a", "b", "c", "", "d\u{e9}", "", "e"]);
        }
        assert_eq!(all(b"\xE9\n", 8), ["\u{e9}"]);
        assert_eq!(all(b"", 8), Vec::<String>::new());
    }

    #[test]
    fn long_lines_are_one_fault() {
        let mut text = vec![b'1'; super::MAX_LINE + 1];
        text.extend(b"\n12");
        let found = all(&text, 64);
        assert_eq!(
            found,
            [
                "line 1, column 1: found a line of 65537 bytes, wanted at most 65536",
                "12"
            ]
        );
    }
}
