use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use cw_text::{Diagnostic, FileId, FindingCode, Severity, SharedText, Sources, Span};
use rayon::prelude::*;

use crate::codes::{PK004, PK005, PK006, PK012, PK013, PK014, PK015, PK133, PK155, PK156};
use crate::fold::{fold, loose_name, strict_name};
use crate::proxy::{self, ProxyDefinition};
use crate::read::clipped;
use crate::report::{FileReport, LimitedFindings};
use crate::schema::{self, SchemaKind};
use crate::script::{self, PackageScript};
use crate::xml::{self, Decoded, XmlTree};
use crate::{
    Alternate, Deck, DeckCard, Definition, FileTrouble, FilesError, Guid, PackageCard, PackageFiles,
    PackageLimits, PackageSet, Str, deck, definition, set,
};

/// A folder of card data: definition, sets and decks, with all that is wrong with each.
#[derive(Debug, Default)]
pub struct Package {
    /// All files, sorted; also those that are not read.
    pub files: Vec<String>,
    /// What `definition.xml` says; the default where there is none that is well-formed.
    pub definition: Definition,
    /// Whether there is a well-formed `definition.xml`.
    pub has_definition: bool,
    /// Every well-formed set, in directory order; a package after a change shares the others.
    pub sets: Vec<Arc<PackageSet>>,
    /// Every well-formed deck, in directory order.
    pub decks: Vec<Deck>,
    /// The scripts that the definition names and that are there, each with its text.
    pub scripts: Vec<(FileId, PackageScript)>,
    /// The texts that diagnostics and spans speak of.
    pub sources: Sources,
    /// What was found while reading; see [`check`](crate::check) for the rest.
    pub diagnostics: Vec<Diagnostic>,
    /// How proxies are drawn.
    pub(crate) proxy: Option<ProxyDefinition>,
    /// What it was read with.
    pub(crate) limits: PackageLimits,
    /// Texts that were decoded from UTF-16.
    utf16: BTreeSet<FileId>,
    /// How many of the texts it read itself; whoever reads rules adds others.
    own_texts: usize,
    /// Which texts are others than in the package that it was made of.
    pub(crate) changed: BTreeSet<FileId>,
    index: Arc<PackageIndex>,
}

/// Which card of a package: its set and its place in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardRef {
    /// Index into [`Package::sets`].
    pub set: u32,
    /// Index into [`PackageSet::cards`].
    pub card: u32,
}

/// Sets, cards, packs and entries are counted in 32 bits: texts of 4 GiB, which are not read, have fewer.
pub(crate) fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}

#[derive(Debug, Default)]
struct PackageIndex {
    /// Sorted; of equal ids the first in directory order comes first (P49).
    by_id: Vec<(Guid, CardRef)>,
    /// First in directory order.
    sets: BTreeMap<Guid, usize>,
    /// Folded base names, made when first asked for; first hit only.
    by_name: OnceLock<BTreeMap<String, (CardRef, usize)>>,
    /// By their names as people compare them, made when a list of cards is read.
    by_loose_name: OnceLock<BTreeMap<String, Namesakes>>,
}

/// The cards whose names people take for the same.
#[derive(Debug, Default)]
pub(crate) struct Namesakes {
    /// The first card of each name, and how many have it, by the name as the client compares it.
    pub(crate) names: BTreeMap<String, (CardRef, usize)>,
    /// All of them, in directory order.
    pub(crate) cards: Vec<CardRef>,
}

impl Namesakes {
    fn add(&mut self, name: &str, card: CardRef) {
        self.names.entry(strict_name(name)).or_insert((card, 0)).1 += 1;
        self.cards.push(card);
    }
}

/// How a line of a deck found its card (P134).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// By its id.
    Id,
    /// The id is unknown: by its name.
    Name,
}

/// A deck with its lines looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedDeck {
    /// The deck's sections.
    pub sections: Vec<ResolvedSection>,
    /// Lines for which there is no card: (section, line) indices; OCTGN refuses the whole deck.
    pub missing: Vec<(usize, usize)>,
}

/// A section with its lines looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedSection {
    /// Its name.
    pub name: Str,
    /// Whether it is part of the shared deck.
    pub shared: bool,
    /// Cards with how many of each, in the deck's order; lines of 0 or fewer are left out.
    pub lines: Vec<ResolvedLine>,
}

