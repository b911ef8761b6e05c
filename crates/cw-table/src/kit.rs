//! What never changes during a game: the package, read for a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_octgn::{CardRef, CardSize, CounterDefinition, Guid, Package, PileDefinition, Str};

use crate::count::{rounded, short, whole};
use crate::{Mapping, PackageAction, TableLimits};

/// A package as a table sees it.
#[derive(Debug)]
pub struct Kit {
    /// The package.
    pub package: Arc<Package>,
    /// Digest of what can change how a game goes (F40, F205).
    pub hash: [u8; 32],
    /// Piles of every seat (F7).
    pub piles: Vec<PileKind>,
    /// Piles of nobody.
    pub shared_piles: Vec<PileKind>,
    /// Which pile of a seat is its hand (F9).
    pub hand: Option<usize>,
    /// Which pile of a seat is its deck (F10).
    pub deck: Option<usize>,
    /// Markers that can be put on cards, the eight built-in ones last (F23, P121, P123).
    pub markers: Vec<MarkerKind>,
    /// Size of the table (F2).
    pub table: (i32, i32),
    /// Whether two seats sit opposite each other unless a setting says otherwise (F22).
    pub two_sided: bool,
    /// How much a table holds.
    pub limits: TableLimits,
    /// What was read otherwise than written (F3, F12).
    pub remarks: Vec<String>,
    /// The package's own menu entries, and what they mean (F30).
    pub actions: Vec<PackageAction>,
    /// What `Rules/table.toml` makes of them (D74).
    pub mapping: Mapping,
    /// The package's scripts, compiled (S217); nothing if it has none.
    pub scripts: Option<crate::script::ScriptKit>,
    sizes: Vec<Measures>,
    cards: Vec<(CardRef, Vec<usize>)>,
    by_id: BTreeMap<Guid, u32>,
}

/// What a card is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableModel {
    /// A card of the package, by its place in [`Kit`].
    Card(u32),
    /// A blank with a name (F98, F212).
    Blank(Arc<str>),
}

/// A pile of the definition.
#[derive(Clone, Debug, PartialEq)]
pub struct PileKind {
    /// The name shown (F8).
    pub name: String,
    /// The name written, which sections use.
    pub written: String,
    /// Who sees its cards at the start.
    pub visibility: Visibility,
    /// Whether its order is part of the game (F14); a hand's never is (F152).
    pub ordered: bool,
    /// Who else may look into it.
    pub protection: Protection,
    /// Whether a deck's section fills it.
    pub filled: bool,
    /// All else that the definition says.
    pub definition: PileDefinition,
}

/// Who sees the cards of a pile without doing anything (F11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Nobody.
    None,
    /// Everybody, spectators too.
    All,
    /// Its owner.
    Me,
    /// The pile sets no face: each card keeps its own.
    Undefined,
}

/// Whether others than the owner may look into a pile (F16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protection {
    /// Freely.
    Free,
    /// After the owner agreed.
    Ask,
    /// Never.
    Never,
}

/// A kind of marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerKind {
    /// Its id.
    pub id: String,
    /// Its label (D61).
    pub name: String,
    /// Whether it can be dragged to another card (F94).
    pub can_drag: bool,
}

/// How large a kind of card is, in table units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Measures {
    /// Its name in the package.
    pub name: String,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
    /// Radius of the corners.
    pub corner: i32,
    /// Path of the back's picture.
    pub back: String,
}

/// The names of the eight built-in markers, in the order of their ids (P123).
const BUILT_IN: [&str; 8] = [
    "white", "blue", "black", "red", "green", "orange", "brown", "yellow",
];

