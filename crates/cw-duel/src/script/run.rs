//! Running programs: frames, their stages, and one step at a time (section 3 of the language).

use cw_program::{
    ActsOn, AutoKind, EachGroup, Op, PileName, Program, RuleCost, RuleEffect, RuleEffectKind,
    StatementsEnding, StepResult, Target, TargetClause, TargetQuantity,
};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::{CardId, ZoneKind};
use crate::base::count::byte;
use crate::base::list::Objects;
use crate::base::list::{ArenaList, DuelObject};
use crate::base::place::RulePlace;
use crate::event::DuelEvent;
use crate::event::trace::TraceStep;
use crate::machine::{FinishedProgram, Flow, Guard, Machine, MachineStep};
use crate::script::commands::acted_on;
use crate::script::commands::keywords::keyword_subjects;
use crate::script::dispatch::Queried;
use crate::script::query::{FoundTargets, Pending, Purpose, QueryStop, TargetQuery, tape_bytes};
use crate::state::decision::{Choice, Question};
use crate::state::facts::DuelFacts;
use crate::state::{
    AgendaTask, Aside, EventListener, FramePart, FrameStage, HookAnswer, ProgramFrame, Register, Tie,
};

/// What a paid cost took.
type Paid = SmallVec<[(bool, Objects); 2]>;

impl<'a> Machine<'a> {
    #[inline]
    pub fn frame(&self) -> &ProgramFrame {
        self.s.frames.last().expect("a program is running")
    }

    #[inline]
    pub fn frame_mut(&mut self) -> &mut ProgramFrame {
        self.s.frames.last_mut().expect("a program is running")
    }

