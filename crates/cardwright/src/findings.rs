//! All that is wrong with what the paths name: packages, rules files, scripts with rules, or a text that
//! comes through a pipe.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cw_check::{CheckedFile, check_file, check_package, check_part};
use cw_octgn::Limits;
use cw_syntax::{Arena, parse_python, parts, rs};
use cw_text::{Diagnostic, FileId, Sources, Span};
use rayon::prelude::*;

use crate::input::{Input, Loaded, holds_rules, join, load, package_above, shown};

/// Everything found, with the texts it speaks of.
pub(crate) struct Findings {
    pub(crate) sources: Sources,
    /// In order of place.
    pub(crate) found: Vec<Diagnostic>,
    /// How many rules were checked.
    pub(crate) rules: usize,
    /// How many files were checked.
    pub(crate) files: usize,
}

/// Whether a path stands for the text that comes through a pipe.
pub(crate) fn is_piped(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Checks what the paths name; the text of `-` is taken for that of the file `piped`.
///
/// # Errors
/// A path names nothing that can be checked, or cannot be read.
pub(crate) fn find(paths: &[PathBuf], piped: Option<&Path>) -> Result<Findings> {
    let named: Vec<PathBuf> = paths.iter().filter(|path| !is_piped(path)).cloned().collect();
    let input = Input::find(&named)?;
    let mut findings = Findings {
        sources: Sources::new(),
        found: Vec::new(),
        rules: 0,
        files: 0,
    };
    for root in &input.packages {
        package(root, &mut findings)?;
    }
    // Files of one package need it read once.
    let mut packages: BTreeMap<PathBuf, Loaded> = BTreeMap::new();
    for (path, root) in &input.files {
        let loaded = owner(root.as_deref(), &mut packages, &mut findings)?;
        let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        rules_file(bytes, path, &shown(path), loaded, &mut findings);
    }
    if named.len() < paths.len() {
        let root = piped.and_then(package_above);
        let loaded = owner(root.as_deref(), &mut packages, &mut findings)?;
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
        let name = piped.map_or_else(|| "<stdin>".to_string(), shown);
        rules_file(
            bytes,
            piped.unwrap_or(Path::new("-")),
            &name,
            loaded,
            &mut findings,
        );
    }
    findings.found.sort_by_key(|found| (found.file, found.span));
    Ok(findings)
}

/// The package that a file belongs to.
fn owner<'a>(
    root: Option<&Path>,
    packages: &'a mut BTreeMap<PathBuf, Loaded>,
    findings: &mut Findings,
) -> Result<Option<&'a Loaded>> {
    let Some(root) = root else { return Ok(None) };
    if !packages.contains_key(root) {
        packages.insert(root.to_path_buf(), load(root, &mut findings.sources)?);
    }
    Ok(packages.get(root))
}

/// A package: its own findings, all its rules, and what concerns both.
fn package(root: &Path, findings: &mut Findings) -> Result<()> {
    let loaded = load(root, &mut findings.sources)?;
    let mut own = cw_octgn::check(&loaded.package);
    own.dedup();
    silence(&loaded.package.sources, &mut own);
    own.iter_mut().for_each(|found| shift(found, loaded.base));
    loaded.settings.apply(&mut own);
    findings.found.append(&mut own);
    findings.found.extend(loaded.found.iter().cloned());
    findings.files += loaded.package.sources.len();

    let mut names: Vec<&String> = loaded
        .package
        .files
        .iter()
        .filter(|name| holds_rules(name))
        .collect();
    // D60: `.rules` files count before scripts.
    names.sort_by_key(|name| (name.ends_with(".py"), name.as_str()));
    let mut checked: Vec<(FileId, CheckedFile)> = Vec::new();
    for name in names {
        let path = root.join(name);
        let bytes = loaded.files.read(name, Limits::default().file);
        let bytes = bytes.with_context(|| format!("cannot read `{}`", path.display()))?;
        let (file, text, odd) = decode(bytes, &join(root, name), findings);
        if name.ends_with(".py") && !text.contains("RulesDict") {
            continue;
        }
        let result = check_source((file, &text, odd), &path, Some(&loaded));
        findings.rules += result.rules.len();
        findings.files += 1;
        checked.push((file, result));
    }
    if !checked.is_empty() {
        let files: Vec<(FileId, &CheckedFile)> =
            checked.iter().map(|(file, result)| (*file, result)).collect();
        let places = printed(&loaded);
        let place = |card: &cw_check::Card| places.get(card.id.as_str()).copied();
        findings
            .found
            .extend(check_package(&files, &loaded.cards, &place, &loaded.settings));
    }
    findings
        .found
        .extend(checked.into_iter().flat_map(|(_, result)| result.diagnostics));
    Ok(())
}

