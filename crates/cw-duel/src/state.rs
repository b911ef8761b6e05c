//! The state: flat, without pointers but one, small enough to copy at every choice.

pub(crate) mod carry;
pub(crate) mod copy;
pub(crate) mod decision;
pub(crate) mod facts;
pub(crate) mod seen;
pub(crate) mod variables;

use cw_program::{CostKind, EventName, Keyword, ModelId, PileName, RuleFlag};

use crate::base::bounded::Bounded;
use crate::base::card::{CardId, DuelCard, ZoneKind};
use crate::base::count::byte;
use crate::base::list::{Arena, ArenaList, DuelObject};
use crate::base::table::FixedTable;
use crate::game::{MAX_BACKUPS, MAX_CARDS, MAX_FOLLOWERS, MAX_SLOTS};
use crate::state::decision::{Choice, Decision};
use crate::state::seen::{Seen, Subject};
use crate::{PerSeat, Phase, Seat};
use cw_chance::Chance;

/// Cards that two decks of fifty hold: places for so many are inside the state.
pub(crate) const CARDS: usize = 100;
pub(crate) type CardTable = Bounded<DuelCard, CARDS, MAX_CARDS>;

/// Everything that changes during a duel. Places inside suffice for nearly every position; what is
/// beyond lies elsewhere until it is over.
#[derive(Clone, Debug)]
pub(crate) struct DuelState {
    /// Every card, by [`CardId`].
    pub cards: CardTable,
    /// The piles of both players one after another; see [`DuelState::pile`].
    pub(crate) order: Bounded<CardId, CARDS, MAX_CARDS>,
    pub(crate) pile_len: PerSeat<[u8; 4]>,
    pub players: PerSeat<PlayerState>,
    pub rings: PerSeat<[RingSlot; MAX_SLOTS]>,
    /// Attached card and the character it backs up, in order of attaching.
    pub backups: FixedTable<(CardId, CardId), { 2 * MAX_SLOTS * MAX_BACKUPS }>,
    /// Cards in play that are not characters, until their unit ends.
    pub table: FixedTable<CardId, 4>,
    /// Lead first, then followers in order of joining; empty if there is no United Attack (G23).
    pub united: FixedTable<CardId, { MAX_FOLLOWERS + 1 }>,
    /// Attacker and its blocker (G24).
    pub blocks: FixedTable<(CardId, CardId), MAX_SLOTS>,
    /// The combat in progress.
    pub fight: Fight,
    pub turn: u16,
    pub phase: Phase,
    pub active: Seat,
    pub first: Seat,
    pub outcome: Option<DuelOutcome>,
    pub chance: Chance,
    /// Free actions in this phase (D14).
    pub free_actions: u16,
    /// Steps of the unit in progress (D13).
    pub steps: u16,
    /// Nested dispatches.
    pub depth: u8,
    /// The answer that the top task waits for.
    pub reply: Option<Choice>,
    /// What the last finished task says to the one below.
    pub register: Register,
    pub tasks: Bounded<AgendaTask, 12, TASKS>,
    pub frames: Bounded<ProgramFrame, 3, FRAMES>,
    pub arena: Arena,
    /// In order of registration (G26).
    pub listeners: Bounded<EventListener, 16, LISTENERS>,
    /// The number of the next listener.
    pub serial: u32,
    /// The events that any listener hears, as bits: the fast path of a dispatch.
    pub heard: u32,
    pub changes: Bounded<StateChange, 12, CHANGES>,
    pub queue: Bounded<Queued, 6, QUEUE>,
    /// What the players are asked; follows from all the others, and is no part of the hash.
    pub decision: Decision,
}

// Limits; what does not fit ends the unit (D13).
pub(crate) const TASKS: usize = 128;
pub(crate) const FRAMES: usize = 40;
pub(crate) const LISTENERS: usize = 250;
pub(crate) const CHANGES: usize = 250;
pub(crate) const QUEUE: usize = 250;

