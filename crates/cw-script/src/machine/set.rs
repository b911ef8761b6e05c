//! Sets and frozen sets.

use cw_expr::ast::BinaryOp;
use cw_expr::{HashTable, TableEntry};

use crate::limits::ScriptLimit;
use crate::machine::{Flow, Machine, limit};
use crate::object::{DictPart, Object, SetTable};
use crate::value::{ObjectId, ScriptValue};

fn table(object: &Object) -> Option<&SetTable> {
    match object {
        Object::Set(table) | Object::FrozenSet(table) => Some(table),
        _ => None,
    }
}

impl Machine<'_> {
    pub(crate) fn set_add(&mut self, id: ObjectId, key: ScriptValue) -> Flow<()> {
        let hash = self.hash(&key)?;
        self.set_add_hashed(id, hash, key)
    }

    fn set_add_hashed(&mut self, id: ObjectId, hash: i64, key: ScriptValue) -> Flow<()> {
        let Err(at) = self.find_key(table, id, hash, &key)? else {
            return Ok(());
        };
        if table(self.heap.get(id)).is_some_and(|table| table.len() >= self.limits.items) {
            return Err(limit(ScriptLimit::Memory));
        }
        self.allocate(48)?;
        if let Some(Object::Set(table) | Object::FrozenSet(table)) = self.heap.get_mut(id) {
            table.insert(at, TableEntry { hash, key, value: () });
        }
        Ok(())
    }

    pub(crate) fn set_contains(&mut self, id: ObjectId, key: &ScriptValue) -> Flow<bool> {
        let key = self.hashable_set(key)?;
        let hash = self.hash(&key)?;
        Ok(self.find_key(table, id, hash, &key)?.is_ok())
    }

    /// A set is looked for as the frozen set with its elements.
    fn hashable_set(&mut self, key: &ScriptValue) -> Flow {
        if let Some(Object::Set(table)) = key.object().map(|id| self.heap.get(id)) {
            let table = table.clone();
            return self.make(Object::FrozenSet(table));
        }
        Ok(key.clone())
    }

    fn set_remove(&mut self, id: ObjectId, key: &ScriptValue) -> Flow<bool> {
        let key = self.hashable_set(key)?;
        let hash = self.hash(&key)?;
        let found = self.find_key(table, id, hash, &key)?;
        if let (Ok(at), Some(Object::Set(table) | Object::FrozenSet(table))) = (found, self.heap.get_mut(id))
        {
            table.remove(at);
            return Ok(true);
        }
        Ok(false)
    }

    /// A new set of these items.
    pub(crate) fn set_of(&mut self, items: Vec<ScriptValue>) -> Flow<ObjectId> {
        let id = self.make_id(Object::Set(HashTable::default()))?;
        for item in items {
            self.charge(1)?;
            self.set_add(id, item)?;
        }
        Ok(id)
    }

    /// What is in a set, or in what may be made one, with hashes.
    fn elements(&mut self, value: &ScriptValue) -> Flow<Vec<(i64, ScriptValue)>> {
        let own = self.payload_of(value);
        if let Some(table) = own.object().and_then(|id| table(self.heap.get(id))) {
            return Ok(table
                .iter()
                .map(|entry| (entry.hash, entry.key.clone()))
                .collect());
        }
        let mut elements = Vec::new();
        for item in self.items_of(value)? {
            elements.push((self.hash(&item)?, item));
        }
        Ok(elements)
    }

    /// Adds all, in the way that CPython makes room for them.
    fn merge(&mut self, id: ObjectId, source: &ScriptValue) -> Flow<()> {
        let own = self.payload_of(source);
        let is_set = own.object().is_some_and(|id| table(self.heap.get(id)).is_some());
        if !is_set {
            // One after the other: those before one that has no hash are in.
            for item in self.items_of(source)? {
                self.charge(1)?;
                self.set_add(id, item)?;
            }
            return Ok(());
        }
        let elements = self.elements(source)?;
        self.charge(elements.len())?;
        if let Some(Object::Set(table) | Object::FrozenSet(table)) = self.heap.get_mut(id) {
            table.reserve_for_merge(elements.len());
        }
        for (hash, key) in elements {
            self.set_add_hashed(id, hash, key)?;
        }
        Ok(())
    }

    pub(crate) fn set_copy(&mut self, source: &ScriptValue, frozen: bool) -> Flow<ObjectId> {
        let id = self.make_id(if frozen {
            Object::FrozenSet(HashTable::default())
        } else {
            Object::Set(HashTable::default())
        })?;
        self.merge(id, source)?;
        Ok(id)
    }

    pub(crate) fn is_subset(&mut self, a: ObjectId, b: ObjectId) -> Flow<bool> {
        for (hash, key) in self.elements(&ScriptValue::Object(a))? {
            self.charge(1)?;
            if self.find_key(table, b, hash, &key)?.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_frozen(&self, id: ObjectId) -> bool {
        matches!(self.heap.get(id), Object::FrozenSet(_))
    }

    /// Any value as a set.
    fn as_set(&mut self, value: &ScriptValue) -> Flow<ObjectId> {
        let own = self.payload_of(value);
        match own.object() {
            Some(id) if table(self.heap.get(id)).is_some() => Ok(id),
            _ => {
                let items = self.items_of(value)?;
                self.set_of(items)
            }
        }
    }

    /// The elements that both have, in the order of the smaller one where both are sets.
    fn intersection(&mut self, a: ObjectId, other: &ScriptValue, frozen: bool) -> Flow<ObjectId> {
        let result = self.make_id(if frozen {
            Object::FrozenSet(HashTable::default())
        } else {
            Object::Set(HashTable::default())
        })?;
        let own = self.payload_of(other);
        let (from, within) = match own.object().filter(|id| table(self.heap.get(*id)).is_some()) {
            Some(b) => {
                let len = |id| table(self.heap.get(id)).map_or(0, SetTable::len);
                let (one, two) = if len(b) > len(a) { (a, b) } else { (b, a) };
                (ScriptValue::Object(one), two)
            }
            None => (other.clone(), a),
        };
        for (hash, key) in self.elements(&from)? {
            self.charge(1)?;
            if self.find_key(table, within, hash, &key)?.is_ok() {
                self.set_add_hashed(result, hash, key)?;
            }
        }
        Ok(result)
    }

    fn difference(&mut self, a: ObjectId, other: &ScriptValue, frozen: bool) -> Flow<ObjectId> {
        let result = self.make_id(if frozen {
            Object::FrozenSet(HashTable::default())
        } else {
            Object::Set(HashTable::default())
        })?;
        let b = self.as_set(other)?;
        for (hash, key) in self.elements(&ScriptValue::Object(a))? {
            self.charge(1)?;
            if self.find_key(table, b, hash, &key)?.is_err() {
                self.set_add_hashed(result, hash, key)?;
            }
        }
        Ok(result)
    }

    fn symmetric(&mut self, a: ObjectId, other: &ScriptValue, frozen: bool) -> Flow<ObjectId> {
        let result = self.set_copy(other, frozen)?;
        self.toggle(result, &ScriptValue::Object(a))?;
        Ok(result)
    }

    /// Takes out what is in both and adds what only the other has.
    fn toggle(&mut self, id: ObjectId, other: &ScriptValue) -> Flow<()> {
        let other = self.as_set(other)?;
        for (hash, key) in self.elements(&ScriptValue::Object(other))? {
            self.charge(1)?;
            match self.find_key(table, id, hash, &key)? {
                Ok(at) => {
                    if let Some(Object::Set(table) | Object::FrozenSet(table)) = self.heap.get_mut(id) {
                        table.remove(at);
                    }
                }
                Err(_) => self.set_add_hashed(id, hash, key)?,
            }
        }
        Ok(())
    }

    pub(crate) fn replace_set(&mut self, id: ObjectId, with: &ScriptValue) {
        let elements = with.object().and_then(|id| table(self.heap.get(id)).cloned());
        if let (Some(elements), Some(Object::Set(table))) = (elements, self.heap.get_mut(id)) {
            *table = elements;
        }
    }

    /// `a | b` and the like; nothing if one of them is no set.
    pub(crate) fn set_operator(
        &mut self,
        op: BinaryOp,
        left: &ScriptValue,
        right: &ScriptValue,
    ) -> Flow<Option<ScriptValue>> {
        let keys = |object: &Object| {
            table(object).is_some()
                || matches!(
                    object,
                    Object::View {
                        part: DictPart::Keys | DictPart::Items,
                        ..
                    }
                )
        };
        let (Some(a), Some(b)) = (left.object(), right.object()) else {
            return Ok(None);
        };
        if !keys(self.heap.get(a)) || !keys(self.heap.get(b)) {
            return Ok(None);
        }
        let is_view = table(self.heap.get(a)).is_none();
        let a = self.as_set(left)?;
        let frozen = self.is_frozen(a) && !is_view;
        let result = match op {
            BinaryOp::Or => {
                let result = self.set_copy(&ScriptValue::Object(a), frozen)?;
                self.merge(result, right)?;
                result
            }
            BinaryOp::And => self.intersection(a, right, frozen)?,
            BinaryOp::Sub => self.difference(a, right, frozen)?,
            _ => self.symmetric(a, right, frozen)?,
        };
        Ok(Some(ScriptValue::Object(result)))
    }

    pub(crate) fn set_method(&mut self, id: ObjectId, name: &str, args: Vec<ScriptValue>) -> Flow {
        let frozen = self.is_frozen(id);
        match name {
            "add"
            | "discard"
            | "remove"
            | "isdisjoint"
            | "issubset"
            | "issuperset"
            | "symmetric_difference"
            | "symmetric_difference_update" => self.count_args(name, &args, 1, 1)?,
            "clear" | "copy" | "pop" => self.count_args(name, &args, 0, 0)?,
            _ => {}
        }
        let set = ScriptValue::Object(id);
        match name {
            "add" => self.set_add(id, args.into_iter().next().unwrap_or(ScriptValue::None))?,
            "discard" => {
                self.set_remove(id, &args[0])?;
            }
            "remove" if !self.set_remove(id, &args[0])? => {
                return Err(self.key_error(args[0].clone()));
            }
            "clear" => {
                if let Some(Object::Set(table)) = self.heap.get_mut(id) {
                    *table = SetTable::default();
                }
            }
            "pop" => {
                let first = table(self.heap.get(id)).and_then(|table| {
                    let at = (0..table.slots()).find(|at| table.slot(*at).is_some())?;
                    Some((at, table.slot(at)?.key.clone()))
                });
                let Some((at, key)) = first else {
                    return Err(self.key_error(ScriptValue::text("pop from an empty set")));
                };
                if let Some(Object::Set(table)) = self.heap.get_mut(id) {
                    table.remove(at);
                }
                return Ok(key);
            }
            "copy" => {
                if frozen {
                    return Ok(set);
                }
                return self.set_copy(&set, frozen).map(ScriptValue::Object);
            }
            "isdisjoint" => {
                for (hash, key) in self.elements(&args[0])? {
                    self.charge(1)?;
                    if self.find_key(table, id, hash, &key)?.is_ok() {
                        return Ok(ScriptValue::Bool(false));
                    }
                }
                return Ok(ScriptValue::Bool(true));
            }
            "issubset" => {
                let other = self.as_set(&args[0])?;
                return self.is_subset(id, other).map(ScriptValue::Bool);
            }
            "issuperset" => {
                let other = self.as_set(&args[0])?;
                return self.is_subset(other, id).map(ScriptValue::Bool);
            }
            "update" => {
                for arg in &args {
                    self.merge(id, arg)?;
                }
            }
            "union" => {
                let result = self.set_copy(&set, frozen)?;
                for arg in &args {
                    self.merge(result, arg)?;
                }
                return Ok(ScriptValue::Object(result));
            }
            "symmetric_difference" => {
                return self.symmetric(id, &args[0], frozen).map(ScriptValue::Object);
            }
            "symmetric_difference_update" => self.toggle(id, &args[0])?,
            "difference_update" => {
                for arg in &args {
                    for (hash, key) in self.elements(arg)? {
                        self.charge(1)?;
                        if let (Ok(at), Some(Object::Set(table))) =
                            (self.find_key(table, id, hash, &key)?, self.heap.get_mut(id))
                        {
                            table.remove(at);
                        }
                    }
                }
            }
            "intersection" | "difference" | "intersection_update" => {
                let mut result = id;
                if args.is_empty() {
                    result = self.set_copy(&set, frozen)?;
                }
                for arg in &args {
                    result = if name == "difference" {
                        self.difference(result, arg, frozen)?
                    } else {
                        self.intersection(result, arg, frozen)?
                    };
                }
                if name == "intersection_update" {
                    self.replace_set(id, &ScriptValue::Object(result));
                    return Ok(ScriptValue::None);
                }
                return Ok(ScriptValue::Object(result));
            }
            _ => {}
        }
        Ok(ScriptValue::None)
    }
}
