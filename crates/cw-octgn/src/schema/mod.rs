//! What OCTGN's packaging tool demands of definitions, sets and proxy definitions: its three schemas as
//! tables, and one reader that holds a file against one of them (P219–P226).
//!
//! What the typed readers have said at the same place is not said twice. A finding is an error only where
//! the client itself cannot read the file or plays otherwise than written; what only the packaging tool
//! refuses is a warning (P281).

mod definition;
mod table;
mod value;

use cw_text::{FindingCode, Safety, Severity, Span, nearest};

pub(crate) use definition::check as check_definition;
pub(crate) use value::is_date;

use crate::codes::{PK006, PK007, PK008, PK010, PK020, PK112, PK113, PK114, PK116, PK141, PK142, PK143};
use crate::codes::{PK149, PK150};
use crate::read::{clipped, missing_at, replace};
use crate::report::FileReport;
use crate::xml::{Child, XmlAttribute, XmlElement};
use table::{AttributeRow, ChildOrder, ChildSlot, ElementRow, SchemaTable};
use value::ValueType;

/// Which schema a file is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaKind {
    /// `definition.xml`
    Definition,
    /// `set.xml`
    Set,
    /// The file that says how proxies are drawn.
    ProxyDefinition,
}

impl SchemaKind {
    fn table(self) -> &'static SchemaTable {
        match self {
            SchemaKind::Definition => &table::DEFINITION,
            SchemaKind::Set => &table::SET,
            SchemaKind::ProxyDefinition => &table::PROXY_DEFINITION,
        }
    }
}

/// Attributes that the schema demands and the client does without (P257, P281).
const ONLY_FOR_BUILDING: [(&str, &str); 5] = [
    ("game", "setsurl"),
    ("game", "description"),
    ("globalvariable", "value"),
    ("gameMode", "image"),
    ("gameMode", "shortDescription"),
];

/// Attributes that one pile or the table has and others may have, too: nobody is misled by them.
const OF_PILES: [&str; 8] = [
    "ordered",
    "cross",
    "icon",
    "shortcut",
    "width",
    "height",
    "background",
    "backgroundStyle",
];

/// Finds what a schema refuses and nothing has been said about yet.
pub(crate) fn check(kind: SchemaKind, root: XmlElement<'_>, report: &mut FileReport) {
    let table = kind.table();
    let row = &table.rows[0];
    // Nothing can be said about what stands in another element (P223).
    if root.name() != row.name {
        return;
    }
    let mut reading = SchemaReading { kind, table, report };
    if let Some(namespace) = root.attribute("xmlns").filter(|found| !found.value().is_empty()) {
        let help = format!(
            "remove `xmlns`: OCTGN looks for `{}` without a namespace",
            row.name
        );
        let message = "the outermost element has a namespace";
        let finding = reading.report.error(PK006, namespace.span(), message);
        reading.say(finding.help(help));
        return;
    }
    reading.element(root, row);
}

struct SchemaReading<'r> {
    kind: SchemaKind,
    table: &'static SchemaTable,
    report: &'r mut FileReport,
}

