//! Plays a scenario, step by step.

use std::collections::BTreeSet;
use std::sync::Arc;

use cw_duel::{
    CardId, Choice, Decision, Duel, DuelEvent, Game, Phase, Question, Seat, StepResult, ZoneKind,
    ZoneLocation,
};
use cw_program::{ModelId, PileName};
use cw_text::Span;
use cw_words::EventReader;
use serde_json::Value as Json;

use crate::coverage::TakenStep;
use crate::expect::{Actual, Mismatch, difference, mismatches, quoted};
use crate::node::ScenarioFault;
use crate::read::{Scenario, ScenarioAction, ScenarioAnswer, ScenarioPolicy, ScenarioStep, ScenarioVerb};
use crate::setup::{split_slot, start};
use crate::state::{labels, seat_word, state};
use crate::{names, setup};

/// What came of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioReport {
    /// The scenario's name.
    pub name: String,
    /// Where it begins in its file.
    pub span: Span,
    /// The beginning, then every step that was taken, the failing one included.
    pub steps: Vec<StepReport>,
    /// Why it failed; `None`: all is as expected.
    pub failure: Option<ScenarioFailure>,
    /// The steps of card programs that ran.
    pub taken: BTreeSet<TakenStep>,
    /// What to write into the file so that all expectations hold; only with [`RunOptions::bless`].
    pub blessings: Vec<(Span, String)>,
}

impl ScenarioReport {
    /// Where the step or the expectation stands that failed; where the scenario begins, if nothing did.
    pub fn place(&self) -> Span {
        match &self.failure {
            None => self.span,
            Some(ScenarioFailure::Fault(fault)) => fault.span,
            Some(ScenarioFailure::Stuck { span, .. } | ScenarioFailure::Unexpected { span, .. }) => *span,
        }
    }

    /// Why it failed, in lines for whoever wrote it; nothing if it did not.
    pub fn why(&self) -> Vec<String> {
        match &self.failure {
            None => Vec::new(),
            Some(ScenarioFailure::Fault(fault)) => [Some(fault.message.clone()), fault.help.clone()]
                .into_iter()
                .flatten()
                .collect(),
            Some(ScenarioFailure::Stuck { message, notes, .. }) => {
                [std::slice::from_ref(message), notes].concat()
            }
            Some(ScenarioFailure::Unexpected { mismatches, .. }) => mismatches
                .iter()
                .map(|one| {
                    format!(
                        "{}: expected {}, but it is {}",
                        one.path, one.expected, one.actual
                    )
                })
                .collect(),
        }
    }
}

/// What came of a step.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Which step, from 0; `None` is the beginning.
    pub index: Option<usize>,
    /// Where it stands in the file.
    pub span: Span,
    /// What was done, in words.
    pub title: String,
    /// Questions that were answered on the way.
    pub answers: Vec<AnsweredQuestion>,
    /// What happened, in words.
    pub events: Vec<String>,
    /// The same with every step of card programs between (R1402).
    pub trace: Vec<String>,
    /// The complete state after it, where it was wanted or compared.
    pub state: Option<Json>,
    /// The rule that a refused action was refused by, if the step expects a refusal.
    pub refused_by: Option<String>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// Who was asked: `me` or `opponent`.
    pub seat: &'static str,
    /// What.
    pub question: String,
    /// The answer itself.
    pub choice: Choice,
    /// What was possible.
    pub options: Vec<String>,
    /// What was answered.
    pub answer: String,
}

/// Why a scenario failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioFailure {
    /// The file makes no sense: an unknown card, an impossible position, a wrong key.
    Fault(ScenarioFault),
    /// A step cannot be taken, or could be taken and should not.
    Stuck {
        /// Where the step stands.
        span: Span,
        /// Why.
        message: String,
        /// What was possible instead.
        notes: Vec<String>,
    },
    /// What is expected is not so.
    Unexpected {
        /// Where the expectation stands.
        span: Span,
        /// All that differs.
        mismatches: Vec<Mismatch>,
    },
}

impl From<ScenarioFault> for ScenarioFailure {
    fn from(fault: ScenarioFault) -> ScenarioFailure {
        ScenarioFailure::Fault(fault)
    }
}

