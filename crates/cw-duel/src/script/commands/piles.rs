//! Commands on piles and on what players know of them.

use cw_program::{NumberArgument, PileName, PilePosition, PileRef, PileViewState, Target, TargetKind, Whose};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::count::byte;
use crate::base::list::{CardList, DuelObject, Objects};
use crate::event::DuelEvent;
use crate::machine::zones::MoveReveal;
use crate::machine::{Guard, Machine};
use crate::script::commands::{Begun, DeckEnd, Deed, PreparedEffect};
use crate::script::query::{FoundTargets, Purpose, QueryStop, TargetQuery};
use crate::state::decision::{Choice, Question};
use crate::{Seat, SeatSet};

impl TargetQuery<'_> {
    /// R621, G205: the executor chooses, also from the opponent's hand.
    pub fn discards(&mut self, target: &cw_program::Target) -> FoundTargets<Objects> {
        let players = self.players_hit();
        let me = self.executor();
        let mut all = Objects::new();
        // Shown as a whole only where one player is hit and it is the opponent.
        if players[..] == [me.other()] && !is_random(target) && !is_plural(target) {
            self.shown = true;
        }
        for seat in players {
            self.forced = Some(seat);
            let found = self.target(target, Purpose::Discard(seat));
            self.forced = None;
            match found {
                Ok(found) => all.extend(found),
                Err(QueryStop::Fail) => {}
                Err(QueryStop::Ask) => return Err(QueryStop::Ask),
            }
        }
        if all.is_empty() {
            Err(QueryStop::Fail)
        } else {
            Ok(all)
        }
    }
}

impl Machine<'_> {
    /// Discards the cards that were found in the hands of the players (R621, G205).
    pub fn discard_found(&mut self, which: &Target, deed: &Deed) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let players = self.hit_players(deed);
        let whole_hand_shown = players[..] == [executor.other()] && !is_random(which) && !is_plural(which);
        if whole_hand_shown {
            self.let_see_hand(executor, executor.other());
        }
        let found: SmallVec<[CardId; 16]> = deed
            .prepared
            .objects
            .iter()
            .filter_map(|object| object.as_card())
            .collect();
        // R611: those of the last player who discards any. Their indices are known when they have left.
        let hit = |seat: &&Seat| found.iter().any(|card| self.facts().controller(*card) == **seat);
        let last = players.iter().rev().find(hit).copied();
        let mut discarded = Objects::new();
        self.each_card(&found, |machine, card| {
            machine.tick()?;
            let seat = machine.facts().controller(card);
            let card = machine.leaving(card, PileName::Discards, true);
            if Some(seat) == last {
                discarded.push(DuelObject::card(card));
            }
            machine.discard_card(card)
        })?;
        let list = self.keep(&discarded)?;
        self.frame_mut().discarded = list;
        Ok(Begun::Done)
    }

    /// R611: to the discards, but for what lies there.
    pub fn destroy(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let cards = deed.cards();
        let all: Objects = cards.iter().map(|card| DuelObject::card(*card)).collect();
        let list = self.keep(&all)?;
        self.frame_mut().destroyed = list;
        self.each_card(&cards, |machine, card| {
            machine.tick()?;
            match machine.pile_of(card) {
                Some((_, PileName::Discards)) => Ok(()),
                _ => machine.discard_card(card),
            }
        })?;
        Ok(Begun::Done)
    }
}

impl TargetQuery<'_> {
    /// R617, GQ44: the end of the pile, where `?` leaves it to the executor.
    pub fn ask_end(&mut self, position: PilePosition) -> FoundTargets<PreparedEffect> {
        let mut prepared = PreparedEffect::default();
        if position == PilePosition::Ask {
            prepared.end = self.choose_end()?;
        }
        Ok(prepared)
    }

    fn choose_end(&mut self) -> FoundTargets<DeckEnd> {
        let top = self.takes_first(Question::TopOrBottom, Choice::Top, Choice::Bottom)?;
        Ok(if top { DeckEnd::Top } else { DeckEnd::Bottom })
    }
}

