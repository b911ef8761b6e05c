//! The complete true state as plain values, for tests, traces and tools that hide nothing.

use cw_program::{AutoKind, ClosedWord, CostKind, EventName, Keyword, ModelId, PileName, RuleFlag};

use crate::base::card::CardId;
use crate::base::cost::CostChange;
use crate::base::list::DuelObject;
use crate::duel::Duel;
use crate::state::facts::DuelFacts;
use crate::state::{ChangeKind, DuelOutcome, LOST, Life, Marks, Queued};
use crate::{PerSeat, Phase, Seat};
use cw_chance::Chance;
use cw_history::StateHash;

/// Everything that is so now, whoever may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
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
    /// Both players.
    pub players: PerSeat<PlayerSnapshot>,
    /// The United Attack, lead first.
    pub united: Vec<CardId>,
    /// Attackers and their blockers.
    pub blocks: Vec<(CardId, CardId)>,
    /// Actions and reactions in play.
    pub table: Vec<CardId>,
    /// Who waits for which events, in order of registration (G26).
    pub listeners: Vec<ListenerSnapshot>,
    /// What differs from the printed cards and rules, in order of creation.
    pub changes: Vec<ChangeSnapshot>,
    /// Events that wait for the end of the unit (D2).
    pub queue: Vec<QueuedSnapshot>,
    /// Where random outcomes come from, and how far they are used.
    pub chance: Chance,
    /// The digest of the state.
    pub hash: StateHash,
}

/// What is so of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSnapshot {
    /// Hit points.
    pub hp: i32,
    /// Skill points.
    pub sp: i32,
    /// The ring by slots.
    pub ring: Vec<Option<CharacterSnapshot>>,
    /// The hand, in no meaningful order.
    pub hand: Vec<CardId>,
    /// The deck, top first.
    pub deck: Vec<CardId>,
    /// The discard pile, top first.
    pub discards: Vec<CardId>,
    /// The removed pile, top first.
    pub removed: Vec<CardId>,
    /// Characters played this turn.
    pub characters_played: u8,
    /// Characters that may be played this turn.
    pub characters_per_turn: u8,
    /// Back-ups made this turn.
    pub backups_played: u8,
    /// Was dealt non-combat damage this turn (G161).
    pub nc_damaged: bool,
    /// Size of the latest SP loss this turn (D32).
    pub lost_sp: i32,
    /// Phases to be skipped (G45).
    pub skips: Vec<Phase>,
    /// Extra turns owed (G52).
    pub extra_turns: u8,
    /// Keywords on the player (G257).
    pub keywords: Vec<Keyword>,
    /// Cards in either hand that this player knows.
    pub knows_of_opposing_hand: Vec<CardId>,
}

/// A character in a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the rules")]
pub struct CharacterSnapshot {
    /// Which.
    pub card: CardId,
    /// BP now.
    pub bp: i32,
    /// BP before it fell to 0, else BP now (G15).
    pub last_bp: i32,
    /// Whose ability it has now; `None` is lost.
    pub ability: Option<ModelId>,
    /// What it was before it was transformed (G13).
    pub printed: Option<ModelId>,
    /// Entered since its controller's last Activate phase.
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
    /// Does not freeze after this attack.
    pub unfreezable: bool,
    /// Pierces in this combat.
    pub pierces: bool,
    /// Its instant may be tried once more by hand (GQ5).
    pub may_retry: bool,
    /// Keywords it has now, printed and given.
    pub keywords: Vec<Keyword>,
    /// Its back-ups, in order of attaching.
    pub backups: Vec<CardId>,
}

/// A card's auto that waits for events (G176).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenerSnapshot {
    /// Its source.
    pub card: CardId,
    /// What the source was when it began to wait (D64).
    pub named: ModelId,
    /// Whose rule.
    pub model: ModelId,
    /// Which auto of the rule, from 0.
    pub auto: u8,
    /// Controller of the source at registration.
    pub controller: Seat,
    /// The events it still hears; none: it is evaluated after every effect (D24).
    pub events: Vec<EventName>,
    /// Its source is gone and only `:once` events are left (R908).
    pub outlives_source: bool,
}

/// One change, and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeSnapshot {
    /// What changed.
    pub what: ChangedThing,
    /// The card or player it is on; `None`: the whole game.
    pub subject: Option<DuelObject>,
    /// Who made it; `None`: it was so from the start, or who made it has been in a deck since (D6).
    pub source: Option<CardId>,
    /// What the source was when it made the change (D64); `None`: it was so from the start.
    pub named: Option<ModelId>,
    /// How long it lasts.
    pub lasts: Lasts,
}

