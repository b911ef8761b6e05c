//! One run: a copy of the table, and the jobs that act on it (S173–S186).

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use cw_chance::{Chance, Seed};
use cw_script::{
    ExceptionKind, HostForm, HostHandle, HostStop, HostValue, Interpreter, RunEnd, RunStop, ScriptHost,
    ScriptLimit, ScriptLimits, ScriptRun,
};

use super::thing::{Args, Flow, Thing, ThingKind, raise, type_error};
use super::{
    AskedScript, HeldCard, PRELUDE_NAME, RunLimits, ScriptAnswer, ScriptEvent, ScriptKit, ScriptQuestion,
    ScriptVersion, SeatScripts, WaitingRun,
};
use crate::act::VerbAct;
use crate::event::{Piece, SentenceWords, cards as count_of};
use crate::state::plain;
use crate::{
    CardAt, CardGroup, Kit, LookerSet, PileId, RemoteRule, Rights, ScriptReach, TableCardId, TableEvent,
    TableModel, TableSeat, TableState, TableVerb, VerbCards, VerbRefusal, Viewers,
};

/// What a run came to.
pub(crate) enum RunOutcome<'k> {
    /// It ended: this is the table now.
    Done(Box<VerbAct<'k>>),
    /// It waits for an answer to the last of these questions; the seats have seen this meanwhile.
    Asks {
        asked: Vec<AskedScript>,
        answers: Vec<ScriptAnswer>,
        seen: Vec<(LookerSet, CardGroup, u32)>,
        /// The table as it would be: what the asked seat sees meanwhile (S179).
        preview: Box<VerbAct<'k>>,
    },
    /// This seat did not allow it (S185).
    Denied(TableSeat),
    /// The table is as it was, for this reason: what the runner reads, and what others read.
    Failed(String, String),
}

/// One call of a function in one seat's interpreter.
#[derive(Clone, Debug)]
struct Job {
    seat: TableSeat,
    function: String,
    args: Vec<HostValue>,
    /// How many events and calls led to it.
    chain: u8,
    /// An error in it ends only itself (S149).
    is_own: bool,
    muted: bool,
    /// Another seat's entry called for it (S183).
    is_remote: bool,
}

/// Why a job did not end well.
enum JobStop {
    Ask,
    Failed(ScriptRun),
    /// The run is over, with these words.
    Over(String),
}

/// What a run has done for a seat that did not choose it (S185).
#[derive(Clone, Debug, Default)]
struct ForOthers {
    /// In the words that it is told with.
    lines: Vec<String>,
    /// How many of them the seat has agreed to.
    agreed: usize,
    /// There is something among the rest that it has to agree to.
    asks: bool,
}

/// The table as one run has it.
pub(crate) struct ScriptRoom<'k> {
    pub(crate) act: VerbAct<'k>,
    pub(crate) kit: &'k Kit,
    scripts: &'k ScriptKit,
    /// Whose job runs.
    pub(crate) seat: TableSeat,
    /// Interpreters by seat, taken out while they run; nothing as long as they were not needed.
    interpreters: Vec<Option<Interpreter>>,
    busy: Vec<bool>,
    answers: &'k [ScriptAnswer],
    /// What was asked in the run before, to compare with.
    before: &'k [AskedScript],
    asked: Vec<AskedScript>,
    /// What was answered, also for who is away.
    used: Vec<ScriptAnswer>,
    /// The table is another than the one that was asked about (S180).
    changed: bool,
    jobs: VecDeque<Job>,
    jobs_run: usize,
    chain: u8,
    muted: bool,
    steps: u64,
    bytes: usize,
    verbs: usize,
    lines: usize,
    text: usize,
    /// Where lines of scripts stand among the events, whose card names are settled at the end (S50).
    said: Vec<usize>,
    /// Verbs that were refused (S188).
    refused: Vec<String>,
    /// Cards whose faces were read though their seat did not know them (S192).
    looks: BTreeMap<(TableSeat, CardGroup), Vec<TableCardId>>,
    /// Whose entry it is.
    runner: TableSeat,
    entry: u16,
    /// The job that runs was called for by another seat's entry.
    is_remote: bool,
    /// What jobs did that were called for by another seat's entry, by seat (S185).
    for_others: BTreeMap<TableSeat, ForOthers>,
    /// Faces that such jobs have read, of which the runner does not know.
    told: std::collections::BTreeSet<(TableSeat, TableCardId)>,
    /// Who said no.
    denied: Option<TableSeat>,
    /// Reading a face is no look, and shows nothing that is not known (S194).
    is_blind: bool,
    /// What a function gave that says how a menu looks.
    pub(crate) answer: Option<HostValue>,
    /// Cards that the seat cannot follow, with the number for this run and the one they had (S223).
    aliases: BTreeMap<TableCardId, (u32, u32)>,
    /// Numbers of cards that this run has handed out.
    given: BTreeMap<u32, TableCardId>,
    /// The first number that a seat was given for a card.
    first: BTreeMap<(TableSeat, TableCardId), u32>,
    /// The seat's own names of cards at the beginning: who knew them (S50).
    knew: Vec<LookerSet>,
    is_loading: bool,
    /// What scripts call is written down (S250).
    pub(super) is_recorded: bool,
    time: i64,
    name: String,
}

/// Whether what was done for a seat needs its consent: its hidden piles are others, or who sees what of its
/// things (S185).
fn needs_consent(kit: &Kit, before: &TableState, after: &TableState, seat: TableSeat) -> bool {
    let piles = before.piles.iter().zip(&after.piles).any(|(was, now)| {
        let its = [was.owner, was.controller].contains(&Some(seat));
        let hidden = was.viewers != Viewers::Everybody || now.viewers != Viewers::Everybody;
        let right = |pile: &crate::TablePile| (pile.viewers, pile.keep_top, pile.protection, pile.controller);
        its && ((hidden && was.cards != now.cards) || right(was) != right(now))
    });
    let cards = before.cards().any(|(id, was)| {
        let Some(Some(now)) = after.cards.get(id.index()) else {
            return false;
        };
        let its = [was.owner, was.controller].contains(&Some(seat));
        let stays = was.group == now.group;
        let new = after.visible(kit, id) - before.known(kit, id) - LookerSet::of(seat);
        let other = was.face != now.face || was.shown != now.shown || was.controller != now.controller;
        its && (!new.is_empty() || (stays && other))
    });
    piles || cards
}