/// How a scenario is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Keeps the complete state after every step.
    pub record: bool,
    /// Goes on after expectations that do not hold, so that all can be filled in.
    pub bless: bool,
}

/// Runs a scenario on a game.
pub fn run(scenario: &Scenario, game: &Arc<Game>, options: RunOptions) -> ScenarioReport {
    let mut report = ScenarioReport {
        name: scenario.name.clone(),
        span: scenario.span,
        steps: Vec::new(),
        failure: None,
        taken: BTreeSet::new(),
        blessings: Vec::new(),
    };
    let mut events = Vec::new();
    let duel = match start(scenario, game, &mut events) {
        Ok(duel) => duel,
        Err(fault) => {
            report.failure = Some(fault.into());
            return report;
        }
    };
    let mut run = ScenarioRun {
        scenario,
        options,
        duel,
        step: StepReport {
            span: scenario.span,
            title: "the beginning".into(),
            ..StepReport::default()
        },
        report,
    };
    run.tell(&events);
    run.play();
    run.report
}

struct ScenarioRun<'a> {
    scenario: &'a Scenario,
    options: RunOptions,
    duel: Duel,
    /// The step in progress.
    step: StepReport,
    report: ScenarioReport,
}

type ScenarioResult = Result<(), ScenarioFailure>;

