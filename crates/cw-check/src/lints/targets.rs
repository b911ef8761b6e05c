//! Target filters: RS017, RS020, RS022, RS052, RS054, RS065, RS088.

use cw_program::{CardType, ClosedWord as _, FilterFlag, Zone, ZonePlace};
use cw_syntax::{
    CostArgument, FilterSyntax, Operator, Prefix, PropertyValueSyntax, QuantityForm, Target, TypeJoiner, rs,
};
use cw_text::Span;

use super::Lints;
use crate::aim;
use crate::groups::each_branch;

/// Where a target stands; some filters mean less elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetStand {
    Requisite,
    /// Its zone is forced: hand or ring.
    Cost(Zone),
    Targets,
}

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    let rule = lints.rule;
    for property in rule.properties {
        match &property.value {
            PropertyValueSyntax::Target(clause) => {
                for target in clause.targets {
                    check(lints, target, TargetStand::Targets);
                }
            }
            PropertyValueSyntax::Requisite(targets) => {
                for target in *targets {
                    check(lints, target, TargetStand::Requisite);
                }
            }
            PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
                for statement in *statements {
                    for cost in statement.costs {
                        if let CostArgument::Target(target) = &cost.argument {
                            let zone = if cost.letter.is("s") {
                                Zone::MY_RING
                            } else {
                                Zone::MY_HAND
                            };
                            check(lints, target, TargetStand::Cost(zone));
                        }
                    }
                    each_branch(&statement.body, |branch| {
                        if let Some(clause) = &branch.to {
                            for target in clause.targets {
                                check(lints, target, TargetStand::Targets);
                            }
                        }
                    });
                }
            }
            PropertyValueSyntax::Vars(_)
            | PropertyValueSyntax::Abilities(_)
            | PropertyValueSyntax::Label(_) => {}
        }
    }
}

fn check(lints: &mut Lints<'_, '_>, target: &Target<'_>, stand: TargetStand) {
    if stand == TargetStand::Targets && !aim::is_computed(target, lints.names) {
        whose_ring(lints, target);
        everything(lints, target);
    }
    if is_simple(target) && stand != TargetStand::Requisite || aim::is_computed(target, lints.names) {
        return;
    }
    plural_quantity(lints, target);
    let written = aim::zone(target);
    lone_pick(lints, target, stand, written);
    one_of_each(lints, target);
    if stand == TargetStand::Requisite {
        requisite_pick(lints, target);
    }
    let zone = match stand {
        TargetStand::Cost(zone) => Some(zone),
        TargetStand::Requisite | TargetStand::Targets => written,
    };
    if let Some(zone) = zone {
        never_there(lints, target, zone);
        never_true(lints, target, zone);
    }
    ignored_elsewhere(lints, target);
}

/// Whether it is but a type that is no card of a pile, as most are: nothing can be said about those.
fn is_simple(target: &Target<'_>) -> bool {
    let in_pile = |one| matches!(aim::card_type(one), Some(CardType::Action | CardType::Reaction));
    target.quantity.is_none()
        && target.pick.is_none()
        && target.filters.is_empty()
        && target.types.len() < 2
        && !target.types.iter().any(in_pile)
}

/// A zone without a side is one's own, which is hardly thought of where characters fight (R219, RS088). It is
/// told of a bare `character`: with a filter it was thought about, as in `character[block]@ring`.
fn whose_ring(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    let (Some(zone), Some(card)) = (target.zone.filter(|zone| zone.is("ring")), lints.card) else {
        return;
    };
    let text = card.text.to_lowercase();
    let is_bare = target.filters.is_empty()
        && target.selector.is_none()
        && matches!(target.types, [one] if one.name.is("character") && !one.quoted);
    if !is_bare || ["your", "own"].iter().any(|word| text.contains(word)) {
        return;
    }
    let message = "without a side this is your own ring";
    let edits = [(zone.span, "myRing")];
    lints
        .safe_fix(rs::RS088, zone.span, message, "write `myRing`", &edits)
        .help = Some("the opponent's is `@oppRing`; without a zone both rings are searched".to_owned());
}

