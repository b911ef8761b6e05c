//! Methods of built-in types: which there are, and who does them.

use cw_expr::{PythonType, method_named};

use crate::code::{NATIVE, native_name};
use crate::machine::call::Named;
use crate::machine::{Flow, Machine};
use crate::object::Object;
use crate::value::{ScriptType, ScriptValue};

/// Names as bits, by their places in [`NATIVE`].
const fn mask(names: &[&str]) -> u128 {
    let mut bits = 0;
    let mut at = 0;
    while at < names.len() {
        bits |= 1 << place(names[at]);
        at += 1;
    }
    bits
}

/// The place of a name; a name that is missing there does not compile.
const fn place(name: &str) -> usize {
    let mut at = 0;
    while !same(NATIVE[at], name) {
        at += 1;
    }
    at
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

const ALL: u128 = mask(&[
    "__eq__", "__ne__", "__hash__", "__init__", "__repr__", "__str__", "__cmp__",
]);
const SEQUENCE: u128 = ALL | mask(&["__contains__", "__getitem__", "__iter__", "__len__"]);
const CHANGED: u128 = SEQUENCE | mask(&["__setitem__", "__delitem__"]);
const LIST: u128 = CHANGED
    | mask(&[
        "append", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort",
    ]);
const TUPLE: u128 = SEQUENCE | mask(&["count", "index", "__new__"]);
const DICT: u128 = CHANGED
    | mask(&[
        "clear",
        "copy",
        "fromkeys",
        "get",
        "has_key",
        "items",
        "iteritems",
        "iterkeys",
        "itervalues",
        "keys",
        "pop",
        "popitem",
        "setdefault",
        "update",
        "values",
        "viewitems",
        "viewkeys",
        "viewvalues",
    ]);
const FROZEN: u128 = SEQUENCE
    | mask(&[
        "copy",
        "difference",
        "intersection",
        "isdisjoint",
        "issubset",
        "issuperset",
        "symmetric_difference",
        "union",
    ]);
const SET: u128 = FROZEN
    | mask(&[
        "add",
        "clear",
        "difference_update",
        "discard",
        "intersection_update",
        "pop",
        "remove",
        "symmetric_difference_update",
        "update",
    ]);
const DEQUE: u128 = CHANGED
    | mask(&[
        "append",
        "appendleft",
        "clear",
        "count",
        "extend",
        "extendleft",
        "pop",
        "popleft",
        "remove",
        "reverse",
        "rotate",
    ]);
const ITERATOR: u128 = mask(&["next", "__iter__"]);
const GENERATOR: u128 = ITERATOR | mask(&["close"]);
const PATTERN: u128 = mask(&["findall", "finditer", "match", "search", "split", "sub", "subn"]);
const MATCH: u128 = mask(&["end", "expand", "group", "groupdict", "groups", "span", "start"]);
const VIEW: u128 = mask(&["__iter__", "__len__", "__contains__", "isdisjoint"]);
const PROPERTY: u128 = mask(&["getter", "setter", "deleter"]);

impl Machine<'_> {
    fn natives(&self, object: &ScriptValue) -> u128 {
        let ScriptValue::Object(id) = object else {
            return 0;
        };
        match self.heap.get(*id) {
            Object::List(_) => LIST,
            Object::Tuple(_) => TUPLE,
            Object::Dict(_) => DICT,
            Object::Set(_) => SET,
            Object::FrozenSet(_) => FROZEN,
            Object::Deque(_) => DEQUE,
            Object::Iterator(_) => ITERATOR,
            Object::Generator(_) => GENERATOR,
            Object::Pattern(_) => PATTERN,
            Object::Match(_) => MATCH,
            Object::View { .. } => VIEW,
            Object::Property(_) => PROPERTY,
            Object::Exception(_) => mask(&["__init__", "__str__", "__repr__"]),
            Object::Instance(_) | Object::Plain => mask(&["__init__"]),
            Object::Slice(_)
            | Object::XRange { .. }
            | Object::Function(_)
            | Object::Class(_)
            | Object::BoundMethod { .. }
            | Object::NativeMethod { .. }
            | Object::TypeMethod { .. }
            | Object::StaticMethod(_)
            | Object::ClassMethod(_)
            | Object::Super { .. }
            | Object::Cell(_)
            | Object::Module { .. } => 0,
        }
    }

    /// Whether a value has the native method.
    pub(crate) fn has_native(&self, object: &ScriptValue, name: u16) -> bool {
        match object {
            ScriptValue::Object(id) => {
                let natives = match self.heap.get(*id) {
                    // Its own class comes first; what is its value too, afterwards.
                    Object::Instance(_) | Object::Exception(_) => 0,
                    _ => self.natives(object),
                };
                natives >> name & 1 == 1
            }
            ScriptValue::Text(_) | ScriptValue::Wide(_) => has_of_text(native_name(name)),
            ScriptValue::Bool(_) | ScriptValue::Int(_) | ScriptValue::Float(_) | ScriptValue::Long(_) => {
                match self.native_type(object) {
                    ScriptType::Core(kind) => method_named(kind, native_name(name)).is_some(),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether values of a built-in type have the method.
    pub(crate) fn type_has_native(&self, kind: ScriptType, name: u16) -> bool {
        let ScriptType::Core(kind) = kind else {
            return false;
        };
        let natives = match kind {
            PythonType::List => LIST,
            PythonType::Tuple => TUPLE,
            PythonType::Dict => DICT,
            PythonType::Set => SET,
            PythonType::FrozenSet => FROZEN,
            PythonType::Object | PythonType::Exception(_) => ALL | mask(&["__new__"]),
            PythonType::Str | PythonType::Unicode | PythonType::BaseString => {
                return has_of_text(native_name(name));
            }
            _ => return method_named(kind, native_name(name)).is_some(),
        };
        natives >> name & 1 == 1
    }

    /// Calls a native method of a value that has it.
    pub(crate) fn native_method(
        &mut self,
        object: &ScriptValue,
        name: u16,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        self.charge(1)?;
        let text = native_name(name);
        if text.starts_with("__") {
            return self.operation_method(object, text, args, named);
        }
        let ScriptValue::Object(id) = object else {
            return if object.as_text().is_some() {
                self.text_method(object, text, args, named)
            } else {
                self.number_method(object, text, &args)
            };
        };
        let id = *id;
        let takes_names = matches!(text, "sort" | "update" | "sub" | "subn" | "split");
        if !named.is_empty() && !takes_names {
            let words = format!("{text}() takes no keyword arguments");
            return Err(self.type_error(&words));
        }
        match self.heap.get(id) {
            Object::Instance(instance) => {
                let payload = instance.payload.clone();
                self.native_method(&payload, name, args, named)
            }
            Object::List(_) => self.list_method(id, text, args, named),
            Object::Tuple(_) => self.tuple_method(id, text, &args),
            Object::Dict(_) => self.dict_method(id, text, args, named),
            Object::Set(_) | Object::FrozenSet(_) => self.set_method(id, text, args),
            Object::Deque(_) => self.deque_method(id, text, args),
            Object::Iterator(_) | Object::Generator(_) => self.iterator_method(object, text, &args),
            Object::Pattern(_) => self.pattern_method(id, text, args, named),
            Object::Match(_) => self.match_method(id, text, &args),
            Object::View { dict, .. } => {
                let dict = *dict;
                self.view_method(dict, object, text, &args)
            }
            Object::Property(parts) => {
                let mut parts = parts.clone();
                let part = match text {
                    "getter" => 0,
                    "setter" => 1,
                    _ => 2,
                };
                self.count_args(text, &args, 1, 1)?;
                parts[part] = args.into_iter().next().unwrap_or(ScriptValue::None);
                self.make(Object::Property(parts))
            }
            _ => Err(self.no_attribute(object, text)),
        }
    }

    /// `object.__len__()` and the like, as the built-in type does it.
    fn operation_method(
        &mut self,
        object: &ScriptValue,
        name: &str,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        let own = self.payload_of(object);
        let mut args = args.into_iter();
        let mut next = || args.next().unwrap_or(ScriptValue::None);
        match name {
            "__init__" => {
                let args: Vec<ScriptValue> = args.collect();
                return self.init_native(object, args, named);
            }
            "__len__" => return self.len(&own).map(ScriptValue::int),
            "__getitem__" => {
                let index = next();
                return self.subscript(&own, &index);
            }
            "__setitem__" => {
                let (index, value) = (next(), next());
                self.set_subscript(&own, &index, value)?;
            }
            "__delitem__" => {
                let index = next();
                self.delete_subscript(&own, &index)?;
            }
            "__contains__" => {
                let item = next();
                return self.contains(&own, &item).map(ScriptValue::Bool);
            }
            "__iter__" => return self.iterator(&own),
            "__eq__" => {
                let other = next();
                return self.equal(&own, &other).map(ScriptValue::Bool);
            }
            "__ne__" => {
                let other = next();
                return self.equal(&own, &other).map(|equal| ScriptValue::Bool(!equal));
            }
            "__cmp__" => {
                let other = next();
                let order = self.three_way(&own, &other)?;
                return Ok(ScriptValue::Int(order as i64));
            }
            "__hash__" => return self.hash(&own).map(ScriptValue::Int),
            "__format__" => {
                let spec = next();
                return self.format_value(&own, &spec);
            }
            "__repr__" => return self.repr_natively(object, &own),
            "__str__" => {
                return match object.object().map(|id| self.heap.get(id)) {
                    Some(Object::Exception(_)) => self.exception_text(object),
                    _ => self.repr_natively(object, &own),
                };
            }
            _ => {}
        }
        Ok(ScriptValue::None)
    }

    fn repr_natively(&mut self, object: &ScriptValue, own: &ScriptValue) -> Flow {
        let mut out = String::new();
        if own.object() == object.object() && own.object().is_some() {
            self.write_repr_natively(own, &mut out)?;
        } else {
            self.write_repr(own, &mut out)?;
        }
        self.make_text(&out)
    }

    /// The built-in value that an instance is too, or the value itself.
    pub(crate) fn payload_of(&self, object: &ScriptValue) -> ScriptValue {
        match object.object().map(|id| self.heap.get(id)) {
            Some(Object::Instance(instance)) if !instance.payload.is_none() => instance.payload.clone(),
            _ => object.clone(),
        }
    }

    /// `dict.__init__(self, …)` and the like.
    fn init_native(&mut self, object: &ScriptValue, args: Vec<ScriptValue>, named: Named) -> Flow {
        if let Some(Object::Exception(_)) = object.object().map(|id| self.heap.get(id)) {
            if let Some(Object::Exception(exception)) = object.object().and_then(|id| self.heap.get_mut(id)) {
                exception.args = args;
            }
            return Ok(ScriptValue::None);
        }
        let own = self.payload_of(object);
        let Some(id) = own.object() else {
            return Ok(ScriptValue::None);
        };
        match self.heap.get(id) {
            Object::Dict(_) => self.dict_update(id, args, named)?,
            Object::List(_) => {
                let items = match args.first() {
                    Some(source) => self.items_of(source)?,
                    None => Vec::new(),
                };
                if let Some(Object::List(list)) = self.heap.get_mut(id) {
                    *list = items;
                }
            }
            Object::Set(_) => {
                if let Some(source) = args.first() {
                    for item in self.items_of(source)? {
                        self.set_add(id, item)?;
                    }
                }
            }
            _ => {}
        }
        Ok(ScriptValue::None)
    }

    /// `str.upper(…)` and the like: the first argument is the object.
    pub(crate) fn type_method(
        &mut self,
        kind: ScriptType,
        name: u16,
        mut args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        let text = native_name(name);
        if text == "fromkeys" {
            return self.dict_fromkeys(&args);
        }
        if args.is_empty() {
            let words = format!(
                "descriptor '{text}' of '{}' object needs an argument",
                kind.name()
            );
            return Err(self.type_error(&words));
        }
        let object = args.remove(0);
        if text == "__new__" {
            return self.new_of_type(kind, &object, args, named);
        }
        if text == "__init__" && matches!(kind, ScriptType::Core(PythonType::Object)) {
            return Ok(ScriptValue::None);
        }
        let own = match text {
            "__init__" => object.clone(),
            _ => self.payload_of(&object),
        };
        let fits = match (kind, self.native_type(&own)) {
            (ScriptType::Core(PythonType::Object), _) => true,
            (ScriptType::Core(PythonType::Exception(kind)), ScriptType::Core(PythonType::Exception(own))) => {
                own.is_a(kind)
            }
            (ScriptType::Core(PythonType::Unicode | PythonType::BaseString), own) => {
                own == ScriptType::Core(PythonType::Str)
            }
            (kind, own) => kind == own || self.native_type(&self.payload_of(&object)) == kind,
        };
        if !fits {
            let words = format!(
                "descriptor '{text}' requires a '{}' object but received a '{}'",
                kind.name(),
                self.type_name(&object)
            );
            return Err(self.type_error(&words));
        }
        self.native_method(&own, name, args, named)
    }

    /// `tuple.__new__(class, …)`.
    fn new_of_type(
        &mut self,
        kind: ScriptType,
        class: &ScriptValue,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        let Some(id) = class.object() else {
            return self.construct(kind, args, named);
        };
        let payload = match kind {
            ScriptType::Core(PythonType::Object) => ScriptValue::None,
            _ => self.construct(kind, args, named)?,
        };
        self.make_instance(id, payload)
    }

    /// Refuses a wrong number of arguments, in the words of most methods.
    pub(crate) fn count_args(
        &mut self,
        name: &str,
        args: &[ScriptValue],
        least: usize,
        most: usize,
    ) -> Flow<()> {
        let given = args.len();
        if (least..=most).contains(&given) {
            return Ok(());
        }
        let words = if least == 0 && most == 0 {
            format!("{name}() takes no arguments ({given} given)")
        } else if least == most {
            let plural = if least == 1 { "" } else { "s" };
            let count = if least == 1 {
                "one".to_owned()
            } else {
                least.to_string()
            };
            format!("{name}() takes exactly {count} argument{plural} ({given} given)")
        } else {
            let (bound, count) = if given < least {
                ("at least", least)
            } else {
                ("at most", most)
            };
            let plural = if count == 1 { "" } else { "s" };
            format!("{name}() takes {bound} {count} argument{plural} ({given} given)")
        };
        Err(self.type_error(&words))
    }

    /// The same in the words of those that unpack their arguments.
    pub(crate) fn unpack_args(
        &mut self,
        name: &str,
        args: &[ScriptValue],
        least: usize,
        most: usize,
    ) -> Flow<()> {
        let given = args.len();
        if (least..=most).contains(&given) {
            return Ok(());
        }
        let bound = match (least == most, given < least) {
            (true, _) => "",
            (false, true) => "at least ",
            (false, false) => "at most ",
        };
        let count = if given < least { least } else { most };
        let words = format!("{name} expected {bound}{count} arguments, got {given}");
        Err(self.type_error(&words))
    }
}

/// Whether texts have the method.
fn has_of_text(name: &str) -> bool {
    matches!(
        name,
        "isnumeric" | "isdecimal" | "__len__" | "__getitem__" | "__contains__" | "__eq__" | "__hash__"
    ) || method_named(PythonType::Str, name).is_some()
}
