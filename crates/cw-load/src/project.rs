use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock};

use cw_check::{KnownCards, MeantRules};
use cw_duel::Game;
use cw_octgn::{
    Archive, CardQuery, CardRef, ContentHash, Deck, FilesError, Package, PackageFiles, PackageLimits,
    QueryError,
};
use cw_program::ModelId;
use cw_text::{Diagnostic, FileId, Severity, SharedText, Sources};

use crate::cards::{bare_game, models_of, names};
use crate::check::FoundBeside;
use crate::config::{Config, GT001};
use crate::decks::DeckRules;
use crate::rules::{self, JudgedRules, Language, RuleSource, RuleText, RulesBefore};
use crate::run::{RUN_TOML, RunConfig};

/// The one meaning of a folder of card data: its texts, its package, the settings in `Rules/game.toml`, the
/// texts with rules, and what each card is. Checking, playing, decks, faces and tests all read it.
///
/// ```
/// use cw_load::Project;
///
/// let project = Project::read(cw_octgn::MemoryFiles::new())?;
/// assert!(project.has_rules() == false && project.game()?.is_none());
/// let found = project.check().found;
/// assert_eq!(found[0].message, "the package has no `definition.xml`");
/// # Ok::<(), cw_octgn::FilesError>(())
/// ```
#[derive(Debug)]
pub struct Project {
    /// Where everything comes from.
    pub files: Arc<dyn PackageFiles + Send>,
    /// The package, with the store of all texts.
    pub package: Package,
    /// The settings in force; names of properties are spelled as in the definition.
    pub config: Config,
    /// What the package says of its run: `Rules/run.toml`.
    pub run: RunConfig,
    /// Every text that holds rules, in order of force.
    pub rules: Vec<RuleSource>,
    /// How much was read at most.
    pub(crate) limits: PackageLimits,
    /// What the files of the package's texts are called in it, in the order of the texts.
    pub(crate) names: Vec<String>,
    /// Whether it came in an archive.
    pub(crate) is_packed: bool,
    /// The models, once somebody asked for them; projects that differ in rules only share them.
    models: Arc<OnceLock<Models>>,
    /// What was found beside the rules, once somebody asked; projects that differ in rules only share it.
    pub(crate) beside: Arc<FoundBeside>,
    /// What wrong rules were found to mean.
    pub(crate) meant: Arc<Mutex<MeantRules>>,
    /// The rules of the project that this one differs from in rules only.
    pub(crate) before: Option<RulesBefore>,
    /// What was found in `game.toml` and while reading texts with rules.
    pub(crate) found: Vec<Diagnostic>,
    /// The rules, once somebody asked for them.
    pub(crate) judged: OnceLock<JudgedRules>,
}

/// The cards of a package as the engine has them.
#[derive(Debug)]
struct Models {
    /// All models, without their rules; decks are judged by it.
    bare: Game,
    /// Which card of the package each model is.
    refs: Vec<CardRef>,
    /// Which model each card is.
    numbers: BTreeMap<CardRef, ModelId>,
    /// As rules name them.
    cards: KnownCards,
}

/// How a package is read.
#[derive(Clone, Debug)]
pub struct ReadOptions<'a> {
    /// How much at most.
    pub limits: PackageLimits,
    /// An empty store for its texts; one that is [behind](Sources::behind) another can be joined to it.
    pub sources: Sources,
    /// How to call a file of the package; people read that.
    pub called: fn(&'a str, &str) -> String,
    /// What `called` gets first: the place of the package.
    pub at: &'a str,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            limits: PackageLimits::default(),
            sources: Sources::new(),
            called: |_, name| name.to_owned(),
            at: "",
        }
    }
}

/// The place of the settings (D60).
pub(crate) const GAME_TOML: &str = "Rules/game.toml";

impl Project {
    /// Reads a package with everything that makes it a game.
    ///
    /// # Errors
    /// Only when the files cannot be had; what is wrong in them [`Project::check`] finds.
    pub fn read(files: impl PackageFiles + Send + 'static) -> Result<Project, FilesError> {
        Project::read_with(Box::new(files), &ReadOptions::default(), &|_| {})
    }

