//! The luck of the draw: what it is, that its mean is nothing, and that scores without it are the same
//! scores.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{DuelEvent, DuelSetup, PerSeat, Seat, ZoneKind};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::{Level, SearchBudget};
use cw_program::{ModelId, PileName};
use cw_sim::{Detail, DuelPlan, Exchange, Matchup, Pair, StopRule, Total};

fn saltmarsh() -> Loaded {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    load(Folder::new(root)).expect("the demo game can be read")
}

fn plan(loaded: &Loaded, decks: &[(&str, Vec<ModelId>)], seed: u64) -> DuelPlan {
    let mut matchups = Vec::new();
    for (at, one) in decks.iter().enumerate() {
        for two in &decks[at + 1..] {
            matchups.push(Matchup {
                names: PerSeat([one.0.to_owned(), two.0.to_owned()]),
                decks: PerSeat([one.1.clone(), two.1.clone()]),
            });
        }
    }
    DuelPlan {
        matchups,
        game: Arc::clone(loaded.game.as_ref().expect("the demo game can be played")),
        seed,
        budgets: [SearchBudget::default(); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(u64::MAX),
    }
}

fn listed(loaded: &Loaded) -> Vec<(&str, Vec<ModelId>)> {
    let decks = loaded.decks.iter();
    decks
        .map(|deck| (deck.name.as_str(), deck.cards.clone()))
        .collect()
}

fn random(plan: &DuelPlan, number: u64) -> Pair {
    plan.play(number, &mut Level::Random, &mut Level::Random)
}

/// The farthest that the mean of any card's luck in any deck is from nothing, in its standard deviations.
fn farthest(pairs: &[Pair]) -> (f64, usize) {
    // The two duels of a pair have their luck in common.
    let mut sums: BTreeMap<(u64, Seat, ModelId), (f64, f64)> = BTreeMap::new();
    for pair in pairs {
        let mut both: BTreeMap<(u64, Seat, ModelId), f64> = BTreeMap::new();
        for duel in &pair.duels {
            for seat in Seat::BOTH {
                for row in &duel.cards[seat] {
                    *both.entry((0, seat, row.model)).or_default() += f64::from(row.surprise) / 1e6;
                }
            }
        }
        for (key, luck) in both {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + luck, sum.1 + luck * luck);
        }
    }
    let far = |(sum, squares): &(f64, f64)| sum.abs() / squares.sqrt().max(1e-9);
    (sums.values().map(far).fold(0.0, f64::max), sums.len())
}

/// Whatever a player does, luck is nothing on average: a few thousand duels of all decks.
#[test]
fn the_mean_of_luck_is_nothing() {
    let loaded = saltmarsh();
    let plan = plan(&loaded, &listed(&loaded), 3);
    let pairs: Vec<Pair> = (0..1_500).map(|number| random(&plan, number)).collect();
    let (far, cards) = farthest(&pairs);
    assert!(
        cards > 100 && far < 4.0,
        "{far} deviations, {cards} cards of decks"
    );
}

/// Nor do cards that look into decks, put cards on them, search and shuffle them make luck of knowledge.
#[test]
fn cards_that_look_into_decks_are_no_luck() {
    let loaded = saltmarsh();
    let game = loaded.game.as_ref().expect("the demo game can be played");
    let text =
        |model: &cw_duel::CardModel| format!("{:?}", model.program.as_ref().map(|program| &program.effects));
    let looks = |model: &cw_duel::CardModel| {
        let text = text(model);
        [
            "Prophecy",
            "MoveRevealed",
            "Shuffle",
            "MoveTo",
            "Search",
            "pile: Deck",
            "name: Deck",
        ]
        .iter()
        .any(|word| text.contains(word))
    };
    let lookers: Vec<ModelId> = game
        .numbered()
        .filter(|(_, model)| looks(model))
        .map(|(id, _)| id)
        .collect();
    assert!(lookers.len() >= 4, "{lookers:?}");
    // Half of the deck are such cards, the other half is as in a deck that is well made.
    let others = &loaded.decks[0].cards;
    let deck: Vec<ModelId> = (0..25)
        .map(|at| lookers[at % lookers.len()])
        .chain(others.iter().copied().step_by(2))
        .collect();
    let plan = plan(&loaded, &[("lookers", deck.clone()), ("others", deck)], 4);
    let pairs: Vec<Pair> = (0..1_500).map(|number| random(&plan, number)).collect();
    let (far, _) = farthest(&pairs);
    assert!(far < 4.0, "{far} deviations");
    // After the opening hands, what is known of a deck is not counted: less luck than draws.
    let duels = || pairs.iter().flat_map(|pair| &pair.duels);
    let whole = duels()
        .flat_map(|duel| &duel.cards[Seat::One])
        .map(|row| i64::from(row.surprise).abs())
        .sum::<i64>();
    assert!(whole > 0);
}

