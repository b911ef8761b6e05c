//! Values of expressions: small ones inline, the rest behind one pointer.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::builtin::Builtin;
use crate::code::FunctionCode;
use crate::error::ExceptionKind;
use crate::host::{FunctionId, Object};
use crate::table::Table;

/// A value. Immutable as far as an expression can see; cloning shares.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`, RuleScript's `nil`.
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
    /// A `str`: bytes.
    Str(Arc<Vec<u8>>),
    /// A `unicode`: code points, lone surrogates included.
    Unicode(Arc<Vec<u32>>),
    /// A `list`.
    List(Arc<Sequence>),
    /// A `tuple`.
    Tuple(Arc<Sequence>),
    /// A `dict`.
    Dict(Arc<Dict>),
    /// A `set`.
    Set(Arc<Set>),
    /// A `frozenset`.
    FrozenSet(Arc<Set>),
    /// A `slice`.
    Slice(Arc<Slice>),
    /// An `xrange`.
    XRange(Arc<XRange>),
    /// A `bytearray`, which nothing here can change.
    ByteArray(Arc<Vec<u8>>),
    /// A `buffer` over a copy of its bytes.
    Buffer(Arc<Vec<u8>>),
    /// A `memoryview` over a copy of its bytes.
    MemoryView(Arc<MemoryView>),
    /// A view of a dict.
    View(ViewKind, Arc<Dict>),
    /// A type, an exception class among them.
    Type(Type),
    /// An exception, as a value.
    Exception(Arc<Exception>),
    /// `object()`, by the order of making.
    Plain(u32),
    /// A `lambda`.
    Function(Arc<Function>),
    /// A built-in function.
    Builtin(Builtin),
    /// A method of a value, not yet called.
    Method(Arc<Method>),
    /// A method of a type: `str.upper`.
    Unbound(Type, &'static &'static str),
    /// An iterator: an index into those of the evaluation that made it.
    Iterator(IteratorKind, u32),
    /// An object of the host.
    Host(Object),
    /// A function of the host.
    HostFunction(FunctionId),
}

const _: () = assert!(size_of::<Value>() == 16, "values are passed in two words");
const _: () = assert!(size_of::<Result<Value, crate::Error>>() == 16, "so are results");

/// Elements of a list or tuple.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// In order.
    pub items: Vec<Value>,
    // Invariant: 1 + the greatest height of an item; bounds recursion over values.
    pub(crate) height: u16,
}

/// Entries of a dict.
#[derive(Clone, Debug, Default)]
pub struct Dict {
    pub(crate) table: Table<Value>,
    pub(crate) height: u16,
}

/// Elements of a set.
#[derive(Clone, Debug, Default)]
pub struct Set {
    pub(crate) table: Table<()>,
    pub(crate) height: u16,
}

/// A number with an imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// `slice(start, stop, step)`.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(crate) start: Value,
    pub(crate) stop: Value,
    pub(crate) step: Value,
}

/// An arithmetic progression.
#[derive(Clone, Copy, Debug)]
pub struct XRange {
    pub(crate) start: i64,
    pub(crate) step: i64,
    pub(crate) len: i64,
}

impl XRange {
    /// Element `index`, which is below `len`.
    pub(crate) fn item(self, index: i64) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(index))
    }
}

/// A `memoryview` and what it looks at.
#[derive(Clone, Debug)]
pub struct MemoryView {
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) writable: bool,
}

/// Which part of a dict a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// `viewkeys()`
    Keys,
    /// `viewvalues()`
    Values,
    /// `viewitems()`
    Items,
}

/// An exception object: its class and arguments.
#[derive(Clone, Debug)]
pub struct Exception {
    pub(crate) kind: ExceptionKind,
    pub(crate) args: Sequence,
}

/// A lambda with what it captured.
#[derive(Debug)]
pub struct Function {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) defaults: Vec<Value>,
    /// Indices of the evaluation's cells.
    pub(crate) free: Vec<u32>,
    pub(crate) height: u16,
}

/// A method bound to its object.
#[derive(Debug)]
pub struct Method {
    pub(crate) object: Value,
    pub(crate) name: &'static str,
    pub(crate) height: u16,
}

