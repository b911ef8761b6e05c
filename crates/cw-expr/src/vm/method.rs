//! Which methods the types have, and those of numbers, lists, dicts, sets and the rest.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, One};

use crate::base::error::{Error, ExceptionKind};
use crate::value::builtin::Arity;
use crate::value::kind::PythonType;
use crate::value::word::length;
use crate::value::{MemoryView, SetElements, Value, ViewKind};
use crate::value::{ValueEntry as TableEntry, ValueTable};
use crate::vm::machine::{Args, EvalOutcome, Vm};

/// A method of a type.
#[derive(Debug)]
pub(crate) struct MethodEntry {
    pub(crate) name: &'static str,
    pub(crate) arity: Arity,
    /// It changes its object, or shows the interpreter's inside (D40).
    pub(crate) refused: bool,
    /// It belongs to the type, not to its values.
    pub(crate) of_type: bool,
    /// It takes named arguments.
    pub(crate) named: bool,
}

const fn entry(name: &'static str, arity: Arity) -> MethodEntry {
    MethodEntry {
        name,
        arity,
        refused: false,
        of_type: false,
        named: false,
    }
}

const fn refused(name: &'static str) -> MethodEntry {
    MethodEntry {
        name,
        arity: Arity::Any,
        refused: true,
        of_type: false,
        named: false,
    }
}

const fn of_type(name: &'static str, arity: Arity) -> MethodEntry {
    MethodEntry {
        name,
        arity,
        refused: false,
        of_type: true,
        named: false,
    }
}

const fn named(name: &'static str, arity: Arity) -> MethodEntry {
    MethodEntry {
        name,
        arity,
        refused: false,
        of_type: false,
        named: true,
    }
}

macro_rules! text_methods {
    ($($more:expr),* $(,)?) => {
        &[
            entry("capitalize", Arity::None),
            entry("center", Arity::Parse(1, 2)),
            entry("count", Arity::Parse(1, 3)),
            entry("endswith", Arity::Parse(1, 3)),
            entry("expandtabs", Arity::Parse(0, 1)),
            entry("find", Arity::Parse(1, 3)),
            entry("index", Arity::Parse(1, 3)),
            entry("isalnum", Arity::None),
            entry("isalpha", Arity::None),
            entry("isdigit", Arity::None),
            entry("islower", Arity::None),
            entry("isspace", Arity::None),
            entry("istitle", Arity::None),
            entry("isupper", Arity::None),
            entry("join", Arity::One),
            entry("ljust", Arity::Parse(1, 2)),
            entry("lower", Arity::None),
            entry("lstrip", Arity::Parse(0, 1)),
            entry("partition", Arity::One),
            entry("replace", Arity::Parse(2, 3)),
            entry("rfind", Arity::Parse(1, 3)),
            entry("rindex", Arity::Parse(1, 3)),
            entry("rjust", Arity::Parse(1, 2)),
            entry("rpartition", Arity::One),
            entry("rsplit", Arity::Parse(0, 2)),
            entry("rstrip", Arity::Parse(0, 1)),
            entry("split", Arity::Parse(0, 2)),
            entry("splitlines", Arity::Parse(0, 1)),
            entry("startswith", Arity::Parse(1, 3)),
            entry("strip", Arity::Parse(0, 1)),
            entry("swapcase", Arity::None),
            entry("title", Arity::None),
            entry("upper", Arity::None),
            entry("zfill", Arity::Parse(1, 1)),
            $($more),*
        ]
    };
}

static STR: &[MethodEntry] = text_methods![
    named("decode", Arity::Parse(0, 2)),
    named("encode", Arity::Parse(0, 2)),
    named("format", Arity::Any),
    entry("translate", Arity::Unpack(1, 2)),
];

static UNICODE: &[MethodEntry] = text_methods![
    named("decode", Arity::Parse(0, 2)),
    named("encode", Arity::Parse(0, 2)),
    named("format", Arity::Any),
    entry("isdecimal", Arity::None),
    entry("isnumeric", Arity::None),
    entry("translate", Arity::One),
];

static BYTEARRAY: &[MethodEntry] = text_methods![
    named("decode", Arity::Parse(0, 2)),
    entry("translate", Arity::Unpack(1, 2)),
    of_type("fromhex", Arity::Parse(1, 1)),
    refused("append"),
    refused("extend"),
    refused("insert"),
    refused("pop"),
    refused("remove"),
    refused("reverse"),
];

