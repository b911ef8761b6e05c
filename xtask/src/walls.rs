//! Walls inside a crate: its folders are rooms, and each imports only from those below it.
//!
//! The rooms are the modules of `lib.rs`, lowest first. What `lib.rs` gives to the outside counts as its
//! home. No two files may need each other, in a room or across rooms.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;

use crate::repository;

/// Crates with rooms.
const CRATES: [&str; 2] = ["crates/cw-duel/src/", "crates/cw-expr/src/"];

/// Finds imports that lead upwards, and circles.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn check(files: &[String], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for folder in CRATES {
        let mut texts = BTreeMap::new();
        for file in files
            .iter()
            .filter(|file| file.starts_with(folder) && file.ends_with(".rs"))
        {
            let name = file[folder.len()..].trim_end_matches(".rs").replace('/', "::");
            let text = repository::text(file)?.with_context(|| format!("{file} is not text"))?;
            texts.insert(name, text);
        }
        faults.extend(
            faults_of(&texts)
                .into_iter()
                .map(|fault| format!("{folder}: {fault}")),
        );
    }
    Ok(())
}

fn faults_of(texts: &BTreeMap<String, String>) -> Vec<String> {
    let library = texts.get("lib").map_or("", String::as_str);
    let rooms: Vec<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    let level = |name: &str| {
        let room = name.split("::").next().unwrap_or(name);
        rooms.iter().position(|other| *other == room)
    };
    let exported = exports(library);
    let modules: BTreeSet<&str> = texts
        .keys()
        .map(String::as_str)
        .filter(|name| *name != "lib")
        .collect();
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut faults = Vec::new();
    for name in &modules {
        for path in paths(&texts[*name]) {
            let Some(other) = home(&path, &modules, &exported).filter(|other| other != name) else {
                continue;
            };
            if level(name) < level(other) {
                faults.push(format!("`{name}` imports `{other}`, a room above its own"));
            }
            used.entry(name).or_default().insert(other);
        }
    }
    // What needs nothing that is left is taken away; what remains needs itself.
    let mut left = modules;
    loop {
        let free: Vec<&str> = left
            .iter()
            .copied()
            .filter(|name| used.get(name).is_none_or(|used| used.is_disjoint(&left)))
            .collect();
        if free.is_empty() {
            break;
        }
        left.retain(|name| !free.contains(name));
    }
    if !left.is_empty() {
        let names: Vec<&str> = left.into_iter().collect();
        faults.push(format!("these files need each other: {}", names.join(", ")));
    }
    faults
}

/// The names that the library gives to the outside, and the modules they come from.
fn exports(library: &str) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for item in library.split("pub use ").skip(1) {
        let path = item.split(';').next().unwrap_or("");
        let Some((module, names)) = path.rsplit_once("::") else {
            continue;
        };
        let (module, names) = match path.split_once("::{") {
            Some((module, names)) => (module, names),
            None => (module, names),
        };
        for name in names.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
            exported.insert(name.to_owned(), module.to_owned());
        }
    }
    exported
}

/// Every `crate::…` path of a file, without its tests and comments; of a list each entry.
fn paths(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or("");
    let code: Vec<&str> = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect();
    let code = code.join("\n");
    let in_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let mut paths = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or("");
                paths.extend(list.split(',').map(|name| name.trim().to_owned()));
            }
            None => paths.push(
                rest.split(|letter| !in_path(letter))
                    .next()
                    .unwrap_or("")
                    .to_owned(),
            ),
        }
    }
    paths
}

/// The file that a path leads to.
fn home<'a>(path: &str, modules: &BTreeSet<&'a str>, exported: &BTreeMap<String, String>) -> Option<&'a str> {
    let first = path.split("::").next().unwrap_or(path);
    let path = exported.get(first).map_or(path, String::as_str);
    let mut path = path.trim_end_matches(':');
    loop {
        if let Some(module) = modules.get(path) {
            return Some(module);
        }
        path = path.rsplit_once("::")?.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let texts = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        faults_of(&texts.collect())
    }

    #[test]
    fn an_upward_import_and_a_circle_are_found() {
        let lib = (
            "lib",
            "mod low;\n\nmod high;\n\npub use high::door::{Door, Key};\n",
        );
        let fine = [
            lib,
            ("low", "mod a;"),
            ("low::a", "// use crate::high;"),
            ("high", "use crate::low::a::A;"),
        ];
        assert_eq!(found(&fine), [""; 0]);
        let up = [
            lib,
            ("low", "use crate::{Key, Seat};"),
            ("high", ""),
            ("high::door", ""),
        ];
        assert_eq!(found(&up), ["`low` imports `high::door`, a room above its own"]);
        let circle = [
            lib,
            ("low::a", "use crate::low::b::B;"),
            ("low::b", "fn f() { crate::low::a::g(); }"),
        ];
        assert_eq!(found(&circle), ["these files need each other: low::a, low::b"]);
    }
}
