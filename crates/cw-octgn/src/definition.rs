use cw_text::{FileId, Safety, Span};

use crate::codes::{PK006, PK010, PK056, PK057, PK058, PK112, PK115, PK153};
use crate::read::{
    GuidRules, clipped, guid, known_attributes, located, optional, replace, required, version,
};
use crate::report::FileReport;
use crate::xml::{XmlElement, XmlTree};
use crate::{FilePlace, Guid, LocatedValue, Str, Version};

/// What a package's `definition.xml` says about its cards and decks (section 2 of the package rules).
///
/// Only what sets, decks and checks rely on; the rest of the file is not interpreted (P59).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Definition {
    /// The file it was read from.
    pub file: FileId,
    /// The game's identity; nil if it cannot be read.
    pub id: LocatedValue<Guid>,
    /// The id as written: the package's id in archives (P145).
    pub raw_id: Str,
    /// Name of the game.
    pub name: LocatedValue<Str>,
    /// Version of the package.
    pub version: Option<LocatedValue<Version>>,
    /// Least version of OCTGN.
    pub octgn_version: Option<LocatedValue<Version>>,
    /// Version of OCTGN's script interface.
    pub script_version: Option<LocatedValue<Version>>,
    /// Authors, separated by commas.
    pub authors: Str,
    /// Tags, separated by blanks.
    pub tags: Str,
    /// What the game is about.
    pub description: Str,
    /// Home page.
    pub game_url: Str,
    /// Where sets are found.
    pub sets_url: Str,
    /// Picture of the game.
    pub icon_url: Str,
    /// Measures of a marker; 25 if not given.
    pub marker_size: Str,
    /// The default card (P53).
    pub card: CardSize,
    /// Other card sizes (P54).
    pub sizes: Vec<CardSize>,
    /// Custom properties in order (P55).
    pub properties: Vec<PropertyDefinition>,
    /// Symbols of rich text (P57).
    pub symbols: Vec<SymbolDefinition>,
    /// Markers (P57).
    pub markers: Vec<MarkerDefinition>,
    /// Sections of a deck, then those of the shared deck (P58).
    pub sections: Vec<SectionDefinition>,
    /// Names of the players' piles.
    pub groups: Vec<Str>,
    /// Names of the shared piles.
    pub shared_groups: Vec<Str>,
    /// What only a table needs: piles, counters, boards, phases, actions (F1).
    pub tabletop: crate::Tabletop,
    /// Every file that the definition names (P158).
    pub references: Vec<FileReference>,
    /// Every function of a script that events and actions name (P159).
    pub functions: Vec<LocatedValue<Str>>,
    /// The root element's start tag.
    pub place: FilePlace,
}

/// Measures and pictures of a kind of card, lengths in millimetres (P53, P54).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CardSize {
    /// The key that sets use.
    pub name: LocatedValue<Str>,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Radius of the corners.
    pub corner_radius: f64,
    /// Path of the picture of an unknown face.
    pub front: Option<LocatedValue<Str>>,
    /// Path of the picture of the back.
    pub back: Option<LocatedValue<Str>>,
    /// Where it stands.
    pub place: FilePlace,
}

/// A custom property of cards (P55).
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyDefinition {
    /// Its name, exact case.
    pub name: LocatedValue<Str>,
    /// What its values are.
    pub kind: PropertyKind,
    /// How filters treat its values.
    pub text_kind: TextKind,
    /// Whether it is hidden from tables, filters and tooltips.
    pub hidden: bool,
    /// Whether quick search skips it.
    pub ignore_text: bool,
    /// Where it stands.
    pub place: FilePlace,
}

/// Type of a property (P55).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum PropertyKind {
    /// Text.
    #[default]
    String,
    /// Text that should be a whole number.
    Integer,
    /// Text that should be one character.
    Char,
    /// Formatted text.
    RichText,
}

/// How a filter splits values (P59f).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum TextKind {
    /// Any text.
    #[default]
    Free,
    /// One of a few values.
    Enum,
    /// Several values with the delimiter between.
    Tokens(Str),
}

/// A symbol of rich text (P57).
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolDefinition {
    /// Its id, compared as text.
    pub id: LocatedValue<Str>,
    /// Its name.
    pub name: Str,
    /// Path of its picture.
    pub source: Str,
}

/// A marker of the definition (P57).
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerDefinition {
    /// Its id, compared as text.
    pub id: LocatedValue<Str>,
    /// Its name: the label on hover (D61).
    pub name: Str,
    /// Path of its picture.
    pub source: Str,
    /// Where it stands.
    pub place: FilePlace,
}

/// A section of decks (P58).
#[derive(Clone, Debug, PartialEq)]
pub struct SectionDefinition {
    /// Its name.
    pub name: LocatedValue<Str>,
    /// The pile it is loaded into.
    pub group: Str,
    /// Whether it belongs to the shared deck.
    pub shared: bool,
}

