//! Cards for programs that know pictures only: a saved object of Tabletop Simulator, a game of Card Game
//! Simulator.

use cw_octgn::Package;
use serde_json::{Value, json};

use crate::package_rows;

/// One picture with a grid of cards.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SimulatorSheet {
    /// Where the picture is: a path or an address.
    pub face: String,
    /// Places in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// The cards on it, in reading order: name, and what is said of it. One that the deck has several times
    /// stands on it once, with its number.
    pub cards: Vec<(String, String, usize)>,
}

/// A saved object of Tabletop Simulator: a deck of all cards, each as often as it is said.
pub fn tabletop_object(name: &str, back: &str, sheets: &[SimulatorSheet]) -> String {
    let transform = || {
        json!({"posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0,
            "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0})
    };
    let mut custom = serde_json::Map::new();
    let (mut ids, mut objects) = (Vec::new(), Vec::new());
    for (number, sheet) in (1..).zip(sheets) {
        let about = json!({
            "FaceURL": sheet.face, "BackURL": back, "NumWidth": sheet.columns, "NumHeight": sheet.rows,
            "BackIsHidden": true, "UniqueBack": false, "Type": 0,
        });
        for (place, (name, text, copies)) in sheet.cards.iter().enumerate() {
            let id = number * 100 + place;
            for _ in 0..*copies {
                ids.push(id);
                objects.push(json!({
                    "Name": "Card", "Transform": transform(), "Nickname": name, "Description": text,
                    "CardID": id, "CustomDeck": {number.to_string(): about},
                }));
            }
        }
        custom.insert(number.to_string(), about);
    }
    let deck = json!({
        "Name": "DeckCustom", "Transform": transform(), "Nickname": name, "Description": "",
        "DeckIDs": ids, "CustomDeck": custom, "ContainedObjects": objects,
    });
    // A deck of one card is a card.
    let only = || deck["ContainedObjects"][0].clone();
    let object: Value = if objects_of(&deck) == 1 { only() } else { deck };
    pretty(
        &json!({"SaveName": name, "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
        "ObjectStates": [object]}),
    )
}

fn objects_of(deck: &Value) -> usize {
    deck["ContainedObjects"].as_array().map_or(0, Vec::len)
}

/// The files of a game of Card Game Simulator: what it is, its sets, its cards. Pictures are
/// `sets/SET/ID.ENDING` beside them.
pub fn card_game_simulator(package: &Package, ending: &str) -> Vec<(String, String)> {
    let definition = &package.definition;
    // Names of values are written as in the program's own games.
    let key = |name: &str| {
        name.chars()
            .filter(|letter| letter.is_alphanumeric())
            .collect::<String>()
    };
    let kind = |kind: cw_octgn::PropertyKind| match kind {
        cw_octgn::PropertyKind::Integer => "integer",
        _ => "string",
    };
    let properties: Vec<Value> = definition
        .properties
        .iter()
        .map(|property| json!({
            "name": key(&property.name), "display": property.name.to_string(), "type": kind(property.kind),
        }))
        .collect();
    let name = definition.name.to_string();
    let game = json!({
        "name": name, "cardSize": {"x": definition.card.width / 25.4, "y": definition.card.height / 25.4},
        "cardIdIdentifier": "id", "cardNameIdentifier": "name", "cardSetIdentifier": "set",
        "cardImageFileType": ending, "cardProperties": properties,
        "setCodeIdentifier": "code", "setNameIdentifier": "name",
    });
    let codes: Vec<String> = (1..=package.sets.len())
        .map(|number| format!("S{number}"))
        .collect();
    let sets = package.sets.iter().zip(&codes);
    let sets: Vec<Value> = sets
        .map(|(set, code)| json!({"code": code, "name": set.name.to_string()}))
        .collect();
    let rows = package_rows(package);
    let cards = rows.iter().filter(|row| row.key.form.is_empty()).map(|row| {
        let mut card = serde_json::Map::new();
        card.insert("id".into(), json!(row.key.id));
        card.insert("name".into(), json!(row.name));
        card.insert("set".into(), json!(codes[row.set]));
        for property in &definition.properties {
            let text = row.values.get(property.name.as_str()).map_or("", String::as_str);
            let number = text
                .parse::<i32>()
                .ok()
                .filter(|_| kind(property.kind) == "integer");
            if !text.is_empty() {
                card.insert(
                    key(&property.name),
                    number.map_or_else(|| json!(text), |number| json!(number)),
                );
            }
        }
        Value::Object(card)
    });
    let cards: Vec<Value> = cards.collect();
    vec![
        ("cgs.json".to_owned(), pretty(&game)),
        ("AllSets.json".to_owned(), pretty(&json!(sets))),
        ("AllCards.json".to_owned(), pretty(&json!(cards))),
    ]
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
