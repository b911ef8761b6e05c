//! Decks, packs and pools (F210–F217, F124).

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_octgn::{Booster, OpenedBooster, Opener};

use super::{VerbAct, VerbResult};
use crate::count::whole;
use crate::event::SentenceWords;
use crate::kit::Visibility;
use crate::{
    CardGroup, DeckList, DeckPart, LookerSet, PileId, TableCard, TableCardId, TableModel, VerbRefusal,
};

impl VerbAct<'_> {
    /// Loads a deck: puts its cards into the piles of its sections (F210).
    pub(crate) fn load(&mut self, deck: &Arc<DeckList>) -> VerbResult {
        self.check_deck(deck)?;
        self.put_deck(deck, |_| true)
    }

    /// Puts the cards of these parts into their piles.
    fn put_deck(&mut self, deck: &Arc<DeckList>, wanted: impl Fn(&DeckPart) -> bool) -> VerbResult {
        let mut into: Vec<(PileId, u64)> = Vec::new();
        for part in deck.parts.iter().filter(|part| wanted(part)) {
            let pile = self.pile_of_part(part)?;
            let owner = (!part.shared).then_some(self.seat);
            let controller = self.s.pile(pile).controller.or(owner);
            for (model, count) in &part.cards {
                for _ in 0..*count {
                    let mut card = TableCard::new(model.clone(), owner, CardGroup::Pile(pile));
                    card.controller = controller;
                    card.lookers = self.s.pile(pile).whole;
                    self.s.add(card);
                    self.made += 1;
                }
                match into.iter_mut().find(|(other, _)| *other == pile) {
                    Some((_, all)) => *all += u64::from(*count),
                    None => into.push((pile, u64::from(*count))),
                }
            }
        }
        self.s.seat_mut(self.seat).decks.push(Arc::clone(deck));
        let piles: Vec<String> = into
            .iter()
            .map(|(pile, count)| format!("{count} into {}", self.pile_name(*pile)))
            .collect();
        let sleeve = match deck.sleeve.as_deref() {
            Some(name) => format!(", sleeves {}", crate::state::plain(name, 80, "plain")),
            None => String::new(),
        };
        let name = crate::state::plain(&deck.name, 80, "a deck");
        let hash = self.deck_hash(deck);
        // Others learn how many cards, not which deck it is (F211).
        let words = self
            .by("loads a deck")
            .only(LookerSet::of(self.seat), format!(" “{name}”"))
            .text(format!(": {} (list {hash}{sleeve})", piles.join(", ")));
        self.tell("load", words);
        let seat = self.seat;
        let at = self.loaded.iter().position(|(of, _)| *of == seat);
        let at = at.unwrap_or_else(|| {
            self.loaded.push((seat, Vec::new()));
            self.loaded.len() - 1
        });
        let filled = &mut self.loaded[at].1;
        filled.extend(into.iter().filter(|(_, count)| *count > 0).map(|(pile, _)| *pile));
        filled.sort_unstable();
        filled.dedup();
        // S216: where the package's scripts hear of a loaded deck, shuffling is theirs.
        let loaded = crate::ScriptEvent::DeckLoaded(Vec::new());
        let scripts = self.running();
        let is_heard = scripts.is_some_and(|scripts| !loaded.heard_by(scripts, false).0.is_empty());
        if self.s.settings.shuffle_after_loading && !is_heard {
            for (pile, _) in into {
                if self.s.pile(pile).kind(self.kit).visibility == Visibility::None {
                    self.mix(pile);
                }
            }
        }
        Ok(())
    }

    fn pile_of_part(&self, part: &DeckPart) -> Result<PileId, VerbRefusal> {
        let no_pile = || VerbRefusal::NoPileForSection(part.section.clone());
        let kind = usize::from(part.pile.ok_or_else(no_pile)?);
        let kinds = if part.shared {
            self.kit.shared_piles.len()
        } else {
            self.kit.piles.len()
        };
        if kind >= kinds {
            return Err(no_pile());
        }
        Ok(if part.shared {
            PileId::at(kind)
        } else {
            self.s.pile_of(self.kit, self.seat, kind)
        })
    }

    fn check_deck(&self, deck: &DeckList) -> VerbResult {
        if deck.parts.is_empty() {
            let name = crate::state::plain(&deck.name, 80, "a deck");
            return Err(VerbRefusal::EmptyDeck(name));
        }
        let room = self.kit.limits.cards.saturating_sub(self.s.cards().count());
        if usize::try_from(deck.count()).map_or(true, |count| count > room) {
            return Err(VerbRefusal::Limit("cards"));
        }
        let mut models = deck.parts.iter().flat_map(|part| &part.cards);
        if !models.all(|(model, _)| self.kit.knows(model)) {
            return Err(VerbRefusal::NoSuchModel);
        }
        // F210: shared sections are loaded once, by any seat.
        let loaded = self
            .s
            .seats
            .iter()
            .flat_map(|seat| &seat.decks)
            .any(|deck| has_shared(deck));
        if has_shared(deck) && loaded {
            return Err(VerbRefusal::SharedLoaded);
        }
        Ok(())
    }

    /// Equal lists have equal digests, at this table only (F215).
    fn deck_hash(&self, deck: &DeckList) -> String {
        let mut counts: BTreeMap<(&str, bool, &TableModel), u64> = BTreeMap::new();
        for part in &deck.parts {
            for (model, count) in &part.cards {
                *counts.entry((&part.section, part.shared, model)).or_insert(0) += u64::from(*count);
            }
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.s.salt.to_le_bytes());
        for ((section, shared, model), count) in counts {
            hasher.update(format!("{section:?} {shared} {model:?} {count};").as_bytes());
        }
        hasher.finalize().to_hex()[..6].to_owned()
    }

    /// F216: everything that the seat owns. Shared cards that it brought are nobody's and stay.
    pub(crate) fn clear(&mut self) -> VerbResult {
        let count = self.remove_own();
        let decks = &mut self.s.seat_mut(self.seat).decks;
        decks.retain(|deck| has_shared(deck));
        for deck in decks {
            Arc::make_mut(deck).parts.retain(|part| part.shared);
        }
        let words = self.by(&format!("takes away all their cards: {count}"));
        self.tell("clear", words);
        Ok(())
    }

    fn remove_own(&mut self) -> usize {
        let me = self.seat;
        let own: Vec<TableCardId> = self
            .s
            .cards()
            .filter(|(_, card)| card.owner == Some(me))
            .map(|(id, _)| id)
            .collect();
        for id in &own {
            self.s.remove(self.kit, *id);
        }
        self.gone += own.len();
        own.len()
    }

    /// F124: the same cards in other sections, before anything else was done. Shared sections hold nobody's
    /// cards: they stay as they are, whether the list names them or not.
    pub(crate) fn sideboard(&mut self, deck: &Arc<DeckList>) -> VerbResult {
        let seat = self.s.seat(self.seat);
        if !seat.untouched || seat.decks.is_empty() {
            return Err(VerbRefusal::Touched);
        }
        let count = |decks: &[Arc<DeckList>], shared: bool, by_section: bool| {
            let mut counts: BTreeMap<(String, TableModel), u64> = BTreeMap::new();
            let parts = decks.iter().flat_map(|deck| &deck.parts);
            for part in parts.filter(|part| part.shared == shared) {
                for (model, count) in &part.cards {
                    let section = if by_section {
                        part.section.clone()
                    } else {
                        String::new()
                    };
                    *counts.entry((section, model.clone())).or_insert(0) += u64::from(*count);
                }
            }
            counts
        };
        let old = seat.decks.clone();
        let new = [Arc::clone(deck)];
        if count(&old, false, false) != count(&new, false, false) {
            return Err(VerbRefusal::Impossible(
                "taking cards that the deck does not have",
            ));
        }
        if has_shared(deck) && count(&old, true, true) != count(&new, true, true) {
            return Err(VerbRefusal::Impossible("exchanging shared cards"));
        }
        let (before, after) = (count(&old, false, true), count(&new, false, true));
        let moved: u64 = after
            .iter()
            .map(|(key, count)| count.saturating_sub(before.get(key).copied().unwrap_or(0)))
            .sum();
        self.remove_own();
        self.s.seat_mut(self.seat).decks.clear();
        let words = self.by(&format!(
            "exchanges {} between sections",
            crate::event::cards(usize::try_from(moved).unwrap_or(usize::MAX))
        ));
        self.tell("sideboard", words);
        let mut whole = DeckList {
            name: deck.name.clone(),
            sleeve: deck.sleeve.clone(),
            parts: Vec::new(),
        };
        whole
            .parts
            .extend(deck.parts.iter().filter(|part| !part.shared).cloned());
        let shared = old.iter().flat_map(|deck| &deck.parts);
        whole.parts.extend(shared.filter(|part| part.shared).cloned());
        self.check_deck(&whole)?;
        self.put_deck(&Arc::new(whole), |part| !part.shared)
    }

    /// F217: every seat opens the same packs, each with its own luck.
    pub(crate) fn open_packs(&mut self, packs: &[(u32, u32)]) -> VerbResult {
        if packs.is_empty() || packs.len() > 100 {
            return Err(VerbRefusal::Limit("packs"));
        }
        let package = Arc::clone(&self.kit.package);
        let mut names = Vec::new();
        let mut boosters = Vec::new();
        for (set, pack) in packs {
            let found = package
                .sets
                .get(whole(*set))
                .and_then(|found| found.packs.get(whole(*pack)));
            let found = found.ok_or(VerbRefusal::Impossible("opening a pack that is not there"))?;
            names.push(found.name.to_string());
            boosters.push(Booster::new(&package, whole(*set), whole(*pack)));
        }
        let mut seeds = Vec::new();
        for seat in self.s.seat_ids() {
            let seed = self.bits();
            seeds.push(seed);
            let mut chance = cw_octgn::PackChance::new(seed);
            for booster in &boosters {
                let mut opened = OpenedBooster::default();
                Opener::new(booster).open(&mut chance, &mut opened);
                let model =
                    |drawn: &cw_octgn::DrawnCard| self.kit.model_of(booster.pool[whole(drawn.entry)].card);
                let limited: Vec<TableModel> = opened.limited.iter().filter_map(model).collect();
                let unlimited: Vec<TableModel> = opened.unlimited.iter().filter_map(model).collect();
                let own = self.s.seat_mut(seat);
                if own.pool.len() + limited.len() > self.kit.limits.cards {
                    return Err(VerbRefusal::Limit("cards of a pool"));
                }
                own.pool.extend(limited);
                for model in unlimited {
                    if !own.pool_unlimited.contains(&model) {
                        own.pool_unlimited.push(model);
                    }
                }
            }
        }
        let words = self.by(&format!(
            "opens {} for every seat: {}; the seed is committed to as {}",
            cw_text::count(names.len(), "pack"),
            names.join(", "),
            commitment(&seeds)
        ));
        self.tell("packs", words);
        self.s.pack_seeds.push(seeds);
        Ok(())
    }

    /// F217: at the end everybody can see that the packs were what the table had settled on before.
    pub(crate) fn open_seeds(&mut self) {
        // F133: what was opened stays known.
        self.is_final |= !self.s.pack_seeds.is_empty();
        for seeds in std::mem::take(&mut self.s.pack_seeds) {
            let words = format!(
                "The seed of the packs was {}; its BLAKE3 digest is {}",
                hex(&seeds),
                commitment(&seeds)
            );
            self.tell("packs", SentenceWords::new(words));
        }
    }

    /// F217: the rest of the pool goes to the sideboard, if the package has such a section.
    pub(crate) fn build_deck(&mut self, deck: &Arc<DeckList>) -> VerbResult {
        self.check_deck(deck)?;
        let seat = self.s.seat(self.seat);
        // A card of the pool is in the deck or in the sideboard, not in a second deck too.
        let mut parts = seat.decks.iter().flat_map(|deck| &deck.parts);
        if parts.any(|part| !part.shared) {
            return Err(VerbRefusal::Impossible(
                "building a deck beside another, without `clear`,",
            ));
        }
        let mut left = seat.pool.clone();
        for (model, count) in deck.parts.iter().flat_map(|part| &part.cards) {
            for _ in 0..*count {
                match left.iter().position(|own| own == model) {
                    Some(at) => {
                        left.swap_remove(at);
                    }
                    None if seat.pool_unlimited.contains(model) => {}
                    None => return Err(VerbRefusal::NotInPool),
                }
            }
        }
        let mut whole = (**deck).clone();
        let name = "Sideboard";
        if let Some(pile) = self.kit.section(name, false)
            && !left.is_empty()
        {
            left.sort();
            whole.parts.push(DeckPart {
                section: name.to_owned(),
                shared: false,
                pile: u16::try_from(pile).ok(),
                cards: left.into_iter().map(|model| (model, 1)).collect(),
            });
        }
        self.load(&Arc::new(whole))
    }

    /// Shows the list of the seat's decks to other seats or spectators (F215).
    pub(crate) fn show_deck(&mut self, to: LookerSet) -> VerbResult {
        let decks = &self.s.seat(self.seat).decks;
        if decks.is_empty() {
            return Err(VerbRefusal::NoDeck);
        }
        let mut list = Vec::new();
        for part in decks.iter().flat_map(|deck| &deck.parts) {
            let cards = part
                .cards
                .iter()
                .map(|(model, count)| format!("{count} × {}", self.kit.name(model, 0)));
            list.push(format!(
                "{}: {}",
                part.section,
                cards.collect::<Vec<_>>().join(", ")
            ));
        }
        let me = LookerSet::of(self.seat);
        let words = self.by(&format!("shows the deck list to {}", self.eyes_name(to)));
        let words = words.only(to | me, format!(": {}", list.join("; ")));
        self.tell("deck", words);
        Ok(())
    }
}

fn has_shared(deck: &DeckList) -> bool {
    deck.parts
        .iter()
        .any(|part| part.shared && !part.cards.is_empty())
}

/// The seeds of all seats, one after the other.
fn hex(seeds: &[u64]) -> String {
    seeds.iter().map(|seed| format!("{seed:016x}")).collect()
}

/// What is told of seeds before they are: the digest of their bytes.
fn commitment(seeds: &[u64]) -> String {
    let mut hasher = blake3::Hasher::new();
    for seed in seeds {
        hasher.update(&seed.to_be_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
