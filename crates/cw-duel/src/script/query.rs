//! Finding targets, and choosing among them (section 4 of the language, D27–D30).
//!
//! A query is pure: what a player answered, and what chance decided, stands on a tape. Each choice
//! takes the next entry; where there is none, a draw is made and noted, and a choice stops the
//! query with a question. After the answer the query runs again over the longer tape (D42).

use cw_program::{
    CardTest, Few, FilterTest, FormulaId, PileName, Target, TargetClause, TargetFilter, TargetKind,
    TargetQuantity, TargetType, TypeItem, ZonePlace, ZoneSide,
};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::{CardId, ZoneKind};
use crate::base::count::{byte, word};
use crate::base::list::{CardList, DuelObject, Objects};
use crate::game::AbilityKind;
use crate::state::decision::{Choice, INLINE_OPTIONS, Question};
use crate::state::facts::DuelFacts;
use crate::state::{Marks, ProgramFrame};
use cw_chance::Chance;

/// Tape entries that are not cards, players or small numbers.
pub(crate) const DONE: u8 = 252;
pub(crate) const REFUSED: u8 = 251;

/// In front of the two bytes of a model.
pub(crate) const MODEL: u8 = 250;

/// A choice on the tape, told apart by what the query asks at that point.
pub(crate) fn tape_bytes(choice: Choice) -> SmallVec<[u8; 4]> {
    if let Choice::Copy(model) = choice {
        let [low, high] = model.0.to_le_bytes();
        return SmallVec::from_slice(&[MODEL, low, high]);
    }
    SmallVec::from_slice(&[tape_byte(choice)])
}

fn tape_byte(choice: Choice) -> u8 {
    // A byte does not say what it is: 1 may be *yes*, the top, card 1 or action 1. The query runs again
    // over the same tape and asks the same question at that place, so the question decides. Cards end
    // at 249 and players are 254 and 255, so no card or player looks like one of the marks above.
    match choice {
        Choice::Card(card) => card.0,
        Choice::Player(seat) => DuelObject::player(seat).0,
        Choice::Zone(seat) => seat as u8,
        Choice::Type(index) | Choice::Action(index) | Choice::Slot(index) => index,
        Choice::Yes | Choice::Top | Choice::Heads => 1,
        Choice::No | Choice::Bottom | Choice::Tails => 0,
        Choice::Done => DONE,
        Choice::Decline => REFUSED,
        // No query offers these: they are choices of a phase.
        // `Copy` never comes here, as it takes three bytes.
        Choice::Pass
        | Choice::Play(_)
        | Choice::BackUp(_)
        | Choice::Activate(_)
        | Choice::Attack(_)
        | Choice::Join(_)
        | Choice::CancelAttack(_)
        | Choice::Block(_)
        | Choice::CancelBlock(_)
        | Choice::Copy(_) => REFUSED,
    }
}

/// A question that the query cannot go on without.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub question: Question,
    pub options: SmallVec<[Choice; INLINE_OPTIONS]>,
}

/// Why a query ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryStop {
    /// A question was written to [`TargetQuery::pending`].
    Ask,
    /// Nothing was found, or the player refused.
    Fail,
}

pub(crate) type FoundTargets<T> = Result<T, QueryStop>;

/// Which question a choice of cards asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Target,
    DiscardCost,
    SacrificeCost,
    Discard(Seat),
}

/// A choice of cards where it stands: what it looks for, what matches, and what is chosen so far.
pub(crate) struct Choosing<'b> {
    pub items: &'b [TypeItem],
    pub target: &'b Target,
    pub side: Option<Seat>,
    /// All that match, in the order of choosing.
    pub cards: &'b CardList,
    pub chosen: &'b Objects,
    /// Of the matching ones the first and the last that may be chosen now (D29).
    pub from: usize,
    pub last: usize,
    /// Whether they are in a deck, and so are chosen as copies.
    pub in_deck: bool,
    /// Whether equal ones are offered once.
    pub is_hidden: bool,
}

/// A query on its way.
pub(crate) struct TargetQuery<'a> {
    pub facts: DuelFacts<'a>,
    /// The running program: source, executor, variables.
    pub frame: &'a ProgramFrame,
    pub tape: &'a [u8],
    pub at: usize,
    /// Entries made by chance, to be added to the tape.
    pub drawn: SmallVec<[u8; 8]>,
    /// Of how many each was drawn, and whether it was a coin.
    pub bounds: SmallVec<[(u32, bool); 8]>,
    pub chance: Chance,
    pub script: &'a [u32],
    /// Asking and drawing are forbidden (D18).
    pub silent: bool,
    pub pending: Option<Pending>,
    /// Cards of a hidden zone were shown to the executor (D3).
    pub shown: bool,
    /// The pile that was searched last (D33).
    pub searched: Option<(Seat, PileName)>,
    /// `card` inside a group form.
    pub element: Option<DuelObject>,
    /// An expression failed (R1004).
    pub failed: bool,
    /// The variables made so far, while `vars` is evaluated.
    pub making: Option<SmallVec<[u8; 64]>>,
    /// The arguments of an effect are evaluated: `tgt` is the statement's (R1104).
    pub preparing: bool,
    /// The player whose hand is searched whatever the target says (R621).
    pub forced: Option<Seat>,
    /// Cards that serve another cost already (D4).
    pub excluded: Objects,
    /// A choice to be judged where the query asks for a card: whether and why not it is offered.
    pub probe: Option<Choice>,
    pub verdict: Option<Result<(), crate::ChoiceRefusal>>,
    /// Where the first or last cards of a pile are noted that are chosen from.
    pub looks: Option<Vec<CardId>>,
}

impl<'a> TargetQuery<'a> {
    pub fn executor(&self) -> Seat {
        self.frame.executor
    }

    fn source(&self) -> Option<CardId> {
        self.frame.present_source()
    }

