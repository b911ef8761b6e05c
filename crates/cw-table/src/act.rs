//! Carries verbs out, on a copy that is thrown away if anything in them cannot be (F63).

mod cards;
mod chance;
mod decks;
mod game;
mod knowledge;
mod marks;
mod moves;
mod scripts;

use std::sync::Arc;

use crate::count::whole;
use crate::event::{NamedCard, Piece, SentenceWords, TableEvent};
use crate::kit::Protection;
use crate::state::Viewers;
use crate::{
    ArrivalSpot, CardAt, CardGroup, ConsentQuestion, Kit, LookerSet, PileId, PilePart, QuestionKind, Rights,
    TableCardId, TableSeat, TableState, TableVerb, VerbCards, VerbRefusal,
};

pub(crate) type VerbResult = Result<(), VerbRefusal>;

/// A verb at work.
#[derive(Debug)]
pub(crate) struct VerbAct<'k> {
    pub(crate) kit: &'k Kit,
    pub(crate) s: TableState,
    pub(crate) seat: TableSeat,
    pub(crate) events: Vec<TableEvent>,
    /// Everybody who has to agree has agreed.
    pub(crate) agreed: bool,
    /// Cards that were made and that ceased to be, for the invariant (F206).
    pub(crate) made: usize,
    pub(crate) gone: usize,
    /// What came to light between the verbs of one step (F130).
    pub(crate) learned: Vec<(LookerSet, CardGroup, usize)>,
    /// A seal was opened or a game begun: the step cannot be taken back (F133).
    pub(crate) is_final: bool,
    /// Nothing at the table has changed.
    pub(crate) is_aside: bool,
    /// A script drew from the chance of its run.
    pub(crate) drew: bool,
    /// A script names the cards, each by itself.
    pub(crate) by_script: bool,
    /// Who knew each card before the first part of a step of several verbs.
    knew: Option<Vec<LookerSet>>,
    /// Piles that decks have filled and that scripts have not been told of yet (S216).
    pub(crate) loaded: Vec<(TableSeat, Vec<PileId>)>,
}

/// Which card, and whether everybody is told its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenCard {
    pub(crate) id: TableCardId,
    pub(crate) told: bool,
}

