//! Python's built-in functions, and the names that the sandbox refuses.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::base::error::{Error, ExceptionKind};
use crate::tree::ast::{BinaryOp, CompareOp};
use crate::value::builtin::Builtin;
use crate::value::kind::PythonType;
use crate::value::word::length;
use crate::value::{IteratorKind, Value};
use crate::vm::cursor::IterationCursor;
use crate::vm::machine::{Args, EvalOutcome, Vm};
use crate::vm::method::check_arity;
use crate::vm::number::NumberValue;

/// What the sandbox refuses by name (R1043, D40).
const REFUSED: [&str; 31] = [
    "compile",
    "copyright",
    "credits",
    "delattr",
    "dir",
    "eval",
    "execfile",
    "exit",
    "file",
    "globals",
    "help",
    "input",
    "license",
    "locals",
    "open",
    "print",
    "property",
    "quit",
    "raw_input",
    "reload",
    "setattr",
    "staticmethod",
    "classmethod",
    "super",
    "vars",
    "exec",
    "import",
    "__import__",
    "__builtins__",
    "__debug__",
    "__name__",
];

/// Whether the sandbox refuses this built-in.
///
/// ```
/// assert!(cw_expr::refused("open") && cw_expr::refused("__class__"));
/// assert!(!cw_expr::refused("len"));
/// ```
pub fn refused(name: &str) -> bool {
    REFUSED.contains(&name) || name.starts_with("__")
}

/// Built-in types that are no exceptions.
const TYPES: [(&str, PythonType); 23] = [
    ("basestring", PythonType::BaseString),
    ("bool", PythonType::Bool),
    ("buffer", PythonType::Buffer),
    ("bytearray", PythonType::ByteArray),
    ("bytes", PythonType::Str),
    ("complex", PythonType::Complex),
    ("dict", PythonType::Dict),
    ("enumerate", PythonType::Enumerate),
    ("float", PythonType::Float),
    ("frozenset", PythonType::FrozenSet),
    ("int", PythonType::Int),
    ("list", PythonType::List),
    ("long", PythonType::Long),
    ("memoryview", PythonType::MemoryView),
    ("object", PythonType::Object),
    ("reversed", PythonType::Reversed),
    ("set", PythonType::Set),
    ("slice", PythonType::Slice),
    ("str", PythonType::Str),
    ("tuple", PythonType::Tuple),
    ("type", PythonType::Type),
    ("unicode", PythonType::Unicode),
    ("xrange", PythonType::XRange),
];

/// The built-in value with this name.
pub fn builtin_value(name: &str) -> Option<Value> {
    if let Some(builtin) = Builtin::ALL.iter().find(|builtin| builtin.name() == name) {
        return Some(Value::Builtin(*builtin));
    }
    match name {
        "True" => return Some(Value::Bool(true)),
        "False" => return Some(Value::Bool(false)),
        "Ellipsis" => return Some(Value::Ellipsis),
        "NotImplemented" => return Some(Value::NotImplemented),
        _ => {}
    }
    let kind = match TYPES.iter().find(|(other, _)| *other == name) {
        Some((_, kind)) => *kind,
        None => PythonType::Exception(ExceptionKind::named(name)?),
    };
    Some(Value::Type(kind))
}

/// Every name that [`compile`](crate::compile) resolves to a built-in; for completion and checking.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    const CONSTANTS: [&str; 5] = ["True", "False", "None", "Ellipsis", "NotImplemented"];
    const COMMON: [&str; 2] = ["StandardError", "Exception"];
    let functions = Builtin::ALL.iter().map(|builtin| builtin.name());
    let types = TYPES.iter().map(|(name, _)| *name);
    let exceptions = ExceptionKind::ALL
        .iter()
        .map(|kind| kind.name())
        .filter(|name| !COMMON.contains(name));
    functions
        .chain(CONSTANTS)
        .chain(types)
        .chain(COMMON)
        .chain(exceptions)
}

