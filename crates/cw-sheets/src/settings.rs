//! `game.toml` with what the columns of a sheet mean.

use std::collections::BTreeMap;

use toml_edit::{DocumentMut, Item, Table, value};

/// The text of a `game.toml` whose `[import.columns]` says what these headings mean; nothing where it says so
/// already.
///
/// # Errors
/// The text is no TOML.
pub fn with_columns(text: &str, columns: &BTreeMap<String, String>) -> Result<Option<String>, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|why: toml_edit::TomlError| why.to_string())?;
    let import = document.entry("import").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let Some(import) = import.as_table_like_mut() else {
        return Err("`import` is not a section".to_owned());
    };
    let own = import
        .entry("columns")
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(own) = own.as_table_like_mut() else {
        return Err("`import.columns` is not a section".to_owned());
    };
    let mut changed = false;
    for (heading, meaning) in columns {
        let old = own.get(heading).and_then(Item::as_str);
        if old != Some(meaning) {
            changed = true;
            own.insert(heading, value(meaning));
        }
    }
    Ok(changed.then(|| document.to_string()))
}
