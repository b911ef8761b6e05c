//! Who hears an event and how often: autos that raise their own event (RS092), prefixes that do not count
//! (RS085), events without effects (RS076).

use cw_program::{CommandName, EventKind, EventName, Scope, ZonePlace, ZoneSide, find_zone};
use cw_syntax::{Argument, BranchSyntax, StatementBody, Target, rs};
use cw_text::{Safety, Severity, Span};

use super::Lints;
use crate::aim;
use crate::groups::{CheckedCall, Listened, StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    for group in lints.groups {
        for part in group.parts {
            after_leaving(lints, part.branch);
        }
        if group.events.is_empty() {
            continue;
        }
        without_effects(lints, group);
        raises_itself(lints, group);
        idle_prefix(lints, group);
    }
}

/// R901, R507, RS076: an event that nothing follows, or a hook without its condition.
fn without_effects(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let is_empty = |branch: &BranchSyntax<'_>| branch.effects.is_empty();
    let nothing = group
        .statements
        .iter()
        .all(|statement| matches!(&statement.body, StatementBody::Plain(branch) if is_empty(branch)));
    let Some(trigger) = group.trigger.filter(|_| nothing) else {
        return;
    };
    let answers = group.events[0].name.form().kind != EventKind::Event;
    let (message, help) = if answers {
        (
            "no condition follows this hook, so it changes nothing",
            "write when it is allowed: `?beforeAttack? [[if not alone]]`",
        )
    } else {
        (
            "nothing follows this event, so nothing happens",
            "its effects stand in the same line: `auto = ~attacks~ damage(100) to(opp)`",
        )
    };
    lints.help(rs::RS076, trigger.span, message, help);
    // The effects may stand in an `action`.
    let actions: Vec<_> = lints.groups.iter().filter(|group| group.action).collect();
    let ([action], true) = (&actions[..], !answers) else {
        return;
    };
    let property = lints.rule.properties.iter().find(|property| {
        let cw_syntax::PropertyValueSyntax::Action(statements) = property.value else {
            return false;
        };
        statements.len() == action.statements.len()
            && statements.first().map(|one| one.span) == action.statements.first().map(|one| one.span)
    });
    let Some(property) = property else { return };
    let effects = property.text.text.to_owned();
    let line = whole_line(lints.text, property.span);
    let file = lints.file;
    let edits = [
        (line, String::new()),
        (Span::at(trigger.span.end as usize), format!(" {effects}")),
    ];
    if let Some(finding) = lints.out.last_mut() {
        finding.fix = Some(cw_text::FindingFix {
            title: "move the effects of the `action` behind it".to_owned(),
            safety: Safety::Unsafe,
            edits: edits
                .into_iter()
                .map(|(span, text)| cw_text::TextEdit { file, span, text })
                .collect(),
        });
    }
}

/// R601, RS090: an effect on targets that the effect before has taken out of the ring.
fn after_leaving(lints: &mut Lints<'_, '_>, branch: &BranchSyntax<'_>) {
    let mut left: Option<Span> = None;
    for effect in branch.effects {
        let is_plain = effect.joiner == cw_syntax::JoinerSyntax::Then;
        let called = call(effect).map(|call| call.name);
        // Damage is for players as well.
        let in_ring = called.is_some_and(|name| name.signature().in_ring && name != CommandName::Damage);
        if let Some(at) = left.filter(|_| is_plain && in_ring) {
            let file = lints.file;
            let message = "this does nothing: its targets have left the ring before";
            let finding = lints.add(rs::RS090, effect.span, message);
            finding.help = Some(
                "`&` goes on with the same targets; others stand in a statement of their own, behind `;`"
                    .to_owned(),
            );
            *finding = finding.clone().label(file, at, "they left by this");
            return;
        }
        let optional = matches!(
            effect.kind,
            cw_syntax::EffectSyntaxKind::Call { optional: true, .. }
        );
        if !optional && matches!(called, Some(CommandName::Destroy | CommandName::MoveTo)) {
            left = Some(effect.span);
        }
    }
}

