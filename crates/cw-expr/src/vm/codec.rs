//! `encode` and `decode`, with the codecs that turn texts into texts.

use crate::base::error::{Error, ExceptionKind};
use crate::tree::literal;
use crate::value::Value;
use crate::vm::machine::{Args, EvalOutcome, Vm};
use crate::vm::repr::write_byte;
use crate::vm::text::{encode_error, low_bytes};

/// The codecs, by Python's names without case and punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Codec {
    Ascii,
    Latin1,
    Utf8,
    Utf16(ByteOrder),
    Utf32(ByteOrder),
    UnicodeEscape,
    RawUnicodeEscape,
    StringEscape,
    Hex,
    Base64,
    Rot13,
}

/// Byte order; `Mark` writes and reads a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    Mark,
    Little,
    Big,
}

/// What happens to characters a codec cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodecPolicy {
    Strict,
    Ignore,
    Replace,
    XmlCharRef,
    BackslashReplace,
}

fn codec_named(name: &str) -> Option<Codec> {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    Some(match plain.as_str() {
        "ascii" | "usascii" | "646" => Codec::Ascii,
        "latin1" | "latin" | "iso88591" | "88591" | "l1" | "cp819" => Codec::Latin1,
        "utf8" | "u8" | "utf" | "utf8ucs2" | "utf8ucs4" => Codec::Utf8,
        "utf16" | "u16" => Codec::Utf16(ByteOrder::Mark),
        "utf16le" => Codec::Utf16(ByteOrder::Little),
        "utf16be" => Codec::Utf16(ByteOrder::Big),
        "utf32" | "u32" => Codec::Utf32(ByteOrder::Mark),
        "utf32le" => Codec::Utf32(ByteOrder::Little),
        "utf32be" => Codec::Utf32(ByteOrder::Big),
        "unicodeescape" => Codec::UnicodeEscape,
        "rawunicodeescape" => Codec::RawUnicodeEscape,
        "stringescape" => Codec::StringEscape,
        "hex" | "hexcodec" => Codec::Hex,
        "base64" | "base64codec" => Codec::Base64,
        "rot13" => Codec::Rot13,
        _ => return None,
    })
}

fn policy_named(name: &str) -> Option<CodecPolicy> {
    Some(match name {
        "strict" => CodecPolicy::Strict,
        "ignore" => CodecPolicy::Ignore,
        "replace" => CodecPolicy::Replace,
        "xmlcharrefreplace" => CodecPolicy::XmlCharRef,
        "backslashreplace" => CodecPolicy::BackslashReplace,
        _ => return None,
    })
}

