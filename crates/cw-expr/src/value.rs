//! Values of expressions, small ones inline, the rest behind one pointer; and the code of functions, which
//! are values and hold some: nodes in one array, every name resolved to a slot or an id.

pub(crate) mod builtin;
pub(crate) mod host;
pub(crate) mod kind;
pub(crate) mod quick;
pub(crate) mod table;
pub(crate) mod word;

use std::sync::Arc;

use num_bigint::BigInt;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::base::error::ExceptionKind;
use crate::base::id::{AttributeId, FunctionId, HostNameId, HostObject};
use crate::tree::ast::{BinaryOp, CompareOp, ComprehensionKind};
use crate::value::builtin::Builtin;
use crate::value::kind::PythonType;

/// A dict's or a set's table, by values.
pub(crate) type ValueTable<V> = table::HashTable<Value, V>;

/// A slot of one.
pub(crate) type ValueEntry<V> = table::TableEntry<Value, V>;

/// The name of the code that is no function.
pub(crate) const MAIN: &str = "<expression>";

/// A value. Immutable as far as an expression can see; cloning shares.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`, RuleScript's `nil`.
    None,
    /// `NotImplemented`
    NotImplemented,
    /// `Ellipsis`
    Ellipsis,
    /// `True`, `False`
    Bool(bool),
    /// An `int`: 64 bits.
    Int(i64),
    /// A `float`.
    Float(f64),
    /// A `long`, of any size.
    Long(Arc<BigInt>),
    /// A `complex`.
    Complex(Arc<Complex>),
    /// A `str`: bytes.
    Str(Arc<Vec<u8>>),
    /// A `unicode`: code points, lone surrogates included.
    Unicode(Arc<Vec<u32>>),
    /// A `list`.
    List(Arc<Sequence>),
    /// A `tuple`.
    Tuple(Arc<Sequence>),
    /// A `dict`.
    Dict(Arc<Dict>),
    /// A `set`.
    Set(Arc<SetElements>),
    /// A `frozenset`.
    FrozenSet(Arc<SetElements>),
    /// A `slice`.
    Slice(Arc<Slice>),
    /// An `xrange`.
    XRange(Arc<XRange>),
    /// A `bytearray`, which nothing here can change.
    ByteArray(Arc<Vec<u8>>),
    /// A `buffer` over a copy of its bytes.
    Buffer(Arc<Vec<u8>>),
    /// A `memoryview` over a copy of its bytes.
    MemoryView(Arc<MemoryView>),
    /// A view of a dict.
    View(ViewKind, Arc<Dict>),
    /// A type, an exception class among them.
    Type(PythonType),
    /// An exception, as a value.
    Exception(Arc<Exception>),
    /// `object()`, by the order of making.
    Plain(u32),
    /// A `lambda`.
    Function(Arc<FunctionValue>),
    /// A built-in function.
    Builtin(Builtin),
    /// A method of a value, not yet called.
    Method(Arc<Method>),
    /// A method of a type: `str.upper`.
    Unbound(PythonType, &'static &'static str),
    /// An iterator: an index into those of the evaluation that made it.
    Iterator(IteratorKind, u32),
    /// An object of the host.
    Host(HostObject),
    /// A function of the host.
    HostFunction(FunctionId),
}

const _: () = assert!(size_of::<Value>() == 16, "values are passed in two words");
const _: () = assert!(size_of::<Result<Value, crate::Error>>() == 16, "so are results");

/// Elements of a list or tuple.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// In order.
    pub items: Vec<Value>,
    // Invariant: 1 + the greatest height of an item; bounds recursion over values.
    pub(crate) height: u16,
}

/// Entries of a dict.
#[derive(Clone, Debug, Default)]
pub struct Dict {
    pub(crate) table: ValueTable<Value>,
    pub(crate) height: u16,
}

/// Elements of a set.
#[derive(Clone, Debug, Default)]
pub struct SetElements {
    pub(crate) table: ValueTable<()>,
    pub(crate) height: u16,
}

/// A number with an imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// `slice(start, stop, step)`.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(crate) start: Value,
    pub(crate) stop: Value,
    pub(crate) step: Value,
}

/// An arithmetic progression.
#[derive(Clone, Copy, Debug)]
pub struct XRange {
    pub(crate) start: i64,
    pub(crate) step: i64,
    pub(crate) len: i64,
}

impl XRange {
    /// Element `index`, which is below `len`.
    pub(crate) fn item(self, index: i64) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(index))
    }
}

/// A `memoryview` and what it looks at.
#[derive(Clone, Debug)]
pub struct MemoryView {
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) writable: bool,
}

/// Which part of a dict a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// `viewkeys()`
    Keys,
    /// `viewvalues()`
    Values,
    /// `viewitems()`
    Items,
}

