//! Small values in two registers.

use crate::base::id::HostObject;
use crate::tree::ast::CompareOp;
use crate::value::Value;
use crate::value::host::ExprHost;

/// A small value, or a hint that it is parked. Two registers wide, where a [`Value`] goes through memory.
#[derive(Clone, Copy)]
pub(crate) struct SmallValue {
    pub(crate) tag: Tag,
    pub(crate) bits: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
pub(crate) enum Tag {
    None,
    Bool,
    Int,
    Object,
    Parked,
}

impl SmallValue {
    pub(crate) const NONE: SmallValue = SmallValue {
        tag: Tag::None,
        bits: 0,
    };
    /// A value or an error is parked.
    pub(crate) const PARKED: SmallValue = SmallValue {
        tag: Tag::Parked,
        bits: 0,
    };

    /// A value that fits.
    #[inline(always)]
    pub(crate) fn of(value: &Value) -> Option<SmallValue> {
        match value {
            Value::Int(value) => Some(SmallValue::int(*value)),
            Value::Bool(value) => Some(SmallValue::bool(*value)),
            Value::Host(object) => Some(SmallValue::object(*object)),
            Value::None => Some(SmallValue::NONE),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn bool(value: bool) -> SmallValue {
        SmallValue {
            tag: Tag::Bool,
            bits: u64::from(value),
        }
    }

    #[inline]
    pub(crate) fn int(value: i64) -> SmallValue {
        SmallValue {
            tag: Tag::Int,
            bits: value as u64,
        }
    }

    #[inline]
    pub(crate) fn object(object: HostObject) -> SmallValue {
        SmallValue {
            tag: Tag::Object,
            bits: object.0,
        }
    }

    /// The value of a word that is not parked.
    #[inline]
    pub(crate) fn small_value(self) -> Value {
        match self.tag {
            Tag::None | Tag::Parked => Value::None,
            Tag::Bool => Value::Bool(self.bits != 0),
            Tag::Int => Value::Int(self.bits as i64),
            Tag::Object => Value::Host(HostObject(self.bits)),
        }
    }

    /// The truth of a word that is not parked: an empty list of the host is false.
    #[inline]
    pub(crate) fn truth<H: ExprHost>(self, host: &mut H) -> Option<bool> {
        match self.tag {
            Tag::None => Some(false),
            Tag::Bool | Tag::Int => Some(self.bits != 0),
            Tag::Object => Some(host.len(HostObject(self.bits)) != Some(0)),
            Tag::Parked => None,
        }
    }
}

/// Returns a number of items as an integer of the language.
///
/// # Panics
/// Never: what lies in memory has fewer than 2^63 items.
#[inline]
pub fn length(items: usize) -> i64 {
    i64::try_from(items).expect("memory has fewer than 2^63 items")
}

/// Compares two small ints; nothing for `in`. The virtual machine of scripts uses it as well.
#[inline]
pub fn compare_small(op: CompareOp, left: i64, right: i64) -> Option<bool> {
    Some(match op {
        CompareOp::Lt => left < right,
        CompareOp::Le => left <= right,
        CompareOp::Gt => left > right,
        CompareOp::Ge => left >= right,
        CompareOp::Eq | CompareOp::Is => left == right,
        CompareOp::Ne | CompareOp::IsNot => left != right,
        CompareOp::In | CompareOp::NotIn => return None,
    })
}
