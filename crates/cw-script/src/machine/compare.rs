//! Comparison, truth, hashes, membership.

use std::cmp::Ordering;

use cw_expr::ast::CompareOp;
use cw_expr::{Calculator, ExceptionKind, ExprLimits, HashTable};

use crate::hash::{hash_of_plain, hash_of_text};
use crate::machine::{Flow, Machine};
use crate::object::Object;
use crate::value::{ObjectId, ScriptValue, TextRef};

fn holds(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
        CompareOp::Ne | CompareOp::IsNot | CompareOp::NotIn => order.is_ne(),
        CompareOp::Eq | CompareOp::Is | CompareOp::In => order.is_eq(),
    }
}

/// The name of an operator's method, and of the one that the other side has for it.
fn methods(op: CompareOp) -> (&'static str, &'static str, CompareOp) {
    match op {
        CompareOp::Lt => ("__lt__", "__gt__", CompareOp::Gt),
        CompareOp::Le => ("__le__", "__ge__", CompareOp::Ge),
        CompareOp::Gt => ("__gt__", "__lt__", CompareOp::Lt),
        CompareOp::Ge => ("__ge__", "__le__", CompareOp::Le),
        CompareOp::Ne => ("__ne__", "__ne__", CompareOp::Ne),
        _ => ("__eq__", "__eq__", CompareOp::Eq),
    }
}

/// The order of two texts, by code points.
fn text_order(left: TextRef<'_>, right: TextRef<'_>) -> Ordering {
    match (left, right) {
        (TextRef::Narrow(left), TextRef::Narrow(right)) => left.cmp(right),
        _ => left.points().cmp(&right.points()),
    }
}

/// Whether two values are equal, where that needs no script; nothing where it does.
pub(crate) fn quick_equal(
    machine: &Machine<'_>,
    left: &ScriptValue,
    right: &ScriptValue,
    depth: u8,
) -> Option<bool> {
    match (left, right) {
        (ScriptValue::Text(left), ScriptValue::Text(right)) => Some(left == right),
        (ScriptValue::Int(left), ScriptValue::Int(right)) => Some(left == right),
        (ScriptValue::Host(left), ScriptValue::Host(right)) => Some(left == right),
        (ScriptValue::Builtin(left), ScriptValue::Builtin(right)) => Some(left == right),
        (ScriptValue::HostFunction(left), ScriptValue::HostFunction(right)) => Some(left == right),
        (ScriptValue::Type(left), ScriptValue::Type(right)) => Some(left == right),
        (ScriptValue::Object(left), ScriptValue::Object(right)) => {
            if left == right {
                return Some(true);
            }
            match (machine.heap.get(*left), machine.heap.get(*right)) {
                (Object::Tuple(left), Object::Tuple(right)) => {
                    if left.len() != right.len() {
                        return Some(false);
                    }
                    let depth = depth.checked_sub(1)?;
                    let mut equal = true;
                    for (left, right) in left.iter().zip(right) {
                        equal &= quick_equal(machine, left, right, depth)?;
                    }
                    Some(equal)
                }
                (Object::Function(_) | Object::Class(_), Object::Function(_) | Object::Class(_)) => {
                    Some(false)
                }
                _ => None,
            }
        }
        (ScriptValue::Object(id), other) | (other, ScriptValue::Object(id)) => {
            match (machine.heap.get(*id), other) {
                (Object::Instance(_), _) => None,
                _ => Some(false),
            }
        }
        (left, right) => {
            let (Some(left), Some(right)) = (left.plain(), right.plain()) else {
                return Some(false);
            };
            Calculator::new(ExprLimits::FILE)
                .compare(CompareOp::Eq, &left, &right)
                .ok()
        }
    }
}

