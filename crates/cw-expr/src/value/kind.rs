//! Python's types.

use crate::base::error::ExceptionKind;

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
    ///
    /// ```
    /// assert_eq!(cw_expr::Type::Str.name(), "str");
    /// ```
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

    /// Whether values of this type can be an index.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Type::Bool | Type::Int | Type::Long)
    }
}
