//! From paths on the command line to texts: packages, rules files, scripts that hold rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cw_check::{AbilityType, Card, Cards, Level, Settings};
use cw_load::Config;
use cw_octgn::{Archive, Files, Folder, Package};
use cw_program::{CardType, Word as _};
use cw_syntax::rs;
use cw_text::{Diagnostic, FileId, Sources, Span, nearest};

use crate::limits::limits;

/// What the paths name.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// Folders with a `definition.xml`, and archives of them.
    pub(crate) packages: Vec<PathBuf>,
    /// Rules files and scripts, each with the package it belongs to, if there is one.
    pub(crate) files: Vec<(PathBuf, Option<PathBuf>)>,
}

/// How deep folders are searched.
const DEEPEST: usize = 16;

impl Input {
    /// Looks at the paths: a package, a folder to search, a rules file, a script. What several paths
    /// name is taken once.
    pub(crate) fn find(paths: &[PathBuf]) -> Result<Input> {
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
        input.packages.sort();
        input.packages.dedup_by_key(|root| whole(root));
        let roots: BTreeSet<PathBuf> = input.packages.iter().map(|root| whole(root)).collect();
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
            let own = name.is_some_and(|name| holds_rules(&name.display().to_string().replace('\\', "/")));
            !own && seen.insert(path)
        });
        Ok(input)
    }
}

/// The path without links and detours, to tell whether two are the same.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Whether a file of a package may hold rules (D60).
pub(crate) fn holds_rules(name: &str) -> bool {
    (name.starts_with("Rules/") && name.ends_with(".rules"))
        || (name.starts_with("Scripts/") && name.ends_with(".py"))
}

fn folder(path: &Path, input: &mut Input) -> Result<()> {
    let before = input.packages.len() + input.files.len();
    let package = package_above(&path.join("definition.xml"));
    search(path, package.as_deref(), 0, input)?;
    if input.packages.len() + input.files.len() == before {
        match package {
            // The sets of a package, its decks.
            Some(package) => input.packages.push(package),
            None => bail!("there are no rules and no package in `{}`", path.display()),
        }
    }
    Ok(())
}

fn one_file(path: &Path, input: &mut Input) -> Result<()> {
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
        None => bail!(
            "`{}` is neither a rules file nor part of a package",
            path.display()
        ),
    }
    Ok(())
}

/// A packed game.
fn is_archive(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["o8g", "nupkg"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    })
}

fn is_rules(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rules" | "rule" | "py" | "txt"))
}

/// The package that a file lies in: at most four folders up. The file need not exist.
pub(crate) fn package_above(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let whole = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    let folders: Vec<&Path> = whole.ancestors().take(4).collect();
    let found = folders
        .iter()
        .position(|folder| folder.join("definition.xml").is_file())?;
    // Say it as the user did, as far as that goes.
    let typed = path
        .ancestors()
        .nth(found + 1)
        .filter(|typed| !typed.as_os_str().is_empty());
    Some(typed.map_or_else(|| folders[found].to_path_buf(), Path::to_path_buf))
}

fn search(folder: &Path, package: Option<&Path>, depth: usize, input: &mut Input) -> Result<()> {
    if folder.join("definition.xml").is_file() {
        input.packages.push(folder.to_path_buf());
        return Ok(());
    }
    if depth >= DEEPEST {
        return Ok(());
    }
    let entries = fs::read_dir(folder).with_context(|| format!("cannot look into `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot look into `{}`", folder.display()))?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            search(&path, package, depth + 1, input)?;
        } else if path.extension().is_some_and(|extension| extension == "rules") && path.is_file() {
            input.files.push((path, package.map(Path::to_path_buf)));
        }
    }
    Ok(())
}

/// A package with what the rules need to know of it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) files: Box<dyn Files>,
    pub(crate) package: Package,
    pub(crate) cards: Cards,
    pub(crate) settings: Settings,
    /// Where the ids of the loaded package's texts begin in the shared sources.
    pub(crate) base: u32,
    /// What is wrong with `Rules/game.toml`.
    pub(crate) found: Vec<Diagnostic>,
}

/// Reads a folder or an archive; what is wrong with the archive itself is among the package's findings.
fn read_package(root: &Path) -> Result<(Box<dyn Files>, Package)> {
    let shown = root.display().to_string();
    let cannot = || format!("cannot read `{shown}`");
    if !is_archive(root) || root.is_dir() {
        let files = Folder::new(root);
        let package = crate::package::read(&files).with_context(cannot)?;
        return Ok((Box::new(files), package));
    }
    let bytes = fs::read(root).with_context(cannot)?;
    let archive = Archive::new(bytes, &limits()).with_context(cannot)?.package();
    let mut package = crate::package::read(&archive).with_context(cannot)?;
    archive.report("", &mut package);
    Ok((Box::new(archive), package))
}

