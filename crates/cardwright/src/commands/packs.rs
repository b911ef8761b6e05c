//! `cardwright packs`: lists, opens and studies booster packs.

mod page;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::ValueEnum;
use cw_octgn::{
    BigRational, Booster, CardRef, Distribution, DrawnCard, Odds, OpenedBooster as OpenedPack, Opener,
    PackChance, PickQuantity, SearchedForm, counted, deck_of, pool_text, to_f64, write_deck,
};
use serde_json::{Value as Json, json};

use crate::output;
use crate::output::say;
use crate::package::{self, OpenedGame};
use crate::progress::WorkProgress;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List all packs of a game
    List(ListArgs),
    /// Open packs as OCTGN does, from a seed
    Open(OpenArgs),
    /// Compute the exact odds of a pack, as fractions
    Odds(OddsArgs),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Print one JSON list with an object for each pack
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct OpenArgs {
    /// The pack: its name, its set's name and its own (“Core Set, Booster”), or its id
    pack: String,
    /// Number of packs
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The same seed gives the same packs, everywhere
    #[arg(long)]
    seed: Option<u64>,
    /// Never put a card twice into one pack; OCTGN promises that only inside one pick
    #[arg(long)]
    unique: bool,
    /// Format of the packs
    #[arg(long, value_enum, default_value_t = OpenFormat::Text)]
    format: OpenFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OpenFormat {
    /// One line per card
    Text,
    /// Print one JSON list with an object for each pack
    Json,
    /// One deck with the cards of all packs
    O8d,
}

#[derive(Debug, clap::Args)]
struct OddsArgs {
    /// The pack: its name, its set's name and its own (“Core Set, Booster”), or its id
    pack: String,
    /// Also compute the odds of the values of this property; may be repeated
    #[arg(long, value_name = "PROPERTY")]
    by: Vec<String>,
    /// Include only the cards that this query of `cardwright cards` finds
    #[arg(long, value_name = "QUERY")]
    of: Option<String>,
    /// Compute the chance of at least one in this many packs
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    packs: u32,
    /// Compute the expected number of packs for this many copies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    copies: u32,
    /// Also compute the expected number of packs for one copy of every card
    #[arg(long)]
    complete: bool,
    /// Format of the odds
    #[arg(long, value_enum, default_value_t = OddsFormat::Table)]
    format: OddsFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OddsFormat {
    /// For reading
    Table,
    /// One object, fractions and decimals
    Json,
    /// One line per card
    Csv,
    /// A self-contained page with plots
    Html,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(args) => list(&args),
        Command::Open(mut args) => {
            if args.json {
                args.format = OpenFormat::Json;
            }
            open(&args)
        }
        Command::Odds(mut args) => {
            if args.json {
                args.format = OddsFormat::Json;
            }
            odds(&args)
        }
    }
}

fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let mut all = Vec::new();
    let mut any = false;
    for (index, set) in opened.package.sets.iter().enumerate() {
        for (number, pack) in set.packs.iter().enumerate() {
            any = true;
            let booster = Booster::new(&opened.package, index, number);
            let odds = Odds::new(&booster);
            let size = odds
                .size()
                .map(|size| sizes(&size))
                .unwrap_or_else(|_| "very many".to_owned());
            if args.json {
                let line = json!({
                    "id": pack.id.value.to_string(),
                    "set": set.name.to_string(), "name": pack.name.to_string(),
                    "cards": size, "pool": booster.pool.len(),
                });
                all.push(line);
            } else {
                let mut unlimited = false;
                booster.picks(&mut |pick| unlimited |= pick.quantity == PickQuantity::Unlimited);
                let size = match (&*size, unlimited) {
                    ("0", true) => "any number".to_owned(),
                    (_, true) => format!("{size}, and any number"),
                    (_, false) => size,
                };
                say!(
                    "{}  {}  ({size} of {})",
                    pack.id.value,
                    opened.pack_name(index, number),
                    output::count(booster.pool.len(), "card")
                );
            }
        }
    }
    if args.json {
        output::line(&Json::from(all).to_string());
    }
    if !any {
        output::note("the game has no packs");
    }
    Ok(ExitCode::SUCCESS)
}

