//! What can go wrong: Python's exceptions by name, and the sandbox's own refusals.

use std::fmt;

use cw_text::Span;

macro_rules! exceptions {
    ($($name:ident < $base:ident),* $(,)?) => {
        /// Python's exceptions, under Python's names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names are Python's and mean what they mean there")]
        pub enum ExceptionKind { $($name),* }

        impl ExceptionKind {
            /// All of them, bases first.
            pub const ALL: &'static [ExceptionKind] = &[$(ExceptionKind::$name),*];

            /// The name, as `ZeroDivisionError`.
            pub fn name(self) -> &'static str {
                match self { $(ExceptionKind::$name => stringify!($name)),* }
            }

            /// The name as messages about types write it: `exceptions.ZeroDivisionError`.
            pub(crate) fn type_name(self) -> &'static str {
                match self { $(ExceptionKind::$name => concat!("exceptions.", stringify!($name))),* }
            }

            /// The class above; `BaseException` is its own.
            pub fn base(self) -> ExceptionKind {
                match self { $(ExceptionKind::$name => ExceptionKind::$base),* }
            }
        }
    };
}

exceptions! {
    BaseException < BaseException,
    SystemExit < BaseException,
    KeyboardInterrupt < BaseException,
    GeneratorExit < BaseException,
    Exception < BaseException,
    StopIteration < Exception,
    StandardError < Exception,
    Warning < Exception,
    BufferError < StandardError,
    ArithmeticError < StandardError,
    FloatingPointError < ArithmeticError,
    OverflowError < ArithmeticError,
    ZeroDivisionError < ArithmeticError,
    AssertionError < StandardError,
    AttributeError < StandardError,
    EnvironmentError < StandardError,
    IOError < EnvironmentError,
    OSError < EnvironmentError,
    EOFError < StandardError,
    ImportError < StandardError,
    LookupError < StandardError,
    IndexError < LookupError,
    KeyError < LookupError,
    MemoryError < StandardError,
    NameError < StandardError,
    UnboundLocalError < NameError,
    ReferenceError < StandardError,
    RuntimeError < StandardError,
    NotImplementedError < RuntimeError,
    SyntaxError < StandardError,
    IndentationError < SyntaxError,
    TabError < IndentationError,
    SystemError < StandardError,
    TypeError < StandardError,
    ValueError < StandardError,
    UnicodeError < ValueError,
    UnicodeDecodeError < UnicodeError,
    UnicodeEncodeError < UnicodeError,
    UnicodeTranslateError < UnicodeError,
    BytesWarning < Warning,
    DeprecationWarning < Warning,
    FutureWarning < Warning,
    ImportWarning < Warning,
    PendingDeprecationWarning < Warning,
    RuntimeWarning < Warning,
    SyntaxWarning < Warning,
    UnicodeWarning < Warning,
    UserWarning < Warning,
}

impl ExceptionKind {
    /// The exception with this name.
    pub fn named(name: &str) -> Option<ExceptionKind> {
        ExceptionKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == name)
    }

    /// Whether `self` is `other` or below it.
    pub fn is_a(self, other: ExceptionKind) -> bool {
        let mut kind = self;
        loop {
            if kind == other {
                return true;
            }
            if kind.base() == kind {
                return false;
            }
            kind = kind.base();
        }
    }
}

/// Why an evaluation gave no value. One word wide, so that results stay small.
#[derive(Clone, PartialEq)]
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// Python would have raised this.
    Exception {
        /// Which one.
        kind: ExceptionKind,
        /// What `str(error)` would say.
        message: String,
    },
    /// The sandbox refuses this built-in or attribute (D40, R1043): its name.
    NotAvailable(String),
    /// One of the [`Limits`](crate::ExprLimits) was reached: which one.
    Limit(&'static str),
    /// The host wants the evaluation dropped and repeated later (D42).
    Suspend,
}

