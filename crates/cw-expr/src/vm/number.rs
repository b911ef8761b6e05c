//! Arithmetic: ints that turn to longs, floats, complex numbers, and what `+ * %` do to sequences.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::base::error::{Error, ExceptionKind};
use crate::tree::ast::BinaryOp;
use crate::value::{Complex, Value};
use crate::vm::machine::{EvalOutcome, Vm};

/// A number, by its place in the order int, long, float, complex.
#[derive(Clone, Debug)]
pub(crate) enum NumberValue {
    Int(i64),
    Long(Arc<BigInt>),
    Float(f64),
    Complex(Complex),
}

impl NumberValue {
    pub(crate) fn of(value: &Value) -> Option<NumberValue> {
        Some(match value {
            Value::Bool(value) => NumberValue::Int(i64::from(*value)),
            Value::Int(value) => NumberValue::Int(*value),
            Value::Long(value) => NumberValue::Long(value.clone()),
            Value::Float(value) => NumberValue::Float(*value),
            Value::Complex(value) => NumberValue::Complex(**value),
            _ => return None,
        })
    }

    fn rank(&self) -> u8 {
        match self {
            NumberValue::Int(_) => 0,
            NumberValue::Long(_) => 1,
            NumberValue::Float(_) => 2,
            NumberValue::Complex(_) => 3,
        }
    }

    fn to_big(&self) -> BigInt {
        match self {
            NumberValue::Int(value) => BigInt::from(*value),
            NumberValue::Long(value) => (**value).clone(),
            NumberValue::Float(_) | NumberValue::Complex(_) => BigInt::zero(),
        }
    }

    pub(crate) fn to_float(&self) -> EvalOutcome<f64> {
        match self {
            NumberValue::Int(value) => Ok(*value as f64),
            NumberValue::Long(value) => big_to_float(value),
            NumberValue::Float(value) => Ok(*value),
            NumberValue::Complex(value) => Ok(value.re),
        }
    }

    fn to_complex(&self) -> EvalOutcome<Complex> {
        match self {
            NumberValue::Complex(value) => Ok(*value),
            NumberValue::Int(_) | NumberValue::Long(_) | NumberValue::Float(_) => Ok(Complex {
                re: self.to_float()?,
                im: 0.0,
            }),
        }
    }
}

/// The nearest float.
pub(crate) fn big_to_float(value: &BigInt) -> EvalOutcome<f64> {
    match value.to_f64() {
        Some(float) if float.is_finite() => Ok(float),
        Some(_) | None => Err(Error::overflow("long int too large to convert to float")),
    }
}

impl BinaryOp {
    /// The operator as messages write it.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::FloorDiv => "//",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "** or pow()",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Xor => "^",
            BinaryOp::Or => "|",
        }
    }
}

