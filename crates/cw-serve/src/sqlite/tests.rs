//! What the store in a file keeps, and what it says when it cannot.

use cw_hall::store::Memory;

use super::*;

fn record(id: &str) -> TableRecord {
    TableRecord {
        id: id.into(),
        fingerprint: "game".into(),
        start: format!("{{\"of\":\"{id}\"}}"),
        standing: DuelStanding::Going,
    }
}

fn entry(number: u64, choice: &str) -> DuelEntry {
    DuelEntry {
        version: DuelEntry::VERSION,
        number,
        question: number + 7,
        choice: choice.into(),
    }
}

fn duels(store: &dyn DuelStore) -> Vec<TableRecord> {
    store.duels().unwrap().into_iter().map(Result::unwrap).collect()
}

/// What every store does.
fn conforms(store: &dyn DuelStore) {
    store.begin(&record("one"), &[]).unwrap();
    store
        .begin(&record("two"), &[entry(0, "c"), entry(1, "d")])
        .unwrap();
    let (a, b) = (entry(0, "a"), entry(1, "b"));
    store.append("one", std::slice::from_ref(&a)).unwrap();
    store.append("one", std::slice::from_ref(&b)).unwrap();
    // A number that is taken, a gap, and a batch with either in it: nothing of them is kept.
    for wrong in [
        vec![entry(1, "again")],
        vec![entry(3, "gap")],
        vec![entry(2, "good"), entry(2, "twice")],
        vec![entry(2, "good"), entry(4, "gap")],
    ] {
        let refused = store.append("one", &wrong);
        assert!(matches!(refused, Err(StoreError::Taken { .. })), "{wrong:?}");
    }
    assert_eq!(store.log("one", 0).unwrap(), [a, b.clone()]);
    assert_eq!(store.log("one", 1).unwrap(), [b]);
    assert_eq!(store.log("none", 0).unwrap(), []);
    assert_eq!(duels(store), [record("two"), record("one")]);
    store.mark("two", DuelStanding::Over).unwrap();
    let over = TableRecord {
        standing: DuelStanding::Over,
        ..record("two")
    };
    assert_eq!(duels(store), [over, record("one")]);
    store.mark("two", DuelStanding::Aside).unwrap();
    assert_eq!(duels(store), [record("one")]);
    store.begin(&record("three"), &[entry(0, "x")]).unwrap();
    store.begin(&record("three"), &[]).unwrap();
    assert_eq!(store.log("three", 0).unwrap(), []);
    store.forget("three").unwrap();
    assert_eq!(duels(store), [record("one")]);
}

#[test]
fn memory_conforms() {
    conforms(&Memory::new(crate::fresh_secret()));
}

#[test]
fn sqlite_conforms_and_remembers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let key = {
        let store = Sqlite::open(&path).unwrap();
        conforms(&store);
        store.key()
    };
    let again = Sqlite::open(&path).unwrap();
    assert_eq!(again.log("one", 0).unwrap().len(), 2);
    assert_eq!(again.key(), key);
}

/// Two processes on one store would both play a duel on: the second one is told.
#[test]
fn a_store_has_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let first = Sqlite::open(&path).unwrap();
    let second = Sqlite::open(&path).unwrap_err();
    assert!(
        second.to_string().contains("in use by another program"),
        "{second}"
    );
    drop(first);
    Sqlite::open(&path).unwrap();
}

/// What was kept in another way is refused with a sentence, not misread.
#[test]
fn a_store_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let old = "CREATE TABLE duel (id TEXT PRIMARY KEY); CREATE TABLE event (duel TEXT, seq BIGINT);";
    Connection::open(&path).unwrap().execute_batch(old).unwrap();
    let refused = Sqlite::open(&path).unwrap_err().to_string();
    assert!(
        refused.contains("is of version 1; this program reads version 2"),
        "{refused}"
    );
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_a_store() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    // One that others could read is closed.
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let store = Sqlite::open(&path).unwrap();
    store.begin(&record("one"), &[entry(0, "a")]).unwrap();
    let mut files = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.path().display());
        files += 1;
    }
    assert!(files >= 3, "the store, its key and its log: {files}");
}

/// A disk that is full, and one that is read-only: nothing of a batch is kept, and the store goes on
/// when it can be written again.
#[test]
fn a_full_or_read_only_disk_keeps_nothing_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("duels.db")).unwrap();
    store.begin(&record("one"), &[]).unwrap();
    let large = |number| entry(number, &"x".repeat(5000));
    store.set("PRAGMA max_page_count = 12");
    let mut kept = 0;
    while store.append("one", &[large(kept), large(kept + 1)]).is_ok() {
        kept += 2;
        assert!(kept < 100, "a disk is full at some time");
    }
    assert_eq!(store.log("one", 0).unwrap().len() as u64, kept);
    store.set("PRAGMA max_page_count = 1000000");
    store.set("PRAGMA query_only = ON");
    assert!(store.append("one", &[entry(kept, "a")]).is_err());
    assert!(store.begin(&record("two"), &[]).is_err());
    store.set("PRAGMA query_only = OFF");
    store.append("one", &[entry(kept, "a")]).unwrap();
    assert_eq!(store.log("one", kept).unwrap(), [entry(kept, "a")]);
}

/// One row that makes no sense does not hide the others.
#[test]
fn a_bad_row_is_told_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("duels.db")).unwrap();
    for name in ["one", "two", "three"] {
        store.begin(&record(name), &[]).unwrap();
    }
    store.set("UPDATE duel SET start = x'ff00' WHERE id = 'two'");
    store.set("UPDATE duel SET standing = 'lost' WHERE id = 'three'");
    store.append("one", &[entry(0, "a")]).unwrap();
    store.set("UPDATE entry SET choice = x'ff00'");
    assert!(matches!(store.log("one", 0), Err(StoreError::Damaged(_))));
    let found = store.duels().unwrap();
    let names: Vec<_> = found
        .iter()
        .filter_map(|row| row.as_ref().err())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["three", "two"]);
    assert_eq!(found.iter().filter(|row| row.is_ok()).count(), 1);
}

/// A file whose end is missing, or that is damaged inside, is told in our own words, with what to do.
#[test]
fn a_damaged_store_is_told_in_our_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let store = Sqlite::open(&path).unwrap();
    let entries: Vec<DuelEntry> = (0..3000).map(|number| entry(number, "a choice")).collect();
    store.begin(&record("one"), &entries).unwrap();
    assert_eq!(
        store.log("one", 1).unwrap().len(),
        2999,
        "a long log is read in parts"
    );
    assert_eq!(
        (store.is_begun("one").unwrap(), store.is_begun("two").unwrap()),
        (true, false)
    );
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let told = Sqlite::open(&path).unwrap_err().to_string();
    assert!(told.contains("has lost its end"), "{told}");
    let mut torn = whole.clone();
    torn[4096..].fill(0x5a);
    std::fs::write(&path, &torn).unwrap();
    let told = match Sqlite::open(&path).and_then(|store| store.log("one", 0)) {
        Ok(log) => panic!("{} entries of a torn file", log.len()),
        Err(fault) => fault.to_string(),
    };
    assert!(
        told.contains("is damaged") && !told.contains("malformed"),
        "{told}"
    );
    std::fs::write(
        &path,
        "no database at all, but a text that is long enough".repeat(20),
    )
    .unwrap();
    let told = Sqlite::open(&path).unwrap_err().to_string();
    assert!(told.contains("the file holds something else"), "{told}");
}
