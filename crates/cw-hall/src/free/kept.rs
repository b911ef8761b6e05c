//! How a free table is kept: its record, one line an entry (F40), and now and then what it stands for.
//!
//! Whoever wakes a table plays only what came after such a state. It is made between two entries, counts only
//! if its digest is the one in the record, and may be lost: then all is played.

use cw_table::{FreeRecord, FreeTable, Kit, TableEvent};
use std::sync::Arc;

use super::hex;
use crate::hall::WakeError;
use crate::store::{DuelStanding, DuelStore, TableRecord};
use cw_pages::entry::DuelEntry;

/// A table as the store begins to keep it.
pub(crate) fn beginning(id: &str, fingerprint: &str, table: &FreeTable) -> (TableRecord, Vec<DuelEntry>) {
    let record = TableRecord {
        id: id.to_owned(),
        fingerprint: fingerprint.to_owned(),
        start: FreeRecord::header(table),
        standing: DuelStanding::Going,
    };
    let entries = (0..table.len()).map(|at| entry(at, &FreeRecord::line(table, at)));
    (record, entries.collect())
}

/// A line of the record as an entry of the log.
pub(crate) fn entry(at: usize, line: &str) -> DuelEntry {
    let number = at as u64;
    DuelEntry {
        version: DuelEntry::VERSION,
        number,
        question: number,
        choice: line.trim_end_matches('\n').to_owned(),
    }
}

/// The record that is kept; its lines are those of the log from this number on.
pub fn read(record: &TableRecord, log: &[DuelEntry], from: u64) -> Result<String, String> {
    let mut text = record.start.clone();
    for (at, entry) in (from..).zip(log) {
        if entry.number != at || entry.choice.contains('\n') {
            return Err(format!("entry {at} of its log is not valid"));
        }
        text.push_str(&entry.choice);
        text.push('\n');
    }
    Ok(text)
}

/// The names of its seats.
pub(crate) fn names(start: &str) -> Vec<String> {
    let names = start.lines().filter_map(|line| line.strip_prefix("seat \""));
    names.map(|name| name.trim_end_matches('"').to_owned()).collect()
}

/// After so many entries what a table stands for is kept once more.
const SPACING: usize = 256;
/// So many are kept: at the earlier one, enough of what happened lately is at hand.
const MOST: usize = 2;

/// The states of a table that the store keeps, by the number of entries before them.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptStates(Vec<usize>);

impl KeptStates {
    /// Something was done: it went back to before this entry, if it did. Keeps what the table stands for when
    /// it is time, with the number of lines that were told.
    pub(crate) fn note(
        &mut self,
        store: &dyn DuelStore,
        id: &str,
        table: &FreeTable,
        told: usize,
        back: Option<usize>,
    ) {
        // From a state that something later goes back past, nobody can play on.
        if let Some(to) = back {
            self.0.retain(|number| *number < to);
        }
        let last = self.0.last().copied().unwrap_or(0);
        if table.len() < last + SPACING {
            return;
        }
        let Some(state) = table.kept() else {
            return;
        };
        self.0.push(table.len());
        if self.0.len() > MOST {
            self.0.remove(0);
        }
        let first = self.0.first().copied().unwrap_or(0);
        let text = format!("{told} {}", hex(&state));
        // Without it, waking takes longer.
        let _ = store.keep_state(id, table.len() as u64, &text, first as u64);
    }
}

/// A table that was woken.
#[derive(Debug)]
pub(crate) struct Woken {
    pub(crate) table: FreeTable,
    /// How many lines were told before those that follow.
    pub(crate) before: usize,
    /// What happened, by steps, as far as it was played.
    pub(crate) told: Vec<(usize, Vec<TableEvent>)>,
    pub(crate) kept: KeptStates,
    /// How many entries were played.
    pub(crate) played: usize,
}

/// Wakes a table from the earliest state that is kept, else from its beginning.
pub(crate) fn wake(store: &dyn DuelStore, kit: &Arc<Kit>, record: &TableRecord) -> Result<Woken, WakeError> {
    let states = store.states(&record.id).unwrap_or_default();
    let numbers: Vec<usize> = states
        .iter()
        .filter_map(|(number, _)| usize::try_from(*number).ok())
        .collect();
    let mut in_vain = 0;
    for (at, (number, state)) in states.iter().enumerate() {
        match from_state(store, kit, record, *number, state) {
            Ok(mut woken) => {
                woken.kept = KeptStates(numbers[at..].to_vec());
                woken.played += in_vain;
                return Ok(woken);
            }
            Err(played) => in_vain += played,
        }
    }
    let mut woken = from_beginning(store, kit, record)?;
    woken.played += in_vain;
    Ok(woken)
}

/// All of a table; what it stands for is kept for the next time.
pub(crate) fn from_beginning(
    store: &dyn DuelStore,
    kit: &Arc<Kit>,
    record: &TableRecord,
) -> Result<Woken, WakeError> {
    let log = store.log(&record.id, 0)?;
    let played = FreeRecord::read(&read(record, &log, 0)?).map_err(|fault| fault.to_string())?;
    let (mut told, mut lines) = (Vec::new(), 0);
    let mut kept = KeptStates::default();
    let late = log.len().saturating_sub((MOST + 1) * SPACING);
    let mut table = played.begin(kit).map_err(|fault| fault.to_string())?;
    let played = played.play_on(&mut table, |table, step, events| {
        lines += events.len();
        told.push((step, events));
        // Only the last ones are worth the writing.
        if step >= late {
            let back = table.went_back_to(step);
            kept.note(store, &record.id, table, lines, back);
        }
    });
    played.map_err(|fault| fault.to_string())?;
    Ok(Woken {
        table,
        before: 0,
        told,
        kept,
        played: log.len(),
    })
}

/// A table from what was kept of it after so many entries; how many entries were played in vain if that
/// cannot be.
fn from_state(
    store: &dyn DuelStore,
    kit: &Arc<Kit>,
    record: &TableRecord,
    number: u64,
    state: &str,
) -> Result<Woken, usize> {
    let ready = || {
        let (before, state) = state.split_once(' ')?;
        let last = number.checked_sub(1)?;
        let log = store.log(&record.id, last).ok()?;
        let (line, rest) = log.split_first().filter(|(line, _)| line.number == last)?;
        let (_, digest) = line.choice.rsplit_once(" = ")?;
        let rest = FreeRecord::read(&read(record, rest, number).ok()?).ok()?;
        let entries = usize::try_from(number).ok()?;
        let table = rest.going_on(kit, entries, &bytes(state)?, digest)?;
        Some((before.parse().ok()?, rest, table))
    };
    let (before, rest, mut table) = ready().ok_or(0usize)?;
    let mut told = Vec::new();
    let played = rest.play_on(&mut table, |_, step, events| told.push((step, events)));
    // It may have gone back further than to this state.
    played.map_err(|_| told.len())?;
    Ok(Woken {
        before,
        played: told.len(),
        told,
        table,
        kept: KeptStates::default(),
    })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
            _ => None,
        })
        .collect()
}