    /// As [`Project::read`]; calls `progress` with the number of bytes of each file done.
    ///
    /// # Errors
    /// As [`Project::read`].
    pub fn read_with(
        files: Box<dyn PackageFiles + Send>,
        reading: &ReadOptions<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Project, FilesError> {
        let package = Package::read_with(&*files, &reading.limits, reading.sources.clone(), progress)?;
        Project::of(files, package, reading)
    }

    /// As [`Project::read_with`], for a package in an archive; what is dangerous in it is left out and found.
    ///
    /// # Errors
    /// As [`Project::read`].
    pub fn read_archive(
        archive: Archive,
        reading: &ReadOptions<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Project, FilesError> {
        let archive = archive.package();
        let mut package = Package::read_with(&archive, &reading.limits, reading.sources.clone(), progress)?;
        archive.report("", &mut package);
        let mut project = Project::of(Box::new(archive), package, reading)?;
        project.is_packed = true;
        Ok(project)
    }

    pub(crate) fn of(
        files: Box<dyn PackageFiles + Send>,
        mut package: Package,
        reading: &ReadOptions<'_>,
    ) -> Result<Project, FilesError> {
        let mut found = Vec::new();
        let config = config(&*files, &mut package, &reading.limits, &mut found)?;
        let run = run_config(&*files, &mut package, &reading.limits, &mut found)?;
        let rules = rules::read(
            &*files,
            &package.files,
            &reading.limits,
            &mut package.sources,
            &mut found,
        )?;
        let texts = package.sources.iter();
        let called = texts.map(|(_, source)| source.name.clone()).collect();
        package.sources.rename(|name| (reading.called)(reading.at, name));
        Ok(Project {
            limits: reading.limits.clone(),
            names: called,
            is_packed: false,
            files: files.into(),
            package,
            config,
            run,
            rules,
            models: Arc::default(),
            beside: Arc::default(),
            meant: Arc::default(),
            before: None,
            found,
            judged: OnceLock::new(),
        })
    }

    /// The project with other texts in some of its files, by their names; `files` have them, too. Sets and
    /// decks that did not change are shared, so this costs what the change costs. Nothing if all has to be
    /// read again: the definition changed, or a text that is not known.
    pub fn with_changed(
        &self,
        files: Box<dyn PackageFiles + Send>,
        changed: &BTreeMap<String, SharedText>,
    ) -> Option<Project> {
        if self.is_packed {
            return None;
        }
        if let Some(rules) = self.changed_rules(changed) {
            return self.with_rules(files, rules);
        }
        let mut texts = BTreeMap::new();
        let named = self.package.sources.iter().zip(&self.names);
        for ((file, _), name) in named.filter(|((file, _), _)| self.package.is_own(*file)) {
            if let Some(text) = changed.get(name) {
                texts.insert(file, (name.as_str(), &**text));
            }
        }
        let is_known = |name: &&String| texts.values().any(|(known, _)| *known == name.as_str());
        let mut others = changed.keys().filter(|name| !is_known(name));
        let is_read = |name: &String| {
            let lower = name.to_ascii_lowercase();
            [".xml", ".o8d", ".py"].iter().any(|end| lower.ends_with(end))
        };
        if others.any(is_read) {
            return None;
        }
        let package = self.package.with_texts(&texts)?;
        let reading = ReadOptions {
            limits: self.limits.clone(),
            ..ReadOptions::default()
        };
        Project::of(files, package, &reading).ok()
    }

    /// The places in [`Project::rules`] of these files with their texts; nothing if there are others among
    /// them.
    pub(crate) fn changed_rules<T: Deref<Target = str>>(
        &self,
        changed: &BTreeMap<String, T>,
    ) -> Option<Vec<(usize, SharedText)>> {
        let mut places = BTreeMap::new();
        for (at, rules) in self.rules.iter().enumerate() {
            places.insert(self.name_of(rules.file)?, at);
        }
        let texts = changed.iter().map(|(name, text)| {
            let at = *places.get(name.as_str())?;
            let (rules, text) = (&self.rules[at], &**text);
            let is_plain = rules.language == Language::Rules && rules.odd.is_none();
            let fits = text.len() as u64 <= self.limits.file;
            (is_plain && fits && !self.package.is_own(rules.file)).then(|| (at, SharedText::from(text)))
        });
        texts.collect()
    }

    /// What the file of a text of the package is called in it.
    fn name_of(&self, file: FileId) -> Option<&str> {
        let (first, _) = self.package.sources.iter().next()?;
        let at = file.0.checked_sub(first.0)?;
        self.names.get(at as usize).map(String::as_str)
    }

    /// The project with other texts in some of its files with rules, which `files` have, too. What does not
    /// depend on rules is shared, and what was found in rules that did not change is kept. Nothing if a limit
    /// is in the way.
    pub(crate) fn with_rules(
        &self,
        files: Box<dyn PackageFiles + Send>,
        changed: Vec<(usize, SharedText)>,
    ) -> Option<Project> {
        let mut package = self.package.with_texts(&BTreeMap::new())?;
        let texts = changed
            .iter()
            .map(|(at, text)| (self.rules[*at].file, text.clone()));
        package.sources = self.package.sources.with_texts(self.package.sources.len(), texts);
        // Comments of XML in a text count wherever they stand.
        let is_silencing = |text: &str| text.contains(crate::check::SILENCE);
        let is_beside = changed
            .iter()
            .all(|(at, text)| !is_silencing(text) && !is_silencing(&self.rules[*at].text));
        let mut rules = self.rules.clone();
        for (at, text) in changed {
            rules[at].text = text;
        }
        Some(Project {
            files: files.into(),
            package,
            config: self.config.clone(),
            run: self.run.clone(),
            limits: self.limits.clone(),
            names: self.names.clone(),
            is_packed: self.is_packed,
            models: Arc::clone(&self.models),
            beside: match is_beside {
                true => Arc::clone(&self.beside),
                false => Arc::default(),
            },
            meant: Arc::clone(&self.meant),
            before: self.judged.get().map(|judged| RulesBefore {
                rules: self.rules.clone(),
                checked: judged
                    .checked
                    .iter()
                    .map(|(_, checked)| Arc::clone(checked))
                    .collect(),
            }),
            found: self.found.clone(),
            judged: OnceLock::new(),
            rules,
        })
    }

    /// Made when the first asks: of a package without rules nobody may ever want them.
    fn models(&self) -> &Models {
        self.models.get_or_init(|| {
            let (mut bare, refs) = bare_game(self.name(), &self.package, &self.config);
            let numbers = models_of(&refs);
            if let Some(rules) = self.deck_rules() {
                bare.deck = rules.of_game(&numbers);
            }
            Models {
                cards: names(&bare),
                numbers,
                refs,
                bare,
            }
        })
    }

    /// All models, without their rules; decks are judged by it.
    pub(crate) fn bare(&self) -> &Game {
        &self.models().bare
    }

    /// The cards as rules name them.
    pub fn cards(&self) -> &KnownCards {
        &self.models().cards
    }

    /// Which card of the package each model is.
    pub fn refs(&self) -> &[CardRef] {
        &self.models().refs
    }

    /// Whether somebody wrote rules for the cards; without any the program cannot be the referee.
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Understands a search for cards, with the short names that the game gives its properties.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn query(&self, text: &str) -> Result<CardQuery, QueryError> {
        CardQuery::parse_with(text, &self.package.definition, &self.config.search.aliases)
    }

    /// What a deck has to be; `None` if only people know that (D72).
    pub fn deck_rules(&self) -> Option<DeckRules> {
        let is_known = self.has_rules() || self.config.deck.is_some();
        is_known.then(|| DeckRules::of(self))
    }

    /// Which model each card of the package is.
    pub fn numbers(&self) -> &BTreeMap<CardRef, ModelId> {
        &self.models().numbers
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        match &self.config.name {
            Some(name) => name,
            None => &self.package.definition.name,
        }
    }

    /// What is wrong in `Rules/run.toml`: with it nobody knows what run was meant.
    pub fn run_mistakes(&self) -> Vec<&Diagnostic> {
        let codes = [crate::run::GT003, crate::run::GT004];
        self.found
            .iter()
            .filter(|one| codes.contains(&one.code))
            .collect()
    }

    /// Whether a finding keeps the game from being played at all: nobody knows what was meant. Such an error
    /// cannot be allowed.
    pub(crate) fn is_obstacle(&self, found: &Diagnostic) -> bool {
        let code = found.code;
        let unreadable = code.0.starts_with("PK") && code.0 < "PK007";
        let no_definition = code.0 == "PK133" && !self.package.has_definition;
        // A broken deck or template keeps nobody from playing.
        let matters = || {
            let name = self
                .package
                .sources
                .find(found.file)
                .map(|source| source.name.to_ascii_lowercase());
            let ends = ["definition.xml", "set.xml", ".rules", ".py"];
            name.is_some_and(|name| ends.iter().any(|end| name.ends_with(end)))
        };
        found.severity == Severity::Error
            && (code == GT001
                || code == crate::check::CW001
                || code == crate::check::CW007
                || (unreadable || no_definition) && matters())
    }

    /// The game, with the rules in which [`Project::check`] finds no error; nothing if it cannot be played at
    /// all, see [`Project::obstacles`].
    ///
    /// # Errors
    /// When the files cannot be had any more.
    pub fn game(&self) -> Result<Option<Playable>, FilesError> {
        let Some(mut playable) = self.unnamed_game() else {
            return Ok(None);
        };
        let hash = ContentHash::of(&*self.files, &self.limits)?;
        let fingerprint = format!("{} {hash}", self.package.definition.id.value);
        Arc::make_mut(&mut playable.game).fingerprint = fingerprint;
        Ok(Some(playable))
    }

    /// As [`Project::game`], without the fingerprint that records need: no file is read for it. Enough for
    /// checks while somebody types.
    pub fn unnamed_game(&self) -> Option<Playable> {
        if !self.obstacles().is_empty() || self.bare().models.is_empty() {
            return None;
        }
        let mut game = self.bare().clone();
        let rules = self.judged().script(&mut game, self.cards());
        Some(Playable {
            game: Arc::new(game),
            rules,
        })
    }

    /// The cards of a deck as models, shared sections left out; lines whose card the package does not have
    /// are left out, too.
    pub fn deck_cards(&self, deck: &Deck) -> Vec<ModelId> {
        let resolved = self.package.resolve(deck);
        let sections = resolved.sections.iter().filter(|section| !section.shared);
        let mut cards = Vec::new();
        for line in sections.flat_map(|section| &section.lines) {
            // A deck of more cards than a duel can hold is refused later, by its size.
            let copies = line.quantity.min(1000) as usize;
            let model = self.numbers().get(&line.card);
            cards.extend(
                model
                    .into_iter()
                    .flat_map(|model| std::iter::repeat_n(*model, copies)),
            );
        }
        cards
    }
}

/// A game that can be played.
#[derive(Clone, Debug)]
pub struct Playable {
    /// The game.
    pub game: Arc<Game>,
    /// Where the rule of each model is written.
    pub rules: BTreeMap<ModelId, RuleText>,
}

fn config(
    files: &dyn PackageFiles,
    package: &mut Package,
    limits: &PackageLimits,
    found: &mut Vec<Diagnostic>,
) -> Result<Config, FilesError> {
    if !package.files.iter().any(|name| name == GAME_TOML) {
        let mut config = Config::default();
        config.spell(package);
        return Ok(config);
    }
    let bytes = files.read(GAME_TOML, limits.file)?;
    let text = String::from_utf8_lossy(&bytes);
    let file = package.sources.add(GAME_TOML, &*text);
    let mut config = Config::read(&text, file, found);
    crate::check::unknown_names(&config, package, file, found);
    config.spell(package);
    Ok(config)
}

fn run_config(
    files: &dyn PackageFiles,
    package: &mut Package,
    limits: &PackageLimits,
    found: &mut Vec<Diagnostic>,
) -> Result<RunConfig, FilesError> {
    if !package.files.iter().any(|name| name == RUN_TOML) {
        return Ok(RunConfig::default());
    }
    let bytes = files.read(RUN_TOML, limits.file)?;
    let text = String::from_utf8_lossy(&bytes);
    let file = package.sources.add(RUN_TOML, &*text);
    let run = RunConfig::read(&text, file, found);
    run.unknown_names(package, file, found);
    Ok(run)
}

impl Config {
    /// D71: names of properties are written in any case; from here on they are spelled as in the definition.
    fn spell(&mut self, package: &Package) {
        let known = &package.definition.properties;
        for name in self.properties.all_mut() {
            if let Some(known) = known.iter().find(|known| known.name.eq_ignore_ascii_case(name)) {
                *name = known.name.to_string();
            }
        }
    }
}

/// A project with its game and decks, ready to be played.
#[derive(Debug)]
pub struct Loaded {
    /// The project.
    pub project: Project,
    /// The game; none if it cannot be played at all.
    pub game: Option<Arc<Game>>,
    /// The decks of the package.
    pub decks: Vec<LoadedDeck>,
    /// Where the rule of each model is written.
    pub rules: BTreeMap<ModelId, RuleText>,
}

/// A deck with its cards as models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedDeck {
    /// Its name: the file's without folder and extension.
    pub name: String,
    /// Its cards, in the deck's order.
    pub cards: Vec<ModelId>,
}

/// Reads a package and makes a game of it.
///
/// # Errors
/// Only when the files cannot be had.
pub fn load(files: impl PackageFiles + Send + 'static) -> Result<Loaded, FilesError> {
    Loaded::of(Project::read(files)?)
}

impl Loaded {
    /// Makes the game of a project.
    ///
    /// # Errors
    /// When the files cannot be had any more.
    pub fn of(project: Project) -> Result<Loaded, FilesError> {
        let (game, rules) = match project.game()? {
            Some(playable) => (Some(playable.game), playable.rules),
            None => (None, BTreeMap::new()),
        };
        let decks = project.package.decks.iter().map(|deck| LoadedDeck {
            name: deck.name.to_string(),
            cards: project.deck_cards(deck),
        });
        Ok(Loaded {
            decks: decks.collect(),
            game,
            rules,
            project,
        })
    }
}
