//! `%` formatting, `format()` and `str.format`.
//!
//! Texts travel as code points; where the result is a `str`, each point is one byte.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::base::error::{Error, ExceptionKind};
use crate::value::{Complex, Value};
use crate::vm::float_text;
use crate::vm::machine::{Args, EvalOutcome, Vm};
use crate::vm::number::NumberValue;
use crate::vm::text::{ascii_points, low_bytes};

/// A text and whether it is `unicode`.
struct Template {
    points: Vec<u32>,
    unicode: bool,
}

fn points_of(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn byte_points(bytes: &[u8]) -> Vec<u32> {
    bytes.iter().map(|byte| u32::from(*byte)).collect()
}

fn ascii(point: u32) -> char {
    u8::try_from(point).map_or('\u{fffd}', char::from)
}

// ---- percent ----

/// Flags, width and precision of one `%` directive.
#[derive(Clone, Copy, Debug, Default)]
struct Directive {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Where the values of `%` come from.
struct FormatValues<'a> {
    plain: &'a [Value],
    next: usize,
    mapping: Option<&'a Value>,
    /// One value that is no tuple.
    single: bool,
}

impl FormatValues<'_> {
    fn take(&mut self) -> EvalOutcome {
        let value = self.plain.get(self.next).cloned();
        self.next += 1;
        value.ok_or_else(|| Error::type_error("not enough arguments for format string"))
    }
}

