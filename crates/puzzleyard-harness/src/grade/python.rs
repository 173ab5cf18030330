//! As much of Python's grammar as tells a program from something else.
//!
//! The contract runs `ast.parse`. A grader without Python cannot; it checks the lexical level:
//! strings end, brackets match, indentation is consistent, blocks are opened where a line ends
//! with a colon and only there.
//!
//! Length: `logical_line` is one match over the characters of a line.

/// Says why `text` cannot be a Python program, if it cannot.
pub(super) fn lexical_fault(text: &str) -> Option<String> {
    let mut scan = Scan {
        letters: text.chars().collect(),
        at: 0,
        line: 1,
        brackets: Vec::new(),
        indents: vec![0],
        opens_block: false,
    };
    scan.program().err()
}

struct Scan {
    letters: Vec<char>,
    at: usize,
    line: usize,
    brackets: Vec<char>,
    indents: Vec<usize>,
    opens_block: bool,
}

impl Scan {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek(0)?;
        self.at += 1;
        if letter == '\n' {
            self.line += 1;
        }
        Some(letter)
    }

    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line))
    }

    fn program(&mut self) -> Result<(), String> {
        while self.at < self.letters.len() {
            self.logical_line()?;
        }
        if let Some(open) = self.brackets.last() {
            return self.fault(&format!("{open:?} is never closed"));
        }
        if self.opens_block {
            return self.fault("a block is missing at the end");
        }
        Ok(())
    }

    fn logical_line(&mut self) -> Result<(), String> {
        let mut indent = 0;
        while let Some(letter) = self
            .peek(0)
            .filter(|letter| matches!(letter, ' ' | '\t' | '\x0c'))
        {
            indent = if letter == '\t' {
                indent / 8 * 8 + 8
            } else {
                indent + 1
            };
            self.at += 1;
        }
        match self.peek(0) {
            None => return Ok(()),
            Some('\n' | '\r' | '#') => {
                while self.next().is_some_and(|letter| letter != '\n') {}
                return Ok(());
            }
            Some(_) => self.indentation(indent)?,
        }
        let mut last = ' ';
        let mut has_compound_colon = false;
        while let Some(letter) = self.next() {
            match letter {
                '#' => {
                    while self.peek(0).is_some_and(|letter| letter != '\n') {
                        self.at += 1;
                    }
                }
                '\n' if self.brackets.is_empty() => break,
                '\n' | '\r' | ' ' | '\t' => {}
                '\\' if matches!(self.peek(0), Some('\n' | '\r')) => {
                    if self.peek(0) == Some('\r') {
                        self.at += 1;
                    }
                    self.next();
                }
                '"' | '\'' => {
                    self.string(letter)?;
                    last = letter;
                }
                '(' | '[' | '{' => {
                    self.brackets.push(letter);
                    last = letter;
                }
                ')' | ']' | '}' => {
                    let open = self.brackets.pop();
                    if !matches!(
                        (open, letter),
                        (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')
                    ) {
                        return self.fault(&format!("{letter:?} closes nothing"));
                    }
                    last = letter;
                }
                '$' | '?' | '`' => return self.fault(&format!("{letter:?} is no Python")),
                other => {
                    has_compound_colon |= other == ':' && self.brackets.is_empty();
                    last = other;
                }
            }
        }
        self.opens_block = last == ':' && has_compound_colon;
        Ok(())
    }

    fn indentation(&mut self, indent: usize) -> Result<(), String> {
        let current = self.indents.last().copied().unwrap_or(0);
        if self.opens_block {
            if indent <= current {
                return self.fault("an indented block is missing");
            }
            self.indents.push(indent);
            self.opens_block = false;
            return Ok(());
        }
        if indent > current {
            return self.fault("unexpected indentation");
        }
        while self.indents.last().is_some_and(|&top| top > indent) {
            self.indents.pop();
        }
        if self.indents.last() == Some(&indent) {
            Ok(())
        } else {
            self.fault("indentation matches no outer block")
        }
    }

    fn string(&mut self, quote: char) -> Result<(), String> {
        let is_long = self.peek(0) == Some(quote) && self.peek(1) == Some(quote);
        if is_long {
            self.at += 2;
        } else if self.peek(0) == Some(quote) {
            self.at += 1;
            return Ok(());
        }
        loop {
            match self.next() {
                None => return self.fault("a string never ends"),
                Some('\\') => {
                    self.next();
                }
                Some('\n') if !is_long => return self.fault("a string ends with its line"),
                Some(letter) if letter == quote => {
                    if !is_long {
                        return Ok(());
                    }
                    if self.peek(0) == Some(quote) && self.peek(1) == Some(quote) {
                        self.at += 2;
                        return Ok(());
                    }
                }
                Some(_) => {}
            }
        }
    }
}

/// Whether `text` imports `module`, by the contract's pattern `\b(import|from)\s+module\b`.
pub(super) fn imports(text: &str, module: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    ["import", "from"].iter().any(|keyword| {
        text.match_indices(keyword).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let rest = &text[at + keyword.len()..];
            let name = rest.trim_start();
            name.len() < rest.len()
                && !before.is_some_and(is_word)
                && name
                    .strip_prefix(module)
                    .is_some_and(|after| !after.chars().next().is_some_and(is_word))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{imports, lexical_fault};

    /// Verdicts of `ast.parse` of Python 3.13.
    #[test]
    fn agrees_with_ast_parse() {
        let rows = [
            ("x = 1\n", true),
            (
                "def f(a,\n      b):\n    return {a: b}[a]\n\nf(1, 2)\n",
                true,
            ),
            ("if x: y = 1\nz = 2\n", true),
            ("'''doc\n  odd \" indent\n'''\nx = 'it\\'s'\n", true),
            ("class A:\n\tdef f(self):\n\t\treturn 1\n", true),
            ("x = [1,\n2]\n# end", true),
            ("x = a[1:]\ny = lambda: 3\n", true),
            ("if x:\ny = 1\n", false),
            ("x = (1\n", false),
            ("x = 1)\n", false),
            ("x = 'a\n", false),
            ("x = 1\n  y = 2\n", false),
            ("if x:\n    y\n  z\n", false),
            ("a ? b\n", false),
            ("def f():\n", false),
        ];
        for (text, is_program) in rows {
            assert_eq!(lexical_fault(text).is_none(), is_program, "{text:?}");
        }
    }

    #[test]
    fn imports_by_the_contracts_pattern() {
        let rows = [
            ("import pysokoban", true),
            ("from  pysokoban.x import y", true),
            ("import\n pysokoban", true),
            ("import pysokoban2", false),
            ("reimport pysokoban", false),
            ("import os, pysokoban", false),
        ];
        for (text, expected) in rows {
            assert_eq!(imports(text, "pysokoban"), expected, "{text:?}");
        }
    }
}
