//! The printed text and what an effect reaches: both players or one, the card itself or an enemy, attackers
//! in front or all of them, dearer or cheaper (RS093).

use cw_program::{CommandName, EventName, Scope, ZoneSide};
use cw_syntax::{
    ArgForm, BranchSyntax, EffectSyntax, EffectSyntaxKind, JoinerSyntax, Target, TargetClauseSyntax, rs,
};
use cw_text::Span;

use super::Lints;
use super::said::SaidText;
use crate::aim;
use crate::groups::{StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    joins_attacks(lints, said);
    for group in lints.groups {
        dearer(lints, group, said);
        own_backup(lints, group, said);
        damage_to_you(lints, group, said);
        for part in group.parts {
            if let Some(clause) = &part.branch.to {
                both_players(lints, clause, said);
                all_attackers(lints, clause, said);
                player_for_each(lints, part.branch, clause, said);
                shared_targets(lints, part.branch, clause, said);
            }
        }
    }
}

/// G259, RS093: `cantattack` forbids to attack alone and to lead.
fn joins_attacks(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let abilities = lints.keys.abilities.unwrap_or_default();
    let Some(ability) = abilities.iter().find(|ability| ability.is("cantattack")) else {
        return;
    };
    let forbids = said.any(&[
        "cannot attack",
        "can't attack",
        "can not attack",
        "may not attack",
        "never attacks",
    ]);
    let says_how = said.any(&[
        "alone",
        "lead",
        "leads",
        "united attack",
        "united attacks",
        "join",
        "by itself",
    ]);
    if !forbids || says_how {
        return;
    }
    lints.help(
        rs::RS093,
        ability.span,
        "with `cantattack` it may still join a United Attack; the card's text says that it cannot attack",
        "forbid that, too, with `auto = ?beforeAttack? [[if false]]` instead, \
         or print \u{201c}cannot attack alone or lead a United Attack\u{201d}",
    );
}

/// G80, G83, RS093: costs are SP with a minus sign, so that `-1` makes them dearer.
fn dearer(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let costs = ["cost", "costs", "pay", "pays"];
    let is_more = said.says_one(&["cost|costs|pay|pays # ?sp more", "cost|costs|pay|pays more"]);
    let is_less = said.says_one(&[
        "cost|costs|pay|pays # ?sp less|fewer",
        "cost|costs|pay|pays less|fewer",
    ]);
    let (more, less) = match (is_more, is_less) {
        (false, false) => {
            let less = said.any(&["less", "fewer", "cheaper"]);
            (said.has("more") && said.any(&costs), less && said.any(&costs))
        }
        said => said,
    };
    if more == less {
        return;
    }
    for call in group.parts.iter().flat_map(|part| part.calls) {
        if !matches!(call.name, CommandName::ModCost | CommandName::AlterCost) {
            continue;
        }
        let Some(argument) = call.arguments.last() else {
            continue;
        };
        let written = argument.text.text.trim();
        let Ok(amount) = written.trim_start_matches('+').parse::<i64>() else {
            continue;
        };
        if amount == 0 || (amount < 0) == more {
            continue;
        }
        let right = if more {
            format!("-{amount}")
        } else {
            format!("+{}", -amount)
        };
        let (does, says) = if more {
            ("cheaper", "more")
        } else {
            ("dearer", "less")
        };
        lints
            .rewrite(
                rs::RS093,
                argument.text.span,
                format!("`{written}` makes it {does}; the card's text says that it costs {says}"),
                &right,
            )
            .help = Some("a cost is SP with a minus sign: to -2, `-1` adds one SP to pay".to_owned());
    }
}

/// R910, RS093: `backedUp` is heard of every character.
fn own_backup(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some(event) = group
        .events
        .iter()
        .find(|event| event.name == EventName::BackedUp)
    else {
        return;
    };
    let speaks_of_itself = said.any(&[
        "it is backed up",
        "it's backed up",
        "this character is backed up",
        "this card is backed up",
        "this is backed up",
        "it gets backed up",
        "backs it up",
        "backs up this character",
        "back it up",
        "back up this character",
    ]);
    // A condition may ask which character it was.
    let rule = lints.lower;
    if !speaks_of_itself || !event.suffixes.is_empty() || rule.contains("trigger") {
        return;
    }
    let end = event.span.end as usize;
    lints
        .fix(
            rs::RS093,
            event.span,
            "this is heard when any of your characters is backed up; the card's text says this one",
            "write `:this` behind it",
            &[(Span::at(end), ":this")],
        )
        .help = Some("events that are tied to no card are heard of all".to_owned());
}

