//! The tables of `ARCHITECTURE.md`: which crate may use which, which module may name which,
//! which library has one home, which crates are pure.

use std::collections::BTreeMap;

use anyhow::{Context, bail};

/// What `ARCHITECTURE.md` allows.
pub(crate) struct Map {
    /// Crate to the workspace crates that it may use.
    pub(crate) crates: BTreeMap<String, Vec<String>>,
    /// `crate::module` to the modules of the same crate that it may name.
    pub(crate) modules: BTreeMap<String, Vec<String>>,
    /// Outside library to the crates that may use it.
    pub(crate) homes: BTreeMap<String, Vec<String>>,
    /// Crates without I/O, clock and environment.
    pub(crate) pure: Vec<String>,
}

impl Map {
    /// Reads the three tables by their headings and the line `Pure crates:`.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let pure = text
            .lines()
            .find_map(|line| line.strip_prefix("Pure crates:"))
            .context("ARCHITECTURE.md: no line that begins with `Pure crates:`")?;
        let map = Self {
            crates: table(text, "crate", "may use")?,
            modules: table(text, "module", "may name")?,
            homes: table(text, "library", "only in")?,
            pure: names(pure),
        };
        if map.crates.is_empty() || map.pure.is_empty() {
            bail!("ARCHITECTURE.md: the crate table or the list of pure crates is empty");
        }
        Ok(map)
    }
}

/// The rows of the table with these two column headings, as first name to all names.
fn table(text: &str, key: &str, value: &str) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let mut rows = BTreeMap::new();
    let mut columns = None;
    for line in text.lines() {
        let Some(inner) = line
            .strip_prefix('|')
            .and_then(|rest| rest.strip_suffix('|'))
        else {
            columns = None;
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if let Some((from, to)) = columns {
            let (Some(name), Some(allowed)) = (cells.get::<usize>(from), cells.get::<usize>(to))
            else {
                bail!("ARCHITECTURE.md: a row of the table `{key}` lacks a column: {line}");
            };
            if let Some(name) = names(name).into_iter().next() {
                rows.insert(name, names(allowed));
            }
        } else if cells.first() == Some(&key) {
            columns = cells
                .iter()
                .position(|&cell| cell == value)
                .map(|to| (0, to));
        }
    }
    if rows.is_empty() {
        bail!("ARCHITECTURE.md: no table with the columns `{key}` and `{value}`");
    }
    Ok(rows)
}

/// The words between back quotes.
fn names(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Map, names};

    #[test]
    fn reads_the_three_tables() -> anyhow::Result<()> {
        let text = "\
| crate | holds | may use |
| --- | --- | --- |
| `a` | words | |
| `b` | more | `a` |

| module | may name |
| --- | --- |
| `b::x` | `y`, `z` |

| library | only in | because |
| --- | --- | --- |
| `clap` | `b` | reason |

Pure crates: `a`.
";
        let map = Map::parse(text)?;
        assert_eq!(map.crates["b"], ["a"]);
        assert_eq!(map.crates["a"], Vec::<String>::new());
        assert_eq!(map.modules["b::x"], ["y", "z"]);
        assert_eq!(map.homes["clap"], ["b"]);
        assert_eq!(map.pure, ["a"]);
        assert!(Map::parse("nothing").is_err());
        assert_eq!(names("`one`, `two`"), ["one", "two"]);
        Ok(())
    }
}
