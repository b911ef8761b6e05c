//! The table: a state, the log of verbs that led there, and going back (F130–F137).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cw_chance::{Chance, Seed};

use crate::act::Act;
use crate::count::whole;
use crate::event::{Words, cards as count_of};
use crate::{
    CardId, Event, Eyes, Group, Kit, Looker, PileId, Question, QuestionKind, Refusal, Seat, Settings, State,
    StateHash, Verb, View,
};

/// Who made an entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A seat.
    Seat(Seat),
    /// The host of the table: presence and time.
    Host,
}

/// An accepted verb.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Whose.
    pub actor: Actor,
    /// What.
    pub verb: Verb,
}

/// What became of an accepted verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Digest of the state after it.
    pub hash: StateHash,
    /// Nobody learned anything by it and chance was not asked (F130).
    pub open: bool,
    /// It can never be taken back (F133).
    pub is_final: bool,
    /// Taken back since (F137).
    pub undone: bool,
    /// What was learned: by whom, how many cards of which group (F134).
    pub learned: Vec<(Eyes, Group, usize)>,
}

/// Entries between two kept states.
const SPACING: usize = 64;

/// A game from its beginning.
#[derive(Clone, Debug)]
pub struct Table {
    kit: Arc<Kit>,
    seed: Seed,
    now: State,
    entries: Vec<Entry>,
    taken: Vec<Taken>,
    /// Entries that are in force, oldest first.
    live: Vec<usize>,
    // Invariant: begins with the state before all entries; every rewind is followed by a kept state.
    kept: Vec<(usize, State)>,
    /// The state before the last undo, for as long as nothing else happens (F136).
    redo: Option<Box<Undone>>,
}

#[derive(Clone, Debug)]
struct Undone {
    by: Seat,
    entries: usize,
    state: State,
    live: Vec<usize>,
}

/// What a verb made of a state.
pub(crate) struct Outcome {
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
    pub(crate) is_final: bool,
}

impl Table {
    /// A table with nothing on it.
    pub fn new(kit: Arc<Kit>, settings: Settings, seed: Seed) -> Table {
        let mut salt = [0; 8];
        let digest = blake3::Hasher::new()
            .update(b"cardwright free table handles")
            .update(&seed.0)
            .finalize();
        salt.copy_from_slice(&digest.as_bytes()[..8]);
        let now = State::new(&kit, settings, Chance::seeded(seed), u64::from_le_bytes(salt));
        Table {
            kept: vec![(0, now.clone())],
            kit,
            seed,
            now,
            entries: Vec::new(),
            taken: Vec::new(),
            live: Vec::new(),
            redo: None,
        }
    }

    /// The package.
    pub fn kit(&self) -> &Arc<Kit> {
        &self.kit
    }

    /// The whole true state: for the host and for tests, never for a page.
    pub fn state(&self) -> &State {
        &self.now
    }

    /// Where all chance comes from.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The settings that it began with.
    pub fn settings(&self) -> &Settings {
        &self.kept[0].1.settings
    }

    /// Every accepted verb, also those that were taken back.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What became of them.
    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// Exchanges what two cards are, and nothing else: for those who know neither it is the same table (F164).
    /// For tests of that law.
    pub fn exchange_faces(&mut self, a: CardId, b: CardId) {
        let (one, other) = (self.now.card(a).model.clone(), self.now.card(b).model.clone());
        self.now.card_mut(a).model = other;
        self.now.card_mut(b).model = one;
    }

    /// What one looker may see.
    pub fn view(&self, looker: impl Into<Looker>) -> View {
        View::of(&self.kit, &self.now, looker.into())
    }

