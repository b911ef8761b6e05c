//! Runs code: a stack of values, a stack of frames, and no native call for a script's own calls.
//!
//! A script function that a script calls takes a [`Frame`] and nothing of the native stack; so do a class
//! body, `__init__` and a generator in a loop. Built-in functions that call back (`sorted` with a key,
//! `__eq__` of a key in a dict) run a machine loop of their own and pay for it in depth.

pub(crate) mod attribute;
pub(crate) mod binary;
pub(crate) mod builtin;
pub(crate) mod call;
pub(crate) mod class;
pub(crate) mod compare;
pub(crate) mod construct;
pub(crate) mod dict;
pub(crate) mod host;
pub(crate) mod import;
pub(crate) mod iterate;
pub(crate) mod list;
pub(crate) mod method;
pub(crate) mod module;
pub(crate) mod number;
pub(crate) mod raise;
pub(crate) mod regex;
pub(crate) mod set;
pub(crate) mod show;
pub(crate) mod subscript;
pub(crate) mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_expr::ast::UnaryOp;
use cw_expr::{Calculator, ExceptionKind, HashTable};

use crate::code::{Code, Name, Op};
use crate::heap::ScriptHeap;
use crate::host::{HostStop, ScriptHost};
use crate::limits::{ScriptLimit, ScriptLimits};
use crate::object::{GeneratorState, Object};
use crate::pattern::{PatternStore, PatternsByText};
use crate::value::{ObjectId, ScriptValue};

/// Why a step gave no value.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// An exception, which handlers see.
    Raise(ObjectId),
    /// The run ends; nothing in the script sees it (S13).
    End(Box<RunStop>),
}

/// What ends a run that neither finishes nor fails.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStop {
    /// A bound was reached.
    Limit(ScriptLimit),
    /// The host needs an answer first.
    Ask,
    /// The host wants no more of it.
    Host(String),
}

pub(crate) type Flow<T = ScriptValue> = Result<T, Stop>;

/// A function that runs: where its variables lie, and where it goes on.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) code: Arc<Code>,
    pub(crate) at: usize,
    /// Where its slots begin.
    pub(crate) base: usize,
    /// How long the stack is when it is left.
    pub(crate) bottom: usize,
    pub(crate) globals: ObjectId,
    /// The dict of a class body's names, or of an evaluated text's.
    pub(crate) names: Option<ObjectId>,
    pub(crate) cells: Vec<ObjectId>,
    /// Where exceptions lead, and how long the stack is there, from `base`.
    pub(crate) tries: Vec<(u32, usize)>,
    pub(crate) kind: FrameKind,
    /// What `raise` alone raises.
    pub(crate) caught: Option<ObjectId>,
}

/// What becomes of a frame's value.
#[derive(Clone, Debug)]
pub(crate) enum FrameKind {
    /// It goes to the caller.
    Call,
    /// An `__init__`: the instance goes to the caller.
    Init(ScriptValue),
    /// It ends the machine's loop.
    Floor,
    /// A generator in a loop, which goes on there when nothing more comes.
    Generator(ObjectId, u32),
    /// A generator that a built-in function asked.
    GeneratorFloor(ObjectId),
    /// A class body, with the class's base.
    Class(ScriptValue),
}

impl Frame {
    pub(crate) fn each_value(&self, visit: &mut dyn FnMut(&ScriptValue)) {
        let ids = self.cells.iter().copied().chain(self.names).chain(self.caught);
        ids.chain([self.globals])
            .for_each(|id| visit(&ScriptValue::Object(id)));
        if let FrameKind::Init(value) | FrameKind::Class(value) = &self.kind {
            visit(value);
        }
    }

    pub(crate) fn empty(globals: ObjectId) -> Frame {
        Frame {
            code: Arc::default(),
            at: 0,
            base: 0,
            bottom: 0,
            globals,
            names: None,
            cells: Vec::new(),
            tries: Vec::new(),
            kind: FrameKind::Floor,
            caught: None,
        }
    }
}

/// Everything that one call into an interpreter needs; gone when it ends.
pub(crate) struct Machine<'r> {
    pub(crate) heap: ScriptHeap,
    pub(crate) host: &'r mut dyn ScriptHost,
    pub(crate) limits: &'r ScriptLimits,
    pub(crate) steps: u64,
    pub(crate) bytes: usize,
    pub(crate) depth: u32,
    pub(crate) stack: Vec<ScriptValue>,
    /// The function that runs.
    pub(crate) frame: Frame,
    /// Those that wait for it.
    pub(crate) frames: Vec<Frame>,
    /// The dict of the names of the seat's scripts.
    pub(crate) globals: ObjectId,
    /// Modules that were imported.
    pub(crate) modules: BTreeMap<Arc<str>, ObjectId>,
    /// Names of the host's functions.
    pub(crate) host_names: Arc<Vec<Arc<str>>>,
    /// Sources of modules of the package, by name.
    pub(crate) siblings: Arc<BTreeMap<String, Arc<Code>>>,
    /// Patterns that this run has paid for.
    pub(crate) patterns: PatternsByText,
    /// Where they are compiled.
    pub(crate) store: PatternStore,
    /// What was printed.
    pub(crate) output: String,
    pub(crate) soft_space: bool,
    /// Containers that are being written, so that one within itself ends.
    pub(crate) showing: Vec<ObjectId>,
    /// A generator has given a value, rather than ended.
    pub(crate) yielded: bool,
    /// The exception on its way was raised again where it is.
    pub(crate) raised_again: bool,
}

