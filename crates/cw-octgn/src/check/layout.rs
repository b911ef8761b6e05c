//! Files and folders: what the definition names, pictures, and what o8build refuses.

use std::collections::{BTreeMap, BTreeSet};

use cw_text::{Diagnostic, Span, nearest};

use crate::codes::{PK022, PK100, PK101, PK102, PK110, PK111, PK135, PK138, PK140, PK147, PK148};
use crate::definition::FileReference;
use crate::package::has_extension;
use crate::read::clipped;
use crate::report::FileReport;
use crate::{Guid, Package, PackageSet};

/// Extensions of files that Windows runs.
const EXECUTABLE: [&str; 9] = ["dll", "exe", "ps1", "bat", "cmd", "com", "scr", "msi", "vbs"];

pub(super) fn check(package: &Package) -> Vec<Diagnostic> {
    // Packages that were made, not read, have no files.
    if package.files.is_empty() {
        return Vec::new();
    }
    let mut report = FileReport::new(package.definition.file);
    let files = FileNames::new(&package.files);
    if package.has_definition {
        references(&package.definition.references, None, &files, &mut report);
        reserved_markers(package, &mut report);
        root(package, &mut report);
    }
    executables(package, &mut report);
    let in_scripts = match package.has_definition {
        true => scripts(package, &mut report),
        false => Vec::new(),
    };
    let mut found = report.finish();
    found.extend(in_scripts);
    if let Some(proxy) = &package.proxy {
        let mut report = FileReport::new(proxy.file);
        references(&proxy.references, Some(&proxy.folder), &files, &mut report);
        found.extend(report.finish());
    }
    for set in &package.sets {
        let mut report = FileReport::new(set.file);
        let inside = files.below(&format!("Sets/{}/", set.folder));
        markers(set, &inside, &mut report);
        orphans(package, set, &inside, &mut report);
        folder(set, &inside, &mut report);
        found.extend(report.finish());
    }
    found
}

struct FileNames<'p> {
    exact: BTreeSet<&'p str>,
    folded: BTreeMap<String, &'p str>,
}

impl<'p> FileNames<'p> {
    fn new(names: &'p [String]) -> FileNames<'p> {
        FileNames {
            exact: names.iter().map(String::as_str).collect(),
            folded: names
                .iter()
                .map(|name| (name.to_lowercase(), name.as_str()))
                .collect(),
        }
    }

    /// What lies in a folder, without the folder's name.
    fn below(&self, folder: &str) -> Vec<&'p str> {
        let names = self
            .exact
            .range::<str, _>((std::ops::Bound::Included(folder), std::ops::Bound::Unbounded));
        names.map_while(|name| name.strip_prefix(folder)).collect()
    }
}

/// Paths that may be empty: nobody looks for a file then (P239).
const MAY_BE_EMPTY: [(&str, &str); 3] = [("document", "icon"), ("font", "src"), ("gameboards", "src")];