/// A line with its card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedLine {
    /// The card.
    pub card: CardRef,
    /// How many, at least 1.
    pub quantity: u32,
    /// How it was found.
    pub found_by: FoundBy,
}

/// Which files of a package are read, by what they are.
enum FileRole {
    Definition,
    Set { folder: String },
    Deck,
}

/// Files whose bytes are read at once.
const AT_ONCE: usize = 8;

/// Bytes of text that are read at once, but for a file that is larger.
const TEXT_AT_ONCE: usize = 4 << 20;

/// A package while it is read, and what the limits leave.
struct PackageReader<'a> {
    limits: &'a PackageLimits,
    progress: &'a (dyn Fn(u64) + Sync),
    package: Package,
    found: LimitedFindings,
    xml_left: u64,
    cards_left: usize,
    /// Limits that were passed and told.
    told: Vec<FindingCode>,
}

impl PackageReader<'_> {
    /// Reads a group of files, each with its bytes.
    fn read(
        &mut self,
        group: &[(&str, FileRole)],
        loaded: Vec<Result<Decoded, FilesError>>,
    ) -> Result<(), FilesError> {
        let (mut texts, mut waiting) = (Vec::new(), 0);
        for ((name, role), decoded) in group.iter().zip(loaded) {
            let text = decoded.as_ref().map_or(0, |decoded| decoded.text.len());
            if waiting > 0 && waiting + text > TEXT_AT_ONCE {
                self.parse(&texts);
                texts.clear();
                waiting = 0;
            }
            waiting += text;
            let left = self.xml_left;
            match decoded {
                Ok(decoded) if text as u64 <= left => {
                    self.xml_left -= text as u64;
                    let file = self.package.sources.add(*name, decoded.text.clone());
                    if decoded.is_utf16() {
                        self.package.utf16.insert(file);
                    }
                    texts.push((*name, role, file, decoded));
                }
                Err(FilesError::TooLarge { limit, .. }) if limit == self.limits.file => {
                    let file = self.package.sources.add(*name, "");
                    let report = FileReport::new(file);
                    let message = format!("file larger than {limit} bytes");
                    self.found.extend([report.error(PK005, Span::at(0), message)]);
                }
                Ok(_) | Err(FilesError::TooLarge { .. }) => {
                    self.xml_left = 0;
                    let file = self.package.sources.add(*name, "");
                    let most = self.limits.xml;
                    let finding = beyond(PK013, file, Span::at(0), most, "bytes of XML", "xml");
                    self.tell_once(finding);
                }
                Err(error) => {
                    let file = self.package.sources.add(*name, "");
                    self.found.extend([unreadable(file, &error)]);
                }
            }
        }
        self.parse(&texts);
        Ok(())
    }

    fn parse(&mut self, texts: &[(&str, &FileRole, FileId, Decoded)]) {
        // One card more than there may be shows where the first one stands that is too many.
        let limits = PackageLimits {
            cards: self.cards_left.saturating_add(1),
            ..self.limits.clone()
        };
        let definition = &self.package.definition;
        let read: Vec<(Content, FileReport)> = texts
            .par_iter()
            .filter(|(_, role, _, _)| !matches!(role, FileRole::Definition))
            .map(|(name, role, file, decoded)| {
                let read = read_file(name, role, *file, decoded, definition, &limits);
                (self.progress)(decoded.text.len() as u64);
                read
            })
            .collect();
        read.into_iter().for_each(|read| self.take(read));
    }

    /// A limit is passed once; all that follows is beyond it too.
    fn tell_once(&mut self, finding: Diagnostic) {
        if !self.told.contains(&finding.code) {
            self.told.push(finding.code);
            self.found.extend([finding]);
        }
    }

    fn take(&mut self, (content, report): (Content, FileReport)) {
        match content {
            Content::Definition(definition) => {
                self.package.definition = *definition;
                self.package.has_definition = true;
            }
            Content::Set(mut set) => {
                if let Some(surplus) = set.cards.get(self.cards_left) {
                    let most = self.limits.cards as u64;
                    self.tell_once(beyond(PK012, set.file, surplus.place.0, most, "cards", "cards"));
                }
                set.cards.truncate(self.cards_left);
                self.cards_left -= set.cards.len();
                self.package.sets.push(Arc::from(set));
            }
            Content::Deck(deck) => self.package.decks.push(deck),
            Content::Nothing => {}
        }
        self.found.extend(report.finish());
    }
}