    /// Digest of the state.
    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.kit, &self.now)
    }

    /// Does what a seat asks for.
    ///
    /// # Errors
    /// If anything in it is not possible; then nothing has changed (F63).
    pub fn act(&mut self, seat: Seat, verb: Verb) -> Result<Vec<Event>, Refusal> {
        if verb.is_of_host() || seat.index() >= self.now.seats.len() {
            return Err(Refusal::NoSuchSeat);
        }
        self.take(Entry {
            actor: Actor::Seat(seat),
            verb,
        })
    }

    /// Does what the host says: who is there, whose time is over.
    ///
    /// # Errors
    /// As [`Table::act`]; also for verbs that are not the host's.
    pub fn host(&mut self, verb: Verb) -> Result<Vec<Event>, Refusal> {
        if !verb.is_of_host() {
            return Err(Refusal::NoSuchSeat);
        }
        self.take(Entry {
            actor: Actor::Host,
            verb,
        })
    }

    /// Makes an entry of a log again.
    ///
    /// # Errors
    /// As [`Table::act`].
    pub fn take(&mut self, entry: Entry) -> Result<Vec<Event>, Refusal> {
        if self.entries.len() >= self.kit.limits.steps {
            return Err(Refusal::Limit("steps"));
        }
        let seat = match entry.actor {
            Actor::Seat(seat) => seat,
            Actor::Host => Seat(0),
        };
        match entry.verb {
            Verb::Undo { steps } => self.undo(seat, steps, entry),
            Verb::Redo => self.redo(seat, entry),
            Verb::Propose { step } => self.propose(seat, step, entry),
            _ => {
                let outcome = attempt(&self.kit, &self.now, seat, &entry.verb)?;
                let mut events = outcome.events;
                self.settle(entry, outcome.state, outcome.is_final);
                events.extend(self.rewind_if_agreed());
                Ok(events)
            }
        }
    }

    /// Writes an entry down with its new state.
    fn settle(&mut self, entry: Entry, state: State, is_final: bool) {
        let learned = learned(&self.kit, &self.now, &state);
        let drew = state.chance != self.now.chance;
        let loads = matches!(
            entry.verb,
            Verb::Load { .. } | Verb::BuildDeck { .. } | Verb::Sideboard { .. }
        );
        self.taken.push(Taken {
            hash: StateHash::of(&self.kit, &state),
            open: learned.is_empty() && !drew && !loads,
            is_final,
            undone: false,
            learned,
        });
        self.entries.push(entry);
        self.live.push(self.entries.len() - 1);
        self.now = state;
        if self.entries.len().is_multiple_of(SPACING) {
            self.keep();
        }
    }

    fn keep(&mut self) {
        let at = self.entries.len();
        if self.kept.last().is_some_and(|(last, _)| *last == at) {
            self.kept.pop();
        }
        self.kept.push((at, self.now.clone()));
    }

    /// The state after so many entries of the log, whether they were taken back or not.
    pub fn after(&self, entries: usize) -> State {
        if entries >= self.entries.len() {
            return self.now.clone();
        }
        let at = self.kept.partition_point(|(at, _)| *at <= entries) - 1;
        let (from, state) = &self.kept[at];
        let mut state = state.clone();
        for entry in &self.entries[*from..entries] {
            let seat = match entry.actor {
                Actor::Seat(seat) => seat,
                Actor::Host => Seat(0),
            };
            state = match &entry.verb {
                Verb::Propose { step } => proposed(&self.kit, &state, seat, *step).0,
                verb => {
                    attempt(&self.kit, &state, seat, verb)
                        .expect("what was possible once is possible again")
                        .state
                }
            };
        }
        state
    }

    /// F131: how far back a seat may go alone, as the number of entries that stay.
    fn alone(&self, seat: Seat, steps: u32) -> Result<usize, Refusal> {
        if steps == 0 {
            return Err(Refusal::NotAlone("no step is named"));
        }
        let solo = self.now.settings.solo;
        let mut left = steps;
        for at in self.live.iter().rev() {
            let (entry, taken) = (&self.entries[*at], &self.taken[*at]);
            if taken.is_final || *at < whole(self.now.game_start) {
                return Err(Refusal::Never("it belongs to what is settled for good"));
            }
            if !entry.verb.is_step() {
                continue;
            }
            if !solo && entry.actor != Actor::Seat(seat) {
                return Err(Refusal::NotAlone("somebody else has acted since; propose it"));
            }
            if !solo && !taken.open {
                return Err(Refusal::NotAlone(
                    "something came to light or chance was asked; propose it",
                ));
            }
            left -= 1;
            if left == 0 {
                return Ok(*at);
            }
        }
        Err(Refusal::NotAlone("there are not so many steps"))
    }

    fn undo(&mut self, seat: Seat, steps: u32, entry: Entry) -> Result<Vec<Event>, Refusal> {
        let to = self.alone(seat, steps)?;
        Ok(self.rewind(seat, to, entry))
    }

    /// Goes back to the state after so many entries; the log only grows (F133, F135).
    fn rewind(&mut self, seat: Seat, to: usize, entry: Entry) -> Vec<Event> {
        let mut state = self.after(to);
        carry_over(&self.now, &mut state);
        state.refresh_handles(&self.kit);
        let undone = Undone {
            by: seat,
            entries: self.entries.len() + 1,
            state: self.now.clone(),
            live: self.live.clone(),
        };
        let gone: Vec<usize> = self.live.iter().copied().filter(|at| *at >= to).collect();
        let mut words = Words::by(&self.now, seat, "takes back: ");
        let steps: Vec<String> = gone
            .iter()
            .filter(|at| self.entries[**at].verb.is_step())
            .map(|at| format!("step {}", at + 1))
            .collect();
        words = words.text(steps.join(", "));
        let mut events = vec![Event {
            by: Some(seat),
            kind: "undo",
            to: Eyes::ALL,
            pieces: words.pieces(),
        }];
        events.extend(self.seen_in(&gone));
        for at in &gone {
            self.taken[*at].undone = true;
        }
        self.live.retain(|at| *at < to);
        self.taken.push(Taken {
            hash: StateHash::of(&self.kit, &state),
            open: true,
            is_final: false,
            undone: false,
            learned: Vec::new(),
        });
        self.entries.push(entry);
        self.now = state;
        self.keep();
        self.redo = Some(Box::new(undone));
        events
    }

    /// F134: what had been seen by whom, and which piles might be shuffled.
    fn seen_in(&self, gone: &[usize]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut piles: Vec<PileId> = Vec::new();
        let tell = |words: Words| Event {
            by: None,
            kind: "undo",
            to: Eyes::ALL,
            pieces: words.pieces(),
        };
        for at in gone {
            for (eyes, group, count) in &self.taken[*at].learned {
                let where_from = match group {
                    Group::Table => "the table".to_owned(),
                    Group::Pile(pile) => {
                        let found = self.now.pile(*pile);
                        if found.kind(&self.kit).ordered && !piles.contains(pile) {
                            piles.push(*pile);
                        }
                        let name = &found.kind(&self.kit).name;
                        match found.owner {
                            Some(owner) => format!("{}'s {name}", self.now.seat(owner).name),
                            None => name.clone(),
                        }
                    }
                };
                let who: Vec<&str> = eyes
                    .seats()
                    .filter(|seat| seat.index() < self.now.seats.len())
                    .map(|seat| &*self.now.seat(seat).name)
                    .collect();
                if !who.is_empty() {
                    let words = format!(
                        "{} had seen {} of {where_from}",
                        who.join(" and "),
                        count_of(*count)
                    );
                    events.push(tell(Words::new(words)));
                }
            }
        }
        for pile in piles {
            let found = self.now.pile(pile);
            let name = &found.kind(&self.kit).name;
            let whose = found
                .owner
                .map_or(String::new(), |owner| format!("{}'s ", self.now.seat(owner).name));
            events.push(tell(Words::new(format!("{whose}{name} was seen: shuffle it?"))));
        }
        events
    }

    /// F136.
    fn redo(&mut self, seat: Seat, entry: Entry) -> Result<Vec<Event>, Refusal> {
        let possible = self.redo.as_ref().is_some_and(|undone| {
            undone.entries == self.entries.len() && (undone.by == seat || self.now.settings.solo)
        });
        if !possible {
            return Err(Refusal::NothingToRedo);
        }
        let undone = self.redo.take().ok_or(Refusal::NothingToRedo)?;
        let mut state = undone.state;
        carry_over(&self.now, &mut state);
        state.refresh_handles(&self.kit);
        for at in &undone.live {
            self.taken[*at].undone = false;
        }
        self.live = undone.live;
        self.taken.push(Taken {
            hash: StateHash::of(&self.kit, &state),
            open: true,
            is_final: false,
            undone: false,
            learned: Vec::new(),
        });
        self.entries.push(entry);
        self.now = state;
        self.keep();
        let words = Words::by(&self.now, seat, "restores what was taken back");
        Ok(vec![Event {
            by: Some(seat),
            kind: "undo",
            to: Eyes::ALL,
            pieces: words.pieces(),
        }])
    }

    /// F132.
    fn propose(&mut self, seat: Seat, step: u32, entry: Entry) -> Result<Vec<Event>, Refusal> {
        let to = whole(step);
        self.check_rewind(to)?;
        let waits = |question: &Question| matches!(question.kind, QuestionKind::Rewind(_));
        if self.now.questions.iter().any(waits) {
            return Err(Refusal::OneProposal);
        }
        if self.now.others_present(seat).is_empty() || self.now.settings.solo {
            return Ok(self.rewind(seat, to, entry));
        }
        let (state, event) = proposed(&self.kit, &self.now, seat, step);
        self.settle(entry, state, false);
        Ok(vec![event])
    }

    fn check_rewind(&self, to: usize) -> Result<(), Refusal> {
        if to >= self.entries.len() || !self.live.iter().any(|at| *at >= to) {
            return Err(Refusal::Never("nothing happened since"));
        }
        if to > 0 && !self.live.contains(&(to - 1)) {
            return Err(Refusal::Never("that step was taken back itself"));
        }
        if to < whole(self.now.game_start) {
            return Err(Refusal::Never("it belongs to an earlier game"));
        }
        if self.live.iter().any(|at| *at >= to && self.taken[*at].is_final) {
            return Err(Refusal::Never("a sealed value was opened since"));
        }
        Ok(())
    }

    /// Goes back once everybody who was asked agrees.
    fn rewind_if_agreed(&mut self) -> Vec<Event> {
        let found = self
            .now
            .questions
            .iter()
            .find_map(|question| match question.kind {
                QuestionKind::Rewind(step) if question.of.within(question.agreed) => {
                    Some((question.by, step))
                }
                _ => None,
            });
        let Some((by, step)) = found else {
            return Vec::new();
        };
        if let Err(refusal) = self.check_rewind(whole(step)) {
            // The answer stands; only what it was about has become impossible.
            self.now
                .questions
                .retain(|question| !matches!(question.kind, QuestionKind::Rewind(_)));
            self.settled_otherwise();
            let words = format!("That is no longer possible: {refusal}");
            return vec![Event {
                by: Some(by),
                kind: "undo",
                to: Eyes::ALL,
                pieces: Words::new(words).pieces(),
            }];
        }
        // The answer that completed it is an entry; going back is the table's own consequence of it.
        let mut state = self.after(whole(step));
        carry_over(&self.now, &mut state);
        state.refresh_handles(&self.kit);
        let gone: Vec<usize> = self
            .live
            .iter()
            .copied()
            .filter(|at| *at >= whole(step))
            .collect();
        let mut events = vec![Event {
            by: Some(by),
            kind: "undo",
            to: Eyes::ALL,
            pieces: Words::by(&self.now, by, &format!("takes back everything after step {step}")).pieces(),
        }];
        events.extend(self.seen_in(&gone));
        for at in &gone {
            self.taken[*at].undone = true;
        }
        self.live.retain(|at| *at < whole(step));
        self.now = state;
        self.settled_otherwise();
        self.redo = None;
        events
    }

    /// The state after the last entry is not what its verb alone made of it: it is kept.
    fn settled_otherwise(&mut self) {
        let hash = self.hash();
        if let Some(last) = self.taken.last_mut() {
            last.hash = hash;
        }
        self.keep();
    }

    /// The last steps that are in force, newest first: their numbers and whether they are open.
    pub fn live(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.live.iter().rev().map(|at| (at + 1, &self.entries[*at]))
    }
}

