//! Items and parts of sequences, entries of dicts: read, stored, deleted.

use cw_expr::ExceptionKind;

use crate::code::Name;
use crate::machine::{Flow, Machine, Stop};
use crate::object::Object;
use crate::value::{ObjectId, ScriptValue, TextRef};

/// The bounds of a plain slice.
pub(crate) type Bounds = (ScriptValue, ScriptValue);

impl Machine<'_> {
    /// `len(value)`.
    pub(crate) fn len(&mut self, value: &ScriptValue) -> Flow<usize> {
        if let Some(text) = value.as_text() {
            return Ok(text.len());
        }
        match value {
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(items) | Object::Tuple(items) => return Ok(items.len()),
                Object::Dict(table) => return Ok(table.len()),
                Object::Set(table) | Object::FrozenSet(table) => return Ok(table.len()),
                Object::Deque(items) => return Ok(items.0.len()),
                Object::XRange { len, .. } => return Ok(usize::try_from(*len).unwrap_or(0)),
                Object::View { dict, .. } => {
                    let dict = ScriptValue::Object(*dict);
                    return self.len(&dict);
                }
                Object::Instance(_) | Object::Exception(_) => {
                    if let Some(method) = self.special(value, "__len__")? {
                        let len = self.call(&method, Vec::new())?;
                        return match self.index_value(&len)? {
                            Some(len) if len >= 0 => Ok(usize::try_from(len).unwrap_or(0)),
                            Some(_) => Err(self.value_error("__len__() should return >= 0")),
                            None => Err(self.type_error("an integer is required")),
                        };
                    }
                    let own = self.payload_of(value);
                    if own.object() != value.object() {
                        return self.len(&own);
                    }
                    if self.old_instance(value).is_some() {
                        return Err(self.no_attribute(value, "__len__"));
                    }
                }
                _ => {}
            },
            ScriptValue::Host(handle) => {
                if let Some(len) = self.host_len(*handle)? {
                    return Ok(len);
                }
            }
            _ => {}
        }
        let words = format!("object of type '{}' has no len()", self.type_name(value));
        Err(self.type_error(&words))
    }

    /// `object[index]`.
    pub(crate) fn subscript(&mut self, object: &ScriptValue, index: &ScriptValue) -> Flow {
        if let ScriptValue::Object(id) = object {
            let id = *id;
            match self.heap.get(id) {
                Object::List(items) | Object::Tuple(items) => {
                    if let ScriptValue::Int(at) = index {
                        let place = place(*at, items.len());
                        return match place.and_then(|place| items.get(place)) {
                            Some(item) => Ok(item.clone()),
                            None => Err(self.out_of_range(id, false)),
                        };
                    }
                    if let Some(picked) = self.picked(index, id)? {
                        return self.part_of_sequence(id, &picked);
                    }
                    let at = self.sequence_index(object, index)?;
                    return self.subscript(object, &ScriptValue::Int(at));
                }
                Object::Dict(_) => {
                    return match self.dict_get(id, index)? {
                        Some(value) => Ok(value),
                        None => Err(self.key_error(index.clone())),
                    };
                }
                Object::XRange { start, step, len } => {
                    let (start, step, len) = (*start, *step, *len);
                    let at = self.sequence_index(object, index)?;
                    let at = if at < 0 { at + len } else { at };
                    if (0..len).contains(&at) {
                        return Ok(ScriptValue::Int(start + step * at));
                    }
                    let words = "xrange object index out of range";
                    return Err(self.raise(ExceptionKind::IndexError, words));
                }
                Object::Deque(items) => {
                    let len = items.0.len();
                    let at = self.integer_arg(index)?;
                    let Object::Deque(items) = self.heap.get(id) else {
                        return Ok(ScriptValue::None);
                    };
                    return match place(at, len).and_then(|at| items.0.get(at)) {
                        Some(item) => Ok(item.clone()),
                        None => Err(self.raise(ExceptionKind::IndexError, "deque index out of range")),
                    };
                }
                Object::Instance(_) => return self.subscript_of_instance(object, index),
                // An exception is a sequence of its arguments, if its class has nothing else to say.
                Object::Exception(exception) => {
                    let args = exception.args.clone();
                    if self.has_special(object, "__getitem__") {
                        return self.subscript_of_instance(object, index);
                    }
                    let args = self.make_tuple(args)?;
                    return self.subscript(&args, index);
                }
                _ => {}
            }
        }
        if let Some(text) = object.as_text() {
            let len = text.len();
            if let Some(indices) = self.picked_of(index, len)? {
                let points = match text {
                    TextRef::Narrow(bytes) => indices.iter().map(|at| u32::from(bytes[*at])).collect(),
                    TextRef::Wide(points) => indices.iter().map(|at| points[*at]).collect(),
                };
                return self.make_points(points);
            }
            let Some(at) = self.index_value(index)? else {
                let words = format!("string indices must be integers, not {}", self.type_name(index));
                return Err(self.type_error(&words));
            };
            let point = place(at, len).and_then(|at| match text {
                TextRef::Narrow(bytes) => bytes.get(at).map(|byte| u32::from(*byte)),
                TextRef::Wide(points) => points.get(at).copied(),
            });
            return match point {
                Some(point) => Ok(ScriptValue::points(vec![point])),
                None => Err(self.raise(ExceptionKind::IndexError, "string index out of range")),
            };
        }
        if let ScriptValue::Host(handle) = object {
            return self.host_item(*handle, index);
        }
        Err(self.not_indexable(object))
    }

    fn not_indexable(&mut self, object: &ScriptValue) -> Stop {
        if self.old_instance(object).is_some() {
            return self.no_attribute(object, "__getitem__");
        }
        let name = self.type_name(object);
        let words = match object {
            ScriptValue::Builtin(_) => {
                "'builtin_function_or_method' object has no attribute '__getitem__'".to_owned()
            }
            ScriptValue::Object(id)
                if matches!(self.heap.get(*id), Object::Set(_) | Object::FrozenSet(_)) =>
            {
                format!("'{name}' object does not support indexing")
            }
            _ => format!("'{name}' object has no attribute '__getitem__'"),
        };
        self.type_error(&words)
    }

    fn subscript_of_instance(&mut self, object: &ScriptValue, index: &ScriptValue) -> Flow {
        if let Some(method) = self.special(object, "__getitem__")? {
            return self.call(&method, vec![index.clone()]);
        }
        let own = self.payload_of(object);
        if own.object() == object.object() {
            if self.old_instance(object).is_none() {
                let words = format!("'{}' object does not support indexing", self.type_name(object));
                return Err(self.type_error(&words));
            }
            return Err(self.not_indexable(object));
        }
        if let Some(Object::Dict(_)) = own.object().map(|id| self.heap.get(id))
            && self.has_special(object, "__missing__")
            && let Some(id) = own.object()
        {
            if let Some(value) = self.dict_get(id, index)? {
                return Ok(value);
            }
            if let Some(method) = self.special(object, "__missing__")? {
                return self.call(&method, vec![index.clone()]);
            }
        }
        self.subscript(&own, index)
    }

    fn out_of_range(&mut self, id: ObjectId, stores: bool) -> Stop {
        let words = match (self.heap.get(id), stores) {
            (Object::Tuple(_), _) => "tuple index out of range",
            (_, true) => "list assignment index out of range",
            _ => "list index out of range",
        };
        self.raise(ExceptionKind::IndexError, words)
    }

    fn sequence_index(&mut self, object: &ScriptValue, index: &ScriptValue) -> Flow<i64> {
        match self.index_value(index)? {
            Some(at) if at == i64::MAX || at == i64::MIN => {
                let words = "cannot fit 'long' into an index-sized integer";
                Err(self.raise(ExceptionKind::IndexError, words))
            }
            Some(at) => Ok(at),
            None => {
                let kind = self.type_name(object);
                let kind = if kind == "xrange" {
                    "sequence".to_owned()
                } else {
                    kind
                };
                let words = if kind == "sequence" {
                    format!("sequence index must be integer, not '{}'", self.type_name(index))
                } else {
                    format!("{kind} indices must be integers, not {}", self.type_name(index))
                };
                Err(self.type_error(&words))
            }
        }
    }

    /// The places that a slice object picks out of a sequence.
    fn picked(&mut self, index: &ScriptValue, id: ObjectId) -> Flow<Option<Vec<usize>>> {
        let len = match self.heap.get(id) {
            Object::List(items) | Object::Tuple(items) => items.len(),
            _ => 0,
        };
        self.picked_of(index, len)
    }

    fn picked_of(&mut self, index: &ScriptValue, len: usize) -> Flow<Option<Vec<usize>>> {
        let Some(Object::Slice(parts)) = index.object().map(|id| self.heap.get(id)) else {
            return Ok(None);
        };
        let [start, stop, step] = (**parts).clone();
        let step = match self.slice_bound(&step)? {
            Some(0) => return Err(self.value_error("slice step cannot be zero")),
            step => step.unwrap_or(1),
        };
        let len = cw_expr::length(len);
        let (least, most) = if step < 0 { (-1, len - 1) } else { (0, len) };
        let clamp = |bound: Option<i64>, otherwise: i64| match bound {
            None => otherwise,
            Some(at) if at < 0 => at.saturating_add(len).max(least),
            Some(at) => at.min(most),
        };
        let (first, last) = if step < 0 { (len - 1, -1) } else { (0, len) };
        let start = clamp(self.slice_bound(&start)?, first);
        let stop = clamp(self.slice_bound(&stop)?, last);
        let mut places = Vec::new();
        let mut at = start;
        while (step > 0 && at < stop) || (step < 0 && at > stop) {
            places.push(usize::try_from(at).unwrap_or(0));
            at = at.saturating_add(step);
        }
        self.charge(places.len() / 4)?;
        Ok(Some(places))
    }

    fn slice_bound(&mut self, bound: &ScriptValue) -> Flow<Option<i64>> {
        if bound.is_none() {
            return Ok(None);
        }
        match self.index_value(bound)? {
            Some(at) => Ok(Some(at)),
            None => {
                let words = "slice indices must be integers or None or have an __index__ method";
                Err(self.type_error(words))
            }
        }
    }

    fn part_of_sequence(&mut self, id: ObjectId, places: &[usize]) -> Flow {
        let (Object::List(items) | Object::Tuple(items)) = self.heap.get(id) else {
            return Ok(ScriptValue::None);
        };
        let part = places.iter().filter_map(|at| items.get(*at).cloned()).collect();
        match self.heap.get(id) {
            Object::List(_) => self.make_list(part),
            _ => self.make_tuple(part),
        }
    }

    /// Start and end of a plain slice over `len` elements.
    fn plain_bounds(&mut self, bounds: &Bounds, len: usize) -> Flow<(usize, usize)> {
        let whole = cw_expr::length(len);
        let clamp = |at: i64| {
            let at = if at < 0 {
                at.saturating_add(whole).max(0)
            } else {
                at.min(whole)
            };
            usize::try_from(at).unwrap_or(0)
        };
        let start = self.slice_bound(&bounds.0)?.map_or(0, clamp);
        let stop = self.slice_bound(&bounds.1)?.map_or(len, clamp);
        Ok((start, stop.max(start)))
    }

    fn slice_object(&mut self, bounds: Bounds) -> Flow {
        self.make(Object::Slice(Box::new([bounds.0, bounds.1, ScriptValue::None])))
    }

    /// `object[start:stop]`.
    pub(crate) fn simple_slice(&mut self, object: &ScriptValue, bounds: Bounds) -> Flow {
        if let Some(text) = object.as_text() {
            let (start, stop) = self.plain_bounds(&bounds, text.len())?;
            self.room_for_text(stop - start)?;
            return Ok(match text {
                TextRef::Narrow(bytes) => ScriptValue::bytes(bytes[start..stop].to_vec()),
                TextRef::Wide(points) => ScriptValue::points(points[start..stop].to_vec()),
            });
        }
        let Some(id) = object.object() else {
            if let ScriptValue::Host(handle) = object {
                return self.host_slice(*handle, &bounds);
            }
            return Err(self.not_sliceable(object));
        };
        match self.heap.get(id) {
            Object::List(items) | Object::Tuple(items) => {
                let len = items.len();
                let (start, stop) = self.plain_bounds(&bounds, len)?;
                let (Object::List(items) | Object::Tuple(items)) = self.heap.get(id) else {
                    return Ok(ScriptValue::None);
                };
                let part = items.get(start..stop).unwrap_or_default().to_vec();
                match self.heap.get(id) {
                    Object::List(_) => self.make_list(part),
                    _ => self.make_tuple(part),
                }
            }
            Object::Instance(_) => {
                let slice = self.slice_object(bounds)?;
                self.subscript_of_instance(object, &slice)
            }
            Object::Dict(_) => Err(self.type_error("unhashable type")),
            Object::XRange { .. } => {
                let words = "sequence index must be integer, not 'slice'";
                Err(self.type_error(words))
            }
            _ => Err(self.not_sliceable(object)),
        }
    }

    fn not_sliceable(&mut self, object: &ScriptValue) -> Stop {
        let name = self.type_name(object);
        let words = format!("'{name}' object has no attribute '__getitem__'");
        self.type_error(&words)
    }

    /// `object[index] = value`.
    pub(crate) fn set_subscript(
        &mut self,
        object: &ScriptValue,
        index: &ScriptValue,
        value: ScriptValue,
    ) -> Flow<()> {
        if let ScriptValue::Host(handle) = object {
            return self.set_host_item(*handle, index, Some(&value));
        }
        let Some(id) = object.object() else {
            return Err(self.no_item_assignment(object, "assignment"));
        };
        match self.heap.get(id) {
            Object::Dict(_) => self.dict_set(id, index.clone(), value),
            Object::List(items) => {
                let len = items.len();
                if let Some(Object::Slice(_)) = index.object().map(|id| self.heap.get(id)) {
                    return self.set_extended_slice(id, index, &value);
                }
                let at = self.sequence_index(object, index)?;
                let Some(at) = place(at, len) else {
                    return Err(self.out_of_range(id, true));
                };
                if let Some(Object::List(items)) = self.heap.get_mut(id)
                    && let Some(item) = items.get_mut(at)
                {
                    *item = value;
                }
                Ok(())
            }
            Object::Deque(items) => {
                let len = items.0.len();
                let at = self.integer_arg(index)?;
                let Some(at) = place(at, len) else {
                    return Err(self.raise(ExceptionKind::IndexError, "deque index out of range"));
                };
                if let Some(Object::Deque(items)) = self.heap.get_mut(id)
                    && let Some(item) = items.0.get_mut(at)
                {
                    *item = value;
                }
                Ok(())
            }
            Object::Instance(_) => {
                if let Some(method) = self.special(object, "__setitem__")? {
                    self.call(&method, vec![index.clone(), value])?;
                    return Ok(());
                }
                let own = self.payload_of(object);
                if own.object() == object.object() {
                    if self.old_instance(object).is_some() {
                        return Err(self.no_attribute(object, "__setitem__"));
                    }
                    return Err(self.no_item_assignment(object, "assignment"));
                }
                self.set_subscript(&own, index, value)
            }
            _ => Err(self.no_item_assignment(object, "assignment")),
        }
    }

    fn no_item_assignment(&mut self, object: &ScriptValue, what: &str) -> Stop {
        let words = format!("'{}' object does not support item {what}", self.type_name(object));
        self.type_error(&words)
    }

    /// A sequence that cannot be changed says so in other words, if the index is one.
    fn no_item_deletion(&mut self, object: &ScriptValue, index: &ScriptValue) -> Stop {
        let is_sequence = object.as_text().is_some()
            || matches!(
                object.object().map(|id| self.heap.get(id)),
                Some(
                    Object::Tuple(_)
                        | Object::Set(_)
                        | Object::FrozenSet(_)
                        | Object::XRange { .. }
                        | Object::Instance(_)
                )
            );
        let is_index = matches!(
            index,
            ScriptValue::Int(_) | ScriptValue::Bool(_) | ScriptValue::Long(_)
        );
        if is_sequence && is_index {
            let words = format!(
                "'{}' object doesn't support item deletion",
                self.type_name(object)
            );
            return self.type_error(&words);
        }
        self.no_item_assignment(object, "deletion")
    }

    fn set_extended_slice(&mut self, id: ObjectId, index: &ScriptValue, value: &ScriptValue) -> Flow<()> {
        let Some(Object::Slice(parts)) = index.object().map(|id| self.heap.get(id)) else {
            return Ok(());
        };
        let [start, stop, step] = (**parts).clone();
        if step.is_none() || matches!(step, ScriptValue::Int(1)) {
            return self.set_simple_slice(&ScriptValue::Object(id), (start, stop), value);
        }
        if !self.can_iterate(value) {
            return Err(self.type_error("must assign iterable to extended slice"));
        }
        let places = self.picked(index, id)?.unwrap_or_default();
        let items = self.items_of(value)?;
        if items.len() != places.len() {
            let words = format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                items.len(),
                places.len()
            );
            return Err(self.value_error(&words));
        }
        if let Some(Object::List(list)) = self.heap.get_mut(id) {
            for (at, item) in places.into_iter().zip(items) {
                if let Some(place) = list.get_mut(at) {
                    *place = item;
                }
            }
        }
        Ok(())
    }

    /// `object[start:stop] = value`.
    pub(crate) fn set_simple_slice(
        &mut self,
        object: &ScriptValue,
        bounds: Bounds,
        value: &ScriptValue,
    ) -> Flow<()> {
        let own = self.payload_of(object);
        let list = own
            .object()
            .filter(|id| matches!(self.heap.get(*id), Object::List(_)));
        let Some(id) = list else {
            if self.class_of(object).is_some() {
                let slice = self.slice_object(bounds)?;
                return self.set_subscript(object, &slice, value.clone());
            }
            if let Some(Object::Dict(_)) = own.object().map(|id| self.heap.get(id)) {
                return Err(self.type_error("unhashable type"));
            }
            let kind = if own.as_text().is_some() || own.object().is_some() {
                "assignment"
            } else {
                "slice assignment"
            };
            let _ = kind;
            return Err(self.no_item_assignment(object, "assignment"));
        };
        if !self.can_iterate(value) {
            return Err(self.type_error("can only assign an iterable"));
        }
        let items = self.items_of(value)?;
        let len = match self.heap.get(id) {
            Object::List(list) => list.len(),
            _ => 0,
        };
        let (start, stop) = self.plain_bounds(&bounds, len)?;
        self.room(len + items.len())?;
        if let Some(Object::List(list)) = self.heap.get_mut(id) {
            list.splice(start..stop, items);
        }
        Ok(())
    }

    /// `del object[index]`.
    pub(crate) fn delete_subscript(&mut self, object: &ScriptValue, index: &ScriptValue) -> Flow<()> {
        if let ScriptValue::Host(handle) = object {
            return self.set_host_item(*handle, index, None);
        }
        let Some(id) = object.object() else {
            return Err(self.no_item_deletion(object, index));
        };
        match self.heap.get(id) {
            Object::Dict(_) => match self.dict_remove(id, index)? {
                Some(_) => Ok(()),
                None => Err(self.key_error(index.clone())),
            },
            Object::List(items) => {
                let len = items.len();
                if let Some(mut places) = self.picked(index, id)? {
                    places.sort_unstable();
                    if let Some(Object::List(items)) = self.heap.get_mut(id) {
                        let mut at = 0;
                        items.retain(|_| {
                            at += 1;
                            places.binary_search(&(at - 1)).is_err()
                        });
                    }
                    return Ok(());
                }
                let at = self.sequence_index(object, index)?;
                match place(at, len) {
                    Some(at) => {
                        self.charge(len / 16)?;
                        if let Some(Object::List(items)) = self.heap.get_mut(id) {
                            items.remove(at);
                        }
                        Ok(())
                    }
                    None => Err(self.out_of_range(id, true)),
                }
            }
            Object::Deque(items) => {
                let len = items.0.len();
                let at = self.integer_arg(index)?;
                let Some(at) = place(at, len) else {
                    return Err(self.raise(ExceptionKind::IndexError, "deque index out of range"));
                };
                if let Some(Object::Deque(items)) = self.heap.get_mut(id) {
                    items.0.remove(at);
                }
                Ok(())
            }
            Object::Instance(_) => {
                if let Some(method) = self.special(object, "__delitem__")? {
                    self.call(&method, vec![index.clone()])?;
                    return Ok(());
                }
                let own = self.payload_of(object);
                if own.object() == object.object() {
                    if self.old_instance(object).is_some() {
                        return Err(self.no_attribute(object, "__delitem__"));
                    }
                    return Err(self.no_item_deletion(object, index));
                }
                self.delete_subscript(&own, index)
            }
            _ => Err(self.no_item_deletion(object, index)),
        }
    }

    /// `del object[start:stop]`.
    pub(crate) fn delete_simple_slice(&mut self, object: &ScriptValue, bounds: Bounds) -> Flow<()> {
        let own = self.payload_of(object);
        if let Some(id) = own.object()
            && let Object::List(list) = self.heap.get(id)
        {
            let len = list.len();
            let (start, stop) = self.plain_bounds(&bounds, len)?;
            if let Some(Object::List(list)) = self.heap.get_mut(id) {
                list.drain(start..stop);
            }
            return Ok(());
        }
        if self.class_of(object).is_some() {
            let slice = self.slice_object(bounds)?;
            return self.delete_subscript(object, &slice);
        }
        if let Some(Object::Dict(_)) = own.object().map(|id| self.heap.get(id)) {
            return Err(self.type_error("unhashable type"));
        }
        Err(self.no_item_assignment(object, "deletion"))
    }

    /// `from module import name`.
    pub(crate) fn import_from(&mut self, module: &ScriptValue, name: &Name) -> Flow {
        if let Some(value) = self.find_attribute(module, name)? {
            return Ok(value);
        }
        let words = format!("cannot import name {}", name.text);
        Err(self.raise(ExceptionKind::ImportError, &words))
    }
}

/// The place of an index that may count from the end.
pub(crate) fn place(at: i64, len: usize) -> Option<usize> {
    let len = i64::try_from(len).ok()?;
    let at = if at < 0 { at + len } else { at };
    if (0..len).contains(&at) {
        usize::try_from(at).ok()
    } else {
        None
    }
}
