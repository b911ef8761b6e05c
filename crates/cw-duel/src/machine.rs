//! The loop that runs the agenda until a player must decide.

pub(crate) mod renaming;
pub(crate) mod zones;

use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::place::RulePlace;
use crate::event::{DuelEvent, EventLog, StatementOrigin};
use crate::game::Game;
use crate::state::decision::{Choice, Decision, Question};
use crate::state::facts::DuelFacts;
use crate::state::{AgendaTask, DuelOutcome, DuelState, Register, RingSlot, WinReason};
use crate::{Phase, Seat};

/// A state with all that is needed to move it on.
pub(crate) struct Machine<'a> {
    pub game: &'a Game,
    /// Outcomes of scripted chance.
    pub script: &'a [u32],
    pub s: &'a mut DuelState,
    pub log: EventLog<'a>,
    /// The program that ran last, for the guard's message.
    pub last: Option<FinishedProgram>,
    /// Cards that something is being done with, one after another.
    pub held: SmallVec<[CardId; 8]>,
    /// A shuffle moves the cards instead of exchanging what they are: the tests' oracle (D64).
    pub moves_cards: bool,
    /// A choice of a card that the next question is to judge, and how it did (see `why`).
    pub probe: Option<Choice>,
    pub verdict: Option<Result<(), crate::ChoiceRefusal>>,
    /// Where the first or last cards of a pile are noted that the next question lets choose from (see
    /// `looking`).
    pub looks: Option<Vec<CardId>>,
    /// Chance answers instead of the players.
    pub by_chance: Option<ByChance<'a>>,
    /// Who looks at the states on the way.
    pub watch: Option<&'a mut dyn FnMut(&DuelState)>,
    /// A phase puts its question without listing the options (see [`crate::Lookahead`]).
    pub unlisted: bool,
    /// Nothing has changed since continuous autos were last settled, and they changed nothing then.
    pub settled: bool,
    /// A character in a ring may be at 0 BP.
    pub may_fall: bool,
}

/// Chance as a player of both sides.
pub(crate) struct ByChance<'a> {
    /// A number below the given one.
    pub below: &'a mut dyn FnMut(usize) -> usize,
    /// Answers that are left to it.
    pub left: u32,
}

/// A program that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FinishedProgram {
    pub source: CardId,
    /// What the source was when the run began.
    pub named: cw_program::ModelId,
    pub place: RulePlace,
}

/// Whether the loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Go,
    /// A decision was written.
    Ask,
}

/// A fixed table of the state is full, or a loop ran too long: the unit ends (D13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard;

impl From<crate::base::table::Full> for Guard {
    fn from(_: crate::base::table::Full) -> Guard {
        Guard
    }
}

impl From<crate::base::list::ArenaFull> for Guard {
    fn from(_: crate::base::list::ArenaFull) -> Guard {
        Guard
    }
}

pub(crate) type MachineStep = Result<Flow, Guard>;

