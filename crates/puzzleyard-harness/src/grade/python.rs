//! As much of Python's grammar as tells a program from something else.
//!
//! The contract runs `ast.parse`. A grader without Python cannot; it checks the lexical level:
//! strings end, brackets match, indentation is consistent, blocks are opened where a line ends
//! with a colon and only there.
//!
//! Length: `logical_line` is one match over the characters of a line.

/// Says why `text` cannot be a Python program, if it cannot.
pub(super) fn lexical_fault(text: &str) -> Option<String> {
    let mut scan = Scan::new(text);
    scan.program().err()
}

/// Words that may stand beside a name.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];
const SOFT_KEYWORDS: [&str; 3] = ["match", "case", "type"];

struct Scan {
    letters: Vec<char>,
    at: usize,
    line: usize,
    brackets: Vec<char>,
    indents: Vec<usize>,
    opens_block: bool,
}

impl Scan {
    fn new(text: &str) -> Self {
        Self {
            letters: text.chars().collect(),
            at: 0,
            line: 1,
            brackets: Vec::new(),
            indents: vec![0],
            opens_block: false,
        }
    }

    fn comment(&mut self) {
        while self.peek(0).is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }

    /// Statements with the lines on which they begin, without comments and strings. Lines are
    /// joined within brackets and after a backslash; `;` and `:` end a statement too.
    fn statements(&mut self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let mut statement = String::new();
        let (mut depth, mut begun) = (0usize, 1);
        while let Some(letter) = self.next() {
            match letter {
                '#' => self.comment(),
                '"' | '\'' => {
                    if self.string(letter).is_err() {
                        break;
                    }
                    statement.push('0');
                }
                '\\' if self.peek(0) == Some('\n') => {
                    self.next();
                    statement.push(' ');
                }
                '\n' | ';' | ':' if depth == 0 || letter == '\n' && statement.is_empty() => {
                    found.push((begun, std::mem::take(&mut statement)));
                    begun = self.line;
                }
                '\n' | '\t' => statement.push(' '),
                _ => {
                    match letter {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    statement.push(letter);
                }
            }
        }
        found.push((begun, statement));
        found
    }

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
        let (mut after_operand, mut was_blank) = (false, false);
        while let Some(letter) = self.next() {
            let blank_before = was_blank;
            was_blank = matches!(letter, ' ' | '\t');
            match letter {
                '#' => self.comment(),
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
                letter if letter == '_' || letter.is_alphabetic() => {
                    let mut word = String::from(letter);
                    while let Some(more) =
                        self.peek(0).filter(|it| *it == '_' || it.is_alphanumeric())
                    {
                        word.push(more);
                        self.at += 1;
                    }
                    let is_operand = !KEYWORDS.contains(&word.as_str());
                    if is_operand && after_operand {
                        return self.fault(&format!("{word} follows a name without an operator"));
                    }
                    after_operand = is_operand && !SOFT_KEYWORDS.contains(&word.as_str());
                    last = letter;
                    continue;
                }
                '=' if last == '=' && blank_before => {
                    return self.fault("an assignment without a value");
                }
                '$' | '?' | '`' => return self.fault(&format!("{letter:?} is no Python")),
                other => {
                    has_compound_colon |= other == ':' && self.brackets.is_empty();
                    last = other;
                }
            }
            if !matches!(letter, ' ' | '\t' | '\n' | '\r' | '\\' | '#') {
                after_operand = false;
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

/// Why `text` cannot be a solver by the contract's rules, if it cannot.
///
/// It must define a function, import nothing but the standard library, and must not load or
/// run text: what that does cannot be read here.
pub(super) fn audit(text: &str) -> Result<(), String> {
    let words = words(text);
    if !words.iter().any(|(_, word, _)| word == "def") {
        return Err("it defines no function".into());
    }
    for (line, word, is_attribute) in &words {
        let is_loader = LOADERS.contains(&word.as_str()) && !is_attribute;
        let is_process = RUNNERS.contains(&word.as_str());
        if is_loader || is_process {
            return Err(format!(
                "line {line}: {word} loads or runs what cannot be read here"
            ));
        }
        if FORBIDDEN.contains(&word.as_str()) {
            return Err(format!("line {line}: it names {word}"));
        }
    }
    for (line, module) in imported(text) {
        let top = module.split('.').next().unwrap_or("");
        if !STANDARD.contains(&top) {
            return Err(format!(
                "line {line}: it imports {module:?}, which is not of the standard library"
            ));
        }
    }
    Ok(())
}

/// Libraries that the contract forbids.
pub(super) const FORBIDDEN: [&str; 3] = ["sokoban_solver", "pysokoban", "sokenizer"];
const LOADERS: [&str; 5] = ["__import__", "exec", "eval", "compile", "globals"];
const RUNNERS: [&str; 7] = [
    "importlib",
    "import_module",
    "runpy",
    "ctypes",
    "subprocess",
    "__builtins__",
    "builtins",
];
/// What a search may want of Python's standard library. Modules that load code or run text
/// (`pickle`, `marshal`, `timeit`, …) are left out on purpose.
const STANDARD: [&str; 92] = [
    "__future__",
    "abc",
    "argparse",
    "array",
    "ast",
    "atexit",
    "base64",
    "binascii",
    "bisect",
    "bz2",
    "calendar",
    "cmath",
    "codecs",
    "collections",
    "concurrent",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "errno",
    "fileinput",
    "fractions",
    "functools",
    "gc",
    "getopt",
    "glob",
    "graphlib",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "math",
    "mmap",
    "multiprocessing",
    "numbers",
    "operator",
    "optparse",
    "os",
    "pathlib",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shlex",
    "shutil",
    "signal",
    "stat",
    "statistics",
    "string",
    "struct",
    "sys",
    "tempfile",
    "termios",
    "textwrap",
    "threading",
    "time",
    "token",
    "tokenize",
    "traceback",
    "tracemalloc",
    "tty",
    "types",
    "typing",
    "unittest",
    "uuid",
    "warnings",
    "weakref",
    "zipfile",
    "zlib",
    "zoneinfo",
];

/// The words of a program outside of comments and strings, with their lines and whether a dot
/// stands before.
fn words(text: &str) -> Vec<(usize, String, bool)> {
    let mut scan = Scan::new(text);
    let mut words = Vec::new();
    let mut is_attribute = false;
    while let Some(letter) = scan.next() {
        match letter {
            '#' => scan.comment(),
            // A string that never ends holds all the rest.
            '"' | '\'' if scan.string(letter).is_err() => break,
            letter if letter == '_' || letter.is_alphabetic() => {
                let line = scan.line;
                let mut word = String::from(letter);
                while let Some(more) = scan.peek(0).filter(|it| *it == '_' || it.is_alphanumeric())
                {
                    word.push(more);
                    scan.at += 1;
                }
                words.push((line, word, is_attribute));
            }
            _ => {}
        }
        is_attribute = letter == '.';
    }
    words
}

/// The modules that statements import, with their lines. Relative ones have no name.
fn imported(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut scan = Scan::new(text);
    for (line, statement) in scan.statements() {
        let rest = statement.trim_start();
        if let Some(names) = rest.strip_prefix("import ") {
            for name in names.split(',') {
                let name = name.split_whitespace().next().unwrap_or("");
                found.push((line, name.to_owned()));
            }
        } else if let Some(rest) = rest.strip_prefix("from ")
            && rest.contains(" import")
        {
            let name = rest.split_whitespace().next().unwrap_or("");
            found.push((line, name.to_owned()));
        }
    }
    found
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
    use super::{audit, imports, lexical_fault};

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
            ("this is my solver\n", false),
            ("x = = 3\n", false),
            ("x == 3 if y is not z else w\n", true),
            ("match x:\n    case y: pass\n", true),
            ("x = f'a' rb'b'\n", true),
            (
                "x = 0x1f if a else 1e5\nb = a[1]\nc = (a\n     and b)\n",
                true,
            ),
        ];
        for (text, is_program) in rows {
            assert_eq!(lexical_fault(text).is_none(), is_program, "{text:?}");
        }
    }

    #[test]
    fn solvers_load_nothing_in_a_roundabout_way() {
        let rows = [
            ("import heapq, re\nfrom collections import deque\n", true),
            (
                "# not pysokoban\n\"\"\"import numpy\"\"\"\nx = re.compile('pysokoban')\n",
                true,
            ),
            ("if x: import os.path as p; import sys\n", true),
            ("import os, pysokoban\n", false),
            ("from os import path; import numpy as np\n", false),
            ("from . import other\n", false),
            ("from \\\n  sokenizer import x\n", false),
            ("x = __import__('pyso' + 'koban')\n", false),
            ("import importlib as i\n", false),
            ("exec('im' + 'port x')\n", false),
            ("import subprocess\n", false),
            ("import marshal, types\n", false),
            ("from pickle import loads\n", false),
            ("import statistics, decimal\n", true),
        ];
        for (text, is_fine) in rows {
            let text = format!("def f():\n    pass\n{text}");
            assert_eq!(
                audit(&text).is_ok(),
                is_fine,
                "{text:?}: {:?}",
                audit(&text)
            );
        }
        assert!(audit("prose = 1\n").is_err(), "no function");
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
