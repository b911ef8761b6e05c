//! Packs: what they include, what they pick, and how likely.

use std::collections::{BTreeMap, BTreeSet};

use cw_text::{Safety, Span, nearest};
use num_traits::{One, Signed, Zero};

use crate::booster::{fold, is_name, pool_text};
use crate::codes::{
    PK005, PK037, PK070, PK071, PK072, PK076, PK077, PK078, PK079, PK080, PK083, PK084, PK090, PK091, PK092,
    PK093, PK095, PK096, PK151,
};
use crate::read::{clipped, replace};
use crate::report::FileReport;
use crate::share::{BigRational, rational, shares, to_f64};
use crate::{
    Booster, BoosterItem, BoosterPick, Criterion, FilePlace, PackDefinition, PackItem, PackOptions, PackPick,
    Package, PackageSet, PickQuantity,
};

/// Picks that take the same card are looked for in packs with fewer candidates than this.
const MAX_OVERLAP_WORK: usize = 2_000_000;

pub(super) fn check(package: &Package, index: usize, report: &mut FileReport) {
    let set = &package.sets[index];
    let mut reachable = vec![false; set.cards.len()];
    let mut keys = BTreeSet::new();
    for (place, pack) in set.packs.iter().enumerate() {
        includes(package, set, pack, report);
        let booster = Booster::new(package, index, place);
        if booster.left_out > 0 {
            let message = format!(
                "the picks match too many cards: {} of them are not looked at",
                booster.left_out
            );
            report.add(report.error(PK005, pack.place.0, message));
        }
        let mut all = Vec::new();
        collect(&pack.items, &booster.items, &mut all);
        for (pick, ready) in &all {
            check_pick(package, pack, &booster, pick, ready, report);
            keys.extend(pick.criteria.iter().map(|criterion| criterion.key.as_str()));
        }
        option_groups(&pack.items, report);
        overlaps(&booster, report);
        reached(&booster, index, &mut reachable);
        unpicked_includes(pack, &booster, report);
    }
    if !set.packs.is_empty() {
        unreachable(set, &reachable, report);
        untidy_values(set, &keys, report);
    }
}

/// The picks of a pack beside their prepared forms.
fn collect<'p, 'b>(
    items: &'p [PackItem],
    ready: &'b [BoosterItem],
    out: &mut Vec<(&'p PackPick, &'b BoosterPick)>,
) {
    for pair in items.iter().zip(ready) {
        match pair {
            (PackItem::Pick(pick), BoosterItem::Pick(ready)) => out.push((pick, ready)),
            (PackItem::Options(options), BoosterItem::Options(ready)) => {
                for (option, ready) in options.options.iter().zip(&ready.options) {
                    collect(&option.items, &ready.items, out);
                }
            }
            (PackItem::Pick(_), BoosterItem::Options(_)) | (PackItem::Options(_), BoosterItem::Pick(_)) => {}
        }
    }
}

/// Reports includes that are repeated, find no card, or come from the same set or another
/// game's (PK090–PK093, PK096, P83).
fn includes(package: &Package, set: &PackageSet, pack: &PackDefinition, report: &mut FileReport) {
    let mut seen = BTreeMap::new();
    for include in &pack.includes {
        let (id, of) = (include.id.value, include.set.value);
        if id.is_nil() || of.is_nil() {
            continue;
        }
        if let Some(first) = seen.get(&(of, id)) {
            let finding = report.warning(PK093, include.id.span(), "this card is included twice");
            report.add(finding.label(report.file, *first, "first here"));
        } else {
            seen.insert((of, id), include.id.span());
        }
        let Some(other) = package.set_by_id(of) else {
            let message = "no set has this id: opening the pack fails";
            let mut finding = report.error(PK090, include.set.span(), message);
            if let Some(card) = package.card_by_id(id) {
                let right = package.set_of(card).id.value.to_string();
                let name = clipped(&package.card(card).name).to_owned();
                finding = finding.help(format!("the card `{name}` is in the set {right}"));
                finding = finding.fix(replace(report, include.set.span(), right, Safety::Unsafe));
            }
            report.add(finding);
            continue;
        };
        if other.game_id.value != package.definition.id.value {
            let message = format!("the set `{}` belongs to another game", clipped(&other.name));
            report.add(report.warning(PK096, include.set.span(), message));
        }
        let present = package
            .cards_by_id(id)
            .any(|card| package.set_of(card).id.value == of);
        if !present {
            let message = format!(
                "the set `{}` has no such card: nothing is included",
                clipped(&other.name)
            );
            report.add(report.warning(PK091, include.id.span(), message));
        } else if of == set.id.value {
            let message = "a card of the same set: it is in the pool twice";
            report.add(report.warning(PK092, include.set.span(), message));
        }
    }
}

