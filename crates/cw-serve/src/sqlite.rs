//! Where duels are kept: as logs of what was done. What a long table stands for is kept beside its log, only
//! to spare playing all of it; the log alone decides.
//!
//! An entry that is appended is on the disk when the call returns; where that cannot be, nothing of it
//! is. The SQL keeps to TEXT and BIGINT; the key `(duel, number)` is also the fence: who appends a
//! number that exists has lost its turn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Params, Row, Transaction, params};

use cw_hall::store::{DuelStanding, DuelStore, KeptDuel, StoreError, TableRecord};
use cw_pages::secret::Secret;

use crate::chance::fresh_secret;
use cw_pages::entry::DuelEntry;

/// A file on this machine, which one process owns as long as it runs. Beside it lie the key of its
/// seats, which is also the lock, and what SQLite puts there; all can be read by their owner only.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<Connection>,
    key: Secret,
    /// Locked as long as the store is open.
    _lock: File,
}

/// Entries that are read at once.
const PART: usize = 2048;

const SCHEMA_VERSION: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS duel (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    start TEXT NOT NULL,
    number BIGINT NOT NULL,
    standing BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS entry (
    duel TEXT NOT NULL,
    number BIGINT NOT NULL,
    version BIGINT NOT NULL,
    question BIGINT NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (duel, number)
);
CREATE TABLE IF NOT EXISTS state (
    duel TEXT NOT NULL,
    entries BIGINT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (duel, entries)
);
CREATE TABLE IF NOT EXISTS fact (
    fact TEXT PRIMARY KEY
);
CREATE TABLE IF NOT EXISTS kept_text (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
);";

impl Sqlite {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If it is no database of this version, cannot be written, or another process has it.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".key");
        let (lock, key) = key_file(Path::new(&beside), path)?;
        is_whole(path)?;
        // SQLite gives its other files the rights of this one.
        private(path).map_err(|source| StoreError::File {
            path: path.to_owned(),
            source,
        })?;
        let connection = Connection::open(path).sql()?;
        connection.busy_timeout(std::time::Duration::from_secs(2)).sql()?;
        let version: i64 = connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .sql()?;
        let tables: i64 = connection
            .query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))
            .sql()?;
        if version != SCHEMA_VERSION && tables > 0 {
            return Err(StoreError::Version {
                path: path.to_owned(),
                // The first one bore no number.
                version: version.max(1),
                read: SCHEMA_VERSION,
            });
        }
        // FULL: what is acknowledged survives a power cut, not only the end of the program.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .sql()?;
        // Tables and version at once: a program that is killed in between would leave a store of no version.
        let version = format!("PRAGMA user_version = {SCHEMA_VERSION};");
        connection
            .execute_batch(&format!("BEGIN; {SCHEMA} {version} COMMIT;"))
            .sql()?;
        Ok(Sqlite {
            connection: Mutex::new(connection),
            key,
            _lock: lock,
        })
    }

    /// Does something in one transaction: all of it, or nothing.
    fn write(&self, work: impl FnOnce(&Transaction<'_>) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction().sql()?;
        work(&transaction)?;
        transaction.commit().sql()
    }

    /// What is found, row by row.
    fn rows<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        wanted: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<C, StoreError> {
        let connection = self.connection();
        let mut query = connection.prepare(sql).sql()?;
        let rows = query.query_map(wanted, read).sql()?;
        rows.map(|row| row.map_err(|fault| of_row(&fault))).collect()
    }

    /// Some entries of a log, from a number on.
    fn part_of_log(&self, duel: &str, from: i64) -> Result<Vec<DuelEntry>, StoreError> {
        let sql = "SELECT version, number, question, choice FROM entry
                   WHERE duel = ?1 AND number >= ?2 ORDER BY number LIMIT ?3";
        self.rows(sql, params![duel, from, PART as i64], |row| {
            Ok(DuelEntry {
                version: row.get(0)?,
                number: unsigned(row.get(1)?),
                question: unsigned(row.get(2)?),
                choice: row.get(3)?,
            })
        })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection, so that tests can make it fail as disks do.
    #[cfg(test)]
    pub(crate) fn set(&self, pragma: &str) {
        let connection = self.connection();
        let mut statement = connection.prepare(pragma).expect("a pragma");
        let mut rows = statement.query([]).expect("it runs");
        while rows.next().expect("it runs").is_some() {}
    }
}

/// Says what the database says in our words.
trait Sql<T> {
    fn sql(self) -> Result<T, StoreError>;
}

impl<T> Sql<T> for rusqlite::Result<T> {
    fn sql(self) -> Result<T, StoreError> {
        self.map_err(|fault| StoreError::Database(words_of(&fault)))
    }
}

/// What is wrong with a store, in words for whoever runs the host.
fn words_of(fault: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode;
    let words = match fault.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => {
            "is damaged. To get its duels back, restore the file from a copy; \
             to start a new one, move the file away"
        }
        Some(ErrorCode::NotADatabase) => {
            "is not a store: the file holds something else. To start a new store, move the file away"
        }
        Some(ErrorCode::DiskFull) => "cannot be written: the disk is full",
        Some(
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied,
        ) => "cannot be written: the file or its folder is read-only",
        Some(ErrorCode::CannotOpen) => "cannot be opened: check the file's folder and its permissions",
        Some(ErrorCode::SystemIoFailure) => "cannot be read or written: the disk reports an error",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "is in use by another program right now",
        Some(ErrorCode::OutOfMemory) => "cannot be used: there is no memory left",
        Some(code) => return format!("cannot be used (the database says {code:?})"),
        None => "is not valid: it was written by another program, or is damaged",
    };
    words.to_owned()
}

