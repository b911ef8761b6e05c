//! A scenario file as a tree of values that know their place, whichever form it has.

use std::ops::Range;

use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span, nearest};

/// A value and where it stands. In JSON, places are not kept: everything stands at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioNode {
    /// Where.
    pub span: Span,
    /// What.
    pub value: ScenarioValue,
}

/// A value of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioValue {
    /// Text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// True or false.
    Bool(bool),
    /// Several values.
    List(Vec<ScenarioNode>),
    /// Keys and values, in the order of the file.
    Table(Vec<(ScenarioKey, ScenarioNode)>),
}

/// A key and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioKey {
    /// Where.
    pub span: Span,
    /// What.
    pub name: String,
}

/// Something wrong with a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFault {
    /// What kind of fault.
    pub code: FindingCode,
    /// Where.
    pub span: Span,
    /// What, terse.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Not TOML, or not JSON.
pub(crate) const SYNTAX: FindingCode = FindingCode("SC001");
/// A key that is not known here.
pub(crate) const KEY: FindingCode = FindingCode("SC002");
/// A value of the wrong kind.
pub(crate) const KIND: FindingCode = FindingCode("SC003");
/// No such card.
pub(crate) const CARD: FindingCode = FindingCode("SC004");
/// A position that the rules cannot produce.
pub(crate) const POSITION: FindingCode = FindingCode("SC005");
/// No such menu entry of the package.
pub(crate) const ENTRY: FindingCode = FindingCode("SC006");
/// The game or the package of the file cannot be opened.
pub(crate) const GAME: FindingCode = FindingCode("SC007");

impl ScenarioFault {
    pub(crate) fn new(code: FindingCode, span: Span, message: impl Into<String>) -> ScenarioFault {
        ScenarioFault {
            code,
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> ScenarioFault {
        self.help = Some(help.into());
        self
    }

    /// The game or the package that a file names cannot be opened; it stands at the name.
    pub fn unopened(span: Span, why: &str) -> ScenarioFault {
        ScenarioFault::new(GAME, span, format!("the game cannot be opened: {why}"))
    }

    /// The fault as a finding about this file.
    pub fn diagnostic(&self, file: FileId) -> Diagnostic {
        let found = Diagnostic::new(self.code, Severity::Error, file, self.span, &*self.message);
        match &self.help {
            Some(help) => found.help(help),
            None => found,
        }
    }
}

/// Reads TOML, or JSON if the text begins with `{`.
pub(crate) fn parse(text: &str) -> Result<ScenarioNode, ScenarioFault> {
    const LIMIT: usize = 8 << 20;
    if text.len() > LIMIT {
        return Err(ScenarioFault::new(
            SYNTAX,
            Span::at(0),
            "a scenario file has at most 8 MiB",
        ));
    }
    if text
        .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
        .starts_with('{')
    {
        parse_json(text)
    } else {
        parse_toml(text)
    }
}

fn parse_json(text: &str) -> Result<ScenarioNode, ScenarioFault> {
    let text = text.trim_start_matches('\u{feff}');
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        let before: usize = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let at = (before + error.column().saturating_sub(1)).min(text.len());
        ScenarioFault::new(SYNTAX, Span::at(at), format!("not JSON: {error}"))
    })?;
    Ok(of_json(&value))
}

/// A JSON value as a node; `null` and fractions become text, which fits nowhere.
pub(crate) fn of_json(value: &serde_json::Value) -> ScenarioNode {
    use serde_json::Value as Json;
    let value = match value {
        Json::Null => ScenarioValue::Text(String::new()),
        Json::Bool(value) => ScenarioValue::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => ScenarioValue::Number(number),
            None => ScenarioValue::Text(number.to_string()),
        },
        Json::String(text) => ScenarioValue::Text(text.clone()),
        Json::Array(items) => ScenarioValue::List(items.iter().map(of_json).collect()),
        Json::Object(entries) => ScenarioValue::Table(
            entries
                .iter()
                .map(|(name, value)| {
                    let key = ScenarioKey {
                        span: Span::at(0),
                        name: name.clone(),
                    };
                    (key, of_json(value))
                })
                .collect(),
        ),
    };
    ScenarioNode {
        span: Span::at(0),
        value,
    }
}

