//! What a sheet says and hardly means; nothing of it keeps a game from being made.

use std::collections::{BTreeMap, BTreeSet};

use cw_octgn::Definition;
use cw_text::nearest;

use crate::draft::is_number;
use crate::{ColumnUse, SheetBook, SheetColumns, SheetFinding};

/// So many whole numbers make a column of numbers, if there are at most a quarter as many other cells.
const NUMBERS: usize = 4;
/// Headings with fewer letters are not compared.
const LETTERS: usize = 4;
/// So many cells of a column are named at most.
const CELLS: usize = 3;

/// Headings that a table spells otherwise than one before it, and cells that make a text of a column of
/// numbers. The uses of columns are those of the tables, in their order.
pub(crate) fn of_draft(book: &SheetBook, columns: &[SheetColumns]) -> Vec<SheetFinding> {
    let mut found = spelled_otherwise(book, columns);
    found.extend(nearly_numbers(book, columns));
    found
}

/// The properties of a table, with their columns.
fn properties(columns: &SheetColumns) -> impl Iterator<Item = (usize, &str)> {
    let uses = columns.uses.iter().enumerate();
    uses.filter_map(|(at, meaning)| match meaning {
        ColumnUse::Property(name) => Some((at, name.as_str())),
        _ => None,
    })
}

/// A heading without what counts in it.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphabetic()).collect()
}

fn spelled_otherwise(book: &SheetBook, columns: &[SheetColumns]) -> Vec<SheetFinding> {
    let mut found = Vec::new();
    let mut before: BTreeSet<&str> = BTreeSet::new();
    for (table, columns) in book.tables.iter().zip(columns) {
        let own: BTreeSet<&str> = properties(columns).map(|(_, name)| name).collect();
        for (at, name) in properties(columns).filter(|(_, name)| !before.contains(name)) {
            // Short words are alike by chance, and numbered ones are meant so.
            let is_other = |other: &&&str| !own.contains(**other) && letters(other) != letters(name);
            let others = before.iter().filter(is_other);
            if letters(name).chars().count() < LETTERS {
                continue;
            }
            let Some(near) = nearest(name, others.copied()) else {
                continue;
            };
            let message = format!("\"{name}\" becomes a property of its own");
            let place = table.place(table.heading_row, at);
            let doubt = SheetFinding::new(&book.file, place, message);
            found.push(doubt.help(format!("did you mean \"{near}\", as on another sheet?")));
        }
        before.extend(own);
    }
    found
}

fn nearly_numbers(book: &SheetBook, columns: &[SheetColumns]) -> Vec<SheetFinding> {
    /// The numbers of a property, and its other cells: table, row, column.
    #[derive(Default)]
    struct Cells {
        numbers: usize,
        others: Vec<(usize, usize, usize)>,
    }
    let mut all: BTreeMap<&str, Cells> = BTreeMap::new();
    for (number, (table, columns)) in book.tables.iter().zip(columns).enumerate() {
        for (at, name) in properties(columns) {
            let cells = all.entry(name).or_default();
            for row in 0..table.rows.len() {
                match table.text(row, at) {
                    "" => {}
                    text if is_number(text) => cells.numbers += 1,
                    _ => cells.others.push((number, row, at)),
                }
            }
        }
    }
    let mut found = Vec::new();
    for (name, Cells { numbers, others }) in all {
        if numbers < NUMBERS || others.len() * 4 > numbers {
            continue;
        }
        for (table, row, at) in others.into_iter().take(CELLS) {
            let table = &book.tables[table];
            let text = crate::cards::clipped(table.text(row, at));
            let message = format!("\"{text}\" is no whole number, so \"{name}\" is a text on every card");
            let doubt = SheetFinding::new(&book.file, table.place(table.rows[row].number, at), message);
            found.push(doubt.help(
                "write a whole number there, and make the game again; or leave it, if any text is meant",
            ));
        }
    }
    found
}

/// Columns that are left out since the game has no such property, and has one that is spelled nearly so.
pub fn left_out(book: &SheetBook, columns: &[SheetColumns], definition: &Definition) -> Vec<SheetFinding> {
    let mut found = Vec::new();
    for (table, columns) in book.tables.iter().zip(columns) {
        let own: BTreeSet<&str> = properties(columns).map(|(_, name)| name).collect();
        let names = definition
            .properties
            .iter()
            .map(|property| property.name.as_str());
        let free: Vec<&str> = names.filter(|name| !own.contains(name)).collect();
        for (at, heading) in table.headings.iter().enumerate() {
            if !columns.unknown.contains(heading) {
                continue;
            }
            let Some(near) = nearest(heading, free.iter().copied()) else {
                continue;
            };
            let place = table.place(table.heading_row, at);
            let message = format!("the game has no property \"{heading}\", so this column is left out");
            let doubt = SheetFinding::new(&book.file, place, message);
            found.push(doubt.help(format!("did you mean \"{near}\"?")));
        }
    }
    found
}
