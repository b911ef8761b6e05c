//! What no compiler sees: machine paths, large files, layers, licences, reasons.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, bail};

use crate::{readmes, repository, walls};

/// The largest file that may be committed, in bytes.
const LARGEST: u64 = 1 << 20;

/// The longest line of Rust, in characters: `max_width` of rustfmt, which leaves strings, macros and comments
/// longer than that.
const LONGEST_LINE: usize = 110;

/// Files whose name is all they say.
const MARKERS: [&str; 2] = ["/py.typed", "/__init__.py"];

/// A number that does not fit is another number. Tests, whose numbers are known, may cast.
const CASTS: &str = "#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]";

/// Checks the repository and prints every fault.
///
/// # Errors
/// If there is one.
pub(crate) fn check() -> anyhow::Result<()> {
    let files = repository::files()?;
    let mut faults = Vec::new();
    sizes(&files, &mut faults)?;
    texts(&files, &mut faults)?;
    let order = layers(&mut faults)?;
    manifests(&files, &order, &mut faults)?;
    walls::check(&files, &mut faults)?;
    doors(&files, &mut faults)?;
    glossary(&files, &mut faults)?;
    readmes::check(&mut faults)?;
    serverless(&mut faults)?;
    if faults.is_empty() {
        println!("tidy: {} files, {} crates in layers", files.len(), order.len());
        return Ok(());
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    bail!("tidy: {} faults", faults.len())
}

fn sizes(files: &[String], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for file in files {
        let size = repository::root()
            .join(file)
            .metadata()
            .with_context(|| format!("cannot look at {file}"))?
            .len();
        if size > LARGEST {
            faults.push(format!("{file}: {size} bytes, at most {LARGEST} are allowed"));
        }
        if size == 0 && !MARKERS.iter().any(|marker| file.ends_with(marker)) {
            faults.push(format!("{file}: an empty file; remove it"));
        }
    }
    Ok(())
}

fn texts(files: &[String], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for file in files.iter().filter(|file| *file != "Cargo.lock") {
        let Some(text) = repository::text(file)? else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            let mut report = |what: &str| faults.push(format!("{file}:{}: {what}", number + 1));
            if machine_path(line) {
                report("a path of one machine");
            }
            let is_rust = file.ends_with(".rs");
            if is_rust && line.chars().count() > LONGEST_LINE {
                report("a line of more than 110 characters: break it where a sentence or an element ends");
            }
            if is_rust && is_only_rules(line) {
                report("a comment that is only a rule's number: say the rule, then its number");
            }
            if is_rust && line.trim_start().starts_with("#[ignore") {
                report("an ignored test: assert what happens instead, and say what is right");
            }
        }
    }
    Ok(())
}

/// Whether the line is a comment of rules' numbers alone: `// G33, D9.`
fn is_only_rules(line: &str) -> bool {
    let Some(words) = line.trim_start().strip_prefix("//") else {
        return false;
    };
    let is_rule = |word: &str| {
        let number = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        let letters = word.len() - number.len();
        (1..=3).contains(&letters)
            && number.starts_with(|digit: char| digit.is_ascii_digit())
            && number.chars().all(|digit| digit.is_ascii_digit() || digit == '.')
    };
    let words = words
        .trim_start_matches(['/', '!'])
        .split([' ', ',', ';', '(', ')', '–']);
    let mut words = words
        .map(|word| word.trim_matches(['.', ':']))
        .filter(|word| !word.is_empty() && !["and", "to", "see"].contains(word))
        .peekable();
    words.peek().is_some() && words.all(is_rule)
}

/// Ways past `cw-files`: they read without a limit, or leave half a file on a full disk, or tell nobody that
/// what was printed is missing.
const DOORS: [&str; 9] = [
    "fs::write(",
    "fs::read(",
    "fs::read_to_string(",
    "File::create(",
    "File::open(",
    "File::options(",
    "OpenOptions::new(",
    "io::stdout().lock(",
    "anstream::stdout(",
];

/// Who may use them, and why.
const DOORKEEPERS: [(&str, &str); 11] = [
    ("crates/cw-files/", "it is the door"),
    (
        "crates/cw-octgn/src/folder.rs",
        "reads the files of a package, with a limit",
    ),
    (
        "crates/cw-serve/src/sqlite.rs",
        "is a store of its own, with a lock",
    ),
    (
        "crates/cw-lab/src/parts.rs",
        "appends line by line, and a line that was cut off is left out",
    ),
    (
        "crates/cw-lab/src/matches.rs",
        "appends line by line, and a line that was cut off is left out",
    ),
    (
        "crates/cardwright/src/commands/free.rs",
        "appends step by step, and a step that was cut off is left out",
    ),
    (
        "crates/cardwright/src/commands/play.rs",
        "begins the file that steps are appended to",
    ),
    (
        "crates/cardwright/src/output.rs",
        "is the door of standard output",
    ),
    ("crates/cw-check/examples/", "writes the reference for developers"),
    ("crates/cw-lsp/examples/", "writes the grammar for developers"),
    ("xtask/", "is for developers"),
];

