//! The printed text and what an auto hears: coming or any change, KOed or gone, this card or each of them,
//! while something is so, and of whom it speaks behind an event (RS081, RS093).

use cw_program::{ActsOn, CardType, CommandName, EventKind, EventName, Scope};
use cw_syntax::{EffectSyntax, EffectSyntaxKind, StatementBody, rs};
use cw_text::Span;

use super::Lints;
use super::said::SaidText;
use super::said_events::{asked_by_test, asked_by_text};
use super::triggers::lone_condition;
use crate::groups::{Listened, StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    for group in lints.groups {
        if group.events.is_empty() {
            continue;
        }
        enters(lints, group, said);
        is_koed(lints, group, said);
        each_of_them(lints, group, said);
        while_it_is(lints, group, said);
        that_player(lints, group, said);
        that_character(lints, group, said);
        damage_to_characters(lints, group, said);
        lifts(lints, group, said);
    }
}

fn is_character(lints: &Lints<'_, '_>) -> bool {
    lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character))
}

/// R902, R905, RS093: an auto without an event runs once, as its card enters.
fn enters(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let ([event], Some(trigger)) = (group.events, group.trigger) else {
        return;
    };
    let about_turns = said.says_one(&["turn|turns|phase|phases"]);
    let heard = match event.name {
        EventName::RingChanges => "whenever any character enters or leaves your ring",
        EventName::HandChanges => "whenever cards come to your hand or leave it",
        EventName::ActivatePhase | EventName::DrawPhase | EventName::EndPhase if !about_turns => {
            "in each turn"
        }
        _ => return,
    };
    if !comes_itself(lints, said) {
        return;
    }
    let name = &lints.text[event.span.range()];
    let end = trigger.span.end as usize;
    let blanks = lints.text[end..].len() - lints.text[end..].trim_start_matches(' ').len();
    let span = Span::new(trigger.span.start as usize, end + blanks);
    lints
        .fix(
            rs::RS093,
            event.span,
            format!("`{name}` is heard {heard}; the card's text says once, when this one enters"),
            "remove the event",
            &[(span, "")],
        )
        .help = Some("an auto without an event runs once, as its card enters the ring".to_owned());
}

/// Whether the text tells of the moment in which this character enters, and of no other.
pub(super) fn comes_itself(lints: &Lints<'_, '_>, said: &SaidText) -> bool {
    let comes = said.says_one(&[
        "when|once|as|after ?this|it ?character|card enters|arrives",
        "when|once|as|after this|it ?character|card is played|summoned",
        "when|once|as|after this|it ?character|card comes into|in",
        "when you play this|it",
        "when played",
        "^ on entering",
    ]);
    comes && is_character(lints) && !said.says_one(&["leaves|leave", "whenever .. other|another"])
}

const KOED: &[&str] = &[
    "is|are|gets|was|been|being ko'd|koed|ko-ed|kod|destroyed|defeated|killed",
    "dies|die",
    "goes|go|put to|into ?your|its|the ?owner's|player's discard|discards",
];

/// R613, RS093: who leaves the ring is KOed, or goes to a hand or a deck.
fn is_koed(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some(event) = group
        .events
        .iter()
        .find(|event| event.name == EventName::LeavesRing)
    else {
        return;
    };
    let all = said.says_one(&["leaves|leave|left|leaving", "returned|return|returns|removed"]);
    let rule = lints.lower;
    if !said.says_one(KOED) || all || rule.contains("discards") {
        return;
    }
    // Of others nobody can ask, since the event does not say which card it was.
    if event.has_suffix("any") {
        return;
    }
    let test = "any card == this in this.owner.discards";
    let message = format!(
        "`{}` is heard, too, when the character goes to a hand or a deck; the card's text says KOed",
        &lints.text[event.span.range()]
    );
    let help = format!("who was KOed lies in the discard pile: `[[if {test}]]`");
    let plain = match group.statements {
        [statement] => match &statement.body {
            StatementBody::Plain(branch) if !branch.effects.is_empty() => Some(branch.span),
            _ => None,
        },
        _ => None,
    };
    let Some(branch) = plain else {
        lints.help(rs::RS093, event.span, message, help);
        return;
    };
    let text = format!("[[if {test}]] ");
    lints
        .fix(
            rs::RS093,
            event.span,
            message,
            "ask where it lies",
            &[(Span::at(branch.start as usize), &text)],
        )
        .help = Some(help);
}

