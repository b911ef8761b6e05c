//! Verbs that move cards (F72–F79).

use super::{ChosenCard, VerbAct, VerbResult};
use crate::count::whole;
use crate::event::{NamedCard, cards as count_of};
use crate::place::pitch;
use crate::{
    ArrivalSpot, CardAt, CardGroup, CardSide, LookerSet, PileEnd, PileId, TableCardId, VerbCards, VerbRefusal,
};

impl VerbAct<'_> {
    /// Moves cards to another group, or within their own (F72).
    pub(crate) fn move_cards(
        &mut self,
        cards: &VerbCards,
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
    ) -> VerbResult {
        let chosen = self.own(cards)?;
        self.check_group(to)?;
        self.check_spot(to, spot)?;
        if cards.group == to {
            return self.move_within(&chosen, to, spot);
        }
        let words = self.by("moves ");
        let from = self.group_name(cards.group);
        let whereto = self.spot_name(to, spot);
        let named = self.carry(&chosen, to, spot, face, None);
        let down = if to == CardGroup::Table && face == Some(CardSide::Down) {
            ", face down"
        } else {
            ""
        };
        let words = words
            .cards(&named)
            .text(format!(" from {from} to {whereto}{down}"));
        self.tell("move", words);
        Ok(())
    }

    /// F72: into another's pile at its ends only.
    fn check_spot(&self, to: CardGroup, spot: ArrivalSpot) -> VerbResult {
        let CardGroup::Pile(pile) = to else {
            return Ok(());
        };
        let others = self.s.pile(pile).owner.is_some_and(|owner| owner != self.seat);
        match spot {
            ArrivalSpot::At(_) if others => Err(VerbRefusal::EndsOnly),
            // A pile without order has no places that a verb could name (D80).
            ArrivalSpot::At(_) if !self.s.pile(pile).kind(self.kit).ordered => {
                Err(VerbRefusal::Unordered(self.pile_name(pile)))
            }
            _ => Ok(()),
        }
    }

    /// F70: within a pile only places change; on the table the cards go to the front.
    fn move_within(&mut self, chosen: &[ChosenCard], group: CardGroup, spot: ArrivalSpot) -> VerbResult {
        let CardGroup::Pile(pile) = group else {
            let ids: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
            self.front(&ids, true);
            return Ok(());
        };
        // How the cards of a pile without order lie is each screen's own affair (D80).
        if !self.s.pile(pile).kind(self.kit).ordered {
            return Ok(());
        }
        let on_top = !self.s.arrives_last(self.kit, pile);
        for (at, chosen) in chosen.iter().enumerate() {
            self.s
                .reposition(self.kit, pile, chosen.id, nth(spot, at, on_top), chosen.told);
        }
        let words = self.by("reorders ").text(self.pile_name(pile));
        let words = words.text(format!(
            ": {} to {}",
            count_of(chosen.len()),
            self.spot_name(group, spot)
        ));
        self.tell("reorder", words);
        Ok(())
    }

    /// Moves cards into another group, keeping their order; says how each is named. Tokens cease (F69).
    pub(crate) fn carry(
        &mut self,
        chosen: &[ChosenCard],
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
        at: Option<(i32, i32)>,
    ) -> Vec<NamedCard> {
        let mut named = Vec::with_capacity(chosen.len());
        let mut ceased = Vec::new();
        let on_top = match to {
            CardGroup::Table => false,
            CardGroup::Pile(pile) => !self.s.arrives_last(self.kit, pile),
        };
        let step = pitch(self.kit.default_measures().width);
        let mut arrived = 0;
        // F71: whoever sees a card on the way only, as the next one of a pile whose top is shown, is not
        // told.
        let before: Vec<LookerSet> = chosen
            .iter()
            .map(|chosen| self.s.visible(self.kit, chosen.id) & self.s.having_handle(chosen.id))
            .collect();
        for (chosen, before) in chosen.iter().zip(before) {
            let id = chosen.id;
            let name = self.seen(id);
            if self.s.card(id).token {
                ceased.push(name.clone());
                named.push(name);
                self.s.remove(self.kit, id);
                self.gone += 1;
                continue;
            }
            let place = match to {
                CardGroup::Pile(_) => None,
                CardGroup::Table => Some(match at {
                    Some((x, y)) => (x.saturating_add(step * arrived), y),
                    None => self.s.free_place(self.kit, self.seat),
                }),
            };
            let moved = self.s.relocate(
                self.kit,
                id,
                to,
                nth(spot, usize::try_from(arrived).unwrap_or(0), on_top),
                face,
                chosen.told,
            );
            if let Some(place) = place {
                self.s.put(self.kit, id, place);
                let card = self.s.card(id);
                let here = (card.x, card.y);
                self.s.seat_mut(self.seat).last_place = Some(here);
            }
            arrived += 1;
            named.push(NamedCard {
                to: before | moved.followed,
                ..name
            });
        }
        for named in &mut named {
            if self.s.is_there(named.card) {
                named.to |= self.s.visible(self.kit, named.card);
            }
        }
        if !ceased.is_empty() {
            let words = match ceased.len() {
                1 => self.by("loses the token "),
                _ => self.by("loses the tokens "),
            };
            let words = words.cards(&ceased);
            self.tell("cease", words);
        }
        named
    }

    /// Puts cards on the table, or shifts them there with what is attached (F73).
    pub(crate) fn place(
        &mut self,
        cards: &VerbCards,
        (x, y): (i32, i32),
        face: Option<CardSide>,
    ) -> VerbResult {
        let chosen = match self.next_of(cards)? {
            Some(next) => vec![next],
            None => self.own(cards)?,
        };
        if cards.group != CardGroup::Table {
            let words = self.by("moves ");
            let from = self.group_name(cards.group);
            let named = self.carry(&chosen, CardGroup::Table, ArrivalSpot::Usual, face, Some((x, y)));
            let down = if face == Some(CardSide::Down) {
                ", face down"
            } else {
                ""
            };
            let words = words
                .cards(&named)
                .text(format!(" from {from} to the table{down}"));
            self.tell("move", words);
            return Ok(());
        }
        let ids: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
        if ids.iter().any(|id| self.s.card(*id).anchored) {
            return Err(VerbRefusal::Impossible("moving an anchored card"));
        }
        let first = self.s.card(ids[0]);
        let (dx, dy) = (x.saturating_sub(first.x), y.saturating_sub(first.y));
        let ids = self.with_attached(ids);
        for id in &ids {
            let card = self.s.card(*id);
            let goal = (card.x.saturating_add(dx), card.y.saturating_add(dy));
            self.s.put(self.kit, *id, goal);
        }
        let card = self.s.card(ids[0]);
        let here = (card.x, card.y);
        self.s.seat_mut(self.seat).last_place = Some(here);
        self.show("place", &ids);
        Ok(())
    }

    /// The card that drawing would take, where cards of a pile without order are taken by place: the first
    /// one. In a hand it would tell something of the hand.
    fn next_of(&self, cards: &VerbCards) -> Result<Option<ChosenCard>, VerbRefusal> {
        let (CardGroup::Pile(pile), [CardAt::Place(0)]) = (cards.group, &cards.cards[..]) else {
            return Ok(None);
        };
        self.check_group(cards.group)?;
        let is_hand = self.own_hand().is_ok_and(|hand| hand == pile);
        if self.s.pile(pile).kind(self.kit).ordered || is_hand {
            return Ok(None);
        }
        self.own_pile(pile)?;
        Ok(self.end_of(pile, PileEnd::Top, 1).pop())
    }

    /// F105: what is attached moves with its host.
    fn with_attached(&self, mut ids: Vec<TableCardId>) -> Vec<TableCardId> {
        let mut at = 0;
        while at < ids.len() {
            let host = ids[at];
            let attached = self
                .s
                .table
                .iter()
                .filter(|id| self.s.card(**id).host == Some(host));
            let new: Vec<TableCardId> = attached.filter(|id| !ids.contains(id)).copied().collect();
            ids.extend(new);
            at += 1;
        }
        ids
    }

    /// So many cards of an end of a pile, in order; fewer if it is shorter.
    pub(crate) fn end_of(&self, pile: PileId, end: PileEnd, count: u32) -> Vec<ChosenCard> {
        let cards = &self.s.pile(pile).cards;
        let count = whole(count).min(cards.len());
        let part = match end {
            PileEnd::Top => &cards[..count],
            PileEnd::Bottom => &cards[cards.len() - count..],
        };
        part.iter().map(|id| ChosenCard { id: *id, told: true }).collect()
    }

    pub(crate) fn check_count(&self, count: u32) -> VerbResult {
        if count == 0 {
            return Err(VerbRefusal::Zero);
        }
        if whole(count) > self.kit.limits.at_once {
            return Err(VerbRefusal::Limit("cards at once"));
        }
        Ok(())
    }

    /// D80: what lies last in a pile without order is what came last, and nobody is told that by drawing.
    fn check_end(&self, pile: PileId, end: PileEnd) -> VerbResult {
        if end == PileEnd::Bottom && !self.s.pile(pile).kind(self.kit).ordered {
            return Err(VerbRefusal::Unordered(self.pile_name(pile)));
        }
        Ok(())
    }

    /// Draws cards from an end of a pile into the seat's hand (F74).
    pub(crate) fn draw(&mut self, pile: PileId, count: u32, end: PileEnd) -> VerbResult {
        self.own_pile(pile)?;
        self.check_count(count)?;
        self.check_end(pile, end)?;
        let hand = self.own_hand()?;
        if hand == pile {
            return Err(VerbRefusal::Impossible("drawing from the hand"));
        }
        let drawn = self.draw_to(pile, count, end, hand);
        let from = match end {
            PileEnd::Top => self.pile_name(pile),
            PileEnd::Bottom => format!("the bottom of {}", self.pile_name(pile)),
        };
        let words = self.by("draws ").cards(&drawn).text(format!(" from {from}"));
        let short = if drawn.len() < whole(count) {
            format!(" ({count} were wanted)")
        } else {
            String::new()
        };
        self.tell("draw", words.text(short));
        Ok(())
    }

    pub(crate) fn draw_to(&mut self, pile: PileId, count: u32, end: PileEnd, hand: PileId) -> Vec<NamedCard> {
        let chosen = self.end_of(pile, end, count);
        self.carry(&chosen, CardGroup::Pile(hand), ArrivalSpot::Usual, None, None)
    }

    /// Moves all cards of a pile, in order or in random order (F75).
    pub(crate) fn move_all(
        &mut self,
        from: PileId,
        to: CardGroup,
        spot: ArrivalSpot,
        random: bool,
    ) -> VerbResult {
        self.own_pile(from)?;
        self.check_group(to)?;
        self.check_spot(to, spot)?;
        if CardGroup::Pile(from) == to {
            return Err(VerbRefusal::Impossible("moving a pile into itself"));
        }
        let mut ids = self.s.pile(from).cards.clone();
        if ids.is_empty() {
            return Err(VerbRefusal::NoCards);
        }
        if ids.len() > self.kit.limits.at_once {
            return Err(VerbRefusal::Limit("cards at once"));
        }
        if random {
            self.s.chance.shuffle(&mut ids);
        }
        let words = self.by("moves all ");
        let (name, whereto) = (self.pile_name(from), self.spot_name(to, spot));
        let count = ids.len();
        // Who sees the whole pile go sees where each card goes.
        let chosen: Vec<ChosenCard> = ids
            .iter()
            .map(|id| ChosenCard {
                id: *id,
                told: !random,
            })
            .collect();
        self.carry(&chosen, to, spot, None, None);
        // On the table everybody sees which card is which (F67).
        if random && to != CardGroup::Table {
            for id in ids {
                self.s.lose(id);
            }
        }
        let order = if random { ", in random order" } else { "" };
        let words = words.text(format!("{} of {name} to {whereto}{order}", count_of(count)));
        self.tell("move", words);
        Ok(())
    }

    /// Moves so many cards from the top or the bottom of a pile (F76).
    pub(crate) fn move_top(
        &mut self,
        pile: PileId,
        end: PileEnd,
        count: u32,
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
    ) -> VerbResult {
        self.own_pile(pile)?;
        self.check_count(count)?;
        self.check_end(pile, end)?;
        self.check_group(to)?;
        self.check_spot(to, spot)?;
        let chosen = self.end_of(pile, end, count);
        if CardGroup::Pile(pile) == to {
            if chosen.is_empty() {
                return Err(VerbRefusal::NoCards);
            }
            return self.move_within(&chosen, to, spot);
        }
        let (name, whereto) = (self.pile_name(pile), self.spot_name(to, spot));
        let which = match end {
            PileEnd::Top => "top",
            PileEnd::Bottom => "bottom",
        };
        let named = self.carry(&chosen, to, spot, face, None);
        let down = if to == CardGroup::Table && face == Some(CardSide::Down) {
            ", face down"
        } else {
            ""
        };
        let words = self.by("moves ").cards(&named);
        let words = words.text(format!(" from the {which} of {name} to {whereto}{down}"));
        self.tell("move", words);
        Ok(())
    }

    /// Turns over cards from the top of the seat's own pile until one matches (F77).
    pub(crate) fn move_until(&mut self, pile: PileId, property: &str, text: &str) -> VerbResult {
        self.own_pile(pile)?;
        if self.s.pile(pile).owner != Some(self.seat) {
            return Err(VerbRefusal::OwnerOnly);
        }
        let known = &self.kit.package.definition.properties;
        let mut names = known.iter().map(|known| known.name.as_str());
        let of_name = property.eq_ignore_ascii_case("name");
        let Some(property) = names
            .find(|known| known.eq_ignore_ascii_case(property))
            .or(of_name.then_some("Name"))
        else {
            let names = known.iter().map(|known| known.name.as_str());
            let names: Vec<&str> = std::iter::once("Name").chain(names).collect();
            let property = crate::state::plain(property, 80, "?");
            return Err(VerbRefusal::NoSuchProperty(property, names.join(", ")));
        };
        let wanted = text.to_lowercase();
        let mut turned = Vec::new();
        for id in self.s.pile(pile).cards.clone() {
            self.s.card_mut(id).shown = LookerSet::ALL;
            turned.push(id);
            let model = &self.s.card(id).model;
            let value = if of_name {
                Some(self.kit.name(model, 0))
            } else {
                self.kit.property(model, 0, property)
            };
            if value.is_some_and(|value| value.to_lowercase().contains(&wanted)) {
                break;
            }
        }
        let named = self.all_seen(&turned);
        let words = self.by("turns over ").cards(&named);
        let words = words.text(format!(
            " of {} until {} is “{}”",
            self.pile_name(pile),
            crate::state::plain(property, 80, "?"),
            crate::state::plain(text, 80, "?")
        ));
        self.tell("until", words);
        Ok(())
    }

    /// Shuffles a pile (F78).
    pub(crate) fn shuffle(&mut self, pile: PileId) -> VerbResult {
        self.own_pile(pile)?;
        self.mix(pile);
        Ok(())
    }

    pub(crate) fn mix(&mut self, pile: PileId) {
        let count = self.s.pile(pile).cards.len();
        self.s.shuffle(pile, 0..count);
        let words = self.by("shuffles ").text(self.pile_name(pile));
        self.tell("shuffle", words);
    }

    /// Shuffles so many cards at the top or the bottom of a pile (F79).
    pub(crate) fn shuffle_part(&mut self, pile: PileId, end: PileEnd, count: u32) -> VerbResult {
        self.own_pile(pile)?;
        self.check_count(count)?;
        if !self.s.pile(pile).kind(self.kit).ordered {
            return Err(VerbRefusal::Unordered(self.pile_name(pile)));
        }
        let all = self.s.pile(pile).cards.len();
        let count = whole(count).min(all);
        let (range, which) = match end {
            PileEnd::Top => (0..count, "top"),
            PileEnd::Bottom => (all - count..all, "bottom"),
        };
        self.s.shuffle(pile, range);
        let words = self.by(&format!("shuffles the {which} {} of ", count_of(count)));
        let words = words.text(self.pile_name(pile));
        self.tell("shuffle", words);
        Ok(())
    }
}

/// Where the n-th of several cards goes, so that they keep their order.
fn nth(spot: ArrivalSpot, n: usize, on_top: bool) -> ArrivalSpot {
    let n = i32::try_from(n).unwrap_or(i32::MAX);
    match spot {
        ArrivalSpot::Top => ArrivalSpot::At(n),
        ArrivalSpot::Usual if on_top => ArrivalSpot::At(n),
        ArrivalSpot::At(at) if at >= 0 => ArrivalSpot::At(at.saturating_add(n)),
        ArrivalSpot::Usual | ArrivalSpot::Bottom | ArrivalSpot::At(_) => spot,
    }
}
