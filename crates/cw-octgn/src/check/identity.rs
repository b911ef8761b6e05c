//! Ids across the sets of a package.

use std::collections::BTreeMap;

use cw_text::{Diagnostic, FileId, Span};

use crate::codes::{PK023, PK024, PK025, PK026, PK027, PK103};
use crate::read::clipped;
use crate::report::FileReport;
use crate::{Guid, Package, PackageCard, PackageSet, Str};

#[derive(Clone, Copy, PartialEq, Eq)]
enum IdOwnerKind {
    Game,
    Set,
    Pack,
    Card,
}

impl IdOwnerKind {
    fn name(self) -> &'static str {
        match self {
            IdOwnerKind::Game => "game",
            IdOwnerKind::Set => "set",
            IdOwnerKind::Pack => "pack",
            IdOwnerKind::Card => "card",
        }
    }
}

struct IdOwner<'p> {
    kind: IdOwnerKind,
    file: FileId,
    span: Span,
    set: usize,
    card: Option<&'p PackageCard>,
}

pub(super) fn check(package: &Package) -> Vec<Diagnostic> {
    let mut reports: Vec<FileReport> = package.sets.iter().map(|set| FileReport::new(set.file)).collect();
    let count = package.sets.iter().map(|set| set.cards.len()).sum::<usize>();
    let mut owners: Vec<(Guid, usize, IdOwner<'_>)> = Vec::with_capacity(count + 64);
    let definition = &package.definition;
    let game = IdOwner {
        kind: IdOwnerKind::Game,
        file: definition.file,
        span: definition.id.span(),
        set: usize::MAX,
        card: None,
    };
    owners.push((definition.id.value, 0, game));
    for (index, set) in package.sets.iter().enumerate() {
        collect(set, index, &mut owners);
    }
    owners.retain(|(id, _, _)| !id.is_nil());
    // By id, then in directory and document order.
    owners.sort_by_key(|(id, order, _)| (*id, *order));
    for same in owners.chunk_by(|a, b| a.0 == b.0) {
        let (id, _, first) = &same[0];
        for (_, _, other) in &same[1..] {
            if let Some(report) = reports.get_mut(other.set) {
                clash(*id, first, other, report);
            }
        }
    }
    markers(package, &mut reports);
    reports.into_iter().flat_map(FileReport::finish).collect()
}

fn collect<'p>(set: &'p PackageSet, index: usize, owners: &mut Vec<(Guid, usize, IdOwner<'p>)>) {
    let mut add = |id: &crate::LocatedValue<Guid>, kind, card| {
        let owner = IdOwner {
            kind,
            file: set.file,
            span: id.span(),
            set: index,
            card,
        };
        owners.push((id.value, owners.len(), owner));
    };
    add(&set.id, IdOwnerKind::Set, None);
    for pack in &set.packs {
        add(&pack.id, IdOwnerKind::Pack, None);
    }
    for card in &set.cards {
        add(&card.id, IdOwnerKind::Card, Some(card));
    }
}

/// Reports that two things have the same id (PK023–PK027).
fn clash(id: Guid, first: &IdOwner<'_>, other: &IdOwner<'_>, report: &mut FileReport) {
    let finding = match (first.kind, other.kind) {
        (IdOwnerKind::Card, IdOwnerKind::Card) if first.set == other.set => {
            report.error(PK023, other.span, "this card id appears twice in the set")
        }
        (IdOwnerKind::Card, IdOwnerKind::Card) if first.card == other.card => {
            report.warning(PK024, other.span, "the same card is in another set")
        }
        (IdOwnerKind::Card, IdOwnerKind::Card) => {
            report.error(PK024, other.span, "a different card of another set has this id")
        }
        (IdOwnerKind::Set, IdOwnerKind::Set) => {
            report.error(PK025, other.span, "another file has this set id")
        }
        (IdOwnerKind::Pack, IdOwnerKind::Pack) => {
            report.error(PK026, other.span, "another pack has this id: it opens instead")
        }
        (one, two) => {
            let message = format!("{} and {} have the same id {id}", one.name(), two.name());
            report.warning(PK027, other.span, message)
        }
    };
    report.add(finding.label(first.file, first.span, format!("the first {}", first.kind.name())));
}

/// PK103, P121: the first definition of a marker wins.
fn markers(package: &Package, reports: &mut [FileReport]) {
    let mut known: BTreeMap<&str, (&Str, FileId, Span)> = BTreeMap::new();
    for marker in &package.definition.markers {
        let place = (&marker.name, package.definition.file, marker.id.span());
        known.entry(&marker.id).or_insert(place);
    }
    for (set, report) in package.sets.iter().zip(reports) {
        for marker in &set.markers {
            match known.get(marker.id.as_str()) {
                Some((name, file, span)) if **name != marker.name.value => {
                    let message = format!(
                        "marker `{}` was called `{}` before; that name wins",
                        clipped(&marker.name),
                        clipped(name)
                    );
                    let finding = report.warning(PK103, marker.name.span(), message);
                    report.add(finding.label(*file, *span, "first here"));
                }
                Some(_) => {}
                None => {
                    known.insert(&marker.id, (&marker.name.value, set.file, marker.id.span()));
                }
            }
        }
    }
}
