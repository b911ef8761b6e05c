//! What concerns the keys of a rule: RS008–RS011, RS014 for `abilities`, RS055, RS080.

use cw_program::{CardType, ClosedWord as _, Keyword};
use cw_syntax::{PropertySyntax, PropertyValueSyntax, rs};
use cw_text::Span;

use super::Lints;
use crate::cards::AbilityType;

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    nothing_to_do(lints);
    duplicates(lints);
    labels(lints);
    requisite_without_action(lints);
    player_abilities(lints);
    freezes_paper(lints);
    action_of_auto(lints);
    abilities_of_paper(lints);
}

/// R312, R801, RS014: only a card in a ring has abilities.
fn abilities_of_paper(lints: &mut Lints<'_, '_>) {
    let kind = lints.card.and_then(|card| card.card_type);
    let called = match kind {
        Some(CardType::Action) => "an action",
        Some(CardType::Reaction) => "a reaction",
        Some(CardType::Character) | None => return,
    };
    let Some(word) = lints.keys.abilities.and_then(<[_]>::first).copied() else {
        return;
    };
    lints.help(
        rs::RS014,
        word.span,
        format!("abilities are had by characters in a ring, and this card is {called}"),
        format!(
            "give it to somebody: `action = +{} to(character@myRing) ueot`",
            word.text
        ),
    );
}

/// R312, R313, RS059: the action of a card whose ability works by itself is used by nobody.
fn action_of_auto(lints: &mut Lints<'_, '_>) {
    let is_auto = lints.card.is_some_and(|card| {
        card.card_type == Some(CardType::Character) && card.ability == Some(AbilityType::Auto)
    });
    if !is_auto {
        return;
    }
    if let Some(action) = lints.rule.properties.iter().find(|one| is_action(one)) {
        lints.help(
            rs::RS059,
            action.key.span,
            "the ability of this card works by itself, so nobody uses an action",
            "write `auto = ~event~ …`, or give the card a triggered or instant ability in its set",
        );
    }
}

fn is_action(property: &PropertySyntax<'_>) -> bool {
    matches!(property.value, PropertyValueSyntax::Action(_))
}

/// Reports a rule without action, auto and abilities (R112, RS008).
fn nothing_to_do(lints: &mut Lints<'_, '_>) {
    let keys = &lints.keys;
    if keys.actions > 0 || keys.auto.is_some() || keys.abilities.is_some() {
        return;
    }
    let Some(last) = lints.rule.properties.last() else {
        return;
    };
    // A line that could not be read may have been the action.
    let lines = lints.text[lints.rule.span.range()].lines();
    let written = lines
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .count();
    if written == lints.rule.properties.len() {
        lints.help(
            rs::RS008,
            last.key.span,
            "this rule does nothing",
            "a rule needs at least one of action, auto and abilities",
        );
    }
}

/// Reports a key that is given twice and counts only once (R109, RS009).
fn duplicates(lints: &mut Lints<'_, '_>) {
    if lints.rule.properties.len() < 2 {
        return;
    }
    let mut seen: Vec<&PropertySyntax<'_>> = Vec::new();
    for property in lints.rule.properties {
        if matches!(
            property.value,
            PropertyValueSyntax::Action(_) | PropertyValueSyntax::Label(_)
        ) {
            continue;
        }
        let kind = std::mem::discriminant(&property.value);
        let mut same = seen
            .iter()
            .filter(|before| std::mem::discriminant(&before.value) == kind);
        let Some(before) = same.next().copied() else {
            seen.push(property);
            continue;
        };
        let file = lints.file;
        let message = format!("`{}` is given twice; only the first counts", before.key.text);
        let finding = lints.add(rs::RS009, property.span, message);
        *finding = finding.clone().label(file, before.key.span, "the first");
    }
}

/// Reports labels that have no action, and the first of several actions that has no
/// label (R111, RS010, RS011, RS055).
fn labels(lints: &mut Lints<'_, '_>) {
    if lints.keys.labels == 0 && lints.keys.actions < 2 {
        return;
    }
    let is_label = |property: &&PropertySyntax<'_>| matches!(property.value, PropertyValueSyntax::Label(_));
    let labels: Vec<Span> = lints
        .rule
        .properties
        .iter()
        .filter(is_label)
        .map(|property| property.span)
        .collect();
    let actions: Vec<Span> = lints
        .rule
        .properties
        .iter()
        .filter(|property| is_action(property))
        .map(|property| property.span)
        .collect();
    if actions.is_empty() && labels.len() > 1 {
        lints.add(rs::RS055, labels[0], "labels without an action to name");
        return;
    }
    for extra in labels.iter().skip(actions.len()) {
        let message = if actions.is_empty() {
            "there is no action to name"
        } else {
            "there are fewer actions than labels"
        };
        lints.fix(rs::RS010, *extra, message, "remove the label", &[(*extra, "")]);
    }
    if actions.len() > 1
        && let Some(unnamed) = actions.get(labels.len())
    {
        lints.help(
            rs::RS011,
            *unnamed,
            "one of several actions has no label",
            "players choose among the labels: write one `label` for each action, in their order",
        );
    }
}

/// Reports a requisite in a rule that has autos but no action (RS055).
fn requisite_without_action(lints: &mut Lints<'_, '_>) {
    if let Some(requisite) = lints.keys.requisite
        && lints.keys.actions == 0
        && lints.keys.auto.is_some()
    {
        lints.help(
            rs::RS055,
            requisite.key.span,
            "a requisite is checked only for an action",
            "guard an auto with `[[if …]]`",
        );
    }
}

/// R802, RS014: cards have no abilities of players.
fn player_abilities(lints: &mut Lints<'_, '_>) {
    for word in lints.keys.abilities.unwrap_or_default() {
        if matches!(
            Keyword::find(word.text),
            Some(Keyword::CantPlayAc | Keyword::CantPlayRe)
        ) {
            lints.help(
                rs::RS014,
                word.span,
                format!("`{}` is an ability of players", word.text),
                format!("give it to a player, as `auto = +{} to(opp)`", word.text),
            );
        }
    }
}

/// R701, D101, RS080: only characters can be frozen.
fn freezes_paper(lints: &mut Lints<'_, '_>) {
    let kind = lints.card.and_then(|card| card.card_type);
    let called = match kind {
        Some(CardType::Action) => "an action",
        Some(CardType::Reaction) => "a reaction",
        _ => return,
    };
    let statements = lints
        .rule
        .properties
        .iter()
        .filter_map(|property| match property.value {
            PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
                Some(statements)
            }
            _ => None,
        });
    for statement in statements.flatten() {
        for cost in statement.costs.iter().filter(|cost| cost.letter.is("f")) {
            // The colon goes with the only cost.
            let end = cost.span.end as usize;
            let behind = lints
                .text
                .get(end..statement.span.end as usize)
                .unwrap_or_default();
            let colon = behind.trim_start().strip_prefix(':').map(str::trim_start);
            let gone = match colon {
                Some(rest) if statement.costs.len() == 1 => behind.len() - rest.len(),
                _ => 0,
            };
            let away = Span::new(cost.span.start as usize, end + gone);
            let message =
                format!("{called} cannot be frozen: this can never be paid, so the card could not be used");
            lints
                .fix(rs::RS080, cost.span, message, "remove `{F}`", &[(away, "")])
                .help =
                Some("only characters pay by freezing; what a card costs in SP is printed on it".to_owned());
        }
    }
}
