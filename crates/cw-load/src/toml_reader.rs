//! Reads the values of settings out of TOML, and says of each that is wrong where and what it must be.

use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What reads one file of settings.
pub(crate) struct TomlReader<'a> {
    pub(crate) file: FileId,
    pub(crate) found: &'a mut Vec<Diagnostic>,
    /// Where the text was no TOML.
    unread: Option<Span>,
    /// The code of what is found.
    code: FindingCode,
}

impl<'r> TomlReader<'r> {
    /// Begins to read a text; the first thing that makes it no TOML is found.
    pub(crate) fn begin<'t>(
        text: &'t str,
        file: FileId,
        found: &'r mut Vec<Diagnostic>,
        code: FindingCode,
    ) -> (Spanned<DeTable<'t>>, TomlReader<'r>) {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut reader = TomlReader {
            file,
            found,
            unread: None,
            code,
        };
        // One slip of writing may give several errors; the first is the cause.
        if let Some(error) = errors.first() {
            let span = error.span().map_or(Span::at(0), Span::from);
            let words = error.message().replace('\n', ", ");
            let (message, help) = match range_at(text, span) {
                Some(help) => ("this is no TOML: a range is written otherwise".to_owned(), help),
                None => (
                    format!("this is no TOML: {words}"),
                    "a line is `key = value`: a number in digits alone, as `2000`, \
                     a text in double quotes, a list in `[…]`; a section is `[name]`"
                        .to_owned(),
                ),
            };
            reader.wrong(span, message, Some(help));
            reader.unread = Some(span);
        }
        (table, reader)
    }

    pub(crate) fn wrong(&mut self, span: Span, message: String, help: Option<String>) {
        let finding = Diagnostic::new(self.code, Severity::Error, self.file, span, message);
        self.found.push(match help {
            Some(help) => finding.help(help),
            None => finding,
        });
    }

    pub(crate) fn unknown<'k>(
        &mut self,
        name: ConfigName<'_>,
        of: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) {
        let help = match nearest(name.text, known.clone()).or_else(|| meant(name.text, &known)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.wrong(
            name.span,
            format!("`{}` is no key of {of}", name.text),
            Some(help),
        );
    }

    /// The value is of another kind than wanted.
    pub(crate) fn other_kind(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let is = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or a time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let span = Span::from(value.span());
        // What was said to be no TOML is not said to be something else, too.
        if self.unread.is_some_and(|unread| unread.touches(span)) {
            return;
        }
        let message = format!("`{}` is {is}, it must be {wanted}", name.text);
        let help = match value.get_ref() {
            DeValue::String(text) => range(text),
            _ => None,
        };
        self.wrong(span, message, help);
    }

    pub(crate) fn number(
        &mut self,
        name: ConfigName<'_>,
        value: &Spanned<DeValue<'_>>,
        least: i64,
        most: i64,
    ) -> Option<i64> {
        let DeValue::Integer(digits) = value.get_ref() else {
            self.other_kind(name, value, "a whole number");
            return None;
        };
        let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
        if let Some(number) = number.filter(|number| (least..=most).contains(number)) {
            return Some(number);
        }
        let message = format!(
            "`{}` is {}, it must be from {least} to {most}",
            name.text,
            digits.as_str()
        );
        self.wrong(Span::from(value.span()), message, None);
        None
    }

    pub(crate) fn text(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.other_kind(name, value, "a text in quotes");
                None
            }
        }
    }

    pub(crate) fn texts(
        &mut self,
        name: ConfigName<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<(String, Span)> {
        let DeValue::Array(list) = value.get_ref() else {
            self.other_kind(name, value, "a list of texts, as [\"A\", \"B\"]");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for one in list {
            texts.extend(self.text(name, one).map(|text| (text, Span::from(one.span()))));
        }
        texts
    }

    pub(crate) fn table<'a, 't>(
        &mut self,
        name: ConfigName<'_>,
        value: &'a Spanned<DeValue<'t>>,
    ) -> Vec<(ConfigName<'a>, &'a Spanned<DeValue<'t>>)> {
        match value.get_ref() {
            DeValue::Table(table) => sorted(table),
            _ => {
                self.other_kind(name, value, "a table of names");
                Vec::new()
            }
        }
    }
}

/// How a range in the line of a place is written rightly.
fn range_at(text: &str, place: Span) -> Option<String> {
    let start = text
        .get(..place.start as usize)?
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let line = text.get(start..)?.lines().next()?;
    let (_, value) = line.split_once('=')?;
    range(value.split('#').next()?.trim())
}

/// How a range is written rightly that was written as people do: `40-60`, `40..60`, `40 to 60`.
fn range(value: &str) -> Option<String> {
    let joined = ["-", "..", "–", " to "];
    joined.into_iter().find_map(|sign| {
        let (from, to) = value.split_once(sign)?;
        let to = to.trim_start_matches(['=', '.']);
        let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        Some(format!("a range is `{{ min = {from}, max = {to} }}`"))
    })
}

/// The entries of a table in the order of the file.
pub(crate) fn sorted<'a, 't>(table: &'a DeTable<'t>) -> Vec<(ConfigName<'a>, &'a Spanned<DeValue<'t>>)> {
    let mut entries: Vec<(ConfigName<'a>, &Spanned<DeValue<'t>>)> = table
        .iter()
        .map(|(key, value)| {
            let name = ConfigName {
                text: key.get_ref(),
                span: Span::from(key.span()),
            };
            (name, value)
        })
        .collect();
    entries.sort_by_key(|(name, _)| name.span);
    entries
}

/// A key with its place.
#[derive(Clone, Copy)]
pub(crate) struct ConfigName<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// What other games call what has a key here.
const OTHER_WORDS: &[(&str, &[&str])] = &[
    (
        "hp",
        &["life", "lives", "health", "lifepoints", "hitpoints", "points"],
    ),
    ("sp", &["energy", "mana", "resources", "skill", "power"]),
    (
        "opening-hand",
        &["hand", "handsize", "cards", "draw", "opening", "mulligan"],
    ),
    ("copies", &["playset", "duplicates", "copy", "same"]),
    ("deck-size", &["deck", "decksize", "library"]),
    (
        "ring-slots",
        &["slots", "ring", "board", "field", "battlefield", "bench"],
    ),
    ("max-turns", &["turns", "rounds", "limit"]),
    (
        "size",
        &["min", "max", "cards", "count", "number", "minimum", "maximum"],
    ),
    ("unlimited", &["any", "basic", "free"]),
    ("characters-per-turn", &["characters", "summons", "plays"]),
    ("backups-per-turn", &["backups"]),
];

/// The key that has a word with an unknown one in common: `opening-hand` for `starting-hand`.
fn meant<'k>(name: &str, known: &(impl Iterator<Item = &'k str> + Clone)) -> Option<&'k str> {
    let words = || name.split(['-', '_', ' ']).map(str::to_lowercase);
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut keys = known.clone().filter(|key| fits(key));
        keys.next().filter(|_| keys.next().is_none())
    };
    let says = |key: &str, word: &str| {
        let others = OTHER_WORDS.iter().filter(|(of, _)| *of == key);
        others.flat_map(|(_, words)| *words).any(|other| *other == word)
    };
    only(&|key| key.split('-').all(|part| words().any(|word| word == part)))
        .or_else(|| only(&|key| key.split('-').any(|part| words().any(|word| word == part))))
        .or_else(|| only(&|key| words().any(|word| says(key, &word))))
}