impl SchemaReading<'_> {
    /// Says something, unless the place has a finding already.
    fn say(&mut self, finding: cw_text::Diagnostic) {
        if !self.report.has(finding.span) {
            self.report.add(finding);
        }
    }

    fn found(&mut self, severity: Severity, code: FindingCode, span: Span, message: String) {
        let finding = cw_text::Diagnostic::new(code, severity, self.report.file, span, message);
        self.say(finding);
    }

    fn element(&mut self, element: XmlElement<'_>, row: &'static ElementRow) {
        self.attributes(element, row);
        if !row.has_text {
            self.text(element);
        }
        match &row.order {
            ChildOrder::All(slots) => self.all(element, slots),
            ChildOrder::Sequence(ways) => self.sequence(element, ways),
            ChildOrder::Any { slots, least } => {
                if element.elements().count() < *least {
                    let message = format!("`{}` with nothing inside", element.name());
                    self.found(Severity::Warning, PK149, element.name_span(), message);
                }
                for child in element.elements() {
                    self.child(child, element, slots.iter());
                }
            }
        }
    }

    /// An element inside another, and what stands in it.
    fn child<'s>(
        &mut self,
        child: XmlElement<'_>,
        parent: XmlElement<'_>,
        mut slots: impl Iterator<Item = &'s ChildSlot> + Clone,
    ) {
        let known = slots.clone().map(|slot| slot.name);
        let Some(slot) = slots.find(|slot| slot.name == child.name()) else {
            let message = format!(
                "`{}` does not belong in `{}`",
                clipped(child.name()),
                clipped(parent.name())
            );
            let mut finding = self.report.warning(PK007, child.name_span(), message);
            finding.help = nearest(child.name(), known).map(|near| format!("did you mean `{near}`?"));
            self.say(finding);
            return;
        };
        if let Some(namespace) = child.attribute("xmlns").filter(|found| !found.value().is_empty()) {
            let message = format!("`{}` is put into a namespace", child.name());
            self.found(Severity::Warning, PK007, namespace.span(), message);
            return;
        }
        self.element(child, &self.table.rows[slot.row]);
    }

    /// P219: any order, each at most once; those that must be there.
    fn all(&mut self, element: XmlElement<'_>, slots: &'static [ChildSlot]) {
        let mut seen: Vec<&str> = Vec::new();
        for child in element.elements() {
            if seen.contains(&child.name()) {
                let message = format!("`{}` appears twice", clipped(child.name()));
                let finding = self.report.error(PK142, child.name_span(), message);
                self.say(finding);
            }
            seen.push(child.name());
            self.child(child, element, slots.iter());
        }
        for slot in slots.iter().filter(|slot| slot.is_needed) {
            let name = slot.name;
            if seen.contains(&name) {
                continue;
            }
            // More than one part may be missing, all at the one place.
            let message = format!("the game has no `{name}`");
            let mut finding = self.report.error(PK141, element.name_span(), message);
            let is_near = |child: &XmlElement<'_>| {
                nearest(child.name(), [name]).is_some() && slots.iter().all(|slot| slot.name != child.name())
            };
            if let Some(near) = element.elements().find(is_near) {
                let label = format!("did you mean `{name}`?");
                finding = finding.label(self.report.file, near.name_span(), label);
            }
            self.report.add(finding);
        }
    }

    /// P219: the written order.
    fn sequence(&mut self, element: XmlElement<'_>, ways: &'static [Vec<ChildSlot>]) {
        let first = element.elements().find_map(|child| {
            ways.iter()
                .find(|way| way.iter().any(|slot| slot.name == child.name()))
        });
        let Some(way) = first.or(ways.first()) else { return };
        let (mut at, mut count) = (0, 0);
        for child in element.elements() {
            let place = way.iter().position(|slot| slot.name == child.name());
            let wrong = match place {
                Some(place) if place < at => Some(format!(
                    "`{}` after `{}`; the order is {}",
                    child.name(),
                    way[at].name,
                    way.iter().map(|slot| slot.name).collect::<Vec<_>>().join(", ")
                )),
                Some(place) if place == at && count > 0 && !way[at].is_repeated => {
                    Some(format!("a second `{}` in `{}`", child.name(), element.name()))
                }
                None if ways.iter().flatten().any(|slot| slot.name == child.name()) => {
                    Some(format!("`{}` does not go with `{}`", child.name(), way[0].name))
                }
                Some(_) | None => None,
            };
            if let Some(message) = wrong {
                self.found(Severity::Warning, PK149, child.name_span(), message);
            }
            match place {
                Some(place) if place == at => count += 1,
                Some(place) if place > at => (at, count) = (place, 1),
                Some(_) | None => {}
            }
            self.child(child, element, ways.iter().flatten());
        }
        for slot in way.iter().filter(|slot| slot.is_needed) {
            if element.elements().all(|child| child.name() != slot.name) {
                let message = format!("`{}` without `{}` inside", element.name(), slot.name);
                self.found(self.of_parts(), PK149, element.name_span(), message);
            }
        }
    }

    /// What lacks a part cannot be drawn (P266); a definition or set is read all the same.
    fn of_parts(&self) -> Severity {
        match self.kind {
            SchemaKind::Definition | SchemaKind::Set => Severity::Warning,
            SchemaKind::ProxyDefinition => Severity::Error,
        }
    }

    /// CDATA counts as text even if it is blank (P222).
    fn text(&mut self, element: XmlElement<'_>) {
        for child in element.children() {
            if let Child::Text(text) = child
                && (text.is_cdata() || !text.value().trim().is_empty())
            {
                let message = format!("text directly in `{}`; OCTGN ignores it", element.name());
                self.found(Severity::Warning, PK007, text.trimmed_span(), message);
                return;
            }
        }
    }

    fn attributes(&mut self, element: XmlElement<'_>, row: &'static ElementRow) {
        for attribute in element.attributes() {
            let name = attribute.name();
            match row.attributes.iter().find(|known| known.name == name) {
                Some(known) => self.value(attribute, known),
                None => self.unknown(attribute, row),
            }
        }
        for known in row.attributes.iter().filter(|known| known.is_needed) {
            if element.attribute(known.name).is_some() {
                continue;
            }
            let only_building = ONLY_FOR_BUILDING.contains(&(row.name, known.name));
            let severity = match only_building {
                true => Severity::Warning,
                false => Severity::Error,
            };
            // Several may be missing at one place: only the same sentence is not said again.
            if !self.report.lacks(element.name_span(), known.name) {
                missing_at(element, known.name, severity, self.report);
            }
        }
    }

    /// P222: what is not in the row.
    fn unknown(&mut self, attribute: XmlAttribute<'_>, row: &'static ElementRow) {
        let name = attribute.name();
        let declares = name == "xmlns" || name.starts_with("xmlns:");
        let passes = matches!(name, "xsi:schemaLocation" | "xsi:noNamespaceSchemaLocation")
            || name.starts_with("xml:") && self.table.takes_xml_attributes;
        // What other piles have is no misspelling (P279).
        if declares || passes || row.is_open && OF_PILES.contains(&name) {
            return;
        }
        let message = format!("`{}` has no attribute `{}`", row.name, clipped(name));
        let code = if row.is_open { PK150 } else { PK008 };
        let mut finding = self.report.warning(code, attribute.name_span(), message);
        let known = row.attributes.iter().map(|known| known.name);
        finding.help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        self.say(finding);
    }

    fn value(&mut self, attribute: XmlAttribute<'_>, known: &'static AttributeRow) {
        let text = attribute.value();
        let text = text.as_str();
        let span = attribute.value_span();
        let beyond = matches!(known.value, ValueType::Whole { .. })
            && known.value.takes(text)
            && text.trim().parse::<i32>().is_err();
        if known.value.takes(text) && !beyond {
            return;
        }
        let name = known.name;
        let wanted = match beyond {
            // P262: the schemas take any length, the client 32 bits.
            true => "a number of 32 bits".to_owned(),
            false => known.value.wanted(),
        };
        let (code, meant) = match &known.value {
            ValueType::Text | ValueType::Words(_) => (PK010, near_word(text, &known.value)),
            ValueType::Capital => (
                PK112,
                truth(text).map(|is_true| if is_true { "True" } else { "False" }),
            ),
            ValueType::Small => (
                PK113,
                truth(text).map(|is_true| if is_true { "true" } else { "false" }),
            ),
            ValueType::Whole { .. } | ValueType::Colour | ValueType::Box | ValueType::Decimal => {
                (PK143, None)
            }
            ValueType::Identity { .. } => (PK020, None),
            ValueType::Numbers { .. } => (PK114, None),
            ValueType::Date => (PK116, None),
        };
        // Where proxies are drawn, booleans are read in any case (P266).
        let is_read = self.kind == SchemaKind::ProxyDefinition
            && known.value == ValueType::Capital
            && matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "false")
            || matches!(known.value, ValueType::Date);
        let message = match is_read {
            true => format!("`{name}` is `{}`, o8build wants {wanted}", clipped(text)),
            false if known.value == ValueType::Capital => format!("`{}` is not {wanted}", clipped(text)),
            false => format!("`{name}` is `{}`, it must be {wanted}", clipped(text)),
        };
        let severity = if is_read {
            Severity::Warning
        } else {
            Severity::Error
        };
        let mut finding = cw_text::Diagnostic::new(code, severity, self.report.file, span, message);
        if let Some(meant) = meant {
            finding = finding.help(format!("did you mean `{meant}`?")).fix(replace(
                self.report,
                span,
                meant,
                Safety::Safe,
            ));
        }
        self.say(finding);
    }
}

fn near_word(text: &str, value: &ValueType) -> Option<&'static str> {
    match value {
        ValueType::Words(words) => nearest(text, words.iter().copied()),
        ValueType::Text
        | ValueType::Whole { .. }
        | ValueType::Capital
        | ValueType::Small
        | ValueType::Identity { .. }
        | ValueType::Numbers { .. }
        | ValueType::Colour
        | ValueType::Box
        | ValueType::Decimal
        | ValueType::Date => None,
    }
}

/// What a word for yes or no means.
fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}
