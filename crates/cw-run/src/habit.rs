//! How a computer decides between its duels.

use cw_octgn::PackChance;
use cw_program::ModelId;

use crate::{Run, RunAct, RunPhase};

/// How a computer decides between its duels, so that runs can be simulated. It takes the card that is held to
/// be best, up to as many copies as a deck may have; goes to either opponent, by chance; and takes a charm,
/// else the card that is offered if it is better than half of the deck, else the worst card out of the deck.
#[derive(Debug)]
pub struct RunHabit {
    chance: PackChance,
}

impl RunHabit {
    /// Where its chance comes from.
    pub fn new(seed: u64) -> RunHabit {
        RunHabit {
            chance: PackChance::stream(seed, u64::MAX),
        }
    }

    /// What it does now; nothing while a duel is played, and at the end.
    pub fn act(&mut self, run: &Run) -> Option<RunAct> {
        match run.phase() {
            RunPhase::Draft { cards, .. } => Some(RunAct::Pick(best_pick(run, cards))),
            RunPhase::Way => Some(RunAct::Fight(self.chance.below(2) as usize)),
            RunPhase::Reward { card, charm } => Some(match (charm, card) {
                (Some(_), _) => RunAct::TakeCharm,
                (None, Some(card)) if is_good(run, *card) || !run.can_remove() => RunAct::TakeCard,
                (None, _) if run.can_remove() => RunAct::Remove(worst(run)),
                (None, _) => RunAct::GiveUp,
            }),
            RunPhase::Duel { .. } | RunPhase::Over { .. } => None,
        }
    }
}

fn best_pick(run: &Run, cards: &[ModelId]) -> usize {
    let most = usize::from(run.book().game.constants.copies).max(1);
    let worth = |card: ModelId| {
        let held = run.deck().iter().filter(|other| **other == card).count();
        if held >= most { -1 } else { run.book().rating(card) }
    };
    let places = (0..cards.len()).max_by_key(|at| (worth(cards[*at]), std::cmp::Reverse(*at)));
    places.unwrap_or(0)
}

fn is_good(run: &Run, card: ModelId) -> bool {
    let rating = |card: &ModelId| run.book().rating(*card);
    let better = run
        .deck()
        .iter()
        .filter(|own| rating(own) < rating(&card))
        .count();
    better * 2 >= run.deck().len()
}

fn worst(run: &Run) -> usize {
    let cards = run.cards();
    let places = (0..cards.len()).min_by_key(|at| (run.book().rating(cards[*at].0), *at));
    places.unwrap_or(0)
}
