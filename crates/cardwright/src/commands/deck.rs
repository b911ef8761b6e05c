//! `cardwright deck`: builds, checks and studies decks.

mod builder;
mod lines;
mod screen;
mod stats;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cw_load::DeckRules;
use cw_octgn::{CardRef, Deck, Pool, Ratings, build, deck_of, deck_text, write_deck};
use serde_json::json;

use crate::output;
use crate::output::say;
use crate::package::{self, OpenedGame};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a new deck: empty, or the best cards of a pool
    New(NewArgs),
    /// Build a deck in the terminal: filter and search all cards or a pool, and see whether the deck is legal
    Edit(EditArgs),
    /// Report what is wrong with a deck, and whether it is legal
    Check(DeckCheckArgs),
    /// Show curves, types and chances of a deck
    Stats(StatsArgs),
    /// List a deck's cards
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The file to write
    file: PathBuf,
    /// Take the best cards of this pool or deck
    #[arg(long, value_name = "DECK")]
    from: Option<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Args)]
struct EditArgs {
    /// The deck's file; a new one is made if it does not exist
    file: PathBuf,
    /// Allow only cards of this pool, with the properties that the packs gave them
    #[arg(long, value_name = "DECK")]
    pool: Option<String>,
    /// Ask line by line instead of filling the screen
    #[arg(long)]
    plain: bool,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct OneArgs {
    /// A file, or the name of a deck of the game
    deck: String,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct DeckCheckArgs {
    /// Files, or names of decks of the game; all of the game's if left out
    decks: Vec<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// The pool that the decks are made of, in a sealed game or a draft: its cards, as often as it has them,
    /// and the sizes of limited play
    #[arg(long, value_name = "DECK")]
    pool: Option<String>,
    /// One JSON document: an object for one deck, a list of them for several
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    #[command(flatten)]
    one: OneArgs,
    /// As OCTGN's text export, to be sent to somebody
    #[arg(long, conflicts_with = "json")]
    text: bool,
}

#[derive(Debug, clap::Args)]
struct StatsArgs {
    /// A file, or the name of a deck of the game
    deck: String,
    /// Show the chance of having drawn a card by each turn, up to this one
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: u32,
    /// Cards to show chances for, as a query of `cardwright cards` [default: each card separately]
    #[arg(long, value_name = "QUERY")]
    of: Option<String>,
    /// Go second: a card is drawn on the first turn too
    #[arg(long)]
    second: bool,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::New(args) => new(&args),
        Command::Edit(args) => edit(&args),
        Command::Check(args) => check(&args),
        Command::Stats(args) => statistics(&args),
        Command::Show(args) => show(&args),
    }
}

fn new(args: &NewArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let name = name_of(&args.file);
    let (cards, rules) = match &args.from {
        None => (Vec::new(), opened.deck_rules()),
        Some(from) => {
            let pool = Pool::of_deck(&opened.package, &opened.deck(from)?);
            let rules = opened.limited(&pool);
            let ratings = Ratings::new(&opened.package, &[], None);
            (best_of(&pool, &ratings, rules.as_ref()), rules)
        }
    };
    let deck = deck_of(&opened.package, &name, &cards);
    package::write_new(&args.file, write_deck(&deck).as_bytes(), args.force)?;
    let state = state(&opened, &deck, rules.as_ref());
    say!("wrote {}: {state}", args.file.display());
    Ok(ExitCode::SUCCESS)
}

/// The best cards of a pool: as many as a deck may have, all of them where nobody knows.
pub(crate) fn best_of(pool: &Pool, ratings: &Ratings, rules: Option<&DeckRules>) -> Vec<(CardRef, u32)> {
    match rules {
        None => build(pool, ratings, None, &|_| u32::MAX),
        Some(rules) => build(pool, ratings, Some(*rules.size.start()), &|card| {
            rules.copies_of(card)
        }),
    }
}

/// Whether a deck is legal, in words.
pub(crate) fn state(opened: &OpenedGame, deck: &Deck, rules: Option<&DeckRules>) -> String {
    in_words(&opened.reasons(deck, rules), rules.is_some())
}

/// Why a deck is not legal; if there is no reason, whether that is known.
fn in_words(reasons: &[String], is_known: bool) -> String {
    match (reasons.is_empty(), is_known) {
        (false, _) => format!("not legal: {}", reasons.join("; ")),
        (true, true) => "a legal deck".to_owned(),
        (true, false) => UNKNOWN.to_owned(),
    }
}

/// D72: unknown is not illegal.
const UNKNOWN: &str = "its cards and sections are there; \
                       the game's deck rules are unknown (`[deck]` in Rules/game.toml says them)";

fn check(args: &DeckCheckArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let own = &opened.package.decks;
    // Decks of the game need not be found by their names, which several may share.
    let decks: Vec<(String, Option<&Deck>)> = match args.decks.is_empty() {
        false => args.decks.iter().map(|name| (name.clone(), None)).collect(),
        true => {
            let is_alone = |deck: &Deck| own.iter().filter(|other| other.name == deck.name).count() == 1;
            let name = |deck: &Deck| match is_alone(deck) {
                true => deck.name.to_string(),
                false => cw_lab::place_of(&opened.package, deck).to_owned(),
            };
            own.iter().map(|deck| (name(deck), Some(deck))).collect()
        }
    };
    if decks.is_empty() {
        anyhow::bail!("the game has no decks; name the file of one");
    }
    let pool = match &args.pool {
        None => None,
        Some(pool) => Some(Pool::of_deck(&opened.package, &opened.deck(pool)?)),
    };
    let of_pool = pool.as_ref().and_then(|pool| opened.limited(pool));
    let mut answers = Vec::new();
    let mut is_legal = true;
    for (deck, of_game) in &decks {
        let mut read = match of_game {
            Some(found) => opened.deck_of_package(found),
            None => cw_lab::find_deck(&opened, deck)?,
        };
        let other_size = pool.is_none() && read.found.iter().any(|found| found.code.0 == "CW003");
        if let Some(rules) = &of_pool {
            read = opened.judged_by(read, rules);
        }
        let answer = args.json.then_some(&mut answers);
        is_legal &= check_one(&opened, deck, &read, decks.len() > 1, answer)?;
        if other_size && !args.json && of_game.is_none() && Path::new(deck).is_file() {
            output::note("a deck of a sealed game or a draft is checked with its pool: --pool FILE");
        }
    }
    if args.json {
        let whole = match answers.len() {
            1 => answers.remove(0),
            _ => serde_json::Value::from(answers),
        };
        output::line(&whole.to_string());
    }
    Ok(match is_legal {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Tells what is wrong with a deck, with its name where there are several, or adds it to the answers; whether
/// it may be played.
fn check_one(
    opened: &OpenedGame,
    name: &str,
    read: &cw_load::ReadDeck,
    is_named: bool,
    answers: Option<&mut Vec<serde_json::Value>>,
) -> anyhow::Result<bool> {
    let errors = read.errors();
    let is_known = opened.deck_rules().is_some();
    if let Some(answers) = answers {
        let findings = cw_text::render(
            cw_text::FindingFormat::Json,
            &read.sources,
            &read.found,
            false,
            &cw_text::NoCatalog,
        );
        let mut answer: serde_json::Value = serde_json::from_str(&findings)?;
        answer["legal"] = match (errors.is_empty(), is_known) {
            (false, _) => json!(false),
            (true, true) => json!(true),
            (true, false) => json!(null),
        };
        let reasons: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        answer["reasons"] = json!(reasons);
        answer["deck"] = json!(name);
        answers.push(answer);
    } else {
        if !read.found.is_empty() {
            output::findings(&read.sources, &read.found);
        }
        let which = match is_named {
            true => format!("{name}: "),
            false => String::new(),
        };
        match (errors.is_empty(), is_known) {
            (false, _) => say!("{which}not a legal deck"),
            (true, true) => say!("{which}a legal deck"),
            (true, false) => say!("{which}{UNKNOWN}"),
        }
    }
    Ok(errors.is_empty())
}

fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let (text, args) = (args.text, &args.one);
    let opened = package::open(args.game.as_deref())?;
    let deck = opened.deck(&args.deck)?;
    if text {
        output::raw(&deck_text(&opened.package, &deck));
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        let sections = deck.sections.iter().map(|section| {
            let cards = section.cards.iter().map(|line| {
                json!({
                    "id": line.id.value.to_string(),
                    "quantity": line.quantity.value,
                    "name": line.name.to_string()
                })
            });
            json!({
                "name": section.name.to_string(),
                "shared": section.shared,
                "cards": cards.collect::<Vec<_>>()
            })
        });
        let whole = json!({"name": deck.name.to_string(), "sections": sections.collect::<Vec<_>>()});
        output::line(&whole.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    list(&opened, &deck);
    say!(
        "{}: {}",
        output::count(deck.count(), "card"),
        state(&opened, &deck, opened.deck_rules().as_ref())
    );
    Ok(ExitCode::SUCCESS)
}

fn list(opened: &OpenedGame, deck: &Deck) {
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

fn statistics(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let deck = opened.deck(&args.deck)?;
    let chances = stats::Chances {
        turns: args.turns,
        second: args.second,
        of: args.of.as_deref(),
    };
    let lines = stats::stats(&opened, &deck, &chances)?;
    say!(
        "{}: {}, {}",
        deck.name,
        output::count(deck.count(), "card"),
        state(&opened, &deck, opened.deck_rules().as_ref())
    );
    lines.iter().for_each(|line| say!("{line}"));
    Ok(ExitCode::SUCCESS)
}

/// The name of a deck that lies in this file.
fn name_of(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn edit(args: &EditArgs) -> anyhow::Result<ExitCode> {
    let opened = package::open(args.game.as_deref())?;
    let pool = match &args.pool {
        None => None,
        Some(pool) => Some(Pool::of_deck(&opened.package, &opened.deck(pool)?)),
    };
    let mut file = args.file.clone();
    let deck = match file.is_file() {
        true => Some(opened.deck(&file.display().to_string())?),
        false => None,
    };
    if deck.is_some() && is_list(&file)? {
        file.set_extension("o8d");
        if file.exists() {
            anyhow::bail!(
                "“{}” is a list of cards, and a deck of that name already exists: edit “{}”",
                args.file.display(),
                file.display()
            );
        }
        let list = args.file.display();
        output::note(&format!(
            "{list} is a list of cards; the deck is saved as {}",
            file.display()
        ));
    }
    let own = BuiltDeck {
        file: &file,
        is_saved: deck.is_some() && file == args.file,
    };
    build_by_hand(&opened, pool.as_ref(), deck.as_ref(), own, args.plain)?;
    Ok(ExitCode::SUCCESS)
}

fn is_list(file: &Path) -> anyhow::Result<bool> {
    let bytes = cw_files::read(file, cw_files::DECK)?;
    Ok(cw_octgn::is_card_list(&file.to_string_lossy(), &bytes))
}

/// Where a deck that is built is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltDeck<'a> {
    /// The file.
    pub(crate) file: &'a Path,
    /// Whether the deck that the builder begins with is what the file holds.
    pub(crate) is_saved: bool,
}

/// Opens the deck builder: on the screen where there is a terminal, else line by line.
pub(crate) fn build_by_hand(
    opened: &OpenedGame,
    pool: Option<&Pool>,
    deck: Option<&Deck>,
    own: BuiltDeck<'_>,
    plain: bool,
) -> anyhow::Result<()> {
    let BuiltDeck { file, is_saved } = own;
    let mut builder = builder::DeckBuilder::new(opened, &name_of(file), pool)?;
    if let Some(deck) = deck {
        builder.load(deck);
        // A deck that is only proposed is not saved yet.
        builder.saved = is_saved;
        builder.rewrites = is_saved;
    }
    if plain || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        lines::run(&mut builder, file)
    } else {
        screen::run(builder, file)
    }
}

/// Writes the deck that is being built. What the file has and the builder does not know stays as it is:
/// comments, attributes and elements of other programs.
fn save(builder: &mut builder::DeckBuilder<'_>, file: &Path) -> anyhow::Result<()> {
    let deck = builder.deck();
    let kept = match builder.rewrites {
        false => None,
        true => cw_files::read(file, cw_files::DECK)
            .ok()
            .and_then(|original| cw_octgn::rewrite_deck(&original, &deck)),
    };
    let bytes = kept.unwrap_or_else(|| write_deck(&deck).into_bytes());
    package::write_new(file, &bytes, true)?;
    builder.saved = true;
    builder.rewrites = true;
    Ok(())
}
