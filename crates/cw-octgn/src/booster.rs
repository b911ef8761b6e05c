use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::package::count;
use crate::set::named;
use crate::{
    CardProperty, CardRef, FilePlace, PackDefinition, PackItem, PackPick, Package, PickQuantity, Probability,
    Str,
};

/// A pack ready to be opened or computed with: its pool, and for each pick the cards that match (P79–P92).
#[derive(Clone, Debug)]
pub struct Booster {
    /// The pack's name.
    pub name: Str,
    /// Index into [`Package::sets`] of the pack's set.
    pub set: u32,
    /// The pack's place in its set.
    pub pack: u32,
    /// The cards of the set, then the included ones (P80, P81).
    pub pool: Vec<PoolEntry>,
    /// What is in the pack.
    pub items: Vec<BoosterItem>,
    /// Picks that were left empty because all picks together match too many cards (P178).
    pub left_out: usize,
}

/// A card in the pool of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolEntry {
    /// Which card.
    pub card: CardRef,
    /// Index of the include that brought it, if it did not come with the set (P82).
    pub include: Option<u32>,
}

/// A part of a [`Booster`].
#[derive(Clone, Debug)]
pub enum BoosterItem {
    /// Takes cards.
    Pick(BoosterPick),
    /// Takes one way of several.
    Options(BoosterOptions),
}

/// A pick with the pool entries that match it.
#[derive(Clone, Debug)]
pub struct BoosterPick {
    /// How many are taken.
    pub quantity: PickQuantity,
    /// Indices into [`Booster::pool`], in pool order.
    pub candidates: Arc<[u32]>,
    /// Where it stands, for messages.
    pub place: FilePlace,
}

/// Ways with their probabilities.
#[derive(Clone, Debug)]
pub struct BoosterOptions {
    /// In order, as written (P89).
    pub options: Vec<BoosterOption>,
    /// Where it stands.
    pub place: FilePlace,
}

/// One way.
#[derive(Clone, Debug)]
pub struct BoosterOption {
    /// As written; what it amounts to depends on those before it (P90).
    pub probability: Probability,
    /// What it yields.
    pub items: Vec<BoosterItem>,
    /// Where it stands.
    pub place: FilePlace,
}

/// All picks of a pack together list at most so many candidates.
const MAX_CANDIDATES: usize = 20_000_000;

impl Booster {
    /// Makes a pack of a set of the package ready; both are given by their places.
    ///
    /// Includes that name no card are left out (P83); a criterion with an unknown key matches nothing (P36).
    ///
    /// # Panics
    /// If there is no such pack.
    pub fn new(package: &Package, set: usize, pack: usize) -> Booster {
        let place = (count(set), count(pack));
        let pack = &package.sets[set].packs[pack];
        let mut pool = own_cards(package, set);
        pool.extend(included_cards(package, pack));
        let mut matcher = Matcher {
            package,
            pack,
            pool: &pool,
            by_value: BTreeMap::new(),
            by_criteria: BTreeMap::new(),
            listed: 0,
            left_out: 0,
        };
        let items = matcher.items(&pack.items);
        let left_out = matcher.left_out;
        Booster {
            name: pack.name.value.clone(),
            set: place.0,
            pack: place.1,
            pool,
            items,
            left_out,
        }
    }

    /// Calls `visit` for every pick, also those inside options, in document order.
    pub fn picks<'b>(&'b self, visit: &mut dyn FnMut(&'b BoosterPick)) {
        fn walk<'b>(items: &'b [BoosterItem], visit: &mut dyn FnMut(&'b BoosterPick)) {
            for item in items {
                match item {
                    BoosterItem::Pick(pick) => visit(pick),
                    BoosterItem::Options(options) => {
                        for option in &options.options {
                            walk(&option.items, visit);
                        }
                    }
                }
            }
        }
        walk(&self.items, visit);
    }
}

fn own_cards(package: &Package, set: usize) -> Vec<PoolEntry> {
    let cards = count(package.sets[set].cards.len());
    let set = count(set);
    let entry = |card| PoolEntry {
        card: CardRef { set, card },
        include: None,
    };
    (0..cards).map(entry).collect()
}

/// P81: distinct sets in order of first mention; inside each the cards in file order, one entry per include.
fn included_cards(package: &Package, pack: &PackDefinition) -> Vec<PoolEntry> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut by_card: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (index, include) in (0u32..).zip(&pack.includes) {
        let set = include.set.value;
        if seen.insert(set) {
            order.extend(package.set_index(set).map(|index| (set, index)));
        }
        by_card.entry((set, include.id.value)).or_default().push(index);
    }
    let mut entries = Vec::new();
    for (id, set) in order {
        for (card, found) in (0u32..).zip(&package.sets[set].cards) {
            let includes = by_card
                .get(&(id, found.id.value))
                .map(Vec::as_slice)
                .unwrap_or_default();
            entries.extend(includes.iter().map(|include| PoolEntry {
                card: CardRef {
                    set: count(set),
                    card,
                },
                include: Some(*include),
            }));
        }
    }
    entries
}

