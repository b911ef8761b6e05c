//! Options that can change nothing (D68).
//!
//! An option is legal by what its player knows, also if its effect finds nothing to do. Whether it is
//! idle is asked of a sample, a duel that the player cannot tell from the true one
//! ([`Duel::sample`]), and only when somebody wants to know: nothing is looked up while options are
//! listed.

use cw_program::{PileName, StepResult};

use crate::SeatSet;
use crate::base::card::{CardId, ZoneKind};
use crate::duel::Duel;
use crate::event::{ChangeCause, DuelEvent};
use crate::state::decision::{Choice, Question};
use crate::state::{DuelState, Marks};

/// Answers tried; an option with more ways to go on is not called idle.
const TRIALS: usize = 64;

impl Duel {
    /// Whether the option is idle here: a card whose effect, or an ability that does nothing, whatever
    /// is chosen on the way. What the card itself costs, and that it goes to the discards, does not
    /// count; a gain of SP, something learned, something that lasts or waits does.
    ///
    /// Ask a sample ([`Duel::sample`]), not the true duel: the answer would tell what is hidden. An
    /// option that is idle in every sample is worth nothing to its player.
    ///
    /// ```
    /// # use cw_duel::{Choice, Duel, Seat};
    /// fn worth_trying(duel: &Duel, seat: Seat, option: Choice) -> bool {
    ///     (0..3).filter_map(|seed| duel.sample(seat, seed)).any(|sample| !sample.is_idle(option))
    /// }
    /// ```
    pub fn is_idle(&self, option: Choice) -> bool {
        let mut expected = self.state.clone();
        match option {
            Choice::Activate(_) => {}
            Choice::Play(card) if !self.facts().model(card).is_character() => {
                self.lay_aside(&mut expected, card);
            }
            _ => return false,
        }
        let mut trials = 0;
        let mut open = vec![(self.clone(), option)];
        while let Some((mut duel, choice)) = open.pop() {
            trials += 1;
            if trials > TRIALS || duel.answer_silently(choice).is_err() {
                return false;
            }
            let Some(decision) = duel.pending() else {
                return false;
            };
            if is_free(decision.question) {
                if !is_unchanged(&expected, &duel.state) {
                    return false;
                }
            } else {
                let options = decision.options.clone();
                open.extend(options.into_iter().map(|option| (duel.clone(), option)));
            }
        }
        true
    }

    /// Whether nothing comes of the option but its price, whatever is paid and chosen on the way: a card
    /// that is no character, an ability, one of several effects, an answer to a question of one of them, or
    /// the yes to what a card may do (C10, C17), if the same happens after the no.
    /// It differs from [`Duel::is_idle`] in that what the effect itself costs does not count either.
    ///
    /// Ask samples here as well; who is told that an option does nothing should have asked several.
    pub fn is_wasted(&self, option: Choice) -> bool {
        let card = match option {
            Choice::Play(card) if self.facts().model(card).is_character() => return false,
            Choice::Play(card) => Some(card),
            Choice::Activate(_) | Choice::Action(_) | Choice::Card(_) => {
                self.pending().and_then(|decision| decision.source)
            }
            Choice::Yes => return self.comes_to_the_same(Choice::Yes, Choice::No),
            _ => return false,
        };
        let mut trials = 0;
        let mut open = vec![(self.clone(), option)];
        while let Some((mut duel, choice)) = open.pop() {
            trials += 1;
            let mut events: Vec<DuelEvent> = Vec::new();
            if trials > TRIALS || duel.answer(choice, &mut events).is_err() || !are_only_prices(&events, card)
            {
                return false;
            }
            let Some(decision) = duel.pending() else {
                return false;
            };
            if !is_free(decision.question) {
                let options = decision
                    .options
                    .iter()
                    .filter(|option| **option != Choice::Decline);
                open.extend(options.map(|option| (duel.clone(), *option)));
            } else if waiting(&self.state) != waiting(&duel.state)
                || self.state.changes[..] != duel.state.changes[..]
            {
                return false;
            }
        }
        true
    }

