//! Reasons and options agree: whatever is not offered is refused for a reason, and nothing else is.

mod common;

use common::{Dice, games, start_in, step};
use cw_duel::{Attempt, CardId, Choice, Duel, Seat};
use cw_program::ModelId;

/// Every answer that could be given in a duel with so many cards, slots and models.
fn all_choices() -> Vec<Choice> {
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
    .chain((0..9).map(Choice::Slot))
    .chain((0..20).map(|model| Choice::Copy(ModelId(model))))
    .chain(seats().map(Choice::Player))
    .chain(seats().map(Choice::Zone))
    .chain((0..3).map(Choice::Type))
    .chain((0..3).map(Choice::Action))
    .collect()
}

/// D3, G87: `why_not` is `None` exactly for what is offered, and a refusal always names a rule; for
/// the player who is not asked everything is refused.
#[test]
fn reasons_agree_with_the_options() {
    let all = all_choices();
    let (mut offered, mut refused) = (0, 0);
    for (seed, game) in (0..16).zip(games().iter().cycle()) {
        let mut duel = start_in(game, seed);
        let mut dice = Dice(seed + 3);
        while duel.pending().is_some() {
            if dice.below(4) == 0 {
                let (some, none) = agree(&duel, &all);
                offered += some;
                refused += none;
            }
            step(&mut duel, &mut dice);
        }
        assert!(
            duel.why_not(Choice::Pass, None)
                .is_some_and(|refusal| refusal.is_by("D8"))
        );
    }
    assert!(
        offered > 2_000 && refused > 200_000,
        "{offered} offered, {refused} refused"
    );
}

fn agree(duel: &Duel, all: &[Choice]) -> (usize, usize) {
    let decision = duel.pending().expect("the duel goes on");
    let seat = decision.seat;
    let mut offered = 0;
    for choice in all {
        let refusal = duel.why_not_by(seat, Attempt::Answer(*choice));
        let is_offered = decision.options.contains(choice);
        assert_eq!(
            refusal.is_none(),
            is_offered,
            "{choice:?}, {refusal:?}: {decision:?}"
        );
        assert!(refusal.is_none_or(|refusal| !refusal.rules.is_empty() && !refusal.why.is_empty()));
        assert!(duel.why_not_by(seat.other(), Attempt::Answer(*choice)).is_some());
        offered += usize::from(is_offered);
    }
    (offered, all.len() - offered)
}
