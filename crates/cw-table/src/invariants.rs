//! What holds after every step (F206). One function for each.

use crate::eyes::LOOKERS;
use crate::{CardGroup, Kit, LookerSet, TableCardId, TableState};

impl TableState {
    /// The first invariant that does not hold, in words.
    pub fn broken(&self, kit: &Kit) -> Option<String> {
        let checks: [fn(&TableState, &Kit) -> Option<String>; 6] =
            [places, piles_bare, handles, memories, marks, limits];
        checks.iter().find_map(|check| check(self, kit))
    }
}

/// Each card is in exactly one place, and says which.
fn places(state: &TableState, _: &Kit) -> Option<String> {
    let mut times = vec![0u8; state.cards.len()];
    let mut lists: Vec<(CardGroup, &[TableCardId])> = vec![(CardGroup::Table, &state.table)];
    for (at, pile) in state.piles.iter().enumerate() {
        lists.push((CardGroup::Pile(crate::PileId::at(at)), &pile.cards));
    }
    for (group, list) in lists {
        for id in list {
            let Some(Some(card)) = state.cards.get(id.index()) else {
                return Some(format!("{id:?} is listed and is no card"));
            };
            if card.group != group {
                return Some(format!("{id:?} is listed in another group than its own"));
            }
            times[id.index()] = times[id.index()].saturating_add(1);
        }
    }
    let wrong = state.cards().find(|(id, _)| times[id.index()] != 1)?;
    Some(format!("{:?} lies in {} places", wrong.0, times[wrong.0.index()]))
}

/// No mark on a card in a pile, and no token there.
fn piles_bare(state: &TableState, _: &Kit) -> Option<String> {
    let marked = state.cards().find(|(_, card)| {
        let bare = card.markers.is_empty()
            && card.highlight.is_none()
            && card.filter.is_none()
            && card.target.is_none()
            && card.note.is_none()
            && card.host.is_none()
            && !(card.anchored || card.locked || card.token)
            && card.maker.is_none()
            && card.form == 0
            && card.quarter.quarters() == 0;
        card.group != CardGroup::Table && !bare
    })?;
    Some(format!("{:?} carries marks in a pile", marked.0))
}

/// Handles are unique in each view, and there for all that the view can tell apart.
fn handles(state: &TableState, kit: &Kit) -> Option<String> {
    for looker in (0..state.seats.len()).chain([LOOKERS - 1]) {
        let of = &state.handles[looker].of;
        let mut given: Vec<u32> = of.iter().copied().filter(|handle| *handle != 0).collect();
        given.sort_unstable();
        if given.windows(2).any(|pair| pair[0] == pair[1]) {
            return Some(format!("looker {looker} has a handle twice"));
        }
        for (index, handle) in of.iter().enumerate() {
            let card = state.cards.get(index).and_then(Option::as_ref);
            let told_apart = card.is_some_and(|card| {
                let id = TableCardId::at(index);
                card.group == CardGroup::Table || (state.visible(kit, id) | card.tracked).has_index(looker)
            });
            if told_apart != (*handle != 0) {
                return Some(format!("looker {looker} has no right handle for card {index}"));
            }
        }
    }
    None
}

/// Who remembers a card can follow it; both are of piles only.
fn memories(state: &TableState, _: &Kit) -> Option<String> {
    let wrong = state.cards().find(|(_, card)| {
        let on_table = card.group == CardGroup::Table;
        !card.remembered.within(card.tracked) || (on_table && card.tracked != LookerSet::NONE)
    })?;
    Some(format!("{:?} is remembered where it cannot be", wrong.0))
}

/// Arrows and attachments join cards on the table; markers are counted.
fn marks(state: &TableState, kit: &Kit) -> Option<String> {
    let on_table = |id: &TableCardId| {
        let card = state.cards.get(id.index()).and_then(Option::as_ref);
        card.is_some_and(|card| card.group == CardGroup::Table)
    };
    if !state
        .arrows
        .iter()
        .all(|(_, from, to)| on_table(from) && on_table(to))
    {
        return Some("an arrow ends in nothing".to_owned());
    }
    for (id, card) in state.cards() {
        if card.host.is_some_and(|host| !on_table(&host)) {
            return Some(format!("{id:?} is attached to nothing"));
        }
        let counted = card
            .markers
            .iter()
            .all(|(kind, count)| *count > 0 && usize::from(*kind) < kit.markers.len());
        if !counted {
            return Some(format!("{id:?} has markers without number or kind"));
        }
    }
    None
}

/// Nothing is above its limit (F200).
fn limits(state: &TableState, kit: &Kit) -> Option<String> {
    let limits = kit.limits;
    let most = limits.position;
    let counts = [
        ("cards", state.cards().count(), limits.cards),
        ("arrows", state.arrows.len(), limits.arrows),
        ("notes", state.notes.len(), limits.notes),
        ("seats", state.seats.len(), limits.seats),
    ];
    if let Some((what, ..)) = counts.iter().find(|(_, count, limit)| count > limit) {
        return Some(format!("too many {what}"));
    }
    let far = state
        .cards()
        .find(|(_, card)| card.x.abs() > most || card.y.abs() > most)?;
    Some(format!("{:?} lies too far away", far.0))
}
