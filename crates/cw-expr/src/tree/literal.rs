//! The escapes of string literals.

/// Decodes the escapes of a plain string.
///
/// # Errors
/// A message for Python's `ValueError` when `\x` lacks its two digits.
pub(crate) fn bytes(body: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        at += 1;
        if byte != b'\\' {
            // Python reads its source with universal newlines.
            if byte == b'\r' && body.get(at) == Some(&b'\n') {
                continue;
            }
            out.push(byte);
            continue;
        }
        let Some(&escape) = body.get(at) else {
            out.push(b'\\');
            break;
        };
        at += 1;
        match escape {
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let Some(&digit @ b'0'..=b'7') = body.get(at) else {
                        break;
                    };
                    value = value * 8 + u32::from(digit - b'0');
                    at += 1;
                }
                out.push((value & 0xff) as u8);
            }
            b'x' => {
                let digits = body.get(at..at + 2).and_then(hex);
                out.push((digits.ok_or("invalid \\x escape")? & 0xff) as u8);
                at += 2;
            }
            _ => match simple(escape) {
                Some(byte) => out.push(byte),
                None => out.extend([b'\\', escape]),
            },
        }
    }
    Ok(out)
}

fn simple(escape: u8) -> Option<u8> {
    Some(match escape {
        b'\\' | b'\'' | b'"' => escape,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        _ => return None,
    })
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |value, &digit| {
        Some(value.wrapping_mul(16) + (digit as char).to_digit(16)?)
    })
}

/// Decodes the escapes of a unicode literal.
///
/// # Errors
/// A message for Python's `SyntaxError`.
pub(crate) fn unicode(body: &str) -> Result<Vec<u32>, String> {
    let points: Vec<u32> = body.chars().map(u32::from).collect();
    unicode_escapes(&points).map_err(|fault| format!("(unicode error) {}", fault.message))
}

/// A malformed escape.
#[derive(Debug)]
pub(crate) struct EscapeFault {
    /// Python's words for it.
    pub(crate) message: String,
}

/// Decodes `\u` escapes and the ordinary ones.
pub(crate) fn unicode_escapes(points: &[u32]) -> Result<Vec<u32>, EscapeFault> {
    let byte = |at: usize| points.get(at).and_then(|point| u8::try_from(*point).ok());
    let mut out = Vec::with_capacity(points.len());
    let mut at = 0;
    while let Some(&point) = points.get(at) {
        let start = at;
        at += 1;
        if point != u32::from(b'\\') {
            if point == 13 && points.get(at) == Some(&10) {
                continue;
            }
            out.push(point);
            continue;
        }
        let Some(escape) = byte(at) else {
            if at >= points.len() {
                return Err(fault(start, at, "\\ at end of string"));
            }
            out.push(point);
            continue;
        };
        at += 1;
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let mut value = 0_u32;
            for _ in 0..digits {
                let Some(digit) = byte(at).and_then(|digit| (digit as char).to_digit(16)) else {
                    let form = match digits {
                        2 => "truncated \\xXX escape",
                        4 => "truncated \\uXXXX escape",
                        _ => "truncated \\UXXXXXXXX escape",
                    };
                    // Python points at the last byte looked at, or at the end of the text.
                    return Err(fault(start, at, form));
                };
                value = value.wrapping_mul(16).wrapping_add(digit);
                at += 1;
            }
            if value > 0x10_FFFF {
                return Err(fault(start, at, "illegal Unicode character"));
            }
            out.push(value);
            continue;
        }
        match escape {
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = byte(at) else {
                        break;
                    };
                    value = value * 8 + u32::from(digit - b'0');
                    at += 1;
                }
                out.push(value);
            }
            b'N' => {
                let (point, end) = named(points, start, at)?;
                out.push(point);
                at = end;
            }
            _ => match simple(escape) {
                Some(byte) => out.push(u32::from(byte)),
                None => out.extend([point, u32::from(escape)]),
            },
        }
    }
    Ok(out)
}

