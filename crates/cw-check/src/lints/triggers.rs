//! Events and hooks: RS016's neighbours RS029, RS035, RS056, RS057, RS061, RS065, RS066, RS081.

use cw_program::{CardType, CommandName, EventKind, EventName, Scope};
use cw_syntax::{ArgForm, Condition, EffectSyntaxKind, StatementBody, Target, TargetClauseSyntax, rs};
use cw_text::{Severity, Span};

use super::Lints;
use crate::aim;
use crate::groups::{StatementGroup, each_branch};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    for group in lints.groups {
        cost_changes(lints, group);
        if !group.events.is_empty() {
            delimiters(lints, group);
            acting_query(lints, group);
            dies_with_card(lints, group);
            ignored_suffix(lints, group);
            wrong_me(lints, group);
            reads_backwards(lints, group);
        }
    }
}

fn has_effects(group: &StatementGroup<'_>) -> bool {
    group.parts.iter().any(|part| !part.branch.effects.is_empty())
}

/// Reports events between `?`, and hooks without effects between `~` (R233, RS029).
fn delimiters(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let Some(trigger) = group.trigger else { return };
    if trigger.span.end - trigger.span.start < 2 {
        return;
    }
    let (message, delimiter) = if trigger.hook && !group.is_hook() {
        ("write events between `~` and hooks between `?`", "~")
    } else if !trigger.hook && group.is_hook() && !has_effects(group) {
        ("write hooks between `?` and events between `~`", "?")
    } else {
        return;
    };
    let open = Span::new(trigger.span.start as usize, trigger.span.start as usize + 1);
    let close = Span::new(trigger.span.end as usize - 1, trigger.span.end as usize);
    let title = format!("use `{delimiter}`");
    lints.safe_fix(
        rs::RS029,
        trigger.span,
        message,
        title,
        &[(open, delimiter), (close, delimiter)],
    );
}

/// D18, RS029: queries are asked whenever options are listed; they cannot act.
fn acting_query(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    if !group.is_query() {
        return;
    }
    let name = group.events[0].name;
    for part in group.parts {
        for effect in part.branch.effects {
            let is_cost =
                matches!(crate::groups::call(effect), Some(call) if call.name == CommandName::ModCost);
            if !is_cost {
                let message = format!("`{name}` is only asked; this effect never runs");
                let finding = lints.add(rs::RS029, effect.span, message);
                finding.severity = Severity::Error;
                finding.help = Some("a hook takes conditions: true allows, false forbids".to_string());
            }
        }
    }
}

const COSTS: [EventName; 5] = [
    EventName::BeforePayCostCharacter,
    EventName::BeforePayCostAction,
    EventName::BeforePayCostReaction,
    EventName::BeforePayCostUa2,
    EventName::BeforePayCostUa3,
];

fn cost_word(name: EventName) -> Option<&'static str> {
    let words = ["character", "action", "reaction", "ua2", "ua3"];
    COSTS
        .iter()
        .position(|cost| *cost == name)
        .map(|index| words[index])
}

/// Reports `modCost` and `modDamage` outside of the events that compute what they change (RS056).
fn cost_changes(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for part in group.parts {
        for call in part.calls {
            let wrong = match call.name {
                CommandName::ModCost if !group.listens_to(&COSTS) => {
                    Some("`modCost` works only in `~beforePayCost…~`; elsewhere use `alterCost`".to_string())
                }
                CommandName::ModCost => {
                    let kind = call.arguments.first().map_or("", |argument| argument.text.text);
                    let paid = group.events.iter().filter_map(|event| cost_word(event.name));
                    let fits = paid.into_iter().any(|word| word.eq_ignore_ascii_case(kind));
                    (!fits).then(|| format!("this event computes no cost of `{kind}`"))
                }
                CommandName::ModDamage if !group.listens_to(&[EventName::BeforeDamage]) => {
                    Some("`modDamage` works only in `~beforeDamage~`".to_string())
                }
                CommandName::AlterCost if group.listens_to(&COSTS) => {
                    Some("`alterCost` changes later costs, not the one being paid; use `modCost`".to_string())
                }
                _ => None,
            };
            if let Some(message) = wrong {
                lints.add(rs::RS056, call.span, message);
            }
        }
    }
}

/// Reports an auto of an Action or Reaction that is gone with its card before the event (R908, RS057).
fn dies_with_card(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let on_paper = lints
        .card
        .is_some_and(|card| matches!(card.card_type, Some(CardType::Action | CardType::Reaction)));
    if !on_paper {
        return;
    }
    for event in group.events {
        if event.has_suffix("once") {
            continue;
        }
        let end = Span::at(event.span.end as usize);
        lints.fix(
            rs::RS057,
            event.span,
            "this card is gone before the event happens, and its auto with it",
            "add `:once`",
            &[(end, ":once")],
        );
    }
}

/// R909, RS065: `:char`.
fn ignored_suffix(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for event in group.events {
        for suffix in event.suffixes {
            if suffix.is("char") {
                lints.add(rs::RS065, suffix.span, "in other engines `:char` is never true");
            }
        }
    }
}

