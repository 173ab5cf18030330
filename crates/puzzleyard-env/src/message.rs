//! What a model says: where its thinking ends, and what its `<move>` tags hold.

/// The longest message that is read, in bytes. A longer one is a lost turn.
pub const MAX_MESSAGE: usize = 1 << 20;

/// The most bytes of messages that one episode reads. A message that goes beyond is a lost
/// turn, as one over [`MAX_MESSAGE`] is.
pub const MAX_TEXT: usize = 64 << 20;

/// What the `<move>` tags of a message hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tags<'a> {
    /// There is no tag.
    None,
    /// One, or several that hold the same.
    One(&'a str),
    /// Several with different contents; these are the first two that differ.
    Several(&'a str, &'a str),
    /// An opening tag is never closed.
    Unclosed,
}

/// The part of a message that may hold moves: all of it, or what follows the last `</think>`.
/// With `use_think`, a message without `</think>` holds nothing, as verifiers' `ThinkParser`
/// has it.
pub(crate) fn spoken(message: &str, use_think: bool) -> &str {
    if use_think {
        message
            .rfind("</think>")
            .map_or("", |at| &message[at + "</think>".len()..])
    } else {
        message
    }
}

/// Reads all tags: each runs from `<move>` to the next `</move>`. `well_formed` judges the
/// contents; the first that is not is returned as an error, before any other finding.
pub(crate) fn tags(text: &str, well_formed: impl Fn(&str) -> bool) -> Result<Tags<'_>, &str> {
    let mut found = Tags::None;
    let mut rest = text;
    while let Some(open) = rest.find("<move>") {
        rest = &rest[open + "<move>".len()..];
        let Some(close) = rest.find("</move>") else {
            return Ok(Tags::Unclosed);
        };
        let content = &rest[..close];
        rest = &rest[close + "</move>".len()..];
        if !well_formed(content) {
            return Err(content);
        }
        found = match found {
            Tags::None => Tags::One(content),
            Tags::One(first) if first != content => Tags::Several(first, content),
            other => other,
        };
    }
    Ok(found)
}

/// At most `limit` characters of `text` for use in a reply, control characters and line ends
/// shown as `?`, three dots where more followed.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(limit)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if text.chars().nth(limit).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Tags, excerpt, spoken, tags};

    fn any(text: &str) -> Result<Tags<'_>, &str> {
        tags(text, |content| !content.contains('!'))
    }

    #[test]
    fn thinking_ends_at_the_last_closing_tag() {
        assert_eq!(spoken("<think>a</think>b</think>c", true), "c");
        assert_eq!(spoken("<think>a", true), "");
        assert_eq!(spoken("a", true), "");
        assert_eq!(spoken("<think>a</think>b", false), "<think>a</think>b");
    }

    #[test]
    fn tags_run_to_the_next_close() {
        assert_eq!(any("no"), Ok(Tags::None));
        assert_eq!(any("</move>x<move>a</move>"), Ok(Tags::One("a")));
        assert_eq!(any("<move>a</move><move>a</move>"), Ok(Tags::One("a")));
        assert_eq!(
            any("<move>a</move><move>b</move>"),
            Ok(Tags::Several("a", "b"))
        );
        assert_eq!(any("<move>a</move><move>"), Ok(Tags::Unclosed));
        assert_eq!(any("<move>a<move>b</move>"), Ok(Tags::One("a<move>b")));
        assert_eq!(any("<move>a</move><move>!</move><move>"), Err("!"));
        assert_eq!(any("<MOVE>a</MOVE>"), Ok(Tags::None));
    }

    #[test]
    fn excerpts_are_short_and_without_control_characters() {
        assert_eq!(excerpt("a\n\u{1b}b", 9), "a??b");
        assert_eq!(excerpt("äöü", 2), "äö...");
    }
}