/// PK110, PK111, P158, P238, P248. `folder` is where the file lies that names them, if that is not the
/// game's.
fn references(named: &[FileReference], folder: Option<&str>, files: &FileNames<'_>, report: &mut FileReport) {
    let mut missing_media: Vec<&crate::LocatedValue<crate::Str>> = Vec::new();
    for reference in named {
        let path = &reference.path;
        if path.trim().is_empty() && MAY_BE_EMPTY.contains(&(&reference.element, &reference.attribute)) {
            continue;
        }
        let span = path.span();
        let slashes = path.replace('\\', "/");
        let absolute = slashes.starts_with('/') || slashes.as_bytes().get(1) == Some(&b':');
        let mut depth = 0i32;
        let leaves = slashes.split('/').any(|part| {
            depth += match part {
                ".." => -1,
                "." | "" => 0,
                _ => 1,
            };
            depth < 0
        });
        let beside = folder.and_then(|folder| joined(folder, &slashes));
        let beside = beside.filter(|beside| files.exact.contains(beside.as_str()));
        let is_here = !absolute && !leaves && files.folded.contains_key(&plain(&slashes).to_lowercase());
        if let Some(beside) = beside.filter(|_| !is_here) {
            let message = format!(
                "`{}` is looked for in the game's folder, not beside this file",
                clipped(path)
            );
            let fix = crate::read::replace(
                report,
                span,
                super::cards::escaped(&beside),
                cw_text::Safety::Safe,
            );
            let finding = report.error(PK110, span, message);
            report.add(finding.help(format!("write `{beside}`")).fix(fix));
        } else if path.trim().is_empty() {
            let message = format!("`{}` of `{}` is empty", reference.attribute, reference.element);
            report.add(report.error(PK110, span, message));
        } else if absolute || leaves {
            let what = if absolute {
                "is absolute"
            } else {
                "leaves the package"
            };
            let message = format!("the path `{}` {what}", clipped(path));
            report.add(
                report
                    .error(PK110, span, message)
                    .help("write it relative to `definition.xml`"),
            );
        } else {
            let plain = plain(&slashes);
            if files.exact.contains(plain.as_str()) {
                continue;
            }
            match files.folded.get(&plain.to_lowercase()) {
                Some(other) => {
                    let message = format!("the file is called `{other}`: other systems do not find it");
                    let fix = crate::read::replace(
                        report,
                        span,
                        super::cards::escaped(other),
                        cw_text::Safety::Safe,
                    );
                    report.add(report.warning(PK111, span, message).fix(fix));
                }
                None if MEDIA.iter().any(|extension| has_extension(&plain, extension)) => {
                    missing_media.push(path);
                }
                None => {
                    let message = format!("there is no file `{}`", clipped(path));
                    report.add(report.error(PK110, span, message));
                }
            }
        }
    }
    if let Some(first) = missing_media.first() {
        let message = match missing_media.len() {
            1 => format!("there is no file `{}`", clipped(first)),
            count => format!(
                "{count} pictures, sounds and fonts are not here, `{}` first",
                clipped(first)
            ),
        };
        let finding = report.error(PK140, first.span(), message);
        report.add(
            finding
                .help("if they are kept elsewhere: use `check --without-media`, or PK140 in `[severities]`"),
        );
    }
}

/// A path without parts that say nothing.
fn plain(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "." | ""));
    parts.collect::<Vec<_>>().join("/")
}

/// Where a path leads from a folder of the package, if it stays in the package.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// PK147, PK148: what scripts lack, found without running them (P159).
fn scripts(package: &Package, report: &mut FileReport) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, script) in &package.scripts {
        let mut report = FileReport::new(*file);
        for (span, message) in &script.faults {
            report.add(report.error(PK148, *span, message.clone()));
        }
        found.extend(report.finish());
    }
    let definition = &package.definition;
    let named = definition
        .references
        .iter()
        .filter(|named| &*named.element == "script");
    let paths: BTreeSet<&str> = named.map(|named| named.path.as_str()).collect();
    // Where a script is absent, or takes in names from elsewhere, nobody knows what is defined; that it is
    // absent is said already.
    let all_there = paths.len() == package.scripts.len();
    let closed = package
        .scripts
        .iter()
        .all(|(_, script)| script.faults.is_empty() && !script.imports_all);
    if !all_there || !closed || definition.functions.is_empty() {
        return found;
    }
    let names: BTreeSet<&str> = package
        .scripts
        .iter()
        .flat_map(|(_, script)| script.names.iter().map(String::as_str))
        .collect();
    for function in &definition.functions {
        let name = function.trim();
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name || names.contains(name) {
            continue;
        }
        let message = format!(
            "no script of the package defines the function `{}`",
            clipped(name)
        );
        let finding = report.error(PK147, function.span(), message);
        report.add(match nearest(name, names.iter().copied()) {
            Some(near) => finding
                .help(format!("did you mean `{near}`?"))
                .fix(crate::read::replace(
                    report,
                    function.span(),
                    near,
                    cw_text::Safety::Unsafe,
                )),
            None => finding,
        });
    }
    found
}

