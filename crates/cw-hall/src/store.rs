//! What keeps tables: logs of what was done. What a long table stands for is kept beside its log, only to
//! spare playing all of it; the log alone decides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;

use cw_pages::entry::DuelEntry;
use cw_pages::secret::Secret;

use crate::lock::locked;

/// Keeps duels: those in progress, to go on, and those that are over, to be watched.
pub trait DuelStore: Send + Sync {
    /// The secret from which those of its seats are made. It does not lie among what is kept.
    fn key(&self) -> Secret;
    /// A duel begins, with what was done in it already. Beginning it twice begins it anew.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError>;
    /// Something was done in a duel. All entries are kept, or none.
    ///
    /// # Errors
    /// If they cannot be kept, or do not follow the last one.
    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError>;
    /// What was done from this number on, in order.
    ///
    /// # Errors
    /// If it cannot be read.
    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError>;
    /// Whether anything was done in a duel.
    ///
    /// # Errors
    /// If it cannot be read.
    fn is_begun(&self, duel: &str) -> Result<bool, StoreError> {
        Ok(!self.log(duel, 0)?.is_empty())
    }
    /// Whether the duel goes on.
    ///
    /// # Errors
    /// If that cannot be kept.
    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError>;
    /// The duel has been forgotten.
    ///
    /// # Errors
    /// If it cannot be.
    fn forget(&self, duel: &str) -> Result<(), StoreError>;
    /// Keeps what a table stands for after so many entries, so that not all of its log has to be played; what
    /// was kept of fewer entries than `first` goes. It may be lost: the log alone decides.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn keep_state(&self, _duel: &str, _entries: u64, _state: &str, _first: u64) -> Result<(), StoreError> {
        Ok(())
    }
    /// What was kept of a table, with the number of entries that lead there, the earliest first.
    ///
    /// # Errors
    /// If it cannot be read.
    fn states(&self, _duel: &str) -> Result<Vec<(u64, String)>, StoreError> {
        Ok(Vec::new())
    }
    /// All duels but those set aside, the newest first. One whose beginning cannot be read is told as
    /// its name and why not.
    ///
    /// # Errors
    /// If nothing can be read.
    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError>;
    /// Notes that something holds, or no longer does: what whoever runs the host has reached. A store that
    /// keeps nothing but duels forgets it.
    ///
    /// # Errors
    /// If that cannot be kept.
    fn note_fact(&self, _fact: &str, _holds: bool) -> Result<(), StoreError> {
        Ok(())
    }
    /// All that was noted and holds.
    ///
    /// # Errors
    /// If it cannot be read.
    fn facts(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(BTreeSet::new())
    }
    /// Keeps a text under a name, in the place of the one that was there, or forgets it: a deck that whoever
    /// runs the host has built. A store that keeps nothing but duels forgets it at once.
    ///
    /// # Errors
    /// If that cannot be kept.
    fn keep_text(&self, _name: &str, _text: Option<&str>) -> Result<(), StoreError> {
        Ok(())
    }
    /// The texts whose names begin so, by their names.
    ///
    /// # Errors
    /// If they cannot be read.
    fn kept_texts(&self, _prefix: &str) -> Result<BTreeMap<String, String>, StoreError> {
        Ok(BTreeMap::new())
    }
}

/// A duel of a store, or the name of one whose beginning cannot be read, and why not.
pub type KeptDuel = Result<TableRecord, (String, StoreError)>;

/// How a duel began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRecord {
    /// Its name.
    pub id: String,
    /// The game's fingerprint: a duel goes on only with the same game.
    pub fingerprint: String,
    /// Decks and seats, as the table writes them.
    pub start: String,
    /// Whether it goes on.
    pub standing: DuelStanding,
}

/// Whether a duel goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelStanding {
    /// It does.
    Going,
    /// It is over, and can be watched.
    Over,
    /// Its log makes no sense. It is kept for whoever wants to look at it.
    Aside,
}

impl DuelStanding {
    /// All of them.
    pub const ALL: [DuelStanding; 3] = [DuelStanding::Going, DuelStanding::Over, DuelStanding::Aside];

    /// Its place among all: how a store writes it down.
    pub fn number(self) -> i64 {
        DuelStanding::ALL
            .iter()
            .position(|other| *other == self)
            .map_or(0, |at| at as i64)
    }
}

