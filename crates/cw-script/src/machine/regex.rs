//! The module `re`: patterns, what they find, what is put in its place.

use std::sync::Arc;

use cw_expr::ExceptionKind;

use crate::limits::ScriptLimit;
use crate::machine::attribute::named as name_of;
use crate::machine::call::Named;
use crate::machine::{Flow, Machine, Stop, limit};
use crate::object::{MatchObject, Object};
use crate::pattern::{Pattern, compiled_size};
use crate::value::{ObjectId, ScriptValue};

/// A text for the crate that matches, and its code points' places.
struct Subject {
    text: String,
    value: ScriptValue,
    /// Where each code point begins; nothing where each is one byte.
    starts: Option<Vec<usize>>,
}

impl Subject {
    fn byte(&self, point: usize) -> usize {
        match &self.starts {
            Some(starts) => starts.get(point).copied().unwrap_or(self.text.len()),
            None => point.min(self.text.len()),
        }
    }

    fn point(&self, byte: usize) -> usize {
        match &self.starts {
            Some(starts) => starts.partition_point(|start| *start < byte),
            None => byte,
        }
    }

    fn len(&self) -> usize {
        self.starts.as_ref().map_or(self.text.len(), Vec::len)
    }

    fn part(&self, span: (usize, usize)) -> ScriptValue {
        let (start, end) = (self.byte(span.0), self.byte(span.1));
        ScriptValue::text(self.text.get(start..end).unwrap_or_default())
    }
}

/// Spans of the groups, in code points; the whole is the first.
type Spans = Vec<Option<(usize, usize)>>;

