//! CPython 2.7's hash table, so that dicts and sets run in its order (D40).
//!
//! Open addressing with perturbation.

/// A slot that was used.
#[derive(Clone, Debug)]
pub struct TableEntry<K, V> {
    /// Its key's hash.
    pub hash: i64,
    /// Its key.
    pub key: K,
    /// What the key leads to.
    pub value: V,
}

#[derive(Clone, Debug)]
enum TableSlot<K, V> {
    Empty,
    Removed,
    Used(TableEntry<K, V>),
}

/// Entries in CPython's order.
#[derive(Clone, Debug)]
pub struct HashTable<K, V> {
    slots: Vec<TableSlot<K, V>>,
    // Invariant: `fill` counts used and removed slots, `used` the used ones, `fill < slots.len()`.
    fill: usize,
    used: usize,
}

impl<K, V> Default for HashTable<K, V> {
    fn default() -> HashTable<K, V> {
        HashTable {
            slots: Vec::new(),
            fill: 0,
            used: 0,
        }
    }
}

/// Slots of a new table.
const SMALLEST: usize = 8;

impl<K, V> HashTable<K, V> {
    /// Bytes one slot takes, for the memory limit.
    pub const SLOT: usize = size_of::<TableSlot<K, V>>();

    /// Entries.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Slots, used or not.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Entry in slot `index`, if it is used.
    pub fn slot(&self, index: usize) -> Option<&TableEntry<K, V>> {
        match self.slots.get(index) {
            Some(TableSlot::Used(entry)) => Some(entry),
            Some(TableSlot::Empty | TableSlot::Removed) | None => None,
        }
    }

    /// Entries in order of the slots, which is the order of iteration.
    pub fn iter(&self) -> impl Iterator<Item = &TableEntry<K, V>> {
        self.slots.iter().filter_map(|slot| match slot {
            TableSlot::Used(entry) => Some(entry),
            TableSlot::Empty | TableSlot::Removed => None,
        })
    }

    /// Finds the slot of a key: `Ok` if it is there, `Err` with where it would go.
    /// `same` says whether a key of equal hash is the key; it also hears of every other key on the way, as
    /// nothing.
    ///
    /// # Errors
    /// What `same` gives.
    pub fn find<E>(
        &self,
        hash: i64,
        mut same: impl FnMut(Option<&K>) -> Result<bool, E>,
    ) -> Result<Result<usize, usize>, E> {
        let Some(mask) = self.slots.len().checked_sub(1) else {
            return Ok(Err(0));
        };
        let mask = mask as u64;
        let mut free = None;
        let mut perturb = hash as u64;
        let mut index = hash as u64;
        loop {
            let at = usize::try_from(index & mask).unwrap_or(0);
            match &self.slots[at] {
                TableSlot::Empty => return Ok(Err(free.unwrap_or(at))),
                TableSlot::Removed => free = free.or(Some(at)),
                TableSlot::Used(entry) => {
                    let key = (entry.hash == hash).then_some(&entry.key);
                    if same(key)? {
                        return Ok(Ok(at));
                    }
                }
            }
            index = index.wrapping_mul(5).wrapping_add(perturb).wrapping_add(1);
            perturb >>= 5;
        }
    }

    /// Puts a new entry where [`HashTable::find`] said, and grows as CPython's `PyDict_SetItem` does.
    pub fn insert(&mut self, at: usize, entry: TableEntry<K, V>) {
        if self.slots.is_empty() {
            self.resize(0);
            let Ok(Err(at)) = self.find::<()>(entry.hash, |_| Ok(false)) else {
                return;
            };
            self.put(at, entry);
        } else {
            self.put(at, entry);
        }
        if self.fill * 3 >= self.slots.len() * 2 {
            self.resize(self.used * if self.used > 50_000 { 2 } else { 4 });
        }
    }

    fn put(&mut self, at: usize, entry: TableEntry<K, V>) {
        if matches!(self.slots[at], TableSlot::Empty) {
            self.fill += 1;
        }
        self.used += 1;
        self.slots[at] = TableSlot::Used(entry);
    }

    /// The value in a used slot.
    pub fn value_mut(&mut self, at: usize) -> Option<&mut V> {
        match self.slots.get_mut(at) {
            Some(TableSlot::Used(entry)) => Some(&mut entry.value),
            Some(TableSlot::Empty | TableSlot::Removed) | None => None,
        }
    }

    /// Takes the entry out of a slot.
    pub fn remove(&mut self, at: usize) {
        if matches!(self.slots.get(at), Some(TableSlot::Used(_))) {
            self.slots[at] = TableSlot::Removed;
            self.used -= 1;
        }
    }

    /// Rebuilds a table of which more than a fifth are removed entries.
    pub fn close_gaps(&mut self) {
        let gaps = self.fill - self.used;
        if gaps > 0 && gaps * 5 >= self.slots.len() - 1 {
            self.resize(self.used * if self.used > 50_000 { 2 } else { 4 });
        }
    }

    /// Makes room for `more` entries at once, as an update does.
    pub fn reserve_for_merge(&mut self, more: usize) {
        let slots = self.slots.len().max(SMALLEST);
        if more > 0 && (self.fill + more) * 3 >= slots * 2 {
            self.resize((self.used + more) * 2);
        }
    }

    /// Makes the table of a display with `len` entries.
    pub fn presized(len: usize) -> HashTable<K, V> {
        let mut table = HashTable::default();
        if len > 5 {
            table.resize(len);
        }
        table
    }

    /// Rebuilds with the smallest power of two above `least` slots.
    pub fn resize(&mut self, least: usize) {
        let mut size = SMALLEST;
        while size <= least {
            size <<= 1;
        }
        let old = std::mem::take(&mut self.slots);
        self.slots = std::iter::repeat_with(|| TableSlot::Empty).take(size).collect();
        (self.fill, self.used) = (0, 0);
        for slot in old {
            if let TableSlot::Used(entry) = slot {
                // Keys differ from each other, so the first free slot is the one.
                if let Ok(Err(at)) = self.find::<()>(entry.hash, |_| Ok(false)) {
                    self.put(at, entry);
                }
            }
        }
    }
}
