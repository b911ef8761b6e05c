//! A set of MTGJSON: `data` with a code, a name and cards; faces of a card are cards of their own there.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cockatrice::table_of;
use crate::decode::decode;
use crate::{SheetBook, SheetFinding, SheetLimits, SheetPlace};

/// What is taken of a card, in this order: what is printed on it. Identifiers of shops and the like are left
/// out.
const TAKEN: [&str; 16] = [
    "name",
    "set",
    "id",
    "form",
    "manaCost",
    "manaValue",
    "type",
    "supertypes",
    "subtypes",
    "colors",
    "rarity",
    "text",
    "flavorText",
    "power",
    "toughness",
    "loyalty",
];
const MORE: [&str; 3] = ["number", "artist", "defense"];

pub(crate) fn read_mtgjson(
    file: &str,
    bytes: &[u8],
    limits: &SheetLimits,
) -> Result<SheetBook, SheetFinding> {
    let wrong = |message: String| SheetFinding::new(file, SheetPlace::default(), message);
    let (text, _) = decode(bytes).map_err(wrong)?;
    let text = text.trim_start_matches('\u{feff}');
    let json: Value = serde_json::from_str(text).map_err(|why| wrong(format!("this is not JSON: {why}")))?;
    let set = json.get("data").unwrap_or(&json);
    let Some(list) = set.get("cards").and_then(Value::as_array) else {
        let found = wrong("there is no list `data.cards`, so this is not a set of MTGJSON".to_owned());
        return Err(found.help("take the file of one set, as ABC.json"));
    };
    if list.len() > limits.rows {
        return Err(wrong(format!("there are more than {} cards", limits.rows)));
    }
    let named = set
        .get("name")
        .or_else(|| set.get("code"))
        .and_then(Value::as_str);
    let headings: Vec<String> = TAKEN.iter().chain(&MORE).map(ToString::to_string).collect();
    let mut cards = Vec::new();
    // The other faces of a card name the first one's id.
    let mut faces: BTreeMap<&str, &str> = BTreeMap::new();
    for (number, card) in (1..).zip(list) {
        let place = SheetPlace {
            row: Some(number),
            ..SheetPlace::default()
        };
        let Some(card) = card.as_object() else {
            return Err(SheetFinding::new(file, place, "this is not an object"));
        };
        let text_of = |key: &str| card.get(key).and_then(Value::as_str);
        let mut row = BTreeMap::new();
        for key in TAKEN[4..].iter().chain(&MORE) {
            if let Some(value) = card.get(*key) {
                row.insert((*key).to_owned(), plain(value));
            }
        }
        let Some(name) = text_of("faceName").or_else(|| text_of("name")) else {
            return Err(SheetFinding::new(file, place, "the card has no `name`"));
        };
        row.insert("name".to_owned(), name.to_owned());
        row.insert("set".to_owned(), named.unwrap_or("Core").to_owned());
        let id = text_of("uuid").unwrap_or_default();
        let side = text_of("side").unwrap_or("a");
        let others = card.get("otherFaceIds").and_then(Value::as_array);
        let first = others
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find_map(|other| faces.get(other));
        match first.filter(|_| side != "a") {
            Some(first) => {
                row.insert("id".to_owned(), (*first).to_owned());
                row.insert("form".to_owned(), side.to_owned());
            }
            None => {
                row.insert("id".to_owned(), id.to_owned());
                faces.insert(id, id);
            }
        }
        cards.push(row);
    }
    table_of(file, &headings, cards, limits)
}

/// A value as text: lists with commas.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        Value::Bool(_) | Value::Object(_) => value.to_string(),
        Value::Null => String::new(),
    }
}
