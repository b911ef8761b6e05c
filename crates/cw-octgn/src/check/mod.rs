//! All that can be said about a package beyond what reading it showed.

mod cards;
mod decks;
mod identity;
mod layout;
mod packs;
mod values;

pub use decks::check_deck;
pub(crate) use layout::orphan_card;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_text::{Diagnostic, FileId, FindingLabel, Span};
use rayon::prelude::*;

use values::Uses;

use crate::report::{FileReport, LimitedFindings};
use crate::{Guid, Package, PackageSet};

/// Finds everything that is wrong with a package: what reading found, and the rest.
///
/// Sorted by file and place. Findings about files that are not XML stand at the first tag of the
/// set or definition they belong to.
pub fn check(package: &Package) -> Vec<Diagnostic> {
    check_after(package, &CheckedPackage::default()).found
}

/// What a check found, with that part of its work which holds for a package with other texts, too.
#[derive(Debug, Default)]
pub struct CheckedPackage<'p> {
    /// What is wrong.
    pub found: Vec<Diagnostic>,
    sets: BTreeMap<FileId, (&'p Arc<PackageSet>, Arc<OfSet<'p>>)>,
    decks: BTreeMap<FileId, Vec<Diagnostic>>,
}

/// What is wrong with one set, and the values that its cards have.
#[derive(Debug)]
struct OfSet<'p> {
    found: Vec<Diagnostic>,
    uses: Uses<'p>,
}

impl<'p> CheckedPackage<'p> {
    /// What was found about this set, if the very same set stands in the package and whatever it includes is
    /// of sets that did not change.
    fn of_set(&self, set: &Arc<PackageSet>, changed: &BTreeSet<Guid>) -> Option<Arc<OfSet<'p>>> {
        let (before, of_set) = self.sets.get(&set.file)?;
        let mut includes = set.packs.iter().flat_map(|pack| &pack.includes);
        let is_same =
            Arc::ptr_eq(before, set) && !includes.any(|include| changed.contains(&include.set.value));
        is_same.then(|| Arc::clone(of_set))
    }
}

/// As [`check`], for a package that came of another [with other texts](Package::with_texts), and what was
/// found about that one.
pub fn check_after<'p>(package: &'p Package, before: &CheckedPackage<'p>) -> CheckedPackage<'p> {
    let mut found = LimitedFindings::new(package.limits.findings);
    found.extend(package.diagnostics.iter().cloned());
    let mut checked = check_read(package, before, &mut found);
    checked.found = found.finish(package.definition.file);
    tell(package, &mut checked.found);
    checked
}

/// P172: adds to findings the card or pack they are about, and who trips over them.
fn tell(package: &Package, found: &mut [Diagnostic]) {
    let sets: BTreeMap<FileId, &PackageSet> = package.sets.iter().map(|set| (set.file, &**set)).collect();
    for finding in found {
        if let Some((about, name)) = sets.get(&finding.file).and_then(|set| owner(set, finding.span)) {
            finding.labels.push(FindingLabel {
                file: finding.file,
                span: name,
                text: format!("in this {about}"),
            });
        }
        if let Some(page) = crate::PAGES.find(finding.code.0) {
            let trips = crate::Trips::sentence_at(page, finding.severity);
            finding.help = Some(match finding.help.take() {
                Some(help) => format!("{help}\n{trips}"),
                None => trips,
            });
        }
    }
}

/// The card or pack behind whose start tag a place lies, and the place of its name.
fn owner(set: &PackageSet, span: Span) -> Option<(&'static str, Span)> {
    let cards = set.cards.partition_point(|card| card.place.0.start <= span.start);
    let card = cards.checked_sub(1).map(|at| &set.cards[at]);
    let pack = set
        .packs
        .iter()
        .rev()
        .find(|pack| pack.place.0.start <= span.start);
    let card = card.map(|card| ("card", card.place.0, card.name.span()));
    let pack = pack.map(|pack| ("pack", pack.place.0, pack.name.span()));
    let (about, tag, name) = card.into_iter().chain(pack).max_by_key(|(_, tag, _)| tag.start)?;
    (span.start >= tag.end).then_some((about, name))
}

/// The ids of sets that are not the same in both.
fn changed_ids(package: &Package, before: &CheckedPackage<'_>) -> BTreeSet<Guid> {
    let now: BTreeMap<FileId, &Arc<PackageSet>> = package.sets.iter().map(|set| (set.file, set)).collect();
    let is_same =
        |file: &FileId, set: &Arc<PackageSet>| now.get(file).is_some_and(|now| Arc::ptr_eq(now, set));
    let gone = before.sets.iter().filter(|(file, (set, _))| !is_same(file, set));
    let new = package.sets.iter().filter(|set| {
        let before = before.sets.get(&set.file);
        before.is_none_or(|(before, _)| !Arc::ptr_eq(before, set))
    });
    gone.map(|(_, (set, _))| set.id.value)
        .chain(new.map(|set| set.id.value))
        .collect()
}

/// As [`check_after`], without what reading found.
fn check_read<'p>(
    package: &'p Package,
    before: &CheckedPackage<'p>,
    found: &mut LimitedFindings,
) -> CheckedPackage<'p> {
    let changed = changed_ids(package, before);
    let sets = package.sets.par_iter().enumerate().map(|(index, set)| {
        let known = before.of_set(set, &changed);
        let of_set = known.unwrap_or_else(|| Arc::new(check_set(package, index)));
        (set.file, (set, of_set))
    });
    let sets: BTreeMap<_, _> = sets.collect();
    let mut uses = Uses::new(&package.definition);
    for (_, of_set) in sets.values() {
        found.extend(of_set.found.iter().cloned());
        uses.add(&of_set.uses);
    }
    found.extend(identity::check(package));
    found.extend(uses.near_duplicates(&package.definition));
    let names = decks::CardNameIndex::default();
    let decks = package.decks.par_iter().map(|deck| {
        let known = before
            .decks
            .get(&deck.file)
            .filter(|_| changed.is_empty() && !package.changed.contains(&deck.file));
        let found = known
            .cloned()
            .unwrap_or_else(|| decks::check_with(package, deck, &names));
        (deck.file, found)
    });
    let decks: BTreeMap<FileId, Vec<Diagnostic>> = decks.collect();
    found.extend(decks.values().flatten().cloned());
    found.extend(layout::check(package));
    CheckedPackage {
        found: Vec::new(),
        sets,
        decks,
    }
}

fn check_set(package: &Package, index: usize) -> OfSet<'_> {
    let set: &PackageSet = &package.sets[index];
    let mut report = FileReport::new(set.file);
    let mut uses = Uses::new(&package.definition);
    if package.has_definition {
        cards::check(&package.definition, set, &mut uses, &mut report);
        packs::check(package, index, &mut report);
    }
    OfSet {
        found: report.finish(),
        uses,
    }
}
