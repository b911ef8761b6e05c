//! Types called as functions.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use crate::base::error::{Error, ExceptionKind};
use crate::value::ValueTable;
use crate::vm::cursor::IterationCursor;
use crate::vm::number::NumberValue;

use crate::value::kind::PythonType;
use crate::value::{Exception, IteratorKind, MemoryView, Sequence, Value, XRange, height_of};
use crate::vm::machine::{Args, EvalOutcome, Vm};
use crate::vm::text::low_bytes;
use crate::vm::text_method::decimal_value;

impl Vm<'_> {
    /// Calls a type.
    pub(crate) fn construct(&mut self, kind: PythonType, args: Args<'_>) -> EvalOutcome {
        match kind {
            PythonType::Bool => {
                let [value] = self.keyed("bool", args, ["x"], 0)?;
                let truth = match value {
                    Some(value) => self.truth(&value)?,
                    None => false,
                };
                Ok(Value::Bool(truth))
            }
            PythonType::Int | PythonType::Long => self.integer(kind, args),
            PythonType::Float => {
                let [value] = self.keyed("float", args, ["x"], 0)?;
                match value {
                    Some(value) => self.float(&value).map(Value::Float),
                    None => Ok(Value::Float(0.0)),
                }
            }
            PythonType::Complex => self.complex(args),
            PythonType::Str => {
                let [value] = self.keyed("str", args, ["object"], 0)?;
                match value {
                    Some(Value::Str(bytes)) => Ok(Value::Str(bytes)),
                    Some(value) => {
                        let bytes = self.str_bytes(&value)?;
                        self.make_str(bytes)
                    }
                    None => Ok(Value::bytes(Vec::new())),
                }
            }
            PythonType::Unicode => self.unicode(args),
            PythonType::List | PythonType::Tuple => {
                let name = kind.name();
                let [source] = self.keyed(name, args, ["sequence"], 0)?;
                match source {
                    Some(Value::Tuple(items)) if kind == PythonType::Tuple => Ok(Value::Tuple(items)),
                    Some(source) => {
                        let items = self.items(&source)?;
                        if kind == PythonType::List {
                            self.make_list(items)
                        } else {
                            self.make_tuple(items)
                        }
                    }
                    None if kind == PythonType::List => self.make_list(Vec::new()),
                    None => self.make_tuple(Vec::new()),
                }
            }
            PythonType::Dict => self.dict(args),
            PythonType::Set | PythonType::FrozenSet => self.set(kind, args),
            PythonType::Slice => {
                no_keywords("slice()", args)?;
                crate::vm::method::check_arity(
                    "slice",
                    crate::value::builtin::Arity::Unpack(1, 3),
                    args.plain.len(),
                )?;
                match args.plain {
                    [stop] => self.make_slice(Value::None, stop.clone(), Value::None),
                    [start, stop] => self.make_slice(start.clone(), stop.clone(), Value::None),
                    [start, stop, step, ..] => self.make_slice(start.clone(), stop.clone(), step.clone()),
                    [] => Ok(Value::None),
                }
            }
            PythonType::XRange => self.xrange(args),
            PythonType::ByteArray => self.bytearray(args),
            PythonType::Buffer => self.buffer(args),
            PythonType::MemoryView => {
                let [Some(value)] = self.keyed("memoryview", args, ["object"], 1)? else {
                    return Ok(Value::None);
                };
                match self.bytes_of(&value) {
                    Some((bytes, writable)) if !matches!(value, Value::Buffer(_)) => {
                        Ok(Value::MemoryView(Arc::new(MemoryView { bytes, writable })))
                    }
                    _ => Err(Error::type_error(
                        "cannot make memory view because object does not have the buffer interface",
                    )),
                }
            }
            PythonType::Type => match (args.plain, args.named) {
                ([value], []) => Ok(Value::Type(match value {
                    Value::Host(object) if self.host.len(*object).is_some() => PythonType::List,
                    value => value.type_of(),
                })),
                ([_, _, _], _) => Err(Error::not_available("type")),
                _ => Err(Error::type_error("type() takes 1 or 3 arguments")),
            },
            PythonType::Object => {
                if !args.plain.is_empty() || !args.named.is_empty() {
                    return Err(Error::type_error("object() takes no parameters"));
                }
                self.objects += 1;
                self.allocate(16)?;
                Ok(Value::Plain(self.objects))
            }
            PythonType::Enumerate => self.enumerate(args),
            PythonType::Reversed => self.reversed(args),
            PythonType::Exception(kind) => {
                if !args.named.is_empty() {
                    return Err(Error::type_error(format!(
                        "{} does not take keyword arguments",
                        kind.type_name()
                    )));
                }
                self.exception(kind, args.plain)
            }
            PythonType::BaseString => Err(Error::type_error("The basestring type cannot be instantiated")),
            other => Err(Error::type_error(format!(
                "cannot create '{}' instances",
                other.name()
            ))),
        }
    }

    fn exception(&mut self, kind: ExceptionKind, args: &[Value]) -> EvalOutcome {
        let wanted = match kind {
            ExceptionKind::UnicodeDecodeError | ExceptionKind::UnicodeEncodeError => 5,
            ExceptionKind::UnicodeTranslateError => 4,
            _ => args.len(),
        };
        if args.len() != wanted {
            return Err(Error::type_error(format!(
                "function takes exactly {wanted} arguments ({} given)",
                args.len()
            )));
        }
        let height = height_of(args);
        if height > self.limits.height {
            return Err(Error::limit("value is nested too deeply"));
        }
        self.allow_items(args.len())?;
        let args = Sequence {
            items: args.to_vec(),
            height,
        };
        Ok(Value::Exception(Arc::new(Exception { kind, args })))
    }

    /// Arguments by position or name, as `PyArg_ParseTupleAndKeywords` reads them.
    pub(crate) fn keyed<const N: usize>(
        &mut self,
        name: &str,
        args: Args<'_>,
        words: [&str; N],
        least: usize,
    ) -> EvalOutcome<[Option<Value>; N]> {
        let given = args.plain.len() + args.named.len();
        if given > N {
            let plural = if N == 1 { "" } else { "s" };

            return Err(Error::type_error(format!(
                "{name}() takes at most {N} argument{plural} ({given} given)"
            )));
        }
        let mut slots = [const { None }; N];
        for (slot, value) in slots.iter_mut().zip(args.plain) {
            *slot = Some(value.clone());
        }
        for (at, word) in words.iter().enumerate().take(least) {
            if slots[at].is_none() && !args.named.iter().any(|(name, _)| **name == **word) {
                return Err(Error::type_error(format!(
                    "Required argument '{word}' (pos {}) not found",
                    at + 1
                )));
            }
        }
        for (word, value) in args.named {
            match words.iter().position(|known| **known == **word) {
                Some(at) if slots[at].is_none() => slots[at] = Some(value.clone()),
                Some(at) => {
                    return Err(Error::type_error(format!(
                        "Argument given by name ('{word}') and position ({})",
                        at + 1
                    )));
                }
                None => {
                    return Err(Error::type_error(format!(
                        "'{word}' is an invalid keyword argument for this function"
                    )));
                }
            }
        }
        Ok(slots)
    }

    // ---- numbers ----

    fn integer(&mut self, kind: PythonType, args: Args<'_>) -> EvalOutcome {
        let name = kind.name();
        let [value, base] = self.keyed(name, args, ["x", "base"], 0)?;
        let Some(value) = value else {
            if base.is_some() {
                return Err(Error::type_error(format!("{name}() missing string argument")));
            }
            return Ok(if kind == PythonType::Int {
                Value::Int(0)
            } else {
                Value::long(BigInt::ZERO)
            });
        };
        if let Some(base) = base {
            let base = self.integer_argument(&base)?;
            crate::vm::builtin::within_c_int(base)?;
            let text = match &value {
                Value::Str(_) | Value::Unicode(_) => self.number_text(&value, name)?,
                Value::ByteArray(bytes) if kind == PythonType::Int => (**bytes).clone(),
                _ => {
                    return Err(Error::type_error(format!(
                        "{name}() can't convert non-string with explicit base"
                    )));
                }
            };
            return self.parse_integer(kind, &value, &text, Some(base));
        }
        match &value {
            Value::Bool(_) | Value::Int(_) | Value::Long(_) => {
                let Some(number) = NumberValue::of(&value) else {
                    return Ok(Value::None);
                };
                Ok(match (kind, number) {
                    (PythonType::Long, NumberValue::Int(small)) => Value::long(BigInt::from(small)),
                    (_, NumberValue::Int(small)) => Value::Int(small),
                    (_, NumberValue::Long(big)) if kind == PythonType::Int => match big.to_i64() {
                        Some(small) => Value::Int(small),
                        None => Value::Long(big),
                    },
                    _ => value.clone(),
                })
            }
            Value::Float(float) => {
                if float.is_infinite() {
                    return Err(Error::overflow("cannot convert float infinity to integer"));
                }
                let Some(big) = BigInt::from_f64(libm::trunc(*float)) else {
                    return Err(Error::value_error("cannot convert float NaN to integer"));
                };
                if kind == PythonType::Long {
                    self.make_long(big)
                } else {
                    self.small_or_long(big)
                }
            }
            Value::Complex(_) => Err(Error::type_error(format!("can't convert complex to {name}"))),
            Value::Str(_) | Value::Unicode(_) => {
                let text = self.number_text(&value, name)?;
                self.parse_integer(kind, &value, &text, None)
            }
            Value::ByteArray(bytes) => self.parse_integer(kind, &value, &bytes.clone(), None),
            other => Err(Error::type_error(format!(
                "{name}() argument must be a string or a number, not '{}'",
                self.type_name(other)
            ))),
        }
    }

    /// The text of a number, with decimal digits of other scripts turned into ours.
    fn number_text(&mut self, value: &Value, _: &str) -> EvalOutcome<Vec<u8>> {
        match value {
            Value::Str(bytes) => Ok((**bytes).clone()),
            Value::Unicode(points) => {
                let plain: Vec<u32> = points
                    .iter()
                    .map(|point| match decimal_value(*point) {
                        Some(digit) => u32::from(b'0') + digit,
                        None if char::from_u32(*point).is_some_and(char::is_whitespace) => u32::from(b' '),
                        None => *point,
                    })
                    .collect();
                // The codec "decimal" lets Latin-1 pass, and the number's reader complains of it.
                match plain.iter().position(|point| *point == 0 || *point > 255) {
                    None => Ok(low_bytes(&plain)),
                    Some(at) => {
                        let reason = "invalid decimal Unicode string";
                        Err(crate::vm::text::encode_error(
                            "decimal",
                            &plain,
                            at,
                            at + 1,
                            reason,
                        ))
                    }
                }
            }
            _ => Ok(Vec::new()),
        }
    }

    fn parse_integer(
        &mut self,
        kind: PythonType,
        value: &Value,
        text: &[u8],
        base: Option<i64>,
    ) -> EvalOutcome {
        let name = kind.name();
        let (explicit, base) = (base.is_some(), base.unwrap_or(10));
        if base != 0 && !(2..=36).contains(&base) {
            return Err(Error::value_error(format!(
                "{name}() base must be >= 2 and <= 36, or 0"
            )));
        }
        if let (Some(at), false) = (text.iter().position(|byte| *byte == 0), explicit) {
            let before = &text[..at];
            return Err(Error::value_error(if self.digits(before, 10, false)?.is_some() {
                format!("null byte in argument for {name}()")
            } else {
                let shown = self.repr(&Value::bytes(before.to_vec()))?;
                format!("invalid literal for {name}() with base 10: {shown}")
            }));
        }
        let long_zero = kind == PythonType::Long && base == 0;
        match self.digits(text, u32::try_from(base).unwrap_or(0), kind == PythonType::Long)? {
            Some(number) if kind == PythonType::Long => self.make_long(number),
            Some(number) => self.small_or_long(number),
            None => {
                let shown = match value {
                    Value::Str(_) | Value::Unicode(_) if kind == PythonType::Int => {
                        // `int` has skipped the blanks when it fails, `long` tells of all.
                        let plain = Value::bytes(text.trim_ascii_start().to_vec());
                        self.repr(&plain)?
                    }
                    Value::Unicode(_) => {
                        let plain = Value::bytes(text.to_vec());
                        self.repr(&plain)?
                    }
                    Value::ByteArray(bytes) => {
                        let plain = Value::Str(bytes.clone());
                        self.repr(&plain)?
                    }
                    value => self.repr(value)?,
                };
                let base = if long_zero { 10 } else { base };
                Err(Error::value_error(format!(
                    "invalid literal for {name}() with base {base}: {shown}"
                )))
            }
        }
    }

    /// Reads an integer with blanks around, a sign and the prefix of its base; `None` if it is none.
    fn digits(&mut self, text: &[u8], base: u32, suffix: bool) -> EvalOutcome<Option<BigInt>> {
        let blank = |byte: &u8| matches!(byte, b' ' | 9..=13);
        let Ok(text) = std::str::from_utf8(text) else {
            return Ok(None);
        };
        let text = text.trim_matches(|c: char| u8::try_from(c).is_ok_and(|byte| blank(&byte)));
        let (negative, body) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let body = body.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(|byte| blank(&byte)));
        let lower = body.to_ascii_lowercase();
        let (base, digits) = match (base, lower.get(..2)) {
            (0 | 16, Some("0x")) => (16, &lower[2..]),
            (0 | 8, Some("0o")) => (8, &lower[2..]),
            (0 | 2, Some("0b")) => (2, &lower[2..]),
            (0, _) if lower.len() > 1 && lower.starts_with('0') => (8, &lower[1..]),
            (0, _) => (10, &*lower),
            (base, _) => (base, &*lower),
        };
        let digits = if suffix && base < 22 {
            digits.strip_suffix('l').unwrap_or(digits)
        } else {
            digits
        };
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
            return Ok(None);
        }
        self.allow_bits(digits.len() as u64)?;
        self.charge((digits.len() * digits.len() / 1024) as u64)?;
        Ok(
            BigInt::parse_bytes(digits.as_bytes(), base)
                .map(|number| if negative { -number } else { number }),
        )
    }

    fn float(&mut self, value: &Value) -> EvalOutcome<f64> {
        match value {
            Value::Complex(_) => Err(Error::type_error("can't convert complex to float")),
            Value::Str(_) | Value::Unicode(_) => {
                let text = self.number_text(value, "float")?;
                self.charge(text.len() as u64 / 16)?;
                match parse_float(&text) {
                    Some(float) => Ok(float),
                    None => Err(self.bad_float(value, &text)?),
                }
            }
            Value::ByteArray(bytes) => match parse_float(bytes) {
                Some(float) => Ok(float),
                None => Err(self.bad_float(value, &bytes.clone())?),
            },
            other => match NumberValue::of(other) {
                Some(number) => number.to_float(),
                None => Err(Error::type_error("float() argument must be a string or a number")),
            },
        }
    }

    fn bad_float(&mut self, _: &Value, text: &[u8]) -> EvalOutcome<Error> {
        let text: Vec<u8> = text.trim_ascii().to_vec();
        if text.is_empty() {
            return Ok(Error::value_error("could not convert string to float: "));
        }
        let numeric = (1..=text.len()).any(|end| parse_float(&text[..end]).is_some());
        let words = if numeric {
            "invalid literal for float()"
        } else {
            "could not convert string to float"
        };
        Ok(Error::value_error(format!(
            "{words}: {}",
            String::from_utf8_lossy(&text)
        )))
    }

    fn complex(&mut self, args: Args<'_>) -> EvalOutcome {
        let [re, im] = self.keyed("complex", args, ["real", "imag"], 0)?;
        if let Some(text @ (Value::Str(_) | Value::Unicode(_))) = &re {
            if im.is_some() {
                return Err(Error::type_error(
                    "complex() can't take second arg if first is a string",
                ));
            }
            let text = match text {
                Value::Unicode(_) => self.number_text(text, "complex")?,
                Value::Str(bytes) => (**bytes).clone(),
                _ => Vec::new(),
            };
            return match parse_complex(&text) {
                Some((re, im)) => Ok(Value::complex(re, im)),
                None => Err(Error::value_error("complex() arg is a malformed string")),
            };
        }
        if let Some(Value::Str(_) | Value::Unicode(_)) = &im {
            return Err(Error::type_error("complex() second arg can't be a string"));
        }
        let part = |value: Option<Value>| match value {
            None => Ok(NumberValue::Int(0)),
            Some(value) => NumberValue::of(&value)
                .ok_or_else(|| Error::type_error("complex() argument must be a string or a number")),
        };
        let given_im = im.is_some();
        if let (Some(value @ Value::Complex(_)), false) = (&re, given_im) {
            return Ok(value.clone());
        }
        let (re, im) = (part(re)?, part(im)?);
        // complex(a + bj, c + dj) = a + bj + (c + dj)j
        let (mut real, mut imaginary) = match re {
            NumberValue::Complex(value) => (value.re, value.im),
            number => (number.to_float()?, 0.0),
        };
        match im {
            NumberValue::Complex(value) => {
                real -= value.im;
                imaginary += value.re;
            }
            number if given_im => {
                let im = number.to_float()?;
                imaginary = if matches!(re_kind(imaginary), Zero::Yes) {
                    im
                } else {
                    imaginary + im
                };
            }
            _ => {}
        }
        Ok(Value::complex(real, imaginary))
    }

    // ---- texts ----

    fn unicode(&mut self, args: Args<'_>) -> EvalOutcome {
        let [value, encoding, errors] = self.keyed("unicode", args, ["string", "encoding", "errors"], 0)?;
        let Some(value) = value else {
            return Ok(Value::unicode(Vec::new()));
        };
        if encoding.is_some() || errors.is_some() {
            for (at, word) in [(2, &encoding), (3, &errors)] {
                if let Some(other) = word
                    && !matches!(other, Value::Str(_) | Value::Unicode(_))
                {
                    return Err(Error::type_error(format!(
                        "unicode() argument {at} must be string, not {}",
                        self.argument_name(other)
                    )));
                }
            }
            let Some((bytes, _)) = self.bytes_of(&value) else {
                let words = match &value {
                    Value::Unicode(_) => "decoding Unicode is not supported".to_owned(),
                    other => format!(
                        "coercing to Unicode: need string or buffer, {} found",
                        self.type_name(other)
                    ),
                };
                return Err(Error::type_error(words));
            };
            return self.decode(&bytes, encoding.as_ref(), errors.as_ref());
        }
        match &value {
            Value::Unicode(_) => Ok(value),
            Value::Str(_) | Value::Buffer(_) => {
                let points = self.points_of_text(&value)?;
                Ok(Value::Unicode(points))
            }
            Value::Exception(exception) if exception.args.items.len() == 1 => {
                let only = exception.args.items[0].clone();
                self.unicode(Args::plain(&[only]))
            }
            other => {
                let bytes = self.str_bytes(other)?;
                let points = self.points_of_text(&Value::bytes(bytes))?;
                Ok(Value::Unicode(points))
            }
        }
    }

    fn bytearray(&mut self, args: Args<'_>) -> EvalOutcome {
        let [source, encoding, errors] =
            self.keyed("bytearray", args, ["source", "encoding", "errors"], 0)?;
        self.codec_word(encoding.as_ref(), "", "bytearray() argument 2")?;
        self.codec_word(errors.as_ref(), "", "bytearray() argument 3")?;
        let bytes = match (&source, &encoding) {
            (None, None) if errors.is_none() => Vec::new(),
            (None, _) => return Err(Error::type_error("encoding or errors without sequence argument")),
            (Some(text @ Value::Str(_)), Some(_)) => {
                match self.encode(text, encoding.as_ref(), errors.as_ref())? {
                    Value::Str(bytes) => (*bytes).clone(),
                    _ => return Ok(Value::None),
                }
            }
            (Some(text @ Value::Unicode(_)), encoding) => {
                if encoding.is_none() {
                    return Err(Error::type_error("unicode argument without an encoding"));
                }
                let encoded = self.encode(text, encoding.as_ref(), errors.as_ref())?;
                let Value::Str(bytes) = encoded else {
                    return Ok(Value::None);
                };
                (*bytes).clone()
            }
            (Some(_), Some(_)) => {
                return Err(Error::type_error("encoding or errors without a string argument"));
            }
            (Some(count), None) if count.type_of().is_integer() => {
                let count = self.index_sized(count)?;
                let Ok(count) = usize::try_from(count) else {
                    return Err(Error::value_error("negative count"));
                };
                self.allow_text(count)?;
                vec![0; count]
            }
            (Some(source), None) => match self.bytes_of(source) {
                Some((bytes, _)) => (*bytes).clone(),
                None => {
                    let mut bytes = Vec::new();
                    for item in self.items(source)? {
                        bytes.push(self.byte(&item)?);
                    }
                    bytes
                }
            },
        };
        self.allow_text(bytes.len())?;
        Ok(Value::ByteArray(Arc::new(bytes)))
    }

    fn byte(&mut self, value: &Value) -> EvalOutcome<u8> {
        match value {
            Value::Str(bytes) => match ***bytes {
                [byte] => Ok(byte),
                _ => Err(Error::value_error("string must be of size 1")),
            },
            value if value.type_of().is_integer() => u8::try_from(self.index_sized(value).unwrap_or(-1))
                .map_err(|_| Error::value_error("byte must be in range(0, 256)")),
            _ => Err(Error::type_error("an integer or string of size 1 is required")),
        }
    }

    fn buffer(&mut self, args: Args<'_>) -> EvalOutcome {
        no_keywords("buffer()", args)?;
        crate::vm::method::check_arity(
            "buffer",
            crate::value::builtin::Arity::Parse(1, 3),
            args.plain.len(),
        )?;
        let offset = match args.plain.get(1) {
            Some(offset) => self.integer_argument(offset)?,
            None => 0,
        };
        let size = match args.plain.get(2) {
            Some(size) => self.integer_argument(size)?,
            None => -1,
        };
        let Some((bytes, _)) = self.bytes_of(&args.plain[0]) else {
            return Err(Error::type_error("buffer object expected"));
        };
        let Ok(offset) = usize::try_from(offset) else {
            return Err(Error::value_error("offset must be zero or positive"));
        };
        if size < -1 {
            return Err(Error::value_error("size must be zero or positive"));
        }
        let rest = bytes.get(offset..).unwrap_or_default();
        let part = usize::try_from(size)
            .ok()
            .and_then(|size| rest.get(..size))
            .unwrap_or(rest);
        self.allow_text(part.len())?;
        Ok(Value::Buffer(Arc::new(part.to_vec())))
    }

    // ---- containers ----

    fn dict(&mut self, args: Args<'_>) -> EvalOutcome {
        if args.plain.len() > 1 {
            return Err(Error::type_error(format!(
                "dict expected at most 1 arguments, got {}",
                args.plain.len()
            )));
        }
        let mut table = ValueTable::default();
        match args.plain.first() {
            None => {}
            Some(Value::Dict(dict)) => table = self.merged_dict(&dict.table)?,
            Some(source) => {
                let mut cursor = self.cursor(source)?;
                let mut at = 0;
                while let Some(item) = self.next(&mut cursor)? {
                    let pair = match self.items(&item) {
                        Err(error) if error.is_a(ExceptionKind::TypeError) => {
                            return Err(Error::type_error(format!(
                                "cannot convert dictionary update sequence element #{at} to a sequence"
                            )));
                        }
                        pair => pair?,
                    };
                    let [key, value] = &*pair else {
                        return Err(Error::value_error(format!(
                            "dictionary update sequence element #{at} has length {}; 2 is required",
                            pair.len()
                        )));
                    };
                    self.dict_insert(&mut table, key.clone(), value.clone())?;
                    at += 1;
                }
            }
        }
        if !args.named.is_empty() {
            // CPython gathers the keywords in a dict of their own, the last one first, and merges that.
            let mut named = ValueTable::default();
            for (name, value) in args.named.iter().rev() {
                self.dict_insert(&mut named, Value::str(name), value.clone())?;
            }
            table.reserve_for_merge(named.len());
            for entry in named.iter() {
                self.dict_insert(&mut table, entry.key.clone(), entry.value.clone())?;
            }
        }
        self.make_dict(table)
    }

    fn set(&mut self, kind: PythonType, args: Args<'_>) -> EvalOutcome {
        let name = kind.name();
        no_keywords(&format!("{name}()"), args)?;
        crate::vm::method::check_arity(name, crate::value::builtin::Arity::Unpack(0, 1), args.plain.len())?;
        if let (PythonType::FrozenSet, [Value::FrozenSet(set)]) = (kind, args.plain) {
            return Ok(Value::FrozenSet(set.clone()));
        }
        let mut table = ValueTable::default();
        if let Some(source) = args.plain.first() {
            self.set_update(&mut table, source)?;
        }
        self.make_set(table, kind == PythonType::FrozenSet)
    }

    fn xrange(&mut self, args: Args<'_>) -> EvalOutcome {
        no_keywords("xrange()", args)?;
        if args.plain.len() > 3 {
            return Err(Error::type_error("xrange() requires 1-3 int arguments"));
        }
        let mut parts = Vec::new();
        for arg in args.plain {
            parts.push(match arg {
                Value::Long(big) => match big.to_i64() {
                    Some(small) => small,
                    None => return Err(Error::overflow("Python int too large to convert to C long")),
                },
                arg => self.integer_argument(arg)?,
            });
        }
        let (start, stop, step) = match *parts {
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            [start, stop, step] => (start, stop, step),
            _ => return Err(Error::type_error("xrange() requires 1-3 int arguments")),
        };
        if step == 0 {
            return Err(Error::value_error("xrange() arg 3 must not be zero"));
        }
        let (low, high) = if step > 0 { (start, stop) } else { (stop, start) };
        let len = if low < high {
            (i128::from(high) - i128::from(low) - 1) / i128::from(step.unsigned_abs()) + 1
        } else {
            0
        };
        let Ok(len) = i64::try_from(len) else {
            return Err(Error::overflow("xrange() result has too many items"));
        };
        Ok(Value::XRange(Arc::new(XRange { start, step, len })))
    }

    fn enumerate(&mut self, args: Args<'_>) -> EvalOutcome {
        let [source, start] = self.keyed("enumerate", args, ["sequence", "start"], 1)?;
        let source = source.unwrap_or(Value::None);
        let start = match start {
            None => Value::Int(0),
            Some(start @ (Value::Int(_) | Value::Long(_))) => start,
            Some(Value::Bool(start)) => Value::Int(i64::from(start)),
            Some(other) => {
                return Err(Error::type_error(format!(
                    "'{}' object cannot be interpreted as an index",
                    self.type_name(&other)
                )));
            }
        };
        let cursor = self.cursor(&source)?;
        self.make_iterator(
            IteratorKind::Enumerate,
            IterationCursor::Enumerate(Box::new(cursor), start),
        )
    }

    fn reversed(&mut self, args: Args<'_>) -> EvalOutcome {
        no_keywords("reversed()", args)?;
        let [source] = args.plain else {
            let given = args.plain.len();
            return Err(Error::type_error(format!(
                "reversed expected 1 arguments, got {given}"
            )));
        };
        let source = &self.materialise(source)?;
        match source {
            Value::List(items) => self.make_iterator(
                IteratorKind::ListReversed,
                IterationCursor::Reversed(items.clone(), items.items.len()),
            ),
            Value::Tuple(_)
            | Value::Str(_)
            | Value::Unicode(_)
            | Value::XRange(_)
            | Value::ByteArray(_)
            | Value::Buffer(_)
            | Value::MemoryView(_) => {
                if let Value::XRange(range) = source {
                    let last = range.item(range.len.wrapping_sub(1));
                    let back = XRange {
                        start: last,
                        step: range.step.wrapping_neg(),
                        len: range.len,
                    };
                    return self.make_iterator(IteratorKind::Range, IterationCursor::Range(back, 0));
                }
                let items = self.items(source)?;
                let len = items.len();
                let items = Arc::new(Sequence {
                    height: height_of(&items),
                    items,
                });
                self.make_iterator(IteratorKind::Reversed, IterationCursor::Reversed(items, len))
            }
            _ => Err(Error::type_error("argument to reversed() must be a sequence")),
        }
    }
}

