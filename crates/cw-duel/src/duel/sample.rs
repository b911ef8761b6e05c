//! Another duel that a player cannot tell from this one: what the player does not know is dealt
//! anew (D50).

use cw_program::{CardType, ModelId, SubtypeId};

use crate::Seat;
use crate::base::card::{CardId, DuelCard};
use crate::base::count::byte;
use crate::duel::Duel;
use crate::duel::view::DuelView;
use crate::script::query::MODEL;
use cw_chance::{Chance, Seed};

/// Deals in the middle of an effect before what the effect has touched is left as it is.
const FREE_DEALS: u32 = 12;
/// Deals in the middle of an effect in all.
const DEALS: u32 = 16;

/// Cards of a game up to which a deal counts them instead of sorting.
const FEW_MODELS: usize = 256;

/// What a deal has to leave as it is in the middle of an effect.
#[derive(Default)]
struct DealBounds {
    /// Cards that change with cards of their type and subtype only.
    touched: Vec<CardId>,
    /// Cards that change among each other only: a player who chooses from the first cards of a deck has
    /// seen which ones they are.
    looked_at: Vec<CardId>,
    /// Cards that do not change.
    fixed: Vec<CardId>,
}

impl Duel {
    /// A copy in which the cards that this player does not know have changed what they are among
    /// each other, separately on both sides of the table; numbers, known cards, places and what
    /// chance will bring stay. What the other player is asked may differ; what this player sees and
    /// is asked does not.
    ///
    /// In the middle of an effect, the cards that it has touched change with cards of their type and
    /// subtype only, and of what comes out the first is taken in which the effect stands where it
    /// stands here. `None` if none of a few does: then nothing can be said without looking.
    pub fn with_unknown_redealt(&self, seat: Seat, seed: u64) -> Option<Duel> {
        self.redealt(&[seat], &mut Chance::seeded(seed))
    }

    /// Draws everything that no player knows anew, from another seed: which cards lie where nobody
    /// has seen them, and what chance will bring. What the players know, see and are asked stays.
    /// For a takeback across a draw that both agree to (D70): how the cards lay before leaves no
    /// trace, so that what one has seen and given back tells nothing.
    ///
    /// In the middle of an effect the cards stay where they lie if no other deal can stand as this
    /// one does; chance is another one all the same.
    pub fn reseed(&mut self, seed: Seed) {
        let mut chance = Chance::seeded(seed);
        if let Some(dealt) = self.redealt(&Seat::BOTH, &mut chance) {
            *self = dealt;
        }
        self.state.chance = chance;
    }

    /// What none of these players knows, dealt anew; what each of them sees and is asked stays.
    fn redealt(&self, seats: &[Seat], chance: &mut Chance) -> Option<Duel> {
        let mut bounds = DealBounds::default();
        if self.state.frames.is_empty() {
            return Some(self.dealt_anew(seats, &bounds, chance));
        }
        bounds.touched = self.touched();
        bounds.looked_at = self.looked_at(seats);
        let views = |duel: &Duel| -> Vec<DuelView> { seats.iter().map(|seat| duel.view(*seat)).collect() };
        let seen = views(self);
        (0..DEALS).find_map(|deal| {
            if deal == FREE_DEALS {
                bounds.fixed = self.searched();
            }
            let other = self.dealt_anew(seats, &bounds, chance);
            (other.stands_as(self) && views(&other) == seen).then_some(other)
        })
    }

    /// A duel for this player to think with: as [`Duel::with_unknown_redealt`], and chance is
    /// another as well (D50). Nothing of what is hidden or still to come can be read off it.
    pub fn sample(&self, seat: Seat, seed: u64) -> Option<Duel> {
        let mut duel = self.with_unknown_redealt(seat, seed)?;
        duel.state.chance = Chance::seeded(!seed);
        Some(duel)
    }

