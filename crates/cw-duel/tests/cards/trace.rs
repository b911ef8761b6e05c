//! What every statement did (R1402).

use cw_duel::{
    Choice, DuelEvent, DuelObject, FramePart, Seat, Sink, StatementsEnding, StepResult, TraceStep,
    TraceValue, Traced,
};

use cw_stage::Play;
use cw_stage::start;

/// Keeps the lines of the trace as words.
#[derive(Default)]
struct Lines(Vec<Traced>);

impl Sink for Lines {
    fn event(&mut self, _: &DuelEvent) {}

    fn wants_trace(&self) -> bool {
        true
    }

    fn traced(&mut self, traced: &Traced) {
        self.0.push(traced.clone());
    }
}

/// Takes each choice by its place among the options, and gives what was traced.
fn traced(play: &mut Play, choices: &[&str]) -> Vec<Traced> {
    let mut lines = Lines::default();
    for wanted in choices {
        let offered = cw_stage::offered(play);
        let at = offered.iter().position(|option| option == wanted);
        let at = at.unwrap_or_else(|| panic!("`{wanted}` is not offered: {offered:?}; {:#?}", lines.0));
        let option: Choice = play.duel.pending().expect("it goes on").options[at];
        play.duel.answer(option, &mut lines).expect("it is offered");
    }
    lines.0
}

fn words(play: &Play, traced: &Traced) -> String {
    let name = |object: &DuelObject| match (object.as_card(), object.as_player()) {
        (Some(card), _) => play
            .duel
            .game()
            .model(traced.model(card).expect("it is told"))
            .name
            .to_string(),
        (None, Some(seat)) => ["me", "opp"][seat.index()].to_owned(),
        (None, None) => String::new(),
    };
    let all = |objects: &[DuelObject]| objects.iter().map(name).collect::<Vec<_>>().join("+");
    let step = match traced.step {
        TraceStep::Begins(FramePart::Activation) => "begins".to_owned(),
        TraceStep::Begins(part) => format!("begins {part:?}"),
        TraceStep::Requisites(met) => format!("requisites {met}"),
        TraceStep::Target(found) => format!("target {found}"),
        TraceStep::Vars => "vars".to_owned(),
        TraceStep::Step(StepResult::Condition(holds)) => format!("if {holds}"),
        TraceStep::Step(StepResult::Targets(count)) => format!("to {count}"),
        TraceStep::Step(StepResult::Effect(done)) => format!("effect {done}"),
        TraceStep::Step(result) => format!("{result:?}"),
        TraceStep::Ends(StatementsEnding::Done) => "ends".to_owned(),
        TraceStep::Ends(ending) => format!("ends {ending:?}"),
    };
    let mut said = format!("{} {step}", traced.depth);
    if !traced.targets.is_empty() {
        said.push_str(&format!(" on {}", all(&traced.targets)));
    }
    for variable in &traced.variables {
        let value = match &variable.value {
            TraceValue::Objects(objects) => all(objects),
            TraceValue::Text(text) => text.clone(),
        };
        said.push_str(&format!(", {}={value}", variable.name));
    }
    said
}

#[track_caller]
fn check(cards: &str, position: &str, choices: &[&str], expected: &[&str]) {
    let mut play = start(cards, position);
    let lines = traced(&mut play, choices);
    let found: Vec<String> = lines.iter().map(|line| words(&play, line)).collect();
    assert_eq!(found, expected);
    for line in &lines {
        let place = play.duel.game().statement_at(line.place);
        let ends = matches!(line.step, TraceStep::Ends(_));
        assert!(place.is_some() || ends, "{line:?} has no place in its rule");
    }
}

/// R1402, R304, R305: requisites, target, variables, condition, targets, each effect with its success,
/// costs, and all variables as they are then.
#[test]
fn every_statement_is_traced() {
    check(
        "Plan action: requisite = character@oppRing;; target = character@oppRing;; vars = n := tgt.size + 2;;\
         action = [[if n == 3]] freeze() & damage(n * 10) to(me); discard(1)",
        "opp Foe Fiend; me.hand Plan Rook Wall",
        &["play Plan", "to Fiend", "to Wall"],
        &[
            "1 begins",
            "1 requisites true",
            "1 target true, tgt=Fiend",
            "1 vars, tgt=Fiend, n=3",
            "1 if true, tgt=Fiend, n=3",
            "1 to 1 on me, tgt=Fiend, n=3",
            "1 effect true on me, tgt=Fiend, prevtgt=Fiend, n=3",
            "1 effect true on me, tgt=Fiend, prevtgt=Fiend, n=3",
            "1 effect true on Fiend, tgt=Fiend, prevtgt=me, discarded=Wall, n=3",
            "1 ends, tgt=Fiend, prevtgt=Fiend, discarded=Wall, n=3",
        ],
    );
}