impl Vm<'_> {
    /// `template % values`.
    pub(crate) fn format_percent(&mut self, template: &Value, values: &Value) -> EvalOutcome {
        let values = &self.materialise(values)?;
        let result = match template {
            Value::Unicode(points) => self.percent(
                &Template {
                    points: (**points).clone(),
                    unicode: true,
                },
                values,
            )?,
            Value::Str(bytes) => {
                match self.percent(
                    &Template {
                        points: byte_points(bytes),
                        unicode: false,
                    },
                    values,
                )? {
                    Some(points) => {
                        return self.make_str(low_bytes(&points));
                    }
                    // A unicode value makes the whole result unicode.
                    None => self.percent(
                        &Template {
                            points: ascii_points(bytes)?,
                            unicode: true,
                        },
                        values,
                    )?,
                }
            }
            _ => None,
        };
        self.make_unicode(result.unwrap_or_default())
    }

    /// `None` if a `str` template met a `unicode` value.
    fn percent(&mut self, template: &Template, values: &Value) -> EvalOutcome<Option<Vec<u32>>> {
        self.charge(template.points.len() as u64 / 8)?;
        let mapping = match values {
            Value::Dict(_) | Value::List(_) | Value::ByteArray(_) => Some(values),
            _ => None,
        };
        let mut source = match values {
            Value::Tuple(items) => FormatValues {
                plain: &items.items,
                next: 0,
                mapping: None,
                single: false,
            },
            other => FormatValues {
                plain: std::slice::from_ref(other),
                next: 0,
                mapping,
                single: true,
            },
        };
        let text = &template.points;
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(&point) = text.get(at) {
            at += 1;
            if point != u32::from('%') {
                out.push(point);
                continue;
            }
            if !self.directive(template, &mut at, &mut source, &mut out)? {
                return Ok(None);
            }
            if out.len() > self.limits.string {
                return Err(Error::limit("string is too long"));
            }
        }
        let left_over = source.next < source.plain.len();
        if left_over && !(source.single && source.mapping.is_some()) {
            return Err(Error::type_error(
                "not all arguments converted during string formatting",
            ));
        }
        Ok(Some(out))
    }

    /// One directive behind its `%`; false if the result must become unicode.
    fn directive(
        &mut self,
        template: &Template,
        at: &mut usize,
        source: &mut FormatValues<'_>,
        out: &mut Vec<u32>,
    ) -> EvalOutcome<bool> {
        let text = &template.points;
        let peek = |at: usize| text.get(at).map(|point| ascii(*point));
        let mut keyed = None;
        if peek(*at) == Some('(') {
            keyed = Some(self.mapped_value(template, at, source)?);
        }
        let mut directive = Directive::default();
        while let Some(flag @ ('-' | '+' | ' ' | '#' | '0')) = peek(*at) {
            match flag {
                '-' => directive.left = true,
                '+' => directive.plus = true,
                ' ' => directive.blank = true,
                '#' => directive.alternate = true,
                _ => directive.zero = true,
            }
            *at += 1;
        }
        if peek(*at) == Some('*') {
            *at += 1;
            let width = self.star(source)?;
            directive.left |= width < 0;
            directive.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
        } else {
            directive.width = self.digits_at(text, at, "width too big")?.unwrap_or(0);
        }
        if peek(*at) == Some('.') {
            *at += 1;
            directive.precision = Some(if peek(*at) == Some('*') {
                *at += 1;
                usize::try_from(self.star(source)?).unwrap_or(0)
            } else {
                self.digits_at(text, at, "prec too big")?.unwrap_or(0)
            });
        }
        while matches!(peek(*at), Some('h' | 'l' | 'L')) {
            *at += 1;
        }
        let Some(&form) = text.get(*at) else {
            return Err(Error::value_error("incomplete format"));
        };
        *at += 1;
        self.allow_text(directive.width.saturating_add(directive.precision.unwrap_or(0)))?;
        let form_char = ascii(form);
        if form_char == '%' {
            pad_text(&points_of("%"), directive, out);
            return Ok(true);
        }
        let value = match keyed {
            Some(value) => value,
            None => source.take()?,
        };
        match form_char {
            's' | 'r' => {
                let Some(mut piece) = self.text_piece(&value, form_char, template.unicode)? else {
                    return Ok(false);
                };
                if let Some(precision) = directive.precision {
                    piece.truncate(precision);
                }
                pad_text(&piece, directive, out);
            }
            'c' => {
                let Some(piece) = self.character(&value, template.unicode)? else {
                    return Ok(false);
                };
                pad_text(&[piece], directive, out);
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => {
                let named = if form_char == 'i' { 'd' } else { form_char };
                let number = self.percent_integer(&value, named)?;
                self.charge_digits(number.bits())?;
                percent_integer(&number, form_char, directive, out);
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let number = match NumberValue::of(&value) {
                    Some(NumberValue::Complex(_)) | None => {
                        return Err(Error::type_error(match (&value, template.unicode) {
                            (Value::Complex(_), true) => "can't convert complex to float".to_owned(),
                            (_, true) => "a float is required".to_owned(),
                            (other, false) => {
                                format!("float argument required, not {}", self.type_name(other))
                            }
                        }));
                    }
                    Some(number) => number.to_float()?,
                };
                let precision = directive.precision.unwrap_or(6);
                // All digits of a float may have to be found.
                self.charge(if number.abs() < 1e16 { 2 } else { 100 } + precision as u64 / 8)?;
                let body = float_text::formatted(number, form_char as u8, precision, directive.alternate);
                pad_number(
                    number.is_sign_negative() && !number.is_nan(),
                    "",
                    &body,
                    directive,
                    out,
                );
            }
            _ => {
                let shown = if form < 0x80 || !template.unicode {
                    ascii(form)
                } else {
                    '?'
                };
                return Err(Error::value_error(format!(
                    "unsupported format character '{shown}' (0x{form:x}) at index {}",
                    *at - 1
                )));
            }
        }
        Ok(true)
    }

    fn mapped_value(
        &mut self,
        template: &Template,
        at: &mut usize,
        source: &mut FormatValues<'_>,
    ) -> EvalOutcome {
        let Some(mapping) = source.mapping else {
            return Err(Error::type_error("format requires a mapping"));
        };
        *at += 1;
        let start = *at;
        let mut depth = 1;
        while depth > 0 {
            match template.points.get(*at).map(|point| ascii(*point)) {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {}
                None => return Err(Error::value_error("incomplete format key")),
            }
            *at += 1;
        }
        let key = &template.points[start..*at - 1];
        let key = if template.unicode {
            Value::unicode(key.to_vec())
        } else {
            Value::bytes(low_bytes(key))
        };
        // The mapping counts as used, whatever it holds.
        source.next = source.plain.len();
        self.subscript(mapping, &key)
    }

    fn star(&mut self, source: &mut FormatValues<'_>) -> EvalOutcome<i64> {
        match source.take()? {
            Value::Int(value) => Ok(value),
            Value::Bool(value) => Ok(i64::from(value)),
            _ => Err(Error::type_error("* wants int")),
        }
    }

    fn digits_at(&self, text: &[u32], at: &mut usize, too_big: &str) -> EvalOutcome<Option<usize>> {
        let mut number = None;
        while let Some(digit) = text.get(*at).and_then(|point| ascii(*point).to_digit(10)) {
            let value = number.unwrap_or(0_usize);
            number = Some(
                value
                    .checked_mul(10)
                    .and_then(|value| value.checked_add(digit as usize))
                    .filter(|value| i64::try_from(*value).is_ok())
                    .ok_or_else(|| Error::value_error(too_big))?,
            );
            *at += 1;
        }
        Ok(number)
    }

    /// The text of `%s` or `%r`; `None` if a `str` template meets a `unicode`.
    fn text_piece(&mut self, value: &Value, form: char, unicode: bool) -> EvalOutcome<Option<Vec<u32>>> {
        if form == 'r' {
            return Ok(Some(points_of(&self.repr(value)?)));
        }
        match value {
            Value::Unicode(points) if unicode => Ok(Some((**points).clone())),
            Value::Unicode(_) => Ok(None),
            Value::Exception(exception)
                if matches!(&*exception.args.items, [Value::Unicode(_)]) && unicode =>
            {
                self.text_piece(&exception.args.items[0].clone(), form, unicode)
            }
            other => {
                let bytes = self.str_bytes(other)?;
                Ok(Some(if unicode {
                    ascii_points(&bytes)?
                } else {
                    byte_points(&bytes)
                }))
            }
        }
    }

    fn character(&mut self, value: &Value, unicode: bool) -> EvalOutcome<Option<u32>> {
        let words = "%c requires int or char";
        match value {
            Value::Unicode(points) => match ***points {
                _ if !unicode => Ok(None),
                [point] => Ok(Some(point)),
                _ => Err(Error::type_error("%c requires int or char")),
            },
            Value::Str(bytes) => match ***bytes {
                [byte] if unicode && byte >= 128 => ascii_points(bytes).map(|points| points.first().copied()),
                [byte] => Ok(Some(u32::from(byte))),
                _ => Err(Error::type_error(words)),
            },
            value if value.type_of().is_integer() || matches!(value, Value::Float(_)) => {
                let number = match value {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "a float loses its fraction; it is in the range"
                    )]
                    Value::Float(float) if unicode && float.abs() < 9e18 => *float as i64,
                    value => match self.integer_argument(value) {
                        Err(_) if unicode => return Err(Error::type_error(words)),
                        number => number?,
                    },
                };
                if unicode {
                    let point = u32::try_from(number).ok().filter(|point| *point <= 0x10_FFFF);
                    return match point {
                        Some(point) => Ok(Some(point)),
                        None => Err(Error::overflow(
                            "%c arg not in range(0x110000) (wide Python build)",
                        )),
                    };
                }
                match u8::try_from(number) {
                    Ok(byte) => Ok(Some(byte.into())),
                    Err(_) if number < 0 => {
                        Err(Error::overflow("unsigned byte integer is less than minimum"))
                    }
                    Err(_) => Err(Error::overflow("unsigned byte integer is greater than maximum")),
                }
            }
            _ if unicode => Err(Error::type_error(words)),
            other => self.integer_argument(other).and(Err(Error::type_error(words))),
        }
    }

    fn percent_integer(&mut self, value: &Value, form: char) -> EvalOutcome<BigInt> {
        match NumberValue::of(value) {
            Some(NumberValue::Int(number)) => Ok(BigInt::from(number)),
            Some(NumberValue::Long(number)) => Ok((*number).clone()),
            Some(NumberValue::Float(number)) if !number.is_finite() => Err(Error::type_error(format!(
                "%{form} format: a number is required, not float"
            ))),
            Some(NumberValue::Float(_)) => {
                let whole = self.construct(
                    crate::value::kind::PythonType::Long,
                    Args::plain(std::slice::from_ref(value)),
                )?;
                match whole {
                    Value::Long(number) => Ok((*number).clone()),
                    _ => Ok(BigInt::ZERO),
                }
            }
            Some(NumberValue::Complex(_)) => Err(Error::type_error(format!(
                "%{form} format: a number is required, not complex"
            ))),
            None => Err(Error::type_error(format!(
                "%{form} format: a number is required, not {}",
                self.type_name(value)
            ))),
        }
    }
}

