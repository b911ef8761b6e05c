//! Whose turn and which phase it is when a rule runs, and what cannot matter then: RS089.

use cw_program::{
    CardType, ClosedWord as _, CommandName, EventName, Keyword, RuleFlag, Scope, Zone, ZonePlace, ZoneSide,
};
use cw_syntax::{ArgForm, EffectSyntax, EffectSyntaxKind, FilterSyntax, NumberSign, Prefix, Target, rs};

use super::Lints;
use crate::aim;
use crate::groups::{CheckedBranch, StatementGroup};

/// The steps of a turn in which something matters, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TurnStep {
    Unfreezing,
    ActivateEnds,
    Draw,
    Main,
    Attack,
    Counter,
    Combat,
    EndEvent,
    Cleanup,
}

/// A step of this turn (0), the next (1) and so on. Turns with even numbers are the active player's.
type TurnMoment = (u8, TurnStep);

/// When the statements of a group run.
#[derive(Clone, Copy, Debug)]
struct RunMoment {
    step: TurnStep,
    /// Whether who runs them is the active player; else a reaction is played.
    is_active: bool,
    /// Whether the card's own player is the active one, where that is known.
    owner_is_active: Option<bool>,
    /// How the moment is called in messages.
    when: &'static str,
}

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    for group in lints.groups {
        let Some(moment) = moment(lints, group) else {
            continue;
        };
        for part in group.parts {
            if part.branch.to.is_none() && part.branch.effects.is_empty() {
                continue;
            }
            let clause = part.branch.to.as_ref().or(lints.keys.target);
            for target in clause.map_or(&[][..], |clause| clause.targets) {
                fighters(lints, target, moment);
            }
            idle_commands(lints, part, moment);
            ends_too_early(lints, part, moment);
        }
    }
}

/// R313, G70, G72, R910: when a group runs; `None` where it may be any time.
fn moment(lints: &Lints<'_, '_>, group: &StatementGroup<'_>) -> Option<RunMoment> {
    let kind = lints.card.and_then(|card| card.card_type);
    if group.action {
        return Some(match kind? {
            CardType::Action => RunMoment {
                step: TurnStep::Main,
                is_active: true,
                owner_is_active: Some(true),
                when: "an action card is played in its player's Main phase",
            },
            CardType::Reaction => RunMoment {
                step: TurnStep::Counter,
                is_active: false,
                owner_is_active: Some(false),
                when: "a reaction is played in the opponent's Counter-attack phase",
            },
            // Of a character without a kind of ability nobody knows who runs it.
            CardType::Character if lints.card.is_none_or(|card| card.ability.is_none()) => return None,
            CardType::Character => RunMoment {
                step: TurnStep::Main,
                is_active: true,
                owner_is_active: Some(true),
                when: "an ability is used in its player's Main phase",
            },
        });
    }
    let mut moments = group.events.iter().map(|event| {
        let (step, when) = match event.name {
            EventName::ActivatePhase => (TurnStep::ActivateEnds, "this is in the Activate phase"),
            EventName::DrawPhase => (TurnStep::Draw, "this is in the Draw phase"),
            EventName::BackedUp => (TurnStep::Main, "characters are backed up in the Main phase"),
            EventName::BlockPhase | EventName::Attacks => (
                TurnStep::Counter,
                "this is at the start of the Counter-attack phase",
            ),
            EventName::Blocks | EventName::Blocked | EventName::PlayerCombatDamaged => {
                (TurnStep::Combat, "this is in the End phase")
            }
            EventName::EndPhase => (TurnStep::EndEvent, "this is in the End phase, after the fights"),
            EventName::CleanupPhase => (TurnStep::Cleanup, "this is in the Cleanup phase"),
            _ => return None,
        };
        let is_of_any = event.has_suffix("any");
        let owner_is_active = match (event.name, event.scope) {
            (EventName::Blocks, _) if !is_of_any => Some(false),
            (EventName::Attacks | EventName::Blocked | EventName::PlayerCombatDamaged, _) if !is_of_any => {
                Some(true)
            }
            (EventName::Blocks | EventName::Attacks | EventName::Blocked, _) => None,
            (EventName::PlayerCombatDamaged, _) => None,
            (_, Scope::My) => Some(true),
            (_, Scope::Opp) => Some(false),
            (_, Scope::Any) => None,
        };
        Some(RunMoment {
            step,
            is_active: true,
            owner_is_active,
            when,
        })
    });
    let first = moments.next()??;
    let same = |other: Option<RunMoment>| {
        other.is_some_and(|other| other.step == first.step && other.owner_is_active == first.owner_is_active)
    };
    moments.all(same).then_some(first)
}