/// Reads a package; its texts are added to `sources` under the path as it was typed.
pub(crate) fn load(root: &Path, sources: &mut Sources) -> Result<Loaded> {
    let (files, package) = read_package(root)?;
    let base = u32::try_from(sources.len()).unwrap_or(u32::MAX);
    for (_, source) in package.sources.iter() {
        sources.add(join(root, &source.name), source.text.as_str());
    }
    let mut found = Vec::new();
    let (mut config, mut settings) = (Config::default(), Settings::default());
    if let Ok(bytes) = files.read("Rules/game.toml", limits().file) {
        let text = String::from_utf8_lossy(&bytes);
        let file = sources.add(join(root, "Rules/game.toml"), text.as_ref());
        match Config::read(&text, file) {
            Ok(read) => config = read,
            Err(wrong) => found.push(*wrong),
        }
        settings = severities(file, &text, &config, &mut found);
    }
    Ok(Loaded {
        files,
        cards: Cards::new(cards(&package, &config)),
        settings,
        package,
        base,
        found,
    })
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

/// The severities that `Rules/game.toml` sets; what is wrong with them is reported (RS073).
fn severities(file: FileId, text: &str, config: &Config, found: &mut Vec<Diagnostic>) -> Settings {
    let mut settings = Settings::default();
    let section = text.find("[severities]").unwrap_or_default();
    for (code, level) in &config.severities {
        let at = section + text[section..].find(code.as_str()).unwrap_or_default();
        let span = Span::new(at, at + code.len());
        severity(file, span, (code, level), &mut settings, found);
    }
    settings
}

/// One line of `[severities]`; an unknown code or level is reported (RS073).
fn severity(
    file: FileId,
    span: Span,
    (code, level): (&str, &str),
    settings: &mut Settings,
    found: &mut Vec<Diagnostic>,
) {
    let known = cw_syntax::LINTS
        .iter()
        .map(|lint| lint.code)
        .chain(cw_octgn::PAGES.iter().map(|page| page.code.0));
    if !known.clone().any(|known| known.eq_ignore_ascii_case(code)) {
        let finding = rs::RS073.at(file, span, format!("no finding has the code `{code}`"));
        found.push(match nearest(code, known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        });
        return;
    }
    match Level::find(level) {
        Some(level) => settings.set(code, level),
        None => {
            let message = format!("`{code}` is set to `{level}`, which is no level");
            found.push(
                rs::RS073
                    .at(file, span, message)
                    .help("levels are allow, hint, warning and error"),
            );
        }
    }
}

fn cards(package: &Package, config: &Config) -> Vec<Card> {
    let text = |card: &cw_octgn::Card, name: &str| {
        let value = card
            .properties
            .iter()
            .find(|property| property.name.value.eq_ignore_ascii_case(name));
        match value.map(|property| &property.value.value) {
            Some(cw_octgn::Value::Text(text)) => text.to_string(),
            Some(cw_octgn::Value::Rich(rich)) => rich.plain.to_string(),
            Some(cw_octgn::Value::Null) | None => String::new(),
        }
    };
    let Config {
        properties,
        abilities,
        types,
        ..
    } = config;
    let types = [&types.character, &types.action, &types.reaction];
    let abilities = [&abilities.instant, &abilities.triggered, &abilities.auto];
    let place = |words: [&String; 3], value: &str| {
        words
            .iter()
            .position(|word| !value.is_empty() && word.trim().eq_ignore_ascii_case(value.trim()))
    };
    let all = package.cards();
    let card = |card: &cw_octgn::Card| Card {
        id: card.id.value.to_string(),
        name: card.name.value.to_string(),
        card_type: place(types, &text(card, &properties.card_type)).map(|index| CardType::ALL[index]),
        subtype: Some(text(card, &properties.subtype)).filter(|subtype| !subtype.trim().is_empty()),
        ability: place(abilities, &text(card, &properties.ability_type))
            .map(|index| [AbilityType::Instant, AbilityType::Triggered, AbilityType::Auto][index]),
        text: text(card, &properties.rules),
    };
    all.map(|(_, found)| card(found)).collect()
}
