//! A deck that a seat brings as text: an OCTGN deck, or a list of cards.

use std::sync::Arc;

use cw_octgn::Deck;
use cw_table::{DeckList, DeckPart, Kit, Model};

use super::deck_list;

/// Reads a deck that was sent; says what of it did not fit.
///
/// # Errors
/// Words for the person who sent it: with the line, and what should stand there.
pub(super) fn read(kit: &Kit, name: &str, text: &str) -> Result<(DeckList, Vec<String>), String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('<') {
        return octgn_deck(kit, name, text);
    }
    card_list(kit, name, text)
}

fn octgn_deck(kit: &Kit, name: &str, text: &str) -> Result<(DeckList, Vec<String>), String> {
    let mut sources = cw_text::Sources::new();
    let file = format!("{name}.o8d");
    let (deck, found) = Deck::read(
        &file,
        text.as_bytes().to_vec(),
        &cw_octgn::Limits::default(),
        &mut sources,
    );
    match deck {
        Some(deck) => deck_list(kit, &deck),
        None => {
            let why = found
                .first()
                .map_or("it is not well-formed".to_owned(), |one| one.message.clone());
            Err(format!(
                "this is no OCTGN deck: {why}. Save the deck again, or paste it as a list of cards"
            ))
        }
    }
}

/// Most copies that one line may ask for.
const MOST_COPIES: u32 = 250;

/// `3 Name` or `3x Name` on each line; the name of a section stands alone, with or without a colon. What begins with
/// `#` or `//` is left out.
fn card_list(kit: &Kit, name: &str, text: &str) -> Result<(DeckList, Vec<String>), String> {
    let definition = &kit.package.definition;
    let sections: Vec<(&str, bool)> = definition
        .sections
        .iter()
        .map(|section| (section.name.value.as_str(), section.shared))
        .collect();
    let section_of = |wanted: &str| {
        sections
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .copied()
    };
    let mut here = sections
        .iter()
        .find(|(_, shared)| !shared)
        .copied()
        .unwrap_or(("Deck", false));
    let mut parts: Vec<DeckPart> = Vec::new();
    let mut remarks = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        if let Some(section) = section_of(line.trim_end_matches(':').trim()) {
            here = section;
            continue;
        }
        let (count, card) = counted(line);
        if count == 0 || count > MOST_COPIES {
            let words = format!(
                "line {}: “{count}” copies; from 1 to {MOST_COPIES} are possible",
                at + 1
            );
            return Err(words);
        }
        let found = kit.package.card_by_name(card).and_then(|card| kit.model_of(card));
        let model = found.unwrap_or_else(|| {
            remarks.push(format!(
                "Line {}: there is no card “{card}”: a blank takes its place.",
                at + 1
            ));
            Model::Blank(Arc::from(
                card.chars()
                    .filter(|c| !c.is_control())
                    .take(80)
                    .collect::<String>(),
            ))
        });
        let known = parts
            .iter()
            .position(|part| part.section == here.0 && part.shared == here.1);
        let at = match known {
            Some(at) => at,
            None => {
                parts.push(part_of(kit, here)?);
                parts.len() - 1
            }
        };
        let part = &mut parts[at];
        part.cards.push((model, count));
    }
    let list = DeckList {
        name: name.to_owned(),
        parts,
        sleeve: None,
    };
    let blanks = remarks.len();
    match list.count() {
        0 => Err(
            "this list has no cards: write a number and a name on each line, as in “3 Name of a card”"
                .to_owned(),
        ),
        _ if list.parts.iter().map(|part| part.cards.len()).sum::<usize>() == blanks => Err(format!(
            "none of these {blanks} lines names a card of {}",
            &*definition.name
        )),
        _ => Ok((list, remarks)),
    }
}

/// A section with the pile that it fills; one that fills none goes to the deck.
fn part_of(kit: &Kit, (section, shared): (&str, bool)) -> Result<DeckPart, String> {
    let filled = kit.section(section, shared);
    let pile = filled.or(kit.deck.or(kit.hand).filter(|_| !shared));
    let pile = pile.ok_or_else(|| format!("the section “{section}” fills no pile of the package"))?;
    Ok(DeckPart {
        section: section.to_owned(),
        shared,
        pile: u16::try_from(pile).ok(),
        cards: Vec::new(),
    })
}

/// `3 Name`, `3x Name`, `Name x3` or `Name`.
fn counted(line: &str) -> (u32, &str) {
    let number = |word: &str| word.trim_matches(['x', 'X', '×']).parse::<u32>().ok();
    if let Some((first, rest)) = line.split_once(char::is_whitespace)
        && let Some(count) = number(first)
    {
        return (count, rest.trim());
    }
    if let Some((rest, last)) = line.rsplit_once(char::is_whitespace)
        && last.starts_with(['x', 'X', '×'])
        && let Some(count) = number(last)
    {
        return (count, rest.trim());
    }
    (1, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F210: what deck lists write before and after a name.
    #[test]
    fn numbers_stand_before_or_behind_names() {
        let rows = [
            ("3 Big Pear", (3, "Big Pear")),
            ("3x Big Pear", (3, "Big Pear")),
            ("x3 Big Pear", (3, "Big Pear")),
            ("Big Pear x3", (3, "Big Pear")),
            ("Big Pear", (1, "Big Pear")),
            ("Malcolm X", (1, "Malcolm X")),
            ("0 Pear", (0, "Pear")),
            ("7", (1, "7")),
        ];
        for (line, expected) in rows {
            assert_eq!(counted(line), expected, "{line}");
        }
    }
}