impl Vm<'_> {
    /// Calls a built-in function.
    pub(crate) fn call_builtin(&mut self, builtin: Builtin, args: Args<'_>) -> EvalOutcome {
        self.charge(1)?;
        let name = builtin.name();
        match builtin {
            Builtin::Max | Builtin::Min => return self.extreme(builtin == Builtin::Max, args),
            Builtin::Sorted => return self.sorted(args),
            Builtin::Round => return self.round(args),
            _ => {}
        }
        if !args.named.is_empty() {
            return Err(Error::type_error(format!("{name}() takes no keyword arguments")));
        }
        check_arity(name, builtin.arity(), args.plain.len())?;
        let args = args.plain;
        match builtin {
            Builtin::Abs => self.absolute(&args[0]),
            Builtin::All | Builtin::Any => self.all_or_any(&args[0], builtin == Builtin::Any),
            Builtin::Apply => self.apply(args),
            Builtin::Bin => self.in_base(&args[0], 2),
            Builtin::Callable => Ok(Value::Bool(is_callable(&args[0]))),
            Builtin::Chr => match u8::try_from(self.integer_argument(&args[0])?) {
                Ok(byte) => Ok(Value::bytes(vec![byte])),
                Err(_) => Err(Error::value_error("chr() arg not in range(256)")),
            },
            Builtin::Cmp => Ok(Value::Int(match self.three_way(&args[0], &args[1])? {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            })),
            Builtin::Coerce => self.coerce(&args[0], &args[1]),
            Builtin::Divmod => self.divmod(&args[0], &args[1]),
            Builtin::Filter => self.filter(&args[0], &args[1]),
            Builtin::Format => {
                let spec = args.get(1).cloned().unwrap_or_else(|| Value::bytes(Vec::new()));
                self.format_value(&args[0], &spec)
            }
            Builtin::Getattr => self.getattr(args),
            Builtin::Hasattr => {
                let name = self.attribute_name(&args[1], "hasattr(): attribute name must be string")?;
                Ok(Value::Bool(self.has_attribute(&args[0], &name)?))
            }
            Builtin::Hash => Ok(Value::Int(self.hash(&args[0])?)),
            Builtin::Hex => self.in_base(&args[0], 16),
            Builtin::Id => Ok(Value::Int(0x7f00_0000_0000 + i64::from(self.identity(&args[0])?))),
            Builtin::Intern => match &args[0] {
                Value::Str(_) => Ok(args[0].clone()),
                other => Err(Error::type_error(format!(
                    "intern() argument 1 must be string, not {}",
                    self.argument_name(other)
                ))),
            },
            Builtin::Isinstance => {
                let words = "isinstance() arg 2 must be a class, type, or tuple of classes and types";
                let kind = self.type_for_isinstance(&args[0]);
                Ok(Value::Bool(self.is_one_of(kind, &args[1], words)?))
            }
            Builtin::Issubclass => {
                if matches!(&args[1], Value::Tuple(items) if items.items.is_empty()) {
                    return Ok(Value::Bool(false));
                }
                let Value::Type(kind) = args[0] else {
                    return Err(Error::type_error("issubclass() arg 1 must be a class"));
                };
                let words = "issubclass() arg 2 must be a class or tuple of classes";
                Ok(Value::Bool(self.is_one_of(kind, &args[1], words)?))
            }
            Builtin::Iter => self.iter(args),
            Builtin::Len => self.len(&args[0]).map(Value::Int),
            Builtin::Map => self.map(args),
            Builtin::Next => self.next_builtin(args),
            Builtin::Oct => self.in_base(&args[0], 8),
            Builtin::Ord => self.ord(&args[0]),
            Builtin::Pow => match args.get(2) {
                None | Some(Value::None) => self.binary(BinaryOp::Pow, &args[0], &args[1]),
                Some(modulus) => self.modular_power(&args[0], &args[1], modulus),
            },
            Builtin::Range => self.range(args),
            Builtin::Reduce => self.reduce(args),
            Builtin::Repr => {
                let text = self.repr(&args[0])?;
                self.make_str(text.into_bytes())
            }
            Builtin::Sum => self.sum(args),
            Builtin::Unichr => {
                let point = self.integer_argument(&args[0])?;
                within_c_int(point)?;
                match u32::try_from(point).ok().filter(|point| *point <= 0x10_FFFF) {
                    Some(point) => Ok(Value::unicode(vec![point])),
                    None => Err(Error::value_error(
                        "unichr() arg not in range(0x110000) (wide Python build)",
                    )),
                }
            }
            Builtin::Zip => self.zip(args),
            Builtin::Max | Builtin::Min => self.extreme(builtin == Builtin::Max, Args::plain(args)),
            Builtin::Sorted => self.sorted(Args::plain(args)),
            Builtin::Round => self.round(Args::plain(args)),
        }
    }

    fn type_for_isinstance(&mut self, value: &Value) -> PythonType {
        match value {
            // A sequence of the host stands for a list.
            Value::Host(object) if self.host.len(*object).is_some() => PythonType::List,
            other => other.type_of(),
        }
    }

    fn is_one_of(&mut self, kind: PythonType, wanted: &Value, words: &str) -> EvalOutcome<bool> {
        self.charge(1)?;
        match wanted {
            Value::Type(wanted) => Ok(kind.is_a(*wanted)),
            Value::Tuple(items) => {
                for item in &items.items {
                    if self.is_one_of(kind, item, words)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Err(Error::type_error(words)),
        }
    }

    /// A number that stands for the object's identity while the evaluation runs.
    fn identity(&mut self, value: &Value) -> EvalOutcome<u32> {
        Ok(self.hash(value).map_or(16, |hash| (hash & 0xffff_fff0) as u32))
    }

    fn absolute(&mut self, value: &Value) -> EvalOutcome {
        match NumberValue::of(value) {
            Some(NumberValue::Int(number)) if number >= 0 => Ok(Value::Int(number)),
            Some(NumberValue::Int(_)) => self.negate(value),
            Some(NumberValue::Long(number)) => match number.sign() {
                Sign::Minus => self.negate(value),
                Sign::NoSign | Sign::Plus => Ok(value.clone()),
            },
            Some(NumberValue::Float(number)) => Ok(Value::Float(number.abs())),
            Some(NumberValue::Complex(number)) => {
                let size = libm::hypot(number.re, number.im);
                if size.is_infinite() && number.re.is_finite() && number.im.is_finite() {
                    return Err(Error::overflow("absolute value too large"));
                }
                Ok(Value::Float(size))
            }
            None => Err(self.bad_operand("abs()", value)),
        }
    }

    fn all_or_any(&mut self, value: &Value, stop_at: bool) -> EvalOutcome {
        let mut cursor = self.cursor(value)?;
        while let Some(item) = self.next(&mut cursor)? {
            if self.truth(&item)? == stop_at {
                return Ok(Value::Bool(stop_at));
            }
        }
        Ok(Value::Bool(!stop_at))
    }

    fn apply(&mut self, args: &[Value]) -> EvalOutcome {
        let plain = match args.get(1) {
            None => Vec::new(),
            Some(
                sequence @ (Value::List(_)
                | Value::Tuple(_)
                | Value::Str(_)
                | Value::Unicode(_)
                | Value::XRange(_)),
            ) => self.items(sequence)?,
            Some(other) => {
                return Err(Error::type_error(format!(
                    "apply() arg 2 expected sequence, found {}",
                    self.type_name(other)
                )));
            }
        };
        let mut named = Vec::new();
        match args.get(2) {
            None => {}
            Some(Value::Dict(dict)) => {
                for entry in dict.table.iter() {
                    let Value::Str(name) = &entry.key else {
                        return Err(Error::type_error("keywords must be strings"));
                    };
                    named.push((Arc::from(String::from_utf8_lossy(name)), entry.value.clone()));
                }
            }
            Some(other) => {
                return Err(Error::type_error(format!(
                    "apply() arg 3 expected dictionary, found {}",
                    self.type_name(other)
                )));
            }
        }
        self.call(
            &args[0],
            Args {
                plain: &plain,
                named: &named,
            },
        )
    }

    /// `bin`, `oct` and `hex`.
    fn in_base(&mut self, value: &Value, base: u32) -> EvalOutcome {
        let (number, long) = match value {
            Value::Bool(value) => (BigInt::from(i64::from(*value)), false),
            Value::Int(value) => (BigInt::from(*value), false),
            Value::Long(value) => ((**value).clone(), true),
            other if base == 2 => {
                return Err(Error::type_error(format!(
                    "'{}' object cannot be interpreted as an index",
                    self.type_name(other)
                )));
            }
            _ => {
                let name = if base == 8 { "oct" } else { "hex" };
                return Err(Error::type_error(format!(
                    "{name}() argument can't be converted to {name}"
                )));
            }
        };
        let sign = if number.sign() == Sign::Minus { "-" } else { "" };
        let digits = number.magnitude().to_str_radix(base);
        let prefix = match base {
            2 => "0b",
            16 => "0x",
            _ if digits == "0" => "",
            _ => "0",
        };
        let suffix = if long && base != 2 { "L" } else { "" };
        self.make_str(format!("{sign}{prefix}{digits}{suffix}").into_bytes())
    }

    fn coerce(&mut self, left: &Value, right: &Value) -> EvalOutcome {
        let pair = match (NumberValue::of(left), NumberValue::of(right)) {
            (Some(a), Some(b)) => {
                let same = left.type_of() == right.type_of();
                if same {
                    vec![left.clone(), right.clone()]
                } else {
                    match (&a, &b) {
                        (NumberValue::Complex(_), _) | (_, NumberValue::Complex(_)) => {
                            vec![self.as_complex(&a)?, self.as_complex(&b)?]
                        }
                        (NumberValue::Float(_), _) | (_, NumberValue::Float(_)) => {
                            vec![Value::Float(a.to_float()?), Value::Float(b.to_float()?)]
                        }
                        (NumberValue::Long(_), _) | (_, NumberValue::Long(_)) => {
                            vec![long_of(&a), long_of(&b)]
                        }
                        (_, _) => {
                            // An int beside a bool stays what it is.
                            vec![left.clone(), right.clone()]
                        }
                    }
                }
            }
            _ if left.type_of() == right.type_of() && !has_new_numbers(left) => {
                vec![left.clone(), right.clone()]
            }
            _ => return Err(Error::type_error("number coercion failed")),
        };
        self.make_tuple(pair)
    }

    fn as_complex(&self, number: &NumberValue) -> EvalOutcome {
        Ok(match number {
            NumberValue::Complex(value) => Value::complex(value.re, value.im),
            NumberValue::Int(_) | NumberValue::Long(_) | NumberValue::Float(_) => {
                Value::complex(number.to_float()?, 0.0)
            }
        })
    }

    fn filter(&mut self, function: &Value, source: &Value) -> EvalOutcome {
        let source = &self.materialise(source)?;
        let mut cursor = match self.cursor(source) {
            Err(error) if error.is_a(ExceptionKind::TypeError) => return Err(error),
            cursor => cursor?,
        };
        let mut kept = Vec::new();
        while let Some(item) = self.next(&mut cursor)? {
            let keep = match function {
                Value::None | Value::Type(PythonType::Bool) => self.truth(&item)?,
                function => {
                    let answer = self.call(function, Args::plain(std::slice::from_ref(&item)))?;
                    self.truth(&answer)?
                }
            };
            if keep {
                self.room(&kept)?;
                kept.push(item);
            }
        }
        match source {
            Value::Tuple(_) => self.make_tuple(kept),
            Value::Str(_) => {
                let bytes = kept.iter().filter_map(|item| match item {
                    Value::Str(bytes) => bytes.first().copied(),
                    _ => None,
                });
                self.make_str(bytes.collect())
            }
            Value::Unicode(_) => {
                let points = kept.iter().filter_map(|item| match item {
                    Value::Unicode(points) => points.first().copied(),
                    _ => None,
                });
                self.make_unicode(points.collect())
            }
            _ => self.make_list(kept),
        }
    }

    /// Asks whether a list may grow by one.
    fn room(&mut self, items: &[Value]) -> EvalOutcome<()> {
        if items.len() >= self.limits.sequence {
            return Err(Error::limit("sequence is too long"));
        }
        self.allocate(size_of::<Value>())
    }

    fn attribute_name(&mut self, name: &Value, words: &str) -> EvalOutcome<String> {
        match name {
            Value::Str(name) => Ok(String::from_utf8_lossy(name).into_owned()),
            Value::Unicode(points) => {
                let bytes = crate::vm::text::ascii_bytes(points)?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
            _ => Err(Error::type_error(words)),
        }
    }

    fn getattr(&mut self, args: &[Value]) -> EvalOutcome {
        let name = self.attribute_name(&args[1], "getattr(): attribute name must be string")?;
        match (self.attribute_by_text(&args[0], &name), args.get(2)) {
            (Err(error), Some(default)) if error.is_a(ExceptionKind::AttributeError) => Ok(default.clone()),
            (result, _) => result,
        }
    }

    fn iter(&mut self, args: &[Value]) -> EvalOutcome {
        let Some(sentinel) = args.get(1) else {
            return self.make_iter(&args[0]);
        };
        if !is_callable(&args[0]) {
            return Err(Error::type_error("iter(v, w): v must be callable"));
        }
        let pair = Box::new((args[0].clone(), sentinel.clone()));
        self.make_iterator(IteratorKind::Callable, IterationCursor::Callable(pair))
    }

    pub(crate) fn len(&mut self, value: &Value) -> EvalOutcome<i64> {
        let len = match value {
            Value::Host(object) => match self.host.len(*object) {
                Some(len) => len,
                None => return Err(self.no_len(value)),
            },
            Value::Str(bytes) | Value::ByteArray(bytes) | Value::Buffer(bytes) => bytes.len(),
            Value::Unicode(points) => points.len(),
            Value::List(items) | Value::Tuple(items) => items.items.len(),
            Value::Dict(dict) | Value::View(_, dict) => dict.table.len(),
            Value::Set(set) | Value::FrozenSet(set) => set.table.len(),
            Value::XRange(range) => return Ok(range.len),
            Value::MemoryView(view) => view.bytes.len(),
            other => return Err(self.no_len(other)),
        };
        Ok(length(len))
    }

    fn no_len(&self, value: &Value) -> Error {
        Error::type_error(format!("object of type '{}' has no len()", self.type_name(value)))
    }

    fn map(&mut self, args: &[Value]) -> EvalOutcome {
        let [function, sources @ ..] = args else {
            return Err(Error::type_error("map() requires at least two args"));
        };
        if sources.is_empty() {
            return Err(Error::type_error("map() requires at least two args"));
        }
        let mut cursors = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            cursors.push(match self.cursor(source) {
                Err(error)
                    if error.is_a(ExceptionKind::TypeError)
                        && !(matches!(function, Value::None) && sources.len() == 1) =>
                {
                    return Err(Error::type_error(format!(
                        "argument {} to map() must support iteration",
                        at + 2
                    )));
                }
                cursor => cursor?,
            });
        }
        let mut mapped = Vec::new();
        loop {
            let (mut row, mut any) = (Vec::with_capacity(cursors.len()), false);
            for cursor in &mut cursors {
                let item = self.next(cursor)?;
                any |= item.is_some();
                // An exhausted iterator is not asked again.
                if item.is_none() {
                    *cursor = IterationCursor::Done;
                }
                row.push(item.unwrap_or(Value::None));
            }
            if !any {
                return self.make_list(mapped);
            }
            self.room(&mapped)?;
            mapped.push(match function {
                Value::None if row.len() == 1 => row.swap_remove(0),
                Value::None => self.make_tuple(row)?,
                function => self.call(function, Args::plain(&row))?,
            });
        }
    }

    /// `max` and `min`.
    fn extreme(&mut self, greatest: bool, args: Args<'_>) -> EvalOutcome {
        let name = if greatest { "max" } else { "min" };
        if args.plain.is_empty() {
            return Err(Error::type_error(format!("{name} expected 1 arguments, got 0")));
        }
        let mut key = None;
        for (word, value) in args.named {
            match &**word {
                "key" => key = Some(value.clone()),
                _ => {
                    return Err(Error::type_error(format!(
                        "{name}() got an unexpected keyword argument"
                    )));
                }
            }
        }
        let items = match args.plain {
            [only] => self.cursor(only)?,
            several => {
                let list = self.make_tuple(several.to_vec())?;
                self.cursor(&list)?
            }
        };
        let mut cursor = items;
        let mut best: Option<(Value, Value)> = None;
        while let Some(item) = self.next(&mut cursor)? {
            let rank = match &key {
                Some(key) => self.call(key, Args::plain(std::slice::from_ref(&item)))?,
                None => item.clone(),
            };
            let op = if greatest { CompareOp::Gt } else { CompareOp::Lt };
            let better = match &best {
                None => true,
                Some((_, best)) => self.ordered(op, &rank, best)?,
            };
            if better {
                best = Some((item, rank));
            }
        }
        best.map(|(item, _)| item)
            .ok_or_else(|| Error::value_error(format!("{name}() arg is an empty sequence")))
    }

    fn next_builtin(&mut self, args: &[Value]) -> EvalOutcome {
        let Value::Iterator(_, id) = &args[0] else {
            return Err(Error::type_error(format!(
                "{} object is not an iterator",
                self.type_name(&args[0])
            )));
        };
        match (self.advance(*id)?, args.get(1)) {
            (Some(item), _) => Ok(item),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(Error::raise(ExceptionKind::StopIteration, "")),
        }
    }

    fn ord(&mut self, value: &Value) -> EvalOutcome {
        let len = match value {
            Value::Str(bytes) | Value::ByteArray(bytes) => {
                if let [byte] = ***bytes {
                    return Ok(Value::Int(i64::from(byte)));
                }
                bytes.len()
            }
            Value::Unicode(points) => {
                if let [point] = ***points {
                    return Ok(Value::Int(i64::from(point)));
                }
                points.len()
            }
            other => {
                return Err(Error::type_error(format!(
                    "ord() expected string of length 1, but {} found",
                    self.type_name(other)
                )));
            }
        };
        Err(Error::type_error(format!(
            "ord() expected a character, but string of length {len} found"
        )))
    }

    fn range(&mut self, args: &[Value]) -> EvalOutcome {
        let mut parts = vec![BigInt::ZERO; args.len()];
        // CPython looks at the end before the start.
        let order: &[usize] = if args.len() == 1 { &[0] } else { &[1, 0, 2] };
        for at in order.iter().copied().filter(|at| *at < args.len()) {
            parts[at] = match &args[at] {
                Value::Bool(value) => BigInt::from(i64::from(*value)),
                Value::Int(value) => BigInt::from(*value),
                Value::Long(value) => (**value).clone(),
                Value::Complex(_) => return Err(Error::type_error("can't convert complex to int")),
                other => {
                    let which = match (at, args.len()) {
                        (0, 1) | (1, _) => "end",
                        (0, _) => "start",
                        _ => "step",
                    };
                    return Err(Error::type_error(format!(
                        "range() integer {which} argument expected, got {}.",
                        self.type_name(other)
                    )));
                }
            };
        }
        let (start, stop, step) = match &*parts {
            [stop] => (BigInt::ZERO, stop.clone(), BigInt::from(1)),
            [start, stop] => (start.clone(), stop.clone(), BigInt::from(1)),
            [start, stop, step] => (start.clone(), stop.clone(), step.clone()),
            _ => return Ok(Value::None),
        };
        if step.sign() == Sign::NoSign {
            return Err(Error::value_error("range() step argument must not be zero"));
        }
        let (low, high) = if step.sign() == Sign::Minus {
            (&stop, &start)
        } else {
            (&start, &stop)
        };
        let count = if low < high {
            let span: BigInt = high - low - 1;
            (span / BigInt::from(step.magnitude().clone()) + 1_u8).to_usize()
        } else {
            Some(0)
        };
        let Some(count) = count.filter(|count| i64::try_from(*count).is_ok()) else {
            return Err(Error::overflow("range() result has too many items"));
        };
        self.allow_items(count)?;
        let all_small = [&start, &stop, &step].iter().all(|part| part.to_i64().is_some());
        let mut items = Vec::with_capacity(count);
        let mut item = start;
        for _ in 0..count {
            self.charge(1)?;
            items.push(match item.to_i64() {
                Some(small) if all_small => Value::Int(small),
                _ => Value::long(item.clone()),
            });
            item += &step;
        }
        self.make_list(items)
    }

    fn reduce(&mut self, args: &[Value]) -> EvalOutcome {
        let mut cursor = match self.cursor(&args[1]) {
            Err(error) if error.is_a(ExceptionKind::TypeError) => {
                return Err(Error::type_error("reduce() arg 2 must support iteration"));
            }
            cursor => cursor?,
        };
        let mut total = match args.get(2) {
            Some(initial) => Some(initial.clone()),
            None => self.next(&mut cursor)?,
        };
        let Some(total) = &mut total else {
            return Err(Error::type_error(
                "reduce() of empty sequence with no initial value",
            ));
        };
        while let Some(item) = self.next(&mut cursor)? {
            *total = self.call(&args[0], Args::plain(&[total.clone(), item]))?;
        }
        Ok(total.clone())
    }

    fn round(&mut self, args: Args<'_>) -> EvalOutcome {
        let mut slots = [args.plain.first().cloned(), args.plain.get(1).cloned()];
        let given = args.plain.len() + args.named.len();
        if given > 2 {
            return Err(Error::type_error(format!(
                "round() takes at most 2 arguments ({given} given)"
            )));
        }
        if args.plain.is_empty() && !args.named.iter().any(|(word, _)| **word == *"number") {
            return Err(Error::type_error("Required argument 'number' (pos 1) not found"));
        }
        for (word, value) in args.named {
            let at = match &**word {
                "number" => 0,
                "ndigits" => 1,
                _ => {
                    return Err(Error::type_error(format!(
                        "'{word}' is an invalid keyword argument for this function"
                    )));
                }
            };
            slots[at] = Some(value.clone());
        }
        let [Some(number), digits] = slots else {
            return Err(Error::type_error("Required argument 'number' (pos 1) not found"));
        };
        let value = match NumberValue::of(&number) {
            Some(NumberValue::Complex(_)) => return Err(Error::type_error("can't convert complex to float")),
            Some(number) => number.to_float()?,
            None => return Err(Error::type_error("a float is required")),
        };
        let digits = match digits {
            None => 0,
            Some(digits) if digits.type_of().is_integer() => self
                .index_sized(&digits)
                .unwrap_or(i64::MAX)
                .clamp(-1_000_000, 1_000_000),
            Some(digits) => {
                return Err(Error::type_error(format!(
                    "'{}' object cannot be interpreted as an index",
                    self.type_name(&digits)
                )));
            }
        };
        self.charge(12)?;
        let rounded = round_to(value, digits);
        if rounded.is_infinite() && value.is_finite() {
            return Err(Error::overflow("rounded value too large to represent"));
        }
        Ok(Value::Float(rounded))
    }

    fn sorted(&mut self, args: Args<'_>) -> EvalOutcome {
        let names = ["iterable", "cmp", "key", "reverse"];
        let mut slots = [const { None }; 4];
        if args.plain.len() + args.named.len() > 4 {
            let given = args.plain.len() + args.named.len();
            return Err(Error::type_error(format!(
                "sorted() takes at most 4 arguments ({given} given)"
            )));
        }
        for (slot, value) in slots.iter_mut().zip(args.plain) {
            *slot = Some(value.clone());
        }
        if args.plain.is_empty() && !args.named.iter().any(|(word, _)| **word == *"iterable") {
            return Err(Error::type_error(
                "Required argument 'iterable' (pos 1) not found",
            ));
        }
        for (word, value) in args.named {
            match names
                .iter()
                .position(|name| **name == **word && **word != *"iterable")
            {
                Some(at) if slots[at].is_none() => slots[at] = Some(value.clone()),
                Some(at) => {
                    return Err(Error::type_error(format!(
                        "Argument given by name ('{word}') and position ({})",
                        at + 1
                    )));
                }
                None => {
                    return Err(Error::type_error(format!(
                        "'{word}' is an invalid keyword argument for this function"
                    )));
                }
            }
        }
        let [Some(source), compare, key, reverse] = slots else {
            return Err(Error::type_error(
                "Required argument 'iterable' (pos 1) not found",
            ));
        };
        let reverse = match reverse {
            Some(reverse) => self.integer_argument(&reverse)? != 0,
            None => false,
        };
        let mut items = Vec::new();
        for item in self.items(&source)? {
            let rank = match &key {
                None | Some(Value::None) => None,
                Some(key) => Some(self.call(key, Args::plain(std::slice::from_ref(&item)))?),
            };
            items.push((rank, item));
        }
        let compare = compare.filter(|compare| !matches!(compare, Value::None));
        // Stability under `reverse` comes from turning the list round before and after.
        if reverse {
            items.reverse();
        }
        let mut items = self.sort(items, compare.as_ref())?;
        if reverse {
            items.reverse();
        }
        self.make_list(items.into_iter().map(|(_, item)| item).collect())
    }

    /// Stable merge sort by `<`, with binary insertion for short lists, as CPython's.
    fn sort(
        &mut self,
        mut items: Vec<(Option<Value>, Value)>,
        compare: Option<&Value>,
    ) -> EvalOutcome<Vec<(Option<Value>, Value)>> {
        if items.len() >= 64 {
            let right = items.split_off(items.len() / 2);
            let left = self.sort(items, compare)?;
            let right = self.sort(right, compare)?;
            return self.merge(left, right, compare);
        }
        // A run that falls strictly is turned round, as CPython counts its runs.
        let mut run = 1.min(items.len());
        if items.len() > 1 {
            run = 2;
            let falling = self.before(&items[1], &items[0], compare)?;
            while run < items.len() && self.before(&items[run], &items[run - 1], compare)? == falling {
                run += 1;
            }
            if falling {
                items[..run].reverse();
            }
        }
        for at in run..items.len() {
            let (mut low, mut high) = (0, at);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.before(&items[at], &items[middle], compare)? {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            items[low..=at].rotate_right(1);
        }
        Ok(items)
    }

    fn merge(
        &mut self,
        left: Vec<(Option<Value>, Value)>,
        right: Vec<(Option<Value>, Value)>,
        compare: Option<&Value>,
    ) -> EvalOutcome<Vec<(Option<Value>, Value)>> {
        let mut out = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
            let from_right = self.before(second, first, compare)?;
            out.extend(if from_right { right.next() } else { left.next() });
        }
        out.extend(left);
        out.extend(right);
        Ok(out)
    }

    fn before(
        &mut self,
        left: &(Option<Value>, Value),
        right: &(Option<Value>, Value),
        compare: Option<&Value>,
    ) -> EvalOutcome<bool> {
        self.charge(1)?;
        let (left, right) = (
            left.0.as_ref().unwrap_or(&left.1),
            right.0.as_ref().unwrap_or(&right.1),
        );
        let Some(compare) = compare else {
            return self.ordered(CompareOp::Lt, left, right);
        };
        match self.call(compare, Args::plain(&[left.clone(), right.clone()]))? {
            Value::Int(order) => Ok(order < 0),
            Value::Bool(_) => Ok(false),
            Value::Long(order) => Ok(order.sign() == Sign::Minus),
            other => Err(Error::type_error(format!(
                "comparison function must return int, not {}",
                self.type_name(&other)
            ))),
        }
    }

    fn sum(&mut self, args: &[Value]) -> EvalOutcome {
        let mut cursor = self.cursor(&args[0])?;
        let mut total = match args.get(1) {
            Some(Value::Str(_) | Value::Unicode(_)) => {
                return Err(Error::type_error(
                    "sum() can't sum strings [use ''.join(seq) instead]",
                ));
            }
            Some(start) => start.clone(),
            None => Value::Int(0),
        };
        while let Some(item) = self.next(&mut cursor)? {
            total = self.binary(BinaryOp::Add, &total, &item)?;
        }
        Ok(total)
    }

    fn zip(&mut self, args: &[Value]) -> EvalOutcome {
        let mut cursors = Vec::new();
        for (at, source) in args.iter().enumerate() {
            cursors.push(match self.cursor(source) {
                Err(error) if error.is_a(ExceptionKind::TypeError) => {
                    return Err(Error::type_error(format!(
                        "zip argument #{} must support iteration",
                        at + 1
                    )));
                }
                cursor => cursor?,
            });
        }
        let mut rows = Vec::new();
        if cursors.is_empty() {
            return self.make_list(rows);
        }
        loop {
            let mut row = Vec::with_capacity(cursors.len());
            for cursor in &mut cursors {
                match self.next(cursor)? {
                    Some(item) => row.push(item),
                    None => return self.make_list(rows),
                }
            }
            self.room(&rows)?;
            rows.push(self.make_tuple(row)?);
        }
    }
}

/// Types whose operators look at their operands themselves, so that `coerce` is not for them.
fn has_new_numbers(value: &Value) -> bool {
    matches!(
        value,
        Value::Str(_) | Value::Unicode(_) | Value::Set(_) | Value::FrozenSet(_) | Value::View(..)
    )
}

fn long_of(number: &NumberValue) -> Value {
    match number {
        NumberValue::Int(value) => Value::long(BigInt::from(*value)),
        NumberValue::Long(value) => Value::Long(value.clone()),
        NumberValue::Float(value) => Value::Float(*value),
        NumberValue::Complex(value) => Value::complex(value.re, value.im),
    }
}

pub(crate) fn is_callable(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::Unbound(..)
            | Value::Type(_)
            | Value::HostFunction(_)
    )
}