impl Vm<'_> {
    /// `text.encode(…)` and `text.decode(…)`.
    pub(crate) fn codec_method(&mut self, object: &Value, encode: bool, args: Args<'_>) -> EvalOutcome {
        let name = if encode { "encode" } else { "decode" };
        let [encoding, errors] = self.keyed(name, args, ["encoding", "errors"], 0)?;
        if encode {
            return self.encode(object, encoding.as_ref(), errors.as_ref());
        }
        if let Some((bytes, _)) = self.bytes_of(object) {
            return self.decode(&bytes, encoding.as_ref(), errors.as_ref());
        }
        let (_codec, _policy) = self.codec(name, encoding.as_ref(), errors.as_ref())?;
        // Python 2 encodes a unicode before it decodes it.
        let ascii = self.encode(object, None, None)?;
        match self.bytes_of(&ascii) {
            Some((bytes, _)) => self.decode(&bytes, encoding.as_ref(), errors.as_ref()),
            None => Ok(ascii),
        }
    }

    /// The name of a codec or error handler.
    pub(crate) fn codec_word(
        &mut self,
        value: Option<&Value>,
        default: &str,
        asking: &str,
    ) -> EvalOutcome<String> {
        match value {
            None => Ok(default.to_owned()),
            Some(Value::Str(name)) => Ok(String::from_utf8_lossy(name).into_owned()),
            Some(Value::Unicode(points)) => {
                let bytes = crate::vm::text::ascii_bytes(points)?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
            Some(other) => Err(Error::type_error(format!(
                "{asking} must be string, not {}",
                self.argument_name(other)
            ))),
        }
    }

    fn codec(
        &mut self,
        asking: &str,
        encoding: Option<&Value>,
        errors: Option<&Value>,
    ) -> EvalOutcome<(Codec, Result<CodecPolicy, String>)> {
        let name = self.codec_word(encoding, "ascii", &format!("{asking}() argument 1"))?;
        let policy = self.codec_word(errors, "strict", &format!("{asking}() argument 2"))?;
        let Some(codec) = codec_named(&name) else {
            return Err(Error::raise(
                ExceptionKind::LookupError,
                format!("unknown encoding: {name}"),
            ));
        };
        Ok((codec, policy_named(&policy).ok_or(policy)))
    }

    pub(crate) fn encode(
        &mut self,
        object: &Value,
        encoding: Option<&Value>,
        errors: Option<&Value>,
    ) -> EvalOutcome {
        let (codec, policy) = self.codec("encode", encoding, errors)?;
        let on_bytes = matches!(codec, Codec::Hex | Codec::Base64 | Codec::StringEscape);
        if on_bytes || codec == Codec::Rot13 && matches!(object, Value::Str(_)) {
            let bytes = match object {
                Value::Unicode(_) if codec == Codec::StringEscape => {
                    return Err(Error::type_error(
                        "escape_encode() argument 1 must be string, not unicode",
                    ));
                }
                Value::Unicode(points) => crate::vm::text::ascii_bytes(points)?,
                other => self
                    .bytes_of(other)
                    .map(|(bytes, _)| (*bytes).clone())
                    .unwrap_or_default(),
            };
            self.allow_text(bytes.len() * 4)?;
            return match codec {
                Codec::Rot13 => {
                    let points = rot13(&crate::vm::text::ascii_points(&bytes)?);
                    self.make_str(low_bytes(&points))
                }
                codec => self.make_str(encode_bytes(codec, &bytes)),
            };
        }
        let points = self.points_of_text(object)?;
        self.allow_text(points.len() * 4)?;
        let bytes = match codec {
            Codec::Ascii => encode_narrow(&points, "ascii", 128, &policy)?,
            Codec::Latin1 => encode_narrow(&points, "latin-1", 256, &policy)?,
            Codec::Utf8 => encode_utf8(&points),
            Codec::Utf16(order) => encode_utf16(&points, order),
            Codec::Utf32(order) => encode_utf32(&points, order),
            Codec::UnicodeEscape => escape(&points, false),
            Codec::RawUnicodeEscape => escape(&points, true),
            Codec::Rot13 => low_bytes(&rot13(&points)),
            Codec::StringEscape | Codec::Hex | Codec::Base64 => Vec::new(),
        };
        self.make_str(bytes)
    }

    pub(crate) fn decode(
        &mut self,
        bytes: &[u8],
        encoding: Option<&Value>,
        errors: Option<&Value>,
    ) -> EvalOutcome {
        let (codec, policy) = self.codec("decode", encoding, errors)?;
        self.allow_text(bytes.len() * 4)?;
        let points = match codec {
            Codec::Ascii => decode_ascii(bytes, &policy)?,
            Codec::Latin1 => bytes.iter().map(|byte| u32::from(*byte)).collect(),
            Codec::Utf8 => decode_utf8(bytes, &policy)?,
            Codec::Utf16(order) => decode_utf16(bytes, order, &policy)?,
            Codec::Utf32(order) => decode_utf32(bytes, order, &policy)?,
            Codec::UnicodeEscape => {
                let points: Vec<u32> = bytes.iter().map(|byte| u32::from(*byte)).collect();
                literal::unicode_escapes(&points)
                    .map_err(|fault| Error::raise(ExceptionKind::UnicodeDecodeError, fault.message))?
            }
            Codec::RawUnicodeEscape => {
                let points: Vec<u32> = bytes.iter().map(|byte| u32::from(*byte)).collect();
                literal::raw_unicode_escapes(&points)
                    .map_err(|fault| Error::raise(ExceptionKind::UnicodeDecodeError, fault.message))?
            }
            Codec::Rot13 => rot13(&bytes.iter().map(|byte| u32::from(*byte)).collect::<Vec<_>>()),
            Codec::StringEscape => {
                return match literal::bytes(bytes) {
                    Ok(bytes) => self.make_str(bytes),
                    Err(message) => Err(Error::value_error(message)),
                };
            }
            Codec::Hex => return decode_hex(bytes).and_then(|bytes| self.make_str(bytes)),
            Codec::Base64 => return decode_base64(bytes).and_then(|bytes| self.make_str(bytes)),
        };
        self.make_unicode(points)
    }
}

