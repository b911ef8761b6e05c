//! All that is wrong with a project: its package, its settings, its rules, its decks.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use cw_check::{CheckedFile, check_package};
use cw_duel::MAX_BACKUPS;
use cw_octgn::{CheckedPackage, Package, PropertyValue};
use cw_program::CardType;
use cw_text::{Diagnostic, FileId, FindingCode, FindingFix, Safety, Severity, Sources, Span, nearest};

use crate::cards::MAX_MODELS;
use crate::config::{Config, Properties, unknown_code};
use crate::mends::Wrong;
use crate::project::GAME_TOML;
use crate::rules::{JudgedRules, RuleSource};
use crate::run::RUN_TOML;
use crate::{Language, Project};

/// See its page.
pub(crate) const CW001: FindingCode = FindingCode("CW001");
/// See its page.
pub(crate) const CW003: FindingCode = FindingCode("CW003");
/// See its page.
pub(crate) const CW004: FindingCode = FindingCode("CW004");
/// See its page.
pub(crate) const CW005: FindingCode = FindingCode("CW005");
/// See its page.
pub(crate) const CW006: FindingCode = FindingCode("CW006");
/// See its page.
pub(crate) const CW007: FindingCode = FindingCode("CW007");
/// See its page.
pub(crate) const CW008: FindingCode = FindingCode("CW008");
/// See its page.
pub(crate) const CW009: FindingCode = FindingCode("CW009");
/// See its page.
pub(crate) const CW010: FindingCode = FindingCode("CW010");
/// See its page.
pub(crate) const CW011: FindingCode = FindingCode("CW011");
pub(crate) const CW012: FindingCode = FindingCode("CW012");
/// See its page.
pub(crate) const CW013: FindingCode = FindingCode("CW013");
/// See its page.
pub(crate) const GT002: FindingCode = FindingCode("GT002");

/// What was found beside the rules, once somebody asked.
#[derive(Debug, Default)]
pub(crate) struct FoundBeside {
    /// In the whole project, weighed.
    all: OnceLock<Vec<Diagnostic>>,
    /// While texts with rules were read, weighed.
    in_texts: OnceLock<Vec<Diagnostic>>,
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct ProjectFindings {
    /// In order of place.
    pub found: Vec<Diagnostic>,
    /// How many rules were checked.
    pub rules: usize,
    /// How many files were checked.
    pub files: usize,
}

impl Project {
    /// Finds everything that is wrong: nothing is refused later that is not an error here. Every fix that is
    /// offered was tried, and makes the package better.
    pub fn check(&self) -> ProjectFindings {
        let checked = cw_octgn::check_after(&self.package, &CheckedPackage::default());
        let mut findings = self.findings_of(|| checked.found.clone());
        let before = Wrong::of(&findings.found);
        self.keep_tried(&checked, before, &mut findings.found);
        findings
    }

    /// As [`Project::check`], with fixes that nobody has tried yet: trying them takes most of the time of a
    /// check. An editor shows findings while somebody types, and has the fixes tried that are asked for
    /// ([`Project::with_tried_fixes`]).
    pub fn findings(&self) -> ProjectFindings {
        self.findings_of(|| cw_octgn::check_after(&self.package, &CheckedPackage::default()).found)
    }

    /// Those of all `findings` that are wanted; they keep only the fixes that make the package better.
    pub fn with_tried_fixes(
        &self,
        findings: &ProjectFindings,
        is_wanted: impl Fn(&Diagnostic) -> bool,
    ) -> Vec<Diagnostic> {
        let wanted = findings.found.iter().filter(|one| is_wanted(one));
        let mut wanted: Vec<Diagnostic> = wanted.cloned().collect();
        if wanted.iter().any(|one| one.fix.is_some()) {
            let checked = cw_octgn::check_after(&self.package, &CheckedPackage::default());
            self.keep_tried(&checked, Wrong::of(&findings.found), &mut wanted);
        }
        wanted
    }

    fn findings_of(&self, of_package: impl FnOnce() -> Vec<Diagnostic>) -> ProjectFindings {
        let mut findings = self.untried(of_package);
        self.offer_meant(&mut findings.found);
        findings
    }