/// PK156: a file that is there and cannot be had does not keep the others from being read.
fn unreadable(file: FileId, error: &FilesError) -> Diagnostic {
    let mut message = error.to_string();
    if let Some(source) = std::error::Error::source(error) {
        message.push_str(&format!(": {source}"));
    }
    Diagnostic::new(PK156, Severity::Error, file, Span::at(0), message)
}

/// What passes the limit of this name, of which there are `most`.
fn beyond(code: FindingCode, file: FileId, span: Span, most: u64, what: &str, name: &str) -> Diagnostic {
    let message = format!("more than {most} {what}; this and what follows is not read");
    let help = format!("--limit {name}={} reads more", most.saturating_mul(4));
    Diagnostic::new(code, Severity::Error, file, span, message).help(help)
}

/// What one file became.
enum Content {
    Definition(Box<Definition>),
    Set(Box<PackageSet>),
    Deck(Deck),
    Nothing,
}

/// PK155, PK156: what is there and not listed.
fn troubles(files: &dyn PackageFiles, file: FileId) -> Vec<Diagnostic> {
    let report = FileReport::new(file);
    let troubles = files.troubles().into_iter();
    troubles
        .map(|(name, trouble)| {
            let name = clipped(&name);
            let (code, message, help) = match trouble {
                FileTrouble::LeadsOut => (
                    PK155,
                    format!("`{name}` is a link that leads out of the package; it is not read"),
                    "put the file itself there",
                ),
                FileTrouble::LeadsNowhere => (
                    PK156,
                    format!("`{name}` is a link that leads nowhere, or around in a circle"),
                    "remove the link, or put the file itself there",
                ),
                FileTrouble::Closed => (
                    PK156,
                    format!("the folder `{name}` cannot be read"),
                    "give yourself permission to read it",
                ),
            };
            report.error(code, Span::at(0), message).help(help)
        })
        .collect()
}

impl Package {
    /// Reads definition, sets and decks with the default limits.
    ///
    /// # Errors
    /// Only when the files cannot be had; what is wrong *in* them is in [`Package::diagnostics`].
    pub fn read(files: &dyn PackageFiles) -> Result<Package, FilesError> {
        Package::read_with(files, &PackageLimits::default(), Sources::new(), &|_| {})
    }

    /// Reads with these limits, adds the texts to `sources`, and calls `progress` with the number of
    /// bytes of each file done.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub fn read_with(
        files: &dyn PackageFiles,
        limits: &PackageLimits,
        sources: Sources,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Package, FilesError> {
        let names = files.list()?;
        let mut wanted: Vec<(&str, FileRole)> = names
            .iter()
            .filter_map(|name| role(name).map(|role| (name.as_str(), role)))
            .filter(|(_, role)| !(limits.only_cards && matches!(role, FileRole::Deck)))
            .collect();
        let surplus = wanted.len().saturating_sub(limits.files);
        // The definition comes last in the order of names, and is needed whatever is left out.
        if surplus > 0 {
            let definitions = wanted.extract_if(.., |(_, role)| matches!(role, FileRole::Definition));
            let definitions: Vec<_> = definitions.collect();
            wanted.truncate(limits.files.saturating_sub(definitions.len()));
            wanted.extend(definitions);
        }
        let mut reader = PackageReader {
            limits,
            progress,
            package: Package {
                sources,
                ..Package::default()
            },
            found: LimitedFindings::new(limits.findings),
            xml_left: limits.xml,
            cards_left: limits.cards,
            told: Vec::new(),
        };
        // Sets need the definition's properties, so it is read first (P212); every file has its number by
        // the order of names.
        let ids = (reader.package.sources.next().0..).map(FileId);
        let mut definitions = BTreeMap::new();
        for (file, (name, role)) in ids.zip(&wanted) {
            if matches!(role, FileRole::Definition) {
                let loaded = files.read(name, limits.file).map(xml::decode);
                if let Ok(decoded) = &loaded {
                    let read = read_file(name, role, file, decoded, &Definition::default(), limits);
                    progress(decoded.text.len() as u64);
                    reader.take(read);
                }
                definitions.insert(file, loaded);
            }
        }
        for group in wanted.chunks(AT_ONCE) {
            let most = limits.file.min(reader.xml_left);
            let first = reader.package.sources.next().0;
            let mut loaded: Vec<Result<Decoded, FilesError>> = group
                .par_iter()
                .map(|(name, role)| match role {
                    FileRole::Definition => Ok(Decoded::default()),
                    FileRole::Set { .. } | FileRole::Deck => files.read(name, most).map(xml::decode),
                })
                .collect();
            for (id, loaded) in (first..).map(FileId).zip(&mut loaded) {
                if let Some(definition) = definitions.remove(&id) {
                    *loaded = definition;
                }
            }
            reader.read(group, loaded)?;
        }
        let PackageReader {
            mut package,
            mut found,
            ..
        } = reader;
        if !wanted
            .iter()
            .any(|(_, role)| matches!(role, FileRole::Definition))
        {
            let mut report = FileReport::new(package.sources.add("definition.xml", ""));
            report.add(report.error(PK133, Span::at(0), "the package has no `definition.xml`"));
            found.extend(report.finish());
        }
        let about = package.definition.file;
        if surplus > 0 {
            let report = FileReport::new(about);
            let what = match surplus {
                1 => "1 set or deck is",
                _ => &format!("{surplus} sets and decks are"),
            };
            let message = format!("{what} not read: more than {} files", limits.files);
            let help = format!("--limit files={} reads them", limits.files + surplus);
            found.extend([report.error(PK015, Span::at(0), message).help(help)]);
        }
        package.files = names;
        if !limits.only_cards {
            found.extend(package.read_scripts(files, limits));
            found.extend(package.read_proxy_definition(files, limits));
        }
        found.extend(troubles(files, about));
        package.diagnostics = found.finish(about);
        package.index = Arc::new(PackageIndex::new(&package.sets));
        package.limits = limits.clone();
        package.own_texts = package.sources.len();
        Ok(package)
    }

