//! `cardwright draft`: a booster draft.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use cw_draft::{CardFigures, DraftAct, DraftPacks, DraftPlayer, DraftRecord, DraftView, pick_of_computer};
use cw_octgn::{Pool, Ratings};

use super::sealed::{self, RatedCards};
use crate::output::say;
use crate::package::{self, OpenedGame};

/// Run a booster draft
///
/// In each round every seat opens a pack, takes a card and passes the rest: to the left in the first round,
/// to the right in the second, and so on. Computers take the card with the highest rating: its score when
/// drawn, if there are figures of most cards, otherwise its scarcity in the packs plus the share of cards
/// that have less of each visible whole-number property. A card is worth nothing to a computer that already
/// has as many copies as a deck may contain. With `--cube`, the packs are made from a shuffled list of cards;
/// each card appears as often as in the list.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packs in the order they are opened, by name or id; `3:Booster` for three
    #[arg(required_unless_present = "cube", conflicts_with = "cube")]
    packs: Vec<String>,
    /// Draft these cards instead of packs: a deck, an .o8d file, or a pasted list of cards
    #[arg(long, value_name = "DECK")]
    cube: Option<String>,
    /// Number of packs of the cube for each seat
    #[arg(
        long,
        default_value_t = 3,
        requires = "cube",
        value_parser = clap::value_parser!(u32).range(1..=100)
    )]
    rounds: u32,
    /// Number of cards in a pack of the cube
    #[arg(
        long,
        default_value_t = 15,
        requires = "cube",
        value_name = "CARDS",
        value_parser = clap::value_parser!(u32).range(1..=1000)
    )]
    pack_size: u32,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Number of seats
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=12))]
    seats: u32,
    /// Take this seat yourself, counted from 1; the draft then ends in the deck builder
    #[arg(long, value_name = "SEAT")]
    seat: Option<u32>,
    /// The same seed gives the same packs
    #[arg(long)]
    seed: Option<u64>,
    /// Folder to write pools and decks into
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Let computers rate cards by this property alone
    #[arg(long, value_name = "PROPERTY")]
    rating: Option<String>,
    /// Let computers rate cards by this report of `balance --json` [default: the game's Rules/balance.json]
    #[arg(long, value_name = "FILE", conflicts_with = "rating")]
    figures: Option<PathBuf>,
}

/// More copies of one card than these are not taken out of a cube.
const MOST_OF_CUBE: u32 = 1_000;

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let own = args.seat.map(|seat| seat.wrapping_sub(1) as usize);
    if own.is_some_and(|seat| seat >= args.seats as usize) {
        anyhow::bail!("the seats are 1 to {}", args.seats);
    }
    let most = opened.most_in_draft();
    let seed = package::seed(args.seed);
    let (packs, ratings) = match &args.cube {
        Some(cube) => of_cube(&opened, cube, &args, seed)?,
        None => {
            let boosters = sealed::boosters(&opened, &args.packs)?;
            let ratings = sealed::ratings(&opened, RatedCards::Packs(&boosters), args.rating.as_deref())?;
            let packs = DraftPacks::of_boosters(&boosters, args.seats as usize, seed);
            (packs, ratings)
        }
    };
    let ratings = rated(&opened, ratings, &args)?;
    let names: Vec<String> = (1..=args.seats).map(|seat| format!("seat {seat}")).collect();
    sealed::make_room(&names, args.output.as_deref(), args.force, own)?;
    say!("seed {seed}");
    let mut players = vec![DraftPlayer::Computer; args.seats as usize];
    if let Some(own) = own {
        players[own] = DraftPlayer::Person;
    }
    let mut record = DraftRecord::new(Arc::new(packs), &players);
    let mut lines = std::io::stdin().lock().lines();
    loop {
        record.run_computers(&ratings, &most);
        // Whoever is waited for is the person.
        let Some(seat) = own.filter(|_| !record.draft().is_over()) else {
            break;
        };
        let view = record.draft().view(seat);
        let best = pick_of_computer(&view, &ratings, &most);
        let place = ask(&opened, &view, &ratings, best, &mut lines)?;
        let number = view.number;
        record.act(DraftAct::Pick { seat, number, place })?;
    }
    let draft = record.draft();
    // The deck builder reads from there too.
    drop(lines);
    let pools: Vec<Pool> = (0..args.seats as usize)
        .map(|seat| draft.pool(seat).clone())
        .collect();
    sealed::finish(
        &opened,
        &names,
        &pools,
        &ratings,
        args.output.as_deref(),
        args.force,
        own,
    )
}