/// Of every duel in which nothing but draws touches the decks, luck is what a slow count of the draws says.
#[test]
fn luck_is_what_was_drawn_less_what_was_to_be_expected() {
    let loaded = saltmarsh();
    let plan = plan(&loaded, &listed(&loaded), 5);
    let rules = plan
        .game
        .numbered()
        .map(|(id, model)| (id, format!("{:?}", model.program)));
    let peeks: Vec<ModelId> = rules
        .filter(|(_, text)| text.contains("pick: Some"))
        .map(|(id, _)| id)
        .collect();
    let mut counted = 0;
    for number in 0..90 {
        let pair = random(&plan, number);
        for (half, played) in pair.duels.iter().enumerate() {
            let decks = &plan.matchup(number).decks;
            let setup = DuelSetup {
                first: Some(played.first),
                allow_illegal_decks: true,
                ..DuelSetup::from(pair.seed)
            };
            let mut events: Vec<DuelEvent> = Vec::new();
            let begun = cw_duel::Duel::new_with(Arc::clone(&plan.game), decks, setup, &mut events);
            let mut duel = begun.expect("it was played before");
            for choice in &played.choices {
                duel.answer(*choice, &mut events)
                    .expect("it was answered so before");
            }
            for seat in Seat::BOTH {
                let deck = ZoneKind::Pile(PileName::Deck);
                let touched = |event: &DuelEvent| match event {
                    DuelEvent::Moved { from, to, .. } => {
                        (to.zone == deck && to.seat == seat)
                            || (from.zone == deck
                                && from.seat == seat
                                && to.zone != ZoneKind::Pile(PileName::Hand))
                    }
                    DuelEvent::Looked { deck, .. } => *deck == seat,
                    DuelEvent::Activated { card, .. } | DuelEvent::Triggered { card, .. } => {
                        peeks.contains(&card.true_model())
                    }
                    DuelEvent::Shuffled { pile, .. } => *pile == PileName::Deck,
                    _ => false,
                };
                // A duel begins with a shuffle of each deck.
                let touched = events.iter().filter(|event| touched(event)).count();
                if touched > 2 {
                    continue;
                }
                let mut left: BTreeMap<ModelId, f64> = BTreeMap::new();
                for model in &decks[seat] {
                    *left.entry(*model).or_default() += 1.0;
                }
                let mut luck: BTreeMap<ModelId, f64> = BTreeMap::new();
                for event in &events {
                    if let DuelEvent::Moved { card, from, .. } = event
                        && from.zone == deck
                        && from.seat == seat
                    {
                        let all: f64 = left.values().sum();
                        for (model, copies) in &left {
                            *luck.entry(*model).or_default() -= copies / all;
                        }
                        *luck.entry(card.true_model()).or_default() += 1.0;
                        *left.entry(card.true_model()).or_default() -= 1.0;
                    }
                }
                let noted: BTreeMap<ModelId, f64> = played.cards[seat]
                    .iter()
                    .map(|row| (row.model, f64::from(row.surprise) / 1e6))
                    .collect();
                for (model, luck) in luck {
                    let noted = noted.get(&model).copied().unwrap_or_default();
                    assert!(
                        (noted - luck).abs() < 2e-6,
                        "pair {number}, duel {half}: {noted} for {luck}"
                    );
                }
                counted += 1;
            }
        }
    }
    assert!(counted > 100, "{counted} decks");
}

/// Scores without luck are the same scores, known better; without cards nothing is corrected, nor between two
/// players.
#[test]
fn scores_without_luck_are_known_better() {
    let loaded = saltmarsh();
    let decks = listed(&loaded);
    let plan = plan(&loaded, &decks[..4], 6);
    let mut total = Total::of(&plan);
    for number in 0..1_200 {
        total.add(&plan, &random(&plan, number));
        assert!(total.corrected().is_none() || number + 1 >= total.luck.as_ref().expect("there is").least());
    }
    let correction = total.corrected().expect("there are enough pairs");
    assert!(correction.saves > 1.1, "{}", correction.saves);
    let mut far = 0.0;
    for (sums, corrected) in total.matchups.iter().zip(&correction.groups) {
        let pairs = &sums.results.pairs;
        assert_eq!(corrected.number, pairs.number());
        let wide = |of: cw_stats::Interval| of.high - of.low;
        assert!(wide(corrected.interval(0.95)) < wide(pairs.interval(0.95)));
        // The difference is the luck that was taken out: it has the variance that was saved.
        let variance = (pairs.variance() - corrected.variance) / pairs.number() as f64;
        far += (pairs.score() - corrected.score).powi(2) / variance;
    }
    // A sum of six squares is above 18.5 once in two hundred times.
    assert!(far < 18.5, "{far}");
    let mut without = Total::of(&plan);
    for number in 0..10 {
        without.add(
            &plan,
            &plan.play_noting(Detail::Duel, number, &mut Level::Random, &mut Level::Random),
        );
    }
    assert_eq!(without.luck.as_ref().map(cw_sim::DrawLuck::number), Some(0));
    let players = DuelPlan {
        exchange: Exchange::Players,
        ..plan
    };
    assert!(Total::of(&players).luck.is_none());
}