/// Tries a verb on a copy (F63, F206).
pub(crate) fn attempt(kit: &Kit, before: &State, seat: Seat, verb: &Verb) -> Result<Outcome, Refusal> {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let mut act = Act::new(kit, before.clone(), seat);
        act.perform(verb)?;
        let Act {
            mut s,
            events,
            made,
            gone,
            is_final,
            ..
        } = act;
        s.step = s.step.saturating_add(1);
        let setup = matches!(
            verb,
            Verb::Load { .. } | Verb::Sideboard { .. } | Verb::Reset { .. } | Verb::Answer { .. }
        );
        if verb.is_step() && !setup {
            s.seat_mut(seat).untouched = false;
        }
        s.refresh_handles(kit);
        for index in 0..s.cards.len() {
            if s.cards[index].is_some() {
                let id = CardId::at(index);
                let seen = s.visible(kit, id);
                s.card_mut(id).seen |= seen;
            }
        }
        if before.cards().count() + made != s.cards().count() + gone {
            return Err(Refusal::Broken("cards were lost or doubled".to_owned()));
        }
        if let Some(broken) = s.broken(kit) {
            return Err(Refusal::Broken(broken));
        }
        Ok(Outcome {
            state: s,
            events,
            is_final,
        })
    }));
    tried.unwrap_or_else(|_| Err(Refusal::Broken("a fault of ours".to_owned())))
}