impl Machine<'_> {
    /// Moves the targets to a pile (G209, R617, R618).
    pub fn move_all(
        &mut self,
        pile: PileRef,
        position: PilePosition,
        reveal: Option<bool>,
        deed: &Deed,
    ) -> Result<Begun, Guard> {
        let position = at_end(position, deed.prepared.end);
        let targets = &deed.targets[..];
        let list = self.keep(targets)?;
        self.frame_mut().moved = list;
        let executor = self.frame().executor;
        let show = if reveal == Some(true) {
            MoveReveal::Both
        } else {
            MoveReveal::Nobody
        };
        self.each_card(&deed.cards(), |machine, card| {
            machine.tick()?;
            let seat = match pile.whose {
                Whose::Mine => executor,
                Whose::Opponent => executor.other(),
                Whose::Controller => machine.facts().controller(card),
            };
            machine.move_to_position(card, seat, pile.name, position, show)
        })?;
        Ok(Begun::Done)
    }

    pub fn move_to_position(
        &mut self,
        card: CardId,
        seat: Seat,
        pile: PileName,
        position: PilePosition,
        show: MoveReveal,
    ) -> Result<(), Guard> {
        let same = self.pile_of(card) == Some((seat, pile));
        let others = self.s.pile_count(seat, pile) - usize::from(same);
        let index = match position {
            PilePosition::FromTop(above) => usize::from(above),
            PilePosition::FromBottom(below) => others.saturating_sub(usize::from(below)),
            PilePosition::Ask => 0,
        };
        self.move_card(card, seat, pile, index, show)
    }

    /// Moves what a search has revealed to a pile: the cards above the target, or all if there is
    /// none (R623, G213, D33, GQ41).
    pub fn move_revealed(
        &mut self,
        pile: PileRef,
        position: PilePosition,
        deed: &Deed,
    ) -> Result<Begun, Guard> {
        let position = at_end(position, deed.prepared.end);
        let executor = self.frame().executor;
        let hit = deed
            .targets
            .iter()
            .filter_map(|object| object.as_card())
            .find_map(|card| {
                let (seat, pile) = self.pile_of(card)?;
                Some((card, seat, pile))
            });
        let searched = self.frame().searched;
        let (seat, from) = match hit {
            Some((_, seat, from)) => (seat, from),
            None => searched.unwrap_or((executor, PileName::Deck)),
        };
        let mut cards = self.facts().listed(seat, from);
        if cards.is_empty() {
            return Ok(Begun::Failed);
        }
        if let Some((found, ..)) = hit {
            let at = cards.iter().position(|card| *card == found).unwrap_or(0);
            cards.truncate(at);
        }
        let to = match pile.whose {
            Whose::Mine => executor,
            Whose::Opponent => executor.other(),
            Whose::Controller => seat, // the owner of the searched pile
        };
        let found = hit.map(|(found, ..)| found);
        self.held.extend(found);
        let moved = self.each_card(&cards, |machine, card| {
            machine.tick()?;
            machine.show_card_to(card, SeatSet::BOTH);
            machine.move_to_position(card, to, pile.name, position, MoveReveal::Both)
        });
        let found = found.and_then(|_| self.held.pop());
        moved?;
        if let Some(found) = found {
            self.show_card_to(found, SeatSet::BOTH); // G273
        }
        Ok(Begun::Done)
    }

    /// D33: one by one from the top.
    pub fn move_pile(&mut self, from: PileRef, to: PileRef) -> Result<Begun, Guard> {
        let (from_seat, to_seat) = (self.whose(from.whose), self.whose(to.whose));
        let cards = self.facts().listed(from_seat, from.name);
        self.each_card(&cards, |machine, card| {
            machine.tick()?;
            machine.move_card(card, to_seat, to.name, 0, MoveReveal::Nobody)
        })?;
        Ok(Begun::Done)
    }

    /// D33: contents exchanged, each keeping its order; a hand has none (D77).
    pub fn swap_piles(&mut self, a: PileRef, b: PileRef) -> Result<Begun, Guard> {
        let (seat_a, seat_b) = (self.whose(a.whose), self.whose(b.whose));
        if (seat_a, a.name) == (seat_b, b.name) {
            return Ok(Begun::Done);
        }
        let of_a = self.facts().listed(seat_a, a.name);
        let of_b = self.facts().listed(seat_b, b.name);
        let all: SmallVec<[CardId; 64]> = of_b.iter().chain(&of_a).copied().collect();
        let mut index = 0_usize;
        self.each_card(&all, |machine, card| {
            let at = index;
            index += 1;
            match at.checked_sub(of_b.len()) {
                None => machine.move_card(card, seat_a, a.name, at, MoveReveal::Nobody),
                Some(at) => machine.move_card(card, seat_b, b.name, at, MoveReveal::Nobody),
            }
        })?;
        Ok(Begun::Done)
    }

    /// G212: whose pile the first target says where no prefix does.
    pub fn shuffle_pile(
        &mut self,
        whose: Option<Whose>,
        pile: PileName,
        deed: &Deed,
    ) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let first = deed.targets.first();
        let seat = match whose {
            None => first.and_then(|object| object.as_player()).unwrap_or(executor),
            Some(Whose::Mine) => executor,
            Some(Whose::Opponent) => executor.other(),
            Some(Whose::Controller) => {
                let of_source = self.facts().source_controller(self.frame());
                deed.first_card()
                    .map_or(of_source, |card| self.facts().controller(card))
            }
        };
        self.shuffle(seat, pile);
        Ok(Begun::Done)
    }

    /// Shows the targets to both players, or a pile to its player's opponent (G214, G271).
    pub fn reveal(&mut self, pile: Option<PileName>, deed: &Deed) -> Result<Begun, Guard> {
        match pile {
            None => {
                for card in deed.cards() {
                    self.show_card_to(card, SeatSet::BOTH);
                }
            }
            Some(pile) => {
                for seat in self.hit_players(deed) {
                    self.show_pile_to(seat.other(), seat, pile);
                }
            }
        }
        Ok(Begun::Done)
    }

    /// Shows targets or hands to the executor alone (D34, G271).
    pub fn peek(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let Some(first) = deed.targets.first() else {
            self.show_pile_to(executor, executor.other(), PileName::Hand);
            return Ok(Begun::Done);
        };
        if first.as_player().is_some() {
            for seat in deed.targets.iter().filter_map(|object| object.as_player()) {
                self.show_pile_to(executor, seat, PileName::Hand);
            }
            return Ok(Begun::Done);
        }
        for card in deed.cards() {
            if matches!(self.pile_of(card), Some((_, PileName::Hand | PileName::Deck))) {
                self.show_card_to(card, SeatSet::only(executor));
            }
        }
        Ok(Begun::Done)
    }

    pub fn view_pile(&mut self, pile: PileRef, view: PileViewState) -> Result<Begun, Guard> {
        let seat = self.whose(pile.whose);
        self.log.tell(|| DuelEvent::PileView {
            seat,
            pile: pile.name,
            view,
        });
        Ok(Begun::Done)
    }
}

