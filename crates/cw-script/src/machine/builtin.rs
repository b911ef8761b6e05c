//! Built-in functions: those that look into objects, and the way to the calculator for the others.

use cw_expr::{ExceptionKind, PythonType};

use crate::machine::attribute::named as name_of;
use crate::machine::call::Named;
use crate::machine::{Flow, Machine, Stop};
use crate::object::{Iteration, Object};
use crate::value::{ScriptType, ScriptValue, TextRef};

/// Functions by name. Those of modules have the module before them.
static FUNCTIONS: &[&str] = &[
    "__import__",
    "abs",
    "all",
    "any",
    "apply",
    "bin",
    "callable",
    "chr",
    "clr.AddReference",
    "cmp",
    "coerce",
    "collections.deque",
    "compile",
    "copy.copy",
    "copy.deepcopy",
    "delattr",
    "dir",
    "divmod",
    "eval",
    "execfile",
    "file",
    "filter",
    "format",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "hex",
    "id",
    "input",
    "intern",
    "isinstance",
    "issubclass",
    "iter",
    "json.dumps",
    "json.loads",
    "len",
    "locals",
    "map",
    "math.acos",
    "math.asin",
    "math.atan",
    "math.atan2",
    "math.ceil",
    "math.cos",
    "math.degrees",
    "math.exp",
    "math.fabs",
    "math.floor",
    "math.fmod",
    "math.hypot",
    "math.log",
    "math.log10",
    "math.pow",
    "math.radians",
    "math.sin",
    "math.sqrt",
    "math.tan",
    "math.trunc",
    "max",
    "min",
    "next",
    "oct",
    "open",
    "ord",
    "pow",
    "random.getrandbits",
    "random.random",
    "range",
    "raw_input",
    "re.compile",
    "re.escape",
    "re.findall",
    "re.finditer",
    "re.match",
    "re.search",
    "re.split",
    "re.sub",
    "re.subn",
    "reduce",
    "reload",
    "repr",
    "round",
    "setattr",
    "sorted",
    "sum",
    "time.now",
    "unichr",
    "vars",
    "zip",
];

/// The built-in function or type with this name.
pub(crate) fn named(name: &str) -> Option<ScriptValue> {
    if let Some(at) = function_named(name) {
        return (!name.contains('.')).then_some(ScriptValue::Builtin(at));
    }
    Some(match name {
        "True" => ScriptValue::Bool(true),
        "False" => ScriptValue::Bool(false),
        "Ellipsis" => ScriptValue::Ellipsis,
        "NotImplemented" => ScriptValue::NotImplemented,
        "basestring" => ScriptValue::core(PythonType::BaseString),
        "bool" => ScriptValue::core(PythonType::Bool),
        "bytes" | "str" | "unicode" => ScriptValue::core(PythonType::Str),
        "dict" => ScriptValue::core(PythonType::Dict),
        "enumerate" => ScriptValue::core(PythonType::Enumerate),
        "float" => ScriptValue::core(PythonType::Float),
        "frozenset" => ScriptValue::core(PythonType::FrozenSet),
        "int" => ScriptValue::core(PythonType::Int),
        "list" => ScriptValue::core(PythonType::List),
        "long" => ScriptValue::core(PythonType::Long),
        "complex" => ScriptValue::core(PythonType::Complex),
        "object" => ScriptValue::core(PythonType::Object),
        "reversed" => ScriptValue::core(PythonType::Reversed),
        "set" => ScriptValue::core(PythonType::Set),
        "slice" => ScriptValue::core(PythonType::Slice),
        "tuple" => ScriptValue::core(PythonType::Tuple),
        "type" => ScriptValue::core(PythonType::Type),
        "xrange" => ScriptValue::core(PythonType::XRange),
        "property" => ScriptValue::Type(ScriptType::Property),
        "staticmethod" => ScriptValue::Type(ScriptType::StaticMethod),
        "classmethod" => ScriptValue::Type(ScriptType::ClassMethod),
        "super" => ScriptValue::Type(ScriptType::Super),
        _ => ScriptValue::exception(ExceptionKind::named(name)?),
    })
}

/// The place of a function, also of a module's.
pub(crate) fn function_named(name: &str) -> Option<u16> {
    let at = FUNCTIONS.binary_search(&name).ok()?;
    u16::try_from(at).ok()
}

