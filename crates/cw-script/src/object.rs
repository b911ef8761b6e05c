//! What lies in a heap.

use std::collections::VecDeque;
use std::sync::Arc;

use cw_expr::{ExceptionKind, HashTable};

use crate::code::Code;
use crate::value::{ObjectId, ScriptType, ScriptValue};

/// A dict's entries, in CPython's order.
pub(crate) type DictTable = HashTable<ScriptValue, ScriptValue>;

/// A set's elements, in CPython's order.
pub(crate) type SetTable = HashTable<ScriptValue, ()>;

/// An object.
#[derive(Clone, Debug)]
pub(crate) enum Object {
    List(Vec<ScriptValue>),
    Tuple(Vec<ScriptValue>),
    Dict(DictTable),
    Set(SetTable),
    FrozenSet(SetTable),
    /// Start, stop, step.
    Slice(Box<[ScriptValue; 3]>),
    XRange {
        start: i64,
        step: i64,
        len: i64,
    },
    Function(Box<FunctionObject>),
    Class(Box<ClassObject>),
    Instance(Box<InstanceObject>),
    Exception(Box<ExceptionObject>),
    /// A function with what it is called on.
    BoundMethod {
        object: ScriptValue,
        function: ScriptValue,
    },
    /// A method of a built-in type with its object.
    NativeMethod {
        object: ScriptValue,
        name: u16,
    },
    /// `str.upper`, `dict.__init__`.
    TypeMethod {
        kind: ScriptType,
        name: u16,
    },
    /// Getter, setter, deleter.
    Property(Box<[ScriptValue; 3]>),
    StaticMethod(ScriptValue),
    ClassMethod(ScriptValue),
    Super {
        class: ObjectId,
        object: ScriptValue,
    },
    /// A variable that inner functions share.
    Cell(ScriptValue),
    Generator(Box<GeneratorObject>),
    Iterator(Box<IteratorObject>),
    Module {
        name: Arc<str>,
        names: ObjectId,
    },
    /// What a view of a dict shows: `viewkeys`, `viewvalues`, `viewitems`.
    View {
        dict: ObjectId,
        part: DictPart,
    },
    Pattern(Arc<crate::pattern::Pattern>),
    Match(Box<MatchObject>),
    /// `object()`
    Plain,
    /// A deque of the module `collections`.
    Deque(Box<(VecDeque<ScriptValue>, Option<usize>)>),
}

/// A function of a script.
#[derive(Clone, Debug)]
pub(crate) struct FunctionObject {
    pub(crate) code: Arc<Code>,
    pub(crate) defaults: Vec<ScriptValue>,
    /// Cells.
    pub(crate) free: Vec<ObjectId>,
    /// The dict of its module's names.
    pub(crate) globals: ObjectId,
    pub(crate) name: ScriptValue,
    /// Attributes that were set on it.
    pub(crate) names: Option<ObjectId>,
}

/// A class of a script.
#[derive(Clone, Debug)]
pub(crate) struct ClassObject {
    pub(crate) name: ScriptValue,
    /// A class, a built-in type or nothing.
    pub(crate) base: ScriptValue,
    /// The built-in type that its instances are: `object`, or an exception, or a container.
    pub(crate) kind: ScriptType,
    /// The dict of its attributes.
    pub(crate) names: ObjectId,
    /// `class X:`, without a base.
    pub(crate) is_old: bool,
    /// The name of the module it was made in.
    pub(crate) module: ScriptValue,
}

/// An instance of a class.
#[derive(Clone, Debug)]
pub(crate) struct InstanceObject {
    pub(crate) class: ObjectId,
    /// The dict of its attributes.
    pub(crate) names: ObjectId,
    /// The value of a built-in type that it is too, where its class has such a base.
    pub(crate) payload: ScriptValue,
}

/// An exception.
#[derive(Clone, Debug)]
pub(crate) struct ExceptionObject {
    /// A built-in class or one of a script.
    pub(crate) class: ScriptValue,
    pub(crate) kind: ExceptionKind,
    pub(crate) args: Vec<ScriptValue>,
    /// The dict of its attributes, once there is one.
    pub(crate) names: Option<ObjectId>,
    /// Where it went through, the innermost first.
    pub(crate) trace: Vec<TracePlace>,
}

/// A place that an exception went through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePlace {
    /// The file as the package names it.
    pub file: Arc<str>,
    /// Counted from 1.
    pub line: u32,
    /// The function's name; `<module>` outside of any.
    pub function: Arc<str>,
}

/// A generator: a frame that waits.
#[derive(Clone, Debug)]
pub(crate) struct GeneratorObject {
    pub(crate) state: GeneratorState,
    pub(crate) name: Arc<str>,
}

#[derive(Clone, Debug)]
pub(crate) enum GeneratorState {
    /// Waits with its frame and what lies on its stack.
    Waiting(Box<(crate::machine::Frame, Vec<ScriptValue>)>),
    Running,
    Done,
}

