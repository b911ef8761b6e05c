//! Methods of `str`, `unicode` and `bytearray`, written once over bytes and code points.

use std::sync::Arc;

use crate::base::error::{Error, ExceptionKind};
use crate::value::Value;
use crate::value::word::length;
use crate::vm::compare::find_in;
use crate::vm::machine::{Args, EvalOutcome, Vm};
use crate::vm::text::{ascii_points, low_bytes};

/// A byte of a `str` or a code point of a `unicode`.
pub(crate) trait Unit: Copy + PartialEq + 'static {
    fn of_ascii(byte: u8) -> Self;
    fn ascii(self) -> Option<u8>;
    fn is_alpha(self) -> bool;
    fn is_digit(self) -> bool;
    fn is_decimal(self) -> bool;
    fn is_numeric(self) -> bool;
    fn is_alnum(self) -> bool;
    fn is_lower(self) -> bool;
    fn is_upper(self) -> bool;
    fn is_title(self) -> bool;
    fn is_space(self) -> bool;
    fn is_line_break(self) -> bool;
    fn lower(self) -> Self;
    fn upper(self) -> Self;
    fn title(self) -> Self;
}

impl Unit for u8 {
    fn of_ascii(byte: u8) -> u8 {
        byte
    }
    fn ascii(self) -> Option<u8> {
        Some(self)
    }
    fn is_alpha(self) -> bool {
        self.is_ascii_alphabetic()
    }
    fn is_digit(self) -> bool {
        self.is_ascii_digit()
    }
    fn is_decimal(self) -> bool {
        self.is_ascii_digit()
    }
    fn is_numeric(self) -> bool {
        self.is_ascii_digit()
    }
    fn is_alnum(self) -> bool {
        self.is_ascii_alphanumeric()
    }
    fn is_lower(self) -> bool {
        self.is_ascii_lowercase()
    }
    fn is_upper(self) -> bool {
        self.is_ascii_uppercase()
    }
    fn is_title(self) -> bool {
        false
    }
    fn is_space(self) -> bool {
        matches!(self, b' ' | 9..=13)
    }
    fn is_line_break(self) -> bool {
        matches!(self, b'\n' | b'\r')
    }
    fn lower(self) -> u8 {
        self.to_ascii_lowercase()
    }
    fn upper(self) -> u8 {
        self.to_ascii_uppercase()
    }
    fn title(self) -> u8 {
        self.to_ascii_uppercase()
    }
}

/// The one character a case mapping gives, or the character itself where it gives several:
/// Python 2 knows simple mappings only.
fn simple(c: char, mut mapped: impl Iterator<Item = char>) -> u32 {
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => u32::from(one),
        _ => u32::from(c),
    }
}

impl Unit for u32 {
    fn of_ascii(byte: u8) -> u32 {
        u32::from(byte)
    }
    fn ascii(self) -> Option<u8> {
        u8::try_from(self).ok().filter(u8::is_ascii)
    }
    fn is_alpha(self) -> bool {
        // `char::is_alphabetic` also takes letter-like numbers and marks.
        char::from_u32(self).is_some_and(|c| c.is_alphabetic() && !c.is_numeric() && !is_mark(self))
    }
    fn is_decimal(self) -> bool {
        decimal_value(self).is_some()
    }
    fn is_numeric(self) -> bool {
        self.is_digit() || char::from_u32(self).is_some_and(char::is_numeric) || ideographic_number(self)
    }
    fn is_digit(self) -> bool {
        decimal_value(self).is_some() || digit_only(self)
    }
    fn is_alnum(self) -> bool {
        self.is_alpha() || char::from_u32(self).is_some_and(char::is_numeric)
    }
    fn is_lower(self) -> bool {
        char::from_u32(self).is_some_and(char::is_lowercase)
            && !matches!(self, 0x2170..=0x217f | 0x24d0..=0x24e9 | 0x345 | 0x37a)
    }
    fn is_upper(self) -> bool {
        char::from_u32(self).is_some_and(char::is_uppercase)
            && !self.is_title()
            && !matches!(self, 0x2160..=0x216f | 0x24b6..=0x24cf)
    }
    fn is_title(self) -> bool {
        matches!(
            self,
            0x1c5 | 0x1c8 | 0x1cb | 0x1f2 | 0x1f88..=0x1f8f | 0x1f98..=0x1f9f | 0x1fa8..=0x1faf
                | 0x1fbc | 0x1fcc | 0x1ffc
        )
    }
    fn is_space(self) -> bool {
        matches!(self, 0x1c..=0x1f | 0x180e) || char::from_u32(self).is_some_and(char::is_whitespace)
    }
    fn is_line_break(self) -> bool {
        matches!(self, 0x0a..=0x0d | 0x1c..=0x1e | 0x85 | 0x2028 | 0x2029)
    }
    fn lower(self) -> u32 {
        match self {
            0x130 => 0x69,
            _ => char::from_u32(self).map_or(self, |c| simple(c, c.to_lowercase())),
        }
    }
    fn upper(self) -> u32 {
        char::from_u32(self).map_or(self, |c| simple(c, c.to_uppercase()))
    }
    fn title(self) -> u32 {
        match self {
            0x1c4..=0x1c6 => 0x1c5,
            0x1c7..=0x1c9 => 0x1c8,
            0x1ca..=0x1cc => 0x1cb,
            0x1f1..=0x1f3 => 0x1f2,
            _ => self.upper(),
        }
    }
}

