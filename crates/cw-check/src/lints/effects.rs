//! Commands and abilities on their targets: RS014, RS045, RS060, RS062, RS063, RS065, RS066, RS076, RS078.

use cw_program::{ActsOn, ClosedWord as _, CommandName, Keyword, ZonePlace, ZoneSide, find_zone};
use cw_syntax::{ArgForm, EffectSyntaxKind, NumberSign, TargetClauseSyntax, rs};
use cw_text::{FindingFix, Safety, Severity, Span, TextEdit};

use super::Lints;
use crate::aim::{self, Aim};
use crate::groups::{CheckedBranch, CheckedCall, StatementGroup};

/// The targets that reach the effects of a branch.
#[derive(Clone, Copy)]
struct TargetReach<'a> {
    aim: Aim,
    clause: Option<&'a TargetClauseSyntax<'a>>,
    /// Whether the clause is the branch's own.
    own: bool,
}

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    for group in lints.groups {
        for part in group.parts {
            check(lints, group, part);
        }
    }
}

fn check<'a>(lints: &mut Lints<'a, '_>, group: &StatementGroup<'a>, part: &CheckedBranch<'a>) {
    let branch = part.branch;
    let own = branch.to.as_ref();
    let clause = own.or(lints.keys.target);
    let reach = TargetReach {
        aim: clause.map_or(Aim::default(), |clause| match lints.keys.target {
            // What was found already is what was looked for.
            Some(target) if names_targets(lints.text, clause) => Aim::of_clause(target, lints.names),
            _ => Aim::of_clause(clause, lints.names),
        }),
        clause,
        own: own.is_some(),
    };
    for effect in branch.effects {
        match effect.kind {
            EffectSyntaxKind::Ability { sign, name } => {
                if let Some(keyword) = Keyword::find(name.text) {
                    wrong_bearer(lints, keyword, effect.span, reach);
                }
                if sign == NumberSign::Minus {
                    lints.add(rs::RS065, effect.span, "other engines do nothing for `-ability`");
                }
            }
            EffectSyntaxKind::Call { .. } => {}
        }
    }
    for call in part.calls {
        falls_back(lints, call, reach);
        count_of_targets(lints, call, reach);
        wrong_pile(lints, call, reach);
        does_nothing(lints, call);
        other_scale(lints, call);
        hits_itself(lints, call, reach, group);
        repeats_in_vain(lints, call, reach);
        names_itself(lints, call, reach);
        robs_itself(lints, call, reach);
    }
    wrong_objects(lints, part, reach);
    idle_clause(lints, part, reach);
}

/// Whether a clause names what `target =` has found.
fn names_targets(text: &str, clause: &TargetClauseSyntax<'_>) -> bool {
    let is_tgt = |target: &cw_syntax::Target<'_>| {
        let written = text.get(target.text.span.range()).unwrap_or_default().trim();
        ["tgt", "tgt.0"]
            .iter()
            .any(|name| written.eq_ignore_ascii_case(name))
    };
    !clause.targets.is_empty() && clause.targets.iter().all(is_tgt)
}

/// RS063: targets that no effect of the branch asks for.
fn idle_clause(lints: &mut Lints<'_, '_>, part: &CheckedBranch<'_>, reach: TargetReach<'_>) {
    let Some(clause) = part.branch.to.as_ref().filter(|_| reach.own) else {
        return;
    };
    let calls_only = part
        .branch
        .effects
        .iter()
        .all(|effect| matches!(effect.kind, EffectSyntaxKind::Call { .. }));
    let calls = || part.calls.iter().filter(|call| !call.nested);
    let idle = |call: &CheckedCall<'_>| {
        call.name.signature().acts_on == ActsOn::Nothing
            && !matches!(call.name, CommandName::Each | CommandName::Activate)
            && !call
                .arguments
                .iter()
                .any(|argument| argument.text.text.to_lowercase().contains("tgt"))
    };
    if !calls_only || calls().count() != part.branch.effects.len() || !calls().all(idle) {
        return;
    }
    let Some(call) = calls().next().copied() else {
        return;
    };
    let message = format!("`{}` takes no targets, so this changes nothing", call.word.text);
    let edits = calls()
        .count()
        .eq(&1)
        .then(|| piles_of_opponent(lints, &call, clause))
        .flatten();
    let finding = lints.add(rs::RS063, clause.span, message);
    finding.severity = Severity::Warning;
    finding.help = Some(
        match call.name {
            CommandName::MovePile | CommandName::SwapPiles | CommandName::PileView => {
                "whose pile it is stands in the brackets: `movePile(oppHand, oppDiscards)`"
            }
            CommandName::AlterCost => {
                "it is for both players; what the opponent pays is changed by an `auto`: \
                 `~oppBeforePayCostAction~ modCost(action, -1)`"
            }
            CommandName::ModCost | CommandName::ModDamage => {
                "it changes what is being computed; \
                 whose it is stands in the event: `~oppBeforePayCostAction~`"
            }
            _ => {
                "it is for the player who carries the rule out; \
                 in an opponent's event, as `~oppEndPhase~`, that is the opponent"
            }
        }
        .to_owned(),
    );
    let file = lints.file;
    if let (Some((title, edits)), Some(finding)) = (edits, lints.out.last_mut()) {
        finding.fix = Some(FindingFix {
            title,
            safety: Safety::Unsafe,
            edits: edits
                .into_iter()
                .map(|(span, text)| TextEdit { file, span, text })
                .collect(),
        });
    }
}

