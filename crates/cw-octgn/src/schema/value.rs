//! What the values of attributes have to be (P220).

use crate::{Guid, GuidForm};

/// A type of the schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Any text.
    Text,
    /// A whole number of any length that is at least the one and at most the other.
    Whole { least: Option<u32>, most: Option<u32> },
    /// Exactly `True` or `False`.
    Capital,
    /// `true`, `false`, `1` or `0`.
    Small,
    /// `8-4-4-4-12`, bare or in braces; also without the hyphens.
    Identity { takes_digits: bool },
    /// Numbers with dots between, at least so many and at most four.
    Numbers { least: usize },
    /// `#` and six hexadecimal digits.
    Colour,
    /// Four numbers with commas between.
    Box,
    /// A decimal number.
    Decimal,
    /// `YYYY-MM-DD`.
    Date,
    /// One of these words.
    Words(Vec<&'static str>),
}

impl ValueType {
    /// The type of this name.
    pub(super) fn named(name: &'static str) -> ValueType {
        let whole = |least, most| ValueType::Whole { least, most };
        match name {
            "str" => ValueType::Text,
            "int" => whole(None, None),
            "nat" => whole(Some(0), None),
            "pos" => whole(Some(1), None),
            "deg" => whole(Some(0), Some(360)),
            "YN" => ValueType::Capital,
            "yn" => ValueType::Small,
            "guid2" => ValueType::Identity { takes_digits: false },
            "guid4" => ValueType::Identity { takes_digits: true },
            "v4" => ValueType::Numbers { least: 4 },
            "v24" => ValueType::Numbers { least: 2 },
            "rgb" => ValueType::Colour,
            "box" => ValueType::Box,
            "dbl" => ValueType::Decimal,
            "date" => ValueType::Date,
            _ => {
                let words = name.strip_prefix('{').and_then(|words| words.strip_suffix('}'));
                let words = words.expect("every other type lists its words");
                ValueType::Words(words.split('|').collect())
            }
        }
    }

    /// Whether a text is a value of this type.
    pub(super) fn takes(&self, text: &str) -> bool {
        match self {
            ValueType::Text => true,
            ValueType::Whole { least, most } => is_whole(trimmed(text), *least, *most),
            ValueType::Capital => matches!(text, "True" | "False"),
            ValueType::Small => matches!(trimmed(text), "true" | "false" | "1" | "0"),
            ValueType::Identity { takes_digits } => match Guid::parse(text) {
                Ok((_, GuidForm::Hyphens | GuidForm::Braces)) => true,
                Ok((_, GuidForm::Digits | GuidForm::BracedDigits)) => *takes_digits,
                Ok((_, GuidForm::Parentheses | GuidForm::Hexadecimal | GuidForm::Padded)) | Err(_) => false,
            },
            ValueType::Numbers { least } => {
                let parts: Vec<&str> = text.split('.').collect();
                (*least..=4).contains(&parts.len()) && parts.iter().all(|part| is_digits(part))
            }
            ValueType::Colour => text.strip_prefix('#').is_some_and(|digits| {
                digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            }),
            ValueType::Box => {
                let parts: Vec<&str> = text.split(',').collect();
                parts.len() == 4 && parts.iter().all(|part| is_digits(part.trim_start_matches('-')))
            }
            ValueType::Decimal => is_decimal(trimmed(text)),
            ValueType::Date => is_date(trimmed(text)),
            ValueType::Words(words) => words.contains(&text),
        }
    }

    /// What a value has to be, in words.
    pub(super) fn wanted(&self) -> String {
        match self {
            ValueType::Text => "any text".to_owned(),
            ValueType::Whole { least, most } => match (least, most) {
                (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
                (Some(least), None) => format!("a whole number from {least}"),
                (None, Some(most)) => format!("a whole number up to {most}"),
                (None, None) => "a whole number".to_owned(),
            },
            ValueType::Capital => "`True` or `False`".to_owned(),
            ValueType::Small => "`true` or `false`".to_owned(),
            ValueType::Identity { .. } => "a GUID (8-4-4-4-12)".to_owned(),
            ValueType::Numbers { least: 4 } => "four numbers with dots between".to_owned(),
            ValueType::Numbers { .. } => "two to four numbers with dots between".to_owned(),
            ValueType::Colour => "`#` and six hexadecimal digits".to_owned(),
            ValueType::Box => "four whole numbers with commas between".to_owned(),
            ValueType::Decimal => "a number like `0.25`".to_owned(),
            ValueType::Date => "a date like 2020-12-31".to_owned(),
            ValueType::Words(words) => format!("one of {}", words.join(", ")),
        }
    }
}

/// The text without the blanks of XML around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// Digits of any script, as the schemas' patterns have them.
fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_numeric)
}

fn is_ascii_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_whole(text: &str, least: Option<u32>, most: Option<u32>) -> bool {
    let negative = text.strip_prefix('-');
    let digits = negative.or_else(|| text.strip_prefix('+')).unwrap_or(text);
    if !is_ascii_digits(digits) {
        return false;
    }
    let significant = digits.trim_start_matches('0');
    let is_negative = negative.is_some() && !significant.is_empty();
    // Numbers may have any length: one of more digits than fit is more than any bound.
    let amount = match significant {
        "" => 0,
        _ => significant.parse().unwrap_or(u32::MAX),
    };
    least.is_none_or(|least| !is_negative && amount >= least)
        && most.is_none_or(|most| is_negative || amount <= most)
}

fn is_decimal(text: &str) -> bool {
    if matches!(text, "INF" | "-INF" | "NaN") {
        return true;
    }
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let number = number.strip_prefix(['+', '-']).unwrap_or(number);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let fits = |digits: &str| digits.is_empty() || is_ascii_digits(digits);
    let has_digits = !whole.is_empty() || !part.is_empty();
    has_digits && fits(whole) && fits(part) && exponent.is_none_or(|text| is_whole(text, None, None))
}

/// A day of the calendar; a zone may follow (P19).
pub(crate) fn is_date(text: &str) -> bool {
    let Some((date, zone)) = text.split_at_checked(10) else {
        return false;
    };
    let mut parts = date.split('-');
    let mut number = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        is_ascii_digits(part).then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else {
        return false;
    };
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    };
    year > 0 && (1..=12).contains(&month) && (1..=days).contains(&day) && is_zone(zone)
}

fn is_zone(zone: &str) -> bool {
    let Some(clock) = zone.strip_prefix(['+', '-']) else {
        return matches!(zone, "" | "Z");
    };
    let Some((hours, minutes)) = clock.split_once(':').filter(|(hours, _)| hours.len() == 2) else {
        return false;
    };
    let number = |text: &str| is_ascii_digits(text).then(|| text.parse::<u32>().ok()).flatten();
    match (number(hours), number(minutes).filter(|_| minutes.len() == 2)) {
        (Some(hours), Some(minutes)) => hours < 14 && minutes < 60 || hours == 14 && minutes == 0,
        _ => false,
    }
}