/// Whether the imaginary part still is the plain zero it began as.
enum Zero {
    Yes,
    No,
}

fn re_kind(value: f64) -> Zero {
    if value == 0.0 { Zero::Yes } else { Zero::No }
}

fn no_keywords(name: &str, args: Args<'_>) -> EvalOutcome<()> {
    if args.named.is_empty() {
        return Ok(());
    }
    Err(Error::type_error(format!(
        "{name} does not take keyword arguments"
    )))
}

/// Reads a float with blanks around.
pub(crate) fn parse_float(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text)
        .ok()?
        .trim_matches(|c| matches!(c, ' ' | '\t'..='\r'));
    let body = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    match body.as_str() {
        "inf" | "infinity" | "nan" => {}
        // Rust reads a few words that Python does not, so look before.
        other
            if other
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-')) => {}
        _ => return None,
    }
    text.parse::<f64>()
        .ok()
        .map(|value| if value.is_nan() { f64::NAN } else { value })
}

/// Reads a complex number: `1+2j`, `(1+2j)`, `j`, `-2.5`.
fn parse_complex(text: &[u8]) -> Option<(f64, f64)> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = match text.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?.trim(),
        None => text,
    };
    if !text.is_ascii() || text.is_empty() {
        return None;
    }
    let Some(body) = text.strip_suffix(['j', 'J']) else {
        return Some((parse_bare(text)?, 0.0));
    };
    // The sign that splits real and imaginary part is not the first one and not one of an exponent.
    let bytes = body.as_bytes();
    let split = (1..bytes.len())
        .rev()
        .find(|at| matches!(bytes[*at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E'))
        .unwrap_or(0);
    let (re, im) = body.split_at(split);
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        im => parse_bare(im)?,
    };
    Some((if re.is_empty() { 0.0 } else { parse_bare(re)? }, im))
}

fn parse_bare(text: &str) -> Option<f64> {
    if text.contains(char::is_whitespace) {
        None
    } else {
        parse_float(text.as_bytes())
    }
}