/// What makes `movePile(hand, discards) to(opp)` the opponent's piles.
fn piles_of_opponent(
    lints: &Lints<'_, '_>,
    call: &CheckedCall<'_>,
    clause: &TargetClauseSyntax<'_>,
) -> Option<(String, Vec<(cw_text::Span, String)>)> {
    let [target] = clause.targets else { return None };
    let is_opponent = matches!(target.types, [one] if !one.quoted && one.name.is("opp"));
    if !is_opponent
        || !matches!(
            call.name,
            CommandName::MovePile | CommandName::SwapPiles | CommandName::PileView
        )
    {
        return None;
    }
    let mut edits = Vec::new();
    let mut piles = Vec::new();
    for argument in call.arguments {
        let Some(zone) = find_zone(argument.text.text) else {
            piles.push(argument.text.text.to_owned());
            continue;
        };
        let ZonePlace::Pile(pile) = zone.place else {
            return None;
        };
        let word = pile.word();
        let (first, rest) = word.split_at_checked(1)?;
        let right = format!("opp{}{rest}", first.to_uppercase());
        edits.push((argument.text.span, right.clone()));
        piles.push(right);
    }
    // The blank before the clause goes with it.
    let start = clause.span.start as usize;
    let blank = usize::from(lints.text[..start].ends_with(' '));
    edits.push((
        cw_text::Span::new(start - blank, clause.span.end as usize),
        String::new(),
    ));
    let title = format!("write `{}({})`", call.word.text, piles.join(", "));
    Some((title, edits))
}

/// Reports an ability of players that only cards get, and one of characters that only players
/// get (R802, RS014).
fn wrong_bearer(lints: &mut Lints<'_, '_>, keyword: Keyword, span: Span, reach: TargetReach<'_>) {
    let for_players = matches!(keyword, Keyword::CantPlayAc | Keyword::CantPlayRe);
    if for_players && reach.aim.only_cards() {
        lints.add(
            rs::RS014,
            span,
            format!("`{keyword}` is an ability of players, and these are cards"),
        );
    } else if !for_players && reach.aim.only_players() {
        lints.add(
            rs::RS014,
            span,
            format!("`{keyword}` is an ability of characters, and these are players"),
        );
    }
}

/// Reports `destroy`, `bp` and `copyAbility` that hit the card itself when their clause finds
/// nothing (R309, R413, RS045).
fn falls_back(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    let surprising = matches!(
        call.name,
        CommandName::Destroy | CommandName::Bp | CommandName::CopyAbility
    );
    let Some(clause) = reach.clause.filter(|_| surprising) else {
        return;
    };
    let lone_pick = |target: &cw_syntax::Target<'_>| {
        let pile = aim::zone(target).is_some_and(|zone| !aim::in_play(zone));
        target.pick.is_some() && target.quantity.is_none() && pile
    };
    if clause.optional || clause.targets.iter().all(lone_pick) {
        let file = lints.file;
        let message = format!("`{}` hits the card itself when nothing is found", call.word.text);
        let finding = lints.add(rs::RS045, call.span, message);
        *finding = finding.clone().label(file, clause.span, "this may find nothing");
    }
}

