//! `cardwright deck`: builds, checks and studies decks.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::{
    CardRef, Deck, DeckRules, Form, Limits, Pool, PropertyKind, Query, Ratings, TextKind, build,
    chance_to_draw, check_deck, counted, deck_of, forms, illegal, to_f64, write_deck,
};
use cw_text::{Severity, Sources};
use serde_json::json;

use crate::output;
use crate::output::say;
use crate::package::{self, Opened};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a new deck: empty, or the best of a pool
    New(NewArgs),
    /// Build a deck in the terminal; `help` there tells how
    Edit(EditArgs),
    /// Tell what is wrong with a deck, and whether it is legal
    Check(OneArgs),
    /// Curves, types and chances of a deck
    Stats(StatsArgs),
    /// List a deck's cards
    Show(OneArgs),
}

#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The file to write
    file: PathBuf,
    /// Takes the best cards of this pool or deck
    #[arg(long, value_name = "DECK")]
    from: Option<String>,
    /// Folder or .o8g of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Replaces the file if it is there
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Args)]
struct EditArgs {
    /// The deck's file; it is made if it is not there
    file: PathBuf,
    /// Only cards of this pool may be added
    #[arg(long, value_name = "DECK")]
    pool: Option<String>,
    /// Folder or .o8g of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct OneArgs {
    /// A file, or the name of a deck of the game
    deck: String,
    /// Folder or .o8g of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct StatsArgs {
    /// A file, or the name of a deck of the game
    deck: String,
    /// Chances to have drawn a card by each of so many turns
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: u32,
    /// Cards whose chances are told, as a query of `cardwright cards`; each card by itself if left out
    #[arg(long, value_name = "QUERY")]
    of: Option<String>,
    /// Goes second: a card is drawn on the first turn too
    #[arg(long)]
    second: bool,
    /// Folder or .o8g of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::New(args) => new(&args),
        Command::Edit(args) => edit(&args),
        Command::Check(args) => check(&args),
        Command::Stats(args) => stats(&args),
        Command::Show(args) => show(&args),
    }
}

fn new(args: &NewArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let (rules, _) = opened.deck_rules();
    let name = args
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let cards = match &args.from {
        None => Vec::new(),
        Some(from) => {
            let pool = Pool::of_deck(&opened.package, &opened.deck(from)?);
            build(&pool, &Ratings::new(&opened.package, &[], None), rules)
        }
    };
    let deck = deck_of(&opened.package, &name, &cards);
    package::write_new(&args.file, write_deck(&deck).as_bytes(), args.force)?;
    say!("wrote {}: {}", args.file.display(), state(&opened, &deck, rules));
    Ok(ExitCode::SUCCESS)
}

fn state(opened: &Opened, deck: &Deck, rules: DeckRules) -> String {
    let reasons = illegal(&opened.package, deck, rules);
    if reasons.is_empty() {
        "a legal deck".to_owned()
    } else {
        format!("not legal: {}", reasons.join("; "))
    }
}

