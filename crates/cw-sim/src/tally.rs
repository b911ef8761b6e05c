//! What the cards of a duel did, counted while it is played.

use cw_duel::{
    CardId, ChangeCause, Decks, DuelEvent, Game, PerSeat, Question, Seat, Seen, Sink, Wants, ZoneKind,
};
use cw_program::{ModelId, PileName};

use crate::deck::{DeckContents, follow};

/// What is counted of a card, all its copies in a deck together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CardCount {
    /// Copies in the opening hand.
    Opening,
    /// Copies that came from the deck to the hand after that.
    Drawn,
    /// Times it was played.
    Played,
    /// Times it became a back-up.
    BackedUp,
    /// Times its ability or effect began.
    Activated,
    /// Attacks, alone or united.
    Attacked,
    /// Blocks.
    Blocked,
    /// HP that it took from the opponent.
    Damage,
    /// Times it was KOed.
    Lost,
    /// Times it went from the hand to the discard pile without being played.
    Discarded,
    /// Copies in the hand in the end.
    LeftInHand,
    /// The turn in which it was played first; 0 if it was not.
    FirstTurn,
}

impl CardCount {
    /// All, in the order of columns.
    pub const ALL: [CardCount; 12] = [
        CardCount::Opening,
        CardCount::Drawn,
        CardCount::Played,
        CardCount::BackedUp,
        CardCount::Activated,
        CardCount::Attacked,
        CardCount::Blocked,
        CardCount::Damage,
        CardCount::Lost,
        CardCount::Discarded,
        CardCount::LeftInHand,
        CardCount::FirstTurn,
    ];

    /// Its name as a column.
    pub fn name(self) -> &'static str {
        match self {
            CardCount::Opening => "opening",
            CardCount::Drawn => "drawn",
            CardCount::Played => "played",
            CardCount::BackedUp => "backed_up",
            CardCount::Activated => "activated",
            CardCount::Attacked => "attacked",
            CardCount::Blocked => "blocked",
            CardCount::Damage => "damage",
            CardCount::Lost => "lost",
            CardCount::Discarded => "discarded",
            CardCount::LeftInHand => "left_in_hand",
            CardCount::FirstTurn => "first_turn_played",
        }
    }
}

/// Counts, by [`CardCount`].
pub type CardCounts = [i32; CardCount::ALL.len()];

/// What the copies of a card did in a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardRow {
    /// Which card.
    pub model: ModelId,
    /// What it did.
    pub counts: CardCounts,
    /// By how many millionths of a card more of it was drawn, in the opening hand or later, than was to be
    /// expected: 1,000,000 for a copy that came, less its share of the deck at every draw of a card that
    /// nobody could foresee. Over many duels the mean is 0, whoever plays and whenever a duel ends: it is
    /// what luck brought and nothing else.
    pub surprise: i32,
}

impl CardRow {
    /// One of its counts.
    pub fn get(&self, count: CardCount) -> i32 {
        self.counts[count as usize]
    }
}

/// What is noted of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// How it went and how it ended.
    Duel,
    /// What each card did, too.
    Cards,
}

/// Listens to a duel.
pub(crate) struct Tally<'a> {
    game: &'a Game,
    detail: Detail,
    /// What is in the decks, where it is noted.
    decks: Option<PerSeat<DeckContents>>,
    pub guarded: u32,
    pub leads: Vec<i32>,
    hp: PerSeat<i32>,
    turn: u16,
    /// Cards below this index are those of seat 1's deck.
    split: usize,
    /// By card: its place in `rows` and one more; 0 if it has none yet.
    places: PerSeat<Vec<u16>>,
    rows: PerSeat<Vec<CardRow>>,
}

