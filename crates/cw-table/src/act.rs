//! Carries verbs out, on a copy that is thrown away if anything in them cannot be (F63).

mod cards;
mod chance;
mod decks;
mod game;
mod knowledge;
mod marks;
mod moves;

use std::sync::Arc;

use crate::count::whole;
use crate::event::{Event, Named, Piece, Words};
use crate::kit::Protection;
use crate::state::Viewers;
use crate::{
    CardAt, CardId, Cards, Eyes, Group, Kit, PileId, Question, QuestionKind, Refusal, Rights, Seat, Spot,
    State, Verb,
};

pub(crate) type Done = Result<(), Refusal>;

/// A verb at work.
#[derive(Debug)]
pub(crate) struct Act<'k> {
    pub(crate) kit: &'k Kit,
    pub(crate) s: State,
    pub(crate) seat: Seat,
    pub(crate) events: Vec<Event>,
    /// Everybody who has to agree has agreed.
    pub(crate) agreed: bool,
    /// Cards that were made and that ceased to be, for the invariant (F206).
    pub(crate) made: usize,
    pub(crate) gone: usize,
    /// What came to light between the verbs of one step (F130).
    pub(crate) learned: Vec<(Eyes, Group, usize)>,
    /// A seal was opened or a game begun: the step cannot be taken back (F133).
    pub(crate) is_final: bool,
}

/// Which card, and whether everybody is told its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    pub(crate) id: CardId,
    pub(crate) told: bool,
}