/// The line of a property, with the break before it or behind it.
pub(super) fn whole_line(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    match text[end..].find('\n') {
        Some(at) => Span::new(start, end + at + 1),
        None => Span::new(start.saturating_sub(1), text.len()),
    }
}

/// D13, R910, RS092: an auto whose effects raise the event that it hears, without a condition.
fn raises_itself(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for event in group.events {
        if event.has_suffix("once") {
            continue;
        }
        for statement in group.statements {
            let StatementBody::Plain(branch) = &statement.body else {
                // What is asked each time ends some day.
                return;
            };
            if !statement.costs.is_empty() {
                return;
            }
            for effect in branch.effects {
                let cw_syntax::EffectSyntaxKind::Call { optional: false, .. } = effect.kind else {
                    continue;
                };
                let Some(call) = call(effect) else { continue };
                let Some(until) = raises(lints, *event, &call, branch) else {
                    continue;
                };
                let written = &lints.text[event.span.range()];
                let message = format!("this raises `{written}` again, and runs {until}");
                let help = match event.name {
                    EventName::HandChanges => {
                        "`handChanges` is heard for every card that comes or goes; a condition ends it: \
                         `[[if me.hand.size < 3]]`; after the draw of the turn is `~myDrawPhase~`"
                    }
                    _ => {
                        "a condition ends it, as `[[if me.ring.size > 2]]`, and `:once` lets it run one time"
                    }
                };
                let file = lints.file;
                let finding = lints.add(rs::RS092, call.span, message);
                finding.help = Some(help.to_owned());
                *finding = finding.clone().label(file, event.span, "heard here");
                return;
            }
        }
    }
}

/// Until when it goes on, if a command raises an event that its own auto hears.
fn raises(
    lints: &Lints<'_, '_>,
    event: Listened<'_>,
    call: &CheckedCall<'_>,
    branch: &BranchSyntax<'_>,
) -> Option<&'static str> {
    let is_any = event.has_suffix("any");
    match event.name {
        EventName::HandChanges => changes_hand(lints, event.scope, call, branch),
        EventName::RingChanges => {
            let from_ring = leaves_ring(lints, call, branch)?;
            hears(event.scope, from_ring).then_some("until nobody is left to take")
        }
        EventName::LeavesRing if is_any => {
            leaves_ring(lints, call, branch).map(|_| "until nobody is left to take")
        }
        EventName::Powerless if is_any => matches!(
            call.name,
            CommandName::LoseAbility
                | CommandName::SwapAbilities
                | CommandName::Steal
                | CommandName::CopyAbility
        )
        .then_some("again and again"),
        EventName::Removed if is_any => {
            let pile = pile_of(call.arguments.first())?;
            let removes = call.name == CommandName::MoveTo && pile.1 == "removed";
            removes.then_some("until there is nothing left to take")
        }
        _ => None,
    }
}

/// Whose it is: of the player who acts, of the other, or of either.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Mine,
    Opponents,
    Either,
}

/// Whether an event of this player's cards is heard, where the acting player is the one who raised it before.
fn hears(scope: Scope, whose: Whose) -> bool {
    match (scope, whose) {
        (Scope::Any, _) | (Scope::My | Scope::Opp, Whose::Mine) => true,
        (Scope::My | Scope::Opp, Whose::Opponents | Whose::Either) => false,
    }
}

/// The side and the pile of an argument, in lower case.
fn pile_of(argument: Option<&Argument<'_>>) -> Option<(ZoneSide, &'static str)> {
    let zone = find_zone(argument?.text.text)?;
    match zone.place {
        ZonePlace::Pile(pile) => Some((zone.side, cw_program::ClosedWord::word(pile))),
        ZonePlace::Arena | ZonePlace::Ring | ZonePlace::InFront => None,
    }
}