/// How a duel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DuelOutcome {
    /// This player won.
    Won {
        /// Who.
        winner: Seat,
        /// Why.
        reason: WinReason,
    },
    /// Nobody won: there were too many turns (D14), or one command brought both to 0 HP (D93).
    Drawn,
}

/// Why a duel was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// The loser's HP is 0 (G38).
    Hp,
    /// The loser could not draw in the Draw phase (G39).
    DeckOut,
    /// The loser gave up (D14).
    Forfeit,
}

/// What the state keeps of each player (G3, G6, G7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub(crate) struct PlayerState {
    pub hp: i32,
    pub sp: i32,
    /// Size of the latest SP loss by an effect this turn (D32).
    pub lost_sp: i32,
    pub chars_played: u8,
    pub chars_per_turn: u8,
    pub backups_played: u8,
    /// Was dealt non-combat damage this turn (G161).
    pub nc_damaged: bool,
    /// Phases to skip, as bits (G45).
    pub skip: u8,
    /// Turns still owed after this one (G52, D34).
    pub extra_turns: u8,
}

/// A place in a ring and the state of the character in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RingSlot {
    pub card: CardId,
    pub marks: Marks,
    /// Whose ability it has now: its own model, another one's, or [`LOST`] (G21).
    pub ability: ModelId,
}

/// No ability at all.
pub(crate) const LOST: ModelId = ModelId(u16::MAX);

impl RingSlot {
    pub const EMPTY: RingSlot = RingSlot {
        card: CardId::NONE,
        marks: Marks(0),
        ability: LOST,
    };
}

/// What lies on a character in the ring (G16–G18), as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub(crate) struct Marks(pub u16);

impl Marks {
    pub const FRESH: Marks = Marks(1);
    pub const FROZEN: Marks = Marks(1 << 1);
    pub const ACTIVATED: Marks = Marks(1 << 2);
    /// Solo attacker or lead.
    pub const ATTACK: Marks = Marks(1 << 3);
    /// Follower in the United Attack.
    pub const FOLLOWER: Marks = Marks(1 << 4);
    pub const BLOCK: Marks = Marks(1 << 5);
    pub const UNFREEZABLE: Marks = Marks(1 << 6);
    pub const PIERCE: Marks = Marks(1 << 7);
    /// Its instant may be tried once more by hand (D3, GQ5).
    pub const RETRY: Marks = Marks(1 << 8);
    /// Its instant had all its tries, the last one in vain (D78).
    pub const SPENT: Marks = Marks(1 << 9);
    /// What the use of an ability leaves until the turn is over.
    pub const TRIED: Marks = Marks(Marks::ACTIVATED.0 | Marks::RETRY.0 | Marks::SPENT.0);
    pub const ATTACKING: Marks = Marks(Marks::ATTACK.0 | Marks::FOLLOWER.0);
    pub const FIGHTING: Marks =
        Marks(Marks::ATTACKING.0 | Marks::BLOCK.0 | Marks::UNFREEZABLE.0 | Marks::PIERCE.0);

    /// Whether any of the given ones lies there.
    pub fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 != 0
    }

    pub fn set(&mut self, marks: Marks) {
        self.0 |= marks.0;
    }

    pub fn clear(&mut self, marks: Marks) {
        self.0 &= !marks.0;
    }
}

/// The combat of the End phase (G149), and the attackers of the Counter-attack phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fight {
    /// In slot order, taken when the step begins (D7).
    pub attackers: FixedTable<CardId, MAX_SLOTS>,
    pub cursor: u8,
    /// BP of the attacker and of its followers, captured before the events (G150).
    pub lead: i32,
    pub extra: i32,
}