impl<'k> VerbAct<'k> {
    pub(crate) fn new(kit: &'k Kit, state: TableState, seat: TableSeat) -> VerbAct<'k> {
        VerbAct {
            kit,
            s: state,
            seat,
            events: Vec::new(),
            agreed: false,
            made: 0,
            gone: 0,
            learned: Vec::new(),
            is_final: false,
            is_aside: false,
            drew: false,
            by_script: false,
            knew: None,
            loaded: Vec::new(),
        }
    }

    /// The table of contents.
    pub(crate) fn perform(&mut self, verb: &TableVerb) -> VerbResult {
        match verb {
            TableVerb::Move {
                cards,
                to,
                spot,
                face,
            } => self.move_cards(cards, *to, *spot, *face),
            TableVerb::Place { cards, x, y, face } => self.place(cards, (*x, *y), *face),
            TableVerb::Draw { pile, count, end } => self.draw(*pile, *count, *end),
            TableVerb::MoveAll {
                from,
                to,
                spot,
                random,
            } => self.move_all(*from, *to, *spot, *random),
            TableVerb::MoveTop {
                pile,
                end,
                count,
                to,
                spot,
                face,
            } => self.move_top(*pile, *end, *count, *to, *spot, *face),
            TableVerb::MoveUntil { pile, property, text } => self.move_until(*pile, property, text),
            TableVerb::Shuffle { pile, part } => match part {
                PilePart::All => self.shuffle(*pile),
                PilePart::End(end, count) => self.shuffle_part(*pile, *end, *count),
            },
            TableVerb::Look { pile, part } => self.look(*pile, *part, verb, "looks at"),
            TableVerb::Search { pile } => self.look(*pile, PilePart::All, verb, "searches"),
            TableVerb::Close { pile, shuffle } => self.close(*pile, *shuffle),
            TableVerb::Leave { pile } => self.close(*pile, false),
            TableVerb::Reorder { cards, places } => self.reorder(cards, places),
            TableVerb::Peek { cards } => self.peek(cards, verb),
            TableVerb::Reveal { cards, to } => self.reveal(cards, *to, verb),
            TableVerb::Hide { cards } => self.hide(cards),
            TableVerb::Random { pile, count, then } => self.random(*pile, *count, *then, verb),
            TableVerb::SetViewers { pile, viewers } => self.set_viewers(*pile, *viewers, verb),
            TableVerb::KeepTop { pile, to } => self.keep_top(*pile, *to, verb),
            TableVerb::Protect { pile, protection } => self.protect(*pile, *protection),
            TableVerb::Turn { cards, how } => self.turn(cards, *how),
            TableVerb::Rotate { cards, how } => self.rotate(cards, *how),
            TableVerb::Straighten => self.straighten(),
            TableVerb::Lock { cards, on } => self.lock(cards, *on),
            TableVerb::SwitchForm { cards, form } => self.switch_form(cards, *form),
            TableVerb::Marker {
                cards,
                marker,
                change,
            } => self.marker(cards, *marker, *change),
            TableVerb::MoveMarker {
                from,
                to,
                marker,
                count,
                copy,
            } => self.move_marker(from, to, *marker, *count, *copy),
            TableVerb::Highlight { cards, colour } => self.colour(cards, *colour, true),
            TableVerb::Filter { cards, colour } => self.colour(cards, *colour, false),
            TableVerb::Counter { of, counter, change } => self.counter(*of, *counter, *change),
            TableVerb::Anchor { cards, on } => self.anchor(cards, *on),
            TableVerb::Create { created } => self.create(created),
            TableVerb::Copy { cards } => self.copy(cards),
            TableVerb::Delete { cards } => self.delete(cards),
            TableVerb::Target { cards, on } => self.target(cards, *on),
            TableVerb::Arrow { from, to } => self.arrow(from, to),
            TableVerb::ClearMarks => self.clear_marks(),
            TableVerb::Point { cards } => self.flash(cards, "point"),
            TableVerb::Shake { cards } => self.flash(cards, "shake"),
            TableVerb::Front { cards } => self.z_order(cards, true),
            TableVerb::Back { cards } => self.z_order(cards, false),
            TableVerb::Arrange { cards, columns } => self.arrange(cards, *columns),
            TableVerb::Attach { cards, to } => self.attach(cards, to.as_ref()),
            TableVerb::Give { cards, to } => self.give(cards, *to),
            TableVerb::GivePile { pile, to } => self.give_pile(*pile, *to),
            TableVerb::Take { cards } => self.take(cards, verb),
            TableVerb::TakePile { pile } => self.take_pile(*pile, verb),
            TableVerb::Note { text, x, y, private } => self.note(text, (*x, *y), *private),
            TableVerb::EditNote { note, text } => self.edit_note(*note, Some(text)),
            TableVerb::MoveNote { note, x, y } => self.move_note(*note, (*x, *y)),
            TableVerb::RemoveNote { note } => self.edit_note(*note, None),
            TableVerb::CardNote { cards, text } => self.card_note(cards, text),
            TableVerb::Roll { dice, sides, add } => self.roll(*dice, *sides, *add),
            TableVerb::Coin { count } => self.coin(*count),
            TableVerb::Number { from, to } => self.number(*from, *to),
            TableVerb::Order => self.order(),
            TableVerb::Seal { text } => self.seal(text),
            TableVerb::Open => self.open(),
            TableVerb::OpenAll => self.open_all(),
            TableVerb::Phase { phase, force } => self.phase(*phase, *force),
            TableVerb::Stop { phase, on } => self.stop(*phase, *on),
            TableVerb::PassTurn { to, force } => self.pass_turn(*to, *force),
            TableVerb::SetActive { seat } => self.set_active(*seat),
            TableVerb::Ready { on } => self.ready(*on),
            TableVerb::Mulligan { count } => self.mulligan(*count),
            TableVerb::OpeningHand { count, everyone } => self.opening_hand(*count, *everyone, verb),
            TableVerb::Board { board } => self.board(*board),
            TableVerb::Background => self.background(),
            TableVerb::Say { text } => self.say(text, "say"),
            TableVerb::Me { text } => self.say(text, "me"),
            TableVerb::Announce { text } => self.say(text, "announce"),
            TableVerb::Whisper { to, text } => self.whisper(*to, text),
            TableVerb::Sound { name } => self.sound(name),
            TableVerb::Concede => self.concede(),
            TableVerb::Reset { soft } => self.reset(*soft, verb),
            TableVerb::Sideboard { deck } => self.sideboard(deck),
            TableVerb::Load { deck } => self.load(deck),
            TableVerb::Clear => self.clear(),
            TableVerb::OpenPacks { packs } => self.open_packs(packs),
            TableVerb::BuildDeck { deck } => self.build_deck(deck),
            TableVerb::ShowDeck { to } => self.show_deck(*to),
            TableVerb::Answer {
                question,
                yes,
                always,
            } => self.answer(*question, *yes, *always),
            TableVerb::Run {
                entry,
                cards,
                pile,
                at,
                time,
            } => self.run(verb, *entry, cards.as_ref(), *pile, *at, *time),
            TableVerb::Click {
                cards,
                button,
                twice,
                time,
            } => self.click(cards, *button, *twice, *time),
            TableVerb::Reply { run, answer } => self.reply(*run, answer),
            TableVerb::BreakOff { run } => self.break_off(*run),
            TableVerb::EndGame => self.end_game(),
            TableVerb::ShowHidden => self.show_hidden(),
            TableVerb::AddSeat { name } => self.add_seat(name, verb),
            TableVerb::Rename { name } => self.rename(name),
            TableVerb::Away { seat } => self.presence(*seat, false),
            TableVerb::Present { seat } => self.presence(*seat, true),
            TableVerb::TimeOut { question } => self.time_out(*question),
            TableVerb::Together { verbs } => self.together(verbs),
            // The table keeps the states that these go back to.
            TableVerb::Undo { .. } | TableVerb::Redo | TableVerb::Propose { .. } => {
                Err(VerbRefusal::Impossible("undo inside a verb"))
            }
        }
    }

    /// All of these, or none: who performs them throws everything away if one is refused (F63).
    fn together(&mut self, verbs: &[TableVerb]) -> VerbResult {
        if verbs.is_empty() || verbs.len() > self.kit.limits.together {
            return Err(VerbRefusal::Limit("verbs of one step"));
        }
        for verb in verbs {
            self.part(verb)?;
        }
        Ok(())
    }

    /// One of several verbs of a step.
    pub(crate) fn part(&mut self, verb: &TableVerb) -> VerbResult {
        if verb.is_of_host() || matches!(verb, TableVerb::Together { .. } | TableVerb::Answer { .. }) {
            return Err(VerbRefusal::Impossible("that as a part of a step"));
        }
        let before = self.s.clone();
        self.knew.get_or_insert_with(|| {
            let mut knew = vec![LookerSet::NONE; before.cards.len()];
            for (id, _) in before.cards() {
                knew[id.index()] = before.known(self.kit, id);
            }
            knew
        });
        self.perform(verb)?;
        self.learned
            .extend(crate::table::learned(self.kit, &before, &self.s));
        Ok(())
    }

    /// Whether the seat knows a card, and knew it before the step: a refusal names no other, as nothing has
    /// happened then that could have shown it (F63, F163).
    pub(crate) fn knew(&self, id: TableCardId) -> bool {
        let before = |knew: &Vec<LookerSet>| knew.get(id.index()).is_some_and(|eyes| eyes.has(self.seat));
        self.s.known(self.kit, id).has(self.seat) && self.knew.as_ref().is_none_or(before)
    }

    // ---- what verbs name --------------------------------------------------------------------

    /// The cards that the seat names, in the order of their group (F64).
    pub(crate) fn choose(&self, cards: &VerbCards) -> Result<Vec<ChosenCard>, VerbRefusal> {
        if cards.cards.is_empty() {
            return Err(VerbRefusal::NoCards);
        }
        if cards.cards.len() > self.kit.limits.at_once {
            return Err(VerbRefusal::Limit("cards at once"));
        }
        if let CardGroup::Pile(pile) = cards.group {
            self.check_pile(pile)?;
        }
        let mut chosen = Vec::with_capacity(cards.cards.len());
        for card in &cards.cards {
            chosen.push(self.chosen(cards.group, *card)?);
        }
        let mut seen: Vec<TableCardId> = chosen.iter().map(|chosen| chosen.id).collect();
        seen.sort_unstable();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(VerbRefusal::Twice);
        }
        if chosen.len() > 1 {
            let mut place = vec![0; self.s.cards.len()];
            for (at, id) in self.s.of_group(cards.group).iter().enumerate() {
                place[id.index()] = at;
            }
            chosen.sort_by_key(|chosen| place[chosen.id.index()]);
        }
        Ok(chosen)
    }