impl<'a> Tally<'a> {
    pub fn new(game: &'a Game, decks: &Decks, detail: Detail) -> Tally<'a> {
        let (models, rows) = match detail {
            Detail::Duel => (0, 0),
            Detail::Cards => (game.models.len(), 48),
        };
        Tally {
            game,
            detail,
            decks: (detail == Detail::Cards).then(|| DeckContents::both(game, decks)),
            guarded: 0,
            leads: Vec::with_capacity(32),
            hp: PerSeat::from_fn(|seat| game.hp_of(seat)),
            turn: 0,
            split: decks[Seat::One].len(),
            places: PerSeat::from_fn(|_| vec![0; models]),
            rows: PerSeat::from_fn(|_| Vec::with_capacity(rows)),
        }
    }

    fn row(&mut self, card: CardId, model: ModelId) -> Option<&mut CardRow> {
        if card == CardId::NONE {
            return None;
        }
        let owner = if usize::from(card.0) < self.split {
            Seat::One
        } else {
            Seat::Two
        };
        self.row_of(owner, model)
    }

    fn row_of(&mut self, owner: Seat, model: ModelId) -> Option<&mut CardRow> {
        let place = self.places[owner].get_mut(usize::from(model.0))?;
        let rows = &mut self.rows[owner];
        if *place == 0 {
            rows.push(CardRow {
                model,
                counts: CardCounts::default(),
                surprise: 0,
            });
            *place = u16::try_from(rows.len()).ok()?;
        }
        rows.get_mut(usize::from(*place) - 1)
    }

    fn count(&mut self, card: Seen, what: CardCount, number: i32) {
        if let Some(row) = self.row(card.card, card.true_model()) {
            row.counts[what as usize] = row.counts[what as usize].saturating_add(number);
        }
    }

    pub fn left_in_hand(&mut self, card: CardId, model: ModelId) {
        if let Some(row) = self.row(card, model) {
            row.counts[CardCount::LeftInHand as usize] += 1;
        }
    }

    /// Takes note of what a player is asked: who chooses from a deck has looked through it.
    pub fn is_asked(&mut self, question: &Question) {
        if let Question::Target {
            pile: Some((seat, PileName::Deck)),
            ..
        } = question
            && let Some(decks) = &mut self.decks
        {
            decks[*seat].is_known();
        }
    }

    /// What was counted, by card.
    pub fn cards(mut self) -> PerSeat<Vec<CardRow>> {
        if let Some(mut decks) = self.decks.take() {
            for seat in Seat::BOTH {
                for (model, surprise) in decks[seat].surprises() {
                    if let Some(row) = self.row_of(seat, model) {
                        row.surprise = surprise;
                    }
                }
            }
        }
        let mut rows = self.rows;
        for seat in Seat::BOTH {
            rows[seat].retain(|row| row.counts != CardCounts::default() || row.surprise != 0);
            rows[seat].sort_unstable_by_key(|row| row.model);
        }
        rows
    }
}

impl Sink for Tally<'_> {
    fn wants(&self) -> Wants {
        match self.detail {
            Detail::Duel => Wants::Course,
            Detail::Cards => Wants::Events,
        }
    }

    fn event(&mut self, event: &DuelEvent) {
        const DECK: ZoneKind = ZoneKind::Pile(PileName::Deck);
        const HAND: ZoneKind = ZoneKind::Pile(PileName::Hand);
        const DISCARDS: ZoneKind = ZoneKind::Pile(PileName::Discards);
        if let Some(decks) = &mut self.decks {
            follow(self.game, decks, event);
        }
        match *event {
            DuelEvent::TurnBegan { turn, .. } => {
                self.turn = turn;
                self.leads.push(self.hp[Seat::One] - self.hp[Seat::Two]);
            }
            DuelEvent::Moved { card, from, to, .. } => match (from.zone, to.zone) {
                (DECK, HAND) if self.turn == 0 => self.count(card, CardCount::Opening, 1),
                (DECK, HAND) => self.count(card, CardCount::Drawn, 1),
                (HAND, DISCARDS) => self.count(card, CardCount::Discarded, 1),
                _ => {}
            },
            DuelEvent::Played { card, .. } => {
                self.count(card, CardCount::Played, 1);
                let turn = i32::from(self.turn);
                if let Some(row) = self.row(card.card, card.true_model()) {
                    let first = &mut row.counts[CardCount::FirstTurn as usize];
                    *first = if *first == 0 { turn } else { *first };
                }
            }
            DuelEvent::Activated { card, .. } => self.count(card, CardCount::Activated, 1),
            DuelEvent::BackedUp { card, .. } => self.count(card, CardCount::BackedUp, 1),
            DuelEvent::AttackDeclared { card } | DuelEvent::Joined { card, .. } => {
                self.count(card, CardCount::Attacked, 1);
            }
            DuelEvent::BlockDeclared { card, .. } => self.count(card, CardCount::Blocked, 1),
            DuelEvent::KnockedOut { card } => self.count(card, CardCount::Lost, 1),
            DuelEvent::Hp {
                seat,
                from,
                to,
                cause,
                ..
            } => {
                self.hp[seat] = to;
                let by = match cause {
                    ChangeCause::Combat(card) | ChangeCause::Piercing(card) | ChangeCause::Effect(card) => {
                        Some(card)
                    }
                    ChangeCause::Play(_)
                    | ChangeCause::UnitedAttack
                    | ChangeCause::BackUp(_)
                    | ChangeCause::Expiry => None,
                };
                if let Some(card) = by.filter(|card| {
                    to < from && (usize::from(card.card.0) < self.split) != (seat == Seat::One)
                }) {
                    self.count(card, CardCount::Damage, from - to);
                }
            }
            DuelEvent::Guarded { .. } => self.guarded += 1,
            _ => {}
        }
    }
}
