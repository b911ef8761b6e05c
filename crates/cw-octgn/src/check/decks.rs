//! Decks against the cards and sections of the package.

use cw_text::{Diagnostic, Safety, nearest};

use crate::codes::{PK120, PK121, PK122, PK123, PK124};
use crate::read::{clipped, replace};
use crate::report::Report;
use crate::{Deck, DeckCard, DeckSection, FoundBy, Package};

/// What is wrong with a deck as a deck of this game: one of the package, or one that was read by itself
/// (PK120–PK124). The findings speak of the deck's own file.
pub fn check_deck(package: &Package, deck: &Deck) -> Vec<Diagnostic> {
    let mut report = Report::new(deck.file);
    if package.has_definition {
        check_sections(package, deck, &mut report);
    }
    report.finish()
}

fn check_sections(package: &Package, deck: &Deck, report: &mut Report) {
    let game = package.definition.id.value;
    if !deck.game.is_nil() && deck.game.value != game {
        let message = format!("the deck belongs to game {}, not to this one", deck.game.value);
        report.add(report.error(PK120, deck.game.span(), message));
    }
    for section in &deck.sections {
        check_section(package, section, report);
        for line in &section.cards {
            check_line(package, line, report);
        }
    }
}

/// PK124, P136.
fn check_section(package: &Package, section: &DeckSection, report: &mut Report) {
    let definition = &package.definition;
    if definition.section(&section.name, section.shared).is_some() {
        return;
    }
    if definition.section(&section.name, !section.shared).is_some() {
        let wrong = if section.shared {
            "is not shared"
        } else {
            "is shared"
        };
        let message = format!("section `{}` {wrong}", clipped(&section.name));
        report.add(report.error(PK124, section.name.span(), message));
        return;
    }
    let known = || {
        let same = definition
            .sections
            .iter()
            .filter(|known| known.shared == section.shared);
        same.map(|known| known.name.as_str())
    };
    let message = format!("the game has no section `{}`", clipped(&section.name));
    let mut finding = report.error(PK124, section.name.span(), message);
    if let Some(near) = nearest(&section.name, known()) {
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(
            report,
            section.name.span(),
            super::cards::escaped(near),
            Safety::Unsafe,
        ));
    } else {
        let all: Vec<&str> = known().collect();
        finding = finding.help(format!("its sections are {}", all.join(", ")));
    }
    report.add(finding);
}

/// PK121, PK122, PK123, P134.
fn check_line(package: &Package, line: &DeckCard, report: &mut Report) {
    match package.find(line) {
        None => {
            let message = format!(
                "no card has this id, and none is called `{}`: OCTGN refuses the whole deck",
                clipped(&line.name)
            );
            report.add(report.error(PK121, line.id.span(), message));
        }
        Some((card, FoundBy::Name)) => {
            let id = package.card(card).id.value;
            let name = clipped(&line.name);
            let others = package.count_by_name(&line.name);
            let message = match others {
                0 | 1 => format!("no card has this id; `{name}` is found by its name"),
                _ => {
                    format!("no card has this id, and {others} cards are called `{name}`; the first is taken")
                }
            };
            let fix = replace(report, line.id.span(), id.to_string(), Safety::Unsafe);
            report.add(report.warning(PK122, line.id.span(), message).fix(fix));
        }
        Some((card, FoundBy::Id)) => {
            let name = &package.card(card).name.value;
            if !line.name.trim().is_empty() && line.name.trim() != name.trim() {
                let message = format!("the card with this id is called `{}`", clipped(name));
                report.add(report.warning(PK123, line.name.span(), message));
            }
        }
    }
}
