//! Rows of a sheet as forms of cards: which card each is, and what it says.

use std::collections::BTreeMap;

use cw_octgn::Guid;

use crate::rows::guid_text;
use crate::{ColumnUse, RowKey, SheetBook, SheetColumns, SheetFinding, SheetTable};

/// A row, with what its columns say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SheetCard {
    /// The place of its table in the book.
    pub(crate) table: usize,
    /// The row's number.
    pub(crate) row: usize,
    /// What tells it from others.
    pub(crate) key: RowKey,
    /// The set that it names itself; empty: its table's, or the only one.
    pub(crate) set: String,
    /// The column that names the set.
    pub(crate) set_column: Option<usize>,
    /// Its name.
    pub(crate) name: String,
    /// The file of its picture, with the column.
    pub(crate) picture: Option<(String, usize)>,
    /// How many of it are in the starter deck, with the column.
    pub(crate) count: Option<(String, usize)>,
    /// What it says of name, size and properties: field, text, column.
    pub(crate) fields: Vec<(String, String, usize)>,
}

/// What is known about cards that are there.
pub(crate) struct KnownCards<'k> {
    /// The game, of which new ids are made.
    pub(crate) game: Guid,
    /// How often each id and form is in the package or in the base.
    pub(crate) counts: BTreeMap<(String, String), usize>,
    /// Ids of base forms by set, in small letters, and name, in order.
    pub(crate) names: BTreeMap<(String, String), Vec<String>>,
    /// The set of rows that name none.
    pub(crate) only_set: Option<&'k str>,
}

/// The field of a column.
pub(crate) fn field(meaning: &ColumnUse) -> Option<String> {
    match meaning {
        ColumnUse::Name => Some("name".to_owned()),
        ColumnUse::Size => Some("size".to_owned()),
        ColumnUse::Property(name) => Some(format!("property:{name}")),
        ColumnUse::Id
        | ColumnUse::Form
        | ColumnUse::Set
        | ColumnUse::Picture
        | ColumnUse::Count
        | ColumnUse::LeftOut => None,
    }
}

/// All rows as forms of cards.
pub(crate) fn read_cards(
    book: &SheetBook,
    columns: &[SheetColumns],
    known: &KnownCards<'_>,
) -> Result<Vec<SheetCard>, Vec<SheetFinding>> {
    let mut reading = CardReading {
        file: &book.file,
        known,
        seen: BTreeMap::new(),
        named: BTreeMap::new(),
        cards: Vec::new(),
        found: Vec::new(),
    };
    for (at, (table, columns)) in book.tables.iter().zip(columns).enumerate() {
        reading.table(at, table, columns);
    }
    match reading.found.is_empty() {
        true => Ok(reading.cards),
        false => Err(reading.found),
    }
}

struct CardReading<'c> {
    file: &'c str,
    known: &'c KnownCards<'c>,
    /// The first place of each id and form, and how often it has come.
    seen: BTreeMap<(String, String), (String, usize)>,
    /// How often each name without an id has come in its set.
    named: BTreeMap<(String, String), usize>,
    cards: Vec<SheetCard>,
    found: Vec<SheetFinding>,
}