fn unknown_policy(name: &str) -> Error {
    Error::raise(
        ExceptionKind::LookupError,
        format!("unknown error handler name '{name}'"),
    )
}

fn decode_error(codec: &str, bytes: &[u8], start: usize, end: usize, reason: &str) -> Error {
    let place = if end - start <= 1 {
        format!(
            "byte 0x{:02x} in position {start}",
            bytes.get(start).copied().unwrap_or(0)
        )
    } else {
        format!("bytes in position {start}-{}", end - 1)
    };
    Error::raise(
        ExceptionKind::UnicodeDecodeError,
        format!("'{codec}' codec can't decode {place}: {reason}"),
    )
}

/// What stands for bytes that cannot be decoded.
fn decode_substitute(
    policy: &Result<CodecPolicy, String>,
    strict: impl FnOnce() -> Error,
    out: &mut Vec<u32>,
) -> EvalOutcome<()> {
    match policy {
        Ok(CodecPolicy::Strict) => Err(strict()),
        Ok(CodecPolicy::Ignore) => Ok(()),
        Ok(CodecPolicy::Replace) => {
            out.push(0xfffd);
            Ok(())
        }
        Ok(CodecPolicy::XmlCharRef | CodecPolicy::BackslashReplace) => Err(Error::type_error(
            "don't know how to handle UnicodeDecodeError in error callback",
        )),
        Err(name) => Err(unknown_policy(name)),
    }
}

fn decode_ascii(bytes: &[u8], policy: &Result<CodecPolicy, String>) -> EvalOutcome<Vec<u32>> {
    let mut out = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if byte < 128 {
            out.push(u32::from(byte));
        } else {
            let strict = || decode_error("ascii", bytes, at, at + 1, "ordinal not in range(128)");
            decode_substitute(policy, strict, &mut out)?;
        }
    }
    Ok(out)
}

fn encode_narrow(
    points: &[u32],
    codec: &str,
    limit: u32,
    policy: &Result<CodecPolicy, String>,
) -> EvalOutcome<Vec<u8>> {
    let mut out = Vec::with_capacity(points.len());
    for (at, &point) in points.iter().enumerate() {
        if point < limit {
            out.push((point & 0xff) as u8);
            continue;
        }
        match policy {
            Ok(CodecPolicy::Strict) => {
                let end = points[at..]
                    .iter()
                    .position(|point| *point < limit)
                    .map_or(points.len(), |len| at + len);
                let reason = format!("ordinal not in range({limit})");
                return Err(encode_error(codec, points, at, end, &reason));
            }
            Ok(CodecPolicy::Ignore) => {}
            Ok(CodecPolicy::Replace) => out.push(b'?'),
            Ok(CodecPolicy::XmlCharRef) => out.extend(format!("&#{point};").into_bytes()),
            Ok(CodecPolicy::BackslashReplace) => {
                let escape = match point {
                    0..=0xff => format!("\\x{point:02x}"),
                    0x100..=0xffff => format!("\\u{point:04x}"),
                    _ => format!("\\U{point:08x}"),
                };
                out.extend(escape.into_bytes());
            }
            Err(name) => return Err(unknown_policy(name)),
        }
    }
    Ok(out)
}

/// UTF-8 as Python 2 writes it: lone surrogates are written too.
fn encode_utf8(points: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(points.len());
    for &point in points {
        let tail = |shift: u32| 0x80 | (point >> shift & 0x3f) as u8;
        match point {
            0..=0x7f => out.push((point & 0x7f) as u8),
            0x80..=0x7ff => out.extend([0xc0 | (point >> 6 & 0x1f) as u8, tail(0)]),
            0x800..=0xffff => out.extend([0xe0 | (point >> 12 & 0x0f) as u8, tail(6), tail(0)]),
            _ => out.extend([0xf0 | (point >> 18 & 0x07) as u8, tail(12), tail(6), tail(0)]),
        }
    }
    out
}

