//! Whole numbers at the speed of the machine; all else about numbers is the calculator's.

use cw_expr::ast::BinaryOp;

use crate::machine::{Flow, Machine};
use crate::value::ScriptValue;

/// The result, if it is small too.
#[inline]
pub(crate) fn small(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div | BinaryOp::FloorDiv => {
            let quotient = left.checked_div(right)?;
            let inexact = left % right != 0 && (left < 0) != (right < 0);
            Some(quotient - i64::from(inexact))
        }
        BinaryOp::Mod => {
            let rest = left.checked_rem(right)?;
            Some(if rest != 0 && (rest < 0) != (right < 0) {
                rest + right
            } else {
                rest
            })
        }
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => None,
    }
}

impl Machine<'_> {
    pub(crate) fn number_method(&mut self, object: &ScriptValue, name: &str, args: &[ScriptValue]) -> Flow {
        let Some(plain) = object.plain() else {
            return Err(self.no_attribute(object, name));
        };
        let args = self.export_all(args)?;
        let value = self.calculate(|calculator| calculator.method(&plain, name, &args, &[]))?;
        self.take_in(value)
    }

    /// A whole number that an index or a count may be.
    pub(crate) fn index_value(&mut self, value: &ScriptValue) -> Flow<Option<i64>> {
        Ok(match value {
            ScriptValue::Int(value) => Some(*value),
            ScriptValue::Bool(value) => Some(i64::from(*value)),
            ScriptValue::Long(value) => Some(i64::try_from(&**value).unwrap_or_else(|_| {
                if value.sign() == num_bigint::Sign::Minus {
                    i64::MIN
                } else {
                    i64::MAX
                }
            })),
            ScriptValue::Object(_) => {
                let own = self.payload_of(value);
                if !matches!(own, ScriptValue::Object(_)) {
                    return self.index_value(&own);
                }
                match self.special(value, "__index__")? {
                    Some(method) => {
                        let value = self.call(&method, Vec::new())?;
                        match value {
                            ScriptValue::Object(_) => None,
                            other => self.index_value(&other)?,
                        }
                    }
                    None => None,
                }
            }
            _ => None,
        })
    }

    /// A whole number as an argument, in CPython's words where it is none.
    pub(crate) fn integer_arg(&mut self, value: &ScriptValue) -> Flow<i64> {
        match self.index_value(value)? {
            Some(number) => Ok(number),
            None => {
                let words = match value {
                    ScriptValue::Float(_) => "integer argument expected, got float".to_owned(),
                    _ => "an integer is required".to_owned(),
                };
                Err(self.type_error(&words))
            }
        }
    }
}