    fn chosen(&self, group: CardGroup, card: CardAt) -> Result<ChosenCard, VerbRefusal> {
        match card {
            CardAt::Handle(handle) => {
                let id = self.s.by_handle(self.seat.into(), handle);
                let id = id.ok_or(VerbRefusal::NoSuchCard(handle))?;
                if self.s.card(id).group != group {
                    return Err(VerbRefusal::Moved);
                }
                Ok(ChosenCard { id, told: false })
            }
            CardAt::Card(id) => {
                if !self.by_script || !self.s.is_there(id) || self.s.card(id).group != group {
                    return Err(VerbRefusal::Moved);
                }
                let in_order = match group {
                    CardGroup::Table => false,
                    CardGroup::Pile(pile) => self.s.pile(pile).kind(self.kit).ordered,
                };
                let told = in_order && !self.s.knows(self.kit, self.seat, id);
                Ok(ChosenCard { id, told })
            }
            CardAt::Place(place) => {
                let CardGroup::Pile(pile) = group else {
                    return Err(VerbRefusal::NotInPile);
                };
                if !self.s.pile(pile).kind(self.kit).ordered {
                    return Err(VerbRefusal::Unordered(self.pile_name(pile)));
                }
                let cards = &self.s.pile(pile).cards;
                let id = cards.get(whole(place)).ok_or(VerbRefusal::Moved)?;
                Ok(ChosenCard { id: *id, told: true })
            }
        }
    }

