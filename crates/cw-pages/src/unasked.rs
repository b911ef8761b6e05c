//! What a seat answers without being asked, and that its time tells nothing (D50, D92).

use cw_duel::{Choice, Decision, Duel, Question};
use cw_players::SeatPolicy;

/// The answer that a person's seat has left to its settings; `None` if it is asked. Whether it is asked
/// shows: an answer that comes at once was not thought about. So between people it does not depend on
/// what the other player may not know.
pub(crate) fn unasked(duel: &Duel, policy: &SeatPolicy, against_a_person: bool) -> Option<Choice> {
    let decision = duel.pending()?;
    let choice = policy.answer(decision)?;
    (!(against_a_person && would_tell(duel, decision))).then_some(choice)
}

/// Whether an answer without being asked would tell another person something: that the hand, of which
/// they do not know all, holds nothing to be used now. A computer draws no such conclusion.
fn would_tell(duel: &Duel, decision: &Decision) -> bool {
    let window = matches!(
        decision.question,
        Question::Main | Question::Attack | Question::CounterAttack
    );
    window && {
        let other = decision.seat.other();
        let hand = &duel.view(other).players[decision.seat].hand;
        hand.iter().any(|held| held.model.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use cw_duel::PerSeat;
    use cw_octgn::Folder;
    use cw_players::{Habit, PhaseStop, RandomPlayer};

    use super::*;

    /// D50, D92: whatever the other player cannot know is dealt anew, a seat is spared the same questions and
    /// gives the same answers to them. Without the test for windows it would not: that shows, too.
    #[test]
    fn what_is_answered_without_being_asked_does_not_depend_on_the_hidden() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
        let loaded = cw_load::load(Folder::new(root)).expect("the demo game can be read");
        let game = loaded.game.clone().expect("the demo game can be played");
        let (mut compared, mut spared, mut habits, mut would_have_told) = (0, 0, 0, 0);
        for seed in 0..60_u64 {
            let swap = (seed % 2) as usize;
            let decks = PerSeat([0, 1].map(|seat| loaded.decks[seat ^ swap].cards.clone()));
            let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
            let mut random = RandomPlayer::new(seed);
            let mut policies = PerSeat([SeatPolicy::default(), SeatPolicy::default()]);
            while let Some(decision) = duel.pending().cloned() {
                let policy = &mut policies[decision.seat];
                if let Some(place) = decision.place.filter(|_| crate::table::is_yes_or_no(&decision)) {
                    let habit = if seed % 3 == 0 { Habit::No } else { Habit::Yes };
                    policy.set_habit(place, Some(habit));
                }
                if seed % 5 == 0 && policy.stops.is_empty() {
                    policy.toggle(PhaseStop::Counter);
                }
                let answer = unasked(&duel, policy, true);
                spared += usize::from(answer.is_some());
                habits += usize::from(answer.is_some_and(|choice| choice != Choice::Pass));
                for deal in 0..3 {
                    let Some(other) = duel.with_unknown_redealt(decision.seat.other(), seed + deal) else {
                        continue;
                    };
                    compared += 1;
                    assert_eq!(answer, unasked(&other, policy, true), "seed {seed}: {decision:?}");
                    let plain = [&duel, &other].map(|duel| unasked(duel, policy, false));
                    would_have_told += usize::from(plain[0] != plain[1]);
                }
                duel.answer_silently(random.pick(&decision))
                    .expect("an option is accepted");
            }
        }
        let found = (compared, spared, habits, would_have_told);
        assert!(compared > 10_000 && spared > 50 && habits > 5, "{found:?}");
        assert!(would_have_told > 20, "{found:?}");
    }
}
