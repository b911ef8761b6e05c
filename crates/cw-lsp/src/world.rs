//! A game as its files and the open texts make it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use cw_load::{Playable, Project, ProjectFindings, ReadOptions};
use cw_octgn::{Package, PackageFiles as _, PackageLimits};
use cw_scenario::AnyScenarios;
use cw_table::Kit;
use cw_text::{Diagnostic, FileId, SharedText, Sources};
use serde_json::Value;

use crate::folders::{KeptFiles, OpenFiles};

/// A game that was read, with all that is wrong in it.
#[derive(Debug)]
pub(crate) struct ReadGame {
    pub(crate) project: Project,
    /// The texts of the package, and those of scenarios.
    pub(crate) sources: Sources,
    /// In order of place; nobody has tried their fixes ([`ReadGame::tried`]).
    pub(crate) found: Vec<Diagnostic>,
    /// Those of the package alone.
    findings: ProjectFindings,
    game: OnceLock<Option<Playable>>,
    kit: OnceLock<Option<Arc<Kit>>>,
}

impl ReadGame {
    /// Reads a game. `guests` are scenarios that lie elsewhere and name this game, by their paths.
    pub(crate) fn new(files: OpenFiles, guests: &[(String, SharedText)]) -> Result<ReadGame, String> {
        let names = files.list().map_err(|why| why.to_string())?;
        let project = Project::read_with(Box::new(files), &ReadOptions::default(), &|_| {});
        let project = project.map_err(|why| why.to_string())?;
        let findings = project.findings();
        let mut read = ReadGame {
            found: findings.found.clone(),
            findings,
            sources: project.package.sources.clone(),
            project,
            game: OnceLock::new(),
            kit: OnceLock::new(),
        };
        for name in names.iter().filter(|name| may_hold_scenarios(name)) {
            let limit = PackageLimits::default().file;
            let Ok(bytes) = read.project.files.read(name, limit) else {
                continue;
            };
            // Other files have that ending, too.
            if let Ok(text) = String::from_utf8(bytes)
                && text.contains("[[scenario]]")
            {
                read.scenarios(name, &SharedText::from(text));
            }
        }
        for (path, text) in guests {
            read.scenarios(path, text);
        }
        read.found.sort_by_key(|one| (one.file, one.span));
        Ok(read)
    }

    fn scenarios(&mut self, name: &str, text: &SharedText) {
        let file = self.sources.add(name, text.clone());
        match cw_scenario::read_any(text) {
            Err(fault) => self.found.push(fault.diagnostic(file)),
            Ok(AnyScenarios::Free(scenarios)) => {
                let Some(kit) = self.kit() else { return };
                let faults = scenarios.scenarios.iter();
                let faults = faults.flat_map(|one| cw_scenario::check_free(one, &kit));
                self.found.extend(faults.map(|fault| fault.diagnostic(file)));
            }
            Ok(AnyScenarios::Duels(scenarios)) => {
                let Some(playable) = self.game() else { return };
                let game = playable.game.clone();
                let faults = scenarios.scenarios.iter();
                let faults = faults.filter_map(|one| cw_scenario::check(one, &game).err());
                self.found.extend(faults.map(|fault| fault.diagnostic(file)));
            }
        }
    }

    /// The game, if it can be played.
    pub(crate) fn game(&self) -> Option<&Playable> {
        self.game.get_or_init(|| self.project.unnamed_game()).as_ref()
    }

    /// The wanted findings of the package. They offer only fixes that were tried and make it better: that takes long, so
    /// it is done for what somebody looks at.
    pub(crate) fn tried(&self, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
        self.project.with_tried_fixes(&self.findings, is_wanted)
    }

    /// The package as a table has it, which scenarios of the free table are about.
    fn kit(&self) -> Option<Arc<Kit>> {
        let read = || {
            let (files, package) = (&*self.project.files, &self.project.package);
            // All of it is shared, where that can be.
            let package = package.with_texts(&BTreeMap::new());
            let package = package.or_else(|| Package::read(files).ok())?;
            Some(Arc::new(Kit::to_check(files, package, &PackageLimits::default())))
        };
        self.kit.get_or_init(read).clone()
    }

    /// The text with this name.
    pub(crate) fn file(&self, name: &str) -> Option<FileId> {
        let mut all = self.sources.iter();
        all.find(|(_, source)| source.name == name).map(|(file, _)| file)
    }
}

fn may_hold_scenarios(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(".toml") && lower != "rules/game.toml" && lower != "rules/table.toml"
}

/// A game with what the client was told of it.
pub(crate) struct GameWorld {
    pub(crate) files: Arc<KeptFiles>,
    /// The game as it is now, once somebody asked.
    read: Option<Result<Arc<ReadGame>, String>>,
    /// Whether the client was not yet told of the last change.
    pub(crate) is_untold: bool,
    /// The notifications that it got last, by the names of texts.
    pub(crate) told: BTreeMap<String, Value>,
    /// Why it cannot be read, if that was said.
    pub(crate) trouble: Option<String>,
}

impl GameWorld {
    pub(crate) fn new(files: KeptFiles) -> GameWorld {
        GameWorld {
            files: Arc::new(files),
            read: None,
            is_untold: true,
            told: BTreeMap::new(),
            trouble: None,
        }
    }

    /// Something of it changed.
    pub(crate) fn change(&mut self) {
        self.read = None;
        self.is_untold = true;
    }

    /// The game with these texts over its files.
    pub(crate) fn read(
        &mut self,
        texts: impl FnOnce() -> (BTreeMap<String, SharedText>, Vec<(String, SharedText)>),
    ) -> Result<Arc<ReadGame>, String> {
        let files = &self.files;
        let read = self.read.get_or_insert_with(|| {
            let (open, guests) = texts();
            let over = OpenFiles {
                below: files.clone(),
                open,
            };
            ReadGame::new(over, &guests).map(Arc::new)
        });
        read.clone()
    }
}
