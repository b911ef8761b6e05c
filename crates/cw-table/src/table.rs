//! The table: a state, the log of verbs that led there, and going back (F130–F137).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cw_chance::{Chance, Seed};
use cw_history::{HistoryStep, StateHash, Timeline};

use crate::act::VerbAct;
use crate::count::whole;
use crate::event::{SentenceWords, cards as count_of};
use crate::kept::{ByteReader, Keep};
use crate::menu::{MenuMemory, TableMenu};
use crate::{
    CardGroup, ConsentQuestion, Kit, Looker, LookerSet, PileId, QuestionKind, ScriptRule, TableCardId,
    TableEvent, TableSeat, TableSettings, TableState, TableVerb, TableView, VerbRefusal,
};

/// Who made an entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A seat.
    Seat(TableSeat),
    /// The host of the table: presence and time.
    Host,
}

/// An accepted verb.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VerbEntry {
    /// Whose.
    pub actor: Actor,
    /// What.
    pub verb: TableVerb,
}

/// What became of an accepted verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenVerb {
    /// Digest of the state after it.
    pub hash: StateHash,
    /// Nobody learned anything by it and chance was not asked (F130).
    pub open: bool,
    /// It can never be taken back (F133).
    pub is_final: bool,
    /// It is a step that others' undo has to mind (F131): an entry that only asks is none.
    pub is_step: bool,
    /// Taken back since (F137).
    pub undone: bool,
    /// What was learned: by whom, how many cards of which group (F134).
    pub learned: Vec<(LookerSet, CardGroup, usize)>,
}

/// An accepted verb with what became of the state by it.
#[derive(Clone, Debug)]
struct AppliedVerb {
    entry: VerbEntry,
    effect: VerbEffect,
}

#[derive(Clone, Debug)]
enum VerbEffect {
    /// What the verb does.
    Done,
    /// A proposal waits.
    Proposed,
    /// What the verb does; then proposals that have become impossible are dropped.
    Dropped,
    /// The state before this step is back, but for what never goes back.
    Back(usize, Arc<Carried>),
}

impl HistoryStep for AppliedVerb {
    type Game = Arc<Kit>;
    type State = TableState;

    fn base(&self) -> Option<usize> {
        match self.effect {
            VerbEffect::Back(to, _) => Some(to),
            VerbEffect::Done | VerbEffect::Proposed | VerbEffect::Dropped => None,
        }
    }

    fn again(&self, kit: &Arc<Kit>, state: &mut TableState) {
        let seat = self.entry.seat();
        match (&self.effect, &self.entry.verb) {
            (VerbEffect::Back(_, carried), _) => carried.onto(kit, state),
            (VerbEffect::Proposed, TableVerb::Propose { step }) => {
                *state = proposed(kit, state, seat, *step).0;
            }
            (effect, verb) => {
                *state = attempt(kit, state, seat, verb)
                    .expect("what was possible once is possible again")
                    .state;
                if matches!(effect, VerbEffect::Dropped) {
                    drop_proposals(state);
                }
            }
        }
    }
}

impl VerbEntry {
    /// Whose it is; what the host says counts as the first seat's.
    fn seat(&self) -> TableSeat {
        match self.actor {
            Actor::Seat(seat) => seat,
            Actor::Host => TableSeat(0),
        }
    }
}

/// A game from its beginning.
#[derive(Clone, Debug)]
pub struct FreeTable {
    seed: Seed,
    /// What it began with.
    settings: TableSettings,
    /// Seats that have done anything.
    acted: LookerSet,
    history: Timeline<AppliedVerb>,
    /// Of the entries that are at hand.
    taken: Vec<TakenVerb>,
    /// Entries at hand that are in force, oldest first.
    live: Vec<usize>,
    /// The last undo, for as long as nothing else happens (F136).
    redo: Option<Undone>,
    /// What menus show in the present position.
    menus: MenuMemory,
}

#[derive(Clone, Debug)]
struct Undone {
    by: TableSeat,
    /// Its number.
    entry: usize,
    /// What was in force before it.
    live: Vec<usize>,
}

/// What a verb would make of a table: to be written down first, and then to be [done](FreeTable::commit).
#[derive(Clone, Debug)]
pub struct PreparedVerb {
    made: AppliedVerb,
    state: TableState,
    taken: TakenVerb,
    events: Vec<TableEvent>,
    /// Entries in force afterwards, if they are others than before and this one.
    live: Option<Vec<usize>>,
    redo: Option<Undone>,
    /// How many entries the table had.
    after: usize,
}