/// Reports commands that need two targets and find fewer, or use one and find more (RS060).
fn count_of_targets(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    let two = matches!(call.name, CommandName::SwapChars | CommandName::SwapAbilities);
    let one = matches!(call.name, CommandName::MoveToSlot | CommandName::Steal);
    if !two && !one {
        return;
    }
    let Some(clause) = reach.clause else {
        if two {
            let message = format!("`{}` needs two targets, but there are none", call.word.text);
            lints.add(rs::RS060, call.span, message);
        }
        return;
    };
    if call.name == CommandName::SwapChars && swaps_across(lints, clause) {
        return;
    }
    let most = aim::most_of_clause(clause, lints.names);
    let many = clause
        .targets
        .iter()
        .any(|target| target.types.iter().any(|one| aim::is_plural(one, lints.names)));
    if two && most.is_some_and(|most| most < 2) {
        let message = format!("`{}` needs two targets, but this finds one", call.word.text);
        lints.add(rs::RS060, clause.span, message);
    } else if one && (many || most.is_some_and(|most| most > 1)) {
        let message = format!("`{}` uses only the first of these targets", call.word.text);
        lints.add(rs::RS060, clause.span, message);
    }
}

/// G226, RS060: characters swap slots within one ring; nobody changes sides.
fn swaps_across(lints: &mut Lints<'_, '_>, clause: &TargetClauseSyntax<'_>) -> bool {
    let side = |target: &cw_syntax::Target<'_>| {
        if matches!(target.types, [one] if !one.quoted && one.name.is("this")) {
            return Some(ZoneSide::Mine);
        }
        let zone = aim::zone(target).filter(|_| !aim::is_computed(target, lints.names))?;
        match (zone.place, zone.side) {
            (ZonePlace::InFront, _) => Some(ZoneSide::Opponent),
            (ZonePlace::Ring, side @ (ZoneSide::Mine | ZoneSide::Opponent)) => Some(side),
            _ => None,
        }
    };
    let sides: Vec<Option<ZoneSide>> = clause.targets.iter().map(side).collect();
    let across = matches!(sides[..], [Some(one), Some(other)] if one != other);
    let either = matches!(clause.targets, [target]
        if aim::zone(target).is_some_and(|zone| zone.place == ZonePlace::Arena)
            && target.zone.is_none()
            && target.filters.is_empty()
            && matches!(target.types, [one] if one.prefix.is_none() && aim::card_type(one).is_some())
            && aim::most(target, lints.names) == Some(2));
    if !across && !either {
        return false;
    }
    let message = match across {
        true => {
            "these are in different rings, so nothing is swapped: characters change slots within one ring"
        }
        false => "two of different rings are not swapped: characters change slots within one ring",
    };
    let keyword = clause.keyword.text;
    let right = format!("{keyword}(<2>character@sameRing)");
    let has_this = clause
        .targets
        .iter()
        .any(|target| matches!(target.types, [one] if one.name.is("this")));
    let finding = lints.add(rs::RS060, clause.span, message);
    finding.help = Some(
        "a ring is chosen by `<2>character@sameRing`; \
         a character stays with its player, and `swapAbilities()` works across rings"
            .to_owned(),
    );
    let file = lints.file;
    if !has_this && let Some(finding) = lints.out.last_mut() {
        finding.fix = Some(FindingFix::one(
            format!("write `{right}`"),
            Safety::Unsafe,
            file,
            clause.span,
            right,
        ));
    }
    true
}

/// Reports a `moveTo` that may put an opponent's card into the wrong player's pile (R617, RS062).
fn wrong_pile(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    if call.name != CommandName::MoveTo {
        return;
    }
    let (Some(argument), Some(clause)) = (call.arguments.first(), reach.clause) else {
        return;
    };
    let Some(pile) = find_zone(argument.text.text) else {
        return;
    };
    if pile.side == ZoneSide::Controller {
        return;
    }
    let strange = |target: &cw_syntax::Target<'_>| {
        let Some(zone) = aim::zone(target) else {
            return false;
        };
        if aim::is_computed(target, lints.names)
            || target.types.iter().all(aim::is_player) && !target.types.is_empty()
            || target.types.iter().any(|one| one.name.is("this"))
        {
            return false;
        }
        let certain = zone.place != ZonePlace::Arena && zone.side == ZoneSide::Opponent;
        aim::may_be_opponents(zone) && !(certain && pile.side == ZoneSide::Opponent)
    };
    if !clause.targets.iter().any(strange) {
        return;
    }
    let lower = argument.text.text.to_ascii_lowercase();
    let place = lower
        .strip_prefix("opp")
        .or_else(|| lower.strip_prefix("my"))
        .unwrap_or(&lower);
    let own = match place.split_at_checked(1) {
        Some((first, rest)) => format!("ctrl{}{rest}", first.to_uppercase()),
        None => return,
    };
    let whose = if pile.side == ZoneSide::Opponent {
        "the opponent's"
    } else {
        "the acting player's"
    };
    lints.fix(
        rs::RS062,
        argument.text.span,
        format!("cards of either player would go to {whose} pile"),
        format!("write `{own}`: each card goes to its own player"),
        &[(argument.text.span, &own)],
    );
}

