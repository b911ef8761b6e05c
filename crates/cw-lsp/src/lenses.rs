//! Lines above cards and scenarios that do something when they are clicked, and what they do.

use cw_check::KnownCard;
use cw_draft::CardFigures;
use cw_load::Language;
use cw_scenario::AnyScenarios;
use cw_syntax::{Arena, parse_rules};
use cw_text::{FileId, Span, count};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::rehearse::{RehearsedGame, ScenarioOutcome};
use crate::told::GamePlaces;

/// Runs the scenarios of a card, a scenario, or all scenarios of a game.
pub(crate) const RUN: &str = "cardwright.runScenarios";
/// Opens a table with a card in hand.
pub(crate) const PLAY: &str = "cardwright.playCard";
/// Says a card's figure in the balance report.
pub(crate) const BALANCE: &str = "cardwright.showBalance";

/// Cards of a set file that have lenses; a larger file has none, so that it opens quickly.
const MOST_CARDS: usize = 2000;

/// What a command is about.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AskedCommand {
    /// An open text of the game.
    pub(crate) uri: String,
    /// A card's id.
    pub(crate) card: Option<String>,
    /// A scenario of that text, by its place from 0.
    pub(crate) scenario: Option<usize>,
}

/// What lenses are made of.
pub(crate) struct LensParts<'p, 'a> {
    pub(crate) places: &'p GamePlaces<'a>,
    pub(crate) rehearsed: &'p RehearsedGame,
    pub(crate) figures: Option<&'p CardFigures>,
    pub(crate) opens_tables: bool,
}

impl LensParts<'_, '_> {
    /// The lenses of a text.
    pub(crate) fn all(&self, file: FileId) -> Option<Value> {
        let read = self.places.read;
        let source = read.sources.find(file)?;
        let uri = self.places.uri(file);
        let mut all = Vec::new();
        if Language::in_package(&source.name) == Some(Language::Rules) {
            let arena = Arena::new();
            for rule in parse_rules(&arena, file, &source.text).rules {
                if let Some(card) = read.project.cards().find(rule.card.text) {
                    self.of_card(&mut all, &uri, file, rule.header.span, card);
                }
            }
        }
        let sets = read.project.package.sets.iter().filter(|set| set.file == file);
        for set in sets.filter(|set| set.cards.len() <= MOST_CARDS) {
            for printed in &set.cards {
                if let Some(card) = read.project.cards().find(&printed.id.value.to_string()) {
                    self.of_card(&mut all, &uri, file, printed.place.0, card);
                }
            }
        }
        if read.holds_scenarios(file)
            && let Ok(scenarios) = cw_scenario::read_any(&source.text)
        {
            let spans: Vec<Span> = match &scenarios {
                AnyScenarios::Duels(file) => file.scenarios.iter().map(|one| one.span).collect(),
                AnyScenarios::Free(file) => file.scenarios.iter().map(|one| one.span).collect(),
            };
            for (index, span) in spans.into_iter().enumerate() {
                let title = match self.rehearsed.of_scenario(&source.name, &source.text, index) {
                    ScenarioOutcome::Unknown => "run this scenario".to_owned(),
                    ScenarioOutcome::Passed => "✓ passed".to_owned(),
                    ScenarioOutcome::Failed(why) => {
                        format!("✗ failed: {}", why.first().map_or("", String::as_str))
                    }
                };
                all.push(self.lens(file, span, &title, RUN, &json!({ "uri": uri, "scenario": index })));
            }
        }
        Some(Value::Array(all))
    }

    fn of_card(&self, all: &mut Vec<Value>, uri: &str, file: FileId, place: Span, card: &KnownCard) {
        let about = json!({ "uri": uri, "card": card.id });
        if self.places.read.project.has_rules() {
            let title = self.scenarios(&card.id);
            all.push(self.lens(file, place, &title, RUN, &about));
            if self.opens_tables {
                all.push(self.lens(file, place, "play with this card in hand", PLAY, &about));
            }
        }
        if let Some(place_in_report) = self.figures.and_then(|figures| self.rank(figures, &card.id)) {
            all.push(self.lens(file, place, &place_in_report.short(), BALANCE, &about));
        }
    }

    fn scenarios(&self, id: &str) -> String {
        if !self.rehearsed.has_run() {
            return "run its scenarios".to_owned();
        }
        let of_card = self.rehearsed.of_card(id);
        let failed = of_card.iter().filter(|one| !one.why.is_empty()).count();
        match (of_card.len(), failed) {
            (0, _) => "no scenarios".to_owned(),
            (all, 0) => format!("✓ {}", count(all, "scenario")),
            (all, failed) => format!("✗ {failed} of {} failed", count(all, "scenario")),
        }
    }

    fn lens(&self, file: FileId, place: Span, title: &str, command: &str, about: &Value) -> Value {
        let start = self.places.range(file, Span::at(place.start as usize)).start;
        json!({
            "range": { "start": start, "end": start },
            "command": { "title": title, "command": command, "arguments": [about] },
        })
    }

    /// Where a card stands in the balance report.
    pub(crate) fn rank(&self, figures: &CardFigures, id: &str) -> Option<FigurePlace> {
        let package = &self.places.read.project.package;
        let mut own = None;
        let mut values: Vec<f64> = Vec::new();
        for (reference, card) in package.cards() {
            if let Some(value) = figures.of(package, reference) {
                values.push(value);
                if card.id.value.to_string().eq_ignore_ascii_case(id) {
                    own = Some(value);
                }
            }
        }
        let score = own?;
        let better = values.iter().filter(|value| **value > score).count();
        Some(FigurePlace {
            place: better + 1,
            all: values.len(),
            score,
        })
    }
}

/// A card's place in the balance report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FigurePlace {
    place: usize,
    all: usize,
    score: f64,
}

impl FigurePlace {
    fn short(self) -> String {
        let FigurePlace { place, all, score } = self;
        format!("{place} of {all} in the balance report ({:.1} %)", score * 100.0)
    }

    /// The same as a sentence.
    pub(crate) fn sentence(self, name: &str) -> String {
        let FigurePlace { place, all, score } = self;
        let cards = count(all, "card");
        format!(
            "{name} is number {place} of {cards} in Rules/balance.json: \
             decks that had drawn it scored {:.1} % (drawn towards 50 % where there were few duels)",
            score * 100.0
        )
    }
}

/// What came of a card's scenarios as a sentence, and whether all is well.
pub(crate) fn told_of_card(rehearsed: &RehearsedGame, card: &KnownCard) -> (String, bool) {
    let of_card = rehearsed.of_card(&card.id);
    let failed: Vec<_> = of_card.iter().filter(|one| !one.why.is_empty()).collect();
    let name = &card.name;
    match (of_card.len(), failed.first()) {
        (0, _) => {
            let words = format!(
                "{name} is in no scenario; `cardwright scenario new \"{name}\"` writes one to fill in"
            );
            (words, false)
        }
        (all, None) => (format!("{name}: {} passed", count(all, "scenario")), true),
        (all, Some(first)) => {
            let why = first.why.first().map_or("", String::as_str);
            let many = count(all, "scenario");
            let words = format!(
                "{name}: {} of {many} failed. “{}”: {why}",
                failed.len(),
                first.name
            );
            (words, false)
        }
    }
}
