//! References that follow their cards (D64).
//!
//! A shuffle exchanges what the cards are, not where they lie (D50). Whatever refers to a card goes
//! on meaning that card: everything in the state that names an index is carried along here.

use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::list::{ArenaList, DuelObject};
use crate::state::variables::variable_objects;
use crate::state::{
    AgendaTask, Dispatch, DuelState, EventListener, Fight, ProgramFrame, Queued, StateChange,
};

impl DuelState {
    /// The cards now are where others of them were: card `cards[i]` gets the index `places[i]`, and
    /// all that it is with it. Both lists hold the same cards, of one pile.
    pub fn exchange(&mut self, cards: &[CardId], places: &[CardId]) {
        let all = &mut self.cards[..];
        let mut entries: SmallVec<[_; 64]> = SmallVec::with_capacity(cards.len());
        entries.extend(cards.iter().map(|card| all[card.index()]));
        let mut new = [CardId::NONE; 256];
        for ((card, place), entry) in cards.iter().zip(places).zip(entries) {
            all[place.index()] = entry;
            new[card.index()] = *place;
        }
        self.carry(|card| new[card.index()].some().unwrap_or(card));
    }

    /// Every reference to a card becomes one to its new index. Every field is named, so that a new
    /// one cannot be forgotten; those with `_` name no card that lies in a pile.
    pub fn carry(&mut self, new: impl Fn(CardId) -> CardId) {
        let DuelState {
            cards: _,
            order: _,
            pile_len: _,
            players: _,
            rings: _,
            backups: _,
            table: _,
            united,
            blocks,
            fight:
                Fight {
                    attackers,
                    cursor: _,
                    lead: _,
                    extra: _,
                },
            turn: _,
            phase: _,
            active: _,
            first: _,
            outcome: _,
            chance: _,
            free_actions: _,
            steps: _,
            depth: _,
            reply: _, // taken before an effect begins
            register: _,
            tasks,
            frames,
            arena,
            listeners,
            serial: _,
            heard: _,
            changes,
            queue,
            decision: _, // written anew when the next question is put
        } = self;
        let card = |card: &mut CardId| *card = new(*card);
        let object = |object: &mut u8| {
            if let Some(card) = DuelObject(*object).as_card() {
                *object = new(card).0;
            }
        };
        attackers.iter_mut().for_each(card);
        united.iter_mut().for_each(card);
        // A blocker that has left still blocks, and may lie in a deck by now (G148).
        for (attacker, blocker) in blocks.iter_mut() {
            card(attacker);
            card(blocker);
        }
        // Two names may stand for one list.
        let mut lists: SmallVec<[ArenaList; 32]> = SmallVec::new();
        let mut variables: SmallVec<[ArenaList; 4]> = SmallVec::new();
        for task in tasks.iter_mut() {
            match task {
                AgendaTask::Play { card: one, .. }
                | AgendaTask::Enter { card: one, .. }
                | AgendaTask::Activate { card: one, .. }
                | AgendaTask::BackUp { card: one }
                | AgendaTask::Join { card: one }
                | AgendaTask::Block { card: one } => card(one),
                AgendaTask::Dispatch(Dispatch { object, argument, .. }) => {
                    card(object);
                    card(argument);
                }
                AgendaTask::Effect(effect) => lists.push(effect.list),
                AgendaTask::Turn
                | AgendaTask::Phase { .. }
                | AgendaTask::Unit { .. }
                | AgendaTask::Combat { .. }
                | AgendaTask::Attacks
                | AgendaTask::Heard { .. }
                | AgendaTask::Run => {}
            }
        }
        for frame in frames.iter_mut() {
            let ProgramFrame {
                model: _,
                named: _,
                part: _,
                index: _,
                source,
                lost: _,
                executor: _,
                stage: _,
                pc: _,
                committed: _,
                cleared: _,
                own_targets: _,
                acted: _,
                worked: _,
                done: _,
                main,
                targets,
                previous,
                discarded,
                sacrificed,
                destroyed,
                moved,
                trashed,
                vars,
                tape: _, // read no more once an effect has begun
                trigger,
                attacker,
                blocker,
                element,
                ua_bp: _,
                searched: _,
                each,
                base: _,
            } = frame;
            [source, trigger, attacker, blocker].into_iter().for_each(card);
            if let Some(DuelObject(element)) = element {
                object(element);
            }
            lists.extend([
                *main,
                *targets,
                *previous,
                *discarded,
                *sacrificed,
                *destroyed,
                *moved,
                *trashed,
            ]);
            lists.extend(each.iter().map(|(list, _)| *list));
            variables.push(*vars);
        }
        lists.sort_unstable_by_key(|list| list.raw());
        lists.dedup();
        for list in lists {
            arena.get_mut(list).iter_mut().for_each(object);
        }
        for list in variables {
            variable_objects(arena.get_mut(list), object);
        }
        let listener = |listener: &mut EventListener| card(&mut listener.card);
        listeners.iter_mut().for_each(listener);
        for change in changes.iter_mut() {
            let StateChange { subject, source, .. } = change;
            card(source);
            object(&mut subject.0);
        }
        for queued in queue.iter_mut() {
            match queued {
                Queued::Changes { .. } => {}
                Queued::Heard {
                    listener: heard,
                    object,
                    ..
                } => {
                    listener(heard);
                    card(object);
                }
            }
        }
    }
}

impl DuelState {
    /// Calls with the source of everything that runs, waits or lasts: its name is no secret (D64).
    pub fn sources_mut(&mut self, mut source: impl FnMut(&mut CardId)) {
        self.frames.iter_mut().for_each(|frame| source(&mut frame.source));
        self.listeners
            .iter_mut()
            .for_each(|listener| source(&mut listener.card));
        self.changes
            .iter_mut()
            .for_each(|change| source(&mut change.source));
        for queued in self.queue.iter_mut() {
            if let Queued::Heard { listener, .. } = queued {
                source(&mut listener.card);
            }
        }
    }
}