static LIST: &[MethodEntry] = &[
    entry("count", Arity::One),
    entry("index", Arity::Parse(1, 3)),
    refused("append"),
    refused("extend"),
    refused("insert"),
    refused("pop"),
    refused("remove"),
    refused("reverse"),
    refused("sort"),
];

static TUPLE: &[MethodEntry] = &[entry("count", Arity::One), entry("index", Arity::Parse(1, 3))];

static DICT: &[MethodEntry] = &[
    entry("copy", Arity::None),
    of_type("fromkeys", Arity::Unpack(1, 2)),
    entry("get", Arity::Unpack(1, 2)),
    entry("has_key", Arity::One),
    entry("items", Arity::None),
    entry("iteritems", Arity::None),
    entry("iterkeys", Arity::None),
    entry("itervalues", Arity::None),
    entry("keys", Arity::None),
    entry("values", Arity::None),
    entry("viewitems", Arity::None),
    entry("viewkeys", Arity::None),
    entry("viewvalues", Arity::None),
    refused("clear"),
    refused("pop"),
    refused("popitem"),
    refused("setdefault"),
    refused("update"),
];

macro_rules! set_methods {
    ($($more:expr),* $(,)?) => {
        &[
            entry("copy", Arity::None),
            entry("difference", Arity::Any),
            entry("intersection", Arity::Any),
            entry("isdisjoint", Arity::One),
            entry("issubset", Arity::One),
            entry("issuperset", Arity::One),
            entry("symmetric_difference", Arity::One),
            entry("union", Arity::Any),
            $($more),*
        ]
    };
}

static SET: &[MethodEntry] = set_methods![
    refused("add"),
    refused("clear"),
    refused("difference_update"),
    refused("discard"),
    refused("intersection_update"),
    refused("pop"),
    refused("remove"),
    refused("symmetric_difference_update"),
    refused("update"),
];

static FROZENSET: &[MethodEntry] = set_methods![];

static INT: &[MethodEntry] = &[entry("bit_length", Arity::None), entry("conjugate", Arity::None)];

static FLOAT: &[MethodEntry] = &[
    entry("as_integer_ratio", Arity::None),
    entry("conjugate", Arity::None),
    of_type("fromhex", Arity::One),
    entry("hex", Arity::None),
    entry("is_integer", Arity::None),
];

static COMPLEX: &[MethodEntry] = &[entry("conjugate", Arity::None)];

static SLICE: &[MethodEntry] = &[entry("indices", Arity::One)];

static MEMORYVIEW: &[MethodEntry] = &[entry("tobytes", Arity::None), entry("tolist", Arity::None)];

static ITERATOR: &[MethodEntry] = &[entry("next", Arity::None)];

static GENERATOR: &[MethodEntry] = &[
    entry("next", Arity::None),
    refused("send"),
    refused("throw"),
    refused("close"),
];

static TYPE: &[MethodEntry] = &[entry("mro", Arity::None)];

static NOTHING: &[MethodEntry] = &[];

/// The methods of a type.
fn methods_of(kind: PythonType) -> &'static [MethodEntry] {
    match kind {
        PythonType::Str => STR,
        PythonType::Unicode => UNICODE,
        PythonType::ByteArray => BYTEARRAY,
        PythonType::List => LIST,
        PythonType::Tuple => TUPLE,
        PythonType::Dict => DICT,
        PythonType::Set => SET,
        PythonType::FrozenSet => FROZENSET,
        PythonType::Bool | PythonType::Int | PythonType::Long => INT,
        PythonType::Float => FLOAT,
        PythonType::Complex => COMPLEX,
        PythonType::Slice => SLICE,
        PythonType::MemoryView => MEMORYVIEW,
        PythonType::Type => TYPE,
        PythonType::Generator => GENERATOR,
        PythonType::ListIterator
        | PythonType::TupleIterator
        | PythonType::IndexedIterator
        | PythonType::RangeIterator
        | PythonType::DictKeyIterator
        | PythonType::DictValueIterator
        | PythonType::DictItemIterator
        | PythonType::SetIterator
        | PythonType::ByteArrayIterator
        | PythonType::Enumerate
        | PythonType::ListReverseIterator
        | PythonType::Reversed
        | PythonType::CallableIterator => ITERATOR,
        PythonType::NoneType
        | PythonType::NotImplementedType
        | PythonType::Ellipsis
        | PythonType::BaseString
        | PythonType::XRange
        | PythonType::Buffer
        | PythonType::DictKeys
        | PythonType::DictItems
        | PythonType::DictValues
        | PythonType::Object
        | PythonType::Function
        | PythonType::BuiltinFunction
        | PythonType::MethodDescriptor
        | PythonType::Host
        | PythonType::Exception(_) => NOTHING,
    }
}

