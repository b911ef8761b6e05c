//! From paths on the command line to texts: packages, rules files, scripts that hold rules, scenario files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cw_files::{FileKind, FileReadError};
use cw_lab::package_above;
use cw_load::Language;

use crate::limits::limits;

/// What the paths name.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// Folders with a `definition.xml`, and archives of them.
    pub(crate) packages: Vec<PathBuf>,
    /// Rules files and scripts, each with the package it belongs to, if there is one.
    pub(crate) files: Vec<(PathBuf, Option<PathBuf>)>,
    /// Scenario files that lie in no package.
    pub(crate) scenarios: Vec<PathBuf>,
}

/// How deep folders are searched.
const DEEPEST: usize = 16;

impl Input {
    /// Looks at the paths: a package, a folder to search, a rules file, a script, a scenario file. What
    /// several paths name is taken once.
    pub(crate) fn find(paths: &[PathBuf]) -> anyhow::Result<Input> {
        let mut input = Input::default();
        for path in paths {
            if path.is_dir() {
                folder(path, &mut input)?;
            } else if path.is_file() {
                one_file(path, &mut input)?;
            } else {
                bail!("there is no `{}`", path.display());
            }
        }
        let once = |paths: &mut Vec<PathBuf>| {
            let mut seen = BTreeSet::new();
            paths.sort();
            paths.retain(|path| seen.insert(whole(path)));
        };
        once(&mut input.packages);
        let roots: BTreeSet<PathBuf> = input.packages.iter().map(|root| whole(root)).collect();
        once(&mut input.scenarios);
        let mut seen = BTreeSet::new();
        input.files.sort();
        input.files.retain(|(path, root)| {
            let path = whole(path);
            let name = root
                .as_ref()
                .map(|root| whole(root))
                .filter(|root| roots.contains(root));
            let name = name.as_ref().and_then(|root| path.strip_prefix(root).ok());
            // A package's own rules are checked with it.
            let own =
                name.and_then(|name| Language::in_package(&name.display().to_string().replace('\\', "/")));
            own.is_none() && seen.insert(path)
        });
        Ok(input)
    }
}

/// The path without links and detours, to tell whether two are the same.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn folder(path: &Path, input: &mut Input) -> anyhow::Result<()> {
    let count = |input: &Input| input.packages.len() + input.files.len() + input.scenarios.len();
    let before = count(input);
    let package = package_above(&path.join("definition.xml"));
    search(path, package.as_deref(), 0, input)?;
    if count(input) == before {
        match package {
            // The sets of a package, its decks.
            Some(package) => input.packages.push(package),
            None => bail!(
                "there are no rules, no scenarios and no package in `{}`",
                path.display()
            ),
        }
    }
    Ok(())
}

fn one_file(path: &Path, input: &mut Input) -> anyhow::Result<()> {
    if is_archive(path) {
        input.packages.push(path.to_path_buf());
        return Ok(());
    }
    let package = package_above(path);
    if is_rules(path) {
        input.files.push((path.to_path_buf(), package));
        return Ok(());
    }
    match package {
        Some(package) => input.packages.push(package),
        None if is_scenario(&path.to_string_lossy()) => input.scenarios.push(path.to_path_buf()),
        None => bail!(
            "`{}` is neither a rules file nor a scenario file nor part of a package",
            path.display()
        ),
    }
    Ok(())
}

/// A packed game.
pub(crate) fn is_archive(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["o8g", "nupkg", "zip"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    })
}

fn is_rules(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rules" | "rule" | "py" | "txt"))
}

fn search(folder: &Path, package: Option<&Path>, depth: usize, input: &mut Input) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot look into `{}`", folder.display()))?;
    let entries: Vec<fs::DirEntry> = entries
        .collect::<std::io::Result<_>>()
        .with_context(|| format!("cannot look into `{}`", folder.display()))?;
    // Sets without a definition are a package, too: one in which something is wrong.
    let makes_package = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        name == "definition.xml" || (name == "sets" && package.is_none() && entry.path().is_dir())
    };
    if entries.iter().any(makes_package) {
        input.packages.push(folder.to_path_buf());
        return Ok(());
    }
    if depth >= DEEPEST {
        return Ok(());
    }
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            search(&path, package, depth + 1, input)?;
        } else if path.extension().is_some_and(|extension| extension == "rules") && path.is_file() {
            input.files.push((path, package.map(Path::to_path_buf)));
        } else if package.is_none() && may_hold_scenarios(&path.to_string_lossy()) && path.is_file() {
            let text = cw_files::read_text(&path, cw_files::SCENARIO);
            if text.is_ok_and(|text| holds_scenarios(&text)) {
                input.scenarios.push(path);
            }
        }
    }
    Ok(())
}

/// Whether a file in a folder is taken for scenarios: not so the settings of a package.
pub(crate) fn is_scenario(name: &str) -> bool {
    let own = ["game.toml", "table.toml"];
    let mut parts = name.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let is_setting = parts
        .next()
        .is_some_and(|folder| folder.eq_ignore_ascii_case("rules"))
        && own.iter().any(|one| file.eq_ignore_ascii_case(one));
    let extension = Path::new(file)
        .extension()
        .and_then(|extension| extension.to_str());
    matches!(extension, Some("toml" | "json")) && !is_setting
}

/// Whether a file may hold scenarios that nobody has named, by its own name.
pub(crate) fn may_hold_scenarios(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".toml") && is_scenario(name)
}

/// Whether a text of such a name holds scenarios: other files have that ending, too.
pub(crate) fn holds_scenarios(text: &str) -> bool {
    text.contains("[[scenario]]")
}

/// Reads a file of a package that was named by itself, as `--limit file=BYTES` allows (P178).
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileReadError> {
    cw_files::read(path, file_kind())
}

/// Reads standard input, as if it were such a file.
pub(crate) fn read_piped() -> Result<Vec<u8>, FileReadError> {
    cw_files::read_from(std::io::stdin().lock(), 0, file_kind())
}

fn file_kind() -> FileKind {
    FileKind {
        name: "a file of a game",
        most: limits().file,
        remedy: Some("`--limit file=BYTES` raises that"),
    }
}

/// Reads an archive, as large as `--limit unpacked=BYTES` allows.
pub(crate) fn read_archive(path: &Path) -> Result<Vec<u8>, FileReadError> {
    let kind = FileKind {
        most: limits().unpacked,
        ..cw_files::IMAGE_PACK
    };
    cw_files::read(path, kind)
}

/// A name in a package as the user would type it.
pub(crate) fn join(root: &Path, name: &str) -> String {
    if name.is_empty() {
        shown(root)
    } else {
        shown(&root.join(name))
    }
}

/// A path as the user would type it.
pub(crate) fn shown(path: &Path) -> String {
    let name = path.display().to_string().replace('\\', "/");
    match name.strip_prefix("./") {
        Some(rest) if !rest.is_empty() => rest.to_string(),
        _ => name,
    }
}