    /// The next entry of the tape, if it is there.
    fn next_entry(&mut self) -> Option<u8> {
        let entry = self
            .tape
            .get(self.at)
            .copied()
            .or_else(|| self.drawn.get(self.at.checked_sub(self.tape.len())?).copied());
        if entry.is_some() {
            self.at += 1;
        }
        entry
    }

    /// Whether the next choice is the question that waits.
    fn is_at_the_end(&self) -> bool {
        self.at >= self.tape.len() + self.drawn.len()
    }

    /// Asks the executor, unless the answer is known.
    pub fn choose(
        &mut self,
        question: Question,
        options: impl IntoIterator<Item = Choice>,
    ) -> FoundTargets<u8> {
        if let Some(entry) = self.next_entry() {
            return if entry == REFUSED {
                Err(QueryStop::Fail)
            } else {
                Ok(entry)
            };
        }
        if self.silent {
            self.failed = true; // D18: nil with RS038
            return Err(QueryStop::Fail);
        }
        self.pending = Some(Pending {
            question,
            options: options.into_iter().collect(),
        });
        Err(QueryStop::Ask)
    }

    /// Asks the executor for one of two: whether it is the first.
    pub fn takes_first(&mut self, question: Question, one: Choice, other: Choice) -> FoundTargets<bool> {
        Ok(self.choose(question, [one, other])? == tape_byte(one))
    }

    /// Draws a number below `bound`, unless it was drawn already (R1047).
    pub fn draw(&mut self, bound: usize) -> FoundTargets<usize> {
        if let Some(entry) = self.next_entry() {
            return Ok(usize::from(entry));
        }
        if self.silent {
            self.failed = true;
            return Err(QueryStop::Fail);
        }
        // Neither an answer nor an earlier draw stands here: this pass is the first that comes so far.
        // The outcome goes to the tape, so later passes read it and do not draw again (D42).
        let of = u32::from(word(bound));
        let outcome = self.chance.below(of, self.script);
        self.drawn.push(byte(outcome as usize));
        self.bounds.push((of, false));
        self.at += 1;
        Ok(outcome as usize)
    }

    /// Tosses a coin: 0 is heads, so that a scripted coin comes up heads (G264).
    pub fn toss(&mut self) -> FoundTargets<usize> {
        let draws = self.drawn.len();
        let outcome = self.draw(2)?;
        // An outcome from the tape was reported in an earlier pass and has no entry in `bounds`.
        if self.drawn.len() > draws
            && let Some((_, coin)) = self.bounds.last_mut()
        {
            *coin = true;
        }
        Ok(outcome)
    }

