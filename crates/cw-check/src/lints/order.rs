//! What earlier statements and costs have done to a value that is read later: RS090; and targets that are
//! looked for and not used: RS091.

use cw_program::{
    ActsOn, CardType, ClosedWord as _, CommandName, Keyword, PileName, Scope, ZonePlace, ZoneSide, find_zone,
};
use cw_syntax::{
    ArgForm, Argument, BranchSyntax, CostArgument, EffectSyntax, EffectSyntaxKind, StatementBody, Target,
    TargetClauseSyntax, WordSyntax, rs,
};
use cw_text::Span;

use super::Lints;
use super::expressions::names;
use crate::aim::{self, Aim};
use crate::groups::{CheckedCall, StatementGroup, call, each_branch};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    let is_all_unused = unused_targets(lints);
    for group in lints.groups {
        if !is_all_unused {
            changed_values(lints, group);
        }
        sacrifices_itself(lints, group);
    }
}

/// A list of cards of a player, or the SP, of which it is known what is left.
#[derive(Clone, Copy, PartialEq)]
enum ReadPlace {
    Pile(PileName),
    Ring,
    Sp,
}

impl ReadPlace {
    fn word(self) -> &'static str {
        match self {
            ReadPlace::Pile(pile) => pile.word(),
            ReadPlace::Ring => "ring",
            ReadPlace::Sp => "sp",
        }
    }
}

/// A value that a statement or a cost has fixed.
#[derive(Clone, Copy)]
struct FixedValue {
    /// Whether it is of the player who acts.
    is_mine: bool,
    place: ReadPlace,
    /// What did it.
    at: Span,
    /// What the value was before, as an expression of what the command has left behind.
    before: Option<&'static str>,
}

/// What is known behind the statements so far.
#[derive(Default)]
struct KnownValues {
    fixed: Vec<FixedValue>,
    /// Names of cards that have left the ring, with what took them away.
    gone: Vec<(&'static str, Span)>,
}

/// R601, R1107, RS090: values in the order of statements.
fn changed_values(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let mut known = KnownValues::default();
    // In events of others nobody can tell here whose cards a bare command takes.
    let is_own = group.action || group.events.iter().all(|event| event.scope == Scope::My);
    for statement in group.statements {
        for cost in statement.costs {
            let all = matches!(&cost.argument, CostArgument::Target(target) if takes_all(target));
            if cost.letter.is("d") && all {
                known.fixed.push(FixedValue {
                    is_mine: true,
                    place: ReadPlace::Pile(PileName::Hand),
                    at: cost.span,
                    before: Some("discarded.size"),
                });
            }
            if cost.letter.is("s") {
                let itself = matches!(cost.argument, CostArgument::None);
                known
                    .gone
                    .push((if itself { "this" } else { "sacrificed" }, cost.span));
            }
        }
        if let StatementBody::If { arms, .. } = &statement.body {
            for arm in *arms {
                reads(lints, arm.test, &known);
            }
        }
        let is_sure = !matches!(statement.body, StatementBody::If { .. });
        let before = known.gone.len();
        each_branch(&statement.body, |branch| {
            let clause = branch.to.as_ref().or(lints.keys.target);
            for effect in branch.effects {
                let EffectSyntaxKind::Call {
                    arguments, optional, ..
                } = effect.kind
                else {
                    continue;
                };
                each_expression(arguments, &mut |word| reads(lints, word, &known));
                let Some(call) = call(effect) else { continue };
                let fixed = fixes(lints, &call, clause, is_own);
                known.forget(call.name);
                if is_sure && !optional {
                    known.fixed.extend(fixed.into_iter().flatten());
                }
                leaves(&call, branch, lints.keys.target, &mut known);
            }
        });
        if !is_sure {
            // What is only perhaps destroyed may have its BP still.
            let mut at = 0;
            known.gone.retain(|(name, _)| {
                at += 1;
                at <= before || *name == "destroyed"
            });
        }
    }
}

/// The expressions in arguments, those within `each` included.
fn each_expression<'a>(arguments: &[Argument<'a>], visit: &mut dyn FnMut(WordSyntax<'a>)) {
    for argument in arguments {
        match argument.form {
            ArgForm::Word | ArgForm::Text => visit(argument.text),
            ArgForm::Each(each) => {
                visit(each.over);
                for effect in each.effects {
                    if let EffectSyntaxKind::Call { arguments, .. } = effect.kind {
                        each_expression(arguments, visit);
                    }
                }
            }
            ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question => {}
        }
    }
}