/// Functions of a module, as the names they have in it.
pub(crate) fn functions_of(module: &str) -> impl Iterator<Item = (&'static str, u16)> + use<'_> {
    (0..).zip(FUNCTIONS).filter_map(move |(at, name)| {
        let name = name.strip_prefix(module)?.strip_prefix('.')?;
        Some((name, at))
    })
}

/// The function's name without its module.
pub(crate) fn name(at: u16) -> &'static str {
    let whole = FUNCTIONS.get(usize::from(at)).copied().unwrap_or_default();
    whole.rsplit('.').next().unwrap_or(whole)
}

impl Machine<'_> {
    pub(crate) fn call_builtin(&mut self, at: u16, mut args: Vec<ScriptValue>, named: Named) -> Flow {
        self.charge(1)?;
        let whole = FUNCTIONS.get(usize::from(at)).copied().unwrap_or_default();
        if let Some((module, function)) = whole.split_once('.') {
            return self.call_of_module(module, function, args, named);
        }
        let takes_names = matches!(whole, "sorted" | "max" | "min" | "sum" | "round");
        if !named.is_empty() && !takes_names {
            let words = format!("{whole}() takes no keyword arguments");
            return Err(self.type_error(&words));
        }
        match whole {
            "len" => {
                self.count_args(whole, &args, 1, 1)?;
                self.len(&args[0]).map(ScriptValue::int)
            }
            "range" => self.range_list(&args),
            "repr" => {
                self.count_args(whole, &args, 1, 1)?;
                self.repr_value(&args[0])
            }
            "sorted" => {
                if args.is_empty() {
                    return Err(self.type_error("Required argument 'iterable' (pos 1) not found"));
                }
                let source = args.remove(0);
                let items = self.items_of(&source)?;
                let order = self.sort_order(args, named, whole)?;
                let sorted = self.sorted(items, &order)?;
                self.make_list(sorted)
            }
            "isinstance" | "issubclass" => self.is_instance_of(whole, &args),
            "getattr" | "hasattr" | "setattr" | "delattr" => self.attribute_function(whole, &args),
            "iter" => {
                self.unpack_args(whole, &args, 1, 2)?;
                match args.get(1) {
                    Some(end) => self.make_iterator(Iteration::Callable(args[0].clone(), end.clone())),
                    None => self.iterator(&args[0]),
                }
            }
            "next" => {
                self.unpack_args(whole, &args, 1, 2)?;
                match (self.next_item(&args[0])?, args.get(1)) {
                    (Some(item), _) => Ok(item),
                    (None, Some(otherwise)) => Ok(otherwise.clone()),
                    (None, None) => Err(self.raise(ExceptionKind::StopIteration, "")),
                }
            }
            "map" => self.map(&args),
            "filter" => self.filter(&args),
            "zip" => self.zip(&args),
            "reduce" => self.reduce(&args),
            "sum" => {
                self.unpack_args(whole, &args, 1, 2)?;
                let mut total = args.get(1).cloned().unwrap_or(ScriptValue::Int(0));
                if total.as_text().is_some() {
                    let words = "sum() can't sum strings [use ''.join(seq) instead]";
                    return Err(self.type_error(words));
                }
                for item in self.items_of(&args[0])? {
                    self.charge(1)?;
                    total = self.binary(cw_expr::ast::BinaryOp::Add, &total, &item)?;
                }
                Ok(total)
            }
            "all" | "any" => {
                self.count_args(whole, &args, 1, 1)?;
                let iterator = self.iterator(&args[0])?;
                let stop_at = whole == "any";
                while let Some(item) = self.next_item(&iterator)? {
                    self.charge(1)?;
                    if self.truth(&item)? == stop_at {
                        return Ok(ScriptValue::Bool(stop_at));
                    }
                }
                Ok(ScriptValue::Bool(!stop_at))
            }
            "max" | "min" => self.greatest(whole, args, named),
            "cmp" => {
                self.unpack_args(whole, &args, 2, 2)?;
                self.three_way(&args[0], &args[1]).map(Self::cmp_value)
            }
            "hash" => {
                self.count_args(whole, &args, 1, 1)?;
                self.hash(&args[0]).map(ScriptValue::Int)
            }
            "id" => {
                self.count_args(whole, &args, 1, 1)?;
                Ok(ScriptValue::Int(match &args[0] {
                    ScriptValue::Object(id) => i64::from(id.0) * 64 + 4096,
                    other => crate::hash::hash_of_plain(other),
                }))
            }
            "callable" => {
                self.count_args(whole, &args, 1, 1)?;
                Ok(ScriptValue::Bool(self.is_callable(&args[0])))
            }
            "apply" => {
                self.unpack_args(whole, &args, 1, 3)?;
                let plain = match args.get(1) {
                    Some(plain) => self.items_of(plain)?,
                    None => Vec::new(),
                };
                let named = match args.get(2).and_then(|named| self.dict_of(named)) {
                    Some(dict) => self.dict_entries(dict),
                    None => Vec::new(),
                };
                self.call_named(&args[0], plain, named)
            }
            "format" => {
                self.count_args(whole, &args, 1, 2)?;
                let spec = args.get(1).cloned().unwrap_or_else(|| ScriptValue::text(""));
                self.format_value(&args[0], &spec)
            }
            "abs" => {
                self.count_args(whole, &args, 1, 1)?;
                if let Some(method) = self.special(&args[0], "__abs__")? {
                    return self.call(&method, Vec::new());
                }
                self.by_calculator(whole, &args, &named)
            }
            "eval" => self.eval(&args),
            "globals" => Ok(ScriptValue::Object(self.frame.globals)),
            "chr" | "unichr" => {
                self.count_args(whole, &args, 1, 1)?;
                let code = self.integer_arg(&args[0])?;
                let most = if whole == "chr" { 0xff } else { 0x10_ffff };
                match u32::try_from(code) {
                    Ok(point) if point <= most => Ok(ScriptValue::points(vec![point])),
                    _ if whole == "chr" => Err(self.value_error("chr() arg not in range(256)")),
                    _ => Err(self.value_error("unichr() arg not in range(0x110000) (wide Python build)")),
                }
            }
            "open" | "file" => {
                let words = "the table gives scripts no files";
                Err(self.raise(ExceptionKind::IOError, words))
            }
            "execfile" | "compile" | "__import__" | "reload" | "raw_input" | "input" | "vars" | "dir"
            | "locals" => Err(self.not_available(whole)),
            _ => self.by_calculator(whole, &args, &named),
        }
    }

    fn by_calculator(&mut self, name: &str, args: &[ScriptValue], named: &Named) -> Flow {
        let Some(function) = cw_expr::builtin_value(name) else {
            return Err(self.not_available(name));
        };
        let exported = self.export_all(args)?;
        let mut by_name = Vec::new();
        for (key, value) in named {
            let key: std::sync::Arc<str> = key.shown().unwrap_or_default().into();
            by_name.push((key, self.export(value)?));
        }
        let value = self.calculate(|calculator| calculator.call(&function, &exported, &by_name))?;
        self.take_in(value)
    }

    fn range_list(&mut self, args: &[ScriptValue]) -> Flow {
        let (start, step, len) = self.range("range", args)?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        if len > self.limits.items {
            return Err(crate::machine::limit(crate::limits::ScriptLimit::Memory));
        }
        self.charge(len / 8)?;
        let items = (0..i64::try_from(len).unwrap_or(0)).map(|at| ScriptValue::Int(start + step * at));
        let items = items.collect();
        self.make_list(items)
    }

    pub(crate) fn is_callable(&self, value: &ScriptValue) -> bool {
        match value {
            ScriptValue::Builtin(_)
            | ScriptValue::Type(_)
            | ScriptValue::HostFunction(_)
            | ScriptValue::Native(_) => true,
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::Function(_)
                | Object::Class(_)
                | Object::BoundMethod { .. }
                | Object::NativeMethod { .. }
                | Object::TypeMethod { .. } => true,
                Object::Instance(_) => self.has_special(value, "__call__"),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_instance_of(&mut self, name: &str, args: &[ScriptValue]) -> Flow {
        self.unpack_args(name, args, 2, 2)?;
        let kinds = match args[1].object().map(|id| self.heap.get(id)) {
            Some(Object::Tuple(items)) => items.clone(),
            _ => vec![args[1].clone()],
        };
        let is_class = |machine: &Self, value: &ScriptValue| match value {
            ScriptValue::Type(_) => true,
            ScriptValue::Object(id) => matches!(machine.heap.get(*id), Object::Class(_)),
            _ => false,
        };
        if name == "issubclass" && !is_class(self, &args[0]) {
            return Err(self.type_error("issubclass() arg 1 must be a class"));
        }
        let mut found = false;
        for kind in &kinds {
            if let Some(Object::Tuple(_)) = kind.object().map(|id| self.heap.get(id)) {
                let inner = vec![args[0].clone(), kind.clone()];
                let value = self.deeper(|machine| machine.is_instance_of(name, &inner))?;
                found |= self.truth(&value)?;
                continue;
            }
            if !is_class(self, kind) {
                let words = if name == "isinstance" {
                    "isinstance() arg 2 must be a class, type, or tuple of classes and types"
                } else {
                    "issubclass() arg 2 must be a class or tuple of classes"
                };
                return Err(self.type_error(words));
            }
            found |= if name == "isinstance" {
                self.is_instance(&args[0], kind)?
            } else {
                self.is_subclass(&args[0], kind)?
            };
            if found {
                break;
            }
        }
        Ok(ScriptValue::Bool(found))
    }

    fn attribute_function(&mut self, name: &str, args: &[ScriptValue]) -> Flow {
        let (least, most) = match name {
            "getattr" => (2, 3),
            "setattr" => (3, 3),
            _ => (2, 2),
        };
        self.unpack_args(name, args, least, most)?;
        let Some(text) = args[1].shown() else {
            let words = match name {
                "hasattr" | "getattr" => format!("{name}(): attribute name must be string"),
                _ => format!(
                    "attribute name must be string, not '{}'",
                    self.type_name(&args[1])
                ),
            };
            return Err(self.type_error(&words));
        };
        if text.starts_with("__") && !matches!(&*text, "__name__" | "__doc__" | "__class__") {
            return Err(self.not_available(&text));
        }
        let key = name_of(&text);
        match name {
            "getattr" => match (self.attribute(&args[0], &key), args.get(2)) {
                (Err(Stop::Raise(id)), Some(otherwise)) if self.is_a(id, ExceptionKind::AttributeError) => {
                    Ok(otherwise.clone())
                }
                (result, _) => result,
            },
            "hasattr" => match self.attribute(&args[0], &key) {
                Ok(_) => Ok(ScriptValue::Bool(true)),
                Err(Stop::Raise(id)) if self.is_a(id, ExceptionKind::Exception) => {
                    Ok(ScriptValue::Bool(false))
                }
                Err(stop) => Err(stop),
            },
            "setattr" => {
                self.set_attribute(&args[0], &key, args[2].clone())?;
                Ok(ScriptValue::None)
            }
            _ => {
                self.delete_attribute(&args[0], &key)?;
                Ok(ScriptValue::None)
            }
        }
    }

    fn map(&mut self, args: &[ScriptValue]) -> Flow {
        if args.len() < 2 {
            return Err(self.type_error("map() requires at least two args"));
        }
        let function = &args[0];
        if args.len() == 2 {
            if !self.can_iterate(&args[1]) {
                return Err(self.type_error("argument 2 to map() must support iteration"));
            }
            let mut items = Vec::new();
            for item in self.items_of(&args[1])? {
                self.charge(1)?;
                items.push(match function {
                    ScriptValue::None => item,
                    function => self.call(function, vec![item])?,
                });
            }
            return self.make_list(items);
        }
        let mut columns = Vec::new();
        for (at, source) in args[1..].iter().enumerate() {
            if !self.can_iterate(source) {
                let words = format!("argument {} to map() must support iteration", at + 2);
                return Err(self.type_error(&words));
            }
            columns.push(self.items_of(source)?);
        }
        let len = columns.iter().map(Vec::len).max().unwrap_or(0);
        let mut items = Vec::new();
        for at in 0..len {
            self.charge(1)?;
            let row = columns
                .iter()
                .map(|column| column.get(at).cloned().unwrap_or(ScriptValue::None));
            let row = row.collect();
            items.push(match function {
                ScriptValue::None => self.make_tuple(row)?,
                function => self.call(function, row)?,
            });
        }
        self.make_list(items)
    }

    fn filter(&mut self, args: &[ScriptValue]) -> Flow {
        self.unpack_args("filter", args, 2, 2)?;
        let (function, source) = (&args[0], &args[1]);
        let mut kept = Vec::new();
        for item in self.items_of(source)? {
            self.charge(1)?;
            let test = match function {
                ScriptValue::None => item.clone(),
                function => self.call(function, vec![item.clone()])?,
            };
            if self.truth(&test)? {
                kept.push(item);
            }
        }
        if source.as_text().is_some() {
            let mut points = Vec::new();
            for item in &kept {
                points.extend(item.as_text().map(TextRef::points).unwrap_or_default());
            }
            return self.make_points(points);
        }
        if let Some(Object::Tuple(_)) = source.object().map(|id| self.heap.get(id)) {
            return self.make_tuple(kept);
        }
        self.make_list(kept)
    }

    fn zip(&mut self, args: &[ScriptValue]) -> Flow {
        let mut columns = Vec::new();
        for (at, source) in args.iter().enumerate() {
            if !self.can_iterate(source) {
                let words = format!("zip argument #{} must support iteration", at + 1);
                return Err(self.type_error(&words));
            }
            columns.push(self.items_of(source)?);
        }
        let len = columns.iter().map(Vec::len).min().unwrap_or(0);
        let mut rows = Vec::new();
        for at in 0..len {
            self.charge(1)?;
            let row = columns.iter().map(|column| column[at].clone()).collect();
            rows.push(self.make_tuple(row)?);
        }
        self.make_list(rows)
    }

    fn reduce(&mut self, args: &[ScriptValue]) -> Flow {
        self.unpack_args("reduce", args, 2, 3)?;
        if !self.can_iterate(&args[1]) {
            return Err(self.type_error("reduce() arg 2 must support iteration"));
        }
        let mut items = self.items_of(&args[1])?.into_iter();
        let mut total = match args.get(2) {
            Some(first) => first.clone(),
            None => match items.next() {
                Some(first) => first,
                None => return Err(self.type_error("reduce() of empty sequence with no initial value")),
            },
        };
        for item in items {
            self.charge(1)?;
            total = self.call(&args[0], vec![total, item])?;
        }
        Ok(total)
    }

    fn greatest(&mut self, name: &str, args: Vec<ScriptValue>, named: Named) -> Flow {
        let mut key = None;
        for (own, value) in named {
            if own.shown().as_deref() != Some("key") {
                let words = format!("{name}() got an unexpected keyword argument");
                return Err(self.type_error(&words));
            }
            key = Some(value).filter(|value| !value.is_none());
        }
        let items = match &args[..] {
            [] => {
                let words = format!("{name} expected 1 arguments, got 0");
                return Err(self.type_error(&words));
            }
            [source] => self.items_of(source)?,
            _ => args,
        };
        match self.extreme(items, key, name == "max")? {
            Some(item) => Ok(item),
            None => {
                let words = format!("{name}() arg is an empty sequence");
                Err(self.value_error(&words))
            }
        }
    }

    // ---- eval ----

    /// Evaluates a text in the names of the caller (S22).
    fn eval(&mut self, args: &[ScriptValue]) -> Flow {
        self.unpack_args("eval", args, 1, 3)?;
        let Some(text) = args[0].shown() else {
            return Err(self.type_error("eval() arg 1 must be a string or code object"));
        };
        self.charge(text.len() / 4)?;
        let text = text.trim_start_matches([' ', '\t']);
        let code = match crate::compile::compile_expression(text) {
            Ok(code) => code,
            Err(fault) if fault.name == "NotAvailable" => {
                return Err(
                    self.not_available(fault.message.trim_start_matches("the table gives scripts no "))
                );
            }
            Err(fault) if fault.name == "LimitExceeded" => {
                return Err(crate::machine::limit(crate::limits::ScriptLimit::Memory));
            }
            Err(fault) => {
                let kind = ExceptionKind::named(fault.name).unwrap_or(ExceptionKind::SyntaxError);
                return Err(self.raise(kind, &fault.message));
            }
        };
        if let Some(globals) = args.get(1)
            && !globals.is_none()
        {
            let Some(globals) = self.dict_of(globals) else {
                return Err(self.type_error("globals must be a dict"));
            };
            let names = args.get(2).and_then(|names| self.dict_of(names));
            return self.run_text(code, names, globals);
        }
        // The caller's own variables, as they are now.
        let names = self.make_dict()?;
        let own = self.frame.code.clone();
        for (slot, name) in own.locals.iter().enumerate() {
            let value = self.stack.get(self.frame.base + slot).cloned();
            if let Some(value) = value.filter(|value| !value.is_unset() && !name.starts_with('.')) {
                self.set_name(names, &name_of(name), value)?;
            }
        }
        for (at, name) in own.cells.iter().enumerate() {
            let cell = self.frame.cells.get(at).map(|id| self.heap.get(*id));
            if let Some(Object::Cell(value)) = cell {
                let value = value.clone();
                if !value.is_unset() {
                    self.set_name(names, &name_of(name), value)?;
                }
            }
        }
        self.run_text(code, Some(names), self.frame.globals)
    }
}
