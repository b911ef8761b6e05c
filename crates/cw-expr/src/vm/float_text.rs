//! Floats as text, as CPython 2.7.18 writes them.

/// Digits of a float: `digits` with the point after `point` of them.
struct Digits {
    digits: String,
    point: i32,
}

/// The decimal digits of a finite, not negative float: the shortest that read back, or `count` rounded ones.
fn digits_of(value: f64, count: Option<usize>) -> Digits {
    let text = match count {
        None => format!("{value:e}"),
        Some(count) => format!("{value:.*e}", count.saturating_sub(1)),
    };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    Digits {
        digits,
        point: exponent.parse::<i32>().unwrap_or(0) + 1,
    }
}

/// A float as `repr` writes it.
///
/// ```
/// assert_eq!(cw_expr::float_repr(1e16), "1e+16");
/// ```
pub fn repr(value: f64) -> String {
    special(value).unwrap_or_else(|| {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        format!("{sign}{}", place(&digits_of(value.abs(), None), 16, true))
    })
}

/// `str(value)`: twelve digits.
pub(crate) fn str(value: f64) -> String {
    special(value).unwrap_or_else(|| {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let mut digits = digits_of(value.abs(), Some(12));
        trim(&mut digits.digits);
        format!("{sign}{}", place(&digits, 11, true))
    })
}

/// A part of a complex number: like `repr` and `str`, but without `.0`.
pub(crate) fn complex_part(value: f64, short: bool) -> String {
    special(value).unwrap_or_else(|| {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        let mut digits = digits_of(value.abs(), if short { Some(12) } else { None });
        trim(&mut digits.digits);
        format!("{sign}{}", place(&digits, if short { 12 } else { 16 }, false))
    })
}

fn special(value: f64) -> Option<String> {
    if value.is_nan() {
        Some("nan".to_owned())
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "-inf" }.to_owned())
    } else {
        None
    }
}

fn trim(digits: &mut String) {
    while digits.len() > 1 && digits.ends_with('0') {
        digits.pop();
    }
}

/// Lays digits out: with an exponent when the point lies left of -3 or right of `most`.
fn place(number: &Digits, most: i32, point_zero: bool) -> String {
    let Digits { digits, point } = number;
    if *point > most || *point < -3 {
        return with_exponent(digits, *point);
    }
    let mut out = fixed(digits, *point);
    if point_zero && !out.contains('.') {
        out.push_str(".0");
    }
    out
}

fn with_exponent(digits: &str, point: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let exponent = point - 1;
    let sign = if exponent < 0 { '-' } else { '+' };
    let dot = if rest.is_empty() { "" } else { "." };
    format!("{first}{dot}{rest}e{sign}{:02}", exponent.abs())
}

fn fixed(digits: &str, point: i32) -> String {
    if point <= 0 {
        return format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize));
    }
    let point = point as usize;
    if point >= digits.len() {
        return format!("{digits}{}", "0".repeat(point - digits.len()));
    }
    let (whole, fraction) = digits.split_at(point);
    format!("{whole}.{fraction}")
}

/// `%e`, `%f` or `%g` of the absolute value; `alternate` keeps the point and trailing zeros.
pub(crate) fn formatted(value: f64, form: u8, precision: usize, alternate: bool) -> String {
    let upper = form.is_ascii_uppercase();
    let text = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        match form.to_ascii_lowercase() {
            b'e' => exponent_form(value.abs(), precision, alternate),
            b'f' => {
                let mut text = format!("{:.precision$}", value.abs());
                if alternate && precision == 0 {
                    text.push('.');
                }
                text
            }
            _ => general_form(value.abs(), precision, alternate),
        }
    };
    if upper { text.to_ascii_uppercase() } else { text }
}

fn exponent_form(value: f64, precision: usize, alternate: bool) -> String {
    let digits = digits_of(value, Some(precision + 1));
    let point = if value == 0.0 { 1 } else { digits.point };
    let mut text = with_exponent(&digits.digits, point);
    if alternate && precision == 0 {
        text.insert(1, '.');
    }
    text
}

fn general_form(value: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let mut number = digits_of(value, Some(precision));
    if value == 0.0 {
        number.point = 1;
    }
    if !alternate {
        trim(&mut number.digits);
    }
    let wide = i32::try_from(precision).unwrap_or(i32::MAX);
    let mut text = if number.point > wide || number.point < -3 {
        with_exponent(&number.digits, number.point)
    } else {
        fixed(&number.digits, number.point)
    };
    if alternate && !text.contains('.') {
        match text.find('e') {
            Some(at) => text.insert(at, '.'),
            None => text.push('.'),
        }
    }
    text
}