/// Reports commands on targets that they cannot act on, such as cards for a command on players (RS063).
fn wrong_objects(lints: &mut Lints<'_, '_>, part: &CheckedBranch<'_>, reach: TargetReach<'_>) {
    let calls = part.calls.iter().filter(|call| !call.nested);
    let forms = calls.map(|call| (call, call.name.signature().acts_on));
    if reach.aim.only_players() {
        for (call, acts_on) in forms {
            if matches!(
                acts_on,
                ActsOn::Cards | ActsOn::CardsOrSource | ActsOn::CardsElsePile
            ) {
                let message = format!("`{}` acts on cards, and these are players", call.word.text);
                let whose = reach
                    .clause
                    .and_then(|clause| lints.text.get(clause.span.range()));
                let help = players_cards(whose);
                let finding = lints.add(rs::RS063, call.span, message);
                finding.severity = Severity::Error;
                finding.help = Some(help);
            }
        }
        return;
    }
    if !reach.aim.only_cards() {
        return;
    }
    for (call, acts_on) in forms.clone() {
        if acts_on == ActsOn::PlayersOnly {
            let message = format!("`{}` acts on players, and these are cards", call.word.text);
            lints.add(rs::RS063, call.span, message).severity = Severity::Error;
        }
    }
    if let Some(clause) = reach
        .clause
        .filter(|clause| clause.targets.iter().all(|one| is_in_pile(lints, one)))
    {
        for (call, _) in forms.clone().filter(|(call, _)| call.name.signature().in_ring) {
            let message = format!(
                "`{}` acts on characters in a ring, and these are not",
                call.word.text
            );
            let finding = lints.add(rs::RS063, clause.span, message);
            finding.severity = Severity::Warning;
            finding.help = Some(
                "characters in play are `character`, `character@myRing` or `character@oppRing`".to_owned(),
            );
        }
    }
    // Written for one command only, the clause looks meant; and it does not reach it.
    if let ([_], [call, ..]) = (part.branch.effects, part.calls)
        && reach.own
        && call.name.signature().acts_on == ActsOn::Players
    {
        let message = format!(
            "`{}` acts on the controller of this card, not on these",
            call.word.text
        );
        let span = reach.clause.map_or(call.span, |clause| clause.span);
        lints.help(
            rs::RS063,
            span,
            message,
            "name a player, as `to(opp)`; whoever has a card is its controller, as `to(tgt.0.controller)`",
        );
        let meant = reach.clause.and_then(|clause| players_of(lints, clause));
        let file = lints.file;
        if let Some(finding) = lints.out.last_mut() {
            finding.severity = Severity::Warning;
            finding.fix = meant.map(|meant| {
                FindingFix::one(
                    format!("write `{meant}`"),
                    Safety::Unsafe,
                    file,
                    span,
                    meant.to_owned(),
                )
            });
        }
    }
}