/// A piece of pending work. The agenda is a stack of these; the top one runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AgendaTask {
    /// A turn: its phases, then the next turn.
    Turn,
    Phase {
        phase: Phase,
        step: u8,
    },
    /// The end of a unit (D2).
    Unit {
        step: u8,
    },
    /// Combat: the attacks are resolved one after another (G149–G158).
    Combat {
        step: u8,
    },
    /// `attacks` for each attacker (G56.3).
    Attacks,
    Play {
        card: CardId,
        step: u8,
        slot: u8,
    },
    /// A card starts its script: event-less autos, one after another (G104).
    Enter {
        card: CardId,
        auto: u8,
        copied: bool,
    },
    /// The ability of a character, by hand (G92–G100).
    Activate {
        card: CardId,
        step: u8,
    },
    BackUp {
        card: CardId,
    },
    Join {
        card: CardId,
    },
    Block {
        card: CardId,
    },
    Dispatch(Dispatch),
    /// A queued listener that is running (D21).
    Heard {
        serial: u32,
        event: EventName,
    },
    /// The top frame.
    Run,
    /// The effect that the top frame stands at.
    Effect(EffectTask),
}

/// An event on its way through the listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dispatch {
    pub event: EventName,
    /// A card index or 255.
    pub object: CardId,
    /// The card that becomes `trigger`, or 255.
    pub argument: CardId,
    pub executor: Seat,
    /// Listeners with a number from here on are still to be visited, …
    pub cursor: u32,
    /// … up to those that were not there at the start.
    pub end: u32,
    /// What the listeners answered so far.
    pub answer: HookAnswer,
    /// Sum of `modDamage`.
    pub sum: i32,
}

/// What a hook answered (G187, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum HookAnswer {
    None,
    True,
    False,
}

/// An effect in its middle: some dispatch an event before each target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EffectTask {
    /// In the program of the top frame.
    pub effect: u16,
    /// What it acts on.
    pub list: ArenaList,
    /// The target it stands at.
    pub at: u8,
    pub stage: EffectStage,
    pub doing: Doing,
}

/// How far an effect is with the target it stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EffectStage {
    /// The event that goes before is still to be sent.
    Announces,
    Acts,
}

/// What an effect does to its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Doing {
    Damage(i32),
    /// All lose their ability (G118).
    LoseAbility,
    /// G119: all get the ability of this model.
    CopyAbility(ModelId),
    /// G121: the first gets it, then the second loses its own.
    Steal(ModelId),
    /// G122: the first gets the second's, then the second the first's.
    SwapAbilities {
        of_first: ModelId,
        of_second: ModelId,
    },
    /// It is done when what runs above it is.
    Waits,
}

/// What is only told, and decides nothing: it counts for no comparison and no digest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Aside(pub bool);

impl PartialEq for Aside {
    fn eq(&self, _: &Aside) -> bool {
        true
    }
}

impl Eq for Aside {}

impl std::hash::Hash for Aside {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// What a finished task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Register {
    None,
    /// How a run ended; whether one of its effects ran, one succeeded, it was committed (D3),
    /// `clear()` ran.
    Ended {
        ending: cw_program::StatementsEnding,
        acted: bool,
        worked: Aside,
        committed: bool,
        cleared: bool,
    },
    /// What a dispatch answered, and its sum.
    Answered {
        answer: HookAnswer,
        sum: i32,
    },
    /// Whether an effect succeeded (R603).
    Effect(bool),
}

/// Which list of statements a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FramePart {
    /// By hand or on being played; the index of the action is chosen on the way.
    Activation,
    /// An `activate` command inside another run (D31).
    Nested,
    /// An auto, on an event.
    Event,
    /// An auto without event, on entering (R902).
    Entering,
}