const OF_YOURS: &[&str] = &[
    "when|whenever|once|if|time ?any|one|each|another ?of your ?other ?* characters|character",
    "when|whenever|once|if|time ?a|any|another ?* character|characters of yours",
];
const OF_ANYBODY: &[&str] = &["when|whenever|if|time a|any|another ?other ?* character \
                               attacks|counters|blocks|deals|is|leaves|counter-attacks|dies"];

/// D20, R906, RS093: events that are tied to a card are heard of this card alone.
fn each_of_them(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let ([event], true) = (group.events, is_character(lints)) else {
        return;
    };
    let form = event.name.form();
    let speaks_of_itself = said.says_one(&[
        "when|whenever|time|if|once this|it|it's ?character|card",
        "this character|card attacks|counters|blocks|deals|is",
    ]) || lints.card.is_some_and(|card| said.has(&card.name.to_lowercase()));
    // Without a `trigger` nobody can ask whose card it was: then only what is heard of all cards can be
    // right.
    if form.object.is_none()
        || form.kind != EventKind::Event
        || event.scope != Scope::My
        || event.has_suffix("any")
        || speaks_of_itself
    {
        return;
    }
    let (says, test) = match (said.says_one(OF_YOURS), said.says_one(OF_ANYBODY)) {
        (true, _) if form.trigger.is_none() => return,
        (true, _) => ("each of yours", "[[if trigger.controller == this.controller]] "),
        (false, true) => ("any character", ""),
        (false, false) => return,
    };
    let [statement] = group.statements else { return };
    let StatementBody::Plain(branch) = &statement.body else {
        return;
    };
    let name_end = lints.text[event.span.range()]
        .find(':')
        .map_or(event.span.end as usize, |at| event.span.start as usize + at);
    let suffix = Span::new(name_end, event.span.end as usize);
    let message = format!(
        "`{}` is heard of this card alone; the card's text says {says}",
        &lints.text[event.span.range()]
    );
    lints
        .fix(
            rs::RS093,
            event.span,
            message,
            "write `:any` behind it",
            &[(suffix, ":any"), (Span::at(branch.span.start as usize), test)],
        )
        .help =
        Some("`:any` hears it of every card of both players; `trigger` is the card it is about".to_owned());
}

/// R505, RS093: what is added when something happens stays when it is over.
fn while_it_is(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let mut calls = group.parts.iter().flat_map(|part| part.calls);
    if !calls.any(|call| call.name == CommandName::Bp) {
        return;
    }
    let lasts = said.sentences().any(|sentence| {
        let goes_on = sentence.says_one(&[
            "while|whilst .. has|have|gain|gains|get|gets|is|are|it",
            "as|so long as",
            "for as long",
        ]);
        // "When it attacks while you have no cards, it gains 300 BP" speaks of one moment.
        goes_on && !sentence.says_one(&["when|whenever|time|at|start|beginning"])
    });
    if !lasts || group.is_hook() {
        return;
    }
    let rule: String = lints.text[lints.rule.span.range()]
        .to_ascii_lowercase()
        .split_whitespace()
        .collect();
    for part in group.parts {
        if part.branch.restriction.is_some() || part.branch.to.is_some() || lints.keys.target.is_some() {
            continue;
        }
        for call in part.calls.iter().filter(|call| call.name == CommandName::Bp) {
            let [argument] = call.arguments else { continue };
            let written = argument.text.text.trim();
            let Some(amount) = written.trim_start_matches(['+', '-']).parse::<u32>().ok() else {
                continue;
            };
            // Who takes it back at another time has thought of it.
            let opposite = if written.starts_with('-') { '+' } else { '-' };
            if rule.contains(&format!("bp({opposite}{amount})")) {
                continue;
            }
            let message =
                "this is added each time, and for good; the card's text says only while something is so";
            let help = "behind a condition that is false again abilities are taken back, BP are not: \
                        give them for a turn, as in `~myActivatePhase~ [[if alone]] bp(+300) ueot`, \
                        and let the text say so";
            lints.help(rs::RS093, call.span, message, help);
            return;
        }
    }
}

