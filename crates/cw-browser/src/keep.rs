//! What the page must write down, and how it comes back.
//!
//! Everything is a key with a text, so that any store of a browser can keep it. Changes are handed out before
//! the answers that rest on them: the page writes first and shows then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use cw_hall::lock::locked;
use cw_hall::store::{DuelStanding, DuelStore, KeptDuel, Memory, StoreError, TableRecord};
use cw_pages::entry::DuelEntry;
use cw_pages::secret::Secret;
use serde::{Deserialize, Serialize};

/// A change of what is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum KeptChange {
    /// This text stands under this key from now on.
    Put {
        /// Where.
        key: String,
        /// What.
        text: String,
    },
    /// Nothing stands under this key.
    Remove {
        /// Where.
        key: String,
    },
    /// Nothing stands under keys that begin so.
    Clear {
        /// How they begin.
        prefix: String,
    },
}

/// A table as it is written down.
#[derive(Serialize, Deserialize)]
struct KeptRecord {
    fingerprint: String,
    start: String,
    standing: usize,
    /// Its place among all tables, the oldest first.
    order: u64,
}

/// An entry as it is written down.
#[derive(Serialize, Deserialize)]
struct KeptEntry {
    version: u32,
    question: u64,
    choice: String,
}

/// The store of a page: in memory, with a list of what the page has to write down.
#[derive(Debug)]
pub struct PageStore {
    memory: Memory,
    changes: Mutex<Vec<KeptChange>>,
    tables: Mutex<BTreeMap<String, (u64, TableRecord)>>,
}

/// Under which key the secret of the seats stands.
const KEY: &str = "key";

impl PageStore {
    /// The store with what the page kept, by keys in their order; `fresh` is the secret of its seats if none
    /// was kept. What cannot be read is left out, and told.
    pub fn new(kept: &[(String, String)], fresh: Secret) -> (PageStore, Vec<String>) {
        let known = kept.iter().find(|(key, _)| key == KEY);
        let known = known.and_then(|(_, text)| Secret::read(text));
        let is_new = known.is_none();
        let secret = known.unwrap_or(fresh);
        let store = PageStore {
            memory: Memory::new(secret.clone()),
            changes: Mutex::default(),
            tables: Mutex::default(),
        };
        if is_new {
            store.put(KEY.to_owned(), secret.reveal());
        }
        let left_out = store.restore(kept);
        (store, left_out)
    }

    fn restore(&self, kept: &[(String, String)]) -> Vec<String> {
        let mut left_out = Vec::new();
        let mut tables = Vec::new();
        for (key, text) in kept {
            let Some(id) = key.strip_prefix("table/") else {
                if let Some(fact) = key.strip_prefix("fact/") {
                    // Memory takes every fact.
                    let _ = self.memory.note_fact(fact, true);
                } else if let Some(name) = key.strip_prefix("text/") {
                    let _ = self.memory.keep_text(name, Some(text));
                }
                continue;
            };
            match serde_json::from_str::<KeptRecord>(text) {
                Ok(record) => tables.push((id, record)),
                Err(why) => left_out.push(format!("a table cannot be read: {why}")),
            }
        }
        tables.sort_by_key(|(_, record)| record.order);
        for (id, record) in tables {
            if let Err(why) = self.restore_table(kept, id, &record) {
                left_out.push(format!("a table cannot be read: {why}"));
            }
        }
        left_out
    }

    fn restore_table(&self, kept: &[(String, String)], id: &str, record: &KeptRecord) -> Result<(), String> {
        let standing = DuelStanding::ALL.get(record.standing);
        let table = TableRecord {
            id: id.to_owned(),
            fingerprint: record.fingerprint.clone(),
            start: record.start.clone(),
            standing: *standing.ok_or("its standing is unknown")?,
        };
        let (entries, states) = (format!("entry/{id}/"), format!("state/{id}/"));
        let mut log = Vec::new();
        for (key, text) in below(kept, &entries) {
            let entry: KeptEntry = serde_json::from_str(text).map_err(|why| why.to_string())?;
            log.push(DuelEntry {
                version: entry.version,
                number: key.parse().map_err(|_| "an entry has no number".to_owned())?,
                question: entry.question,
                choice: entry.choice,
            });
        }
        self.memory.begin(&table, &log).map_err(|why| why.to_string())?;
        locked(&self.tables).insert(id.to_owned(), (record.order, table));
        for (key, text) in below(kept, &states) {
            if let Ok(number) = key.parse() {
                // It is kept in memory: that cannot fail.
                let _ = self.memory.keep_state(id, number, text, 0);
            }
        }
        Ok(())
    }

