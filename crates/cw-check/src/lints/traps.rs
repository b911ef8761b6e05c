//! What reads one way and counts another: RS083–RS088.

use cw_program::{
    AutoKind, CardType, ClosedWord as _, CommandName, EventName, PhaseName, Scope, Zone, ZoneSide, find_zone,
};
use cw_syntax::{
    ArgForm, CostArgument, EffectSyntaxKind, NumberSign, StatementBody, StatementSyntax, Target, WordSyntax,
    parse_targets, rs,
};
use cw_text::{Severity, Span};

use super::Lints;
use crate::aim::Aim;
use crate::groups::{CheckedBranch, CheckedCall, Listened, StatementGroup, each_branch};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    let mut autos = 0;
    for group in lints.groups {
        costs(lints, group);
        narrow_events(lints, group);
        triggers_itself(lints, group);
        outlasting(lints, group);
        next_turn(lints, group);
        if !group.action {
            entering(lints, group, autos);
            autos += 1;
        }
        for part in group.parts {
            for call in part.calls {
                discarded_cards(lints, call, part);
                surprising(lints, call, part);
            }
        }
    }
}

fn is_paper(lints: &Lints<'_, '_>) -> bool {
    let kind = lints.card.and_then(|card| card.card_type);
    matches!(kind, Some(CardType::Action | CardType::Reaction))
}

/// R702, R703: costs are paid with one's own ring and hand.
fn costs(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    // What a cost has used up cannot pay another one (D23).
    let (mut frozen, mut gone) = (false, false);
    for statement in group.statements {
        for cost in statement.costs {
            let is_sacrifice = cost.letter.is("s");
            if cost.letter.is("f") && !is_paper(lints) {
                if frozen || gone {
                    never_paid(lints, cost.span, if gone { "sacrificed" } else { "frozen" });
                }
                frozen = true;
            }
            match &cost.argument {
                CostArgument::None if is_sacrifice => {
                    if gone {
                        never_paid(lints, cost.span, "sacrificed");
                    }
                    gone = true;
                }
                CostArgument::Target(target) if is_sacrifice || cost.letter.is("d") => {
                    let (zone, why) = if is_sacrifice {
                        (
                            Zone::MY_RING,
                            "`{S}` sacrifices from the ring of the player who pays",
                        )
                    } else {
                        (
                            Zone::MY_HAND,
                            "`{D}` discards from the hand of the player who pays",
                        )
                    };
                    forced(lints, target, zone, why, "a cost is paid with your own cards");
                    if Aim::of(target, lints.names).only_players() {
                        let message = "a player cannot be sacrificed or discarded, so this is never paid";
                        lints.add(rs::RS063, cost.span, message).severity = Severity::Error;
                    }
                }
                CostArgument::None | CostArgument::Count(_) | CostArgument::Target(_) => {}
            }
        }
        each_branch(&statement.body, |branch| {
            for call in branch.effects.iter().filter_map(crate::groups::call) {
                let again = [CommandName::Unfreeze, CommandName::Freeze, CommandName::Activate];
                frozen &= !again.contains(&call.name);
                gone &= !matches!(call.name, CommandName::MoveTo | CommandName::Activate);
            }
        });
    }
}

/// Reports a cost that cannot be paid, since an earlier one of the list has used the card up (RS086).
fn never_paid(lints: &mut Lints<'_, '_>, span: Span, done: &str) {
    lints.help(
        rs::RS086,
        span,
        format!("this is never paid: the card was {done} before"),
        "a cost that is not paid ends the list; write each cost once, at the front",
    );
}

/// Reports a zone other than the one that the cost or command takes its cards from in any case (RS083).
fn forced(lints: &mut Lints<'_, '_>, target: &Target<'_>, zone: Zone, why: &str, help: &str) {
    let Some(written) = target.zone else { return };
    if find_zone(written.text).is_none_or(|found| found == zone) {
        return;
    }
    let before = &lints.text[..written.span.start as usize];
    let at = before.rfind('@').unwrap_or(before.len());
    let whole = Span::new(at, written.span.end as usize);
    let message = format!("`@{}` is not searched: {why}", written.text);
    lints
        .fix(rs::RS083, whole, message, "remove the zone", &[(whole, "")])
        .help = Some(help.to_owned());
}