impl Machine<'_> {
    fn subject(&mut self, value: &ScriptValue) -> Flow<Subject> {
        let Some(text) = value.shown() else {
            return Err(self.type_error("expected string or buffer"));
        };
        self.room_for_text(text.len())?;
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Ok(Subject {
            text,
            value: value.clone(),
            starts,
        })
    }

    /// The error of the module, with these words.
    fn pattern_error(&mut self, words: &str) -> Flow<Stop> {
        let module = self.import(&"re".into())?;
        let class = self.attribute(&module, &name_of("error"))?;
        self.raise_value(&class, vec![ScriptValue::text(words)])
    }

    pub(crate) fn compile_pattern(&mut self, source: &ScriptValue, flags: i64) -> Flow<ObjectId> {
        if let Some(id) = source.object()
            && matches!(self.heap.get(id), Object::Pattern(_))
        {
            return Ok(id);
        }
        let Some(text) = source.shown() else {
            return Err(self.type_error("first argument must be string or compiled pattern"));
        };
        self.charge(20)?;
        let key = (text, flags);
        if let Some(pattern) = self.patterns.get(&key) {
            let pattern = Object::Pattern(Arc::clone(pattern));
            self.allocate(48)?;
            return Ok(self.heap.add(pattern));
        }
        // Both of its automata. What is large takes long: about so many steps.
        let size = compiled_size(&key.0).saturating_mul(2);
        self.charge(size / 16)?;
        self.allocate(size)?;
        match self.store.pattern(&key.0, flags) {
            Ok(pattern) => {
                self.patterns.insert(key, Arc::clone(&pattern));
                Ok(self.heap.add(Object::Pattern(pattern)))
            }
            Err(words) => Err(self.pattern_error(&words)?),
        }
    }

    fn pattern(&self, id: ObjectId) -> Option<Arc<Pattern>> {
        match self.heap.get(id) {
            Object::Pattern(pattern) => Some(pattern.clone()),
            _ => None,
        }
    }

    /// Finds the pattern from a code point on.
    fn search(
        &mut self,
        pattern: &Pattern,
        subject: &Subject,
        from: usize,
        here: bool,
    ) -> Flow<Option<Spans>> {
        let start = subject.byte(from);
        self.charge(8 + (subject.text.len() - start) / 4)?;
        let regex = if here { &pattern.here } else { &pattern.anywhere };
        match regex.captures_from_pos(&subject.text, start) {
            Ok(None) => Ok(None),
            Ok(Some(found)) => {
                let spans = (0..=pattern.groups).map(|at| {
                    let group = found.get(at)?;
                    Some((subject.point(group.start()), subject.point(group.end())))
                });
                Ok(Some(spans.collect()))
            }
            // It has turned back too often: that is time, not an answer.
            Err(_) => Err(limit(ScriptLimit::Steps)),
        }
    }

    /// All that is found one after the other, as a search for each goes.
    fn search_all(&mut self, pattern: &Pattern, subject: &Subject, from: usize) -> Flow<Vec<Spans>> {
        let mut all = Vec::new();
        let mut at = from;
        while at <= subject.len() {
            self.charge(1)?;
            let Some(spans) = self.search(pattern, subject, at, false)? else {
                break;
            };
            let (start, end) = spans[0].unwrap_or((at, at));
            at = if start == end { end + 1 } else { end };
            self.room(spans.len())?;
            all.push(spans);
        }
        Ok(all)
    }

    fn make_match(&mut self, pattern: ObjectId, subject: &Subject, groups: Spans, pos: usize) -> Flow {
        self.allocate(64 + groups.len() * 24)?;
        self.make(Object::Match(Box::new(MatchObject {
            pattern,
            text: subject.value.clone(),
            groups,
            pos,
            end: subject.len(),
        })))
    }

    /// A function of the module: the pattern comes first.
    pub(crate) fn regex_function(&mut self, name: &str, args: Vec<ScriptValue>, named: Named) -> Flow {
        if name == "escape" {
            self.count_args(name, &args, 1, 1)?;
            let text = args[0].shown().unwrap_or_default();
            self.charge(text.len() / 2)?;
            let mut out = String::new();
            for c in text.chars() {
                if !(c.is_ascii_alphanumeric()) {
                    out.push('\\');
                }
                out.push(c);
            }
            return self.make_text(&out);
        }
        let names: &[&str] = match name {
            "compile" => &["pattern", "flags"],
            "sub" | "subn" => &["pattern", "repl", "string", "count", "flags"],
            "split" => &["pattern", "string", "maxsplit", "flags"],
            _ => &["pattern", "string", "flags"],
        };
        let least = match name {
            "compile" => 1,
            "sub" | "subn" => 3,
            _ => 2,
        };
        let mut parts = self.arguments(name, names, least, args, named)?;
        let flags = match parts.pop() {
            Some(ScriptValue::Unset) | None => 0,
            Some(flags) => self.integer_arg(&flags)?,
        };
        let source = parts.remove(0);
        let pattern = self.compile_pattern(&source, flags)?;
        if name == "compile" {
            return Ok(ScriptValue::Object(pattern));
        }
        while parts.last().is_some_and(ScriptValue::is_unset) {
            parts.pop();
        }
        self.pattern_method(pattern, name, parts, Vec::new())
    }

    /// Arguments by these names; those that are not given are unset.
    pub(crate) fn arguments(
        &mut self,
        name: &str,
        names: &[&str],
        least: usize,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow<Vec<ScriptValue>> {
        if args.len() > names.len() {
            let bound = if least == names.len() {
                "exactly"
            } else {
                "at most"
            };
            let words = format!(
                "{name}() takes {bound} {} arguments ({} given)",
                names.len(),
                args.len()
            );
            return Err(self.type_error(&words));
        }
        let given = args.len() + named.len();
        let mut parts = args;
        parts.resize(names.len(), ScriptValue::Unset);
        for (key, value) in named {
            let key = key.shown().unwrap_or_default();
            match names.iter().position(|name| *name == key) {
                Some(at) if parts[at].is_unset() => parts[at] = value,
                _ => {
                    let words = format!("{name}() got an unexpected keyword argument '{key}'");
                    return Err(self.type_error(&words));
                }
            }
        }
        if parts[..least].iter().any(ScriptValue::is_unset) {
            let bound = if least == names.len() {
                "exactly"
            } else {
                "at least"
            };
            let plural = if least == 1 { "" } else { "s" };
            let words = format!("{name}() takes {bound} {least} argument{plural} ({given} given)");
            return Err(self.type_error(&words));
        }
        Ok(parts)
    }

    pub(crate) fn pattern_method(
        &mut self,
        id: ObjectId,
        name: &str,
        args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        let Some(pattern) = self.pattern(id) else {
            return Ok(ScriptValue::None);
        };
        if matches!(name, "sub" | "subn") {
            let parts = self.arguments(name, &["repl", "string", "count"], 2, args, named)?;
            let count = match &parts[2] {
                ScriptValue::Unset => 0,
                count => self.integer_arg(count)?,
            };
            return self.substitute(id, &pattern, name == "subn", &parts, count);
        }
        let names: &[&str] = match name {
            "split" => &["string", "maxsplit"],
            _ => &["string", "pos", "endpos"],
        };
        let parts = self.arguments(name, names, 1, args, named)?;
        let mut subject = self.subject(&parts[0])?;
        if name == "split" {
            let most = match &parts[1] {
                ScriptValue::Unset => 0,
                most => self.integer_arg(most)?,
            };
            return self.split_by(&pattern, &subject, most);
        }
        let mut bound = |part: &ScriptValue, otherwise: usize| match part {
            ScriptValue::Unset => Ok(otherwise),
            part => Ok(usize::try_from(self.integer_arg(part)?).unwrap_or(0)),
        };
        let len = subject.len();
        let pos = bound(&parts[1], 0)?.min(len);
        let end = bound(&parts[2], len)?.min(len);
        if end < len {
            let cut = subject.byte(end);
            subject.text.truncate(cut);
            if let Some(starts) = &mut subject.starts {
                starts.truncate(end);
            }
        }
        match name {
            "search" | "match" => match self.search(&pattern, &subject, pos, name == "match")? {
                Some(spans) => self.make_match(id, &subject, spans, pos),
                None => Ok(ScriptValue::None),
            },
            _ => {
                let all = self.search_all(&pattern, &subject, pos)?;
                let mut items = Vec::new();
                for spans in all {
                    items.push(if name == "finditer" {
                        self.make_match(id, &subject, spans, pos)?
                    } else {
                        self.found(&subject, &spans)?
                    });
                }
                if name == "finditer" {
                    self.listed(items)
                } else {
                    self.make_list(items)
                }
            }
        }
    }

    /// What `findall` gives of a match.
    fn found(&mut self, subject: &Subject, spans: &Spans) -> Flow {
        let part = |span: &Option<(usize, usize)>| {
            span.map_or_else(|| ScriptValue::text(""), |span| subject.part(span))
        };
        match &spans[..] {
            [whole] | [_, whole] => Ok(part(whole)),
            [_, groups @ ..] => self.make_tuple(groups.iter().map(part).collect()),
            [] => Ok(ScriptValue::None),
        }
    }

    fn split_by(&mut self, pattern: &Pattern, subject: &Subject, most: i64) -> Flow {
        let mut items = Vec::new();
        let (mut last, mut at, mut splits) = (0, 0, 0);
        while (most == 0 || splits < most) && at <= subject.len() {
            let Some(spans) = self.search(pattern, subject, at, false)? else {
                break;
            };
            let (start, end) = spans[0].unwrap_or((at, at));
            if start == end {
                at = end + 1;
                continue;
            }
            items.push(subject.part((last, start)));
            for span in &spans[1..] {
                items.push(span.map_or(ScriptValue::None, |span| subject.part(span)));
            }
            (last, at) = (end, end);
            splits += 1;
        }
        items.push(subject.part((last, subject.len())));
        self.make_list(items)
    }

    fn substitute(
        &mut self,
        id: ObjectId,
        pattern: &Pattern,
        counted: bool,
        parts: &[ScriptValue],
        most: i64,
    ) -> Flow {
        let subject = self.subject(&parts[1])?;
        let template = parts[0].shown();
        let mut out = String::new();
        let (mut last, mut at, mut count) = (0, 0, 0_i64);
        while (most <= 0 || count < most) && at <= subject.len() {
            let Some(spans) = self.search(pattern, &subject, at, false)? else {
                break;
            };
            let (start, end) = spans[0].unwrap_or((at, at));
            at = if start == end { end + 1 } else { end };
            if start == end && start == last && count > 0 {
                continue;
            }
            out.push_str(&subject.part((last, start)).shown().unwrap_or_default());
            match &template {
                Some(template) => self.expand(pattern, &subject, &spans, template, &mut out)?,
                None => {
                    let found = self.make_match(id, &subject, spans, 0)?;
                    let value = self.call(&parts[0], vec![found])?;
                    match value.shown() {
                        Some(text) => out.push_str(&text),
                        None if value.is_none() => {}
                        None => {
                            let words = format!("expected string, {} found", self.type_name(&value));
                            return Err(self.type_error(&words));
                        }
                    }
                }
            }
            if out.len() > self.limits.text {
                return Err(limit(ScriptLimit::Memory));
            }
            last = end;
            count += 1;
        }
        out.push_str(&subject.part((last, subject.len())).shown().unwrap_or_default());
        let text = self.make_text(&out)?;
        if counted {
            return self.make_tuple(vec![text, ScriptValue::Int(count)]);
        }
        Ok(text)
    }

    /// Puts groups into a template.
    fn expand(
        &mut self,
        pattern: &Pattern,
        subject: &Subject,
        spans: &Spans,
        template: &str,
        out: &mut String,
    ) -> Flow<()> {
        let mut chars = template.chars().peekable();
        while let Some(c) = chars.next() {
            self.charge(1)?;
            if c != '\\' {
                out.push(c);
                continue;
            }
            let group = match chars.next() {
                Some('n') => {
                    out.push('\n');
                    continue;
                }
                Some('t') => {
                    out.push('\t');
                    continue;
                }
                Some('r') => {
                    out.push('\r');
                    continue;
                }
                Some('g') if chars.peek() == Some(&'<') => {
                    chars.next();
                    let name: String = chars.by_ref().take_while(|c| *c != '>').collect();
                    let known = pattern
                        .names
                        .iter()
                        .find(|(own, _)| *own == name)
                        .map(|(_, at)| *at);
                    match name.parse::<usize>().ok().or(known) {
                        Some(group) => group,
                        None => {
                            let words = format!("unknown group name: {name}");
                            return Err(self.raise(ExceptionKind::IndexError, &words));
                        }
                    }
                }
                Some(digit) if digit.is_ascii_digit() && digit != '0' => {
                    let mut number = digit.to_digit(10).unwrap_or(0) as usize;
                    if let Some(next) = chars.peek().and_then(|c| c.to_digit(10)) {
                        number = number * 10 + next as usize;
                        chars.next();
                    }
                    number
                }
                Some('\\') => {
                    out.push('\\');
                    continue;
                }
                Some('0') => {
                    out.push('\0');
                    continue;
                }
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                    continue;
                }
                None => {
                    out.push('\\');
                    continue;
                }
            };
            match spans.get(group) {
                Some(Some(span)) => out.push_str(&subject.part(*span).shown().unwrap_or_default()),
                Some(None) => return Err(self.pattern_error("unmatched group")?),
                None => return Err(self.pattern_error("invalid group reference")?),
            }
        }
        Ok(())
    }

    // ---- matches ----

    fn match_parts(&self, id: ObjectId) -> Option<(MatchObject, Arc<Pattern>)> {
        match self.heap.get(id) {
            Object::Match(found) => Some(((**found).clone(), self.pattern(found.pattern)?)),
            _ => None,
        }
    }

    fn group_number(&mut self, pattern: &Pattern, group: &ScriptValue) -> Flow<usize> {
        let number = match group.shown() {
            Some(name) => pattern
                .names
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, at)| *at),
            None => match self.index_value(group)? {
                Some(number) => usize::try_from(number)
                    .ok()
                    .filter(|number| *number <= pattern.groups),
                None => None,
            },
        };
        match number {
            Some(number) => Ok(number),
            None => Err(self.raise(ExceptionKind::IndexError, "no such group")),
        }
    }

    pub(crate) fn match_method(&mut self, id: ObjectId, name: &str, args: &[ScriptValue]) -> Flow {
        let Some((found, pattern)) = self.match_parts(id) else {
            return Ok(ScriptValue::None);
        };
        let subject = self.subject(&found.text)?;
        let part = |at: usize, otherwise: &ScriptValue| match found.groups.get(at) {
            Some(Some(span)) => subject.part(*span),
            _ => otherwise.clone(),
        };
        let otherwise = match name {
            "groups" | "groupdict" => args.first().cloned().unwrap_or(ScriptValue::None),
            _ => ScriptValue::None,
        };
        match name {
            "group" => {
                if args.is_empty() {
                    return Ok(part(0, &otherwise));
                }
                let mut parts = Vec::new();
                for arg in args {
                    let number = self.group_number(&pattern, arg)?;
                    parts.push(part(number, &otherwise));
                }
                match parts.len() {
                    1 => Ok(parts.remove(0)),
                    _ => self.make_tuple(parts),
                }
            }
            "groups" => {
                let parts = (1..=pattern.groups).map(|at| part(at, &otherwise)).collect();
                self.make_tuple(parts)
            }
            "groupdict" => {
                let dict = self.make_dict()?;
                for (name, at) in &pattern.names {
                    self.dict_set(dict, ScriptValue::text(name), part(*at, &otherwise))?;
                }
                Ok(ScriptValue::Object(dict))
            }
            "expand" => {
                self.count_args(name, args, 1, 1)?;
                let template = args[0].shown().unwrap_or_default();
                let mut out = String::new();
                self.expand(&pattern, &subject, &found.groups, &template, &mut out)?;
                self.make_text(&out)
            }
            _ => {
                let number = match args.first() {
                    Some(group) => self.group_number(&pattern, group)?,
                    None => 0,
                };
                let span = found.groups.get(number).copied().flatten();
                let number = |at: Option<usize>| at.map_or(ScriptValue::Int(-1), ScriptValue::int);
                let (start, end) = (number(span.map(|span| span.0)), number(span.map(|span| span.1)));
                match name {
                    "start" => Ok(start),
                    "end" => Ok(end),
                    _ => self.make_tuple(vec![start, end]),
                }
            }
        }
    }

    /// Data of patterns and matches.
    pub(crate) fn attribute_of_match(&mut self, id: ObjectId, name: &str) -> Flow<Option<ScriptValue>> {
        if let Some(pattern) = self.pattern(id) {
            return Ok(Some(match name {
                "pattern" => ScriptValue::text(&pattern.source),
                "flags" => ScriptValue::Int(pattern.flags),
                "groups" => ScriptValue::int(pattern.groups),
                "groupindex" => {
                    let dict = self.make_dict()?;
                    for (name, at) in &pattern.names {
                        self.dict_set(dict, ScriptValue::text(name), ScriptValue::int(*at))?;
                    }
                    ScriptValue::Object(dict)
                }
                _ => return Ok(None),
            }));
        }
        let Some((found, pattern)) = self.match_parts(id) else {
            return Ok(None);
        };
        let last = (1..found.groups.len())
            .filter_map(|at| Some((found.groups[at]?.1, at)))
            .max_by_key(|(end, at)| (*end, usize::MAX - *at));
        Ok(Some(match name {
            "string" => found.text,
            "re" => ScriptValue::Object(found.pattern),
            "pos" => ScriptValue::int(found.pos),
            "endpos" => ScriptValue::int(found.end),
            "lastindex" => last.map_or(ScriptValue::None, |(_, at)| ScriptValue::int(at)),
            "lastgroup" => {
                let own = last.and_then(|(_, at)| pattern.names.iter().find(|(_, own)| *own == at));
                own.map_or(ScriptValue::None, |(name, _)| ScriptValue::text(name))
            }
            _ => return Ok(None),
        }))
    }
}
