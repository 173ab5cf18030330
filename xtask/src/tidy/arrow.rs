//! Arrows between crates, from their manifests, and between modules, from their paths.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use anyhow::Context;
use syn::visit::{self, Visit};

use super::{Breach, Map, Source};

/// Arrows between crates that the map does not allow, and libraries away from their home.
pub(crate) fn crates(root: &Path, map: &Map) -> anyhow::Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(root.join("crates"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.push(root.join("xtask"));
    folders.sort();
    for folder in folders {
        let name = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))
            .with_context(|| format!("cannot read the manifest of {name}"))?;
        let manifest: toml::Table = manifest.parse()?;
        let mut breach = |what: String| {
            breaches.push(Breach {
                place: format!("{name}/Cargo.toml"),
                what,
            });
        };
        let package = manifest.get("package").and_then(toml::Value::as_table);
        if package.and_then(|it| it.get("name")?.as_str()) != Some(&name) {
            breach("the package's name is not its folder's".into());
        }
        if manifest.get("lints").is_none() {
            breach("`[lints] workspace = true` is missing".into());
        }
        let Some(allowed) = map.crates.get(&name) else {
            breach("the crate has no row in the table of ARCHITECTURE.md".into());
            continue;
        };
        for (section, product) in [
            ("dependencies", true),
            ("build-dependencies", true),
            ("dev-dependencies", false),
        ] {
            let Some(table) = manifest.get(section).and_then(toml::Value::as_table) else {
                continue;
            };
            for used in table.keys() {
                if map.crates.contains_key(used) && !allowed.contains(used) {
                    breach(format!("may not use {used} ({section})"));
                }
                if let Some(homes) = map.homes.get(used)
                    && product
                    && !homes.contains(&name)
                {
                    breach(format!("{used} may only be used in {}", homes.join(", ")));
                }
            }
        }
    }
    Ok(breaches)
}

/// Arrows between modules that the map does not allow.
pub(crate) fn modules(sources: &[Source], map: &Map) -> anyhow::Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for source in sources.iter().filter(|source| source.is_product()) {
        let here = module_path(&source.inner);
        let Some(top) = here.first() else { continue };
        let Some(allowed) = map.modules.get(&format!("{}::{top}", source.package)) else {
            continue;
        };
        let file = syn::parse_file(&source.text)
            .with_context(|| format!("cannot parse {}", source.path.display()))?;
        for named in named_modules(&file, &here, &source.package) {
            if &named != top && !allowed.contains(&named) {
                breaches.push(Breach {
                    place: source.path.display().to_string(),
                    what: format!("module {top} may not name module {named}"),
                });
            }
        }
    }
    Ok(breaches)
}

/// `src/rules/level.rs` is `[rules, level]`; `src/lib.rs` is empty.
fn module_path(inner: &Path) -> Vec<String> {
    let mut parts: Vec<String> = inner
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .skip(1)
        .collect();
    if let Some(last) = parts.pop() {
        let stem = last.trim_end_matches(".rs");
        if !matches!(stem, "mod" | "lib" | "main") {
            parts.push(stem.to_owned());
        }
    }
    parts
}

/// The top-level modules of its own crate that a file names, by `crate::`, `super::` or the
/// crate's own name. Tests inside the file are left out.
fn named_modules(file: &syn::File, here: &[String], package: &str) -> BTreeSet<String> {
    let mut finder = Finder {
        here: here.to_vec(),
        own_name: package.replace('-', "_"),
        found: BTreeSet::new(),
    };
    finder.visit_file(file);
    finder.found
}

/// Collects module names while it walks through a file.
struct Finder {
    here: Vec<String>,
    own_name: String,
    found: BTreeSet<String>,
}

impl Finder {
    fn note(&mut self, segments: &[String]) {
        let first = segments.first().map(String::as_str);
        let named = if first == Some("crate") || first == Some(&self.own_name) {
            segments.get(1).cloned()
        } else if first == Some("super") {
            let up = segments.iter().take_while(|it| *it == "super").count();
            match self.here.len().checked_sub(up) {
                Some(0) => segments.get(up).cloned(),
                Some(_) => self.here.first().cloned(),
                None => None,
            }
        } else {
            None
        };
        self.found.extend(named);
    }

    fn tree(&mut self, prefix: &mut Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.tree(prefix, &path.tree);
                prefix.pop();
            }
            syn::UseTree::Group(group) => {
                for item in &group.items {
                    self.tree(prefix, item);
                }
            }
            syn::UseTree::Name(name) => self.leaf(prefix, &name.ident),
            syn::UseTree::Rename(rename) => self.leaf(prefix, &rename.ident),
            syn::UseTree::Glob(_) => self.note(prefix),
        }
    }

    fn leaf(&mut self, prefix: &mut Vec<String>, name: &syn::Ident) {
        prefix.push(name.to_string());
        self.note(prefix);
        prefix.pop();
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&mut Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        self.note(&segments);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if super::source::is_test(&item.attrs) {
            return;
        }
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{module_path, named_modules};

    #[test]
    fn finds_every_way_to_name_a_module() -> anyhow::Result<()> {
        let rows = [
            ("use crate::model::{Answer, Setup};", "model"),
            ("fn f() { crate::solve::go() }", "solve"),
            ("use super::super::rules::Level;", "rules"),
            ("fn f(x: super::super::judge::Ruling) {}", "judge"),
            ("use super::fault;", "rules"),
            ("use a_b::format::read;", "format"),
            ("use std::fmt;", ""),
            ("#[cfg(test)] mod tests { use crate::solve::go; }", ""),
            ("mod inner { use super::super::super::solve::x; }", "solve"),
        ];
        let here = module_path(Path::new("src/rules/level.rs"));
        assert_eq!(here, ["rules", "level"]);
        for (text, expected) in rows {
            let found = named_modules(&syn::parse_file(text)?, &here, "a-b");
            let found: Vec<_> = found.into_iter().collect();
            assert_eq!(found.join(","), expected, "{text}");
        }
        Ok(())
    }
}
