//! Functions of modules that the machine does itself: `math`, `random`, `time`, `copy`, `json`.

use std::collections::BTreeMap;
use std::collections::VecDeque;

use cw_expr::ExceptionKind;

use crate::machine::call::Named;
use crate::machine::{Flow, Machine};
use crate::object::Object;
use crate::value::{ObjectId, ScriptValue};

impl Machine<'_> {
    /// `module.function(…)`.
    pub(crate) fn call_of_module(
        &mut self,
        module: &str,
        function: &str,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        match module {
            "math" => self.math(function, &args),
            "re" => self.regex_function(function, args, named),
            "random" => {
                // 53 bits, as CPython takes them.
                let drawn = self.host.draw();
                if function == "getrandbits" {
                    let bits = match args.first() {
                        Some(bits) => self.integer_arg(bits)?.clamp(1, 62),
                        None => 62,
                    };
                    return Ok(ScriptValue::Int(i64::try_from(drawn >> (64 - bits)).unwrap_or(0)));
                }
                Ok(ScriptValue::Float((drawn >> 11) as f64 / 9_007_199_254_740_992.0))
            }
            "time" => Ok(ScriptValue::Int(self.host.now())),
            "copy" => {
                self.count_args(function, &args, 1, 1)?;
                if function == "copy" {
                    self.copy(&args[0])
                } else {
                    self.deep_copy(&args[0], &mut BTreeMap::new())
                }
            }
            "json" => self.json(function, args),
            "collections" => {
                let most = match (args.get(1), named.first()) {
                    (Some(most), _) | (None, Some((_, most))) if !most.is_none() => {
                        Some(usize::try_from(self.integer_arg(most)?).unwrap_or(0))
                    }
                    _ => None,
                };
                let items = match args.first() {
                    Some(source) => self.items_of(source)?,
                    None => Vec::new(),
                };
                let mut items: VecDeque<ScriptValue> = items.into();
                while most.is_some_and(|most| items.len() > most) {
                    items.pop_front();
                }
                self.make(Object::Deque(Box::new((items, most))))
            }
            // `clr.AddReference`: nothing is there to refer to (S28).
            _ => Ok(ScriptValue::None),
        }
    }

    fn float_arg(&mut self, value: &ScriptValue) -> Flow<f64> {
        let own = self.payload_of(value);
        match own {
            ScriptValue::Float(value) => Ok(value),
            ScriptValue::Int(value) => Ok(value as f64),
            ScriptValue::Bool(value) => Ok(f64::from(u8::from(value))),
            ScriptValue::Long(_) => {
                let float = ScriptValue::core(cw_expr::PythonType::Float);
                match self.call(&float, vec![own])? {
                    ScriptValue::Float(value) => Ok(value),
                    _ => Ok(0.0),
                }
            }
            _ => match self.special(value, "__float__")? {
                Some(method) => match self.call(&method, Vec::new())? {
                    ScriptValue::Float(value) => Ok(value),
                    _ => Err(self.type_error("nb_float should return float object")),
                },
                None => Err(self.type_error("a float is required")),
            },
        }
    }

    fn math(&mut self, function: &str, args: &[ScriptValue]) -> Flow {
        let (least, most) = match function {
            "atan2" | "fmod" | "hypot" | "pow" => (2, 2),
            "log" => (1, 2),
            _ => (1, 1),
        };
        if least == 2 {
            self.unpack_args(function, args, 2, 2)?;
        } else {
            self.count_args(function, args, least, most)?;
        }
        if function == "trunc" {
            let int = ScriptValue::core(cw_expr::PythonType::Int);
            return self.call(&int, args.to_vec());
        }
        let x = self.float_arg(&args[0])?;
        let y = match args.get(1) {
            Some(y) => self.float_arg(y)?,
            None => 0.0,
        };
        let domain = |machine: &mut Self| Err(machine.value_error("math domain error"));
        let result = match function {
            "sqrt" if x < 0.0 => return domain(self),
            "sqrt" => libm::sqrt(x),
            "floor" => libm::floor(x),
            "ceil" => libm::ceil(x),
            "fabs" => libm::fabs(x),
            "exp" => libm::exp(x),
            "log" | "log10" if x <= 0.0 => return domain(self),
            "log" if args.len() == 2 => {
                if y <= 0.0 {
                    return domain(self);
                }
                let base = libm::log(y);
                if base == 0.0 {
                    return Err(self.raise(ExceptionKind::ZeroDivisionError, "float division by zero"));
                }
                libm::log(x) / base
            }
            "log" => libm::log(x),
            "log10" => libm::log10(x),
            "pow" => libm::pow(x, y),
            "fmod" if y == 0.0 => return domain(self),
            "fmod" => libm::fmod(x, y),
            "hypot" => libm::hypot(x, y),
            "sin" => libm::sin(x),
            "cos" => libm::cos(x),
            "tan" => libm::tan(x),
            "asin" | "acos" if !(-1.0..=1.0).contains(&x) => return domain(self),
            "asin" => libm::asin(x),
            "acos" => libm::acos(x),
            "atan" => libm::atan(x),
            "atan2" => libm::atan2(x, y),
            "degrees" => x * (180.0 / std::f64::consts::PI),
            _ => x * (std::f64::consts::PI / 180.0),
        };
        if result.is_infinite() && x.is_finite() && y.is_finite() {
            return Err(self.raise(ExceptionKind::OverflowError, "math range error"));
        }
        if result.is_nan() && !x.is_nan() && !y.is_nan() {
            return domain(self);
        }
        Ok(ScriptValue::Float(result))
    }

    // ---- copies ----

    fn copy(&mut self, value: &ScriptValue) -> Flow {
        let Some(id) = value.object() else {
            return Ok(value.clone());
        };
        if let Some(method) = self.find_attribute(value, &crate::machine::attribute::named("__copy__"))? {
            return self.call(&method, Vec::new());
        }
        match self.heap.get(id) {
            Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::Deque(_) => {
                let copy = self.heap.get(id).clone();
                self.make(copy)
            }
            Object::Instance(instance) => {
                let (class, names, payload) = (instance.class, instance.names, instance.payload.clone());
                let payload = self.copy(&payload)?;
                let names = self.copy(&ScriptValue::Object(names))?;
                let Some(names) = names.object() else {
                    return Ok(ScriptValue::None);
                };
                self.make(Object::Instance(Box::new(crate::object::InstanceObject {
                    class,
                    names,
                    payload,
                })))
            }
            _ => Ok(value.clone()),
        }
    }

    fn deep_copy(&mut self, value: &ScriptValue, made: &mut BTreeMap<ObjectId, ScriptValue>) -> Flow {
        self.charge(1)?;
        let Some(id) = value.object() else {
            return Ok(value.clone());
        };
        if let Some(copy) = made.get(&id) {
            return Ok(copy.clone());
        }
        match self.heap.get(id) {
            Object::List(items) => {
                let items = items.clone();
                let copy = self.make_list(Vec::new())?;
                made.insert(id, copy.clone());
                let items = self.deep_copies(items, made)?;
                if let Some(Object::List(list)) = copy.object().and_then(|id| self.heap.get_mut(id)) {
                    *list = items;
                }
                Ok(copy)
            }
            Object::Deque(deque) => {
                let (items, most) = (deque.0.iter().cloned().collect(), deque.1);
                let items = self.deep_copies(items, made)?;
                self.make(Object::Deque(Box::new((items.into(), most))))
            }
            Object::Tuple(items) => {
                let items = items.clone();
                let copies = self.deep_copies(items.clone(), made)?;
                let same = items
                    .iter()
                    .zip(&copies)
                    .all(|(one, other)| self.is_same(one, other));
                if same {
                    return Ok(value.clone());
                }
                self.make_tuple(copies)
            }
            Object::Dict(_) => {
                let copy = self.make_dict()?;
                made.insert(id, ScriptValue::Object(copy));
                for (key, value) in self.dict_entries(id) {
                    let key = self.deeper(|machine| machine.deep_copy(&key, made))?;
                    let value = self.deeper(|machine| machine.deep_copy(&value, made))?;
                    self.dict_set(copy, key, value)?;
                }
                Ok(ScriptValue::Object(copy))
            }
            Object::Set(_) => {
                let items = self.items_of(value)?;
                let items = self.deep_copies(items, made)?;
                self.set_of(items).map(ScriptValue::Object)
            }
            Object::Instance(instance) => {
                let (class, names, payload) = (instance.class, instance.names, instance.payload.clone());
                let payload = self.deeper(|machine| machine.deep_copy(&payload, made))?;
                let copy = self.make_instance(class, payload)?;
                made.insert(id, copy.clone());
                let names = self.deeper(|machine| machine.deep_copy(&ScriptValue::Object(names), made))?;
                if let (Some(Object::Instance(instance)), Some(names)) =
                    (copy.object().and_then(|id| self.heap.get_mut(id)), names.object())
                {
                    instance.names = names;
                }
                Ok(copy)
            }
            _ => Ok(value.clone()),
        }
    }

    fn deep_copies(
        &mut self,
        items: Vec<ScriptValue>,
        made: &mut BTreeMap<ObjectId, ScriptValue>,
    ) -> Flow<Vec<ScriptValue>> {
        self.deeper(|machine| items.iter().map(|item| machine.deep_copy(item, made)).collect())
    }

    // ---- JSON ----

    fn json(&mut self, function: &str, args: Vec<ScriptValue>) -> Flow {
        let Some(first) = args.first() else {
            return Err(self.type_error("an argument is required"));
        };
        if function == "dumps" {
            let mut out = String::new();
            self.write_json(first, &mut out)?;
            return self.make_text(&out);
        }
        let Some(text) = first.shown() else {
            return Err(self.type_error("expected string or buffer"));
        };
        self.charge(text.len() / 4)?;
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let value = self.read_json(&chars, &mut at)?;
        skip_blanks(&chars, &mut at);
        if at < chars.len() {
            let words = format!("Extra data: line 1 column {} (char {at})", at + 1);
            return Err(self.value_error(&words));
        }
        Ok(value)
    }

    fn write_json(&mut self, value: &ScriptValue, out: &mut String) -> Flow<()> {
        self.charge(1)?;
        if out.len() > self.limits.text {
            return Err(crate::machine::limit(crate::limits::ScriptLimit::Memory));
        }
        match value {
            ScriptValue::None => out.push_str("null"),
            ScriptValue::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            ScriptValue::Text(_) | ScriptValue::Wide(_) => {
                quote_json(&value.shown().unwrap_or_default(), out);
            }
            ScriptValue::Int(value) => out.push_str(&value.to_string()),
            ScriptValue::Long(value) => out.push_str(&value.to_string()),
            ScriptValue::Float(value) => out.push_str(&cw_expr::float_repr(*value)),
            _ => {
                let own = self.payload_of(value);
                let Some(id) = own.object() else {
                    return Ok(());
                };
                if self.showing.contains(&id) {
                    return Err(self.value_error("Circular reference detected"));
                }
                self.showing.push(id);
                let result = self.deeper(|machine| machine.write_json_object(id, value, out));
                self.showing.pop();
                result?;
            }
        }
        Ok(())
    }

    fn write_json_object(&mut self, id: ObjectId, value: &ScriptValue, out: &mut String) -> Flow<()> {
        match self.heap.get(id) {
            Object::List(items) | Object::Tuple(items) => {
                let items = items.clone();
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    self.write_json(item, out)?;
                }
                out.push(']');
                Ok(())
            }
            Object::Dict(_) => {
                out.push('{');
                for (at, (key, value)) in self.dict_entries(id).into_iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    match key.as_text() {
                        Some(text) => quote_json(&text.shown(), out),
                        None if key.is_number() || key.is_none() => {
                            out.push('"');
                            self.write_json(&key, out)?;
                            out.push('"');
                        }
                        None => {
                            let words = format!("keys must be a string, not {}", self.type_name(&key));
                            return Err(self.type_error(&words));
                        }
                    }
                    out.push_str(": ");
                    self.write_json(&value, out)?;
                }
                out.push('}');
                Ok(())
            }
            _ => {
                let mut shown = String::new();
                self.write_repr(value, &mut shown)?;
                let words = format!("{shown} is not JSON serializable");
                Err(self.type_error(&words))
            }
        }
    }

    fn read_json(&mut self, chars: &[char], at: &mut usize) -> Flow {
        self.charge(1)?;
        skip_blanks(chars, at);
        let rest: String = chars[(*at).min(chars.len())..].iter().take(9).collect();
        for (word, value) in [
            ("null", ScriptValue::None),
            ("true", ScriptValue::Bool(true)),
            ("false", ScriptValue::Bool(false)),
        ] {
            if rest.starts_with(word) {
                *at += word.len();
                return Ok(value);
            }
        }
        match chars.get(*at) {
            Some('"') => {
                let text = self.read_json_text(chars, at)?;
                self.make_text(&text)
            }
            Some('[') => {
                *at += 1;
                let mut items = Vec::new();
                skip_blanks(chars, at);
                if chars.get(*at) == Some(&']') {
                    *at += 1;
                    return self.make_list(items);
                }
                loop {
                    items.push(self.deeper(|machine| machine.read_json(chars, at))?);
                    skip_blanks(chars, at);
                    *at += 1;
                    match chars.get(*at - 1) {
                        Some(',') => {}
                        Some(']') => return self.make_list(items),
                        _ => return Err(self.no_json(*at - 1)),
                    }
                }
            }
            Some('{') => {
                *at += 1;
                let dict = self.make_dict()?;
                skip_blanks(chars, at);
                if chars.get(*at) == Some(&'}') {
                    *at += 1;
                    return Ok(ScriptValue::Object(dict));
                }
                loop {
                    skip_blanks(chars, at);
                    if chars.get(*at) != Some(&'"') {
                        return Err(self.no_json(*at));
                    }
                    let key = self.read_json_text(chars, at)?;
                    skip_blanks(chars, at);
                    if chars.get(*at) != Some(&':') {
                        return Err(self.no_json(*at));
                    }
                    *at += 1;
                    let value = self.deeper(|machine| machine.read_json(chars, at))?;
                    self.dict_set(dict, ScriptValue::text(&key), value)?;
                    skip_blanks(chars, at);
                    *at += 1;
                    match chars.get(*at - 1) {
                        Some(',') => {}
                        Some('}') => return Ok(ScriptValue::Object(dict)),
                        _ => return Err(self.no_json(*at - 1)),
                    }
                }
            }
            Some('-' | '0'..='9') => {
                let start = *at;
                while matches!(chars.get(*at), Some('-' | '+' | '.' | 'e' | 'E' | '0'..='9')) {
                    *at += 1;
                }
                let text: String = chars[start..*at].iter().collect();
                let kind = if text.contains(['.', 'e', 'E']) {
                    cw_expr::PythonType::Float
                } else {
                    cw_expr::PythonType::Int
                };
                let text = ScriptValue::text(&text);
                self.call(&ScriptValue::core(kind), vec![text])
            }
            _ => Err(self.no_json(*at)),
        }
    }

    fn no_json(&mut self, at: usize) -> crate::machine::Stop {
        let _ = at;
        self.value_error("No JSON object could be decoded")
    }

    fn read_json_text(&mut self, chars: &[char], at: &mut usize) -> Flow<String> {
        let mut out = String::new();
        let begin = *at;
        *at += 1;
        loop {
            let c = chars.get(*at).copied();
            *at += 1;
            match c {
                Some('"') => return Ok(out),
                Some('\\') => {
                    let escape = chars.get(*at).copied();
                    *at += 1;
                    match escape {
                        Some('n') => out.push('\n'),
                        Some('t') => out.push('\t'),
                        Some('r') => out.push('\r'),
                        Some('b') => out.push('\u{8}'),
                        Some('f') => out.push('\u{c}'),
                        Some('u') => {
                            let digits: String = chars[(*at).min(chars.len())..].iter().take(4).collect();
                            *at += 4;
                            let point = u32::from_str_radix(&digits, 16).unwrap_or(0xfffd);
                            out.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
                        }
                        Some(other) => out.push(other),
                        None => {}
                    }
                }
                Some(c) => out.push(c),
                None => {
                    let words = format!(
                        "Unterminated string starting at: line 1 column {} (char {begin})",
                        begin + 1
                    );
                    return Err(self.value_error(&words));
                }
            }
        }
    }
}

fn skip_blanks(chars: &[char], at: &mut usize) {
    while chars
        .get(*at)
        .is_some_and(|c| matches!(c, ' ' | '\t' | '\n' | '\r'))
    {
        *at += 1;
    }
}

fn quote_json(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}