/// R305(b), R304.1, R504, D3: what stops a list is told, with how it ends.
#[test]
fn what_stops_a_program_is_traced() {
    let cards = "
        None action: action = destroy() to(character@oppRing) ; sp(+1)
        Need action: requisite = character@oppRing;; action = sp(+1)
        Aim action: target = character@oppRing;; action = sp(+1)
        If action: action = [[if me.sp > 5]] sp(+1)
        Pay action: action = {D}: sp(+1)
    ";
    let all = |card: &str, expected: &[&str]| {
        let play = format!("play {card}");
        check(cards, &format!("me.hand {card}"), &[&play], expected);
    };
    all("None", &["1 begins", "1 NoTargets", "1 ends Cancelled"]);
    all("Need", &["1 begins", "1 requisites false", "1 ends Cancelled"]);
    all("Aim", &["1 begins", "1 target false", "1 ends Cancelled"]);
    all("If", &["1 begins", "1 if false", "1 ends NoEffect"]);
    all("Pay", &["1 begins", "1 Unpaid", "1 ends Cancelled"]);
}

/// R1402, D31: programs inside others, and those on events, are traced at their depth.
#[test]
fn nested_programs_are_traced_at_their_depth() {
    let cards = "
        Model triggered: action = sp(+2)
        Copy action: action = activate(me.ring[0]) ; sp(+1)
        Ear auto: auto = ~anyHandChanges~ hp(+1) to(me)
    ";
    let mut play = start(cards, "me Ear; me.hand Copy");
    let lines = traced(&mut play, &["play Copy"]);
    let event = lines
        .iter()
        .find(|line| line.step == TraceStep::Begins(FramePart::Event));
    let event = event.expect("the event of the hand");
    assert_eq!((event.depth, event.executor), (1, cw_duel::Seat::One));
    let effects = lines
        .iter()
        .filter(|line| line.step == TraceStep::Step(StepResult::Effect(true)));
    assert!(effects.count() >= 2, "{lines:?}");
}

/// A sink that does not want the trace is not told.
#[test]
fn nobody_is_told_who_does_not_want_it() {
    struct Deaf;
    impl Sink for Deaf {
        fn event(&mut self, _: &DuelEvent) {}
        fn traced(&mut self, traced: &Traced) {
            panic!("{traced:?}");
        }
    }
    let mut play = start("Plan action: action = sp(+1)", "me.hand Plan");
    let option = play.duel.pending().expect("it goes on").options[0];
    assert!(matches!(option, Choice::Play(_)));
    play.duel.answer(option, &mut Deaf).expect("it is offered");
}

/// R1402, G267: the variables that are for the eyes of whom the rule runs for; what is made of cards that it
/// does not see is for nobody's.
#[test]
fn variables_that_tell_of_hidden_cards_are_kept_back() {
    let cards = "
        Spy action: vars = _much := opp.hand.size; _best := opp.hand.0.bp; _more := _best + 1; \
            _own := me.hand.0.sp;; action = sp(_much) to(me)
        Grab action: target = <r>character@oppHand;; vars = _bp := tgt.0.bp;; action = sp(+1) to(me)
    ";
    let visible = |card: &str| {
        let position = "me.hand Spy Grab Aid; opp.hand Foe Foe";
        let mut play = start(cards, position);
        let lines = traced(&mut play, &[&format!("play {card}")]);
        let last = lines.last().expect("something ran");
        let user = last
            .variables
            .iter()
            .filter(|variable| variable.name.starts_with('_'));
        user.map(|variable| {
            assert!(!variable.to.contains(Seat::Two));
            (variable.name.to_string(), variable.to.contains(Seat::One))
        })
        .collect::<Vec<_>>()
    };
    let named = |all: &[(&str, bool)]| -> Vec<(String, bool)> {
        all.iter()
            .map(|(name, open)| ((*name).to_owned(), *open))
            .collect()
    };
    assert_eq!(
        visible("Spy"),
        named(&[
            ("_much", true),
            ("_best", false),
            ("_more", false),
            ("_own", true)
        ])
    );
    assert_eq!(visible("Grab"), named(&[("_bp", false)]));
}