impl KnownValues {
    /// Forgets what a command may change again.
    fn forget(&mut self, command: CommandName) {
        let fills = |place: ReadPlace| match command {
            CommandName::Draw => place == ReadPlace::Pile(PileName::Hand),
            CommandName::Discard | CommandName::RndDiscard | CommandName::Destroy | CommandName::Trash => {
                place == ReadPlace::Pile(PileName::Discards)
            }
            CommandName::Sp => place == ReadPlace::Sp,
            CommandName::MoveTo | CommandName::MovePile | CommandName::MoveRevealedTo => {
                matches!(place, ReadPlace::Pile(_))
            }
            CommandName::SwapPiles | CommandName::Activate | CommandName::Each => true,
            CommandName::MoveToSlot => place == ReadPlace::Ring,
            _ => false,
        };
        self.fixed.retain(|one| !fills(one.place));
    }
}

/// Whether a target takes every card of its zone.
fn takes_all(target: &Target<'_>) -> bool {
    let is_all = |one: &cw_syntax::TypeSyntax<'_>| {
        !one.quoted && one.prefix.is_none() && (one.name.is("all") || one.name.is("*") && one.plural)
    };
    matches!(target.types, [one] if is_all(one))
        && target.filters.is_empty()
        && target.selector.is_none()
        && target.pick.is_none()
        && target.quantity.is_none()
}

/// Whose cards or SP a command on players changes: that of the player who acts, or of the other.
fn whose(clause: Option<&TargetClauseSyntax<'_>>, is_own: bool) -> [Option<bool>; 2] {
    let Some(clause) = clause else {
        return [is_own.then_some(true), None];
    };
    let [
        Target {
            types: [one],
            filters: [],
            expression: None,
            ..
        },
    ] = clause.targets
    else {
        return [None, None];
    };
    if one.quoted || clause.optional {
        return [None, None];
    }
    match () {
        () if one.name.is("me") => [Some(true), None],
        () if one.name.is("opp") => [Some(false), None],
        () if one.name.is("players") => [Some(true), Some(false)],
        () => [None, None],
    }
}

/// What a command leaves nothing of, or sets to a number.
fn fixes(
    lints: &Lints<'_, '_>,
    call: &CheckedCall<'_>,
    clause: Option<&TargetClauseSyntax<'_>>,
    is_own: bool,
) -> [Option<FixedValue>; 2] {
    let of = |is_mine: Option<bool>, place, before| {
        is_mine.map(|is_mine| FixedValue {
            is_mine,
            place,
            at: call.span,
            before,
        })
    };
    let both = |place, before: Option<&'static str>| {
        let [one, other] = whose(clause, is_own);
        // Of several players' cards a list keeps only the last ones (R611).
        let before = before.filter(|_| other.is_none());
        [of(one, place, before), of(other, place, before)]
    };
    let first = call
        .arguments
        .first()
        .map_or("", |argument| argument.text.text.trim());
    let zone_of = |word: &str| {
        let zone = find_zone(word)?;
        let is_mine = match zone.side {
            ZoneSide::Mine => true,
            ZoneSide::Opponent => false,
            ZoneSide::Controller | ZoneSide::Any | ZoneSide::Same => return None,
        };
        match zone.place {
            ZonePlace::Pile(pile) => Some((is_mine, ReadPlace::Pile(pile))),
            ZonePlace::Ring => Some((is_mine, ReadPlace::Ring)),
            ZonePlace::Arena | ZonePlace::InFront => None,
        }
    };
    match call.name {
        CommandName::Discard if first.eq_ignore_ascii_case("all") || first == "*s" => {
            both(ReadPlace::Pile(PileName::Hand), Some("discarded.size"))
        }
        CommandName::Sp if sets_sp(first) => both(ReadPlace::Sp, Some("lostSP")),
        CommandName::MovePile => {
            let from = zone_of(first);
            [from.and_then(|(mine, place)| of(Some(mine), place, None)), None]
        }
        CommandName::MoveTo | CommandName::Destroy => {
            let Some([target]) = clause.map(|clause| clause.targets) else {
                return [None, None];
            };
            let Some(zone) = target.zone else {
                return [None, None];
            };
            let characters = matches!(target.types, [one] if one.prefix.is_none()
                && aim::card_type(one) == Some(CardType::Character)
                && aim::is_plural(one, lints.names));
            let is_plain = target.filters.is_empty() && target.selector.is_none() && target.pick.is_none();
            let Some((is_mine, place)) = zone_of(zone.text) else {
                return [None, None];
            };
            let all = takes_all(target) || place == ReadPlace::Ring && characters && is_plain;
            let stays = call.name == CommandName::MoveTo && find_zone(first) == find_zone(zone.text);
            if !all || stays {
                return [None, None];
            }
            let before = if call.name == CommandName::MoveTo {
                "moved.size"
            } else {
                "destroyed.size"
            };
            [of(Some(is_mine), place, Some(before)), None]
        }
        _ => [None, None],
    }
}