impl ScenarioRun<'_> {
    fn play(&mut self) {
        let scenario = self.scenario;
        let begun = self.by_policy(scenario.steps.first());
        self.finish_step();
        if let Err(failure) = begun {
            self.report.failure = Some(failure);
            return;
        }
        for step in &scenario.steps {
            self.step = StepReport {
                index: Some(step.index),
                span: step.span,
                title: title(step),
                ..StepReport::default()
            };
            let empty = step.expect.as_ref().filter(|node| node.is_empty_table());
            let before = empty.filter(|_| self.options.bless).map(|_| state(&self.duel));
            let done = self.take(step).and_then(|()| self.compare(step));
            if let (Some(before), Some(node), Ok(())) = (&before, empty, &done) {
                let text = difference(before, &state(&self.duel));
                self.report.blessings.push((node.span, text));
            }
            self.finish_step();
            match done {
                Ok(()) => {}
                Err(ScenarioFailure::Unexpected { mismatches, .. })
                    if self.options.bless && blessable(&mismatches) =>
                {
                    let blessings = mismatches.into_iter().filter_map(|mismatch| mismatch.blessing);
                    self.report.blessings.extend(blessings);
                }
                Err(failure) => {
                    self.report.failure = Some(failure);
                    return;
                }
            }
        }
    }

    fn finish_step(&mut self) {
        let mut step = std::mem::take(&mut self.step);
        if self.options.record && step.state.is_none() {
            step.state = Some(state(&self.duel));
        }
        self.report.steps.push(step);
    }

    fn take(&mut self, step: &ScenarioStep) -> ScenarioResult {
        if let Some((reason, span)) = &step.refused {
            return self.refused(step, reason.as_deref(), *span);
        }
        let mut answers = step.choose.as_slice();
        match &step.action {
            None => {}
            Some(ScenarioAction::Pass) => self.do_free(step, Choice::Pass)?,
            Some(ScenarioAction::GiveUp(seat)) => {
                let mut events = Vec::new();
                self.duel.forfeit(*seat, &mut events);
                self.tell(&events);
            }
            Some(ScenarioAction::EndTurn) => self.end_turn(step, &mut answers)?,
            Some(ScenarioAction::With(verb, name, span)) => {
                let choice = self.option(step, *verb, name, *span)?;
                self.check_second(step, choice)?;
                self.do_free(step, choice)?;
                self.second_question(step, &mut answers)?;
            }
        }
        while let Some(((answer, span), rest)) = answers.split_first() {
            let free_too = step.action.is_none();
            self.reply(answer, *span, free_too)?;
            answers = rest;
        }
        let next = self.scenario.steps.get(step.index + 1);
        self.by_policy(next)
    }

    /// Answers the pending decision with an option of it.
    fn answer(&mut self, choice: Choice) {
        let Some(decision) = self.duel.pending() else {
            return;
        };
        let options = labels(&self.duel, decision);
        let reader = EventReader {
            duel: &self.duel,
            seat: None,
        };
        let at = decision.options.iter().position(|option| *option == choice);
        let answered = AnsweredQuestion {
            seat: seat_word(decision.seat),
            question: cw_words::question(reader, decision),
            choice,
            answer: at.and_then(|at| options.get(at).cloned()).unwrap_or_default(),
            options,
        };
        if !is_free(decision) {
            self.step
                .trace
                .push(format!("? {} → {}", answered.question, answered.answer));
        }
        self.step.answers.push(answered);
        let mut events = Vec::new();
        self.duel
            .answer(choice, &mut events)
            .expect("it is one of the options");
        self.tell(&events);
    }

    /// Events become words.
    fn tell(&mut self, events: &[DuelEvent]) {
        debug_assert_eq!(self.duel.check_invariants(), Ok(()), "{}", self.scenario.name);
        let reader = EventReader {
            duel: &self.duel,
            seat: None,
        };
        for event in events {
            if let DuelEvent::Step { place, result, .. } = event {
                self.report.taken.insert(TakenStep {
                    model: place.model,
                    step: place.step,
                    result: *result,
                });
            }
            if let Some(words) = cw_words::event(reader, event) {
                self.step.trace.push(words.clone());
                self.step.events.push(words);
            } else if let Some(words) = step_words(&self.duel, event)
                // Conditions that are asked for every option would fill the trace.
                && self.step.trace.last() != Some(&words)
            {
                self.step.trace.push(words);
            }
        }
    }

    fn stuck(&self, span: Span, message: impl Into<String>) -> ScenarioFailure {
        let mut notes = Vec::new();
        match self.duel.pending() {
            Some(decision) => {
                let reader = EventReader {
                    duel: &self.duel,
                    seat: None,
                };
                let question = cw_words::question(reader, decision);
                notes.push(format!("asked: {} — {question}", seat_word(decision.seat)));
                notes.push(format!("offered: {}", labels(&self.duel, decision).join("; ")));
            }
            None => notes.push("the duel is over".to_owned()),
        }
        ScenarioFailure::Stuck {
            span,
            message: message.into(),
            notes,
        }
    }

    /// Takes a free action that may or may not be offered.
    fn do_free(&mut self, step: &ScenarioStep, choice: Choice) -> ScenarioResult {
        let offered = self
            .duel
            .pending()
            .is_some_and(|decision| decision.options.contains(&choice));
        if offered {
            self.answer(choice);
            return Ok(());
        }
        Err(self.not_offered(step, choice, None))
    }

    fn not_offered(&self, step: &ScenarioStep, choice: Choice, at: Option<CardId>) -> ScenarioFailure {
        let why = self
            .duel
            .why_not(choice, at)
            .map_or_else(|| "is not offered".to_owned(), |refusal| refusal.to_string());
        let who = match choice.card() {
            Some(card) => self.name(card),
            None => "this".to_owned(),
        };
        self.stuck(
            step.span,
            format!("“{}” is not offered: {who} {why}", title(step)),
        )
    }

    fn name(&self, card: CardId) -> String {
        let reader = EventReader {
            duel: &self.duel,
            seat: None,
        };
        reader.card(card)
    }

    /// The choice that a step names: among the options if it is there, else for the card wherever
    /// it is, so that it can be said why not.
    fn option(
        &self,
        step: &ScenarioStep,
        verb: ScenarioVerb,
        name: &str,
        span: Span,
    ) -> Result<Choice, ScenarioFailure> {
        let wanted = self.card_named(name, span)?;
        let options = self.duel.pending().map_or(&[][..], |decision| &decision.options);
        let offered: Vec<CardId> = options
            .iter()
            .filter(|choice| verb_of(**choice) == Some(verb))
            .filter_map(|choice| choice.card())
            .filter(|card| wanted.fits(&self.duel, *card))
            .collect();
        if let [first, rest @ ..] = &*offered {
            let mut models: Vec<ModelId> = offered
                .iter()
                .filter_map(|card| self.duel.true_model(*card))
                .collect();
            models.dedup();
            if models.len() > 1 {
                return Err(names::ambiguous(self.duel.game(), name, &models, span).into());
            }
            let in_ring = |card: CardId| {
                matches!(
                    self.duel.zone_of(card),
                    Some(ZoneLocation {
                        zone: ZoneKind::Ring,
                        ..
                    })
                )
            };
            if !rest.is_empty() && in_ring(*first) {
                let message = format!("there are several “{name}”");
                let mut failure = self.stuck(span, message);
                if let ScenarioFailure::Stuck { notes, .. } = &mut failure {
                    notes.push(format!("say which: “{name} in slot 2”"));
                }
                return Err(failure);
            }
            return Ok(verb.choice(*first));
        }
        match self.find(verb, &wanted) {
            Some(card) => Ok(verb.choice(card)),
            None => Err(self.stuck(
                step.span,
                format!("“{}” is not offered: there is no such card here", title(step)),
            )),
        }
    }

    /// The card that a step most likely means, although it is not offered.
    fn find(&self, verb: ScenarioVerb, wanted: &WantedCard) -> Option<CardId> {
        let seat = self
            .duel
            .pending()
            .map_or(self.duel.active(), |decision| decision.seat);
        let from_hand = matches!(verb, ScenarioVerb::Play | ScenarioVerb::BackUp);
        let all = (0..250u8)
            .map(CardId)
            .take_while(|card| self.duel.zone_of(*card).is_some());
        all.filter(|card| wanted.fits(&self.duel, *card))
            .min_by_key(|card| {
                let at = self.duel.zone_of(*card).expect("taken while there is one");
                let place = match at.zone {
                    ZoneKind::Pile(PileName::Hand) => u8::from(!from_hand),
                    ZoneKind::Ring => u8::from(from_hand),
                    ZoneKind::Pile(PileName::Removed) => 2,
                    ZoneKind::Table | ZoneKind::Backup => 3,
                    ZoneKind::Pile(PileName::Discards | PileName::Deck) => 4,
                };
                // Near the right zone first, then of the player who decides.
                (place > 1, at.seat != seat, place)
            })
    }

    fn card_named(&self, name: &str, span: Span) -> Result<WantedCard, ScenarioFault> {
        let (name, slot) = split_slot(name);
        let (seat, name) = match name.split_once(' ') {
            Some(("my", rest)) if names::all(self.duel.game(), name).is_empty() => (Some(Seat::One), rest),
            Some(("opponent's", rest)) => (Some(Seat::Two), rest),
            _ => (None, name),
        };
        let models = names::cards(self.duel.game(), name, span)?;
        Ok(WantedCard { models, seat, slot })
    }

    /// `on`: the second card is one that the rules allow.
    fn check_second(&self, step: &ScenarioStep, choice: Choice) -> ScenarioResult {
        let Some((name, span)) = &step.on else {
            return Ok(());
        };
        let second = self.second(name, *span)?;
        match self.duel.why_not(choice, Some(second)) {
            None => Ok(()),
            Some(_) => Err(self.not_offered(step, choice, Some(second))),
        }
    }

    /// A character in a ring.
    fn second(&self, name: &str, span: Span) -> Result<CardId, ScenarioFailure> {
        let wanted = self.card_named(name, span)?;
        let card = self.find(ScenarioVerb::Attack, &wanted);
        card.ok_or_else(|| self.stuck(span, format!("there is no “{name}” here")))
    }

    /// Which slot, whom to back up, to join, to block: told by the step itself.
    fn second_question(
        &mut self,
        step: &ScenarioStep,
        answers: &mut &[(ScenarioAnswer, Span)],
    ) -> ScenarioResult {
        let Some(decision) = self.duel.pending() else {
            return Ok(());
        };
        match decision.question {
            Question::SlotFor(_) => {
                let told = matches!(
                    answers.first(),
                    Some((ScenarioAnswer::Words(words), _)) if words.starts_with("slot ")
                );
                if told {
                    return Ok(());
                }
                let choice = match step.slot {
                    Some(slot) => Choice::Slot(slot),
                    None => decision.options[0],
                };
                if !decision.options.contains(&choice) {
                    return Err(self.stuck(step.span, "this slot is not empty"));
                }
                self.answer(choice);
            }
            Question::BackUpWhom(_) | Question::JoinWhom(_) | Question::BlockWhom(_) => {
                let choice = match &step.on {
                    Some((name, span)) => Some(Choice::Card(self.second(name, *span)?)),
                    // Nothing to choose but to decline.
                    None if decision.options.len() == 2 && answers.is_empty() => Some(decision.options[0]),
                    None => None,
                };
                if let Some(choice) = choice {
                    if !decision.options.contains(&choice) {
                        return Err(self.not_offered(step, choice, None));
                    }
                    self.answer(choice);
                }
            }
            _ if step.slot.is_some() => self.check_slot(step)?,
            _ => {}
        }
        Ok(())
    }

    /// A slot was named and not asked for: the only empty one was taken.
    fn check_slot(&self, step: &ScenarioStep) -> ScenarioResult {
        let Some(ScenarioAction::With(ScenarioVerb::Play, name, span)) = &step.action else {
            return Ok(());
        };
        let wanted = self.card_named(name, *span)?;
        let wanted = WantedCard {
            slot: step.slot.map(usize::from),
            ..wanted
        };
        let stands = self.find(ScenarioVerb::Attack, &wanted).is_some();
        if stands {
            Ok(())
        } else {
            Err(self.stuck(step.span, "the card did not go to this slot"))
        }
    }

    fn reply(&mut self, answer: &ScenarioAnswer, span: Span, free_too: bool) -> ScenarioResult {
        let Some(decision) = self.duel.pending() else {
            return Err(self.stuck(span, "nothing is asked: the duel is over"));
        };
        if is_free(decision) && !free_too {
            return Err(self.stuck(span, "nothing is asked any more"));
        }
        let options = labels(&self.duel, decision);
        let choice = match answer {
            ScenarioAnswer::Place(place) => usize::try_from(*place)
                .ok()
                .and_then(|place| place.checked_sub(1))
                .and_then(|place| decision.options.get(place).copied()),
            ScenarioAnswer::Words(words) => self.option_in_words(decision, &options, words, span)?,
        };
        match choice {
            Some(choice) => {
                self.answer(choice);
                Ok(())
            }
            None => {
                let words = match answer {
                    ScenarioAnswer::Place(place) => format!("option {place}"),
                    ScenarioAnswer::Words(words) => format!("“{words}”"),
                };
                Err(self.stuck(span, format!("{words} is not among the options")))
            }
        }
    }

    fn option_in_words(
        &self,
        decision: &Decision,
        options: &[String],
        words: &str,
        span: Span,
    ) -> Result<Option<Choice>, ScenarioFailure> {
        let wanted = words.trim().to_lowercase();
        let same: Vec<usize> = (0..options.len())
            .filter(|at| options[*at].to_lowercase() == wanted)
            .collect();
        if let [only] = same[..] {
            return Ok(Some(decision.options[only]));
        }
        // Two cards of one name, or a card with the words that tell it from the other.
        if let Ok(card) = self.card_named(words, span) {
            let cards: Vec<Choice> = decision
                .options
                .iter()
                .copied()
                .filter(|choice| choice.card().is_some_and(|one| card.fits(&self.duel, one)))
                .collect();
            return match cards[..] {
                [] => Ok(None),
                [only] => Ok(Some(only)),
                _ => {
                    let mut failure = self.stuck(span, format!("there are several “{words}”"));
                    if let ScenarioFailure::Stuck { notes, .. } = &mut failure {
                        notes.push(format!(
                            "say which: “{words} in slot 2”, “my {words}”, \
                             “opponent's {words}”, or its place in the list"
                        ));
                    }
                    Err(failure)
                }
            };
        }
        let mut beginning = (0..options.len()).filter(|at| options[*at].to_lowercase().starts_with(&wanted));
        Ok(match (beginning.next(), beginning.next()) {
            (Some(only), None) => Some(decision.options[only]),
            _ => None,
        })
    }

    /// Passes until the turn is over; stops at a question that nobody answers.
    fn end_turn(&mut self, step: &ScenarioStep, answers: &mut &[(ScenarioAnswer, Span)]) -> ScenarioResult {
        const LIMIT: usize = 10_000;
        let turn = self.duel.turn();
        for _ in 0..LIMIT {
            let Some(decision) = self.duel.pending() else {
                return Ok(());
            };
            if self.duel.turn() != turn {
                return Ok(());
            }
            if is_free(decision) {
                self.do_free(step, Choice::Pass)?;
            } else if let Some(((answer, span), rest)) = answers.split_first() {
                self.reply(answer, *span, false)?;
                *answers = rest;
            } else if let Some(choice) = policy_choice(decision, self.scenario.answers) {
                self.answer(choice);
            } else {
                return Ok(());
            }
        }
        Err(self.stuck(step.span, "the turn does not end"))
    }

    /// Answers what is asked by the scenario's policy, unless the next step does.
    fn by_policy(&mut self, next: Option<&ScenarioStep>) -> ScenarioResult {
        const LIMIT: usize = 10_000;
        let answered_next = next.is_some_and(|next| next.action.is_none() && !next.choose.is_empty());
        if answered_next {
            return Ok(());
        }
        for _ in 0..LIMIT {
            let Some(decision) = self.duel.pending().filter(|decision| !is_free(decision)) else {
                return Ok(());
            };
            let Some(choice) = policy_choice(decision, self.scenario.answers) else {
                return Ok(());
            };
            self.answer(choice);
        }
        Err(self.stuck(self.step.span, "the questions do not end"))
    }

    /// The step must not be possible, and for this reason.
    fn refused(&mut self, step: &ScenarioStep, reason: Option<&str>, span: Span) -> ScenarioResult {
        let (choice, at) = match &step.action {
            Some(ScenarioAction::With(verb, name, span)) => {
                let choice = self.option(step, *verb, name, *span)?;
                let at = match &step.on {
                    Some((name, span)) => Some(self.second(name, *span)?),
                    None => None,
                };
                (choice, at)
            }
            Some(ScenarioAction::Pass | ScenarioAction::EndTurn) => (Choice::Pass, None),
            Some(ScenarioAction::GiveUp(_)) | None => {
                return Err(self.stuck(span, "giving up is never refused"));
            }
        };
        let Some(refusal) = self.duel.why_not(choice, at) else {
            return Err(self.stuck(span, "this is allowed, and should be refused"));
        };
        self.step.refused_by = refusal.rules.first().map(|rule| (*rule).to_owned());
        let holds = reason.is_none_or(|reason| {
            let words = refusal.why.to_lowercase();
            reason.split([' ', ',']).any(|rule| refusal.is_by(rule)) || words.contains(&reason.to_lowercase())
        });
        if holds {
            return Ok(());
        }
        Err(ScenarioFailure::Unexpected {
            span,
            mismatches: vec![Mismatch {
                path: "refused".into(),
                span,
                expected: reason.unwrap_or_default().to_owned(),
                actual: refusal.to_string(),
                blessing: refusal.rules.first().map(|rule| (span, quoted(rule))),
            }],
        })
    }

    fn compare(&mut self, step: &ScenarioStep) -> ScenarioResult {
        let Some(expected) = &step.expect else {
            return Ok(());
        };
        let state = state(&self.duel);
        let actual = Actual {
            state: &state,
            events: &self.step.events,
        };
        let found = mismatches(self.duel.game(), expected, &actual);
        self.step.state = Some(state);
        let found = found?;
        if found.is_empty() {
            return Ok(());
        }
        Err(ScenarioFailure::Unexpected {
            span: expected.span,
            mismatches: found,
        })
    }
}