impl Vm<'_> {
    /// `left op right`.
    pub(crate) fn binary(&mut self, op: BinaryOp, left: &Value, right: &Value) -> EvalOutcome {
        if let (Some(a), Some(b)) = (NumberValue::of(left), NumberValue::of(right)) {
            // The shift and bit operators know no floats: those fall through to the message.
            if let (Value::Bool(a), Value::Bool(b)) = (left, right)
                && let Some(bits) = bits(op, i64::from(*a), i64::from(*b))
            {
                return Ok(Value::Bool(bits != 0));
            }
            if let Some(result) = self.arithmetic(op, a, b)? {
                return Ok(result);
            }
            return Err(self.unsupported(op, left, right));
        }
        if matches!(left, Value::Host(_)) || matches!(right, Value::Host(_)) {
            let (plain_left, plain_right) = (self.materialise(left)?, self.materialise(right)?);
            let changed = !matches!((&plain_left, left), (Value::Host(_), _))
                && matches!(left, Value::Host(_))
                || !matches!(plain_right, Value::Host(_)) && matches!(right, Value::Host(_));
            if changed {
                return self.binary(op, &plain_left, &plain_right);
            }
        }
        match op {
            BinaryOp::Add => self.concatenate(left, right),
            BinaryOp::Mul => self.repeat(left, right),
            BinaryOp::Mod => match left {
                Value::Str(_) | Value::Unicode(_) => self.format_percent(left, right),
                _ => Err(self.unsupported(op, left, right)),
            },
            BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                match self.set_operator(op, left, right)? {
                    Some(result) => Ok(result),
                    None => Err(self.unsupported(op, left, right)),
                }
            }
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => {
                Err(self.unsupported(op, left, right))
            }
        }
    }

    #[cold]
    pub(crate) fn unsupported(&self, op: BinaryOp, left: &Value, right: &Value) -> Error {
        Error::type_error(format!(
            "unsupported operand type(s) for {}: '{}' and '{}'",
            op.symbol(),
            self.type_name(left),
            self.type_name(right)
        ))
    }

    /// Arithmetic of two numbers; `None` where their types have no such operator.
    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: NumberValue,
        right: NumberValue,
    ) -> EvalOutcome<Option<Value>> {
        match left.rank().max(right.rank()) {
            0 => {
                let (NumberValue::Int(left), NumberValue::Int(right)) = (left, right) else {
                    return Ok(None);
                };
                self.int_arithmetic(op, left, right)
            }
            1 => self
                .long_arithmetic(op, &left.to_big(), &right.to_big())
                .map(Some),
            2 => float_arithmetic(op, left.to_float()?, right.to_float()?),
            _ => complex_arithmetic(op, left.to_complex()?, right.to_complex()?),
        }
    }

    /// `None` only for the bit operators, which differ between ints and bools.
    fn int_arithmetic(&mut self, op: BinaryOp, left: i64, right: i64) -> EvalOutcome<Option<Value>> {
        let small = match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Sub => left.checked_sub(right),
            BinaryOp::Mul => left.checked_mul(right),
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if right == 0 => {
                return Err(Error::zero_division("integer division or modulo by zero"));
            }
            BinaryOp::Div | BinaryOp::FloorDiv => floor_div(left, right),
            BinaryOp::Mod => Some(floor_mod(left, right)),
            BinaryOp::Pow => {
                if right < 0 {
                    return float_arithmetic(op, left as f64, right as f64);
                }
                u32::try_from(right)
                    .ok()
                    .and_then(|exponent| left.checked_pow(exponent))
            }
            BinaryOp::Shl | BinaryOp::Shr if right < 0 => {
                return Err(Error::value_error("negative shift count"));
            }
            BinaryOp::Shl if left == 0 => Some(0),
            BinaryOp::Shl if right < 63 => {
                let shifted = left << right;
                (shifted >> right == left).then_some(shifted)
            }
            BinaryOp::Shl => None,
            BinaryOp::Shr => Some(left >> right.min(63)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return Ok(bits(op, left, right).map(Value::Int)),
        };
        match small {
            Some(value) => Ok(Some(Value::Int(value))),
            None => self
                .long_arithmetic(op, &BigInt::from(left), &BigInt::from(right))
                .map(Some),
        }
    }

    fn long_arithmetic(&mut self, op: BinaryOp, left: &BigInt, right: &BigInt) -> EvalOutcome {
        let (left_bits, right_bits) = (left.bits(), right.bits());
        self.charge((left_bits.saturating_mul(right_bits) >> 16) + 1)?;
        let value = match op {
            BinaryOp::Add => left + right,
            BinaryOp::Sub => left - right,
            BinaryOp::Mul => {
                self.allow_bits(left_bits + right_bits)?;
                left * right
            }
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if right.is_zero() => {
                return Err(Error::zero_division("long division or modulo by zero"));
            }
            BinaryOp::Div | BinaryOp::FloorDiv => left.div_floor(right),
            BinaryOp::Mod => left.mod_floor(right),
            BinaryOp::Pow => {
                if right.sign() == Sign::Minus {
                    let (left, right) = (big_to_float(left)?, big_to_float(right)?);
                    return Ok(float_arithmetic(op, left, right)?.unwrap_or(Value::None));
                }
                self.long_power(left, right)?
            }
            BinaryOp::Shl | BinaryOp::Shr if right.sign() == Sign::Minus => {
                return Err(Error::value_error("negative shift count"));
            }
            BinaryOp::Shl => {
                let Some(shift) = right.to_i64() else {
                    return Err(Error::overflow("long int too large to convert to int"));
                };
                let shift = shift.unsigned_abs();
                if left.is_zero() {
                    BigInt::zero()
                } else {
                    self.allow_bits(left_bits.saturating_add(shift))?;
                    left << shift
                }
            }
            BinaryOp::Shr => match right.to_i64() {
                Some(shift) => left >> shift.min(i64::from(u32::MAX)),
                None => return Err(Error::overflow("long int too large to convert to int")),
            },
            BinaryOp::And => left & right,
            BinaryOp::Or => left | right,
            BinaryOp::Xor => left ^ right,
        };
        self.make_long(value)
    }

    pub(crate) fn make_long(&mut self, value: BigInt) -> EvalOutcome {
        self.allow_bits(value.bits())?;
        Ok(Value::long(value))
    }

    pub(crate) fn allow_bits(&mut self, bits: u64) -> EvalOutcome<()> {
        if bits > self.limits.bits {
            return Err(Error::limit("integer is too large"));
        }
        self.allocate(usize::try_from(bits / 8).unwrap_or(usize::MAX))
    }

    fn long_power(&mut self, base: &BigInt, exponent: &BigInt) -> EvalOutcome<BigInt> {
        if exponent.is_zero() {
            return Ok(BigInt::from(1));
        }
        if base.bits() <= 1 {
            // 0, 1 and -1 stay small whatever the exponent.
            let odd = exponent.is_odd();
            return Ok(if odd { base.clone() } else { base.abs() });
        }
        let Some(exponent) = exponent.to_u32() else {
            return Err(Error::limit("integer is too large"));
        };
        let least_bits = (base.bits() - 1).saturating_mul(u64::from(exponent));
        if least_bits > self.limits.bits {
            return Err(Error::limit("integer is too large"));
        }
        self.charge(least_bits / 64)?;
        Ok(base.pow(exponent))
    }

    /// `pow(base, exponent, modulus)`.
    pub(crate) fn modular_power(&mut self, base: &Value, exponent: &Value, modulus: &Value) -> EvalOutcome {
        let numbers = (
            NumberValue::of(base),
            NumberValue::of(exponent),
            NumberValue::of(modulus),
        );
        let (Some(a), Some(b), Some(c)) = numbers else {
            // A float among the first two, or behind what is no number, speaks before the others do.
            let is_float = |value: &Value| matches!(value, Value::Float(_));
            let speaks = is_float(base)
                || is_float(exponent) && NumberValue::of(base).is_none_or(|base| base.rank() < 2)
                || is_float(modulus);
            if speaks
                && ![base, exponent, modulus]
                    .iter()
                    .any(|value| matches!(value, Value::Complex(_)))
            {
                return Err(Error::type_error(
                    "pow() 3rd argument not allowed unless all arguments are integers",
                ));
            }
            return Err(Error::type_error(format!(
                "unsupported operand type(s) for pow(): '{}', '{}', '{}'",
                self.type_name(base),
                self.type_name(exponent),
                self.type_name(modulus)
            )));
        };
        let rank = a.rank().max(b.rank()).max(c.rank());
        if rank == 3 {
            return Err(Error::value_error("complex modulo"));
        }
        if rank == 2 {
            return Err(Error::type_error(
                "pow() 3rd argument not allowed unless all arguments are integers",
            ));
        }
        let small = match (&a, &b, &c) {
            (NumberValue::Int(a), NumberValue::Int(b), NumberValue::Int(c)) => {
                small_modular_power(*a, *b, *c)
            }
            _ => None,
        };
        let (a, b, c) = (a.to_big(), b.to_big(), c.to_big());
        if b.sign() == Sign::Minus {
            return Err(Error::type_error(
                "pow() 2nd argument cannot be negative when 3rd argument specified",
            ));
        }
        if c.is_zero() {
            return Err(Error::value_error("pow() 3rd argument cannot be 0"));
        }
        self.charge(b.bits().saturating_mul(c.bits() * c.bits() / 4096 + 1) / 2 + 1)?;
        // num-bigint's result has the sign of the modulus, as Python's.
        let value = a.modpow(&b, &c);
        match small {
            Some(small) => Ok(Value::Int(small)),
            None => self.make_long(value),
        }
    }

    /// `-value`.
    pub(crate) fn negate(&mut self, value: &Value) -> EvalOutcome {
        match NumberValue::of(value) {
            Some(NumberValue::Int(value)) => match value.checked_neg() {
                Some(negated) => Ok(Value::Int(negated)),
                None => self.make_long(-BigInt::from(value)),
            },
            Some(NumberValue::Long(value)) => self.make_long(-&*value),
            Some(NumberValue::Float(value)) => Ok(Value::Float(-value)),
            Some(NumberValue::Complex(value)) => Ok(Value::complex(-value.re, -value.im)),
            None => Err(self.bad_operand("unary -", value)),
        }
    }

    /// `+value`.
    pub(crate) fn plus(&mut self, value: &Value) -> EvalOutcome {
        match value {
            Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
            Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Complex(_) => Ok(value.clone()),
            _ => Err(self.bad_operand("unary +", value)),
        }
    }

    /// `~value`.
    pub(crate) fn invert(&mut self, value: &Value) -> EvalOutcome {
        match NumberValue::of(value) {
            Some(NumberValue::Int(value)) => Ok(Value::Int(!value)),
            Some(NumberValue::Long(value)) => self.make_long(!&*value),
            Some(NumberValue::Float(_) | NumberValue::Complex(_)) | None => {
                Err(self.bad_operand("unary ~", value))
            }
        }
    }

    pub(crate) fn bad_operand(&self, operator: &str, value: &Value) -> Error {
        Error::type_error(format!(
            "bad operand type for {operator}: '{}'",
            self.type_name(value)
        ))
    }

    /// `divmod(left, right)`.
    pub(crate) fn divmod(&mut self, left: &Value, right: &Value) -> EvalOutcome {
        let (Some(a), Some(b)) = (NumberValue::of(left), NumberValue::of(right)) else {
            return Err(Error::type_error(format!(
                "unsupported operand type(s) for divmod(): '{}' and '{}'",
                self.type_name(left),
                self.type_name(right)
            )));
        };
        let (quotient, remainder) = match a.rank().max(b.rank()) {
            0 | 1 => {
                let quotient = self.binary(BinaryOp::FloorDiv, left, right)?;
                (quotient, self.binary(BinaryOp::Mod, left, right)?)
            }
            2 => {
                let (a, b) = (a.to_float()?, b.to_float()?);
                if b == 0.0 {
                    return Err(Error::zero_division("float divmod()"));
                }
                let (quotient, remainder) = float_divmod(a, b);
                (Value::Float(quotient), Value::Float(remainder))
            }
            _ => {
                let (a, b) = (a.to_complex()?, b.to_complex()?);
                if b.re == 0.0 && b.im == 0.0 {
                    return Err(Error::zero_division("complex divmod()"));
                }
                let quotient = Complex {
                    re: libm::floor(complex_div(a, b).re),
                    im: 0.0,
                };
                let product = complex_mul(b, quotient);
                (
                    Value::complex(quotient.re, quotient.im),
                    Value::complex(a.re - product.re, a.im - product.im),
                )
            }
        };
        self.make_tuple(vec![quotient, remainder])
    }

    fn concatenate(&mut self, left: &Value, right: &Value) -> EvalOutcome {
        match (left, right) {
            (Value::Str(a), Value::Str(b) | Value::Buffer(b)) => {
                self.allow_text(a.len() + b.len())?;
                Ok(Value::bytes([&***a, &***b].concat()))
            }
            (Value::Str(a), Value::ByteArray(b))
            | (Value::ByteArray(a), Value::Str(b) | Value::ByteArray(b) | Value::Buffer(b)) => {
                self.allow_text(a.len() + b.len())?;
                Ok(Value::ByteArray(Arc::new([&***a, &***b].concat())))
            }
            (Value::Unicode(_), Value::Str(_) | Value::Unicode(_)) | (Value::Str(_), Value::Unicode(_)) => {
                let (a, b) = (self.points_of_text(left)?, self.points_of_text(right)?);
                self.make_unicode([&**a, &**b].concat())
            }
            (Value::Unicode(_), Value::ByteArray(_)) | (Value::ByteArray(_), Value::Unicode(_)) => {
                if matches!(left, Value::Unicode(_)) {
                    return Err(Error::type_error("decoding bytearray is not supported"));
                }
                Err(Error::type_error("can't concat bytearray to unicode"))
            }
            (Value::List(a), Value::List(b)) => {
                self.allow_items(a.items.len() + b.items.len())?;
                self.make_list([&*a.items, &*b.items].concat())
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                self.allow_items(a.items.len() + b.items.len())?;
                self.make_tuple([&*a.items, &*b.items].concat())
            }
            (Value::Buffer(a), _) => match self.bytes_of(right) {
                Some((b, _)) => {
                    self.allow_text(a.len() + b.len())?;
                    Ok(Value::bytes([&***a, &**b].concat()))
                }
                None => Err(Error::type_error("bad argument type for built-in operation")),
            },
            (Value::Str(_), _) => Err(Error::type_error(format!(
                "cannot concatenate 'str' and '{}' objects",
                self.type_name(right)
            ))),
            (Value::Unicode(_), _) => Err(Error::type_error(format!(
                "coercing to Unicode: need string or buffer, {} found",
                self.type_name(right)
            ))),
            (_, Value::Unicode(_)) if !matches!(left, Value::List(_) | Value::Tuple(_)) => {
                if NumberValue::of(left).is_some() {
                    return Err(self.unsupported(BinaryOp::Add, left, right));
                }
                Err(self.unsupported(BinaryOp::Add, left, right))
            }
            (Value::List(_), _) => Err(Error::type_error(format!(
                "can only concatenate list (not \"{}\") to list",
                self.type_name(right)
            ))),
            (Value::Tuple(_), _) => Err(Error::type_error(format!(
                "can only concatenate tuple (not \"{}\") to tuple",
                self.type_name(right)
            ))),
            (Value::ByteArray(_), _) => Err(Error::type_error(format!(
                "can't concat bytearray to {}",
                self.type_name(right)
            ))),
            _ => Err(self.unsupported(BinaryOp::Add, left, right)),
        }
    }

    /// `sequence * count`, either way round.
    fn repeat(&mut self, left: &Value, right: &Value) -> EvalOutcome {
        let (sequence, count) = if is_sequence(left) {
            (left, right)
        } else {
            (right, left)
        };
        if !is_sequence(sequence) {
            return Err(self.unsupported(BinaryOp::Mul, left, right));
        }
        let count = match count {
            Value::Bool(_) | Value::Int(_) | Value::Long(_) => self.index_sized(count)?,
            other => {
                return Err(Error::type_error(format!(
                    "can't multiply sequence by non-int of type '{}'",
                    self.type_name(other)
                )));
            }
        };
        let count = usize::try_from(count).unwrap_or(0);
        match sequence {
            Value::Str(bytes) | Value::Buffer(bytes) => {
                self.allow_text(bytes.len().saturating_mul(count))?;
                Ok(Value::bytes(bytes.repeat(count)))
            }
            Value::ByteArray(bytes) => {
                self.allow_text(bytes.len().saturating_mul(count))?;
                Ok(Value::ByteArray(Arc::new(bytes.repeat(count))))
            }
            Value::Unicode(points) => {
                self.allow_text(points.len().saturating_mul(count))?;
                self.make_unicode(points.repeat(count))
            }
            Value::List(list) => {
                self.allow_items(list.items.len().saturating_mul(count))?;
                self.make_list(repeated(&list.items, count))
            }
            Value::Tuple(list) => {
                self.allow_items(list.items.len().saturating_mul(count))?;
                self.make_tuple(repeated(&list.items, count))
            }
            _ => Err(self.unsupported(BinaryOp::Mul, left, right)),
        }
    }

    /// An integer that must fit the size of a container.
    pub(crate) fn index_sized(&self, value: &Value) -> EvalOutcome<i64> {
        match value {
            Value::Bool(value) => Ok(i64::from(*value)),
            Value::Int(value) => Ok(*value),
            Value::Long(value) => value
                .to_i64()
                .ok_or_else(|| Error::overflow("cannot fit 'long' into an index-sized integer")),
            other => Err(Error::type_error(format!(
                "'{}' object cannot be interpreted as an index",
                self.type_name(other)
            ))),
        }
    }
}

