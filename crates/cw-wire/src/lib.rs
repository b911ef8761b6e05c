//! File formats of duels.
//!
//! Knows the notation of choices, the JSON of a recorded duel and of a view, links that carry duels, decks
//! and games, and how to walk along a duel and leave it anywhere; does not know files or sockets.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod agreement;
mod link;
mod notation;
mod replay;
mod timeline;
mod view;

pub use agreement::{Agreeing, Agreement, PartRefused};
pub use link::{
    GameLink, LINK_MARK, LinkContent, LinkRefused, LinkedDeck, LinkedGame, MOST_LINK, MOST_PACKAGE, MOST_RUN,
    MOST_SCENARIO, OpenedDuel, SharedDeck, SharedDuel, SharedStart,
};
pub use notation::{notation, read_notation};
pub use replay::{
    DeckLine, Diverged, GameOf, Misfit, Move, REPLAY_FORMAT, Recorder, Replay, ReplayError, ReplayReadError,
};
pub use timeline::{CarriedTimeline, DuelStep, DuelTimeline, TimelineAct};
pub use view::{seen_json, view_json};