/// Whether an argument of `sp` leaves a number that is known: `=0`, or `-opp.sp`.
fn sets_sp(argument: &str) -> bool {
    let argument = argument.to_ascii_lowercase();
    let number = argument.strip_prefix('=').map(str::trim);
    number.is_some_and(|number| number.parse::<i32>().is_ok())
        || ["-opp.sp", "-me.sp"].contains(&argument.replace(' ', "").as_str())
}

/// Notes the cards that a command takes out of the ring, by the names that they have later.
fn leaves(
    call: &CheckedCall<'_>,
    branch: &BranchSyntax<'_>,
    main: Option<&TargetClauseSyntax<'_>>,
    known: &mut KnownValues,
) {
    if call.name != CommandName::Destroy {
        return;
    }
    known.gone.push(("destroyed", call.span));
    let is_this = |clause: &TargetClauseSyntax<'_>| {
        matches!(
            clause.targets,
            [Target { types: [one], .. }] if !one.quoted && one.name.is("this")
        )
    };
    match (&branch.to, main) {
        (Some(clause), _) if is_this(clause) => known.gone.push(("this", call.span)),
        (None, None) => known.gone.push(("this", call.span)),
        (None, Some(_)) => known.gone.push(("tgt", call.span)),
        (Some(clause), Some(_)) if names_tgt(clause) => known.gone.push(("tgt", call.span)),
        (Some(_), _) => {}
    }
}

fn names_tgt(clause: &TargetClauseSyntax<'_>) -> bool {
    let is_tgt = |target: &Target<'_>| {
        let text = target.text.text.trim();
        ["tgt", "tgt.0"]
            .iter()
            .any(|name| text.eq_ignore_ascii_case(name))
    };
    clause.targets.iter().all(is_tgt)
}

/// Reports what an expression reads too late.
fn reads(lints: &mut Lints<'_, '_>, word: WordSyntax<'_>, known: &KnownValues) {
    if known.fixed.is_empty() && known.gone.is_empty() {
        return;
    }
    for name in names(word) {
        let behind = &lints.text[name.span.end as usize..word.span.end as usize];
        let is_mine = name.is("me");
        if is_mine || name.is("opp") {
            let Some(attribute) = behind.strip_prefix('.').map(first_word) else {
                continue;
            };
            let is_it = |one: &&FixedValue| {
                one.is_mine == is_mine && attribute.eq_ignore_ascii_case(one.place.word())
            };
            if let Some(one) = known.fixed.iter().rev().find(is_it) {
                too_late(lints, name, attribute, *one);
            }
            continue;
        }
        let is_it = |(gone, _): &&(&str, Span)| name.is(gone);
        if let Some((_, at)) = known.gone.iter().find(is_it) {
            printed_bp(lints, name, behind, *at);
        }
    }
}