/// `all` alone is every character of both rings, one's own too; a text that says so means it (R209, RS088).
fn everything(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    let [one] = target.types else { return };
    if one.quoted || !one.name.is("all") || target.zone.is_some() || !target.filters.is_empty() {
        return;
    }
    let text = lints
        .card
        .map(|card| card.text.to_lowercase())
        .unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["all ", "each ", "every", "both"]) && !says(&["enem", "oppo", "your", "foe"]) {
        return;
    }
    lints.help(
        rs::RS088,
        one.span,
        "`all` without a zone is every character of both rings, your own too",
        "the opponent's are `characters@oppRing`, your own `characters@myRing`, both `characters`",
    );
}

/// Reports a quantity, unless it is random, on a plural, which takes all anyway (R418, RS017).
fn plural_quantity(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    let Some(quantity) = target.quantity else { return };
    let plural = target.types.iter().any(|one| aim::is_plural(one, lints.names));
    if plural && !matches!(quantity.form, QuantityForm::Random(_)) {
        let finding = lints.safe_fix(
            rs::RS017,
            quantity.span,
            "a plural takes all: the quantity does nothing",
            "remove the quantity",
            &[(quantity.span, "")],
        );
        finding.help = Some("write the singular to let the player choose that many".to_string());
    }
}

/// R203, R414, RS020: in a ring order means little, so the author meant a choice.
fn lone_pick(lints: &mut Lints<'_, '_>, target: &Target<'_>, stand: TargetStand, zone: Option<Zone>) {
    let (Some(pick), Some(zone)) = (target.pick, zone) else {
        return;
    };
    let written = matches!(zone.place, ZonePlace::Arena | ZonePlace::Ring);
    let behind = target
        .types
        .last()
        .is_some_and(|last| last.span.end <= pick.span.start);
    if stand != TargetStand::Targets || target.quantity.is_some() || !written || !behind || pick.count < 0 {
        return;
    }
    let in_front = Span::at(target.types[0].span.start as usize);
    let quantity = format!("<{}>", pick.count);
    lints.fix(
        rs::RS020,
        pick.span,
        "after the type, this takes the first ones and lets nobody choose",
        "write it in front, as a quantity",
        &[(in_front, &quantity), (pick.span, "")],
    );
}

/// Reports types joined by `&` that mean one card of each, not one card that is both (R404, D28, RS022).
fn one_of_each(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    if target.joiner != TypeJoiner::And || target.types.len() < 2 {
        return;
    }
    let is_type = |one: &&cw_syntax::TypeSyntax<'_>| aim::card_type(one).is_some() || one.name.is("*");
    let types = target.types.iter().filter(is_type).count();
    let others: Vec<bool> = target
        .types
        .iter()
        .filter(|one| !is_type(one))
        .map(|one| one.quoted)
        .collect();
    let players = target
        .types
        .iter()
        .any(|one| aim::is_player(one) || one.name.is("this"));
    let quoted = others.iter().filter(|quoted| **quoted).count();
    let on_one_card = types == 1 && !players && quoted <= 1 && others.len() - quoted <= 1;
    if on_one_card {
        return;
    }
    let span = target.types[0].span.to(target.types[target.types.len() - 1].span);
    lints.help(
        rs::RS022,
        span,
        "`&` between these means one of each",
        "to narrow a type use a filter, as `character[warrior]`; for one of several use `,`",
    );
}