/// The method `name` of a type.
pub(crate) fn find(kind: PythonType, name: &str) -> Option<&'static MethodEntry> {
    methods_of(kind).iter().find(|entry| entry.name == name)
}

/// Whether any of Python's values has an attribute of this name; for checking.
///
/// ```
/// assert!(cw_expr::has_attribute_named("upper"));
/// ```
pub fn has_attribute_named(name: &str) -> bool {
    const DATA: [&str; 10] = [
        "real",
        "imag",
        "numerator",
        "denominator",
        "start",
        "stop",
        "step",
        "args",
        "message",
        "errno",
    ];
    DATA.contains(&name) || has_method_named(name)
}

/// Whether any of Python's values has a method of this name; for checking.
///
/// ```
/// assert!(cw_expr::has_method_named("upper") && !cw_expr::has_method_named("real"));
/// ```
pub fn has_method_named(name: &str) -> bool {
    let tables = [
        STR, UNICODE, BYTEARRAY, LIST, TUPLE, DICT, SET, INT, FLOAT, COMPLEX, SLICE, MEMORYVIEW, ITERATOR,
    ];
    tables
        .iter()
        .any(|table| table.iter().any(|entry| entry.name == name))
}

/// Refuses a wrong number of arguments in the words of the arity.
pub(crate) fn check_arity(name: &str, arity: Arity, given: usize) -> EvalOutcome<()> {
    let words = match arity {
        Arity::Any => return Ok(()),
        Arity::None if given == 0 => return Ok(()),
        Arity::None => format!("{name}() takes no arguments ({given} given)"),
        Arity::One if given == 1 => return Ok(()),
        Arity::One => format!("{name}() takes exactly one argument ({given} given)"),
        Arity::Parse(least, most) | Arity::Unpack(least, most) => {
            let (least, most) = (usize::from(least), usize::from(most));
            if (least..=most).contains(&given) {
                return Ok(());
            }
            let count = if given < least { least } else { most };
            let bound = if given < least { "at least" } else { "at most" };
            if matches!(arity, Arity::Unpack(..)) {
                let bound = if least == most {
                    String::new()
                } else {
                    format!("{bound} ")
                };
                format!("{name} expected {bound}{count} arguments, got {given}")
            } else {
                let bound = if least == most { "exactly" } else { bound };
                let plural = if count == 1 { "" } else { "s" };
                format!("{name}() takes {bound} {count} argument{plural} ({given} given)")
            }
        }
    };
    Err(Error::type_error(words))
}