fn decode_utf8(bytes: &[u8], policy: &Result<CodecPolicy, String>) -> EvalOutcome<Vec<u32>> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&first) = bytes.get(at) {
        let (len, least) = match first {
            0..=0x7f => (1, 0),
            0xc2..=0xdf => (2, 0x80),
            0xe0..=0xef => (3, 0x800),
            0xf0..=0xf4 => (4, 0x1_0000),
            _ => (0, 0),
        };
        if len == 0 {
            decode_substitute(
                policy,
                || decode_error("utf8", bytes, at, at + 1, "invalid start byte"),
                &mut out,
            )?;
            at += 1;
            continue;
        }
        let tail = |offset: usize| bytes.get(at + offset).filter(|byte| **byte & 0xc0 == 0x80);
        let good = 1 + (1..len).take_while(|offset| tail(*offset).is_some()).count();
        let mut point = match len {
            1 => u32::from(first),
            2 => u32::from(first & 0x1f),
            3 => u32::from(first & 0x0f),
            _ => u32::from(first & 0x07),
        };
        for offset in 1..good {
            point = point << 6 | tail(offset).map_or(0, |byte| u32::from(*byte & 0x3f));
        }
        if good == len && point >= least && point <= 0x10_FFFF {
            out.push(point);
            at += len;
            continue;
        }
        // CPython calls a form cut off by the end of the data so, whatever stands in it.
        let (end, reason) = if at + len > bytes.len() {
            (at + good, "unexpected end of data")
        } else {
            (at + good.min(len - 1), "invalid continuation byte")
        };
        decode_substitute(policy, || decode_error("utf8", bytes, at, end, reason), &mut out)?;
        at = end;
    }
    Ok(out)
}

fn encode_utf16(points: &[u32], order: ByteOrder) -> Vec<u8> {
    let mut units = Vec::with_capacity(points.len() + 1);
    if order == ByteOrder::Mark {
        units.push(0xfeff_u16);
    }
    for &point in points {
        match point.checked_sub(0x1_0000) {
            None => units.push((point & 0xffff) as u16),
            Some(rest) => units.extend([
                0xd800 | (rest >> 10 & 0x3ff) as u16,
                0xdc00 | (rest & 0x3ff) as u16,
            ]),
        }
    }
    units
        .into_iter()
        .flat_map(|unit| {
            if order == ByteOrder::Big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        })
        .collect()
}

fn encode_utf32(points: &[u32], order: ByteOrder) -> Vec<u8> {
    let mark = (order == ByteOrder::Mark).then_some(0xfeff);
    mark.iter()
        .chain(points)
        .flat_map(|point| {
            if order == ByteOrder::Big {
                point.to_be_bytes()
            } else {
                point.to_le_bytes()
            }
        })
        .collect()
}

fn decode_utf16(
    bytes: &[u8],
    order: ByteOrder,
    policy: &Result<CodecPolicy, String>,
) -> EvalOutcome<Vec<u32>> {
    let (mut at, order) = match (order, bytes.get(..2)) {
        (ByteOrder::Mark, Some([0xff, 0xfe])) => (2, ByteOrder::Little),
        (ByteOrder::Mark, Some([0xfe, 0xff])) => (2, ByteOrder::Big),
        (order, _) => (0, order),
    };
    let unit = |at: usize| {
        let pair = [*bytes.get(at)?, *bytes.get(at + 1)?];
        Some(u32::from(if order == ByteOrder::Big {
            u16::from_be_bytes(pair)
        } else {
            u16::from_le_bytes(pair)
        }))
    };
    let mut out = Vec::new();
    while at < bytes.len() {
        let Some(first) = unit(at) else {
            decode_substitute(
                policy,
                || decode_error("utf16", bytes, at, bytes.len(), "truncated data"),
                &mut out,
            )?;
            break;
        };
        match first {
            0xd800..=0xdfff => match unit(at + 2) {
                Some(_) if first >= 0xdc00 => {
                    decode_substitute(
                        policy,
                        || decode_error("utf16", bytes, at, at + 2, "illegal encoding"),
                        &mut out,
                    )?;
                    at += 2;
                }
                Some(second @ 0xdc00..=0xdfff) => {
                    out.push(0x1_0000 + ((first & 0x3ff) << 10 | second & 0x3ff));
                    at += 4;
                }
                Some(_) => {
                    decode_substitute(
                        policy,
                        || decode_error("utf16", bytes, at, at + 2, "illegal UTF-16 surrogate"),
                        &mut out,
                    )?;
                    at += 2;
                }
                None => {
                    decode_substitute(
                        policy,
                        || decode_error("utf16", bytes, at, bytes.len(), "unexpected end of data"),
                        &mut out,
                    )?;
                    break;
                }
            },
            unit => {
                out.push(unit);
                at += 2;
            }
        }
    }
    Ok(out)
}