/// An exception object: its class and arguments.
#[derive(Clone, Debug)]
pub struct Exception {
    pub(crate) kind: ExceptionKind,
    pub(crate) args: Sequence,
}

/// A lambda with what it captured.
#[derive(Debug)]
pub struct FunctionValue {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) defaults: Vec<Value>,
    /// Indices of the evaluation's cells.
    pub(crate) free: Vec<u32>,
    pub(crate) height: u16,
}

/// A method bound to its object.
#[derive(Debug)]
pub struct Method {
    pub(crate) object: Value,
    pub(crate) name: &'static str,
    pub(crate) height: u16,
}

/// Iterators by the name of their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IteratorKind {
    /// Of a list.
    List,
    /// Of a tuple.
    Tuple,
    /// Of a string or another indexable value.
    Indexed,
    /// Of an xrange.
    Range,
    /// Of a dict's keys.
    DictKeys,
    /// Of a dict's values.
    DictValues,
    /// Of a dict's items.
    DictItems,
    /// Of a set.
    Set,
    /// Of a bytearray.
    ByteArray,
    /// `enumerate(…)`
    Enumerate,
    /// `reversed(list)`
    ListReversed,
    /// `reversed(…)` of anything else
    Reversed,
    /// `iter(callable, sentinel)`
    Callable,
    /// A generator expression.
    Generator,
}

impl Value {
    /// Makes a `str` of the text's UTF-8 bytes.
    pub fn str(text: &str) -> Value {
        Value::Str(Arc::new(text.as_bytes().to_vec()))
    }

    /// Makes a `list`; for hosts, which answer for its size.
    pub fn list(items: Vec<Value>) -> Value {
        let height = height_of(&items);
        Value::List(Arc::new(Sequence { items, height }))
    }

    pub(crate) fn bytes(bytes: Vec<u8>) -> Value {
        Value::Str(Arc::new(bytes))
    }

    pub(crate) fn unicode(points: Vec<u32>) -> Value {
        Value::Unicode(Arc::new(points))
    }

    pub(crate) fn complex(re: f64, im: f64) -> Value {
        Value::Complex(Arc::new(Complex { re, im }))
    }

    pub(crate) fn long(value: BigInt) -> Value {
        Value::Long(Arc::new(value))
    }