/// Finds files that are opened past `cw-files`. Tests may: they know what they read.
fn doors(files: &[String], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let is_tried = |file: &str| {
        ["/tests/", "/tests.rs", "/benches/", "build.rs"]
            .iter()
            .any(|part| file.contains(part))
    };
    for file in files
        .iter()
        .filter(|file| file.ends_with(".rs") && !is_tried(file))
    {
        if file.starts_with("fuzz/") || DOORKEEPERS.iter().any(|(place, _)| file.starts_with(place)) {
            continue;
        }
        let Some(text) = repository::text(file)? else {
            continue;
        };
        let own = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (number, line) in own.lines().enumerate() {
            if let Some(door) = DOORS.iter().find(|door| line.contains(**door)) {
                faults.push(format!(
                    "{file}:{}: `{door}…)`: files are read and written by `cw-files`, \
                     standard output by `output`",
                    number + 1
                ));
            }
        }
    }
    Ok(())
}

/// The words of code, pages and docs.
const GLOSSARY: &str = "docs/glossary.md";

/// Finds types in the glossary that their crate does not declare. A type that is renamed takes its line there
/// along.
fn glossary(files: &[String], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let page = repository::text(GLOSSARY)?.context("the glossary is not text")?;
    for (number, name) in glossary_types(&page) {
        let (module, name) = name.split_once("::").unwrap_or_default();
        let folder = format!("crates/{}/src/", module.replace('_', "-"));
        let mut is_there = false;
        for file in files
            .iter()
            .filter(|file| file.starts_with(&folder) && file.ends_with(".rs"))
        {
            is_there |=
                repository::text(file)?.is_some_and(|text| text.lines().any(|line| declares(line, name)));
        }
        if !is_there {
            faults.push(format!(
                "{GLOSSARY}:{number}: {folder} has no type `{name}`; \
                 name the type that holds this meaning now"
            ));
        }
    }
    Ok(())
}

/// The types in the last column of the glossary, each with its line.
fn glossary_types(page: &str) -> Vec<(usize, &str)> {
    let mut types = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        let column = line
            .trim_end_matches([' ', '|'])
            .rsplit(" | ")
            .next()
            .unwrap_or_default();
        let names = column
            .split('`')
            .filter(|name| name.starts_with("cw_") && name.contains("::"));
        types.extend(names.map(|name| (number, name)));
    }
    types
}

/// Whether the line declares the type, by itself or as the head of a table of words
/// (`words! { CardType { …`).
fn declares(line: &str, name: &str) -> bool {
    let mut words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let is_named = words
        .by_ref()
        .any(|word| ["struct", "enum", "trait", "type"].contains(&word))
        && words.next() == Some(name);
    is_named || line.trim() == format!("{name} {{")
}

/// Whether the line names a folder that exists on one machine only.
fn machine_path(line: &str) -> bool {
    ["work", "farm", "root", "home", "tmp"].iter().any(|folder| {
        let path = format!("/{folder}/");
        line.match_indices(&path).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            before.is_none_or(|before| !(before.is_alphanumeric() || before == '_' || before == '.'))
        })
    })
}

/// Crates that run in a page as well as behind a server.
const SERVERLESS: [&str; 4] = ["cw-pages", "cw-hall", "cw-routes", "cw-browser"];

/// What only a server has.
const OF_SERVERS: [&str; 4] = ["tokio", "hyper", "rusqlite", "mio"];

/// Looks through all that the serverless crates depend on, also by others.
fn serverless(faults: &mut Vec<String>) -> anyhow::Result<()> {
    for name in SERVERLESS {
        let tree = Command::new("cargo")
            .args([
                "tree",
                "--locked",
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--package",
                name,
            ])
            .output()
            .context("cargo cannot be started")?;
        if !tree.status.success() {
            let words = String::from_utf8_lossy(&tree.stderr);
            bail!("cargo tree of {name} failed: {}", words.trim());
        }
        let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
        let named = |line: &str| {
            line.split(' ')
                .next()
                .is_some_and(|one| OF_SERVERS.contains(&one))
        };
        if let Some(line) = tree.lines().find(|line| named(line)) {
            faults.push(format!(
                "{name} depends on {line}: it runs without a server; see `cargo tree`"
            ));
        }
    }
    Ok(())
}