/// An iterator over a built-in value.
#[derive(Clone, Debug)]
pub(crate) struct IteratorObject {
    pub(crate) kind: Iteration,
    pub(crate) at: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Iteration {
    List(ObjectId),
    Tuple(ObjectId),
    /// A text.
    Text(ScriptValue),
    /// By `__getitem__` with 0, 1, …
    Indexed(ScriptValue),
    Range {
        start: i64,
        step: i64,
        len: i64,
    },
    /// The number of entries when it began.
    Dict(ObjectId, DictPart, usize),
    Set(ObjectId, usize),
    Deque(ObjectId, usize),
    /// An iterator whose items are counted.
    Enumerate(ScriptValue, i64),
    /// From the last to the first.
    ListReversed(ObjectId),
    Reversed(ScriptValue, usize),
    /// A function that is called until it gives this value.
    Callable(ScriptValue, ScriptValue),
    /// Items that were listed before.
    Listed(Vec<ScriptValue>),
    /// Nothing more comes.
    Done,
}

/// A part of a dict's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DictPart {
    Keys,
    Values,
    Items,
}

/// What a pattern found.
#[derive(Clone, Debug)]
pub(crate) struct MatchObject {
    pub(crate) pattern: ObjectId,
    pub(crate) text: ScriptValue,
    /// Start and end of each group in code points; the whole is the first.
    pub(crate) groups: Vec<Option<(usize, usize)>>,
    pub(crate) pos: usize,
    pub(crate) end: usize,
}

impl Object {
    /// Bytes that it counts for (S195).
    pub(crate) fn size(&self) -> usize {
        const EACH: usize = size_of::<ScriptValue>();
        let more = match self {
            Object::List(items) | Object::Tuple(items) => items.len() * EACH,
            Object::Dict(table) => table.slots() * 40,
            Object::Set(table) | Object::FrozenSet(table) => table.slots() * 32,
            Object::Function(function) => 64 + (function.defaults.len() + function.free.len()) * EACH,
            Object::Class(_) | Object::Instance(_) => 64,
            Object::Exception(exception) => 64 + exception.args.len() * EACH,
            Object::Generator(_) => 256,
            Object::Deque(items) => items.0.len() * EACH,
            Object::Pattern(pattern) => 2 * crate::pattern::compiled_size(&pattern.source),
            _ => 32,
        };
        32 + more
    }

    /// Calls `visit` for every value it holds.
    pub(crate) fn each_value(&self, visit: &mut dyn FnMut(&ScriptValue)) {
        let mut id = |id: &ObjectId| visit(&ScriptValue::Object(*id));
        match self {
            Object::List(items) | Object::Tuple(items) => items.iter().for_each(visit),
            Object::Dict(table) => {
                for entry in table.iter() {
                    visit(&entry.key);
                    visit(&entry.value);
                }
            }
            Object::Set(table) | Object::FrozenSet(table) => {
                table.iter().for_each(|entry| visit(&entry.key));
            }
            Object::Slice(parts) | Object::Property(parts) => parts.iter().for_each(visit),
            Object::Function(function) => {
                function.free.iter().for_each(&mut id);
                id(&function.globals);
                function.names.iter().for_each(&mut id);
                function.defaults.iter().for_each(&mut *visit);
                visit(&function.name);
            }
            Object::Class(class) => {
                id(&class.names);
                visit(&class.base);
                visit(&class.name);
            }
            Object::Instance(instance) => {
                id(&instance.class);
                id(&instance.names);
                visit(&instance.payload);
            }
            Object::Exception(exception) => {
                exception.names.iter().for_each(&mut id);
                visit(&exception.class);
                exception.args.iter().for_each(visit);
            }
            Object::BoundMethod { object, function } => {
                visit(object);
                visit(function);
            }
            Object::NativeMethod { object, .. } => visit(object),
            Object::StaticMethod(value) | Object::ClassMethod(value) | Object::Cell(value) => visit(value),
            Object::Super { class, object } => {
                id(class);
                visit(object);
            }
            Object::Generator(generator) => {
                if let GeneratorState::Waiting(waiting) = &generator.state {
                    waiting.0.each_value(visit);
                    waiting.1.iter().for_each(visit);
                }
            }
            Object::Iterator(iterator) => match &iterator.kind {
                Iteration::List(of)
                | Iteration::Tuple(of)
                | Iteration::Dict(of, ..)
                | Iteration::Set(of, _)
                | Iteration::Deque(of, _)
                | Iteration::ListReversed(of) => id(of),
                Iteration::Text(value)
                | Iteration::Indexed(value)
                | Iteration::Enumerate(value, _)
                | Iteration::Reversed(value, _) => visit(value),
                Iteration::Callable(function, end) => {
                    visit(function);
                    visit(end);
                }
                Iteration::Listed(items) => items.iter().for_each(visit),
                Iteration::Range { .. } | Iteration::Done => {}
            },
            Object::Module { names, .. } => id(names),
            Object::View { dict, .. } => id(dict),
            Object::Match(found) => {
                id(&found.pattern);
                visit(&found.text);
            }
            Object::Deque(items) => items.0.iter().for_each(visit),
            Object::XRange { .. } | Object::TypeMethod { .. } | Object::Pattern(_) | Object::Plain => {}
        }
    }
}