    /// As [`Project::check`], with mends that nobody has tried; `of_package` finds what is wrong in the
    /// package, where that is not known.
    pub(crate) fn untried(&self, of_package: impl FnOnce() -> Vec<Diagnostic>) -> ProjectFindings {
        let beside = self.beside.all.get_or_init(|| self.beside_rules(of_package()));
        let mut found = beside.clone();
        let judged = self.judged();
        found.extend(judged.found().cloned());
        found.sort_by_key(|one| (one.file, one.span));
        ProjectFindings {
            found,
            rules: judged.count,
            files: self.package.sources.len(),
        }
    }

    /// What is wrong beside the rules, with what was found in the package.
    fn beside_rules(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.dedup();
        found.extend(self.found.iter().cloned());
        found.extend(self.about_game());
        found.extend(self.unknown_types());
        found.extend(self.odd_numbers());
        found.extend(self.icons_of_nobody());
        found.extend(self.listed_subtypes());
        if let Some(rules) = self.deck_rules() {
            let decks = self.package.decks.iter();
            found.extend(decks.flat_map(|deck| self.illegal(deck, Some(&rules))));
        }
        let mut found = self.weigh(&self.package.sources, found);
        self.own_names(&mut found);
        found
    }

    /// PK030: a property by the name that it has in other games, where `game.toml` gives it another one.
    fn own_names(&self, found: &mut [Diagnostic]) {
        let (usual, own) = (Properties::default(), &self.config.properties);
        let all = [
            (&usual.card_type, &own.card_type),
            (&usual.subtype, &own.subtype),
            (&usual.bp, &own.bp),
            (&usual.sp, &own.sp),
            (&usual.ability, &own.ability),
            (&usual.ability_type, &own.ability_type),
            (&usual.ability_name, &own.ability_name),
            (&usual.rules, &own.rules),
            (&usual.rarity, &own.rarity),
        ];
        for one in found.iter_mut().filter(|one| one.code.0 == "PK030") {
            let source = self.package.sources.find(one.file);
            let Some(written) = source.and_then(|source| source.text.get(one.span.range())) else {
                continue;
            };
            let meant = all
                .iter()
                .find(|(usual, own)| usual.eq_ignore_ascii_case(written) && usual != own);
            let Some((_, own)) = meant else { continue };
            one.help = Some(format!("this game calls it `{own}`: its `game.toml` says so"));
            one.fix = Some(FindingFix::one(
                format!("replace with `{own}`"),
                Safety::Unsafe,
                one.file,
                one.span,
                (*own).clone(),
            ));
        }
    }

    /// What keeps the game from being played at all; all of it is found by [`Project::check`].
    pub fn obstacles(&self) -> Vec<Diagnostic> {
        let read = self.package.diagnostics.iter().chain(&self.found).cloned();
        read.chain(self.about_game())
            .filter(|found| self.is_obstacle(found))
            .collect()
    }

    /// What keeps rules from being understood; their cards are played without them (D38). All of it is
    /// found by [`Project::check`].
    pub fn rule_errors(&self) -> Vec<Diagnostic> {
        let read = self.found_in_texts();
        let all = read.iter().chain(self.judged().found());
        all.filter(|found| found.severity == Severity::Error)
            .cloned()
            .collect()
    }

    /// What was found when the texts with rules were read, weighed.
    fn found_in_texts(&self) -> &[Diagnostic] {
        self.beside.in_texts.get_or_init(|| {
            let of_texts: BTreeSet<FileId> = self.rules.iter().map(|rule| rule.file).collect();
            let read = self.found.iter();
            let read = read.filter(|found| of_texts.contains(&found.file)).cloned();
            self.weigh(&self.package.sources, read.collect())
        })
    }