fn is_plain(filter: &FilterSyntax<'_>) -> bool {
    filter.compare.is_none() && !matches!(filter.prefix, Some(Prefix::Minus | Prefix::Caret))
}

/// G53–G62, RS089: nobody attacks or blocks before the Attack phase, and only the active player attacks.
fn fighters(lints: &mut Lints<'_, '_>, target: &Target<'_>, moment: RunMoment) {
    if aim::is_computed(target, lints.names) {
        return;
    }
    let side = aim::zone(target).and_then(|zone| side_of(target, zone));
    let mut told = false;
    for filter in target
        .filters
        .iter()
        .copied()
        .flatten()
        .filter(|one| is_plain(one))
    {
        let attacks = filter.name.is("attack") || filter.name.is("uattack") || filter.name.is("blocked");
        if !attacks && !filter.name.is("block") || told {
            continue;
        }
        let who = if attacks { "attacks" } else { "counter-attacks" };
        if moment.step < TurnStep::Attack {
            let message = format!("{}, when nobody {who}: this finds nothing", moment.when);
            lints.help(rs::RS089, filter.span, message, in_main(lints, attacks));
            told = true;
            continue;
        }
        // Attackers are the active player's, blockers the other's.
        let wanted = moment.is_active == attacks;
        if let (Some(mine), Some(zone)) = (side, target.zone)
            && mine != wanted
        {
            let right = if wanted { "myRing" } else { "oppRing" };
            let message = format!(
                "in `@{}` nobody {who} then: {}",
                zone.text,
                if moment.is_active {
                    "the player who acts is the one whose turn it is"
                } else {
                    "a reaction is played in the opponent's turn"
                }
            );
            let title = format!("write `{right}`");
            lints.fix(rs::RS089, zone.span, message, title, &[(zone.span, right)]);
            told = true;
        }
    }
}

/// What to write where attackers or blockers are looked for too early.
fn in_main(lints: &Lints<'_, '_>, attacks: bool) -> &'static str {
    match (lints.card.and_then(|card| card.card_type), attacks) {
        (Some(CardType::Action), true) => {
            "make the card a reaction, \
             which is played in the opponent's Counter-attack phase, or leave the filter out"
        }
        (Some(CardType::Action), false) => {
            "a reaction is played while characters counter-attack; \
             before that, `character@oppRing` is who may do so"
        }
        (_, true) => {
            "write an `auto` with the event: `~attacks~` of this character, \
             `~anyAttacks:any~` of every one, or leave the filter out"
        }
        (_, false) => {
            "write an `auto` with the event: \
             `~blocked~` of this character, `~blocks~` when it counter-attacks"
        }
    }
}

/// Whether the cards of a zone are those of the player who acts.
fn side_of(target: &Target<'_>, zone: Zone) -> Option<bool> {
    target.zone?;
    match (zone.place, zone.side) {
        (ZonePlace::Ring, ZoneSide::Mine | ZoneSide::Controller) => Some(true),
        (ZonePlace::Ring, ZoneSide::Opponent) => Some(false),
        _ => None,
    }
}

/// G236, G237, R610, RS089: commands that need attackers, or a Main phase still to come.
fn idle_commands(lints: &mut Lints<'_, '_>, part: &CheckedBranch<'_>, moment: RunMoment) {
    for call in part.calls {
        let (message, help) = match call.name {
            CommandName::RemoveFromAttack | CommandName::Unite if moment.step < TurnStep::Attack => (
                format!("{}, when nobody attacks: this does nothing", moment.when),
                "make the card a reaction; what keeps a character from attacking is `+cantattack oppUeot`",
            ),
            CommandName::PlayExtraChar if moment.step > TurnStep::Main => (
                format!("{}: no character is played any more in this turn", moment.when),
                "only one's own Main phase is for characters, \
                 as of an action card, or of `~myActivatePhase~`",
            ),
            _ => continue,
        };
        lints.help(rs::RS089, call.span, message, help);
    }
}