impl Vm<'_> {
    /// Calls a method of a value.
    pub(crate) fn call_method(
        &mut self,
        object: &Value,
        entry: &'static MethodEntry,
        args: Args<'_>,
    ) -> EvalOutcome {
        self.charge(1)?;
        let name = entry.name;
        if entry.refused {
            return Err(Error::not_available(name));
        }
        if entry.of_type {
            return self.call_type_method(&Value::Type(object.type_of()), name, args);
        }
        if !entry.named && !args.named.is_empty() {
            return Err(Error::type_error(format!("{name}() takes no keyword arguments")));
        }
        let counted = match (object, name) {
            (Value::Str(_) | Value::ByteArray(_), "find" | "rfind" | "index" | "rindex") => {
                "find/rfind/index/rindex"
            }
            _ => name,
        };
        check_arity(counted, entry.arity, args.plain.len() + args.named.len())?;
        let plain = args.plain;
        match object {
            Value::Str(_) | Value::Unicode(_) | Value::ByteArray(_) => self.text_method(object, name, args),
            Value::List(items) | Value::Tuple(items) => match name {
                "count" => {
                    let mut count = 0;
                    for item in &items.items {
                        self.charge(1)?;
                        count += i64::from(self.same_or_equal(item, &plain[0])?);
                    }
                    Ok(Value::Int(count))
                }
                _ => self.index_of(object, &items.items, plain),
            },
            Value::Dict(_) => self.dict_method(object, name, plain),
            Value::Set(_) | Value::FrozenSet(_) => self.set_method(object, name, plain),
            Value::Bool(_) | Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Complex(_) => {
                self.number_method(object, name)
            }
            Value::Slice(slice) => {
                let len = match &plain[0] {
                    len if len.type_of().is_integer() => self.index_sized(len)?,
                    other => {
                        return Err(Error::type_error(format!(
                            "'{}' object cannot be interpreted as an index",
                            self.type_name(other)
                        )));
                    }
                };
                let (start, stop, step) = self.slice_bounds(slice, len)?;
                self.make_tuple(vec![Value::Int(start), Value::Int(stop), Value::Int(step)])
            }
            Value::MemoryView(view) => match name {
                "tobytes" => self.make_str(view.bytes.to_vec()),
                _ => {
                    let items = view
                        .bytes
                        .iter()
                        .map(|byte| Value::Int(i64::from(*byte)))
                        .collect();
                    self.make_list(items)
                }
            },
            Value::Iterator(_, id) => match self.advance(*id)? {
                Some(item) => Ok(item),
                None => Err(Error::raise(ExceptionKind::StopIteration, "")),
            },
            Value::Type(kind) => {
                let mut types = vec![Value::Type(*kind)];
                match kind {
                    PythonType::Bool => types.push(Value::Type(PythonType::Int)),
                    PythonType::Str | PythonType::Unicode => types.push(Value::Type(PythonType::BaseString)),
                    PythonType::Exception(kind) => {
                        let mut kind = *kind;
                        while kind.base() != kind {
                            kind = kind.base();
                            types.push(Value::Type(PythonType::Exception(kind)));
                        }
                    }
                    _ => {}
                }
                if *kind != PythonType::Object {
                    types.push(Value::Type(PythonType::Object));
                }
                self.make_list(types)
            }
            other => Err(Error::attribute(self.type_name(other), name)),
        }
    }

    /// Calls `str.upper` and the like: the first argument is the object.
    pub(crate) fn call_unbound(&mut self, kind: PythonType, name: &str, args: Args<'_>) -> EvalOutcome {
        let Some((object, rest)) = args.plain.split_first() else {
            return Err(Error::type_error(format!(
                "descriptor '{name}' of '{}' object needs an argument",
                kind.name()
            )));
        };
        let object = &self.materialise(object)?;
        if !object.type_of().is_a(kind) {
            return Err(Error::type_error(format!(
                "descriptor '{name}' requires a '{}' object but received a '{}'",
                kind.name(),
                self.type_name(object)
            )));
        }
        match find(object.type_of(), name) {
            Some(entry) => self.call_method(
                object,
                entry,
                Args {
                    plain: rest,
                    named: args.named,
                },
            ),
            None => Err(Error::attribute(self.type_name(object), name)),
        }
    }

    /// Calls a method that belongs to a type: `dict.fromkeys`.
    pub(crate) fn call_type_method(&mut self, object: &Value, name: &str, args: Args<'_>) -> EvalOutcome {
        let Value::Type(kind) = object else {
            return Err(Error::attribute(self.type_name(object), name));
        };
        let Some(entry) = find(*kind, name) else {
            return Err(Error::attribute("type", name));
        };
        if !args.named.is_empty() {
            return Err(Error::type_error(format!("{name}() takes no keyword arguments")));
        }
        check_arity(name, entry.arity, args.plain.len())?;
        match (kind, name) {
            (PythonType::Dict, _) => self.dict_from_keys(args.plain),
            (PythonType::Float, _) => {
                let text = match &args.plain[0] {
                    Value::Str(text) => (**text).clone(),
                    Value::Unicode(points) => crate::vm::text::ascii_bytes(points)?,
                    other => {
                        return Err(Error::type_error(format!(
                            "expected string or Unicode object, {} found",
                            self.type_name(other)
                        )));
                    }
                };
                float_from_hex(&text).map(Value::Float)
            }
            (PythonType::ByteArray, _) => {
                let points = self.points_of_text(&args.plain[0])?;
                bytes_from_hex(&points).map(|bytes| Value::ByteArray(Arc::new(bytes)))
            }
            _ => Err(Error::attribute("type", name)),
        }
    }

    /// `list.index(value[, start[, stop]])`.
    fn index_of(&mut self, object: &Value, items: &[Value], args: &[Value]) -> EvalOutcome {
        let len = length(items.len());
        let bound = |vm: &Self, value: Option<&Value>, default: i64| match value {
            None => Ok(default),
            Some(value) if value.type_of().is_integer() => {
                let value = vm.index_sized(value).unwrap_or(i64::MAX);
                Ok(if value < 0 { (value + len).max(0) } else { value })
            }
            Some(_) => Err(Error::type_error(
                "slice indices must be integers or have an __index__ method",
            )),
        };
        let (start, stop) = (bound(self, args.get(1), 0)?, bound(self, args.get(2), i64::MAX)?);
        for (at, item) in (0..len).zip(items) {
            self.charge(1)?;
            if at >= start && at < stop && self.same_or_equal(item, &args[0])? {
                return Ok(Value::Int(at));
            }
        }
        Err(match object {
            Value::Tuple(_) => Error::value_error("tuple.index(x): x not in tuple"),
            _ => {
                let shown = self.repr(&args[0])?;
                Error::value_error(format!("{shown} is not in list"))
            }
        })
    }

    fn dict_method(&mut self, object: &Value, name: &str, args: &[Value]) -> EvalOutcome {
        let Value::Dict(dict) = object else {
            return Ok(Value::None);
        };
        let kind = match name {
            n if n.ends_with("keys") => ViewKind::Keys,
            n if n.ends_with("values") => ViewKind::Values,
            _ => ViewKind::Items,
        };
        match name {
            "copy" => {
                let table = self.merged_dict(&dict.table)?;
                self.make_dict(table)
            }
            "get" => match self.dict_get(&dict.table, &args[0])? {
                Some(value) => Ok(value),
                None => Ok(args.get(1).cloned().unwrap_or(Value::None)),
            },
            "has_key" => Ok(Value::Bool(self.table_contains(&dict.table, &args[0])?)),
            "keys" | "values" | "items" => {
                let items = self.items(&Value::View(kind, dict.clone()))?;
                self.make_list(items)
            }
            "iterkeys" | "itervalues" | "iteritems" => self.make_iter(&Value::View(kind, dict.clone())),
            _ => Ok(Value::View(kind, dict.clone())),
        }
    }

    /// A copy as `dict.copy` and `dict(other)` make it: merged into an empty one, which changes the order.
    pub(crate) fn merged_dict(&mut self, from: &ValueTable<Value>) -> EvalOutcome<ValueTable<Value>> {
        let mut table = ValueTable::default();
        self.allow_items(from.len())?;
        table.reserve_for_merge(from.len());
        for entry in from.iter() {
            self.charge(1)?;
            if let Ok(Err(at)) = table.find::<()>(entry.hash, |_| Ok(false)) {
                table.insert(at, entry.clone());
            }
        }
        Ok(table)
    }

    fn dict_from_keys(&mut self, args: &[Value]) -> EvalOutcome {
        let value = args.get(1).cloned().unwrap_or(Value::None);
        let mut table = ValueTable::default();
        // CPython sizes the new dict by the one it copies.
        match &args[0] {
            Value::Dict(dict) => table.resize(dict.table.len() / 2 * 3),
            Value::Set(set) | Value::FrozenSet(set) => table.resize(set.table.len() / 2 * 3),
            _ => {}
        }
        let mut cursor = self.cursor(&args[0])?;
        while let Some(key) = self.next(&mut cursor)? {
            self.dict_insert(&mut table, key, value.clone())?;
        }
        self.make_dict(table)
    }

    // ---- sets ----

    fn set_method(&mut self, object: &Value, name: &str, args: &[Value]) -> EvalOutcome {
        let (Value::Set(set) | Value::FrozenSet(set)) = object else {
            return Ok(Value::None);
        };
        let frozen = matches!(object, Value::FrozenSet(_));
        match name {
            "copy" if frozen => Ok(object.clone()),
            "copy" => {
                let table = self.set_copy(&set.table)?;
                self.make_set(table, frozen)
            }
            "union" => {
                let mut table = self.set_copy(&set.table)?;
                for other in args {
                    self.set_update(&mut table, other)?;
                }
                self.make_set(table, frozen)
            }
            "intersection" => {
                let mut table = self.set_copy(&set.table)?;
                for other in args {
                    table = self.set_intersection(&table, other)?;
                }
                self.make_set(table, frozen)
            }
            "difference" => {
                let mut table = self.set_copy(&set.table)?;
                for (at, other) in args.iter().enumerate() {
                    table = if at == 0 {
                        self.set_difference(&set.table, other)?
                    } else {
                        self.set_difference_in_place(table, other)?
                    };
                }
                self.make_set(table, frozen)
            }
            "symmetric_difference" => {
                let table = self.set_symmetric_difference(&set.table, &args[0])?;
                self.make_set(table, frozen)
            }
            "issubset" => {
                let other = self.as_set(&args[0])?;
                Ok(Value::Bool(self.is_subset(set, &other)?))
            }
            "issuperset" => {
                let other = self.as_set(&args[0])?;
                Ok(Value::Bool(self.is_subset(&other, set)?))
            }
            _ => {
                for item in self.items(&args[0])? {
                    if self.table_contains(&set.table, &item)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Ok(Value::Bool(true))
            }
        }
    }

    fn as_set(&mut self, value: &Value) -> EvalOutcome<Arc<SetElements>> {
        if let Value::Set(set) | Value::FrozenSet(set) = value {
            return Ok(set.clone());
        }
        let items = self.items(value)?;
        Ok(Arc::new(SetElements {
            table: self.set_of(items)?,
            height: 0,
        }))
    }

    pub(crate) fn set_copy(&mut self, from: &ValueTable<()>) -> EvalOutcome<ValueTable<()>> {
        let mut table = ValueTable::default();
        self.set_merge(&mut table, from)?;
        Ok(table)
    }

    fn set_merge(&mut self, table: &mut ValueTable<()>, from: &ValueTable<()>) -> EvalOutcome<()> {
        self.allow_items(from.len())?;
        table.reserve_for_merge(from.len());
        for entry in from.iter() {
            self.set_add_hashed(table, entry.hash, entry.key.clone())?;
        }
        Ok(())
    }

    pub(crate) fn set_update(&mut self, table: &mut ValueTable<()>, other: &Value) -> EvalOutcome<()> {
        match other {
            Value::Set(other) | Value::FrozenSet(other) => self.set_merge(table, &other.table),
            Value::Dict(dict) => {
                self.allow_items(dict.table.len())?;
                table.reserve_for_merge(dict.table.len());
                for entry in dict.table.iter() {
                    self.set_add_hashed(table, entry.hash, entry.key.clone())?;
                }
                Ok(())
            }
            _ => {
                let mut cursor = self.cursor(other)?;
                while let Some(item) = self.next(&mut cursor)? {
                    self.set_add(table, item)?;
                }
                Ok(())
            }
        }
    }

    fn set_intersection(&mut self, table: &ValueTable<()>, other: &Value) -> EvalOutcome<ValueTable<()>> {
        let mut result = ValueTable::default();
        if let Value::Set(other) | Value::FrozenSet(other) = other {
            // CPython runs over the smaller one.
            let (small, large) = if other.table.len() > table.len() {
                (table, &other.table)
            } else {
                (&other.table, table)
            };
            for entry in small.iter() {
                self.charge(1)?;
                if self.table_find(large, entry.hash, &entry.key)?.is_ok() {
                    self.set_add_hashed(&mut result, entry.hash, entry.key.clone())?;
                }
            }
            return Ok(result);
        }
        let mut cursor = self.cursor(other)?;
        while let Some(item) = self.next(&mut cursor)? {
            let hash = self.hash(&item)?;
            if self.table_find(table, hash, &item)?.is_ok() {
                self.set_add_hashed(&mut result, hash, item)?;
            }
        }
        Ok(result)
    }

    fn set_difference(&mut self, table: &ValueTable<()>, other: &Value) -> EvalOutcome<ValueTable<()>> {
        let mut result = ValueTable::default();
        match other {
            Value::Set(other) | Value::FrozenSet(other) => {
                for entry in table.iter() {
                    self.charge(1)?;
                    if self.table_find(&other.table, entry.hash, &entry.key)?.is_err() {
                        self.set_add_hashed(&mut result, entry.hash, entry.key.clone())?;
                    }
                }
                Ok(result)
            }
            Value::Dict(other) => {
                for entry in table.iter() {
                    self.charge(1)?;
                    if self.table_find(&other.table, entry.hash, &entry.key)?.is_err() {
                        self.set_add_hashed(&mut result, entry.hash, entry.key.clone())?;
                    }
                }
                Ok(result)
            }
            _ => {
                let copy = self.set_copy(table)?;
                self.set_difference_in_place(copy, other)
            }
        }
    }

    fn set_difference_in_place(
        &mut self,
        mut table: ValueTable<()>,
        other: &Value,
    ) -> EvalOutcome<ValueTable<()>> {
        let mut cursor = self.cursor(other)?;
        while let Some(item) = self.next(&mut cursor)? {
            let hash = self.hash(&item)?;
            if let Ok(at) = self.table_find(&table, hash, &item)? {
                table.remove(at);
            }
        }
        // CPython shrinks the table when more than a fifth of it are gaps.
        table.close_gaps();
        Ok(table)
    }

    fn set_symmetric_difference(
        &mut self,
        table: &ValueTable<()>,
        other: &Value,
    ) -> EvalOutcome<ValueTable<()>> {
        let mut result = match other {
            Value::Set(other) | Value::FrozenSet(other) => self.set_copy(&other.table)?,
            _ => {
                let mut copy = ValueTable::default();
                self.set_update(&mut copy, other)?;
                copy
            }
        };
        for entry in table.iter() {
            self.charge(1)?;
            match self.table_find(&result, entry.hash, &entry.key)? {
                Ok(at) => result.remove(at),
                Err(at) => result.insert(
                    at,
                    TableEntry {
                        hash: entry.hash,
                        key: entry.key.clone(),
                        value: (),
                    },
                ),
            }
        }
        Ok(result)
    }

    /// `-`, `&`, `|` and `^` of sets and of dict views; `None` for other operands.
    pub(crate) fn set_operator(
        &mut self,
        op: crate::tree::ast::BinaryOp,
        left: &Value,
        right: &Value,
    ) -> EvalOutcome<Option<Value>> {
        use crate::tree::ast::BinaryOp;
        let is_set = |value: &Value| matches!(value, Value::Set(_) | Value::FrozenSet(_));
        let is_view = |value: &Value| matches!(value, Value::View(ViewKind::Keys | ViewKind::Items, _));
        let (table, frozen) = match left {
            Value::Set(set) if is_set(right) => (self.set_copy(&set.table)?, false),
            Value::FrozenSet(set) if is_set(right) => (self.set_copy(&set.table)?, true),
            _ if is_view(left) || is_view(right) => {
                let mut table = ValueTable::default();
                self.set_update(&mut table, left)?;
                (table, false)
            }
            _ => return Ok(None),
        };
        let by_view = is_view(left) || is_view(right);
        let result = match op {
            BinaryOp::Or => {
                let mut table = table;
                self.set_update(&mut table, right)?;
                table
            }
            BinaryOp::And => self.set_intersection(&table, right)?,
            BinaryOp::Sub if by_view => self.set_difference_in_place(table, right)?,
            BinaryOp::Sub => self.set_difference(&table, right)?,
            BinaryOp::Xor if by_view => {
                let items = self.items(right)?;
                let other = self.set_of(items)?;
                let mut table = table;
                for entry in other.iter() {
                    match self.table_find(&table, entry.hash, &entry.key)? {
                        Ok(at) => table.remove(at),
                        Err(at) => table.insert(at, entry.clone()),
                    }
                }
                table
            }
            BinaryOp::Xor => self.set_symmetric_difference(&table, right)?,
            _ => return Ok(None),
        };
        self.make_set(result, frozen).map(Some)
    }

    // ---- numbers ----

    fn number_method(&mut self, object: &Value, name: &str) -> EvalOutcome {
        match (object, name) {
            (Value::Bool(value), "bit_length") => Ok(Value::Int(i64::from(*value))),
            (Value::Int(value), "bit_length") => {
                Ok(Value::Int(i64::from(64 - value.unsigned_abs().leading_zeros())))
            }
            (Value::Long(value), "bit_length") => {
                Ok(Value::Int(i64::try_from(value.bits()).unwrap_or(i64::MAX)))
            }
            (Value::Complex(value), _) => Ok(Value::complex(value.re, -value.im)),
            (Value::Float(value), "hex") => self.make_str(Vm::float_hex(*value).into_bytes()),
            (Value::Float(value), "is_integer") => {
                Ok(Value::Bool(value.is_finite() && libm::floor(*value) == *value))
            }
            (Value::Float(value), "as_integer_ratio") => self.integer_ratio(*value),
            (_, _) => self.plus(object),
        }
    }

    fn integer_ratio(&mut self, value: f64) -> EvalOutcome {
        if value.is_infinite() {
            return Err(Error::overflow("Cannot pass infinity to float.as_integer_ratio."));
        }
        if value.is_nan() {
            return Err(Error::value_error("Cannot pass NaN to float.as_integer_ratio."));
        }
        let (mut fraction, mut exponent) = libm::frexp(value);
        for _ in 0..300 {
            if fraction == libm::floor(fraction) {
                break;
            }
            fraction *= 2.0;
            exponent -= 1;
        }
        let numerator = BigInt::from_f64(fraction).unwrap_or_default();
        let scale = BigInt::one() << exponent.unsigned_abs();
        let (numerator, denominator) = if exponent > 0 {
            (numerator * scale, BigInt::one())
        } else {
            (numerator, scale)
        };
        let parts = vec![self.small_or_long(numerator)?, self.small_or_long(denominator)?];
        self.make_tuple(parts)
    }

    /// An int if it fits one, else a long.
    pub(crate) fn small_or_long(&mut self, value: BigInt) -> EvalOutcome {
        match i64::try_from(&value) {
            Ok(small) => Ok(Value::Int(small)),
            Err(_) => self.make_long(value),
        }
    }

    /// The bytes behind a value that has some, for `buffer` and `memoryview`.
    pub(crate) fn bytes_of(&self, value: &Value) -> Option<(Arc<Vec<u8>>, bool)> {
        match value {
            Value::Str(bytes) | Value::Buffer(bytes) => Some((bytes.clone(), false)),
            Value::ByteArray(bytes) => Some((bytes.clone(), true)),
            Value::MemoryView(view) => {
                let MemoryView { bytes, writable } = &**view;
                Some((Arc::clone(bytes), *writable))
            }
            _ => None,
        }
    }
}