    /// All targets of a clause, left to right (R302, R309).
    pub fn clause(&mut self, clause: &TargetClause) -> FoundTargets<Objects> {
        let mut all = Objects::new();
        for target in &clause.targets {
            match self.target(target, Purpose::Target) {
                Ok(found) => all.extend(found),
                // With `?` a target that finds nothing adds nothing, and the others still count (R309).
                Err(QueryStop::Fail) if clause.optional => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(all)
    }

    /// Resolves one target.
    pub fn target(&mut self, target: &Target, purpose: Purpose) -> FoundTargets<Objects> {
        // Noted before the search: `moveRevealedTo` needs the
        // pile also if nothing is found in it (D33).
        if let ZonePlace::Pile(pile) = target.zone.place {
            self.searched = Some((self.side_without_asking(target.zone.side), pile));
        }
        let found = match &target.kind {
            TargetKind::Computed(expr) => return self.computed(*expr, target, purpose),
            TargetKind::Each(items) => {
                // R404: failing parts contribute nothing; only a totally empty result fails.
                let mut all = Objects::new();
                let mut emptied = false;
                for item in items {
                    match self.one_type(*item, target, purpose) {
                        Ok(found) => {
                            emptied |= found.is_empty() && target.not.is_some();
                            all.extend(found);
                        }
                        Err(QueryStop::Fail) => {}
                        Err(QueryStop::Ask) => return Err(QueryStop::Ask),
                    }
                }
                // A result that `::not` has emptied is no failure (R420).
                if all.is_empty() && target.pick.is_none() && !emptied {
                    return Err(QueryStop::Fail);
                }
                all
            }
            TargetKind::Either(items) => self.either(items, target, purpose)?,
        };
        // Where a player chooses, `::not` must come before the question, so that no excluded card is
        // offered (see `cards`). Here it takes objects out of results that nobody chooses (R420).
        match target.not {
            Some(expr) if !self.is_choice(target) => {
                let excluded = self.objects_of(expr)?;
                Ok(found
                    .into_iter()
                    .filter(|object| !excluded.contains(object))
                    .collect())
            }
            _ => Ok(found),
        }
    }

    /// An expression target (R230): of its list, what passes filters and `::not`, then the pick, then
    /// so many as the quantity says; without one all (D95).
    fn computed(&mut self, expr: FormulaId, target: &Target, purpose: Purpose) -> FoundTargets<Objects> {
        let (mut found, before_not) = self.computed_matches(expr, target)?;
        if before_not == 0 {
            return Err(QueryStop::Fail);
        }
        match target.quantity {
            TargetQuantity::Default => Ok(found), // R420: what `::not` empties is no failure
            TargetQuantity::Random(count) => self.draw_from(found, count),
            TargetQuantity::Between(_) => {
                // R425: 0-BP characters are not offered.
                found.retain(|object| {
                    let card = object.as_card().filter(|card| self.facts.in_ring(*card));
                    card.is_none_or(|card| self.facts.s.ring_bp(card) > 0)
                });
                // Cards alone are chosen like any other cards, with equal copies of
                // a hidden pile as one option. Players have no place in that
                // question, so a list with players has another one.
                let cards: Option<CardList> = found.iter().map(|object| object.as_card()).collect();
                match cards {
                    Some(cards) => self.pick_cards(&[], None, cards, target, purpose),
                    None => self.pick_of_both(found, target),
                }
            }
        }
    }

    /// What of an expression's list passes filters, `::not` and pick, and how many there were before
    /// `::not`. Where a cost or a discard forces the zone, only cards that lie there count (R621, R703).
    pub(crate) fn computed_matches(
        &mut self,
        expr: FormulaId,
        target: &Target,
    ) -> FoundTargets<(Objects, usize)> {
        let mut found = self.objects_of(expr)?;
        dedup(&mut found);
        if target.zone.place != ZonePlace::Arena {
            let side = self
                .forced
                .unwrap_or_else(|| self.side_without_asking(target.zone.side));
            found.retain(|object| {
                object
                    .as_card()
                    .is_some_and(|card| self.lies_in(card, side, target.zone.place))
            });
        }
        found.retain(|object| !self.excluded.contains(object));
        self.filter_objects(&mut found, &target.filters);
        // `before_not` counts after the filters and before `::not`. If it is 0 the target
        // fails, but a list that only `::not` has emptied is a result (R420).
        let before_not = found.len();
        self.without_excluded(&mut found, target)?;
        if let Some(pick) = target.pick {
            take_pick(&mut found, pick);
        }
        Ok((found, before_not))
    }

    fn lies_in(&self, card: CardId, seat: Seat, place: ZonePlace) -> bool {
        let is_theirs = self.facts.controller(card) == seat;
        match (place, self.facts.zone(card)) {
            (ZonePlace::Arena, ZoneKind::Ring) => true,
            (ZonePlace::Ring, ZoneKind::Ring) => is_theirs,
            (ZonePlace::Pile(pile), ZoneKind::Pile(lies)) => is_theirs && pile == lies,
            (ZonePlace::Arena | ZonePlace::Ring | ZonePlace::InFront | ZonePlace::Pile(_), _) => false,
        }
    }

    /// R411, for cards and players.
    fn filter_objects(&self, found: &mut Objects, filters: &[Few<TargetFilter>]) {
        if filters.is_empty() {
            return;
        }
        let mut kept = Objects::new();
        for all in filters {
            // Every alternative sees the whole list, as `bp:lowest` is the lowest of all that
            // reach it. The result is in the order of the alternatives first (R411).
            let mut cards: CardList = found.iter().filter_map(|object| object.as_card()).collect();
            self.filter_all(&mut cards, all);
            for object in found.iter() {
                let passes = match (object.as_card(), object.as_player()) {
                    (Some(card), _) => cards.contains(&card),
                    (None, Some(seat)) => all.iter().all(|filter| self.player_matches(seat, *filter)),
                    (None, None) => false,
                };
                if passes && !kept.contains(object) {
                    kept.push(*object);
                }
            }
        }
        *found = kept;
    }

    /// As many of cards and players as the quantity says, one after another (D29).
    fn pick_of_both(&mut self, found: Objects, target: &Target) -> FoundTargets<Objects> {
        let (min, max) = bounds(target.quantity, found.len());
        if found.len() <= min {
            return Ok(found);
        }
        let mut chosen = Objects::new();
        let mut from = 0;
        while chosen.len() < max && from < found.len() {
            let needed = min.saturating_sub(chosen.len());
            // As in `pick_cards`, the choice goes forward only: behind the
            // chosen one there must be enough for what is still needed.
            let last = found.len() - needed.max(1);
            if found.len() - from <= needed {
                chosen.extend(found[from..].iter().copied());
                break;
            }
            let one = |object: &DuelObject| match object.as_player() {
                Some(seat) => Choice::Player(seat),
                None => Choice::Card(CardId(object.0)),
            };
            let options = found[from..=last].iter().map(one);
            let done = (needed == 0).then_some(Choice::Done);
            let entry = self.choose(
                Question::Player,
                options.chain(done).collect::<SmallVec<[_; 16]>>(),
            )?;
            if entry == DONE {
                break;
            }
            let at = found
                .iter()
                .position(|object| object.0 == entry)
                .ok_or(QueryStop::Fail)?;
            chosen.push(found[at]);
            from = at + 1;
        }
        Ok(chosen)
    }

    /// Whether somebody picks among the matches (so that excluded cards must not be offered).
    fn is_choice(&self, target: &Target) -> bool {
        match &target.kind {
            TargetKind::Either(items) => {
                items.iter().any(|item| !item.plural)
                    && !(target.pick.is_some() && target.quantity == TargetQuantity::Default)
            }
            TargetKind::Each(_) | TargetKind::Computed(_) => false,
        }
    }

    /// Types joined by `,` (R401, R402, D28).
    fn either(&mut self, items: &[TypeItem], target: &Target, purpose: Purpose) -> FoundTargets<Objects> {
        if let TargetQuantity::Random(count) = target.quantity {
            return self.random(items, target, count);
        }
        if let [only] = items {
            return self.one_type(*only, target, purpose);
        }
        let is_player =
            |item: &TypeItem| matches!(item.what, TargetType::Player | TargetType::Me | TargetType::Opp);
        let singular_player = items.iter().any(|item| is_player(item) && !item.plural);
        if singular_player {
            // `opp,character@oppRing`: the executor first says which of the two, then which character
            // (D28). If only one of them can be found, it is taken without a question.
            let offered: SmallVec<[usize; 8]> = (0..items.len())
                .filter(|index| self.is_worth_offering(items[*index], target))
                .collect();
            let chosen = match offered[..] {
                [] => return Err(QueryStop::Fail),
                [only] => only,
                _ => {
                    let options = offered.iter().map(|index| Choice::Type(byte(*index)));
                    usize::from(self.choose(Question::Type, options)?)
                }
            };
            return self.one_type(items[chosen], target, purpose);
        }
        // Plurals contribute all matches, in order; the singulars together form one list with one
        // quantity.
        let mut all = Objects::new();
        let mut emptied = false;
        // A plural that finds nothing adds nothing: only a result that is empty as a whole fails.
        for item in items.iter().filter(|item| item.plural) {
            match self.one_type(*item, target, purpose) {
                Ok(found) => {
                    emptied |= found.is_empty() && target.not.is_some();
                    all.extend(found);
                }
                Err(QueryStop::Fail) => {}
                Err(QueryStop::Ask) => return Err(QueryStop::Ask),
            }
        }
        let singular: SmallVec<[TypeItem; 4]> = items.iter().copied().filter(|item| !item.plural).collect();
        if !singular.is_empty() {
            let found = self.cards(&singular, target, purpose)?;
            emptied |= found.is_empty() && target.not.is_some();
            all.extend(found);
        }
        dedup(&mut all);
        // A result that `::not` has emptied is no failure (R420).
        if all.is_empty() && target.pick.is_none() && !emptied {
            Err(QueryStop::Fail)
        } else {
            Ok(all)
        }
    }

    /// D28: whether an alternative has a candidate, as far as the executor can see.
    fn is_worth_offering(&mut self, item: TypeItem, target: &Target) -> bool {
        match item.what {
            TargetType::Player | TargetType::Me | TargetType::Opp => !self.players(item, target).is_empty(),
            // What the executor cannot see is worth asking about.
            TargetType::This | TargetType::Card(_) => self.any_candidate(&[item], target, true),
        }
    }

    fn one_type(&mut self, item: TypeItem, target: &Target, purpose: Purpose) -> FoundTargets<Objects> {
        match item.what {
            TargetType::Player | TargetType::Me | TargetType::Opp => {
                let mut players: Objects = self
                    .players(item, target)
                    .into_iter()
                    .map(DuelObject::player)
                    .collect();
                if self.without_excluded(&mut players, target)? {
                    return Ok(players);
                }
                let players = players.iter().filter_map(|object| object.as_player()).collect();
                self.pick_players(players, item, target)
            }
            TargetType::This | TargetType::Card(_) => self.cards(&[item], target, purpose),
        }
    }

    /// Finds the players that a type of a target means and its filters let through (R409).
    fn players(&mut self, item: TypeItem, target: &Target) -> SmallVec<[Seat; 2]> {
        let me = self.executor();
        let named: &[Seat] = match item.what {
            TargetType::Me => &[me],
            TargetType::Opp => &[me.other()],
            TargetType::Player | TargetType::This | TargetType::Card(_) => &[me, me.other()],
        };
        let mut found = SmallVec::new();
        for seat in named {
            let matches = target.filters.is_empty()
                || target
                    .filters
                    .iter()
                    .any(|all| all.iter().all(|filter| self.player_matches(*seat, *filter)));
            if matches {
                found.push(*seat);
            }
        }
        found
    }

    /// R409: only `sp` makes sense; flags are false for players.
    fn player_matches(&self, seat: Seat, filter: TargetFilter) -> bool {
        let holds = match filter.test {
            FilterTest::Sp(compare, value) => compare.holds(self.facts.s.players[seat].sp, value),
            _ => false,
        };
        holds != filter.negated
    }

    fn pick_players(
        &mut self,
        players: SmallVec<[Seat; 2]>,
        item: TypeItem,
        target: &Target,
    ) -> FoundTargets<Objects> {
        let all = |players: SmallVec<[Seat; 2]>| players.into_iter().map(DuelObject::player).collect();
        if players.is_empty() {
            return Err(QueryStop::Fail);
        }
        let (min, max) = bounds(target.quantity, players.len());
        if item.plural || players.len() <= min {
            return Ok(all(players));
        }
        let mut chosen = Objects::new();
        // `<1,2>player`, `<2>player`: one after another, as cards (D29, D36).
        let mut from = 0;
        while chosen.len() < max && from < players.len() {
            let rest = &players[from..];
            if rest.len() + chosen.len() <= min {
                chosen.extend(rest.iter().map(|seat| DuelObject::player(*seat)));
                break;
            }
            let done = (chosen.len() >= min && min < max).then_some(Choice::Done);
            let done = done.filter(|_| !chosen.is_empty() || min == 0);
            let options = rest.iter().map(|seat| Choice::Player(*seat)).chain(done);
            let entry = self.choose(Question::Player, options)?;
            if entry == DONE {
                break;
            }
            let object = DuelObject(entry);
            chosen.push(object);
            from = players
                .iter()
                .position(|seat| DuelObject::player(*seat) == object)
                .map_or(players.len(), |at| at + 1);
        }
        Ok(chosen)
    }

    /// `<rN>`: from all matching objects of all types, without replacement (R417).
    fn random(&mut self, items: &[TypeItem], target: &Target, count: u16) -> FoundTargets<Objects> {
        let mut pool = Objects::new();
        let side = self.side(items, target)?;
        for item in items {
            match item.what {
                TargetType::Player | TargetType::Me | TargetType::Opp => {
                    pool.extend(self.players(*item, target).into_iter().map(DuelObject::player));
                }
                TargetType::This | TargetType::Card(_) => {
                    let cards = self.matches(&[*item], target, side);
                    pool.extend(cards.into_iter().map(DuelObject::card));
                }
            }
        }
        dedup(&mut pool);
        self.without_excluded(&mut pool, target)?;
        if pool.is_empty() {
            return if target.pick.is_some() && in_pile(target) {
                Ok(pool)
            } else {
                Err(QueryStop::Fail)
            };
        }
        self.draw_from(pool, count)
    }

    /// So many of them at random, without replacement (R417).
    fn draw_from(&mut self, mut pool: Objects, count: u16) -> FoundTargets<Objects> {
        // The last one of the pool is taken without a draw: there is
        // nothing to decide, and a draw would commit the run (D3).
        let mut drawn = Objects::new();
        for _ in 0..usize::from(count.max(1)).min(pool.len()) {
            let at = if pool.len() == 1 {
                0
            } else {
                self.draw(pool.len())?
            };
            drawn.push(pool.remove(at.min(pool.len() - 1)));
        }
        Ok(drawn)
    }

    /// Steps R405 to R415 for cards.
    fn cards(&mut self, items: &[TypeItem], target: &Target, purpose: Purpose) -> FoundTargets<Objects> {
        // In order: the side, the candidates, what is taken without a choice, then
        // what must not be offered, and the choice itself (R405–R415).
        let side = self.side(items, target)?;
        if let (Some(side), ZonePlace::Pile(pile)) = (side, target.zone.place) {
            self.searched = Some((side, pile));
        }
        let mut cards = self.matches(items, target, side);
        let takes_all = self.takes_all(items, target);
        if !takes_all {
            // R425: 0-BP characters are not offered.
            cards.retain(|card| !(self.facts.in_ring(*card) && self.facts.s.ring_bp(*card) == 0));
        }
        // From here an empty list may have two reasons. If nothing was there, the
        // target fails. If `::not` took everything, it does not (R420).
        if target.not.is_some() {
            let mut objects: Objects = cards.iter().map(|card| DuelObject::card(*card)).collect();
            if self.without_excluded(&mut objects, target)? {
                return Ok(objects);
            }
            cards = objects.iter().filter_map(|object| object.as_card()).collect();
        }
        if takes_all {
            return self.all_of(&cards, target);
        }
        // With minimum 0 an empty list goes on to `pick_cards`, which returns it as a success (R416).
        let (min, _) = bounds(target.quantity, cards.len());
        if cards.is_empty() && min > 0 {
            return self.all_of(&cards, target);
        }
        self.pick_cards(items, side, cards, target, purpose)
    }

    /// Whether all matches are taken, without a choice: of plurals, of a pick without a number, and in front.
    fn takes_all(&self, items: &[TypeItem], target: &Target) -> bool {
        let plural = items.iter().all(|item| item.plural);
        let lone_pick = target.pick.is_some() && target.quantity == TargetQuantity::Default;
        plural || lone_pick || target.zone.place == ZonePlace::InFront
    }

    /// Takes out what `::not` excludes (R243, R420). Returns whether this has emptied the list, which is a
    /// result and not a failure.
    fn without_excluded(&mut self, objects: &mut Objects, target: &Target) -> FoundTargets<bool> {
        let Some(expr) = target.not else {
            return Ok(false);
        };
        let found_some = !objects.is_empty();
        let excluded = self.objects_of(expr)?;
        objects.retain(|object| !excluded.contains(object));
        Ok(found_some && objects.is_empty())
    }

    fn all_of(&self, cards: &[CardId], target: &Target) -> FoundTargets<Objects> {
        // R413, D29: an empty pick is no failure in piles.
        if cards.is_empty() && !(target.pick.is_some() && in_pile(target)) {
            return Err(QueryStop::Fail);
        }
        Ok(cards.iter().map(|card| DuelObject::card(*card)).collect())
    }

    /// D29: one decision per card, with rising index; the result is in candidate order.
    fn pick_cards(
        &mut self,
        items: &[TypeItem],
        side: Option<Seat>,
        mut cards: CardList,
        target: &Target,
        purpose: Purpose,
    ) -> FoundTargets<Objects> {
        let (min, max) = bounds(target.quantity, cards.len());
        // Only the cards of an expression may lie in several places.
        let hidden = match target.kind {
            TargetKind::Computed(_) => cards.iter().find_map(|card| self.hidden_pile(*card)),
            TargetKind::Either(_) | TargetKind::Each(_) => {
                cards.first().and_then(|card| self.hidden_pile(*card))
            }
        };
        // D3: what the chooser knows, as the own hand, is not shown by choosing from it.
        // This stands before the early return: cards that are all taken,
        // without any freedom, are shown to the chooser as well (R415).
        if !self.shown {
            let me = self.executor();
            let is_known = |card: &CardId| self.facts.s.cards[card.index()].known().contains(me);
            self.shown = !cards.iter().all(is_known);
        }
        if cards.len() <= min {
            return Ok(cards.into_iter().map(DuelObject::card).collect());
        }
        if hidden.is_some() {
            // Never in pile order; equal copies stand together, the topmost first.
            self.facts.sort(&mut cards);
        }
        let model = |query: &Self, card: CardId| query.facts.s.cards[card.index()].model;
        let may_lie_in_deck = match target.kind {
            TargetKind::Computed(_) => hidden.is_some(),
            TargetKind::Either(_) | TargetKind::Each(_) => matches!(hidden, Some((_, PileName::Deck))),
        };
        let mut chosen = Objects::new();
        // Whatever stands before `from` is decided: taken, or passed over for good. So a set of cards
        // is reached by one sequence of answers only, first a and then b, never b and then a (D29).
        let mut from = 0;
        while chosen.len() < max && from < cards.len() {
            let needed = min.saturating_sub(chosen.len());
            // Exactly as many are left as are needed: they are taken without a question.
            if cards.len() - from <= needed {
                chosen.extend(cards[from..].iter().map(|card| DuelObject::card(*card)));
                break;
            }
            let last = cards.len() - needed.max(1); // enough must remain behind the chosen one
            let mut options: SmallVec<[Choice; INLINE_OPTIONS]> = SmallVec::new();
            if hidden.is_none() {
                // Everybody sees which card is which, so that none equals another.
                options.extend(cards[from..=last].iter().map(|card| Choice::Card(*card)));
            } else {
                // Where the copies of a card begin.
                let mut copies = from;
                for at in from..=last {
                    if model(self, cards[at]) != model(self, cards[copies]) {
                        copies = at;
                    }
                    let equal = self.has_equal(cards[at], &cards[copies..at]);
                    if !equal && may_lie_in_deck && self.lies_in_a_deck(cards[at]) {
                        options.push(Choice::Copy(model(self, cards[at])));
                    } else if !equal {
                        options.push(Choice::Card(cards[at]));
                    }
                }
            }
            if needed == 0 {
                options.push(Choice::Done);
            }
            // Both notes below are made at the question that waits only. At a choice
            // that the tape answers already, they would show an old list.
            if target.pick.is_some()
                && self.is_at_the_end()
                && let Some(looks) = &mut self.looks
            {
                looks.clear();
                looks.extend(&cards);
            }
            if let Some(probe) = self.probe.filter(|_| self.is_at_the_end()) {
                let now = Choosing {
                    items,
                    target,
                    side,
                    cards: &cards,
                    chosen: &chosen,
                    from,
                    last,
                    in_deck: matches!(hidden, Some((_, PileName::Deck))),
                    is_hidden: hidden.is_some(),
                };
                self.verdict = Some(self.judge(probe, &now));
            }
            let counts = (byte(chosen.len()), byte(min), byte(max));
            let entry = self.choose(question(purpose, counts, hidden), options)?;
            if entry == DONE {
                break;
            }
            // A copy stands on the tape by its model, because an index would tell the place in the deck
            // (D50). It means the first copy that is left, which is the topmost one (D29).
            let at = if entry == MODEL {
                let low = self.next_entry().ok_or(QueryStop::Fail)?;
                let high = self.next_entry().ok_or(QueryStop::Fail)?;
                let model = u16::from_le_bytes([low, high]);
                let rest = &cards[from..];
                let is_copy = |card: &CardId| self.facts.s.cards[card.index()].model.0 == model;
                let found = rest
                    .iter()
                    .position(|card| is_copy(card) && self.lies_in_a_deck(*card));
                found.map(|at| at + from).ok_or(QueryStop::Fail)?
            } else {
                cards
                    .iter()
                    .position(|card| card.0 == entry)
                    .ok_or(QueryStop::Fail)?
            };
            chosen.push(DuelObject::card(cards[at]));
            from = at + 1;
        }
        Ok(chosen)
    }

    /// Whether one of these cards is the same option as this one (D29): the same in the same hidden
    /// pile. What lies beneath a transformed card may be nobody's to know, so such a card is an option
    /// of its own; in a deck a form alone is chosen.
    pub(crate) fn has_equal(&self, card: CardId, others: &[CardId]) -> bool {
        let model = |card: CardId| self.facts.s.cards[card.index()].model;
        // Copies are rare: where they lie and what changes have made of them is looked up only for them.
        if !others.iter().any(|other| model(*other) == model(card)) {
            return false;
        }
        let pile = self.hidden_pile(card);
        let in_deck = matches!(pile, Some((_, PileName::Deck)));
        let is_equal = |other: CardId| {
            model(other) == model(card)
                && self.hidden_pile(other) == pile
                && (in_deck || !self.facts.is_transformed(other))
        };
        let is_own = !in_deck && self.facts.is_transformed(card);
        pile.is_some() && !is_own && others.iter().any(|other| is_equal(*other))
    }

    /// Where a card is chosen as a copy, without its place (D29).
    pub(crate) fn lies_in_a_deck(&self, card: CardId) -> bool {
        self.facts.zone(card) == ZoneKind::Pile(PileName::Deck)
    }

    fn hidden_pile(&self, card: CardId) -> Option<(Seat, PileName)> {
        match self.facts.zone(card) {
            ZoneKind::Pile(pile @ (PileName::Hand | PileName::Deck)) => {
                Some((self.facts.controller(card), pile))
            }
            ZoneKind::Pile(PileName::Discards | PileName::Removed)
            | ZoneKind::Ring
            | ZoneKind::Backup
            | ZoneKind::Table => None,
        }
    }

    fn side_without_asking(&self, side: ZoneSide) -> Seat {
        let me = self.executor();
        match side {
            ZoneSide::Mine | ZoneSide::Same | ZoneSide::Any => me,
            ZoneSide::Opponent => me.other(),
            ZoneSide::Controller => match self.frame.source.some() {
                Some(_) => self.facts.source_controller(self.frame),
                None => me,
            },
        }
    }

    /// Whose zone; `None` is both rings (R405, R419, R220).
    fn side(&mut self, items: &[TypeItem], target: &Target) -> FoundTargets<Option<Seat>> {
        if target.zone.place == ZonePlace::Arena {
            return Ok(None);
        }
        if self.forced.is_some() {
            return Ok(self.forced);
        }
        match target.zone.side {
            ZoneSide::Any | ZoneSide::Same => {
                let me = self.executor();
                // A public zone is offered only if something matches there. A hand or deck is
                // always offered: leaving it out would tell what lies in it (D28).
                let public = !matches!(
                    target.zone.place,
                    ZonePlace::Pile(PileName::Hand | PileName::Deck)
                );
                let offered: SmallVec<[Seat; 2]> = [me, me.other()]
                    .into_iter()
                    .filter(|seat| !public || !self.matches(items, target, Some(*seat)).is_empty())
                    .collect();
                match offered[..] {
                    // Nothing matches on either side, so the search on
                    // the own side fails like any other.
                    [] => Ok(Some(me)),
                    [only] => Ok(Some(only)),
                    _ => {
                        let options = offered.iter().map(|seat| Choice::Zone(*seat));
                        let entry = self.choose(Question::Zone, options)?;
                        Ok(Some(Seat::from_index(usize::from(entry))))
                    }
                }
            }
            side @ (ZoneSide::Mine | ZoneSide::Opponent | ZoneSide::Controller) => {
                Ok(Some(self.side_without_asking(side)))
            }
        }
    }

    /// Whether there is a candidate; never asks (D29). With `guess`, hidden cards that the executor
    /// does not know count as matching (D17).
    pub fn exists(&mut self, target: &Target, guess: bool) -> bool {
        self.has_candidates(target, 1, guess)
    }

    /// Whether a requisite is met: as many candidates as its quantity or pick names (D99).
    pub fn meets(&mut self, requisite: &Target, guess: bool) -> bool {
        self.has_candidates(requisite, least(requisite), guess)
    }

    fn has_candidates(&mut self, target: &Target, needed: usize, guess: bool) -> bool {
        match &target.kind {
            TargetKind::Computed(expr) => self
                .computed_matches(*expr, target)
                .is_ok_and(|(found, _)| found.len() >= needed),
            TargetKind::Each(items) | TargetKind::Either(items) => {
                let is_card = |item: &&TypeItem| matches!(item.what, TargetType::This | TargetType::Card(_));
                let players: usize = items
                    .iter()
                    .filter(|item| !is_card(item))
                    .map(|item| self.players(*item, target).len())
                    .sum();
                let cards: SmallVec<[TypeItem; 4]> = items.iter().filter(is_card).copied().collect();
                players >= needed
                    || !cards.is_empty() && self.count_candidates(&cards, target, guess) + players >= needed
            }
        }
    }

    /// Every card that would do, once (D4).
    pub fn all_matches(&mut self, target: &Target) -> Objects {
        // Never asks: costs take the executor’s own zones, which are forced (R703, R705).
        let side = match target.zone.place {
            ZonePlace::Arena => None,
            ZonePlace::Ring | ZonePlace::InFront | ZonePlace::Pile(_) => {
                Some(self.side_without_asking(target.zone.side))
            }
        };
        match &target.kind {
            TargetKind::Computed(expr) => {
                let found = self.computed_matches(*expr, target);
                found.map(|(found, _)| found).unwrap_or_default()
            }
            TargetKind::Each(items) | TargetKind::Either(items) => {
                let mut all = Objects::new();
                for item in items {
                    all.extend(
                        self.matches(&[*item], target, side)
                            .into_iter()
                            .map(DuelObject::card),
                    );
                }
                dedup(&mut all);
                // What can be chosen from is what `cards` would offer: no character with 0 BP (R425), and
                // nothing that `::not` takes out (R420).
                if !self.takes_all(items, target) && !matches!(target.quantity, TargetQuantity::Random(_)) {
                    all.retain(|object| {
                        let card = object.as_card().filter(|card| self.facts.in_ring(*card));
                        card.is_none_or(|card| self.facts.s.ring_bp(card) != 0)
                    });
                }
                match self.without_excluded(&mut all, target) {
                    Ok(_) => all,
                    Err(_) => Objects::new(),
                }
            }
        }
    }

    /// Resolves a target among cards that are not yet taken.
    pub fn target_without(
        &mut self,
        target: &Target,
        purpose: Purpose,
        taken: &Objects,
    ) -> FoundTargets<Objects> {
        self.excluded = taken.clone();
        let found = self.target(target, purpose);
        self.excluded.clear();
        found
    }

    fn any_candidate(&mut self, items: &[TypeItem], target: &Target, guess: bool) -> bool {
        self.count_candidates(items, target, guess) > 0
    }

    /// How many cards match; of two sides that can be chosen, on the one with more.
    fn count_candidates(&mut self, items: &[TypeItem], target: &Target, guess: bool) -> usize {
        let me = self.executor();
        let sides: &[Option<Seat>] = match (target.zone.place, target.zone.side) {
            (ZonePlace::Arena, _) => &[None],
            (_, ZoneSide::Any | ZoneSide::Same) => &[Some(me), Some(me.other())],
            (_, side @ (ZoneSide::Mine | ZoneSide::Opponent | ZoneSide::Controller)) => {
                &[Some(self.side_without_asking(side))]
            }
        };
        let facts = self.facts;
        let counts = sides.iter().map(|side| {
            // With `guess` each unknown card of the pile counts as a match, and each known one only
            // if it does match. The true answer for an unknown card must not count on top of that.
            // Without `guess` all cards count as what they are, hidden ones included.
            let is_unknown = |card: &CardId| !facts.s.cards[card.index()].known().contains(me);
            let unknown = match (target.zone.place, side) {
                (ZonePlace::Pile(pile), Some(seat)) if guess => {
                    facts.s.pile_cards(*seat, pile).filter(is_unknown).count()
                }
                _ => 0,
            };
            let matches = self.matches(items, target, *side);
            unknown
                + matches
                    .iter()
                    .filter(|card| unknown == 0 || !is_unknown(card))
                    .count()
        });
        counts.max().unwrap_or(0)
    }

    /// Candidates after type, filters and pick (R406–R414), in zone order.
    pub(crate) fn matches(&mut self, items: &[TypeItem], target: &Target, side: Option<Seat>) -> CardList {
        let mut all = CardList::new();
        for item in items {
            let mut cards = self.candidates(*item, target, side);
            self.filter(&mut cards, &target.filters);
            // The pick is made for each type by itself (R414): `"A","B"` with pick 1 gives one of each.
            if let Some(pick) = target.pick {
                take_pick(&mut cards, pick);
            }
            for card in cards {
                // One type never finds a card twice, so the search is left out. Listing the
                // options of a phase runs this for the targets of each ability.
                if items.len() == 1 || !all.contains(&card) {
                    all.push(card);
                }
            }
        }
        all
    }

    pub(crate) fn candidates(&self, item: TypeItem, target: &Target, side: Option<Seat>) -> CardList {
        let facts = self.facts;
        let me = self.executor();
        let test = match item.what {
            TargetType::This => return self.source().into_iter().collect(),
            TargetType::Card(test) => test,
            TargetType::Player | TargetType::Me | TargetType::Opp => return CardList::new(),
        };
        let mut cards = CardList::new();
        let mut add = |card: CardId| {
            let own = item.not_source && Some(card) == self.source();
            let taken = self.excluded.contains(&DuelObject::card(card));
            if !own && !taken && self.passes(card, test, item.negated) {
                cards.push(card);
            }
        };
        match (target.zone.place, side) {
            (ZonePlace::Arena, _) | (ZonePlace::Ring, None) => {
                for seat in [me, me.other()] {
                    facts.s.ring(seat).for_each(|slot| add(slot.card));
                }
            }
            (ZonePlace::Ring, Some(seat)) => facts.s.ring(seat).for_each(|slot| add(slot.card)),
            (ZonePlace::InFront, _) => {
                // Only a source in the executor’s own ring faces
                // anything, whatever prefix is written (R408).
                let place = self.source().and_then(|source| facts.s.slot_of(source));
                if let Some((seat, slot)) = place
                    && seat == me
                    && let Some(card) = facts.facing(seat, slot)
                {
                    add(card);
                }
            }
            (ZonePlace::Pile(pile), seat) => {
                facts.listed(seat.unwrap_or(me), pile).into_iter().for_each(add);
            }
        }
        cards
    }

    pub(crate) fn passes(&self, card: CardId, test: CardTest, negated: bool) -> bool {
        let model = self.facts.model(card);
        let holds = test
            .card_type
            .is_none_or(|wanted| model.card_type == Some(wanted))
            && test.subtype.is_none_or(|wanted| model.subtype == Some(wanted))
            && test.name.is_none_or(|wanted| model.name_id == wanted);
        // R211: `!` with `*` has no effect.
        let any = test == CardTest::default();
        any || holds != negated
    }

    /// R411: each alternative on all candidates; first the order of alternatives, then of the zone.
    pub(crate) fn filter(&self, cards: &mut CardList, filters: &[Few<TargetFilter>]) {
        match filters {
            [] => {}
            [all] => self.filter_all(cards, all),
            several => {
                let mut kept = CardList::new();
                for all in several {
                    let mut some = cards.clone();
                    self.filter_all(&mut some, all);
                    for card in some {
                        if !kept.contains(&card) {
                            kept.push(card);
                        }
                    }
                }
                *cards = kept;
            }
        }
    }

    pub(crate) fn filter_all(&self, cards: &mut CardList, filters: &[TargetFilter]) {
        for filter in filters {
            // `bp:lowest` compares the cards that have passed the conditions before it, so the order of
            // the conditions matters: `[frozen&bp:lowest]` is the weakest of the frozen ones (R422).
            if filter.test == FilterTest::BpLowest {
                let lowest = cards.iter().filter_map(|card| self.filter_bp(*card)).min();
                cards.retain(|card| {
                    let bp = self.filter_bp(*card);
                    bp.is_some() && (bp == lowest) != filter.negated
                });
            } else {
                cards.retain(|card| self.card_matches(*card, *filter));
            }
        }
    }

    /// R422: current BP if it is not 0, else printed BP.
    fn filter_bp(&self, card: CardId) -> Option<i32> {
        let bp = self.facts.bp(card)?;
        Some(if bp == 0 { self.facts.model(card).bp } else { bp })
    }

    fn card_matches(&self, card: CardId, filter: TargetFilter) -> bool {
        let facts = self.facts;
        let kind = || facts.ability_kind(card);
        let holds = match filter.test {
            FilterTest::BackedUp => facts.is_backed_up(card),
            FilterTest::Attack => facts.s.marked(card, Marks::ATTACK),
            FilterTest::UAttack => facts.in_united(card),
            FilterTest::Block => facts.s.marked(card, Marks::BLOCK),
            FilterTest::Blocked => facts.s.marked(card, Marks::ATTACK) && facts.s.blocker_of(card).is_some(),
            FilterTest::Frozen => facts.is_frozen(card),
            FilterTest::Fresh => facts.s.marked(card, Marks::FRESH),
            FilterTest::Powerful => kind().is_some(),
            FilterTest::Powerless => kind().is_none(),
            FilterTest::AbInstant => kind() == Some(AbilityKind::Instant),
            FilterTest::AbTrigger => kind() == Some(AbilityKind::Triggered),
            FilterTest::AbAuto => kind() == Some(AbilityKind::Auto),
            FilterTest::BpLowest => true,
            FilterTest::Bp(compare, value) => match self.filter_bp(card) {
                Some(bp) => compare.holds(bp, value),
                None => return false, // negated also only characters
            },
            FilterTest::Sp(compare, value) => compare.holds(facts.model(card).sp, value),
            FilterTest::Type(card_type) => facts.is_type(card, card_type),
            FilterTest::Subtype(subtype) => facts.model(card).subtype == Some(subtype),
        };
        holds != filter.negated
    }
}

fn question(purpose: Purpose, (chosen, min, max): (u8, u8, u8), pile: Option<(Seat, PileName)>) -> Question {
    match purpose {
        Purpose::Target => Question::Target {
            chosen,
            min,
            max,
            pile,
        },
        Purpose::DiscardCost => Question::DiscardCost { chosen, min, max },
        Purpose::SacrificeCost => Question::SacrificeCost { chosen, min, max },
        Purpose::Discard(hand) => Question::Discard {
            hand,
            chosen,
            min,
            max,
        },
    }
}

/// The least number that a quantity or a pick names (D99); a plural says nothing (R418).
fn least(target: &Target) -> usize {
    let is_plural = match &target.kind {
        TargetKind::Either(items) | TargetKind::Each(items) => items.iter().all(|item| item.plural),
        TargetKind::Computed(_) => false,
    };
    match target.quantity {
        TargetQuantity::Random(count) => usize::from(count.max(1)),
        TargetQuantity::Between(count) if !is_plural => usize::from(count.min),
        TargetQuantity::Between(_) | TargetQuantity::Default => {
            target.pick.map_or(1, |pick| usize::from(pick.unsigned_abs()))
        }
    }
}

/// How many of `available` (R204).
pub(crate) fn bounds(quantity: TargetQuantity, available: usize) -> (usize, usize) {
    match quantity {
        TargetQuantity::Default => (1, 1),
        TargetQuantity::Between(count) => (
            usize::from(count.min),
            usize::from(count.max).min(available.max(1)),
        ),
        TargetQuantity::Random(count) => (usize::from(count), usize::from(count)),
    }
}

fn in_pile(target: &Target) -> bool {
    matches!(target.zone.place, ZonePlace::Pile(_))
}

/// R414: the first or last n matches.
fn take_pick<A: smallvec::Array>(matches: &mut SmallVec<A>, pick: i16) {
    let count = usize::from(pick.unsigned_abs());
    if pick > 0 {
        matches.truncate(count);
    } else if pick < 0 && matches.len() > count {
        matches.drain(..matches.len() - count);
    }
}

fn dedup(objects: &mut Objects) {
    let mut kept = Objects::new();
    for object in objects.drain(..) {
        if !kept.contains(&object) {
            kept.push(object);
        }
    }
    *objects = kept;
}
