//! A scenario file as a tree of values that know their place, whichever form it has.

use std::ops::Range;

use cw_text::{Code, Diagnostic, FileId, Severity, Span, nearest};

/// A value and where it stands. In JSON, places are not kept: everything stands at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where.
    pub span: Span,
    /// What.
    pub value: Value,
}

/// A value of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// True or false.
    Bool(bool),
    /// Several values.
    List(Vec<Node>),
    /// Keys and values, in the order of the file.
    Table(Vec<(Key, Node)>),
}

/// A key and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where.
    pub span: Span,
    /// What.
    pub name: String,
}

/// Something wrong with a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// What, terse.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Not TOML, or not JSON.
pub(crate) const SYNTAX: Code = Code("SC001");
/// A key that is not known here.
pub(crate) const KEY: Code = Code("SC002");
/// A value of the wrong kind.
pub(crate) const KIND: Code = Code("SC003");
/// No such card.
pub(crate) const CARD: Code = Code("SC004");
/// A position that the rules cannot produce.
pub(crate) const POSITION: Code = Code("SC005");

impl Fault {
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Fault {
        Fault {
            code,
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
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
pub(crate) fn parse(text: &str) -> Result<Node, Fault> {
    const LIMIT: usize = 8 << 20;
    if text.len() > LIMIT {
        return Err(Fault::new(
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

fn parse_json(text: &str) -> Result<Node, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        let before: usize = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let at = (before + error.column().saturating_sub(1)).min(text.len());
        Fault::new(SYNTAX, Span::at(at), format!("not JSON: {error}"))
    })?;
    Ok(of_json(&value))
}

/// A JSON value as a node; `null` and fractions become text, which fits nowhere.
pub(crate) fn of_json(value: &serde_json::Value) -> Node {
    use serde_json::Value as Json;
    let value = match value {
        Json::Null => Value::Text(String::new()),
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Number(number),
            None => Value::Text(number.to_string()),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(of_json).collect()),
        Json::Object(entries) => Value::Table(
            entries
                .iter()
                .map(|(name, value)| {
                    let key = Key {
                        span: Span::at(0),
                        name: name.clone(),
                    };
                    (key, of_json(value))
                })
                .collect(),
        ),
    };
    Node {
        span: Span::at(0),
        value,
    }
}

fn parse_toml(text: &str) -> Result<Node, Fault> {
    let document = toml_edit::Document::parse(text).map_err(|error| {
        let span = error.span().map_or(Span::at(0), Span::from);
        Fault::new(SYNTAX, span, error.message().replace('\n', " "))
    })?;
    of_item(document.as_item(), Span::at(0))
}

fn span_of(range: Option<Range<usize>>, around: Span) -> Span {
    range.map_or(around, Span::from)
}

fn of_item(item: &toml_edit::Item, around: Span) -> Result<Node, Fault> {
    let span = span_of(item.span(), around);
    match item {
        toml_edit::Item::None => Err(Fault::new(KIND, span, "nothing is here")),
        toml_edit::Item::Value(value) => of_value(value, around),
        toml_edit::Item::Table(table) => {
            let entries = table.get_values_and_tables(span)?;
            Ok(Node {
                span,
                value: Value::Table(entries),
            })
        }
        toml_edit::Item::ArrayOfTables(tables) => {
            let items = tables
                .iter()
                .map(|table| {
                    let span = span_of(table.span(), span);
                    Ok(Node {
                        span,
                        value: Value::Table(table.get_values_and_tables(span)?),
                    })
                })
                .collect::<Result<_, Fault>>()?;
            Ok(Node {
                span,
                value: Value::List(items),
            })
        }
    }
}

trait Entries {
    fn get_values_and_tables(&self, around: Span) -> Result<Vec<(Key, Node)>, Fault>;
}

impl<T: toml_edit::TableLike> Entries for T {
    fn get_values_and_tables(&self, around: Span) -> Result<Vec<(Key, Node)>, Fault> {
        self.iter()
            .map(|(name, item)| {
                let key = Key {
                    span: span_of(self.key(name).and_then(toml_edit::Key::span), around),
                    name: name.to_owned(),
                };
                let node = of_item(item, key.span)?;
                Ok((key, node))
            })
            .collect()
    }
}

fn of_value(value: &toml_edit::Value, around: Span) -> Result<Node, Fault> {
    use toml_edit::Value as Toml;
    let span = span_of(value.span(), around);
    let value = match value {
        Toml::String(text) => Value::Text(text.value().clone()),
        Toml::Integer(number) => Value::Number(*number.value()),
        Toml::Boolean(value) => Value::Bool(*value.value()),
        Toml::Float(_) => return Err(Fault::new(KIND, span, "numbers are whole here")),
        Toml::Datetime(_) => return Err(Fault::new(KIND, span, "dates mean nothing here")),
        Toml::Array(items) => Value::List(
            items
                .iter()
                .map(|item| of_value(item, span))
                .collect::<Result<_, _>>()?,
        ),
        Toml::InlineTable(table) => Value::Table(table.get_values_and_tables(span)?),
    };
    Ok(Node { span, value })
}

impl Node {
    /// What kind of value it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    fn not(&self, wanted: &str) -> Fault {
        Fault::new(
            KIND,
            self.span,
            format!("expected {wanted}, found {}", self.kind()),
        )
    }

    pub(crate) fn text(&self) -> Result<&str, Fault> {
        let Value::Text(text) = &self.value else {
            return Err(self.not("text in quotes"));
        };
        Ok(text)
    }

    pub(crate) fn bool(&self) -> Result<bool, Fault> {
        let Value::Bool(value) = self.value else {
            return Err(self.not("true or false"));
        };
        Ok(value)
    }

    pub(crate) fn number<T: TryFrom<i64>>(&self) -> Result<T, Fault> {
        let Value::Number(number) = self.value else {
            return Err(self.not("a whole number"));
        };
        T::try_from(number).map_err(|_| {
            Fault::new(
                KIND,
                self.span,
                format!("{number} is too large or too small here"),
            )
        })
    }

    pub(crate) fn list(&self) -> Result<&[Node], Fault> {
        let Value::List(items) = &self.value else {
            return Err(self.not("a list in brackets"));
        };
        Ok(items)
    }

    pub(crate) fn table(&self) -> Result<&[(Key, Node)], Fault> {
        let Value::Table(entries) = &self.value else {
            return Err(self.not("a table"));
        };
        Ok(entries)
    }

    pub(crate) fn is_empty_table(&self) -> bool {
        matches!(&self.value, Value::Table(entries) if entries.is_empty())
    }

    /// The items of a list, or the value alone.
    pub(crate) fn one_or_more(&self) -> &[Node] {
        if let Value::List(items) = &self.value {
            items
        } else {
            std::slice::from_ref(self)
        }
    }

    /// One text or a list of texts, with their places.
    pub(crate) fn texts(&self) -> Result<Vec<(&str, Span)>, Fault> {
        self.one_or_more()
            .iter()
            .map(|item| Ok((item.text()?, item.span)))
            .collect()
    }
}

/// A table whose keys are asked for one by one; what nobody asks for is unknown.
pub(crate) struct Fields<'n> {
    entries: &'n [(Key, Node)],
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    pub(crate) fn of(node: &'n Node) -> Result<Fields<'n>, Fault> {
        Ok(Fields {
            entries: node.table()?,
            known: Vec::new(),
        })
    }

    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'n Node> {
        self.known.push(key);
        let entry = self.entries.iter().find(|(name, _)| name.name == key);
        entry.map(|(_, node)| node)
    }

    /// Refuses the first key that was not asked for.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        let unknown = self
            .entries
            .iter()
            .find(|(key, _)| !self.known.contains(&&*key.name));
        unknown.map_or(Ok(()), |(key, _)| Err(unknown_key(key, &self.known)))
    }
}

pub(crate) fn unknown_key(key: &Key, known: &[&str]) -> Fault {
    let fault = Fault::new(KEY, key.span, format!("unknown key `{}`", key.name));
    match nearest(&key.name, known.iter().copied()) {
        Some(nearest) => fault.help(format!("did you mean `{nearest}`?")),
        None => fault.help(format!("known here: {}", known.join(", "))),
    }
}
