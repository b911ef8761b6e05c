//! What the readers of all kinds of files share: attributes into typed values.

use cw_text::{Diagnostic, FindingFix, Safety, Severity, Span, nearest};

use crate::codes::{PK008, PK010, PK020, PK021, PK022, PK114, PK158};
use crate::report::FileReport;
use crate::xml::{XmlAttribute, XmlElement};
use crate::{Guid, GuidForm, LocatedValue, Str, Version};

/// The value of an attribute with its place.
pub(crate) fn located(attribute: XmlAttribute<'_>) -> LocatedValue<Str> {
    LocatedValue::new(attribute.value(), attribute.value_span())
}

/// The value of an attribute, if it is there.
pub(crate) fn optional(element: XmlElement<'_>, name: &str) -> Option<LocatedValue<Str>> {
    element.attribute(name).map(located)
}

/// The value of an attribute; PK010 where it is missing.
pub(crate) fn required(
    element: XmlElement<'_>,
    name: &str,
    report: &mut FileReport,
) -> Option<LocatedValue<Str>> {
    let found = optional(element, name);
    if found.is_none() {
        missing(element, name, report);
    }
    found
}

pub(crate) fn missing(element: XmlElement<'_>, name: &str, report: &mut FileReport) {
    missing_at(element, name, Severity::Error, report);
}

/// PK010, as severe as who needs the attribute makes it.
pub(crate) fn missing_at(element: XmlElement<'_>, name: &str, severity: Severity, report: &mut FileReport) {
    let message = format!("`{}` without attribute `{name}`", element.name());
    let mut finding = Diagnostic::new(PK010, severity, report.file, element.name_span(), message);
    let near = element
        .attributes()
        .find(|other| nearest(other.name(), [name]).is_some());
    if let Some(near) = near {
        finding = finding.label(report.file, near.name_span(), format!("did you mean `{name}`?"));
    }
    report.add(finding);
}

/// PK008 for every attribute that is not in the list; those of XML itself are fine (P6).
pub(crate) fn known_attributes(element: XmlElement<'_>, known: &[&str], report: &mut FileReport) {
    for attribute in element.attributes() {
        let name = attribute.name();
        let of_xml = name.starts_with("xmlns") || name.starts_with("xsi:") || name.starts_with("xml:");
        if of_xml || known.contains(&name) {
            continue;
        }
        let message = format!(
            "`{}` has no attribute `{}`; OCTGN ignores it",
            element.name(),
            clipped(name)
        );
        let mut finding = report.warning(PK008, attribute.name_span(), message);
        finding.help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        report.add(finding);
    }
}

/// PK158: a name with characters that nobody sees, or that turn what stands around them.
pub(crate) fn visible_name(what: &str, name: &LocatedValue<Str>, report: &mut FileReport) {
    if name.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return;
    }
    if let Some(hidden) = name.chars().find(|letter| is_hidden(*letter)) {
        let message = format!(
            "the name of the {what} hides the character U+{:04X}",
            u32::from(hidden)
        );
        report.add(report.warning(PK158, name.span(), message).help("remove it"));
    }
}

/// Control characters, marks of direction and characters without a width. The joiners that scripts need
/// between letters (U+200C, U+200D) are not among them.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
        )
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}')
        || matches!(letter, '\u{e0000}'..='\u{e007f}')
}

/// The beginning of a text, for messages.
pub(crate) fn clipped(text: &str) -> &str {
    let end = text.char_indices().nth(80).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// A path for messages: long enough for a picture's, which names game, set and card.
pub(crate) fn clipped_path(path: &str) -> &str {
    let end = path.char_indices().nth(240).map_or(path.len(), |(at, _)| at);
    &path[..end]
}

/// A fix that replaces one place.
pub(crate) fn replace(
    report: &FileReport,
    span: Span,
    text: impl Into<String>,
    safety: Safety,
) -> FindingFix {
    let text = text.into();
    FindingFix::one(
        format!("replace with `{}`", clipped(&text)),
        safety,
        report.file,
        span,
        text,
    )
}

/// Which spellings of GUIDs are fine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuidRules {
    /// P13: sets and decks.
    Set,
    /// P14: only the two hyphenated forms.
    Definition,
}

/// Reads a GUID attribute: PK010, PK020, PK021, PK022. What cannot be read is nil.
pub(crate) fn guid(
    element: XmlElement<'_>,
    name: &str,
    rules: GuidRules,
    report: &mut FileReport,
) -> LocatedValue<Guid> {
    match element.attribute(name) {
        Some(attribute) => guid_of(attribute, rules, report),
        None => {
            missing(element, name, report);
            LocatedValue::new(Guid::NIL, element.name_span())
        }
    }
}

pub(crate) fn guid_of(
    attribute: XmlAttribute<'_>,
    rules: GuidRules,
    report: &mut FileReport,
) -> LocatedValue<Guid> {
    let text = attribute.value();
    let span = attribute.value_span();
    let Ok((guid, form)) = Guid::parse(&text) else {
        let message = format!("`{}` is not a GUID", clipped(&text));
        let help = "write 32 hexadecimal digits as 8-4-4-4-12, like 0a1b2c3d-0123-4567-89ab-0123456789ab";
        report.add(report.error(PK020, span, message).help(help));
        return LocatedValue::new(Guid::NIL, span);
    };
    let trouble = match (form, rules) {
        (GuidForm::Hyphens, _) | (GuidForm::Braces, GuidRules::Definition) => None,
        (GuidForm::Braces | GuidForm::Digits, GuidRules::Set) => Some("not the canonical spelling of a GUID"),
        (GuidForm::Digits, GuidRules::Definition) => Some("o8build refuses this spelling of a GUID"),
        (GuidForm::BracedDigits, _) => Some("OCTGN cannot read this spelling of a GUID"),
        (GuidForm::Parentheses | GuidForm::Hexadecimal | GuidForm::Padded, _) => {
            Some("o8build refuses this spelling of a GUID")
        }
    };
    if let Some(message) = trouble {
        let fix = replace(report, span, guid.to_string(), Safety::Unsafe);
        let help = "pictures and folders are found by the text of the id: rename them with it";
        report.add(report.warning(PK021, span, message).help(help).fix(fix));
    }
    if guid.is_nil() {
        report.add(report.warning(PK022, span, "the nil GUID is no identity"));
    }
    LocatedValue::new(guid, span)
}

/// Reads a version attribute of a set (2 to 4 numbers) or a definition (exactly 4): PK114.
pub(crate) fn version(
    attribute: XmlAttribute<'_>,
    parts: std::ops::RangeInclusive<usize>,
    report: &mut FileReport,
) -> Option<LocatedValue<Version>> {
    let text = attribute.value();
    let span = attribute.value_span();
    let version = Version::parse(&text).filter(|version| parts.contains(&version.parts().len()));
    if version.is_none() {
        let wanted = if *parts.start() == 4 {
            "four numbers"
        } else {
            "two to four numbers"
        };
        let message = format!("version `{}` is not {wanted} with dots between", clipped(&text));
        report.add(report.error(PK114, span, message));
    }
    version.map(|version| LocatedValue::new(version, span))
}
