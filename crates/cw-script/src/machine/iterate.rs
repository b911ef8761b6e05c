//! Running through values.

use cw_expr::{ExceptionKind, PythonType};

use crate::machine::{Flow, Machine, Stop};
use crate::object::{DictPart, Iteration, IteratorObject, Object};
use crate::value::{ObjectId, ScriptValue};

/// The type of an iterator.
pub(crate) fn type_of(kind: &Iteration) -> PythonType {
    match kind {
        Iteration::List(_) | Iteration::Listed(_) | Iteration::Deque(..) => PythonType::ListIterator,
        Iteration::Tuple(_) => PythonType::TupleIterator,
        Iteration::Text(_) | Iteration::Indexed(_) | Iteration::Done => PythonType::IndexedIterator,
        Iteration::Range { .. } => PythonType::RangeIterator,
        Iteration::Dict(_, DictPart::Keys, _) => PythonType::DictKeyIterator,
        Iteration::Dict(_, DictPart::Values, _) => PythonType::DictValueIterator,
        Iteration::Dict(_, DictPart::Items, _) => PythonType::DictItemIterator,
        Iteration::Set(..) => PythonType::SetIterator,
        Iteration::Enumerate(..) => PythonType::Enumerate,
        Iteration::ListReversed(_) => PythonType::ListReverseIterator,
        Iteration::Reversed(..) => PythonType::Reversed,
        Iteration::Callable(..) => PythonType::CallableIterator,
    }
}

