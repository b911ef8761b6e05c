//! Runs compiled expressions.
//!
//! The fast path allocates nothing: operands travel as two-word results, variables live in one stack
//! that is empty while no lambda or loop runs, and small lists of arguments sit in fixed arrays.

pub(crate) mod access;
pub(crate) mod builtin;
pub(crate) mod codec;
pub(crate) mod compare;
pub(crate) mod construct;
pub(crate) mod cursor;
pub(crate) mod float_text;
pub(crate) mod format;
pub(crate) mod iterate;
pub(crate) mod machine;
pub(crate) mod method;
pub(crate) mod number;
pub(crate) mod power;
pub(crate) mod repr;
pub(crate) mod text;
pub(crate) mod text_method;

use std::sync::Arc;

use crate::base::error::{Error, ExceptionKind};
use crate::base::id::{AttributeId, HostObject};
use crate::base::limits::ExprLimits;
use crate::tree::ast::{BinaryOp, CompareOp, ComprehensionKind};
use crate::value::MAIN;
use crate::value::ValueTable;
use crate::value::builtin::Builtin;
use crate::value::host::ExprHost;
use crate::value::quick::CompiledExpr;
use crate::value::word::{SmallValue, Tag, compare_small};
use crate::value::{
    CallSpec, Capture, Clause, CodeList, CodeNode, ComprehensionBody, ComprehensionCode, FunctionCode,
    GroupCode, LambdaCode, LoopFunction, Loops, NodeId, StorePlace,
};
use crate::value::{FunctionValue, IteratorKind, Value, height_of};
use crate::vm::cursor::{Generator, IterationCursor};
use crate::vm::machine::{Args, EvalOutcome, Vm};

/// Evaluates a compiled expression.
///
/// ```
/// use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, Value, compile, eval};
///
/// let code = compile("6 * 7", &Syntax::default(), &PlainPython, &ExprLimits::CARD)?;
/// assert!(matches!(eval(&code, &mut NoHost, &ExprLimits::CARD), Ok(Value::Int(42))));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
///
/// # Errors
/// Python's exception, a refusal of the sandbox, a reached limit, or what the host returned.
#[inline]
pub fn eval<H: ExprHost>(code: &CompiledExpr, host: &mut H, limits: &ExprLimits) -> Result<Value, Error> {
    // The line gives up at everything that it does not know, errors included. Evaluating again from the
    // start is safe: the line calls no host function, and a host gives the same answer to the same
    // question.
    match code.line.as_ref().and_then(|line| line.run(host, limits)) {
        Some(word) => Ok(word.small_value()),
        None => eval_fully(code, host, limits),
    }
}

/// Evaluates for its truth only.
///
/// ```
/// use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, compile, eval_truth};
///
/// let code = compile("[] or 0", &Syntax::default(), &PlainPython, &ExprLimits::CARD)?;
/// assert_eq!(eval_truth(&code, &mut NoHost, &ExprLimits::CARD), Ok(false));
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
///
/// # Errors
/// As [`eval`].
#[inline]
pub fn eval_truth<H: ExprHost>(
    code: &CompiledExpr,
    host: &mut H,
    limits: &ExprLimits,
) -> Result<bool, Error> {
    let word = code.line.as_ref().and_then(|line| line.run(host, limits));
    match word.and_then(|word| word.truth(host)) {
        Some(truth) => Ok(truth),
        None => truth_fully(code, host, limits),
    }
}

/// Evaluates and gives Python's `repr` of the value.
///
/// # Errors
/// As [`eval`]; the text counts against the limits too.
pub fn eval_repr<H: ExprHost>(
    code: &CompiledExpr,
    host: &mut H,
    limits: &ExprLimits,
) -> Result<String, Error> {
    let word = code.line.as_ref().and_then(|line| line.run(host, limits));
    repr_fully(code, word, host, limits)
}

#[inline(never)]
fn eval_fully(code: &CompiledExpr, host: &mut dyn ExprHost, limits: &ExprLimits) -> Result<Value, Error> {
    // From here on the host is `dyn`. Only the line is compiled for each host type; the machine is
    // compiled once.
    Vm::new(host, limits).run(code)
}

fn repr_fully(
    code: &CompiledExpr,
    found: Option<SmallValue>,
    host: &mut dyn ExprHost,
    limits: &ExprLimits,
) -> Result<String, Error> {
    let mut vm = Vm::new(host, limits);
    let value = match found {
        Some(word) => word.small_value(),
        None => vm.run(code)?,
    };
    vm.repr(&value)
}

#[inline(never)]
fn truth_fully(code: &CompiledExpr, host: &mut dyn ExprHost, limits: &ExprLimits) -> Result<bool, Error> {
    let mut vm = Vm::new(host, limits);
    let value = vm.run(code)?;
    vm.truth(&value)
}

/// The function that is running: where its variables lie.
#[derive(Clone, Copy)]
pub(crate) struct CallFrame<'c> {
    code: &'c FunctionCode,
    /// Those of the code.
    nodes: &'c [CodeNode],
    base: usize,
    cells: usize,
    free: &'c [u32],
}

