//! The cards of a package as people look for them: what a search finds, how cards are sorted out, what there
//! is to know of one card.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cw_faces::Catalogue;
use cw_load::Loaded;
use cw_octgn::{
    Aliases, BigRational, Booster, CardIndex, CardQuery, CardRef, FacetChoice, FacetValue, Odds, Package,
    PickQuantity, QueryCompletion, QueryError, SearchedForm,
};
use cw_program::ModelId;

/// The cards of a package, to be searched.
pub struct CardLibrary {
    source: LibrarySource,
    aliases: Aliases,
    index: OnceLock<CardIndex>,
    /// What was found last: somebody who scrolls asks for the same again and again.
    recent: Mutex<VecDeque<(CardWish, Arc<FoundCards>)>>,
}

/// Where the cards come from, which says where their pictures are.
enum LibrarySource {
    /// Cards of duels.
    Duels(Arc<Loaded>, Arc<Catalogue>),
    /// Cards of free tables.
    Free(Arc<Package>),
}

/// Searches that are remembered.
const MOST_RECENT: usize = 8;

/// What somebody looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardWish {
    /// A query of the search language.
    pub text: String,
    /// Values of facets, by the facets' names.
    pub choices: BTreeMap<String, String>,
}

/// What a search has found.
#[derive(Debug)]
pub struct FoundCards {
    /// Places of forms, in order.
    pub places: Vec<u32>,
    /// Of each facet its name, and the values that can be chosen now.
    pub facets: Vec<ShownFacet>,
    /// What to know about it.
    pub remarks: Vec<String>,
}

/// A facet as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFacet {
    /// The name of the property.
    pub name: String,
    /// Whether these are the sets.
    pub is_set: bool,
    /// The value that is chosen.
    pub chosen: Option<String>,
    /// Its values among the cards that all other facets leave.
    pub values: Vec<FacetValue>,
}

/// How a card comes in a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct CardInPack {
    /// The set of the pack.
    pub set: String,
    /// The pack.
    pub pack: String,
    /// The chance of at least one copy, exactly; nothing where the pack is too large to say.
    pub at_least_one: Option<BigRational>,
    /// The copies that come in the mean.
    pub mean: Option<BigRational>,
    /// Whether any number may be taken.
    pub is_unlimited: bool,
    /// What the pack's include of the card overrides, for people.
    pub overrides: Vec<(String, String)>,
}

impl std::fmt::Debug for CardLibrary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CardLibrary").finish_non_exhaustive()
    }
}

impl CardLibrary {
    /// The cards of a package with duels.
    pub fn of_duels(loaded: Arc<Loaded>, catalogue: Arc<Catalogue>) -> CardLibrary {
        let aliases = loaded.project.config.search.aliases.clone();
        CardLibrary::new(LibrarySource::Duels(loaded, catalogue), aliases)
    }

    /// The cards of a package of free tables, with its short names of properties.
    pub fn of_free(package: Arc<Package>, aliases: Aliases) -> CardLibrary {
        CardLibrary::new(LibrarySource::Free(package), aliases)
    }

    fn new(source: LibrarySource, aliases: Aliases) -> CardLibrary {
        CardLibrary {
            source,
            aliases,
            index: OnceLock::new(),
            recent: Mutex::default(),
        }
    }

    /// The package.
    pub fn package(&self) -> &Package {
        match &self.source {
            LibrarySource::Duels(loaded, _) => &loaded.project.package,
            LibrarySource::Free(package) => package,
        }
    }

    /// The package with its rules, where duels are played with it.
    pub fn loaded(&self) -> Option<&Arc<Loaded>> {
        match &self.source {
            LibrarySource::Duels(loaded, _) => Some(loaded),
            LibrarySource::Free(_) => None,
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        match &self.source {
            LibrarySource::Duels(loaded, _) => loaded.project.name(),
            LibrarySource::Free(package) => &package.definition.name,
        }
    }

    /// The forms, laid out when somebody first looks for any.
    pub fn index(&self) -> &CardIndex {
        self.index.get_or_init(|| CardIndex::new(self.package()))
    }

    /// Which model a card is, where duels are played with it.
    pub fn model(&self, card: CardRef) -> Option<ModelId> {
        self.loaded()?.project.numbers().get(&card).copied()
    }

    /// Where the picture of a form is: `number` is the card's place among all, `form` 0 for its base form.
    pub fn picture(&self, card: CardRef, number: u32, form: u32, size: &str) -> String {
        let LibrarySource::Duels(_, catalogue) = &self.source else {
            return format!("/free/face/{number}/{form}/{size}");
        };
        let Some(model) = self.model(card) else {
            return "/face/back.svg".to_owned();
        };
        let printed = catalogue.printed(model);
        let Some(other) = form.checked_sub(1) else {
            return match printed.is_some_and(|printed| printed.picture.is_some()) {
                true => format!("/picture/{}", model.0),
                false => format!("/face/{}/{size}.svg", model.0),
            };
        };
        let own = printed.and_then(|printed| printed.alternates.get(other as usize));
        match own.is_some_and(|own| own.picture.is_some()) {
            true => format!("/picture/{}/{other}", model.0),
            false => format!("/face/{}/form/{other}.svg", model.0),
        }
    }

    /// What a wish finds.
    ///
    /// # Errors
    /// What is wrong with the query, and where.
    pub fn find(&self, wish: &CardWish) -> Result<Arc<FoundCards>, QueryError> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let known = recent()
            .iter()
            .find(|(known, _)| known == wish)
            .map(|(_, found)| Arc::clone(found));
        if let Some(known) = known {
            return Ok(known);
        }
        let query = self.query(&wish.text)?;
        let found = Arc::new(self.search(&query, wish));
        let mut recent = recent();
        recent.truncate(MOST_RECENT - 1);
        recent.push_front((wish.clone(), Arc::clone(&found)));
        Ok(found)
    }

