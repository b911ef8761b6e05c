//! What one player sees. It is built once from the state and cannot hold what the player does not
//! know: an unknown card has no model (G267–G274, D50).

use cw_program::{ClosedWord, Keyword, ModelId, PileName};

use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::duel::Duel;
use crate::state::decision::Decision;
use crate::state::facts::DuelFacts;
use crate::state::{DuelOutcome, Marks};
use crate::{PerSeat, Phase, Seat};

/// A duel as one player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DuelView {
    /// Who sees.
    pub seat: Seat,
    /// The turn's number, from 1.
    pub turn: u16,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// Who began.
    pub first: Seat,
    /// How it ended, if it has.
    pub outcome: Option<DuelOutcome>,
    /// What is known of both players.
    pub players: PerSeat<PlayerView>,
    /// The United Attack, lead first.
    pub united: Vec<CardId>,
    /// Attackers and their blockers.
    pub blocks: Vec<(CardId, CardId)>,
    /// Actions and reactions in play.
    pub table: Vec<CardView>,
    /// Who must decide now.
    pub to_decide: Option<Seat>,
    /// The decision, if it is this player's.
    pub decision: Option<Decision>,
}

/// What is known of a player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlayerView {
    /// Hit points.
    pub hp: i32,
    /// Skill points.
    pub sp: i32,
    /// Characters played this turn, and how many may be.
    pub characters: (u8, u8),
    /// Back-ups made this turn.
    pub backups: u8,
    /// Was dealt non-combat damage this turn.
    pub nc_damaged: bool,
    /// Extra turns owed.
    pub extra_turns: u8,
    /// Phases to be skipped.
    pub skips: Vec<Phase>,
    /// Keywords on the player.
    pub keywords: Vec<Keyword>,
    /// The slots of the ring.
    pub ring: Vec<Option<CharacterView>>,
    /// The hand, known or not.
    pub hand: Vec<CardView>,
    /// The deck, top first: what lies there, where that is known. The cards have no index, so that
    /// a search does not tell where they lie.
    pub deck: Vec<Option<ModelId>>,
    /// The discard pile, top first.
    pub discards: Vec<CardView>,
    /// The removed pile, top first.
    pub removed: Vec<CardView>,
}

/// A card: what it is, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardView {
    /// Which.
    pub card: CardId,
    /// What.
    pub model: Option<ModelId>,
}

/// A character in a ring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the rules")]
pub struct CharacterView {
    /// Which.
    pub card: CardId,
    /// What.
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
    /// Keywords it has now.
    pub keywords: Vec<Keyword>,
    /// Its back-ups.
    pub backups: Vec<CardView>,
}

impl Duel {
    /// The duel as this player sees it.
    pub fn view(&self, seat: Seat) -> DuelView {
        let facts = self.facts();
        let state = &self.state;
        let pending = self.pending();
        DuelView {
            seat,
            turn: state.turn,
            phase: state.phase,
            active: state.active,
            first: state.first,
            outcome: state.outcome,
            players: PerSeat::from_fn(|whose| player_view(facts, seat, whose)),
            united: state.united.to_vec(),
            blocks: state.blocks.to_vec(),
            table: state
                .table
                .iter()
                .map(|card| card_view(facts, seat, *card))
                .collect(),
            to_decide: pending.map(|decision| decision.seat),
            decision: pending.filter(|decision| decision.seat == seat).cloned(),
        }
    }
}

fn player_view(facts: DuelFacts<'_>, seat: Seat, whose: Seat) -> PlayerView {
    let player = &facts.s.players[whose];
    let pile = |pile| {
        facts
            .s
            .pile_cards(whose, pile)
            .map(|card| card_view(facts, seat, card))
            .collect()
    };
    let slots = usize::from(facts.constants().ring_slots);
    PlayerView {
        hp: player.hp,
        sp: player.sp,
        characters: (player.chars_played, player.chars_per_turn),
        backups: player.backups_played,
        nc_damaged: player.nc_damaged,
        extra_turns: player.extra_turns,
        skips: Phase::ALL
            .into_iter()
            .filter(|phase| player.skip & (1 << *phase as u8) != 0)
            .collect(),
        keywords: keywords_of(facts, DuelObject::player(whose)),
        ring: (0..slots)
            .map(|at| character_view(facts, seat, whose, at))
            .collect(),
        hand: pile(PileName::Hand),
        deck: facts
            .s
            .pile_cards(whose, PileName::Deck)
            .map(|card| card_view(facts, seat, card).model)
            .collect(),
        discards: pile(PileName::Discards),
        removed: pile(PileName::Removed),
    }
}

fn keywords_of(facts: DuelFacts<'_>, subject: DuelObject) -> Vec<Keyword> {
    Keyword::ALL
        .iter()
        .copied()
        .filter(|keyword| facts.has_keyword(subject, *keyword))
        .collect()
}

fn card_view(facts: DuelFacts<'_>, seat: Seat, card: CardId) -> CardView {
    let entry = facts.s.cards[card.index()];
    CardView {
        card,
        model: entry.known().contains(seat).then_some(entry.model),
    }
}

fn character_view(facts: DuelFacts<'_>, seat: Seat, whose: Seat, at: usize) -> Option<CharacterView> {
    let slot = facts.s.rings[whose][at];
    let card = slot.card.some()?;
    let attached = facts.s.backups.iter().filter(|(_, host)| *host == card);
    Some(CharacterView {
        card,
        model: facts.s.cards[card.index()].model,
        bp: facts.s.ring_bp(card),
        ability: facts.ability_model(card),
        fresh: slot.marks.has(Marks::FRESH),
        frozen: slot.marks.has(Marks::FROZEN),
        activated: slot.marks.has(Marks::ACTIVATED),
        attacks: slot.marks.has(Marks::ATTACK),
        follows: slot.marks.has(Marks::FOLLOWER),
        blocks: slot.marks.has(Marks::BLOCK),
        keywords: keywords_of(facts, DuelObject::card(card)),
        backups: attached
            .map(|(backup, _)| card_view(facts, seat, *backup))
            .collect(),
    })
}
