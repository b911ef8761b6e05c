//! Decks that computers draft against decks of picks by chance, out of the same packs.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of a test: what is missing ends the test"
)]

use std::sync::Arc;

use cw_chance::Chance;
use cw_draft::{DraftAct, DraftPacks, DraftPlayer, DraftRecord};
use cw_duel::PerSeat;
use cw_load::Project;
use cw_octgn::{Booster, Folder, Pool, Ratings, build, deck_of};
use cw_players::{Level, SearchBudget};
use cw_program::ModelId;
use cw_sim::{DuelPlan, Exchange, Matchup, StopRule};
use cw_stats::Pairs;

/// Seats of a draft, and packs that each opens.
const SEATS: usize = 8;
const ROUNDS: usize = 3;

/// Who builds the decks of those who pick by chance.
#[derive(Clone, Copy)]
enum Builder {
    /// The same as for the computers: only the picks differ.
    TheComputer,
    /// Chance, too.
    Chance,
}

/// A draft in which every other seat picks by chance.
fn drafted(project: &Project, seed: u64, ratings: &Ratings) -> DraftRecord {
    let booster = Booster::new(&project.package, 0, 0);
    let packs = DraftPacks::of_boosters(&vec![booster; ROUNDS], SEATS, seed);
    let players: Vec<DraftPlayer> = (0..SEATS)
        .map(|seat| match seat % 2 {
            0 => DraftPlayer::Computer,
            _ => DraftPlayer::Person,
        })
        .collect();
    let mut record = DraftRecord::new(Arc::new(packs), &players);
    let mut chance = Chance::seeded(seed);
    let most = project.most_in_draft();
    while !record.draft().is_over() {
        record.run_computers(ratings, &most);
        for seat in (1..SEATS).step_by(2) {
            let view = record.draft().view(seat);
            if !view.pack.is_empty() {
                let place = chance.below(u32::try_from(view.pack.len()).unwrap(), &[]) as usize;
                let number = view.number;
                record.act(DraftAct::Pick { seat, number, place }).unwrap();
            }
        }
    }
    record
}

fn deck(project: &Project, pool: &Pool, ratings: &Ratings, builder: Builder, seed: u64) -> Vec<ModelId> {
    let rules = project.deck_rules().unwrap();
    let rules = rules.limited(project, |rules| pool.playable(&|card| rules.copies_of(card)));
    let by_chance = {
        let mut cards: Vec<_> = ratings.cards().collect();
        Chance::seeded(seed).shuffle(&mut cards);
        Ratings::of_numbers(cards.into_iter().zip(1..).collect())
    };
    let ratings = match builder {
        Builder::TheComputer => ratings,
        Builder::Chance => &by_chance,
    };
    let cards = build(pool, ratings, Some(*rules.size.start()), &|card| {
        rules.copies_of(card)
    });
    let deck = deck_of(&project.package, "", &cards);
    assert_eq!(
        project.reasons(&deck, Some(&rules.of_pool(pool))),
        Vec::<String>::new()
    );
    project.deck_cards(&deck)
}

/// The pairs of duels of so many drafts: each computer's deck against a deck of picks by chance, both going
/// first once.
fn pairs(project: &Project, drafts: u64, level: Level, builder: Builder) -> Pairs {
    let booster = Booster::new(&project.package, 0, 0);
    let printed = Ratings::new(&project.package, &[booster], None);
    let ratings = project.draft_ratings(printed).unwrap();
    let game = project.game().unwrap().unwrap().game;
    let mut pairs = Pairs::default();
    for seed in 0..drafts {
        let record = drafted(project, seed, &ratings);
        let made = |seat: usize, builder: Builder| {
            deck(
                project,
                record.draft().pool(seat),
                &ratings,
                builder,
                seed * 8 + seat as u64,
            )
        };
        let matchups: Vec<Matchup> = (0..SEATS)
            .step_by(2)
            .map(|seat| Matchup {
                names: PerSeat(["drafted".to_owned(), "by chance".to_owned()]),
                decks: PerSeat([made(seat, Builder::TheComputer), made(seat + 1, builder)]),
            })
            .collect();
        let plan = DuelPlan {
            game: Arc::clone(&game),
            seed,
            budgets: [SearchBudget::default(); 2],
            exchange: Exchange::Turns,
            stop: StopRule::After(matchups.len() as u64),
            matchups,
        };
        for number in 0..plan.stop.most() {
            let (mut one, mut two) = (level, level);
            pairs.add(plan.play(number, &mut one, &mut two).quarters());
        }
    }
    pairs
}

/// What computers pick wins 70 % against what chance picks, whoever builds the decks. `CARDWRIGHT_DRAFTS=250`
/// runs the campaign, as
/// `docs/benchmarks.md` has it.
#[test]
fn drafted_decks_beat_decks_of_random_picks() {
    let project = Project::read(Folder::new("../../games/saltmarsh")).unwrap();
    let drafts = std::env::var("CARDWRIGHT_DRAFTS")
        .ok()
        .and_then(|many| many.parse().ok());
    for (builder, words) in [
        (Builder::TheComputer, "built by the computer"),
        (Builder::Chance, "built by chance"),
    ] {
        let pairs = pairs(&project, drafts.unwrap_or(10), Level::Plain, builder);
        let interval = pairs.interval(0.95);
        let told = format!(
            "{} pairs against picks by chance, {words}: {:.1} % [{:.1}, {:.1}]",
            pairs.number(),
            100.0 * pairs.score(),
            100.0 * interval.low,
            100.0 * interval.high
        );
        if drafts.is_some() {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr(), "{told}");
        }
        assert!(pairs.score() >= 0.7, "{told}");
    }
}
