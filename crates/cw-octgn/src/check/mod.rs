//! All that can be said about a package beyond what reading it showed.

mod cards;
mod decks;
mod identity;
mod layout;
mod packs;
mod values;

pub use decks::check_deck;
pub(crate) use layout::orphan_card;

use std::collections::BTreeMap;

use cw_text::{Diagnostic, FileId, Label, Span};
use rayon::prelude::*;

use values::Uses;

use crate::report::{Findings, Report};
use crate::{Package, Set};

/// Finds everything that is wrong with a package: what reading found, and the rest.
///
/// Sorted by file and place. Findings about files that are not XML stand at the first tag of the
/// set or definition they belong to.
pub fn check(package: &Package) -> Vec<Diagnostic> {
    let mut found = Findings::new(package.limits.findings);
    found.extend(package.diagnostics.iter().cloned());
    check_read(package, &mut found);
    let mut found = found.finish(package.definition.file);
    tell(package, &mut found);
    found
}

/// P172: adds to findings the card or pack they are about, and who trips over them.
fn tell(package: &Package, found: &mut [Diagnostic]) {
    let sets: BTreeMap<FileId, &Set> = package.sets.iter().map(|set| (set.file, set)).collect();
    for finding in found {
        if let Some((about, name)) = sets.get(&finding.file).and_then(|set| owner(set, finding.span)) {
            finding.labels.push(Label {
                file: finding.file,
                span: name,
                text: format!("in this {about}"),
            });
        }
        if let Some(page) = crate::page(finding.code.0) {
            let trips = page.who_trips_over(finding.severity);
            finding.help = Some(match finding.help.take() {
                Some(help) => format!("{help}\n{trips}"),
                None => trips,
            });
        }
    }
}

/// The card or pack behind whose start tag a place lies, and the place of its name.
fn owner(set: &Set, span: Span) -> Option<(&'static str, Span)> {
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

/// As [`check`], without what reading found.
fn check_read(package: &Package, found: &mut Findings) {
    let by_set: Vec<(Vec<Diagnostic>, Uses<'_>)> = (0..package.sets.len())
        .into_par_iter()
        .map(|index| check_set(package, index))
        .collect();
    let mut uses = Uses::new(&package.definition);
    for (findings, of_set) in by_set {
        found.extend(findings);
        uses.add(of_set);
    }
    found.extend(identity::check(package));
    found.extend(uses.near_duplicates(&package.definition));
    let names = decks::Names::default();
    let of_decks: Vec<Vec<Diagnostic>> = package
        .decks
        .par_iter()
        .map(|deck| decks::check_with(package, deck, &names))
        .collect();
    found.extend(of_decks.into_iter().flatten());
    found.extend(layout::check(package));
}

fn check_set(package: &Package, index: usize) -> (Vec<Diagnostic>, Uses<'_>) {
    let set: &Set = &package.sets[index];
    let mut report = Report::new(set.file);
    let mut uses = Uses::new(&package.definition);
    if package.has_definition {
        cards::check(&package.definition, set, &mut uses, &mut report);
        packs::check(package, index, &mut report);
    }
    (report.finish(), uses)
}