impl Machine<'_> {
    /// `left op right`.
    pub(crate) fn compare(&mut self, op: CompareOp, left: &ScriptValue, right: &ScriptValue) -> Flow {
        let truth = match op {
            CompareOp::Is => self.is_same(left, right),
            CompareOp::IsNot => !self.is_same(left, right),
            CompareOp::In => self.contains(right, left)?,
            CompareOp::NotIn => !self.contains(right, left)?,
            _ => return self.rich_compare(op, left, right),
        };
        Ok(ScriptValue::Bool(truth))
    }

    /// `is`. Numbers and texts, which have no identity here, are the same when they are equal.
    pub(crate) fn is_same(&self, left: &ScriptValue, right: &ScriptValue) -> bool {
        match (left, right) {
            (ScriptValue::Object(left), ScriptValue::Object(right)) => {
                left == right
                    || matches!((self.heap.get(*left), self.heap.get(*right)),
                        (Object::Tuple(left), Object::Tuple(right)) if left.is_empty() && right.is_empty())
            }
            (ScriptValue::Object(_), _) | (_, ScriptValue::Object(_)) => false,
            _ => {
                std::mem::discriminant(left) == std::mem::discriminant(right)
                    && quick_equal(self, left, right, 0) == Some(true)
            }
        }
    }

    /// The methods of instances first, then what values do by themselves.
    fn rich_compare(&mut self, op: CompareOp, left: &ScriptValue, right: &ScriptValue) -> Flow {
        if self.class_of(left).is_some() || self.class_of(right).is_some() {
            let (method, reflected, mirrored) = methods(op);
            if let Some(method) = self.special(left, method)? {
                let value = self.deeper(|machine| machine.call(&method, vec![right.clone()]))?;
                if !matches!(value, ScriptValue::NotImplemented) {
                    return Ok(value);
                }
            }
            if let Some(method) = self.special(right, reflected)? {
                let value = self.deeper(|machine| machine.call(&method, vec![left.clone()]))?;
                if !matches!(value, ScriptValue::NotImplemented) {
                    return Ok(value);
                }
            }
            for (one, other, op) in [(left, right, op), (right, left, mirrored)] {
                if let Some(order) = self.compare_by_cmp(one, other)? {
                    return Ok(ScriptValue::Bool(holds(op, order)));
                }
            }
            let (a, b) = (self.payload_of(left), self.payload_of(right));
            if a.object() != left.object() || b.object() != right.object() {
                return self.rich_compare(op, &a, &b);
            }
            if matches!(op, CompareOp::Eq | CompareOp::Ne) {
                let equal = self.is_same(left, right);
                return Ok(ScriptValue::Bool(equal == (op == CompareOp::Eq)));
            }
            let order = self.mixed_order(left, right);
            return Ok(ScriptValue::Bool(holds(op, order)));
        }
        let truth = match op {
            CompareOp::Eq => self.equal_natively(left, right)?,
            CompareOp::Ne => !self.equal_natively(left, right)?,
            _ => self.ordered(op, left, right)?,
        };
        Ok(ScriptValue::Bool(truth))
    }

    fn compare_by_cmp(&mut self, left: &ScriptValue, right: &ScriptValue) -> Flow<Option<Ordering>> {
        let Some(method) = self.special(left, "__cmp__")? else {
            return Ok(None);
        };
        let value = self.deeper(|machine| machine.call(&method, vec![right.clone()]))?;
        match value {
            ScriptValue::NotImplemented => Ok(None),
            value => match self.index_value(&value)? {
                Some(order) => Ok(Some(order.cmp(&0))),
                None => {
                    let words = format!("an integer is required, got {}", self.type_name(&value));
                    let _ = words;
                    Err(self.type_error("an integer is required"))
                }
            },
        }
    }

    /// `left == right`, as a truth.
    pub(crate) fn equal(&mut self, left: &ScriptValue, right: &ScriptValue) -> Flow<bool> {
        if let Some(equal) = quick_equal(self, left, right, 4) {
            return Ok(equal);
        }
        let value = self.rich_compare(CompareOp::Eq, left, right)?;
        self.truth(&value)
    }

    fn equal_natively(&mut self, left: &ScriptValue, right: &ScriptValue) -> Flow<bool> {
        self.charge(1)?;
        // A container is compared element by element even with itself; elements that are the same are equal.
        let (Some(a), Some(b)) = (left.object(), right.object()) else {
            return Ok(quick_equal(self, left, right, 4).unwrap_or(false));
        };
        match (self.heap.get(a), self.heap.get(b)) {
            (Object::List(left), Object::List(right)) | (Object::Tuple(left), Object::Tuple(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                let (left, right) = (left.clone(), right.clone());
                self.room(left.len())?;
                self.all_equal(&left, &right)
            }
            (Object::Deque(left), Object::Deque(right)) => {
                let (left, right): (Vec<_>, Vec<_>) = (
                    left.0.iter().cloned().collect(),
                    right.0.iter().cloned().collect(),
                );
                if left.len() != right.len() {
                    return Ok(false);
                }
                self.all_equal(&left, &right)
            }
            (Object::Dict(left), Object::Dict(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                let entries: Vec<_> = left.iter().map(|e| (e.key.clone(), e.value.clone())).collect();
                for (key, value) in entries {
                    match self.dict_get(b, &key)? {
                        Some(other) => {
                            if !self.deeper(|machine| machine.equal(&value, &other))? {
                                return Ok(false);
                            }
                        }
                        None => return Ok(false),
                    }
                }
                Ok(true)
            }
            (Object::Set(left) | Object::FrozenSet(left), Object::Set(right) | Object::FrozenSet(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                self.is_subset(a, b)
            }
            (Object::View { .. }, _) | (_, Object::View { .. }) => self.views_equal(a, b),
            (
                Object::BoundMethod { object, function },
                Object::BoundMethod {
                    object: other_object,
                    function: other_function,
                },
            ) => Ok(self.is_same(object, other_object) && self.is_same(function, other_function)),
            (Object::XRange { .. }, _) => Ok(a == b),
            (Object::Slice(left), Object::Slice(right)) => {
                let (left, right) = (left.to_vec(), right.to_vec());
                self.all_equal(&left, &right)
            }
            _ => Ok(a == b),
        }
    }

    fn all_equal(&mut self, left: &[ScriptValue], right: &[ScriptValue]) -> Flow<bool> {
        for (left, right) in left.iter().zip(right) {
            self.charge(1)?;
            if !self.is_same(left, right) && !self.deeper(|machine| machine.equal(left, right))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `<` and the like between values without methods of a script.
    fn ordered(&mut self, op: CompareOp, left: &ScriptValue, right: &ScriptValue) -> Flow<bool> {
        self.charge(1)?;
        if let (Some(left), Some(right)) = (left.as_text(), right.as_text()) {
            return Ok(holds(op, text_order(left, right)));
        }
        if left.is_number()
            && right.is_number()
            && let (Some(left), Some(right)) = (left.plain(), right.plain())
        {
            return self.calculate(|calculator| calculator.compare(op, &left, &right));
        }
        if let (Some(a), Some(b)) = (left.object(), right.object()) {
            match (self.heap.get(a), self.heap.get(b)) {
                (Object::List(left), Object::List(right)) | (Object::Tuple(left), Object::Tuple(right)) => {
                    let (left, right) = (left.clone(), right.clone());
                    self.room(left.len())?;
                    for (left, right) in left.iter().zip(&right) {
                        self.charge(1)?;
                        if !self.is_same(left, right) && !self.deeper(|machine| machine.equal(left, right))? {
                            let value = self.deeper(|machine| machine.rich_compare(op, left, right))?;
                            return self.truth(&value);
                        }
                    }
                    return Ok(holds(op, left.len().cmp(&right.len())));
                }
                (
                    Object::Set(left) | Object::FrozenSet(left),
                    Object::Set(right) | Object::FrozenSet(right),
                ) => {
                    let (few, many) = (left.len(), right.len());
                    return match op {
                        CompareOp::Le => self.is_subset(a, b),
                        CompareOp::Lt => Ok(few < many && self.is_subset(a, b)?),
                        CompareOp::Ge => self.is_subset(b, a),
                        _ => Ok(few > many && self.is_subset(b, a)?),
                    };
                }
                (Object::Dict(_), Object::Dict(_)) => {
                    let order = self.order_of_dicts(a, b)?;
                    return Ok(holds(op, order));
                }
                _ => {}
            }
        }
        Ok(holds(op, self.mixed_order(left, right)))
    }

    /// The order of values that share none: None, numbers, the rest by the name of their type (S16).
    fn mixed_order(&self, left: &ScriptValue, right: &ScriptValue) -> Ordering {
        fn class(value: &ScriptValue) -> u8 {
            match value {
                ScriptValue::None => 0,
                other if other.is_number() => 1,
                _ => 2,
            }
        }
        fn number(value: &ScriptValue) -> u64 {
            match value {
                ScriptValue::Object(id) => u64::from(id.0),
                ScriptValue::Host(handle) => handle.0,
                ScriptValue::Builtin(at) | ScriptValue::HostFunction(at) | ScriptValue::Native(at) => {
                    u64::from(*at)
                }
                ScriptValue::Type(kind) => kind
                    .name()
                    .bytes()
                    .take(8)
                    .fold(0, |key, byte| key << 8 | u64::from(byte)),
                _ => 0,
            }
        }
        match class(left).cmp(&class(right)) {
            Ordering::Equal if class(left) == 2 => {
                let names = self.type_name_here(left).cmp(&self.type_name_here(right));
                names.then_with(|| number(left).cmp(&number(right)))
            }
            order => order,
        }
    }

    /// `cmp(left, right)`.
    pub(crate) fn three_way(&mut self, left: &ScriptValue, right: &ScriptValue) -> Flow<Ordering> {
        if self.is_same(left, right) {
            return Ok(Ordering::Equal);
        }
        for (one, other, mirrored) in [(left, right, false), (right, left, true)] {
            if let Some(order) = self.compare_by_cmp(one, other)? {
                return Ok(if mirrored { order.reverse() } else { order });
            }
        }
        if self.equal(left, right)? {
            return Ok(Ordering::Equal);
        }
        let less = self.rich_compare(CompareOp::Lt, left, right)?;
        if self.truth(&less)? {
            return Ok(Ordering::Less);
        }
        Ok(Ordering::Greater)
    }

    fn order_of_dicts(&mut self, a: ObjectId, b: ObjectId) -> Flow<Ordering> {
        let (one, other) = (self.dict_entries(a), self.dict_entries(b));
        if one.len() != other.len() {
            return Ok(one.len().cmp(&other.len()));
        }
        let first = self.smallest_difference(&one, b)?;
        let second = self.smallest_difference(&other, a)?;
        match (first, second) {
            (Some((key, value)), Some((other_key, other_value))) => {
                let order = self.deeper(|machine| machine.three_way(&key, &other_key))?;
                if order.is_ne() {
                    return Ok(order);
                }
                self.deeper(|machine| machine.three_way(&value, &other_value))
            }
            _ => Ok(Ordering::Equal),
        }
    }

    /// The smallest key whose value differs in the other dict.
    fn smallest_difference(
        &mut self,
        entries: &[(ScriptValue, ScriptValue)],
        other: ObjectId,
    ) -> Flow<Option<(ScriptValue, ScriptValue)>> {
        let mut smallest: Option<(ScriptValue, ScriptValue)> = None;
        for (key, value) in entries {
            self.charge(1)?;
            if let Some((least, _)) = &smallest {
                let least = least.clone();
                if self.three_way(key, &least)?.is_ge() {
                    continue;
                }
            }
            let same = match self.dict_get(other, key)? {
                Some(found) => self.deeper(|machine| machine.equal(value, &found))?,
                None => false,
            };
            if !same {
                smallest = Some((key.clone(), value.clone()));
            }
        }
        Ok(smallest)
    }

    /// Whether a value counts as true.
    pub(crate) fn truth(&mut self, value: &ScriptValue) -> Flow<bool> {
        Ok(match value {
            ScriptValue::Bool(value) => *value,
            ScriptValue::None | ScriptValue::Unset => false,
            ScriptValue::Int(value) => *value != 0,
            ScriptValue::Float(value) => *value != 0.0,
            ScriptValue::Long(value) => value.sign() != num_bigint::Sign::NoSign,
            ScriptValue::Complex(value) => value.re != 0.0 || value.im != 0.0,
            ScriptValue::Text(text) => !text.is_empty(),
            ScriptValue::Object(id) => match self.heap.get(*id) {
                Object::List(items) | Object::Tuple(items) => !items.is_empty(),
                Object::Dict(table) => !table.is_empty(),
                Object::Set(table) | Object::FrozenSet(table) => !table.is_empty(),
                Object::XRange { len, .. } => *len > 0,
                Object::Deque(items) => !items.0.is_empty(),
                Object::View { dict, .. } => match self.heap.get(*dict) {
                    Object::Dict(table) => !table.is_empty(),
                    _ => false,
                },
                Object::Instance(_) | Object::Exception(_) => return self.truth_of_instance(value),
                _ => true,
            },
            ScriptValue::Host(handle) => match self.host_len(*handle)? {
                Some(len) => len > 0,
                None => true,
            },
            _ => true,
        })
    }

    fn truth_of_instance(&mut self, value: &ScriptValue) -> Flow<bool> {
        if let Some(method) = self.special(value, "__nonzero__")? {
            let truth = self.call(&method, Vec::new())?;
            return match truth {
                ScriptValue::Bool(truth) => Ok(truth),
                ScriptValue::Int(number) => Ok(number != 0),
                other => {
                    let words = format!(
                        "__nonzero__ should return bool or int, returned {}",
                        self.type_name(&other)
                    );
                    Err(self.type_error(&words))
                }
            };
        }
        if self.has_special(value, "__len__") {
            return Ok(self.len(value)? > 0);
        }
        let own = self.payload_of(value);
        if own.object() == value.object() && own.object().is_some() {
            return Ok(true);
        }
        self.truth(&own)
    }

    // ---- hashes ----

    /// `hash(value)`, as CPython 2.7 has it on 64 bits without salt (S17).
    pub(crate) fn hash(&mut self, value: &ScriptValue) -> Flow<i64> {
        let ScriptValue::Object(id) = value else {
            return Ok(match value {
                ScriptValue::Text(bytes) if bytes.len() > 64 => {
                    self.charge(bytes.len() / 64)?;
                    hash_of_text(value)
                }
                ScriptValue::Long(number) => {
                    self.charge(usize::try_from(number.bits() / 128).unwrap_or(usize::MAX))?;
                    hash_of_plain(value)
                }
                other => hash_of_plain(other),
            });
        };
        let hash = match self.heap.get(*id) {
            Object::Tuple(items) => {
                let items = items.clone();
                let (mut hash, mut factor) = (0x0034_5678_i64, 1_000_003_i64);
                let mut left = i64::try_from(items.len()).unwrap_or(0);
                for item in &items {
                    self.charge(1)?;
                    left -= 1;
                    let one = match item {
                        ScriptValue::Object(_) => self.deeper(|machine| machine.hash(item))?,
                        plain => hash_of_plain(plain),
                    };
                    hash = (hash ^ one).wrapping_mul(factor);
                    factor = factor.wrapping_add(82_520 + 2 * left);
                }
                hash.wrapping_add(97_531)
            }
            Object::FrozenSet(table) => {
                let mut hash = 1_927_868_237_i64.wrapping_mul(i64::try_from(table.len()).unwrap_or(0) + 1);
                for entry in table.iter() {
                    let one = entry.hash;
                    hash ^= (one ^ (one << 16) ^ 89_869_747).wrapping_mul(3_644_798_167);
                }
                hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
                if hash == -1 { 590_923_713 } else { hash }
            }
            Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::Deque(_) | Object::View { .. } => {
                let words = format!("unhashable type: '{}'", self.type_name(value));
                return Err(self.type_error(&words));
            }
            Object::Slice(_) => return Err(self.type_error("unhashable type")),
            Object::Instance(_) => return self.hash_of_instance(value),
            _ => i64::from(id.0) * 16 + 8_800,
        };
        Ok(if hash == -1 { -2 } else { hash })
    }

    fn hash_of_instance(&mut self, value: &ScriptValue) -> Flow<i64> {
        if let Some(method) = self.special(value, "__hash__")? {
            let hash = self.deeper(|machine| machine.call(&method, Vec::new()))?;
            return match hash {
                ScriptValue::Int(_) | ScriptValue::Bool(_) | ScriptValue::Long(_) => Ok(hash_of_plain(&hash)),
                _ => Err(self.type_error("an integer is required")),
            };
        }
        let compares = self.has_special(value, "__eq__") || self.has_special(value, "__cmp__");
        if compares && let Some(class) = self.old_instance(value) {
            let _ = class;
            return Err(self.type_error("unhashable instance"));
        }
        let own = self.payload_of(value);
        if own.object() != value.object() || own.object().is_none() {
            return self.hash(&own);
        }
        let id = value.object().map_or(0, |id| id.0);
        Ok(i64::from(id) * 16 + 8_800)
    }

    /// Where a key is in a table, or where it would go.
    pub(crate) fn find_key<V>(
        &mut self,
        table: impl Fn(&Object) -> Option<&HashTable<ScriptValue, V>>,
        id: ObjectId,
        hash: i64,
        key: &ScriptValue,
    ) -> Flow<Result<usize, usize>>
    where
        V: Clone + 'static,
    {
        // Keys that a script has compared already.
        let mut known: Vec<(ScriptValue, bool)> = Vec::new();
        loop {
            let Some(entries) = table(self.heap.get(id)) else {
                return Ok(Err(0));
            };
            let found = entries.find(hash, |candidate| {
                let Some(candidate) = candidate else {
                    return Ok(false);
                };
                if let Some(equal) = quick_equal(self, candidate, key, 4) {
                    return Ok(equal);
                }
                let before = known
                    .iter()
                    .find(|(known, _)| known.object() == candidate.object());
                match before {
                    Some((_, equal)) => Ok(*equal),
                    None => Err(candidate.clone()),
                }
            });
            match found {
                Ok(place) => return Ok(place),
                Err(candidate) => {
                    self.charge(1)?;
                    let equal = self.deeper(|machine| machine.equal(&candidate, key))?;
                    known.push((candidate, equal));
                }
            }
        }
    }

    // ---- membership ----

    /// `item in container`.
    pub(crate) fn contains(&mut self, container: &ScriptValue, item: &ScriptValue) -> Flow<bool> {
        if let Some(text) = container.as_text() {
            let Some(part) = item.as_text() else {
                let words = format!(
                    "'in <string>' requires string as left operand, not {}",
                    self.type_name(item)
                );
                return Err(self.type_error(&words));
            };
            let found = match (text, part) {
                (TextRef::Narrow(text), TextRef::Narrow(part)) => {
                    crate::machine::text::find(text, part).is_some()
                }
                (text, part) => crate::machine::text::find(&text.points(), &part.points()).is_some(),
            };
            let len = text.len();
            self.charge(len / 16)?;
            return Ok(found);
        }
        match container {
            ScriptValue::Object(id) => {
                let id = *id;
                match self.heap.get(id) {
                    Object::List(items) | Object::Tuple(items) => {
                        let len = items.len();
                        for at in 0..len {
                            self.charge(1)?;
                            let (Object::List(items) | Object::Tuple(items)) = self.heap.get(id) else {
                                break;
                            };
                            let Some(own) = items.get(at).cloned() else { break };
                            if self.is_same(&own, item) || self.equal(&own, item)? {
                                return Ok(true);
                            }
                        }
                        Ok(false)
                    }
                    Object::Dict(_) => Ok(self.dict_get(id, item)?.is_some()),
                    Object::Set(_) | Object::FrozenSet(_) => self.set_contains(id, item),
                    Object::View { dict, part } => {
                        let (dict, part) = (*dict, *part);
                        self.view_contains(dict, part, container, item)
                    }
                    Object::Instance(_) => {
                        if let Some(method) = self.special(container, "__contains__")? {
                            let value = self.call(&method, vec![item.clone()])?;
                            return self.truth(&value);
                        }
                        if self.has_special(container, "__iter__")
                            || self.has_special(container, "__getitem__")
                        {
                            return self.contains_by_iteration(container, item);
                        }
                        let own = self.payload_of(container);
                        if own.object() == container.object() {
                            return self.contains_by_iteration(container, item);
                        }
                        self.contains(&own, item)
                    }
                    _ => self.contains_by_iteration(container, item),
                }
            }
            _ => self.contains_by_iteration(container, item),
        }
    }

    fn contains_by_iteration(&mut self, container: &ScriptValue, item: &ScriptValue) -> Flow<bool> {
        if !self.can_iterate(container) {
            if let Some(name) = self.old_instance(container) {
                let words = format!("{name} instance has no attribute '__contains__'");
                let _ = words;
            }
            let words = format!("argument of type '{}' is not iterable", self.type_name(container));
            return Err(self.raise(ExceptionKind::TypeError, &words));
        }
        let iterator = self.iterator(container)?;
        while let Some(own) = self.next_item(&iterator)? {
            self.charge(1)?;
            if self.is_same(&own, item) || self.equal(&own, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