    /// How many containers lie within each other here.
    pub(crate) fn height(&self) -> u16 {
        match self {
            Value::List(items) | Value::Tuple(items) => items.height,
            Value::Dict(dict) | Value::View(_, dict) => dict.height,
            Value::Set(set) | Value::FrozenSet(set) => set.height,
            Value::Slice(slice) => {
                1 + slice
                    .start
                    .height()
                    .max(slice.stop.height())
                    .max(slice.step.height())
            }
            Value::Exception(exception) => exception.args.height,
            Value::Function(function) => function.height,
            Value::Method(method) => method.height,
            Value::None
            | Value::NotImplemented
            | Value::Ellipsis
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Long(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Unicode(_)
            | Value::XRange(_)
            | Value::ByteArray(_)
            | Value::Buffer(_)
            | Value::MemoryView(_)
            | Value::Type(_)
            | Value::Plain(_)
            | Value::Builtin(_)
            | Value::Unbound(..)
            | Value::Iterator(..)
            | Value::Host(_)
            | Value::HostFunction(_) => 0,
        }
    }

    /// The type, as a value.
    pub fn type_of(&self) -> PythonType {
        match self {
            Value::None => PythonType::NoneType,
            Value::NotImplemented => PythonType::NotImplementedType,
            Value::Ellipsis => PythonType::Ellipsis,
            Value::Bool(_) => PythonType::Bool,
            Value::Int(_) => PythonType::Int,
            Value::Float(_) => PythonType::Float,
            Value::Long(_) => PythonType::Long,
            Value::Complex(_) => PythonType::Complex,
            Value::Str(_) => PythonType::Str,
            Value::Unicode(_) => PythonType::Unicode,
            Value::List(_) => PythonType::List,
            Value::Tuple(_) => PythonType::Tuple,
            Value::Dict(_) => PythonType::Dict,
            Value::Set(_) => PythonType::Set,
            Value::FrozenSet(_) => PythonType::FrozenSet,
            Value::Slice(_) => PythonType::Slice,
            Value::XRange(_) => PythonType::XRange,
            Value::ByteArray(_) => PythonType::ByteArray,
            Value::Buffer(_) => PythonType::Buffer,
            Value::MemoryView(_) => PythonType::MemoryView,
            Value::View(ViewKind::Keys, _) => PythonType::DictKeys,
            Value::View(ViewKind::Values, _) => PythonType::DictValues,
            Value::View(ViewKind::Items, _) => PythonType::DictItems,
            Value::Type(_) => PythonType::Type,
            Value::Exception(exception) => PythonType::Exception(exception.kind),
            Value::Plain(_) => PythonType::Object,
            Value::Function(_) => PythonType::Function,
            Value::Builtin(_) | Value::Method(_) | Value::HostFunction(_) => PythonType::BuiltinFunction,
            Value::Unbound(..) => PythonType::MethodDescriptor,
            Value::Iterator(kind, _) => match kind {
                IteratorKind::List => PythonType::ListIterator,
                IteratorKind::Tuple => PythonType::TupleIterator,
                IteratorKind::Indexed => PythonType::IndexedIterator,
                IteratorKind::Range => PythonType::RangeIterator,
                IteratorKind::DictKeys => PythonType::DictKeyIterator,
                IteratorKind::DictValues => PythonType::DictValueIterator,
                IteratorKind::DictItems => PythonType::DictItemIterator,
                IteratorKind::Set => PythonType::SetIterator,
                IteratorKind::ByteArray => PythonType::ByteArrayIterator,
                IteratorKind::Enumerate => PythonType::Enumerate,
                IteratorKind::ListReversed => PythonType::ListReverseIterator,
                IteratorKind::Reversed => PythonType::Reversed,
                IteratorKind::Callable => PythonType::CallableIterator,
                IteratorKind::Generator => PythonType::Generator,
            },
            Value::Host(_) => PythonType::Host,
        }
    }
}

/// The height of a container with these items.
pub(crate) fn height_of(items: &[Value]) -> u16 {
    items
        .iter()
        .map(Value::height)
        .max()
        .unwrap_or(0)
        .saturating_add(1)
}

// ---- code ----

/// A node's place in [`FunctionCode::nodes`].
pub(crate) type NodeId = u32;

/// A run in [`FunctionCode::lists`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The body of the expression or of a lambda.
#[derive(Debug, Default)]
pub(crate) struct FunctionCode {
    pub(crate) nodes: SmallVec<[CodeNode; 8]>,
    pub(crate) lists: SmallVec<[NodeId; 4]>,
    pub(crate) names: SmallVec<[AttributeName; 2]>,
    pub(crate) constants: Vec<Value>,
    pub(crate) root: NodeId,
    /// Levels of the tree; what a call takes from the depth limit.
    pub(crate) height: u32,
    /// Slots for variables.
    pub(crate) locals: u16,
    /// Variables that inner functions share.
    pub(crate) cells: u16,
    /// `<lambda>` and the like.
    pub(crate) name: &'static str,
    rare: Option<Box<Rare>>,
}

/// What few expressions have.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    pub(crate) chains: Vec<Chain>,
    pub(crate) calls: Vec<CallSpec>,
    pub(crate) comprehensions: Vec<ComprehensionCode>,
    pub(crate) functions: Vec<LambdaCode>,
    pub(crate) groups: Vec<GroupCode>,
    pub(crate) params: Params,
    /// Names of the local slots and of the cells, for messages.
    pub(crate) local_names: Vec<Arc<str>>,
    pub(crate) cell_names: Vec<Arc<str>>,
}

static NOTHING_RARE: Rare = Rare {
    chains: Vec::new(),
    calls: Vec::new(),
    comprehensions: Vec::new(),
    functions: Vec::new(),
    groups: Vec::new(),
    params: Params {
        plain: Vec::new(),
        names: Vec::new(),
        rest: None,
        named: None,
    },
    local_names: Vec::new(),
    cell_names: Vec::new(),
};

impl FunctionCode {
    /// Code without nodes yet.
    pub(crate) fn named(name: &'static str) -> FunctionCode {
        FunctionCode {
            name,
            ..FunctionCode::default()
        }
    }

    pub(crate) fn rare(&self) -> &Rare {
        self.rare.as_deref().unwrap_or(&NOTHING_RARE)
    }

    pub(crate) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}

/// Parameters of a function.
#[derive(Debug, Default)]
pub(crate) struct Params {
    pub(crate) plain: Vec<StorePlace>,
    /// The names callers may use; a tuple parameter has none.
    pub(crate) names: Vec<Option<Arc<str>>>,
    pub(crate) rest: Option<StorePlace>,
    pub(crate) named: Option<StorePlace>,
}

/// Where a value goes.
#[derive(Clone, Debug)]
pub(crate) enum StorePlace {
    Local(u16),
    Cell(u16),
    Global(u16),
    Tuple(Vec<StorePlace>),
}

/// An attribute's name, and its number if the dialect knows it.
#[derive(Debug)]
pub(crate) struct AttributeName {
    pub(crate) text: SmolStr,
    pub(crate) id: Option<AttributeId>,
}

/// `a < b <= c`.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) first: NodeId,
    pub(crate) rest: Vec<(CompareOp, NodeId)>,
}