/// A running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProgramFrame {
    /// Whose rule.
    pub model: ModelId,
    /// What the source was when the run began (D64).
    pub named: ModelId,
    pub part: FramePart,
    /// Index of the action or auto.
    pub index: u8,
    pub source: CardId,
    /// Where the source is only last-known information: who controlled it (D87).
    pub lost: Option<Seat>,
    pub executor: Seat,
    pub stage: FrameStage,
    pub pc: u16,
    /// Whether the run is committed: choices may no longer be declined at will (D3).
    pub committed: bool,
    /// `clear()` was executed (G239).
    pub cleared: bool,
    /// The statement has a clause of its own.
    pub own_targets: bool,
    /// At least one effect ran (D19).
    pub acted: bool,
    /// At least one effect succeeded.
    pub worked: Aside,
    /// The last effect succeeded (R603).
    pub done: bool,
    /// `tgt`.
    pub main: ArenaList,
    /// What the statement acts on.
    pub targets: ArenaList,
    /// `prevtgt`.
    pub previous: ArenaList,
    pub discarded: ArenaList,
    pub sacrificed: ArenaList,
    pub destroyed: ArenaList,
    pub moved: ArenaList,
    pub trashed: ArenaList,
    /// Encoded values of `vars`.
    pub vars: ArenaList,
    /// Answers and draws of the instruction in progress (D42).
    pub tape: ArenaList,
    pub trigger: CardId,
    pub attacker: CardId,
    pub blocker: CardId,
    /// `card` inside `each`.
    pub element: Option<crate::base::list::DuelObject>,
    pub ua_bp: i32,
    /// The pile that the target clause in force last searched (D33).
    pub searched: Option<(Seat, PileName)>,
    pub each: [(ArenaList, u8); 2],
    /// Where its lists begin in the arena.
    pub base: u16,
}

impl ProgramFrame {
    /// Nothing has run yet.
    pub const BLANK: ProgramFrame = ProgramFrame {
        model: LOST,
        named: LOST,
        part: FramePart::Activation,
        index: 0,
        source: CardId::NONE,
        lost: None,
        executor: Seat::One,
        stage: FrameStage::Requisite,
        pc: 0,
        committed: false,
        cleared: false,
        own_targets: false,
        acted: false,
        worked: Aside(false),
        done: true,
        main: ArenaList::UNDEFINED,
        targets: ArenaList::EMPTY,
        previous: ArenaList::UNDEFINED,
        discarded: ArenaList::EMPTY,
        sacrificed: ArenaList::EMPTY,
        destroyed: ArenaList::EMPTY,
        moved: ArenaList::EMPTY,
        trashed: ArenaList::EMPTY,
        vars: ArenaList::EMPTY,
        tape: ArenaList::EMPTY,
        trigger: CardId::NONE,
        attacker: CardId::NONE,
        blocker: CardId::NONE,
        element: None,
        ua_bp: 0,
        searched: None,
        each: [(ArenaList::EMPTY, 0); 2],
        base: 0,
    };
}

impl ProgramFrame {
    /// The source, unless it is only last-known information (D87).
    pub fn present_source(&self) -> Option<CardId> {
        self.source.some().filter(|_| self.lost.is_none())
    }

    /// The source as it stands in what it makes: none where its identity has ended (D6).
    pub fn giver(&self) -> CardId {
        self.present_source().unwrap_or(CardId::NONE)
    }
}

/// What a frame does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FrameStage {
    Requisite,
    Target,
    Choose,
    Vars,
    Costs,
    Statements,
}

/// A card's auto that waits for events (G176).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventListener {
    /// In order of registration; never used twice.
    pub serial: u32,
    /// Its source and callback.
    pub card: CardId,
    /// What the source was at registration (D64).
    pub named: ModelId,
    /// Whose rule.
    pub model: ModelId,
    /// Which auto of the rule.
    pub auto: u8,
    /// The controller of the source at registration.
    pub controller: Seat,
    /// Events of the trigger that still listen, as bits of their index.
    pub live: u16,
    pub tie: Tie,
}

/// How a listener hangs on its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tie {
    /// It goes when the source goes.
    Source,
    /// Only `:once` events are left: the source is gone.
    Orphan,
    /// The source has entered a deck since, and what it was has ended there (D6): only its name, its
    /// printed values and its controller are left (D87).
    Lost,
}