fn repeated(items: &[Value], count: usize) -> Vec<Value> {
    items.iter().cycle().take(items.len() * count).cloned().collect()
}

fn is_sequence(value: &Value) -> bool {
    matches!(
        value,
        Value::Str(_)
            | Value::Unicode(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::ByteArray(_)
            | Value::Buffer(_)
    )
}

/// `pow` of ints as CPython's loop does it; `None` where it overflows and turns to longs.
fn small_modular_power(base: i64, mut exponent: i64, modulus: i64) -> Option<i64> {
    if modulus == 0 || exponent < 0 {
        return None;
    }
    let (mut result, mut power) = (1_i64, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.checked_mul(power)?;
            if power == 0 {
                break;
            }
        }
        exponent >>= 1;
        if exponent == 0 {
            break;
        }
        power = power.checked_mul(power)?.checked_rem(modulus)?;
        result = result.checked_rem(modulus)?;
    }
    Some(floor_mod(result, modulus))
}

fn bits(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        _ => None,
    }
}

fn floor_div(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    Some(if left % right != 0 && (left < 0) != (right < 0) {
        quotient - 1
    } else {
        quotient
    })
}

fn floor_mod(left: i64, right: i64) -> i64 {
    let remainder = left.wrapping_rem(right);
    if remainder != 0 && (remainder < 0) != (right < 0) {
        remainder + right
    } else {
        remainder
    }
}