    /// The name in the package of a file that the definition names, if it is there.
    fn named(&self, path: &str) -> Option<&String> {
        let plain = path.replace('\\', "/");
        let parts = plain.split('/').filter(|part| !matches!(*part, "" | "."));
        let plain = parts.collect::<Vec<_>>().join("/");
        self.files.iter().find(|name| **name == plain)
    }

    /// P159: scripts are read as texts, and never run.
    fn read_scripts(&mut self, files: &dyn PackageFiles, limits: &PackageLimits) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let named = self
            .definition
            .references
            .iter()
            .filter(|named| &*named.element == "script");
        let mut names: Vec<String> = named
            .filter_map(|script| self.named(&script.path))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        for name in names {
            let bytes = match files.read(&name, limits.file) {
                Ok(bytes) => bytes,
                Err(FilesError::TooLarge { .. }) => continue,
                Err(error) => {
                    let file = self.sources.add(name, "");
                    found.push(unreadable(file, &error));
                    continue;
                }
            };
            let text = SharedText::from(String::from_utf8_lossy(&bytes).into_owned());
            let file = self.sources.add(name, text.clone());
            self.scripts.push((file, script::read(&text)));
        }
        found
    }

    /// P159: the file that says how proxies are drawn is XML of its own.
    fn read_proxy_definition(&mut self, files: &dyn PackageFiles, limits: &PackageLimits) -> Vec<Diagnostic> {
        let named = self
            .definition
            .references
            .iter()
            .find(|named| &*named.element == "proxygen");
        let Some(name) = named.and_then(|named| self.named(&named.path)).cloned() else {
            return Vec::new();
        };
        let decoded = match files.read(&name, limits.file) {
            Ok(bytes) => xml::decode(bytes),
            Err(error) => {
                let file = self.sources.add(name, "");
                return vec![unreadable(file, &error)];
            }
        };
        let text = decoded.text.clone();
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let file = self.sources.add(name, text.clone());
        let mut report = FileReport::new(file);
        let decodes = decoded.report(&mut report);
        let tree = xml::parse(text, decoded.is_utf16(), limits, &mut report);
        let Some(root) = tree.root().filter(|_| decodes && tree.well_formed) else {
            return report.finish();
        };
        if root.name() != "templates" {
            let message = format!("the outermost element is `{}`, not `templates`", root.name());
            report.add(report.error(PK006, root.name_span(), message));
            return report.finish();
        }
        let references = proxy::read(root, &self.definition, &mut report);
        schema::check(SchemaKind::ProxyDefinition, root, &mut report);
        self.proxy = Some(ProxyDefinition {
            file,
            folder,
            references,
        });
        report.finish()
    }

    /// How many files of sets are there that could not be read as sets.
    pub(crate) fn unreadable_sets(&self) -> usize {
        let sets = self
            .files
            .iter()
            .filter(|name| matches!(role(name), Some(FileRole::Set { .. })));
        sets.count().saturating_sub(self.sets.len())
    }

    /// Whether it read this text itself; whoever reads rules adds others to [`Package::sources`].
    pub fn is_own(&self, file: FileId) -> bool {
        let first = self.sources.iter().next().map_or(0, |(first, _)| first.0);
        (first..first.saturating_add(count(self.own_texts))).contains(&file.0)
    }

    /// What the package would be if these sets and decks, each with its name in the package, had other texts.
    /// All others are shared, so this costs what the changed ones cost. Nothing if a limit is in the way, if
    /// a text could not be decoded, or if something else than sets and decks changes: then all has to be read
    /// again.
    pub fn with_texts(&self, changed: &BTreeMap<FileId, (&str, &str)>) -> Option<Package> {
        let limits = &self.limits;
        let cut = |one: &Diagnostic| [PK012, PK013, PK014, PK015].contains(&one.code);
        let undecoded = |one: &Diagnostic| one.code == PK004 && changed.contains_key(&one.file);
        if self.diagnostics.iter().any(|one| cut(one) || undecoded(one)) {
            return None;
        }
        let mut package = Package {
            files: self.files.clone(),
            definition: self.definition.clone(),
            has_definition: self.has_definition,
            sets: self.sets.clone(),
            decks: self.decks.clone(),
            scripts: self.scripts.clone(),
            sources: self.sources.with_texts(
                self.own_texts,
                changed
                    .iter()
                    .map(|(file, (_, text))| (*file, SharedText::from(*text))),
            ),
            diagnostics: self.diagnostics.clone(),
            proxy: self.proxy.clone(),
            limits: limits.clone(),
            utf16: self.utf16.clone(),
            own_texts: self.own_texts,
            changed: changed.keys().copied().collect(),
            index: Arc::clone(&self.index),
        };
        let is_other = |file: &FileId| !changed.contains_key(file);
        package.diagnostics.retain(|one| is_other(&one.file));
        package.sets.retain(|set| is_other(&set.file));
        package.decks.retain(|deck| is_other(&deck.file));
        let is_of_sets = package.sets.len() < self.sets.len();
        let size = package
            .sources
            .iter()
            .map(|(_, source)| source.text.len() as u64)
            .sum::<u64>();
        for (file, (name, text)) in changed {
            let role = role(name).filter(|role| !matches!(role, FileRole::Definition))?;
            if text.len() as u64 > limits.file || size > limits.xml {
                return None;
            }
            let decoded =
                xml::Decoded::again(package.sources.get(*file).text.clone(), self.utf16.contains(file));
            let (content, report) = read_file(name, &role, *file, &decoded, &self.definition, limits);
            match content {
                Content::Set(set) => package.sets.push(Arc::from(set)),
                Content::Deck(deck) => package.decks.push(deck),
                Content::Definition(_) | Content::Nothing => {}
            }
            package.diagnostics.extend(report.finish());
        }
        if package.sets.iter().map(|set| set.cards.len()).sum::<usize>() > limits.cards
            || package.diagnostics.len() > limits.findings
        {
            return None;
        }
        package.diagnostics.sort_by_key(|one| (one.file, one.span));
        package.decks.sort_by_key(|deck| deck.file);
        if is_of_sets || package.sets.len() != self.sets.len() {
            package.sets.sort_by_key(|set| set.file);
            package.index = Arc::new(PackageIndex::new(&package.sets));
        }
        Some(package)
    }

    /// Puts a package together from parts that were made, not read.
    pub fn of_parts(definition: Definition, sets: Vec<Arc<PackageSet>>, decks: Vec<Deck>) -> Package {
        Package {
            index: Arc::new(PackageIndex::new(&sets)),
            has_definition: true,
            definition,
            sets,
            decks,
            ..Package::default()
        }
    }

    /// The card.
    ///
    /// # Panics
    /// If the reference is of another package.
    pub fn card(&self, card: CardRef) -> &PackageCard {
        &self.sets[card.set as usize].cards[card.card as usize]
    }

    /// The set that a card belongs to.
    ///
    /// # Panics
    /// If the reference is of another package.
    pub fn set_of(&self, card: CardRef) -> &PackageSet {
        &self.sets[card.set as usize]
    }

    /// All cards, set by set.
    pub fn cards(&self) -> impl Iterator<Item = (CardRef, &PackageCard)> {
        (0u32..).zip(&self.sets).flat_map(|(set, one)| {
            let cards = (0u32..).zip(&one.cards);
            cards.map(move |(card, found)| (CardRef { set, card }, found))
        })
    }

    /// The first card with this id, in directory order (P49).
    pub fn card_by_id(&self, id: Guid) -> Option<CardRef> {
        let from = self.index.by_id.partition_point(|(other, _)| *other < id);
        let (found, card) = self.index.by_id.get(from)?;
        (*found == id).then_some(*card)
    }

    /// Every card with this id, in directory order.
    pub fn cards_by_id(&self, id: Guid) -> impl Iterator<Item = CardRef> {
        let from = self.index.by_id.partition_point(|(other, _)| *other < id);
        let rest = self.index.by_id[from..].iter();
        rest.take_while(move |(found, _)| *found == id)
            .map(|(_, card)| *card)
    }

    /// The first card with this base name, whole, as the client compares names (P134).
    pub fn card_by_name(&self, name: &str) -> Option<CardRef> {
        self.names().get(&fold(name)).map(|(card, _)| *card)
    }

    /// How many cards have this base name, as the client compares names.
    pub fn count_by_name(&self, name: &str) -> usize {
        self.names().get(&fold(name)).map_or(0, |(_, count)| *count)
    }

    fn names(&self) -> &BTreeMap<String, (CardRef, usize)> {
        self.index.by_name.get_or_init(|| {
            let mut names = BTreeMap::new();
            for (card, found) in self.cards() {
                names.entry(fold(&found.name)).or_insert((card, 0)).1 += 1;
            }
            names
        })
    }

    /// The cards that people call so; those with a form of this name where no card has it.
    pub(crate) fn namesakes(&self, name: &str) -> Option<&Namesakes> {
        let all = self.index.by_loose_name.get_or_init(|| {
            let mut all: BTreeMap<String, Namesakes> = BTreeMap::new();
            for (card, found) in self.cards() {
                all.entry(loose_name(&found.name))
                    .or_default()
                    .add(&found.name, card);
            }
            let mut forms: BTreeMap<String, Namesakes> = BTreeMap::new();
            for (card, found) in self.cards() {
                for form in &found.alternates {
                    let name = loose_name(&form.name);
                    if !all.contains_key(&name) {
                        forms.entry(name).or_default().add(&found.name, card);
                    }
                }
            }
            all.extend(forms);
            all
        });
        all.get(&loose_name(name)).filter(|_| !name.trim().is_empty())
    }

    /// The first set with this id, in directory order.
    pub fn set_by_id(&self, id: Guid) -> Option<&PackageSet> {
        self.set_index(id).map(|index| &*self.sets[index])
    }

    /// The place in [`Package::sets`] of the first set with this id.
    pub fn set_index(&self, id: Guid) -> Option<usize> {
        self.index.sets.get(&id).copied()
    }

    /// A card's value in one of its forms.
    pub fn value<'p>(
        &'p self,
        card: CardRef,
        form: Option<&'p Alternate>,
        property: &str,
    ) -> Option<&'p crate::PropertyValue> {
        self.card(card).form_value(form, property)
    }

    /// Finds the card that a deck's line means: by id, else by name (P134).
    pub fn find(&self, line: &DeckCard) -> Option<(CardRef, FoundBy)> {
        let by_id = if line.id.is_nil() {
            None
        } else {
            self.card_by_id(line.id.value)
        };
        match by_id {
            Some(card) => Some((card, FoundBy::Id)),
            None => self.card_by_name(&line.name).map(|card| (card, FoundBy::Name)),
        }
    }

    /// Looks up every line of a deck.
    pub fn resolve(&self, deck: &Deck) -> ResolvedDeck {
        let mut resolved = ResolvedDeck::default();
        for (section_index, section) in deck.sections.iter().enumerate() {
            let mut lines = Vec::new();
            for (line_index, line) in section.cards.iter().enumerate() {
                let quantity = u32::try_from(line.quantity.value).unwrap_or(0);
                match self.find(line) {
                    None => resolved.missing.push((section_index, line_index)),
                    Some(_) if quantity == 0 => {}
                    Some((card, found_by)) => lines.push(ResolvedLine {
                        card,
                        quantity,
                        found_by,
                    }),
                }
            }
            resolved.sections.push(ResolvedSection {
                name: section.name.value.clone(),
                shared: section.shared,
                lines,
            });
        }
        resolved
    }
}