/// What a change changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedThing {
    /// A keyword was given (G257).
    Given(Keyword),
    /// A keyword is suppressed (D35).
    Suppressed(Keyword),
    /// A rule of the game has this value (G249).
    Rule(RuleFlag, i32),
    /// A cost (G80).
    Cost(CostKind, CostChange),
    /// BP that will be taken back (D26).
    Bp(i32),
    /// The ability it will have again (D26); `None` is none.
    AbilityBefore(Option<ModelId>),
    /// What it will be again (G13, G248).
    FormBefore(ModelId),
}

/// How long a change lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// As long as its source keeps its ability in the ring.
    WithSource,
    /// As that, and only while its condition holds (D24).
    WhileConditionHolds,
    /// As long as its subject stays.
    WithSubject,
    /// For the rest of the duel.
    Forever,
    /// Until this player's Cleanup (`ueot`).
    UntilCleanup(Seat),
    /// Until this player's Activate phase (`uynt`).
    UntilActivate(Seat),
    /// Until this player's next Action card, or Cleanup (`unac`).
    UntilNextAction(Seat),
}

/// An event that waits for the end of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedSnapshot {
    /// Which.
    pub event: EventName,
    /// Who dispatches it.
    pub seat: Seat,
    /// The card that left, if that is what happened.
    pub card: Option<CardId>,
    /// How often.
    pub times: u8,
}

impl Duel {
    /// The complete state as it is now. It tells what no player knows: for tests, traces and tools,
    /// not for players.
    pub fn snapshot(&self) -> Snapshot {
        let facts = self.facts();
        let state = facts.s;
        Snapshot {
            turn: state.turn,
            phase: state.phase,
            active: state.active,
            first: state.first,
            outcome: state.outcome,
            players: PerSeat::from_fn(|seat| player(facts, seat)),
            united: state.united.to_vec(),
            blocks: state.blocks.to_vec(),
            table: state.table.to_vec(),
            listeners: listeners(facts),
            changes: changes(facts),
            queue: state.queue.iter().map(queued).collect(),
            chance: state.chance,
            hash: self.hash(),
        }
    }

    /// Where a card is, whoever may know it; `None` if the duel has no such card.
    pub fn zone_of(&self, card: CardId) -> Option<crate::ZoneLocation> {
        let entry = self.state.cards.get(card.index())?;
        Some(crate::ZoneLocation {
            seat: entry.controller(),
            zone: entry.zone(),
        })
    }

    /// The slot of a character in a ring, from 0.
    pub fn slot_of(&self, card: CardId) -> Option<usize> {
        self.state.slot_of(card).map(|(_, slot)| slot)
    }
}

fn player(facts: DuelFacts<'_>, seat: Seat) -> PlayerSnapshot {
    let state = facts.s;
    let player = &state.players[seat];
    let pile = |pile| state.pile_cards(seat, pile).collect::<Vec<_>>();
    let known = state
        .pile_cards(seat.other(), PileName::Hand)
        .filter(|card| state.cards[card.index()].known().contains(seat));
    PlayerSnapshot {
        hp: player.hp,
        sp: player.sp,
        ring: (0..usize::from(facts.constants().ring_slots))
            .map(|slot| character(facts, seat, slot))
            .collect(),
        hand: pile(PileName::Hand),
        deck: pile(PileName::Deck),
        discards: pile(PileName::Discards),
        removed: pile(PileName::Removed),
        characters_played: player.chars_played,
        characters_per_turn: player.chars_per_turn,
        backups_played: player.backups_played,
        nc_damaged: player.nc_damaged,
        lost_sp: player.lost_sp,
        skips: Phase::ALL
            .into_iter()
            .filter(|phase| player.skip & (1 << *phase as u8) != 0)
            .collect(),
        extra_turns: player.extra_turns,
        keywords: keywords(facts, DuelObject::player(seat)),
        knows_of_opposing_hand: known.collect(),
    }
}

fn keywords(facts: DuelFacts<'_>, subject: DuelObject) -> Vec<Keyword> {
    let all = Keyword::ALL.iter().copied();
    all.filter(|keyword| facts.has_keyword(subject, *keyword))
        .collect()
}

