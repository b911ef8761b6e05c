//! The printed text and the targets of a rule: how many, whose, which, and where they go (RS093).

use cw_program::{CardType, CommandName, EventName, PileName, Scope, Zone, ZonePlace, ZoneSide, find_zone};
use cw_syntax::{ArgForm, CostArgument, CostSyntax, QuantityForm, Target, rs};
use cw_text::Span;

use super::Lints;
use super::said::{SaidText, number, singular};
use crate::aim;
use crate::groups::{CheckedBranch, CheckedCall};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    if let Some(target) = only_cards_of_pile(lints) {
        how_many(lints, target, said);
    }
    if let Some(target) = only_characters(lints) {
        how_many(lints, target, said);
        another(lints, target, said);
        whose(lints, target, said);
        by_chance(lints, target, said);
    }
    itself(lints, said);
    let is_own = acts_for_itself(lints);
    for group in lints.groups {
        for part in group.parts {
            for call in part.calls.iter().filter(|call| !call.nested) {
                // Of several choices nobody knows which one the words are about.
                if lints.keys.actions <= 1 {
                    place_in_deck(lints, call, said);
                }
                if is_own {
                    opponent_does(lints, call, part, said);
                }
                if call.name == CommandName::Discard {
                    random_discard(lints, call, said);
                }
            }
        }
    }
}

/// Whether `me` is the card's own player wherever the rule runs.
fn acts_for_itself(lints: &Lints<'_, '_>) -> bool {
    lints.groups.iter().all(|group| {
        let own = |event: &crate::groups::Listened<'_>| {
            event.scope == Scope::My
                && !event.has_suffix("any")
                && !matches!(
                    event.name,
                    EventName::Blocks | EventName::CanBlock | EventName::PreventPierce
                )
        };
        group.action || group.events.iter().all(own)
    })
}

/// The target of the rule that finds characters in a ring, if there is one only.
fn only_characters<'a>(lints: &Lints<'a, '_>) -> Option<Target<'a>> {
    let own = lints
        .groups
        .iter()
        .flat_map(|group| group.parts)
        .filter_map(|part| part.branch.to);
    let clauses = lints.keys.target.copied().into_iter().chain(own);
    let mut found = None;
    for target in clauses.flat_map(|clause| clause.targets) {
        let is_player = !target.types.is_empty() && target.types.iter().all(aim::is_player);
        if is_player {
            continue;
        }
        if found.is_some() || aim::is_computed(target, lints.names) {
            return None;
        }
        found = Some(*target);
    }
    let target = found?;
    let [one] = target.types else { return None };
    let in_play = aim::zone(&target).is_some_and(aim::in_play);
    let named = aim::card_type(one) == Some(CardType::Character)
        || lints.names.subtype(&single(one.name.text)).is_some();
    // What else looks for cards may be what the text speaks of.
    let text = lints.lower;
    let elsewhere = ["each(", "gettargets", "{s(", "{d("]
        .iter()
        .any(|word| text.contains(word));
    (in_play && named && !one.quoted && !elsewhere).then_some(target)
}

/// The target of the rule that finds cards in a pile, if there is one only, and it is of one type or subtype.
fn only_cards_of_pile<'a>(lints: &Lints<'a, '_>) -> Option<Target<'a>> {
    let own = lints.groups.iter().flat_map(|group| group.parts);
    let own = own.filter_map(|part| part.branch.to);
    let clauses = lints.keys.target.copied().into_iter().chain(own);
    let mut targets = clauses.flat_map(|clause| clause.targets);
    let (Some(target), None) = (targets.next(), targets.next()) else {
        return None;
    };
    let [one] = target.types else { return None };
    let is_known = aim::card_type(one).is_some() || lints.names.subtype(&single(one.name.text)).is_some();
    let is_in_pile = aim::zone(target).is_some_and(|zone| matches!(zone.place, ZonePlace::Pile(_)));
    let text = lints.lower;
    let elsewhere = ["each(", "gettargets", "{s(", "{d(", "ring"];
    let is_only = !elsewhere.iter().any(|word| text.contains(word));
    (is_only && is_in_pile && is_known && !one.quoted && !aim::is_computed(target, lints.names))
        .then_some(*target)
}