impl PreparedVerb {
    /// What was asked for.
    pub fn entry(&self) -> &VerbEntry {
        &self.made.entry
    }

    /// Digest of the state to come.
    pub fn hash(&self) -> StateHash {
        self.taken.hash
    }

    /// The number of the entry before which it goes back, if it does.
    pub fn goes_back_to(&self) -> Option<usize> {
        self.made.base()
    }
}

/// What a verb made of a state.
pub(crate) struct VerbOutcome {
    pub(crate) state: TableState,
    pub(crate) events: Vec<TableEvent>,
    pub(crate) is_final: bool,
    /// Nothing at the table has changed: an entry asks, or has failed.
    pub(crate) is_aside: bool,
    /// A script drew from the chance of its own run (S178).
    pub(crate) drew: bool,
    /// What came to light on the way.
    pub(crate) learned: Vec<(LookerSet, CardGroup, usize)>,
}

impl FreeTable {
    /// A table with nothing on it.
    pub fn new(kit: Arc<Kit>, settings: TableSettings, seed: Seed) -> FreeTable {
        let mut salt = [0; 8];
        let digest = blake3::Hasher::new()
            .update(b"cardwright free table handles")
            .update(&seed.0)
            .finalize();
        salt.copy_from_slice(&digest.as_bytes()[..8]);
        let salt = u64::from_le_bytes(salt);
        let now = TableState::new(&kit, settings.clone(), Chance::seeded(seed), salt);
        FreeTable {
            seed,
            settings,
            acted: LookerSet::NONE,
            history: Timeline::new(kit, now),
            taken: Vec::new(),
            live: Vec::new(),
            redo: None,
            menus: MenuMemory::default(),
        }
    }

    /// What is enough to [go on](FreeTable::going_on) from here, if all is settled: no question waits,
    /// nothing can be restored.
    pub fn kept(&self) -> Option<Vec<u8>> {
        let state = self.state();
        let waits = !state.questions.is_empty() || !state.runs.is_empty();
        if waits || self.redo.is_some() || !state.scripts.is_kept(self.kit(), state) {
            return None;
        }
        let mut out = Vec::new();
        self.acted.put(&mut out);
        self.state().put(&mut out);
        Some(out)
    }

    /// A table of which only what [was kept](FreeTable::kept) after so many entries is at hand, and what
    /// follows. `None` if that is not the state whose digest is given.
    pub fn going_on(
        kit: Arc<Kit>,
        settings: TableSettings,
        seed: Seed,
        entries: usize,
        kept: &[u8],
        hash: StateHash,
    ) -> Option<FreeTable> {
        let mut from = ByteReader(kept);
        let (acted, now): (LookerSet, TableState) = (Keep::take(&mut from)?, Keep::take(&mut from)?);
        let now = crate::script::restored(&kit, now);
        (from.0.is_empty() && crate::hash::of(&kit, &now) == hash).then(|| FreeTable {
            seed,
            settings,
            acted,
            history: Timeline::from_step(kit, now, entries),
            taken: Vec::new(),
            live: Vec::new(),
            redo: None,
            menus: MenuMemory::default(),
        })
    }

    /// How many entries lie before those that are at hand.
    pub fn first(&self) -> usize {
        self.history.first()
    }

    /// Whether the seat has ever done anything.
    pub fn has_acted(&self, seat: TableSeat) -> bool {
        self.acted.has(seat)
    }

    /// The package.
    pub fn kit(&self) -> &Arc<Kit> {
        self.history.game()
    }

    /// The whole true state: for the host and for tests, never for a page.
    pub fn state(&self) -> &TableState {
        self.history.now()
    }

    /// Where all chance comes from.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The settings that it began with.
    pub fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// How many verbs were accepted, also those that were taken back.
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether nothing was done yet.
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// How many bytes of memory it takes, about: states that are kept to go back to, and what was done.
    pub fn weight(&self) -> usize {
        // A card with its handles in nine views; an entry with what became of it.
        const OF_CARD: usize = size_of::<crate::TableCard>() + 9 * size_of::<u32>() + 64;
        const OF_ENTRY: usize = size_of::<AppliedVerb>() + size_of::<TakenVerb>() + 128;
        let state = size_of::<TableState>() + self.state().cards.len() * OF_CARD;
        (self.history.kept() + 1) * state + self.len() * OF_ENTRY
    }