    /// Cards that the seat may act on.
    pub(crate) fn own(&self, cards: &VerbCards) -> Result<Vec<ChosenCard>, VerbRefusal> {
        let chosen = self.choose(cards)?;
        if chosen.iter().all(|chosen| self.may(chosen.id)) {
            return Ok(chosen);
        }
        Err(VerbRefusal::NotYours)
    }

    /// Cards on the table that the seat may act on.
    pub(crate) fn own_on_table(&self, cards: &VerbCards) -> Result<Vec<TableCardId>, VerbRefusal> {
        if cards.group != CardGroup::Table {
            return Err(VerbRefusal::NotOnTable);
        }
        Ok(self.own(cards)?.into_iter().map(|chosen| chosen.id).collect())
    }

    /// Cards on the table, whoever controls them (F61).
    pub(crate) fn on_table(&self, cards: &VerbCards) -> Result<Vec<TableCardId>, VerbRefusal> {
        if cards.group != CardGroup::Table {
            return Err(VerbRefusal::NotOnTable);
        }
        Ok(self.choose(cards)?.into_iter().map(|chosen| chosen.id).collect())
    }

    /// The one card.
    pub(crate) fn one(ids: &[TableCardId]) -> Result<TableCardId, VerbRefusal> {
        match ids {
            [id] => Ok(*id),
            _ => Err(VerbRefusal::Impossible("that with several cards")),
        }
    }

    /// Whether the seat may act on a card (F60, F62).
    fn may(&self, id: TableCardId) -> bool {
        let card = self.s.card(id);
        let mine =
            |controller: Option<TableSeat>| controller.is_none_or(|controller| controller == self.seat);
        let open = self.s.settings.rights == Rights::Open;
        match card.group {
            CardGroup::Table => open || mine(card.controller),
            CardGroup::Pile(pile) => {
                let pile = self.s.pile(pile);
                (open && pile.viewers == Viewers::Everybody)
                    || (mine(card.controller) && mine(pile.controller))
            }
        }
    }

    /// Whether the seat may act on a pile.
    pub(crate) fn own_pile(&self, pile: PileId) -> VerbResult {
        self.check_pile(pile)?;
        let found = self.s.pile(pile);
        let open = self.s.settings.rights == Rights::Open && found.viewers == Viewers::Everybody;
        if open || found.controller.is_none_or(|controller| controller == self.seat) {
            return Ok(());
        }
        Err(VerbRefusal::NotYours)
    }

