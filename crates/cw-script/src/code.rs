//! What statements are compiled to: steps of a stack machine.

use std::sync::Arc;

use cw_expr::ast::{BinaryOp, CompareOp, UnaryOp};

use crate::value::ScriptValue;

/// One step. Numbers are places in the lists of [`Code`]; the stack grows to the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    /// … → … constant
    Constant(u32),
    Local(u32),
    StoreLocal(u32),
    DeleteLocal(u32),
    /// A variable that inner functions share: own ones first, then those of outer functions.
    Cell(u32),
    StoreCell(u32),
    /// The cell itself, for a function that is being made.
    TakeCell(u32),
    Global(u32),
    StoreGlobal(u32),
    DeleteGlobal(u32),
    /// A name of a class body or an evaluated text.
    Name(u32),
    StoreName(u32),
    DeleteName(u32),
    Pop,
    Duplicate,
    /// … a b → … a b a b
    DuplicateTwo,
    /// … a b → … b a
    Swap,
    /// … a b c → … c a b
    Under,
    Unary(UnaryOp),
    Binary(BinaryOp),
    InPlace(BinaryOp),
    Compare(CompareOp),
    Jump(u32),
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    /// Keeps the value where it jumps.
    JumpIfFalseOrPop(u32),
    JumpIfTrueOrPop(u32),
    Attribute(u32),
    StoreAttribute(u32),
    DeleteAttribute(u32),
    /// … object → … function object, or … value nothing
    Method(u32),
    /// As `Method` has left it, with so many arguments behind.
    CallMethod(u32),
    Subscript,
    /// … value object index → …
    StoreSubscript,
    DeleteSubscript,
    /// … object start stop → … part
    Slice,
    /// … value object start stop → …
    StoreSlice,
    DeleteSlice,
    /// … start stop step → … slice
    MakeSlice,
    Tuple(u32),
    List(u32),
    Set(u32),
    /// An empty dict with room for so many.
    Dict(u32),
    /// … dict value key → … dict
    DictEntry,
    /// … list … value → … list …; the list lies so deep.
    Append(u32),
    SetAdd(u32),
    /// … dict … value key → … dict …
    DictAdd(u32),
    Unpack(u32),
    Iterate,
    /// … iterator → … iterator item, or … and jumps.
    Next(u32),
    /// … function arguments → … result
    Call(u32),
    /// With names for the last arguments.
    CallNamed {
        args: u16,
        names: u16,
    },
    /// With `*` (1) and `**` (2) behind them.
    CallSpread {
        args: u8,
        spread: u8,
        names: u16,
    },
    /// … defaults cells → … function
    MakeFunction {
        code: u16,
        defaults: u8,
        cells: u8,
    },
    /// … base cells → … class
    MakeClass {
        code: u16,
        bases: u8,
        cells: u8,
    },
    Return,
    Yield,
    /// Where an exception leads from here on; it is pushed there.
    Try(u32),
    EndTry,
    /// … exception → …; it is what `raise` alone raises.
    Caught,
    /// … → … exception
    LoadCaught,
    /// … exception kind → … truth
    Matches,
    Reraise,
    /// With so many parts.
    Raise(u32),
    /// … words → raises `AssertionError`; 0 or 1.
    Assert(u32),
    Print,
    PrintEnd,
    /// … file value → … file
    PrintTo,
    PrintEndTo,
    Repr,
    Import(u32),
    /// … module → … module value
    ImportFrom(u32),
    ImportAll,
    /// … manager → … exit entered
    Enter,
    /// … exit → … after a body without exception.
    Leave,
    /// … exit exception → … truth
    LeaveFailed,
    /// The names of a class body, when it is done.
    EndClass,
}

const _: () = assert!(size_of::<Op>() == 8, "steps are read one after the other");

/// A name in the code.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) value: ScriptValue,
    pub(crate) text: Arc<str>,
    pub(crate) hash: i64,
    /// Its place among the names of native methods.
    pub(crate) native: Option<u16>,
    /// What it means where nothing else defines it.
    pub(crate) builtin: Option<ScriptValue>,
}