    /// Every accepted verb that is at hand, also those that were taken back.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &VerbEntry> + ExactSizeIterator {
        self.history.steps().iter().map(|made| &made.entry)
    }

    /// The accepted verb of this number, counted from 0, if it is at hand.
    pub fn entry(&self, at: usize) -> Option<&VerbEntry> {
        self.history.step(at).map(|made| &made.entry)
    }

    /// What became of the verbs that are at hand.
    pub fn taken(&self) -> &[TakenVerb] {
        &self.taken
    }

    /// What became of the accepted verb of this number, if it is at hand.
    pub fn became(&self, at: usize) -> Option<&TakenVerb> {
        self.taken.get(at.checked_sub(self.first())?)
    }

    /// The number of the entry before which the one of this number went back, if it did.
    pub fn went_back_to(&self, at: usize) -> Option<usize> {
        self.history.step(at).and_then(HistoryStep::base)
    }

    /// An entry that is in force: those are at hand.
    fn in_force(&self, at: usize) -> (&VerbEntry, &TakenVerb) {
        let found = self.entry(at).zip(self.became(at));
        found.expect("what is in force is at hand")
    }

    /// Exchanges what two cards are, and nothing else: for those who know neither it is the same table
    /// (F164). For tests of that law.
    pub fn exchange_faces(&mut self, a: TableCardId, b: TableCardId) {
        let mut state = self.state().clone();
        let (one, other) = (state.card(a).model.clone(), state.card(b).model.clone());
        state.card_mut(a).model = other;
        state.card_mut(b).model = one;
        self.history.replace(state);
        self.menus = MenuMemory::default();
    }

    /// Whether the state is an earlier one, but for what no undo takes back: chance, numbers that were given,
    /// presence. For tests of that law.
    pub fn is_back_at(&self, earlier: &TableState) -> bool {
        let mut then = earlier.clone();
        Carried::of(self.state()).onto(self.kit(), &mut then);
        then.step = self.state().step;
        crate::hash::of(self.kit(), &then) == self.hash() && then == *self.state()
    }

    /// Begins in another state than that of an empty table.
    pub(crate) fn begin_with(&mut self, state: TableState) {
        self.history = Timeline::new(Arc::clone(self.kit()), state);
        self.menus = MenuMemory::default();
    }

    /// What one looker may see.
    pub fn view(&self, looker: impl Into<Looker>) -> TableView {
        TableView::of(self.kit(), self.state(), looker.into())
    }

    /// What a seat that is asked by a script sees meanwhile: the table as it would be (S179).
    /// With what the script has said to it so far.
    pub fn preview(&self, seat: TableSeat) -> Option<(TableView, Vec<String>)> {
        let state = self.state();
        let asks = |run: &&crate::WaitingRun| run.waits().is_some_and(|asked| asked.seat == seat);
        let run = state.runs.iter().find(asks)?;
        let scripts = self.kit().scripts.as_ref()?;
        match crate::script::perform(self.kit(), scripts, state, run) {
            crate::script::RunOutcome::Asks { preview, .. } => {
                let said = preview.events.iter().filter(|event| event.kind == "script");
                let said = said.filter_map(|event| event.read_by(seat.into()));
                Some((TableView::of(self.kit(), &preview.s, seat.into()), said.collect()))
            }
            _ => None,
        }
    }

    /// Whether choosing the entry of this number runs the package's own script here (S171).
    pub fn runs(&self, entry: usize) -> bool {
        !self.state().scripts.seats.is_empty() && self.kit().runs(entry)
    }

    /// Whether a seat's menu shows what it would [run](TableVerb::Run) (S201), and under which name if it is
    /// not the entry's own.
    pub fn shows(&self, seat: TableSeat, run: &TableVerb) -> (bool, Option<String>) {
        let looks = self.menu(seat, vec![run.clone()]).looks();
        looks.into_iter().next().unwrap_or((true, None))
    }

    /// A seat's menu as a value of its own: what its scripts say of these entries can be found while the
    /// table goes on.
    pub fn menu(&self, seat: TableSeat, runs: Vec<TableVerb>) -> TableMenu {
        let is_on = |run: &TableVerb| match run {
            TableVerb::Run { entry, .. } => self.runs(usize::from(*entry)),
            _ => false,
        };
        let asked = |run: TableVerb| {
            let is_asked = is_on(&run);
            (run, is_asked)
        };
        let runs = runs.into_iter().map(asked).collect();
        TableMenu::new(self.kit(), self.state(), seat, runs, &self.menus)
    }

    /// How many menu entries the scripts were asked about since the last step; each at most once for a seat
    /// and what it is chosen on (S201).
    pub fn menu_questions(&self) -> u64 {
        self.menus.asked()
    }

    /// What everybody is told of the package's scripts: whose they are, where they run, and the package's
    /// digest, by which two hosts see whether theirs are the same (S170). Nothing if it has none.
    pub fn about_scripts(&self) -> Option<String> {
        let kit = self.kit();
        let definition = &kit.package.definition;
        let version = definition.version.as_ref();
        let version = version.map_or_else(String::new, |version| format!(" {}", version.value));
        let lines = kit.scripts.as_ref()?.lines;
        let runs = match self.state().settings.scripts {
            ScriptRule::On => "They run on the host's server and can do nothing outside the table.",
            ScriptRule::Ask => {
                "They run on the host's server once every seat has agreed, \
                 and can do nothing outside the table."
            }
            ScriptRule::Off => "They do not run here.",
        };
        let name = crate::state::plain(&definition.name, 80, "The package");
        Some(format!(
            "{name}{version} brings scripts of {lines} lines. {runs} Package {}.",
            kit.short_hash()
        ))
    }

    /// Digest of the state.
    pub fn hash(&self) -> StateHash {
        crate::hash::of(self.kit(), self.state())
    }

    /// Does what a seat asks for.
    ///
    /// # Errors
    /// If anything in it is not possible; then nothing has changed (F63).
    pub fn act(&mut self, seat: TableSeat, verb: TableVerb) -> Result<Vec<TableEvent>, VerbRefusal> {
        let change = self.prepare(Actor::Seat(seat), verb)?;
        Ok(self.commit(change))
    }

    /// Does what the host says: who is there, whose time is over.
    ///
    /// # Errors
    /// As [`FreeTable::act`]; also for verbs that are not the host's.
    pub fn host(&mut self, verb: TableVerb) -> Result<Vec<TableEvent>, VerbRefusal> {
        let change = self.prepare(Actor::Host, verb)?;
        Ok(self.commit(change))
    }

    /// What a verb would make of the table. Nothing has changed: it can be written down before it is done,
    /// and so nothing that was shown is ever lost.
    ///
    /// # Errors
    /// If anything in it is not possible (F63).
    pub fn prepare(&self, actor: Actor, verb: TableVerb) -> Result<PreparedVerb, VerbRefusal> {
        let known = match actor {
            Actor::Seat(seat) => !verb.is_of_host() && seat.index() < self.state().seats.len(),
            Actor::Host => verb.is_of_host(),
        };
        if !known {
            return Err(VerbRefusal::NoSuchSeat);
        }
        if self.len() >= self.kit().limits.steps {
            return Err(VerbRefusal::Limit("steps"));
        }
        let entry = VerbEntry { actor, verb };
        let seat = entry.seat();
        match entry.verb {
            TableVerb::Undo { steps } => {
                let to = self.alone(seat, steps)?;
                Ok(self.rewind(seat, to, entry))
            }
            TableVerb::Redo => self.redo(seat, entry),
            TableVerb::Propose { step } => self.propose(seat, step, entry),
            _ => {
                let outcome = attempt(self.kit(), self.state(), seat, &entry.verb)?;
                Ok(self.settled(entry, outcome))
            }
        }
    }

    /// Does what was prepared; says what happened.
    ///
    /// # Panics
    /// If something else was done since.
    pub fn commit(&mut self, change: PreparedVerb) -> Vec<TableEvent> {
        assert_eq!(change.after, self.len(), "a change is of the table as it stood");
        if let Actor::Seat(seat) = change.made.entry.actor {
            self.acted |= LookerSet::of(seat);
        }
        self.taken.push(change.taken);
        match change.live {
            None => self.live.push(change.after),
            Some(live) => {
                let first = self.first();
                for at in &self.live {
                    self.taken[*at - first].undone = true;
                }
                for at in &live {
                    self.taken[*at - first].undone = false;
                }
                self.live = live;
            }
        }
        self.redo = change.redo;
        self.history.push(change.made, change.state);
        self.menus = MenuMemory::default();
        change.events
    }

    /// A verb that was possible, with its new state.
    fn settled(&self, entry: VerbEntry, outcome: VerbOutcome) -> PreparedVerb {
        let VerbOutcome {
            state,
            events,
            is_final,
            is_aside,
            drew,
            learned: mut all,
        } = outcome;
        for (eyes, group, count) in learned(self.kit(), self.state(), &state) {
            if !all.iter().any(|(who, from, _)| *who == eyes && *from == group) {
                all.push((eyes, group, count));
            }
        }
        let drew = drew || state.chance != self.state().chance;
        let loads = entry.verb.parts().iter().any(|verb| {
            matches!(
                verb,
                TableVerb::Load { .. } | TableVerb::BuildDeck { .. } | TableVerb::Sideboard { .. }
            )
        });
        let taken = TakenVerb {
            hash: crate::hash::of(self.kit(), &state),
            open: all.is_empty() && !drew && !loads,
            is_final,
            is_step: entry.verb.is_step() && !is_aside,
            undone: false,
            learned: all,
        };
        let change = PreparedVerb {
            made: AppliedVerb {
                entry,
                effect: VerbEffect::Done,
            },
            state,
            taken,
            events,
            live: None,
            redo: None,
            after: self.len(),
        };
        self.rewound_if_agreed(change)
    }

    /// The state after so many entries of the log, whether they were taken back or not.
    pub fn after(&self, entries: usize) -> TableState {
        self.history.at(entries)
    }

    /// F131: how far back a seat may go alone, as the number of entries that stay.
    fn alone(&self, seat: TableSeat, steps: u32) -> Result<usize, VerbRefusal> {
        if steps == 0 {
            return Err(VerbRefusal::NotAlone("no step is named"));
        }
        let solo = self.state().settings.solo;
        let mut left = steps;
        for at in self.live.iter().rev() {
            let (entry, taken) = self.in_force(*at);
            if taken.is_final || *at < whole(self.state().game_start) {
                return Err(VerbRefusal::Never("it is already final"));
            }
            if !taken.is_step {
                continue;
            }
            if !solo && entry.actor != Actor::Seat(seat) {
                return Err(VerbRefusal::NotAlone(
                    "somebody else has acted since then; propose it",
                ));
            }
            if !solo && !taken.open {
                return Err(VerbRefusal::NotAlone(
                    "something was revealed or left to chance; propose it",
                ));
            }
            left -= 1;
            if left == 0 {
                return Ok(*at);
            }
        }
        match self.first() {
            0 => Err(VerbRefusal::NotAlone("there are not that many steps")),
            _ => Err(VerbRefusal::FurtherBack),
        }
    }

    /// Goes back to the state after so many entries; the log only grows (F133, F135).
    fn rewind(&self, seat: TableSeat, to: usize, entry: VerbEntry) -> PreparedVerb {
        let gone: Vec<usize> = self.live.iter().copied().filter(|at| *at >= to).collect();
        let steps: Vec<String> = gone
            .iter()
            .filter(|at| self.in_force(**at).1.is_step)
            .map(|at| format!("step {}", at + 1))
            .collect();
        let words = SentenceWords::by(self.state(), seat, "takes back: ").text(steps.join(", "));
        let mut events = vec![TableEvent {
            by: Some(seat),
            kind: "undo",
            to: LookerSet::ALL,
            pieces: words.pieces(),
        }];
        events.extend(self.seen_in(gone.iter().flat_map(|at| &self.in_force(*at).1.learned)));
        let undone = Undone {
            by: seat,
            entry: self.len(),
            live: self.live.clone(),
        };
        let live = self.live.iter().copied().filter(|at| *at < to).collect();
        self.back(entry, to, live, Some(undone), events)
    }

    /// The state before an entry is back, but for what never goes back.
    fn back(
        &self,
        entry: VerbEntry,
        to: usize,
        live: Vec<usize>,
        redo: Option<Undone>,
        events: Vec<TableEvent>,
    ) -> PreparedVerb {
        let carried = Carried::of(self.state());
        let mut state = self.after(to);
        carried.onto(self.kit(), &mut state);
        PreparedVerb {
            taken: TakenVerb {
                hash: crate::hash::of(self.kit(), &state),
                open: true,
                is_final: false,
                is_step: entry.verb.is_step(),
                undone: false,
                learned: Vec::new(),
            },
            made: AppliedVerb {
                entry,
                effect: VerbEffect::Back(to, Arc::new(carried)),
            },
            state,
            events,
            live: Some(live),
            redo,
            after: self.len(),
        }
    }

    /// F134: what had been seen by whom, and which piles might be shuffled.
    fn seen_in<'t>(
        &self,
        learned: impl Iterator<Item = &'t (LookerSet, CardGroup, usize)>,
    ) -> Vec<TableEvent> {
        let (kit, state) = (self.kit(), self.state());
        let mut events = Vec::new();
        let mut piles: Vec<PileId> = Vec::new();
        let tell = |words: SentenceWords| TableEvent {
            by: None,
            kind: "undo",
            to: LookerSet::ALL,
            pieces: words.pieces(),
        };
        for (eyes, group, count) in learned {
            let where_from = match group {
                CardGroup::Table => "the table".to_owned(),
                CardGroup::Pile(pile) => {
                    let found = state.pile(*pile);
                    if found.kind(kit).ordered && !piles.contains(pile) {
                        piles.push(*pile);
                    }
                    let name = &found.kind(kit).name;
                    match found.owner {
                        Some(owner) => format!("{}'s {name}", state.seat(owner).name),
                        None => name.clone(),
                    }
                }
            };
            let mut who: Vec<&str> = eyes
                .seats()
                .filter(|seat| seat.index() < state.seats.len())
                .map(|seat| &*state.seat(seat).name)
                .collect();
            if eyes.has(Looker::Spectators) {
                who.push("the spectators");
            }
            if !who.is_empty() {
                let words = format!(
                    "{} had seen {} of {where_from}",
                    who.join(" and "),
                    count_of(*count)
                );
                events.push(tell(SentenceWords::new(words)));
            }
        }
        for pile in piles {
            let found = state.pile(pile);
            let name = &found.kind(kit).name;
            let whose = found
                .owner
                .map_or(String::new(), |owner| format!("{}'s ", state.seat(owner).name));
            events.push(tell(SentenceWords::new(format!(
                "{whose}{name} was seen: shuffle it?"
            ))));
        }
        events
    }

    /// Restores what the seat took back, if nothing else has happened since (F136).
    fn redo(&self, seat: TableSeat, entry: VerbEntry) -> Result<PreparedVerb, VerbRefusal> {
        let undone = self.redo.as_ref().filter(|undone| {
            undone.entry + 1 == self.len() && (undone.by == seat || self.state().settings.solo)
        });
        let undone = undone.ok_or(VerbRefusal::NothingToRedo)?;
        let words = SentenceWords::by(self.state(), seat, "restores what was taken back");
        let events = vec![TableEvent {
            by: Some(seat),
            kind: "undo",
            to: LookerSet::ALL,
            pieces: words.pieces(),
        }];
        Ok(self.back(entry, undone.entry, undone.live.clone(), None, events))
    }

    /// Proposes to take back everything after a step; the others who are there have to agree (F132).
    fn propose(&self, seat: TableSeat, step: u32, entry: VerbEntry) -> Result<PreparedVerb, VerbRefusal> {
        let to = whole(step);
        if self.first() > 0 && to <= self.first() {
            return Err(VerbRefusal::FurtherBack);
        }
        if !self.live.iter().any(|at| *at >= to) {
            return Err(VerbRefusal::Never("nothing happened since"));
        }
        self.check_rewind(to, self.state())?;
        let waits = |question: &ConsentQuestion| matches!(question.kind, QuestionKind::Rewind(_));
        if self.state().questions.iter().any(waits) {
            return Err(VerbRefusal::OneProposal);
        }
        let alone = self.state().settings.solo || self.state().seats.len() == 1;
        if alone || self.state().others_present(seat).is_empty() {
            // D83: who is away has not agreed: nothing that came to light is taken back behind their backs.
            let closed = |at: &usize| *at >= to && !self.in_force(*at).1.open;
            if !alone && self.live.iter().any(closed) {
                return Err(VerbRefusal::NobodyToAsk);
            }
            return Ok(self.rewind(seat, to, entry));
        }
        let (state, mut event) = proposed(self.kit(), self.state(), seat, step);
        event.pieces = SentenceWords::by(&state, seat, "")
            .text(self.proposal(to, step, &state))
            .pieces();
        let outcome = VerbOutcome {
            state,
            events: vec![event],
            is_final: false,
            is_aside: false,
            drew: false,
            learned: Vec::new(),
        };
        let mut change = self.settled(entry, outcome);
        change.made.effect = VerbEffect::Proposed;
        Ok(change)
    }

    /// F132: all that would be taken back, by seat and verb; what is in a verb may be for some eyes only.
    fn proposal(&self, to: usize, step: u32, state: &TableState) -> String {
        const MOST: usize = 20;
        let gone = self.live.iter().filter(|at| **at >= to);
        let steps: Vec<String> = gone
            .map(|at| (at, self.in_force(*at)))
            .filter(|(_, (_, taken))| taken.is_step)
            .map(|(at, (entry, _))| {
                let parts = entry.verb.parts().iter().map(|verb| {
                    let line = self.write(verb);
                    line.split(' ').next().unwrap_or("").to_owned()
                });
                let words = parts.collect::<Vec<_>>().join(" and ");
                format!("{} ({} {words})", at + 1, state.seat(entry.seat()).name)
            })
            .collect();
        let id = state.questions.last().map_or(0, |question| question.id);
        let more = match steps.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let steps = match steps.len() {
            0 => String::new(),
            1 => format!(": step {}", steps[0]),
            all => format!(": steps {}{more}", steps[..all.min(MOST)].join(", ")),
        };
        format!("proposes to take back everything after step {step}{steps} (question {id})")
    }

    /// Whether the present game goes on from the going back that led to this state: nothing went further back
    /// since.
    fn has_come_back_to(&self, to: usize) -> bool {
        let back = |at: usize| self.history.step(at).and_then(AppliedVerb::base);
        back(to - 1).is_some() && (to..self.len()).all(|at| back(at).is_none_or(|base| base >= to))
    }

    fn check_rewind(&self, to: usize, now: &TableState) -> Result<(), VerbRefusal> {
        if to > 0 && !self.live.contains(&(to - 1)) && !self.has_come_back_to(to) {
            return Err(VerbRefusal::Never("that step was taken back itself"));
        }
        if to < whole(now.game_start) {
            return Err(VerbRefusal::Never("it belongs to an earlier game"));
        }
        if self
            .live
            .iter()
            .any(|at| *at >= to && self.in_force(*at).1.is_final)
        {
            return Err(VerbRefusal::Never("a sealed value has been opened since"));
        }
        Ok(())
    }

    /// Goes back once everybody who was asked agrees: the table's own consequence of the last answer.
    fn rewound_if_agreed(&self, mut change: PreparedVerb) -> PreparedVerb {
        let found = change
            .state
            .questions
            .iter()
            .find_map(|question| match question.kind {
                QuestionKind::Rewind(step) if question.of.within(question.agreed) => {
                    Some((question.by, whole(step)))
                }
                _ => None,
            });
        let Some((by, to)) = found else {
            return change;
        };
        let said = |words: SentenceWords| TableEvent {
            by: Some(by),
            kind: "undo",
            to: LookerSet::ALL,
            pieces: words.pieces(),
        };
        if let Err(refusal) = self.check_rewind(to, &change.state) {
            // The answer stands; only what it was about has become impossible.
            drop_proposals(&mut change.state);
            change.made.effect = VerbEffect::Dropped;
            let words = format!("That is no longer possible: {refusal}");
            change.events.push(said(SentenceWords::new(words)));
        } else {
            let carried = Carried::of(&change.state);
            let words = SentenceWords::by(
                &change.state,
                by,
                &format!("takes back everything after step {to}"),
            );
            change.events.push(said(words));
            let gone = self.live.iter().filter(|at| **at >= to);
            let seen = gone.flat_map(|at| &self.in_force(*at).1.learned);
            change
                .events
                .extend(self.seen_in(seen.chain(&change.taken.learned)));
            change.state = self.after(to);
            carried.onto(self.kit(), &mut change.state);
            change.made.effect = VerbEffect::Back(to, Arc::new(carried));
            change.taken.undone = true;
            change.live = Some(self.live.iter().copied().filter(|at| *at < to).collect());
        }
        change.taken.hash = crate::hash::of(self.kit(), &change.state);
        change
    }

    /// The last steps that are in force, newest first: their numbers and whether they are open.
    pub fn live(&self) -> impl Iterator<Item = (usize, &VerbEntry)> {
        let entries = self.live.iter().rev();
        entries.map(|at| (at + 1, self.in_force(*at).0))
    }
}