/// Iterators by the name of their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IteratorKind {
    /// Of a list.
    List,
    /// Of a tuple.
    Tuple,
    /// Of a string or another indexable value.
    Indexed,
    /// Of an xrange.
    Range,
    /// Of a dict's keys.
    DictKeys,
    /// Of a dict's values.
    DictValues,
    /// Of a dict's items.
    DictItems,
    /// Of a set.
    Set,
    /// Of a bytearray.
    ByteArray,
    /// `enumerate(…)`
    Enumerate,
    /// `reversed(list)`
    ListReversed,
    /// `reversed(…)` of anything else
    Reversed,
    /// `iter(callable, sentinel)`
    Callable,
    /// A generator expression.
    Generator,
}

/// Types as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are Python's")]
pub enum Type {
    NoneType,
    NotImplementedType,
    Ellipsis,
    Bool,
    Int,
    Long,
    Float,
    Complex,
    BaseString,
    Str,
    Unicode,
    List,
    Tuple,
    Dict,
    Set,
    FrozenSet,
    Slice,
    XRange,
    ByteArray,
    Buffer,
    MemoryView,
    DictKeys,
    DictValues,
    DictItems,
    Type,
    Object,
    Function,
    BuiltinFunction,
    MethodDescriptor,
    ListIterator,
    TupleIterator,
    IndexedIterator,
    RangeIterator,
    DictKeyIterator,
    DictValueIterator,
    DictItemIterator,
    SetIterator,
    ByteArrayIterator,
    Enumerate,
    ListReverseIterator,
    Reversed,
    CallableIterator,
    Generator,
    /// An object of the host.
    Host,
    Exception(ExceptionKind),
}

impl Type {
    /// Python's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Type::NoneType => "NoneType",
            Type::NotImplementedType => "NotImplementedType",
            Type::Ellipsis => "ellipsis",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Complex => "complex",
            Type::BaseString => "basestring",
            Type::Str => "str",
            Type::Unicode => "unicode",
            Type::List => "list",
            Type::Tuple => "tuple",
            Type::Dict => "dict",
            Type::Set => "set",
            Type::FrozenSet => "frozenset",
            Type::Slice => "slice",
            Type::XRange => "xrange",
            Type::ByteArray => "bytearray",
            Type::Buffer => "buffer",
            Type::MemoryView => "memoryview",
            Type::DictKeys => "dict_keys",
            Type::DictValues => "dict_values",
            Type::DictItems => "dict_items",
            Type::Type => "type",
            Type::Object | Type::Host => "object",
            Type::Function => "function",
            Type::BuiltinFunction => "builtin_function_or_method",
            Type::MethodDescriptor => "method_descriptor",
            Type::ListIterator => "listiterator",
            Type::TupleIterator => "tupleiterator",
            Type::IndexedIterator => "iterator",
            Type::RangeIterator => "rangeiterator",
            Type::DictKeyIterator => "dictionary-keyiterator",
            Type::DictValueIterator => "dictionary-valueiterator",
            Type::DictItemIterator => "dictionary-itemiterator",
            Type::SetIterator => "setiterator",
            Type::ByteArrayIterator => "bytearray_iterator",
            Type::Enumerate => "enumerate",
            Type::ListReverseIterator => "listreverseiterator",
            Type::Reversed => "reversed",
            Type::CallableIterator => "callable-iterator",
            Type::Generator => "generator",
            Type::Exception(kind) => kind.type_name(),
        }
    }

    /// Whether an instance of `self` is one of `other` too.
    pub(crate) fn is_a(self, other: Type) -> bool {
        if self == other || other == Type::Object {
            return true;
        }
        match (self, other) {
            (Type::Bool, Type::Int) | (Type::Str | Type::Unicode, Type::BaseString) => true,
            (Type::Exception(kind), Type::Exception(base)) => kind.is_a(base),
            _ => false,
        }
    }
}

impl Value {
    /// Makes a `str` of the text's UTF-8 bytes.
    pub fn str(text: &str) -> Value {
        Value::Str(Arc::new(text.as_bytes().to_vec()))
    }

    /// Makes a `list`; for hosts, which answer for its size.
    pub fn list(items: Vec<Value>) -> Value {
        let height = height_of(&items);
        Value::List(Arc::new(Sequence { items, height }))
    }

