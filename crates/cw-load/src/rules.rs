//! Rules of cards: from `Rules/*.rules`, and from `RulesDict` in Python scripts (D60).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_check::{CheckedFile, SeveritySettings, check_again, check_file, check_part};
use cw_duel::Game;
use cw_octgn::{FilesError, PackageFiles, PackageLimits, codes};
use cw_program::ModelId;
use cw_syntax::{Arena, parse_python, parts, rs};
use cw_text::{Diagnostic, FileId, Severity, SharedText, Sources, Span};
use rayon::prelude::*;

use cw_check::KnownCards;

/// A text that holds rules of cards.
#[derive(Clone, Debug)]
pub struct RuleSource {
    /// Which text it is.
    pub file: FileId,
    /// The whole text.
    pub text: SharedText,
    /// How rules stand in it.
    pub language: Language,
    /// The first bytes that are no text, if there are some; that is said already (RS070).
    pub(crate) odd: Option<Span>,
}

/// How rules stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Under lines with the card's id.
    Rules,
    /// In Python scripts, as entries of `RulesDict`.
    Python,
}

impl Language {
    /// How rules stand in a file of a package, if it may hold some.
    pub fn in_package(name: &str) -> Option<Language> {
        if name.starts_with("Rules/") && name.ends_with(".rules") {
            Some(Language::Rules)
        } else if name.starts_with("Scripts/") && name.ends_with(".py") {
            Some(Language::Python)
        } else {
            None
        }
    }

    /// How rules stand in any file.
    pub fn of_file(name: &str) -> Language {
        match name.ends_with(".py") {
            true => Language::Python,
            false => Language::Rules,
        }
    }
}

/// Where the rule of a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// The file.
    pub file: FileId,
    /// The header and the lines of the rule.
    pub header: Span,
    /// The lines of the rule.
    pub body: Span,
}

/// Reads every text of a package that holds rules, in order of force: `.rules` files count before
/// scripts (D60).
pub(crate) fn read(
    files: &dyn PackageFiles,
    names: &[String],
    limits: &PackageLimits,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<RuleSource>, FilesError> {
    let mut wanted: Vec<(Language, &String)> = names
        .iter()
        .filter_map(|name| Some((Language::in_package(name)?, name)))
        .collect();
    wanted.sort();
    let mut rules = Vec::new();
    for (language, name) in wanted {
        // A script that the definition names was read with the package.
        let known = sources.iter().find(|(_, source)| source.name == *name);
        if let Some((file, source)) = known {
            let text = source.text.clone();
            if text.contains("RulesDict") {
                rules.push(RuleSource {
                    file,
                    text,
                    language,
                    odd: None,
                });
            }
            continue;
        }
        let bytes = match files.read(name, limits.file) {
            Ok(bytes) => bytes,
            Err(FilesError::TooLarge { limit, .. }) => {
                let file = sources.add(name.as_str(), "");
                let message = format!("file larger than {limit} bytes");
                found.push(Diagnostic::new(
                    codes::PK005,
                    Severity::Error,
                    file,
                    Span::at(0),
                    message,
                ));
                continue;
            }
            Err(error) => return Err(error),
        };
        // Most scripts have nothing to do with rules.
        if language == Language::Python && memchr::memmem::find(&bytes, b"RulesDict").is_none() {
            continue;
        }
        rules.push(RuleSource::new(bytes, name, language, sources, found));
    }
    Ok(rules)
}

impl RuleSource {
    /// Takes bytes as text, which joins `sources` under this name. Those that are no UTF-8 are a finding
    /// (RS070), and the rest is read.
    pub fn new(
        bytes: Vec<u8>,
        name: &str,
        language: Language,
        sources: &mut Sources,
        found: &mut Vec<Diagnostic>,
    ) -> RuleSource {
        let (text, odd) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let odd = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(odd))
            }
        };
        let text = SharedText::from(text);
        let file = sources.add(name, text.clone());
        if let Some(odd) = odd {
            let finding = rs::RS070.at(file, odd, "these bytes are not UTF-8");
            found.push(finding.help("save the file as UTF-8"));
        }
        RuleSource {
            file,
            text,
            language,
            odd,
        }
    }

    /// Finds all that is wrong with the rules, on all cores.
    pub fn check(&self, cards: &KnownCards, settings: &SeveritySettings) -> CheckedFile {
        let (file, text) = (self.file, &*self.text);
        let mut checked = match self.language {
            Language::Python => {
                let arena = Arena::new();
                check_file(file, text, parse_python(&arena, file, text), cards, settings)
            }
            Language::Rules => {
                let all: Vec<Span> = parts(text).collect();
                let mut whole = CheckedFile::default();
                for some in all.chunks(PARTS_AT_ONCE) {
                    let checked: Vec<CheckedFile> = some
                        .par_iter()
                        .map(|part| check_part(file, text, *part, cards, settings))
                        .collect();
                    checked.into_iter().for_each(|part| whole.append(part));
                    if whole.is_full() {
                        break;
                    }
                }
                whole
            }
        };
        if let Some(odd) = self.odd {
            checked.diagnostics.retain(|found| !found.span.touches(odd));
        }
        checked
    }
}

