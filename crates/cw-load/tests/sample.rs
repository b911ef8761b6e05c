//! Duels to think with: consistent with all that a seat has seen, and uniform over what it cannot
//! know (D50).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{CardId, Duel, DuelSetup, Game, PerSeat, Seat};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::ModelId;

fn saltmarsh() -> (Loaded, Arc<Game>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    (loaded, game)
}

/// `CARDWRIGHT_SAMPLES`, or few enough for every run of the tests.
fn wanted() -> u64 {
    std::env::var("CARDWRIGHT_SAMPLES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(5_000)
}

/// D50: at every kind of decision of random demo duels, a sample has the seat's view, asks it the
/// same, obeys the invariants, holds the same cards on each side, and can be played on. Inside
/// effects there may be none, but hardly ever.
#[test]
fn samples_are_consistent_with_the_view() {
    let (loaded, game) = saltmarsh();
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
    let (mut samples, mut missing, mut inside, mut differed) = (0, 0, 0, 0);
    let mut seed = 0;
    while samples < wanted() {
        seed += 1;
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            for seat in Seat::BOTH {
                samples += 1;
                inside += u64::from(decision.place.is_some());
                let Some(mut sample) = duel.sample(seat, seed ^ samples) else {
                    assert!(decision.place.is_some(), "outside effects there is always one");
                    missing += 1;
                    continue;
                };
                assert_eq!(sample.view(seat), duel.view(seat), "seed {seed}");
                assert_eq!(sides(&sample), sides(&duel), "seed {seed}");
                sample
                    .check_invariants()
                    .expect("a sample is a duel like any other");
                differed += u64::from((0..100).any(|card| {
                    let card = CardId(card);
                    sample.true_model(card) != duel.true_model(card)
                }));
                let next = sample.pending().expect("it waits, too");
                if decision.seat == seat {
                    assert_eq!(*next, decision, "seed {seed}");
                }
                let choice = random.pick(next);
                sample
                    .answer_silently(choice)
                    .expect("what is offered is accepted");
            }
            duel.answer_silently(random.pick(&decision))
                .expect("it was offered");
        }
    }
    eprintln!("{samples} samples, {inside} inside effects, {differed} differ, {missing} missing");
    assert!(inside * 20 > samples && differed * 2 > samples && missing * 50 < inside);
}

/// What the cards of each deck are, however they lie: the first fifty are those of player 1.
fn sides(duel: &Duel) -> [Vec<ModelId>; 2] {
    [0..50, 50..100].map(|cards| {
        let mut models: Vec<ModelId> = cards.filter_map(|card| duel.true_model(CardId(card))).collect();
        assert_eq!(models.len(), 50);
        models.sort_unstable();
        models
    })
}

/// D50: with decks of eight different cards, each ordered pair of them is equally often what the
/// opponent holds first and second, and what lies first and second in the seat's own deck.
/// Pearson's chi-squared of 56 cells stays below its mean of 55 plus six standard deviations.
#[test]
fn samples_are_uniform() {
    const CARDS: usize = 8;
    const SAMPLES: u64 = 28_000;
    let (_, game) = saltmarsh();
    let deck: Vec<ModelId> = (0..CARDS as u16).map(ModelId).collect();
    let setup = DuelSetup {
        first: Some(Seat::One),
        allow_illegal_decks: true,
        ..DuelSetup::from(5)
    };
    let duel =
        Duel::new(Arc::clone(&game), &PerSeat([deck.clone(), deck]), setup).expect("they may be illegal");
    let seat = Seat::One;
    let held: Vec<_> = duel.view(Seat::Two).players[Seat::Two]
        .hand
        .iter()
        .map(|view| view.card)
        .collect();
    let own: Vec<_> = (0..CARDS as u8)
        .map(CardId)
        .filter(|card| duel.known_model(seat, *card).is_none())
        .collect();
    let mut theirs = BTreeMap::<_, u64>::new();
    let mut mine = BTreeMap::<_, u64>::new();
    for seed in 0..SAMPLES {
        let sample = duel
            .sample(seat, seed)
            .expect("outside effects there is always one");
        *theirs
            .entry((sample.true_model(held[0]), sample.true_model(held[1])))
            .or_default() += 1;
        *mine
            .entry((sample.true_model(own[0]), sample.true_model(own[1])))
            .or_default() += 1;
    }
    let unlikely = |counts: &BTreeMap<_, u64>, cells: usize| {
        let expected = SAMPLES as f64 / cells as f64;
        let seen = counts
            .values()
            .map(|count| (*count as f64 - expected).powi(2) / expected);
        let squares: f64 = seen.sum::<f64>() + (cells - counts.len()) as f64 * expected;
        let freedom = (cells - 1) as f64;
        squares > freedom + 6.0 * (2.0 * freedom).sqrt()
    };
    assert!(
        held.len() >= 2 && !unlikely(&theirs, CARDS * (CARDS - 1)),
        "{theirs:?}"
    );
    let unknown = own.len();
    assert!(
        unknown >= 2 && !unlikely(&mine, unknown * (unknown - 1)),
        "{unknown}: {mine:?}"
    );
}
