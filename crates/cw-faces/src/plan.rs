//! Which property stands where on a face: as `[face]` of `game.toml` says, else as the data suggests.
//!
//! Nothing here knows a game. What decides is what the definition says of a property, the words that card
//! games share ("cost", "flavor", "number"), and what the cards' values are like: long texts make the box,
//! numbers the plates, everything else a line with the property's name.

use std::collections::BTreeMap;

use cw_load::FaceSection;
use cw_octgn::{Definition, Package, PropertyDefinition, PropertyKind, PropertyValue, RichPiece};

/// Where a property stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PropertyRole {
    /// Under the name.
    Kind,
    /// At the upper right.
    Corner,
    /// With its name, below the illustration.
    Line,
    /// In the box.
    Text,
    /// In italics, below the text.
    Flavour,
    /// On a plate, below the box.
    Number,
    /// In small letters, at the bottom.
    Foot,
}

/// A property of the definition with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The property as the definition spells it; several stand joined by a slash.
    pub(crate) properties: Vec<String>,
    /// What it is called on the face.
    pub(crate) label: String,
    pub(crate) role: PropertyRole,
}

/// The plan of a game's faces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FacePlan {
    /// Every property that is shown, in the order of its place.
    pub(crate) placed: Vec<Placed>,
    /// The property whose value chooses the colours, and its values in order.
    pub(crate) colour: Option<(String, Vec<String>)>,
}

/// What the values of a property are like.
#[derive(Debug, Default)]
struct PropertyValues {
    filled: usize,
    numbers: usize,
    symbols_only: usize,
    letters: usize,
    longest: usize,
    lines: usize,
    /// Some of the different ones.
    distinct: BTreeMap<String, usize>,
}

const MOST_DISTINCT: usize = 64;

impl PropertyValues {
    fn add(&mut self, value: &PropertyValue) {
        let Some(text) = value.plain().map(str::trim).filter(|text| !text.is_empty()) else {
            return;
        };
        self.filled += 1;
        let letters = text.chars().count();
        self.letters += letters;
        self.longest = self.longest.max(letters);
        self.lines += usize::from(text.contains('\n'));
        self.numbers += usize::from(letters <= 5 && is_number(text));
        if let PropertyValue::Rich(rich) = value {
            let blank = |piece: &RichPiece| match piece {
                RichPiece::Symbol { .. } => true,
                RichPiece::Text(text) => text.trim().is_empty(),
                RichPiece::Styled { .. } | RichPiece::Coloured { .. } => false,
            };
            self.symbols_only += usize::from(rich.pieces.iter().all(blank));
        }
        if self.distinct.len() < MOST_DISTINCT || self.distinct.contains_key(text) {
            *self.distinct.entry(text.to_owned()).or_default() += 1;
        }
    }

    fn mostly(&self, count: usize) -> bool {
        count * 10 >= self.filled * 8
    }

    fn is_long(&self) -> bool {
        self.longest >= 90 || self.letters >= 40 * self.filled || self.lines * 10 > self.filled
    }
}

/// What stands in a place for a number: `3`, `+1`, `X`, `1½`, `*`, `2*`, `∞`.
fn is_number(text: &str) -> bool {
    let known = |letter: char| letter.is_numeric() || "+-−–*∞.,/½xX?#".contains(letter);
    text.chars().all(known)
}

/// A name without what people write differently.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// A name as it is read: `PlayRequiredPower` as three words.
fn label(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            out.push(' ');
        }
        out.push(if letter == '_' { ' ' } else { letter });
        before = letter;
    }
    out
}

impl FacePlan {
    /// The plan of a package's faces; properties in `known` have their own places.
    pub(crate) fn of(package: &Package, face: &FaceSection, known: &[&str]) -> FacePlan {
        let definition = &package.definition;
        let values = values(package);
        let find = |name: &str| {
            let mut properties = definition.properties.iter();
            properties.find(|property| plain(&property.name) == plain(name))
        };
        let mut placed = Vec::new();
        for (role, names) in asked_for(face) {
            for name in names {
                let properties: Vec<&PropertyDefinition> = match find(name) {
                    Some(property) => vec![property],
                    None => name.split('/').filter_map(find).collect(),
                };
                placed.extend(place(&properties, role, face));
            }
        }
        let named = |property: &PropertyDefinition, names: &[String]| {
            names.iter().any(|name| plain(name) == plain(&property.name))
        };
        for property in &definition.properties {
            let name = property.name.as_str();
            let taken = placed
                .iter()
                .any(|other| other.properties.iter().any(|other| other == name));
            let known = known.iter().any(|known| plain(known) == plain(name));
            let empty = values.get(name).is_none_or(|values| values.filled == 0);
            if taken || known || empty || property.hidden || named(property, &face.hide) {
                continue;
            }
            let Some(values) = values.get(name) else { continue };
            placed.extend(place(&[property], role(property, values), face));
        }
        placed.sort_by_key(|placed| {
            (
                placed.role,
                placed.role == PropertyRole::Kind && !is_type(&placed.properties),
            )
        });
        FacePlan {
            colour: colour(definition, face, &values),
            placed,
        }
    }

