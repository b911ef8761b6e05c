//! A mend is offered only after it was tried: what does not make things better is not offered.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError};

use cw_check::{CheckedFile, KnownCards, MeantRules, SeveritySettings, offer_meant};
use cw_octgn::{CheckedPackage, FilesError, PackageFiles};
use cw_text::{Diagnostic, FileId, Safety, Severity, apply_fixes};
use rayon::prelude::*;

use crate::{Language, Project, ReadOptions, RuleSource};

/// So many bytes of text are read again to try mends; a package that is larger is read twice.
const BUDGET: usize = 8 << 20;

/// What reading a text costs, however short it is.
const LEAST: usize = 1 << 10;

/// How much is wrong: errors, warnings, hints. Less is better, errors first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wrong {
    errors: usize,
    rest: usize,
}

impl Wrong {
    pub(crate) fn of(found: &[Diagnostic]) -> Wrong {
        let mut wrong = Wrong::default();
        for one in found {
            wrong.add(one);
        }
        wrong
    }

    fn add(&mut self, one: &Diagnostic) {
        match one.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning | Severity::Hint => self.rest += 1,
        }
    }
}

/// What would be wrong after mends in these texts; nothing if that cannot be told.
type Trial<'a> = dyn Fn(&BTreeMap<FileId, String>) -> Option<Wrong> + Sync + 'a;

/// Takes back every fix that does not make things better. `text` is the text of a file, `size` how much a
/// trial reads.
fn keep_tried<'a>(
    found: &mut [Diagnostic],
    before: Wrong,
    size: usize,
    text: &(dyn Fn(FileId) -> Option<&'a str> + Sync),
    trial: &Trial<'_>,
) {
    let offered: Vec<usize> = (0..found.len()).filter(|at| found[*at].fix.is_some()).collect();
    if offered.is_empty() {
        return;
    }
    let seen: &[Diagnostic] = found;
    let is_good = |some: &[usize]| helps(seen, some, before, text, trial).unwrap_or(false);
    let mut trials = (BUDGET / size.max(LEAST)).max(2);
    let good: BTreeSet<usize> = if offered.len() <= trials {
        let alone = offered.par_iter().copied();
        alone.filter(|at| is_good(&[*at])).collect()
    } else {
        // Too many for one by one: all at once, and where that is no good in halves.
        let mut good = BTreeSet::new();
        let mut open = vec![offered.as_slice()];
        while let Some(some) = open.pop() {
            if trials == 0 {
                break;
            }
            trials -= 1;
            if is_good(some) {
                good.extend(some.iter().copied());
            } else if some.len() > 1 {
                let (first, second) = some.split_at(some.len() / 2);
                open.extend([second, first]);
            }
        }
        good
    };
    for at in offered {
        if !good.contains(&at) {
            found[at].fix = None;
        }
    }
}

/// Whether fixes, applied together, each do away with at least one thing that is wrong, and those of errors
/// with an error.
fn helps<'a>(
    found: &[Diagnostic],
    some: &[usize],
    before: Wrong,
    text: &dyn Fn(FileId) -> Option<&'a str>,
    trial: &Trial<'_>,
) -> Option<bool> {
    let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
    let mut mended = Wrong::default();
    for one in some.iter().map(|at| &found[*at]) {
        mended.add(one);
        let edit = one.fix.as_ref()?.edits.first()?;
        by_file.entry(edit.file).or_default().push(one.clone());
    }
    let mut texts = BTreeMap::new();
    let mut applied = 0;
    for (file, of_file) in by_file {
        let (new, count) = apply_fixes(file, text(file)?, &of_file, Safety::Unsafe);
        applied += count;
        texts.insert(file, new);
    }
    if applied < some.len() {
        return None;
    }
    let after = trial(&texts)?;
    let fewer_errors = after.errors + mended.errors <= before.errors;
    // An error hides what else is wrong with its line; that may come to light.
    let only_errors = mended.rest == 0;
    let fewer = after.errors + after.rest + some.len() <= before.errors + before.rest;
    Some(fewer_errors && (only_errors || fewer))
}

impl Project {
    /// Offers for wrong lines of rules what was meant by them.
    pub(crate) fn offer_meant(&self, found: &mut [Diagnostic]) {
        let mut known = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        let mut meant = std::mem::take(&mut *known).again();
        for (source, (_, checked)) in self.rules.iter().zip(&self.judged().checked) {
            // Findings come in order of place: those of a file stand together.
            let from = found.partition_point(|one| one.file < source.file);
            let count = found[from..].partition_point(|one| one.file == source.file);
            let of_file = &mut found[from..from + count];
            source.offer_meant(
                checked,
                self.cards(),
                &self.config.severities,
                of_file,
                &mut meant,
            );
        }
        *known = meant;
    }