    /// A duel for this player to think with who does not know the other's deck: as [`Duel::sample`],
    /// but what the other has and this player has not seen comes from one of `lists`, each that agrees
    /// with all that was seen being as likely as the others. Where none agrees it comes from all cards
    /// of the game, no more of each than a deck may have (G33).
    ///
    /// In the middle of an effect the cards that it has touched become cards of their type and subtype,
    /// and nothing is said if there are none, or if the effect remembers what a card is.
    pub fn sample_from(&self, seat: Seat, lists: &[Vec<ModelId>], seed: u64) -> Option<Duel> {
        let mut chance = Chance::seeded(seed);
        let mut duel = self
            .with_unseen_from(seat, lists, &mut chance)?
            .redealt(&[seat], &mut chance)?;
        duel.state.chance = Chance::seeded(!seed);
        Some(duel)
    }

    /// Exchanges what the other has and this player has not seen for what it may have instead.
    fn with_unseen_from(&self, seat: Seat, lists: &[Vec<ModelId>], chance: &mut Chance) -> Option<Duel> {
        let remembered = self.state.arena.all();
        if remembered.windows(3).any(|entry| entry[0] == MODEL) && !self.state.frames.is_empty() {
            return None;
        }
        let other = seat.other();
        let mut unseen: Vec<CardId> = Seat::BOTH
            .into_iter()
            .flat_map(|side| self.unknown_to(&[seat], side))
            .filter(|card| self.state.cards[card.index()].owner() == other)
            .collect();
        let seen = self
            .all_cards()
            .filter(|card| self.state.cards[card.index()].owner() == other && !unseen.contains(card))
            .map(|card| self.face(card).0);
        let seen: Vec<ModelId> = seen.collect();
        let mut touched = Vec::new();
        if !self.state.frames.is_empty() {
            touched = unseen
                .extract_if(.., |card| remembered.contains(&card.0))
                .collect();
        }
        let kinds: Vec<_> = touched.iter().map(|card| self.kind(self.face(*card).0)).collect();
        let number = touched.len() + unseen.len();
        let agreeing: Vec<Vec<ModelId>> = lists
            .iter()
            .filter_map(|list| without(list.clone(), &seen))
            .filter(|rest| rest.len() == number && self.take_like(&kinds, rest.clone()).is_some())
            .collect();
        let mut rest = match &agreeing[..] {
            [] => self.any_cards_but(&seen),
            agreeing => {
                let many = u32::try_from(agreeing.len()).unwrap_or(u32::MAX);
                agreeing[chance.below(many, &[]) as usize].clone()
            }
        };
        rest.sort_unstable();
        chance.shuffle(&mut rest);
        let mut duel = self.clone();
        let (like, rest) = self.take_like(&kinds, rest)?;
        let dealt = touched.into_iter().zip(like);
        let mut rest = rest.into_iter();
        for card in unseen {
            let model = rest.next()?;
            duel.set_face(card, (model, self.game().model(model).bp));
        }
        for (card, model) in dealt {
            duel.set_face(card, (model, self.game().model(model).bp));
        }
        Some(duel)
    }

    /// What may stand for a card that an effect has touched: cards of its type and subtype.
    fn kind(&self, model: ModelId) -> (Option<CardType>, Option<SubtypeId>) {
        let model = self.game().model(model);
        (model.card_type, model.subtype)
    }

    /// The first card of each of these kinds, and what remains; `None` if there is none of one.
    fn take_like(
        &self,
        kinds: &[(Option<CardType>, Option<SubtypeId>)],
        mut cards: Vec<ModelId>,
    ) -> Option<(Vec<ModelId>, Vec<ModelId>)> {
        let like: Option<Vec<ModelId>> = kinds
            .iter()
            .map(|kind| {
                let at = cards.iter().position(|model| self.kind(*model) == *kind)?;
                Some(cards.remove(at))
            })
            .collect();
        Some((like?, cards))
    }

    /// As many of every card as a deck may have, but for these.
    fn any_cards_but(&self, seen: &[ModelId]) -> Vec<ModelId> {
        let game = self.game();
        let copies = usize::from(game.constants.copies);
        let models = (0..).map(ModelId).zip(&game.models);
        let playable = models.filter(|(_, model)| model.card_type.is_some());
        let all = playable.flat_map(|(model, _)| {
            let more = copies.saturating_sub(seen.iter().filter(|other| **other == model).count());
            std::iter::repeat_n(model, more)
        });
        all.collect()
    }