fn is_mark(point: u32) -> bool {
    matches!(point, 0x345 | 0x5b0..=0x5c7 | 0x610..=0x61a | 0x64b..=0x657 | 0x24b6..=0x24e9)
}

/// The digit that a decimal character stands for. Decimal digits come in runs of ten.
pub(crate) fn decimal_value(point: u32) -> Option<u32> {
    const ZEROS: [u32; 37] = [
        0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50,
        0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
        0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x1d7ce,
    ];
    if (0x1d7ce..=0x1d7ff).contains(&point) {
        return Some((point - 0x1d7ce) % 10);
    }
    ZEROS
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&point))
        .map(|zero| point - zero)
}

/// Ideographs that are numbers.
fn ideographic_number(point: u32) -> bool {
    const NUMBERS: &str = "〇一二三四五六七八九十百千万亿兆零壹贰叁肆伍陆柒捌玖拾佰仟萬億壱弐参弌弍弎";
    char::from_u32(point).is_some_and(|c| NUMBERS.contains(c))
}

/// Digits that are not decimal: superscripts, circled digits.
fn digit_only(point: u32) -> bool {
    matches!(
        point,
        0xb2 | 0xb3 | 0xb9 | 0x1369..=0x1371 | 0x19da | 0x2070 | 0x2074..=0x2079 | 0x2080..=0x2089
            | 0x2460..=0x2468 | 0x2474..=0x247c | 0x2488..=0x2490 | 0x24ea | 0x24f5..=0x24fd | 0x24ff
            | 0x2776..=0x277e | 0x2780..=0x2788 | 0x278a..=0x2792
    )
}

/// Which of the three text types a result gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextValueKind {
    Str,
    Unicode,
    ByteArray,
}

