//! Values as texts: `repr`, `str`.

use cw_expr::PythonType;

use crate::host::HostForm;
use crate::limits::ScriptLimit;
use crate::machine::{Flow, Machine, limit};
use crate::object::{DictPart, Object};
use crate::value::{ObjectId, ScriptType, ScriptValue};

/// The place of an object as it is shown: a number that is the same in every run.
fn address(id: ObjectId) -> u64 {
    0x7f00_0000_0000 + u64::from(id.0) * 64
}

impl Machine<'_> {
    /// `repr(value)` as a value.
    pub(crate) fn repr_value(&mut self, value: &ScriptValue) -> Flow {
        let mut out = String::new();
        self.write_repr(value, &mut out)?;
        self.make_text(&out)
    }

    /// `str(value)`.
    pub(crate) fn text_of(&mut self, value: &ScriptValue) -> Flow {
        match value {
            ScriptValue::Text(_) | ScriptValue::Wide(_) => return Ok(value.clone()),
            ScriptValue::Float(_) | ScriptValue::Complex(_) | ScriptValue::Long(_) => {
                if let Some(plain) = value.plain() {
                    let bytes = self.calculate(|calculator| calculator.text(&plain))?;
                    return Ok(ScriptValue::bytes(bytes));
                }
            }
            ScriptValue::Host(handle) => return Ok(self.host_text(*handle, HostForm::Text)),
            ScriptValue::Object(id) => {
                if let Some(method) = self.special(value, "__str__")? {
                    return self.text_by(&method, "__str__");
                }
                match self.heap.get(*id) {
                    Object::Exception(_) => return self.exception_text(value),
                    Object::Instance(instance) if !self.has_special(value, "__repr__") => {
                        let payload = instance.payload.clone();
                        if !payload.is_none() && !matches!(payload, ScriptValue::Object(_)) {
                            return self.text_of(&payload);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        self.repr_value(value)
    }

    /// The text that a method of a script gives.
    fn text_by(&mut self, method: &ScriptValue, name: &str) -> Flow {
        let text = self.deeper(|machine| machine.call(method, Vec::new()))?;
        if text.as_text().is_none() {
            let words = format!("{name} returned non-string (type {})", self.type_name(&text));
            return Err(self.type_error(&words));
        }
        Ok(text)
    }

    /// What `str` gives of an exception.
    pub(crate) fn exception_text(&mut self, value: &ScriptValue) -> Flow {
        let Some(Object::Exception(exception)) = value.object().map(|id| self.heap.get(id)) else {
            return Ok(ScriptValue::text(""));
        };
        let (kind, args) = (exception.kind, exception.args.clone());
        if kind.is_a(cw_expr::ExceptionKind::EnvironmentError) && (args.len() == 2 || args.len() == 3) {
            let number = self.text_of(&args[0])?.shown().unwrap_or_default();
            let words = self.text_of(&args[1])?.shown().unwrap_or_default();
            return Ok(ScriptValue::text(&format!("[Errno {number}] {words}")));
        }
        match &args[..] {
            [] => Ok(ScriptValue::text("")),
            [only] if kind.is_a(cw_expr::ExceptionKind::KeyError) => self.repr_value(only),
            [only] => self.deeper(|machine| machine.text_of(only)),
            _ => {
                let tuple = self.make_tuple(args)?;
                self.repr_value(&tuple)
            }
        }
    }

    pub(crate) fn write_repr(&mut self, value: &ScriptValue, out: &mut String) -> Flow<()> {
        self.charge(1)?;
        if out.len() > self.limits.text {
            return Err(limit(ScriptLimit::Memory));
        }
        if let Some(plain) = value.plain() {
            if let ScriptValue::Type(kind) = value {
                out.push_str(&type_repr(*kind));
                return Ok(());
            }
            let text = self.calculate(|calculator| calculator.repr(&plain))?;
            out.push_str(&text);
            return Ok(());
        }
        match value {
            ScriptValue::Type(kind) => out.push_str(&type_repr(*kind)),
            ScriptValue::Builtin(at) => {
                out.push_str(&format!(
                    "<built-in function {}>",
                    crate::machine::builtin::name(*at)
                ));
            }
            ScriptValue::HostFunction(at) => {
                let name = self.host_names.get(usize::from(*at)).cloned().unwrap_or_default();
                out.push_str(&format!("<function {name}>"));
            }
            ScriptValue::Host(handle) => {
                let text = self.host_text(*handle, HostForm::Repr);
                out.push_str(&text.shown().unwrap_or_default());
            }
            ScriptValue::Object(_) => {
                if let Some(method) = self.special(value, "__repr__")? {
                    let text = self.text_by(&method, "__repr__")?;
                    out.push_str(&text.shown().unwrap_or_default());
                    return Ok(());
                }
                self.write_repr_natively(value, out)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What the built-in type shows.
    pub(crate) fn write_repr_natively(&mut self, value: &ScriptValue, out: &mut String) -> Flow<()> {
        let Some(id) = value.object() else {
            return self.write_repr(value, out);
        };
        if self.showing.contains(&id) {
            out.push_str(match self.heap.get(id) {
                Object::List(_) => "[...]",
                Object::Tuple(_) => "(...)",
                Object::Dict(_) => "{...}",
                _ => "...",
            });
            return Ok(());
        }
        self.showing.push(id);
        let result = self.deeper(|machine| machine.write_object(id, value, out));
        self.showing.pop();
        result
    }

    fn write_object(&mut self, id: ObjectId, value: &ScriptValue, out: &mut String) -> Flow<()> {
        match self.heap.get(id) {
            Object::List(items) => {
                let items = items.clone();
                self.write_items("[", &items, "]", out)?;
            }
            Object::Tuple(items) => {
                let items = items.clone();
                let close = if items.len() == 1 { ",)" } else { ")" };
                self.write_items("(", &items, close, out)?;
            }
            Object::Dict(_) => {
                out.push('{');
                for (at, (key, value)) in self.dict_entries(id).into_iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    self.write_repr(&key, out)?;
                    out.push_str(": ");
                    self.write_repr(&value, out)?;
                }
                out.push('}');
            }
            Object::Set(table) | Object::FrozenSet(table) => {
                let keys: Vec<ScriptValue> = table.iter().map(|entry| entry.key.clone()).collect();
                let name = if matches!(self.heap.get(id), Object::Set(_)) {
                    "set(["
                } else {
                    "frozenset(["
                };
                self.write_items(name, &keys, "])", out)?;
            }
            Object::Deque(items) => {
                let (items, most): (Vec<_>, _) = (items.0.iter().cloned().collect(), items.1);
                self.write_items("deque([", &items, "]", out)?;
                if let Some(most) = most {
                    out.push_str(&format!(", maxlen={most}"));
                }
                out.push(')');
            }
            Object::Slice(parts) => {
                let parts = parts.to_vec();
                self.write_items("slice(", &parts, ")", out)?;
            }
            Object::XRange { start, step, len } => {
                let (start, step, stop) = (*start, *step, start + step * len);
                out.push_str(&match (start, step) {
                    (0, 1) => format!("xrange({stop})"),
                    (_, 1) => format!("xrange({start}, {stop})"),
                    _ => format!("xrange({start}, {stop}, {step})"),
                });
            }
            Object::View { dict, part } => {
                let (dict, part) = (ScriptValue::Object(*dict), *part);
                let name = match part {
                    DictPart::Keys => "dict_keys([",
                    DictPart::Values => "dict_values([",
                    DictPart::Items => "dict_items([",
                };
                let _ = dict;
                let items = self.items_of(value)?;
                self.write_items(name, &items, "])", out)?;
            }
            Object::Exception(exception) => {
                let (class, args) = (exception.class.clone(), exception.args.clone());
                let name = self.class_name(&class);
                let close = if args.len() == 1 { ",)" } else { ")" };
                self.write_items(&format!("{name}("), &args, close, out)?;
            }
            Object::Function(function) => {
                let name = function.name.shown().unwrap_or_default();
                out.push_str(&format!("<function {name} at {:#x}>", address(id)));
            }
            Object::Class(class) => {
                let (name, module) = (
                    class.name.shown().unwrap_or_default(),
                    class.module.shown().unwrap_or_default(),
                );
                out.push_str(&if class.is_old {
                    format!("<class {module}.{name} at {:#x}>", address(id))
                } else {
                    format!("<class '{module}.{name}'>")
                });
            }
            Object::Instance(instance) => {
                let payload = instance.payload.clone();
                if !payload.is_none() {
                    return self.write_repr(&payload, out);
                }
                if let Object::Class(class) = self.heap.get(instance.class) {
                    let (name, module) = (
                        class.name.shown().unwrap_or_default(),
                        class.module.shown().unwrap_or_default(),
                    );
                    let word = if class.is_old { "instance" } else { "object" };
                    out.push_str(&format!("<{module}.{name} {word} at {:#x}>", address(id)));
                }
            }
            Object::BoundMethod { object, function } => {
                let (object, function) = (object.clone(), function.clone());
                let class = self.class_of(&object).map(ScriptValue::Object);
                let class = class.map(|class| self.class_name(&class)).unwrap_or_default();
                let name = self.name_of_callable(&function).unwrap_or_default();
                out.push_str(&format!("<bound method {class}.{name} of "));
                self.write_repr(&object, out)?;
                out.push('>');
            }
            Object::NativeMethod { object, name } => {
                let (object, name) = (object.clone(), crate::code::native_name(*name));
                let kind = self.type_name(&object);
                out.push_str(&format!(
                    "<built-in method {name} of {kind} object at {:#x}>",
                    address(id)
                ));
            }
            Object::TypeMethod { kind, name } => {
                let name = crate::code::native_name(*name);
                out.push_str(&format!("<method '{name}' of '{}' objects>", kind.name()));
            }
            Object::Generator(generator) => {
                out.push_str(&format!(
                    "<generator object {} at {:#x}>",
                    generator.name,
                    address(id)
                ));
            }
            Object::Module { name, .. } => out.push_str(&format!("<module '{name}' (built-in)>")),
            _ => {
                let name = self.type_name(value);
                out.push_str(&format!("<{name} object at {:#x}>", address(id)));
            }
        }
        Ok(())
    }

    fn write_items(&mut self, open: &str, items: &[ScriptValue], close: &str, out: &mut String) -> Flow<()> {
        out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.write_repr(item, out)?;
        }
        out.push_str(close);
        Ok(())
    }
}

fn type_repr(kind: ScriptType) -> String {
    let name = match kind {
        ScriptType::Core(PythonType::Exception(kind)) => format!("exceptions.{}", kind.name()),
        kind => kind.name().to_owned(),
    };
    format!("<type '{name}'>")
}
