//! Takes the steps of a scenario of the free table.

use std::collections::BTreeSet;
use std::sync::Arc;

use cw_table::{
    CardAt, CardGroup, FreeTable, Kit, Looker, ScriptAnswer, ScriptQuestion, TableCardId, TableEvent,
    TableSeat, TableVerb, VerbCards,
};
use cw_text::{Span, nearest};

use super::facts::{FreeActual, difference, mismatches, state};
use super::lay::{lay, marker, model};
use super::read::{FreeAction, FreeScenario, FreeStep};
use crate::node::{Fields, KIND, ScenarioFault, ScenarioNode, ScenarioValue};
use crate::run::{RunOptions, ScenarioFailure, ScenarioReport, StepReport, blessable};

/// Runs a scenario on a package's table.
pub fn run_free(scenario: &FreeScenario, kit: &Arc<Kit>, options: RunOptions) -> ScenarioReport {
    let mut report = ScenarioReport {
        name: scenario.name.clone(),
        span: scenario.span,
        steps: Vec::new(),
        failure: None,
        taken: BTreeSet::new(),
        blessings: Vec::new(),
    };
    let table = match lay(scenario, kit) {
        Ok(table) => table,
        Err(fault) => {
            report.failure = Some(fault.into());
            return report;
        }
    };
    report.steps.push(StepReport {
        span: scenario.span,
        title: "the beginning".into(),
        state: options.record.then(|| state(&table)),
        ..StepReport::default()
    });
    let mut run = FreeRun {
        scenario,
        table,
        read: vec![Vec::new(); scenario.seats.len()],
        failed: None,
        trace: Vec::new(),
    };
    for step in &scenario.steps {
        run.begin_step();
        let empty = step.expect.as_ref().filter(|node| node.is_empty_table());
        let before = empty.filter(|_| options.bless).map(|_| state(&run.table));
        let done = run.take(step).and_then(|()| run.compare(step));
        let now = state(&run.table);
        if let (Some(before), Some(node), Ok(())) = (&before, empty, &done) {
            let text = difference(before, &now, &run.read[step.by]);
            report.blessings.push((node.span, text));
        }
        report.steps.push(StepReport {
            index: Some(step.index),
            span: step.span,
            title: run.title(step),
            events: run.read[step.by].clone(),
            trace: std::mem::take(&mut run.trace),
            state: options.record.then_some(now),
            ..StepReport::default()
        });
        match done {
            Ok(()) => {}
            Err(ScenarioFailure::Unexpected { mismatches, .. })
                if options.bless && blessable(&mismatches) =>
            {
                let blessings = mismatches.into_iter().filter_map(|mismatch| mismatch.blessing);
                report.blessings.extend(blessings);
            }
            Err(failure) => {
                report.failure = Some(failure);
                return report;
            }
        }
    }
    report.failure = run.left_open();
    report
}

type FreeResult = Result<(), ScenarioFailure>;

struct FreeRun<'a> {
    scenario: &'a FreeScenario,
    table: FreeTable,
    /// What each seat has read in this step.
    read: Vec<Vec<String>>,
    /// Why a script failed in it.
    failed: Option<String>,
    trace: Vec<String>,
}