impl TargetQuery<'_> {
    /// G216, D33: mandatory; the cards in the order of putting back, then where.
    pub fn ask_prophecy(
        &mut self,
        number: NumberArgument,
        position: Option<PilePosition>,
        targets: &[DuelObject],
    ) -> FoundTargets<PreparedEffect> {
        let mut prepared = PreparedEffect::default();
        let count = self.number(number)?.max(0) as usize;
        let (seat, pile) = self.prophecy_pile(targets);
        let mut rest = self.facts.listed(seat, pile);
        rest.truncate(count);
        let of = byte(rest.len());
        self.shown |= !rest.is_empty();
        prepared.amount = i32::from(of);
        if let Some(PilePosition::FromBottom(_)) = position {
            prepared.end = DeckEnd::Bottom;
        }
        while !rest.is_empty() {
            let chosen = byte(prepared.objects.len());
            let at = if rest.len() == 1 {
                0
            } else {
                let options = rest.iter().map(|card| Choice::Card(*card));
                let entry = self.choose(
                    Question::Prophecy { chosen, of },
                    options.collect::<SmallVec<[_; 16]>>(),
                )?;
                rest.iter()
                    .position(|card| card.0 == entry)
                    .ok_or(QueryStop::Fail)?
            };
            prepared.objects.push(DuelObject::card(rest.remove(at)));
            if chosen == 0 && matches!(position, None | Some(PilePosition::Ask)) {
                prepared.end = self.choose_end()?;
            }
        }
        Ok(prepared)
    }

    /// The pile of the first target, else the deck of the source's controller.
    fn prophecy_pile(&self, targets: &[DuelObject]) -> (Seat, PileName) {
        let deck = |seat| (seat, PileName::Deck);
        match targets.first() {
            Some(object) => match (object.as_player(), object.as_card()) {
                (Some(seat), _) => deck(seat),
                (None, Some(card)) => match self.facts.zone(card) {
                    crate::base::card::ZoneKind::Pile(pile) => (self.facts.controller(card), pile),
                    _ => deck(self.facts.source_controller(self.frame)),
                },
                (None, None) => deck(self.executor()),
            },
            None => deck(self.facts.source_controller(self.frame)),
        }
    }
}