/// The state in which a proposal waits, with what is said.
fn proposed(kit: &Kit, before: &State, seat: Seat, step: u32) -> (State, Event) {
    let mut state = before.clone();
    let id = state.number();
    let of = state.others_present(seat);
    state.questions.push(Question {
        id,
        by: seat,
        of,
        agreed: Eyes::NONE,
        kind: QuestionKind::Rewind(step),
    });
    state.step = state.step.saturating_add(1);
    state.refresh_handles(kit);
    let words = format!("proposes to take back everything after step {step} (question {id})");
    let event = Event {
        by: Some(seat),
        kind: "ask",
        to: Eyes::ALL,
        pieces: Words::by(&state, seat, &words).pieces(),
    };
    (state, event)
}

/// What does not go back (F131, F133, F135): chance, numbers and handles once given, presence, stops, readiness.
fn carry_over(now: &State, old: &mut State) {
    old.chance = now.chance;
    old.next_number = now.next_number;
    old.step = now.step.saturating_add(1);
    old.questions.clear();
    for (old, now) in old.handles.iter_mut().zip(&now.handles) {
        old.given = now.given;
    }
    for (old, now) in old.seats.iter_mut().zip(&now.seats) {
        old.present = now.present;
        old.stops = now.stops;
        old.end_stop = now.end_stop;
        old.ready = now.ready;
    }
}

/// Who learned what: by the set of those who learned and the group where the card lay (F130, F134).
fn learned(kit: &Kit, before: &State, after: &State) -> Vec<(Eyes, Group, usize)> {
    let mut found: Vec<(Eyes, Group, usize)> = Vec::new();
    for (id, card) in before.cards() {
        let still = after.cards.get(id.index()).and_then(Option::as_ref);
        // A place in the list may have been taken by another card since.
        if still.is_none_or(|now| now.model != card.model || now.owner != card.owner) {
            continue;
        }
        let new = after.known(kit, id) - before.known(kit, id);
        if new.is_empty() {
            continue;
        }
        let group = card.group;
        match found
            .iter_mut()
            .find(|(eyes, from, _)| *eyes == new && *from == group)
        {
            Some((_, _, count)) => *count += 1,
            None => found.push((new, group, 1)),
        }
    }
    found
}
