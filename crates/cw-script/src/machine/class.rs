//! Classes: making them, making their instances (S12).

use std::sync::Arc;

use cw_expr::{ExceptionKind, PythonType};

use crate::code::Code;
use crate::machine::attribute::named;
use crate::machine::call::Named;
use crate::machine::{Flow, Frame, FrameKind, Machine};
use crate::object::{ClassObject, ExceptionObject, InstanceObject, Object};
use crate::value::{ObjectId, ScriptType, ScriptValue};

impl Machine<'_> {
    /// Begins a class body, whose base and cells lie on the stack.
    pub(crate) fn begin_class(&mut self, code: usize, has_base: bool, cells: usize) -> Flow<()> {
        let cells = self
            .pop_many(cells)
            .iter()
            .filter_map(ScriptValue::object)
            .collect();
        let base = if has_base { self.pop() } else { ScriptValue::Unset };
        let code: Arc<Code> = self.frame.code.codes[code].clone();
        let names = self.make_dict()?;
        if let Some(words) = code.documentation.clone() {
            self.set_name(names, &named("__doc__"), words)?;
        }
        let base_of_stack = self.stack.len();
        self.stack
            .resize(base_of_stack + code.locals.len(), ScriptValue::Unset);
        let frame = Frame {
            at: 0,
            base: base_of_stack,
            bottom: base_of_stack,
            globals: self.frame.globals,
            names: Some(names),
            cells,
            tries: Vec::new(),
            kind: FrameKind::Class(base),
            caught: None,
            code,
        };
        self.enter_frame(frame)
    }

    /// Makes the class when its body is done.
    pub(crate) fn end_class(&mut self) -> Flow<()> {
        let names = self.frame.names.unwrap_or(self.frame.globals);
        let name = ScriptValue::text(&self.frame.code.name);
        let kind = self.leave_class_frame();
        let class = self.make_class(name, kind, names)?;
        self.stack.push(class);
        Ok(())
    }

    fn leave_class_frame(&mut self) -> ScriptValue {
        let globals = self.frame.globals;
        let below = self.frames.pop();
        let below = below.unwrap_or_else(|| Frame::empty(globals));
        let frame = std::mem::replace(&mut self.frame, below);
        self.stack.truncate(frame.bottom);
        self.depth += 1;
        match frame.kind {
            FrameKind::Class(base) => base,
            _ => ScriptValue::Unset,
        }
    }

    pub(crate) fn make_class(&mut self, name: ScriptValue, base: ScriptValue, names: ObjectId) -> Flow {
        let (kind, is_old) = match &base {
            ScriptValue::Unset => (ScriptType::Core(PythonType::Object), true),
            ScriptValue::Type(ScriptType::Core(
                kind @ (PythonType::Object
                | PythonType::Exception(_)
                | PythonType::List
                | PythonType::Dict
                | PythonType::Set
                | PythonType::FrozenSet
                | PythonType::Tuple
                | PythonType::Int
                | PythonType::Float
                | PythonType::Str
                | PythonType::Unicode),
            )) => (ScriptType::Core(*kind), false),
            ScriptValue::Type(kind) => {
                let words = format!(
                    "Error when calling the metaclass bases\n    type '{}' is not an acceptable base type",
                    kind.name()
                );
                return Err(self.type_error(&words));
            }
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Class(class) => (class.kind, class.is_old),
                _ => return Err(self.no_base(&base)),
            },
            _ => return Err(self.no_base(&base)),
        };
        let module = match self.named(self.frame.globals, &named("__name__")) {
            Some(module) => module.clone(),
            None => ScriptValue::text("__main__"),
        };
        self.make(Object::Class(Box::new(ClassObject {
            name,
            base,
            kind,
            names,
            is_old,
            module,
        })))
    }

    fn no_base(&mut self, base: &ScriptValue) -> crate::machine::Stop {
        let name = self.type_name(base);
        let words = format!("Error when calling the metaclass bases\n    '{name}' is no class to build on");
        self.type_error(&words)
    }

    /// An instance that `__init__` has not seen yet, and `__init__` if the script has one.
    fn create(
        &mut self,
        class: ObjectId,
        args: &[ScriptValue],
        by_name: &Named,
    ) -> Flow<(ScriptValue, Option<ScriptValue>)> {
        let Object::Class(found) = self.heap.get(class) else {
            return Ok((ScriptValue::None, None));
        };
        let (kind, is_old) = (found.kind, found.is_old);
        if let Some(new) = self.in_class(class, &named("__new__")) {
            let new = match new.object().map(|id| self.heap.get(id)) {
                Some(Object::StaticMethod(function)) => function.clone(),
                _ => new,
            };
            let mut all = vec![ScriptValue::Object(class)];
            all.extend(args.iter().cloned());
            let made = self.call_named(&new, all, by_name.clone())?;
            let init = match self.class_of(&made) {
                Some(own) if own == class => self.in_class(class, &named("__init__")),
                _ => None,
            };
            return Ok((made, init));
        }
        let init = self.in_class(class, &named("__init__"));
        if let ScriptType::Core(PythonType::Exception(kind)) = kind {
            let exception = ExceptionObject {
                class: ScriptValue::Object(class),
                kind,
                // `BaseException.__init__` keeps them; one of a script's own decides by itself.
                args: if init.is_some() { Vec::new() } else { args.to_vec() },
                names: None,
                trace: Vec::new(),
            };
            let made = self.make(Object::Exception(Box::new(exception)))?;
            return Ok((made, init));
        }
        let payload = self.payload(kind, args, by_name, init.is_some())?;
        if init.is_none() && payload.is_none() && !(args.is_empty() && by_name.is_empty()) {
            let words = if is_old {
                "this constructor takes no arguments"
            } else {
                "object() takes no parameters"
            };
            return Err(self.type_error(words));
        }
        let made = self.make_instance(class, payload)?;
        Ok((made, init))
    }

    pub(crate) fn make_instance(&mut self, class: ObjectId, payload: ScriptValue) -> Flow {
        let names = self.make_dict()?;
        self.make(Object::Instance(Box::new(InstanceObject {
            class,
            names,
            payload,
        })))
    }

    /// The value of a built-in type that an instance is too.
    fn payload(&mut self, kind: ScriptType, args: &[ScriptValue], by_name: &Named, has_init: bool) -> Flow {
        match kind {
            ScriptType::Core(PythonType::Object) => Ok(ScriptValue::None),
            // What can be changed is filled by `__init__`.
            ScriptType::Core(PythonType::List | PythonType::Dict | PythonType::Set) if has_init => {
                self.construct(kind, Vec::new(), Vec::new())
            }
            _ => self.construct(kind, args.to_vec(), by_name.clone()),
        }
    }

    /// Begins to make an instance: `__init__` gets its frame.
    pub(crate) fn instantiate(&mut self, class: ObjectId, args: Vec<ScriptValue>, named: Named) -> Flow<()> {
        let (instance, init) = self.create(class, &args, &named)?;
        let Some(init) = init else {
            self.stack.push(instance);
            return Ok(());
        };
        let mut all = vec![instance.clone()];
        all.extend(args);
        if let ScriptValue::Object(id) = init
            && matches!(self.heap.get(id), Object::Function(function) if !function.code.is_generator)
        {
            return self.start_function(id, all, named, FrameKind::Init(instance));
        }
        self.call_named(&init, all, named)?;
        self.stack.push(instance);
        Ok(())
    }

    /// Makes an instance and waits for `__init__`.
    pub(crate) fn instance_of(&mut self, class: ObjectId, args: Vec<ScriptValue>, named: Named) -> Flow {
        let (instance, init) = self.create(class, &args, &named)?;
        if let Some(init) = init {
            let mut all = vec![instance.clone()];
            all.extend(args);
            let value = self.call_named(&init, all, named)?;
            if !value.is_none() {
                let name = self.type_name(&value);
                let words = format!("__init__() should return None, not '{name}'");
                return Err(self.raise(ExceptionKind::TypeError, &words));
            }
        }
        Ok(instance)
    }

    /// `isinstance(value, kind)` for one class.
    pub(crate) fn is_instance(&mut self, value: &ScriptValue, kind: &ScriptValue) -> Flow<bool> {
        let class = self.type_of(value)?;
        self.is_subclass(&class, kind)
    }

    /// Whether a class is another or below it.
    pub(crate) fn is_subclass(&mut self, class: &ScriptValue, of: &ScriptValue) -> Flow<bool> {
        let mut class = class.clone();
        loop {
            self.charge(1)?;
            match (&class, of) {
                (ScriptValue::Object(one), ScriptValue::Object(other)) if one == other => return Ok(true),
                (ScriptValue::Object(id), _) => {
                    let Object::Class(found) = self.heap.get(*id) else {
                        return Ok(false);
                    };
                    if let ScriptValue::Type(ScriptType::Core(PythonType::Object)) = of {
                        return Ok(true);
                    }
                    class = found.base.clone();
                }
                (ScriptValue::Type(one), ScriptValue::Type(other)) => return Ok(is_below(*one, *other)),
                _ => return Ok(false),
            }
        }
    }
}

fn is_below(one: ScriptType, other: ScriptType) -> bool {
    use PythonType as T;
    if one == other || other == ScriptType::Core(T::Object) {
        return true;
    }
    match (one, other) {
        (ScriptType::Core(T::Exception(one)), ScriptType::Core(T::Exception(other))) => one.is_a(other),
        (ScriptType::NotAvailable, ScriptType::Core(T::Exception(other))) => {
            ExceptionKind::StandardError.is_a(other)
        }
        (ScriptType::Core(T::Bool), ScriptType::Core(T::Int)) => true,
        // There is one type of text (S15).
        (ScriptType::Core(T::Str | T::Unicode), ScriptType::Core(T::Str | T::Unicode | T::BaseString)) => {
            true
        }
        _ => false,
    }
}