/// What a text type does with the others.
trait TextType: Unit {
    /// An argument as text of this type.
    fn argument(vm: &mut Vm<'_>, kind: TextValueKind, value: &Value) -> EvalOutcome<Arc<Vec<Self>>>;
    fn make(vm: &mut Vm<'_>, text: Vec<Self>, kind: TextValueKind) -> EvalOutcome;
}

impl TextType for u8 {
    fn argument(vm: &mut Vm<'_>, kind: TextValueKind, value: &Value) -> EvalOutcome<Arc<Vec<u8>>> {
        match vm.bytes_of(value) {
            Some(_) if kind != TextValueKind::ByteArray && matches!(value, Value::MemoryView(_)) => {
                Err(no_buffer(vm, kind, value))
            }
            Some((bytes, _)) => Ok(bytes),
            None => Err(no_buffer(vm, kind, value)),
        }
    }
    fn make(vm: &mut Vm<'_>, text: Vec<u8>, kind: TextValueKind) -> EvalOutcome {
        match kind {
            TextValueKind::ByteArray => {
                vm.allow_text(text.len())?;
                Ok(Value::ByteArray(Arc::new(text)))
            }
            TextValueKind::Str | TextValueKind::Unicode => vm.make_str(text),
        }
    }
}

impl TextType for u32 {
    fn argument(vm: &mut Vm<'_>, _: TextValueKind, value: &Value) -> EvalOutcome<Arc<Vec<u32>>> {
        match value {
            Value::ByteArray(_) => Err(Error::type_error("decoding bytearray is not supported")),
            Value::Str(_) | Value::Unicode(_) | Value::Buffer(_) => vm.points_of_text(value),
            _ => vm.points_of_text(value),
        }
    }
    fn make(vm: &mut Vm<'_>, text: Vec<u32>, _: TextValueKind) -> EvalOutcome {
        vm.make_unicode(text)
    }
}

/// CPython's words for an argument that is no text.
fn no_buffer(vm: &Vm<'_>, kind: TextValueKind, value: &Value) -> Error {
    Error::type_error(match kind {
        TextValueKind::ByteArray => format!("Type {} doesn't support the buffer API", vm.type_name(value)),
        TextValueKind::Str | TextValueKind::Unicode => {
            "expected a string or other character buffer object".to_owned()
        }
    })
}

impl Vm<'_> {
    pub(crate) fn text_method(&mut self, object: &Value, name: &str, args: Args<'_>) -> EvalOutcome {
        match name {
            "format" => return self.format_method(object, args),
            "encode" | "decode" => return self.codec_method(object, name == "encode", args),
            "translate" => return self.translate(object, args.plain),
            "join" => return self.join(object, &args.plain[0]),
            _ => {}
        }
        let plain = args.plain;
        let texts = match name {
            "center" | "ljust" | "rjust" | "startswith" | "endswith" => 0,
            "replace" => 2,
            _ => 1,
        };
        let promotes = plain
            .iter()
            .take(texts)
            .any(|arg| matches!(arg, Value::Unicode(_)));
        match object {
            Value::Str(bytes) if promotes => {
                self.numbers_first(name, plain)?;
                let before = plain.iter().take_while(|arg| !matches!(arg, Value::Unicode(_)));
                if let Some(other) = before.take(texts).find(|arg| self.is_no_text(arg)) {
                    return Err(no_buffer(self, TextValueKind::Str, other));
                }
                let points = ascii_points(bytes)?;
                self.method_of(&points, TextValueKind::Unicode, name, plain)
            }
            Value::Str(bytes) => {
                let result = self.method_of(bytes, TextValueKind::Str, name, plain)?;
                // CPython gives the very object back where nothing changed.
                Ok(match &result {
                    Value::Str(same) if same == bytes => object.clone(),
                    _ => result,
                })
            }
            Value::ByteArray(bytes) => self.method_of(bytes, TextValueKind::ByteArray, name, plain),
            Value::Unicode(points) => self.method_of(points, TextValueKind::Unicode, name, plain),
            other => Err(Error::attribute(self.type_name(other), name)),
        }
    }

    /// Arguments that must be numbers or bounds are looked at before texts are.
    fn numbers_first(&self, name: &str, args: &[Value]) -> EvalOutcome<()> {
        match name {
            "find" | "rfind" | "index" | "rindex" | "count" => {
                self.window::<u8>(&[], args.get(1..).unwrap_or_default())?;
            }
            "split" | "rsplit" => {
                args.get(1).map(|most| self.integer_argument(most)).transpose()?;
            }
            "replace" => {
                args.get(2).map(|most| self.integer_argument(most)).transpose()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn is_no_text(&self, value: &Value) -> bool {
        !matches!(value, Value::None | Value::Unicode(_) | Value::ByteArray(_))
            && self.bytes_of(value).is_none()
    }

    fn method_of<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        self.charge(text.len() as u64 / 16)?;
        let all = |test: fn(T) -> bool| Value::Bool(!text.is_empty() && text.iter().all(|unit| test(*unit)));
        match name {
            "isalnum" => Ok(all(T::is_alnum)),
            "isalpha" => Ok(all(T::is_alpha)),
            "isdigit" => Ok(all(T::is_digit)),
            "isspace" => Ok(all(T::is_space)),
            "isdecimal" => Ok(all(T::is_decimal)),
            "isnumeric" => Ok(all(T::is_numeric)),
            "islower" => Ok(Value::Bool(
                text.iter().any(|unit| unit.is_lower())
                    && !text.iter().any(|unit| unit.is_upper() || unit.is_title()),
            )),
            "isupper" => Ok(Value::Bool(
                text.iter().any(|unit| unit.is_upper())
                    && !text.iter().any(|unit| unit.is_lower() || unit.is_title()),
            )),
            "istitle" => Ok(Value::Bool(is_title(text))),
            "lower" => T::make(self, text.iter().map(|unit| unit.lower()).collect(), kind),
            "upper" => T::make(self, text.iter().map(|unit| unit.upper()).collect(), kind),
            "swapcase" => T::make(self, text.iter().map(|unit| swap_case(*unit)).collect(), kind),
            "capitalize" => {
                let capital = |(at, unit): (usize, &T)| if at == 0 { unit.upper() } else { unit.lower() };
                T::make(self, text.iter().enumerate().map(capital).collect(), kind)
            }
            "title" => T::make(self, title(text), kind),
            "center" | "ljust" | "rjust" => self.pad(text, kind, name, args),
            "zfill" => self.zfill(text, kind, &args[0]),
            "expandtabs" => self.expand_tabs(text, kind, args),
            "strip" | "lstrip" | "rstrip" => self.strip(text, kind, name, args),
            "find" | "rfind" | "index" | "rindex" | "count" => self.search(text, kind, name, args),
            "startswith" | "endswith" => self.affix(text, kind, name, args),
            "partition" | "rpartition" => self.partition(text, kind, name, &args[0]),
            "split" | "rsplit" => self.split(text, kind, name, args),
            "splitlines" => self.split_lines(text, kind, args),
            _ => self.replace(text, kind, args),
        }
    }

    /// An argument that must be an int.
    pub(crate) fn integer_argument(&self, value: &Value) -> EvalOutcome<i64> {
        match value {
            Value::Bool(_) | Value::Int(_) => self.index_sized(value),
            Value::Long(_) => self
                .index_sized(value)
                .map_err(|_| Error::overflow("Python int too large to convert to C long")),
            Value::Float(_) => Err(Error::type_error("integer argument expected, got float")),
            Value::Complex(_) => Err(Error::type_error("can't convert complex to int")),
            _ => Err(Error::type_error("an integer is required")),
        }
    }

    fn width(&self, value: &Value) -> EvalOutcome<usize> {
        Ok(usize::try_from(self.integer_argument(value)?).unwrap_or(0))
    }

    fn pad<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        let width = self.width(&args[0])?;
        let fill = match args.get(1) {
            None => T::of_ascii(b' '),
            Some(fill) => {
                let words = |vm: &Self| match kind {
                    TextValueKind::Unicode => {
                        Error::type_error("The fill character cannot be converted to Unicode")
                    }
                    TextValueKind::Str | TextValueKind::ByteArray => Error::type_error(format!(
                        "{name}() argument 2 must be char, not {}",
                        vm.type_name(fill)
                    )),
                };
                if !matches!(fill, Value::Str(_) | Value::Unicode(_))
                    || kind != TextValueKind::Unicode && !matches!(fill, Value::Str(_))
                {
                    return Err(words(self));
                }
                let given = T::argument(self, kind, fill)?;
                match **given {
                    [fill] => fill,
                    _ if kind == TextValueKind::Unicode => {
                        return Err(Error::type_error(
                            "The fill character must be exactly one character long",
                        ));
                    }
                    _ => return Err(words(self)),
                }
            }
        };
        let missing = width.saturating_sub(text.len());
        self.allow_text(text.len() + missing)?;
        let left = match name {
            "ljust" => 0,
            "rjust" => missing,
            // CPython puts the odd blank left when the width is odd.
            _ => missing / 2 + (missing & width & 1),
        };
        let mut out = vec![fill; left];
        out.extend_from_slice(text);
        out.resize(text.len() + missing, fill);
        T::make(self, out, kind)
    }

    fn zfill<T: TextType>(&mut self, text: &[T], kind: TextValueKind, width: &Value) -> EvalOutcome {
        let width = self.width(width)?;
        let missing = width.saturating_sub(text.len());
        self.allow_text(text.len() + missing)?;
        let sign = text
            .first()
            .is_some_and(|unit| matches!(unit.ascii(), Some(b'+' | b'-')));
        let (sign, digits) = text.split_at(usize::from(sign && missing > 0));
        let mut out = sign.to_vec();
        out.extend(std::iter::repeat_n(T::of_ascii(b'0'), missing));
        out.extend_from_slice(digits);
        T::make(self, out, kind)
    }

    fn expand_tabs<T: TextType>(&mut self, text: &[T], kind: TextValueKind, args: &[Value]) -> EvalOutcome {
        let size = match args.first() {
            Some(size) => self.integer_argument(size)?,
            None => 8,
        };
        let size = usize::try_from(size).unwrap_or(0);
        let (mut out, mut column) = (Vec::new(), 0_usize);
        for &unit in text {
            match unit.ascii() {
                Some(b'\t') => {
                    if let Some(within) = column.checked_rem(size) {
                        let blanks = size - within;
                        self.allow_text(out.len().saturating_add(blanks))?;
                        out.extend(std::iter::repeat_n(T::of_ascii(b' '), blanks));
                        column += blanks;
                    }
                }
                Some(b'\n' | b'\r') => {
                    out.push(unit);
                    column = 0;
                }
                _ => {
                    out.push(unit);
                    column += 1;
                }
            }
        }
        T::make(self, out, kind)
    }

    fn strip<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        let set = match args.first() {
            None | Some(Value::None) => None,
            Some(set)
                if matches!(set, Value::Str(_) | Value::Unicode(_)) || kind == TextValueKind::ByteArray =>
            {
                Some(T::argument(self, kind, set)?)
            }
            Some(_) => {
                let types = if kind == TextValueKind::Unicode {
                    "unicode or str"
                } else {
                    "str or unicode"
                };
                return Err(Error::type_error(format!("{name} arg must be None, {types}")));
            }
        };
        if let Some(set) = &set {
            self.charge(set.len() as u64 * text.len() as u64 / 64)?;
        }
        let goes = |unit: &T| match &set {
            None => unit.is_space(),
            Some(set) => set.contains(unit),
        };
        let start = if name == "rstrip" {
            0
        } else {
            text.iter().take_while(|unit| goes(unit)).count()
        };
        let rest = &text[start..];
        let end = if name == "lstrip" {
            0
        } else {
            rest.iter().rev().take_while(|unit| goes(unit)).count()
        };
        T::make(self, rest[..rest.len() - end].to_vec(), kind)
    }

    /// The part of a text between the optional arguments, and where it begins; `None` if it begins
    /// beyond the end.
    fn window<'t, T>(&self, text: &'t [T], args: &[Value]) -> EvalOutcome<Option<(usize, &'t [T])>> {
        let len = length(text.len());
        let bound = |value: Option<&Value>, default: i64| match value {
            None | Some(Value::None) => Ok(default),
            Some(value) if value.type_of().is_integer() => Ok(self.index_sized(value).unwrap_or(i64::MAX)),
            Some(_) => Err(Error::type_error(
                "slice indices must be integers or None or have an __index__ method",
            )),
        };
        let (start, stop) = (bound(args.first(), 0)?, bound(args.get(1), len)?);
        let start = if start < 0 { (start + len).max(0) } else { start };
        let stop = if stop < 0 {
            (stop + len).max(0)
        } else {
            stop.min(len)
        };
        if start > stop {
            return Ok(None);
        }
        let [start, stop] = [start, stop].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        Ok(text.get(start..stop).map(|part| (start, part)))
    }