    /// Every rule, compiled and checked when the first asks for it, and what concerns rules and cards.
    pub(crate) fn judged(&self) -> &JudgedRules {
        self.judged.get_or_init(|| {
            let settings = &self.config.severities;
            let check = |(at, source): (usize, &RuleSource)| {
                let before = self.before.as_ref();
                let kept = before.and_then(|before| before.check(at, source, self.cards(), settings));
                let checked = kept.unwrap_or_else(|| Arc::new(source.check(self.cards(), settings)));
                (source.file, checked)
            };
            let checked: Vec<(FileId, Arc<CheckedFile>)> = self.rules.iter().enumerate().map(check).collect();
            if checked.is_empty() {
                return JudgedRules::default();
            }
            let files: Vec<(FileId, &CheckedFile)> =
                checked.iter().map(|(file, result)| (*file, &**result)).collect();
            // Where the package prints its cards, by their ids; most packages need none of it.
            let places = OnceCell::new();
            let place = |card: &cw_check::KnownCard| {
                let places = places.get_or_init(|| self.printed());
                places.get(card.id.as_str()).copied()
            };
            let of_package = check_package(&files, self.cards(), &place, settings);
            JudgedRules::of(checked, of_package, self.found_in_texts())
        })
    }

    /// Where the package prints its cards, by their ids; of two with the same the first.
    fn printed(&self) -> BTreeMap<String, (FileId, Span)> {
        let mut places = BTreeMap::new();
        for (reference, card) in self.package.cards() {
            let file = self.package.set_of(reference).file;
            places
                .entry(card.id.value.to_string())
                .or_insert((file, card.place.0));
        }
        places
    }

    /// Gives findings the weight that the package wants, and drops those that it does not want: by
    /// `[severities]`, and by comments in XML (P173). What makes the game unplayable stays what it is.
    pub(crate) fn weigh(&self, sources: &Sources, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let (mut kept, mut found): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| self.is_obstacle(one));
        silence(sources, &mut found);
        self.config.severities.apply(&mut found);
        kept.append(&mut found);
        kept
    }

    /// What the engine could not hold, or has nothing of: CW001, CW007, CW008.
    fn about_game(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let definition = &self.package.definition;
        let is_definition = |name: &str| {
            name.rsplit('/')
                .next()
                .is_some_and(|file| file.eq_ignore_ascii_case("definition.xml"))
        };
        let mut sources = self.package.sources.iter();
        let file = sources.find(|(_, source)| is_definition(&source.name));
        let file = file.map_or_else(FileId::default, |(file, _)| file);
        let mut add = |code, severity, message: String, help: &str| {
            let finding = Diagnostic::new(code, severity, file, definition.place.0, message);
            found.push(finding.help(help));
        };
        for message in self.unread_rules() {
            add(
                CW009,
                Severity::Warning,
                message,
                "rules stand in `Rules/NAME.rules`, settings in `Rules/game.toml`",
            );
        }
        if !self.has_rules() {
            return found;
        }
        let cards = self.package.cards().count();
        if cards == 0 {
            let help = "every folder below `Sets` needs a `set.xml` with cards";
            add(
                CW001,
                Severity::Error,
                "the package has no cards".to_owned(),
                help,
            );
        } else if self.package.decks.is_empty() && self.package.has_definition {
            let help = "`cardwright deck new Decks/NAME.o8d` makes one";
            add(
                CW008,
                Severity::Hint,
                "the package has no deck to play with".to_owned(),
                help,
            );
        }
        for (count, what) in [(cards, "cards"), (self.bare().subtypes.len(), "subtypes")] {
            if count > MAX_MODELS {
                let message =
                    format!("the package has {count} {what}; at most {MAX_MODELS} can be played with");
                add(CW007, Severity::Error, message, "a duel counts them with 16 bits");
            }
        }
        let icons = self
            .bare()
            .models
            .iter()
            .map(|model| model.backups.len())
            .max()
            .unwrap_or(0);
        if icons > MAX_BACKUPS {
            let message = format!("a card has {icons} back-up icons, at most {MAX_BACKUPS} are possible");
            add(
                CW007,
                Severity::Error,
                message,
                "`backups` in `Rules/game.toml` lists their properties",
            );
        }
        found
    }

    /// CW009: what looks like rules, and lies where nobody looks for them.
    fn unread_rules(&self) -> Vec<String> {
        let files = self.package.files.iter();
        let mut messages: Vec<String> = files
            .filter(|name| {
                let lower = name.to_ascii_lowercase();
                let is_meant = [".rules", ".rule"].iter().any(|end| lower.ends_with(end))
                    || ["rules/game.toml", "rules/run.toml"].contains(&&*lower);
                is_meant
                    && Language::in_package(name).is_none()
                    && ![GAME_TOML, RUN_TOML].contains(&name.as_str())
            })
            .map(|name| format!("`{name}` is not read"))
            .collect();
        // What the free table reads is no rule, and a package without rules may well have it; its settings
        // say how faces look and what the columns of sheets mean.
        let in_folder = |name: &String| {
            name.starts_with("Rules/") && !["Rules/table.toml", GAME_TOML, RUN_TOML].contains(&name.as_str())
        };
        if messages.is_empty() && !self.has_rules() && self.package.files.iter().any(in_folder) {
            messages.push("the folder `Rules` holds no rules".to_owned());
        }
        messages
    }

