//! Why something is not possible: every refusal with its rule.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{Attempt, CardId, Choice, Duel, PerSeat, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::ModelId;

/// D3, D17, D29, R406, R411, R420, R425: in random duels of the demo game, inside effects too, the
/// refusals agree with the options of every decision, and each names a rule.
#[test]
fn reasons_agree_with_the_options_of_the_demo_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let all = all_choices(game.models.len() as u16);
    let (mut positions, mut inside) = (0, 0);
    let mut rules = BTreeSet::new();
    for seed in 0.. {
        if positions > 3_000 {
            break;
        }
        let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending().cloned() {
            let in_effect = decision.place.is_some();
            if in_effect || random.below(5) == 0 {
                agree(&duel, &all, &mut rules);
                positions += 1;
                inside += usize::from(in_effect);
            }
            duel.answer_silently(random.pick(&decision))
                .expect("an option is accepted");
        }
    }
    assert!(
        positions > 3_000 && inside > 400,
        "{positions} positions, {inside} in effects"
    );
    assert!(rules.len() > 60, "{} rules came up: {rules:?}", rules.len());
}

#[track_caller]
fn agree(duel: &Duel, all: &[Choice], rules: &mut BTreeSet<&'static str>) {
    let decision = duel.pending().expect("the duel goes on");
    for choice in all {
        let refusal = duel.why_not_by(decision.seat, Attempt::Answer(*choice));
        let is_offered = decision.options.contains(choice);
        assert_eq!(
            refusal.is_none(),
            is_offered,
            "{choice:?}, {refusal:?}: {decision:?}"
        );
        let Some(refusal) = refusal else { continue };
        assert!(!refusal.rules.is_empty(), "{choice:?}: {refusal:?}");
        rules.extend(refusal.rules);
    }
}

/// Every answer that there could be.
fn all_choices(models: u16) -> Vec<Choice> {
    let cards = || (0..100).map(CardId);
    let seats = || Seat::BOTH.into_iter();
    [
        Choice::Pass,
        Choice::Yes,
        Choice::No,
        Choice::Top,
        Choice::Bottom,
        Choice::Heads,
        Choice::Tails,
        Choice::Done,
        Choice::Decline,
    ]
    .into_iter()
    .chain(cards().map(Choice::Play))
    .chain(cards().map(Choice::BackUp))
    .chain(cards().map(Choice::Activate))
    .chain(cards().map(Choice::Attack))
    .chain(cards().map(Choice::Join))
    .chain(cards().map(Choice::CancelAttack))
    .chain(cards().map(Choice::Block))
    .chain(cards().map(Choice::CancelBlock))
    .chain(cards().map(Choice::Card))
    .chain((0..5).map(Choice::Slot))
    .chain((0..models).map(|model| Choice::Copy(ModelId(model))))
    .chain(seats().map(Choice::Player))
    .chain(seats().map(Choice::Zone))
    .chain((0..3).map(Choice::Type))
    .chain((0..3).map(Choice::Action))
    .collect()
}