/// Kinds of files that packages keep apart from the texts.
const MEDIA: [&str; 16] = [
    "png", "jpg", "jpeg", "gif", "bmp", "webp", "svg", "ico", "wav", "mp3", "ogg", "wma", "ttf", "otf",
    "ttc", "pdf",
];

/// PK022, P123: o8build compares with the first ten as text.
fn reserved_markers(package: &Package, report: &mut FileReport) {
    for marker in &package.definition.markers {
        let Ok(id) = marker.id.parse::<Guid>() else {
            continue;
        };
        let last = id.0[15];
        if id.0[..15].iter().all(|byte| *byte == 0) && (1..=10).contains(&last) {
            let message = format!("marker id {id} is reserved for OCTGN's own markers");
            report.add(report.warning(PK022, marker.id.span(), message));
        }
    }
}

/// PK138, P143: what o8build wants of the root and of `Sets`.
fn root(package: &Package, report: &mut FileReport) {
    let at = package.definition.place.0;
    let mut said = BTreeSet::new();
    for name in &package.files {
        let parts: Vec<&str> = name.split('/').collect();
        let message = match parts.as_slice() {
            ["definition.xml"] => continue,
            [file] if file.eq_ignore_ascii_case("definition.xml") => {
                format!("`{file}` must be called `definition.xml`")
            }
            [file] if has_extension(file, "nupkg") || has_extension(file, "o8g") => continue,
            [file] => format!(
                "o8build wants only `definition.xml` in the root, not `{}`",
                clipped(file)
            ),
            ["_rels", ..] => "o8build refuses the folder `_rels`".to_owned(),
            ["Sets", file] => format!("o8build wants only folders in `Sets`, not `{}`", clipped(file)),
            [sets, ..] if sets.eq_ignore_ascii_case("sets") && *sets != "Sets" => {
                format!("o8build packs no sets from `{sets}`: the folder must be called `Sets`")
            }
            _ => continue,
        };
        if said.insert(message.clone()) {
            report.add(report.warning(PK138, at, message));
        }
    }
    // P256: what is installed last is the sets, and that step fails without the folder.
    let is_of_sets = |name: &String| {
        name.get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("sets/"))
    };
    if !package.files.iter().any(is_of_sets) {
        let message = "the package has no folder `Sets`: OCTGN reports a failure when it installs the game";
        report.add(
            report
                .warning(PK138, at, message)
                .help("cards go in `Sets/NAME/set.xml`"),
        );
    }
    // What is in a `set.xml`, and whether it is read, is told elsewhere.
    let mut with_sets: BTreeMap<&str, bool> = BTreeMap::new();
    for name in &package.files {
        let Some((folder, rest)) = name.strip_prefix("Sets/").and_then(|rest| rest.split_once('/')) else {
            continue;
        };
        *with_sets.entry(folder).or_default() |= rest.eq_ignore_ascii_case("set.xml");
    }
    for (folder, has_set) in with_sets {
        if !has_set {
            let message = format!("the set folder `{}` has no `set.xml`", clipped(folder));
            report.add(report.warning(PK138, at, message));
        }
    }
}

/// Reports programs among the files of the package (PK135, P146).
fn executables(package: &Package, report: &mut FileReport) {
    let at = if package.has_definition {
        package.definition.place.0
    } else {
        Span::at(0)
    };
    for name in &package.files {
        if EXECUTABLE.iter().any(|extension| has_extension(name, extension)) {
            let message = format!("`{}` is a program: OCTGN may run it", clipped(name));
            report.add(report.warning(PK135, at, message));
        }
    }
}

