//! Rules of single files: openings, sizes, names, switched-off tests, forbidden paths, links.

use std::path::Path;

use anyhow::Context;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use walkdir::WalkDir;

use super::{Breach, Map, Source};

const FUNCTION_LINES: usize = 60;
const FILE_LINES: usize = 800;
const NAMES: [&str; 5] = ["utils", "util", "common", "helpers", "manager"];
/// What pure crates may not name.
const IMPURE: [&str; 6] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Whether these attributes mark test code.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Path>()
                    .is_ok_and(|path| path.is_ident("test")))
    })
}

/// Breaches inside source files.
pub(crate) fn check(sources: &[Source], map: &Map) -> anyhow::Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for source in sources {
        let file = syn::parse_file(&source.text)
            .with_context(|| format!("cannot parse {}", source.path.display()))?;
        let mut scan = Scan {
            pure: map.pure.contains(&source.package) && source.is_product(),
            long: Vec::new(),
            test_lines: 0,
            found: opening(source),
        };
        scan.visit_file(&file);
        if source.is_product() {
            scan.sizes(source);
        }
        breaches.extend(scan.found.into_iter().map(|(line, what)| Breach {
            place: format!("{}:{line}", source.path.display()),
            what,
        }));
    }
    Ok(breaches)
}

/// The module doc at the top of a file.
fn module_doc(source: &Source) -> String {
    let lines = source.text.lines();
    let lines = lines.take_while(|line| line.starts_with("//!"));
    lines.collect::<Vec<_>>().join("\n")
}

/// What is wrong with a file's name or its first lines.
fn opening(source: &Source) -> Vec<(usize, String)> {
    let words = module_doc(source);
    let mut found = Vec::new();
    if words.is_empty() {
        found.push((
            1,
            "does not open with `//!`: say what the file is for".into(),
        ));
    }
    let stem = source.path.file_stem().map(|stem| stem.to_string_lossy());
    if stem.is_some_and(|stem| NAMES.contains(&stem.as_ref())) {
        let what = "the file's name says nothing: use a noun of the field";
        found.push((1, what.into()));
    }
    if source.inner == Path::new("src/lib.rs") && !words.contains("```") {
        found.push((1, "the crate does not open with a runnable example".into()));
    }
    found
}

struct Scan {
    pure: bool,
    long: Vec<(usize, String, usize)>,
    test_lines: usize,
    found: Vec<(usize, String)>,
}

impl Scan {
    /// Files and functions that are too long without a reason after `Length:` in the module doc.
    fn sizes(&mut self, source: &Source) {
        const HINT: &str = "split it, or give the reason after `Length:` in the module doc";
        if module_doc(source).contains("Length:") {
            return;
        }
        let lines = source.text.lines().count() - self.test_lines;
        if lines > FILE_LINES {
            let what = format!("{lines} lines without tests, over {FILE_LINES}: {HINT}");
            self.found.push((1, what));
        }
        for (line, name, length) in std::mem::take(&mut self.long) {
            let what = format!("function {name} has {length} lines, over {FUNCTION_LINES}: {HINT}");
            self.found.push((line, what));
        }
    }

    fn function(&mut self, name: &syn::Ident, attributes: &[syn::Attribute], block: &syn::Block) {
        let (from, to) = (block.span().start().line, block.span().end().line);
        let length = to + 1 - from;
        if length > FUNCTION_LINES && !is_test(attributes) {
            self.long.push((from, name.to_string(), length));
        }
        for attribute in attributes {
            if attribute.path().is_ident("ignore") {
                self.found
                    .push((from, format!("test {name} is switched off")));
            }
        }
    }

    fn path(&mut self, line: usize, path: &str) {
        if !self.pure {
            return;
        }
        for impure in IMPURE {
            if path == impure || path.starts_with(&format!("{impure}::")) {
                self.found
                    .push((line, format!("a pure crate names {impure}")));
            }
        }
    }

    fn tree(&mut self, line: usize, prefix: &str, tree: &syn::UseTree) {
        let join = |name: &syn::Ident| {
            if prefix.is_empty() {
                name.to_string()
            } else {
                format!("{prefix}::{name}")
            }
        };
        match tree {
            syn::UseTree::Path(path) => self.tree(line, &join(&path.ident), &path.tree),
            syn::UseTree::Group(group) => {
                for item in &group.items {
                    self.tree(line, prefix, item);
                }
            }
            syn::UseTree::Name(name) => self.path(line, &join(&name.ident)),
            syn::UseTree::Rename(rename) => self.path(line, &join(&rename.ident)),
            syn::UseTree::Glob(_) => self.path(line, prefix),
        }
    }
}

