//! What targets can be: cards or players, whose, how many.

use cw_program::{CardType, ClosedWord as _, PackageNames, PileName, Zone, ZonePlace, ZoneSide, find_zone};
use cw_syntax::{QuantityForm, Target, TargetClauseSyntax, TypeJoiner, TypeSyntax, WordSyntax, lower};

/// What a target or a clause can find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aim {
    pub(crate) cards: bool,
    pub(crate) players: bool,
    /// An expression: anything.
    pub(crate) unknown: bool,
}

impl Aim {
    pub(crate) fn only_cards(self) -> bool {
        self.cards && !self.players && !self.unknown
    }

    pub(crate) fn only_players(self) -> bool {
        self.players && !self.cards && !self.unknown
    }

    pub(crate) fn of_clause(clause: &TargetClauseSyntax<'_>, names: &dyn PackageNames) -> Aim {
        let mut aim = Aim::default();
        for target in clause.targets {
            aim = aim.or(Aim::of(target, names));
        }
        aim
    }

    pub(crate) fn of(target: &Target<'_>, names: &dyn PackageNames) -> Aim {
        if is_computed(target, names) {
            return Aim {
                unknown: true,
                ..Aim::default()
            };
        }
        let mut aim = Aim::default();
        for one in target.types {
            let player = is_player(one);
            aim.players |= player;
            aim.cards |= !player;
        }
        aim.cards |= target.types.is_empty();
        aim
    }

    fn or(self, other: Aim) -> Aim {
        Aim {
            cards: self.cards || other.cards,
            players: self.players || other.players,
            unknown: self.unknown || other.unknown,
        }
    }
}

/// Whether a target is an expression (R230, D44).
pub(crate) fn is_computed(target: &Target<'_>, names: &dyn PackageNames) -> bool {
    if target.expression.is_some() {
        return true;
    }
    let [only] = target.types else { return false };
    // A lone word that is no keyword and no subtype may be a variable.
    !only.quoted
        && only.prefix.is_none()
        && (only.name.text.starts_with('_') || cw_program::is_variable(only.name.text))
        && !is_keyword(only)
        && names.subtype(&lower(only.name.text)).is_none()
}

pub(crate) fn is_player(one: &TypeSyntax<'_>) -> bool {
    let known = match one.name.text.len() {
        2 => "me",
        3 => "opp",
        6 => "player",
        7 => "players",
        _ => return false,
    };
    !one.quoted && one.name.is(known)
}

fn is_keyword(one: &TypeSyntax<'_>) -> bool {
    is_player(one)
        || one.name.is("this")
        || one.name.is("all")
        || one.name.is("*")
        || card_type(one).is_some()
}

/// The card type that a type names, singular or plural.
pub(crate) fn card_type(one: &TypeSyntax<'_>) -> Option<CardType> {
    let (card_type, plural) = match one.name.text.len() {
        6 => (CardType::Action, "actions"),
        7 => (CardType::Action, "actions"),
        8 => (CardType::Reaction, "reactions"),
        9 if one.name.text.as_bytes()[0] | 0x20 == b'r' => (CardType::Reaction, "reactions"),
        9 | 10 => (CardType::Character, "characters"),
        _ => return None,
    };
    let known = plural.get(..one.name.text.len())?;
    (!one.quoted && one.name.is(known)).then_some(card_type)
}

/// Whether a type is a plural: all matches, no choice (R210).
pub(crate) fn is_plural(one: &TypeSyntax<'_>, names: &dyn PackageNames) -> bool {
    if one.plural {
        return true;
    }
    if one.quoted || one.name.is("*") || one.name.is("this") {
        return false;
    }
    if one.name.is("all") || one.name.is("players") {
        return true;
    }
    if let Some(card_type) = card_type(one) {
        return one.name.text.len() > card_type.word().len();
    }
    let name = lower(one.name.text);
    let single = name.strip_suffix('s');
    names.subtype(&name).is_none() && single.is_some_and(|single| names.subtype(single).is_some())
}

/// The zone a target looks in; `None` where it is unknown.
pub(crate) fn zone(target: &Target<'_>) -> Option<Zone> {
    target.zone.map_or(Some(Zone::ARENA), |zone| find_zone(zone.text))
}

/// Whether a target is looked for in a deck.
pub(crate) fn is_in_deck(target: &Target<'_>) -> bool {
    let may = |zone: &WordSyntax<'_>| zone.text.ends_with(['k', 'K']);
    target
        .zone
        .filter(may)
        .and_then(|zone| find_zone(zone.text))
        .is_some_and(|zone| zone.place == ZonePlace::Pile(PileName::Deck))
}

/// Whether a zone is where characters fight.
pub(crate) fn in_play(zone: Zone) -> bool {
    matches!(
        zone.place,
        ZonePlace::Arena | ZonePlace::Ring | ZonePlace::InFront
    )
}

/// Whether the zone can hold cards of the opponent of the one who runs the rule.
pub(crate) fn may_be_opponents(zone: Zone) -> bool {
    zone.place == ZonePlace::Arena
        || matches!(zone.side, ZoneSide::Opponent | ZoneSide::Any | ZoneSide::Same)
        || zone.place == ZonePlace::InFront
}

/// The most objects a target can find, if that is known.
pub(crate) fn most(target: &Target<'_>, names: &dyn PackageNames) -> Option<u32> {
    if is_computed(target, names) {
        return None;
    }
    if target.types.iter().any(|one| is_plural(one, names))
        || target.types.iter().any(|one| one.name.is("all"))
    {
        return target.pick.map(|pick| u32::from(pick.count.unsigned_abs()));
    }
    let each = match (target.quantity.map(|quantity| quantity.form), target.pick) {
        (
            Some(
                QuantityForm::Exactly(count) | QuantityForm::Between(_, count) | QuantityForm::Random(count),
            ),
            _,
        ) => u32::from(count),
        (Some(QuantityForm::Any), _) => return None,
        (None, Some(pick)) => u32::from(pick.count.unsigned_abs()),
        (None, None) => 1,
    };
    let parts = if target.joiner == TypeJoiner::And {
        target.types.len().max(1)
    } else {
        1
    };
    Some(each.saturating_mul(u32::try_from(parts).unwrap_or(u32::MAX)))
}

/// The most objects a clause can find, if that is known.
pub(crate) fn most_of_clause(clause: &TargetClauseSyntax<'_>, names: &dyn PackageNames) -> Option<u32> {
    clause
        .targets
        .iter()
        .map(|target| most(target, names))
        .try_fold(0u32, |sum, most| Some(sum.saturating_add(most?)))
}
