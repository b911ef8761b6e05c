//! What a deck is made of: curves, types, back-ups, and exact chances to draw.

use std::collections::BTreeMap;

use anyhow::bail;
use cw_octgn::{CardRef, Deck, PropertyKind, SearchedForm, TextKind, chance_to_draw, to_f64};

use crate::package::OpenedGame;

/// The deck's cards with how many of each, sections together.
fn cards_of(opened: &OpenedGame, deck: &Deck) -> Vec<(CardRef, u32)> {
    let resolved = opened.package.resolve(deck);
    let lines = resolved.sections.iter().flat_map(|section| &section.lines);
    let mut sums: Vec<(CardRef, u32)> = Vec::new();
    for line in lines {
        match sums.iter_mut().find(|(card, _)| *card == line.card) {
            Some((_, sum)) => *sum = sum.saturating_add(line.quantity),
            None => sums.push((line.card, line.quantity)),
        }
    }
    sums
}

/// Which chances are told.
pub(super) struct Chances<'a> {
    /// By the end of so many turns.
    pub(super) turns: u32,
    /// Going second: a card is drawn on the first turn too.
    pub(super) second: bool,
    /// Of cards that this query finds; of each number of copies if none.
    pub(super) of: Option<&'a str>,
}

/// Curves, types, back-ups and chances of a deck, line by line.
pub(super) fn stats(opened: &OpenedGame, deck: &Deck, chances: &Chances<'_>) -> anyhow::Result<Vec<String>> {
    let cards = cards_of(opened, deck);
    let total: u64 = cards.iter().map(|(_, count)| u64::from(*count)).sum();
    if total > 100_000 {
        bail!("{total} cards are no deck");
    }
    let mut lines = Vec::new();
    for property in &opened.package.definition.properties {
        let whole = property.kind == PropertyKind::Integer;
        let few = matches!(property.text_kind, TextKind::Enum | TextKind::Tokens(_));
        if !property.hidden && (whole || few) {
            curve(
                opened,
                &cards,
                &property.name,
                whole,
                &property.text_kind,
                &mut lines,
            );
        }
    }
    backups(opened, &cards, &mut lines);
    told_chances(chances, opened, &cards, usize::try_from(total)?, &mut lines)?;
    Ok(lines)
}

/// How many cards have each value of a property.
fn curve(
    opened: &OpenedGame,
    cards: &[(CardRef, u32)],
    name: &str,
    whole: bool,
    kind: &TextKind,
    lines: &mut Vec<String>,
) {
    let mut values: BTreeMap<(i64, String), u32> = BTreeMap::new();
    for (card, count) in cards {
        let text = opened.package.card(*card).text(name).unwrap_or_default().trim();
        let parts: Vec<&str> = match kind {
            TextKind::Tokens(delimiter) if !delimiter.is_empty() => text.split(delimiter.as_str()).collect(),
            TextKind::Tokens(_) | TextKind::Free | TextKind::Enum => vec![text],
        };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let order = if whole {
                part.parse().unwrap_or(i64::MAX)
            } else {
                0
            };
            *values.entry((order, part.to_owned())).or_default() += count;
        }
    }
    // A list of nearly as many values as cards says nothing.
    if values.is_empty() || values.len() > 24 {
        return;
    }
    lines.extend([String::new(), name.to_owned()]);
    let width = values
        .keys()
        .map(|(_, value)| value.chars().count())
        .max()
        .unwrap_or(1);
    let most = values.values().copied().max().unwrap_or(1);
    for ((_, value), count) in values {
        let bar = "█".repeat(usize::try_from(u64::from(count) * 40 / u64::from(most)).unwrap_or(40));
        lines.push(format!("  {value:width$} {count:>3} {bar}"));
    }
}

/// Of each subtype: how many characters, and how many cards they can back up.
fn backups(opened: &OpenedGame, cards: &[(CardRef, u32)], lines: &mut Vec<String>) {
    let definition = &opened.package.definition;
    let icons: Vec<&str> = definition
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .filter(|name| name.to_lowercase().starts_with("backup "))
        .collect();
    if icons.is_empty() || definition.property("Subtype").is_none() {
        return;
    }
    let mut rows: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for (card, count) in cards {
        let found = opened.package.card(*card);
        if let Some(subtype) = found.text("Subtype").filter(|subtype| !subtype.is_empty()) {
            rows.entry(subtype).or_default().0 += count;
        }
        let mut seen: Vec<&str> = icons
            .iter()
            .filter_map(|name| found.text(name))
            .filter(|icon| !icon.is_empty())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        for icon in seen {
            rows.entry(icon).or_default().1 += count;
        }
    }
    lines.push(String::new());
    lines.push("back-ups: characters of the subtype, cards that it can back up".to_owned());
    for (subtype, (characters, takers)) in rows.iter().filter(|(_, (characters, _))| *characters > 0) {
        lines.push(format!("  {subtype:16} {characters:>3} {takers:>3}"));
    }
}

/// Exact chances to have drawn a card by each turn.
fn told_chances(
    args: &Chances<'_>,
    opened: &OpenedGame,
    cards: &[(CardRef, u32)],
    total: usize,
    lines: &mut Vec<String>,
) -> anyhow::Result<()> {
    let hand = opened.config.constants.opening_hand;
    // G37: who goes first draws no card on the first turn.
    let first = usize::from(args.second);
    let turns: Vec<usize> = (0..args.turns as usize)
        .map(|turn| usize::from(hand) + turn + first)
        .collect();
    lines.push(String::new());
    lines.push(format!("chance to have drawn one by turn 1 to {}", args.turns));
    let mut row = |name: &str, copies: usize| {
        let chances = turns
            .iter()
            .map(|drawn| to_f64(&chance_to_draw(total, copies, *drawn, 1)));
        let text: Vec<String> = chances.map(|chance| format!("{:5.1}%", chance * 100.0)).collect();
        lines.push(format!("  {name:24} {copies:>3} {}", text.join(" ")));
    };
    match args.of {
        Some(text) => {
            let query = opened
                .query(text)
                .map_err(|error| anyhow::anyhow!("--of: {error}"))?;
            let matching = cards.iter().filter(|(card, _)| {
                query.matches(&SearchedForm {
                    set: opened.package.set_of(*card),
                    card: opened.package.card(*card),
                    alternate: None,
                })
            });
            row(text, matching.map(|(_, count)| *count as usize).sum());
        }
        None => {
            let mut counts: Vec<u32> = cards.iter().map(|(_, count)| *count).collect();
            counts.sort_unstable();
            counts.dedup();
            counts.iter().for_each(|count| {
                let copies = if *count == 1 { "copy" } else { "copies" };
                row(&format!("a card with {count} {copies}"), *count as usize);
            });
        }
    }
    Ok(())
}
