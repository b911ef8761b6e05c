//! `cardwright balance`: what one run says about a whole game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_balance::{BalanceReport, Patch, page};
use cw_faces::{CardFace, Catalogue, FaceSize, face};
use cw_lab::{BalanceRequest, Contestant, balance_command, cannot_write};
use cw_load::Loaded;
use cw_octgn::PackageFiles;
use cw_program::ModelId;
use cw_sim::{DuelPlan, Exchange, StopRule};

use super::arena;
use super::sim::MachineArgs;
use crate::output::{self, say};
use crate::progress::Terminal;
use crate::{game, package};

/// Find decks and cards that are too strong, and show how certain each result is
///
/// One player plays both sides of every pair of decks. These duels give the matrix of decks, the value of
/// going first, the length of duels, and figures for each card. Then every card is replaced, on the same
/// seeds, to find out how much it wins. The same seed gives the same report on any number of threads.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays both sides: random, plain, novice, easy, normal, one of these with its own number of
    /// playouts (easy@500), or `cmd:PROGRAM` for a bot
    #[arg(long, value_name = "PLAYER")]
    players: Contestant,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Play this deck: a name or an .o8d file; may be repeated [default: all decks of the game]
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// Total number of pairs of duels; the matchups of decks take turns [default: 20 for each matchup]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: Option<u64>,
    /// Number of pairs of duels in which each card is replaced; 0 to replace none [default: a tenth of
    /// --pairs, 20 to 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    card_pairs: Option<u64>,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of playouts the player may use for one answer, unless its name gives one (easy@500)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Play with the changes in this file on the same seeds, and show their effect
    #[arg(long, value_name = "PATCH.TOML")]
    what_if: Option<PathBuf>,
    /// Search for a few small changes that move the score of every matchup and of going first into this
    /// range, as in 50±3 (or 50+-3)
    #[arg(long, value_name = "PERCENT", value_parser = cw_lab::wanted)]
    target: Option<f64>,
    #[command(flatten)]
    here: MachineArgs,
    /// Write the report as a page for the browser to this file
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Play even if rules have errors; cards with errors play without their rules
    #[arg(long)]
    allow_errors: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (loaded, game) = game::open(args.game.as_deref())?;
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)?;
    }
    let matchups = cw_lab::different(&arena::decks(&loaded, &args.decks)?);
    let pairs = args.pairs.unwrap_or(20 * matchups.len() as u64);
    let plan = DuelPlan {
        game,
        matchups,
        seed: args.seed,
        budgets: [args.players.budget(args.playouts); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(pairs),
    };
    plan.check()?;
    let patch = args
        .what_if
        .as_deref()
        .map(|path| read(path, &plan))
        .transpose()?;
    if let Some(out) = &args.out
        && !out
            .parent()
            .is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
    {
        bail!("{}: there is no such folder", cannot_write(out));
    }
    if let Some(out) = &args.out
        && out.is_dir()
    {
        bail!("{}: it is a folder; name a file in it", cannot_write(out));
    }
    if let Some(out) = &args.out {
        package::refuse_old(out, args.force)?;
    }
    let terminal = Terminal::default();
    let card_pairs = args.card_pairs.unwrap_or(cw_lab::card_pairs(pairs));
    let command = balance_command(&plan, &args.players, card_pairs, &args.decks) + &more(args);
    let asked = BalanceRequest {
        plan: &plan,
        player: &args.players,
        card_pairs,
        what_if: patch.as_ref(),
        target: args.target,
        command: &command,
    };
    let report = cw_lab::balance(&asked, &args.here.with(&terminal))?;
    // First what cannot fail: were the page not to be written, the duels would be lost.
    if args.json {
        output::line(&serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    if let Some(out) = &args.out {
        let page = page(&report, &faces(&loaded, &plan, &report));
        package::write_new(out, page.as_bytes(), args.force)?;
        if !args.json {
            say!("  everything is in {}", out.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What else belongs into the command that gives the report again.
fn more(args: &Args) -> String {
    let mut text = String::new();
    let mut add = |option: &str, value: &Path| {
        text.push_str(&format!(
            " {option} {}",
            cw_lab::shell_quoted(&value.display().to_string())
        ));
    };
    if let Some(game) = &args.game {
        add("--game", game);
    }
    if let Some(patch) = &args.what_if {
        add("--what-if", patch);
    }
    if let Some(wanted) = args.target {
        text.push_str(&format!(" --target 50±{}", (wanted * 1e6).round() / 1e4));
    }
    if let Some(playouts) = args.playouts {
        text.push_str(&format!(" --playouts {playouts}"));
    }
    if args.allow_errors {
        text.push_str(" --allow-errors");
    }
    text
}

/// Reads a patch, which can be made.
fn read(path: &Path, plan: &DuelPlan) -> anyhow::Result<Patch> {
    let shown = path.display();
    let text =
        cw_files::read_text(path, cw_files::PATCH).with_context(|| format!("cannot read “{shown}”"))?;
    let patch = Patch::read(&text).with_context(|| format!("“{shown}” cannot be used"))?;
    cw_lab::changed(plan, &patch).map_err(|why| anyhow::anyhow!("“{shown}” cannot be used: {why}"))?;
    Ok(patch)
}

/// Pictures of the cards, as they are shown when a card is pointed at.
fn faces(loaded: &Loaded, plan: &DuelPlan, report: &BalanceReport) -> BTreeMap<ModelId, String> {
    let catalogue = Catalogue::of(&loaded.project);
    let files: &dyn PackageFiles = &*loaded.project.files;
    let drawn = report.cards.iter().filter_map(|card| {
        let drawn = face(
            CardFace {
                game: &plan.game,
                model: card.model,
                form: None,
                catalogue: &catalogue,
                files: Some(files),
                picture: catalogue.picture,
            },
            FaceSize::Full,
        )?;
        Some((card.model, image(&drawn)))
    });
    drawn.collect()
}

/// An SVG as an image of its own, so that names inside two of them do not meet.
fn image(svg: &str) -> String {
    let mut out = String::from("<img alt=\"\" loading=\"lazy\" src=\"data:image/svg+xml,");
    for byte in svg.bytes() {
        match byte {
            b'%' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'&' | 0..=31 | 127.. => {
                out.push_str(&format!("%{byte:02X}"));
            }
            byte => out.push(char::from(byte)),
        }
    }
    out.push_str("\">");
    out
}

fn percent(figure: cw_balance::Figure) -> String {
    format!(
        "{:.1} % [{:.1}, {:.1}]",
        figure.value * 100.0,
        figure.low * 100.0,
        figure.high * 100.0
    )
}

fn difference(figure: cw_balance::Figure) -> String {
    format!(
        "{:+.1} points [{:+.1}, {:+.1}]",
        figure.value * 100.0,
        figure.low * 100.0,
        figure.high * 100.0
    )
}

/// The answers in a few lines.
fn print(report: &BalanceReport) {
    let ran = &report.ran;
    let s = |number: usize| if number == 1 { "" } else { "s" };
    say!(
        "{}{}: {} plays both sides of {} matchup{} of {} deck{}, {} duels, seed {}, plan {}",
        ran.game,
        if ran.scripted {
            ""
        } else {
            " (unscripted: cards are played without their texts)"
        },
        ran.player,
        report.first_by_matchup.len(),
        s(report.first_by_matchup.len()),
        report.decks.len(),
        s(report.decks.len()),
        ran.duels,
        ran.seed,
        ran.plan
    );
    say!("  who goes first scores {}", percent(report.first));
    let [early, half, late] = report.quantiles;
    say!("  half of the duels end by turn {half}, eight of ten from turn {early} to {late}");
    let width = report
        .decks
        .iter()
        .map(|deck| deck.name.chars().count())
        .max()
        .unwrap_or(0);
    if report.decks.len() > 1 {
        say!(
            "  decks: score against all others; \
             share in the mixture that nobody beats (part of it in so many resamples)"
        );
        let scores = (0..).map(|at| report.best_score(at));
        let mut decks: Vec<_> = report.decks.iter().zip(scores).collect();
        let value = |score: Option<cw_balance::Figure>| score.map_or(0.5, |score| score.value);
        decks.sort_by(|one, two| value(two.1).total_cmp(&value(one.1)));
        for (deck, score) in decks {
            let score = score.map_or("–".to_owned(), percent);
            let name = &deck.name;
            say!(
                "    {name:width$}  {score}; {:.0} % ({:.0} %)",
                deck.share * 100.0,
                deck.support * 100.0
            );
        }
        let mut cells = Vec::new();
        for (one, row) in report.decks.iter().zip(report.best_matrix()) {
            for (two, figure) in report.decks.iter().zip(row) {
                cells.extend(
                    figure
                        .filter(|figure| figure.value > 0.5)
                        .map(|figure| (one, two, figure)),
                );
            }
        }
        // By the end of the interval that is nearest to 50, as the page does.
        cells.sort_by(|one, two| {
            let known = two.2.low.total_cmp(&one.2.low);
            known.then(two.2.value.total_cmp(&one.2.value))
        });
        if report.is_undecidable() {
            say!("  too few pairs per matchup to decide any");
            cells.clear();
        } else {
            say!("  widest matchups");
        }
        for (one, two, figure) in cells.iter().take(3) {
            say!("    {} against {}: {}", one.name, two.name, percent(*figure));
        }
        if let Some(without) = &report.without_luck {
            say!(
                "  the luck of the draw is taken out of the decks' scores; \
                 with it, intervals as narrow would need {:.1} times the duels",
                without.saves
            );
        }
    }
    let held = |pick: fn(&cw_balance::CardReport) -> &Option<cw_balance::Shift>, what: &str| {
        let mut found: Vec<_> = report
            .cards
            .iter()
            .filter_map(|card| {
                pick(card)
                    .as_ref()
                    .filter(|shift| shift.holds)
                    .map(|shift| (card, shift))
            })
            .collect();
        found.sort_by(|one, two| two.1.change.value.total_cmp(&one.1.change.value));
        let asked = report.cards.iter().filter(|card| pick(card).is_some()).count();
        // Without rules there are no texts.
        if asked == 0 {
            return;
        }
        say!(
            "  {what}: {} of {asked} hold, {} pairs each",
            found.len(),
            ran.card_pairs
        );
        for (card, shift) in &found {
            say!("    {}: {}", card.name, difference(shift.change));
        }
    };
    if ran.card_pairs > 0 {
        held(
            |card| &card.over_ordinary,
            "cards that win more or less than an ordinary one",
        );
        held(|card| &card.text, "texts that win or lose");
    }
    let unused: Vec<&str> = report
        .cards
        .iter()
        .filter(|card| card.use_rate.n > 0 && card.use_rate.high < 0.1)
        .map(|card| card.name.as_str())
        .collect();
    if !unused.is_empty() {
        let named = &unused[..unused.len().min(12)];
        let more = match unused.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        say!("  hardly ever used when drawn: {}{more}", named.join(", "));
    }
    if let Some(what_if) = &report.what_if {
        print_changes("what if", what_if);
    }
    if let Some(target) = &report.target {
        if target.changes.is_empty() {
            let found = match target.tried {
                0 => "every figure is already in its target range; nothing was tried".to_owned(),
                tried => format!("none of the {tried} small changes that were tried comes closer"),
            };
            say!(
                "  target: {found}; on fresh seeds the figure farthest from 50 is off by {:.1} points",
                target.worst[1] * 100.0
            );
        } else {
            let reached = match target.worst {
                _ if target.reached => "reached",
                [before, after] if after < before => "not all the way",
                _ => "no nearer",
            };
            say!(
                "  target, {reached}: \
                 on fresh seeds the figure farthest from 50 was off by {:.1} points, and is by {:.1}",
                target.worst[0] * 100.0,
                target.worst[1] * 100.0
            );
            print_changes("suggested", &target.proof);
        }
    }
    for caveat in &report.caveats {
        say!("  note: {caveat}");
    }
}

fn print_changes(title: &str, what_if: &cw_balance::WhatIf) {
    say!("  {title}: {}", what_if.changes.join("; "));
    for change in std::iter::once(&what_if.first).chain(&what_if.matchups) {
        let mark = if change.shift.holds { "●" } else { " " };
        let shift = &change.shift;
        // What is the same in every pair needs no line.
        if shift.better + shift.worse > 0 {
            say!(
                "    {mark} {} – {}: {:.1} % to {:.1} %, {}, alike in {:.0} %",
                change.decks[0],
                change.decks[1],
                change.before.value * 100.0,
                change.after.value * 100.0,
                difference(shift.change),
                shift.same * 100.0
            );
        }
    }
}
