//! Entries of the package's menus that run its own scripts (S170–S181).

use super::{VerbAct, VerbResult};
use crate::event::{SentenceWords, cards as count_of};
use std::sync::Arc;

use crate::script::{
    EntryPlace, OF_EVENTS, RunOutcome, ScriptAnswer, ScriptEvent, ScriptKit, WaitingRun, asked_for, check,
    happened, perform, shown,
};
use crate::state::plain;
use crate::{
    LookerSet, PileId, ScriptRule, TableCardId, TableSeat, TableState, TableVerb, VerbCards, VerbRefusal,
};

impl VerbAct<'_> {
    /// Runs an entry of the package: its function gets the group or the cards (S171, S172).
    pub(crate) fn run(
        &mut self,
        verb: &TableVerb,
        entry: u16,
        cards: Option<&VerbCards>,
        pile: Option<PileId>,
        at: Option<(i32, i32)>,
        time: i64,
    ) -> VerbResult {
        let refused = |words: &str| Err(VerbRefusal::Script(words.to_owned()));
        let Some(scripts) = self
            .kit
            .scripts
            .as_ref()
            .filter(|_| !self.s.scripts.seats.is_empty())
        else {
            return refused("no scripts run at this table");
        };
        let found = self.kit.actions.get(usize::from(entry));
        let Some(action) = found.filter(|action| !action.definition.separator) else {
            return refused("the package has no such entry");
        };
        let function = &action.definition.execute;
        if !scripts.defines(function) {
            let words = format!(
                "“{}” calls {function}, which no script defines",
                action.definition.menu
            );
            return Err(VerbRefusal::Script(words));
        }
        if let Some(run) = self.s.runs.iter().find(|run| run.by == self.seat) {
            let words = format!("“{}” waits for an answer", self.entry_name(run.entry));
            return Err(VerbRefusal::Script(words));
        }
        let chosen: Vec<TableCardId> = match cards {
            Some(cards) if action.definition.of_card => {
                self.choose(cards)?.into_iter().map(|chosen| chosen.id).collect()
            }
            _ => Vec::new(),
        };
        if action.definition.of_card && chosen.is_empty() {
            return Err(VerbRefusal::NothingChosen("cards"));
        }
        if let Some(pile) = pile {
            self.check_pile(pile)?;
        }
        let pile = match &action.pile {
            Some(name) if !action.definition.of_card => {
                let is_it = |pile: &PileId| self.s.pile(*pile).kind(self.kit).written == *name;
                let own = || {
                    let all = (0..self.s.piles.len()).map(PileId::at);
                    all.filter(is_it)
                        .find(|pile| self.s.pile(*pile).owner.is_none_or(|owner| owner == self.seat))
                };
                let found = pile.filter(is_it).or_else(own);
                Some(found.ok_or(VerbRefusal::NothingChosen("pile"))?)
            }
            _ => None,
        };
        // S202: what is not shown is not chosen by a key either.
        let on = EntryPlace {
            entry: usize::from(entry),
            cards: &chosen,
            pile,
            at,
        };
        let mut steps = cw_script::ScriptLimits::MENU.steps;
        if !shown(self.kit, scripts, &self.s, self.seat, &on, &mut steps).0 {
            let words = format!("the package does not offer “{}” now", self.entry_name(entry));
            return Err(VerbRefusal::Script(words));
        }
        let lines = scripts.lines;
        if let Some(others) = self.scripts_wait_for() {
            self.s.scripts.agreed |= LookerSet::of(self.seat);
            let what = format!(
                "let the package's scripts run: {lines} lines, which can do nothing outside the table"
            );
            return self.ask(others, verb, &what);
        }
        let mut run = self.new_run(entry, Vec::new(), time);
        (run.cards, run.pile, run.at) = (chosen, pile, at);
        self.go_on(run);
        Ok(())
    }

    /// Who has not agreed yet that scripts run, where that is asked (S170).
    fn scripts_wait_for(&self) -> Option<LookerSet> {
        if self.s.settings.scripts != ScriptRule::Ask || self.s.settings.solo || self.agreed {
            return None;
        }
        let others = self.s.others_present(self.seat) - self.s.scripts.agreed;
        (!others.is_empty()).then_some(others)
    }

    /// The scripts, if they run here.
    pub(crate) fn running(&self) -> Option<&ScriptKit> {
        let kit = self.kit.scripts.as_ref()?;
        let all = self.s.settings.scripts != ScriptRule::Ask || self.s.settings.solo;
        let agreed = all || self.s.others_present(self.seat).within(self.s.scripts.agreed);
        (agreed && !self.s.scripts.seats.is_empty()).then_some(kit)
    }

    fn new_run(&mut self, entry: u16, events: Vec<ScriptEvent>, time: i64) -> WaitingRun {
        self.s.scripts.started = self.s.scripts.started.saturating_add(1);
        WaitingRun {
            id: self.s.number(),
            number: self.s.scripts.started,
            by: self.seat,
            entry,
            events,
            instead: None,
            cards: Vec::new(),
            pile: None,
            at: None,
            time,
            asked: Vec::new(),
            answers: Vec::new(),
            seen: Vec::new(),
            lost: false,
        }
    }

    /// S203: scripts hear of a click; after a double click the default entry of the card runs too.
    pub(crate) fn click(&mut self, cards: &VerbCards, button: u8, twice: bool, time: i64) -> VerbResult {
        let ids: Vec<TableCardId> = self.choose(cards)?.into_iter().map(|chosen| chosen.id).collect();
        let card = VerbAct::one(&ids)?;
        let Some(scripts) = self.running() else {
            return Err(VerbRefusal::Script("no scripts run at this table".to_owned()));
        };
        let event = ScriptEvent::Clicked(card, button, twice);
        let heard = !event.heard_by(scripts, false).0.is_empty();
        let pile = match cards.group {
            crate::CardGroup::Table => None,
            crate::CardGroup::Pile(pile) => Some(self.s.pile(pile).kind(self.kit).written.clone()),
        };
        let is_default = |action: &crate::PackageAction| {
            let own = &action.definition;
            own.of_card && own.default && action.pile == pile && scripts.defines(&own.execute)
        };
        let entry = self.kit.actions.iter().position(is_default).filter(|_| twice);
        if !heard && entry.is_none() {
            return Err(VerbRefusal::Script("the package hears of no clicks".to_owned()));
        }
        if let Some(run) = self.s.runs.iter().find(|run| run.by == self.seat) {
            let words = format!("“{}” waits for an answer", self.entry_name(run.entry));
            return Err(VerbRefusal::Script(words));
        }
        let entry = entry
            .and_then(|entry| u16::try_from(entry).ok())
            .unwrap_or(OF_EVENTS);
        let events = if heard { vec![event] } else { Vec::new() };
        let mut run = self.new_run(entry, events, time);
        run.cards = ids;
        self.go_on(run);
        Ok(())
    }

    /// Lets scripts do something in the place of a verb, where the package wants that (S145). False: the verb
    /// is to be done as it is.
    pub(crate) fn instead(&mut self, verb: &TableVerb) -> Result<bool, VerbRefusal> {
        let wanted = |scripts: &ScriptKit| {
            scripts
                .events
                .iter()
                .any(|(name, _)| name.starts_with("Override"))
        };
        if !self.running().is_some_and(wanted) || self.s.runs.iter().any(|run| run.by == self.seat) {
            return Ok(false);
        }
        // A step of several verbs, as when several cards are dragged, is replaced as a whole.
        let seat = self.seat;
        let of_part = |verb: &TableVerb| {
            Some(match verb {
                TableVerb::Phase { phase, .. } if *phase > 0 => ScriptEvent::InsteadOfPhase(*phase),
                TableVerb::Stop {
                    phase: Some(phase), ..
                } => ScriptEvent::InsteadOfPhase(*phase),
                TableVerb::Reset { soft } => ScriptEvent::InsteadOfReset(*soft),
                TableVerb::PassTurn { .. } => ScriptEvent::InsteadOfTurn(seat),
                TableVerb::Move { .. }
                | TableVerb::Place { .. }
                | TableVerb::Draw { .. }
                | TableVerb::MoveAll { .. }
                | TableVerb::MoveTop { .. }
                | TableVerb::MoveUntil { .. }
                | TableVerb::Mulligan { .. } => ScriptEvent::InsteadOfMove(Vec::new()),
                _ => return None,
            })
        };
        let hears = |event: &ScriptEvent| {
            let scripts = self.running();
            scripts.is_some_and(|scripts| !event.heard_by(scripts, false).0.is_empty())
        };
        let Some(event) = verb.parts().iter().filter_map(of_part).find(hears) else {
            return Ok(false);
        };
        // What it would come to; what is refused is refused.
        let mut trial = VerbAct::new(self.kit, self.s.clone(), self.seat);
        trial.perform(verb)?;
        let event = match event {
            ScriptEvent::InsteadOfMove(_) => match asked_for(&self.s, &trial.s) {
                asked if asked.is_empty() => return Ok(false),
                asked => ScriptEvent::InsteadOfMove(asked),
            },
            ScriptEvent::InsteadOfTurn(_) if trial.s.turn == self.s.turn => return Ok(false),
            ScriptEvent::InsteadOfTurn(seat) => ScriptEvent::InsteadOfTurn(trial.s.active.unwrap_or(seat)),
            other => other,
        };
        self.begin_scripts();
        let mut run = self.new_run(OF_EVENTS, vec![event], 0);
        run.instead = Some(Arc::new(verb.clone()));
        self.go_on(run);
        Ok(true)
    }

    /// Tells scripts that the game has begun, once (S216).
    fn begin_scripts(&mut self) {
        if !std::mem::replace(&mut self.s.scripts.begun, true) {
            self.hear(vec![ScriptEvent::Begun, ScriptEvent::Started]);
        }
    }

    /// Runs the functions that hear of these events, in the same step.
    fn hear(&mut self, mut events: Vec<ScriptEvent>) {
        let Some(scripts) = self.running() else { return };
        events.retain(|event| !event.heard_by(scripts, false).0.is_empty());
        if !events.is_empty() {
            let run = self.new_run(OF_EVENTS, events, 0);
            self.go_on(run);
        }
    }

    /// S176: an answer to what waits.
    pub(crate) fn reply(&mut self, id: u32, answer: &ScriptAnswer) -> VerbResult {
        let found = self.s.runs.iter().position(|run| run.id == id);
        let at = found.ok_or(VerbRefusal::NoQuestion)?;
        let asked = self.s.runs[at].waits().ok_or(VerbRefusal::NoQuestion)?;
        if asked.seat != self.seat {
            return Err(VerbRefusal::NoQuestion);
        }
        check(&asked.question, self.kit.markers.len(), answer).map_err(VerbRefusal::Script)?;
        let mut run = self.s.runs.remove(at);
        run.answers.push(answer.clone());
        self.go_on(run);
        Ok(())
    }

    /// Breaks a waiting run off: nothing has changed, and the log says what it had shown (S181).
    pub(crate) fn break_off(&mut self, id: u32) -> VerbResult {
        let found = self
            .s
            .runs
            .iter()
            .position(|run| run.id == id && run.by == self.seat);
        let run = self.s.runs.remove(found.ok_or(VerbRefusal::NoQuestion)?);
        self.broken_off(&run);
        Ok(())
    }

    /// S184, S181: the time for an answer is over. Another seat's window is shut, one's own entry is broken
    /// off.
    pub(crate) fn run_times_out(&mut self, id: u32) -> VerbResult {
        let found = self.s.runs.iter().position(|run| run.id == id);
        let at = found.ok_or(VerbRefusal::NoQuestion)?;
        let mut run = self.s.runs.remove(at);
        let own = run.waits().is_none_or(|asked| asked.seat == run.by);
        if own {
            self.broken_off(&run);
        } else {
            run.answers.push(ScriptAnswer::Closed);
            self.go_on(run);
        }
        Ok(())
    }

    /// Tells scripts what a person's verb has done (S142, S204): the functions that hear of it run in the
    /// same step.
    pub(crate) fn tell_scripts(&mut self, verb: &TableVerb, before: &TableState) {
        if self.running().is_none_or(|scripts| scripts.events.is_empty()) {
            return;
        }
        if let TableVerb::Present { seat } = verb {
            if !before.seat(*seat).present {
                let me = std::mem::replace(&mut self.seat, *seat);
                self.hear(vec![ScriptEvent::Connected(*seat)]);
                self.seat = me;
            }
            return;
        }
        let own = matches!(
            verb,
            TableVerb::Run { .. } | TableVerb::Reply { .. } | TableVerb::Click { .. }
        );
        // A host's verb can be the last that a new beginning waited for.
        let begins = self.s.game_start != before.game_start || !self.loaded.is_empty();
        if own || !(verb.is_step() || begins) {
            return;
        }
        let is_first = !self.s.scripts.begun;
        self.begin_scripts();
        let mut events = Vec::new();
        if matches!(verb, TableVerb::Concede) {
            events.push(ScriptEvent::Quit(self.seat));
        }
        let is_setup = |part: &TableVerb| {
            matches!(
                part,
                TableVerb::Load { .. }
                    | TableVerb::Sideboard { .. }
                    | TableVerb::BuildDeck { .. }
                    | TableVerb::Reset { .. }
                    | TableVerb::Clear
                    | TableVerb::Answer { .. }
            )
        };
        // S146: what comes of loading is told as such.
        if begins || verb.parts().iter().any(is_setup) {
            if self.s.game_start != before.game_start && !is_first {
                events.push(ScriptEvent::Started);
            }
        } else {
            events.extend(happened(self.kit, before, &self.s));
        }
        self.hear(events);
        // Whichever verb has loaded decks (S216): each seat's are its own event.
        for (seat, piles) in std::mem::take(&mut self.loaded) {
            let me = std::mem::replace(&mut self.seat, seat);
            self.hear(vec![ScriptEvent::DeckLoaded(piles)]);
            self.seat = me;
        }
    }

    /// What scripts were to do in its place has failed: the verb is done as without them (S145).
    fn done_plainly(&mut self, by: TableSeat, verb: &TableVerb) {
        let me = std::mem::replace(&mut self.seat, by);
        let before = self.s.clone();
        let (told, made, gone) = (self.events.len(), self.made, self.gone);
        match self.perform(verb) {
            Ok(()) => self.tell_scripts(verb, &before),
            Err(refusal) => {
                self.loaded.clear();
                self.s = before;
                self.events.truncate(told);
                (self.made, self.gone) = (made, gone);
                let words = SentenceWords::new(format!("That is no longer possible: {refusal}"));
                self.tell_to(LookerSet::of(by), "failed", words);
            }
        }
        self.seat = me;
    }

    fn broken_off(&mut self, run: &WaitingRun) {
        self.is_aside = true;
        let me = std::mem::replace(&mut self.seat, run.by);
        let name = self.entry_name(run.entry);
        let seen = run.seen.clone();
        let piles: Vec<String> = seen
            .iter()
            .map(|(_, group, count)| {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                format!("{} of {}", count_of(count), self.group_name(*group))
            })
            .collect();
        let words = if piles.is_empty() {
            format!("cancels “{name}”")
        } else {
            format!("cancels “{name}” after it revealed {}", piles.join(" and "))
        };
        for (eyes, group, count) in seen {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            self.learned.push((eyes, group, count));
        }
        let words = self.by(&words);
        self.tell("run", words);
        self.seat = me;
    }

    /// What an entry is called in the menu.
    pub(crate) fn entry_name(&self, entry: u16) -> String {
        let action = self.kit.actions.get(usize::from(entry));
        action.map_or("What the package does then".to_owned(), |action| {
            plain(&action.definition.menu, 80, "an entry")
        })
    }

    /// Runs an entry as far as the answers lead: it is done as one step, it waits, or nothing
    /// has changed (S173).
    fn go_on(&mut self, mut run: WaitingRun) {
        let Some(scripts) = &self.kit.scripts else { return };
        let name = self.entry_name(run.entry);
        let (kit, by) = (self.kit, run.by);
        let of_events = run.entry == OF_EVENTS;
        // Nothing was done yet that these events are of.
        let is_all = !of_events || run.instead.is_some();
        let instead = run.instead.clone();
        let header = SentenceWords::by(&self.s, by, "runs ").text(format!("“{name}”"));
        let outcome = perform(kit, scripts, &self.s, &run);
        let tell = |act: &mut VerbAct<'_>, to: LookerSet, kind: &'static str, words: SentenceWords| {
            let me = std::mem::replace(&mut act.seat, by);
            act.tell_to(to, kind, words);
            act.seat = me;
        };
        match outcome {
            RunOutcome::Done(done) => {
                if !of_events {
                    tell(self, LookerSet::ALL, "run", header);
                }
                let done = *done;
                self.s = done.s;
                self.events.extend(done.events);
                self.made += done.made;
                self.gone += done.gone;
                self.learned.extend(done.learned);
                self.is_final |= done.is_final;
                self.drew |= done.drew;
            }
            RunOutcome::Asks {
                asked, answers, seen, ..
            } => {
                self.is_aside |= is_all;
                let is_first = run.asked.is_empty();
                let was = run.asked.last().map(|asked| asked.seat);
                (run.asked, run.answers, run.seen) = (asked, answers, seen);
                let of = run.waits().map_or(by, |asked| asked.seat);
                if is_first || was != Some(of) {
                    let words = if of == by {
                        SentenceWords::by(&self.s, by, "runs ").text(format!("“{name}” …"))
                    } else {
                        let other = &self.s.seat(of).name;
                        SentenceWords::by(&self.s, by, "runs ").text(format!("“{name}”, which asks {other}"))
                    };
                    tell(self, LookerSet::ALL, "run", words);
                }
                self.s.runs.push(run);
            }
            RunOutcome::Denied(seat) => {
                self.is_aside |= is_all && instead.is_none();
                let who = &self.s.seat(seat).name;
                let words = SentenceWords::by(&self.s, by, "runs ").text(format!(
                    "“{name}”, which {who} does not allow. Nothing has changed."
                ));
                tell(self, LookerSet::ALL, "failed", words);
                for (eyes, group, count) in run.seen {
                    self.learned.push((eyes, group, crate::count::whole(count)));
                }
                if let Some(verb) = instead {
                    self.done_plainly(by, &verb);
                }
            }
            RunOutcome::Failed(own, others) => {
                self.is_aside |= is_all && instead.is_none();
                let me = LookerSet::of(by);
                tell(self, me, "failed", SentenceWords::new(own));
                if !others.is_empty() {
                    let words = SentenceWords::by(&self.s, by, "runs ").text(format!("“{name}”. {others}"));
                    tell(self, LookerSet::ALL - me, "failed", words);
                }
                if let Some(verb) = instead {
                    self.done_plainly(by, &verb);
                }
            }
        }
    }
}
