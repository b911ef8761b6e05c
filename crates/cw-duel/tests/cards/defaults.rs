//! What a command acts on where no clause names it (R309, R602, D27, D104): the source, in actions as in
//! autos. Every command that acts on cards, in every part of a rule, from a character and from an Action.

use cw_duel::{Constants, DuelEvent, Subject};
use cw_stage::{Play, check, check_with};

/// What a command does to the card with this name, seen in the events.
type Happens = fn(&Play, &DuelEvent, &str) -> bool;

fn is(play: &Play, card: cw_duel::Seen, name: &str) -> bool {
    &*play.duel.game().model(card.true_model()).name == name
}

fn freezes(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Frozen { card, frozen: true } if is(play, *card, name))
}

fn unfreezes(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Frozen { card, frozen: false } if is(play, *card, name))
}

fn changes_bp(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Bp { card, .. } if is(play, *card, name))
}

fn loses_ability(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Ability { card, of: None } if is(play, *card, name))
}

fn gets_ability(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Ability { card, of: Some(_) } if is(play, *card, name))
}

fn changes_keyword(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Keyword { subject: Subject::Card(card), .. } if is(play, *card, name))
}

fn changes_slot(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::SlotChanged { card, .. } if is(play, *card, name))
}

fn is_shown(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Shown { card } if is(play, *card, name))
}

fn is_transformed(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Transformed { card, .. } if is(play, *card, name))
}

/// To the removed pile, where nothing goes by itself.
fn is_removed(play: &Play, event: &DuelEvent, name: &str) -> bool {
    let pile = cw_duel::ZoneKind::Pile(cw_program::PileName::Removed);
    matches!(event, DuelEvent::Moved { card, to, .. } if to.zone == pile && is(play, *card, name))
}

/// By the command: not at the end of the unit, as an Action is anyway.
fn is_destroyed(play: &Play, event: &DuelEvent, name: &str) -> bool {
    matches!(event, DuelEvent::Moved { card, by: Some(_), .. } if is(play, *card, name))
}

/// Which cards a command can act on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Characters in a ring.
    Ring,
    /// Any card.
    Any,
    /// Two characters: one alone is not enough.
    Two,
}

