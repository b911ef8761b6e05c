//! The doors through which a game's values enter.

use crate::base::error::Error;
use crate::base::id::{AttributeId, FunctionId, HostNameId, HostObject};
use crate::value::Value;

/// What a name means, decided when an expression is compiled.
#[derive(Clone, Debug)]
pub enum NameMeaning {
    /// Ask the host at each evaluation.
    Name(HostNameId),
    /// A function of the host.
    Function(FunctionId),
    /// Always this value.
    Constant(Value),
    /// The sandbox refuses the name.
    Refused,
}

/// Resolves names while an expression is compiled. Names bound by the expression itself come first,
/// then the dialect, then Python's built-ins.
///
/// ```
/// use cw_expr::{Dialect, ExprLimits, NameMeaning, NoHost, Syntax, Value, compile, eval_repr};
///
/// struct Words;
/// impl Dialect for Words {
///     fn name(&self, name: &str) -> Option<NameMeaning> {
///         (name == "seven").then_some(NameMeaning::Constant(Value::Int(7)))
///     }
/// }
/// let code = compile("seven * 6", &Syntax::default(), &Words, &ExprLimits::CARD)?;
/// assert_eq!(eval_repr(&code, &mut NoHost, &ExprLimits::CARD).as_deref(), Ok("42"));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
pub trait Dialect {
    /// What `name` means here, or nothing.
    fn name(&self, name: &str) -> Option<NameMeaning> {
        let _ = name;
        None
    }

    /// The number of an attribute that host objects may have, or nothing.
    fn attribute(&self, name: &str) -> Option<AttributeId> {
        let _ = name;
        None
    }
}

/// Python without additions.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainPython;

impl Dialect for PlainPython {}

/// Answers for the values of a game. Every method may return [`Error::suspend`]: the evaluation
/// then ends at once with that error, and is repeated from its start when the answer is there.
///
/// Every method but [`ExprHost::call`] answers the same as often as it is asked in one evaluation; a
/// fast path that could not finish asks again.
pub trait ExprHost {
    /// The value of a name.
    ///
    /// # Errors
    /// Any; ends the evaluation.
    fn name(&mut self, name: HostNameId) -> Result<Value, Error>;

    /// An attribute of one of the host's objects; `None` if that object has no such attribute.
    ///
    /// # Errors
    /// Any; ends the evaluation.
    fn attribute(&mut self, object: HostObject, attribute: AttributeId) -> Result<Option<Value>, Error>;

    /// The number of an attribute that is looked up by text while an expression runs (`getattr`).
    fn attribute_named(&self, name: &str) -> Option<AttributeId> {
        let _ = name;
        None
    }

    /// An attribute that the dialect gives to an ordinary value, as `.size` to lists.
    ///
    /// # Errors
    /// Any; ends the evaluation.
    fn value_attribute(&mut self, value: &Value, attribute: AttributeId) -> Result<Option<Value>, Error> {
        let _ = (value, attribute);
        Ok(None)
    }

    /// Calls a function of the host.
    ///
    /// # Errors
    /// Any; ends the evaluation.
    fn call(&mut self, function: FunctionId, args: &[Value]) -> Result<Value, Error>;

    /// How many elements the object has, if it is a sequence. A sequence behaves as a list of its
    /// elements wherever a list could stand.
    fn len(&mut self, object: HostObject) -> Option<usize> {
        let _ = object;
        None
    }

    /// Element `index` of a sequence, with `index` below its length.
    ///
    /// # Errors
    /// Any; ends the evaluation.
    fn item(&mut self, object: HostObject, index: usize) -> Result<Value, Error> {
        let _ = (object, index);
        Err(Error::raise(
            crate::ExceptionKind::IndexError,
            "list index out of range",
        ))
    }

    /// The word for the type of the object in messages, and the order among mixed values.
    fn type_name(&self, object: HostObject) -> &'static str {
        let _ = object;
        "object"
    }

    /// What `repr` gives for an object that is no sequence.
    fn repr(&self, object: HostObject) -> String {
        format!("<{} {}>", self.type_name(object), object.0)
    }

    /// The word for a function of the host in messages.
    fn function_name(&self, function: FunctionId) -> &'static str {
        let _ = function;
        "function"
    }
}

/// The host of plain Python: there is nothing outside the expression.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl ExprHost for NoHost {
    fn name(&mut self, _: HostNameId) -> Result<Value, Error> {
        Err(Error::raise(
            crate::ExceptionKind::NameError,
            "name is not defined",
        ))
    }

    fn attribute(&mut self, _: HostObject, _: AttributeId) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    fn call(&mut self, _: FunctionId, _: &[Value]) -> Result<Value, Error> {
        Err(Error::type_error("function is not callable"))
    }
}
