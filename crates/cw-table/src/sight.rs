//! Who knows which card, and who can follow it.
//!
//! [`TableState::visible`] says who sees a face now; `tracked` and `remembered` of a card say what a looker
//! has kept from seeing it go where it lies (F156). `relocate` and `shuffle` are the only places that change
//! either.

use crate::count::whole;
use crate::eyes::LOOKERS;
use crate::state::Viewers;
use crate::{
    ArrivalSpot, CardGroup, CardSide, Kit, Looker, LookerSet, PileId, Quarter, TableCard, TableCardId,
    TableState,
};

/// What became of a card that was moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// Who remembered its face and saw it go.
    pub(crate) followed: LookerSet,
}

impl TableState {
    /// Who sees a card's face where it lies (F52).
    pub fn visible(&self, kit: &Kit, id: TableCardId) -> LookerSet {
        let card = self.card(id);
        let own = card.peekers | card.lookers | card.shown;
        let CardGroup::Pile(pile) = card.group else {
            return if card.face == CardSide::Up {
                LookerSet::ALL
            } else {
                own
            };
        };
        let top = self.pile(pile).cards.first() == Some(&id);
        self.visible_in(kit, pile, card, top)
    }

    fn visible_in(&self, kit: &Kit, pile: PileId, card: &TableCard, top: bool) -> LookerSet {
        let pile = self.pile(pile);
        let mut eyes = card.peekers | card.lookers | card.shown;
        match pile.viewers {
            Viewers::Nobody => {}
            Viewers::Everybody => eyes = LookerSet::ALL,
            Viewers::List(list) => eyes |= list,
            Viewers::ByFace if card.face == CardSide::Up => eyes = LookerSet::ALL,
            Viewers::ByFace => {}
        }
        if top {
            eyes |= pile.keep_top;
        }
        if self.settings.spectators_see_hands {
            let hand = kit.hand == Some(usize::from(pile.kind));
            let owner = pile.owner.is_some_and(|owner| eyes.has(owner));
            if (hand && owner) || !card.lookers.is_empty() {
                eyes |= LookerSet::SPECTATORS;
            }
        }
        eyes
    }

    /// Whoever sees a card has seen it (F157).
    pub(crate) fn look_around(&mut self, kit: &Kit) {
        for index in 0..self.cards.len() {
            if self.cards[index].is_some() {
                let id = TableCardId::at(index);
                let seen = self.visible(kit, id);
                self.card_mut(id).seen |= seen;
            }
        }
    }

    /// Who knows what a card is: who sees it, and who saw it go where it lies.
    pub fn known(&self, kit: &Kit, id: TableCardId) -> LookerSet {
        self.visible(kit, id) | self.card(id).remembered
    }

    /// Whether a looker knows what a card is.
    pub fn knows(&self, kit: &Kit, looker: impl Into<Looker>, id: TableCardId) -> bool {
        self.known(kit, id).has(looker)
    }

    /// The handle that a looker has for a card, 0 if none (F151).
    pub fn handle(&self, looker: Looker, card: TableCardId) -> u32 {
        let index = match looker {
            Looker::Seat(seat) => seat.index(),
            Looker::Spectators => LOOKERS - 1,
            Looker::Referee => return u32::from(card.0) + 1,
        };
        self.handles[index].of.get(card.index()).copied().unwrap_or(0)
    }

    /// The card that a looker calls so.
    pub fn by_handle(&self, looker: Looker, handle: u32) -> Option<TableCardId> {
        let index = match looker {
            Looker::Seat(seat) => seat.index(),
            Looker::Spectators => LOOKERS - 1,
            Looker::Referee => return None,
        };
        if handle == 0 {
            return None;
        }
        let at = self.handles[index].of.iter().position(|own| *own == handle)?;
        Some(TableCardId::at(at))
    }