fn pad_text(piece: &[u32], directive: Directive, out: &mut Vec<u32>) {
    let missing = directive.width.saturating_sub(piece.len());
    if !directive.left {
        out.extend(std::iter::repeat_n(u32::from(' '), missing));
    }
    out.extend_from_slice(piece);
    if directive.left {
        out.extend(std::iter::repeat_n(u32::from(' '), missing));
    }
}

fn percent_integer(number: &BigInt, form: char, directive: Directive, out: &mut Vec<u32>) {
    let base = match form {
        'o' => 8,
        'x' | 'X' => 16,
        _ => 10,
    };
    let mut digits = number.magnitude().to_str_radix(base);
    if directive.precision == Some(0) && digits == "0" {
        digits.clear();
    }
    if let Some(precision) = directive.precision {
        let missing = precision.saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(missing));
    }
    let mut prefix = "";
    if directive.alternate {
        match form {
            'o' if !digits.starts_with('0') => digits.insert(0, '0'),
            'x' => prefix = "0x",
            'X' => prefix = "0X",
            _ => {}
        }
    }
    if form == 'X' {
        digits.make_ascii_uppercase();
    }
    pad_number(number.sign() == Sign::Minus, prefix, &digits, directive, out);
}

fn pad_number(negative: bool, prefix: &str, body: &str, directive: Directive, out: &mut Vec<u32>) {
    let sign = if negative {
        "-"
    } else if directive.plus {
        "+"
    } else if directive.blank {
        " "
    } else {
        ""
    };
    let missing = directive
        .width
        .saturating_sub(sign.len() + prefix.len() + body.len());
    let blanks = |out: &mut Vec<u32>| out.extend(std::iter::repeat_n(u32::from(' '), missing));
    if !directive.left && !directive.zero {
        blanks(out);
    }
    out.extend(points_of(sign));
    out.extend(points_of(prefix));
    if directive.zero && !directive.left {
        out.extend(std::iter::repeat_n(u32::from('0'), missing));
    }
    out.extend(points_of(body));
    if directive.left {
        blanks(out);
    }
}