impl CardReading<'_> {
    fn table(&mut self, at: usize, table: &SheetTable, columns: &SheetColumns) {
        let column = |meaning: &ColumnUse| columns.find(meaning);
        let (ids, forms, names) = (
            column(&ColumnUse::Id),
            column(&ColumnUse::Form),
            column(&ColumnUse::Name),
        );
        let (sets, pictures, counts) = (
            column(&ColumnUse::Set),
            column(&ColumnUse::Picture),
            column(&ColumnUse::Count),
        );
        let cell = |row: usize, column: Option<usize>| column.map_or("", |column| table.text(row, column));
        let has_guids = (0..table.rows.len()).any(|row| guid_text(cell(row, ids)).is_some());
        let mut last: Option<String> = None;
        for (place, row) in table.rows.iter().enumerate() {
            let wrong = |column: Option<usize>, message: String| {
                let at = match column {
                    Some(column) => table.place(row.number, column),
                    None => table.row_place(row.number),
                };
                SheetFinding::new(self.file, at, message)
            };
            if let Some(beyond) =
                (table.headings.len()..row.cells.len()).find(|at| !row.cells[*at].trim().is_empty())
            {
                let found = wrong(Some(beyond), "the cell has no heading above it".to_owned());
                self.found.push(
                    found.help("a separator too many, or a text without quotes, moves cells to the right"),
                );
                continue;
            }
            let name = cell(place, names).to_owned();
            let form = cell(place, forms).trim().to_owned();
            let set = cell(place, sets).trim().to_owned();
            let written = cell(place, ids).trim();
            let set_name = match (set.as_str(), table.name.trim()) {
                ("", "") => self.known.only_set.unwrap_or_default(),
                ("", sheet) => sheet,
                (set, _) => set,
            };
            let id = match (guid_text(written), written, form.as_str()) {
                (Some(id), ..) => id,
                (None, "", "") => {
                    let key = (set_name.to_lowercase(), name.clone());
                    let nth = self.named.entry(key.clone()).or_insert(0);
                    *nth += 1;
                    let there = self.known.names.get(&key).and_then(|ids| ids.get(*nth - 1));
                    there
                        .cloned()
                        .unwrap_or_else(|| made(self.known.game, &format!("{set_name}\n{name}\n{nth}")))
                }
                (None, "", _) => match &last {
                    Some(id) => id.clone(),
                    None => {
                        let found = wrong(forms, format!("the form `{form}` stands below no card"));
                        self.found
                            .push(found.help("write it below the card's own row, or give it the card's id"));
                        continue;
                    }
                },
                (None, key, _) if self.known.counts.contains_key(&(key.to_owned(), String::new())) => {
                    key.to_owned()
                }
                (None, key, _) if has_guids => {
                    let found = wrong(
                        ids,
                        format!("`{}` is not an id, as the others here are", clipped(key)),
                    );
                    self.found.push(found.help("leave it empty for a new card"));
                    continue;
                }
                (None, key, _) if key.parse::<f64>().is_ok() && key.contains(['e', 'E']) => {
                    let found = wrong(
                        ids,
                        format!("the spreadsheet has made a number of this id ({key})"),
                    );
                    self.found
                        .push(found.help("format the column as text, and write the id again"));
                    continue;
                }
                (None, key, _) => made(self.known.game, key),
            };
            if form.is_empty() {
                last = Some(id.clone());
            }
            let key = (id.clone(), form.clone());
            let here = table.row_place(row.number).to_string();
            let (first, times) = self.seen.entry(key.clone()).or_insert((here, 0));
            if *times >= self.known.counts.get(&key).copied().unwrap_or(0).max(1) {
                let what = match form.is_empty() {
                    true => "this card".to_owned(),
                    false => format!("the form `{form}` of this card"),
                };
                let column = if written.is_empty() || !form.is_empty() {
                    forms.filter(|_| !form.is_empty())
                } else {
                    ids
                };
                let found = wrong(column, format!("{what} stands twice, first in {first}"));
                self.found
                    .push(found.help("delete one of the rows, or give one another id"));
                continue;
            }
            let nth = *times;
            *times += 1;
            let fields = columns.uses.iter().enumerate();
            let fields = fields.filter_map(|(column, meaning)| {
                Some((field(meaning)?, table.text(place, column).to_owned(), column))
            });
            let beside = |column: Option<usize>| {
                let text = cell(place, column).trim().to_owned();
                column.filter(|_| !text.is_empty()).map(|column| (text, column))
            };
            let (picture, count) = (beside(pictures), beside(counts));
            let fields = fields.collect();
            self.cards.push(SheetCard {
                table: at,
                row: row.number,
                key: RowKey { id, form, nth },
                set: set_name.to_owned(),
                set_column: sets.filter(|_| !set.is_empty()),
                name,
                picture,
                count,
                fields,
            });
        }
    }
}

/// The id of a card that has none: the same for the same game and text.
fn made(game: Guid, text: &str) -> String {
    Guid::of_bytes(format!("{game}\n{text}").as_bytes()).to_string()
}

/// The beginning of a text, in one line.
pub(crate) fn clipped(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > 60 {
        true => line.chars().take(59).chain(['…']).collect(),
        false => line,
    }
}