impl<'k> Act<'k> {
    pub(crate) fn new(kit: &'k Kit, state: State, seat: Seat) -> Act<'k> {
        Act {
            kit,
            s: state,
            seat,
            events: Vec::new(),
            agreed: false,
            made: 0,
            gone: 0,
            learned: Vec::new(),
            is_final: false,
        }
    }

    /// The table of contents.
    pub(crate) fn perform(&mut self, verb: &Verb) -> Done {
        match verb {
            Verb::Move {
                cards,
                to,
                spot,
                face,
            } => self.move_cards(cards, *to, *spot, *face),
            Verb::Place { cards, x, y, face } => self.place(cards, (*x, *y), *face),
            Verb::Draw { pile, count, end } => self.draw(*pile, *count, *end),
            Verb::MoveAll {
                from,
                to,
                spot,
                random,
            } => self.move_all(*from, *to, *spot, *random),
            Verb::MoveTop {
                pile,
                end,
                count,
                to,
                spot,
                face,
            } => self.move_top(*pile, *end, *count, *to, *spot, *face),
            Verb::MoveUntil { pile, property, text } => self.move_until(*pile, property, text),
            Verb::Shuffle { pile } => self.shuffle(*pile),
            Verb::ShufflePart { pile, end, count } => self.shuffle_part(*pile, *end, *count),
            Verb::Look { pile, part } => self.look(*pile, *part, verb, "looks at"),
            Verb::Search { pile } => self.look(*pile, crate::Part::All, verb, "searches"),
            Verb::Close { pile, shuffle } => self.close(*pile, *shuffle),
            Verb::Leave { pile } => self.close(*pile, false),
            Verb::Reorder { cards, places } => self.reorder(cards, places),
            Verb::Peek { cards } => self.peek(cards, verb),
            Verb::Reveal { cards, to } => self.reveal(cards, *to, verb),
            Verb::Hide { cards } => self.hide(cards),
            Verb::Random { pile, count, then } => self.random(*pile, *count, *then, verb),
            Verb::SetViewers { pile, viewers } => self.set_viewers(*pile, *viewers, verb),
            Verb::KeepTop { pile, to } => self.keep_top(*pile, *to, verb),
            Verb::Protect { pile, protection } => self.protect(*pile, *protection),
            Verb::Turn { cards, how } => self.turn(cards, *how),
            Verb::Rotate { cards, how } => self.rotate(cards, *how),
            Verb::Straighten => self.straighten(),
            Verb::Lock { cards, on } => self.lock(cards, *on),
            Verb::SwitchForm { cards, form } => self.switch_form(cards, *form),
            Verb::Marker {
                cards,
                marker,
                change,
            } => self.marker(cards, *marker, *change),
            Verb::MoveMarker {
                from,
                to,
                marker,
                count,
                copy,
            } => self.move_marker(from, to, *marker, *count, *copy),
            Verb::Highlight { cards, colour } => self.colour(cards, *colour, true),
            Verb::Filter { cards, colour } => self.colour(cards, *colour, false),
            Verb::Counter { of, counter, change } => self.counter(*of, *counter, *change),
            Verb::Anchor { cards, on } => self.anchor(cards, *on),
            Verb::Create(created) => self.create(created),
            Verb::Copy { cards } => self.copy(cards),
            Verb::Delete { cards } => self.delete(cards),
            Verb::Target { cards, on } => self.target(cards, *on),
            Verb::Arrow { from, to } => self.arrow(from, to),
            Verb::ClearMarks => self.clear_marks(),
            Verb::Point { cards } => self.flash(cards, "point"),
            Verb::Shake { cards } => self.flash(cards, "shake"),
            Verb::Front { cards } => self.z_order(cards, true),
            Verb::Back { cards } => self.z_order(cards, false),
            Verb::Arrange { cards, columns } => self.arrange(cards, *columns),
            Verb::Attach { cards, to } => self.attach(cards, to.as_ref()),
            Verb::Give { cards, to } => self.give(cards, *to),
            Verb::GivePile { pile, to } => self.give_pile(*pile, *to),
            Verb::Take { cards } => self.take(cards, verb),
            Verb::TakePile { pile } => self.take_pile(*pile, verb),
            Verb::Note { text, x, y, private } => self.note(text, (*x, *y), *private),
            Verb::EditNote { note, text } => self.edit_note(*note, Some(text)),
            Verb::MoveNote { note, x, y } => self.move_note(*note, (*x, *y)),
            Verb::RemoveNote { note } => self.edit_note(*note, None),
            Verb::CardNote { cards, text } => self.card_note(cards, text),
            Verb::Roll { dice, sides, add } => self.roll(*dice, *sides, *add),
            Verb::Coin { count } => self.coin(*count),
            Verb::Number { from, to } => self.number(*from, *to),
            Verb::Order => self.order(),
            Verb::Seal { text } => self.seal(text),
            Verb::Open => self.open(),
            Verb::OpenAll => self.open_all(),
            Verb::Phase { phase, force } => self.phase(*phase, *force),
            Verb::Stop { phase, on } => self.stop(*phase, *on),
            Verb::PassTurn { to, force } => self.pass_turn(*to, *force),
            Verb::SetActive { seat } => self.set_active(*seat),
            Verb::Ready { on } => self.ready(*on),
            Verb::Mulligan { count } => self.mulligan(*count),
            Verb::OpeningHand { count, everyone } => self.opening_hand(*count, *everyone, verb),
            Verb::Board { board } => self.board(*board),
            Verb::Background => self.background(),
            Verb::Say { text } => self.say(text, "say"),
            Verb::Me { text } => self.say(text, "me"),
            Verb::Announce { text } => self.say(text, "announce"),
            Verb::Whisper { to, text } => self.whisper(*to, text),
            Verb::Sound { name } => self.sound(name),
            Verb::Concede => self.concede(),
            Verb::Reset { soft } => self.reset(*soft, verb),
            Verb::Sideboard { deck } => self.sideboard(deck),
            Verb::Load { deck } => self.load(deck),
            Verb::Clear => self.clear(),
            Verb::OpenPacks { packs } => self.open_packs(packs),
            Verb::BuildDeck { deck } => self.build_deck(deck),
            Verb::ShowDeck { to } => self.show_deck(*to),
            Verb::Answer {
                question,
                yes,
                always,
            } => self.answer(*question, *yes, *always),
            Verb::EndGame => self.end_game(),
            Verb::ShowHidden => self.show_hidden(),
            Verb::AddSeat { name } => self.add_seat(name, verb),
            Verb::Rename { name } => self.rename(name),
            Verb::Away { seat } => self.presence(*seat, false),
            Verb::Present { seat } => self.presence(*seat, true),
            Verb::TimeOut { question } => self.time_out(*question),
            Verb::Together { verbs } => self.together(verbs),
            // The table keeps the states that these go back to.
            Verb::Undo { .. } | Verb::Redo | Verb::Propose { .. } => {
                Err(Refusal::Impossible("undo inside a verb"))
            }
        }
    }

    /// All of these, or none: who performs them throws everything away if one is refused (F63).
    fn together(&mut self, verbs: &[Verb]) -> Done {
        if verbs.is_empty() || verbs.len() > self.kit.limits.together {
            return Err(Refusal::Limit("verbs of one step"));
        }
        for verb in verbs {
            self.part(verb)?;
        }
        Ok(())
    }

    /// One of several verbs of a step.
    pub(crate) fn part(&mut self, verb: &Verb) -> Done {
        if verb.is_of_host() || matches!(verb, Verb::Together { .. } | Verb::Answer { .. }) {
            return Err(Refusal::Impossible("that as a part of a step"));
        }
        let before = self.s.clone();
        self.perform(verb)?;
        self.learned
            .extend(crate::table::learned(self.kit, &before, &self.s));
        Ok(())
    }

    // ---- what verbs name --------------------------------------------------------------------

    /// The cards that the seat names, in the order of their group (F64).
    pub(crate) fn choose(&self, cards: &Cards) -> Result<Vec<Chosen>, Refusal> {
        if cards.cards.is_empty() {
            return Err(Refusal::NoCards);
        }
        if cards.cards.len() > self.kit.limits.at_once {
            return Err(Refusal::Limit("cards at once"));
        }
        if let Group::Pile(pile) = cards.group {
            self.check_pile(pile)?;
        }
        let mut chosen = Vec::with_capacity(cards.cards.len());
        for card in &cards.cards {
            chosen.push(self.chosen(cards.group, *card)?);
        }
        let mut seen: Vec<CardId> = chosen.iter().map(|chosen| chosen.id).collect();
        seen.sort_unstable();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Refusal::Twice);
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

    fn chosen(&self, group: Group, card: CardAt) -> Result<Chosen, Refusal> {
        match card {
            CardAt::Handle(handle) => {
                let id = self.s.by_handle(self.seat.into(), handle);
                let id = id.ok_or(Refusal::NoSuchCard(handle))?;
                if self.s.card(id).group != group {
                    return Err(Refusal::Moved);
                }
                Ok(Chosen { id, told: false })
            }
            CardAt::Place(place) => {
                let Group::Pile(pile) = group else {
                    return Err(Refusal::NotInPile);
                };
                if !self.s.pile(pile).kind(self.kit).ordered {
                    return Err(Refusal::Unordered(self.pile_name(pile)));
                }
                let cards = &self.s.pile(pile).cards;
                let id = cards.get(whole(place)).ok_or(Refusal::Moved)?;
                Ok(Chosen { id: *id, told: true })
            }
        }
    }

    /// Cards that the seat may act on.
    pub(crate) fn own(&self, cards: &Cards) -> Result<Vec<Chosen>, Refusal> {
        let chosen = self.choose(cards)?;
        if chosen.iter().all(|chosen| self.may(chosen.id)) {
            return Ok(chosen);
        }
        Err(Refusal::NotYours)
    }

    /// Cards on the table that the seat may act on.
    pub(crate) fn own_on_table(&self, cards: &Cards) -> Result<Vec<CardId>, Refusal> {
        if cards.group != Group::Table {
            return Err(Refusal::NotOnTable);
        }
        Ok(self.own(cards)?.into_iter().map(|chosen| chosen.id).collect())
    }

    /// Cards on the table, whoever controls them (F61).
    pub(crate) fn on_table(&self, cards: &Cards) -> Result<Vec<CardId>, Refusal> {
        if cards.group != Group::Table {
            return Err(Refusal::NotOnTable);
        }
        Ok(self.choose(cards)?.into_iter().map(|chosen| chosen.id).collect())
    }

    /// The one card.
    pub(crate) fn one(ids: &[CardId]) -> Result<CardId, Refusal> {
        match ids {
            [id] => Ok(*id),
            _ => Err(Refusal::Impossible("that with several cards")),
        }
    }

    /// Whether the seat may act on a card (F60, F62).
    fn may(&self, id: CardId) -> bool {
        let card = self.s.card(id);
        let mine = |controller: Option<Seat>| controller.is_none_or(|controller| controller == self.seat);
        let open = self.s.settings.rights == Rights::Open;
        match card.group {
            Group::Table => open || mine(card.controller),
            Group::Pile(pile) => {
                let pile = self.s.pile(pile);
                (open && pile.viewers == Viewers::Everybody)
                    || (mine(card.controller) && mine(pile.controller))
            }
        }
    }

    /// Whether the seat may act on a pile.
    pub(crate) fn own_pile(&self, pile: PileId) -> Done {
        self.check_pile(pile)?;
        let found = self.s.pile(pile);
        let open = self.s.settings.rights == Rights::Open && found.viewers == Viewers::Everybody;
        if open || found.controller.is_none_or(|controller| controller == self.seat) {
            return Ok(());
        }
        Err(Refusal::NotYours)
    }

    pub(crate) fn check_pile(&self, pile: PileId) -> Done {
        if pile.index() < self.s.piles.len() {
            Ok(())
        } else {
            Err(Refusal::NoSuchPile)
        }
    }

    pub(crate) fn check_group(&self, group: Group) -> Done {
        match group {
            Group::Table => Ok(()),
            Group::Pile(pile) => self.check_pile(pile),
        }
    }

    pub(crate) fn check_seat(&self, seat: Seat) -> Done {
        if seat.index() < self.s.seats.len() {
            Ok(())
        } else {
            Err(Refusal::NoSuchSeat)
        }
    }

    pub(crate) fn own_hand(&self) -> Result<PileId, Refusal> {
        self.s.hand(self.kit, self.seat).ok_or(Refusal::NoHand)
    }

    pub(crate) fn own_deck(&self) -> Result<PileId, Refusal> {
        self.s.deck(self.kit, self.seat).ok_or(Refusal::NoDeck)
    }

    // ---- words ------------------------------------------------------------------------------

    /// An event of the seat for everybody.
    pub(crate) fn tell(&mut self, kind: &'static str, words: Words) {
        self.tell_to(Eyes::ALL, kind, words);
    }

    pub(crate) fn tell_to(&mut self, to: Eyes, kind: &'static str, words: Words) {
        self.events.push(Event {
            by: Some(self.seat),
            kind,
            to,
            pieces: words.pieces(),
        });
    }

    /// An event without a sentence.
    pub(crate) fn show(&mut self, kind: &'static str, cards: &[CardId]) {
        let pieces = cards.iter().map(|card| Piece::Card {
            to: Eyes::NONE,
            name: String::new(),
            other: "",
            card: *card,
        });
        let event = Event {
            by: Some(self.seat),
            kind,
            to: Eyes::ALL,
            pieces: pieces.collect(),
        };
        self.events.push(event);
    }

    pub(crate) fn by(&self, verb: &str) -> Words {
        Words::by(&self.s, self.seat, verb)
    }

    /// A card for a sentence, named to these.
    pub(crate) fn named(&self, id: CardId, to: Eyes) -> Named {
        let card = self.s.card(id);
        Named {
            card: id,
            to,
            name: self.kit.name(&card.model, card.form).to_owned(),
            other: "a card",
        }
    }

    /// A card for a sentence, named to who knows it: who sees it, or saw it go where it lies (F71, D82).
    pub(crate) fn seen(&self, id: CardId) -> Named {
        self.named(id, self.s.known(self.kit, id))
    }

    pub(crate) fn all_seen(&self, ids: &[CardId]) -> Vec<Named> {
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

    pub(crate) fn group_name(&self, group: Group) -> String {
        match group {
            Group::Table => "the table".to_owned(),
            Group::Pile(pile) => self.pile_name(pile),
        }
    }

    /// “the top of Deck”.
    pub(crate) fn spot_name(&self, group: Group, spot: Spot) -> String {
        let name = self.group_name(group);
        let Group::Pile(pile) = group else {
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
            Spot::At(at) if at > 0 && whole(at.unsigned_abs()) >= there => format!("the bottom of {name}"),
            Spot::At(at) if at < -1 && whole(at.unsigned_abs()) > there => format!("the top of {name}"),
            Spot::Usual if is_hand => name,
            Spot::Usual | Spot::Top | Spot::At(0) => format!("the top of {name}"),
            Spot::Bottom | Spot::At(-1) => format!("the bottom of {name}"),
            Spot::At(at) if at > 0 => format!("place {} from the top of {name}", at + 1),
            Spot::At(at) => format!("place {} from the bottom of {name}", at.unsigned_abs()),
        }
    }

    pub(crate) fn eyes_name(&self, eyes: Eyes) -> String {
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
    pub(crate) fn ask(&mut self, of: Eyes, verb: &Verb, what: &str) -> Done {
        let waiting = self
            .s
            .questions
            .iter()
            .filter(|question| question.by == self.seat)
            .count();
        if waiting >= 8 {
            return Err(Refusal::Limit("questions"));
        }
        let id = self.s.number();
        self.s.questions.push(Question {
            id,
            by: self.seat,
            of,
            agreed: Eyes::NONE,
            kind: QuestionKind::Perform(Arc::new(verb.clone())),
        });
        let words = self
            .by("asks ")
            .text(self.eyes_name(of))
            .text(format!(" to {what} (question {id})"));
        self.tell("ask", words);
        Ok(())
    }

    fn answer(&mut self, id: u32, yes: bool, always: bool) -> Done {
        let found = self.s.questions.iter().position(|question| question.id == id);
        let at = found.ok_or(Refusal::NoQuestion)?;
        let question = &mut self.s.questions[at];
        if !yes && question.by == self.seat {
            self.s.questions.remove(at);
            let words = self.by(&format!("withdraws question {id}"));
            self.tell("answer", words);
            return Ok(());
        }
        if !question.of.has(self.seat) || question.agreed.has(self.seat) {
            return Err(Refusal::NoQuestion);
        }
        if !yes {
            self.s.questions.remove(at);
            let words = self.by(&format!("says no to question {id}"));
            self.tell("answer", words);
            return Ok(());
        }
        question.agreed |= Eyes::of(self.seat);
        let complete = question.of.within(question.agreed);
        let question = question.clone();
        let words = self.by(&format!("agrees to question {id}"));
        self.tell("answer", words);
        let QuestionKind::Perform(verb) = &question.kind else {
            // The table goes back once all agree.
            return Ok(());
        };
        if always && let Verb::Look { pile, .. } | Verb::Search { pile } = &**verb {
            self.s.pile_mut(*pile).granted |= Eyes::of(question.by);
        }
        if !complete {
            return Ok(());
        }
        self.s.questions.remove(at);
        self.perform_agreed(question.by, verb);
        Ok(())
    }

    /// Performs what all agreed to; if it is no longer possible, that is said and nothing else happens.
    pub(crate) fn perform_agreed(&mut self, by: Seat, verb: &Verb) {
        let before = self.s.clone();
        let (told, made, gone) = (self.events.len(), self.made, self.gone);
        let me = std::mem::replace(&mut self.seat, by);
        self.agreed = true;
        if let Err(refusal) = self.perform(verb) {
            self.s = before;
            self.events.truncate(told);
            (self.made, self.gone) = (made, gone);
            let words = Words::new(format!("That is no longer possible: {refusal}"));
            self.tell("ask", words);
        }
        self.agreed = false;
        self.seat = me;
    }

    fn time_out(&mut self, id: u32) -> Done {
        let found = self.s.questions.iter().position(|question| question.id == id);
        let at = found.ok_or(Refusal::NoQuestion)?;
        self.s.questions.remove(at);
        // D74: without an answer it is no.
        self.events.push(Event {
            by: None,
            kind: "answer",
            to: Eyes::ALL,
            pieces: Words::new(format!("Nobody answered question {id}: it is no")).pieces(),
        });
        Ok(())
    }

    /// Whether the seat may let itself or others see these cards: control is not sight, so what is hidden from a seat
    /// that controls it is shown only if its owner agrees (D106).
    pub(crate) fn may_show(&mut self, ids: &[CardId], verb: &Verb, what: &str) -> Result<bool, Refusal> {
        if self.agreed {
            return Ok(true);
        }
        let hidden = ids
            .iter()
            .filter(|id| !self.s.visible(self.kit, **id).has(self.seat));
        let owners = hidden
            .filter_map(|id| self.s.card(*id).owner)
            .filter(|owner| *owner != self.seat)
            .fold(Eyes::NONE, |eyes, owner| eyes | Eyes::of(owner));
        if owners.is_empty() {
            return Ok(true);
        }
        self.ask(owners, verb, what)?;
        Ok(false)
    }

    /// The same for whatever lies in a pile, now or later.
    pub(crate) fn may_show_pile(&mut self, pile: PileId, verb: &Verb, what: &str) -> Result<bool, Refusal> {
        let found = self.s.pile(pile);
        let hidden = found.viewers != Viewers::Everybody;
        match found.owner.filter(|owner| *owner != self.seat && hidden) {
            Some(owner) if !self.agreed => {
                self.ask(Eyes::of(owner), verb, what)?;
                Ok(false)
            }
            Some(_) | None => Ok(true),
        }
    }

    /// Whether the seat may look into a pile, or has to ask its owner (F16). Control is not sight (D106).
    pub(crate) fn may_look(&mut self, pile: PileId, verb: &Verb, what: &str) -> Result<bool, Refusal> {
        self.check_pile(pile)?;
        let found = self.s.pile(pile);
        let mine = found.owner == Some(self.seat);
        if self.agreed || mine || found.granted.has(self.seat) {
            return Ok(true);
        }
        match (found.protection, found.owner) {
            (Protection::Free, _) => Ok(true),
            (Protection::Never, _) | (Protection::Ask, None) => Err(Refusal::Protected),
            (Protection::Ask, Some(owner)) => {
                self.ask(Eyes::of(owner), verb, what)?;
                Ok(false)
            }
        }
    }
}