/// A call with everything calls may have.
#[derive(Debug)]
pub(crate) struct CallSpec {
    pub(crate) function: NodeId,
    pub(crate) args: CodeList,
    pub(crate) keywords: Vec<(Arc<str>, NodeId)>,
    pub(crate) star: Option<NodeId>,
    pub(crate) star_star: Option<NodeId>,
}

/// A comprehension. Sets, dicts and generators run as functions of their own: [`ComprehensionCode::body`].
#[derive(Debug)]
pub(crate) struct ComprehensionCode {
    pub(crate) kind: ComprehensionKind,
    /// What the first loop runs over, in the surrounding function.
    pub(crate) source: NodeId,
    pub(crate) body: ComprehensionBody,
}

/// `all X in L`, `any X in L`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupCode {
    /// L.
    pub(crate) source: NodeId,
    /// X.
    pub(crate) element: NodeId,
    /// Steps of one round.
    pub(crate) cost: u64,
}

/// Where the loops of a comprehension live.
#[derive(Debug)]
pub(crate) enum ComprehensionBody {
    /// In the surrounding function: list comprehensions.
    Inline(Loops),
    /// In a function of their own.
    Function(Arc<LoopFunction>, Vec<Capture>),
}

/// The function of a set, dict or generator comprehension.
#[derive(Debug)]
pub(crate) struct LoopFunction {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) loops: Loops,
}

/// Loops and what is computed in the innermost.
#[derive(Debug)]
pub(crate) struct Loops {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) element: NodeId,
    pub(crate) value: Option<NodeId>,
}

/// One loop; the source of the first is in [`ComprehensionCode::source`].
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) target: StorePlace,
    pub(crate) source: Option<NodeId>,
    pub(crate) tests: Vec<NodeId>,
    /// Steps of one round: the parts that are evaluated for each element.
    pub(crate) cost: u64,
}

/// A lambda and what it takes along.
#[derive(Debug)]
pub(crate) struct LambdaCode {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) defaults: CodeList,
    pub(crate) captures: Vec<Capture>,
}

/// A cell that an inner function takes along.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Capture {
    /// One of this function's own.
    Own(u16),
    /// One that this function took along itself.
    Free(u16),
}

/// One operation; operands are nodes before it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CodeNode {
    None,
    Bool(bool),
    Int(i64),
    Constant(u32),
    Local(u16),
    /// A cell of this function.
    OwnCell(u16),
    /// A cell of a surrounding function.
    FreeCell(u16),
    /// A variable of the expression itself, or what the name means while it has no value.
    Global {
        slot: u16,
        otherwise: NodeId,
    },
    /// A name that means nothing: an index into `names`.
    Unknown(u32),
    /// A name that the sandbox refuses.
    Refused(u32),
    HostName(HostNameId),
    Builtin(Builtin),
    Attribute {
        object: NodeId,
        name: u32,
    },
    /// An attribute that the dialect knows.
    HostAttribute {
        object: NodeId,
        id: AttributeId,
        name: u32,
    },
    DotIndex {
        object: NodeId,
        index: u32,
    },
    Subscript {
        object: NodeId,
        index: NodeId,
    },
    /// `a[i:j]`: three nodes in `lists`, the third unused.
    Slice {
        object: NodeId,
        parts: u32,
    },
    /// A slice object: three nodes in `lists`.
    MakeSlice(u32),
    Tuple(CodeList),
    ListOf(CodeList),
    Set(CodeList),
    /// Keys and values in turn.
    Dict(CodeList),
    Repr(NodeId),
    Neg(NodeId),
    Pos(NodeId),
    Invert(NodeId),
    Not(NodeId),
    Binary {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    Compare {
        op: CompareOp,
        left: NodeId,
        right: NodeId,
    },
    /// A comparison with a small constant.
    CompareInt {
        op: CompareOp,
        left: NodeId,
        right: i32,
    },
    Chain(u32),
    And(CodeList),
    Or(CodeList),
    IfElse {
        test: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
    Lambda(u32),
    Comprehension(u32),
    /// `all X in L` or `any X in L`: an index into `groups`.
    Group {
        all: bool,
        group: u32,
    },
    /// The element of the innermost group form.
    Element,
    Call(u32),
    /// A built-in called with plain arguments only.
    CallBuiltin {
        builtin: Builtin,
        args: CodeList,
    },
    /// A host function called with plain arguments only.
    CallHost {
        function: FunctionId,
        args: CodeList,
    },
    /// A method called with plain arguments only; the attribute node is not evaluated by itself.
    CallMethod {
        object: NodeId,
        name: u32,
        args: u32,
        len: u16,
    },
}

const _: () = assert!(
    size_of::<CodeNode>() <= 16,
    "nodes are walked in every evaluation"
);
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<FunctionCode>();
};