    /// Takes back every fix that would not make the package better; `wrong` counts all of its findings, of
    /// which `found` may be a part.
    pub(crate) fn keep_tried<'p>(
        &'p self,
        checked: &CheckedPackage<'p>,
        wrong: Wrong,
        found: &mut [Diagnostic],
    ) {
        if found.iter().all(|one| one.fix.is_none()) {
            return;
        }
        let sources = &self.package.sources;
        let size: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
        let trial = |texts: &BTreeMap<FileId, String>| self.would_be_wrong(checked, texts);
        let before = match self.is_packed {
            false => Some(wrong),
            // What is wrong with an archive itself no trial sees.
            true => self.would_be_wrong(checked, &BTreeMap::new()),
        };
        let text = |file: FileId| sources.find(file).map(|source| &*source.text);
        match before {
            Some(before) => keep_tried(found, before, size, &text, &trial),
            None => found.iter_mut().for_each(|one| one.fix = None),
        }
    }

    /// How much would be wrong with other texts. Of sets and decks only those that change are read again, and
    /// only what their change can touch is checked again.
    fn would_be_wrong<'p>(
        &'p self,
        checked: &CheckedPackage<'p>,
        texts: &BTreeMap<FileId, String>,
    ) -> Option<Wrong> {
        let ids = self.package.sources.iter().map(|(file, _)| file);
        let names: BTreeMap<FileId, &String> = ids.zip(&self.names).collect();
        let mut changed = BTreeMap::new();
        for (file, text) in texts {
            changed.insert((*names.get(file)?).clone(), text.clone());
        }
        let reading = ReadOptions {
            limits: self.limits.clone(),
            ..ReadOptions::default()
        };
        // A script with rules is a text of the package, and one of rules.
        let of_package = names
            .iter()
            .filter(|(file, name)| changed.contains_key(**name) && self.package.is_own(**file));
        let of_package = of_package
            .map(|(file, name)| (*file, (name.as_str(), changed[*name].as_str())))
            .collect();
        let files = Box::new(Mended {
            files: Arc::clone(&self.files),
            changed: changed.clone(),
        });
        let rules = self.changed_rules(&changed);
        let with_rules = rules.and_then(|rules| self.with_rules(files.clone(), rules));
        if let Some(project) = with_rules {
            return Some(Wrong::of(&project.untried(|| checked.found.clone()).found));
        }
        let Some(package) = self.package.with_texts(&of_package) else {
            let project = Project::read_with(files, &reading, &|_| {}).ok()?;
            let found = cw_octgn::check(&project.package);
            return Some(Wrong::of(&project.untried(|| found).found));
        };
        let found = cw_octgn::check_after(&package, checked).found;
        let project = Project::of(files, package, &reading).ok()?;
        Some(Wrong::of(&project.untried(|| found).found))
    }
}

impl RuleSource {
    /// Offers for wrong lines what was meant by them; in scripts quotes would have to be kept.
    fn offer_meant(
        &self,
        checked: &CheckedFile,
        cards: &KnownCards,
        settings: &SeveritySettings,
        found: &mut [Diagnostic],
        known: &mut MeantRules,
    ) {
        if self.language == Language::Rules && self.odd.is_none() {
            offer_meant(
                self.file,
                &self.text,
                &checked.rules,
                cards,
                settings,
                found,
                known,
            );
        }
    }

    /// As [`RuleSource::check`], and every mend that is offered was tried in this text.
    pub fn check_and_try(&self, cards: &KnownCards, settings: &SeveritySettings) -> CheckedFile {
        let mut checked = self.check(cards, settings);
        let trial = |texts: &BTreeMap<FileId, String>| {
            let mended = RuleSource {
                text: texts.get(&self.file)?.as_str().into(),
                odd: None,
                ..self.clone()
            };
            Some(Wrong::of(&mended.check(cards, settings).diagnostics))
        };
        let mut found = std::mem::take(&mut checked.diagnostics);
        self.offer_meant(&checked, cards, settings, &mut found, &mut MeantRules::default());
        checked.diagnostics = found;
        let before = Wrong::of(&checked.diagnostics);
        let text = |file: FileId| (file == self.file).then_some(&*self.text);
        keep_tried(&mut checked.diagnostics, before, self.text.len(), &text, &trial);
        checked
    }
}

/// The files of a package, some of them changed.
#[derive(Clone)]
struct Mended {
    files: Arc<dyn PackageFiles + Send>,
    changed: BTreeMap<String, String>,
}

impl fmt::Debug for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.changed.keys()).finish()
    }
}

impl Mended {
    /// The bytes that the mended file would have. A declaration may name the encoding, so a trial in another
    /// one would find an error that the mend does not make.
    fn encoded(&self, name: &str, text: &str) -> Vec<u8> {
        // Rules files keep their mark as a part of the text.
        if text.starts_with('\u{feff}') {
            return text.as_bytes().to_vec();
        }
        match self.files.read(name, u64::MAX) {
            Ok(original) => cw_octgn::encoded_like(&original, text),
            Err(_) => text.as_bytes().to_vec(),
        }
    }
}

impl PackageFiles for Mended {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        self.files.list()
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        match self.changed.get(name) {
            None => self.files.read(name, limit),
            Some(text) if text.len() as u64 > limit => Err(FilesError::TooLarge {
                name: name.to_owned(),
                limit,
            }),
            Some(text) => Ok(self.encoded(name, text)),
        }
    }

    fn troubles(&self) -> Vec<(String, cw_octgn::FileTrouble)> {
        self.files.troubles()
    }
}