fn parse_toml(text: &str) -> Result<ScenarioNode, ScenarioFault> {
    let document = toml_edit::Document::parse(text).map_err(|error| {
        let span = error.span().map_or(Span::at(0), Span::from);
        ScenarioFault::new(SYNTAX, span, error.message().replace('\n', " "))
    })?;
    of_item(document.as_item(), Span::at(0))
}

fn span_of(range: Option<Range<usize>>, around: Span) -> Span {
    range.map_or(around, Span::from)
}

fn of_item(item: &toml_edit::Item, around: Span) -> Result<ScenarioNode, ScenarioFault> {
    let span = span_of(item.span(), around);
    match item {
        toml_edit::Item::None => Err(ScenarioFault::new(KIND, span, "nothing is here")),
        toml_edit::Item::Value(value) => of_value(value, around),
        toml_edit::Item::Table(table) => {
            let entries = table.get_values_and_tables(span)?;
            Ok(ScenarioNode {
                span,
                value: ScenarioValue::Table(entries),
            })
        }
        toml_edit::Item::ArrayOfTables(tables) => {
            let items = tables
                .iter()
                .map(|table| {
                    let span = span_of(table.span(), span);
                    Ok(ScenarioNode {
                        span,
                        value: ScenarioValue::Table(table.get_values_and_tables(span)?),
                    })
                })
                .collect::<Result<_, ScenarioFault>>()?;
            Ok(ScenarioNode {
                span,
                value: ScenarioValue::List(items),
            })
        }
    }
}

trait Entries {
    fn get_values_and_tables(&self, around: Span) -> Result<Vec<(ScenarioKey, ScenarioNode)>, ScenarioFault>;
}

impl<T: toml_edit::TableLike> Entries for T {
    fn get_values_and_tables(&self, around: Span) -> Result<Vec<(ScenarioKey, ScenarioNode)>, ScenarioFault> {
        self.iter()
            .map(|(name, item)| {
                let key = ScenarioKey {
                    span: span_of(self.key(name).and_then(toml_edit::Key::span), around),
                    name: name.to_owned(),
                };
                let node = of_item(item, key.span)?;
                Ok((key, node))
            })
            .collect()
    }
}

fn of_value(value: &toml_edit::Value, around: Span) -> Result<ScenarioNode, ScenarioFault> {
    use toml_edit::Value as Toml;
    let span = span_of(value.span(), around);
    let value = match value {
        Toml::String(text) => ScenarioValue::Text(text.value().clone()),
        Toml::Integer(number) => ScenarioValue::Number(*number.value()),
        Toml::Boolean(value) => ScenarioValue::Bool(*value.value()),
        Toml::Float(_) => return Err(ScenarioFault::new(KIND, span, "numbers are whole here")),
        Toml::Datetime(_) => return Err(ScenarioFault::new(KIND, span, "dates mean nothing here")),
        Toml::Array(items) => ScenarioValue::List(
            items
                .iter()
                .map(|item| of_value(item, span))
                .collect::<Result<_, _>>()?,
        ),
        Toml::InlineTable(table) => ScenarioValue::Table(table.get_values_and_tables(span)?),
    };
    Ok(ScenarioNode { span, value })
}

impl ScenarioNode {
    /// What kind of value it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            ScenarioValue::Text(_) => "text",
            ScenarioValue::Number(_) => "a number",
            ScenarioValue::Bool(_) => "true or false",
            ScenarioValue::List(_) => "a list",
            ScenarioValue::Table(_) => "a table",
        }
    }

    fn not(&self, wanted: &str) -> ScenarioFault {
        ScenarioFault::new(
            KIND,
            self.span,
            format!("expected {wanted}, found {}", self.kind()),
        )
    }

    pub(crate) fn text(&self) -> Result<&str, ScenarioFault> {
        let ScenarioValue::Text(text) = &self.value else {
            return Err(self.not("text in quotes"));
        };
        Ok(text)
    }

    pub(crate) fn bool(&self) -> Result<bool, ScenarioFault> {
        let ScenarioValue::Bool(value) = self.value else {
            return Err(self.not("true or false"));
        };
        Ok(value)
    }

    pub(crate) fn number<T: TryFrom<i64>>(&self) -> Result<T, ScenarioFault> {
        let ScenarioValue::Number(number) = self.value else {
            return Err(self.not("a whole number"));
        };
        T::try_from(number).map_err(|_| {
            ScenarioFault::new(
                KIND,
                self.span,
                format!("{number} is too large or too small here"),
            )
        })
    }

    pub(crate) fn list(&self) -> Result<&[ScenarioNode], ScenarioFault> {
        let ScenarioValue::List(items) = &self.value else {
            return Err(self.not("a list in brackets"));
        };
        Ok(items)
    }

    pub(crate) fn table(&self) -> Result<&[(ScenarioKey, ScenarioNode)], ScenarioFault> {
        let ScenarioValue::Table(entries) = &self.value else {
            return Err(self.not("a table"));
        };
        Ok(entries)
    }

    pub(crate) fn is_empty_table(&self) -> bool {
        matches!(&self.value, ScenarioValue::Table(entries) if entries.is_empty())
    }

    /// The items of a list, or the value alone.
    pub(crate) fn one_or_more(&self) -> &[ScenarioNode] {
        if let ScenarioValue::List(items) = &self.value {
            items
        } else {
            std::slice::from_ref(self)
        }
    }

    /// One text or a list of texts, with their places.
    pub(crate) fn texts(&self) -> Result<Vec<(&str, Span)>, ScenarioFault> {
        self.one_or_more()
            .iter()
            .map(|item| Ok((item.text()?, item.span)))
            .collect()
    }
}

