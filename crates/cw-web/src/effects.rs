//! What moves, sounds and is said aloud when a step is shown: taken from the step's events, as far
//! as the seat may know them.

use cw_duel::{Cause, Event, Seat};
use serde::Serialize;

use crate::table::Step;

/// One thing for the eye or the ear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Effect {
    /// `hp`, `sp`, `bp`, `ko`, `card`, `hit`, `win` or `lose`.
    pub kind: &'static str,
    /// The element: `me`, `them`, or a card's key.
    pub at: String,
    /// The change, if it is one.
    pub by: i32,
}

/// The key of a card's elements.
pub(crate) fn key(card: cw_duel::CardId) -> String {
    format!("c{}", card.0)
}

pub(crate) fn effects(step: &Step, seat: Seat) -> Vec<Effect> {
    let side = |whose: Seat| if whose == seat { "me" } else { "them" }.to_owned();
    let effect = |kind, at, by| Some(Effect { kind, at, by });
    let mut found: Vec<Effect> = Vec::new();
    for event in &step.events {
        let made = match *event {
            Event::Hp {
                seat: whose,
                from,
                to,
                ..
            } => effect("hp", side(whose), to - from),
            Event::Sp {
                seat: whose,
                from,
                to,
                ..
            } => effect("sp", side(whose), to - from),
            Event::Bp {
                card,
                from,
                to,
                cause,
                ..
            } => {
                let hit = matches!(cause, Cause::Combat(_) | Cause::Piercing(_)) || to < from;
                effect(if hit { "hit" } else { "bp" }, key(card.card), to - from)
            }
            Event::KnockedOut { card } => effect("ko", key(card.card), 0),
            Event::Played { card, .. } => effect("card", key(card.card), 0),
            Event::Ended {
                outcome: cw_duel::Outcome::Won { winner, .. },
            } => effect(if winner == seat { "win" } else { "lose" }, side(winner), 0),
            _ => None,
        };
        found.extend(made);
    }
    found
}