// ---- format() ----

/// A parsed format specification.
#[derive(Clone, Copy, Debug)]
struct Spec {
    fill: u32,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    width: Option<usize>,
    commas: bool,
    precision: Option<usize>,
    form: Option<u32>,
    zero: bool,
}

impl Vm<'_> {
    /// `format(value, spec)`.
    pub(crate) fn format_value(&mut self, value: &Value, spec: &Value) -> EvalOutcome {
        let unicode = match spec {
            Value::Str(_) => false,
            Value::Unicode(_) => true,
            other => {
                return Err(Error::type_error(format!(
                    "format expects arg 2 to be string or unicode, not {}",
                    self.type_name(other)
                )));
            }
        };
        let value = &self.materialise(value)?;
        let spec = match spec {
            Value::Str(bytes) => byte_points(bytes),
            Value::Unicode(points) => (**points).clone(),
            _ => Vec::new(),
        };
        let points = self.formatted(value, &spec, unicode)?;
        if unicode || matches!(value, Value::Unicode(_)) {
            self.make_unicode(points)
        } else {
            self.make_str(low_bytes(&points))
        }
    }

    fn formatted(&mut self, value: &Value, spec: &[u32], unicode: bool) -> EvalOutcome<Vec<u32>> {
        let text = |vm: &mut Self| -> EvalOutcome<Vec<u32>> {
            match value {
                Value::Unicode(points) => Ok((**points).clone()),
                Value::Str(bytes) if unicode => ascii_points(bytes),
                other => Ok(byte_points(&vm.str_bytes(other)?)),
            }
        };
        if spec.is_empty() {
            return text(self);
        }
        let kind = self.type_name(value);
        if unicode && (NumberValue::of(value).is_some() || matches!(value, Value::Str(_))) {
            // Numbers and `str` take the format as `str`.
            crate::vm::text::ascii_bytes(spec)?;
        }
        if !unicode && matches!(value, Value::Unicode(_)) {
            ascii_points(&low_bytes(spec))?;
        }
        let parsed = self.parse_spec(spec)?;
        if let Some(width) = parsed.width {
            self.allow_text(width)?;
        }
        if let Some(precision) = parsed.precision {
            self.allow_text(precision)?;
        }
        match NumberValue::of(value) {
            Some(NumberValue::Int(number)) => self.format_integer(&BigInt::from(number), parsed, kind),
            Some(NumberValue::Long(number)) => self.format_integer(&number, parsed, kind),
            Some(NumberValue::Float(number)) => format_float(number, parsed, kind),
            Some(NumberValue::Complex(number)) => format_complex(number, parsed),
            None => {
                let of_object = !matches!(value, Value::Str(_));
                let kind = if matches!(value, Value::Unicode(_)) || unicode && of_object {
                    "unicode"
                } else {
                    "str"
                };
                format_text(&text(self)?, parsed, kind)
            }
        }
    }

    fn parse_spec(&self, spec: &[u32]) -> EvalOutcome<Spec> {
        let is_align = |point: Option<&u32>| {
            point
                .map(|point| ascii(*point))
                .filter(|c| matches!(c, '<' | '>' | '=' | '^'))
        };
        let mut parsed = Spec {
            fill: u32::from(' '),
            align: None,
            sign: None,
            alternate: false,
            width: None,
            commas: false,
            precision: None,
            form: None,
            zero: false,
        };
        let mut at = 0;
        let peek = |at: usize| spec.get(at).map(|point| ascii(*point));
        if let Some(align) = is_align(spec.get(1)) {
            (parsed.fill, parsed.align) = (spec[0], Some(align));
            at = 2;
        } else if let Some(align) = is_align(spec.first()) {
            parsed.align = Some(align);
            at = 1;
        }
        if let Some(sign @ ('+' | '-' | ' ')) = peek(at) {
            parsed.sign = Some(sign);
            at += 1;
        }
        if peek(at) == Some('#') {
            parsed.alternate = true;
            at += 1;
        }
        if peek(at) == Some('0') && is_align(spec.get(1)).is_none() {
            parsed.fill = u32::from('0');
            parsed.zero = true;
            if parsed.align.is_none() {
                parsed.align = Some('=');
            }
            at += 1;
        }
        parsed.width = self.digits_at(spec, &mut at, "Too many decimal digits in format string")?;
        if peek(at) == Some(',') {
            parsed.commas = true;
            at += 1;
        }
        if peek(at) == Some('.') {
            at += 1;
            parsed.precision = self.digits_at(spec, &mut at, "Too many decimal digits in format string")?;
            if parsed.precision.is_none() {
                return Err(Error::value_error("Format specifier missing precision"));
            }
        }
        if spec.len() > at + 1 {
            return Err(Error::value_error("Invalid conversion specification"));
        }
        parsed.form = spec.get(at).copied();
        if parsed.commas {
            match parsed.form.map(ascii) {
                None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F') => {}
                Some(form) => return Err(Error::value_error(format!("Cannot specify ',' with '{form}'."))),
            }
        }
        Ok(parsed)
    }

    fn format_integer(&mut self, number: &BigInt, spec: Spec, kind: &str) -> EvalOutcome<Vec<u32>> {
        let form = spec.form.map_or('d', ascii);
        if matches!(form, 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') {
            return format_float(crate::vm::number::big_to_float(number)?, spec, kind);
        }
        let base = match form {
            'd' | 'n' | 'c' => 10,
            'b' => 2,
            'o' => 8,
            'x' | 'X' => 16,
            _ => return Err(unknown_code(spec, kind)),
        };
        if spec.precision.is_some() {
            return Err(Error::value_error(
                "Precision not allowed in integer format specifier",
            ));
        }
        if form == 'c' {
            if spec.sign.is_some() {
                return Err(Error::value_error(
                    "Sign not allowed with integer format specifier 'c'",
                ));
            }
            if number.to_i64().is_none() {
                return Err(Error::overflow("Python int too large to convert to C long"));
            }
            return match number.to_u32().filter(|point| *point < 256) {
                Some(point) => Ok(align_numeric(&[], &[], &[point], spec)),
                None => Err(Error::overflow("%c arg not in range(0x100)")),
            };
        }
        self.charge_digits(number.bits())?;
        let mut digits = number.magnitude().to_str_radix(base);
        let mut prefix = match (spec.alternate, base) {
            (true, 2) => "0b",
            (true, 8) => "0o",
            (true, 16) => "0x",
            _ => "",
        }
        .to_owned();
        if form == 'X' {
            digits.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        Ok(number_layout(
            number.sign() == Sign::Minus,
            &prefix,
            &digits,
            "",
            spec,
        ))
    }

    /// `template.format(…)`.
    pub(crate) fn format_method(&mut self, template: &Value, args: Args<'_>) -> EvalOutcome {
        let (points, unicode) = match template {
            Value::Str(bytes) => (byte_points(bytes), false),
            Value::Unicode(points) => ((**points).clone(), true),
            _ => return Ok(Value::None),
        };
        let mut numbering = Numbering::default();
        let out = self.format_template(&points, unicode, args, 2, &mut numbering)?;
        if unicode {
            self.make_unicode(out)
        } else {
            self.make_str(low_bytes(&out))
        }
    }

    fn format_template(
        &mut self,
        text: &[u32],
        unicode: bool,
        args: Args<'_>,
        depth: u8,
        numbering: &mut Numbering,
    ) -> EvalOutcome<Vec<u32>> {
        if depth == 0 {
            return Err(Error::value_error("Max string recursion exceeded"));
        }
        self.charge(text.len() as u64 / 8)?;
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(&point) = text.get(at) {
            at += 1;
            let next = text.get(at).map(|point| ascii(*point));
            match ascii(point) {
                c @ ('{' | '}') if next == Some(c) => {
                    out.push(point);
                    at += 1;
                }
                '}' => return Err(Error::value_error("Single '}' encountered in format string")),
                '{' => {
                    if at >= text.len() {
                        return Err(Error::value_error("Single '{' encountered in format string"));
                    }
                    let start = at;
                    let mut nested = 1;
                    while nested > 0 {
                        match text.get(at).map(|point| ascii(*point)) {
                            Some('{') => nested += 1,
                            Some('}') => nested -= 1,
                            Some(_) => {}
                            None => return Err(Error::value_error("unmatched '{' in format")),
                        }
                        at += 1;
                    }
                    let piece = self.format_field(&text[start..at - 1], unicode, args, depth, numbering)?;
                    out.extend(piece);
                }
                _ => out.push(point),
            }
            if out.len() > self.limits.string {
                return Err(Error::limit("string is too long"));
            }
        }
        Ok(out)
    }

    fn format_field(
        &mut self,
        field: &[u32],
        unicode: bool,
        args: Args<'_>,
        depth: u8,
        numbering: &mut Numbering,
    ) -> EvalOutcome<Vec<u32>> {
        // The name ends at `!` or `:`, wherever they stand.
        let end = field
            .iter()
            .position(|point| matches!(ascii(*point), '!' | ':'))
            .unwrap_or(field.len());
        let (name, rest) = field.split_at(end);
        let mut conversion = None;
        let mut spec: &[u32] = &[];
        match rest.first().map(|point| ascii(*point)) {
            Some('!') => {
                let Some(&form) = rest.get(1) else {
                    return Err(Error::value_error(
                        "end of format while looking for conversion specifier",
                    ));
                };
                conversion = Some(form);
                match rest.get(2).map(|point| ascii(*point)) {
                    None => {}
                    Some(':') => spec = &rest[3..],
                    Some(_) => return Err(Error::value_error("expected ':' after format specifier")),
                }
            }
            Some(_) => spec = &rest[1..],
            None => {}
        }
        let value = self.field_value(name, unicode, args, numbering)?;
        let value = match conversion.map(ascii) {
            None => value,
            Some('r') => {
                let text = self.repr(&value)?;
                self.make_str(text.into_bytes())?
            }
            Some('s') => match &value {
                Value::Unicode(_) if unicode => value,
                other => {
                    let bytes = self.str_bytes(other)?;
                    self.make_str(bytes)?
                }
            },
            Some(form) => {
                let words = if (' '..='~').contains(&form) {
                    format!("Unknown conversion specifier {form}")
                } else {
                    format!("Unknown conversion specifier \\x{:x}", conversion.unwrap_or(0))
                };
                return Err(Error::value_error(words));
            }
        };
        let nested = spec.iter().any(|point| matches!(ascii(*point), '{' | '}'));
        let spec = if nested {
            self.format_template(spec, unicode, args, depth - 1, numbering)?
        } else {
            spec.to_vec()
        };
        let value = self.materialise(&value)?;
        if !unicode && matches!(value, Value::Unicode(_)) {
            let points = self.formatted(&value, &spec, true)?;
            return crate::vm::text::ascii_bytes(&points).map(|bytes| byte_points(&bytes));
        }
        self.formatted(&value, &spec, unicode)
    }

    /// The value of `0.name[key]`.
    fn field_value(
        &mut self,
        name: &[u32],
        unicode: bool,
        args: Args<'_>,
        numbering: &mut Numbering,
    ) -> EvalOutcome {
        let end = name
            .iter()
            .position(|point| matches!(ascii(*point), '.' | '['))
            .unwrap_or(name.len());
        let (first, mut path) = name.split_at(end);
        let text: String = first.iter().filter_map(|point| char::from_u32(*point)).collect();
        let mut value = if text.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) {
            let index = if text.is_empty() {
                numbering.next_automatic()?
            } else {
                numbering.manual(&text)?
            };
            match args.plain.get(index) {
                Some(value) => value.clone(),
                None => {
                    return Err(Error::raise(
                        ExceptionKind::IndexError,
                        "tuple index out of range",
                    ));
                }
            }
        } else {
            match args.named.iter().find(|(name, _)| **name == *text) {
                Some((_, value)) => value.clone(),
                None => {
                    let key = if unicode {
                        Value::unicode(first.to_vec())
                    } else {
                        Value::str(&text)
                    };
                    let shown = self.repr(&key)?;
                    return Err(Error::raise(ExceptionKind::KeyError, shown));
                }
            }
        };
        while let Some((&mark, rest)) = path.split_first() {
            if ascii(mark) == '.' {
                let end = rest
                    .iter()
                    .position(|point| matches!(ascii(*point), '.' | '['))
                    .unwrap_or(rest.len());
                let name: String = rest[..end]
                    .iter()
                    .filter_map(|point| char::from_u32(*point))
                    .collect();
                if name.is_empty() {
                    return Err(Error::value_error("Empty attribute in format string"));
                }
                value = self.attribute(&value, &name)?;
                path = &rest[end..];
            } else if ascii(mark) == '[' {
                let Some(end) = rest.iter().position(|point| ascii(*point) == ']') else {
                    return Err(Error::value_error("Missing ']' in format string"));
                };
                let key = &rest[..end];
                if key.is_empty() {
                    return Err(Error::value_error("Empty attribute in format string"));
                }
                let text: String = key.iter().filter_map(|point| char::from_u32(*point)).collect();
                let key = if text.bytes().all(|byte| byte.is_ascii_digit()) {
                    match text.parse::<i64>() {
                        // A dict is asked for a `long`, which only an error shows.
                        Ok(index) if matches!(value, Value::Dict(_)) => Value::long(BigInt::from(index)),
                        Ok(index) => Value::Int(index),
                        Err(_) => return Err(Error::value_error("Too many decimal digits in format string")),
                    }
                } else if unicode {
                    Value::unicode(key.to_vec())
                } else {
                    Value::str(&text)
                };
                value = self.subscript(&value, &key)?;
                path = &rest[end + 1..];
            } else {
                return Err(Error::value_error(
                    "Only '.' or '[' may follow ']' in format field specifier",
                ));
            }
        }
        Ok(value)
    }
}