/// D5, R301, RS061: in an opponent's event `me` is the opponent.
fn wrong_me(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let tied = |event: &crate::groups::Listened<'_>| event.name.form().object.is_some();
    let foreign = group.events.iter().find(|event| {
        let asks_defender = event.name == EventName::CanBlock;
        asks_defender || (!tied(event) && matches!(event.scope, Scope::Opp | Scope::Any))
    });
    let Some(event) = foreign.copied() else { return };
    let executor = event.name.form().executor;
    for statement in group.statements {
        let mut seen: Option<(Span, Option<&'static str>)> = None;
        each_branch(&statement.body, |branch| {
            seen = seen.or_else(|| branch.to.as_ref().and_then(side_word));
        });
        if seen.is_none() {
            seen = expression_me(lints.text, &statement.body).map(|span| (span, None));
        }
        let Some((span, other)) = seen else {
            if event.scope == Scope::Opp && event.name != EventName::CanBlock {
                opponents_opponent(lints, &statement.body, event);
            }
            continue;
        };
        let message = format!(
            "in `{}`, the acting player is {executor}, not the card's controller",
            event.name
        );
        let help = "`me` and `my` mean the acting player; `this.controller` is the card's own";
        // `oppRing` is hardly meant there, but `me` may be: "the opponent loses 100 HP".
        let names_opp = other == Some("my");
        if !names_opp && event.name != EventName::CanBlock {
            match whom_text_means(lints, event.scope) {
                Some(true) => continue,
                Some(false) => {}
                None if event.scope == Scope::Opp => {
                    let finding = lints.add(rs::RS061, span, message);
                    finding.severity = Severity::Hint;
                    finding.help = Some(help.to_owned());
                    continue;
                }
                None => {}
            }
        }
        match other.filter(|_| event.scope == Scope::Opp) {
            Some(other) => {
                let title = format!("write `{other}` for the card's own player");
                let text = swapped(&lints.text[span.range()], other);
                lints.fix(rs::RS061, span, message, title, &[(span, &text)]).help = Some(help.to_string());
            }
            None => lints.help(rs::RS061, span, message, help),
        }
    }
}

/// Whether the printed text speaks of the player who acts, not of the card's own, where `me` stands; `None`
/// where nobody can tell.
fn whom_text_means(lints: &Lints<'_, '_>, scope: Scope) -> Option<bool> {
    let said = super::said::SaidText::of(lints.card)?;
    let acting: &[&str] = match scope {
        Scope::Any => &[
            "each player",
            "every player",
            "that player",
            "the player whose turn",
            "players",
            "they",
            "their",
            "active player",
        ],
        Scope::My | Scope::Opp => &[
            "the opponent loses",
            "the opponent gains",
            "the opponent discards",
            "the opponent draws",
            "the opponent takes",
            "the opponent may",
            "the opponent can",
            "the opponent skips",
            "the opponent puts",
            "the opponent freezes",
            "opponent loses",
            "opponent discards",
            "opponent takes",
            "opponent draws",
            "opponent gains",
            "opponent cannot",
            "opponent can't",
            "they",
            "their",
            "them",
            "that player",
            "to the opponent",
            "to your opponent",
            "the opponent's characters",
            "enemy",
            "opposing",
        ],
    };
    let own = said.any(&[
        "you",
        "this card's player",
        "its player",
        "its controller",
        "of your",
        "your own",
    ]) || said.any(&[
        "your characters",
        "your character",
        "your hand",
        "your deck",
        "your discard pile",
        "your ring",
    ]);
    match (said.any(acting), own) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// RS061: `opp` alone may be meant, cards rely on it; so this is a hint.
fn opponents_opponent(
    lints: &mut Lints<'_, '_>,
    body: &StatementBody<'_>,
    event: crate::groups::Listened<'_>,
) {
    let Some(word) = super::traps::opponents_opponent(body) else {
        return;
    };
    let message = format!(
        "in `{}`, the opponent acts, so `{}` means the card's own player",
        &lints.text[event.span.range()],
        word.text
    );
    let finding = lints.add(rs::RS061, word.span, message);
    finding.severity = Severity::Hint;
    finding.help =
        Some("`me` and `my` mean the acting player; `this.controller` is the card's own".to_owned());
}

/// The first `me`, `my…` or `opp…` of a clause, and the opposite. `opp` alone is another matter.
fn side_word(clause: &TargetClauseSyntax<'_>) -> Option<(Span, Option<&'static str>)> {
    clause.targets.iter().find_map(target_side)
}

fn target_side(target: &Target<'_>) -> Option<(Span, Option<&'static str>)> {
    for one in target.types {
        if one.quoted {
            continue;
        }
        if one.name.is("me") {
            return Some((one.name.span, Some("this.controller")));
        }
    }
    let zone = target.zone?;
    let found = aim::zone(target)?;
    let lower = zone.text.to_ascii_lowercase();
    if lower.starts_with("opp") {
        return Some((zone.span, Some("my")));
    }
    let mine = found.side == cw_program::ZoneSide::Mine && found.place != cw_program::ZonePlace::Arena;
    (mine && found.place != cw_program::ZonePlace::InFront).then_some((zone.span, Some("opp")))
}

/// `oppRing` from `myRing`, `ring` or the other way round.
fn swapped(word: &str, side: &str) -> String {
    if word.eq_ignore_ascii_case("me") {
        return side.to_string();
    }
    let lower = word.to_ascii_lowercase();
    let place = lower
        .strip_prefix("opp")
        .or_else(|| lower.strip_prefix("my"))
        .unwrap_or(&lower);
    match place.split_at_checked(1) {
        Some((first, rest)) => format!("{side}{}{rest}", first.to_uppercase()),
        None => side.to_string(),
    }
}

/// The first `me` in the expressions of a statement.
fn expression_me(text: &str, body: &StatementBody<'_>) -> Option<Span> {
    let mut words = Vec::new();
    if let StatementBody::If { arms, .. } = body {
        words.extend(arms.iter().map(|arm| arm.test));
    }
    each_branch(body, |branch| {
        for effect in branch.effects {
            if let EffectSyntaxKind::Call { arguments, .. } = effect.kind {
                for argument in arguments {
                    match argument.form {
                        ArgForm::Text | ArgForm::Word => words.push(argument.text),
                        ArgForm::Each(each) => words.push(each.over),
                        ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question => {}
                    }
                }
            }
        }
    });
    words.into_iter().find_map(|word| {
        super::expressions::names(word)
            .find(|name| name.is("me"))
            .map(|name| name.span)
            .filter(|span| !text[span.range()].is_empty())
    })
}

/// The only condition of a statement that has no effects: what answers a hook.
pub(super) fn lone_condition<'s, 'a>(body: &'s StatementBody<'a>) -> Option<&'s Condition<'a>> {
    match body {
        StatementBody::If {
            arms: [arm],
            otherwise: None,
        } if arm.branch.effects.is_empty() => Some(arm),
        _ => None,
    }
}

/// R507, RS081: the condition of a block says when it is allowed; many mean when it is forbidden.
fn reads_backwards(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let Some(card) = lints.card.filter(|_| group.listens_to(&[EventName::CanBlock])) else {
        return;
    };
    for statement in group.statements {
        let Some(arm) = lone_condition(&statement.body) else {
            continue;
        };
        let test = arm.test;
        let help = "true allows the block, false forbids it, and `me` is the player who blocks";
        let forbid = format!("not ({})", test.text);
        match printed_sense(&card.text.to_lowercase(), &test.text.to_lowercase()) {
            Sense::Agrees => {}
            Sense::Open => {
                let message = "a block is allowed where this is true";
                let help = format!("{help}; to forbid it where this is true: `[[if {forbid}]]`");
                lints.help(rs::RS081, test.span, message, help);
            }
            Sense::Contradicts => {
                let message = "this says who can block the card; its text says who cannot";
                let title = format!("write `{forbid}`");
                lints
                    .fix(rs::RS081, test.span, message, title, &[(test.span, &forbid)])
                    .help = Some(help.to_owned());
            }
        }
    }
}

/// What a card's text says about the condition of its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// The text says who can block, as the condition does.
    Agrees,
    /// Nobody can tell.
    Open,
    /// The text says who cannot, in the words of the condition.
    Contradicts,
}

/// Compares a text and a condition, both in lower case: the direction of the comparison and the words for it.
fn printed_sense(text: &str, test: &str) -> Sense {
    const NEGATED: [&str; 5] = ["cannot", "can't", "can\u{2019}t", "not be blocked", "not block"];
    const UP: [&str; 7] = [
        "or more",
        "at least",
        "more than",
        "higher",
        "above",
        "stronger",
        "greater",
    ];
    const DOWN: [&str; 7] = [
        "or less",
        "at most",
        "less than",
        "lower",
        "below",
        "weaker",
        "fewer",
    ];
    let Some(sentence) = text
        .split(['.', '\n'])
        .find(|sentence| sentence.contains("block") || sentence.contains("counter"))
    else {
        return Sense::Open;
    };
    // Asked of one blocker only, it says what that one may counter.
    let own: String = test.split_whitespace().collect();
    if own.starts_with("blocker!=thisor") {
        return Sense::Agrees;
    }
    let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
    if !has(&NEGATED) || test.contains("not ") || test.contains("!=") {
        return Sense::Agrees;
    }
    let less = test.find('<');
    let more = test.find('>');
    let ((Some(at), None) | (None, Some(at))) = (less, more) else {
        return Sense::Open;
    };
    // `600 <= blocker.bp` is `blocker.bp >= 600`.
    let is_turned = test[at..].contains("blocker");
    let is_up = more.is_some() != is_turned;
    match (has(&UP), has(&DOWN)) {
        (up, down) if up == down => Sense::Open,
        (up, _) if up == is_up => Sense::Contradicts,
        _ => Sense::Agrees,
    }
}

/// Whether a group only answers, so that a condition alone makes sense.
pub(super) fn answers(group: &StatementGroup<'_>) -> bool {
    group
        .events
        .iter()
        .any(|event| event.name.form().kind != EventKind::Event)
}
