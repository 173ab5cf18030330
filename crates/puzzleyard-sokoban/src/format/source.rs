//! Bytes to lines of text: size limit, encodings, line endings, and the foreign files that
//! are refused by name.

use std::borrow::Cow;

use super::{FormatError, MAX_BYTES, MAX_LINES};

/// The text of `bytes`: UTF-8 if they are valid UTF-8, else Latin-1. A byte order mark and a
/// DOS end-of-file mark (`0x1A`) are cut off.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, FormatError> {
    if bytes.len() > MAX_BYTES {
        return Err(FormatError::at_start(
            format!("{} bytes", bytes.len()),
            format!("at most {MAX_BYTES} bytes"),
        ));
    }
    refuse_binary(bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    })
}

/// Files that are not text, each by its name.
fn refuse_binary(bytes: &[u8]) -> Result<(), FormatError> {
    const EXPECTED: &str = "a text file of levels";
    let magics: [(&[u8], &str); 6] = [
        (
            b"**TI83F*",
            "a calculator's binary pack (TI-83 variable, .8xv)",
        ),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    for (magic, name) in magics {
        if bytes.starts_with(magic) {
            return Err(FormatError::at_start(name, EXPECTED));
        }
    }
    // No text encoding that is read here uses the zero byte.
    match bytes.iter().take(4096).position(|&byte| byte == 0) {
        Some(at) => Err(FormatError::at_start(
            format!("binary data (a zero byte at offset {at})"),
            EXPECTED,
        )),
        None => Ok(()),
    }
}

/// The lines of a text. Each ends at LF, CRLF or a lone CR.
pub(super) struct Lines<'a> {
    text: &'a str,
    spans: Vec<(u32, u32)>,
}

impl<'a> Lines<'a> {
    /// Splits `text`, which [`decode`] has bounded.
    pub(super) fn new(text: &'a str) -> Result<Self, FormatError> {
        let bytes = text.as_bytes();
        let mut spans = Vec::with_capacity((bytes.len() / 16).min(MAX_LINES));
        let mut start = 0;
        while start < bytes.len() {
            if spans.len() == MAX_LINES {
                return Err(FormatError {
                    line: MAX_LINES as u32 + 1,
                    column: 1,
                    found: "another line".into(),
                    expected: format!("at most {MAX_LINES} lines"),
                });
            }
            let end = bytes[start..]
                .iter()
                .position(|&byte| matches!(byte, b'\n' | b'\r' | 0))
                .map_or(bytes.len(), |at| start + at);
            if bytes.get(end) == Some(&0) {
                return Err(FormatError {
                    line: spans.len() as u32 + 1,
                    column: text[start..end].chars().count() as u32 + 1,
                    found: "a zero byte".into(),
                    expected: "text".into(),
                });
            }
            spans.push((start as u32, end as u32));
            start = match bytes.get(end..end + 2) {
                Some(b"\r\n") => end + 2,
                _ => end + 1,
            };
        }
        Ok(Self { text, spans })
    }

    /// Whether any of `bytes` occurs in the text.
    pub(super) fn have_any(&self, bytes: [u8; 3]) -> bool {
        self.text.bytes().any(|byte| bytes.contains(&byte))
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Line `at`, from 0, without its ending; empty beyond the last.
    pub(super) fn get(&self, at: usize) -> &'a str {
        self.spans
            .get(at)
            .map_or("", |&(start, end)| &self.text[start as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, decode};

    #[test]
    fn every_ending_ends_a_line() {
        let lines = Lines::new("a\r\nb\rc\n\nd").expect("five lines");
        let all: Vec<&str> = (0..lines.len()).map(|at| lines.get(at)).collect();
        assert_eq!(all, ["a", "b", "c", "", "d"]);
    }

    #[test]
    fn encodings_are_told_apart() {
        let rows: [(&[u8], &str); 4] = [
            (b"\xef\xbb\xbfab", "ab"),
            (b"P\xe9ter", "Péter"),
            ("Péter".as_bytes(), "Péter"),
            (b"ab\x1a", "ab"),
        ];
        for (bytes, text) in rows {
            assert_eq!(decode(bytes).expect("text"), text);
        }
    }
}