impl Kit {
    /// Reads a package for the table; its scripts are unknown.
    pub fn of(package: Arc<Package>) -> Kit {
        let definition = &package.definition;
        let top = &definition.tabletop;
        let mut remarks = Vec::new();
        if let Some(other) = top.visibility.as_deref().filter(|found| *found != "undefined") {
            remarks.push(format!("the table's visibility “{other}” is read as “undefined”"));
        }
        let kinds = |shared: bool, remarks: &mut Vec<String>| -> Vec<PileKind> {
            let piles = if shared { &top.shared_piles } else { &top.piles };
            let sections = definition
                .sections
                .iter()
                .filter(|section| section.shared == shared);
            let filled: Vec<&str> = sections.map(|section| section.group.as_str()).collect();
            let most = TableLimits::default().piles;
            if piles.len() > most {
                let which = if shared { "shared piles" } else { "piles of a seat" };
                remarks.push(format!(
                    "the package has {} {which}; the table takes the first {most}",
                    piles.len()
                ));
            }
            piles
                .iter()
                .take(most)
                .map(|pile| kind(pile, shared, &filled, remarks))
                .collect()
        };
        let mut piles = kinds(false, &mut remarks);
        let shared_piles = kinds(true, &mut remarks);
        let sizes: Vec<Measures> = std::iter::once(&definition.card)
            .chain(&definition.sizes)
            .map(|size| measures(size, &definition.card))
            .collect();
        let mut cards = Vec::new();
        let mut by_id = BTreeMap::new();
        for (index, (at, card)) in package.cards().enumerate() {
            let size_of = |name: Option<&str>| {
                let found = name.and_then(|name| sizes.iter().skip(1).position(|size| size.name == name));
                found.map_or(0, |at| at + 1)
            };
            let alternates = card
                .alternates
                .iter()
                .map(|form| size_of(form.size.as_ref().map(|size| &***size)));
            let own = size_of(card.size.as_ref().map(|size| &***size));
            cards.push((at, std::iter::once(own).chain(alternates).collect()));
            by_id.entry(card.id.value).or_insert(short(index));
        }
        let seat_hand = piles
            .iter()
            .position(|pile| pile.definition.legacy_hand)
            .or_else(|| {
                piles
                    .iter()
                    .position(|pile| pile.name.eq_ignore_ascii_case("hand"))
            })
            .or_else(|| piles.iter().position(|pile| pile.visibility == Visibility::Me));
        // F152: a hand shows no place, whatever its definition says of its order; who holds it
        // arranges it (F14).
        if let Some(hand) = seat_hand {
            piles[hand].ordered = false;
        }
        let deck = piles
            .iter()
            .position(|pile| pile.visibility == Visibility::None && pile.filled);
        Kit {
            hand: seat_hand,
            deck,
            markers: markers(&package),
            table: (
                i32::try_from(top.width.clamp(1, 100_000)).unwrap_or(1),
                i32::try_from(top.height.clamp(1, 100_000)).unwrap_or(1),
            ),
            two_sided: top.two_sided,
            limits: TableLimits::default(),
            hash: [0; 32],
            actions: crate::recognise(top, &[]),
            mapping: Mapping::default(),
            scripts: None,
            remarks,
            piles,
            shared_piles,
            sizes,
            cards,
            by_id,
            package,
        }
    }

    /// Reads the package's scripts, too: what its menu entries mean (F31). Scripts are read, never run (F29).
    #[must_use]
    pub fn with_scripts(mut self, scripts: &[String]) -> Kit {
        self.actions = crate::recognise(&self.package.definition.tabletop, scripts);
        self
    }

    /// Takes the package's scripts, each with its name in the package: entries of its menus run them (S170).
    #[must_use]
    pub fn with_program(mut self, files: &[(String, Vec<u8>)]) -> Kit {
        let texts: Vec<String> = files
            .iter()
            .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
            .collect();
        // S81: markers that only scripts name are put on cards too; the built-in ones stay the last.
        let at = self.markers.len() - BUILT_IN.len();
        for (name, id) in crate::script::markers_of(&texts) {
            if !self.markers.iter().any(|marker| marker.id == id)
                && self.markers.len() < usize::from(u16::MAX)
            {
                let can_drag = true;
                self.markers.insert(at, MarkerKind { id, name, can_drag });
            }
        }
        self.scripts = (!files.is_empty()).then(|| crate::script::ScriptKit::new(&self, files));
        self.with_scripts(&texts)
    }

