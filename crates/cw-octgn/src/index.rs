//! All forms of a package laid out for searching: what a large package needs to answer while somebody types.
//!
//! Each distinct text is kept once, folded, and each property is a column of places of texts. A test looks at
//! a text once, however many cards say the same. [`CardIndex::select`] finds what [`CardQuery::select`]
//! finds.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem::Finder;

use crate::booster;
use crate::fold::loose;
use crate::query::{self, DIRECTIVES, Direction, Field, QueryNode, SortKey, Test, ValueText};
use crate::{
    Aliases, CardQuery, CardRef, Definition, Package, PropertyDefinition, PropertyKind, SearchedForm,
    TextKind,
};

/// The forms of a package, ready to be searched.
#[derive(Debug)]
pub struct CardIndex {
    forms: Vec<IndexedForm>,
    texts: Vec<IndexedText>,
    names: Vec<u32>,
    sets: Vec<u32>,
    /// By the names of properties, also those that the definition does not have.
    columns: BTreeMap<String, Vec<u32>>,
    /// All texts of each form but its set's name, one form after the other.
    said: Vec<u32>,
    /// Where each form's part of `said` ends.
    ends: Vec<u32>,
    facets: Vec<CardFacet>,
    /// What [`CardIndex::ranks`] has made.
    ranked: Mutex<KnownRanks>,
}

/// Ranks of forms, by the field and its order.
type KnownRanks = BTreeMap<(Field, RankOrder), Arc<[u32]>>;

/// Orders of fields that are remembered, of four bytes for each form.
const MOST_RANKED: usize = 48;

/// In which order the values of a field are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RankOrder {
    /// Only which are the same matters.
    Same,
    Up,
    Down,
}

/// Where a form is in the package.
#[derive(Clone, Copy, Debug)]
struct IndexedForm {
    card: CardRef,
    /// The place of the card among all cards of the package.
    number: u32,
    /// 0 for the base form, else one more than the place among the alternates.
    form: u32,
    /// Whether its set is hidden (P26).
    hidden: bool,
}

#[derive(Debug)]
struct IndexedText {
    raw: Box<str>,
    folded: Box<str>,
    number: Option<f64>,
}

/// A property by whose values cards are sorted out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFacet {
    /// The property's name; `set` for the sets of cards.
    pub name: String,
    /// For values that are several words: what stands between them.
    delimiter: Option<String>,
    is_set: bool,
}

/// A value of a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// The value.
    pub text: String,
    /// How many forms have it.
    pub count: usize,
}

/// A facet by its place in [`CardIndex::facets`], and the value that is wanted of it.
pub type FacetChoice = (usize, String);

/// What can stand for the word that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCompletion {
    /// The whole query with it.
    pub query: String,
    /// The word alone.
    pub word: String,
    /// What it is, in a word or two.
    pub about: String,
}

/// No text.
const NONE: u32 = u32::MAX;
/// A property with so many values sorts out cards although the definition does not say that it has few.
const FEW: usize = 40;
/// More values are not offered.
const MANY: usize = 300;
/// Completions that are offered at once.
const MOST_OFFERED: usize = 12;