/// The one branch of a group that has no target of its own.
fn bare_branch<'a>(lints: &Lints<'a, '_>, group: &StatementGroup<'a>) -> Option<&'a [EffectSyntax<'a>]> {
    let [part] = group.parts else { return None };
    let is_bare = part.branch.to.is_none() && lints.keys.target.is_none();
    (is_bare && !part.branch.effects.is_empty()).then_some(part.branch.effects)
}

/// R301, R602, RS093: without `to` an effect is for the card's own player, in everybody's turn.
fn that_player(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let tied = |event: &Listened<'_>| event.name.form().object.is_some();
    let of_all = group
        .events
        .iter()
        .all(|event| event.scope == Scope::Any && !tied(event));
    if !of_all {
        return;
    }
    let says = said.says_one(&[
        "that|the|active player loses|gains|draws|discards|takes|skips|must|may|reveals|shuffles",
        "they lose|gain|draw|discard|take|skip|reveal",
        "player whose turn it is",
        "each|every player loses|gains|draws|discards|takes .. their|own",
        "their .. each player loses|gains|draws|discards|takes",
    ]);
    let Some(effects) = bare_branch(lints, group).filter(|_| says) else {
        return;
    };
    let is_for_player = |effect: &EffectSyntax<'_>| {
        call(effect).is_some_and(|call| call.name.signature().acts_on == ActsOn::Players)
    };
    let (first, last) = (effects[0].span, effects[effects.len() - 1].span);
    if !effects.iter().all(is_for_player) {
        return;
    }
    lints
        .fix(
            rs::RS093,
            first,
            "without `to` this is for the card's own player in both players' turns; \
             the card's text says that player",
            "add `to(me)`",
            &[(Span::at(last.end as usize), " to(me)")],
        )
        .help = Some("in an event of a player, `me` is the player who raised it".to_owned());
}

/// R602, R910, RS093: without `to` an effect is for this card, whoever the event is about.
fn that_character(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let about_another = |event: &Listened<'_>| {
        let form = event.name.form();
        let is_tied = form.object.is_some();
        form.trigger.is_some_and(|trigger| !trigger.contains("paid"))
            && form.kind == EventKind::Event
            && (!is_tied || event.has_suffix("any"))
            && !event.has_suffix("this")
            && event.name != EventName::BeforeDamage
    };
    if !group.events.iter().all(about_another) {
        return;
    }
    let says = said.says_one(&[
        "that character|card|attacker|blocker",
        "whenever|when ?you * ?up a|any|another|one .. character it|that gains|gets|loses|freezes|has",
        "the character|attacker|blocker gains|gets|loses|freezes|has",
    ]);
    let own = said.says_one(&["this character|card gains|gets|loses|freezes|has|unfreezes"]);
    let Some(effects) = bare_branch(lints, group).filter(|_| says && !own) else {
        return;
    };
    let is_for_cards = |effect: &EffectSyntax<'_>| match effect.kind {
        EffectSyntaxKind::Ability { .. } => true,
        EffectSyntaxKind::Call { arguments, .. } => call(effect).is_some_and(|call| {
            let acts_on = call.name.signature().acts_on;
            let names = arguments
                .iter()
                .any(|one| one.text.text.to_ascii_lowercase().contains("trigger"));
            matches!(acts_on, ActsOn::Cards | ActsOn::CardsOrSource | ActsOn::Both) && !names
        }),
    };
    let (first, last) = (effects[0].span, effects[effects.len() - 1].span);
    if !effects.iter().all(is_for_cards) {
        return;
    }
    lints
        .fix(
            rs::RS093,
            first,
            "without `to` this acts on this card itself; \
             the card's text says the character that the event is about",
            "add `to(trigger)`",
            &[(Span::at(last.end as usize), " to(trigger)")],
        )
        .help = Some("`trigger` is the card that an event is about".to_owned());
}

