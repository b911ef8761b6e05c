//! How a free table is kept: its record, one line an entry (F40).

use cw_table::{Record, Table};

use crate::store::{Entry, Standing, TableRecord};

/// A table as the store begins to keep it.
pub(super) fn beginning(id: &str, fingerprint: &str, table: &Table) -> (TableRecord, Vec<Entry>) {
    let record = TableRecord {
        id: id.to_owned(),
        fingerprint: fingerprint.to_owned(),
        start: Record::header(table),
        standing: Standing::Going,
    };
    let entries = (0..table.len()).map(|at| entry(at, &Record::line(table, at)));
    (record, entries.collect())
}

/// A line of the record as an entry of the log.
pub(super) fn entry(at: usize, line: &str) -> Entry {
    let number = at as u64;
    Entry {
        version: Entry::VERSION,
        number,
        question: number,
        choice: line.trim_end_matches('\n').to_owned(),
    }
}

/// The record that is kept.
pub(super) fn read(record: &TableRecord, log: &[Entry]) -> Result<String, String> {
    let mut text = record.start.clone();
    for (at, entry) in log.iter().enumerate() {
        if entry.number != at as u64 || entry.choice.contains('\n') {
            return Err(format!("entry {at} of its log makes no sense"));
        }
        text.push_str(&entry.choice);
        text.push('\n');
    }
    Ok(text)
}

/// The names of its seats.
pub(super) fn names(start: &str) -> Vec<String> {
    let names = start.lines().filter_map(|line| line.strip_prefix("seat \""));
    names.map(|name| name.trim_end_matches('"').to_owned()).collect()
}