    /// The properties of a place, in order.
    pub(crate) fn at(&self, role: PropertyRole) -> impl Iterator<Item = &Placed> {
        self.placed.iter().filter(move |placed| placed.role == role)
    }
}

fn asked_for(face: &FaceSection) -> [(PropertyRole, &[String]); 7] {
    [
        (PropertyRole::Kind, &face.kind),
        (PropertyRole::Corner, &face.corner),
        (PropertyRole::Line, &face.lines),
        (PropertyRole::Text, &face.text),
        (PropertyRole::Flavour, &face.flavour),
        (PropertyRole::Number, &face.numbers),
        (PropertyRole::Foot, &face.foot),
    ]
}

fn place(properties: &[&PropertyDefinition], role: PropertyRole, face: &FaceSection) -> Option<Placed> {
    let asked = |name: &str| {
        let mut labels = face.labels.iter();
        labels
            .find(|(key, _)| plain(key) == plain(name))
            .map(|(_, label)| label.clone())
    };
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let labels: Vec<String> = names
        .iter()
        .map(|name| asked(name).unwrap_or_else(|| label(name)))
        .collect();
    (!names.is_empty()).then(|| Placed {
        properties: names.iter().map(|name| (*name).to_owned()).collect(),
        label: asked(&names.join("/")).unwrap_or_else(|| labels.join(" / ")),
        role,
    })
}

fn is_type(properties: &[String]) -> bool {
    let name = properties.first().map(|name| plain(name));
    matches!(
        name.as_deref(),
        Some("type" | "types" | "cardtype" | "supertype" | "kind")
    )
}

/// Where a property stands that nobody has placed.
fn role(property: &PropertyDefinition, values: &PropertyValues) -> PropertyRole {
    let name = plain(&property.name);
    match name.as_str() {
        _ if name.contains("flavor") || name.contains("flavour") => return PropertyRole::Flavour,
        "type" | "types" | "cardtype" | "supertype" | "kind" | "subtype" | "subtypes" | "subtitle"
        | "subname" | "class" | "race"
            if !values.is_long() =>
        {
            return PropertyRole::Kind;
        }
        "number" | "cardnumber" | "collectornumber" | "setnumber" | "artist" | "illustrator" | "rarity"
        | "copyright" => return PropertyRole::Foot,
        _ => {}
    }
    if values.is_long() {
        return PropertyRole::Text;
    }
    if property.kind == PropertyKind::RichText && values.mostly(values.symbols_only) {
        return if name.contains("cost") {
            PropertyRole::Corner
        } else {
            PropertyRole::Line
        };
    }
    if property.ignore_text {
        return PropertyRole::Foot;
    }
    let is_number = property.kind == PropertyKind::Integer || values.mostly(values.numbers);
    match is_number {
        true if name == "cost" || name == "playcost" => PropertyRole::Corner,
        true if values.longest <= 12 => PropertyRole::Number,
        _ => PropertyRole::Line,
    }
}

fn values(package: &Package) -> BTreeMap<&str, PropertyValues> {
    let mut found: BTreeMap<&str, PropertyValues> = BTreeMap::new();
    for property in &package.definition.properties {
        found.entry(property.name.as_str()).or_default();
    }
    for (_, card) in package.cards() {
        let alternates = card.alternates.iter().flat_map(|form| &form.properties);
        for property in card.properties.iter().chain(alternates) {
            if let Some(values) = found.get_mut(property.name.as_str()) {
                values.add(&property.value);
            }
        }
    }
    found
}