/// Reports a requisite for which other engines ask the player to choose (R304, D29, RS054).
fn requisite_pick(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    let [one] = target.types else { return };
    let asks = target.pick.is_none()
        && !aim::is_plural(one, lints.names)
        && !one.name.is("this")
        && !aim::is_player(one)
        && aim::zone(target).is_some_and(|zone| zone.place != ZonePlace::InFront)
        && !target
            .quantity
            .is_some_and(|quantity| matches!(quantity.form, QuantityForm::Random(_)));
    if asks {
        let end = Span::at(one.span.end as usize);
        let span = one.span;
        lints.safe_fix(
            rs::RS054,
            span,
            "other engines ask the player here",
            "pick the first",
            &[(end, "<1>")],
        );
    }
}

/// R406: in rings there are characters only.
fn never_there(lints: &mut Lints<'_, '_>, target: &Target<'_>, zone: Zone) {
    if !aim::in_play(zone) {
        return;
    }
    for one in target.types {
        let negated = one.prefix == Some(Prefix::Bang);
        if matches!(aim::card_type(one), Some(CardType::Action | CardType::Reaction)) && !negated {
            let message = format!("there is never an `{}` in a ring", one.name.text);
            let help = if target.zone.is_none() {
                "name the pile, as `@hand` or `@discards`: without a zone the rings are searched"
            } else {
                "cards of this type are in hand, deck, discards or removed"
            };
            lints.help(rs::RS052, one.span, message, help);
        }
    }
}

/// What one filter says, for contradictions.
#[derive(Clone, Copy)]
struct Claim {
    span: Span,
    negated: bool,
    what: FilterSubject,
}

#[derive(Clone, Copy, PartialEq)]
enum FilterSubject {
    Flag(FilterFlag),
    Bp(Operator, i64),
    Sp,
    Type(CardType),
    /// The place of its name, for the comparison of two.
    Subtype(Option<cw_program::SubtypeId>),
}

fn claim(filter: &FilterSyntax<'_>, names: &dyn cw_program::PackageNames) -> Claim {
    let negated = matches!(filter.prefix, Some(Prefix::Minus | Prefix::Caret));
    let what = match filter.compare {
        Some((operator, value)) if filter.name.is("bp") => {
            FilterSubject::Bp(operator, value.text.replace(' ', "").parse().unwrap_or(0))
        }
        Some(_) => FilterSubject::Sp,
        None => FilterFlag::find(filter.name.text)
            .map(FilterSubject::Flag)
            .or_else(|| CardType::find(filter.name.text).map(FilterSubject::Type))
            .unwrap_or_else(|| FilterSubject::Subtype(names.subtype(&cw_syntax::lower(filter.name.text)))),
    };
    Claim {
        span: filter.span,
        negated,
        what,
    }
}

/// RS052: filters that no candidate passes.
fn never_true(lints: &mut Lints<'_, '_>, target: &Target<'_>, zone: Zone) {
    if target.filters.is_empty() {
        return;
    }
    let players = !target.types.is_empty() && target.types.iter().all(aim::is_player);
    let not_characters = !target.types.is_empty()
        && target.types.iter().all(|one| {
            matches!(aim::card_type(one), Some(CardType::Action | CardType::Reaction))
                && one.prefix != Some(Prefix::Bang)
        });
    for all in target.filters {
        let claims: &[Claim] = lints
            .arena
            .alloc_slice_fill_iter(all.iter().map(|filter| claim(filter, lints.names)));
        for claim in claims {
            if let Some(why) = impossible(claim, players, not_characters, zone) {
                lints.add(rs::RS052, claim.span, why);
            }
        }
        contradictions(lints, target, claims);
    }
}

fn impossible(claim: &Claim, players: bool, not_characters: bool, zone: Zone) -> Option<&'static str> {
    let always = claim.negated;
    match claim.what {
        FilterSubject::Sp => None,
        _ if players && !always => Some("no player passes this filter; only `sp` works on players"),
        FilterSubject::Bp(..) if not_characters => Some("only characters have BP"),
        FilterSubject::Bp(Operator::Less, ..=0) | FilterSubject::Bp(Operator::LessOrEqual, ..=-1)
            if !always =>
        {
            Some("no character has so few BP")
        }
        FilterSubject::Flag(flag) if !always && !aim::in_play(zone) && lives_in_ring(flag) => {
            Some("this is true only of characters in a ring")
        }
        FilterSubject::Flag(flag)
            if !always && not_characters && (lives_in_ring(flag) || is_ability_type(flag)) =>
        {
            Some("this is true only of characters")
        }
        FilterSubject::Flag(_)
        | FilterSubject::Bp(..)
        | FilterSubject::Type(_)
        | FilterSubject::Subtype(_) => None,
    }
}