/// Where the package prints its cards, by their ids; of two with the same the first.
fn printed(loaded: &Loaded) -> BTreeMap<String, (FileId, Span)> {
    let mut places = BTreeMap::new();
    for (reference, card) in loaded.package.cards() {
        let set = loaded.package.set_of(reference);
        let place = (FileId(set.file.0 + loaded.base), card.place.0);
        places.entry(card.id.value.to_string()).or_insert(place);
    }
    places
}

/// What a comment in an XML file begins with that silences findings in it (P173).
const SILENCE: &str = "<!-- cardwright: allow ";

/// Drops findings that a comment in their file names; a code that does not exist is one itself (RS073).
fn silence(sources: &Sources, found: &mut Vec<Diagnostic>) {
    let mut silent: BTreeSet<(FileId, String)> = BTreeSet::new();
    let mut unknown = Vec::new();
    for (file, source) in sources.iter() {
        let mut from = 0;
        while let Some(at) = source.text[from..].find(SILENCE) {
            let start = from + at + SILENCE.len();
            let length = source.text[start..].find("-->").unwrap_or(0);
            from = start + length;
            let words = source.text[start..from].split([',', ' ']);
            for code in words.filter(|code| !code.is_empty()) {
                if cw_octgn::page(code).is_some() {
                    silent.insert((file, code.to_ascii_uppercase()));
                } else {
                    let at = start + (code.as_ptr() as usize - source.text[start..].as_ptr() as usize);
                    unknown.push(unknown_code(file, code, Span::new(at, at + code.len())));
                }
            }
        }
    }
    if !silent.is_empty() {
        found.retain(|one| !silent.contains(&(one.file, one.code.0.to_string())));
    }
    found.append(&mut unknown);
}

fn unknown_code(file: FileId, code: &str, span: Span) -> Diagnostic {
    let finding = rs::RS073.at(file, span, format!("no finding has the code `{code}`"));
    match cw_text::nearest(code, cw_octgn::PAGES.iter().map(|page| page.code.0)) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}

/// Checks one file by itself; `path` tells what it is.
fn rules_file(bytes: Vec<u8>, path: &Path, name: &str, loaded: Option<&Loaded>, findings: &mut Findings) {
    let (file, text, odd) = decode(bytes, name, findings);
    let result = check_source((file, &text, odd), path, loaded);
    findings.rules += result.rules.len();
    findings.files += 1;
    findings.found.extend(result.diagnostics);
}

/// Bytes as text. Those that are no UTF-8 are a finding (RS070), and the rest is read; tells where the
/// first of them stand.
fn decode(bytes: Vec<u8>, name: &str, findings: &mut Findings) -> (FileId, String, Option<Span>) {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return (findings.sources.add(name, text.as_str()), text, None),
        Err(error) => error,
    };
    let at = error.utf8_error().valid_up_to();
    let odd = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    let file = findings.sources.add(name, text.as_str());
    let finding = rs::RS070.at(file, odd, "these bytes are not UTF-8");
    findings.found.push(finding.help("save the file as UTF-8"));
    (file, text, Some(odd))
}

/// How many parts of a file are checked before looking whether there is enough to tell.
const PARTS_AT_ONCE: usize = 128;

/// Checks a text; what is wrong where it is no text (`odd`) is said already.
fn check_source(
    (file, text, odd): (FileId, &str, Option<Span>),
    path: &Path,
    loaded: Option<&Loaded>,
) -> CheckedFile {
    let (cards, settings) = match loaded {
        Some(loaded) => (&loaded.cards, &loaded.settings),
        None => (&cw_check::Cards::default(), &cw_check::Settings::default()),
    };
    let mut checked = if path.extension().is_some_and(|extension| extension == "py") {
        let arena = Arena::new();
        check_file(file, text, parse_python(&arena, file, text), cards, settings)
    } else {
        let all: Vec<Span> = parts(text).collect();
        let mut whole = CheckedFile::default();
        for some in all.chunks(PARTS_AT_ONCE) {
            let checked: Vec<CheckedFile> = some
                .par_iter()
                .map(|part| check_part(file, text, *part, cards, settings))
                .collect();
            checked.into_iter().for_each(|part| whole.append(part));
            if whole.is_full() {
                break;
            }
        }
        whole
    };
    if let Some(odd) = odd {
        checked.diagnostics.retain(|found| !found.span.touches(odd));
    }
    checked
}

/// The findings of a package speak of its own list of texts.
fn shift(found: &mut Diagnostic, base: u32) {
    found.file.0 += base;
    found.labels.iter_mut().for_each(|label| label.file.0 += base);
    if let Some(fix) = &mut found.fix {
        fix.edits.iter_mut().for_each(|edit| edit.file.0 += base);
    }
}