fn first_word(text: &str) -> &str {
    let end = text
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(text.len());
    &text[..end]
}

/// RS090: a number that the rule itself has fixed.
fn too_late(lints: &mut Lints<'_, '_>, name: WordSyntax<'_>, attribute: &str, one: FixedValue) {
    let end = name.span.end as usize + 1 + attribute.len();
    let read = Span::new(name.span.start as usize, end);
    let written = lints.text[read.range()].to_owned();
    let file = lints.file;
    let message = match one.place {
        ReadPlace::Sp => format!("`{written}` was changed before: what stands here is known already"),
        _ => format!("`{written}` is empty here: its cards were taken away before"),
    };
    // `.size` goes with the list.
    let rest = &lints.text[end..];
    let sized = rest
        .get(..5)
        .is_some_and(|size| size.eq_ignore_ascii_case(".size"));
    let before = match (one.place, one.before) {
        (ReadPlace::Sp, Some(lost)) => Some((read, format!("{}.{lost}", name.text))),
        (_, Some(list)) if sized => Some((Span::new(read.start as usize, end + 5), list.to_owned())),
        _ => None,
    };
    let keep = format!(
        "keep it before: `vars = _n := {written}{}`",
        match one.place {
            ReadPlace::Sp => "",
            _ => ".size",
        }
    );
    let finding = match before {
        Some((span, text)) => lints.fix(
            rs::RS090,
            read,
            message,
            format!("write `{text}`"),
            &[(span, &text)],
        ),
        None => lints.add(rs::RS090, read, message),
    };
    finding.help = Some(keep);
    *finding = finding.clone().label(file, one.at, "by this");
}

/// R1107, RS090: outside of a ring `.bp` is what is printed.
fn printed_bp(lints: &mut Lints<'_, '_>, name: WordSyntax<'_>, behind: &str, at: Span) {
    let element = behind.strip_prefix('.').unwrap_or(behind);
    let digits = element.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if digits > 0 { &element[digits..] } else { behind };
    let Some(attribute) = rest.strip_prefix('.').map(first_word) else {
        return;
    };
    if !attribute.eq_ignore_ascii_case("bp") {
        return;
    }
    let said = lints
        .card
        .map(|card| card.text.to_lowercase())
        .unwrap_or_default();
    if said.contains("print") || said.contains("base") || said.contains("original") {
        return;
    }
    let start = name.span.end as usize + (behind.len() - rest.len()) + 1;
    let span = Span::new(start, start + attribute.len());
    let file = lints.file;
    let finding = lints.rewrite(
        rs::RS090,
        span,
        "the card has left the ring, so this is the printed BP",
        "lastBP",
    );
    finding.help = Some("`.lastBP` is what it had in the ring".to_owned());
    *finding = finding.clone().label(file, at, "it has left by this");
}

/// R302, R305, RS091: what `target =` finds reaches no effect and no expression. Tells whether that is so.
fn unused_targets(lints: &mut Lints<'_, '_>) -> bool {
    let Some(clause) = lints.keys.target else {
        return false;
    };
    let aim = Aim::of_clause(clause, lints.names);
    let parts = || lints.groups.iter().flat_map(|group| group.parts);
    let has_effects = parts().any(|part| !part.branch.effects.is_empty());
    let uses = |effect: &EffectSyntax<'_>| match effect.kind {
        EffectSyntaxKind::Ability { name, .. } => {
            let of_player = matches!(
                Keyword::find(name.text),
                Some(Keyword::CantPlayAc | Keyword::CantPlayRe)
            );
            !of_player || !aim.only_cards()
        }
        EffectSyntaxKind::Call { .. } => call(effect).is_none_or(|call| acts(&call, aim)),
    };
    let is_used = parts().any(|part| part.branch.to.is_none() && part.branch.effects.iter().any(uses));
    if !has_effects || is_used || names_targets(lints) {
        return false;
    }
    let own = parts().find_map(|part| part.branch.to);
    let file = lints.file;
    let message = match own {
        Some(_) => "what is chosen here is not used: every effect has its own targets",
        None => "what is chosen here is not used: no effect acts on it",
    };
    let help = match own {
        Some(_) => {
            "leave one of them out; \
             that something is there at all is asked by `requisite = character<1>@oppRing`"
        }
        None => {
            "commands on players, as `draw`, are for the card's own player; another is named by `to(opp)`"
        }
    };
    lints.help(rs::RS091, clause.span, message, help);
    if let (Some(own), Some(finding)) = (own, lints.out.last_mut()) {
        *finding = finding.clone().label(file, own.span, "the effects take these");
    }
    true
}

