//! How a table stands, as JSON, and whether it is what is expected.

use cw_table::{CardGroup, CardSide, FreeTable, Kit, PileId, TableCardId, TableSeat};
use cw_text::Span;
use serde_json::{Map, Value as Json, json};

use super::SEATS;
use super::lay::{kinds, marker, model, value};
use crate::expect::{Mismatch, list_of, quoted, show_node, toml, toml_list, wrong_kind};
use crate::matching::matching;
use crate::node::{Fields, KIND, ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue, unknown_key};
use crate::read::{cards, one_of};

/// The whole truth of a table: what `scenario run --json` prints, and what `expect` is compared with.
pub(crate) fn state(table: &FreeTable) -> Json {
    let (kit, now) = (table.kit(), table.state());
    let mut all = Map::new();
    let word = |seat: Option<TableSeat>| seat.map_or("nobody", |seat| SEATS[usize::from(seat.0)]);
    all.insert("turn".into(), json!(now.turn));
    all.insert("active".into(), json!(word(now.active)));
    all.insert("phase".into(), json!(kit.phase(now.phase).unwrap_or("none")));
    let lying = now.table.iter().map(|id| lying(table, *id));
    all.insert("table".into(), lying.collect());
    let (globals, own) = table.variables();
    all.insert("variables".into(), variables(globals));
    for seat in now.seat_ids() {
        let piles = (0..kit.piles.len()).map(|kind| now.pile_of(kit, seat, kind));
        let counters = &now.seat(seat).counters;
        let mut has = things(table, piles.collect(), counters, true);
        let kept = own.get(usize::from(seat.0)).cloned().unwrap_or_default();
        has.insert("variables".into(), variables(kept));
        all.insert(SEATS[usize::from(seat.0)].into(), Json::Object(has));
    }
    let piles = (0..kit.shared_piles.len()).map(PileId::at).collect();
    let shared = things(table, piles, &now.shared_counters, false);
    all.insert("shared".into(), Json::Object(shared));
    let asked = now.runs.iter().find_map(|run| run.waits());
    all.insert("asked".into(), json!(word(asked.map(|asked| asked.seat))));
    let question = asked.map_or("", |asked| asked.question.text());
    all.insert("question".into(), json!(question));
    Json::Object(all)
}

fn variables(all: Vec<(String, String)>) -> Json {
    let pairs = all.into_iter().map(|(name, value)| (name, json!(value)));
    Json::Object(pairs.collect())
}

/// Piles and counters of a seat, or of nobody. A pile without order is sorted.
fn things(table: &FreeTable, piles: Vec<PileId>, counters: &[i32], of_seat: bool) -> Map<String, Json> {
    let (kit, now) = (table.kit(), table.state());
    let (_, names) = kinds(kit, of_seat);
    let mut has = Map::new();
    for (name, count) in names.into_iter().zip(counters) {
        has.insert(name, json!(count));
    }
    for pile in piles {
        let kind = now.pile(pile).kind(kit);
        let ids = now.of_group(CardGroup::Pile(pile)).iter();
        let mut names: Vec<String> = ids.map(|id| name_of(table, *id)).collect();
        if !kind.ordered {
            names.sort();
        }
        // A counter of the same name is expected as a number, and the pile as a list.
        let name = match has.contains_key(&kind.name) {
            true => format!("{} (pile)", kind.name),
            false => kind.name.clone(),
        };
        has.insert(name, json!(names));
    }
    has
}

fn name_of(table: &FreeTable, id: TableCardId) -> String {
    let card = table.state().card(id);
    table.kit().name(&card.model, card.form).to_owned()
}

/// A card on the table.
fn lying(table: &FreeTable, id: TableCardId) -> Json {
    let (kit, now) = (table.kit(), table.state());
    let card = now.card(id);
    let seat = |seat: Option<TableSeat>| seat.map_or("nobody", |seat| SEATS[usize::from(seat.0)]);
    let markers = card.markers.iter().map(|(kind, count)| {
        let kind = &kit.markers[usize::from(*kind)];
        (kind.name.clone(), json!(count))
    });
    json!({
        "card": name_of(table, id),
        "owner": seat(card.owner),
        "controller": seat(card.controller),
        "at": [card.x, card.y],
        "face": if card.face == CardSide::Up { "up" } else { "down" },
        "turned": card.quarter.degrees(),
        "markers": Json::Object(markers.collect()),
        "highlight": card.highlight.map_or("none".to_owned(), |colour| colour.to_string().to_lowercase()),
        "target": seat(card.target),
        "token": card.token,
    })
}

/// What a step has come to.
pub(crate) struct FreeActual<'a> {
    pub kit: &'a Kit,
    pub state: &'a Json,
    /// What each seat has read.
    pub read: &'a [Vec<String>],
    /// Whose step it was.
    pub by: usize,
}