/// Whether the file is as long as its own head says. While a journal lies beside it, that is not to be known.
fn is_whole(path: &Path) -> Result<(), StoreError> {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-wal");
    let has_journal = std::fs::metadata(&journal).is_ok_and(|file| file.len() > 0);
    let mut head = [0; 32];
    let read = File::open(path).and_then(|mut file| {
        file.read_exact(&mut head)?;
        file.metadata()
    });
    let Some(found) = read.ok().map(|file| file.len()).filter(|_| !has_journal) else {
        return Ok(());
    };
    let size = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u32::from_be_bytes([head[28], head[29], head[30], head[31]]);
    let whole = size * u64::from(pages);
    if head.starts_with(b"SQLite format 3\0") && found < whole {
        return Err(StoreError::Cut {
            path: path.to_owned(),
            found,
            whole,
        });
    }
    Ok(())
}

/// Takes the lock of the store and reads its key, or makes one.
fn key_file(path: &Path, store: &Path) -> Result<(File, Secret), StoreError> {
    let fault = |source| StoreError::File {
        path: path.to_owned(),
        source,
    };
    let mut file = private(path).map_err(fault)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(store.to_owned())),
        Err(TryLockError::Error(source)) => return Err(fault(source)),
    }
    let mut text = String::new();
    // What is no key any more is replaced by one: its seats are lost, as if it were gone.
    let read = file.read_to_string(&mut text);
    if let Some(key) = Secret::read(text.trim()).filter(|_| read.is_ok()) {
        return Ok((file, key));
    }
    let key = fresh_secret();
    let written = file
        .set_len(0)
        .and_then(|()| std::io::Seek::rewind(&mut file))
        .and_then(|()| file.write_all(key.reveal().as_bytes()))
        .and_then(|()| file.sync_all());
    written.map_err(fault)?;
    Ok((file, key))
}

/// The file, made if it is missing, for its owner only.
fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        options.mode(0o600);
        let file = options.open(path)?;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        }
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// SQLite's numbers have a sign.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Forgets a duel and its log.
fn delete(transaction: &Transaction<'_>, duel: &str) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM entry WHERE duel = ?1",
        "DELETE FROM state WHERE duel = ?1",
        "DELETE FROM duel WHERE id = ?1",
    ] {
        transaction.execute(sql, [duel]).sql()?;
    }
    Ok(())
}

fn insert(transaction: &Transaction<'_>, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
    let Some(first) = entries.first() else {
        return Ok(());
    };
    let next = "SELECT COALESCE(MAX(number) + 1, 0) FROM entry WHERE duel = ?1";
    let next: i64 = transaction.query_row(next, [duel], |row| row.get(0)).sql()?;
    let sql = "INSERT INTO entry (duel, number, version, question, choice) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = transaction.prepare(sql).sql()?;
    for (entry, expected) in entries.iter().zip(next..) {
        let number = signed(entry.number);
        if number != expected {
            return Err(StoreError::Taken {
                duel: duel.to_owned(),
                number: first.number,
            });
        }
        statement
            .execute(params![
                duel,
                number,
                entry.version,
                signed(entry.question),
                entry.choice
            ])
            .sql()?;
    }
    Ok(())
}