/// What a card in a pool has of a property: the include's value, else the card's base form (P82, P100).
pub fn pool_text<'p>(
    package: &'p Package,
    pack: &'p PackDefinition,
    entry: PoolEntry,
    property: &str,
) -> Option<&'p str> {
    let overriding = entry
        .include
        .map(|include| &pack.includes[include as usize].properties);
    let found = overriding.and_then(|properties| find(properties, property));
    match found {
        Some(property) => property.value.plain(),
        None => package.card(entry.card).text(property),
    }
}

/// The property of this name among those of an include.
pub(crate) fn find<'p>(properties: &'p [CardProperty], name: &str) -> Option<&'p CardProperty> {
    properties.iter().find(|property| *property.name == name)
}

struct Matcher<'a> {
    package: &'a Package,
    pack: &'a PackDefinition,
    pool: &'a [PoolEntry],
    /// For each key that a pick asks for: folded value to entries.
    by_value: BTreeMap<String, BTreeMap<String, Vec<u32>>>,
    by_criteria: BTreeMap<Vec<(String, String)>, Arc<[u32]>>,
    listed: usize,
    left_out: usize,
}

impl Matcher<'_> {
    fn items(&mut self, items: &[PackItem]) -> Vec<BoosterItem> {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&mut self, item: &PackItem) -> BoosterItem {
        match item {
            PackItem::Pick(pick) => BoosterItem::Pick(BoosterPick {
                quantity: pick.quantity.value,
                candidates: self.candidates(pick),
                place: pick.place,
            }),
            PackItem::Options(options) => BoosterItem::Options(BoosterOptions {
                options: options
                    .options
                    .iter()
                    .map(|option| BoosterOption {
                        probability: option.probability.value,
                        items: self.items(&option.items),
                        place: option.place,
                    })
                    .collect(),
                place: options.place,
            }),
        }
    }

    /// P85: from the full pool, each criterion in turn.
    fn candidates(&mut self, pick: &PackPick) -> Arc<[u32]> {
        let mut criteria: Vec<(String, String)> = pick
            .criteria
            .iter()
            .map(|criterion| {
                let key = canonical_key(&criterion.key);
                let value = folded_value(&key, &criterion.value);
                (key, value)
            })
            .collect();
        criteria.sort();
        criteria.dedup();
        if let Some(known) = self.by_criteria.get(&criteria) {
            return Arc::clone(known);
        }
        let mut found: Option<Vec<u32>> = None;
        for (key, value) in &criteria {
            let matching = self.with_value(key, value);
            found = Some(match found {
                None => matching.to_vec(),
                Some(before) => intersection(&before, matching),
            });
        }
        let mut found = found.unwrap_or_default();
        if self.listed + found.len() > MAX_CANDIDATES {
            self.left_out += 1;
            found = Vec::new();
        }
        self.listed += found.len();
        let found: Arc<[u32]> = found.into();
        self.by_criteria.insert(criteria, Arc::clone(&found));
        found
    }

    fn with_value(&mut self, key: &str, value: &str) -> &[u32] {
        if !self.by_value.contains_key(key) {
            let index = self.index(key);
            self.by_value.insert(key.to_owned(), index);
        }
        self.by_value[key]
            .get(value)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    fn index(&self, key: &str) -> BTreeMap<String, Vec<u32>> {
        let mut index: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        if key != NAME && self.package.definition.property(key).is_none() {
            return index;
        }
        let mut guess = 0;
        for (position, entry) in (0u32..).zip(self.pool) {
            let card = self.package.card(entry.card);
            let text = match (key, entry.include) {
                (NAME, _) => &*card.name,
                (_, None) => named(&card.properties, key, &mut guess)
                    .and_then(|property| property.value.plain())
                    .unwrap_or_default(),
                (_, Some(_)) => pool_text(self.package, self.pack, *entry, key).unwrap_or_default(),
            };
            let folded = folded_value(key, text);
            match index.get_mut(folded.as_str()) {
                Some(positions) => positions.push(position),
                None => {
                    index.insert(folded, vec![position]);
                }
            }
        }
        index
    }
}

/// The key of the built-in name (P36); no property can have it, since XML names hold no NUL.
const NAME: &str = "\0name";

/// `Name` in any letter case is the card's name (P36).
fn canonical_key(key: &str) -> String {
    if is_name(key) {
        NAME.to_owned()
    } else {
        key.to_owned()
    }
}

/// Whether a pick's key means the card's name (P36).
pub(crate) fn is_name(key: &str) -> bool {
    key.eq_ignore_ascii_case("name")
}

/// What values are compared as: letter case ignored (P101); blank is empty (P103), but not in names (P105).
fn folded_value(key: &str, text: &str) -> String {
    if key != NAME && text.trim().is_empty() {
        return String::new();
    }
    fold(text)
}

/// Letter case taken out of a text (P101).
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().map(folded).collect()
}

/// One letter by simple case folding: the two small sigmas are one letter, and so are the long and the
/// round s.
fn folded(letter: char) -> char {
    match letter {
        'ς' => 'σ',
        'ſ' => 's',
        'µ' => 'μ',
        'ẞ' => 'ß',
        _ => {
            let mut lower = letter.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(lower), None) => lower,
                _ => letter,
            }
        }
    }
}

/// Of two ascending lists.
fn intersection(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut rest = b;
    let mut out = Vec::new();
    for value in a {
        let skip = rest.partition_point(|other| other < value);
        rest = &rest[skip..];
        if rest.first() == Some(value) {
            out.push(*value);
        }
    }
    out
}