/// The character of `\N{NAME}`, whose brace is expected at `at`, and where the escape ends.
fn named(points: &[u32], start: usize, at: usize) -> Result<(u32, usize), EscapeFault> {
    let malformed = |end| fault(start, end, "malformed \\N character escape");
    if points.get(at) != Some(&u32::from(b'{')) {
        return Err(malformed(at));
    }
    let Some(len) = points[at + 1..]
        .iter()
        .position(|point| *point == u32::from(b'}'))
    else {
        return Err(malformed(points.len()));
    };
    let end = at + len + 2;
    if len == 0 {
        return Err(malformed(end - 1));
    }
    let name: String = points[at + 1..end - 1]
        .iter()
        .filter_map(|point| char::from_u32(*point))
        .collect();
    match character_named(&name) {
        Some(c) => Ok((u32::from(c), end)),
        None => Err(fault(start, end, "unknown Unicode character name")),
    }
}

/// Without the feature `names`, no character has one.
#[cfg(not(any(feature = "names", not(target_family = "wasm"))))]
fn character_named(_: &str) -> Option<char> {
    None
}

/// Python spells names exactly, but for the case of those that stand in a table.
#[cfg(any(feature = "names", not(target_family = "wasm")))]
fn character_named(name: &str) -> Option<char> {
    if name.starts_with('-') {
        // No name does, and the table's search takes it for granted that something stands before a hyphen.
        return None;
    }
    let c = unicode_names2::character(name)?;
    let spelled = unicode_names2::name(c)?.to_string();
    let computed = ["CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE "]
        .iter()
        .any(|prefix| spelled.starts_with(prefix));
    let same = if computed {
        spelled == name
    } else {
        spelled.eq_ignore_ascii_case(name)
    };
    same.then_some(c)
}

fn fault(start: usize, end: usize, reason: &str) -> EscapeFault {
    let last = end.saturating_sub(1);
    let place = if last > start {
        format!("bytes in position {start}-{last}")
    } else {
        format!("byte 0x5c in position {start}")
    };
    EscapeFault {
        message: format!("'unicodeescape' codec can't decode {place}: {reason}"),
    }
}

/// Decodes a raw unicode literal: only `\u` and `\U` after an odd number of backslashes.
///
/// # Errors
/// A message for Python's `SyntaxError`.
pub(crate) fn raw_unicode(body: &str) -> Result<Vec<u32>, String> {
    let points: Vec<u32> = body.chars().map(u32::from).collect();
    raw_unicode_escapes(&points).map_err(|fault| format!("(unicode error) {}", fault.message))
}

/// Decodes the escapes of the codec `raw_unicode_escape`.
pub(crate) fn raw_unicode_escapes(points: &[u32]) -> Result<Vec<u32>, EscapeFault> {
    let mut out = Vec::with_capacity(points.len());
    let mut at = 0;
    while let Some(&point) = points.get(at) {
        if point != u32::from(b'\\') {
            out.push(point);
            at += 1;
            continue;
        }
        let start = at;
        while points.get(at) == Some(&u32::from(b'\\')) {
            at += 1;
        }
        let backslashes = at - start;
        let digits = match points.get(at).and_then(|point| char::from_u32(*point)) {
            Some('u') if backslashes % 2 == 1 => 4,
            Some('U') if backslashes % 2 == 1 => 8,
            _ => {
                out.extend(std::iter::repeat_n(u32::from(b'\\'), backslashes));
                continue;
            }
        };
        out.extend(std::iter::repeat_n(u32::from(b'\\'), backslashes - 1));
        at += 1;
        let mut value = 0_u32;
        for _ in 0..digits {
            let digit = points
                .get(at)
                .and_then(|point| char::from_u32(*point))
                .and_then(|c| c.to_digit(16));
            let Some(digit) = digit else {
                let reason = if digits == 4 {
                    "truncated \\uXXXX"
                } else {
                    "truncated \\UXXXXXXXX"
                };
                let mut fault = fault(start + backslashes - 1, at, reason);
                fault.message = fault.message.replace("'unicodeescape'", "'rawunicodeescape'");
                return Err(fault);
            };
            value = value.wrapping_mul(16).wrapping_add(digit);
            at += 1;
        }
        if value > 0x10_FFFF {
            let mut fault = fault(start + backslashes - 1, at, "\\Uxxxxxxxx out of range");
            fault.message = fault.message.replace("'unicodeescape'", "'rawunicodeescape'");
            return Err(fault);
        }
        out.push(value);
    }
    Ok(out)
}
