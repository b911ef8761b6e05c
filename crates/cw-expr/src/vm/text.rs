//! Crossing between `str` and `unicode`, and the codecs.

use std::sync::Arc;

use crate::base::error::{Error, ExceptionKind};
use crate::value::Value;
use crate::vm::machine::{EvalOutcome, Vm};

impl Vm<'_> {
    /// A text as code points; bytes must be ASCII, as where Python 2 mixes `str` and `unicode`.
    pub(crate) fn points_of_text(&mut self, value: &Value) -> EvalOutcome<Arc<Vec<u32>>> {
        match value {
            Value::Unicode(points) => Ok(points.clone()),
            Value::Str(bytes) | Value::ByteArray(bytes) | Value::Buffer(bytes) => {
                self.allow_text(bytes.len() * 4)?;
                Ok(Arc::new(ascii_points(bytes)?))
            }
            other => Err(self.needs_text(other)),
        }
    }

    pub(crate) fn needs_text(&self, value: &Value) -> Error {
        let name = self.type_name(value);
        Error::type_error(format!(
            "coercing to Unicode: need string or buffer, {name} found"
        ))
    }

    /// The type of an argument as the argument parser names it.
    pub(crate) fn argument_name(&self, value: &Value) -> &'static str {
        match value {
            Value::None => "None",
            other => self.type_name(other),
        }
    }
}

/// Decodes ASCII.
pub(crate) fn ascii_points(bytes: &[u8]) -> EvalOutcome<Vec<u32>> {
    match bytes.iter().position(|byte| *byte >= 128) {
        None => Ok(bytes.iter().map(|byte| u32::from(*byte)).collect()),
        Some(at) => Err(Error::raise(
            ExceptionKind::UnicodeDecodeError,
            format!(
                "'ascii' codec can't decode byte 0x{:02x} in position {at}: ordinal not in range(128)",
                bytes[at]
            ),
        )),
    }
}

/// Code points below 256 as the bytes of the same number.
pub(crate) fn low_bytes(points: &[u32]) -> Vec<u8> {
    points.iter().map(|point| (point & 0xff) as u8).collect()
}

/// Encodes ASCII.
pub(crate) fn ascii_bytes(points: &[u32]) -> EvalOutcome<Vec<u8>> {
    match points.iter().position(|point| *point >= 128) {
        None => Ok(low_bytes(points)),
        Some(at) => {
            let end = points[at..]
                .iter()
                .position(|point| *point < 128)
                .map_or(points.len(), |len| at + len);
            Err(encode_error(
                "ascii",
                points,
                at,
                end,
                "ordinal not in range(128)",
            ))
        }
    }
}

/// CPython's words for characters `start..end` that a codec cannot write.
pub(crate) fn encode_error(codec: &str, points: &[u32], start: usize, end: usize, reason: &str) -> Error {
    let place = if end - start == 1 {
        format!("character {} in position {start}", escaped(points[start]))
    } else {
        format!("characters in position {start}-{}", end - 1)
    };
    Error::raise(
        ExceptionKind::UnicodeEncodeError,
        format!("'{codec}' codec can't encode {place}: {reason}"),
    )
}

fn escaped(point: u32) -> String {
    match point {
        0..=0xff => format!("u'\\x{point:02x}'"),
        0x100..=0xffff => format!("u'\\u{point:04x}'"),
        _ => format!("u'\\U{point:08x}'"),
    }
}