impl Machine<'_> {
    // ---- limits ----

    /// Takes steps from what is left.
    #[inline]
    pub(crate) fn charge(&mut self, steps: usize) -> Flow<()> {
        match self.steps.checked_sub(steps as u64) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => {
                // The run then reports that it used all of its steps, although the last request was
                // larger than the rest.
                self.steps = 0;
                Err(limit(ScriptLimit::Steps))
            }
        }
    }

    /// Takes bytes from what is left.
    #[inline]
    pub(crate) fn allocate(&mut self, bytes: usize) -> Flow<()> {
        match self.bytes.checked_sub(bytes) {
            Some(left) => {
                self.bytes = left;
                Ok(())
            }
            None => Err(limit(ScriptLimit::Memory)),
        }
    }

    /// Asks for room for `len` elements of one container.
    pub(crate) fn room(&mut self, len: usize) -> Flow<()> {
        if len > self.limits.items {
            return Err(limit(ScriptLimit::Memory));
        }
        // Filling a container takes time as well: one step for four elements (S195).
        self.charge(len / 4)?;
        self.allocate(len * size_of::<ScriptValue>())
    }

    /// Asks for room for a text of `len` characters.
    pub(crate) fn room_for_text(&mut self, len: usize) -> Flow<()> {
        if len > self.limits.text {
            return Err(limit(ScriptLimit::Memory));
        }
        self.charge(len / 64)?;
        self.allocate(len + 16)
    }

    /// Runs `inner` where it may need the native stack.
    pub(crate) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        let Some(left) = self.depth.checked_sub(ScriptLimits::NATIVE) else {
            return Err(limit(ScriptLimit::Depth));
        };
        self.depth = left;
        // A call from inside a built-in counts like several script calls, because it uses the native
        // stack, which is small in a browser.
        let result = inner(self);
        self.depth += ScriptLimits::NATIVE;
        result
    }

    /// Lets the calculator of expressions do something, within what is left.
    pub(crate) fn calculate<T>(
        &mut self,
        work: impl FnOnce(&mut Calculator) -> Result<T, cw_expr::Error>,
    ) -> Flow<T> {
        // The calculator gets all that is left and returns the rest, so that `2 ** 100000` is paid for
        // by the script.
        let mut calculator = Calculator::new(self.limits.of_calculator(self.steps, self.bytes));
        let result = work(&mut calculator);
        (self.steps, self.bytes) = (calculator.limits.steps, calculator.limits.memory);
        result.map_err(|error| self.failed(&error))
    }

    // ---- making objects ----

    /// Puts an object into the heap.
    pub(crate) fn make(&mut self, object: Object) -> Flow {
        self.make_id(object).map(ScriptValue::Object)
    }

    pub(crate) fn make_id(&mut self, object: Object) -> Flow<ObjectId> {
        self.allocate(object.size())?;
        Ok(self.heap.add(object))
    }

    pub(crate) fn make_list(&mut self, items: Vec<ScriptValue>) -> Flow {
        self.room(items.len())?;
        self.allocate(48)?;
        Ok(ScriptValue::Object(self.heap.add(Object::List(items))))
    }

    pub(crate) fn make_tuple(&mut self, items: Vec<ScriptValue>) -> Flow {
        self.room(items.len())?;
        self.allocate(48)?;
        Ok(ScriptValue::Object(self.heap.add(Object::Tuple(items))))
    }

    pub(crate) fn make_text(&mut self, text: &str) -> Flow {
        self.room_for_text(text.len())?;
        Ok(ScriptValue::text(text))
    }

    pub(crate) fn make_points(&mut self, points: Vec<u32>) -> Flow {
        self.room_for_text(points.len())?;
        Ok(ScriptValue::points(points))
    }

    pub(crate) fn make_dict(&mut self) -> Flow<ObjectId> {
        self.make_id(Object::Dict(HashTable::default()))
    }

    // ---- the loop ----

    /// Runs the frame on top, which is a floor, until it ends.
    pub(crate) fn run(&mut self) -> Flow {
        loop {
            // A step that fails returns at once and leaves the stack as it is. `unwind` truncates the
            // stack, so no step has to clean up after an error.
            let stop = match self.steps_of_frames() {
                Ok(value) => return Ok(value),
                Err(stop) => stop,
            };
            self.unwind(stop)?;
        }
    }

    /// Leads an exception to its handler; an error if none is above the floor.
    fn unwind(&mut self, stop: Stop) -> Flow<()> {
        // One round for each frame, from the top down to the floor. Below the floor is native code,
        // which gets the error as its result.
        loop {
            // Only exceptions look for a handler. The end of a run passes all `try` blocks, `finally`
            // included (S13).
            if let Stop::Raise(exception) = &stop {
                // What is raised again has been here before.
                if !std::mem::take(&mut self.raised_again) {
                    self.trace(*exception);
                }
                if let Some((target, height)) = self.frame.tries.pop() {
                    // A handler finds the stack as it was at its `Try`, with the exception on top.
                    self.stack.truncate(self.frame.base + height);
                    self.stack.push(ScriptValue::Object(*exception));
                    self.frame.at = target as usize;
                    return Ok(());
                }
            }
            let left = self.leave_frame();
            match left {
                FrameKind::Floor => return Err(stop),
                FrameKind::GeneratorFloor(id) => {
                    self.finish_generator(id);
                    return Err(stop);
                }
                // In Python 2 a `StopIteration` that leaves a generator only ends it. The frame on top
                // is now that of the loop, with the generator on its stack.
                FrameKind::Generator(id, end) => {
                    self.finish_generator(id);
                    if let Stop::Raise(exception) = &stop
                        && self.is_a(*exception, ExceptionKind::StopIteration)
                    {
                        self.stack.pop();
                        self.frame.at = end as usize;
                        return Ok(());
                    }
                }
                FrameKind::Call | FrameKind::Init(_) | FrameKind::Class(_) => {}
            }
        }
    }

    pub(crate) fn finish_generator(&mut self, id: ObjectId) {
        if let Some(Object::Generator(generator)) = self.heap.get_mut(id) {
            generator.state = GeneratorState::Done;
        }
    }

    /// Takes the frame on top away; what it was.
    fn leave_frame(&mut self) -> FrameKind {
        let below = self.frames.pop().unwrap_or_else(|| Frame::empty(self.globals));
        let frame = std::mem::replace(&mut self.frame, below);
        // The caller's values end at `bottom`. This drops the slots, and the called function if it is
        // on the stack.
        self.stack.truncate(frame.bottom);
        self.depth += 1;
        frame.kind
    }

    /// Puts a frame on top. Its slots lie on the stack from `base`.
    pub(crate) fn enter_frame(&mut self, frame: Frame) -> Flow<()> {
        let Some(left) = self.depth.checked_sub(1) else {
            // The new slots are on the stack already, but `unwind` drops only those of frames that were
            // entered.
            self.stack.truncate(frame.bottom);
            return Err(limit(ScriptLimit::Depth));
        };
        self.depth = left;
        let below = std::mem::replace(&mut self.frame, frame);
        self.frames.push(below);
        Ok(())
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> ScriptValue {
        self.stack.pop().unwrap_or(ScriptValue::None)
    }

    /// The values on top, the deepest first.
    pub(crate) fn pop_many(&mut self, count: usize) -> Vec<ScriptValue> {
        let at = self.stack.len().saturating_sub(count);
        self.stack.split_off(at)
    }

    fn name(&self, at: u32) -> Name {
        self.frame.code.names[at as usize].clone()
    }

    /// Steps until the floor's frame returns.
    // One arm is one step; what is not short is a function of its own.
    #[expect(clippy::too_many_lines, reason = "the table of contents of the machine")]
    fn steps_of_frames(&mut self) -> Flow {
        // This loop runs for every step of every script, millions of times in a long run. Arms for
        // frequent steps on small ints therefore change the stack in place and allocate nothing.
        //
        // Every code ends with `Return` or `EndClass`, so `at` never runs past the last step. The
        // compiler also guarantees that the operands of a step are on the stack.
        loop {
            if self.steps == 0 {
                return Err(limit(ScriptLimit::Steps));
            }
            self.steps -= 1;
            let op = self.frame.code.ops[self.frame.at];
            self.frame.at += 1;
            match op {
                Op::Constant(at) => {
                    let value = self.frame.code.constants[at as usize].clone();
                    self.stack.push(value);
                }
                // A slot exists from the start of the call; unset means that nothing was assigned yet,
                // or that `del` removed it. Both are an `UnboundLocalError` (S11).
                Op::Local(slot) => {
                    let value = self.stack[self.frame.base + slot as usize].clone();
                    if value.is_unset() {
                        return Err(self.unbound_local(slot));
                    }
                    self.stack.push(value);
                }
                Op::StoreLocal(slot) => {
                    let value = self.pop();
                    let at = self.frame.base + slot as usize;
                    self.stack[at] = value;
                }
                Op::DeleteLocal(slot) => {
                    let at = self.frame.base + slot as usize;
                    if self.stack[at].is_unset() {
                        return Err(self.unbound_local(slot));
                    }
                    self.stack[at] = ScriptValue::Unset;
                }
                Op::Cell(at) => {
                    let value = self.cell(at)?;
                    self.stack.push(value);
                }
                Op::StoreCell(at) => {
                    let value = self.pop();
                    let id = self.frame.cells[at as usize];
                    if let Some(Object::Cell(cell)) = self.heap.get_mut(id) {
                        *cell = value;
                    }
                }
                // An inner function shares the variable itself, so it gets the cell and not the value.
                Op::TakeCell(at) => {
                    let id = self.frame.cells[at as usize];
                    self.stack.push(ScriptValue::Object(id));
                }
                Op::Global(at) => {
                    let value = self.global(at)?;
                    self.stack.push(value);
                }
                Op::StoreGlobal(at) => {
                    let value = self.pop();
                    let name = self.name(at);
                    self.set_name(self.frame.globals, &name, value)?;
                }
                Op::DeleteGlobal(at) => {
                    let name = self.name(at);
                    if !self.delete_named(self.frame.globals, &name) {
                        return Err(self.unknown_name(&name.text, false));
                    }
                }
                Op::Name(at) => {
                    let value = self.own_name(at)?;
                    self.stack.push(value);
                }
                // A class body assigns into its own dict. Code without a dict of its own assigns to the
                // names of the module.
                Op::StoreName(at) => {
                    let value = self.pop();
                    let name = self.name(at);
                    self.set_name(self.frame.names.unwrap_or(self.frame.globals), &name, value)?;
                }
                Op::DeleteName(at) => {
                    let name = self.name(at);
                    let names = self.frame.names.unwrap_or(self.frame.globals);
                    if !self.delete_named(names, &name) {
                        return Err(self.unknown_name(&name.text, false));
                    }
                }
                Op::Pop => {
                    self.stack.pop();
                }
                Op::Duplicate => {
                    let value = self.stack[self.stack.len() - 1].clone();
                    self.stack.push(value);
                }
                Op::DuplicateTwo => {
                    let len = self.stack.len();
                    self.stack.extend_from_within(len - 2..);
                }
                Op::Swap => {
                    let len = self.stack.len();
                    self.stack.swap(len - 1, len - 2);
                }
                // `x[i] += 1` leaves x, i and the sum, in this order, but `StoreSubscript` takes the
                // value first: sum, x, i. A chain like `a < b < c` keeps `b` this way.
                Op::Under => {
                    let len = self.stack.len();
                    self.stack[len - 3..].rotate_right(1);
                }
                Op::Unary(op) => {
                    let value = self.pop();
                    let result = match op {
                        UnaryOp::Not => ScriptValue::Bool(!self.truth(&value)?),
                        _ => self.unary(op, &value)?,
                    };
                    self.stack.push(result);
                }
                Op::Binary(op) => {
                    let len = self.stack.len();
                    // Two small ints, the usual case. An overflow or a division by 0 gives `None` here;
                    // the general path then makes a long or raises.
                    if let [ScriptValue::Int(left), ScriptValue::Int(right)] = self.stack[len - 2..]
                        && let Some(small) = number::small(op, left, right)
                    {
                        self.stack.pop();
                        self.stack[len - 2] = ScriptValue::Int(small);
                        continue;
                    }
                    let right = self.pop();
                    let left = self.pop();
                    let result = self.binary(op, &left, &right)?;
                    self.stack.push(result);
                }
                // Unlike `Binary`, this changes a list, a set or an object with `__iadd__` itself, so
                // other names of the same list see `l += [1]` as well (S18).
                Op::InPlace(op) => {
                    let len = self.stack.len();
                    if let [ScriptValue::Int(left), ScriptValue::Int(right)] = self.stack[len - 2..]
                        && let Some(small) = number::small(op, left, right)
                    {
                        self.stack.pop();
                        self.stack[len - 2] = ScriptValue::Int(small);
                        continue;
                    }
                    let right = self.pop();
                    let left = self.pop();
                    let result = self.in_place(op, &left, &right)?;
                    self.stack.push(result);
                }
                Op::Compare(op) => {
                    let len = self.stack.len();
                    if let [ScriptValue::Int(left), ScriptValue::Int(right)] = self.stack[len - 2..]
                        && let Some(truth) = cw_expr::compare_small(op, left, right)
                    {
                        self.stack.pop();
                        self.stack[len - 2] = ScriptValue::Bool(truth);
                        continue;
                    }
                    let right = self.pop();
                    let left = self.pop();
                    let result = self.compare(op, &left, &right)?;
                    self.stack.push(result);
                }
                Op::Jump(target) => self.frame.at = target as usize,
                Op::JumpIfFalse(target) => {
                    let value = self.pop();
                    if !self.truth(&value)? {
                        self.frame.at = target as usize;
                    }
                }
                Op::JumpIfTrue(target) => {
                    let value = self.pop();
                    if self.truth(&value)? {
                        self.frame.at = target as usize;
                    }
                }
                // `a and b` is one of its operands, not a bool: `a` stays as the result where it
                // decides, and is dropped where `b` is evaluated.
                Op::JumpIfFalseOrPop(target) => {
                    let value = self.stack[self.stack.len() - 1].clone();
                    if self.truth(&value)? {
                        self.stack.pop();
                    } else {
                        self.frame.at = target as usize;
                    }
                }
                Op::JumpIfTrueOrPop(target) => {
                    let value = self.stack[self.stack.len() - 1].clone();
                    if self.truth(&value)? {
                        self.frame.at = target as usize;
                    } else {
                        self.stack.pop();
                    }
                }
                Op::Attribute(at) => {
                    let object = self.pop();
                    let name = self.name(at);
                    let value = self.attribute(&object, &name)?;
                    self.stack.push(value);
                }
                // Python evaluates the assigned value first, so it is below the object.
                Op::StoreAttribute(at) => {
                    let object = self.pop();
                    let value = self.pop();
                    let name = self.name(at);
                    self.set_attribute(&object, &name, value)?;
                }
                Op::DeleteAttribute(at) => {
                    let object = self.pop();
                    let name = self.name(at);
                    self.delete_attribute(&object, &name)?;
                }
                // `Method` and `CallMethod` together save a bound method object, which would live for
                // one call only. The two values that `Method` leaves decide how `CallMethod` calls.
                Op::Method(at) => {
                    let object = self.pop();
                    let name = self.name(at);
                    let (function, object) = self.method(object, &name)?;
                    self.stack.push(function);
                    self.stack.push(object);
                }
                Op::CallMethod(args) => {
                    let args = args as usize;
                    let at = self.stack.len() - args - 1;
                    // The value of an attribute, such as `math.sqrt`, which gets no object as argument.
                    // Without the placeholder the stack is that of a plain call.
                    if self.stack[at].is_unset() {
                        self.stack.remove(at);
                        self.call_on_stack(args)?;
                    } else if let ScriptValue::Native(name) = self.stack[at - 1] {
                        // A method of a built-in type, such as `append`: it needs no frame. The last
                        // `pop` below removes its number.
                        let args = self.pop_many(args);
                        let object = self.pop();
                        let result = self.native_method(&object, name, args, Vec::new())?;
                        self.pop();
                        self.stack.push(result);
                    } else {
                        // A function of a class or of the host: the object is its first argument.
                        self.call_on_stack(args + 1)?;
                    }
                }
                Op::Subscript => {
                    let index = self.pop();
                    let object = self.pop();
                    let value = self.subscript(&object, &index)?;
                    self.stack.push(value);
                }
                Op::StoreSubscript => {
                    let index = self.pop();
                    let object = self.pop();
                    let value = self.pop();
                    self.set_subscript(&object, &index, value)?;
                }
                Op::DeleteSubscript => {
                    let index = self.pop();
                    let object = self.pop();
                    self.delete_subscript(&object, &index)?;
                }
                Op::Slice => {
                    let bounds = self.pop_two();
                    let object = self.pop();
                    let value = self.simple_slice(&object, bounds)?;
                    self.stack.push(value);
                }
                Op::StoreSlice => {
                    let bounds = self.pop_two();
                    let object = self.pop();
                    let value = self.pop();
                    self.set_simple_slice(&object, bounds, &value)?;
                }
                Op::DeleteSlice => {
                    let bounds = self.pop_two();
                    let object = self.pop();
                    self.delete_simple_slice(&object, bounds)?;
                }
                Op::MakeSlice => {
                    let step = self.pop();
                    let (start, stop) = self.pop_two();
                    let slice = self.make(Object::Slice(Box::new([start, stop, step])))?;
                    self.stack.push(slice);
                }
                Op::Tuple(count) => {
                    let items = self.pop_many(count as usize);
                    let tuple = self.make_tuple(items)?;
                    self.stack.push(tuple);
                }
                Op::List(count) => {
                    let items = self.pop_many(count as usize);
                    let list = self.make_list(items)?;
                    self.stack.push(list);
                }
                // Elements are added in the order written, and of equal ones the first stays:
                // `{1, True}` is `set([1])`.
                Op::Set(count) => {
                    let items = self.pop_many(count as usize);
                    let set = self.make_id(Object::Set(HashTable::default()))?;
                    for item in items {
                        self.set_add(set, item)?;
                    }
                    self.stack.push(ScriptValue::Object(set));
                }
                Op::Dict(count) => {
                    self.allocate(count as usize * 40)?;
                    let table = HashTable::presized(count as usize);
                    let dict = self.make(Object::Dict(table))?;
                    self.stack.push(dict);
                }
                // Python 2 evaluates the value before the key, so the key is on top.
                Op::DictEntry => {
                    let key = self.pop();
                    let value = self.pop();
                    if let Some(ScriptValue::Object(dict)) = self.stack.last() {
                        self.dict_set(*dict, key, value)?;
                    }
                }
                // In `[… for a in x for b in y]` the list is below the iterators of the two loops:
                // depth 3. This step and the next two occur in comprehensions only.
                Op::Append(depth) => {
                    let value = self.pop();
                    let at = self.stack.len() - depth as usize;
                    if let ScriptValue::Object(list) = self.stack[at] {
                        self.list_push(list, value)?;
                    }
                }
                Op::SetAdd(depth) => {
                    let value = self.pop();
                    let at = self.stack.len() - depth as usize;
                    if let ScriptValue::Object(set) = self.stack[at] {
                        self.set_add(set, value)?;
                    }
                }
                Op::DictAdd(depth) => {
                    let key = self.pop();
                    let value = self.pop();
                    let at = self.stack.len() - depth as usize;
                    if let ScriptValue::Object(dict) = self.stack[at] {
                        self.dict_set(dict, key, value)?;
                    }
                }
                // The stores that follow take the first item first, so it has to be on top.
                Op::Unpack(count) => {
                    let value = self.pop();
                    let items = self.unpack(&value, count as usize)?;
                    self.stack.extend(items.into_iter().rev());
                }
                Op::Iterate => {
                    let value = self.pop();
                    let iterator = self.iterator(&value)?;
                    self.stack.push(iterator);
                }
                Op::Next(end) => self.next_in_loop(end)?,
                Op::Call(args) => self.call_on_stack(args as usize)?,
                Op::CallNamed { args, names } => {
                    let names = self.frame.code.keywords[usize::from(names)].clone();
                    let values = self.pop_many(names.len());
                    let named = names.into_iter().map(|name| name.value).zip(values).collect();
                    self.call_general(usize::from(args), named)?;
                }
                Op::CallSpread { args, spread, names } => {
                    self.call_spread(usize::from(args), spread, usize::from(names))?;
                }
                Op::MakeFunction {
                    code,
                    defaults,
                    cells,
                } => self.make_function(usize::from(code), usize::from(defaults), usize::from(cells))?,
                Op::MakeClass { code, bases, cells } => {
                    self.begin_class(usize::from(code), bases > 0, usize::from(cells))?;
                }
                Op::EndClass => self.end_class()?,
                Op::Return => {
                    if let Some(value) = self.return_value()? {
                        return Ok(value);
                    }
                }
                Op::Yield => {
                    if let Some(value) = self.yield_value() {
                        return Ok(value);
                    }
                }
                // The height counts from `base`, because a generator may wait inside its `try` and go
                // on at another place of the stack.
                Op::Try(target) => {
                    let height = self.stack.len() - self.frame.base;
                    self.frame.tries.push((target, height));
                }
                Op::EndTry => {
                    self.frame.tries.pop();
                }
                // It stays until the function returns, as in Python 2: a `raise` alone finds it even
                // behind the `except` block.
                Op::Caught => {
                    let exception = self.pop();
                    self.frame.caught = exception.object();
                }
                Op::LoadCaught => {
                    let value = self.frame.caught.map_or(ScriptValue::None, ScriptValue::Object);
                    self.stack.push(value);
                }
                Op::Matches => {
                    let kind = self.pop();
                    let exception = self.pop();
                    let matches = self.exception_matches(&exception, &kind)?;
                    self.stack.push(ScriptValue::Bool(matches));
                }
                // No handler took the exception, or a `finally` block has ended. The trace holds this
                // frame already; `raised_again` prevents a second entry.
                Op::Reraise => {
                    let exception = self.pop();
                    self.raised_again = true;
                    return Err(match exception.object() {
                        Some(id) => Stop::Raise(id),
                        None => self.raise(ExceptionKind::SystemError, "lost exception"),
                    });
                }
                // Both ways out are errors: `?` returns what went wrong while the exception was made,
                // such as an error in its `__init__`; otherwise the exception itself is raised.
                Op::Raise(parts) => {
                    let parts = self.pop_many(parts as usize);
                    return Err(self.raise_statement(parts)?);
                }
                Op::Assert(words) => {
                    let words = self.pop_many(words as usize);
                    let kind = ScriptValue::exception(ExceptionKind::AssertionError);
                    return Err(self.raise_value(&kind, words)?);
                }
                Op::Print => {
                    let value = self.pop();
                    self.print(&value)?;
                }
                Op::PrintEnd => {
                    self.write_out("\n")?;
                    self.soft_space = false;
                }
                Op::PrintTo => {
                    let value = self.pop();
                    self.print_to(&value)?;
                }
                Op::PrintEndTo => {
                    self.write_to(ScriptValue::text("\n"), false)?;
                    self.pop();
                }
                Op::Repr => {
                    let value = self.pop();
                    let text = self.repr_value(&value)?;
                    self.stack.push(text);
                }
                Op::Import(at) => {
                    let name = self.name(at);
                    let module = self.import(&name.text)?;
                    self.stack.push(module);
                }
                // The module stays for the other names of `from m import a, b`.
                Op::ImportFrom(at) => {
                    let name = self.name(at);
                    let module = self.stack[self.stack.len() - 1].clone();
                    let value = self.import_from(&module, &name)?;
                    self.stack.push(value);
                }
                Op::ImportAll => {
                    let module = self.pop();
                    self.import_all(&module)?;
                }
                Op::Enter => self.enter_manager()?,
                // After a body without an exception the result of `__exit__` means nothing.
                Op::Leave => {
                    let exit = self.pop();
                    let none = ScriptValue::None;
                    self.call(&exit, vec![none.clone(), none.clone(), none])?;
                }
                Op::LeaveFailed => self.leave_failed()?,
            }
        }
    }

    fn pop_two(&mut self) -> (ScriptValue, ScriptValue) {
        let second = self.pop();
        (self.pop(), second)
    }

    /// The next item of the iterator on top, or the end of the loop.
    fn next_in_loop(&mut self, end: u32) -> Flow<()> {
        let Some(ScriptValue::Object(id)) = self.stack.last() else {
            let value = self.pop();
            return Err(self.not_an_iterator(&value));
        };
        let id = *id;
        // A generator runs as a frame of this machine loop, so generators within each other use no
        // native stack: its `yield` pushes the item and continues after this step. `next_item` would
        // start another machine loop.
        if matches!(self.heap.get(id), Object::Generator(_)) {
            return self.resume(id, FrameKind::Generator(id, end));
        }
        match self.next_item(&ScriptValue::Object(id))? {
            Some(item) => self.stack.push(item),
            // The loop is over: its iterator is dropped, as `break` drops it.
            None => {
                self.stack.pop();
                self.frame.at = end as usize;
            }
        }
        Ok(())
    }

    /// Ends the frame on top. The value, if it ends the loop.
    fn return_value(&mut self) -> Flow<Option<ScriptValue>> {
        let value = self.pop();
        // The frame is left before its kind is looked at: from here on the caller's frame is on top,
        // and an error belongs to the caller's line.
        match self.leave_frame() {
            FrameKind::Call => self.stack.push(value),
            FrameKind::Init(instance) => {
                if !value.is_none() {
                    let name = self.type_name(&value);
                    let words = format!("__init__() should return None, not '{name}'");
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
                self.stack.push(instance);
            }
            FrameKind::Floor => return Ok(Some(value)),
            // The end of a generator ends the loop that it runs in: its iterator goes, as in
            // `next_in_loop`.
            FrameKind::Generator(id, end) => {
                self.finish_generator(id);
                self.stack.pop();
                self.frame.at = end as usize;
            }
            // Without `yielded`, the value is not an item: the built-in sees the end.
            FrameKind::GeneratorFloor(id) => {
                self.finish_generator(id);
                self.yielded = false;
                return Ok(Some(ScriptValue::None));
            }
            // Class bodies end with `EndClass`; `return` in one is a syntax error.
            FrameKind::Class(_) => {}
        }
        Ok(None)
    }

    /// Puts the generator's frame aside. The value, if it ends the loop.
    fn yield_value(&mut self) -> Option<ScriptValue> {
        let value = self.pop();
        // The expression `yield` is has the value None.
        self.stack.push(ScriptValue::None);
        // As `leave_frame`, but the values above `base` (slots, iterators of loops that are not over)
        // are kept with the frame. `resume` puts them back.
        let below = self.frames.pop().unwrap_or_else(|| Frame::empty(self.globals));
        let mut frame = std::mem::replace(&mut self.frame, below);
        self.depth += 1;
        let kept = self.stack.split_off(frame.base);
        self.stack.truncate(frame.bottom);
        let kind = std::mem::replace(&mut frame.kind, FrameKind::Floor);
        let (FrameKind::Generator(id, _) | FrameKind::GeneratorFloor(id)) = kind else {
            return Some(value);
        };
        if let Some(Object::Generator(generator)) = self.heap.get_mut(id) {
            generator.state = GeneratorState::Waiting(Box::new((frame, kept)));
        }
        if matches!(kind, FrameKind::GeneratorFloor(_)) {
            self.yielded = true;
            return Some(value);
        }
        self.stack.push(value);
        None
    }

    /// Puts a waiting generator on top.
    pub(crate) fn resume(&mut self, id: ObjectId, kind: FrameKind) -> Flow<()> {
        let Some(Object::Generator(generator)) = self.heap.get_mut(id) else {
            return Ok(());
        };
        // The frame is moved out of the generator while it runs. A generator that asks itself for an
        // item therefore finds `Running` and raises, as in CPython.
        let state = std::mem::replace(&mut generator.state, GeneratorState::Running);
        let (mut frame, kept) = match state {
            GeneratorState::Waiting(waiting) => *waiting,
            GeneratorState::Running => {
                return Err(self.raise(ExceptionKind::ValueError, "generator already executing"));
            }
            GeneratorState::Done => {
                self.finish_generator(id);
                match kind {
                    FrameKind::Generator(_, end) => {
                        self.stack.pop();
                        self.frame.at = end as usize;
                    }
                    _ => self.yielded = false,
                }
                return Ok(());
            }
        };
        frame.kind = kind;
        // The stack may have another height than at the last `yield`; all places in the frame count
        // from `base`, so only these two numbers change.
        frame.bottom = self.stack.len();
        frame.base = self.stack.len();
        self.stack.extend(kept);
        self.enter_frame(frame)
    }

    fn enter_manager(&mut self) -> Flow<()> {
        let manager = self.pop();
        // CPython 2 looks for `__exit__` first and reports that one if both are missing.
        let exit = self.special(&manager, "__exit__")?;
        let enter = self.special(&manager, "__enter__")?;
        let (Some(enter), Some(exit)) = (enter, exit.clone()) else {
            let name = if exit.is_none() { "__exit__" } else { "__enter__" };
            return Err(self.no_attribute(&manager, name));
        };
        self.stack.push(exit);
        let entered = self.call(&enter, Vec::new())?;
        self.stack.push(entered);
        Ok(())
    }

    /// Tells a manager of an exception; whether it swallows it is left on the stack.
    fn leave_failed(&mut self) -> Flow<()> {
        let exception = self.pop();
        let exit = self.pop();
        let class = match exception.object().map(|id| self.heap.get(id)) {
            Some(Object::Exception(found)) => found.class.clone(),
            _ => ScriptValue::None,
        };
        // The third argument would be the traceback, which scripts do not have. A true result means
        // that the manager handled the exception.
        let result = self.call(&exit, vec![class, exception, ScriptValue::None])?;
        let truth = self.truth(&result)?;
        self.stack.push(ScriptValue::Bool(truth));
        Ok(())
    }

    // ---- names ----

    fn cell(&mut self, at: u32) -> Flow {
        let id = self.frame.cells[at as usize];
        if let Object::Cell(value) = self.heap.get(id)
            && !value.is_unset()
        {
            return Ok(value.clone());
        }
        let code = &self.frame.code;
        let name = code.cells.get(at as usize).cloned().unwrap_or_default();
        // The cells of the function itself come first; those behind belong to functions around it.
        Err(if (at as usize) < code.own_cells {
            let words = format!("local variable '{name}' referenced before assignment");
            self.raise(ExceptionKind::UnboundLocalError, &words)
        } else {
            let words = format!("free variable '{name}' referenced before assignment in enclosing scope");
            self.raise(ExceptionKind::NameError, &words)
        })
    }

    #[cold]
    fn unbound_local(&mut self, slot: u32) -> Stop {
        let name = self
            .frame
            .code
            .locals
            .get(slot as usize)
            .cloned()
            .unwrap_or_default();
        let words = format!("local variable '{name}' referenced before assignment");
        self.raise(ExceptionKind::UnboundLocalError, &words)
    }

    #[cold]
    fn unknown_name(&mut self, name: &str, global: bool) -> Stop {
        let word = if global { "global " } else { "" };
        let words = format!("{word}name '{name}' is not defined");
        self.raise(ExceptionKind::NameError, &words)
    }

    fn global(&mut self, at: u32) -> Flow {
        let name = &self.frame.code.names[at as usize];
        if let Some(value) = self.named(self.frame.globals, name) {
            return Ok(value.clone());
        }
        // Built-ins are the last resort, so a module may have its own `max`. Which built-in a name
        // means was found when the code was compiled.
        if let Some(value) = &name.builtin {
            return Ok(value.clone());
        }
        let name = name.text.clone();
        // CPython 2 says `global name` inside a function and `name` at module level.
        let in_function = &*self.frame.code.name != "<module>";
        Err(self.unknown_name(&name, in_function))
    }

    fn own_name(&mut self, at: u32) -> Flow {
        let name = &self.frame.code.names[at as usize];
        // A class body or an evaluated text does not know in advance what is assigned in it: own dict,
        // module, built-ins are searched each time.
        if let Some(names) = self.frame.names
            && let Some(value) = self.named(names, name)
        {
            return Ok(value.clone());
        }
        if let Some(value) = self.named(self.frame.globals, name) {
            return Ok(value.clone());
        }
        if let Some(value) = &name.builtin {
            return Ok(value.clone());
        }
        let name = name.text.clone();
        Err(self.unknown_name(&name, false))
    }

    /// The entry of a dict whose keys are names.
    #[inline]
    pub(crate) fn named(&self, dict: ObjectId, name: &Name) -> Option<&ScriptValue> {
        let Object::Dict(table) = self.heap.get(dict) else {
            return None;
        };
        // The hash of a name is computed when the code is compiled. A key of another hash is reported
        // as nothing and cannot be the name.
        let found = table.find::<()>(name.hash, |key| {
            Ok(key.is_some_and(|key| is_text(key, &name.value)))
        });
        match found {
            Ok(Ok(at)) => table.slot(at).map(|entry| &entry.value),
            _ => None,
        }
    }

    pub(crate) fn set_name(&mut self, dict: ObjectId, name: &Name, value: ScriptValue) -> Flow<()> {
        let Object::Dict(table) = self.heap.get(dict) else {
            return Ok(());
        };
        let found = table.find::<()>(name.hash, |key| {
            Ok(key.is_some_and(|key| is_text(key, &name.value)))
        });
        // Only a new name takes memory: a loop that counts a global up needs no more of it.
        let is_new = !matches!(found, Ok(Ok(_)));
        if is_new {
            if table.len() >= self.limits.items {
                return Err(limit(ScriptLimit::Memory));
            }
            self.allocate(64)?;
        }
        // The limits had to be checked in between, which needs the machine. Nothing has changed the
        // table since, so the place found above is still right.
        if let Some(Object::Dict(table)) = self.heap.get_mut(dict) {
            match found {
                Ok(Ok(at)) => {
                    if let Some(old) = table.value_mut(at) {
                        *old = value;
                    }
                }
                Ok(Err(at)) => table.insert(
                    at,
                    cw_expr::TableEntry {
                        hash: name.hash,
                        key: name.value.clone(),
                        value,
                    },
                ),
                Err(()) => {}
            }
        }
        Ok(())
    }

    /// Whether there was such a name.
    pub(crate) fn delete_named(&mut self, dict: ObjectId, name: &Name) -> bool {
        let Some(Object::Dict(table)) = self.heap.get_mut(dict) else {
            return false;
        };
        let found = table.find::<()>(name.hash, |key| {
            Ok(key.is_some_and(|key| is_text(key, &name.value)))
        });
        match found {
            Ok(Ok(at)) => {
                table.remove(at);
                true
            }
            _ => false,
        }
    }

    // ---- output ----

    fn print(&mut self, value: &ScriptValue) -> Flow<()> {
        // The blank is written before the next item, so a last `print x,` leaves none behind. The flag
        // outlives the statement: the next `print` continues the same line.
        if self.soft_space {
            self.write_out(" ")?;
        }
        let text = self.text_of(value)?;
        let shown = text.shown().unwrap_or_default();
        self.write_out(&shown)?;
        self.soft_space = is_blank_next(value);
        Ok(())
    }

    fn write_out(&mut self, text: &str) -> Flow<()> {
        // A text that is too long is not cut off: the run ends (S196).
        if self.output.len() + text.len() > self.limits.output {
            return Err(limit(ScriptLimit::Output));
        }
        self.output.push_str(text);
        Ok(())
    }

    fn print_to(&mut self, value: &ScriptValue) -> Flow<()> {
        let file = self.stack.last().cloned().unwrap_or(ScriptValue::None);
        // As in CPython, the file itself remembers whether a blank comes next. A file without the
        // attribute counts as one that nothing was printed to.
        let soft = self.find_attribute(&file, &attribute::named("softspace"))?;
        if let Some(soft) = soft
            && self.truth(&soft)?
        {
            self.write_to(ScriptValue::text(" "), false)?;
        }
        let text = self.text_of(value)?;
        self.write_to(text, is_blank_next(value))
    }

    /// Writes to the object on top of the stack, and notes whether a blank comes next.
    fn write_to(&mut self, text: ScriptValue, soft: bool) -> Flow<()> {
        let file = self.stack.last().cloned().unwrap_or(ScriptValue::None);
        let write = self.attribute_named(&file, "write")?;
        self.call(&write, vec![text])?;
        self.set_attribute(
            &file,
            &attribute::named("softspace"),
            ScriptValue::Int(i64::from(soft)),
        )
    }
}

/// Whether a blank comes between this item of `print` and the next: a text that ends with a blank other than
/// a space needs none.
fn is_blank_next(value: &ScriptValue) -> bool {
    let last = value.shown().and_then(|text| text.chars().next_back());
    !last.is_some_and(|c| c.is_whitespace() && c != ' ')
}

/// Whether two texts of names are the same.
#[inline]
fn is_text(left: &ScriptValue, right: &ScriptValue) -> bool {
    match (left, right) {
        (ScriptValue::Text(left), ScriptValue::Text(right)) => Arc::ptr_eq(left, right) || left == right,
        (ScriptValue::Wide(left), ScriptValue::Wide(right)) => left == right,
        _ => false,
    }
}

/// The end of a run at a limit.
#[cold]
pub(crate) fn limit(which: ScriptLimit) -> Stop {
    Stop::End(Box::new(RunStop::Limit(which)))
}

/// The end of a run, or an exception, by the host's will.
impl Machine<'_> {
    #[cold]
    pub(crate) fn stopped(&mut self, stop: HostStop) -> Stop {
        match stop {
            HostStop::Raise(kind, words) => self.raise(kind, &words),
            HostStop::Ask => Stop::End(Box::new(RunStop::Ask)),
            HostStop::End(words) => Stop::End(Box::new(RunStop::Host(words))),
        }
    }
}