/// The sizes that a pack can have, as `15` or `14–16`.
fn sizes(size: &Distribution) -> String {
    let possible: Vec<usize> = (0..size.0.len())
        .filter(|count| size.0[*count] != BigRational::default())
        .collect();
    match (possible.first(), possible.last()) {
        (Some(least), Some(most)) if least != most => format!("{least}–{most}"),
        (Some(only), _) => only.to_string(),
        _ => "0".to_owned(),
    }
}

fn open(args: &OpenArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let booster = opened.pack(&args.pack)?;
    let seed = package::seed(args.seed);
    let mut opener = Opener::new(&booster);
    let mut chance = PackChance::new(seed);
    let mut pack = OpenedPack::default();
    let mut all: Vec<CardRef> = Vec::new();
    let mut answer: Vec<Json> = Vec::new();
    match args.format {
        OpenFormat::Text => say!("seed {seed}"),
        OpenFormat::Json => {}
        OpenFormat::O8d => output::note(&format!("seed {seed}")),
    }
    let progress = WorkProgress::of(u64::from(args.count), "packs opened");
    for number in 1..=args.count {
        if args.format != OpenFormat::Text {
            progress.add(1);
        }
        if args.unique {
            opener.open_unique(&opened.package, &booster, &mut chance, &mut pack);
        } else {
            opener.open(&mut chance, &mut pack);
        }
        match args.format {
            OpenFormat::Text => text(&opened, &booster, &pack, number),
            OpenFormat::Json => answer.push(as_json(&opened, &booster, &pack, number, seed)),
            OpenFormat::O8d => {
                let drawn = pack.limited.iter().chain(&pack.unlimited);
                all.extend(drawn.map(|drawn| booster.pool[drawn.entry as usize].card));
            }
        }
    }
    drop(progress);
    if args.format == OpenFormat::Json {
        output::line(&Json::from(answer).to_string());
    }
    if args.format == OpenFormat::O8d {
        let deck = deck_of(&opened.package, &booster.name, &counted(all));
        output::raw(&write_deck(&deck));
    }
    Ok(ExitCode::SUCCESS)
}

fn text(opened: &OpenedGame, booster: &Booster, pack: &OpenedPack, number: u32) {
    say!("\npack {number}: {}", output::count(pack.limited.len(), "card"));
    let line = |drawn: &DrawnCard, mark: &str| {
        let card = opened.package.card(booster.pool[drawn.entry as usize].card);
        say!(
            "  {mark}{}  {}",
            *card.name,
            package::card_line(&opened.package, card)
        );
    };
    pack.limited.iter().for_each(|drawn| line(drawn, ""));
    pack.unlimited
        .iter()
        .for_each(|drawn| line(drawn, "any number of "));
    for (pick, missing) in &pack.short {
        say!("  short by {missing}: pick {} matches too few cards", pick + 1);
    }
    for group in &pack.nothing {
        say!(
            "  options {} gave nothing: their probabilities sum to less than 1",
            group + 1
        );
    }
}

fn as_json(opened: &OpenedGame, booster: &Booster, pack: &OpenedPack, number: u32, seed: u64) -> Json {
    let card = |drawn: &DrawnCard| {
        let card = opened.package.card(booster.pool[drawn.entry as usize].card);
        json!({"id": card.id.value.to_string(), "name": card.name.to_string(), "pick": drawn.pick})
    };
    json!({
        "seed": seed,
        "pack": number,
        "cards": pack.limited.iter().map(card).collect::<Vec<_>>(),
        "unlimited": pack.unlimited.iter().map(card).collect::<Vec<_>>(),
        "short": pack.short.iter()
            .map(|(pick, missing)| json!({"pick": pick, "missing": missing})).collect::<Vec<_>>(),
        "nothing": pack.nothing,
    })
}

/// All that `odds` tells.
struct OddsReport {
    title: String,
    packs: u32,
    copies: u32,
    size: Distribution,
    mean: BigRational,
    cards: Vec<OddsLine>,
    groups: Vec<(String, Vec<OddsLine>)>,
    wanted: Option<OddsLine>,
    complete: Option<cw_octgn::BoundedNumber>,
}

/// Odds of one card, or of cards with one value.
struct OddsLine {
    name: String,
    id: Option<String>,
    expected: BigRational,
    at_least_one: BigRational,
    /// Packs until the copies came; nothing if they never do.
    until: Option<BigRational>,
}

