//! A game that was read from its files with the open texts over them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use cw_load::{Playable, Project, ProjectFindings, ReadOptions};
use cw_octgn::{Package, PackageFiles as _, PackageLimits};
use cw_scenario::AnyScenarios;
use cw_table::Kit;
use cw_text::{Diagnostic, FileId, SharedText, Sources};

use crate::folders::OpenFiles;

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
    /// The texts that hold scenarios.
    scenarios: Vec<FileId>,
    /// The names of its files.
    names: Vec<String>,
    game: OnceLock<Option<Playable>>,
    kit: OnceLock<Option<Arc<Kit>>>,
}

impl ReadGame {
    /// Reads a game. `guests` are scenarios that lie elsewhere and name this game, by their paths. Where the
    /// names are known whose texts may have changed since the game was read `before`, all others are shared
    /// with it.
    pub(crate) fn new(
        files: OpenFiles,
        guests: &[(String, SharedText)],
        before: Option<(&ReadGame, &BTreeSet<String>)>,
    ) -> Result<ReadGame, String> {
        let names = files.list().map_err(|why| why.to_string())?;
        let shared = before.filter(|(before, _)| before.names == names);
        let shared = shared.and_then(|(before, changed)| {
            let texts = texts_of(&files, changed)?;
            before.project.with_changed(Box::new(files.clone()), &texts)
        });
        let project = match shared {
            Some(project) => project,
            None => {
                let project = Project::read_with(Box::new(files), &ReadOptions::default(), &|_| {});
                project.map_err(|why| why.to_string())?
            }
        };
        let findings = project.findings();
        let mut read = ReadGame {
            found: findings.found.clone(),
            findings,
            scenarios: Vec::new(),
            sources: project.package.sources.clone(),
            project,
            game: OnceLock::new(),
            kit: OnceLock::new(),
            names: Vec::new(),
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
        read.names = names;
        Ok(read)
    }

    fn scenarios(&mut self, name: &str, text: &SharedText) {
        let file = self.sources.add(name, text.clone());
        self.scenarios.push(file);
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

    /// Whether a text holds scenarios.
    pub(crate) fn holds_scenarios(&self, file: FileId) -> bool {
        self.scenarios.contains(&file)
    }

    /// The texts that hold scenarios, by their names.
    pub(crate) fn scenario_texts(&self) -> impl Iterator<Item = (String, String)> {
        let all = self.scenarios.iter().filter_map(|file| self.sources.find(*file));
        all.map(|source| (source.name.clone(), source.text.to_string()))
    }

    /// The game, if it can be played.
    pub(crate) fn game(&self) -> Option<&Playable> {
        self.game.get_or_init(|| self.project.unnamed_game()).as_ref()
    }

    /// The wanted findings of the package. They offer only fixes that were tried and make it better: that
    /// takes long, so it is done for what somebody looks at.
    pub(crate) fn tried(&self, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<Diagnostic> {
        self.project.with_tried_fixes(&self.findings, is_wanted)
    }

    /// The package as a table has it, which scenarios of the free table are about.
    pub(crate) fn kit(&self) -> Option<Arc<Kit>> {
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

/// The texts of these files as a package reads them; nothing if one is not there, or is coded in a way of its
/// own.
fn texts_of(files: &OpenFiles, names: &BTreeSet<String>) -> Option<BTreeMap<String, SharedText>> {
    let limit = PackageLimits::default().file;
    let texts = names.iter().map(|name| {
        let text = String::from_utf8(files.read(name, limit).ok()?).ok()?;
        let is_plain = !text.starts_with('\u{feff}') && !text.contains('\0');
        is_plain.then(|| (name.clone(), SharedText::from(text)))
    });
    texts.collect()
}

fn may_hold_scenarios(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(".toml") && lower != "rules/game.toml" && lower != "rules/table.toml"
}