    /// CW010, CW011: numbers that are allowed, and that somebody hardly means; each at its card.
    fn odd_numbers(&self) -> Vec<Diagnostic> {
        if !self.has_rules() {
            return Vec::new();
        }
        let models = self.refs().iter().zip(&self.bare().models);
        let mut usual: Vec<i32> = models
            .clone()
            .filter(|(_, model)| model.card_type == Some(CardType::Character) && model.bp > 0)
            .map(|(_, model)| model.bp)
            .collect();
        usual.sort_unstable();
        let middle = usual.get(usual.len() / 2).copied().unwrap_or(i32::MAX);
        let names = &self.config.properties;
        let mut found = Vec::new();
        for (reference, model) in models {
            let place = |name: &str| {
                let card = self.package.card(*reference);
                let property = card
                    .properties
                    .iter()
                    .find(|property| *property.name.value == *name);
                property.map_or(card.place.0, |property| property.value.span())
            };
            let file = self.package.set_of(*reference).file;
            let mut hint = |code, span, message: String, help: &str| {
                found.push(Diagnostic::new(code, Severity::Hint, file, span, message).help(help));
            };
            let is_character = model.card_type == Some(CardType::Character);
            if model.card_type.is_some() && !is_character && model.sp > 0 {
                hint(
                    CW010,
                    place(&names.sp),
                    format!("playing this card gives {} SP", model.sp),
                    "what a card costs is written with a minus sign",
                );
            }
            if is_character && model.bp >= middle.saturating_mul(MOST_BP) {
                hint(
                    CW011,
                    place(&names.bp),
                    format!(
                        "this character has {} BP, half of them have {middle} or less",
                        model.bp
                    ),
                    "is there a zero too many?",
                );
            }
        }
        found
    }

    /// CW012: a back-up icon that is nearly a subtype of the game, and no character's (G125).
    fn icons_of_nobody(&self) -> Vec<Diagnostic> {
        if !self.has_rules() {
            return Vec::new();
        }
        let subtypes = &self.bare().subtypes;
        let named =
            |model: &cw_duel::CardModel| Some(subtypes.get(usize::from(model.subtype?.0))?.to_lowercase());
        let had: BTreeSet<String> = self.bare().models.iter().filter_map(named).collect();
        let mut found = Vec::new();
        for (reference, card) in self.package.cards() {
            for property in &card.properties {
                if !self
                    .config
                    .properties
                    .backups
                    .iter()
                    .any(|name| *property.name.value == **name)
                {
                    continue;
                }
                let PropertyValue::Text(text) = &property.value.value else {
                    continue;
                };
                let (written, value) = (text.trim(), text.trim().to_lowercase());
                if value.is_empty() || had.contains(&value) {
                    continue;
                }
                let Some(near) = nearest(&value, had.iter().map(String::as_str)) else {
                    continue;
                };
                let near = subtypes
                    .iter()
                    .map(|name| &**name)
                    .find(|name| name.to_lowercase() == near);
                let Some(near) = near else { continue };
                let (file, span) = (self.package.set_of(reference).file, property.value.span());
                let message = format!("no character is a `{written}`, so this icon fits nobody");
                let finding = Diagnostic::new(CW012, Severity::Warning, file, span, message);
                found.push(finding.help(format!("did you mean `{near}`?")).instead(
                    format!("replace with `{near}`"),
                    Safety::Unsafe,
                    near,
                ));
            }
        }
        found
    }

