//! Operators between two values.

use std::sync::Arc;

use cw_expr::ast::{BinaryOp, UnaryOp};
use cw_expr::{PythonType, Value};

use crate::machine::{Flow, Machine, Stop};
use crate::object::Object;
use crate::value::{ScriptType, ScriptValue, TextRef};

/// The names of an operator: as written, of its method, of the method of the right side, of the method in
/// place.
fn names(op: BinaryOp) -> (&'static str, &'static str, &'static str, &'static str) {
    match op {
        BinaryOp::Add => ("+", "__add__", "__radd__", "__iadd__"),
        BinaryOp::Sub => ("-", "__sub__", "__rsub__", "__isub__"),
        BinaryOp::Mul => ("*", "__mul__", "__rmul__", "__imul__"),
        BinaryOp::Div => ("/", "__div__", "__rdiv__", "__idiv__"),
        BinaryOp::FloorDiv => ("//", "__floordiv__", "", ""),
        BinaryOp::Mod => ("%", "__mod__", "", "__imod__"),
        BinaryOp::Pow => ("** or pow()", "__pow__", "", ""),
        BinaryOp::Shl => ("<<", "__lshift__", "", ""),
        BinaryOp::Shr => (">>", "__rshift__", "", ""),
        BinaryOp::And => ("&", "__and__", "__rand__", "__iand__"),
        BinaryOp::Xor => ("^", "__xor__", "__rxor__", "__ixor__"),
        BinaryOp::Or => ("|", "__or__", "__ror__", "__ior__"),
    }
}

