//! A deck that a seat brings as text: an OCTGN deck, or a list of cards.

use std::collections::BTreeMap;

use cw_octgn::{Package, PackageLimits};
use cw_table::{DeckList, DeckPart, Kit, SeatState, TableModel};
use cw_text::{Diagnostic, LineIndex, Severity, Sources};

use super::deck_list;

/// Most copies that one line may ask for.
const MOST_COPIES: i32 = 250;

/// How many lines that cannot be read are told at once.
const MOST_TOLD: usize = 5;

/// Reads a deck that was sent; says what of it did not fit.
///
/// # Errors
/// Words for the person who sent it: with the line, and what should stand there.
pub(crate) fn read(kit: &Kit, name: &str, text: &str) -> Result<(DeckList, Vec<String>), String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut sources = Sources::new();
    if text.trim_start().starts_with('<') {
        let file = format!("{name}.o8d");
        let (deck, found) =
            kit.package
                .read_deck(&file, text.into(), &PackageLimits::default(), &mut sources);
        let Some(deck) = deck else {
            let why = found
                .first()
                .map_or("it is not well-formed".to_owned(), |one| one.message.clone());
            return Err(format!(
                "this is not an OCTGN deck: {why}. Save the deck again, or paste it as a list of cards"
            ));
        };
        return deck_list(kit, &deck, Some(text));
    }
    card_list(&kit.package, name, text, &mut sources)
        .and_then(|(deck, remarks)| Ok((deck_list(kit, &deck, Some(text))?, remarks)))
        .map(|((list, mut problems), mut remarks)| {
            remarks.append(&mut problems);
            (list, remarks)
        })
}

/// The parts of a seat's decks that are its own.
fn own_parts(seat: &SeatState) -> impl Iterator<Item = &DeckPart> {
    let parts = seat.decks.iter().flat_map(|deck| &deck.parts);
    parts.filter(|part| !part.shared)
}

/// The cards of all decks of a seat.
pub(crate) fn cards_of(seat: &SeatState) -> Vec<TableModel> {
    own_parts(seat)
        .flat_map(|part| &part.cards)
        .flat_map(|(model, count)| std::iter::repeat_n(model.clone(), usize::try_from(*count).unwrap_or(0)))
        .collect()
}

/// A list names cards; of cards with one name those are meant that the seat has.
pub(crate) fn of_these(kit: &Kit, list: &mut DeckList, mut owned: Vec<TableModel>) {
    for part in &mut list.parts {
        let mut cards: Vec<(TableModel, u32)> = Vec::new();
        for (model, count) in std::mem::take(&mut part.cards) {
            for _ in 0..count {
                let own = owned.iter().position(|own| *own == model).or_else(|| {
                    let name = kit.name(&model, 0);
                    owned.iter().position(|own| kit.name(own, 0) == name)
                });
                let meant = own.map_or_else(|| model.clone(), |own| owned.swap_remove(own));
                match cards.iter_mut().find(|(known, _)| *known == meant) {
                    Some((_, count)) => *count += 1,
                    None => cards.push((meant, 1)),
                }
            }
        }
        part.cards = cards;
    }
}

/// The lists that a seat can change by hand: its pool with what it may have any number of, and its deck by
/// sections.
pub fn lists(kit: &Kit, seat: &SeatState) -> [String; 3] {
    let lines = |cards: &mut dyn Iterator<Item = (&TableModel, u32)>| {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for (model, count) in cards {
            *counts.entry(kit.name(model, 0)).or_insert(0) += count;
        }
        let lines: Vec<String> = counts
            .iter()
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        lines.join("\n")
    };
    let mut sections: BTreeMap<&str, Vec<(&TableModel, u32)>> = BTreeMap::new();
    for part in own_parts(seat) {
        let cards = part.cards.iter().map(|(model, count)| (model, *count));
        sections.entry(&part.section).or_default().extend(cards);
    }
    let sections: Vec<String> = sections
        .into_iter()
        .map(|(name, cards)| format!("{name}\n{}", lines(&mut cards.into_iter())))
        .collect();
    let free: Vec<&str> = seat
        .pool_unlimited
        .iter()
        .map(|model| kit.name(model, 0))
        .collect();
    [
        lines(&mut seat.pool.iter().map(|model| (model, 1))),
        free.join(", "),
        sections.join("\n\n"),
    ]
}

/// A list of cards (F210); lines that can be read in one way alone are taken, and what else they may mean is
/// said.
fn card_list(
    package: &Package,
    name: &str,
    text: &str,
    sources: &mut Sources,
) -> Result<(cw_octgn::Deck, Vec<String>), String> {
    // A name is not the name of a file: a dot in it ends nothing.
    let (deck, found) = package.read_deck("list.txt", text.into(), &PackageLimits::default(), sources);
    let index = LineIndex::new(text);
    let told = |one: &Diagnostic| {
        let line = index.line_column(text, one.span.start).line;
        let help = one
            .help
            .as_ref()
            .map_or(String::new(), |help| format!(": {help}"));
        format!("Line {line}: {}{help}.", one.message)
    };
    let (errors, hints): (Vec<_>, Vec<_>) = found.iter().partition(|one| one.severity == Severity::Error);
    let Some(mut deck) = deck.filter(|_| errors.is_empty()) else {
        let mut words: Vec<String> = errors.iter().take(MOST_TOLD).map(|one| told(one)).collect();
        if errors.len() > MOST_TOLD {
            words.push(format!("{} more lines cannot be read.", errors.len() - MOST_TOLD));
        }
        return Err(words.join(" "));
    };
    deck.name = name.into();
    let lines = || deck.sections.iter().flat_map(|section| &section.cards);
    if let Some(line) = lines().find(|line| line.quantity.value > MOST_COPIES) {
        let number = index.line_column(text, line.place.0.start).line;
        return Err(format!(
            "line {number}: {} copies; from 1 to {MOST_COPIES} are possible",
            line.quantity.value
        ));
    }
    if lines().all(|line| package.find(line).is_none()) {
        let count = lines().count();
        return Err(format!(
            "none of these {count} lines names a card of {}: \
             write a number and a name on each line, as in “3 Name of a card”",
            &*package.definition.name
        ));
    }
    let remarks = hints.into_iter().map(told).collect();
    Ok((deck, remarks))
}
