//! Events, hooks and who hears them (section 11 of the game's rules).

use cw_program::{
    AutoKind, ClosedWord as _, CostKind, EventName, Keyword, PileName, Program, Scope, StatementsEnding,
    event_bit, keyword_bit,
};

use crate::Seat;
use crate::base::bounded::Bounded;
use crate::base::card::{CardId, ZoneKind};
use crate::base::count::byte;
use crate::base::list::ArenaList;
use crate::base::list::DuelObject;
use crate::event::DuelEvent;
use crate::machine::{Flow, Guard, Machine, MachineStep};
use crate::script::commands::keywords::CONTINUOUS;
use crate::state::facts::DuelFacts;
use crate::state::{
    AgendaTask, ChangeKind, Dispatch, EventListener, FramePart, HookAnswer, Queued, Register, Tie,
};

impl<'a> DuelFacts<'a> {
    pub fn listener_program(self, listener: &EventListener) -> Option<&'a Program> {
        self.game.model(listener.model).program.as_deref()
    }

    /// Which event of the listener's trigger this dispatch concerns (G181–G184, D20). Suffix tests
    /// are left to the caller.
    pub fn concerns(
        self,
        listener: &EventListener,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        dispatcher: Seat,
    ) -> Option<usize> {
        let program = self.listener_program(listener)?;
        let auto = usize::from(listener.auto);
        // The bits reject most listeners. Only the rest compare names, scopes and objects.
        if program.autos[auto].events & event_bit(event) == 0 {
            return None;
        }
        let AutoKind::Events(events) = &program.rule.autos[auto].kind else {
            return None;
        };
        events.iter().enumerate().position(|(index, heard)| {
            // A `:once` event that was used up has lost its bit; the
            // others of the trigger still listen (D19).
            let live = listener.live & (1 << index) != 0;
            let in_scope = || match heard.scope {
                Scope::My => dispatcher == self.s.active && dispatcher == listener.controller,
                Scope::Opp => dispatcher != listener.controller,
                Scope::Any => true,
            };
            live && heard.name == event
                // With an object the prefix plays no part (D20). Without one, `:this` compares the
                // card that the event carries, and is ignored on an event that carries none.
                && match object {
                    Some(object) => heard.any || object == listener.card,
                    None => in_scope() && (!heard.this || argument.is_none_or(|card| card == listener.card)),
                }
        })
    }
}