impl CardIndex {
    /// Lays out the forms of a package. Sets that are hidden (P26) are in it: the query sorts them out, or
    /// the caller.
    pub fn new(package: &Package) -> CardIndex {
        let mut index = CardIndex {
            forms: Vec::new(),
            texts: Vec::new(),
            names: Vec::new(),
            sets: Vec::new(),
            columns: BTreeMap::new(),
            said: Vec::new(),
            ends: Vec::new(),
            facets: Vec::new(),
            ranked: Mutex::default(),
        };
        let mut known: BTreeMap<Box<str>, u32> = BTreeMap::new();
        let mut place = |texts: &mut Vec<IndexedText>, text: &str| match known.get(text) {
            Some(at) => *at,
            None => {
                let at = u32::try_from(texts.len()).unwrap_or(NONE);
                texts.push(IndexedText {
                    raw: text.into(),
                    folded: loose(text).into(),
                    number: query::number(text),
                });
                known.insert(text.into(), at);
                at
            }
        };
        for ((card, found), number) in package.cards().zip(0..) {
            let set = place(&mut index.texts, &package.set_of(card).name);
            let hidden = package.set_of(card).hidden;
            for (alternate, form) in std::iter::once(None)
                .chain(found.alternates.iter().map(Some))
                .zip(0..)
            {
                let row = index.forms.len();
                index.forms.push(IndexedForm {
                    card,
                    number,
                    form,
                    hidden,
                });
                index.sets.push(set);
                let name = alternate.map_or(&found.name, |alternate| &alternate.name);
                let name = place(&mut index.texts, name);
                index.names.push(name);
                index.said.push(name);
                for (property, value) in found.effective(alternate) {
                    let Some(text) = value.plain() else { continue };
                    let at = place(&mut index.texts, text);
                    index.said.push(at);
                    let column = match index.columns.get_mut(property.as_str()) {
                        Some(column) => column,
                        None => index.columns.entry(property.to_string()).or_default(),
                    };
                    column.resize(row, NONE);
                    // Of a property that is there twice the first one counts.
                    if column.len() == row {
                        column.push(at);
                    }
                }
                index.ends.push(u32::try_from(index.said.len()).unwrap_or(NONE));
            }
        }
        let many = index.forms.len();
        index
            .columns
            .values_mut()
            .for_each(|column| column.resize(many, NONE));
        index.facets = index.facets_of(&package.definition);
        index
    }

    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether there are no cards.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The form at a place.
    pub fn form<'p>(&self, package: &'p Package, at: u32) -> Option<SearchedForm<'p>> {
        let form = self.forms.get(at as usize)?;
        let card = package.card(form.card);
        Some(SearchedForm {
            set: package.set_of(form.card),
            card,
            alternate: match form.form {
                0 => None,
                form => Some(card.alternates.get(form as usize - 1)?),
            },
        })
    }

    /// The card of a form: where it is, its place among all cards of the package, and which of its forms that
    /// is (0 for the base form).
    pub fn card(&self, at: u32) -> Option<(CardRef, u32, u32)> {
        let form = self.forms.get(at as usize)?;
        Some((form.card, form.number, form.form))
    }

    /// The places of the forms that a query finds, in its order: of those that `unique:` calls the same only
    /// the first. Of hidden sets none, unless they are wanted.
    pub fn select(&self, package: &Package, query: &CardQuery, hidden: bool, of: &[FacetChoice]) -> Vec<u32> {
        let mut holds = self.holds(package, &query.root);
        if !hidden {
            for (holds, form) in holds.iter_mut().zip(&self.forms) {
                *holds &= !form.hidden;
            }
        }
        for (facet, value) in of {
            self.narrow(&mut holds, *facet, value);
        }
        let found = (0u32..).zip(&holds).filter(|(_, holds)| **holds);
        let mut found: Vec<u32> = found.map(|(at, _)| at).collect();
        if let Some(field) = &query.unique {
            let ranks = self.ranks(package, field, RankOrder::Same);
            let mut seen = vec![false; self.forms.len() + 1];
            found.retain(|at| !std::mem::replace(&mut seen[ranks[*at as usize] as usize], true));
        }
        // The last one first: sorting keeps what was equal in its order.
        for (field, direction) in query.order.iter().rev() {
            let ranks = match direction {
                Direction::Up => self.ranks(package, field, RankOrder::Up),
                Direction::Down => self.ranks(package, field, RankOrder::Down),
            };
            found.sort_by_key(|at| ranks[*at as usize]);
        }
        found
    }

    /// As [`CardQuery::near_misses`]. Of hidden sets nothing is told, unless they are wanted.
    pub fn near_misses(&self, package: &Package, query: &CardQuery, hidden: bool) -> Vec<String> {
        let is_there = |field: &Field, test: &Test| {
            let holds = self.holds_of(package, field, test);
            let mut all = holds.iter().zip(&self.forms);
            all.any(|(holds, form)| *holds && (hidden || !form.hidden))
        };
        query.misses(is_there, |field| match self.column(field) {
            Some(column) => {
                let mut places: Vec<u32> = self.told(column, hidden).collect();
                places.sort_unstable();
                places.dedup();
                let texts = places.into_iter().map(|at| &self.texts[at as usize]);
                texts
                    .map(|text| ValueText {
                        raw: Cow::Borrowed(&*text.raw),
                        folded: Cow::Borrowed(&*text.folded),
                    })
                    .collect()
            }
            None => {
                let shown = (0u32..)
                    .zip(&self.forms)
                    .filter(|(_, form)| hidden || !form.hidden);
                let values = shown.filter_map(|(at, _)| field.text(&self.form(package, at)?));
                let values: BTreeSet<String> = values.collect();
                let value = |raw: String| ValueText {
                    folded: loose(&raw).into(),
                    raw: raw.into(),
                };
                values.into_iter().map(value).collect()
            }
        })
    }

    /// The texts of a column, those of hidden sets only if they are wanted.
    fn told<'c>(&'c self, column: &'c [u32], hidden: bool) -> impl Iterator<Item = u32> + 'c {
        let shown = column.iter().zip(&self.forms);
        shown
            .filter(move |(text, form)| **text != NONE && (hidden || !form.hidden))
            .map(|(text, _)| *text)
    }

    /// By what cards can be sorted out, in the order of the definition.
    pub fn facets(&self) -> &[CardFacet] {
        &self.facets
    }

    /// The values of a facet that these forms have, numbers in their order before texts.
    pub fn values(&self, facet: usize, among: &[u32]) -> Vec<FacetValue> {
        let Some((facet, column)) = self.facet(facet) else {
            return Vec::new();
        };
        let mut counts = vec![0usize; self.texts.len()];
        for at in among {
            if let Some(text) = column.get(*at as usize).filter(|text| **text != NONE) {
                counts[*text as usize] += 1;
            }
        }
        let mut values: BTreeMap<(SortKey, &str), usize> = BTreeMap::new();
        for (text, count) in self.texts.iter().zip(counts).filter(|(_, count)| *count > 0) {
            for part in facet.parts(&text.raw) {
                *values.entry((SortKey::of(part), part)).or_default() += count;
            }
        }
        let values = values.into_iter().take(MANY);
        values
            .map(|((_, text), count)| FacetValue {
                text: text.to_owned(),
                count,
            })
            .collect()
    }

    /// What can stand for the last word of a query that is being typed: a property, a word of the search
    /// language, or a value of the property before it. Values of hidden sets are offered to a query that asks
    /// for hidden cards.
    pub fn complete(&self, definition: &Definition, aliases: &Aliases, text: &str) -> Vec<QueryCompletion> {
        // A quote that is open belongs to the word.
        let opens = text.matches('"').count() % 2 == 1;
        let start = match opens {
            true => text.rfind('"').map_or(0, |quote| word_start(&text[..quote])),
            false => word_start(text),
        };
        let (before, word) = text.split_at(start);
        let operator = word.find([':', '=', '<', '>', '!']).filter(|at| *at > 0);
        let Some(operator) = operator else {
            return names(definition, aliases, word)
                .map(|(name, about)| QueryCompletion {
                    query: format!("{before}{name}"),
                    word: name,
                    about: about.to_owned(),
                })
                .take(MOST_OFFERED)
                .collect();
        };
        let name = &word[..operator];
        let length = word[operator..].find(|c| !":=<>!".contains(c));
        let (sign, value) = word[operator..].split_at(length.unwrap_or(word.len() - operator));
        let value = loose(value.trim_start_matches('"'));
        let offered = |shown: String, about: String| {
            let quoted = match shown.contains(|c: char| c.is_whitespace() || "()\":=<>!".contains(c)) {
                true => format!("\"{shown}\""),
                false => shown.clone(),
            };
            QueryCompletion {
                query: format!("{before}{name}{sign}{quoted} "),
                word: shown,
                about,
            }
        };
        let words: &[&str] = match name.to_ascii_lowercase().as_str() {
            "is" => &["alternate", "hidden"],
            "unique" => &["cards", "prints"],
            "order" | "sort" => {
                return names(definition, aliases, &value)
                    .filter(|(name, _)| !name.starts_with(['i', 'u', 'o']) || !name.ends_with(':'))
                    .map(|(name, _)| offered(name.trim_end_matches(':').to_owned(), "sort by it".to_owned()))
                    .take(MOST_OFFERED)
                    .collect();
            }
            _ => &[],
        };
        if !words.is_empty() {
            let fitting = words.iter().filter(|word| word.starts_with(&value));
            return fitting
                .map(|word| offered((*word).to_owned(), String::new()))
                .collect();
        }
        // The query's own reader knows which property a name means.
        let field = CardQuery::parse_with(&format!("{name}=x"), definition, aliases);
        let Some(QueryNode::Field { field, .. }) = field.ok().map(|query| query.root) else {
            return Vec::new();
        };
        let Some(column) = self.column(&field) else {
            return Vec::new();
        };
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for text in self.told(column, text.contains("is:hidden")) {
            *counts.entry(text).or_default() += 1;
        }
        let begins = |text: &IndexedText| {
            text.folded.starts_with(&value) || !value.is_empty() && text.folded.contains(&format!(" {value}"))
        };
        let mut fitting: Vec<(usize, &str)> = counts
            .into_iter()
            .map(|(at, count)| (count, &self.texts[at as usize]))
            .filter(|(_, text)| {
                text.raw.len() <= 60 && !text.raw.trim().is_empty() && !text.raw.contains('"')
            })
            .filter(|(_, text)| begins(text))
            .map(|(count, text)| (count, &*text.raw))
            .collect();
        fitting.sort_by_key(|(count, text)| (std::cmp::Reverse(*count), *text));
        let fitting = fitting.into_iter().take(MOST_OFFERED);
        fitting
            .map(|(count, text)| offered(text.to_owned(), count.to_string()))
            .collect()
    }

    fn raw(&self, at: u32) -> &str {
        self.texts.get(at as usize).map_or("", |text| &text.raw)
    }

    /// The column of a field that has one.
    fn column(&self, field: &Field) -> Option<&[u32]> {
        match field {
            Field::Name => Some(&self.names),
            Field::Set => Some(&self.sets),
            Field::Property(name) => self.columns.get(name).map(Vec::as_slice),
            Field::Id | Field::Form => None,
        }
    }

    /// For each form whether a part of a query holds.
    fn holds(&self, package: &Package, node: &QueryNode) -> Vec<bool> {
        match node {
            QueryNode::All(nodes) => nodes.iter().fold(vec![true; self.len()], |mut all, node| {
                let holds = self.holds(package, node);
                all.iter_mut().zip(holds).for_each(|(all, holds)| *all &= holds);
                all
            }),
            QueryNode::Any(nodes) => nodes.iter().fold(vec![false; self.len()], |mut any, node| {
                let holds = self.holds(package, node);
                any.iter_mut().zip(holds).for_each(|(any, holds)| *any |= holds);
                any
            }),
            QueryNode::Not(node) => self.holds(package, node).iter().map(|holds| !holds).collect(),
            QueryNode::Text(text) => {
                let finder = Finder::new(text.as_str());
                self.says(|text| finder.find(text.folded.as_bytes()).is_some())
            }
            QueryNode::Pattern(pattern) => self.says(|text| pattern.is_match(&text.raw)),
            QueryNode::Field { field, test } => self.holds_of(package, field, test),
            QueryNode::Alternate => self.forms.iter().map(|form| form.form > 0).collect(),
            QueryNode::Hidden => {
                let hidden = |form: &IndexedForm| package.set_of(form.card).hidden;
                self.forms.iter().map(hidden).collect()
            }
        }
    }

    /// For each form whether one of its texts is wanted.
    fn says(&self, wanted: impl Fn(&IndexedText) -> bool) -> Vec<bool> {
        let wanted: Vec<bool> = self.texts.iter().map(wanted).collect();
        let mut start = 0;
        let ends = self.ends.iter().map(|end| *end as usize);
        ends.map(|end| {
            let said = &self.said[start..end];
            start = end;
            said.iter().any(|at| wanted[*at as usize])
        })
        .collect()
    }

    fn holds_of(&self, package: &Package, field: &Field, test: &Test) -> Vec<bool> {
        let compares = matches!(test, Test::Against(..));
        let has_column = !matches!(field, Field::Id | Field::Form);
        if compares || !has_column {
            // One form after the other, as a query does it.
            let node = QueryNode::Field {
                field: field.clone(),
                test: test.clone(),
            };
            let places = 0..u32::try_from(self.len()).unwrap_or(NONE);
            return places
                .map(|at| self.form(package, at).is_some_and(|form| node.matches(&form)))
                .collect();
        }
        let missing = test.holds("", "", None);
        let Some(column) = self.column(field) else {
            return vec![missing; self.len()];
        };
        let mut known: Vec<Option<bool>> = vec![None; self.texts.len()];
        let holds = column.iter().map(|at| match self.texts.get(*at as usize) {
            None => missing,
            Some(text) => {
                *known[*at as usize].get_or_insert_with(|| test.holds(&text.raw, &text.folded, text.number))
            }
        });
        holds.collect()
    }

    /// For each form the place of its value among all values of a field. To put very many values in order
    /// takes longer than a search, so it is done once for each field and order.
    fn ranks(&self, package: &Package, field: &Field, order: RankOrder) -> Arc<[u32]> {
        let known = || self.ranked.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = (field.clone(), order);
        if let Some(ranks) = known().get(&wanted) {
            return Arc::clone(ranks);
        }
        let ranks: Arc<[u32]> = match order {
            RankOrder::Same => self.made_ranks(package, field, booster::fold),
            RankOrder::Up => self.made_ranks(package, field, SortKey::of),
            RankOrder::Down => self.made_ranks(package, field, |text| SortKey::of(text).reversed()),
        }
        .into();
        let mut known = known();
        if known.len() >= MOST_RANKED {
            known.clear();
        }
        known.insert(wanted, Arc::clone(&ranks));
        ranks
    }

    /// The same, made anew: in the order of what is made of the values.
    fn made_ranks<K: Ord>(&self, package: &Package, field: &Field, key: impl Fn(&str) -> K) -> Vec<u32> {
        let column = self.column(field);
        let mut by_key: BTreeMap<K, Vec<u32>> = BTreeMap::new();
        let mut ranks = vec![0; self.len()];
        let Some(column) = column.filter(|_| !matches!(field, Field::Id | Field::Form)) else {
            for at in 0..u32::try_from(self.len()).unwrap_or(NONE) {
                let text = self.form(package, at).and_then(|form| field.text(&form));
                by_key.entry(key(&text.unwrap_or_default())).or_default().push(at);
            }
            for (rank, forms) in (0..).zip(by_key.into_values()) {
                forms.iter().for_each(|at| ranks[*at as usize] = rank);
            }
            return ranks;
        };
        let mut seen = vec![false; self.texts.len() + 1];
        for at in column {
            let seen = &mut seen[(*at as usize).min(self.texts.len())];
            if !std::mem::replace(seen, true) {
                by_key.entry(key(self.raw(*at))).or_default().push(*at);
            }
        }
        let mut rank_of = vec![0; self.texts.len() + 1];
        for (rank, texts) in (0u32..).zip(by_key.into_values()) {
            for at in texts {
                rank_of[(at as usize).min(self.texts.len())] = rank;
            }
        }
        for (rank, at) in ranks.iter_mut().zip(column) {
            *rank = rank_of[(*at as usize).min(self.texts.len())];
        }
        ranks
    }

    fn facet(&self, at: usize) -> Option<(&CardFacet, &[u32])> {
        let facet = self.facets.get(at)?;
        let column = match facet.is_set {
            true => &self.sets,
            false => self.columns.get(&facet.name)?,
        };
        Some((facet, column))
    }

    /// Leaves those that have a value of a facet.
    fn narrow(&self, holds: &mut [bool], facet: usize, value: &str) {
        let Some((facet, column)) = self.facet(facet) else {
            return;
        };
        let mut known: Vec<Option<bool>> = vec![None; self.texts.len()];
        for (holds, at) in holds.iter_mut().zip(column) {
            *holds &= *at != NONE
                && *known[*at as usize]
                    .get_or_insert_with(|| facet.parts(self.raw(*at)).any(|part| part == value));
        }
    }

    /// The sets, and properties of which few values are known: those that the definition says so of, whole
    /// numbers, and others of which there are few in fact.
    fn facets_of(&self, definition: &Definition) -> Vec<CardFacet> {
        let few = |facet: &CardFacet, most: usize| {
            let column = match facet.is_set {
                true => Some(&self.sets),
                false => self.columns.get(&facet.name),
            };
            let places: BTreeSet<u32> = column.into_iter().flatten().copied().collect();
            let places = places.into_iter().filter(|at| *at != NONE);
            let parts: BTreeSet<&str> = places
                .flat_map(|at| facet.parts(self.texts.get(at as usize).map_or("", |text| &text.raw)))
                .take(most * 4)
                .collect();
            (2..=most).contains(&parts.len())
        };
        let set = CardFacet {
            name: "set".to_owned(),
            delimiter: None,
            is_set: true,
        };
        let of_property = |property: &PropertyDefinition| {
            let declared = matches!(property.text_kind, TextKind::Enum | TextKind::Tokens(_))
                || property.kind == PropertyKind::Integer;
            let facet = CardFacet {
                name: property.name.to_string(),
                delimiter: match &property.text_kind {
                    TextKind::Tokens(delimiter) if !delimiter.is_empty() => Some(delimiter.to_string()),
                    TextKind::Tokens(_) | TextKind::Free | TextKind::Enum => None,
                },
                is_set: false,
            };
            let most = if declared { MANY } else { FEW };
            (!property.hidden && few(&facet, most)).then_some(facet)
        };
        let sets = few(&set, MANY).then_some(set);
        let properties = definition.properties.iter().filter_map(of_property);
        properties.chain(sets).collect()
    }
}