/// `None` for operators that floats lack.
fn float_arithmetic(op: BinaryOp, left: f64, right: f64) -> EvalOutcome<Option<Value>> {
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div if right == 0.0 => return Err(Error::zero_division("float division by zero")),
        BinaryOp::Div => left / right,
        BinaryOp::FloorDiv if right == 0.0 => return Err(Error::zero_division("float divmod()")),
        BinaryOp::FloorDiv => float_divmod(left, right).0,
        BinaryOp::Mod if right == 0.0 => return Err(Error::zero_division("float modulo")),
        BinaryOp::Mod => float_mod(left, right),
        BinaryOp::Pow => float_pow(left, right)?,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return Ok(None),
    };
    Ok(Some(Value::Float(value)))
}

fn float_mod(left: f64, right: f64) -> f64 {
    let remainder = libm::fmod(left, right);
    if remainder == 0.0 {
        // The sign of zero is the divisor's.
        return libm::copysign(0.0, right);
    }
    if (right < 0.0) != (remainder < 0.0) {
        remainder + right
    } else {
        remainder
    }
}

fn float_divmod(left: f64, right: f64) -> (f64, f64) {
    let mut remainder = libm::fmod(left, right);
    let mut quotient = (left - remainder) / right;
    if remainder == 0.0 {
        remainder = libm::copysign(0.0, right);
    } else if (right < 0.0) != (remainder < 0.0) {
        remainder += right;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (libm::copysign(0.0, left / right), remainder);
    }
    let floor = libm::floor(quotient);
    (
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        },
        remainder,
    )
}