fn decode_utf32(
    bytes: &[u8],
    order: ByteOrder,
    policy: &Result<CodecPolicy, String>,
) -> EvalOutcome<Vec<u32>> {
    let (mut at, order) = match (order, bytes.get(..4)) {
        (ByteOrder::Mark, Some([0xff, 0xfe, 0, 0])) => (4, ByteOrder::Little),
        (ByteOrder::Mark, Some([0, 0, 0xfe, 0xff])) => (4, ByteOrder::Big),
        (order, _) => (0, order),
    };
    let mut out = Vec::new();
    while at < bytes.len() {
        let Some(&[a, b, c, d]) = bytes.get(at..at + 4) else {
            decode_substitute(
                policy,
                || decode_error("utf32", bytes, at, bytes.len(), "truncated data"),
                &mut out,
            )?;
            break;
        };
        let point = if order == ByteOrder::Big {
            u32::from_be_bytes([a, b, c, d])
        } else {
            u32::from_le_bytes([a, b, c, d])
        };
        if point > 0x10_FFFF {
            decode_substitute(
                policy,
                || decode_error("utf32", bytes, at, at + 4, "codepoint not in range(0x110000)"),
                &mut out,
            )?;
        } else {
            out.push(point);
        }
        at += 4;
    }
    Ok(out)
}

fn escape(points: &[u32], raw: bool) -> Vec<u8> {
    let mut out = String::new();
    let mut bytes = Vec::new();
    for &point in points {
        out.clear();
        match point {
            0x1_0000.. => out.push_str(&format!("\\U{point:08x}")),
            0x100..=0xffff => out.push_str(&format!("\\u{point:04x}")),
            _ if raw => {
                bytes.push((point & 0xff) as u8);
                continue;
            }
            _ => write_byte((point & 0xff) as u8, None, &mut out),
        }
        bytes.extend_from_slice(out.as_bytes());
    }
    bytes
}

fn rot13(points: &[u32]) -> Vec<u32> {
    points
        .iter()
        .map(|&point| match u8::try_from(point) {
            Ok(byte @ (b'a'..=b'm' | b'A'..=b'M')) => u32::from(byte + 13),
            Ok(byte @ (b'n'..=b'z' | b'N'..=b'Z')) => u32::from(byte - 13),
            _ => point,
        })
        .collect()
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode_bytes(codec: Codec, bytes: &[u8]) -> Vec<u8> {
    match codec {
        Codec::Hex => bytes
            .iter()
            .flat_map(|byte| format!("{byte:02x}").into_bytes())
            .collect(),
        Codec::StringEscape => {
            let mut out = String::new();
            bytes
                .iter()
                .for_each(|byte| write_byte(*byte, Some('\''), &mut out));
            out.into_bytes()
        }
        _ => {
            let mut out = Vec::new();
            // Lines of 57 bytes, each ended, as the codec writes them.
            for line in bytes.chunks(57) {
                for group in line.chunks(3) {
                    let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
                    let bits = at(0) << 16 | at(1) << 8 | at(2);
                    for part in 0..4 {
                        let digit = BASE64[(bits >> (18 - 6 * part) & 63) as usize];
                        out.push(if part as usize > group.len() { b'=' } else { digit });
                    }
                }
                out.push(b'\n');
            }
            out
        }
    }
}

fn decode_hex(bytes: &[u8]) -> EvalOutcome<Vec<u8>> {
    if bytes.len() % 2 == 1 {
        return Err(Error::type_error("Odd-length string"));
    }
    let digit = |byte: u8| (byte as char).to_digit(16);
    bytes
        .chunks_exact(2)
        .map(|pair| match (digit(pair[0]), digit(pair[1])) {
            (Some(high), Some(low)) => {
                Ok(u8::try_from(high * 16 + low).expect("two hexadecimal digits are a byte"))
            }
            _ => Err(Error::type_error("Non-hexadecimal digit found")),
        })
        .collect()
}

fn decode_base64(bytes: &[u8]) -> EvalOutcome<Vec<u8>> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    let mut padding = 0;
    for byte in bytes {
        if *byte == b'=' {
            padding += 1;
            continue;
        }
        let Some((digit, _)) = (0_u32..).zip(BASE64).find(|(_, known)| *known == byte) else {
            continue;
        };
        bits = bits << 6 | digit;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 0xff) as u8);
            bits &= (1 << count) - 1;
        }
    }
    if count > 0 && padding == 0 {
        return Err(Error::raise(ExceptionKind::ValueError, "Incorrect padding"));
    }
    Ok(out)
}
