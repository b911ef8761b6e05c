//! Decks against the cards and sections of the package.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cw_text::{Diagnostic, FindingFix, Safety, TextEdit, nearest};

use crate::codes::{PK120, PK121, PK122, PK123, PK124};
use crate::read::{clipped, replace};
use crate::report::FileReport;
use crate::{CardRef, Deck, DeckCard, DeckSection, FoundBy, Package};

/// So many lines of a deck are named in one finding; the rest is counted.
const MOST_LINES: usize = 12;

/// At most so many letters are wrong in what is still taken for a slip.
const MOST_SLIPS: usize = 2;

/// Which letters a name has, once and twice, whatever their case; those beyond ASCII do not count. A slip
/// changes at most two of them.
fn letters(name: &str) -> u64 {
    let letters = name.bytes().filter(u8::is_ascii_alphabetic);
    letters.fold(0, |seen, letter| {
        let once = 1 << (letter.to_ascii_lowercase() - b'a');
        seen | once | (seen & once) << 32
    })
}

/// What is wrong with a deck as a deck of this game: one of the package, or one that was read by itself
/// (PK120–PK124). The findings speak of the deck's own file; lines with the same fault share a finding.
pub fn check_deck(package: &Package, deck: &Deck) -> Vec<Diagnostic> {
    check_with(package, deck, &CardNameIndex::default())
}

/// As [`check_deck`]; the names serve all decks of a package.
pub(super) fn check_with<'p>(
    package: &'p Package,
    deck: &Deck,
    names: &CardNameIndex<'p>,
) -> Vec<Diagnostic> {
    let mut report = FileReport::new(deck.file);
    if package.has_definition {
        check_sections(package, deck, names, &mut report);
    }
    report.finish()
}

/// The names of all cards with their letters, looked at when one is missed, and what was meant by those
/// missed.
#[derive(Debug, Default)]
pub(super) struct CardNameIndex<'p> {
    /// Each name once, in directory order.
    all: OnceLock<Vec<(u64, &'p str)>>,
    near: Mutex<BTreeMap<String, Option<&'p str>>>,
}

