//! Python's types.

use crate::base::error::ExceptionKind;

/// Types as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are Python's")]
pub enum PythonType {
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

impl PythonType {
    /// Python's name of the type.
    ///
    /// ```
    /// assert_eq!(cw_expr::PythonType::Str.name(), "str");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            PythonType::NoneType => "NoneType",
            PythonType::NotImplementedType => "NotImplementedType",
            PythonType::Ellipsis => "ellipsis",
            PythonType::Bool => "bool",
            PythonType::Int => "int",
            PythonType::Long => "long",
            PythonType::Float => "float",
            PythonType::Complex => "complex",
            PythonType::BaseString => "basestring",
            PythonType::Str => "str",
            PythonType::Unicode => "unicode",
            PythonType::List => "list",
            PythonType::Tuple => "tuple",
            PythonType::Dict => "dict",
            PythonType::Set => "set",
            PythonType::FrozenSet => "frozenset",
            PythonType::Slice => "slice",
            PythonType::XRange => "xrange",
            PythonType::ByteArray => "bytearray",
            PythonType::Buffer => "buffer",
            PythonType::MemoryView => "memoryview",
            PythonType::DictKeys => "dict_keys",
            PythonType::DictValues => "dict_values",
            PythonType::DictItems => "dict_items",
            PythonType::Type => "type",
            PythonType::Object | PythonType::Host => "object",
            PythonType::Function => "function",
            PythonType::BuiltinFunction => "builtin_function_or_method",
            PythonType::MethodDescriptor => "method_descriptor",
            PythonType::ListIterator => "listiterator",
            PythonType::TupleIterator => "tupleiterator",
            PythonType::IndexedIterator => "iterator",
            PythonType::RangeIterator => "rangeiterator",
            PythonType::DictKeyIterator => "dictionary-keyiterator",
            PythonType::DictValueIterator => "dictionary-valueiterator",
            PythonType::DictItemIterator => "dictionary-itemiterator",
            PythonType::SetIterator => "setiterator",
            PythonType::ByteArrayIterator => "bytearray_iterator",
            PythonType::Enumerate => "enumerate",
            PythonType::ListReverseIterator => "listreverseiterator",
            PythonType::Reversed => "reversed",
            PythonType::CallableIterator => "callable-iterator",
            PythonType::Generator => "generator",
            PythonType::Exception(kind) => kind.type_name(),
        }
    }

    /// Whether an instance of `self` is one of `other` too.
    pub(crate) fn is_a(self, other: PythonType) -> bool {
        if self == other || other == PythonType::Object {
            return true;
        }
        match (self, other) {
            (PythonType::Bool, PythonType::Int)
            | (PythonType::Str | PythonType::Unicode, PythonType::BaseString) => true,
            (PythonType::Exception(kind), PythonType::Exception(base)) => kind.is_a(base),
            _ => false,
        }
    }

    /// Whether values of this type can be an index.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, PythonType::Bool | PythonType::Int | PythonType::Long)
    }
}