impl<'ast> Visit<'ast> for Scan {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            self.test_lines += item.span().end().line + 1 - item.span().start().line;
        } else if NAMES.contains(&item.ident.to_string().as_str()) {
            let line = item.span().start().line;
            self.found
                .push((line, format!("module name {} says nothing", item.ident)));
        }
        let pure = self.pure && !is_test(&item.attrs);
        let outer = std::mem::replace(&mut self.pure, pure);
        let long = self.long.len();
        visit::visit_item_mod(self, item);
        if is_test(&item.attrs) {
            self.long.truncate(long);
        }
        self.pure = outer;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(item.span().start().line, "", &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let text: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        self.path(path.span().start().line, &text.join("::"));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let name = item.path.segments.last().map(|it| it.ident.to_string());
        if let Some(name) = name
            && ["todo", "unimplemented", "dbg"].contains(&name.as_str())
        {
            self.found.push((
                item.span().start().line,
                format!("{name}! is unfinished work"),
            ));
        }
        visit::visit_macro(self, item);
    }
}

/// Links in the Markdown files of the checkout that lead to no file.
pub(crate) fn links(root: &Path) -> anyhow::Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    let walk = walk.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !(name == "target"
            || name == "node_modules"
            || (name.starts_with('.') && entry.depth() > 0))
    });
    for entry in walk {
        let entry = entry?;
        if entry.path().extension().is_none_or(|end| end != "md") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path())?;
        let folder = entry.path().parent().unwrap_or(root);
        for (number, line) in text.lines().enumerate() {
            for target in line.split("](").skip(1) {
                let target = target.split([')', '#', ' ']).next().unwrap_or_default();
                let outside = target.is_empty() || target.contains("://");
                if !outside && !folder.join(target).exists() {
                    breaches.push(Breach {
                        place: format!(
                            "{}:{}",
                            entry.path().strip_prefix(root)?.display(),
                            number + 1
                        ),
                        what: format!("link to {target}, which is not there"),
                    });
                }
            }
        }
    }
    Ok(breaches)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Map, Source, check};

    fn breaches(inner: &str, text: &str) -> anyhow::Result<Vec<String>> {
        let map = "| crate | may use |\n| --- | --- |\n| `a` | |\n\n| module | may name |\n| --- | --- |\n| `a::x` | |\n\n| library | only in |\n| --- | --- |\n| `l` | `a` |\n\nPure crates: `a`.\n";
        let source = Source {
            package: "a".into(),
            path: PathBuf::from("a").join(inner),
            inner: inner.into(),
            text: text.into(),
        };
        let found = check(&[source], &Map::parse(map)?)?;
        Ok(found.into_iter().map(|breach| breach.what).collect())
    }

    #[test]
    fn each_rule_finds_its_breach() -> anyhow::Result<()> {
        let long = format!("//! Words.\nfn f() {{\n{}}}\n", "    ();\n".repeat(61));
        let rows = [
            ("src/x.rs", "fn f() {}", "open with"),
            ("src/utils.rs", "//! Words.", "name says nothing"),
            ("src/lib.rs", "//! Words.", "runnable example"),
            ("src/x.rs", "//! Words.\nuse std::{fs, fmt};", "std::fs"),
            (
                "src/x.rs",
                "//! Words.\nfn f() { std::env::var(\"X\"); }",
                "std::env",
            ),
            ("src/x.rs", "//! Words.\nfn f() { todo!() }", "todo!"),
            (
                "tests/it/x.rs",
                "//! Words.\n#[test]\n#[ignore]\nfn f() {}",
                "switched off",
            ),
            ("src/x.rs", &long, "61"),
        ];
        for (inner, text, expected) in rows {
            let found = breaches(inner, text)?;
            assert!(
                found.iter().any(|what| what.contains(expected)
                    || (expected == "61" && what.contains("has 63 lines"))),
                "{inner}: {found:?}"
            );
        }
        let reasoned = long.replace("//! Words.", "//! Words.\n//!\n//! Length: a table.");
        assert_eq!(breaches("src/x.rs", &reasoned)?, Vec::<String>::new());
        assert_eq!(
            breaches("tests/it/x.rs", "//! Words.\nuse std::fs;")?,
            Vec::<String>::new()
        );
        Ok(())
    }
}
