//! Attributes: of instances, classes, modules, exceptions, functions, and methods of built-in values.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use cw_expr::{ExceptionKind, PythonType};

use crate::code::{Name, native_named};
use crate::machine::{Flow, Machine, Stop};
use crate::object::Object;
use crate::value::{ObjectId, ScriptType, ScriptValue};

/// Names that the machine itself asks for.
static ASKED: LazyLock<BTreeMap<&'static str, Name>> = LazyLock::new(|| {
    const NAMES: &str = "__abs__ __add__ __and__ __call__ __class__ __cmp__ __contains__ \
        __delattr__ __delitem__ __div__ __doc__ __enter__ __eq__ __exit__ __float__ __floordiv__ \
        __format__ __ge__ __getattr__ __getitem__ __gt__ __hash__ __iadd__ __iand__ __imul__ \
        __index__ __init__ __int__ __invert__ __ior__ __isub__ __iter__ __le__ __len__ __lt__ \
        __missing__ __mod__ __module__ __mul__ __name__ __ne__ __neg__ __new__ __nonzero__ __or__ \
        __pos__ __pow__ __radd__ __rmul__ __repr__ __reversed__ __rsub__ __setattr__ __setitem__ \
        __str__ __sub__ __unicode__ __xor__ __rdiv__ __rand__ __ror__ __rxor__ next write __ixor__ \
        __idiv__ __imod__ __lshift__ __rshift__";
    NAMES.split(' ').map(|name| (name, named(name))).collect()
});

/// A name of the program around as one of a script.
pub(crate) fn named(text: &str) -> Name {
    let value = ScriptValue::text(text);
    let hash = crate::hash::hash_of_text(&value);
    Name {
        value,
        text: text.into(),
        hash,
        native: native_named(text),
        builtin: None,
    }
}

