//! The printed text and what is counted, remembered or chosen at another time or by somebody
//! else (RS090, RS093).

use cw_program::{ActsOn, CardType, CommandName, Scope};
use cw_syntax::{EffectSyntax, EffectSyntaxKind, QuantityForm, rs};
use cw_text::Span;

use super::Lints;
use super::said::SaidText;
use super::steps::is_choice;
use crate::aim;
use crate::groups::{StatementGroup, call, each_branch};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    // Of several choices nobody knows which one the words are about.
    if lints.keys.actions > 1 {
        return;
    }
    for group in lints.groups {
        counted_before(lints, group, said);
        chosen_later(lints, group, said);
    }
    opponent_chooses(lints, said);
}

/// R1105, RS090: variables are computed before anything runs.
fn counted_before(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some([assign]) = lints.keys.vars else { return };
    let value: String = assign
        .value
        .text
        .to_ascii_lowercase()
        .split_whitespace()
        .collect();
    let (changes, says): (&[CommandName], &[&str]) = match value.as_str() {
        "me.hand.size" | "len(me.hand)" => (
            &[CommandName::Draw],
            &[
                "draw .. for each|every ?other card in your|hand",
                "draw .. number of cards in your",
            ],
        ),
        "me.sp" => (&[CommandName::Sp], &["gain # sp .. for each|every sp"]),
        "me.discards.size" | "len(me.discards)" => (
            &[CommandName::Trash, CommandName::Discard],
            &[
                "discard|put|trash .. for each|every .. in your discard",
                "discard|put|trash .. cards in your discard",
            ],
        ),
        "opp.ring.size" | "me.ring.size" => (
            &[CommandName::Destroy, CommandName::MoveTo],
            &["ko|return .. then .. for each|every .. left|remaining|still"],
        ),
        _ => return,
    };
    let sentences_say = said.says_one(says) || {
        // "Draw two cards. Then deal 100 damage for each card in your hand."
        let all = said.words().join(" ");
        let said = SaidText::read_one(&all);
        said.says_one(says)
    };
    if !sentences_say || said.says_one(&["discarded|drawn"]) {
        return;
    }
    let mut changed: Option<Span> = None;
    let mut used = None;
    for statement in group.statements {
        each_branch(&statement.body, |branch| {
            for effect in branch.effects {
                let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
                    continue;
                };
                for argument in arguments {
                    let names = super::expressions::names(argument.text);
                    let name = names
                        .into_iter()
                        .find(|name| name.text.eq_ignore_ascii_case(assign.name.text));
                    if let (Some(name), Some(at)) = (name, changed) {
                        used = used.or(Some((name, at)));
                    }
                }
                if call(effect).is_some_and(|call| changes.contains(&call.name)) {
                    changed = changed.or(Some(effect.span));
                }
            }
        });
    }
    let Some((name, at)) = used else { return };
    let rule = &lints.text[lints.rule.span.range()];
    let once = rule.matches(assign.name.text).count() == 2;
    let whole = super::chain::whole_line(lints.text, assign.span);
    let text = lints.text;
    let value = &text[assign.value.span.range()];
    let message = "this was counted before anything ran; the card's text counts afterwards";
    let help = format!("`vars` are computed first: write `{value}` where it is used");
    let file = lints.file;
    let mut edits = vec![(name.span, value)];
    if once {
        edits.insert(0, (whole, ""));
    }
    let finding = lints.fix(rs::RS090, name.span, message, format!("write `{value}`"), &edits);
    finding.help = Some(help);
    *finding = finding.clone().label(file, at, "this changes it");
}

/// R903, RS093: an auto looks for its own targets.
fn chosen_later(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let is_paper = lints
        .card
        .is_some_and(|card| matches!(card.card_type, Some(CardType::Action | CardType::Reaction)));
    let acts = lints.groups.iter().any(|group| group.action);
    if group.action || !is_paper || !acts || group.events.is_empty() {
        return;
    }
    let Some(target) = lints.keys.target.filter(|clause| {
        clause
            .targets
            .iter()
            .any(|target| !target.types.iter().any(aim::is_player))
    }) else {
        return;
    };
    let says = said.says_one(&[
        "turn|phase|then|later it|that|they|them",
        "^ it|that|they .. at|in|when",
        "ko|destroy|return|freeze|unfreeze it|them|that .. at|in|when",
        "is|are koed|ko'd|destroyed|returned at|in|when",
        "it|that ?character is|returns|freezes|loses|goes|unfreezes",
    ]);
    let chosen = target.targets.iter().any(|target| is_choice(lints, target));
    let is_for_cards = |effect: &EffectSyntax<'_>| match call(effect) {
        Some(call) => !matches!(call.name.signature().acts_on, ActsOn::Players | ActsOn::Nothing),
        None => true,
    };
    let found = group.parts.iter().find(|part| {
        part.branch.to.is_none() && part.branch.effects.iter().any(is_for_cards)
            || part.branch.to.is_some_and(|clause| {
                clause
                    .targets
                    .iter()
                    .any(|target| target.text.is("tgt") || target.text.is("prevtgt"))
            })
    });
    let Some(part) = found.filter(|_| says && chosen) else {
        return;
    };
    let (file, target) = (lints.file, target.span);
    let finding = lints.add(
        rs::RS093,
        part.branch.span,
        "this looks for a target of its own when it runs: \
         it does not remember the character that was chosen before",
    );
    finding.help = Some(
        "an auto knows no earlier choice: let the text say \u{201c}then choose\u{201d}, \
         name the cards by what can be seen of them, as `characters[bp>=800]@myRing`, \
         or use an effect that ends by itself, as `bp(+500) ueot`"
            .to_owned(),
    );
    *finding = finding.clone().label(file, target, "asked for again");
}

/// R301, RS093: who runs a rule chooses its targets.
fn opponent_chooses(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let own = |group: &&StatementGroup<'_>| {
        group.action || group.events.iter().all(|event| event.scope == Scope::My)
    };
    for group in lints.groups.iter().filter(own) {
        let clauses = lints.keys.target.copied().into_iter();
        let clauses = clauses.chain(group.parts.iter().filter_map(|part| part.branch.to));
        let chosen = clauses.flat_map(|clause| clause.targets).find(|target| {
            let theirs =
                aim::zone(target).is_some_and(|zone| aim::in_play(zone) && aim::may_be_opponents(zone));
            let random = target
                .quantity
                .is_some_and(|one| matches!(one.form, QuantityForm::Random(_)));
            theirs && !random && is_choice(lints, target)
        });
        let Some(target) = chosen else { continue };
        if lets_opponent(said) {
            lints.help(
                rs::RS093,
                target.text.span,
                "you choose here; the card's text lets the opponent choose",
                "who runs the rule chooses: let it run in an event of the opponent, \
                 whose ring is `myRing` there, \
                 as in `auto = ~oppActivatePhase:once~ destroy() to(character@myRing)`",
            );
            return;
        }
    }
}

/// Whether the text lets the opponent choose a character.
fn lets_opponent(said: &SaidText) -> bool {
    let others = said.sentences().any(|sentence| {
        let says = sentence.says_one(&[
            "opponent|enemy|they|player chooses|choose|picks|selects",
            "chosen by ?the|your|its|their opponent|player|owner",
            "of|at ?the|your opponent's|their|its ?player's|owner's choice",
            "opponent must ko|return|freeze|destroy|choose",
        ]);
        says && sentence.says("character|characters")
    });
    others && !said.says_one(&["you choose", "of your choice", "chosen by you"])
}