fn lives_in_ring(flag: FilterFlag) -> bool {
    match flag {
        FilterFlag::BackedUp
        | FilterFlag::Attack
        | FilterFlag::UAttack
        | FilterFlag::Block
        | FilterFlag::Blocked
        | FilterFlag::Frozen
        | FilterFlag::Fresh => true,
        FilterFlag::Powerful
        | FilterFlag::Powerless
        | FilterFlag::AbInstant
        | FilterFlag::AbTrigger
        | FilterFlag::AbAuto => false,
    }
}

fn is_ability_type(flag: FilterFlag) -> bool {
    matches!(
        flag,
        FilterFlag::AbInstant | FilterFlag::AbTrigger | FilterFlag::AbAuto
    )
}

/// With how many filters before it one is compared.
const MOST_CLAIMS: usize = 64;

fn contradictions(lints: &mut Lints<'_, '_>, target: &Target<'_>, claims: &[Claim]) {
    for (index, second) in claims.iter().enumerate() {
        let near = index.saturating_sub(MOST_CLAIMS);
        if let Some(first) = claims[near..index].iter().find(|first| contradict(first, second)) {
            let (file, first) = (lints.file, *first);
            let two = matches!(
                (first.what, second.what),
                (FilterSubject::Subtype(a), FilterSubject::Subtype(b)) if a != b
            );
            let finding = match two {
                true => {
                    let joiner = between(lints.text, first.span, second.span);
                    let help = "alternatives are parted by `,`: \
                                `characters[warrior, ninja]` are all that are one of the two";
                    let message = "no card passes both: a card has one subtype";
                    let finding = match joiner {
                        Some(joiner) => lints.fix(
                            rs::RS052,
                            second.span,
                            message,
                            "part them by `,`",
                            &[(joiner, ", ")],
                        ),
                        None => lints.add(rs::RS052, second.span, message),
                    };
                    finding.help = Some(help.to_owned());
                    finding
                }
                false => lints.add(
                    rs::RS052,
                    second.span,
                    "no card passes this filter and the one before",
                ),
            };
            *finding = finding.clone().label(file, first.span, "the one before");
        }
        if let FilterSubject::Subtype(Some(wanted)) = second.what
            && let [one] = target.types
            && !one.quoted
            && one.prefix != Some(Prefix::Bang)
            && !second.negated
            && let Some(named) = subtype_named(lints, one)
            && named != wanted
        {
            lints.help(
                rs::RS052,
                second.span,
                "no card passes this filter: a card has one subtype, and it stands before",
                "alternatives are parted by `,`: \
                 `characters[warrior, ninja]` are all that are one of the two",
            );
        }
        if let FilterSubject::Type(wanted) = second.what
            && let [one] = target.types
            && let Some(card_type) = aim::card_type(one)
            && one.prefix != Some(Prefix::Bang)
            && (card_type != wanted) != second.negated
        {
            let message = format!("no {} passes this filter", card_type.word());
            lints.add(rs::RS052, second.span, message);
        }
    }
}

/// The subtype that a type names, in the singular or the plural.
fn subtype_named(lints: &Lints<'_, '_>, one: &cw_syntax::TypeSyntax<'_>) -> Option<cw_program::SubtypeId> {
    let name = cw_syntax::lower(one.name.text);
    lints
        .names
        .subtype(&name)
        .or_else(|| lints.names.subtype(name.strip_suffix('s')?))
}

