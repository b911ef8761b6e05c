//! A duel that can be walked along: forwards, backwards, and off the road at any choice.
//!
//! Which states are kept and how others are made again is the business of [`cw_history`]. Going on from the
//! middle, inside an effect too, is a copy with other choices.

use std::sync::Arc;

use cw_duel::{
    AnswerError, CarryFault, CarryNote, Choice, Duel, DuelEvent, Game, GameChange, Seat, Seed, Silent, Sink,
    StateHash,
};
use cw_history::HistoryStep;

use crate::{Replay, ReplayError};

/// What was done at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineAct {
    /// The pending decision was answered.
    Chose(Choice),
    /// A player gave up.
    GaveUp(Seat),
    /// This player accepted a draw that the other one had offered.
    AgreedDraw(Seat),
    /// What this player had learned was taken back by consent: what nobody knows follows from another
    /// seed since (D70).
    Reseeded(Seat, Seed),
}

impl TimelineAct {
    /// Takes a step that was possible once from the same state: so it is possible again.
    ///
    /// # Panics
    /// If it is a choice that is not offered.
    pub fn repeat(self, duel: &mut Duel, sink: &mut dyn Sink) {
        match self {
            TimelineAct::Chose(choice) => duel.answer(choice, sink).expect("the same state offers the same"),
            TimelineAct::GaveUp(seat) => duel.forfeit(seat, sink),
            TimelineAct::AgreedDraw(_) => duel.agree_on_draw(sink),
            TimelineAct::Reseeded(_, seed) => duel.reseed(seed),
        }
    }
}

/// One step of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelStep {
    /// Who.
    pub seat: Seat,
    /// What.
    pub act: TimelineAct,
    /// The state after it.
    pub hash: StateHash,
    /// To whom something came to light on the way, by seat ([`DuelEvent::reveals_to`]): whoever learned
    /// something cannot take the step back.
    pub revealed: [bool; 2],
    /// Chosen by the seat's policy rather than by hand.
    pub auto: bool,
}

impl HistoryStep for DuelStep {
    type Game = ();
    type State = Duel;

    fn again(&self, (): &(), duel: &mut Duel) {
        self.act.repeat(duel, &mut Silent);
    }
}

/// A duel from its beginning, with every choice that was made.
///
/// ```
/// # use cw_duel::{Choice, Duel};
/// # use cw_wire::DuelTimeline;
/// fn what_if(timeline: &DuelTimeline, choice: Choice) -> Duel {
///     let mut other = timeline.branch(10);
///     other.answer(choice).expect("it was offered there");
///     other.now().clone()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct DuelTimeline(cw_history::Timeline<DuelStep>);

/// A duel that goes on under another version of its game.
#[derive(Debug)]
pub struct CarriedTimeline {
    /// It begins with the position that was carried over: what led there was done under other rules.
    pub timeline: DuelTimeline,
    /// How many steps were taken back: an effect was in progress.
    pub back: usize,
    /// Whether what nobody knows was shuffled again: something came to light in a step that was taken back.
    pub reshuffled: bool,
    /// What could not simply be carried over.
    pub notes: Vec<CarryNote>,
}

impl DuelTimeline {
    /// The duel goes on from the same position under the new version of its game; in the middle of an effect,
    /// from the last step outside of it (D108).
    ///
    /// # Errors
    /// As [`Duel::carried`]; [`CarryFault::Inside`] if the duel has begun in the middle of an effect.
    pub fn carried(&self, change: &GameChange) -> Result<CarriedTimeline, CarryFault> {
        for at in (0..=self.len()).rev() {
            let mut carried = match self.at(at).carried(change) {
                Ok(carried) => carried,
                Err(CarryFault::Inside) => continue,
                Err(fault) => return Err(fault),
            };
            // Whoever has seen what comes must not know it beforehand (D70). The digest holds what nobody
            // knows.
            let reshuffled = self.revealed_since(at);
            if reshuffled {
                let hash = self.now().hash().0;
                let mut seed = [0; 32];
                seed[..16].copy_from_slice(&hash);
                carried.duel.reseed(Seed(seed));
            }
            return Ok(CarriedTimeline {
                timeline: DuelTimeline::new(carried.duel),
                back: self.len() - at,
                reshuffled,
                notes: carried.notes,
            });
        }
        Err(CarryFault::Inside)
    }

    /// Begins with a duel as it stands.
    pub fn new(duel: Duel) -> DuelTimeline {
        DuelTimeline(cw_history::Timeline::new((), duel))
    }

    /// The recorded duel; every choice and every state is verified.
    ///
    /// # Errors
    /// As [`Replay::play`].
    pub fn of(replay: &Replay, game: &Arc<Game>) -> Result<DuelTimeline, ReplayError> {
        let mut timeline = DuelTimeline::new(replay.start(game, &mut Silent)?);
        for (index, recorded) in replay.moves.iter().enumerate() {
            let act = crate::replay::read_move(timeline.now(), index + 1, recorded)?;
            timeline.take(act, false, &mut Silent).map_err(|_| {
                crate::replay::diverged(index + 1, format!("“{}”", recorded.choice), "the end of the duel")
            })?;
            crate::replay::check_hash(timeline.now(), index + 1, recorded)?;
        }
        replay.check_result(timeline.now())?;
        Ok(timeline)
    }

