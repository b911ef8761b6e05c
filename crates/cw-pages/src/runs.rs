//! Runs at a host: how they are kept.

use serde::{Deserialize, Serialize};

/// A run as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun {
    /// The run, as `cw_run::Run::record` writes it.
    pub record: String,
    /// The game that it was begun with.
    #[serde(default)]
    pub fingerprint: String,
    /// The seat of its last duel, by its public name, with the number of acts before that duel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<(usize, String)>,
    /// Counts what was kept, so that the newest run comes first.
    #[serde(default)]
    pub order: u64,
}

impl KeptRun {
    /// The seat of the duel that waits after so many acts.
    pub fn table_of(&self, acts: usize) -> Option<&str> {
        let (known, name) = self.table.as_ref()?;
        (*known == acts).then_some(name.as_str())
    }
}