impl PackageIndex {
    fn new(sets: &[Arc<PackageSet>]) -> PackageIndex {
        let mut by_id = Vec::with_capacity(sets.iter().map(|set| set.cards.len()).sum());
        for (set, one) in (0u32..).zip(sets) {
            for (card, found) in (0u32..).zip(&one.cards) {
                if !found.id.is_nil() {
                    by_id.push((found.id.value, CardRef { set, card }));
                }
            }
        }
        by_id.sort_unstable();
        let mut by_set = BTreeMap::new();
        for (index, set) in sets.iter().enumerate().filter(|(_, set)| !set.id.is_nil()) {
            by_set.entry(set.id.value).or_insert(index);
        }
        PackageIndex {
            by_id,
            sets: by_set,
            by_name: OnceLock::new(),
            by_loose_name: OnceLock::new(),
        }
    }
}

fn role(name: &str) -> Option<FileRole> {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [file] if file.eq_ignore_ascii_case("definition.xml") => Some(FileRole::Definition),
        [sets, folder, file] if sets.eq_ignore_ascii_case("sets") && file.eq_ignore_ascii_case("set.xml") => {
            Some(FileRole::Set {
                folder: (*folder).to_owned(),
            })
        }
        [.., file] if has_extension(file, "o8d") => Some(FileRole::Deck),
        _ => None,
    }
}