/// The singular in lower case.
fn single(name: &str) -> String {
    singular(&name.to_lowercase()).to_owned()
}

/// Whether a word of the text names what a target finds, as a singular or a plural.
fn named(target: &Target<'_>, word: &str, plural: bool) -> bool {
    let subtype = target
        .types
        .first()
        .map(|one| single(one.name.text))
        .unwrap_or_default();
    ["character", &subtype].iter().any(|known| {
        let rest = word.strip_prefix(known);
        match plural {
            true => rest == Some("s"),
            false => rest == Some(""),
        }
    })
}

/// How many the text says.
#[derive(Clone, Copy, PartialEq)]
enum SaidCount {
    All,
    One,
    Exactly(i64),
    UpTo(i64),
}

/// The counts that the text gives to what the target finds.
fn counts(target: &Target<'_>, said: &SaidText) -> Vec<SaidCount> {
    const BETWEEN: usize = 4;
    let words = said.words();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = |back: usize| {
            at.checked_sub(back)
                .and_then(|at| words.get(at))
                .copied()
                .unwrap_or_default()
        };
        let near = &words[at + 1..words.len().min(at + 1 + BETWEEN)];
        // The noun is the first of the words that could be one.
        let noun = near
            .iter()
            .position(|word| named(target, word, true) || named(target, word, false));
        let Some(noun) = noun else { continue };
        let between = &near[..noun];
        let breaks = |word: &&str| {
            [
                "player", "turn", "time", "card", "for", "to", "and", "with", "in", "if", "or", "that",
            ]
            .contains(word)
                || number(word).is_some()
        };
        if between.iter().any(breaks) || between.contains(&"than") {
            continue;
        }
        // `two character cards` are several.
        let is_plural = named(target, near[noun], true) || words.get(at + 2 + noun) == Some(&"cards");
        match *word {
            "all" | "each" | "every" if before(1) != "for" && before(1) != "of" && before(1) != "not" => {
                found.push(SaidCount::All);
            }
            "a" | "an" | "one" | "another" | "target" if !is_plural || between.contains(&"of") => {
                found.push(SaidCount::One);
            }
            _ if is_plural && !between.contains(&"least") => {
                let counts = ["than", "least", "most", "exactly", "or", "only", "with"];
                if let Some(count) = number(word).filter(|count| *count >= 2)
                    && !counts.contains(&before(1))
                {
                    let up_to = before(1) == "to" && before(2) == "up";
                    found.push(if up_to {
                        SaidCount::UpTo(count)
                    } else {
                        SaidCount::Exactly(count)
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// R204, R210, R424, RS093: one, all or so many.
fn how_many(lints: &mut Lints<'_, '_>, target: Target<'_>, said: &SaidText) {
    let [one] = target.types else { return };
    if target.pick.is_some() || target.selector.is_some() {
        return;
    }
    let counts = counts(&target, said);
    // Words that speak of several need not be about these.
    let is_unsure = counts.iter().any(|count| *count != counts[0]);
    let mut generic = said.any(&[
        "your characters gain",
        "your characters lose",
        "your characters get",
        "your characters have",
    ]);
    generic |= said.any(&[
        "enemy characters gain",
        "enemy characters lose",
        "enemy characters freeze",
    ]);
    let count = match (counts.first(), generic) {
        (Some(count), _) if !is_unsure => *count,
        (None, true) => SaidCount::All,
        _ => return,
    };
    let is_plural = aim::is_plural(one, lints.names);
    let form = target.quantity.map(|quantity| quantity.form);
    let end = Span::at(one.name.span.end as usize);
    let start = Span::at(one.span.start as usize);
    match (count, is_plural, form) {
        (SaidCount::All, false, None) => {
            lints
                .fix(
                    rs::RS093,
                    one.span,
                    "one is chosen here; the card's text says all of them",
                    format!("write `{}s`", one.name.text),
                    &[(end, "s")],
                )
                .help = Some("the singular lets the player choose one, the plural takes all".to_owned());
        }
        (SaidCount::One, true, None) if aim::card_type(one) == Some(CardType::Character) => {
            let last = Span::new(one.name.span.end as usize - 1, one.name.span.end as usize);
            lints
                .fix(
                    rs::RS093,
                    one.span,
                    "the plural takes all; the card's text says one",
                    "write the singular",
                    &[(last, "")],
                )
                .help = Some("the singular lets the player choose one, the plural takes all".to_owned());
        }
        (SaidCount::Exactly(count) | SaidCount::UpTo(count), false, None) => {
            let quantity = match count_is_up_to(count, &counts) {
                true => format!("<0,{count}>"),
                false => format!("<{count}>"),
            };
            lints.fix(
                rs::RS093,
                one.span,
                format!("one is chosen here; the card's text says {count}"),
                format!("write `{quantity}{}`", one.name.text),
                &[(start, &quantity)],
            );
        }
        (SaidCount::UpTo(count), false, Some(QuantityForm::Exactly(written)))
            if i64::from(written) == count =>
        {
            let quantity = format!("<0,{count}>");
            let span = target.quantity.map_or(one.span, |quantity| quantity.span);
            lints
                .rewrite(
                    rs::RS093,
                    span,
                    format!("exactly {count} are chosen here; the card's text says up to {count}"),
                    &quantity,
                )
                .help = Some(format!(
                "`<0,{count}>` is none to {count}, `<,{count}>` at least one"
            ));
        }
        (SaidCount::Exactly(count), false, Some(QuantityForm::Exactly(written)))
            if i64::from(written) != count =>
        {
            let quantity = format!("<{count}>");
            let span = target.quantity.map_or(one.span, |quantity| quantity.span);
            lints.rewrite(
                rs::RS093,
                span,
                format!("{written} are chosen here; the card's text says {count}"),
                &quantity,
            );
        }
        _ => {}
    }
}

fn count_is_up_to(count: i64, counts: &[SaidCount]) -> bool {
    counts.contains(&SaidCount::UpTo(count))
}

/// R211, RS093: the card itself is left out.
fn another(lints: &mut Lints<'_, '_>, target: Target<'_>, said: &SaidText) {
    let is_character = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character));
    let [one] = target.types else { return };
    let Some(zone) = aim::zone(&target) else { return };
    let may_be_itself = match zone.place {
        ZonePlace::Arena => true,
        ZonePlace::Ring => zone.side != ZoneSide::Opponent,
        ZonePlace::Pile(_) | ZonePlace::InFront => false,
    };
    let rule = &lints.text[lints.rule.span.range()];
    // Costs are paid before targets of statements are sought (R308): who has paid with itself is no target.
    let is_gone = lints.keys.target.is_none()
        && lints.groups.iter().all(|group| {
            let costs = group.statements.first().map_or(&[][..], |first| first.costs);
            let itself =
                |cost: &CostSyntax<'_>| cost.letter.is("s") && matches!(cost.argument, CostArgument::None);
            costs.iter().any(itself)
        });
    if is_gone {
        return;
    }
    if !is_character || !may_be_itself || one.prefix.is_some() || rule.contains('^') || rule.contains("::") {
        return;
    }
    let noun = single(one.name.text);
    let others = [
        format!("another {noun}"),
        format!("other {noun}"),
        format!("other {noun}s"),
    ];
    let says = said.any(&[
        "another character",
        "another of your",
        "other character",
        "other characters",
        "your other",
        "all others",
        "other of your",
        "others of your",
    ]) || others.iter().any(|phrase| said.has(phrase));
    if !says
        || target
            .filters
            .iter()
            .copied()
            .flatten()
            .any(|filter| filter.name.is("this"))
    {
        return;
    }
    lints
        .fix(
            rs::RS093,
            one.span,
            "this may be the card itself; its text speaks of others",
            format!("write `^{}`", one.name.text),
            &[(Span::at(one.span.start as usize), "^")],
        )
        .help = Some("`^` leaves the card itself out".to_owned());
}

/// R304, R602, RS093: without `to` an effect falls on what `target =` has found.
fn itself(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let Some(clause) = lints.keys.target else { return };
    if clause
        .targets
        .iter()
        .any(|target| target.text.text.to_ascii_lowercase().contains("this"))
    {
        return;
    }
    let parts = lints.groups.iter().flat_map(|group| group.parts);
    for part in parts.filter(|part| part.branch.to.is_none()) {
        let [effect] = part.branch.effects else { continue };
        let Some(called) = crate::groups::call(effect).filter(|call| call.name == CommandName::Bp) else {
            continue;
        };
        let written = called.arguments.first().map_or("", |one| one.text.text.trim());
        let Some(amount) = number(written.trim_start_matches('-')) else {
            continue;
        };
        let verb = if written.starts_with('-') {
            "loses"
        } else {
            "gains"
        };
        let says = |who: &str| said.says(&format!("{who} {verb} {amount} bp"));
        if !says("this character|one|card") || says("it|that|those|character|characters .. also") {
            continue;
        }
        let end = Span::at(effect.span.end as usize);
        lints
            .fix(
                rs::RS093,
                effect.span,
                "this falls on what `target` has found; the card's text says this character",
                "add `to(this)`",
                &[(end, " to(this)")],
            )
            .help = Some("what has no `to` of its own is for the targets of the `target` line".to_owned());
    }
}

/// R219, RS093: whose characters.
fn whose(lints: &mut Lints<'_, '_>, target: Target<'_>, said: &SaidText) {
    let enemy = said.any(&[
        "enemy character",
        "enemy characters",
        "opposing character",
        "opposing characters",
        "opponent's character",
        "opponent's characters",
        "of the opponent's characters",
        "enemy's character",
        "enemy's characters",
        "characters of the opponent",
        "character of the opponent",
        "characters your opponent controls",
        "each enemy",
        "all enemies",
        "an enemy",
    ]);
    let own = said.any(&[
        "your character",
        "your characters",
        "of your characters",
        "characters of yours",
        "character of yours",
        "your other characters",
        "character you control",
        "characters you control",
        "another of your",
    ]);
    if enemy == own || !acts_for_itself(lints) {
        return;
    }
    let fights = target.filters.iter().copied().flatten().any(|filter| {
        ["attack", "uattack", "block", "blocked"]
            .iter()
            .any(|flag| filter.name.is(flag))
    });
    let [one] = target.types else { return };
    if fights || one.name.is("this") || target.selector.is_some() {
        return;
    }
    let right = if enemy { "oppRing" } else { "myRing" };
    let says = if enemy { "the opponent's" } else { "your own" };
    match (aim::zone(&target), target.zone) {
        (
            Some(Zone {
                place: ZonePlace::Arena,
                ..
            }),
            None,
        ) => {
            let end = target.text.span.end as usize;
            let text = format!("@{right}");
            lints
                .fix(
                    rs::RS093,
                    target.text.span,
                    format!(
                        "without a zone this finds characters of both rings; the card's text says {says}"
                    ),
                    format!("write `@{right}` behind it"),
                    &[(Span::at(end), &text)],
                )
                .help = Some("`@myRing` is your own ring, `@oppRing` the opponent's".to_owned());
        }
        (
            Some(Zone {
                place: ZonePlace::Ring,
                side,
            }),
            Some(written),
        ) => {
            let wrong = match side {
                ZoneSide::Mine => enemy,
                ZoneSide::Opponent => own,
                ZoneSide::Controller | ZoneSide::Any | ZoneSide::Same => false,
            };
            if wrong {
                lints.rewrite(
                    rs::RS093,
                    written.span,
                    format!("this is the other player's ring; the card's text says {says}"),
                    right,
                );
            }
        }
        _ => {}
    }
}

/// Whether something in the rule is left to chance.
fn has_chance(lints: &Lints<'_, '_>) -> bool {
    let rule = lints.lower;
    ["<r", "rnddiscard", "flipcoin"]
        .iter()
        .any(|word| rule.contains(word))
}

/// R417, RS093: chosen, where the text says at random.
fn by_chance(lints: &mut Lints<'_, '_>, target: Target<'_>, said: &SaidText) {
    let [one] = target.types else { return };
    let says = said.any(&[
        "a random",
        "random character",
        "random characters",
        "at random",
        "chosen randomly",
    ]) && !said.any(&["discard", "discards", "card at random"]);
    if !says || has_chance(lints) || target.pick.is_some() || aim::is_plural(one, lints.names) {
        return;
    }
    let (span, text) = match target.quantity.map(|quantity| (quantity.form, quantity.span)) {
        None => (Span::at(one.span.start as usize), "<r>".to_owned()),
        Some((QuantityForm::Exactly(count), span)) => (span, format!("<r{count}>")),
        Some(_) => return,
    };
    lints.fix(
        rs::RS093,
        one.span,
        "the player chooses here; the card's text says at random",
        format!("write `{text}`"),
        &[(span, &text)],
    );
}

/// R621, RS093: as [`by_chance`], for cards of a hand.
fn random_discard(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, said: &SaidText) {
    let says = said.any(&["random", "randomly"]) && said.any(&["discard", "discards"]);
    if !says || has_chance(lints) {
        return;
    }
    let count = match call.arguments {
        [] => 1,
        [one] => match one.form {
            ArgForm::Int(count) if count >= 1 => count,
            _ => return,
        },
        _ => return,
    };
    let text = if count == 1 {
        "discard(<r>)".to_owned()
    } else {
        format!("discard(<r{count}>)")
    };
    lints.rewrite(
        rs::RS093,
        call.span,
        "the card is chosen here; the card's text says at random",
        &text,
    );
}

/// R617, RS093: positions in a deck count from 0.
fn place_in_deck(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, said: &SaidText) {
    const COUNTED: [&str; 4] = ["second", "third", "fourth", "fifth"];
    let CommandName::MoveTo = call.name else { return };
    let Some(pile) = call.arguments.first() else {
        return;
    };
    if find_zone(pile.text.text).is_none_or(|zone| zone.place != ZonePlace::Pile(PileName::Deck)) {
        return;
    }
    let place = call.arguments.get(1).map(|one| (one.form, one.text.span));
    let top = said.any(&["on top of", "to the top", "on the top", "onto the top", "on top"]);
    let bottom = said.any(&["bottom", "under the deck", "under your deck", "under its"]);
    let nth = COUNTED
        .iter()
        .position(|word| said.has(&format!("{word} from the top")));
    let behind = Span::at(pile.text.span.end as usize);
    let places = "0 is the top, 1 the second card from it, -1 the bottom";
    let mut tell = |span: Span, message: String, at: Span, text: String| {
        let title = format!("write `{}`", text.trim_start_matches([',', ' ']));
        lints.fix(rs::RS093, span, message, title, &[(at, &text)]).help = Some(places.to_owned());
    };
    match (place, nth) {
        (Some((ArgForm::Int(written), span)), Some(nth))
            if written != i64::try_from(nth).unwrap_or(0) + 1 =>
        {
            tell(
                span,
                format!(
                    "positions count from 0; the card's text says {} from the top",
                    COUNTED[nth]
                ),
                span,
                format!("{}", nth + 1),
            );
        }
        (Some((ArgForm::Int(written), span)), None) if top && !bottom && written != 0 => {
            let message = match written {
                1.. => format!("with {written} as many cards stay above it; the card's text says on top"),
                _ => "a negative position counts from the bottom; the card's text says on top".to_owned(),
            };
            tell(span, message, span, "0".to_owned());
        }
        (Some((ArgForm::Int(written), span)), None) if bottom && !top && written >= 0 => {
            tell(
                span,
                "this counts from the top; the card's text says the bottom".to_owned(),
                span,
                "-1".to_owned(),
            );
        }
        (None, None) if bottom && !top => {
            tell(
                pile.text.span,
                "without a position this is the top; the card's text says the bottom".to_owned(),
                behind,
                ", -1".to_owned(),
            );
        }
        _ => {}
    }
    let shuffles = said.any(&["shuffle", "shuffles", "shuffled"]) && said.has("into");
    let rule = lints.lower;
    if shuffles && !rule.contains("shuffle") && place.is_none() {
        let which = match find_zone(pile.text.text).map(|zone| zone.side) {
            Some(ZoneSide::Opponent) => "oppDeck",
            Some(ZoneSide::Controller) => "ctrlDeck",
            _ => "",
        };
        let text = format!(" & shuffle({which})");
        lints.fix(
            rs::RS093,
            call.span,
            "this lies on top of the deck; the card's text says shuffled into it",
            format!("add `{}`", text.trim_start()),
            &[(Span::at(call.span.end as usize), &text)],
        );
    }
}

/// R602, RS093: the text has the opponent do it, and without `to` it is the card's own player.
fn opponent_does(
    lints: &mut Lints<'_, '_>,
    call: &CheckedCall<'_>,
    part: &CheckedBranch<'_>,
    said: &SaidText,
) {
    let verbs: &[(&str, &str)] = match call.name {
        CommandName::Discard | CommandName::RndDiscard => &[("discards", "discard")],
        CommandName::Draw => &[("draws", "draw")],
        CommandName::LoseLife | CommandName::Trash => &[("loses", "lose"), ("discards", "discard")],
        CommandName::Hp | CommandName::Sp => &[("loses", "lose"), ("gains", "gain")],
        CommandName::Skip => &[("skips", "skip")],
        _ => return,
    };
    let branch = part.branch;
    if branch.to.is_some() || lints.keys.target.is_some() || branch.effects.len() != 1 {
        return;
    }
    let does = |verb: &str| {
        [
            "the opponent",
            "your opponent",
            "opponent",
            "the enemy",
            "enemy player",
        ]
        .iter()
        .any(|who| said.has(&format!("{who} {verb}")) || said.has(&format!("{who} also {verb}")))
    };
    let self_too = |verb: &str| {
        said.has(verb)
            || said.any(&["you ", "each player", "both players"]) && said.has(&format!("you {verb}"))
    };
    // `+` gives and `-` takes.
    let amount = call.arguments.first().map_or("", |one| one.text.text.trim());
    let fits = |verb: &str| match (call.name, verb) {
        (CommandName::Hp | CommandName::Sp, "loses") => !amount.starts_with('+'),
        (CommandName::Hp | CommandName::Sp, "gains") => !amount.starts_with('-'),
        _ => true,
    };
    let mut fitting = verbs.iter().filter(|(verb, _)| fits(verb));
    let Some((verb, _)) = fitting.find(|(verb, base)| does(verb) && !self_too(base)) else {
        return;
    };
    let message = format!(
        "without `to` this is for the card's own player; the card's text says that the opponent {verb}"
    );
    let end = Span::at(call.span.end as usize);
    lints
        .fix(
            rs::RS093,
            call.span,
            message,
            "add `to(opp)`",
            &[(end, " to(opp)")],
        )
        .help = Some("`to(opp)` is the opponent, `to(players)` both".to_owned());
}