fn float_pow(base: f64, exponent: f64) -> EvalOutcome<f64> {
    if exponent == 0.0 || base == 1.0 {
        return Ok(1.0);
    }
    if base.is_nan() || exponent.is_nan() {
        return Ok(base + exponent);
    }
    if exponent.is_infinite() {
        let size = base.abs();
        return Ok(if size == 1.0 {
            1.0
        } else if (exponent > 0.0) == (size > 1.0) {
            f64::INFINITY
        } else {
            0.0
        });
    }
    if base == 0.0 && exponent < 0.0 {
        return Err(Error::zero_division("0.0 cannot be raised to a negative power"));
    }
    if base.is_finite() && base < 0.0 && libm::floor(exponent) != exponent {
        return Err(Error::value_error(
            "negative number cannot be raised to a fractional power",
        ));
    }
    let value = crate::vm::power::power(base, exponent);
    if value.is_infinite() && base.is_finite() {
        return Err(Error::overflow("(34, 'Numerical result out of range')"));
    }
    Ok(value)
}

fn complex_mul(a: Complex, b: Complex) -> Complex {
    Complex {
        re: a.re * b.re - a.im * b.im,
        im: a.re * b.im + a.im * b.re,
    }
}

/// Smith's method; the divisor is not zero.
fn complex_div(a: Complex, b: Complex) -> Complex {
    if b.re.abs() >= b.im.abs() {
        let ratio = b.im / b.re;
        let denominator = b.re + b.im * ratio;
        Complex {
            re: (a.re + a.im * ratio) / denominator,
            im: (a.im - a.re * ratio) / denominator,
        }
    } else {
        let ratio = b.re / b.im;
        let denominator = b.re * ratio + b.im;
        Complex {
            re: (a.re * ratio + a.im) / denominator,
            im: (a.im * ratio - a.re) / denominator,
        }
    }
}