/// R621, RS063, RS083: `discard` names cards of the hand of the player who discards.
fn discarded_cards(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, part: &CheckedBranch<'_>) {
    if call.name != CommandName::Discard {
        return;
    }
    let [argument] = call.arguments else { return };
    if !matches!(argument.form, ArgForm::Word | ArgForm::Text) {
        return;
    }
    let (text, span) = (lints.text, argument.text.span);
    let targets = parse_targets(lints.arena, lints.file, text, span, &mut Vec::new());
    for target in targets {
        if Aim::of(target, lints.names).only_players() {
            let message = format!(
                "`{}` is a player, and `discard` names cards of a hand",
                argument.text.text
            );
            let finding = lints.add(rs::RS063, span, message);
            finding.severity = Severity::Error;
            finding.help = Some(match part.branch.to {
                Some(_) => "write who discards after `to`, and which cards in the brackets".to_owned(),
                None => format!("write `discard() to({})`", argument.text.text),
            });
            return;
        }
        forced(
            lints,
            target,
            Zone::MY_HAND,
            "`discard` takes cards from the hand of the player who discards",
            "`discard(…) to(opp)` makes the opponent discard; \
             to discard cards from other piles, use `moveTo(discards)`",
        );
    }
}

/// R902, RS084: without an event, commands run when the card enters, and never again.
fn entering(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, auto: usize) {
    let kind = lints.program.autos.get(auto).map(|auto| &auto.kind);
    if !matches!(kind, Some(AutoKind::Entering)) || group.trigger.is_some() || is_paper(lints) {
        return;
    }
    let conditional = |statement: &&StatementSyntax<'_>| matches!(statement.body, StatementBody::If { .. });
    let Some(statement) = group.statements.iter().find(conditional) else {
        return;
    };
    let StatementBody::If { arms, .. } = &statement.body else {
        return;
    };
    let has_effect = arms.iter().any(|arm| !arm.branch.effects.is_empty());
    // A text that speaks of it means it.
    const ENTERS: [&str; 6] = ["enter", "play", "comes", "arriv", "put into", "summon"];
    let text = lints
        .card
        .map(|card| card.text.to_lowercase())
        .unwrap_or_default();
    if !has_effect || ENTERS.iter().any(|word| text.contains(word)) {
        return;
    }
    lints.help(
        rs::RS084,
        arms[0].mark,
        "without an event this is asked once, when the card enters the ring",
        "write the event that runs it, as `~ringChanges~`; \
         abilities alone, as `[[if alone]] +rush`, hold all the time",
    );
}

/// D20, RS085: an event that is tied to a card is heard by that card only, whoever is named.
fn narrow_events(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for event in group.events {
        let Some(object) = event.name.form().object else {
            continue;
        };
        let says = ["any", "this", "fromthis"]
            .iter()
            .any(|suffix| event.has_suffix(suffix));
        let written = &lints.text[event.span.range()];
        let message = format!("this card hears `{written}` only when it is {object} itself");
        match event.scope {
            _ if says => {}
            Scope::My => {}
            Scope::Any | Scope::Opp => {
                let name = lints.text[event.span.range()].find(':');
                let end = name.map_or(event.span.end as usize, |at| event.span.start as usize + at);
                let title = "add `:any`";
                lints
                    .fix(rs::RS085, event.span, message, title, &[(Span::at(end), ":any")])
                    .help = Some(
                    "`:any` hears it of every card, of both players; \
                     `[[if trigger.controller != this.controller]]` asks whose it is, \
                     and `:this` says that only this one is meant"
                        .to_owned(),
                );
            }
        }
    }
}