/// Whether fields number themselves.
#[derive(Debug, Default)]
struct Numbering {
    automatic: Option<bool>,
    next: usize,
}

impl Numbering {
    fn next_automatic(&mut self) -> EvalOutcome<usize> {
        if self.automatic == Some(false) {
            return Err(Error::value_error(
                "cannot switch from manual field specification to automatic field numbering",
            ));
        }
        self.automatic = Some(true);
        self.next += 1;
        Ok(self.next - 1)
    }

    fn manual(&mut self, text: &str) -> EvalOutcome<usize> {
        if self.automatic == Some(true) {
            return Err(Error::value_error(
                "cannot switch from automatic field numbering to manual field specification",
            ));
        }
        self.automatic = Some(false);
        text.parse()
            .map_err(|_| Error::value_error("Too many decimal digits in format string"))
    }
}

fn unknown_code(spec: Spec, kind: &str) -> Error {
    let form = spec.form.unwrap_or(0);
    if (0x21..0x7f).contains(&form) || form < 0x80 && kind != "unicode" {
        Error::value_error(format!(
            "Unknown format code '{}' for object of type '{kind}'",
            ascii(form)
        ))
    } else {
        Error::value_error(format!(
            "Unknown format code '\\x{form:x}' for object of type '{kind}'"
        ))
    }
}

