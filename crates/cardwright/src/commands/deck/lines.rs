//! The deck builder, line by line: for pipes, scripts, and those who read with their ears.

use std::io::BufRead;
use std::path::Path;

use anyhow::{Context, bail};
use cw_octgn::{CardRef, NameMatch, QueryError};

use super::builder::{DeckBuilder, FilterValue, PropertyFilter};
use super::{list, save};
use crate::output::say;
use crate::package;

const HELP: &str = "\
  add [N] CARD       adds N (1) of a card, by name; a line of a list, such as `3x Rook`, works too
  remove [N] CARD    takes N (all) out
  find QUERY         lists cards, like `cardwright cards`; add them by number: add 3 #2
  filter             the properties to filter by; filter PROPERTY lists its values
  filter PROPERTY=VALUE   switches a value; filter off switches all off
  section NAME       goes to a section of the deck
  show               the deck so far
  check              whether it is legal
  stats              curves, types and chances
  undo               undoes the last change
  save               writes the file
  quit               leaves; type it twice if something is not saved";

/// How many cards are listed at once.
const MAX_LISTED: usize = 50;

/// Reads commands from standard input until `quit` or its end.
pub(super) fn run(builder: &mut DeckBuilder<'_>, file: &Path) -> anyhow::Result<()> {
    let mut found = Vec::new();
    let mut leaves = false;
    status(builder);
    if let Some(words) = unknown(builder) {
        say!("{words}");
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.context("cannot read what you type")?;
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "add" => add(builder, rest, &mut found),
            "remove" => remove(builder, rest, &mut found),
            "find" => find(builder, rest, &mut found),
            "filter" => filter(builder, rest),
            "section" => section(builder, rest),
            "show" => list(builder.opened, &builder.deck()),
            "check" => status(builder),
            "stats" => stats(builder)?,
            "undo" if builder.undo() => status(builder),
            "undo" => say!("there is nothing to take back"),
            "save" => {
                save(builder, file)?;
                say!("wrote {}", file.display());
            }
            "quit" if builder.saved || leaves => return Ok(()),
            "quit" => say!("not saved; `quit` again leaves without saving"),
            "help" => say!("{HELP}"),
            other => {
                if !paste(builder, line.trim()) {
                    say!("there is no command `{other}`; `help` lists them");
                }
            }
        }
        leaves = word == "quit";
    }
    if !builder.saved {
        bail!("the changes are not saved: the input ended without `save` or `quit`");
    }
    Ok(())
}

/// Says that the deck has lines that cannot be edited, but are kept.
pub(super) fn unknown(builder: &DeckBuilder<'_>) -> Option<String> {
    let lines: usize = builder.unknown().iter().map(|section| section.cards.len()).sum();
    (lines > 0).then(|| {
        format!(
            "{} of cards or sections that the game does not have: kept as they are",
            crate::output::count(lines, "line")
        )
    })
}

fn status(builder: &DeckBuilder<'_>) {
    let state = builder.state();
    let section = &builder.sections[builder.current];
    say!(
        "{}: {}, {state}",
        section.name,
        crate::output::count(builder.deck().count(), "card")
    );
}

fn stats(builder: &DeckBuilder<'_>) -> anyhow::Result<()> {
    let chances = super::stats::Chances {
        turns: 8,
        second: false,
        of: None,
    };
    let lines = super::stats::stats(builder.opened, &builder.deck(), &chances)?;
    lines.iter().for_each(|line| say!("{line}"));
    Ok(())
}