    /// Moves a card into another group (F66–F68). `told`: everybody is told its place in an ordered pile that
    /// it leaves.
    pub(crate) fn relocate(
        &mut self,
        kit: &Kit,
        id: TableCardId,
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
        told: bool,
    ) -> Moved {
        let from = self.card(id).group;
        let before = self.visible(kit, id);
        let remembered = self.card(id).remembered;
        let follow = match from {
            CardGroup::Table => LookerSet::ALL,
            CardGroup::Pile(pile) => {
                let ordered = self.pile(pile).kind(kit).ordered;
                if told && ordered { LookerSet::ALL } else { before }
            }
        };
        self.take_out(id);
        self.strip(kit, id, to, face);
        self.put_in(kit, id, to, spot);
        let after = self.visible(kit, id);
        if let CardGroup::Pile(pile) = from {
            self.doubt(kit, pile, id, LookerSet::ALL - follow, after);
        }
        // Who cannot follow it sees another card arrive.
        for looker in 0..LOOKERS {
            if !follow.has_index(looker) {
                self.drop_handle(looker, id);
            }
        }
        let knew = follow & (before | remembered);
        let had = self.having_handle(id);
        let ordered = match to {
            CardGroup::Table => None,
            CardGroup::Pile(pile) => Some(self.pile(pile).kind(kit).ordered),
        };
        let card = self.card_mut(id);
        (card.tracked, card.remembered) = match ordered {
            None => (LookerSet::NONE, LookerSet::NONE),
            Some(true) => (follow & had, knew & had),
            Some(false) => (knew & had, knew & had),
        };
        card.seen |= after;
        if to == CardGroup::Table {
            // Who lays a card down knowing it has seen it (F157).
            card.seen |= knew;
        }
        Moved {
            followed: follow & remembered,
        }
    }

    /// These lookers do not know which card left a pile: what they remember of it is no
    /// longer certain (F152).
    fn doubt(&mut self, kit: &Kit, pile: PileId, gone: TableCardId, lookers: LookerSet, revealed: LookerSet) {
        let ordered = self.pile(pile).kind(kit).ordered;
        let left = self.card(gone);
        let (model, owner) = (left.model.clone(), left.owner);
        for id in self.pile(pile).cards.clone() {
            let card = self.card_mut(id);
            // A face that is seen leaving a pile without order is one of those remembered there.
            let same = card.model == model && card.owner == owner;
            let doubtful = if ordered || same {
                lookers
            } else {
                lookers - revealed
            };
            card.tracked = card.tracked - doubtful;
            card.remembered = card.remembered - doubtful;
        }
    }

    fn take_out(&mut self, id: TableCardId) {
        let list = match self.card(id).group {
            CardGroup::Table => &mut self.table,
            CardGroup::Pile(pile) => &mut self.piles[pile.index()].cards,
        };
        list.retain(|other| *other != id);
    }

    fn put_in(&mut self, kit: &Kit, id: TableCardId, to: CardGroup, spot: ArrivalSpot) {
        let last = match to {
            CardGroup::Table => true,
            CardGroup::Pile(pile) => self.arrives_last(kit, pile),
        };
        // D80: no verb names a place in a pile without order.
        let spot = match to {
            CardGroup::Pile(pile) if !self.pile(pile).kind(kit).ordered => ArrivalSpot::Usual,
            CardGroup::Pile(_) | CardGroup::Table => spot,
        };
        let list = match to {
            CardGroup::Table => &mut self.table,
            CardGroup::Pile(pile) => &mut self.piles[pile.index()].cards,
        };
        let at = match spot {
            ArrivalSpot::Usual if last => list.len(),
            ArrivalSpot::Usual | ArrivalSpot::Top => 0,
            ArrivalSpot::Bottom => list.len(),
            // F68: beyond the end means the end, negative ones count from the end.
            ArrivalSpot::At(at) if at < 0 => (list.len() + 1).saturating_sub(whole(at.unsigned_abs())),
            ArrivalSpot::At(at) => whole(at.unsigned_abs()).min(list.len()),
        };
        list.insert(at, id);
        self.card_mut(id).group = to;
    }

    /// Whether cards usually arrive last: in hands and in piles without order (F68).
    pub(crate) fn arrives_last(&self, kit: &Kit, pile: PileId) -> bool {
        let found = self.pile(pile);
        let hand = found.owner.is_some() && kit.hand == Some(usize::from(found.kind));
        hand || !found.kind(kit).ordered
    }

    /// Moves a card within its pile, which is ordered. `told`: everybody is told where it was; where it goes
    /// is always said (F70).
    pub(crate) fn reposition(
        &mut self,
        kit: &Kit,
        pile: PileId,
        id: TableCardId,
        spot: ArrivalSpot,
        told: bool,
    ) {
        let before = self.visible(kit, id);
        let follow = if told { LookerSet::ALL } else { before };
        let remembered = self.card(id).remembered;
        self.take_out(id);
        self.put_in(kit, id, CardGroup::Pile(pile), spot);
        self.doubt(kit, pile, id, LookerSet::ALL - follow, LookerSet::NONE);
        let lost = LookerSet::ALL - follow - self.visible(kit, id);
        for looker in 0..LOOKERS {
            if lost.has_index(looker) {
                self.drop_handle(looker, id);
            }
        }
        let had = self.having_handle(id);
        let card = self.card_mut(id);
        card.tracked = (card.tracked | before) & follow & had;
        card.remembered = (remembered | before) & follow & had;
    }