impl EventListener {
    pub fn is_orphan(&self) -> bool {
        self.tie != Tie::Source
    }
}

/// A timed or lasting change, in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StateChange {
    pub kind: ChangeKind,
    /// The card or player it is on, or the whole game.
    pub subject: DuelObject,
    /// None where the card that made it has been in a deck since: its identity has ended (D6).
    pub source: CardId,
    /// What the source was when it made the change (D64).
    pub named: ModelId,
    pub life: Life,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ChangeKind {
    Grant(Keyword),
    /// `-x` with a restriction (D35).
    Suppress(Keyword),
    /// A rule is on or off (G250).
    Flag(RuleFlag, bool),
    /// Characters of so many BP or more are not played (`play_char_bp_limit`).
    BpLimit(i32),
    CostAdd(CostKind, i32),
    CostSet(CostKind, i32),
    /// BP gained; taken back at the end (D26).
    Bp(i32),
    /// The ability it had before (D26).
    Ability(ModelId),
    /// The model it had before (G13); without time: until it goes to a pile.
    Form(ModelId),
}

/// How long a change lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Life {
    /// As long as its source, a character, keeps the ability.
    WithSource,
    /// As that, and taken back whenever the condition does not hold (D24).
    Continuous,
    /// As long as its subject stays.
    WithSubject,
    /// For the rest of the game.
    Forever,
    /// Until the Cleanup of this player.
    Cleanup(Seat),
    /// Until the Activate phase of this player.
    Activate(Seat),
    /// Until this player's next Action card, or Cleanup.
    NextAction(Seat),
}

/// An event that waits for the end of the unit (D2, D21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Queued {
    /// `handchanges` or `ringchanges` of a player, so many times.
    Changes { event: EventName, seat: Seat, times: u8 },
    /// This listener heard a card leave.
    Heard {
        event: EventName,
        listener: EventListener,
        object: CardId,
        executor: Seat,
    },
}

impl DuelState {
    /// A card as an event tells of it now.
    pub fn seen(&self, card: CardId) -> Seen {
        match self.cards.get(card.index()) {
            Some(entry) => Seen::new(card, entry.model, entry.known()),
            None => Seen::new(card, LOST, crate::SeatSet::NONE),
        }
    }

    /// The source of something that runs or lasts, as an event tells of it now. Where not everybody
    /// knows the card any more, the name stands that it had when all could see it, and no card (D64).
    pub fn source_seen(&self, source: CardId, named: ModelId) -> Seen {
        let seen = self.seen(source);
        if seen.to == crate::SeatSet::BOTH || named == LOST {
            seen
        } else {
            Seen::new(CardId::NONE, named, crate::SeatSet::BOTH)
        }
    }

    /// The source of the running program, as an event tells of it now.
    pub fn running_source(&self) -> Seen {
        match self.frames.last() {
            Some(frame) => self.source_seen(frame.giver(), frame.named),
            None => self.seen(CardId::NONE),
        }
    }

    /// A card or a player as an event tells of it now.
    pub fn subject(&self, object: DuelObject) -> Subject {
        match object.as_player() {
            Some(seat) => Subject::Player(seat),
            None => Subject::Card(self.seen(CardId(object.0))),
        }
    }

    /// The cards of a pile, top first.
    #[inline]
    pub fn pile(&self, seat: Seat, pile: PileName) -> &[CardId] {
        let start = self.pile_start(seat, pile);
        &self.order[start..start + self.pile_count(seat, pile)]
    }

