//! `cardwright sealed`: pools and decks of a sealed game.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::{Booster, CardRef, Pool, Ratings, deck_of, sealed, write_deck};

use crate::output::say;
use crate::package::{self, OpenedGame};

/// Open the packs of a sealed game and build decks from them
///
/// Every player opens all the packs, as in OCTGN; the cards depend only on the seed and the player's number.
/// The computer then builds a deck of the best-rated cards: a card's rating is its scarcity in the packs plus
/// the share of cards that have less of each visible whole-number property. Use `--seat` to open the deck
/// builder with a pool and build your own deck.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packs, by name or id; a number before a colon repeats one: `6:Booster`
    #[arg(required = true)]
    packs: Vec<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Number of players
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    players: u32,
    /// Build the deck of this player yourself, counted from 1
    #[arg(long, value_name = "PLAYER")]
    seat: Option<u32>,
    /// The same seed gives the same pools
    #[arg(long)]
    seed: Option<u64>,
    /// Folder to write pools and decks into
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Rate cards by this property alone
    #[arg(long, value_name = "PROPERTY")]
    rating: Option<String>,
}

/// The most packs of a game.
const MAX_PACKS: usize = 1000;

/// The packs that the words mean: `Booster`, `6:Booster`.
pub(crate) fn boosters(opened: &OpenedGame, words: &[String]) -> anyhow::Result<Vec<Booster>> {
    let mut boosters = Vec::new();
    for word in words {
        let (count, name) = match word.split_once(':') {
            Some((count, name)) if count.bytes().all(|byte| byte.is_ascii_digit()) && !count.is_empty() => {
                let count = count
                    .parse::<usize>()
                    .with_context(|| format!("“{count}” is not a number of packs"))?;
                (count, name)
            }
            _ => (1, word.as_str()),
        };
        if count == 0 || boosters.len() + count > MAX_PACKS {
            bail!("from 1 to {MAX_PACKS} packs can be opened");
        }
        let booster = opened.pack(name.trim())?;
        boosters.extend(std::iter::repeat_n(booster, count));
    }
    Ok(boosters)
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let own = args.seat.map(|seat| seat.wrapping_sub(1) as usize);
    if own.is_some_and(|seat| seat >= args.players as usize) {
        bail!("the players are 1 to {}", args.players);
    }
    let boosters = boosters(&opened, &args.packs)?;
    let ratings = ratings(&opened, RatedCards::Packs(&boosters), args.rating.as_deref())?;
    let seed = package::seed(args.seed);
    let names: Vec<String> = (1..=args.players)
        .map(|player| format!("player {player}"))
        .collect();
    make_room(&names, args.output.as_deref(), args.force, own)?;
    say!("seed {seed}");
    let pools = sealed(&boosters, args.players, seed);
    finish(
        &opened,
        &names,
        &pools,
        &ratings,
        args.output.as_deref(),
        args.force,
        own,
    )
}

/// Which cards are rated.
#[derive(Clone, Copy)]
pub(crate) enum RatedCards<'a> {
    /// Those of packs, by their scarcity, too.
    Packs(&'a [Booster]),
    /// Those of a cube.
    Cube(&'a [CardRef]),
}

/// Ratings of cards; the property has to be there.
pub(crate) fn ratings(
    opened: &OpenedGame,
    cards: RatedCards<'_>,
    property: Option<&str>,
) -> anyhow::Result<Ratings> {
    let known = || {
        opened
            .package
            .definition
            .properties
            .iter()
            .map(|known| known.name.as_str())
    };
    if let Some(wanted) = property
        && !known().any(|known| known.eq_ignore_ascii_case(wanted))
    {
        match cw_text::nearest(wanted, known()) {
            Some(near) => bail!("the game has no property “{wanted}”; did you mean “{near}”?"),
            None => bail!("the game has no property “{wanted}”"),
        }
    }
    Ok(match cards {
        RatedCards::Packs(boosters) => Ratings::new(&opened.package, boosters, property),
        RatedCards::Cube(cards) => Ratings::of_cards(&opened.package, cards, property),
    })
}

/// Refuses to write over old pools and decks, and makes the folder of new ones, before anybody picks cards
/// that could not be kept. Without a folder only the deck that is built by hand is written.
pub(crate) fn make_room(
    names: &[String],
    folder: Option<&Path>,
    force: bool,
    own: Option<usize>,
) -> anyhow::Result<()> {
    let Some(folder) = folder else {
        let own = own.and_then(|own| names.get(own));
        return own.map_or(Ok(()), |name| {
            let [_, deck] = files_of(Path::new(""), name);
            package::refuse_old(&deck, force)
        });
    };
    for file in names.iter().flat_map(|name| files_of(folder, name)) {
        package::refuse_old(&file, force)?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make “{}”", folder.display()))
}

/// Builds a deck of each pool, says what became of it, and writes both; `own` is changed by hand then.
pub(crate) fn finish(
    opened: &OpenedGame,
    names: &[String],
    pools: &[Pool],
    ratings: &Ratings,
    folder: Option<&Path>,
    force: bool,
    own: Option<usize>,
) -> anyhow::Result<ExitCode> {
    for (name, pool) in names.iter().zip(pools) {
        one(opened, name, pool, ratings, folder, force)?;
    }
    if let Some((name, pool)) = own.and_then(|own| Some((names.get(own)?, pools.get(own)?))) {
        let rules = opened.limited(pool);
        let best = super::deck::best_of(pool, ratings, rules.as_ref());
        let deck = deck_of(&opened.package, name, &best);
        let [_, file] = files_of(folder.unwrap_or(Path::new("")), name);
        let own = super::deck::BuiltDeck {
            file: &file,
            is_saved: folder.is_some(),
        };
        super::deck::build_by_hand(opened, Some(pool), Some(&deck), own, false)?;
        return Ok(ExitCode::SUCCESS);
    }
    if folder.is_none() {
        say!("nothing was written; --output FOLDER keeps pools and decks");
    }
    Ok(ExitCode::SUCCESS)
}

fn one(
    opened: &OpenedGame,
    name: &str,
    pool: &Pool,
    ratings: &Ratings,
    folder: Option<&Path>,
    force: bool,
) -> anyhow::Result<()> {
    let package = &opened.package;
    let rules = opened.limited(pool);
    let deck = deck_of(
        package,
        name,
        &super::deck::best_of(pool, ratings, rules.as_ref()),
    );
    let reasons = opened.reasons(&deck, rules.as_ref());
    let unlimited = match pool.unlimited.len() {
        0 => String::new(),
        count => format!(" and {count} unlimited"),
    };
    let state = match reasons.is_empty() {
        true if rules.is_none() => format!("a deck of {}", deck.count()),
        true => format!("a legal deck of {} from this pool", deck.count()),
        false => format!("a deck of {}, not legal: {}", deck.count(), reasons.join("; ")),
    };
    say!(
        "{name}: {}{unlimited}; {state}",
        crate::output::count(pool.cards.len(), "card")
    );
    if let Some(folder) = folder {
        let [pool_file, deck_file] = files_of(folder, name);
        let pool = pool.to_deck(package, &format!("{name} pool"));
        package::write_new(&pool_file, write_deck(&pool).as_bytes(), force)?;
        package::write_new(&deck_file, write_deck(&deck).as_bytes(), force)?;
    }
    Ok(())
}

/// Where somebody's pool and deck go.
fn files_of(folder: &Path, name: &str) -> [PathBuf; 2] {
    ["pool", "deck"].map(|what| folder.join(format!("{name} {what}.o8d")))
}