/// How many parts of a file are checked before looking whether there is enough to tell.
const PARTS_AT_ONCE: usize = 128;

/// The texts with rules of a project that differs in them only, with what was found there.
#[derive(Debug)]
pub(crate) struct RulesBefore {
    pub(crate) rules: Vec<RuleSource>,
    pub(crate) checked: Vec<Arc<CheckedFile>>,
}

impl RulesBefore {
    /// What is found in the text at this place, from what was; nothing if all of it has to be checked.
    pub(crate) fn check(
        &self,
        at: usize,
        source: &RuleSource,
        cards: &KnownCards,
        settings: &SeveritySettings,
    ) -> Option<Arc<CheckedFile>> {
        let (before, checked) = (self.rules.get(at)?, self.checked.get(at)?);
        if before.text == source.text {
            return Some(Arc::clone(checked));
        }
        let is_plain = |source: &RuleSource| source.language == Language::Rules && source.odd.is_none();
        if !is_plain(before) || !is_plain(source) {
            return None;
        }
        check_again(
            source.file,
            (&before.text, checked),
            &source.text,
            cards,
            settings,
        )
        .map(Arc::new)
    }
}

/// Every rule of a project, compiled once, with all that was found in it. This is the one judge of rules:
/// what is checked, refused and played is read off here.
#[derive(Debug, Default)]
pub(crate) struct JudgedRules {
    /// What was found about rules and cards together, weighed as the game wants.
    of_package: Vec<Diagnostic>,
    /// The texts with what was found in them, in order of force.
    pub(crate) checked: Vec<(FileId, Arc<CheckedFile>)>,
    /// How many rules there are, those that do not count included.
    pub(crate) count: usize,
    /// Where there are errors in the texts, whoever found them.
    errors: BTreeSet<(FileId, u32)>,
}

impl JudgedRules {
    /// `of_package` was found about rules and cards together, `of_texts` when the texts were read.
    pub(crate) fn of(
        checked: Vec<(FileId, Arc<CheckedFile>)>,
        of_package: Vec<Diagnostic>,
        of_texts: &[Diagnostic],
    ) -> JudgedRules {
        let own = checked.iter().flat_map(|(_, file)| &file.diagnostics);
        let errors = own
            .chain(&of_package)
            .chain(of_texts)
            .filter(|found| found.severity == Severity::Error)
            .map(|found| (found.file, found.span.start))
            .collect();
        JudgedRules {
            count: checked.iter().map(|(_, file)| file.rules.len()).sum(),
            of_package,
            checked,
            errors,
        }
    }

    /// All that was found, weighed as the game and comments want.
    pub(crate) fn found(&self) -> impl Iterator<Item = &Diagnostic> {
        let own = self.checked.iter().flat_map(|(_, file)| &file.diagnostics);
        self.of_package.iter().chain(own)
    }

    /// Gives the models their programs; tells where they are written. Of several rules for a card the first
    /// counts (D60, RS075). One in which an error was found, whoever found it, is left out: its card is
    /// played without it (D38).
    pub(crate) fn script(&self, game: &mut Game, cards: &KnownCards) -> BTreeMap<ModelId, RuleText> {
        let mut texts = BTreeMap::new();
        for (file, checked) in &self.checked {
            for rule in &checked.rules {
                let Some(model) = rule.card.and_then(|card| cards.model_with(card)) else {
                    continue;
                };
                let Entry::Vacant(first) = texts.entry(model) else {
                    continue;
                };
                first.insert(RuleText {
                    file: *file,
                    header: rule.header,
                    body: rule.body,
                });
                let (from, to) = (rule.header.start, rule.body.end.max(rule.header.end));
                let is_sound = self.errors.range((*file, from)..=(*file, to)).next().is_none();
                if let Some(sound) = rule.placed().filter(|_| is_sound) {
                    game.models[usize::from(model.0)].set_rule(sound);
                }
            }
        }
        texts
    }
}
