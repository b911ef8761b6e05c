//! Verbs about who sees what (F80–F87).

use super::{VerbAct, VerbResult};
use crate::count::{short, whole};
use crate::event::cards as count_of;
use crate::state::Viewers;
use crate::{
    ArrivalSpot, CardGroup, LookerSet, PileEnd, PileId, PilePart, Protection, TableVerb, Then, VerbCards,
    VerbRefusal,
};

impl VerbAct<'_> {
    /// Opens a window for the seat on a pile or on one end of it, to look or to search (F80, F81).
    pub(crate) fn look(&mut self, pile: PileId, part: PilePart, verb: &TableVerb, word: &str) -> VerbResult {
        self.check_pile(pile)?;
        let what = match part {
            PilePart::All => String::new(),
            PilePart::End(PileEnd::Top, count) => format!("the top {} of ", count_of(whole(count))),
            PilePart::End(PileEnd::Bottom, count) => format!("the bottom {} of ", count_of(whole(count))),
        };
        if let PilePart::End(_, count) = part {
            self.check_count(count)?;
            if !self.s.pile(pile).kind(self.kit).ordered {
                return Err(VerbRefusal::Unordered(self.pile_name(pile)));
            }
        }
        let asked = format!("let them look at {what}{}", self.pile_name(pile));
        if !self.may_look(pile, verb, &asked)? {
            return Ok(());
        }
        let me = LookerSet::of(self.seat);
        let ids = match part {
            PilePart::All => {
                self.s.pile_mut(pile).whole |= me;
                self.s.pile(pile).cards.clone()
            }
            PilePart::End(end, count) => self
                .end_of(pile, end, count)
                .iter()
                .map(|chosen| chosen.id)
                .collect(),
        };
        self.s.pile_mut(pile).windows |= me;
        for id in ids {
            self.s.card_mut(id).lookers |= me;
        }
        let words = self.by(&format!("{word} {what}")).text(self.pile_name(pile));
        self.tell("look", words);
        Ok(())
    }

    /// The end of F80 and F81.
    pub(crate) fn close(&mut self, pile: PileId, shuffle: bool) -> VerbResult {
        self.check_pile(pile)?;
        let me = LookerSet::of(self.seat);
        if !self.s.pile(pile).windows.has(self.seat) {
            return Err(VerbRefusal::NotLooking);
        }
        // F81: a search of what is hidden ends so; else shuffling is for who acts on the pile (F60).
        let found = self.s.pile(pile);
        let hidden = matches!(found.viewers, Viewers::Nobody | Viewers::List(_));
        if shuffle && !(hidden && found.whole.has(self.seat)) {
            self.own_pile(pile)?;
        }
        let found = self.s.pile_mut(pile);
        found.windows = found.windows - me;
        found.whole = found.whole - me;
        for id in found.cards.clone() {
            let card = self.s.card_mut(id);
            card.lookers = card.lookers - me;
        }
        let words = self.by("stops looking at ").text(self.pile_name(pile));
        self.tell("look", words);
        if shuffle {
            self.mix(pile);
        }
        Ok(())
    }

    /// Puts cards of a pile that the seat sees to other places; the rest keep their order (F82).
    pub(crate) fn reorder(&mut self, cards: &VerbCards, places: &[u32]) -> VerbResult {
        let CardGroup::Pile(pile) = cards.group else {
            return Err(VerbRefusal::NotInPile);
        };
        self.check_pile(pile)?;
        if !self.s.pile(pile).kind(self.kit).ordered {
            return Err(VerbRefusal::Unordered(self.pile_name(pile)));
        }
        // In the order in which they are named, not in that of the pile.
        let mut named = Vec::new();
        let chosen = self.own(cards)?;
        for card in &cards.cards {
            named.push(self.chosen(cards.group, *card)?.id);
        }
        if !named
            .iter()
            .all(|id| self.s.visible(self.kit, *id).has(self.seat))
        {
            return Err(VerbRefusal::Unknown);
        }
        let count = self.s.pile(pile).cards.len();
        let mut goals: Vec<(u32, crate::TableCardId)> =
            places.iter().copied().zip(named.iter().copied()).collect();
        goals.sort_unstable();
        let distinct = goals.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let within = goals.iter().all(|(place, _)| whole(*place) < count);
        if places.len() != named.len() || !distinct || !within {
            return Err(VerbRefusal::Impossible("that order"));
        }
        let others: Vec<_> = self
            .s
            .pile(pile)
            .cards
            .iter()
            .filter(|id| !named.contains(id))
            .copied()
            .collect();
        let mut others = others.into_iter();
        let mut goals = goals.into_iter().peekable();
        let mut order = Vec::with_capacity(count);
        for place in 0..short(count) {
            match goals.next_if(|(goal, _)| *goal == place) {
                Some((_, id)) => order.push(id),
                None => order.extend(others.next()),
            }
        }
        self.s.pile_mut(pile).cards.clone_from(&order);
        // F156: what others remember of places is no longer certain.
        let me = LookerSet::of(self.seat);
        for id in order {
            let card = self.s.card_mut(id);
            card.tracked = card.tracked & me;
            card.remembered = card.remembered & me;
            self.s.scripts.lose_number(id);
        }
        let words = self.by(&format!("reorders {} of ", count_of(chosen.len())));
        let words = words.text(self.pile_name(pile));
        self.tell("reorder", words);
        Ok(())
    }

    /// Lets the seat alone see cards; the owner of what is hidden from it is asked (F83, D106).
    pub(crate) fn peek(&mut self, cards: &VerbCards, verb: &TableVerb) -> VerbResult {
        let me = LookerSet::of(self.seat);
        let all = self.own(cards)?;
        let ids: Vec<_> = all.iter().map(|chosen| chosen.id).collect();
        let of = self.group_name(cards.group);
        let what = format!("let them peek at {} of {of}", count_of(ids.len()));
        if !self.may_show(&ids, verb, &what)? {
            return Ok(());
        }
        for chosen in all {
            self.s.card_mut(chosen.id).peekers |= me;
            let named = self.seen(chosen.id);
            let place = match cards.group {
                CardGroup::Table => " on the table".to_owned(),
                CardGroup::Pile(pile) => {
                    let found = self.s.pile(pile);
                    let at = found.cards.iter().position(|id| *id == chosen.id).unwrap_or(0);
                    let name = self.pile_name(pile);
                    if found.kind(self.kit).ordered {
                        format!(" in {name}, place {} from the top", at + 1)
                    } else {
                        format!(" in {name}")
                    }
                }
            };
            let words = self.by("peeks at ").card(&named).text(place);
            self.tell("peek", words);
        }
        Ok(())
    }

    /// Shows cards to seats or spectators; the owner of what is hidden from the seat is asked (F84).
    pub(crate) fn reveal(&mut self, cards: &VerbCards, to: LookerSet, verb: &TableVerb) -> VerbResult {
        let chosen = self.own(cards)?;
        let ids: Vec<_> = chosen.iter().map(|chosen| chosen.id).collect();
        let what = format!(
            "let them show {} of {} to {}",
            count_of(ids.len()),
            self.group_name(cards.group),
            self.eyes_name(to)
        );
        if !self.may_show(&ids, verb, &what)? {
            return Ok(());
        }
        let mut named = Vec::new();
        for chosen in &chosen {
            self.s.card_mut(chosen.id).shown |= to;
            named.push(self.seen(chosen.id));
        }
        let words = self.by("shows ").cards(&named);
        let words = words.text(format!(
            " of {} to {}",
            self.group_name(cards.group),
            self.eyes_name(to)
        ));
        self.tell("reveal", words);
        Ok(())
    }

    /// The end of F84.
    pub(crate) fn hide(&mut self, cards: &VerbCards) -> VerbResult {
        let chosen = self.own(cards)?;
        for chosen in &chosen {
            self.s.card_mut(chosen.id).shown = LookerSet::NONE;
        }
        let words = self.by(&format!("hides {} of ", count_of(chosen.len())));
        let words = words.text(self.group_name(cards.group));
        self.tell("reveal", words);
        Ok(())
    }

    /// Picks cards of a pile at random, and shows or moves them (F85).
    pub(crate) fn random(&mut self, pile: PileId, count: u32, then: Then, verb: &TableVerb) -> VerbResult {
        self.own_pile(pile)?;
        self.check_count(count)?;
        if then == Then::Target {
            return Err(VerbRefusal::NotOnTable);
        }
        let mut cards = self.s.pile(pile).cards.clone();
        if cards.len() < whole(count) {
            return Err(VerbRefusal::Impossible("taking more cards than there are"));
        }
        let what = format!(
            "let them show {} of {}",
            count_of(whole(count)),
            self.pile_name(pile)
        );
        if then == Then::Show && !self.may_show_pile(pile, verb, &what)? {
            return Ok(());
        }
        let mut picked = Vec::new();
        for _ in 0..count {
            let at = self.s.chance.below(short(cards.len()), &[]);
            picked.push(cards.swap_remove(whole(at)));
        }
        let from = self.pile_name(pile);
        let (named, what) = match then {
            Then::Show | Then::Target => {
                for id in &picked {
                    self.s.card_mut(*id).shown = LookerSet::ALL;
                }
                (self.all_seen(&picked), "shows ".to_owned())
            }
            Then::Move(to) => {
                self.check_group(to)?;
                if to == CardGroup::Pile(pile) {
                    return Err(VerbRefusal::Impossible("moving a pile into itself"));
                }
                let chosen: Vec<_> = picked
                    .iter()
                    .map(|id| super::ChosenCard { id: *id, told: false })
                    .collect();
                let whereto = self.spot_name(to, ArrivalSpot::Usual);
                let named = self.carry(&chosen, to, ArrivalSpot::Usual, None, None);
                let words = self.by("moves ").cards(&named);
                let words = words.text(format!(" at random from {from} to {whereto}"));
                self.tell("random", words);
                return Ok(());
            }
        };
        let words = self.by(&what).cards(&named).text(format!(" of {from} at random"));
        self.tell("random", words);
        Ok(())
    }

    /// Sets who sees the cards of a pile (F86).
    pub(crate) fn set_viewers(&mut self, pile: PileId, viewers: Viewers, verb: &TableVerb) -> VerbResult {
        self.own_pile(pile)?;
        let what = format!("let them say who sees {}", self.pile_name(pile));
        if !self.may_show_pile(pile, verb, &what)? {
            return Ok(());
        }
        let found = self.s.pile_mut(pile);
        let added = |list: LookerSet| {
            if list.is_empty() {
                Viewers::Nobody
            } else {
                Viewers::List(list)
            }
        };
        found.viewers = match viewers {
            Viewers::List(list) => added(list),
            other => other,
        };
        let who = match found.viewers {
            Viewers::Nobody => "nobody".to_owned(),
            Viewers::Everybody => "everybody".to_owned(),
            Viewers::List(list) => self.eyes_name(list),
            Viewers::ByFace => "everybody, where the card lies face up".to_owned(),
        };
        let words = self
            .by("lets ")
            .text(self.pile_name(pile))
            .text(format!(" be seen by {who}"));
        self.tell("viewers", words);
        Ok(())
    }

    /// Keeps the top card of a pile shown to these, or no longer (F87).
    pub(crate) fn keep_top(&mut self, pile: PileId, to: LookerSet, verb: &TableVerb) -> VerbResult {
        self.own_pile(pile)?;
        let what = format!("let them say who sees the top card of {}", self.pile_name(pile));
        if !self.may_show_pile(pile, verb, &what)? {
            return Ok(());
        }
        self.s.pile_mut(pile).keep_top = to;
        let words = self.by(if to.is_empty() { "hides" } else { "keeps" });
        let words = words.text(" the top card of ").text(self.pile_name(pile));
        let shown = if to.is_empty() {
            String::new()
        } else {
            format!(" shown to {}", self.eyes_name(to))
        };
        self.tell("viewers", words.text(shown));
        Ok(())
    }

    /// Sets whether others may look into a pile that the seat owns (F16).
    pub(crate) fn protect(&mut self, pile: PileId, protection: Protection) -> VerbResult {
        self.check_pile(pile)?;
        if self.s.pile(pile).owner != Some(self.seat) {
            return Err(VerbRefusal::OwnerOnly);
        }
        let found = self.s.pile_mut(pile);
        found.protection = protection;
        found.granted = LookerSet::NONE;
        let how = match protection {
            Protection::Free => "looked into freely",
            Protection::Ask => "looked into after asking",
            Protection::Never => "looked into by nobody else",
        };
        let words = self
            .by("lets ")
            .text(self.pile_name(pile))
            .text(format!(" be {how}"));
        self.tell("viewers", words);
        Ok(())
    }
}
