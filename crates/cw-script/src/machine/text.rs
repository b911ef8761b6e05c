//! Methods of texts. Most are the calculator's; those that look into other values are here.

use std::sync::Arc;

use cw_expr::Value;

use crate::limits::ScriptLimit;
use crate::machine::call::Named;
use crate::machine::{Flow, Machine, limit};
use crate::object::Object;
use crate::value::{ScriptValue, TextRef};

/// Where `part` begins in `text`.
pub(crate) fn find<T: PartialEq>(text: &[T], part: &[T]) -> Option<usize> {
    let Some(first) = part.first() else {
        return Some(0);
    };
    let last = text.len().checked_sub(part.len())?;
    (0..=last).find(|at| text[*at] == *first && text[*at..*at + part.len()] == *part)
}

impl Machine<'_> {
    pub(crate) fn text_method(
        &mut self,
        object: &ScriptValue,
        name: &str,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        match name {
            "join" => {
                self.count_args(name, &args, 1, 1)?;
                return self.join(object, &args[0]);
            }
            "format" => return self.format_method(object, args, named),
            "decode" | "encode" => return self.recode(object, name, &args),
            _ => {}
        }
        let Some(mut plain) = object.plain() else {
            return Err(self.no_attribute(object, name));
        };
        if matches!(name, "isnumeric" | "isdecimal")
            && let Some(text) = object.as_text()
        {
            plain = Value::Unicode(Arc::new(text.points()));
        }
        let exported = self.export_all(&args)?;
        let mut by_name = Vec::new();
        for (key, value) in &named {
            let key: Arc<str> = key.shown().unwrap_or_default().into();
            by_name.push((key, self.export(value)?));
        }
        let len = object.as_text().map_or(0, TextRef::len);
        self.charge(len / 16)?;
        let value = self.calculate(|calculator| calculator.method(&plain, name, &exported, &by_name))?;
        self.take_in(value)
    }

    fn join(&mut self, separator: &ScriptValue, source: &ScriptValue) -> Flow {
        if !self.can_iterate(source) {
            return Err(self.type_error("can only join an iterable"));
        }
        let items = self.items_of(source)?;
        let gap = separator.as_text().map_or(0, TextRef::len);
        let mut len = gap * items.len().saturating_sub(1);
        let mut narrow = matches!(separator, ScriptValue::Text(_));
        for (at, item) in items.iter().enumerate() {
            match item.as_text() {
                Some(text) => len += text.len(),
                None => {
                    let words = format!(
                        "sequence item {at}: expected string, {} found",
                        self.type_name(item)
                    );
                    return Err(self.type_error(&words));
                }
            }
            narrow &= matches!(item, ScriptValue::Text(_));
        }
        self.room_for_text(len)?;
        if narrow {
            let mut joined = Vec::with_capacity(len);
            for (at, item) in items.iter().enumerate() {
                if at > 0
                    && let ScriptValue::Text(gap) = separator
                {
                    joined.extend_from_slice(gap);
                }
                if let ScriptValue::Text(text) = item {
                    joined.extend_from_slice(text);
                }
            }
            return Ok(ScriptValue::Text(Arc::new(joined)));
        }
        let gap = separator.as_text().map(TextRef::points).unwrap_or_default();
        let mut joined = Vec::with_capacity(len);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                joined.extend_from_slice(&gap);
            }
            joined.extend(item.as_text().map(TextRef::points).unwrap_or_default());
        }
        Ok(ScriptValue::points(joined))
    }

    /// Between texts and the bytes that a text is in a coding; bytes are code points below 256 here (S15).
    fn recode(&mut self, object: &ScriptValue, name: &str, args: &[ScriptValue]) -> Flow {
        let Some(text) = object.as_text() else {
            return Ok(ScriptValue::None);
        };
        let points = text.points();
        let plain = match name {
            "decode" if points.iter().all(|point| *point < 256) => {
                let bytes = points.iter().map(|point| (*point & 0xff) as u8).collect();
                Value::Str(Arc::new(bytes))
            }
            // What is text already stays so.
            "decode" => return Ok(object.clone()),
            _ => Value::Unicode(Arc::new(points)),
        };
        let exported = self.export_all(args)?;
        let value = self.calculate(|calculator| calculator.method(&plain, name, &exported, &[]))?;
        self.take_in(value)
    }

    // ---- formats ----

    /// `template % values`.
    pub(crate) fn percent(&mut self, template: &ScriptValue, values: &ScriptValue) -> Flow {
        let Some(text) = template.as_text() else {
            return Ok(ScriptValue::None);
        };
        let points = text.points();
        // What lies in the heap is written here; the calculator puts the texts in.
        let tuple = match values.object().map(|id| self.heap.get(id)) {
            Some(Object::Tuple(items)) => Some(items.clone()),
            _ => None,
        };
        let dict = self.dict_of(values);
        let mut out: Vec<u32> = Vec::new();
        let mut given: Vec<ScriptValue> = Vec::new();
        let mut taken = 0;
        let mut at = 0;
        while let Some(point) = points.get(at).copied() {
            at += 1;
            self.charge(1)?;
            out.push(point);
            if point != u32::from(b'%') {
                continue;
            }
            let ascii = |at: usize| {
                points
                    .get(at)
                    .and_then(|point| char::from_u32(*point))
                    .unwrap_or('\0')
            };
            let mut mapped = None;
            if ascii(at) == '('
                && let Some(dict) = dict
            {
                let mut depth = 1;
                let start = at + 1;
                let mut end = start;
                while end < points.len() {
                    match ascii(end) {
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    end += 1;
                }
                if depth > 0 {
                    return Err(self.value_error("incomplete format key"));
                }
                let key = ScriptValue::points(points[start..end].to_vec());
                at = end + 1;
                let found = match self.class_of(values) {
                    Some(_) => self.subscript(values, &key)?,
                    None => match self.dict_get(dict, &key)? {
                        Some(value) => value,
                        None => return Err(self.key_error(key)),
                    },
                };
                mapped = Some(found);
            }
            let mut stars = 0;
            while matches!(
                ascii(at),
                '-' | '+' | ' ' | '#' | '0'..='9' | '.' | '*' | 'h' | 'l' | 'L'
            ) {
                stars += usize::from(ascii(at) == '*');
                out.push(points[at]);
                at += 1;
            }
            let form = ascii(at);
            if form == '%' || at >= points.len() {
                continue;
            }
            for _ in 0..stars {
                given.extend(tuple.as_ref().and_then(|items| items.get(taken).cloned()));
                taken += 1;
            }
            let value = match (&mapped, &tuple) {
                (Some(value), _) => Some(value.clone()),
                (None, Some(items)) => items.get(taken).cloned(),
                (None, None) => (taken == 0).then(|| values.clone()),
            };
            taken += usize::from(mapped.is_none());
            if let Some(value) = value {
                let is_object = value.plain().is_none();
                let value = match form {
                    's' if is_object => self.text_of(&value)?,
                    'r' if is_object => {
                        out.push(u32::from(b's'));
                        at += 1;
                        self.repr_value(&value)?
                    }
                    _ => value,
                };
                given.push(value);
            }
        }
        let left = match &tuple {
            Some(items) => items.len() > taken,
            // A dict may have more than is asked for; so may what has items.
            None => dict.is_none() && taken == 0 && self.class_of(values).is_none_or(|_| true),
        };
        let keeps =
            dict.is_some() || matches!(values.object().map(|id| self.heap.get(id)), Some(Object::List(_)));
        if left && !keeps {
            // The calculator says that not all were converted.
            given.push(ScriptValue::None);
        }
        let template = ScriptValue::points(out);
        let (Some(template), given) = (template.plain(), self.export_all(&given)?) else {
            return Ok(ScriptValue::None);
        };
        let value = self.calculate(|calculator| {
            let given = calculator.tuple(given)?;
            calculator.binary(cw_expr::ast::BinaryOp::Mod, &template, &given)
        })?;
        self.take_in(value)
    }

    /// `template.format(…)` (S19).
    fn format_method(&mut self, template: &ScriptValue, args: Vec<ScriptValue>, named: Named) -> Flow {
        let mut next = Some(0);
        let points = template.as_text().map(TextRef::points).unwrap_or_default();
        let out = self.format_template(&points, &args, &named, &mut next, 2)?;
        self.make_points(out)
    }

    fn format_template(
        &mut self,
        points: &[u32],
        args: &[ScriptValue],
        named: &Named,
        next: &mut Option<usize>,
        depth: u8,
    ) -> Flow<Vec<u32>> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.value_error("Max string recursion exceeded"));
        };
        let ascii = |at: usize| {
            points
                .get(at)
                .and_then(|point| char::from_u32(*point))
                .unwrap_or('\0')
        };
        let mut out = Vec::new();
        let mut at = 0;
        while at < points.len() {
            self.charge(1)?;
            let c = ascii(at);
            at += 1;
            match c {
                '{' if ascii(at) == '{' => {
                    out.push(u32::from('{'));
                    at += 1;
                }
                '}' if ascii(at) == '}' => {
                    out.push(u32::from('}'));
                    at += 1;
                }
                '}' => return Err(self.value_error("Single '}' encountered in format string")),
                '{' => {
                    let start = at;
                    let mut open = 1;
                    while at < points.len() {
                        match ascii(at) {
                            '{' => open += 1,
                            '}' => open -= 1,
                            _ => {}
                        }
                        if open == 0 {
                            break;
                        }
                        at += 1;
                    }
                    if open > 0 {
                        let words = if start >= points.len() {
                            "Single '{' encountered in format string"
                        } else {
                            "unmatched '{' in format"
                        };
                        return Err(self.value_error(words));
                    }
                    let piece = self.format_field(&points[start..at], args, named, next, depth)?;
                    out.extend(piece);
                    at += 1;
                }
                _ => out.push(points[at - 1]),
            }
            if out.len() > self.limits.text {
                return Err(limit(ScriptLimit::Memory));
            }
        }
        Ok(out)
    }

    fn format_field(
        &mut self,
        field: &[u32],
        args: &[ScriptValue],
        named: &Named,
        next: &mut Option<usize>,
        depth: u8,
    ) -> Flow<Vec<u32>> {
        let is = |point: u32, c: char| point == u32::from(c);
        // The name ends before the first `!` or `:` that is not in brackets.
        let mut in_brackets = false;
        let end = field.iter().position(|point| {
            in_brackets = (in_brackets || is(*point, '[')) && !is(*point, ']');
            !in_brackets && (is(*point, '!') || is(*point, ':'))
        });
        let end = end.unwrap_or(field.len());
        let (name, rest) = field.split_at(end);
        let (mut conversion, mut spec) = (None, &[][..]);
        if let Some(first) = rest.first() {
            if is(*first, '!') {
                let Some(form) = rest.get(1) else {
                    return Err(self.value_error("end of format while looking for conversion specifier"));
                };
                conversion = char::from_u32(*form);
                match rest.get(2) {
                    None => {}
                    Some(colon) if is(*colon, ':') => spec = &rest[3..],
                    Some(_) => return Err(self.value_error("expected ':' after format specifier")),
                }
            } else {
                spec = &rest[1..];
            }
        }
        let mut value = self.format_argument(name, args, named, next)?;
        match conversion {
            None => {}
            Some('r') => value = self.repr_value(&value)?,
            Some('s') => value = self.text_of(&value)?,
            Some(other) => {
                let words = format!("Unknown conversion specifier {other}");
                return Err(self.value_error(&words));
            }
        }
        let spec = if spec.iter().any(|point| is(*point, '{')) {
            self.format_template(spec, args, named, next, depth)?
        } else {
            spec.to_vec()
        };
        let spec = ScriptValue::points(spec);
        let text = self.format_value(&value, &spec)?;
        Ok(text.as_text().map(TextRef::points).unwrap_or_default())
    }

    fn format_argument(
        &mut self,
        name: &[u32],
        args: &[ScriptValue],
        named: &Named,
        next: &mut Option<usize>,
    ) -> Flow {
        let text: String = name
            .iter()
            .map(|point| char::from_u32(*point).unwrap_or('\u{fffd}'))
            .collect();
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (first, mut rest) = text.split_at(end);
        let number = if first.is_empty() {
            let Some(number) = *next else {
                let words = "cannot switch from manual field specification to automatic field numbering";
                return Err(self.value_error(words));
            };
            *next = Some(number + 1);
            Some(number)
        } else if first.bytes().all(|byte| byte.is_ascii_digit()) {
            if next.is_some_and(|next| next > 0) {
                let words = "cannot switch from automatic field numbering to manual field specification";
                return Err(self.value_error(words));
            }
            *next = None;
            match first.parse() {
                Ok(number) => Some(number),
                Err(_) => return Err(self.value_error("Too many decimal digits in format string")),
            }
        } else {
            None
        };
        let found = match number {
            Some(number) => args.get(number).cloned(),
            None => named
                .iter()
                .find(|(key, _)| key.shown().as_deref() == Some(first))
                .map(|(_, value)| value.clone()),
        };
        let mut value = match (found, number) {
            (Some(value), _) => value,
            (None, Some(_)) => {
                return Err(self.raise(cw_expr::ExceptionKind::IndexError, "tuple index out of range"));
            }
            (None, None) => return Err(self.key_error(ScriptValue::text(first))),
        };
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                if end == 0 {
                    return Err(self.value_error("Empty attribute in format string"));
                }
                value = self.attribute_named(&value, &after[..end])?;
                rest = &after[end..];
            } else {
                let after = &rest[1..];
                let Some(end) = after.find(']') else {
                    return Err(self.value_error("Missing ']' in format string"));
                };
                let key = &after[..end];
                if key.is_empty() {
                    return Err(self.value_error("Empty attribute in format string"));
                }
                let key = match key.parse::<i64>() {
                    Ok(number) if key.bytes().all(|byte| byte.is_ascii_digit()) => ScriptValue::Int(number),
                    _ => ScriptValue::text(key),
                };
                value = self.subscript(&value, &key)?;
                rest = &after[end + 1..];
                if !rest.is_empty() && !rest.starts_with(['.', '[']) {
                    let words = "Only '.' or '[' may follow ']' in format field specifier";
                    return Err(self.value_error(words));
                }
            }
        }
        Ok(value)
    }

    /// `format(value, spec)`.
    pub(crate) fn format_value(&mut self, value: &ScriptValue, spec: &ScriptValue) -> Flow {
        if let Some(method) = self.special(value, "__format__")? {
            return self.call(&method, vec![spec.clone()]);
        }
        if let ScriptValue::Host(handle) = value {
            return Ok(self.host_text(*handle, crate::host::HostForm::Format));
        }
        let own = self.payload_of(value);
        let plain = match own.plain() {
            Some(plain) if self.class_of(value).is_none() || own.is_number() => plain,
            _ => {
                let text = self.text_of(value)?;
                text.plain().unwrap_or(Value::None)
            }
        };
        let spec = spec.plain().unwrap_or(Value::None);
        let value = self.calculate(|calculator| calculator.format(&plain, &spec))?;
        self.take_in(value)
    }
}