/// Proposals that have become impossible wait no longer.
fn drop_proposals(state: &mut TableState) {
    state
        .questions
        .retain(|question| !matches!(question.kind, QuestionKind::Rewind(_)));
}

/// Tries a verb on a copy (F63, F206).
pub(crate) fn attempt(
    kit: &Kit,
    before: &TableState,
    seat: TableSeat,
    verb: &TableVerb,
) -> Result<VerbOutcome, VerbRefusal> {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let mut act = VerbAct::new(kit, before.clone(), seat);
        if !act.instead(verb)? {
            act.perform(verb)?;
            act.tell_scripts(verb, before);
        }
        let VerbAct {
            mut s,
            events,
            made,
            gone,
            is_final,
            is_aside,
            drew,
            learned,
            ..
        } = act;
        s.step = s.step.saturating_add(1);
        let touches = |verb: &TableVerb| {
            let setup = matches!(
                verb,
                TableVerb::Load { .. }
                    | TableVerb::Sideboard { .. }
                    | TableVerb::Reset { .. }
                    | TableVerb::Answer { .. }
            );
            verb.is_step() && !setup
        };
        if !is_aside && verb.parts().iter().any(touches) {
            s.seat_mut(seat).untouched = false;
        }
        s.refresh_handles(kit);
        crate::script::follow_held(&mut s);
        s.look_around(kit);
        if before.cards().count() + made != s.cards().count() + gone {
            return Err(VerbRefusal::Broken("cards were lost or doubled".to_owned()));
        }
        if let Some(broken) = s.broken(kit) {
            return Err(VerbRefusal::Broken(broken));
        }
        Ok(VerbOutcome {
            state: s,
            events,
            is_final,
            is_aside,
            drew,
            learned,
        })
    }));
    tried.unwrap_or_else(|_| Err(VerbRefusal::Broken("a fault of ours".to_owned())))
}