/// The clause that names the player whose cards this one names.
fn players_of(lints: &Lints<'_, '_>, clause: &TargetClauseSyntax<'_>) -> Option<&'static str> {
    let [target] = clause.targets else { return None };
    if names_targets(lints.text, clause) {
        return Some("to(tgt.0.controller)");
    }
    let zone = find_zone(target.zone?.text)?;
    (zone.side == ZoneSide::Opponent).then_some("to(opp)")
}

/// What is written for the cards of players, where a command wants cards.
fn players_cards(clause: Option<&str>) -> String {
    let clause = clause.unwrap_or_default().to_lowercase();
    let inner = clause.trim_start_matches("to").trim_matches(['(', ')', ' ']);
    let cards = match inner {
        "me" => "all of yours are `to(characters@myRing)`, one of them `to(character@myRing)`",
        "opp" => "all of the opponent's are `to(characters@oppRing)`, one of them `to(character@oppRing)`",
        "players" => "all characters are `to(characters)`, one of them `to(character)`",
        _ => "name cards, as `to(character@oppRing)`",
    };
    cards.to_owned()
}

/// Whether a target is looked for in a hand, a deck or another pile.
fn is_in_pile(lints: &Lints<'_, '_>, target: &cw_syntax::Target<'_>) -> bool {
    let is_this = |one: &cw_syntax::TypeSyntax<'_>| one.name.is("this") && !one.quoted;
    !aim::is_computed(target, lints.names)
        && !target.types.iter().any(|one| is_this(one) || aim::is_player(one))
        && aim::zone(target).is_some_and(|zone| matches!(zone.place, ZonePlace::Pile(_)))
}

/// Reports commands whose arguments make them do nothing, such as `draw(0)` (RS076).
fn does_nothing(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>) {
    let text = |index: usize| call.arguments.get(index).map(|argument| argument.text);
    let number = |index: usize| match call.arguments.get(index).map(|argument| argument.form) {
        Some(ArgForm::Int(value)) => Some(value),
        _ => None,
    };
    let grows_only = matches!(
        call.name,
        CommandName::Damage
            | CommandName::Draw
            | CommandName::Trash
            | CommandName::LoseLife
            | CommandName::Turns
            | CommandName::Prophecy
            | CommandName::Discard
            | CommandName::RndDiscard
    );
    let message = match call.name {
        CommandName::MovePile | CommandName::SwapPiles => {
            let same = text(0)
                .zip(text(1))
                .is_some_and(|(a, b)| find_zone(a.text) == find_zone(b.text));
            same.then(|| "both piles are the same".to_string())
        }
        CommandName::Bp if text(0).is_some_and(|text| text.is("x1")) => {
            Some("times 1 changes nothing".to_string())
        }
        CommandName::ModCost | CommandName::AlterCost => {
            let zero = number(1) == Some(0);
            zero.then(|| "0 changes nothing".to_string())
        }
        CommandName::Hp | CommandName::Sp | CommandName::Bp | CommandName::ModDamage => {
            (number(0) == Some(0)).then(|| "0 changes nothing".to_string())
        }
        _ if grows_only => number(0)
            .filter(|value| *value <= 0)
            .map(|value| format!("`{}` of {value} does nothing", call.word.text)),
        _ => None,
    };
    if let Some(message) = message {
        let negative = number(0).is_some_and(|value| value < 0);
        let help = match call.name {
            CommandName::Damage if negative => Some("to give HP, write `hp(+100)`".to_owned()),
            CommandName::Draw if negative => Some("cards are discarded by `discard(1)`".to_owned()),
            _ if negative => {
                let amount = number(0).unwrap_or_default().unsigned_abs();
                let word = call.name.word();
                Some(format!(
                    "write how many, or how much, without a sign: `{word}({amount})`"
                ))
            }
            _ => None,
        };
        lints.add(rs::RS076, call.span, message).help = help;
    }
}

/// HP, BP and damage are counted in hundreds, and SP in ones (G8, G75, RS088).
fn other_scale(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>) {
    let Some(ArgForm::Int(number)) = call.arguments.first().map(|argument| argument.form) else {
        return;
    };
    let span = call.arguments[0].text.span;
    let written = call.arguments[0].text.text;
    let (message, help) = match call.name {
        CommandName::Hp | CommandName::Bp | CommandName::Damage | CommandName::LoseLife
            if matches!(number.unsigned_abs(), 2..=9) =>
        {
            (
                "HP, BP and damage are counted in hundreds: this is next to nothing",
                format!("for {written} hundred write `{}({written}00)`", call.name.word()),
            )
        }
        CommandName::Sp if number.unsigned_abs() >= 50 => (
            "SP are counted in ones, not in hundreds",
            "a card costs a few: `sp(+2)`".to_owned(),
        ),
        _ => return,
    };
    lints.help(rs::RS088, span, message, help);
}

/// Reports `damage`, `loseAbility` and `removeFromAttack` that hit their own card for want of a
/// clause (D27, RS066).
fn hits_itself(
    lints: &mut Lints<'_, '_>,
    call: &CheckedCall<'_>,
    reach: TargetReach<'_>,
    group: &StatementGroup<'_>,
) {
    let harmful = matches!(
        call.name,
        CommandName::Damage | CommandName::LoseAbility | CommandName::RemoveFromAttack
    );
    if !harmful || reach.clause.is_some() {
        return;
    }
    let message = format!("without a target `{}` hits this card itself", call.word.text);
    let help = if call.nested {
        let effect = &lints.text[call.span.range()];
        format!(
            "`each` repeats it, and chooses no targets: \
             for every enemy character write `{effect} to(characters@oppRing)` without `each`"
        )
    } else if group.action {
        "name a target, such as `to(opp)`; for this card, write `to(this)`".to_owned()
    } else {
        "name a target, such as `to(opp)`; for this card, write `to(this)`. \
         In an auto the card itself is the target"
            .to_owned()
    };
    lints.help(rs::RS066, call.span, message, help);
}

/// R622, RS066: `each` repeats, and does nothing to what it goes over; what is done once is done.
fn repeats_in_vain(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    let once = matches!(
        call.name,
        CommandName::Freeze
            | CommandName::Unfreeze
            | CommandName::Destroy
            | CommandName::LoseAbility
            | CommandName::MoveTo
            | CommandName::RemoveFromAttack
            | CommandName::Reveal
            | CommandName::Transform
    );
    if !call.nested || !once || !call.arguments.iter().all(|one| matches!(one.form, ArgForm::Word)) {
        return;
    }
    let effect = &lints.text[call.span.range()];
    let on = match reach.clause {
        Some(_) => "the targets of the statement",
        None => "this card",
    };
    let message = format!("`each` repeats `{effect}` on {on}, not on what it goes over");
    let help = format!("write who is meant after the effect: `{effect} to(characters@oppRing)`");
    lints.help(rs::RS066, call.span, message, help);
}

/// D31, RS064: in the argument of an effect on this card `tgt` is this card.
fn names_itself(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    let Some(clause) = reach.clause.filter(|_| reach.own && lints.keys.target.is_some()) else {
        return;
    };
    let is_this = |target: &cw_syntax::Target<'_>| {
        target.expression.is_none() && matches!(target.types, [only] if !only.quoted && only.name.is("this"))
    };
    if call.nested || !clause.targets.iter().all(is_this) {
        return;
    }
    let texts = call
        .arguments
        .iter()
        .filter(|one| matches!(one.form, ArgForm::Text));
    let word = texts
        .flat_map(|one| super::expressions::names(one.text))
        .find(|word| word.is("tgt"));
    if let Some(word) = word {
        lints.help(
            rs::RS064,
            word.span,
            "`tgt` is this card here: the targets of this statement",
            "what `target =` found is `prevTgt` in the next statement: `bp(prevTgt.0.bp) to(this)`",
        );
    }
}