/// The code of a function, a class body, a file or an evaluated text. It never changes, so all tables of a
/// package share it.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) name: Arc<str>,
    pub(crate) file: Arc<str>,
    pub(crate) ops: Vec<Op>,
    /// The line of each step.
    pub(crate) lines: Vec<u32>,
    pub(crate) constants: Vec<ScriptValue>,
    pub(crate) names: Vec<Name>,
    /// Functions and classes within.
    pub(crate) codes: Vec<Arc<Code>>,
    /// Names of arguments that calls give by name.
    pub(crate) keywords: Vec<Vec<Name>>,
    /// Names of the slots; parameters come first.
    pub(crate) locals: Vec<Arc<str>>,
    /// Parameters by position.
    pub(crate) params: usize,
    pub(crate) rest: Option<usize>,
    pub(crate) named: Option<usize>,
    /// Names of the cells; own ones come first.
    pub(crate) cells: Vec<Arc<str>>,
    pub(crate) own_cells: usize,
    /// Parameters that inner functions share: the slot and the cell.
    pub(crate) cell_params: Vec<(usize, usize)>,
    pub(crate) is_generator: bool,
    pub(crate) first_line: u32,
    pub(crate) documentation: Option<ScriptValue>,
}

impl Code {
    /// The line of the step before `at`.
    pub(crate) fn line_before(&self, at: usize) -> u32 {
        let step = at.saturating_sub(1);
        self.lines.get(step).copied().unwrap_or(self.first_line)
    }
}

/// Methods of built-in types, sorted. Those of numbers and texts are the calculator's.
pub(crate) static NATIVE: &[&str] = &[
    "__call__",
    "__cmp__",
    "__contains__",
    "__delitem__",
    "__eq__",
    "__format__",
    "__getitem__",
    "__hash__",
    "__init__",
    "__iter__",
    "__len__",
    "__ne__",
    "__new__",
    "__repr__",
    "__setitem__",
    "__str__",
    "add",
    "append",
    "appendleft",
    "as_integer_ratio",
    "bit_length",
    "capitalize",
    "center",
    "clear",
    "close",
    "conjugate",
    "copy",
    "count",
    "decode",
    "deleter",
    "denominator",
    "difference",
    "difference_update",
    "discard",
    "encode",
    "end",
    "endswith",
    "expand",
    "expandtabs",
    "extend",
    "extendleft",
    "find",
    "findall",
    "finditer",
    "format",
    "fromhex",
    "fromkeys",
    "get",
    "getter",
    "group",
    "groupdict",
    "groups",
    "has_key",
    "hex",
    "index",
    "insert",
    "intersection",
    "intersection_update",
    "is_integer",
    "isalnum",
    "isalpha",
    "isdecimal",
    "isdigit",
    "isdisjoint",
    "islower",
    "isnumeric",
    "isspace",
    "issubset",
    "issuperset",
    "istitle",
    "isupper",
    "items",
    "iteritems",
    "iterkeys",
    "itervalues",
    "join",
    "keys",
    "ljust",
    "lower",
    "lstrip",
    "match",
    "next",
    "partition",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "replace",
    "reverse",
    "rfind",
    "rindex",
    "rjust",
    "rotate",
    "rpartition",
    "rsplit",
    "rstrip",
    "search",
    "setdefault",
    "setter",
    "sort",
    "span",
    "split",
    "splitlines",
    "start",
    "startswith",
    "strip",
    "sub",
    "subn",
    "swapcase",
    "symmetric_difference",
    "symmetric_difference_update",
    "throw",
    "title",
    "translate",
    "union",
    "update",
    "upper",
    "values",
    "viewitems",
    "viewkeys",
    "viewvalues",
    "zfill",
];

/// The place of a name among the native methods.
pub(crate) fn native_named(name: &str) -> Option<u16> {
    let at = NATIVE.binary_search(&name).ok()?;
    u16::try_from(at).ok()
}

/// The native method's name.
pub(crate) fn native_name(at: u16) -> &'static str {
    NATIVE.get(usize::from(at)).copied().unwrap_or_default()
}
