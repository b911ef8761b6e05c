//! The compiled form: nodes in one array, every name resolved to a slot or an id.

use std::sync::Arc;

use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::ast::{BinaryOp, CompareOp, ComprehensionKind};
use crate::builtin::Builtin;
use crate::host::{AttributeId, FunctionId, NameId};
use crate::quick::Line;
use crate::value::Value;

/// A compiled expression: immutable, cheap to share, evaluated as often as wanted.
#[derive(Clone, Debug)]
pub struct Code {
    /// The same as `main` for small values, if it can be told in one line; here, where it is found at once.
    pub(crate) line: Option<Line>,
    pub(crate) main: Arc<FunctionCode>,
}

/// A node's place in [`FunctionCode::nodes`].
pub(crate) type NodeId = u32;

/// A run in [`FunctionCode::lists`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The body of the expression or of a lambda.
#[derive(Debug, Default)]
pub(crate) struct FunctionCode {
    pub(crate) nodes: SmallVec<[Node; 8]>,
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
    pub(crate) plain: Vec<Store>,
    /// The names callers may use; a tuple parameter has none.
    pub(crate) names: Vec<Option<Arc<str>>>,
    pub(crate) rest: Option<Store>,
    pub(crate) named: Option<Store>,
}

/// Where a value goes.
#[derive(Clone, Debug)]
pub(crate) enum Store {
    Local(u16),
    Cell(u16),
    Global(u16),
    Tuple(Vec<Store>),
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
    pub(crate) args: List,
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
    pub(crate) body: Body,
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
pub(crate) enum Body {
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
    pub(crate) target: Store,
    pub(crate) source: Option<NodeId>,
    pub(crate) tests: Vec<NodeId>,
    /// Steps of one round: the parts that are evaluated for each element.
    pub(crate) cost: u64,
}

/// A lambda and what it takes along.
#[derive(Debug)]
pub(crate) struct LambdaCode {
    pub(crate) code: Arc<FunctionCode>,
    pub(crate) defaults: List,
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
pub(crate) enum Node {
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
    HostName(NameId),
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
    Tuple(List),
    ListOf(List),
    Set(List),
    /// Keys and values in turn.
    Dict(List),
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
    And(List),
    Or(List),
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
        args: List,
    },
    /// A host function called with plain arguments only.
    CallHost {
        function: FunctionId,
        args: List,
    },
    /// A method called with plain arguments only; the attribute node is not evaluated by itself.
    CallMethod {
        object: NodeId,
        name: u32,
        args: u32,
        len: u16,
    },
}

const _: () = assert!(size_of::<Node>() <= 16, "nodes are walked in every evaluation");
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Code>();
};
