use cw_text::{FileId, Safety, nearest};

use crate::codes::{
    PK005, PK006, PK007, PK009, PK010, PK033, PK034, PK039, PK050, PK054, PK073, PK074, PK075, PK081, PK082,
    PK085, PK086, PK101, PK113, PK116,
};
use crate::definition::{Definition, PropertyKind};
use crate::number::whole_number;
use crate::read::{
    GuidRules, clipped, guid, known_attributes, located, optional, replace, required, version, visible_name,
};
use crate::report::FileReport;
use crate::rich::{self, RichText};
use crate::xml::{Child, XmlAttribute, XmlElement, XmlTree};
use crate::{FilePlace, Guid, LocatedValue, PackageLimits, PickQuantity, Probability, Str, Version};

/// One `set.xml` (section 1 of the package rules).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PackageSet {
    /// The file it was read from.
    pub file: FileId,
    /// The folder below `Sets` that it lies in.
    pub folder: Str,
    /// The set's identity; nil if it cannot be read.
    pub id: LocatedValue<Guid>,
    /// The id as written: its folder when packed (P145).
    pub raw_id: Str,
    /// Its name.
    pub name: LocatedValue<Str>,
    /// The game it belongs to.
    pub game_id: LocatedValue<Guid>,
    /// Its own version; OCTGN ignores it (P24).
    pub version: Option<LocatedValue<Version>>,
    /// The least version of the game; OCTGN ignores it (P25).
    pub game_version: Option<LocatedValue<Version>>,
    /// Whether the deck editor leaves it out (P26).
    pub hidden: bool,
    /// An abbreviation (P27).
    pub short_name: Option<LocatedValue<Str>>,
    /// What it is about (P28).
    pub description: Option<LocatedValue<Str>>,
    /// The day it came out, as written (P29).
    pub release_date: Option<LocatedValue<Str>>,
    /// Packs in document order.
    pub packs: Vec<PackDefinition>,
    /// Markers in document order; obsolete (P40).
    pub markers: Vec<SetMarker>,
    /// Cards in document order.
    pub cards: Vec<PackageCard>,
    /// The root element's start tag.
    pub place: FilePlace,
}

/// A card with its other forms.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PackageCard {
    /// Its identity; nil if it cannot be read.
    pub id: LocatedValue<Guid>,
    /// The id as written: the name of its pictures (P15, P76).
    pub raw_id: Str,
    /// Its name in the base form.
    pub name: LocatedValue<Str>,
    /// Its size, if not the default one (P43).
    pub size: Option<LocatedValue<Str>>,
    /// What it says of each property, in document order.
    pub properties: Vec<CardProperty>,
    /// Its other forms (section 4).
    pub alternates: Vec<Alternate>,
    /// The start tag.
    pub place: FilePlace,
}

/// Another form of a card.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Alternate {
    /// Its name; never inherited (P73).
    pub name: LocatedValue<Str>,
    /// Which form it is.
    pub kind: LocatedValue<Str>,
    /// Its size; *not* inherited (P74).
    pub size: Option<LocatedValue<Str>>,
    /// What it says differently; the rest is inherited (P72).
    pub properties: Vec<CardProperty>,
    /// The start tag.
    pub place: FilePlace,
}

/// What a card says of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct CardProperty {
    /// The property's name as written.
    pub name: LocatedValue<Str>,
    /// What it says.
    pub value: LocatedValue<PropertyValue>,
    /// The whole start tag.
    pub place: FilePlace,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum PropertyValue {
    /// `<property name="x"/>`: as if absent, and erases what an alternate would inherit (P59d, P72).
    #[default]
    Null,
    /// Text, also that of integers (P59a).
    Text(Str),
    /// Formatted text.
    Rich(Box<RichText>),
}

/// A booster or another packaging (P31).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PackDefinition {
    /// The pack's identity; nil if it cannot be read.
    pub id: LocatedValue<Guid>,
    /// Its name.
    pub name: LocatedValue<Str>,
    /// Cards of other sets that join the pool (P33).
    pub includes: Vec<Include>,
    /// What is in it, in document order.
    pub items: Vec<PackItem>,
    /// The start tag.
    pub place: FilePlace,
}