/// R910, RS088: of events that this card itself causes `trigger` is this card.
fn triggers_itself(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let is_itself = |event: &Listened<'_>| {
        let form = event.name.form();
        form.object.is_some() && form.object == form.trigger && !event.has_suffix("any")
    };
    if group.events.is_empty() || !group.events.iter().all(is_itself) {
        return;
    }
    let fights = group.listens_to(&[EventName::Blocked]);
    for part in group.parts {
        let Some(clause) = part.branch.to else { continue };
        let mut types = clause.targets.iter().flat_map(|target| target.types);
        let Some(named) = types.find(|one| !one.quoted && one.name.is("trigger")) else {
            continue;
        };
        let help = match fights {
            true => "who counter-attacks it is `blocker`; for this card write `this`",
            false => "for this card write `this`; with `:any` the event is heard of every card",
        };
        let message = "`trigger` is this card itself in this event";
        let finding = lints.add(rs::RS088, named.name.span, message);
        finding.severity = Severity::Warning;
        finding.help = Some(help.to_owned());
    }
}

/// D94, RS087: what changes without a limit of time, made by a card that is gone, stays.
fn outlasting(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let leaves = group.listens_to(&[EventName::Removed, EventName::LeavesRing])
        && group.events.iter().all(|event| !event.has_suffix("any"));
    let is_paper = is_paper(lints);
    let mut gone = leaves && !is_paper;
    for statement in group.statements {
        let is_itself = |cost: &&cw_syntax::CostSyntax<'_>| {
            cost.letter.is("s") && matches!(cost.argument, CostArgument::None)
        };
        gone |= !is_paper && statement.costs.iter().any(|cost| is_itself(&cost));
        if !gone && !is_paper {
            continue;
        }
        each_branch(&statement.body, |branch| {
            if branch.restriction.is_some() {
                return;
            }
            let lasting = branch.effects.iter().find(|effect| match effect.kind {
                EffectSyntaxKind::Ability { sign, .. } => gone && sign == NumberSign::Plus,
                EffectSyntaxKind::Call { .. } => crate::groups::call(effect).is_some_and(|call| {
                    matches!(
                        call.name,
                        CommandName::DisableRule
                            | CommandName::EnableRule
                            | CommandName::ModRule
                            | CommandName::AlterCost
                    )
                }),
            });
            let Some(effect) = lasting else { return };
            let end = branch.span.end as usize;
            let message = match is_paper {
                true => "this lasts for the rest of the duel",
                false => "this card is gone then, so the change never ends",
            };
            let edits = [(Span::at(end), " ueot")];
            lints
                .fix(
                    rs::RS087,
                    effect.span,
                    message,
                    "write `ueot`: until the end of the turn",
                    &edits,
                )
                .help =
                Some("`ueot` ends it with this turn, `uynt` at the beginning of your next one".to_owned());
        });
    }
}

/// R804: a reaction is played in the opponent's turn, so `ueot` lasts a turn longer (RS088).
fn next_turn(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let Some(card) = lints
        .card
        .filter(|card| card.card_type == Some(CardType::Reaction))
    else {
        return;
    };
    // A text that speaks of it means it.
    let text = card.text.to_lowercase();
    if !group.action
        || ["your turn", "your next turn"]
            .iter()
            .any(|turn| text.contains(turn))
    {
        return;
    }
    for statement in group.statements {
        each_branch(&statement.body, |branch| {
            let Some(limit) = &branch.restriction else { return };
            let written = &lints.text[limit.span.range()];
            if !["ueot", "myUeot"]
                .iter()
                .any(|mine| written.eq_ignore_ascii_case(mine))
            {
                return;
            }
            let message =
                "a reaction is played in the opponent's turn, and this lasts until the end of your next one";
            let edits = [(limit.span, "oppUeot")];
            lints
                .fix(rs::RS088, limit.span, message, "write `oppUeot`", &edits)
                .help = Some("`oppUeot` ends with the opponent's turn, which is this one".to_owned());
        });
    }
}

