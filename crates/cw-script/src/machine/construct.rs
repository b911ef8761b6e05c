//! Calls of built-in types.

use cw_expr::{HashTable, PythonType, Value};
use std::sync::Arc;

use crate::machine::call::Named;
use crate::machine::{Flow, Machine};
use crate::object::{ExceptionObject, Iteration, Object};
use crate::value::{ScriptType, ScriptValue};

impl Machine<'_> {
    /// `kind(…)`.
    pub(crate) fn construct(&mut self, kind: ScriptType, args: Vec<ScriptValue>, named: Named) -> Flow {
        self.charge(1)?;
        let ScriptType::Core(core) = kind else {
            return self.construct_other(kind, args);
        };
        match core {
            PythonType::Exception(kind) => {
                self.no_names(kind.name(), &named)?;
                let exception = ExceptionObject {
                    class: ScriptValue::exception(kind),
                    kind,
                    args,
                    names: None,
                    trace: Vec::new(),
                };
                self.make(Object::Exception(Box::new(exception)))
            }
            PythonType::List | PythonType::Tuple => {
                let name = core.name();
                let source = self.one_argument(name, "sequence", args, named)?;
                let items = match source {
                    Some(source) => {
                        if core == PythonType::Tuple
                            && matches!(
                                source.object().map(|id| self.heap.get(id)),
                                Some(Object::Tuple(_))
                            )
                        {
                            return Ok(source);
                        }
                        self.items_of(&source)?
                    }
                    None => Vec::new(),
                };
                if core == PythonType::List {
                    self.make_list(items)
                } else {
                    self.make_tuple(items)
                }
            }
            PythonType::Dict => {
                if args.len() > 1 {
                    let words = format!("dict expected at most 1 arguments, got {}", args.len());
                    return Err(self.type_error(&words));
                }
                let dict = self.make_dict()?;
                self.dict_update(dict, args, named)?;
                Ok(ScriptValue::Object(dict))
            }
            PythonType::Set | PythonType::FrozenSet => {
                self.no_names(core.name(), &named)?;
                self.unpack_args(core.name(), &args, 0, 1)?;
                let frozen = core == PythonType::FrozenSet;
                match args.first() {
                    Some(source) => {
                        if frozen
                            && matches!(
                                source.object().map(|id| self.heap.get(id)),
                                Some(Object::FrozenSet(_))
                            )
                        {
                            return Ok(source.clone());
                        }
                        self.set_copy(source, frozen).map(ScriptValue::Object)
                    }
                    None if frozen => self.make(Object::FrozenSet(HashTable::default())),
                    None => self.make(Object::Set(HashTable::default())),
                }
            }
            PythonType::Object => {
                if args.is_empty() && named.is_empty() {
                    self.make(Object::Plain)
                } else {
                    Err(self.type_error("object() takes no parameters"))
                }
            }
            PythonType::Bool => {
                self.unpack_bool(&args)?;
                match args.first() {
                    Some(value) => self.truth(value).map(ScriptValue::Bool),
                    None => Ok(ScriptValue::Bool(false)),
                }
            }
            PythonType::Str | PythonType::Unicode | PythonType::BaseString => {
                if core == PythonType::BaseString {
                    return Err(self.type_error("The basestring type cannot be instantiated"));
                }
                if core == PythonType::Unicode && args.len() > 1 {
                    return self.text_method(&args[0], "decode", args[1..].to_vec(), named);
                }
                self.count_args(core.name(), &args, 0, 1)?;
                match args.first() {
                    Some(value) => self.text_of(value),
                    None => Ok(ScriptValue::text("")),
                }
            }
            PythonType::Int | PythonType::Long | PythonType::Float => {
                self.construct_number(core, args, named)
            }
            PythonType::Type => self.construct_type(args),
            PythonType::Slice => {
                self.unpack_args("slice", &args, 1, 3)?;
                let mut parts = args.into_iter();
                let mut next = || parts.next();
                let (first, second, third) = (next(), next(), next());
                let none = ScriptValue::None;
                let parts = match second {
                    Some(second) => [first.unwrap_or(none.clone()), second, third.unwrap_or(none)],
                    None => [none.clone(), first.unwrap_or(none.clone()), none],
                };
                self.make(Object::Slice(Box::new(parts)))
            }
            PythonType::XRange => self.construct_range(&args),
            PythonType::Enumerate => {
                let start = match (args.get(1), named.first()) {
                    (Some(start), _) => self.integer_arg(start)?,
                    (None, Some((_, start))) => self.integer_arg(start)?,
                    (None, None) => 0,
                };
                let Some(source) = args.first() else {
                    return Err(self.type_error("Required argument 'sequence' (pos 1) not found"));
                };
                let inner = self.iterator(source)?;
                self.make_iterator(Iteration::Enumerate(inner, start))
            }
            PythonType::Reversed => {
                self.unpack_args("reversed", &args, 1, 1)?;
                let source = &args[0];
                if let Some(method) = self.special(source, "__reversed__")? {
                    return self.call(&method, Vec::new());
                }
                let own = self.payload_of(source);
                match own.object().map(|id| (id, self.heap.get(id))) {
                    Some((id, Object::List(_))) => self.make_iterator(Iteration::ListReversed(id)),
                    Some((
                        _,
                        Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_) | Object::Generator(_),
                    ))
                    | None
                        if own.as_text().is_none() =>
                    {
                        Err(self.type_error("argument to reversed() must be a sequence"))
                    }
                    _ => {
                        let len = self.len(source)?;
                        self.make_iterator(Iteration::Reversed(source.clone(), len))
                    }
                }
            }
            _ => {
                let exported = self.export_all(&args)?;
                let function = Value::Type(core);
                let value = self.calculate(|calculator| calculator.call(&function, &exported, &[]))?;
                self.take_in(value)
            }
        }
    }

    fn unpack_bool(&mut self, args: &[ScriptValue]) -> Flow<()> {
        self.count_args("bool", args, 0, 1)
    }

    pub(crate) fn no_names(&mut self, name: &str, named: &Named) -> Flow<()> {
        if named.is_empty() {
            return Ok(());
        }
        let words = format!("{name}() does not take keyword arguments");
        Err(self.type_error(&words))
    }

    fn one_argument(
        &mut self,
        name: &str,
        key: &str,
        mut args: Vec<ScriptValue>,
        mut named: Named,
    ) -> Flow<Option<ScriptValue>> {
        if args.len() + named.len() > 1 {
            let words = format!(
                "{name}() takes at most 1 argument ({} given)",
                args.len() + named.len()
            );
            return Err(self.type_error(&words));
        }
        if let Some((own, value)) = named.pop() {
            let own = own.shown().unwrap_or_default();
            if own != key {
                let words = format!("'{own}' is an invalid keyword argument for this function");
                return Err(self.type_error(&words));
            }
            return Ok(Some(value));
        }
        Ok(args.pop())
    }

    fn construct_number(&mut self, core: PythonType, mut args: Vec<ScriptValue>, named: Named) -> Flow {
        if let Some(first) = args.first()
            && self.class_of(first).is_some()
        {
            let method = if core == PythonType::Float {
                "__float__"
            } else {
                "__int__"
            };
            let first = first.clone();
            if let Some(method) = self.special(&first, method)? {
                return self.call(&method, Vec::new());
            }
            args[0] = self.payload_of(&first);
            if args[0].object() == first.object() {
                if let Some(name) = self.old_instance(&first) {
                    let words = format!("{name} instance has no attribute '{method}'");
                    return Err(self.raise(cw_expr::ExceptionKind::AttributeError, &words));
                }
                return Err(self.no_number(core, &first));
            }
        }
        if let Some(first) = args.first().cloned()
            && matches!(first, ScriptValue::Object(_))
        {
            return Err(self.no_number(core, &first));
        }
        if let (PythonType::Int, [ScriptValue::Int(value)], true) = (core, &args[..], named.is_empty()) {
            return Ok(ScriptValue::Int(*value));
        }
        let exported = self.export_all(&args)?;
        let mut by_name = Vec::new();
        for (key, value) in &named {
            let key: Arc<str> = key.shown().unwrap_or_default().into();
            by_name.push((key, self.export(value)?));
        }
        let function = Value::Type(core);
        let value = self.calculate(|calculator| calculator.call(&function, &exported, &by_name))?;
        self.take_in(value)
    }

    fn no_number(&mut self, core: PythonType, value: &ScriptValue) -> crate::machine::Stop {
        let words = if core == PythonType::Float {
            "float() argument must be a string or a number".to_owned()
        } else {
            let name = self.type_name(value);
            format!(
                "{}() argument must be a string or a number, not '{name}'",
                core.name()
            )
        };
        self.type_error(&words)
    }

    /// `type(value)`, `type(name, bases, names)`.
    fn construct_type(&mut self, args: Vec<ScriptValue>) -> Flow {
        if let [value] = &args[..] {
            return self.type_of(value);
        }
        let [name, bases, names] = &args[..] else {
            return Err(self.type_error("type() takes 1 or 3 arguments"));
        };
        let bases = self.items_of(bases)?;
        if bases.len() > 1 {
            return Err(self.type_error("a class has one base here, no more"));
        }
        let base = bases
            .into_iter()
            .next()
            .unwrap_or(ScriptValue::core(PythonType::Object));
        let copy = self.make_dict()?;
        self.dict_update(copy, vec![names.clone()], Vec::new())?;
        self.make_class(name.clone(), base, copy)
    }

    fn construct_range(&mut self, args: &[ScriptValue]) -> Flow {
        let range = self.range("xrange", args)?;
        self.make(Object::XRange {
            start: range.0,
            step: range.1,
            len: range.2,
        })
    }

    /// Start, step and length of a range.
    pub(crate) fn range(&mut self, name: &str, args: &[ScriptValue]) -> Flow<(i64, i64, i64)> {
        if args.is_empty() || args.len() > 3 {
            let words = if name == "xrange" {
                let given = args.len();
                if given == 0 {
                    "xrange() requires 1-3 int arguments".to_owned()
                } else {
                    format!("xrange() requires 1-3 int arguments ({given} given)")
                }
            } else if args.is_empty() {
                "range expected at least 1 arguments, got 0".to_owned()
            } else {
                format!("range expected at most 3 arguments, got {}", args.len())
            };
            return Err(self.type_error(&words));
        }
        let mut numbers = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let number = match arg {
                ScriptValue::Float(_) if name == "xrange" => None,
                ScriptValue::Float(_) => None,
                other => self.index_value(other)?,
            };
            match number {
                Some(number) => numbers.push(number),
                None => {
                    let part = match (at, args.len()) {
                        (0, 1) | (1, _) => "end",
                        (0, _) => "start",
                        _ => "step",
                    };
                    let kind = self.type_name(arg);
                    let words = if name == "xrange" {
                        match arg {
                            ScriptValue::Float(_) => "integer argument expected, got float".to_owned(),
                            _ => "an integer is required".to_owned(),
                        }
                    } else {
                        format!("range() integer {part} argument expected, got {kind}.")
                    };
                    return Err(self.type_error(&words));
                }
            }
        }
        let (start, stop, step) = match numbers[..] {
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            [start, stop, step] => (start, stop, step),
            _ => (0, 0, 1),
        };
        if step == 0 {
            let words = if name == "xrange" {
                "xrange() arg 3 must not be zero"
            } else {
                "range() step argument must not be zero"
            };
            return Err(self.value_error(words));
        }
        let distance = i128::from(stop) - i128::from(start);
        let len = if (step > 0) == (distance > 0) && distance != 0 {
            (distance.abs() - 1) / i128::from(step).abs() + 1
        } else {
            0
        };
        Ok((start, step, i64::try_from(len).unwrap_or(i64::MAX)))
    }

    fn construct_other(&mut self, kind: ScriptType, args: Vec<ScriptValue>) -> Flow {
        let mut args = args.into_iter();
        let mut next = || args.next().unwrap_or(ScriptValue::None);
        match kind {
            ScriptType::Property => {
                let parts = [next(), next(), next()];
                self.make(Object::Property(Box::new(parts)))
            }
            ScriptType::StaticMethod => {
                let function = next();
                self.make(Object::StaticMethod(function))
            }
            ScriptType::ClassMethod => {
                let function = next();
                self.make(Object::ClassMethod(function))
            }
            ScriptType::Super => {
                let (class, object) = (next(), next());
                match class
                    .object()
                    .filter(|id| matches!(self.heap.get(*id), Object::Class(_)))
                {
                    Some(class) => self.make(Object::Super { class, object }),
                    None => {
                        let words =
                            format!("super() argument 1 must be type, not {}", self.type_name(&class));
                        Err(self.type_error(&words))
                    }
                }
            }
            ScriptType::NotAvailable => {
                let exception = ExceptionObject {
                    class: ScriptValue::Type(kind),
                    kind: cw_expr::ExceptionKind::StandardError,
                    args: args.collect(),
                    names: None,
                    trace: Vec::new(),
                };
                self.make(Object::Exception(Box::new(exception)))
            }
            ScriptType::Core(_)
            | ScriptType::Module
            | ScriptType::InstanceMethod
            | ScriptType::Pattern
            | ScriptType::Match => {
                let words = format!("cannot create '{}' instances", kind.name());
                Err(self.type_error(&words))
            }
        }
    }
}