    /// The program of the top frame.
    #[inline]
    pub fn running(&self) -> &'a Program {
        let model = self.frame().model;
        let program = self.game.model(model).program.as_deref();
        program.expect("frames are made for models with a program")
    }

    /// Starts a program; it runs when the agenda comes to it.
    pub fn push_frame(
        &mut self,
        source: CardId,
        executor: Seat,
        model: cw_program::ModelId,
        part: FramePart,
        index: u8,
    ) -> Result<(), Guard> {
        let program = self.game.model(model).program.as_deref();
        let Some(program) = program else {
            // Without a program nothing runs. The caller finds the register as
            // after a real run, so it needs no case of its own.
            self.s.register = Register::Ended {
                ending: StatementsEnding::Done,
                acted: false,
                worked: Aside(false),
                committed: false,
                cleared: false,
            };
            return Ok(());
        };
        let mut frame = ProgramFrame {
            model,
            named: self.s.cards[source.index()].model,
            part,
            index,
            source,
            executor,
            ..ProgramFrame::BLANK
        };
        // Every list of this run lies above `base`, so the end of the run frees them with one cut.
        frame.base = self.s.arena.top();
        match part {
            // An Action or Reaction is not in a ring: it was played, and that commits (D3). The
            // activation of a character has done nothing yet and can still be taken back.
            FramePart::Activation => frame.committed = !self.facts().in_ring(source),
            FramePart::Nested => {}
            FramePart::Event | FramePart::Entering => {
                // D3: triggered runs are committed from the start.
                frame.committed = true;
                frame.pc = program.autos[usize::from(index)].start;
                // On an event the rule’s `target =` is resolved first (R903).
                // An auto without event does not use it (R902).
                frame.stage = if part == FramePart::Event {
                    FrameStage::Target
                } else {
                    FrameStage::Vars
                };
            }
        }
        self.s.register = Register::None;
        self.s.frames.push(frame)?;
        self.push(AgendaTask::Run)?;
        // `tgt` of an auto is its source, unless `target =` finds something else (R1101). The list is
        // kept only now, because `compact` corrects `base` only in frames that are on the stack.
        if matches!(part, FramePart::Event | FramePart::Entering) {
            let list = self.keep(&[DuelObject::card(source)])?;
            self.frame_mut().main = list;
        }
        self.trace(TraceStep::Begins(part));
        Ok(())
    }

    /// Keeps a list of objects for the running programs.
    pub fn keep(&mut self, objects: &[DuelObject]) -> Result<ArenaList, Guard> {
        let bytes: SmallVec<[u8; 64]> = objects.iter().map(|object| object.0).collect();
        self.keep_bytes(&bytes)
    }

    pub fn keep_bytes(&mut self, bytes: &[u8]) -> Result<ArenaList, Guard> {
        // A list that is replaced stays in the arena, so a full arena mostly holds lists that nobody
        // names any more. If there is still no room after compacting, the guard ends the unit (D13).
        if let Ok(list) = self.s.arena.add(bytes) {
            return Ok(list);
        }
        self.compact();
        Ok(self.s.arena.add(bytes)?)
    }

    fn compact(&mut self) {
        // Everything that names a list must be in `lists`: a list that is missing here is lost.
        // Therefore a caller stores each list in a frame or a task before it keeps the next one, and
        // a new list field of `ProgramFrame` must be added to the pattern below.
        let mut lists: Vec<&mut ArenaList> = Vec::new();
        let mut marks: Vec<&mut u16> = Vec::new();
        for frame in self.s.frames.iter_mut() {
            let ProgramFrame {
                main,
                targets,
                previous,
                discarded,
                sacrificed,
                destroyed,
                moved,
                trashed,
                vars,
                tape,
                each,
                base,
                ..
            } = frame;
            lists.extend([
                main, targets, previous, discarded, sacrificed, destroyed, moved, trashed, vars, tape,
            ]);
            lists.extend(each.iter_mut().map(|(list, _)| list));
            marks.push(base);
        }
        for task in self.s.tasks.iter_mut() {
            if let AgendaTask::Effect(effect) = task {
                lists.push(&mut effect.list);
            }
        }
        self.s.arena.compact(&mut lists, &mut marks);
    }

    pub fn objects(&self, list: ArenaList) -> Objects {
        self.s.arena.objects(list).collect()
    }

    /// Runs a query over the tape of the top frame. `Ok(None)`: a question was put and the loop
    /// must stop. The tape is kept until [`Machine::clear_tape`].
    pub fn ask_query<T>(
        &mut self,
        refusable: bool,
        query: impl FnOnce(&mut TargetQuery<'_>) -> FoundTargets<T>,
    ) -> Result<Option<FoundTargets<T>>, Guard> {
        // The answer to the last question goes to the end of the tape. Then the query starts
        // again from its beginning, takes its earlier answers and draws from the tape in the
        // same order, and comes to the place behind that question (D42).
        if let Some(choice) = self.s.reply.take() {
            let tape: SmallVec<[u8; 32]> = self.s.arena.get(self.frame().tape).iter().copied().collect();
            let mut longer = tape;
            longer.extend(tape_bytes(choice));
            let list = self.keep_bytes(&longer)?;
            self.frame_mut().tape = list;
        }
        let frame = *self.frame();
        let tape: SmallVec<[u8; 32]> = self.s.arena.get(frame.tape).iter().copied().collect();
        let mut running = TargetQuery {
            facts: DuelFacts {
                game: self.game,
                s: self.s,
            },
            frame: &frame,
            tape: &tape,
            at: 0,
            drawn: SmallVec::new(),
            bounds: SmallVec::new(),
            chance: self.s.chance,
            script: self.script,
            silent: false,
            pending: None,
            shown: false,
            searched: frame.searched,
            element: frame.element,
            failed: false,
            making: None,
            preparing: false,
            forced: None,
            excluded: Objects::new(),
            probe: self.probe,
            verdict: None,
            looks: self.looks.take(),
        };
        let found = query(&mut running);
        let TargetQuery {
            drawn,
            bounds,
            chance,
            pending,
            shown,
            searched,
            failed,
            verdict,
            looks,
            ..
        } = running;
        (self.verdict, self.looks) = (verdict, looks);
        for (outcome, (of, coin)) in drawn.iter().zip(bounds) {
            let outcome = u32::from(*outcome);
            self.log.tell(|| DuelEvent::Rolled { outcome, of, coin });
        }
        if failed {
            let place = self.place();
            self.log.tell(|| DuelEvent::Failed {
                place,
                source: self.s.running_source(),
            });
        }
        // This is written back even if the query has stopped with a question. The tape must hold
        // every draw in front of the answer, or the next pass would take the answer for the draw
        // (D42). A draw commits the run, and so does a look at hidden cards (D3).
        self.s.chance = chance;
        self.frame_mut().searched = searched;
        if !drawn.is_empty() {
            let mut longer = tape;
            longer.extend(drawn);
            let list = self.keep_bytes(&longer)?;
            let frame = self.frame_mut();
            frame.tape = list;
            frame.committed = true;
        }
        if shown {
            self.frame_mut().committed = true;
        }
        match (found, pending) {
            (Err(QueryStop::Ask), Some(pending)) => {
                self.put_question(pending, refusable);
                Ok(None)
            }
            (found, _) => Ok(Some(found)),
        }
    }

    fn put_question(&mut self, pending: Pending, refusable: bool) {
        let frame = *self.frame();
        self.show_what_is_asked(&pending, frame.executor);
        // Where the source lies unseen, it cannot be pointed at (D64).
        let source = self.s.running_source().card;
        self.question(frame.executor, pending.question, source.some());
        for choice in pending.options {
            self.offer(choice);
        }
        // A yes/no question has its own refusal, *no*. Any other question can be declined while
        // nothing is committed, and afterwards only if its caller allows it (D3).
        let yes_no = matches!(pending.question, Question::May(_) | Question::Optional);
        if !yes_no && (refusable || !frame.committed) {
            self.offer_decline();
        }
    }

    /// G205, G270, G272: the chooser sees the cards that are offered, and of the opponent's hand all
    /// when it is to be discarded from. Cards of a deck are offered as copies, without their place.
    fn show_what_is_asked(&mut self, pending: &Pending, chooser: Seat) {
        match pending.question {
            Question::Discard { hand, .. } if hand != chooser => {
                self.let_see_hand(chooser, hand);
            }
            _ => {}
        }
        for choice in &pending.options {
            if let Choice::Card(card) = choice
                && !self.s.cards[card.index()].known().contains(chooser)
            {
                self.show_card_to(*card, crate::SeatSet::only(chooser));
            }
        }
    }

    pub fn clear_tape(&mut self) {
        self.frame_mut().tape = ArenaList::EMPTY;
    }

    /// The answer is to decline what is not refusable: before commitment that takes the whole
    /// activation back (D3).
    fn declines(&mut self, refusable: bool) -> bool {
        !refusable && self.s.reply == Some(Choice::Decline)
    }

    /// Runs the top frame until it ends, asks, or something else comes first.
    pub fn run_frame(&mut self) -> MachineStep {
        // A step may push a task: a nested run, a dispatch or a long effect. That task lies above
        // this frame’s own and runs first, so the loop stops whenever the number of tasks changes.
        // All other steps stay in this loop and do not go back to the agenda.
        let tasks = self.s.tasks.len();
        let mut flow = Flow::Go;
        while flow == Flow::Go && self.s.tasks.len() == tasks && self.s.outcome.is_none() {
            flow = self.run_step()?;
        }
        Ok(flow)
    }

    /// One step of the top frame.
    #[inline(always)]
    fn run_step(&mut self) -> MachineStep {
        let frame = self.frame();
        let ran = FinishedProgram {
            source: frame.source,
            named: frame.named,
            place: RulePlace {
                model: frame.model,
                step: frame.pc,
            },
        };
        let stage = frame.stage;
        // The guard names the program that ran last; by then its frame may be gone (D13).
        self.last = Some(ran);
        match stage {
            FrameStage::Requisite => self.requisites(),
            FrameStage::Target => self.main_targets(),
            FrameStage::Choose => self.choose_action(),
            FrameStage::Vars => self.variables(),
            FrameStage::Costs => self.first_costs(),
            FrameStage::Statements => self.statement(),
        }
    }

    /// Ends the top frame.
    pub fn end_frame(&mut self, ending: StatementsEnding) -> MachineStep {
        let frame = *self.frame();
        // A refusal that ends the run has not been taken. The
        // next task must not read it as its own answer.
        self.s.reply = None;
        self.trace(TraceStep::Ends(ending));
        if frame.part == FramePart::Nested {
            self.return_lists(&frame)?;
        }
        // What was handed to the caller lies below the base that is left now.
        let base = self.frame().base;
        self.s.frames.pop();
        self.s.arena.reset(base);
        self.s.register = Register::Ended {
            ending,
            acted: frame.acted,
            worked: frame.worked,
            committed: frame.committed,
            cleared: frame.cleared,
        };
        self.pop();
        if frame.part == FramePart::Nested {
            // The effect below has succeeded, however the other rule ended.
            self.s.register = Register::None;
        }
        Ok(Flow::Go)
    }

    /// D31: an activated rule shares its cost and result lists with its caller.
    fn return_lists(&mut self, nested: &ProgramFrame) -> Result<(), Guard> {
        let lists = [
            nested.discarded,
            nested.sacrificed,
            nested.destroyed,
            nested.moved,
            nested.trashed,
        ];
        let contents: SmallVec<[Objects; 5]> = lists.iter().map(|list| self.objects(*list)).collect();
        // The caller's lists are made where the nested frame's begin.
        let depth = self.s.frames.len();
        if depth < 2 {
            return Ok(());
        }
        // `add` and not `keep`: the nested frame still names lists
        // behind the cut, and compacting would try to read them.
        self.s.arena.reset(nested.base);
        let mut kept = [ArenaList::EMPTY; 5];
        for (list, objects) in kept.iter_mut().zip(&contents) {
            let bytes: SmallVec<[u8; 64]> = objects.iter().map(|object| object.0).collect();
            *list = self.s.arena.add(&bytes)?;
        }
        let top = self.s.arena.top();
        self.s.frames[depth - 1].base = top;
        let caller = &mut self.s.frames[depth - 2];
        [
            caller.discarded,
            caller.sacrificed,
            caller.destroyed,
            caller.moved,
            caller.trashed,
        ] = kept;
        caller.committed |= nested.committed;
        Ok(())
    }

    /// R304.1: each must find something; never asks.
    fn requisites(&mut self) -> MachineStep {
        let program = self.running();
        if program.rule.requisites.is_empty() {
            self.frame_mut().stage = FrameStage::Target;
            return Ok(Flow::Go);
        }
        // `meets` never asks (D29). An expression that would ask makes
        // its requisite fail, and the question is dropped.
        let found = self.ask_query(false, |query| {
            Ok(program
                .rule
                .requisites
                .iter()
                .all(|target| query.meets(target, false)))
        })?;
        self.clear_tape();
        let holds = matches!(found, Some(Ok(true)));
        self.trace(TraceStep::Requisites(holds));
        if holds {
            self.frame_mut().stage = FrameStage::Target;
            Ok(Flow::Go)
        } else {
            self.end_frame(StatementsEnding::Cancelled)
        }
    }

    /// Resolves the main targets of the rule, if it has any (R304.2, R903).
    fn main_targets(&mut self) -> MachineStep {
        let program = self.running();
        let part = self.frame().part;
        let next = if matches!(part, FramePart::Event | FramePart::Entering) {
            FrameStage::Vars
        } else {
            FrameStage::Choose
        };
        let Some(clause) = &program.rule.target else {
            self.frame_mut().stage = next;
            return Ok(Flow::Go);
        };
        // If the clause has a `?`, a refusal is an ordinary answer: the query makes an empty list
        // of it (R309). Only the refusal of a mandatory clause ends the run here.
        if self.declines(clause.optional) {
            return self.end_frame(StatementsEnding::Cancelled);
        }
        let Some(found) = self.resolve_clause(clause)? else {
            return Ok(Flow::Ask);
        };
        match found {
            Ok(objects) => {
                let list = self.keep(&objects)?;
                let frame = self.frame_mut();
                frame.main = list;
                frame.stage = next;
                self.trace(TraceStep::Target(true));
                Ok(Flow::Go)
            }
            Err(_) => {
                self.trace(TraceStep::Target(false));
                self.end_frame(StatementsEnding::Cancelled)
            }
        }
    }

    /// Resolves a clause; a clause with `?` that was refused or found nothing is empty (R309).
    fn resolve_clause(&mut self, clause: &TargetClause) -> Result<Option<FoundTargets<Objects>>, Guard> {
        let found = self.ask_query(clause.optional, |query| query.clause(clause))?;
        if found.is_some() {
            self.clear_tape();
        }
        Ok(found)
    }

    /// Chooses the action that runs, and asks if there are several (R304.3).
    fn choose_action(&mut self) -> MachineStep {
        let program = self.running();
        let actions = program.rule.actions.len();
        match actions {
            0 => return self.end_frame(StatementsEnding::Done), // R311
            1 => {}
            _ => {
                if self.declines(false) {
                    return self.end_frame(StatementsEnding::Cancelled);
                }
                let actions = &program.rule.actions;
                // Actions that look too expensive are not offered (D100). Costs on
                // cards of an expression always look payable here, because they may
                // name `vars`, which are made after this choice (R304).
                let asked = self.ask_query(false, |query| {
                    let payable = query.payable(actions);
                    match payable[..] {
                        [only] => Ok(only),
                        _ => {
                            let options = payable.into_iter().map(Choice::Action);
                            query.choose(Question::WhichAction, options)
                        }
                    }
                })?;
                let Some(chosen) = asked else {
                    return Ok(Flow::Ask);
                };
                self.clear_tape();
                let Ok(index) = chosen else {
                    return self.end_frame(StatementsEnding::Cancelled);
                };
                self.frame_mut().index = index;
            }
        }
        let start = program.actions[usize::from(self.frame().index)];
        let frame = self.frame_mut();
        frame.pc = start;
        frame.stage = FrameStage::Vars;
        Ok(Flow::Go)
    }

    /// Computes the variables of the rule (R304.5).
    fn variables(&mut self) -> MachineStep {
        let program = self.running();
        if !program.rule.vars.is_empty() {
            if self.declines(false) {
                return self.end_frame(StatementsEnding::Cancelled);
            }
            let Some(bytes) = self.ask_query(false, |query| query.variables(&program.rule.vars))? else {
                return Ok(Flow::Ask);
            };
            self.clear_tape();
            let list = self.keep_bytes(&bytes.unwrap_or_default())?;
            self.frame_mut().vars = list;
            self.trace(TraceStep::Vars);
        }
        self.frame_mut().stage = FrameStage::Costs;
        Ok(Flow::Go)
    }

    /// Pays the costs in front of the first statement (R304.6, D4).
    fn first_costs(&mut self) -> MachineStep {
        let program = self.running();
        let frame = *self.frame();
        let index = usize::from(frame.index);
        // `index` counts actions in an activation, and autos in a run on an event or on entering.
        let costs = match frame.part {
            FramePart::Activation | FramePart::Nested => program.rule.actions[index].costs(),
            FramePart::Event | FramePart::Entering => program.rule.autos[index].costs(),
        };
        self.pay_costs(costs, |machine| {
            machine.frame_mut().stage = FrameStage::Statements;
        })
    }

    /// Chooses everything, then pays in written order; unpaid ends the list.
    fn pay_costs(&mut self, costs: &[RuleCost], then: impl FnOnce(&mut Self)) -> MachineStep {
        if costs.is_empty() {
            then(self);
            return Ok(Flow::Go);
        }
        if self.declines(false) {
            self.tell_step(StepResult::Unpaid);
            return self.end_frame(StatementsEnding::Cancelled);
        }
        // One query makes the choices of all costs. Nothing is paid before the last of
        // them is made, so a refusal leaves every card where it was (D4).
        let Some(chosen) = self.ask_query(false, |query| query.costs(costs))? else {
            return Ok(Flow::Ask);
        };
        self.clear_tape();
        let Ok(paid) = chosen else {
            self.tell_step(StepResult::Unpaid);
            return self.end_frame(StatementsEnding::Cancelled);
        };
        self.frame_mut().committed = true;
        // All lists are stored, and the cards of all costs are held, before the first card moves: a card
        // that leaves the hand may swap indices with a copy of it (D50), and only references inside the
        // state and held ones follow. With two `{D}` the second list replaces the first (D4).
        for (cost, (_, objects)) in costs.iter().zip(&paid) {
            match cost {
                RuleCost::Freeze => {}
                RuleCost::SacrificeSelf | RuleCost::Sacrifice(_) => {
                    let list = self.keep(objects)?;
                    self.frame_mut().sacrificed = list;
                }
                RuleCost::Discard(_) => {
                    let list = self.keep(objects)?;
                    self.frame_mut().discarded = list;
                }
            }
        }
        let source = self.frame().source;
        let cards_of = |(_, objects): &(bool, Objects)| -> SmallVec<[CardId; 16]> {
            objects.iter().filter_map(|object| object.as_card()).collect()
        };
        let start = self.held.len();
        self.held.extend(paid.iter().flat_map(cards_of));
        let mut next = start;
        let done: Result<(), Guard> = costs.iter().zip(&paid).try_for_each(|(cost, part)| {
            if matches!(cost, RuleCost::Freeze) {
                self.set_frozen(source, true);
            }
            for _ in cards_of(part) {
                let card = self.held[next];
                next += 1;
                self.discard_card(card)?;
            }
            Ok(())
        });
        self.held.truncate(start);
        done?;
        self.tell_step(StepResult::Paid);
        then(self);
        Ok(Flow::Go)
    }

    pub fn tell_step(&mut self, result: StepResult) {
        let Some(frame) = self.s.frames.last() else { return };
        let place = RulePlace {
            model: frame.model,
            step: frame.pc,
        };
        self.log.tell_step(|| DuelEvent::Step {
            place,
            source: self.s.running_source(),
            result,
        });
        self.trace(TraceStep::Step(result));
    }

    /// A step of a listener that only answers (D18); no frame of it is kept.
    fn tell_query_step(&mut self, frame: &ProgramFrame, result: StepResult) {
        let place = RulePlace {
            model: frame.model,
            step: frame.pc,
        };
        self.log.tell_step(|| DuelEvent::Step {
            place,
            source: self.s.source_seen(frame.source, frame.named),
            result,
        });
        self.trace_frame(frame, 0, TraceStep::Step(result));
    }

    /// What a continuous auto came to, step by step (D24, R1402).
    pub fn tell_continuous(&mut self, frame: &ProgramFrame) {
        let game = self.game;
        let Some(program) = game.model(frame.model).program.as_deref() else {
            return;
        };
        let mut frame = *frame;
        frame.pc = program.autos[usize::from(frame.index)].start;
        // The grants themselves were computed from the statements. This walk over the flat steps
        // only reports the way through them, so it evaluates the conditions once more.
        loop {
            match program.ops[usize::from(frame.pc)] {
                Op::If { condition, otherwise } => {
                    let truth = self
                        .silently(&frame, |query| query.truth(condition))
                        .unwrap_or(false);
                    self.tell_query_step(&frame, StepResult::Condition(truth));
                    frame.pc = if truth { frame.pc + 1 } else { otherwise };
                    continue;
                }
                Op::Effect(_) => self.tell_query_step(&frame, StepResult::Effect(true)),
                Op::Jump(to) => {
                    frame.pc = to;
                    continue;
                }
                Op::Stop(_) => return,
                // Nothing else stands in a continuous auto, or it does nothing by itself.
                Op::Costs(_)
                | Op::May(_)
                | Op::To(_)
                | Op::NoTo
                | Op::SkipIfDone(_)
                | Op::SkipIfFailed(_)
                | Op::EachStart { .. }
                | Op::EachNext { .. }
                | Op::Revert(_)
                | Op::EndStatement => {}
            }
            frame.pc += 1;
        }
    }

    fn go_on(&mut self) -> MachineStep {
        self.frame_mut().pc += 1;
        Ok(Flow::Go)
    }

    fn jump(&mut self, to: u16) -> MachineStep {
        self.frame_mut().pc = to;
        Ok(Flow::Go)
    }

    /// R305: the step at which the frame stands.
    fn statement(&mut self) -> MachineStep {
        // An arm moves `pc`, ends the frame, or leaves both as they are. In the
        // last case the same step runs again: with the answer to its question,
        // or with the result of its effect in the register.
        let program = self.running();
        let frame = *self.frame();
        match program.ops[usize::from(frame.pc)] {
            Op::Costs(costs) => self.pay_costs(&program.costs[usize::from(costs)], |machine| {
                machine.frame_mut().pc += 1;
            }),
            Op::If { condition, otherwise } => {
                if self.declines(false) {
                    return self.end_frame(StatementsEnding::Cancelled);
                }
                let Some(truth) = self.ask_query(false, |query| query.truth(condition))? else {
                    return Ok(Flow::Ask);
                };
                self.clear_tape();
                let truth = truth.unwrap_or(false);
                self.tell_step(StepResult::Condition(truth));
                if truth { self.go_on() } else { self.jump(otherwise) }
            }
            Op::May(question) => {
                let asked = self.ask_query(false, |query| {
                    query.takes_first(Question::May(question), Choice::Yes, Choice::No)
                })?;
                let Some(answer) = asked else { return Ok(Flow::Ask) };
                self.clear_tape();
                let yes = answer == Ok(true);
                self.tell_step(StepResult::Condition(yes));
                if yes {
                    self.go_on()
                } else {
                    self.end_frame(StatementsEnding::Done)
                } // R501
            }
            Op::To(clause) => self.statement_targets(&program.clauses[usize::from(clause)]),
            Op::NoTo => {
                // Commands must tell an empty clause from none: `freeze() to?(…)` that found nothing
                // freezes nothing, but `freeze()` without any clause freezes the source (R309, D104).
                let main = frame.main;
                let frame = self.frame_mut();
                frame.targets = if main.is_defined() { main } else { ArenaList::EMPTY };
                frame.own_targets = false;
                self.go_on()
            }
            Op::Effect(step) => self.start_effect(step),
            // `a || b` is flattened to: a, `SkipIfDone`, b, and the jump goes just behind
            // b. In `a && b` the jump of `SkipIfFailed` goes behind the last effect of
            // the list. A skipped b leaves `done` as a has set it (R603).
            Op::SkipIfDone(to) => {
                if frame.done {
                    self.jump(to)
                } else {
                    self.go_on()
                }
            }
            Op::SkipIfFailed(to) => {
                if frame.done {
                    self.go_on()
                } else {
                    self.jump(to)
                }
            }
            Op::EachStart { level, group } => self.start_each(level, &program.groups[usize::from(group)]),
            Op::EachNext { level, end } => {
                // `list` was found before the first repetition and is never computed again
                // (D30). `at` is the number of elements taken so far.
                let (list, at) = frame.each[usize::from(level)];
                let Some(element) = self.s.arena.objects(list).nth(usize::from(at)) else {
                    // The loop is over, so `card` is the element of the outer loop again. That one was
                    // taken already and therefore stands one place before the outer `at`.
                    let outer = level.checked_sub(1).and_then(|outer| {
                        let (list, at) = frame.each[usize::from(outer)];
                        self.s.arena.objects(list).nth(usize::from(at).saturating_sub(1))
                    });
                    let frame = self.frame_mut();
                    frame.element = outer;
                    frame.done = true; // D30: `each` itself succeeds
                    return self.jump(end);
                };
                // Each repetition is a step for the loop guard (D13).
                self.tick()?;
                let frame = self.frame_mut();
                frame.each[usize::from(level)].1 = at.saturating_add(1);
                frame.element = Some(element);
                self.go_on()
            }
            Op::Revert(revert) => self.revert(&program.reverts[usize::from(revert)]),
            Op::EndStatement => {
                let frame = self.frame_mut();
                // R1102(b); an empty list is not stored as visible value.
                frame.previous = if frame.targets == ArenaList::EMPTY {
                    ArenaList::UNDEFINED
                } else {
                    frame.targets
                };
                frame.targets = ArenaList::EMPTY;
                self.go_on()
            }
            Op::Jump(to) => self.jump(to),
            Op::Stop(ending) => self.end_frame(ending),
        }
    }

    fn statement_targets(&mut self, clause: &TargetClause) -> MachineStep {
        if self.declines(clause.optional) {
            return self.end_frame(StatementsEnding::Cancelled);
        }
        let Some(found) = self.resolve_clause(clause)? else {
            return Ok(Flow::Ask);
        };
        let Ok(objects) = found else {
            self.tell_step(StepResult::NoTargets);
            return self.end_frame(StatementsEnding::Cancelled); // R305(b)
        };
        let list = self.keep(&objects)?;
        self.frame_mut().targets = list;
        self.tell_step(StepResult::Targets(byte(objects.len())));
        // This holds for an empty list as well: a clause that found
        // nothing is not the same as no clause at all (R309, D27).
        let frame = self.frame_mut();
        frame.own_targets = true;
        // R1102(a).
        if frame.main.is_defined() && frame.main != ArenaList::EMPTY {
            frame.previous = frame.main;
        }
        self.go_on()
    }

    /// R622, D30: the list and every left part, before the first repetition.
    fn start_each(&mut self, level: u8, group: &EachGroup) -> MachineStep {
        if usize::from(level) >= self.frame().each.len() {
            return Err(Guard); // loops nested deeper than a frame has room for
        }
        if self.declines(false) {
            return self.end_frame(StatementsEnding::Cancelled);
        }
        // The step before this one is the `each` command itself. It cannot fail,
        // so `done` is false only if `each?(…)` was declined.
        if !self.frame().done {
            // The optional command was declined: an empty loop.
            self.frame_mut().each[usize::from(level)] = (ArenaList::EMPTY, 0);
            self.frame_mut().done = true;
            return self.go_on();
        }
        let found = self.ask_query(false, |query| match group {
            EachGroup::Mapped { value, list } => query.group(*value, *list),
            EachGroup::Found(target) => query.target(target, Purpose::Target),
        })?;
        let Some(found) = found else { return Ok(Flow::Ask) };
        self.clear_tape();
        let list = self.keep(&found.unwrap_or_default())?;
        self.frame_mut().each[usize::from(level)] = (list, 0);
        self.go_on()
    }

    /// Asks for optional commands, then begins the effect.
    fn start_effect(&mut self, step: u16) -> MachineStep {
        // This step runs at least twice: first it asks, computes and begins the effect,
        // and when the effect is over it finds the result in the register. A command
        // that failed counts as an effect that ran, too (D68).
        if let Register::Effect(done) = self.take_register() {
            let frame = self.frame_mut();
            frame.done = done;
            frame.acted = true;
            frame.worked.0 |= done;
            frame.committed = true;
            self.clear_tape();
            self.tell_step(StepResult::Effect(done));
            self.settle_continuous()?;
            return self.go_on();
        }
        let program = self.running();
        let RuleEffect { optional, kind, .. } = &program.effects[usize::from(step)].effect;
        // `discard(2) || loseLife(200)`: refusing the discard is its failure, not the end of the run.
        let or_else = self.is_before_or_else();
        if self.declines(or_else) {
            return self.end_frame(StatementsEnding::Cancelled);
        }
        // The question of `cmd?()` and the choices of the command belong to one
        // query, so that the tape holds both answers when the query runs again.
        let prepared = self.ask_query(or_else, |query| {
            if *optional && !query.takes_first(Question::Optional, Choice::Yes, Choice::No)? {
                return Ok(None);
            }
            query.prepare(kind).map(Some)
        })?;
        let Some(prepared) = prepared else {
            return Ok(Flow::Ask);
        };
        match prepared {
            Ok(None) => {
                // R605: declined counts as success; a declined loop is empty.
                self.clear_tape();
                self.tell_step(StepResult::Skipped);
                let is_each = matches!(kind, RuleEffectKind::Command(cw_program::Command::Each(_)));
                self.frame_mut().done = !is_each;
                self.go_on()
            }
            Ok(Some(prepared)) => {
                self.clear_tape();
                self.begin_effect(step, prepared)
            }
            Err(_) => {
                // Nothing to choose from, or refused: the command fails (R604).
                self.s.register = Register::Effect(false);
                Ok(Flow::Go)
            }
        }
    }

    /// D3: a `discard` directly followed by `||` may be refused.
    fn is_before_or_else(&self) -> bool {
        let program = self.running();
        let pc = usize::from(self.frame().pc);
        let discards = match program.ops[pc] {
            Op::Effect(step) => {
                let kind = &program.effects[usize::from(step)].effect.kind;
                matches!(
                    kind,
                    RuleEffectKind::Command(
                        cw_program::Command::Discard(_) | cw_program::Command::RndDiscard(_)
                    )
                )
            }
            _ => false,
        };
        discards && matches!(program.ops.get(pc + 1), Some(Op::SkipIfDone(_)))
    }

    /// R505: takes back untimed grants; only targets that need no question.
    fn revert(&mut self, revert: &cw_program::Revert) -> MachineStep {
        let program = self.running();
        let frame = *self.frame();
        // The statement was skipped, so no `To` or `NoTo` has prepared the frame
        // for it. `then` is a copy that is prepared for these grants.
        let mut then = frame;
        then.own_targets = revert.clause.is_some();
        let targets = match revert.clause {
            Some(clause) => {
                let clause = &program.clauses[usize::from(clause)];
                // A clause that would have to ask finds nothing here,
                // and then nothing is taken back (R506).
                self.silently(&frame, |query| query.clause(clause))
                    .unwrap_or_default()
            }
            None => {
                then.targets = if frame.main.is_defined() {
                    frame.main
                } else {
                    ArenaList::EMPTY
                };
                acted_on(self.facts(), &then, ActsOn::CardsOrSource)
            }
        };
        for keyword in &revert.keywords {
            for subject in keyword_subjects(self.facts(), &then, *keyword, &targets) {
                self.take_back(subject, *keyword, frame.source);
            }
        }
        self.tell_step(StepResult::Reverted);
        self.settle_continuous()?;
        self.go_on()
    }

    /// Runs a query that must neither ask nor draw.
    pub fn silently<T>(
        &self,
        frame: &ProgramFrame,
        query: impl FnOnce(&mut TargetQuery<'_>) -> FoundTargets<T>,
    ) -> Option<T> {
        // The query works on copies of chance and of the notes, which end with it. So it may run at
        // any moment, for example while options are listed, and the state stays as it is.
        let mut running = TargetQuery {
            facts: self.facts(),
            frame,
            tape: &[],
            at: 0,
            drawn: SmallVec::new(),
            bounds: SmallVec::new(),
            chance: self.s.chance,
            script: self.script,
            silent: true,
            pending: None,
            shown: false,
            searched: None,
            element: frame.element,
            failed: false,
            making: None,
            preparing: false,
            forced: None,
            excluded: Objects::new(),
            probe: None,
            verdict: None,
            looks: None,
        };
        query(&mut running).ok()
    }

    /// A frame to evaluate conditions with, outside any run.
    fn scope(&self, listener: &EventListener, executor: Seat, argument: Option<CardId>) -> ProgramFrame {
        ProgramFrame {
            model: listener.model,
            named: listener.named,
            part: FramePart::Event,
            index: listener.auto,
            source: listener.card,
            lost: (listener.tie == Tie::Lost).then_some(listener.controller),
            executor,
            trigger: argument.unwrap_or(CardId::NONE),
            ..ProgramFrame::BLANK
        }
    }

    /// The condition of a suffix word such as `:action` (R909, GQ53).
    pub fn passes_test(
        &mut self,
        listener: &EventListener,
        index: usize,
        argument: Option<CardId>,
        executor: Seat,
    ) -> bool {
        let Some(program) = self.facts().listener_program(listener) else {
            return false;
        };
        let AutoKind::Events(events) = &program.rule.autos[usize::from(listener.auto)].kind else {
            return false;
        };
        let Some(test) = events[index].test else {
            return true;
        };
        let frame = self.scope(listener, executor, argument);
        self.silently(&frame, |query| query.truth(test)).unwrap_or(false)
    }

    /// D18: only conditions and `modCost` run in a query.
    pub fn query_listener(
        &mut self,
        listener: &EventListener,
        argument: Option<CardId>,
        executor: Seat,
        fight: Option<(CardId, CardId)>,
    ) -> Queried {
        let mut queried = Queried {
            answer: HookAnswer::None,
            sum: 0,
        };
        let game = self.game;
        let Some(program) = game.model(listener.model).program.as_deref() else {
            return queried;
        };
        let mut frame = self.scope(listener, executor, argument);
        if let Some((attacker, blocker)) = fight {
            (frame.attacker, frame.blocker) = (attacker, blocker);
        }
        frame.pc = program.autos[usize::from(listener.auto)].start;
        // Every step goes forward but the loops, which a query skips as a whole.
        loop {
            match program.ops[usize::from(frame.pc)] {
                Op::If { condition, otherwise } => {
                    let truth = self
                        .silently(&frame, |query| query.truth(condition))
                        .unwrap_or(false);
                    self.tell_query_step(&frame, StepResult::Condition(truth));
                    // `otherwise` may lead to an `elif`, which is the next `If`,
                    // or to a `Revert`, which a query passes over.
                    frame.pc = if truth { frame.pc + 1 } else { otherwise };
                    continue;
                }
                Op::Effect(step) => {
                    let kind = &program.effects[usize::from(step)].effect.kind;
                    // Other effects would change the state, and this may run each time options are
                    // listed. The checker reports them (RS029), and they are skipped here (D18).
                    if let RuleEffectKind::Command(cw_program::Command::ModCost(which, amount)) = kind {
                        let amount = self.silently(&frame, |query| query.number(*amount)).unwrap_or(0);
                        let _ = which; // the event says which cost is computed
                        queried.sum = queried.sum.saturating_add(amount);
                        queried.answer = HookAnswer::True;
                        self.tell_query_step(&frame, StepResult::Effect(true));
                    }
                }
                Op::EachNext { end, .. } => {
                    frame.pc = end;
                    continue;
                }
                Op::Jump(to) => {
                    frame.pc = to;
                    continue;
                }
                Op::Stop(ending) => {
                    match ending {
                        StatementsEnding::True => queried.answer = HookAnswer::True,
                        StatementsEnding::False => queried.answer = HookAnswer::False,
                        // The list ran to its end. It answers only if a
                        // `modCost` has set the answer above (D19).
                        StatementsEnding::Done | StatementsEnding::NoEffect | StatementsEnding::Cancelled => {
                        }
                    }
                    return queried;
                }
                // Nobody can pay or answer in a query, so the list
                // ends here. A `modCost` before it counts.
                Op::Costs(_) | Op::May(_) => return queried,
                // In a query every effect succeeds, also one that is skipped (R604): what
                // follows `||` is left out, and what follows `&&` is not (R603).
                Op::SkipIfDone(to) => {
                    frame.pc = to;
                    continue;
                }
                Op::To(_)
                | Op::NoTo
                | Op::SkipIfFailed(_)
                | Op::EachStart { .. }
                | Op::Revert(_)
                | Op::EndStatement => {}
            }
            frame.pc += 1;
        }
    }

    /// D17: whether requisites, targets and costs look satisfiable from what the player knows.
    pub fn looks_satisfiable(&mut self, card: CardId, seat: Seat) -> bool {
        let Some(model) = self.facts().ability_model(card) else {
            return false;
        };
        let Some(program) = self.game.model(model).program.as_deref() else {
            return false;
        };
        let frame = ProgramFrame {
            model,
            source: card,
            executor: seat,
            ..ProgramFrame::BLANK
        };
        self.silently(&frame, |query| {
            let rule = &program.rule;
            let requisites = rule.requisites.iter().all(|target| query.meets(target, true));
            // Some targets may be empty without a failure: those of `target?` (R309), a pick from a
            // pile (D29) and a quantity with minimum 0 (R416). Every other one needs a candidate.
            let targets = rule.target.as_ref().is_none_or(|clause| {
                clause.optional
                    || clause.targets.iter().all(|target| {
                        let pick = target.pick.is_some()
                            && matches!(target.zone.place, cw_program::ZonePlace::Pile(_));
                        let may_be_none =
                            matches!(target.quantity, TargetQuantity::Between(count) if count.min == 0);
                        pick || may_be_none || query.exists(target, true)
                    })
            });
            let costs = rule.actions.iter().any(|action| query.might_pay(action.costs()));
            Ok(requisites && targets && costs)
        })
        .unwrap_or(false)
    }

    pub fn show_pile_to(&mut self, seat: Seat, whose: Seat, pile: PileName) {
        for card in self.facts().listed(whose, pile) {
            self.show_card_to(card, crate::SeatSet::only(seat));
        }
    }

    /// Like [`Machine::show_pile_to`], but nothing is said of what the player knows: it is asked
    /// for several cards of the same hand, one after another.
    pub fn let_see_hand(&mut self, seat: Seat, whose: Seat) {
        for card in self.facts().listed(whose, PileName::Hand) {
            if !self.s.cards[card.index()].known().contains(seat) {
                self.show_card_to(card, crate::SeatSet::only(seat));
            }
        }
    }

    /// These players learn what the card is; in a hidden zone they go on knowing until it moves.
    pub fn show_card_to(&mut self, card: CardId, seats: crate::SeatSet) {
        let entry = self.s.cards[card.index()];
        let before = entry.known();
        let now = before.union(seats);
        if now != before {
            self.s.cards[card.index()].set_known(now);
        }
        // This is reported even if the player knew the card: it is looked at once more.
        let seen = crate::state::seen::Seen::new(card, entry.model, now);
        self.log.tell(|| DuelEvent::Shown { card: seen });
    }

    /// The pile a card lies in.
    pub fn pile_of(&self, card: CardId) -> Option<(Seat, PileName)> {
        match self.facts().zone(card) {
            ZoneKind::Pile(pile) => Some((self.facts().controller(card), pile)),
            ZoneKind::Ring | ZoneKind::Backup | ZoneKind::Table => None,
        }
    }
}

impl TargetQuery<'_> {
    /// D4: all choices of the costs together; no card serves two.
    pub fn costs(&mut self, costs: &[RuleCost]) -> FoundTargets<Paid> {
        if !self.can_pay(costs) {
            return Err(QueryStop::Fail);
        }
        let mut paid: Paid = SmallVec::new();
        let source = self.frame.source;
        // The player's choices first, random picks after them.
        // A draw commits the run (D3), so every choice that can be declined comes before
        // it. The first round gives every cost its entry, and the second fills in the
        // random ones: `paid` keeps the order in which the costs are written.
        for random in [false, true] {
            for (index, cost) in costs.iter().enumerate() {
                let is_random = matches!(cost, RuleCost::Discard(target) | RuleCost::Sacrifice(target)
                    if matches!(target.quantity, TargetQuantity::Random(_)));
                if random {
                    if is_random {
                        let taken = paid.iter().flat_map(|(_, objects)| objects.clone()).collect();
                        paid[index].1 = self.cost_cards(cost, &taken, costs)?;
                    }
                    continue;
                }
                let taken: Objects = paid.iter().flat_map(|(_, objects)| objects.clone()).collect();
                let objects = match cost {
                    RuleCost::Freeze => Objects::new(),
                    RuleCost::SacrificeSelf => [DuelObject::card(source)].into_iter().collect(),
                    RuleCost::Sacrifice(_) | RuleCost::Discard(_) if is_random => Objects::new(),
                    RuleCost::Sacrifice(_) | RuleCost::Discard(_) => self.cost_cards(cost, &taken, costs)?,
                };
                paid.push((is_random, objects));
            }
        }
        Ok(paid)
    }

    /// The actions whose costs look payable; where none does, all (D100).
    fn payable(&mut self, actions: &[cw_program::RuleAction]) -> SmallVec<[u8; 8]> {
        let all = (0u8..).zip(actions);
        let payable: SmallVec<[u8; 8]> = all
            .filter(|(_, action)| self.might_pay(action.costs()))
            .map(|(at, _)| at)
            .collect();
        if payable.is_empty() {
            return (0..byte(actions.len())).collect();
        }
        payable
    }

    /// Whether the costs can be paid, as far as can be told before the variables are made.
    fn might_pay(&mut self, costs: &[RuleCost]) -> bool {
        self.can_pay_those(costs, |cost| match cost {
            RuleCost::Sacrifice(target) | RuleCost::Discard(target) => {
                !matches!(target.kind, cw_program::TargetKind::Computed(_))
            }
            RuleCost::Freeze | RuleCost::SacrificeSelf => true,
        })
    }

    fn cost_cards(&mut self, cost: &RuleCost, taken: &Objects, costs: &[RuleCost]) -> FoundTargets<Objects> {
        let mut excluded = taken.clone();
        // `{S}` takes the source wherever it is written, so `{S(character)}{S}` must not offer it (D4).
        if costs.iter().any(|cost| matches!(cost, RuleCost::SacrificeSelf)) {
            excluded.push(DuelObject::card(self.frame.source));
        }
        let (target, purpose) = match cost {
            RuleCost::Sacrifice(target) => (target, Purpose::SacrificeCost),
            RuleCost::Discard(target) => (target, Purpose::DiscardCost),
            RuleCost::Freeze | RuleCost::SacrificeSelf => return Ok(Objects::new()),
        };
        let found = self.target_without(target, purpose, &excluded)?;
        // An earlier cost may have been paid with the only card for this one: `{D}{D(action)}`.
        // Too few cards do not pay it (D4).
        if found.len() < needed_for(target) {
            return Err(QueryStop::Fail);
        }
        Ok(found)
    }

    /// Whether the costs can be paid together, without asking (D4).
    pub fn can_pay(&mut self, costs: &[RuleCost]) -> bool {
        self.can_pay_those(costs, |_| true)
    }

    fn can_pay_those(&mut self, costs: &[RuleCost], counts: impl Fn(&RuleCost) -> bool) -> bool {
        let source = self.frame.source;
        // One group for each cost that takes cards: the cards that could pay it, and how many it takes.
        let mut groups: SmallVec<[(Objects, usize); 4]> = SmallVec::new();
        for cost in costs.iter().filter(|cost| counts(cost)) {
            match cost {
                RuleCost::Freeze => {
                    let is_there = self.frame.present_source().is_some() && self.facts.in_ring(source);
                    if !is_there || self.facts.is_frozen(source) {
                        return false;
                    }
                }
                // D101: an Action or Reaction that lies in play is the price as well as a character.
                RuleCost::SacrificeSelf => {
                    let is_there = self.frame.present_source().is_some()
                        && matches!(self.facts.zone(source), ZoneKind::Ring | ZoneKind::Table);
                    if !is_there {
                        return false;
                    }
                    groups.push(([DuelObject::card(source)].into_iter().collect(), 1));
                }
                RuleCost::Sacrifice(target) | RuleCost::Discard(target) => {
                    let (candidates, needed) = self.cost_candidates(target);
                    groups.push((candidates, needed));
                }
            }
        }
        if let [(candidates, needed)] = &groups[..] {
            return candidates.len() >= *needed;
        }
        // Hall's condition over the few groups: every set of costs must have enough cards.
        // Example: `{D(action)}{D}` with one Action as the whole hand. Each cost alone
        // can be paid, but the two together have one card and need two.
        (1u32..1 << groups.len().min(8)).all(|set| {
            let mut union = Objects::new();
            let mut needed = 0;
            for (index, (candidates, count)) in groups.iter().enumerate() {
                if set & (1 << index) != 0 {
                    needed += count;
                    union.extend(candidates.iter().copied());
                }
            }
            union.sort_unstable();
            union.dedup();
            union.len() >= needed
        })
    }

    fn cost_candidates(&mut self, target: &Target) -> (Objects, usize) {
        (self.all_matches(target), needed_for(target))
    }
}

/// The number of cards that a cost takes at least.
fn needed_for(target: &Target) -> usize {
    let plural = match &target.kind {
        cw_program::TargetKind::Either(items) | cw_program::TargetKind::Each(items) => {
            items.iter().any(|item| item.plural)
        }
        cw_program::TargetKind::Computed(_) => {
            target.quantity == TargetQuantity::Default && target.pick.is_none()
        }
    };
    if plural {
        return 1; // R705: the whole hand, unpaid if empty
    }
    match target.quantity {
        TargetQuantity::Default => target.pick.map_or(1, |pick| usize::from(pick.unsigned_abs())),
        TargetQuantity::Between(count) => usize::from(count.min),
        TargetQuantity::Random(count) => usize::from(count.max(1)),
    }
}