    fn search<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        let window = self.window(text, &args[1..])?;
        let needle = T::argument(self, kind, &args[0])?;
        self.charge((text.len() + needle.len()) as u64 / 8)?;
        if name == "count" {
            let Some((_, part)) = window else {
                return Ok(Value::Int(0));
            };
            let count = if needle.is_empty() {
                part.len() + 1
            } else {
                occurrences(part, &needle, usize::MAX).len()
            };
            return Ok(Value::Int(count as i64));
        }
        let found = window.and_then(|(start, part)| {
            let at = if name.starts_with('r') {
                find_last(part, &needle)
            } else {
                find_in(part, &needle)
            };
            at.map(|at| start + at)
        });
        match found {
            Some(at) => Ok(Value::Int(at as i64)),
            None if name.ends_with("index") => Err(Error::value_error(match kind {
                TextValueKind::ByteArray => "subsection not found",
                TextValueKind::Str | TextValueKind::Unicode => "substring not found",
            })),
            None => Ok(Value::Int(-1)),
        }
    }

    fn affix<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        let window = self.window(text, &args[1..])?;
        let one = |vm: &mut Self, affix: &Value| -> EvalOutcome<bool> {
            if kind == TextValueKind::Str && matches!(affix, Value::Unicode(_)) {
                // Each affix decides by itself whether the text becomes unicode.
                vm.charge(text.len() as u64 / 16)?;
                let points = Value::unicode(
                    text.iter()
                        .filter_map(|unit| unit.ascii().map(u32::from))
                        .collect(),
                );
                let Value::Unicode(points) = points else {
                    return Ok(false);
                };
                if points.iter().any(|point| *point > 127) {
                    ascii_points(&low_bytes(&points))?;
                }
                let mut args = args.to_vec();
                args[0] = affix.clone();
                let found = vm.affix(&points, TextValueKind::Unicode, name, &args)?;
                return Ok(matches!(found, Value::Bool(true)));
            }
            let affix = T::argument(vm, kind, affix)?;
            vm.charge(affix.len() as u64 / 64 + 1)?;
            // A unicode text begins and ends with nothing everywhere, even behind its end.
            if kind == TextValueKind::Unicode && affix.is_empty() {
                return Ok(true);
            }
            Ok(window.is_some_and(|(_, part)| {
                if name == "startswith" {
                    part.starts_with(&affix)
                } else {
                    part.ends_with(&affix)
                }
            }))
        };
        match &args[0] {
            Value::Tuple(items) => {
                for item in &items.items {
                    if one(self, item)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            affix @ (Value::Str(_) | Value::Unicode(_)) => one(self, affix).map(Value::Bool),
            affix if kind == TextValueKind::ByteArray => one(self, affix).map(Value::Bool),
            other => Err(Error::type_error(format!(
                "{name} first arg must be str, unicode, or tuple, not {}",
                self.type_name(other)
            ))),
        }
    }

    fn partition<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        separator: &Value,
    ) -> EvalOutcome {
        if kind == TextValueKind::ByteArray && self.bytes_of(separator).is_none() {
            let name = self.type_name(separator);
            return Err(Error::type_error(format!(
                "'{name}' does not have the buffer interface"
            )));
        }
        let needle = T::argument(self, kind, separator)?;
        if needle.is_empty() {
            return Err(Error::value_error("empty separator"));
        }
        let last = name == "rpartition";
        let found = if last {
            find_last(text, &needle)
        } else {
            find_in(text, &needle)
        };
        let parts = match found {
            Some(at) => [&text[..at], &needle, &text[at + needle.len()..]],
            None if last => [&[], &[], text],
            None => [text, &[], &[]],
        };
        let parts = parts
            .into_iter()
            .map(|part| T::make(self, part.to_vec(), kind))
            .collect::<EvalOutcome<Vec<_>>>()?;
        self.make_tuple(parts)
    }

    fn split<T: TextType>(
        &mut self,
        text: &[T],
        kind: TextValueKind,
        name: &str,
        args: &[Value],
    ) -> EvalOutcome {
        let most = match args.get(1) {
            Some(most) => usize::try_from(self.integer_argument(most)?).unwrap_or(usize::MAX),
            None => usize::MAX,
        };
        let from_right = name == "rsplit";
        // There are at most as many parts as two places of the text.
        self.charge(most.min(text.len() / 2) as u64 / 2)?;
        let parts: Vec<&[T]> = match args.first() {
            None | Some(Value::None) => {
                if from_right {
                    split_blanks_right(text, most)
                } else {
                    split_blanks(text, most)
                }
            }
            Some(separator) => {
                let needle = T::argument(self, kind, separator)?;
                if needle.is_empty() {
                    return Err(Error::value_error("empty separator"));
                }
                if from_right {
                    split_right(text, &needle, most)
                } else {
                    split_left(text, &needle, most)
                }
            }
        };
        self.parts(&parts, kind)
    }

    fn parts<T: TextType>(&mut self, parts: &[&[T]], kind: TextValueKind) -> EvalOutcome {
        self.allow_items(parts.len())?;
        let items = parts
            .iter()
            .map(|part| T::make(self, part.to_vec(), kind))
            .collect::<EvalOutcome<Vec<_>>>()?;
        self.make_list(items)
    }

    fn split_lines<T: TextType>(&mut self, text: &[T], kind: TextValueKind, args: &[Value]) -> EvalOutcome {
        let keep = match args.first() {
            Some(keep) => {
                let keep = self.integer_argument(keep)?;
                crate::vm::builtin::within_c_int(keep)?;
                keep != 0
            }
            None => false,
        };
        let (mut parts, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let len = text[start..]
                .iter()
                .position(|unit| unit.is_line_break())
                .unwrap_or(text.len() - start);
            let end = start + len;
            let mut next = (end + 1).min(text.len());
            let ascii = |at: usize| text.get(at).and_then(|unit| unit.ascii());
            if ascii(end) == Some(b'\r') && ascii(end + 1) == Some(b'\n') {
                next = end + 2;
            }
            parts.push(&text[start..if keep { next } else { end }]);
            start = next;
        }
        self.parts(&parts, kind)
    }

    fn replace<T: TextType>(&mut self, text: &[T], kind: TextValueKind, args: &[Value]) -> EvalOutcome {
        let most = match args.get(2) {
            Some(most) => usize::try_from(self.integer_argument(most)?).unwrap_or(usize::MAX),
            None => usize::MAX,
        };
        let old = T::argument(self, kind, &args[0])?;
        let new = T::argument(self, kind, &args[1])?;
        let mut out = Vec::new();
        if old.is_empty() {
            let count = most.min(text.len() + 1);
            self.allow_text(text.len().saturating_add(new.len().saturating_mul(count)))?;
            for at in 0..=text.len() {
                if at < count {
                    out.extend_from_slice(&new);
                }
                out.extend(text.get(at));
            }
            return T::make(self, out, kind);
        }
        let places = occurrences(text, &old, most);
        self.allow_text(text.len().saturating_add(new.len().saturating_mul(places.len())))?;
        let mut from = 0;
        for at in places {
            out.extend_from_slice(&text[from..at]);
            out.extend_from_slice(&new);
            from = at + old.len();
        }
        out.extend_from_slice(&text[from..]);
        T::make(self, out, kind)
    }

    fn join(&mut self, separator: &Value, parts: &Value) -> EvalOutcome {
        let items = match self.items(parts) {
            Err(error) if error.is_a(ExceptionKind::TypeError) => {
                return Err(Error::type_error("can only join an iterable"));
            }
            items => items?,
        };
        match (separator, &*items) {
            (Value::Str(_), [only @ (Value::Str(_) | Value::Unicode(_))])
            | (Value::Unicode(_), [only @ Value::Unicode(_)]) => return Ok(only.clone()),
            _ => {}
        }
        let by_unicode = matches!(separator, Value::Unicode(_));
        let any_unicode = by_unicode
            || matches!(separator, Value::Str(_))
                && items.iter().any(|item| matches!(item, Value::Unicode(_)));
        if any_unicode {
            let between = self.points_of_text(separator)?;
            let mut out = Vec::new();
            for (at, item) in items.iter().enumerate() {
                if !matches!(item, Value::Str(_) | Value::Unicode(_)) {
                    return Err(Error::type_error(format!(
                        "sequence item {at}: expected string or Unicode, {} found",
                        self.type_name(item)
                    )));
                }
                if at > 0 {
                    out.extend_from_slice(&between);
                }
                out.extend_from_slice(&self.points_of_text(item)?);
                self.allow_text(between.len())?;
                if out.len() > self.limits.string {
                    return Err(Error::limit("string is too long"));
                }
            }
            return self.make_unicode(out);
        }
        let (Value::Str(between) | Value::ByteArray(between)) = separator else {
            return Ok(Value::None);
        };
        let mut out = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let (Value::Str(bytes) | Value::ByteArray(bytes)) = item else {
                let words = if matches!(separator, Value::ByteArray(_)) {
                    format!(
                        "can only join an iterable of bytes (item {at} has type '{}')",
                        self.type_name(item)
                    )
                } else {
                    format!(
                        "sequence item {at}: expected string, {} found",
                        self.type_name(item)
                    )
                };
                return Err(Error::type_error(words));
            };
            if at > 0 {
                out.extend_from_slice(between);
            }
            out.extend_from_slice(bytes);
            if out.len() > self.limits.string {
                return Err(Error::limit("string is too long"));
            }
        }
        let made_array = matches!(separator, Value::ByteArray(_));
        u8::make(
            self,
            out,
            if made_array {
                TextValueKind::ByteArray
            } else {
                TextValueKind::Str
            },
        )
    }

    fn translate(&mut self, object: &Value, args: &[Value]) -> EvalOutcome {
        if let (Value::Str(bytes), [Value::Unicode(_), others @ ..]) = (object, args) {
            if !others.is_empty() {
                return Err(Error::type_error(
                    "deletions are implemented differently for unicode",
                ));
            }
            let object = Value::unicode(ascii_points(bytes)?);
            return self.translate(&object, args);
        }
        if let Value::Unicode(points) = object {
            let mut out = Vec::new();
            for &point in points.iter() {
                self.charge(1)?;
                let mapped = match self.subscript(&args[0], &Value::Int(i64::from(point))) {
                    Ok(mapped) => mapped,
                    Err(error) if error.is_a(ExceptionKind::LookupError) => {
                        out.push(point);
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                match mapped {
                    Value::None => {}
                    Value::Int(point) => {
                        match u32::try_from(point).ok().filter(|point| *point <= 0x10_FFFF) {
                            Some(point) => out.push(point),
                            None => {
                                return Err(Error::type_error(
                                    // CPython forgets to fill its own template.
                                    "character mapping must be in range(0x%lx)",
                                ));
                            }
                        }
                    }
                    Value::Unicode(text) => out.extend_from_slice(&text),
                    _ => {
                        return Err(Error::type_error(
                            "character mapping must return integer, None or unicode",
                        ));
                    }
                }
            }
            return self.make_unicode(out);
        }
        let (Value::Str(bytes) | Value::ByteArray(bytes)) = object else {
            return Ok(Value::None);
        };
        let kind = match object {
            Value::ByteArray(_) => TextValueKind::ByteArray,
            _ => TextValueKind::Str,
        };
        let table = match &args[0] {
            Value::None => None,
            table => {
                let table = u8::argument(self, kind, table)?;
                if table.len() != 256 {
                    return Err(Error::value_error(
                        "translation table must be 256 characters long",
                    ));
                }
                Some(table)
            }
        };
        let gone = match args.get(1) {
            Some(gone) => u8::argument(self, kind, gone)?,
            None => Arc::default(),
        };
        self.charge(bytes.len() as u64 * gone.len() as u64 / 64)?;
        let kept = bytes.iter().filter(|byte| !gone.contains(byte));
        let out = kept
            .map(|byte| table.as_ref().map_or(*byte, |table| table[usize::from(*byte)]))
            .collect();
        u8::make(self, out, kind)
    }
}

fn swap_case<T: Unit>(unit: T) -> T {
    if unit.is_upper() {
        unit.lower()
    } else if unit.is_lower() {
        unit.upper()
    } else {
        unit
    }
}

fn title<T: Unit>(text: &[T]) -> Vec<T> {
    let mut within = false;
    text.iter()
        .map(|unit| {
            let out = if within { unit.lower() } else { unit.title() };
            within = unit.is_lower() || unit.is_upper() || unit.is_title();
            out
        })
        .collect()
}

fn is_title<T: Unit>(text: &[T]) -> bool {
    let (mut cased, mut within) = (false, false);
    for unit in text {
        if unit.is_upper() || unit.is_title() {
            if within {
                return false;
            }
            (cased, within) = (true, true);
        } else if unit.is_lower() {
            if !within {
                return false;
            }
            (cased, within) = (true, true);
        } else {
            within = false;
        }
    }
    cased
}

/// Where `needle` begins in `text` for the last time.
fn find_last<T: PartialEq + Copy>(text: &[T], needle: &[T]) -> Option<usize> {
    let reversed_text: Vec<T> = text.iter().rev().copied().collect();
    let reversed_needle: Vec<T> = needle.iter().rev().copied().collect();
    find_in(&reversed_text, &reversed_needle).map(|at| text.len() - at - needle.len())
}

/// Up to `most` places of `needle`, which is not empty, that do not overlap.
fn occurrences<T: PartialEq>(text: &[T], needle: &[T], most: usize) -> Vec<usize> {
    let (mut places, mut from) = (Vec::new(), 0);
    while places.len() < most
        && let Some(at) = text.get(from..).and_then(|rest| find_in(rest, needle))
    {
        places.push(from + at);
        from += at + needle.len();
    }
    places
}

fn split_left<'t, T: PartialEq>(text: &'t [T], needle: &[T], most: usize) -> Vec<&'t [T]> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for at in occurrences(text, needle, most) {
        parts.push(&text[from..at]);
        from = at + needle.len();
    }
    parts.push(&text[from..]);
    parts
}