/// Ratings by figures of `balance`, where there are some of most cards.
fn rated(opened: &OpenedGame, printed: Ratings, args: &Args) -> anyhow::Result<Ratings> {
    if args.rating.is_some() {
        return Ok(printed);
    }
    let Some(path) = &args.figures else {
        return opened
            .draft_ratings(printed)
            .map_err(|why| anyhow::anyhow!("{why}"));
    };
    let text = cw_files::read_text(path, cw_files::REPORT)
        .with_context(|| format!("cannot read “{}”", path.display()))?;
    let figures = CardFigures::read(&text).with_context(|| format!("“{}” cannot be used", path.display()))?;
    figures.ratings(&opened.package, &printed).with_context(|| {
        format!(
            "“{}” has figures of fewer than half of the cards that are drafted",
            path.display()
        )
    })
}

/// The packs of a cube, with the ratings of its cards.
fn of_cube(opened: &OpenedGame, cube: &str, args: &Args, seed: u64) -> anyhow::Result<(DraftPacks, Ratings)> {
    let read = cw_lab::find_deck(opened, cube)?;
    // A cube is no deck: how many cards it has, and how often, is its own matter.
    let mut errors = read.errors();
    errors.retain(|one| !one.code.0.starts_with("CW"));
    let Some(deck) = read.deck.as_ref().filter(|_| errors.is_empty()) else {
        crate::output::findings(&read.sources, &errors);
        anyhow::bail!("the cube “{cube}” cannot be drafted as it is");
    };
    let mut cards = Vec::new();
    for line in opened
        .package
        .resolve(deck)
        .sections
        .iter()
        .flat_map(|section| &section.lines)
    {
        let copies = line.quantity.min(MOST_OF_CUBE) as usize;
        cards.extend(std::iter::repeat_n(line.card, copies));
    }
    let ratings = sealed::ratings(opened, RatedCards::Cube(&cards), args.rating.as_deref())?;
    let [seats, rounds, size] = [args.seats, args.rounds, args.pack_size].map(|many| many as usize);
    let Ok(packs) = DraftPacks::of_cube(&cards, seats, rounds, size, seed) else {
        anyhow::bail!(
            "the cube has {}; {} with {} of {} need {}: \
             use fewer `--seats` or `--rounds`, or a smaller `--pack-size`",
            crate::output::count(cards.len(), "card"),
            crate::output::count(args.seats as usize, "seat"),
            crate::output::count(args.rounds as usize, "pack"),
            args.pack_size,
            u64::from(args.seats) * u64::from(args.rounds) * u64::from(args.pack_size)
        );
    };
    Ok((packs, ratings))
}

/// Lets a person choose; an empty line takes what the computer would.
fn ask(
    opened: &OpenedGame,
    view: &DraftView,
    ratings: &Ratings,
    best: usize,
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
) -> anyhow::Result<usize> {
    say!(
        "\nround {}, {} taken",
        view.round,
        crate::output::count(view.pool.cards.len(), "card")
    );
    for (place, card) in view.pack.iter().enumerate() {
        let found = opened.package.card(card.card);
        let mark = if place == best { '*' } else { ' ' };
        say!(
            "{:>3}{mark} {}  {}  ({})",
            place + 1,
            *found.name,
            package::card_line(&opened.package, found),
            ratings.of(card.card)
        );
    }
    loop {
        say!("which card? (number, enter for *)");
        let Some(line) = lines.next() else {
            return Ok(best);
        };
        let line = line?;
        let line = line.trim();
        if line.is_empty() {
            return Ok(best);
        }
        match line.parse::<usize>() {
            Ok(number) if (1..=view.pack.len()).contains(&number) => return Ok(number - 1),
            _ => say!("a number from 1 to {}", view.pack.len()),
        }
    }
}