/// A path in the definition (P158).
#[derive(Clone, Debug, PartialEq)]
pub struct FileReference {
    /// The element that names it.
    pub element: Str,
    /// The attribute.
    pub attribute: Str,
    /// The path as written.
    pub path: LocatedValue<Str>,
}

impl Definition {
    /// The property of this exact name (P55).
    pub fn property(&self, name: &str) -> Option<&PropertyDefinition> {
        self.properties.iter().find(|property| *property.name == name)
    }

    /// The symbol with this id; the first if there are several.
    pub fn symbol(&self, id: &str) -> Option<&SymbolDefinition> {
        self.symbols.iter().find(|symbol| *symbol.id == id)
    }

    /// The section of this exact name.
    pub fn section(&self, name: &str, shared: bool) -> Option<&SectionDefinition> {
        self.sections
            .iter()
            .find(|section| *section.name == name && section.shared == shared)
    }
}

/// Elements and attributes that name files (P158).
const FILE_ATTRIBUTES: [(&str, &str); 20] = [
    ("script", "src"),
    ("font", "src"),
    ("symbol", "src"),
    ("marker", "src"),
    ("sound", "src"),
    ("gameboards", "src"),
    ("gameboard", "src"),
    ("document", "src"),
    ("document", "icon"),
    ("proxygen", "definitionsrc"),
    ("group", "icon"),
    ("hand", "icon"),
    ("counter", "icon"),
    ("phase", "icon"),
    ("gameMode", "image"),
    ("card", "front"),
    ("card", "back"),
    ("size", "front"),
    ("size", "back"),
    ("table", "background"),
];

/// Names that o8build reserves since March 2026, whatever their case (P56).
const RESERVED: [&str; 6] = ["name", "id", "alternate", "size", "type", "set"];

/// Reads a definition; whatever is missing has its default.
pub(crate) fn read(tree: &XmlTree, report: &mut FileReport) -> Definition {
    let mut definition = Definition {
        file: report.file,
        ..Definition::default()
    };
    let Some(root) = tree.root() else {
        return definition;
    };
    if root.name() != "game" {
        let message = format!("the outermost element is `{}`, not `game`", clipped(root.name()));
        report.add(report.error(PK006, root.name_span(), message));
        return definition;
    }
    definition.place = FilePlace(root.tag_span());
    game(root, &mut definition, report);
    for child in root.elements() {
        match child.name() {
            "card" => card(child, &mut definition, report),
            "symbols" => symbols(child, &mut definition, report),
            "markers" => markers(child, &mut definition, report),
            "deck" => sections(child, false, &mut definition, report),
            "sharedDeck" => sections(child, true, &mut definition, report),
            "player" => definition.groups = groups(child),
            "shared" => definition.shared_groups = groups(child),
            _ => {}
        }
    }
    definition.tabletop = crate::tabletop::read(root);
    definition.references = references(root);
    definition.functions = functions(root);
    crate::schema::check_definition(root, report);
    duplicates(&definition, report);
    groups_exist(&definition, report);
    definition
}

fn game(root: XmlElement<'_>, definition: &mut Definition, report: &mut FileReport) {
    definition.id = guid(root, "id", GuidRules::Definition, report);
    definition.raw_id = optional(root, "id").map(|id| id.value).unwrap_or_default();
    definition.name = required(root, "name", report).unwrap_or_default();
    if root.attribute("version").is_none() {
        crate::read::missing(root, "version", report);
    }
    let mut number = |name| {
        root.attribute(name)
            .and_then(|attribute| version(attribute, 4..=4, report))
    };
    definition.version = number("version");
    definition.octgn_version = number("octgnVersion");
    definition.script_version = number("scriptVersion");
    let text = |name| optional(root, name).map(|found| found.value).unwrap_or_default();
    definition.authors = text("authors");
    definition.tags = text("tags");
    definition.description = text("description");
    definition.game_url = text("gameurl");
    definition.sets_url = text("setsurl");
    definition.icon_url = text("iconurl");
    definition.marker_size = text("markersize");
    for name in ["usetwosidedtable", "changetwosidedtable"] {
        boolean(root, name, true, report);
    }
}

/// A boolean of the definition is exactly `True` or `False` (P52, PK112).
fn boolean(element: XmlElement<'_>, name: &str, default: bool, report: &mut FileReport) -> bool {
    let Some(attribute) = element.attribute(name) else {
        return default;
    };
    let text = attribute.value();
    match text.as_str() {
        "True" => true,
        "False" => false,
        other => {
            let meant = match other.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" => Some(true),
                "false" | "0" | "no" => Some(false),
                _ => None,
            };
            let span = attribute.value_span();
            let message = format!("`{}` is not `True` or `False`", clipped(other));
            let mut finding = report.error(PK112, span, message);
            if let Some(meant) = meant {
                let text = if meant { "True" } else { "False" };
                finding = finding.fix(replace(report, span, text, Safety::Safe));
            }
            report.add(finding);
            meant.unwrap_or(default)
        }
    }
}