    pub fn pile_cards(
        &self,
        seat: Seat,
        pile: PileName,
    ) -> impl ExactSizeIterator<Item = CardId> + DoubleEndedIterator + '_ {
        self.pile(seat, pile).iter().copied()
    }

    #[inline]
    pub fn pile_count(&self, seat: Seat, pile: PileName) -> usize {
        usize::from(self.pile_len[seat][pile as usize])
    }

    #[inline]
    fn pile_start(&self, seat: Seat, pile: PileName) -> usize {
        // The lengths of all piles in one number: a product with ones adds up those before each.
        // No sum is beyond a byte, as there are no more cards than that.
        let [[a, b, c, d], [e, f, g, h]] = self.pile_len.0;
        let lengths = u64::from_le_bytes([0, a, b, c, d, e, f, g]);
        let _ = h; // the last pile: nothing begins behind it
        let sums = lengths.wrapping_mul(0x0101_0101_0101_0101).to_le_bytes();
        usize::from(sums[4 * seat.index() + pile as usize])
    }

    /// Puts a card into a pile with `index` cards above it, or fewer if the pile is short. The card
    /// must be in no pile.
    pub fn insert(&mut self, card: CardId, seat: Seat, pile: PileName, index: usize) {
        let at = self.pile_start(seat, pile) + index.min(self.pile_count(seat, pile));
        self.order
            .insert(at, card)
            .expect("there are as many places as cards");
        self.pile_len[seat][pile as usize] += 1;
        let entry = &mut self.cards[card.index()];
        entry.set_zone(ZoneKind::Pile(pile));
        entry.set_controller(seat);
    }

    /// The pile's topmost cards in another order.
    pub fn set_top(&mut self, seat: Seat, pile: PileName, cards: &[CardId]) {
        let start = self.pile_start(seat, pile);
        for (place, card) in self.order[start..].iter_mut().zip(cards) {
            *place = *card;
        }
    }

    /// Takes a card out of its pile.
    pub fn take_out(&mut self, card: CardId) {
        let entry = self.cards[card.index()];
        let ZoneKind::Pile(pile) = entry.zone() else {
            return;
        };
        let seat = entry.controller();
        let start = self.pile_start(seat, pile);
        let found = self.pile(seat, pile).iter().position(|other| *other == card);
        let at = start + found.expect("a card whose zone is a pile is in it");
        self.order.remove(at);
        self.pile_len[seat][pile as usize] -= 1;
    }

    /// Where in the ring a card is.
    #[inline]
    pub fn slot_of(&self, card: CardId) -> Option<(Seat, usize)> {
        let entry = self.cards.get(card.index())?;
        if !entry.is_in_ring() {
            return None;
        }
        let seat = entry.controller();
        let at = self.rings[seat].iter().position(|slot| slot.card == card)?;
        Some((seat, at))
    }

    /// The state of a character in a ring.
    #[inline]
    pub fn slot(&self, card: CardId) -> Option<&RingSlot> {
        let (seat, at) = self.slot_of(card)?;
        Some(&self.rings[seat][at])
    }

    #[inline]
    pub fn slot_mut(&mut self, card: CardId) -> Option<&mut RingSlot> {
        let (seat, at) = self.slot_of(card)?;
        Some(&mut self.rings[seat][at])
    }

    /// The characters of a ring, in slot order.
    pub fn ring(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &RingSlot> + '_ {
        self.rings[seat].iter().filter(|slot| slot.card != CardId::NONE)
    }

    pub fn ring_size(&self, seat: Seat) -> usize {
        self.ring(seat).count()
    }

    /// Whether any of the marks lies on the card.
    #[inline]
    pub fn marked(&self, card: CardId, marks: Marks) -> bool {
        self.slot(card).is_some_and(|slot| slot.marks.has(marks))
    }

    pub fn blocker_of(&self, attacker: CardId) -> Option<CardId> {
        self.blocks
            .iter()
            .find(|(a, _)| *a == attacker)
            .map(|(_, blocker)| *blocker)
    }

    pub fn is_lead(&self, card: CardId) -> bool {
        self.united.first() == Some(&card)
    }

    /// BP in the ring; printed BP is not looked up here.
    #[inline]
    pub fn ring_bp(&self, card: CardId) -> i32 {
        self.cards[card.index()].ring_bp()
    }
}

