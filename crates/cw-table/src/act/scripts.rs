//! Entries of the package's menus that run its own scripts (S170–S181).

use super::{VerbAct, VerbResult};
use crate::event::{SentenceWords, cards as count_of};
use crate::script::{OF_EVENTS, RunOutcome, ScriptAnswer, ScriptEvent, WaitingRun, check, happened, perform};
use crate::state::plain;
use crate::{LookerSet, PileId, TableCardId, TableState, TableVerb, VerbCards, VerbRefusal};

impl VerbAct<'_> {
    /// Runs an entry of the package: its function gets the group or the cards (S171, S172).
    pub(crate) fn run(
        &mut self,
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
        self.s.scripts.started = self.s.scripts.started.saturating_add(1);
        let run = WaitingRun {
            id: self.s.number(),
            number: self.s.scripts.started,
            by: self.seat,
            entry,
            events: Vec::new(),
            cards: chosen,
            pile,
            at,
            time,
            asked: Vec::new(),
            answers: Vec::new(),
            seen: Vec::new(),
        };
        self.go_on(run);
        Ok(())
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

    /// S184, S181: the time for an answer is over. Another seat's window is shut, one's own entry is broken off.
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

    /// Tells scripts what a person's verb has done (S142, S204): the functions that hear of it run in the same step.
    pub(crate) fn tell_scripts(&mut self, verb: &TableVerb, before: &TableState) {
        let Some(scripts) = self.kit.scripts.as_ref() else {
            return;
        };
        let runs = !scripts.events.is_empty() && !self.s.scripts.seats.is_empty();
        if !runs || !verb.is_step() || matches!(verb, TableVerb::Run { .. } | TableVerb::Reply { .. }) {
            return;
        }
        let mut events = Vec::new();
        if !self.s.scripts.begun {
            self.s.scripts.begun = true;
            events.extend([ScriptEvent::Begun, ScriptEvent::Started]);
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
        if verb.parts().iter().any(is_setup) {
            // S146: what comes of loading is told as such.
            let filled = |pile: &PileId| {
                let was = before.piles.get(pile.index()).map_or(0, |pile| pile.cards.len());
                self.s.pile(*pile).cards.len() > was
            };
            let loads = verb
                .parts()
                .iter()
                .any(|part| matches!(part, TableVerb::Load { .. }));
            if loads {
                let piles = (0..self.s.piles.len()).map(PileId::at).filter(filled);
                events.push(ScriptEvent::DeckLoaded(piles.collect()));
            }
            if self.s.game_start != before.game_start {
                events.push(ScriptEvent::Started);
            }
        } else {
            events.extend(happened(self.kit, before, &self.s));
        }
        events.retain(|event| !event.heard_by(scripts, false).0.is_empty());
        if events.is_empty() {
            return;
        }
        self.s.scripts.started = self.s.scripts.started.saturating_add(1);
        let run = WaitingRun {
            id: self.s.number(),
            number: self.s.scripts.started,
            by: self.seat,
            entry: OF_EVENTS,
            events,
            cards: Vec::new(),
            pile: None,
            at: None,
            time: 0,
            asked: Vec::new(),
            answers: Vec::new(),
            seen: Vec::new(),
        };
        self.go_on(run);
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
            format!("breaks off “{name}”")
        } else {
            format!("breaks off “{name}” after {} came to light", piles.join(" and "))
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

    /// Runs an entry as far as the answers lead: it is done as one step, it waits, or nothing has changed (S173).
    fn go_on(&mut self, mut run: WaitingRun) {
        let Some(scripts) = &self.kit.scripts else { return };
        let name = self.entry_name(run.entry);
        let (kit, by) = (self.kit, run.by);
        let of_events = run.entry == OF_EVENTS;
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
                self.is_aside |= !of_events;
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
            RunOutcome::Failed(own, others) => {
                self.is_aside |= !of_events;
                let me = LookerSet::of(by);
                tell(self, me, "failed", SentenceWords::new(own));
                if !others.is_empty() {
                    let words = SentenceWords::by(&self.s, by, "runs ").text(format!("“{name}”. {others}"));
                    tell(self, LookerSet::ALL - me, "failed", words);
                }
            }
        }
    }
}