pub(crate) fn has_extension(name: &str, extension: &str) -> bool {
    let found = name.rsplit_once('.').map(|(_, found)| found);
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn read_file(
    name: &str,
    role: &FileRole,
    file: FileId,
    decoded: &Decoded,
    definition: &Definition,
    limits: &PackageLimits,
) -> (Content, FileReport) {
    let mut report = FileReport::new(file);
    let decodes = decoded.report(&mut report);
    let text = decoded.text.clone();
    let tree = xml::parse(text, decoded.is_utf16(), limits, &mut report);
    // P174: what is malformed is read on only to report more.
    let sound = decodes && tree.well_formed;
    let content = content(name, role, &tree, definition, limits, &mut report);
    let schema = match role {
        FileRole::Definition => Some(SchemaKind::Definition),
        FileRole::Set { .. } => Some(SchemaKind::Set),
        FileRole::Deck => None,
    };
    if let (Some(root), Some(schema)) = (tree.root().filter(|_| sound && !limits.only_cards), schema) {
        schema::check(schema, root, &mut report);
    }
    (if sound { content } else { Content::Nothing }, report)
}

fn content(
    name: &str,
    role: &FileRole,
    tree: &XmlTree,
    definition: &Definition,
    limits: &PackageLimits,
    report: &mut FileReport,
) -> Content {
    match role {
        FileRole::Definition => Content::Definition(Box::new(definition::read(tree, report))),
        FileRole::Set { folder } => set::read(tree, folder, definition, limits, report)
            .map_or(Content::Nothing, |set| Content::Set(Box::new(set))),
        FileRole::Deck => deck::read(tree, name, report).map_or(Content::Nothing, Content::Deck),
    }
}

/// A fingerprint of everything in a package that can change how a game is played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Hashes names and bytes, in order of name, of `definition.xml`, the sets, scripts wherever they lie
    /// (S209), and whatever lies in `Rules` and `Scripts`; pictures, sounds and decks do not count.
    ///
    /// # Errors
    /// When the files cannot be had.
    pub fn of(files: &dyn PackageFiles, limits: &PackageLimits) -> Result<ContentHash, FilesError> {
        let mut hasher = blake3::Hasher::new();
        for name in files.list()? {
            let counts = match role(&name) {
                Some(FileRole::Definition | FileRole::Set { .. }) => true,
                Some(FileRole::Deck) => false,
                None => name.starts_with("Rules/") || name.starts_with("Scripts/") || is_script(&name),
            };
            if counts {
                let bytes = files.read(&name, limits.file)?;
                hasher.update(&(name.len() as u64).to_le_bytes());
                hasher.update(name.as_bytes());
                hasher.update(&(bytes.len() as u64).to_le_bytes());
                hasher.update(&bytes);
            }
        }
        Ok(ContentHash(*hasher.finalize().as_bytes()))
    }
}

/// A script by its name, in whatever folder.
fn is_script(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
