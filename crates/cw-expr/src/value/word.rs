//! Small values in two registers.

use crate::base::id::Object;
use crate::tree::ast::CompareOp;
use crate::value::Value;
use crate::value::host::Host;

/// A small value, or a hint that it is parked. Two registers wide, where a [`Value`] goes through memory.
#[derive(Clone, Copy)]
pub(crate) struct Word {
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

impl Word {
    pub(crate) const NONE: Word = Word {
        tag: Tag::None,
        bits: 0,
    };
    /// A value or an error is parked.
    pub(crate) const PARKED: Word = Word {
        tag: Tag::Parked,
        bits: 0,
    };

    /// A value that fits.
    #[inline(always)]
    pub(crate) fn of(value: &Value) -> Option<Word> {
        match value {
            Value::Int(value) => Some(Word::int(*value)),
            Value::Bool(value) => Some(Word::bool(*value)),
            Value::Host(object) => Some(Word::object(*object)),
            Value::None => Some(Word::NONE),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn bool(value: bool) -> Word {
        Word {
            tag: Tag::Bool,
            bits: u64::from(value),
        }
    }

    #[inline]
    pub(crate) fn int(value: i64) -> Word {
        Word {
            tag: Tag::Int,
            bits: value as u64,
        }
    }

    #[inline]
    pub(crate) fn object(object: Object) -> Word {
        Word {
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
            Tag::Object => Value::Host(Object(self.bits)),
        }
    }

    /// The truth of a word that is not parked: an empty list of the host is false.
    #[inline]
    pub(crate) fn truth<H: Host>(self, host: &mut H) -> Option<bool> {
        match self.tag {
            Tag::None => Some(false),
            Tag::Bool | Tag::Int => Some(self.bits != 0),
            Tag::Object => Some(host.len(Object(self.bits)) != Some(0)),
            Tag::Parked => None,
        }
    }
}

/// Compares two small ints; nothing for `in`.
#[inline]
pub(crate) fn compare_small(op: CompareOp, left: i64, right: i64) -> Option<bool> {
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