impl<'p> CardNameIndex<'p> {
    /// The name that was probably meant.
    fn near(&self, package: &'p Package, wanted: &str) -> Option<&'p str> {
        if let Some(known) = self.known().get(wanted) {
            return *known;
        }
        let near = self.look(package, wanted);
        self.known().insert(wanted.to_owned(), near);
        near
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Option<&'p str>>> {
        self.near.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, package: &'p Package, wanted: &str) -> Option<&'p str> {
        let all = self.all.get_or_init(|| {
            let mut seen = BTreeSet::new();
            let names = package.cards().map(|(_, card)| card.name.as_str());
            let names = names.filter(|name| seen.insert(*name));
            names.map(|name| (letters(name), name)).collect()
        });
        let own = letters(wanted);
        // Most names are told apart by their letters alone: a slip exchanges one for another.
        let close = all.iter().filter(|(letters, name)| {
            (letters ^ own).count_ones() as usize <= 2 * MOST_SLIPS
                && name.len().abs_diff(wanted.len()) <= MOST_SLIPS * 4
        });
        nearest(wanted, close.map(|(_, name)| *name))
    }
}

fn check_sections<'p>(package: &'p Package, deck: &Deck, names: &CardNameIndex<'p>, report: &mut FileReport) {
    let game = package.definition.id.value;
    if !deck.game.is_nil() && deck.game.value != game {
        let message = format!("the deck belongs to game {}, not to this one", deck.game.value);
        report.add(report.error(PK120, deck.game.span(), message));
    }
    let mut missing = Vec::new();
    let mut stale = Vec::new();
    for section in &deck.sections {
        check_section(package, section, report);
        for line in &section.cards {
            match package.find(line) {
                None => missing.push(line),
                // An id that cannot be read is an error of its own, and the one to mend.
                Some((_, FoundBy::Name)) if line.id.is_nil() => {}
                Some((card, FoundBy::Name)) => stale.push((line, card)),
                Some((card, FoundBy::Id)) => check_name(package, line, card, report),
            }
        }
    }
    report_missing(package, &missing, names, report);
    report_stale(package, &stale, report);
}

/// Reports a section that the definition does not have (PK124, P136).
fn check_section(package: &Package, section: &DeckSection, report: &mut FileReport) {
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

/// Reports a line that calls its card by another name (PK123).
fn check_name(package: &Package, line: &DeckCard, card: CardRef, report: &mut FileReport) {
    let name = &package.card(card).name.value;
    if !line.name.trim().is_empty() && line.name.trim() != name.trim() {
        let message = format!("the card with this id is called `{}`", clipped(name));
        let finding = report.warning(PK123, line.name.span(), message);
        // A name that another card has was meant; one that no card has is old.
        report.add(match package.card_by_name(&line.name) {
            Some(other) => {
                let id = package.card(other).id.value.to_string();
                let help = format!("the id counts; `{}` has the id {id}", clipped(&line.name));
                let fix = replace(report, line.id.span(), id, Safety::Unsafe);
                finding.help(help).fix(fix)
            }
            None => {
                let escaped = super::cards::escaped(name);
                let fix = replace(report, line.name.span(), escaped, Safety::Unsafe);
                finding.help("the id counts, whatever the name says").fix(fix)
            }
        });
    }
}

/// PK121, P134: all lines in one finding, with the names that were probably meant.
fn report_missing<'p>(
    package: &'p Package,
    lines: &[&DeckCard],
    names: &CardNameIndex<'p>,
    report: &mut FileReport,
) {
    let Some(first) = lines.first() else { return };
    let message = match lines.len() {
        // Of a list, where lines have no ids.
        1 if first.id.is_nil() => format!("no card is called `{}`", clipped(&first.name)),
        count if lines.iter().all(|line| line.id.is_nil()) => {
            format!("{count} lines name cards that do not exist")
        }
        1 => format!(
            "no card has this id, and none is called `{}`: OCTGN refuses the whole deck",
            clipped(&first.name)
        ),
        count => {
            format!("{count} lines name no card, by id or by name: OCTGN refuses the whole deck")
        }
    };
    let mut finding = report.error(PK121, first.id.span(), message);
    let near = |line: &DeckCard| names.near(package, &line.name);
    if lines.len() == 1 {
        if let Some(near) = near(first) {
            finding = finding.help(format!("did you mean `{}`?", clipped(near)));
        }
    } else {
        for line in &lines[..lines.len().min(MOST_LINES)] {
            let words = match near(line) {
                Some(near) => format!("`{}`; did you mean `{}`?", clipped(&line.name), clipped(near)),
                None => format!("`{}`", clipped(&line.name)),
            };
            finding = finding.label(report.file, line.place.0, words);
        }
    }
    // Causes come before consequences: a set that cannot be read takes its cards along.
    let unreadable = package.unreadable_sets();
    if unreadable > 0 {
        let sets = cw_text::count(unreadable, "set");
        finding = finding.help(format!("{sets} of the package cannot be read: fix that first"));
    }
    report.add(finding);
}

/// PK122: all lines in one finding, with a fix that gives them the ids of today.
fn report_stale(package: &Package, lines: &[(&DeckCard, CardRef)], report: &mut FileReport) {
    let Some((first, _)) = lines.first() else { return };
    let several = |line: &DeckCard| match package.count_by_name(&line.name) {
        0 | 1 => None,
        count => Some(format!(
            "{count} cards are called `{}`; the first is taken",
            clipped(&line.name)
        )),
    };
    let message = match lines.len() {
        1 => match several(first) {
            None => format!(
                "no card has this id; `{}` is found by its name",
                clipped(&first.name)
            ),
            Some(several) => format!("no card has this id, and {several}"),
        },
        count => format!("{count} lines have ids that no card has; their cards are found by name"),
    };
    let edit = |(line, card): &(&DeckCard, CardRef)| TextEdit {
        file: report.file,
        span: line.id.span(),
        text: package.card(*card).id.value.to_string(),
    };
    let fix = FindingFix {
        title: match lines.len() {
            1 => format!("replace with `{}`", package.card(lines[0].1).id.value),
            _ => "write the ids that the cards have now".to_owned(),
        },
        safety: Safety::Unsafe,
        edits: lines.iter().map(edit).collect(),
    };
    let mut finding = report.warning(PK122, first.id.span(), message).fix(fix);
    if lines.len() > 1 {
        for (line, _) in &lines[..lines.len().min(MOST_LINES)] {
            let words = several(line).unwrap_or_else(|| format!("`{}`", clipped(&line.name)));
            finding = finding.label(report.file, line.place.0, words);
        }
    }
    report.add(finding);
}