mod blanks {
    use super::*;
    use crate::base::table::Blank;

    impl Blank for CardId {
        const BLANK: CardId = CardId::NONE;
    }
    impl Blank for AgendaTask {
        const BLANK: AgendaTask = AgendaTask::Turn;
    }
    impl Blank for EventListener {
        const BLANK: EventListener = EventListener {
            serial: 0,
            card: CardId::NONE,
            named: LOST,
            model: LOST,
            auto: 0,
            controller: Seat::One,
            live: 0,
            tie: Tie::Source,
        };
    }
    impl Blank for StateChange {
        const BLANK: StateChange = StateChange {
            kind: ChangeKind::Bp(0),
            subject: DuelObject::GAME,
            source: CardId::NONE,
            named: LOST,
            life: Life::Forever,
        };
    }
    impl Blank for Queued {
        const BLANK: Queued = Queued::Changes {
            event: EventName::HandChanges,
            seat: Seat::One,
            times: 0,
        };
    }
    impl Blank for ProgramFrame {
        const BLANK: ProgramFrame = ProgramFrame::BLANK;
    }
    impl Blank for u8 {
        const BLANK: u8 = 0;
    }
    impl Blank for DuelCard {
        const BLANK: DuelCard = DuelCard::BLANK;
    }
    impl Blank for (CardId, CardId) {
        const BLANK: (CardId, CardId) = (CardId::NONE, CardId::NONE);
    }
}

impl DuelState {
    /// Bytes that a copy has to allocate besides.
    pub fn spilled_bytes(&self) -> usize {
        self.cards.spilled_bytes()
            + self.order.spilled_bytes()
            + self.tasks.spilled_bytes()
            + self.frames.spilled_bytes()
            + self.arena.spilled_bytes()
            + self.listeners.spilled_bytes()
            + self.changes.spilled_bytes()
            + self.queue.spilled_bytes()
    }

    /// A state with these cards and nothing else; every card lies in its owner's deck.
    pub fn new(cards: CardTable, chance: Chance) -> DuelState {
        let mut state = DuelState {
            cards,
            order: Bounded::EMPTY,
            pile_len: PerSeat([[0; 4]; 2]),
            players: PerSeat::default(),
            rings: PerSeat([[RingSlot::EMPTY; MAX_SLOTS]; 2]),
            backups: FixedTable::EMPTY,
            table: FixedTable::EMPTY,
            united: FixedTable::EMPTY,
            blocks: FixedTable::EMPTY,
            fight: Fight {
                attackers: FixedTable::EMPTY,
                cursor: 0,
                lead: 0,
                extra: 0,
            },
            turn: 0,
            phase: Phase::Setup,
            active: Seat::One,
            first: Seat::One,
            outcome: None,
            chance,
            free_actions: 0,
            steps: 0,
            depth: 0,
            reply: None,
            register: Register::None,
            tasks: Bounded::EMPTY,
            frames: Bounded::EMPTY,
            arena: Arena::new(),
            listeners: Bounded::EMPTY,
            serial: 0,
            heard: 0,
            changes: Bounded::EMPTY,
            queue: Bounded::EMPTY,
            decision: Decision::none(),
        };
        for seat in Seat::BOTH {
            for (index, card) in state.cards.iter_mut().enumerate() {
                if card.owner() == seat {
                    card.set_zone(ZoneKind::Pile(PileName::Deck));
                    card.set_controller(seat);
                    state
                        .order
                        .push(CardId(byte(index)))
                        .expect("there are as many places as cards");
                    state.pile_len[seat][PileName::Deck as usize] += 1;
                }
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two decks of fifty included: what a copy of a duel copies. 24 bytes are the length of the seed
    /// (D70), 108 the names of what runs, waits and lasts (D64).
    #[test]
    fn the_state_stays_small() {
        assert!(size_of::<DuelState>() <= 2688, "{} bytes", size_of::<DuelState>());
    }
}