impl FreeRun<'_> {
    fn begin_step(&mut self) {
        self.read.iter_mut().for_each(Vec::clear);
        self.failed = None;
    }

    fn title(&self, step: &FreeStep) -> String {
        let whose = &self.scenario.seats[step.by];
        match &step.action {
            Some(FreeAction::Run(path, _)) => format!("{whose}: run “{path}”"),
            Some(FreeAction::Do(line, _)) => format!("{whose}: {line}"),
            None if step.answers.is_empty() => "expect".to_owned(),
            None => "answer".to_owned(),
        }
    }

    fn take(&mut self, step: &FreeStep) -> FreeResult {
        let verb = match &step.action {
            None => None,
            Some(FreeAction::Run(path, span)) => Some((self.entry(step, path, *span), *span)),
            Some(FreeAction::Do(line, span)) => {
                let seat = TableSeat::at(step.by);
                let line = self.with_cards(seat, line, *span)?;
                let parsed = self.table.parse(seat, &line);
                Some((parsed.map_err(|refusal| stuck(*span, refusal.to_string())), *span))
            }
        };
        if let Some((verb, span)) = verb {
            let refusal = match verb {
                Err(failure) => return Err(failure),
                Ok(verb) => match self.table.act(TableSeat::at(step.by), verb) {
                    Ok(events) => {
                        self.tell(&events);
                        None
                    }
                    Err(refusal) => Some(refusal.to_string()),
                },
            };
            match (refusal, &step.refused) {
                (None, None) => {}
                (None, Some((_, refused))) => {
                    return Err(stuck(*refused, "this is done, and not refused"));
                }
                (Some(words), None) => return Err(stuck(span, words)),
                (Some(words), Some((reason, refused))) => {
                    let reason = reason.as_deref().unwrap_or_default();
                    if !words.to_lowercase().contains(&reason.to_lowercase()) {
                        let message = format!("this is refused for another reason: {words}");
                        return Err(stuck(*refused, message));
                    }
                    self.trace.push(format!("refused: {words}"));
                }
            }
        }
        self.answer_all(step)?;
        match (&self.failed, &step.fails) {
            (None, None) => Ok(()),
            (None, Some((_, span))) => Err(stuck(*span, "nothing fails here")),
            (Some(words), None) => Err(stuck(step.span, words)),
            (Some(words), Some((part, span))) => {
                if words.to_lowercase().contains(&part.to_lowercase()) {
                    return Ok(());
                }
                Err(stuck(*span, format!("it fails with other words: {words}")))
            }
        }
    }

    /// Answers what scripts ask, whichever seat they ask.
    fn answer_all(&mut self, step: &FreeStep) -> FreeResult {
        for node in &step.answers {
            let waits = self.table.state().runs.iter();
            let waits = waits.filter_map(|run| Some((run.id, run.waits()?.clone())));
            let Some((run, asked)) = waits.min_by_key(|(id, _)| *id) else {
                let words = match self.failed.clone() {
                    Some(words) => format!("nothing is asked any more: {words}"),
                    None => "nothing is asked here".to_owned(),
                };
                return Err(stuck(node.span, words));
            };
            let answer = self.answer_of(node, &asked.question)?;
            self.trace.push(format!(
                "? {}: {} → {}",
                self.scenario.seats[usize::from(asked.seat.0)],
                asked.question.text(),
                shown(&answer)
            ));
            match self.table.act(asked.seat, TableVerb::Reply { run, answer }) {
                Ok(events) => self.tell(&events),
                Err(refusal) => {
                    let mut failure = stuck(node.span, refusal.to_string());
                    if let ScenarioFailure::Stuck { notes, .. } = &mut failure {
                        notes.push(self.asked_words());
                    }
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// Nothing may be asked when a scenario ends, unless its last step expects that.
    fn left_open(&self) -> Option<ScenarioFailure> {
        self.table.state().runs.first()?.waits()?;
        let last = self.scenario.steps.last()?;
        let expected = last.expect.as_ref().and_then(|node| node.table().ok());
        let is_expected = expected.is_some_and(|keys| {
            keys.iter()
                .any(|(key, _)| matches!(&*key.name, "asked" | "question"))
        });
        let failure = ScenarioFailure::Stuck {
            span: last.span,
            message: "a question is left without an answer".to_owned(),
            notes: vec![
                self.asked_words(),
                "answer it: answers = [\"yes\"], or expect it: expect.asked = \"me\"".to_owned(),
            ],
        };
        (!is_expected).then_some(failure)
    }

    /// What is asked, of whom, and what can be answered.
    fn asked_words(&self) -> String {
        let Some(asked) = self.table.state().runs.iter().find_map(|run| run.waits()) else {
            return "nothing is asked".to_owned();
        };
        let whose = &self.scenario.seats[usize::from(asked.seat.0)];
        let takes = match &asked.question {
            ScriptQuestion::Confirm { .. } => "yes, no".to_owned(),
            ScriptQuestion::Number { .. } => "a number".to_owned(),
            ScriptQuestion::Text { .. } => "a text".to_owned(),
            ScriptQuestion::Choice { choices, buttons, .. } => {
                let choices = choices.iter().map(|(words, _)| words).chain(buttons);
                choices
                    .map(|words| format!("“{words}”"))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            ScriptQuestion::Marker => "{ marker = \"…\", count = 1 }".to_owned(),
            ScriptQuestion::Model { .. } => "{ card = \"…\", count = 1 }".to_owned(),
            ScriptQuestion::Cards { cards, bottom, .. } => {
                let all = cards.iter().chain(bottom.iter().flatten());
                let names: Vec<String> = all.map(|card| self.name(card.card)).collect();
                format!("a list out of {}", names.join(", "))
            }
        };
        format!(
            "{whose} is asked: {}; it takes {takes}, or “closed”",
            asked.question.text()
        )
    }

    fn tell(&mut self, events: &[TableEvent]) {
        for event in events {
            for (seat, read) in self.read.iter_mut().enumerate() {
                let line = event.read_by(Looker::Seat(TableSeat::at(seat)));
                read.extend(line.filter(|line| !line.is_empty()));
            }
            let line = event.read_by(Looker::Referee);
            self.trace.extend(line.clone().filter(|line| !line.is_empty()));
            if event.kind == "failed" && self.failed.is_none() {
                let by = event.by.and_then(|by| event.read_by(by.into()));
                self.failed = by.or(line);
            }
        }
    }

    fn compare(&self, step: &FreeStep) -> FreeResult {
        let Some(expected) = step.expect.as_ref().filter(|node| !node.is_empty_table()) else {
            return Ok(());
        };
        let now = state(&self.table);
        let actual = FreeActual {
            kit: self.table.kit(),
            state: &now,
            read: &self.read,
            by: step.by,
        };
        let mismatches = mismatches(expected, &actual)?;
        if mismatches.is_empty() {
            return Ok(());
        }
        Err(ScenarioFailure::Unexpected {
            span: expected.span,
            mismatches,
        })
    }

    fn name(&self, id: TableCardId) -> String {
        let card = self.table.state().card(id);
        self.table.kit().name(&card.model, card.form).to_owned()
    }

    // ---- what steps name ------------------------------------------------------------------------

    /// A menu entry with the cards that it is chosen on.
    fn entry(&self, step: &FreeStep, path: &str, span: Span) -> Result<TableVerb, ScenarioFailure> {
        let kit = self.table.kit();
        let entry = kit.entry_named(path).map_err(|words| stuck(span, words))?;
        let action = &kit.actions[entry];
        let seat = TableSeat::at(step.by);
        let now = self.table.state();
        let group = match &action.pile {
            None => CardGroup::Table,
            Some(name) => {
                let own = kit.piles.iter().position(|pile| pile.written == *name);
                let shared = kit.shared_piles.iter().position(|pile| pile.written == *name);
                let pile = own.map(|kind| now.pile_of(kit, seat, kind));
                let pile = pile.or(shared.map(cw_table::PileId::at));
                CardGroup::Pile(pile.ok_or_else(|| stuck(span, format!("there is no pile “{name}”")))?)
            }
        };
        let mut chosen: Vec<TableCardId> = Vec::new();
        for (name, span) in &step.on {
            chosen.push(self.named(seat, &[group], name, &chosen, *span)?);
        }
        let cards = chosen.iter().map(|id| self.card_at(seat, group, *id)).collect();
        let cards = (!chosen.is_empty()).then_some(VerbCards { group, cards });
        let entry = u16::try_from(entry).map_err(|_| stuck(span, "the package has too many entries"))?;
        Ok(TableVerb::Run {
            entry,
            cards,
            pile: None,
            at: step.at,
            time: self.scenario.time,
        })
    }

    /// The first card of a name in these groups that was not named before; `#2` behind a name is the second.
    fn named(
        &self,
        seat: TableSeat,
        groups: &[CardGroup],
        name: &str,
        but: &[TableCardId],
        span: Span,
    ) -> Result<TableCardId, ScenarioFailure> {
        let written = name;
        let (name, skip) = match name.rsplit_once('#') {
            Some((name, number)) => match number.trim().parse::<usize>() {
                Ok(number) if number > 0 => (name.trim(), number - 1),
                _ => (written, 0),
            },
            None => (name, 0),
        };
        let _ = seat;
        let now = self.table.state();
        let wanted = self.table.kit().by_name(name);
        let all = groups.iter().flat_map(|group| now.of_group(*group).iter());
        let is_it = |id: &&TableCardId| {
            let card = now.card(**id);
            let same = self.name(**id).eq_ignore_ascii_case(name) || wanted.as_ref() == Some(&card.model);
            same && !but.contains(id)
        };
        if let Some(found) = all.clone().filter(is_it).nth(skip) {
            return Ok(*found);
        }
        let there: Vec<String> = all.map(|id| self.name(*id)).collect();
        // What the package does not have is another mistake than what does not lie there.
        model(self.table.kit(), name, span)?;
        let near = nearest(name, there.iter().map(String::as_str)).map(str::to_owned);
        let notes = match near {
            Some(near) => vec![format!("did you mean “{near}”?")],
            None if there.is_empty() => vec!["no card lies there".to_owned()],
            None => vec![format!("there lie: {}", there.join(", "))],
        };
        Err(ScenarioFailure::Stuck {
            span,
            message: format!("“{written}” does not lie there"),
            notes,
        })
    }

    /// A card as its seat can name it: by its handle, or by its place in an ordered pile.
    fn card_at(&self, seat: TableSeat, group: CardGroup, id: TableCardId) -> CardAt {
        let now = self.table.state();
        match now.handle(seat.into(), id) {
            0 => {
                let place = now.of_group(group).iter().position(|other| *other == id);
                CardAt::Place(place.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX))
            }
            handle => CardAt::Handle(handle),
        }
    }

    /// A line with `{Candle}` replaced by the card that is called so, wherever it lies.
    fn with_cards(&self, seat: TableSeat, line: &str, span: Span) -> Result<String, ScenarioFailure> {
        let (kit, now) = (self.table.kit(), self.table.state());
        let own = (0..kit.piles.len()).map(|kind| CardGroup::Pile(now.pile_of(kit, seat, kind)));
        let others = (0..now.piles.len()).map(|at| CardGroup::Pile(cw_table::PileId::at(at)));
        let mut groups: Vec<CardGroup> = own.collect();
        groups.push(CardGroup::Table);
        groups.extend(others);
        let mut out = String::new();
        let mut rest = line;
        let mut named = Vec::new();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            let id = self.named(seat, &groups, name, &named, span)?;
            named.push(id);
            let group = now.card(id).group;
            let at = match self.card_at(seat, group, id) {
                CardAt::Handle(handle) => handle.to_string(),
                CardAt::Place(place) => format!("@{}", u64::from(place) + 1),
                CardAt::Card(_) => String::new(),
            };
            out.push_str(before);
            out.push_str(&format!("{}:{at}", self.group_words(group)));
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// A group as lines of verbs name it.
    fn group_words(&self, group: CardGroup) -> String {
        let CardGroup::Pile(pile) = group else {
            return "table".to_owned();
        };
        let (kit, pile) = (self.table.kit(), self.table.state().pile(pile));
        let name = crate::expect::quoted(&pile.kind(kit).name);
        match pile.owner {
            Some(owner) => format!("{}/{name}", owner.0 + 1),
            None => format!("*/{name}"),
        }
    }

    // ---- answers --------------------------------------------------------------------------------

    fn answer_of(
        &self,
        node: &ScenarioNode,
        question: &ScriptQuestion,
    ) -> Result<ScriptAnswer, ScenarioFailure> {
        if matches!(&node.value, ScenarioValue::Text(text) if text == "closed") {
            return Ok(ScriptAnswer::Closed);
        }
        let other = || {
            let mut failure = stuck(node.span, "this is no answer to what is asked");
            if let ScenarioFailure::Stuck { notes, .. } = &mut failure {
                notes.push(self.asked_words());
            }
            failure
        };
        let number = |number: i64| Ok(ScriptAnswer::Number(number));
        let places = |places: Vec<u32>| Ok(ScriptAnswer::Places(places));
        match (question, &node.value) {
            (ScriptQuestion::Confirm { .. }, ScenarioValue::Bool(true)) => Ok(ScriptAnswer::Yes),
            (ScriptQuestion::Confirm { .. }, ScenarioValue::Bool(false)) => Ok(ScriptAnswer::No),
            (ScriptQuestion::Confirm { .. }, ScenarioValue::Text(text)) => match &*text.to_lowercase() {
                "yes" => Ok(ScriptAnswer::Yes),
                "no" => Ok(ScriptAnswer::No),
                _ => Err(other()),
            },
            (ScriptQuestion::Number { .. } | ScriptQuestion::Choice { .. }, ScenarioValue::Number(at)) => {
                number(*at)
            }
            (ScriptQuestion::Text { .. }, ScenarioValue::Text(text)) => Ok(ScriptAnswer::Text(text.clone())),
            (ScriptQuestion::Choice { choices, buttons, .. }, ScenarioValue::Text(text)) => {
                let same = |words: &str| words.eq_ignore_ascii_case(text);
                let choice = choices.iter().position(|(words, _)| same(words));
                let button = buttons.iter().position(|words| same(words));
                match (choice, button) {
                    (Some(at), _) => number(i64::try_from(at).unwrap_or(i64::MAX - 1) + 1),
                    (None, Some(at)) => number(-1 - i64::try_from(at).unwrap_or(i64::MAX - 1)),
                    (None, None) => Err(other()),
                }
            }
            (ScriptQuestion::Marker, _) => {
                let (name, span, count) = self.counted(node, "marker")?;
                let kind = marker(self.table.kit(), &name, span)?;
                Ok(ScriptAnswer::Counted(kind.into(), count))
            }
            (ScriptQuestion::Model { models, .. }, _) => {
                let (name, span, count) = self.counted(node, "card")?;
                let wanted = model(self.table.kit(), &name, span)?;
                let at = models
                    .iter()
                    .position(|at| cw_table::TableModel::Card(*at) == wanted);
                let at = at.and_then(|at| u32::try_from(at).ok()).ok_or_else(other)?;
                Ok(ScriptAnswer::Counted(at, count))
            }
            (ScriptQuestion::Cards { cards, bottom, .. }, _) => {
                let all: Vec<TableCardId> = cards
                    .iter()
                    .chain(bottom.iter().flatten())
                    .map(|card| card.card)
                    .collect();
                let mut chosen: Vec<u32> = Vec::new();
                for item in node.one_or_more() {
                    let at = match &item.value {
                        ScenarioValue::Number(at) => {
                            usize::try_from(*at - 1).ok().filter(|at| *at < all.len())
                        }
                        _ => {
                            let name = item.text()?;
                            let there = all.iter().enumerate();
                            let mut there = there.filter(|(at, id)| {
                                let new = u32::try_from(*at).is_ok_and(|at| !chosen.contains(&at));
                                new && self.name(**id).eq_ignore_ascii_case(name)
                            });
                            there.next().map(|(at, _)| at)
                        }
                    };
                    let at = at.and_then(|at| u32::try_from(at).ok());
                    chosen.push(at.ok_or_else(other)?);
                }
                places(chosen)
            }
            _ => Err(other()),
        }
    }

    /// `{ marker = "Oil", count = 2 }`, or the name alone for one.
    fn counted(&self, node: &ScenarioNode, key: &'static str) -> Result<(String, Span, u32), ScenarioFault> {
        if let ScenarioValue::Text(name) = &node.value {
            return Ok((name.clone(), node.span, 1));
        }
        let mut fields = Fields::of(node)?;
        let Some(name) = fields.get(key) else {
            let message = format!("which? As in {{ {key} = \"…\", count = 1 }}");
            return Err(ScenarioFault::new(KIND, node.span, message));
        };
        let (name, span) = (name.text()?.to_owned(), name.span);
        let count = fields
            .get("count")
            .map(ScenarioNode::number)
            .transpose()?
            .unwrap_or(1);
        fields.finish()?;
        Ok((name, span, count))
    }
}

fn stuck(span: Span, message: impl Into<String>) -> ScenarioFailure {
    ScenarioFailure::Stuck {
        span,
        message: message.into(),
        notes: Vec::new(),
    }
}

/// An answer in words.
fn shown(answer: &ScriptAnswer) -> String {
    match answer {
        ScriptAnswer::Closed => "closed".to_owned(),
        ScriptAnswer::Yes => "yes".to_owned(),
        ScriptAnswer::No => "no".to_owned(),
        ScriptAnswer::Number(number) => number.to_string(),
        ScriptAnswer::Text(text) => format!("“{text}”"),
        ScriptAnswer::Places(places) => {
            let places: Vec<String> = places.iter().map(|at| (u64::from(*at) + 1).to_string()).collect();
            format!("cards {}", places.join(", "))
        }
        ScriptAnswer::Counted(at, count) => format!("{count} of number {}", u64::from(*at) + 1),
    }
}
