//! What a duel allocates while it is played.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Duel, Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;

/// Answering and listing the next options works in memory that the duel has already. What is
/// counted is every answer of whole duels, and every two of those that chance plays: none allocates
/// in a game without rules on cards; with them, only expressions that make text, lists or generators
/// do, in less than one of fifty answers.
#[test]
fn playing_allocates_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let scripted = loaded.game.clone().expect("the demo game can be played");
    let mut plain = Game::clone(&scripted);
    for model in &mut plain.models {
        model.program = None;
    }
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);

    let (answers, allocating) = count(&Arc::new(plain), &decks);
    assert_eq!(allocating, 0, "of {answers} answers");
    let (answers, allocating) = count(&scripted, &decks);
    assert!(allocating * 50 < answers, "{allocating} of {answers} answers");
}

/// Answers in random duels, and how many of them allocated.
fn count(game: &Arc<Game>, decks: &cw_duel::Decks) -> (u64, u64) {
    let (mut answers, mut allocating) = (0, 0);
    for seed in 0..200 {
        let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending() {
            let choice = random.pick(decision);
            let counted = allocation_counter::measure(|| {
                duel.answer_silently(choice).expect("it was offered");
            });
            answers += 1;
            allocating += u64::from(counted.count_total > 0);
        }
        let mut duel = Duel::new(Arc::clone(game), decks, seed).expect("the decks are legal");
        while duel.pending().is_some() {
            let counted = allocation_counter::measure(|| {
                answers += u64::from(duel.play_by_chance(2, &mut |bound| random.below(bound)));
            });
            allocating += u64::from(counted.count_total > 0);
        }
    }
    (answers, allocating)
}