impl Vm<'_> {
    fn run(&mut self, code: &CompiledExpr) -> EvalOutcome {
        let main = &code.main;
        // Outside loops each node is evaluated at most once, so the whole tree is paid for here
        // (R1046). Loops and groups pay again for each round, lambdas for each call.
        self.charge(main.nodes.len() as u64)?;
        // The expression corresponds to a Python module: its variables start at 0 for the whole
        // evaluation, and inner functions read them as globals. That is why it has no cells.
        if main.locals > 0 {
            self.locals.resize(usize::from(main.locals), None);
        }
        let frame = CallFrame {
            code: main,
            nodes: &main.nodes,
            base: 0,
            cells: 0,
            free: &[],
        };
        self.eval(&frame, main.root)
    }

    // ---- evaluation ----

    /// The value of a node.
    fn eval(&mut self, frame: &CallFrame<'_>, id: NodeId) -> EvalOutcome {
        let word = self.word(frame, id);
        self.value(word)
    }

    /// The value of a node, in registers where it is small.
    #[inline(never)]
    fn word(&mut self, frame: &CallFrame<'_>, id: NodeId) -> SmallValue {
        // How to read this: an arm evaluates its operands to words and computes with small ones
        // directly. Everything else goes to a function that is not inlined. `word` calls itself once
        // for each level of the tree, so its native frame has to stay small.
        //
        // There is only one place for a parked value, and the next evaluation may overwrite it. An arm
        // therefore takes a parked operand out before it evaluates another node, or returns it as its
        // own result.
        match frame.nodes[id as usize] {
            CodeNode::None => SmallValue::NONE,
            CodeNode::Bool(value) => SmallValue::bool(value),
            CodeNode::Int(value) => SmallValue::int(value),
            CodeNode::HostName(name) => {
                let value = self.host.name(name);
                self.park(value)
            }
            CodeNode::HostAttribute { object, id, name } => {
                let object = self.word(frame, object);
                if object.tag == Tag::Object {
                    let value = self.host.attribute(HostObject(object.bits), id);
                    // Looked at in place: moving a result through memory costs more than the look.
                    if let Ok(Some(value)) = &value
                        && let Some(word) = SmallValue::of(value)
                    {
                        return word;
                    }
                    match value {
                        Ok(Some(value)) => return self.park_large(Ok(value)),
                        // The object does not have this attribute. Next come the attributes that the
                        // dialect gives to any value, then Python's own.
                        Ok(None) => {}
                        Err(error) => return self.park_large(Err(error)),
                    }
                }
                self.attribute_of_word(object, id, &frame.code.names[name as usize].text)
            }
            CodeNode::DotIndex { object, index } => {
                let object = self.word(frame, object);
                self.dot_index_of_word(object, index)
            }
            CodeNode::CompareInt { op, left, right } => {
                let left = self.word(frame, left);
                let right = i64::from(right);
                if left.tag == Tag::Int
                    && let Some(result) = compare_small(op, left.bits as i64, right)
                {
                    return SmallValue::bool(result);
                }
                self.compare_words(op, left, SmallValue::int(right))
            }
            CodeNode::Compare { op, left, right } => {
                let left = self.word(frame, left);
                // Only `Parked` is above `Object`: a text, a list, an error …
                if left.tag > Tag::Object {
                    return self.compare_parked(frame, op, left, right);
                }
                let right = self.word(frame, right);
                if left.tag == Tag::Int
                    && right.tag == Tag::Int
                    && let Some(result) = compare_small(op, left.bits as i64, right.bits as i64)
                {
                    return SmallValue::bool(result);
                }
                self.compare_words(op, left, right)
            }
            CodeNode::Binary { op, left, right } => {
                let left = self.word(frame, left);
                if left.tag > Tag::Object {
                    return self.binary_parked(frame, op, left, right);
                }
                let right = self.word(frame, right);
                if left.tag == Tag::Int && right.tag == Tag::Int {
                    let (left, right) = (left.bits as i64, right.bits as i64);
                    // Nothing for an overflow, whose result is a long, and for the operators that need
                    // more checks (a division by 0, for example). `binary` handles those.
                    let small = match op {
                        BinaryOp::Add => left.checked_add(right),
                        BinaryOp::Sub => left.checked_sub(right),
                        BinaryOp::Mul => left.checked_mul(right),
                        _ => None,
                    };
                    if let Some(small) = small {
                        return SmallValue::int(small);
                    }
                }
                self.binary_words(op, left, right)
            }
            CodeNode::Not(operand) => {
                let operand = self.word(frame, operand);
                match self.truth_of_word(operand) {
                    Some(truth) => SmallValue::bool(!truth),
                    // The error is parked already.
                    None => SmallValue::PARKED,
                }
            }
            CodeNode::And(list) => self.and_or(frame, list, false),
            CodeNode::Or(list) => self.and_or(frame, list, true),
            CodeNode::IfElse {
                test,
                then,
                otherwise,
            } => {
                let test = self.word(frame, test);
                match self.truth_of_word(test) {
                    Some(true) => self.word(frame, then),
                    Some(false) => self.word(frame, otherwise),
                    None => SmallValue::PARKED,
                }
            }
            // A large element does not stay in `parked`, which the nodes of the group use themselves.
            // It is cloned because they may read it more than once.
            CodeNode::Element if self.element.tag == Tag::Parked => {
                let value = self.large_element.clone();
                self.park_large(Ok(value))
            }
            CodeNode::Element => self.element,
            CodeNode::Group { all, group } => {
                self.group(frame, all, frame.code.rare().groups[group as usize])
            }
            CodeNode::CallBuiltin { builtin, args } => self.call_builtin_node(frame, builtin, args),
            // Named one by one, here and in `eval_rare`: a new node has to be thought about in both.
            CodeNode::Constant(_)
            | CodeNode::CallHost { .. }
            | CodeNode::Local(_)
            | CodeNode::Global { .. }
            | CodeNode::OwnCell(_)
            | CodeNode::FreeCell(_)
            | CodeNode::Unknown(_)
            | CodeNode::Refused(_)
            | CodeNode::Builtin(_)
            | CodeNode::Attribute { .. }
            | CodeNode::Subscript { .. }
            | CodeNode::Slice { .. }
            | CodeNode::MakeSlice(_)
            | CodeNode::Tuple(_)
            | CodeNode::ListOf(_)
            | CodeNode::Set(_)
            | CodeNode::Dict(_)
            | CodeNode::Repr(_)
            | CodeNode::Neg(_)
            | CodeNode::Pos(_)
            | CodeNode::Invert(_)
            | CodeNode::Chain(_)
            | CodeNode::Lambda(_)
            | CodeNode::Comprehension(_)
            | CodeNode::Call(_)
            | CodeNode::CallMethod { .. } => self.word_of_rare(frame, id),
        }
    }

    /// Takes a value out of its word.
    #[inline]
    fn value(&mut self, word: SmallValue) -> EvalOutcome {
        match word.tag {
            Tag::None => Ok(Value::None),
            Tag::Bool => Ok(Value::Bool(word.bits != 0)),
            Tag::Int => Ok(Value::Int(word.bits as i64)),
            Tag::Object => Ok(Value::Host(HostObject(word.bits))),
            // A parked value is taken out once; nil stays behind.
            Tag::Parked => std::mem::replace(&mut self.parked, Ok(Value::None)),
        }
    }

    /// Puts a value into a word; what does not fit is parked, and must be taken out next.
    #[inline(always)]
    fn park(&mut self, value: EvalOutcome) -> SmallValue {
        if let Ok(small) = &value
            && let Some(word) = SmallValue::of(small)
        {
            return word;
        }
        self.park_large(value)
    }

    #[inline(never)]
    fn park_large(&mut self, value: EvalOutcome) -> SmallValue {
        self.parked = value;
        SmallValue::PARKED
    }

    #[inline(never)]
    fn word_of_rare(&mut self, frame: &CallFrame<'_>, id: NodeId) -> SmallValue {
        let value = self.eval_rare(frame, id);
        self.park(value)
    }

    /// The truth of a word; `None` if evaluation failed, with the error parked.
    #[inline]
    fn truth_of_word(&mut self, word: SmallValue) -> Option<bool> {
        match word.tag {
            Tag::None => Some(false),
            Tag::Bool | Tag::Int => Some(word.bits != 0),
            Tag::Object | Tag::Parked => self.truth_of_parked(word),
        }
    }

    #[inline(never)]
    fn truth_of_parked(&mut self, word: SmallValue) -> Option<bool> {
        let truth = self.value(word).and_then(|value| self.truth(&value));
        match truth {
            Ok(truth) => Some(truth),
            Err(error) => {
                self.parked = Err(error);
                None
            }
        }
    }

    #[inline(never)]
    fn attribute_of_word(&mut self, object: SmallValue, id: AttributeId, name: &str) -> SmallValue {
        let value = self
            .value(object)
            .and_then(|object| self.dialect_attribute(&object, id, name));
        self.park(value)
    }

    #[inline(never)]
    fn dot_index_of_word(&mut self, object: SmallValue, index: u32) -> SmallValue {
        let value = self
            .value(object)
            .and_then(|object| self.dot_index(&object, index));
        self.park(value)
    }

    #[inline(never)]
    fn compare_words(&mut self, op: CompareOp, left: SmallValue, right: SmallValue) -> SmallValue {
        // At most one of the two is parked.
        let value = match (self.value(left), self.value(right)) {
            (Ok(left), Ok(right)) => self.compare(op, &left, &right),
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        self.park(value)
    }

    #[inline(never)]
    fn compare_parked(
        &mut self,
        frame: &CallFrame<'_>,
        op: CompareOp,
        left: SmallValue,
        right: NodeId,
    ) -> SmallValue {
        // If the left side failed, the right side is not evaluated.
        let value = self.value(left).and_then(|left| {
            let right = self.eval(frame, right)?;
            self.compare(op, &left, &right)
        });
        self.park(value)
    }

    #[inline(never)]
    fn binary_words(&mut self, op: BinaryOp, left: SmallValue, right: SmallValue) -> SmallValue {
        let value = match (self.value(left), self.value(right)) {
            (Ok(left), Ok(right)) => self.binary(op, &left, &right),
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        self.park(value)
    }

    #[inline(never)]
    fn binary_parked(
        &mut self,
        frame: &CallFrame<'_>,
        op: BinaryOp,
        left: SmallValue,
        right: NodeId,
    ) -> SmallValue {
        let value = self.value(left).and_then(|left| {
            let right = self.eval(frame, right)?;
            self.binary(op, &left, &right)
        });
        self.park(value)
    }

    #[inline(never)]
    fn call_builtin_node(&mut self, frame: &CallFrame<'_>, builtin: Builtin, args: CodeList) -> SmallValue {
        // `abs` of a small int, by far the most frequent call on cards.
        if builtin == Builtin::Abs && args.len == 1 {
            let word = self.word(frame, frame.code.lists[args.start as usize]);
            if word.tag == Tag::Int
                && let Some(size) = (word.bits as i64).checked_abs()
            {
                return SmallValue::int(size);
            }
            // Not a small int, or an error, or the smallest int, whose `abs` is a long.
            let value = self
                .value(word)
                .and_then(|value| self.call_builtin(builtin, Args::plain(&[value])));
            return self.park(value);
        }
        let value = self.with_args(frame, args, |vm, args| {
            vm.call_builtin(builtin, Args::plain(args))
        });
        self.park(value)
    }

    /// The nodes that typical card expressions lack, out of the way of the others.
    #[inline(never)]
    fn eval_rare(&mut self, frame: &CallFrame<'_>, id: NodeId) -> EvalOutcome {
        match frame.nodes[id as usize] {
            CodeNode::Constant(at) => Ok(frame.code.constants[at as usize].clone()),
            CodeNode::CallHost { function, args } => {
                self.with_args(frame, args, |vm, args| vm.host.call(function, args))
            }
            CodeNode::Local(slot) => self.local(frame, slot),
            // A variable without a value means the same as outside the expression, as in Python 2: in
            // `([max for max in []], max(1, 2))` the loop binds nothing, so `max` is still the
            // built-in.
            CodeNode::Global { slot, otherwise } => match self.locals.get(usize::from(slot)) {
                Some(Some(value)) => Ok(value.clone()),
                Some(None) | None => self.eval(frame, otherwise),
            },
            CodeNode::OwnCell(cell) => {
                self.cell(frame, frame.cells + usize::from(cell), usize::from(cell), false)
            }
            // `free` holds the places in `self.cells` of cells that belong to surrounding functions.
            // Their names follow those of the own cells, hence the sum. A place without a cell reads as
            // an unbound variable.
            CodeNode::FreeCell(cell) => {
                let index = frame
                    .free
                    .get(usize::from(cell))
                    .map_or(usize::MAX, |index| *index as usize);
                self.cell(
                    frame,
                    index,
                    usize::from(frame.code.cells) + usize::from(cell),
                    true,
                )
            }
            CodeNode::Unknown(name) => {
                let name = &frame.code.names[name as usize].text;
                // CPython 2 says `global name` inside a function and `name` at module level.
                let global = if frame.code.name == MAIN { "" } else { "global " };
                Err(Error::raise(
                    ExceptionKind::NameError,
                    format!("{global}name '{name}' is not defined"),
                ))
            }
            CodeNode::Refused(name) => Err(Error::not_available(&*frame.code.names[name as usize].text)),
            CodeNode::Builtin(builtin) => Ok(Value::Builtin(builtin)),
            CodeNode::Attribute { object, name } => {
                let object = self.eval(frame, object)?;
                self.attribute(&object, &frame.code.names[name as usize].text)
            }
            CodeNode::Subscript { object, index } => {
                let object = self.eval(frame, object)?;
                let index = self.eval(frame, index)?;
                self.subscript(&object, &index)
            }
            // Python 2 has a separate operation for `a[i:j]`, which makes no slice object. An omitted
            // bound is nil here.
            CodeNode::Slice { object, parts } => {
                let object = self.eval(frame, object)?;
                let [start, stop] = [0, 1].map(|part| frame.code.lists[(parts + part) as usize]);
                let start = self.eval(frame, start)?;
                let stop = self.eval(frame, stop)?;
                self.simple_slice(&object, start, stop)
            }
            CodeNode::MakeSlice(parts) => {
                let [start, stop, step] = [0, 1, 2].map(|part| frame.code.lists[(parts + part) as usize]);
                let start = self.eval(frame, start)?;
                let stop = self.eval(frame, stop)?;
                let step = self.eval(frame, step)?;
                self.make_slice(start, stop, step)
            }
            CodeNode::Tuple(list) => {
                let items = self.eval_list(frame, list)?;
                self.make_tuple(items)
            }
            CodeNode::ListOf(list) => {
                let items = self.eval_list(frame, list)?;
                self.make_list(items)
            }
            CodeNode::Set(list) => self.set_display(frame, list),
            CodeNode::Dict(list) => self.dict_display(frame, list),
            CodeNode::Repr(operand) => {
                let operand = self.eval(frame, operand)?;
                let text = self.repr(&operand)?;
                self.make_str(text.into_bytes())
            }
            CodeNode::Neg(operand) => {
                let operand = self.eval(frame, operand)?;
                self.negate(&operand)
            }
            CodeNode::Pos(operand) => {
                let operand = self.eval(frame, operand)?;
                self.plus(&operand)
            }
            CodeNode::Invert(operand) => {
                let operand = self.eval(frame, operand)?;
                self.invert(&operand)
            }
            CodeNode::Chain(at) => self.chain(frame, at),
            CodeNode::Lambda(at) => self.lambda(frame, &frame.code.rare().functions[at as usize]),
            CodeNode::Comprehension(at) => {
                self.comprehension(frame, &frame.code.rare().comprehensions[at as usize])
            }
            CodeNode::Call(at) => self.call_spec(frame, &frame.code.rare().calls[at as usize]),
            CodeNode::CallMethod {
                object,
                name,
                args,
                len,
            } => {
                let object = self.eval(frame, object)?;
                let name = &frame.code.names[name as usize];
                let args = CodeList {
                    start: args,
                    len: u32::from(len),
                };
                // The method is looked up before the arguments are evaluated, so a missing method is
                // the first error. A built-in method is called directly, without a bound method object.
                // An attribute of a host object that the dialect knows comes before Python's method of
                // the same name.
                let by_dialect = name.id.is_some() && self.is_host(&object);
                if !by_dialect && let Some(method) = crate::vm::method::find(object.type_of(), &name.text) {
                    return self.with_args(frame, args, |vm, args| {
                        vm.call_method(&object, method, Args::plain(args))
                    });
                }
                let function = match name.id {
                    Some(id) => self.any_attribute(&object, id, &name.text)?,
                    None => self.attribute(&object, &name.text)?,
                };
                self.with_args(frame, args, |vm, args| vm.call(&function, Args::plain(args)))
            }
            // `word` has an arm of its own for each of these.
            CodeNode::None
            | CodeNode::Bool(_)
            | CodeNode::Int(_)
            | CodeNode::HostName(_)
            | CodeNode::HostAttribute { .. }
            | CodeNode::DotIndex { .. }
            | CodeNode::CompareInt { .. }
            | CodeNode::Compare { .. }
            | CodeNode::Binary { .. }
            | CodeNode::Not(_)
            | CodeNode::And(_)
            | CodeNode::Or(_)
            | CodeNode::IfElse { .. }
            | CodeNode::Element
            | CodeNode::Group { .. }
            | CodeNode::CallBuiltin { .. } => self.eval(frame, id),
        }
    }

    fn is_host(&self, value: &Value) -> bool {
        matches!(value, Value::Host(_))
    }

    fn local(&self, frame: &CallFrame<'_>, slot: u16) -> EvalOutcome {
        match self.locals.get(frame.base + usize::from(slot)) {
            Some(Some(value)) => Ok(value.clone()),
            // The slot exists from the start of the call, but may have no value yet:
            // `(lambda: ([x for x in []], x))()` reads `x` before it is bound.
            Some(None) | None => {
                let name = frame
                    .code
                    .rare()
                    .local_names
                    .get(usize::from(slot))
                    .map_or("", |name| name);
                let message = format!("local variable '{name}' referenced before assignment");
                Err(Error::raise(ExceptionKind::UnboundLocalError, message))
            }
        }
    }

    fn cell(&self, frame: &CallFrame<'_>, index: usize, name: usize, free: bool) -> EvalOutcome {
        if let Some(Some(value)) = self.cells.get(index) {
            return Ok(value.clone());
        }
        let name = frame.code.rare().cell_names.get(name).map_or("", |name| name);
        Err(if free {
            let message = format!("free variable '{name}' referenced before assignment in enclosing scope");
            Error::raise(ExceptionKind::NameError, message)
        } else {
            let message = format!("local variable '{name}' referenced before assignment");
            Error::raise(ExceptionKind::UnboundLocalError, message)
        })
    }

    #[inline(never)]
    fn and_or(&mut self, frame: &CallFrame<'_>, list: CodeList, stop_at: bool) -> SmallValue {
        let nodes = &frame.code.lists[list.start as usize..(list.start + list.len) as usize];
        let Some((last, before)) = nodes.split_last() else {
            return SmallValue::NONE;
        };
        // `and` and `or` return one of their operands, not a bool: `nil or 3` is 3. So the deciding
        // word is returned unchanged, and the last operand is not tested at all.
        for node in before {
            let word = self.word(frame, *node);
            // The bits of nil are 0, so this one test covers nil, bools and ints.
            if word.tag <= Tag::Int {
                if (word.bits != 0) == stop_at {
                    return word;
                }
                continue;
            }
            // The value may be the answer, so it is looked at and kept.
            let value = match self.value(word) {
                Ok(value) => value,
                Err(error) => return self.park(Err(error)),
            };
            match self.truth(&value) {
                Ok(truth) if truth == stop_at => return self.park(Ok(value)),
                Ok(_) => {}
                Err(error) => return self.park(Err(error)),
            }
        }
        self.word(frame, *last)
    }

    fn chain(&mut self, frame: &CallFrame<'_>, at: u32) -> EvalOutcome {
        let chain = &frame.code.rare().chains[at as usize];
        let mut left = self.eval(frame, chain.first)?;
        let mut result = Value::Bool(true);
        // `a < f() < c` calls `f` once: the right value of one comparison is the left value of the
        // next. The first false result ends the chain and is its value.
        for (op, right) in &chain.rest {
            let right = self.eval(frame, *right)?;
            result = self.compare(*op, &left, &right)?;
            if !self.truth(&result)? {
                break;
            }
            left = right;
        }
        Ok(result)
    }

    fn eval_list(&mut self, frame: &CallFrame<'_>, list: CodeList) -> EvalOutcome<Vec<Value>> {
        let nodes = &frame.code.lists[list.start as usize..(list.start + list.len) as usize];
        nodes.iter().map(|node| self.eval(frame, *node)).collect()
    }

    /// Evaluates arguments, up to four without touching the heap.
    fn with_args<T>(
        &mut self,
        frame: &CallFrame<'_>,
        list: CodeList,
        call: impl FnOnce(&mut Self, &[Value]) -> EvalOutcome<T>,
    ) -> EvalOutcome<T> {
        let nodes = &frame.code.lists[list.start as usize..(list.start + list.len) as usize];
        let mut few = [const { Value::None }; 4];
        let Some(slots) = few.get_mut(..nodes.len()) else {
            let args = self.eval_list(frame, list)?;
            return call(self, &args);
        };
        for (slot, node) in slots.iter_mut().zip(nodes) {
            *slot = self.eval(frame, *node)?;
        }
        call(self, slots)
    }

    fn set_display(&mut self, frame: &CallFrame<'_>, list: CodeList) -> EvalOutcome {
        let items = self.eval_list(frame, list)?;
        let mut table = ValueTable::default();
        for item in items {
            self.set_add(&mut table, item)?;
        }
        self.make_set(table, false)
    }

    fn dict_display(&mut self, frame: &CallFrame<'_>, list: CodeList) -> EvalOutcome {
        let nodes = &frame.code.lists[list.start as usize..(list.start + list.len) as usize];
        let mut table = ValueTable::presized(nodes.len() / 2);
        for pair in nodes.chunks_exact(2) {
            // Python 2 evaluates the value first.
            let value = self.eval(frame, pair[1])?;
            let key = self.eval(frame, pair[0])?;
            self.dict_insert(&mut table, key, value)?;
        }
        self.make_dict(table)
    }

    fn captured(&self, frame: &CallFrame<'_>, captures: &[Capture]) -> Vec<u32> {
        captures
            .iter()
            .map(|capture| match capture {
                // The compiler makes no captures without a cell. If one did occur, reading it would
                // report an unbound variable instead of panicking.
                Capture::Own(cell) => u32::try_from(frame.cells + usize::from(*cell)).unwrap_or(u32::MAX),
                Capture::Free(cell) => frame.free.get(usize::from(*cell)).copied().unwrap_or(u32::MAX),
            })
            .collect()
    }

    fn lambda(&mut self, frame: &CallFrame<'_>, lambda: &LambdaCode) -> EvalOutcome {
        let defaults = self.eval_list(frame, lambda.defaults)?;
        let height = height_of(&defaults);
        self.check_height(height)?;
        self.allocate(size_of::<FunctionValue>() + defaults.len() * size_of::<Value>())?;
        // Cells are shared, not copied, so the function sees values that are stored later:
        // `(lambda: [f() for f in [lambda: i for i in (1, 2)]])()` is `[2, 2]`.
        let free = self.captured(frame, &lambda.captures);
        Ok(Value::Function(Arc::new(FunctionValue {
            code: lambda.code.clone(),
            defaults,
            free,
            height,
        })))
    }

    // ---- storing ----

    fn store(&mut self, frame: &CallFrame<'_>, store: &StorePlace, value: Value) -> EvalOutcome<()> {
        let (slots, index) = match store {
            StorePlace::Local(slot) => (&mut self.locals, frame.base + usize::from(*slot)),
            StorePlace::Cell(cell) => (&mut self.cells, frame.cells + usize::from(*cell)),
            StorePlace::Global(slot) => (&mut self.locals, usize::from(*slot)),
            StorePlace::Tuple(stores) => {
                let items = self.unpack(&value, stores.len())?;
                for (store, item) in stores.iter().zip(items) {
                    self.store(frame, store, item)?;
                }
                return Ok(());
            }
        };
        if let Some(slot) = slots.get_mut(index) {
            *slot = Some(value);
        }
        Ok(())
    }

    /// Exactly `wanted` items of an iterable.
    pub(crate) fn unpack(&mut self, value: &Value, wanted: usize) -> EvalOutcome<Vec<Value>> {
        let mut cursor = match self.cursor(value) {
            Ok(cursor) => cursor,
            Err(error) if error.is_a(ExceptionKind::TypeError) => {
                // The interpreter's own words for a loop or parameter that cannot be unpacked.
                let name = self.type_name(value);
                return Err(Error::type_error(format!("'{name}' object is not iterable")));
            }
            Err(error) => return Err(error),
        };
        // One element more than wanted is enough to report that there are too many. The rest is not
        // read: the iterable may be endless.
        let mut items = Vec::with_capacity(wanted);
        while items.len() < wanted {
            match self.next(&mut cursor)? {
                Some(item) => items.push(item),
                None => {
                    let plural = if items.len() == 1 { "" } else { "s" };
                    let message = format!("need more than {} value{plural} to unpack", items.len());
                    return Err(Error::value_error(message));
                }
            }
        }
        if self.next(&mut cursor)?.is_some() {
            return Err(Error::value_error("too many values to unpack"));
        }
        Ok(items)
    }

    // ---- loops ----

    fn comprehension(&mut self, frame: &CallFrame<'_>, comprehension: &ComprehensionCode) -> EvalOutcome {
        let source = self.eval(frame, comprehension.source)?;
        match &comprehension.body {
            // A list comprehension runs in the surrounding function and leaves its variables there, as
            // in Python 2: `([x for x in (1, 2)], x)` is `([1, 2], 2)`.
            ComprehensionBody::Inline(loops) => {
                let cursor = self.cursor(&source)?;
                let mut items = Vec::new();
                self.run_loops(frame, loops, 0, cursor, &mut |vm, element, _| {
                    // The limits are checked for each element, not at the end: the loop may be endless,
                    // and it has to stop before the memory is used up.
                    items.push(element);
                    if items.len() > vm.limits.sequence {
                        return Err(Error::limit("sequence is too long"));
                    }
                    vm.allocate(size_of::<Value>())
                })?;
                self.make_list(items)
            }
            ComprehensionBody::Function(function, captures) => {
                // The first iterator is made outside the function. So `(x for x in 5)` fails at once,
                // and not when its first element is read.
                let cursor = self.cursor(&source)?;
                let free = self.captured(frame, captures);
                match comprehension.kind {
                    ComprehensionKind::Generator => self.make_generator(function, free, cursor),
                    ComprehensionKind::List | ComprehensionKind::Set | ComprehensionKind::Dict => {
                        self.table_comprehension(function, &free, cursor, comprehension.kind)
                    }
                }
            }
        }
    }

    fn table_comprehension(
        &mut self,
        function: &LoopFunction,
        free: &[u32],
        cursor: IterationCursor,
        kind: ComprehensionKind,
    ) -> EvalOutcome {
        self.in_frame(&function.code, free, |vm, frame| {
            if kind == ComprehensionKind::Dict {
                let mut table = ValueTable::default();
                // The element of a dict comprehension is its key.
                vm.run_loops(frame, &function.loops, 0, cursor, &mut |vm, key, value| {
                    vm.dict_insert(&mut table, key, value)
                })?;
                return vm.make_dict(table);
            }
            let mut table = ValueTable::default();
            vm.run_loops(frame, &function.loops, 0, cursor, &mut |vm, element, _| {
                vm.set_add(&mut table, element)
            })?;
            vm.make_set(table, false)
        })
    }

    /// Runs clause `at` and those inside it, giving every element and value to `sink`.
    fn run_loops(
        &mut self,
        frame: &CallFrame<'_>,
        loops: &Loops,
        at: usize,
        mut cursor: IterationCursor,
        sink: &mut dyn FnMut(&mut Self, Value, Value) -> EvalOutcome<()>,
    ) -> EvalOutcome<()> {
        let Some(clause) = loops.clauses.get(at) else {
            return Ok(());
        };
        // Each `for` is one level of native recursion, and all of it runs without a pause. A generator
        // pauses after each element, so it uses `run_generator` instead.
        while let Some(item) = self.next(&mut cursor)? {
            if !self.enter_round(frame, clause, item)? {
                continue;
            }
            match loops.clauses.get(at + 1) {
                Some(inner) => {
                    let source = self.loop_source(frame, inner)?;
                    self.run_loops(frame, loops, at + 1, source, sink)?;
                }
                None => {
                    // Python 2 evaluates the value of `{key: value for …}` first, as in a dict display.
                    let value = match loops.value {
                        Some(value) => self.eval(frame, value)?,
                        None => Value::None,
                    };
                    let element = self.eval(frame, loops.element)?;
                    sink(self, element, value)?;
                }
            }
        }
        Ok(())
    }

    /// Binds an element of a loop; whether its tests hold.
    fn enter_round(&mut self, frame: &CallFrame<'_>, clause: &Clause, item: Value) -> EvalOutcome<bool> {
        // One price for a round: it covers the tests and then the element or the source of the inner
        // loop, even if a test fails before these are reached.
        self.charge(clause.cost)?;
        self.store(frame, &clause.target, item)?;
        for test in &clause.tests {
            let test = self.eval(frame, *test)?;
            if !self.truth(&test)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn loop_source(&mut self, frame: &CallFrame<'_>, clause: &Clause) -> EvalOutcome<IterationCursor> {
        let source = match clause.source {
            Some(source) => self.eval(frame, source)?,
            None => Value::None,
        };
        self.cursor(&source)
    }

    /// `all X in L`: R1021; elements whose X is nil count neither way (D30).
    #[inline(never)]
    fn group(&mut self, frame: &CallFrame<'_>, all: bool, group: GroupCode) -> SmallValue {
        // The list is read before the element changes: in `all (any card.x in card.items) in L` the
        // inner list belongs to the outer `card`.
        let source = self.word(frame, group.source);
        // A group within a group has an element of its own.
        let outer = (
            self.element,
            std::mem::replace(&mut self.large_element, Value::None),
        );
        // The elements of a list of the game are read one at a time; the list is not copied.
        let result = if source.tag == Tag::Object && self.host.len(HostObject(source.bits)).is_some() {
            self.run_host_group(frame, all, group, HostObject(source.bits))
        } else {
            self.value(source)
                .and_then(|source| self.run_group(frame, all, group, &source))
        };
        (self.element, self.large_element) = outer;
        self.park(result.map(Value::Bool))
    }

    fn run_group(
        &mut self,
        frame: &CallFrame<'_>,
        all: bool,
        group: GroupCode,
        source: &Value,
    ) -> EvalOutcome<bool> {
        let mut cursor = self.cursor(source)?;
        while let Some(item) = self.next(&mut cursor)? {
            if self.group_round(frame, all, group, item)? {
                return Ok(!all);
            }
        }
        Ok(all)
    }

    /// The same over a sequence of the host, without a cursor.
    fn run_host_group(
        &mut self,
        frame: &CallFrame<'_>,
        all: bool,
        group: GroupCode,
        source: HostObject,
    ) -> EvalOutcome<bool> {
        let mut at = 0;
        while at < self.host.len(source).unwrap_or(0) {
            let item = self.host.item(source, at)?;
            if self.group_round(frame, all, group, item)? {
                return Ok(!all);
            }
            at += 1;
        }
        Ok(all)
    }

    /// Whether this element decides the group.
    #[inline(always)]
    fn group_round(
        &mut self,
        frame: &CallFrame<'_>,
        all: bool,
        group: GroupCode,
        item: Value,
    ) -> EvalOutcome<bool> {
        // This runs for each element of each group, so there is no allocation here: a small element and
        // a nil, bool or int result stay in registers.
        self.charge(group.cost)?;
        self.element = match SmallValue::of(&item) {
            Some(word) => word,
            None => {
                self.large_element = item;
                SmallValue::PARKED
            }
        };
        let word = self.word(frame, group.element);
        // nil decides neither `all` nor `any`: the group goes on with the next element (R1021, D30).
        if word.tag == Tag::None {
            return Ok(false);
        }
        match self.truth_of_word(word) {
            // The first false value decides `all`, the first true one decides `any`. The callers then
            // return `!all`; if no element decides, as in an empty list, they return `all`.
            Some(truth) => Ok(truth != all),
            // The error is parked, and has to be taken out to be returned as an error.
            None => Err(self
                .value(SmallValue::PARKED)
                .err()
                .unwrap_or_else(|| Error::limit("no value"))),
        }
    }

    /// Runs `inner` with fresh variables of `code`.
    fn in_frame<T>(
        &mut self,
        code: &FunctionCode,
        free: &[u32],
        inner: impl FnOnce(&mut Self, &CallFrame<'_>) -> EvalOutcome<T>,
    ) -> EvalOutcome<T> {
        self.charge(u64::from(code.locals) / 8)?;
        let base = self.locals.len();
        self.locals.resize(base + usize::from(code.locals), None);
        // Locals form a stack and are removed when the call ends. Cells are kept, because a lambda that
        // this call returns still refers to them by index. They are freed with the evaluation.
        let cells = self.cells.len();
        self.allocate(usize::from(code.cells) * size_of::<Value>())?;
        self.cells.resize(cells + usize::from(code.cells), None);
        let frame = CallFrame {
            code,
            nodes: &code.nodes,
            base,
            cells,
            free,
        };
        // A call takes its number of tree levels from the depth limit, because `word` needs one native
        // frame for each level.
        let result = self.deeper(code.height, |vm| inner(vm, &frame));
        self.locals.truncate(base);
        result
    }

    // ---- generators ----

    fn make_generator(
        &mut self,
        function: &Arc<LoopFunction>,
        free: Vec<u32>,
        cursor: IterationCursor,
    ) -> EvalOutcome {
        let code = &function.code;
        let cells = self.cells.len();
        let variables = usize::from(code.cells) + usize::from(code.locals);
        self.allocate(variables * size_of::<Value>() + size_of::<Generator>())?;
        self.cells.resize(cells + usize::from(code.cells), None);
        // Nothing runs yet. The generator keeps its locals itself and puts them on the stack only while
        // it computes an element.
        let generator = Generator {
            function: function.clone(),
            free,
            cells,
            locals: vec![None; usize::from(code.locals)],
            cursors: vec![cursor],
        };
        self.make_iterator(
            IteratorKind::Generator,
            IterationCursor::Generator(Box::new(generator)),
        )
    }

    /// The next element of a generator; `None` at its end.
    pub(crate) fn resume(&mut self, generator: &mut Generator) -> EvalOutcome<Option<Value>> {
        let function = generator.function.clone();
        let base = self.locals.len();
        // Each element may be requested from another call, at another height of the stack, so `base` is
        // computed each time. The cells do not move, since closures refer to them by index.
        self.locals.append(&mut generator.locals);
        let result = self.deeper(function.code.height, |vm| {
            let frame = CallFrame {
                code: &function.code,
                nodes: &function.code.nodes,
                base,
                cells: generator.cells,
                free: &generator.free,
            };
            vm.run_generator(&frame, &function.loops, &mut generator.cursors)
        });
        generator.locals = self.locals.split_off(base.min(self.locals.len()));
        // A generator that has ended or failed stays at its end: without a cursor `run_generator`
        // returns `None`.
        if !matches!(result, Ok(Some(_))) {
            generator.cursors.clear();
        }
        result
    }

    fn run_generator(
        &mut self,
        frame: &CallFrame<'_>,
        loops: &Loops,
        cursors: &mut Vec<IterationCursor>,
    ) -> EvalOutcome<Option<Value>> {
        // The nested loops of `run_loops` without native recursion, because this function returns after
        // each element and continues there at the next call. The last cursor belongs to the innermost
        // loop that has begun, clause `cursors.len() - 1`.
        while let Some(cursor) = cursors.last_mut() {
            let Some(item) = self.next(cursor)? else {
                cursors.pop();
                continue;
            };
            let Some(clause) = loops.clauses.get(cursors.len() - 1) else {
                return Ok(None);
            };
            if !self.enter_round(frame, clause, item)? {
                continue;
            }
            match loops.clauses.get(cursors.len()) {
                Some(inner) => {
                    let source = self.loop_source(frame, inner)?;
                    cursors.push(source);
                }
                None => return self.eval(frame, loops.element).map(Some),
            }
        }
        Ok(None)
    }

    // ---- calls ----

    fn call_spec(&mut self, frame: &CallFrame<'_>, spec: &CallSpec) -> EvalOutcome {
        // CPython 2's order: the function, positional and named arguments, `*` and `**` are evaluated.
        // Then `**` is checked before `*`.
        let function = self.eval(frame, spec.function)?;
        let mut plain = self.eval_list(frame, spec.args)?;
        let mut named = Vec::with_capacity(spec.keywords.len());
        for (name, value) in &spec.keywords {
            named.push((name.clone(), self.eval(frame, *value)?));
        }
        let star = spec.star.map(|star| self.eval(frame, star)).transpose()?;
        let star_star = spec.star_star.map(|star| self.eval(frame, star)).transpose()?;
        if let Some(star_star) = star_star {
            self.add_named(&function, &star_star, &mut named)?;
        }
        if let Some(star) = star {
            let items = match self.items(&star) {
                Err(error) if error.is_a(ExceptionKind::TypeError) => {
                    return Err(Error::type_error(format!(
                        "{} argument after * must be an iterable, not {}",
                        self.function_words(&function),
                        self.type_name(&star),
                    )));
                }
                items => items?,
            };
            plain.extend(items);
        }
        self.allow_items(plain.len())?;
        self.call(
            &function,
            Args {
                plain: &plain,
                named: &named,
            },
        )
    }

    /// Adds the entries of `**mapping` to the named arguments.
    fn add_named(
        &mut self,
        function: &Value,
        mapping: &Value,
        named: &mut Vec<(Arc<str>, Value)>,
    ) -> EvalOutcome<()> {
        let Value::Dict(dict) = mapping else {
            return Err(Error::type_error(format!(
                "{} argument after ** must be a mapping, not {}",
                self.function_words(function),
                self.type_name(mapping),
            )));
        };
        // Keys of a dict differ from each other: only the names that were written can come again.
        let written = named.len();
        self.charge(dict.table.len() as u64 * (1 + written as u64 / 8))?;
        for entry in dict.table.iter() {
            let name = match &entry.key {
                Value::Str(name) => String::from_utf8_lossy(name).into_owned(),
                Value::Unicode(name) => name.iter().filter_map(|point| char::from_u32(*point)).collect(),
                _ => {
                    return Err(Error::type_error(format!(
                        "{} keywords must be strings",
                        self.function_words(function)
                    )));
                }
            };
            if named[..written].iter().any(|(known, _)| **known == *name) {
                return Err(Error::type_error(format!(
                    "{} got multiple values for keyword argument '{name}'",
                    self.function_words(function),
                )));
            }
            named.push((Arc::from(name), entry.value.clone()));
        }
        Ok(())
    }

    /// How messages about arguments call a function: `<lambda>()`, `len()`, `int object`.
    fn function_words(&self, function: &Value) -> String {
        match function {
            Value::Function(function) => format!("{}()", function.code.name),
            Value::Builtin(builtin) => format!("{}()", builtin.name()),
            Value::Method(method) => format!("{}()", method.name),
            Value::Unbound(_, name) => format!("{name}()"),
            other => format!("{} object", self.type_name(other)),
        }
    }

    /// Calls anything.
    pub(crate) fn call(&mut self, function: &Value, args: Args<'_>) -> EvalOutcome {
        self.charge(1)?;
        match function {
            Value::Function(function) => self.call_function(function, args),
            // A built-in may call back (`map` with a lambda), so its own native frames count in the
            // depth limit too.
            Value::Builtin(builtin) => self.deeper(4, |vm| vm.call_builtin(*builtin, args)),
            Value::Type(kind) => self.deeper(4, |vm| vm.construct(*kind, args)),
            Value::Method(method) => match crate::vm::method::find(method.object.type_of(), method.name) {
                Some(entry) => self.deeper(4, |vm| vm.call_method(&method.object, entry, args)),
                None => self.deeper(4, |vm| vm.call_type_method(&method.object, method.name, args)),
            },
            Value::Unbound(kind, name) => self.deeper(4, |vm| vm.call_unbound(*kind, name, args)),
            Value::HostFunction(function) => {
                if !args.named.is_empty() {
                    let name = self.host.function_name(*function);
                    return Err(Error::type_error(format!("{name}() takes no keyword arguments")));
                }
                self.host.call(*function, args.plain)
            }
            other => Err(Error::type_error(format!(
                "'{}' object is not callable",
                self.type_name(other)
            ))),
        }
    }

    fn call_function(&mut self, function: &Arc<FunctionValue>, args: Args<'_>) -> EvalOutcome {
        let code = &*function.code;
        // Paid for at each call, as `run` does for the expression itself.
        self.charge(code.nodes.len() as u64)?;
        let values = self.bind(function, args)?;
        self.in_frame(code, &function.free, |vm, frame| {
            let params = &code.rare().params;
            let stores = params.plain.iter().chain(&params.rest).chain(&params.named);
            // Tuple parameters are taken apart after all arguments are in place, as in CPython.
            let mut tuples = Vec::new();
            for (store, value) in stores.zip(values) {
                if matches!(store, StorePlace::Tuple(_)) {
                    tuples.push((store, value));
                } else {
                    vm.store(frame, store, value)?;
                }
            }
            for (store, value) in tuples {
                vm.store(frame, store, value)?;
            }
            vm.eval(frame, code.root)
        })
    }

    /// One value per parameter, in order, then those of `*rest` and `**named`.
    fn bind(&mut self, function: &FunctionValue, args: Args<'_>) -> EvalOutcome<Vec<Value>> {
        let params = &function.code.rare().params;
        let wanted = params.plain.len();
        self.charge((1 + args.named.len() as u64) * wanted as u64 / 8)?;
        // Checked before the names: CPython reports `(lambda: 1)(x=2)` as a wrong number of arguments,
        // not as an unexpected name.
        let takes_none = wanted == 0 && params.rest.is_none() && params.named.is_none();
        if takes_none && !args.named.is_empty() {
            return Err(wrong_count(function, args));
        }
        let mut values: Vec<Option<Value>> = vec![None; wanted];
        // Surplus arguments are reported below, or go to `*rest` at the end.
        for (slot, value) in values.iter_mut().zip(args.plain) {
            *slot = Some(value.clone());
        }
        if args.plain.len() > wanted && params.rest.is_none() {
            return Err(wrong_count(function, args));
        }
        let mut others = ValueTable::default();
        for (name, value) in args.named {
            let at = params
                .names
                .iter()
                .position(|known| known.as_deref() == Some(name));
            match at.and_then(|at| values.get_mut(at)) {
                Some(slot @ None) => *slot = Some(value.clone()),
                Some(Some(_)) => {
                    let name_of = function.code.name;
                    let message = format!("{name_of}() got multiple values for keyword argument '{name}'");
                    return Err(Error::type_error(message));
                }
                None if params.named.is_some() => {
                    self.dict_insert(&mut others, Value::str(name), value.clone())?;
                }
                None => {
                    let name_of = function.code.name;
                    let message = format!("{name_of}() got an unexpected keyword argument '{name}'");
                    return Err(Error::type_error(message));
                }
            }
        }
        // Defaults belong to the last parameters: for `lambda a, b=1: …` this is 1.
        let first_default = wanted - function.defaults.len().min(wanted);
        let mut bound = Vec::with_capacity(wanted + 2);
        for (at, value) in values.into_iter().enumerate() {
            let default = at
                .checked_sub(first_default)
                .and_then(|at| function.defaults.get(at));
            match value.or_else(|| default.cloned()) {
                Some(value) => bound.push(value),
                None => return Err(wrong_count(function, args)),
            }
        }
        if params.rest.is_some() {
            let rest = args.plain.get(wanted..).unwrap_or_default().to_vec();
            bound.push(self.make_tuple(rest)?);
        }
        if params.named.is_some() {
            bound.push(self.make_dict(others)?);
        }
        Ok(bound)
    }
}

/// CPython's words for a call with too few or too many arguments.
fn wrong_count(function: &FunctionValue, args: Args<'_>) -> Error {
    let params = &function.code.rare().params;
    let wanted = params.plain.len();
    let least = wanted - function.defaults.len().min(wanted);
    // With too many arguments CPython counts the arguments, else the parameters that have a value: a name
    // that `**named` takes is none of them.
    let given = if args.plain.len() > wanted || params.named.is_none() {
        args.plain.len() + args.named.len()
    } else {
        let is_parameter = |name: &str| params.names.iter().any(|known| known.as_deref() == Some(name));
        args.plain.len() + args.named.iter().filter(|(name, _)| is_parameter(name)).count()
    };
    let name = function.code.name;
    if wanted == 0 && params.rest.is_none() && params.named.is_none() {
        return Error::type_error(format!("{name}() takes no arguments ({given} given)"));
    }
    let exact = function.defaults.is_empty() && params.rest.is_none();
    let too_many = args.plain.len() > wanted;
    let (words, count) = if exact {
        ("exactly", wanted)
    } else if too_many {
        ("at most", wanted)
    } else {
        ("at least", least)
    };
    let plural = if count == 1 { "" } else { "s" };
    Error::type_error(format!(
        "{name}() takes {words} {count} argument{plural} ({given} given)"
    ))
}