impl Error {
    /// A Python exception.
    #[cold]
    pub fn raise(kind: ExceptionKind, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorKind::Exception {
            kind,
            message: message.into(),
        }))
    }

    /// The sandbox does not offer `name`.
    #[cold]
    pub fn not_available(name: impl Into<String>) -> Error {
        Error(Box::new(ErrorKind::NotAvailable(name.into())))
    }

    /// A limit was reached.
    #[cold]
    pub fn limit(what: &'static str) -> Error {
        Error(Box::new(ErrorKind::Limit(what)))
    }

    /// The host needs an answer first; nothing is wrong.
    #[cold]
    pub fn suspend() -> Error {
        Error(Box::new(ErrorKind::Suspend))
    }

    /// What it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Whether the host asked for a repetition.
    pub fn is_suspend(&self) -> bool {
        *self.0 == ErrorKind::Suspend
    }

    /// Whether it is this exception or one below it.
    pub fn is_a(&self, wanted: ExceptionKind) -> bool {
        matches!(&*self.0, ErrorKind::Exception { kind, .. } if kind.is_a(wanted))
    }

    /// The name: Python's, `NotAvailable`, `LimitExceeded` or `Suspend`.
    pub fn name(&self) -> &'static str {
        match &*self.0 {
            ErrorKind::Exception { kind, .. } => kind.name(),
            ErrorKind::NotAvailable(_) => "NotAvailable",
            ErrorKind::Limit(_) => "LimitExceeded",
            ErrorKind::Suspend => "Suspend",
        }
    }

    /// What went wrong, without the name.
    pub fn message(&self) -> String {
        match &*self.0 {
            ErrorKind::Exception { message, .. } => message.clone(),
            ErrorKind::NotAvailable(name) => format!("not available in card rules: {name}"),
            ErrorKind::Limit(what) => (*what).to_owned(),
            ErrorKind::Suspend => "waits for an answer".to_owned(),
        }
    }

    #[cold]
    pub(crate) fn type_error(message: impl Into<String>) -> Error {
        Error::raise(ExceptionKind::TypeError, message)
    }

    #[cold]
    pub(crate) fn value_error(message: impl Into<String>) -> Error {
        Error::raise(ExceptionKind::ValueError, message)
    }

    #[cold]
    pub(crate) fn overflow(message: impl Into<String>) -> Error {
        Error::raise(ExceptionKind::OverflowError, message)
    }

    #[cold]
    pub(crate) fn zero_division(message: impl Into<String>) -> Error {
        Error::raise(ExceptionKind::ZeroDivisionError, message)
    }

    #[cold]
    pub(crate) fn attribute(type_name: &str, attribute: &str) -> Error {
        Error::raise(
            ExceptionKind::AttributeError,
            format!("'{type_name}' object has no attribute '{attribute}'"),
        )
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message();
        if message.is_empty() {
            f.write_str(self.name())
        } else {
            write!(f, "{}: {message}", self.name())
        }
    }
}

impl std::error::Error for Error {}

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileError {
    /// Where.
    pub span: Span,
    /// What kind of fault.
    pub cause: CompileErrorKind,
    /// What is wrong: terse. For [`CompileErrorKind::NotAvailable`] the refused name.
    pub message: String,
}

/// The kinds of [`CompileError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompileErrorKind {
    /// Python would have raised this, mostly `SyntaxError`.
    Exception(ExceptionKind),
    /// The sandbox refuses a name (D40, R1043).
    NotAvailable,
    /// The text exceeds one of the [`Limits`](crate::ExprLimits).
    Limit,
}

impl CompileError {
    pub(crate) fn new(span: Span, kind: ExceptionKind, message: impl Into<String>) -> CompileError {
        CompileError {
            span,
            cause: CompileErrorKind::Exception(kind),
            message: message.into(),
        }
    }

    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> CompileError {
        CompileError::new(span, ExceptionKind::SyntaxError, message)
    }

    pub(crate) fn limit(span: Span, message: impl Into<String>) -> CompileError {
        CompileError {
            span,
            cause: CompileErrorKind::Limit,
            message: message.into(),
        }
    }

    pub(crate) fn not_available(span: Span, name: impl Into<String>) -> CompileError {
        CompileError {
            span,
            cause: CompileErrorKind::NotAvailable,
            message: name.into(),
        }
    }

    /// The name: Python's, `NotAvailable` or `LimitExceeded`.
    pub fn name(&self) -> &'static str {
        match self.cause {
            CompileErrorKind::Exception(kind) => kind.name(),
            CompileErrorKind::NotAvailable => "NotAvailable",
            CompileErrorKind::Limit => "LimitExceeded",
        }
    }

    /// What went wrong, as a sentence for people.
    pub fn text(&self) -> String {
        match self.cause {
            CompileErrorKind::NotAvailable => format!("not available in card rules: {}", self.message),
            CompileErrorKind::Exception(_) | CompileErrorKind::Limit => self.message.clone(),
        }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.text())
    }
}

impl std::error::Error for CompileError {}
