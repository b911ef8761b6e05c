//! Attributes, elements and slices.

use std::sync::Arc;

use num_traits::{One, ToPrimitive};

use crate::base::error::{Error, ExceptionKind};
use crate::base::id::AttributeId;
use crate::value::kind::PythonType;
use crate::value::word::length;
use crate::value::{Exception, Method, Sequence, Slice, Value};
use crate::vm::float_text;
use crate::vm::machine::{EvalOutcome, Vm};
use crate::vm::method;

impl Vm<'_> {
    /// `object.name` where the dialect knows the attribute but the object is not a host object that has it.
    #[inline(never)]
    pub(crate) fn dialect_attribute(&mut self, object: &Value, id: AttributeId, name: &str) -> EvalOutcome {
        if let Some(value) = self.host.value_attribute(object, id)? {
            return Ok(value);
        }
        self.attribute(object, name)
    }

    /// `object.name` where the dialect knows the attribute.
    pub(crate) fn any_attribute(&mut self, object: &Value, id: AttributeId, name: &str) -> EvalOutcome {
        if let Value::Host(handle) = object
            && let Some(value) = self.host.attribute(*handle, id)?
        {
            return Ok(value);
        }
        self.dialect_attribute(object, id, name)
    }

    /// `getattr(object, name)`.
    pub(crate) fn attribute_by_text(&mut self, object: &Value, name: &str) -> EvalOutcome {
        match self.host.attribute_named(name) {
            Some(id) => self.any_attribute(object, id, name),
            None => self.attribute(object, name),
        }
    }

    /// `object.name` for Python's own attributes.
    pub(crate) fn attribute(&mut self, object: &Value, name: &str) -> EvalOutcome {
        if name.starts_with("__") {
            return Err(Error::not_available(name));
        }
        if let Some(value) = self.data_attribute(object, name)? {
            return Ok(value);
        }
        if let Value::Type(kind) = object {
            return match method::find(*kind, name) {
                Some(entry) if entry.refused => Err(Error::not_available(name)),
                Some(entry) if entry.of_type => self.bound(object, entry.name),
                Some(entry) => Ok(Value::Unbound(*kind, &entry.name)),
                None if let Some(entry) = method::find(PythonType::Type, name) => {
                    self.bound(object, entry.name)
                }
                None => Err(Error::raise(
                    ExceptionKind::AttributeError,
                    format!("type object '{}' has no attribute '{name}'", kind.name()),
                )),
            };
        }
        match method::find(object.type_of(), name) {
            Some(entry) if entry.refused => Err(Error::not_available(name)),
            Some(entry) => self.bound(object, entry.name),
            None if is_internal(object, name) => Err(Error::not_available(name)),
            None => Err(Error::attribute(self.type_name(object), name)),
        }
    }

    fn bound(&mut self, object: &Value, name: &'static str) -> EvalOutcome {
        self.allocate(64)?;
        let height = object.height().saturating_add(1);
        if height > self.limits.height {
            return Err(Error::limit("value is nested too deeply"));
        }
        Ok(Value::Method(Arc::new(Method {
            object: object.clone(),
            name,
            height,
        })))
    }

    fn data_attribute(&mut self, object: &Value, name: &str) -> EvalOutcome<Option<Value>> {
        Ok(Some(match (object, name) {
            (Value::Int(_) | Value::Long(_), "real" | "numerator") | (Value::Float(_), "real") => {
                object.clone()
            }
            (Value::Bool(value), "real" | "numerator") => Value::Int(i64::from(*value)),
            (Value::Int(_) | Value::Bool(_), "imag") => Value::Int(0),
            (Value::Int(_) | Value::Bool(_), "denominator") | (Value::MemoryView(_), "ndim") => Value::Int(1),
            (Value::Long(_), "imag") => Value::long(num_bigint::BigInt::ZERO),
            (Value::Long(_), "denominator") | (Value::MemoryView(_), "itemsize") => {
                Value::long(num_bigint::BigInt::one())
            }
            (Value::Float(_), "imag") => Value::Float(0.0),
            (Value::Complex(value), "real") => Value::Float(value.re),
            (Value::Complex(value), "imag") => Value::Float(value.im),
            (Value::Slice(slice), "start") => slice.start.clone(),
            (Value::Slice(slice), "stop") => slice.stop.clone(),
            (Value::Slice(slice), "step") => slice.step.clone(),
            (Value::Exception(exception), _) => return self.exception_attribute(exception, name),
            (Value::MemoryView(_), "format") => Value::str("B"),
            (Value::MemoryView(view), "readonly") => Value::Bool(!view.writable),
            (Value::MemoryView(view), "shape") => {
                let len = length(view.bytes.len());
                self.make_tuple(vec![Value::long(len.into())])?
            }
            (Value::MemoryView(_), "strides") => self.make_tuple(vec![Value::long(1.into())])?,
            (Value::MemoryView(_), "suboffsets") => Value::None,
            _ => return Ok(None),
        }))
    }

    fn exception_attribute(&mut self, exception: &Exception, name: &str) -> EvalOutcome<Option<Value>> {
        let args = &exception.args.items;
        let arg = |at: usize| args.get(at).cloned().unwrap_or(Value::None);
        let kind = exception.kind;
        Ok(Some(match name {
            "args" => Value::Tuple(Arc::new(Sequence {
                items: args.clone(),
                height: exception.args.height,
            })),
            "message" if args.len() == 1 => arg(0),
            "message" => Value::str(""),
            "errno" | "strerror" | "filename" if kind.is_a(ExceptionKind::EnvironmentError) => {
                match (name, args.len()) {
                    ("errno", 2 | 3) => arg(0),
                    ("strerror", 2 | 3) => arg(1),
                    ("filename", 3) => arg(2),
                    _ => Value::None,
                }
            }
            "code" if kind.is_a(ExceptionKind::SystemExit) => match args.len() {
                0 => Value::None,
                1 => arg(0),
                _ => Value::Tuple(Arc::new(Sequence {
                    items: args.clone(),
                    height: exception.args.height,
                })),
            },
            "msg" if kind.is_a(ExceptionKind::SyntaxError) => arg(0),
            "filename" | "lineno" | "offset" | "text" | "print_file_and_line"
                if kind.is_a(ExceptionKind::SyntaxError) =>
            {
                Value::None
            }
            _ => return Ok(None),
        }))
    }

    /// `object.N`.
    pub(crate) fn dot_index(&mut self, object: &Value, index: u32) -> EvalOutcome {
        if let Value::Host(handle) = object
            && let Some(len) = self.host.len(*handle)
        {
            let index = index as usize;
            if index >= len {
                return Err(Error::raise(ExceptionKind::IndexError, "list index out of range"));
            }
            return self.host.item(*handle, index);
        }
        self.subscript(object, &Value::Int(i64::from(index)))
    }

    /// `object[index]`.
    pub(crate) fn subscript(&mut self, object: &Value, index: &Value) -> EvalOutcome {
        match object {
            Value::Dict(dict) => match self.dict_get(&dict.table, index)? {
                Some(value) => Ok(value),
                None => {
                    let key = self.repr(index)?;
                    Err(Error::raise(ExceptionKind::KeyError, key))
                }
            },
            Value::Host(handle) => match self.host.len(*handle) {
                Some(len) => {
                    if let Value::Slice(_) = index {
                        let list = self.materialise(object)?;
                        return self.subscript(&list, index);
                    }
                    let at = self.element(index, len, "list")?;
                    self.host.item(*handle, at)
                }
                None => Err(self.not_indexable(object)),
            },
            Value::List(items) | Value::Tuple(items) => {
                if let Value::Slice(slice) = index {
                    let picked = self.slice_indices(slice, items.items.len())?;
                    self.allow_items(picked.len)?;
                    let picked = picked
                        .iter()
                        .filter_map(|at| items.items.get(at).cloned())
                        .collect();
                    return self.remake(object, picked);
                }
                let at = self.element(index, items.items.len(), self.type_name(object))?;
                items
                    .items
                    .get(at)
                    .cloned()
                    .ok_or_else(|| Error::raise(ExceptionKind::IndexError, "index out of range"))
            }
            Value::Str(bytes) => {
                if let Value::Slice(slice) = index {
                    let picked = self.slice_indices(slice, bytes.len())?;
                    self.allow_text(picked.len)?;
                    return Ok(Value::bytes(
                        picked.iter().filter_map(|at| bytes.get(at).copied()).collect(),
                    ));
                }
                let at = self.element(index, bytes.len(), "string")?;
                Ok(Value::bytes(
                    bytes.get(at).map(|byte| vec![*byte]).unwrap_or_default(),
                ))
            }
            Value::Unicode(points) => {
                if let Value::Slice(slice) = index {
                    let picked = self.slice_indices(slice, points.len())?;
                    self.allow_text(picked.len)?;
                    return self
                        .make_unicode(picked.iter().filter_map(|at| points.get(at).copied()).collect());
                }
                let at = self.element(index, points.len(), "unicode")?;
                Ok(Value::unicode(
                    points.get(at).map(|point| vec![*point]).unwrap_or_default(),
                ))
            }
            Value::ByteArray(bytes) => {
                if let Value::Slice(slice) = index {
                    let picked = self.slice_indices(slice, bytes.len())?;
                    self.allow_text(picked.len)?;
                    let picked = picked.iter().filter_map(|at| bytes.get(at).copied()).collect();
                    return Ok(Value::ByteArray(Arc::new(picked)));
                }
                let at = self.element(index, bytes.len(), "bytearray")?;
                Ok(Value::Int(bytes.get(at).map_or(0, |byte| i64::from(*byte))))
            }
            Value::Buffer(bytes) => {
                if let Value::Slice(slice) = index {
                    let picked = self.slice_indices(slice, bytes.len())?;
                    self.allow_text(picked.len)?;
                    return Ok(Value::bytes(
                        picked.iter().filter_map(|at| bytes.get(at).copied()).collect(),
                    ));
                }
                let at = self.element(index, bytes.len(), "buffer")?;
                Ok(Value::bytes(
                    bytes.get(at).map(|byte| vec![*byte]).unwrap_or_default(),
                ))
            }
            Value::MemoryView(view) => {
                if let Value::Slice(slice) = index {
                    if !matches!(slice.step, Value::None | Value::Int(1)) {
                        return Err(Error::raise(ExceptionKind::NotImplementedError, ""));
                    }
                    let picked = self.slice_indices(slice, view.bytes.len())?;
                    self.allow_text(picked.len)?;
                    let bytes = picked.iter().filter_map(|at| view.bytes.get(at).copied());
                    let view = crate::value::MemoryView {
                        bytes: Arc::new(bytes.collect()),
                        writable: view.writable,
                    };
                    return Ok(Value::MemoryView(Arc::new(view)));
                }
                if !index.type_of().is_integer() {
                    return Err(Error::type_error(format!(
                        "cannot index memory using \"{}\"",
                        self.type_name(index)
                    )));
                }
                let at = self.element(index, view.bytes.len(), "memory")?;
                Ok(Value::bytes(
                    view.bytes.get(at).map(|byte| vec![*byte]).unwrap_or_default(),
                ))
            }
            Value::XRange(range) => {
                if !index.type_of().is_integer() {
                    return Err(Error::type_error(format!(
                        "sequence index must be integer, not '{}'",
                        self.type_name(index)
                    )));
                }
                let at = self.element(index, usize::try_from(range.len).unwrap_or(0), "xrange object")?;
                Ok(Value::Int(range.item(at as i64)))
            }
            Value::Exception(exception) => {
                let args = Value::Tuple(Arc::new(exception.args.clone()));
                self.subscript(&args, index)
            }
            other => Err(self.not_indexable(other)),
        }
    }

    fn not_indexable(&self, object: &Value) -> Error {
        let name = self.type_name(object);
        match object {
            Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::Unbound(..)
            | Value::Iterator(..)
            | Value::None
            | Value::Int(_)
            | Value::Bool(_)
            | Value::Long(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Type(_)
            | Value::View(..)
            | Value::Slice(_)
            | Value::Ellipsis
            | Value::NotImplemented => {
                Error::type_error(format!("'{name}' object has no attribute '__getitem__'"))
            }
            Value::Set(_) | Value::FrozenSet(_) => {
                Error::type_error(format!("'{name}' object does not support indexing"))
            }
            _ => Error::type_error(format!("'{name}' object has no attribute '__getitem__'")),
        }
    }

    /// An index into `len` elements, negative ones from the end.
    fn element(&self, index: &Value, len: usize, what: &str) -> EvalOutcome<usize> {
        if !index.type_of().is_integer() {
            let name = self.type_name(index);
            let words = match what {
                "list" => format!("list indices must be integers, not {name}"),
                "tuple" => format!("tuple indices must be integers, not {name}"),
                "string" => format!("string indices must be integers, not {name}"),
                "unicode" => "string indices must be integers".to_owned(),
                "buffer" => "sequence index must be integer".to_owned(),
                "bytearray" => "bytearray indices must be integers".to_owned(),
                _ => format!("sequence index must be integer, not '{name}'"),
            };
            return Err(Error::type_error(words));
        }
        let index = match index {
            Value::Long(value) => value.to_i64().ok_or_else(|| {
                Error::raise(
                    ExceptionKind::IndexError,
                    "cannot fit 'long' into an index-sized integer",
                )
            })?,
            other => self.index_sized(other)?,
        };
        let len = length(len);
        let at = if index < 0 { index + len } else { index };
        if at < 0 || at >= len {
            let words = match what {
                "memory" => "index out of bounds".to_owned(),
                "unicode" => "string index out of range".to_owned(),
                what => format!("{what} index out of range"),
            };
            return Err(Error::raise(ExceptionKind::IndexError, words));
        }
        Ok(usize::try_from(at).expect("it is neither negative nor beyond the length"))
    }

    /// A list or tuple as `like`, of these items.
    fn remake(&mut self, like: &Value, items: Vec<Value>) -> EvalOutcome {
        if matches!(like, Value::Tuple(_)) {
            self.make_tuple(items)
        } else {
            self.make_list(items)
        }
    }

    /// `object[start:stop]`: without a step even values that know no slice objects take part.
    pub(crate) fn simple_slice(&mut self, object: &Value, start: Value, stop: Value) -> EvalOutcome {
        for bound in [&start, &stop] {
            if !matches!(bound, Value::None) && !bound.type_of().is_integer() {
                let sliceable = matches!(
                    object,
                    Value::Str(_)
                        | Value::Unicode(_)
                        | Value::List(_)
                        | Value::Tuple(_)
                        | Value::Host(_)
                        | Value::ByteArray(_)
                        | Value::Buffer(_)
                );
                if sliceable {
                    return Err(bad_bound());
                }
            }
        }
        if let Value::XRange(_) = object {
            return Err(Error::type_error("sequence index must be integer, not 'slice'"));
        }
        if let Value::MemoryView(_) = object {
            let slice = self.make_slice(start, stop, Value::None)?;
            return self.subscript(object, &slice);
        }
        let slice = self.make_slice(start, stop, Value::None)?;
        self.subscript(object, &slice)
    }

    /// The indices that a slice picks out of `len` elements.
    pub(crate) fn slice_indices(&self, slice: &Slice, len: usize) -> EvalOutcome<Picked> {
        let len = length(len);
        let (start, stop, step) = self.slice_bounds(slice, len)?;
        let count = if step > 0 {
            if start < stop {
                (stop - start - 1) / step + 1
            } else {
                0
            }
        } else if start > stop {
            // `-step` would overflow for the smallest integer.
            (start - stop - 1) / step.checked_neg().unwrap_or(i64::MAX) + 1
        } else {
            0
        };
        Ok(Picked {
            start,
            step,
            len: usize::try_from(count).unwrap_or(0),
        })
    }

    /// `slice.indices(len)`.
    pub(crate) fn slice_bounds(&self, slice: &Slice, len: i64) -> EvalOutcome<(i64, i64, i64)> {
        let step = match &slice.step {
            Value::None => 1,
            step => self.bound_of_slice(step)?.max(-i64::MAX),
        };
        if step == 0 {
            return Err(Error::value_error("slice step cannot be zero"));
        }
        let bound = |value: &Value, default: i64| match value {
            Value::None => Ok(default),
            value => self.bound_of_slice(value),
        };
        // As CPython does it, overflow with negative lengths included.
        let (lowest, highest) = if step < 0 {
            (-1, len.wrapping_sub(1))
        } else {
            (0, len)
        };
        let clamp = |value: i64| {
            if value < 0 {
                let value = value.wrapping_add(len);
                if value < 0 { lowest } else { value }
            } else {
                if value >= len { highest } else { value }
            }
        };
        let (first, last) = if step < 0 {
            (i64::MAX, i64::MIN)
        } else {
            (0, i64::MAX)
        };
        let start = clamp(bound(&slice.start, first)?);
        let stop = clamp(bound(&slice.stop, last)?);
        Ok((start, stop, step))
    }

    fn bound_of_slice(&self, value: &Value) -> EvalOutcome<i64> {
        match value {
            Value::Bool(value) => Ok(i64::from(*value)),
            Value::Int(value) => Ok(*value),
            Value::Long(value) => Ok(value
                .to_i64()
                .unwrap_or(if value.sign() == num_bigint::Sign::Minus {
                    i64::MIN
                } else {
                    i64::MAX
                })),
            _ => Err(bad_bound()),
        }
    }

    /// `hasattr`: whether [`Vm::attribute`] finds something.
    pub(crate) fn has_attribute(&mut self, object: &Value, name: &str) -> EvalOutcome<bool> {
        match self.attribute_by_text(object, name) {
            Ok(_) => Ok(true),
            Err(error) if error.is_a(ExceptionKind::Exception) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// `float.hex()`.
    pub(crate) fn float_hex(value: f64) -> String {
        if !value.is_finite() {
            return float_text::repr(value);
        }
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let bits = value.abs().to_bits();
        if bits == 0 {
            return format!("{sign}0x0.0p+0");
        }
        let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        let (lead, exponent) = if exponent == 0 {
            (0, -1022)
        } else {
            (1, exponent - 1023)
        };
        format!("{sign}0x{lead}.{fraction:013x}p{exponent:+}")
    }
}

/// An arithmetic progression of indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    start: i64,
    step: i64,
    pub(crate) len: usize,
}

impl Picked {
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..self.len as i64)
            .filter_map(move |at| usize::try_from(self.start.wrapping_add(at.wrapping_mul(self.step))).ok())
    }
}

fn bad_bound() -> Error {
    Error::type_error("slice indices must be integers or None or have an __index__ method")
}

/// Attributes of functions and iterators that show the interpreter's inside.
fn is_internal(object: &Value, name: &str) -> bool {
    match object {
        Value::Function(_) => name.starts_with("func_"),
        Value::Iterator(..) => name.starts_with("gi_") || matches!(name, "send" | "throw" | "close"),
        Value::Method(_) => name.starts_with("im_"),
        _ => false,
    }
}