    pub(crate) fn check_pile(&self, pile: PileId) -> VerbResult {
        if pile.index() < self.s.piles.len() {
            Ok(())
        } else {
            Err(VerbRefusal::NoSuchPile)
        }
    }

    pub(crate) fn check_group(&self, group: CardGroup) -> VerbResult {
        match group {
            CardGroup::Table => Ok(()),
            CardGroup::Pile(pile) => self.check_pile(pile),
        }
    }

    pub(crate) fn check_seat(&self, seat: TableSeat) -> VerbResult {
        if seat.index() < self.s.seats.len() {
            Ok(())
        } else {
            Err(VerbRefusal::NoSuchSeat)
        }
    }

    pub(crate) fn own_hand(&self) -> Result<PileId, VerbRefusal> {
        self.s.hand(self.kit, self.seat).ok_or(VerbRefusal::NoHand)
    }

    pub(crate) fn own_deck(&self) -> Result<PileId, VerbRefusal> {
        self.s.deck(self.kit, self.seat).ok_or(VerbRefusal::NoDeck)
    }

    // ---- words ------------------------------------------------------------------------------

    /// An event of the seat for everybody.
    pub(crate) fn tell(&mut self, kind: &'static str, words: SentenceWords) {
        self.tell_to(LookerSet::ALL, kind, words);
    }

    pub(crate) fn tell_to(&mut self, to: LookerSet, kind: &'static str, words: SentenceWords) {
        self.events.push(TableEvent {
            by: Some(self.seat),
            kind,
            to,
            pieces: words.pieces(),
        });
    }

    /// An event without a sentence.
    pub(crate) fn show(&mut self, kind: &'static str, cards: &[TableCardId]) {
        let pieces = cards.iter().map(|card| Piece::Card {
            to: LookerSet::NONE,
            name: String::new(),
            other: "",
            card: *card,
        });
        let event = TableEvent {
            by: Some(self.seat),
            kind,
            to: LookerSet::ALL,
            pieces: pieces.collect(),
        };
        self.events.push(event);
    }

    pub(crate) fn by(&self, verb: &str) -> SentenceWords {
        SentenceWords::by(&self.s, self.seat, verb)
    }

    /// A card for a sentence, named to these.
    pub(crate) fn named(&self, id: TableCardId, to: LookerSet) -> NamedCard {
        let card = self.s.card(id);
        NamedCard {
            card: id,
            to,
            name: self.kit.name(&card.model, card.form).to_owned(),
            other: "a card",
        }
    }

    /// A card for a sentence, named to who knows it: who sees it, or saw it go where it lies (F71, D82).
    pub(crate) fn seen(&self, id: TableCardId) -> NamedCard {
        self.named(id, self.s.known(self.kit, id))
    }

    pub(crate) fn all_seen(&self, ids: &[TableCardId]) -> Vec<NamedCard> {
        ids.iter().map(|id| self.seen(*id)).collect()
    }

    /// The name of a pile in the seat's sentences.
    pub(crate) fn pile_name(&self, pile: PileId) -> String {
        let found = self.s.pile(pile);
        let name = &found.kind(self.kit).name;
        match found.owner {
            Some(owner) if owner != self.seat => format!("{}'s {name}", self.s.seat(owner).name),
            _ => name.clone(),
        }
    }

    pub(crate) fn group_name(&self, group: CardGroup) -> String {
        match group {
            CardGroup::Table => "the table".to_owned(),
            CardGroup::Pile(pile) => self.pile_name(pile),
        }
    }

    /// “the top of Deck”.
    pub(crate) fn spot_name(&self, group: CardGroup, spot: ArrivalSpot) -> String {
        let name = self.group_name(group);
        let CardGroup::Pile(pile) = group else {
            return name;
        };
        let found = self.s.pile(pile);
        if !found.kind(self.kit).ordered {
            return name;
        }
        let is_hand = found.owner.is_some() && self.kit.hand == Some(usize::from(found.kind));
        // F68: beyond an end means that end.
        let there = found.cards.len();
        match spot {
            ArrivalSpot::At(at) if at > 0 && whole(at.unsigned_abs()) >= there => {
                format!("the bottom of {name}")
            }
            ArrivalSpot::At(at) if at < -1 && whole(at.unsigned_abs()) > there => {
                format!("the top of {name}")
            }
            ArrivalSpot::Usual if is_hand => name,
            ArrivalSpot::Usual | ArrivalSpot::Top | ArrivalSpot::At(0) => format!("the top of {name}"),
            ArrivalSpot::Bottom | ArrivalSpot::At(-1) => format!("the bottom of {name}"),
            ArrivalSpot::At(at) if at > 0 => format!("place {} from the top of {name}", at + 1),
            ArrivalSpot::At(at) => format!("place {} from the bottom of {name}", at.unsigned_abs()),
        }
    }

