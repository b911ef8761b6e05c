//! The cards that can be put into a deck, as a search finds them: all that decks are made of, or what lay in
//! packs.

use std::collections::{BTreeMap, BTreeSet};

use cw_octgn::{CardRef, FacetValue, PackageCard, Pool, PoolCard, QueryError, SearchedForm};

use crate::decks::offers_of;
use crate::library::{CardLibrary, CardWish, ShownFacet};

/// A card that can be put into a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderRow {
    /// The card, with what a pack has made of it.
    pub card: PoolCard,
    /// Its place among all cards.
    pub number: u32,
    /// How many there are of it.
    pub there: CardSupply,
}

/// How many copies of a card can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSupply {
    /// As many as the rules of decks allow: no pool is used.
    Free,
    /// As many as lay in the packs of a pool.
    Copies(u32),
    /// Any number: a pack of the pool gives it so (P113).
    Unlimited,
}

/// What a search in the builder has found.
#[derive(Debug)]
pub struct FoundRows {
    /// What was looked for.
    pub wish: CardWish,
    /// The cards.
    pub rows: Vec<BuilderRow>,
    /// By what they can be sorted out.
    pub facets: Vec<ShownFacet>,
    /// What to know about it.
    pub remarks: Vec<String>,
}

impl CardLibrary {
    /// The place of a card among all.
    pub fn number(&self, card: CardRef) -> u32 {
        let before = self.package().sets.iter().take(card.set as usize);
        let before: usize = before.map(|set| set.cards.len()).sum();
        u32::try_from(before)
            .unwrap_or(u32::MAX)
            .saturating_add(card.card)
    }

    /// The cards that a wish finds for a deck. Without a pool that is every card of every set that is not
    /// hidden (P26), the first of those with one id (P49). In a pool search and facets look at what packs
    /// have made of a card (P82, P114). A card is found by any of its forms.
    ///
    /// # Errors
    /// What is wrong with the query, and where.
    pub fn find_rows(&self, wish: &CardWish, pool: Option<&Pool>) -> Result<FoundRows, QueryError> {
        match pool {
            Some(pool) => self.rows_of_pool(wish, pool),
            None => self.rows_of_all(wish),
        }
    }

    fn rows_of_all(&self, wish: &CardWish) -> Result<FoundRows, QueryError> {
        let found = self.find(wish)?;
        let (package, index) = (self.package(), self.index());
        let mut seen = BTreeSet::new();
        let rows = found.places.iter().filter_map(|at| {
            let (card, number, _) = index.card(*at)?;
            let id = package.card(card).id.value;
            let is_first = package.card_by_id(id) == Some(card);
            (is_first && !package.set_of(card).hidden && seen.insert(number)).then_some(BuilderRow {
                card: PoolCard::plain(card),
                number,
                there: CardSupply::Free,
            })
        });
        Ok(FoundRows {
            wish: wish.clone(),
            rows: rows.collect(),
            facets: found.facets.clone(),
            remarks: found.remarks.clone(),
        })
    }

    fn rows_of_pool(&self, wish: &CardWish, pool: &Pool) -> Result<FoundRows, QueryError> {
        let query = self.query(&wish.text)?;
        let package = self.package();
        let facets = self.index().facets();
        let value_of = |card: PoolCard, facet: &cw_octgn::CardFacet| match facet.is_set() {
            true => Some(package.set_of(card.card).name.as_str()),
            false => card.text(package, &facet.name),
        };
        let has = |card: PoolCard, facet: &cw_octgn::CardFacet| {
            let wanted = wish.choices.get(&facet.name).filter(|wanted| !wanted.is_empty());
            wanted.is_none_or(|wanted| {
                value_of(card, facet).is_some_and(|text| facet.parts(text).any(|part| part == wanted))
            })
        };
        // In the order that the query says, and else as the pool has them.
        let offers = offers_of(pool);
        let cards: Vec<_> = offers.iter().map(|(card, _)| card.effective(package)).collect();
        // Each offer has a card of its own, and so is told by where that is.
        let found = query.select(
            offers
                .iter()
                .zip(&cards)
                .flat_map(|((of, _), card)| SearchedForm::all_of(package.set_of(of.card), card)),
        );
        let mut places: BTreeMap<*const PackageCard, usize> = BTreeMap::new();
        for (at, form) in found.iter().enumerate() {
            places.entry(std::ptr::from_ref(form.card)).or_insert(at);
        }
        let place = |card: &PackageCard| places.get(&std::ptr::from_ref(card)).copied();
        let mut fitting: Vec<(usize, PoolCard, Option<u32>)> = offers
            .iter()
            .zip(&cards)
            .filter_map(|((card, there), found)| Some((place(found)?, *card, *there)))
            .collect();
        fitting.sort_by_key(|(at, card, _)| (*at, *card));
        let shown = facets.iter().filter_map(|facet| {
            let others = || facets.iter().filter(|other| *other != facet);
            let left = fitting
                .iter()
                .filter(|(_, card, _)| others().all(|other| has(*card, other)));
            let mut counts: BTreeMap<(i64, &str), usize> = BTreeMap::new();
            for (_, card, there) in left {
                for part in value_of(*card, facet)
                    .into_iter()
                    .flat_map(|text| facet.parts(text))
                {
                    let order = part.parse().unwrap_or(i64::MAX);
                    *counts.entry((order, part)).or_default() += there.unwrap_or(1) as usize;
                }
            }
            let values = counts.into_iter().map(|((_, text), count)| FacetValue {
                text: text.to_owned(),
                count,
            });
            let values: Vec<FacetValue> = values.collect();
            let chosen = wish
                .choices
                .get(&facet.name)
                .filter(|value| !value.is_empty())
                .cloned();
            (values.len() > 1 || chosen.is_some()).then(|| ShownFacet {
                name: facet.name.clone(),
                is_set: facet.is_set(),
                chosen,
                values,
            })
        });
        let shown = shown.collect();
        fitting.retain(|(_, card, _)| facets.iter().all(|facet| has(*card, facet)));
        Ok(FoundRows {
            wish: wish.clone(),
            rows: fitting
                .into_iter()
                .map(|(_, card, there)| BuilderRow {
                    card,
                    number: self.number(card.card),
                    there: there.map_or(CardSupply::Unlimited, CardSupply::Copies),
                })
                .collect(),
            facets: shown,
            remarks: Vec::new(),
        })
    }
}