/// A card of another set that joins a pack's pool (P33, P82).
#[derive(Clone, Debug, PartialEq)]
pub struct Include {
    /// The card.
    pub id: LocatedValue<Guid>,
    /// Its set.
    pub set: LocatedValue<Guid>,
    /// Properties it gets here.
    pub properties: Vec<CardProperty>,
    /// The start tag.
    pub place: FilePlace,
}

/// A part of a pack.
#[derive(Clone, Debug, PartialEq)]
pub enum PackItem {
    /// Cards that match.
    Pick(PackPick),
    /// One of several.
    Options(PackOptions),
}

/// Takes some of the cards that match (P35, P85–P87).
#[derive(Clone, Debug, PartialEq)]
pub struct PackPick {
    /// How many.
    pub quantity: LocatedValue<PickQuantity>,
    /// What a card must match, all of it; the first is the pick's own key.
    pub criteria: Vec<Criterion>,
    /// The start tag.
    pub place: FilePlace,
}

/// One condition of a pick (P36, P101).
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// A property's name, or `Name` in any letter case.
    pub key: LocatedValue<Str>,
    /// The whole value.
    pub value: LocatedValue<Str>,
}

/// A choice by chance (P38, P89).
#[derive(Clone, Debug, PartialEq)]
pub struct PackOptions {
    /// Tried in order.
    pub options: Vec<PackOption>,
    /// The start tag.
    pub place: FilePlace,
}

/// One possibility of [`PackOptions`].
#[derive(Clone, Debug, PartialEq)]
pub struct PackOption {
    /// How likely, before clamping (P90).
    pub probability: LocatedValue<Probability>,
    /// What it yields.
    pub items: Vec<PackItem>,
    /// The start tag.
    pub place: FilePlace,
}

/// A marker of a set; obsolete (P40).
#[derive(Clone, Debug, PartialEq)]
pub struct SetMarker {
    /// Its id: the name of its picture, compared as text.
    pub id: LocatedValue<Str>,
    /// Its name.
    pub name: LocatedValue<Str>,
    /// The start tag.
    pub place: FilePlace,
}

impl PropertyValue {
    /// The text without formatting; nothing for null (P65).
    pub fn plain(&self) -> Option<&str> {
        match self {
            PropertyValue::Null => None,
            PropertyValue::Text(text) => Some(text),
            PropertyValue::Rich(rich) => Some(&rich.plain),
        }
    }
}

/// The property of this name. `guess` is where the last card had it: cards list them in the same order.
pub(crate) fn named<'p>(
    properties: &'p [CardProperty],
    name: &str,
    guess: &mut usize,
) -> Option<&'p CardProperty> {
    if let Some(property) = properties.get(*guess)
        && *property.name == *name
    {
        return Some(property);
    }
    let found = properties.iter().position(|property| *property.name == *name)?;
    *guess = found;
    Some(&properties[found])
}

impl PackageCard {
    /// What the base form says of a property; nothing if it is absent or null.
    pub fn value(&self, name: &str) -> Option<&PropertyValue> {
        find(&self.properties, name).filter(|value| **value != PropertyValue::Null)
    }

    /// The base form's property as text without formatting.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name).and_then(PropertyValue::plain)
    }

    /// The alternate of this exact type (P75).
    pub fn alternate(&self, kind: &str) -> Option<&Alternate> {
        self.alternates.iter().find(|alternate| *alternate.kind == kind)
    }

    /// What a form really has: an alternate's own value, else the base's; null removes (P72).
    pub fn form_value<'c>(&'c self, form: Option<&'c Alternate>, name: &str) -> Option<&'c PropertyValue> {
        match form.and_then(|alternate| find(&alternate.properties, name)) {
            Some(PropertyValue::Null) => None,
            Some(value) => Some(value),
            None => self.value(name),
        }
    }

    /// All properties that a form really has, the base's first (P72).
    pub fn effective<'c>(&'c self, form: Option<&'c Alternate>) -> Vec<(&'c Str, &'c PropertyValue)> {
        let own = form
            .map(|alternate| alternate.properties.as_slice())
            .unwrap_or_default();
        let inherited = self.properties.iter().map(|property| {
            let replaced = find(own, &property.name);
            (&property.name.value, replaced.unwrap_or(&property.value))
        });
        let added = own
            .iter()
            .filter(|property| find(&self.properties, &property.name).is_none());
        let added = added.map(|property| (&property.name.value, &property.value.value));
        inherited
            .chain(added)
            .filter(|(_, value)| **value != PropertyValue::Null)
            .collect()
    }

    /// The name of a form's picture, without extension (P76).
    pub fn picture_name(&self, form: Option<&Alternate>) -> String {
        match form {
            None => self.raw_id.to_string(),
            Some(alternate) => format!("{}.{}", self.raw_id, *alternate.kind),
        }
    }
}

