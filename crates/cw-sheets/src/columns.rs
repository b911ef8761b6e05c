//! What the columns of a table mean: said by the user, kept in `game.toml`, or guessed.

use std::collections::BTreeMap;

use cw_octgn::Definition;

use crate::{SheetFinding, SheetTable, excel_letters};

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnUse {
    /// The card's id.
    Id,
    /// Which other form of the card the row is; empty: its base form.
    Form,
    /// The card's name.
    Name,
    /// The name of its set.
    Set,
    /// Its size, if not the default one.
    Size,
    /// The file of its picture.
    Picture,
    /// How many of it are in the starter deck.
    Count,
    /// A property, by its name.
    Property(String),
    /// Nothing that is imported.
    LeftOut,
}

/// The words for columns that are not properties, with what people call them.
const WORDS: [(ColumnUse, &str, &[&str]); 7] = [
    (ColumnUse::Id, "id", &["card id", "cardid", "guid", "uuid"]),
    (
        ColumnUse::Form,
        "form",
        &["alternate", "card form", "side", "face"],
    ),
    (
        ColumnUse::Name,
        "name",
        &["card name", "cardname", "card", "title"],
    ),
    (
        ColumnUse::Set,
        "set",
        &["set name", "setname", "edition", "expansion"],
    ),
    (ColumnUse::Size, "size", &["card size"]),
    (
        ColumnUse::Picture,
        "picture",
        &[
            "image",
            "imagefile",
            "image file",
            "picurl",
            "pic",
            "file",
            "filename",
            "artwork",
        ],
    ),
    (
        ColumnUse::Count,
        "count",
        &["qty", "quantity", "copies", "amount", "number of copies"],
    ),
];

impl ColumnUse {
    /// How `game.toml` and `--column` write it: a property's name, `@id` and so on, or `-`.
    pub fn written(&self) -> String {
        match self {
            ColumnUse::Property(name) => name.clone(),
            ColumnUse::LeftOut => "-".to_owned(),
            ColumnUse::Id
            | ColumnUse::Form
            | ColumnUse::Name
            | ColumnUse::Set
            | ColumnUse::Size
            | ColumnUse::Picture
            | ColumnUse::Count => {
                let found = WORDS.iter().find(|(meaning, ..)| meaning == self);
                found.map_or_else(String::new, |(_, word, _)| format!("@{word}"))
            }
        }
    }

    /// Reads what [`ColumnUse::written`] writes.
    pub fn read(text: &str) -> Option<ColumnUse> {
        match text.strip_prefix('@') {
            Some(word) => word_use(word),
            None if text == "-" => Some(ColumnUse::LeftOut),
            None if text.is_empty() => None,
            None => Some(ColumnUse::Property(text.to_owned())),
        }
    }
}

fn word_use(word: &str) -> Option<ColumnUse> {
    let found = WORDS.iter().find(|(_, own, _)| *own == word);
    found.map(|(meaning, ..)| meaning.clone())
}

/// What each column of a table means.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SheetColumns {
    /// The use of each column, in order.
    pub uses: Vec<ColumnUse>,
    /// The headings of columns that are left out since nobody knows what they mean.
    pub unknown: Vec<String>,
}

impl SheetColumns {
    /// The place of the column with this use.
    pub fn find(&self, meaning: &ColumnUse) -> Option<usize> {
        self.uses.iter().position(|found| found == meaning)
    }
}

/// What is known of columns before anybody looks at them.
#[derive(Clone, Copy, Debug)]
pub struct KnownColumns<'k> {
    /// The game; none where one is made of the table.
    pub definition: Option<&'k Definition>,
    /// By heading, as `game.toml` has it or the user says it.
    pub said: &'k BTreeMap<String, String>,
}

/// Finds out what the columns mean for a game that is there.
///
/// # Errors
/// Columns that contradict each other, each at its heading.
pub fn columns_of(
    file: &str,
    table: &SheetTable,
    definition: &Definition,
    said: &BTreeMap<String, String>,
) -> Result<SheetColumns, Vec<SheetFinding>> {
    let known = KnownColumns {
        definition: Some(definition),
        said,
    };
    columns_with(file, table, known)
}

