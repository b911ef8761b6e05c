//! Hashes of values that need nothing of the heap.

use cw_expr::{Calculator, ExprLimits};

use crate::value::ScriptValue;

/// The hash of a text, as CPython 2.7 has it (S17).
pub(crate) fn hash_of_text(text: &ScriptValue) -> i64 {
    match text {
        ScriptValue::Text(bytes) => hash_points(bytes.iter().map(|byte| i64::from(*byte)), bytes.len()),
        ScriptValue::Wide(points) => hash_points(points.iter().map(|point| i64::from(*point)), points.len()),
        _ => 0,
    }
}

fn hash_points(points: impl Iterator<Item = i64>, len: usize) -> i64 {
    let mut points = points.peekable();
    let Some(first) = points.peek() else { return 0 };
    let mut hash = first << 7;
    for point in points {
        hash = hash.wrapping_mul(1_000_003) ^ point;
    }
    hash ^= i64::try_from(len).unwrap_or(0);
    if hash == -1 { -2 } else { hash }
}

/// The hash of a value outside of the heap.
pub(crate) fn hash_of_plain(value: &ScriptValue) -> i64 {
    match value {
        ScriptValue::Int(value) => match value {
            -1 => -2,
            other => *other,
        },
        ScriptValue::Bool(value) => i64::from(*value),
        ScriptValue::Text(_) | ScriptValue::Wide(_) => hash_of_text(value),
        ScriptValue::Builtin(at) | ScriptValue::Native(at) | ScriptValue::HostFunction(at) => {
            i64::from(*at) + 77_000
        }
        ScriptValue::Host(handle) => handle.0 as i64,
        other => match other.plain() {
            Some(plain) => Calculator::new(ExprLimits::FILE).hash(&plain).unwrap_or(0),
            None => 0,
        },
    }
}
