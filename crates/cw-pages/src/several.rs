//! Several cards as one answer: the engine asks for them one by one, in its own order (D29); people choose
//! them in any order, and see all of them from the beginning.

use cw_duel::{Choice, Decision, Duel, Question};
use cw_program::ModelId;

/// A choice of several cards of which none is chosen yet.
#[derive(Clone, Debug)]
pub(crate) struct Collection {
    /// All that can be chosen, in the engine's order.
    pub(crate) candidates: Vec<Choice>,
    /// How many there must be.
    pub(crate) min: usize,
    /// How many there may be.
    pub(crate) max: usize,
}

impl Collection {
    /// What the present question collects; nothing where it is for one card, or where equal copies cannot be
    /// told apart from the outside.
    ///
    /// The engine lists a card only when enough remain behind it, and of equal copies in a hidden pile the
    /// topmost (D29). Those that come later are found on a copy of the duel.
    pub(crate) fn of(duel: &Duel) -> Option<Collection> {
        let decision = duel.pending()?;
        let (0, min, max) = counts(decision.question)? else {
            return None;
        };
        let listed = picks(decision);
        let (most, min) = (usize::from(max), usize::from(min));
        if most < 2 {
            return None;
        }
        let mut candidates = Vec::new();
        for pick in &listed {
            candidates.push(*pick);
            let mut copy = duel.clone();
            let mut last = *pick;
            for taken in 1..most {
                let Some(twin) = twin_after(&mut copy, last, taken) else {
                    break;
                };
                // With fewer behind it than there must be, the last of equal copies is taken unasked.
                if min > 1 {
                    return None;
                }
                candidates.push(twin);
                last = twin;
            }
        }
        let mut copy = duel.clone();
        for taken in 1..min {
            let first = picks(copy.pending()?).first().copied()?;
            copy.answer_silently(first).ok()?;
            let next = copy.pending().filter(|next| is_same(decision, next, taken))?;
            let later = picks(next);
            candidates.extend(later.into_iter().filter(|pick| !listed.contains(pick)));
            candidates.dedup();
        }
        // What is seen twice was found on two ways: equal copies are one after the other already.
        let mut known: Vec<Choice> = Vec::new();
        let is_card = |pick: &Choice| matches!(pick, Choice::Card(_));
        candidates.retain(|pick| {
            let new = !is_card(pick) || !known.contains(pick);
            known.push(*pick);
            new
        });
        let max = most.min(candidates.len());
        (candidates.len() > 1 && max > 1).then_some(Collection { candidates, min, max })
    }

    /// The answers that the engine is given for these candidates, in its order: each card as it comes up,
    /// then *done* if it asks for more. Nothing if that is no answer; all is tried on a copy.
    pub(crate) fn answers(&self, duel: &Duel, chosen: &[usize]) -> Option<Vec<Choice>> {
        let decision = duel.pending()?;
        let mut chosen = chosen.to_vec();
        chosen.sort_unstable();
        chosen.dedup();
        if !(self.min..=self.max).contains(&chosen.len()) {
            return None;
        }
        let mut copy = duel.clone();
        let mut answers = Vec::new();
        for (taken, at) in chosen.iter().enumerate() {
            let pick = *self.candidates.get(*at)?;
            let Some(next) = copy.pending().filter(|next| is_same(decision, next, taken)) else {
                // As many remained as there had to be: they are taken unasked.
                break;
            };
            // Of equal copies the topmost is offered.
            let offered = picks(next);
            let same = |other: &&Choice| **other == pick || is_equal(&copy, **other, pick);
            let pick = offered.iter().find(same).copied()?;
            copy.answer_silently(pick).ok()?;
            answers.push(pick);
        }
        let asks = copy
            .pending()
            .filter(|next| is_same(decision, next, chosen.len()));
        if let Some(next) = asks {
            if !next.options.contains(&Choice::Done) {
                return None;
            }
            answers.push(Choice::Done);
        }
        (!answers.is_empty()).then_some(answers)
    }
}

/// The next of equal copies, after the one before it is chosen on this duel.
fn twin_after(duel: &mut Duel, last: Choice, taken: usize) -> Option<Choice> {
    let before = duel.pending()?.clone();
    duel.answer_silently(last).ok()?;
    let next = duel.pending()?;
    if chosen_in(next.question) != Some(taken) || next.seat != before.seat || next.source != before.source {
        return None;
    }
    let copies = picks(next);
    copies
        .into_iter()
        .find(|pick| *pick == last || is_equal(duel, *pick, last))
}

/// Whether two cards of a hand are copies of the same one, as who chooses sees them.
fn is_equal(duel: &Duel, one: Choice, other: Choice) -> bool {
    let (Choice::Card(one), Choice::Card(other)) = (one, other) else {
        return false;
    };
    let Some(decision) = duel.pending() else {
        return false;
    };
    let view = duel.view(decision.seat);
    let model = |card| -> Option<ModelId> {
        let mut hands = view.players.0.iter().flat_map(|player| &player.hand);
        hands.find(|held| held.card == card)?.model
    };
    model(one).is_some() && model(one) == model(other)
}

fn picks(decision: &Decision) -> Vec<Choice> {
    let options = decision.options.iter().copied();
    options
        .filter(|option| matches!(option, Choice::Card(_) | Choice::Copy(_)))
        .collect()
}

fn is_same(first: &Decision, next: &Decision, taken: usize) -> bool {
    next.seat == first.seat && next.source == first.source && chosen_in(next.question) == Some(taken)
}

fn chosen_in(question: Question) -> Option<usize> {
    counts(question).map(|(chosen, _, _)| usize::from(chosen))
}

/// How many are chosen, and how many there must and may be, where the order of choosing tells nothing.
fn counts(question: Question) -> Option<(u8, u8, u8)> {
    match question {
        // What is put on a deck is put there in the order that is chosen.
        Question::Prophecy { .. } => None,
        other => other.counts(),
    }
}