/// Everything expected that is not so.
///
/// # Errors
/// If the expectation itself makes no sense.
pub(crate) fn mismatches(
    expected: &ScenarioNode,
    actual: &FreeActual<'_>,
) -> Result<Vec<Mismatch>, ScenarioFault> {
    let mut comparison = FreeComparison {
        kit: actual.kit,
        found: Vec::new(),
    };
    for (key, node) in expected.table()? {
        let seat = SEATS.iter().position(|word| *word == key.name);
        match (&*key.name, seat) {
            ("log", _) => comparison.log("log", node, &actual.read[actual.by])?,
            ("no-log", _) => comparison.no_log("no-log", node, &actual.read[actual.by])?,
            ("table", _) => comparison.table(node, &actual.state["table"])?,
            ("variables", _) => comparison.variables("variables", node, &actual.state["variables"])?,
            ("question", _) => comparison.question(node, &actual.state["question"])?,
            ("shared", _) => comparison.things(None, "shared", node, actual)?,
            (word, Some(seat)) if seat < actual.read.len() => {
                comparison.things(Some(seat), word, node, actual)?;
            }
            _ => {
                let known: Vec<&str> = ["log", "no-log"]
                    .into_iter()
                    .chain(
                        actual
                            .state
                            .as_object()
                            .into_iter()
                            .flat_map(|all| all.keys().map(String::as_str)),
                    )
                    .collect();
                let Some(value) = actual.state.get(&key.name) else {
                    return Err(unknown_key(key, &known));
                };
                comparison.value(&key.name, node, value)?;
            }
        }
    }
    Ok(comparison.found)
}

struct FreeComparison<'a> {
    kit: &'a Kit,
    found: Vec<Mismatch>,
}