impl Machine<'_> {
    /// `object.name` for a name that is a value of the script.
    pub(crate) fn attribute_named(&mut self, object: &ScriptValue, name: &str) -> Flow {
        match ASKED.get(name) {
            Some(name) => self.attribute(object, name),
            None => self.attribute(object, &named(name)),
        }
    }

    /// The first of the class and those above it that has the name.
    pub(crate) fn in_class(&self, class: ObjectId, name: &Name) -> Option<ScriptValue> {
        let mut class = class;
        loop {
            let Object::Class(found) = self.heap.get(class) else {
                return None;
            };
            if let Some(value) = self.named(found.names, name) {
                return Some(value.clone());
            }
            class = found.base.object()?;
        }
    }

    /// The script's class of a value, if it has one.
    pub(crate) fn class_of(&self, value: &ScriptValue) -> Option<ObjectId> {
        match self.heap.get(value.object()?) {
            Object::Instance(instance) => Some(instance.class),
            Object::Exception(exception) => exception.class.object(),
            _ => None,
        }
    }

    /// The method that the class of a value has for an operation, bound to it.
    pub(crate) fn special(&mut self, value: &ScriptValue, name: &'static str) -> Flow<Option<ScriptValue>> {
        let Some(class) = self.class_of(value) else {
            return Ok(None);
        };
        let Some(name) = ASKED.get(name) else {
            return Ok(None);
        };
        match self.in_class(class, name) {
            Some(ScriptValue::None) | None => Ok(None),
            Some(found) => self.bind_to(found, value, class).map(Some),
        }
    }

    /// Whether the class of a value has a method for an operation.
    pub(crate) fn has_special(&self, value: &ScriptValue, name: &'static str) -> bool {
        self.class_of(value)
            .zip(ASKED.get(name))
            .is_some_and(|(class, name)| self.in_class(class, name).is_some())
    }

    /// What an attribute of a class is for one of its instances.
    fn bind_to(&mut self, found: ScriptValue, object: &ScriptValue, class: ObjectId) -> Flow {
        let ScriptValue::Object(id) = &found else {
            return Ok(found);
        };
        match self.heap.get(*id) {
            Object::Function(_) => self.make(Object::BoundMethod {
                object: object.clone(),
                function: found,
            }),
            Object::StaticMethod(value) => Ok(value.clone()),
            Object::ClassMethod(function) => {
                let function = function.clone();
                self.make(Object::BoundMethod {
                    object: ScriptValue::Object(class),
                    function,
                })
            }
            Object::Property(parts) => {
                let getter = parts[0].clone();
                if getter.is_none() {
                    return Err(self.raise(ExceptionKind::AttributeError, "unreadable attribute"));
                }
                self.call(&getter, vec![object.clone()])
            }
            _ => Ok(found),
        }
    }

    /// For a call of `object.name(…)`: the function and what it is called on, or the value and nothing.
    pub(crate) fn method(&mut self, object: ScriptValue, name: &Name) -> Flow<(ScriptValue, ScriptValue)> {
        if let Some(native) = name.native
            && self.has_native(&object, native)
        {
            return Ok((ScriptValue::Native(native), object));
        }
        if let ScriptValue::Object(id) = &object
            && let Object::Instance(instance) = self.heap.get(*id)
            && self.named(instance.names, name).is_none()
            && let Some(found) = self.in_class(instance.class, name)
            && let ScriptValue::Object(function) = &found
            && matches!(self.heap.get(*function), Object::Function(_))
        {
            return Ok((found, object));
        }
        let of_host = match &object {
            ScriptValue::Host(handle) => self.host.method(Some(*handle), &name.text),
            ScriptValue::HostFunction(_) => self.host.method(None, &name.text),
            _ => None,
        };
        match of_host {
            Some(function) if matches!(object, ScriptValue::Host(_)) => {
                Ok((ScriptValue::HostFunction(function), object))
            }
            Some(function) => Ok((ScriptValue::HostFunction(function), ScriptValue::Unset)),
            None => Ok((self.attribute(&object, name)?, ScriptValue::Unset)),
        }
    }

    /// `object.name`.
    pub(crate) fn attribute(&mut self, object: &ScriptValue, name: &Name) -> Flow {
        if let Some(value) = self.find_attribute(object, name)? {
            return Ok(value);
        }
        if self.has_special(object, "__getattr__")
            && let Some(getter) = self.special(object, "__getattr__")?
        {
            return self.call(&getter, vec![name.value.clone()]);
        }
        Err(self.no_attribute(object, &name.text))
    }

    /// The same; nothing if there is none.
    pub(crate) fn find_attribute(&mut self, object: &ScriptValue, name: &Name) -> Flow<Option<ScriptValue>> {
        match object {
            ScriptValue::Object(id) => self.attribute_of_object(*id, object, name),
            ScriptValue::Host(handle) => self.host_attribute(*handle, name),
            ScriptValue::Type(kind) => self.attribute_of_type(*kind, name),
            ScriptValue::Builtin(at) if &*name.text == "__name__" => {
                Ok(Some(ScriptValue::text(crate::machine::builtin::name(*at))))
            }
            _ => self.attribute_of_native(object, name),
        }
    }

    fn attribute_of_object(
        &mut self,
        id: ObjectId,
        object: &ScriptValue,
        name: &Name,
    ) -> Flow<Option<ScriptValue>> {
        match self.heap.get(id) {
            Object::Instance(instance) => {
                let (class, names, payload) = (instance.class, instance.names, instance.payload.clone());
                let of_class = self.in_class(class, name);
                if let Some(found) = &of_class
                    && let Some(Object::Property(_)) = found.object().map(|id| self.heap.get(id))
                {
                    return self.bind_to(found.clone(), object, class).map(Some);
                }
                if let Some(value) = self.named(names, name) {
                    return Ok(Some(value.clone()));
                }
                if let Some(found) = of_class {
                    return self.bind_to(found, object, class).map(Some);
                }
                if &*name.text == "__class__" {
                    return Ok(Some(ScriptValue::Object(class)));
                }
                if let Some(native) = name.native
                    && !payload.is_none()
                    && self.has_native(&payload, native)
                {
                    let object = object.clone();
                    return self.make(Object::NativeMethod { object, name: native }).map(Some);
                }
                if payload.is_none() {
                    return Ok(None);
                }
                self.find_attribute(&payload, name)
            }
            Object::Exception(exception) => {
                let names = exception.names;
                if let Some(names) = names
                    && let Some(value) = self.named(names, name)
                {
                    return Ok(Some(value.clone()));
                }
                self.attribute_of_exception(id, object, name)
            }
            Object::Class(class) => {
                match &*name.text {
                    "__name__" => return Ok(Some(class.name.clone())),
                    "__module__" => return Ok(Some(class.module.clone())),
                    _ => {}
                }
                let kind = class.kind;
                match self.in_class(id, name) {
                    Some(found) => match found.object().map(|id| self.heap.get(id)) {
                        Some(Object::StaticMethod(value)) => Ok(Some(value.clone())),
                        Some(Object::ClassMethod(function)) => {
                            let function = function.clone();
                            self.make(Object::BoundMethod {
                                object: object.clone(),
                                function,
                            })
                            .map(Some)
                        }
                        _ => Ok(Some(found)),
                    },
                    None if &*name.text == "__doc__" => Ok(Some(ScriptValue::None)),
                    None => self.attribute_of_type(kind, name),
                }
            }
            Object::Module { names, .. } => Ok(self.named(*names, name).cloned()),
            Object::Function(function) => {
                let (names, own) = (function.names, function.name.clone());
                if let Some(names) = names
                    && let Some(value) = self.named(names, name)
                {
                    return Ok(Some(value.clone()));
                }
                Ok(match &*name.text {
                    "__name__" | "func_name" => Some(own),
                    "__doc__" | "func_doc" => {
                        Some(function.code.documentation.clone().unwrap_or(ScriptValue::None))
                    }
                    "__module__" => Some(ScriptValue::text("__main__")),
                    _ => None,
                })
            }
            Object::BoundMethod { function, object } => match &*name.text {
                "im_self" => Ok(Some(object.clone())),
                "im_func" => Ok(Some(function.clone())),
                _ => {
                    let function = function.clone();
                    self.find_attribute(&function, name)
                }
            },
            Object::Super { class, object } => {
                let (class, object) = (*class, object.clone());
                self.attribute_of_super(class, &object, name)
            }
            Object::Property(parts) => {
                let part = match &*name.text {
                    "fget" => 0,
                    "fset" => 1,
                    "fdel" => 2,
                    _ => return self.attribute_of_native(object, name),
                };
                Ok(Some(parts[part].clone()))
            }
            Object::Slice(parts) => {
                let part = match &*name.text {
                    "start" => 0,
                    "stop" => 1,
                    "step" => 2,
                    _ => return Ok(None),
                };
                Ok(Some(parts[part].clone()))
            }
            Object::Generator(generator) if &*name.text == "__name__" => {
                Ok(Some(ScriptValue::text(&generator.name)))
            }
            Object::Pattern(_) | Object::Match(_) => match self.attribute_of_match(id, &name.text)? {
                Some(value) => Ok(Some(value)),
                None => self.attribute_of_native(object, name),
            },
            _ => self.attribute_of_native(object, name),
        }
    }

    fn attribute_of_super(
        &mut self,
        class: ObjectId,
        object: &ScriptValue,
        name: &Name,
    ) -> Flow<Option<ScriptValue>> {
        let Object::Class(found) = self.heap.get(class) else {
            return Ok(None);
        };
        let (base, kind) = (found.base.clone(), found.kind);
        if let Some(base) = base.object()
            && let Some(found) = self.in_class(base, name)
        {
            let own = self.class_of(object).or(object.object()).unwrap_or(base);
            return self.bind_to(found, object, own).map(Some);
        }
        // What the built-in base does with the object itself.
        match name.native {
            Some(native) if matches!(&*name.text, "__new__") => {
                self.make(Object::TypeMethod { kind, name: native }).map(Some)
            }
            Some(native) => {
                let function = self.make(Object::TypeMethod { kind, name: native })?;
                let object = object.clone();
                self.make(Object::BoundMethod { object, function }).map(Some)
            }
            None => Ok(None),
        }
    }

    fn attribute_of_exception(
        &mut self,
        id: ObjectId,
        object: &ScriptValue,
        name: &Name,
    ) -> Flow<Option<ScriptValue>> {
        let Object::Exception(exception) = self.heap.get(id) else {
            return Ok(None);
        };
        let (class, kind, args) = (exception.class.clone(), exception.kind, exception.args.clone());
        if let Some(class) = class.object()
            && let Some(found) = self.in_class(class, name)
        {
            return self.bind_to(found, object, class).map(Some);
        }
        let arg = |at: usize| args.get(at).cloned().unwrap_or(ScriptValue::None);
        Ok(Some(match &*name.text {
            "__class__" => class,
            "args" => self.make_tuple(args)?,
            "message" if args.len() == 1 => arg(0),
            "message" => ScriptValue::text(""),
            "errno" | "strerror" | "filename" if kind.is_a(ExceptionKind::EnvironmentError) => {
                match (&*name.text, args.len()) {
                    ("errno", 2 | 3) => arg(0),
                    ("strerror", 2 | 3) => arg(1),
                    ("filename", 3) => arg(2),
                    _ => ScriptValue::None,
                }
            }
            "code" if kind.is_a(ExceptionKind::SystemExit) && args.len() < 2 => arg(0),
            "msg" if kind.is_a(ExceptionKind::SyntaxError) => arg(0),
            "__init__" | "__str__" | "__repr__" => {
                let Some(native) = name.native else {
                    return Ok(None);
                };
                let object = object.clone();
                self.make(Object::NativeMethod { object, name: native })?
            }
            _ => return Ok(None),
        }))
    }

    fn attribute_of_type(&mut self, kind: ScriptType, name: &Name) -> Flow<Option<ScriptValue>> {
        match &*name.text {
            "__name__" => return Ok(Some(ScriptValue::text(kind.name()))),
            "__module__" => return Ok(Some(ScriptValue::text("__builtin__"))),
            "__doc__" => return Ok(Some(ScriptValue::None)),
            _ => {}
        }
        let Some(native) = name.native else {
            return Ok(None);
        };
        if !self.type_has_native(kind, native) {
            return Ok(None);
        }
        self.make(Object::TypeMethod { kind, name: native }).map(Some)
    }

    /// Methods and data of values that are built in.
    fn attribute_of_native(&mut self, object: &ScriptValue, name: &Name) -> Flow<Option<ScriptValue>> {
        if let Some(native) = name.native
            && self.has_native(object, native)
        {
            let object = object.clone();
            return self.make(Object::NativeMethod { object, name: native }).map(Some);
        }
        if &*name.text == "__class__" {
            return self.type_of(object).map(Some);
        }
        if object.is_number()
            && matches!(&*name.text, "real" | "imag" | "numerator" | "denominator")
            && let Some(plain) = object.plain()
        {
            let text = name.text.clone();
            let value = self.calculate(|calculator| calculator.attribute(&plain, &text))?;
            return Ok(ScriptValue::of_plain(value));
        }
        Ok(None)
    }

    #[cold]
    pub(crate) fn no_attribute(&mut self, object: &ScriptValue, name: &str) -> Stop {
        let words = match object {
            ScriptValue::Type(kind) => format!("type object '{}' has no attribute '{name}'", kind.name()),
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Class(class) if class.is_old => {
                    format!(
                        "class {} has no attribute '{name}'",
                        class.name.shown().unwrap_or_default()
                    )
                }
                Object::Class(class) => format!(
                    "type object '{}' has no attribute '{name}'",
                    class.name.shown().unwrap_or_default()
                ),
                Object::Super { .. } => format!("'super' object has no attribute '{name}'"),
                _ => match self.old_instance(object) {
                    Some(class) => format!("{class} instance has no attribute '{name}'"),
                    None => format!("'{}' object has no attribute '{name}'", self.type_name(object)),
                },
            },
            _ => format!("'{}' object has no attribute '{name}'", self.type_name(object)),
        };
        self.raise(ExceptionKind::AttributeError, &words)
    }

    /// The class of an instance whose class has no base, for messages.
    pub(crate) fn old_instance(&self, object: &ScriptValue) -> Option<String> {
        let Object::Class(class) = self.heap.get(self.class_of(object)?) else {
            return None;
        };
        class.is_old.then(|| class.name.shown().unwrap_or_default())
    }

    /// `object.name = value`.
    pub(crate) fn set_attribute(
        &mut self,
        object: &ScriptValue,
        name: &Name,
        value: ScriptValue,
    ) -> Flow<()> {
        if let ScriptValue::Host(handle) = object {
            return self.set_host_attribute(*handle, name, &value);
        }
        let id = match object {
            ScriptValue::Object(id) => *id,
            ScriptValue::Type(kind) => {
                let words = format!(
                    "can't set attributes of built-in/extension type '{}'",
                    kind.name()
                );
                return Err(self.type_error(&words));
            }
            _ => return Err(self.no_attribute(object, &name.text)),
        };
        let names = match self.heap.get(id) {
            Object::Instance(instance) => {
                let (class, names) = (instance.class, instance.names);
                if let Some(found) = self.in_class(class, name)
                    && let Some(Object::Property(parts)) = found.object().map(|id| self.heap.get(id))
                {
                    let setter = parts[1].clone();
                    if setter.is_none() {
                        return Err(self.raise(ExceptionKind::AttributeError, "can't set attribute"));
                    }
                    self.call(&setter, vec![object.clone(), value])?;
                    return Ok(());
                }
                if self.has_special(object, "__setattr__")
                    && let Some(setter) = self.special(object, "__setattr__")?
                {
                    self.call(&setter, vec![name.value.clone(), value])?;
                    return Ok(());
                }
                names
            }
            Object::Class(class) => class.names,
            Object::Module { names, .. } => *names,
            Object::Function(function) => match function.names {
                Some(names) => names,
                None => {
                    let names = self.make_dict()?;
                    if let Some(Object::Function(function)) = self.heap.get_mut(id) {
                        if &*name.text == "__name__" {
                            function.name = value;
                            return Ok(());
                        }
                        function.names = Some(names);
                    }
                    names
                }
            },
            Object::Exception(exception) => {
                if &*name.text == "args" {
                    let args = self.items_of(&value)?;
                    if let Some(Object::Exception(exception)) = self.heap.get_mut(id) {
                        exception.args = args;
                    }
                    return Ok(());
                }
                match exception.names {
                    Some(names) => names,
                    None => {
                        let names = self.make_dict()?;
                        if let Some(Object::Exception(exception)) = self.heap.get_mut(id) {
                            exception.names = Some(names);
                        }
                        names
                    }
                }
            }
            _ => {
                if self.find_attribute(object, name)?.is_some() {
                    let words = format!(
                        "'{}' object attribute '{}' is read-only",
                        self.type_name(object),
                        name.text
                    );
                    return Err(self.raise(ExceptionKind::AttributeError, &words));
                }
                return Err(self.no_attribute(object, &name.text));
            }
        };
        self.set_name(names, name, value)
    }

    /// `del object.name`.
    pub(crate) fn delete_attribute(&mut self, object: &ScriptValue, name: &Name) -> Flow<()> {
        let names = match object.object().map(|id| self.heap.get(id)) {
            Some(Object::Instance(instance)) => {
                let (class, names) = (instance.class, instance.names);
                if let Some(found) = self.in_class(class, name)
                    && let Some(Object::Property(parts)) = found.object().map(|id| self.heap.get(id))
                {
                    let deleter = parts[2].clone();
                    if deleter.is_none() {
                        return Err(self.raise(ExceptionKind::AttributeError, "can't delete attribute"));
                    }
                    self.call(&deleter, vec![object.clone()])?;
                    return Ok(());
                }
                Some(names)
            }
            Some(Object::Class(class)) => Some(class.names),
            Some(Object::Module { names, .. }) => Some(*names),
            Some(Object::Exception(exception)) => exception.names,
            Some(Object::Function(function)) => function.names,
            _ => None,
        };
        if let Some(names) = names
            && self.delete_named(names, name)
        {
            return Ok(());
        }
        // An instance of a class with a base names only the attribute.
        if matches!(
            object.object().map(|id| self.heap.get(id)),
            Some(Object::Instance(_) | Object::Class(_) | Object::Exception(_))
        ) && self.old_instance(object).is_none()
        {
            return Err(self.raise(ExceptionKind::AttributeError, &name.text));
        }
        Err(self.no_attribute(object, &name.text))
    }

    /// The type of a value, as a value.
    pub(crate) fn type_of(&mut self, value: &ScriptValue) -> Flow {
        if let Some(class) = self.class_of(value) {
            return Ok(ScriptValue::Object(class));
        }
        Ok(match value {
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Exception(exception) => exception.class.clone(),
                _ => ScriptValue::Type(self.native_type(value)),
            },
            _ => ScriptValue::Type(self.native_type(value)),
        })
    }

    /// The built-in type of a value; `object` for instances.
    pub(crate) fn native_type(&self, value: &ScriptValue) -> ScriptType {
        let core = match value {
            ScriptValue::None | ScriptValue::Unset => PythonType::NoneType,
            ScriptValue::NotImplemented => PythonType::NotImplementedType,
            ScriptValue::Ellipsis => PythonType::Ellipsis,
            ScriptValue::Bool(_) => PythonType::Bool,
            ScriptValue::Int(_) => PythonType::Int,
            ScriptValue::Float(_) => PythonType::Float,
            ScriptValue::Long(_) => PythonType::Long,
            ScriptValue::Complex(_) => PythonType::Complex,
            ScriptValue::Text(_) | ScriptValue::Wide(_) => PythonType::Str,
            ScriptValue::Type(_) => PythonType::Type,
            ScriptValue::Builtin(_) | ScriptValue::HostFunction(_) | ScriptValue::Native(_) => {
                PythonType::BuiltinFunction
            }
            ScriptValue::Host(_) => PythonType::Object,
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(_) => PythonType::List,
                Object::Tuple(_) => PythonType::Tuple,
                Object::Dict(_) => PythonType::Dict,
                Object::Set(_) => PythonType::Set,
                Object::FrozenSet(_) => PythonType::FrozenSet,
                Object::Slice(_) => PythonType::Slice,
                Object::XRange { .. } => PythonType::XRange,
                Object::Function(_) => PythonType::Function,
                Object::Class(_) => PythonType::Type,
                Object::Instance(_) | Object::Plain | Object::Cell(_) => PythonType::Object,
                Object::Exception(exception) => PythonType::Exception(exception.kind),
                Object::BoundMethod { .. } => return ScriptType::InstanceMethod,
                Object::NativeMethod { .. } => PythonType::BuiltinFunction,
                Object::TypeMethod { .. } => PythonType::MethodDescriptor,
                Object::Property(_) => return ScriptType::Property,
                Object::StaticMethod(_) => return ScriptType::StaticMethod,
                Object::ClassMethod(_) => return ScriptType::ClassMethod,
                Object::Super { .. } => return ScriptType::Super,
                Object::Generator(_) => PythonType::Generator,
                Object::Iterator(iterator) => crate::machine::iterate::type_of(&iterator.kind),
                Object::Module { .. } => return ScriptType::Module,
                Object::View { part, .. } => match part {
                    crate::object::DictPart::Keys => PythonType::DictKeys,
                    crate::object::DictPart::Values => PythonType::DictValues,
                    crate::object::DictPart::Items => PythonType::DictItems,
                },
                Object::Pattern(_) => return ScriptType::Pattern,
                Object::Match(_) => return ScriptType::Match,
                Object::Deque(_) => PythonType::List,
            },
        };
        ScriptType::Core(core)
    }

    /// The name of a value's type, for messages.
    pub(crate) fn type_name(&mut self, value: &ScriptValue) -> String {
        if let ScriptValue::Host(handle) = value {
            return self.host.type_name(*handle);
        }
        self.type_name_here(value)
    }

    /// The same without asking the host.
    pub(crate) fn type_name_here(&self, value: &ScriptValue) -> String {
        if let Some(Object::Class(class)) = self.class_of(value).map(|id| self.heap.get(id)) {
            return if class.is_old {
                "instance".to_owned()
            } else {
                class.name.shown().unwrap_or_default()
            };
        }
        if let Some(Object::Class(class)) = value.object().map(|id| self.heap.get(id))
            && class.is_old
        {
            return "classobj".to_owned();
        }
        if let Some(Object::Deque(_)) = value.object().map(|id| self.heap.get(id)) {
            return "collections.deque".to_owned();
        }
        match self.native_type(value) {
            ScriptType::Core(PythonType::Exception(kind)) => format!("exceptions.{}", kind.name()),
            kind => kind.name().to_owned(),
        }
    }

    /// The name of a class, as tracebacks have it.
    pub(crate) fn class_name(&self, class: &ScriptValue) -> String {
        match class {
            ScriptValue::Type(kind) => kind.name().to_owned(),
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Class(class) => class.name.shown().unwrap_or_default(),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }
}