impl Machine<'_> {
    /// `left op right`.
    pub(crate) fn binary(&mut self, op: BinaryOp, left: &ScriptValue, right: &ScriptValue) -> Flow {
        match (op, left, right) {
            (BinaryOp::Add, ScriptValue::Text(a), ScriptValue::Text(b)) => {
                self.room_for_text(a.len() + b.len())?;
                let mut joined = Vec::with_capacity(a.len() + b.len());
                joined.extend_from_slice(a);
                joined.extend_from_slice(b);
                return Ok(ScriptValue::Text(Arc::new(joined)));
            }
            (BinaryOp::Add, ScriptValue::Float(a), ScriptValue::Float(b)) => {
                return Ok(ScriptValue::Float(a + b));
            }
            (BinaryOp::Sub, ScriptValue::Float(a), ScriptValue::Float(b)) => {
                return Ok(ScriptValue::Float(a - b));
            }
            (BinaryOp::Mul, ScriptValue::Float(a), ScriptValue::Float(b)) => {
                return Ok(ScriptValue::Float(a * b));
            }
            (BinaryOp::Mod, ScriptValue::Text(_) | ScriptValue::Wide(_), _) => {
                return self.percent(left, right);
            }
            (BinaryOp::Add, _, _) if left.as_text().is_some() && right.as_text().is_some() => {
                let joined = joined(left, right);
                return self.make_points(joined);
            }
            _ => {}
        }
        if let (Some(a), Some(b)) = (left.plain(), right.plain()) {
            let value = self.calculate(|calculator| calculator.binary(op, &a, &b))?;
            return self.take_in(value);
        }
        self.binary_of_objects(op, left, right)
    }

    fn binary_of_objects(&mut self, op: BinaryOp, left: &ScriptValue, right: &ScriptValue) -> Flow {
        let (_, method, reflected, _) = names(op);
        if let Some(method) = self.special(left, method)? {
            let value = self.call(&method, vec![right.clone()])?;
            if !matches!(value, ScriptValue::NotImplemented) {
                return Ok(value);
            }
        }
        if !reflected.is_empty()
            && let Some(method) = self.special(right, reflected)?
        {
            let value = self.call(&method, vec![left.clone()])?;
            if !matches!(value, ScriptValue::NotImplemented) {
                return Ok(value);
            }
        }
        let (a, b) = (self.payload_of(left), self.payload_of(right));
        let is_new = |own: &ScriptValue, value: &ScriptValue| own.object() != value.object();
        if is_new(&a, left) || is_new(&b, right) {
            return self.binary(op, &a, &b);
        }
        if let Some(value) = self.binary_natively(op, left, right)? {
            return Ok(value);
        }
        Err(self.unsupported(op, left, right, false))
    }

    /// What built-in containers do.
    fn binary_natively(
        &mut self,
        op: BinaryOp,
        left: &ScriptValue,
        right: &ScriptValue,
    ) -> Flow<Option<ScriptValue>> {
        match op {
            BinaryOp::Add => {
                let (Some(a), Some(b)) = (left.object(), right.object()) else {
                    return self.no_concatenation(left, right);
                };
                match (self.heap.get(a), self.heap.get(b)) {
                    (Object::List(a), Object::List(b)) => {
                        let joined = a.iter().chain(b).cloned().collect();
                        self.make_list(joined).map(Some)
                    }
                    (Object::Tuple(a), Object::Tuple(b)) => {
                        let joined = a.iter().chain(b).cloned().collect();
                        self.make_tuple(joined).map(Some)
                    }
                    _ => self.no_concatenation(left, right),
                }
            }
            BinaryOp::Mul => {
                let (sequence, count) = if self.is_sequence(left) {
                    (left, right)
                } else if self.is_sequence(right) {
                    (right, left)
                } else {
                    return Ok(None);
                };
                let Some(count) = self.index_value(count)? else {
                    let name = self.type_name(count);
                    let words = format!("can't multiply sequence by non-int of type '{name}'");
                    return Err(self.type_error(&words));
                };
                let Some(id) = sequence.object() else {
                    return self.binary(op, sequence, &ScriptValue::Int(count)).map(Some);
                };
                let count = usize::try_from(count).unwrap_or(0);
                let (Object::List(items) | Object::Tuple(items)) = self.heap.get(id) else {
                    return Ok(None);
                };
                let len = items.len().saturating_mul(count);
                if len > self.limits.items {
                    return Err(crate::machine::limit(crate::limits::ScriptLimit::Memory));
                }
                let mut all = Vec::with_capacity(len);
                for _ in 0..if items.is_empty() { 0 } else { count } {
                    all.extend_from_slice(items);
                }
                match self.heap.get(id) {
                    Object::List(_) => self.make_list(all).map(Some),
                    _ => self.make_tuple(all).map(Some),
                }
            }
            BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                self.set_operator(op, left, right)
            }
            _ => Ok(None),
        }
    }

    fn is_sequence(&self, value: &ScriptValue) -> bool {
        value.as_text().is_some()
            || matches!(
                value.object().map(|id| self.heap.get(id)),
                Some(Object::List(_) | Object::Tuple(_))
            )
    }

    /// CPython's words where the left side is a sequence.
    fn no_concatenation(&mut self, left: &ScriptValue, right: &ScriptValue) -> Flow<Option<ScriptValue>> {
        let other = self.type_name(right);
        if self.class_of(right).is_some() && left.as_text().is_some() {
            let words = format!("cannot concatenate 'str' and '{other}' objects");
            return Err(self.type_error(&words));
        }
        let words = match left {
            ScriptValue::Text(_) | ScriptValue::Wide(_) => {
                format!("cannot concatenate 'str' and '{other}' objects")
            }
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(_) => format!("can only concatenate list (not \"{other}\") to list"),
                Object::Tuple(_) => format!("can only concatenate tuple (not \"{other}\") to tuple"),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        Err(self.type_error(&words))
    }

    #[cold]
    fn unsupported(&mut self, op: BinaryOp, left: &ScriptValue, right: &ScriptValue, in_place: bool) -> Stop {
        let (symbol, ..) = names(op);
        let symbol = match (op, in_place) {
            (BinaryOp::Pow, true) => "** or pow()".to_owned(),
            (_, true) => format!("{symbol}="),
            (_, false) => symbol.to_owned(),
        };
        let (a, b) = (self.type_name(left), self.type_name(right));
        let words = format!("unsupported operand type(s) for {symbol}: '{a}' and '{b}'");
        self.type_error(&words)
    }

    /// `left op= right`: lists and sets change themselves.
    pub(crate) fn in_place(&mut self, op: BinaryOp, left: &ScriptValue, right: &ScriptValue) -> Flow {
        if op == BinaryOp::Mod && left.as_text().is_some() {
            return self.binary(op, left, right);
        }
        if let (Some(a), Some(b)) = (left.plain(), right.plain()) {
            if op == BinaryOp::Add && left.as_text().is_some() && right.as_text().is_some() {
                return self.binary(op, left, right);
            }
            if op == BinaryOp::Mod && left.as_text().is_some() {
                return self.binary(op, left, right);
            }
            let result = {
                let mut calculator =
                    cw_expr::Calculator::new(self.limits.of_calculator(self.steps, self.bytes));
                let result = calculator.binary(op, &a, &b);
                (self.steps, self.bytes) = (calculator.limits.steps, calculator.limits.memory);
                result
            };
            return match result {
                Ok(value) => self.take_in(value),
                Err(error) => match error.exception() {
                    Some((_, words)) if words.starts_with("unsupported operand type") => {
                        Err(self.unsupported(op, left, right, true))
                    }
                    _ => Err(self.failed(&error)),
                },
            };
        }
        let (_, _, _, method) = names(op);
        if !method.is_empty()
            && let Some(method) = self.special(left, method)?
        {
            let value = self.call(&method, vec![right.clone()])?;
            if !matches!(value, ScriptValue::NotImplemented) {
                return Ok(value);
            }
        }
        let own = self.payload_of(left);
        if let Some(id) = own.object() {
            match (op, self.heap.get(id)) {
                (BinaryOp::Add, Object::List(_)) => {
                    self.list_extend(id, right)?;
                    return Ok(left.clone());
                }
                (BinaryOp::Mul, Object::List(_)) => {
                    let value = self.binary(op, &own, right)?;
                    let items = self.items_of(&value)?;
                    if let Some(Object::List(list)) = self.heap.get_mut(id) {
                        *list = items;
                    }
                    return Ok(left.clone());
                }
                (BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Object::Set(_)) => {
                    let other = self.payload_of(right);
                    let is_set = matches!(
                        other.object().map(|id| self.heap.get(id)),
                        Some(Object::Set(_) | Object::FrozenSet(_))
                    );
                    if !is_set {
                        return Err(self.unsupported(op, left, right, true));
                    }
                    let method = match op {
                        BinaryOp::Sub => "difference_update",
                        BinaryOp::And => "intersection_update",
                        BinaryOp::Or => "update",
                        _ => "symmetric_difference_update",
                    };
                    self.set_method(id, method, vec![other])?;
                    return Ok(left.clone());
                }
                (BinaryOp::Add, Object::Deque(_)) => {
                    let items = self.items_of(right)?;
                    let items = self.make_list(items)?;
                    self.deque_method(id, "extend", vec![items])?;
                    return Ok(left.clone());
                }
                _ => {}
            }
        }
        let is_keyed = matches!(
            own.object().map(|id| self.heap.get(id)),
            Some(Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_))
        );
        if op == BinaryOp::Mul && is_keyed && self.is_sequence(right) {
            return Err(self.unsupported(op, left, right, true));
        }
        match self.binary_of_objects(op, left, right) {
            Err(Stop::Raise(id)) => {
                // The words name the operator as it was written.
                if self.words_begin(id, "unsupported operand type") {
                    return Err(self.unsupported(op, left, right, true));
                }
                Err(Stop::Raise(id))
            }
            other => other,
        }
    }

    fn words_begin(&self, id: crate::value::ObjectId, begin: &str) -> bool {
        match self.heap.get(id) {
            Object::Exception(exception) => exception
                .args
                .first()
                .and_then(ScriptValue::shown)
                .is_some_and(|words| words.starts_with(begin)),
            _ => false,
        }
    }

    /// `op value`.
    pub(crate) fn unary(&mut self, op: UnaryOp, value: &ScriptValue) -> Flow {
        match (op, value) {
            (UnaryOp::Neg, ScriptValue::Int(small)) if *small != i64::MIN => {
                return Ok(ScriptValue::Int(-small));
            }
            (UnaryOp::Invert, ScriptValue::Int(small)) => return Ok(ScriptValue::Int(!small)),
            _ => {}
        }
        if let Some(plain) = value.plain() {
            let value = self.calculate(|calculator| calculator.unary(op, &plain))?;
            return self.take_in(value);
        }
        let (method, symbol) = match op {
            UnaryOp::Neg => ("__neg__", "-"),
            UnaryOp::Pos => ("__pos__", "+"),
            UnaryOp::Invert | UnaryOp::Not => ("__invert__", "~"),
        };
        if let Some(method) = self.special(value, method)? {
            return self.call(&method, Vec::new());
        }
        let own = self.payload_of(value);
        if own.plain().is_some() {
            return self.unary(op, &own);
        }
        let words = format!("bad operand type for unary {symbol}: '{}'", self.type_name(value));
        Err(self.type_error(&words))
    }

    // ---- to the calculator and back ----

    /// A value as the calculator knows it. What lies in the heap becomes an empty value of its type, so that
    /// messages name it; tuples and lists of plain values go over as they are.
    pub(crate) fn export(&mut self, value: &ScriptValue) -> Flow<Value> {
        if let Some(plain) = value.plain() {
            return Ok(plain);
        }
        let own = self.payload_of(value);
        if let Some(plain) = own.plain() {
            return Ok(plain);
        }
        if let Some(Object::Tuple(items)) = own.object().map(|id| self.heap.get(id))
            && items.len() < 64
        {
            let items: Option<Vec<Value>> = items.iter().map(ScriptValue::plain).collect();
            if let Some(items) = items {
                return self.calculate(|calculator| calculator.tuple(items));
            }
        }
        Ok(match self.native_type(&own) {
            ScriptType::Core(kind) => cw_expr::stand_in(kind),
            _ => cw_expr::stand_in(PythonType::Object),
        })
    }

    pub(crate) fn export_all(&mut self, values: &[ScriptValue]) -> Flow<Vec<Value>> {
        values.iter().map(|value| self.export(value)).collect()
    }

    /// What the calculator gave, containers made objects.
    pub(crate) fn take_in(&mut self, value: Value) -> Flow {
        match value {
            Value::List(_) | Value::Tuple(_) => {
                let mut items = Vec::new();
                for item in cw_expr::Calculator::items(&value) {
                    items.push(self.take_in(item.clone())?);
                }
                if matches!(value, Value::List(_)) {
                    self.make_list(items)
                } else {
                    self.make_tuple(items)
                }
            }
            other => Ok(ScriptValue::of_plain(other).unwrap_or(ScriptValue::None)),
        }
    }
}

fn joined(left: &ScriptValue, right: &ScriptValue) -> Vec<u32> {
    let mut points = left.as_text().map(TextRef::points).unwrap_or_default();
    points.extend(right.as_text().map(TextRef::points).unwrap_or_default());
    points
}
