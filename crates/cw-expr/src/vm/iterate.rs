//! Iteration: one cursor type for everything that can be run over.

use std::sync::Arc;

use crate::base::error::{Error, ExceptionKind};
use crate::value::{IteratorKind, Value, ViewKind};
use crate::vm::cursor::IterationCursor;
use crate::vm::machine::{Args, EvalOutcome, Vm};

impl Vm<'_> {
    /// Begins to run over a value.
    pub(crate) fn cursor(&mut self, value: &Value) -> EvalOutcome<IterationCursor> {
        Ok(match value {
            Value::List(items) | Value::Tuple(items) => IterationCursor::Sequence(items.clone(), 0),
            Value::Str(bytes) | Value::Buffer(bytes) => IterationCursor::Bytes(bytes.clone(), 0),
            Value::ByteArray(bytes) => IterationCursor::ByteValues(bytes.clone(), 0),
            Value::MemoryView(view) => IterationCursor::Bytes(Arc::clone(&view.bytes), 0),
            Value::Unicode(points) => IterationCursor::Points(points.clone(), 0),
            Value::XRange(range) => IterationCursor::Range(**range, 0),
            Value::Dict(dict) => IterationCursor::Dict(dict.clone(), 0, ViewKind::Keys),
            Value::View(kind, dict) => IterationCursor::Dict(dict.clone(), 0, *kind),
            Value::Set(set) | Value::FrozenSet(set) => IterationCursor::Set(set.clone(), 0),
            Value::Iterator(_, id) => IterationCursor::Iterator(*id),
            Value::Host(object) if self.host.len(*object).is_some() => IterationCursor::Host(*object, 0),
            Value::Exception(exception) => IterationCursor::Sequence(Arc::new(exception.args.clone()), 0),
            other => {
                return Err(Error::type_error(format!(
                    "'{}' object is not iterable",
                    self.type_name(other)
                )));
            }
        })
    }

    /// The next element; `None` at the end.
    pub(crate) fn next(&mut self, cursor: &mut IterationCursor) -> EvalOutcome<Option<Value>> {
        self.charge(1)?;
        Ok(match cursor {
            IterationCursor::Sequence(items, at) => step(at, items.items.get(*at)).cloned(),
            IterationCursor::Reversed(items, left) => match left.checked_sub(1) {
                Some(at) => {
                    *left = at;
                    items.items.get(at).cloned()
                }
                None => None,
            },
            IterationCursor::Bytes(bytes, at) => {
                step(at, bytes.get(*at)).map(|byte| Value::bytes(vec![*byte]))
            }
            IterationCursor::ByteValues(bytes, at) => {
                step(at, bytes.get(*at)).map(|byte| Value::Int(i64::from(*byte)))
            }
            IterationCursor::Points(points, at) => {
                step(at, points.get(*at)).map(|point| Value::unicode(vec![*point]))
            }
            IterationCursor::Range(range, at) => {
                if *at >= range.len {
                    return Ok(None);
                }
                *at += 1;
                Some(Value::Int(range.item(*at - 1)))
            }
            IterationCursor::Dict(dict, at, kind) => {
                let mut found = None;
                while *at < dict.table.slots() && found.is_none() {
                    found = dict.table.slot(*at);
                    *at += 1;
                }
                match (found, kind) {
                    (None, _) => None,
                    (Some(entry), ViewKind::Keys) => Some(entry.key.clone()),
                    (Some(entry), ViewKind::Values) => Some(entry.value.clone()),
                    (Some(entry), ViewKind::Items) => {
                        let pair = vec![entry.key.clone(), entry.value.clone()];
                        Some(self.make_tuple(pair)?)
                    }
                }
            }
            IterationCursor::Set(set, at) => {
                let mut found = None;
                while *at < set.table.slots() && found.is_none() {
                    found = set.table.slot(*at);
                    *at += 1;
                }
                found.map(|entry| entry.key.clone())
            }
            IterationCursor::Host(object, at) => {
                let len = self.host.len(*object).unwrap_or(0);
                if *at >= len {
                    return Ok(None);
                }
                *at += 1;
                Some(self.host.item(*object, *at - 1)?)
            }
            IterationCursor::Iterator(id) => self.advance(*id)?,
            IterationCursor::Enumerate(inner, count) => {
                let Some(item) = self.deeper(2, |vm| vm.next(inner))? else {
                    return Ok(None);
                };
                let number = count.clone();
                *count = self.binary(crate::tree::ast::BinaryOp::Add, count, &Value::Int(1))?;
                Some(self.make_tuple(vec![number, item])?)
            }
            IterationCursor::Callable(pair) => {
                let (function, sentinel) = &**pair;
                let value = match self.call(function, Args::plain(&[])) {
                    Err(error) if error.is_a(ExceptionKind::StopIteration) => {
                        *cursor = IterationCursor::Done;
                        return Ok(None);
                    }
                    value => value?,
                };
                if self.same_or_equal(&value, sentinel)? {
                    *cursor = IterationCursor::Done;
                    return Ok(None);
                }
                Some(value)
            }
            IterationCursor::Generator(generator) => self.resume(generator)?,
            IterationCursor::Running => return Err(Error::value_error("generator already executing")),
            IterationCursor::Done => None,
        })
    }

    /// The next element of an iterator of this evaluation.
    pub(crate) fn advance(&mut self, id: u32) -> EvalOutcome<Option<Value>> {
        let index = id as usize;
        let Some(slot) = self.iterators.get_mut(index) else {
            return Ok(None);
        };
        let mut cursor = std::mem::replace(slot, IterationCursor::Running);
        let result = self.deeper(2, |vm| vm.next(&mut cursor));
        // CPython's iterators stay exhausted, and a generator that failed is finished.
        if matches!(result, Ok(None)) || result.is_err() && matches!(cursor, IterationCursor::Generator(_)) {
            cursor = IterationCursor::Done;
        }
        if let Some(slot) = self.iterators.get_mut(index)
            && matches!(slot, IterationCursor::Running)
        {
            *slot = cursor;
        }
        // A StopIteration raised inside a generator ends it, as in Python 2.
        match result {
            Err(error) if error.is_a(ExceptionKind::StopIteration) => Ok(None),
            result => result,
        }
    }

    /// All elements.
    pub(crate) fn items(&mut self, value: &Value) -> EvalOutcome<Vec<Value>> {
        if let Value::List(items) | Value::Tuple(items) = value {
            self.allow_items(items.items.len())?;
            return Ok(items.items.clone());
        }
        let mut cursor = self.cursor(value)?;
        if let IterationCursor::Range(range, _) = &cursor {
            self.allow_items(usize::try_from(range.len).unwrap_or(usize::MAX))?;
        }
        let mut items = Vec::new();
        while let Some(item) = self.next(&mut cursor)? {
            if items.len() >= self.limits.sequence {
                return Err(Error::limit("sequence is too long"));
            }
            self.allocate(size_of::<Value>())?;
            items.push(item);
        }
        Ok(items)
    }

    /// A host sequence as a list; anything else as it is.
    pub(crate) fn materialise(&mut self, value: &Value) -> EvalOutcome {
        if let Value::Host(object) = value
            && let Some(len) = self.host.len(*object)
        {
            self.allow_items(len)?;
            let items = (0..len)
                .map(|at| self.host.item(*object, at))
                .collect::<EvalOutcome<Vec<_>>>()?;
            return self.make_list(items);
        }
        Ok(value.clone())
    }

    /// `iter(value)`.
    pub(crate) fn make_iter(&mut self, value: &Value) -> EvalOutcome {
        let kind = match value {
            Value::Iterator(..) => return Ok(value.clone()),
            Value::List(_) | Value::Host(_) => IteratorKind::List,
            Value::Tuple(_) => IteratorKind::Tuple,
            Value::XRange(_) => IteratorKind::Range,
            Value::Dict(_) | Value::View(ViewKind::Keys, _) => IteratorKind::DictKeys,
            Value::View(ViewKind::Values, _) => IteratorKind::DictValues,
            Value::View(ViewKind::Items, _) => IteratorKind::DictItems,
            Value::Set(_) | Value::FrozenSet(_) => IteratorKind::Set,
            Value::ByteArray(_) => IteratorKind::ByteArray,
            _ => IteratorKind::Indexed,
        };
        let cursor = self.cursor(value)?;
        if value.height() > self.limits.height {
            return Err(Error::limit("value is nested too deeply"));
        }
        self.make_iterator(kind, cursor)
    }
}

/// Moves on if there is an element.
fn step<'a, T>(at: &mut usize, item: Option<&'a T>) -> Option<&'a T> {
    *at += usize::from(item.is_some());
    item
}
