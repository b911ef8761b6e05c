//! Every key of `game.toml`, out of the table that its reader uses: for people, and as a JSON schema for
//! editors.

use std::fmt::Write as _;

use cw_load::{ConfigValueKind, GameSetting, settings};
use serde_json::{Map, Value, json};

/// A heading and a table for each section, Markdown.
pub(super) fn tables() -> String {
    let all: Vec<GameSetting> = settings().collect();
    let mut out = String::new();
    for section in all.chunk_by(|a, b| a.section == b.section) {
        let Some(first) = section.first() else { continue };
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            out,
            "{gap}### `{}`\n\n| Key | Meaning | Value | Default | Example |\n| --- | --- | --- | --- | --- |",
            heading(first.section)
        );
        for setting in section {
            let key = if setting.key.is_empty() {
                "a code, such as `RS061`".to_owned()
            } else {
                format!("`{}`", setting.key)
            };
            let default = match setting.default {
                "" => String::new(),
                default => format!("`{default}`"),
            };
            let _ = writeln!(
                out,
                "| {key} | {} | {} | {default} | `{}` |",
                setting.meaning,
                words(setting.kind),
                setting.example
            );
        }
    }
    out
}

/// How a section begins in the file.
fn heading(section: &str) -> String {
    match section == OPPONENTS {
        true => format!("[[{section}]]"),
        false => format!("[{section}]"),
    }
}

/// The section that may stand in the file many times.
const OPPONENTS: &str = "opponents";

/// What a value may be, in words.
fn words(kind: ConfigValueKind) -> String {
    let number = |least: i64, most: i64| match (least, most) {
        (_, most) if most >= i64::from(i32::MAX) && least < 0 => "a whole number".to_owned(),
        (least, most) if most >= i64::from(i32::MAX) => format!("a number from {least}"),
        (least, most) => format!("a number from {least} to {most}"),
    };
    match kind {
        ConfigValueKind::Number(least, most) => number(least, most),
        ConfigValueKind::Text => "a text".to_owned(),
        ConfigValueKind::Texts => "a list of texts".to_owned(),
        ConfigValueKind::Range(..) => "a number, or a table with `min` and `max`".to_owned(),
        ConfigValueKind::Numbers(..) => "a table of numbers".to_owned(),
        ConfigValueKind::Ranges(..) => "a table of numbers, or of tables with `min` and `max`".to_owned(),
        ConfigValueKind::Names => "a table of texts".to_owned(),
        ConfigValueKind::Word(words) => words
            .iter()
            .map(|word| format!("`\"{word}\"`"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// The JSON schema.
pub(super) fn schema() -> String {
    let mut sections = Map::new();
    for setting in settings() {
        let (outer, inner) = setting.section.split_once('.').unwrap_or((setting.section, ""));
        let mut table = sections.entry(outer).or_insert_with(empty);
        if !inner.is_empty() {
            let keys = &mut table["properties"];
            if keys[inner].is_null() {
                keys[inner] = empty();
            }
            table = &mut keys[inner];
        }
        let value = value(&setting);
        if setting.key.is_empty() {
            table["additionalProperties"] = value;
        } else {
            table["properties"][setting.key] = value;
        }
    }
    // One section after another is a list in TOML.
    if let Some(one) = sections.remove(OPPONENTS) {
        sections.insert(OPPONENTS.to_owned(), json!({ "type": "array", "items": one }));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cardwright game.toml",
        "description": "What Cardwright needs to know about a package beyond what OCTGN knows. \
                        Explained in docs/game-toml.md.",
        "type": "object",
        "additionalProperties": false,
        "properties": sections,
    });
    format!("{schema:#}\n")
}

fn empty() -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": {} })
}

fn value(setting: &GameSetting) -> Value {
    let number = |least: i64, most: i64| json!({ "type": "integer", "minimum": least, "maximum": most });
    let range = |least: i64, most: i64| {
        let number = number(least, most);
        let limits = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": { "min": number, "max": number },
        });
        json!({ "oneOf": [number, limits] })
    };
    let table = |of: Value| json!({ "type": "object", "additionalProperties": of });
    let mut value = match setting.kind {
        ConfigValueKind::Number(least, most) => number(least, most),
        ConfigValueKind::Text => json!({ "type": "string" }),
        ConfigValueKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        ConfigValueKind::Range(least, most) => range(least, most),
        ConfigValueKind::Numbers(least, most) => table(number(least, most)),
        ConfigValueKind::Ranges(least, most) => table(range(least, most)),
        ConfigValueKind::Names => table(json!({ "type": "string" })),
        ConfigValueKind::Word(words) => json!({ "enum": words }),
    };
    let default = match setting.default {
        "" => String::new(),
        default => format!(" Default: {default}."),
    };
    value["description"] = format!("{}.{default} Example: {}", setting.meaning, setting.example).into();
    value
}