    /// Deals what none of the players knows, within these bounds. How the cards really lie leaves no
    /// trace: they are put in order before.
    fn dealt_anew(&self, seats: &[Seat], bounds: &DealBounds, chance: &mut Chance) -> Duel {
        let mut duel = self.clone();
        let all_sources = duel.sources();
        let mut sources: Vec<(CardId, CardId)> = Vec::new();
        for side in Seat::BOTH {
            let mut unknown = duel.unknown_to(seats, side);
            unknown.retain(|card| !bounds.fixed.contains(card));
            let looked_at: Vec<CardId> = unknown
                .extract_if(.., |card| bounds.looked_at.contains(card))
                .collect();
            for group in [unknown, looked_at] {
                if group.is_empty() {
                    continue;
                }
                duel.deal(&group, &bounds.touched, chance);
                // D64: everybody knows the name of a source, though perhaps not where it lies by now. It
                // is a card of that name, wherever the deal has put one.
                for source in all_sources
                    .iter()
                    .copied()
                    .filter(|source| group.contains(source))
                {
                    let model = self.face(source).0;
                    let like = group.iter().copied();
                    let like: Vec<CardId> = like.filter(|card| duel.face(*card).0 == model).collect();
                    let at = chance.below(u32::try_from(like.len()).unwrap_or(0), &[]);
                    sources.push((source, like[at as usize]));
                }
            }
        }
        let now = |card: CardId| {
            sources
                .iter()
                .find(|(source, _)| *source == card)
                .map_or(card, |(_, now)| *now)
        };
        if !sources.is_empty() {
            duel.state.sources_mut(|source| *source = now(*source));
        }
        if duel.state.outcome.is_none() {
            // The question that waits is asked again; nothing else runs.
            duel.machine(None).run();
        }
        duel
    }

    /// Deals these cards' faces among them anew; those that are touched change with their like only.
    fn deal(&mut self, cards: &[CardId], touched: &[CardId], chance: &mut Chance) {
        let mut faces = self.in_order(cards);
        chance.shuffle(&mut faces);
        if touched.is_empty() {
            for (card, face) in cards.iter().zip(faces) {
                self.set_face(*card, face);
            }
            return;
        }
        let (bound, free): (Vec<CardId>, Vec<CardId>) =
            cards.iter().copied().partition(|card| touched.contains(card));
        for card in bound {
            let own = self.kind(self.face(card).0);
            let like = faces.iter().position(|(model, _)| self.kind(*model) == own);
            let face = faces.remove(like.expect("its own is among them"));
            self.set_face(card, face);
        }
        for (card, face) in free.iter().zip(faces) {
            self.set_face(*card, face);
        }
    }

    /// What these cards are, in order: how they lie leaves no trace. By counting, where the game has few
    /// cards: sorting would be most of a deal.
    fn in_order(&self, cards: &[CardId]) -> Vec<(ModelId, i32)> {
        let faces = cards.iter().map(|card| self.face(*card));
        let models = self.game().models.len();
        if models > FEW_MODELS {
            let mut faces: Vec<(ModelId, i32)> = faces.collect();
            faces.sort_unstable();
            return faces;
        }
        let mut ends = [0_u8; FEW_MODELS];
        for (model, _) in faces.clone() {
            ends[usize::from(model.0)] += 1;
        }
        let mut sum = 0;
        for end in &mut ends[..models] {
            sum += *end;
            *end = sum;
        }
        let mut ordered = vec![(ModelId(0), 0); cards.len()];
        for face in faces {
            let end = &mut ends[usize::from(face.0.0)];
            *end -= 1;
            ordered[usize::from(*end)] = face;
        }
        // Copies may differ in BP.
        for at in 1..ordered.len() {
            let mut at = at;
            while at > 0 && ordered[at - 1] > ordered[at] {
                ordered.swap(at - 1, at);
                at -= 1;
            }
        }
        ordered
    }