    /// Whether the same happens after both answers, the steps of rules aside, up to a question that is the
    /// same.
    fn comes_to_the_same(&self, one: Choice, other: Choice) -> bool {
        let after = |choice: Choice| {
            let mut duel = self.clone();
            let mut events: Vec<DuelEvent> = Vec::new();
            duel.answer(choice, &mut events).ok()?;
            events.retain(|event| !matches!(event, DuelEvent::Step { .. }));
            Some((duel, events))
        };
        let (Some((one, seen)), Some((other, instead))) = (after(one), after(other)) else {
            return false;
        };
        let asked = |duel: &Duel| {
            let asked = duel.pending();
            asked.map(|decision| (decision.seat, decision.question, decision.options.clone()))
        };
        seen == instead
            && asked(&one) == asked(&other)
            && waiting(&one.state) == waiting(&other.state)
            && one.state.changes[..] == other.state.changes[..]
    }

    /// The card has been played and has done nothing.
    fn lay_aside(&self, state: &mut DuelState, card: CardId) {
        let seat = self.facts().controller(card);
        state.take_out(card);
        state.insert(card, seat, PileName::Discards, 0);
        state.cards[card.index()].set_known(SeatSet::BOTH);
    }
}

/// A question of a phase: nothing is going on.
fn is_free(question: Question) -> bool {
    matches!(
        question,
        Question::Main | Question::Attack | Question::CounterAttack
    )
}

/// Whether these events tell of nothing but how a card went its way and what was paid for it.
fn are_only_prices(events: &[DuelEvent], played: Option<CardId>) -> bool {
    // What happened since the last step of a rule: if the next one is that the costs are paid, it was these.
    let mut happened = false;
    for event in events {
        match *event {
            DuelEvent::Step { result, .. } => match result {
                StepResult::Paid => happened = false,
                StepResult::Effect(true) => return false,
                _ if happened => return false,
                _ => {}
            },
            DuelEvent::Played { .. } | DuelEvent::Activated { .. } | DuelEvent::Unresolved { .. } => {}
            DuelEvent::Moved { card, .. } if Some(card.card) == played => {}
            DuelEvent::Sp {
                cause: ChangeCause::Play(card),
                ..
            } if Some(card.card) == played => {}
            _ => happened = true,
        }
    }
    !happened
}

/// The autos that wait for something.
fn waiting(state: &DuelState) -> Vec<(CardId, u8, u16)> {
    let listeners = state.listeners.iter();
    listeners.map(|one| (one.card, one.auto, one.live)).collect()
}

/// Whether nothing has come of it: marks of use, and SP paid, do not count.
fn is_unchanged(expected: &DuelState, now: &DuelState) -> bool {
    let card = |state: &DuelState, at: usize| {
        let card = state.cards[at];
        // Outside the ring BP is what it was on leaving it.
        let bp = if card.zone() == ZoneKind::Ring { card.bp } else { 0 };
        (card.model, bp, card.zone(), card.controller(), card.known())
    };
    let ring = |state: &DuelState| {
        state.rings.0.map(|ring| {
            ring.map(|mut slot| {
                slot.marks.clear(Marks::TRIED);
                slot
            })
        })
    };
    let players = |state: &DuelState| {
        state.players.0.map(|mut player| {
            player.sp = 0;
            player
        })
    };
    let poorer = |seat: usize| now.players.0[seat].sp <= expected.players.0[seat].sp;
    (0..now.cards.len()).all(|at| card(expected, at) == card(now, at))
        && expected.order[..] == now.order[..]
        && expected.pile_len == now.pile_len
        && players(expected) == players(now)
        && poorer(expected.active.index())
        && poorer(expected.active.other().index())
        && ring(expected) == ring(now)
        && expected.backups == now.backups
        && expected.united == now.united
        && expected.blocks == now.blocks
        && expected.changes[..] == now.changes[..]
        && expected.chance == now.chance
        && (expected.turn, expected.phase, expected.active) == (now.turn, now.phase, now.active)
        && waiting(expected) == waiting(now)
}
