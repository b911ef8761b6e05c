//! Values of scripts: small ones inline, what can be changed or shared by its number in the heap.

use std::sync::Arc;

use cw_expr::{Complex, PythonType, Value};
use num_bigint::BigInt;

/// The number of an object in its heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(crate) u32);

/// An object of the host: whatever the host means by it. Equal when the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostHandle(pub u64);

/// A value. Two of them alias when they name the same object.
#[derive(Clone, Debug)]
pub enum ScriptValue {
    /// A variable that has no value yet.
    Unset,
    /// `None`
    None,
    /// `NotImplemented`
    NotImplemented,
    /// `Ellipsis`
    Ellipsis,
    /// `True`, `False`
    Bool(bool),
    /// An `int`: 64 bits.
    Int(i64),
    /// A `float`.
    Float(f64),
    /// A `long`, of any size.
    Long(Arc<BigInt>),
    /// A `complex`.
    Complex(Arc<Complex>),
    /// A text of ASCII alone.
    Text(Arc<Vec<u8>>),
    /// A text with at least one code point beyond ASCII (S15).
    Wide(Arc<Vec<u32>>),
    /// A type that is built in.
    Type(ScriptType),
    /// A function that is built in: its place in the list of them.
    Builtin(u16),
    /// A method of a built-in type, by its name's place in the list of them.
    Native(u16),
    /// Whatever lies in the heap.
    Object(ObjectId),
    /// An object of the host.
    Host(HostHandle),
    /// A function of the host: the place of its name among those that the host gave.
    HostFunction(u16),
}

const _: () = assert!(size_of::<ScriptValue>() == 16, "values are copied all the time");

/// Types that are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScriptType {
    /// One that expressions know.
    Core(PythonType),
    /// A module.
    Module,
    /// A `property`.
    Property,
    /// A `staticmethod`.
    StaticMethod,
    /// A `classmethod`.
    ClassMethod,
    /// A `super`.
    Super,
    /// A method of a class.
    InstanceMethod,
    /// A compiled pattern.
    Pattern,
    /// What a pattern found.
    Match,
    /// What the room refuses (S21).
    NotAvailable,
}

impl ScriptType {
    /// Python's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            ScriptType::Core(PythonType::Unicode) => "str",
            ScriptType::Core(PythonType::Exception(kind)) => kind.name(),
            ScriptType::Core(kind) => kind.name(),
            ScriptType::Module => "module",
            ScriptType::Property => "property",
            ScriptType::StaticMethod => "staticmethod",
            ScriptType::ClassMethod => "classmethod",
            ScriptType::Super => "super",
            ScriptType::InstanceMethod => "instancemethod",
            ScriptType::Pattern => "_sre.SRE_Pattern",
            ScriptType::Match => "_sre.SRE_Match",
            ScriptType::NotAvailable => "NotAvailable",
        }
    }
}

