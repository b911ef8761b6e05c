//! Compares what is expected with what is.

use cw_duel::Game;
use cw_text::Span;
use serde_json::Value as Json;

use crate::matching::matching;
use crate::names;
use crate::node::{KIND, ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue, unknown_key};
use crate::read::cards;

/// One expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What was looked at, as `me.ring slot 2 bp`.
    pub path: String,
    /// Where the expectation stands.
    pub span: Span,
    /// What should be.
    pub expected: String,
    /// What is.
    pub actual: String,
    /// What to write in the file so that it holds, and in place of what; `None`: that is for
    /// people to decide.
    pub blessing: Option<(Span, String)>,
}

/// What is, after a step.
pub(crate) struct Actual<'a> {
    pub state: &'a Json,
    /// What happened in the step, in words.
    pub events: &'a [String],
}

/// Everything expected that is not so.
///
/// # Errors
/// If the expectation itself makes no sense.
pub(crate) fn mismatches(
    game: &Game,
    expected: &ScenarioNode,
    actual: &Actual<'_>,
) -> Result<Vec<Mismatch>, ScenarioFault> {
    let mut comparison = Comparison {
        game,
        found: Vec::new(),
    };
    for (key, node) in expected.table()? {
        match &*key.name {
            "events" => comparison.events(node, actual.events)?,
            "no-events" => comparison.no_events(node, actual.events)?,
            "offers" => comparison.offers(node, &actual.state["options"], true)?,
            "does-not-offer" => comparison.offers(node, &actual.state["options"], false)?,
            _ => comparison.entry("", key, node, actual.state, &EXTRA)?,
        }
    }
    Ok(comparison.found)
}

/// Keys of expectations beside those of the state.
const EXTRA: [&str; 4] = ["events", "no-events", "offers", "does-not-offer"];
const EXTRA_OF_PLAYER: [&str; 2] = ["characters", "deck-top"];

struct Comparison<'a> {
    game: &'a Game,
    found: Vec<Mismatch>,
}

