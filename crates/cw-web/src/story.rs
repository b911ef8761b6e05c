//! A duel in short: how the HP of both went, turn by turn, and what decided it.

use cw_duel::{Cause, Event, Seat, Seen};
use cw_program::ModelId;

use crate::effects::effects;
use crate::table::{Step, Table};

/// A turn of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub number: u16,
    pub whose: Seat,
    /// The step with which it begins.
    pub step: usize,
    /// What both had at its end, by seat.
    pub hp: [i32; 2],
    /// Whether a character was KOed in it.
    pub ko: bool,
}

/// Something worth going back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub step: usize,
    pub turn: u16,
    pub what: What,
    /// Whose loss it was.
    pub whose: Seat,
    /// The card that was KOed, or that struck, if it is known.
    pub card: Option<ModelId>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Ko,
    /// A loss of this much HP.
    Blow(i32),
}

/// The turns up to a step, as a seat sees them.
pub(crate) fn turns(table: &Table, to: usize) -> Vec<Turn> {
    let full = table.start.game.constants.hp;
    let mut hp = [full; 2];
    let mut turns: Vec<Turn> = Vec::new();
    for (at, step) in table.steps().iter().enumerate().take(to + 1) {
        for event in &step.events {
            match *event {
                Event::TurnBegan { turn, seat } => turns.push(Turn {
                    number: turn,
                    whose: seat,
                    step: at,
                    hp,
                    ko: false,
                }),
                Event::Hp { seat, to, .. } => hp[seat.index()] = to,
                Event::KnockedOut { .. } => {
                    if let Some(turn) = turns.last_mut() {
                        turn.ko = true;
                    }
                }
                _ => {}
            }
            if let Some(turn) = turns.last_mut() {
                turn.hp = hp;
            }
        }
    }
    turns
}

/// Blows that are told.
const BLOWS: usize = 4;
/// KOs that are told.
const KOS: usize = 8;

/// What decided the duel, in order: the largest blows, and the KOs.
pub(crate) fn moments(table: &Table, seat: Seat) -> Vec<Moment> {
    let (mut blows, mut kos) = (Vec::new(), Vec::new());
    let mut turn = 0;
    for (at, step) in table.steps().iter().enumerate() {
        for event in &step.events {
            match *event {
                Event::TurnBegan { turn: number, .. } => turn = number,
                Event::Hp {
                    seat: whose,
                    from,
                    to,
                    cause,
                    ..
                } if to < from => blows.push(Moment {
                    step: at,
                    turn,
                    what: What::Blow(from - to),
                    whose,
                    card: striker(cause).and_then(|card| card.model(seat)),
                }),
                Event::KnockedOut { card } => kos.push(Moment {
                    step: at,
                    turn,
                    what: What::Ko,
                    whose: owner(table, at, card),
                    card: card.model(seat),
                }),
                _ => {}
            }
        }
    }
    blows.sort_by_key(|blow| match blow.what {
        What::Blow(by) => std::cmp::Reverse(by),
        What::Ko => std::cmp::Reverse(0),
    });
    blows.truncate(BLOWS);
    // The last ones weigh most.
    let early = kos.len().saturating_sub(KOS);
    let mut all: Vec<Moment> = blows.into_iter().chain(kos.drain(early..)).collect();
    all.sort_by_key(|moment| moment.step);
    all
}

fn striker(cause: Cause) -> Option<Seen> {
    match cause {
        Cause::Combat(card) | Cause::Piercing(card) | Cause::Effect(card) | Cause::Play(card) => Some(card),
        Cause::BackUp(_) | Cause::UnitedAttack | Cause::Expiry => None,
    }
}

/// Whose discards a card goes to when it is KOed.
fn owner(table: &Table, at: usize, card: Seen) -> Seat {
    let moved = table.steps()[at..]
        .iter()
        .flat_map(|step| &step.events)
        .find_map(|event| match event {
            Event::Moved {
                card: other, from, ..
            } if other.card == card.card => Some(from.seat),
            _ => None,
        });
    moved.unwrap_or(Seat::One)
}

/// Whether a step shows something: the others are passed over when one goes step by step.
pub(crate) fn shows(step: &Step, seat: Seat) -> bool {
    step.choice.is_none() || !effects(step, seat).is_empty()
}