impl FreeComparison<'_> {
    fn miss(&mut self, path: &str, span: Span, expected: String, actual: String, blessing: Option<String>) {
        self.found.push(Mismatch {
            path: path.to_owned(),
            span,
            expected,
            actual,
            blessing: blessing.map(|text| (span, text)),
        });
    }

    fn value(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let same = match (&node.value, actual) {
            (ScenarioValue::Text(text), Json::String(actual)) => {
                let none = matches!(actual.as_str(), "nobody" | "none");
                text.eq_ignore_ascii_case(actual) || (none && matches!(&**text, "" | "none" | "nobody"))
            }
            (ScenarioValue::Number(number), Json::Number(actual)) => Some(*number) == actual.as_i64(),
            (ScenarioValue::Bool(value), Json::Bool(actual)) => value == actual,
            _ => return Err(wrong_kind(path, node, actual)),
        };
        if !same {
            let is = actual.as_str().map_or_else(|| actual.to_string(), str::to_owned);
            self.miss(path, node.span, show_node(node), is, Some(toml(actual)));
        }
        Ok(())
    }

    fn question(&mut self, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let (part, whole) = (node.text()?, actual.as_str().unwrap_or_default());
        if !whole.to_lowercase().contains(&part.to_lowercase()) || (part.is_empty() != whole.is_empty()) {
            let is = if whole.is_empty() {
                "nothing is asked"
            } else {
                whole
            };
            self.miss(
                "question",
                node.span,
                part.to_owned(),
                is.to_owned(),
                Some(toml(actual)),
            );
        }
        Ok(())
    }

    /// Parts of what was read, in this order.
    fn log(&mut self, path: &str, node: &ScenarioNode, read: &[String]) -> Result<(), ScenarioFault> {
        let mut at = 0;
        for (part, span) in node.texts()? {
            let wanted = part.to_lowercase();
            let found = read[at..]
                .iter()
                .position(|line| line.to_lowercase().contains(&wanted));
            match found {
                Some(next) => at += next + 1,
                None => {
                    let blessing =
                        Some(toml_list(read)).filter(|_| matches!(node.value, ScenarioValue::List(_)));
                    self.miss(path, node.span, part.to_owned(), list_of(read), blessing);
                    let _ = span;
                    return Ok(());
                }
            }
        }
        if node.texts()?.is_empty() && !read.is_empty() {
            self.miss(
                path,
                node.span,
                "nothing".into(),
                list_of(read),
                Some(toml_list(read)),
            );
        }
        Ok(())
    }

    fn no_log(&mut self, path: &str, node: &ScenarioNode, read: &[String]) -> Result<(), ScenarioFault> {
        for (part, span) in node.texts()? {
            let found = read
                .iter()
                .find(|line| line.to_lowercase().contains(&part.to_lowercase()));
            if let Some(line) = found {
                self.miss(path, span, format!("no line with “{part}”"), line.clone(), None);
            }
        }
        Ok(())
    }

    fn variables(&mut self, path: &str, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        for (key, node) in node.table()? {
            let expected = value(node)?;
            let is = actual.get(&key.name).and_then(Json::as_str).unwrap_or("");
            if is != expected {
                let path = format!("{path}.{}", key.name);
                self.miss(&path, node.span, expected, is.to_owned(), Some(quoted(is)));
            }
        }
        Ok(())
    }

    /// Piles and counters of a seat, or of nobody.
    fn things(
        &mut self,
        seat: Option<usize>,
        word: &str,
        node: &ScenarioNode,
        actual: &FreeActual<'_>,
    ) -> Result<(), ScenarioFault> {
        let own = &actual.state[word];
        for (key, node) in node.table()? {
            let path = format!("{word}.{}", key.name);
            match (&*key.name, seat) {
                ("variables", Some(_)) => self.variables(&path, node, &own["variables"])?,
                ("log", Some(seat)) => self.log(&path, node, &actual.read[seat])?,
                ("no-log", Some(seat)) => self.no_log(&path, node, &actual.read[seat])?,
                _ => self.thing(&path, key, node, own, seat.is_some())?,
            }
        }
        Ok(())
    }

    fn thing(
        &mut self,
        path: &str,
        key: &ScenarioKey,
        node: &ScenarioNode,
        own: &Json,
        of_seat: bool,
    ) -> Result<(), ScenarioFault> {
        let entries = own.as_object().into_iter().flatten();
        let names = |name: &str| name.eq_ignore_ascii_case(&key.name);
        let pile = format!("{} (pile)", key.name);
        let is_list = matches!(node.value, ScenarioValue::List(_));
        let found = entries
            .clone()
            .find(|(name, _)| is_list && name.eq_ignore_ascii_case(&pile))
            .or_else(|| entries.clone().find(|(name, _)| names(name)));
        let Some((name, actual)) = found else {
            let known: Vec<&str> = entries.map(|(name, _)| name.as_str()).collect();
            return Err(unknown_key(key, &known));
        };
        let Some(there) = actual.as_array() else {
            return self.value(path, node, actual);
        };
        if let ScenarioValue::Number(_) = node.value {
            // A number is how many cards there are.
            return self.value(path, node, &json!(there.len()));
        }
        let mut expected = Vec::new();
        for (name, span) in cards(node)? {
            let model = model(self.kit, &name, span)?;
            expected.push(self.kit.name(&model, 0).to_owned());
        }
        let there: Vec<String> = there.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        let kinds = if of_seat {
            &self.kit.piles
        } else {
            &self.kit.shared_piles
        };
        let pile = name.strip_suffix(" (pile)");
        let is_named = |kind: &str| kind == name.as_str() || Some(kind) == pile;
        let kind = kinds.iter().find(|kind| is_named(&kind.name));
        if kind.is_some_and(|kind| !kind.ordered) {
            expected.sort();
        }
        if expected != there {
            self.miss(
                path,
                node.span,
                list_of(&expected),
                list_of(&there),
                Some(toml_list(&there)),
            );
        }
        Ok(())
    }

    /// All cards that lie on the table, in any order; of each only what is written is compared. A number: how
    /// many.
    fn table(&mut self, node: &ScenarioNode, actual: &Json) -> Result<(), ScenarioFault> {
        let lie = actual.as_array().map_or(&[][..], Vec::as_slice);
        if let ScenarioValue::Number(_) = node.value {
            return self.value("table", node, &json!(lie.len()));
        }
        let mut wanted = Vec::new();
        for item in node.list()? {
            match &item.value {
                ScenarioValue::Text(_) => {
                    for (name, span) in cards(item)? {
                        let model = model(self.kit, &name, span)?;
                        wanted.push(json!({ "card": self.kit.name(&model, 0) }));
                    }
                }
                _ => wanted.push(self.wanted(item)?),
            }
        }
        // Each takes a card of its own.
        let found = matching(wanted.len(), lie.len(), |one, card| {
            fits(&wanted[one], &lie[card])
        });
        if wanted.len() != lie.len() || found.contains(&None) {
            let shown: Vec<String> = lie.iter().map(|card| short(card, &wanted)).collect();
            let blessing = format!("[{}]", shown.join(", "));
            let expected = list_of(&node.list()?.iter().map(show_node).collect::<Vec<_>>());
            self.miss("table", node.span, expected, list_of(&shown), Some(blessing));
        }
        Ok(())
    }

    /// A card that is expected on the table, as far as it is written.
    fn wanted(&self, node: &ScenarioNode) -> Result<Json, ScenarioFault> {
        let mut fields = Fields::of(node)?;
        let mut wanted = Map::new();
        let Some(name) = fields.get("card") else {
            return Err(ScenarioFault::new(
                KIND,
                node.span,
                "which card? As in { card = \"Candle\" }",
            ));
        };
        let model = model(self.kit, name.text()?, name.span)?;
        wanted.insert("card".into(), json!(self.kit.name(&model, 0)));
        for key in ["owner", "controller", "target"] {
            if let Some(node) = fields.get(key) {
                let words: Vec<(&str, &str)> = SEATS
                    .iter()
                    .chain(&["nobody"])
                    .map(|word| (*word, *word))
                    .collect();
                wanted.insert(key.into(), json!(one_of(node, &words)?));
            }
        }
        if let Some(face) = fields.get("face") {
            wanted.insert(
                "face".into(),
                json!(one_of(face, &[("up", "up"), ("down", "down")])?),
            );
        }
        if let Some(at) = fields.get("at") {
            let (x, y) = super::read::point(at)?;
            wanted.insert("at".into(), json!([x, y]));
        }
        if let Some(turned) = fields.get("turned") {
            wanted.insert("turned".into(), json!(turned.number::<u16>()?));
        }
        if let Some(token) = fields.get("token") {
            wanted.insert("token".into(), json!(token.bool()?));
        }
        if let Some(colour) = fields.get("highlight") {
            wanted.insert("highlight".into(), json!(colour.text()?.to_lowercase()));
        }
        if let Some(markers) = fields.get("markers") {
            let mut counts = Map::new();
            for (key, node) in markers.table()? {
                let kind = marker(self.kit, &key.name, key.span)?;
                let name = self.kit.markers[usize::from(kind)].name.clone();
                counts.insert(name, json!(node.number::<u16>()?));
            }
            wanted.insert("markers".into(), Json::Object(counts));
        }
        fields.finish()?;
        Ok(Json::Object(wanted))
    }
}