    /// Who could tell the card from others when the step began, and still can.
    pub(crate) fn having_handle(&self, id: TableCardId) -> LookerSet {
        (0..LOOKERS)
            .filter(|looker| {
                self.handles[*looker]
                    .of
                    .get(id.index())
                    .is_some_and(|own| *own != 0)
            })
            .fold(LookerSet::NONE, |eyes, looker| eyes | LookerSet::index(looker))
    }

    /// F66: what a card loses with its group.
    fn strip(&mut self, kit: &Kit, id: TableCardId, to: CardGroup, face: Option<CardSide>) {
        let controller = match to {
            CardGroup::Table => None,
            CardGroup::Pile(pile) => self.pile(pile).controller,
        };
        let by_face = match to {
            CardGroup::Table => CardSide::Up,
            // F12: loaded or moved without a word, it is face down where the pile sets no face.
            CardGroup::Pile(_) => CardSide::Down,
        };
        let _ = kit;
        self.scripts.forget(id);
        let card = self.card_mut(id);
        card.form = 0;
        card.quarter = Quarter::Zero;
        card.markers.clear();
        card.highlight = None;
        card.filter = None;
        card.target = None;
        card.anchored = false;
        card.locked = false;
        card.host = None;
        card.note = None;
        card.maker = None;
        card.peekers = LookerSet::NONE;
        card.lookers = LookerSet::NONE;
        card.shown = LookerSet::NONE;
        card.seen = LookerSet::NONE;
        card.face = face.unwrap_or(by_face);
        card.controller = controller.or(card.controller);
        (card.x, card.y, card.far) = (0, 0, false);
        self.arrows.retain(|(_, from, to)| *from != id && *to != id);
        for other in self.cards.iter_mut().flatten() {
            if other.host == Some(id) {
                other.host = None;
            }
        }
        // A window on the whole pile shows what arrives (F80).
        if let CardGroup::Pile(pile) = to {
            let whole = self.pile(pile).whole;
            self.card_mut(id).lookers = whole;
        }
    }

    /// Mixes these places of a pile (F78, F79): nobody can follow any of the cards (F153).
    pub(crate) fn shuffle(&mut self, pile: PileId, range: std::ops::Range<usize>) {
        let cards = &mut self.piles[pile.index()].cards;
        let range = range.start.min(cards.len())..range.end.min(cards.len());
        self.chance.shuffle(&mut cards[range.clone()]);
        for at in range {
            self.lose(self.pile(pile).cards[at]);
        }
    }

    /// Nobody can follow a card any more, and nobody is shown it by itself.
    pub(crate) fn lose(&mut self, id: TableCardId) {
        let card = self.card_mut(id);
        card.peekers = LookerSet::NONE;
        card.lookers = LookerSet::NONE;
        card.shown = LookerSet::NONE;
        card.tracked = LookerSet::NONE;
        card.remembered = LookerSet::NONE;
        card.seen = LookerSet::NONE;
        card.face = CardSide::Down;
        for looker in 0..LOOKERS {
            self.drop_handle(looker, id);
        }
        // An open window on the whole pile goes on showing it.
        if let CardGroup::Pile(pile) = self.card(id).group {
            let whole = self.pile(pile).whole;
            self.card_mut(id).lookers = whole;
        }
    }

    fn drop_handle(&mut self, looker: usize, id: TableCardId) {
        if looker < self.seats.len() {
            self.scripts.lose_number(id);
        }
        if let Some(handle) = self.handles[looker].of.get_mut(id.index()) {
            *handle = 0;
        }
    }

    /// Takes a card away for good.
    pub(crate) fn remove(&mut self, kit: &Kit, id: TableCardId) {
        for run in &mut self.runs {
            run.lost |= run.names(id);
        }
        self.take_out(id);
        self.scripts.lose_number(id);
        self.strip(kit, id, CardGroup::Table, None);
        for looker in 0..LOOKERS {
            self.drop_handle(looker, id);
        }
        self.cards[id.index()] = None;
    }