fn check(args: &OneArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let bytes = match std::fs::read(&args.deck) {
        Ok(bytes) => bytes,
        Err(_) => write_deck(&opened.deck(&args.deck)?).into_bytes(),
    };
    let mut sources = Sources::new();
    let (deck, mut found) = Deck::read(&args.deck, bytes, &Limits::default(), &mut sources);
    let mut reasons = Vec::new();
    if let Some(deck) = &deck {
        found.extend(check_deck(&opened.package, deck));
        reasons = illegal(&opened.package, deck, opened.deck_rules().0);
    }
    if args.json {
        output::raw(&cw_text::render(
            cw_text::Format::Json,
            &sources,
            &found,
            false,
            &cw_text::NoCatalog,
        ));
        output::line(&json!({"legal": deck.is_some() && reasons.is_empty(), "reasons": reasons}).to_string());
    } else {
        if !found.is_empty() {
            output::findings(&sources, &found);
        }
        reasons.iter().for_each(|reason| say!("not legal: {reason}"));
        if deck.is_some() && reasons.is_empty() {
            say!("a legal deck");
        }
    }
    let wrong =
        deck.is_none() || !reasons.is_empty() || found.iter().any(|found| found.severity == Severity::Error);
    Ok(if wrong {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn show(args: &OneArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let deck = opened.deck(&args.deck)?;
    if args.json {
        let sections = deck.sections.iter().map(|section| {
            let cards = section.cards.iter().map(
                |line| json!({"id": line.id.value.to_string(), "quantity": line.quantity.value, "name": line.name.to_string()}),
            );
            json!({"name": section.name.to_string(), "shared": section.shared, "cards": cards.collect::<Vec<_>>()})
        });
        let whole = json!({"name": deck.name.to_string(), "sections": sections.collect::<Vec<_>>()});
        output::line(&whole.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    list(&opened, &deck);
    say!(
        "{} cards: {}",
        deck.count(),
        state(&opened, &deck, opened.deck_rules().0)
    );
    Ok(ExitCode::SUCCESS)
}

fn list(opened: &Opened, deck: &Deck) {
    for section in &deck.sections {
        let count: i64 = section
            .cards
            .iter()
            .map(|line| i64::from(line.quantity.value))
            .sum();
        say!(
            "{}{} ({count})",
            *section.name,
            if section.shared { ", shared" } else { "" }
        );
        for line in &section.cards {
            match opened.package.find(line) {
                Some((card, _)) => {
                    let found = opened.package.card(card);
                    say!(
                        "  {:>3} {}  {}",
                        line.quantity.value,
                        *found.name,
                        package::card_line(&opened.package, found)
                    );
                }
                None => say!("  {:>3} {}  (unknown)", line.quantity.value, *line.name),
            }
        }
    }
}

/// The deck's cards with how many of each, sections together.
fn cards_of(opened: &Opened, deck: &Deck) -> Vec<(CardRef, u32)> {
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

fn stats(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let deck = opened.deck(&args.deck)?;
    let cards = cards_of(&opened, &deck);
    let total: u64 = cards.iter().map(|(_, count)| u64::from(*count)).sum();
    if total > 100_000 {
        bail!("{total} cards are no deck");
    }
    say!(
        "{}: {total} cards, {}",
        deck.name,
        state(&opened, &deck, opened.deck_rules().0)
    );
    for property in &opened.package.definition.properties {
        let whole = property.kind == PropertyKind::Integer;
        let few = matches!(property.text_kind, TextKind::Enum | TextKind::Tokens(_));
        if !property.hidden && (whole || few) {
            curve(&opened, &cards, &property.name, whole, &property.text_kind);
        }
    }
    backups(&opened, &cards);
    chances(args, &opened, &cards, total as usize)?;
    Ok(ExitCode::SUCCESS)
}

/// How many cards have each value of a property.
fn curve(opened: &Opened, cards: &[(CardRef, u32)], name: &str, whole: bool, kind: &TextKind) {
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
    say!("\n{name}");
    let width = values
        .keys()
        .map(|(_, value)| value.chars().count())
        .max()
        .unwrap_or(1);
    let most = values.values().copied().max().unwrap_or(1);
    for ((_, value), count) in values {
        let bar = "█".repeat((u64::from(count) * 40 / u64::from(most)) as usize);
        say!("  {value:width$} {count:>3} {bar}");
    }
}

/// Of each subtype: how many characters, and how many cards they can back up.
fn backups(opened: &Opened, cards: &[(CardRef, u32)]) {
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
    say!("\nback-ups: characters of the subtype, cards that it can back up");
    for (subtype, (characters, takers)) in rows.iter().filter(|(_, (characters, _))| *characters > 0) {
        say!("  {subtype:16} {characters:>3} {takers:>3}");
    }
}

/// Exact chances to have drawn a card by each turn.
fn chances(args: &StatsArgs, opened: &Opened, cards: &[(CardRef, u32)], total: usize) -> anyhow::Result<()> {
    let (_, hand) = opened.deck_rules();
    // G37: who goes first draws no card on the first turn.
    let first = usize::from(args.second);
    let turns: Vec<usize> = (0..args.turns as usize)
        .map(|turn| hand as usize + turn + first)
        .collect();
    say!("\nchance to have drawn one by turn 1 to {}", args.turns);
    let row = |name: &str, copies: usize| {
        let chances = turns
            .iter()
            .map(|drawn| to_f64(&chance_to_draw(total, copies, *drawn, 1)));
        let text: Vec<String> = chances.map(|chance| format!("{:5.1}%", chance * 100.0)).collect();
        say!("  {name:24} {copies:>3} {}", text.join(" "));
    };
    match &args.of {
        Some(text) => {
            let query = Query::parse(text, &opened.package.definition)
                .map_err(|error| anyhow::anyhow!("--of: {error}"))?;
            let matching = cards.iter().filter(|(card, _)| {
                query.matches(&Form {
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
            counts
                .iter()
                .for_each(|count| row(&format!("a card with {count} copies"), *count as usize));
        }
    }
    Ok(())
}

const HELP: &str = "\
  add [N] CARD       adds N (1) of a card, by name
  remove [N] CARD    takes N (all) out
  find QUERY         lists cards, as `cardwright cards`; numbers can be added: add 3 #2
  section NAME       goes to a section of the deck
  show               the deck so far
  check              whether it is legal
  save               writes the file
  quit               leaves; twice where something is not saved";

/// Name, whether it is shared, and its cards.
type Section = (String, bool, Vec<(CardRef, u32)>);

/// A deck being built.
struct Editor<'a> {
    opened: &'a Opened,
    rules: DeckRules,
    pool: Option<BTreeMap<CardRef, u32>>,
    unlimited: Vec<CardRef>,
    /// Sections of the definition with their cards.
    sections: Vec<Section>,
    current: usize,
    found: Vec<CardRef>,
    saved: bool,
}

fn edit(args: &EditArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let pool = match &args.pool {
        None => None,
        Some(pool) => Some(Pool::of_deck(&opened.package, &opened.deck(pool)?)),
    };
    let known = &opened.package.definition.sections;
    let mut editor = Editor {
        opened: &opened,
        rules: opened.deck_rules().0,
        unlimited: pool
            .as_ref()
            .map(|pool| pool.unlimited.clone())
            .unwrap_or_default(),
        pool: pool.map(|pool| counted(&pool.cards).into_iter().collect()),
        sections: known
            .iter()
            .map(|section| (section.name.to_string(), section.shared, Vec::new()))
            .collect(),
        current: 0,
        found: Vec::new(),
        saved: true,
    };
    if editor.sections.is_empty() {
        bail!("the game defines no deck sections");
    }
    if args.file.is_file() {
        editor.load(&package::read_deck(&args.file.display().to_string())?)?;
    }
    editor.status();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("cannot read what you type")?;
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "" => {}
            "add" => editor.add(rest.trim()),
            "remove" => editor.remove(rest.trim()),
            "find" => editor.find(rest),
            "section" => editor.section(rest.trim()),
            "show" => list(&opened, &editor.deck("")),
            "check" => editor.status(),
            "save" => {
                let name = args
                    .file
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                package::write_new(&args.file, write_deck(&editor.deck(&name)).as_bytes(), true)?;
                editor.saved = true;
                say!("wrote {}", args.file.display());
            }
            "quit" if editor.saved => break,
            "quit" => {
                say!("not saved; `quit` again leaves it so");
                editor.saved = true;
            }
            "help" => say!("{HELP}"),
            other => say!("there is no command `{other}`; `help` lists them"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Editor<'_> {
    fn load(&mut self, deck: &Deck) -> anyhow::Result<()> {
        let resolved = self.opened.package.resolve(deck);
        if let Some((section, line)) = resolved.missing.first() {
            bail!(
                "there is no card “{}”",
                *deck.sections[*section].cards[*line].name
            );
        }
        for section in resolved.sections {
            let own = self
                .sections
                .iter_mut()
                .find(|own| *own.0 == *section.name && own.1 == section.shared);
            let Some((_, _, cards)) = own else {
                bail!("the game has no section “{}”", section.name);
            };
            for line in section.lines {
                match cards.iter_mut().find(|(card, _)| *card == line.card) {
                    Some((_, count)) => *count = count.saturating_add(line.quantity),
                    None => cards.push((line.card, line.quantity)),
                }
            }
        }
        Ok(())
    }

    fn deck(&self, name: &str) -> Deck {
        let mut deck = deck_of(&self.opened.package, name, &[]);
        deck.sections = self
            .sections
            .iter()
            .filter(|(_, _, cards)| !cards.is_empty())
            .map(|(name, shared, cards)| {
                let mut section = deck_of(&self.opened.package, "", cards).sections.remove(0);
                section.name = cw_octgn::At::from(cw_octgn::Str::from(name.as_str()));
                section.shared = *shared;
                section
            })
            .collect();
        deck
    }

    fn status(&self) {
        let deck = self.deck("");
        say!(
            "{}: {} cards, {}",
            self.sections[self.current].0,
            deck.count(),
            state(self.opened, &deck, self.rules)
        );
    }

    /// A number and a card: `3 #2`, `3 Rook`, `Rook`.
    fn card(&self, text: &str) -> Option<(Option<u32>, CardRef)> {
        let (count, name) = match text.split_once(' ') {
            Some((count, rest)) if count.parse::<u32>().is_ok() => (count.parse().ok(), rest.trim()),
            _ => (None, text),
        };
        let package = &self.opened.package;
        let card = match name
            .strip_prefix('#')
            .and_then(|number| number.parse::<usize>().ok())
        {
            Some(number) => self.found.get(number.wrapping_sub(1)).copied(),
            None => package.card_by_name(name),
        };
        if card.is_none() {
            let names = package.cards().map(|(_, card)| card.name.as_str());
            match cw_text::nearest(name, names) {
                Some(near) => say!("there is no card `{name}`; did you mean `{near}`?"),
                None => say!("there is no card `{name}`"),
            }
        }
        card.map(|card| (count, card))
    }

    fn add(&mut self, text: &str) {
        let Some((count, card)) = self.card(text) else {
            return;
        };
        let count = count.unwrap_or(1).min(1000);
        let used: u32 = self
            .sections
            .iter()
            .flat_map(|(_, _, cards)| cards)
            .filter(|(other, _)| *other == card)
            .map(|(_, count)| count)
            .sum();
        if let Some(pool) = &self.pool
            && !self.unlimited.contains(&card)
        {
            let present = pool.get(&card).copied().unwrap_or(0);
            if used + count > present {
                say!("the pool has {present} of it, {used} are in the deck");
                return;
            }
        }
        let cards = &mut self.sections[self.current].2;
        match cards.iter_mut().find(|(other, _)| *other == card) {
            Some((_, sum)) => *sum += count,
            None => cards.push((card, count)),
        }
        self.saved = false;
        self.status();
    }

    fn remove(&mut self, text: &str) {
        let Some((count, card)) = self.card(text) else {
            return;
        };
        let cards = &mut self.sections[self.current].2;
        let Some(place) = cards.iter().position(|(other, _)| *other == card) else {
            say!("it is not in this section");
            return;
        };
        cards[place].1 = count.map_or(0, |count| cards[place].1.saturating_sub(count));
        if cards[place].1 == 0 {
            cards.remove(place);
        }
        self.saved = false;
        self.status();
    }

    fn find(&mut self, text: &str) {
        let package = &self.opened.package;
        let query = match Query::parse(text, &package.definition) {
            Ok(query) => query,
            Err(error) => {
                say!(
                    "{error}{}",
                    error
                        .help
                        .as_ref()
                        .map(|help| format!("; {help}"))
                        .unwrap_or_default()
                );
                return;
            }
        };
        self.found.clear();
        for form in
            forms(package).filter(|form| form.alternate.is_none() && !form.set.hidden && query.matches(form))
        {
            let Some(card) = package.card_by_id(form.card.id.value) else {
                continue;
            };
            let present = match &self.pool {
                None => String::new(),
                Some(_) if self.unlimited.contains(&card) => "any number".to_owned(),
                Some(pool) => match pool.get(&card) {
                    None => continue,
                    Some(count) => format!("{count} in the pool"),
                },
            };
            self.found.push(card);
            say!(
                "  #{} {}  {}  {present}",
                self.found.len(),
                form.name(),
                package::card_line(package, form.card)
            );
            if self.found.len() == 50 {
                say!("  … and more; say more precisely what you look for");
                break;
            }
        }
    }

    fn section(&mut self, name: &str) {
        match self
            .sections
            .iter()
            .position(|(own, _, _)| own.eq_ignore_ascii_case(name))
        {
            Some(place) => {
                self.current = place;
                self.status();
            }
            None => {
                let names: Vec<&str> = self.sections.iter().map(|(own, _, _)| own.as_str()).collect();
                say!("the game's sections are {}", names.join(", "));
            }
        }
    }
}