fn format_text(text: &[u32], spec: Spec, kind: &str) -> EvalOutcome<Vec<u32>> {
    if spec.form.is_some_and(|form| form != u32::from('s')) {
        return Err(unknown_code(spec, kind));
    }
    if spec.commas {
        return Err(Error::value_error("Cannot specify ',' with 's'."));
    }
    if spec.sign.is_some() {
        return Err(Error::value_error("Sign not allowed in string format specifier"));
    }
    if spec.alternate {
        return Err(Error::value_error(
            "Alternate form (#) not allowed in string format specifier",
        ));
    }
    if spec.align == Some('=') {
        return Err(Error::value_error(
            "'=' alignment not allowed in string format specifier",
        ));
    }
    let text = &text[..spec.precision.unwrap_or(usize::MAX).min(text.len())];
    let missing = spec.width.unwrap_or(0).saturating_sub(text.len());
    let left = match spec.align {
        Some('>') => missing,
        Some('^') => missing / 2,
        _ => 0,
    };
    let mut out = vec![spec.fill; left];
    out.extend_from_slice(text);
    out.resize(text.len() + missing, spec.fill);
    Ok(out)
}

/// Sign, prefix, digits with commas, the rest; padded to the width.
fn number_layout(negative: bool, prefix: &str, digits: &str, rest: &str, spec: Spec) -> Vec<u32> {
    let sign = match (negative, spec.sign) {
        (true, _) => "-",
        (false, Some('+')) => "+",
        (false, Some(' ')) => " ",
        (false, _) => "",
    };
    let mut digits = digits.to_owned();
    if spec.commas {
        let around = sign.len() + prefix.len() + rest.len();
        let fills = spec.align == Some('=') && spec.fill == u32::from('0');
        let least = if fills {
            spec.width.unwrap_or(0).saturating_sub(around)
        } else {
            0
        };
        digits = with_commas(&digits, least);
    }
    let body = points_of(&format!("{digits}{rest}"));
    align_numeric(&points_of(sign), &points_of(prefix), &body, spec)
}