fn size(element: XmlElement<'_>, default_name: &str) -> CardSize {
    let measure = |name: &str, default: f64| {
        let text = element.attribute(name).map(Attributed::value);
        text.and_then(|text| text.trim().parse::<f64>().ok())
            .filter(|number| number.is_finite())
            .unwrap_or(default)
    };
    CardSize {
        name: optional(element, "name")
            .unwrap_or_else(|| LocatedValue::new(Str::from(default_name), element.name_span())),
        width: measure("width", 0.0),
        height: measure("height", 0.0),
        corner_radius: measure("cornerRadius", 0.0),
        front: optional(element, "front"),
        back: optional(element, "back"),
        place: FilePlace(element.tag_span()),
    }
}

use crate::xml::XmlAttribute as Attributed;

fn card(element: XmlElement<'_>, definition: &mut Definition, report: &mut FileReport) {
    definition.card = size(element, "Default");
    for child in element.elements() {
        match child.name() {
            "property" => property(child, definition, report),
            "size" => {
                if child.attribute("name").is_none() {
                    crate::read::missing(child, "name", report);
                }
                definition.sizes.push(size(child, ""));
            }
            _ => {}
        }
    }
}

fn property(element: XmlElement<'_>, definition: &mut Definition, report: &mut FileReport) {
    let known = ["name", "type", "textKind", "delimiter", "hidden", "ignoreText"];
    known_attributes(element, &known, report);
    let Some(name) = required(element, "name", report) else {
        return;
    };
    let delimiter = optional(element, "delimiter").map_or_else(|| Str::from(" "), |found| found.value);
    let kind = match required(element, "type", report) {
        None => PropertyKind::String,
        Some(kind) => match kind.as_str() {
            "String" => PropertyKind::String,
            "Integer" => PropertyKind::Integer,
            "Char" => PropertyKind::Char,
            "RichText" => PropertyKind::RichText,
            other => {
                unknown_word(other, &kind, &["String", "Integer", "Char", "RichText"], report);
                PropertyKind::String
            }
        },
    };
    let text_kind = match optional(element, "textKind") {
        None => TextKind::Free,
        Some(text_kind) => match text_kind.as_str() {
            "Free" => TextKind::Free,
            "Enum" => TextKind::Enum,
            "Tokens" => TextKind::Tokens(delimiter),
            other => {
                unknown_word(other, &text_kind, &["Free", "Enum", "Tokens"], report);
                TextKind::Free
            }
        },
    };
    definition.properties.push(PropertyDefinition {
        name,
        kind,
        text_kind,
        hidden: boolean(element, "hidden", false, report),
        ignore_text: boolean(element, "ignoreText", false, report),
        place: FilePlace(element.tag_span()),
    });
}

/// A word that the schema does not list: nothing can be made of the attribute, as if it were missing.
fn unknown_word(word: &str, at: &LocatedValue<Str>, known: &[&str], report: &mut FileReport) {
    let message = format!("`{}` is none of {}", clipped(word), known.join(", "));
    let mut finding = report.error(PK010, at.span(), message);
    if let Some(near) = cw_text::nearest(word, known.iter().copied()) {
        finding = finding.help(format!("did you mean `{near}`?"));
        finding = finding.fix(replace(report, at.span(), near, Safety::Safe));
    }
    report.add(finding);
}

fn symbols(element: XmlElement<'_>, definition: &mut Definition, report: &mut FileReport) {
    for child in element.elements().filter(|child| child.name() == "symbol") {
        let id = required(child, "id", report);
        let name = required(child, "name", report);
        let source = required(child, "src", report);
        if let (Some(id), Some(name)) = (id, name) {
            definition.symbols.push(SymbolDefinition {
                id,
                name: name.value,
                source: source.map(|source| source.value).unwrap_or_default(),
            });
        }
    }
}

fn markers(element: XmlElement<'_>, definition: &mut Definition, report: &mut FileReport) {
    for child in element.elements().filter(|child| child.name() == "marker") {
        let id = required(child, "id", report);
        let name = required(child, "name", report);
        let source = required(child, "src", report);
        for name in ["showCount", "canDrag"] {
            boolean(child, name, true, report);
        }
        if let (Some(id), Some(name)) = (id, name) {
            definition.markers.push(MarkerDefinition {
                id,
                name: name.value,
                source: source.map(|source| source.value).unwrap_or_default(),
                place: FilePlace(child.tag_span()),
            });
        }
    }
}