impl Machine<'_> {
    pub fn facts(&self) -> DuelFacts<'_> {
        DuelFacts {
            game: self.game,
            s: self.s,
        }
    }

    /// Runs until somebody must decide or the duel is over.
    pub fn run(&mut self) {
        while self.s.outcome.is_none() {
            match self.step() {
                Ok(Flow::Go) => {}
                Ok(Flow::Ask) => {
                    debug_assert!(
                        self.unlisted || !self.s.decision.options.is_empty(),
                        "a decision has at least one option"
                    );
                    let Some(chance) = self.by_chance.as_mut().filter(|chance| chance.left > 0) else {
                        return;
                    };
                    chance.left -= 1;
                    let options = &self.s.decision.options;
                    self.s.reply = Some(options[(chance.below)(options.len())]);
                }
                Err(Guard) => self.guard(),
            }
            self.witness();
        }
        self.s.decision.options.clear();
    }

    /// Shows the state to whoever looks at those on the way: after each task, and between the blows, losses
    /// and KOs of one task, which people want to see one by one.
    #[inline]
    pub fn witness(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch(self.s);
        }
    }

    #[inline(always)]
    pub fn step(&mut self) -> MachineStep {
        let task = self.s.tasks.last().expect("the turn never leaves the agenda");
        if let AgendaTask::Phase { phase, step } = *task {
            let flow = self.phase(phase, step)?;
            // Most steps of a phase leave an empty unit behind, which is over at once.
            let is_over = matches!(self.s.tasks.last(), Some(AgendaTask::Unit { step: 0 }));
            if !is_over || flow == Flow::Ask || self.s.outcome.is_some() {
                return Ok(flow);
            }
            // These steps change nothing themselves.
            self.settled &= matches!((phase, step), (Phase::Draw | Phase::End, 1));
            return self.end_unit(0);
        }
        self.settled = false;
        match *task {
            AgendaTask::Turn => self.begin_turn(),
            AgendaTask::Phase { .. } => Ok(Flow::Go), // taken above
            AgendaTask::Unit { step } => self.end_unit(step),
            AgendaTask::Combat { step } => self.combat(step),
            AgendaTask::Attacks => self.attacks(),
            AgendaTask::Play { card, step, slot } => self.play(card, step, slot),
            AgendaTask::Enter { card, auto, copied } => self.enter(card, auto, copied),
            AgendaTask::Activate { card, step } => self.activate(card, step),
            AgendaTask::BackUp { card } => self.back_up(card),
            AgendaTask::Join { card } => self.join(card),
            AgendaTask::Block { card } => self.block(card),
            AgendaTask::Dispatch(dispatch) => self.dispatch(dispatch),
            AgendaTask::Heard { serial, event } => Ok(self.heard(serial, event)),
            AgendaTask::Run => self.run_frame(),
            AgendaTask::Effect(effect) => self.effect(effect),
        }
    }

    /// The step of the top task, to be changed.
    pub fn top(&mut self) -> &mut AgendaTask {
        self.s.tasks.last_mut().expect("the turn never leaves the agenda")
    }

    pub fn push(&mut self, task: AgendaTask) -> Result<(), Guard> {
        Ok(self.s.tasks.push(task)?)
    }

    pub fn pop(&mut self) -> Flow {
        self.s.tasks.pop();
        Flow::Go
    }

    /// Continuous autos at a decision of a phase, or when a unit is over: there is nothing left that
    /// the guard could end, so it is only told.
    pub fn settle_at_phase(&mut self) {
        // Who listens to steps is told of each time.
        if self.settled && !self.log.wants_steps() {
            return;
        }
        match self.settle_continuous() {
            Ok(changed) => self.settled = !changed,
            Err(Guard) => {
                self.settled = false;
                self.log.tell_course(|| DuelEvent::Guarded {
                    source: None,
                    place: None,
                });
            }
        }
    }

    /// What the task above left; taken, so that nobody reads it twice.
    pub fn take_register(&mut self) -> Register {
        std::mem::replace(&mut self.s.register, Register::None)
    }

    /// Starts a unit (D2): what is pushed after it belongs to it.
    pub fn begin_unit(&mut self) -> Result<(), Guard> {
        self.s.steps = 0;
        self.push(AgendaTask::Unit { step: 0 })
    }

    /// Begins the pending decision; options follow by [`Machine::offer`].
    pub fn question(&mut self, seat: Seat, question: Question, source: Option<CardId>) {
        let place = self.place();
        let phase = self.s.phase;
        let Decision {
            seat: asked,
            question: what,
            source: card,
            place: step,
            phase: when,
            declinable,
            options,
        } = &mut self.s.decision;
        (*asked, *what, *card, *step, *when) = (seat, question, source, place, phase);
        *declinable = false;
        options.clear();
    }

    pub fn offer(&mut self, choice: Choice) {
        self.s.decision.options.push(choice);
    }

    /// Allows to decline (D3).
    pub fn offer_decline(&mut self) {
        self.s.decision.declinable = true;
        self.offer(Choice::Decline);
    }

    /// Where the running program stands.
    pub fn place(&self) -> Option<RulePlace> {
        let frame = self.s.frames.last()?;
        Some(RulePlace {
            model: frame.model,
            step: frame.pc,
        })
    }

    /// The statement that runs, for events; nobody asks where nobody listens.
    pub fn origin(&self) -> Option<StatementOrigin> {
        if !self.log.wants_events() {
            return None;
        }
        Some(StatementOrigin {
            source: self.s.running_source(),
            place: self.place()?,
        })
    }

    /// Ends the duel (D8).
    pub fn end(&mut self, outcome: DuelOutcome) {
        if self.s.outcome.is_none() {
            self.s.outcome = Some(outcome);
            self.log.tell(|| DuelEvent::Ended { outcome });
        }
    }

    pub fn lose(&mut self, loser: Seat, reason: WinReason) {
        self.end(DuelOutcome::Won {
            winner: loser.other(),
            reason,
        });
    }

    /// D13: frames and queue of the unit are dropped, changes stay, KOs run.
    pub fn guard(&mut self) {
        let last = self.last;
        self.log.tell_course(|| DuelEvent::Guarded {
            source: last.map(|ran| self.s.source_seen(ran.source, ran.named)),
            place: last.map(|ran| ran.place),
        });
        let was_damaging = self.is_damaging();
        // The units of a phase stand right above it; outside any unit only the phase is kept.
        let unit = self
            .s
            .tasks
            .iter()
            .position(|task| matches!(task, AgendaTask::Unit { .. }));
        self.s.tasks.truncate(unit.map_or(1, |unit| unit + 1));
        self.s.frames.clear();
        self.s.arena.reset(0);
        self.s.queue.clear();
        self.s.depth = 0;
        self.s.steps = 0;
        self.s.reply = None;
        self.s.register = Register::None;
        self.settled = false;
        if unit.is_some() {
            *self.top() = AgendaTask::Unit { step: 0 };
        }
        if was_damaging {
            self.settle_hp(&Seat::BOTH);
        }
    }

    /// Counts a step of the unit (D13).
    pub fn tick(&mut self) -> Result<(), Guard> {
        self.s.steps += 1;
        if self.s.steps > self.game.constants.max_steps {
            Err(Guard)
        } else {
            Ok(())
        }
    }

    /// The end of a unit (D2): the resolved card leaves; then KOs and queued events until nothing
    /// is left.
    fn end_unit(&mut self, step: u8) -> MachineStep {
        if step == 0 {
            while let Some(card) = self.s.table.first().copied() {
                self.leave_table(card)?;
            }
            *self.top() = AgendaTask::Unit { step: 1 };
        }
        let tasks = self.s.tasks.len();
        while self.s.tasks.len() == tasks {
            self.knock_out()?;
            self.settle_at_phase();
            if self.s.queue.is_empty() {
                return Ok(self.pop());
            }
            self.dispatch_queued()?;
        }
        Ok(Flow::Go)
    }

    /// KOs all characters at 0 BP, the active player's first, in slot order (D2).
    fn knock_out(&mut self) -> Result<(), Guard> {
        if !self.may_fall {
            return Ok(());
        }
        let cards = &self.s.cards[..];
        let slots = usize::from(self.game.constants.ring_slots);
        let is_out = |slot: &RingSlot| slot.card != CardId::NONE && cards[slot.card.index()].bp <= 0;
        if !self.s.rings.0.iter().any(|ring| ring[..slots].iter().any(is_out)) {
            self.may_fall = false;
            return Ok(());
        }
        self.settled = false;
        for seat in [self.s.active, self.s.active.other()] {
            for slot in 0..usize::from(self.game.constants.ring_slots) {
                let card = self.s.rings[seat][slot].card;
                if card != CardId::NONE && self.s.ring_bp(card) == 0 {
                    self.log.tell(|| DuelEvent::KnockedOut {
                        card: self.s.seen(card),
                    });
                    self.discard_card(card)?;
                    self.witness();
                }
            }
        }
        Ok(())
    }

    pub fn enter_phase(&mut self, phase: Phase) {
        self.s.phase = phase;
        self.log.tell(|| DuelEvent::PhaseBegan { phase });
    }
}