fn character(facts: DuelFacts<'_>, seat: Seat, at: usize) -> Option<CharacterSnapshot> {
    let slot = facts.s.rings[seat][at];
    let card = slot.card.some()?;
    let object = DuelObject::card(card);
    let printed = facts.s.changes.iter().find_map(|change| {
        if let ChangeKind::Form(model) = change.kind
            && change.subject == object
        {
            Some(model)
        } else {
            None
        }
    });
    let attached = facts.s.backups.iter().filter(|(_, host)| *host == card);
    Some(CharacterSnapshot {
        card,
        bp: facts.s.ring_bp(card),
        last_bp: facts.last_bp(card).unwrap_or(0),
        ability: facts.ability_model(card),
        printed,
        fresh: slot.marks.has(Marks::FRESH),
        frozen: slot.marks.has(Marks::FROZEN),
        activated: slot.marks.has(Marks::ACTIVATED),
        attacks: slot.marks.has(Marks::ATTACK),
        follows: slot.marks.has(Marks::FOLLOWER),
        blocks: slot.marks.has(Marks::BLOCK),
        unfreezable: slot.marks.has(Marks::UNFREEZABLE),
        pierces: slot.marks.has(Marks::PIERCE),
        may_retry: slot.marks.has(Marks::RETRY),
        keywords: keywords(facts, DuelObject::card(card)),
        backups: attached.map(|(backup, _)| *backup).collect(),
    })
}

fn listeners(facts: DuelFacts<'_>) -> Vec<ListenerSnapshot> {
    let events_of = |listener: &crate::state::EventListener| {
        let program = facts.listener_program(listener)?;
        let AutoKind::Events(events) = &program.rule.autos.get(usize::from(listener.auto))?.kind else {
            return None;
        };
        let live = |index: usize| listener.live & (1 << index) != 0;
        let heard = events.iter().enumerate().filter(|(index, _)| live(*index));
        Some(heard.map(|(_, event)| event.name).collect())
    };
    let all = facts.s.listeners.iter();
    all.map(|listener| ListenerSnapshot {
        card: listener.card,
        named: listener.named,
        model: listener.model,
        auto: listener.auto,
        controller: listener.controller,
        events: events_of(listener).unwrap_or_default(),
        outlives_source: listener.is_orphan(),
    })
    .collect()
}

fn changes(facts: DuelFacts<'_>) -> Vec<ChangeSnapshot> {
    let all = facts.s.changes.iter();
    all.map(|change| ChangeSnapshot {
        what: changed(change.kind),
        subject: (change.subject != DuelObject::GAME).then_some(change.subject),
        source: change.source.some(),
        named: (change.named != LOST).then_some(change.named),
        lasts: lasts(change.life),
    })
    .collect()
}

fn changed(kind: ChangeKind) -> ChangedThing {
    match kind {
        ChangeKind::Grant(keyword) => ChangedThing::Given(keyword),
        ChangeKind::Suppress(keyword) => ChangedThing::Suppressed(keyword),
        ChangeKind::Flag(flag, on) => ChangedThing::Rule(flag, i32::from(on)),
        ChangeKind::BpLimit(limit) => ChangedThing::Rule(RuleFlag::PlayCharBpLimit, limit),
        ChangeKind::CostAdd(kind, value) => ChangedThing::Cost(kind, CostChange::Add(value)),
        ChangeKind::CostSet(kind, value) => ChangedThing::Cost(kind, CostChange::Set(value)),
        ChangeKind::Bp(gained) => ChangedThing::Bp(gained),
        ChangeKind::Ability(model) => {
            ChangedThing::AbilityBefore((model != crate::state::LOST).then_some(model))
        }
        ChangeKind::Form(model) => ChangedThing::FormBefore(model),
    }
}

fn lasts(life: Life) -> Lasts {
    match life {
        Life::WithSource => Lasts::WithSource,
        Life::Continuous => Lasts::WhileConditionHolds,
        Life::WithSubject => Lasts::WithSubject,
        Life::Forever => Lasts::Forever,
        Life::Cleanup(seat) => Lasts::UntilCleanup(seat),
        Life::Activate(seat) => Lasts::UntilActivate(seat),
        Life::NextAction(seat) => Lasts::UntilNextAction(seat),
    }
}

fn queued(queued: &Queued) -> QueuedSnapshot {
    match *queued {
        Queued::Changes { event, seat, times } => QueuedSnapshot {
            event,
            seat,
            card: None,
            times,
        },
        Queued::Heard {
            event,
            object,
            executor,
            ..
        } => QueuedSnapshot {
            event,
            seat: executor,
            card: Some(object),
            times: 1,
        },
    }
}
