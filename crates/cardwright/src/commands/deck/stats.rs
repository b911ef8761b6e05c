//! What a deck is made of: curves, types, back-ups, and exact chances to draw.

use std::collections::BTreeMap;

use anyhow::bail;
use cw_load::DeckCurve;
use cw_octgn::{CardRef, Deck, SearchedForm, to_f64};

use crate::package::OpenedGame;

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
    let cards = opened.counted_cards(deck);
    let total: u64 = cards.iter().map(|(_, count)| u64::from(*count)).sum();
    if total > 100_000 {
        bail!("{total} cards are not a deck");
    }
    let mut lines = Vec::new();
    for curve in opened.deck_curves(&cards) {
        self::curve(&curve, &mut lines);
    }
    backups(opened, &cards, &mut lines);
    told_chances(chances, opened, &cards, usize::try_from(total)?, &mut lines)?;
    Ok(lines)
}

/// How many cards have each value of a property.
fn curve(curve: &DeckCurve, lines: &mut Vec<String>) {
    lines.extend([String::new(), curve.name.clone()]);
    let values = curve.values.iter();
    let width = values.map(|(value, _)| value.chars().count()).max().unwrap_or(1);
    let most = curve.values.iter().map(|(_, count)| *count).max().unwrap_or(1);
    for (value, count) in &curve.values {
        let bar = "█".repeat(usize::try_from(u64::from(*count) * 40 / u64::from(most)).unwrap_or(40));
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
    lines.push(String::new());
    lines.push(format!("chance to have drawn one by turn 1 to {}", args.turns));
    let mut row = |name: &str, copies: usize| {
        let chances = opened.draw_chances(total, copies, args.turns, args.second);
        let chances = chances.iter().map(to_f64);
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