    /// What the page has to write down since it was last asked.
    pub fn take_changes(&self) -> Vec<KeptChange> {
        std::mem::take(&mut *locked(&self.changes))
    }

    /// The page writes down a text of its own.
    pub fn put(&self, key: String, text: String) {
        locked(&self.changes).push(KeptChange::Put { key, text });
    }

    fn clear(&self, prefix: String) {
        locked(&self.changes).push(KeptChange::Clear { prefix });
    }

    fn remove(&self, key: String) {
        locked(&self.changes).push(KeptChange::Remove { key });
    }

    fn put_record(&self, table: &TableRecord, order: u64) {
        let record = KeptRecord {
            fingerprint: table.fingerprint.clone(),
            start: table.start.clone(),
            standing: DuelStanding::ALL
                .iter()
                .position(|one| *one == table.standing)
                .unwrap_or_default(),
            order,
        };
        let text = serde_json::to_string(&record).unwrap_or_default();
        self.put(format!("table/{}", table.id), text);
    }

    fn put_entries(&self, duel: &str, entries: &[DuelEntry]) {
        for entry in entries {
            let text = serde_json::to_string(&KeptEntry {
                version: entry.version,
                question: entry.question,
                choice: entry.choice.clone(),
            });
            self.put(
                format!("entry/{duel}/{:012}", entry.number),
                text.unwrap_or_default(),
            );
        }
    }
}

/// What stands below a key, with the rest of its own key.
fn below<'a>(kept: &'a [(String, String)], prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a String)> {
    // Keys stand in their order.
    let first = kept.partition_point(|(key, _)| key.as_str() < prefix);
    let rest = kept.get(first..).unwrap_or_default().iter();
    rest.map_while(move |(key, text)| Some((key.strip_prefix(prefix)?, text)))
}