/// The words for what ended a run.
pub(crate) fn stop_words(stop: &RunStop) -> String {
    match stop {
        RunStop::Limit(limit) => {
            let more = match limit {
                ScriptLimit::Steps => format!(" ({} steps)", thousands(ScriptLimits::RUN.steps)),
                _ => String::new(),
            };
            format!("{}{more}", limit.words())
        }
        RunStop::Ask => "it asked while the table was being set up".to_owned(),
        RunStop::Host(words) => words.clone(),
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The chance of a run (S178).
fn chance_of(chance: Chance, number: u32) -> Chance {
    match chance {
        Chance::Seeded { seed, .. } => {
            let digest = blake3::Hasher::new()
                .update(b"cardwright script run")
                .update(&seed.0)
                .update(&number.to_le_bytes())
                .finalize();
            Chance::seeded(Seed(*digest.as_bytes()))
        }
        other => other,
    }
}

/// The names of the interface's functions.
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    globals().map(|(name, _)| *name)
}

/// Loads the scripts for a seat; with what became of each file.
pub(crate) fn load_runs(
    kit: &Kit,
    scripts: &ScriptKit,
    state: &TableState,
    seat: TableSeat,
) -> (Arc<SeatScripts>, Vec<(String, ScriptRun)>) {
    let mut state = state.clone();
    state.chance = Chance::seeded(0);
    let mut room = ScriptRoom::new(kit, scripts, state, seat, &[], &[]);
    room.is_loading = true;
    let mut interpreter = super::interpreter(&mut room);
    let runs = interpreter.load(&scripts.package, &mut room, &ScriptLimits::LOAD);
    (SeatScripts::of(interpreter), runs)
}

/// Runs an entry from its beginning, with the answers so far.
pub(crate) fn perform<'k>(
    kit: &'k Kit,
    scripts: &'k ScriptKit,
    state: &TableState,
    run: &'k WaitingRun,
) -> RunOutcome<'k> {
    let has_changed = || {
        let words = "The table has changed; choose the entry again.".to_owned();
        RunOutcome::Failed(words, String::new())
    };
    if run.lost {
        return has_changed();
    }
    let name = match run.events.first().filter(|_| run.entry == super::OF_EVENTS) {
        Some(event) => {
            let heard = event.heard_by(scripts, false).0;
            heard.first().map_or("An event", |function| *function).to_owned()
        }
        None => plain(
            &kit.actions[usize::from(run.entry)].definition.menu,
            80,
            "An entry",
        ),
    };
    let mut fork = state.clone();
    let chance = fork.chance;
    fork.chance = chance_of(chance, run.number);
    let rights = fork.settings.rights;
    // S189: what lies open is in reach, as F62 has it.
    if fork.settings.reach == ScriptReach::Public {
        fork.settings.rights = Rights::Open;
    }
    fork.refresh_handles(kit);
    let mut room = ScriptRoom::new(kit, scripts, fork, run.by, &run.answers, &run.asked);
    room.time = run.time;
    room.entry = run.entry;
    room.name.clone_from(&name);
    room.knew = (0..room.act.s.cards.len())
        .map(|index| match room.act.s.cards[index] {
            Some(_) => room.act.s.known(kit, TableCardId::at(index)),
            None => LookerSet::NONE,
        })
        .collect();
    room.is_recorded = scripts.begin_calls();
    room.begin(run);
    let mut ended = room.go();
    if room.is_recorded {
        room.record_end(match &ended {
            Ok(()) => "done",
            Err(JobStop::Ask) => "asks",
            Err(JobStop::Over(_)) => "stopped",
            Err(JobStop::Failed(failed)) => match &failed.end {
                RunEnd::Failed(error) => &error.class,
                RunEnd::Done(_) | RunEnd::Stopped(_) => "failed",
            },
        });
    }
    // Whatever it comes to, also an error or a limit, tells of what was read for another seat: it agrees
    // first (S185).
    if !matches!(ended, Err(JobStop::Ask)) {
        match room.settle(None) {
            Ok(()) => {}
            Err(HostStop::End(words)) => ended = Err(JobStop::Over(words)),
            Err(HostStop::Ask | HostStop::Raise(..)) => ended = Err(JobStop::Ask),
        }
    }
    if let Some(seat) = room.denied {
        return RunOutcome::Denied(seat);
    }
    if room.changed {
        return has_changed();
    }
    match ended {
        Ok(()) => RunOutcome::Done(Box::new(room.finished(chance, rights))),
        Err(JobStop::Ask) => {
            let seen = room.seen(state);
            let (asked, answers) = (std::mem::take(&mut room.asked), std::mem::take(&mut room.used));
            room.interpreters.clear();
            RunOutcome::Asks {
                asked,
                answers,
                seen,
                preview: Box::new(room.finished(chance, rights)),
            }
        }
        Err(JobStop::Over(words)) => RunOutcome::Failed(
            format!("{name} stopped: {words}. Nothing has changed."),
            format!("{name} stopped. Nothing has changed."),
        ),
        Err(JobStop::Failed(failed)) => {
            // S198: who shuts a window has broken the entry off.
            let closed = matches!(room.answers.last(), Some(ScriptAnswer::Closed))
                && room.asked.len() == room.answers.len();
            let (own, others) = failure(&name, &failed);
            let whole = |words: String| format!("{words} Nothing has changed.");
            if closed && matches!(failed.end, RunEnd::Failed(_)) {
                return RunOutcome::Failed(
                    format!("{name} was cancelled. Nothing has changed."),
                    String::new(),
                );
            }
            RunOutcome::Failed(whole(own), whole(others))
        }
    }
}

/// S201: whether an entry is shown in a seat's menu, and under which name. What that takes is taken of
/// `steps`, which a whole menu may share; where they are used up, the entry is shown as it is.
pub(crate) fn shown(
    kit: &Kit,
    scripts: &ScriptKit,
    state: &TableState,
    seat: TableSeat,
    on: &EntryPlace<'_>,
    steps: &mut u64,
) -> (bool, Option<String>) {
    let Some(action) = kit.actions.get(on.entry).map(|action| &action.definition) else {
        return (false, None);
    };
    if action.show_if.is_empty() && action.get_name.is_empty() {
        return (true, None);
    }
    let at = on.at.map_or_else(Vec::new, |(x, y)| {
        vec![HostValue::Float(f64::from(x)), HostValue::Float(f64::from(y))]
    });
    // On a copy of the table for each of them: what they do is dropped.
    let mut answer = |function: &str| -> Option<HostValue> {
        let takes = scripts.functions.get(function).copied()?;
        let limits = ScriptLimits {
            steps: ScriptLimits::MENU.steps.min(*steps),
            ..ScriptLimits::MENU
        };
        if limits.steps == 0 {
            return None;
        }
        let mut fork = state.clone();
        fork.chance = chance_of(fork.chance, state.scripts.started);
        let mut room = ScriptRoom::new(kit, scripts, fork, seat, &[], &[]);
        room.is_blind = true;
        let first = if action.of_card {
            HostValue::List(on.cards.iter().map(|id| room.card(*id)).collect())
        } else {
            Thing::Group(on.pile.map_or(CardGroup::Table, CardGroup::Pile)).value()
        };
        let mut interpreter = room.interpreter_of(seat)?;
        let mut args = vec![first];
        args.extend(at.iter().cloned());
        args.truncate(takes);
        let args = [super::thing::text(function), HostValue::List(args)];
        let run = interpreter.call("_table_answer_of", &args, &mut room, &limits);
        *steps = steps.saturating_sub(run.steps);
        matches!(run.end, RunEnd::Done(_)).then(|| room.answer.take())?
    };
    let is_shown = match action.show_if.as_str() {
        "" => true,
        function => !matches!(answer(function), Some(value) if value != HostValue::Bool(true)),
    };
    let name = match action.get_name.as_str() {
        "" => None,
        function => answer(function).and_then(|value| value.text().map(|text| plain(text, 80, ""))),
    };
    (is_shown, name.filter(|name| !name.is_empty()))
}

