//! Dicts and their views.

use cw_expr::TableEntry;

use crate::limits::ScriptLimit;
use crate::machine::call::Named;
use crate::machine::{Flow, Machine, limit};
use crate::object::{DictPart, DictTable, Iteration, Object};
use crate::value::{ObjectId, ScriptValue};

fn table(object: &Object) -> Option<&DictTable> {
    match object {
        Object::Dict(table) => Some(table),
        _ => None,
    }
}

impl Machine<'_> {
    /// The dict that a value is, or an instance of a class below it.
    pub(crate) fn dict_of(&self, value: &ScriptValue) -> Option<ObjectId> {
        let id = self.payload_of(value).object()?;
        table(self.heap.get(id)).map(|_| id)
    }

    pub(crate) fn dict_entries(&self, id: ObjectId) -> Vec<(ScriptValue, ScriptValue)> {
        let entries = table(self.heap.get(id)).map(DictTable::iter);
        let pairs = entries.into_iter().flatten();
        pairs
            .map(|entry| (entry.key.clone(), entry.value.clone()))
            .collect()
    }

    pub(crate) fn dict_get(&mut self, id: ObjectId, key: &ScriptValue) -> Flow<Option<ScriptValue>> {
        let hash = self.hash(key)?;
        let found = self.find_key(table, id, hash, key)?;
        Ok(match (found, table(self.heap.get(id))) {
            (Ok(at), Some(table)) => table.slot(at).map(|entry| entry.value.clone()),
            _ => None,
        })
    }

    pub(crate) fn dict_set(&mut self, id: ObjectId, key: ScriptValue, value: ScriptValue) -> Flow<()> {
        let hash = self.hash(&key)?;
        let found = self.find_key(table, id, hash, &key)?;
        if found.is_err() {
            if table(self.heap.get(id)).is_some_and(|table| table.len() >= self.limits.items) {
                return Err(limit(ScriptLimit::Memory));
            }
            self.allocate(64)?;
        }
        if let Some(Object::Dict(table)) = self.heap.get_mut(id) {
            match found {
                Ok(at) => {
                    if let Some(old) = table.value_mut(at) {
                        *old = value;
                    }
                }
                Err(at) => table.insert(at, TableEntry { hash, key, value }),
            }
        }
        Ok(())
    }

    pub(crate) fn dict_remove(&mut self, id: ObjectId, key: &ScriptValue) -> Flow<Option<ScriptValue>> {
        let hash = self.hash(key)?;
        let Ok(at) = self.find_key(table, id, hash, key)? else {
            return Ok(None);
        };
        let Some(Object::Dict(table)) = self.heap.get_mut(id) else {
            return Ok(None);
        };
        let value = table.slot(at).map(|entry| entry.value.clone());
        table.remove(at);
        Ok(value)
    }

    /// `dict.update(…)`, also `dict(…)`.
    pub(crate) fn dict_update(&mut self, id: ObjectId, args: Vec<ScriptValue>, named: Named) -> Flow<()> {
        if args.len() > 1 {
            let words = format!("update expected at most 1 arguments, got {}", args.len());
            return Err(self.type_error(&words));
        }
        if let Some(source) = args.first() {
            self.dict_merge(id, source)?;
        }
        for (key, value) in named {
            self.dict_set(id, key, value)?;
        }
        Ok(())
    }

    fn dict_merge(&mut self, id: ObjectId, source: &ScriptValue) -> Flow<()> {
        if let Some(other) = self.dict_of(source) {
            let entries = self.dict_entries(other);
            self.room(entries.len())?;
            if let Some(Object::Dict(table)) = self.heap.get_mut(id) {
                table.reserve_for_merge(entries.len());
            }
            for (key, value) in entries {
                self.charge(1)?;
                self.dict_set(id, key, value)?;
            }
            return Ok(());
        }
        if self.class_of(source).is_some()
            && let Some(keys) = self.find_attribute(source, &crate::machine::attribute::named("keys"))?
        {
            let keys = self.call(&keys, Vec::new())?;
            for key in self.items_of(&keys)? {
                let value = self.subscript(source, &key)?;
                self.dict_set(id, key, value)?;
            }
            return Ok(());
        }
        for (at, pair) in self.items_of(source)?.into_iter().enumerate() {
            self.charge(1)?;
            if !self.can_iterate(&pair) {
                let words = format!("cannot convert dictionary update sequence element #{at} to a sequence");
                return Err(self.type_error(&words));
            }
            let mut pair = self.items_of(&pair)?;
            if pair.len() != 2 {
                let words = format!(
                    "dictionary update sequence element #{at} has length {}; 2 is required",
                    pair.len()
                );
                return Err(self.value_error(&words));
            }
            let value = pair.pop().unwrap_or(ScriptValue::None);
            let key = pair.pop().unwrap_or(ScriptValue::None);
            self.dict_set(id, key, value)?;
        }
        Ok(())
    }

    pub(crate) fn dict_fromkeys(&mut self, args: &[ScriptValue]) -> Flow {
        self.unpack_args("fromkeys", args, 1, 2)?;
        let dict = self.make_dict()?;
        let value = args.get(1).cloned().unwrap_or(ScriptValue::None);
        for key in self.items_of(&args[0])? {
            self.charge(1)?;
            self.dict_set(dict, key, value.clone())?;
        }
        Ok(ScriptValue::Object(dict))
    }

    pub(crate) fn dict_method(
        &mut self,
        id: ObjectId,
        name: &str,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        match name {
            "get" | "setdefault" => {
                self.unpack_args(name, &args, 1, 2)?;
                let otherwise = args.get(1).cloned().unwrap_or(ScriptValue::None);
                match self.dict_get(id, &args[0])? {
                    Some(value) => Ok(value),
                    None if name == "setdefault" => {
                        self.dict_set(id, args[0].clone(), otherwise.clone())?;
                        Ok(otherwise)
                    }
                    None => Ok(otherwise),
                }
            }
            "has_key" => {
                self.count_args(name, &args, 1, 1)?;
                Ok(ScriptValue::Bool(self.dict_get(id, &args[0])?.is_some()))
            }
            "pop" => {
                self.unpack_args(name, &args, 1, 2)?;
                let is_empty = table(self.heap.get(id)).is_some_and(DictTable::is_empty);
                if is_empty && args.len() == 1 {
                    return Err(self.key_error(ScriptValue::text("pop(): dictionary is empty")));
                }
                match (self.dict_remove(id, &args[0])?, args.get(1)) {
                    (Some(value), _) => Ok(value),
                    (None, Some(otherwise)) => Ok(otherwise.clone()),
                    (None, None) => Err(self.key_error(args[0].clone())),
                }
            }
            "update" => {
                self.dict_update(id, args, named)?;
                Ok(ScriptValue::None)
            }
            "fromkeys" => self.dict_fromkeys(&args),
            _ => {
                self.count_args(name, &args, 0, 0)?;
                self.dict_method_alone(id, name)
            }
        }
    }

    fn dict_method_alone(&mut self, id: ObjectId, name: &str) -> Flow {
        let part = if name.ends_with("keys") {
            DictPart::Keys
        } else if name.ends_with("values") {
            DictPart::Values
        } else {
            DictPart::Items
        };
        match name {
            "keys" | "values" | "items" => {
                let entries = self.dict_entries(id);
                self.room(entries.len())?;
                self.charge(entries.len())?;
                let mut items = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    items.push(match part {
                        DictPart::Keys => key,
                        DictPart::Values => value,
                        DictPart::Items => self.make_tuple(vec![key, value])?,
                    });
                }
                self.make_list(items)
            }
            "iterkeys" | "itervalues" | "iteritems" => {
                let len = table(self.heap.get(id)).map_or(0, DictTable::len);
                self.make_iterator(Iteration::Dict(id, part, len))
            }
            "viewkeys" | "viewvalues" | "viewitems" => self.make(Object::View { dict: id, part }),
            "clear" => {
                if let Some(Object::Dict(table)) = self.heap.get_mut(id) {
                    *table = DictTable::default();
                }
                Ok(ScriptValue::None)
            }
            "copy" => {
                let copy = self.make_dict()?;
                self.dict_merge(copy, &ScriptValue::Object(id))?;
                Ok(ScriptValue::Object(copy))
            }
            _ => {
                // `popitem` takes the first that is in use, from where it took the last one.
                let first = table(self.heap.get(id)).and_then(|table| {
                    let at = (0..table.slots()).find(|at| table.slot(*at).is_some())?;
                    let entry = table.slot(at)?;
                    Some((at, entry.key.clone(), entry.value.clone()))
                });
                let Some((at, key, value)) = first else {
                    return Err(self.key_error(ScriptValue::text("popitem(): dictionary is empty")));
                };
                if let Some(Object::Dict(table)) = self.heap.get_mut(id) {
                    table.remove(at);
                }
                self.make_tuple(vec![key, value])
            }
        }
    }

    // ---- views ----

    pub(crate) fn view_contains(
        &mut self,
        dict: ObjectId,
        part: DictPart,
        view: &ScriptValue,
        item: &ScriptValue,
    ) -> Flow<bool> {
        match part {
            DictPart::Keys => Ok(self.dict_get(dict, item)?.is_some()),
            DictPart::Items => {
                let Some(Object::Tuple(pair)) = item.object().map(|id| self.heap.get(id)) else {
                    return Ok(false);
                };
                let [key, value] = &pair[..] else {
                    return Ok(false);
                };
                let (key, value) = (key.clone(), value.clone());
                match self.dict_get(dict, &key)? {
                    Some(found) => self.equal(&found, &value),
                    None => Ok(false),
                }
            }
            DictPart::Values => {
                for own in self.items_of(view)? {
                    if self.equal(&own, item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub(crate) fn view_method(
        &mut self,
        dict: ObjectId,
        view: &ScriptValue,
        name: &str,
        args: &[ScriptValue],
    ) -> Flow {
        let _ = dict;
        self.count_args(name, args, 1, 1)?;
        let own = self.items_of(view)?;
        let set = self.set_of(own)?;
        self.set_method(set, name, args.to_vec())
    }

    /// Views of keys and items are equal as sets.
    pub(crate) fn views_equal(&mut self, a: ObjectId, b: ObjectId) -> Flow<bool> {
        let values = |object: &Object| {
            matches!(
                object,
                Object::View {
                    part: DictPart::Values,
                    ..
                }
            )
        };
        let fits = |object: &Object| {
            matches!(
                object,
                Object::View { .. } | Object::Set(_) | Object::FrozenSet(_)
            )
        };
        let (one, other) = (self.heap.get(a), self.heap.get(b));
        if values(one) || values(other) || !fits(one) || !fits(other) {
            return Ok(a == b);
        }
        let (one, other) = (
            self.items_of(&ScriptValue::Object(a))?,
            self.items_of(&ScriptValue::Object(b))?,
        );
        if one.len() != other.len() {
            return Ok(false);
        }
        let (one, other) = (self.set_of(one)?, self.set_of(other)?);
        self.is_subset(one, other)
    }
}