    /// Adds a card to the end of a group.
    pub(crate) fn add(&mut self, card: TableCard) -> TableCardId {
        let group = card.group;
        let free = self.cards.iter().position(Option::is_none);
        let index = free.unwrap_or(self.cards.len());
        let id = TableCardId::at(index);
        if free.is_some() {
            self.cards[index] = Some(card);
        } else {
            self.cards.push(Some(card));
        }
        match group {
            CardGroup::Table => self.table.push(id),
            CardGroup::Pile(pile) => self.pile_mut(pile).cards.push(id),
        }
        id
    }

    /// A number for scripts that was never given (S220).
    pub(crate) fn new_number(&mut self) -> u32 {
        let given = self.scripts.numbers.given;
        self.scripts.numbers.given += 1;
        scrambled(self.salt, LOOKERS as u64, given)
    }

    /// A number that sorts cards in an order that says nothing, for this run alone (S223).
    pub(crate) fn order_of(&self, id: TableCardId) -> u64 {
        let run = u64::from(self.scripts.started) << 32;
        mix(mix(self.salt ^ run) ^ u64::from(self.scripts.number(id)))
    }

    /// Gives every looker a handle for each card that it can tell from others, and takes away the rest.
    pub(crate) fn refresh_handles(&mut self, kit: &Kit) {
        let mut wanted = vec![LookerSet::NONE; self.cards.len()];
        let mut order: Vec<TableCardId> = Vec::with_capacity(self.cards.len());
        for id in &self.table {
            wanted[id.index()] = LookerSet::ALL;
            order.push(*id);
        }
        for pile in 0..self.piles.len() {
            let from = order.len();
            for (at, id) in self.piles[pile].cards.iter().enumerate() {
                let card = self.card(*id);
                wanted[id.index()] = self.visible_in(kit, PileId::at(pile), card, at == 0) | card.tracked;
                order.push(*id);
            }
            // The order of a hand is nobody's information: new handles come in the order of faces.
            if !self.piles[pile].kind(kit).ordered {
                order[from..].sort_by(|a, b| {
                    let key = |id: &TableCardId| {
                        let card = self.card(*id);
                        (card.model.clone(), card.owner)
                    };
                    key(a).cmp(&key(b))
                });
            }
        }
        let seats = self.seats.len();
        let count = self.cards.len();
        let salt = self.salt;
        for looker in (0..seats).chain([LOOKERS - 1]) {
            let handles = &mut self.handles[looker];
            handles.of.resize(count, 0);
            for id in &order {
                let own = &mut handles.of[id.index()];
                if !wanted[id.index()].has_index(looker) {
                    if *own != 0 && looker < seats {
                        self.scripts.lose_number(*id);
                    }
                    *own = 0;
                } else if *own == 0 {
                    *own = scrambled(salt, looker as u64, handles.given);
                    handles.given += 1;
                }
            }
        }
        self.scripts
            .give_numbers(&order, count, |given| scrambled(salt, LOOKERS as u64, given));
    }
}

impl LookerSet {
    pub(crate) fn has_index(self, looker: usize) -> bool {
        self.bits() & (1 << looker) != 0
    }
}

/// How many handles are scrambled among each other.
const BLOCK: u32 = 1000;

/// The n-th handle of a looker: each number comes once, in an order that says nothing (F151).
fn scrambled(salt: u64, looker: u64, n: u32) -> u32 {
    let (block, mut within) = (n / BLOCK, n % BLOCK);
    let key = salt ^ (looker << 56) ^ (u64::from(block) << 24);
    // A Feistel network over ten bits, walked until it stays below the block's size, is a permutation of it.
    loop {
        let (mut left, mut right) = (within >> 5, within & 31);
        for round in 0..6u64 {
            let mixed = mix(key ^ (round << 8) ^ u64::from(right));
            (left, right) = (right, left ^ five_bits(mixed));
        }
        within = (left << 5) | right;
        if within < BLOCK {
            return block * BLOCK + within + 1;
        }
    }
}

/// The five lowest.
fn five_bits(mixed: u64) -> u32 {
    u32::try_from(mixed & 31).unwrap_or(0)
}

/// The finisher of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F151: no number twice, and no order in them.
    #[test]
    fn handles_are_unique_and_scrambled() {
        let handles: Vec<u32> = (0..2500).map(|n| scrambled(7, 1, n)).collect();
        let mut sorted = handles.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!((sorted.len(), sorted[0]), (2500, 1));
        let rising = handles.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((1000..1500).contains(&rising), "{rising}");
    }
}
