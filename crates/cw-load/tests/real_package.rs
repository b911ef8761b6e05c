//! A real package from disk to the end of its duels, where there is one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cw_duel::{Duel, Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::{CardType, ModelId};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Plays by chance to the end, with every invariant checked at every decision.
fn play(game: &Arc<Game>, decks: [&[ModelId]; 2], seed: u64) {
    let decks = PerSeat(decks.map(<[ModelId]>::to_vec));
    let mut duel = Duel::new(Arc::clone(game), &decks, seed).expect("the decks are legal");
    let mut random = RandomPlayer::new(seed);
    let mut choices = 0;
    while let Some(decision) = duel.pending() {
        let choice = random.pick(decision);
        let place = decision.place;
        duel.answer_silently(choice).expect("what is offered is accepted");
        choices += 1;
        if let Err(broken) = duel.check_invariants() {
            panic!("seed {seed}, choice {choices}, {choice:?} at {place:?}: {broken}");
        }
        assert!(choices < 100_000, "seed {seed} does not end");
    }
    assert!(duel.outcome().is_some());
}

/// P1, P12, D17, D60: a real package loads, its texts without rules are known as such, and its decks
/// play to an end.
#[test]
fn the_real_package_plays() {
    let folder = workspace().join("../shared/data/cfc");
    if !folder.is_dir() {
        eprintln!("SKIPPED the_real_package_plays: there is no ../shared/data/cfc");
        return;
    }
    let loaded = load(Folder::new(folder)).expect("its files can be read");
    let game = loaded.game.clone().expect("it can be played");
    assert_eq!(loaded.project.package.sets.len(), 2);
    assert_eq!((loaded.project.refs().len(), game.models.len()), (476, 476));
    assert_eq!(loaded.decks.len(), 17);
    // G10, D60: cards of other types load, and are no part of a deck.
    let of_type = |wanted: Option<CardType>| {
        let models = game.models.iter();
        models.filter(|model| model.card_type == wanted).count()
    };
    assert_eq!(
        [
            Some(CardType::Character),
            Some(CardType::Action),
            Some(CardType::Reaction),
            None
        ]
        .map(of_type),
        [320, 64, 40, 52]
    );
    // G10: its cards are not here with their scripts.
    assert!(game.models.iter().all(|model| model.program.is_none()));
    assert!(game.models.iter().any(cw_duel::CardModel::is_unscripted));
    for (index, deck) in loaded.decks.iter().enumerate() {
        let read = loaded
            .project
            .deck_of_package(&loaded.project.package.decks[index]);
        assert_eq!(read.errors(), [], "{}", deck.name);
        assert_eq!(game.deck_faults(&deck.cards), Vec::new(), "{}", deck.name);
        let other = &loaded.decks[(index + 1) % loaded.decks.len()];
        for seed in 0..20 {
            play(&game, [&deck.cards, &other.cards], seed);
        }
    }
}