fn complex_arithmetic(op: BinaryOp, left: Complex, right: Complex) -> EvalOutcome<Option<Value>> {
    let zero = right.re == 0.0 && right.im == 0.0;
    let value = match op {
        BinaryOp::Add => Complex {
            re: left.re + right.re,
            im: left.im + right.im,
        },
        BinaryOp::Sub => Complex {
            re: left.re - right.re,
            im: left.im - right.im,
        },
        BinaryOp::Mul => complex_mul(left, right),
        BinaryOp::Div if zero => return Err(Error::zero_division("complex division by zero")),
        BinaryOp::Div => complex_div(left, right),
        BinaryOp::FloorDiv if zero => return Err(Error::zero_division("complex divmod()")),
        BinaryOp::FloorDiv => Complex {
            re: libm::floor(complex_div(left, right).re),
            im: 0.0,
        },
        BinaryOp::Mod if zero => return Err(Error::zero_division("complex remainder")),
        BinaryOp::Mod => {
            let quotient = Complex {
                re: libm::floor(complex_div(left, right).re),
                im: 0.0,
            };
            let product = complex_mul(right, quotient);
            Complex {
                re: left.re - product.re,
                im: left.im - product.im,
            }
        }
        BinaryOp::Pow => complex_pow(left, right)?,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return Ok(None),
    };
    Ok(Some(Value::complex(value.re, value.im)))
}