/// R620, R905, RS093: whose damage `beforeDamage` is: `my` what you deal, `opp` what you take.
fn damage_to_you(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some(event) = group
        .events
        .iter()
        .find(|event| event.name == EventName::BeforeDamage)
    else {
        return;
    };
    let taken = said.any(&[
        "you take",
        "damage to you",
        "dealt to you",
        "damage you take",
        "deals to you",
        "deal to you",
        "you lose",
    ]);
    let dealt = said.any(&[
        "you deal",
        "damage to the opponent",
        "damage to your opponent",
        "dealt to the opponent",
        "the opponent takes",
        "your opponent takes",
        "your actions deal",
        "your action cards deal",
    ]);
    let written = &lints.text[event.span.range()];
    let name_at = written
        .to_ascii_lowercase()
        .find("beforedamage")
        .unwrap_or_default();
    let prefix = Span::new(event.span.start as usize, event.span.start as usize + name_at + 1);
    let (right, does, says) = match (event.scope, taken, dealt) {
        (Scope::My, true, false) => ("oppB", "you deal", "you take"),
        (Scope::Opp, false, true) => ("myB", "the opponent deals to you", "you deal"),
        _ => return,
    };
    let message = format!("this is the damage that {does}; the card's text speaks of what {says}");
    let title = format!("write `{right}eforeDamage`");
    lints
        .fix(rs::RS093, event.span, message, title, &[(prefix, right)])
        .help = Some("the prefix says who deals: `my` you, `opp` the opponent".to_owned());
}

fn is_word(target: &Target<'_>, word: &str) -> bool {
    matches!(target.types, [one] if !one.quoted && one.prefix.is_none() && one.name.is(word))
}

/// R208, R210, RS093: of two targets behind a comma one is chosen.
fn both_players(lints: &mut Lints<'_, '_>, clause: &TargetClauseSyntax<'_>, said: &SaidText) {
    let (first, last) = match clause.targets {
        [one, other]
            if is_word(one, "me") && is_word(other, "opp") || is_word(one, "opp") && is_word(other, "me") =>
        {
            (one.text.span, other.text.span)
        }
        [
            Target {
                types: [one, other], ..
            },
        ] if !one.quoted
            && !other.quoted
            && (one.name.is("me") && other.name.is("opp") || one.name.is("opp") && other.name.is("me")) =>
        {
            (one.span, other.span)
        }
        _ => return,
    };
    let says_both = said.any(&[
        "both",
        "each player",
        "every player",
        "all players",
        "players each",
        "you and the opponent",
        "you and your opponent",
    ]);
    if !says_both {
        return;
    }
    let span = Span::new(first.start as usize, last.end as usize);
    lints
        .rewrite(
            rs::RS093,
            span,
            "one of the two players is chosen here; the card's text says both",
            "players",
        )
        .help =
        Some("with a comma between targets, who acts chooses among them; a plural takes all".to_owned());
}

/// R422, RS093: `attack` is true for who attacks alone and for the leader of a United Attack.
fn all_attackers(lints: &mut Lints<'_, '_>, clause: &TargetClauseSyntax<'_>, said: &SaidText) {
    let names_attack = |target: &Target<'_>| matches!(target.filters, [[filter]] if filter.name.is("attack"));
    if !clause.targets.iter().any(names_attack) {
        return;
    }
    let says_all = said.says_one(&[
        "all|each|every ?of ?the|your|enemy|opposing attacking ?enemy characters|character",
        "all|each|every ?of ?the|your|enemy|opponent's attackers|attacker",
        "^ ?the|your attacking characters",
        "all|each|every ?of ?the|your|enemy characters|character that|who is|are attacking",
        "all|each|every ?of ?the|your|enemy characters|character that|who attack|attacks",
        "a|an|one|any|two|three ?enemy|opposing attacking ?enemy character|characters",
        "a|an|one|any ?enemy|opposing attacker|character that|who is attacking",
    ]);
    let says_how = said.says_one(&["alone|lead|leads|leading|united|follower|followers|member|members"])
        && !said.says_one(&[
            "followers|members ?of ?in ?a ?the ?united ?attack included|too",
            "including|or|and ?its followers|members",
        ]);
    if !says_all || says_how {
        return;
    }
    for target in clause.targets {
        let [[filter]] = target.filters else { continue };
        if !filter.name.is("attack") || filter.compare.is_some() || filter.prefix.is_some() {
            continue;
        }
        lints
            .rewrite(
                rs::RS093,
                filter.span,
                "this leaves out who follows in a United Attack; the card's text says who attacks",
                "attack, uattack",
            )
            .help = Some(
            "`attack` is who attacks alone or leads, `uattack` every member of a United Attack".to_owned(),
        );
    }
}