fn odds(args: &OddsArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let booster = opened.pack(&args.pack)?;
    let report = report(args, &opened, &booster)?;
    match args.format {
        OddsFormat::Table => table(&report),
        OddsFormat::Json => output::line(&report_json(&report).to_string()),
        OddsFormat::Csv => report_csv(&report),
        OddsFormat::Html => output::raw(&page::html(&report)),
    }
    Ok(ExitCode::SUCCESS)
}

fn report(args: &OddsArgs, opened: &OpenedGame, booster: &Booster) -> anyhow::Result<OddsReport> {
    let package = &opened.package;
    let odds = Odds::new(booster);
    let wanted_query = match &args.of {
        None => None,
        Some(text) => Some(opened.query(text).map_err(|error| {
            anyhow!(
                "--of: {error}{}",
                error
                    .help
                    .as_ref()
                    .map(|help| format!(" ({help})"))
                    .unwrap_or_default()
            )
        })?),
    };
    let is_wanted = |entry: u32| {
        let card = booster.pool[entry as usize].card;
        let form = SearchedForm {
            set: package.set_of(card),
            card: package.card(card),
            alternate: None,
        };
        wanted_query.as_ref().is_none_or(|query| query.matches(&form))
    };
    let line = |name: String, id: Option<String>, copies: &Distribution| OddsLine {
        name,
        id,
        expected: copies.mean(),
        at_least_one: at_least_one(copies, args.packs),
        until: until(copies, args.copies),
    };
    let mut cards = Vec::new();
    for one in odds.per_card(package)? {
        if is_wanted(one.entry) {
            let card = package.card(booster.pool[one.entry as usize].card);
            cards.push(line(
                card.name.to_string(),
                Some(card.id.value.to_string()),
                &one.copies,
            ));
        }
    }
    let mut groups = Vec::new();
    for property in &args.by {
        groups.push(by_property(args, opened, booster, &odds, property, &is_wanted)?);
    }
    let wanted = match &args.of {
        None => None,
        Some(text) => Some(line(text.clone(), None, &odds.copies(&is_wanted)?)),
    };
    let size = odds.size()?;
    let (set, pack) = opened.find_pack(&args.pack)?;
    Ok(OddsReport {
        title: opened.pack_name(set, pack),
        packs: args.packs,
        copies: args.copies,
        mean: size.mean(),
        size,
        cards,
        groups,
        wanted,
        complete: if args.complete {
            odds.packs_until_complete(package)
        } else {
            None
        },
    })
}

fn at_least_one(copies: &Distribution, packs: u32) -> BigRational {
    let none = copies.exactly(0);
    let power = BigRational::new(none.numer().pow(packs), none.denom().pow(packs));
    BigRational::from_integer(1.into()) - power
}

/// As `Odds::packs_until`, from a distribution that is there already.
fn until(copies: &Distribution, wanted: u32) -> Option<BigRational> {
    copies.packs_until(wanted as usize)
}

fn by_property(
    args: &OddsArgs,
    opened: &OpenedGame,
    booster: &Booster,
    odds: &Odds<'_>,
    property: &str,
    is_wanted: &dyn Fn(u32) -> bool,
) -> anyhow::Result<(String, Vec<OddsLine>)> {
    let package = &opened.package;
    let known = || {
        package
            .definition
            .properties
            .iter()
            .map(|known| known.name.as_str())
    };
    let Some(name) = known().find(|known| known.eq_ignore_ascii_case(property)) else {
        match cw_text::nearest(property, known()) {
            Some(near) => bail!("the game has no property “{property}”; did you mean “{near}”?"),
            None => bail!("the game has no property “{property}”"),
        }
    };
    let (set, pack) = opened.find_pack(&args.pack)?;
    let pack = &package.sets[set].packs[pack];
    let mut values: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for (index, entry) in (0u32..).zip(&booster.pool) {
        if is_wanted(index) {
            // What includes change counts (P82, P114).
            let text = pool_text(package, pack, *entry, name)
                .unwrap_or_default()
                .trim()
                .to_owned();
            values
                .entry(text)
                .or_insert_with(|| vec![false; booster.pool.len()])[index as usize] = true;
        }
    }
    let mut lines = Vec::new();
    for (value, entries) in values {
        let copies = odds.copies(&|entry| entries[entry as usize])?;
        if copies.at_least(1) == BigRational::default() {
            continue;
        }
        lines.push(OddsLine {
            name: if value.is_empty() {
                "(none)".to_owned()
            } else {
                value
            },
            id: None,
            expected: copies.mean(),
            at_least_one: at_least_one(&copies, args.packs),
            until: until(&copies, args.copies),
        });
    }
    Ok((name.to_owned(), lines))
}

