//! Values that outlive an evaluation.

use cw_expr::{HostObject, Value};

use crate::facts::GameFacts;

/// What a user variable keeps (D43, D103).
#[derive(Clone, Debug, PartialEq)]
pub enum KeptValue {
    /// One thing.
    Item(Item),
    /// At most 128 things.
    List(Vec<Item>),
}

/// One thing that a variable keeps.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// nil
    Nil,
    /// true or false
    Bool(bool),
    /// a whole number
    Int(i64),
    /// a float, bit by bit
    Float(f64),
    /// at most 255 bytes
    Text(String),
    /// a card or player
    Object(HostObject),
}

pub(crate) const MOST_ITEMS: usize = 128;
/// As many as are counted in a byte.
pub(crate) const MOST_BYTES: usize = 255;

/// What of a value a variable can keep; `None` if nothing, which is an error where it is made (D103).
pub fn keep(value: &Value, facts: &mut dyn GameFacts) -> Option<KeptValue> {
    match value {
        Value::Host(object) => match facts.len(*object) {
            None => Some(KeptValue::Item(Item::Object(*object))),
            Some(len) if len <= MOST_ITEMS => (0..len)
                .map(|at| {
                    facts
                        .item(*object, at)
                        .ok()
                        .and_then(|item| keep_item(&item, facts))
                })
                .collect::<Option<Vec<_>>>()
                .map(KeptValue::List),
            Some(_) => None,
        },
        Value::List(items) | Value::Tuple(items) if items.items.len() <= MOST_ITEMS => items
            .items
            .iter()
            .map(|item| keep_item(item, facts))
            .collect::<Option<Vec<_>>>()
            .map(KeptValue::List),
        other => keep_item(other, facts).map(KeptValue::Item),
    }
}

fn keep_item(value: &Value, facts: &mut dyn GameFacts) -> Option<Item> {
    match value {
        Value::None => Some(Item::Nil),
        Value::Bool(value) => Some(Item::Bool(*value)),
        Value::Int(value) => Some(Item::Int(*value)),
        Value::Long(value) => i64::try_from(&**value).ok().map(Item::Int),
        Value::Float(value) => Some(Item::Float(*value)),
        Value::Str(bytes) if bytes.len() <= MOST_BYTES => {
            String::from_utf8((**bytes).clone()).ok().map(Item::Text)
        }
        Value::Unicode(points) => {
            let text: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
            text.filter(|text| text.len() <= MOST_BYTES).map(Item::Text)
        }
        Value::Host(object) if facts.len(*object).is_none() => Some(Item::Object(*object)),
        _ => None,
    }
}

impl From<&KeptValue> for Value {
    fn from(kept: &KeptValue) -> Value {
        match kept {
            KeptValue::Item(item) => Value::from(item),
            KeptValue::List(items) => Value::list(items.iter().map(Value::from).collect()),
        }
    }
}

impl From<&Item> for Value {
    fn from(item: &Item) -> Value {
        match item {
            Item::Nil => Value::None,
            Item::Bool(value) => Value::Bool(*value),
            Item::Int(value) => Value::Int(*value),
            Item::Float(value) => Value::Float(*value),
            Item::Text(text) => Value::str(text),
            Item::Object(object) => Value::Host(*object),
        }
    }
}

/// The whole number that a command makes of a value: floats lose their fraction (R606, R1034), large
/// ones saturate (D15). `None` for anything that is no number, not-a-number included.
#[expect(
    clippy::cast_possible_truncation,
    reason = "R606, D15: floats lose their fraction, large ones saturate, as the cast does"
)]
///
/// ```
/// use cw_formula::{Value, whole_number};
///
/// assert_eq!(whole_number(&Value::Float(-2.7)), Some(-2));
/// assert_eq!(whole_number(&Value::str("7")), None);
/// ```
pub fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Int(value) => Some(*value),
        Value::Long(value) => {
            let negative = **value < 0.into();
            Some(i64::try_from(&**value).unwrap_or(if negative { i64::MIN } else { i64::MAX }))
        }
        Value::Float(value) if !value.is_nan() => Some(*value as i64),
        _ => None,
    }
}
