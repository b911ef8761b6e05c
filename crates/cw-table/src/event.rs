//! What happens, with who may read which part of it.

use std::fmt::Write as _;

use crate::{Looker, LookerSet, TableCardId, TableSeat, TableState};

/// A part of an event's sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// For everybody who reads the event.
    Text(String),
    /// A card: its name for these, the other words for all others (F71).
    Card {
        /// Who reads the name.
        to: LookerSet,
        /// The name.
        name: String,
        /// What others read.
        other: &'static str,
        /// Which card, if it is still there.
        card: TableCardId,
    },
    /// For these only.
    Only(LookerSet, String),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableEvent {
    /// Whose verb it was; nobody's if the table itself did it.
    pub by: Option<TableSeat>,
    /// The verb's word: what kind of event it is.
    pub kind: &'static str,
    /// Who reads it at all.
    pub to: LookerSet,
    /// The sentence; events without one are for the picture of the table only.
    pub pieces: Vec<Piece>,
}

/// An event as one looker reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LookerMessage {
    /// The verb's word.
    pub kind: &'static str,
    /// Whose verb it was.
    pub by: Option<TableSeat>,
    /// The sentence; empty if there is none.
    pub text: String,
}

impl TableEvent {
    /// The sentence for one looker; nothing if it is not for them.
    pub fn read_by(&self, looker: Looker) -> Option<String> {
        if !self.to.has(looker) {
            return None;
        }
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Card { to, name, other, .. } => {
                    out.push_str(if to.has(looker) { name } else { other });
                }
                Piece::Only(eyes, text) if eyes.has(looker) => out.push_str(text),
                Piece::Only(..) => {}
            }
        }
        Some(out)
    }

    /// The event as one looker gets it.
    pub fn message(&self, looker: Looker) -> Option<LookerMessage> {
        self.read_by(looker).map(|text| LookerMessage {
            kind: self.kind,
            by: self.by,
            text,
        })
    }
}

/// Puts a sentence together.
#[derive(Debug, Default)]
pub(crate) struct SentenceWords(Vec<Piece>);

impl SentenceWords {
    pub(crate) fn new(text: impl Into<String>) -> SentenceWords {
        SentenceWords(vec![Piece::Text(text.into())])
    }

    pub(crate) fn by(state: &TableState, seat: TableSeat, verb: &str) -> SentenceWords {
        SentenceWords::new(format!("{} {verb}", state.seat(seat).name))
    }

    #[must_use]
    pub(crate) fn text(mut self, text: impl AsRef<str>) -> SentenceWords {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text.as_ref()),
            _ => self.0.push(Piece::Text(text.as_ref().to_owned())),
        }
        self
    }

    #[must_use]
    pub(crate) fn only(mut self, eyes: LookerSet, text: impl Into<String>) -> SentenceWords {
        self.0.push(Piece::Only(eyes, text.into()));
        self
    }

    #[must_use]
    pub(crate) fn card(mut self, named: &NamedCard) -> SentenceWords {
        self.0.push(Piece::Card {
            to: named.to,
            name: named.name.clone(),
            other: named.other,
            card: named.card,
        });
        self
    }

    /// “3 cards”, and their names for who knows any of them (F65, F74).
    #[must_use]
    pub(crate) fn cards(mut self, named: &[NamedCard]) -> SentenceWords {
        if let [one] = named {
            return self.card(one);
        }
        let mut count = String::new();
        let _ = write!(count, "{}", cards(named.len()));
        self = self.text(count);
        let any = named.iter().fold(LookerSet::NONE, |eyes, card| eyes | card.to);
        for (at, card) in named.iter().enumerate() {
            self.0
                .push(Piece::Only(any, if at == 0 { ": ".into() } else { ", ".into() }));
            let name = |eyes: LookerSet, text: &str| Piece::Only(eyes, text.to_owned());
            self.0.push(name(card.to, &card.name));
            self.0.push(name(any - card.to, card.other));
        }
        self
    }

    pub(crate) fn pieces(self) -> Vec<Piece> {
        self.0
    }
}

/// A card for a sentence: who reads its name.
#[derive(Clone, Debug)]
pub(crate) struct NamedCard {
    pub(crate) card: TableCardId,
    pub(crate) to: LookerSet,
    pub(crate) name: String,
    pub(crate) other: &'static str,
}

/// “1 card”, “3 cards”.
pub(crate) fn cards(count: usize) -> String {
    format!("{count} card{}", if count == 1 { "" } else { "s" })
}