/// A number and a card: `3 #2`, `3 Rook`, `Rook x3`; the place among the offers.
fn offer(builder: &DeckBuilder<'_>, text: &str, found: &mut Vec<usize>) -> Option<(Option<u32>, usize)> {
    let package = builder.package();
    let (number, rest) = match text.split_once(' ') {
        Some((count, rest)) if count.parse::<u32>().is_ok() => (count.parse().ok(), rest.trim()),
        _ => (None, text),
    };
    if let Some(place) = rest
        .strip_prefix('#')
        .and_then(|place| place.parse::<usize>().ok())
    {
        let place = found.get(place.wrapping_sub(1)).copied();
        if place.is_none() {
            say!("nothing listed has this number");
        }
        return place.map(|place| (number, place));
    }
    let Some(line) = package.list_line(text) else {
        let called = |place: usize| package.card(builder.offers[place].card.card).name.as_str();
        match cw_text::nearest(rest, (0..builder.offers.len()).map(called)) {
            Some(near) => say!("there is no card `{rest}`; did you mean `{near}`?"),
            None => say!("there is no card `{rest}`"),
        }
        return None;
    };
    let count = line.count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let cards = match line.card {
        NameMatch::Card { card, .. } => vec![card],
        NameMatch::Several(cards) => cards,
    };
    let places: Vec<usize> = cards.iter().filter_map(|card| offered(builder, *card)).collect();
    match places[..] {
        [] => say!("the pool has no `{}`", line.name),
        [place] => return Some((count, place)),
        _ => {
            say!("`{}` may be one of these; add it by its number", line.name);
            found.clone_from(&places);
            listed(builder, found);
        }
    }
    None
}

/// The offer of a card: of copies that includes made different, one that is left; else another print of it.
fn offered(builder: &DeckBuilder<'_>, card: CardRef) -> Option<usize> {
    let package = builder.package();
    let (id, name) = (package.card(card).id.value, &package.card(card).name.value);
    let own = |place: &usize| package.card(builder.offers[*place].card.card).id.value == id;
    let other = |place: &usize| package.card(builder.offers[*place].card.card).name.value == *name;
    let is_left = |place: &usize| builder.left(&builder.offers[*place]) != Some(0);
    let all = || 0..builder.offers.len();
    all()
        .filter(own)
        .find(is_left)
        .or_else(|| all().filter(other).find(is_left))
        .or_else(|| all().find(own))
        .or_else(|| all().find(other))
}

/// A line of a list that was pasted: a card with its number, or a section's name.
fn paste(builder: &mut DeckBuilder<'_>, line: &str) -> bool {
    let title = line.trim_end_matches(':');
    if builder
        .sections
        .iter()
        .any(|own| own.name.eq_ignore_ascii_case(title))
    {
        section(builder, title);
        return true;
    }
    let is_counted = builder
        .package()
        .list_line(line)
        .is_some_and(|line| line.count.is_some());
    if is_counted {
        add(builder, line, &mut Vec::new());
    }
    is_counted
}

fn add(builder: &mut DeckBuilder<'_>, text: &str, found: &mut Vec<usize>) {
    let Some((count, place)) = offer(builder, text, found) else {
        return;
    };
    match builder.add(place, count.unwrap_or(1)) {
        Ok(()) => status(builder),
        Err(reason) => say!("{reason}"),
    }
}

fn remove(builder: &mut DeckBuilder<'_>, text: &str, found: &mut Vec<usize>) {
    if builder.remove_unknown(text) > 0 {
        status(builder);
        return;
    }
    let Some((count, place)) = offer(builder, text, found) else {
        return;
    };
    let id = |place: usize| builder.offers[place].card.card;
    // Whichever copy of it is there.
    let wanted = builder.offers[place].card;
    let cards = &builder.sections[builder.current].cards;
    let there = cards
        .iter()
        .map(|(card, _)| *card)
        .filter(|card| card.card == id(place));
    let copies: Vec<_> = there.collect();
    let card = if copies.contains(&wanted) {
        wanted
    } else {
        copies.first().copied().unwrap_or(wanted)
    };
    match builder.remove(card, count) {
        Ok(()) => status(builder),
        Err(reason) => say!("{reason}"),
    }
}

fn find(builder: &mut DeckBuilder<'_>, text: &str, found: &mut Vec<usize>) {
    if let Err(error) = builder.look_for(text) {
        say!("{}", words(&error));
        return;
    }
    found.clone_from(&builder.shown);
    let filters = active(builder);
    if !filters.is_empty() {
        say!("  filtered by {filters}");
    }
    listed(builder, found);
}

