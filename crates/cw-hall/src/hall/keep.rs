//! What changes a table: a copy is changed, its new entries are stored, then it is shown.
//!
//! What cannot be stored never was: the seat is told, and the table stays as it is. Where the store does not
//! say whether it has written, the table stands still until its log was read again.

use std::sync::MutexGuard;

use cw_pages::entry::DuelEntry;

use super::{Hall, HallTable, Hosted, KeepFault, TableWriter};
use crate::lock::locked;
use crate::store::StoreError;

impl<H: Hosted> Hall<H> {
    /// The right to change a table, once it is known what the store holds of it.
    pub(crate) fn write<'a>(
        &self,
        table: &'a HallTable<H>,
    ) -> Result<MutexGuard<'a, TableWriter<H>>, KeepFault> {
        let mut writer = locked(&table.writer);
        self.make_sure(table, &mut writer)?;
        Ok(writer)
    }

    /// Finds out whether the last change was stored, if the store did not say it. If it was, it is shown now.
    pub(crate) fn make_sure(
        &self,
        table: &HallTable<H>,
        writer: &mut TableWriter<H>,
    ) -> Result<Option<H::Told>, KeepFault> {
        if writer.closed {
            return Err(KeepFault::Elsewhere);
        }
        let Some((change, entries)) = writer.unsure.take() else {
            return Ok(None);
        };
        let from = entries.first().map_or(0, |entry| entry.number);
        match self.store().log(&writer.record.id, from) {
            Ok(kept) if kept.is_empty() => Ok(None),
            Ok(kept) if kept == entries => Ok(Some(H::show(self, table, &writer.record, change))),
            Ok(_) => {
                writer.closed = true;
                Err(KeepFault::Elsewhere)
            }
            Err(_) => {
                writer.unsure = Some((change, entries));
                Err(KeepFault::NotKept)
            }
        }
    }

    /// Stores what a change has added, then shows it.
    pub(crate) fn keep(
        &self,
        table: &HallTable<H>,
        writer: &mut TableWriter<H>,
        change: H::Change,
        entries: Vec<DuelEntry>,
    ) -> Result<H::Told, KeepFault> {
        let Err(fault) = self.store().append(&writer.record.id, &entries) else {
            return Ok(H::show(self, table, &writer.record, change));
        };
        self.note(&fault.to_string());
        match fault {
            StoreError::Taken { .. } => {
                writer.closed = true;
                Err(KeepFault::Elsewhere)
            }
            _ => {
                writer.unsure = Some((change, entries));
                Err(KeepFault::NotKept)
            }
        }
    }
}