/// Reports a `steal` by which a card takes its own ability (D65, RS078).
fn robs_itself(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, reach: TargetReach<'_>) {
    if call.name != CommandName::Steal {
        return;
    }
    if let Some(thief) = call.arguments.first()
        && ["me", "opp", "player", "players"]
            .iter()
            .any(|player| thief.text.is(player))
    {
        let message = format!(
            "`{}` is a player, but only characters have abilities",
            thief.text.text
        );
        let finding = lints.add(rs::RS063, thief.text.span, message);
        finding.severity = Severity::Error;
        finding.help = Some(
            "write who gets the ability in the brackets, \
             and who loses it after them: `steal() from(character@oppRing)`"
                .to_owned(),
        );
    }
    if let Some(thief) = call.arguments.first().filter(|_| reach.clause.is_none()) {
        let thief = thief.text;
        if !thief.is("this")
            && !["me", "opp", "player", "players"]
                .iter()
                .any(|player| thief.is(player))
        {
            let title = format!("write `steal() from({})`", thief.text);
            let text = format!("steal() from({})", thief.text);
            let finding = lints.fix(
                rs::RS078,
                call.span,
                "who stands in the brackets gets the ability, and it is this card's own: nobody is robbed",
                title,
                &[(call.span, &text)],
            );
            finding.severity = Severity::Warning;
            finding.help = Some(
                "whom it is taken from stands behind: \
                 `steal() from(character@oppRing)` gives it to this card"
                    .to_owned(),
            );
            return;
        }
    }
    let to_this = call.arguments.first().is_none_or(|thief| thief.text.is("this"));
    let is_this = |target: &cw_syntax::Target<'_>| {
        target.expression.is_none()
            && !target.types.is_empty()
            && target.types.iter().all(|one| !one.quoted && one.name.is("this"))
    };
    let from_this = match reach.clause {
        Some(clause) => clause.targets.iter().all(is_this),
        // Without a clause the source is the target (D104).
        None => true,
    };
    if to_this && from_this {
        lints.help(
            rs::RS078,
            call.span,
            "this card steals from itself: it loses its ability",
            "name whom to steal from, as `to(character@oppRing)`; to lose the ability write `loseAbility()`",
        );
    }
}