fn listed(builder: &DeckBuilder<'_>, found: &[usize]) {
    for (number, place) in found.iter().take(MAX_LISTED).enumerate() {
        let offer = &builder.offers[*place];
        let card = builder.package().card(offer.card.card);
        let present = match (offer.present, builder.limited) {
            (Some(count), _) => format!("  {count} in the pool"),
            (None, true) => "  any number".to_owned(),
            (None, false) => String::new(),
        };
        let form = match builder.found_by_form(*place) {
            Some(form) => format!("  (its form {})", *form.name),
            None => String::new(),
        };
        say!(
            "  #{} {}{form}  {}{}{present}",
            number + 1,
            *card.name,
            package::card_line(builder.package(), card),
            changes(builder, *place)
        );
    }
    if found.len() > MAX_LISTED {
        say!("  … and {} more; narrow your search", found.len() - MAX_LISTED);
    }
}

/// What an include made different of an offered card, in words.
fn changes(builder: &DeckBuilder<'_>, place: usize) -> String {
    let include = builder.offers[place].card.changes(builder.package());
    let changes = include.iter().flat_map(|include| &include.properties);
    changes
        .map(|property| {
            format!(
                "  ({} here: {})",
                *property.name,
                property.value.plain().unwrap_or("none")
            )
        })
        .collect()
}

/// A query's error in one line.
pub(super) fn words(error: &QueryError) -> String {
    let help = error
        .help
        .as_ref()
        .map(|help| format!("; {help}"))
        .unwrap_or_default();
    format!("{error}{help}")
}

/// The filters that are on, in words.
pub(super) fn active(builder: &DeckBuilder<'_>) -> String {
    let on = |filter: &PropertyFilter| {
        let values: Vec<&str> = filter.values.iter().filter(|value| value.on).map(shown).collect();
        format!("{}={}", filter.property, values.join("|"))
    };
    let filters = builder.filters.iter().filter(|filter| filter.is_on()).map(on);
    filters.collect::<Vec<_>>().join(" ")
}

/// A filter's value as people read it.
pub(super) fn shown(value: &FilterValue) -> &str {
    if value.text.is_empty() {
        "(none)"
    } else {
        &value.text
    }
}

fn filter(builder: &mut DeckBuilder<'_>, text: &str) {
    let (property, value) = text.split_once('=').unwrap_or((text, ""));
    let (property, value) = (property.trim(), value.trim());
    match property {
        "" => {
            for filter in &builder.filters {
                say!("  {} ({} values)", filter.property, filter.values.len());
            }
        }
        "off" => {
            builder.clear_filters();
            say!("{}", crate::output::count(builder.shown.len(), "card"));
        }
        _ => {
            let names = || builder.filters.iter().map(|filter| filter.property.as_str());
            let Some(place) = names().position(|name| name.eq_ignore_ascii_case(property)) else {
                match cw_text::nearest(property, names()) {
                    Some(near) => say!("there is no filter `{property}`; did you mean `{near}`?"),
                    None => say!("the filters are {}", names().collect::<Vec<_>>().join(", ")),
                }
                return;
            };
            let values = &builder.filters[place].values;
            if value.is_empty() {
                for value in values {
                    let mark = if value.on { '*' } else { ' ' };
                    say!("  {mark} {} ({})", shown(value), value.count);
                }
                return;
            }
            let same = |known: &&FilterValue| shown(known).eq_ignore_ascii_case(value);
            let Some(known) = values.iter().find(same).map(|known| known.text.clone()) else {
                let all: Vec<&str> = values.iter().map(shown).collect();
                say!("its values are {}", all.join(", "));
                return;
            };
            let at = values.iter().position(|value| value.text == known).unwrap_or(0);
            builder.switch(place, at);
            let filters = active(builder);
            let filters = if filters.is_empty() {
                "no filter".to_owned()
            } else {
                filters
            };
            say!("{filters}: {}", crate::output::count(builder.shown.len(), "card"));
        }
    }
}

fn section(builder: &mut DeckBuilder<'_>, name: &str) {
    let place = builder
        .sections
        .iter()
        .position(|own| own.name.eq_ignore_ascii_case(name));
    match place {
        Some(place) => {
            builder.current = place;
            status(builder);
        }
        None => {
            let names: Vec<&str> = builder.sections.iter().map(|own| own.name.as_str()).collect();
            say!("the game's sections are {}", names.join(", "));
        }
    }
}