    pub(crate) fn bytes(bytes: Vec<u8>) -> Value {
        Value::Str(Arc::new(bytes))
    }

    pub(crate) fn unicode(points: Vec<u32>) -> Value {
        Value::Unicode(Arc::new(points))
    }

    pub(crate) fn complex(re: f64, im: f64) -> Value {
        Value::Complex(Arc::new(Complex { re, im }))
    }

    pub(crate) fn long(value: BigInt) -> Value {
        Value::Long(Arc::new(value))
    }

    /// How many containers lie within each other here.
    pub(crate) fn height(&self) -> u16 {
        match self {
            Value::List(items) | Value::Tuple(items) => items.height,
            Value::Dict(dict) | Value::View(_, dict) => dict.height,
            Value::Set(set) | Value::FrozenSet(set) => set.height,
            Value::Slice(slice) => {
                1 + slice
                    .start
                    .height()
                    .max(slice.stop.height())
                    .max(slice.step.height())
            }
            Value::Exception(exception) => exception.args.height,
            Value::Function(function) => function.height,
            Value::Method(method) => method.height,
            Value::None
            | Value::NotImplemented
            | Value::Ellipsis
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Long(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Unicode(_)
            | Value::XRange(_)
            | Value::ByteArray(_)
            | Value::Buffer(_)
            | Value::MemoryView(_)
            | Value::Type(_)
            | Value::Plain(_)
            | Value::Builtin(_)
            | Value::Unbound(..)
            | Value::Iterator(..)
            | Value::Host(_)
            | Value::HostFunction(_) => 0,
        }
    }

    /// The type, as a value.
    pub fn type_of(&self) -> Type {
        match self {
            Value::None => Type::NoneType,
            Value::NotImplemented => Type::NotImplementedType,
            Value::Ellipsis => Type::Ellipsis,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Long(_) => Type::Long,
            Value::Complex(_) => Type::Complex,
            Value::Str(_) => Type::Str,
            Value::Unicode(_) => Type::Unicode,
            Value::List(_) => Type::List,
            Value::Tuple(_) => Type::Tuple,
            Value::Dict(_) => Type::Dict,
            Value::Set(_) => Type::Set,
            Value::FrozenSet(_) => Type::FrozenSet,
            Value::Slice(_) => Type::Slice,
            Value::XRange(_) => Type::XRange,
            Value::ByteArray(_) => Type::ByteArray,
            Value::Buffer(_) => Type::Buffer,
            Value::MemoryView(_) => Type::MemoryView,
            Value::View(ViewKind::Keys, _) => Type::DictKeys,
            Value::View(ViewKind::Values, _) => Type::DictValues,
            Value::View(ViewKind::Items, _) => Type::DictItems,
            Value::Type(_) => Type::Type,
            Value::Exception(exception) => Type::Exception(exception.kind),
            Value::Plain(_) => Type::Object,
            Value::Function(_) => Type::Function,
            Value::Builtin(_) | Value::Method(_) | Value::HostFunction(_) => Type::BuiltinFunction,
            Value::Unbound(..) => Type::MethodDescriptor,
            Value::Iterator(kind, _) => match kind {
                IteratorKind::List => Type::ListIterator,
                IteratorKind::Tuple => Type::TupleIterator,
                IteratorKind::Indexed => Type::IndexedIterator,
                IteratorKind::Range => Type::RangeIterator,
                IteratorKind::DictKeys => Type::DictKeyIterator,
                IteratorKind::DictValues => Type::DictValueIterator,
                IteratorKind::DictItems => Type::DictItemIterator,
                IteratorKind::Set => Type::SetIterator,
                IteratorKind::ByteArray => Type::ByteArrayIterator,
                IteratorKind::Enumerate => Type::Enumerate,
                IteratorKind::ListReversed => Type::ListReverseIterator,
                IteratorKind::Reversed => Type::Reversed,
                IteratorKind::Callable => Type::CallableIterator,
                IteratorKind::Generator => Type::Generator,
            },
            Value::Host(_) => Type::Host,
        }
    }
}

/// The height of a container with these items.
pub(crate) fn height_of(items: &[Value]) -> u16 {
    items
        .iter()
        .map(Value::height)
        .max()
        .unwrap_or(0)
        .saturating_add(1)
}