/// Commands as they are written, what they do, and to which cards. Commands with a default of their own
/// (D33, D34, G212, G216), those on players and those without targets stand in the tests below.
const COMMANDS: [(&str, Happens, Reach); 18] = [
    ("freeze()", freezes, Reach::Ring),
    ("freeze(toggle)", freezes, Reach::Ring),
    ("freeze() & unfreeze()", unfreezes, Reach::Ring),
    ("damage(100)", changes_bp, Reach::Ring),
    ("bp(+100)", changes_bp, Reach::Ring),
    ("bp(x2)", changes_bp, Reach::Ring),
    ("bp(=700)", changes_bp, Reach::Ring),
    ("loseAbility()", loses_ability, Reach::Ring),
    ("copyAbility(me.removed.0)", gets_ability, Reach::Ring),
    ("+pierce", changes_keyword, Reach::Ring),
    ("+pierce & -pierce", changes_keyword, Reach::Ring),
    ("moveToSlot()", changes_slot, Reach::Ring),
    ("transform(me.removed.0)", is_transformed, Reach::Any),
    ("destroy()", is_destroyed, Reach::Any),
    ("moveTo(myRemoved)", is_removed, Reach::Any),
    ("reveal()", is_shown, Reach::Any),
    ("swapChars()", changes_slot, Reach::Two),
    ("swapAbilities()", gets_ability, Reach::Two),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Action,
    Auto,
    Nested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clause {
    None,
    Main,
    Own,
}

/// The rule of the source, and of the card whose rule it runs; a clause names the opponent's Rook.
fn rules(command: &str, part: Part, clause: Clause, is_action: bool) -> (String, String) {
    let (main, own) = match clause {
        Clause::None => ("", ""),
        Clause::Main => ("target = \"Rook\"@oppRing;; ", ""),
        Clause::Own => ("", " to(\"Rook\"@oppRing)"),
    };
    match part {
        Part::Action => (format!("{main}action = {command}{own}"), String::new()),
        Part::Auto if is_action => (
            format!("{main}action = sp(+0) to(me);; auto = ~endPhase:once~ {command}{own}"),
            String::new(),
        ),
        Part::Auto => (format!("{main}auto = ~endPhase~ {command}{own}"), String::new()),
        Part::Nested => (
            "action = activate(me.discards.0)".into(),
            format!("{main}action = {command}{own}"),
        ),
    }
}

/// Without a target clause, commands on cards take their source, in actions and autos
/// alike (D27, D104, R602).
#[test]
fn every_command_takes_the_source_without_a_clause() {
    let mut failed = Vec::new();
    for (command, happens, reach) in COMMANDS {
        for part in [Part::Action, Part::Auto, Part::Nested] {
            for clause in [Clause::None, Clause::Main, Clause::Own] {
                for is_action in [false, true] {
                    // The only target of an Action's own `target` must be there when it is played.
                    let (source, inner) = rules(command, part, clause, is_action);
                    let kind = match (is_action, part) {
                        (true, _) => "action",
                        (false, Part::Auto) => "auto",
                        (false, Part::Action | Part::Nested) => "triggered",
                    };
                    let cards = format!(
                        "
                        Src {kind}: {source}
                        Inner action: {inner}
                        Gift auto: auto = ~myDrawPhase~ sp(+1)
                        Rook auto: auto = ~myDrawPhase~ sp(+1)
                        "
                    );
                    let piles = "opp Rook; me.discards Inner; me.removed Gift";
                    let (position, choices) = match (is_action, part) {
                        (true, Part::Auto) => (format!("me.hand Src; {piles}"), "play Src, pass, pass"),
                        (true, _) => (format!("me.hand Src; {piles}"), "play Src"),
                        (false, Part::Auto) => (format!("me Src; {piles}"), "pass, pass"),
                        (false, _) => (format!("me Src; {piles}"), "use Src"),
                    };
                    let constants = Constants {
                        ring_slots: 2,
                        ..Constants::default()
                    };
                    let play = check_with(constants, &cards, &position, choices, "");
                    let done = |name: &str| play.count(|event| happens(&play, event, name)) > 0;
                    let has_clause = clause != Clause::None;
                    // An Action that has run lies in the discards, and in play it is no character.
                    let hits_source = match reach {
                        Reach::Ring => !has_clause && !is_action,
                        Reach::Any => !has_clause,
                        Reach::Two => false,
                    };
                    // `destroy` takes nothing out of the discards (R611).
                    let lies_there = command == "destroy()" && is_action && part == Part::Auto;
                    let expected = (hits_source && !lies_there, has_clause && reach != Reach::Two);
                    let found = (done("Src"), done("Rook"));
                    if found != expected {
                        failed.push(format!(
                            "{command} {part:?} {clause:?} action {is_action}: {found:?}, not {expected:?}"
                        ));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// R309, R602: a clause that found nothing is no missing clause; only `bp`, `destroy`, `copyAbility` and
/// abilities then take the source.
#[test]
fn a_clause_that_finds_nothing_is_a_clause() {
    let cards = "
        Bp triggered: action = bp(+100) to?(\"Foe\"@oppRing)
        Kill triggered: action = destroy() to?(\"Foe\"@oppRing)
        Ice triggered: action = freeze() & damage(100) to?(\"Foe\"@oppRing)
        Lift triggered: target? = \"Foe\"@oppRing;; action = moveTo(myHand) & loseAbility()
    ";
    check(cards, "me Bp; opp Rook", "use Bp", "me.ring Bp400%");
    check(
        cards,
        "me Kill; opp Rook",
        "use Kill",
        "me.ring; me.discards Kill",
    );
    check(cards, "me Ice; opp Rook", "use Ice", "me.ring Ice300%");
    check(
        cards,
        "me Lift; opp Rook",
        "use Lift",
        "me.ring Lift300%; me.hand",
    );
}

/// D33, D34, G212, G216: commands that name a pile of their own do so in autos as well, where `tgt` is
/// the source (R1101).
#[test]
fn commands_with_a_pile_of_their_own() {
    for (kind, head, choices) in [
        ("action", "action =", "play Src"),
        ("auto", "auto = ~endPhase~", "pass, pass"),
    ] {
        let place = |kind: &str| match kind {
            "action" => "me.hand Src",
            _ => "me Src",
        };
        let position = format!("{}; opp.hand Rook; me.deck Foe Wall; opp.deck Knave", place(kind));
        let card = |command: &str| format!("Src {kind}: {head} {command}");
        check(&card("peek()"), &position, choices, "me.knows Rook");
        check(
            &card("moveRevealedTo(myRemoved)"),
            &position,
            choices,
            "me.deck; me.removed Wall Foe",
        );
        let look = format!("{choices}, to Wall, bottom");
        check(&card("prophecy(2)"), &position, &look, "me.deck Wall Foe");
        check(&card("shuffle()"), &position, choices, "me.sees.me.deck ? ?");
        check(
            &card("steal(\"Aid\"@myRing) & hp(-100) & sp(+2) & trash(1)"),
            &position,
            choices,
            "me.hp 2900; me.sp 2; me.deck Wall",
        );
    }
}

/// D27: what bars a player from playing is its controller's without a clause, also in a continuous auto.
#[test]
fn bars_on_playing_are_the_controllers() {
    let cards = "
        Ban auto: auto = [[if alone]] +cantplayac
        Spark action: action = sp(+1)
    ";
    check(cards, "me Ban; me.hand Spark", "!play Spark", "changes 1");
    check(cards, "me Ban Rook; me.hand Spark", "?play Spark", "changes 0");
}