impl CardFacet {
    /// Whether it is that of the sets, which is no property of the game's.
    pub fn is_set(&self) -> bool {
        self.is_set
    }

    /// The values that a text of the property stands for.
    pub fn parts<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
        let parts: Vec<&str> = match &self.delimiter {
            Some(delimiter) => text.split(delimiter.as_str()).collect(),
            None => vec![text],
        };
        let parts = parts.into_iter().map(str::trim);
        parts.filter(|part| !part.is_empty())
    }
}

/// Where the last word begins.
fn word_start(text: &str) -> usize {
    let joins = |c: char| c.is_whitespace() || c == '(';
    let start = text.rfind(joins).map_or(0, |at| at + 1);
    // A minus before a word is not a part of it.
    start + text[start..].len() - text[start..].trim_start_matches('-').len()
}

/// The words before a `:` that begin so, each with what it is.
fn names<'a>(
    definition: &'a Definition,
    aliases: &'a Aliases,
    begun: &str,
) -> impl Iterator<Item = (String, &'static str)> + use<'a> {
    let begun = loose(begun);
    let properties = definition.properties.iter().filter(|property| !property.hidden);
    let properties = properties.map(|property| (format!("{}:", property.name.replace(' ', "")), "property"));
    let aliases = aliases.keys().map(|alias| (format!("{alias}:"), "short name"));
    let own = ["name", "set", "form"].map(|word| (format!("{word}:"), "always there"));
    let directives = DIRECTIVES[..3].iter().map(|word| (format!("{word}:"), "search"));
    let all = properties.chain(aliases).chain(own).chain(directives);
    all.filter(move |(name, _)| !begun.is_empty() && loose(name).starts_with(&begun))
}