fn split_right<'t, T: PartialEq + Copy>(text: &'t [T], needle: &[T], most: usize) -> Vec<&'t [T]> {
    let reversed_text: Vec<T> = text.iter().rev().copied().collect();
    let reversed_needle: Vec<T> = needle.iter().rev().copied().collect();
    let (mut parts, mut end) = (Vec::new(), text.len());
    for at in occurrences(&reversed_text, &reversed_needle, most) {
        let start = text.len() - at - needle.len();
        parts.push(&text[start + needle.len()..end]);
        end = start;
    }
    parts.push(&text[..end]);
    parts.reverse();
    parts
}

fn split_blanks<T: Unit>(text: &[T], most: usize) -> Vec<&[T]> {
    let (mut parts, mut at) = (Vec::new(), 0);
    loop {
        at += text[at..].iter().take_while(|unit| unit.is_space()).count();
        if at == text.len() {
            return parts;
        }
        if parts.len() == most {
            parts.push(&text[at..]);
            return parts;
        }
        let len = text[at..].iter().take_while(|unit| !unit.is_space()).count();
        parts.push(&text[at..at + len]);
        at += len;
    }
}

fn split_blanks_right<T: Unit>(text: &[T], most: usize) -> Vec<&[T]> {
    let (mut parts, mut end) = (Vec::new(), text.len());
    loop {
        end -= text[..end]
            .iter()
            .rev()
            .take_while(|unit| unit.is_space())
            .count();
        if end == 0 {
            break;
        }
        if parts.len() == most {
            parts.push(&text[..end]);
            break;
        }
        let len = text[..end]
            .iter()
            .rev()
            .take_while(|unit| !unit.is_space())
            .count();
        parts.push(&text[end - len..end]);
        end -= len;
    }
    parts.reverse();
    parts
}
