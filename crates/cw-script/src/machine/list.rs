//! Lists, tuples, deques, and sorting.

use std::cmp::Ordering;
use std::collections::VecDeque;

use cw_expr::ExceptionKind;

use crate::limits::ScriptLimit;
use crate::machine::call::Named;
use crate::machine::subscript::place;
use crate::machine::{Flow, Machine, limit};
use crate::object::Object;
use crate::value::{ObjectId, ScriptValue};

/// How a sort compares.
#[derive(Default)]
pub(crate) struct SortOrder {
    pub(crate) by_cmp: Option<ScriptValue>,
    pub(crate) key: Option<ScriptValue>,
    pub(crate) reverse: bool,
}

impl Machine<'_> {
    fn list_items(&self, id: ObjectId) -> &[ScriptValue] {
        match self.heap.get(id) {
            Object::List(items) | Object::Tuple(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn list_push(&mut self, id: ObjectId, value: ScriptValue) -> Flow<()> {
        if self.list_items(id).len() >= self.limits.items {
            return Err(limit(ScriptLimit::Memory));
        }
        self.allocate(size_of::<ScriptValue>())?;
        if let Some(Object::List(items)) = self.heap.get_mut(id) {
            items.push(value);
        }
        Ok(())
    }

    pub(crate) fn list_extend(&mut self, id: ObjectId, source: &ScriptValue) -> Flow<()> {
        let more = self.items_of(source)?;
        let len = self.list_items(id).len() + more.len();
        if len > self.limits.items {
            return Err(limit(ScriptLimit::Memory));
        }
        self.allocate(more.len() * size_of::<ScriptValue>())?;
        if let Some(Object::List(items)) = self.heap.get_mut(id) {
            items.extend(more);
        }
        Ok(())
    }

    pub(crate) fn list_method(
        &mut self,
        id: ObjectId,
        name: &str,
        mut args: Vec<ScriptValue>,
        named: Named,
    ) -> Flow {
        match name {
            "append" => {
                self.count_args(name, &args, 1, 1)?;
                let value = args.pop().unwrap_or(ScriptValue::None);
                self.list_push(id, value)?;
            }
            "extend" => {
                self.count_args(name, &args, 1, 1)?;
                self.list_extend(id, &args[0])?;
            }
            "insert" => {
                self.count_args(name, &args, 2, 2)?;
                let at = self.integer_arg(&args[0])?;
                let value = args.pop().unwrap_or(ScriptValue::None);
                let len = self.list_items(id).len();
                if len >= self.limits.items {
                    return Err(limit(ScriptLimit::Memory));
                }
                self.charge(len / 16)?;
                self.allocate(size_of::<ScriptValue>())?;
                let whole = cw_expr::length(len);
                let at = if at < 0 {
                    at.saturating_add(whole).max(0)
                } else {
                    at.min(whole)
                };
                if let Some(Object::List(items)) = self.heap.get_mut(id) {
                    items.insert(usize::try_from(at).unwrap_or(0), value);
                }
            }
            "pop" => {
                self.count_args(name, &args, 0, 1)?;
                let at = match args.first() {
                    Some(at) => self.integer_arg(at)?,
                    None => -1,
                };
                let len = self.list_items(id).len();
                if len == 0 {
                    return Err(self.raise(ExceptionKind::IndexError, "pop from empty list"));
                }
                let Some(at) = place(at, len) else {
                    return Err(self.raise(ExceptionKind::IndexError, "pop index out of range"));
                };
                self.charge((len - at) / 16)?;
                if let Some(Object::List(items)) = self.heap.get_mut(id) {
                    return Ok(items.remove(at));
                }
            }
            "remove" => {
                self.count_args(name, &args, 1, 1)?;
                match self.position(id, &args[0], 0, usize::MAX)? {
                    Some(at) => {
                        if let Some(Object::List(items)) = self.heap.get_mut(id)
                            && at < items.len()
                        {
                            items.remove(at);
                        }
                    }
                    None => return Err(self.value_error("list.remove(x): x not in list")),
                }
            }
            "reverse" => {
                self.count_args(name, &args, 0, 0)?;
                let len = self.list_items(id).len();
                self.charge(len / 16)?;
                if let Some(Object::List(items)) = self.heap.get_mut(id) {
                    items.reverse();
                }
            }
            "sort" => {
                let order = self.sort_order(args, named, "sort")?;
                let items = match self.heap.get_mut(id) {
                    Some(Object::List(items)) => std::mem::take(items),
                    _ => Vec::new(),
                };
                let kept = items.clone();
                match self.sorted(items, &order) {
                    Ok(sorted) => {
                        let changed = !self.list_items(id).is_empty();
                        if let Some(Object::List(items)) = self.heap.get_mut(id) {
                            *items = sorted;
                        }
                        if changed {
                            return Err(self.value_error("list modified during sort"));
                        }
                    }
                    Err(stop) => {
                        if let Some(Object::List(items)) = self.heap.get_mut(id) {
                            *items = kept;
                        }
                        return Err(stop);
                    }
                }
            }
            _ => return self.tuple_method(id, name, &args),
        }
        Ok(ScriptValue::None)
    }

    pub(crate) fn tuple_method(&mut self, id: ObjectId, name: &str, args: &[ScriptValue]) -> Flow {
        if name == "count" {
            self.count_args(name, args, 1, 1)?;
            let items = self.list_items(id).to_vec();
            let mut count = 0;
            for item in &items {
                self.charge(1)?;
                if self.is_same(item, &args[0]) || self.equal(item, &args[0])? {
                    count += 1;
                }
            }
            return Ok(ScriptValue::Int(count));
        }
        self.count_args(name, args, 1, 3)?;
        let len = cw_expr::length(self.list_items(id).len());
        let clamp = |at: i64| {
            let at = if at < 0 { at.saturating_add(len).max(0) } else { at };
            usize::try_from(at).unwrap_or(0)
        };
        let start = args
            .get(1)
            .map(|at| self.integer_arg(at))
            .transpose()?
            .map_or(0, clamp);
        let stop = args.get(2).map(|at| self.integer_arg(at)).transpose()?;
        let stop = stop.map_or(usize::MAX, clamp);
        match self.position(id, &args[0], start, stop)? {
            Some(at) => Ok(ScriptValue::int(at)),
            None => {
                let words = match self.heap.get(id) {
                    Object::Tuple(_) => "tuple.index(x): x not in tuple".to_owned(),
                    _ => {
                        let mut shown = String::new();
                        self.write_repr(&args[0], &mut shown)?;
                        format!("{shown} is not in list")
                    }
                };
                Err(self.value_error(&words))
            }
        }
    }

    fn position(
        &mut self,
        id: ObjectId,
        item: &ScriptValue,
        start: usize,
        stop: usize,
    ) -> Flow<Option<usize>> {
        let mut at = start;
        while at < stop
            && let Some(own) = self.list_items(id).get(at).cloned()
        {
            self.charge(1)?;
            if self.is_same(&own, item) || self.equal(&own, item)? {
                return Ok(Some(at));
            }
            at += 1;
        }
        Ok(None)
    }

    // ---- sorting ----

    /// The arguments `cmp`, `key` and `reverse`.
    pub(crate) fn sort_order(&mut self, args: Vec<ScriptValue>, named: Named, name: &str) -> Flow<SortOrder> {
        let mut parts = [ScriptValue::None, ScriptValue::None, ScriptValue::Bool(false)];
        if args.len() > 3 {
            let words = format!("{name}() takes at most 3 arguments ({} given)", args.len());
            return Err(self.type_error(&words));
        }
        for (part, arg) in parts.iter_mut().zip(args) {
            *part = arg;
        }
        for (key, value) in named {
            let text = key.shown().unwrap_or_default();
            match &*text {
                "cmp" => parts[0] = value,
                "key" => parts[1] = value,
                "reverse" => parts[2] = value,
                _ => {
                    let words = format!("'{text}' is an invalid keyword argument for this function");
                    return Err(self.type_error(&words));
                }
            }
        }
        let [by_cmp, key, reverse] = parts;
        let reverse = match reverse {
            ScriptValue::Bool(_) | ScriptValue::Int(_) => self.truth(&reverse)?,
            _ => return Err(self.type_error("an integer is required")),
        };
        Ok(SortOrder {
            by_cmp: Some(by_cmp).filter(|value| !value.is_none()),
            key: Some(key).filter(|value| !value.is_none()),
            reverse,
        })
    }

    /// The items in order; equal ones keep theirs (S20).
    pub(crate) fn sorted(&mut self, items: Vec<ScriptValue>, order: &SortOrder) -> Flow<Vec<ScriptValue>> {
        let mut pairs = Vec::with_capacity(items.len());
        // Each with its key.
        self.room(items.len())?;
        self.room(items.len())?;
        for item in items {
            let key = match &order.key {
                Some(key) => self.call(key, vec![item.clone()])?,
                None => item.clone(),
            };
            pairs.push((key, item));
        }
        if order.reverse {
            // What is equal keeps its order also when all is turned around.
            pairs.reverse();
        }
        let mut sorted = self.merge_sort(pairs, order)?;
        if order.reverse {
            sorted.reverse();
        }
        Ok(sorted.into_iter().map(|(_, item)| item).collect())
    }

    fn before(&mut self, left: &ScriptValue, right: &ScriptValue, order: &SortOrder) -> Flow<bool> {
        self.charge(1)?;
        if let Some(by_cmp) = &order.by_cmp {
            let value = self.call(by_cmp, vec![left.clone(), right.clone()])?;
            return match value {
                ScriptValue::Int(_) | ScriptValue::Bool(_) | ScriptValue::Long(_) => {
                    let order = self.index_value(&value)?.unwrap_or(0);
                    Ok(order < 0)
                }
                other => {
                    let words = format!(
                        "comparison function must return int, not {}",
                        self.type_name(&other)
                    );
                    Err(self.type_error(&words))
                }
            };
        }
        if let (ScriptValue::Int(left), ScriptValue::Int(right)) = (left, right) {
            return Ok(left < right);
        }
        let value = self.compare(cw_expr::ast::CompareOp::Lt, left, right)?;
        self.truth(&value)
    }

    /// Short runs by insertion, then merged: the native stack stays flat, and an order that is none ends too.
    fn merge_sort(
        &mut self,
        mut items: Vec<(ScriptValue, ScriptValue)>,
        order: &SortOrder,
    ) -> Flow<Vec<(ScriptValue, ScriptValue)>> {
        let mut width = 1;
        while width < items.len() {
            let mut merged = Vec::with_capacity(items.len());
            for run in items.chunks(width * 2) {
                let (left, right) = run.split_at(width.min(run.len()));
                let (mut a, mut b) = (0, 0);
                while a < left.len() && b < right.len() {
                    if self.before(&right[b].0, &left[a].0, order)? {
                        merged.push(right[b].clone());
                        b += 1;
                    } else {
                        merged.push(left[a].clone());
                        a += 1;
                    }
                }
                merged.extend_from_slice(&left[a..]);
                merged.extend_from_slice(&right[b..]);
            }
            items = merged;
            width *= 2;
        }
        Ok(items)
    }

    /// The greatest or the least.
    pub(crate) fn extreme(
        &mut self,
        items: Vec<ScriptValue>,
        key: Option<ScriptValue>,
        greatest: bool,
    ) -> Flow<Option<ScriptValue>> {
        let mut best: Option<(ScriptValue, ScriptValue)> = None;
        for item in items {
            self.charge(1)?;
            let own = match &key {
                Some(key) => self.call(key, vec![item.clone()])?,
                None => item.clone(),
            };
            let better = match &best {
                None => true,
                Some((best, _)) => {
                    let best = best.clone();
                    let op = if greatest {
                        cw_expr::ast::CompareOp::Gt
                    } else {
                        cw_expr::ast::CompareOp::Lt
                    };
                    let value = self.compare(op, &own, &best)?;
                    self.truth(&value)?
                }
            };
            if better {
                best = Some((own, item));
            }
        }
        Ok(best.map(|(_, item)| item))
    }

    // ---- deques ----

    pub(crate) fn deque_method(&mut self, id: ObjectId, name: &str, mut args: Vec<ScriptValue>) -> Flow {
        let needs = match name {
            "append" | "appendleft" | "count" | "extend" | "extendleft" | "remove" => (1, 1),
            "rotate" => (0, 1),
            _ => (0, 0),
        };
        self.count_args(name, &args, needs.0, needs.1)?;
        let more = match name {
            "extend" | "extendleft" => self.items_of(&args[0])?,
            "append" | "appendleft" => vec![args.pop().unwrap_or(ScriptValue::None)],
            _ => Vec::new(),
        };
        let turns = match (name, args.first()) {
            ("rotate", Some(turns)) => self.integer_arg(turns)?,
            _ => 1,
        };
        self.allocate(more.len() * size_of::<ScriptValue>())?;
        let items: Vec<ScriptValue> = match self.heap.get(id) {
            Object::Deque(items) if matches!(name, "count" | "remove") => items.0.iter().cloned().collect(),
            Object::Deque(items) if items.0.len() + more.len() > self.limits.items => {
                return Err(limit(ScriptLimit::Memory));
            }
            _ => Vec::new(),
        };
        if matches!(name, "count" | "remove") {
            let mut count = 0;
            for (at, item) in items.iter().enumerate() {
                self.charge(1)?;
                if self.is_same(item, &args[0]) || self.equal(item, &args[0])? {
                    if name == "remove" {
                        if let Some(Object::Deque(items)) = self.heap.get_mut(id) {
                            items.0.remove(at);
                        }
                        return Ok(ScriptValue::None);
                    }
                    count += 1;
                }
            }
            if name == "remove" {
                return Err(self.value_error("deque.remove(x): x not in deque"));
            }
            return Ok(ScriptValue::Int(count));
        }
        let Some(Object::Deque(items)) = self.heap.get_mut(id) else {
            return Ok(ScriptValue::None);
        };
        let (items, most) = (&mut items.0, items.1);
        let trim = |items: &mut VecDeque<ScriptValue>, front: bool| {
            while most.is_some_and(|most| items.len() > most) {
                if front {
                    items.pop_front();
                } else {
                    items.pop_back();
                }
            }
        };
        match name {
            "append" | "extend" => {
                items.extend(more);
                trim(items, true);
            }
            "appendleft" | "extendleft" => {
                more.into_iter().for_each(|item| items.push_front(item));
                trim(items, false);
            }
            "clear" => items.clear(),
            "reverse" => items.make_contiguous().reverse(),
            "rotate" if !items.is_empty() => {
                let len = i64::try_from(items.len()).unwrap_or(1);
                let turns = usize::try_from(turns.rem_euclid(len)).unwrap_or(0);
                items.rotate_right(turns);
            }
            "pop" | "popleft" => {
                let item = if name == "pop" {
                    items.pop_back()
                } else {
                    items.pop_front()
                };
                return match item {
                    Some(item) => Ok(item),
                    None => Err(self.raise(ExceptionKind::IndexError, "pop from an empty deque")),
                };
            }
            _ => {}
        }
        Ok(ScriptValue::None)
    }

    /// `cmp` as a number.
    pub(crate) fn cmp_value(order: Ordering) -> ScriptValue {
        ScriptValue::Int(order as i64)
    }
}