    /// Understands a query.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn query(&self, text: &str) -> Result<CardQuery, QueryError> {
        CardQuery::parse_with(text, &self.package().definition, &self.aliases)
    }

    fn search(&self, query: &CardQuery, wish: &CardWish) -> FoundCards {
        let (package, index) = (self.package(), self.index());
        let chosen: Vec<Option<&String>> = index
            .facets()
            .iter()
            .map(|facet| wish.choices.get(&facet.name).filter(|value| !value.is_empty()))
            .collect();
        let without = |left_out: Option<usize>| -> Vec<FacetChoice> {
            let chosen = chosen.iter().enumerate();
            chosen
                .filter(|(at, _)| Some(*at) != left_out)
                .filter_map(|(at, value)| Some((at, (*value)?.clone())))
                .collect()
        };
        // Who asks for hidden cards by name gets them (P26 hides them where decks are built).
        let hidden = wish.text.contains("is:hidden");
        let places = index.select(package, query, hidden, &without(None));
        let facets = index.facets().iter().enumerate().map(|(at, facet)| ShownFacet {
            name: facet.name.clone(),
            is_set: facet.is_set(),
            chosen: chosen[at].cloned(),
            values: match chosen[at] {
                None => index.values(at, &places),
                Some(_) => index.values(at, &index.select(package, query, hidden, &without(Some(at)))),
            },
        });
        let facets = facets.collect();
        let mut remarks = match places.is_empty() {
            true => index.near_misses(package, query, hidden),
            false => Vec::new(),
        };
        // Remarks look at each card that is found; of very many nobody wants to know which lack something.
        if places.len() <= 2000 {
            let forms: Vec<SearchedForm<'_>> =
                places.iter().filter_map(|at| index.form(package, *at)).collect();
            remarks.extend(query.remarks(&forms));
        }
        FoundCards {
            places,
            facets,
            remarks,
        }
    }

    /// What can stand for the word that is being typed.
    pub fn complete(&self, text: &str) -> Vec<QueryCompletion> {
        self.index()
            .complete(&self.package().definition, &self.aliases, text)
    }

    /// The card at a place among all cards.
    pub fn card(&self, number: u32) -> Option<CardRef> {
        self.package().cards().nth(number as usize).map(|(card, _)| card)
    }

    /// The card before and the one after among those of sets that are not hidden.
    pub fn beside(&self, number: u32) -> [Option<(u32, CardRef)>; 2] {
        let package = self.package();
        let shown = || {
            let cards = (0u32..).zip(package.cards().map(|(card, _)| card));
            cards.filter(|(_, card)| !package.set_of(*card).hidden)
        };
        [
            shown().take_while(|(at, _)| *at < number).last(),
            shown().find(|(at, _)| *at > number),
        ]
    }

    /// In which packs a card comes, with the exact chances of each: packs of its set, and those that include
    /// it.
    pub fn packs_of(&self, card: CardRef) -> Vec<CardInPack> {
        let package = self.package();
        let id = package.card(card).id.value;
        let mut found = Vec::new();
        for (at, set) in package.sets.iter().enumerate() {
            for (number, pack) in set.packs.iter().enumerate() {
                let is_own = u32::try_from(at).is_ok_and(|at| at == card.set);
                if !is_own && !pack.includes.iter().any(|include| include.id.value == id) {
                    continue;
                }
                let booster = Booster::new(package, at, number);
                let wanted = |entry: u32| {
                    booster
                        .pool
                        .get(entry as usize)
                        .is_some_and(|entry| entry.card == card)
                };
                let (mut is_there, mut is_unlimited) = (false, false);
                booster.picks(&mut |pick| {
                    let has = pick.candidates.iter().any(|entry| wanted(*entry));
                    is_there |= has;
                    is_unlimited |= has && pick.quantity == PickQuantity::Unlimited;
                });
                if !is_there {
                    continue;
                }
                let copies = Odds::new(&booster).copies(&wanted).ok();
                let include = pack.includes.iter().find(|include| include.id.value == id);
                let overrides = include.into_iter().flat_map(|include| &include.properties);
                found.push(CardInPack {
                    set: set.name.to_string(),
                    pack: pack.name.to_string(),
                    at_least_one: copies.as_ref().map(|copies| copies.at_least(1)),
                    mean: copies.as_ref().map(cw_octgn::Distribution::mean),
                    is_unlimited,
                    overrides: overrides
                        .filter_map(|one| Some((one.name.to_string(), one.value.plain()?.to_owned())))
                        .collect(),
                });
            }
        }
        found
    }

    /// Other printings: cards of the same name in sets that are not hidden.
    pub fn printings(&self, card: CardRef) -> Vec<(u32, String)> {
        let package = self.package();
        let name = &package.card(card).name.value;
        let cards = (0u32..).zip(package.cards());
        cards
            .filter(|(_, (other, found))| {
                *other != card && found.name.value == *name && !package.set_of(*other).hidden
            })
            .map(|(number, (other, _))| (number, package.set_of(other).name.to_string()))
            .collect()
    }
}