/// The property that tells cards apart best: asked for, else called a colour, else any with a few values.
fn colour(
    definition: &Definition,
    face: &FaceSection,
    values: &BTreeMap<&str, PropertyValues>,
) -> Option<(String, Vec<String>)> {
    const NAMES: [&str; 9] = [
        "color",
        "colour",
        "faction",
        "element",
        "affiliation",
        "clan",
        "allegiance",
        "type",
        "kind",
    ];
    let asked = face.colour.iter().map(String::as_str);
    let found = asked.chain(NAMES).find_map(|name| {
        let mut properties = definition.properties.iter();
        properties.find(|property| plain(&property.name) == plain(name))
    })?;
    let known = &values.get(found.name.as_str())?.distinct;
    // The most frequent ones first, so that they differ.
    let mut ranked: Vec<(&String, &usize)> = known.iter().collect();
    ranked.sort_by_key(|(value, count)| (usize::MAX - **count, (*value).clone()));
    let ranked = ranked.into_iter().map(|(value, _)| value.clone());
    Some((found.name.to_string(), ranked.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of `[face]` in the book, in order.
    fn examples() -> Vec<&'static str> {
        let page = include_str!("../../../docs/faces.md");
        let blocks = page.split("```toml\n").skip(1);
        blocks.filter_map(|block| block.split("```").next()).collect()
    }

    /// A game with these properties, each with a value like those that games have, and these settings.
    fn project(properties: &[(&str, &str)], settings: &str) -> cw_load::Project {
        let defined: String = properties
            .iter()
            .map(|(name, _)| format!("<property name=\"{name}\" type=\"String\"/>"))
            .collect();
        let values: String = properties
            .iter()
            .map(|(name, value)| format!("<property name=\"{name}\" value=\"{value}\"/>"))
            .collect();
        let game = "11111111-1111-4111-8111-111111111111";
        let definition = format!(
            "<game name=\"Looks\" id=\"{game}\" version=\"1.0.0.0\" octgnVersion=\"3.4.350.0\" \
             scriptVersion=\"3.1.0.2\" authors=\"a\" tags=\"t\" description=\"d\" \
             gameurl=\"https://example.org\" setsurl=\"https://example.org\" \
             iconurl=\"https://example.org/i.png\">\
             <card name=\"Default\" front=\"f.png\" back=\"b.png\" \
             width=\"63\" height=\"88\" cornerRadius=\"3\">{defined}</card>\
             <table name=\"Table\" width=\"9\" height=\"9\"/>\
             <player><group name=\"Hand\"/></player></game>"
        );
        let set = format!(
            "<set name=\"First\" id=\"22222222-2222-4222-8222-222222222222\" gameId=\"{game}\" \
             gameVersion=\"1.0.0.0\" version=\"1.0.0.0\"><cards>\
             <card id=\"33333333-3333-4333-8333-333333333333\" name=\"Lamp\">{values}</card></cards></set>"
        );
        let files = cw_octgn::MemoryFiles::new()
            .with("definition.xml", definition)
            .with("Sets/22222222-2222-4222-8222-222222222222/set.xml", set)
            .with("Rules/game.toml", settings.to_owned());
        cw_load::Project::read(files).expect("it is a package")
    }

    /// What stands in each place, by its label.
    fn placed(project: &cw_load::Project) -> Vec<(PropertyRole, String)> {
        let plan = FacePlan::of(&project.package, &project.config.face, &[]);
        plan.placed
            .into_iter()
            .map(|placed| (placed.role, placed.label))
            .collect()
    }

    #[test]
    fn the_books_examples_of_faces_do_what_it_says() {
        let examples = examples();
        let of = |role, label: &str| (role, label.to_owned());
        assert_eq!(examples.len(), 3);
        let creatures = project(
            &[
                ("Type", "Creature"),
                ("Subtype", "Goat"),
                ("Cost", "3"),
                ("Power", "2"),
                ("Toughness", "4"),
                ("Loyalty", ""),
                ("CMC", "3"),
                ("MultiverseId", "17"),
                ("Color", "Red"),
            ],
            examples[0],
        );
        let wanted = [
            of(PropertyRole::Kind, "Type"),
            of(PropertyRole::Kind, "Subtype"),
            of(PropertyRole::Corner, "Cost"),
            of(PropertyRole::Line, "Color"),
            of(PropertyRole::Number, "Power / Toughness"),
            of(PropertyRole::Number, "Loyalty"),
        ];
        assert_eq!(placed(&creatures), wanted, "two on one plate, two hidden");
        let colour = FacePlan::of(&creatures.package, &creatures.config.face, &[]).colour;
        assert_eq!(colour, Some(("Color".to_owned(), vec!["Red".to_owned()])));
        let technical = project(
            &[
                ("Type", "Program"),
                ("Cost", "3"),
                ("Stat", "2"),
                ("Influence", "1"),
                ("Instructions", "x"),
                ("Side", "corp"),
                ("Faction", "Sun"),
            ],
            examples[1],
        );
        let wanted = [
            of(PropertyRole::Kind, "Type"),
            of(PropertyRole::Corner, "Cost"),
            of(PropertyRole::Line, "Faction"),
            of(PropertyRole::Number, "Strength"),
            of(PropertyRole::Number, "Influence"),
        ];
        assert_eq!(placed(&technical), wanted, "a property may be called otherwise");
        let scans = project(&[("Type", "Program")], examples[2]);
        assert_eq!(scans.config.face.picture, cw_load::PicturePlace::Full);
    }
}
