//! Cards and their forms against the definition.

use std::collections::BTreeMap;

use cw_text::{Safety, Span, nearest};

use super::values::Uses;
use crate::codes::{
    PK028, PK029, PK030, PK031, PK032, PK035, PK036, PK040, PK041, PK042, PK043, PK051, PK052, PK053, PK055,
    PK060, PK094,
};
use crate::number::whole_number;
use crate::read::{clipped, replace};
use crate::report::FileReport;
use crate::{
    Alternate, CardProperty, Definition, LocatedValue, PackageCard, PackageSet, PropertyKind, PropertyValue,
    Str,
};

pub(super) fn check<'p>(
    definition: &Definition,
    set: &'p PackageSet,
    uses: &mut Uses<'p>,
    report: &mut FileReport,
) {
    belongs(definition, set, report);
    let names = DefinitionNames::new(definition);
    for card in &set.cards {
        check_card(&names, card, uses, report);
    }
    for pack in &set.packs {
        for include in &pack.includes {
            properties(
                &names,
                &include.properties,
                PropertyOwner::Include,
                &mut |_, _| {},
                report,
            );
        }
    }
}

/// Reports a set of another game, or one for a newer version of this game (PK028, PK029).
fn belongs(definition: &Definition, set: &PackageSet, report: &mut FileReport) {
    if set.game_id.value != definition.id.value && !set.game_id.is_nil() {
        let message = format!("the set belongs to game {}, not to this one", set.game_id.value);
        let fix = replace(
            report,
            set.game_id.span(),
            definition.id.value.to_string(),
            Safety::Unsafe,
        );
        let finding = report.error(PK028, set.game_id.span(), message);
        report.add(
            finding
                .label(definition.file, definition.id.span(), "this game's id")
                .fix(fix),
        );
    }
    if let (Some(wanted), Some(present)) = (&set.game_version, &definition.version)
        && wanted.is_newer_than(present)
    {
        let message = format!(
            "gameVersion {} is newer than the game's version {}",
            wanted.value, present.value
        );
        report.add(report.hint(PK029, wanted.span(), message));
    }
}

/// The definition, prepared for many questions.
pub(super) struct DefinitionNames<'d> {
    definition: &'d Definition,
    /// Sorted names with their index.
    sorted: Vec<(&'d str, usize)>,
}

impl<'d> DefinitionNames<'d> {
    pub(super) fn new(definition: &'d Definition) -> DefinitionNames<'d> {
        let names = definition.properties.iter().enumerate();
        let mut sorted: Vec<_> = names
            .map(|(index, property)| (property.name.as_str(), index))
            .collect();
        sorted.sort_unstable();
        DefinitionNames { definition, sorted }
    }

    /// Finds a property; `guess` is where to look first, since cards list them in the same order.
    fn index(&self, name: &str, guess: usize) -> Option<usize> {
        if let Some(property) = self.definition.properties.get(guess)
            && *property.name == name
        {
            return Some(guess);
        }
        let at = self.sorted.partition_point(|(other, _)| *other < name);
        let (found, index) = self.sorted.get(at)?;
        (*found == name).then_some(*index)
    }
}

/// Whose properties they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PropertyOwner {
    Card,
    Include,
}

fn check_card<'p>(
    names: &DefinitionNames<'_>,
    card: &'p PackageCard,
    uses: &mut Uses<'p>,
    report: &mut FileReport,
) {
    let file = report.file;
    let mut used = |index, value| uses.count(index, value, file);
    name(&card.name, report);
    size(names.definition, card.size.as_ref(), report);
    properties(names, &card.properties, PropertyOwner::Card, &mut used, report);
    for alternate in &card.alternates {
        check_alternate(names, card, alternate, &mut used, report);
    }
    if !card.alternates.is_empty() {
        kinds(card, report);
    }
}

/// Reports a card without a name, or with blanks around it (PK043, P50).
fn name(name: &LocatedValue<Str>, report: &mut FileReport) {
    if name.trim().is_empty() {
        // A name that is not there at all is told as a missing attribute.
        if name.span() == Span::default() {
            return;
        }
        report.add(report.hint(PK043, name.span(), "the card has no name"));
    } else if name.trim().len() != name.len() {
        let message = format!("blanks around the name `{}`", clipped(name));
        report.add(report.hint(PK043, name.span(), message));
    }
}

