//! The computer player on the demo game: it plays well enough, and by nothing but what it sees.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, Game, Outcome, PerSeat, Seat};
use cw_load::{Loaded, load};
use cw_octgn::Folder;
use cw_players::{Random, Sensible, sight};

fn saltmarsh() -> (Loaded, Arc<Game>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(&Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    (loaded, game)
}

fn begin(loaded: &Loaded, game: &Arc<Game>, seed: u64) -> Duel {
    let swap = (seed % 2) as usize;
    let decks = [swap, 1 - swap].map(|deck| loaded.decks[deck].cards.clone());
    Duel::new(Arc::clone(game), &PerSeat(decks), seed).expect("the decks are legal")
}

/// The choice of the seat that is asked.
fn choice(duel: &Duel) -> Option<Choice> {
    let decision = duel.pending()?;
    let view = duel.view(decision.seat);
    let guess = |seed| duel.sample(decision.seat, seed);
    Some(Sensible::new(sight(&view)).choose(decision, &view, &guess))
}

/// D50: what the seat cannot know, and what chance will bring, change nothing in what it does: two
/// duels that differ only in that get the same answer, at every decision and inside effects.
#[test]
fn it_chooses_by_what_it_sees() {
    let (loaded, game) = saltmarsh();
    let (mut compared, mut inside, mut differed) = (0, 0, 0);
    for seed in 0..8 {
        let mut duel = begin(&loaded, &game, seed);
        let mut random = Random::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            let chosen = choice(&duel).expect("it is asked");
            if let Some(other) = duel.sample(decision.seat, seed ^ 0x5EED) {
                assert_eq!(choice(&other), Some(chosen), "seed {seed}: {decision:?}");
                let guess = |duel: &Duel| duel.sample(decision.seat, seed).map(|guess| guess.hash());
                assert_eq!(guess(&other), guess(&duel), "seed {seed}: {decision:?}");
                compared += 1;
                inside += u64::from(decision.place.is_some());
                differed += u64::from(other.hash() != duel.hash());
            }
            // Chance leads to more positions than good play.
            let next = if compared % 2 == 0 {
                chosen
            } else {
                random.pick(&decision)
            };
            duel.answer_silently(next).expect("it was offered");
        }
    }
    eprintln!("{compared} compared, {inside} inside effects, {differed} differed");
    assert!(compared > 300 && inside > 20 && differed * 10 > compared * 9);
}

/// It beats chance nearly always, with either deck and from either seat.
#[test]
fn it_beats_chance() {
    let (loaded, game) = saltmarsh();
    let duels = 24;
    let mut won = 0;
    for seed in 0..duels {
        let mut duel = begin(&loaded, &game, seed);
        let me = Seat::from_index((seed / 2 % 2) as usize);
        let mut random = Random::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            let next = match decision.seat == me {
                true => choice(&duel).expect("it is asked"),
                false => random.pick(&decision),
            };
            duel.answer_silently(next).expect("it was offered");
        }
        won += u64::from(matches!(duel.outcome(), Some(Outcome::Won { winner, .. }) if winner == me));
    }
    eprintln!("{won} of {duels} won");
    assert!(won * 10 >= duels * 9, "{won} of {duels}");
}
