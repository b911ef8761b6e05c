//! Files with cards of other programs.

use std::collections::BTreeMap;

use cw_octgn::{Guid, MemoryFiles, Package};
use cw_sheets::{
    DraftRequest, SheetForm, SheetLimits, draft_game, export_tables, read, write_delimited, write_xlsx,
};

fn limits() -> SheetLimits {
    SheetLimits {
        bytes: 1 << 20,
        rows: 500,
        columns: 50,
        cells: 5_000,
        ..SheetLimits::default()
    }
}

/// Is read, or refused at a place; what is read within limits makes a game or is refused again. A game that
/// is made has the same cards when it is written as a sheet and read back.
fn reading(file: &str, bytes: &[u8], form: SheetForm) {
    let limits = limits();
    let book = match read(file, bytes, form, &limits) {
        Ok(book) => book,
        Err(found) => {
            assert!(found.to_string().starts_with(file), "{found}");
            return;
        }
    };
    let cells: usize = book
        .tables
        .iter()
        .flat_map(|table| &table.rows)
        .map(|row| row.cells.len())
        .sum();
    assert!(cells <= limits.cells);
    for table in &book.tables {
        let again = read(
            "again.csv",
            &write_delimited(table, ','),
            SheetForm::Delimited,
            &SheetLimits::default(),
        );
        // A sheet whose headings are all empty but for what a quote needs is none any more.
        if let Ok(again) = again
            && again.tables[0].headings == table.headings
        {
            let texts =
                |rows: &[cw_sheets::SheetRow]| rows.iter().map(|row| row.cells.clone()).collect::<Vec<_>>();
            let wide = |cells: &Vec<String>| cells.len() <= table.headings.len();
            if table.rows.iter().all(|row| wide(&row.cells)) {
                assert_eq!(texts(&again.tables[0].rows), texts(&table.rows));
            }
        }
    }
    let drafted = draft_game(&DraftRequest {
        name: "Fuzz",
        id: Guid::of_bytes(b"fuzz"),
        book: &book,
        said: &BTreeMap::new(),
    });
    let Ok(drafted) = drafted else { return };
    let files = drafted
        .files
        .iter()
        .fold(MemoryFiles::new(), |files, (name, bytes)| {
            files.with(name, bytes.clone())
        });
    let package = Package::read(&files).expect("memory can be read");
    assert_eq!(package.cards().count(), drafted.cards);
    let (tables, _, _) = export_tables(&package, true);
    let packed = write_xlsx(&tables, &[]).expect("memory can be written");
    if let Ok(again) = read("again.xlsx", &packed, SheetForm::Xlsx, &SheetLimits::default()) {
        let count =
            |tables: &[cw_sheets::SheetTable]| tables.iter().map(|table| table.rows.len()).sum::<usize>();
        assert_eq!(count(&again.tables), count(&tables));
    }
}

pub(crate) fn delimited(bytes: &[u8]) {
    reading("a.csv", bytes, SheetForm::Delimited);
    reading("carddata.txt", bytes, SheetForm::Lackey);
}

pub(crate) fn xlsx(bytes: &[u8]) {
    reading("a.xlsx", bytes, SheetForm::Xlsx);
}

pub(crate) fn cockatrice(bytes: &[u8]) {
    reading("a.xml", bytes, SheetForm::Cockatrice);
}

pub(crate) fn mtgjson(bytes: &[u8]) {
    reading("a.json", bytes, SheetForm::Mtgjson);
}