/// R602, RS093: damage that the text gives to characters, and the rule to the player.
fn player_for_each(
    lints: &mut Lints<'_, '_>,
    branch: &BranchSyntax<'_>,
    clause: &TargetClauseSyntax<'_>,
    said: &SaidText,
) {
    let [target] = clause.targets else { return };
    let deals = |branch: &BranchSyntax<'_>| {
        branch.effects.iter().any(|effect| {
            lints.text[effect.span.range()]
                .to_ascii_lowercase()
                .contains("damage(")
        })
    };
    let to_enemies = said.any(&[
        "damage to each enemy character",
        "damage to every enemy character",
        "damage to all enemy characters",
        "damage to each character",
        "damage to all characters",
        "damage to an enemy character",
        "damage to each of the opponent's characters",
        "damage to all of the opponent's characters",
        "damage to all characters of the opponent",
    ]);
    let to_player = said.any(&["to the opponent", "to your opponent", "loses hp", "to the player"])
        && !said.any(&["to the opponent's"]);
    if !is_word(target, "opp") || !to_enemies || to_player || !deals(branch) {
        return;
    }
    // An `each` around it would deal the damage once for every card to all of them.
    let once = match branch.effects {
        [effect] => each_effect(effect).map(|effect| &lints.text[effect.span.range()]),
        _ => None,
    };
    let (span, right) = match once {
        Some(effect) => (branch.span, format!("{effect} to(characters@oppRing)")),
        None => (target.text.span, "characters@oppRing".to_owned()),
    };
    lints
        .fix(
            rs::RS093,
            target.text.span,
            "`opp` is the player; the card's text deals the damage to characters",
            format!("write `{right}`"),
            &[(span, &right)],
        )
        .help =
        Some("the plural takes every character in the opponent's ring; no `each` is needed".to_owned());
}

/// The only effect that an `each` repeats.
fn each_effect<'a>(effect: &EffectSyntax<'a>) -> Option<&'a EffectSyntax<'a>> {
    let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
        return None;
    };
    arguments.iter().find_map(|argument| match argument.form {
        ArgForm::Each(each) => match each.effects {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    })
}

/// R601, RS093: with `&` both effects have the targets of the one `to(…)`.
fn shared_targets(
    lints: &mut Lints<'_, '_>,
    branch: &BranchSyntax<'_>,
    clause: &TargetClauseSyntax<'_>,
    said: &SaidText,
) {
    let [first, second, ..] = branch.effects else {
        return;
    };
    if lints.keys.target.is_some() || second.joiner != JoinerSyntax::Then {
        return;
    }
    let (Some(called), Some(joiner)) = (call(first), second.joiner_span) else {
        return;
    };
    let is_opponents = |target: &Target<'_>| {
        is_word(target, "opp")
            || target.zone.is_some() && aim::zone(target).is_some_and(|zone| zone.side == ZoneSide::Opponent)
    };
    if !clause.targets.iter().all(is_opponents) {
        return;
    }
    let amount = called
        .arguments
        .first()
        .map_or("", |argument| argument.text.text.trim());
    let is_gain = amount.starts_with('+');
    // What the text says in the same sentence of somebody else.
    let of_others = [
        "the opponent",
        "your opponent",
        "an enemy",
        "enemy characters",
        "that player",
        "each player",
    ];
    let (is_own, who) = match called.name {
        CommandName::Draw => {
            let own = said.sentences().any(|sentence| {
                let at = sentence.find("draw");
                at.is_some_and(|at| {
                    !of_others
                        .iter()
                        .any(|other| sentence.find(other).is_some_and(|of| of < at))
                })
            });
            (own && !said.any(&["draws"]), "you")
        }
        CommandName::Bp if is_gain => {
            let own = said.sentences().any(|sentence| {
                let at = sentence.find("gains").or_else(|| sentence.find("gain"));
                at.is_some_and(|at| {
                    !of_others
                        .iter()
                        .any(|other| sentence.find(other).is_some_and(|of| of < at))
                })
            });
            (own, "this card")
        }
        CommandName::Hp | CommandName::Sp if is_gain => {
            let own = said.any(&["you gain", "gain"]) && !said.any(&["gains"]);
            (own, "you")
        }
        _ => return,
    };
    if !is_own {
        return;
    }
    let written = &lints.text[clause.span.range()];
    let start = lints.text[..joiner.start as usize].trim_end().len();
    let joiner = Span::new(start, joiner.end as usize);
    let message = format!("this is for `{written}`, too: the card's text gives it to {who}");
    lints
        .fix(
            rs::RS093,
            first.span,
            message,
            "write `;` for `&`",
            &[(joiner, ";")],
        )
        .help = Some(
        "with `&` all effects have the targets of the one `to(…)`; \
         behind `;` begins a statement with its own"
            .to_owned(),
    );
}