impl Comparison<'_> {
    fn miss(&mut self, path: &str, span: Span, expected: impl Into<String>, actual: impl Into<String>) {
        self.found.push(Mismatch {
            path: path.to_owned(),
            span,
            expected: expected.into(),
            actual: actual.into(),
            blessing: None,
        });
    }

    /// Says what to write instead of what stands at `span`.
    fn bless(&mut self, span: Span, text: impl Into<String>) {
        if let Some(last) = self.found.last_mut() {
            last.blessing = Some((span, text.into()));
        }
    }

    /// A key of a table against the entry of an object.
    fn entry(
        &mut self,
        path: &str,
        key: &ScenarioKey,
        node: &ScenarioNode,
        object: &Json,
        extra: &[&str],
    ) -> Result<(), ScenarioFault> {
        let Some(actual) = object.get(&key.name) else {
            let keys = object.as_object().into_iter().flat_map(|entries| entries.keys());
            let known: Vec<&str> = keys.map(String::as_str).chain(extra.iter().copied()).collect();
            return Err(unknown_key(key, &known));
        };
        let path = join(path, &key.name);
        match &*key.name {
            "me" | "opponent" => self.player(&path, node, actual),
            "ring" => self.ring(&path, node, actual),
            "hand" | "knows" => self.pile(&path, node, actual, ExpectedOrder::Any),
            "deck" | "discards" | "removed" | "backups" | "table" => {
                self.pile(&path, node, actual, ExpectedOrder::Exact)
            }
            "abilities" | "skips" => self.set(&path, node, actual),
            "blocks" if matches!(node.value, ScenarioValue::Table(_)) => self.blocks(&path, node, actual),
            "question" => self.contains(&path, node, actual),
            "listeners" | "changes" | "queue" => self.includes(&path, node, actual),
            _ => self.value(&path, node, actual),
        }
    }

    fn player(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        for (key, node) in node.table()? {
            match &*key.name {
                "characters" => self.characters(&join(path, "characters"), node, &actual["ring"])?,
                "deck-top" => {
                    let path = join(path, "deck-top");
                    self.pile(&path, node, &actual["deck"], ExpectedOrder::Prefix)?;
                }
                _ => self.entry(path, key, node, actual, &EXTRA_OF_PLAYER)?,
            }
        }
        Ok(())
    }

    fn value(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let same = match (&node.value, actual) {
            (ScenarioValue::Text(text), Json::String(actual)) => text.eq_ignore_ascii_case(actual),
            (ScenarioValue::Text(text), Json::Null) => matches!(&**text, "" | "none" | "nobody"),
            (ScenarioValue::Number(number), Json::Number(actual)) => Some(*number) == actual.as_i64(),
            (ScenarioValue::Bool(value), Json::Bool(actual)) => value == actual,
            (ScenarioValue::List(items), Json::Array(actual)) if items.len() == actual.len() => {
                for (index, (item, actual)) in items.iter().zip(actual).enumerate() {
                    self.value(&format!("{path} {}", index + 1), item, actual)?;
                }
                return Ok(());
            }
            (ScenarioValue::Table(entries), Json::Object(_)) => {
                for (key, node) in entries {
                    self.entry(path, key, node, actual, &[])?;
                }
                return Ok(());
            }
            (ScenarioValue::List(_), Json::Array(_)) | (ScenarioValue::Table(_), Json::Null) => false,
            _ => return Err(wrong_kind(path, node, actual)),
        };
        if !same {
            self.miss(path, node.span, show_node(node), show(actual));
            self.bless(node.span, toml(actual));
        }
        Ok(())
    }

    /// Who blocks whom, all of it.
    fn blocks(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let mut expected = Vec::new();
        for (blocker, attacker) in node.table()? {
            for (name, span) in [(&*blocker.name, blocker.span), (attacker.text()?, attacker.span)] {
                names::cards(self.game, crate::setup::split_slot(name).0, span)?;
            }
            expected.push(format!("{} blocks {}", blocker.name, attacker.text()?));
        }
        let entries = actual.as_object().into_iter().flatten();
        let mut present: Vec<String> = entries
            .map(|(blocker, attacker)| format!("{blocker} blocks {}", show(attacker)))
            .collect();
        expected.sort_unstable();
        present.sort_unstable();
        if expected.join("\n").to_lowercase() != present.join("\n").to_lowercase() {
            self.miss(path, node.span, list_of(&expected), list_of(&present));
            self.bless(node.span, toml(actual));
        }
        Ok(())
    }

    /// By slots; what is left out at the end is empty.
    fn ring(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let items = node.list()?;
        let slots = actual.as_array().map_or(&[][..], Vec::as_slice);
        if items.len() > slots.len() {
            let message = format!("a ring has only {} slots", slots.len());
            return Err(ScenarioFault::new(KIND, node.span, message));
        }
        for (index, slot) in slots.iter().enumerate() {
            let path = format!("{path} slot {}", index + 1);
            match items.get(index) {
                Some(item) => self.slot(&path, item, slot)?,
                None if slot.is_null() => {}
                None => {
                    self.miss(&path, node.span, "nobody", show_character(slot));
                    self.bless(node.span, toml_ring(actual));
                }
            }
        }
        Ok(())
    }

    fn slot(&mut self, path: &str, item: &ScenarioNode, slot: &Json) -> Result<(), ScenarioFault> {
        match names::character(self.game, item)? {
            None if slot.is_null() => {}
            None => {
                self.miss(path, item.span, "nobody", show_character(slot));
                self.bless(item.span, quoted(&show_character(slot)));
            }
            Some(table) if slot.is_null() => {
                self.miss(path, item.span, show_node(&table), "nobody");
                self.bless(item.span, "\"\"");
            }
            Some(table) => {
                let before = self.found.len();
                self.character(path, &table, slot)?;
                if matches!(item.value, ScenarioValue::Text(_)) {
                    // The short form is written anew as a whole.
                    for found in &mut self.found[before..] {
                        found.blessing = Some((item.span, quoted(&show_character(slot))));
                    }
                }
            }
        }
        Ok(())
    }

    fn character(&mut self, path: &str, table: &ScenarioNode, slot: &Json) -> Result<(), ScenarioFault> {
        for (key, node) in table.table()? {
            if key.name == "card" {
                let found = names::cards(self.game, node.text()?, node.span)?;
                let value = ScenarioValue::Text(self.game.model(found[0]).name.to_string());
                let named = ScenarioNode {
                    value,
                    ..node.clone()
                };
                self.entry(path, key, &named, slot, &[])?;
                continue;
            }
            self.entry(path, key, node, slot, &[])?;
        }
        Ok(())
    }

    /// Each stands in a slot of its own; an empty list means that nobody does.
    fn characters(&mut self, path: &str, node: &ScenarioNode, ring: &Json) -> Result<(), ScenarioFault> {
        let items = node.one_or_more();
        let slots: Vec<&Json> = ring.as_array().into_iter().flatten().collect();
        if items.is_empty() && slots.iter().any(|slot| !slot.is_null()) {
            let standing = slots.iter().filter(|slot| !slot.is_null());
            let standing: Vec<String> = standing.map(|slot| show_character(slot)).collect();
            self.miss(path, node.span, "none", standing.join(", "));
        }
        let slots: Vec<&Json> = slots.into_iter().filter(|slot| !slot.is_null()).collect();
        let mut tables = Vec::new();
        // What each slot has otherwise than each expectation; `None`: another card stands there.
        let mut compared: Vec<Vec<Option<Vec<Mismatch>>>> = Vec::new();
        for item in items {
            let Some(table) = names::character(self.game, item)? else {
                return Err(ScenarioFault::new(KIND, item.span, "which character?"));
            };
            let mut of_item = Vec::new();
            for slot in &slots {
                let mut trial = Comparison {
                    game: self.game,
                    found: Vec::new(),
                };
                trial.character(path, &table, slot)?;
                let card = join(path, "card");
                let of_another = trial.found.iter().any(|found| found.path == card);
                of_item.push((!of_another).then_some(trial.found));
            }
            compared.push(of_item);
            tables.push(table);
        }
        let holds = |item: usize, slot: usize| compared[item][slot].as_ref().is_some_and(Vec::is_empty);
        let paired = matching(items.len(), slots.len(), holds);
        let mut free: Vec<usize> = (0..slots.len())
            .filter(|slot| !paired.contains(&Some(*slot)))
            .collect();
        for (at, item) in items.iter().enumerate().filter(|(at, _)| paired[*at].is_none()) {
            let same_card = free.iter().filter(|slot| compared[at][**slot].is_some());
            let nearest = same_card.min_by_key(|slot| compared[at][**slot].as_ref().map_or(0, Vec::len));
            let Some(slot) = nearest.copied() else {
                let standing: Vec<String> = slots.iter().map(|slot| show_character(slot)).collect();
                self.miss(path, item.span, show_node(&tables[at]), list_of(&standing));
                continue;
            };
            free.retain(|other| *other != slot);
            let found = compared[at][slot].take().unwrap_or_default();
            self.found.extend(found.into_iter().map(|mut found| {
                if matches!(item.value, ScenarioValue::Text(_)) {
                    // The short form is written anew as a whole.
                    found.blessing = Some((item.span, quoted(&show_character(slots[slot]))));
                }
                found
            }));
        }
        Ok(())
    }

    fn pile(
        &mut self,
        path: &str,
        node: &ScenarioNode,
        actual: &Json,
        order: ExpectedOrder,
    ) -> Result<(), ScenarioFault> {
        let mut expected = Vec::new();
        for (name, span) in cards(node)? {
            let found = names::cards(self.game, &name, span)?;
            expected.push(self.game.model(found[0]).name.to_string());
        }
        let actual = texts(actual);
        let (mut a, mut b) = (expected.clone(), actual.clone());
        match order {
            ExpectedOrder::Exact => {}
            ExpectedOrder::Any => {
                a.sort_unstable();
                b.sort_unstable();
            }
            ExpectedOrder::Prefix => b.truncate(a.len()),
        }
        if a != b {
            self.miss(path, node.span, list_of(&expected), list_of(&actual));
            let shown = if let ExpectedOrder::Prefix = order {
                &b
            } else {
                &actual
            };
            self.bless(node.span, toml_list(shown));
        }
        Ok(())
    }

    fn set(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let mut expected: Vec<String> = node
            .texts()?
            .iter()
            .map(|(text, _)| text.to_lowercase())
            .collect();
        expected.sort_unstable();
        let mut present: Vec<String> = texts(actual).iter().map(|text| text.to_lowercase()).collect();
        present.sort_unstable();
        if expected != present {
            self.miss(path, node.span, list_of(&expected), list_of(&present));
            self.bless(node.span, toml_list(&present));
        }
        Ok(())
    }

    fn contains(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let text = node.text()?;
        let holds = match actual.as_str() {
            None => matches!(text, "" | "none"),
            Some(asked) => !text.is_empty() && asked.to_lowercase().contains(&text.to_lowercase()),
        };
        if !holds {
            let asked = actual.as_str().unwrap_or("none");
            self.miss(path, node.span, text, asked);
            self.bless(node.span, quoted(asked));
        }
        Ok(())
    }

    /// Each expected table fits some entry; an empty list means that there is none.
    fn includes(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let entries: Vec<&Json> = actual.as_array().into_iter().flatten().collect();
        let items = node.list()?;
        if items.is_empty() && !entries.is_empty() {
            self.miss(path, node.span, "none", show(actual));
        }
        for item in items {
            item.table()?;
            let mut fits = false;
            for entry in &entries {
                let mut trial = Comparison {
                    game: self.game,
                    found: Vec::new(),
                };
                // A key that this entry does not have means another kind of entry.
                fits |= trial.value(path, item, entry).is_ok() && trial.found.is_empty();
            }
            if !fits {
                self.miss(path, item.span, show_node(item), show(actual));
            }
        }
        Ok(())
    }

    /// In this order, others may come between.
    fn events(&mut self, node: &ScenarioNode, events: &[String]) -> Result<(), ScenarioFault> {
        let mut rest = events;
        for (text, span) in node.texts()? {
            match rest.iter().position(|event| says(event, text)) {
                Some(at) => rest = &rest[at + 1..],
                None => {
                    self.miss("events", span, text, list_of(events));
                    self.bless(node.span, toml_list(events));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn no_events(&mut self, node: &ScenarioNode, events: &[String]) -> Result<(), ScenarioFault> {
        for (text, span) in node.texts()? {
            if let Some(event) = events.iter().find(|event| says(event, text)) {
                self.miss("no-events", span, format!("not “{text}”"), event.clone());
            }
        }
        Ok(())
    }

    fn offers(&mut self, node: &ScenarioNode, options: &Json, wanted: bool) -> Result<(), ScenarioFault> {
        let options = texts(options);
        for (text, span) in node.texts()? {
            let offered = options.iter().any(|option| option.eq_ignore_ascii_case(text));
            if offered != wanted {
                let path = if wanted { "offers" } else { "does-not-offer" };
                self.miss(path, span, text, list_of(&options));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum ExpectedOrder {
    Exact,
    Any,
    Prefix,
}

fn says(event: &str, text: &str) -> bool {
    event.to_lowercase().contains(&text.to_lowercase())
}

pub(crate) fn wrong_kind(path: &str, node: &ScenarioNode, actual: &Json) -> ScenarioFault {
    let wanted = match actual {
        Json::Null => "“none” or text",
        Json::Bool(_) => "true or false",
        Json::Number(_) => "a number",
        Json::String(_) => "text in quotes",
        Json::Array(_) => "a list in brackets",
        Json::Object(_) => "a table",
    };
    let message = format!("`{path}` is compared with {wanted}, not with {}", node.kind());
    ScenarioFault::new(KIND, node.span, message)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else if path.contains(' ') {
        format!("{path} {key}")
    } else {
        format!("{path}.{key}")
    }
}

fn texts(value: &Json) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.map(show).collect()
}

pub(crate) fn list_of(texts: &[String]) -> String {
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(", ")
    }
}

pub(crate) fn show(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        Json::Array(items) => list_of(&items.iter().map(show).collect::<Vec<_>>()),
        Json::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key} = {}", show(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

/// A character in the short form that scenario files use.
pub(crate) fn show_character(slot: &Json) -> String {
    let Some(name) = slot["card"].as_str() else {
        return "nobody".to_owned();
    };
    let mut words = format!("{name} {}", slot["bp"]);
    for mark in ["fresh", "frozen", "activated", "attacks", "follows", "blocks"] {
        if slot[mark] == true {
            words.push(' ');
            words.push_str(mark);
        }
    }
    for keyword in texts(&slot["abilities"]) {
        words.push(' ');
        words.push_str(&keyword);
    }
    for backup in texts(&slot["backups"]) {
        words.push_str(" + ");
        words.push_str(&backup);
    }
    words
}

pub(crate) fn show_node(node: &ScenarioNode) -> String {
    match &node.value {
        ScenarioValue::Text(text) => text.clone(),
        ScenarioValue::Number(number) => number.to_string(),
        ScenarioValue::Bool(value) => value.to_string(),
        ScenarioValue::List(items) => list_of(&items.iter().map(show_node).collect::<Vec<_>>()),
        ScenarioValue::Table(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{} = {}", key.name, show_node(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A value as TOML writes it.
pub(crate) fn toml(value: &Json) -> String {
    match value {
        Json::Null => quoted("none"),
        Json::Bool(_) | Json::Number(_) => value.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Json::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{} = {}", quoted(key), toml(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

pub(crate) fn toml_list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// A ring in the short form; empty slots at the end are left out.
fn toml_ring(ring: &Json) -> String {
    let slots: Vec<&Json> = ring.as_array().into_iter().flatten().collect();
    let last = slots
        .iter()
        .rposition(|slot| !slot.is_null())
        .map_or(0, |last| last + 1);
    let shown: Vec<String> = slots[..last]
        .iter()
        .map(|slot| {
            if slot.is_null() {
                "\"\"".to_owned()
            } else {
                quoted(&show_character(slot))
            }
        })
        .collect();
    format!("[{}]", shown.join(", "))
}

/// Text as a basic string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            _ if letter.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// What changed between two states, as an inline table of expectations.
pub(crate) fn difference(before: &Json, after: &Json) -> String {
    let mut parts = Vec::new();
    for player in ["me", "opponent"] {
        for key in [
            "hp",
            "sp",
            "ring",
            "hand",
            "deck-size",
            "discards",
            "removed",
            "skips",
            "extra-turns",
        ] {
            let (old, new) = (&before[player][key], &after[player][key]);
            if old != new {
                let value = if key == "ring" { toml_ring(new) } else { toml(new) };
                parts.push(format!("{player}.{key} = {value}"));
            }
        }
    }
    for key in ["active", "phase", "winner", "united", "question"] {
        if before[key] != after[key] {
            parts.push(format!("{key} = {}", toml(&after[key])));
        }
    }
    if parts.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", parts.join(", "))
    }
}