/// Rounds half away from zero at a decimal place, exactly as CPython 2.7 (R1034).
fn round_to(value: f64, digits: i64) -> f64 {
    if !value.is_finite() || value == 0.0 || digits > 323 {
        return value;
    }
    if digits < -308 {
        return libm::copysign(0.0, value);
    }
    // The exact decimal expansion, cut after one more digit than wanted; a tie is exact only if
    // nothing follows.
    if let Ok(digits) = usize::try_from(digits) {
        let exact = format!("{:.1100}", value.abs());
        let (whole, fraction) = exact.split_once('.').unwrap_or((&exact, ""));
        let kept = fraction.get(..digits).unwrap_or(fraction);
        let up = fraction
            .as_bytes()
            .get(digits)
            .is_some_and(|digit| *digit >= b'5');
        return libm::copysign(decimal(&format!("{whole}{kept}"), up, -(digits as i64)), value);
    }
    let whole = format!("{:.0}", libm::trunc(value.abs()));
    let drop = usize::try_from(digits.unsigned_abs()).unwrap_or(usize::MAX);
    if drop > whole.len() {
        return libm::copysign(0.0, value);
    }
    let (kept, dropped) = whole.split_at(whole.len() - drop);
    let up = dropped.as_bytes().first().is_some_and(|digit| *digit >= b'5');
    libm::copysign(
        decimal(if kept.is_empty() { "0" } else { kept }, up, drop as i64),
        value,
    )
}

/// The float nearest to `digits` (plus one when `up`) times ten to the `exponent`.
fn decimal(digits: &str, up: bool, exponent: i64) -> f64 {
    let number = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default() + u8::from(up);
    format!("{number}e{exponent}").parse().unwrap_or(f64::INFINITY)
}

/// CPython's words for an argument that is an `int` in C.
pub(crate) fn within_c_int(value: i64) -> EvalOutcome<()> {
    match i32::try_from(value) {
        Ok(_) => Ok(()),
        Err(_) if value > 0 => Err(Error::overflow("signed integer is greater than maximum")),
        Err(_) => Err(Error::overflow("signed integer is less than minimum")),
    }
}