/// `float.fromhex(text)`.
fn float_from_hex(text: &[u8]) -> EvalOutcome<f64> {
    let invalid = || Error::value_error("invalid hexadecimal floating-point string");
    let text = std::str::from_utf8(text)
        .map_err(|_| invalid())?
        .trim()
        .to_ascii_lowercase();
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let signed = |value: f64| if negative { -value } else { value };
    match body {
        "inf" | "infinity" => return Ok(signed(f64::INFINITY)),
        "nan" => return Ok(signed(f64::NAN)),
        _ => {}
    }
    let body = body.strip_prefix("0x").unwrap_or(body);
    let (digits, exponent) = match body.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().map_err(|_| invalid())?),
        None => (body, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(invalid());
    }
    let mantissa = BigInt::parse_bytes(all.as_bytes(), 16).unwrap_or_default();
    let exponent = exponent.saturating_sub(4 * fraction.len() as i64);
    if mantissa == BigInt::ZERO {
        return Ok(signed(0.0));
    }
    let top = exponent.saturating_add(mantissa.bits() as i64);
    if top > 1024 {
        return Err(Error::overflow(
            "hexadecimal value too large to represent as a float",
        ));
    }
    if top < -1080 {
        return Ok(signed(0.0));
    }
    // Rounds once, half to even: to 53 bits, or fewer among the subnormal numbers.
    let keep = 53.min(top + 1074).max(0);
    let drop = mantissa.bits() as i64 - keep;
    let rounded = if drop <= 0 {
        mantissa
    } else {
        let half = BigInt::one() << (drop - 1);
        let low = &mantissa & ((BigInt::one() << drop) - 1_u8);
        let high = &mantissa >> drop;
        let up = low > half || low == half && num_integer::Integer::is_odd(&high);
        (high + u8::from(up)) << drop
    };
    let value = num_traits::ToPrimitive::to_f64(&rounded).unwrap_or(f64::INFINITY);
    let value = libm::scalbn(value, i32::try_from(exponent).unwrap_or(i32::MIN));
    if value.is_infinite() {
        return Err(Error::overflow(
            "hexadecimal value too large to represent as a float",
        ));
    }
    Ok(signed(value))
}

/// `bytearray.fromhex(text)`.
fn bytes_from_hex(points: &[u32]) -> EvalOutcome<Vec<u8>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&point) = points.get(at) {
        if point == u32::from(' ') {
            at += 1;
            continue;
        }
        let digit = |at: usize| {
            points
                .get(at)
                .and_then(|point| char::from_u32(*point))
                .and_then(|c| c.to_digit(16))
        };
        let (Some(high), Some(low)) = (digit(at), digit(at + 1)) else {
            return Err(Error::value_error(format!(
                "non-hexadecimal number found in fromhex() arg at position {at}"
            )));
        };
        out.push(u8::try_from(high * 16 + low).expect("two hexadecimal digits are a byte"));
        at += 2;
    }
    Ok(out)
}