/// Whether a command without its own targets acts on those of the rule.
fn acts(call: &CheckedCall<'_>, aim: Aim) -> bool {
    match call.name.signature().acts_on {
        ActsOn::CardsOrSource
        | ActsOn::Cards
        | ActsOn::CardsElsePile
        | ActsOn::Both
        | ActsOn::BothElsePile => true,
        ActsOn::Players | ActsOn::PlayersOnly | ActsOn::Rules => !aim.only_cards(),
        ActsOn::Nothing => {
            let each = call.arguments.iter().find_map(|argument| match argument.form {
                ArgForm::Each(each) => Some(each),
                _ => None,
            });
            each.is_some_and(|each| {
                each.effects.iter().any(|effect| match effect.kind {
                    EffectSyntaxKind::Ability { .. } => true,
                    EffectSyntaxKind::Call { .. } => {
                        crate::groups::call(effect).is_none_or(|call| acts(&call, aim))
                    }
                })
            })
        }
    }
}

/// Whether the rule speaks of its targets anywhere else.
fn names_targets(lints: &Lints<'_, '_>) -> bool {
    let main = lints.keys.target.map(|clause| clause.span);
    lints.rule.properties.iter().any(|property| {
        if main.is_some_and(|main| main.start >= property.span.start && main.end <= property.span.end) {
            return false;
        }
        let text = property.text.text.to_ascii_lowercase();
        text.contains("tgt")
    })
}

/// R703, RS088: `{S(character)}` may take the card itself, on which the effects then act.
fn sacrifices_itself(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let Some(card) = lints
        .card
        .filter(|card| card.card_type == Some(CardType::Character))
    else {
        return;
    };
    let said = card.text.to_lowercase();
    let says = ["another", "other "].iter().any(|word| said.contains(word));
    let acts_on_itself = group.parts.iter().any(|part| acts_on_source(lints, part.branch));
    for statement in group.statements {
        // A card that is frozen for the cost cannot be sacrificed for it, too (D4).
        if statement.costs.iter().any(|cost| cost.letter.is("f")) {
            continue;
        }
        for cost in statement.costs.iter().filter(|cost| cost.letter.is("s")) {
            let CostArgument::Target(target) = &cost.argument else {
                continue;
            };
            let [one] = target.types else { continue };
            let is_character = aim::card_type(one) == Some(CardType::Character) || one.name.is("*");
            if one.prefix.is_some() || !is_character || !(says || acts_on_itself) {
                continue;
            }
            let message = match acts_on_itself {
                true => "this may be the card itself, and then the effect finds nobody in the ring",
                false => "this may be the card itself; its text speaks of another",
            };
            let title = format!("write `^{}`", one.name.text);
            let finding = lints.fix(
                rs::RS088,
                target.text.span,
                message,
                title,
                &[(Span::at(one.span.start as usize), "^")],
            );
            finding.severity = cw_text::Severity::Warning;
            finding.help = Some("`^` leaves the card itself out".to_owned());
        }
    }
}

/// Whether an effect changes the card itself in its ring.
fn acts_on_source(lints: &Lints<'_, '_>, branch: &BranchSyntax<'_>) -> bool {
    let is_this = |clause: &TargetClauseSyntax<'_>| {
        clause
            .targets
            .iter()
            .all(|target| matches!(target.types, [one] if !one.quoted && one.name.is("this")))
    };
    let reaches = match branch.to.as_ref().or(lints.keys.target) {
        Some(clause) => is_this(clause),
        None => true,
    };
    reaches
        && branch.effects.iter().any(|effect| match effect.kind {
            EffectSyntaxKind::Ability { name, .. } => !matches!(
                Keyword::find(name.text),
                Some(Keyword::CantPlayAc | Keyword::CantPlayRe) | None
            ),
            EffectSyntaxKind::Call { .. } => call(effect).is_some_and(|call| call.name.signature().in_ring),
        })
}