/// Groups digits by three, with leading zeros until at least `least` characters are there.
fn with_commas(digits: &str, least: usize) -> String {
    let mut reversed = String::new();
    let mut count = 0;
    let mut source = digits.bytes().rev();
    loop {
        let digit = source.next();
        if digit.is_none() && reversed.len() >= least {
            break;
        }
        if count > 0 && count % 3 == 0 {
            reversed.push(',');
            if digit.is_none() && reversed.len() >= least {
                reversed.push('0');
                break;
            }
        }
        reversed.push(digit.map_or('0', char::from));
        count += 1;
    }
    reversed.chars().rev().collect()
}

fn align_numeric(sign: &[u32], prefix: &[u32], body: &[u32], spec: Spec) -> Vec<u32> {
    let len = sign.len() + prefix.len() + body.len();
    let missing = spec.width.unwrap_or(0).saturating_sub(len);
    let (before, between) = match spec.align {
        Some('<') => (0, 0),
        Some('^') => (missing / 2, 0),
        Some('=') => (0, missing),
        _ => (missing, 0),
    };
    let mut out = vec![spec.fill; before];
    out.extend_from_slice(sign);
    out.extend_from_slice(prefix);
    out.resize(out.len() + between, spec.fill);
    out.extend_from_slice(body);
    out.resize(len + missing, spec.fill);
    out
}