impl Machine<'_> {
    /// Sends an event through its listeners; what they answer is in the register when the next
    /// task runs. Nobody listens: nothing to do.
    #[inline]
    pub fn push_dispatch(
        &mut self,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        executor: Seat,
    ) -> Result<(), Guard> {
        // Most events have no listener at all. The register then holds
        // *none*, as after a dispatch, and no task is made.
        if self.s.heard & event_bit(event) == 0 {
            self.s.register = Register::Answered {
                answer: HookAnswer::None,
                sum: 0,
            };
            return Ok(());
        }
        self.push_heard_dispatch(event, object, argument, executor)
    }

    fn push_heard_dispatch(
        &mut self,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        executor: Seat,
    ) -> Result<(), Guard> {
        if self.s.depth >= self.game.constants.max_depth {
            return Err(Guard);
        }
        self.s.depth += 1;
        self.s.register = Register::None;
        self.push(AgendaTask::Dispatch(Dispatch {
            event,
            object: object.unwrap_or(CardId::NONE),
            argument: argument.unwrap_or(CardId::NONE),
            executor,
            cursor: 0,
            // Listeners that register during the dispatch get this
            // number or a higher one, and do not run in it (D19).
            end: self.s.serial,
            answer: HookAnswer::None,
            sum: 0,
        }))
    }

    /// One listener of a dispatch.
    pub fn dispatch(&mut self, mut dispatch: Dispatch) -> MachineStep {
        let event = dispatch.event;
        // The task is called again after each listener: first it reads how the last one ended, then
        // it looks for the next. `cursor` is a serial and not an index, so a listener that was
        // removed on the way is skipped and the one behind it is not (R914).
        if let Register::Ended { ending, acted, .. } = self.take_register() {
            if acted {
                // `cursor` was set to the serial behind the listener that has just run.
                self.consume_once(dispatch.cursor - 1, event);
            }
            match answer_of(ending, acted) {
                HookAnswer::None => {}
                HookAnswer::True => dispatch.answer = HookAnswer::True,
                // D19: the first false ends it.
                HookAnswer::False => {
                    dispatch.answer = HookAnswer::False;
                    return Ok(self.end_dispatch(dispatch));
                }
            }
        }
        loop {
            // Listeners are in order of their serials, so the first
            // that is not behind the cursor is next.
            let next = self
                .s
                .listeners
                .iter()
                .find(|listener| listener.serial >= dispatch.cursor)
                .copied();
            let Some(listener) = next.filter(|listener| listener.serial < dispatch.end) else {
                return Ok(self.end_dispatch(dispatch));
            };
            // Every listener visited is a step for the loop guard, heard or not (D13).
            self.tick()?;
            dispatch.cursor = listener.serial + 1;
            let (object, argument) = (dispatch.object.some(), dispatch.argument.some());
            if !self.hears(&listener, event, object, argument, dispatch.executor) {
                continue;
            }
            // The task must be stored before the run, because the run’s own task is pushed above it.
            *self.top() = AgendaTask::Dispatch(dispatch);
            self.run_listener(&listener, event, argument, dispatch.executor)?;
            return Ok(Flow::Go);
        }
    }

    fn end_dispatch(&mut self, dispatch: Dispatch) -> Flow {
        self.s.depth = self.s.depth.saturating_sub(1);
        self.s.register = Register::Answered {
            answer: dispatch.answer,
            sum: dispatch.sum,
        };
        self.pop()
    }

    /// Whether the listener runs on this dispatch, suffix tests included.
    pub fn hears(
        &mut self,
        listener: &EventListener,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        dispatcher: Seat,
    ) -> bool {
        let facts = self.facts();
        let Some(index) = facts.concerns(listener, event, object, argument, dispatcher) else {
            return false;
        };
        // A character at 0 BP or in the United Attack is silent (R907). What an
        // orphan’s card does now does not matter: the listener has outlived it.
        if !listener.is_orphan() && facts.is_silent(listener.card) {
            return false;
        }
        self.passes_test(listener, index, argument, dispatcher)
    }

    fn run_listener(
        &mut self,
        listener: &EventListener,
        event: EventName,
        argument: Option<CardId>,
        executor: Seat,
    ) -> Result<(), Guard> {
        let card = listener.card;
        self.log.tell(|| DuelEvent::Triggered {
            card: self.s.source_seen(card, listener.named),
            event,
        });
        self.push_frame(card, executor, listener.model, FramePart::Event, listener.auto)?;
        // Despite its name this is first the attacker whose attack is being resolved; its blocker is
        // looked up from it below. Only runs on `blocks` and `blocked` know the two (R912).
        let blocker = self
            .s
            .fight
            .attackers
            .get(usize::from(self.s.fight.cursor))
            .copied();
        let fight = self.s.fight;
        let attacker = blocker.filter(|_| matches!(event, EventName::Blocks | EventName::Blocked));
        let blocker = attacker.and_then(|attacker| self.s.blocker_of(attacker));
        let frame = self.s.frames.last_mut().expect("just pushed");
        // `push_frame` took the name of what lies at the index now. The listener has the
        // name that its card had at registration, which is what counts (D64).
        frame.named = listener.named;
        if listener.tie == Tie::Lost {
            frame.lost = Some(listener.controller);
            // A card whose identity has ended is not a target any more (D87).
            frame.main = ArenaList::EMPTY;
        }
        frame.trigger = argument.unwrap_or(CardId::NONE);
        if let Some(attacker) = attacker {
            frame.attacker = attacker;
            frame.blocker = blocker.unwrap_or(CardId::NONE);
            frame.ua_bp = fight.lead.saturating_add(fight.extra);
        }
        Ok(())
    }

    /// D19: a `:once` event is used up only when an effect ran.
    fn consume_once(&mut self, serial: u32, event: EventName) {
        let Some(at) = self
            .s
            .listeners
            .iter()
            .position(|listener| listener.serial == serial)
        else {
            return;
        };
        let listener = self.s.listeners[at];
        let Some(program) = self.facts().listener_program(&listener) else {
            return;
        };
        let AutoKind::Events(events) = &program.rule.autos[usize::from(listener.auto)].kind else {
            return;
        };
        // `~drawPhase:once, endPhase~`: a draw phase takes only its own
        // bit, and the listener stays for the other event.
        let mut live = listener.live;
        for (index, heard) in events.iter().enumerate() {
            if heard.once && heard.name == event {
                live &= !(1 << index);
            }
        }
        if live != listener.live {
            // Two departures in one unit queue it twice: the second finds it used up (G186, D19).
            self.s.queue.retain(|queued| match queued {
                Queued::Heard {
                    listener,
                    event: other,
                    ..
                } => listener.serial != serial || *other != event,
                Queued::Changes { .. } => true,
            });
        }
        self.s.listeners[at].live = live;
        if live == 0 {
            self.s.listeners.remove(at);
        }
        self.refresh_heard();
    }

    /// Remembers who hears that a card leaves, as things are before it does (D21).
    #[inline]
    pub fn queue_heard(&mut self, event: EventName, card: CardId, executor: Seat) -> Result<(), Guard> {
        if self.s.heard & event_bit(event) == 0 {
            return Ok(());
        }
        self.queue_listeners(event, card, executor)
    }

    fn queue_listeners(&mut self, event: EventName, card: CardId, executor: Seat) -> Result<(), Guard> {
        for at in 0..self.s.listeners.len() {
            let listener = self.s.listeners[at];
            let facts = self.facts();
            let Some(index) = facts.concerns(&listener, event, Some(card), Some(card), executor) else {
                continue;
            };
            // RQ49: a character hears of its own departure although its BP is gone.
            let silent = if listener.card == card {
                facts.in_united(card)
            } else {
                facts.is_silent(listener.card)
            };
            if (silent && !listener.is_orphan()) || !self.passes_test(&listener, index, Some(card), executor)
            {
                continue;
            }
            // The queue holds a copy: the listener itself may be dropped when the
            // card leaves, and must still run at the end of the unit (D21).
            self.s.queue.push(Queued::Heard {
                event,
                listener,
                object: card,
                executor,
            })?;
        }
        Ok(())
    }

    /// Sends the first queued event (D2).
    pub fn dispatch_queued(&mut self) -> Result<(), Guard> {
        match self.s.queue[0] {
            Queued::Changes { event, seat, times } => {
                // `handchanges` is sent once for each card moved (D21), so the entry stays until it has been
                // sent as often. Where nobody listens, the entry goes at once. Those of its kind behind it
                // stay: what runs before them may register a listener (D2).
                let is_heard = self.s.heard & event_bit(event) != 0;
                if times > 1 && is_heard {
                    self.s.queue[0] = Queued::Changes {
                        event,
                        seat,
                        times: times - 1,
                    };
                } else {
                    self.s.queue.remove(0);
                }
                if !is_heard {
                    return Ok(());
                }
                self.push_dispatch(event, None, None, seat)
            }
            Queued::Heard {
                event,
                listener,
                object,
                executor,
            } => {
                self.s.queue.remove(0);
                self.tick()?;
                // This task lies below the run and reads how it ended, for `:once`.
                self.push(AgendaTask::Heard {
                    serial: listener.serial,
                    event,
                })?;
                self.run_listener(&listener, event, Some(object), executor)
            }
        }
    }

    /// After a queued listener has run.
    pub fn heard(&mut self, serial: u32, event: EventName) -> Flow {
        if let Register::Ended { acted: true, .. } = self.take_register() {
            self.consume_once(serial, event);
        }
        self.pop()
    }

    /// G104: a card gets its script. Keywords arrive and listeners are registered at once; autos
    /// without event follow.
    pub fn initialise(&mut self, card: CardId, copied: bool) -> Result<(), Guard> {
        let facts = self.facts();
        let Some(model) = facts.ability_model(card) else {
            return Ok(());
        };
        let Some(program) = self.game.model(model).program.as_deref() else {
            return Ok(());
        };
        // In this order (G104). The autos that run at once come last and from a task of their own,
        // since they may ask; they find the keywords in force and the listeners in place.
        for keyword in Keyword::ALL {
            if program.keywords & keyword_bit(*keyword) != 0 {
                self.keyword_arrives(DuelObject::card(card), *keyword);
            }
        }
        self.register_autos(card, |_| true)?;
        if program
            .rule
            .autos
            .iter()
            .any(|auto| runs_on_entering(&auto.kind, copied))
        {
            self.push(AgendaTask::Enter {
                card,
                auto: 0,
                copied,
            })?;
        }
        Ok(())
    }

    /// The card listens for those of its ability's autos that are wanted, by their numbers.
    pub fn register_autos(&mut self, card: CardId, wanted: impl Fn(usize) -> bool) -> Result<(), Guard> {
        let facts = self.facts();
        let Some(model) = facts.ability_model(card) else {
            return Ok(());
        };
        let controller = facts.controller(card);
        let named = facts.s.cards[card.index()].model;
        let Some(program) = self.game.model(model).program.as_deref() else {
            return Ok(());
        };
        let autos = program.rule.autos.iter().enumerate();
        for (index, auto) in autos.filter(|(index, _)| wanted(*index)) {
            let live = match &auto.kind {
                AutoKind::Events(events) => events.iter().enumerate().fold(0, |bits, (at, _)| bits | 1 << at),
                // A continuous auto hears no event. It is a listener so that it is found
                // after each effect, and ends as other listeners do (D24).
                AutoKind::Continuous => 0,
                AutoKind::Entering => continue,
            };
            self.register(EventListener {
                serial: 0,
                card,
                named,
                model,
                auto: byte(index),
                controller,
                live,
                tie: Tie::Source,
            })?;
        }
        Ok(())
    }

    /// D31: an Action or Reaction that activates another rule hears that rule's events too.
    pub fn register_autos_of(&mut self, card: CardId, model: cw_program::ModelId) -> Result<(), Guard> {
        let controller = self.facts().controller(card);
        let Some(program) = self.game.model(model).program.as_deref() else {
            return Ok(());
        };
        for (index, auto) in program.rule.autos.iter().enumerate() {
            if let AutoKind::Events(events) = &auto.kind {
                let live = events.iter().enumerate().fold(0, |bits, (at, _)| bits | 1 << at);
                self.register(EventListener {
                    serial: 0,
                    card,
                    named: self.s.cards[card.index()].model,
                    model,
                    auto: byte(index),
                    controller,
                    live,
                    tie: Tie::Source,
                })?;
            }
        }
        // R908: what left in the meantime hears only what outlives it.
        match self.facts().zone(card) {
            ZoneKind::Table => {}
            ZoneKind::Pile(PileName::Deck) => {
                self.drop_listeners(card);
                self.lose_listeners(card);
            }
            ZoneKind::Pile(_) | ZoneKind::Ring | ZoneKind::Backup => self.drop_listeners(card),
        }
        Ok(())
    }

    fn register(&mut self, mut listener: EventListener) -> Result<(), Guard> {
        listener.serial = self.s.serial;
        self.s.serial += 1;
        self.s.listeners.push(listener)?;
        self.refresh_heard();
        Ok(())
    }

    /// Autos that run at once, one after another, for the card's controller (D5, R902, R510).
    pub fn enter(&mut self, card: CardId, auto: u8, copied: bool) -> MachineStep {
        // How the last auto ended does not matter here: the next one runs in any case.
        self.take_register();
        let program = self.facts().program(card);
        let next = program.and_then(|program| {
            let kinds = program.rule.autos.iter().enumerate().skip(usize::from(auto));
            kinds
                .map(|(index, auto)| (index, &auto.kind))
                .find(|(_, kind)| runs_on_entering(kind, copied))
        });
        let Some((index, kind)) = next else {
            return Ok(self.pop());
        };
        let part = if matches!(kind, AutoKind::Entering) {
            FramePart::Entering
        } else {
            FramePart::Event
        };
        let controller = self.facts().controller(card);
        let Some(model) = self.facts().ability_model(card) else {
            return Ok(self.pop());
        };
        // Stored before the run, for the next call begins with the auto after this one.
        *self.top() = AgendaTask::Enter {
            card,
            auto: byte(index).saturating_add(1),
            copied,
        };
        self.push_frame(card, controller, model, part, byte(index))?;
        Ok(Flow::Go)
    }

    /// Drops the listeners of a card that left or lost its ability; `:once` ones outlive
    /// it (R908, G194).
    pub fn drop_listeners(&mut self, card: CardId) {
        if !self.s.listeners.iter().any(|listener| listener.card == card) {
            return;
        }
        // The list is taken out of the state while it is changed, since the facts borrow the state.
        let mut listeners = std::mem::replace(&mut self.s.listeners, Bounded::EMPTY);
        let facts = self.facts();
        listeners.retain_mut(|listener| {
            if listener.card == card && !listener.is_orphan() {
                listener.live &= facts.once_bits(listener);
                listener.tie = Tie::Orphan;
                return listener.live != 0;
            }
            true
        });
        self.s.listeners = listeners;
        self.refresh_heard();
    }

    /// D87: the card has entered a deck. What still listens, or waits to run, has lost it.
    pub fn lose_listeners(&mut self, card: CardId) {
        let lose = |listener: &mut EventListener| {
            if listener.card == card {
                listener.tie = Tie::Lost;
            }
        };
        self.s.listeners.iter_mut().for_each(lose);
        for queued in self.s.queue.iter_mut() {
            if let Queued::Heard { listener, .. } = queued {
                lose(listener);
            }
        }
    }

    /// Recomputes which events anybody hears.
    pub fn refresh_heard(&mut self) {
        let facts = DuelFacts {
            game: self.game,
            s: self.s,
        };
        // Events count here even if their `live` bit is gone. A bit too many only costs a
        // useless look through the listeners; a missing bit would lose an event.
        let bits = self.s.listeners.iter().filter_map(|listener| {
            let program = facts.listener_program(listener)?;
            let auto = &program.autos[usize::from(listener.auto)];
            Some(auto.events | if auto.continuous { CONTINUOUS } else { 0 })
        });
        let heard = bits.fold(0, |all, bits| all | bits);
        self.s.heard = heard;
    }

    /// Whether no listener of a query answers false (G188, D18).
    #[inline]
    pub fn hook_allows(
        &mut self,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        executor: Seat,
    ) -> bool {
        if self.s.heard & event_bit(event) == 0 {
            return true;
        }
        self.listeners_allow(event, object, argument, executor)
    }

    fn listeners_allow(
        &mut self,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        executor: Seat,
    ) -> bool {
        self.query(event, object, argument, executor, None, |_, _| {})
            .answer
            != HookAnswer::False
    }

    /// `canBlock`, with `attacker` and `blocker` known to the conditions (G144.8, G147).
    pub fn can_block_hook(&mut self, attacker: CardId, blocker: CardId, executor: Seat) -> bool {
        let fight = Some((attacker, blocker));
        self.query(
            EventName::CanBlock,
            Some(attacker),
            Some(attacker),
            executor,
            fight,
            |_, _| {},
        )
        .answer
            != HookAnswer::False
    }

    /// Asks all listeners of a query without changing anything; `tell` hears what each one answered.
    fn query(
        &mut self,
        event: EventName,
        object: Option<CardId>,
        argument: Option<CardId>,
        executor: Seat,
        fight: Option<(CardId, CardId)>,
        mut tell: impl FnMut(&EventListener, Queried),
    ) -> Queried {
        let mut queried = Queried {
            answer: HookAnswer::None,
            sum: 0,
        };
        if self.s.heard & event_bit(event) == 0 {
            return queried;
        }
        // Listing options asks this again and again, so the loop allocates nothing. It copies one
        // listener at a time, since `hears` needs the whole machine; a query changes no listener (D18).
        for at in 0..self.s.listeners.len() {
            let listener = self.s.listeners[at];
            if !self.hears(&listener, event, object, argument, executor) {
                continue;
            }
            let one = self.query_listener(&listener, argument, executor, fight);
            tell(&listener, one);
            queried.sum = queried.sum.saturating_add(one.sum);
            // The last answer counts, unless one is false: that one counts and ends the query (G187).
            if one.answer != HookAnswer::None {
                queried.answer = one.answer;
            }
            if queried.answer == HookAnswer::False {
                break;
            }
        }
        queried
    }

    /// Gives what a cost is after all changes to it (G79–G82).
    #[inline]
    pub fn modified_cost(&mut self, kind: CostKind, printed: i32, card: Option<CardId>, payer: Seat) -> i32 {
        if self.s.changes.is_empty() && self.s.heard & event_bit(cost_event(kind)) == 0 {
            return printed;
        }
        self.explained_cost(kind, printed, card, payer, |_, _| {})
    }

    /// [`Machine::modified_cost`]; `tell` hears what each listener adds (G81).
    pub fn explained_cost(
        &mut self,
        kind: CostKind,
        printed: i32,
        card: Option<CardId>,
        payer: Seat,
        tell: impl FnMut(&EventListener, Queried),
    ) -> i32 {
        // The last `=` entry replaces the printed cost; all others add up,
        // and so do the answers to `beforePayCost…` (G80, G81).
        let mut initial = printed;
        let mut delta = 0i32;
        for change in self.s.changes.iter() {
            match change.kind {
                ChangeKind::CostSet(which, value) if which == kind => initial = value,
                ChangeKind::CostAdd(which, value) if which == kind => {
                    delta = delta.saturating_add(value);
                }
                ChangeKind::CostSet(..)
                | ChangeKind::CostAdd(..)
                | ChangeKind::Grant(_)
                | ChangeKind::Suppress(_)
                | ChangeKind::Flag(..)
                | ChangeKind::BpLimit(_)
                | ChangeKind::Bp(_)
                | ChangeKind::Ability(_)
                | ChangeKind::Form(_) => {}
            }
        }
        let event = cost_event(kind);
        delta = delta.saturating_add(self.query(event, None, card, payer, None, tell).sum);
        if delta == 0 {
            return initial;
        }
        let new = initial.saturating_add(delta);
        // G82: a card that costs SP never gets cheaper than 1, one that does not is never raised.
        // Costs are negative: −3 with +2 is −1, −1 with +2 stays −1, and 0 with +2 stays 0 (G83).
        if card.is_some() && new >= 0 {
            initial.max(-1)
        } else {
            new
        }
    }
}

