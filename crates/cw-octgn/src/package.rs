use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use cw_text::{Diagnostic, FileId, Sources, Span};
use rayon::prelude::*;

use crate::codes::{PK005, PK133};
use crate::report::Report;
use crate::xml::{self, Decoded, Tree};
use crate::{
    Alternate, Card, Deck, DeckCard, Definition, Files, FilesError, Guid, Limits, Set, Str, deck, definition,
    set,
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
    /// Every well-formed set, in directory order.
    pub sets: Vec<Set>,
    /// Every well-formed deck, in directory order.
    pub decks: Vec<Deck>,
    /// The texts that diagnostics and spans speak of.
    pub sources: Sources,
    /// What was found while reading; see [`check`](crate::check) for the rest.
    pub diagnostics: Vec<Diagnostic>,
    index: Index,
}

/// Which card of a package: its set and its place in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardRef {
    /// Index into [`Package::sets`].
    pub set: u32,
    /// Index into [`Set::cards`].
    pub card: u32,
}

#[derive(Debug, Default)]
struct Index {
    /// Sorted; of equal ids the first in directory order comes first (P49).
    by_id: Vec<(Guid, CardRef)>,
    /// First in directory order.
    sets: BTreeMap<Guid, usize>,
    /// Lower-cased base names, made when first asked for; first hit only.
    by_name: OnceLock<BTreeMap<String, (CardRef, usize)>>,
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
enum Role {
    Definition,
    Set { folder: String },
    Deck,
}

/// What one file became.
enum Content {
    Definition(Box<Definition>),
    Set(Box<Set>),
    Deck(Deck),
    Nothing,
}

impl Package {
    /// Reads definition, sets and decks with the default limits.
    ///
    /// # Errors
    /// Only when the files cannot be had; what is wrong *in* them is in [`Package::diagnostics`].
    pub fn read(files: &dyn Files) -> Result<Package, FilesError> {
        Package::read_with(files, &Limits::default(), &|_| {})
    }

    /// Reads with these limits, and calls `progress` with the number of bytes of each file done.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub fn read_with(
        files: &dyn Files,
        limits: &Limits,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Package, FilesError> {
        let names = files.list()?;
        let mut package = Package::default();
        let mut reports = Vec::new();
        let wanted: Vec<(&String, Role)> = names
            .iter()
            .filter_map(|name| role(name).map(|role| (name, role)))
            .collect();
        let loaded: Vec<Result<Decoded, FilesError>> = wanted
            .par_iter()
            .map(|(name, _)| files.read(name, limits.file).map(xml::decode))
            .collect();
        let mut texts = Vec::new();
        for ((name, role), decoded) in wanted.into_iter().zip(loaded) {
            match decoded {
                Ok(mut decoded) => {
                    let text = std::mem::take(&mut decoded.text);
                    let file = package.sources.add(name.as_str(), text);
                    texts.push((name, role, file, decoded));
                }
                Err(FilesError::TooLarge { limit, .. }) => {
                    let mut report = Report::new(package.sources.add(name.as_str(), ""));
                    report.add(report.error(PK005, Span::at(0), format!("file larger than {limit} bytes")));
                    reports.push(report);
                }
                Err(error) => return Err(error),
            }
        }
        // Sets need the definition's properties, so it comes first (P212).
        let is_definition = |role: &Role| matches!(role, Role::Definition);
        let (first, rest): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|(_, role, _, _)| is_definition(role));
        if first.is_empty() {
            let mut report = Report::new(package.sources.add("definition.xml", ""));
            report.add(report.error(PK133, Span::at(0), "the package has no `definition.xml`"));
            reports.push(report);
        }
        for (name, role, file, decoded) in first {
            let text = &package.sources.get(file).text;
            let (content, report) = read_file(name, &role, file, text, &decoded, &package.definition, limits);
            progress(text.len() as u64);
            package.take(content);
            reports.push(report);
        }
        let (definition, sources) = (&package.definition, &package.sources);
        let read: Vec<(Content, Report)> = rest
            .par_iter()
            .map(|(name, role, file, decoded)| {
                let text = &sources.get(*file).text;
                let read = read_file(name, role, *file, text, decoded, definition, limits);
                progress(text.len() as u64);
                read
            })
            .collect();
        for (content, report) in read {
            package.take(content);
            reports.push(report);
        }
        package.files = names;
        package.diagnostics = reports.into_iter().flat_map(Report::finish).collect();
        package
            .diagnostics
            .sort_by_key(|finding| (finding.file, finding.span));
        package.index = Index::new(&package.sets);
        Ok(package)
    }