pub(crate) fn blessable(mismatches: &[Mismatch]) -> bool {
    mismatches
        .iter()
        .all(|one| one.blessing.as_ref().is_some_and(|(span, _)| !span.is_empty()))
}

/// A card as a step names it.
#[derive(Clone, Debug)]
struct WantedCard {
    /// All cards of the name.
    models: Vec<ModelId>,
    seat: Option<Seat>,
    slot: Option<usize>,
}

impl WantedCard {
    fn fits(&self, duel: &Duel, card: CardId) -> bool {
        let Some(model) = duel.true_model(card) else {
            return false;
        };
        let at = duel.zone_of(card);
        self.models.contains(&model)
            && self.seat.is_none_or(|seat| at.is_some_and(|at| at.seat == seat))
            && self.slot.is_none_or(|slot| duel.slot_of(card) == Some(slot))
    }
}

/// What a step does, in the words of the file.
fn title(step: &ScenarioStep) -> String {
    match &step.action {
        Some(ScenarioAction::With(verb, name, _)) => {
            let on = step
                .on
                .as_ref()
                .map_or_else(String::new, |(on, _)| format!(" on {on}"));
            format!("{} {name}{on}", verb.word())
        }
        Some(ScenarioAction::Pass) => "pass".to_owned(),
        Some(ScenarioAction::EndTurn) => "end turn".to_owned(),
        Some(ScenarioAction::GiveUp(seat)) => format!("give up: {}", seat_word(*seat)),
        None if step.choose.is_empty() => "expect".to_owned(),
        None => {
            let answers = step.choose.iter().map(|(answer, _)| match answer {
                ScenarioAnswer::Place(place) => place.to_string(),
                ScenarioAnswer::Words(words) => words.clone(),
            });
            format!("choose {}", answers.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Whether the player may do as they like, rather than answer a question.
fn is_free(decision: &Decision) -> bool {
    matches!(
        decision.question,
        Question::Main | Question::Attack | Question::CounterAttack
    )
}

fn verb_of(choice: Choice) -> Option<ScenarioVerb> {
    ScenarioVerb::ALL
        .into_iter()
        .find(|verb| choice.card().is_some_and(|card| verb.choice(card) == choice))
}

/// The first or last options, as many as must be, at least one where one is possible.
fn policy_choice(decision: &Decision, policy: ScenarioPolicy) -> Option<Choice> {
    let counts = match decision.question {
        Question::Target { chosen, min, .. }
        | Question::DiscardCost { chosen, min, .. }
        | Question::SacrificeCost { chosen, min, .. }
        | Question::Discard { chosen, min, .. } => Some((chosen, min)),
        _ => None,
    };
    let enough = counts.is_some_and(|(chosen, min)| chosen >= min.max(1));
    if policy != ScenarioPolicy::Ask && enough && decision.options.contains(&Choice::Done) {
        return Some(Choice::Done);
    }
    let mut real = decision
        .options
        .iter()
        .filter(|choice| !matches!(choice, Choice::Done | Choice::Decline));
    match policy {
        ScenarioPolicy::Ask => None,
        ScenarioPolicy::First => real.next().or(decision.options.first()).copied(),
        ScenarioPolicy::Last => real.next_back().or(decision.options.first()).copied(),
    }
}

/// A step of a card's program, for the trace (R1402).
fn step_words(duel: &Duel, event: &DuelEvent) -> Option<String> {
    let reader = EventReader { duel, seat: None };
    match *event {
        DuelEvent::PhaseBegan { phase } if phase != Phase::Setup => Some(format!("· {phase} phase")),
        DuelEvent::Rolled { outcome, of, .. } => {
            Some(format!("· random: {outcome} of 0 to {}", of.saturating_sub(1)))
        }
        DuelEvent::Step {
            place,
            source,
            result,
        } => {
            let what = duel
                .game()
                .command_at(place)
                .unwrap_or_else(|| format!("step {}", place.step));
            let result = match result {
                StepResult::Condition(true) => "condition holds".to_owned(),
                StepResult::Condition(false) => "condition does not hold".to_owned(),
                StepResult::Targets(count) => format!("targets: {count}"),
                StepResult::NoTargets => "no targets, it stops here".to_owned(),
                StepResult::Effect(true) => "done".to_owned(),
                StepResult::Effect(false) => "failed".to_owned(),
                StepResult::Skipped => "skipped".to_owned(),
                StepResult::Paid => "costs paid".to_owned(),
                StepResult::Unpaid => "costs not paid".to_owned(),
                StepResult::Reverted => "grants taken back".to_owned(),
            };
            Some(format!("· {}: {what}: {result}", reader.seen(source)))
        }
        _ => None,
    }
}

/// A duel at the scenario's beginning, and what happened on the way to its first question.
///
/// # Errors
/// The first fault of the position.
pub fn begin(scenario: &Scenario, game: &Arc<Game>) -> Result<(Duel, Vec<DuelEvent>), ScenarioFault> {
    let mut events = Vec::new();
    let duel = start(scenario, game, &mut events)?;
    Ok((duel, events))
}

/// Checks that a scenario's beginning makes sense, without playing it.
///
/// # Errors
/// The first fault.
pub fn check(scenario: &Scenario, game: &Arc<Game>) -> Result<(), ScenarioFault> {
    setup::start(scenario, game, &mut Vec::new()).map(|_| ())
}
