//! What moves, sounds and is said aloud when a step is shown: taken from the step's events, as far
//! as the seat may know them.

use cw_duel::{Cause, Event, Seat};
use serde::Serialize;

use crate::beats::is_blow;

/// One thing for the eye or the ear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Effect {
    /// `hp`, `sp`, `bp`, `ko`, `card`, `use`, `attack`, `block`, `blow`, `hit`, `turn`, `win` or `lose`.
    pub(crate) kind: &'static str,
    /// The element: `me`, `them`, or a card's key.
    pub(crate) at: String,
    /// The change, if it is one; the number of a turn.
    pub(crate) by: i32,
    /// The card that it comes from, if it is in the open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

/// The key of a card's elements.
pub(crate) fn key(card: cw_duel::CardId) -> String {
    format!("c{}", card.0)
}

/// The key of a player's elements, for this seat.
pub(crate) fn side(whose: Seat, seat: Seat) -> &'static str {
    if whose == seat { "me" } else { "them" }
}

/// What events show to a seat.
pub(crate) fn effects(events: &[Event], seat: Seat) -> Vec<Effect> {
    events.iter().filter_map(|event| effect(event, seat)).collect()
}

fn effect(event: &Event, seat: Seat) -> Option<Effect> {
    let plain = |kind, at: String, by| {
        Some(Effect {
            kind,
            at,
            by,
            from: None,
        })
    };
    let of_side = |whose: Seat| side(whose, seat).to_owned();
    match *event {
        Event::Hp {
            seat: whose,
            from,
            to,
            cause,
            ..
        } => Some(Effect {
            kind: "hp",
            at: of_side(whose),
            by: to - from,
            from: source(cause, seat),
        }),
        Event::Sp {
            seat: whose,
            from,
            to,
            ..
        } => plain("sp", of_side(whose), to - from),
        Event::Bp {
            card,
            from,
            to,
            cause,
            ..
        } => {
            let kind = match (is_blow(event), to < from) {
                (true, _) => "blow",
                (false, true) => "hit",
                (false, false) => "bp",
            };
            Some(Effect {
                kind,
                at: key(card.card),
                by: to - from,
                from: source(cause, seat),
            })
        }
        Event::KnockedOut { card } => plain("ko", key(card.card), 0),
        Event::Played { card, .. } => plain("card", key(card.card), 0),
        Event::Activated { card, .. } => plain("use", key(card.card), 0),
        Event::AttackDeclared { card } => plain("attack", key(card.card), 0),
        Event::BlockDeclared { card, attacker } => Some(Effect {
            kind: "block",
            at: key(card.card),
            by: 0,
            from: Some(key(attacker.card)),
        }),
        Event::TurnBegan { turn, seat: whose } => plain("turn", of_side(whose), i32::from(turn)),
        Event::Ended {
            outcome: cw_duel::Outcome::Won { winner, .. },
        } => plain(if winner == seat { "win" } else { "lose" }, of_side(winner), 0),
        _ => None,
    }
}

/// The card that changes a number, if the seat knows it.
fn source(cause: Cause, seat: Seat) -> Option<String> {
    match cause {
        Cause::Combat(card) | Cause::Piercing(card) | Cause::Effect(card) => {
            card.model(seat).map(|_| key(card.card))
        }
        Cause::Play(_) | Cause::UnitedAttack | Cause::BackUp(_) | Cause::Expiry => None,
    }
}