/// A store cannot do what it should.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no; these are the words after “the store of duels”.
    #[error("the store of duels {0}")]
    Database(String),
    /// The end of the file is missing.
    #[error(
        "the store of duels {path} has lost its end: only {found} of {whole} bytes are there. \
         To get its duels back, restore the file from a copy; to start a new one, move the file away"
    )]
    Cut {
        /// Which.
        path: PathBuf,
        /// Bytes that are there.
        found: u64,
        /// Bytes that there should be.
        whole: u64,
    },
    /// A file beside it cannot be had.
    #[error("the store of duels: {path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Another process has it.
    #[error("the store of duels {0} is in use by another program")]
    InUse(PathBuf),
    /// It was written by a program that kept duels in another way.
    #[error("the store of duels {path} is of version {version}; this program reads version {read}")]
    Version {
        /// Which.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The one that this program reads.
        read: i64,
    },
    /// The entry does not follow the last one: somebody else plays this table on.
    #[error("entry {number} of duel {duel} is not the next one")]
    Taken {
        /// Which duel.
        duel: String,
        /// Which entry.
        number: u64,
    },
    /// What is kept is no log.
    #[error("{0}")]
    Damaged(String),
    /// The store cannot be written now; for stores that say no more.
    #[error("the store of duels: {0}")]
    Failed(String),
}

/// Keeps duels as long as the program runs.
#[derive(Debug)]
pub struct Memory {
    key: Secret,
    kept: Mutex<KeptInMemory>,
}

#[derive(Debug, Default)]
struct KeptInMemory {
    /// The newest last.
    duels: Vec<TableRecord>,
    entries: BTreeMap<String, Vec<DuelEntry>>,
    states: BTreeMap<String, BTreeMap<u64, String>>,
    facts: BTreeSet<String>,
    texts: BTreeMap<String, String>,
}

impl Memory {
    /// A store with nothing in it. `key` is the secret from which those of its seats are made: nobody may
    /// know it.
    pub fn new(key: Secret) -> Memory {
        let kept = Mutex::default();
        Memory { key, kept }
    }
}

impl DuelStore for Memory {
    fn key(&self) -> Secret {
        self.key.clone()
    }

    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.forget(&duel.id)?;
        locked(&self.kept).duels.push(duel.clone());
        self.append(&duel.id, entries)
    }

    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        let mut kept = locked(&self.kept);
        let log = kept.entries.entry(duel.to_owned()).or_default();
        let numbers = log.len() as u64..;
        if let Some((entry, _)) = entries
            .iter()
            .zip(numbers)
            .find(|(entry, next)| entry.number != *next)
        {
            return Err(StoreError::Taken {
                duel: duel.to_owned(),
                number: entry.number,
            });
        }
        log.extend_from_slice(entries);
        Ok(())
    }

    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        let kept = locked(&self.kept);
        let log = kept.entries.get(duel).into_iter().flatten();
        Ok(log.filter(|entry| entry.number >= from).cloned().collect())
    }

    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        let mut kept = locked(&self.kept);
        for record in kept.duels.iter_mut().filter(|record| record.id == duel) {
            record.standing = standing;
        }
        Ok(())
    }

    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        let mut kept = locked(&self.kept);
        kept.duels.retain(|record| record.id != duel);
        kept.entries.remove(duel);
        kept.states.remove(duel);
        Ok(())
    }

    fn keep_state(&self, duel: &str, entries: u64, state: &str, first: u64) -> Result<(), StoreError> {
        let mut kept = locked(&self.kept);
        let states = kept.states.entry(duel.to_owned()).or_default();
        states.retain(|number, _| *number >= first);
        states.insert(entries, state.to_owned());
        Ok(())
    }

    fn states(&self, duel: &str) -> Result<Vec<(u64, String)>, StoreError> {
        let kept = locked(&self.kept);
        let states = kept.states.get(duel).into_iter().flatten();
        Ok(states.map(|(number, state)| (*number, state.clone())).collect())
    }

    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError> {
        let kept = locked(&self.kept);
        let all = kept.duels.iter().rev();
        let known = all.filter(|record| record.standing != DuelStanding::Aside);
        Ok(known.cloned().map(Ok).collect())
    }

    fn note_fact(&self, fact: &str, holds: bool) -> Result<(), StoreError> {
        let facts = &mut locked(&self.kept).facts;
        match holds {
            true => facts.insert(fact.to_owned()),
            false => facts.remove(fact),
        };
        Ok(())
    }

    fn facts(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(locked(&self.kept).facts.clone())
    }

    fn keep_text(&self, name: &str, text: Option<&str>) -> Result<(), StoreError> {
        let texts = &mut locked(&self.kept).texts;
        match text {
            Some(text) => texts.insert(name.to_owned(), text.to_owned()),
            None => texts.remove(name),
        };
        Ok(())
    }

    fn kept_texts(&self, prefix: &str) -> Result<BTreeMap<String, String>, StoreError> {
        let kept = locked(&self.kept);
        let found = kept.texts.iter().filter(|(name, _)| name.starts_with(prefix));
        Ok(found.map(|(name, text)| (name.clone(), text.clone())).collect())
    }
}