    /// CW013: several subtypes in one property, which make one subtype with a comma in its name.
    fn listed_subtypes(&self) -> Vec<Diagnostic> {
        if !self.has_rules() {
            return Vec::new();
        }
        let names = &self.config.properties;
        let subtypes = &self.bare().subtypes;
        let had: BTreeSet<String> = subtypes.iter().map(|name| name.to_lowercase()).collect();
        let mut found = Vec::new();
        for (reference, card) in self.package.cards() {
            for property in &card.properties {
                let is_subtype = *property.name.value == *names.subtype;
                let is_icon = names.backups.iter().any(|name| *property.name.value == **name);
                let PropertyValue::Text(text) = &property.value.value else {
                    continue;
                };
                if !is_subtype && !is_icon || !text.contains([',', ';', '/', '|']) {
                    continue;
                }
                let parts = text.split([',', ';', '/', '|']).map(str::trim);
                let Some(known) = parts
                    .into_iter()
                    .find(|part| !part.is_empty() && had.contains(&part.to_lowercase()))
                else {
                    continue;
                };
                let (file, span) = (self.package.set_of(reference).file, property.value.span());
                let written = text.trim();
                let message = match is_subtype {
                    true => format!("`{written}` is one subtype of that name, so this card is no `{known}`"),
                    false => format!("this icon fits only the subtype `{written}`, so no `{known}`"),
                };
                let help = match is_subtype {
                    true => "a card has one subtype; what is to count for several is asked by the rules \
                             of other cards, one subtype after the other: `guards; fencers`"
                        .to_owned(),
                    false => format!(
                        "each back-up property holds one subtype: {}",
                        names
                            .backups
                            .iter()
                            .map(|name| format!("`{name}`"))
                            .collect::<Vec<_>>()
                            .join(", ")
                    ),
                };
                found.push(Diagnostic::new(CW013, Severity::Warning, file, span, message).help(help));
            }
        }
        found
    }

    /// CW006: each unknown type once, at the first card that has it.
    fn unknown_types(&self) -> Vec<Diagnostic> {
        if !self.has_rules() {
            return Vec::new();
        }
        let types = &self.config.types;
        let mut found = self.unknown_words(
            &self.config.properties.card_type,
            "a type",
            &[
                (&types.character, &["character", "creature", "unit"]),
                (&types.action, &["action", "spell", "event"]),
                (&types.reaction, &["reaction", "counter", "interrupt"]),
            ],
            "`[types]`",
        );
        let abilities = &self.config.abilities;
        found.extend(self.unknown_words(
            &self.config.properties.ability_type,
            "an ability type",
            &[
                (&abilities.instant, &["instant", "enter", "enters"]),
                (&abilities.triggered, &["triggered", "trigger", "activated"]),
                (&abilities.auto, &["auto", "automatic", "passive"]),
            ],
            "`[abilities]`",
        ));
        found
    }

    /// CW006: each word of a property that stands for none of a kind once, at the first card that has it.
    /// Each known word comes with what other games call the same.
    fn unknown_words(
        &self,
        name: &str,
        what: &str,
        known: &[(&String, &[&str])],
        section: &str,
    ) -> Vec<Diagnostic> {
        let mut seen: BTreeMap<String, (Diagnostic, usize)> = BTreeMap::new();
        for (reference, card) in self.package.cards() {
            let Some(property) = card
                .properties
                .iter()
                .find(|property| *property.name.value == *name)
            else {
                continue;
            };
            let value = match &property.value.value {
                PropertyValue::Text(text) => text.trim(),
                PropertyValue::Rich(rich) => rich.plain.trim(),
                PropertyValue::Null => continue,
            };
            let is_known = known
                .iter()
                .any(|(word, _)| !word.is_empty() && word.eq_ignore_ascii_case(value));
            if value.is_empty() || is_known {
                continue;
            }
            let (_, count) = seen.entry(value.to_owned()).or_insert_with(|| {
                let file = self.package.set_of(reference).file;
                let span = property.value.span();
                let message = format!("`{value}` is {what} that the game does not know");
                let finding = Diagnostic::new(CW006, Severity::Warning, file, span, message);
                let called = |(_, others): &&(&String, &[&str])| {
                    others.iter().any(|other| other.eq_ignore_ascii_case(value))
                };
                let near = nearest(value, known.iter().map(|(word, _)| word.as_str()))
                    .or_else(|| known.iter().find(called).map(|(word, _)| word.as_str()));
                let finding = match near {
                    Some(near) => finding.help(format!("did you mean `{near}`?")).instead(
                        format!("replace with `{near}`"),
                        Safety::Unsafe,
                        near,
                    ),
                    None => finding.help(format!(
                        "the game knows {}; {section} in `Rules/game.toml` names them",
                        known
                            .iter()
                            .map(|(word, _)| format!("`{word}`"))
                            .collect::<Vec<_>>()
                            .join(", ")
                    )),
                };
                (finding, 0)
            });
            *count += 1;
        }
        let told = seen.into_values().map(|(mut finding, count)| {
            let more = count - 1;
            if more > 0 {
                let cards = if more == 1 { "card has" } else { "cards have" };
                finding.message.push_str(&format!("; {more} more {cards} it"));
            }
            finding
        });
        told.collect()
    }
}