fn sections(element: XmlElement<'_>, shared: bool, definition: &mut Definition, report: &mut FileReport) {
    for child in element.elements().filter(|child| child.name() == "section") {
        let name = required(child, "name", report);
        let group = required(child, "group", report);
        if let Some(name) = name {
            definition.sections.push(SectionDefinition {
                name,
                group: group.map(|group| group.value).unwrap_or_default(),
                shared,
            });
        }
    }
}

fn groups(element: XmlElement<'_>) -> Vec<Str> {
    let piles = element
        .elements()
        .filter(|child| matches!(child.name(), "group" | "hand"));
    piles
        .filter_map(|pile| optional(pile, "name"))
        .map(|name| name.value)
        .collect()
}

fn references(root: XmlElement<'_>) -> Vec<FileReference> {
    let mut found = Vec::new();
    for element in root.descendants() {
        for (name, attribute) in FILE_ATTRIBUTES {
            if element.name() != name {
                continue;
            }
            let named = element.attribute(attribute);
            let Some(path) = named.map(located) else {
                continue;
            };
            found.push(FileReference {
                element: Str::from(name),
                attribute: Str::from(attribute),
                path,
            });
        }
    }
    found
}

/// Functions that events and actions name.
fn functions(root: XmlElement<'_>) -> Vec<LocatedValue<Str>> {
    let mut found = Vec::new();
    for element in root.descendants() {
        let names: &[&str] = match element.name() {
            "event" => &["action"],
            "cardaction" | "groupaction" | "cardactions" | "groupactions" | "cardseparator"
            | "groupseparator" => &["execute", "batchExecute", "showIf", "getName"],
            _ => continue,
        };
        let named = names
            .iter()
            .filter_map(|name| element.attribute(name))
            .map(located);
        found.extend(named.filter(|function| !function.trim().is_empty()));
    }
    found
}

/// Reports names that are defined twice, differ only in case or are reserved (PK056, PK057, PK058).
fn duplicates(definition: &Definition, report: &mut FileReport) {
    let spans = |names: Vec<&LocatedValue<Str>>| -> Vec<(Str, Span)> {
        names
            .into_iter()
            .map(|name| (name.value.clone(), name.span()))
            .collect()
    };
    let properties = spans(
        definition
            .properties
            .iter()
            .map(|property| &property.name)
            .collect(),
    );
    let sizes = spans(definition.sizes.iter().map(|size| &size.name).collect());
    let own = |shared: bool| {
        let own = definition
            .sections
            .iter()
            .filter(move |section| section.shared == shared);
        own.map(|section| &section.name).collect()
    };
    let marker_ids = spans(definition.markers.iter().map(|marker| &marker.id).collect());
    let all = [
        ("property", &properties),
        ("size", &sizes),
        ("section", &spans(own(false))),
        ("shared section", &spans(own(true))),
        ("marker", &marker_ids),
    ];
    for (what, names) in all {
        let mut seen: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
        for (name, span) in names {
            if let Some(first) = seen.get(name.as_str()) {
                let message = format!("{what} `{}` is defined twice", clipped(name));
                let finding = report.error(PK056, *span, message);
                report.add(finding.label(report.file, *first, "first here"));
            } else {
                seen.insert(name, *span);
            }
        }
    }
    let mut folded: std::collections::BTreeMap<String, &(Str, Span)> = std::collections::BTreeMap::new();
    for property in &properties {
        let lower = property.0.to_lowercase();
        if let Some(first) = folded.get(&lower)
            && first.0 != property.0
        {
            let message = format!(
                "properties `{}` and `{}` differ only in case",
                first.0, property.0
            );
            let finding = report.warning(PK057, property.1, message);
            report.add(finding.label(report.file, first.1, "the other"));
        }
        folded.entry(lower).or_insert(property);
        if crate::proxy::BUILT_IN.contains(&property.0.as_str()) {
            let message = format!(
                "proxies of cards with a property `{}` cannot be drawn",
                property.0
            );
            report.add(report.error(PK153, property.1, message));
        } else if RESERVED
            .iter()
            .any(|reserved| reserved.eq_ignore_ascii_case(&property.0))
        {
            let message = format!(
                "o8build reserves the property name `{}` since March 2026",
                property.0
            );
            report.add(report.hint(PK058, property.1, message));
        }
    }
}

/// Reports deck sections whose pile does not exist (PK115, P58).
fn groups_exist(definition: &Definition, report: &mut FileReport) {
    for section in &definition.sections {
        let groups = if section.shared {
            &definition.shared_groups
        } else {
            &definition.groups
        };
        if groups.contains(&section.group) {
            continue;
        }
        let message = format!(
            "section `{}` goes into `{}`, which is no pile",
            *section.name, section.group
        );
        let mut finding = report.error(PK115, section.name.span(), message);
        if let Some(near) = cw_text::nearest(&section.group, groups.iter().map(Str::as_str)) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        report.add(finding);
    }
}