fn changes_hand(
    lints: &Lints<'_, '_>,
    scope: Scope,
    call: &CheckedCall<'_>,
    branch: &BranchSyntax<'_>,
) -> Option<&'static str> {
    let clause = branch.to.as_ref().or(lints.keys.target);
    let until_drawn = "until the deck is empty";
    let until_gone = "until the hand is empty";
    match call.name {
        CommandName::Draw | CommandName::Discard | CommandName::RndDiscard => {
            let whose = match clause.map(|clause| clause.targets) {
                // Without targets it is the card's own player, who is not heard in the opponent's events.
                None => (scope != Scope::Opp).then_some(Whose::Mine)?,
                Some([Target { types: [one], .. }]) if !one.quoted && one.name.is("me") => Whose::Mine,
                Some([Target { types: [one], .. }]) if !one.quoted && one.name.is("players") => Whose::Mine,
                Some([Target { types: [one], .. }]) if !one.quoted && one.name.is("opp") => Whose::Opponents,
                Some(
                    [
                        Target {
                            expression: Some(expression),
                            ..
                        },
                    ],
                ) if expression.is("this.controller") => (scope != Scope::Opp).then_some(Whose::Mine)?,
                Some(_) => return None,
            };
            let until = if call.name == CommandName::Draw {
                until_drawn
            } else {
                until_gone
            };
            hears(scope, whose).then_some(until)
        }
        CommandName::MoveTo => {
            let (side, pile) = pile_of(call.arguments.first())?;
            let mine = side == ZoneSide::Mine;
            (pile == "hand" && hears(scope, if mine { Whose::Mine } else { Whose::Opponents }))
                .then_some("until there is nothing left to take")
        }
        _ => None,
    }
}

/// Whose characters a command takes out of the ring.
fn leaves_ring(lints: &Lints<'_, '_>, call: &CheckedCall<'_>, branch: &BranchSyntax<'_>) -> Option<Whose> {
    if !matches!(call.name, CommandName::Destroy | CommandName::MoveTo) {
        return None;
    }
    let clause = branch.to.as_ref().or(lints.keys.target)?;
    let [target] = clause.targets else { return None };
    let characters = matches!(target.types, [one] if !one.quoted
        && aim::card_type(one) == Some(cw_program::CardType::Character));
    if !characters || !target.filters.is_empty() {
        return None;
    }
    let zone = aim::zone(target)?;
    match (zone.place, zone.side) {
        (ZonePlace::Ring, ZoneSide::Mine) => Some(Whose::Mine),
        (ZonePlace::Ring, ZoneSide::Opponent) => Some(Whose::Opponents),
        (ZonePlace::Arena, _) => Some(Whose::Either),
        _ => None,
    }
}

/// D20, R906, RS085: with `:any` an event of a card is heard of both sides' cards, whatever stands before it.
fn idle_prefix(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for event in group.events {
        let form = event.name.form();
        if form.object.is_none() || !event.has_suffix("any") {
            continue;
        }
        let written = &lints.text[event.span.range()];
        let lower = written.to_ascii_lowercase();
        let theirs = lower.starts_with("opp");
        if !theirs && !lower.starts_with("my") {
            continue;
        }
        // A condition that asks whose card it is makes it right.
        let asks = group.statements.iter().any(|statement| match &statement.body {
            StatementBody::If { arms, .. } => {
                let test = arms[0].test.text.to_ascii_lowercase();
                test.contains("controller") || test.contains("owner") || test.contains(".ring")
            }
            StatementBody::Plain(_) | StatementBody::May { .. } => false,
        });
        if asks {
            continue;
        }
        let message =
            format!("`{written}` is heard of both players' cards: with `:any` the prefix does not count");
        let operator = if theirs { "!=" } else { "==" };
        let help = match form.trigger {
            Some(_) if form.trigger == form.object => {
                format!("ask whose it is: `[[if trigger.controller {operator} this.controller]]`")
            }
            Some(_) => format!(
                "ask whose attack it is: `[[if trigger.controller {} this.controller]]`",
                if theirs { "==" } else { "!=" }
            ),
            None => format!("ask who acts, whose card it is: `[[if me {operator} this.controller]]`"),
        };
        let finding = lints.add(rs::RS085, event.span, message);
        finding.severity = Severity::Warning;
        finding.help = Some(help);
    }
}