/// What an entry is chosen on.
pub(crate) struct EntryPlace<'a> {
    pub(crate) entry: usize,
    pub(crate) cards: &'a [TableCardId],
    pub(crate) pile: Option<PileId>,
    pub(crate) at: Option<(i32, i32)>,
}

/// S196: to the runner with its place, to others in short.
fn failure(name: &str, run: &ScriptRun) -> (String, String) {
    let RunEnd::Failed(error) = &run.end else {
        return (format!("{name} failed."), format!("{name} failed."));
    };
    let place = error.trace.iter().find(|place| &*place.file != PRELUDE_NAME);
    let place = place.map_or(String::new(), |place| {
        format!(" ({}, line {}, in {})", place.file, place.line, place.function)
    });
    let message = match error.message.is_empty() {
        true => error.class.clone(),
        false => format!("{}: {}", error.class, error.message),
    };
    let message: String = message.chars().take(300).collect();
    (
        format!("{name} failed: {message}{place}."),
        format!("{name} failed: {}.", error.class),
    )
}

impl<'k> ScriptRoom<'k> {
    fn new(
        kit: &'k Kit,
        scripts: &'k ScriptKit,
        state: TableState,
        seat: TableSeat,
        answers: &'k [ScriptAnswer],
        before: &'k [AskedScript],
    ) -> ScriptRoom<'k> {
        let seats = state.seats.len();
        let mut act = VerbAct::new(kit, state, seat);
        act.by_script = true;
        ScriptRoom {
            act,
            kit,
            scripts,
            seat,
            interpreters: (0..seats).map(|_| None).collect(),
            busy: vec![false; seats],
            answers,
            before,
            asked: Vec::new(),
            used: Vec::new(),
            changed: false,
            jobs: VecDeque::new(),
            jobs_run: 0,
            chain: 0,
            muted: false,
            steps: 0,
            bytes: 0,
            verbs: 0,
            lines: 0,
            text: 0,
            said: Vec::new(),
            refused: Vec::new(),
            looks: BTreeMap::new(),
            runner: seat,
            entry: super::OF_EVENTS,
            is_remote: false,
            for_others: BTreeMap::new(),
            told: std::collections::BTreeSet::new(),
            denied: None,
            is_blind: false,
            answer: None,
            aliases: BTreeMap::new(),
            given: BTreeMap::new(),
            first: BTreeMap::new(),
            knew: Vec::new(),
            is_loading: false,
            is_recorded: false,
            time: 0,
            name: String::new(),
        }
    }

    pub(crate) fn version(&self) -> ScriptVersion {
        self.scripts.version
    }

    pub(crate) fn state(&self) -> &TableState {
        &self.act.s
    }

    pub(super) fn kit_scripts(&self) -> &ScriptKit {
        self.scripts
    }

    // ---- jobs -----------------------------------------------------------------------------------

    /// The jobs of the entry itself (S172).
    fn begin(&mut self, run: &WaitingRun) {
        if !run.events.is_empty() {
            for event in &run.events {
                self.fire(event, run.by, false);
            }
            if run.instead.is_some() {
                // Whether it fails is known to who does the verb without it (S145).
                for job in &mut self.jobs {
                    job.is_own = false;
                }
            }
            if run.entry == super::OF_EVENTS {
                return;
            }
        }
        let action = &self.kit.actions[usize::from(run.entry)].definition;
        let function = action.execute.to_string();
        let takes = self.scripts.functions.get(&function).copied().unwrap_or(0);
        let at = run.at.map_or_else(Vec::new, |(x, y)| {
            vec![HostValue::Float(f64::from(x)), HostValue::Float(f64::from(y))]
        });
        let cards: Vec<HostValue> = run.cards.iter().map(|id| self.card(*id)).collect();
        let group = run.pile.map_or(CardGroup::Table, CardGroup::Pile);
        let calls: Vec<HostValue> = match (action.of_card, action.batch) {
            (true, true) => vec![HostValue::List(cards)],
            (true, false) => cards,
            (false, _) => vec![Thing::Group(group).value()],
        };
        for first in calls {
            let mut args = vec![first];
            args.extend(at.iter().cloned());
            args.truncate(takes);
            self.jobs.push_back(Job {
                seat: run.by,
                function: function.clone(),
                args,
                chain: 0,
                is_own: false,
                muted: false,
                is_remote: false,
            });
        }
    }

    fn go(&mut self) -> Result<(), JobStop> {
        while let Some(job) = self.jobs.pop_front() {
            self.muted = false;
            self.job(&job)?;
        }
        Ok(())
    }

    /// Runs one job.
    fn job(&mut self, job: &Job) -> Result<(), JobStop> {
        self.jobs_run += 1;
        if self.jobs_run > RunLimits::JOBS || job.chain > RunLimits::CHAIN {
            return Err(JobStop::Over("it triggered too many events".to_owned()));
        }
        let seat = job.seat;
        let Some(mut interpreter) = self.interpreter_of(seat) else {
            return Ok(());
        };
        let undo = job.is_own.then(|| {
            (
                self.act.s.clone(),
                self.act.events.len(),
                interpreter.clone(),
                self.jobs.clone(),
                (self.act.made, self.act.gone, self.act.learned.len()),
                self.for_others.get(&seat).map_or(0, |done| done.lines.len()),
            )
        });
        let (was, chain, muted) = (self.seat, self.chain, self.muted);
        let remote = std::mem::replace(&mut self.is_remote, job.is_remote && seat != self.runner);
        (self.seat, self.act.seat, self.chain) = (seat, seat, job.chain);
        self.muted = job.muted;
        self.busy[seat.index()] = true;
        let limits = ScriptLimits {
            steps: ScriptLimits::RUN.steps.saturating_sub(self.steps),
            bytes: ScriptLimits::RUN.bytes.saturating_sub(self.bytes),
            ..ScriptLimits::RUN
        };
        let run = interpreter.call(&job.function, &job.args, self, &limits);
        self.steps += run.steps;
        self.bytes += run.bytes;
        self.busy[seat.index()] = false;
        (self.seat, self.act.seat, self.chain, self.muted) = (was, was, chain, muted);
        self.is_remote = remote;
        for line in run.output.lines().take(20) {
            // S14: what is printed is for whoever runs it.
            self.tell(LookerSet::of(seat), &format!("(debug) {line}"));
        }
        match run.end {
            RunEnd::Done(_) => {
                self.interpreters[seat.index()] = Some(interpreter);
                Ok(())
            }
            RunEnd::Stopped(RunStop::Ask) => Err(JobStop::Ask),
            RunEnd::Stopped(stop) => Err(JobStop::Over(stop_words(&stop))),
            RunEnd::Failed(_) => match undo {
                None => Err(JobStop::Failed(run)),
                Some((state, events, interpreter, jobs, (made, gone, learned), lines)) => {
                    self.act.s = state;
                    (self.act.made, self.act.gone) = (made, gone);
                    self.act.learned.truncate(learned);
                    if let Some(done) = self.for_others.get_mut(&seat) {
                        done.lines.truncate(lines.max(done.agreed));
                    }
                    self.act.events.truncate(events);
                    self.said.retain(|at| *at < events);
                    self.jobs = jobs;
                    self.interpreters[seat.index()] = Some(interpreter);
                    let function = match job.args.first() {
                        Some(HostValue::Text(function)) if job.function == "_table_fire" => function,
                        _ => &job.function,
                    };
                    let words = failure(function, &run).0;
                    let to = LookerSet::of(seat) | LookerSet::of(was);
                    self.tell(to, &format!("{words} The rest stands."));
                    Ok(())
                }
            },
        }
    }

    /// The interpreter of a seat, out of the copy of the table; nothing while it runs.
    fn interpreter_of(&mut self, seat: TableSeat) -> Option<Interpreter> {
        if *self.busy.get(seat.index())? {
            return None;
        }
        let own = self.interpreters[seat.index()].take();
        own.or_else(|| Some(self.act.s.scripts.seats.get(seat.index())?.interpreter.clone()))
    }

    /// A moment at which other seats' jobs go on (S182).
    pub(crate) fn yields(&mut self) -> Flow<()> {
        while let Some(at) = self.jobs.iter().position(|job| !self.busy[job.seat.index()]) {
            let Some(job) = self.jobs.remove(at) else { break };
            match self.job(&job) {
                Ok(()) => {}
                Err(JobStop::Ask) => return Err(HostStop::Ask),
                Err(JobStop::Over(words)) => return Err(HostStop::End(words)),
                Err(JobStop::Failed(_)) => {
                    return Err(HostStop::End("another seat's part failed".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Lets the functions that want to hear of an event be called, the actor's first (S142, S186).
    pub(crate) fn fire(&mut self, event: &ScriptEvent, by: TableSeat, by_script: bool) {
        let (functions, all) = event.heard_by(self.scripts, by_script);
        let others = self.act.s.seat_ids().filter(|seat| all && *seat != by);
        let seats: Vec<TableSeat> = std::iter::once(by).chain(others).collect();
        let me = self.seat;
        for function in functions {
            for seat in &seats {
                // Each seat holds cards by its own right.
                self.seat = *seat;
                let (values, old) = self.values_of(event, by, by_script);
                let third = self.version() == ScriptVersion::Third;
                let takes = self.scripts.functions.get(function).copied().unwrap_or(0);
                let (called, mut args) = if third && !values.is_empty() && takes > 0 {
                    let dict = values
                        .into_iter()
                        .map(|(name, value)| (super::thing::text(name), value));
                    let dict = HostValue::Dict(dict.collect());
                    ("_table_fire", vec![super::thing::text(function), dict])
                } else if third {
                    (function, Vec::new())
                } else {
                    (function, old)
                };
                if !third {
                    args.truncate(takes);
                }
                self.jobs.push_back(Job {
                    seat: *seat,
                    function: called.to_owned(),
                    args,
                    chain: self.chain.saturating_add(1),
                    is_own: true,
                    muted: false,
                    is_remote: false,
                });
            }
        }
        self.seat = me;
    }

    /// Tells what one of the run's own verbs has changed.
    fn fire_since(&mut self, before: &TableState) {
        if self.scripts.events.is_empty() {
            return;
        }
        for event in super::happened(self.kit, before, &self.act.s) {
            self.fire(&event, self.seat, true);
        }
    }

    /// S183: calls a function at another seat, once this one waits or has finished.
    pub(crate) fn call_at(&mut self, seat: TableSeat, function: &str, args: Vec<HostValue>) {
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        let refused = [
            "eval",
            "execfile",
            "open",
            "webRead",
            "webPost",
            "globals",
            "setSetting",
            "getSetting",
        ];
        if !function.chars().all(plain) || function.starts_with("_table") || refused.contains(&function) {
            self.refused_because(format!("a call of {function} at another seat"));
            return;
        }
        let args = args.into_iter().map(|one| self.handed(one, seat)).collect();
        self.jobs.push_back(Job {
            is_remote: true,
            seat,
            function: function.to_owned(),
            args,
            chain: self.chain.saturating_add(1),
            is_own: true,
            muted: self.muted,
        });
    }

    // ---- consent --------------------------------------------------------------------------------

    /// Another seat's entry did this for the seat whose job runs; `asks`: it may not without
    /// being asked (S185).
    fn did(&mut self, words: Vec<String>, asks: bool) {
        if self.kit_asks_nobody() {
            return;
        }
        let done = self.for_others.entry(self.seat).or_default();
        done.lines.extend(words);
        done.asks |= asks;
    }

    fn kit_asks_nobody(&self) -> bool {
        let s = &self.act.s;
        let always = (self.seat, self.runner, self.entry);
        s.settings.solo || s.settings.remote == RemoteRule::Free || s.scripts.allowed.contains(&always)
    }

    /// A job that another seat's entry called for reads what a card is: if the runner does not know that, the
    /// seat has to agree (S185).
    pub(crate) fn tells(&mut self, id: TableCardId) {
        if !self.is_remote || self.act.s.knows(self.kit, self.runner, id) {
            return;
        }
        if self.told.insert((self.seat, id)) {
            let name = match self.act.s.knows(self.kit, self.seat, id) {
                true => {
                    let card = self.act.s.card(id);
                    self.kit.name(&card.model, card.form).to_owned()
                }
                false => "a card".to_owned(),
            };
            let group = self.whole_name(self.act.s.card(id).group);
            self.did(vec![format!("read {name} of {group}")], true);
        }
    }

    /// Lets every seat but this one agree to what was done for it, where it has to (S185).
    fn settle(&mut self, but: Option<TableSeat>) -> Flow<()> {
        const MOST: usize = 12;
        let waiting: Vec<TableSeat> = self
            .for_others
            .iter()
            .filter(|(seat, done)| done.asks && Some(**seat) != but)
            .map(|(seat, _)| *seat)
            .collect();
        for seat in waiting {
            let Some(done) = self.for_others.get(&seat) else {
                continue;
            };
            let (agreed, all) = (done.agreed, done.lines.len());
            let mut words = vec![format!(
                "{}'s “{}” would for you:",
                self.act.s.seat(self.runner).name,
                self.name
            )];
            words.extend(
                done.lines[agreed..]
                    .iter()
                    .take(MOST)
                    .map(|line| plain(line, 200, "…")),
            );
            if all - agreed > MOST {
                words.push(format!("and {} things more", all - agreed - MOST));
            }
            words.push("Do you allow it?".to_owned());
            let mut choices = vec!["Yes", "No"];
            if self.entry != super::OF_EVENTS {
                choices.push("Always for this entry");
            }
            let question = ScriptQuestion::Choice {
                text: words.join("\n"),
                choices: choices
                    .into_iter()
                    .map(|choice| (choice.to_owned(), None))
                    .collect(),
                buttons: Vec::new(),
            };
            match self.put(seat, question)? {
                ScriptAnswer::Number(1) => {}
                ScriptAnswer::Number(3) => {
                    let always = (seat, self.runner, self.entry);
                    self.act.s.scripts.allowed.push(always);
                    self.act.s.scripts.allowed.sort_unstable();
                }
                _ => {
                    self.denied = Some(seat);
                    return Err(HostStop::Ask);
                }
            }
            if let Some(done) = self.for_others.get_mut(&seat) {
                (done.agreed, done.asks) = (all, false);
            }
        }
        Ok(())
    }

    // ---- the end --------------------------------------------------------------------------------

    /// The table with all that the run has done.
    fn finished(mut self, chance: Chance, rights: Rights) -> VerbAct<'k> {
        self.act.drew = matches!(self.act.s.chance, Chance::Seeded { position, .. } if position > 0);
        self.act.s.chance = chance;
        self.act.s.settings.rights = rights;
        for (at, interpreter) in std::mem::take(&mut self.interpreters).into_iter().enumerate() {
            if let Some(interpreter) = interpreter {
                let scripts = SeatScripts::of(interpreter);
                self.keep_held(TableSeat::at(at), &scripts.interpreter);
                self.act.s.scripts.seats[at] = scripts;
            }
        }
        // S50: who knows a card at the end reads its name.
        for at in std::mem::take(&mut self.said) {
            let mut pieces = std::mem::take(&mut self.act.events[at].pieces);
            for piece in &mut pieces {
                if let Piece::Card { to, card, .. } = piece
                    && self.act.s.is_there(*card)
                {
                    *to |= self.act.s.known(self.kit, *card);
                }
            }
            self.act.events[at].pieces = pieces;
        }
        let looks = std::mem::take(&mut self.looks);
        for ((seat, group), cards) in looks {
            self.act.learned.push((LookerSet::of(seat), group, cards.len()));
            let whose = &self.act.s.seat(seat).name;
            let words = format!(
                "{whose}'s {} looked at {} of {}",
                self.name,
                count_of(cards.len()),
                self.whole_name(group)
            );
            self.line(LookerSet::ALL, "look", SentenceWords::new(words));
        }
        let refused = std::mem::take(&mut self.refused);
        for words in refused.iter().take(10) {
            self.tell(LookerSet::of(self.seat), &format!("Not done: {words}"));
        }
        if self.act.drew {
            let words = format!("{} drew by chance", self.name);
            self.line(LookerSet::ALL, "random", SentenceWords::new(words));
        }
        self.act
    }

    /// The name of a group for everybody.
    fn whole_name(&self, group: CardGroup) -> String {
        match group {
            CardGroup::Table => "the table".to_owned(),
            CardGroup::Pile(pile) => {
                let found = self.act.s.pile(pile);
                let name = &found.kind(self.kit).name;
                match found.owner {
                    Some(owner) => format!("{}'s {name}", self.act.s.seat(owner).name),
                    None => name.clone(),
                }
            }
        }
    }

    /// What seats would have learned so far (S181).
    fn seen(&self, before: &TableState) -> Vec<(LookerSet, CardGroup, u32)> {
        let mut seen: Vec<(LookerSet, CardGroup, u32)> = Vec::new();
        let looks = self.looks.iter();
        let looks = looks.map(|((seat, group), cards)| (LookerSet::of(*seat), *group, cards.len()));
        let learned = crate::table::learned(self.kit, before, &self.act.s);
        // Nobody but who is asked has seen it.
        let asked = self.asked.iter();
        let asked = asked.fold(LookerSet::NONE, |eyes, asked| eyes | LookerSet::of(asked.seat));
        for (eyes, group, count) in looks.chain(learned) {
            if !(eyes & asked).is_empty() {
                seen.push((eyes & asked, group, crate::count::short(count)));
            }
        }
        seen
    }

    // ---- what scripts say -----------------------------------------------------------------------

    fn line(&mut self, to: LookerSet, kind: &'static str, words: SentenceWords) {
        self.act.events.push(TableEvent {
            by: Some(self.seat),
            kind,
            to,
            pieces: words.pieces(),
        });
    }

    fn tell(&mut self, to: LookerSet, text: &str) {
        let text = plain(text, 500, "…");
        self.line(to, "script", SentenceWords::new(text));
    }

    /// S45–S51: a line of the script; `{#n}` stands for a card.
    pub(crate) fn say(&mut self, to: LookerSet, text: &str) -> Flow {
        if self.is_loading {
            return Err(raise(
                ExceptionKind::ImportError,
                "scripts say nothing while they are loaded",
            ));
        }
        self.lines += 1;
        self.text += text.len();
        if self.lines > RunLimits::LINES || self.text > RunLimits::TEXT {
            return Err(HostStop::End("it wanted to write too much".to_owned()));
        }
        let long = text.chars().count() > 500;
        let mut text = plain(text, 499, "");
        if long {
            text.push('…');
        }
        let words = self.worded(&text);
        self.said.push(self.act.events.len());
        self.line(to, "script", words);
        if self.is_remote {
            let said = self
                .act
                .events
                .last()
                .and_then(|event| event.read_by(self.seat.into()));
            self.did(
                said.map(|said| format!("say: {said}")).into_iter().collect(),
                false,
            );
        }
        Ok(HostValue::None)
    }

    /// A text with the cards and names that its braces stand for (S50).
    fn worded(&self, text: &str) -> SentenceWords {
        let mut words = SentenceWords::new("");
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            words = words.text(&rest[..at]);
            let inside = rest[at..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
            match inside {
                Some((inside, after)) if !inside.contains('{') => {
                    let number = inside.strip_prefix('#').and_then(|number| number.parse().ok());
                    let thing = number.and_then(|number| Thing::of(HostHandle(number)));
                    words = match thing {
                        Some(Thing::Card(number)) => match self.resolve(number) {
                            Some(id) => {
                                let mut named = self.act.seen(id);
                                named.to |= self.knew.get(id.index()).copied().unwrap_or(LookerSet::NONE);
                                words.card(&named)
                            }
                            None => words.text("a card"),
                        },
                        Some(thing) => words.text(self.plain_text(thing)),
                        None if inside == "me" => words.text(&*self.act.s.seat(self.seat).name),
                        None => words.text(inside),
                    };
                    rest = after;
                }
                _ => rest = &rest[at + 1..],
            }
        }
        words.text(rest)
    }

    /// How an object that is no card is written.
    pub(crate) fn plain_text(&self, thing: Thing) -> String {
        let s = &self.act.s;
        match thing {
            Thing::Card(number) | Thing::Markers(number) | Thing::Properties(number) => {
                format!("Card({number})")
            }
            Thing::NoCard => "Card(-1)".to_owned(),
            Thing::Player(None) | Thing::Piles(None) | Thing::Counters(None) => "the table".to_owned(),
            Thing::Player(Some(seat)) | Thing::Piles(Some(seat)) | Thing::Counters(Some(seat)) => s
                .seats
                .get(seat.index())
                .map_or(String::new(), |seat| seat.name.to_string()),
            Thing::Group(CardGroup::Table) => "Table".to_owned(),
            Thing::Group(CardGroup::Pile(pile)) => s
                .piles
                .get(pile.index())
                .map_or(String::new(), |pile| pile.kind(self.kit).name.clone()),
            Thing::Counter(seat, counter) => {
                let kinds = match seat {
                    Some(_) => self.kit.counters(),
                    None => self.kit.shared_counters(),
                };
                kinds
                    .get(usize::from(counter))
                    .map_or(String::new(), |kind| kind.name.to_string())
            }
        }
    }

    pub(crate) fn mute(&mut self, on: bool) {
        self.muted = on;
    }

    // ---- verbs ----------------------------------------------------------------------------------

    /// Does a verb of the seat on the copy. One that is refused does nothing and is named at the
    /// end (S187, S188).
    pub(crate) fn verb(&mut self, verb: &TableVerb) -> Flow<bool> {
        if self.is_loading {
            return Err(raise(
                ExceptionKind::ImportError,
                "scripts do nothing while they are loaded",
            ));
        }
        self.verbs += 1;
        if self.verbs > RunLimits::VERBS {
            return Err(HostStop::End(format!(
                "it wanted to do more than {} things",
                RunLimits::VERBS
            )));
        }
        if self.is_beyond_reach(verb) {
            self.refuse(&VerbRefusal::NotYours);
            return Ok(false);
        }
        let before = self.act.s.clone();
        let (told, made, gone) = (self.act.events.len(), self.act.made, self.act.gone);
        let refusal = match self.act.perform(verb) {
            Ok(()) => {
                let learned = crate::table::learned(self.kit, &before, &self.act.s);
                self.act.learned.extend(learned);
                self.act.s.refresh_handles(self.kit);
                if self.is_remote {
                    let me = self.seat;
                    let told = self.act.events[told..].iter();
                    let words = told.filter_map(|event| event.read_by(me.into())).collect();
                    let asks = needs_consent(self.kit, &before, &self.act.s, me);
                    self.did(words, asks);
                }
                if self.muted {
                    self.fold(told);
                }
                for (seat, piles) in std::mem::take(&mut self.act.loaded) {
                    self.fire(&ScriptEvent::DeckLoaded(piles), seat, true);
                }
                self.fire_since(&before);
                return Ok(true);
            }
            Err(refusal) => refusal,
        };
        self.act.s = before;
        self.act.events.truncate(told);
        (self.act.made, self.act.gone) = (made, gone);
        self.act.loaded.clear();
        self.refuse(&refusal);
        Ok(false)
    }

    /// Where scripts act on their seat's own things only, marks and counters of others are beyond
    /// their reach (S189).
    fn is_beyond_reach(&self, verb: &TableVerb) -> bool {
        if self.act.s.settings.reach == ScriptReach::Public {
            return false;
        }
        let cards = match verb {
            TableVerb::Counter { of, .. } => return of.is_some_and(|seat| seat != self.seat),
            TableVerb::Marker { cards, .. }
            | TableVerb::Highlight { cards, .. }
            | TableVerb::Filter { cards, .. }
            | TableVerb::Target { cards, .. }
            | TableVerb::Take { cards } => cards,
            _ => return false,
        };
        cards.cards.iter().any(|card| match card {
            CardAt::Card(id) => self
                .act
                .s
                .card(*id)
                .controller
                .is_some_and(|seat| seat != self.seat),
            CardAt::Handle(_) | CardAt::Place(_) => false,
        })
    }

    pub(crate) fn refuse(&mut self, refusal: &VerbRefusal) {
        self.refused_because(refusal.to_string());
    }

    pub(crate) fn refused_because(&mut self, words: String) {
        if !self.refused.contains(&words) {
            self.refused.push(words);
        }
    }

    /// S44: the table's own lines are not shown, but for looks, reveals, chance and control.
    fn fold(&mut self, from: usize) {
        const KEPT: [&str; 10] = [
            "look", "peek", "reveal", "random", "viewers", "control", "ask", "roll", "cease", "shuffle",
        ];
        let mut at = 0;
        self.act.events.retain(|event| {
            at += 1;
            at <= from || KEPT.contains(&event.kind)
        });
    }

    /// The verb's way to name one card.
    pub(crate) fn named(&self, id: TableCardId) -> VerbCards {
        VerbCards {
            group: self.act.s.card(id).group,
            cards: vec![CardAt::Card(id)],
        }
    }

    // ---- cards ----------------------------------------------------------------------------------

    /// The object of a card for the seat whose job runs.
    pub(crate) fn card(&mut self, id: TableCardId) -> HostValue {
        Thing::Card(self.number(id)).value()
    }

    pub(crate) fn number(&mut self, id: TableCardId) -> u32 {
        let now = self.number_now(id);
        self.given.insert(now, id);
        let first = self.first.get(&(self.seat, id)).copied();
        if let Some(first) = first.filter(|first| self.resolve(*first) == Some(id)) {
            return first;
        }
        self.first.insert((self.seat, id), now);
        now
    }

    /// The card that a number means to the seat whose job runs; nothing if the seat has lost it (S221, S222).
    pub(crate) fn resolve(&self, number: u32) -> Option<TableCardId> {
        if number == 0 {
            return None;
        }
        let s = &self.act.s;
        let now = s.scripts.numbers.of.iter().position(|own| *own == number);
        if let Some(at) = now {
            // A number that the seat was never given says nothing.
            return Some(TableCardId::at(at)).filter(|id| s.is_there(*id) && self.follows(*id));
        }
        if let Some(id) = self.given.get(&number) {
            let alias = self.aliases.get(id);
            let same = alias.is_some_and(|alias| *alias == (number, s.scripts.number(*id)));
            return Some(*id).filter(|id| s.is_there(*id) && (same || self.follows(*id)));
        }
        let id = s.by_handle(self.seat.into(), self.held(number)?.handle)?;
        s.is_there(id).then_some(id)
    }

    /// What the seat's scripts have held under this number since another run.
    fn held(&self, number: u32) -> Option<&HeldCard> {
        let mut held = self.act.s.scripts.held.iter();
        held.find(|held| held.seat == self.seat && held.number == number)
    }

    /// Where a card lay that the seat has lost since; nothing if this is none (S222).
    pub(crate) fn lost_in(&self, thing: Thing) -> Option<CardGroup> {
        let (Thing::Card(number) | Thing::Markers(number) | Thing::Properties(number)) = thing else {
            return None;
        };
        let held = self.held(number).filter(|held| held.handle == 0)?;
        self.resolve(number).is_none().then_some(held.group)
    }

    /// S222: no verb reaches a card that the seat has lost.
    fn refuses_lost(&mut self, thing: Option<Thing>) -> bool {
        let lost = thing.is_some_and(|thing| self.lost_in(thing).is_some());
        if lost {
            self.refused_because("a card that cannot be followed any more".to_owned());
        }
        lost
    }

    /// Whether the seat can tell a card from others, or may look which it is.
    fn follows(&self, id: TableCardId) -> bool {
        self.act.s.handle(self.seat.into(), id) != 0 || self.may_look(id)
    }

    /// The number of a card for the seat whose job runs: its own for as long as the seat can follow it, else
    /// one that means it in this run only (S220, S223).
    pub(crate) fn number_now(&mut self, id: TableCardId) -> u32 {
        let number = self.act.s.scripts.number(id);
        if self.follows(id) {
            return number;
        }
        if let Some((alias, of)) = self.aliases.get(&id)
            && *of == number
        {
            return *alias;
        }
        let alias = self.act.s.new_number();
        self.aliases.insert(id, (alias, number));
        self.given.insert(alias, id);
        alias
    }

    /// An object as another seat's scripts know it: cards by that seat's numbers (S223).
    fn handed(&mut self, value: HostValue, to: TableSeat) -> HostValue {
        let list = |room: &mut Self, all: Vec<HostValue>| -> Vec<HostValue> {
            all.into_iter().map(|one| room.handed(one, to)).collect()
        };
        match value {
            HostValue::Object(handle) => match Thing::of(handle) {
                Some(Thing::Card(number)) => match self.resolve(number) {
                    Some(id) => {
                        let me = std::mem::replace(&mut self.seat, to);
                        let card = self.card(id);
                        self.seat = me;
                        card
                    }
                    None => Thing::NoCard.value(),
                },
                Some(Thing::Player(_) | Thing::Group(_) | Thing::Counter(..)) => HostValue::Object(handle),
                _ => super::thing::text(self.text(handle, HostForm::Text)),
            },
            HostValue::List(all) => HostValue::List(list(self, all)),
            HostValue::Tuple(all) => HostValue::Tuple(list(self, all)),
            HostValue::Generator(all) => HostValue::List(list(self, all)),
            HostValue::Dict(all) => {
                let pairs = all
                    .into_iter()
                    .map(|(key, value)| (self.handed(key, to), self.handed(value, to)));
                HostValue::Dict(pairs.collect())
            }
            HostValue::Function(_) | HostValue::Method(_) => super::thing::text("function"),
            HostValue::Script(name) => HostValue::Text(name),
            plain => plain,
        }
    }

    /// What a seat's scripts hold at the end of a run goes on meaning those cards (S221).
    fn keep_held(&mut self, seat: TableSeat, scripts: &Interpreter) {
        self.seat = seat;
        let cards = scripts
            .held()
            .into_iter()
            .filter_map(|handle| match Thing::of(handle)? {
                Thing::Card(number) | Thing::Markers(number) | Thing::Properties(number) => Some(number),
                _ => None,
            });
        let mut held: Vec<HeldCard> = Vec::new();
        for number in cards {
            if let Some(id) = self.resolve(number) {
                held.push(HeldCard {
                    seat,
                    number,
                    // One that it cannot follow was meant in that run only (S223).
                    handle: self.act.s.handle(seat.into(), id),
                    card: id,
                    group: self.act.s.card(id).group,
                });
            } else if let Some(lost) = self.held(number) {
                held.push(lost.clone());
            }
        }
        let all = &mut self.act.s.scripts.held;
        all.retain(|held| held.seat != seat);
        all.extend(held);
        all.sort_unstable();
        all.dedup();
    }

    /// Whether the seat may look at a card where it lies without asking anybody (S192). Control is
    /// not sight (D106).
    pub(crate) fn may_look(&self, id: TableCardId) -> bool {
        let card = self.act.s.card(id);
        match card.group {
            CardGroup::Table => card.owner == Some(self.seat) && card.controller == Some(self.seat),
            CardGroup::Pile(pile) => {
                let pile = self.act.s.pile(pile);
                pile.owner == Some(self.seat)
                    || pile.granted.has(self.seat)
                    || pile.protection == crate::Protection::Free
            }
        }
    }

    /// A face read (S191–S194): what the card is, or nothing if the seat may not know.
    pub(crate) fn face(&mut self, id: TableCardId) -> Option<(TableModel, u8)> {
        self.tells(id);
        let card = self.act.s.card(id);
        let face = (card.model.clone(), card.form);
        if self.act.s.knows(self.kit, self.seat, id) {
            return Some(face);
        }
        if self.is_loading || self.is_blind || !self.may_look(id) {
            return None;
        }
        // A face-down card that the seat laid down knowing it is no news to it.
        if card.group == CardGroup::Table && card.seen.has(self.seat) {
            return Some(face);
        }
        let cards = self.looks.entry((self.seat, card.group)).or_default();
        if !cards.contains(&id) {
            cards.push(id);
        }
        // F157: it has been seen.
        let seat = self.seat;
        self.act.s.card_mut(id).seen |= LookerSet::of(seat);
        Some(face)
    }

    /// S224: where an own card lies in a hidden ordered pile is a look at that pile, if the seat cannot
    /// follow the card.
    pub(crate) fn looks_at_place(&mut self, id: TableCardId) {
        let group = self.act.s.card(id).group;
        let CardGroup::Pile(pile) = group else { return };
        let ordered = self.act.s.pile(pile).kind(self.kit).ordered;
        let follows = self.act.s.handle(self.seat.into(), id) != 0;
        if ordered && !follows && !self.is_blind() && self.may_look(id) {
            let cards = self.looks.entry((self.seat, group)).or_default();
            if !cards.contains(&id) {
                cards.push(id);
            }
        }
    }

    // ---- questions ------------------------------------------------------------------------------

    /// Asks the seat whose job runs; without an answer the run ends here (S176).
    pub(crate) fn ask(&mut self, question: ScriptQuestion) -> Flow<ScriptAnswer> {
        if self.is_loading {
            return Err(raise(
                ExceptionKind::ImportError,
                "scripts ask nothing while they are loaded",
            ));
        }
        if self.is_blind {
            return Err(HostStop::Ask);
        }
        self.yields()?;
        // What another seat reads of the table as it would be is hidden until that seat agrees.
        self.settle(Some(self.seat))?;
        self.put(self.seat, question)
    }

    /// Puts a question to a seat.
    fn put(&mut self, seat: TableSeat, question: ScriptQuestion) -> Flow<ScriptAnswer> {
        let at = self.asked.len();
        if at >= RunLimits::QUESTIONS {
            return Err(HostStop::End("it asked too many questions".to_owned()));
        }
        let asked = AskedScript { seat, question };
        let answer = self.answers.get(at);
        if answer.is_some() && self.before.get(at) != Some(&asked) {
            self.changed = true;
            return Err(HostStop::Ask);
        }
        let away = !self.act.s.seat(seat).present;
        self.asked.push(asked);
        let answer = match answer {
            Some(answer) => answer.clone(),
            // S184: who is away shuts every window.
            None if away && !self.act.s.settings.solo => ScriptAnswer::Closed,
            None => return Err(HostStop::Ask),
        };
        self.used.push(answer.clone());
        Ok(answer)
    }

    /// A number from the chance of the run.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.act.s.chance.below(bound.max(1), &[])
    }

    pub(crate) fn is_blind(&self) -> bool {
        self.is_blind || self.is_loading
    }

    pub(crate) fn loading(&self) -> bool {
        self.is_loading
    }
}

/// A function of the interface.
pub(crate) type Global = fn(&mut ScriptRoom<'_>, &Args<'_>) -> Flow;
/// A method of an object.
pub(crate) type Method = fn(&mut ScriptRoom<'_>, Thing, &Args<'_>) -> Flow;

/// All functions: their places are what interpreters know them by.
pub(super) fn globals() -> impl Iterator<Item = &'static (&'static str, Global)> {
    super::ask::GLOBALS.iter().chain(super::people::GLOBALS)
}

pub(super) fn methods() -> impl Iterator<Item = &'static (ThingKind, &'static str, Method)> {
    let groups = super::groups::METHODS.iter();
    super::cards::METHODS
        .iter()
        .chain(groups)
        .chain(super::people::METHODS)
}

impl ScriptHost for ScriptRoom<'_> {
    fn names(&mut self) -> Vec<(String, HostValue)> {
        let functions = (0..).zip(globals());
        let mut names: Vec<(String, HostValue)> = functions
            .map(|(at, (name, _))| ((*name).to_owned(), HostValue::Function(at)))
            .collect();
        names.extend(self.first_names());
        names
    }

    fn call(&mut self, function: u16, args: &[HostValue], named: &[(String, HostValue)]) -> Flow {
        let at = usize::from(function);
        let count = globals().count();
        if self.is_recorded {
            self.record_call(at, args, named);
        }
        if let Some((_, function)) = globals().nth(at) {
            return function(self, &Args { at: args, named });
        }
        let found = methods().nth(at - count);
        let (Some((_, _, method)), Some((own, rest))) = (found, args.split_first()) else {
            return Err(type_error("nothing to call"));
        };
        let thing = Thing::in_value(own).ok_or_else(|| type_error("nothing to call it on"))?;
        if self.refuses_lost(Some(thing)) {
            return Ok(HostValue::None);
        }
        method(self, thing, &Args { at: rest, named })
    }

    fn attribute(&mut self, object: HostHandle, name: &str) -> Result<Option<HostValue>, HostStop> {
        let Some(thing) = Thing::of(object) else {
            return Ok(None);
        };
        if let Some(value) = self.property_of(thing, name)? {
            return Ok(Some(value));
        }
        let kind = thing.kind();
        let found = methods().position(|(own, method, _)| *own == kind && *method == name);
        let at = found.map(|at| globals().count() + at);
        Ok(at.and_then(|at| u16::try_from(at).ok()).map(HostValue::Method))
    }

    /// S74: measures are numbers that can be called too; of all cards by the name of their class.
    fn method(&mut self, object: Option<HostHandle>, name: &str) -> Option<u16> {
        const MEASURES: [&str; 3] = ["width", "height", "size"];
        let at = match object {
            None => globals().position(|(own, _)| own.strip_prefix("_table_default_") == Some(name)),
            Some(handle) => {
                let kind = Thing::of(handle)?.kind();
                if kind != ThingKind::Card || !MEASURES.contains(&name) {
                    return None;
                }
                let found = methods().position(|(own, method, _)| *own == kind && *method == name);
                found.map(|at| globals().count() + at)
            }
        };
        at.and_then(|at| u16::try_from(at).ok())
    }

    fn set_attribute(&mut self, object: HostHandle, name: &str, value: HostValue) -> Result<bool, HostStop> {
        if self.is_recorded {
            self.record_set(object, name, &value);
        }
        if self.refuses_lost(Thing::of(object)) {
            return Ok(true);
        }
        match Thing::of(object) {
            Some(Thing::Card(number)) => self.set_card(number, name, &value),
            Some(Thing::Group(group)) => self.set_group(group, name, &value),
            Some(Thing::Player(seat)) => self.set_player(seat, name, &value),
            Some(Thing::Counter(seat, counter)) => self.set_counter(seat, counter, name, &value),
            _ => Ok(false),
        }
    }

    fn item(&mut self, object: HostHandle, index: &HostValue) -> Flow {
        match Thing::of(object) {
            Some(Thing::Group(group)) => self.card_at(group, index),
            Some(Thing::Markers(number)) => self.marker_count(number, index),
            Some(Thing::Properties(number)) => self.property_item(number, index),
            Some(Thing::Piles(seat)) => self.pile_item(seat, index),
            Some(Thing::Counters(seat)) => self.counter_item(seat, index),
            _ => Err(type_error("object has no items")),
        }
    }

    fn set_item(
        &mut self,
        object: HostHandle,
        index: &HostValue,
        value: Option<HostValue>,
    ) -> Result<(), HostStop> {
        if self.is_recorded {
            self.record_item(object, index, value.as_ref());
        }
        if self.refuses_lost(Thing::of(object)) {
            return Ok(());
        }
        match Thing::of(object) {
            Some(Thing::Markers(number)) => self.set_marker(number, index, value.as_ref()),
            Some(Thing::Properties(number)) => match (index.text(), value) {
                (Some(name), Some(value)) => self.set_property(number, name, &value),
                _ => Err(type_error("a property has a name and a text")),
            },
            _ => Err(type_error("object does not support item assignment")),
        }
    }

    fn len(&mut self, object: HostHandle) -> Result<Option<usize>, HostStop> {
        Ok(match Thing::of(object) {
            Some(Thing::Group(group)) => Some(self.act.s.of_group(group).len()),
            Some(Thing::Markers(_) | Thing::Piles(_) | Thing::Counters(_)) => {
                self.items(object)?.map(|items| items.len())
            }
            _ => None,
        })
    }

    fn items(&mut self, object: HostHandle) -> Result<Option<Vec<HostValue>>, HostStop> {
        Ok(match Thing::of(object) {
            Some(Thing::Group(group)) => Some(self.cards_of(group)),
            Some(Thing::Markers(number)) => Some(self.markers_on(number)?),
            Some(Thing::Properties(_)) => Some(self.property_names()),
            Some(Thing::Piles(seat)) => Some(self.pile_names(seat)),
            Some(Thing::Counters(seat)) => Some(self.counter_names(seat)),
            _ => None,
        })
    }

    fn text(&mut self, object: HostHandle, form: HostForm) -> String {
        let Some(thing) = Thing::of(object) else {
            return "object".to_owned();
        };
        match (thing, form) {
            (Thing::Card(number), HostForm::Format) => format!("{{#{number}}}"),
            (Thing::Player(seat), HostForm::Repr) => {
                format!("Player({})", seat.map_or(0, |seat| seat.0 + 1))
            }
            (Thing::Group(CardGroup::Table), HostForm::Repr) => "table".to_owned(),
            (Thing::Group(CardGroup::Pile(pile)), HostForm::Repr) => {
                let owner = self.act.s.pile(pile).owner.map_or(0, |seat| seat.0 + 1);
                format!(
                    "Pile({}, '{}', Player({owner}))",
                    pile.0 + 1,
                    self.plain_text(thing)
                )
            }
            _ => self.plain_text(thing),
        }
    }

    fn type_name(&mut self, object: HostHandle) -> String {
        let name = match Thing::of(object) {
            Some(Thing::Card(_) | Thing::NoCard) => "Card",
            Some(Thing::Player(_)) => "Player",
            Some(Thing::Group(CardGroup::Table)) => "Table",
            Some(Thing::Group(CardGroup::Pile(_))) => "Pile",
            Some(Thing::Counter(..)) => "Counter",
            Some(Thing::Markers(_)) => "Markers",
            Some(Thing::Properties(_)) => "CardProperties",
            Some(Thing::Piles(_) | Thing::Counters(_)) => "idict",
            None => "object",
        };
        name.to_owned()
    }

    fn draw(&mut self) -> u64 {
        let high = self.below(u32::MAX);
        u64::from(high) << 32 | u64::from(self.below(u32::MAX))
    }

    fn now(&mut self) -> i64 {
        self.time
    }
}
