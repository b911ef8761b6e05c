//! Previews of options on guesses, in whole duels of the demo game.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Duel, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{RandomPlayer, preview};

/// D50: what a preview tells does not depend on what the seat cannot know: on every guess, and on the
/// true duel, it is the same up to the first unknown thing.
#[test]
fn a_preview_does_not_depend_on_what_is_hidden() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let (mut told, mut unknown, mut differ) = (0, 0, Vec::new());
    for seed in 0..30 {
        let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            let seat = decision.seat;
            let guesses: Vec<Duel> = (0..3)
                .filter_map(|guess| duel.sample(seat, seed * 100 + guess))
                .collect();
            for option in decision.options.iter().filter(|_| !guesses.is_empty()) {
                let truth = preview(&duel, seat, *option);
                for guess in &guesses {
                    let guessed = preview(guess, seat, *option);
                    match (truth.unknown, guessed.unknown) {
                        (false, false) if truth != guessed => {
                            differ.push(format!("seed {seed}, {option:?}: {truth:?} but {guessed:?}"));
                        }
                        (false, false) => told += 1,
                        _ => unknown += 1,
                    }
                }
            }
            duel.answer_silently(random.pick(&decision))
                .expect("an option is accepted");
        }
    }
    assert!(
        differ.is_empty(),
        "{} differ:\n{}",
        differ.len(),
        differ.join("\n")
    );
    assert!(told > 20_000 && unknown > 100, "{told} told, {unknown} unknown");
}