/// Reports a card size that is empty, unknown or the default one (PK040, PK041, P43).
fn size(definition: &Definition, size: Option<&LocatedValue<Str>>, report: &mut FileReport) {
    let Some(size) = size else {
        return;
    };
    let known = || definition.sizes.iter().map(|known| known.name.as_str());
    if known().any(|known| **size == *known) {
        return;
    }
    if size.is_empty() {
        let message = "empty size: OCTGN takes the default card, o8build refuses it";
        report.add(report.warning(PK041, size.span(), message));
        return;
    }
    if size.value == definition.card.name.value {
        let message = format!(
            "`{}` is the default card, which is no size: OCTGN stops",
            clipped(size)
        );
        report.add(
            report
                .warning(PK041, size.span(), message)
                .help("leave `size` out"),
        );
        return;
    }
    let mut finding = report.error(
        PK040,
        size.span(),
        format!("unknown card size `{}`", clipped(size)),
    );
    if let Some(near) = nearest(size, known()) {
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(report, size.span(), near, Safety::Unsafe));
    }
    report.add(finding);
}

fn properties<'p>(
    names: &DefinitionNames<'_>,
    properties: &'p [CardProperty],
    owner: PropertyOwner,
    used: &mut dyn FnMut(usize, &'p LocatedValue<PropertyValue>),
    report: &mut FileReport,
) {
    let mut guess = 0;
    let mut seen: u64 = 0;
    let mut many: BTreeMap<&str, Span> = BTreeMap::new();
    for (position, property) in properties.iter().enumerate() {
        let index = names.index(&property.name, guess);
        guess = index.map_or(guess, |index| index + 1);
        // The first 64 properties of a definition are told apart by bits, the rest by name.
        let twice = match index {
            Some(index) if index < 64 => {
                let bit = 1 << index;
                let twice = seen & bit != 0;
                seen |= bit;
                twice
            }
            _ => many.insert(&property.name, property.name.span()).is_some(),
        };
        if twice {
            let first = properties[..position]
                .iter()
                .find(|other| other.name == property.name);
            let first = first.map_or(property.name.span(), |first| first.name.span());
            let message = format!("property `{}` appears twice", clipped(&property.name));
            let finding = report.error(PK032, property.name.span(), message);
            report.add(finding.label(report.file, first, "first here"));
        }
        match index {
            None => undefined(names, property, owner, report),
            Some(index) => {
                used(index, &property.value);
                value(names, names.definition.properties[index].kind, property, report);
            }
        }
    }
}

/// PK030, PK031, PK094, P59e.
fn undefined(
    names: &DefinitionNames<'_>,
    property: &CardProperty,
    owner: PropertyOwner,
    report: &mut FileReport,
) {
    let name = &property.name;
    let known = || {
        names
            .definition
            .properties
            .iter()
            .map(|known| known.name.as_str())
    };
    let same_letters = known().find(|known| known.to_lowercase() == name.to_lowercase());
    let near = same_letters.or_else(|| nearest(name, known()));
    let (code, message) = match (owner, same_letters) {
        (PropertyOwner::Include, None) if crate::booster::is_name(name) => {
            (PK094, "an include cannot change the card's name".to_owned())
        }
        (PropertyOwner::Include, _) => (PK094, format!("the game defines no property `{}`", clipped(name))),
        (PropertyOwner::Card, Some(known)) => (
            PK031,
            format!("property `{}` is defined as `{known}`", clipped(name)),
        ),
        (PropertyOwner::Card, None) => (PK030, format!("the game defines no property `{}`", clipped(name))),
    };
    let mut finding = report.error(code, name.span(), message);
    if let Some(near) = near {
        let safety = if same_letters.is_some() {
            Safety::Safe
        } else {
            Safety::Unsafe
        };
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(report, name.span(), escaped(near), safety));
    } else if code != PK094 {
        let some: Vec<String> = known()
            .take(LISTED)
            .map(|known| format!("`{}`", clipped(known)))
            .collect();
        if !some.is_empty() {
            let more = if names.definition.properties.len() > LISTED {
                " …"
            } else {
                ""
            };
            finding = finding.help(format!(
                "the definition has {}{more}; add a new property there first",
                some.join(", ")
            ));
        }
    }
    report.add(finding);
}

/// So many properties are named in a finding.
const LISTED: usize = 12;

/// A text as it stands in an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