/// GT002: properties, cards and sections that `game.toml` names and the package does not have.
pub(crate) fn unknown_names(config: &Config, package: &Package, file: FileId, found: &mut Vec<Diagnostic>) {
    if !package.has_definition {
        return;
    }
    let definition = &package.definition;
    let mut check = |name: &str, span: Span, what: &str, known: &[&str]| {
        if name.is_empty() || known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return;
        }
        let message = format!("the package has no {what} `{name}`");
        let finding = Diagnostic::new(GT002, Severity::Warning, file, span, message);
        found.push(match nearest(name, known.iter().copied()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        });
    };
    let properties: Vec<&str> = definition
        .properties
        .iter()
        .map(|known| known.name.as_str())
        .collect();
    for (name, span) in &config.named {
        check(name, *span, "property", &properties);
    }
    let cards: Vec<&str> = package.cards().map(|(_, card)| card.name.as_str()).collect();
    let decks: Vec<&str> = package.decks.iter().map(|deck| &*deck.name).collect();
    for opponent in &config.opponents {
        if let Some(card) = &opponent.card {
            check(&card.name, card.span, "card", &cards);
        }
        if let Some(deck) = &opponent.deck {
            check(&deck.name, deck.span, "deck", &decks);
        }
    }
    let Some(deck) = &config.deck else { return };
    for (name, span, _) in &deck.exceptions {
        check(name, *span, "card", &cards);
    }
    let sections: Vec<&str> = definition
        .sections
        .iter()
        .map(|known| known.name.as_str())
        .collect();
    for (name, span, _) in &deck.sections {
        check(name, *span, "section of decks", &sections);
    }
}

/// So many times the usual BP are taken for a slip.
const MOST_BP: i32 = 10;

/// What a comment in an XML file begins with that silences findings in it (P173).
pub(crate) const SILENCE: &str = "<!-- cardwright: allow ";

/// Drops findings that a comment in their file names; a code that does not exist is one itself (RS073).
fn silence(sources: &Sources, found: &mut Vec<Diagnostic>) {
    let mut silent: BTreeSet<(FileId, String)> = BTreeSet::new();
    let mut unknown = Vec::new();
    for (file, source) in sources.iter() {
        let text = &source.text;
        for at in memchr::memmem::find_iter(text.as_bytes(), SILENCE) {
            let start = at + SILENCE.len();
            let length = text[start..].find("-->").unwrap_or(0);
            let words = text[start..start + length].split([',', ' ']);
            for code in words.filter(|code| !code.is_empty()) {
                let at = start + (code.as_ptr() as usize - text[start..].as_ptr() as usize);
                match unknown_code(file, code, Span::new(at, at + code.len())) {
                    None => {
                        silent.insert((file, code.to_ascii_uppercase()));
                    }
                    Some(finding) => unknown.push(finding),
                }
            }
        }
    }
    if !silent.is_empty() {
        found.retain(|one| !silent.contains(&(one.file, one.code.0.to_string())));
    }
    found.append(&mut unknown);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        let of_games = [
            CW001,
            CW003,
            CW004,
            CW005,
            CW006,
            CW007,
            CW008,
            CW009,
            CW010,
            CW011,
            CW012,
            CW013,
            crate::config::GT001,
            GT002,
            crate::run::GT003,
            crate::run::GT004,
        ];
        let pages: Vec<_> = crate::PAGES.iter().map(|page| page.code).collect();
        assert_eq!(pages, of_games);
    }
}
