//! The base of a merge: what a sheet said when it was last imported or exported, kept beside the package.

use std::collections::BTreeMap;

use crate::{RowKey, SheetRow, SheetTable};

/// The rows of a base: by key, what each field says.
pub(crate) type BaseRows = BTreeMap<RowKey, BTreeMap<String, String>>;

const KEYS: [&str; 4] = ["id", "form", "nth", "set"];

/// The rows of a base; nothing if the table is none.
pub(crate) fn base_rows(table: &SheetTable) -> Option<BaseRows> {
    if table.headings.len() < KEYS.len() || table.headings[..KEYS.len()] != KEYS {
        return None;
    }
    let mut rows = BaseRows::new();
    for at in 0..table.rows.len() {
        let key = RowKey {
            id: table.text(at, 0).to_owned(),
            form: table.text(at, 1).to_owned(),
            nth: table.text(at, 2).parse().ok()?,
        };
        let fields = table.headings.iter().enumerate().skip(KEYS.len() - 1);
        let fields = fields.map(|(column, heading)| (heading.clone(), table.text(at, column).to_owned()));
        rows.insert(key, fields.collect());
    }
    Some(rows)
}

/// Reads what was kept; nothing if it is no base.
pub fn read_base(bytes: &[u8]) -> Option<SheetTable> {
    let limits = crate::SheetLimits::default();
    let book = crate::delimited::read_delimited("base", bytes, true, &limits).ok()?;
    let table = book.tables.into_iter().next()?;
    base_rows(&table).map(|_| table)
}

/// The table of some rows, whose fields are all of these.
pub(crate) fn base_table(fields: &[String], rows: &BaseRows) -> SheetTable {
    let own = fields.iter().filter(|field| *field != "set").cloned();
    let headings: Vec<String> = KEYS.iter().map(ToString::to_string).chain(own).collect();
    let mut table = SheetTable {
        counted: true,
        heading_row: 1,
        ..SheetTable::default()
    };
    for (number, (key, values)) in (2..).zip(rows) {
        let mut cells = vec![key.id.clone(), key.form.clone(), key.nth.to_string()];
        let rest = headings.iter().skip(KEYS.len() - 1);
        cells.extend(rest.map(|field| values.get(field).cloned().unwrap_or_default()));
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        table.rows.push(SheetRow { number, cells });
    }
    table.headings = headings;
    table
}