    /// The newest state.
    pub fn now(&self) -> &Duel {
        self.0.now()
    }

    /// Steps taken.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The steps, in order.
    pub fn taken(&self) -> &[DuelStep] {
        self.0.steps()
    }

    /// The state before step `at`, counted from 0; the newest if there are not that many steps.
    pub fn at(&self, at: usize) -> Duel {
        self.0.at(at)
    }

    /// Takes step `at` again from the state before it, and tells what happens.
    pub fn events_of(&self, at: usize, sink: &mut dyn Sink) {
        if let Some(taken) = self.taken().get(at) {
            taken.act.repeat(&mut self.at(at), sink);
        }
    }

    /// Another duel that has gone the same way for `at` steps; what follows is open.
    #[must_use]
    pub fn branch(&self, at: usize) -> DuelTimeline {
        DuelTimeline(self.0.branch(at))
    }

    /// Goes back to the state before step `at`; everything after it is forgotten.
    pub fn truncate(&mut self, at: usize) {
        self.0.truncate(at);
    }

    /// Answers the pending decision.
    ///
    /// # Errors
    /// As [`Duel::answer`]; then nothing has changed.
    pub fn answer(&mut self, choice: Choice) -> Result<(), AnswerError> {
        self.take(TimelineAct::Chose(choice), false, &mut Silent)
    }

    /// Takes a step and tells what happens.
    ///
    /// # Errors
    /// If the choice is not offered, or the duel is over.
    pub fn take(&mut self, act: TimelineAct, auto: bool, sink: &mut dyn Sink) -> Result<(), AnswerError> {
        let seat = match (act, self.now().pending()) {
            (
                TimelineAct::GaveUp(seat) | TimelineAct::AgreedDraw(seat) | TimelineAct::Reseeded(seat, _),
                Some(_),
            ) => seat,
            (TimelineAct::Chose(_), Some(decision)) => decision.seat,
            (_, None) => return Err(AnswerError::Over),
        };
        let mut watch = LightWatch {
            sink,
            revealed: [false; 2],
        };
        match act {
            TimelineAct::Chose(choice) => self.0.now_mut().answer(choice, &mut watch)?,
            TimelineAct::GaveUp(_) | TimelineAct::AgreedDraw(_) | TimelineAct::Reseeded(..) => {
                act.repeat(self.0.now_mut(), &mut watch);
            }
        }
        let revealed = watch.revealed;
        self.0.note(DuelStep {
            seat,
            act,
            hash: self.now().hash(),
            revealed,
            auto,
        });
        Ok(())
    }

    /// The step to which a seat may go back: its last choice by hand, if nobody else chose since and
    /// nothing came to light for it; `None` if it may not.
    pub fn undo_step(&self, seat: Seat) -> Option<usize> {
        if self.now().outcome().is_some() {
            return None;
        }
        for (at, taken) in self.taken().iter().enumerate().rev() {
            let chose = matches!(taken.act, TimelineAct::Chose(_));
            if taken.seat != seat || taken.revealed[seat.index()] || !chose {
                return None;
            }
            if !taken.auto {
                return Some(at);
            }
        }
        None
    }

    /// The step to which a seat may go back if the other one agrees: its last choice by hand, whatever
    /// came of it. Where something came to light since ([`DuelTimeline::revealed_since`]), going back takes
    /// another seed ([`TimelineAct::Reseeded`]).
    pub fn undo_step_by_consent(&self, seat: Seat) -> Option<usize> {
        let by_hand = |taken: &DuelStep| {
            taken.seat == seat && !taken.auto && matches!(taken.act, TimelineAct::Chose(_))
        };
        let last = self.taken().iter().rposition(by_hand);
        last.filter(|_| self.now().outcome().is_none())
    }

    /// Whether anything came to light for anybody in step `at` or after it.
    pub fn revealed_since(&self, at: usize) -> bool {
        let later = self.taken().iter().skip(at);
        later.flat_map(|taken| taken.revealed).any(|revealed| revealed)
    }
}

/// Notes to whom something comes to light.
struct LightWatch<'a> {
    sink: &'a mut dyn Sink,
    revealed: [bool; 2],
}

impl Sink for LightWatch<'_> {
    fn event(&mut self, event: &DuelEvent) {
        for seat in Seat::BOTH {
            self.revealed[seat.index()] |= event.reveals_to(seat);
        }
        self.sink.event(event);
    }

    fn wants_trace(&self) -> bool {
        self.sink.wants_trace()
    }

    fn traced(&mut self, traced: &cw_duel::Traced) {
        self.sink.traced(traced);
    }
}