    pub(crate) fn eyes_name(&self, eyes: LookerSet) -> String {
        let every = self.s.seat_ids().all(|seat| eyes.has(seat));
        if every && eyes.has(crate::Looker::Spectators) {
            return "everybody".to_owned();
        }
        let mut names: Vec<String> = eyes
            .seats()
            .filter(|seat| seat.index() < self.s.seats.len())
            .map(|seat| self.s.seat(seat).name.to_string())
            .collect();
        if eyes.has(crate::Looker::Spectators) {
            names.push("the spectators".to_owned());
        }
        if names.is_empty() {
            "nobody".to_owned()
        } else {
            names.join(" and ")
        }
    }

    // ---- consent ----------------------------------------------------------------------------

    /// Puts a verb before others; if nobody has to be asked it is performed at once by the caller.
    pub(crate) fn ask(&mut self, of: LookerSet, verb: &TableVerb, what: &str) -> VerbResult {
        let waiting = self
            .s
            .questions
            .iter()
            .filter(|question| question.by == self.seat)
            .count();
        if waiting >= 8 {
            return Err(VerbRefusal::Limit("questions"));
        }
        let id = self.s.number();
        self.s.questions.push(ConsentQuestion {
            id,
            by: self.seat,
            of,
            agreed: LookerSet::NONE,
            kind: QuestionKind::Perform(Arc::new(self.for_later(verb))),
        });
        let words = self
            .by("asks ")
            .text(self.eyes_name(of))
            .text(format!(" to {what} (question {id})"));
        self.tell("ask", words);
        Ok(())
    }

    /// A verb as the seat itself could say it: scripts name cards in a way that nobody else may.
    fn for_later(&self, verb: &TableVerb) -> TableVerb {
        let mut verb = verb.clone();
        let (TableVerb::Peek { cards } | TableVerb::Reveal { cards, .. } | TableVerb::Take { cards }) =
            &mut verb
        else {
            return verb;
        };
        let places = match cards.group {
            CardGroup::Pile(pile) if self.s.pile(pile).kind(self.kit).ordered => &self.s.pile(pile).cards[..],
            CardGroup::Pile(_) | CardGroup::Table => &[],
        };
        for card in &mut cards.cards {
            let CardAt::Card(id) = *card else { continue };
            let place = places.iter().position(|other| *other == id);
            match (self.s.handle(self.seat.into(), id), place) {
                (0, None) => {}
                (0, Some(place)) => *card = CardAt::Place(crate::count::short(place)),
                (handle, _) => *card = CardAt::Handle(handle),
            }
        }
        verb
    }

    fn answer(&mut self, id: u32, yes: bool, always: bool) -> VerbResult {
        let found = self.s.questions.iter().position(|question| question.id == id);
        let at = found.ok_or(VerbRefusal::NoQuestion)?;
        let question = &mut self.s.questions[at];
        if !yes && question.by == self.seat {
            self.s.questions.remove(at);
            let words = self.by(&format!("withdraws question {id}"));
            self.tell("answer", words);
            return Ok(());
        }
        if !question.of.has(self.seat) || question.agreed.has(self.seat) {
            return Err(VerbRefusal::NoQuestion);
        }
        if !yes {
            self.s.questions.remove(at);
            let words = self.by(&format!("says no to question {id}"));
            self.tell("answer", words);
            return Ok(());
        }
        question.agreed |= LookerSet::of(self.seat);
        let complete = question.of.within(question.agreed);
        let question = question.clone();
        if let QuestionKind::Perform(verb) = &question.kind
            && matches!(**verb, TableVerb::Run { .. })
        {
            self.s.scripts.agreed |= LookerSet::of(self.seat);
        }
        let words = self.by(&format!("agrees to question {id}"));
        self.tell("answer", words);
        let QuestionKind::Perform(verb) = &question.kind else {
            // The table goes back once all agree.
            return Ok(());
        };
        if always && let TableVerb::Look { pile, .. } | TableVerb::Search { pile } = &**verb {
            self.s.pile_mut(*pile).granted |= LookerSet::of(question.by);
        }
        if !complete {
            return Ok(());
        }
        self.s.questions.remove(at);
        self.perform_agreed(question.by, verb);
        Ok(())
    }