fn find<'p>(properties: &'p [CardProperty], name: &str) -> Option<&'p PropertyValue> {
    let found = properties.iter().find(|property| *property.name == name);
    found.map(|property| &property.value.value)
}

/// What readers of parts of a set need.
struct Ctx<'a> {
    /// Names of properties with formatted text.
    rich: Vec<&'a str>,
    limits: &'a PackageLimits,
    report: &'a mut FileReport,
}

/// The most properties of one form; real definitions have up to 36.
const MAX_PROPERTIES: usize = 1000;

/// The wrappers in the order that the schema demands (P5).
const WRAPPERS: [&str; 3] = ["packaging", "markers", "cards"];

/// Reads a set; whatever is missing has its default. Nothing where the root is another element.
pub(crate) fn read(
    tree: &XmlTree,
    folder: &str,
    definition: &Definition,
    limits: &PackageLimits,
    report: &mut FileReport,
) -> Option<PackageSet> {
    let mut set = PackageSet {
        file: report.file,
        folder: Str::from(folder),
        ..PackageSet::default()
    };
    let root = tree.root()?;
    if !is_set(root, report) {
        return None;
    }
    let rich = definition
        .properties
        .iter()
        .filter(|property| property.kind == PropertyKind::RichText);
    let mut ctx = Ctx {
        rich: rich.map(|property| property.name.as_str()).collect(),
        limits,
        report,
    };
    set_attributes(root, &mut set, ctx.report);
    wrappers(root, ctx.report);
    for element in root.descendants() {
        match element.name() {
            "card" if set.cards.len() < limits.cards => {
                let card = card(element, &mut ctx);
                set.cards.push(card);
            }
            "pack" => {
                let pack = pack(element, &mut ctx);
                set.packs.push(pack);
            }
            "marker" => set.markers.extend(marker(element, ctx.report)),
            _ => {}
        }
    }
    Some(set)
}

/// Says whether the outermost element is a `set`, and reports another name or a namespace (PK006, P1).
fn is_set(root: XmlElement<'_>, report: &mut FileReport) -> bool {
    let named = root.name() == "set";
    if !named {
        let message = format!("the outermost element is `{}`, not `set`", clipped(root.name()));
        report.add(report.error(PK006, root.name_span(), message));
    }
    let namespace = root.attribute("xmlns");
    if let Some(namespace) = namespace {
        let help = "remove `xmlns`: OCTGN looks for `set` without a namespace";
        let message = "the outermost element has a namespace";
        report.add(report.error(PK006, namespace.span(), message).help(help));
    }
    named
}

fn set_attributes(root: XmlElement<'_>, set: &mut PackageSet, report: &mut FileReport) {
    let known = [
        "name",
        "id",
        "gameId",
        "version",
        "gameVersion",
        "hidden",
        "shortName",
        "description",
        "releaseDate",
    ];
    known_attributes(root, &known, report);
    set.place = FilePlace(root.tag_span());
    set.name = required(root, "name", report).unwrap_or_default();
    visible_name("set", &set.name, report);
    set.id = guid(root, "id", GuidRules::Set, report);
    set.raw_id = optional(root, "id").map(|id| id.value).unwrap_or_default();
    set.game_id = guid(root, "gameId", GuidRules::Set, report);
    let mut number = |name| {
        root.attribute(name)
            .and_then(|attribute| version(attribute, 2..=4, report))
    };
    set.version = number("version");
    set.game_version = number("gameVersion");
    set.hidden = hidden(root, report);
    set.short_name = optional(root, "shortName");
    set.description = optional(root, "description");
    set.release_date = optional(root, "releaseDate");
    if let Some(date) = &set.release_date
        && !crate::schema::is_date(date)
    {
        let help = "write the date as 2020-12-31";
        let message = format!(
            "`{}` means another day, or none, on another computer",
            clipped(date)
        );
        report.add(report.warning(PK116, date.span(), message).help(help));
    }
}