/// Whether a card is as it is wanted.
fn fits(wanted: &Json, card: &Json) -> bool {
    let mut wanted = wanted.as_object().into_iter().flatten();
    wanted.all(|(key, value)| match (key.as_str(), value.as_object()) {
        // A marker that is not there counts 0; others may lie there too, unless none is wanted.
        ("markers", Some(markers)) if !markers.is_empty() => markers.iter().all(|(name, count)| {
            card["markers"].get(name).and_then(Json::as_u64).unwrap_or(0) == count.as_u64().unwrap_or(0)
        }),
        _ => card[key] == *value,
    })
}

/// A card with the keys that some expectation has.
fn short(card: &Json, wanted: &[Json]) -> String {
    let name = toml(&card["card"]);
    let keys: Vec<String> = card
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "card" && wanted.iter().any(|one| one.get(key.as_str()).is_some()))
        .map(|(key, value)| format!("{key} = {}", toml(value)))
        .collect();
    match keys.is_empty() {
        true => name,
        false => format!("{{ card = {name}, {} }}", keys.join(", ")),
    }
}

/// What changed between two states, as an inline table of expectations.
pub(crate) fn difference(before: &Json, after: &Json, read: &[String]) -> String {
    // More cards than these are counted.
    const SHOWN: usize = 8;
    let key = |name: &str| match name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    {
        true => name.to_owned(),
        false => quoted(name),
    };
    let mut parts = Vec::new();
    for (name, value) in after.as_object().into_iter().flatten() {
        let was = &before[name.as_str()];
        if was == value {
            continue;
        }
        match (name.as_str(), value) {
            ("table", Json::Array(cards)) => {
                let marked = [json!({ "markers": 0, "face": 0 })];
                let plain: [Json; 0] = [];
                let one = |card: &Json| {
                    let differs = card["face"] != "up" || card["markers"] != json!({});
                    short(card, if differs { &marked } else { &plain })
                };
                let cards: Vec<String> = cards.iter().map(one).collect();
                parts.push(format!("table = [{}]", cards.join(", ")));
            }
            (_, Json::Object(entries)) => {
                for (own, value) in entries.iter().filter(|(own, value)| was[own.as_str()] != **value) {
                    let text = match value {
                        Json::Array(cards) if cards.len() > SHOWN => cards.len().to_string(),
                        Json::Object(pairs) => {
                            let old = &was[own.as_str()];
                            let pairs = pairs.iter().filter(|(name, value)| old[name.as_str()] != **value);
                            let pairs: Vec<String> = pairs
                                .map(|(name, value)| format!("{} = {}", key(name), toml(value)))
                                .collect();
                            format!("{{ {} }}", pairs.join(", "))
                        }
                        value => toml(value),
                    };
                    let own = own.strip_suffix(" (pile)").unwrap_or(own);
                    parts.push(format!("{}.{} = {text}", key(name), key(own)));
                }
            }
            (_, value) => parts.push(format!("{} = {}", key(name), toml(value))),
        }
    }
    if !read.is_empty() {
        parts.push(format!("log = {}", toml_list(read)));
    }
    match parts.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", parts.join(", ")),
    }
}
