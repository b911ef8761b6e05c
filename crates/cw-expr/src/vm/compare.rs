//! Equality, Python 2's order among everything, truth, identity and hashes.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive};

use crate::base::error::{Error, ExceptionKind};
use crate::tree::ast::CompareOp;
use crate::value::{Dict, SetElements, Value, ViewKind};
use crate::value::{ValueEntry, ValueTable};
use crate::vm::machine::{EvalOutcome, Vm};
use crate::vm::number::NumberValue;

impl Vm<'_> {
    /// The word for a value's type in messages.
    pub(crate) fn type_name(&self, value: &Value) -> &'static str {
        match value {
            Value::Host(object) => self.host.type_name(*object),
            other => other.type_of().name(),
        }
    }

    /// Python's truth.
    #[inline]
    pub(crate) fn truth(&mut self, value: &Value) -> EvalOutcome<bool> {
        Ok(match value {
            Value::Bool(value) => *value,
            Value::None => false,
            Value::Int(value) => *value != 0,
            Value::Float(value) => *value != 0.0,
            Value::Host(object) => self.host.len(*object) != Some(0),
            Value::Long(value) => value.sign() != Sign::NoSign,
            Value::Complex(value) => value.re != 0.0 || value.im != 0.0,
            Value::Str(bytes) | Value::ByteArray(bytes) | Value::Buffer(bytes) => !bytes.is_empty(),
            Value::Unicode(points) => !points.is_empty(),
            Value::List(items) | Value::Tuple(items) => !items.items.is_empty(),
            Value::Dict(dict) | Value::View(_, dict) => !dict.table.is_empty(),
            Value::Set(set) | Value::FrozenSet(set) => !set.table.is_empty(),
            Value::XRange(range) => range.len > 0,
            Value::MemoryView(view) => !view.bytes.is_empty(),
            Value::NotImplemented
            | Value::Ellipsis
            | Value::Slice(_)
            | Value::Type(_)
            | Value::Exception(_)
            | Value::Plain(_)
            | Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::Unbound(..)
            | Value::Iterator(..)
            | Value::HostFunction(_) => true,
        })
    }

    /// A comparison operator.
    pub(crate) fn compare(&mut self, op: CompareOp, left: &Value, right: &Value) -> EvalOutcome {
        let result = match op {
            CompareOp::Is => same(left, right),
            CompareOp::IsNot => !same(left, right),
            CompareOp::In => self.contains(right, left)?,
            CompareOp::NotIn => !self.contains(right, left)?,
            CompareOp::Eq => self.equal(left, right)?,
            CompareOp::Ne => !self.equal(left, right)?,
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => self.ordered(op, left, right)?,
        };
        Ok(Value::Bool(result))
    }

    /// `left == right`.
    pub(crate) fn equal(&mut self, left: &Value, right: &Value) -> EvalOutcome<bool> {
        if let (Some(left), Some(right)) = (NumberValue::of(left), NumberValue::of(right)) {
            return Ok(number_order(&left, &right) == Some(Ordering::Equal));
        }
        match (left, right) {
            (Value::Host(a), Value::Host(b)) if a == b => Ok(true),
            (Value::Host(_), _) | (_, Value::Host(_)) => {
                let (a, b) = (self.materialise(left)?, self.materialise(right)?);
                match (&a, &b) {
                    (Value::Host(_), _) | (_, Value::Host(_)) => Ok(false),
                    _ => self.equal(&a, &b),
                }
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                if a.items.len() != b.items.len() {
                    return Ok(false);
                }
                self.charge(a.items.len() as u64)?;
                for (a, b) in a.items.iter().zip(&b.items) {
                    if !self.same_or_equal(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Dict(a), Value::Dict(b)) => self.dicts_equal(a, b),
            (Value::Set(a) | Value::FrozenSet(a), Value::Set(b) | Value::FrozenSet(b)) => {
                Ok(a.table.len() == b.table.len() && self.is_subset(a, b)?)
            }
            (Value::View(kind, _), Value::View(..) | Value::Set(_) | Value::FrozenSet(_))
                if *kind != ViewKind::Values =>
            {
                self.views_equal(left, right)
            }
            (Value::Set(_) | Value::FrozenSet(_), Value::View(kind, _)) if *kind != ViewKind::Values => {
                self.views_equal(left, right)
            }
            (Value::Slice(a), Value::Slice(b)) => Ok(self.same_or_equal(&a.start, &b.start)?
                && self.same_or_equal(&a.stop, &b.stop)?
                && self.same_or_equal(&a.step, &b.step)?),
            _ => match text_order(left, right) {
                TextOrder::Known(order) => {
                    let len = match left {
                        Value::Str(bytes) => bytes.len(),
                        Value::Unicode(points) => points.len(),
                        _ => 0,
                    };
                    self.charge(len as u64 / 64)?;
                    Ok(order == Ordering::Equal)
                }
                TextOrder::Undecodable => Ok(false),
                TextOrder::NoTexts => Ok(same(left, right)),
            },
        }
    }

    /// Identity or equality, as containers compare their elements.
    pub(crate) fn same_or_equal(&mut self, left: &Value, right: &Value) -> EvalOutcome<bool> {
        if same(left, right) {
            Ok(true)
        } else {
            self.equal(left, right)
        }
    }

    fn dicts_equal(&mut self, a: &Dict, b: &Dict) -> EvalOutcome<bool> {
        if a.table.len() != b.table.len() {
            return Ok(false);
        }
        for entry in a.table.iter() {
            self.charge(1)?;
            match self.table_find(&b.table, entry.hash, &entry.key)? {
                Ok(at) => {
                    let Some(other) = b.table.slot(at) else {
                        return Ok(false);
                    };
                    if !self.same_or_equal(&entry.value, &other.value)? {
                        return Ok(false);
                    }
                }
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    fn views_equal(&mut self, left: &Value, right: &Value) -> EvalOutcome<bool> {
        let (left, right) = (self.items(left)?, self.items(right)?);
        if left.len() != right.len() {
            return Ok(false);
        }
        let right = self.set_of(right)?;
        for item in left {
            if !self.table_contains(&right, &item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every element of `a` is in `b`.
    pub(crate) fn is_subset(&mut self, a: &SetElements, b: &SetElements) -> EvalOutcome<bool> {
        if a.table.len() > b.table.len() {
            return Ok(false);
        }
        for entry in a.table.iter() {
            self.charge(1)?;
            if self.table_find(&b.table, entry.hash, &entry.key)?.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `<`, `<=`, `>` and `>=`.
    pub(crate) fn ordered(&mut self, op: CompareOp, left: &Value, right: &Value) -> EvalOutcome<bool> {
        if let (Some(a), Some(b)) = (NumberValue::of(left), NumberValue::of(right)) {
            if matches!(a, NumberValue::Complex(_)) || matches!(b, NumberValue::Complex(_)) {
                return Err(Error::type_error(
                    "no ordering relation is defined for complex numbers",
                ));
            }
            // Not-a-number has no order: every comparison is false.
            return Ok(number_order(&a, &b).is_some_and(|order| holds(op, order)));
        }
        match (left, right) {
            (Value::Set(a) | Value::FrozenSet(a), Value::Set(b) | Value::FrozenSet(b)) => Ok(match op {
                CompareOp::Le => self.is_subset(a, b)?,
                CompareOp::Ge => self.is_subset(b, a)?,
                CompareOp::Lt => a.table.len() < b.table.len() && self.is_subset(a, b)?,
                _ => b.table.len() < a.table.len() && self.is_subset(b, a)?,
            }),
            (Value::Set(_) | Value::FrozenSet(_), Value::View(..))
            | (Value::View(..), Value::View(..) | Value::Set(_) | Value::FrozenSet(_)) => {
                let (a, b) = (self.items(left)?, self.items(right)?);
                let (a, b) = (self.set_of(a)?, self.set_of(b)?);
                let (a, b) = (
                    SetElements { table: a, height: 0 },
                    SetElements { table: b, height: 0 },
                );
                Ok(match op {
                    CompareOp::Le => self.is_subset(&a, &b)?,
                    CompareOp::Ge => self.is_subset(&b, &a)?,
                    CompareOp::Lt => a.table.len() < b.table.len() && self.is_subset(&a, &b)?,
                    _ => b.table.len() < a.table.len() && self.is_subset(&b, &a)?,
                })
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                let (a, b) = (&a.items, &b.items);
                for (a, b) in a.iter().zip(b) {
                    self.charge(1)?;
                    if !self.same_or_equal(a, b)? {
                        return self.deeper(1, |vm| vm.ordered(op, a, b));
                    }
                }
                Ok(holds(op, a.len().cmp(&b.len())))
            }
            _ => Ok(holds(op, self.three_way(left, right)?)),
        }
    }

    /// `cmp(left, right)`: also the order of values that have no order of their own.
    pub(crate) fn three_way(&mut self, left: &Value, right: &Value) -> EvalOutcome<Ordering> {
        if let (Some(a), Some(b)) = (NumberValue::of(left), NumberValue::of(right)) {
            if matches!(a, NumberValue::Complex(_)) || matches!(b, NumberValue::Complex(_)) {
                if number_order(&a, &b) == Some(Ordering::Equal) {
                    return Ok(Ordering::Equal);
                }
                return Err(Error::type_error(
                    "no ordering relation is defined for complex numbers",
                ));
            }
            // `cmp` of not-a-number is 1 unless the right side is smaller.
            // Then types decide, and `bool` alone comes before `float`.
            let before = is_nan(left) && !is_nan(right) && !matches!(right, Value::Bool(_))
                || matches!(left, Value::Bool(_));
            return Ok(number_order(&a, &b).unwrap_or(if before {
                Ordering::Less
            } else {
                Ordering::Greater
            }));
        }
        if same(left, right) && !matches!(left, Value::Set(_) | Value::FrozenSet(_)) {
            return Ok(Ordering::Equal);
        }
        match (left, right) {
            (Value::Host(a), Value::Host(b)) if a == b => return Ok(Ordering::Equal),
            (Value::Host(_), _) | (_, Value::Host(_)) => {
                let (a, b) = (self.materialise(left)?, self.materialise(right)?);
                if let Some(name) = [&a, &b].into_iter().find(|value| matches!(value, Value::Host(_))) {
                    // R1032: cards and players have no order.
                    let name = self.type_name(name);
                    return Err(Error::type_error(format!(
                        "no ordering relation is defined for '{name}' objects"
                    )));
                }
                return self.three_way(&a, &b);
            }
            (Value::Set(_) | Value::FrozenSet(_), Value::Set(_) | Value::FrozenSet(_)) => {
                // Values of one type go to `cmp` at once, others are compared for equality first.
                if left.type_of() != right.type_of() && self.equal(left, right)? {
                    return Ok(Ordering::Equal);
                }
                return Err(Error::type_error("cannot compare sets using cmp()"));
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                for (a, b) in a.items.iter().zip(&b.items) {
                    self.charge(1)?;
                    if !self.same_or_equal(a, b)? {
                        return self.deeper(1, |vm| vm.three_way(a, b));
                    }
                }
                return Ok(a.items.len().cmp(&b.items.len()));
            }
            (Value::Dict(a), Value::Dict(b)) => return self.order_dicts(a, b),
            (Value::Slice(a), Value::Slice(b)) => {
                for (a, b) in [(&a.start, &b.start), (&a.stop, &b.stop), (&a.step, &b.step)] {
                    let order = self.three_way(a, b)?;
                    if order != Ordering::Equal {
                        return Ok(order);
                    }
                }
                return Ok(Ordering::Equal);
            }
            _ => {}
        }
        match text_order(left, right) {
            TextOrder::Known(order) => return Ok(order),
            TextOrder::Undecodable => {
                self.points_of_text(left)?;
                self.points_of_text(right)?;
            }
            TextOrder::NoTexts => {}
        }
        Ok(mixed_order(left, right))
    }

    /// CPython 2's order of dicts: by length, then by the smallest key that differs.
    fn order_dicts(&mut self, a: &Dict, b: &Dict) -> EvalOutcome<Ordering> {
        let by_length = a.table.len().cmp(&b.table.len());
        if by_length != Ordering::Equal {
            return Ok(by_length);
        }
        let Some((key_a, value_a)) = self.smallest_difference(a, b)? else {
            return Ok(Ordering::Equal);
        };
        let Some((key_b, value_b)) = self.smallest_difference(b, a)? else {
            return Ok(Ordering::Equal);
        };
        let by_key = self.three_way(&key_a, &key_b)?;
        if by_key != Ordering::Equal {
            return Ok(by_key);
        }
        self.three_way(&value_a, &value_b)
    }

    fn smallest_difference(&mut self, a: &Dict, b: &Dict) -> EvalOutcome<Option<(Value, Value)>> {
        let mut smallest: Option<(Value, Value)> = None;
        for entry in a.table.iter() {
            self.charge(1)?;
            if let Some((key, _)) = &smallest
                && self.three_way(key, &entry.key)? != Ordering::Greater
            {
                continue;
            }
            let differs = match self.table_find(&b.table, entry.hash, &entry.key)? {
                Ok(at) => match b.table.slot(at) {
                    Some(other) => !self.same_or_equal(&entry.value, &other.value)?,
                    None => true,
                },
                Err(_) => true,
            };
            if differs {
                smallest = Some((entry.key.clone(), entry.value.clone()));
            }
        }
        Ok(smallest)
    }

    /// `item in container`.
    pub(crate) fn contains(&mut self, container: &Value, item: &Value) -> EvalOutcome<bool> {
        match container {
            Value::Host(object) => {
                let Some(len) = self.host.len(*object) else {
                    return Err(Error::type_error(format!(
                        "argument of type '{}' is not iterable",
                        self.type_name(container)
                    )));
                };
                for index in 0..len {
                    self.charge(1)?;
                    let element = self.host.item(*object, index)?;
                    if self.same_or_equal(item, &element)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::List(items) | Value::Tuple(items) => {
                for element in &items.items {
                    self.charge(1)?;
                    if self.same_or_equal(item, element)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Dict(dict) | Value::View(ViewKind::Keys, dict) => self.table_contains(&dict.table, item),
            Value::Set(set) | Value::FrozenSet(set) => {
                // A set as key is looked up as the frozenset of the same elements.
                if let Value::Set(inner) = item {
                    let frozen = Value::FrozenSet(inner.clone());
                    return self.table_contains(&set.table, &frozen);
                }
                self.table_contains(&set.table, item)
            }
            Value::View(ViewKind::Items, dict) => {
                let Value::Tuple(pair) = item else {
                    return Ok(false);
                };
                let [key, value] = &*pair.items else {
                    return Ok(false);
                };
                match self.dict_get(&dict.table, key)? {
                    Some(found) => self.same_or_equal(value, &found),
                    None => Ok(false),
                }
            }
            Value::Str(bytes) | Value::ByteArray(bytes) => self.text_contains(container, bytes, item),
            Value::Unicode(points) => match item {
                Value::Str(_) | Value::Unicode(_) => {
                    let needle = self.points_of_text(item)?;
                    self.charge(points.len() as u64 / 8)?;
                    Ok(find_in(points, &needle).is_some())
                }
                Value::ByteArray(_) => Err(Error::type_error("decoding bytearray is not supported")),
                other => Err(self.needs_text(other)),
            },
            _ => {
                let mut cursor = match self.cursor(container) {
                    Err(error) if error.is_a(ExceptionKind::TypeError) => {
                        return Err(Error::type_error(format!(
                            "argument of type '{}' is not iterable",
                            self.type_name(container)
                        )));
                    }
                    cursor => cursor?,
                };
                while let Some(element) = self.next(&mut cursor)? {
                    if self.same_or_equal(item, &element)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn text_contains(&mut self, container: &Value, bytes: &[u8], item: &Value) -> EvalOutcome<bool> {
        self.charge(bytes.len() as u64 / 8)?;
        match (container, item) {
            (Value::ByteArray(_), Value::ByteArray(needle)) | (_, Value::Str(needle)) => {
                Ok(find_in(bytes, needle).is_some())
            }
            (Value::Str(_), Value::Unicode(needle)) => {
                let points = self.points_of_text(container)?;
                Ok(find_in(&points, needle).is_some())
            }
            (Value::ByteArray(_), Value::Int(_) | Value::Bool(_) | Value::Long(_)) => {
                match u8::try_from(self.index_sized(item)?) {
                    Ok(byte) => Ok(bytes.contains(&byte)),
                    Err(_) => Err(Error::value_error("byte must be in range(0, 256)")),
                }
            }
            (Value::ByteArray(_), other) => Err(Error::type_error(format!(
                "Type {} doesn't support the buffer API",
                self.type_name(other)
            ))),
            (_, other) => Err(Error::type_error(format!(
                "'in <string>' requires string as left operand, not {}",
                self.type_name(other)
            ))),
        }
    }

    // ---- tables ----

    pub(crate) fn table_find<V>(
        &mut self,
        table: &ValueTable<V>,
        hash: i64,
        key: &Value,
    ) -> EvalOutcome<Result<usize, usize>> {
        table.find(hash, |known| {
            // Keys that all fall into one place take as long as they are many.
            self.charge(1)?;
            known.map_or(Ok(false), |known| self.same_or_equal(known, key))
        })
    }

    pub(crate) fn table_contains<V>(&mut self, table: &ValueTable<V>, key: &Value) -> EvalOutcome<bool> {
        let hash = self.hash(key)?;
        Ok(self.table_find(table, hash, key)?.is_ok())
    }

    pub(crate) fn dict_get(&mut self, table: &ValueTable<Value>, key: &Value) -> EvalOutcome<Option<Value>> {
        let hash = self.hash(key)?;
        let at = self.table_find(table, hash, key)?;
        Ok(at
            .ok()
            .and_then(|at| table.slot(at))
            .map(|entry| entry.value.clone()))
    }

    pub(crate) fn dict_insert(
        &mut self,
        table: &mut ValueTable<Value>,
        key: Value,
        value: Value,
    ) -> EvalOutcome<()> {
        let hash = self.hash(&key)?;
        match self.table_find(table, hash, &key)? {
            Ok(at) => {
                if let Some(old) = table.value_mut(at) {
                    *old = value;
                }
            }
            Err(at) => {
                self.room_for_entry(table.len(), ValueTable::<Value>::SLOT)?;
                table.insert(at, ValueEntry { hash, key, value });
            }
        }
        Ok(())
    }

    pub(crate) fn set_add(&mut self, table: &mut ValueTable<()>, key: Value) -> EvalOutcome<()> {
        let hash = self.hash(&key)?;
        self.set_add_hashed(table, hash, key)
    }

    pub(crate) fn set_add_hashed(
        &mut self,
        table: &mut ValueTable<()>,
        hash: i64,
        key: Value,
    ) -> EvalOutcome<()> {
        if let Err(at) = self.table_find(table, hash, &key)? {
            self.room_for_entry(table.len(), ValueTable::<()>::SLOT)?;
            table.insert(at, ValueEntry { hash, key, value: () });
        }
        Ok(())
    }

    fn room_for_entry(&mut self, len: usize, bytes: usize) -> EvalOutcome<()> {
        if len >= self.limits.sequence {
            return Err(Error::limit("sequence is too long"));
        }
        self.charge(1)?;
        self.allocate(bytes * 4)
    }

    pub(crate) fn set_of(&mut self, items: Vec<Value>) -> EvalOutcome<ValueTable<()>> {
        let mut table = ValueTable::default();
        for item in items {
            self.set_add(&mut table, item)?;
        }
        Ok(table)
    }

    // ---- hashes ----

    /// CPython 2.7's hash on 64 bits, unsalted (D40). Values that CPython hashes by address hash by
    /// their name or number here.
    pub(crate) fn hash(&mut self, value: &Value) -> EvalOutcome<i64> {
        let hash = match value {
            Value::Bool(value) => i64::from(*value),
            Value::Int(value) => *value,
            Value::Long(value) => {
                self.charge(value.bits() / 128)?;
                hash_big(value)
            }
            Value::Float(value) => hash_float(*value),
            Value::Complex(value) => {
                let hash = hash_float(value.re).wrapping_add(hash_float(value.im).wrapping_mul(1_000_003));
                if hash == -1 { -2 } else { hash }
            }
            Value::Str(bytes) | Value::Buffer(bytes) => {
                self.charge(bytes.len() as u64 / 64)?;
                hash_text(bytes.iter().map(|byte| i64::from(*byte)), bytes.len())
            }
            Value::Unicode(points) => {
                self.charge(points.len() as u64 / 64)?;
                hash_text(points.iter().map(|point| i64::from(*point)), points.len())
            }
            Value::Tuple(items) => {
                let (mut hash, mut factor) = (0x0034_5678_i64, 1_000_003_i64);
                let mut left = items.items.len() as i64;
                for item in &items.items {
                    self.charge(1)?;
                    left -= 1;
                    hash = (hash ^ self.hash(item)?).wrapping_mul(factor);
                    factor = factor.wrapping_add(82_520 + 2 * left);
                }
                hash.wrapping_add(97_531)
            }
            Value::FrozenSet(set) => {
                let mut hash = 1_927_868_237_i64.wrapping_mul(set.table.len() as i64 + 1);
                for entry in set.table.iter() {
                    let one = entry.hash;
                    hash ^= (one ^ (one << 16) ^ 89_869_747).wrapping_mul(3_644_798_167);
                }
                hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
                if hash == -1 { 590_923_713 } else { hash }
            }
            Value::Slice(_) => return Err(Error::type_error("unhashable type")),
            Value::View(ViewKind::Values, _) => hash_name("dict_values"),
            Value::List(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::ByteArray(_)
            | Value::MemoryView(_)
            | Value::View(..) => {
                return Err(Error::type_error(format!(
                    "unhashable type: '{}'",
                    self.type_name(value)
                )));
            }
            Value::Host(object) => object.0 as i64,
            Value::None => hash_name("None"),
            Value::NotImplemented => hash_name("NotImplemented"),
            Value::Ellipsis => hash_name("Ellipsis"),
            Value::Type(kind) => hash_name(kind.name()),
            Value::Builtin(builtin) => hash_name(builtin.name()),
            Value::Unbound(_, name) => hash_name(name),
            Value::Method(method) => hash_name(method.name),
            Value::Plain(id) | Value::Iterator(_, id) => i64::from(*id) * 16,
            Value::XRange(range) => range.start.wrapping_mul(3).wrapping_add(range.len),
            Value::Exception(exception) => hash_name(exception.kind.name()),
            Value::Function(_) => hash_name("function"),
            Value::HostFunction(function) => i64::from(function.0),
        };
        Ok(if hash == -1 { -2 } else { hash })
    }
}

fn hash_name(name: &str) -> i64 {
    hash_text(name.bytes().map(i64::from), name.len())
}

fn hash_text(points: impl Iterator<Item = i64>, len: usize) -> i64 {
    let mut points = points.peekable();
    let Some(first) = points.peek() else { return 0 };
    let mut hash = first << 7;
    for point in points {
        hash = hash.wrapping_mul(1_000_003) ^ point;
    }
    hash ^= len as i64;
    if hash == -1 { -2 } else { hash }
}

fn hash_big(value: &BigInt) -> i64 {
    const SHIFT: u32 = 30;
    let mut hash = 0_u64;
    let (sign, digits) = (value.sign(), value.magnitude());
    let count = digits.bits().div_ceil(u64::from(SHIFT));
    let mask = (1_u64 << SHIFT) - 1;
    let words: Vec<u64> = digits.iter_u64_digits().collect();
    for at in (0..count).rev() {
        let bit = at * u64::from(SHIFT);
        let (word, offset) = ((bit / 64) as usize, bit % 64);
        let low = words.get(word).map_or(0, |word| word >> offset);
        let high = match (offset, words.get(word + 1)) {
            (0, _) | (_, None) => 0,
            (offset, Some(word)) => word << (64 - offset),
        };
        let digit = (low | high) & mask;
        hash = hash.rotate_left(SHIFT);
        hash = hash.wrapping_add(digit);
        if hash < digit {
            hash += 1;
        }
    }
    let hash = if sign == Sign::Minus {
        hash.wrapping_neg()
    } else {
        hash
    } as i64;
    if hash == -1 { -2 } else { hash }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "what is cast is whole and in the range, or its fraction goes into the next step"
)]
fn hash_float(value: f64) -> i64 {
    if value.is_infinite() {
        return if value < 0.0 { -271_828 } else { 314_159 };
    }
    if value.is_nan() {
        return 0;
    }
    if libm::trunc(value) == value {
        if value.abs() < 9.2e18 {
            let hash = value as i64;
            return if hash == -1 { -2 } else { hash };
        }
        return BigInt::from_f64(value).map_or(0, |big| match big.to_i64() {
            Some(small) => small,
            None => hash_big(&big),
        });
    }
    let (fraction, exponent) = libm::frexp(value);
    let scaled = fraction * 2_147_483_648.0;
    let high = scaled as i64;
    let low = (scaled - high as f64) * 2_147_483_648.0;
    let hash = high
        .wrapping_add(low as i64)
        .wrapping_add(i64::from(exponent) << 15);
    if hash == -1 { -2 } else { hash }
}

/// `is`. Numbers and short texts, which CPython mostly shares, are the same when they are equal.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::None, Value::None)
        | (Value::NotImplemented, Value::NotImplemented)
        | (Value::Ellipsis, Value::Ellipsis) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits() && !a.is_nan(),
        (Value::Host(a), Value::Host(b)) => a == b,
        (Value::Long(a), Value::Long(b)) => Arc::ptr_eq(a, b),
        (Value::Complex(a), Value::Complex(b)) => Arc::ptr_eq(a, b),
        (Value::Str(a), Value::Str(b)) => Arc::ptr_eq(a, b) || a.len() <= 1 && a == b,
        (Value::Unicode(a), Value::Unicode(b)) => Arc::ptr_eq(a, b) || a.len() <= 1 && a == b,
        (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
        (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b) || a.items.is_empty() && b.items.is_empty(),
        (Value::Dict(a), Value::Dict(b)) => Arc::ptr_eq(a, b),
        (Value::View(x, a), Value::View(y, b)) => x == y && Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(a, b),
        (Value::FrozenSet(a), Value::FrozenSet(b)) => {
            Arc::ptr_eq(a, b) || a.table.is_empty() && b.table.is_empty()
        }
        (Value::Slice(a), Value::Slice(b)) => Arc::ptr_eq(a, b),
        (Value::XRange(a), Value::XRange(b)) => Arc::ptr_eq(a, b),
        (Value::ByteArray(a), Value::ByteArray(b)) | (Value::Buffer(a), Value::Buffer(b)) => {
            Arc::ptr_eq(a, b)
        }
        (Value::MemoryView(a), Value::MemoryView(b)) => Arc::ptr_eq(a, b),
        (Value::Type(a), Value::Type(b)) => a == b,
        (Value::Exception(a), Value::Exception(b)) => Arc::ptr_eq(a, b),
        (Value::Function(a), Value::Function(b)) => Arc::ptr_eq(a, b),
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Method(a), Value::Method(b)) => Arc::ptr_eq(a, b),
        (Value::Unbound(a, x), Value::Unbound(b, y)) => a == b && x == y,
        (Value::Plain(a), Value::Plain(b)) | (Value::Iterator(_, a), Value::Iterator(_, b)) => a == b,
        (Value::HostFunction(a), Value::HostFunction(b)) => a == b,
        _ => false,
    }
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(value) if value.is_nan())
}

pub(crate) fn holds(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Lt => order == Ordering::Less,
        CompareOp::Le => order != Ordering::Greater,
        CompareOp::Gt => order == Ordering::Greater,
        CompareOp::Ge => order != Ordering::Less,
        CompareOp::Eq | CompareOp::Is | CompareOp::In => order == Ordering::Equal,
        CompareOp::Ne | CompareOp::IsNot | CompareOp::NotIn => order != Ordering::Equal,
    }
}

/// The exact order of two numbers; `None` with not-a-number, or of complex numbers that differ.
pub(crate) fn number_order(left: &NumberValue, right: &NumberValue) -> Option<Ordering> {
    match (left, right) {
        (NumberValue::Int(a), NumberValue::Int(b)) => Some(a.cmp(b)),
        (NumberValue::Long(a), NumberValue::Long(b)) => Some(a.cmp(b)),
        (NumberValue::Int(a), NumberValue::Long(b)) => Some(BigInt::from(*a).cmp(b)),
        (NumberValue::Long(a), NumberValue::Int(b)) => Some((**a).cmp(&BigInt::from(*b))),
        (NumberValue::Float(a), NumberValue::Float(b)) => a.partial_cmp(b),
        (NumberValue::Float(a), NumberValue::Int(b)) => float_and_big(*a, &BigInt::from(*b)),
        (NumberValue::Float(a), NumberValue::Long(b)) => float_and_big(*a, b),
        (NumberValue::Int(a), NumberValue::Float(b)) => {
            float_and_big(*b, &BigInt::from(*a)).map(Ordering::reverse)
        }
        (NumberValue::Long(a), NumberValue::Float(b)) => float_and_big(*b, a).map(Ordering::reverse),
        (NumberValue::Complex(a), NumberValue::Complex(b)) => (a == b).then_some(Ordering::Equal),
        (NumberValue::Complex(a), real) | (real, NumberValue::Complex(a)) => {
            let equal = a.im == 0.0 && number_order(&NumberValue::Float(a.re), real) == Some(Ordering::Equal);
            equal.then_some(Ordering::Equal)
        }
    }
}

fn float_and_big(float: f64, big: &BigInt) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        });
    }
    let whole = libm::floor(float);
    let order = BigInt::from_f64(whole)?.cmp(big);
    Some(if order == Ordering::Equal && float > whole {
        Ordering::Greater
    } else {
        order
    })
}

enum TextOrder {
    Known(Ordering),
    /// A `str` that is not ASCII beside a `unicode`: unequal, and ordered by type.
    Undecodable,
    NoTexts,
}

fn text_order(left: &Value, right: &Value) -> TextOrder {
    match (left, right) {
        (Value::Str(a) | Value::ByteArray(a), Value::Str(b) | Value::ByteArray(b)) => {
            TextOrder::Known(a.cmp(b))
        }
        (Value::Unicode(a), Value::Unicode(b)) => TextOrder::Known(a.cmp(b)),
        (Value::Str(a), Value::Unicode(b)) => match a.is_ascii() {
            true => TextOrder::Known(a.iter().map(|byte| u32::from(*byte)).cmp(b.iter().copied())),
            false => TextOrder::Undecodable,
        },
        (Value::Unicode(a), Value::Str(b)) => match b.is_ascii() {
            true => TextOrder::Known(a.iter().copied().cmp(b.iter().map(|byte| u32::from(*byte)))),
            false => TextOrder::Undecodable,
        },
        (Value::Buffer(a), Value::Buffer(b)) => TextOrder::Known(a.cmp(b)),
        (Value::MemoryView(a), Value::MemoryView(b)) => TextOrder::Known(a.bytes.cmp(&b.bytes)),
        (Value::MemoryView(a), Value::Str(b)) => TextOrder::Known((*a.bytes).cmp(&**b)),
        (Value::Str(a), Value::MemoryView(b)) => TextOrder::Known((**a).cmp(&b.bytes)),
        _ => TextOrder::NoTexts,
    }
}

/// The order of values that share none: nil, numbers, the rest by the name of the type (R1032).
fn mixed_order(left: &Value, right: &Value) -> Ordering {
    fn class(value: &Value) -> u8 {
        match value {
            Value::None => 0,
            _ if NumberValue::of(value).is_some() => 1,
            _ => 2,
        }
    }
    fn key(value: &Value) -> (&'static str, u64) {
        let within = match value {
            Value::Type(kind) => return ("type", name_key(kind.name())),
            Value::Builtin(builtin) => name_key(builtin.name()),
            Value::Plain(id) | Value::Iterator(_, id) => u64::from(*id),
            _ => 0,
        };
        (value.type_of().name(), within)
    }
    match class(left).cmp(&class(right)) {
        Ordering::Equal if class(left) == 2 => key(left).cmp(&key(right)),
        order => order,
    }
}

fn name_key(name: &str) -> u64 {
    name.bytes()
        .take(8)
        .fold(0, |key, byte| key << 8 | u64::from(byte))
}

/// Where `needle` begins in `text`, in time proportional to their lengths.
pub(crate) fn find_in<T: PartialEq>(text: &[T], needle: &[T]) -> Option<usize> {
    let Some(first) = needle.first() else {
        return Some(0);
    };
    if needle.len() > text.len() {
        return None;
    }
    if needle.len() == 1 {
        return text.iter().position(|item| item == first);
    }
    if needle.len() * text.len() <= 4096 {
        return text.windows(needle.len()).position(|window| window == needle);
    }
    // Knuth, Morris, Pratt: for each prefix of the needle its longest border.
    let mut borders = vec![0_usize; needle.len()];
    let mut border = 0;
    for at in 1..needle.len() {
        while border > 0 && needle[at] != needle[border] {
            border = borders[border - 1];
        }
        border += usize::from(needle[at] == needle[border]);
        borders[at] = border;
    }
    let mut matched = 0;
    for (at, item) in text.iter().enumerate() {
        while matched > 0 && *item != needle[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(*item == needle[matched]);
        if matched == needle.len() {
            return Some(at + 1 - matched);
        }
    }
    None
}