/// R620, RS093: `beforeDamage` is about damage to players.
fn damage_to_characters(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some(event) = group
        .events
        .iter()
        .find(|event| event.name == EventName::BeforeDamage)
    else {
        return;
    };
    let says = said.says_one(&[
        "takes|take|suffers|suffer|receives|receive # ?less damage ?less|fewer",
        "takes|take|suffers|receives less|no|half ?the damage",
        "damage to|dealt this|it|your|enemy ?character|characters",
        "damaged|damage|hurt by actions|reactions",
    ]);
    let players = said.says_one(&["you take|are|receive|suffer", "to you", "player|players|opponent"]);
    if !says || players || !is_character(lints) {
        return;
    }
    lints.help(
        rs::RS093,
        event.span,
        "only damage to players is heard here; the card's text speaks of damage to a character",
        "nothing changes the damage that a character takes: let the text say \
         \u{201c}you take 100 damage less\u{201d} (`~oppBeforeDamage~`), or give BP in return (`bp(+100)`)",
    );
}

/// R507, R911, RS081: hooks where false lifts what limits a card.
fn lifts(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let (words, message, help): (&[&str], _, _) = if group.listens_to(&[EventName::BackupLimit]) {
        (
            &[
                "any number of times|back-ups|backups",
                "as often|many",
                "unlimited",
                "more than once",
                "without limit",
                "no limit",
            ],
            "the limit holds where this is true; the card's text says that it is lifted then",
            "in `?backupLimit?` true keeps the limit of one back-up a turn, false lifts it",
        )
    } else if group.listens_to(&[EventName::PlayAsFresh]) {
        (
            &["not fresh", "is never fresh", "isn't|aren't fresh"],
            "it is fresh where this is true; the card's text says that it is not",
            "in `?playAsFresh?` true is fresh, false is not fresh",
        )
    } else {
        return;
    };
    for statement in group.statements {
        let Some(arm) = lone_condition(&statement.body) else {
            continue;
        };
        let mut sentences = said.sentences();
        let Some(sentence) = sentences.find(|one| one.says_one(words)) else {
            continue;
        };
        let (Some(says), Some(asks)) = (asked_by_text(&sentence), asked_by_test(arm.test.text)) else {
            continue;
        };
        if says != asks || sentence.says_one(&["unless|except"]) {
            continue;
        }
        let test = arm.test;
        let lifted = opposite(test.text);
        let title = format!("write `{lifted}`");
        let edits = [(test.span, lifted.as_str())];
        lints.fix(rs::RS081, test.span, message, title, &edits).help = Some(help.to_owned());
    }
}

/// The condition that is true where this one is false.
fn opposite(test: &str) -> String {
    const SIGNS: [(&str, &str); 6] = [
        (" >= ", " < "),
        (" <= ", " > "),
        (" == ", " != "),
        (" != ", " == "),
        (" > ", " <= "),
        (" < ", " >= "),
    ];
    let is_one = |word: &str| ["and", "or", "not"].contains(&word);
    let found = SIGNS.iter().find(|(sign, _)| test.contains(sign));
    match found.filter(|_| !test.split_whitespace().any(is_one)) {
        Some((sign, other)) => test.replacen(sign, other, 1),
        None if test.trim().chars().all(char::is_alphanumeric) => format!("not {}", test.trim()),
        None => format!("not ({})", test.trim()),
    }
}