impl DuelFacts<'_> {
    fn once_bits(self, listener: &EventListener) -> u16 {
        let Some(program) = self.listener_program(listener) else {
            return 0;
        };
        match &program.rule.autos[usize::from(listener.auto)].kind {
            AutoKind::Events(events) => events.iter().enumerate().fold(0, |bits, (at, event)| {
                bits | u16::from(event.once)
                    .checked_shl(u32::from(byte(at)))
                    .unwrap_or(0)
            }),
            AutoKind::Entering | AutoKind::Continuous => 0,
        }
    }
}

/// What a query came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Queried {
    pub answer: HookAnswer,
    /// Sum of `modCost`.
    pub sum: i32,
}

/// The query that asks what is added to a cost.
fn cost_event(kind: CostKind) -> EventName {
    match kind {
        CostKind::Character => EventName::BeforePayCostCharacter,
        CostKind::Action => EventName::BeforePayCostAction,
        CostKind::Reaction => EventName::BeforePayCostReaction,
        CostKind::Ua2 => EventName::BeforePayCostUa2,
        CostKind::Ua3 => EventName::BeforePayCostUa3,
    }
}

/// D19: an auto whose effects did not run answers nothing.
fn answer_of(ending: StatementsEnding, acted: bool) -> HookAnswer {
    match ending {
        StatementsEnding::True => HookAnswer::True,
        StatementsEnding::False => HookAnswer::False,
        StatementsEnding::Done | StatementsEnding::NoEffect | StatementsEnding::Cancelled if acted => {
            HookAnswer::True
        }
        StatementsEnding::Done | StatementsEnding::NoEffect | StatementsEnding::Cancelled => HookAnswer::None,
    }
}

fn runs_on_entering(kind: &AutoKind, copied: bool) -> bool {
    match kind {
        AutoKind::Entering => true,
        AutoKind::Events(events) => copied && events.iter().any(|event| event.name == EventName::HandChanges),
        AutoKind::Continuous => false,
    }
}