    /// Puts a package together from parts that were made, not read.
    pub fn of_parts(definition: Definition, sets: Vec<Set>, decks: Vec<Deck>) -> Package {
        Package {
            index: Index::new(&sets),
            has_definition: true,
            definition,
            sets,
            decks,
            ..Package::default()
        }
    }

    fn take(&mut self, content: Content) {
        match content {
            Content::Definition(definition) => {
                self.definition = *definition;
                self.has_definition = true;
            }
            Content::Set(set) => self.sets.push(*set),
            Content::Deck(deck) => self.decks.push(deck),
            Content::Nothing => {}
        }
    }

    /// The card.
    ///
    /// # Panics
    /// If the reference is of another package.
    pub fn card(&self, card: CardRef) -> &Card {
        &self.sets[card.set as usize].cards[card.card as usize]
    }

    /// The set that a card belongs to.
    ///
    /// # Panics
    /// If the reference is of another package.
    pub fn set_of(&self, card: CardRef) -> &Set {
        &self.sets[card.set as usize]
    }

    /// All cards, set by set.
    pub fn cards(&self) -> impl Iterator<Item = (CardRef, &Card)> {
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

    /// The first card with this base name, whole, letter case ignored (P134).
    pub fn card_by_name(&self, name: &str) -> Option<CardRef> {
        self.names().get(&name.to_lowercase()).map(|(card, _)| *card)
    }

    /// How many cards have this base name, letter case ignored.
    pub fn count_by_name(&self, name: &str) -> usize {
        self.names()
            .get(&name.to_lowercase())
            .map_or(0, |(_, count)| *count)
    }

    fn names(&self) -> &BTreeMap<String, (CardRef, usize)> {
        self.index.by_name.get_or_init(|| {
            let mut names = BTreeMap::new();
            for (card, found) in self.cards() {
                names.entry(found.name.to_lowercase()).or_insert((card, 0)).1 += 1;
            }
            names
        })
    }

    /// The first set with this id, in directory order.
    pub fn set_by_id(&self, id: Guid) -> Option<&Set> {
        self.set_index(id).map(|index| &self.sets[index])
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
    ) -> Option<&'p crate::Value> {
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

impl Index {
    fn new(sets: &[Set]) -> Index {
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
        Index {
            by_id,
            sets: by_set,
            by_name: OnceLock::new(),
        }
    }
}

fn role(name: &str) -> Option<Role> {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [file] if file.eq_ignore_ascii_case("definition.xml") => Some(Role::Definition),
        [sets, folder, file] if sets.eq_ignore_ascii_case("sets") && file.eq_ignore_ascii_case("set.xml") => {
            Some(Role::Set {
                folder: (*folder).to_owned(),
            })
        }
        [.., file] if has_extension(file, "o8d") => Some(Role::Deck),
        _ => None,
    }
}

pub(crate) fn has_extension(name: &str, extension: &str) -> bool {
    let found = name.rsplit_once('.').map(|(_, found)| found);
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn read_file(
    name: &str,
    role: &Role,
    file: FileId,
    text: &str,
    decoded: &Decoded,
    definition: &Definition,
    limits: &Limits,
) -> (Content, Report) {
    let mut report = Report::new(file);
    let decodes = decoded.report(&mut report);
    let tree = xml::parse(Arc::from(text), decoded.is_utf16(), limits, &mut report);
    // P174: what is malformed is read on only to report more.
    let sound = decodes && tree.well_formed;
    let content = content(name, role, &tree, definition, limits, &mut report);
    (if sound { content } else { Content::Nothing }, report)
}

fn content(
    name: &str,
    role: &Role,
    tree: &Tree,
    definition: &Definition,
    limits: &Limits,
    report: &mut Report,
) -> Content {
    match role {
        Role::Definition => Content::Definition(Box::new(definition::read(tree, report))),
        Role::Set { folder } => set::read(tree, folder, definition, limits, report)
            .map_or(Content::Nothing, |set| Content::Set(Box::new(set))),
        Role::Deck => deck::read(tree, name, report).map_or(Content::Nothing, Content::Deck),
    }
}

/// A fingerprint of everything in a package that can change how a game is played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Hashes names and bytes, in order of name, of `definition.xml`, the sets, and whatever lies in
    /// `Rules` and `Scripts`; pictures, sounds and decks do not count.
    ///
    /// # Errors
    /// When the files cannot be had.
    pub fn of(files: &dyn Files, limits: &Limits) -> Result<ContentHash, FilesError> {
        let mut hasher = blake3::Hasher::new();
        for name in files.list()? {
            let counts = match role(&name) {
                Some(Role::Definition | Role::Set { .. }) => true,
                Some(Role::Deck) => false,
                None => name.starts_with("Rules/") || name.starts_with("Scripts/"),
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
