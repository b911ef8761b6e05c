//! All that can be said about a package beyond what reading it showed.

mod cards;
mod decks;
mod identity;
mod layout;
mod packs;
mod values;

pub use decks::check_deck;
pub(crate) use layout::orphan_card;

use cw_text::Diagnostic;
use rayon::prelude::*;

use crate::report::Report;
use crate::{Package, Set};

/// Finds everything that is wrong with a package: what reading found, and the rest.
///
/// Sorted by file and place. Findings about files that are not XML stand at the first tag of the
/// set or definition they belong to.
pub fn check(package: &Package) -> Vec<Diagnostic> {
    let mut found = package.diagnostics.clone();
    found.extend(check_read(package));
    found.sort_by_key(|finding| (finding.file, finding.span));
    found
}

/// As [`check`], without what reading found.
pub(crate) fn check_read(package: &Package) -> Vec<Diagnostic> {
    let by_set: Vec<Vec<Diagnostic>> = (0..package.sets.len())
        .into_par_iter()
        .map(|index| check_set(package, index))
        .collect();
    let mut found: Vec<Diagnostic> = by_set.into_iter().flatten().collect();
    found.extend(identity::check(package));
    found.extend(values::near_duplicates(package));
    found.extend(package.decks.iter().flat_map(|deck| check_deck(package, deck)));
    found.extend(layout::check(package));
    found
}

fn check_set(package: &Package, index: usize) -> Vec<Diagnostic> {
    let set: &Set = &package.sets[index];
    let mut report = Report::new(set.file);
    if package.has_definition {
        cards::check(&package.definition, set, &mut report);
        packs::check(package, index, &mut report);
    }
    report.finish()
}