fn check_pick(
    package: &Package,
    pack: &PackDefinition,
    booster: &Booster,
    pick: &PackPick,
    ready: &BoosterPick,
    report: &mut FileReport,
) {
    let mut sound = true;
    for criterion in &pick.criteria {
        sound &= known_key(package, criterion, report);
        // P245: only the pick's own key is not looked at.
        if is_name(&criterion.key) && criterion.key.span().start >= pick.place.0.end {
            let message = "o8build refuses the card's name in a `property` of a pick";
            let help = "let it be the `key` and `value` of the `pick` itself";
            report.add(report.warning(PK151, criterion.key.span(), message).help(help));
        }
        let value = &criterion.value;
        let untidy =
            !value.trim().is_empty() && (value.trim().len() != value.len() || has_odd_characters(value));
        if untidy {
            report.add(report.warning(
                PK037,
                value.span(),
                format!("blanks around, or unseen characters in, `{}`", clipped(value)),
            ));
        }
    }
    if contradiction(pick, report) || !sound || booster.left_out > 0 {
        return;
    }
    let candidates = ready.candidates.len();
    match pick.quantity.value {
        PickQuantity::Count(0) => {}
        _ if candidates == 0 => no_card(package, pack, booster, pick, report),
        PickQuantity::Count(count) if (candidates as u64) < u64::from(count) => {
            let message = match candidates {
                1 => format!("only 1 card matches, {count} are wanted: the pack is short"),
                _ => format!("only {candidates} cards match, {count} are wanted: the pack is short"),
            };
            report.add(report.warning(PK072, pick.quantity.span(), message));
        }
        PickQuantity::Count(_) | PickQuantity::Unlimited => {}
    }
}

/// Says whether the property of a criterion exists, and reports it if not (PK070, P36).
fn known_key(package: &Package, criterion: &Criterion, report: &mut FileReport) -> bool {
    let key = &criterion.key;
    if is_name(key) || package.definition.property(key).is_some() {
        return true;
    }
    let known = || {
        package
            .definition
            .properties
            .iter()
            .map(|property| property.name.as_str())
    };
    let same_letters = known().find(|known| known.to_lowercase() == key.to_lowercase());
    let message = match same_letters {
        Some(same) => format!("the property is called `{same}`: OCTGN stops"),
        None => format!("the game defines no property `{}`: OCTGN stops", clipped(key)),
    };
    let mut finding = report.error(PK070, key.span(), message);
    if let Some(near) = same_letters.or_else(|| nearest(key, known())) {
        let safety = if same_letters.is_some() {
            Safety::Safe
        } else {
            Safety::Unsafe
        };
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(report, key.span(), super::cards::escaped(near), safety));
    }
    report.add(finding);
    false
}

/// PK076: one property cannot have two values.
fn contradiction(pick: &PackPick, report: &mut FileReport) -> bool {
    for (position, later) in pick.criteria.iter().enumerate() {
        let same_key = |one: &&Criterion| one.key.value == later.key.value;
        let earlier = pick.criteria[..position].iter().find(same_key);
        if let Some(earlier) = earlier
            && fold(&earlier.value) != fold(&later.value)
        {
            let message = format!(
                "no card has two values of `{}`: nothing matches",
                clipped(&later.key)
            );
            let finding = report.warning(PK076, later.value.span(), message);
            report.add(finding.label(report.file, earlier.value.span(), "the other value"));
            return true;
        }
    }
    false
}

fn has_odd_characters(text: &str) -> bool {
    text.chars()
        .any(|c| c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}'))
}