/// R1102, RS064: `tgt` where nothing looks for targets, and a statement before has acted on some. Tells
/// whether it was reported.
pub(super) fn no_targets(
    lints: &mut Lints<'_, '_>,
    group: &StatementGroup<'_>,
    name: WordSyntax<'_>,
) -> bool {
    let is_before = |part: &&crate::groups::CheckedBranch<'_>| {
        part.branch.to.is_some() && part.branch.span.end <= name.span.start
    };
    let Some(before) = group.parts.iter().rfind(is_before) else {
        return false;
    };
    let kills = before.calls.iter().any(|call| call.name == CommandName::Destroy);
    let rest = &lints.text[name.span.end as usize..];
    let digits = rest
        .strip_prefix('.')
        .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let element = if digits > 0 { &rest[..=digits] } else { ".0" };
    let behind = if digits > 0 { &rest[digits + 1..] } else { rest };
    let attribute = behind.strip_prefix('.').map_or("", first_word);
    let end = name.span.end as usize + (rest.len() - behind.len());
    let (list, attribute_right) = match kills {
        true if attribute.eq_ignore_ascii_case("bp") => ("destroyed", "lastBP"),
        true => ("destroyed", attribute),
        false => ("prevTgt", attribute),
    };
    let (span, right) = match attribute {
        "" => (name.span, list.to_owned()),
        "size" => (name.span, list.to_owned()),
        _ => {
            let end = end + 1 + attribute.len();
            (
                Span::new(name.span.start as usize, end),
                format!("{list}{element}.{attribute_right}"),
            )
        }
    };
    let help = match kills {
        true => "what was destroyed is `destroyed`, its BP in the ring `.lastBP`",
        false => "what the statement before acted on is `prevTgt`",
    };
    lints
        .fix(
            rs::RS064,
            name.span,
            "`tgt` is what `target =` finds, and there is no such line",
            format!("write `{right}`"),
            &[(span, &right)],
        )
        .help = Some(help.to_owned());
    true
}

/// R610, R1103, RS044: which list is set by what the rule does in place of what was read.
pub(super) fn set_instead(group: &StatementGroup<'_>, name: WordSyntax<'_>) -> Option<String> {
    let calls = group.parts.iter().flat_map(|part| part.calls);
    let before: Vec<CommandName> = calls
        .filter(|call| call.span.start < name.span.start)
        .map(|call| call.name)
        .collect();
    let has = |wanted: &[CommandName]| before.iter().any(|one| wanted.contains(one));
    let costs = || group.statements.iter().flat_map(|statement| statement.costs);
    let sacrifices = costs().any(|cost| cost.letter.is("s"));
    if name.is("destroyed") && has(&[CommandName::Damage, CommandName::Bp]) {
        return Some(
            "damage does not set it: a character at 0 BP is taken away when all is done. \
             Ask `[[if prevTgt.0.bp <= 0]]` in the statement behind"
                .to_owned(),
        );
    }
    let set = before.iter().rev().find_map(|one| one.signature().sets);
    let right = match set {
        _ if name.is("destroyed") && sacrifices => "sacrificed",
        Some(set) if !name.is(set) => set,
        _ if name.is("discarded") && has(&[CommandName::MovePile]) => {
            return Some(
                "`movePile` sets no list: keep the number before, as `vars = _n := me.hand.size`".to_owned(),
            );
        }
        _ if has(&[CommandName::Draw]) => {
            return Some("drawing sets no list, so nothing names the cards that were drawn".to_owned());
        }
        _ => return None,
    };
    Some(format!(
        "what is done here sets `{right}`: write `{right}` in its place"
    ))
}