fn number(fraction: &BigRational) -> String {
    format!("{:.6}", to_f64(fraction))
}

/// A fraction that is short enough to be read, else a decimal number.
fn readable(fraction: &BigRational) -> String {
    let text = fraction.to_string();
    if text.len() <= 14 {
        text
    } else {
        format!("≈{}", number(fraction))
    }
}

fn table(report: &OddsReport) {
    let mean = readable(&report.mean);
    let cards = if mean == "1" { "card" } else { "cards" };
    say!("{}: {mean} {cards} on average", report.title);
    for (count, chance) in report.size.0.iter().enumerate() {
        if *chance != BigRational::default() {
            let cards = output::count(count, "card");
            say!("  {cards} with {} ({})", readable(chance), number(chance));
        }
    }
    if let Some(wanted) = &report.wanted {
        lines(
            &format!("all of `{}` together", wanted.name),
            std::slice::from_ref(wanted),
            report,
        );
    }
    for (property, group) in &report.groups {
        lines(property, group, report);
    }
    lines("card", &report.cards, report);
    if let Some(bounds) = report.complete {
        say!(
            "\npacks until every card came: between {:.3} and {:.3}",
            bounds.low,
            bounds.high
        );
    }
}

fn lines(title: &str, all: &[OddsLine], report: &OddsReport) {
    let width = all
        .iter()
        .map(|line| line.name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(8, 40);
    let packs = output::count(report.packs, "pack");
    say!(
        "\n{title:width$}  {:>14}  {:>10}  {:>16}",
        "copies a pack",
        format!("in {packs}"),
        format!("packs until {}", report.copies)
    );
    for line in all {
        let until = line
            .until
            .as_ref()
            .map_or_else(|| "never".to_owned(), |until| format!("{:.3}", to_f64(until)));
        say!(
            "{:width$}  {:>14}  {:>10}  {until:>16}",
            line.name,
            readable(&line.expected),
            number(&line.at_least_one)
        );
    }
}

fn exact(fraction: &BigRational) -> Json {
    json!({"fraction": fraction.to_string(), "number": to_f64(fraction)})
}

fn line_json(line: &OddsLine) -> Json {
    json!({
        "name": line.name,
        "id": line.id,
        "copies": exact(&line.expected),
        "at_least_one": exact(&line.at_least_one),
        "packs_until": line.until.as_ref().map(exact),
    })
}

fn report_json(report: &OddsReport) -> Json {
    let all = |lines: &[OddsLine]| lines.iter().map(line_json).collect::<Vec<_>>();
    let groups = report
        .groups
        .iter()
        .map(|(property, lines)| (property.clone(), json!(all(lines))));
    json!({
        "pack": report.title,
        "packs": report.packs,
        "wanted_copies": report.copies,
        "size": report.size.0.iter().map(exact).collect::<Vec<_>>(),
        "mean_size": exact(&report.mean),
        "cards": all(&report.cards),
        "by": groups.collect::<serde_json::Map<_, _>>(),
        "of": report.wanted.as_ref().map(line_json),
        "complete": report.complete.map(|bounds| json!({"low": bounds.low, "high": bounds.high})),
    })
}

fn report_csv(report: &OddsReport) {
    output::line(
        "kind,name,id,copies,copies_exact,at_least_one,at_least_one_exact,packs_until,packs_until_exact",
    );
    let groups = report
        .groups
        .iter()
        .flat_map(|(property, lines)| lines.iter().map(move |line| (property.as_str(), line)));
    let cards = report.cards.iter().map(|line| ("card", line));
    for (kind, line) in report
        .wanted
        .iter()
        .map(|line| ("of", line))
        .chain(groups)
        .chain(cards)
    {
        let until = line.until.as_ref();
        let fields = [
            kind.to_owned(),
            line.name.clone(),
            line.id.clone().unwrap_or_default(),
            number(&line.expected),
            line.expected.to_string(),
            number(&line.at_least_one),
            line.at_least_one.to_string(),
            until.map(number).unwrap_or_default(),
            until.map(ToString::to_string).unwrap_or_default(),
        ];
        output::line(
            &fields
                .iter()
                .map(|field| package::csv(field))
                .collect::<Vec<_>>()
                .join(","),
        );
    }
}