fn value(names: &DefinitionNames<'_>, kind: PropertyKind, property: &CardProperty, report: &mut FileReport) {
    match (kind, &property.value.value) {
        (PropertyKind::Integer, PropertyValue::Text(text))
            if !text.is_empty() && whole_number(text).is_none() =>
        {
            let message = format!("`{}` is not a whole number", clipped(text));
            let help = "a whole number has only digits, perhaps with `-` in front";
            // A minus sign of a text processor, a unit behind the number, a sign that means nothing.
            let plain: String = text
                .trim()
                .chars()
                .map(|letter| {
                    if "\u{2212}\u{2013}\u{2014}".contains(letter) {
                        '-'
                    } else {
                        letter
                    }
                })
                .filter(|letter| letter.is_ascii_digit() || *letter == '-')
                .collect();
            let mut finding = report.warning(PK035, property.value.span(), message).help(help);
            let is_meant = whole_number(&plain).is_some() && !text.contains(['.', '/', '*', 'x', 'X', ',']);
            if is_meant {
                finding = finding.fix(replace(report, property.value.span(), plain, Safety::Unsafe));
            }
            report.add(finding);
        }
        (PropertyKind::Char, PropertyValue::Text(text)) if text.chars().count() > 1 => {
            let message = format!("`{}` is more than one character", clipped(text));
            report.add(report.warning(PK036, property.value.span(), message));
        }
        (PropertyKind::RichText, PropertyValue::Rich(rich)) => {
            rich.symbols(&mut |id| symbol(names.definition, id, report));
        }
        _ => {}
    }
}

/// Reports a symbol that the definition does not have (PK060, P61).
fn symbol(definition: &Definition, id: &LocatedValue<Str>, report: &mut FileReport) {
    if definition.symbol(id).is_some() {
        return;
    }
    let message = format!(
        "the game defines no symbol `{}`: OCTGN drops the whole set",
        clipped(id)
    );
    let mut finding = report.error(PK060, id.span(), message);
    if let Some(near) = nearest(id, definition.symbols.iter().map(|symbol| symbol.id.as_str())) {
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(report, id.span(), escaped(near), Safety::Unsafe));
    }
    report.add(finding);
}

fn check_alternate<'p>(
    names: &DefinitionNames<'_>,
    card: &PackageCard,
    alternate: &'p Alternate,
    used: &mut dyn FnMut(usize, &'p LocatedValue<PropertyValue>),
    report: &mut FileReport,
) {
    size(names.definition, alternate.size.as_ref(), report);
    properties(names, &alternate.properties, PropertyOwner::Card, used, report);
    // P74: the size is not inherited.
    if alternate.size.is_none()
        && let Some(size) = &card.size
        && !size.is_empty()
    {
        let message = format!(
            "this form has the default size: `{}` is not inherited",
            clipped(size)
        );
        report.add(report.hint(PK042, alternate.place.0, message));
    }
    let changes = alternate.properties.iter().any(|property| {
        let base = card.properties.iter().find(|base| base.name == property.name);
        base.map_or(property.value.value != PropertyValue::Null, |base| {
            base.value != property.value
        })
    });
    if !changes && alternate.name == card.name && same_size(alternate.size.as_ref(), card.size.as_ref()) {
        report.add(report.hint(PK055, alternate.place.0, "this form is the same as the base"));
    }
}

fn same_size(a: Option<&LocatedValue<Str>>, b: Option<&LocatedValue<Str>>) -> bool {
    a.map(|size| &*size.value) == b.map(|size| &*size.value)
}

/// Reports types of alternates that are alike or more than letters and
/// digits (PK051, PK052, PK053, P71, P75).
fn kinds(card: &PackageCard, report: &mut FileReport) {
    let mut seen: BTreeMap<String, &LocatedValue<Str>> = BTreeMap::new();
    for alternate in card
        .alternates
        .iter()
        .filter(|alternate| !alternate.kind.is_empty())
    {
        let kind = &alternate.kind;
        let bad = |c: char| matches!(c, '.' | '/' | '\\' | ':') || c.is_control();
        if kind.contains(bad) {
            let message = format!("type `{}` cannot be part of a picture's file name", clipped(kind));
            report.add(report.error(PK053, kind.span(), message));
        } else if !kind.chars().all(char::is_alphanumeric) {
            let message = format!("type `{}` is more than letters and digits", clipped(kind));
            report.add(report.warning(PK053, kind.span(), message));
        }
        let folded = kind.to_lowercase();
        let Some(first) = seen.get(&folded) else {
            seen.insert(folded, kind);
            continue;
        };
        let finding = if first.value == kind.value {
            let message = format!("two forms of type `{}`: OCTGN drops the whole set", clipped(kind));
            report.error(PK051, kind.span(), message)
        } else {
            let message = format!(
                "types `{}` and `{}` differ only in case",
                clipped(first),
                clipped(kind)
            );
            report.warning(PK052, kind.span(), message)
        };
        report.add(finding.label(report.file, first.span(), "the other"));
    }
}
