//! Where duels are kept: as logs of what was done, never as states.
//!
//! The SQL keeps to TEXT and BIGINT and to statements that PostgreSQL understands as well; the key
//! `(duel, seq)` is also the fence: who appends a number that exists has lost its turn.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps duels in progress.
pub trait Store: Send + Sync {
    /// A duel begins.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn begin(&self, duel: &TableRecord) -> Result<(), StoreError>;
    /// Something was done in it; `seq` counts from 0.
    ///
    /// # Errors
    /// If it cannot be kept, or the number is taken.
    fn append(&self, duel: &str, seq: u64, done: &str) -> Result<(), StoreError>;
    /// What was done, in order.
    ///
    /// # Errors
    /// If it cannot be read.
    fn log(&self, duel: &str) -> Result<Vec<String>, StoreError>;
    /// The duel is over, and not resumed any more.
    ///
    /// # Errors
    /// If that cannot be kept.
    fn finish(&self, duel: &str) -> Result<(), StoreError>;
    /// Duels that are not over, the newest first.
    ///
    /// # Errors
    /// If they cannot be read.
    fn unfinished(&self) -> Result<Vec<TableRecord>, StoreError>;
}

/// How a duel began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRecord {
    /// Its name.
    pub id: String,
    /// The game's fingerprint: a duel goes on only with the same game.
    pub fingerprint: String,
    /// Decks, seats and seed, as the table writes them.
    pub start: String,
}

/// A store cannot do what it should.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no.
    #[error("the store of duels: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The number of the entry is taken: somebody else plays this table on.
    #[error("entry {seq} of duel {duel} exists already")]
    Taken {
        /// Which duel.
        duel: String,
        /// Which entry.
        seq: u64,
    },
}

/// A file on this machine.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<rusqlite::Connection>,
}

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS duel (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    start TEXT NOT NULL,
    number BIGINT NOT NULL,
    finished BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS event (
    duel TEXT NOT NULL,
    seq BIGINT NOT NULL,
    done TEXT NOT NULL,
    PRIMARY KEY (duel, seq)
);";

impl Sqlite {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If it is no database, or cannot be written.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let connection = rusqlite::Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(2))?;
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        connection.execute_batch(SCHEMA)?;
        Ok(Sqlite {
            connection: Mutex::new(connection),
        })
    }

    fn connection(&self) -> MutexGuard<'_, rusqlite::Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Sqlite {
    fn begin(&self, duel: &TableRecord) -> Result<(), StoreError> {
        let sql = "INSERT INTO duel (id, fingerprint, start, number, finished)
                   SELECT $1, $2, $3, COALESCE(MAX(number), 0) + 1, 0 FROM duel";
        self.connection()
            .execute(sql, [&duel.id, &duel.fingerprint, &duel.start])?;
        Ok(())
    }

    fn append(&self, duel: &str, seq: u64, done: &str) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO event (duel, seq, done) VALUES ($1, $2, $3) ON CONFLICT (duel, seq) DO NOTHING";
        let number = i64::try_from(seq).unwrap_or(i64::MAX);
        match self
            .connection()
            .execute(sql, rusqlite::params![duel, number, done])?
        {
            0 => Err(StoreError::Taken {
                duel: duel.to_owned(),
                seq,
            }),
            _ => Ok(()),
        }
    }

    fn log(&self, duel: &str) -> Result<Vec<String>, StoreError> {
        let connection = self.connection();
        let mut query = connection.prepare("SELECT done FROM event WHERE duel = $1 ORDER BY seq")?;
        let rows = query.query_map([duel], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn finish(&self, duel: &str) -> Result<(), StoreError> {
        self.connection()
            .execute("UPDATE duel SET finished = 1 WHERE id = $1", [duel])?;
        Ok(())
    }

    fn unfinished(&self) -> Result<Vec<TableRecord>, StoreError> {
        let connection = self.connection();
        let mut query = connection
            .prepare("SELECT id, fingerprint, start FROM duel WHERE finished = 0 ORDER BY number DESC")?;
        let rows = query.query_map([], |row| {
            Ok(TableRecord {
                id: row.get(0)?,
                fingerprint: row.get(1)?,
                start: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Keeps duels as long as the program runs.
#[derive(Debug, Default)]
pub struct Memory {
    duels: Mutex<Vec<(TableRecord, bool)>>,
    events: Mutex<BTreeMap<String, Vec<String>>>,
}

impl Store for Memory {
    fn begin(&self, duel: &TableRecord) -> Result<(), StoreError> {
        locked(&self.duels).insert(0, (duel.clone(), false));
        Ok(())
    }

    fn append(&self, duel: &str, seq: u64, done: &str) -> Result<(), StoreError> {
        let mut events = locked(&self.events);
        let log = events.entry(duel.to_owned()).or_default();
        if seq != log.len() as u64 {
            return Err(StoreError::Taken {
                duel: duel.to_owned(),
                seq,
            });
        }
        log.push(done.to_owned());
        Ok(())
    }

    fn log(&self, duel: &str) -> Result<Vec<String>, StoreError> {
        Ok(locked(&self.events).get(duel).cloned().unwrap_or_default())
    }

    fn finish(&self, duel: &str) -> Result<(), StoreError> {
        for (record, finished) in locked(&self.duels).iter_mut() {
            *finished |= record.id == duel;
        }
        Ok(())
    }

    fn unfinished(&self) -> Result<Vec<TableRecord>, StoreError> {
        let duels = locked(&self.duels);
        let going = duels.iter().filter(|(_, finished)| !finished);
        Ok(going.map(|(record, _)| record.clone()).collect())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every store does.
    fn conforms(store: &dyn Store) {
        let record = |id: &str| TableRecord {
            id: id.into(),
            fingerprint: "game".into(),
            start: format!("{{\"of\":\"{id}\"}}"),
        };
        store.begin(&record("one")).unwrap();
        store.begin(&record("two")).unwrap();
        store.append("one", 0, "a").unwrap();
        store.append("one", 1, "b").unwrap();
        store.append("two", 0, "c").unwrap();
        assert!(matches!(
            store.append("one", 1, "again"),
            Err(StoreError::Taken { seq: 1, .. })
        ));
        assert_eq!(store.log("one").unwrap(), ["a", "b"]);
        assert_eq!(store.log("none").unwrap(), Vec::<String>::new());
        assert_eq!(store.unfinished().unwrap(), [record("two"), record("one")]);
        store.finish("two").unwrap();
        assert_eq!(store.unfinished().unwrap(), [record("one")]);
    }

    #[test]
    fn memory_conforms() {
        conforms(&Memory::default());
    }

    #[test]
    fn sqlite_conforms_and_remembers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("duels.db");
        conforms(&Sqlite::open(&path).unwrap());
        assert_eq!(Sqlite::open(&path).unwrap().log("one").unwrap(), ["a", "b"]);
    }
}