impl DuelStore for Sqlite {
    fn key(&self) -> Secret {
        self.key.clone()
    }

    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.write(|transaction| {
            delete(transaction, &duel.id)?;
            let sql = "INSERT INTO duel (id, fingerprint, start, number, standing)
                       SELECT ?1, ?2, ?3, COALESCE(MAX(number), 0) + 1, ?4 FROM duel";
            let row = params![duel.id, duel.fingerprint, duel.start, duel.standing.number()];
            transaction.execute(sql, row).sql()?;
            insert(transaction, &duel.id, entries)
        })
    }

    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.write(|transaction| insert(transaction, duel, entries))
    }

    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        let mut all = Vec::new();
        let mut next = signed(from);
        loop {
            // A long log is read in parts: whoever wants to write waits for one of them at most.
            let part = self.part_of_log(duel, next)?;
            let is_last = part.len() < PART;
            next = part
                .last()
                .map_or(next, |entry| signed(entry.number).saturating_add(1));
            all.extend(part);
            if is_last {
                return Ok(all);
            }
        }
    }

    fn is_begun(&self, duel: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM entry WHERE duel = ?1)";
        self.connection().query_row(sql, [duel], |row| row.get(0)).sql()
    }

    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        let sql = "UPDATE duel SET standing = ?2 WHERE id = ?1";
        let row = params![duel, standing.number()];
        self.connection().execute(sql, row).sql()?;
        Ok(())
    }

    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        self.write(|transaction| delete(transaction, duel))
    }

    fn keep_state(&self, duel: &str, entries: u64, state: &str, first: u64) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM state WHERE duel = ?1 AND (entries < ?2 OR entries = ?3)";
            let row = params![duel, signed(first), signed(entries)];
            transaction.execute(sql, row).sql()?;
            let sql = "INSERT INTO state (duel, entries, state) VALUES (?1, ?2, ?3)";
            let row = params![duel, signed(entries), state];
            transaction.execute(sql, row).sql()?;
            Ok(())
        })
    }

    fn states(&self, duel: &str) -> Result<Vec<(u64, String)>, StoreError> {
        let sql = "SELECT entries, state FROM state WHERE duel = ?1 ORDER BY entries";
        self.rows(sql, [duel], |row| Ok((unsigned(row.get(0)?), row.get(1)?)))
    }

    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError> {
        let connection = self.connection();
        let sql = "SELECT id, fingerprint, start, standing FROM duel WHERE standing IS NOT ?1
                   ORDER BY number DESC";
        let mut query = connection.prepare(sql).sql()?;
        let mut rows = query.query([DuelStanding::Aside.number()]).sql()?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().sql()? {
            let name = || row.get(0).unwrap_or_else(|_| "without a name".to_owned());
            found.push(record(row).map_err(|fault| (name(), of_row(&fault))));
        }
        Ok(found)
    }

    fn note_fact(&self, fact: &str, holds: bool) -> Result<(), StoreError> {
        let sql = match holds {
            true => "INSERT INTO fact (fact) VALUES (?1) ON CONFLICT DO NOTHING",
            false => "DELETE FROM fact WHERE fact = ?1",
        };
        self.connection().execute(sql, [fact]).sql()?;
        Ok(())
    }

    fn facts(&self) -> Result<BTreeSet<String>, StoreError> {
        self.rows("SELECT fact FROM fact", [], |row| row.get(0))
    }

    fn keep_text(&self, name: &str, text: Option<&str>) -> Result<(), StoreError> {
        let connection = self.connection();
        match text {
            Some(text) => connection.execute(
                "INSERT INTO kept_text (name, text) VALUES (?1, ?2) \
                 ON CONFLICT (name) DO UPDATE SET text = ?2",
                [name, text],
            ),
            None => connection.execute("DELETE FROM kept_text WHERE name = ?1", [name]),
        }
        .sql()?;
        Ok(())
    }

    fn kept_texts(&self, prefix: &str) -> Result<BTreeMap<String, String>, StoreError> {
        let sql = "SELECT name, text FROM kept_text";
        let mut all: BTreeMap<String, String> = self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        all.retain(|name, _| name.starts_with(prefix));
        Ok(all)
    }
}

/// A value of another type than it was written with is damage; anything else may be better next time.
fn of_row(fault: &rusqlite::Error) -> StoreError {
    let damaged = matches!(
        fault,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidQuery
    );
    match damaged {
        true => StoreError::Damaged("a value of it is of another kind than was written there".to_owned()),
        false => StoreError::Database(words_of(fault)),
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<TableRecord> {
    let standing: i64 = row.get(3)?;
    let standing = DuelStanding::ALL.into_iter().find(|one| one.number() == standing);
    Ok(TableRecord {
        id: row.get(0)?,
        fingerprint: row.get(1)?,
        start: row.get(2)?,
        standing: standing.ok_or(rusqlite::Error::InvalidQuery)?,
    })
}

#[cfg(test)]
mod tests;
