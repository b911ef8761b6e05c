//! Exceptions: raising them, knowing them again, where they went.

use cw_expr::{ErrorKind, ExceptionKind, PythonType};

use crate::limits::ScriptLimit;
use crate::machine::{Flow, Machine, RunStop, Stop, limit};
use crate::object::{ExceptionObject, Object, TracePlace};
use crate::value::{ObjectId, ScriptType, ScriptValue};

/// Places that are kept of an exception's way.
const MOST_PLACES: usize = 64;

impl Machine<'_> {
    /// A new built-in exception.
    #[cold]
    pub(crate) fn raise(&mut self, kind: ExceptionKind, words: &str) -> Stop {
        let args = if words.is_empty() {
            Vec::new()
        } else {
            vec![ScriptValue::text(words)]
        };
        self.raise_args(ScriptValue::exception(kind), kind, args)
    }

    #[cold]
    pub(crate) fn type_error(&mut self, words: &str) -> Stop {
        self.raise(ExceptionKind::TypeError, words)
    }

    #[cold]
    pub(crate) fn value_error(&mut self, words: &str) -> Stop {
        self.raise(ExceptionKind::ValueError, words)
    }

    /// A `KeyError` of this key.
    #[cold]
    pub(crate) fn key_error(&mut self, key: ScriptValue) -> Stop {
        let kind = ExceptionKind::KeyError;
        self.raise_args(ScriptValue::exception(kind), kind, vec![key])
    }

    /// What the room refuses (S21).
    #[cold]
    pub(crate) fn not_available(&mut self, name: &str) -> Stop {
        let words = format!("the table gives scripts no {name}");
        let class = ScriptValue::Type(ScriptType::NotAvailable);
        self.raise_args(
            class,
            ExceptionKind::StandardError,
            vec![ScriptValue::text(&words)],
        )
    }

    #[cold]
    pub(crate) fn raise_args(
        &mut self,
        class: ScriptValue,
        kind: ExceptionKind,
        args: Vec<ScriptValue>,
    ) -> Stop {
        let exception = ExceptionObject {
            class,
            kind,
            args,
            names: None,
            trace: Vec::new(),
        };
        match self.make_id(Object::Exception(Box::new(exception))) {
            Ok(id) => Stop::Raise(id),
            Err(stop) => stop,
        }
    }

    /// What the calculator could not do.
    #[cold]
    pub(crate) fn failed(&mut self, error: &cw_expr::Error) -> Stop {
        match error.kind() {
            ErrorKind::Exception { kind, message } => {
                // There is one type of text, and it is called `str`.
                let message = message.replace("unicode", "str");
                self.raise(*kind, &message)
            }
            ErrorKind::NotAvailable(name) => {
                let name = name.clone();
                self.not_available(&name)
            }
            ErrorKind::Limit("too many evaluation steps") => {
                self.steps = 0;
                limit(ScriptLimit::Steps)
            }
            ErrorKind::Limit("value is nested too deeply") => limit(ScriptLimit::Depth),
            ErrorKind::Limit(_) => limit(ScriptLimit::Memory),
            ErrorKind::Suspend => Stop::End(Box::new(RunStop::Ask)),
        }
    }

    /// The exception that a class or a value stands for when it is raised.
    pub(crate) fn raise_value(&mut self, kind: &ScriptValue, args: Vec<ScriptValue>) -> Flow<Stop> {
        match kind {
            ScriptValue::Type(ScriptType::Core(PythonType::Exception(_)) | ScriptType::NotAvailable) => {
                let exception = self.call(kind, args)?;
                Ok(exception
                    .object()
                    .map_or_else(|| limit(ScriptLimit::Memory), Stop::Raise))
            }
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Exception(_) if args.iter().all(ScriptValue::is_none) => {
                    // Its way begins anew.
                    if let Some(Object::Exception(exception)) = self.heap.get_mut(*id) {
                        exception.trace.clear();
                    }
                    Ok(Stop::Raise(*id))
                }
                Object::Exception(_) => {
                    Ok(self.type_error("instance exception may not have a separate value"))
                }
                Object::Class(class) if matches!(class.kind, ScriptType::Core(PythonType::Exception(_))) => {
                    let exception = self.call(kind, args)?;
                    Ok(exception
                        .object()
                        .map_or_else(|| limit(ScriptLimit::Memory), Stop::Raise))
                }
                _ => Ok(self.not_raisable(kind)),
            },
            _ => Ok(self.not_raisable(kind)),
        }
    }

    fn not_raisable(&mut self, kind: &ScriptValue) -> Stop {
        let name = self.type_name(kind);
        let words = format!("exceptions must be old-style classes or derived from BaseException, not {name}");
        self.type_error(&words)
    }

    /// `raise`, `raise kind`, `raise kind, value`.
    pub(crate) fn raise_statement(&mut self, parts: Vec<ScriptValue>) -> Flow<Stop> {
        let mut parts = parts.into_iter();
        let Some(kind) = parts.next() else {
            let own = self.frame.caught;
            let around = self.frames.iter().rev().find_map(|frame| frame.caught);
            return Ok(match own.or(around) {
                Some(id) => {
                    self.raised_again = true;
                    Stop::Raise(id)
                }
                None => self.not_raisable(&ScriptValue::None),
            });
        };
        let args = match parts.next() {
            None | Some(ScriptValue::None) => Vec::new(),
            // A value that is the exception already stands for itself; a tuple is its arguments.
            Some(value) => {
                let id = value.object();
                let is_exception = matches!(id.map(|id| self.heap.get(id)), Some(Object::Exception(_)));
                if let Some(id) = id.filter(|_| is_exception)
                    && self.exception_matches(&value, &kind)?
                {
                    return Ok(Stop::Raise(id));
                }
                match id.map(|id| self.heap.get(id)) {
                    Some(Object::Tuple(items)) => items.clone(),
                    _ => vec![value],
                }
            }
        };
        // `raise (A, B)` raises the first.
        let mut kind = kind;
        while let ScriptValue::Object(id) = &kind
            && let Object::Tuple(items) = self.heap.get(*id)
            && let Some(first) = items.first().cloned()
        {
            self.charge(1)?;
            kind = first;
        }
        self.raise_value(&kind, args)
    }

    /// Whether a handler for `kind` takes the exception.
    pub(crate) fn exception_matches(&mut self, exception: &ScriptValue, kind: &ScriptValue) -> Flow<bool> {
        self.charge(1)?;
        if let ScriptValue::Object(id) = kind
            && let Object::Tuple(items) = self.heap.get(*id)
        {
            let items = items.clone();
            for item in &items {
                if self.deeper(|machine| machine.exception_matches(exception, item))? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let Some(Object::Exception(found)) = exception.object().map(|id| self.heap.get(id)) else {
            return Ok(false);
        };
        let (mut class, builtin) = (found.class.clone(), found.kind);
        match kind {
            ScriptValue::Type(ScriptType::Core(PythonType::Exception(wanted))) => Ok(builtin.is_a(*wanted)),
            ScriptValue::Type(wanted) => Ok(matches!(class, ScriptValue::Type(kind) if kind == *wanted)),
            ScriptValue::Object(wanted) => loop {
                match class {
                    ScriptValue::Object(id) if id == *wanted => return Ok(true),
                    ScriptValue::Object(id) => match self.heap.get(id) {
                        Object::Class(found) => class = found.base.clone(),
                        _ => return Ok(false),
                    },
                    _ => return Ok(false),
                }
            },
            _ => Ok(false),
        }
    }

    /// Notes that the exception went through the frame on top.
    pub(crate) fn trace(&mut self, exception: ObjectId) {
        let code = self.frame.code.clone();
        let place = TracePlace {
            file: code.file.clone(),
            line: code.line_before(self.frame.at),
            function: code.name.clone(),
        };
        if let Some(Object::Exception(found)) = self.heap.get_mut(exception)
            && found.trace.len() < MOST_PLACES
        {
            found.trace.push(place);
        }
    }

    /// The exception's class name and words, as the last line of a traceback has them.
    pub(crate) fn exception_words(&mut self, id: ObjectId) -> (String, String) {
        let Object::Exception(exception) = self.heap.get(id) else {
            return (String::new(), String::new());
        };
        let class = exception.class.clone();
        let name = self.class_name(&class);
        let value = ScriptValue::Object(id);
        let words = match self.text_of(&value) {
            Ok(text) => text.shown().unwrap_or_default(),
            Err(_) => "<unprintable>".to_owned(),
        };
        (name, words)
    }
}