/// PK071, or PK078 where the reason is known.
fn no_card(
    package: &Package,
    pack: &PackDefinition,
    booster: &Booster,
    pick: &PackPick,
    report: &mut FileReport,
) {
    for criterion in &pick.criteria {
        if is_name(&criterion.key) {
            continue;
        }
        let wanted = fold(&criterion.value);
        if wanted.trim().is_empty() {
            continue;
        }
        let mut values: BTreeSet<&str> = BTreeSet::new();
        let mut of_alternate = false;
        for entry in &booster.pool {
            let base = pool_text(package, pack, *entry, &criterion.key);
            values.extend(base);
            of_alternate |= package.card(entry.card).alternates.iter().any(|form| {
                let own = form
                    .properties
                    .iter()
                    .find(|property| property.name == criterion.key);
                let text = own.and_then(|property| property.value.plain());
                text.is_some_and(|text| fold(text) == wanted)
            });
        }
        if values.iter().any(|value| fold(value) == wanted) {
            continue;
        }
        let span = criterion.value.span();
        let value = clipped(&criterion.value);
        let key = clipped(&criterion.key);
        if of_alternate {
            let message =
                format!("only alternates have `{value}` as `{key}`, but picks look at the base form");
            report.add(report.warning(PK078, span, message));
            return;
        }
        let part = values.iter().find(|have| {
            fold(have)
                .split([' ', ',', '/', ';'])
                .any(|token| token == wanted)
        });
        if let Some(whole) = part {
            let message = format!(
                "no card has exactly `{value}` as `{key}`; `{}` does not match",
                clipped(whole)
            );
            report.add(report.warning(PK078, span, message));
            return;
        }
        let message = format!("no card has `{value}` as `{key}`: the pick yields nothing");
        let mut finding = report.warning(PK071, span, message);
        let near = nearest(&criterion.value, values.iter().copied());
        finding.help = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if values.is_empty() => None,
            None => {
                let some: Vec<String> = values
                    .iter()
                    .take(LISTED)
                    .map(|have| format!("`{}`", clipped(have)))
                    .collect();
                let more = if values.len() > LISTED { " …" } else { "" };
                Some(format!("cards have {}{more}", some.join(", ")))
            }
        };
        report.add(finding);
        return;
    }
    let message = "no card matches all of this: the pick yields nothing";
    report.add(report.warning(PK071, pick.place.0, message));
}

/// How many values are named.
const LISTED: usize = 8;

/// PK080, PK083, PK084 for every group of options.
fn option_groups(items: &[PackItem], report: &mut FileReport) {
    for item in items {
        if let PackItem::Options(options) = item {
            if !options.options.is_empty() {
                probabilities(options, report);
            }
            for option in &options.options {
                option_groups(&option.items, report);
            }
        }
    }
}

fn probabilities(options: &PackOptions, report: &mut FileReport) {
    let real = shares(options.options.iter().map(|option| option.probability.value));
    let single = options.options.len() == 1;
    for (option, share) in options.options.iter().zip(&real.options) {
        let written = option.probability.value;
        let span = option.probability.span();
        let exact = rational(written);
        if exact.is_negative() || exact > BigRational::one() {
            let message = format!(
                "the probability {written} lies outside of 0 to 1; it amounts to {}",
                percent(share)
            );
            report.add(report.warning(PK083, span, message));
        } else if exact.is_zero() {
            report.add(report.warning(PK083, span, "an option of probability 0 is never chosen"));
        } else if share.is_zero() {
            report.add(report.warning(PK083, span, "the options before it leave nothing for this one"));
        }
        if option.items.is_empty() {
            let message = format!("an empty option: nothing with {}", percent(share));
            report.add(report.hint(PK084, option.place.0, message));
        }
    }
    if single && !real.nothing.is_zero() {
        let message = format!("a single option: nothing with {}", percent(&real.nothing));
        report.add(report.hint(PK084, options.place.0, message));
        return;
    }
    // P170: how far the sum is from 1 decides.
    let off = (&real.sum - BigRational::one()).abs();
    if off <= fraction(1, 1_000_000) {
        return;
    }
    let written = to_f64(&real.sum);
    let message = if real.nothing.is_zero() {
        format!("the probabilities sum to {written}: the last options are cut")
    } else {
        format!(
            "the probabilities sum to {written}: nothing with {}",
            percent(&real.nothing)
        )
    };
    let effective: Vec<String> = real.options.iter().map(percent).collect();
    let finding = if off <= fraction(1, 100) {
        report.hint(PK080, options.place.0, message)
    } else {
        report.warning(PK080, options.place.0, message)
    };
    report.add(finding.help(format!("they amount to {}", effective.join(", "))));
}