/// The state in which a proposal waits, with what is said.
fn proposed(kit: &Kit, before: &TableState, seat: TableSeat, step: u32) -> (TableState, TableEvent) {
    let mut state = before.clone();
    let id = state.number();
    let of = state.others_present(seat);
    state.questions.push(ConsentQuestion {
        id,
        by: seat,
        of,
        agreed: LookerSet::NONE,
        kind: QuestionKind::Rewind(step),
    });
    state.step = state.step.saturating_add(1);
    state.refresh_handles(kit);
    let words = format!("proposes to take back everything after step {step} (question {id})");
    let event = TableEvent {
        by: Some(seat),
        kind: "ask",
        to: LookerSet::ALL,
        pieces: SentenceWords::by(&state, seat, &words).pieces(),
    };
    (state, event)
}

/// What does not go back (F131, F133, F135): chance, numbers and handles once given, names, presence, stops,
/// readiness.
#[derive(Clone, Debug)]
struct Carried {
    chance: Chance,
    next_number: u32,
    step: u32,
    given: Vec<u32>,
    /// Entries that were begun, numbers of cards that were given (S178, S220), settings (S214).
    scripts: crate::script::ScriptConstants,
    seats: Vec<SeatConstants>,
}

/// What of a seat does not go back.
#[derive(Clone, Debug)]
struct SeatConstants {
    name: Arc<str>,
    present: bool,
    stops: u64,
    end_stop: bool,
    ready: bool,
}