/// When something matters: in whose turns, seen from its bearer, and between which steps.
struct MatterSpan {
    of_bearer: bool,
    from: TurnStep,
    to: TurnStep,
    /// What happens then.
    what: &'static str,
}

fn of_keyword(keyword: Keyword) -> MatterSpan {
    let (of_bearer, from, to, what) = match keyword {
        Keyword::Unblockable => (
            true,
            TurnStep::Attack,
            TurnStep::Counter,
            "characters attack in their player's turn",
        ),
        Keyword::CantAttack => (
            true,
            TurnStep::Attack,
            TurnStep::Counter,
            "characters attack in their player's turn",
        ),
        Keyword::Unfreezable | Keyword::Pierce => (
            true,
            TurnStep::Attack,
            TurnStep::Combat,
            "characters attack in their player's turn",
        ),
        Keyword::Rush => (
            true,
            TurnStep::Main,
            TurnStep::Attack,
            "characters attack in their player's turn",
        ),
        Keyword::CantBlock => (
            false,
            TurnStep::Attack,
            TurnStep::Combat,
            "characters counter-attack in the other player's turn",
        ),
        Keyword::PreventPierce => (
            false,
            TurnStep::Attack,
            TurnStep::Combat,
            "characters counter-attack in the other player's turn",
        ),
        Keyword::Frosted => (
            true,
            TurnStep::Unfreezing,
            TurnStep::Unfreezing,
            "characters unfreeze in their player's Activate phase",
        ),
        Keyword::UnlimitedBackup => (
            true,
            TurnStep::Main,
            TurnStep::Main,
            "characters are backed up in their player's Main phase",
        ),
        Keyword::CantPlayAc => (
            true,
            TurnStep::Main,
            TurnStep::Main,
            "actions are played in their player's own turn",
        ),
        Keyword::CantPlayRe => (
            false,
            TurnStep::Counter,
            TurnStep::Counter,
            "reactions are played in the other player's turn",
        ),
    };
    MatterSpan {
        of_bearer,
        from,
        to,
        what,
    }
}

fn of_rule(flag: RuleFlag) -> Option<MatterSpan> {
    let (from, to, what) = match flag {
        RuleFlag::Attack => (
            TurnStep::Attack,
            TurnStep::Attack,
            "attacks are declared in their player's own turn",
        ),
        RuleFlag::AttackFreeze => (
            TurnStep::Attack,
            TurnStep::Combat,
            "attackers freeze in their player's own turn",
        ),
        RuleFlag::AbTriggerFresh
        | RuleFlag::AbTriggerAct
        | RuleFlag::AbInstantAct
        | RuleFlag::BackupFresh
        | RuleFlag::BackupLimit
        | RuleFlag::PlayCharBpLimit => (
            TurnStep::Main,
            TurnStep::Main,
            "this counts in a player's own Main phase",
        ),
        RuleFlag::Piercing | RuleFlag::DmgCombatDeal | RuleFlag::PlayRemoved => return None,
    };
    Some(MatterSpan {
        of_bearer: true,
        from,
        to,
        what,
    })
}

/// The last moment of a restriction (R804).
fn end_of(word: &str, owner_is_active: bool) -> Option<TurnMoment> {
    let lower = word.to_ascii_lowercase();
    let (is_opps, kind) = match lower.strip_prefix("opp") {
        Some(rest) => (true, rest),
        None => (false, lower.strip_prefix("my").unwrap_or(&lower)),
    };
    // Whether the turn that ends it is of the player who is active now.
    let is_now = owner_is_active != is_opps;
    match kind {
        "ueot" | "unac" => Some((u8::from(!is_now), TurnStep::Cleanup)),
        "uynt" => Some((if is_now { 2 } else { 1 }, TurnStep::Unfreezing)),
        _ => None,
    }
}

/// Whether what matters in a span comes between two moments; `bearer` says whose turn it is of, if known.
fn matters(span: &MatterSpan, bearer_is_active: Option<bool>, now: TurnStep, end: TurnMoment) -> bool {
    (0..=3_u8).any(|turn| {
        let of_active = turn % 2 == 0;
        let fits = bearer_is_active.is_none_or(|active| (active == of_active) == span.of_bearer);
        fits && (0, now) <= (turn, span.to) && (turn, span.from) <= end
    })
}