fn fraction(numerator: i32, denominator: i32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn percent(share: &BigRational) -> String {
    let millionths = (share * BigRational::from_integer(1_000_000.into())).round();
    format!("{}%", to_f64(&millionths) / 10_000.0)
}

/// PK077: picks that can both be made and can take the same card.
fn overlaps(booster: &Booster, report: &mut FileReport) {
    let mut work = 0;
    booster.picks(&mut |pick| work += pick.candidates.len());
    if work > MAX_OVERLAP_WORK {
        return;
    }
    let mut taken: Vec<Option<FilePlace>> = vec![None; booster.pool.len()];
    walk(&booster.items, &mut taken, report);
}

fn walk(items: &[BoosterItem], taken: &mut Vec<Option<FilePlace>>, report: &mut FileReport) {
    for item in items {
        match item {
            BoosterItem::Pick(pick) => {
                let counts = matches!(pick.quantity, PickQuantity::Count(count) if count > 0);
                if !counts {
                    continue;
                }
                let first = pick.candidates.iter().find_map(|entry| taken[*entry as usize]);
                if let Some(first) = first {
                    let message = "this pick and an earlier one can take the same card";
                    let finding = report.hint(PK077, pick.place.0, message);
                    report.add(finding.label(report.file, first.0, "the earlier pick"));
                }
                for entry in pick.candidates.iter() {
                    taken[*entry as usize].get_or_insert(pick.place);
                }
            }
            BoosterItem::Options(options) => {
                // Only one option is made: each starts from what stood before the group.
                let before = taken.clone();
                let mut after = taken.clone();
                for option in &options.options {
                    taken.clone_from(&before);
                    walk(&option.items, taken, report);
                    for (all, one) in after.iter_mut().zip(taken.iter()) {
                        *all = all.or(*one);
                    }
                }
                *taken = after;
            }
        }
    }
}

/// Marks the set's own cards that a pick can take.
fn reached(booster: &Booster, set: usize, reachable: &mut [bool]) {
    booster.picks(&mut |pick| {
        if pick.quantity == PickQuantity::Count(0) {
            return;
        }
        for entry in pick.candidates.iter() {
            let entry = booster.pool[*entry as usize];
            if entry.card.set as usize == set && entry.include.is_none() {
                reachable[entry.card.card as usize] = true;
            }
        }
    });
}

/// Reports included cards that no pick of the pack can take (PK095).
fn unpicked_includes(pack: &PackDefinition, booster: &Booster, report: &mut FileReport) {
    if pack.includes.is_empty() {
        return;
    }
    let mut picked = vec![false; pack.includes.len()];
    booster.picks(&mut |pick| {
        for entry in pick.candidates.iter() {
            if let Some(include) = booster.pool[*entry as usize].include {
                picked[include as usize] = true;
            }
        }
    });
    let in_pool: BTreeSet<u32> = booster.pool.iter().filter_map(|entry| entry.include).collect();
    for (index, include) in (0u32..).zip(&pack.includes) {
        if in_pool.contains(&index) && !picked[index as usize] {
            report.add(report.hint(
                PK095,
                include.id.span(),
                "no pick of this pack can take the included card",
            ));
        }
    }
}

/// PK079, once for the set.
fn unreachable(set: &PackageSet, reachable: &[bool], report: &mut FileReport) {
    let lost: Vec<_> = set
        .cards
        .iter()
        .zip(reachable)
        .filter(|(_, reachable)| !**reachable)
        .collect();
    let Some((first, _)) = lost.first() else {
        return;
    };
    let message = match lost.len() {
        1 => format!("`{}` is in no pack of its set", clipped(&first.name)),
        count => format!(
            "{count} cards are in no pack of their set, `{}` is the first",
            clipped(&first.name)
        ),
    };
    let mut finding = report.hint(PK079, first.name.span(), message);
    for (card, _) in lost.iter().skip(1).take(4) {
        finding = finding.label(report.file, card.name.span(), "another");
    }
    report.add(finding);
}

/// PK037 for values of cards that picks of the set look at.
fn untidy_values(set: &PackageSet, keys: &BTreeSet<&str>, report: &mut FileReport) {
    for card in &set.cards {
        for property in card
            .properties
            .iter()
            .filter(|property| keys.contains(property.name.as_str()))
        {
            let Some(text) = property.value.plain() else {
                continue;
            };
            let untidy =
                !text.trim().is_empty() && (text.trim().len() != text.len() || has_odd_characters(text));
            if untidy {
                let span: Span = property.value.span();
                let message = format!(
                    "blanks around, or unseen characters in, `{}`: picks compare the whole value",
                    clipped(text)
                );
                report.add(report.warning(PK037, span, message));
            }
        }
    }
}