    /// The source of everything that runs, waits or lasts, once each, in this order.
    fn sources(&mut self) -> Vec<CardId> {
        let mut found = Vec::new();
        self.state.sources_mut(|source| {
            if !found.contains(source) {
                found.push(*source);
            }
        });
        found
    }

    fn face(&self, card: CardId) -> (ModelId, i32) {
        let entry = self.state.cards[card.index()];
        (entry.model, entry.bp)
    }

    fn set_face(&mut self, card: CardId, (model, bp): (ModelId, i32)) {
        let entry = &mut self.state.cards[card.index()];
        (entry.model, entry.bp) = (model, bp);
    }

    /// Cards on one side of the table that none of the players knows. The card that a player is about
    /// to use is left out: it was chosen for what it is.
    fn unknown_to(&self, seats: &[Seat], side: Seat) -> Vec<CardId> {
        let known = |card: DuelCard| seats.iter().any(|seat| card.known().contains(*seat));
        let chosen = self.pending().and_then(|decision| decision.source);
        self.all_cards()
            .filter(|card| {
                let entry = self.state.cards[card.index()];
                entry.controller() == side && !known(entry) && Some(*card) != chosen
            })
            .collect()
    }

    fn all_cards(&self) -> impl Iterator<Item = CardId> + use<> {
        (0..self.state.cards.len()).map(|index| CardId(byte(index)))
    }

    /// Cards that the running effect may refer to: any byte of its lists may be one. Models stand there,
    /// too, for a copy of them in a deck: where copies really lie must not tell, and a deal in which the
    /// effect does not find one is not taken.
    fn touched(&self) -> Vec<CardId> {
        let bytes = self.state.arena.all();
        self.all_cards().filter(|card| bytes.contains(&card.0)).collect()
    }

    /// The first or last cards of a pile that the one who is asked chooses from, if it is one of these
    /// players.
    fn looked_at(&self, seats: &[Seat]) -> Vec<CardId> {
        if !self
            .pending()
            .is_some_and(|decision| seats.contains(&decision.seat))
        {
            return Vec::new();
        }
        let mut duel = self.clone();
        duel.machine(None).looking()
    }

    /// What is touched, and all cards of the piles that the running effect searches.
    fn searched(&self) -> Vec<CardId> {
        let mut cards = self.touched();
        let piles = self.state.frames.iter().filter_map(|frame| frame.searched);
        for (seat, pile) in piles {
            cards.extend(self.state.pile_cards(seat, pile));
        }
        cards
    }

    /// Whether the same instruction of the same effects waits for the same kind of answer.
    fn stands_as(&self, other: &Duel) -> bool {
        let asks = |duel: &Duel| {
            let decision = &duel.state.decision;
            let question = std::mem::discriminant(&decision.question);
            (decision.seat, question, decision.source, decision.place)
        };
        let place = |duel: &Duel| duel.state.frames.last().map(|frame| (frame.pc, frame.stage));
        self.state.outcome == other.state.outcome
            && self.state.chance == other.state.chance
            && self.state.frames.len() == other.state.frames.len()
            && self.state.tasks[..] == other.state.tasks[..]
            && same_but_sources(self, other)
            && place(self) == place(other)
            && asks(self) == asks(other)
    }
}

/// Whether the same waits, is heard and lasts, whichever card of a name is the source by now (D64).
fn same_but_sources(one: &Duel, other: &Duel) -> bool {
    let plain = |duel: &Duel| {
        let mut state = duel.state.clone();
        state.sources_mut(|source| *source = CardId::NONE);
        state
    };
    let (one, other) = (plain(one), plain(other));
    one.queue[..] == other.queue[..]
        && one.listeners[..] == other.listeners[..]
        && one.changes[..] == other.changes[..]
}

/// The list without these cards; `None` if one of them is not in it.
fn without(mut list: Vec<ModelId>, cards: &[ModelId]) -> Option<Vec<ModelId>> {
    for card in cards {
        let at = list.iter().position(|other| other == card)?;
        list.swap_remove(at);
    }
    Some(list)
}
