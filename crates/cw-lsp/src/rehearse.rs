//! The scenarios of a game, run when somebody asks for it, and from then on with every save.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_duel::{Game, GameChange};
use cw_live::{FailedScenario, Rehearsal, RehearsedCard};
use cw_scenario::{AnyScenarios, RunOptions, ScenarioReport};
use cw_text::LineIndex;
use serde_json::{Value, json};

use crate::documents::uri_of;
use crate::places::LineTable;
use crate::told::GamePlaces;
use crate::world::ReadGame;

/// What came of a game's scenarios.
#[derive(Debug, Default)]
pub(crate) struct RehearsedGame {
    rehearsal: Rehearsal,
    /// The game that they ran with; nothing before the first run.
    game: Option<Arc<Game>>,
    /// The texts that ran, by their names.
    texts: BTreeMap<String, String>,
    /// Scenarios of the free table that somebody ran, by their files.
    free: BTreeMap<String, Vec<ScenarioReport>>,
    failed: Vec<FailedScenario>,
}

/// What came of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScenarioOutcome {
    Unknown,
    Passed,
    Failed(Vec<String>),
}

impl RehearsedGame {
    /// Whether they ran at least once.
    pub(crate) fn has_run(&self) -> bool {
        self.game.is_some()
    }

    /// Runs what a change since the last run can touch; all of them the first time. `outside` are scenarios
    /// that lie elsewhere, by their paths.
    ///
    /// # Errors
    /// Why none can be run, in words.
    pub(crate) fn run(&mut self, read: &ReadGame, outside: Vec<(String, String)>) -> Result<(), String> {
        let playable = read
            .game()
            .ok_or("the game cannot be played as it is now: fix its errors first")?;
        let game = &playable.game;
        let mut texts: BTreeMap<String, String> = outside.into_iter().collect();
        // What the editor has counts.
        texts.extend(read.scenario_texts());
        let change = self.game.as_ref().map(|old| GameChange::between(old, game));
        if texts != self.texts || change.as_ref().is_none_or(|change| !change.is_empty()) {
            self.failed = self.rehearsal.run(&texts, game, change.as_ref()).failed;
        }
        self.game = Some(Arc::clone(game));
        self.free
            .retain(|name, _| texts.get(name) == self.texts.get(name));
        self.texts = texts;
        Ok(())
    }

    /// Runs the scenarios of the free table in a file.
    ///
    /// # Errors
    /// Why none can be run, in words.
    pub(crate) fn run_free(&mut self, read: &ReadGame, name: &str, text: &str) -> Result<(), String> {
        let Ok(AnyScenarios::Free(file)) = cw_scenario::read_any(text) else {
            return Err("this file has no scenarios of the free table".to_owned());
        };
        let kit = read.kit().ok_or("the package cannot be read for a free table")?;
        let all = file.scenarios.iter();
        let all = all.map(|one| cw_scenario::run_free(one, &kit, RunOptions::default()));
        self.free.insert(name.to_owned(), all.collect());
        self.texts.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    /// The scenarios that a card is in.
    pub(crate) fn of_card(&self, id: &str) -> Vec<RehearsedCard> {
        self.rehearsal.of_card(id)
    }

    /// What came of a scenario of a file with this text.
    pub(crate) fn of_scenario(&self, name: &str, text: &str, index: usize) -> ScenarioOutcome {
        if self.texts.get(name).is_none_or(|ran| ran != text) {
            return ScenarioOutcome::Unknown;
        }
        let why = match self.free.get(name).and_then(|all| all.get(index)) {
            Some(report) => report.why(),
            None => match self.rehearsal.of_scenario(name, index) {
                None => return ScenarioOutcome::Unknown,
                Some(failed) => failed.map_or_else(Vec::new, |failed| failed.why.clone()),
            },
        };
        match why.is_empty() {
            true => ScenarioOutcome::Passed,
            false => ScenarioOutcome::Failed(why),
        }
    }

    /// How many there are, and how many of them failed.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.rehearsal.count(), self.failed.len())
    }

    /// Adds what failed to the notifications about findings, at its place. What ran in another text than the
    /// present one is left out.
    pub(crate) fn add_failed(&self, places: &GamePlaces<'_>, all: &mut BTreeMap<String, Value>) {
        let of_free = self.free.iter().flat_map(|(file, reports)| {
            let text = self.texts.get(file).map_or("", String::as_str);
            let failed = reports.iter().filter(|report| report.failure.is_some());
            failed.map(move |report| FailedScenario {
                file: file.clone(),
                line: LineIndex::new(text).line_column(text, report.span.start).line,
                place: report.place(),
                name: report.name.clone(),
                why: report.why(),
            })
        });
        for failed in self.failed.iter().cloned().chain(of_free) {
            let Some(ran) = self.texts.get(&failed.file) else {
                continue;
            };
            let (uri, range, version) = match places.read.file(&failed.file) {
                Some(file) => {
                    let source = places.read.sources.find(file);
                    if source.is_none_or(|source| *source.text != **ran) {
                        continue;
                    }
                    let version = places.version(file);
                    (places.uri(file), places.range(file, failed.place), version)
                }
                None => {
                    let lines = LineTable::new(ran);
                    let range = lines.range(ran, failed.place, places.encoding);
                    (uri_of(&failed.file), range, None)
                }
            };
            let message = format!("scenario “{}” failed: {}", failed.name, failed.why.join("\n"));
            let told =
                json!({ "range": range, "severity": 1, "source": "cardwright test", "message": message });
            let params = all.entry(uri.clone()).or_insert_with(|| {
                let mut params = json!({ "uri": uri, "diagnostics": [] });
                if let Some(version) = version {
                    params["version"] = json!(version);
                }
                params
            });
            // A file that cannot be read has a finding of its own.
            let Some(Value::Array(list)) = params.get_mut("diagnostics") else {
                continue;
            };
            let is_said = list
                .iter()
                .any(|one| one["range"] == told["range"] && one["severity"] == 1);
            if !is_said {
                list.push(told);
            }
        }
    }
}
