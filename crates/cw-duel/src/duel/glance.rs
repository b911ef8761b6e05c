//! Numbers read off a duel without building a view: for players that look at thousands of positions.
//!
//! It reads what is there, hidden or not, so look at a sample ([`Duel::sample`]), never at the true
//! duel of somebody who asks (D50).

use cw_program::{Keyword, ModelId, PileName};

use crate::Seat;
use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::duel::Duel;
use crate::state::facts::DuelFacts;
use crate::state::{LOST, Marks};

/// One side of a duel, as it is.
#[derive(Clone, Copy)]
pub struct Glance<'a> {
    facts: DuelFacts<'a>,
    seat: Seat,
}

/// A character in the ring, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the rules")]
pub struct GlanceFighter {
    /// Which card.
    pub card: CardId,
    /// Where it stands, from 0.
    pub slot: u8,
    /// What it is.
    pub model: ModelId,
    /// BP now.
    pub bp: i32,
    /// Whose ability it has now; `None` is lost.
    pub ability: Option<ModelId>,
    /// Entered this turn.
    pub fresh: bool,
    /// Frozen.
    pub frozen: bool,
    /// Its ability was used.
    pub activated: bool,
    /// Attacks alone or leads.
    pub attacks: bool,
    /// Follows in the United Attack.
    pub follows: bool,
    /// Counter-attacks.
    pub blocks: bool,
}

impl Duel {
    /// One side of the duel, without a list being made.
    ///
    /// ```
    /// # use cw_duel::{Duel, Seat};
    /// fn strength(guess: &Duel, seat: Seat) -> i32 {
    ///     guess.glance(seat).fighters().map(|fighter| fighter.bp).sum()
    /// }
    /// ```
    pub fn glance(&self, seat: Seat) -> Glance<'_> {
        Glance {
            facts: self.facts(),
            seat,
        }
    }
}

impl<'a> Glance<'a> {
    /// Hit points.
    pub fn hp(self) -> i32 {
        self.facts.s.players[self.seat].hp
    }

    /// Skill points.
    pub fn sp(self) -> i32 {
        self.facts.s.players[self.seat].sp
    }

    /// Cards in a pile.
    pub fn pile(self, pile: PileName) -> usize {
        self.cards(pile).len()
    }

    /// What the cards of the hand are.
    pub fn hand(self) -> impl Iterator<Item = (CardId, ModelId)> + use<'a> {
        let facts = self.facts;
        self.cards(PileName::Hand)
            .map(move |card| (card, facts.s.cards[card.index()].model))
    }

    /// What this seat knows of the cards of a pile: the models of those that it could name.
    #[inline]
    pub fn known(self, pile: PileName, to: Seat) -> impl Iterator<Item = ModelId> + use<'a> {
        let cards = &self.facts.s.cards[..];
        self.cards(pile).filter_map(move |card| {
            let card = &cards[card.index()];
            card.known().contains(to).then_some(card.model)
        })
    }

    /// The top cards of a pile, as far as a seat knows what they are.
    pub fn top(self, pile: PileName, to: Seat) -> impl Iterator<Item = Option<ModelId>> + use<'a> {
        let cards = &self.facts.s.cards[..];
        self.cards(pile).map(move |card| {
            let card = &cards[card.index()];
            card.known().contains(to).then_some(card.model)
        })
    }

    /// What all cards are that this seat began with, wherever they lie: its deck's list, which it knows.
    pub fn owned(self) -> impl Iterator<Item = ModelId> + use<'a> {
        let seat = self.seat;
        let cards = self.facts.s.cards.iter().filter(move |card| card.owner() == seat);
        cards.map(|card| card.model)
    }

    /// Characters played this turn, and how many may be.
    pub fn characters(self) -> (u8, u8) {
        let player = &self.facts.s.players[self.seat];
        (player.chars_played, player.chars_per_turn)
    }

    /// Whether this seat had the first turn.
    pub fn began(self) -> bool {
        self.facts.s.first == self.seat
    }

    /// Back-ups made this turn.
    pub fn backups_made(self) -> u8 {
        self.facts.s.players[self.seat].backups_played
    }

    /// Whether it was dealt non-combat damage this turn.
    pub fn nc_damaged(self) -> bool {
        self.facts.s.players[self.seat].nc_damaged
    }

    /// Extra turns owed.
    pub fn extra_turns(self) -> u8 {
        self.facts.s.players[self.seat].extra_turns
    }

    /// Phases to be skipped, as bits by the phase's number.
    pub fn skips(self) -> u8 {
        self.facts.s.players[self.seat].skip
    }

    /// Keywords on the player, as bits ([`cw_program::keyword_bit`]).
    pub fn keywords(self) -> u16 {
        self.facts.keyword_bits(DuelObject::player(self.seat))
    }

    /// Keywords that a card has now, as bits.
    pub fn keywords_of(self, card: CardId) -> u16 {
        self.facts.keyword_bits(DuelObject::card(card))
    }

    /// The United Attack, lead first. Everybody sees it.
    pub fn united(self) -> &'a [CardId] {
        &self.facts.s.united
    }

    /// Actions and reactions in play.
    pub fn table(self) -> &'a [CardId] {
        &self.facts.s.table
    }

    /// Who blocks whom in either ring: attackers, each with its blocker. Everybody sees it.
    pub fn blocks(self) -> &'a [(CardId, CardId)] {
        &self.facts.s.blocks
    }

    /// Back-ups in both rings, each with the character under which it lies.
    pub fn backed_up(self) -> &'a [(CardId, CardId)] {
        &self.facts.s.backups
    }

    /// The characters of the ring, by slot.
    #[inline]
    pub fn fighters(self) -> impl Iterator<Item = GlanceFighter> + use<'a> {
        let (facts, seat) = (self.facts, self.seat);
        let slots = usize::from(facts.constants().ring_slots);
        let numbered = facts.s.rings[seat][..slots].iter().zip(0..);
        let cards = &facts.s.cards[..];
        numbered.filter_map(move |(slot, number)| {
            let card = slot.card.some()?;
            let entry = cards[card.index()];
            let marked = |mark| slot.marks.has(mark);
            Some(GlanceFighter {
                card,
                slot: number,
                model: entry.model,
                bp: entry.ring_bp(),
                ability: (slot.ability != LOST).then_some(slot.ability),
                fresh: marked(Marks::FRESH),
                frozen: marked(Marks::FROZEN),
                activated: marked(Marks::ACTIVATED),
                attacks: marked(Marks::ATTACK),
                follows: marked(Marks::FOLLOWER),
                blocks: marked(Marks::BLOCK),
            })
        })
    }

    /// Back-ups under a character.
    pub fn backups(self, host: CardId) -> usize {
        let backups = self.facts.s.backups.iter();
        backups.filter(|(_, whose)| *whose == host).count()
    }

    /// Whether the card has a keyword now.
    pub fn has_keyword(self, card: CardId, keyword: Keyword) -> bool {
        self.facts.has_keyword(DuelObject::card(card), keyword)
    }

    fn cards(self, pile: PileName) -> impl ExactSizeIterator<Item = CardId> + use<'a> {
        self.facts.s.pile_cards(self.seat, pile)
    }
}

impl std::fmt::Debug for Glance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Glance")
            .field("seat", &self.seat)
            .field("hp", &self.hp())
            .field("sp", &self.sp())
            .finish_non_exhaustive()
    }
}