    /// Takes a mapping of menu entries (D74).
    #[must_use]
    pub fn with_mapping(mut self, mapping: Mapping) -> Kit {
        self.mapping = mapping;
        self
    }

    /// Says which content it is of (F205).
    #[must_use]
    pub fn with_hash(mut self, hash: [u8; 32]) -> Kit {
        self.hash = hash;
        self
    }

    /// The first digits of its digest, to be compared by people.
    pub fn short_hash(&self) -> String {
        self.hash
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Counters of every seat (F18).
    pub fn counters(&self) -> &[CounterDefinition] {
        &self.package.definition.tabletop.counters
    }

    /// Counters of nobody.
    pub fn shared_counters(&self) -> &[CounterDefinition] {
        &self.package.definition.tabletop.shared_counters
    }

    /// The name of a phase, counted from 1 (F20).
    pub fn phase(&self, number: u8) -> Option<&str> {
        let phases = &self.package.definition.tabletop.phases;
        let index = usize::from(number).checked_sub(1)?;
        phases.get(index).map(|phase| phase.name.as_str())
    }

    /// How many phases there are.
    pub fn phases(&self) -> u8 {
        let count = self.package.definition.tabletop.phases.len();
        u8::try_from(count.min(63)).unwrap_or(63)
    }

    /// How many forms a card has, its base form included.
    pub fn forms(&self, model: &TableModel) -> u8 {
        match model {
            TableModel::Blank(_) => 1,
            TableModel::Card(index) => {
                let forms = self.cards.get(whole(*index)).map_or(1, |(_, sizes)| sizes.len());
                u8::try_from(forms).unwrap_or(u8::MAX)
            }
        }
    }

    /// The name of a form (F45).
    pub fn name<'k>(&'k self, model: &'k TableModel, form: u8) -> &'k str {
        match model {
            TableModel::Blank(name) => name,
            TableModel::Card(_) => self.card(model).map_or("", |card| match form.checked_sub(1) {
                None => &card.name,
                Some(alternate) => card
                    .alternates
                    .get(usize::from(alternate))
                    .map_or(&*card.name, |form| &form.name),
            }),
        }
    }

    /// The effective property of a form as plain text (F45).
    pub fn property(&self, model: &TableModel, form: u8, name: &str) -> Option<&str> {
        let card = self.card(model)?;
        let alternate = form
            .checked_sub(1)
            .and_then(|at| card.alternates.get(usize::from(at)));
        card.form_value(alternate, name)
            .and_then(cw_octgn::PropertyValue::plain)
    }

    /// How large a form is (F6); blanks have the default size.
    pub fn measures(&self, model: &TableModel, form: u8) -> &Measures {
        let size = match model {
            TableModel::Blank(_) => 0,
            TableModel::Card(index) => {
                let sizes = self.cards.get(whole(*index)).map(|(_, sizes)| sizes);
                sizes
                    .and_then(|sizes| sizes.get(usize::from(form)))
                    .copied()
                    .unwrap_or(0)
            }
        };
        &self.sizes[size]
    }

    /// The default measures.
    pub fn default_measures(&self) -> &Measures {
        &self.sizes[0]
    }

    /// The package's card of a model; nothing for blanks.
    pub fn card(&self, model: &TableModel) -> Option<&cw_octgn::PackageCard> {
        match model {
            TableModel::Blank(_) => None,
            TableModel::Card(index) => self
                .cards
                .get(whole(*index))
                .map(|(at, _)| self.package.card(*at)),
        }
    }

    /// The model of a card with this id.
    pub fn by_id(&self, id: Guid) -> Option<TableModel> {
        self.by_id.get(&id).map(|index| TableModel::Card(*index))
    }

    /// The model of the first card with this name, letter case ignored.
    pub fn by_name(&self, name: &str) -> Option<TableModel> {
        let found = self.package.card_by_name(name)?;
        self.model_of(found)
    }

    /// The model of a card of the package.
    pub fn model_of(&self, card: CardRef) -> Option<TableModel> {
        let at = self.cards.binary_search_by_key(&card, |(at, _)| *at).ok()?;
        Some(TableModel::Card(short(at)))
    }

    /// Whether the entry of this number names a function that the package's scripts define (S171).
    pub fn runs(&self, entry: usize) -> bool {
        let scripts = self.scripts.as_ref();
        let action = self
            .actions
            .get(entry)
            .filter(|action| !action.definition.separator);
        scripts
            .zip(action)
            .is_some_and(|(scripts, action)| scripts.defines(&action.definition.execute))
    }

    /// The menu entry that a path means: written whole, or by its last part if only one entry has that.
    ///
    /// # Errors
    /// In words, with what may be meant, if there is none or several.
    pub fn entry_named(&self, path: &str) -> Result<usize, String> {
        let entries = || {
            let all = self.actions.iter().enumerate();
            all.filter(|(_, action)| !action.definition.separator)
        };
        let whole = entries().find(|(_, action)| action.definition.path().eq_ignore_ascii_case(path));
        if let Some((found, _)) = whole {
            return Ok(found);
        }
        let last: Vec<(usize, String)> = entries()
            .filter(|(_, action)| action.definition.menu.eq_ignore_ascii_case(path))
            .map(|(at, action)| (at, action.definition.path()))
            .collect();
        match last.as_slice() {
            [(at, _)] => Ok(*at),
            [] => {
                let paths: Vec<String> = entries().map(|(_, action)| action.definition.path()).collect();
                let names = paths.iter().map(String::as_str);
                let near = cw_text::nearest(path, names).map(str::to_owned).or_else(|| {
                    let menus = entries().map(|(_, action)| action.definition.menu.as_str());
                    let near = cw_text::nearest(path, menus)?.to_owned();
                    let found = entries().find(|(_, action)| action.definition.menu.as_str() == near);
                    found.map(|(_, action)| action.definition.path())
                });
                let help = match near {
                    Some(near) => format!("; did you mean “{near}”?"),
                    None => "; `cardwright table PACKAGE --actions` lists them".to_owned(),
                };
                Err(format!("the package has no entry “{path}”{help}"))
            }
            several => {
                let paths: Vec<String> = several.iter().map(|(_, path)| format!("“{path}”")).collect();
                Err(format!(
                    "“{path}” is the name of {} entries: {}",
                    several.len(),
                    paths.join(", ")
                ))
            }
        }
    }

    /// The set that a model's card stands in; nothing for blanks.
    pub fn set_of(&self, model: &TableModel) -> Option<&cw_octgn::PackageSet> {
        let TableModel::Card(index) = model else {
            return None;
        };
        let (at, _) = self.cards.get(whole(*index))?;
        self.package.sets.get(whole(at.set)).map(|set| &**set)
    }

    /// Whether a model is one of this kit.
    pub fn knows(&self, model: &TableModel) -> bool {
        match model {
            TableModel::Blank(_) => true,
            TableModel::Card(index) => whole(*index) < self.cards.len(),
        }
    }

    /// How many cards the package has.
    pub fn count(&self) -> u32 {
        short(self.cards.len())
    }

    /// The marker of this name, letter case ignored.
    pub fn marker(&self, name: &str) -> Option<u16> {
        let found = self
            .markers
            .iter()
            .position(|marker| marker.name.eq_ignore_ascii_case(name));
        found.and_then(|at| u16::try_from(at).ok())
    }

    /// Which pile of a seat (or of nobody) a deck's section fills (F26).
    pub fn section(&self, name: &str, shared: bool) -> Option<usize> {
        let group = &self.package.definition.section(name, shared)?.group;
        let piles = if shared { &self.shared_piles } else { &self.piles };
        piles.iter().position(|pile| *pile.written == **group)
    }
}

fn kind(pile: &PileDefinition, shared: bool, filled: &[&str], remarks: &mut Vec<String>) -> PileKind {
    let name = if pile.legacy_hand { "Hand" } else { &*pile.name };
    let mut visibility = match pile.visibility.as_deref() {
        None | Some("none") => Visibility::None,
        Some("all") => Visibility::All,
        Some("me") => Visibility::Me,
        Some("undefined") => Visibility::Undefined,
        Some(other) => {
            remarks.push(format!("{name}: the visibility “{other}” is read as “none”"));
            Visibility::None
        }
    };
    if shared && visibility == Visibility::Me {
        remarks.push(format!(
            "{name} is shared and “me” is nobody there: read as “none”"
        ));
        visibility = Visibility::None;
    }
    let protection = match pile.protection.as_deref() {
        Some("true") => Protection::Never,
        Some("ask") => Protection::Ask,
        Some("false") => Protection::Free,
        _ if shared => Protection::Free,
        _ if matches!(visibility, Visibility::None | Visibility::Me) => Protection::Ask,
        _ => Protection::Free,
    };
    PileKind {
        name: name.to_owned(),
        written: pile.name.to_string(),
        visibility,
        ordered: pile.ordered,
        protection,
        filled: filled.contains(&pile.name.as_str()),
        definition: pile.clone(),
    }
}

fn measures(size: &CardSize, default: &CardSize) -> Measures {
    let whole = |own: f64, default: f64, last: f64| {
        let measure = [own, default, last].into_iter().find(|measure| *measure >= 1.0);
        rounded(measure.unwrap_or(last).min(10_000.0))
    };
    let back = size.back.as_ref().or(default.back.as_ref());
    Measures {
        name: size.name.to_string(),
        width: whole(size.width, default.width, 63.0),
        height: whole(size.height, default.height, 88.0),
        corner: rounded(size.corner_radius.clamp(0.0, 1000.0)),
        back: back.map_or_else(String::new, |back| back.to_string()),
    }
}

/// The definition's, then the sets', first of an id wins; then the built-in ones.
fn markers(package: &Package) -> Vec<MarkerKind> {
    let mut markers: Vec<MarkerKind> = Vec::new();
    let mut add = |id: &str, name: &str, can_drag: bool| {
        if !markers.iter().any(|marker| marker.id == id) && markers.len() < usize::from(u16::MAX) {
            markers.push(MarkerKind {
                id: id.to_owned(),
                name: name.to_owned(),
                can_drag,
            });
        }
    };
    let drag = &package.definition.tabletop.can_drag;
    for marker in &package.definition.markers {
        let can_drag = drag
            .iter()
            .find(|(id, _)| **id == **marker.id)
            .is_none_or(|(_, can)| *can);
        add(&marker.id, &marker.name, can_drag);
    }
    for marker in package.sets.iter().flat_map(|set| &set.markers) {
        add(&marker.id, &marker.name, false);
    }
    for (index, name) in BUILT_IN.iter().enumerate() {
        add(
            &format!("00000000-0000-0000-0000-00000000000{}", index + 1),
            name,
            true,
        );
    }
    markers
}

/// The text of a seat's header (F19).
pub(crate) fn summary(text: Option<&Str>, value: impl Fn(&str) -> Option<i64>) -> String {
    let mut out = String::new();
    let mut rest = text.map_or("", Str::as_str);
    while let Some(at) = rest.find("{#") {
        out.push_str(&rest[..at]);
        let Some(end) = rest[at..].find('}') else {
            break;
        };
        let name = &rest[at + 2..at + end];
        match value(name) {
            Some(value) => out.push_str(&value.to_string()),
            None => out.push_str(&rest[at..=at + end]),
        }
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}