impl Carried {
    fn of(now: &TableState) -> Carried {
        let seats = now.seats.iter().map(|seat| SeatConstants {
            name: Arc::clone(&seat.name),
            present: seat.present,
            stops: seat.stops,
            end_stop: seat.end_stop,
            ready: seat.ready,
        });
        Carried {
            chance: now.chance,
            next_number: now.next_number,
            step: now.step,
            given: now.handles.iter().map(|handles| handles.given).collect(),
            scripts: now.scripts.constants(),
            seats: seats.collect(),
        }
    }

    /// Carries it over to an earlier state.
    fn onto(&self, kit: &Kit, old: &mut TableState) {
        old.chance = self.chance;
        old.next_number = self.next_number;
        old.step = self.step.saturating_add(1);
        old.questions.clear();
        old.runs.clear();
        old.scripts.carry(&self.scripts);
        for (old, given) in old.handles.iter_mut().zip(&self.given) {
            old.given = *given;
        }
        for (old, now) in old.seats.iter_mut().zip(&self.seats) {
            old.present = now.present;
            old.name = Arc::clone(&now.name);
            old.stops = now.stops;
            old.end_stop = now.end_stop;
            old.ready = now.ready;
        }
        old.refresh_handles(kit);
    }
}

/// Who saw what they did not see before: by the set of those who did and the group where the card lay (F130,
/// F134). What somebody remembers counts for nothing here: it can hang on faces that others do not know, and
/// all read how many cards were seen (F164). Nor do faces: where a place in the list was taken by another
/// card of the same owner since, as when decks are loaded again, that one counts.
pub(crate) fn learned(
    kit: &Kit,
    before: &TableState,
    after: &TableState,
) -> Vec<(LookerSet, CardGroup, usize)> {
    let mut found: Vec<(LookerSet, CardGroup, usize)> = Vec::new();
    for (id, card) in before.cards() {
        let still = after.cards.get(id.index()).and_then(Option::as_ref);
        if still.is_none_or(|now| now.owner != card.owner) {
            continue;
        }
        let new = after.visible(kit, id) - before.visible(kit, id);
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