/// Our own crates in the order of the workspace manifest, lowest first. Every other dependency must
/// say in the same line why it is there.
fn layers(faults: &mut Vec<String>) -> anyhow::Result<BTreeMap<String, usize>> {
    let manifest = repository::text("Cargo.toml")?.context("Cargo.toml is not text")?;
    let mut order = BTreeMap::new();
    let mut section = "";
    for (number, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            section = line;
        }
        let Some((name, value)) = line.split_once(" = ") else {
            continue;
        };
        if section != "[workspace.dependencies]" || line.starts_with('#') {
            continue;
        }
        if value.contains("path = ") {
            order.insert(name.to_owned(), order.len());
        } else if !value.contains(" # ") {
            faults.push(format!(
                "Cargo.toml:{}: `{name}` does not say what it is for",
                number + 1
            ));
        }
    }
    Ok(order)
}

fn manifests(
    files: &[String],
    order: &BTreeMap<String, usize>,
    faults: &mut Vec<String>,
) -> anyhow::Result<()> {
    for file in files
        .iter()
        .filter(|file| file.ends_with("/Cargo.toml") && !file.starts_with("fuzz/"))
    {
        let manifest = repository::text(file)?.context("a manifest is not text")?;
        for line in ["license.workspace = true", "[lints]\nworkspace = true"] {
            if !manifest.contains(line) {
                faults.push(format!("{file}: `{}` is missing", line.replace('\n', " ")));
            }
        }
        let crate_name = file.trim_end_matches("/Cargo.toml").rsplit('/').next();
        let own = crate_name.and_then(|name| order.get(name));
        for used in dependencies(&manifest) {
            if let (Some(own), Some(other)) = (own, order.get(used))
                && other >= own
            {
                faults.push(format!(
                    "{file}: `{used}` stands in a higher layer of the workspace"
                ));
            }
        }
        let folder = file.trim_end_matches("Cargo.toml");
        let library = format!("{folder}src/lib.rs");
        if files.contains(&library) {
            let text = repository::text(&library)?.unwrap_or_default();
            if !text.starts_with("//!") {
                faults.push(format!(
                    "{library}: the first lines say what the crate knows and does not know"
                ));
            }
            if !text.contains("clippy::cast_possible_truncation") {
                faults.push(format!("{library}: `{CASTS}` is missing"));
            }
        }
    }
    Ok(())
}

/// The names in `[dependencies]`; tests may use anything.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest
        .split_once("[dependencies]")
        .map_or("", |(_, section)| section);
    let end = section.find("\n[").unwrap_or(section.len());
    section[..end]
        .lines()
        .filter_map(|line| line.split_once(['.', ' ']).map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_numbers_alone_are_found() {
        for line in [
            "// G33.",
            "    /// R802, RS014.",
            "/// (RS069).",
            "//! D9 and D12",
            "// R12–R14",
        ] {
            assert!(is_only_rules(line), "{line}");
        }
        for line in [
            "// Ends the turn (G33).",
            "//",
            "/// A",
            "let g = \"G33\";",
            "// 33",
        ] {
            assert!(!is_only_rules(line), "{line}");
        }
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        let folder = "home"; // so that this line is none itself
        assert!(machine_path(&format!("see /{folder}/ann/notes")));
        assert!(machine_path(&format!("\"/{folder}/\"")));
        assert!(!machine_path(&format!("../{folder}/x, a/{folder}/x")));
        assert!(!machine_path("framework/ and tmp/"));
    }

    #[test]
    fn types_of_the_glossary_are_found() {
        let page = "# G\n\n| a | `cw_a::No` b. | `cw_b::One`, `cw_b::Two` |\n| c | d | |\n";
        assert_eq!(glossary_types(page), [(3, "cw_b::One"), (3, "cw_b::Two")]);
        assert!(declares("pub(crate) struct One<'a> {", "One"));
        assert!(declares("    One {", "One"));
        assert!(!declares("pub struct OneMore;", "One"));
        assert!(!declares("/// One of them", "One"));
    }

    #[test]
    fn dependencies_are_those_of_the_library() {
        let manifest = "[dependencies]\na.workspace = true\nb = { path = \"b\" }\n\n\
                        [dev-dependencies]\nc.workspace = true\n";
        assert_eq!(dependencies(manifest).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(dependencies("[package]\n").count(), 0);
    }
}
