//! One operation at a time on values without names: what a machine that runs statements asks for.

use std::sync::Arc;

use crate::base::error::{Error, ErrorKind};
use crate::base::limits::ExprLimits;
use crate::tree::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::value::Value;
use crate::value::host::NoHost;
use crate::value::kind::PythonType;
use crate::vm::machine::{Args, Vm};
use crate::vm::method;

/// Does single operations, and counts what they take.
///
/// ```
/// use cw_expr::ast::BinaryOp;
/// use cw_expr::{Calculator, ExprLimits, Value};
///
/// let mut calculator = Calculator::new(ExprLimits::FILE);
/// let sum = calculator.binary(BinaryOp::Add, &Value::str("a"), &Value::str("b"))?;
/// assert_eq!(calculator.repr(&sum)?, "'ab'");
/// # Ok::<(), cw_expr::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Calculator {
    /// What is left: `steps` and `memory` shrink.
    pub limits: ExprLimits,
}

impl Calculator {
    /// A calculator that may use so much.
    pub fn new(limits: ExprLimits) -> Calculator {
        Calculator { limits }
    }

    fn with<T>(&mut self, work: impl FnOnce(&mut Vm<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let limits = self.limits;
        let mut host = NoHost;
        let mut vm = Vm::new(&mut host, &limits);
        let result = work(&mut vm);
        (self.limits.steps, self.limits.memory) = (vm.steps, vm.memory);
        result
    }

    /// `left op right`.
    ///
    /// # Errors
    /// Python's exception, or a reached limit; so of all that follow.
    pub fn binary(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Error> {
        self.with(|vm| vm.binary(op, left, right))
    }

    /// `op value`; not for `not`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn unary(&mut self, op: UnaryOp, value: &Value) -> Result<Value, Error> {
        self.with(|vm| match op {
            UnaryOp::Neg => vm.negate(value),
            UnaryOp::Pos => vm.plus(value),
            UnaryOp::Invert => vm.invert(value),
            UnaryOp::Not => vm.truth(value).map(|truth| Value::Bool(!truth)),
        })
    }

    /// `left op right`, as a truth.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn compare(&mut self, op: CompareOp, left: &Value, right: &Value) -> Result<bool, Error> {
        self.with(|vm| {
            let value = vm.compare(op, left, right)?;
            vm.truth(&value)
        })
    }

    /// `cmp(left, right)`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn three_way(&mut self, left: &Value, right: &Value) -> Result<std::cmp::Ordering, Error> {
        self.with(|vm| vm.three_way(left, right))
    }

    /// `hash(value)`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn hash(&mut self, value: &Value) -> Result<i64, Error> {
        self.with(|vm| vm.hash(value))
    }

    /// `repr(value)`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn repr(&mut self, value: &Value) -> Result<String, Error> {
        self.with(|vm| vm.repr(value))
    }

    /// `str(value)`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn text(&mut self, value: &Value) -> Result<Vec<u8>, Error> {
        self.with(|vm| vm.str_bytes(value))
    }

    /// `object[index]`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn subscript(&mut self, object: &Value, index: &Value) -> Result<Value, Error> {
        self.with(|vm| vm.subscript(object, index))
    }

    /// `object.name`, data of numbers and the like.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn attribute(&mut self, object: &Value, name: &str) -> Result<Value, Error> {
        self.with(|vm| vm.attribute(object, name))
    }

    /// `object.name(…)`, for a name that [`method_named`] knows.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn method(
        &mut self,
        object: &Value,
        name: &str,
        plain: &[Value],
        named: &[(Arc<str>, Value)],
    ) -> Result<Value, Error> {
        let entry = method::find(object.type_of(), name)
            .ok_or_else(|| Error::attribute(object.type_of().name(), name))?;
        self.with(|vm| vm.call_method(object, entry, Args { plain, named }))
    }

    /// Calls a built-in function or a type.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn call(
        &mut self,
        function: &Value,
        plain: &[Value],
        named: &[(Arc<str>, Value)],
    ) -> Result<Value, Error> {
        self.with(|vm| vm.call(function, Args { plain, named }))
    }

    /// `format(value, spec)`.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn format(&mut self, value: &Value, spec: &Value) -> Result<Value, Error> {
        self.with(|vm| vm.format_value(value, spec))
    }

    /// The elements of a list or tuple.
    pub fn items(value: &Value) -> &[Value] {
        match value {
            Value::List(items) | Value::Tuple(items) => &items.items,
            _ => &[],
        }
    }

    /// A tuple of values without names.
    ///
    /// # Errors
    /// As [`Calculator::binary`].
    pub fn tuple(&mut self, items: Vec<Value>) -> Result<Value, Error> {
        self.with(|vm| vm.make_tuple(items))
    }
}

/// The method of this name that values of the type have, unless it changes them.
pub fn method_named(kind: PythonType, name: &str) -> Option<&'static str> {
    method::find(kind, name)
        .filter(|entry| !entry.refused)
        .map(|entry| entry.name)
}

impl Error {
    /// The exception and its words, if Python would have raised one.
    pub fn exception(&self) -> Option<(crate::ExceptionKind, &str)> {
        match self.kind() {
            ErrorKind::Exception { kind, message } => Some((*kind, message)),
            ErrorKind::NotAvailable(_) | ErrorKind::Limit(_) | ErrorKind::Suspend => None,
        }
    }
}

/// A value of the type with nothing in it, for messages that name the type.
pub fn stand_in(kind: PythonType) -> Value {
    match kind {
        PythonType::List => Value::List(Arc::default()),
        PythonType::Tuple => Value::Tuple(Arc::default()),
        PythonType::Dict => Value::Dict(Arc::default()),
        PythonType::Set => Value::Set(Arc::default()),
        PythonType::FrozenSet => Value::FrozenSet(Arc::default()),
        PythonType::Generator => Value::Iterator(crate::value::IteratorKind::Generator, 0),
        PythonType::ListIterator => Value::Iterator(crate::value::IteratorKind::List, 0),
        PythonType::Type => Value::Type(PythonType::Object),
        PythonType::BuiltinFunction => Value::Builtin(crate::value::builtin::Builtin::Len),
        PythonType::XRange => Value::XRange(Arc::new(crate::value::XRange {
            start: 0,
            step: 1,
            len: 0,
        })),
        _ => Value::Plain(0),
    }
}