/// R804, RS089: a change that ends before what it changes can happen.
fn ends_too_early(lints: &mut Lints<'_, '_>, part: &CheckedBranch<'_>, moment: RunMoment) {
    let (Some(limit), Some(owner_is_active)) = (part.branch.restriction, moment.owner_is_active) else {
        return;
    };
    let Some(end) = end_of(limit.text, owner_is_active) else {
        return;
    };
    let clause = part.branch.to.as_ref().or(lints.keys.target);
    let bearer = match clause.map(|clause| clause.targets) {
        // Without targets it is this card, or its player.
        None => Some(owner_is_active),
        Some([target]) => bearer_of(lints, target, moment, owner_is_active),
        Some(_) => None,
    };
    // A rule of the game is changed for the player who is named, else for both.
    let is_player = clause.is_some_and(|clause| {
        let is_player = |target: &Target<'_>| match target.expression {
            Some(expression) => expression.is("this.controller"),
            None => !target.types.is_empty() && target.types.iter().all(aim::is_player),
        };
        clause.targets.iter().all(is_player)
    });
    for effect in part.branch.effects {
        let span = match effect.kind {
            EffectSyntaxKind::Ability {
                sign: NumberSign::Plus,
                name,
            } => Keyword::find(name.text)
                .map(of_keyword)
                .map(|span| (span, bearer)),
            EffectSyntaxKind::Ability { .. } => None,
            EffectSyntaxKind::Call { .. } => of_call(effect, bearer.filter(|_| is_player)),
        };
        let Some((span, bearer)) = span else { continue };
        if matters(&span, bearer, moment.step, end) {
            continue;
        }
        let message = format!("this ends before it matters: {}", span.what);
        let better = ["ueot", "oppUeot"].into_iter().find(|word| {
            end_of(word, owner_is_active).is_some_and(|end| matters(&span, bearer, moment.step, end))
        });
        match better {
            Some(word) => {
                let help = match word {
                    "ueot" => {
                        "`ueot` is until the end of your turn, of your next one if it is the opponent's now"
                    }
                    _ => "`oppUeot` is until the end of the opponent's turn, `ueot` until the end of yours",
                };
                lints.rewrite(rs::RS089, limit.span, message, word).help = Some(help.to_owned());
            }
            None => lints.help(
                rs::RS089,
                limit.span,
                message,
                "give it for a longer time, or at another moment",
            ),
        }
        return;
    }
}

/// What a timed command changes, and for whom.
fn of_call(effect: &EffectSyntax<'_>, player: Option<bool>) -> Option<(MatterSpan, Option<bool>)> {
    let call = crate::groups::call(effect)?;
    let first = call.arguments.first();
    match call.name {
        CommandName::Bp if first.is_some_and(|one| matches!(one.form, ArgForm::Int(1..))) => Some((
            MatterSpan {
                of_bearer: true,
                from: TurnStep::Unfreezing,
                to: TurnStep::Combat,
                what: "the fights of this turn are over",
            },
            None,
        )),
        CommandName::DisableRule | CommandName::EnableRule | CommandName::ModRule => {
            let flag = RuleFlag::find(first?.text.text)?;
            of_rule(flag).map(|span| (span, player))
        }
        _ => None,
    }
}

/// Whether the bearer of an effect is the active player, or a character of that player.
fn bearer_of(
    lints: &Lints<'_, '_>,
    target: &Target<'_>,
    moment: RunMoment,
    owner_is_active: bool,
) -> Option<bool> {
    if let Some(expression) = target.expression {
        return expression.is("this.controller").then_some(owner_is_active);
    }
    let [one] = target.types else {
        let zone = aim::zone(target)?;
        return side_of(target, zone).map(|mine| mine == moment.is_active);
    };
    if !one.quoted && one.name.is("this") {
        return Some(owner_is_active);
    }
    if !one.quoted && one.name.is("me") {
        return Some(moment.is_active);
    }
    if !one.quoted && one.name.is("opp") {
        return Some(!moment.is_active);
    }
    if aim::is_computed(target, lints.names) {
        return None;
    }
    let zone = aim::zone(target)?;
    if zone.place == ZonePlace::InFront {
        return Some(!moment.is_active);
    }
    side_of(target, zone).map(|mine| mine == moment.is_active)
}