/// Reports markers of a set without a picture, and that the set has markers at all (PK100, PK101, P120).
fn markers(set: &PackageSet, inside: &[&str], report: &mut FileReport) {
    let pictures: Vec<&str> = inside
        .iter()
        .filter_map(|name| name.strip_prefix("Markers/"))
        .collect();
    for marker in &set.markers {
        let own = |picture: &&str| {
            let stem = picture.rsplit_once('.').map_or(*picture, |(stem, _)| stem);
            stem.eq_ignore_ascii_case(&marker.id)
        };
        if pictures.iter().any(own) {
            continue;
        }
        let finding = if pictures.is_empty() {
            let message = format!(
                "marker `{}` has no picture: there is no folder `Markers`",
                clipped(&marker.name)
            );
            report.warning(PK100, marker.id.span(), message)
        } else {
            let message = format!(
                "marker `{}` has no picture: OCTGN drops the whole set",
                clipped(&marker.name)
            );
            report.error(PK100, marker.id.span(), message)
        };
        report.add(finding.help(format!("add `Sets/{}/Markers/{}.png`", set.folder, *marker.id)));
    }
    if let Some(first) = set.markers.first() {
        let message = "markers in sets are obsolete; they belong in `definition.xml`";
        report.add(report.hint(PK101, first.place.0, message));
    }
}

/// PK102: pictures that nothing shows.
fn orphans(package: &Package, set: &PackageSet, inside: &[&str], report: &mut FileReport) {
    for name in inside {
        if let Some(picture) = name.strip_prefix("Markers/") {
            let stem = picture.rsplit_once('.').map_or(picture, |(stem, _)| stem);
            if !set
                .markers
                .iter()
                .any(|marker| marker.id.eq_ignore_ascii_case(stem))
            {
                let message = format!("the picture `{}` belongs to no marker of this set", clipped(name));
                report.add(report.warning(PK102, set.place.0, message));
            }
        } else if let Some(picture) = name.strip_prefix("Cards/") {
            let file = picture.strip_prefix("Crops/").unwrap_or(picture);
            if let Some(message) = orphan_card(package, file) {
                report.add(report.warning(PK102, set.place.0, format!("`{}` {message}", clipped(name))));
            }
        }
    }
}

/// Why a card picture is shown nowhere (P76).
pub(crate) fn orphan_card(package: &Package, file: &str) -> Option<String> {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (id, kind) = match stem.split_once('.') {
        Some((id, kind)) => (id, Some(kind)),
        None => (stem, None),
    };
    let Ok(id) = id.parse::<Guid>() else {
        return Some("is not named by a GUID".to_owned());
    };
    let Some(card) = package.card_by_id(id) else {
        return Some("belongs to no card".to_owned());
    };
    let kind = kind?;
    let card = package.card(card);
    let known = card
        .alternates
        .iter()
        .any(|form| form.kind.eq_ignore_ascii_case(kind));
    (!known).then(|| format!("belongs to no form of `{}`", clipped(&card.name)))
}

/// Reports what o8build refuses in the folder of a set (PK138, P144).
fn folder(set: &PackageSet, inside: &[&str], report: &mut FileReport) {
    let at = set.place.0;
    let mut subfolders = BTreeSet::new();
    for name in inside {
        let parts: Vec<&str> = name.split('/').collect();
        let message = match parts.as_slice() {
            [] | ["set.xml"] => continue,
            [file] => format!(
                "o8build wants only `set.xml` in a set folder, not `{}`",
                clipped(file)
            ),
            [folder, rest @ ..] => {
                subfolders.insert(*folder);
                match (*folder, rest) {
                    ("Cards", [file]) if !file.contains('.') => {
                        format!(
                            "o8build crashes on `{}`, a picture without an extension",
                            clipped(name)
                        )
                    }
                    ("Decks", _) | ("Cards", [_] | ["Crops", _]) => continue,
                    ("Markers", [file]) => {
                        let stem = file.rsplit_once('.').map_or(*file, |(stem, _)| stem);
                        if stem.parse::<Guid>().is_ok() {
                            continue;
                        }
                        format!(
                            "o8build wants pictures of markers named by GUID, not `{}`",
                            clipped(file)
                        )
                    }
                    ("Cards" | "Markers", _) => format!("o8build refuses the folder of `{}`", clipped(name)),
                    _ => format!(
                        "o8build knows the folders Cards, Markers, Decks, not `{}`",
                        clipped(folder)
                    ),
                }
            }
        };
        report.add(report.warning(PK138, at, message));
    }
    if subfolders.len() > 2 {
        report.add(report.warning(
            PK138,
            at,
            "o8build allows a set only two of the folders Cards, Markers, Decks",
        ));
    }
}
