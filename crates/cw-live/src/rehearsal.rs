//! The scenarios of a game in the making: which of them a change can touch, and what comes of those.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_duel::{CardId, CardModel, Duel, Game, GameChange};
use cw_scenario::{AnyScenarios, RunOptions, Scenario};
use cw_text::{LineIndex, Span};

/// The scenarios of a game with what came of each when it last ran.
#[derive(Debug, Default)]
pub struct Rehearsal {
    files: BTreeMap<String, RehearsedFile>,
}

/// A file of scenarios.
#[derive(Debug, Default)]
struct RehearsedFile {
    text: String,
    scenarios: Vec<RehearsedScenario>,
    /// What is wrong with the file itself, with its line.
    fault: Option<FailedScenario>,
}

/// A scenario that has run.
#[derive(Debug)]
struct RehearsedScenario {
    scenario: Scenario,
    /// The ids of the cards that lie in it, and of those whose rules have run.
    cards: BTreeSet<Box<str>>,
    failed: Option<FailedScenario>,
}

/// A scenario that failed, or a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedScenario {
    /// The file.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Where the step or the expectation stands that failed.
    pub place: Span,
    /// What it is called.
    pub name: String,
    /// Why it failed.
    pub why: Vec<String>,
}

/// What came of the scenarios that ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RehearsalReport {
    /// How many ran.
    pub run: usize,
    /// How many there are.
    pub all: usize,
    /// All that fail now, those included that did not run again.
    pub failed: Vec<FailedScenario>,
}

impl Rehearsal {
    /// Runs the scenarios of these files, by their names, that have not run yet, whose file has changed, or
    /// which the change can touch: one of its cards lies in the scenario, or its rule has run there. Without
    /// a change all run.
    pub fn run(
        &mut self,
        texts: &BTreeMap<String, String>,
        game: &Arc<Game>,
        change: Option<&GameChange>,
    ) -> RehearsalReport {
        let mut report = RehearsalReport::default();
        let touched = change.map(touched);
        self.files.retain(|name, _| texts.contains_key(name));
        for (name, text) in texts {
            let file = self.files.entry(name.clone()).or_default();
            let is_new = file.text != *text;
            if is_new {
                *file = read(name, text, game);
                report.run += file.scenarios.len();
            } else {
                for one in &mut file.scenarios {
                    let is_touched = match &touched {
                        None => true,
                        Some(Touched::All) => true,
                        Some(Touched::Cards(cards)) => {
                            one.failed.is_some() && !cards.is_empty() || !one.cards.is_disjoint(cards)
                        }
                    };
                    if is_touched {
                        *one = rehearse(name, text, one.scenario.clone(), game);
                        report.run += 1;
                    }
                }
            }
            report.all += file.scenarios.len();
            report.failed.extend(file.fault.clone());
            report
                .failed
                .extend(file.scenarios.iter().filter_map(|one| one.failed.clone()));
        }
        report
    }
}

/// What came of a scenario in which a card lies, or its rule has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsedCard {
    /// The file.
    pub file: String,
    /// What the scenario is called.
    pub name: String,
    /// Why it failed; nothing if it did not.
    pub why: Vec<String>,
}

impl Rehearsal {
    /// The scenarios that the card with this id is in, as they last ran.
    pub fn of_card(&self, id: &str) -> Vec<RehearsedCard> {
        let files = self.files.iter();
        let all = files.flat_map(|(file, read)| read.scenarios.iter().map(move |one| (file, one)));
        let told = all
            .filter(|(_, one)| one.cards.contains(id))
            .map(|(file, one)| RehearsedCard {
                file: file.clone(),
                name: one.scenario.name.clone(),
                why: one
                    .failed
                    .as_ref()
                    .map_or_else(Vec::new, |failed| failed.why.clone()),
            });
        told.collect()
    }

    /// How many scenarios there are.
    pub fn count(&self) -> usize {
        self.files.values().map(|file| file.scenarios.len()).sum()
    }

    /// What came of a scenario of a file when it last ran, by its place in the file: why it failed, or
    /// nothing. `None` if it never ran.
    pub fn of_scenario(&self, file: &str, index: usize) -> Option<Option<&FailedScenario>> {
        let one = self.files.get(file)?.scenarios.get(index)?;
        Some(one.failed.as_ref())
    }
}

/// What a change can touch.
enum Touched {
    /// Numbers of the game have changed.
    All,
    /// Scenarios with these cards, by their ids.
    Cards(BTreeSet<Box<str>>),
}

fn touched(change: &GameChange) -> Touched {
    if change.has_other_numbers() {
        return Touched::All;
    }
    let (old, new) = (change.old(), change.new_game());
    let changed = change.cards().map(|(card, _)| card).chain(change.gone());
    let mut cards: BTreeSet<Box<str>> = changed.map(|card| old.model(card).id.clone()).collect();
    cards.extend(change.added().iter().map(|card| new.model(*card).id.clone()));
    Touched::Cards(cards)
}

fn read(name: &str, text: &str, game: &Arc<Game>) -> RehearsedFile {
    let mut file = RehearsedFile {
        text: text.to_owned(),
        ..RehearsedFile::default()
    };
    match cw_scenario::read_any(text) {
        // Scenarios of the free table have no rules that could change.
        Ok(AnyScenarios::Free(_)) => {}
        Ok(AnyScenarios::Duels(scenarios)) => {
            let all = scenarios.scenarios.into_iter();
            file.scenarios = all.map(|scenario| rehearse(name, text, scenario, game)).collect();
        }
        Err(fault) => {
            file.fault = Some(FailedScenario {
                file: name.to_owned(),
                line: line(text, fault.span.start),
                place: fault.span,
                name: "the file cannot be read".to_owned(),
                why: std::iter::once(fault.message).chain(fault.help).collect(),
            });
        }
    }
    file
}

fn line(text: &str, at: u32) -> u32 {
    LineIndex::new(text).line_column(text, at).line
}

fn rehearse(name: &str, text: &str, scenario: Scenario, game: &Arc<Game>) -> RehearsedScenario {
    let report = cw_scenario::run(&scenario, game, RunOptions::default());
    let mut cards: BTreeSet<Box<str>> = BTreeSet::new();
    if let Ok((duel, _)) = cw_scenario::begin(&scenario, game) {
        cards.extend(models(&duel).map(|model| model.id.clone()));
    }
    let ran = report
        .taken
        .iter()
        .map(|taken| game.model(taken.model).id.clone());
    cards.extend(ran);
    let why = report.why();
    let failed = (!why.is_empty()).then(|| FailedScenario {
        file: name.to_owned(),
        line: line(text, report.span.start),
        place: report.place(),
        name: report.name.clone(),
        why,
    });
    RehearsedScenario {
        scenario,
        cards,
        failed,
    }
}

/// What the cards of a duel are.
fn models(duel: &Duel) -> impl Iterator<Item = &CardModel> {
    let cards = (0..=u8::MAX).map_while(|card| duel.true_model(CardId(card)));
    cards.map(|model| duel.game().model(model))
}