impl Machine<'_> {
    pub(crate) fn make_iterator(&mut self, kind: Iteration) -> Flow {
        self.make(Object::Iterator(Box::new(IteratorObject { kind, at: 0 })))
    }

    /// Whether a loop may run over it.
    pub(crate) fn can_iterate(&mut self, value: &ScriptValue) -> bool {
        match value {
            ScriptValue::Text(_) | ScriptValue::Wide(_) | ScriptValue::Host(_) => true,
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(_)
                | Object::Tuple(_)
                | Object::Dict(_)
                | Object::Set(_)
                | Object::FrozenSet(_)
                | Object::XRange { .. }
                | Object::Generator(_)
                | Object::Iterator(_)
                | Object::View { .. }
                | Object::Deque(_) => true,
                Object::Exception(_) => true,
                Object::Instance(instance) => {
                    !instance.payload.is_none() && !instance.payload.is_number()
                        || self.has_special(value, "__iter__")
                        || self.has_special(value, "__getitem__")
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// `iter(value)`.
    pub(crate) fn iterator(&mut self, value: &ScriptValue) -> Flow {
        let kind = match value {
            ScriptValue::Text(_) | ScriptValue::Wide(_) => Iteration::Text(value.clone()),
            ScriptValue::Host(handle) => match self.host_items(*handle)? {
                Some(items) => Iteration::Listed(items),
                None => return Err(self.not_iterable(value)),
            },
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(_) => Iteration::List(*id),
                Object::Tuple(_) => Iteration::Tuple(*id),
                Object::Dict(table) => Iteration::Dict(*id, DictPart::Keys, table.len()),
                Object::View { dict, part } => match self.heap.get(*dict) {
                    Object::Dict(table) => Iteration::Dict(*dict, *part, table.len()),
                    _ => Iteration::Done,
                },
                Object::Set(table) | Object::FrozenSet(table) => Iteration::Set(*id, table.len()),
                Object::Deque(items) => Iteration::Deque(*id, items.0.len()),
                Object::XRange { start, step, len } => Iteration::Range {
                    start: *start,
                    step: *step,
                    len: *len,
                },
                Object::Generator(_) | Object::Iterator(_) => return Ok(value.clone()),
                Object::Instance(_) => return self.iterator_of_instance(value),
                Object::Exception(exception) => {
                    let args = exception.args.clone();
                    if self.has_special(value, "__iter__") || self.has_special(value, "__getitem__") {
                        return self.iterator_of_instance(value);
                    }
                    Iteration::Listed(args)
                }
                _ => return Err(self.not_iterable(value)),
            },
            _ => return Err(self.not_iterable(value)),
        };
        self.make_iterator(kind)
    }

    fn iterator_of_instance(&mut self, value: &ScriptValue) -> Flow {
        if let Some(method) = self.special(value, "__iter__")? {
            let iterator = self.call(&method, Vec::new())?;
            let is_one = match iterator.object().map(|id| self.heap.get(id)) {
                Some(Object::Generator(_) | Object::Iterator(_)) => true,
                _ => self.has_special(&iterator, "next"),
            };
            if !is_one {
                let words = format!(
                    "iter() returned non-iterator of type '{}'",
                    self.type_name(&iterator)
                );
                return Err(self.type_error(&words));
            }
            return Ok(iterator);
        }
        if self.has_special(value, "__getitem__") {
            return self.make_iterator(Iteration::Indexed(value.clone()));
        }
        let own = self.payload_of(value);
        if own.object() == value.object() {
            return Err(self.not_iterable(value));
        }
        self.iterator(&own)
    }

    #[cold]
    fn not_iterable(&mut self, value: &ScriptValue) -> Stop {
        let words = match self.old_instance(value) {
            Some(_) => "iteration over non-sequence".to_owned(),
            None => format!("'{}' object is not iterable", self.type_name(value)),
        };
        self.type_error(&words)
    }

    #[cold]
    pub(crate) fn not_an_iterator(&mut self, value: &ScriptValue) -> Stop {
        let words = format!("{} object is not an iterator", self.type_name(value));
        self.type_error(&words)
    }

    /// The next item of an iterator; nothing when it is at its end.
    pub(crate) fn next_item(&mut self, iterator: &ScriptValue) -> Flow<Option<ScriptValue>> {
        let Some(id) = iterator.object() else {
            return Err(self.not_an_iterator(iterator));
        };
        match self.heap.get(id) {
            Object::Generator(_) => self.generator_next(id),
            Object::Iterator(state) => {
                let at = state.at;
                let kind = state.kind.clone_light();
                let item = match kind {
                    Some(kind) => self.item_of(id, &kind, at)?,
                    None => match &self.heap.get(id) {
                        Object::Iterator(state) => match &state.kind {
                            Iteration::Listed(items) => items.get(at).cloned(),
                            _ => None,
                        },
                        _ => None,
                    },
                };
                if let Some(Object::Iterator(state)) = self.heap.get_mut(id) {
                    match item {
                        Some(_) => state.at += 1,
                        None => state.kind = Iteration::Done,
                    }
                }
                Ok(item)
            }
            _ => match self.special(iterator, "next")? {
                Some(method) => match self.call(&method, Vec::new()) {
                    Ok(value) => Ok(Some(value)),
                    Err(Stop::Raise(id)) if self.is_a(id, ExceptionKind::StopIteration) => Ok(None),
                    Err(stop) => Err(stop),
                },
                None => Err(self.not_an_iterator(iterator)),
            },
        }
    }

    /// Whether an exception is of this kind.
    pub(crate) fn is_a(&self, id: ObjectId, kind: ExceptionKind) -> bool {
        matches!(self.heap.get(id), Object::Exception(exception) if exception.kind.is_a(kind))
    }

    fn item_of(&mut self, id: ObjectId, kind: &Iteration, at: usize) -> Flow<Option<ScriptValue>> {
        let position = cw_expr::length(at);
        match kind {
            Iteration::List(list) | Iteration::Tuple(list) => Ok(match self.heap.get(*list) {
                Object::List(items) | Object::Tuple(items) => items.get(at).cloned(),
                _ => None,
            }),
            Iteration::Text(text) => Ok(match text {
                ScriptValue::Text(bytes) => bytes.get(at).map(|byte| ScriptValue::bytes(vec![*byte])),
                ScriptValue::Wide(points) => points.get(at).map(|point| ScriptValue::points(vec![*point])),
                _ => None,
            }),
            Iteration::Indexed(object) => match self.subscript(object, &ScriptValue::Int(position)) {
                Ok(item) => Ok(Some(item)),
                Err(Stop::Raise(id))
                    if self.is_a(id, ExceptionKind::IndexError)
                        || self.is_a(id, ExceptionKind::StopIteration) =>
                {
                    Ok(None)
                }
                Err(stop) => Err(stop),
            },
            Iteration::Range { start, step, len } => {
                Ok((position < *len)
                    .then(|| ScriptValue::Int(start.wrapping_add(step.wrapping_mul(position)))))
            }
            Iteration::Dict(dict, part, len) => self.dict_item(id, *dict, *part, *len, at),
            Iteration::Set(set, len) => {
                let (Object::Set(table) | Object::FrozenSet(table)) = self.heap.get(*set) else {
                    return Ok(None);
                };
                if table.len() != *len {
                    let words = "Set changed size during iteration";
                    return Err(self.raise(ExceptionKind::RuntimeError, words));
                }
                let found = (at..table.slots()).find_map(|slot| Some((slot, table.slot(slot)?.key.clone())));
                Ok(found.map(|(slot, key)| {
                    self.move_to(id, slot);
                    key
                }))
            }
            Iteration::Deque(deque, len) => {
                let Object::Deque(items) = self.heap.get(*deque) else {
                    return Ok(None);
                };
                if items.0.len() != *len {
                    let words = "deque mutated during iteration";
                    return Err(self.raise(ExceptionKind::RuntimeError, words));
                }
                Ok(items.0.get(at).cloned())
            }
            Iteration::Enumerate(inner, start) => match self.next_item(inner)? {
                Some(item) => {
                    let number = ScriptValue::Int(start.wrapping_add(position));
                    self.make_tuple(vec![number, item]).map(Some)
                }
                None => Ok(None),
            },
            Iteration::ListReversed(list) => Ok(match self.heap.get(*list) {
                Object::List(items) => items
                    .len()
                    .checked_sub(at + 1)
                    .and_then(|at| items.get(at).cloned()),
                _ => None,
            }),
            Iteration::Reversed(object, len) => match len.checked_sub(at + 1) {
                Some(at) => self.subscript(object, &ScriptValue::int(at)).map(Some),
                None => Ok(None),
            },
            Iteration::Callable(function, end) => {
                let value = self.call(function, Vec::new())?;
                Ok((!self.equal(&value, end)?).then_some(value))
            }
            Iteration::Listed(_) | Iteration::Done => Ok(None),
        }
    }

    /// Lets an iterator go on behind this slot.
    fn move_to(&mut self, id: ObjectId, slot: usize) {
        if let Some(Object::Iterator(state)) = self.heap.get_mut(id) {
            state.at = slot;
        }
    }

    fn dict_item(
        &mut self,
        id: ObjectId,
        dict: ObjectId,
        part: DictPart,
        len: usize,
        at: usize,
    ) -> Flow<Option<ScriptValue>> {
        let Object::Dict(table) = self.heap.get(dict) else {
            return Ok(None);
        };
        if table.len() != len {
            let words = "dictionary changed size during iteration";
            return Err(self.raise(ExceptionKind::RuntimeError, words));
        }
        let found = (at..table.slots()).find_map(|slot| Some((slot, table.slot(slot)?)));
        let Some((slot, entry)) = found else {
            return Ok(None);
        };
        let (key, value) = (entry.key.clone(), entry.value.clone());
        self.move_to(id, slot);
        Ok(Some(match part {
            DictPart::Keys => key,
            DictPart::Values => value,
            DictPart::Items => self.make_tuple(vec![key, value])?,
        }))
    }

    /// All items, as a list of the program around.
    pub(crate) fn items_of(&mut self, value: &ScriptValue) -> Flow<Vec<ScriptValue>> {
        if let Some(Object::List(items) | Object::Tuple(items)) = value.object().map(|id| self.heap.get(id)) {
            let items = items.clone();
            self.charge(items.len() / 4)?;
            return Ok(items);
        }
        let iterator = self.iterator(value)?;
        let mut items = Vec::new();
        while let Some(item) = self.next_item(&iterator)? {
            self.charge(1)?;
            self.allocate(size_of::<ScriptValue>())?;
            if items.len() >= self.limits.items {
                return Err(crate::machine::limit(crate::limits::ScriptLimit::Memory));
            }
            items.push(item);
        }
        Ok(items)
    }

    /// Exactly `count` items, in CPython's words where there are more or fewer.
    pub(crate) fn unpack(&mut self, value: &ScriptValue, count: usize) -> Flow<Vec<ScriptValue>> {
        if let Some(Object::List(items) | Object::Tuple(items)) = value.object().map(|id| self.heap.get(id))
            && items.len() == count
        {
            return Ok(items.clone());
        }
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let iterator = self.iterator(value)?;
        let mut items = Vec::new();
        while items.len() < count {
            match self.next_item(&iterator)? {
                Some(item) => items.push(item),
                None => {
                    let words = format!(
                        "need more than {} value{} to unpack",
                        items.len(),
                        plural(items.len())
                    );
                    return Err(self.value_error(&words));
                }
            }
        }
        if self.next_item(&iterator)?.is_some() {
            return Err(self.value_error("too many values to unpack"));
        }
        Ok(items)
    }

    pub(crate) fn iterator_method(&mut self, object: &ScriptValue, name: &str, args: &[ScriptValue]) -> Flow {
        self.count_args(name, args, 0, 0)?;
        match name {
            "next" => match self.next_item(object)? {
                Some(item) => Ok(item),
                None => Err(self.raise(ExceptionKind::StopIteration, "")),
            },
            "close" => {
                if let Some(id) = object.object() {
                    self.finish_generator(id);
                }
                Ok(ScriptValue::None)
            }
            _ => Ok(object.clone()),
        }
    }
}

impl Iteration {
    /// A copy where it is short; nothing for a list of items.
    fn clone_light(&self) -> Option<Iteration> {
        match self {
            Iteration::Listed(_) => None,
            other => Some(other.clone()),
        }
    }
}