/// Reads whether the set is hidden, and reports spellings that a program refuses (P16, PK113).
fn hidden(root: XmlElement<'_>, report: &mut FileReport) -> bool {
    let Some(attribute) = root.attribute("hidden") else {
        return false;
    };
    let text = attribute.value();
    let span = attribute.value_span();
    let (value, finding) = match text.as_str() {
        "true" => return true,
        "false" => return false,
        "1" | "0" => {
            let message = format!("OCTGN cannot read `{text}` here and drops the whole set");
            (text == "1", report.error(PK113, span, message))
        }
        other => match other.trim().to_ascii_lowercase().as_str() {
            "true" => (
                true,
                report.warning(PK113, span, "o8build refuses this spelling of `true`"),
            ),
            "false" => (
                false,
                report.warning(PK113, span, "o8build refuses this spelling of `false`"),
            ),
            _ => {
                let message = format!("`{}` is not `true` or `false`", clipped(other));
                report.add(report.error(PK113, span, message));
                return false;
            }
        },
    };
    let fix = replace(report, span, value.to_string(), Safety::Safe);
    report.add(finding.fix(fix));
    value
}

/// PK007 and PK009 for what stands directly in the root and in the wrappers.
fn wrappers(root: XmlElement<'_>, report: &mut FileReport) {
    let mut last = 0;
    let mut seen = [false; 3];
    for child in root.children() {
        let Child::Element(element) = child else {
            stray_text("set", child, report);
            continue;
        };
        let name = element.name();
        let Some(position) = WRAPPERS.iter().position(|wrapper| *wrapper == name) else {
            match name {
                "card" | "pack" | "marker" => unwrapped(element, report),
                _ => unknown_element(element, "set", &WRAPPERS, report),
            }
            continue;
        };
        if seen[position] {
            let message = format!("second `{name}`; o8build wants one");
            report.add(report.warning(PK009, element.name_span(), message));
        } else if position < last {
            let message = format!(
                "`{name}` after `{}`; o8build wants packaging, markers, cards",
                WRAPPERS[last]
            );
            report.add(report.warning(PK009, element.name_span(), message));
        }
        seen[position] = true;
        last = last.max(position);
        let item = ["pack", "marker", "card"][position];
        // P244: o8build warns of the element, whatever is in it.
        if name == "markers" && element.elements().next().is_none() {
            let message = "markers in sets are obsolete; this empty element can go";
            report.add(report.hint(PK101, element.name_span(), message));
        }
        known_attributes(element, &[], report);
        for inner in element.children() {
            match inner {
                Child::Element(inner) if inner.name() == item => {}
                Child::Element(inner) if ["pack", "marker", "card"].contains(&inner.name()) => {
                    unwrapped(inner, report);
                }
                Child::Element(inner) => unknown_element(inner, name, &[item], report),
                Child::Text(_) | Child::Blank(_) | Child::Comment(_) => stray_text(name, inner, report),
            }
        }
    }
}

fn unwrapped(element: XmlElement<'_>, report: &mut FileReport) {
    let wrapper = match element.name() {
        "card" => "cards",
        "pack" => "packaging",
        _ => "markers",
    };
    let message = format!("`{}` outside of `{wrapper}`; o8build refuses it", element.name());
    report.add(report.warning(PK009, element.name_span(), message));
}

