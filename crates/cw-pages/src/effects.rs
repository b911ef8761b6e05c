//! What moves, sounds and is said aloud when a step is shown: taken from the step's events, as far
//! as the seat may know them.

use cw_duel::{ChangeCause, DuelEvent, Seat};
use serde::Serialize;

use crate::beats::is_blow;

/// One thing for the eye or the ear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ScreenEffect {
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
pub(crate) fn effects(events: &[DuelEvent], seat: Seat) -> Vec<ScreenEffect> {
    events.iter().filter_map(|event| effect(event, seat)).collect()
}

fn effect(event: &DuelEvent, seat: Seat) -> Option<ScreenEffect> {
    let plain = |kind, at: String, by| {
        Some(ScreenEffect {
            kind,
            at,
            by,
            from: None,
        })
    };
    let of_side = |whose: Seat| side(whose, seat).to_owned();
    match *event {
        DuelEvent::Hp {
            seat: whose,
            from,
            to,
            cause,
            ..
        } => Some(ScreenEffect {
            kind: "hp",
            at: of_side(whose),
            by: to - from,
            from: source(cause, seat),
        }),
        DuelEvent::Sp {
            seat: whose,
            from,
            to,
            ..
        } => plain("sp", of_side(whose), to - from),
        DuelEvent::Bp {
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
            Some(ScreenEffect {
                kind,
                at: key(card.card),
                by: to - from,
                from: source(cause, seat),
            })
        }
        DuelEvent::KnockedOut { card } => plain("ko", key(card.card), 0),
        DuelEvent::Played { card, .. } => plain("card", key(card.card), 0),
        DuelEvent::Activated { card, .. } => plain("use", key(card.card), 0),
        DuelEvent::AttackDeclared { card } => plain("attack", key(card.card), 0),
        DuelEvent::BlockDeclared { card, attacker } => Some(ScreenEffect {
            kind: "block",
            at: key(card.card),
            by: 0,
            from: Some(key(attacker.card)),
        }),
        DuelEvent::TurnBegan { turn, seat: whose } => plain("turn", of_side(whose), i32::from(turn)),
        DuelEvent::Ended {
            outcome: cw_duel::DuelOutcome::Won { winner, .. },
        } => plain(if winner == seat { "win" } else { "lose" }, of_side(winner), 0),
        _ => None,
    }
}

/// The card that changes a number, if the seat knows it.
fn source(cause: ChangeCause, seat: Seat) -> Option<String> {
    match cause {
        ChangeCause::Combat(card) | ChangeCause::Piercing(card) | ChangeCause::Effect(card) => {
            card.model(seat).map(|_| key(card.card))
        }
        ChangeCause::Play(_) | ChangeCause::UnitedAttack | ChangeCause::BackUp(_) | ChangeCause::Expiry => {
            None
        }
    }
}
