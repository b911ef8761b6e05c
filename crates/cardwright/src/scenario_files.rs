//! Scenario files as `check` reads them: those of a package, and those that are named by themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use cw_duel::Game;
use cw_load::Project;
use cw_scenario::{AnyScenarios, FreeScenario, Scenario, ScenarioFault};
use cw_table::Kit;
use cw_text::{Diagnostic, FileId, SharedText, Sources, Span};

use crate::game;
use crate::input::{holds_scenarios, join, may_hold_scenarios, shown};
use crate::limits::limits;

/// Scenarios that were read, with what is wrong in them so far.
#[derive(Default)]
pub(crate) struct ReadScenarios {
    duels: Vec<(FileId, Scenario)>,
    free: Vec<(FileId, FreeScenario)>,
    pub(crate) found: Vec<Diagnostic>,
    /// How many files they stand in.
    pub(crate) files: usize,
}

impl ReadScenarios {
    /// The scenario files that lie in a package.
    pub(crate) fn of_package(
        project: &Project,
        root: &Path,
        sources: &mut Sources,
    ) -> anyhow::Result<ReadScenarios> {
        let mut read = ReadScenarios::default();
        let names = project.files.list()?;
        for name in names.iter().filter(|name| may_hold_scenarios(name)) {
            // Other files have that ending, too; what cannot be read is found with the package.
            let bytes = project.files.read(name, limits().file).ok();
            if let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok())
                && holds_scenarios(&text)
            {
                let file = sources.add(join(root, name), SharedText::from(text.as_str()));
                read.add(file, &text);
            }
        }
        read.check_duels(|| Ok(project.game()?.map(|playable| playable.game)))?;
        Ok(read)
    }

    fn add(&mut self, file: FileId, text: &str) -> Option<(String, Span)> {
        self.files += 1;
        match cw_scenario::read_any(text) {
            Err(fault) => {
                self.found.push(fault.diagnostic(file));
                None
            }
            Ok(AnyScenarios::Duels(read)) => {
                self.duels
                    .extend(read.scenarios.into_iter().map(|one| (file, one)));
                read.game
            }
            Ok(AnyScenarios::Free(read)) => {
                self.free
                    .extend(read.scenarios.into_iter().map(|one| (file, one)));
                Some(read.package)
            }
        }
    }

    /// Whether a package's kit is needed.
    pub(crate) fn are_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// Checks those of duels in a game, if it can be played.
    fn check_duels(
        &mut self,
        game: impl FnOnce() -> anyhow::Result<Option<Arc<Game>>>,
    ) -> anyhow::Result<()> {
        if !self.duels.is_empty()
            && let Some(game) = game()?
        {
            let faults = self.duels.iter();
            let faults = faults.filter_map(|(file, one)| Some((file, cw_scenario::check(one, &game).err()?)));
            self.found
                .extend(faults.map(|(file, fault)| fault.diagnostic(*file)));
        }
        Ok(())
    }

    /// Checks those of the free table against their package.
    pub(crate) fn check_free(&mut self, kit: &Arc<Kit>) {
        for (file, scenario) in &self.free {
            let faults = cw_scenario::check_free(scenario, kit).into_iter();
            self.found.extend(faults.map(|fault| fault.diagnostic(*file)));
        }
    }
}

/// Games that named files are about, each opened once, or why it cannot be.
#[derive(Default)]
pub(crate) struct NamedGames {
    duels: BTreeMap<Option<PathBuf>, Result<Option<Arc<Game>>, String>>,
    kits: BTreeMap<PathBuf, Result<Arc<Kit>, String>>,
}

impl NamedGames {
    /// Checks a file that lies in no package, by the game that it names.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn check(&mut self, path: &Path, sources: &mut Sources) -> anyhow::Result<Vec<Diagnostic>> {
        let text = cw_files::read_text(path, cw_files::SCENARIO)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let file = sources.add(shown(path), SharedText::from(text.as_str()));
        let mut read = ReadScenarios::default();
        let named = read.add(file, &text);
        let span = named.as_ref().map_or(Span::at(0), |(_, span)| *span);
        let beside = path.parent().unwrap_or(Path::new(""));
        let folder = named.map(|(name, _)| beside.join(name));
        let unopened = match (&folder, read.are_free()) {
            (Some(folder), true) => match self.kit(folder) {
                Ok(kit) => {
                    read.check_free(&kit);
                    None
                }
                Err(why) => Some(why),
            },
            _ if read.duels.is_empty() => None,
            _ => match self.game(folder) {
                Ok(game) => {
                    read.check_duels(|| Ok(game))?;
                    None
                }
                Err(why) => Some(why),
            },
        };
        if let Some(why) = unopened {
            let fault = ScenarioFault::unopened(span, &why);
            read.found.push(fault.diagnostic(file));
        }
        Ok(read.found)
    }

    fn kit(&mut self, folder: &Path) -> Result<Arc<Kit>, String> {
        let open = || {
            let project = game::project(Some(folder)).map_err(|why| format!("{why:#}"))?;
            let Project { files, package, .. } = project;
            Ok(Arc::new(Kit::to_check(&*files, package, &limits())))
        };
        self.kits.entry(folder.to_owned()).or_insert_with(open).clone()
    }

    fn game(&mut self, folder: Option<PathBuf>) -> Result<Option<Arc<Game>>, String> {
        let open = || {
            let project = game::project(folder.as_deref()).map_err(|why| format!("{why:#}"))?;
            let playable = project.game().map_err(|why| why.to_string())?;
            Ok(playable.map(|playable| playable.game))
        };
        self.duels.entry(folder.clone()).or_insert_with(open).clone()
    }
}