/// Reports an element that does not belong where it stands (PK007, P6).
fn unknown_element(element: XmlElement<'_>, parent: &str, known: &[&str], report: &mut FileReport) {
    let name = element.name();
    let message = format!(
        "`{}` does not belong in `{parent}`; OCTGN ignores it",
        clipped(name)
    );
    let mut finding = report.warning(PK007, element.name_span(), message);
    finding.help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    report.add(finding);
}

/// PK007 for text between elements where none is read.
fn stray_text(parent: &str, child: Child<'_>, report: &mut FileReport) {
    if let Child::Text(text) = child
        && !text.value().trim().is_empty()
    {
        let message = format!("text directly in `{parent}`; OCTGN ignores it");
        report.add(report.warning(PK007, text.trimmed_span(), message));
    }
}

fn card(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> PackageCard {
    known_attributes(element, &["id", "name", "size"], ctx.report);
    let mut card = PackageCard {
        id: guid(element, "id", GuidRules::Set, ctx.report),
        raw_id: optional(element, "id").map(|id| id.value).unwrap_or_default(),
        name: required(element, "name", ctx.report).unwrap_or_default(),
        size: optional(element, "size"),
        properties: Vec::with_capacity(element.elements().count().min(MAX_PROPERTIES)),
        alternates: Vec::new(),
        place: FilePlace(element.tag_span()),
    };
    visible_name("card", &card.name, ctx.report);
    for child in element.children() {
        match child {
            Child::Element(inner) => match inner.name() {
                "property" if card.properties.len() < MAX_PROPERTIES => {
                    if let Some(property) = property(inner, ctx) {
                        card.properties.push(property);
                    }
                }
                "property" => {
                    let message = format!("more than {MAX_PROPERTIES} properties; this one is not read");
                    ctx.report
                        .add(ctx.report.error(PK005, inner.name_span(), message));
                }
                "alternate" => alternate(inner, &mut card, ctx),
                _ => unknown_element(inner, "card", &["property", "alternate"], ctx.report),
            },
            Child::Comment(span) => {
                let help = "move it before or after the card";
                let message = "o8build crashes on a comment directly inside `card`";
                ctx.report
                    .add(ctx.report.warning(PK007, span, message).help(help));
            }
            Child::Text(_) | Child::Blank(_) => stray_text("card", child, ctx.report),
        }
    }
    card
}

fn alternate(element: XmlElement<'_>, card: &mut PackageCard, ctx: &mut Ctx<'_>) {
    if card.alternates.len() >= ctx.limits.alternates {
        if card.alternates.len() == ctx.limits.alternates {
            let message = format!(
                "more than {} alternates; the rest is not read",
                ctx.limits.alternates
            );
            ctx.report
                .add(ctx.report.error(PK005, element.name_span(), message));
        }
        return;
    }
    known_attributes(element, &["name", "type", "size"], ctx.report);
    let kind = optional(element, "type");
    if kind.as_ref().is_none_or(|kind| kind.is_empty()) {
        let span = kind.as_ref().map_or(element.name_span(), |_| element.tag_span());
        let message = "alternate without `type`: OCTGN drops the whole set";
        ctx.report.add(ctx.report.error(PK050, span, message));
    }
    let position = card.alternates.len();
    card.alternates.push(Alternate {
        name: required(element, "name", ctx.report).unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        size: optional(element, "size"),
        properties: Vec::new(),
        place: FilePlace(element.tag_span()),
    });
    for child in element.children() {
        match child {
            Child::Element(inner) => match inner.name() {
                "property" if card.alternates[position].properties.len() < MAX_PROPERTIES => {
                    let property = property(inner, ctx);
                    card.alternates[position].properties.extend(property);
                }
                // P42: the client finds it and makes it another form of the same card.
                "alternate" => {
                    let message = "alternate inside an alternate; o8build refuses it";
                    ctx.report
                        .add(ctx.report.warning(PK054, inner.name_span(), message));
                    alternate(inner, card, ctx);
                }
                _ => unknown_element(inner, "alternate", &["property"], ctx.report),
            },
            Child::Comment(span) => {
                let message = "o8build refuses a comment directly inside `alternate`";
                ctx.report.add(ctx.report.warning(PK007, span, message));
            }
            Child::Text(_) | Child::Blank(_) => stray_text("alternate", child, ctx.report),
        }
    }
}

/// A property of a card, an alternate or an include (P44, P46, P47).
fn property(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> Option<CardProperty> {
    let mut attributes = element.attributes();
    let usual = match (attributes.next(), attributes.next(), attributes.next()) {
        (Some(first), None, None) if first.name() == "name" => Some((first, None)),
        (Some(first), Some(second), None) if first.name() == "name" && second.name() == "value" => {
            Some((first, Some(second)))
        }
        _ => None,
    };
    let (name, attribute) = match usual {
        Some((name, value)) => (located(name), value),
        None => {
            known_attributes(element, &["name", "value"], ctx.report);
            let name = required(element, "name", ctx.report)?;
            (name, element.attribute("value"))
        }
    };
    let value = value(element, attribute, &name, ctx);
    Some(CardProperty {
        name,
        value,
        place: FilePlace(element.tag_span()),
    })
}

fn value(
    element: XmlElement<'_>,
    attribute: Option<XmlAttribute<'_>>,
    name: &str,
    ctx: &mut Ctx<'_>,
) -> LocatedValue<PropertyValue> {
    let from_attribute = || attribute.map(|found| LocatedValue::new(found.value(), found.value_span()));
    let is_rich = ctx.rich.contains(&name);
    let as_value = |text: Str| match is_rich {
        true => PropertyValue::Rich(Box::new(RichText::plain_text(text))),
        false => PropertyValue::Text(text),
    };
    if element.is_empty_tag() {
        return match from_attribute() {
            Some(text) => LocatedValue::new(as_value(text.value), text.place.0),
            None => LocatedValue::new(PropertyValue::Null, element.tag_span()),
        };
    }
    let inner_span = cw_text::Span::between(element.tag_span().end, element.span().end);
    let inner = if is_rich {
        rich::read(element, ctx.report).map(|rich| PropertyValue::Rich(Box::new(rich)))
    } else {
        let text = element.inner_text();
        if let Some(markup) = element.elements().next() {
            let message = format!("`{}` is not of type RichText: markup is stripped", clipped(name));
            ctx.report
                .add(ctx.report.warning(PK039, markup.name_span(), message));
        }
        Some(PropertyValue::Text(text))
    };
    let has_text = inner
        .as_ref()
        .and_then(PropertyValue::plain)
        .is_some_and(|text| !text.is_empty());
    match from_attribute() {
        Some(_) if has_text => {
            let span = attribute.map_or(element.name_span(), crate::xml::XmlAttribute::span);
            let message = "value in an attribute and inside: OCTGN takes the inner, o8build refuses it";
            ctx.report.add(ctx.report.warning(PK033, span, message));
            LocatedValue::new(inner.unwrap_or_default(), inner_span)
        }
        Some(text) => {
            let end_tag = cw_text::TextEdit {
                file: ctx.report.file,
                span: cw_text::Span::between(element.tag_span().end - 1, element.span().end),
                text: "/>".to_owned(),
            };
            let fix = cw_text::FindingFix {
                title: "close the tag with `/>`".to_owned(),
                safety: Safety::Safe,
                edits: vec![end_tag],
            };
            let message = "OCTGN ignores the value of a tag that is closed by an end tag";
            let finding = ctx.report.warning(PK034, text.span(), message);
            // What stands inside would go with it.
            let is_empty = element.elements().next().is_none();
            ctx.report.add(if is_empty { finding.fix(fix) } else { finding });
            LocatedValue::new(as_value(text.value), text.place.0)
        }
        None => LocatedValue::new(inner.unwrap_or_default(), inner_span),
    }
}

fn pack(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> PackDefinition {
    known_attributes(element, &["name", "id"], ctx.report);
    let mut pack = PackDefinition {
        id: guid(element, "id", GuidRules::Set, ctx.report),
        name: required(element, "name", ctx.report).unwrap_or_default(),
        includes: Vec::new(),
        items: Vec::new(),
        place: FilePlace(element.tag_span()),
    };
    visible_name("pack", &pack.name, ctx.report);
    for child in element.children() {
        let Child::Element(inner) = child else {
            stray_text("pack", child, ctx.report);
            continue;
        };
        match inner.name() {
            "include" => pack.includes.extend(include(inner, ctx)),
            "pick" => pack.items.extend(pick(inner, ctx).map(PackItem::Pick)),
            "options" => pack.items.push(PackItem::Options(options(inner, 1, ctx))),
            _ => unknown_element(inner, "pack", &["include", "pick", "options"], ctx.report),
        }
    }
    if pack.items.is_empty() && pack.includes.is_empty() {
        let message = format!("pack `{}` is empty", clipped(&pack.name));
        ctx.report
            .add(ctx.report.warning(PK085, element.name_span(), message));
    }
    pack
}

fn include(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> Option<Include> {
    known_attributes(element, &["id", "set"], ctx.report);
    let mut include = Include {
        id: guid(element, "id", GuidRules::Set, ctx.report),
        set: guid(element, "set", GuidRules::Set, ctx.report),
        properties: Vec::new(),
        place: FilePlace(element.tag_span()),
    };
    for inner in element.elements() {
        match inner.name() {
            "property" => include.properties.extend(property(inner, ctx)),
            _ => unknown_element(inner, "include", &["property"], ctx.report),
        }
    }
    Some(include)
}

fn pick(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> Option<PackPick> {
    known_attributes(element, &["qty", "key", "value"], ctx.report);
    let quantity = quantity(element, ctx);
    let mut criteria: Vec<Criterion> = criterion(element, ctx.report).into_iter().collect();
    for inner in element.elements() {
        if inner.name() == "property" {
            known_attributes(inner, &["key", "value"], ctx.report);
            criteria.extend(criterion(inner, ctx.report));
        } else {
            unknown_element(inner, "pick", &["property"], ctx.report);
        }
    }
    Some(PackPick {
        quantity,
        criteria,
        place: FilePlace(element.tag_span()),
    })
}

fn criterion(element: XmlElement<'_>, report: &mut FileReport) -> Option<Criterion> {
    let key = required(element, "key", report);
    let value = required(element, "value", report);
    Some(Criterion {
        key: key?,
        value: value?,
    })
}

/// Reads how many cards a pick takes: a whole number or `unlimited` (P17; PK073, PK074, PK075).
fn quantity(element: XmlElement<'_>, ctx: &mut Ctx<'_>) -> LocatedValue<PickQuantity> {
    let report = &mut *ctx.report;
    let Some(attribute) = element.attribute("qty") else {
        // D63: the client's default.
        let message = "`pick` without attribute `qty` picks nothing";
        report.add(report.warning(PK010, element.name_span(), message));
        return LocatedValue::new(PickQuantity::Count(0), element.name_span());
    };
    let text = attribute.value();
    let span = attribute.value_span();
    if text == "unlimited" {
        return LocatedValue::new(PickQuantity::Unlimited, span);
    }
    let Some(number) = whole_number(&text) else {
        let message = format!("`{}` is neither a whole number nor `unlimited`", clipped(&text));
        let mut finding = report.error(PK074, span, message);
        if text.trim().eq_ignore_ascii_case("unlimited") {
            finding = finding.fix(replace(report, span, "unlimited", Safety::Safe));
        }
        report.add(finding);
        let meant = text.trim().eq_ignore_ascii_case("unlimited");
        return LocatedValue::new(
            if meant {
                PickQuantity::Unlimited
            } else {
                PickQuantity::Count(0)
            },
            span,
        );
    };
    let quantity = match u32::try_from(number) {
        Err(_) => {
            let message = "a negative quantity means `unlimited`";
            let fix = replace(report, span, "unlimited", Safety::Safe);
            report.add(report.warning(PK075, span, message).fix(fix));
            PickQuantity::Unlimited
        }
        Ok(0) => {
            report.add(report.hint(PK073, span, "quantity 0 picks nothing"));
            PickQuantity::Count(0)
        }
        Ok(count) if count > ctx.limits.quantity => {
            let message = format!("quantity larger than {}", ctx.limits.quantity);
            report.add(report.error(PK005, span, message));
            PickQuantity::Count(ctx.limits.quantity)
        }
        Ok(count) => PickQuantity::Count(count),
    };
    LocatedValue::new(quantity, span)
}

fn options(element: XmlElement<'_>, depth: usize, ctx: &mut Ctx<'_>) -> PackOptions {
    known_attributes(element, &[], ctx.report);
    let mut options = PackOptions {
        options: Vec::new(),
        place: FilePlace(element.tag_span()),
    };
    if depth > ctx.limits.options_depth {
        let message = format!(
            "options nested deeper than {}; the rest is not read",
            ctx.limits.options_depth
        );
        ctx.report
            .add(ctx.report.error(PK005, element.name_span(), message));
        return options;
    }
    if depth == 4 {
        let message = "options nested deeper than 3 are hard to follow";
        ctx.report
            .add(ctx.report.hint(PK086, element.name_span(), message));
    }
    for child in element.children() {
        match child {
            Child::Element(inner) if inner.name() == "option" => {
                options.options.push(option(inner, depth, ctx));
            }
            Child::Element(inner) => unknown_element(inner, "options", &["option"], ctx.report),
            Child::Text(_) | Child::Blank(_) | Child::Comment(_) => stray_text("options", child, ctx.report),
        }
    }
    if options.options.is_empty() {
        ctx.report.add(ctx.report.warning(
            PK085,
            element.name_span(),
            "options without `option` yield nothing",
        ));
    }
    options
}

fn option(element: XmlElement<'_>, depth: usize, ctx: &mut Ctx<'_>) -> PackOption {
    known_attributes(element, &["probability"], ctx.report);
    let mut option = PackOption {
        probability: probability(element, ctx.report),
        items: Vec::new(),
        place: FilePlace(element.tag_span()),
    };
    for child in element.children() {
        let Child::Element(inner) = child else {
            stray_text("option", child, ctx.report);
            continue;
        };
        match inner.name() {
            "pick" => option.items.extend(pick(inner, ctx).map(PackItem::Pick)),
            "options" => option
                .items
                .push(PackItem::Options(options(inner, depth + 1, ctx))),
            _ => unknown_element(inner, "option", &["pick", "options"], ctx.report),
        }
    }
    option
}

/// P18: PK081, PK082; missing is 1 with PK010 as a warning (D63).
fn probability(element: XmlElement<'_>, report: &mut FileReport) -> LocatedValue<Probability> {
    let Some(attribute) = element.attribute("probability") else {
        let message = "`option` without attribute `probability` counts as 1";
        report.add(report.warning(PK010, element.name_span(), message));
        return LocatedValue::new(Probability::ONE, element.name_span());
    };
    let text = attribute.value();
    let span = attribute.value_span();
    match Probability::parse(&text) {
        Ok(number) => {
            if text.contains(',') {
                let meant = text.replace(',', ".");
                let message = format!(
                    "OCTGN reads `{}` as {number}: the comma separates thousands",
                    clipped(&text)
                );
                let fix = replace(report, span, meant, Safety::Unsafe);
                report.add(report.error(PK082, span, message).fix(fix));
            }
            LocatedValue::new(number, span)
        }
        Err(_) => {
            let message = format!("`{}` is not a number", clipped(&text));
            let mut finding = report.error(PK081, span, message);
            let percent = text
                .trim()
                .strip_suffix('%')
                .map(|number| Probability::parse(&format!("{number}e-2")));
            if let Some(Ok(meant)) = percent {
                finding = finding.fix(replace(report, span, meant.to_string(), Safety::Unsafe));
            }
            report.add(finding);
            LocatedValue::new(Probability::ONE, span)
        }
    }
}

fn marker(element: XmlElement<'_>, report: &mut FileReport) -> Option<SetMarker> {
    known_attributes(element, &["name", "id"], report);
    let name = required(element, "name", report);
    guid(element, "id", GuidRules::Set, report);
    Some(SetMarker {
        id: optional(element, "id")?,
        name: name.unwrap_or_default(),
        place: FilePlace(element.tag_span()),
    })
}
