//! Why something cannot be done now: what the rules' own tests say, and what nobody may ever do.

use cw_program::PileName;

use crate::base::card::CardId;
use crate::base::refusal::{ChoiceRefusal, by, require};
use crate::base::seat::Seat;
use crate::duel::Duel;
use crate::state::decision::{Choice, Question};

impl Duel {
    /// Why an answer cannot be given now; `None` exactly if it can. A free action is judged for the
    /// player whose card it is about, every other answer for the player who is asked. `at` is the
    /// second card of a free action: who is backed up, joined or blocked.
    ///
    /// It tells the truth about hidden cards: what a player may be told is up to the caller, who
    /// asks a copy with the unknown dealt anew ([`Duel::with_unknown_redealt`]).
    pub fn why_not(&self, choice: Choice, at: Option<CardId>) -> Option<ChoiceRefusal> {
        let asked = self.pending().map(|decision| decision.seat);
        let controller = |card: CardId| Some(self.state.cards.get(card.index())?.controller());
        let about_a_card = choice.card().filter(|_| is_free(choice)).and_then(controller);
        let seat = about_a_card.or(asked).unwrap_or(Seat::One);
        let attempt = match at {
            Some(second) => Attempt::On(choice, second),
            None => Attempt::Answer(choice),
        };
        self.why_not_by(seat, attempt)
    }

    /// Why this player cannot do this now; `None` exactly if it is an answer that is offered to
    /// this player, or, with a second card, an action that can be begun and aimed at that card.
    ///
    /// The reason is found by the tests of the rules, in their order, never by a look at the list of
    /// options. As with [`Duel::why_not`] it knows all cards.
    ///
    /// ```
    /// # use cw_duel::{Attempt, Duel, Seat};
    /// fn tell(duel: &Duel) {
    ///     if let Some(refusal) = duel.why_not_by(Seat::One, Attempt::Mulligan) {
    ///         assert_eq!(refusal.to_string(), "there is no new opening hand (G35)");
    ///     }
    /// }
    /// ```
    pub fn why_not_by(&self, seat: Seat, attempt: Attempt) -> Option<ChoiceRefusal> {
        let Some(decision) = self.pending() else {
            return Some(by(&["G42", "D8"], "comes too late: the duel is over"));
        };
        let (choice, at) = match attempt {
            Attempt::Answer(choice) => (choice, None),
            Attempt::On(choice, second) => (choice, Some(second)),
            other => return Some(never(other)),
        };
        let exists = |card: CardId| card.index() < self.state.cards.len();
        if ![choice.card(), at].into_iter().flatten().all(exists) {
            return Some(by(&["G1", "G33"], "is no card of this duel"));
        }
        let mut copy = self.clone();
        let mut machine = copy.machine(None);
        let free = matches!(
            decision.question,
            Question::Main | Question::Attack | Question::CounterAttack
        );
        let legal = if is_free(choice) {
            machine.free_action(seat, choice, at).and_then(|()| {
                require(
                    free,
                    &["G73", "G262"],
                    "has to wait: a question is to be answered first",
                )?;
                let tired = machine.s.free_actions >= machine.game.constants.max_free_actions;
                let way_out = matches!(choice, Choice::CancelAttack(_)) && !machine.united_is_payable();
                require(
                    !tired || way_out,
                    &["D14"],
                    "comes too late: too many free actions in this phase",
                )
            })
        } else {
            machine.answering(seat, decision, choice)
        };
        legal.err()
    }
}

/// Whether the choice is an action that a player begins, rather than an answer to a question.
fn is_free(choice: Choice) -> bool {
    !matches!(choice, Choice::Card(_)) && choice.card().is_some()
}

/// Something that a player may want to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// To give this answer.
    Answer(Choice),
    /// To back up, join or block this card.
    On(Choice, CardId),
    /// To draw a card.
    Draw,
    /// To take another opening hand.
    Mulligan,
    /// To discard a card.
    Discard(CardId),
    /// To KO a character.
    KnockOut(CardId),
    /// To freeze a character.
    Freeze(CardId),
    /// To unfreeze a character.
    Unfreeze(CardId),
    /// To move a character to another slot.
    MoveToSlot(CardId, u8),
    /// To exchange the places of two characters.
    Exchange(CardId, CardId),
    /// To take a back-up off its character.
    TakeBackUpOff(CardId),
    /// To take a played card back into the hand.
    TakeBack(CardId),
    /// To get the SP for a card back.
    Refund(CardId),
    /// To try an Action or Reaction that did not resolve again.
    TryAgain(CardId),
    /// To go back to an earlier phase.
    StepBack,
    /// To pass over the next phases.
    PassTurn,
    /// To shuffle a pile.
    Shuffle(PileName),
    /// To look into a hidden pile of this player.
    LookInto(Seat, PileName),
    /// To set HP, SP or BP by hand.
    SetNumber,
    /// To respond to a card that resolves.
    Respond,
}

/// What the rules let nobody do by hand.
fn never(attempt: Attempt) -> ChoiceRefusal {
    match attempt {
        Attempt::Answer(_) | Attempt::On(..) => by(&["G87"], "is not offered"),
        Attempt::Draw => by(
            &["G50", "G208", "GQ29"],
            "is drawn only in the Draw phase and by effects",
        ),
        Attempt::Mulligan => by(&["G35"], "there is no new opening hand"),
        Attempt::Discard(_) => by(
            &["G205", "G110", "GQ29"],
            "is discarded only by effects and as a cost",
        ),
        Attempt::KnockOut(_) => by(&["G169", "G171", "GQ29"], "is KOed only at 0 BP or by effects"),
        Attempt::Freeze(_) => by(
            &["G58.2", "G109", "G220", "GQ29"],
            "freezes only by attacking, as a cost, or by effects",
        ),
        Attempt::Unfreeze(_) => by(
            &["G48", "G220", "GQ29"],
            "unfreezes only in its controller's Activate phase and by effects",
        ),
        Attempt::MoveToSlot(..) => by(&["G235", "GQ29"], "changes its slot only by an effect"),
        Attempt::Exchange(..) => by(&["G234", "GQ29"], "exchanges places only by an effect"),
        Attempt::TakeBackUpOff(_) => by(&["G128", "GQ29"], "leaves only together with its character"),
        Attempt::TakeBack(_) => by(&["G89"], "does not return to the hand once it is played"),
        Attempt::Refund(_) => by(&["G78", "GQ2"], "was paid, and nothing is ever paid back"),
        Attempt::TryAgain(_) => by(&["D1"], "has left play at the end of its unit, resolved or not"),
        Attempt::StepBack => by(&["GQ28"], "phases only go forward"),
        Attempt::PassTurn => by(&["G46", "GQ29"], "phases are ended one by one"),
        Attempt::Shuffle(_) => by(&["G212", "GQ29"], "piles are shuffled only by effects"),
        Attempt::LookInto(..) => by(
            &["G267"],
            "decks are hidden from both players, hands from the opponent",
        ),
        Attempt::SetNumber => by(&["GQ29"], "HP, SP and BP change only by the rules"),
        Attempt::Respond => by(
            &["G73", "G175"],
            "there is no response while a card resolves; Reactions have their own phase",
        ),
    }
}
