//! What happens, told to whoever listens. Nothing of it is kept in the state.

pub(crate) mod trace;

use cw_program::{CostKind, EventName, Keyword, ModelId, PileName, RuleFlag, StepResult};

use crate::base::card::ZoneKind;
use crate::base::cost::CostChange;
use crate::base::place::RulePlace;
use crate::event::trace::Traced;
use crate::state::DuelOutcome;
use crate::state::seen::Seen;
use crate::state::seen::Subject;
use crate::{Phase, Seat, SeatSet};

/// How much a [`Sink`] is told. What it does not want is not even made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wants {
    /// Where turns begin ([`DuelEvent::TurnBegan`]), HP change ([`DuelEvent::Hp`], without what did it) and
    /// the loop guard steps in ([`DuelEvent::Guarded`]).
    Course,
    /// All events but [`DuelEvent::Step`], in the same order as with those. Continuous autos that nothing has
    /// changed are not gone through once more to be told: much is saved.
    Events,
    /// All.
    Steps,
}

/// Receives events. A duel without one pays nothing for them.
pub trait Sink {
    /// Takes note of one event.
    fn event(&mut self, event: &DuelEvent);

    /// How much it is told. Who wants a trace is told all.
    fn wants(&self) -> Wants {
        Wants::Steps
    }

    /// Whether [`Sink::traced`] is to be called; what it is told is not even made otherwise.
    fn wants_trace(&self) -> bool {
        false
    }

    /// Takes note of one line of the trace (R1402), right after the event of the same step.
    fn traced(&mut self, _: &Traced) {}
}

/// Forgets everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Sink for Silent {
    fn event(&mut self, _: &DuelEvent) {}

    fn wants(&self) -> Wants {
        Wants::Course
    }
}

impl Sink for Vec<DuelEvent> {
    fn event(&mut self, event: &DuelEvent) {
        self.push(*event);
    }
}

/// Whose zone, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneLocation {
    /// Whose.
    pub seat: Seat,
    /// Which.
    pub zone: ZoneKind,
}

/// A statement that did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementOrigin {
    /// On behalf of which card.
    pub source: Seen,
    /// Whose rule, and where; [`crate::Game`] tells its text and its place.
    pub place: RulePlace,
}

