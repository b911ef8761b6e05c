//! A duel to look ahead with goes on as any duel does, whoever reads its options and
//! however seldom (G51, C3, C6).

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, Lookahead, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;

/// Random duels; of their positions some are listed, some are left at once, and wrong answers are refused in
/// both.
#[test]
fn a_lookahead_goes_on_like_a_duel() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.expect("the demo game can be played");
    let (mut answers, mut unread, mut refused) = (0, 0, 0);
    for seed in 0..60 {
        let deck = |number: usize| loaded.decks[number % loaded.decks.len()].cards.clone();
        let decks = PerSeat([deck(seed), deck(seed + 1)]);
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed as u64).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed as u64);
        let mut ahead = Lookahead::new(&duel);
        while let Some(decision) = duel.pending() {
            assert_eq!(
                ahead.question(),
                Some((decision.seat, decision.question)),
                "seed {seed}"
            );
            match random.below(4) {
                0 => assert_eq!(ahead.listed().pending(), Some(decision), "seed {seed}"),
                1 => ahead.restart(&duel),
                _ => unread += 1,
            }
            for wrong in [Choice::Pass, Choice::Yes, Choice::Slot(0)] {
                if !decision.options.contains(&wrong) {
                    assert_eq!(
                        ahead.answer(wrong),
                        duel.clone().answer_silently(wrong),
                        "seed {seed}"
                    );
                    refused += 1;
                }
            }
            let choice = decision.options[random.below(decision.options.len())];
            duel.answer_silently(choice).expect("it was offered");
            ahead.answer(choice).expect("it was offered");
            assert_eq!(
                ahead.position().hash(),
                duel.hash(),
                "seed {seed}: after {choice:?}"
            );
            answers += 1;
        }
        assert_eq!(ahead.question(), None);
        assert_eq!(ahead.position().outcome(), duel.outcome());
        assert!(ahead.answer(Choice::Pass).is_err());
    }
    assert!(
        answers > 3_000 && unread > 1_000 && refused > 3_000,
        "{answers}, {unread}, {refused}"
    );
}