/// What joins two filters that stand side by side.
fn between(text: &str, first: Span, second: Span) -> Option<Span> {
    let span = Span::new(first.end as usize, second.start as usize);
    (text.get(span.range())?.trim() == "&").then_some(span)
}

fn contradict(first: &Claim, second: &Claim) -> bool {
    match (first.what, second.what) {
        (FilterSubject::Flag(a), FilterSubject::Flag(b)) if a == b => first.negated != second.negated,
        (FilterSubject::Flag(a), FilterSubject::Flag(b)) => {
            !first.negated && !second.negated && exclude(a, b)
        }
        (FilterSubject::Bp(a, x), FilterSubject::Bp(b, y)) if !first.negated && !second.negated => {
            bounds(a, x)
                .zip(bounds(b, y))
                .is_some_and(|(one, two)| one.0.max(two.0) > one.1.min(two.1))
        }
        (FilterSubject::Type(a), FilterSubject::Type(b)) => !first.negated && !second.negated && a != b,
        // Only characters have a subtype, and each has one (R213).
        (FilterSubject::Subtype(Some(a)), FilterSubject::Subtype(Some(b))) => {
            a == b && first.negated != second.negated || a != b && !first.negated && !second.negated
        }
        (FilterSubject::Subtype(Some(_)), FilterSubject::Type(kind))
        | (FilterSubject::Type(kind), FilterSubject::Subtype(Some(_))) => {
            kind != CardType::Character && !first.negated && !second.negated
        }
        _ => false,
    }
}

fn exclude(a: FilterFlag, b: FilterFlag) -> bool {
    use FilterFlag as Flag;
    let ability = |flag| matches!(flag, Flag::AbInstant | Flag::AbTrigger | Flag::AbAuto);
    let pair = |x, y| (a == x && b == y) || (a == y && b == x);
    pair(Flag::Powerful, Flag::Powerless)
        || (ability(a) && ability(b))
        || (ability(a) && b == Flag::Powerless)
        || (ability(b) && a == Flag::Powerless)
        || pair(Flag::Attack, Flag::Block)
        || pair(Flag::UAttack, Flag::Block)
}

fn bounds(operator: Operator, value: i64) -> Option<(i64, i64)> {
    match operator {
        Operator::Equal => Some((value, value)),
        Operator::Less => Some((i64::MIN, value.saturating_sub(1))),
        Operator::LessOrEqual => Some((i64::MIN, value)),
        Operator::Greater => Some((value.saturating_add(1), i64::MAX)),
        Operator::GreaterOrEqual => Some((value, i64::MAX)),
        Operator::NotEqual | Operator::Colon => None,
    }
}

/// RS065 in filters.
fn ignored_elsewhere(lints: &mut Lints<'_, '_>, target: &Target<'_>) {
    for filter in target.filters.iter().copied().flatten() {
        let negated = matches!(filter.prefix, Some(Prefix::Minus | Prefix::Caret));
        let flag = if negated {
            FilterFlag::find(filter.name.text)
        } else {
            None
        };
        let family = matches!(flag, Some(FilterFlag::Powerful | FilterFlag::Powerless))
            || flag.is_some_and(is_ability_type);
        if negated && family {
            let opposite = match flag {
                Some(FilterFlag::Powerful) => Some("powerless"),
                Some(FilterFlag::Powerless) => Some("powerful"),
                _ => None,
            };
            let message = "other engines ignore the negation here";
            match opposite {
                Some(word) => {
                    let title = format!("write `{word}`");
                    lints.safe_fix(rs::RS065, filter.span, message, title, &[(filter.span, word)]);
                }
                None => {
                    lints.add(rs::RS065, filter.span, message);
                }
            }
        }
        if matches!(filter.compare, Some((Operator::Colon, _))) && filter.name.is("bp") {
            lints.add(
                rs::RS065,
                filter.span,
                "in other engines `bp:lowest` finds nothing",
            );
        }
    }
}