/// A text, looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextRef<'a> {
    Narrow(&'a [u8]),
    Wide(&'a [u32]),
}

impl TextRef<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            TextRef::Narrow(bytes) => bytes.len(),
            TextRef::Wide(points) => points.len(),
        }
    }

    pub(crate) fn points(self) -> Vec<u32> {
        match self {
            TextRef::Narrow(bytes) => bytes.iter().map(|byte| u32::from(*byte)).collect(),
            TextRef::Wide(points) => points.to_vec(),
        }
    }

    /// As text of the program around; what is no character becomes U+FFFD.
    pub(crate) fn shown(self) -> String {
        match self {
            TextRef::Narrow(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            TextRef::Wide(points) => points
                .iter()
                .map(|point| char::from_u32(*point).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        }
    }
}

impl ScriptValue {
    /// A text.
    pub fn text(text: &str) -> ScriptValue {
        if text.is_ascii() {
            ScriptValue::Text(Arc::new(text.as_bytes().to_vec()))
        } else {
            ScriptValue::Wide(Arc::new(text.chars().map(u32::from).collect()))
        }
    }

    /// A text of these code points.
    pub(crate) fn points(points: Vec<u32>) -> ScriptValue {
        if points.iter().all(|point| *point < 128) {
            let narrow = points.iter().map(|point| (*point & 0x7f) as u8).collect();
            ScriptValue::Text(Arc::new(narrow))
        } else {
            ScriptValue::Wide(Arc::new(points))
        }
    }

    /// A text whose code points are these bytes.
    pub(crate) fn bytes(bytes: Vec<u8>) -> ScriptValue {
        if bytes.is_ascii() {
            ScriptValue::Text(Arc::new(bytes))
        } else {
            ScriptValue::Wide(Arc::new(bytes.into_iter().map(u32::from).collect()))
        }
    }

    pub(crate) fn long(value: BigInt) -> ScriptValue {
        ScriptValue::Long(Arc::new(value))
    }

    pub(crate) fn int(value: usize) -> ScriptValue {
        ScriptValue::Int(cw_expr::length(value))
    }

    /// A built-in exception's class.
    pub(crate) fn exception(kind: cw_expr::ExceptionKind) -> ScriptValue {
        ScriptValue::Type(ScriptType::Core(PythonType::Exception(kind)))
    }

    pub(crate) fn core(kind: PythonType) -> ScriptValue {
        ScriptValue::Type(ScriptType::Core(kind))
    }

    pub(crate) fn as_text(&self) -> Option<TextRef<'_>> {
        match self {
            ScriptValue::Text(bytes) => Some(TextRef::Narrow(bytes)),
            ScriptValue::Wide(points) => Some(TextRef::Wide(points)),
            _ => None,
        }
    }

    /// The text as a string of the program around, if it is one.
    pub(crate) fn shown(&self) -> Option<String> {
        self.as_text().map(TextRef::shown)
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(self, ScriptValue::None)
    }

    pub(crate) fn is_unset(&self) -> bool {
        matches!(self, ScriptValue::Unset)
    }

    pub(crate) fn object(&self) -> Option<ObjectId> {
        match self {
            ScriptValue::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// The value as the calculator of expressions knows it, if it does not lie in the heap.
    pub(crate) fn plain(&self) -> Option<Value> {
        Some(match self {
            ScriptValue::None => Value::None,
            ScriptValue::NotImplemented => Value::NotImplemented,
            ScriptValue::Ellipsis => Value::Ellipsis,
            ScriptValue::Bool(value) => Value::Bool(*value),
            ScriptValue::Int(value) => Value::Int(*value),
            ScriptValue::Float(value) => Value::Float(*value),
            ScriptValue::Long(value) => Value::Long(value.clone()),
            ScriptValue::Complex(value) => Value::Complex(value.clone()),
            ScriptValue::Text(bytes) => Value::Str(bytes.clone()),
            ScriptValue::Wide(points) => Value::Unicode(points.clone()),
            ScriptValue::Type(ScriptType::Core(kind)) => Value::Type(*kind),
            ScriptValue::Type(_)
            | ScriptValue::Unset
            | ScriptValue::Builtin(_)
            | ScriptValue::Native(_)
            | ScriptValue::Object(_)
            | ScriptValue::Host(_)
            | ScriptValue::HostFunction(_) => return None,
        })
    }

    /// What the calculator gave, unless it is a container.
    pub(crate) fn of_plain(value: Value) -> Option<ScriptValue> {
        Some(match value {
            Value::None => ScriptValue::None,
            Value::NotImplemented => ScriptValue::NotImplemented,
            Value::Ellipsis => ScriptValue::Ellipsis,
            Value::Bool(value) => ScriptValue::Bool(value),
            Value::Int(value) => ScriptValue::Int(value),
            Value::Float(value) => ScriptValue::Float(value),
            Value::Long(value) => ScriptValue::Long(value),
            Value::Complex(value) => ScriptValue::Complex(value),
            Value::Str(bytes) if bytes.is_ascii() => ScriptValue::Text(bytes),
            Value::Str(bytes) => ScriptValue::bytes(bytes.to_vec()),
            Value::Unicode(points) if points.iter().any(|point| *point > 127) => ScriptValue::Wide(points),
            Value::Unicode(points) => ScriptValue::points(points.to_vec()),
            Value::Type(kind) => ScriptValue::core(kind),
            _ => return None,
        })
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(
            self,
            ScriptValue::Bool(_)
                | ScriptValue::Int(_)
                | ScriptValue::Float(_)
                | ScriptValue::Long(_)
                | ScriptValue::Complex(_)
        )
    }
}
