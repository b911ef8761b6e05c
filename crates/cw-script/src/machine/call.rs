//! Calls: of a script's functions on the stack, of all else at once.

use cw_expr::ExceptionKind;
use std::sync::Arc;

use crate::code::Code;
use crate::machine::{Flow, Frame, FrameKind, Machine, Stop};
use crate::object::{FunctionObject, GeneratorObject, GeneratorState, Iteration, Object};
use crate::value::{ObjectId, ScriptValue};

/// Arguments by name.
pub(crate) type Named = Vec<(ScriptValue, ScriptValue)>;

impl Machine<'_> {
    /// Calls what lies below `args` arguments. A script's function takes them where they lie.
    pub(crate) fn call_on_stack(&mut self, args: usize) -> Flow<()> {
        let at = self.stack.len() - args - 1;
        let ScriptValue::Object(id) = self.stack[at] else {
            return self.call_general(args, Vec::new());
        };
        match self.heap.get(id) {
            Object::Function(function) if function.code.rest.is_none() && function.code.named.is_none() => {
                let code = function.code.clone();
                let missing = code.params.saturating_sub(args);
                if args > code.params || missing > function.defaults.len() {
                    return self.call_general(args, Vec::new());
                }
                let defaults = function.defaults.len() - missing..;
                self.stack.extend_from_slice(&function.defaults[defaults]);
                self.enter_function(id, &code, at, FrameKind::Call)
            }
            Object::BoundMethod { object, function } => {
                let (object, function) = (object.clone(), function.clone());
                self.stack[at] = function;
                self.stack.insert(at + 1, object);
                self.call_on_stack(args + 1)
            }
            _ => self.call_general(args, Vec::new()),
        }
    }

    /// Enters a function whose parameters lie on the stack behind `bottom`.
    fn enter_function(&mut self, id: ObjectId, code: &Arc<Code>, bottom: usize, kind: FrameKind) -> Flow<()> {
        let base = bottom + 1;
        self.stack.resize(base + code.locals.len(), ScriptValue::Unset);
        self.enter_code(id, code, bottom, base, kind)
    }

    /// The same where the slots are filled.
    fn enter_code(
        &mut self,
        id: ObjectId,
        code: &Arc<Code>,
        bottom: usize,
        base: usize,
        kind: FrameKind,
    ) -> Flow<()> {
        let Object::Function(function) = self.heap.get(id) else {
            return Ok(());
        };
        let globals = function.globals;
        let mut cells = Vec::new();
        if !code.cells.is_empty() {
            let free = function.free.clone();
            for _ in 0..code.own_cells {
                cells.push(self.make_id(Object::Cell(ScriptValue::Unset))?);
            }
            for (slot, cell) in &code.cell_params {
                let value = self.stack[base + slot].clone();
                if let Some(Object::Cell(held)) = self.heap.get_mut(cells[*cell]) {
                    *held = value;
                }
            }
            cells.extend(free);
        }
        let frame = Frame {
            code: code.clone(),
            at: 0,
            base,
            bottom,
            globals,
            names: None,
            cells,
            tries: Vec::new(),
            kind,
            caught: None,
        };
        if code.is_generator {
            let mut kept = self.stack.split_off(base);
            self.stack.truncate(bottom);
            kept.truncate(code.locals.len());
            let kind = frame.kind.clone();
            let frame = Frame {
                kind: FrameKind::Floor,
                ..frame
            };
            let generator = self.make(Object::Generator(Box::new(GeneratorObject {
                state: GeneratorState::Waiting(Box::new((frame, kept))),
                name: code.name.clone(),
            })))?;
            if matches!(kind, FrameKind::Floor) {
                // Whoever asked takes it from the stack.
                self.yielded = true;
            }
            self.stack.push(generator);
            return Ok(());
        }
        self.enter_frame(frame)
    }

    /// Calls what lies below `args` arguments, with more of them by name.
    pub(crate) fn call_general(&mut self, args: usize, named: Named) -> Flow<()> {
        let args = self.pop_many(args);
        let function = self.pop();
        self.start(function, args, named)
    }

    pub(crate) fn call_spread(&mut self, args: usize, spread: u8, names: usize) -> Flow<()> {
        let star_star = (spread & 2 != 0).then(|| self.pop());
        let star = (spread & 1 != 0).then(|| self.pop());
        let names = self.frame.code.keywords[names].clone();
        let values = self.pop_many(names.len());
        let mut named: Named = names.into_iter().map(|name| name.value).zip(values).collect();
        let mut plain = self.pop_many(args);
        let function = self.pop();
        if let Some(star) = star {
            match self.items_of(&star) {
                Ok(items) => plain.extend(items),
                Err(Stop::Raise(_)) if !self.can_iterate(&star) => {
                    let (name, kind) = (self.function_name(&function), self.type_name(&star));
                    let words = format!("{name} argument after * must be an iterable, not {kind}");
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
                Err(stop) => return Err(stop),
            }
        }
        if let Some(star_star) = star_star {
            let Some(dict) = self.dict_of(&star_star) else {
                let (name, kind) = (self.function_name(&function), self.type_name(&star_star));
                let words = format!("{name} argument after ** must be a mapping, not {kind}");
                return Err(self.raise(ExceptionKind::TypeError, &words));
            };
            for (key, value) in self.dict_entries(dict) {
                if key.as_text().is_none() {
                    let words = format!("{} keywords must be strings", self.function_name(&function));
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
                if named.iter().any(|(name, _)| name.shown() == key.shown()) {
                    let words = format!(
                        "{} got multiple values for keyword argument '{}'",
                        self.function_name(&function),
                        key.shown().unwrap_or_default()
                    );
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
                named.push((key, value));
            }
        }
        self.start(function, plain, named)
    }

    /// How messages name what is called: `f()`.
    fn function_name(&mut self, function: &ScriptValue) -> String {
        match self.name_of_callable(function) {
            Some(name) => format!("{name}()"),
            None => format!("{} object", self.type_name(function)),
        }
    }

    pub(crate) fn name_of_callable(&self, function: &ScriptValue) -> Option<String> {
        match function {
            ScriptValue::Builtin(at) => Some(crate::machine::builtin::name(*at).to_owned()),
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Function(function) => function.name.shown(),
                Object::BoundMethod { function, .. } => self.name_of_callable(function),
                Object::NativeMethod { name, .. } => Some(crate::code::native_name(*name).to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Begins a call: a script's function gets its frame, all else its value on the stack.
    pub(crate) fn start(&mut self, function: ScriptValue, args: Vec<ScriptValue>, named: Named) -> Flow<()> {
        if let ScriptValue::Object(id) = function {
            match self.heap.get(id) {
                Object::Function(_) => return self.start_function(id, args, named, FrameKind::Call),
                Object::BoundMethod { object, function } => {
                    let (object, function) = (object.clone(), function.clone());
                    let mut all = vec![object];
                    all.extend(args);
                    return self.start(function, all, named);
                }
                Object::Class(_) => return self.instantiate(id, args, named),
                _ => {}
            }
        }
        let value = self.call_native(&function, args, named)?;
        self.stack.push(value);
        Ok(())
    }

    pub(crate) fn start_function(
        &mut self,
        id: ObjectId,
        args: Vec<ScriptValue>,
        named: Named,
        kind: FrameKind,
    ) -> Flow<()> {
        let bottom = self.stack.len();
        let Object::Function(function) = self.heap.get(id) else {
            return Ok(());
        };
        let function = (**function).clone();
        let slots = self.bind(&function, args, named)?;
        let code = function.code;
        self.stack.extend(slots);
        self.enter_code(id, &code, bottom, bottom, kind)
    }

    /// The slots of a function with these arguments, in CPython's words where they do not fit.
    fn bind(
        &mut self,
        function: &FunctionObject,
        mut args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow<Vec<ScriptValue>> {
        let code = &function.code;
        let name = function.name.shown().unwrap_or_default();
        let (given, by_name) = (args.len(), named.len());
        let defaults = &function.defaults;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        if code.params == 0 && code.rest.is_none() && code.named.is_none() && given + by_name > 0 {
            let words = format!("{name}() takes no arguments ({} given)", given + by_name);
            return Err(self.raise(ExceptionKind::TypeError, &words));
        }
        if given > code.params && code.rest.is_none() {
            let bound = if defaults.is_empty() { "exactly" } else { "at most" };
            let words = format!(
                "{name}() takes {bound} {} argument{} ({} given)",
                code.params,
                plural(code.params),
                given + by_name
            );
            return Err(self.raise(ExceptionKind::TypeError, &words));
        }
        let more = args.split_off(given.min(code.params));
        let mut slots = args;
        slots.resize(code.locals.len(), ScriptValue::Unset);
        if let Some(rest) = code.rest {
            slots[rest] = self.make_tuple(more)?;
        }
        let mut others = None;
        if let Some(at) = code.named {
            let dict = self.make_dict()?;
            slots[at] = ScriptValue::Object(dict);
            others = Some(dict);
        }
        for (key, value) in named {
            let text = key.shown().unwrap_or_default();
            let place = code
                .locals
                .iter()
                .take(code.params)
                .position(|local| **local == *text);
            match (place, others) {
                (Some(place), _) if !slots[place].is_unset() => {
                    let words = format!("{name}() got multiple values for keyword argument '{text}'");
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
                (Some(place), _) => slots[place] = value,
                (None, Some(dict)) => self.dict_set(dict, key, value)?,
                (None, None) => {
                    let words = format!("{name}() got an unexpected keyword argument '{text}'");
                    return Err(self.raise(ExceptionKind::TypeError, &words));
                }
            }
        }
        let least = code.params - defaults.len().min(code.params);
        if slots[..least].iter().any(ScriptValue::is_unset) {
            let bound = if code.rest.is_some() || !defaults.is_empty() {
                "at least"
            } else {
                "exactly"
            };
            let filled = slots[..code.params]
                .iter()
                .filter(|slot| !slot.is_unset())
                .count();
            let words = format!(
                "{name}() takes {bound} {least} argument{} ({filled} given)",
                plural(least)
            );
            return Err(self.raise(ExceptionKind::TypeError, &words));
        }
        for (slot, default) in slots[least..code.params].iter_mut().zip(defaults) {
            if slot.is_unset() {
                *slot = default.clone();
            }
        }
        Ok(slots)
    }

    /// Calls anything and waits for its value.
    pub(crate) fn call(&mut self, function: &ScriptValue, args: Vec<ScriptValue>) -> Flow {
        self.call_named(function, args, Vec::new())
    }

    pub(crate) fn call_named(
        &mut self,
        function: &ScriptValue,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        let ScriptValue::Object(id) = function else {
            return self.call_native(function, args, named);
        };
        match self.heap.get(*id) {
            Object::Function(_) => {
                let id = *id;
                self.deeper(|machine| {
                    machine.yielded = false;
                    machine.start_function(id, args, named, FrameKind::Floor)?;
                    if std::mem::take(&mut machine.yielded) {
                        return Ok(machine.pop());
                    }
                    machine.run()
                })
            }
            Object::BoundMethod { object, function } => {
                let (object, function) = (object.clone(), function.clone());
                let mut all = vec![object];
                all.extend(args);
                self.call_named(&function, all, named)
            }
            Object::Class(_) => {
                let id = *id;
                self.deeper(|machine| machine.instance_of(id, args, named))
            }
            _ => self.call_native(function, args, named),
        }
    }

    /// Calls what is no script's function.
    fn call_native(&mut self, function: &ScriptValue, args: Vec<ScriptValue>, named: Named) -> Flow {
        match function {
            ScriptValue::Builtin(at) => {
                let at = *at;
                self.call_builtin(at, args, named)
            }
            ScriptValue::Type(kind) => self.construct(*kind, args, named),
            ScriptValue::HostFunction(at) => self.call_host(*at, &args, &named),
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::NativeMethod { object, name } => {
                    let (object, name) = (object.clone(), *name);
                    self.native_method(&object, name, args, named)
                }
                Object::TypeMethod { kind, name } => {
                    let (kind, name) = (*kind, *name);
                    self.type_method(kind, name, args, named)
                }
                Object::Instance(_) => match self.special(function, "__call__")? {
                    Some(method) => self.deeper(|machine| machine.call_named(&method, args, named)),
                    None => Err(self.not_callable(function)),
                },
                _ => Err(self.not_callable(function)),
            },
            _ => Err(self.not_callable(function)),
        }
    }

    #[cold]
    fn not_callable(&mut self, function: &ScriptValue) -> Stop {
        if let Some(name) = self.old_instance(function) {
            let words = format!("{name} instance has no __call__ method");
            return self.raise(ExceptionKind::AttributeError, &words);
        }
        let words = format!("'{}' object is not callable", self.type_name(function));
        self.raise(ExceptionKind::TypeError, &words)
    }

    /// Makes a function of the code within, with what lies on the stack.
    pub(crate) fn make_function(&mut self, code: usize, defaults: usize, cells: usize) -> Flow<()> {
        let free = self
            .pop_many(cells)
            .iter()
            .filter_map(ScriptValue::object)
            .collect();
        let defaults = self.pop_many(defaults);
        let code = self.frame.code.codes[code].clone();
        let name = ScriptValue::text(&code.name);
        let function = FunctionObject {
            code,
            defaults,
            free,
            globals: self.frame.globals,
            name,
            names: None,
        };
        let value = self.make(Object::Function(Box::new(function)))?;
        self.stack.push(value);
        Ok(())
    }

    /// The next value of a generator that is asked by a built-in function.
    pub(crate) fn generator_next(&mut self, id: ObjectId) -> Flow<Option<ScriptValue>> {
        if let Object::Generator(generator) = self.heap.get(id)
            && matches!(generator.state, GeneratorState::Done)
        {
            return Ok(None);
        }
        self.deeper(|machine| {
            machine.resume(id, FrameKind::GeneratorFloor(id))?;
            match machine.run() {
                Ok(value) => Ok(std::mem::take(&mut machine.yielded).then_some(value)),
                Err(Stop::Raise(exception)) if machine.is_a(exception, ExceptionKind::StopIteration) => {
                    Ok(None)
                }
                Err(stop) => Err(stop),
            }
        })
    }

    /// Evaluates code in these names, as `eval` does.
    pub(crate) fn run_text(&mut self, code: Arc<Code>, names: Option<ObjectId>, globals: ObjectId) -> Flow {
        let base = self.stack.len();
        self.stack.resize(base + code.locals.len(), ScriptValue::Unset);
        let frame = Frame {
            code,
            at: 0,
            base,
            bottom: base,
            globals,
            names,
            cells: Vec::new(),
            tries: Vec::new(),
            kind: FrameKind::Floor,
            caught: None,
        };
        self.deeper(|machine| {
            machine.enter_frame(frame)?;
            machine.run()
        })
    }

    /// A finished list as an iterator.
    pub(crate) fn listed(&mut self, items: Vec<ScriptValue>) -> Flow {
        self.room(items.len())?;
        self.make(Object::Iterator(Box::new(crate::object::IteratorObject {
            kind: Iteration::Listed(items),
            at: 0,
        })))
    }
}