/// Whether the form is one of floats.
fn float_form(spec: Spec, percent: bool) -> bool {
    match spec.form.map(ascii) {
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n') => true,
        Some(form) => percent && form == '%',
    }
}

fn format_float(value: f64, spec: Spec, kind: &str) -> EvalOutcome<Vec<u32>> {
    if !float_form(spec, true) {
        return Err(unknown_code(spec, kind));
    }
    if spec.alternate {
        return Err(Error::value_error(
            "Alternate form (#) not allowed in float format specifier",
        ));
    }
    let (digits, rest) = float_parts(value, spec, kind, true)?;
    Ok(number_layout(
        value.is_sign_negative() && !value.is_nan(),
        "",
        &digits,
        &rest,
        spec,
    ))
}

/// The digits before the point, and what follows, of the absolute value.
fn float_parts(value: f64, spec: Spec, kind: &str, point_zero: bool) -> EvalOutcome<(String, String)> {
    let form = spec.form.map(ascii);
    let mut text = match form {
        None if spec.precision.is_none() => {
            if point_zero {
                float_text::str(value.abs())
            } else {
                float_text::complex_part(value.abs(), true)
            }
        }
        None => {
            let mut text = float_text::formatted(value, b'g', spec.precision.unwrap_or(12), false);
            let plain = text.bytes().all(|byte| byte.is_ascii_digit());
            if plain && point_zero {
                // The point and its zero may not exceed the precision: else an exponent is used.
                if text.len() >= spec.precision.unwrap_or(12).max(1) {
                    text = float_text::formatted(value, b'e', text.len() - 1, false);
                    text = trim_exponent(&text);
                } else {
                    text.push_str(".0");
                }
            }
            text
        }
        Some('n') => float_text::formatted(value, b'g', spec.precision.unwrap_or(6), false),
        Some(c @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G')) => {
            float_text::formatted(value, c as u8, spec.precision.unwrap_or(6), false)
        }
        Some('%') => {
            let mut text = float_text::formatted(value * 100.0, b'f', spec.precision.unwrap_or(6), false);
            text.push('%');
            text
        }
        Some(_) => return Err(unknown_code(spec, kind)),
    };
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let rest = text.split_off(split);
    Ok((text, rest))
}

/// `1.2000e+05` to `1.2e+05`.
fn trim_exponent(text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text.to_owned();
    };
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    format!("{mantissa}e{exponent}")
}

fn format_complex(value: Complex, spec: Spec) -> EvalOutcome<Vec<u32>> {
    if !float_form(spec, false) {
        return Err(unknown_code(spec, "complex"));
    }
    if spec.alternate {
        return Err(Error::value_error(
            "Alternate form (#) not allowed in complex format specifier",
        ));
    }
    if spec.fill == u32::from('0') {
        return Err(Error::value_error(
            "Zero padding is not allowed in complex format specifier",
        ));
    }
    if spec.align == Some('=') {
        return Err(Error::value_error(
            "'=' alignment flag is not allowed in complex format specifier",
        ));
    }

    let bare = Spec {
        width: None,
        align: None,
        fill: u32::from(' '),
        ..spec
    };
    let brackets = spec.form.is_none();
    let mut out = Vec::new();
    // Without a form, a real part of plain zero is left away.
    let skip_real = brackets && value.re == 0.0 && value.re.is_sign_positive();
    if !skip_real {
        let (digits, rest) = float_parts(value.re, bare, "complex", false)?;
        out = number_layout(
            value.re.is_sign_negative() && !value.re.is_nan(),
            "",
            &digits,
            &rest,
            bare,
        );
    }
    let (digits, rest) = float_parts(value.im, bare, "complex", false)?;
    let signed = Spec {
        sign: if skip_real { spec.sign } else { Some('+') },
        ..bare
    };
    out.extend(number_layout(
        value.im.is_sign_negative() && !value.im.is_nan(),
        "",
        &digits,
        &rest,
        signed,
    ));
    out.push(u32::from('j'));
    if brackets && !skip_real {
        out.insert(0, u32::from('('));
        out.push(u32::from(')'));
    }
    Ok(align_numeric(
        &[],
        &[],
        &out,
        Spec {
            align: spec.align.or(Some('>')),
            ..spec
        },
    ))
}