/// Why a number changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeCause {
    /// Combat damage of this card.
    Combat(Seen),
    /// Piercing damage of this card.
    Piercing(Seen),
    /// An effect of this card.
    Effect(Seen),
    /// The cost or gain of playing this card.
    Play(Seen),
    /// The cost of the United Attack.
    UnitedAttack,
    /// A back-up.
    BackUp(Seen),
    /// A timed change that ended.
    Expiry,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelEvent {
    /// The duel begins; this player goes first.
    Began {
        /// Who.
        first: Seat,
    },
    /// A turn begins.
    TurnBegan {
        /// Its number, from 1.
        turn: u16,
        /// Whose.
        seat: Seat,
    },
    /// A phase begins.
    PhaseBegan {
        /// Which.
        phase: Phase,
    },
    /// A phase is passed over by an effect.
    PhaseSkipped {
        /// Which.
        phase: Phase,
    },
    /// A player ended a phase or passed.
    Passed {
        /// Who.
        seat: Seat,
        /// Which phase.
        phase: Phase,
    },
    /// A card changed its zone.
    Moved {
        /// The card.
        card: Seen,
        /// From where.
        from: ZoneLocation,
        /// To where.
        to: ZoneLocation,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A card is played.
    Played {
        /// The card.
        card: Seen,
        /// By whom.
        seat: Seat,
        /// Characters: in which slot, from 0.
        slot: Option<u8>,
    },
    /// A card's ability or effect begins.
    Activated {
        /// The card.
        card: Seen,
        /// By whom.
        seat: Seat,
    },
    /// The activation ended without success; why is in the trace.
    Unresolved {
        /// The card.
        card: Seen,
        /// Whether one of its effects succeeded before that.
        worked: bool,
    },
    /// An auto runs.
    Triggered {
        /// The card.
        card: Seen,
        /// On which event.
        event: EventName,
    },
    /// A character is not fresh though it was just played, by an effect of another card (G67, `playAsFresh`).
    NotFresh {
        /// Who.
        card: Seen,
    },
    /// A character became a back-up of another.
    BackedUp {
        /// The back-up.
        card: Seen,
        /// The character.
        host: Seen,
    },
    /// An attack was declared.
    AttackDeclared {
        /// By whom.
        card: Seen,
    },
    /// A character joined the United Attack.
    Joined {
        /// Who.
        card: Seen,
        /// Whose attack.
        lead: Seen,
    },
    /// A character no longer attacks.
    AttackCancelled {
        /// Who.
        card: Seen,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A counter-attack was declared.
    BlockDeclared {
        /// The blocker.
        card: Seen,
        /// The attacker.
        attacker: Seen,
    },
    /// A character does not counter-attack any more.
    BlockCancelled {
        /// Who.
        card: Seen,
    },
    /// An attack is resolved.
    Fought {
        /// The attacker.
        attacker: Seen,
        /// Its blocker, if it was blocked.
        blocker: Option<Seen>,
        /// What the attack deals.
        damage: i32,
    },
    /// A player's HP changed.
    Hp {
        /// Whose.
        seat: Seat,
        /// Before.
        from: i32,
        /// After.
        to: i32,
        /// Why.
        cause: ChangeCause,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A player's SP changed.
    Sp {
        /// Whose.
        seat: Seat,
        /// Before.
        from: i32,
        /// After.
        to: i32,
        /// Why.
        cause: ChangeCause,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A character's BP changed.
    Bp {
        /// Whose.
        card: Seen,
        /// Before.
        from: i32,
        /// After.
        to: i32,
        /// Why.
        cause: ChangeCause,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A character froze or unfroze.
    Frozen {
        /// Who.
        card: Seen,
        /// Whether it is frozen now.
        frozen: bool,
    },
    /// A character at 0 BP is KOed.
    KnockedOut {
        /// Who.
        card: Seen,
    },
    /// A pile was shuffled.
    Shuffled {
        /// Whose.
        seat: Seat,
        /// Which.
        pile: PileName,
    },
    /// Someone saw a card without its moving.
    Shown {
        /// The card, and who knows it now.
        card: Seen,
    },
    /// A random outcome (coin, random pick).
    Rolled {
        /// Which of so many.
        outcome: u32,
        /// Of how many.
        of: u32,
        /// Whether it was a coin that a player called (G264).
        coin: bool,
    },
    /// A keyword was gained or lost.
    Keyword {
        /// The card or player.
        subject: Subject,
        /// Which.
        keyword: Keyword,
        /// Whether it was gained.
        gained: bool,
        /// By which card.
        source: Option<Seen>,
    },
    /// A character's ability is now that of another card, or none.
    Ability {
        /// The character.
        card: Seen,
        /// Whose ability; `None` is lost.
        of: Option<ModelId>,
    },
    /// A card became another one.
    Transformed {
        /// The card as it was.
        card: Seen,
        /// The same card as it is now.
        into: Seen,
    },
    /// A rule of the game was changed, or the change ended.
    Rule {
        /// Which.
        flag: RuleFlag,
        /// By which card.
        source: Seen,
        /// The value given; `None`: the change ended.
        value: Option<i32>,
    },
    /// A cost was changed, or the change ended.
    Cost {
        /// Of what.
        kind: CostKind,
        /// By which card.
        source: Seen,
        /// Whether it was made now.
        made: bool,
        /// How.
        how: CostChange,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// A player will skip a phase.
    WillSkip {
        /// Who.
        seat: Seat,
        /// Which.
        phase: Phase,
    },
    /// A player gets more turns.
    ExtraTurns {
        /// Who.
        seat: Seat,
        /// Owed, this one included.
        turns: u8,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// How many characters a player has played and may play this turn.
    PlayLimit {
        /// Whose.
        seat: Seat,
        /// Played so far (G66).
        played: u8,
        /// May be played in all (G229).
        limit: u8,
        /// The character, if one was played.
        card: Option<Seen>,
        /// By which statement, where one did it.
        by: Option<StatementOrigin>,
    },
    /// Two characters exchanged slots, or one moved to another slot.
    SlotChanged {
        /// Who.
        card: Seen,
        /// Where it is now, from 0.
        slot: u8,
    },
    /// A player looks at the top of a deck.
    Looked {
        /// Who.
        seat: Seat,
        /// Whose deck.
        deck: Seat,
        /// How many cards.
        cards: u8,
    },
    /// How a pile is to be shown (G240).
    PileView {
        /// Whose.
        seat: Seat,
        /// Which.
        pile: PileName,
        /// How.
        view: cw_program::PileViewState,
    },
    /// A step of a program was taken: its place, and what came of it (R1402).
    Step {
        /// Whose rule, and where.
        place: RulePlace,
        /// On behalf of which card.
        source: Seen,
        /// What came of it.
        result: StepResult,
    },
    /// An expression could not be evaluated (R1004, RS038, RS043).
    Failed {
        /// Whose rule, and where.
        place: Option<RulePlace>,
        /// On behalf of which card.
        source: Seen,
    },
    /// The loop guard ended a unit (D13).
    Guarded {
        /// The card whose rule ran.
        source: Option<Seen>,
        /// Where in its rule.
        place: Option<RulePlace>,
    },
    /// The duel is over.
    Ended {
        /// How.
        outcome: DuelOutcome,
    },
}

impl DuelEvent {
    /// Whether the event told this player something that it could not know, dealt from a deck to
    /// anybody, or was chance: what led to it cannot be taken back any more.
    pub fn reveals_to(&self, seat: Seat) -> bool {
        match *self {
            DuelEvent::Moved { card, from, .. } => match from.zone {
                ZoneKind::Pile(PileName::Deck) => card.to != SeatSet::NONE,
                ZoneKind::Pile(PileName::Hand) => from.seat != seat && card.to.contains(seat),
                ZoneKind::Pile(PileName::Discards | PileName::Removed)
                | ZoneKind::Ring
                | ZoneKind::Backup
                | ZoneKind::Table => false,
            },
            DuelEvent::Shown { card } => card.to.contains(seat),
            DuelEvent::Rolled { .. }
            | DuelEvent::Shuffled { .. }
            | DuelEvent::Looked { .. }
            | DuelEvent::TurnBegan { .. } => true,
            _ => false,
        }
    }
}

/// Where events go, if anywhere.
pub(crate) struct EventLog<'a> {
    sink: Option<&'a mut dyn Sink>,
    /// `None` where nobody listens.
    wants: Option<Wants>,
}

impl<'a> EventLog<'a> {
    pub fn new(sink: Option<&'a mut dyn Sink>) -> EventLog<'a> {
        let wants = sink.as_ref().map(|sink| match sink.wants_trace() {
            true => Wants::Steps,
            false => sink.wants(),
        });
        EventLog { sink, wants }
    }

    /// Whether somebody is to be told of each step.
    #[inline]
    pub fn wants_steps(&self) -> bool {
        self.wants >= Some(Wants::Steps)
    }

    /// Whether somebody is to be told more than the course of the duel.
    #[inline]
    pub fn wants_events(&self) -> bool {
        self.wants >= Some(Wants::Events)
    }

    /// Tells a step, where steps are wanted.
    #[inline]
    pub fn tell_step(&mut self, event: impl FnOnce() -> DuelEvent) {
        if self.wants_steps() {
            self.tell_course(event);
        }
    }

    /// Tells an event, where more than the course of the duel is wanted.
    #[inline]
    pub fn tell(&mut self, event: impl FnOnce() -> DuelEvent) {
        if self.wants_events() {
            self.tell_course(event);
        }
    }

    /// Tells what every sink wants.
    #[inline]
    pub fn tell_course(&mut self, event: impl FnOnce() -> DuelEvent) {
        if let Some(sink) = &mut self.sink {
            sink.event(&event());
        }
    }

    /// Who wants a trace.
    pub fn tracer(&mut self) -> Option<&mut dyn Sink> {
        match &mut self.sink {
            Some(sink) if sink.wants_trace() => Some(&mut **sink),
            _ => None,
        }
    }
}