fn complex_pow(base: Complex, exponent: Complex) -> EvalOutcome<Complex> {
    let overflow = || Error::overflow("complex exponentiation");
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what is not the same afterwards is not taken as whole"
    )]
    let whole = exponent.re as i64;
    let value = if exponent.im == 0.0 && exponent.re == whole as f64 {
        if (-100..=100).contains(&whole) {
            let positive = complex_power_of_int(base, whole.unsigned_abs());
            if whole >= 0 {
                positive
            } else if positive.re == 0.0 && positive.im == 0.0 {
                return Err(zero_to_negative());
            } else {
                complex_div(Complex { re: 1.0, im: 0.0 }, positive)
            }
        } else {
            complex_pow_general(base, exponent)?
        }
    } else {
        complex_pow_general(base, exponent)?
    };
    if value.re.is_infinite() || value.im.is_infinite() {
        Err(overflow())
    } else {
        Ok(value)
    }
}

fn zero_to_negative() -> Error {
    Error::raise(
        ExceptionKind::ZeroDivisionError,
        "0.0 to a negative or complex power",
    )
}

fn complex_power_of_int(base: Complex, exponent: u64) -> Complex {
    let mut result = Complex { re: 1.0, im: 0.0 };
    let mut power = base;
    let mut mask = 1;
    while mask > 0 && exponent >= mask {
        if exponent & mask != 0 {
            result = complex_mul(result, power);
        }
        mask <<= 1;
        power = complex_mul(power, power);
    }
    result
}

fn complex_pow_general(base: Complex, exponent: Complex) -> EvalOutcome<Complex> {
    if exponent.re == 0.0 && exponent.im == 0.0 {
        return Ok(Complex { re: 1.0, im: 0.0 });
    }
    if base.re == 0.0 && base.im == 0.0 {
        if exponent.im != 0.0 || exponent.re < 0.0 {
            return Err(zero_to_negative());
        }
        return Ok(Complex { re: 0.0, im: 0.0 });
    }
    if !(base.re.is_finite() && base.im.is_finite() && exponent.re.is_finite() && exponent.im.is_finite()) {
        // C leaves not-a-number here with its error flag up, which CPython reports so.
        return Err(zero_to_negative());
    }
    let size = libm::hypot(base.re, base.im);
    let mut length = crate::vm::power::power(size, exponent.re);
    let angle = libm::atan2(base.im, base.re);
    let mut phase = angle * exponent.re;
    if exponent.im != 0.0 {
        length /= libm::exp(angle * exponent.im);
        phase += exponent.im * libm::log(size);
    }
    Ok(Complex {
        re: length * libm::cos(phase),
        im: length * libm::sin(phase),
    })
}