/// Reports commands that do something else than their arguments suggest (RS088).
fn surprising(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, part: &CheckedBranch<'_>) {
    match (call.name, call.arguments) {
        // D33. A text that names both ends means the question.
        (CommandName::Prophecy, [_] | []) => {
            let text = lints.card.map(|card| card.text.to_lowercase());
            if text.is_some_and(|text| text.contains("bottom")) {
                return;
            }
            lints.help(
                rs::RS088,
                call.span,
                "without a second argument the player is asked whether the cards go to the top or the bottom",
                "where the text says on top, write `top` as the second argument",
            );
        }
        // BP are whole hundreds: another number is rounded where it is set (D102, G167).
        (CommandName::Bp, [amount]) => {
            let number = amount.text.text.trim().strip_prefix('=');
            let number = number.and_then(|number| number.trim().parse::<i32>().ok());
            if let Some(number) = number.filter(|number| number % 100 != 0) {
                let half = if number < 0 { -50 } else { 50 };
                let rounded = number.saturating_add(half) / 100 * 100;
                let text = format!("={rounded}");
                lints.rewrite(
                    rs::RS088,
                    amount.text.span,
                    format!("BP are set in hundreds: this sets {rounded}"),
                    &text,
                );
            }
        }
        // R607: a cost is a negative number, and what is added makes it less.
        (CommandName::AlterCost, [_, amount]) if matches!(amount.form, ArgForm::Int(..0)) => {
            let text = lints
                .card
                .map(|card| card.text.to_lowercase())
                .unwrap_or_default();
            if ["more", "dearer", "additional", "extra", "+", "increase", "rais"]
                .iter()
                .any(|word| text.contains(word))
            {
                return;
            }
            let cheaper = amount.text.text.replacen('-', "+", 1);
            let message =
                "this makes them more expensive: a cost is a negative number, and this is added to it";
            lints.rewrite(rs::RS088, amount.text.span, message, &cheaper).help =
                Some(format!("`{cheaper}` makes them cheaper by as much"));
        }
        // R610: any number but 0 turns over.
        (CommandName::Freeze, [how]) if matches!(how.form, ArgForm::Int(2..)) => {
            let help = format!(
                "write how many before the target: `freeze() to(<{}>character@oppRing)`",
                how.text.text
            );
            lints.help(
                rs::RS088,
                how.text.span,
                "with an argument, `freeze` toggles its targets: frozen ones unfreeze",
                &help,
            );
        }
        // G45: phases are skipped in one's own turn.
        (CommandName::Skip, [phase])
            if PhaseName::find(phase.text.text) == Some(PhaseName::CounterAttack) =>
        {
            let is_opp = |one: &cw_syntax::TypeSyntax<'_>| !one.quoted && one.name.is("opp");
            let clause = part.branch.to.as_ref().or(lints.keys.target);
            let opponent = clause.is_some_and(|clause| {
                let mut types = clause.targets.iter().flat_map(|target| target.types);
                types.any(is_opp)
            });
            if opponent {
                lints.help(
                    rs::RS088,
                    call.span,
                    "this skips the counter-attack of the opponent's own turn, in which you block",
                    "to keep the opponent from blocking, skip your own: `skip(counter-attack) to(me)`",
                );
            }
        }
        _ => {}
    }
}

/// D5, R301: a word of `opp` in an event that the opponent runs: there it is the card's own player.
pub(super) fn opponents_opponent<'a>(body: &StatementBody<'a>) -> Option<WordSyntax<'a>> {
    let is_opp = |word: &WordSyntax<'_>| {
        let zone = || find_zone(word.text).is_some_and(|zone| zone.side == ZoneSide::Opponent);
        word.is("opp") || zone()
    };
    let mut words = Vec::new();
    if let StatementBody::If { arms, .. } = body {
        words.extend(arms.iter().map(|arm| arm.test));
    }
    let mut found = None;
    each_branch(body, |branch| {
        let clause = branch.to.iter().flat_map(|clause| clause.targets);
        let named = clause.flat_map(|target| target.types).filter(|one| !one.quoted);
        found = found.or_else(|| named.map(|one| one.name).find(is_opp));
        for effect in branch.effects {
            if let EffectSyntaxKind::Call { arguments, .. } = effect.kind {
                let texts = arguments
                    .iter()
                    .filter(|argument| matches!(argument.form, ArgForm::Text | ArgForm::Word));
                words.extend(texts.map(|argument| argument.text));
            }
        }
    });
    found.or_else(|| {
        let mut names = words.into_iter().flat_map(super::expressions::names);
        names.find(is_opp)
    })
}