/// A table whose keys are asked for one by one; what nobody asks for is unknown.
pub(crate) struct Fields<'n> {
    entries: &'n [(ScenarioKey, ScenarioNode)],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    pub(crate) fn of(node: &'n ScenarioNode) -> Result<Fields<'n>, ScenarioFault> {
        Ok(Fields {
            entries: node.table()?,
            known: Vec::new(),
        })
    }

    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'n ScenarioNode> {
        self.known.push(key);
        let entry = self.entries.iter().find(|(name, _)| name.name == key);
        entry.map(|(_, node)| node)
    }

    /// Refuses the first key that was not asked for.
    pub(crate) fn finish(self) -> Result<(), ScenarioFault> {
        let unknown = self
            .entries
            .iter()
            .find(|(key, _)| !self.known.contains(&&*key.name));
        unknown.map_or(Ok(()), |(key, _)| Err(unknown_key(key, &self.known)))
    }
}

pub(crate) fn unknown_key(key: &ScenarioKey, known: &[&str]) -> ScenarioFault {
    let fault = ScenarioFault::new(KEY, key.span, format!("unknown key `{}`", key.name));
    match nearest(&key.name, known.iter().copied()).or_else(|| other_word(&key.name, known)) {
        Some(nearest) => fault.help(format!("did you mean `{nearest}`?")),
        None => fault.help(format!("known here: {}", known.join(", "))),
    }
}

/// The key that another word stands for, as `opp` for `opponent`.
fn other_word<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const OTHERS: &[(&str, &[&str])] = &[
        ("opponent", &["opp", "enemy", "player2", "you", "other", "they"]),
        ("me", &["my", "player1", "player", "self", "i"]),
        (
            "choose",
            &[
                "target", "targets", "choice", "option", "answer", "answers", "select",
            ],
        ),
        ("on", &["target", "to", "onto", "at", "attacker"]),
        ("block", &["counter-attack", "counter", "defend"]),
        ("activate", &["use", "ability"]),
        ("back-up", &["backup", "support"]),
        ("events", &["event", "log", "happens"]),
        ("won-by", &["reason"]),
        ("ring", &["field", "board", "characters", "battlefield"]),
        ("discards", &["graveyard", "discard", "discard-pile"]),
        ("hp", &["life", "health"]),
        ("sp", &["energy", "mana"]),
    ];
    let is_known = |word: &&&str| known.contains(word);
    let called = OTHERS.iter().filter(|(_, others)| others.contains(&name));
    let meant = called.map(|(word, _)| word).find(is_known)?;
    known.iter().copied().find(|word| word == meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What needs no game is found in the wrong example of its page, and not in the right one.
    #[test]
    fn wrong_examples_have_their_finding() {
        let codes = [SYNTAX, KEY, KIND, CARD, POSITION, ENTRY, GAME];
        let pages = crate::PAGES.iter();
        assert_eq!(pages.map(|page| page.code).collect::<Vec<_>>(), codes);
        for page in crate::PAGES.iter() {
            let found = crate::read_any(page.wrong).err().map(|fault| fault.code);
            if ![CARD, POSITION, ENTRY, GAME].contains(&page.code) {
                assert_eq!(found, Some(page.code), "{}", page.wrong);
            }
            assert!(crate::read_any(page.right).is_ok(), "{}", page.right);
        }
    }
}
