//! The only way out of the room: every name of the interface goes through a [`ScriptHost`].
//!
//! **Runs, questions and jobs.** A run is a fork: the table copies its value and the interpreters, calls
//! [`Interpreter::call`](crate::Interpreter::call), and keeps the copies or drops them. A question that has
//! no answer yet is [`HostStop::Ask`]: the run ends at once, neither `except` nor `finally` sees it, and the
//! copies are dropped. With the answer the table starts the run again, from the value as it is then, and the
//! host gives the answers it has so far (S176). So no frame outlives a call, the state between calls is a
//! plain value, and an answer that is still open survives a restart as a list of answers. Chance, time and
//! settings are the run's, so the same answers meet the same questions (S177).
//!
//! A job of another seat (S182, S183) is another `call` on that seat's interpreter, made by the host while
//! the first waits inside its own `call`: an interpreter that runs is not the table's, so the two never share
//! anything. Jobs nest at most as deep as there are seats.

use cw_expr::ExceptionKind;

use crate::value::HostHandle;

/// What goes to the host and comes from it: plain data, nothing of the heap.
#[derive(Clone, Debug, PartialEq)]
pub enum HostValue {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// A whole number of 64 bits.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<HostValue>),
    /// A tuple.
    Tuple(Vec<HostValue>),
    /// What can be run through once (S34e).
    Generator(Vec<HostValue>),
    /// A dict, in its order.
    Dict(Vec<(HostValue, HostValue)>),
    /// An object of the host.
    Object(HostHandle),
    /// A function of the host, by its place among the names it gave.
    Function(u16),
    /// A method: a function of the host that gets the object before its arguments. Only as an attribute.
    Method(u16),
    /// A function of the script, by its name.
    Script(String),
}

impl HostValue {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            HostValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Why the host gives nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum HostStop {
    /// The script sees this exception.
    Raise(ExceptionKind, String),
    /// A person must answer first.
    Ask,
    /// The run may not go on: the words say why.
    End(String),
}

/// How an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostForm {
    /// By `repr`.
    Repr,
    /// By `str`.
    Text,
    /// By `format` and `str.format`.
    Format,
}

/// The table as scripts know it.
pub trait ScriptHost {
    /// What a name means that neither the script nor Python defines; asked once, when files are loaded.
    fn names(&mut self) -> Vec<(String, HostValue)> {
        Vec::new()
    }

    /// Calls a function of the host.
    ///
    /// # Errors
    /// An exception, or the run ends.
    fn call(
        &mut self,
        function: u16,
        args: &[HostValue],
        named: &[(String, HostValue)],
    ) -> Result<HostValue, HostStop> {
        let _ = (function, args, named);
        Err(HostStop::Raise(
            ExceptionKind::TypeError,
            "nothing to call".to_owned(),
        ))
    }

    /// An attribute; nothing if there is none.
    ///
    /// # Errors
    /// As above.
    fn attribute(&mut self, object: HostHandle, name: &str) -> Result<Option<HostValue>, HostStop> {
        let _ = (object, name);
        Ok(None)
    }

    /// What is called where an attribute of this name is a value too: `card.width` and `card.width()` (S74).
    /// Without an object it is asked of a function, as in `Card.width()`. Nothing: the attribute is called as
    /// it is.
    fn method(&mut self, object: Option<HostHandle>, name: &str) -> Option<u16> {
        let _ = (object, name);
        None
    }

    /// Gives an attribute a value; false if there is no such attribute.
    ///
    /// # Errors
    /// As above.
    fn set_attribute(&mut self, object: HostHandle, name: &str, value: HostValue) -> Result<bool, HostStop> {
        let _ = (object, name, value);
        Ok(false)
    }

    /// `object[index]`, and with a value `object[index] = value`; `del` gives nothing to set.
    ///
    /// # Errors
    /// As above.
    fn item(&mut self, object: HostHandle, index: &HostValue) -> Result<HostValue, HostStop> {
        let _ = (object, index);
        Err(HostStop::Raise(
            ExceptionKind::TypeError,
            "object has no items".to_owned(),
        ))
    }

    /// `object[index] = value`; without a value, `del object[index]`.
    ///
    /// # Errors
    /// As above.
    fn set_item(
        &mut self,
        object: HostHandle,
        index: &HostValue,
        value: Option<HostValue>,
    ) -> Result<(), HostStop> {
        let _ = (object, index, value);
        Err(HostStop::Raise(
            ExceptionKind::TypeError,
            "object does not support item assignment".to_owned(),
        ))
    }

    /// `len(object)`, if it has one.
    ///
    /// # Errors
    /// As above.
    fn len(&mut self, object: HostHandle) -> Result<Option<usize>, HostStop> {
        let _ = object;
        Ok(None)
    }

    /// What a loop over it runs through, if it can be run through.
    ///
    /// # Errors
    /// As above.
    fn items(&mut self, object: HostHandle) -> Result<Option<Vec<HostValue>>, HostStop> {
        let _ = object;
        Ok(None)
    }

    /// How the object is written.
    fn text(&mut self, object: HostHandle, form: HostForm) -> String {
        let _ = form;
        format!("<object {}>", object.0)
    }

    /// The name of its type.
    fn type_name(&mut self, object: HostHandle) -> String {
        let _ = object;
        "object".to_owned()
    }

    /// A number below `2^64` from the chance of the run (S178).
    fn draw(&mut self) -> u64 {
        0
    }

    /// The moment the run began, in seconds since 1970, UTC (S26).
    fn now(&mut self) -> i64 {
        0
    }
}

/// A host that has nothing: plain Python.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyRoom;

impl ScriptHost for EmptyRoom {}