/// As [`columns_of`], also for a game that is made of the table: then every column whose heading says nothing
/// else is a property.
///
/// # Errors
/// As [`columns_of`].
pub fn columns_with(
    file: &str,
    table: &SheetTable,
    known: KnownColumns<'_>,
) -> Result<SheetColumns, Vec<SheetFinding>> {
    let mut columns = SheetColumns::default();
    let mut found = Vec::new();
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for (at, heading) in table.headings.iter().enumerate() {
        let wrong = |message: String| SheetFinding::new(file, table.place(table.heading_row, at), message);
        let meaning = match meaning(heading, table, at, &known) {
            Ok(meaning) => meaning,
            Err((message, help)) => {
                found.push(wrong(message).help(help));
                ColumnUse::LeftOut
            }
        };
        if meaning == ColumnUse::LeftOut && !heading.is_empty() && !known.said.contains_key(heading) {
            columns.unknown.push(heading.clone());
        }
        if meaning != ColumnUse::LeftOut {
            // Of a game that is there, properties may differ in case alone.
            let key = match known.definition {
                Some(_) => meaning.written(),
                None => meaning.written().to_lowercase(),
            };
            match firsts.get(&key) {
                Some(first) => {
                    let other = table.headings.get(*first).cloned().unwrap_or_default();
                    let letters = excel_letters(*first);
                    let message = format!("this column means the same as column {letters} (\"{other}\")");
                    found.push(wrong(message).help("give one of them another heading"));
                }
                None => {
                    firsts.insert(key, at);
                }
            }
        }
        columns.uses.push(meaning);
    }
    if found.is_empty() && columns.find(&ColumnUse::Name).is_none() {
        let place = crate::SheetPlace {
            row: Some(table.heading_row),
            ..table.whole()
        };
        let wrong = SheetFinding::new(file, place, "no column holds the cards' names");
        found.push(wrong.help("call one \"name\", or say which with --column 'HEADING=@name'"));
    }
    match found.is_empty() {
        true => Ok(columns),
        false => Err(found),
    }
}

fn meaning(
    heading: &str,
    table: &SheetTable,
    at: usize,
    known: &KnownColumns<'_>,
) -> Result<ColumnUse, (String, String)> {
    if heading.is_empty() {
        let used = (0..table.rows.len()).any(|row| !table.text(row, at).trim().is_empty());
        return match used {
            true => Err((
                "the column has cells but no heading".into(),
                "write a heading, or empty the column".into(),
            )),
            false => Ok(ColumnUse::LeftOut),
        };
    }
    let property = |name: &str| {
        let definition = known.definition?;
        let mut names = definition
            .properties
            .iter()
            .map(|property| property.name.as_str());
        let exact = definition.property(name).map(|property| property.name.as_str());
        exact.or_else(|| names.find(|found| found.eq_ignore_ascii_case(name)))
    };
    if let Some(said) = known.said.get(heading) {
        let Some(meant) = ColumnUse::read(said) else {
            return Err((
                format!("`{said}` says nothing that a column can mean"),
                "columns are a property's name, @id, @form, @name, @set, @size, @picture, @count, or -"
                    .into(),
            ));
        };
        return match (&meant, known.definition) {
            (ColumnUse::Property(name), Some(definition)) => match property(name) {
                Some(name) => Ok(ColumnUse::Property(name.to_owned())),
                None => {
                    let names = definition
                        .properties
                        .iter()
                        .map(|property| property.name.as_str());
                    let near = cw_text::nearest(name, names).map(|near| format!("did you mean `{near}`?"));
                    let help = near.unwrap_or_else(|| "add it to definition.xml first".into());
                    Err((format!("the game has no property `{name}`"), help))
                }
            },
            _ => Ok(meant),
        };
    }
    if let Some(name) = heading.strip_prefix("property:") {
        return Ok(match (property(name), known.definition) {
            (Some(name), _) => ColumnUse::Property(name.to_owned()),
            (None, Some(_)) => ColumnUse::LeftOut,
            // A new game has the property that an exported sheet names.
            (None, None) => ColumnUse::Property(property_name(name)),
        });
    }
    let is_spelled = known
        .definition
        .is_some_and(|definition| definition.property(heading).is_some());
    let is_doubled = table
        .headings
        .iter()
        .any(|other| other.strip_prefix("property:") == Some(heading));
    if let Some(meaning) = word_use(heading).filter(|_| !is_spelled || is_doubled) {
        return Ok(meaning);
    }
    if let Some(name) = property(heading) {
        return Ok(ColumnUse::Property(name.to_owned()));
    }
    let lower = heading.to_lowercase();
    let mut words = WORDS.iter();
    let guessed = words.find(|(_, word, others)| *word == lower || others.contains(&lower.as_str()));
    if let Some((meaning, word, others)) = guessed {
        // One with the word itself goes before one that is only called like it, and an earlier one before a
        // later.
        let is_taken = table.headings.iter().any(|other| other.to_lowercase() == *word);
        let is_second = table.headings[..at].iter().any(|other| {
            let other = other.to_lowercase();
            others.contains(&other.as_str())
        });
        if lower == *word || !(is_taken || is_second) {
            return Ok(meaning.clone());
        }
    }
    Ok(match known.definition {
        Some(_) => ColumnUse::LeftOut,
        None => ColumnUse::Property(property_name(heading)),
    })
}

/// Names that OCTGN's tools keep for themselves (PK058, PK153), in small letters.
const RESERVED: [&str; 10] = [
    "name",
    "id",
    "alternate",
    "size",
    "type",
    "set",
    "setname",
    "cardsizename",
    "cardsizeheight",
    "cardsizewidth",
];

/// A heading as the name of a property.
fn property_name(heading: &str) -> String {
    let plain: String = heading.split_whitespace().collect::<Vec<_>>().join(" ");
    match RESERVED.contains(&plain.to_lowercase().as_str()) || plain == "-" || plain.starts_with('@') {
        true => format!("Card {plain}"),
        false => plain,
    }
}