    /// Performs what all agreed to; if it is no longer possible, that is said and nothing else happens.
    pub(crate) fn perform_agreed(&mut self, by: TableSeat, verb: &TableVerb) {
        let before = self.s.clone();
        let (told, made, gone) = (self.events.len(), self.made, self.gone);
        let loaded = self.loaded.clone();
        let me = std::mem::replace(&mut self.seat, by);
        self.agreed = true;
        if let Err(refusal) = self.perform(verb) {
            self.s = before;
            self.events.truncate(told);
            (self.made, self.gone) = (made, gone);
            self.loaded = loaded;
            let words = SentenceWords::new(format!("That is no longer possible: {refusal}"));
            self.tell("ask", words);
        }
        self.agreed = false;
        self.seat = me;
    }

    fn time_out(&mut self, id: u32) -> VerbResult {
        if self.s.runs.iter().any(|run| run.id == id) {
            return self.run_times_out(id);
        }
        let found = self.s.questions.iter().position(|question| question.id == id);
        let at = found.ok_or(VerbRefusal::NoQuestion)?;
        self.s.questions.remove(at);
        // D74: without an answer it is no.
        self.events.push(TableEvent {
            by: None,
            kind: "answer",
            to: LookerSet::ALL,
            pieces: SentenceWords::new(format!("Nobody answered question {id}: it is no")).pieces(),
        });
        Ok(())
    }

    /// Whether the seat may let itself or others see these cards: control is not sight, so what is hidden
    /// from a seat that controls it is shown only if its owner agrees (D106).
    pub(crate) fn may_show(
        &mut self,
        ids: &[TableCardId],
        verb: &TableVerb,
        what: &str,
    ) -> Result<bool, VerbRefusal> {
        if self.agreed {
            return Ok(true);
        }
        let hidden = ids
            .iter()
            .filter(|id| !self.s.visible(self.kit, **id).has(self.seat));
        let owners = hidden
            .filter_map(|id| self.s.card(*id).owner)
            .filter(|owner| *owner != self.seat)
            .fold(LookerSet::NONE, |eyes, owner| eyes | LookerSet::of(owner));
        if owners.is_empty() {
            return Ok(true);
        }
        self.ask(owners, verb, what)?;
        Ok(false)
    }

    /// The same for whatever lies in a pile, now or later.
    pub(crate) fn may_show_pile(
        &mut self,
        pile: PileId,
        verb: &TableVerb,
        what: &str,
    ) -> Result<bool, VerbRefusal> {
        let found = self.s.pile(pile);
        let hidden = found.viewers != Viewers::Everybody;
        match found.owner.filter(|owner| *owner != self.seat && hidden) {
            Some(owner) if !self.agreed => {
                self.ask(LookerSet::of(owner), verb, what)?;
                Ok(false)
            }
            Some(_) | None => Ok(true),
        }
    }

    /// Whether the seat may look into a pile, or has to ask its owner (F16). Control is not sight (D106).
    pub(crate) fn may_look(
        &mut self,
        pile: PileId,
        verb: &TableVerb,
        what: &str,
    ) -> Result<bool, VerbRefusal> {
        self.check_pile(pile)?;
        let found = self.s.pile(pile);
        let mine = found.owner == Some(self.seat);
        if self.agreed || mine || found.granted.has(self.seat) {
            return Ok(true);
        }
        match (found.protection, found.owner) {
            (Protection::Free, _) => Ok(true),
            (Protection::Never, _) | (Protection::Ask, None) => Err(VerbRefusal::Protected),
            (Protection::Ask, Some(owner)) => {
                self.ask(LookerSet::of(owner), verb, what)?;
                Ok(false)
            }
        }
    }
}