impl Machine<'_> {
    /// Puts the cards of a `prophecy` back in the order that was chosen (G216, G272).
    pub fn put_back(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let Some(first) = deed.prepared.card() else {
            return Ok(Begun::Done);
        };
        let Some((seat, pile)) = self.pile_of(first) else {
            return Ok(Begun::Done);
        };
        let cards = byte(deed.prepared.objects.len());
        self.log.tell(|| DuelEvent::Looked {
            seat: executor,
            deck: seat,
            cards,
        });
        let places: CardList = self.s.pile_cards(seat, pile).collect();
        for card in deed.prepared.objects.iter().filter_map(|object| object.as_card()) {
            self.tick()?;
            self.show_card_to(card, SeatSet::only(executor));
            self.s.take_out(card);
            let index = match deed.prepared.end {
                DeckEnd::Top => 0,
                DeckEnd::Bottom => self.s.pile_count(seat, pile),
            };
            self.s.insert(card, seat, pile, index);
        }
        // The order is nobody else's business: the indices stay where they were.
        let order: CardList = self.s.pile_cards(seat, pile).collect();
        if !self.moves_cards {
            self.exchange(&order, &places);
            self.s.set_top(seat, pile, &places);
        }
        Ok(Begun::Done)
    }
}

fn is_random(target: &cw_program::Target) -> bool {
    matches!(target.quantity, cw_program::TargetQuantity::Random(_))
}

fn is_plural(target: &cw_program::Target) -> bool {
    match &target.kind {
        TargetKind::Either(items) | TargetKind::Each(items) => items.iter().all(|item| item.plural),
        TargetKind::Computed(_) => true,
    }
}

/// The place that was meant or chosen.
fn at_end(position: PilePosition, end: DeckEnd) -> PilePosition {
    match (position, end) {
        (PilePosition::Ask, DeckEnd::Top) => PilePosition::FromTop(0),
        (PilePosition::Ask, DeckEnd::Bottom) => PilePosition::FromBottom(0),
        (PilePosition::FromTop(_) | PilePosition::FromBottom(_), _) => position,
    }
}
