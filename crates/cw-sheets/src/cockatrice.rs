//! Cards of Cockatrice: a `card` for each, with `prop`, `set` and `text`; a set is an attribute of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::decode::decode;
use crate::table::TableBuilder;
use crate::xml::{XmlPart, XmlParts, attribute, escaped};
use crate::{SheetBook, SheetFinding, SheetLimits, SheetPlace};

/// What every table of another program's cards begins with.
const FIRST: [&str; 3] = ["name", "set", "id"];

pub(crate) fn read_cockatrice(
    file: &str,
    bytes: &[u8],
    limits: &SheetLimits,
) -> Result<SheetBook, SheetFinding> {
    let wrong = |message: String| SheetFinding::new(file, SheetPlace::default(), message);
    let (text, _) = decode(bytes).map_err(wrong)?;
    let mut cards: Vec<BTreeMap<String, String>> = Vec::new();
    let mut headings: Vec<String> = FIRST.iter().map(ToString::to_string).collect();
    let mut path: Vec<String> = Vec::new();
    let mut card: BTreeMap<String, String> = BTreeMap::new();
    let mut sets: Vec<(String, BTreeMap<String, String>)> = Vec::new();
    let mut text_so_far = String::new();
    let mut is_cockatrice = false;
    let mut cells = 0_usize;
    for part in XmlParts::new(&text) {
        match part.map_err(&wrong)? {
            XmlPart::Open(name, attributes) => {
                if path.is_empty() {
                    is_cockatrice = name == "cockatrice_carddatabase";
                }
                text_so_far.clear();
                path.push(name);
                if path.ends_with(&["cards".into(), "card".into()]) {
                    (card, sets) = (BTreeMap::new(), Vec::new());
                } else if path.ends_with(&["card".into(), "set".into()]) {
                    let given = attributes.iter().filter(|(_, value)| !value.is_empty());
                    sets.push((String::new(), given.cloned().collect()));
                } else if path.ends_with(&["card".into(), "related".into()]) {
                    let form = attribute(&attributes, "attach").unwrap_or_default();
                    if form == "transform" {
                        card.insert("transforms".to_owned(), String::new());
                    }
                }
            }
            XmlPart::Text(piece) => text_so_far.push_str(&piece),
            XmlPart::Close(name) => {
                let depth = path.len();
                let inside = |outer: &str| depth >= 2 && path[depth - 2] == outer;
                let value = std::mem::take(&mut text_so_far).trim().to_owned();
                match name.as_str() {
                    "card" if inside("cards") => {
                        if cards.len() >= limits.rows {
                            return Err(wrong(format!("there are more than {} cards", limits.rows)));
                        }
                        // A card of several sets is one card; the first set counts.
                        if let Some((code, about)) = sets.first() {
                            card.insert("set".to_owned(), code.clone());
                            for (key, value) in about {
                                let key = if key == "uuid" { "id" } else { key };
                                card.entry(key.to_owned()).or_insert_with(|| value.clone());
                            }
                        }
                        for key in card.keys() {
                            if !headings.contains(key) {
                                headings.push(key.clone());
                            }
                        }
                        if headings.len() > limits.columns {
                            return Err(wrong(format!(
                                "cards have more than {} properties",
                                limits.columns
                            )));
                        }
                        cells += card.len();
                        if cells > limits.cells {
                            return Err(wrong(format!("there are more than {} values", limits.cells)));
                        }
                        cards.push(std::mem::take(&mut card));
                    }
                    "set" if inside("card") => {
                        if let Some(last) = sets.last_mut() {
                            last.0 = value;
                        }
                    }
                    "related" | "reverse-related" | "prop" => {}
                    _ if (inside("card") || inside("prop")) && !value.is_empty() => {
                        card.insert(name, value);
                    }
                    _ => {}
                }
                path.pop();
            }
        }
    }
    if !is_cockatrice {
        return Err(wrong(
            "the outermost element is not `cockatrice_carddatabase`".to_owned(),
        ));
    }
    table_of(file, &headings, cards, limits)
}

/// A table of cards that have their values by name.
pub(crate) fn table_of(
    file: &str,
    headings: &[String],
    cards: Vec<BTreeMap<String, String>>,
    limits: &SheetLimits,
) -> Result<SheetBook, SheetFinding> {
    let mut builder = TableBuilder::new(file, "", limits);
    builder.table.counted = false;
    builder.row(0, headings.to_vec())?;
    for (number, mut card) in (1..).zip(cards) {
        let cells = headings
            .iter()
            .map(|heading| card.remove(heading).unwrap_or_default());
        builder.row(number, cells.collect())?;
    }
    Ok(SheetBook {
        file: file.to_owned(),
        tables: vec![builder.finish().0],
        notes: Vec::new(),
    })
}

/// What a card of Cockatrice has outside of `prop`.
const OUTSIDE: [&str; 5] = ["text", "tablerow", "cipt", "token", "upsidedown"];

/// Name, set and id of a card, then its values by name.
pub(crate) type CockatriceCard = (String, String, String, Vec<(String, String)>);

/// Writes cards for Cockatrice: name, set and id of each, then its values by name.
pub(crate) fn write_cockatrice(sets: &[(String, String)], cards: &[CockatriceCard]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cockatrice_carddatabase version=\"4\">\n  <sets>\n",
    );
    for (code, name) in sets {
        let (code, name) = (escaped(code), escaped(name));
        let _ = writeln!(
            out,
            "    <set>\n      <name>{code}</name>\n      \
             <longname>{name}</longname>\n      <settype>Custom</settype>\n    </set>"
        );
    }
    out.push_str("  </sets>\n  <cards>\n");
    for (name, set, id, values) in cards {
        let _ = writeln!(out, "    <card>\n      <name>{}</name>", escaped(name));
        let outside = |key: &str| OUTSIDE.contains(&key);
        for (key, value) in values.iter().filter(|(key, _)| outside(key)) {
            let _ = writeln!(out, "      <{key}>{}</{key}>", escaped(value));
        }
        out.push_str("      <prop>\n");
        for (key, value) in values.iter().filter(|(key, _)| !outside(key)) {
            let _ = writeln!(out, "        <{key}>{}</{key}>", escaped(value));
        }
        let _ = writeln!(
            out,
            "      </prop>\n      <set uuid=\"{}\">{}</set>\n    </card>",
            escaped(id),
            escaped(set)
        );
    }
    out.push_str("  </cards>\n</cockatrice_carddatabase>\n");
    out
}