impl DuelStore for PageStore {
    fn key(&self) -> Secret {
        self.memory.key()
    }

    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.memory.begin(duel, entries)?;
        let mut tables = locked(&self.tables);
        let order = tables.values().map(|(order, _)| order + 1).max().unwrap_or(0);
        tables.insert(duel.id.clone(), (order, duel.clone()));
        drop(tables);
        self.clear(format!("entry/{}/", duel.id));
        self.clear(format!("state/{}/", duel.id));
        self.put_record(duel, order);
        self.put_entries(&duel.id, entries);
        Ok(())
    }

    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.memory.append(duel, entries)?;
        self.put_entries(duel, entries);
        Ok(())
    }

    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        self.memory.log(duel, from)
    }

    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        self.memory.mark(duel, standing)?;
        if let Some((order, record)) = locked(&self.tables).get_mut(duel) {
            record.standing = standing;
            self.put_record(record, *order);
        }
        Ok(())
    }

    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        self.memory.forget(duel)?;
        locked(&self.tables).remove(duel);
        self.clear(format!("entry/{duel}/"));
        self.clear(format!("state/{duel}/"));
        self.remove(format!("table/{duel}"));
        Ok(())
    }

    fn keep_state(&self, duel: &str, entries: u64, state: &str, first: u64) -> Result<(), StoreError> {
        self.memory.keep_state(duel, entries, state, first)?;
        self.clear(format!("state/{duel}/"));
        for (number, state) in self.memory.states(duel)? {
            self.put(format!("state/{duel}/{number:012}"), state);
        }
        Ok(())
    }

    fn states(&self, duel: &str) -> Result<Vec<(u64, String)>, StoreError> {
        self.memory.states(duel)
    }

    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError> {
        self.memory.duels()
    }

    fn note_fact(&self, fact: &str, holds: bool) -> Result<(), StoreError> {
        self.memory.note_fact(fact, holds)?;
        match holds {
            true => self.put(format!("fact/{fact}"), String::new()),
            false => self.remove(format!("fact/{fact}")),
        }
        Ok(())
    }

    fn facts(&self) -> Result<BTreeSet<String>, StoreError> {
        self.memory.facts()
    }

    fn keep_text(&self, name: &str, text: Option<&str>) -> Result<(), StoreError> {
        self.memory.keep_text(name, text)?;
        match text {
            Some(text) => self.put(format!("text/{name}"), text.to_owned()),
            None => self.remove(format!("text/{name}")),
        }
        Ok(())
    }

    fn kept_texts(&self, prefix: &str) -> Result<BTreeMap<String, String>, StoreError> {
        self.memory.kept_texts(prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page would hold after these changes.
    fn apply(kept: &mut BTreeMap<String, String>, changes: Vec<KeptChange>) {
        for change in changes {
            match change {
                KeptChange::Put { key, text } => {
                    kept.insert(key, text);
                }
                KeptChange::Remove { key } => {
                    kept.remove(&key);
                }
                KeptChange::Clear { prefix } => kept.retain(|key, _| !key.starts_with(&prefix)),
            }
        }
    }

    fn entry(number: u64) -> DuelEntry {
        DuelEntry {
            version: DuelEntry::VERSION,
            number,
            question: number * 2,
            choice: format!("choice {number}"),
        }
    }

    fn record(id: &str) -> TableRecord {
        TableRecord {
            id: id.to_owned(),
            fingerprint: "game".to_owned(),
            start: "start".to_owned(),
            standing: DuelStanding::Going,
        }
    }

    /// All that a store was told comes back from what the page wrote down, in the same order of tables.
    #[test]
    fn a_store_comes_back_from_what_the_page_wrote_down() {
        let mut kept = BTreeMap::new();
        let (store, _) = PageStore::new(&[], Secret::of([7; 32]));
        for id in ["c", "a", "b", "gone", "a2"] {
            store.begin(&record(id), &[entry(0)]).unwrap();
        }
        let many: Vec<DuelEntry> = (1..=12).map(entry).collect();
        store.append("a", &many).unwrap();
        assert!(store.append("a", &[entry(20)]).is_err(), "not the next one");
        store.keep_state("a", 4, "four", 0).unwrap();
        store.keep_state("a", 9, "nine", 5).unwrap();
        store.forget("gone").unwrap();
        store.mark("c", DuelStanding::Over).unwrap();
        store.note_fact("won", true).unwrap();
        store.note_fact("won more", true).unwrap();
        store.note_fact("won", false).unwrap();
        store.keep_text("deck a", Some("old")).unwrap();
        store.keep_text("deck a", Some("new")).unwrap();
        store.keep_text("deck b", Some("gone")).unwrap();
        store.keep_text("deck b", None).unwrap();
        store.keep_text("other", Some("other")).unwrap();
        apply(&mut kept, store.take_changes());
        assert!(store.take_changes().is_empty());
        let pairs: Vec<(String, String)> = kept.clone().into_iter().collect();
        let (back, left_out) = PageStore::new(&pairs, Secret::of([8; 32]));
        assert!(left_out.is_empty(), "{left_out:?}");
        assert!(back.take_changes().is_empty(), "nothing is new");
        assert!(back.key() == store.key(), "the seats keep their secrets");
        let names = |store: &PageStore| -> Vec<TableRecord> {
            store.duels().unwrap().into_iter().map(Result::unwrap).collect()
        };
        assert_eq!(names(&back), names(&store));
        for id in ["a", "a2", "b", "c", "gone"] {
            assert_eq!(back.log(id, 0).unwrap(), store.log(id, 0).unwrap());
            assert_eq!(back.states(id).unwrap(), store.states(id).unwrap());
        }
        assert_eq!(back.states("a").unwrap(), [(9, "nine".to_owned())]);
        assert_eq!(back.facts().unwrap(), BTreeSet::from(["won more".to_owned()]));

        let decks = BTreeMap::from([("deck a".to_owned(), "new".to_owned())]);
        assert_eq!(back.kept_texts("deck ").unwrap(), decks);

        // Marking a table after an earlier one was forgotten keeps the order of all.
        back.forget("c").unwrap();
        back.mark("b", DuelStanding::Over).unwrap();
        apply(&mut kept, back.take_changes());
        let pairs: Vec<(String, String)> = kept.into_iter().collect();
        assert_eq!(
            names(&PageStore::new(&pairs, Secret::of([8; 32])).0),
            names(&back)
        );
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_told() {
        let (store, _) = PageStore::new(&[], Secret::of([7; 32]));
        store.begin(&record("a"), &[entry(0)]).unwrap();
        store.begin(&record("b"), &[entry(0)]).unwrap();
        let mut kept = BTreeMap::new();
        apply(&mut kept, store.take_changes());
        kept.insert("table/b".to_owned(), "{".to_owned());
        kept.insert("entry/a/000000000002".to_owned(), "{}".to_owned());
        let pairs: Vec<(String, String)> = kept.into_iter().collect();
        let (back, left_out) = PageStore::new(&pairs, Secret::of([7; 32]));
        assert_eq!(left_out.len(), 2, "{left_out:?}");
        assert!(back.duels().unwrap().is_empty());
    }
}
